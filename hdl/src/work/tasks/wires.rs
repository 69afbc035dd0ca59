//! Memory, RAM and arithmetic, to those who use them; settings.
//!
//! Kernel of task management, parts 1 and 2.

use super::{At, Tasks};
use crate::hdl::*;

/// Memory: one of them asks at a time.
pub struct Memory;

impl<
        const T: usize,
        const S: usize,
        const NW: usize,
        const W: usize,
        const SCRATCH: usize,
        const MIX: usize,
    > kernel::Part<Memory> for Tasks<T, S, NW, W, SCRATCH, MIX>
{
    #[hdl_gen]
    fn update(&mut self) {
        self.reader.reset.next = self.reset.val();
        self.math.reset.next = self.reset.val();
        self.lists.reset.next = self.reset.val();
        self.pending.reset.next = self.reset.val();
        self.slots.reset.next = self.reset.val();
        self.placement.reset.next = self.reset.val();
        self.starter.reset.next = self.reset.val();
        self.looker.reset.next = self.reset.val();
        self.completion.reset.next = self.reset.val();
        self.spawn.reset.next = self.reset.val();
        self.registers.reset.next = self.reset.val();
        self.limit.reset.next = self.reset.val();
        self.windows.reset.next = self.reset.val();
        self.window_of_source.reset.next = self.reset.val();
        self.window_of_task.reset.next = self.reset.val();

        // ---- Memory: at most one of them asks.
        self.ask.next = self.reader.ask.val()
            | self.lists.ask.val()
            | self.starter.ask.val()
            | self.looker.ask.val()
            | self.completion.ask.val()
            | self.spawn.ask.val();
        self.ask_write.next = false;
        self.ask_address.next = self.reader.ask_address.val();
        self.ask_data.next = self.lists.ask_data.val();
        if self.lists.ask.val() {
            self.ask_write.next = self.lists.ask_write.val();
            self.ask_address.next = self.lists.ask_address.val();
        }
        if self.starter.ask.val() {
            self.ask_write.next = true;
            self.ask_address.next = self.starter.ask_address.val();
            self.ask_data.next = self.starter.ask_data.val();
        }
        if self.looker.ask.val() {
            self.ask_write.next = false;
            self.ask_address.next = self.looker.ask_address.val();
        }
        if self.completion.ask.val() {
            self.ask_write.next = true;
            self.ask_address.next = self.completion.ask_address.val();
            self.ask_data.next = self.completion.ask_data.val();
        }
        if self.spawn.ask.val() {
            self.ask_write.next = self.spawn.ask_write.val();
            self.ask_address.next = self.spawn.ask_address.val();
            self.ask_data.next = 0.into();
        }
        self.memory_request.next = self.ask.val() & !self.accepted.q.val();
        self.memory_write.next = self.ask_write.val();
        self.memory_address.next = self.ask_address.val();
        self.memory_data.next = self.ask_data.val();
        self.memory_more.next = 0.into();
        if self.reader.ask.val() {
            self.memory_more.next = self.reader.ask_more.val();
        }
        if self.lists.ask.val() {
            self.memory_more.next = self.lists.ask_more.val();
        }
        // Whoever does not stream waits for the answer.
        self.streams.next = self.reader.streams.val() | self.lists.streams.val();
        self.taken.next = self.memory_request.val() & self.memory_ready.val();
        if self.taken.val() & !self.streams.val() {
            self.accepted.d.next = true;
        }
        self.told.next = self.memory_done.val();
        if self.told.val() {
            self.accepted.d.next = false;
        }
        self.reader.taken.next = self.taken.val();
        self.lists.taken.next = self.taken.val();
        self.reader.told.next = self.told.val();
        self.reader.told_error.next = self.memory_error.val();
        self.reader.told_data.next = self.memory_read.val();
        self.lists.told.next = self.told.val();
        self.lists.told_error.next = self.memory_error.val();
        self.lists.told_data.next = self.memory_read.val();
        self.starter.told.next = self.told.val();
        self.starter.told_error.next = self.memory_error.val();
        self.looker.told.next = self.told.val();
        self.looker.told_error.next = self.memory_error.val();
        self.looker.told_data.next = self.memory_read.val();
        self.completion.told.next = self.told.val();
        self.completion.told_error.next = self.memory_error.val();
        self.spawn.told.next = self.told.val();
        self.spawn.told_error.next = self.memory_error.val();
        self.spawn.told_data.next = self.memory_read.val();
    }
}

/// RAM, arithmetic, settings.
pub struct Shared;

impl<
        const T: usize,
        const S: usize,
        const NW: usize,
        const W: usize,
        const SCRATCH: usize,
        const MIX: usize,
    > kernel::Part<Shared> for Tasks<T, S, NW, W, SCRATCH, MIX>
{
    #[hdl_gen]
    fn update(&mut self) {
        // ---- RAM of descriptors: of one that is only inserted row 8, else that of the slot.
        self.reads.next = (self.step.q.val() == At::Read)
            | (self.step.q.val() == At::Link)
            | (self.step.q.val() == At::Inserted)
            | (self.step.q.val() == At::Loaded)
            | (self.step.q.val() == At::Load)
            | (self.step.q.val() == At::Take);
        self.row.next = bit_cast::<4, 3>(self.slot.q.val());
        if self.reads.val() & !self.again.q.val() & !self.direct.q.val() {
            self.row.next = 8.into();
        }
        self.word_at.next = self.starter.ram_read_at.val();
        if self.reader.busy.val() {
            self.word_at.next = self.reader.ram_read_at.val();
        }
        if (self.step.q.val() == At::Return)
            | (self.step.q.val() == At::Returned)
            | ((self.step.q.val() == At::Link) & !self.direct.q.val())
        {
            self.word_at.next = self.lists.ram_read_at.val();
        }
        if (self.step.q.val() == At::Complete) | (self.step.q.val() == At::Write) {
            self.word_at.next = self.completion.ram_read_at.val();
        }
        if (self.step.q.val() == At::Looked) | (self.step.q.val() == At::EndLooks) {
            self.word_at.next = self.looker.ram_read_at.val();
        }
        self.words.read_address.next =
            (bit_cast::<9, 4>(self.row.val()) << 5) | bit_cast::<9, 5>(self.word_at.val());
        self.write_at.next = self.reader.ram_write_at.val();
        self.words.write_data.next = self.reader.ram_write_data.val();
        if self.starter.ram_write.val() {
            self.write_at.next = self.starter.ram_write_at.val();
            self.words.write_data.next = self.starter.ram_write_data.val();
        }
        if self.looker.ram_write.val() {
            self.write_at.next = self.looker.ram_write_at.val();
            self.words.write_data.next = self.looker.ram_write_data.val();
        }
        self.words.write_enable.next = self.reader.ram_write.val()
            | self.starter.ram_write.val()
            | self.looker.ram_write.val();
        self.words.write_address.next =
            (bit_cast::<9, 4>(self.row.val()) << 5) | bit_cast::<9, 5>(self.write_at.val());
        self.reader.ram_data.next = self.words.read_data.val();
        self.lists.ram_data.next = self.words.read_data.val();
        self.starter.ram_data.next = self.words.read_data.val();
        self.looker.ram_data.next = self.words.read_data.val();
        self.completion.ram_data.next = self.words.read_data.val();

        // ---- Arithmetic.
        self.math.start.next = self.reader.math_start.val() | self.spawn.math_start.val();
        self.math.divide.next = self.spawn.math_start.val();
        self.math.a.next = self.reader.math_a.val();
        self.math.b.next = self.reader.math_b.val();
        if self.spawn.math_start.val() {
            self.math.a.next = self.spawn.math_a.val();
            self.math.b.next = self.spawn.math_b.val();
        }
        self.reader.math_done.next = self.math.done.val();
        self.reader.math_result.next = self.math.result.val();
        self.reader.math_over.next = self.math.over.val();
        self.spawn.math_done.next = self.math.done.val();
        self.spawn.math_rest.next = self.math.rest.val();

        // ---- Settings.
        self.reader.again.next = self.again.q.val();
        self.reader.direct.next = self.direct.q.val();
        self.reader.high.next = self.high.q.val();
        self.reader.address.next = self.named.q.val();
        self.reader.refusal.next = self.pending.refusal.val();
        self.pending.write.next = self.reg_write.val();
        self.pending.address.next = self.reg_address.val();
        self.pending.data.next = self.reg_data.val();
        self.pending.read_address.next = self.reg_read_address.val();
        self.pending.memory_end.next = self.memory_end.val();
        self.pending.thread_end.next = self.thread_end.val();
        self.pending.takes.next = self.lists.takes.val();
        self.pending.takes_of_threads.next = self.lists.of_threads.val();
        self.pending.next_free.next = self.lists.next_free.val();
        self.pending.gives.next = self.lists.gives.val();
        self.pending.gives_of_threads.next = self.reader.of_threads.val();
        self.pending.given.next = self.lists.given.val();
        self.pending.clears.next = self.lists.clears.val();
        self.lists.base.next = self.pending.base.val();
        self.lists.new_place.next = self.pending.place.val();
        self.lists.reuses.next = self.pending.reuses.val();
        self.lists.free.next = self.pending.free.val();
        self.reader.memory_end.next = self.memory_end.val();
        self.reader.thread_end.next = self.thread_end.val();
        self.reader.local_limit.next = self.registers.local_limit.val();
        self.reader.most_threads.next = self.k_threads.val();
        self.reader.most_scratchpad.next = self.k_scratch.val();
        self.reader.warp_round.next = self.k_warp_round.val();
        self.reader.warp_bits.next = self.k_warp_bits.val();
        self.reader.granule_round.next = self.k_granule_round.val();
        self.reader.granule_bits.next = self.k_granule_bits.val();
        self.spawn.set_base.next = self.reg_write.val() & (self.reg_address.val() == 0x380);
        self.spawn.set_number.next = self.reg_write.val() & (self.reg_address.val() == 0x384);
        self.spawn.data.next = self.reg_data.val();
        self.spawn.thread_end.next = self.thread_end.val();
        self.registers.write.next = self.reg_write.val();
        self.registers.address.next = self.reg_address.val();
        self.registers.data.next = self.reg_data.val();
        self.registers.read_address.next = self.reg_read_address.val();
        self.windows.write.next = self.reg_write.val();
        self.windows.address.next = self.reg_address.val();
        self.windows.data.next = self.reg_data.val();
        self.windows.read_address.next = self.reg_read_address.val();
        self.window_of_source.write.next = self.reg_write.val();
        self.window_of_source.address.next = self.reg_address.val();
        self.window_of_source.data.next = self.reg_data.val();
        self.window_of_source.thread_end.next = self.thread_end.val();
        self.window_of_source.domain_id.next = self.domain_id.q.val();
        self.window_of_task.write.next = self.reg_write.val();
        self.window_of_task.address.next = self.reg_address.val();
        self.window_of_task.data.next = self.reg_data.val();
        self.window_of_task.thread_end.next = self.thread_end.val();
        self.reader.domain_id.next = self.domain_id.q.val();
        self.reader.window_base.next = self.window_of_source.window_base.val();
        self.reader.window_end.next = self.window_of_source.window_end.val();
        // One of them knows the address.
        self.reg_read_data.next = self.registers.read_data.val()
            | self.pending.read_data.val()
            | self.windows.read_data.val();
        self.registers.spawn_base.next = self.spawn.base.val();
        self.registers.spawn_number.next = self.spawn.number.val();
        self.limit.write.next = self.reg_write.val();
        self.limit.address.next = self.reg_address.val();
        self.limit.data.next = self.reg_data.val();
        self.limit.descriptor.next = self.named.q.val();
        self.limit.wish.next = self.reader.limit.val();
        self.limit.at.next = self.slot.q.val();
        self.registers.limit_most.next = self.limit.most.val();
        self.registers.kill.next = self.limit.kill.val();
        self.placement.show.next = self.registers.show.val();
        self.registers.occupancy.next = self.placement.occupancy.val();
        self.placement.mix.next = self.k_mix.val();
        self.placement.all_warps.next = self.k_warps.val();
        self.completion.now.next = self.now.val();
    }
}
