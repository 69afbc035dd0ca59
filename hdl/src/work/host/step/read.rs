//! A step begins: the words of its entry, or of its command, are read and checked.

use super::{At, Step};
use crate::hdl::*;

/// From `Choose` to `Third`.
pub struct Read;

#[part(Step<CI>, Read)]
fn update(&mut self) {
    match self.at.q.val() {
        At::Choose => {
            self.open.next = true;
            self.busy.next = false;
            self.word_0.d.next = self.no_word.val();
            if self.any.val() & !self.hold.val() {
                self.takes.next = true;
                self.current.d.next = self.place.val();
                self.at.d.next = At::Start;
            }
        }
        At::Start => {
            self.read.next = 2.into();
            self.in_block.d.next = self.is_inside.val();
            self.again.d.next = self.is_waiting.val();
            self.at.d.next = At::Get;
        }
        At::Get => {
            self.get.d.next = self.word.val();
            if self.in_block.q.val() {
                self.read.next = 4.into();
            }
            self.at.d.next = At::Place;
        }
        At::Place => {
            self.source_at.d.next = self.word.val();
            if !self.in_block.q.val() {
                self.source_at.d.next = self.word.val() + (self.get.q.val() << 3);
            }
            self.read.next = 5.into();
            self.at.d.next = At::Left;
        }
        At::Left => {
            self.left.d.next = self.word.val().get_bits::<16>(0);
            self.asks.d.next = true;
            spread!(self.*.d <- self.words: more, waits);
            self.got.d.next = 0.into();
            self.answered.d.next = false;
            self.m_write.d.next = false;
            self.m_address.d.next = self.source_at.q.val();
            self.then.d.next = At::First;
            self.at.d.next = At::Memory;
        }
        At::Memory => {
            self.open.next = true;
            if ((self.memory_done.val() & !self.waits.q.val().any()) | self.answered.q.val())
                & !self.hold.val()
            {
                self.at.d.next = self.then.q.val();
            }
        }
        At::First => {
            self.at.d.next = At::Second;
            if self.in_block.q.val() {
                if self.command.size.val() == 1 {
                    self.at.d.next = At::Execute;
                }
                if self.command.wrong.val() {
                    self.error.d.next = self.command.code.val();
                    self.error_at.d.next = self.source_at.q.val();
                    self.at.d.next = At::Error;
                }
            }
            if self.error_0.q.val() {
                self.word_0.d.next = self.no_word.val();
                self.error.d.next = self.k_memory.val();
                self.error_at.d.next = self.source_at.q.val();
                self.at.d.next = At::Error;
            }
        }
        At::Second => {
            if self.in_block.q.val() {
                self.at.d.next = At::Execute;
                if self.command.size.val() == 3 {
                    self.at.d.next = At::Third;
                }
            } else {
                // The block begins.
                self.to.d.next = self.word_0.q.val();
                self.left.d.next = self.word_1.q.val().get_bits::<16>(0);
                self.at.d.next = At::Block;
                if !self.is_within.q.val() | self.word_0.q.val().get_bits::<2>(0).any() {
                    self.error.d.next = self.k_block.val();
                    self.error_at.d.next = self.source_at.q.val();
                    self.at.d.next = At::Error;
                }
                if !self.word_1.q.val().get_bits::<16>(0).any() {
                    self.error.d.next = self.k_length.val();
                    self.error_at.d.next = self.second.val();
                    self.at.d.next = At::Error;
                }
                if self.word_1.q.val().get_bits::<16>(16).any() {
                    self.error.d.next = self.k_reserved.val();
                    self.error_at.d.next = self.second.val();
                    self.at.d.next = At::Error;
                }
            }
            if self.error_1.q.val() {
                self.error.d.next = self.k_memory.val();
                self.error_at.d.next = self.second.val();
                self.at.d.next = At::Error;
            }
        }
        At::Third => {
            self.at.d.next = At::Execute;
            if !self.is_within.q.val()
                | self.word_1.q.val().get_bits::<2>(0).any()
                | (self.command.releases.val()
                    & self.command.flag_1.val()
                    & self.word_1.q.val().get_bits::<2>(2).any())
            {
                self.error.d.next = self.k_semaphore.val();
                self.error_at.d.next = self.second.val();
                self.at.d.next = At::Error;
            }
            if self.error_2.q.val() {
                self.error.d.next = self.k_memory.val();
                self.error_at.d.next = self.third.val();
                self.at.d.next = At::Error;
            }
        }
        _ => {}
    }
}
