//! Deliberate departures from single requirements of the work queue, for tests that must notice them.

/// A departure from one requirement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mutation {
    /// HOST-010: the ring wraps by mask whatever n is.
    WrapsByMask,
    /// HOST-013: any GP_PUT is taken.
    PutIsNotChecked,
    /// HOST-014: GP_GET can be written while the channel runs.
    GetIsNotLocked,
    /// HOST-002: blocks, semaphores and descriptors may be anywhere.
    ReachIsNotChecked,
    /// HOST-031: the last command of a block is left out when there are others before it.
    LastCommandIsLost,
    /// HOST-031: GP_GET moves on when the block begins, and the channel then reads on there.
    EntryIsSkipped,
    /// HOST-033: the lowest priority goes first.
    PriorityIsReversed,
    /// HOST-033: the lowest ready channel goes first.
    RoundIsUnfair,
    /// HOST-036: a channel that waits reads again though others are ready.
    NobodyGivesWay,
    /// HOST-037: those that wait read by priority.
    WaitersGoByPriority,
    /// HOST-033, HOST-037: reads of those that wait turn the round of the others, not their own.
    RoundIsShared,
    /// SEM_ACQUIRE: any value that is not 0 will do.
    AnyValueAcquires,
    /// SEM_ACQUIRE, at least: compared without sign.
    AtLeastIsUnsigned,
    /// HOST-034: no time-out.
    NeverTimesOut,
    /// HOST-035: GP_PUT stays where it is.
    PutIsNotRecycled,
    /// HOST-035: the shadow is not written.
    ShadowIsNotWritten,
    /// HOST-062: the release does not wait.
    ReleaseDoesNotWait,
    /// HOST-080: an error does not stop the channel.
    ErrorsGoOn,
    /// TASK-020: head insertion goes to the tail.
    HeadIsTail,
    /// TASK-027: it is inserted when it is named first.
    FirstNamesAlone,
    /// TASK-027: it is named once too often before it is inserted.
    OneMoreIsCounted,
    /// TASK-027: NAMED stays as it is when it is inserted.
    NamedStays,
    /// TASK-027: NAMED is 0 though no place was found.
    RefusedIsForgotten,
    /// TASK-027: who is counted needs a place.
    CountedNeedsAPlace,
    /// TASK-030, code 47.
    BusyIsNotChecked,
    /// TASK-040: the lowest list first.
    LowestListFirst,
    /// TASK-024: threads may fill the table.
    ThreadsHaveNoLimit,
    /// TASK-025: tasks of threads have any level.
    LevelIsNotBounded,
    /// TASK-042: nobody is evicted.
    NobodyIsEvicted,
    /// TASK-042: it returns to the tail.
    ReturnsToTheTail,
    /// TASK-044: one CTA too many is noted.
    EvictionLosesACta,
    /// TASK-044: one CTA too few is noted.
    EvictionRepeatsACta,
    /// TASK-050: a CTA that fits goes past one that does not.
    SmallOnesPass,
    /// TASK-052: PUT is read only at the load.
    PutIsReadOnce,
    /// TASK-053: GET is not written.
    GetIsNotWritten,
    /// TASK-055: warps are not counted.
    WarpsAreNotCounted,
    /// TASK-055: granules need not be adjacent or free.
    ScratchpadIsNotCounted,
    /// TASK-056: CTAs of several tasks share an SM that cannot.
    SmsAreShared,
    /// TASK-061: the semaphore comes before the last CTA has ended.
    CompletionIsEarly,
    /// TASK-062: no dependent is launched.
    DependentIsForgotten,
    /// TASK-063: a failed CTA does not show.
    FailureIsForgotten,
    /// TASK-071: the slot is not cleared.
    SpawnSlotStays,
    /// TASK-072: a lost ticket is not reported.
    LostTicketIsSilent,
    /// TASK-080: running CTAs do not count.
    IdleIgnoresCtas,
    /// TASK-080: pending tasks do not count.
    IdleIgnoresLists,
    /// TASK-130: LIMIT_MAX says nothing.
    LimitIsNotBounded,
    /// TASK-132: a task that is killed starts more CTAs.
    KilledGoesOn,
    /// TASK-132: it does not show as failed.
    KilledIsNotFailed,
    /// TASK-132: its dependent is launched.
    KilledLaunches,
    /// HOST-004: the window of domain 0 counts for everybody.
    WindowsAreOne,
    /// TASK-026: the header chooses the domain, wherever it lies.
    HeaderChooses,
    /// TASK-026: a dependent where threads write is of domain 0.
    DependentsAreOfDomainZero,
    /// ORDER-021: lines that are held count behind an acquire, too.
    AcquiresForgetNothing,
    /// ORDER-022: writes may come to memory behind a release.
    ReleasesDoNotWait,
    /// SHARED-040: what the host wrote before a launch is not seen by it.
    TasksForgetNothing,
}

impl Mutation {
    /// Those of the work queue; the others are noticed by `testbench/tests/gpu_sms.rs`.
    pub const ALL: [Mutation; 47] = [
        Mutation::WrapsByMask,
        Mutation::PutIsNotChecked,
        Mutation::GetIsNotLocked,
        Mutation::ReachIsNotChecked,
        Mutation::LastCommandIsLost,
        Mutation::EntryIsSkipped,
        Mutation::PriorityIsReversed,
        Mutation::RoundIsUnfair,
        Mutation::NobodyGivesWay,
        Mutation::WaitersGoByPriority,
        Mutation::RoundIsShared,
        Mutation::AnyValueAcquires,
        Mutation::AtLeastIsUnsigned,
        Mutation::NeverTimesOut,
        Mutation::PutIsNotRecycled,
        Mutation::ShadowIsNotWritten,
        Mutation::ReleaseDoesNotWait,
        Mutation::ErrorsGoOn,
        Mutation::HeadIsTail,
        Mutation::BusyIsNotChecked,
        Mutation::LowestListFirst,
        Mutation::ThreadsHaveNoLimit,
        Mutation::LevelIsNotBounded,
        Mutation::NobodyIsEvicted,
        Mutation::ReturnsToTheTail,
        Mutation::EvictionLosesACta,
        Mutation::EvictionRepeatsACta,
        Mutation::SmallOnesPass,
        Mutation::PutIsReadOnce,
        Mutation::GetIsNotWritten,
        Mutation::WarpsAreNotCounted,
        Mutation::ScratchpadIsNotCounted,
        Mutation::SmsAreShared,
        Mutation::CompletionIsEarly,
        Mutation::DependentIsForgotten,
        Mutation::FailureIsForgotten,
        Mutation::SpawnSlotStays,
        Mutation::LostTicketIsSilent,
        Mutation::IdleIgnoresCtas,
        Mutation::IdleIgnoresLists,
        Mutation::LimitIsNotBounded,
        Mutation::KilledGoesOn,
        Mutation::KilledIsNotFailed,
        Mutation::KilledLaunches,
        Mutation::WindowsAreOne,
        Mutation::HeaderChooses,
        Mutation::DependentsAreOfDomainZero,
    ];
}
