//! Proof that the hazards are real: each unsafe kernel, printed by the library's own writer without any check, is
//! run against the simulator. What is legal Verilog differs in co-simulation; the rest is refused by Verilator.
//! All of it is refused by the lint.

use weft_rtl::cosim::Cosim;
use weft_rtl::prelude::*;
use weft_rtl::{export, lint, verilator_lint, ExportError, Hazard, Rng};

/// The library's text as a design, unchecked.
fn library_text<B: Block>(block: &mut B) -> weft_rtl::Verilog {
    block.connect_all();
    weft_rtl::Verilog {
        top: "top".into(),
        modules: vec![("top".into(), generate_verilog_unchecked(block))],
        order: vec!["top".into()],
        ports: vec![],
    }
}

/// One output for each silent mistranslation.
#[derive(LogicBlock, Default)]
struct Silent {
    a: Signal<In, Bits<4>>,
    b: Signal<In, Bits<4>>,
    c: Signal<In, Bits<4>>,
    w: Signal<In, Bits<64>>,
    f: Signal<In, Bit>,
    mixed_and: Signal<Out, Bit>,
    mixed_or: Signal<Out, Bit>,
    cast_not: Signal<Out, Bits<8>>,
    cast_sum: Signal<Out, Bits<8>>,
    cast_difference: Signal<Out, Bits<8>>,
    cast_shift: Signal<Out, Bits<8>>,
    cast_bit: Signal<Out, Bits<8>>,
    literal_compare: Signal<Out, Bit>,
    literal_order: Signal<Out, Bit>,
    literal_shift: Signal<Out, Bits<4>>,
    literal_not: Signal<Out, Bit>,
    literal_any: Signal<Out, Bit>,
    literal_all: Signal<Out, Bit>,
    literal_amount: Signal<Out, Bits<4>>,
    cast_compare: Signal<Out, Bit>,
    replaced: Signal<Out, Bits<4>>,
    index_sum: Signal<Out, Bit>,
    inclusive: Signal<Out, Bits<4>>,
    guard: Signal<Out, Bits<4>>,
}

impl Logic for Silent {
    #[hdl_gen]
    fn update(&mut self) {
        self.mixed_and.next = self.a.val() & self.b.val() == self.c.val();
        self.mixed_or.next = self.a.val() | self.b.val() < self.c.val();
        self.cast_not.next = bit_cast::<8, 4>(!self.a.val());
        self.cast_sum.next = bit_cast::<8, 4>(self.a.val() + self.b.val());
        self.cast_difference.next = bit_cast::<8, 4>(self.a.val() - self.b.val());
        self.cast_shift.next = bit_cast::<8, 4>(self.a.val() << 1);
        self.cast_bit.next = bit_cast::<8, 1>((!self.f.val()).into());
        self.literal_compare.next = (self.a.val() + 1) == self.b.val();
        self.literal_order.next = (self.a.val() + self.b.val()) > 7;
        self.literal_shift.next = (self.a.val() + 1) >> 1;
        self.literal_not.next = (!self.a.val()) == 3;
        self.literal_any.next = (self.a.val() + 1).any();
        self.literal_all.next = (self.a.val() | 3).all();
        self.literal_amount.next = self.a.val() << (self.b.val() + 1);
        self.cast_compare.next = (bit_cast::<4, 64>(self.w.val()) + self.b.val()) == self.c.val();
        self.replaced.next = self.a.val().replace_bit(0, !self.f.val());
        self.index_sum.next = self.w.val().get_bit((self.a.val() + 1).index());
        self.inclusive.next = 0.into();
        for i in 0..=3_usize {
            self.inclusive.next = self.inclusive.val() + i.to_bits();
        }
        match self.a.val().index() {
            3 if self.f.val() => self.guard.next = 1.into(),
            _ => self.guard.next = 2.into(),
        }
    }
}

const SILENT_OUTPUTS: usize = 19;

fn drive(u: &mut Silent, r: &mut Rng, t: usize) {
    u.a.next = if t % 3 == 0 { 15.into() } else { r.bits() };
    u.b.next = if t % 5 == 0 { 0.into() } else { r.bits() };
    u.c.next = if t % 7 == 0 { u.a.val() } else { r.bits() };
    u.w.next = r.bits();
    u.f.next = r.flip();
}

#[test]
fn silent_mistranslations_differ_in_cosimulation() {
    let text = library_text(&mut Silent::default());
    let error = Cosim::new("silent", 3000)
        .run_against(Silent::default(), &text, drive)
        .expect_err("the library's text cannot be right");
    let wrong = error.lines().filter(|l| l.contains(": verilog ")).count();
    assert_eq!(
        wrong, SILENT_OUTPUTS,
        "every output must differ at least once:\n{error}"
    );
    assert!(
        error.contains("replay: SEED=1 cargo test -p weft-rtl"),
        "{error}"
    );
}

#[test]
fn silent_mistranslations_are_refused_by_the_lint() {
    let mut b = Silent::default();
    b.connect_all();
    let count = |h| lint(&b).iter().filter(|f| f.hazard == h).count();
    assert_eq!(count(Hazard::Precedence), 2);
    assert_eq!(count(Hazard::WideningCast), 5);
    assert_eq!(count(Hazard::LiteralWidth), 8);
    assert_eq!(count(Hazard::NegatedBit), 1);
    assert_eq!(count(Hazard::IndexArithmetic), 1);
    // The inclusive range and the guard leave no trace in the tree: the source scan sees them.
    let found = weft_rtl::scan::scan_text("this", include_str!("mistranslation.rs"));
    let kinds: Vec<Hazard> = found.iter().map(|f| f.hazard).collect();
    assert_eq!(
        kinds,
        [Hazard::InclusiveRange, Hazard::MatchGuard],
        "{found:?}"
    );
    match export(&b, "silent") {
        Err(ExportError::Lint { findings, .. }) => assert_eq!(findings.len(), 17),
        other => panic!("{other:?}"),
    }
}

/// The same functions in the form the cookbook asks for, library text and our text: no difference.
#[derive(LogicBlock, Default)]
struct Safe {
    a: Signal<In, Bits<4>>,
    b: Signal<In, Bits<4>>,
    c: Signal<In, Bits<4>>,
    w: Signal<In, Bits<64>>,
    f: Signal<In, Bit>,
    mixed_and: Signal<Out, Bit>,
    mixed_or: Signal<Out, Bit>,
    cast_not: Signal<Out, Bits<8>>,
    cast_sum: Signal<Out, Bits<8>>,
    literal_compare: Signal<Out, Bit>,
    literal_order: Signal<Out, Bit>,
    literal_shift: Signal<Out, Bits<4>>,
    literal_not: Signal<Out, Bit>,
    cast_compare: Signal<Out, Bit>,
    replaced: Signal<Out, Bits<4>>,
    index_sum: Signal<Out, Bit>,
    inclusive: Signal<Out, Bits<4>>,
    guard: Signal<Out, Bits<4>>,
    inverse: Signal<Local, Bits<4>>,
    sum: Signal<Local, Bits<4>>,
    plus: Signal<Local, Bits<4>>,
    low: Signal<Local, Bits<4>>,
    g: Signal<Local, Bit>,
}

impl Logic for Safe {
    #[hdl_gen]
    fn update(&mut self) {
        self.inverse.next = !self.a.val();
        self.sum.next = self.a.val() + self.b.val();
        self.plus.next = self.a.val() + 1;
        self.low.next = bit_cast::<4, 64>(self.w.val());
        self.g.next = !self.f.val();
        self.mixed_and.next = (self.a.val() & self.b.val()) == self.c.val();
        self.mixed_or.next = (self.a.val() | self.b.val()) < self.c.val();
        self.cast_not.next = bit_cast::<8, 4>(self.inverse.val());
        self.cast_sum.next = bit_cast::<8, 4>(self.sum.val());
        self.literal_compare.next = self.plus.val() == self.b.val();
        self.literal_order.next = self.sum.val() > 7;
        self.literal_shift.next = self.plus.val() >> 1;
        self.literal_not.next = self.inverse.val() == 3;
        self.cast_compare.next = (self.low.val() + self.b.val()) == self.c.val();
        self.replaced.next = self.a.val().replace_bit(0, self.g.val());
        self.index_sum.next = self.w.val().get_bit(self.plus.val().index());
        self.inclusive.next = 0.into();
        for i in 0..4_usize {
            self.inclusive.next = self.inclusive.val() + i.to_bits();
        }
        match self.a.val().index() {
            3 => {
                self.guard.next = 2.into();
                if self.f.val() {
                    self.guard.next = 1.into();
                }
            }
            _ => self.guard.next = 2.into(),
        }
    }
}

#[test]
fn safe_forms_agree_in_both_texts() {
    let drive = |u: &mut Safe, r: &mut Rng, t: usize| {
        u.a.next = if t % 3 == 0 { 15.into() } else { r.bits() };
        u.b.next = if t % 5 == 0 { 0.into() } else { r.bits() };
        u.c.next = r.bits();
        u.w.next = r.bits();
        u.f.next = r.flip();
    };
    let cosim = Cosim::new("safe", 3000);
    cosim.run(Safe::default(), drive).unwrap();
    let text = library_text(&mut Safe::default());
    cosim.run_against(Safe::default(), &text, drive).unwrap();
}

/// What the library prints is not Verilog: Verilator says so, and the lint before it.
macro_rules! refused {
    ($hazard:ident, $($body:tt)*) => {{
        #[derive(LogicBlock, Default)]
        struct M {
            a: Signal<In, Bits<4>>,
            b: Signal<In, Bits<4>>,
            w: Signal<In, Bits<64>>,
            f: Signal<In, Bit>,
            v: [Signal<In, Bits<4>>; 4],
            y: Signal<Out, Bits<4>>,
            _n: usize,
        }
        kernel!(M, { $($body)* });
        let mut m = M::default();
        let report = verilator_lint(&library_text(&mut m)).unwrap();
        let errors = report.messages.iter().filter(|l| l.starts_with("%Error")).count();
        assert!(errors > 0, "accepted by Verilator: {:?}", report.messages);
        assert!(lint(&m).iter().any(|f| f.hazard == Hazard::$hazard), "{:?}", lint(&m));
    }};
}

macro_rules! kernel {
    ($m:ident, { $($body:tt)* }) => { impl Logic for $m { $($body)* } };
}

const K: u64 = 5;

#[test]
#[rustfmt::skip]
fn forms_that_are_not_verilog() {
    refused!(SelectOfExpression, #[hdl_gen] fn update(&mut self) { self.y.next = 0.into(); if (self.a.val() ^ self.b.val()).get_bit(0) { self.y.next = 1.into(); } });
// (`w[8+:8][0+:4]` and `~~a` are not Verilog-2005 either, but Verilator accepts them: lint.rs has both.)
    refused!(UnknownName, #[hdl_gen] fn update(&mut self) { self.y.next = self.a.val() + K; });
    refused!(UnknownName, #[hdl_gen] fn update(&mut self) { self.y.next = self._n.to_bits(); });
    refused!(UnknownName, #[hdl_gen] fn update(&mut self) { self.y.next = 0.into(); for k in 0..4 { if k > 0 { self.y.next = self.v[k - 1].val(); } } });
    refused!(MatchPattern, #[hdl_gen] fn update(&mut self) { self.y.next = 0.into(); match self.f.val() { true => { self.y.next = 1.into(); } false => { self.y.next = 2.into(); } } });
    refused!(MatchPattern, #[hdl_gen] fn update(&mut self) { self.y.next = 0.into(); match self.a.val().index() { 0 => { self.y.next = 1.into(); } x => { self.y.next = x.to_bits(); } } });
}

/// A wrong order or a missing default: the simulator keeps a value that hardware does not have.
#[test]
fn a_latch_differs_at_power_up() {
    #[derive(LogicBlock, Default)]
    struct Latch {
        f: Signal<In, Bit>,
        a: Signal<In, Bits<64>>,
        y: Signal<Out, Bits<64>>,
    }
    impl Logic for Latch {
        #[hdl_gen]
        fn update(&mut self) {
            if self.f.val() {
                self.y.next = self.a.val();
            }
        }
    }
    let text = library_text(&mut Latch::default());
    let report = verilator_lint(&text).unwrap();
    assert!(
        report.messages.iter().any(|m| m.contains("LATCH")),
        "{:?}",
        report.messages
    );
    let idle = |_: &mut Latch, _: &mut Rng, _: usize| {};
    assert!(Cosim::new("latch", 3)
        .run_against(Latch::default(), &text, idle)
        .is_err());
    let mut b = Latch::default();
    b.connect_all();
    assert_eq!(lint(&b)[0].hazard, Hazard::Latch);
}
