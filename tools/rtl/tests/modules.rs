//! What `#[module]`, `#[cell]` and `#[registers]` write is what the lines written by hand give.

use weft_rtl::prelude::*;
use weft_rtl::{check_module, export};

/// A request, held until it is taken.
#[derive(LogicInterface, Clone, Debug, Default)]
pub struct AskPorts<const W: usize> {
    pub valid: Signal<Out, Bit>,
    pub ready: Signal<In, Bit>,
    pub word: Signal<Out, Bits<W>>,
}

#[cell]
pub struct Inverse<const W: usize> {
    pub a: Signal<In, Bits<W>>,
    pub y: Signal<Out, Bits<W>>,
}

impl<const W: usize> Logic for Inverse<W> {
    #[hdl_gen]
    fn update(&mut self) {
        self.y.next = !self.a.val();
    }
}

#[registers]
pub struct TakeStage<const W: usize> {
    pub full: DFF<Bit>,
    pub word: DFF<Bits<W>>,
}

#[module(requires(W >= 2, W <= 16), given(let most = (1u64 << W) - 1;), kernel(Take, Offer))]
pub struct Short<const W: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub put: Signal<In, Bit>,
    pub data: Signal<In, Bits<W>>,
    pub ask: AskPorts<W>,
    pub last: Signal<Out, Bits<W>>,
    take: TakeStage<W>,
    #[always]
    seen: DFF<Bits<W>>,
    line: [DFF<Bits<W>>; 2],
    inverse: Inverse<W>,
    #[value(most.into())]
    most: Constant<Bits<W>>,
}

/// Takes a word where there is room.
struct Take;
impl<const W: usize> kernel::Part<Take> for Short<W> {
    #[hdl_gen]
    fn update(&mut self) {
        if !self.take.full.q.val() | self.ask.ready.val() {
            self.take.full.d.next = self.put.val();
            self.take.word.d.next = self.data.val();
        }
        self.inverse.a.next = self.data.val();
        self.seen.d.next = self.inverse.y.val();
        if self.put.val() {
            self.line[0].d.next = self.seen.q.val();
            for i in 1..2 {
                self.line[i].d.next = self.line[i - 1].q.val();
            }
        }
    }
}

/// Offers it.
struct Offer;
impl<const W: usize> kernel::Part<Offer> for Short<W> {
    #[hdl_gen]
    fn update(&mut self) {
        self.ask.valid.next = self.take.full.q.val();
        self.ask.word.next = self.take.word.q.val() & self.most.val();
        self.last.next = self.line[1].q.val();
        if self.reset.val() {
            self.take.full.d.next = false;
        }
    }
}

/// The same with every line written out.
#[derive(LogicBlock)]
pub struct Long<const W: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub put: Signal<In, Bit>,
    pub data: Signal<In, Bits<W>>,
    pub ask_valid: Signal<Out, Bit>,
    pub ask_ready: Signal<In, Bit>,
    pub ask_word: Signal<Out, Bits<W>>,
    pub last: Signal<Out, Bits<W>>,
    take_full: DFF<Bit>,
    take_word: DFF<Bits<W>>,
    seen: DFF<Bits<W>>,
    line: [DFF<Bits<W>>; 2],
    inverse: Inverse<W>,
    most: Constant<Bits<W>>,
}

impl<const W: usize> Default for Long<W> {
    fn default() -> Self {
        Self {
            clock: Default::default(),
            reset: Default::default(),
            put: Default::default(),
            data: Default::default(),
            ask_valid: Default::default(),
            ask_ready: Default::default(),
            ask_word: Default::default(),
            last: Default::default(),
            take_full: Default::default(),
            take_word: Default::default(),
            seen: Default::default(),
            line: Default::default(),
            inverse: Default::default(),
            most: Constant::new(((1u64 << W) - 1).into()),
        }
    }
}

impl<const W: usize> Logic for Long<W> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, take_full, take_word);
        clock!(self, clock, seen);
        for i in 0..2 {
            self.line[i].clock.next = self.clock.val();
            self.line[i].d.next = self.line[i].q.val();
        }
        if !self.take_full.q.val() | self.ask_ready.val() {
            self.take_full.d.next = self.put.val();
            self.take_word.d.next = self.data.val();
        }
        self.inverse.a.next = self.data.val();
        self.seen.d.next = self.inverse.y.val();
        if self.put.val() {
            self.line[0].d.next = self.seen.q.val();
            for i in 1..2 {
                self.line[i].d.next = self.line[i - 1].q.val();
            }
        }
        self.ask_valid.next = self.take_full.q.val();
        self.ask_word.next = self.take_word.q.val() & self.most.val();
        self.last.next = self.line[1].q.val();
        if self.reset.val() {
            self.take_full.d.next = false;
        }
    }
}

/// As [`Short`], with parts and what they carry.
#[module(requires(W >= 2, W <= 16), given(let most = (1u64 << W) - 1;), kernel(Take, Offer))]
pub struct Carried<const W: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub put: Signal<In, Bit>,
    pub data: Signal<In, Bits<W>>,
    pub ask: AskPorts<W>,
    pub last: Signal<Out, Bits<W>>,
    take: TakeStage<W>,
    #[always]
    seen: DFF<Bits<W>>,
    line: [DFF<Bits<W>>; 2],
    inverse: Inverse<W>,
    #[value(most.into())]
    most: Constant<Bits<W>>,
}

#[part(Carried<W>, Take)]
fn update(&mut self) {
    if !self.take.full.q.val() | self.ask.ready.val() {
        carry!(self.take.*.d <- self: full = put, word = data);
    }
    carry!(self.inverse <- self: a = data);
    carry!(self.*.d <- self.inverse: seen = y);
    if self.put.val() {
        carry!(self.*[0].d <- self.*.q: line = seen);
        for i in 1..2 {
            carry!(self.*[i].d <- self.*[i - 1].q: line);
        }
    }
}

#[part(Carried<W>, Offer)]
fn update(&mut self) {
    carry!(self.ask <- self.take.*.q: valid = full);
    self.ask.word.next = self.take.word.q.val() & self.most.val();
    self.last.next = self.line[1].q.val();
    if self.reset.val() {
        self.take.full.d.next = false;
    }
}

/// A bundle goes through in one line.
#[module]
pub struct Around {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub put: Signal<In, Bit>,
    pub data: Signal<In, Bits<4>>,
    pub ask: AskPorts<4>,
    pub last: Signal<Out, Bits<4>>,
    inner: Short<4>,
}

#[part(Around)]
fn update(&mut self) {
    carry!(self.inner <- self: reset, put, data);
    carry!(self <- self.inner: last);
    AskPorts::<4>::link(&mut self.ask, &mut self.inner.ask);
}

fn text<B: Block>(mut block: B) -> String {
    block.connect_all();
    export(&block, "same").unwrap().bundle()
}

#[test]
fn verilog_is_that_of_the_lines_written_out() {
    assert_eq!(text(Short::<4>::default()), text(Long::<4>::default()));
    assert_eq!(text(Short::<16>::default()), text(Long::<16>::default()));
    assert_eq!(text(Carried::<4>::default()), text(Long::<4>::default()));
    assert_eq!(text(Carried::<16>::default()), text(Long::<16>::default()));
}

#[test]
fn a_module_agrees_with_its_verilog() {
    check_module(
        "by_rule",
        Short::<8>::default,
        300,
        |u, rng, t| {
            u.reset.next = t < 2;
            u.put.next = rng.flip();
            u.data.next = rng.bits();
            u.ask.ready.next = rng.flip();
        },
        Some(|u, c| u.clock.next = c.into()),
    )
    .unwrap();
}

#[test]
fn a_bundle_is_linked_in_one_line() {
    check_module(
        "around",
        Around::default,
        300,
        |u, rng, t| {
            u.reset.next = t < 2;
            u.put.next = rng.flip();
            u.data.next = rng.bits();
            u.ask.ready.next = rng.flip();
        },
        Some(|u, c| u.clock.next = c.into()),
    )
    .unwrap();
    let text = text(Around::default());
    assert!(text.contains("output wire [3:0] ask_word"), "{text}");
    assert!(
        text.contains(".ask_word(ask_word)") || text.contains("ask_word = inner_ask_word"),
        "{text}"
    );
}

#[test]
fn what_the_parameters_must_fulfil_is_said() {
    let panic = std::panic::catch_unwind(Short::<1>::default).err().unwrap();
    let said = panic.downcast_ref::<String>().unwrap();
    assert!(said.contains("Short: W >= 2 needed; W = 1"), "{said}");
}
