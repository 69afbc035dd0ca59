//! What passes through the ports of `weft_sm` in a cycle (docs/spec/sm.md, *Ports*, *Trace*).

use weft_isa::FloatInstr;
use weft_sim::barrier::Ports as BarrierPorts;
use weft_sim::subvector::RegisterFile;
use weft_sim::Record;

/// Bytes of a line, and most bytes of a beat.
pub const LINE: u32 = 64;

/// One address channel of AXI4.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Address {
    pub valid: bool,
    pub id: u16,
    pub address: u32,
    /// Beats − 1.
    pub len: u8,
    /// log2 of the bytes of a beat.
    pub size: u8,
    pub burst: u8,
}

/// A beat of data, as wide as a line can be.
pub type Beat = [u8; LINE as usize];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WriteBeat {
    pub valid: bool,
    pub data: Beat,
    pub strobe: u64,
    pub last: bool,
}

impl Default for WriteBeat {
    fn default() -> WriteBeat {
        WriteBeat {
            valid: false,
            data: [0; 64],
            strobe: 0,
            last: false,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Response {
    pub valid: bool,
    pub id: u16,
    pub resp: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadBeat {
    pub valid: bool,
    pub id: u16,
    pub resp: u8,
    pub data: Beat,
    pub last: bool,
}

impl Default for ReadBeat {
    fn default() -> ReadBeat {
        ReadBeat {
            valid: false,
            id: 0,
            resp: 0,
            data: [0; 64],
            last: false,
        }
    }
}

/// What the manager drives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Manager {
    pub aw: Address,
    pub w: WriteBeat,
    pub b_ready: bool,
    pub ar: Address,
    pub r_ready: bool,
}

/// What the memory drives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Subordinate {
    pub aw_ready: bool,
    pub w_ready: bool,
    pub b: Response,
    pub ar_ready: bool,
    pub r: ReadBeat,
}

/// What the host drives at the AXI4-Lite port.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HostOut {
    pub aw_valid: bool,
    pub aw_address: u8,
    pub w_valid: bool,
    pub w_data: u32,
    pub w_strobe: u8,
    pub b_ready: bool,
    pub ar_valid: bool,
    pub ar_address: u8,
    pub r_ready: bool,
}

/// What the launcher answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HostIn {
    pub aw_ready: bool,
    pub w_ready: bool,
    pub b_valid: bool,
    pub b_resp: u8,
    pub ar_ready: bool,
    pub r_valid: bool,
    pub r_data: u32,
    pub r_resp: u8,
}

/// An instruction at `issue_*`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Issue {
    pub warp: usize,
    pub pc: u32,
    pub mask: u64,
    pub word: u32,
}

/// `init_*`
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Init {
    pub warp: usize,
    /// The grid's number of its lane 0.
    pub first: u32,
    /// CTA slot.
    pub cta: usize,
}

/// A row that is written: lanes of a part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    pub warp: usize,
    pub part: usize,
    pub rd: u8,
    pub mask: u64,
    /// By lane of the part.
    pub data: Vec<u32>,
}

/// Accesses that take effect.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effects {
    pub warp: usize,
    pub part: usize,
    pub op: u8,
    pub mask: u64,
    /// By lane of the part.
    pub address: Vec<u32>,
    pub data: Vec<u32>,
}

/// Values of `effect_op` (docs/spec/memory.md, *Operations*).
pub mod op {
    use weft_isa::AmoOp;

    pub const LOAD: u8 = 0;
    pub const STORE: u8 = 1;
    pub const FENCE: u8 = 2;
    pub const LR: u8 = 4;
    pub const SC: u8 = 5;
    pub const SC_FAILS: u8 = 6;
    pub const AMO: u8 = 16;

    /// Of an atomic operation.
    pub fn amo(op: AmoOp) -> u8 {
        let number = match op {
            AmoOp::Add => 0,
            AmoOp::Swap => 1,
            AmoOp::Xor => 2,
            AmoOp::Or => 3,
            AmoOp::And => 4,
            AmoOp::Min => 5,
            AmoOp::Max => 6,
            AmoOp::Minu => 7,
            AmoOp::Maxu => 8,
        };
        AMO + number
    }
}

/// `fault_*`
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reported {
    pub warp: usize,
    pub lane: u32,
    pub pc: u32,
    pub cause: u8,
    pub address: u32,
}

/// `mode_*`: what the mode selector hears and says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mode {
    /// A read has looked for its line: it missed; it counts.
    pub access: Option<(bool, bool)>,
    /// A warp's `subv.auto` asks.
    pub ask: Option<usize>,
    /// What was asked a cycle ago is sub-vector mode.
    pub subvector: bool,
    /// What was decided a cycle ago.
    pub decision: Option<bool>,
}

/// `exception_*`
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exception {
    pub warp: usize,
    pub pc: u32,
    pub cause: u8,
}

/// `done0_*`, `done1_*`
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Done {
    pub warp: usize,
    pub rd: Option<u8>,
}

/// What the trace shows in one cycle.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trace {
    pub init: Option<Init>,
    pub issue: Option<Issue>,
    pub row: Option<Row>,
    pub effects: Option<Effects>,
    pub mode: Mode,
    pub fault: Option<Reported>,
    /// Warps of which a fault is known.
    pub faulted: u64,
    pub dones: [Option<Done>; 2],
    /// Its mask before is not at the ports: 0.
    pub retire: Option<Record>,
    pub exception: Option<Exception>,
    pub verdict_taken: bool,
    pub wake_taken: bool,
    /// The barrier unit's ports; of the operation only code, warp, and of a LAUNCH CTA slot, block and threads.
    pub barrier: BarrierPorts,
    /// What the data cache did: bits of `cache_events`.
    pub cache: u8,
    pub busy: bool,
    pub done: bool,
}

impl Trace {
    /// The first thing that an SM which is idle does not do (SM-014).
    pub fn moves(&self) -> Option<&'static str> {
        let barrier = &self.barrier;
        let moves = [
            ("the INIT of a warp", self.init.is_some()),
            ("an instruction issued", self.issue.is_some()),
            ("a row written", self.row.is_some()),
            ("an access", self.effects.is_some()),
            ("a fault", self.fault.is_some()),
            ("a `done`", self.dones.iter().any(Option::is_some)),
            ("an operation retired", self.retire.is_some()),
            ("an exception", self.exception.is_some()),
            ("an operation at the barrier unit", barrier.op_valid),
            ("a verdict", barrier.verdict.is_some()),
            ("a wake", barrier.wake.is_some()),
        ];
        let moves = moves.into_iter().find(|(_, moves)| *moves);
        moves.map(|(what, _)| what)
    }
}

/// Sizes of an SM (docs/spec/sm.md, *Parameters*).
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Shape {
    pub warps: usize,
    pub threads: usize,
    pub lanes: usize,
    /// KiB of scratchpad, data cache and line cache.
    pub scratchpad: u32,
    pub data_cache: u32,
    pub line_cache: u32,
    /// Ways of the data cache.
    pub ways: u32,
    /// Bits of the memory port's data.
    pub data: u32,
    /// The register file has rows for so many warps, if no register is shared; 0: for all (SUBV-053).
    pub registers: u32,
    /// Lanes with float; 0: float words are illegal (ISA-040).
    pub float: u32,
}

impl Shape {
    pub const TINY: Shape = Shape::of(4, 4, 4);
    pub const COMPACT: Shape = Shape::of(8, 4, 4);
    pub const SMALL: Shape = Shape::of(8, 8, 8);
    pub const DEFAULT: Shape = Shape::of(16, 32, 8);
    pub const WIDE: Shape = Shape::of(16, 32, 32);

    pub const fn of(warps: usize, threads: usize, lanes: usize) -> Shape {
        Shape {
            warps,
            threads,
            lanes,
            scratchpad: 16,
            data_cache: 4,
            line_cache: 4,
            ways: 2,
            data: 64,
            registers: 0,
            float: 0,
        }
    }

    /// With so many float lanes.
    pub const fn float(self, lanes: u32) -> Shape {
        Shape {
            float: lanes,
            ..self
        }
    }

    pub const fn parts(&self) -> usize {
        self.threads / self.lanes
    }

    /// Cycles in which a pass of a float instruction is read and taken (DATA-017).
    pub fn turns(&self, instr: FloatInstr) -> u64 {
        let turns = self.lanes as u64 / u64::from(self.float.max(1));
        match instr {
            FloatInstr::Fused { .. } => turns.max(2),
            _ => turns,
        }
    }

    /// Warps for which the register file has rows, if no register is shared.
    pub const fn register_warps(&self) -> usize {
        match self.registers {
            0 => self.warps,
            warps => warps as usize,
        }
    }

    /// Warps that are resident at once at most (SUBV-054).
    pub fn resident(&self, shared_from: u8) -> usize {
        let file = RegisterFile {
            parts: self.parts() as u32,
            shared_from: shared_from.into(),
        };
        let rows = 32 * self.parts() * self.register_warps();
        self.warps.min(file.resident(rows as u32) as usize)
    }

    /// Bytes of a beat.
    pub const fn beat(&self) -> u32 {
        self.data / 8
    }

    /// Bytes of a token in memory.
    pub const fn token(&self) -> u32 {
        match self.threads {
            64 => 16,
            _ => 8,
        }
    }
}

impl std::fmt::Display for Shape {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}x{}l{}", self.warps, self.threads, self.lanes)?;
        match self.data_cache {
            4 => {}
            other => write!(f, "c{other}")?,
        }
        match self.registers {
            0 => {}
            warps => write!(f, "r{warps}")?,
        }
        match self.float {
            0 => Ok(()),
            lanes => write!(f, "f{lanes}"),
        }
    }
}

/// As it is displayed.
impl std::str::FromStr for Shape {
    type Err = String;

    fn from_str(text: &str) -> Result<Shape, String> {
        let read = || {
            let (size, float) = text.split_once('f').unwrap_or((text, "0"));
            let (size, registers) = size.split_once('r').unwrap_or((size, "0"));
            let (size, cache) = size.split_once('c').unwrap_or((size, "4"));
            let (size, lanes) = size.split_once('l')?;
            let (warps, threads) = size.split_once('x')?;
            let number = |text: &str| text.parse::<usize>().ok();
            Some(Shape {
                data_cache: cache.parse().ok()?,
                registers: registers.parse().ok()?,
                float: float.parse().ok()?,
                ..Shape::of(number(warps)?, number(threads)?, number(lanes)?)
            })
        };
        let divides = |shape: &Shape| shape.lanes > 0 && shape.threads % shape.lanes == 0;
        read().filter(divides).ok_or_else(|| {
            format!(
                "{text}: write warps x threads l lanes, c KiB of data cache, r warps of registers and f float \
                 lanes, such as 8x8l8, 8x8l8c1, 8x8l4r4 or 8x8l8f4"
            )
        })
    }
}

/// An SM, cycle by cycle.
pub trait Device {
    /// With these inputs, before the clock edge.
    fn settle(&mut self, reset: bool, memory: &Subordinate, host: &HostOut);
    fn manager(&self) -> Manager;
    fn host(&self) -> HostIn;
    /// `Err`: a code that does not exist.
    fn trace(&self) -> Result<Trace, String>;
    fn edge(&mut self);
    /// The waves begin in this cycle.
    fn waves_from(&mut self, _cycle: u64) {}
}

#[cfg(test)]
mod tests {
    use super::Shape;

    #[test]
    fn a_shape_is_read_as_it_is_written() {
        for text in ["4x4l4", "16x32l8", "8x8l8c1", "4x8l4r2", "4x8l4c0r2"] {
            assert_eq!(
                text.parse::<Shape>().map(|s| s.to_string()),
                Ok(text.into())
            );
        }
        for text in [
            "",
            "4x4",
            "4x4l",
            "4x4l0",
            "4x4l3",
            "4x4l4r2c1",
            "4x4l4c1c1",
            "4x4l-4",
        ] {
            assert!(text.parse::<Shape>().is_err(), "{text}");
        }
    }
}
