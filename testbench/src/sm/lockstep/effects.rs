//! Accesses take effect: each as the golden machine has made it, in the order that fences, acquires and releases ask for.

use super::{lanes, Expected, Flight, Lockstep};
use crate::sm::ports::{op, Effects};
use crate::sm::report::SmError;
use crate::sm::shadow::{Kind, Who};
use weft_sim::space::{LOCAL, SCRATCHPAD};

impl Lockstep<'_> {
    pub(super) fn effects(&mut self, e: &Effects, memory: &[u8]) -> Result<(), SmError> {
        self.event = self.warps.cycle;
        self.seen.effects += 1;
        if self.stands(e.warp).is_none() || e.mask == 0 {
            return self.rule(format!("an effect of nobody: {e:x?}"));
        }
        let first = e.mask.trailing_zeros() as usize;
        let on_chip = e.address.get(first).is_some_and(|&at| at >= SCRATCHPAD);
        if e.op == op::LOAD && !on_chip {
            let lane = e.part * self.shape.lanes + first;
            let expected = self.slots[e.warp].expected.get(lane);
            let regular = expected.and_then(|e| e.front()).is_none_or(|e| e.regular);
            self.mode.read(regular);
        }
        for l in lanes(e.mask) {
            let lane = e.part * self.shape.lanes + l;
            if l >= self.shape.lanes || lane >= self.shape.threads {
                return self.rule(format!("an effect of a lane that does not exist: {e:x?}"));
            }
            self.effect(e, lane, (e.address[l], e.data[l]), memory)?;
        }
        Ok(())
    }

    pub(super) fn effect(
        &mut self,
        e: &Effects,
        lane: usize,
        (address, data): (u32, u32),
        memory: &[u8],
    ) -> Result<(), SmError> {
        let (warp, who) = (e.warp, self.who(e.warp, lane));
        // Only when something is wrong.
        let shown = || {
            format!(
                "lane {lane}: operation {} at {address:#x}, data {data:#x}",
                e.op
            )
        };
        let expected = loop {
            let Some(next) = self.slots[warp].expected[lane].pop_front() else {
                break None;
            };
            // It was answered with an error and has not shown.
            if next.bad && (next.access.address != address) {
                continue;
            }
            break Some(next);
        };
        let Some(expected) = expected else {
            if self.slots[warp].fault.is_none() {
                return self.mismatch(warp, "an access", shown(), "none is to come");
            }
            // Without rd it is not known whose `done` came: an access may be what is left of any of these.
            let may_act = |f: &Flight| (f.memory || f.rd.is_none()) && !f.ignored;
            if !self.slots[warp].flights.iter().any(may_act) {
                return self.rule(format!(
                    "SM-022: warp {warp} has faulted, a later instruction acts: {}",
                    shown()
                ));
            }
            // Behind a fault: it acts, and nobody knows with what.
            let writes = e.op == op::STORE || e.op == op::SC || e.op >= op::AMO;
            let forgotten = match writes {
                true => self.shadow.forget(&who, address),
                false => self
                    .bounds
                    .window(address, 1)
                    .map(|_| ())
                    .map_err(|e| e.to_string()),
            };
            return match forgotten {
                Ok(()) => Ok(()),
                Err(detail) => self.rule(format!("{}: {detail}", shown())),
            };
        };
        let Expected {
            serial,
            access: a,
            bad,
            ..
        } = expected;
        let op_agrees = e.op == a.op || a.op == op::SC && e.op == op::SC_FAILS;
        let mask = match a.size {
            4 => u32::MAX,
            size => (1u32 << (8 * size)) - 1,
        };
        let carries = !matches!(a.op, op::LOAD | op::LR);
        let data_agrees = !carries || data & mask == a.data & mask;
        if !op_agrees || address != a.address || !data_agrees {
            let model = format!(
                "operation {} at {:#x}, data {:#x}, {} bytes",
                a.op, a.address, a.data, a.size
            );
            return self.mismatch(warp, "an access", shown(), model);
        }
        self.behind_a_fence(warp, serial, memory)?;
        if bad {
            // The memory does not take it.
            return Ok(());
        }
        let kind = match a.op {
            op::LOAD => Kind::Load { signed: a.signed },
            op::STORE => Kind::Store,
            op::LR => Kind::LoadReserved,
            op::SC => Kind::StoreConditional(e.op == op::SC),
            _ => Kind::Amo(a.amo.expect("it is an AMO")),
        };
        self.count(a.op, e.op, address, &who);
        let (start, end) = self.program.text;
        let in_text = carries && (start..end).contains(&address);
        let before = self.shadow.physical(address).filter(|_| in_text);
        let result = match self.shadow.access(&who, kind, a.size, address, data) {
            Ok(result) => result,
            Err(detail) => return self.rule(format!("warp {warp}, {}: {detail}", shown())),
        };
        if let (Some(before), Some(now)) = (before, self.shadow.physical(address)) {
            self.text
                .wrote(self.warps.cycle, warp, address & !3, [before, now]);
        }
        if carries && e.op != op::SC_FAILS {
            if let Ok(word) = self.shadow.word(&who, address) {
                let now = self.shadow.now();
                self.slots[warp].written.insert(word, now);
            }
        }
        let Some(rd) = a.rd.filter(|&rd| rd != 0) else {
            return Ok(());
        };
        self.seen.unknown += u64::from(result.is_none());
        if let Some(value) = result {
            if let Some((golden, block)) = self.golden(warp) {
                golden.counter_read(block, 1 << lane, rd, value);
            }
        }
        let slot = &mut self.slots[warp];
        let Some(flight) = slot.flights.iter_mut().find(|f| f.serial == serial) else {
            return self.rule(format!("warp {warp}, {}: after its `done`", shown()));
        };
        flight.waits &= !(1 << lane);
        flight.expected[lane] = result;
        Ok(())
    }

    pub(super) fn count(&mut self, op: u8, shown: u8, address: u32, who: &Who) {
        let s = &mut self.seen;
        match op {
            op::LOAD => s.loads += 1,
            op::STORE => s.stores += 1,
            _ => s.atomics += 1,
        }
        s.local += u64::from((LOCAL..SCRATCHPAD).contains(&address));
        s.scratchpad += u64::from(address >= SCRATCHPAD);
        if op == op::SC {
            s.sc += 1;
            let fails = shown == op::SC_FAILS;
            s.sc_failed += u64::from(fails);
            s.sc_spurious += u64::from(fails && self.shadow.reserved(who, address));
        }
    }

    /// MEM-014: what acts behind a fence finds it complete, though its `done` may be on its way.
    pub(super) fn behind_a_fence(
        &mut self,
        warp: usize,
        serial: u64,
        memory: &[u8],
    ) -> Result<(), SmError> {
        let mut passed = false;
        for flight in &mut self.slots[warp].flights {
            let open = flight.fence && !flight.done && !flight.loose;
            if open && flight.serial < serial {
                flight.fence = false;
                passed = true;
            }
        }
        // ORDER-020, ORDER-021: an atomic of these acts first, or something acts behind one that acquires.
        self.slots[warp].ordered.retain_mut(|one| {
            let (before, itself) = (one.serial < serial, one.serial == serial);
            passed |= before && one.acquires && one.acted || itself && !one.acted;
            one.acted |= itself;
            !before
        });
        match passed {
            true => self.fenced(warp, memory),
            false => Ok(()),
        }
    }

    /// MEM-014: what the warp wrote before its fence, acquire or release is behind the port.
    pub(super) fn fenced(&mut self, warp: usize, memory: &[u8]) -> Result<(), SmError> {
        for (word, number) in std::mem::take(&mut self.slots[warp].written) {
            let Some((at, value)) = self.shadow.written_last(word, number) else {
                continue;
            };
            let n = at as usize;
            let there = u32::from_le_bytes(memory[n..n + 4].try_into().expect("four bytes"));
            if there != value {
                return self.rule(format!(
                    "MEM-014: warp {warp} is past its fence, acquire or release, {at:#x} must be {value:#x} in memory and is {there:#x}"
                ));
            }
        }
        Ok(())
    }
}
