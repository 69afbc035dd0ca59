//! What stands at the inputs in a cycle: instruction lines, units, resolves.

use super::CoreSession;
use crate::core::decode::decode;
use crate::core::units::{done_port, Answer, Done};
use rand::Rng as _;
use weft_sim::issue::{register_to_bits, Decoded};

impl CoreSession<'_> {
    pub(super) fn drive(&mut self) {
        let cycle = self.warps.cycle;
        // Instruction lines and the decoder.
        let ready = self.fetch.ready();
        self.fetch_ready = ready;
        self.flat.set(self.i.fetch_ready, ready.into());
        let comes = self.fetch.line(cycle);
        self.flat.set(self.i.line_valid, comes.is_some().into());
        if let Some(comes) = comes {
            self.happened.lines += 1;
            self.flat.set(self.i.line_warp, comes.warp.into());
            self.flat.set(self.i.line_slot, comes.slot.into());
            self.flat.set_words(self.i.line_data, &comes.data);
        }
        for p in 0..self.partitions.len() {
            for n in 0..2 {
                let bits = self.with_noise(decode(self.words[p][n]));
                self.flat.set(self.partitions[p].0.decode[n], bits);
            }
        }
        // Functional units.
        let ready = match self.warps.cycle < self.start() {
            true => 31,
            false => self.units.ready(),
        };
        self.ready[(cycle % 8) as usize] = ready;
        self.flat.set(self.i.unit_ready, ready.into());
        for port in 0..2 * self.partitions.len() {
            let done = self.units.done(cycle, port);
            let shown = match done {
                Some(done) => {
                    self.done(done);
                    (done.warp as u64, self.register(done.rd))
                }
                None if self.options.noise => {
                    let count = self.partitions.len();
                    let of_port = |&w: &usize| done_port(w, count) == port;
                    let warps: Vec<usize> = (0..self.size.warps).filter(of_port).collect();
                    let any = warps[self.draws.gen_range(0..warps.len())];
                    (any as u64, self.draws.gen_range(0..64))
                }
                None => ((port / 2 + port % 2 * self.partitions.len()) as u64, 0),
            };
            let (i, n) = (&self.partitions[port / 2].0, port % 2);
            self.flat.set(i.done_valid[n], done.is_some().into());
            self.flat.set(i.done_warp[n], shown.0);
            self.flat.set(i.done_rd[n], shown.1);
        }
        // Counters.
        if let Some(next) = self.readings.iter_mut().find(|r| r.selected.is_none()) {
            next.selected = Some(cycle);
            self.flat.set(self.i.counter_select, next.select);
        }
        // Resolves.
        if self.presented.is_none() {
            self.presented = self.units.offer(cycle);
            self.presented_since = cycle;
        }
        self.flat
            .set(self.i.resolve_valid, self.presented.is_some().into());
        if let Some(Answer {
            warp,
            pc,
            resolve,
            barrier,
            active,
        }) = self.presented
        {
            self.flat.set(self.i.resolve_active, active);
            self.flat.set(self.i.resolve_id, barrier.id.into());
            self.flat.set(self.i.resolve_word, barrier.word.into());
            self.flat.set(self.i.resolve_warp, warp as u64);
            self.flat.set(self.i.resolve_pc, pc.into());
            self.flat.set(self.i.resolve_op, resolve.op.into());
            self.flat.set(self.i.resolve_kind, resolve.kind.into());
            self.flat.set(self.i.resolve_mask, resolve.mask);
            self.flat.set(self.i.resolve_target, resolve.target.into());
        }
        self.drive_ctas();
        self.drive_tokens();
    }

    pub(super) fn with_noise(&mut self, d: Decoded) -> u64 {
        let [rd, rs1, rs2] = [d.rd, d.rs1, d.rs2].map(|r| self.register(r));
        u64::from(d.to_bits()) & 0x1f | rd << 5 | rs1 << 11 | rs2 << 17
    }

    /// The number of a register that is not used means nothing.
    pub(super) fn register(&mut self, register: Option<u8>) -> u64 {
        match register {
            None if self.options.noise => self.draws.gen_range(0..32),
            _ => register_to_bits(register).into(),
        }
    }

    pub(super) fn done(&mut self, done: Done) {
        let slot = &mut self.slots[done.warp];
        if let Some(x) = done.rd {
            slot.pending &= !(1 << x);
        }
        self.happened.overtaking += u64::from(slot.in_flight[0] != done.number);
        slot.in_flight.retain(|&number| number != done.number);
    }
}
