//! Scalar equivalence: with any placement of tokens, any yield policy and any schedule, every thread executes exactly
//! what it would execute alone. Random programs on the golden model against the scalar oracle.
//!
//! `WEFT_SEED=n` runs one program and prints it with its records;
//! `WEFT_PROGRAMS=n` says how many to run (default 20,000).

use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::panic::{catch_unwind, AssertUnwindSafe};
use weft_isa::{
    disassemble, encode, AluOp, AmoOp, BranchCond, Instr, Kind, LeaveCond, LoadWidth, Program,
    Segment, StoreWidth,
};
use weft_sim::{Config, Machine, Mutation, Oracle, OracleOutcome, OracleResult, PathPolicy, Stats};

const TEXT: u32 = 0x1000;
const TAPES: u32 = 0x2000;
const JUMPS: u32 = 0x2400;
const SHARED: u32 = 0x2ff0;
const LOG: u32 = 0x3000;

// Registers of the random programs.
const THREAD: u8 = 10;
const LINK: u8 = 1;
/// Random bits; a transfer that may go backward uses up a one, so every thread ends.
const TAPE: u8 = 5;
const BIT: u8 = 6;
const PATH: u8 = 7;
const DATA: u8 = 8;
const OWN_LOG: u8 = 9;
/// A constant for each slot.
const FIRST_MARK: u8 = 16;
const MOST_SLOTS: usize = 14;
/// Holds the address of the end: where a return goes before the first call.
const END: u32 = JUMPS + 16 * MOST_SLOTS as u32;

struct Case {
    program: Program,
    config: Config,
    /// Which runnable warp goes next.
    schedule: u64,
}

fn addi(rd: u8, rs1: u8, imm: i32) -> Instr {
    Instr::OpImm {
        op: AluOp::Add,
        rd,
        rs1,
        imm,
    }
}

fn load(rd: u8, rs1: u8, offset: i32) -> Instr {
    Instr::Load {
        width: LoadWidth::I32,
        rd,
        rs1,
        offset,
    }
}

/// A control instruction of a slot, its target still a slot number.
#[derive(Clone, Copy)]
enum Step {
    Plain(Instr),
    Push(Kind, usize),
    Leave(Kind, LeaveCond, usize),
    Branch(BranchCond, usize),
    Jump(usize),
}

/// Short programs of slots; every transfer goes to the beginning of a slot, or to the end.
fn random_program(rng: &mut ChaCha8Rng, threads: usize) -> Program {
    let slots = rng.gen_range(3..=MOST_SLOTS);
    // Few labels and few types, so that leaves often meet tokens.
    let hot: Vec<usize> = (0..3).map(|_| rng.gen_range(0..=slots)).collect();
    let kinds: Vec<Kind> = (0..rng.gen_range(1..=2))
        .map(|_| Kind::software(rng.gen_range(0..4)).unwrap())
        .collect();
    let any = |rng: &mut ChaCha8Rng| match rng.gen_bool(0.8) {
        true => *hot.choose(rng).unwrap(),
        false => rng.gen_range(0..=slots),
    };
    let mut text = prologue(slots);
    let mut steps: Vec<Vec<Step>> = Vec::new();
    let mut tables: Vec<(usize, Vec<usize>)> = Vec::new();
    for slot in 0..slots {
        let ahead = |rng: &mut ChaCha8Rng| {
            let ahead: Vec<usize> = hot.iter().copied().filter(|&label| label > slot).collect();
            ahead
                .choose(rng)
                .copied()
                .unwrap_or_else(|| rng.gen_range(slot + 1..=slots))
        };
        let kind = *kinds.choose(rng).unwrap();
        let mark = Instr::Op {
            op: AluOp::Sub,
            rd: PATH,
            rs1: FIRST_MARK + slot as u8,
            rs2: PATH,
        };
        let mut body = vec![Step::Plain(mark)];
        match rng.gen_range(0..100) {
            0..=29 => body.push(Step::Push(kind, any(rng))),
            30..=35 => body.push(Step::Leave(kind, LeaveCond::Always, ahead(rng))),
            36..=57 => {
                body.extend(take_bits(1));
                let target = any(rng);
                body.push(Step::Leave(kind, LeaveCond::Nez(BIT), target));
            }
            58..=65 => {
                body.extend(take_bits(1));
                body.push(Step::Leave(kind, LeaveCond::Eqz(BIT), ahead(rng)));
            }
            66..=73 => {
                body.extend(take_bits(1));
                let target = any(rng);
                body.push(Step::Branch(BranchCond::Ne, target));
            }
            74..=77 => {
                body.extend(take_bits(1));
                body.push(Step::Branch(BranchCond::Eq, ahead(rng)));
            }
            78 => body.push(Step::Jump(ahead(rng))),
            79..=80 => {
                // Back behind the latest call.
                body.extend(take_bits(1));
                body.push(Step::Branch(BranchCond::Eq, slot + 1));
                body.push(Step::Plain(Instr::Jalr {
                    rd: 0,
                    rs1: LINK,
                    offset: 0,
                }));
            }
            81..=86 => {
                // Entry 0 is for an empty tape.
                tables.push((slot, vec![ahead(rng), any(rng), any(rng), any(rng)]));
                let offset = slot as i32 * 16;
                body.extend(take_bits(2));
                body.extend([
                    Step::Plain(Instr::OpImm {
                        op: AluOp::Sll,
                        rd: BIT,
                        rs1: BIT,
                        imm: 2,
                    }),
                    Step::Plain(Instr::Op {
                        op: AluOp::Add,
                        rd: BIT,
                        rs1: BIT,
                        rs2: DATA,
                    }),
                    Step::Plain(load(BIT, BIT, (JUMPS - TAPES) as i32 + offset)),
                    Step::Plain(match rng.gen() {
                        true => Instr::Jalr {
                            rd: LINK,
                            rs1: BIT,
                            offset: 0,
                        },
                        false => Instr::LeaveIndirect {
                            kind,
                            rs1: BIT,
                            offset: 0,
                        },
                    }),
                ]);
            }
            87..=94 => body.push(Step::Plain(Instr::Yield)),
            95..=96 => {
                body.extend(take_bits(1));
                body.push(Step::Branch(BranchCond::Eq, slot + 1));
                body.push(Step::Plain(Instr::Exit));
            }
            _ => {
                let (aq, rl) = (false, false);
                body.push(Step::Plain(Instr::Store {
                    width: StoreWidth::W32,
                    rs1: OWN_LOG,
                    rs2: PATH,
                    offset: 256,
                }));
                body.push(Step::Plain(addi(BIT, DATA, 0)));
                body.push(Step::Plain(Instr::Lui {
                    rd: BIT,
                    imm: 0x3000,
                }));
                body.push(Step::Plain(addi(BIT, BIT, SHARED as i32 - 0x3000)));
                body.push(Step::Plain(Instr::Amo {
                    op: AmoOp::Add,
                    rd: 0,
                    rs1: BIT,
                    rs2: PATH,
                    aq,
                    rl,
                }));
            }
        }
        steps.push(body);
    }
    let log = Instr::Store {
        width: StoreWidth::W32,
        rs1: OWN_LOG,
        rs2: PATH,
        offset: 0,
    };
    steps.push(vec![
        Step::Plain(log),
        Step::Plain(if rng.gen() { Instr::Exit } else { Instr::Ecall }),
    ]);
    let mut starts = Vec::new();
    let mut at = text.len();
    for body in &steps {
        starts.push(at);
        at += body.len();
    }
    for step in steps.iter().flatten() {
        let here = text.len() as i32;
        let offset = |slot: usize| 4 * (starts[slot] as i32 - here);
        text.push(match *step {
            Step::Plain(instr) => instr,
            Step::Push(kind, slot) => Instr::Push {
                kind,
                offset: offset(slot),
            },
            Step::Leave(kind, cond, slot) => Instr::Leave {
                kind,
                cond,
                offset: offset(slot),
            },
            Step::Branch(cond, slot) => Instr::Branch {
                cond,
                rs1: BIT,
                rs2: 0,
                offset: offset(slot),
            },
            Step::Jump(slot) => Instr::Jal {
                rd: LINK,
                offset: offset(slot),
            },
        });
    }
    let text_bytes: Vec<u8> = text
        .iter()
        .flat_map(|i| encode(*i).unwrap().to_le_bytes())
        .collect();
    let text_end = TEXT + text_bytes.len() as u32;
    let mut segments = vec![
        Segment {
            address: TEXT,
            bytes: text_bytes,
        },
        Segment {
            address: TAPES,
            bytes: random_tapes(rng, threads),
        },
    ];
    let slot_address = |slot: &usize| TEXT + 4 * starts[*slot] as u32;
    segments.push(Segment {
        address: END,
        bytes: slot_address(&slots).to_le_bytes().to_vec(),
    });
    segments.extend(tables.iter().map(|(slot, targets)| {
        Segment {
            address: JUMPS + *slot as u32 * 16,
            bytes: targets
                .iter()
                .flat_map(|t| slot_address(t).to_le_bytes())
                .collect(),
        }
    }));
    Program {
        entry: TEXT,
        segments,
        text: (TEXT, text_end),
        ..Default::default()
    }
}

/// BIT = the next bits of the tape.
fn take_bits(bits: i32) -> [Step; 2] {
    [
        Step::Plain(Instr::OpImm {
            op: AluOp::And,
            rd: BIT,
            rs1: TAPE,
            imm: (1 << bits) - 1,
        }),
        Step::Plain(Instr::OpImm {
            op: AluOp::Srl,
            rd: TAPE,
            rs1: TAPE,
            imm: bits,
        }),
    ]
}

/// Loads the tape, the first return address and the marks.
fn prologue(slots: usize) -> Vec<Instr> {
    let mut text = vec![
        Instr::Lui {
            rd: DATA,
            imm: TAPES,
        },
        Instr::Lui {
            rd: OWN_LOG,
            imm: LOG,
        },
        Instr::OpImm {
            op: AluOp::Sll,
            rd: BIT,
            rs1: THREAD,
            imm: 2,
        },
        Instr::Op {
            op: AluOp::Add,
            rd: OWN_LOG,
            rs1: OWN_LOG,
            rs2: BIT,
        },
        Instr::Op {
            op: AluOp::Add,
            rd: BIT,
            rs1: DATA,
            rs2: BIT,
        },
        load(TAPE, BIT, 0),
        load(LINK, DATA, (END - TAPES) as i32),
    ];
    let mark = |slot| Instr::Lui {
        rd: FIRST_MARK + slot as u8,
        imm: (0x9e37_79b9u32 >> slot) & !0xfff,
    };
    text.extend((0..slots).map(mark));
    text
}

/// Threads often agree for a while.
fn random_tapes(rng: &mut ChaCha8Rng, threads: usize) -> Vec<u8> {
    let base: u32 = rng.gen();
    let tape = |rng: &mut ChaCha8Rng| match rng.gen_range(0..4) {
        0 => base,
        1 => base ^ 1 << rng.gen_range(0..8),
        2 => base ^ (rng.gen::<u32>() & rng.gen::<u32>() & rng.gen::<u32>()),
        _ => rng.gen::<u32>() & rng.gen::<u32>(),
    };
    (0..threads).flat_map(|_| tape(rng).to_le_bytes()).collect()
}

fn random_case(seed: u64) -> Case {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (warps, threads) = *[
        (1, 4),
        (1, 4),
        (1, 4),
        (2, 4),
        (1, 8),
        (3, 8),
        (1, 16),
        (2, 32),
        (1, 64),
    ]
    .choose(&mut rng)
    .unwrap();
    let config = Config {
        warps,
        threads,
        tokens: *[threads + 1, threads + 1, threads + 2, 2 * threads, 256]
            .choose(&mut rng)
            .unwrap(),
        grid: rng
            .gen_bool(0.1)
            .then(|| rng.gen_range(1..=(warps * threads) as u32)),
        memory: 0x4000,
        stack: 16,
        yield_every: rng.gen_range(0..4),
        yield_random: rng.gen_bool(0.3),
        yield_threshold: rng.gen(),
        yield_seed: rng.gen(),
        forced_yield: *[0, 1, 2, 3, 7, 1024].choose(&mut rng).unwrap(),
        path: *PathPolicy::ALL.choose(&mut rng).unwrap(),
        call_tokens: rng.gen(),
        cta_warps: None,
        ..Config::default()
    };
    let program = random_program(&mut rng, warps * threads);
    Case {
        program,
        config,
        schedule: rng.gen(),
    }
}

fn oracle(case: &Case) -> OracleResult {
    match Oracle::new(&case.program, &case.config)
        .unwrap()
        .run(10_000)
        .expect("no faults")
    {
        OracleOutcome::Finished(result) => result,
        unfinished => panic!("the generator bounds its programs: {unfinished:?}"),
    }
}

/// Runs the golden model under a random schedule and says in what it differs from the oracle.
fn difference(case: &Case, mutation: Option<Mutation>, show: bool) -> Result<Machine, String> {
    let expected = oracle(case);
    let mut machine = Machine::new(&case.program, &case.config).unwrap();
    if let Some(mutation) = mutation {
        machine = machine.with_mutation(mutation);
    }
    let mut rng = ChaCha8Rng::seed_from_u64(case.schedule);
    let budget = 3 * expected.threads.iter().map(|t| t.instret).sum::<u64>() + 100;
    let mut steps = 0;
    while !machine.is_finished() {
        let runnable: Vec<usize> = (0..case.config.warps)
            .filter(|&w| machine.is_runnable(w))
            .collect();
        let warp = *runnable.choose(&mut rng).unwrap();
        let step = catch_unwind(AssertUnwindSafe(|| machine.step(warp)));
        let record = step
            .map_err(panic_text)?
            .map_err(|fault| fault.to_string())?;
        if show {
            println!("{record}");
        }
        steps += 1;
        if steps > budget {
            return Err(format!("not finished after {budget} operations"));
        }
    }
    for (number, want) in expected.threads.iter().enumerate() {
        let got = machine.thread(number / case.config.threads, number % case.config.threads);
        if got != want {
            return Err(format!(
                "thread {number}:\n   alone {want:x?}\n in warp {got:x?}"
            ));
        }
    }
    let all = 0x1000..case.config.memory;
    if machine.memory().slice(all.clone()) != expected.memory.slice(all) {
        return Err("memory differs".into());
    }
    Ok(machine)
}

fn panic_text(payload: Box<dyn std::any::Any + Send>) -> String {
    payload
        .downcast_ref::<String>()
        .cloned()
        .unwrap_or_else(|| "panic".into())
}

fn explain(seed: u64, case: &Case, message: &str) -> String {
    let text = &case.program.segments[0].bytes;
    let listing: Vec<String> = text
        .chunks_exact(4)
        .enumerate()
        .map(|(n, word)| {
            let word = u32::from_le_bytes(word.try_into().unwrap());
            let address = TEXT + 4 * n as u32;
            format!(
                "{address:#x}  {}\n",
                weft_isa::decode(word).map_or("?".into(), |i| disassemble(i, address))
            )
        })
        .collect();
    format!(
        "{message}\n{:?}\n{}replay: WEFT_SEED={seed} cargo test -p weft-sim --test equivalence every_thread -- --nocapture",
        case.config,
        listing.concat()
    )
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable)
        .ok()
        .map(|text| text.parse().unwrap_or_else(|_| panic!("{variable}={text}")))
}

#[test]
fn every_thread_executes_what_it_would_execute_alone() {
    if let Some(seed) = number("WEFT_SEED") {
        let case = random_case(seed);
        println!("{}", explain(seed, &case, "program"));
        difference(&case, None, true).unwrap_or_else(|message| panic!("{message}"));
        return;
    }
    let programs = number("WEFT_PROGRAMS").unwrap_or(20_000);
    let run = |seed| {
        let case = random_case(seed);
        match difference(&case, None, false) {
            Ok(machine) => machine.stats().total,
            Err(message) => panic!("{}", explain(seed, &case, &message)),
        }
    };
    let total = Stats::new(1, (0..programs).map(run).collect()).total;
    println!("{programs} programs: {total:?}");
    for (what, count) in [
        ("divergences", total.divergences),
        ("yields", total.yields_fired),
        ("forced", total.forced_yields),
        ("dropped", total.dropped_pushes),
        ("redundant", total.redundant_pushes),
        ("recentered", total.recentered),
    ] {
        assert!(
            count > programs / 10,
            "thin run: {count} {what} in {programs} programs"
        );
    }
}

/// Departures from rules that equivalence rests on.
const BREAKING: [Mutation; 14] = [
    Mutation::IndirectFallsThrough,
    Mutation::DropLate,
    Mutation::CallFallsThrough,
    Mutation::UnwindOnEmptyLeave,
    Mutation::CatchAnyAddress,
    Mutation::CatchAnyType,
    Mutation::KeepPassedTokens,
    Mutation::CatchUnnamed,
    Mutation::WaitWithoutToken,
    Mutation::SkipMergeMask,
    Mutation::RevocableExit,
    Mutation::IgnoreReason,
    Mutation::WakeUnnamed,
    Mutation::PopOnlyOne,
];

#[test]
fn every_rule_that_equivalence_rests_on_is_noticed_when_it_is_missing() {
    for mutation in BREAKING {
        let noticed = (0..200_000).find_map(|seed| {
            let message = difference(&random_case(seed), Some(mutation), false).err()?;
            Some((seed, message))
        });
        let (seed, message) = noticed.unwrap_or_else(|| panic!("{mutation:?} was not noticed"));
        println!(
            "{mutation:?}: seed {seed}: {}",
            message.lines().next().unwrap_or_default()
        );
    }
}

/// They change the order of things, or progress;
/// what retires differs (`tests/convergence.rs`), but no thread goes astray.
#[test]
fn other_departures_keep_equivalence() {
    for mutation in Mutation::ALL.into_iter().filter(|m| !BREAKING.contains(m)) {
        for seed in 0..1000 {
            let case = random_case(seed);
            if let Err(message) = difference(&case, Some(mutation), false) {
                panic!("{mutation:?}: {}", explain(seed, &case, &message));
            }
        }
    }
}
