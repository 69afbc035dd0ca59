//! Codes that the pipeline stages of the convergence unit share.
//! Operations and causes seen from outside are in `docs/spec/control.md`.

pub const OP_NEXT: u64 = 0;
pub const OP_BRANCH: u64 = 1;
pub const OP_INDIRECT: u64 = 2;
pub const OP_PUSH: u64 = 3;
pub const OP_LEAVE: u64 = 4;
pub const OP_LEAVE_INDIRECT: u64 = 5;
pub const OP_YIELD: u64 = 6;
pub const OP_EXIT: u64 = 7;
pub const OP_FAULT: u64 = 8;
pub const OP_FORCED_YIELD: u64 = 9;
pub const OP_CALL: u64 = 10;
pub const OP_BARRIER: u64 = 11;
pub const OP_LAUNCH: u64 = 12;
pub const OP_CONFIG: u64 = 13;
pub const OP_MASK: u64 = 14;
/// What any other operation from outside becomes.
pub const OP_ILLEGAL: u64 = 15;

/// The kind of an OP_NEXT of `fence.i`, by which the datapath knows it again (DATA-047); of no meaning here.
pub const NEXT_FENCE_I: u64 = 15;

/// What OP_BARRIER does, in its kind.
pub const BARRIER_SLEEP: u64 = 0;
pub const BARRIER_RETRY: u64 = 1;
pub const BARRIER_PART: u64 = 2;
pub const BARRIER_WAKE: u64 = 3;

/// What OP_MASK does, in its kind; from outside.
pub const MASK_SET: u64 = 0;
pub const MASK_JUMP: u64 = 1;
pub const MASK_SUBV_START: u64 = 2;
/// … and in the passes: the type of the token that a SUBV_START pushes, the reason that a SET gives, or neither.
pub const PASS_SUBV_START: u64 = KIND_SYNC;
pub const PASS_SET: u64 = KIND_MASKED;
pub const PASS_JUMP: u64 = 1;

/// First pass of an operation.
pub const STEP_START: u64 = 0;
/// LEAVE: look at the next deeper token.
pub const STEP_SEARCH: u64 = 1;
/// LEAVE: its uncaught threads and the others part ways.
pub const STEP_SPLIT: u64 = 2;
/// YIELD: look at the next YIELD token from the back.
pub const STEP_SCAN: u64 = 3;
/// Nobody is active: pop the front token.
pub const STEP_UNWIND: u64 = 4;
/// YIELD: begin again at the last token.
pub const STEP_RESCAN: u64 = 5;
/// One part of the threads goes on: those that SUBV_START found active, or those that the SUBV token at the front
/// names.
pub const STEP_PART: u64 = 6;

/// A pass that carries out its step.
pub const MODE_RUN: u64 = 0;
/// The step has to wait until there is room in the window, or the token behind the front is there.
pub const MODE_WAIT: u64 = 1;
/// Token k is to be brought to hand.
pub const MODE_FETCH: u64 = 2;
/// Token k was changed in its scratch place.
pub const MODE_WRITE_BACK: u64 = 3;
/// The step pushes where the allocation ends (SPILL-020).
pub const MODE_RECENTER: u64 = 4;
/// k tokens in memory are moved; read the next ones.
pub const MODE_COPY_READ: u64 = 5;
/// … and write them.
pub const MODE_COPY_WRITE: u64 = 6;

/// Where a place number counts: round the front ring, round the back ring, or as it is.
pub const AREA_FRONT: u64 = 0;
pub const AREA_BACK: u64 = 1;
pub const AREA_SCRATCH: u64 = 2;

/// Values of `cfg_path`, CONV-011; the others are *smaller first*.
pub const PATH_TAKEN_FIRST: u64 = 1;
pub const PATH_FALL_THROUGH_FIRST: u64 = 2;

/// Token types, `docs/spec/convergence.md`.
pub const KIND_SYNC: u64 = 0;
pub const KIND_CALL: u64 = 3;
pub const KIND_LAST_SOFTWARE: u64 = 9;
pub const KIND_MASKED: u64 = 10;
pub const KIND_BARRIER: u64 = 11;
pub const KIND_SUBV: u64 = 12;
pub const KIND_DIV: u64 = 13;
pub const KIND_YIELD: u64 = 14;
pub const KIND_EXIT: u64 = 15;

/// Where the next address comes from. Of a branch whose threads part ways: from the group that runs first, which is
/// known late; what is pushed has that of the other one.
pub const PC_HOLD: u64 = 0;
pub const PC_TARGET: u64 = 1;
pub const PC_FALL: u64 = 2;
pub const PC_AFTER: u64 = 3;
pub const PC_FRONT: u64 = 4;
pub const PC_SIDE: u64 = 5;

/// Where the front token's next mask comes from: its own, the threads named, both, or its own without them.
/// When it is popped, the token at hand comes in its place.
pub const FRONT_HOLD: u64 = 0;
pub const FRONT_NAMED: u64 = 1;
pub const FRONT_JOINED: u64 = 2;
pub const FRONT_WITHOUT: u64 = 3;

/// What is written to the token memory: the token at hand, without the threads named or joined by them;
/// a YIELD token for them; the front token.
pub const STORE_WITHOUT: u64 = 0;
pub const STORE_JOINED: u64 = 1;
pub const STORE_NEW: u64 = 2;
pub const STORE_FRONT: u64 = 3;
