//! A command is executed: others are asked, and a semaphore is compared or written.

use super::{At, Step};
use crate::hdl::*;

/// From `Execute` to `Released`.
pub struct Execute;

#[part(Step<CI>, Execute)]
fn update(&mut self) {
    match self.at.q.val() {
        At::Execute => {
            self.for_idle.d.next = true;
            self.replied.d.next = false;
            self.stamp_low.d.next = self.now.val();
            self.stamp_high.d.next = self.now_high.val();
            self.at.d.next = At::Advance;
            if self.command.launch.val() {
                self.launches.d.next = true;
                self.at.d.next = At::Launch;
            }
            if self.command.membar.val() & (self.command.flag_0.val() | self.command.flag_1.val()) {
                self.forgets.d.next = true;
                self.at.d.next = At::Forget;
            }
            if self.command.wait_idle.val() & !self.idle.val() {
                self.at.d.next = At::Waits;
            }
            if self.command.acquire.val() {
                self.asks.d.next = true;
                self.answered.d.next = false;
                self.m_address.d.next = self.word_1.q.val();
                self.then.d.next = At::Compare;
                self.at.d.next = At::Memory;
            }
            if self.command.releases.val() {
                if self.command.flag_0.val() & !self.idle.val() {
                    self.at.d.next = At::Waits;
                } else {
                    self.asks.d.next = true;
                    self.answered.d.next = false;
                    self.m_write.d.next = true;
                    self.m_address.d.next = self.word_1.q.val();
                    self.m_data.d.next = self.word_2.q.val();
                    self.then.d.next = At::Released;
                    self.at.d.next = At::Memory;
                    if self.command.flag_1.val() {
                        self.m_address.d.next = self.word_1.q.val() + 4;
                        self.m_data.d.next = self.no_word.val();
                        self.then.d.next = At::Low;
                    }
                }
            }
        }
        At::Launch => {
            self.open.next = true;
            if self.replied.q.val() & !self.hold.val() {
                self.at.d.next = At::Advance;
                if self.reply_code.q.val().any() {
                    self.error.d.next = self.reply_code.q.val();
                    self.error_at.d.next = self.reply_place.q.val();
                    self.at.d.next = At::Error;
                }
            }
        }
        At::Forget => {
            self.open.next = true;
            if self.replied.q.val() & !self.hold.val() {
                self.at.d.next = At::Advance;
            }
        }
        At::Compare => {
            self.read.next = 12.into();
            self.at.d.next = At::Count;
            if self.passes.val() {
                self.at.d.next = At::Advance;
            }
            if self.m_error.q.val() {
                self.error.d.next = self.k_memory.val();
                self.error_at.d.next = self.m_address.q.val();
                self.at.d.next = At::Error;
            }
        }
        At::Count => {
            self.at.d.next = At::Failed;
        }
        At::Failed => {
            self.for_idle.d.next = false;
            self.error_at.d.next = self.word_1.q.val();
            self.write.next = true;
            self.write_word.next = 12.into();
            self.data.next = self.tried.val();
            self.at.d.next = At::Waits;
            if self.timeout.val().any() & (self.tried.val() >= self.timeout.val()) {
                self.error.d.next = self.k_timeout.val();
                self.at.d.next = At::Error;
            }
        }
        At::Low => {
            self.asks.d.next = true;
            self.answered.d.next = false;
            self.m_address.d.next = self.word_1.q.val() + 8;
            self.m_data.d.next = self.stamp_low.q.val();
            self.then.d.next = At::High;
            self.at.d.next = At::Memory;
            if self.m_error.q.val() {
                self.asks.d.next = false;
                self.error.d.next = self.k_memory.val();
                self.error_at.d.next = self.m_address.q.val();
                self.at.d.next = At::Error;
            }
        }
        At::High => {
            self.asks.d.next = true;
            self.answered.d.next = false;
            self.m_address.d.next = self.word_1.q.val() + 12;
            self.m_data.d.next = self.stamp_high.q.val();
            self.then.d.next = At::Value;
            self.at.d.next = At::Memory;
            if self.m_error.q.val() {
                self.asks.d.next = false;
                self.error.d.next = self.k_memory.val();
                self.error_at.d.next = self.m_address.q.val();
                self.at.d.next = At::Error;
            }
        }
        At::Value => {
            self.asks.d.next = true;
            self.answered.d.next = false;
            self.m_address.d.next = self.word_1.q.val();
            self.m_data.d.next = self.word_2.q.val();
            self.then.d.next = At::Released;
            self.at.d.next = At::Memory;
            if self.m_error.q.val() {
                self.asks.d.next = false;
                self.error.d.next = self.k_memory.val();
                self.error_at.d.next = self.m_address.q.val();
                self.at.d.next = At::Error;
            }
        }
        At::Released => {
            self.at.d.next = At::Advance;
            if self.m_error.q.val() {
                self.error.d.next = self.k_memory.val();
                self.error_at.d.next = self.m_address.q.val();
                self.at.d.next = At::Error;
            }
        }
        _ => {}
    }
}
