//! What `weft_cta` may do: a checker that is shown its ports cycle by cycle and says what is wrong.
//!
//! Spec: `docs/spec/cta.md`. The specification leaves the cycle of a placement open; the checker accepts every choice
//! that is right for some cycle from the first in which the CTA could be placed on.

use std::collections::VecDeque;

const SLOTS: u32 = 16;
/// CTA-030; also how soon the program's level must be set.
const SOON: u64 = 4;
/// Without progress for so long, although nothing is in the way, a CTA is not placed any more.
const PATIENCE: u32 = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CtaParams {
    pub warps: usize,
    pub threads: usize,
}

/// All ports of `weft_cta` in one cycle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CtaPorts {
    pub reset: bool,
    pub cfg_level_mix: u8,
    pub cfg_token_base: u32,
    pub cfg_token_size: u16,
    pub cta_valid: bool,
    pub cta_ready: bool,
    pub cta_pc: u32,
    pub cta_threads: u16,
    pub cta_level: u8,
    pub cta_id: u16,
    pub cta_refused: bool,
    pub cta_refused_id: u16,
    pub cta_done: bool,
    pub cta_done_id: u16,
    pub cta_done_slot: u8,
    pub cta_done_failed: bool,
    pub launch_valid: bool,
    pub launch_ready: bool,
    pub launch_warp: u8,
    pub launch_pc: u32,
    pub launch_mask: u64,
    pub launch_base: u32,
    pub launch_size: u16,
    pub level_valid: bool,
    pub level_warp: u8,
    pub level_value: u8,
    pub program_valid: bool,
    pub program_warp: u8,
    pub program_level: u8,
    pub ended_valid: bool,
    pub ended_warp: u8,
    pub ended_failed: bool,
    pub status_occupied: u64,
    pub where_warp: u8,
    pub where_cta: u8,
    pub where_block: u8,
    pub where_first: u16,
    pub find_cta: u8,
    pub find_block: u8,
    pub find_warp: u8,
}

#[derive(Clone, Debug)]
struct Cta {
    /// Ids may come twice; this number does not.
    serial: u64,
    id: u16,
    pc: u32,
    threads: usize,
    level: u8,
    blocks: usize,
    /// The warp slots of the blocks that are launched.
    placed: Vec<usize>,
    ended: usize,
    failed: bool,
    /// The CTA slots it may stand on, one bit each; which one is known when it is first seen.
    slots: u16,
    /// The first cycle in which it could be placed.
    possible: Option<u64>,
    /// The cycle in which the last warp ended.
    complete: Option<u64>,
}

/// A level that the program has set and that must go to the scheduler.
#[derive(Clone, Copy, Debug)]
struct Owed {
    since: u64,
    warp: usize,
    value: u8,
}

#[derive(Clone, Copy, Debug, Default)]
struct Warp {
    /// Serial and block of the CTA that it runs for.
    owner: Option<(u64, usize)>,
    /// The same, but kept when the warp has ended.
    mapped: Option<(u64, usize)>,
    /// The cycle since which it is free.
    free_since: Option<u64>,
    level: u8,
    /// `level` was set for the CTA that is being placed.
    level_set: bool,
}

#[derive(Clone, Debug)]
pub struct CtaChecker {
    params: CtaParams,
    cycle: u64,
    serial: u64,
    warps: Vec<Warp>,
    placing: Option<Cta>,
    /// All blocks are launched.
    running: Vec<Cta>,
    refused: Option<u16>,
    owed: VecDeque<Owed>,
    /// Cycles without progress.
    idle: u32,
    before: CtaPorts,
}

macro_rules! check {
    ($holds:expr, $($said:tt)*) => {
        if !$holds {
            return Err(format!($($said)*));
        }
    };
}

impl CtaChecker {
    pub fn new(params: CtaParams) -> CtaChecker {
        CtaChecker {
            params,
            cycle: 0,
            serial: 0,
            warps: vec![Warp::default(); params.warps],
            placing: None,
            running: vec![],
            refused: None,
            owed: VecDeque::new(),
            idle: 0,
            before: CtaPorts::default(),
        }
    }

    /// No CTA is being placed, runs, or has yet to be reported.
    pub fn is_idle(&self) -> bool {
        self.placing.is_none() && self.running.is_empty() && self.refused.is_none()
    }

    /// One cycle.
    pub fn cycle(&mut self, ports: &CtaPorts) -> Result<(), String> {
        if ports.reset {
            *self = CtaChecker::new(self.params);
            return Ok(());
        }
        let judged = self.judge(ports);
        self.before = ports.clone();
        self.cycle += 1;
        judged.map_err(|said| format!("cycle {}: {said}", self.cycle - 1))
    }

    fn judge(&mut self, ports: &CtaPorts) -> Result<(), String> {
        self.refusals(ports)?;
        self.free(ports);
        self.lookups(ports)?;
        self.levels(ports)?;
        self.launches(ports)?;
        self.ends(ports)?;
        self.progress(ports)?;
        self.take(ports)
    }

    /// CTA-010: refused in the next cycle.
    fn refusals(&mut self, ports: &CtaPorts) -> Result<(), String> {
        let refused = ports.cta_refused.then_some(ports.cta_refused_id);
        let want = self.refused.take();
        check!(
            refused == want,
            "CTA-010: cta_refused: model {want:x?}, device {refused:x?}"
        );
        Ok(())
    }

    /// CTA-011: what is free in this cycle, and whether the CTA can be placed.
    fn free(&mut self, ports: &CtaPorts) {
        let cycle = self.cycle;
        for (number, warp) in self.warps.iter_mut().enumerate() {
            let free = warp.owner.is_none() && ports.status_occupied >> number & 1 == 0;
            warp.free_since = match free {
                true => warp.free_since.or(Some(cycle)),
                false => None,
            };
        }
        let free = self.warps.iter().filter(|w| w.free_since.is_some()).count();
        let used = |among: &mut dyn Iterator<Item = &Cta>| among.fold(0, |all, c| all | c.slots);
        // CTA-011 and CTA-031 do not say whether a slot is free before its `cta_done`: both are accepted.
        let late = used(&mut self.running.iter());
        let early = used(&mut self.running.iter().filter(|cta| cta.complete.is_none()));
        let Some(cta) = &mut self.placing else { return };
        if cta.possible.is_none() && free >= cta.blocks && early.count_ones() < SLOTS {
            cta.possible = Some(cycle);
        }
        if cta.possible.is_some() && cta.placed.is_empty() {
            cta.slots |= lowest_free(late) | lowest_free(early);
        }
    }

    fn cta(&mut self, serial: u64) -> Option<&mut Cta> {
        let all = self.running.iter_mut().chain(&mut self.placing);
        all.into_iter().find(|cta| cta.serial == serial)
    }

    /// CTA-031
    fn lookups(&mut self, ports: &CtaPorts) -> Result<(), String> {
        let width = self.params.threads;
        let warp = self.warps[usize::from(ports.where_warp)];
        // A warp slot without an owner may be given to the CTA that is being placed at any time.
        let settled = warp.owner.is_some() || self.placing.is_none();
        if let Some((serial, block)) = warp.mapped.filter(|_| settled) {
            if let Some(cta) = self.cta(serial) {
                let found = (
                    usize::from(ports.where_block),
                    usize::from(ports.where_first),
                );
                check!(
                    found == (block, block * width),
                    "CTA-031: where_block, where_first of warp {}: model {:?}, device {found:?}",
                    ports.where_warp,
                    (block, block * width)
                );
                cta.stands_on(ports.where_cta)?;
            }
        }
        let (slot, block) = (self.before.find_cta, usize::from(self.before.find_block));
        let mut all = self.running.iter().chain(&self.placing);
        if let Some(cta) = all.find(|cta| cta.slots == 1 << slot) {
            if let Some(&warp) = cta.placed.get(block) {
                check!(
                    usize::from(ports.find_warp) == warp,
                    "CTA-031: find_warp of block {block} of CTA slot {slot}: model {warp}, device {}",
                    ports.find_warp
                );
            }
        }
        Ok(())
    }

    /// `cfg_level_mix`
    fn mix(ports: &CtaPorts, program: u8, cta: u8) -> u8 {
        match ports.cfg_level_mix {
            0 => 0,
            1 => program,
            2 => cta,
            _ => program.max(cta),
        }
    }

    /// CTA-020, CTA-021
    fn levels(&mut self, ports: &CtaPorts) -> Result<(), String> {
        if ports.program_valid {
            let warp = usize::from(ports.program_warp);
            let owner = self.warps[warp].owner.map(|(serial, _)| serial);
            let level = owner.and_then(|serial| Some(self.cta(serial)?.level));
            check!(level.is_some(), "stimulus: warp {warp} does not run");
            self.owed.push_back(Owed {
                since: self.cycle,
                warp,
                value: CtaChecker::mix(ports, ports.program_level, level.unwrap_or(0)),
            });
        }
        if ports.level_valid {
            let (number, value) = (usize::from(ports.level_warp), ports.level_value);
            let is_owed = |owed: &&Owed| (owed.warp, owed.value) == (number, value);
            let of_cta = self.placing.as_ref().filter(|cta| cta.possible.is_some());
            let first = of_cta.map(|cta| CtaChecker::mix(ports, 0, cta.level));
            let warp = &mut self.warps[number];
            if self.owed.front().filter(is_owed).is_some() {
                self.owed.pop_front();
            } else if warp.owner.is_none() && first == Some(value) {
                warp.level_set = true;
            } else {
                check!(
                    warp.owner.is_some() && warp.level == value,
                    "CTA-020, CTA-021: level {value} of warp {number} is not to be set"
                );
            }
            warp.level = value;
        }
        // A level that is already set need not be set again.
        while let Some(owed) = self.owed.front().copied() {
            if self.cycle < owed.since + SOON {
                break;
            }
            let level = self.warps[owed.warp].level;
            check!(
                level == owed.value,
                "CTA-021: level {} of warp {} was not set",
                owed.value,
                owed.warp
            );
            self.owed.pop_front();
        }
        Ok(())
    }

    /// CTA-011, CTA-020
    fn launches(&mut self, ports: &CtaPorts) -> Result<(), String> {
        let launch = |p: &CtaPorts| {
            (
                p.launch_valid,
                p.launch_warp,
                p.launch_pc,
                p.launch_mask,
                p.launch_base,
                p.launch_size,
            )
        };
        if self.before.launch_valid && !self.before.launch_ready {
            let held = launch(ports) == launch(&self.before);
            check!(held, "a launch changed before it was taken");
        }
        if !ports.launch_valid {
            return Ok(());
        }
        let number = usize::from(ports.launch_warp);
        let Some(cta) = &mut self.placing else {
            return Err(format!("CTA-020: launch of warp {number} for no CTA"));
        };
        let Some(possible) = cta.possible else {
            return Err(format!("CTA-010: warp {number}: not all blocks have room"));
        };
        let warp = self.warps[number];
        check!(
            warp.free_since.is_some(),
            "CTA-011: warp slot {number} is not free"
        );
        let from = cta.placed.last().map_or(0, |last| last + 1);
        check!(number >= from, "CTA-011: warp slot {number}: not ascending");
        let long_free = |w: &usize| self.warps[*w].free_since.is_some_and(|at| at <= possible);
        if let Some(skipped) = (from..number).find(long_free) {
            return Err(format!(
                "CTA-011: warp slot {skipped} was free, but {number} is taken"
            ));
        }
        let block = cta.placed.len();
        let (width, rest) = (self.params.threads, cta.threads % self.params.threads);
        let lanes = match rest {
            1.. if block + 1 == cta.blocks => rest,
            _ => width,
        };
        let allocation = if width == 64 { 16_384 } else { 8_192 };
        let base = ports
            .cfg_token_base
            .wrapping_add(allocation * number as u32);
        let want = (
            true,
            ports.launch_warp,
            cta.pc,
            u64::MAX >> (64 - lanes),
            base,
            ports.cfg_token_size,
        );
        check!(
            launch(ports) == want,
            "CTA-020: valid, warp, pc, mask, base, size of block {block}: model {want:x?}, device {:x?}",
            launch(ports)
        );
        let level = CtaChecker::mix(ports, 0, cta.level);
        check!(
            warp.level_set && warp.level == level,
            "CTA-020: the level of warp {number} was not set before its launch"
        );
        if !ports.launch_ready {
            return Ok(());
        }
        let place = Some((cta.serial, block));
        (self.warps[number].owner, self.warps[number].mapped) = (place, place);
        cta.placed.push(number);
        self.idle = 0;
        if block + 1 == cta.blocks {
            self.running.extend(self.placing.take());
        }
        Ok(())
    }

    /// CTA-030
    fn ends(&mut self, ports: &CtaPorts) -> Result<(), String> {
        let cycle = self.cycle;
        if ports.ended_valid {
            let number = usize::from(ports.ended_warp);
            let owner = self.warps[number].owner.take();
            let cta = owner.and_then(|(serial, _)| self.cta(serial));
            let Some(cta) = cta else {
                return Err(format!("stimulus: warp {number} does not run"));
            };
            cta.ended += 1;
            cta.failed |= ports.ended_failed;
            cta.complete = (cta.ended == cta.blocks).then_some(cycle);
        }
        if ports.cta_done {
            let ended = |cta: &Cta| cta.complete.is_some() && cta.id == ports.cta_done_id;
            // Two with one id can be told apart by the slot.
            let here = |cta: &Cta| ended(cta) && cta.slots >> ports.cta_done_slot & 1 == 1;
            let mut all = self.running.iter();
            let at = all.position(here).or(self.running.iter().position(ended));
            let Some(at) = at else {
                return Err(format!("CTA-030: CTA {:x} is not done", ports.cta_done_id));
            };
            let mut cta = self.running.remove(at);
            cta.stands_on(ports.cta_done_slot)?;
            check!(
                cta.failed == ports.cta_done_failed,
                "CTA-030: cta_done_failed: model {}, device {}",
                cta.failed,
                ports.cta_done_failed
            );
        }
        let late = |cta: &&Cta| cta.complete.is_some_and(|at| cycle >= at + SOON);
        if let Some(cta) = self.running.iter().find(late) {
            return Err(format!("CTA-030: no cta_done of CTA {:x}", cta.id));
        }
        Ok(())
    }

    fn progress(&mut self, ports: &CtaPorts) -> Result<(), String> {
        let stalled = ports.launch_valid && !ports.launch_ready;
        let free = self.warps.iter().filter(|w| w.free_since.is_some()).count();
        let can =
            |cta: &Cta| cta.possible.is_some() && (!cta.placed.is_empty() || free >= cta.blocks);
        let waiting = self.placing.as_ref().is_some_and(can);
        let untaken = self.placing.is_none() && ports.cta_valid && !ports.cta_ready;
        self.idle = match (waiting || untaken) && !stalled {
            true => self.idle + 1,
            false => 0,
        };
        check!(self.idle < PATIENCE, "CTA-010: a CTA is not placed");
        Ok(())
    }

    /// CTA-010
    fn take(&mut self, ports: &CtaPorts) -> Result<(), String> {
        // In the cycle of a CTA's last launch the next one may be taken.
        check!(
            !(ports.cta_ready && self.placing.is_some()),
            "CTA-010: cta_ready while a CTA is being placed"
        );
        if !(ports.cta_valid && ports.cta_ready) {
            return Ok(());
        }
        let threads = usize::from(ports.cta_threads);
        if threads == 0 || threads > self.params.warps * self.params.threads {
            self.refused = Some(ports.cta_id);
            return Ok(());
        }
        self.serial += 1;
        self.warps
            .iter_mut()
            .for_each(|warp| warp.level_set = false);
        self.placing = Some(Cta {
            serial: self.serial,
            id: ports.cta_id,
            pc: ports.cta_pc,
            threads,
            level: ports.cta_level,
            blocks: threads.div_ceil(self.params.threads),
            placed: vec![],
            ended: 0,
            failed: false,
            slots: 0,
            possible: None,
            complete: None,
        });
        Ok(())
    }
}

/// CTA-011: the lowest free CTA slot as a bit, 0 if there is none.
fn lowest_free(used: u16) -> u16 {
    !used & used.wrapping_add(1)
}

impl Cta {
    /// CTA-011
    fn stands_on(&mut self, slot: u8) -> Result<(), String> {
        check!(
            self.slots >> slot & 1 == 1,
            "CTA-011: CTA {:x} cannot stand on CTA slot {slot}: model {:#b}",
            self.id,
            self.slots
        );
        self.slots = 1 << slot;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 4 warps of 8 threads; a plain device that obeys, and that is told what to do wrong.
    struct Bench {
        checker: CtaChecker,
        base: CtaPorts,
    }

    type Change = fn(&mut CtaPorts);

    const NOTHING: Change = |_| ();

    impl Bench {
        fn new() -> Bench {
            Bench {
                checker: CtaChecker::new(CtaParams {
                    warps: 4,
                    threads: 8,
                }),
                base: CtaPorts {
                    cfg_level_mix: 3,
                    cfg_token_base: 0x1_0000,
                    cfg_token_size: 64,
                    cta_pc: 0x40,
                    cta_level: 2,
                    launch_ready: true,
                    ..Default::default()
                },
            }
        }

        fn cycle(&mut self, change: impl Fn(&mut CtaPorts)) -> Result<(), String> {
            let mut ports = self.base.clone();
            change(&mut ports);
            self.checker.cycle(&ports)
        }

        fn take(&mut self, id: u16, threads: u16) -> Result<(), String> {
            self.cycle(|p| {
                (p.cta_valid, p.cta_ready) = (true, true);
                (p.cta_id, p.cta_threads) = (id, threads);
            })
        }

        fn block(&mut self, warp: u8, mask: u64, wrong: Change) -> Result<(), String> {
            self.cycle(|p| (p.level_valid, p.level_warp, p.level_value) = (true, warp, 2))?;
            self.cycle(|p| {
                (p.launch_valid, p.launch_warp, p.launch_pc) = (true, warp, 0x40);
                p.launch_base = 0x1_0000 + 0x2000 * u32::from(warp);
                (p.launch_mask, p.launch_size) = (mask, 64);
                wrong(p);
            })
        }

        fn end(&mut self, warp: u8, failed: bool) -> Result<(), String> {
            self.cycle(|p| {
                (p.ended_valid, p.ended_warp, p.ended_failed) = (true, warp, failed);
            })
        }

        fn done(&mut self, id: u16, slot: u8, failed: bool) -> Result<(), String> {
            self.cycle(|p| {
                (p.cta_done, p.cta_done_id) = (true, id);
                (p.cta_done_slot, p.cta_done_failed) = (slot, failed);
            })
        }
    }

    /// A CTA of 19 threads on warps 0 to 2, with one thing wrong.
    fn placed(wrong: Change) -> Result<Bench, String> {
        let mut b = Bench::new();
        b.take(7, 19)?;
        b.cycle(NOTHING)?;
        b.block(0, 0xff, NOTHING)?;
        b.block(1, 0xff, wrong)?;
        b.block(2, 0x07, NOTHING)?;
        Ok(b)
    }

    fn said(result: Result<Bench, String>) -> String {
        result.err().unwrap_or_default()
    }

    #[test]
    fn cta_010_to_031_the_life_of_a_cta() -> Result<(), String> {
        let mut b = placed(NOTHING)?;
        b.cycle(|p| {
            (p.where_warp, p.where_cta, p.where_block, p.where_first) = (2, 0, 2, 16);
            (p.find_cta, p.find_block) = (0, 1);
        })?;
        b.cycle(|p| p.find_warp = 1)?;
        assert!(b
            .cycle(|p| p.where_block = 1)
            .unwrap_err()
            .contains("CTA-031"));
        b.end(0, false)?;
        b.end(2, true)?;
        b.base.where_warp = 3;
        b.end(1, false)?;
        b.cycle(NOTHING)?;
        b.done(7, 0, true)?;
        assert!(b.checker.is_idle());
        Ok(())
    }

    #[test]
    fn cta_020_every_field_of_a_launch_is_judged() {
        let wrongs: [Change; 5] = [
            |p| p.launch_pc += 1,
            |p| p.launch_mask = 0x7f,
            |p| p.launch_base += 0x2000,
            |p| p.launch_size = 65,
            |p| p.launch_warp = 0,
        ];
        for (at, wrong) in wrongs.into_iter().enumerate() {
            let said = said(placed(wrong));
            assert!(said.starts_with("cycle 5: CTA-0"), "{at}: {said}");
        }
        let said = said(placed(|p| (p.launch_warp, p.launch_base) = (2, 0x1_4000)));
        assert!(said.contains("warp slot 1 was free"), "{said}");
    }

    #[test]
    fn cta_020_the_level_comes_before_the_launch() -> Result<(), String> {
        let mut b = Bench::new();
        b.take(7, 8)?;
        let launch: Change = |p| {
            (p.launch_valid, p.launch_pc, p.launch_mask) = (true, 0x40, 0xff);
            (p.launch_base, p.launch_size) = (0x1_0000, 64);
        };
        assert!(b.cycle(launch).unwrap_err().contains("level of warp 0"));
        Ok(())
    }

    #[test]
    fn cta_010_refused_in_the_next_cycle() -> Result<(), String> {
        for threads in [0, 33] {
            let mut b = Bench::new();
            b.take(5, threads)?;
            let mut late = Bench::new();
            late.take(5, threads)?;
            b.cycle(|p| (p.cta_refused, p.cta_refused_id) = (true, 5))?;
            assert!(late.cycle(NOTHING).unwrap_err().contains("CTA-010"));
        }
        let mut b = Bench::new();
        b.take(5, 32)?;
        let refused: Change = |p| (p.cta_refused, p.cta_refused_id) = (true, 5);
        assert!(b.cycle(refused).is_err());
        Ok(())
    }

    #[test]
    fn cta_010_all_or_nothing_and_one_at_a_time() -> Result<(), String> {
        let mut b = placed(NOTHING)?;
        b.base.where_warp = 3;
        b.take(8, 16)?;
        assert!(b.take(9, 8).unwrap_err().contains("cta_ready"));
        let mut b = placed(NOTHING)?;
        b.base.where_warp = 3;
        b.take(8, 16)?;
        // Only warp slot 3 is free.
        assert!(b.block(3, 0xff, NOTHING).is_err());
        Ok(())
    }

    #[test]
    fn cta_030_done_comes_within_4_cycles_with_what_has_happened() -> Result<(), String> {
        let ended = || -> Result<Bench, String> {
            let mut b = placed(NOTHING)?;
            b.base.where_warp = 3;
            (0..3)
                .try_for_each(|warp| b.cycle(|p| (p.ended_valid, p.ended_warp) = (true, warp)))?;
            Ok(b)
        };
        let mut b = ended()?;
        assert!(b.done(7, 0, true).unwrap_err().contains("cta_done_failed"));
        assert!(ended()?
            .done(7, 1, false)
            .unwrap_err()
            .contains("CTA slot 1"));
        assert!(ended()?
            .done(8, 0, false)
            .unwrap_err()
            .contains("CTA 8 is not done"));
        let mut b = ended()?;
        (0..3).try_for_each(|_| b.cycle(NOTHING))?;
        assert!(b.cycle(NOTHING).unwrap_err().contains("no cta_done"));
        let mut b = ended()?;
        (0..3).try_for_each(|_| b.cycle(NOTHING))?;
        b.done(7, 0, false)
    }

    #[test]
    fn cta_021_the_programs_level_is_set_mixed_with_that_of_the_cta() -> Result<(), String> {
        for (mix, set, first, want) in [(1, 1, 0, 1), (3, 1, 2, 2), (3, 5, 2, 5)] {
            let mut b = Bench::new();
            b.base.cfg_level_mix = mix;
            b.take(7, 8)?;
            b.cycle(|p| (p.level_valid, p.level_value) = (true, first))?;
            b.cycle(|p| {
                (p.launch_valid, p.launch_pc, p.launch_mask) = (true, 0x40, 0xff);
                (p.launch_base, p.launch_size) = (0x1_0000, 64);
            })?;
            b.cycle(|p| (p.program_valid, p.program_level) = (true, set))?;
            let mut silent = b.checker.clone();
            b.cycle(|p| (p.level_valid, p.level_value) = (true, want))?;
            (0..6).try_for_each(|_| b.cycle(NOTHING))?;
            let silence = (0..6).try_for_each(|_| silent.cycle(&b.base));
            assert_eq!(silence.is_err(), want != first, "mix {mix}");
            let wrong = b.cycle(|p| (p.level_valid, p.level_value) = (true, 7));
            assert!(wrong.unwrap_err().contains("is not to be set"));
        }
        Ok(())
    }

    #[test]
    fn a_cta_that_is_never_placed_is_noticed() -> Result<(), String> {
        let mut b = Bench::new();
        b.take(7, 8)?;
        let idle = (0..80).try_for_each(|_| b.cycle(NOTHING));
        assert!(idle.unwrap_err().contains("is not placed"));
        Ok(())
    }
}
