//! `weft_masks` as Verilog against `weft_sim::Masks`, cycle by cycle: exhaustively at W = 4, at random at 32 and 64.
//! (That rust-hdl's simulator does the same is shown in `hdl/src/datapath/masks.rs`.)

use std::collections::BTreeMap;

use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use weft_isa::{Instr, Mask, MaskCond, MaskInstr, MaskOp};
use weft_ports::masks::{Inputs, Outputs};
use weft_sim::{MaskEffect, Masks, Thread};
use weft_testbench::dut::RtlKind;
use weft_testbench::masks::MaskUnit;

const PC: u32 = 0x1000;

/// Cycles from an instruction to its result.
const LATENCY: usize = 2;

/// What a warp executes.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Step {
    Launch,
    Mask(MaskInstr),
    /// Something that may stand in a predicated block, and something that may not.
    Data,
    Control,
}

/// A step with what the datapath knows.
#[derive(Clone, Copy, Debug)]
struct Given {
    warp: usize,
    step: Step,
    exec: u64,
    /// Threads whose rs1 is not zero, and rs1 of the lowest active one.
    ballot: u64,
    word: u32,
}

/// The ports for a step, as docs/spec/masks.md and the header of `hdl/src/datapath/masks.rs` encode it.
fn inputs(given: &Given) -> Inputs {
    let number = |mask: Mask| u64::from(mask.number());
    let (kind, function, md, ma, mb) = match given.step {
        Step::Launch => (7, 1, 0, 0, 0),
        Step::Control => (7, 0, 0, 0, 0),
        Step::Data => (6, 0, 0, 0, 0),
        Step::Mask(instr) => match instr {
            MaskInstr::Logic { op, md, ma, mb } => {
                (0, u64::from(op.code()), number(md), number(ma), number(mb))
            }
            MaskInstr::Save { op, md, ms } => {
                (0, 8 + u64::from(op.code()), number(md), number(ms), 0)
            }
            MaskInstr::Set { md, .. } => (1, 0, number(md), 0, 0),
            MaskInstr::Put { md, high, .. } => (2, u64::from(high), number(md), number(md), 0),
            MaskInstr::Get { ms, high, .. } => (3, u64::from(high), 0, number(ms), 0),
            MaskInstr::Count { ms, .. } => (3, 2, 0, number(ms), 0),
            MaskInstr::First { ms, .. } => (3, 3, 0, number(ms), 0),
            MaskInstr::Condition { .. } => (3, 4, 0, 0, 0),
            MaskInstr::Branch { cond, ms, .. } => (4, u64::from(cond.code()), 0, number(ms), 0),
            MaskInstr::BranchCondition { value, .. } => (4, 4 + u64::from(value), 0, 0, 0),
            MaskInstr::Predicate { ms, count } => (5, u64::from(count) - 1, 0, number(ms), 0),
        },
    };
    Inputs {
        valid: true,
        warp: given.warp as u64,
        kind,
        function,
        md,
        ma,
        mb,
        exec: given.exec,
        ballot: given.ballot,
        word: given.word.into(),
    }
}

/// What the model says about a step: whether it is legal; what is to be on; whether a branch is taken; rd;
/// the write mask.
#[derive(Debug, PartialEq)]
enum Expected {
    Illegal,
    Nothing,
    Set(u64),
    Branch(bool),
    Word(u32),
    Write(u64),
}

fn expected(model: &mut Masks, given: &Given, width: usize) -> Expected {
    let mut threads: Vec<Thread> = (0..width)
        .map(|lane| {
            let mut thread = Thread::default();
            thread.registers[5] = (given.ballot >> lane & 1) as u32;
            thread.registers[6] = given.word;
            thread
        })
        .collect();
    let instr = match given.step {
        Step::Launch => {
            *model = Masks::new(width);
            return Expected::Nothing;
        }
        Step::Data => Instr::Fence { fields: 0xff },
        Step::Control => Instr::Yield,
        Step::Mask(instr) => Instr::Mask(instr),
    };
    let Some(write) = model.write_mask(instr, given.exec) else {
        return Expected::Illegal;
    };
    let Step::Mask(instr) = given.step else {
        return match given.step {
            Step::Data => Expected::Write(write),
            _ => Expected::Nothing,
        };
    };
    let effect = model.execute(instr, PC, given.exec, &mut threads);
    match (instr, effect.expect("the target is a place in the code")) {
        (_, MaskEffect::Set(on)) => Expected::Set(on),
        (MaskInstr::Branch { .. } | MaskInstr::BranchCondition { .. }, effect) => {
            Expected::Branch(effect != MaskEffect::Next)
        }
        (MaskInstr::Get { .. } | MaskInstr::Count { .. } | MaskInstr::First { .. }, _)
        | (MaskInstr::Condition { .. }, _) => match given.exec {
            0 => Expected::Nothing,
            exec => Expected::Word(threads[exec.trailing_zeros() as usize].registers[7]),
        },
        _ => Expected::Nothing,
    }
}

fn found(expected: &Expected, out: &Outputs) -> Expected {
    match (out.illegal, expected) {
        (true, _) => Expected::Illegal,
        (false, Expected::Branch(_)) => Expected::Branch(out.taken),
        (false, Expected::Word(_)) => Expected::Word(out.word as u32),
        (false, Expected::Write(_)) => Expected::Write(out.write),
        (false, _) if out.set => Expected::Set(out.mask),
        (false, _) => Expected::Nothing,
    }
}

/// Hardware and model side by side. Steps go in every cycle; those of one warp are three cycles apart.
struct Pair {
    hardware: MaskUnit,
    models: Vec<Masks>,
    width: usize,
    /// The steps of the two former cycles, the newer one last.
    pending: [Option<(Given, Expected)>; LATENCY],
    steps: u64,
}

impl Pair {
    fn new(width: usize) -> Pair {
        let mut pair = Pair {
            hardware: MaskUnit::open(RtlKind::Verilated, width).expect("a design"),
            models: vec![Masks::new(width); 4],
            width,
            pending: [None, None],
            steps: 0,
        };
        for warp in 0..4 {
            pair.go(Some(Given {
                warp,
                step: Step::Launch,
                exec: 0,
                ballot: 0,
                word: 0,
            }));
        }
        pair
    }

    fn go(&mut self, given: Option<Given>) {
        let out = self
            .hardware
            .cycle(&given.map_or(Inputs::default(), |g| inputs(&g)));
        assert_eq!(out.valid, self.pending[0].is_some());
        if let Some((given, expected)) = self.pending[0].take() {
            assert_eq!(out.warp, given.warp as u64);
            let taken = matches!(expected, Expected::Branch(true));
            assert_eq!(out.taken, taken, "{given:x?}");
            assert_eq!(out.set, matches!(expected, Expected::Set(_)), "{given:x?}");
            assert_eq!(found(&expected, &out), expected, "{given:x?}");
            self.steps += 1;
        }
        self.pending.rotate_left(1);
        self.pending[LATENCY - 1] = given.map(|given| {
            let expected = expected(&mut self.models[given.warp], &given, self.width);
            (given, expected)
        });
    }
}

fn m(number: u8) -> Mask {
    Mask::register(number).unwrap()
}

/// Every instruction in every state of two mask registers and the active mask, and then what it has written.
#[test]
fn exhaustively_at_w_4() {
    let exec = Mask::EXEC;
    let operands = [m(0), m(1), exec];
    let mut instrs = Vec::new();
    for op in MaskOp::ALL {
        for md in [m(2), exec] {
            for ma in operands {
                instrs.extend(operands.map(|mb| MaskInstr::Logic { op, md, ma, mb }));
            }
        }
        instrs.extend(operands.map(|ms| MaskInstr::Save { op, md: m(2), ms }));
    }
    for ms in operands {
        instrs.extend(MaskCond::ALL.map(|cond| MaskInstr::Branch {
            cond,
            ms,
            offset: 8,
        }));
        instrs.extend([
            MaskInstr::Get {
                rd: 7,
                ms,
                high: false,
            },
            MaskInstr::Get {
                rd: 7,
                ms,
                high: true,
            },
            MaskInstr::Count { rd: 7, ms },
            MaskInstr::First { rd: 7, ms },
        ]);
    }
    instrs.push(MaskInstr::Condition { rd: 7 });
    instrs.extend([false, true].map(|value| MaskInstr::BranchCondition { value, offset: 8 }));
    instrs.extend([false, true].map(|high| MaskInstr::Put {
        md: m(2),
        rs1: 6,
        high,
    }));
    instrs.push(MaskInstr::Set { md: m(2), rs1: 5 });
    let written = MaskInstr::Get {
        rd: 7,
        ms: m(2),
        high: false,
    };
    let writes = |instr: &MaskInstr| match *instr {
        MaskInstr::Logic { md, .. } => !md.is_exec(),
        MaskInstr::Save { .. } | MaskInstr::Put { .. } | MaskInstr::Set { .. } => true,
        _ => false,
    };
    let mut pair = Pair::new(4);
    for state in 0..1u64 << 12 {
        let (a, b, exec) = (state & 15, state >> 4 & 15, state >> 8);
        let mut all_warps = |instr, exec, ballot| {
            for warp in 0..4 {
                let (step, word) = (Step::Mask(instr), ((state * 0x9e37) >> 3) as u32);
                pair.go(Some(Given {
                    warp,
                    step,
                    exec,
                    ballot,
                    word,
                }));
            }
        };
        all_warps(MaskInstr::Set { md: m(1), rs1: 5 }, 15, b);
        all_warps(MaskInstr::Set { md: m(0), rs1: 5 }, 15, a);
        for four in instrs.chunks(4) {
            let mut each = |instr: &dyn Fn(MaskInstr) -> MaskInstr, exec| {
                for (warp, given) in four.iter().enumerate() {
                    let (step, word) = (Step::Mask(instr(*given)), ((state * 0x9e37) >> 3) as u32);
                    pair.go(Some(Given {
                        warp,
                        step,
                        exec,
                        ballot: a ^ 5,
                        word,
                    }));
                }
                // A warp's steps are three cycles apart.
                (four.len()..3).for_each(|_| pair.go(None));
            };
            each(&|instr| instr, exec);
            if four.iter().any(writes) {
                each(&|_| written, 15);
            }
        }
    }
    println!("{} steps", pair.steps);
    assert!(
        pair.steps > 4096 * (instrs.len() + instrs.iter().filter(|i| writes(i)).count()) as u64
    );
}

#[test]
fn at_random_at_w_32_and_64() {
    for width in [32, 64] {
        let all = u64::MAX >> (64 - width);
        let mut rng = ChaCha8Rng::seed_from_u64(width as u64);
        let mut pair = Pair::new(width);
        let (mut former, mut counted) = ([0, 1], BTreeMap::<String, u64>::new());
        for _ in 0..60_000 {
            let others: Vec<usize> = (0..4).filter(|warp| !former.contains(warp)).collect();
            let warp = *others.choose(&mut rng).unwrap();
            former = [former[1], warp];
            let mask = |rng: &mut ChaCha8Rng| match rng.gen_range(0..6) {
                0 => 0,
                1 => all,
                2 => 1 << rng.gen_range(0..width),
                _ => rng.gen::<u64>() & all,
            };
            let (exec, ballot) = (mask(&mut rng), mask(&mut rng));
            let given = Given {
                warp,
                step: random_step(&mut rng),
                exec,
                ballot,
                word: rng.gen(),
            };
            let name = format!("{:?}", given.step);
            let name = name.split([' ', '(']).take(2).collect::<Vec<_>>().join(" ");
            *counted.entry(name).or_default() += 1;
            pair.go(rng.gen_bool(0.9).then_some(given));
        }
        assert_eq!(counted.len(), 14, "{counted:?}");
        assert!(counted.values().all(|&count| count > 500), "{counted:?}");
    }
}

fn random_step(rng: &mut ChaCha8Rng) -> Step {
    let operand = |rng: &mut ChaCha8Rng| Mask::operand(rng.gen_range(0..=8)).unwrap();
    let (md, ms, ma) = (m(rng.gen_range(0..8)), operand(rng), operand(rng));
    let op = *MaskOp::ALL.choose(rng).unwrap();
    let high = rng.gen();
    Step::Mask(match rng.gen_range(0..24) {
        0 => return Step::Launch,
        1..=8 => return Step::Data,
        9 => return Step::Control,
        10..=12 => MaskInstr::Logic {
            op,
            md: operand(rng),
            ma,
            mb: ms,
        },
        13 => MaskInstr::Save { op, md, ms },
        14..=15 => MaskInstr::Set { md, rs1: 5 },
        16 => MaskInstr::Put { md, rs1: 6, high },
        17 => MaskInstr::Get { rd: 7, ms, high },
        18 => MaskInstr::Count { rd: 7, ms },
        19 => MaskInstr::First { rd: 7, ms },
        20 => MaskInstr::Condition { rd: 7 },
        21 => MaskInstr::Branch {
            cond: *MaskCond::ALL.choose(rng).unwrap(),
            ms,
            offset: 8,
        },
        22 => MaskInstr::BranchCondition {
            value: high,
            offset: 8,
        },
        _ => MaskInstr::Predicate {
            ms: md,
            count: rng.gen_range(1..=8),
        },
    })
}

/// The comparison finds a model that departs.
#[test]
fn departures_of_the_model_are_noticed() {
    use weft_sim::Mutation;
    for mutation in [
        Mutation::AndnSwapped,
        Mutation::SaveClearsCondition,
        Mutation::SaveWritesFirst,
        Mutation::BallotKeepsOthers,
        Mutation::PredicateIgnored,
        Mutation::BlockTooLong,
    ] {
        let noticed = std::panic::catch_unwind(|| {
            let mut rng = ChaCha8Rng::seed_from_u64(1);
            let mut pair = Pair::new(4);
            pair.models = vec![Masks::new(4).with_mutation(mutation); 4];
            for n in 0..20_000 {
                let step = match random_step(&mut rng) {
                    Step::Launch => Step::Data,
                    step => step,
                };
                pair.go(Some(Given {
                    warp: n % 4,
                    step,
                    exec: rng.gen_range(0..16),
                    ballot: rng.gen_range(0..16),
                    word: rng.gen(),
                }));
            }
        });
        assert!(noticed.is_err(), "{mutation:?}");
    }
}
