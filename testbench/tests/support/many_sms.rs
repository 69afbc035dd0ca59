//! Task management of more SMs than two bits can number, in lockstep with the model.
//!
//! `TASKS_SMS_FAULTS=all`, or names with commas between, runs broken copies, which are in a model of their own:
//! `cargo xtask long many-sms`.

use super::{bench, grid, number, options, steps, taking, with_places, A, B};
use weft_generate::Unit;
use weft_sim::host::descriptor::word;
use weft_sim::host::registers::at;
use weft_sim::host::Descriptor;
use weft_testbench::rtl::faults;
use weft_testbench::tasks::bench::{Wrong, PLACES};
use weft_testbench::tasks::cosim::SHAPES;
use weft_testbench::tasks::device::kind::{END, KILL, START};
use weft_testbench::tasks::device::Fault;
use weft_testbench::tasks::random::episode;
use weft_testbench::tasks::sms::Life;
use weft_testbench::tasks::{Bench, Device, Shape};

/// The broken copies are made of it.
pub const SEVEN: Shape = SHAPES[3];
/// Threads that fill an SM.
const ALL: u32 = 16;

fn whole(ctas: u32) -> Descriptor {
    Descriptor {
        cta: [ALL, 1, 1],
        ..grid(ctas)
    }
}

/// SMs of the steps of a kind, in their order.
fn sms_of(bench: &Bench, kind: u64) -> Vec<usize> {
    let all = bench.steps.iter().filter(|step| step.kind == kind);
    all.map(|step| step.sm).collect()
}

/// Each CTA fills an SM: so each SM has one, with registers, end, fault and kill of its own.
fn each_has_its_own(fault: Option<&str>) -> Result<(), String> {
    let wrong = |e: Wrong| e.to_string();
    let device = Device::open(SEVEN, fault, 1).map_err(|e| e.to_string())?;
    let sms = SEVEN.sms;
    // The last SM is the last one to fault; tasks that begin at B have no end.
    let mut bench = Bench::new(
        device,
        1,
        10,
        Box::new(move |start, _| Life {
            cycles: match start.task {
                A => 3_000,
                _ => Life::ENDLESS,
            },
            fault: (start.sm == sms - 1).then_some(Fault {
                warp: 3,
                thread: 2,
                cause: 5,
                pc: 0x1234,
                ..Fault::default()
            }),
            ..Life::default()
        }),
    );
    for sm in 0..sms {
        let n = sm as u32;
        for (offset, value) in [
            (at::LOCAL_BASE, 0x4000 + 0x400 * n),
            (at::LOCAL_LIMIT, 4096 - 16 * n),
            (at::TOKEN_BASE, 0x100 * n),
            (at::TOKEN_SIZE, 100 + n),
        ] {
            bench.set(at::sm(sm, offset), value).map_err(wrong)?;
        }
    }
    bench.set(at::TABLE_BASE, super::TABLE).map_err(wrong)?;
    bench.set(at::TABLE_NUMBER, PLACES).map_err(wrong)?;
    bench.check_registers().map_err(wrong)?;

    // The smallest room of all is that of the last SM.
    let local = 4096 - 16 * (sms as u32 - 1);
    let task = Descriptor {
        local: local + 16,
        ..whole(1)
    };
    let refused = bench.run(B, &task.words()).map_err(wrong)?;
    if refused != (38, B + 4 * word::LOCAL) {
        return Err(format!("more local memory than there is: {refused:?}"));
    }

    let task = Descriptor {
        local,
        ..whole(sms as u32)
    };
    bench.run(A, &task.words()).map_err(wrong)?;
    while steps(&bench, END).is_empty() {
        bench.cycle().map_err(wrong)?;
    }
    let started = sms_of(&bench, START);
    if !started.iter().copied().eq(0..sms) {
        return Err(format!("CTAs on {started:?}"));
    }
    bench.rest().map_err(wrong)?;
    bench.check_registers().map_err(wrong)?;
    let mut ended = sms_of(&bench, END);
    ended.sort_unstable();
    if !ended.iter().copied().eq(0..sms) {
        return Err(format!("ends on {ended:?}"));
    }
    let told = bench.get(at::FAULT).map_err(wrong)?;
    if told != 1 << 31 | (sms as u32 - 1) << 24 | 3 << 16 | 2 << 8 | 5 {
        return Err(format!("FAULT {told:#x}"));
    }
    for sm in 0..sms {
        let done = bench.get(at::sm(sm, at::SM_CTAS_DONE)).map_err(wrong)?;
        if done != 1 {
            return Err(format!("SM {sm}: {done} CTAs"));
        }
    }

    // A task on all of them, killed while it runs.
    bench.steps.clear();
    bench.run(B, &whole(sms as u32).words()).map_err(wrong)?;
    while sms_of(&bench, START).len() < sms {
        bench.cycle().map_err(wrong)?;
    }
    for sm in 0..sms {
        let full = bench.get(at::sm(sm, at::OCCUPANCY)).map_err(wrong)?;
        if full != 32 << 16 | 1 {
            return Err(format!("SM {sm}: OCCUPANCY {full:#x}"));
        }
    }
    bench.set(at::KILL, B).map_err(wrong)?;
    bench.rest().map_err(wrong)?;
    bench.check_registers().map_err(wrong)?;
    match (steps(&bench, KILL).len(), steps(&bench, END).len()) {
        (1, ends) if ends == sms => Ok(()),
        other => Err(format!("kills and ends: {other:?}")),
    }
}

/// TASK-058: each SM has four CTAs, and all of them end together: none has its second end before all have had their first.
fn ends_take_turns(fault: Option<&str>) -> Result<(), String> {
    let wrong = |e: Wrong| e.to_string();
    for faults in [false, true] {
        let device = Device::open(SEVEN, fault, 1).map_err(|e| e.to_string())?;
        let plan = move |_: &_, _: &mut _| Life {
            cycles: Life::ENDLESS,
            fault: faults.then_some(Fault {
                cause: 5,
                ..Fault::default()
            }),
            ..Life::default()
        };
        let mut bench = Bench::new(device, 1, 10, Box::new(plan));
        for sm in 0..SEVEN.sms {
            bench
                .set(at::sm(sm, at::LOCAL_LIMIT), 4096)
                .map_err(wrong)?;
        }
        let small = Descriptor {
            cta: [4, 1, 1],
            ..grid(4 * SEVEN.sms as u32)
        };
        bench.run(A, &small.words()).map_err(wrong)?;
        while steps(&bench, START).len() < 4 * SEVEN.sms {
            bench.cycle().map_err(wrong)?;
        }
        let ctas = bench.sms.iter_mut().flat_map(|sm| &mut sm.ctas);
        ctas.filter_map(|cta| cta.life.as_mut())
            .for_each(|life| life.cycles = 0);
        bench.rest().map_err(wrong)?;
        let ended = sms_of(&bench, END);
        for sm in 0..SEVEN.sms {
            let of_it = ended.iter().enumerate().filter(|(_, at)| **at == sm);
            let turns: Vec<_> = of_it.map(|(turn, _)| turn).collect();
            // One in each round, or, when it was offered a little later, in the next.
            let late = |(round, turn): (usize, &usize)| *turn > SEVEN.sms * (round + 1);
            if turns.iter().enumerate().any(late) {
                return Err(format!(
                    "with faults: {faults}, ends of SM {sm} are {turns:?}"
                ));
            }
        }
    }
    Ok(())
}

#[test]
fn each_of_seven_sms_has_its_own() {
    each_has_its_own(None).unwrap();
    ends_take_turns(None).unwrap();
}

/// A level that evicts a task from all of them, which goes on where it was.
#[test]
fn a_task_leaves_seven_sms_and_comes_back() {
    let mut bench = bench(SEVEN, taking(900));
    with_places(&mut bench, PLACES);
    super::launch(&mut bench, A, &whole(30));
    while steps(&bench, START).len() < 9 {
        bench.cycle().unwrap();
    }
    // As many tasks as there are slots, so one must go.
    for n in 0..4 {
        let task = Descriptor {
            level: 5,
            ..whole(3)
        };
        super::launch(&mut bench, B + 128 * n, &task);
    }
    super::rests(&mut bench);
    let mut ended = steps(&bench, END);
    ended.sort_unstable();
    let wanted = (0..30).map(|cta| (A, cta));
    let others = (0..4).flat_map(|n| (0..3).map(move |cta| (B + 128 * n, cta)));
    assert!(ended.into_iter().eq(wanted.chain(others)));
    for sm in 0..SEVEN.sms {
        assert!(sms_of(&bench, END).contains(&sm), "SM {sm}");
    }
}

#[test]
fn broken_copies_of_seven_sms_are_noticed() {
    let mut copies = faults::of(Unit::Tasks);
    copies.retain(|(design, _)| design.value("sms") == SEVEN.sms);
    let copies = faults::chosen(copies, "TASKS_SMS_FAULTS", "");
    let seeds = number("TASKS_SEED", 1)..number("TASKS_SEED", 1) + 40;
    for (_, fault) in faults::prepare(copies).expect("broken copies") {
        let name = Some(fault.name.as_str());
        let directed = each_has_its_own(name).and_then(|()| ends_take_turns(name));
        let directed = directed.err().map(|error| (0, error));
        let noticed = directed.or_else(|| {
            seeds.clone().find_map(|seed| {
                let device = Device::open(SEVEN, name, seed as u32).expect("weft_tasks");
                Some((seed, episode(device, &options(seed)).err()?.to_string()))
            })
        });
        let (seed, error) = noticed.unwrap_or_else(|| {
            panic!("`{}` is not noticed: {}", fault.name, fault.breaks);
        });
        let first = error.lines().next().unwrap_or_default();
        println!("{}: seed {seed}, {first}", fault.name);
    }
}
