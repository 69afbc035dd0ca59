//! Test stimulus: a datapath that answers every issue with a random legal operation.

use rust_hdl_core::prelude::Block;
use weft_rtl::{cosim::Cosim, export, verilator_lint, ClockFn, Rng};

/// `weft_rtl::check_module` for a block with memories: contents are undefined at power-up, so both sides start from
/// zeros.
/// (That nothing depends on them is shown in lockstep, with random contents.)
pub fn check_with_memories<B: Block>(
    name: &str,
    make: impl Fn() -> B,
    steps: usize,
    drive: impl FnMut(&mut B, &mut Rng, usize),
    clock: ClockFn<B>,
) {
    let mut block = make();
    block.connect_all();
    let verilog = export(&block, name).unwrap();
    let report = verilator_lint(&verilog).unwrap();
    assert!(report.is_clean(), "{}", report.messages.join("\n"));
    Cosim::new(name, steps)
        .clock(Some(clock))
        .random_power_up(false)
        .run_against(make(), &verilog, drive)
        .unwrap();
}

/// A number from the environment: `SEED` asks for another random run.
pub fn given(name: &str, otherwise: u64) -> u64 {
    let given = std::env::var(name).ok();
    given.map_or(otherwise, |text| text.parse().expect(name))
}

/// What a random run must have met. Of another seed than the usual one (`SEED`) nobody asks it.
///
/// # Panics
/// It has not.
pub fn has_met(enough: bool, text: impl std::fmt::Display) {
    assert!(
        enough || std::env::var_os("SEED").is_some(),
        "thin run: {text}"
    );
}

/// Resets at any moment of a random run, now and then some in a row.
pub struct Resets {
    one_in: u64,
    latest: bool,
    /// All; those with something under way; those right behind another one.
    pub all: u64,
    pub busy: u64,
    pub in_a_row: u64,
}

impl Resets {
    /// About one in so many cycles.
    pub fn new(one_in: u64) -> Resets {
        Resets {
            one_in,
            latest: false,
            all: 0,
            busy: 0,
            in_a_row: 0,
        }
    }

    /// Whether there is one in this cycle; `busy`: something is under way.
    pub fn now(&mut self, rng: &mut Rng, busy: bool) -> bool {
        let reset = rng.chance(1, if self.latest { 3 } else { self.one_in });
        self.all += u64::from(reset);
        self.busy += u64::from(reset && busy);
        self.in_a_row += u64::from(reset && self.latest);
        self.latest = reset;
        reset
    }

    /// Those of another run, too.
    pub fn add(&mut self, other: &Resets) {
        self.all += other.all;
        self.busy += other.busy;
        self.in_a_row += other.in_a_row;
    }

    /// # Panics
    /// There were too few of a kind.
    pub fn check(&self, name: &str) {
        let Resets {
            all,
            busy,
            in_a_row,
            ..
        } = self;
        println!(
            "{name}: {all} resets, {busy} with something under way, {in_a_row} behind another"
        );
        has_met(*busy > 0 && *in_a_row > 0, name);
    }
}

/// The number of warp `one` of eight that are spread over all `warps`, even ones over the even ones.
pub fn eight_of(warps: usize, one: u64) -> u64 {
    one % 2 + one / 2 * (warps as u64 / 4)
}

const BARRIER: u64 = crate::warp::convergence::code::OP_BARRIER;
const WAKE: u64 = crate::warp::convergence::code::BARRIER_WAKE;
const MASK: u64 = crate::warp::convergence::code::OP_MASK;

/// A resolve on offer: warp, operation, kind, mask, target.
#[derive(Clone, Copy, Debug, Default)]
pub struct Resolve {
    pub warp: u64,
    pub op: u64,
    pub kind: u64,
    pub mask: u64,
    pub target: u64,
}

/// Random operations for warps in flight, with few addresses and kinds so that tokens meet.
#[derive(Default)]
pub struct Datapath {
    in_flight: Vec<u64>,
    offer: Option<Resolve>,
    launch: Option<(u64, u64, u64)>,
}

impl Datapath {
    /// This warp's next operation is due.
    pub fn issued(&mut self, warp: u64) {
        assert!(
            !self.in_flight.contains(&warp),
            "two in flight for warp {warp}"
        );
        self.in_flight.push(warp);
    }

    /// What stands at the resolve port in this cycle; holds until [`taken`](Self::taken).
    pub fn offer(&mut self, rng: &mut Rng) -> Option<Resolve> {
        if self.offer.is_none() && rng.chance(1, 8) {
            // Threads may be woken at any time, of any warp.
            self.offer = Some(Resolve {
                warp: rng.below(4),
                op: BARRIER,
                kind: WAKE,
                mask: rng.next() | rng.next(),
                target: rng.below(6),
            });
        }
        if self.offer.is_none() && !self.in_flight.is_empty() && rng.chance(7, 8) {
            let warp = self.in_flight[rng.below(self.in_flight.len() as u64) as usize];
            let op = if rng.chance(1, 300) {
                8 + rng.below(2)
            } else {
                [
                    0, 1, 1, 1, 2, 3, 3, 3, 3, 4, 4, 4, 5, 6, 6, 7, 7, 7, 7, 10, 10, BARRIER,
                    BARRIER, BARRIER, BARRIER, MASK, MASK, MASK,
                ][rng.below(28) as usize]
            };
            let kind = if rng.chance(1, 200) {
                12
            } else if op == BARRIER || op == MASK {
                rng.below(3)
            } else {
                [0, 0, 1, 3][rng.below(4) as usize]
            };
            // An exit ends about half of its threads, so that warps live on for a while.
            let mask = rng.next()
                & if op == 7 {
                    rng.next() & rng.next()
                } else {
                    u64::MAX
                };
            self.offer = Some(Resolve {
                warp,
                op,
                kind,
                mask,
                target: rng.below(6),
            });
        }
        self.offer
    }

    /// What stands at the launch port: warp, pc, mask; holds until [`launched`](Self::launched).
    pub fn launch(&mut self, rng: &mut Rng) -> Option<(u64, u64, u64)> {
        if self.launch.is_none() && rng.chance(1, 4) {
            self.launch = Some((rng.next(), rng.below(6), rng.next()));
        }
        self.launch
    }

    /// The launch was transferred.
    pub fn launched(&mut self) {
        self.launch = None;
    }

    /// The offer was transferred.
    pub fn taken(&mut self) {
        if let Some(o) = self.offer.take() {
            if (o.op, o.kind) != (BARRIER, WAKE) {
                self.in_flight.retain(|&w| w != o.warp);
            }
        }
    }
}

/// Memory behind the spill port: any order, any delay. Words that were never written read as 0.
#[derive(Debug, Default)]
pub struct Memory {
    words: std::collections::BTreeMap<u64, u64>,
    /// Write, address, tag.
    outstanding: Vec<(bool, u64, u64)>,
    offered: bool,
    pub reads: usize,
    pub writes: usize,
}

impl Memory {
    /// A request was transferred.
    pub fn request(&mut self, write: bool, address: u64, tag: u64, data: u64) {
        if write {
            self.words.insert(address, data);
            self.writes += 1;
        } else {
            self.reads += 1;
        }
        self.outstanding.push((write, address, tag));
    }

    /// What stands at the response port: write, tag, data; holds until [`answered`](Self::answered).
    pub fn answer(&mut self, rng: &mut Rng) -> Option<(bool, u64, u64)> {
        if !self.offered && !self.outstanding.is_empty() && rng.chance(1, 3) {
            let any = rng.below(self.outstanding.len() as u64) as usize;
            self.outstanding.swap(0, any);
            self.offered = true;
        }
        let &(write, address, tag) = self.outstanding.first().filter(|_| self.offered)?;
        Some((write, tag, self.words.get(&address).copied().unwrap_or(0)))
    }

    /// The response was transferred.
    pub fn answered(&mut self) {
        self.offered = false;
        self.outstanding.swap_remove(0);
    }
}
