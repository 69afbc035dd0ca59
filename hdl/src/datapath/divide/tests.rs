//! Tests of the divider: what comes out, in which cycle, and that nothing is lost in it.

use super::*;
use crate::stimulus::{given, has_met, Resets};
use std::collections::VecDeque;
use weft_rtl::{Bench, Rng};

/// Edge operands: 18 × 18 of them in four operations are 1,296 cases.
const EDGES: [u32; 18] = [
    0,
    1,
    2,
    7,
    0x80,
    0xff,
    0x100,
    0xffff,
    0x1_0000,
    0xff_ffff,
    0x100_0000,
    0x7fff_ffff,
    0x8000_0000,
    0x8000_0001,
    0xffff_ff80,
    0xffff_ff00,
    0xffff_ff7f,
    0xffff_ffff,
];

pub fn operand(rng: &mut Rng) -> u32 {
    match rng.below(3) {
        0 => EDGES[rng.below(18) as usize],
        1 => (rng.below(1 << 32) as u32) >> rng.below(32),
        _ => 0u32.wrapping_sub((rng.below(1 << 32) as u32) >> rng.below(32)),
    }
}

fn row<const LW: usize>(words: &[u32]) -> Bits<LW> {
    let mut row = Bits::default();
    for (n, word) in words.iter().enumerate() {
        for bit in 0..32 {
            row = row.replace_bit(32 * n + bit, word >> bit & 1 == 1);
        }
    }
    row
}

/// What RISC-V says.
pub fn answer(code: u64, a: u32, b: u32) -> u32 {
    let (signed_a, signed_b) = (a as i32, b as i32);
    match code {
        0 if b == 0 => u32::MAX,
        0 => signed_a.wrapping_div(signed_b) as u32,
        1 => a.checked_div(b).unwrap_or(u32::MAX),
        2 if b == 0 => a,
        2 => signed_a.wrapping_rem(signed_b) as u32,
        _ => a.checked_rem(b).unwrap_or(a),
    }
}

/// Bytes that hold a dividend, of a negative one with its sign.
pub fn bytes(code: u64, a: u32) -> u64 {
    let signed = a as i32;
    (1..4)
        .find(|n| match code % 2 == 0 && signed < 0 {
            true => signed >> (8 * n - 1) == -1,
            false => a >> (8 * n) == 0,
        })
        .unwrap_or(4)
}

#[derive(Clone, Debug)]
struct Pass {
    warp: u64,
    part: u64,
    rd: u64,
    code: u64,
    mask: u64,
    last: bool,
    a: Vec<u32>,
    b: Vec<u32>,
}

impl Pass {
    /// Bytes of its longest dividend: threads outside the mask do not count.
    fn bytes(&self) -> u64 {
        let lanes = (0..self.a.len()).filter(|lane| self.mask >> lane & 1 == 1);
        let bytes = lanes.map(|lane| bytes(self.code, self.a[lane]));
        bytes.max().expect("a thread")
    }
}

/// An instruction of some of the parts, in ascending order; each pass has a thread at least.
fn instruction(rng: &mut Rng, lanes: usize, parts: usize) -> Vec<Pass> {
    let chosen = 1 + rng.below((1 << parts) - 1);
    let (warp, code) = (rng.below(4), rng.below(4));
    let rd = rng.below(32) | if rng.chance(7, 8) { 32 } else { 0 };
    let small = rng.flip();
    let parts = (0..parts as u64).filter(|part| chosen >> part & 1 == 1);
    let mut passes: Vec<Pass> = parts
        .map(|part| Pass {
            warp,
            part,
            rd,
            code,
            mask: 1 + rng.below((1 << lanes) - 1),
            last: false,
            a: (0..lanes)
                .map(|_| match small {
                    true => operand(rng) & 0xff,
                    false => operand(rng),
                })
                .collect(),
            b: (0..lanes).map(|_| operand(rng)).collect(),
        })
        .collect();
    passes.last_mut().expect("a part").last = true;
    passes
}

/// What a run has met.
#[derive(Default, Debug)]
struct Met {
    rows: u64,
    complete: u64,
    without_row: u64,
    /// An instruction was sent while another one was inside.
    beside: u64,
    /// A row waited.
    waited: u64,
    by_zero: u64,
    /// Threads whose own dividend is shorter than the pass.
    shorter: u64,
}

/// Random instructions, sent whenever there is room: each row as it should be, in order, and behind the last one of an
/// instruction that it is complete. Behind a reset there is nothing.
fn random_run<const L: usize, const LW: usize, const NP: usize, const PB: usize>(cycles: u64) {
    let mut b = Bench::new(Divide::<2, L, LW, NP, PB>::default(), |u, level| {
        u.clock.next = level.into();
    });
    let mut rng = Rng::new(given("SEED", 1), &format!("divide {L} {NP}"));
    let mut resets = Resets::new(300);
    let mut met = Met::default();
    let mut coming: VecDeque<Pass> = VecDeque::new();
    let mut first = true;
    let (mut rows, mut complete) = (VecDeque::new(), VecDeque::new());
    b.uut.reset.next = true;
    b.edge();
    for cycle in 0..cycles {
        let reset = resets.now(&mut rng, !rows.is_empty());
        let u = &mut b.uut;
        u.reset.next = reset;
        u.pass_valid.next = false;
        u.result_ready.next = rng.chance(3, 4);
        u.complete_ready.next = rng.chance(3, 4);
        if coming.is_empty() && rng.chance(1, 4) {
            coming = instruction(&mut rng, L, NP).into();
            first = true;
        }
        b.settle();
        assert_eq!(
            b.uut.busy.val(),
            !rows.is_empty() || !complete.is_empty() || !first,
            "cycle {cycle}"
        );
        if !reset && !coming.is_empty() && (!first || b.uut.free.val()) {
            let pass = coming.pop_front().expect("one is there");
            met.beside += u64::from(first && !rows.is_empty());
            let u = &mut b.uut;
            u.pass_valid.next = true;
            u.pass_first.next = first;
            u.pass_last.next = pass.last;
            u.pass_warp.next = pass.warp.into();
            u.pass_part.next = pass.part.into();
            u.pass_rd.next = pass.rd.into();
            u.pass_code.next = pass.code.into();
            u.pass_mask.next = pass.mask.into();
            u.a.next = row(&pass.a);
            u.b.next = row(&pass.b);
            first = pass.last;
            if pass.last {
                complete.push_back((rows.len() as u64 + 1 + met.rows, pass.warp, pass.rd));
            }
            rows.push_back(pass);
            b.settle();
        }
        let u = &b.uut;
        if u.result_valid.val() && !reset {
            assert!(u.claims.val(), "a row is offered that is not there");
            met.waited += u64::from(!u.result_ready.val());
            // Those without a destination have left unseen.
            while rows.front().is_some_and(|pass: &Pass| pass.rd < 32) {
                rows.pop_front();
                met.rows += 1;
            }
            let pass = rows.front().expect("a row of no pass");
            assert_eq!(u.result_warp.val().to_u64(), pass.warp);
            assert_eq!(u.result_part.val().to_u64(), pass.part);
            assert_eq!(u.result_rd.val().to_u64(), pass.rd & 31);
            assert_eq!(u.result_mask.val().to_u64(), pass.mask);
            for lane in (0..L).filter(|lane| pass.mask >> lane & 1 == 1) {
                let word = u.result_data.val().get_bits::<32>(32 * lane).to_u64() as u32;
                let (a, c) = (pass.a[lane], pass.b[lane]);
                assert_eq!(word, answer(pass.code, a, c), "{a:#x} {} {c:#x}", pass.code);
                met.by_zero += u64::from(c == 0);
                met.shorter += u64::from(bytes(pass.code, a) < pass.bytes());
            }
            if u.result_ready.val() {
                rows.pop_front();
                met.rows += 1;
            }
        }
        if u.complete_valid.val() && u.complete_ready.val() && !reset {
            let (until, warp, rd) = complete.pop_front().expect("nothing was to be complete");
            while met.rows < until && rows.front().is_some_and(|pass: &Pass| pass.rd < 32) {
                rows.pop_front();
                met.rows += 1;
                met.without_row += 1;
            }
            assert!(met.rows >= until, "cycle {cycle}: complete before its rows");
            assert_eq!(u.complete_warp.val().to_u64(), warp);
            assert_eq!(u.complete_rd.val().to_u64(), rd);
            met.complete += 1;
        }
        if reset {
            rows.clear();
            complete.clear();
            coming.clear();
            first = true;
        }
        b.edge();
    }
    println!(
        "{L} lanes, {NP} parts: {met:?}, {} resets inside",
        resets.busy
    );
    let counts = [
        met.complete / 20,
        met.without_row,
        met.beside,
        met.waited,
        met.by_zero,
        met.shorter,
        resets.busy,
    ];
    has_met(counts.iter().all(|&n| n > 3), format!("{met:?}"));
}

#[test]
fn nothing_is_lost() {
    random_run::<4, 128, 1, 1>(3000);
    random_run::<4, 128, 2, 1>(3000);
    random_run::<2, 64, 4, 2>(3000);
    random_run::<8, 256, 4, 2>(2000);
}

/// One instruction of these passes, all of them taken as they come: rows, and the cycles in which they are offered,
/// counted from the first pass.
fn alone<const NP: usize, const PB: usize>(
    b: &mut Bench<Divide<2, 4, 128, NP, PB>>,
    passes: &[Pass],
) -> Vec<(u64, Vec<u32>)> {
    let mut rows = Vec::new();
    for cycle in 0..400 {
        let u = &mut b.uut;
        u.reset.next = false;
        u.result_ready.next = true;
        u.complete_ready.next = true;
        u.pass_valid.next = false;
        if let Some(pass) = passes.get(cycle) {
            u.pass_valid.next = true;
            u.pass_first.next = cycle == 0;
            u.pass_last.next = pass.last;
            u.pass_rd.next = pass.rd.into();
            u.pass_part.next = pass.part.into();
            u.pass_code.next = pass.code.into();
            u.pass_mask.next = pass.mask.into();
            u.a.next = row(&pass.a);
            u.b.next = row(&pass.b);
        }
        b.settle();
        if b.uut.result_valid.val() {
            let data = b.uut.result_data.val();
            let words = (0..4).map(|i| data.get_bits::<32>(32 * i).to_u64() as u32);
            rows.push((cycle as u64, words.collect()));
        }
        let ended = b.uut.complete_valid.val();
        b.edge();
        if ended {
            break;
        }
    }
    rows
}

fn pass(code: u64, mask: u64, a: &[u32], b: &[u32]) -> Pass {
    let (a, b) = (a.to_vec(), b.to_vec());
    Pass {
        warp: 1,
        part: 0,
        rd: 37,
        code,
        mask,
        last: true,
        a,
        b,
    }
}

/// DATA-032: each operation of each two edge operands, and how long it takes.
#[test]
fn edge_operands_are_divided() {
    let mut b = Bench::new(Divide::<2, 4, 128, 1, 1>::default(), |u, level| {
        u.clock.next = level.into();
    });
    let mut cases = 0;
    for code in 0..4 {
        let pairs: Vec<(u32, u32)> = EDGES.iter().flat_map(|&a| EDGES.map(|b| (a, b))).collect();
        for four in pairs.chunks(4) {
            let (a, c): (Vec<u32>, Vec<u32>) = four.iter().copied().unzip();
            let pass = pass(code, 15, &a, &c);
            let rows = alone(&mut b, std::slice::from_ref(&pass));
            let expected: Vec<u32> = four.iter().map(|&(a, b)| answer(code, a, b)).collect();
            assert_eq!(rows, [(4 * pass.bytes() + 3, expected)], "{code} {four:x?}");
            cases += four.len();
        }
    }
    assert_eq!(cases, 1296);
}

/// DATA-032: a thread that needs fewer bytes waits for the others, one outside the mask keeps nobody, and the next pass
/// begins when the one before is put away.
#[test]
fn a_pass_takes_what_its_longest_dividend_takes() {
    let mut b = Bench::new(Divide::<2, 4, 128, 2, 1>::default(), |u, level| {
        u.clock.next = level.into();
    });
    let three = [3; 4];
    for (mask, bytes) in [(1, 1), (2, 2), (4, 3), (8, 4), (3, 2), (5, 3), (15, 4)] {
        let a = [0xff, 0xffff, 0xff_ffff, 0xffff_ffff];
        let rows = alone(&mut b, &[pass(1, mask, &a, &three)]);
        assert_eq!(rows[0].0, 4 * bytes + 3, "mask {mask}");
    }
    for (dividend, bytes) in [
        (127, 1),
        (255, 1),
        (-128, 1),
        (-129, 2),
        (-256, 2),
        (-32768, 2),
        (-32769, 3),
    ] {
        let a = [dividend as u32; 4];
        let rows = alone(&mut b, &[pass(0, 15, &a, &three)]);
        assert_eq!(rows[0].0, 4 * bytes + 3, "{dividend}");
    }
    let mut first = pass(1, 15, &[1000; 4], &three);
    first.last = false;
    let second = pass(1, 15, &[100; 4], &three);
    let rows = alone(&mut b, &[first, second]);
    assert_eq!(rows, [(11, vec![333; 4]), (16, vec![33; 4])]);
}

#[test]
fn verilog_agrees() {
    crate::stimulus::check_with_memories(
        "divide",
        Divide::<2, 4, 128, 2, 1>::default,
        4000,
        |u, rng, t| {
            u.reset.next = t < 2;
            u.pass_valid.next = t > 2 && u.free.val() && rng.flip();
            u.pass_first.next = true;
            u.pass_last.next = true;
            u.pass_warp.next = rng.bits();
            u.pass_part.next = rng.bits();
            u.pass_rd.next = rng.bits();
            u.pass_code.next = rng.bits();
            u.pass_mask.next = rng.bits();
            u.a.next = row(&std::array::from_fn::<_, 4, _>(|_| operand(rng)));
            u.b.next = row(&std::array::from_fn::<_, 4, _>(|_| operand(rng)));
            u.result_ready.next = rng.flip();
            u.complete_ready.next = rng.flip();
        },
        |u, level| u.clock.next = level.into(),
    );
}
