//! Memory, RAM and arithmetic, to those who use them; settings.
//!
//! Kernel of task management, parts 1 and 2.

use super::{At, Tasks};
use crate::hdl::*;

/// Memory: one of them asks at a time.
pub struct Memory;

#[part(Tasks, Memory)]
fn update(&mut self) {
    spread!(self.*.reset <- self.reset:
        reader, math, lists, pending, slots, placement, starter, looker, completion, spawn,
        registers, limit, windows, window_of_source, window_of_task,
    );

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
        carry!(self <- self.lists: ask_write, ask_address);
    }
    if self.starter.ask.val() {
        self.ask_write.next = true;
        carry!(self <- self.starter: ask_address, ask_data);
    }
    if self.looker.ask.val() {
        self.ask_write.next = false;
        self.ask_address.next = self.looker.ask_address.val();
    }
    if self.completion.ask.val() {
        self.ask_write.next = true;
        carry!(self <- self.completion: ask_address, ask_data);
    }
    if self.spawn.ask.val() {
        carry!(self <- self.spawn: ask_write, ask_address);
        self.ask_data.next = 0.into();
    }
    self.memory_request.next = self.ask.val() & !self.accepted.q.val();
    carry!(self.memory_* <- self.ask_*: write, address, data);
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
    spread!(self.*.taken <- self.taken: reader, lists);
    carry!(self.reader <- self: told, told_error = memory_error, told_data = memory_read);
    carry!(self.lists <- self: told, told_error = memory_error, told_data = memory_read);
    carry!(self.starter <- self: told, told_error = memory_error);
    carry!(self.starter <- self.reader: come, taken = reads);
    carry!(self.looker <- self: told, told_error = memory_error, told_data = memory_read);
    carry!(self.completion <- self: told, told_error = memory_error);
    carry!(self.spawn <- self: told, told_error = memory_error, told_data = memory_read);
}

/// RAM, arithmetic, settings.
pub struct Shared;

#[part(Tasks, Shared)]
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
    if self.reader.reads.val() {
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
    self.words.write_enable.next =
        self.reader.ram_write.val() | self.starter.ram_write.val() | self.looker.ram_write.val();
    self.words.write_address.next =
        (bit_cast::<9, 4>(self.row.val()) << 5) | bit_cast::<9, 5>(self.write_at.val());
    spread!(self.*.ram_data <- self.words.read_data: reader, lists, starter, looker, completion);

    // ---- Arithmetic.
    self.math.start.next = self.reader.math_start.val() | self.spawn.math_start.val();
    self.math.divide.next = self.spawn.math_start.val();
    carry!(self.math <- self.reader.math_*: a, b);
    if self.spawn.math_start.val() {
        carry!(self.math <- self.spawn.math_*: a, b);
    }
    carry!(self.reader.math_* <- self.math: done, result, over);
    carry!(self.spawn.math_* <- self.math: done, rest);

    // ---- Settings.
    carry!(self.reader <- self.*.q: again, direct, high, address = named);
    self.reader.refusal.next = self.pending.refusal.val();
    carry!(self.pending <- self.reg_*: write, address, data, read_address);
    carry!(self.pending <- self: memory_end, thread_end);
    carry!(self.pending <- self.lists: takes, takes_of_threads = of_threads, next_free, gives);
    self.pending.gives_of_threads.next = self.reader.of_threads.val();
    carry!(self.pending <- self.lists: given, clears);
    carry!(self.lists <- self.pending: base, new_place = place, reuses, free);
    carry!(self.reader <- self: memory_end, thread_end);
    self.reader.local_limit.next = self.registers.local_limit.val();
    carry!(self.reader.most_* <- self.k_*: threads, scratchpad = scratch);
    carry!(self.reader <- self.k_*: warp_round, warp_bits, granule_round, granule_bits);
    self.spawn.set_base.next = self.reg_write.val() & (self.reg_address.val() == 0x380);
    self.spawn.set_number.next = self.reg_write.val() & (self.reg_address.val() == 0x384);
    carry!(self.spawn <- self: data = reg_data, thread_end);
    carry!(self.registers <- self.reg_*: write, address, data, read_address);
    carry!(self.windows <- self.reg_*: write, address, data, read_address);
    carry!(self.window_of_source <- self.reg_*: write, address);
    carry!(self.window_of_source <- self: data = reg_data, thread_end);
    self.window_of_source.domain_id.next = self.domain_id.q.val();
    carry!(self.window_of_task <- self.reg_*: write, address);
    carry!(self.window_of_task <- self: data = reg_data, thread_end);
    self.reader.domain_id.next = self.domain_id.q.val();
    carry!(self.reader <- self.window_of_source: window_base, window_end);
    // One of them knows the address.
    self.reg_read_data.next = self.registers.read_data.val()
        | self.pending.read_data.val()
        | self.windows.read_data.val();
    carry!(self.registers.spawn_* <- self.spawn: base, number);
    carry!(self.limit <- self.reg_*: write, address, data);
    self.limit.descriptor.next = self.named.q.val();
    self.limit.wish.next = self.reader.limit.val();
    self.limit.at.next = self.slot.q.val();
    carry!(self.registers <- self.limit: limit_most = most, kill);
    self.placement.show.next = self.registers.show.val();
    self.registers.occupancy.next = self.placement.occupancy.val();
    carry!(self.placement <- self.k_*: mix, all_warps = warps);
    self.completion.now.next = self.now.val();
}
