//! The host at the AXI4-Lite subordinate of the launcher: one access at a time, with random gaps, and the rules of that
//! port.

use super::ports::{HostIn, HostOut};
use crate::seed::{stream, Rng};
use rand::Rng as _;
use std::collections::VecDeque;

/// Registers of the launcher (docs/spec/memory.md, *Launcher*).
pub mod register {
    pub const ID: u8 = 0x00;
    pub const SIZE: u8 = 0x04;
    pub const CONTROL: u8 = 0x08;
    pub const STATUS: u8 = 0x0c;
    pub const ENTRY: u8 = 0x10;
    pub const GRID: u8 = 0x14;
    pub const CTA: u8 = 0x20;
    pub const ARGUMENTS: u8 = 0x2c;
    pub const SCRATCHPAD: u8 = 0x30;
    pub const LOCAL: u8 = 0x34;
    pub const LOCAL_BASE: u8 = 0x38;
    pub const TOKEN_BASE: u8 = 0x3c;
    pub const TOKEN_SIZE: u8 = 0x40;
    pub const MEMORY_SIZE: u8 = 0x44;
    pub const LEVEL: u8 = 0x48;
    pub const YIELD: u8 = 0x4c;
    pub const MODE: u8 = 0x50;
    pub const SUBVECTOR: u8 = 0x54;
    pub const PRIORITY: u8 = 0x58;
    pub const RANDOM: u8 = 0x5c;
    pub const FAULT: u8 = 0x60;
    pub const FAULT_PC: u8 = 0x64;
    pub const FAULT_ADDRESS: u8 = 0x68;
    pub const FAULT_CTA: u8 = 0x6c;
    pub const CYCLES: u8 = 0x70;
    pub const CTAS_DONE: u8 = 0x78;
    pub const RESIDENT: u8 = 0x7c;

    /// `ID` reads as.
    pub const WEFT: u32 = 0x5745_4654;
}

/// Bits of STATUS.
pub mod status {
    pub const BUSY: u32 = 1;
    pub const DONE: u32 = 2;
    pub const FAILED: u32 = 4;
    pub const REFUSED: u32 = 8;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    Read(u8),
    Write(u8, u32),
}

pub struct Host {
    queue: VecDeque<Access>,
    current: Option<Access>,
    address_sent: bool,
    data_sent: bool,
    out: HostOut,
    before: Option<(HostOut, HostIn)>,
    gap: u32,
    rng: Rng,
    /// Of reads, in their order.
    answers: VecDeque<(u8, u32)>,
}

impl Host {
    /// `gap`: of 100 cycles, those in which it holds back.
    pub fn new(gap: u32, seed: u64) -> Host {
        Host {
            queue: VecDeque::new(),
            current: None,
            address_sent: false,
            data_sent: false,
            out: HostOut::default(),
            before: None,
            gap,
            rng: stream(seed, "host"),
            answers: VecDeque::new(),
        }
    }

    pub fn access(&mut self, access: Access) {
        self.queue.push_back(access);
    }

    pub fn idle(&self) -> bool {
        self.queue.is_empty() && self.current.is_none()
    }

    /// Register and value of the oldest read that has come back.
    pub fn answer(&mut self) -> Option<(u8, u32)> {
        self.answers.pop_front()
    }

    fn holds_back(&mut self) -> bool {
        self.gap != 0 && self.rng.gen_range(0..100) < self.gap
    }

    pub fn drive(&mut self) -> HostOut {
        if self.current.is_none() && !self.holds_back() {
            self.current = self.queue.pop_front();
            (self.address_sent, self.data_sent) = (false, false);
        }
        let was = self.out;
        let mut out = HostOut {
            b_ready: !self.holds_back(),
            r_ready: !self.holds_back(),
            ..HostOut::default()
        };
        match self.current {
            Some(Access::Read(address)) => {
                out.ar_address = address;
                out.ar_valid = !self.address_sent && (was.ar_valid || !self.holds_back());
            }
            Some(Access::Write(address, data)) => {
                (out.aw_address, out.w_data, out.w_strobe) = (address, data, 15);
                out.aw_valid = !self.address_sent && (was.aw_valid || !self.holds_back());
                out.w_valid = !self.data_sent && (was.w_valid || !self.holds_back());
            }
            None => {}
        }
        self.out = out;
        out
    }

    pub fn edge(&mut self, answer: &HostIn) -> Result<(), String> {
        if let Some((was, before)) = self.before {
            let b = before.b_valid
                && !was.b_ready
                && (before.b_valid, before.b_resp) != (answer.b_valid, answer.b_resp);
            let r = |h: &HostIn| (h.r_valid, h.r_data, h.r_resp);
            if b || before.r_valid && !was.r_ready && r(&before) != r(answer) {
                return Err(format!(
                    "AXI4-Lite: an answer changed before it was taken: {before:x?}, then {answer:x?}"
                ));
            }
        }
        let out = self.out;
        let complete = match self.current {
            Some(Access::Write(..)) => self.address_sent && self.data_sent,
            Some(Access::Read(_)) => self.address_sent,
            None => false,
        };
        let reads = matches!(self.current, Some(Access::Read(_)));
        if answer.b_valid && (!complete || reads) || answer.r_valid && (!complete || !reads) {
            return Err(format!(
                "AXI4-Lite: an answer to nothing: {answer:x?}, access {:x?}",
                self.current
            ));
        }
        self.address_sent |= out.aw_valid && answer.aw_ready || out.ar_valid && answer.ar_ready;
        self.data_sent |= out.w_valid && answer.w_ready;
        if answer.b_valid && out.b_ready || answer.r_valid && out.r_ready {
            if (answer.b_valid && answer.b_resp != 0) || (answer.r_valid && answer.r_resp != 0) {
                return Err(format!("AXI4-Lite: no OKAY: {answer:x?}"));
            }
            if let Some(Access::Read(address)) = self.current {
                self.answers.push_back((address, answer.r_data));
            }
            self.current = None;
            self.out = HostOut::default();
        }
        self.before = Some((out, *answer));
        Ok(())
    }
}
