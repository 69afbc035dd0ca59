//! The known traps of token-based convergence: one small program each, what it must do, and which departures from the
//! specification it has to notice. For the tests of the model (`sim/tests/traps.rs`) and of the hardware in lockstep.

use crate::config::Config;
use crate::mutation::Mutation;
use crate::policy::PathPolicy;

/// A program for one warp.
#[derive(Clone, Debug)]
pub struct Trap {
    /// A sentence that holds.
    pub name: &'static str,
    /// Assembly.
    pub source: &'static str,
    /// Shape and policy with which `masks` hold.
    pub config: Config,
    /// Active masks with which the instruction at a label is executed, in order.
    pub masks: &'static [(&'static str, &'static [u64])],
    /// Threads wait for one another: only memory at the end is the same as with every thread alone.
    pub waits: bool,
    /// Departures under which something else retires.
    pub mutations: &'static [Mutation],
}

/// One warp of four threads; nobody yields.
const FOUR: Config = Config {
    warps: 1,
    threads: 4,
    tokens: 256,
    grid: None,
    part: None,
    memory: 0x8000,
    stack: 256,
    yield_every: 0,
    yield_random: false,
    yield_threshold: 0,
    yield_seed: 0,
    forced_yield: 0,
    path: PathPolicy::SmallerFirst,
    call_tokens: false,
    float: false,
    cta_warps: None,
    lanes: None,
    shared_from: 32,
    subvector: crate::subvector::Force::Measured,
    miss_threshold: 64,
    cache: None,
};

pub const ALL: [Trap; 15] = [
    BREAK,
    CONTINUE,
    RETURN,
    EMPTY_SYNC,
    EXIT,
    LEFTOVER,
    MEET_AT_RETURN,
    MEET_AT_PLAIN_RETURN,
    FUNCTION_POINTERS,
    OWN_HEADER,
    LOCK,
    STOLEN_FROM_OUTSIDE,
    STOLEN_ON_THE_WAY,
    DEEP_MERGE,
    DEEP_LEFTOVER,
];

pub const BREAK: Trap = Trap {
    name: "a break crosses live SYNC and CONTINUE tokens",
    source: "
_start: li   s0, 3
        andi s1, a0, 1
        pbk  done
loop:   pcnt next
        ssy  join
        beqz s1, even
        addi s2, s2, 1
        brk  done           # out of the loop, from inside both regions
even:   addi s3, s3, 1
        sync join
join:   addi s4, s4, 1      # those who broke out are not waited for
        cont next
next:   addi s0, s0, -1
        bnez s0, loop
        brk  done
done:   addi s5, s5, 1
        exit
",
    config: FOUR,
    masks: &[("done", &[0b1111]), ("join", &[0b0101; 3])],
    waits: false,
    mutations: &[Mutation::SearchFrontOnly, Mutation::IgnoreReason],
};

pub const CONTINUE: Trap = Trap {
    name: "a continue crosses a live SYNC token",
    source: "
_start: li   s0, 4
        mv   s1, a0
loop:   pcnt next
        ssy  join
        andi t0, s1, 1
        addi s1, s1, 1
        cont.nez t0, next   # skips the rest of the body
        addi s2, s2, 1
        sync join
join:   addi s3, s3, 1
        cont next
next:   addi s0, s0, -1
        bnez s0, loop
        exit
",
    config: FOUR,
    masks: &[
        ("next", &[0b1111; 4]),
        ("join", &[0b0101, 0b1010, 0b0101, 0b1010]),
    ],
    waits: false,
    mutations: &[Mutation::SearchFrontOnly, Mutation::IgnoreReason],
};

pub const RETURN: Trap = Trap {
    name: "a return crosses all tokens of its function",
    source: "
_start: pcal back
        jal  ra, function
back:   addi s5, s5, 1
        exit
function:
        pbk  out
        pcnt again
again:  ssy  join
        andi t0, a0, 1
        beqz t0, even
        addi s2, s2, 1
        wret ra             # from inside three regions
even:   sync join
join:   addi s3, s3, 1
        brk  out
out:    addi s4, s4, 1
        wret ra
",
    config: FOUR,
    masks: &[("back", &[0b1111]), ("out", &[0b0101])],
    waits: false,
    mutations: &[Mutation::SearchFrontOnly, Mutation::IgnoreReason],
};

pub const EMPTY_SYNC: Trap = Trap {
    name: "a predicated sync that selects nobody does not unwind",
    source: "
_start: ssy  join
        ssy  inner
        andi t0, a0, 1
        beqz t0, even
        sync.nez x0, join
here:   addi s2, s2, 1
        sync join
even:   addi s3, s3, 1
        sync join
inner:  addi s6, s6, 1
join:   addi s4, s4, 1
        exit
",
    config: FOUR,
    masks: &[("here", &[0b1010]), ("join", &[0b1111])],
    waits: false,
    mutations: &[Mutation::UnwindOnEmptyLeave],
};

pub const EXIT: Trap = Trap {
    name: "threads that exit above live tokens are not waited for",
    source: "
_start: pbk  done
        ssy  join
        andi t0, a0, 1
        beqz t0, even
        exit
even:   addi s3, s3, 1
        sync join
join:   addi s4, s4, 1
        brk  done
done:   addi s5, s5, 1
        exit
",
    config: FOUR,
    masks: &[("join", &[0b0101]), ("done", &[0b0101])],
    waits: false,
    mutations: &[Mutation::RevocableExit],
};

pub const LEFTOVER: Trap = Trap {
    name: "tokens that are left over end with the warp",
    source: "
_start: ssy  a
        pbk  b
        pcnt c
        andi t0, a0, 1
        beqz t0, even
        exit
even:   ecall
a:      nop
b:      nop
c:      exit
",
    config: FOUR,
    masks: &[("even", &[0b0101]), ("a", &[]), ("b", &[]), ("c", &[])],
    waits: false,
    mutations: &[Mutation::LeftoverTokensStay],
};

pub const MEET_AT_RETURN: Trap = Trap {
    name: "the paths of a function that meet only at the return converge in the caller",
    source: "
_start: pcal back
        jal  ra, function
back:   addi s5, s5, 1
        exit
function:
        beqz a0, zero
        andi t0, a0, 1
        bnez t0, odd
        addi s2, s2, 1
        wret ra
odd:    addi s3, s3, 1
        wret ra
zero:   addi s4, s4, 1
        wret ra
",
    config: FOUR,
    masks: &[("back", &[0b1111])],
    waits: false,
    mutations: &[Mutation::SearchFrontOnly],
};

pub const MEET_AT_PLAIN_RETURN: Trap = Trap {
    name: "with call tokens they do so without any hint in the program",
    source: "
_start: jal  ra, function
back:   addi s5, s5, 1
        exit
function:
        beqz a0, zero
        mv   s1, ra
        jal  ra, inner
        mv   ra, s1
        addi s2, s2, 1
        ret
zero:   addi s4, s4, 1
        ret
inner:  andi t0, a0, 1
        bnez t0, odd
        ret
odd:    addi s3, s3, 1
        ret
",
    config: Config {
        call_tokens: true,
        ..FOUR
    },
    masks: &[("back", &[0b1111]), ("inner", &[0b1110])],
    waits: false,
    mutations: &[Mutation::SearchFrontOnly],
};

pub const FUNCTION_POINTERS: Trap = Trap {
    name: "threads that call different functions from one place meet behind it",
    source: "
_start: la   t0, low
        srli t1, a0, 1
        slli t1, t1, 3
        add  t0, t0, t1     # high for the upper half
call:   jalr ra, 0(t0)
back:   addi s5, s5, 1
        exit
low:    addi s2, s2, 1
        ret
high:   addi s3, s3, 1
        ret
",
    config: Config {
        call_tokens: true,
        ..FOUR
    },
    masks: &[("call", &[0b1111, 0b1100]), ("back", &[0b1111])],
    waits: false,
    mutations: &[
        Mutation::CallPushesForLeaderOnly,
        Mutation::CallFallsThrough,
    ],
};

pub const OWN_HEADER: Trap = Trap {
    name: "a CONTINUE token may name the loop header itself",
    source: "
_start: addi s0, a0, 4
loop:   pcnt loop           # the header is its own convergence point
        addi s0, s0, -1
        andi t0, s0, 1
        cont.nez t0, loop   # some meet there,
        bnez s0, loop       # the others come back while the token is live
        exit
",
    config: FOUR,
    masks: &[(
        "loop",
        &[0b1111, 0b1010, 0b1111, 0b1111, 0b1111, 0b1100, 0b1100],
    )],
    waits: false,
    mutations: &[Mutation::KeepRedundantPushes],
};

pub const LOCK: Trap = Trap {
    name: "a spin lock whose critical section lies after its sync finishes with yields",
    source: "
        .globl _start
        .text
_start: la   s0, lock
        li   s1, 1
        ssy  acquired
try:    amoswap.w t0, s1, (s0)
        yield
        bnez t0, try
        sync acquired       # the token has gone by the time the others come
acquired:
        lw   t1, 4(s0)
        addi t1, t1, 1
        sw   t1, 4(s0)
        amoswap.w x0, x0, (s0)
        exit
        .data
lock:   .word 0
count:  .word 0
",
    config: Config {
        yield_every: 1,
        ..FOUR
    },
    masks: &[("acquired", &[0b0001, 0b0010, 0b0100, 0b1000])],
    waits: true,
    mutations: &[Mutation::LifoYield, Mutation::WaitWithoutToken],
};

pub const STOLEN_FROM_OUTSIDE: Trap = Trap {
    name: "an inner loop does not steal threads that parked for the outer loop before it",
    source: "
_start: li   s0, 3
outer:  pcnt outer_next
        andi t0, a0, 1
        cont.nez t0, outer_next
        addi s1, a0, 1
inner:  pcnt inner_next
        addi s2, s2, 1
        cont inner_next
inner_next:
        addi s1, s1, -1
        bnez s1, inner
        cont outer_next
outer_next:
        addi s0, s0, -1
        bnez s0, outer
        exit
",
    config: FOUR,
    masks: &[("outer_next", &[0b1111; 3])],
    waits: false,
    mutations: &[Mutation::WakeUnnamed],
};

pub const STOLEN_ON_THE_WAY: Trap = Trap {
    name: "an inner loop does not steal threads that parked for the outer loop from inside it",
    source: "
_start: li   s0, 3
outer:  pcnt outer_next
        addi s1, a0, 1
        andi t0, a0, 1
inner:  pcnt inner_next
        cont.nez t0, outer_next
        addi s2, s2, 1
        cont inner_next
inner_next:
        addi s1, s1, -1
        bnez s1, inner
        cont outer_next
outer_next:
        addi s0, s0, -1
        bnez s0, outer
        exit
",
    config: FOUR,
    masks: &[("outer_next", &[0b1111; 3])],
    waits: false,
    mutations: &[Mutation::KeepPassedTokens, Mutation::WakeUnnamed],
};

/// Twelve tokens that stay in the way.
macro_rules! twelve_tokens {
    () => {
        "
_start: ssy  t0a
        pbk  t0b
        pcnt t0c
        ssy  t1a
        pbk  t1b
        pcnt t1c
        ssy  t2a
        pbk  t2b
        pcnt t2c
        ssy  t3a
        pbk  t3b
        pcnt t3c
"
    };
}

/// Where they point to; nobody goes there.
macro_rules! their_targets {
    () => {
        "
t0a:    nop
t0b:    nop
t0c:    nop
t1a:    nop
t1b:    nop
t1c:    nop
t2a:    nop
t2b:    nop
t2c:    nop
t3a:    nop
t3b:    nop
t3c:    exit
"
    };
}

pub const DEEP_MERGE: Trap = Trap {
    name: "a yield merges with a token that stands deep in the deque, behind software tokens and before other yields",
    source: concat!(
        twelve_tokens!(),
        "
        beqz a0, meet
        addi s0, a0, -1
        beqz s0, one
        addi s0, s0, -1
        beqz s0, two
        addi s0, s0, -1
        beqz s0, three
        addi s0, s0, -1
        beqz s0, four
        addi s0, s0, -1
        beqz s0, five
meet:   yield               # thread 0; after all others threads 6 and 7
after:  addi s1, s1, 1
        exit
one:    yield
        exit
two:    yield
        exit
three:  yield
        exit
four:   yield
        exit
five:   yield
        exit
",
        their_targets!()
    ),
    config: Config {
        threads: 8,
        yield_every: 1,
        ..FOUR
    },
    masks: &[
        ("meet", &[0b0000_0001, 0b1100_0000]),
        ("after", &[0b1100_0001]),
    ],
    waits: false,
    mutations: &[
        Mutation::SkipMergeMask,
        Mutation::NeverMergeYields,
        Mutation::MergeAtBackOnly,
    ],
};

pub const DEEP_LEFTOVER: Trap = Trap {
    name: "a warp retires while many tokens are left",
    source: concat!(
        twelve_tokens!(),
        "
        andi s0, a0, 1
        beqz s0, even
last:   exit
even:   exit
",
        their_targets!()
    ),
    config: FOUR,
    masks: &[("last", &[0b1010]), ("t3c", &[])],
    waits: false,
    mutations: &[Mutation::LeftoverTokensStay],
};
