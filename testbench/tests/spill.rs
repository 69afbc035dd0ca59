//! Tokens in memory, on the hardware in lockstep: one requirement of docs/spec/spill.md each.

mod common;
#[path = "common/environment.rs"]
mod environment;

use common::{levels, operate_in, Events, Ran};
use environment::sizes;
use weft_generate::Config;
use weft_ports::control::{cause, register, Op};
use weft_sim::traps;
use weft_sim::{Event, PathPolicy};
use weft_testbench::dut::{self, OpenOptions, RtlKind};
use weft_testbench::lanes::{Lanes, Resolve};
use weft_testbench::memory::MemoryTiming;
use weft_testbench::run::{run_program, Engine};
use weft_testbench::run_config::RunConfig;
use weft_testbench::script::{Script, Select};
use weft_testbench::seed::stream;
use weft_testbench::session::{self, Access, Launch, Levels, Recenter, Session, Surroundings};
use weft_testbench::timing::{Latency, Timing};

use rand::Rng as _;

const SYNC: u8 = 0;
const BREAK: u8 = 1;
const CONTINUE: u8 = 2;
const VARIANTS: [Recenter; 2] = [Recenter::Hardware, Recenter::Driver];

/// Windows to try. Under rust-hdl, which is slow, there are random tests (`random.rs`).
fn designs() -> Vec<(RtlKind, Config)> {
    sizes()
        .iter()
        .map(|&size| (RtlKind::Verilated, size))
        .collect()
}

/// Designs with four threads per warp.
fn narrow() -> Vec<(RtlKind, Config)> {
    let mut all = designs();
    all.retain(|(_, size)| size.threads == 4);
    all
}

fn memory(cycles: u32) -> Surroundings {
    Surroundings {
        memory: MemoryTiming::fixed(cycles),
        ..Surroundings::default()
    }
}

/// A memory that answers when it likes, in any order.
fn troublesome() -> Surroundings {
    Surroundings {
        memory: MemoryTiming {
            latency: Latency::Random(40),
            request_stall: 30,
            response_stall: 30,
            any_order: true,
        },
        seed: 3,
        noise: true,
        ..Surroundings::default()
    }
}

fn surroundings() -> [Surroundings; 3] {
    [memory(1), memory(20), troublesome()]
}

/// All threads of a warp.
fn whole(config: Config, warp: usize, size: usize) -> Launch {
    Launch {
        warp,
        pc: 0,
        mask: u64::MAX >> (64 - config.threads),
        base: 0x1000 * warp as u32,
        size: size as u16,
    }
}

fn policy(path: PathPolicy, recenter: Recenter) -> Levels {
    let mut levels = levels(1, 0);
    levels.policy.path = path;
    levels.recenter = recenter;
    levels
}

/// `length` pushes, and then as many LEAVEs, each of which meets at the token pushed last.
fn chain(length: u32) -> Script {
    let pushes = (0..length).fold(Script::default(), |s, n| s.push(SYNC, 2 * length - n));
    let leaves = (length..2 * length).fold(pushes, |s, pc| s.leave(SYNC, Select::All, pc + 1));
    leaves.exit()
}

#[test]
fn known_traps_are_none_for_the_hardware() {
    for trap in traps::ALL {
        for (kind, size) in designs() {
            if size.threads != trap.config.threads {
                continue;
            }
            for (recenter, latency) in [(Recenter::Hardware, 1), (Recenter::Driver, 30)] {
                let mut config = RunConfig::for_size(size);
                config.machine = weft_sim::Config {
                    warps: size.warps,
                    grid: Some(trap.config.grid_size()),
                    ..trap.config.clone()
                };
                config.tokens = MemoryTiming::fixed(latency);
                config.recenter = recenter;
                config.oracle = !trap.waits;
                let program = weft_isa::assemble(trap.source, "trap.s")
                    .unwrap_or_else(|e| panic!("{}: {e}", trap.name));
                let mut events = Events::default();
                let run = run_program(
                    &program,
                    &config,
                    Engine::Lockstep(kind),
                    &mut [&mut events],
                );
                run.unwrap_or_else(|e| panic!("{} {size}: {}: {e}", kind.name(), trap.name));
                for (label, masks) in trap.masks {
                    let pc = program.symbols[*label] / 4;
                    let here = events.0.iter();
                    let seen: Vec<u64> = here
                        .filter(|r| r.pc == pc && r.event != Event::ForcedYield)
                        .map(|r| r.mask)
                        .collect();
                    assert_eq!(seen, *masks, "{size}: {}: {label}", trap.name);
                }
            }
        }
    }
}

#[test]
fn a_chain_of_pushes_goes_to_memory_and_comes_back() {
    for (kind, size) in designs() {
        for around in surroundings() {
            for length in [1, 2, 3, 5, 9, 17, 40, 130] {
                let launches = [whole(size, 0, 1023), whole(size, 1, 1023)];
                let ran = operate_in(kind, size, chain(length), &launches, levels(0, 0), &around);
                let deepest = ran.records.iter().map(|r| r.depth).max();
                assert_eq!(deepest, Some(length as usize));
                assert_eq!(ran.records.len() as u32, 2 * (2 * length + 1));
            }
        }
    }
}

/// `depth` tokens lie on the one that catches.
fn search(total: u32, depth: u32, select: Select) -> Script {
    let target = total + 2;
    let script = (0..total).fold(Script::default(), |s, n| match n + depth + 1 == total {
        true => s.push(BREAK, target),
        false => s.push(CONTINUE, target + n),
    });
    script.leave(BREAK, select, target).exit()
}

#[test]
fn a_leave_is_caught_wherever_its_token_stands() {
    for (kind, size) in designs() {
        for around in [memory(1), troublesome()] {
            for depth in [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 30, 39] {
                for select in [Select::All, Select::LowerHalf] {
                    let script = search(40, depth, select);
                    let launch = [whole(size, 2, 200)];
                    let ran = operate_in(kind, size, script, &launch, levels(0, 0), &around);
                    let leave = ran.records.iter().find(|r| r.event == Event::Leave);
                    let caught = leave.expect("a LEAVE").next_mask.count_ones() as usize;
                    match select {
                        Select::All => assert_eq!(caught, size.threads),
                        _ => assert_eq!(caught, size.threads - size.threads / 2),
                    }
                }
            }
        }
    }
}

#[test]
fn tokens_in_memory_that_a_leave_passes_lose_its_threads() {
    const TOTAL: u32 = 40;
    for (kind, size) in designs() {
        for around in [memory(1), troublesome()] {
            for found in [true, false] {
                // All of one type; the LEAVE names the address of the first of them, or one that no token has.
                let target = TOTAL + 2;
                let pushes = (0..TOTAL).fold(Script::default(), |s, n| s.push(BREAK, target + n));
                let to = if found { target } else { target + TOTAL };
                let script = pushes.leave(BREAK, Select::LowerHalf, to).exit();
                let launch = [whole(size, 1, 100)];
                // The others end; the unwind pops every passed token, which must not wake those that left.
                let ran = operate_in(kind, size, script, &launch, levels(0, 0), &around);
                let exits = ran.records.iter().filter(|r| r.event == Event::Exit);
                let mut exits: Vec<_> = exits.map(|r| (r.mask, r.pc)).collect();
                exits.sort_unstable();
                let half = size.threads / 2;
                let lower = u64::MAX >> (64 - half);
                assert_eq!(exits, [(lower, to), (lower << half, TOTAL + 1)], "{size}");
            }
        }
    }
}

/// Every thread but the last yields at a place of its own; the last one yields where thread `meets` did.
struct Scattered {
    threads: u32,
    meets: u32,
}

impl Scattered {
    const YIELDS: u32 = 1000;
}

impl Lanes for Scattered {
    fn resolve(&mut self, _warp: usize, pc: u32, active: u64) -> Resolve {
        let lowest = active & active.wrapping_neg();
        let (op, mask, target) = match pc {
            // The last thread alone.
            _ if pc + 1 == self.threads => (Op::Branch, active, Self::YIELDS + 2 * self.meets),
            _ if pc < self.threads => (Op::Branch, lowest, Self::YIELDS + 2 * pc),
            _ if pc >= Self::YIELDS && pc % 2 == 0 => (Op::Yield, 0, 0),
            _ => (Op::Exit, active, 0),
        };
        Resolve {
            op: op as u8,
            kind: 0,
            mask,
            target,
        }
    }
}

#[test]
fn a_yield_meets_its_token_wherever_it_stands() {
    for (kind, size) in designs() {
        let threads = size.threads as u32;
        for recenter in VARIANTS {
            for around in [memory(1), troublesome()] {
                for meets in 0..threads - 1 {
                    let lanes = Scattered { threads, meets };
                    let launch = [whole(size, 0, size.threads + 1)];
                    let levels = policy(PathPolicy::TakenFirst, recenter);
                    let Ran { records, .. } =
                        operate_in(kind, size, lanes, &launch, levels, &around);
                    let exits: Vec<u64> = records
                        .iter()
                        .filter(|r| r.event == Event::Exit)
                        .map(|r| r.mask)
                        .collect();
                    assert_eq!(exits.len() as u32, threads - 1);
                    let together = 1 << meets | 1 << (threads - 1);
                    assert!(exits.contains(&together), "{exits:x?}");
                }
            }
        }
    }
}

#[test]
fn pushes_at_the_base_recenter() {
    for (kind, size) in designs() {
        for recenter in VARIANTS {
            for around in [memory(1), troublesome()] {
                // The deque begins in the middle and grows beyond the base.
                let tokens = 4 * size.threads + 3;
                let length = tokens as u32 / 2 + 1;
                let launches = [whole(size, 0, tokens), whole(size, 3, tokens)];
                let levels = policy(PathPolicy::SmallerFirst, recenter);
                let ran = operate_in(kind, size, chain(length), &launches, levels, &around);
                assert_eq!(ran.recentered, 2, "{} {size} {recenter:?}", kind.name());
                assert!(ran.records.iter().all(|r| !r.dropped));
            }
        }
    }
}

/// Threads that yield to one another for ever drift towards the bound.
struct Drifting {
    left: u32,
}

impl Lanes for Drifting {
    fn resolve(&mut self, _warp: usize, pc: u32, active: u64) -> Resolve {
        self.left = self.left.saturating_sub(1);
        let lowest = active & active.wrapping_neg();
        let (op, mask, target) = match pc {
            _ if self.left == 0 => (Op::Exit, active, 0),
            0 => (Op::Branch, lowest, 2),
            1 | 2 => (Op::Yield, 0, 0),
            _ => (Op::Branch, active, 0),
        };
        Resolve {
            op: op as u8,
            kind: 0,
            mask,
            target,
        }
    }
}

#[test]
fn yields_at_the_bound_recenter() {
    for (kind, size) in designs() {
        for recenter in VARIANTS {
            for around in [memory(1), troublesome()] {
                let mut totals = Vec::new();
                for tokens in [size.threads + 1, size.threads + 2, 2 * size.threads] {
                    let lanes = Drifting { left: 400 };
                    let launches = [whole(size, 1, tokens), whole(size, 2, tokens)];
                    let levels = policy(PathPolicy::SmallerFirst, recenter);
                    let ran = operate_in(kind, size, lanes, &launches, levels, &around);
                    totals.push(ran.recentered);
                }
                assert!(
                    totals[0] > 0 && totals[0] >= totals[2],
                    "{size}: {totals:?}"
                );
            }
        }
    }
}

#[test]
fn storms_in_the_smallest_allocation() {
    for (kind, size) in narrow() {
        for recenter in VARIANTS {
            for seed in 0..8 {
                let mut rng = stream(seed, "storm");
                let mut left = 600u32;
                let lanes = move |_: usize, pc: u32, active: u64| {
                    left = left.saturating_sub(1);
                    let some = rng.gen::<u64>() & active;
                    let target = rng.gen_range(0..6);
                    let (op, mask) = match rng.gen_range(0..8) {
                        _ if left == 0 => (Op::Exit, active),
                        0..=2 => (Op::Branch, some),
                        3 => (Op::Leave, some),
                        4 => (Op::Push, 0),
                        5 => (Op::Call, some | (active & active.wrapping_neg())),
                        _ => (Op::Yield, 0),
                    };
                    let kind = (pc % 2) as u8;
                    Resolve {
                        op: op as u8,
                        kind,
                        mask,
                        target,
                    }
                };
                let around = Surroundings {
                    seed,
                    ..troublesome()
                };
                let mut levels = policy(PathPolicy::SmallerFirst, recenter);
                levels.policy.forced_yield = [0, 1, 3][seed as usize % 3];
                let launches: Vec<_> = (0..4).map(|w| whole(size, w, 5)).collect();
                let ran = operate_in(kind, size, lanes, &launches, levels, &around);
                assert!(ran.recentered > 0, "seed {seed}");
            }
        }
    }
}

#[test]
fn a_launch_without_room_for_every_thread_is_refused() {
    for (kind, size) in designs() {
        let w = size.threads;
        let launches: Vec<Launch> = [0, 1, w, w + 1, w, 1023, w / 2]
            .map(|tokens| Launch {
                pc: 5,
                ..whole(size, 3, tokens)
            })
            .to_vec();
        let script = Script::default();
        let ran = operate_in(kind, size, script, &launches, levels(1, 0), &memory(1));
        assert_eq!(ran.records.len(), 2, "each ends with one EXIT");
        assert_eq!(ran.traps.len(), 5);
        for trap in ran.traps {
            assert_eq!((trap.warp, trap.pc, trap.cause), (3, 5, cause::ALLOCATION));
        }
    }
}

#[test]
fn a_warp_that_ends_leaves_its_tokens_behind() {
    for (kind, size) in designs() {
        for around in surroundings() {
            for other in [false, true] {
                // Jobs of the memory port are in flight when the warp ends, and the slot starts again at once.
                let script = (0..60).fold(Script::default(), |s, n| s.push(BREAK, 100 + n));
                let launches: Vec<Launch> = (0..4)
                    .map(|n| Launch {
                        base: 0x1000 + if other { 0x400 * n } else { 0 },
                        ..whole(size, 1, 200)
                    })
                    .collect();
                let ran = operate_in(kind, size, script.exit(), &launches, levels(0, 0), &around);
                assert_eq!(ran.records.iter().filter(|r| r.done).count(), 4);
            }
        }
    }
}

/// Warp 0 pushes for ever, if it is launched; the others execute NEXT in a loop.
/// Issues in `CYCLES` cycles: of warp 0, of the others.
fn issues(kind: RtlKind, size: Config, latency: u32, stuck: bool) -> (u64, u64) {
    const CYCLES: u64 = 4_000;
    let lanes = |warp: usize, pc: u32, active: u64| {
        let op = match (warp, pc) {
            (0, ..900) => Op::Push,
            (_, 1..) => Op::Branch,
            _ => Op::Next,
        };
        Resolve {
            op: op as u8,
            kind: BREAK,
            mask: active,
            target: if warp == 0 { 2_000 + pc } else { 0 },
        }
    };
    let mut opened = dut::open(kind, size, &OpenOptions::default()).expect("a design");
    session::reset(opened.control.as_mut());
    let around = Surroundings {
        lanes: Timing::fixed(0),
        ..memory(latency)
    };
    let levels = levels(0, 0);
    let mut session = Session::new(opened.control.as_mut(), size, levels, &around);
    (usize::from(!stuck)..size.warps).for_each(|w| session.launch(whole(size, w, 1023)));
    let mut lanes = lanes;
    let (mut own, mut others) = (0, 0);
    for cycle in 0..CYCLES + 100 {
        let happened = session
            .cycle(&mut lanes)
            .unwrap_or_else(|e| panic!("{size}: {e}"));
        if let Some(warp) = happened.issued.filter(|_| cycle >= 100) {
            own += u64::from(warp == 0);
            others += u64::from(warp != 0);
        }
    }
    (own, others)
}

#[test]
fn a_warp_that_waits_for_memory_does_not_hold_up_the_others() {
    for (kind, size) in designs() {
        let (_, alone) = issues(kind, size, 200, false);
        let (own, others) = issues(kind, size, 200, true);
        // An issue of the waiting warp takes the slot of one of the others, and so do its passes that find no room.
        let text = format!(
            "{} {size}: {others} issues and {own} of the waiting warp, {alone} without it",
            kind.name()
        );
        assert!((1..alone / 10).contains(&own), "{text}");
        assert!((others + own) * 100 >= alone * 99, "{text}");
    }
}

#[test]
fn registers_show_where_the_tokens_stand() {
    let read = |session: &mut Session, lanes: &mut Script, number| {
        session.access(Access {
            warp: 1,
            register: number,
            write: None,
        });
        loop {
            let happened = session.cycle(lanes).unwrap_or_else(|e| panic!("{e}"));
            if let Some((_, result)) = happened.answered {
                return result;
            }
        }
    };
    for (kind, size) in designs() {
        let mut opened = dut::open(kind, size, &OpenOptions::default()).expect("a design");
        session::reset(opened.control.as_mut());
        let mut session = Session::new(
            opened.control.as_mut(),
            size,
            levels(0, 0),
            &Surroundings::default(),
        );
        session.launch(whole(size, 1, 501));
        // Then it goes round in a circle.
        let pushes = (0..100).fold(Script::default(), |s, n| s.push(BREAK, 200 + n));
        let mut lanes = pushes.branch(Select::All, 100);
        for _ in 0..2_000 {
            session.cycle(&mut lanes).unwrap_or_else(|e| panic!("{e}"));
        }
        let mut all = [0; 6];
        for (number, value) in (0..).zip(&mut all) {
            *value = read(&mut session, &mut lanes, number);
        }
        let [head, tail, low, stored, base, n] = all;
        assert_eq!((head, tail, base, n), (150, 250, 0x1000, 501), "{size}");
        assert!(
            stored > 0 && stored as usize + size.front >= 98,
            "{size}: {stored}"
        );
        assert_eq!(low + stored, tail, "the back ring is empty");
        for number in [register::YIELDS, register::RESUME, 10, 15] {
            assert_eq!(read(&mut session, &mut lanes, number), 0);
        }
        assert_ne!(read(&mut session, &mut lanes, register::RANDOM), 0);
    }
}
