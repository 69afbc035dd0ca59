//! `weft_tasks` in lockstep with its model (docs/spec/tasks.md).

use weft_sim::host::registers::at;
use weft_sim::host::Descriptor;
use weft_testbench::tasks::random::{episode, Options};
use weft_testbench::tasks::sms::Life;
use weft_testbench::tasks::{Bench, Cover, Device, Shape};

const ONE: Shape = Shape {
    slots: 1,
    sms: 1,
    warps: 4,
    threads: 4,
    scratchpad: 1,
    mix: false,
};

fn bench(shape: Shape, cycles: u64) -> Bench {
    let device = Device::open(shape, None, 1).expect("weft_tasks");
    let life = move |_: &_, _: &mut _| Life {
        cycles,
        ..Life::default()
    };
    let mut bench = Bench::new(device, 1, 10, Box::new(life));
    for sm in 0..shape.sms {
        bench.set(at::sm(sm, at::LOCAL_LIMIT), 4096).unwrap();
    }
    bench
}

/// A grid of five CTAs, from LAUNCH to idle.
#[test]
fn a_grid_runs() {
    let mut bench = bench(ONE, 50);
    let task = Descriptor {
        grid: [5, 1, 1],
        cta: [8, 1, 1],
        completion: 0x3000,
        value: 7,
        ..Descriptor::default()
    };
    assert_eq!(bench.run(0x2000, &task.words()).unwrap().0, 0);
    bench.rest().unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(bench.word(0x3000), 7);
    bench.check_registers().unwrap_or_else(|e| panic!("{e}"));
}

#[test]
fn random_programs_agree() {
    let mut cover = Cover::default();
    for seed in 1..=3 {
        let device = Device::open(ONE, None, seed as u32).expect("weft_tasks");
        let options = Options {
            seed,
            cycles: 20_000,
            mutation: None,
        };
        let covered = episode(device, &options).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        cover.add(&covered);
    }
    println!("{cover}");
}
