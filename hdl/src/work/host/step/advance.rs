//! A step ends: the channel's place moves on, or it waits, or it has an error; trace and reset.

use super::{At, Step};
use crate::hdl::*;

/// From `Advance` to `ErrorAddress`.
pub struct Advance;

#[part(Step<CI>, Advance)]
fn update(&mut self) {
    match self.at.q.val() {
        At::Advance => {
            self.to.d.next = self.source_at.q.val() + self.span.val();
            self.left.d.next = self.rest.val();
            self.at.d.next = At::Block;
            if !self.rest.val().any() {
                self.at.d.next = At::Shadow;
            }
        }
        At::Block => {
            self.write.next = true;
            self.write_word.next = 4.into();
            self.data.next = self.to.q.val();
            self.at.d.next = At::Rest;
        }
        At::Rest => {
            self.write.next = true;
            self.write_word.next = 5.into();
            self.data.next = bit_cast::<32, 16>(self.left.q.val());
            self.ends.next = true;
            self.count_command.next = self.in_block.q.val();
            self.count_launch.next = self.in_block.q.val() & self.command.launch.val();
            self.sets_interrupt.next = self.in_block.q.val() & self.command.interrupts.val();
            self.at.d.next = At::Choose;
        }
        At::Shadow => {
            self.read.next = 9.into();
            self.at.d.next = At::Number;
        }
        At::Number => {
            self.shadow.d.next = self.word.val();
            self.recycles.d.next = self.is_owner.val() & self.word.val().any();
            self.read.next = 1.into();
            self.at.d.next = At::Limit;
        }
        At::Limit => {
            self.number.d.next = self.word.val().get_bits::<17>(0);
            self.read.next = 3.into();
            self.at.d.next = At::Put;
            if self.recycles.q.val() {
                self.read.next = 10.into();
                self.at.d.next = At::Recycle;
            }
        }
        At::Recycle => {
            self.asks.d.next = true;
            self.answered.d.next = false;
            self.m_write.d.next = true;
            self.m_address.d.next = self.shadow.q.val();
            self.m_data.d.next = self.word.val() + self.one_word.val();
            self.then.d.next = At::MoveLimit;
            self.at.d.next = At::Memory;
        }
        At::MoveLimit => {
            self.read.next = 3.into();
            self.write.next = !self.m_error.q.val();
            self.write_word.next = 10.into();
            self.data.next = self.m_data.q.val();
            self.at.d.next = At::Put;
            if self.m_error.q.val() {
                self.error.d.next = self.k_memory.val();
                self.error_at.d.next = self.m_address.q.val();
                self.at.d.next = At::Error;
            }
        }
        At::Put => {
            self.read.next = 11.into();
            self.at.d.next = At::MovePut;
        }
        At::MovePut => {
            self.write.next = self.recycles.q.val();
            self.write_word.next = 3.into();
            self.data.next = self.put_next.val();
            self.is_empty.d.next = self.put_next.val() == self.next_get.q.val();
            self.at.d.next = At::MoveDone;
        }
        At::MoveDone => {
            self.write.next = true;
            self.write_word.next = 11.into();
            self.data.next = self.old.q.val() + self.one_word.val();
            self.at.d.next = At::MoveGet;
        }
        At::MoveGet => {
            self.write.next = true;
            self.write_word.next = 2.into();
            self.data.next = self.wrapped.val();
            self.ends.next = true;
            self.end_inside.next = false;
            self.end_moves.next = true;
            self.count_entry.next = true;
            self.count_command.next = true;
            self.count_launch.next = self.command.launch.val();
            self.sets_interrupt.next = self.command.interrupts.val();
            self.at.d.next = At::Choose;
        }
        At::Waits => {
            self.ends.next = true;
            self.end_waits.next = !self.for_idle.q.val();
            self.end_waits_idle.next = self.for_idle.q.val();
            self.sets_poll.next = !self.for_idle.q.val();
            self.result.next = 1.into();
            self.at.d.next = At::Choose;
        }
        At::Error => {
            self.write.next = true;
            self.write_word.next = 6.into();
            self.data.next = self.valid_error.val() | bit_cast::<32, 8>(self.error.q.val());
            self.at.d.next = At::ErrorEntry;
        }
        At::ErrorEntry => {
            self.write.next = true;
            self.write_word.next = 7.into();
            self.data.next = self.get.q.val();
            self.at.d.next = At::ErrorAddress;
        }
        At::ErrorAddress => {
            self.write.next = true;
            self.write_word.next = 8.into();
            self.data.next = self.error_at.q.val();
            self.ends.next = true;
            self.end_inside.next = false;
            self.end_fails.next = true;
            self.result.next = 2.into();
            self.shown.next = self.error.q.val();
            self.at.d.next = At::Choose;
        }
        _ => {}
    }
    self.trace_valid.next = self.ends.val();
    self.trace_channel.next = self.current.q.val();
    self.trace_command.next = self.in_block.q.val();
    carry!(self.trace_* <- self.*.q: get, address = source_at, word = word_0);
    carry!(self.trace_* <- self: result, code = shown);
    if self.reset.val() {
        self.at.d.next = At::Choose;
        self.asks.d.next = false;
        self.launches.d.next = false;
        self.forgets.d.next = false;
    }
}
