//! Rules of the ports, and what is said where one is broken.

/// A broken rule of the ports.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cycle {cycle}: protocol: {rule}: {detail}")]
pub struct Violation {
    pub cycle: u64,
    pub rule: Rule,
    pub detail: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Rule {
    #[error("an offered issue changed before it was taken")]
    IssueUnstable,
    #[error("issue of a warp that is not running")]
    IssueIdleWarp,
    #[error("issue of a warp that has an instruction in flight")]
    IssueInFlight,
    #[error("issue differs from where the warp goes on")]
    IssueWrongPlace,
    #[error("a ready warp waited for more than NW - 1 other issues (SCHED-012)")]
    Starvation,
    #[error("a resolve was taken of a warp with an operation on its way")]
    ResolveEngaged,
    #[error("a WAKE moved a warp that runs (CONV-154)")]
    WakeMoves,
    #[error("launch taken for a warp that runs")]
    LaunchBusy,
    #[error("retire of an operation that is not in flight")]
    RetireNotInFlight,
    #[error("retire differs from the resolved operation")]
    RetireWrongOperation,
    #[error("retire record contradicts itself")]
    RetireInconsistent,
    #[error("exception of an operation that is not in flight")]
    ExceptionNotInFlight,
    #[error("one operation ended twice")]
    EndedTwice,
    #[error("status_busy differs from the warps that run")]
    StatusBusy,
    #[error("status_dropped differs from the dropped pushes")]
    StatusDropped,
    #[error("status_recentered differs from the recenterings reported")]
    StatusRecentered,
    #[error("RECENTER reported by a warp that cannot stop")]
    RecenterStop,
    #[error("an operation ended while its warp waits for the driver")]
    EndedWhileStopped,
    #[error("a launch with too small an allocation is not refused, or another one is")]
    Refusal,
    #[error("config_done differs from four cycles after the transfer")]
    ConfigDone,
    #[error("a register differs from what the ports have shown")]
    ConfigResult,
    #[error("a memory request changed before it was taken")]
    SpillUnstable,
    #[error("memory access outside of the warp's allocation (SPILL-012)")]
    SpillOutside,
    #[error("addresses of a burst do not rise by one")]
    SpillBurst,
    #[error("tag of a request that has no response yet")]
    SpillTag,
    #[error("read and write of one address under way at the same time")]
    SpillOverlap,
    #[error("no token is written")]
    SpillData,
    #[error("memory access of a warp that waits for its driver (SPILL-023)")]
    SpillWhileStopped,
    #[error("a launched warp never ended")]
    LostWarp,
    #[error("the testbench broke a rule")]
    Testbench,
}
