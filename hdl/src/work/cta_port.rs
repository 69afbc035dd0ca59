//! The SM's side of task management: it takes CTAs from `weft_tasks` in place of the launcher, and tells of their ends.
//!
//! Spec: `docs/spec/tasks.md`, *Port of an SM*.
//!
//! # Parameters
//! `NW` warps, `WI` = log2 NW.
//!
//! # Ports
//! `word_*`, `offer_*`, `kill` (`cta_*` of the page), `end_*`, `report_*`: of `weft_tasks`.
//! `launch`: as of the launcher (`LauncherPorts`); `op_block`: with `op_*`, which warp of its CTA is launched.
//! `scrub`: pulse, the scratchpad is cleared; `scrubbing`: not yet (MEM-008).
//! `fetch_ahead`: pulse, the line of `cta_pc` will be asked for (MEM-054).
//!
//! # Cycle behaviour
//! Words that are the same for all CTAs of a task are kept once (TASK-056); those of one CTA count when the core takes it.
//! When words 0 to 25 of the first CTA, or those that come ahead (TASK-101), have been told to an SM that has none, and
//! nothing has been `active` for eight cycles, it forgets the instruction lines, because the program may be another one. In
//! the next cycle its first line is fetched ahead, and the CTA may be offered. Word 0 of another CTA that comes before it
//! has the lines forgotten again.
//! If it has scratchpad, and what stands there is of another domain, that is cleared first (MEM-008).
//! `cta_done` of the core comes when each write of the CTA has its response (SM-014), so an end goes on at once, but
//! behind a fault that is still to be reported.
//! Of faults that come while one is to be reported, only `end_failed` tells.
//!
//! # Errors
//! `report_*`.

use crate::bundles::LauncherPorts;
use crate::hdl::*;
use crate::prim::{FirstOne, LutRam};
use crate::warp::barrier::code as barrier_code;

#[derive(LogicBlock)]
pub struct CtaPort<const NW: usize, const WI: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub word_valid: Signal<In, Bit>,
    pub word_index: Signal<In, Bits<5>>,
    pub word: Signal<In, Bits<32>>,
    pub offer_valid: Signal<In, Bit>,
    pub offer_ready: Signal<Out, Bit>,
    pub offer_place: Signal<In, Bits<4>>,
    pub kill: Signal<In, Bit>,
    pub end_valid: Signal<Out, Bit>,
    pub end_ready: Signal<In, Bit>,
    pub end_place: Signal<Out, Bits<4>>,
    pub end_failed: Signal<Out, Bit>,
    pub report_valid: Signal<Out, Bit>,
    pub report_ready: Signal<In, Bit>,
    pub report_place: Signal<Out, Bits<4>>,
    pub report_warp: Signal<Out, Bits<8>>,
    pub report_thread: Signal<Out, Bits<6>>,
    pub report_cause: Signal<Out, Bits<4>>,
    pub report_pc: Signal<Out, Bits<32>>,
    pub report_address: Signal<Out, Bits<32>>,
    pub launch: LauncherPorts<NW, WI>,
    pub op_block: Signal<In, Bits<WI>>,
    pub scrub: Signal<Out, Bit>,
    pub scrubbing: Signal<In, Bit>,
    pub fetch_ahead: Signal<Out, Bit>,
    // Words of the task: 0 to 13, 21 to 25; of the next CTA, 14 to 20; of the CTA that is being launched.
    words: [DFF<Bits<32>>; 26],
    now: [DFF<Bits<32>>; 7],
    place: DFF<Bits<4>>,
    // CTAs that the core has taken and not reported.
    running: DFF<Bits<5>>,
    // Cycles without a CTA in which nothing was active, 8 at most.
    quiet: DFF<Bits<4>>,
    flushed: DFF<Bit>,
    // PC and window of a CTA have been told that has not been taken. Lines were forgotten in the cycle before.
    complete: DFF<Bit>,
    fresh: DFF<Bit>,
    // The domain whose data the scratchpad has, if that is known.
    domain_id: DFF<Bits<3>>,
    known: DFF<Bit>,
    // Places whose CTA has ended and is to be told of.
    ends: DFF<Bits<16>>,
    fails: DFF<Bits<16>>,
    first_end: FirstOne<16, 4>,
    // The one that is told.
    tells: DFF<Bit>,
    told_place: DFF<Bits<4>>,
    told_failed: DFF<Bit>,
    // Of each warp slot: the place of its CTA, and its number in that (TASK-064).
    owners: LutRam<Bits<4>, WI>,
    blocks: LutRam<Bits<WI>, WI>,
    // The slot that has a fault.
    faulty: Signal<Local, Bits<WI>>,
    reports: DFF<Bit>,
    its_place: DFF<Bits<4>>,
    its_warp: DFF<Bits<8>>,
    its_thread: DFF<Bits<6>>,
    its_cause: DFF<Bits<4>>,
    its_pc: DFF<Bits<32>>,
    its_address: DFF<Bits<32>>,
    // Combinational.
    offers: Signal<Local, Bit>,
    takes: Signal<Local, Bit>,
    empty: Signal<Local, Bit>,
    dirty: Signal<Local, Bit>,
    starts: Signal<Local, Bit>,
    strange: Signal<Local, Bit>,
    done_bit: Signal<Local, Bits<16>>,
    told_bit: Signal<Local, Bits<16>>,
    picks: Signal<Local, Bit>,
    k_code_launch: Constant<Bits<4>>,
    k_local_window: Constant<Bits<32>>,
    // The level of a warp is that of its CTA or of the program, the larger one; age goes first; no yields at random,
    // no barrier goes before another one.
    k_level_mix: Constant<Bits<2>>,
    k_policy: Constant<Bits<2>>,
    k_yield_random: Constant<Bit>,
    k_miss_threshold: Constant<Bits<9>>,
    k_mode_force: Constant<Bits<2>>,
    k_shared_from: Constant<Bits<6>>,
    k_all_slots: Constant<Bits<NW>>,
    k_no_bits: Constant<Bits<16>>,
}

impl<const NW: usize, const WI: usize> Default for CtaPort<NW, WI> {
    fn default() -> Self {
        assert!(NW == 1 << WI, "CtaPort<{NW}, {WI}>");
        block!({
            clock, reset, word_valid, word_index, word, offer_valid, offer_ready, offer_place, kill, end_valid, end_ready,
            end_place, end_failed, report_valid, report_ready, report_place, report_warp, report_thread,
            report_cause, report_pc, report_address, launch, op_block, scrub, scrubbing, fetch_ahead, words, now, place, running, quiet, flushed, complete, fresh, domain_id, known, ends, fails,
            first_end, owners, blocks, faulty, reports, its_place, its_warp, its_thread, its_cause, its_pc, its_address, offers,
            takes, empty, dirty, starts, strange, done_bit, told_bit, tells, told_place, told_failed, picks,
        } {
            k_code_launch: Constant::new(barrier_code::LAUNCH.into()),
            k_local_window: Constant::new(0xc000_0000_u64.into()),
            k_level_mix: Constant::new(3.into()),
            k_policy: Constant::new(0.into()),
            k_yield_random: Constant::new(false),
            k_miss_threshold: Constant::new(64.into()),
            k_mode_force: Constant::new(0.into()),
            k_shared_from: Constant::new(32.into()),
            k_all_slots: Constant::new((u64::MAX >> (64 - NW)).into()),
            k_no_bits: Constant::new(0.into()),
        })
    }
}

impl<const NW: usize, const WI: usize> Logic for CtaPort<NW, WI> {
    #[part]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            place,
            running,
            quiet,
            flushed,
            complete,
            fresh,
            domain_id,
            known,
            ends,
            fails,
            reports,
            its_place,
            its_warp,
            its_thread,
            its_cause,
            its_pc,
            its_address,
            tells,
            told_place,
            told_failed
        );
        clock!(self, clock, owners, blocks);

        // ---- Words.
        for i in 0..26 {
            self.words[i].clock.next = self.clock.val();
            self.words[i].d.next = self.words[i].q.val();
            if self.word_valid.val() & (self.word_index.val().index() == i) {
                self.words[i].d.next = self.word.val();
            }
        }
        for i in 0..7 {
            self.now[i].clock.next = self.clock.val();
            self.now[i].d.next = self.now[i].q.val();
        }

        // ---- A CTA goes to the core; the first one behind a flush.
        self.launch.flush.next = false;
        self.empty.next = !self.running.q.val().any() & !self.launch.active.val();
        if !self.empty.val() {
            self.quiet.d.next = 0.into();
        } else if self.quiet.q.val() != 8 {
            self.quiet.d.next = self.quiet.q.val() + 1;
        } else if (self.offer_valid.val() | self.complete.q.val()) & !self.flushed.q.val() {
            self.launch.flush.next = true;
            self.flushed.d.next = true;
        }
        self.fresh.d.next = self.launch.flush.val();
        self.fetch_ahead.next = self.fresh.q.val();
        self.dirty.next = self.words[9].q.val().any()
            & (!self.known.q.val()
                | (self.words[0].q.val().get_bits::<3>(12) != self.domain_id.q.val()));
        self.scrub.next = self.offer_valid.val()
            & self.flushed.q.val()
            & !self.running.q.val().any()
            & self.dirty.val()
            & !self.scrubbing.val();
        self.offers.next = self.offer_valid.val()
            & (self.running.q.val().any()
                | (self.flushed.q.val() & !self.dirty.val() & !self.scrubbing.val()));
        self.launch.cta_valid.next = self.offers.val();
        self.takes.next = self.offers.val() & self.launch.cta_ready.val();
        self.offer_ready.next = self.takes.val();
        self.launch.cta_pc.next = self.words[1].q.val().get_bits::<22>(2);
        self.launch.cta_threads.next = self.words[12].q.val().get_bits::<12>(0);
        self.launch.cta_level.next = self.words[0].q.val().get_bits::<4>(4);
        self.launch.cta_id.next = bit_cast::<16, 4>(self.offer_place.val());
        if self.takes.val() {
            self.place.d.next = self.offer_place.val();
            self.flushed.d.next = false;
            self.complete.d.next = false;
            for i in 0..7 {
                self.now[i].d.next = self.words[i + 14].q.val();
            }
        }
        // What follows may be another CTA's: the one whose words these were does not come.
        if self.word_valid.val() & !self.word_index.val().any() {
            self.complete.d.next = false;
            self.flushed.d.next = false;
        }
        if self.word_valid.val() & (self.word_index.val() == 25) {
            self.complete.d.next = true;
        }
        if self.scrub.val() | (self.takes.val() & self.words[9].q.val().any()) {
            self.domain_id.d.next = self.words[0].q.val().get_bits::<3>(12);
            self.known.d.next = true;
        }
        if self.takes.val() & !self.launch.cta_done.val() {
            self.running.d.next = self.running.q.val() + 1;
        }
        if self.launch.cta_done.val() & !self.takes.val() {
            self.running.d.next = self.running.q.val() - 1;
        }

        // ---- What a warp's launch has to do with it.
        self.starts.next = self.launch.op_valid.val()
            & self.launch.op_ready.val()
            & (self.launch.op_code.val() == self.k_code_launch.val());
        self.launch.start_valid.next = self.starts.val();
        self.launch.start_warp.next = self.launch.op_warp.val();
        self.launch.start_base.next = self.now[6].q.val();
        self.owners.write_enable.next = self.starts.val();
        self.owners.write_address.next = self.launch.op_warp.val();
        self.owners.write_data.next = self.place.q.val();
        self.blocks.write_enable.next = self.starts.val();
        self.blocks.write_address.next = self.launch.op_warp.val();
        self.blocks.write_data.next = self.op_block.val();

        // ---- Faults. What the core finds by itself has no thread and no address.
        self.launch.kill.next = self.kill.val();
        self.strange.next = self.launch.exception_valid.val()
            & self.launch.exception_cause.val().any()
            & ((self.launch.exception_cause.val() < 4) | (self.launch.exception_cause.val() == 15));
        self.faulty.next = self.launch.fault_warp.val();
        if !self.launch.fault_valid.val() {
            self.faulty.next = self.launch.exception_warp.val();
        }
        spread!(self.*.read_address <- self.faulty: owners, blocks);
        if self.reports.q.val() & self.report_ready.val() {
            self.reports.d.next = false;
        }
        if (self.launch.fault_valid.val() | self.strange.val()) & !self.reports.q.val() {
            self.reports.d.next = true;
            self.its_place.d.next = self.owners.read_data.val();
            self.its_warp.d.next = bit_cast::<8, WI>(self.blocks.read_data.val());
            self.its_thread.d.next = 0.into();
            self.its_cause.d.next = self.launch.exception_cause.val();
            self.its_pc.d.next = bit_cast::<32, 22>(self.launch.exception_pc.val()) << 2;
            self.its_address.d.next = 0.into();
            if self.launch.fault_valid.val() {
                carry!(self.its_*.d <- self.launch.fault_*: thread, cause);
                self.its_pc.d.next = bit_cast::<32, 22>(self.launch.fault_pc.val()) << 2;
                self.its_address.d.next = self.launch.fault_address.val();
            }
        }
        self.report_valid.next = self.reports.q.val();
        carry!(self.report_* <- self.its_*.q: place, warp, thread, cause, pc, address);

        // ---- Ends, behind the fault that is to be reported. One that is told stands until it is taken.
        self.first_end.bits.next = self.ends.q.val();
        self.picks.next = self.first_end.any.val() & !self.reports.q.val() & !self.tells.q.val();
        self.told_bit.next = self.k_no_bits.val();
        if self.tells.q.val() & self.end_ready.val() {
            self.tells.d.next = false;
        }
        if self.picks.val() {
            self.tells.d.next = true;
            self.told_place.d.next = self.first_end.place.val();
            self.told_failed.d.next = self
                .fails
                .q
                .val()
                .get_bit(self.first_end.place.val().index());
            self.told_bit.next = bits::<16>(1) << self.first_end.place.val();
        }
        self.end_valid.next = self.tells.q.val();
        carry!(self.end_* <- self.told_*.q: place, failed);
        self.done_bit.next = self.k_no_bits.val();
        if self.launch.cta_done.val() {
            self.done_bit.next = bits::<16>(1) << self.launch.cta_done_id.val().get_bits::<4>(0);
        }
        self.ends.d.next = (self.ends.q.val() & !self.told_bit.val()) | self.done_bit.val();
        self.fails.d.next = self.fails.q.val() & !self.told_bit.val();
        if self.launch.cta_done_failed.val() {
            self.fails.d.next = (self.fails.q.val() & !self.told_bit.val()) | self.done_bit.val();
        }

        // ---- What the rest of the SM is told.
        carry!(self.launch.cfg_* <- self.k_*:
            level_mix, policy, yield_random, yield_threshold = no_bits, yield_seed = no_bits,
            priority = no_bits, miss_threshold, mode_force, shared_from,
        );
        self.launch.cfg_path.next = self.words[0].q.val().get_bits::<2>(8);
        self.launch.cfg_scratchpad_bytes.next = self.words[9].q.val();
        self.launch.cfg_local_bytes.next = self.words[10].q.val();
        self.launch.cfg_forced_yield.next = self.words[11].q.val().get_bits::<16>(0);
        self.launch.cfg_yield_every.next = self.words[11].q.val().get_bits::<16>(16);
        self.launch.cfg_local_base.next = self.words[21].q.val();
        self.launch.cfg_token_base.next = self.words[22].q.val();
        self.launch.cfg_token_size.next = self.words[23].q.val().get_bits::<10>(0);
        self.launch.cfg_slots.next = self.k_all_slots.val();
        self.launch.cfg_memory_base.next = self.words[25].q.val();
        self.launch.cfg_memory_size.next = self.words[24].q.val();
        self.launch.grid_x.next = self.words[2].q.val();
        self.launch.grid_y.next = self.words[3].q.val();
        self.launch.grid_z.next = self.words[4].q.val();
        self.launch.group_x.next = self.words[5].q.val();
        self.launch.group_y.next = self.words[6].q.val();
        self.launch.group_z.next = self.words[7].q.val();
        self.launch.arguments.next = self.words[8].q.val();
        self.launch.stack_top.next = self.k_local_window.val() + self.words[10].q.val();
        self.launch.cta_size.next = self.words[12].q.val();
        self.launch.grid_threads.next = self.words[13].q.val();
        self.launch.cta_number.next = self.now[0].q.val();
        self.launch.cta_first.next = self.now[1].q.val();
        self.launch.cta_warp.next = self.now[2].q.val();
        self.launch.cta_x.next = self.now[3].q.val();
        self.launch.cta_y.next = self.now[4].q.val();
        self.launch.cta_z.next = self.now[5].q.val();

        if self.reset.val() {
            self.running.d.next = 0.into();
            self.quiet.d.next = 0.into();
            self.flushed.d.next = false;
            self.complete.d.next = false;
            self.fresh.d.next = false;
            self.known.d.next = false;
            self.ends.d.next = 0.into();
            self.fails.d.next = 0.into();
            self.reports.d.next = false;
            self.tells.d.next = false;
        }
    }
}

clocked!(CtaPort<NW, WI>);

#[cfg(test)]
mod tests {
    use super::*;
    use weft_rtl::Bench;

    type Uut = CtaPort<4, 2>;

    fn bench() -> Bench<Uut> {
        let mut b = Bench::new(Uut::default(), |u, level| u.clock.next = level.into());
        b.uut.reset.next = true;
        b.edge();
        b.uut.reset.next = false;
        b.edge();
        b
    }

    fn tell(b: &mut Bench<Uut>, base: u64) {
        for index in 0..26u64 {
            b.uut.word_valid.next = true;
            b.uut.word_index.next = index.into();
            b.uut.word.next = (base + 0x10 * index).into();
            b.edge();
        }
        b.uut.word_valid.next = false;
    }

    /// Offers a CTA; the cycles until the core could take it, and how often lines were forgotten.
    fn offer(b: &mut Bench<Uut>, place: u64) -> (u64, u64) {
        b.uut.offer_valid.next = true;
        b.uut.offer_place.next = place.into();
        b.uut.launch.cta_ready.next = true;
        let (mut cycles, mut flushes) = (0, 0);
        loop {
            b.settle();
            flushes += u64::from(b.uut.launch.flush.val());
            let taken = b.uut.offer_ready.val();
            assert_eq!(taken, b.uut.launch.cta_valid.val());
            assert!(!taken || b.uut.launch.cta_id.val().to_u64() == place);
            b.edge();
            if taken {
                break;
            }
            cycles += 1;
            assert!(cycles < 50);
        }
        b.uut.offer_valid.next = false;
        b.uut.launch.cta_ready.next = false;
        (cycles, flushes)
    }

    fn start_warp(b: &mut Bench<Uut>, warp: u64, block: u64) {
        b.uut.op_block.next = block.into();
        b.uut.launch.op_valid.next = true;
        b.uut.launch.op_ready.next = true;
        b.uut.launch.op_code.next = barrier_code::LAUNCH.into();
        b.uut.launch.op_warp.next = warp.into();
        b.edge();
        b.uut.launch.op_valid.next = false;
    }

    fn done(b: &mut Bench<Uut>, place: u64, failed: bool) {
        b.uut.launch.cta_done.next = true;
        b.uut.launch.cta_done_id.next = place.into();
        b.uut.launch.cta_done_failed.next = failed;
        b.edge();
        b.uut.launch.cta_done.next = false;
        b.settle();
    }

    /// Words of a CTA count from its take on, so the next ones may come before its warps are launched.
    #[test]
    fn words_of_a_cta_stand_until_the_next_is_taken() {
        let mut b = bench();
        tell(&mut b, 0x1000);
        // It has been quiet while the words came; the scratchpad is cleared.
        assert_eq!(offer(&mut b, 5), (2, 1));
        tell(&mut b, 0x2000);
        start_warp(&mut b, 1, 0);
        b.settle();
        assert_eq!(b.uut.launch.cta_number.val().to_u64(), 0x1000 + 0x10 * 14);
        assert_eq!(b.uut.launch.cta_z.val().to_u64(), 0x1000 + 0x10 * 19);
        assert_eq!(b.uut.launch.start_base.val().to_u64(), 0x1000 + 0x10 * 20);
        // Another CTA beside it: no flush.
        assert_eq!(offer(&mut b, 6), (0, 0));
        b.settle();
        assert_eq!(b.uut.launch.cta_number.val().to_u64(), 0x2000 + 0x10 * 14);
        assert_eq!(b.uut.launch.cta_size.val().to_u64(), 0x2000 + 0x10 * 12);
    }

    #[test]
    fn lines_are_forgotten_only_when_nothing_is_active() {
        let mut b = bench();
        tell(&mut b, 0);
        b.uut.launch.active.next = true;
        b.uut.offer_valid.next = true;
        b.uut.launch.cta_ready.next = true;
        for _ in 0..40 {
            b.settle();
            assert!(!b.uut.launch.flush.val() && !b.uut.offer_ready.val());
            b.edge();
        }
        b.uut.launch.active.next = false;
        assert_eq!(offer(&mut b, 0), (10, 1));
        done(&mut b, 0, false);
        // It is empty again: the next one is behind a flush.
        assert_eq!(offer(&mut b, 1), (9, 1));
    }

    /// MEM-054, GPU-033: as soon as all words are there, once, behind a flush; words of another CTA have lines forgotten
    /// again; an SM that has a CTA fetches nothing ahead.
    #[test]
    fn the_first_line_is_fetched_behind_the_flush() {
        let mut b = bench();
        // Flushes and lines that are fetched ahead in so many cycles: when.
        let watch = |b: &mut Bench<Uut>, cycles: u64| {
            let (mut flushes, mut lines) = (vec![], vec![]);
            for t in 0..cycles {
                b.settle();
                if b.uut.launch.flush.val() {
                    flushes.push(t);
                }
                if b.uut.fetch_ahead.val() {
                    lines.push((t, b.uut.launch.cta_pc.val().to_u64()));
                }
                b.edge();
            }
            (flushes, lines)
        };
        assert_eq!(watch(&mut b, 20), (vec![], vec![]));
        tell(&mut b, 0x1000);
        assert_eq!(watch(&mut b, 20), (vec![0], vec![(1, 0x1010 / 4)]));
        // That CTA does not come.
        tell(&mut b, 0x2000);
        b.uut.launch.active.next = true;
        assert_eq!(watch(&mut b, 20), (vec![], vec![]));
        b.uut.launch.active.next = false;
        assert_eq!(watch(&mut b, 20), (vec![8], vec![(9, 0x2010 / 4)]));
        assert_eq!(offer(&mut b, 3), (1, 0));
        tell(&mut b, 0x2000);
        assert_eq!(watch(&mut b, 20), (vec![], vec![]));
    }

    /// MEM-008: for a CTA with scratchpad whose domain is another one than that of the last with scratchpad.
    #[test]
    fn the_scratchpad_is_cleared_for_another_domain() {
        let mut b = bench();
        let mut last = None;
        for (domain, bytes) in [
            (0u64, 0u64),
            (1, 4),
            (1, 8),
            (2, 0),
            (1, 4),
            (2, 4),
            (0, 4),
            (0, 4),
        ] {
            tell(&mut b, 0);
            for (index, word) in [(0u64, domain << 12), (9, bytes)] {
                b.uut.word_valid.next = true;
                b.uut.word_index.next = index.into();
                b.uut.word.next = word.into();
                b.edge();
            }
            b.uut.word_valid.next = false;
            b.uut.offer_valid.next = true;
            b.uut.launch.cta_ready.next = true;
            let (mut scrubs, mut left) = (0, 0u32);
            loop {
                b.uut.scrubbing.next = left > 0;
                b.settle();
                let (scrub, taken) = (b.uut.scrub.val(), b.uut.offer_ready.val());
                assert!(!taken || left == 0);
                b.edge();
                scrubs += u32::from(scrub);
                left = if scrub { 5 } else { left.saturating_sub(1) };
                if taken {
                    break;
                }
            }
            b.uut.offer_valid.next = false;
            let wanted = bytes > 0 && last != Some(domain);
            assert_eq!(scrubs, u32::from(wanted), "domain {domain}, {bytes} bytes");
            if bytes > 0 {
                last = Some(domain);
            }
            done(&mut b, 0, false);
            (0..10).for_each(|_| b.edge());
        }
    }

    /// Ends come one by one, in any order of their places, and behind the fault.
    #[test]
    fn ends_wait_for_the_fault() {
        let mut b = bench();
        tell(&mut b, 0);
        for (place, warp) in [(3, 2), (9, 0)] {
            offer(&mut b, place);
            start_warp(&mut b, warp, 3 - warp);
        }
        b.uut.launch.fault_valid.next = true;
        b.uut.launch.fault_warp.next = 0.into();
        b.uut.launch.fault_thread.next = 3.into();
        b.uut.launch.fault_pc.next = 0x400.into();
        b.uut.launch.fault_cause.next = 5.into();
        b.uut.launch.fault_address.next = 0x1234.into();
        b.edge();
        b.uut.launch.fault_valid.next = false;
        done(&mut b, 9, true);
        done(&mut b, 3, false);
        for _ in 0..5 {
            assert!(b.uut.report_valid.val() && !b.uut.end_valid.val());
            assert_eq!(b.uut.report_place.val().to_u64(), 9);
            assert_eq!(b.uut.report_warp.val().to_u64(), 3);
            assert_eq!(b.uut.report_pc.val().to_u64(), 0x1000);
            assert_eq!(b.uut.report_address.val().to_u64(), 0x1234);
            b.edge();
        }
        b.uut.report_ready.next = true;
        b.edge();
        b.uut.report_ready.next = false;
        b.settle();
        let mut ends = Vec::new();
        for _ in 0..8 {
            b.settle();
            if b.uut.end_valid.val() {
                ends.push((b.uut.end_place.val().to_u64(), b.uut.end_failed.val()));
                // It stands, whatever else ends.
                if ends.len() == 1 {
                    done(&mut b, 0, false);
                    assert_eq!(b.uut.end_place.val().to_u64(), 3);
                }
                b.uut.end_ready.next = true;
                b.edge();
                b.uut.end_ready.next = false;
            } else {
                b.edge();
            }
        }
        assert_eq!(ends, [(3, false), (0, false), (9, true)]);
    }

    #[test]
    fn verilog_agrees() {
        crate::stimulus::check_with_memories(
            "weft_cta_port",
            Uut::default,
            1000,
            |u, rng, t| {
                u.reset.next = t < 2;
                u.word_valid.next = rng.flip();
                u.word_index.next = rng.below(26).into();
                u.word.next = rng.bits();
                u.offer_valid.next = rng.chance(3, 4);
                u.offer_place.next = rng.bits();
                u.end_ready.next = rng.flip();
                u.report_ready.next = rng.flip();
                u.scrubbing.next = rng.chance(1, 4);
                u.launch.cta_ready.next = rng.flip();
                u.launch.cta_done.next = rng.chance(1, 4);
                u.launch.cta_done_id.next = rng.below(16).into();
                u.launch.cta_done_failed.next = rng.flip();
                u.launch.op_valid.next = rng.flip();
                u.launch.op_ready.next = rng.flip();
                u.launch.op_code.next = rng.bits();
                u.launch.op_warp.next = rng.bits();
                u.op_block.next = rng.bits();
                u.launch.fault_valid.next = rng.chance(1, 8);
                u.launch.fault_warp.next = rng.bits();
                u.launch.fault_thread.next = rng.bits();
                u.launch.fault_pc.next = rng.bits();
                u.launch.fault_cause.next = rng.bits();
                u.launch.fault_address.next = rng.bits();
                u.launch.exception_valid.next = rng.chance(1, 8);
                u.launch.exception_warp.next = rng.bits();
                u.launch.exception_pc.next = rng.bits();
                u.launch.exception_cause.next = rng.bits();
                u.launch.active.next = rng.chance(1, 16);
            },
            |u, level| u.clock.next = level.into(),
        );
    }
}
