//! The barrier unit: who sleeps at which barrier, and who wakes next.
//!
//! Spec: `docs/spec/barrier.md`. The model knows no clock: it is told operations one by one and says what each of them
//! gets.
//! What the hardware is free to choose (which barrier of those in the execution slots goes on, and when) it either
//! judges ([`Unit::woken`], [`Unit::happened`]) or chooses itself ([`Unit::choose`]). Timers have a clock of their own
//! ([`Unit::visit`]).
//!
//! | module | what it is |
//! | --- | --- |
//! | `word` | the descriptor [`Word`] of a barrier |
//! | `ports` | [`Op`], [`Verdict`], [`Wake`], [`Event`], [`BarrierError`]; all [`Ports`] in one cycle |
//! | `state` | threads, warps, CTAs, barriers, the queue and its slots |
//! | `unit` | [`Unit`]: the operations, BAR-020 to BAR-044, BAR-080 to BAR-093 |
//! | `serve` | turns, releases and the ends of groups, BAR-050 to BAR-062 |
//! | `timer` | BAR-070 |
//! | `judge` | [`Judge`]: is shown the ports of `weft_barrier` cycle by cycle and says what is wrong |

mod judge;
#[doc(hidden)]
pub mod mutation;
mod ports;
mod serve;
mod state;
#[cfg(test)]
mod tests;
mod timer;
mod unit;
mod word;

pub use judge::{Happened, Judge};
pub use mutation::Mutation;
pub use ports::{
    BarrierError, Cause, Event, EventKind, Op, OpCode, Ports, Verdict, VerdictKind, Wake,
};
pub use serve::{Doing, Woken};
pub use state::{Params, State, BARRIERS, CTAS, IDS, SLOTS};
pub use unit::{Answer, Reading, Unit, Waiter};
pub use word::{Kind, Late, Origin, Word};
