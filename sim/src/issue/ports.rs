//! The ports of `weft_scheduler` as plain values, and its decoded instructions.
//!
//! Spec: `docs/spec/scheduler.md`, *Ports*.

/// Parameters of `weft_scheduler`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Params {
    /// NW: 4, 8 or 16.
    pub warps: usize,
    /// W
    pub threads: usize,
    pub dual: bool,
    /// LB
    pub level_bits: u32,
}

/// Cycles from a stop of a warp to its next start, at least.
pub const STOP_TO_START: u64 = 4;

/// A decoded instruction, as far as the scheduler is concerned. Registers: `None` = not used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Decoded {
    /// 0 ALU, 1 multiply, 2 load/store, 3 special, 4 barrier.
    pub class: u8,
    /// The warp waits for a start after it.
    pub control: bool,
    /// Goes only when nothing of its warp is in flight.
    pub drain: bool,
    pub rd: Option<u8>,
    pub rs1: Option<u8>,
    pub rs2: Option<u8>,
}

impl Decoded {
    /// The form with 23 bits. The number of a register that is not used is 0.
    pub fn to_bits(self) -> u32 {
        u32::from(self.class)
            | u32::from(self.control) << 3
            | u32::from(self.drain) << 4
            | u32::from(register_to_bits(self.rd)) << 5
            | u32::from(register_to_bits(self.rs1)) << 11
            | u32::from(register_to_bits(self.rs2)) << 17
    }

    pub fn from_bits(bits: u32) -> Decoded {
        let register = |at: u32| register_from_bits((bits >> at & 0x3f) as u8);
        Decoded {
            class: (bits & 7) as u8,
            control: bits >> 3 & 1 == 1,
            drain: bits >> 4 & 1 == 1,
            rd: register(5),
            rs1: register(11),
            rs2: register(17),
        }
    }
}

/// Six bits: bit 5 = used, bits 4..0 = number.
pub fn register_to_bits(register: Option<u8>) -> u8 {
    register.map_or(0, |number| 0x20 | number)
}

pub fn register_from_bits(bits: u8) -> Option<u8> {
    (bits & 0x20 != 0).then_some(bits & 0x1f)
}

/// All inputs but the clock.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inputs {
    pub reset: bool,
    pub cfg_policy: u8,
    pub cfg_slow: u8,
    pub unit_free: u8,
    pub unit_ahead: u8,
    pub hold: u64,
    pub start_valid: bool,
    pub start_warp: u8,
    pub start_pc: u32,
    pub start_mask: u64,
    pub start_launch: bool,
    pub predict_valid: bool,
    pub predict_warp: u8,
    pub predict_pc: u32,
    pub stop_valid: bool,
    pub stop_warp: u8,
    pub level_valid: bool,
    pub level_warp: u8,
    pub level_value: u8,
    pub flush: bool,
    pub fetch_ready: bool,
    pub line_valid: bool,
    pub line_warp: u8,
    pub line_slot: u8,
    pub line_data: [u32; 16],
    pub decode0: Decoded,
    pub decode1: Decoded,
    pub done0_valid: bool,
    pub done0_warp: u8,
    pub done0_rd: Option<u8>,
    pub done1_valid: bool,
    pub done1_warp: u8,
    pub done1_rd: Option<u8>,
    pub counter_clear: bool,
    pub counter_hold: bool,
    pub counter_select: u32,
}

/// All outputs, and what is known about those that are not exact. What is undefined is zero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outputs {
    pub fetch_valid: bool,
    pub fetch_warp: u8,
    pub fetch_line: u32,
    /// A pass is in the word stage (SUPPLY-030); not a port.
    pub decode_defined: bool,
    pub decode_word0: u32,
    pub decode_word1: u32,
    pub issue_valid: bool,
    pub issue_warp: u8,
    pub issue_pc: u32,
    pub issue_mask: u64,
    pub issue_word: u32,
    pub issue_decoded: Decoded,
    pub second_valid: bool,
    pub second_word: u32,
    pub second_decoded: Decoded,
    /// The class of the grant of the cycle before.
    pub granted_class: u8,
    pub status_running: u64,
    pub status_flight: u64,
    /// The promise of SCHED-042 holds for the counter that was selected; not a port.
    pub counter_defined: bool,
    /// The smallest value that is allowed.
    pub counter_value: u32,
    /// How much larger the value may be; not a port.
    pub counter_slack: u32,
}

impl Outputs {
    /// Compares all that is defined in these outputs of the model with those of a device. `Err` names the first port
    /// that differs.
    pub fn agrees(&self, device: &Outputs) -> Result<(), String> {
        macro_rules! same {
            ($($port:ident),*) => {
                $(if self.$port != device.$port {
                    let (model, device) = (&self.$port, &device.$port);
                    return Err(format!(
                        "{}: model {model:x?}, device {device:x?}",
                        stringify!($port)
                    ));
                })*
            };
        }
        same!(fetch_valid);
        if self.fetch_valid {
            same!(fetch_warp, fetch_line);
        }
        if self.decode_defined {
            same!(decode_word0, decode_word1);
        }
        same!(issue_valid);
        if self.issue_valid {
            same!(issue_warp, issue_pc, issue_mask, issue_word, issue_decoded);
        }
        same!(second_valid);
        if self.second_valid {
            same!(second_word, second_decoded);
        }
        same!(granted_class, status_running, status_flight);
        let (least, slack) = (self.counter_value, self.counter_slack);
        if self.counter_defined && device.counter_value.wrapping_sub(least) > slack {
            return Err(format!(
                "counter_value: model {least} to {}, device {}",
                least.wrapping_add(slack),
                device.counter_value
            ));
        }
        Ok(())
    }
}
