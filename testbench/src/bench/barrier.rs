//! Latencies of `weft_barrier`, at its ports, in lockstep with the model: everything is ready at once and nothing else
//! goes on.

use super::Name;
use crate::barrier::device::{Kind, Size};
use crate::barrier::directed::Bench;
use serde::{Deserialize, Serialize};
use std::fmt;
use weft_sim::barrier::{Kind as Of, OpCode, Ports, Word};

/// Warps and threads of the unit that is measured.
const SIZE: Size = Size::new(16, 32);
/// Turns of a section over which wake-to-wake is measured.
const TURNS: usize = 12;
/// Cycles after which a turn that has not come will not come.
const PATIENCE: u64 = 200;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BarrierReport {
    pub warps: usize,
    pub threads: usize,
    pub latencies: Vec<BarrierLatency>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BarrierLatency {
    pub what: Name,
    pub cycles: f64,
}

impl fmt::Display for BarrierReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "barrier unit, {} warps x {} threads, cycles",
            self.warps, self.threads
        )?;
        for row in &self.latencies {
            write!(f, "\n  {:66}{:>6.1}", row.what, row.cycles)?;
        }
        Ok(())
    }
}

/// The unit from its reset on.
fn after_reset() -> Result<Bench, String> {
    Bench::new(Kind::Verilog, SIZE)
}

/// Cycle in which the latest operation was taken.
fn taken(bench: &Bench) -> Result<u64, String> {
    bench.taken().ok_or("no operation was taken".into())
}

/// The next wake from `from` on, and who wakes.
fn wake(bench: &mut Bench, from: u64) -> Result<(u64, usize, u64), String> {
    for _ in 0..PATIENCE {
        let of = |(n, p): &(u64, Ports)| match p.wake {
            Some(wake) if *n >= from => Some((*n, wake.warp, wake.mask)),
            _ => None,
        };
        if let Some(found) = bench.log.iter().find_map(of) {
            return Ok(found);
        }
        bench.run(1);
    }
    Err("nobody wakes".into())
}

/// # Errors
/// Without the Verilated unit, or when what is measured does not happen.
pub fn barrier() -> Result<BarrierReport, String> {
    let full = SIZE.full();
    let (warps, width) = (SIZE.warps, SIZE.threads);
    let all = (warps * width) as u32;
    let mut latencies = Vec::new();
    let mut row = |what: &str, cycles: f64| {
        latencies.push(BarrierLatency {
            what: what.to_string().into(),
            cycles,
        });
    };

    // All warps arrive as a whole: held, and let go together.
    let mut unit = after_reset()?;
    unit.launch(0, 0, warps, all, width);
    (0..warps).for_each(|warp| unit.top(warp, full, 0, Word::ALL, 0x10));
    unit.settle();
    let last = taken(&unit)?;
    let all_but_one = unit.when(0, |p| p.hold.count_ones() as usize == warps - 1);
    let held = all_but_one.last().ok_or("the warps were not held")?;
    row(
        "last arrival to all held warps going on",
        (held + 1 - last) as f64,
    );

    // In two parts each: asleep, and woken one warp after the other.
    let mut unit = after_reset()?;
    unit.launch(0, 0, warps, all, width);
    for warp in 0..warps {
        let even = full & 0x5555_5555_5555_5555;
        unit.top(warp, even, 0, Word::ALL, 0x10);
        unit.top(warp, full & !even, 0, Word::ALL, 0x10);
    }
    unit.settle();
    let last = taken(&unit)?;
    let wakes = unit.when(last, |p| p.wake.is_some());
    if wakes.len() != warps {
        return Err(format!("{} wakes for {warps} warps", wakes.len()));
    }
    row(
        "last arrival to the first wake of threads that sleep apart",
        (wakes[0] - last) as f64,
    );
    row(
        "from one wake to the next, mean over all warps",
        (wakes[warps - 1] - wakes[0]) as f64 / (warps - 1) as f64,
    );

    // A section: one turn after the other, each left in the cycle after the wake.
    let section = Word::ALL.with_kind(Of::Section);
    for code in [OpCode::Bottom, OpCode::BottomNb] {
        let mut unit = after_reset()?;
        unit.launch(0, 0, 2, 2 * width as u32, width);
        unit.top(0, full, 0, section, 0x10);
        unit.top(1, full, 0, section, 0x10);
        while unit.when(0, |p| p.taken().is_some()).len() < 4 {
            unit.run(1);
        }
        let last = taken(&unit)?;
        let (mut turn, mut warp, mut mask) = wake(&mut unit, last)?;
        if code == OpCode::Bottom {
            row(
                "last arrival to the first turn of a section",
                (turn - last) as f64,
            );
        }
        let (mut waking, mut leaving) = (0, 0);
        for _ in 0..TURNS {
            unit.op(code, warp, mask, 0, 0x20);
            let next = wake(&mut unit, turn + 1)?;
            let left = unit.first(turn + 1, |p| p.taken().is_some());
            let left = left.ok_or("no operation was taken")?;
            waking += next.0 - turn;
            leaving += next.0 - left;
            (turn, warp, mask) = next;
        }
        let name = match code {
            OpCode::Bottom => "BOTTOM",
            _ => "BOTTOM without waiting",
        };
        row(
            &format!("{name} to the next turn"),
            leaving as f64 / TURNS as f64,
        );
        row(
            &format!("wake to wake in a section, {name} in the next cycle"),
            waking as f64 / TURNS as f64,
        );
    }
    Ok(BarrierReport {
        warps,
        threads: width,
        latencies,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Slower than this is a change that somebody has to have meant (docs/spec/barrier.md, *Timing*).
    #[test]
    fn latencies_are_within_their_bounds() {
        let report = barrier().unwrap();
        let cycles: Vec<f64> = report.latencies.iter().map(|l| l.cycles).collect();
        assert_eq!(cycles.len(), 8, "{report}");
        // All held warps, first wake, wake to wake, first turn; BOTTOM to turn and turn to turn, twice.
        let bounds = [8.0, 16.0, 8.0, 16.0, 20.0, 21.0, 20.0, 21.0];
        for (row, bound) in report.latencies.iter().zip(bounds) {
            assert!(row.cycles >= 1.0 && row.cycles <= bound, "{report}");
        }
    }
}
