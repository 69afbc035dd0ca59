//! Accesses to registers at random times (docs/spec/spill.md, configuration port), and what they must give.

use crate::reference::Reference;
use crate::seed::{stream, Rng};
use crate::session::{Access, Session};
use rand::Rng as _;
use weft_ports::control::register;
use weft_sim::{Registers, Warp};

/// Reads any register of any warp, at rest or busy, and now and then writes a counter of a warp at rest.
pub struct Accesses {
    rng: Rng,
    /// Of 1,000 cycles with a free port, those in which an access is offered.
    permille: u32,
    warps: usize,
    /// CONV-055; 0: never.
    forced_yield: u16,
    /// What the access under way must give, if that is well-defined.
    expected: Option<u32>,
}

impl Accesses {
    pub fn none() -> Accesses {
        Accesses::new(0, 0, 1, 0)
    }

    pub fn new(permille: u32, seed: u64, warps: usize, forced_yield: u16) -> Accesses {
        Accesses {
            rng: stream(seed, "register accesses"),
            permille,
            warps,
            forced_yield,
            expected: None,
        }
    }

    /// Before a cycle: perhaps begins one.
    pub fn offer(&mut self, session: &mut Session, reference: &mut dyn Reference) {
        if self.permille == 0
            || !session.may_access()
            || self.rng.gen_range(0..1_000) >= self.permille
        {
            return;
        }
        let warp = self.rng.gen_range(0..self.warps);
        let writes = self.rng.gen_bool(0.3);
        let due = reference.warp(warp).is_some_and(Warp::forced_yield_due);
        let access = match writes && session.may_write(warp) && !due {
            true => self.write(warp),
            false => Access {
                warp,
                register: self.rng.gen_range(0..16),
                write: None,
            },
        };
        session.access(access);
    }

    fn write(&mut self, warp: usize) -> Access {
        let (register, value) = match self.rng.gen_range(0..4) {
            0 => (register::YIELDS, self.rng.gen_range(0..16)),
            1 => (register::YIELDS, self.rng.gen()),
            // Below the limit: whether one that is reached between two operations counts at once is nobody's business.
            2 => (register::TRANSFERS, self.transfers()),
            _ => (register::RANDOM, self.rng.gen_range(1..=u16::MAX)),
        };
        Access {
            warp,
            register,
            write: Some(value.into()),
        }
    }

    fn transfers(&mut self) -> u16 {
        match self.forced_yield {
            0 => self.rng.gen(),
            limit => {
                let whole = limit.saturating_mul(64);
                let most = if self.rng.gen() { whole } else { 4 };
                whole - self.rng.gen_range(1..=most)
            }
        }
    }

    /// The access of this cycle: what it changes, and, when the warp has been `quiet` in it, what it gives.
    pub fn taken(
        &mut self,
        access: Access,
        quiet: bool,
        session: &Session,
        reference: &mut dyn Reference,
    ) {
        self.expected = None;
        if !quiet || !session.monitor().at_rest(access.warp) {
            return;
        }
        let size = session.monitor().size(access.warp);
        let Some(warp) = reference.warp(access.warp) else {
            return;
        };
        if warp.forced_yield_due() {
            // It may be under way.
            return;
        }
        let (deque, registers) = (warp.deque(), *warp.registers());
        self.expected = match access.register {
            register::HEAD => Some(deque.head() as u32),
            register::TAIL => Some(deque.tail() as u32),
            register::SIZE => Some(size.into()),
            register::YIELDS => Some(registers.yields.into()),
            register::TRANSFERS => Some(registers.transfers.into()),
            register::RANDOM => Some(registers.random.into()),
            register::LOW | register::STORED | register::BASE => None,
            _ => Some(0),
        };
        if let (Some(value), Some(registers)) = (access.write, reference.registers_mut(access.warp))
        {
            set(registers, access.register, value as u16);
        }
    }

    /// `Err`: what is wrong.
    pub fn answered(&mut self, access: Access, result: u32) -> Result<(), String> {
        match self.expected.take() {
            Some(expected) if expected != result => Err(format!(
                "warp {}: register {} is {result}, expected {expected}",
                access.warp, access.register
            )),
            _ => Ok(()),
        }
    }
}

fn set(registers: &mut Registers, register: u8, value: u16) {
    match register {
        register::YIELDS => registers.yields = value,
        register::TRANSFERS => registers.set_transfers(value),
        _ => registers.random = value,
    }
}
