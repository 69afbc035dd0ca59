//! Deliberate departures from single requirements of the scheduler, for tests that must notice them.

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
    /// SCHED-010: a unit that is not free stops no grant.
    UnitFreeIgnored,
    /// SCHED-010: a held warp is granted.
    HoldIgnored,
    /// SCHED-010: a warp may be granted again two cycles after a grant.
    GrantedTwiceRunning,
    /// SCHED-012: an issue does not touch its warp.
    AgeTouchForgotten,
    /// SCHED-012: all touches are made with level 0.
    LevelsIgnored,
    /// SCHED-013: under loose round robin an issue changes nothing.
    TurnNotMoved,
    /// SCHED-014: the first greedy warp stays greedy for ever.
    GreedyNeverChanges,
    /// SCHED-014: who fills the gap becomes greedy.
    FillerBecomesGreedy,
    /// SCHED-021: the second may need what the first writes.
    SecondIgnoresDependence,
    /// SCHED-021: the second may be of a slow class.
    SecondIgnoresSlow,
    /// SCHED-025: nothing waits for rs2.
    Rs2HazardIgnored,
    /// SCHED-025: `drain` instructions do not wait.
    DrainIgnored,
    /// SCHED-025: any number of instructions may be in flight.
    FlightUnlimited,
    /// SCHED-027: an instruction that has been checked does not see a `done`.
    DoneNotSeen,
    /// SCHED-029: a stopped warp keeps its instructions, and they go on.
    StopDoesNotFlush,
    /// SUPPLY-020: after a miss the warp may pass again one cycle sooner.
    MissOverAtOnce,
    /// SUPPLY-020: nothing is fetched ahead.
    NoPrefetch,
    /// SUPPLY-022: a response does not wake its warp.
    StuckNotWoken,
    /// SUPPLY-022: a response goes to the other slot.
    WrongSlot,
    /// SUPPLY-061: `control` instructions of class 3 forget no lines.
    LinesAreKept,
    /// SUPPLY-070: a warp that was predicted and starts in words goes on with these, wherever it is started.
    AnyPlaceIsPredicted,
    /// SUPPLY-070: a pass that was predicted goes on without a start.
    PredictedIsPushed,
    /// SUPPLY-040: the supply goes on behind a `control` instruction.
    ControlDoesNotStopSupply,
}
