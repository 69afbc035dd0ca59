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
//! | here | state of the barriers, the sequencer, `hold` |
//!
//! A barrier's state is in block RAM; of 128 barriers a bit each in a row per CTA says whether it is idle, so that
//! launching a CTA is one write. With the state go three sets: blocks in which somebody sleeps (or is odd), warps that
//! are held, warps of which somebody was seen. So the selector goes from one block with sleepers to the next, held
//! warps go on in one cycle, and nothing has to be cleared at the end of a generation.
//!
//! Whom a RETRY made wait stands in a row per warp (`told`), which counts while the warp stands in the row of its CTA
//! (`waiters`). A change of the CTA takes all of them out of it, and out of `hold`, in one cycle.
//! Told and changed is by steps of the one sequencer, so no change is missed.
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
//! Straight on: while an arrival is ruled upon, the row that is looked at is that of the warp of the first block with
//! sleepers (`firsts`), so their wake can follow the verdict at once.
//! (A KILL of that warp makes it forgotten: then the barrier goes through the queue.)
//! What has run out goes first, then operations and slots by turns;
//! whoever only lets sleepers go (BAR-062) counts as a slot here.
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
mod condition;
pub mod fifo;
pub mod first;
pub mod slots;
pub mod threads;
pub mod timers;

use crate::hdl::*;
use crate::prim::{BlockRam, FirstOne, LutRam, Ones};
use arrival::Arrival;
use condition::Condition;
use slots::Slots;
use threads::Threads;
use timers::Timers;

#[derive(LogicBlock)]
pub struct Barrier<
    const NW: usize,
    const WI: usize,
    const W: usize,
    const P: usize,
    const SB: usize,
    const MB: usize,
> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub cfg_priority: Signal<In, Bits<16>>,
    pub op_valid: Signal<In, Bit>,
    pub op_ready: Signal<Out, Bit>,
    pub op_code: Signal<In, Bits<4>>,
    pub op_warp: Signal<In, Bits<WI>>,
    pub op_active: Signal<In, Bits<W>>,
    pub op_mask: Signal<In, Bits<W>>,
    pub op_id: Signal<In, Bits<3>>,
    pub op_word: Signal<In, Bits<32>>,
    pub op_pc: Signal<In, Bits<22>>,
    pub op_cta: Signal<In, Bits<4>>,
    pub op_block: Signal<In, Bits<WI>>,
    pub op_threads: Signal<In, Bits<12>>,
    pub verdict_valid: Signal<Out, Bit>,
    pub verdict_ready: Signal<In, Bit>,
    pub verdict_warp: Signal<Out, Bits<WI>>,
    pub verdict_op: Signal<Out, Bits<3>>,
    pub verdict_mask: Signal<Out, Bits<W>>,
    pub verdict_pc: Signal<Out, Bits<22>>,
    pub hold: Signal<Out, Bits<NW>>,
    pub wake_valid: Signal<Out, Bit>,
    pub wake_ready: Signal<In, Bit>,
    pub wake_warp: Signal<Out, Bits<WI>>,
    pub wake_mask: Signal<Out, Bits<W>>,
    pub wake_pc: Signal<Out, Bits<22>>,
    pub error_valid: Signal<Out, Bit>,
    pub error_warp: Signal<Out, Bits<WI>>,
    pub error_mask: Signal<Out, Bits<W>>,
    pub error_pc: Signal<Out, Bits<22>>,
    pub error_id: Signal<Out, Bits<3>>,
    pub error_cause: Signal<Out, Bits<2>>,
    pub event_valid: Signal<Out, Bit>,
    pub event_kind: Signal<Out, Bits<2>>,
    pub event_cta: Signal<Out, Bits<4>>,
    pub event_id: Signal<Out, Bits<3>>,
    pub expired_valid: Signal<Out, Bit>,
    pub expired_cta: Signal<Out, Bits<4>>,
    pub expired_id: Signal<Out, Bits<3>>,

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
    no_threads: Constant<Bits<W>>,
    no_warps: Constant<Bits<NW>>,
    all_warps: Constant<Bits<NW>>,
    one_warp: Constant<Bits<NW>>,
    but_first: Constant<Bits<NW>>,
    no_place: Constant<Bits<WI>>,
    next_place: Constant<Bits<WI>>,
    no_ids: Constant<Bits<8>>,
    one_id: Constant<Bits<8>>,
    lower_ids: [Constant<Bits<8>>; 8],
    no_ticks: Constant<Bits<11>>,
    no_pieces: Constant<Bits<11>>,
    no_seers: Constant<Bits<4>>,
    policy_2: Constant<Bits<2>>,
    eighths: [Constant<Bits<W>>; 8],
    quarters: [Constant<Bits<NW>>; 4],
    parts: [Constant<Bits<NW>>; 8],
    pairs: [Constant<Bits<22>>; 11],
    policy_3: Constant<Bits<2>>,
    code_top: Constant<Bits<4>>,
    code_bottom: Constant<Bits<4>>,
    code_bottom_nb: Constant<Bits<4>>,
    code_reset: Constant<Bits<4>>,
    code_arrive: Constant<Bits<4>>,
    code_wait: Constant<Bits<4>>,
    code_exit: Constant<Bits<4>>,
    code_launch: Constant<Bits<4>>,
    code_kill: Constant<Bits<4>>,
    verdict_next: Constant<Bits<3>>,
    verdict_sleep: Constant<Bits<3>>,
    verdict_retry: Constant<Bits<3>>,
    verdict_part: Constant<Bits<3>>,
    verdict_exit: Constant<Bits<3>>,
    event_fire: Constant<Bits<2>>,
    event_timeout: Constant<Bits<2>>,
    event_idle: Constant<Bits<2>>,
    event_again: Constant<Bits<2>>,
    cause_not_holding: Constant<Bits<2>>,
    cause_count: Constant<Bits<2>>,
    cause_nested: Constant<Bits<2>>,
}

impl<
        const NW: usize,
        const WI: usize,
        const W: usize,
        const P: usize,
        const SB: usize,
        const MB: usize,
    > Default for Barrier<NW, WI, W, P, SB, MB>
{
    fn default() -> Self {
        assert!(
            NW == 1 << WI
                && (2..=6).contains(&WI)
                && W == 1 << (P - 1)
                && (4..=64).contains(&W)
                && SB == WI + 3
                && MB == WI + 4
                && NW * W <= 4095,
            "Barrier<{NW}, {WI}, {W}, {P}, {SB}, {MB}>"
        );
        let every = |n: usize, k: usize, step: usize| -> u64 {
            (k..n).step_by(step).map(|i| 1u64 << i).sum()
        };
        block!({
            clock, reset, cfg_priority, op_valid, op_ready, op_code, op_warp, op_active, op_mask,
            op_id, op_word, op_pc, op_cta, op_block, op_threads, verdict_valid, verdict_ready,
            verdict_warp, verdict_op, verdict_mask, verdict_pc, hold, wake_valid, wake_ready,
            wake_warp, wake_mask, wake_pc, error_valid, error_warp, error_mask, error_pc, error_id,
            error_cause, event_valid, event_kind, event_cta, event_id, expired_valid, expired_cta,
            expired_id, clearing, idle, look, recount, rule, answer, again, evict, place, purge,
            depart, next_id, fetch, gather, tally, lower, judge, close, ended, recall, timeout, aim,
            seek, reach, mark, sift, wake, finish, slots_first, is_top, is_bottom, blocking,
            is_reset, is_arrive, is_wait, is_exit, is_launch, is_kill, word, pc, op_of_block,
            block_bit, block_pieces, former_pieces, launched, warp, row, next_warp, warp_bit, barrier, all, taking, seen, nested, seen_pieces, warp_seen, some_all, anybody, some_taking, any_odd, any_even,
            odd_phase, count_all, count_taking, whole, some_caught, mask, arrives, arrives_late, leaves, sleeps,
            strays, settles, verdict, completes, closes, holds, frees_held, enters, evicts, marks,
            adds, opened, first_left, misuse, over, says_misuse, says_over, happens, kind, sets,
            disarms, b_static, b_dynamic, b_invalid, b_split, b_started, b_rescan, b_left, b_reset,
            b_turning, b_ending, b_void, b_inside, b_section, b_exclusive, own_by, other_tag, may_stray, other_exit,
            b_joinable, taking_only, everybody, impatient, limited, section, b_missing, b_short, b_tag, b_word, b_exit, b_arrivals,
            b_present, b_held, b_seen, b_holder, b_first, b_known, first_known, live, total, flags, tags, exits, words, present,
            held, seers, holders, firsts, used, used_row, phase_row, phases, lives, totals, alive, ctas, blocks, places, seen_rows,
            stops, told, waiters, told_row, tells, checks, changes, told_before, told_now, runnable, run_pieces, runs, waits, stands, goes,
            frees, m_told, m_answer, m_frees, m_changes, m_goes, m_stands, ids, hit, full, simple, slot, block, rest, scan_blocks, scan_warps, scan_rests,
            from_start, next_block, next_found, second, plain, halved, once_more, stays, wakes,
            turns, sole, at_exit, at_tag, threads, arrival, slots, timers, low_id, first_ahead, pop_all, pop_taking,
            ready, takes_op, takes_due, takes_slot, id, cta, op_barrier, from_op, lookup, aimed,
            seen_at, more_ids, walk_barrier, id_bit, is_used, raw, raw_word,
            raw_tag, raw_held, raw_seers, raw_section, new_condition, new_count, exceeds, no_time, tag_differs, exit_differs, tag_pieces, exit_pieces, own_seers, seer_pieces, bit_of_warp, fresh_seen, seen_here, fresh_pieces, by_arrive, by_top, leaves_again, raw_seen, misses, empties, fills, loads, row_live,
            row_asleep, row_inside, row_gone, row_noted, row_here, phase, is_odd_phase,
            was_seen, was_held, kills, kills_held, gathers_seen, killed, held_all, seen_too, knows_seen, seen_mask,
            only_special, any_bound, any_all, any_taking, caught, any_caught, recounts, strayed,
            bottoms, arriving, others, any_present, lets_go, goes_on, answered, opens, sets_tag, next_tag, kept_word, twice, to_misuse, to_over, fewer,
            reached, judged, ran_out, policy, voids, complete, will_be, then_idle, at_once, quick,
            straight, own_bit, own_present, present_pieces, from_own, before_own, before_pieces, all_blocks, restarts, passes, moves_ahead, n_first, comes_before, comes_behind, would_sleep, drops_first, leads, to_first, to_place, to_holder, m_of_op, m_of_slot, m_of_place, m_of_next, takes_plain_op, m_of_look, other_warp, to_next, from_next, from_place, moves, bit_from, m_leads, m_through, goes_first, through, n_over, n_sleeps, n_loads, n_holds, n_drops, n_leaves, n_joins, looks, starts_over, sleeps_too, holds_on, drops, leaves_block, joins_block, finds, behind, ahead,
            nearest, nearest_at, place_at, own_row, done_too, late_too, others_too, others_stay,
            no_late, staying, rest_minus, chosen, fits, everyone, with_late, first_pass,
            any_rest, lets_some, lets_more, m_some, m_more, unchosen, fast, turn_mode, sleepers, released, place_of_wake,
            further, leaves_it, here_bit, new_present, woken, same_slot, still_first, interrupted, goes_again, is_again, scans,
            flips, writes, w_idle, w_dynamic, w_invalid, turns_next, starts_next, w_flags, w_known, w_held,
            w_seen, w_used, writes_used, pushes, looks_bottom, looks_kill, inverts, stays_taking, loads_seen, looks_other, sifts, keeps_rest, keeps_mask, renames,
            names_all, names_odd, names_special, names_bound, names_plain, m_idle, m_top, m_bottom, m_kill, m_inverts, m_fetch,
            m_other, m_taking, m_raw_seen, m_rest, m_mask, m_sifts, m_names_all, m_special, m_bound, m_plain,
            m_reset, early_taking, rule_mask,
        } {
            no_threads: Constant::new(0.into()),
            no_warps: Constant::new(0.into()),
            all_warps: Constant::new((u64::MAX >> (64 - NW)).into()),
            one_warp: Constant::new(1.into()),
            but_first: Constant::new((u64::MAX >> (64 - NW) & !1).into()),
            no_place: Constant::new(0.into()),
            next_place: Constant::new(1.into()),
            no_ids: Constant::new(0.into()),
            one_id: Constant::new(1.into()),
            lower_ids: std::array::from_fn(|i| Constant::new(((1u64 << i) - 1).into())),
            no_ticks: Constant::new(0.into()),
            no_pieces: Constant::new(0.into()),
            no_seers: Constant::new(0.into()),
            policy_2: Constant::new(2.into()),
            eighths: std::array::from_fn(|k| Constant::new(every(W, k, 8).into())),
            parts: std::array::from_fn(|k| Constant::new(every(NW, k, 8).into())),
            quarters: std::array::from_fn(|k| Constant::new(every(NW, k, 4).into())),
            pairs: std::array::from_fn(|k| Constant::new(every(22, k, 11).into())),
            policy_3: Constant::new(3.into()),
            code_top: Constant::new(code::TOP.into()),
            code_bottom: Constant::new(code::BOTTOM.into()),
            code_bottom_nb: Constant::new(code::BOTTOM_NB.into()),
            code_reset: Constant::new(code::RESET.into()),
            code_arrive: Constant::new(code::ARRIVE.into()),
            code_wait: Constant::new(code::WAIT.into()),
            code_exit: Constant::new(code::EXIT.into()),
            code_launch: Constant::new(code::LAUNCH.into()),
            code_kill: Constant::new(code::KILL.into()),
            verdict_next: Constant::new(code::VERDICT_NEXT.into()),
            verdict_sleep: Constant::new(code::VERDICT_SLEEP.into()),
            verdict_retry: Constant::new(code::VERDICT_RETRY.into()),
            verdict_part: Constant::new(code::VERDICT_PART.into()),
            verdict_exit: Constant::new(code::VERDICT_EXIT.into()),
            event_fire: Constant::new(0.into()),
            event_timeout: Constant::new(1.into()),
            event_idle: Constant::new(2.into()),
            event_again: Constant::new(3.into()),
            cause_not_holding: Constant::new(1.into()),
            cause_count: Constant::new(2.into()),
            cause_nested: Constant::new(3.into()),
        })
    }
}

impl<
        const NW: usize,
        const WI: usize,
        const W: usize,
        const P: usize,
        const SB: usize,
        const MB: usize,
    > Logic for Barrier<NW, WI, W, P, SB, MB>
{
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self, clock, clearing, idle, look, rule, answer, again, evict, place, purge, depart
        );
        dff_setup!(self, clock, next_id, fetch, tally, lower, judge, ended, recall, timeout, aim);
        dff_setup!(
            self,
            clock,
            seek,
            reach,
            mark,
            wake,
            finish,
            slots_first,
            is_top,
            is_bottom
        );
        dff_setup!(
            self, clock, blocking, is_reset, is_arrive, is_wait, is_exit, is_launch, is_kill
        );
        dff_setup!(
            self,
            clock,
            word,
            pc,
            op_of_block,
            launched,
            warp,
            barrier,
            all
        );
        dff_setup!(
            self,
            clock,
            taking,
            seen,
            count_all,
            count_taking,
            whole,
            some_caught,
            mask,
            arrives
        );
        dff_setup!(
            self,
            clock,
            arrives_late,
            leaves,
            sleeps,
            strays,
            settles,
            verdict,
            completes
        );
        dff_setup!(self, clock, closes, holds, frees_held, enters, evicts, marks, misuse, over);
        dff_setup!(
            self,
            clock,
            says_misuse,
            says_over,
            happens,
            kind,
            sets,
            disarms,
            b_static
        );
        dff_setup!(
            self, clock, b_dynamic, b_invalid, b_split, b_started, b_rescan, b_left, b_reset,
            used_row, phase_row
        );
        dff_setup!(self, clock, b_turning, b_ending, b_void, b_inside, b_section);
        dff_setup!(
            self, clock, own_by, other_tag, may_stray, other_exit, b_joinable, b_tag, b_word,
            b_exit, b_arrivals, b_present, b_held
        );
        dff_setup!(
            self,
            clock,
            b_seen,
            b_holder,
            b_first,
            b_known,
            first_known,
            row,
            next_warp,
            live,
            total,
            stops,
            ids,
            hit,
            simple,
            slot,
            block,
            rest
        );
        dff_setup!(self, clock, ahead, behind, next_block, next_found, turns);
        dff_setup!(
            self,
            clock,
            warp_bit,
            odd_phase,
            adds,
            plain,
            any_odd,
            any_even,
            block_bit,
            block_pieces,
            former_pieces,
            close,
            full,
            halved,
            once_more,
            turn_mode,
            with_late,
            stays,
            wakes,
            at_exit,
            at_tag,
            nested,
            seen_pieces,
            warp_seen,
            some_all,
            anybody,
            some_taking,
            everybody,
            impatient,
            limited,
            section,
            gather,
            opened,
            first_left,
            b_exclusive,
            recount,
            sift,
            second
        );
        dff_setup!(
            self,
            clock,
            taking_only,
            b_missing,
            b_short,
            sole,
            told_row,
            tells,
            checks,
            runs,
            changes
        );
        clock!(
            self, clock, flags, tags, exits, words, present, held, seers, holders, firsts, used,
            phases
        );
        clock!(
            self,
            clock,
            lives,
            totals,
            alive,
            ctas,
            blocks,
            places,
            seen_rows,
            scan_blocks,
            scan_warps
        );
        clock!(self, clock, scan_rests, threads, slots, timers, told, waiters);

        // ==== What is taken.
        self.timers.reset.next = self.reset.val();
        self.slots.reset.next = self.reset.val();
        self.slots.cfg_priority.next = self.cfg_priority.val();
        self.id.next = self.barrier.q.val().get_bits::<3>(0);
        self.cta.next = self.barrier.q.val().get_bits::<4>(3);
        self.ready.next = self.idle.q.val()
            & !self.timers.due.val()
            & !(self.slots.pick_valid.val() & self.slots_first.q.val());
        self.op_ready.next = self.ready.val();
        self.takes_op.next = self.ready.val() & self.op_valid.val();
        self.takes_due.next = self.idle.q.val() & self.timers.head_valid.val();
        self.takes_slot.next = self.idle.q.val()
            & !self.timers.due.val()
            & self.slots.pick_valid.val()
            & (self.slots_first.q.val() | !self.op_valid.val());
        self.timers.pop.next = self.takes_due.val();

        // Where to look: rows of the warp and of the barrier.
        // (Without `if`, so that the addresses do not seem to depend on what is read there.)
        self.from_op.next = self.no_place.val() - bit_cast::<WI, 1>(self.idle.q.val().into());
        self.lookup.next =
            (self.warp.q.val() & !self.from_op.val()) | (self.op_warp.val() & self.from_op.val());
        self.alive.read_address.next = self.lookup.val();
        self.ctas.read_address.next = self.lookup.val();
        self.blocks.read_address.next = self.lookup.val();
        self.op_barrier.next =
            (bit_cast::<7, 4>(self.ctas.read_data.val()) << 3) | bit_cast::<7, 3>(self.op_id.val());
        self.low_id.bits.next = self.ids.q.val();
        self.walk_barrier.next =
            (bit_cast::<7, 4>(self.cta.val()) << 3) | bit_cast::<7, 3>(self.low_id.place.val());
        // (Of the CTA at hand while nothing is taken.)
        self.aimed.next = self.op_barrier.val();
        if !self.idle.q.val() {
            self.aimed.next = self.walk_barrier.val();
        } else if self.takes_due.val() {
            self.aimed.next = self.timers.head.val();
        } else if self.takes_slot.val() {
            self.aimed.next = self.slots.pick_barrier.val();
        }
        self.flags.read_address.next = self.aimed.val();
        self.tags.read_address.next = self.aimed.val();
        self.exits.read_address.next = self.aimed.val();
        self.words.read_address.next = self.aimed.val();
        self.present.read_address.next = self.aimed.val();
        self.held.read_address.next = self.aimed.val();
        self.seers.read_address.next = self.aimed.val();
        self.holders.read_address.next = self.aimed.val();
        self.firsts.read_address.next = self.aimed.val();
        self.seen_at.next = (bit_cast::<SB, WI>(self.lookup.val()) << 3)
            | bit_cast::<SB, 3>(self.aimed.val().get_bits::<3>(0));
        self.seen_rows.read_address.next = self.seen_at.val();
        self.used.read_address.next = self.aimed.val().get_bits::<4>(3);
        self.used_row.d.next = self.used.read_data.val();
        // (Written with the barrier at hand, so never in a cycle that aims.)
        self.phases.read_address.next = self.aimed.val().get_bits::<4>(3);
        self.lives.read_address.next = self.aimed.val().get_bits::<4>(3);
        self.totals.read_address.next = self.aimed.val().get_bits::<4>(3);
        self.scan_blocks.read_address.next = self.slots.pick_slot.val();
        self.scan_warps.read_address.next = self.slots.pick_slot.val();
        self.scan_rests.read_address.next = self.slots.pick_slot.val();

        self.no_time.next = !self.op_word.val().get_bits::<11>(21).any();
        if self.takes_op.val() {
            self.is_top.d.next = self.op_code.val() == self.code_top.val();
            self.is_bottom.d.next = (self.op_code.val() == self.code_bottom.val())
                | (self.op_code.val() == self.code_bottom_nb.val());
            self.blocking.d.next = self.op_code.val() == self.code_bottom.val();
            self.is_reset.d.next = self.op_code.val() == self.code_reset.val();
            self.is_arrive.d.next = self.op_code.val() == self.code_arrive.val();
            self.is_wait.d.next = self.op_code.val() == self.code_wait.val();
            self.is_exit.d.next = self.op_code.val() == self.code_exit.val();
            self.is_launch.d.next = self.op_code.val() == self.code_launch.val();
            self.is_kill.d.next = self.op_code.val() == self.code_kill.val();
            // (A timeout of 0 is one of 1.)
            self.word.d.next = self
                .op_word
                .val()
                .replace_bit(21, self.op_word.val().get_bit(21) | self.no_time.val());
            self.pc.d.next = self.op_pc.val();
            self.launched.d.next = self.op_threads.val();
            self.op_of_block.d.next = self.blocks.read_data.val();
            self.barrier.d.next = self.op_barrier.val();
            if self.op_code.val() == self.code_launch.val() {
                self.op_of_block.d.next = self.op_block.val();
                self.barrier.d.next =
                    (bit_cast::<7, 4>(self.op_cta.val()) << 3) | bit_cast::<7, 3>(self.op_id.val());
            }
            self.slots_first.d.next = true;
        }
        if self.takes_due.val() {
            self.barrier.d.next = self.timers.head.val();
        }
        if self.takes_slot.val() {
            self.barrier.d.next = self.slots.pick_barrier.val();
            self.simple.d.next = self.slots.pick_simple.val();
            self.slot.d.next = self.slots.pick_slot.val();
            self.plain.d.next = self.slots.pick_turning.val();
            self.behind.d.next = self.but_first.val() << self.scan_blocks.read_data.val();
            self.slots_first.d.next = false;
        }
        if self.takes_op.val() {
            self.behind.d.next = self.all_warps.val();
        }
        self.bit_of_warp.next = self.one_warp.val() << self.warp.q.val();
        self.id_bit.next = self.one_id.val() << self.id.val();

        // ==== The row of the warp at hand.
        self.threads.warp.next = self.row.q.val();
        self.threads.id.next = self.id.val();
        self.row_live.next = self.threads.live.val();
        self.row_asleep.next = self.threads.asleep.val();
        self.row_inside.next = self.threads.in_section.val();
        self.row_gone.next = self.threads.gone.val();
        self.row_noted.next = self.threads.noted.val();
        self.row_here.next = self.threads.here.val();
        self.own_row.next = self.ctas.read_data.val() == self.cta.val();

        // ==== The state of the barrier at hand.
        self.raw.next = self.flags.read_data.val();
        self.raw_word.next = self.words.read_data.val();
        self.raw_tag.next = self.tags.read_data.val();
        self.raw_held.next = self.held.read_data.val();
        self.raw_seers.next = self.seers.read_data.val();
        self.is_used.next = self.used_row.q.val().get_bit(self.id.val().index());
        self.raw_section.next = self.raw_word.val().get_bit(14);
        self.new_condition.condition.next = self.word.q.val().get_bits::<3>(11);
        self.new_count.next = self.word.q.val().get_bits::<11>(0);
        // (Compared in pieces: what block RAM says comes late, and what is made of it then is decided in `rule`.)
        self.tag_differs.next = self.raw_tag.val() ^ self.pc.q.val();
        self.exit_differs.next = self.exits.read_data.val() ^ self.pc.q.val();
        self.tag_pieces.next = self.no_pieces.val();
        self.exit_pieces.next = self.no_pieces.val();
        for k in 0..11 {
            self.tag_pieces.next = self
                .tag_pieces
                .val()
                .replace_bit(k, (self.tag_differs.val() & self.pairs[k].val()).any());
            self.exit_pieces.next = self
                .exit_pieces
                .val()
                .replace_bit(k, (self.exit_differs.val() & self.pairs[k].val()).any());
        }
        self.own_seers.next = self.raw_seers.val() & self.bit_of_warp.val();
        self.seer_pieces.next = self.no_seers.val();
        for k in 0..4 {
            self.seer_pieces.next = self
                .seer_pieces
                .val()
                .replace_bit(k, (self.own_seers.val() & self.quarters[k].val()).any());
        }
        self.by_arrive.next = self.is_arrive.q.val()
            & !self.raw.val().get_bit(0)
            & !self.raw.val().get_bit(1)
            & self.raw.val().get_bit(2);
        self.by_top.next = self.is_top.q.val() & !self.raw.val().get_bit(2);
        self.leaves_again.next = self.blocking.q.val() & self.raw.val().get_bit(5);
        self.loads.next =
            self.look.q.val() | self.fetch.q.val() | self.recall.q.val() | self.aim.q.val();
        if self.loads.val() {
            self.b_static.d.next = !self.raw.val().get_bit(0) & !self.raw.val().get_bit(1);
            self.b_dynamic.d.next = self.raw.val().get_bit(0);
            self.b_invalid.d.next = self.raw.val().get_bit(1);
            self.b_split.d.next = self.raw.val().get_bit(2);
            self.b_started.d.next = self.raw.val().get_bit(3);
            self.b_rescan.d.next = self.raw.val().get_bit(4);
            self.b_left.d.next = self.raw.val().get_bit(5);
            self.b_reset.d.next = self.raw.val().get_bit(6);
            self.b_turning.d.next = self.raw.val().get_bit(7);
            self.b_ending.d.next = self.raw.val().get_bit(8);
            self.b_void.d.next = self.raw.val().get_bit(9);
            self.b_arrivals.d.next = self.raw.val().get_bits::<13>(12);
            self.b_known.d.next = self.raw.val().get_bit(11);
            self.b_first.d.next = self.firsts.read_data.val();
            self.b_word.d.next = self.raw_word.val();
            self.b_section.d.next = self.raw_section.val();
            self.b_joinable.d.next =
                self.raw.val().get_bit(0) & !self.raw.val().get_bit(6) & !self.raw.val().get_bit(8);
            self.taking_only.d.next = self.is_top.q.val() & self.new_condition.taking_only.val();
            self.everybody.d.next = self.new_condition.everybody.val();
            self.impatient.d.next = self.is_top.q.val() & self.new_condition.impatient.val();
            self.limited.d.next = self.new_condition.limits.val() & self.new_count.val().any();
            self.section.d.next = self.is_top.q.val()
                & (self.word.q.val().get_bit(14) ^ self.word.q.val().get_bit(15));
            self.b_missing.d.next = bit_cast::<14, 12>(self.lives.read_data.val())
                - bit_cast::<14, 13>(self.raw.val().get_bits::<13>(12));
            self.b_short.d.next = bit_cast::<14, 11>(self.raw_word.val().get_bits::<11>(0))
                - bit_cast::<14, 13>(self.raw.val().get_bits::<13>(12));
            self.own_by.d.next = self.by_arrive.val() | self.by_top.val();
            self.other_tag.d.next = self.tag_pieces.val();
            if !self.is_top.q.val() {
                self.other_tag.d.next = self.no_pieces.val();
            }
            self.other_exit.d.next = self.exit_pieces.val();
            self.may_stray.d.next = self.leaves_again.val();
            self.warp_seen.d.next = self.seer_pieces.val();
            self.b_exit.d.next = self.exits.read_data.val();
            self.b_held.d.next = self.raw_held.val();
            self.b_seen.d.next = self.raw_seers.val();
            self.b_exclusive.d.next = self.raw_word.val().get_bit(16);
            self.b_holder.d.next = self.holders.read_data.val();
            self.phase_row.d.next = self.phases.read_data.val();
            self.live.d.next = self.lives.read_data.val();
            self.total.d.next = self.totals.read_data.val();
        }

        // ==== Look: masks of the operation.
        self.was_seen.next = self.warp_seen.q.val().any();
        self.was_held.next = (self.b_held.q.val() & self.warp_bit.q.val()).any();
        self.raw_seen.next = self.seen_rows.read_data.val();
        self.caught.next = self.taking.q.val() & self.row_inside.val();
        self.any_caught.next = self.caught.val().any();
        self.is_odd_phase.next = (self.phases.read_data.val() & self.id_bit.val()).any();
        self.phase.next = self.no_threads.val() - bit_cast::<W, 1>(self.odd_phase.q.val().into());
        self.own_bit.next = self.one_warp.val() << self.op_of_block.q.val();
        self.own_present.next = self.present.read_data.val() & self.own_bit.val();
        self.from_own.next =
            (self.but_first.val() << self.op_of_block.q.val()) | self.own_bit.val();
        self.before_own.next = self.present.read_data.val() & !self.from_own.val();
        self.before_pieces.next = self.no_ids.val();
        for k in 0..8 {
            self.before_pieces.next = self
                .before_pieces
                .val()
                .replace_bit(k, (self.before_own.val() & self.parts[k].val()).any());
        }
        self.present_pieces.next = self.no_ids.val();
        for k in 0..8 {
            self.present_pieces.next = self
                .present_pieces
                .val()
                .replace_bit(k, (self.own_present.val() & self.parts[k].val()).any());
        }
        // (Counted from A and S at once; again where that was wrong. WAIT chooses its threads then.)
        self.recounts.next = (self.is_top.q.val() & self.any_caught.val())
            | self.is_wait.q.val()
            | self.is_kill.q.val();
        self.arriving.next = self.is_top.q.val() | self.is_arrive.q.val();
        self.any_taking.next = self.taking.q.val().any();
        self.any_all.next = self.all.q.val().any();
        self.pop_all.bits.next = self.all.q.val();
        self.pop_taking.bits.next = self.taking.q.val();
        if self.look.q.val() {
            self.any_odd.d.next = (self.all.q.val() & self.row_gone.val()).any();
            self.any_even.d.next = (self.all.q.val() & !self.row_gone.val()).any();
            self.block_bit.d.next = self.own_bit.val();
            self.block_pieces.d.next = self.present_pieces.val();
            self.former_pieces.d.next = self.before_pieces.val();
            self.odd_phase.d.next = self.is_odd_phase.val();
            self.whole.d.next = (self.taking.q.val() == self.row_live.val()) | self.is_kill.q.val();
            self.some_caught.d.next = self.is_top.q.val() & self.any_caught.val();
        }
        if self.look.q.val() | self.recount.q.val() | self.tally.q.val() {
            // (None, but of an arrival: then there is nothing to say of it.)
            self.some_all.d.next = self.any_all.val() & self.arriving.val();
            self.some_taking.d.next = self.any_taking.val() & self.is_top.q.val();
            self.anybody.d.next = self.any_all.val() | self.is_arrive.q.val();
            self.count_all.d.next = self.pop_all.count.val();
            self.count_taking.d.next = self.pop_taking.count.val();
        }

        self.fresh_seen.next = self.seen.q.val();
        if self.look.q.val() {
            self.fresh_seen.next = self.raw_seen.val();
        }
        self.seen_here.next = self.all.q.val() & self.fresh_seen.val();
        self.fresh_pieces.next = self.no_ids.val();
        for k in 0..8 {
            self.fresh_pieces.next = self
                .fresh_pieces
                .val()
                .replace_bit(k, (self.seen_here.val() & self.eighths[k].val()).any());
        }
        if self.look.q.val() | self.recount.q.val() {
            self.seen_pieces.d.next = self.fresh_pieces.val();
        }

        // ==== Rule: verdict and new state.
        self.knows_seen.next = self.was_seen.val() & !self.opened.q.val();
        self.seen_mask.next =
            self.no_threads.val() - bit_cast::<W, 1>(self.knows_seen.val().into());
        self.only_special.next = !self.any_even.q.val();
        self.any_bound.next = self.nested.q.val().any();
        self.any_present.next = self.b_present.q.val().any();
        self.arrival.top.next = self.is_top.q.val();
        self.arrival.is_static.next = self.b_static.q.val();
        self.arrival.is_dynamic.next = self.b_dynamic.q.val();
        self.arrival.is_invalid.next = self.b_invalid.q.val();
        self.arrival.own.next = self.own_by.q.val() & !self.other_tag.q.val().any();
        self.arrival.joinable.next =
            self.b_joinable.q.val() & self.b_section.q.val() & self.b_word.q.val().get_bit(13);
        self.arrival.started.next = self.b_started.q.val();
        self.arrival.own_word.next = self.b_word.q.val().get_bits::<32>(0);
        self.arrival.word.next = self.word.q.val();
        self.arrival.own_taking_only.next = self.b_word.q.val().get_bit(11);
        self.arrival.taking_only.next = self.taking_only.q.val();
        self.arrival.own_everybody.next = self.b_word.q.val().get_bit(12);
        self.arrival.everybody.next = self.everybody.q.val();
        self.arrival.own_impatient.next = self.b_word.q.val().get_bit(13);
        self.arrival.impatient.next = self.impatient.q.val();
        self.arrival.own_limited.next = self.b_word.q.val().get_bit(15);
        self.arrival.limited.next = self.limited.q.val();
        self.exceeds.next =
            self.limited.q.val() & (bit_cast::<12, 11>(self.new_count.val()) > self.total.q.val());
        self.arrival.own_over.next = self.b_word.q.val().get_bit(32);
        self.arrival.over.next = self.exceeds.val();
        self.arrival.own_section.next = self.b_section.q.val();
        self.arrival.section.next = self.section.q.val();
        self.arrival.arrivals.next = self.b_arrivals.q.val();
        self.arrival.live.next = self.live.q.val();
        self.arrival.count_all.next = self.count_all.q.val();
        self.arrival.count_taking.next = self.count_taking.q.val();
        self.arrival.some_all.next = self.some_all.q.val();
        self.arrival.anybody.next = self.anybody.q.val();
        self.arrival.some_taking.next = self.some_taking.q.val();
        self.arrival.missing.next = self.b_missing.q.val();
        self.arrival.scarce.next = self.b_short.q.val();
        self.arrival.lowers.next = self.lower.q.val();
        self.arrival.any_seen.next = self.seen_pieces.q.val().any()
            & self.was_seen.val()
            & self.b_static.q.val()
            & self.b_word.q.val().get_bit(12);
        self.arrival.whole.next = self.whole.q.val() & !self.some_caught.q.val();
        self.others.next = self.block_pieces.q.val().any();
        self.comes_behind.next = self.former_pieces.q.val().any();
        self.comes_before.next = !self.comes_behind.val() & !self.others.val();
        self.arrival.others.next = self.others.val();
        self.bottoms.next = self.is_bottom.q.val() & !self.any_odd.q.val() & self.any_taking.val();
        self.strayed.next = self.may_stray.q.val() & self.other_exit.q.val().any();
        self.lets_go.next = self.is_reset.q.val()
            & (self.b_dynamic.q.val() | (self.b_static.q.val() & self.any_present.val()));
        self.goes_on.next = (self.rule.q.val()
            & (self.bottoms.val() | (self.is_reset.q.val() & self.b_dynamic.q.val())))
            | (self.lower.q.val() & self.hit.q.val());
        // Tag: read, or that of the instruction. (The word of a barrier that opens is read by the next operation.)
        self.leads.next = self.answer.q.val() & self.adds.q.val() & !self.comes_behind.val();
        self.opens.next = self.answer.q.val() & self.opened.q.val();
        self.sets_tag.next = self.loads.val() | self.opens.val();
        self.next_tag.next = self.pc.q.val();
        if self.loads.val() {
            self.next_tag.next = self.raw_tag.val();
        }
        if self.sets_tag.val() {
            self.b_tag.d.next = self.next_tag.val();
        }
        if self.look.q.val() {
            self.arrives.d.next = false;
            self.arrives_late.d.next = false;
            self.leaves.d.next = false;
            self.sleeps.d.next = false;
            self.strays.d.next = false;
            self.settles.d.next = false;
            self.completes.d.next = false;
            self.closes.d.next = false;
            self.holds.d.next = false;
            self.frees_held.d.next = false;
            self.enters.d.next = false;
            self.evicts.d.next = false;
            self.marks.d.next = false;
            self.adds.d.next = false;
            self.opened.d.next = false;
            self.first_left.d.next = false;
            self.misuse.d.next = false;
            self.over.d.next = false;
            self.verdict.d.next = self.verdict_next.val();
        }
        self.sets.d.next = false;
        if self.rule.q.val() {
            self.completes.d.next = self.arrival.complete.val();
            self.closes.d.next = self.arrival.closes.val();
            self.holds.d.next = self.arrival.hold.val();
            self.arrives.d.next = self.arrival.sleep.val();
            self.arrives_late.d.next = self.arrival.late.val();
            self.marks.d.next = self.arrival.marks.val();
            self.misuse.d.next = self.is_top.q.val() & self.nested.q.val().any();
            self.over.d.next = self.arrival.error.val();
            self.sets.d.next = self.arrival.start.val() | self.arrival.stop.val();
            self.disarms.d.next = self.arrival.stop.val();
            if self.arrival.sleep.val() {
                self.verdict.d.next = self.verdict_sleep.val();
            }
            if self.arrival.part.val() {
                self.verdict.d.next = self.verdict_part.val();
            }
            if self.arrival.retry.val() {
                self.verdict.d.next = self.verdict_retry.val();
            }
            if self.arrival.counts.val() {
                self.b_arrivals.d.next = self.arrival.sum.val();
            }
            if self.arrival.opens.val() {
                self.opened.d.next = true;
                self.b_static.d.next = true;
                self.b_invalid.d.next = false;
                self.b_split.d.next = self.is_arrive.q.val();
                self.b_started.d.next = self.arrival.start.val();
                self.b_exclusive.d.next = self.word.q.val().get_bit(16);
                self.b_section.d.next = self.section.q.val();
            }
            if self.arrival.start.val() {
                self.b_started.d.next = true;
            }
            if self.arrival.partly.val() {
                self.b_void.d.next = true;
            }
            if self.arrival.rescan.val() {
                self.b_rescan.d.next = true;
            }
            self.adds.d.next = self.arrival.sleep.val();
            if self.arrival.closes.val() {
                self.b_invalid.d.next = false;
            }
            if self.is_bottom.q.val() {
                self.misuse.d.next = !self.any_odd.q.val() & self.any_all.val();
                if self.any_odd.q.val() {
                    if self.only_special.val() {
                        self.settles.d.next = true;
                        if self.any_bound.val() {
                            self.verdict.d.next = self.verdict_retry.val();
                        }
                    } else {
                        self.verdict.d.next = self.verdict_part.val();
                    }
                }
                if self.bottoms.val() {
                    self.leaves.d.next = true;
                    if !self.b_left.q.val() {
                        self.b_left.d.next = true;
                        self.first_left.d.next = true;
                    }
                    if self.strayed.val() {
                        self.strays.d.next = true;
                        self.verdict.d.next = self.verdict_retry.val();
                    } else if self.blocking.q.val() {
                        self.sleeps.d.next = true;
                        self.verdict.d.next = self.verdict_sleep.val();
                    }
                    self.adds.d.next = self.blocking.q.val();
                }
            }
            if self.is_wait.q.val() & self.any_taking.val() {
                self.verdict.d.next = self.verdict_retry.val();
            }
            if self.is_exit.q.val() {
                self.verdict.d.next = self.verdict_exit.val();
            }
            if self.is_reset.q.val() {
                self.frees_held.d.next = self.b_static.q.val();
                self.sets.d.next = self.b_static.q.val();
                self.disarms.d.next = true;
                self.closes.d.next =
                    self.b_invalid.q.val() | (self.b_static.q.val() & !self.any_present.val());
                self.enters.d.next = self.b_static.q.val() & self.any_present.val();
                self.evicts.d.next = self.b_dynamic.q.val() & self.b_inside.q.val();
                self.b_static.d.next = false;
                self.b_invalid.d.next = false;
                self.b_dynamic.d.next = self.lets_go.val();
                self.b_reset.d.next = self.lets_go.val();
            }
        }

        // ==== Answer.
        self.answered.next = self.answer.q.val() & self.verdict_ready.val();
        self.twice.next = self.misuse.q.val() & self.over.q.val();
        self.verdict_valid.next = self.answer.q.val();
        self.verdict_warp.next = self.warp.q.val();
        self.verdict_op.next = self.verdict.q.val();
        self.verdict_mask.next = self.mask.q.val();
        self.verdict_pc.next = self.pc.q.val();
        self.to_misuse.next = self.answered.val() & self.misuse.q.val();
        self.to_over.next =
            (self.answered.val() & self.over.q.val() & !self.misuse.q.val()) | self.again.q.val();
        self.says_misuse.d.next = self.to_misuse.val();
        self.says_over.d.next = self.to_over.val();
        self.error_valid.next = self.says_misuse.q.val() | self.says_over.q.val();
        self.error_warp.next = self.warp.q.val();
        self.error_pc.next = self.pc.q.val();
        self.error_id.next = self.id.val();
        self.error_mask.next = self.mask.q.val();
        self.error_cause.next = self.cause_not_holding.val();
        if self.is_top.q.val() {
            self.error_cause.next = self.cause_nested.val();
        }
        if self.says_over.q.val() {
            self.error_cause.next = self.cause_count.val();
        }

        // ==== EXIT and KILL: one barrier of the CTA after the other.
        self.fewer.next = self.live.q.val() - bit_cast::<12, P>(self.count_taking.q.val());
        if self.depart.q.val() {
            self.ids.d.next = self.used.read_data.val();
        }
        // (All but the lowest.)
        self.more_ids.next = self.no_ids.val();
        for i in 1..8 {
            if (self.ids.q.val() & self.lower_ids[i].val()).any() {
                self.more_ids.next = self
                    .more_ids
                    .val()
                    .replace_bit(i, self.ids.q.val().get_bit(i));
            }
        }
        if self.next_id.q.val() {
            self.ids.d.next = self.more_ids.val();
            if self.ids.q.val().any() {
                self.barrier.d.next = self.walk_barrier.val();
            }
        }
        self.kills.next = self.gather.q.val() & self.is_kill.q.val();
        self.kills_held.next = self.kills.val() & self.was_held.val();
        self.gathers_seen.next = self.gather.q.val() & self.was_seen.val();
        self.killed.next = self.no_threads.val() - bit_cast::<W, 1>(self.kills.val().into());
        self.held_all.next = self.no_threads.val() - bit_cast::<W, 1>(self.kills_held.val().into());
        self.seen_too.next =
            self.no_threads.val() - bit_cast::<W, 1>(self.gathers_seen.val().into());
        if self.gather.q.val() {
            self.hit.d.next = self.nested.q.val().any();
        }
        if self.lower.q.val() {
            if self.b_static.q.val() {
                self.b_arrivals.d.next = self.arrival.sum.val();
            }
            if self.whole.q.val() & (self.b_first.q.val() == self.warp.q.val()) {
                self.b_known.d.next = false;
            }
            if self.whole.q.val() {
                self.b_held.d.next = self.b_held.q.val() & !self.warp_bit.q.val();
            }
        }
        self.reached.next = (self.b_arrivals.q.val() >= bit_cast::<13, 12>(self.live.q.val()))
            | (self.b_word.q.val().get_bit(15)
                & (self.b_arrivals.q.val()
                    >= bit_cast::<13, 11>(self.b_word.q.val().get_bits::<11>(0))));
        self.full.d.next = self.b_static.q.val() & self.reached.val();
        self.judged.next = self.close.q.val() & self.full.q.val();

        // ==== A barrier is complete.
        self.ran_out.next = self.timeout.q.val() & self.b_static.q.val();
        self.policy.next = self.b_word.q.val().get_bits::<2>(19);
        // (Before all live threads have come: by timeout; or by the count, which `rule` has found.)
        self.voids.next = (self.ran_out.val()
            & !self.b_section.q.val()
            & (self.policy.val() == self.policy_3.val()))
            | (self.answer.q.val() & self.completes.q.val() & self.b_void.q.val());
        self.complete.next =
            (self.answered.val() & self.completes.q.val()) | self.judged.val() | self.ran_out.val();
        // (What is written does not wait for the transfer of the verdict.)
        self.will_be.next =
            (self.answer.q.val() & self.completes.q.val()) | self.judged.val() | self.ran_out.val();
        self.then_idle.next = !self.b_section.q.val()
            & !self.any_present.val()
            & !(self.adds.q.val() & self.answer.q.val());
        if self.judged.val() | self.ran_out.val() {
            self.sets.d.next = true;
            self.disarms.d.next = true;
        }

        // It takes a slot at once; and its first sleepers are known.
        self.at_once.next = self.answer.q.val()
            & self.completes.q.val()
            & !self.misuse.q.val()
            & !self.over.q.val()
            & self.slots.at_once.val();
        self.quick.next = self.at_once.val()
            & ((self.leads.val() & self.comes_before.val()) | self.first_known.q.val());
        self.straight.next = self.quick.val() & self.verdict_ready.val();
        self.goes_first.next = self.straight.val() & !self.b_section.q.val();
        // (Whether it does is known late: what no other step reads does not ask for it.)
        self.through.next = self.answered.val()
            & self.completes.q.val()
            & !self.misuse.q.val()
            & !self.over.q.val();

        // ==== The selector.
        // The nearest of the blocks with sleepers that it has not come to yet.
        // (Of an operation, the first: `rule` looks as if its threads slept, `answer` knows.
        // The second pass over a block has found the next one before.)
        self.from_start.next = self.raw.val().get_bit(25);
        self.first_ahead.bits.next = self.ahead.q.val();
        self.nearest_at.next = self.first_ahead.place.val();
        self.nearest.next = self.one_warp.val() << self.nearest_at.val();
        self.finds.next =
            self.seek.q.val() | (self.mark.q.val() & !self.second.q.val()) | self.answer.q.val();
        self.place_at.next = self.next_block.q.val();
        if self.finds.val() {
            self.place_at.next = self.nearest_at.val();
        }
        self.places.read_address.next =
            (bit_cast::<MB, WI>(self.place_at.val()) << 4) | bit_cast::<MB, 4>(self.cta.val());
        if self.finds.val() {
            self.next_block.d.next = self.nearest_at.val();
            self.next_found.d.next = self.first_ahead.any.val();
        }

        // Who can have a turn; of those that could when the selector came to the block, the first.
        // (All of them still can, if the warp was not stopped: who sleeps does nothing.)
        self.any_rest.next = self.rest.q.val().any();
        self.sleepers.next = self.row_asleep.val() & self.row_here.val();
        self.rest_minus.next = self.no_threads.val() - self.rest.q.val();
        self.chosen.next = self.rest.q.val() & self.rest_minus.val();
        self.unchosen.next = self.rest.q.val() & !self.chosen.val();
        self.fits.next = self.alive.read_data.val() & self.own_row.val();
        self.fast.next = self.plain.q.val() & self.fits.val();
        // (In the cycles in which these count nothing of this has changed in the cycle before.)
        self.turn_mode.d.next =
            self.b_section.q.val() & !self.b_ending.q.val() & !self.b_reset.q.val();
        // Whom the end of the group, a simple barrier or a reset lets go; a reset of a section in two passes.
        self.first_pass.next = self.b_section.q.val() & self.b_reset.q.val() & !self.second.q.val();
        self.everyone.next = !self.b_section.q.val() | self.second.q.val();
        self.with_late.d.next = self.b_section.q.val()
            & !self.b_reset.q.val()
            & (self.policy.val() == self.policy_2.val())
            & self.b_left.q.val();
        // (None; 1: who is done; 2: everyone; 3: who is done, or late.)
        self.lets_some.next = self.mark.q.val() & !self.everyone.val();
        self.lets_more.next = self.mark.q.val() & (self.everyone.val() | self.with_late.q.val());
        self.m_some.next = self.no_threads.val() - bit_cast::<W, 1>(self.lets_some.val().into());
        self.m_more.next = self.no_threads.val() - bit_cast::<W, 1>(self.lets_more.val().into());
        // Who stays: all who are done or late have had or will not have a turn; of a release those who are not let go.
        self.done_too.next = self.everyone.val() & !self.turn_mode.q.val();
        self.late_too.next = self.with_late.q.val() | self.turn_mode.q.val();
        self.others_too.next = (self.mark.q.val() & !self.done_too.val()) | self.rule.q.val();
        self.others_stay.next =
            self.no_threads.val() - bit_cast::<W, 1>(self.others_too.val().into());
        self.no_late.next = self.no_threads.val() - bit_cast::<W, 1>(self.late_too.val().into());
        self.staying.next = self.sleepers.val()
            & !self.row_gone.val()
            & self.others_stay.val()
            & !(self.row_noted.val() & self.no_late.val());
        self.released.next = self.sleepers.val()
            & ((self.m_some.val() & self.row_gone.val())
                | (self.m_more.val() & (self.row_noted.val() | !self.m_some.val())));

        if self.aim.q.val() {
            self.at_exit.d.next = false;
            self.at_tag.d.next = false;
            self.turns.d.next = true;
            self.wakes.d.next = true;
            self.second.d.next = false;
            self.halved.d.next = false;
        }
        if self.sift.q.val() {
            if self.turn_mode.q.val() {
                self.at_exit.d.next = false;
                self.at_tag.d.next = false;
                self.turns.d.next = true;
                self.wakes.d.next = true;
            } else {
                self.wakes.d.next = self.mask.q.val().any();
                self.stays.d.next = self.any_rest.val();
                self.once_more.d.next = self.halved.q.val() & self.any_rest.val();
            }
        }
        if self.reach.q.val() & self.turn_mode.q.val() {
            self.b_turning.d.next = true;
            if !self.next_found.q.val() {
                if self.b_rescan.q.val() {
                    self.b_rescan.d.next = false;
                } else {
                    self.b_ending.d.next = true;
                }
            }
        }
        if self.mark.q.val() {
            self.turns.d.next = false;
            self.halved.d.next = self.first_pass.val();
            self.wakes.d.next = true;
            self.stays.d.next = false;
            self.once_more.d.next = false;
            self.at_exit.d.next = self.b_section.q.val() & !self.second.q.val();
            self.at_tag.d.next = self.second.q.val();
        }
        // The wake; what stays behind in the block.
        self.wake_valid.next = self.wake.q.val() & self.wakes.q.val();
        self.wake_warp.next = self.warp.q.val();
        self.wake_mask.next = self.mask.q.val();
        self.place_of_wake.next = self.b_tag.q.val();
        if self.at_exit.q.val() {
            self.place_of_wake.next = self.b_exit.q.val();
        }
        self.further.next = !self.at_tag.q.val();
        self.wake_pc.next = self.place_of_wake.val() + bit_cast::<22, 1>(self.further.val().into());
        self.leaves_it.next = self.turns.q.val() | self.stays.q.val();
        self.here_bit.next = self.one_warp.val() << self.block.q.val();
        self.woken.next = self.wake.q.val() & (self.wake_ready.val() | !self.wakes.q.val());
        self.same_slot.next = self.slots.pick_slot.val() == self.slot.q.val();
        self.still_first.next = self.slots.pick_valid.val()
            & ((self.simple.q.val() & self.slots.pick_simple.val())
                | (!self.simple.q.val() & !self.slots.pick_simple.val() & self.same_slot.val()));
        self.interrupted.next = self.wakes.q.val()
            & (self.op_valid.val()
                | self.timers.due.val()
                | (!self.sole.q.val() & !self.still_first.val()));
        self.goes_again.next = self.once_more.q.val() | self.next_found.q.val();
        if self.woken.val() {
            self.second.d.next = self.once_more.q.val();
        }
        self.is_again.next =
            self.b_section.q.val() & !self.b_reset.q.val() & self.any_present.val();
        // (Who only lets sleepers go does so from the first block on.)
        self.scans.next = self.wake.q.val() & !self.simple.q.val();
        self.scan_blocks.write_enable.next = self.scans.val();
        self.scan_blocks.write_address.next = self.slot.q.val();
        self.scan_blocks.write_data.next = self.block.q.val();
        self.scan_warps.write_enable.next = self.scans.val();
        self.scan_warps.write_address.next = self.slot.q.val();
        self.scan_warps.write_data.next = self.warp.q.val();
        self.scan_rests.write_enable.next = self.scans.val();
        self.scan_rests.write_address.next = self.slot.q.val();
        self.scan_rests.write_data.next = self.rest.q.val();

        // ==== Masks of threads: each step has its term, so that nothing late goes through more than one choice.
        self.looks_bottom.next = self.look.q.val() & self.is_bottom.q.val();
        self.looks_kill.next = self.look.q.val() & self.is_kill.q.val();
        self.inverts.next = self.recount.q.val() & self.is_wait.q.val();
        self.stays_taking.next = self.look.q.val()
            & !self.is_bottom.q.val()
            & !self.is_kill.q.val()
            & !self.is_arrive.q.val();
        self.loads_seen.next = (self.look.q.val() & !self.is_bottom.q.val()) | self.fetch.q.val();
        self.looks_other.next = self.look.q.val() & !self.is_bottom.q.val();
        self.sifts.next = self.aim.q.val() | (self.sift.q.val() & self.turn_mode.q.val());
        self.keeps_rest.next = !self.idle.q.val()
            & !self.sifts.val()
            & !self.mark.q.val()
            & !self.rule.q.val()
            & !(self.leads.val() & self.comes_before.val());
        self.renames.next = self.answered.val()
            & (self.misuse.q.val()
                | self.over.q.val()
                | (self.completes.q.val() & !self.leads.val()));
        self.keeps_mask.next = !self.rule.q.val()
            & !self.sifts.val()
            & !self.mark.q.val()
            & !self.reset.val()
            & !self.again.q.val()
            & !self.renames.val();
        self.m_idle.next = self.no_threads.val() - bit_cast::<W, 1>(self.idle.q.val().into());
        self.m_top.next = self.no_threads.val() - bit_cast::<W, 1>(self.is_top.q.val().into());
        self.m_bottom.next =
            self.no_threads.val() - bit_cast::<W, 1>(self.looks_bottom.val().into());
        self.m_kill.next = self.no_threads.val() - bit_cast::<W, 1>(self.looks_kill.val().into());
        self.m_inverts.next = self.no_threads.val() - bit_cast::<W, 1>(self.inverts.val().into());
        self.m_fetch.next = self.no_threads.val() - bit_cast::<W, 1>(self.fetch.q.val().into());
        self.m_other.next = self.no_threads.val() - bit_cast::<W, 1>(self.looks_other.val().into());
        self.m_taking.next =
            self.no_threads.val() - bit_cast::<W, 1>(self.stays_taking.val().into());
        self.m_raw_seen.next =
            self.no_threads.val() - bit_cast::<W, 1>(self.loads_seen.val().into());
        self.m_rest.next = self.no_threads.val() - bit_cast::<W, 1>(self.keeps_rest.val().into());
        self.m_mask.next = self.no_threads.val() - bit_cast::<W, 1>(self.keeps_mask.val().into());
        self.m_sifts.next = self.no_threads.val() - bit_cast::<W, 1>(self.sifts.val().into());
        self.m_leads.next = self.no_threads.val() - bit_cast::<W, 1>(self.leads.val().into());
        self.m_through.next = self.no_threads.val() - bit_cast::<W, 1>(self.through.val().into());
        self.m_reset.next = self.no_threads.val() - bit_cast::<W, 1>(self.reset.val().into());
        if self.idle.q.val() | self.look.q.val() {
            self.all.d.next = (self.m_idle.val() & self.op_active.val())
                | (!self.m_idle.val()
                    & self.all.q.val()
                    & !(self.row_inside.val()
                        & ((self.m_top.val() & self.taking.q.val())
                            | (self.m_bottom.val() & self.row_here.val()))));
        }
        self.early_taking.next = (self.m_idle.val() & self.op_mask.val())
            | (self.m_inverts.val() & self.all.q.val() & !(self.taking.q.val() ^ self.phase.val()))
            | (self.mask.q.val()
                & ((self.killed.val() & self.taking.q.val())
                    | self.held_all.val()
                    | (self.seen.q.val() & self.seen_too.val())));
        if self.idle.q.val()
            | self.look.q.val()
            | self.inverts.val()
            | self.fetch.q.val()
            | self.gather.q.val()
        {
            self.taking.d.next = self.early_taking.val()
                | (self.m_taking.val()
                    & self.taking.q.val()
                    & !(self.m_top.val() & self.row_inside.val()))
                | (self.m_kill.val() & self.row_live.val())
                | (((self.m_bottom.val() & self.all.q.val() & self.row_inside.val())
                    | (self.m_fetch.val() & self.row_asleep.val()))
                    & self.row_here.val());
        }
        if self.look.q.val() | self.fetch.q.val() {
            self.seen.d.next = (self.m_raw_seen.val() & self.raw_seen.val())
                | (self.m_bottom.val() & self.row_gone.val());
            self.nested.d.next = (self.m_other.val() & self.caught.val())
                | (self.m_bottom.val()
                    & self.all.q.val()
                    & self.row_gone.val()
                    & self.row_noted.val())
                | (self.m_fetch.val()
                    & self.row_inside.val()
                    & !self.row_asleep.val()
                    & self.row_here.val()
                    & self.mask.q.val());
        }
        self.rest.d.next = (self.m_idle.val() & self.scan_rests.read_data.val())
            | (self.m_rest.val() & self.rest.q.val())
            | (self.m_leads.val() & self.mask.q.val())
            | (self.m_sifts.val() & self.unchosen.val())
            | self.staying.val();
        // (Whom `rule` and the cycle before an error name: one of four.)
        self.names_all.next = (self.rule.q.val()
            & (self.is_launch.q.val() | self.arrival.retry_all.val()))
            | (self.to_misuse.val() & self.is_bottom.q.val())
            | (self.to_over.val() & !self.some_taking.q.val());
        self.names_odd.next = self.is_bottom.q.val() & self.any_odd.q.val();
        self.names_special.next = self.rule.q.val()
            & (self.arrival.part.val() | (self.names_odd.val() & !self.only_special.val()));
        self.names_bound.next =
            (self.rule.q.val() & self.names_odd.val() & self.only_special.val())
                | (self.to_misuse.val() & self.is_top.q.val());
        self.names_plain.next = (self.rule.q.val()
            & !self.names_odd.val()
            & !self.is_launch.q.val()
            & !(self.arrival.retry_all.val() | self.arrival.part.val()))
            | (self.to_over.val() & self.some_taking.q.val());
        self.m_names_all.next =
            self.no_threads.val() - bit_cast::<W, 1>(self.names_all.val().into());
        self.m_special.next =
            self.no_threads.val() - bit_cast::<W, 1>(self.names_special.val().into());
        self.m_bound.next = self.no_threads.val() - bit_cast::<W, 1>(self.names_bound.val().into());
        self.m_plain.next = self.no_threads.val() - bit_cast::<W, 1>(self.names_plain.val().into());
        self.rule_mask.next = (self.all.q.val()
            & (self.m_names_all.val() | (self.m_special.val() & self.seen.q.val())))
            | (self.m_bound.val() & self.nested.q.val())
            | (self.m_plain.val() & self.taking.q.val());
        self.mask.d.next = self.m_reset.val()
            | (self.m_mask.val() & self.mask.q.val())
            | (self.m_through.val() & self.rest.q.val())
            | self.rule_mask.val()
            | (self.m_sifts.val() & self.chosen.val())
            | self.released.val();

        // ==== The row afterwards.
        self.threads.mask.next = self.mask.q.val();
        self.threads.active.next = self.all.q.val();
        self.threads.starts.next = self.place.q.val();
        self.threads.ends.next = self.ended.q.val() | self.clearing.q.val();
        self.threads.arrives.next = self.answer.q.val() & self.arrives.q.val();
        self.threads.arrives_late.next = self.answer.q.val() & self.arrives_late.q.val();
        self.threads.leaves.next = self.answer.q.val() & self.leaves.q.val();
        self.threads.sleeps.next = self.answer.q.val() & self.sleeps.q.val();
        self.threads.strays.next = self.answer.q.val() & self.strays.q.val();
        self.threads.settles.next = self.answer.q.val() & self.settles.q.val();
        self.threads.turns.next = self.wake.q.val() & self.turns.q.val();
        self.threads.releases.next = self.wake.q.val() & !self.turns.q.val();
        self.threads.evicts.next = self.evict.q.val();
        self.seen_rows.write_enable.next = self.answer.q.val() & self.marks.q.val();
        self.seen_rows.write_address.next =
            (bit_cast::<SB, WI>(self.warp.q.val()) << 3) | bit_cast::<SB, 3>(self.id.val());
        self.seen_rows.write_data.next =
            (self.seen.q.val() & self.seen_mask.val()) | (self.all.q.val() & !self.taking.q.val());

        // ==== The barrier afterwards.
        self.writes.next = self.answer.q.val()
            | self.close.q.val()
            | self.timeout.q.val()
            | self.wake.q.val()
            | self.finish.q.val();
        self.w_dynamic.next = self.b_dynamic.q.val();
        self.w_invalid.next = self.b_invalid.q.val();
        self.w_idle.next =
            !self.b_static.q.val() & !self.b_dynamic.q.val() & !self.b_invalid.q.val();
        // (The blocks with sleepers: what an operation or a wake makes of them.)
        self.leaves_block.next = self.wake.q.val() & !self.leaves_it.val();
        self.joins_block.next = self.answer.q.val() & self.adds.q.val();
        self.n_leaves.next =
            self.no_warps.val() - bit_cast::<NW, 1>(self.leaves_block.val().into());
        self.n_joins.next = self.no_warps.val() - bit_cast::<NW, 1>(self.joins_block.val().into());
        self.new_present.next = (self.b_present.q.val()
            & !(self.n_leaves.val() & self.here_bit.val()))
            | (self.n_joins.val() & self.block_bit.q.val());
        self.w_seen.next = self.b_seen.q.val();
        self.w_held.next = self.b_held.q.val();
        if self.answer.q.val() & self.marks.q.val() {
            self.w_seen.next = self.b_seen.q.val() | self.warp_bit.q.val();
        }
        if self.answer.q.val() & self.holds.q.val() {
            self.w_held.next = self.b_held.q.val() | self.warp_bit.q.val();
        }
        if self.will_be.val() {
            self.w_held.next = self.no_warps.val();
            self.w_dynamic.next = !self.then_idle.val();
            self.w_invalid.next = self.then_idle.val() & self.voids.val();
            self.w_idle.next = self.then_idle.val() & !self.voids.val();
        }
        if self.frees_held.q.val() & self.answer.q.val() {
            self.w_held.next = self.no_warps.val();
        }
        if self.finish.q.val() {
            self.w_dynamic.next = self.is_again.val();
            self.w_invalid.next = !self.b_reset.q.val() & self.b_void.q.val();
            self.w_idle.next = !self.is_again.val() & (self.b_reset.q.val() | !self.b_void.q.val());
        }
        // (The first sleeper is one of the arriving ones; or those of that block have left.)
        self.w_known.next = self.b_known.q.val() | self.leads.val();
        self.firsts.write_enable.next = self.leads.val();
        self.firsts.write_address.next = self.barrier.q.val();
        self.firsts.write_data.next = self.warp.q.val();
        self.turns_next.next =
            self.b_turning.q.val() & !self.b_ending.q.val() & !self.b_reset.q.val();
        // (The selector goes through all blocks then, not only through those behind the slot's.)
        self.starts_next.next = self.finish.q.val()
            | self.b_reset.q.val()
            | (!self.b_turning.q.val() & !self.b_ending.q.val());
        self.w_flags.next = bit_cast::<12, 1>(self.w_dynamic.val().into())
            | (bit_cast::<12, 1>(self.w_invalid.val().into()) << 1)
            | (bit_cast::<12, 1>(self.b_split.q.val().into()) << 2)
            | (bit_cast::<12, 1>(self.b_started.q.val().into()) << 3)
            | (bit_cast::<12, 1>(self.b_rescan.q.val().into()) << 4)
            | (bit_cast::<12, 1>(self.b_left.q.val().into()) << 5)
            | (bit_cast::<12, 1>(self.b_reset.q.val().into()) << 6)
            | (bit_cast::<12, 1>(self.w_known.val().into()) << 11);
        if !self.finish.q.val() {
            self.w_flags.next = self.w_flags.val()
                | (bit_cast::<12, 1>(self.turns_next.val().into()) << 7)
                | (bit_cast::<12, 1>(self.b_ending.q.val().into()) << 8)
                | (bit_cast::<12, 1>(self.b_inside.q.val().into()) << 10);
        }
        if self.w_dynamic.val() & (self.voids.val() | self.b_void.q.val()) {
            self.w_flags.next = self.w_flags.val().replace_bit(9, true);
        }
        self.flags.write_enable.next = self.writes.val();
        self.flags.write_address.next = self.barrier.q.val();
        self.flags.write_data.next = bit_cast::<26, 12>(self.w_flags.val())
            | (bit_cast::<26, 13>(self.b_arrivals.q.val()) << 12)
            | (bit_cast::<26, 1>(self.starts_next.val().into()) << 25);
        self.tags.write_enable.next = self.answer.q.val() & self.opened.q.val();
        self.tags.write_address.next = self.barrier.q.val();
        self.tags.write_data.next = self.pc.q.val();
        self.exits.write_enable.next = self.answer.q.val() & self.first_left.q.val();
        self.exits.write_address.next = self.barrier.q.val();
        self.exits.write_data.next = self.pc.q.val();
        self.words.write_enable.next = self.answer.q.val() & self.opened.q.val();
        self.words.write_address.next = self.barrier.q.val();
        // (The bits of condition and kind say what they mean, the last one that the count is too large.)
        self.kept_word.next = bit_cast::<33, 32>(self.word.q.val());
        self.kept_word.next = self
            .kept_word
            .val()
            .replace_bit(11, self.taking_only.q.val());
        self.kept_word.next = self.kept_word.val().replace_bit(12, self.everybody.q.val());
        self.kept_word.next = self.kept_word.val().replace_bit(13, self.impatient.q.val());
        self.kept_word.next = self.kept_word.val().replace_bit(14, self.section.q.val());
        self.kept_word.next = self.kept_word.val().replace_bit(15, self.limited.q.val());
        self.kept_word.next = self.kept_word.val().replace_bit(32, self.exceeds.val());
        self.words.write_data.next = self.kept_word.val();
        self.present.write_enable.next = self.writes.val();
        self.present.write_address.next = self.barrier.q.val();
        self.present.write_data.next = self.new_present.val();
        self.held.write_enable.next = self.writes.val();
        self.held.write_address.next = self.barrier.q.val();
        self.held.write_data.next = self.w_held.val();
        self.seers.write_enable.next = self.writes.val();
        self.seers.write_address.next = self.barrier.q.val();
        self.seers.write_data.next = self.w_seen.val();
        self.holders.write_enable.next = self.wake.q.val() & self.turns.q.val();
        self.holders.write_address.next = self.barrier.q.val();
        self.holders.write_data.next = self.warp.q.val();

        // ==== The CTA afterwards.
        self.w_used.next = self.used.read_data.val() | self.id_bit.val();
        if self.w_idle.val() {
            self.w_used.next = self.used.read_data.val() & !self.id_bit.val();
        }
        self.flips.next = (self.complete.val() & !self.b_section.q.val())
            | (self.finish.q.val()
                & self.b_section.q.val()
                & !self.b_reset.q.val()
                & !self.is_again.val());
        self.writes_used.next = self.writes.val();
        self.phases.write_enable.next = self.flips.val();
        self.phases.write_address.next = self.cta.val();
        self.phases.write_data.next = self.phase_row.q.val() ^ self.id_bit.val();
        self.lives.write_enable.next = self.depart.q.val();
        self.lives.write_address.next = self.cta.val();
        self.lives.write_data.next = self.fewer.val();
        self.totals.write_enable.next = false;
        self.totals.write_address.next = self.cta.val();
        self.totals.write_data.next = self.launched.q.val();
        self.slots.purge.next = false;
        if self.place.q.val() {
            self.writes_used.next = !self.op_of_block.q.val().any();
            self.w_used.next = self.no_ids.val();
            self.phases.write_data.next = self.no_ids.val();
            self.lives.write_data.next = self.launched.q.val();
            if !self.op_of_block.q.val().any() {
                self.phases.write_enable.next = true;
                self.lives.write_enable.next = true;
                self.totals.write_enable.next = true;
                self.slots.purge.next = self.slots.settled.val();
            }
        }
        self.used.write_enable.next = self.writes_used.val();
        self.used.write_address.next = self.cta.val();
        self.used.write_data.next = self.w_used.val();
        self.alive.write_enable.next =
            self.place.q.val() | self.ended.q.val() | self.clearing.q.val();
        self.alive.write_address.next = self.warp.q.val();
        self.alive.write_data.next =
            (self.place.q.val() & self.any_all.val()) | (self.ended.q.val() & !self.whole.q.val());
        self.ctas.write_enable.next = self.place.q.val();
        self.ctas.write_address.next = self.warp.q.val();
        self.ctas.write_data.next = self.cta.val();
        self.blocks.write_enable.next = self.place.q.val();
        self.blocks.write_address.next = self.warp.q.val();
        self.blocks.write_data.next = self.op_of_block.q.val();
        self.places.write_enable.next = self.place.q.val();
        self.places.write_address.next =
            (bit_cast::<MB, WI>(self.op_of_block.q.val()) << 4) | bit_cast::<MB, 4>(self.cta.val());
        self.places.write_data.next = self.warp.q.val();
        if self.depart.q.val() {
            self.live.d.next = self.fewer.val();
        }
        if self.fetch.q.val() {
            self.live.d.next = self.live.q.val();
        }

        // ==== Straight on: the barrier that is complete now takes a slot at once, and nothing else can have a turn.
        // (Where it does not, all this is set again before it counts.)
        if self.idle.q.val() {
            self.sole.d.next = false;
        }
        if self.answer.q.val() {
            self.sole.d.next = true;
            self.simple.d.next = !self.b_section.q.val();
            self.slot.d.next = self.slots.next_slot.val();
            self.second.d.next = false;
            self.halved.d.next = false;
            self.turns.d.next = false;
            self.wakes.d.next = true;
            self.stays.d.next = false;
            self.once_more.d.next = false;
            self.at_exit.d.next = false;
            self.at_tag.d.next = false;
            self.b_seen.d.next = self.w_seen.val();
        }
        if self.leads.val() {
            self.block.d.next = self.op_of_block.q.val();
        }
        if self.answered.val() {
            self.b_static.d.next = false;
            self.b_dynamic.d.next = true;
            self.b_invalid.d.next = false;
            self.b_turning.d.next = self.b_section.q.val();
            self.b_held.d.next = self.no_warps.val();
        }
        if self.straight.val() {
            self.slots_first.d.next = false;
        }
        // Blocks ahead: each step has its term. (Whose slot it is, that barrier is in use.)
        self.restarts.next = self.reach.q.val() & self.turn_mode.q.val() & !self.next_found.q.val();
        self.passes.next =
            self.seek.q.val() | (self.mark.q.val() & !self.second.q.val()) | self.answered.val();
        self.looks.next = self.look.q.val() | self.aim.q.val();
        self.starts_over.next = self.rule.q.val() | self.restarts.val();
        self.moves_ahead.next = self.looks.val() | self.starts_over.val() | self.passes.val();
        if self.rule.q.val() {
            self.first_known.d.next = self.b_known.q.val() & self.any_present.val();
            self.block.d.next = self.nearest_at.val();
        }
        // (Who completes it sleeps in front of a section, and with others of the warp.)
        self.would_sleep.next = self.rule.q.val()
            & self.is_top.q.val()
            & self.some_taking.q.val()
            & (self.b_section.q.val() | self.others.val());
        self.drops_first.next =
            self.rule.q.val() & !(self.would_sleep.val() & self.comes_before.val());
        self.sleeps_too.next = self.would_sleep.val() & self.comes_behind.val();
        self.all_blocks.next =
            self.no_warps.val() - bit_cast::<NW, 1>(self.from_start.val().into());
        self.n_first.next = self.no_warps.val() - bit_cast::<NW, 1>(self.drops_first.val().into());
        self.n_over.next = self.no_warps.val() - bit_cast::<NW, 1>(self.starts_over.val().into());
        self.n_sleeps.next = self.no_warps.val() - bit_cast::<NW, 1>(self.sleeps_too.val().into());
        if self.moves_ahead.val() {
            self.ahead.d.next = (self.n_over.val()
                & self.b_present.q.val()
                & !(self.nearest.val() & self.n_first.val()))
                | (self.n_sleeps.val() & self.block_bit.q.val())
                | (!self.n_over.val() & self.ahead.q.val() & !self.nearest.val());
            if self.looks.val() {
                self.ahead.d.next =
                    self.present.read_data.val() & (self.behind.q.val() | self.all_blocks.val());
            }
        }
        // The blocks with sleepers, of the barrier at hand: read, or those that EXIT or KILL leaves.
        self.holds_on.next = !self.loads.val();
        self.drops.next = self.lower.q.val() & self.whole.q.val();
        self.n_loads.next = self.no_warps.val() - bit_cast::<NW, 1>(self.loads.val().into());
        self.n_holds.next = self.no_warps.val() - bit_cast::<NW, 1>(self.holds_on.val().into());
        self.n_drops.next = self.no_warps.val() - bit_cast::<NW, 1>(self.drops.val().into());
        self.b_present.d.next = (self.n_loads.val() & self.present.read_data.val())
            | (self.n_holds.val()
                & self.new_present.val()
                & !(self.n_drops.val() & self.block_bit.q.val()));

        // Somebody is inside: read, has a turn now, or has not left.
        self.empties.next = (self.rule.q.val() & (self.bottoms.val() | self.is_reset.q.val()))
            | (self.lower.q.val() & self.hit.q.val());
        self.fills.next = (self.aim.q.val() & self.fast.val())
            | (self.sift.q.val() & self.turn_mode.q.val() & self.any_rest.val())
            | (self.b_inside.q.val() & !self.loads.val() & !self.empties.val());
        self.b_inside.d.next = (self.loads.val() & self.raw.val().get_bit(10)) | self.fills.val();
        // What is not in use is idle, whatever is read of it.
        self.misses.next = self.loads.val() & !self.is_used.val();
        if self.misses.val() {
            self.b_static.d.next = false;
            self.b_dynamic.d.next = false;
            self.b_invalid.d.next = false;
            self.b_split.d.next = false;
            self.b_started.d.next = false;
            self.b_rescan.d.next = false;
            self.b_left.d.next = false;
            self.b_reset.d.next = false;
            self.b_turning.d.next = false;
            self.b_ending.d.next = false;
            self.b_void.d.next = false;
            self.b_inside.d.next = false;
            self.b_joinable.d.next = false;
            self.own_by.d.next = false;
            self.may_stray.d.next = false;
            self.b_present.d.next = self.no_warps.val();
            self.b_held.d.next = self.no_warps.val();
            self.b_seen.d.next = self.no_warps.val();
            self.ahead.d.next = self.no_warps.val();
            self.block_pieces.d.next = self.no_ids.val();
            self.former_pieces.d.next = self.no_ids.val();
        }

        // ==== Held warps: those that wait as a whole, and those whose threads that are awake were all told to wait.
        self.told.read_address.next = self.warp.q.val();
        self.waiters.read_address.next = self.cta.val();
        self.told_before.next = (self.waiters.read_data.val() & self.warp_bit.q.val()).any();
        if self.rule.q.val() {
            self.told_row.d.next = self.told.read_data.val();
            if !self.told_before.val() {
                self.told_row.d.next = self.no_threads.val();
            }
        }
        // (RETRY and PART; whom the PART of a BOTTOM names may go on.)
        self.waits.next = self.verdict.q.val().get_bit(1)
            & !(self.verdict.q.val().get_bit(0) & self.is_bottom.q.val());
        // (Written when it is known that it counts: the warp is still at hand, and its row is read next behind the next
        // operation's `look`.)
        self.told.write_enable.next = self.checks.q.val();
        self.told.write_address.next = self.warp.q.val();
        self.checks.d.next = self.answered.val() & self.waits.val();
        self.told_now.next = (self.told_row.q.val() & !self.all.q.val()) | self.mask.q.val();
        self.tells.d.next = self.told_now.val();
        self.told.write_data.next = self.tells.q.val();
        self.runnable.next = self.row_live.val() & !self.row_asleep.val() & !self.told_now.val();
        self.run_pieces.next = self.no_ids.val();
        for k in 0..8 {
            self.run_pieces.next = self
                .run_pieces
                .val()
                .replace_bit(k, (self.runnable.val() & self.eighths[k].val()).any());
        }
        self.runs.d.next = self.run_pieces.val();
        self.changes.d.next = self.complete.val()
            | (self.answered.val() & self.closes.q.val())
            | self.finish.q.val()
            | self.depart.q.val();
        self.m_told.next = self.no_warps.val() - bit_cast::<NW, 1>(self.waits.val().into());
        self.m_answer.next = self.no_warps.val() - bit_cast::<NW, 1>(self.answer.q.val().into());
        self.waiters.write_enable.next =
            self.answer.q.val() | self.changes.q.val() | self.place.q.val();
        self.waiters.write_address.next = self.cta.val();
        self.waiters.write_data.next = self.m_answer.val()
            & ((self.waiters.read_data.val() & !self.warp_bit.q.val())
                | (self.warp_bit.q.val() & self.m_told.val()));
        if self.place.q.val() {
            self.waiters.write_enable.next = !self.op_of_block.q.val().any();
        }
        self.stands.next = (self.answered.val() & self.holds.q.val())
            | (self.checks.q.val() & !self.runs.q.val().any());
        self.goes.next = (self.depart.q.val() & self.is_kill.q.val())
            | self.place.q.val()
            | (self.wake.q.val() & self.wakes.q.val());
        self.frees.next = self.complete.val() | (self.answered.val() & self.frees_held.q.val());
        self.m_frees.next = self.no_warps.val() - bit_cast::<NW, 1>(self.frees.val().into());
        self.m_changes.next = self.no_warps.val() - bit_cast::<NW, 1>(self.changes.q.val().into());
        self.m_goes.next = self.no_warps.val() - bit_cast::<NW, 1>(self.goes.val().into());
        self.m_stands.next = self.no_warps.val() - bit_cast::<NW, 1>(self.stands.val().into());
        self.stops.d.next = (self.stops.q.val()
            & !(self.b_held.q.val() & self.m_frees.val())
            & !(self.waiters.read_data.val() & self.m_changes.val())
            & !(self.warp_bit.q.val() & self.m_goes.val()))
            | (self.warp_bit.q.val() & self.m_stands.val());
        self.hold.next = self.stops.q.val();

        // ==== Queue, slots, timers.
        self.pushes.next = (self.complete.val() & !self.then_idle.val())
            | (self.answered.val() & self.enters.q.val())
            | (self.finish.q.val() & self.is_again.val());
        self.slots.push.next = self.pushes.val();
        self.slots.push_exclusive.next = self.b_section.q.val() & self.b_exclusive.q.val();
        self.slots.push_simple.next = !self.b_section.q.val() | self.b_reset.q.val();
        self.slots.barrier.next = self.barrier.q.val();
        self.slots.goes_on.next = self.goes_on.val();
        self.slots.may_go_on.next = (self.rule.q.val()
            & (self.is_bottom.q.val() | self.is_reset.q.val()))
            | self.lower.q.val();
        self.slots.slot.next = self.slot.q.val();
        self.slots.picks.next = self.takes_slot.val();
        self.slots.waits.next = self.wake.q.val() & self.turns.q.val();
        self.slots.more.next = self.any_rest.val();
        self.slots.releases.next = self.scans.val() & !self.turns.q.val();
        self.slots.resets.next = self.rule.q.val() & self.is_reset.q.val();
        self.slots.frees.next = self.finish.q.val() & !self.simple.q.val();
        self.slots.frees_simple.next = self.finish.q.val() & self.simple.q.val();
        self.timers.arm.next = self.sets.q.val();
        self.timers.barrier.next = self.barrier.q.val();
        self.timers.ticks.next = self.b_word.q.val().get_bits::<11>(21);
        if self.opened.q.val() {
            self.timers.ticks.next = self.word.q.val().get_bits::<11>(21);
        }
        if self.disarms.q.val() {
            self.timers.ticks.next = self.no_ticks.val();
        }
        self.expired_valid.next = self.timers.expired.val();
        self.expired_cta.next = self.timers.expired_barrier.val().get_bits::<4>(3);
        self.expired_id.next = self.timers.expired_barrier.val().get_bits::<3>(0);

        // ==== Events.
        self.happens.d.next = self.complete.val()
            | (self.answered.val() & self.closes.q.val())
            | (self.finish.q.val() & !self.w_invalid.val());
        self.kind.d.next = self.event_idle.val();
        if self.complete.val() {
            self.kind.d.next = self.event_fire.val();
        }
        if self.ran_out.val() {
            self.kind.d.next = self.event_timeout.val();
        }
        if self.finish.q.val() & self.is_again.val() {
            self.kind.d.next = self.event_again.val();
        }
        self.event_valid.next = self.happens.q.val();
        self.event_kind.next = self.kind.q.val();
        self.event_cta.next = self.cta.val();
        self.event_id.next = self.id.val();

        // ==== The warp at hand, and its block.
        self.to_place.next =
            self.reach.q.val() | (self.woken.val() & !self.turns.q.val() & !self.once_more.q.val());
        if self.to_place.val() {
            self.block.d.next = self.next_block.q.val();
        }
        if self.takes_slot.val() {
            self.block.d.next = self.scan_blocks.read_data.val();
        }
        self.to_holder.next = self.answered.val() & self.evicts.q.val();
        self.to_first.next = self.through.val() & !self.leads.val();
        self.takes_plain_op.next = self.idle.q.val() & !self.takes_slot.val();
        self.to_next.next = self.clearing.q.val() | self.to_holder.val() | self.to_first.val();
        // (Whether they move is asked by the enables: a step chooses its source at once.)
        self.from_next.next = self.clearing.q.val() | self.answer.q.val() | self.rule.q.val();
        self.from_place.next = self.reach.q.val() | self.wake.q.val();
        self.m_of_op.next =
            self.no_place.val() - bit_cast::<WI, 1>(self.takes_plain_op.val().into());
        self.m_of_slot.next = self.no_place.val() - bit_cast::<WI, 1>(self.takes_slot.val().into());
        self.m_of_next.next = self.no_place.val() - bit_cast::<WI, 1>(self.from_next.val().into());
        self.m_of_place.next =
            self.no_place.val() - bit_cast::<WI, 1>(self.from_place.val().into());
        self.m_of_look.next = self.no_place.val() - bit_cast::<WI, 1>(self.look.q.val().into());
        self.next_warp.d.next = self.b_first.q.val();
        if self.is_reset.q.val() {
            self.next_warp.d.next = self.b_holder.q.val();
        }
        if self.look.q.val() | self.recount.q.val() {
            self.next_warp.d.next = self.warp.q.val();
        }
        if self.clearing.q.val() {
            self.next_warp.d.next = self.next_warp.q.val() + self.next_place.val();
        }
        self.other_warp.next = (self.m_of_op.val() & self.op_warp.val())
            | (self.m_of_slot.val() & self.scan_warps.read_data.val())
            | (self.m_of_next.val() & self.next_warp.q.val())
            | (self.m_of_place.val() & self.places.read_data.val());
        self.moves.next = self.idle.q.val() | self.to_next.val() | self.to_place.val();
        if self.moves.val() {
            self.warp.d.next = self.other_warp.val();
        }
        if self.moves.val() | self.look.q.val() | self.rule.q.val() {
            self.row.d.next =
                self.other_warp.val() | (self.m_of_look.val() & self.firsts.read_data.val());
        }
        // (Of the former cycle's warp, but for that of a wake that follows a verdict at once.)
        self.bit_from.next = self.warp.q.val();
        if self.to_first.val() {
            self.bit_from.next = self.b_first.q.val();
        }
        self.warp_bit.d.next = self.one_warp.val() << self.bit_from.val();

        // ==== The sequencer.
        self.look.d.next = self.takes_op.val();
        self.recount.d.next = self.look.q.val() & self.recounts.val();
        self.rule.d.next = (self.look.q.val() & !self.recounts.val()) | self.recount.q.val();
        self.answer.d.next = (self.rule.q.val() & !self.is_launch.q.val() & !self.is_kill.q.val())
            | (self.answer.q.val() & !self.verdict_ready.val());
        self.place.d.next = (self.rule.q.val() & self.is_launch.q.val())
            | (self.place.q.val() & !self.slots.settled.val());
        self.purge.d.next = (self.place.q.val() & self.slots.settled.val())
            | (self.purge.q.val() & self.slots.purging.val());
        self.again.d.next = self.answered.val() & self.twice.val();
        self.evict.d.next = self.answered.val() & self.evicts.q.val();
        self.depart.d.next = (self.rule.q.val() & self.is_kill.q.val())
            | (self.answered.val() & self.is_exit.q.val());
        self.next_id.d.next = self.depart.q.val() | self.close.q.val();
        self.fetch.d.next = self.next_id.q.val() & self.ids.q.val().any();
        self.gather.d.next = self.fetch.q.val();
        self.tally.d.next = self.gather.q.val();
        self.lower.d.next = self.tally.q.val();
        self.judge.d.next = self.lower.q.val();
        self.close.d.next = self.judge.q.val();
        self.ended.d.next = self.next_id.q.val() & !self.ids.q.val().any();
        self.recall.d.next = self.takes_due.val();
        self.timeout.d.next = self.recall.q.val();
        self.aim.d.next = self.takes_slot.val();
        self.sift.d.next = (self.mark.q.val() | self.straight.val()) & self.b_section.q.val();
        self.seek.d.next = (self.aim.q.val() & !self.fast.val())
            | (self.reach.q.val() & !self.next_found.q.val() & self.turn_mode.q.val());
        self.reach.d.next =
            self.seek.q.val() | (self.sift.q.val() & self.turn_mode.q.val() & !self.any_rest.val());
        self.mark.d.next = (self.reach.q.val() & self.next_found.q.val())
            | (self.woken.val()
                & !self.turns.q.val()
                & self.goes_again.val()
                & !self.interrupted.val());
        self.wake.d.next = (self.aim.q.val() & self.fast.val())
            | (self.sift.q.val() & (!self.turn_mode.q.val() | self.any_rest.val()))
            | (self.mark.q.val() & !self.b_section.q.val())
            | self.goes_first.val()
            | (self.wake.q.val() & !self.woken.val());
        self.finish.d.next =
            (self.reach.q.val() & !self.next_found.q.val() & !self.turn_mode.q.val())
                | (self.woken.val() & !self.turns.q.val() & !self.goes_again.val());
        self.idle.d.next = (self.idle.q.val()
            & !self.timers.head_valid.val()
            & (self.timers.due.val() | (!self.op_valid.val() & !self.slots.pick_valid.val())))
            | (self.answered.val()
                & !self.twice.val()
                & !self.evicts.q.val()
                & !self.is_exit.q.val()
                & !self.quick.val())
            | self.again.q.val()
            | self.evict.q.val()
            | (self.purge.q.val() & !self.slots.purging.val())
            | self.ended.q.val()
            | self.timeout.q.val()
            | (self.woken.val() & self.turns.q.val())
            | (self.woken.val()
                & self.goes_again.val()
                & self.interrupted.val()
                & !self.turns.q.val())
            | self.finish.q.val()
            | (self.clearing.q.val() & self.timers.ready.val());
        if self.clearing.q.val() {
            self.clearing.d.next = !self.timers.ready.val();
        }
        if self.reset.val() {
            self.clearing.d.next = true;
            self.idle.d.next = false;
            self.look.d.next = false;
            self.recount.d.next = false;
            self.rule.d.next = false;
            self.sift.d.next = false;
            self.answer.d.next = false;
            self.again.d.next = false;
            self.evict.d.next = false;
            self.place.d.next = false;
            self.purge.d.next = false;
            self.depart.d.next = false;
            self.next_id.d.next = false;
            self.fetch.d.next = false;
            self.gather.d.next = false;
            self.tally.d.next = false;
            self.lower.d.next = false;
            self.judge.d.next = false;
            self.close.d.next = false;
            self.ended.d.next = false;
            self.recall.d.next = false;
            self.timeout.d.next = false;
            self.aim.d.next = false;
            self.seek.d.next = false;
            self.reach.d.next = false;
            self.mark.d.next = false;
            self.wake.d.next = false;
            self.finish.d.next = false;
            self.slots_first.d.next = false;
            self.says_misuse.d.next = false;
            self.says_over.d.next = false;
            self.happens.d.next = false;
            self.sets.d.next = false;
            self.checks.d.next = false;
            self.changes.d.next = false;
            self.stops.d.next = self.no_warps.val();
        }
    }
}

#[cfg(test)]
mod tests;
