//! Several AXI4 managers become one: each address channel goes round, and the ID tells who asked.
//!
//! Spec: `docs/spec/host.md`, *Memory of the whole GPU*, HOST-100 to HOST-102.
//!
//! # Parameters
//! `N` managers, 2 to 10; `D` bits of a beat, `DS` = D / 8; `ID` bits of an ID of each, `IO` = ID + MB; `M` = 8, or 16 with
//! more than eight managers; `MB` = log2 M.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `reset` | in | 1 | synchronous, active high |
//! | `s_*` | | | the managers: AR, R, AW, W, B of each |
//! | `m_axi_*` | | | the one manager; the high MB bits of its IDs are the number of the manager that asked |
//! | `held` | in | M | bit i: write addresses of manager i are not taken |
//! | `waits`, `taken`, `answered` | out | M | bit i: manager i offers a write address; it is taken; a response goes to it |
//! | `snoop_valid`, `snoop_line` | out | M, 26 | a write address was taken: the others than its manager, its line |
//!
//! # Cycle behaviour
//! An address passes one register. Beats of a write pass when their address has been taken, those of one burst after
//! those of the other; R and B pass in the same cycle.
//! A manager that is not held waits for one transaction of each other one at most (HOST-101).
//! `snoop_*` show in the cycle behind the one in which the address is taken.
//!
//! # Invariants
//! 1. `m_axi_arvalid`, `m_axi_awvalid` stay, with what they go with, until they are taken.
//!
//! # Errors
//! Responses are passed on. `Default` panics when the parameters do not fit.

use crate::bundles::AxiPorts;
use crate::hdl::*;
use crate::prim::Rota;
use std::array::from_fn;

clocked!(Arbiter<N, D, DS, ID, IO, M, MB>);

#[derive(LogicBlock)]
pub struct Arbiter<
    const N: usize,
    const D: usize,
    const DS: usize,
    const ID: usize,
    const IO: usize,
    const M: usize,
    const MB: usize,
> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub s_arvalid: [Signal<In, Bit>; N],
    pub s_arready: [Signal<Out, Bit>; N],
    pub s_arid: [Signal<In, Bits<ID>>; N],
    pub s_araddr: [Signal<In, Bits<32>>; N],
    pub s_arlen: [Signal<In, Bits<8>>; N],
    pub s_rvalid: [Signal<Out, Bit>; N],
    pub s_rready: [Signal<In, Bit>; N],
    pub s_rid: Signal<Out, Bits<ID>>,
    pub s_rdata: Signal<Out, Bits<D>>,
    pub s_rresp: Signal<Out, Bits<2>>,
    pub s_rlast: Signal<Out, Bit>,
    pub s_awvalid: [Signal<In, Bit>; N],
    pub s_awready: [Signal<Out, Bit>; N],
    pub s_awid: [Signal<In, Bits<ID>>; N],
    pub s_awaddr: [Signal<In, Bits<32>>; N],
    pub s_awlen: [Signal<In, Bits<8>>; N],
    pub s_wvalid: [Signal<In, Bit>; N],
    pub s_wready: [Signal<Out, Bit>; N],
    pub s_wdata: [Signal<In, Bits<D>>; N],
    pub s_wstrb: [Signal<In, Bits<DS>>; N],
    pub s_wlast: [Signal<In, Bit>; N],
    pub s_bvalid: [Signal<Out, Bit>; N],
    pub s_bready: [Signal<In, Bit>; N],
    pub s_bid: Signal<Out, Bits<ID>>,
    pub s_bresp: Signal<Out, Bits<2>>,
    pub m_axi: AxiPorts<IO, D, DS>,
    pub held: Signal<In, Bits<M>>,
    pub waits: Signal<Out, Bits<M>>,
    pub taken: Signal<Out, Bits<M>>,
    pub answered: Signal<Out, Bits<M>>,
    pub snoop_valid: Signal<Out, Bits<M>>,
    pub snoop_line: Signal<Out, Bits<26>>,
    reads: Rota<M, MB>,
    writes: Rota<M, MB>,
    // State: a read address.
    ar: DFF<Bit>,
    ar_id: DFF<Bits<IO>>,
    ar_address: DFF<Bits<32>>,
    ar_length: DFF<Bits<8>>,
    // State: a write address; a burst whose beats are not all over, and whose it is.
    aw: DFF<Bit>,
    aw_id: DFF<Bits<IO>>,
    aw_address: DFF<Bits<32>>,
    aw_length: DFF<Bits<8>>,
    bursts: DFF<Bit>,
    owner: DFF<Bits<MB>>,
    // State: managers that see a write address, which was taken in the cycle before.
    snoop: DFF<Bits<M>>,
    // Combinational.
    ar_free: Signal<Local, Bit>,
    aw_free: Signal<Local, Bit>,
    ar_wants: Signal<Local, Bits<M>>,
    aw_wants: Signal<Local, Bits<M>>,
    answers: Signal<Local, Bit>,
    number: Signal<Local, Bits<MB>>,
    asked: Signal<Local, Bits<ID>>,
    r_of: Signal<Local, Bits<MB>>,
    b_of: Signal<Local, Bits<MB>>,
    // Constants.
    nobody: Constant<Bits<M>>,
    beat_size: Constant<Bits<3>>,
    incrementing: Constant<Bits<2>>,
    id_bits: Constant<Bits<4>>,
}

impl<
        const N: usize,
        const D: usize,
        const DS: usize,
        const ID: usize,
        const IO: usize,
        const M: usize,
        const MB: usize,
    > Default for Arbiter<N, D, DS, ID, IO, M, MB>
{
    fn default() -> Self {
        assert!(
            (2..=10).contains(&N) && N <= M && M == 1 << MB && D == 8 * DS && IO == ID + MB,
            "Arbiter<{N}, {D}, {DS}, {ID}, {IO}, {M}, {MB}>"
        );
        macro_rules! arrays {
            ({ $($array:ident)* } { $($f:ident)* } { $($c:ident: $v:expr)* }) => {
                Self {
                    $($array: from_fn(|_| Default::default()),)*
                    $($f: Default::default(),)*
                    $($c: Constant::new($v.into()),)*
                }
            };
        }
        arrays!({
            s_arvalid s_arready s_arid s_araddr s_arlen s_rvalid s_rready s_awvalid s_awready s_awid s_awaddr s_awlen
            s_wvalid s_wready s_wdata s_wstrb s_wlast s_bvalid s_bready
        } {
            clock reset s_rid s_rdata s_rresp s_rlast s_bid s_bresp m_axi held waits taken answered snoop_valid snoop_line
            snoop answers
            reads writes ar ar_id ar_address ar_length aw aw_id aw_address aw_length bursts owner
            ar_free aw_free ar_wants aw_wants number asked r_of b_of
        } {
            nobody: 0u64
            beat_size: u64::from(DS.trailing_zeros())
            incrementing: 1u64
            id_bits: ID as u64
        })
    }
}

impl<
        const N: usize,
        const D: usize,
        const DS: usize,
        const ID: usize,
        const IO: usize,
        const M: usize,
        const MB: usize,
    > Logic for Arbiter<N, D, DS, ID, IO, M, MB>
{
    #[part]
    fn update(&mut self) {
        dff_setup!(
            self, clock, ar, ar_id, ar_address, ar_length, aw, aw_id, aw_address, aw_length,
            bursts, owner, snoop
        );
        clock!(self, clock, reads, writes);
        spread!(self.*.reset <- self.reset: reads, writes);
        spread!(self.*.marks <- self.nobody: reads, writes);

        self.asked.next = self.s_arid[0].val();

        // ---- Read addresses.
        self.ar_free.next = !self.ar.q.val() | self.m_axi.arready.val();
        self.ar_wants.next = self.nobody.val();
        for i in 0..N {
            self.ar_wants.next = self.ar_wants.val().replace_bit(i, self.s_arvalid[i].val());
        }
        self.reads.among.next = self.nobody.val();
        if self.ar_free.val() {
            self.reads.among.next = self.ar_wants.val();
            self.ar.d.next = self.reads.any.val();
        }
        for i in 0..N {
            self.number.next = i.to_bits();
            self.s_arready[i].next = self.reads.taken.val().get_bit(i);
            if self.reads.taken.val().get_bit(i) {
                self.ar_address.d.next = self.s_araddr[i].val();
                self.ar_length.d.next = self.s_arlen[i].val();
                self.asked.next = self.s_arid[i].val();
                self.ar_id.d.next = bit_cast::<IO, ID>(self.asked.val())
                    | (bit_cast::<IO, MB>(self.number.val()) << self.id_bits.val());
            }
        }
        carry!(self.m_axi <- self.*.q:
            arvalid = ar, arid = ar_id, araddr = ar_address, arlen = ar_length,
        );
        carry!(self.m_axi <- self: arsize = beat_size, arburst = incrementing);

        // ---- Beats that were read. `n` brings a generic into an offset.
        for n in ID..(ID + 1) {
            self.r_of.next = self.m_axi.rid.val().get_bits::<MB>(n);
            self.b_of.next = self.m_axi.bid.val().get_bits::<MB>(n);
        }
        self.s_rid.next = self.m_axi.rid.val().get_bits::<ID>(0);
        carry!(self.s_* <- self.m_axi: rdata, rresp, rlast);
        self.m_axi.rready.next = false;
        for i in 0..N {
            self.number.next = i.to_bits();
            self.s_rvalid[i].next =
                self.m_axi.rvalid.val() & (self.r_of.val() == self.number.val());
            if self.r_of.val() == self.number.val() {
                self.m_axi.rready.next = self.s_rready[i].val();
            }
        }

        // ---- Write addresses: the next one when the beats of the one before are over.
        self.aw_free.next = !self.bursts.q.val() & (!self.aw.q.val() | self.m_axi.awready.val());
        if self.m_axi.awready.val() {
            self.aw.d.next = false;
        }
        self.aw_wants.next = self.nobody.val();
        for i in 0..N {
            self.aw_wants.next = self.aw_wants.val().replace_bit(i, self.s_awvalid[i].val());
        }
        self.waits.next = self.aw_wants.val();
        self.writes.among.next = self.nobody.val();
        if self.aw_free.val() {
            self.writes.among.next = self.aw_wants.val() & !self.held.val();
        }
        self.taken.next = self.writes.taken.val();
        self.snoop.d.next = self.nobody.val();
        if self.writes.any.val() {
            self.snoop.d.next = !self.writes.taken.val();
        }
        self.snoop_valid.next = self.snoop.q.val();
        self.snoop_line.next = self.aw_address.q.val().get_bits::<26>(6);
        for i in 0..N {
            self.number.next = i.to_bits();
            self.s_awready[i].next = self.writes.taken.val().get_bit(i);
            if self.writes.taken.val().get_bit(i) {
                self.aw.d.next = true;
                self.bursts.d.next = true;
                self.owner.d.next = self.number.val();
                self.aw_address.d.next = self.s_awaddr[i].val();
                self.aw_length.d.next = self.s_awlen[i].val();
                self.asked.next = self.s_awid[i].val();
                self.aw_id.d.next = bit_cast::<IO, ID>(self.asked.val())
                    | (bit_cast::<IO, MB>(self.number.val()) << self.id_bits.val());
            }
        }
        carry!(self.m_axi <- self.*.q:
            awvalid = aw, awid = aw_id, awaddr = aw_address, awlen = aw_length,
        );
        carry!(self.m_axi <- self: awsize = beat_size, awburst = incrementing);

        // ---- Beats to write: those of the owner.
        self.m_axi.wvalid.next = false;
        carry!(self.m_axi <- self.s_*[0]: wdata, wstrb, wlast);
        for i in 0..N {
            self.number.next = i.to_bits();
            self.s_wready[i].next = false;
            if self.owner.q.val() == self.number.val() {
                self.m_axi.wvalid.next = self.bursts.q.val() & self.s_wvalid[i].val();
                carry!(self.m_axi <- self.s_*[i]: wdata, wstrb, wlast);
                self.s_wready[i].next = self.bursts.q.val() & self.m_axi.wready.val();
                if self.bursts.q.val()
                    & self.s_wvalid[i].val()
                    & self.m_axi.wready.val()
                    & self.s_wlast[i].val()
                {
                    self.bursts.d.next = false;
                }
            }
        }

        // ---- Write responses.
        self.s_bid.next = self.m_axi.bid.val().get_bits::<ID>(0);
        self.s_bresp.next = self.m_axi.bresp.val();
        self.m_axi.bready.next = false;
        self.answered.next = self.nobody.val();
        for i in 0..N {
            self.number.next = i.to_bits();
            self.s_bvalid[i].next =
                self.m_axi.bvalid.val() & (self.b_of.val() == self.number.val());
            if self.b_of.val() == self.number.val() {
                self.m_axi.bready.next = self.s_bready[i].val();
            }
            self.answers.next = self.m_axi.bvalid.val()
                & (self.b_of.val() == self.number.val())
                & self.s_bready[i].val();
            self.answered.next = self.answered.val().replace_bit(i, self.answers.val());
        }

        if self.reset.val() {
            self.ar.d.next = false;
            self.aw.d.next = false;
            self.bursts.d.next = false;
            self.snoop.d.next = self.nobody.val();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weft_rtl::Rng;

    fn agrees<const N: usize, const IO: usize, const M: usize, const MB: usize>(name: &str) {
        weft_rtl::check_module(
            name,
            Arbiter::<N, 64, 8, 4, IO, M, MB>::default,
            2000,
            |u, rng: &mut Rng, t| {
                for i in 0..N {
                    u.s_arvalid[i].next = rng.chance(1, 3);
                    u.s_arid[i].next = rng.bits();
                    u.s_araddr[i].next = rng.bits();
                    u.s_arlen[i].next = rng.bits();
                    u.s_rready[i].next = rng.chance(1, 2);
                    u.s_awvalid[i].next = rng.chance(1, 3);
                    u.s_awid[i].next = rng.bits();
                    u.s_awaddr[i].next = rng.bits();
                    u.s_awlen[i].next = rng.bits();
                    u.s_wvalid[i].next = rng.chance(1, 2);
                    u.s_wdata[i].next = rng.bits();
                    u.s_wstrb[i].next = rng.bits();
                    u.s_wlast[i].next = rng.chance(1, 3);
                    u.s_bready[i].next = rng.chance(1, 2);
                }
                u.m_axi.arready.next = rng.chance(1, 2);
                u.m_axi.rvalid.next = rng.chance(1, 2);
                u.m_axi.rid.next = rng.bits();
                u.m_axi.rdata.next = rng.bits();
                u.m_axi.rresp.next = rng.bits();
                u.m_axi.rlast.next = rng.chance(1, 2);
                u.m_axi.awready.next = rng.chance(1, 2);
                u.m_axi.wready.next = rng.chance(1, 2);
                u.m_axi.bvalid.next = rng.chance(1, 2);
                u.m_axi.bid.next = rng.bits();
                u.m_axi.bresp.next = rng.bits();
                u.held.next = rng.bits();
                u.reset.next = t == 0;
            },
            Some(|u, level| u.clock.next = level.into()),
        )
        .unwrap();
    }

    #[test]
    fn verilog_agrees() {
        agrees::<3, 7, 8, 3>("arbiter");
        agrees::<10, 8, 16, 4>("arbiter_of_ten");
    }

    /// All ask all the time: each gets as many transactions as the others, in both directions, and its own beats.
    fn nobody_starves_of<const N: usize, const IO: usize, const M: usize, const MB: usize>() {
        let arbiter = Arbiter::<N, 64, 8, 4, IO, M, MB>::default();
        let mut b = weft_rtl::Bench::new(arbiter, |u, level| u.clock.next = level.into());
        b.uut.m_axi.arready.next = true;
        b.uut.m_axi.awready.next = true;
        b.uut.m_axi.wready.next = true;
        for i in 0..N {
            b.uut.s_arvalid[i].next = true;
            b.uut.s_awvalid[i].next = true;
            b.uut.s_wvalid[i].next = true;
            b.uut.s_wlast[i].next = true;
            b.uut.s_wdata[i].next = (100 + i as u64).into();
            b.uut.s_araddr[i].next = (i as u64).into();
        }
        let (mut reads, mut writes, mut beats) = ([0; N], [0; N], [0; N]);
        for _ in 0..40 * N {
            b.settle();
            if b.uut.m_axi.arvalid.val() {
                let of = b.uut.m_axi.arid.val().index() >> 4;
                assert_eq!(b.uut.m_axi.araddr.val().index(), of);
                reads[of] += 1;
            }
            if b.uut.m_axi.awvalid.val() {
                writes[b.uut.m_axi.awid.val().index() >> 4] += 1;
            }
            if b.uut.m_axi.wvalid.val() {
                beats[b.uut.m_axi.wdata.val().to_u64() as usize - 100] += 1;
            }
            b.edge();
        }
        for counts in [reads, writes, beats] {
            let (least, most) = (counts.iter().min().unwrap(), counts.iter().max().unwrap());
            assert!(*least > 10 && most - least <= 1, "{counts:?}");
        }
    }

    #[test]
    fn nobody_starves() {
        nobody_starves_of::<3, 7, 8, 3>();
        // As many as their number can name, and one more.
        nobody_starves_of::<8, 7, 8, 3>();
        nobody_starves_of::<9, 8, 16, 4>();
        nobody_starves_of::<10, 8, 16, 4>();
    }
}
