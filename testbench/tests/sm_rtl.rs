//! `weft_sm` itself under Verilator: in lockstep, under the monitors of its ports, and at the end against every thread
//! alone.
//!
//! `SM_SEED`, `SM_FIRST`, `SM_PROGRAMS` choose other random programs.
//! `SM_FAULTS=all`, or names with commas between, chooses other broken
//! copies.

#[path = "support/launcher.rs"]
mod launcher;

use launcher::{Departing, Departure};
use weft_generate::Unit;
use weft_isa::Program;
use weft_sim::{Config, FaultCause, Force, Launch};
use weft_testbench::core::Pick;
use weft_testbench::instructions::{Instructions, MEMORY};
use weft_testbench::rtl::faults::{self, Fault};
use weft_testbench::sm::cosim::{cosim, draw};
use weft_testbench::sm::grid;
use weft_testbench::sm::lockstep::Blind;
use weft_testbench::sm::memory::AxiTiming;
use weft_testbench::sm::report::Seen;
use weft_testbench::sm::verilated::{run_copy, run_program, Verilated};
use weft_testbench::sm::{Shape, SmError, SmOptions, SmReport};
use weft_testbench::timing::Latency;

fn number(name: &str, default: u64) -> u64 {
    let given = std::env::var(name).ok();
    given.map_or(default, |n| {
        n.parse().unwrap_or_else(|_| panic!("{name}={n}"))
    })
}

fn random_programs(shape: Shape, default_seed: u64, default_programs: u64) -> Seen {
    let first = number("SM_FIRST", 0);
    let programs = number("SM_PROGRAMS", default_programs);
    let seed = number("SM_SEED", default_seed);
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let range = (first, programs);
    let totals = cosim(
        seed,
        range,
        shape,
        &mut run_program,
        Some(folder),
        &mut |_| (),
    );
    let totals = totals.unwrap_or_else(|f| panic!("{f}"));
    assert_eq!(totals.programs, programs);
    println!(
        "{} behind a reset while another ran, {} with accesses on their way",
        totals.seen.resets, totals.seen.resets_busy
    );
    println!(
        "{} behind a launch that was killed, {} of which ran then",
        totals.seen.kills, totals.seen.kills_running
    );
    assert!(totals.seen.resets_busy > 0 || programs < default_programs);
    assert!(totals.seen.kills_running > 0 || programs < default_programs);
    println!("{} also against every thread alone", totals.oracle_compared);
    let s = &totals.seen;
    println!(
        "{} rows of shared registers; most warps at once {}",
        s.shared_rows, s.most_warps
    );
    println!(
        "{} faults: {} outside of memory, {} fetches with an error; {} with levels, by policy {:?}, {} with random yields",
        s.faults,
        s.fetches_outside,
        s.fetch_errors,
        totals.with_levels,
        totals.policies,
        totals.random_yields
    );
    let drawn = totals.with_levels > 0 && totals.policies.iter().filter(|n| **n > 0).count() > 1;
    assert!(drawn || programs < default_programs, "{totals:?}");
    println!(
        "{} subv.auto, {} of them sub-vector mode; decisions: {} regular, {} sub-vector; {} reads not counted",
        s.modes_asked, s.modes_subvector, s.decided_regular, s.decided_subvector, s.reads_uncounted
    );
    totals.seen
}

#[test]
fn random_programs_on_4x4() {
    random_programs(Shape::TINY, 1, 12);
}

/// Registers that two parts share, and rows for half of the warps (SUBV-053).
#[test]
fn random_programs_on_few_rows() {
    let seen = random_programs(TWO_OF_FOUR, 23, 6);
    assert!(seen.shared_rows > 0);
}

/// Two parts: program 0 fills the queue of the load/store unit with accesses of two passes (DATA-015).
#[test]
fn random_programs_on_4x8_with_4_lanes() {
    let seen = random_programs(Shape::of(4, 8, 4), 7, 9);
    let counts = [
        seen.divisions,
        seen.divisions_beside,
        seen.divisions_of_parts,
    ];
    println!("divisions: all, beside another one, of two parts: {counts:?}");
    assert!(counts.iter().all(|&n| n > 10), "{counts:?}");
}

/// Float on every second lane: two turns of a pass.
#[test]
fn random_programs_with_float() {
    let seen = random_programs(FLOAT, 12, 9);
    let counts = [
        seen.floats,
        seen.float_fused,
        seen.float_drains,
        seen.float_roots,
        seen.float_predicated,
    ];
    println!(
        "float: all, fused, of these drain, divisions and square roots, predicated: {counts:?}"
    );
    assert!(counts.iter().all(|&n| n > 0), "{counts:?}");
}

/// Float on every second lane of two parts.
const FLOAT: Shape = Shape::of(4, 8, 4).float(2);

/// The float CSRs read 0 and take 0, flags anything; thread 13, in the second part of its warp, is the first to write
/// another rounding mode (ISA-041).
fn rounding_modes(fault: Option<&str>) -> Result<(), String> {
    for (csr, shift) in [("frm", 0), ("fcsr", 5)] {
        let text = format!(
            "
            _start:
                csrr    t0, wtid
                csrrw   t1, fflags, t0
                csrrs   t1, fflags, t0
                csrrwi  t2, frm, 0
                csrrw   t2, fcsr, zero
                csrrc   t2, {csr}, t0
                addi    t3, t0, -13
                slti    t4, t3, 0
                xori    t4, t4, 1
                slli    t4, t4, {shift}
                csrrs   t5, {csr}, t4
                ecall
            "
        );
        let program = weft_isa::assemble(&text, "rounding.s").expect("a program");
        let report = on(FLOAT, AxiTiming::default(), &program, 15, &[], fault)?;
        let fault = report.fault.ok_or("no fault")?;
        let cause = FaultCause::of_sm(fault.cause, fault.address);
        let illegal = matches!(cause, Some(FaultCause::IllegalInstruction(_)));
        // The second warp has threads 8 to 14, and 13 is in its second part.
        if (fault.warp, fault.lane, illegal) != (1, 5, true) {
            return Err(format!("{csr}: {fault:?}"));
        }
    }
    Ok(())
}

#[test]
fn only_one_rounding_mode_can_be_written() {
    rounding_modes(None).unwrap();
}

/// Every instruction with operands at the edges, on the SM or on a broken copy of it: results as on an independent
/// simulator.
fn edge_operands(fault: Option<&str>) -> Result<(), String> {
    let all = Instructions::default();
    let report = directed(&all.program(false), 13, &[], fault)?;
    all.check(&report.memory, 13)
}

/// A line that the programs by hand have for nothing else: memory answers it with an error.
const BAD_LINE: u32 = 0x8_0000;

/// A program by hand, in a CTA of so many threads, at 4 x 4 on 4 lanes.
fn directed(
    program: &Program,
    threads: u32,
    bad_lines: &[u32],
    fault: Option<&str>,
) -> Result<SmReport, String> {
    directed_at(AxiTiming::default(), program, threads, bad_lines, fault)
}

/// As [`directed`], with a memory of its own kind.
fn directed_at(
    axi: AxiTiming,
    program: &Program,
    threads: u32,
    bad_lines: &[u32],
    fault: Option<&str>,
) -> Result<SmReport, String> {
    on(Shape::TINY, axi, program, threads, bad_lines, fault)
}

/// As [`directed_at`], on an SM of this shape.
fn on(
    shape: Shape,
    axi: AxiTiming,
    program: &Program,
    threads: u32,
    bad_lines: &[u32],
    fault: Option<&str>,
) -> Result<SmReport, String> {
    let options = SmOptions {
        shape,
        launch: Launch {
            cta: [threads, 1, 1],
            scratchpad: 1024,
            ..Launch::default()
        },
        machine: Config {
            memory: MEMORY,
            ..Config::default()
        },
        bad_lines: bad_lines.to_vec(),
        axi,
        cycles: Some(20_000_000),
        ..SmOptions::default()
    };
    run_copy(program, &options, fault, &mut Blind).map_err(|e| e.to_string())
}

/// Two lines of instructions that have the same place in the line cache, 4 KiB apart, by turns.
const SAME_PLACE: &str = "
    _start:
        li      s0, 3
    near:
        addi    s0, s0, -1
        j       far
        .balign 4096
    far:
        addi    s1, s1, 7
        bnez    s0, near
        ecall
";

/// Each warp writes into its own function, two lines of it, which it has just executed, and into the word behind a
/// `fence.i` of all of them; and runs it (ISA-023).
fn writes_code() -> String {
    let begin = "
    _start:
        csrr    s0, wtid
        srli    s1, s0, 2
        slli    t0, s1, 7
        la      s2, functions
        add     s2, s2, t0
        la      s6, here
        slli    s1, s1, 4
        li      s3, 0
        li      s4, 5
    round:
        jalr    ra, 0(s2)
        add     t0, s4, s1
        slli    t0, t0, 20
        addi    t1, t0, 0x593
        sw      t1, 0(s2)
        addi    t1, t0, 0x613
        sw      t1, 68(s2)
        sw      t1, 0(s6)
        fence.i
    here:
        li      a2, 0
        jalr    ra, 0(s2)
        add     s3, s3, a1
        add     s3, s3, a2
        addi    s4, s4, -1
        bnez    s4, round
        la      t0, sums
        slli    s0, s0, 2
        add     t0, t0, s0
        sw      s3, 0(t0)
        ecall
        .balign 64
    functions:";
    let function = "
        li      a1, 0
        j       .+60
        .balign 64
        nop
        li      a2, 0
        ret
        .balign 64";
    let end = "
        .data
    sums: .zero 64";
    [begin, &function.repeat(4), end].concat()
}

/// What is written is executed, also where stores take long.
fn code_is_written(fault: Option<&str>) -> Result<(), String> {
    let program = weft_isa::assemble(&writes_code(), "code.s").expect("a program");
    let slow = AxiTiming {
        latency: Latency::Fixed(100),
        ..AxiTiming::default()
    };
    for axi in [AxiTiming::default(), slow] {
        let report = directed_at(axi, &program, 15, &[], fault)?;
        let sum = |thread: u32| report.memory.read_u32(program.symbols["sums"] + 4 * thread);
        let sums: Vec<_> = (0..15).map(|thread| sum(thread).expect("mapped")).collect();
        // Rounds 5 to 1, each in both words.
        let right: Vec<_> = (0..15)
            .map(|thread| 2 * (15 + 5 * 16 * (thread / 4)))
            .collect();
        if sums != right {
            return Err(format!("{sums:?}, not {right:?}"));
        }
    }
    Ok(())
}

/// Thread 5 loads from where nothing is, with much behind it that must not happen (SM-013).
fn after_a_fault() -> String {
    let behind = "
        sw      s1, 0(s0)
        addi    s2, s2, 1
        mul     s3, s1, s1
        sw      s1, 0(s0)
    ";
    format!(
        "
        _start:
            csrr    t0, wtid
            la      s0, cells
            slli    t1, t0, 2
            add     s0, s0, t1
            li      s1, 1
            addi    t1, t0, -5
            beqz    t1, faults
            sw      s1, 0(s0)
            ecall
        faults:
            lw      t2, 0(zero)
            {}
            j       faults
        .data
        cells: .zero 64
        ",
        behind.repeat(16)
    )
}

/// A store to where nothing is waits behind atomics, and behind it a fault comes that the datapath finds at once, in
/// each warp another one: that of the store is reported (SM-013).
const FAULT_BEHIND_A_FAULT: &str = "
    _start:
        csrr    t0, wtid
        la      s0, cells
        slli    t1, t0, 2
        add     s0, s0, t1
        srli    t0, t0, 2
        addi    t1, t0, -1
        addi    t2, t0, -2
        amoadd.w zero, t0, (s0)
        amoadd.w zero, t0, (s0)
        amoadd.w zero, t0, (s0)
        amoadd.w zero, t0, (s0)
        sb      t0, 16(zero)
        beqz    t0, breaks
        beqz    t1, illegal
        beqz    t2, counter
        jalr    zero, 2(s0)
    breaks:
        ebreak
    illegal:
        .word   0
    counter:
        csrrw   t0, wsize, t0
        sw      t0, 0(s0)
        sw      t0, 1(s0)
        sw      t0, 16(zero)
        ecall
    .data
    cells: .zero 64
";

/// An error response comes when the fault of a later access is known already, in each warp another one: behind a store,
/// behind a load, behind an atomic; in the last warp both are of one instruction, and the lower thread is named (SM-013).
const FAULT_BEFORE_A_FAULT: &str = "
    _start:
        csrr    t0, wtid
        li      s0, 0x80000
        andi    t1, t0, 3
        slli    t2, t1, 2
        add     s0, s0, t2
        addi    t1, t1, -3
        seqz    t1, t1
        srli    t0, t0, 2
        addi    t2, t0, -1
        addi    t3, t0, -2
        beqz    t0, store
        beqz    t2, load
        beqz    t3, atomic
        add     s0, s0, t1
        sw      t0, 0(s0)
        ecall
    store:
        sw      t0, 0(s0)
        lw      t4, 16(zero)
        sw      t0, 1(s0)
        ecall
    load:
        lw      t4, 0(s0)
        sw      t0, 16(zero)
        lw      t5, 1(s0)
        ecall
    atomic:
        amoadd.w t4, t0, (s0)
        sb      t0, 16(zero)
        .word   0
";

/// In each warp some threads, not the first one, go to where nothing can be: misaligned by a register and by a branch,
/// unmapped, and named by a PUSH (DATA-043).
const BAD_TARGETS: &str = "
    _start:
        csrr    t0, wtid
        andi    t1, t0, 3
        srli    t0, t0, 2
        addi    t2, t0, -1
        addi    t3, t0, -2
        la      s0, out
        beqz    t0, register
        beqz    t2, branch
        beqz    t3, above
        .insn j 0x0B, x0, .+6
    register:
        slti    t1, t1, 2
        xori    t1, t1, 1
        slli    t1, t1, 1
        add     s0, s0, t1
        jr      s0
    branch:
        sltiu   t1, t1, 3
        xori    t1, t1, 1
        .insn b 0x63, 1, t1, x0, .+6
        ecall
    above:
        lui     s1, 0x1000
        slti    t1, t1, 1
        bnez    t1, out
        jr      s1
    out:
        ecall
";

/// Mask instructions and jumps in a predicated block, in each warp another one: illegal (MASK-031, DATA-044).
const ILLEGAL_IN_A_BLOCK: &str = "
    _start:
        csrr    t0, wtid
        andi    t1, t0, 1
        srli    t0, t0, 2
        addi    t2, t0, -1
        addi    t3, t0, -2
        beqz    t0, jump
        beqz    t2, logic
        beqz    t3, call
        mset    m1, t1
        mpred   m1, 2
        addi    s1, s1, 1
        mpred   m1, 1
        ecall
    jump:
        mset    m1, t1
        mpred   m1, 8
        addi    s1, s1, 1
        beqz    t0, jump
        ecall
    logic:
        mset    m1, t1
        mpred   m1, 3
        addi    s1, s1, 1
        mmov    m2, m1
        ecall
    call:
        mset    m1, t1
        mpred   m1, 1
        ecall
";

/// Each thread writes `wlevel`, some of them only, and reads it back (DATA-051).
const LEVELS: &str = "
    _start:
        csrr    t0, wtid
        andi    t1, t0, 7
        csrw    wlevel, t1
        csrr    s0, wlevel
        andi    t2, t0, 1
        beqz    t2, even
        csrrs   s1, wlevel, t0
        csrr    s2, wlevel
        j       last
    even:
        csrrwi  s1, wlevel, 3
    last:
        csrr    s3, wlevel
        ecall
";

/// Words of the scratchpad that are all in one bank, each in a row of its own.
const ONE_BANK: &str = "
    _start:
        csrr    t0, wtid
        slli    t1, t0, 4
        li      s0, 0xd0000000
        add     s0, s0, t1
        addi    t2, t0, 1
        sw      t2, 0(s0)
        lw      t3, 0(s0)
        slli    t3, t3, 1
        sw      t3, 0(s0)
        lw      t4, 0(s0)
        addi    t4, t4, 1
        ecall
";

/// Behind the fault the lanes divide the first one, and the second one waits for them.
const ENDS_DIVIDING: &str =
    "li t0, 0x7ffffff0\n li t1, 3\n div t2, t0, t1\n div t3, t0, t1\n .word 0";

/// Where that takes longer than it takes to tell an end: each of the two has eight passes.
const PARTS: Shape = Shape::of(4, 32, 4);

/// One warp that ends while something of it is on its way, at a memory of 250 cycles (SM-014).
/// Each program is in the first half of a line of instructions, so that no other one is asked for, but where that is
/// meant.
const ENDS: [(&str, &str); 5] = [
    (
        "ends with a line of instructions on its way",
        "nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n ecall",
    ),
    // The first load has the second line read ahead, the second load the third one.
    (
        "ends with a line of data on its way",
        "la s0, cells\n lw t0, 0(s0)\n add s0, s0, t0\n lw t1, 64(s0)\n ecall",
    ),
    ("ends with a store on its way", "la s0, cells\n sw s0, 0(s0)\n ecall"),
    (
        "ends with tokens on their way",
        "push sync, 1f\n push sync, 2f\n push sync, 3f\n push sync, 4f\n ecall\n 1: ecall\n 2: ecall\n 3: ecall\n 4: ecall",
    ),
    // EXIT waits for what is in flight, a fault does not.
    ("ends at a fault with a division under way", ENDS_DIVIDING),
];

/// In one pass dividends of one to four bytes, of both signs, by divisors of both signs, one of them 0; then without the
/// threads of the longest ones. Each division comes behind another one (DATA-032).
const DIVISIONS: &str = "
    _start:
        li      t0, 0x7ffffff1
        slli    t1, a0, 3
        srl     t1, t0, t1
        neg     t2, t1
        addi    t3, a0, -6
        divu    s0, t1, t3
        remu    s1, t1, t3
        div     s2, t2, t3
        rem     s3, t2, t3
        div     zero, t1, t3
        rem     s4, t1, t3
        add     s5, s4, s2
        rem     s5, s5, t3
        andi    t4, a0, 3
        beqz    t4, away
        div     s6, t2, t3
        remu    s7, t2, t3
    away:
        div     s8, s6, s7
        ecall
";

/// A store, a fence and an atomic: the atomic waits in the load/store unit, and acts before the fence's `done` is told
/// (MEM-014).
const BEHIND_A_FENCE: &str = "
    la          s0, cells
    li          t0, 7
    sw          t0, 0(s0)
    fence
    amoadd.w    t1, t0, (s0)
    fence
    sw          t1, 64(s0)
    ecall
";

/// A program at a memory of 250 cycles.
fn ends(text: &str, fault: Option<&str>) -> Result<(), String> {
    ends_on(Shape::TINY, text, fault)
}

/// One warp of it on an SM of this shape.
fn ends_on(shape: Shape, text: &str, fault: Option<&str>) -> Result<(), String> {
    let text = format!(
        "
        _start:
            {text}
        .data
        .balign 64
        cells: .zero 256
        "
    );
    let program = weft_isa::assemble(&text, "kernel.s").expect("a program");
    let axi = AxiTiming {
        latency: Latency::Fixed(250),
        ..AxiTiming::default()
    };
    on(shape, axi, &program, shape.threads as u32, &[], fault).map(|_| ())
}

/// A loop that `subv.auto` begins, six times over: each thread reads sixteen lines, eight times.
/// `own`: lines of its own, or those of everybody.
fn mode_kernel(own: bool) -> String {
    let mine = if own { "slli t1, t0, 10" } else { "li t1, 0" };
    format!(
        "
        _start:
            csrr    t0, wtid
            la      s0, lines
            {mine}
            add     s0, s0, t1
            li      s1, 6
        again:
            subv.auto whole
            li      s2, 8
        round:
            mv      s3, s0
            li      s4, 16
        line:
            lw      t2, 0(s3)
            add     s5, s5, t2
            addi    s3, s3, 64
            addi    s4, s4, -1
            bnez    s4, line
            addi    s2, s2, -1
            bnez    s2, round
            sync    whole
        whole:
            addi    s1, s1, -1
            bnez    s1, again
            la      s0, sums
            slli    t1, t0, 2
            add     s0, s0, t1
            sw      s5, 0(s0)
            ecall
        .data
        .balign 64
        lines:  .fill 2048, 4, 3
        sums:   .zero 64
        "
    )
}

/// A kernel with `subv.auto` on 8 threads on 4 lanes.
fn selects(own: bool, force: Force, fault: Option<&str>) -> Result<SmReport, String> {
    let program = weft_isa::assemble(&mode_kernel(own), "kernel.s").expect("a program");
    let options = SmOptions {
        shape: Shape::of(4, 8, 4),
        launch: Launch {
            cta: [8, 1, 1],
            ..Launch::default()
        },
        machine: Config {
            memory: MEMORY,
            subvector: force,
            ..Config::default()
        },
        axi: AxiTiming {
            latency: Latency::Fixed(100),
            ..AxiTiming::default()
        },
        oracle: true,
        cycles: Some(20_000_000),
        ..SmOptions::default()
    };
    run_copy(&program, &options, fault, &mut Blind).map_err(|e| e.to_string())
}

/// SUBV-011 on the SM: eight threads have more lines than the cache and four have not, so sub-vector mode is selected;
/// lines that all threads read are there, and regular mode is. The results are those of every thread alone in either.
fn modes_are_selected(fault: Option<&str>) -> Result<(), String> {
    let hungry = selects(true, Force::Measured, fault)?.seen;
    let content = selects(false, Force::Measured, fault)?.seen;
    if (hungry.modes_asked, hungry.modes_subvector) != (6, 5) {
        return Err(format!(
            "not five of six loops in sub-vector mode: {hungry:?}"
        ));
    }
    let to_regular = content.decided_regular > 0 && content.decided_subvector == 0;
    if !to_regular || content.modes_subvector != 0 {
        return Err(format!("not regular: {content:?}"));
    }
    Ok(())
}

#[test]
fn the_mode_is_selected_by_what_is_measured() {
    assert_eq!(modes_are_selected(None), Ok(()));
    let run = |force| selects(true, force, None).unwrap();
    let (regular, subvector) = (run(Force::Regular), run(Force::SubVector));
    let (r, s) = (regular.cache, subvector.cache);
    println!(
        "regular: {} cycles, {r:?}; sub-vector: {} cycles, {s:?}",
        regular.cycles, subvector.cycles
    );
    assert_eq!(regular.seen.modes_subvector, 0);
    assert_eq!(subvector.seen.modes_subvector, 6);
    assert_eq!(subvector.seen.reads_uncounted, s.reads());
    assert!(r.misses + r.past > 4 * (s.misses + s.past), "{r:?} {s:?}");
    assert!(subvector.cycles < regular.cycles);
}

/// Rows for two of four warps.
const TWO_OF_FOUR: Shape = Shape {
    registers: 2,
    ..Shape::of(4, 8, 4)
};

/// Four times: sixteen values, all in use at once, in x16 to x31, and nothing of them before or behind the loop.
fn registers_kernel() -> String {
    let each = |line: &dyn Fn(u32) -> String| (16..32).map(line).collect::<String>();
    let read = each(&|k| {
        let (from, own) = (64 * (k - 16), 97 * k % 2048);
        format!("lw x{k}, {from}(s0)\nadd x{k}, x{k}, t0\naddi x{k}, x{k}, {own}\n")
    });
    let mix = each(&|k| format!("add x{k}, x{k}, x{}\n", 16 + (k - 11) % 16));
    let sum = each(&|k| format!("xor t2, t2, x{k}\n"));
    format!(
        "
        _start:
            csrr    t0, wtid
            la      s0, values
            slli    t1, t0, 2
            add     s0, s0, t1
            li      s1, 4
            li      t2, 0
        again:
            subv.auto whole
            {read}{mix}{sum}
            sync    whole
        whole:
            addi    s0, s0, 4
            addi    s1, s1, -1
            bnez    s1, again
            la      s0, sums
            slli    t1, t0, 2
            add     s0, s0, t1
            sw      t2, 0(s0)
            ecall
        .data
        .balign 64
        values: .fill 4096, 4, 0x01234567
        sums:   .zero 8192
        "
    )
}

/// Thirteen CTAs of so many threads, with registers from xF on shared; `judged`: in lockstep, and as every thread alone.
fn on_few_rows(
    shape: Shape,
    threads: u32,
    shared_from: u8,
    judged: bool,
) -> Result<SmReport, SmError> {
    let text = registers_kernel();
    let program = weft_isa::assemble(&text, "kernel.s").expect("a program");
    let subvector = match shared_from {
        32 => Force::Regular,
        _ => Force::SubVector,
    };
    let options = SmOptions {
        shape,
        launch: Launch {
            grid: [13, 1, 1],
            cta: [threads, 1, 1],
            ..Launch::default()
        },
        machine: Config {
            memory: MEMORY,
            subvector,
            shared_from,
            ..Config::default()
        },
        axi: AxiTiming {
            latency: Latency::Fixed(100),
            ..AxiTiming::default()
        },
        oracle: judged,
        lockstep: judged,
        unchecked: !judged,
        cycles: Some(20_000_000),
        ..SmOptions::default()
    };
    run_copy(&program, &options, None, &mut Blind)
}

/// For each F, warps that are resident: as many are, and not one more; a CTA that is larger is refused (SUBV-054).
fn registers_are_accounted(shape: Shape, by_shared_from: &[(u8, u32)]) {
    let width = shape.threads as u32;
    for &(shared_from, resident) in by_shared_from {
        // CTAs of a partial warp; of two warps, the second one with one thread, of which the next one may have a slot as soon
        // as one warp has ended; of all that there are.
        let ctas = [
            (width - 3, resident),
            (width + 1, resident / 2 * 2),
            (width * resident, resident),
        ];
        for (threads, least) in ctas {
            let report = on_few_rows(shape, threads, shared_from, true);
            let report = report.unwrap_or_else(|e| panic!("F = {shared_from}, {threads}: {e}"));
            let s = &report.seen;
            assert_eq!(report.resident, resident, "F = {shared_from}");
            let most = s.most_warps;
            let right = u64::from(least)..=u64::from(resident);
            assert!(
                right.contains(&most),
                "F = {shared_from}, {threads}: {most}"
            );
            assert_eq!(s.shared_rows > 0, shared_from < 32);
            println!(
                "{shape}, F = {shared_from}, CTAs of {threads}: {most} warps at once, {} cycles, {} instructions",
                report.cycles, s.issued
            );
        }
        let refused = on_few_rows(shape, width * resident + 1, shared_from, false);
        assert!(matches!(refused, Err(SmError::Refused)), "{refused:?}");
    }
}

/// 128 rows of 2 F + 32 − F.
#[test]
fn registers_are_accounted_at_launch() {
    registers_are_accounted(TWO_OF_FOUR, &[(32, 2), (11, 2), (10, 3)]);
}

/// 512 rows of 4 F + 32 − F.
#[test]
#[ignore = "a model of its own: cargo xtask long sm-rows"]
fn more_warps_are_resident_with_shared_registers() {
    let by_shared_from = [(32, 4), (24, 4), (21, 5), (20, 5), (17, 6), (16, 6)];
    let shape = Shape {
        registers: 4,
        ..Shape::of(8, 16, 4)
    };
    registers_are_accounted(shape, &by_shared_from);
}

/// The programs by hand: what a broken copy makes of them, if it is noticed.
fn noticed_by_hand(fault: Option<&str>) -> Option<(&'static str, String)> {
    // A program that ends with so many warps at a fault.
    let faulting = |source: &str, threads, faults| {
        let program = weft_isa::assemble(source, "kernel.s").expect("a program");
        let report = directed(&program, threads, &[BAD_LINE], fault)?;
        match report.seen.faults == faults {
            true => Ok(()),
            false => Err(format!("{} faults, not {faults}", report.seen.faults)),
        }
    };
    let kernel = |source: &str, threads| faulting(source, threads, 0);
    type Run<'a> = &'a dyn Fn() -> Result<(), String>;
    let runs: [(&str, Run); 14] = [
        ("two lines with one place", &|| kernel(SAME_PLACE, 13)),
        ("after a fault", &|| faulting(&after_a_fault(), 13, 1)),
        ("a fault behind a fault", &|| {
            faulting(FAULT_BEHIND_A_FAULT, 16, 4)
        }),
        ("a fault before a fault", &|| {
            faulting(FAULT_BEFORE_A_FAULT, 16, 4)
        }),
        ("one bank", &|| kernel(ONE_BANK, 13)),
        ("an atomic behind a fence", &|| ends(BEHIND_A_FENCE, fault)),
        ("bad targets", &|| faulting(BAD_TARGETS, 16, 4)),
        ("illegal in a block", &|| {
            faulting(ILLEGAL_IN_A_BLOCK, 16, 4)
        }),
        ("levels", &|| kernel(LEVELS, 13)),
        ("fetches are bounded", &|| fetches_are_bounded(fault)),
        ("who goes first", &|| levels_say_who_goes_first(fault)),
        ("edge operands", &|| edge_operands(fault)),
        ("divisions", &|| kernel(DIVISIONS, 13)),
        ("code is written", &|| code_is_written(fault)),
    ];
    let error = runs
        .into_iter()
        .find_map(|(name, run)| Some((name, run().err()?)));
    let mut ends_of = ENDS.into_iter();
    error.or_else(|| ends_of.find_map(|(name, text)| Some((name, ends(text, fault).err()?))))
}

/// What a warp repeats, and the reasons that tell it, with the cycles per round that each has at least.
const REPEATED: [(&str, &[(&str, f64)]); 6] = [
    // A warp is granted every third cycle.
    (
        "addi t3, t2, 1\n addi t4, t2, 2\n addi t5, t2, 3\n addi t6, t2, 4",
        &[("steps", 8.0)],
    ),
    // Each jump is resolved, while what follows is looked up (SUPPLY-070).
    ("j 1f\n 1: j 1f\n 1:", &[("supply", 10.0), ("control", 8.0)]),
    (
        "bar.sync 0\n bar.sync 0",
        &[("supply", 16.0), ("barrier", 8.0)],
    ),
    // 17 cycles each: one is divided, one waits, the others have no place; that is told after twelve of them.
    (
        "div t3, t1, t2\n div t4, t1, t2\n div t5, t1, t2\n div t6, t1, t2",
        &[("unit", 1.0), ("steps", 30.0)],
    ),
    (
        "div t3, t1, t2\n add t4, t3, t3",
        &[("hazard", 17.0), ("steps", 0.0)],
    ),
    // The word is read and written once for all four threads, at 100 cycles each.
    (
        "amoadd.w t3, t2, (s0)\n add t4, t3, t3",
        &[("memory", 190.0), ("steps", 0.0)],
    ),
];

/// Cycles by reason of so many rounds of a loop, on one warp; memory takes 100 cycles.
fn by_reason(shape: Shape, body: &str, rounds: u32) -> Vec<(&'static str, u64)> {
    let text = format!(
        "
        _start:
            la      s0, cells
            li      t1, 0x7ffffff0
            li      t2, 3
            li      s1, {rounds}
        again:
            addi    s1, s1, -1
            {body}
            bnez    s1, again
            ecall
            .data
            .balign 64
        cells:
            .zero   64
        "
    );
    let program = weft_isa::assemble(&text, "reasons.s").unwrap_or_else(|e| panic!("{e}"));
    let options = SmOptions {
        shape,
        launch: Launch {
            cta: [shape.threads as u32, 1, 1],
            ..Launch::default()
        },
        machine: Config {
            memory: MEMORY,
            ..Config::default()
        },
        axi: AxiTiming {
            latency: Latency::Fixed(100),
            ..AxiTiming::default()
        },
        cycles: Some(100_000),
        ..SmOptions::default()
    };
    let seen = run_copy(&program, &options, None, &mut Blind).unwrap_or_else(|e| panic!("{e}"));
    let reasons = seen.seen.reasons;
    assert_eq!(reasons.issue, seen.seen.issued);
    reasons.by_name().into()
}

/// Each reason grows with its cause, and no other one with it.
#[test]
fn cycles_are_told_by_reason() {
    let per_round = |shape, body: &str| {
        // Beginning and end of a launch may differ by some fifty cycles.
        let [few, many] = [8, 72].map(|rounds| by_reason(shape, body, rounds));
        let grown = few.into_iter().zip(many);
        grown.map(|((name, few), (_, many))| (name, (many as f64 - few as f64) / 64.0))
    };
    let empty: Vec<_> = per_round(Shape::TINY, "").collect();
    for (body, told) in REPEATED {
        for ((name, cycles), (_, without)) in per_round(Shape::TINY, body).zip(&empty) {
            let more = cycles - without;
            let right = match told.iter().find(|(reason, _)| *reason == name) {
                Some((_, least)) => more >= *least,
                // Where the loop's own sum has come until the branch, a cycle or two are told otherwise.
                None => more <= 2.0 || name == "issue",
            };
            assert!(right, "{body}: {name} {more}");
        }
    }
    // A second pass of each of the four, and of the loop's own sum: alone, the branch behind it waits for it.
    let (body, _) = REPEATED[0];
    let two_parts = Shape::of(4, 8, 4);
    let unit = |body| per_round(two_parts, body).find(|(name, _)| *name == "unit");
    let of = |body| unit(body).map_or(0.0, |(_, cycles)| cycles);
    assert_eq!((of(""), of(body)), (0.0, 5.0));
}

/// MEM-021, at every address (protocol/registers.toml).
#[test]
fn the_launcher_has_the_registers_of_the_table() {
    let options = SmOptions {
        shape: Shape::TINY,
        ..SmOptions::default()
    };
    let sm = || Verilated::open(&options, None).expect("weft_sm");
    let size = 4 << 24 | 4 << 16 | 4 << 8 | 4;
    launcher::has_the_registers_of_the_table(sm(), size);
    // Each departure is noticed.
    for wrong in [Departure::Strobes, Departure::Hole, Departure::Neighbour] {
        let noticed = std::panic::catch_unwind(|| {
            launcher::has_the_registers_of_the_table(Departing(sm(), wrong), size);
        });
        assert!(noticed.is_err(), "{wrong:?}");
    }
}

/// MEM-022: one wrong number each, and what is as large as it may be.
#[test]
fn launches_are_refused() {
    let program = weft_isa::assemble("_start: ecall", "kernel.s").expect("a program");
    let good = SmOptions {
        shape: Shape::TINY,
        launch: Launch {
            grid: [2, 1, 1],
            cta: [16, 1, 1],
            scratchpad: 1024 * Shape::TINY.scratchpad,
            local: 16,
            ..Launch::default()
        },
        machine: Config {
            memory: MEMORY,
            tokens: 1023,
            ..Config::default()
        },
        cycles: Some(100_000),
        lockstep: false,
        unchecked: true,
        ..SmOptions::default()
    };
    let refused = |change: &dyn Fn(&mut SmOptions)| {
        let mut options = good.clone();
        change(&mut options);
        match run_copy(&program, &options, None, &mut Blind) {
            Err(SmError::Refused) => true,
            Ok(_) => false,
            Err(error) => panic!("{error}"),
        }
    };
    assert!(!refused(&|_| ()));
    assert!(!refused(&|o| o.machine.tokens = 5));
    assert!(!refused(&|o| o.machine.shared_from = 1));
    assert!(!refused(&|o| o.machine.yield_random = true));
    type Change<'a> = (&'a str, &'a dyn Fn(&mut SmOptions));
    let wrong: [Change; 16] = [
        ("policy 3", &|o| o.strange_bits.0 = 3 << 16),
        ("recentering by a driver", &|o| o.strange_bits.1 = 1 << 2),
        ("path 3", &|o| o.strange_bits.1 = 3),
        ("bit 4 of MODE", &|o| o.strange_bits.1 = 1 << 4),
        ("bit 31 of MODE", &|o| o.strange_bits.1 = 1 << 31),
        ("no register of its own", &|o| o.machine.shared_from = 0),
        ("registers beyond x31", &|o| o.machine.shared_from = 33),
        ("grid of 0", &|o| o.launch.grid[1] = 0),
        ("CTA of 0", &|o| o.launch.cta[2] = 0),
        ("17 threads of 16", &|o| o.launch.cta = [17, 1, 1]),
        ("3 x 6 threads", &|o| o.launch.cta = [3, 3, 2]),
        ("scratchpad", &|o| o.launch.scratchpad += 1),
        ("local 24", &|o| o.launch.local = 24),
        ("N = W", &|o| o.machine.tokens = 4),
        ("N = 0", &|o| o.machine.tokens = 0),
        ("N = 1,024", &|o| o.machine.tokens = 1024),
    ];
    for (what, change) in wrong {
        assert!(refused(change), "{what}");
    }
}

/// ISA-022, MEM-052, MEM-053: what is no instruction of global memory is a fault of its own, and says where; on the SM,
/// on the golden machine and alone.
fn fetches_are_bounded(copy: Option<&str>) -> Result<(), String> {
    let source = |to: &str| {
        format!(
            "
            _start:
                csrr    t0, wtid
                addi    t0, t0, -6
                bnez    t0, others
                {to}
                jalr    ra, 0(t1)
            others:
                ecall
            .balign 64
            broken:
                nop
                ecall
            "
        )
    };
    let end = MEMORY;
    let fetch = |address| FaultCause::Fetch { address };
    // Where thread 6 calls; the fault, and its pc unless it is the call's.
    let cases = [
        ("li t1, 0".into(), fetch(0), Some(0)),
        ("li t1, 0xffc".into(), fetch(0xffc), Some(0xffc)),
        (format!("li t1, {end:#x}"), fetch(end), Some(end)),
        ("li t1, 0xfff000".into(), fetch(0xff_f000), Some(0xff_f000)),
        ("li t1, 0xfffffc".into(), fetch(0xff_fffc), Some(0xff_fffc)),
        ("li t1, 0x1000000".into(), fetch(0x100_0000), None),
        ("li t1, 0xc0000000".into(), fetch(0xc000_0000), None),
        ("li t1, 0xd0000010".into(), fetch(0xd000_0010), None),
    ];
    let options = SmOptions {
        shape: Shape::TINY,
        launch: Launch {
            grid: [1, 1, 1],
            cta: [13, 1, 1],
            scratchpad: 1024,
            ..Launch::default()
        },
        machine: Config {
            memory: MEMORY,
            ..Config::default()
        },
        cycles: Some(1_000_000),
        ..SmOptions::default()
    };
    for (to, cause, pc) in &cases {
        let program = weft_isa::assemble(&source(to), "call.s").expect("a program");
        let call = program.symbols["others"] - 4;
        let pc = pc.unwrap_or(call);
        let ran = run_copy(&program, &options, copy, &mut Blind);
        let report = ran.map_err(|e| format!("{to}: {e}"))?;
        let fault = report.fault.ok_or("no fault")?;
        let seen = (fault.pc, FaultCause::of_sm(fault.cause, fault.address));
        assert_eq!((seen, fault.lane), ((pc, Some(*cause)), 2), "{to}");
        assert_eq!(report.seen.faults, 1, "{to}");
        if pc != call {
            assert_eq!(report.returns_to, Some(call + 4), "{to}");
        }
        let golden = grid::golden(&program, &options, &mut |_| ()).expect("it runs");
        assert_eq!(golden.faults.len(), 1, "{to}");
        assert_eq!(
            (golden.faults[0].pc, golden.faults[0].cause),
            (pc, *cause),
            "{to}"
        );
        let alone = grid::oracle(&program, &options)
            .err()
            .expect("a fault")
            .to_string();
        assert!(alone.contains(&cause.to_string()), "{to}: {alone}");
    }
    let program = weft_isa::assemble(&source("la t1, broken"), "call.s").expect("a program");
    let address = program.symbols["broken"];
    let broken = SmOptions {
        bad_lines: vec![address],
        ..options
    };
    let report = run_copy(&program, &broken, copy, &mut Blind).map_err(|e| e.to_string())?;
    let fault = report.fault.ok_or("no fault")?;
    let seen = (fault.pc, FaultCause::of_sm(fault.cause, fault.address));
    assert_eq!(seen, (address, Some(FaultCause::FetchBus { address })));
    assert!(report.axi.errors > 0);
    Ok(())
}

#[test]
fn instructions_come_from_memory_alone() {
    assert_eq!(fetches_are_bounded(None), Ok(()));
}

/// MEM-046: a warp whose tokens come with errors, or are written with errors, ends at a fault; the others are right.
#[test]
fn tokens_with_errors_end_their_warp() {
    // More tokens than stand on chip.
    let pushes = (0..24)
        .map(|n| format!("push sync, out{n}\n"))
        .collect::<String>();
    let outs = (0..24).rev().map(|n| match n {
        0 => "out0: addi s1, s1, 1\n".to_string(),
        _ => format!("out{n}: addi s1, s1, 1\n sync out{}\n", n - 1),
    });
    let source = format!(
        "
        _start:
            csrr    t0, wtid
            la      s0, cells
            slli    t1, t0, 2
            add     s0, s0, t1
            li      s1, 0
            {pushes}
            sync    out23
            {}
            sw      s1, 0(s0)
            ecall
        .data
        cells: .zero 64
        ",
        outs.collect::<String>()
    );
    let program = weft_isa::assemble(&source, "tokens.s").expect("a program");
    let good = SmOptions {
        shape: Shape::TINY,
        launch: Launch {
            cta: [16, 1, 1],
            ..Launch::default()
        },
        machine: Config {
            memory: MEMORY,
            tokens: 64,
            ..Config::default()
        },
        cycles: Some(200_000),
        lockstep: false,
        ..SmOptions::default()
    };
    let run = |options: &SmOptions| run_program(&program, options, &mut Blind);
    let cells = |report: &SmReport| -> Vec<u32> {
        let at = program.symbols["cells"];
        (0..16)
            .map(|n| report.memory.read_u32(at + 4 * n).expect("mapped"))
            .collect()
    };
    let right = run(&good).unwrap_or_else(|e| panic!("{e}"));
    assert!(right.fault.is_none());
    // The allocation of warp 1 is the second one, 1,024 tokens behind the first.
    let first = good.token_base() + 1024 * 8;
    let bad = SmOptions {
        bad_lines: (0..64 * 8 / 64).map(|n| first + 64 * n).collect(),
        ..good.clone()
    };
    let report = run(&bad).unwrap_or_else(|e| panic!("{e}"));
    assert!(report.axi.errors > 0);
    let fault = report.fault.expect("a fault");
    assert_eq!((fault.cause, fault.warp, fault.address), (12, 1, 0));
    let (all, seen) = (cells(&right), cells(&report));
    assert!(all.iter().all(|&n| n == 24), "{all:?}");
    for thread in (0..16).filter(|t| t / 4 != 1) {
        assert_eq!(seen[thread], all[thread], "{seen:?}");
    }
}

/// LEVEL: who goes first, by the level that the program sets, and by policy (SCHED-010 to SCHED-012).
fn levels_say_who_goes_first(fault: Option<&str>) -> Result<(), String> {
    const SOURCE: &str = "
        _start:
            csrr    t0, wblock
            csrw    wlevel, t0
            la      s0, turns
            slli    t1, t0, 2
            add     s1, s0, t1
            bar.sync 0
            li      t2, 60
        round:
            addi    t2, t2, -1
            addi    t3, t3, 1
            addi    t4, t4, 1
            addi    t5, t5, 1
            bnez    t2, round
            csrr    t6, wlane
            bnez    t6, over
            li      t6, 1
            amoadd.w t6, t6, (s0)
            sw      t6, 4(s1)
        over:
            ecall
        .data
        turns: .zero 64
    ";
    let program = weft_isa::assemble(SOURCE, "levels.s").expect("a program");
    let run = |level_mix, policy| {
        let options = SmOptions {
            shape: Shape::TINY,
            launch: Launch {
                cta: [16, 1, 1],
                ..Launch::default()
            },
            machine: Config {
                memory: MEMORY,
                ..Config::default()
            },
            level_mix,
            policy,
            cycles: Some(1_000_000),
            ..SmOptions::default()
        };
        let report = run_copy(&program, &options, fault, &mut Blind).map_err(|e| e.to_string())?;
        let at = program.symbols["turns"] + 4;
        let turn = |warp: u32| report.memory.read_u32(at + 4 * warp).expect("mapped");
        Ok::<_, String>(((0..4).map(turn).collect::<Vec<_>>(), report.cycles))
    };
    let (by_level, _) = run(1, Pick::Age)?;
    // The two of the highest levels go first, whichever of them the barrier has set free first.
    if by_level[..2] != [3, 2] {
        return Err(format!("by level: turns {by_level:?}"));
    }
    let runs = [
        run(0, Pick::Age)?,
        run(0, Pick::LooseRoundRobin)?,
        run(0, Pick::GreedyThenOldest)?,
    ];
    let differ = runs.iter().any(|run| *run != runs[0]);
    match differ {
        true => Ok(()),
        false => Err(format!("by policy: turns and cycles {runs:?}")),
    }
}

#[test]
fn levels_and_policies_count() {
    assert_eq!(levels_say_who_goes_first(None), Ok(()));
}

/// Its program 133 has an atomic that acts before the `done` of the fence before it is told (MEM-014).
#[test]
fn what_acts_behind_a_fence_finds_it_complete() {
    let case = draw(1029, 133, Shape::TINY);
    // Without what was not drawn when it was found.
    let options = SmOptions {
        level: 0,
        level_mix: 0,
        policy: Pick::Age,
        priority: 0,
        machine: Config {
            yield_random: false,
            ..case.options.machine
        },
        ..case.options
    };
    run_program(&case.source.program(), &options, &mut Blind).unwrap_or_else(|e| panic!("{e}"));
}

#[test]
fn programs_by_hand_agree() {
    assert_eq!(noticed_by_hand(None), None);
}

/// DATA-032, of two parts.
#[test]
fn divisions_of_two_parts_agree() {
    let program = weft_isa::assemble(DIVISIONS, "kernel.s").expect("a program");
    let shape = Shape::of(4, 8, 4);
    on(shape, AxiTiming::default(), &program, 21, &[], None).unwrap_or_else(|e| panic!("{e}"));
}

/// Of the broken copies these three, which stand for the lanes, the memory port and what two passes do: all of them take
/// minutes (`SM_FAULTS=all`).
const USUAL_FAULTS: &str = "shift,passes_write,pass";

/// A broken copy is noticed within so many random programs (`SM_PROGRAMS`), or by hand.
const PROGRAMS_OF_A_FAULT: u64 = 260;

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().into()
}

/// By random programs, and where these do not notice it, by the programs by hand.
#[test]
fn broken_copies_are_noticed() {
    let copies = faults::chosen(faults::of(Unit::Sm), "SM_FAULTS", USUAL_FAULTS);
    let copies = faults::prepare(copies).expect("broken copies");
    let mut unnoticed = Vec::new();
    for (design, Fault { name, breaks, .. }) in copies {
        let size = |name| design.value(name);
        let shape = Shape {
            registers: size("registers") as u32,
            float: size("float") as u32,
            ..Shape::of(size("warps"), size("threads"), size("lanes"))
        };
        let seed = if shape == Shape::TINY { 1 } else { 7 };
        let programs = (0, number("SM_PROGRAMS", PROGRAMS_OF_A_FAULT));
        let failed = cosim(
            seed,
            programs,
            shape,
            &mut |program, options, watcher| run_copy(program, options, Some(name), watcher),
            None,
            &mut |_| (),
        );
        match failed {
            Ok(_) if shape == Shape::TINY => match noticed_by_hand(Some(name)) {
                Some((kernel, error)) => {
                    println!("{name}: noticed by `{kernel}`: {}", first_line(&error))
                }
                None => unnoticed.push(format!("{name} ({breaks})")),
            },
            Ok(_) if shape.float > 0 => match rounding_modes(Some(name)) {
                Err(error) => println!(
                    "{name}: noticed by `rounding modes`: {}",
                    first_line(&error)
                ),
                Ok(()) => unnoticed.push(format!("{name} ({breaks})")),
            },
            Ok(_) if shape == PARTS => match ends_on(PARTS, ENDS_DIVIDING, Some(name)) {
                Err(error) => println!("{name}: noticed by `divides`: {}", first_line(&error)),
                Ok(()) => unnoticed.push(format!("{name} ({breaks})")),
            },
            Ok(_) => match modes_are_selected(Some(name)) {
                Err(error) => println!(
                    "{name}: noticed by `modes are selected`: {}",
                    first_line(&error)
                ),
                Ok(()) => unnoticed.push(format!("{name} ({breaks})")),
            },
            Err(failure) => {
                let error = &failure.error;
                let of_the_sm = !matches!(error, SmError::Dut(_) | SmError::Config(_));
                assert!(of_the_sm, "fault `{name}`: {error}");
                let line = first_line(&error.to_string());
                println!("{name}: noticed by program {}: {line}", failure.index);
            }
        }
    }
    assert!(unnoticed.is_empty(), "not noticed: {unnoticed:#?}");
}
