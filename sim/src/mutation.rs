//! Deliberate departures from single requirements, for tests that must notice them.

macro_rules! mutations {
    ($list:ident { $($(#[$what:meta])* $name:ident,)* } $more:ident { $($(#[$also:meta])* $other:ident,)* }) => {
        /// A deliberate departure from one requirement, for tests that must notice it.
        #[doc(hidden)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Mutation {
            $($(#[$what])* $name,)*
            $($(#[$also])* $other,)*
        }

        impl Mutation {
            /// But those of [`Mutation::MASKS`].
            pub const $list: [Mutation; [$(Mutation::$name),*].len()] = [$(Mutation::$name),*];
            /// What only programs with mask instructions or sub-vector loops can notice.
            pub const $more: [Mutation; [$(Mutation::$other),*].len()] = [$(Mutation::$other),*];
        }
    };
}

mutations! {
    ALL {
    /// CONV-010: the larger group runs first.
    LargerGroupFirst,
    /// CONV-010: on a tie the group that falls through runs first.
    FallFirstOnTie,
    /// CONV-011: the smaller group runs first whatever the policy.
    IgnorePath,
    /// CONV-022: the other threads do not run the jump again.
    IndirectFallsThrough,
    /// CONV-030: tokens that are already there are pushed again.
    KeepRedundantPushes,
    /// CONV-030: a front token that names only some of the active threads is taken for the same.
    RedundantIgnoresMask,
    /// CONV-030: pushes are dropped one token late.
    DropLate,
    /// CONV-035: the token of a call names only the threads that are called with the leader.
    CallPushesForLeaderOnly,
    /// CONV-035: the threads with another target go on behind the call.
    CallFallsThrough,
    /// CONV-022: threads that jump to where they stand do not part from the others.
    JumpToItselfKeepsTogether,
    /// CONV-035: the path policy says who runs first.
    CallObeysPath,
    /// CONV-056: threads that have to run a jump again are sent away before.
    ForcedYieldAtOwedJump,
    /// CONV-100: PUSH and LEAVE accept every type.
    ReservedTypes,
    /// CONV-040: LEAVE without a selected thread unwinds.
    UnwindOnEmptyLeave,
    /// CONV-040: only the front token is looked at.
    SearchFrontOnly,
    /// CONV-040: a token for another address catches too.
    CatchAnyAddress,
    /// CONV-040: a token of another type catches too.
    CatchAnyType,
    /// CONV-041: passed tokens keep their masks.
    KeepPassedTokens,
    /// CONV-041: passed tokens lose the leaving threads only when a token is found.
    KeepPassedWhenUnfound,
    /// CONV-042: the token catches threads that it does not name.
    CatchUnnamed,
    /// CONV-042: the leaving threads wait although no token is found.
    WaitWithoutToken,
    /// CONV-050: YIELD fires with an empty deque too.
    YieldOnEmptyDeque,
    /// CONV-050: a YIELD that does not fire resets its counter.
    UnfiredYieldResets,
    /// CONV-051: a yield pushes at the front.
    LifoYield,
    /// CONV-051: a merged YIELD token does not gain the threads.
    SkipMergeMask,
    /// CONV-051: YIELD tokens never merge.
    NeverMergeYields,
    /// CONV-051: only the token at the back takes yielding threads in.
    MergeAtBackOnly,
    /// CONV-052: all warps begin with the same random number.
    RandomYieldSameForAllWarps,
    /// CONV-052: the random number steps only when the YIELD fires.
    RandomYieldStepsOnlyWhenFired,
    /// CONV-052: every YIELD fires.
    RandomYieldIgnoresThreshold,
    /// CONV-052: a random number equal to the threshold fires too.
    RandomYieldFiresAtThreshold,
    /// CONV-055: an unwind resets the counter.
    UnwindResetsForced,
    /// CONV-055: only taken branches count, leaves do not.
    LeavesAreNotCounted,
    /// CONV-055: calls do not count.
    CallsAreNotCounted,
    /// CONV-055: a token that is popped does not end a standstill.
    PoppedTokensStandStill,
    /// CONV-055: while tokens are popped no yield is forced, however long.
    OnlyStandstillForces,
    /// CONV-055: a forced yield resets the yield counter too.
    ForcedYieldResetsYield,
    /// CONV-060: an unwind may wake threads that have ended.
    RevocableExit,
    /// CONV-070: an unwind wakes the threads of the token whatever they wait for.
    IgnoreReason,
    /// CONV-070: an unwind wakes all threads that wait for the token's type, also those that it does not name.
    WakeUnnamed,
    /// CONV-070: a warp that is done keeps its tokens.
    LeftoverTokensStay,
    /// CONV-070: only one token is popped, and the warp ends when it names nobody.
    PopOnlyOne,
    /// CONV-151: a warp whose threads all sleep drops its tokens.
    BlockedDropsTokens,
    /// CONV-152: threads that are to retry go on behind the instruction.
    RetryGoesOn,
    /// CONV-153: the threads that part from the others let them go on.
    PartLetsGoOn,
    /// CONV-154: a wake also reaches threads that wait for a token.
    WakeAnyReason,
    /// CONV-154: a blocked warp loses its tokens when it is woken.
    WakeDropsTokens,
    /// CONV-154: a forced yield may come after a wake.
    ForcedYieldAfterWake,
    /// CONV-154: woken threads of a running warp run at once.
    WakeInterrupts,
    /// SPILL-020: a push at the back rounds the new head up, as one at the front does.
    RecenterBackLikeFront,
    /// SPILL-020: a redundant PUSH recenters too.
    RecenterOnRedundantPush,
    /// SPILL-020: a dropped PUSH recenters too.
    RecenterOnDroppedPush,
    /// SPILL-020: a yield that merges recenters too.
    RecenterOnMerge,

    }
    MASKS {
    /// CONV-110: with an empty active mask operations do what they say.
    EmptyMaskActs,
    /// CONV-111: switching off everybody unwinds.
    SetUnwinds,
    /// CONV-111: threads that wait for a token are switched on too.
    SetWakesAnyReason,
    /// CONV-111: masked threads stay off.
    SetNeverWakes,
    /// CONV-112: with an empty active mask the warp does not jump.
    JumpNeedsThreads,
    /// CONV-112: jumps of the warp count as control transfers.
    JumpsAreCounted,
    /// CONV-113: masked threads ride on although others wait for tokens.
    MaskedRunBeforeTokens,
    /// CONV-113: the deque is cleared when only masked threads are left.
    MaskedDropTokens,
    /// CONV-120: no SYNC token is pushed.
    SubVectorWithoutSync,
    /// CONV-121: the highest part goes first.
    HighestPartFirst,
    /// CONV-122: all waiting parts go on together.
    SubVectorWakesAllParts,
    /// MASK-010: andn complements the other operand.
    AndnSwapped,
    /// MASK-011: `.save` clears scc.
    SaveClearsCondition,
    /// MASK-012: `.save` writes md before it reads ms.
    SaveWritesFirst,
    /// The bits of threads that are off stay as they are in a ballot.
    BallotKeepsOthers,
    /// MASK-030: the write mask is the active mask.
    PredicateIgnored,
    /// MASK-030: a block never ends.
    BlockTooLong,
    }
}
