//! Barrier unit: who waits, and who goes on.
//!
//! Spec: `docs/spec/barrier.md`.
//!
//! # Parameters
//! `NW` warps and `W` threads per warp, powers of two; `WI` = log2 NW, `P` = log2 W + 1, `SB` = WI + 3, `MB` = WI + 4.
//!
//! # Ports
//! Those of the page. `op_ready`, `error_*`, `event_*` stand one or two gates behind registers, all other outputs are
//! registers; behind that of `wake_pc` stands an adder.
//! `op_valid`, `verdict_ready`, `wake_ready` may be late.
//!
//! # Parts
//! | block | what |
//! |---|---|
//! | [`threads`] | state of the threads, a row per warp |
//! | [`arrival`] | rules of TOP and ARRIVE |
//! | [`slots`] | queue, slots, arbiter; the queue of those that only let sleepers go |
//! | [`timers`] | timers, and those that have run out |
//! | here | all registers, memories and signals |
//!
//! | part of the kernel | what, in this order |
//! |---|---|
//! | [`tables`] | what is taken up, and the rows that are read for it |
//! | [`verdict`] | masks of an operation, its rules, its verdict |
//! | [`completion`] | EXIT and KILL; what completes a barrier |
//! | [`selector`] | who has the next turn; the bypass of a barrier that completes now |
//! | [`sets`] | masks of threads, as each step leaves them |
//! | [`outcome`] | what is written of the barrier and of the CTA |
//! | [`held`] | `hold` |
//! | [`sequencer`] | slots, timers, events, the next warp, the next step |
//!
//! # Prefixes
//! | prefix | of |
//! |---|---|
//! | `b_` | the barrier at hand: its state, as it was read and as the steps change it |
//! | `raw_` | what block RAM says in this cycle |
//! | `row_` | the threads of the warp at hand, a bit each |
//! | `w_` | what is written in this cycle |
//! | `m_` | a mask with one condition in every bit: so that each step is a term and not a choice |
//! | `n_` | such a mask over blocks or warps |
//!
//! A barrier's state is in block RAM; of 128 barriers a bit each in a row per CTA says whether it is idle, so that
//! launching a CTA is one write. With the state go three sets: blocks in which somebody sleeps (or is odd), warps that
//! are held, warps of which somebody was seen. So the selector goes from one block with sleepers to the next, held
//! warps go on in one cycle, and nothing has to be cleared at the end of a generation.
//!
//! Whom a RETRY made wait stands in a row per warp (`told`), which counts while the warp stands in the row of its CTA
//! (`waiters`). A change of the CTA takes all of them out of it, and out of `hold`, in one cycle.
//! One sequencer writes both, step by step, so no change is missed.
//!
//! # Cycle behaviour
//! One register per step of the sequencer.
//! ```text
//! cycle           0      1      2      3       4
//! operation       idle   look   rule   answer  (idle)     taken in 0; row and state of the barrier; verdict and new state
//!                 op     state  -      verdict event      verdict_valid; hold and event after its transfer (hold by RETRY: 5)
//! turn            idle   aim    wake   (idle)             next of the block that has the turn
//! another block   idle   aim    seek   reach   mark  sift  wake
//! release         ...    mark   wake   mark    wake ...   simple: every second cycle one warp
//! straight on     ...    rule   answer wake    mark ...   the arrival completes it, and it takes a slot at once; a section sifts before
//! end of group    ...    mark   sift   wake    mark  ...  every third cycle one warp
//! EXIT, KILL      idle   look   rule   answer  depart, then 7 cycles for each barrier of the CTA that is not idle, 2 more
//! ```
//! Straight on: while the verdict about an arrival is worked out, the sequencer already reads the row of the first warp
//! with sleepers (`firsts`), so that their wake can follow the verdict at once.
//! (After a KILL of that warp the barrier goes through the queue instead.)
//! Expired timers are served first. After that, operations and slots alternate.
//! A barrier that only releases sleepers (BAR-062) counts as a slot.
//! A step of a slot (up to its wake's transfer) is not interrupted.
//!
//! # Invariants
//! 1. While a verdict or a wake waits for its transfer nothing else happens.
//! 2. `present` of a barrier: the blocks in which a thread sleeps at it (not held) or is odd and done;
//!    while it is DYNAMIC maybe others of which
//!    threads live.
//! 3. `firsts` of a barrier that is STATIC and in which somebody sleeps: the warp of the first block of `present`, if
//!    its flag `known` is set.
//!
//! # Errors
//! As on the page. `Default` panics when the parameters do not fit each other.

pub mod arrival;
pub mod code;
mod completion;
mod condition;
pub mod fifo;
pub mod first;
mod held;
mod outcome;
mod selector;
mod sequencer;
mod sets;
pub mod slots;
mod tables;
pub mod threads;
pub mod timers;
mod verdict;

use crate::bundles::{ErrorPorts, EventPorts, ExpiredPorts};
use crate::hdl::*;
use crate::prim::{BlockRam, FirstOne, LutRam, Ones};
use arrival::Arrival;
use condition::Condition;
use slots::Slots;
use threads::Threads;
use timers::Timers;

#[module(
    requires(
        NW == 1 << WI, (2..=6).contains(&WI), W == 1 << (P - 1), (4..=64).contains(&W),
        SB == WI + 3, MB == WI + 4, NW * W <= 4095
    ),
    given(
        let every = |n: usize, k: usize, step: usize| -> u64 { (k..n).step_by(step).map(|i| 1u64 << i).sum() };
    ),
    kernel(
        tables::Tables, verdict::Verdict, completion::Completion, selector::Selector, sets::Sets,
        outcome::Outcome, selector::Bypass, held::Held, sequencer::Sequencer
    )
)]
pub struct Barrier<
    const NW: usize,
    const WI: usize,
    const W: usize,
    const P: usize,
    const SB: usize,
    const MB: usize,
> {
    /// Everything happens at its rising edge.
    pub clock: Signal<In, Clock>,
    /// Synchronous, active high.
    pub reset: Signal<In, Bit>,
    /// Two bits per barrier id, id 0 lowest: the larger goes first in the arbiter (BAR-061).
    pub cfg_priority: Signal<In, Bits<16>>,
    /// An operation for the barrier unit.
    pub op_valid: Signal<In, Bit>,
    /// It is taken.
    pub op_ready: Signal<Out, Bit>,
    /// Which one: `hdl/src/warp/barrier/code.rs`.
    pub op_code: Signal<In, Bits<4>>,
    /// Its warp.
    pub op_warp: Signal<In, Bits<WI>>,
    /// Its active threads.
    pub op_active: Signal<In, Bits<W>>,
    /// Those that participate, each of them active.
    pub op_mask: Signal<In, Bits<W>>,
    /// Barrier.
    pub op_id: Signal<In, Bits<3>>,
    /// Its word.
    pub op_word: Signal<In, Bits<32>>,
    /// Where it stands.
    pub op_pc: Signal<In, Bits<22>>,
    /// Of a launch: CTA slot.
    pub op_cta: Signal<In, Bits<4>>,
    /// Of a launch: block.
    pub op_block: Signal<In, Bits<WI>>,
    /// Of a launch: threads of the whole CTA.
    pub op_threads: Signal<In, Bits<12>>,
    /// What becomes of the threads: one per operation but LAUNCH and KILL, in their order.
    pub verdict_valid: Signal<Out, Bit>,
    /// It is taken.
    pub verdict_ready: Signal<In, Bit>,
    /// The warp.
    pub verdict_warp: Signal<Out, Bits<WI>>,
    /// 0 NEXT, 1 SLEEP, 2 RETRY, 3 PART, 4 EXIT.
    pub verdict_op: Signal<Out, Bits<3>>,
    /// The threads that it is about.
    pub verdict_mask: Signal<Out, Bits<W>>,
    /// Where the instruction stands.
    pub verdict_pc: Signal<Out, Bits<22>>,
    /// Bit w: warp w waits at a barrier as a whole and issues nothing (BAR-032, BAR-084).
    pub hold: Signal<Out, Bits<NW>>,
    /// Threads wake.
    pub wake_valid: Signal<Out, Bit>,
    /// It is taken.
    pub wake_ready: Signal<In, Bit>,
    /// Their warp.
    pub wake_warp: Signal<Out, Bits<WI>>,
    /// The threads.
    pub wake_mask: Signal<Out, Bits<W>>,
    /// They go on at this address.
    pub wake_pc: Signal<Out, Bits<22>>,
    pub error: ErrorPorts<WI, W>,
    pub event: EventPorts,
    pub expired: ExpiredPorts,

    // State: steps of the sequencer. After reset the rows are cleared.
    clearing: DFF<Bit>,
    idle: DFF<Bit>,
    look: DFF<Bit>,
    recount: DFF<Bit>,
    rule: DFF<Bit>,
    answer: DFF<Bit>,
    again: DFF<Bit>,
    evict: DFF<Bit>,
    place: DFF<Bit>,
    purge: DFF<Bit>,
    depart: DFF<Bit>,
    next_id: DFF<Bit>,
    fetch: DFF<Bit>,
    gather: DFF<Bit>,
    tally: DFF<Bit>,
    lower: DFF<Bit>,
    judge: DFF<Bit>,
    close: DFF<Bit>,
    ended: DFF<Bit>,
    recall: DFF<Bit>,
    timeout: DFF<Bit>,
    aim: DFF<Bit>,
    seek: DFF<Bit>,
    reach: DFF<Bit>,
    mark: DFF<Bit>,
    sift: DFF<Bit>,
    wake: DFF<Bit>,
    finish: DFF<Bit>,
    // State: the slots come before the next operation.
    slots_first: DFF<Bit>,

    // State: the operation at hand.
    is_top: DFF<Bit>,
    is_bottom: DFF<Bit>,
    blocking: DFF<Bit>,
    is_reset: DFF<Bit>,
    is_arrive: DFF<Bit>,
    is_wait: DFF<Bit>,
    is_exit: DFF<Bit>,
    is_launch: DFF<Bit>,
    is_kill: DFF<Bit>,
    word: DFF<Bits<32>>,
    pc: DFF<Bits<22>>,
    op_of_block: DFF<Bits<WI>>,
    block_bit: DFF<Bits<NW>>,
    // State: pieces of: others of its block sleep at the barrier; somebody of a former block does.
    block_pieces: DFF<Bits<8>>,
    former_pieces: DFF<Bits<8>>,
    launched: DFF<Bits<12>>,
    // State: warp and barrier at hand.
    // (Its row; in `rule` that of the first block with sleepers.
    // The next one: in `rule` the warp itself, in `answer` where the verdict can lead:
    // that first one, or of a reset the one inside.)
    warp: DFF<Bits<WI>>,
    row: DFF<Bits<WI>>,
    next_warp: DFF<Bits<WI>>,
    warp_bit: DFF<Bits<NW>>,
    barrier: DFF<Bits<7>>,
    // State: masks. In `look` A and S; then of TOP and ARRIVE A, S, seen; of BOTTOM others, H, odd;
    // of EXIT and KILL -, S and then those that count no more, -. `nested`: S that are inside a section;
    // odd ones that are done; those inside that end.
    all: DFF<Bits<W>>,
    taking: DFF<Bits<W>>,
    seen: DFF<Bits<W>>,
    nested: DFF<Bits<W>>,
    // State: pieces of: some of A are seen; the warp was seen.
    seen_pieces: DFF<Bits<8>>,
    warp_seen: DFF<Bits<4>>,
    some_all: DFF<Bit>,
    anybody: DFF<Bit>,
    some_taking: DFF<Bit>,
    // State: some of A are odd; some are not.
    any_odd: DFF<Bit>,
    any_even: DFF<Bit>,
    odd_phase: DFF<Bit>,
    count_all: DFF<Bits<P>>,
    count_taking: DFF<Bits<P>>,
    // State: S is all live threads of the warp, as it was told; some of a TOP are inside a section already.
    whole: DFF<Bit>,
    some_caught: DFF<Bit>,
    // State: who goes, sleeps, wakes, and what becomes of the row.
    mask: DFF<Bits<W>>,
    arrives: DFF<Bit>,
    arrives_late: DFF<Bit>,
    leaves: DFF<Bit>,
    sleeps: DFF<Bit>,
    strays: DFF<Bit>,
    settles: DFF<Bit>,
    // State: verdict, and what follows its transfer.
    verdict: DFF<Bits<3>>,
    completes: DFF<Bit>,
    closes: DFF<Bit>,
    holds: DFF<Bit>,
    frees_held: DFF<Bit>,
    enters: DFF<Bit>,
    evicts: DFF<Bit>,
    marks: DFF<Bit>,
    adds: DFF<Bit>,
    opened: DFF<Bit>,
    first_left: DFF<Bit>,
    // State: errors to report; the one reported now.
    misuse: DFF<Bit>,
    over: DFF<Bit>,
    says_misuse: DFF<Bit>,
    says_over: DFF<Bit>,
    // State: event reported now.
    happens: DFF<Bit>,
    kind: DFF<Bits<2>>,
    // State: a timer is set now: it stops; else it runs for as long as the word says.
    sets: DFF<Bit>,
    disarms: DFF<Bit>,

    // State: the barrier at hand, as it is or will be.
    b_static: DFF<Bit>,
    b_dynamic: DFF<Bit>,
    b_invalid: DFF<Bit>,
    b_split: DFF<Bit>,
    b_started: DFF<Bit>,
    b_rescan: DFF<Bit>,
    b_left: DFF<Bit>,
    b_reset: DFF<Bit>,
    b_turning: DFF<Bit>,
    b_ending: DFF<Bit>,
    b_void: DFF<Bit>,
    b_inside: DFF<Bit>,
    b_section: DFF<Bit>,
    b_exclusive: DFF<Bit>,
    // State: pieces of: its word counts for the instruction;
    // who leaves the section does so at another address than the first.
    own_by: DFF<Bit>,
    other_tag: DFF<Bits<11>>,
    may_stray: DFF<Bit>,
    other_exit: DFF<Bits<11>>,
    // State: it may take late threads; what the word of the instruction says;
    // arrivals that are missing, of all and of the count.
    b_joinable: DFF<Bit>,
    taking_only: DFF<Bit>,
    everybody: DFF<Bit>,
    impatient: DFF<Bit>,
    limited: DFF<Bit>,
    section: DFF<Bit>,
    b_missing: DFF<Bits<14>>,
    b_short: DFF<Bits<14>>,
    b_tag: DFF<Bits<22>>,
    b_word: DFF<Bits<33>>,
    b_exit: DFF<Bits<22>>,
    b_arrivals: DFF<Bits<13>>,
    b_present: DFF<Bits<NW>>,
    b_held: DFF<Bits<NW>>,
    b_seen: DFF<Bits<NW>>,
    b_holder: DFF<Bits<WI>>,
    // State: barriers of its CTA that are not idle, while it is read; phases of the CTA.
    used_row: DFF<Bits<8>>,
    phase_row: DFF<Bits<8>>,
    // State: warp of the first block with sleepers, while it is STATIC; that is known; so it is now, and there is one.
    b_first: DFF<Bits<WI>>,
    b_known: DFF<Bit>,
    first_known: DFF<Bit>,
    live: DFF<Bits<12>>,
    total: DFF<Bits<12>>,
    // State: its flags and arrivals; tag; exit (less one); word, with what it says in place of condition and kind;
    // sets; warp of the thread inside; warp of the first block with sleepers.
    flags: BlockRam<26, 7>,
    tags: BlockRam<22, 7>,
    exits: BlockRam<22, 7>,
    words: BlockRam<33, 7>,
    present: BlockRam<NW, 7>,
    held: BlockRam<NW, 7>,
    seers: BlockRam<NW, 7>,
    holders: BlockRam<WI, 7>,
    firsts: BlockRam<WI, 7>,
    // State per CTA slot: barriers that are not idle; phases; live threads; threads of the launch.
    used: LutRam<Bits<8>, 4>,
    phases: BlockRam<8, 4>,
    lives: BlockRam<12, 4>,
    totals: BlockRam<12, 4>,
    // State per warp: threads of it live; CTA slot and block. Per block and CTA slot: warp.
    // Per warp and id: threads that were seen.
    alive: LutRam<Bit, WI>,
    ctas: LutRam<Bits<4>, WI>,
    blocks: LutRam<Bits<WI>, WI>,
    places: BlockRam<WI, MB>,
    seen_rows: BlockRam<W, SB>,
    // State: `hold`.
    stops: DFF<Bits<NW>>,
    // State: per warp, threads that were told to wait awake; per CTA slot, warps for which that counts;
    // of the warp at hand: its row, and that it counts; its row with those who are told now; it was told now;
    // pieces of: some threads were not, and are awake; the CTA at hand has changed.
    told: BlockRam<W, WI>,
    waiters: LutRam<Bits<NW>, 4>,
    told_row: DFF<Bits<W>>,
    tells: DFF<Bits<W>>,
    checks: DFF<Bit>,
    runs: DFF<Bits<8>>,
    changes: DFF<Bit>,
    // State: barriers of the CTA that an EXIT has not come to yet; the thread inside was among those that ended.
    ids: DFF<Bits<8>>,
    hit: DFF<Bit>,
    full: DFF<Bit>,
    // State: it is the head of the queue of those that only let sleepers go, and not a slot, that is served.
    simple: DFF<Bit>,
    // State: slot at hand; block, and those of its threads that have not had their turn.
    slot: DFF<Bits<4>>,
    block: DFF<Bits<WI>>,
    rest: DFF<Bits<W>>,
    scan_blocks: LutRam<Bits<WI>, 4>,
    scan_warps: LutRam<Bits<WI>, 4>,
    scan_rests: LutRam<Bits<W>, 4>,
    // State: blocks with sleepers that the selector has not come to;
    // blocks behind that of the slot, or (of an operation) all; the next one of the first; there is one;
    // now the same block once more; the slot had a turn last; who is done goes first.
    ahead: DFF<Bits<NW>>,
    behind: DFF<Bits<NW>>,
    next_block: DFF<Bits<WI>>,
    next_found: DFF<Bit>,
    second: DFF<Bit>,
    plain: DFF<Bit>,
    halved: DFF<Bit>,
    once_more: DFF<Bit>,
    stays: DFF<Bit>,
    wakes: DFF<Bit>,
    // State: the selector looks for turns; late threads go at the end of the group.
    turn_mode: DFF<Bit>,
    with_late: DFF<Bit>,
    // State: it is a turn; where the wake goes.
    turns: DFF<Bit>,
    // State: since its barrier was complete, no other slot can have had a turn.
    sole: DFF<Bit>,
    at_exit: DFF<Bit>,
    at_tag: DFF<Bit>,

    threads: Threads<WI, W>,
    arrival: Arrival<P>,
    slots: Slots,
    timers: Timers,
    low_id: FirstOne<8, 3>,
    first_ahead: FirstOne<NW, WI>,
    pop_all: Ones<W, P>,
    pop_taking: Ones<W, P>,

    // Combinational: what is taken.
    ready: Signal<Local, Bit>,
    takes_op: Signal<Local, Bit>,
    takes_due: Signal<Local, Bit>,
    takes_slot: Signal<Local, Bit>,
    id: Signal<Local, Bits<3>>,
    cta: Signal<Local, Bits<4>>,
    op_barrier: Signal<Local, Bits<7>>,
    from_op: Signal<Local, Bits<WI>>,
    lookup: Signal<Local, Bits<WI>>,
    aimed: Signal<Local, Bits<7>>,
    seen_at: Signal<Local, Bits<SB>>,
    more_ids: Signal<Local, Bits<8>>,
    walk_barrier: Signal<Local, Bits<7>>,
    id_bit: Signal<Local, Bits<8>>,
    // Combinational: state that is read.
    is_used: Signal<Local, Bit>,
    raw: Signal<Local, Bits<26>>,
    raw_word: Signal<Local, Bits<33>>,
    raw_tag: Signal<Local, Bits<22>>,
    raw_held: Signal<Local, Bits<NW>>,
    raw_seers: Signal<Local, Bits<NW>>,
    raw_section: Signal<Local, Bit>,
    new_condition: Condition,
    new_count: Signal<Local, Bits<11>>,
    exceeds: Signal<Local, Bit>,
    no_time: Signal<Local, Bit>,
    tag_differs: Signal<Local, Bits<22>>,
    exit_differs: Signal<Local, Bits<22>>,
    tag_pieces: Signal<Local, Bits<11>>,
    exit_pieces: Signal<Local, Bits<11>>,
    own_seers: Signal<Local, Bits<NW>>,
    seer_pieces: Signal<Local, Bits<4>>,
    bit_of_warp: Signal<Local, Bits<NW>>,
    fresh_seen: Signal<Local, Bits<W>>,
    seen_here: Signal<Local, Bits<W>>,
    fresh_pieces: Signal<Local, Bits<8>>,
    by_arrive: Signal<Local, Bit>,
    by_top: Signal<Local, Bit>,
    leaves_again: Signal<Local, Bit>,
    raw_seen: Signal<Local, Bits<W>>,
    misses: Signal<Local, Bit>,
    empties: Signal<Local, Bit>,
    fills: Signal<Local, Bit>,
    loads: Signal<Local, Bit>,
    // Combinational: masks of an operation.
    row_live: Signal<Local, Bits<W>>,
    row_asleep: Signal<Local, Bits<W>>,
    row_inside: Signal<Local, Bits<W>>,
    row_gone: Signal<Local, Bits<W>>,
    row_noted: Signal<Local, Bits<W>>,
    row_here: Signal<Local, Bits<W>>,
    phase: Signal<Local, Bits<W>>,
    is_odd_phase: Signal<Local, Bit>,
    was_seen: Signal<Local, Bit>,
    was_held: Signal<Local, Bit>,
    kills: Signal<Local, Bit>,
    kills_held: Signal<Local, Bit>,
    gathers_seen: Signal<Local, Bit>,
    killed: Signal<Local, Bits<W>>,
    held_all: Signal<Local, Bits<W>>,
    seen_too: Signal<Local, Bits<W>>,
    // Combinational: rules.
    knows_seen: Signal<Local, Bit>,
    seen_mask: Signal<Local, Bits<W>>,
    only_special: Signal<Local, Bit>,
    any_bound: Signal<Local, Bit>,
    any_all: Signal<Local, Bit>,
    any_taking: Signal<Local, Bit>,
    caught: Signal<Local, Bits<W>>,
    any_caught: Signal<Local, Bit>,
    recounts: Signal<Local, Bit>,
    strayed: Signal<Local, Bit>,
    bottoms: Signal<Local, Bit>,
    arriving: Signal<Local, Bit>,
    others: Signal<Local, Bit>,
    any_present: Signal<Local, Bit>,
    lets_go: Signal<Local, Bit>,
    goes_on: Signal<Local, Bit>,
    // Combinational: answers.
    answered: Signal<Local, Bit>,
    opens: Signal<Local, Bit>,
    sets_tag: Signal<Local, Bit>,
    next_tag: Signal<Local, Bits<22>>,
    kept_word: Signal<Local, Bits<33>>,
    twice: Signal<Local, Bit>,
    to_misuse: Signal<Local, Bit>,
    to_over: Signal<Local, Bit>,
    fewer: Signal<Local, Bits<12>>,
    reached: Signal<Local, Bit>,
    judged: Signal<Local, Bit>,
    ran_out: Signal<Local, Bit>,
    policy: Signal<Local, Bits<2>>,
    voids: Signal<Local, Bit>,
    complete: Signal<Local, Bit>,
    will_be: Signal<Local, Bit>,
    then_idle: Signal<Local, Bit>,
    // Combinational: selector.
    at_once: Signal<Local, Bit>,
    quick: Signal<Local, Bit>,
    straight: Signal<Local, Bit>,
    finds: Signal<Local, Bit>,
    from_start: Signal<Local, Bit>,
    own_bit: Signal<Local, Bits<NW>>,
    own_present: Signal<Local, Bits<NW>>,
    present_pieces: Signal<Local, Bits<8>>,
    from_own: Signal<Local, Bits<NW>>,
    before_own: Signal<Local, Bits<NW>>,
    before_pieces: Signal<Local, Bits<8>>,
    restarts: Signal<Local, Bit>,
    passes: Signal<Local, Bit>,
    moves_ahead: Signal<Local, Bit>,
    n_first: Signal<Local, Bits<NW>>,
    comes_before: Signal<Local, Bit>,
    comes_behind: Signal<Local, Bit>,
    would_sleep: Signal<Local, Bit>,
    drops_first: Signal<Local, Bit>,
    leads: Signal<Local, Bit>,
    to_first: Signal<Local, Bit>,
    to_place: Signal<Local, Bit>,
    to_holder: Signal<Local, Bit>,
    m_of_op: Signal<Local, Bits<WI>>,
    m_of_slot: Signal<Local, Bits<WI>>,
    m_of_place: Signal<Local, Bits<WI>>,
    m_of_next: Signal<Local, Bits<WI>>,
    takes_plain_op: Signal<Local, Bit>,
    m_of_look: Signal<Local, Bits<WI>>,
    other_warp: Signal<Local, Bits<WI>>,
    to_next: Signal<Local, Bit>,
    from_next: Signal<Local, Bit>,
    from_place: Signal<Local, Bit>,
    moves: Signal<Local, Bit>,
    bit_from: Signal<Local, Bits<WI>>,
    m_leads: Signal<Local, Bits<W>>,
    m_through: Signal<Local, Bits<W>>,
    goes_first: Signal<Local, Bit>,
    through: Signal<Local, Bit>,
    n_over: Signal<Local, Bits<NW>>,
    n_sleeps: Signal<Local, Bits<NW>>,
    n_loads: Signal<Local, Bits<NW>>,
    n_holds: Signal<Local, Bits<NW>>,
    n_drops: Signal<Local, Bits<NW>>,
    n_leaves: Signal<Local, Bits<NW>>,
    n_joins: Signal<Local, Bits<NW>>,
    looks: Signal<Local, Bit>,
    starts_over: Signal<Local, Bit>,
    sleeps_too: Signal<Local, Bit>,
    holds_on: Signal<Local, Bit>,
    drops: Signal<Local, Bit>,
    leaves_block: Signal<Local, Bit>,
    joins_block: Signal<Local, Bit>,
    all_blocks: Signal<Local, Bits<NW>>,
    nearest: Signal<Local, Bits<NW>>,
    nearest_at: Signal<Local, Bits<WI>>,
    place_at: Signal<Local, Bits<WI>>,
    own_row: Signal<Local, Bit>,
    done_too: Signal<Local, Bit>,
    late_too: Signal<Local, Bit>,
    others_too: Signal<Local, Bit>,
    others_stay: Signal<Local, Bits<W>>,
    no_late: Signal<Local, Bits<W>>,
    staying: Signal<Local, Bits<W>>,
    rest_minus: Signal<Local, Bits<W>>,
    chosen: Signal<Local, Bits<W>>,
    fits: Signal<Local, Bit>,
    everyone: Signal<Local, Bit>,
    first_pass: Signal<Local, Bit>,
    lets_some: Signal<Local, Bit>,
    lets_more: Signal<Local, Bit>,
    m_some: Signal<Local, Bits<W>>,
    m_more: Signal<Local, Bits<W>>,
    unchosen: Signal<Local, Bits<W>>,
    fast: Signal<Local, Bit>,
    any_rest: Signal<Local, Bit>,
    sleepers: Signal<Local, Bits<W>>,
    released: Signal<Local, Bits<W>>,
    place_of_wake: Signal<Local, Bits<22>>,
    further: Signal<Local, Bit>,
    leaves_it: Signal<Local, Bit>,
    here_bit: Signal<Local, Bits<NW>>,
    new_present: Signal<Local, Bits<NW>>,
    woken: Signal<Local, Bit>,
    same_slot: Signal<Local, Bit>,
    still_first: Signal<Local, Bit>,
    interrupted: Signal<Local, Bit>,
    goes_again: Signal<Local, Bit>,
    is_again: Signal<Local, Bit>,
    scans: Signal<Local, Bit>,
    flips: Signal<Local, Bit>,
    // Combinational: masks of threads: which step it is, in every bit.
    looks_bottom: Signal<Local, Bit>,
    looks_kill: Signal<Local, Bit>,
    inverts: Signal<Local, Bit>,
    stays_taking: Signal<Local, Bit>,
    loads_seen: Signal<Local, Bit>,
    looks_other: Signal<Local, Bit>,
    sifts: Signal<Local, Bit>,
    keeps_rest: Signal<Local, Bit>,
    keeps_mask: Signal<Local, Bit>,
    renames: Signal<Local, Bit>,
    names_all: Signal<Local, Bit>,
    names_odd: Signal<Local, Bit>,
    names_special: Signal<Local, Bit>,
    names_bound: Signal<Local, Bit>,
    names_plain: Signal<Local, Bit>,
    m_idle: Signal<Local, Bits<W>>,
    m_top: Signal<Local, Bits<W>>,
    m_bottom: Signal<Local, Bits<W>>,
    m_kill: Signal<Local, Bits<W>>,
    m_inverts: Signal<Local, Bits<W>>,
    m_fetch: Signal<Local, Bits<W>>,
    m_other: Signal<Local, Bits<W>>,
    m_taking: Signal<Local, Bits<W>>,
    m_raw_seen: Signal<Local, Bits<W>>,
    m_rest: Signal<Local, Bits<W>>,
    m_mask: Signal<Local, Bits<W>>,
    m_sifts: Signal<Local, Bits<W>>,
    m_names_all: Signal<Local, Bits<W>>,
    m_special: Signal<Local, Bits<W>>,
    m_bound: Signal<Local, Bits<W>>,
    m_plain: Signal<Local, Bits<W>>,
    m_reset: Signal<Local, Bits<W>>,
    early_taking: Signal<Local, Bits<W>>,
    rule_mask: Signal<Local, Bits<W>>,
    // Combinational: what is written.
    writes: Signal<Local, Bit>,
    w_idle: Signal<Local, Bit>,
    w_dynamic: Signal<Local, Bit>,
    w_invalid: Signal<Local, Bit>,
    turns_next: Signal<Local, Bit>,
    starts_next: Signal<Local, Bit>,
    w_flags: Signal<Local, Bits<12>>,
    w_known: Signal<Local, Bit>,
    w_held: Signal<Local, Bits<NW>>,
    w_seen: Signal<Local, Bits<NW>>,
    w_used: Signal<Local, Bits<8>>,
    writes_used: Signal<Local, Bit>,
    pushes: Signal<Local, Bit>,
    // Combinational: `hold`.
    told_before: Signal<Local, Bit>,
    told_now: Signal<Local, Bits<W>>,
    runnable: Signal<Local, Bits<W>>,
    run_pieces: Signal<Local, Bits<8>>,
    waits: Signal<Local, Bit>,
    stands: Signal<Local, Bit>,
    goes: Signal<Local, Bit>,
    frees: Signal<Local, Bit>,
    m_told: Signal<Local, Bits<NW>>,
    m_answer: Signal<Local, Bits<NW>>,
    m_frees: Signal<Local, Bits<NW>>,
    m_changes: Signal<Local, Bits<NW>>,
    m_goes: Signal<Local, Bits<NW>>,
    m_stands: Signal<Local, Bits<NW>>,

    // Constants.
    #[value(0.into())]
    no_threads: Constant<Bits<W>>,
    #[value(0.into())]
    no_warps: Constant<Bits<NW>>,
    #[value((u64::MAX >> (64 - NW)).into())]
    all_warps: Constant<Bits<NW>>,
    #[value(1.into())]
    one_warp: Constant<Bits<NW>>,
    #[value((u64::MAX >> (64 - NW) & !1).into())]
    but_first: Constant<Bits<NW>>,
    #[value(0.into())]
    no_place: Constant<Bits<WI>>,
    #[value(1.into())]
    next_place: Constant<Bits<WI>>,
    #[value(0.into())]
    no_ids: Constant<Bits<8>>,
    #[value(1.into())]
    one_id: Constant<Bits<8>>,
    #[init(std::array::from_fn(|i| Constant::new(((1u64 << i) - 1).into())))]
    lower_ids: [Constant<Bits<8>>; 8],
    #[value(0.into())]
    no_ticks: Constant<Bits<11>>,
    #[value(0.into())]
    no_pieces: Constant<Bits<11>>,
    #[value(0.into())]
    no_seers: Constant<Bits<4>>,
    #[value(2.into())]
    policy_2: Constant<Bits<2>>,
    #[init(std::array::from_fn(|k| Constant::new(every(W, k, 8).into())))]
    eighths: [Constant<Bits<W>>; 8],
    #[init(std::array::from_fn(|k| Constant::new(every(NW, k, 4).into())))]
    quarters: [Constant<Bits<NW>>; 4],
    #[init(std::array::from_fn(|k| Constant::new(every(NW, k, 8).into())))]
    parts: [Constant<Bits<NW>>; 8],
    #[init(std::array::from_fn(|k| Constant::new(every(22, k, 11).into())))]
    pairs: [Constant<Bits<22>>; 11],
    #[value(3.into())]
    policy_3: Constant<Bits<2>>,
    #[value(code::TOP.into())]
    code_top: Constant<Bits<4>>,
    #[value(code::BOTTOM.into())]
    code_bottom: Constant<Bits<4>>,
    #[value(code::BOTTOM_NB.into())]
    code_bottom_nb: Constant<Bits<4>>,
    #[value(code::RESET.into())]
    code_reset: Constant<Bits<4>>,
    #[value(code::ARRIVE.into())]
    code_arrive: Constant<Bits<4>>,
    #[value(code::WAIT.into())]
    code_wait: Constant<Bits<4>>,
    #[value(code::EXIT.into())]
    code_exit: Constant<Bits<4>>,
    #[value(code::LAUNCH.into())]
    code_launch: Constant<Bits<4>>,
    #[value(code::KILL.into())]
    code_kill: Constant<Bits<4>>,
    #[value(code::VERDICT_NEXT.into())]
    verdict_next: Constant<Bits<3>>,
    #[value(code::VERDICT_SLEEP.into())]
    verdict_sleep: Constant<Bits<3>>,
    #[value(code::VERDICT_RETRY.into())]
    verdict_retry: Constant<Bits<3>>,
    #[value(code::VERDICT_PART.into())]
    verdict_part: Constant<Bits<3>>,
    #[value(code::VERDICT_EXIT.into())]
    verdict_exit: Constant<Bits<3>>,
    #[value(0.into())]
    event_fire: Constant<Bits<2>>,
    #[value(1.into())]
    event_timeout: Constant<Bits<2>>,
    #[value(2.into())]
    event_idle: Constant<Bits<2>>,
    #[value(3.into())]
    event_again: Constant<Bits<2>>,
    #[value(1.into())]
    cause_not_holding: Constant<Bits<2>>,
    #[value(2.into())]
    cause_count: Constant<Bits<2>>,
    #[value(3.into())]
    cause_nested: Constant<Bits<2>>,
}

#[cfg(test)]
mod tests;
