//! Random control-flow graphs straight as assembly: any block may go to any other, so loops with several entrances too
//! (COMP-111).
//!
//! `testbench/tests/compiled` takes this file, too: it uses no other one of this folder.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::fmt::Write as _;

/// One block: some arithmetic, and where it goes.
#[derive(Clone, Debug)]
pub struct Node {
    work: Vec<String>,
    end: End,
}

#[derive(Clone, Debug)]
enum End {
    Fall,
    Jump(usize),
    /// Condition, register, target; else on to the next block.
    Branch(&'static str, usize),
    /// Two registers.
    Compare(&'static str, usize),
    Table(Vec<usize>),
    Call,
    Return,
}

/// What a program leaves: a symbol and its bytes.
pub const OUTPUT: (&str, u32) = ("guard", 1056);

/// A program as a graph, so that it can be cut down.
#[derive(Clone, Debug)]
pub struct Graph {
    pub nodes: Vec<Node>,
    pub fuel: u32,
    /// Structured: branches go forward but for loops' ends.
    pub name: String,
}

pub fn random(seed: u64) -> Graph {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let count = rng.gen_range(2..=16);
    let forward = rng.gen_bool(0.3);
    let nodes = (0..count)
        .map(|at| node(&mut rng, at, count, forward))
        .collect();
    Graph {
        nodes,
        fuel: rng.gen_range(3..40),
        name: format!("graph{seed}.s"),
    }
}

fn node(rng: &mut ChaCha8Rng, at: usize, count: usize, forward: bool) -> Node {
    let target = |rng: &mut ChaCha8Rng| match forward && rng.gen_bool(0.85) {
        true => rng.gen_range(at + 1..=count).min(count),
        false => rng.gen_range(0..=count),
    };
    let work = (0..rng.gen_range(0..5)).map(|_| operation(rng)).collect();
    let end = match rng.gen_range(0..20) {
        0..=2 => End::Fall,
        3..=4 => End::Jump(target(rng)),
        5..=9 => End::Branch(
            ["beqz", "bnez", "bgez", "bltz"][rng.gen_range(0..4)],
            target(rng),
        ),
        10..=15 => End::Compare(
            ["beq", "bne", "bltu", "bgeu"][rng.gen_range(0..4)],
            target(rng),
        ),
        16 => End::Table((0..rng.gen_range(1..5)).map(|_| target(rng)).collect()),
        17..=18 => End::Call,
        _ => End::Return,
    };
    Node { work, end }
}

/// s2: the thread's own state; t0: more of it, which a call by the convention may change (COMP-050); s3: the same in all
/// threads.
fn operation(rng: &mut ChaCha8Rng) -> String {
    match rng.gen_range(0..10) {
        0 => format!("addi s2, s2, {}", rng.gen_range(-99..99)),
        1 => "slli t1, s2, 3\n\txor s2, s2, t1".into(),
        2 => format!("addi s3, s3, {}", rng.gen_range(1..9)),
        3 => "add s2, s2, s3".into(),
        4 => "sw s2, 4(sp)\n\tlw t2, 4(sp)\n\tadd s2, s2, t2".into(),
        5 => "andi t1, s2, 60\n\tla t2, table\n\tadd t1, t1, t2\n\tlw t1, 0(t1)\n\txor s2, s2, t1"
            .into(),
        6 => "add t0, t0, s2".into(),
        7 => "xor s2, s2, t0".into(),
        8 => "#APP\n\tjal t4, stir\n\t#NO_APP".into(),
        _ => "srli t1, s2, 5\n\tadd s2, s2, t1".into(),
    }
}

impl Graph {
    /// The program; every block uses up fuel, so every thread ends.
    pub fn source(&self) -> String {
        let mut text = String::from("\t.text\n\t.globl kernel\n\t.type kernel, @function\nkernel:\n\taddi sp, sp, -16\n\tsw ra, 0(sp)\n");
        text += "\tmv s5, a0\n\tslli s2, a0, 7\n\tadd s2, s2, a0\n\tli s3, 5\n\tmv t0, s2\n\tandi s1, a0, 7\n";
        let _ = writeln!(text, "\taddi s1, s1, {}", self.fuel);
        let count = self.nodes.len();
        let mut tables = String::new();
        for (at, node) in self.nodes.iter().enumerate() {
            let _ = writeln!(text, ".L{at}:\n\taddi s1, s1, -1\n\tblez s1, .L{count}\n\tslli t4, s2, 5\n\tadd s2, s2, t4\n\taddi s2, s2, {at}");
            node.work.iter().for_each(|work| {
                let _ = writeln!(text, "\t{work}");
            });
            let _ = match &node.end {
                End::Fall => Ok(()),
                End::Jump(to) => writeln!(text, "\tj .L{to}"),
                End::Branch(what, to) => writeln!(text, "\tandi t4, s2, 3\n\taddi t4, t4, -1\n\t{what} t4, .L{to}"),
                End::Compare(what, to) => writeln!(text, "\tandi t4, s2, 7\n\tli t1, 3\n\t{what} t4, t1, .L{to}"),
                End::Table(to) => {
                    let _ = writeln!(tables, "\t.align 2\n.T{at}:");
                    for n in 0..8 {
                        let _ = writeln!(tables, "\t.word .L{}", to[n % to.len()]);
                    }
                    writeln!(text, "\tandi t4, s2, 28\n\tlui t1, %hi(.T{at})\n\taddi t1, t1, %lo(.T{at})\n\tadd t4, t4, t1\n\tlw t4, 0(t4)\n\tjr t4")
                }
                End::Call => writeln!(text, "\tmv s6, t0\n\tmv a0, s2\n\tcall mix\n\tmv t0, s6\n\txor s2, s2, a0"),
                End::Return => writeln!(text, "\tla t4, out\n\tslli t1, s5, 2\n\tadd t4, t4, t1\n\tsw s2, 0(t4)\n\tlw ra, 0(sp)\n\taddi sp, sp, 16\n\tret"),
            };
        }
        let _ = writeln!(text, ".L{count}:\n\tla t4, out\n\tslli t1, s5, 2\n\tadd t4, t4, t1\n\tsw s2, 0(t4)\n\tlw ra, 0(sp)\n\taddi sp, sp, 16\n\tret\n\t.size kernel, .-kernel");
        text += "stir:\n\tslli t1, t0, 1\n\tadd s2, s2, t1\n\tjr t4\n";
        text += "\t.type mix, @function\nmix:\n\tandi t4, a0, 1\n\tbeqz t4, .Lm\n\tslli a0, a0, 1\n\taddi a0, a0, 7\n\tret\n.Lm:\n\tsrli a0, a0, 1\n\tret\n";
        let _ = writeln!(text, "\t.section .rodata\n{tables}\t.align 2\ntable:");
        (0..16u32).for_each(|n| {
            let _ = writeln!(text, "\t.word {}", n.wrapping_mul(2_654_435_761));
        });
        text += "\t.bss\n\t.align 2\nguard:\t.zero 16\nout:\t.zero 1024\n\t.zero 16\n";
        text
    }

    /// The smallest graph found for which `fails` still holds.
    pub fn minimised(mut self, fails: &dyn Fn(&Graph) -> bool) -> Graph {
        let mut again = true;
        while again {
            again = false;
            for at in (0..self.nodes.len()).rev() {
                for change in 0..4 {
                    let mut smaller = self.clone();
                    match change {
                        0 if self.nodes.len() > 1 => smaller.remove(at),
                        1 if !matches!(self.nodes[at].end, End::Fall) => {
                            smaller.nodes[at].end = End::Fall
                        }
                        2 if !self.nodes[at].work.is_empty() => smaller.nodes[at].work.clear(),
                        3 if self.fuel > 1 => smaller.fuel /= 2,
                        _ => continue,
                    }
                    if fails(&smaller) {
                        self = smaller;
                        again = true;
                        break;
                    }
                }
                if again {
                    break;
                }
            }
        }
        self
    }

    fn remove(&mut self, gone: usize) {
        self.nodes.remove(gone);
        let moved = |to: &mut usize| *to -= usize::from(*to > gone);
        for node in &mut self.nodes {
            match &mut node.end {
                End::Jump(to) | End::Branch(_, to) | End::Compare(_, to) => moved(to),
                End::Table(to) => to.iter_mut().for_each(moved),
                End::Fall | End::Call | End::Return => {}
            }
        }
    }
}
