//! What the tests of the tests break.

/// A departure from the rules, for the tests of the tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mutation {
    /// COMP-041: loads count as uniform.
    UniformLoads,
    /// COMP-044: what is written on both sides of a divergent branch stays uniform behind it.
    NoControlDependence,
    /// COMP-051: nothing is live.
    NothingLive,
    /// COMP-050: inline assembly calls as compilers do, and bytes read nothing.
    AllCallsByConvention,
    /// COMP-050: whatever is called reads a0 to a7 only.
    ArgumentsByConvention,
    /// COMP-051: outside of sub-vector loops temporaries may be registers that are shared.
    SharedTemporaries,
    /// COMP-030: the immediate post-dominator is the next block.
    WrongPostDominator,
    /// COMP-061: pushes are left out.
    NoPushes,
    /// COMP-062: leaves are left out.
    NoLeaves,
    /// COMP-062: a leave for jumps may stand behind a jump that masks have replaced.
    StubsAnywhere,
    /// COMP-067: a leave whose condition is computed is for the other threads.
    OppositeLeave,
    /// COMP-070: to compute a condition costs nothing.
    FreeConditions,
    /// COMP-070: tokens cost nothing.
    FreeTokens,
    /// COMP-071: thread numbers are not known.
    UnknownThreads,
    /// COMP-071: a branch past a loop goes there as often as any other.
    LoopsAsOthers,
    /// COMP-077: the choice is not looked at once more.
    NoCheck,
    /// COMP-090: whoever asks others waits for them.
    AllWait,
    /// COMP-095: threads come out of a loop together in which they compete.
    OutTogether,
    /// COMP-095: behind a swap who has failed goes on with who has not.
    FailsTogether,
    /// COMP-071: any number of threads are the last one.
    ManyAreLast,
    /// COMP-073: a predicated block has the opposite mask.
    OppositePredicate,
    /// COMP-073: both sides have the same mask.
    OneSide,
    /// COMP-073: the linker may take instructions out of a predicated block.
    Relaxed,
    /// COMP-125: all saves count as dead.
    DropsAllSaves,
    /// COMP-125, COMP-127: whoever calls the kernel is not seen.
    NobodyCalls,
    /// COMP-126: what is given to the kernel is moved, too.
    MovesWhatIsGiven,
    /// COMP-081: at the end of a mask region nobody is woken.
    NoRestore,
    /// COMP-082: whoever comes to wait for a block takes the place of those that do.
    ForgetsWhoWaits,
    /// COMP-082: the other side runs in the same threads.
    NoElse,
}
