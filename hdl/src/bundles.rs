//! Port bundles: ports that belong together, declared and documented once, and linked through the hierarchy in one
//! line (`ExceptionPorts::<WARP_BITS>::link(&mut self.exception, &mut self.convergence.exception)`).
//!
//! A field `f` of the bundle `b` is the port `b_f` in Verilog.
//! Directions are those of the block that has the function; a block around it has the same ones.
//! The names of their types end in `Ports`: that is how `#[module]` knows them.
//!
//! A bundle that one side drives and another reads has a mirror, `#[bundle(mirror = …)]`.
//! Where a block has `init: InitPorts` without brackets, its own parameters of the same names are meant.
//!
//! (The configuration port has none: rust-hdl allows no field with the name `config`.)

use crate::hdl::*;

/// When a warp yields, and which path goes first. Levels: they change only while no warp is busy.
#[bundle]
pub struct PolicyPorts {
    /// Only every N-th YIELD takes effect (CONV-050).
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
#[bundle]
pub struct RetirePorts<const WARP_BITS: usize, const THREADS: usize> {
    /// Pulse: an operation is complete.
    pub valid: Signal<Out, Bit>,
    /// Its warp.
    pub warp: Signal<Out, Bits<WARP_BITS>>,
    /// Its code.
    pub op: Signal<Out, Bits<4>>,
    /// Where it stood.
    pub pc: Signal<Out, Bits<22>>,
    /// Where the warp goes on.
    pub next_pc: Signal<Out, Bits<22>>,
    /// Who goes on; 0 when it is done, when it is blocked, and when it runs on without active threads (CONV-110).
    pub next_mask: Signal<Out, Bits<THREADS>>,
    /// The warp has ended.
    pub done: Signal<Out, Bit>,
    /// The warp is blocked (CONV-151): it is not offered for issue until it is woken.
    pub blocked: Signal<Out, Bit>,
    /// Tokens in the deque afterwards; 0 when done.
    pub depth: Signal<Out, Bits<10>>,
    /// The front token, meaningful when `depth` is not 0: its type.
    pub front_kind: Signal<Out, Bits<4>>,
    /// Its threads.
    pub front_mask: Signal<Out, Bits<THREADS>>,
    /// Its address.
    pub front_pc: Signal<Out, Bits<22>>,
    /// The type below it.
    pub front_below: Signal<Out, Bits<4>>,
    /// The push of this PUSH, CALL or SUBV_START was dropped for want of room.
    pub dropped: Signal<Out, Bit>,
}

/// An exception. Pulse; there is no retire for that operation.
#[bundle]
pub struct ExceptionPorts<const WARP_BITS: usize> {
    /// Pulse.
    pub valid: Signal<Out, Bit>,
    /// The warp.
    pub warp: Signal<Out, Bits<WARP_BITS>>,
    /// Where it stood.
    pub pc: Signal<Out, Bits<22>>,
    /// Why: `cause` in `hdl/ports`.
    pub cause: Signal<Out, Bits<4>>,
}

/// Requests to the memory that tokens are spilled to (`docs/spec/spill.md`): one token each.
#[bundle]
pub struct SpillRequestPorts<const TOKEN_BITS: usize, const TAG_BITS: usize> {
    /// One token to read or write.
    pub valid: Signal<Out, Bit>,
    /// It is taken; may be late.
    pub ready: Signal<In, Bit>,
    /// Write, and not read.
    pub write: Signal<Out, Bit>,
    /// In tokens: base and position.
    pub address: Signal<Out, Bits<32>>,
    /// The token, for a write.
    pub data: Signal<Out, Bits<TOKEN_BITS>>,
    /// Warp and place; comes back with the response.
    pub tag: Signal<Out, Bits<TAG_BITS>>,
    /// Last request of its burst, in which the addresses rise by one from request to request.
    pub last: Signal<Out, Bit>,
}

/// Responses of that memory, one per request.
#[bundle]
pub struct SpillResponsePorts<const TOKEN_BITS: usize, const TAG_BITS: usize> {
    /// One response per request: the data of a read, the acknowledgement of a write.
    pub valid: Signal<In, Bit>,
    /// It is taken.
    pub ready: Signal<Out, Bit>,
    /// The request was a write.
    pub write: Signal<In, Bit>,
    /// The tag of the request.
    pub tag: Signal<In, Bits<TAG_BITS>>,
    /// The token, for a read.
    pub data: Signal<In, Bits<TOKEN_BITS>>,
}

/// Requests for lines of instructions.
#[bundle]
pub struct FetchPorts<const WARP_BITS: usize> {
    /// A line is asked for (SUPPLY-020).
    pub valid: Signal<Out, Bit>,
    /// The request is taken; may be late.
    pub ready: Signal<In, Bit>,
    /// The warp that it is for.
    pub warp: Signal<Out, Bits<WARP_BITS>>,
    /// The 512-bit line with the instructions 16 × line to 16 × line + 15.
    pub line: Signal<Out, Bits<18>>,
}

/// Lines that were asked for. Taken at once, one cycle after the request at the earliest, in any order (SUPPLY-022).
#[bundle]
pub struct LinePorts<const WARP_BITS: usize> {
    /// A line is here.
    pub valid: Signal<In, Bit>,
    /// The warp that it is for.
    pub warp: Signal<In, Bits<WARP_BITS>>,
    /// Bit 0 of the line's number.
    pub slot: Signal<In, Bit>,
    /// Instruction i of the line stands in the bits from 32 i on.
    pub data: Signal<In, Bits<512>>,
}

/// Counters of the scheduler (`docs/spec/scheduler.md`).
#[bundle]
pub struct CounterPorts<const COUNTER_BITS: usize> {
    /// All begin at 0 again.
    pub clear: Signal<In, Bit>,
    /// They stand still.
    pub hold: Signal<In, Bit>,
    /// The counter to read.
    pub select: Signal<In, Bits<COUNTER_BITS>>,
    /// Its value, some cycles later.
    pub value: Signal<Out, Bits<32>>,
}

/// Misuse of a barrier. Pulse.
#[bundle]
pub struct ErrorPorts<const WARP_BITS: usize, const THREADS: usize> {
    /// Pulse.
    pub valid: Signal<Out, Bit>,
    /// The warp.
    pub warp: Signal<Out, Bits<WARP_BITS>>,
    /// The threads.
    pub mask: Signal<Out, Bits<THREADS>>,
    /// Where they stood.
    pub pc: Signal<Out, Bits<22>>,
    /// The barrier.
    pub id: Signal<Out, Bits<3>>,
    /// 1: they leave a section that they are not in (BAR-042); 2: a count above the threads of the CTA (BAR-027);
    /// 3: they enter a section inside one (BAR-020).
    pub cause: Signal<Out, Bits<2>>,
}

/// What happens at a barrier. Pulse.
#[bundle]
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
#[bundle]
pub struct ExpiredPorts {
    /// Pulse.
    pub valid: Signal<Out, Bit>,
    /// CTA slot.
    pub cta: Signal<Out, Bits<4>>,
    /// The barrier.
    pub id: Signal<Out, Bits<3>>,
}

/// AXI4 manager (SM-030). What it has besides (LOCK, CACHE, PROT, QOS) is 0 and has no port.
#[bundle]
pub struct AxiPorts<const ID_BITS: usize, const DATA: usize, const STROBES: usize> {
    /// A read address.
    pub arvalid: Signal<Out, Bit>,
    /// It is taken.
    pub arready: Signal<In, Bit>,
    /// Who asks; comes back with the beats.
    pub arid: Signal<Out, Bits<ID_BITS>>,
    /// Byte address of the first beat, a multiple of its bytes.
    pub araddr: Signal<Out, Bits<32>>,
    /// Beats less one.
    pub arlen: Signal<Out, Bits<8>>,
    /// log2 of the bytes of a beat.
    pub arsize: Signal<Out, Bits<3>>,
    /// 1: INCR.
    pub arburst: Signal<Out, Bits<2>>,
    /// A beat that was read.
    pub rvalid: Signal<In, Bit>,
    /// It is taken.
    pub rready: Signal<Out, Bit>,
    /// Who asked for it.
    pub rid: Signal<In, Bits<ID_BITS>>,
    /// The beat.
    pub rdata: Signal<In, Bits<DATA>>,
    /// 0 or 1: well; 2 or 3: an error.
    pub rresp: Signal<In, Bits<2>>,
    /// The last beat of its burst.
    pub rlast: Signal<In, Bit>,
    /// A write address.
    pub awvalid: Signal<Out, Bit>,
    /// It is taken.
    pub awready: Signal<In, Bit>,
    /// Who writes; comes back with the response.
    pub awid: Signal<Out, Bits<ID_BITS>>,
    /// Byte address of the first beat, a multiple of its bytes.
    pub awaddr: Signal<Out, Bits<32>>,
    /// Beats less one.
    pub awlen: Signal<Out, Bits<8>>,
    /// log2 of the bytes of a beat.
    pub awsize: Signal<Out, Bits<3>>,
    /// 1: INCR.
    pub awburst: Signal<Out, Bits<2>>,
    /// A beat to write; beats come in the order of their addresses.
    pub wvalid: Signal<Out, Bit>,
    /// It is taken.
    pub wready: Signal<In, Bit>,
    /// The beat.
    pub wdata: Signal<Out, Bits<DATA>>,
    /// Which of its bytes are written.
    pub wstrb: Signal<Out, Bits<STROBES>>,
    /// The last beat of its burst.
    pub wlast: Signal<Out, Bit>,
    /// A write is over.
    pub bvalid: Signal<In, Bit>,
    /// That is taken.
    pub bready: Signal<Out, Bit>,
    /// Whose write.
    pub bid: Signal<In, Bits<ID_BITS>>,
    /// 0 or 1: well; 2 or 3: an error.
    pub bresp: Signal<In, Bits<2>>,
}

/// What keeps others out of atomic operations on memory (GPU-051): the side of the SM.
#[bundle]
pub struct AtomicPorts {
    /// An LR, SC or AMO stands to take effect.
    pub wants: Signal<Out, Bit>,
    /// It may.
    pub may: Signal<In, Bit>,
    /// It does; or an SC fails.
    pub placed: Signal<Out, Bit>,
    /// The write of an SC or AMO has no response.
    pub busy: Signal<Out, Bit>,
    /// Another manager writes to this line.
    pub snoop_valid: Signal<In, Bit>,
    /// The line: byte address / 64.
    pub snoop_line: Signal<In, Bits<26>>,
}

/// AXI4-Lite subordinate with registers of 32 bits.
#[bundle]
pub struct LitePorts<const ADDRESS_BITS: usize> {
    /// A write address.
    pub awvalid: Signal<In, Bit>,
    /// It is taken.
    pub awready: Signal<Out, Bit>,
    /// Byte address of a register.
    pub awaddr: Signal<In, Bits<ADDRESS_BITS>>,
    /// A word to write.
    pub wvalid: Signal<In, Bit>,
    /// It is taken.
    pub wready: Signal<Out, Bit>,
    /// The word.
    pub wdata: Signal<In, Bits<32>>,
    /// Which of its bytes.
    pub wstrb: Signal<In, Bits<4>>,
    /// The write is over.
    pub bvalid: Signal<Out, Bit>,
    /// The host takes that.
    pub bready: Signal<In, Bit>,
    /// Always OKAY.
    pub bresp: Signal<Out, Bits<2>>,
    /// A read address.
    pub arvalid: Signal<In, Bit>,
    /// It is taken.
    pub arready: Signal<Out, Bit>,
    /// Byte address of a register.
    pub araddr: Signal<In, Bits<ADDRESS_BITS>>,
    /// A word that was read.
    pub rvalid: Signal<Out, Bit>,
    /// The host takes it.
    pub rready: Signal<In, Bit>,
    /// The word.
    pub rdata: Signal<Out, Bits<32>>,
    /// Always OKAY.
    pub rresp: Signal<Out, Bits<2>>,
}

/// INIT of a warp: its registers are set (SM-012).
#[bundle]
pub struct InitPorts<const WARP_BITS: usize> {
    /// Pulse.
    pub valid: Signal<Out, Bit>,
    /// The warp.
    pub warp: Signal<Out, Bits<WARP_BITS>>,
    /// The grid's number of its lane 0.
    pub first: Signal<Out, Bits<32>>,
    /// CTA slot.
    pub cta: Signal<Out, Bits<4>>,
}

/// A row is written.
#[bundle]
pub struct RowPorts<
    const WARP_BITS: usize,
    const PART_BITS: usize,
    const LANES: usize,
    const ROW_WIDTH: usize,
> {
    /// Pulse.
    pub valid: Signal<Out, Bit>,
    /// The warp.
    pub warp: Signal<Out, Bits<WARP_BITS>>,
    /// Part of the warp.
    pub part: Signal<Out, Bits<PART_BITS>>,
    /// The register.
    pub rd: Signal<Out, Bits<5>>,
    /// Lanes that are written.
    pub mask: Signal<Out, Bits<LANES>>,
    /// 32 bits for each lane.
    pub data: Signal<Out, Bits<ROW_WIDTH>>,
}

/// What selects the mode of `subv.auto`, and what it selects (SUBV-050).
#[bundle]
pub struct ModePorts<const WARP_BITS: usize> {
    /// Pulse: a read of a load has looked for its line in the data cache.
    pub access: Signal<Out, Bit>,
    /// It has not found it.
    pub miss: Signal<Out, Bit>,
    /// Its instruction began in regular mode, so the read counts.
    pub regular: Signal<Out, Bit>,
    /// Pulse: a `subv.auto` asks.
    pub ask: Signal<Out, Bit>,
    /// Its warp.
    pub warp: Signal<Out, Bits<WARP_BITS>>,
    /// A cycle later: sub-vector mode is selected.
    pub subvector: Signal<Out, Bit>,
    /// Pulse: in the cycle before, a read completed a window.
    pub decides: Signal<Out, Bit>,
    /// What it decided: sub-vector mode.
    pub decision: Signal<Out, Bit>,
}

/// A fault (SM-013).
#[bundle]
pub struct FaultPorts<const WARP_BITS: usize> {
    /// Pulse.
    pub valid: Signal<Out, Bit>,
    /// The warp.
    pub warp: Signal<Out, Bits<WARP_BITS>>,
    /// Its lowest thread that has the fault.
    pub thread: Signal<Out, Bits<6>>,
    /// The instruction.
    pub pc: Signal<Out, Bits<22>>,
    /// Cause, as in MEM-023.
    pub cause: Signal<Out, Bits<4>>,
    /// The address that it wanted.
    pub address: Signal<Out, Bits<32>>,
}

/// Accesses take effect now, in ascending order of lanes (SM-021).
#[bundle]
pub struct EffectPorts<
    const WARP_BITS: usize,
    const PART_BITS: usize,
    const LANES: usize,
    const ROW_WIDTH: usize,
> {
    /// Pulse.
    pub valid: Signal<Out, Bit>,
    /// The warp.
    pub warp: Signal<Out, Bits<WARP_BITS>>,
    /// Part of the warp.
    pub part: Signal<Out, Bits<PART_BITS>>,
    /// Operation as in `docs/spec/memory.md`; 5: an SC that stores, 6: one that fails.
    pub op: Signal<Out, Bits<5>>,
    /// Lanes that do it.
    pub mask: Signal<Out, Bits<LANES>>,
    /// Address of each lane.
    pub address: Signal<Out, Bits<ROW_WIDTH>>,
    /// Store data or second operand of each lane.
    pub data: Signal<Out, Bits<ROW_WIDTH>>,
}

/// An instruction has written all its rows (SM-020).
#[bundle]
pub struct DonePorts<const WARP_BITS: usize> {
    /// Pulse.
    pub valid: Signal<Out, Bit>,
    /// The warp.
    pub warp: Signal<Out, Bits<WARP_BITS>>,
    /// Its destination.
    pub rd: Signal<Out, Bits<6>>,
}

/// An instruction is issued.
#[bundle]
pub struct IssuePorts<const WARP_BITS: usize, const THREADS: usize> {
    /// Pulse.
    pub valid: Signal<Out, Bit>,
    /// The warp.
    pub warp: Signal<Out, Bits<WARP_BITS>>,
    /// Its number: byte address / 4.
    pub pc: Signal<Out, Bits<22>>,
    /// Active threads.
    pub mask: Signal<Out, Bits<THREADS>>,
    /// The instruction.
    pub word: Signal<Out, Bits<32>>,
    /// What the decoder has made of it.
    pub decoded: Signal<Out, Bits<23>>,
}

/// An operation at the barrier unit.
#[bundle]
pub struct OpPorts<const WARP_BITS: usize> {
    /// An operation.
    pub valid: Signal<Out, Bit>,
    /// It is taken.
    pub ready: Signal<Out, Bit>,
    /// Its code.
    pub code: Signal<Out, Bits<4>>,
    /// The warp.
    pub warp: Signal<Out, Bits<WARP_BITS>>,
    /// Of a launch: CTA slot.
    pub cta: Signal<Out, Bits<4>>,
    /// Of a launch: which warp of its CTA.
    pub block: Signal<Out, Bits<WARP_BITS>>,
    /// Of a launch: threads of the CTA.
    pub threads: Signal<Out, Bits<12>>,
}

/// A verdict of the barrier unit.
#[bundle]
pub struct VerdictPorts<const WARP_BITS: usize, const THREADS: usize> {
    /// A verdict.
    pub valid: Signal<Out, Bit>,
    /// It is taken.
    pub ready: Signal<Out, Bit>,
    /// The warp.
    pub warp: Signal<Out, Bits<WARP_BITS>>,
    /// What is to be done.
    pub op: Signal<Out, Bits<3>>,
    /// With these threads.
    pub mask: Signal<Out, Bits<THREADS>>,
    /// Where they go on.
    pub pc: Signal<Out, Bits<22>>,
    /// The convergence unit has carried it out.
    pub taken: Signal<Out, Bit>,
}

/// Threads that sleep at a barrier wake.
#[bundle]
pub struct WakePorts<const WARP_BITS: usize, const THREADS: usize> {
    /// A wake.
    pub valid: Signal<Out, Bit>,
    /// It is taken.
    pub ready: Signal<Out, Bit>,
    /// The warp.
    pub warp: Signal<Out, Bits<WARP_BITS>>,
    /// These threads.
    pub mask: Signal<Out, Bits<THREADS>>,
    /// Where they go on.
    pub pc: Signal<Out, Bits<22>>,
    /// The convergence unit has carried it out.
    pub taken: Signal<Out, Bit>,
}

/// What launches CTAs, and the rest of the SM: the side of the launcher, or of the CTA port in its place.
/// `LaunchedPorts` is the other side.
#[bundle(mirror = LaunchedPorts)]
pub struct LauncherPorts<const WARPS: usize, const WARP_BITS: usize> {
    /// How the level of a warp is made (CTA-020).
    pub cfg_level_mix: Signal<Out, Bits<2>>,
    /// Token allocation of warp slot 0, in tokens (CTA-020).
    pub cfg_token_base: Signal<Out, Bits<32>>,
    /// Tokens of an allocation.
    pub cfg_token_size: Signal<Out, Bits<10>>,
    /// Warp slots that may be given to CTAs (SUBV-054).
    pub cfg_slots: Signal<Out, Bits<WARPS>>,
    /// Which warp goes first (SCHED-011).
    pub cfg_policy: Signal<Out, Bits<2>>,
    /// Only every N-th YIELD takes effect (CONV-050).
    pub cfg_yield_every: Signal<Out, Bits<16>>,
    /// A warp yields by itself after so many operations; 0: never (CONV-055).
    pub cfg_forced_yield: Signal<Out, Bits<16>>,
    /// Which path of a branch goes first (CONV-011).
    pub cfg_path: Signal<Out, Bits<2>>,
    /// Yields take effect at random (CONV-052), with this probability, from this seed.
    pub cfg_yield_random: Signal<Out, Bit>,
    /// In 1/65,536.
    pub cfg_yield_threshold: Signal<Out, Bits<16>>,
    /// Of warp slot 0.
    pub cfg_yield_seed: Signal<Out, Bits<16>>,
    /// Two bits per barrier: whose section goes first (BAR-061).
    pub cfg_priority: Signal<Out, Bits<16>>,
    /// Miss rate from which on `subv.auto` selects sub-vector mode, in 1/256 (SUBV-011).
    pub cfg_miss_threshold: Signal<Out, Bits<9>>,
    /// Who selects it (SUBV-013).
    pub cfg_mode_force: Signal<Out, Bits<2>>,
    /// The first register that the parts of a warp share (SUBV-020).
    pub cfg_shared_from: Signal<Out, Bits<6>>,
    /// Where what threads reach begins (MEM-007).
    pub cfg_memory_base: Signal<Out, Bits<32>>,
    /// End of what threads reach (MEM-002).
    pub cfg_memory_size: Signal<Out, Bits<32>>,
    /// Physical base of local memory.
    pub cfg_local_base: Signal<Out, Bits<32>>,
    /// Local memory of a thread, in bytes.
    pub cfg_local_bytes: Signal<Out, Bits<32>>,
    /// Scratchpad of a CTA, in bytes.
    pub cfg_scratchpad_bytes: Signal<Out, Bits<32>>,
    /// Pulse: lines of instructions and data are forgotten (SM-024).
    pub flush: Signal<Out, Bit>,
    /// All warps are killed, until none is left (SM-034).
    pub kill: Signal<Out, Bit>,
    /// A CTA is to start.
    pub cta_valid: Signal<Out, Bit>,
    /// The core takes it.
    pub cta_ready: Signal<In, Bit>,
    /// Its first instruction: byte address / 4.
    pub cta_pc: Signal<Out, Bits<22>>,
    /// Its threads.
    pub cta_threads: Signal<Out, Bits<12>>,
    /// Its level.
    pub cta_level: Signal<Out, Bits<4>>,
    /// Comes back with its end.
    pub cta_id: Signal<Out, Bits<16>>,
    /// Pulse: a CTA has ended, with the responses of all its writes (SM-014).
    pub cta_done: Signal<In, Bit>,
    /// Which one.
    pub cta_done_id: Signal<In, Bits<16>>,
    /// A thread of it had a fault.
    pub cta_done_failed: Signal<In, Bit>,
    /// An operation at the barrier unit.
    pub op_valid: Signal<In, Bit>,
    /// It is taken.
    pub op_ready: Signal<In, Bit>,
    /// Its code: one is LAUNCH, of a warp.
    pub op_code: Signal<In, Bits<4>>,
    /// Its warp.
    pub op_warp: Signal<In, Bits<WARP_BITS>>,
    /// Pulse: a warp is launched.
    pub start_valid: Signal<Out, Bit>,
    /// The warp.
    pub start_warp: Signal<Out, Bits<WARP_BITS>>,
    /// Its CTA's base in the scratchpad.
    pub start_base: Signal<Out, Bits<32>>,
    /// Of the CTA whose warps are launched: its number.
    pub cta_number: Signal<Out, Bits<32>>,
    /// The grid's number of its thread 0.
    pub cta_first: Signal<Out, Bits<32>>,
    /// The grid's number of its warp 0.
    pub cta_warp: Signal<Out, Bits<32>>,
    /// Its place along x.
    pub cta_x: Signal<Out, Bits<32>>,
    /// Its place along y.
    pub cta_y: Signal<Out, Bits<32>>,
    /// Its place along z.
    pub cta_z: Signal<Out, Bits<32>>,
    /// Threads of a CTA.
    pub cta_size: Signal<Out, Bits<32>>,
    /// CTAs along x.
    pub grid_x: Signal<Out, Bits<32>>,
    /// CTAs along y.
    pub grid_y: Signal<Out, Bits<32>>,
    /// CTAs along z.
    pub grid_z: Signal<Out, Bits<32>>,
    /// Threads of a CTA along x.
    pub group_x: Signal<Out, Bits<32>>,
    /// Threads of a CTA along y.
    pub group_y: Signal<Out, Bits<32>>,
    /// Threads of a CTA along z.
    pub group_z: Signal<Out, Bits<32>>,
    /// Threads of the grid.
    pub grid_threads: Signal<Out, Bits<32>>,
    /// a2 of every thread.
    pub arguments: Signal<Out, Bits<32>>,
    /// sp of every thread.
    pub stack_top: Signal<Out, Bits<32>>,
    /// Pulse: a fault (SM-013).
    pub fault_valid: Signal<In, Bit>,
    /// Its warp.
    pub fault_warp: Signal<In, Bits<WARP_BITS>>,
    /// Its thread.
    pub fault_thread: Signal<In, Bits<6>>,
    /// Its instruction.
    pub fault_pc: Signal<In, Bits<22>>,
    /// Its cause.
    pub fault_cause: Signal<In, Bits<4>>,
    /// The address that was wanted.
    pub fault_address: Signal<In, Bits<32>>,
    /// Pulse: an exception of the core.
    pub exception_valid: Signal<In, Bit>,
    /// Its warp.
    pub exception_warp: Signal<In, Bits<WARP_BITS>>,
    /// Its instruction.
    pub exception_pc: Signal<In, Bits<22>>,
    /// Its cause.
    pub exception_cause: Signal<In, Bits<4>>,
    /// Something that was launched is still in flight (SM-014).
    pub active: Signal<In, Bit>,
}

/// Ports of the data cache: towards the load/store unit, and, `down_*`, towards the memory port.
#[bundle]
pub struct CachePorts<const DATA: usize, const STROBES: usize, const MISS_BITS: usize> {
    /// Everything happens at its rising edge.
    pub clock: Signal<In, Clock>,
    /// Synchronous, active high.
    pub reset: Signal<In, Bit>,
    /// All lines are forgotten, those under way too.
    pub flush: Signal<In, Bit>,
    /// End of what may be read ahead, a multiple of 64.
    pub cfg_memory_size: Signal<In, Bits<32>>,
    /// A line that could be read ahead …
    pub ahead_line: Signal<Out, Bits<26>>,
    /// … and no write to it is without response, in the same cycle.
    pub ahead_clear: Signal<In, Bit>,
    /// The load/store unit reads.
    pub read_valid: Signal<In, Bit>,
    /// It is taken.
    pub read_ready: Signal<Out, Bit>,
    /// Comes back with the beats.
    pub read_id: Signal<In, Bits<MISS_BITS>>,
    /// Byte address of the first beat.
    pub read_address: Signal<In, Bits<32>>,
    /// Beats less one.
    pub read_length: Signal<In, Bits<3>>,
    /// Of an AMO or LR: past the cache.
    pub read_bypass: Signal<In, Bit>,
    /// Of an instruction in regular mode.
    pub read_regular: Signal<In, Bit>,
    /// A beat that was read.
    pub beat_valid: Signal<Out, Bit>,
    /// It is taken.
    pub beat_ready: Signal<In, Bit>,
    /// Whose.
    pub beat_id: Signal<Out, Bits<MISS_BITS>>,
    /// The beat.
    pub beat_data: Signal<Out, Bits<DATA>>,
    /// It came with an error.
    pub beat_error: Signal<Out, Bit>,
    /// The last one of its read.
    pub beat_last: Signal<Out, Bit>,
    /// The load/store unit writes a beat.
    pub write_valid: Signal<In, Bit>,
    /// It is taken.
    pub write_ready: Signal<Out, Bit>,
    /// Whose.
    pub write_id: Signal<In, Bits<MISS_BITS>>,
    /// Byte address of the first beat.
    pub write_address: Signal<In, Bits<32>>,
    /// Beats less one.
    pub write_length: Signal<In, Bits<3>>,
    /// The beat.
    pub write_data: Signal<In, Bits<DATA>>,
    /// Which of its bytes.
    pub write_strobes: Signal<In, Bits<STROBES>>,
    /// The last one of its write.
    pub write_last: Signal<In, Bit>,
    /// To and from the memory port: as `read_valid`.
    pub down_read_valid: Signal<Out, Bit>,
    /// To and from the memory port: as `read_ready`.
    pub down_read_ready: Signal<In, Bit>,
    /// To and from the memory port: as `read_id`.
    pub down_read_id: Signal<Out, Bits<MISS_BITS>>,
    /// To and from the memory port: as `read_address`.
    pub down_read_address: Signal<Out, Bits<32>>,
    /// To and from the memory port: as `read_length`.
    pub down_read_length: Signal<Out, Bits<3>>,
    /// To and from the memory port: as `read_bypass`.
    pub down_read_bypass: Signal<Out, Bit>,
    /// To and from the memory port: as `beat_valid`.
    pub down_beat_valid: Signal<In, Bit>,
    /// To and from the memory port: as `beat_ready`.
    pub down_beat_ready: Signal<Out, Bit>,
    /// To and from the memory port: as `beat_id`.
    pub down_beat_id: Signal<In, Bits<MISS_BITS>>,
    /// To and from the memory port: as `beat_data`.
    pub down_beat_data: Signal<In, Bits<DATA>>,
    /// To and from the memory port: as `beat_error`.
    pub down_beat_error: Signal<In, Bit>,
    /// To and from the memory port: as `beat_last`.
    pub down_beat_last: Signal<In, Bit>,
    /// To and from the memory port: as `write_valid`.
    pub down_write_valid: Signal<Out, Bit>,
    /// To and from the memory port: as `write_ready`.
    pub down_write_ready: Signal<In, Bit>,
    /// To and from the memory port: as `write_id`.
    pub down_write_id: Signal<Out, Bits<MISS_BITS>>,
    /// To and from the memory port: as `write_address`.
    pub down_write_address: Signal<Out, Bits<32>>,
    /// To and from the memory port: as `write_length`.
    pub down_write_length: Signal<Out, Bits<3>>,
    /// To and from the memory port: as `write_data`.
    pub down_write_data: Signal<Out, Bits<DATA>>,
    /// To and from the memory port: as `write_strobes`.
    pub down_write_strobes: Signal<Out, Bits<STROBES>>,
    /// To and from the memory port: as `write_last`.
    pub down_write_last: Signal<Out, Bit>,
    /// Pulses: 0 a read hits, 1 misses and is fetched, 2 goes past because of another line of its set; 3 a beat of a
    /// write hits; 4 a read is put aside until its line has come; 5 a held line makes room; 6 a line with an error has
    /// come; 7 a line is read ahead.
    pub events: Signal<Out, Bits<8>>,
    /// `read_regular` of the read of events 0 to 2.
    pub regular: Signal<Out, Bit>,
}

/// What the decoder says of the instruction of a pass.
#[bundle]
pub struct DecodedPorts {
    /// The scheduler's form (`docs/spec/scheduler.md`).
    pub decoded: Signal<Out, Bits<23>>,
    /// It is an instruction.
    pub legal: Signal<Out, Bit>,
    /// 0 lanes, 1 multiplier, 2 load/store unit, 3 divider, 4 float unit.
    pub unit: Signal<Out, Bits<3>>,
    /// Lanes: funct3, bit 3: subtract, shift arithmetically; multiplier, divider: bits 1..0 of funct3.
    pub alu: Signal<Out, Bits<4>>,
    /// The first operand is the pc and not rs1.
    pub a_pc: Signal<Out, Bit>,
    /// The second one is `imm` and not rs2.
    pub b_imm: Signal<Out, Bit>,
    /// The immediate.
    pub imm: Signal<Out, Bits<32>>,
    /// The threads that a control instruction selects: 0 none, 1 all, 2 rs1 ≠ 0, 3 rs1 = 0, 4 comparison, 5 rs1 odd,
    /// 6 the leader's group.
    pub condition: Signal<Out, Bits<3>>,
    /// `resolve_op`, but for masks.
    pub op: Signal<Out, Bits<4>>,
    /// `resolve_kind`, but for masks.
    pub kind: Signal<Out, Bits<4>>,
    /// It goes somewhere: to pc + imm, or (condition 6) to the leader's sum.
    pub has_target: Signal<Out, Bit>,
    /// Needs a word of the lowest active thread: 1 rs1 + imm, 2 rs2.
    pub leader: Signal<Out, Bits<2>>,
    /// A CSR instruction.
    pub csr: Signal<Out, Bit>,
    /// ebreak.
    pub breakpoint: Signal<Out, Bit>,
    /// subv.auto.
    pub by_mode: Signal<Out, Bit>,
    /// jal, jalr: rd = pc + 4.
    pub links: Signal<Out, Bit>,
    /// A mask instruction.
    pub mask: Signal<Out, Bit>,
    /// Its kind, as `weft_masks` wants it.
    pub mask_kind: Signal<Out, Bits<3>>,
    /// For the load/store unit: the operation.
    pub access_op: Signal<Out, Bits<5>>,
    /// log2 of the bytes.
    pub access_size: Signal<Out, Bits<2>>,
    /// The value is signed.
    pub access_signed: Signal<Out, Bit>,
    /// Acquire and release.
    pub access_order: Signal<Out, Bits<2>>,
    /// For the float unit: what it computes.
    pub float_code: Signal<Out, Bits<5>>,
}
