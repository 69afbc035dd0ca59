//! Whole blocks through the one call that module tests make.

use weft_rtl::check_module;
use weft_rtl::prelude::*;

#[derive(LogicBlock, Default)]
pub struct Counter<const W: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub en: Signal<In, Bit>,
    pub count: Signal<Out, Bits<W>>,
    pub wrap: Signal<Out, Bit>,
    r: DFF<Bits<W>>,
    inc: Signal<Local, Bits<W>>,
}

impl<const W: usize> Logic for Counter<W> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, r);
        self.inc.next = self.r.q.val() + 1;
        if self.en.val() {
            self.r.d.next = self.inc.val();
        }
        if self.reset.val() {
            self.r.d.next = 0.into();
        }
        self.count.next = self.r.q.val();
        self.wrap.next = self.en.val() && self.r.q.val().all();
    }
}

fn counter<const W: usize>() {
    check_module(
        "counter",
        Counter::<W>::default,
        200,
        |u, rng, t| {
            u.reset.next = t < 2;
            u.en.next = rng.chance(3, 4);
        },
        Some(|u, c| u.clock.next = c.into()),
    )
    .unwrap();
}

#[test]
fn counters_of_every_port_size() {
    counter::<4>();
    counter::<12>();
    counter::<30>();
    counter::<60>();
    counter::<100>();
}

/// Every kind of expression the writer prints.
#[derive(LogicBlock, Default)]
pub struct Values {
    pub a: Signal<In, Bits<16>>,
    pub b: Signal<In, Bits<16>>,
    pub f: Signal<In, Bit>,
    pub sel: Signal<In, Bits<3>>,
    pub n: Signal<In, Bits<5>>,
    pub w: Signal<In, Bits<64>>,
    pub wide: Signal<In, Bits<200>>,
    pub cat: Signal<Out, Bits<33>>,
    pub carry: Signal<Out, Bits<17>>,
    pub rep: Signal<Out, Bits<16>>,
    pub onehot: Signal<Out, Bits<32>>,
    pub lane: Signal<Out, Bits<8>>,
    pub nibble: Signal<Out, Bits<4>>,
    pub one_bit: Signal<Out, Bit>,
    pub put: Signal<Out, Bits<16>>,
    pub put_one: Signal<Out, Bits<1>>,
    pub big: Signal<Out, Bits<64>>,
    pub low: Signal<Out, Bits<64>>,
    pub product: Signal<Out, Bits<32>>,
    pub cut: Signal<Out, Bits<8>>,
    pub cut_sum: Signal<Out, Bits<8>>,
    pub shifted: Signal<Out, Bits<200>>,
    pub compare: Signal<Out, Bits<8>>,
    pub same_index: Signal<Out, Bit>,
    pub parity: Signal<Out, Bits<3>>,
    pub not_bit: Signal<Out, Bit>,
    neg: Signal<Local, Bits<64>>,
    c: Signal<Local, Bits<8>>,
}

impl Logic for Values {
    #[hdl_gen]
    fn update(&mut self) {
        self.cat.next = (bit_cast::<33, 16>(self.a.val()) << 17)
            | (bit_cast::<33, 16>(self.b.val()) << 1)
            | bit_cast::<33, 1>(self.f.val().into());
        self.carry.next = bit_cast::<17, 16>(self.a.val()) + bit_cast::<17, 16>(self.b.val());
        self.rep.next = 0 - bit_cast::<16, 1>(self.f.val().into());
        self.onehot.next = bits::<32>(1) << self.n.val();
        self.lane.next = self.w.val().get_bits::<8>(self.sel.val().index() * 8);
        self.nibble.next = self.wide.val().get_bits::<4>(190);
        self.one_bit.next = self.w.val().get_bit(self.n.val().index());
        self.put.next = self
            .a
            .val()
            .replace_bit(self.sel.val().index(), self.f.val());
        self.put_one.next = self.put.val().get_bits::<1>(2);
        self.big.next = 0xFFFF_0000_FFFF_0000_u64.into();
        self.neg.next = 0 - self.w.val();
        self.low.next = self.w.val() & self.neg.val();
        self.product.next = self.a.val() * self.b.val();
        self.cut.next = bit_cast::<8, 16>(self.a.val());
        self.cut_sum.next = bit_cast::<8, 16>(self.a.val() + self.b.val());
        self.shifted.next = (self.wide.val() >> 3) ^ (self.wide.val() << self.n.val());
        self.c.next = 0.into();
        if self.a.val() < self.b.val() {
            self.c.next = 1.into();
        } else if bit_cast::<8, 16>(self.a.val() ^ self.b.val()) == 0x55 {
            self.c.next = 2.into();
        } else if self.a.val() >= 0x8000 && !self.f.val() || self.a.val() != self.b.val() {
            self.c.next = self.c.val() | 0x80;
        }
        self.compare.next = self.c.val();
        self.same_index.next = self.sel.val().index() == self.n.val().index();
        self.parity.next = 0.into();
        if self.a.val().xor() {
            self.parity.next = self.parity.val() | 1;
        }
        if self.a.val().any() {
            self.parity.next = self.parity.val() | 2;
        }
        if (self.a.val() | self.b.val()).all() {
            self.parity.next = self.parity.val() | 4;
        }
        self.not_bit.next = !self.f.val();
    }
}

#[test]
fn expressions_of_every_kind() {
    check_module(
        "values",
        Values::default,
        2000,
        |u, rng, t| {
            u.a.next = rng.bits();
            u.b.next = match t % 4 {
                0 => u.a.val(),
                1 => bits::<16>(0xffff) - u.a.val(),
                2 => u.a.val() ^ 0x55,
                _ => rng.bits(),
            };
            u.f.next = rng.flip();
            u.sel.next = rng.bits();
            u.n.next = if t % 3 == 0 {
                bit_cast(u.sel.val())
            } else {
                rng.bits()
            };
            u.w.next = rng.bits();
            u.wide.next = rng.bits();
        },
        None,
    )
    .unwrap();
}

/// A heap-shaped tree; loops over arrays of locals.
#[derive(LogicBlock, Default)]
pub struct PopCount {
    pub a: Signal<In, Bits<16>>,
    pub y: Signal<Out, Bits<5>>,
    node: [Signal<Local, Bits<5>>; 31],
}

impl Logic for PopCount {
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..16 {
            self.node[i].next = 0.into();
            if self.a.val().get_bit(i) {
                self.node[i].next = 1.into();
            }
        }
        for k in 0..15 {
            self.node[16 + k].next = self.node[2 * k].val() + self.node[2 * k + 1].val();
        }
        self.y.next = self.node[30].val();
    }
}

#[test]
fn trees() {
    check_module(
        "popcount",
        PopCount::default,
        300,
        |u, r, _| u.a.next = r.bits(),
        None,
    )
    .unwrap();
}

/// Structs, enums, field access, a match without `_`.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum Kind {
    Nop,
    Sync,
    Jump,
    Ret,
}

#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct Tok {
    pub mask: Bits<32>,
    pub pc: Bits<29>,
    pub kind: Kind,
    pub last: Bit,
}

impl From<Bits<64>> for Tok {
    fn from(x: Bits<64>) -> Self {
        let kinds = [Kind::Nop, Kind::Sync, Kind::Jump, Kind::Ret];
        Tok {
            mask: x.get_bits::<32>(0),
            pc: x.get_bits::<29>(32),
            kind: kinds[x.get_bits::<2>(61).index()],
            last: x.get_bit(63),
        }
    }
}

#[derive(LogicBlock)]
pub struct Fsm {
    pub clock: Signal<In, Clock>,
    pub raw: Signal<In, Bits<64>>,
    pub go: Signal<In, Bit>,
    pub pc: Signal<Out, Bits<29>>,
    pub raw_token: Signal<Out, Bits<64>>,
    pub jump: Signal<Out, Bit>,
    pub code: Signal<Out, Kind>,
    t: DFF<Tok>,
    st: DFF<Kind>,
    limit: Constant<Bits<29>>,
}

impl Logic for Fsm {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, t, st);
        match self.st.q.val() {
            Kind::Nop => {
                self.t.d.next = self.raw.val().into();
                if self.go.val() {
                    self.st.d.next = Kind::Sync;
                }
            }
            Kind::Sync => {
                self.t.d.next.last = true;
                self.t.d.next.pc = self.limit.val();
                self.st.d.next = Kind::Jump;
            }
            Kind::Jump => self.st.d.next = Kind::Ret,
            Kind::Ret => self.st.d.next = Kind::Nop,
        }
        self.pc.next = self.t.q.val().pc;
        self.jump.next = self.t.q.val().kind == Kind::Jump;
        self.raw_token.next = self.t.q.val().into();
        self.code.next = self.st.q.val();
    }
}

impl Default for Fsm {
    fn default() -> Self {
        Self {
            clock: Default::default(),
            raw: Default::default(),
            go: Default::default(),
            pc: Default::default(),
            raw_token: Default::default(),
            jump: Default::default(),
            code: Default::default(),
            t: Default::default(),
            st: Default::default(),
            limit: Constant::new(0x1abcdef.into()),
        }
    }
}

#[test]
fn structs_and_enums() {
    check_module(
        "fsm",
        Fsm::default,
        400,
        |u, r, _| {
            u.raw.next = r.bits();
            u.go.next = r.flip();
        },
        Some(|u, c| u.clock.next = c.into()),
    )
    .unwrap();
}

/// Interfaces, arrays of interfaces, join and link.
#[derive(LogicInterface, Clone, Debug, Default)]
#[join = "StreamSink"]
pub struct StreamSrc<T: Synth> {
    pub data: Signal<Out, T>,
    pub valid: Signal<Out, Bit>,
    pub ready: Signal<In, Bit>,
}

#[derive(LogicInterface, Clone, Debug, Default)]
#[join = "StreamSrc"]
pub struct StreamSink<T: Synth> {
    pub data: Signal<In, T>,
    pub valid: Signal<In, Bit>,
    pub ready: Signal<Out, Bit>,
}

#[derive(LogicBlock, Default)]
pub struct Stage<T: Synth> {
    pub clock: Signal<In, Clock>,
    pub up: StreamSink<T>,
    pub dn: StreamSrc<T>,
    data: DFF<T>,
    full: DFF<Bit>,
}

impl<T: Synth> Logic for Stage<T> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, data, full);
        self.dn.data.next = self.data.q.val();
        self.dn.valid.next = self.full.q.val();
        self.up.ready.next = !self.full.q.val() || self.dn.ready.val();
        if self.up.ready.val() {
            self.full.d.next = self.up.valid.val();
            self.data.d.next = self.up.data.val();
        }
    }
}

#[derive(LogicBlock, Default)]
pub struct Lanes {
    pub clock: Signal<In, Clock>,
    pub up: [StreamSink<Bits<8>>; 2],
    pub dn: [StreamSrc<Bits<8>>; 2],
    a: [Stage<Bits<8>>; 2],
    b: [Stage<Bits<8>>; 2],
    watch: Watch,
}

impl Logic for Lanes {
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..2 {
            self.a[i].clock.next = self.clock.val();
            self.b[i].clock.next = self.clock.val();
            StreamSink::<Bits<8>>::link(&mut self.up[i], &mut self.a[i].up);
            StreamSrc::<Bits<8>>::join(&mut self.a[i].dn, &mut self.b[i].up);
            StreamSrc::<Bits<8>>::link(&mut self.dn[i], &mut self.b[i].dn);
        }
        self.watch.seen.next = self.clock.val();
    }
}

/// Simulation only: no outputs, no Verilog.
#[derive(LogicBlock, Default)]
pub struct Watch {
    pub seen: Signal<In, Clock>,
}

impl Logic for Watch {
    fn update(&mut self) {}
}

fn lanes() -> Lanes {
    Lanes::default()
}

#[test]
fn interfaces() {
    check_module(
        "lanes",
        lanes,
        300,
        |u, r, _| {
            for i in 0..2 {
                u.up[i].data.next = r.bits();
                u.up[i].valid.next = r.chance(2, 3);
                u.dn[i].ready.next = r.chance(2, 3);
            }
        },
        Some(|u, c| u.clock.next = c.into()),
    )
    .unwrap();
}

#[test]
fn modules_are_shared_and_named() {
    let mut b = lanes();
    b.connect_all();
    let v = weft_rtl::export(&b, "lanes").unwrap();
    let names: Vec<&str> = v.modules.iter().map(|(n, _)| n.as_str()).collect();
    assert_eq!(names, ["lanes", "lanes_a"]);
    assert!(!v.bundle().contains('$'), "{}", v.bundle());
}

/// A hand-written body over an array port, and registers with an enum.
#[derive(LogicBlock)]
pub struct Mux<T: Synth, const N: usize, const A: usize> {
    pub sel: Signal<In, Bits<A>>,
    pub i: [Signal<In, T>; N],
    pub o: Signal<Out, T>,
}

impl<T: Synth, const N: usize, const A: usize> Default for Mux<T, N, A> {
    fn default() -> Self {
        Self {
            sel: Default::default(),
            i: from_fn(|_| Default::default()),
            o: Default::default(),
        }
    }
}

impl<T: Synth, const N: usize, const A: usize> Logic for Mux<T, N, A> {
    fn update(&mut self) {
        let k = self.sel.val().index();
        self.o.next = if k < N { self.i[k].val() } else { T::default() };
    }
    fn connect(&mut self) {
        self.o.connect();
    }
    fn hdl(&self) -> Verilog {
        let mut s = format!("// module: mux{N}\nalways @(*)\n    case (sel)\n");
        for k in 0..N {
            s += &format!("        {A}'d{k}: o = i${k};\n");
        }
        s += &format!(
            "        default: o = {};\n    endcase\n",
            T::default().verilog()
        );
        Verilog::Custom(s)
    }
}

#[derive(LogicBlock, Default)]
pub struct Picks {
    pub sel: Signal<In, Bits<2>>,
    pub a: Signal<In, Bits<16>>,
    pub k: Signal<In, Kind>,
    pub y: Signal<Out, Bits<16>>,
    pub z: Signal<Out, Kind>,
    m: Mux<Bits<16>, 3, 2>,
    e: Mux<Kind, 3, 2>,
}

impl Logic for Picks {
    #[hdl_gen]
    fn update(&mut self) {
        self.m.sel.next = self.sel.val();
        self.e.sel.next = self.sel.val();
        for i in 0..3 {
            self.m.i[i].next = self.a.val() + i.to_bits();
            self.e.i[i].next = self.k.val();
        }
        self.y.next = self.m.o.val();
        self.z.next = self.e.o.val();
    }
}

#[test]
fn hand_written_bodies() {
    check_module(
        "picks",
        Picks::default,
        200,
        |u, r, _| {
            u.sel.next = r.bits();
            u.a.next = r.bits();
            u.k.next = [Kind::Nop, Kind::Sync, Kind::Jump, Kind::Ret][r.below(4) as usize];
        },
        None,
    )
    .unwrap();
    let mut b = Picks::default();
    b.connect_all();
    let v = weft_rtl::export(&b, "picks").unwrap();
    let names: Vec<&str> = v.modules.iter().map(|(n, _)| n.as_str()).collect();
    assert_eq!(names, ["picks", "picks_e", "picks_mux3"]);
}
