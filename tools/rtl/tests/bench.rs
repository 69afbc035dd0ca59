//! The driver of the built-in simulator, and the stimulus generator.

use weft_rtl::prelude::*;
use weft_rtl::{wave_path, Bench, Rng};

#[derive(LogicBlock, Default)]
struct Counter {
    clock: Signal<In, Clock>,
    en: Signal<In, Bit>,
    count: Signal<Out, Bits<8>>,
    r: DFF<Bits<8>>,
}

impl Logic for Counter {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, r);
        if self.en.val() {
            self.r.d.next = self.r.q.val() + 1;
        }
        self.count.next = self.r.q.val();
    }
}

fn bench() -> Bench<Counter> {
    Bench::new(Counter::default(), |u, level| u.clock.next = level.into())
}

#[test]
fn edges_count() {
    let mut b = bench();
    b.uut.en.next = true;
    for n in 0..10_u64 {
        b.settle();
        assert_eq!(b.uut.count.val(), n.to_bits());
        b.edge();
    }
    b.uut.en.next = false;
    b.edge();
    assert_eq!(b.uut.count.val(), 10_u64.to_bits());
    assert_eq!(b.cycle(), 11);
}

#[test]
fn waves_are_written() {
    let path = wave_path("weft_rtl::bench::waves");
    assert!(
        path.ends_with("waves/weft_rtl-bench-waves.vcd"),
        "{}",
        path.display()
    );
    let mut b = bench().with_wave(&path).unwrap();
    b.uut.en.next = true;
    b.edge();
    b.edge();
    drop(b);
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(
        text.contains("$var wire 8 ") && text.contains("count"),
        "{text}"
    );
    assert!(text.contains("b00000010 "), "{text}");
}

#[test]
#[should_panic(expected = "did not settle")]
fn oscillation_is_noticed() {
    #[derive(LogicBlock, Default)]
    struct Inverter {
        a: Signal<In, Bit>,
        y: Signal<Out, Bit>,
    }
    impl Logic for Inverter {
        #[hdl_gen]
        fn update(&mut self) {
            self.y.next = !self.a.val();
        }
    }
    #[derive(LogicBlock, Default)]
    struct Ring {
        y: Signal<Out, Bit>,
        inv: Inverter,
    }
    impl Logic for Ring {
        #[hdl_gen]
        fn update(&mut self) {
            self.inv.a.next = self.inv.y.val();
            self.y.next = self.inv.y.val();
        }
    }
    Bench::new(Ring::default(), |_, _| ()).settle();
}

/// Seeds must mean the same tomorrow.
#[test]
fn stimulus_is_stable() {
    let mut a = Rng::new(1, "stimulus");
    let mut b = Rng::new(1, "stalls");
    let first = [a.next(), a.next()];
    assert_ne!(first[0], b.next(), "streams are independent");
    let mut again = Rng::new(1, "stimulus");
    assert_eq!(first, [again.next(), again.next()]);
    assert_eq!(first[0], 14_851_029_964_036_265_412);
    let x: Bits<100> = again.bits();
    assert_ne!(x, Bits::<100>::default());
    assert!((0..1000).all(|_| again.below(7) < 7));
}
