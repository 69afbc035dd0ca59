//! The golden model's float against QEMU's user mode with Zfinx: the same instruction words on the same operands
//! (ISA-040 to ISA-042). QEMU decodes and computes by itself; without it these tests are skipped.

#[path = "common/environment.rs"]
mod environment;
#[path = "support/qemu.rs"]
mod qemu;

use environment::number;
use qemu::{Qemu, Word};
use rand::Rng as _;
use weft_testbench::float::code::{self, ALL, MODES};
use weft_testbench::float::operands::{aimed, alone, edges};
use weft_testbench::seed::stream;

/// Every code, in every mode that it has.
fn words() -> Vec<Word> {
    let modes = |code| match code::rounds(code) {
        true => &MODES[..],
        false => &[0],
    };
    let all = (0..ALL).flat_map(|code| modes(code).iter().map(move |&mode| Word::new(code, mode)));
    all.collect()
}

/// Skips where there is no such QEMU.
fn judge(words: Vec<Word>) -> Option<Qemu> {
    let qemu = Qemu::start(words);
    if let Err(why) = &qemu {
        println!("SKIPPED: {why}");
    }
    qemu.ok()
}

/// Of fused words each pair has so many third operands.
const THIRDS: usize = 5;

#[test]
fn edges_come_out_as_on_qemu() {
    let Some(mut qemu) = judge(words()) else {
        return;
    };
    let edges = edges();
    let at = |n: usize| edges[n % edges.len()];
    let triples = (0..edges.len().pow(2) * THIRDS).map(|n| {
        let (pair, third) = (n / THIRDS, n % THIRDS);
        let (a, b) = (pair / edges.len(), pair % edges.len());
        [at(a), at(b), at((a + b) * 7 + third * 23)]
    });
    let compared = qemu
        .compare(triples, Word::due)
        .unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(
        compared,
        (edges.len().pow(2) * THIRDS * words().len()) as u64
    );
    println!("{compared} results of edges");
}

/// So many operands of every word; each third of them aimed at what is hard for a sum of three, for one of two, and
/// for what reads only one operand.
#[test]
fn random_operands_come_out_as_on_qemu() {
    let Some(mut qemu) = judge(words()) else {
        return;
    };
    let count = number("WEFT_QEMU_WORDS", 20_000);
    let edges = edges();
    let mut rng = stream(51, "float on QEMU");
    let triples = (0..count).map(|n| {
        let [a, b, c] = aimed(&mut rng, &edges);
        match n % 3 {
            0 => [a, b, c],
            1 => [if rng.gen() { a } else { b }, c, b],
            _ => [alone(&mut rng), b, c],
        }
    });
    let compared = qemu
        .compare(triples, Word::due)
        .unwrap_or_else(|e| panic!("{e}"));
    println!("{compared} results of random operands");
}

/// Every word that is a multiple of a stride as the operand of what has one; each in one mode, which go round.
#[test]
fn words_of_one_operand_come_out_as_on_qemu() {
    let stride = number("WEFT_QEMU_STRIDE", 100_003);
    let rounded = MODES.len() as u64;
    let mut compared = 0;
    for (n, &mode) in (0..).zip(&MODES) {
        let codes = (0..ALL).filter(|&code| code::operands(code) == 1);
        let Some(mut qemu) = judge(codes.map(|code| Word::new(code, mode)).collect()) else {
            return;
        };
        let all = (n * stride..1 << 32).step_by((rounded * stride) as usize);
        compared += qemu
            .compare(all.map(|word| [word as u32, 0, 0]), Word::due)
            .unwrap_or_else(|e| panic!("{e}"));
    }
    println!("{compared} results of words of one operand");
}

/// The comparison fails where one result differs, and says which.
#[test]
fn a_wrong_result_is_noticed() {
    let add = Word::new(4, 0);
    let Some(mut qemu) = judge(vec![add, Word::new(6, 0)]) else {
        return;
    };
    let triples = (0..5_000).map(|n| [n, 0x3f80_0000, 0]);
    let broken = |word: &Word, operands: [u32; 3]| match operands[0] {
        4_321 if *word == add => word.due(operands) ^ 1,
        _ => word.due(operands),
    };
    let error = qemu.compare(triples, broken).unwrap_err();
    assert_eq!(
        error,
        "fadd.s tp, ra, sp, rne of 0x000010e1, 0x3f800000, 0x00000000: QEMU says 0x3f800000, golden model 0x3f800001"
    );
}
