//! The control-flow program of the self-test and what goes with it: plain values, for the hardware here and for the
//! model that computes the signature.
//!
//! Spec: `docs/spec/board.md`.

/// Places of the program; a pc is [`BASE`] plus a place.
pub const PLACES: usize = 64;
/// Upper bits of every pc and target, so that these are not all zero.
pub const BASE: u64 = 0x2A_5A40;
/// Every warp runs the program so many times.
pub const ROUNDS: u64 = 8;
/// Tokens of a warp's allocation: W and this many.
pub const SPARE_TOKENS: usize = 10;
/// `cfg_yield_every` in even groups of four rounds.
pub const YIELD_EVERY: u64 = 2;
/// `cfg_yield_threshold` and `cfg_yield_seed` in odd groups of four rounds.
pub const YIELD_THRESHOLD: u64 = 0x9000;
pub const YIELD_SEED: u64 = 0xACE1;
/// `cfg_forced_yield`.
pub const FORCED_YIELD: u64 = 2;
/// First random number of warp w: this, xor w shifted left by 3 and by 17.
pub const SEED: u64 = 0x9E37_79B9;

/// Which threads an operation names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Select {
    /// The active ones.
    All = 0,
    /// Half of them, by chance.
    Some = 1,
    /// A quarter of them.
    Few = 2,
    /// The lowest active one, and half of the others: as the threads with one target.
    Group = 3,
}

/// One operation: number of `resolve_op`, token type, threads, place of the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    pub op: u8,
    pub kind: u8,
    pub select: Select,
    pub target: u8,
}

impl Step {
    /// Its word in the program memory.
    pub fn word(self) -> u64 {
        u64::from(self.op)
            | u64::from(self.kind) << 4
            | (self.select as u64) << 8
            | u64::from(self.target) << 10
    }
}

const NEXT: u8 = 0;
const BRANCH: u8 = 1;
const INDIRECT: u8 = 2;
const PUSH: u8 = 3;
const LEAVE: u8 = 4;
const LEAVE_INDIRECT: u8 = 5;
const YIELD: u8 = 6;
const EXIT: u8 = 7;
const CALL: u8 = 10;

const SYNC_TOKEN: u8 = 0;
const BREAK_TOKEN: u8 = 1;
const CONTINUE_TOKEN: u8 = 2;
const CALL_TOKEN: u8 = 3;
const LONGJMP_TOKEN: u8 = 4;
const PEXIT_TOKEN: u8 = 5;

/// Label, operation, token type, threads, label of the target.
type Line = (&'static str, u8, u8, Select, &'static str);

const SOURCE: &[Line] = &[
    // An if inside an if, each with an else.
    ("start", NEXT, 0, Select::All, "start"),
    ("", PUSH, SYNC_TOKEN, Select::All, "joined"),
    ("", BRANCH, 0, Select::Some, "else"),
    ("", PUSH, SYNC_TOKEN, Select::All, "inner"),
    ("", BRANCH, 0, Select::Some, "inner_else"),
    ("", NEXT, 0, Select::All, "start"),
    ("", LEAVE, SYNC_TOKEN, Select::All, "inner"),
    ("inner_else", YIELD, 0, Select::All, "start"),
    ("", LEAVE, SYNC_TOKEN, Select::All, "inner"),
    ("inner", LEAVE, SYNC_TOKEN, Select::All, "joined"),
    ("else", YIELD, 0, Select::All, "start"),
    ("", LEAVE, SYNC_TOKEN, Select::All, "joined"),
    // A loop with break, continue, a call and a yield.
    ("joined", PUSH, BREAK_TOKEN, Select::All, "out"),
    // Who goes round pops nothing meanwhile, as in a loop that waits: forced yields (CONV-055).
    ("spin", BRANCH, 0, Select::Some, "spin"),
    ("again", PUSH, CONTINUE_TOKEN, Select::All, "tail"),
    ("", LEAVE, CONTINUE_TOKEN, Select::Some, "tail"),
    ("", LEAVE, BREAK_TOKEN, Select::Few, "out"),
    ("", CALL, 0, Select::Group, "function"),
    ("back", YIELD, 0, Select::All, "start"),
    ("", LEAVE, CONTINUE_TOKEN, Select::All, "tail"),
    ("tail", BRANCH, 0, Select::Some, "again"),
    ("", LEAVE, BREAK_TOKEN, Select::All, "out"),
    ("function", BRANCH, 0, Select::Few, "function_end"),
    ("", NEXT, 0, Select::All, "start"),
    ("function_end", LEAVE, CALL_TOKEN, Select::All, "back"),
    // Regions inside each other: more tokens than the window has places.
    ("out", PUSH, 6, Select::All, "region_1"),
    ("", PUSH, 7, Select::All, "region_2"),
    ("", PUSH, 8, Select::All, "region_3"),
    ("", PUSH, 9, Select::All, "region_4"),
    ("", PUSH, LONGJMP_TOKEN, Select::All, "region_5"),
    ("", PUSH, PEXIT_TOKEN, Select::All, "region_6"),
    ("", PUSH, SYNC_TOKEN, Select::All, "region_7"),
    ("", PUSH, 6, Select::All, "region_8"),
    ("", PUSH, 7, Select::All, "region_9"),
    ("", PUSH, 8, Select::All, "region_10"),
    // Out of them again, some threads across several at once.
    ("", LEAVE, LONGJMP_TOKEN, Select::Few, "region_5"),
    ("", LEAVE, 8, Select::Some, "region_10"),
    ("", YIELD, 0, Select::All, "start"),
    ("", LEAVE, 9, Select::Few, "region_4"),
    ("", LEAVE, 8, Select::All, "region_10"),
    ("region_10", LEAVE, 7, Select::Some, "region_9"),
    ("", INDIRECT, 0, Select::Group, "spread"),
    ("spread", LEAVE, 7, Select::All, "region_9"),
    ("region_9", LEAVE_INDIRECT, 6, Select::Group, "region_8"),
    ("region_8", LEAVE, 7, Select::Few, "region_2"),
    ("", LEAVE, SYNC_TOKEN, Select::All, "region_7"),
    ("region_7", LEAVE, PEXIT_TOKEN, Select::All, "region_6"),
    ("region_6", LEAVE, LONGJMP_TOKEN, Select::All, "region_5"),
    ("region_5", BRANCH, 0, Select::Some, "region_5b"),
    ("", YIELD, 0, Select::All, "start"),
    ("region_5b", LEAVE, 9, Select::All, "region_4"),
    ("region_4", LEAVE, 8, Select::All, "region_3"),
    ("region_3", LEAVE_INDIRECT, 7, Select::Group, "region_2"),
    ("region_2", LEAVE, 6, Select::All, "region_1"),
    // Some end, some start over, the others end too.
    ("region_1", EXIT, 0, Select::Few, "start"),
    ("", BRANCH, 0, Select::Few, "start"),
    ("", EXIT, 0, Select::All, "start"),
];

/// The program; the places behind its end are EXIT.
pub fn program() -> [Step; PLACES] {
    let place = |label: &str| {
        let at = SOURCE.iter().position(|line| line.0 == label);
        at.unwrap_or_else(|| panic!("no label {label}")) as u8
    };
    let mut steps = [Step {
        op: EXIT,
        kind: 0,
        select: Select::All,
        target: 0,
    }; PLACES];
    for (step, &(_, op, kind, select, target)) in steps.iter_mut().zip(SOURCE) {
        *step = Step {
            op,
            kind,
            select,
            target: place(target),
        };
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_fits_and_its_words_are_sixteen_bits() {
        assert!(SOURCE.len() <= PLACES);
        assert_eq!(BASE % PLACES as u64, 0);
        for step in program() {
            assert!(step.word() < 1 << 16 && usize::from(step.target) < PLACES);
        }
    }

    /// BOARD-013.
    #[test]
    fn every_operation_is_in_it() {
        for op in [
            NEXT,
            BRANCH,
            INDIRECT,
            PUSH,
            LEAVE,
            LEAVE_INDIRECT,
            YIELD,
            EXIT,
            CALL,
        ] {
            assert!(program().iter().any(|step| step.op == op), "{op}");
        }
    }
}
