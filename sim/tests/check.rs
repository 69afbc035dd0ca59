//! What `--check` finds, and what it must not find (`docs/spec/check.md`).

use weft_isa::assemble;
use weft_sim::check::{Checker, Names};
use weft_sim::{Config, Launch, Limits, Machine, Memory};

const WARPS: usize = 2;
const THREADS: usize = 4;

fn config() -> Config {
    Config {
        warps: WARPS,
        threads: THREADS,
        memory: 0x1_0000,
        ..Config::default()
    }
}

/// What is found in one CTA of eight threads.
fn found(source: &str) -> Vec<String> {
    let program = assemble(source, "test.s").unwrap();
    let config = config();
    let stacks = config.stacks_begin()..config.memory;
    let checker = Checker::new(&program, (WARPS * THREADS) as u32, stacks);
    let machine = Machine::new(&program, &config).unwrap();
    let mut machine = machine.with_checker(Box::new(checker));
    machine.run(&limits(), |_| ());
    told(&program, machine.take_checker().unwrap())
}

fn limits() -> Limits {
    Limits {
        instructions: Some(100_000),
        ..Limits::default()
    }
}

fn told(program: &weft_isa::Program, mut checker: Box<Checker>) -> Vec<String> {
    let names = Names::of_program(program);
    checker.findings().iter().map(|f| f.text(&names)).collect()
}

/// Each thread has its word of `cells` at s1, its neighbour's at s2.
const OWN_AND_NEXT: &str =
    "_start: la s0, cells\n slli t0, a0, 2\n add s1, s0, t0\n xori t0, a0, 1\n slli t0, t0, 2\n\
                            add s2, s0, t0\n";
const CELLS: &str =
    "\n exit\n .data\ncells: .zero 64\nflag: .word 0\nlock: .word 0\nend: .word 0\n";

fn of_cells(body: &str) -> Vec<String> {
    found(&format!("{OWN_AND_NEXT}{body}{CELLS}"))
}

#[test]
fn a_barrier_orders() {
    assert_eq!(
        of_cells("sw a0, 0(s1)\n bar.sync 0\n lw t1, 0(s2)"),
        [""; 0]
    );
}

/// Programs that are right: nothing is found.
#[test]
fn what_is_ordered_is_silent() {
    for (what, body) in [
        ("a barrier", "sw a0, 0(s1)\n bar.sync 0\n lw t1, 0(s2)"),
        ("each its own", "sw a0, 0(s1)\n lw t1, 0(s1)\n sb a0, 2(s1)\n lhu t1, 2(s1)"),
        ("bytes beside each other", "add s1, s0, a0\n sb a0, 0(s1)\n lbu t1, 0(s1)"),
        ("reads of all", "lw t1, 0(s1)\n lw t1, 0(s2)"),
        ("atomics", "li t0, 1\n la t1, end\n amoadd.w t2, t0, (t1)\n lr.w t2, (t1)"),
        ("an atomic and a barrier", "li t0, 1\n la t1, end\n amoadd.w t2, t0, (t1)\n bar.sync 0\n lw t2, 0(t1)"),
        (
            "two barriers in turn, many times",
            "li t3, 5\nagain: sw t3, 0(s1)\n bar.sync 0\n lw t1, 0(s2)\n bar.sync 0\n addi t3, t3, -1\n bnez t3, again",
        ),
        (
            "some end before the barrier, and have written",
            "li t0, 3\n sw a0, 0(s1)\n bltu a0, t0, out\n bar.sync 0\n lw t1, 0(s0)\nout:",
        ),
        (
            "a flag with fences",
            "la t1, flag\n bnez a0, wait\n sw a0, 4(s0)\n fence rw, w\n li t0, 1\n sw t0, 0(t1)\n j out\n\
             wait: lw t0, 0(t1)\n fence r, rw\n beqz t0, wait\n lw t2, 4(s0)\nout:",
        ),
        (
            "a flag by exchange and acquire",
            "la t1, flag\n bnez a0, wait\n sw a0, 4(s0)\n li t0, 1\n amoswap.w.rl x0, t0, (t1)\n j out\n\
             wait: lr.w.aq t0, (t1)\n beqz t0, wait\n lw t2, 4(s0)\nout:",
        ),
        (
            "a lock",
            "la t1, lock\n la t4, end\ntake: li t0, 1\n amoswap.w.aq t2, t0, (t1)\n bnez t2, take\n lw t3, 0(t4)\n \
             addi t3, t3, 1\n sw t3, 0(t4)\n amoswap.w.rl x0, x0, (t1)",
        ),
        (
            "a lock that a release store frees",
            "la t1, lock\n la t4, end\ntake: li t0, 1\n amoswap.w.aq t2, t0, (t1)\n bnez t2, take\n lw t3, 0(t4)\n \
             addi t3, t3, 1\n sw t3, 0(t4)\n fence rw, w\n sw x0, 0(t1)",
        ),
        (
            "from one to the next through a counter",
            "la t1, end\n sw a0, 0(s1)\n li t0, 1\n amoadd.w.aqrl t2, t0, (t1)\n li t3, 7\n bne t2, t3, out\n lw t4, 0(s0)\n \
             lw t4, 4(s0)\n lw t4, 28(s0)\nout:",
        ),
        ("its own stack", "addi sp, sp, -16\n sw a0, 0(sp)\n lw t0, 0(sp)\n addi sp, sp, 16"),
    ] {
        assert_eq!(of_cells(body), [""; 0], "{what}");
    }
}

/// Programs that are wrong: one finding each, with the address of each instruction.
#[test]
fn what_nothing_orders_is_found() {
    // Word of the instruction behind what is common, which takes seven words.
    let at = |word: u32| format!("{:#x}", 0x1000 + 4 * (7 + word));
    for (what, body, does, words) in [
        ("no barrier", "sw a0, 0(s1)\n lw t1, 0(s2)", ["writes", "reads"], [0, 1]),
        ("all write one word", "sw a0, 0(s0)", ["writes", "writes"], [0, 0]),
        ("read and then written", "lw t1, 0(s2)\n sw a0, 0(s1)", ["reads", "writes"], [0, 1]),
        ("bytes of a word that is read", "sb a0, 1(s1)\n lw t1, 0(s2)", ["writes", "reads"], [0, 1]),
        (
            "a barrier too early",
            "bar.sync 0\n sw a0, 0(s1)\n lw t1, 0(s2)",
            ["writes", "reads"],
            [1, 2],
        ),
        (
            "another barrier for each warp",
            "srli t0, a0, 2\n li t1, 4\n xor s2, a0, t1\n slli s2, s2, 2\n add s2, s2, s0\n sw a0, 0(s1)\n lw t1, 0(s2)",
            ["writes", "reads"],
            [5, 6],
        ),
        (
            "atomic and not",
            "li t0, 1\n amoadd.w t2, t0, (s0)\n lw t1, 0(s0)",
            ["writes, atomically,", "reads"],
            [1, 2],
        ),
        (
            "a flag without fences",
            "la t1, flag\n bnez a0, wait\n sw a0, 4(s0)\n li t0, 1\n sw t0, 0(t1)\n j out\n\
             wait: lw t0, 0(t1)\n beqz t0, wait\nout:",
            ["reads", "writes"],
            [7, 5],
        ),
        (
            "a counter that releases nothing",
            "la t1, end\n sw a0, 0(s1)\n li t0, 1\n amoadd.w t2, t0, (t1)\n li t3, 7\n bne t2, t3, out\n lw t4, 0(s0)\nout:",
            ["writes", "reads"],
            [2, 7],
        ),
    ] {
        let found = of_cells(body);
        assert!(!found.is_empty(), "{what}");
        let lines: Vec<&str> = found[0].lines().collect();
        assert!(lines[0].starts_with("race: two threads access"), "{what}: {found:#?}");
        let mut seen: Vec<String> = lines[1..]
            .iter()
            .map(|line| line.trim().split_once(' ').unwrap().1.split_once(' ').unwrap().1.to_string())
            .collect();
        let mut told: Vec<String> = does
            .iter()
            .zip(words)
            .map(|(does, word)| format!("{does} at {}", at(word)))
            .collect();
        seen.sort();
        told.sort();
        assert_eq!(seen, told, "{what}: {found:#?}");
    }
}

#[test]
fn what_nobody_has_written_and_what_belongs_to_nothing_is_found() {
    for (body, what) in [
        (
            "bnez a0, out\n lw t0, -64(sp)\nout:",
            "nobody has written 4 bytes at address 0x0000ffc0, which is read",
        ),
        (
            "bnez a0, out\n li t0, 0x4000\n lw t0, 0(t0)\nout:",
            "4 bytes at address 0x00004000 belongs to nothing in the program",
        ),
        (
            "bnez a0, out\n li t0, 0x4001\n sb t0, 0(t0)\nout:",
            "the byte at address 0x00004001 belongs to nothing in the program",
        ),
        (
            "bnez a0, out\n la t0, _start\n sw t0, 0(t0)\nout:",
            "4 bytes at address 0x00001000 is code, and is written",
        ),
    ] {
        let found = of_cells(body);
        let heads: Vec<&str> = found.iter().map(|f| f.lines().next().unwrap()).collect();
        assert_eq!(heads[0], what, "{found:#?}");
    }
}

/// CHECK-020, CHECK-010 in the scratchpad and over several CTAs.
#[test]
fn the_scratchpad_is_that_of_a_cta() {
    let run = |body: &str| {
        let source = format!("_start: li s0, 0xd0000000\n csrr t0, 0xcc7\n andi t0, a0, 7\n slli t0, t0, 2\n add s1, s0, t0\n{body}\n exit\n");
        let program = assemble(&source, "test.s").unwrap();
        let launch = Launch {
            grid: [2, 1, 1],
            cta: [8, 1, 1],
            scratchpad: 64,
            ..Launch::default()
        };
        let mut memory = Memory::load(&program, config().memory);
        let mut checker = Some(Box::new(Checker::new(&program, launch.threads(), 0..0)));
        for cta in 0..2 {
            let machine = Machine::of_cta(&program, &config(), &launch, cta, memory).unwrap();
            let mut machine = machine.with_checker(checker.take().unwrap());
            machine.run(&limits(), |_| ());
            checker = machine.take_checker();
            memory = machine.into_memory();
        }
        told(&program, checker.unwrap())
    };
    assert_eq!(run("sw a0, 0(s1)\n bar.sync 0\n lw t1, 0(s0)"), [""; 0]);
    let found = run("lw t1, 0(s1)");
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(found[0].starts_with("nobody has written 4 bytes at address 0xd0000000 in the scratchpad, which is read (15 more times)"), "{found:#?}");
    let found = run("sw a0, 0(s1)\n lw t1, 0(s0)");
    assert!(found[0].starts_with("race: "), "{found:#?}");
}
