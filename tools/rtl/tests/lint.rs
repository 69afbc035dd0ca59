//! Every hazard the lint knows, and the safe forms next to them.
#![allow(dead_code, clippy::single_match)]

use weft_rtl::prelude::*;
use weft_rtl::{lint, Finding, Hazard};

#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
enum St {
    A,
    B,
    C,
}

const K: u64 = 5;

/// A function whose name the macro takes for a cast.
fn bits_reversed(x: Bits<4>) -> Bits<4> {
    x
}

#[derive(LogicInterface, Clone, Debug, Default)]
#[join = "Sink"]
struct Source {
    data: Signal<Out, Bits<4>>,
    ready: Signal<In, Bit>,
}

#[derive(LogicInterface, Clone, Debug, Default)]
#[join = "Source"]
struct Sink {
    data: Signal<In, Bits<4>>,
    ready: Signal<Out, Bit>,
}

#[derive(LogicBlock, Default)]
struct Sub {
    x: Signal<In, Bits<4>>,
    y: Signal<Out, Bits<4>>,
}

impl Logic for Sub {
    #[hdl_gen]
    fn update(&mut self) {
        self.y.next = !self.x.val();
    }
}

#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
struct Pair {
    lo: Bits<4>,
    hi: Bits<4>,
}

/// A block around one kernel body; `Vec<Finding>`.
macro_rules! findings {
    ({ $($body:tt)* }) => {{
        #[derive(LogicBlock, Default)]
        struct M {
            clock: Signal<In, Clock>,
            a: Signal<In, Bits<4>>,
            b: Signal<In, Bits<4>>,
            c: Signal<In, Bits<4>>,
            w: Signal<In, Bits<64>>,
            f: Signal<In, Bit>,
            s: Signal<In, St>,
            v: [Signal<In, Bits<4>>; 4],
            y: Signal<Out, Bits<4>>,
            y8: Signal<Out, Bits<8>>,
            y64: Signal<Out, Bits<64>>,
            z: Signal<Out, Bit>,
            t: Signal<Local, Bits<4>>,
            p: Signal<Local, Pair>,
            u: [Signal<Local, Bits<4>>; 4],
            r: DFF<Bits<4>>,
            sub: Sub,
            subs: [Sub; 2],
            i: Source,
            o: Source,
            _n: usize,
        }
        kernel!(M, { $($body)* });
        let mut m = M::default();
        m.connect_all();
        lint(&m)
    }};
}

/// `#[hdl_gen]` and every `self` must come from the same place, so the body is an `impl` of its own.
macro_rules! kernel {
    ($m:ident, { $($body:tt)* }) => { impl Logic for $m { $($body)* } };
}

/// Findings of exactly these kinds.
macro_rules! case {
    ([$($kind:ident),*], $($body:tt)*) => {{
        let found: Vec<Finding> = findings!({ $($body)* });
        let mut kinds: Vec<Hazard> = found.iter().map(|f| f.hazard).collect();
        kinds.sort();
        kinds.dedup();
        let mut want: Vec<Hazard> = vec![$(Hazard::$kind),*];
        want.sort();
        assert_eq!(kinds, want, "{}: {found:#?}", stringify!($($body)*));
    }};
}

macro_rules! safe {
    ($($body:tt)*) => { case!([], $($body)*) };
}

#[test]
#[rustfmt::skip]
fn precedence() {
    case!([Precedence], #[hdl_gen] fn update(&mut self) { self.z.next = self.a.val() & self.b.val() == self.c.val(); });
    case!([Precedence], #[hdl_gen] fn update(&mut self) { self.z.next = self.a.val() | self.b.val() < self.c.val(); });
    safe!(#[hdl_gen] fn update(&mut self) { self.z.next = (self.a.val() & self.b.val()) == self.c.val(); });
}

#[test]
#[rustfmt::skip]
fn widening_cast() {
    case!([WideningCast], #[hdl_gen] fn update(&mut self) { self.y8.next = bit_cast::<8, 4>(!self.a.val()); });
    case!([WideningCast], #[hdl_gen] fn update(&mut self) { self.y8.next = bit_cast::<8, 4>(self.a.val() + self.b.val()); });
    case!([WideningCast], #[hdl_gen] fn update(&mut self) { self.y8.next = bit_cast::<8, 4>(self.a.val() - self.b.val()); });
    case!([WideningCast], #[hdl_gen] fn update(&mut self) { self.y8.next = bit_cast::<8, 4>(self.a.val() << 1); });
    case!([WideningCast], #[hdl_gen] fn update(&mut self) { self.y8.next = bit_cast::<8, 1>((!self.f.val()).into()); });
    safe!(#[hdl_gen] fn update(&mut self) { self.t.next = !self.a.val(); self.y8.next = bit_cast::<8, 4>(self.t.val()); });
    safe!(#[hdl_gen] fn update(&mut self) { self.y8.next = bit_cast::<8, 4>(self.a.val()) + bit_cast::<8, 4>(self.b.val()); });
    safe!(#[hdl_gen] fn update(&mut self) { self.y8.next = bit_cast::<8, 4>(self.a.val() & self.b.val()); });
}

#[test]
#[rustfmt::skip]
fn literal_width() {
    case!([LiteralWidth], #[hdl_gen] fn update(&mut self) { self.z.next = (self.a.val() + 1) == self.b.val(); });
    case!([LiteralWidth], #[hdl_gen] fn update(&mut self) { self.z.next = (self.a.val() + self.b.val()) > 7; });
    case!([LiteralWidth], #[hdl_gen] fn update(&mut self) { self.y.next = (self.a.val() + 1) >> 1; });
    case!([LiteralWidth], #[hdl_gen] fn update(&mut self) { self.z.next = (!self.a.val()) == 3; });
    case!([LiteralWidth], #[hdl_gen] fn update(&mut self) { self.z.next = (self.a.val() + 1).any(); });
    case!([LiteralWidth], #[hdl_gen] fn update(&mut self) { self.z.next = (self.a.val() | 3).all(); });
    case!([LiteralWidth], #[hdl_gen] fn update(&mut self) { self.y.next = self.a.val() << (self.b.val() + 1); });
    // a narrowing cast stays wide
    case!([LiteralWidth], #[hdl_gen] fn update(&mut self) { self.z.next = (bit_cast::<4, 64>(self.w.val()) + self.b.val()) == self.c.val(); });
    safe!(#[hdl_gen] fn update(&mut self) { self.t.next = self.a.val() + 1; self.z.next = self.t.val() == self.b.val(); });
    safe!(#[hdl_gen] fn update(&mut self) { self.z.next = (self.a.val() + self.b.val()) == self.c.val(); });
    safe!(#[hdl_gen] fn update(&mut self) { self.z.next = self.a.val() == 3; });
    safe!(#[hdl_gen] fn update(&mut self) { self.y64.next = bits::<64>(1) << self.a.val(); });
    safe!(#[hdl_gen] fn update(&mut self) { self.z.next = (self.w.val() + 1) == self.w.val(); });
    safe!(#[hdl_gen] fn update(&mut self) { self.t.next = bit_cast::<4, 64>(self.w.val()); self.z.next = (self.t.val() + self.b.val()) == self.c.val(); });
}

#[test]
#[rustfmt::skip]
fn negated_bit() {
    case!([NegatedBit], #[hdl_gen] fn update(&mut self) { self.y.next = self.a.val().replace_bit(0, !self.f.val()); });
    safe!(#[hdl_gen] fn update(&mut self) { self.y.next = self.a.val().replace_bit(1, self.f.val() & self.b.val().get_bit(0)); });
}

#[test]
#[rustfmt::skip]
fn selects_and_negations_that_are_not_verilog() {
    case!([SelectOfExpression], #[hdl_gen] fn update(&mut self) { self.z.next = (self.a.val() ^ self.b.val()).get_bit(0); });
    case!([SelectOfExpression], #[hdl_gen] fn update(&mut self) { self.y.next = self.w.val().get_bits::<8>(8).get_bits::<4>(0); });
    safe!(#[hdl_gen] fn update(&mut self) { self.t.next = self.a.val() ^ self.b.val(); self.z.next = self.t.val().get_bit(0); });
    case!([DoubleNegation], #[hdl_gen] fn update(&mut self) { self.y.next = !!self.a.val(); });
    safe!(#[hdl_gen] fn update(&mut self) { self.y.next = !(!self.a.val()); });
}

#[test]
#[rustfmt::skip]
fn index_arithmetic() {
    case!([IndexArithmetic], #[hdl_gen] fn update(&mut self) { self.z.next = self.w.val().get_bit((self.a.val() + 1).index()); });
    case!([IndexArithmetic], #[hdl_gen] fn update(&mut self) { self.z.next = self.w.val().get_bit(self.a.val().index() + self.b.val().index()); });
    safe!(#[hdl_gen] fn update(&mut self) { self.t.next = self.a.val() + 1; self.z.next = self.w.val().get_bit(self.t.val().index()); });
    safe!(#[hdl_gen] fn update(&mut self) { self.y.next = self.w.val().get_bits::<4>(self.a.val().index() * 4); });
    safe!(#[hdl_gen] fn update(&mut self) { self.y.next = 0.into(); for k in 0..4 { self.y.next = self.w.val().get_bits::<4>(4 * k + 1); } });
}

#[test]
#[rustfmt::skip]
fn array_index() {
    case!([ArrayIndex, UnknownName], #[hdl_gen] fn update(&mut self) { for k in 0..4 { self.y.next = self.v[k ^ 1].val(); } });
    case!([ArrayIndex, UnknownName], #[hdl_gen] fn update(&mut self) { self.y.next = self.v[self.a.val().index()].val(); });
    case!([ArrayIndex, UnknownName], #[hdl_gen] fn update(&mut self) { self.y.next = self.v[self._n].val(); });
    // element outside the array, hidden from Rust by the condition
    case!([UnknownName], #[hdl_gen] fn update(&mut self) { self.y.next = 0.into(); for k in 0..4 { if k > 0 { self.y.next = self.v[k - 1].val(); } } });
    safe!(#[hdl_gen] fn update(&mut self) { self.y.next = 0.into(); for k in 0..4 { self.y.next = self.y.val() ^ self.v[k].val() ^ self.v[(3 - k) % 4].val(); } });
    safe!(#[hdl_gen] fn update(&mut self) { self.y.next = 0.into(); for k in 1..4 { self.y.next = self.v[k - 1].val(); } });
}

#[test]
#[rustfmt::skip]
fn nested_arrays() {
    #[derive(LogicBlock, Default)]
    struct M { g: [[Signal<In, Bits<4>>; 2]; 2], y: Signal<Out, Bits<4>> }
    impl Logic for M { #[hdl_gen] fn update(&mut self) { for i in 0..2 { for j in 0..2 { self.y.next = self.g[i][j].val(); } } } }
    let kinds: Vec<_> = lint(&M::default()).iter().map(|f| f.hazard).collect();
    assert!(kinds.contains(&Hazard::ArrayIndex), "{kinds:?}");
}

#[test]
#[rustfmt::skip]
fn names_that_are_not_signals() {
    case!([UnknownName], #[hdl_gen] fn update(&mut self) { self.y.next = self.a.val() + K; });
    case!([UnknownName], #[hdl_gen] fn update(&mut self) { self.y.next = self._n.to_bits(); });
    case!([LoopName], #[hdl_gen] fn update(&mut self) { self.y.next = 0.into(); for a in 0..4 { self.y.next = self.v[a].val(); } });
    safe!(#[hdl_gen] fn update(&mut self) { for k in 0..4_usize { self.y.next = k.to_bits(); } });
}

#[test]
#[rustfmt::skip]
fn match_patterns() {
    case!([MatchPattern, UnknownName], #[hdl_gen] fn update(&mut self) { self.y.next = 0.into(); match self.a.val().index() { 0 => { self.y.next = 1.into(); } x => { self.y.next = x.to_bits(); } } });
    case!([MatchPattern], #[hdl_gen] fn update(&mut self) { self.y.next = 0.into(); match self.f.val() { true => { self.y.next = 1.into(); } false => { self.y.next = 2.into(); } } });
    case!([MatchOnExpression], #[hdl_gen] fn update(&mut self) { match (self.a.val() + 1).index() { 0 => { self.y.next = 1.into(); } _ => { self.y.next = 2.into(); } } });
    safe!(#[hdl_gen] fn update(&mut self) { match self.a.val().index() { 0 => { self.y.next = 1.into(); } _ => { self.y.next = 2.into(); } } });
    safe!(#[hdl_gen] fn update(&mut self) { self.z.next = !self.f.val() && (self.s.val() == St::B); });
}

#[test]
#[rustfmt::skip]
fn drivers() {
    case!([DrivesOutput], #[hdl_gen] fn update(&mut self) { self.sub.y.next = self.a.val(); });
    case!([DrivesOutput], #[hdl_gen] fn update(&mut self) { self.a.next = self.b.val(); });
    case!([ReadsBack], #[hdl_gen] fn update(&mut self) { self.sub.x.next = self.a.val(); self.y.next = self.sub.x.val(); });
    case!([TwoDrivers], #[hdl_gen] fn update(&mut self) { Source::link(&mut self.i, &mut self.o); self.i.data.next = self.a.val(); });
    case!([ConditionalLink], #[hdl_gen] fn update(&mut self) { if self.f.val() { Source::link(&mut self.i, &mut self.o); } });
    safe!(#[hdl_gen] fn update(&mut self) { Source::link(&mut self.i, &mut self.o); });
}

#[test]
#[rustfmt::skip]
fn latches() {
    // if without else, else-if without else, both arms but different signals
    case!([Latch], #[hdl_gen] fn update(&mut self) { if self.f.val() { self.y.next = self.a.val(); } });
    case!([Latch], #[hdl_gen] fn update(&mut self) { if self.f.val() { self.y.next = self.a.val(); } else if self.a.val().any() { self.y.next = self.b.val(); } });
    case!([Latch], #[hdl_gen] fn update(&mut self) { if self.f.val() { self.y.next = self.a.val(); } else { self.t.next = self.b.val(); } });
    // register and sub-block inputs
    case!([Latch], #[hdl_gen] fn update(&mut self) { self.r.clock.next = self.clock.val(); if self.f.val() { self.r.d.next = self.a.val(); } });
    case!([Latch], #[hdl_gen] fn update(&mut self) { if self.f.val() { self.sub.x.next = self.a.val(); } });
    case!([Latch], #[hdl_gen] fn update(&mut self) { for k in 0..2 { if self.f.val() { self.subs[k].x.next = self.a.val(); } } });
    // one element only; one struct field only
    case!([Latch], #[hdl_gen] fn update(&mut self) { self.subs[0].x.next = self.a.val(); if self.f.val() { self.subs[1].x.next = self.a.val(); } });
    case!([Latch], #[hdl_gen] fn update(&mut self) { self.p.next.lo = self.a.val(); });
    // three of four codes; the case that Rust calls exhaustive
    case!([Latch], #[hdl_gen] fn update(&mut self) { match self.s.val() { St::A => { self.y.next = 1.into(); } St::B => { self.y.next = 2.into(); } St::C => { self.y.next = 3.into(); } } });
    case!([Latch], #[hdl_gen] fn update(&mut self) { match self.a.val().index() { 0 => { self.y.next = 1.into(); } _ => { } } });

    safe!(#[hdl_gen] fn update(&mut self) { self.y.next = 0.into(); if self.f.val() { self.y.next = self.a.val(); } });
    safe!(#[hdl_gen] fn update(&mut self) { if self.f.val() { self.y.next = self.a.val(); } else { self.y.next = self.b.val(); } });
    safe!(#[hdl_gen] fn update(&mut self) { if self.f.val() { self.y.next = self.a.val(); } else if self.a.val().any() { self.y.next = 1.into(); } else { self.y.next = 2.into(); } });
    safe!(#[hdl_gen] fn update(&mut self) { if self.f.val() { self.y.next = self.a.val(); } self.y.next = self.b.val(); });
    safe!(#[hdl_gen] fn update(&mut self) { dff_setup!(self, clock, r); if self.f.val() { self.r.d.next = self.a.val(); } });
    safe!(#[hdl_gen] fn update(&mut self) { self.p.next.lo = self.a.val(); self.p.next.hi = self.b.val(); self.y.next = self.p.val().hi; });
    safe!(#[hdl_gen] fn update(&mut self) { match self.s.val() { St::A => { self.y.next = 1.into(); } _ => { self.y.next = 3.into(); } } });
    safe!(#[hdl_gen] fn update(&mut self) { self.y.next = 0.into(); match self.s.val() { St::A => { self.y.next = 1.into(); } St::B => {} St::C => {} } });
}

#[test]
#[rustfmt::skip]
fn order() {
    // the library checks plain assignments, not conditions, arrays or branches
    case!([ReadBeforeWrite], #[hdl_gen] fn update(&mut self) { self.y.next = self.t.val(); self.t.next = self.a.val(); });
    case!([ReadBeforeWrite], #[hdl_gen] fn update(&mut self) { self.y.next = 0.into(); if self.t.val().any() { self.y.next = 1.into(); } self.t.next = self.a.val(); });
    case!([ReadBeforeWrite], #[hdl_gen] fn update(&mut self) { for k in 0..3 { self.u[k].next = self.u[k + 1].val(); } self.u[3].next = self.a.val(); });
    case!([Latch, ReadBeforeWrite], #[hdl_gen] fn update(&mut self) { if self.f.val() { self.t.next = self.a.val(); } self.y.next = self.t.val(); });
    case!([Latch, ReadBeforeWrite], #[hdl_gen] fn update(&mut self) { self.p.next.lo = self.a.val(); self.y.next = self.p.val().hi; });
    safe!(#[hdl_gen] fn update(&mut self) { self.u[0].next = self.a.val(); for k in 0..3 { self.u[k + 1].next = self.u[k].val(); } self.y.next = self.u[3].val(); });
    safe!(#[hdl_gen] fn update(&mut self) { if self.f.val() { self.t.next = self.a.val(); self.y.next = self.t.val(); } else { self.t.next = 0.into(); self.y.next = 1.into(); } });
}

#[test]
fn outputs_without_hardware() {
    #[derive(LogicBlock, Default)]
    struct Model {
        a: Signal<In, Bit>,
        y: Signal<Out, Bit>,
    }
    impl Logic for Model {
        fn update(&mut self) {
            self.y.next = self.a.val();
        }
        fn connect(&mut self) {
            self.y.connect();
        }
    }
    let found = lint(&Model::default());
    assert_eq!(found.len(), 1);
    assert_eq!(
        (found[0].hazard, found[0].text.as_str()),
        (Hazard::NoHardware, "y")
    );
}

#[test]
fn one_finding_for_an_unrolled_loop() {
    let found = findings!({
        #[hdl_gen]
        fn update(&mut self) {
            for k in 0..4 {
                self.u[k].next = self.v[k].val();
                self.z.next = (self.u[k].val() + 1).any();
            }
        }
    });
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(found[0].module, "top");
    assert!(
        found[0].to_string().contains("u$0 Add 32'h1"),
        "{}",
        found[0]
    );
}
