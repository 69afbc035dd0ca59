//! CTAs: taken, refused, placed, over; where their blocks stand.

use super::{Block, CoreSession, CoreSlot, State, DONE_WITHIN};
use crate::core::job::Job;
use crate::core::options::Cta;
use crate::core::report::CoreError;
use crate::final_state::Alone;
use crate::memory::Allocation;
use rand::Rng as _;

impl CoreSession<'_> {
    /// Warps that have become busy.
    pub(super) fn launches(&mut self) -> Result<(), CoreError> {
        let busy = self.get(self.o.status_busy);
        let new = busy & !self.busy;
        self.busy = busy;
        if new == 0 {
            return Ok(());
        }
        if new.count_ones() > 1 {
            return self.rule(format!("warps {new:#x} start at once"));
        }
        let warp = new.trailing_zeros() as usize;
        let Some((cta, block)) = self.to_launch.pop_front() else {
            return self.rule(format!("warp {warp} starts, no block is to be launched"));
        };
        let slots = self.slots_for_ctas();
        if slots >> warp & 1 == 0 {
            return self.rule(format!("warp slot {warp} gets a warp, of slots {slots:#x}"));
        }
        self.happened.withheld += u64::from(slots.count_ones() < self.size.warps as u32);
        let slot = &self.warps[warp];
        if slot.alive || !self.slots[warp].in_flight.is_empty() {
            return self.rule(format!(
                "warp {warp} is launched while it is not free: {slot:x?}, {:x?}",
                self.slots[warp]
            ));
        }
        let others = self.warps.slots().iter().any(|s| s.alive);
        self.happened.reused += u64::from(slot.launches > 0);
        self.happened.reused_while_running += u64::from(slot.launches > 0 && others);
        let size = self.run.machine.tokens;
        let base = self.base().wrapping_add(warp as u32 * 1024);
        self.tokens.forget(base, size as u32);
        let allocation = Allocation {
            base,
            size: size as u16,
        };
        self.checker.launched(warp, allocation);
        let state = &mut self.ctas[cta];
        let job = state.job.as_mut().expect("made when the CTA was taken");
        self.warps
            .launched(warp, (cta, block), job.launched(block, warp));
        if block == 0 {
            state.report.began = self.warps.cycle;
        }
        state.report.warps.push(warp);
        self.slots[warp] = CoreSlot::default();
        self.to_look_up.push_back(warp);
        if self
            .options
            .raise
            .is_some_and(|(raised, _)| usize::from(raised) == warp)
        {
            self.raise = self.warps.cycle + 1;
        }
        self.began = self.began.or(Some(self.warps.cycle));
        self.event = self.warps.cycle;
        Ok(())
    }

    pub(super) fn drive_ctas(&mut self) {
        let gap = self.options.cta_gap;
        let waits = gap != 0 && self.draws.gen_range(0..100) < gap;
        let more = self.next_cta < self.ctas.len() && self.warps.cycle >= self.start();
        if self.offered.is_none() && more && !waits {
            self.offered = Some(self.next_cta);
            self.next_cta += 1;
        }
        self.flat
            .set(self.i.cta_valid, self.offered.is_some().into());
        if let Some(index) = self.offered {
            let cta = self.ctas[index].cta;
            let entry = self.program.entry / 4;
            self.flat.set(self.i.cta_pc, entry.into());
            self.flat.set(self.i.cta_threads, cta.threads.into());
            self.flat.set(self.i.cta_level, cta.level.into());
            self.flat.set(self.i.cta_id, cta.id.into());
        }
        let levels = self.options.levels;
        let written = self.levels.pop_front();
        self.happened.levels_written += u64::from(written.is_some());
        let level = match self.options.raise {
            _ if written.is_some() => written.map(|(warp, level)| (warp as u64, level.into())),
            Some((warp, level)) if self.raise == self.warps.cycle => {
                Some((warp.into(), level.into()))
            }
            _ if levels != 0 && self.draws.gen_range(0..1000) < levels => {
                let warp = self.draws.gen_range(0..self.size.warps as u64);
                Some((warp, self.draws.gen_range(0..16)))
            }
            _ => None,
        };
        self.flat.set(self.i.program_valid, level.is_some().into());
        if let Some((warp, level)) = level {
            self.happened.program_levels += 1;
            self.flat.set(self.i.program_warp, warp);
            self.flat.set(self.i.program_level, level);
        }
        let warp = self.to_look_up.front().copied();
        let warp = warp.unwrap_or_else(|| self.draws.gen_range(0..self.size.warps));
        self.where_warp = warp;
        self.flat.set(self.i.where_warp, warp as u64);
        // The other way round: any block that runs.
        let of = self.draws.gen_range(0..self.size.warps);
        let slot = self.warps[of].stands.filter(|_| self.warps[of].alive);
        let find = slot.and_then(|(cta, block)| {
            let slot = self.ctas[cta].report.slot?;
            Some((slot, block, cta))
        });
        if let Some((slot, block, _)) = find {
            self.flat.set(self.i.find_cta, slot.into());
            self.flat.set(self.i.find_block, block as u64);
        }
        self.finding = find.map(|(_, block, cta)| (cta, block, of));
    }

    pub(super) fn cta_ports(&mut self) -> Result<(), CoreError> {
        let cycle = self.warps.cycle;
        let room = (self.size.warps * self.size.threads) as u32;
        // Refused, in the cycle after its transfer.
        let refused = self
            .bit(self.o.cta_refused)
            .then(|| self.get(self.o.cta_refused_id) as u16);
        let expected = self.refuses.filter(|r| r.0 + 1 == cycle).map(|r| r.1);
        if refused != expected {
            return self.rule(format!("CTA refused: {refused:?}, must be {expected:?}"));
        }
        if let Some(index) = self.offered.filter(|_| self.bit(self.o.cta_ready)) {
            if !self.to_launch.is_empty() {
                return self.rule("a CTA is taken while another one is being placed");
            }
            self.offered = None;
            self.event = cycle;
            let Cta { threads, id, .. } = self.ctas[index].cta;
            if threads == 0 || threads > room {
                self.refuses = Some((cycle, id));
                self.happened.refused += 1;
                let state = &mut self.ctas[index];
                (state.report.refused, state.state) = (true, State::Done);
            } else {
                let part = self.ctas[index].part;
                let mut job = Job::new(self.program, self.run, threads, part, &self.options)?;
                if part.is_some() {
                    let memory = job.share();
                    self.shared.get_or_insert(memory);
                }
                let blocks = (0..job.blocks()).map(|block| (index, block));
                self.to_launch.extend(blocks);
                self.ctas[index].job = Some(job);
                self.ctas[index].state = State::Taken(cycle);
            }
        }
        self.mapping()?;
        if self.bit(self.o.cta_done) {
            self.cta_done()?;
        }
        let there = |c: &&Block| matches!(c.state, State::Taken(_)) && !c.report.warps.is_empty();
        let there = self.ctas.iter().filter(there).count() as u64;
        self.happened.cta_overlap += u64::from(there > 1);
        self.happened.most_ctas = self.happened.most_ctas.max(there);
        let over = |c: &&Block| matches!(c.state, State::Over(_));
        let over: Vec<_> = self.ctas.iter().filter(over).collect();
        // One pulse per cycle at most.
        let patience = DONE_WITHIN + 4 * over.len() as u64;
        let forgotten = |c: &&&Block| matches!(c.state, State::Over(at) if cycle > at + patience);
        match over.iter().find(forgotten) {
            Some(c) => self.rule(format!("no cta_done for {:?}, {:?}", c.cta, c.state)),
            None => Ok(()),
        }
    }

    /// `where_*` and `find_*` against the order of the launches.
    pub(super) fn mapping(&mut self) -> Result<(), CoreError> {
        if let Some((cta, block, warp)) = self.found.take() {
            let found = self.get(self.o.find_warp) as usize;
            if self.ctas[cta].state != State::Done && found != warp {
                return self.rule(format!(
                    "block {block} of {:?} stands on warp {warp}, find_warp is {found}",
                    self.ctas[cta].cta
                ));
            }
        }
        self.found = self.finding.take();
        let warp = self.where_warp;
        if self.to_look_up.front() == Some(&warp) {
            self.to_look_up.pop_front();
        }
        let Some((cta, block)) = self.warps[warp].stands.filter(|_| self.warps[warp].alive) else {
            return Ok(());
        };
        let seen = (
            self.get(self.o.where_block) as usize,
            self.get(self.o.where_first) as usize,
        );
        let slot = self.get(self.o.where_cta) as u8;
        if seen != (block, block * self.size.threads) {
            return self.rule(format!(
                "block {block} of {:?} stands on warp {warp}; where_block and where_first: {seen:?}",
                self.ctas[cta].cta
            ));
        }
        let others = self.ctas.iter().enumerate().filter(|(n, _)| *n != cta);
        let mut running = others.filter(|(_, c)| c.state != State::Done);
        if running.any(|(_, c)| c.report.slot == Some(slot)) {
            return self.rule(format!("two CTAs in slot {slot}"));
        }
        match self.ctas[cta].report.slot {
            Some(before) if before != slot => {
                self.rule(format!("a CTA in slots {before} and {slot}"))
            }
            _ => {
                self.ctas[cta].report.slot = Some(slot);
                Ok(())
            }
        }
    }

    pub(super) fn cta_done(&mut self) -> Result<(), CoreError> {
        let o = &self.o;
        let id = self.get(o.cta_done_id) as u16;
        let (slot, failed) = (self.get(o.cta_done_slot) as u8, self.bit(o.cta_done_failed));
        let over = |c: &Block| c.cta.id == id && matches!(c.state, State::Over(_));
        let Some(index) = self.ctas.iter().position(over) else {
            return self.rule(format!("cta_done of id {id:#x}, which has not ended"));
        };
        let state = &mut self.ctas[index];
        let known = (state.report.slot.unwrap_or(slot), state.report.failed);
        if known != (slot, failed) {
            return self.rule(format!(
                "cta_done of id {id:#x}: slot {slot}, failed {failed}; must be {known:?}"
            ));
        }
        state.state = State::Done;
        let report = &mut state.report;
        (report.slot, report.ended) = (Some(slot), self.warps.cycle);
        let mut job = state.job.take().expect("it ran");
        report.faults = job.faults();
        job.swap(&mut self.shared);
        job.compare()?;
        job.swap(&mut self.shared);
        if state.part.is_none() {
            match job.compare_alone(self.program, self.run)? {
                Some(Alone::Agrees) => report.oracle_agrees = Some(true),
                Some(Alone::Silent(why)) => self.oracle.1 = Some(why),
                None => {}
            }
        }
        report.threads = job.threads().to_vec();
        for (block, &slot) in report.warps.iter().enumerate() {
            self.by_slot[slot] += job.lanes.thread_instructions()[block];
        }
        if let Some(machine) = &job.golden {
            self.model_recentered += machine.stats().total.recentered;
            report.cache = machine.cache().cloned();
        }
        self.thread_instructions += job.lanes.thread_instructions().iter().sum::<u64>();
        report.memory = job.lanes.memory;
        self.happened.failed_ctas += u64::from(failed);
        self.ended = self.warps.cycle;
        self.event = self.warps.cycle;
        Ok(())
    }

    /// The warp has ended, or was stopped by an exception.
    pub(super) fn over(&mut self, warp: usize, failed: bool) {
        self.warps.over(warp);
        let (cta, _) = self.warps[warp].stands.expect("it ran");
        let state = &mut self.ctas[cta];
        state.ended += 1;
        state.report.failed |= failed;
        let blocks = state.job.as_ref().map_or(0, Job::blocks);
        if state.ended == blocks {
            state.state = State::Over(self.warps.cycle);
        }
        self.useful.1 = self.warps.cycle;
    }
}
