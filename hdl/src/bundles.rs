//! Port bundles: ports that belong together, declared and documented once, and linked through the hierarchy in one
//! line (`ExceptionPorts::<WI>::link(&mut self.exception, &mut self.convergence.exception)`).
//!
//! A field `f` of the bundle `b` is the port `b_f` in Verilog.
//! Directions are those of the block that has the function; a block around it has the same ones.
//! The names of their types end in `Ports`: that is how `#[module]` knows them.
//!
//! (The configuration port has none: rust-hdl allows no field with the name `config`.)

use crate::hdl::*;

/// When a warp yields, and which path goes first. Levels: they change only while no warp is busy.
#[derive(LogicInterface, Clone, Debug, Default)]
pub struct PolicyPorts {
    /// A YIELD takes effect at every so-manieth (CONV-050).
    pub yield_every: Signal<In, Bits<16>>,
    /// A warp yields by itself after so many operations; 0: never (CONV-055).
    pub forced_yield: Signal<In, Bits<16>>,
    /// Yields at random (CONV-052).
    pub yield_random: Signal<In, Bit>,
    /// How often, in 65,536 (CONV-052).
    pub yield_threshold: Signal<In, Bits<16>>,
    /// What the random numbers begin with (CONV-052).
    pub yield_seed: Signal<In, Bits<16>>,
    /// Which path of a branch goes first (CONV-011).
    pub path: Signal<In, Bits<2>>,
    /// log2 of the lanes (CONV-121); without sub-vector loops anything.
    pub lanes: Signal<In, Bits<3>>,
    /// Recentering by exception and not by hardware (SPILL-022, SPILL-023).
    pub recenter: Signal<In, Bit>,
}

/// What has become of an operation. Pulse: it is complete, with all its unwinding.
#[derive(LogicInterface, Clone, Debug, Default)]
pub struct RetirePorts<const WI: usize, const W: usize> {
    /// Pulse: an operation is complete.
    pub valid: Signal<Out, Bit>,
    /// Its warp.
    pub warp: Signal<Out, Bits<WI>>,
    /// Its code.
    pub op: Signal<Out, Bits<4>>,
    /// Where it stood.
    pub pc: Signal<Out, Bits<22>>,
    /// Where the warp goes on.
    pub next_pc: Signal<Out, Bits<22>>,
    /// Who goes on; 0 when it is done, when it is blocked, and when it runs on without active threads (CONV-110).
    pub next_mask: Signal<Out, Bits<W>>,
    /// The warp has ended.
    pub done: Signal<Out, Bit>,
    /// The warp is blocked (CONV-151): it is not offered for issue until it is woken.
    pub blocked: Signal<Out, Bit>,
    /// Tokens in the deque afterwards; 0 when done.
    pub depth: Signal<Out, Bits<10>>,
    /// The front token, meaningful when `depth` is not 0: its type.
    pub front_kind: Signal<Out, Bits<4>>,
    /// Its threads.
    pub front_mask: Signal<Out, Bits<W>>,
    /// Its address.
    pub front_pc: Signal<Out, Bits<22>>,
    /// The type below it.
    pub front_below: Signal<Out, Bits<4>>,
    /// The push of this PUSH, CALL or SUBV_START was dropped for want of room.
    pub dropped: Signal<Out, Bit>,
}

/// An exception. Pulse; there is no retire for that operation.
#[derive(LogicInterface, Clone, Debug, Default)]
pub struct ExceptionPorts<const WI: usize> {
    /// Pulse.
    pub valid: Signal<Out, Bit>,
    /// The warp.
    pub warp: Signal<Out, Bits<WI>>,
    /// Where it stood.
    pub pc: Signal<Out, Bits<22>>,
    /// Why: `cause` in `hdl/ports`.
    pub cause: Signal<Out, Bits<4>>,
}

/// Requests to the memory that tokens are spilled to (`docs/spec/spill.md`): one token each.
#[derive(LogicInterface, Clone, Debug, Default)]
pub struct SpillRequestPorts<const M: usize, const TA: usize> {
    /// One token to read or write.
    pub valid: Signal<Out, Bit>,
    /// It is taken; may be late.
    pub ready: Signal<In, Bit>,
    /// Write, and not read.
    pub write: Signal<Out, Bit>,
    /// In tokens: base and position.
    pub address: Signal<Out, Bits<32>>,
    /// The token, for a write.
    pub data: Signal<Out, Bits<M>>,
    /// Warp and place; comes back with the response.
    pub tag: Signal<Out, Bits<TA>>,
    /// Last request of its burst, in which the addresses rise by one from request to request.
    pub last: Signal<Out, Bit>,
}

/// Responses of that memory, one per request.
#[derive(LogicInterface, Clone, Debug, Default)]
pub struct SpillResponsePorts<const M: usize, const TA: usize> {
    /// One response per request: the data of a read, the acknowledgement of a write.
    pub valid: Signal<In, Bit>,
    /// It is taken.
    pub ready: Signal<Out, Bit>,
    /// The request was a write.
    pub write: Signal<In, Bit>,
    /// The tag of the request.
    pub tag: Signal<In, Bits<TA>>,
    /// The token, for a read.
    pub data: Signal<In, Bits<M>>,
}

/// Requests for lines of instructions.
#[derive(LogicInterface, Clone, Debug, Default)]
pub struct FetchPorts<const WI: usize> {
    /// A line is asked for (SUPPLY-020).
    pub valid: Signal<Out, Bit>,
    /// The request is taken; may be late.
    pub ready: Signal<In, Bit>,
    /// The warp that it is for.
    pub warp: Signal<Out, Bits<WI>>,
    /// The 512-bit line with the instructions 16 × line to 16 × line + 15.
    pub line: Signal<Out, Bits<18>>,
}

/// Lines that were asked for. Taken at once, one cycle after the request at the earliest, in any order (SUPPLY-022).
#[derive(LogicInterface, Clone, Debug, Default)]
pub struct LinePorts<const WI: usize> {
    /// A line is here.
    pub valid: Signal<In, Bit>,
    /// The warp that it is for.
    pub warp: Signal<In, Bits<WI>>,
    /// Bit 0 of the line's number.
    pub slot: Signal<In, Bit>,
    /// Instruction i of the line stands in the bits from 32 i on.
    pub data: Signal<In, Bits<512>>,
}

/// Counters of the scheduler (`docs/spec/scheduler.md`).
#[derive(LogicInterface, Clone, Debug, Default)]
pub struct CounterPorts<const SB: usize> {
    /// All begin at 0 again.
    pub clear: Signal<In, Bit>,
    /// They stand still.
    pub hold: Signal<In, Bit>,
    /// The counter to read.
    pub select: Signal<In, Bits<SB>>,
    /// Its value, some cycles later.
    pub value: Signal<Out, Bits<32>>,
}

/// Misuse of a barrier. Pulse.
#[derive(LogicInterface, Clone, Debug, Default)]
pub struct ErrorPorts<const WI: usize, const W: usize> {
    /// Pulse.
    pub valid: Signal<Out, Bit>,
    /// The warp.
    pub warp: Signal<Out, Bits<WI>>,
    /// The threads.
    pub mask: Signal<Out, Bits<W>>,
    /// Where they stood.
    pub pc: Signal<Out, Bits<22>>,
    /// The barrier.
    pub id: Signal<Out, Bits<3>>,
    /// 1: they leave a section that they are not in (BAR-042); 2: a count above the threads of the CTA (BAR-027);
    /// 3: they enter a section inside one (BAR-020).
    pub cause: Signal<Out, Bits<2>>,
}

/// What happens at a barrier. Pulse.
#[derive(LogicInterface, Clone, Debug, Default)]
pub struct EventPorts {
    /// Pulse.
    pub valid: Signal<Out, Bit>,
    /// 0: complete; 1: complete by timeout; 2: idle; 3: it starts again with its late threads (BAR-055).
    pub kind: Signal<Out, Bits<2>>,
    /// CTA slot.
    pub cta: Signal<Out, Bits<4>>,
    /// The barrier.
    pub id: Signal<Out, Bits<3>>,
}

/// The timer of a barrier has run out (BAR-070). Pulse.
#[derive(LogicInterface, Clone, Debug, Default)]
pub struct ExpiredPorts {
    /// Pulse.
    pub valid: Signal<Out, Bit>,
    /// CTA slot.
    pub cta: Signal<Out, Bits<4>>,
    /// The barrier.
    pub id: Signal<Out, Bits<3>>,
}
