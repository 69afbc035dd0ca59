//! Deliberate departures from single requirements of the barrier unit, for tests that must notice them.

macro_rules! mutations {
    ($($(#[$what:meta])* $name:ident,)*) => {
        /// A deliberate departure from one requirement, for tests that must notice it.
        #[doc(hidden)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Mutation {
            $($(#[$what])* $name,)*
        }

        impl Mutation {
            pub const ALL: [Mutation; [$(Mutation::$name),*].len()] = [$(Mutation::$name),*];
        }
    };
}

mutations! {
    /// BAR-020: threads inside a section may enter another one.
    NestingAllowed,
    /// BAR-020: without threads it is an arrival all the same.
    NobodyArrives,
    /// BAR-021: condition 1 counts participants only.
    OthersNotCounted,
    /// BAR-021: condition 2 counts all.
    OthersCounted,
    /// BAR-022: another tag does not matter.
    TagIgnored,
    /// BAR-022: who finds it busy goes on.
    BusyGoesOn,
    /// BAR-023: threads at an invalid barrier are not counted.
    InvalidNeverIdle,
    /// BAR-023: a barrier is invalid only until its minimum has come.
    InvalidUntilCount,
    /// BAR-024: threads count as often as they come.
    SeenIgnored,
    /// The word of the latest arrival counts.
    LatestWord,
    /// BAR-027: only threads that are launched are waited for.
    ResidentOnly,
    /// BAR-030: the phase does not flip.
    PhaseStays,
    /// BAR-031: who completes a barrier sleeps too.
    CompleterSleeps,
    /// BAR-032: whole warps sleep, instead of being held.
    NeverHeld,
    /// BAR-033: the barrier becomes idle.
    NeverInvalid,
    /// BAR-033: only a timeout invalidates, a minimum count does not.
    CountIsAll,
    /// BAR-040: a section is free as soon as it is complete, whatever the queue.
    QueueIgnored,
    /// BAR-041: the next turn comes before the BOTTOM.
    TwoInside,
    /// BAR-042: a non-blocking BOTTOM is like the other.
    NonBlockingSleeps,
    /// BAR-042: BOTTOM by others is no error.
    NotHoldingUnnoticed,
    /// BAR-043: all BOTTOMs are taken for the same.
    OneExit,
    /// BAR-044: who ends inside keeps the section.
    ExitKeepsSection,
    /// BAR-050: the last thread goes first.
    HighestFirst,
    /// BAR-051: who joins is not looked for again.
    JoinersForgotten,
    /// BAR-054: who waits to skip runs.
    SkippersRun,
    /// BAR-055: who waits to run skips.
    RunnersSkip,
    /// BAR-056: the phase of a section does not flip.
    SectionPhaseStays,
    /// BAR-060: the latest in the queue goes first.
    LastInFirstOut,
    /// BAR-060: exclusive ones are like the others.
    NotExclusive,
    /// BAR-061: the smallest priority goes first.
    PriorityReversed,
    /// BAR-061: the priority counts when a barrier enters the queue.
    PriorityWhenQueued,
    /// BAR-061: of one priority the lowest slot goes first, again and again.
    LowestSlotFirst,
    /// BAR-062: while an exclusive section has a slot nobody is let go.
    ReleaseWaits,
    /// BAR-062: who lets sleepers go does so before any slot.
    ReleasesFirst,
    /// BAR-070: a tick too late.
    TimerLate,
    /// BAR-070: all timers start with the first arrival.
    OriginIgnored,
    /// BAR-071: a timeout does nothing.
    TimeoutIgnored,
    /// BAR-081: WAIT looks at the wrong parity.
    WrongPhase,
    /// BAR-080: what uses split barriers may be used by TOP.
    SplitLikeTop,
    /// BAR-082: who was told before does not count: only all at once are.
    ToldAlone,
    /// BAR-083: events change nothing for those who are told; only EXIT does.
    EventIgnored,
    /// BAR-084: a warp waits as soon as one of its threads is told.
    OneIsEnough,
    /// BAR-084: a warp of which threads wake waits on.
    WakeKeepsWaiting,
    /// BAR-090: who is reset in front of a section goes on into it.
    ResetRunsSection,
    /// BAR-091: threads that have ended are waited for.
    ExitStillCounts,
    /// BAR-091: what a thread has counted stays when it ends.
    ExitKeepsArrival,
    /// BAR-092: a killed warp's sleepers stay in their barriers.
    KillKeepsSleepers,
    /// BAR-093: the phase outlives the CTA.
    PhaseOutlivesCta,
}
