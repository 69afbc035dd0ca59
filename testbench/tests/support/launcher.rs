//! What an SM's launcher answers at every address of its host port, beside the table of `weft-protocol`.

use std::collections::BTreeMap;
use weft_protocol::{blocks, Access, Register, Sizes};
use weft_testbench::sm::ports::{Device, HostIn, HostOut, Manager, Subordinate, Trace};

/// A write of it acts.
const ACTS: &str = "CONTROL";

/// An SM with nothing but a host.
struct Launcher<D>(D);

impl<D: Device> Launcher<D> {
    /// A cycle; what was answered in it.
    fn cycle(&mut self, reset: bool, host: &HostOut) -> HostIn {
        self.0.settle(reset, &Subordinate::default(), host);
        let answer = self.0.host();
        self.0.edge();
        answer
    }

    fn reset(&mut self) {
        for _ in 0..16 {
            self.cycle(true, &HostOut::default());
        }
    }

    /// Holds `out` as long as `taken` does not say that it is over, and tells the answer then.
    fn until(&mut self, mut out: HostOut, taken: impl Fn(&mut HostOut, &HostIn) -> bool) -> HostIn {
        for _ in 0..100 {
            let answer = self.cycle(false, &out);
            if taken(&mut out, &answer) {
                return answer;
            }
        }
        panic!("no answer: {out:x?}");
    }

    fn get(&mut self, at: u32) -> u32 {
        let out = HostOut {
            ar_valid: true,
            ar_address: at as u8,
            r_ready: true,
            ..HostOut::default()
        };
        let answer = self.until(out, |out, answer| {
            out.ar_valid &= !answer.ar_ready;
            answer.r_valid
        });
        assert_eq!(answer.r_resp, 0, "a read of {at:#04x} is no OKAY");
        answer.r_data
    }

    fn set(&mut self, at: u32, value: u32, strobes: u8) {
        let out = HostOut {
            aw_valid: true,
            aw_address: at as u8,
            w_valid: true,
            w_data: value,
            w_strobe: strobes,
            b_ready: true,
            ..HostOut::default()
        };
        let answer = self.until(out, |out, answer| {
            out.aw_valid &= !answer.aw_ready;
            out.w_valid &= !answer.w_ready;
            answer.b_valid
        });
        assert_eq!(answer.b_resp, 0, "a write of {at:#04x} is no OKAY");
    }
}

/// MEM-021. `size`: what SIZE reads.
pub fn has_the_registers_of_the_table(device: impl Device, size: u32) {
    let mut sm = Launcher(device);
    let block = blocks().into_iter().find(|b| b.name == "sm").expect("it");
    let none = Sizes {
        channels: 0,
        sms: 0,
    };
    let all = block.all(none).into_iter();
    let table: BTreeMap<u32, (String, &Register)> =
        all.map(|(name, at, r)| (at, (name, r))).collect();
    let addresses = || (0..block.bytes).step_by(4);
    let takes = |at: u32| table.get(&at).is_some_and(|(_, r)| r.access == Access::Rw);
    let acts = |at: u32| table.get(&at).is_some_and(|(name, _)| name == ACTS);
    let as_after_reset = |sm: &mut Launcher<_>| {
        let mut known = 0;
        for at in addresses() {
            let read = sm.get(at);
            match table.get(&at) {
                None => assert_eq!(read, 0, "{at:#04x}, which is no register"),
                Some((name, _)) if name == "SIZE" => assert_eq!(read, size),
                Some((name, register)) => {
                    if let Some(reset) = register.reset {
                        assert_eq!(read, reset, "{name} at {at:#04x}");
                        known += 1;
                    }
                }
            }
        }
        known
    };
    sm.reset();
    assert!(as_after_reset(&mut sm) >= 8);

    // What is to be written keeps its bits, each register its own.
    let bits = |register: &Register| match register.fields.iter().fold(0, |all, f| all | f.mask()) {
        0 => u32::MAX,
        bits => bits,
    };
    let written: Vec<u32> = addresses().filter(|&at| takes(at) && !acts(at)).collect();
    assert!(written.len() >= 20, "{written:x?}");
    let pattern = |at: u32, round: u32| (at + 1).wrapping_mul(0x9e37_79b9).rotate_left(7 * round);
    for round in 0..4 {
        for &at in &written {
            sm.set(at, pattern(at, round), 15);
        }
        // Parts of a word have no effect.
        for (n, &at) in written.iter().enumerate() {
            sm.set(at, !pattern(at, round), n as u8 % 15);
        }
        for &at in &written {
            let (name, register) = &table[&at];
            let wanted = pattern(at, round) & bits(register);
            assert_eq!(sm.get(at) & bits(register), wanted, "{name} at {at:#04x}");
        }
    }

    // Nobody keeps what it must not.
    let read: Vec<u32> = addresses().map(|at| sm.get(at)).collect();
    for at in addresses().filter(|&at| !takes(at)) {
        sm.set(at, u32::MAX, 15);
    }
    for (at, before) in addresses().zip(read) {
        assert_eq!(sm.get(at), before, "{at:#04x} was written");
    }
    sm.reset();
    as_after_reset(&mut sm);
}

/// What a launcher may do wrong at its port.
#[derive(Clone, Copy, Debug)]
pub enum Departure {
    /// Parts of words are written.
    Strobes,
    /// An address without a register reads a neighbour's.
    Hole,
    /// A write of one register changes another.
    Neighbour,
}

/// An SM behind a port that departs.
pub struct Departing<D>(pub D, pub Departure);

impl<D: Device> Device for Departing<D> {
    fn settle(&mut self, reset: bool, memory: &Subordinate, host: &HostOut) {
        let mut host = *host;
        match self.1 {
            Departure::Strobes if host.w_strobe != 0 => host.w_strobe = 15,
            Departure::Hole if host.ar_address >= 0x80 => host.ar_address -= 0x80,
            Departure::Neighbour if host.aw_address == 0x58 => host.aw_address = 0x5c,
            _ => {}
        }
        self.0.settle(reset, memory, &host);
    }

    fn manager(&self) -> Manager {
        self.0.manager()
    }

    fn host(&self) -> HostIn {
        self.0.host()
    }

    fn trace(&self) -> Result<Trace, String> {
        self.0.trace()
    }

    fn edge(&mut self) {
        self.0.edge();
    }
}
