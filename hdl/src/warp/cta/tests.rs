//! Launch and retirement of CTAs against what the page says.

use super::*;
use std::collections::VecDeque;
use weft_rtl::{Bench, Rng};

const LB: usize = 4;
const BASE: u64 = 0xFFFF_8155;
const SIZE: u64 = 700;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Offer {
    pc: u64,
    threads: u64,
    level: u64,
    id: u64,
}

/// Inputs of one cycle.
#[derive(Clone, Debug, Default)]
struct Cycle {
    offer: Option<Offer>,
    mix: u64,
    launch_ready: bool,
    program: Option<(usize, u64)>,
    ended: Option<(usize, bool)>,
    occupied: u64,
    where_warp: usize,
    find: (u64, u64),
}

/// What is around the unit: CTAs to run, and warps that run, set their levels and end.
struct Environment {
    warps: usize,
    threads: usize,
    cycle: Cycle,
    running: Vec<bool>,
    /// Cycles for which a slot stays occupied after its warp has ended.
    occupied: Vec<u64>,
    small: bool,
    ready_rate: u64,
    end_rate: u64,
    /// Warps that end in a row.
    burst: u64,
    next_id: u64,
}

impl Environment {
    fn new(warps: usize, threads: usize) -> Environment {
        Environment {
            warps,
            threads,
            cycle: Cycle::default(),
            running: vec![false; warps],
            occupied: vec![0; warps],
            small: false,
            ready_rate: 8,
            end_rate: 1,
            burst: 0,
            next_id: 0,
        }
    }

    fn offer(&mut self, rng: &mut Rng) -> Offer {
        let (n, w) = (self.warps as u64, self.threads as u64);
        self.next_id += 1;
        let threads = match rng.below(if self.small { 4 } else { 12 }) {
            0 | 1 if self.small => 1 + rng.below(w),
            0..=2 => 1 + rng.below(2 * w),
            3 if self.small => w,
            3 => [0, n * w + 1, 4095, 0][rng.below(4) as usize],
            4 => n * w,
            5 => n * w - rng.below(w),
            6 | 7 => w * (1 + rng.below(n)),
            8 | 9 => 1 + rng.below(n * w / 4),
            _ => 1 + rng.below(n * w),
        };
        Offer {
            pc: rng.below(1 << 22),
            threads,
            level: rng.below(1 << LB),
            id: self.next_id & 0xFFFF,
        }
    }

    /// The next cycle, given the state of the ports: a CTA would be taken; this warp is on launch.
    fn next(&mut self, rng: &mut Rng, ready: bool, launch: Option<usize>) -> Cycle {
        if rng.chance(1, 1000) {
            self.small = rng.flip();
            self.ready_rate = [1, 4, 8, 8][rng.below(4) as usize];
            self.end_rate = [0, 1, 1, 4, 20][rng.below(5) as usize];
            self.cycle.mix = rng.below(4);
        }
        if self.end_rate > 0 && rng.chance(1, 200) {
            self.burst = 1 + rng.below(2 * self.warps as u64);
        }
        let running: Vec<usize> = (0..self.warps).filter(|&w| self.running[w]).collect();
        let any = |rng: &mut Rng| running[rng.below(running.len() as u64) as usize];
        let c = &mut self.cycle;
        c.program = None;
        c.ended = None;
        if !running.is_empty() {
            if rng.chance(1, 4) {
                c.program = Some((any(rng), rng.below(1 << LB)));
            }
            if rng.chance(self.end_rate, 64) || self.burst > 0 {
                self.burst = self.burst.saturating_sub(1);
                c.ended = Some((any(rng), rng.chance(1, 16)));
            }
        }
        if let Some((warp, _)) = c.ended {
            self.running[warp] = false;
            self.occupied[warp] = if rng.flip() { rng.below(40) } else { 0 };
            // A warp that has ended sets no level any more.
            c.program = c.program.filter(|p| p.0 != warp);
        }
        c.occupied = 0;
        for w in 0..self.warps {
            // While a warp runs, its slot may be occupied or not.
            if if self.running[w] {
                rng.flip()
            } else {
                self.occupied[w] > 0
            } {
                c.occupied |= 1 << w;
            }
            self.occupied[w] = self.occupied[w].saturating_sub(1);
        }
        c.launch_ready = rng.chance(self.ready_rate, 8);
        if let Some(warp) = launch.filter(|_| c.launch_ready) {
            self.running[warp] = true;
        }
        c.where_warp = rng.below(self.warps as u64) as usize;
        c.find = (rng.below(16), rng.below(self.warps as u64));
        if self.cycle.offer.is_none() && rng.chance(1, 3) {
            self.cycle.offer = Some(self.offer(rng));
        }
        let cycle = self.cycle.clone();
        if ready {
            self.cycle.offer = None;
        }
        cycle
    }
}

/// `Cta`, whatever its size, for the environment.
macro_rules! drive {
    ($u:expr, $rng:expr, $environment:expr, $reset:expr) => {{
        let launch = $u
            .launch_valid
            .val()
            .then(|| $u.launch_warp.val().to_u64() as usize);
        let ready = $u.cta_ready.val() && !$reset;
        let c = $environment.next($rng, ready, launch.filter(|_| !$reset));
        let offer = c.offer.unwrap_or_default();
        $u.reset.next = $reset;
        $u.cfg_level_mix.next = c.mix.into();
        $u.cfg_token_base.next = BASE.into();
        $u.cfg_token_size.next = SIZE.into();
        $u.cta_valid.next = c.offer.is_some();
        $u.cta_pc.next = offer.pc.into();
        $u.cta_threads.next = offer.threads.into();
        $u.cta_level.next = offer.level.into();
        $u.cta_id.next = offer.id.into();
        $u.launch_ready.next = c.launch_ready;
        $u.program_valid.next = c.program.is_some();
        $u.program_warp.next = (c.program.unwrap_or_default().0 as u64).into();
        $u.program_level.next = c.program.unwrap_or_default().1.into();
        $u.ended_valid.next = c.ended.is_some();
        $u.ended_warp.next = (c.ended.unwrap_or_default().0 as u64).into();
        $u.ended_failed.next = c.ended.unwrap_or_default().1;
        $u.status_occupied.next = c.occupied.into();
        $u.where_warp.next = (c.where_warp as u64).into();
        $u.find_cta.next = c.find.0.into();
        $u.find_block.next = c.find.1.into();
        c
    }};
}

#[test]
fn verilog_agrees() {
    let mut environment = Environment::new(8, 8);
    crate::stimulus::check_with_memories(
        "weft_cta",
        Cta::<8, 3, 4, 7, 8, LB>::default,
        4000,
        |u, rng, t| {
            drive!(u, rng, environment, t < 2);
        },
        |u, level| u.clock.next = level.into(),
    );
}

/// A CTA that was taken.
#[derive(Clone, Debug)]
struct Run {
    cta: Offer,
    blocks: u64,
    slot: u64,
    /// Warp slot of each block that was launched.
    warps: Vec<usize>,
    ended: u64,
    failed: bool,
    /// Warp and CTA slots that have been free ever since it was taken.
    free: (u64, u64),
}

fn mixed(mix: u64, program: u64, cta: u64) -> u64 {
    match mix {
        0 => 0,
        1 => program,
        2 => cta,
        _ => program.max(cta),
    }
}

fn follows<const NW: usize, const WI: usize, const WC: usize, const FB: usize, const W: usize>(
    cycles: u64,
) {
    let mut b = Bench::new(Cta::<NW, WI, WC, FB, W, LB>::default(), |u, level| {
        u.clock.next = level.into()
    });
    let mut rng = Rng::new(1, "cta");
    let mut environment = Environment::new(NW, W);
    // The CTA that is being placed, and the cycle in which it was taken.
    let mut current: Option<(Run, u64)> = None;
    let mut runs: Vec<Run> = Vec::new();
    // Which run each warp slot belongs to (by id), its block, and the CTA's level.
    let mut owner: Vec<Option<(u64, u64, u64)>> = vec![None; NW];
    let mut done: VecDeque<(Run, u64)> = VecDeque::new();
    let mut refused: Option<u64> = None;
    let mut find: Option<u64> = None;
    let mut level: Option<(usize, u64)> = None;
    let mut last_mix = 0;
    let mut was_launch = false;
    let mut last_done = 0;
    let mut last_ended = (0, 0);
    let mut idle = 0u64;
    let mut seen = std::collections::BTreeMap::<&str, u64>::new();
    let mut saw = |what: &'static str, yes: bool| *seen.entry(what).or_default() += u64::from(yes);
    for t in 0..cycles {
        let c = drive!(b.uut, &mut rng, environment, t < 2);
        b.settle();
        if t < 2 {
            b.edge();
            continue;
        }
        // Refused ones, in the next cycle.
        assert_eq!(b.uut.cta_refused.val(), refused.is_some(), "cycle {t}");
        if let Some(id) = refused.take() {
            assert_eq!(b.uut.cta_refused_id.val().to_u64(), id, "cycle {t}");
        }
        // Done ones, in order and in time.
        if b.uut.cta_done.val() {
            let (run, _) = done.pop_front().expect("done of nothing");
            assert_eq!(b.uut.cta_done_id.val().to_u64(), run.cta.id, "cycle {t}");
            assert_eq!(b.uut.cta_done_slot.val().to_u64(), run.slot, "cycle {t}");
            assert_eq!(b.uut.cta_done_failed.val(), run.failed, "cycle {t}");
            saw("failed", run.failed);
            saw("not failed", !run.failed);
            saw("done in consecutive cycles", last_done + 1 == t);
            last_done = t;
        }
        assert!(done.iter().all(|d| t <= d.1 + 4), "cycle {t}: late");
        // A launch: the next block of the CTA at hand.
        let launch = b.uut.launch_valid.val();
        let new = launch && !was_launch;
        if new {
            let warp = b.uut.launch_warp.val().to_u64() as usize;
            let (run, _) = current.as_mut().expect("launch of nothing");
            let block = run.warps.len() as u64;
            let is_free = |w: usize| owner[w].is_none() && c.occupied >> w & 1 == 0;
            if block == 0 {
                // All or nothing.
                let free = (0..NW).filter(|&w| is_free(w)).count() as u64;
                assert!(free >= run.blocks, "cycle {t}");
            }
            assert!(
                block < run.blocks && is_free(warp),
                "cycle {t}: {warp}, {run:?}"
            );
            assert!(run.warps.last().is_none_or(|&w| w < warp), "cycle {t}");
            b.uut.where_warp.next = (warp as u64).into();
            b.settle();
            let slot = b.uut.where_cta.val().to_u64();
            b.uut.where_warp.next = (c.where_warp as u64).into();
            b.settle();
            // In ascending order: none that was free all the time is left out.
            let before = run.warps.last().map_or(0, |&w| w + 1);
            assert!(
                (before..warp).all(|w| run.free.0 >> w & 1 == 0),
                "cycle {t}"
            );
            if block == 0 {
                let used = |slot| {
                    runs.iter()
                        .chain(done.iter().map(|d| &d.0))
                        .any(|r: &Run| r.slot == slot)
                };
                assert!(!used(slot), "cycle {t}");
                saw("a CTA slot above 0", slot > 0);
                saw("the last CTA slot", slot == 15);
                assert!((0..slot).all(|s| run.free.1 >> s & 1 == 0), "cycle {t}");
                run.slot = slot;
            }
            assert_eq!(slot, run.slot, "cycle {t}");
            saw(
                "beside an ended warp of a CTA that runs",
                runs.iter().any(|r| r.warps.contains(&warp)),
            );
            run.warps.push(warp);
            owner[warp] = Some((run.cta.id, block, run.cta.level));
            // Its level was set in the cycle before.
            assert!(level.is_none(), "cycle {t}: program first");
            level = Some((warp, mixed(last_mix, 0, run.cta.level)));
            saw("mix 0", last_mix == 0);
            saw("mix 1", last_mix == 1);
            saw("mix 2", last_mix == 2);
            saw("mix 3", last_mix == 3);
        }
        if launch {
            let warp = b.uut.launch_warp.val().to_u64() as usize;
            let (run, _) = current.as_ref().expect("launch of nothing");
            assert_eq!(run.warps.last(), Some(&warp), "cycle {t}");
            let is_last = run.warps.len() as u64 == run.blocks;
            let threads = if is_last {
                run.cta.threads - (run.blocks - 1) * W as u64
            } else {
                W as u64
            };
            assert_eq!(
                b.uut.launch_mask.val().to_u64(),
                (1 << threads) - 1,
                "cycle {t}"
            );
            assert_eq!(b.uut.launch_pc.val().to_u64(), run.cta.pc, "cycle {t}");
            let base = (BASE + 1024 * warp as u64) & 0xFFFF_FFFF;
            assert_eq!(b.uut.launch_base.val().to_u64(), base, "cycle {t}");
            assert_eq!(b.uut.launch_size.val().to_u64(), SIZE, "cycle {t}");
            let block = run.warps.len() as u64 - 1;
            assert_eq!(b.uut.launch_cta.val().to_u64(), run.slot, "cycle {t}");
            assert_eq!(b.uut.launch_block.val().to_u64(), block, "cycle {t}");
            let threads = b.uut.launch_threads.val().to_u64();
            assert_eq!(threads, run.cta.threads, "cycle {t}");
            saw("last block full", is_last && threads == W as u64);
            saw("last block not full", is_last && threads < W as u64);
            saw("launch waits", !c.launch_ready);
            saw("all warps", run.blocks == NW as u64);
        }
        was_launch = launch && !c.launch_ready;
        // Levels: the program's in the next cycle, a launch's with it.
        assert_eq!(b.uut.level_valid.val(), level.is_some(), "cycle {t}");
        if let Some((warp, value)) = level.take() {
            assert_eq!(b.uut.level_warp.val().to_u64(), warp as u64, "cycle {t}");
            assert_eq!(b.uut.level_value.val().to_u64(), value, "cycle {t}");
        }
        if let Some((warp, program)) = c.program {
            let (_, _, of_cta) = owner[warp].expect("it runs");
            level = Some((warp, mixed(c.mix, program, of_cta)));
            saw(
                "the level of the CTA counts",
                c.mix == 3 && of_cta > program,
            );
            saw(
                "the level of the program counts",
                c.mix == 3 && of_cta < program,
            );
        }
        last_mix = c.mix;
        // Mappings.
        let all = || {
            current
                .iter()
                .map(|r| &r.0)
                .chain(&runs)
                .chain(done.iter().map(|d| &d.0))
        };
        if let Some((id, block, _)) = owner[c.where_warp] {
            let run = all().find(|r| r.cta.id == id).expect("it runs");
            assert_eq!(b.uut.where_cta.val().to_u64(), run.slot, "cycle {t}");
            assert_eq!(b.uut.where_block.val().to_u64(), block, "cycle {t}");
            assert_eq!(
                b.uut.where_first.val().to_u64(),
                block * W as u64,
                "cycle {t}"
            );
            saw("where", true);
        }
        if let Some(warp) = find.take() {
            assert_eq!(b.uut.find_warp.val().to_u64(), warp, "cycle {t}");
            saw("found", true);
        }
        if let Some(run) = all().find(|r| r.slot == c.find.0 && !r.warps.is_empty()) {
            find = run.warps.get(c.find.1 as usize).map(|&w| w as u64);
            saw(
                "found after its end",
                find.is_some_and(|w| owner[w as usize].is_none_or(|o| o.0 != run.cta.id)),
            );
        }
        let used = |slot| {
            let runs = runs.iter().chain(done.iter().map(|d| &d.0));
            runs.into_iter().any(|r: &Run| r.slot == slot)
        };
        let free_slots = (0..16).filter(|&s| !used(s)).fold(0, |all, s| all | 1 << s);
        let is_free = |w: &usize| owner[*w].is_none() && c.occupied >> w & 1 == 0;
        let free_warps = (0..NW).filter(is_free).fold(0, |all, w| all | 1 << w);
        if let Some((run, _)) = &mut current {
            run.free = (run.free.0 & free_warps, run.free.1 & free_slots);
        }
        // Take.
        let ready = b.uut.cta_ready.val();
        assert!(!ready || current.is_none(), "cycle {t}");
        idle = if ready || current.is_some() {
            0
        } else {
            idle + 1
        };
        assert!(idle < 40, "cycle {t}: not ready");
        let transferred = launch && c.launch_ready;
        if let Some((run, since)) =
            current.take_if(|(run, _)| transferred && run.warps.len() as u64 == run.blocks)
        {
            saw("waited for long", t - since > 10 * NW as u64);
            saw("one block", run.blocks == 1);
            runs.push(run);
        }
        if let Some((run, since)) = &current {
            let free = (0..NW).filter(|&w| owner[w].is_none()).count() as u64;
            let unoccupied = (0..NW)
                .filter(|&w| owner[w].is_none() && c.occupied >> w & 1 == 0)
                .count() as u64;
            let waits = run.warps.is_empty() && t - since > 3 * NW as u64 + 20;
            saw("waits for warp slots", waits && free < run.blocks);
            saw(
                "waits for occupied slots",
                run.warps.is_empty() && free >= run.blocks && unoccupied < run.blocks,
            );
            saw(
                "waits for a CTA slot",
                run.warps.is_empty() && unoccupied >= run.blocks && runs.len() == 16,
            );
        }
        if let Some(cta) = c.offer.filter(|_| ready) {
            if cta.threads == 0 || cta.threads > (NW * W) as u64 {
                refused = Some(cta.id);
                saw("refused: none", cta.threads == 0);
                saw("refused: too many", cta.threads > 0);
            } else {
                let run = Run {
                    cta,
                    blocks: cta.threads.div_ceil(W as u64),
                    slot: 99,
                    warps: Vec::new(),
                    ended: 0,
                    failed: false,
                    free: (u64::MAX, u64::MAX),
                };
                current = Some((run, t));
            }
        }
        // Ends.
        if let Some((warp, failed)) = c.ended {
            let (id, ..) = owner[warp].take().expect("it runs");
            let placed = current.iter_mut().map(|r| &mut r.0);
            let run = placed
                .chain(&mut runs)
                .find(|r| r.cta.id == id)
                .expect("it runs");
            run.ended += 1;
            run.failed |= failed;
            saw(
                "ended while others are placed",
                run.warps.len() as u64 != run.blocks,
            );
            saw(
                "ended in consecutive cycles, same CTA",
                last_ended == (t - 1, id),
            );
            last_ended = (t, id);
            if let Some(i) = runs.iter().position(|r| r.ended == r.blocks) {
                done.push_back((runs.swap_remove(i), t));
            }
        }
        b.edge();
    }
    println!("{NW} x {W}: {seen:#?}");
    for (what, times) in seen {
        // Sixteen CTAs at once need more than sixteen warps.
        let never = NW <= 16 && (what == "waits for a CTA slot" || what == "the last CTA slot");
        assert!(never || times >= 5, "{what}: {times}");
    }
}

/// All of the page, in 8 warp slots.
#[test]
fn it_follows_the_specification() {
    follows::<8, 3, 4, 7, 8>(60_000);
}

/// More warp slots than CTA slots.
#[test]
fn it_follows_the_specification_with_32_warps() {
    follows::<32, 5, 6, 9, 4>(100_000);
}
