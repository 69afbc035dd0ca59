//! Rules of docs/spec/compiler.md on programs of a few lines, by the report and by the text.

mod support;

use support::judge::{assemble, equal, shape, Subject};
use support::{graphs, kernels};
use weft_compiler::{compile, Form, FunctionReport, Lower, Mutation, Options, Output};
use weft_compiler::{SubVector, TokenKind, Treatment};

fn compiled(lower: Lower, source: &str) -> Output {
    let options = Options {
        lower,
        ..Options::default()
    };
    compile(source, "a.s", &options).unwrap_or_else(|e| panic!("{e}"))
}

/// Statements, one a line, as the function `kernel`.
fn kernel(body: &str) -> String {
    format!("\t.globl kernel\nkernel:\n{body}\n")
}

fn of(lower: Lower, body: &str) -> (FunctionReport, String) {
    let mut output = compiled(lower, &kernel(body));
    (output.report.functions.remove(0), output.assembly)
}

/// Statements of the result that begin with one of these words, in order.
fn words(assembly: &str, of: &[&str]) -> Vec<String> {
    let lines = assembly.lines().map(str::trim);
    let wanted = lines.filter(|line| of.iter().any(|word| line.starts_with(word)));
    wanted.map(String::from).collect()
}

/// COMP-020, COMP-012: `elsewhere` is nobody's here.
#[test]
fn functions_begin_where_somebody_may_enter() {
    let output = compiled(
        Lower::Tokens,
        "\t.globl kernel\nkernel:\n\tla a5, taken\n\tla a6, .Llocal\n\tcall called\n\tret\n\
         \t.type typed, @function\ntyped:\n\tnop\ninner:\n\tnop\n.Llocal:\n\ttail elsewhere\n\
         called:\n\tret\ntaken:\n\tj called\n",
    );
    let functions = output.report.functions.iter();
    let found: Vec<_> = functions
        .map(|f| (f.name.as_str(), f.instructions))
        .collect();
    let names: Vec<_> = found.iter().map(|&(name, _)| name).collect();
    assert_eq!(names, ["kernel", "typed", "called", "taken"]);
    // A jump to another function ends this one.
    assert_eq!(found[3].1, 1);
}

/// COMP-021, COMP-023.
#[test]
fn shared_code_and_own_warp_control_are_left_alone() {
    let shared = "\t.globl a\na:\n\tnop\n\tj .Ls\n\t.globl b\nb:\n\tnop\n.Ls:\n\tbeqz a0, .L1\n\tnop\n.L1:\n\tret\n";
    let own = "\t.globl kernel\nkernel:\n\tbeqz a0, .L1\n\tssy .L1\n.L1:\n\tret\n";
    for (source, why) in [(shared, "shares instructions"), (own, "line 4")] {
        let output = compiled(Lower::Tokens, source);
        assert_eq!(output.assembly, source);
        for function in &output.report.functions {
            let said = function.left_alone.as_deref().expect("left alone");
            assert!(said.contains(why), "{said}");
        }
    }
}

/// COMP-022.
#[test]
fn indirect_jumps_are_followed_by_their_tables() {
    let (table, text) = of(
        Lower::Tokens,
        "\tslli a5, a0, 2\n\tla a4, .Lt\n\tadd a5, a5, a4\n\tlw a5, 0(a5)\n\tjr a5\n.La:\n\tnop\n\tj .Lend\n.Lb:\n\tnop\n\
         .Lend:\n\tret\n\t.section .rodata\n\t.align 2\n.Lt:\n\t.word .La\n\t.word .Lb",
    );
    assert!(table.unfollowed.is_empty(), "{:?}", table.unfollowed);
    assert_eq!(table.blocks[0].edges.len(), 2);
    assert_eq!(words(&text, &["ssy", "sync"]).len(), 3, "{text}");
    for (body, what) in [
        ("\tla a4, .La\n\tjr a4\n.La:\n\tnop\n\tret", "every label"),
        ("\tjr a4", "leave the function"),
    ] {
        let (report, _) = of(Lower::Tokens, body);
        assert!(report.unfollowed[0].1.contains(what), "{report:?}");
    }
    let edges = |body: &str| of(Lower::Tokens, body).0.blocks[0].edges.len();
    let labels = ".La:\n\tnop\n.Lb:\n\tnop\n.Lc:\n\tret";
    let data = "\t.section .rodata\n\t.align 2\n.Lt:\n\t.word .La\n.Lu:\n\t.word .Lb\n\t.word .Lc";
    // The table nearest to the jump is another one's.
    let other = format!("\tla a4, .Lt\n\tlw a5, 0(a0)\n\tjr a5\n{labels}\n{data}");
    assert_eq!(edges(&other), 3, "{other}");
    let own = format!("\tla a5, .Lu\n\tla a4, .Lt\n\tlw a5, 4(a5)\n\tjr a5\n{labels}\n{data}");
    assert_eq!(edges(&own), 2, "{own}");
    // A table that is mentioned by another name.
    let anchor = format!("\tla a4, .Lt\n\tla a5, .Lv\n.Lz:\n\tlw a5, 0(a5)\n\tjr a5\n{labels}\n{data}\n\t.set .Lv, .Lu+4\n");
    assert_eq!(of(Lower::Tokens, &anchor).0.blocks[0].edges.len(), 3);
    // One of the ways leads into another function: all registers are read there.
    let away = "\tla a5, .Lt\n\tli t0, 1\n\tblt a0, a1, .La\n\taddi a2, a2, 1\n.La:\n\tadd a5, a5, a2\n\tlw a5, 0(a5)\n\tjr a5\n.Lb:\n\tret\n\t.type cold, @function\ncold:\n\tret\n\t.section .rodata\n\t.align 2\n.Lt:\n\t.word .Lb\n\t.word cold";
    assert_ne!(
        of(Lower::Predicate, away).0.branches[0].treatment,
        Treatment::Predicated
    );
}

/// COMP-022: a function of which not all is seen is left alone.
#[test]
fn functions_that_are_entered_in_other_ways_are_left_alone() {
    for (body, why) in [
        (
            "\tla a5, .L2\n\tsw a5, 0(a1)\n\tbeqz a0, .L1\n\tnop\n.L1:\n\tret\n.L2:\n\tj .L1",
            "address of a label",
        ),
        ("\tbeqz a0, .+8\n\tnop\n\tret", "no label (line 3)"),
        (
            "\tbeqz a0, .L1\n\tj .L1+4\n.L1:\n\tnop\n\tret",
            "no label (line 4)",
        ),
    ] {
        let (report, text) = of(Lower::Tokens, body);
        assert!(
            report.left_alone.is_some_and(|said| said.contains(why)),
            "{body}"
        );
        assert_eq!(text, kernel(body));
    }
    let (report, _) = of(
        Lower::Tokens,
        "\tbeqz a0, .L1\n.L2:\n\tauipc a5, %pcrel_hi(x)\n\tlw a1, %pcrel_lo(.L2)(a5)\n.L1:\n\tret",
    );
    assert_eq!(report.left_alone, None);
}

/// COMP-030, COMP-031, COMP-032.
#[test]
fn loops_and_where_ways_meet() {
    let (forever, _) = of(Lower::Tokens, ".L1:\n\tbeqz a0, .L2\n\tnop\n.L2:\n\tj .L1");
    let join = |report: &FunctionReport| report.branches[0].treatment.clone();
    let sync = |line| Treatment::Token {
        kind: TokenKind::Sync,
        join: line,
    };
    assert_eq!((forever.loops, join(&forever)), (1, sync(Some(7))));
    // The ways out are returns, which meet in the virtual exit.
    let (exits, _) = of(Lower::Tokens, "\tbeqz a0, .L1\n\tret\n.L1:\n\tnop\n\tret");
    assert_eq!(join(&exits), sync(None));
    let (nested, _) = of(
        Lower::Tokens,
        ".L1:\n\tli a5, 3\n.L2:\n\taddi a5, a5, -1\n\tbnez a5, .L2\n\taddi a1, a1, -1\n\tbnez a1, .L1\n\tret",
    );
    assert_eq!((nested.loops, nested.irreducible), (2, false));
    let (two_ways_in, _) = of(
        Lower::Tokens,
        "\tbeqz a0, .L2\n.L1:\n\tnop\n.L2:\n\taddi a1, a1, -2\n\tbnez a1, .L1\n\tret",
    );
    assert_eq!((two_ways_in.loops, two_ways_in.irreducible), (0, true));
}

/// COMP-040 to COMP-046, and what a call does (COMP-024): whether the last branch of `kernel` may part threads.
#[test]
fn what_may_differ_between_threads() {
    let on_csr = |name: &str| format!("\tcsrr a5, {name}\n\tbeqz a5, .L9\n");
    let mut cases: Vec<(String, bool)> = vec![
        ("\tbeqz a0, .L9\n".into(), true),
        ("\tbeqz a1, .L9\n".into(), false),
        ("\tlw a5, 0(a1)\n\tbeqz a5, .L9\n".into(), true),
        (
            "\tlw a5, fixed\n\tbeqz a5, .L9\n".into(),
            false,
        ),
        (
            "\tamoadd.w a5, a1, (a2)\n\tbeqz a5, .L9\n".into(),
            true,
        ),
        ("\tmv a5, sp\n\tbeqz a5, .L9\n".into(), true),
        ("\tcall elsewhere\n\tbeqz a0, .L9\n".into(), true),
        ("\tcall seven\n\tbeqz a0, .L9\n".into(), false),
        // Where the sides of a divergent branch meet, and the rounds of a divergent loop.
        (
            "\tli a5, 0\n\tbeqz a0, .L1\n\tli a5, 1\n.L1:\n\tbeqz a5, .L9\n".into(),
            true,
        ),
        (
            "\tli a5, 0\n\tbeqz a1, .L1\n\tli a5, 1\n.L1:\n\tbeqz a5, .L9\n".into(),
            false,
        ),
        (
            "\tli a5, 0\n.L1:\n\taddi a5, a5, 1\n\taddi a0, a0, -1\n\tbnez a0, .L1\n\tbeqz a5, .L9\n"
                .into(),
            true,
        ),
    ];
    for (stored, more, differs) in [
        ("a1", "", false),
        ("a0", "", true),
        ("a1", "\tsw sp, 0(a2)\n", true),
    ] {
        let body = format!(
            "\taddi sp, sp, -16\n\tsw {stored}, 4(sp)\n{more}\tlw a5, 4(sp)\n\taddi sp, sp, 16\n\tbeqz a5, .L9\n"
        );
        cases.push((body, differs));
    }
    for (csr, differs) in [
        ("wtid", true),
        ("wlane", true),
        ("mhartid", true),
        ("wwarp", false),
        ("wcta", false),
        ("wsize", false),
        ("wwidth", false),
    ] {
        cases.push((on_csr(csr), differs));
    }
    for (body, differs) in cases {
        let source = kernel(&format!("{body}\tnop\n.L9:\n\tret"))
            + "seven:\n\tli a0, 7\n\tret\n\t.section .rodata\n\t.align 2\nfixed:\n\t.word 7\n";
        let output = compiled(Lower::Tokens, &source);
        let branch = output.report.functions[0].branches.last().expect("one");
        assert_eq!(branch.diverges.is_some(), differs, "{body}{branch:?}");
        assert_eq!(branch.treatment == Treatment::Uniform, !differs, "{body}");
    }
    // Arguments of a function that the file calls.
    for (argument, differs) in [("li a0, 1", false), ("nop", true)] {
        let source = kernel(&format!("\t{argument}\n\tcall own\n\tret"))
            + "own:\n\tbeqz a0, .L1\n\tnop\n.L1:\n\tret\n";
        let output = compiled(Lower::Tokens, &source);
        let branch = &output.report.functions[1].branches[0];
        assert_eq!(branch.diverges.is_some(), differs, "{argument}");
    }
}

/// COMP-047: an analysis that misses what differs costs convergence, and no result.
#[test]
fn the_analysis_is_advice() {
    for seed in 0..12 {
        let subject = graphs::random(seed).subject();
        for mutation in [Mutation::UniformLoads, Mutation::NoControlDependence] {
            for lower in Lower::ALL {
                let options = Options {
                    lower,
                    mutation: Some(mutation),
                    ..Options::default()
                };
                let output = compile(&subject.source, &subject.name, &options).expect("right");
                equal(&subject, &output.assembly, &shape(seed))
                    .unwrap_or_else(|e| panic!("{seed} {lower} {mutation:?}: {e}"));
            }
        }
    }
}

/// COMP-050, COMP-051: t0 to t6 and a0 to a7 hold something, so there is no place for a condition.
#[test]
fn temporaries_are_registers_that_are_not_live() {
    let all = "a0 a1 a2 a3 a4 a5 a6 a7 t0 t1 t2 t3 t4 t5 t6";
    let sum: String = all
        .split(' ')
        .map(|r| format!("\tadd s2, s2, {r}\n"))
        .collect();
    let body = |rest: &str| format!("\tblt a0, a1, .L1\n\taddi s2, s2, 1\n.L1:\n{rest}\tret");
    let treatment = |rest: &str| of(Lower::Predicate, &body(rest)).0.branches.remove(0);
    assert_eq!(treatment("").treatment, Treatment::Predicated);
    let full = treatment(&sum).treatment;
    assert!(matches!(full, Treatment::Token { .. }), "{full:?}");
}

/// COMP-050: where the calling convention does not hold, what stands in caller-saved registers lives on.
#[test]
fn calls_of_inline_assembly_leave_registers_alone() {
    let sum: String = "a0 a1 a2 a3 a4 a5 a6 a7 t1 t2 t3 t4 t5 t6"
        .split(' ')
        .map(|r| format!("\tadd s2, s2, {r}\n"))
        .collect();
    let treatment = |call: &str, behind: &str| {
        let body = format!(
            "\tblt a0, a1, .L1\n\taddi s2, s2, 1\n.L1:\n{call}\tli t0, 1\n{behind}\tret\n\
             \t.globl once\nonce:\n\taddi t1, t2, 1\n\tjr t0\n\
             \t.globl far\nfar:\n\tcall away\n\tjr t0\n"
        );
        of(Lower::Predicate, &body).0.branches.remove(0).treatment
    };
    let free = |call: &str, behind: &str| treatment(call, behind) == Treatment::Predicated;
    let asm = |call: &str| format!("\t#APP\n{call}\t#NO_APP\n");
    // By the convention nothing is live across.
    assert!(free("\tcall away\n", &sum));
    // Once is seen: it writes t0 and t1, and reads t2.
    assert!(free("\tjal t0, once\n", ""));
    assert!(free("\tjal t0, once\n", &sum));
    let but_t0_and_t1 = sum.replace("\tadd s2, s2, t1\n", "");
    assert!(free(&asm("\tjal t0, once\n"), &but_t0_and_t1));
    let reads_t0 = "\tadd s2, s2, t0\n";
    assert!(!free(
        &format!("\tadd s3, s3, t1\n{reads_t0}\tjal t0, once\n"),
        &sum
    ));
    // Of the others nothing is known.
    for call in ["\tjal t0, far\n", "\tjal t0, away\n", "\tjalr t0, 0(t3)\n"] {
        assert!(!free(call, ""), "{call}");
    }
    for call in ["\tcall away\n", "\tjalr t3\n", "\t.word 0xFFFFFFFF\n"] {
        assert!(!free(&asm(call), ""), "{call}");
    }
    let behind = format!("{}{sum}", asm("\tnop\n"));
    assert!(free("\tcall away\n", &behind), "the assembly has ended");
}

/// COMP-050: compilers give functions of one file more arguments than the convention does, in t2 to t6.
#[test]
fn calls_read_what_the_function_reads() {
    let body = |many: &str| {
        format!(
            "\tli t1, 1\n\tli t0, 1\n\tli t2, 1\n\tblt a0, a1, .L1\n\taddi s2, s2, 1\n.L1:\n\tcall many\n\tret\n\t.type many, @function\nmany:\n{many}\tret\n"
        )
    };
    let predicated = |many: &str| words(&of(Lower::Predicate, &body(many)).1, &["slt", "mset"]);
    let first = |many: &str| predicated(many)[0].clone();
    assert_eq!(first(""), "slt t0, a0, a1");
    assert_eq!(first("\tadd a0, a0, t0\n"), "slt t1, a0, a1");
    // Also through a function in between.
    let through = "\tbeqz a0, .L2\n\taddi a0, t1, 1\n.L2:\n\taddi sp, sp, -16\n\tsw ra, 0(sp)\n\tcall more\n\tlw ra, 0(sp)\n\taddi sp, sp, 16\n\tret\n\t.type more, @function\nmore:\n\tadd a0, t2, t0\n";
    assert_eq!(first(through), "slt t3, a0, a1");
}

/// COMP-060 to COMP-066: kinds and places of tokens.
/// COMP-013: who comes by a token begins the line of the source that the others fall into.
#[test]
fn where_threads_meet_a_line_of_the_source_begins_behind_it() {
    let body = "\tbeqz a0, .L1\n\t.loc 1 7 3\n\taddi a5, a5, 1\n.L1:\n\t.loc 1 8 5\n\t.loc 1 8 9 is_stmt 0\n\tsw a5, 0(a0)\n\tret";
    let (_, text) = of(Lower::Tokens, body);
    let meet = words(&text, &["ssy", "sync", ".Lweft0:", ".loc", "addi", "sw"]);
    let all = [
        "ssy .Lweft0",
        "sync.eqz a0, .Lweft0",
        ".loc 1 7 3",
        "addi a5, a5, 1",
        "sync .Lweft0",
        ".Lweft0:",
        ".loc 1 8 5",
        ".loc 1 8 9 is_stmt 0",
        "sw a5, 0(a0)",
    ];
    assert_eq!(meet, all, "{text}");
}

#[test]
fn tokens_stand_where_threads_meet() {
    let all = ["ssy", "sync", "pbk", "brk", "pcnt", "cont"];
    let tokens = |body: &str| words(&of(Lower::Tokens, body).1, &all);
    // Both branches meet at .L2: one token, pushed in front of the first.
    assert_eq!(
        tokens("\tbeqz a0, .L1\n\tnop\n\tandi a5, a0, 2\n\tbeqz a5, .L2\n\tnop\n\tj .L2\n.L1:\n\tnop\n.L2:\n\tret"),
        [
            "ssy .Lweft0",
            "sync.eqz a5, .Lweft0",
            "sync .Lweft0",
            "sync .Lweft0"
        ]
    );
    // Way out of a loop; the push stands in front of it.
    assert_eq!(
        tokens("\tli a5, 9\n.L1:\n\tbeq a0, a5, .L2\n\taddi a5, a5, -1\n\tbnez a5, .L1\n\tnop\n.L2:\n\tret"),
        ["pbk .Lweft0", "brk .Lweft0"]
    );
    // Several ways back.
    assert_eq!(
        tokens(
            "\tli a5, 9\n\tli a4, 4\n.L1:\n\taddi a5, a5, -1\n\tbeqz a5, .L2\n\tblt a0, a4, .L1\n\tnop\n\tj .L1\n.L2:\n\tret"
        ),
        ["pcnt .Lweft0", "cont.nez t0, .Lweft0", "cont .Lweft0"]
    );
    // A side of the branch may leave the loop: who stays meets within the round, who leaves behind the loop.
    // It asks another word in each round, so nobody waits there (COMP-094).
    let round = tokens(
        "\tli a5, 9\n.L1:\n\tbeqz a0, .L3\n\tadd a1, a1, a5\n\tlw a4, 0(a1)\n\tbnez a4, .L9\n\tj .L4\n.L3:\n\tnop\n.L4:\n\taddi a5, a5, -1\n\tbnez a5, .L1\n\tnop\n.L9:\n\tret",
    );
    let pushes = |word: &str| round.iter().filter(|line| line.starts_with(word)).count();
    assert_eq!((pushes("pbk"), pushes("ssy")), (1, 1), "{round:?}");
    // All returns but one become leaves.
    let returns = of(
        Lower::Tokens,
        "\tbeqz a0, .L1\n\tnop\n\tret\n.L1:\n\tnop\n\tret",
    );
    assert_eq!(words(&returns.1, &["ret"]).len(), 1, "{}", returns.1);
    assert_eq!(
        words(&returns.1, &all),
        ["ssy .Lweft0", "sync .Lweft0", "sync .Lweft0"]
    );
    // Too far for a leave: a landing near the join, which the assembler accepts, or, between returns, no token.
    for length in [100, 1100] {
        let nops = "\tnop\n".repeat(length);
        let skipped = format!("\tbeqz a0, .L1\n{nops}.L1:\n\tret");
        let returns = format!("\tbeqz a0, .L1\n\tret\n.L1:\n{nops}\tret");
        let (report, text) = of(Lower::Tokens, &skipped);
        assert!(matches!(
            report.branches[0].treatment,
            Treatment::Token { .. }
        ));
        assemble("a.s", &text).unwrap_or_else(|e| panic!("{length}: {e}"));
        let (report, text) = of(Lower::Tokens, &returns);
        let left = Treatment::Left("the returns are too far from each other".into());
        assert_eq!(report.branches[0].treatment == left, length > 1000);
        assemble("a.s", &text).unwrap_or_else(|e| panic!("{length}: {e}"));
    }
}

/// COMP-067: the condition of a leave is computed if a register is free, and a branch that leaves a loop goes around.
#[test]
fn conditions_of_leaves_are_computed() {
    let computing = ["xor", "slt", "sltu", "sync"];
    let all = |body: &str| words(&of(Lower::Tokens, body).1, &computing);
    for (branch, computed, test) in [
        ("beq a0, a1", "xor t0, a0, a1", "eqz"),
        ("bne a0, a1", "xor t0, a0, a1", "nez"),
        ("blt a0, a1", "slt t0, a0, a1", "nez"),
        ("bge a0, a1", "slt t0, a0, a1", "eqz"),
        ("bltu a0, a1", "sltu t0, a0, a1", "nez"),
        ("bgeu a0, a1", "sltu t0, a0, a1", "eqz"),
        ("bgt a0, a1", "slt t0, a1, a0", "nez"),
        ("bltz a0", "slt t0, a0, zero", "nez"),
        ("blez a0", "slt t0, zero, a0", "eqz"),
    ] {
        let body = |more: &str| format!("\t{branch}, .L1\n\taddi s2, s2, 1\n.L1:\n{more}\tret");
        let leave = format!("sync.{test} t0, .Lweft0");
        assert_eq!(
            all(&body("")),
            [computed, &leave, "sync .Lweft0"],
            "{branch}"
        );
        let every = "a0 a1 a2 a3 a4 a5 a6 a7 t0 t1 t2 t3 t4 t5 t6".split(' ');
        let live: String = every.map(|r| format!("\tadd s2, s2, {r}\n")).collect();
        assert_eq!(all(&body(&live)), ["sync .Lweft0"], "{branch}");
    }
    let (_, text) = of(
        Lower::Tokens,
        "\tli a5, 9\n.L1:\n\tblt a0, a5, .L2\n\taddi a5, a5, -1\n\tbnez a5, .L1\n\tnop\n.L2:\n\tret",
    );
    let found = words(&text, &["pbk", "slt", "brk"]);
    assert_eq!(found, ["pbk .Lweft0", "brk .Lweft0"], "{text}");
}

/// COMP-067, COMP-070: under *auto* a condition is computed where many threads leave, and not where few do.
#[test]
fn conditions_are_computed_where_it_pays() {
    let arm = "\tmul a4, a4, a4\n".repeat(20);
    let computed = |body: &str| {
        let (_, text) = of(Lower::Auto, body);
        assert!(text.contains("ssy"), "{text}");
        words(&text, &["sltu", "xor"]).len()
    };
    let once = format!(
        "\tandi a2, a0, 7\n\tli a5, 4\n\tbltu a2, a5, .L1\n{arm}.L1:\n{arm}{arm}\tsw a4, 0(a6)\n\tret"
    );
    assert_eq!(computed(&once), 1);
    // In one of 60 rounds.
    let seldom = format!(
        "\tandi a2, a0, 1\n\tslli a2, a2, 5\n\tli a5, 60\n.L0:\n\tbeq a2, a5, .L1\n{arm}.L1:\n\taddi a5, a5, -1\n\tbnez a5, .L0\n\tsw a4, 0(a6)\n\tret"
    );
    assert_eq!(computed(&seldom), 0);
}

/// COMP-073, COMP-074.
#[test]
fn short_branches_are_predicated() {
    for (length, predicated) in [(1, true), (8, true), (9, false)] {
        let block = "\taddi a1, a1, 1\n".repeat(length);
        let (report, text) = of(
            Lower::Predicate,
            &format!("\tbeqz a0, .L1\n{block}.L1:\n\tret"),
        );
        assert_eq!(
            report.branches[0].treatment == Treatment::Predicated,
            predicated,
            "{text}"
        );
        let prefix = [String::from("mset m7, a0"), format!("mpred m7, {length}")];
        assert_eq!(words(&text, &["m"]) == prefix, predicated, "{text}");
    }
    // The linker takes nothing out of what the prefix counts.
    let text = of(
        Lower::Predicate,
        "\tbeqz a0, .L1\n\tlui a5, %hi(x)\n\tsw a0, %lo(x)(a5)\n.L1:\n\tret\nx:",
    )
    .1;
    let expected = [
        "mpred m7, 2",
        ".option push",
        ".option norelax",
        "lui a5, %hi(x)",
        "sw a0, %lo(x)(a5)",
        ".option pop",
    ];
    assert_eq!(
        words(&text, &["mpred", ".option", "lui", "sw"]),
        expected,
        "{text}"
    );
    for block in [
        "\tcall elsewhere\n",
        "\tyield\n",
        "\tfence.i\n",
        ".L2:\n\tnop\n\tbnez a1, .L2\n",
        "\t.align 4\n\tnop\n",
        "\tnop\n\t.align 4\n.L2:\n\tnop\n",
    ] {
        let body = format!("\tbeqz a0, .L1\n{block}.L1:\n\tret");
        let treatment = of(Lower::Predicate, &body).0.branches.remove(0).treatment;
        assert_ne!(treatment, Treatment::Predicated, "{block}");
    }
}

/// COMP-072, COMP-075: a token that does not pay is taken away, branches are predicated where that is cheaper, and
/// masks are never chosen.
#[test]
fn auto_takes_what_pays() {
    let (report, text) = of(Lower::Auto, "\tbeqz a0, .L1\n\taddi a1, a1, 1\n.L1:\n\tret");
    assert!(words(&text, &["ssy", "sync", "m"]).is_empty(), "{text}");
    let left = Treatment::Left("a token costs more than it wins".into());
    assert_eq!(report.branches[0].treatment, left);
    let mut predicated = 0;
    for (name, source) in kernels::sources() {
        let output = compile(&source, &name, &Options::default()).unwrap_or_else(|e| panic!("{e}"));
        for function in &output.report.functions {
            for branch in &function.branches {
                assert_ne!(branch.treatment, Treatment::Masked, "{name}");
                predicated += u32::from(branch.treatment == Treatment::Predicated);
            }
        }
    }
    assert!(predicated > 0);
}

/// COMP-091: a load from an address that stays makes a loop wait, but not from read-only data, which nobody writes.
#[test]
fn loops_wait_for_what_others_write() {
    let yields = |section: &str, name: &str| {
        let body = format!(
            "\tlui a2, %hi({name})\n\taddi a2, a2, %lo({name})\n\tslli a3, a0, 2\n\tadd a2, a2, a3\n\
             .L1:\n\tlw a4, 0(a2)\n\tbnez a4, .L1\n\tret\n\t{section}\n\t.align 2\n\
             \t.set .LANCHOR0, . + 0\nwords:\t.zero 256\n\t.text"
        );
        let (_, text) = of(Lower::Tokens, &body);
        words(&text, &["yield"]).len()
    };
    for name in ["words", ".LANCHOR0"] {
        assert_eq!(yields(".section .rodata", name), 0, "{name}");
        assert_eq!(yields(".data", name), 1, "{name}");
    }
    let yields = |body: &str| words(&of(Lower::Tokens, body).1, &["yield"]).len();
    // An address that each round computes anew is the same one, if what it is computed from stays.
    let anew = |step: &str| {
        format!(
            "\taddi sp, sp, -16\n\tsw a0, 0(sp)\n.L1:\n\tlw a5, 0(sp)\n\taddi a5, a5, {step}\n\tsw a5, {}(sp)\n\tslli a4, a5, 2\n\tlui a5, %hi(x)\n\taddi a5, a5, %lo(x)\n\tadd a5, a4, a5\n\tlw a5, 0(a5)\n\tbeqz a5, .L1\n\taddi sp, sp, 16\n\tret\n\t.bss\nx:\t.zero 64",
            if step == "-1" { 4 } else { 0 }
        )
    };
    assert_eq!((yields(&anew("-1")), yields(&anew("1"))), (1, 0));
    // An address that comes from memory in each round is the same one while nobody writes there; masks fear that, too.
    let loaded = "\tnop\n.L1:\n\tlw a5, 0(a1)\n\tlw a5, 0(a5)\n\tbeqz a5, .L1\n\tret";
    assert_eq!(yields(loaded), 1);
    let masked = words(&of(Lower::Masks, loaded).1, &["mset"]);
    assert!(masked.is_empty(), "{masked:?}");
    // s0 is a frame pointer, or any other pointer.
    let by_s0 = |begin: &str| format!("\t{begin}\n.L1:\n\tlw a5, 0(s0)\n\tbeqz a5, .L1\n\tret");
    assert_eq!(
        (
            yields(&by_s0("addi s0, sp, 32")),
            yields(&by_s0("mv s0, a0"))
        ),
        (0, 1)
    );
}

/// COMP-090 to COMP-093: forms of loops, and the YIELD with what stands around it.
#[test]
fn a_yield_stands_on_the_way_back_that_waits() {
    let placed = |body: &str| {
        let text = of(Lower::Tokens, &format!("\tnop\n{body}\tret")).1;
        let lines: Vec<String> = text.lines().map(|l| l.trim().replace('\t', " ")).collect();
        let yields = (0..lines.len()).filter(|&at| lines[at] == "yield");
        let around = yields.map(|at| [&lines[at - 1], &lines[at + 1]].map(String::clone));
        around.collect::<Vec<_>>()
    };
    let over = |branch: &str, to: &str| (format!("{branch}, .Lweft"), format!("j {to}"));
    // A loop of one block: once more.
    let again = |first: &str| (".Lweft".to_string(), first.to_string());
    let waits = [
        // Exchange.
        (".L1:\n\tli t1, 1\n\tamoswap.w t1, t1, (a1)\n\tbnez t1, .L1\n", again("li t1, 1")),
        // LR and SC in one loop: nothing stands in front of `sc.w`, nor of its branch.
        ("1:\tlr.w t0, (a1)\n\tbnez t0, 1b\n\tsc.w t0, t1, (a1)\n\tbnez t0, 1b\n", again("lr.w t0, (a1)")),
        // Compare and swap with a loop of its own, which waits for nobody.
        (".L1:\n1:\tlr.w t0, (a1)\n\tbne t0, zero, 1f\n\tsc.w t1, a0, (a1)\n\tbnez t1, 1b\n1:\tbne t0, zero, .L1\n", over("beq t0, zero", ".L1")),
        // The expected value is written anew in each round.
        (".L1:\n\tli t2, 5\n1:\tlr.w t0, (a1)\n\tbne t0, t2, 1f\n\tsc.w t1, a0, (a1)\n\tbnez t1, 1b\n1:\tbne t0, t2, .L1\n", over("beq t0, t2", ".L1")),
        // Turns: both loops begin in one place.
        (".L1:\n\tlw t0, 0(a1)\n\tbne t0, a0, .L1\n\tadd a0, a0, a2\n\taddi t0, t0, 1\n\tsw t0, 0(a1)\n\taddi a3, a3, -1\n\tbnez a3, .L1\n", again("lw t0, 0(a1)")),
        // Not for ever.
        (".L1:\n\tlw t0, 0(a1)\n\tbnez t0, .L2\n\taddi a3, a3, -1\n\tbnez a3, .L1\n.L2:\n", over("beq a3, zero", ".L1")),
        // The way back falls into the header.
        ("\tj .L2\n.L1:\n\tnop\n.L2:\n\tlw t0, 0(a1)\n\tbnez t0, .L1\n", ("nop".to_string(), ".L2:".to_string())),
        // It waits in a branch of its rounds, and neither side leads out of the loop.
        (".L1:\n\tlw t0, 0(a1)\n\tbne t0, a0, .L2\n\taddi a3, a3, 1\n\tsw a3, 0(a1)\n.L2:\n\tbeqz a3, .L1\n", over("bne a3, zero", ".L1")),
        // Two ways back share one.
        (".L1:\n\tli t1, 1\n\tamoswap.w t1, t1, (a1)\n\tbeqz t1, .L2\n\taddi t2, t2, 1\n\tbltu a4, t2, .L1\n\tnop\n\tj .L1\n.L2:\n", (".Lweft".to_string(), "j .L1".to_string())),
        (".L1:\n\tli t1, 1\n\tamoswap.w t1, t1, (a1)\n\tbeqz t1, .L2\n\taddi t2, t2, 1\n\tbltu a4, t2, .L1\n\tnop\n\tbnez t1, .L1\n.L2:\n", (".Lweft".to_string(), "j .L1".to_string())),
        // Its own stores of something else do not end it.
        (".L1:\n\tsw a0, 4(a1)\n\tlw t0, 0(a1)\n\tbnez t0, .L1\n", again("sw a0, 4(a1)")),
    ];
    for (body, (before, behind)) in waits {
        let found = placed(body);
        assert_eq!(found.len(), 1, "{body}{found:?}");
        assert!(
            found[0][0].contains(&before) && found[0][1] == behind,
            "{body}{found:?}"
        );
    }
    let goes_on = [
        // Lock-free: what was read is expected next.
        "\tlw t2, 0(a1)\n.L1:\n\taddi t3, t2, 3\n1:\tlr.w t0, (a1)\n\tbne t0, t2, 1f\n\tsc.w t1, t3, (a1)\n\tbnez t1, 1b\n1:\tbeq t0, t2, .L2\n\tmv t2, t0\n\tj .L1\n.L2:\n",
        // Read anew in each round.
        ".L1:\n\tlw t2, 0(a1)\n\taddi t3, t2, 3\n1:\tlr.w t0, (a1)\n\tbne t0, t2, 1f\n\tsc.w t1, t3, (a1)\n\tbnez t1, 1b\n1:\tbne t0, t2, .L1\n",
        "1:\tlr.w t0, (a1)\n\tadd t0, t0, a0\n\tsc.w t1, t0, (a1)\n\tbnez t1, 1b\n",
        // Pieces of work.
        ".L1:\n\tli t0, 1\n\tamoadd.w t0, t0, (a1)\n\tbltu t0, a0, .L1\n",
        // A round that counts, with a bound in memory.
        ".L1:\n\taddi a3, a3, 1\n\tlw t0, 0(a1)\n\tbltu a3, t0, .L1\n",
        // Its own count in memory.
        ".L1:\n\tlw t0, 0(a1)\n\taddi t0, t0, 1\n\tsw t0, 0(a1)\n\tbltu t0, a0, .L1\n",
        // Through a list.
        ".L1:\n\tlw a1, 0(a1)\n\tbnez a1, .L1\n",
        // One who tests and then exchanges, and begins anew in front of the test: the test waits, which has a yield.
        ".L1:\n\tlw t0, 0(a1)\n\tyield\n\tbnez t0, .L1\n\tli t1, 1\n\tamoswap.w t1, t1, (a1)\n\tbnez t1, .L1\n",
        // A sequence is read again if somebody has written meanwhile.
        ".L1:\n\tlw t0, 0(a1)\n\tlw t1, 4(a1)\n\tlw t2, 0(a1)\n\tbne t0, t2, .L1\n",
    ];
    for body in goes_on {
        let found = placed(body);
        let own = body.matches("yield").count();
        assert_eq!(found.len(), own, "{body}{found:?}");
    }
}

/// COMP-091: whether a function that is called waits is seen from its atomics.
#[test]
fn a_loop_around_a_call_waits_for_what_is_called() {
    let yields = |atomic: &str| {
        let body = format!(
            "\tmv s1, ra\n.L1:\n\tcall try\n\tbnez a0, .L1\n\tmv ra, s1\n\tret\n\t.type try, @function\ntry:\n\tla a1, word\n\tli a0, 1\n\t{atomic}\n\tret\n\t.bss\nword:\t.zero 4"
        );
        words(&of(Lower::Tokens, &body).1, &["yield"]).len()
    };
    assert_eq!(yields("amoswap.w a0, a0, (a1)"), 1);
    assert_eq!(yields("amoadd.w a0, a0, (a1)"), 0);
    assert_eq!(yields("addi a0, a0, 1"), 0);
}

/// COMP-094: nobody who has got the lock waits for those that wait for it.
#[test]
fn branches_of_a_loop_that_waits_get_no_token() {
    let lock = ".L1:\n1:\tlr.w t0, (a1)\n\tbne t0, zero, 1f\n\tsc.w t1, a0, (a1)\n\tbnez t1, 1b\n1:\tbne t0, zero, .L1\n";
    let work = "\tbeqz a0, .L3\n\taddi a2, a2, 1\n.L3:\n\tret";
    let (report, text) = of(Lower::Tokens, &format!("\tnop\n{lock}{work}"));
    let tokens = report
        .branches
        .iter()
        .filter(|b| matches!(b.treatment, Treatment::Token { .. }));
    let tokens: Vec<&str> = tokens.map(|b| b.text.as_str()).collect();
    assert_eq!(tokens, ["beqz a0, .L3"], "{text}");
}

/// COMP-094: a YIELD that was there is as good.
#[test]
fn branches_of_a_loop_that_yields_get_no_token() {
    let lock =
        "\tnop\n.L1:\n\tyield\n.L2:\n\tli t1, 1\n\tamoswap.w t1, t1, (a1)\n\tbnez t1, .L1\n\tret";
    let (report, text) = of(Lower::Tokens, lock);
    assert_eq!(words(&text, &["yield", "ssy", "pbk", "pcnt"]), ["yield"]);
    let tokens = |b: &&weft_compiler::BranchReport| matches!(b.treatment, Treatment::Token { .. });
    assert_eq!(report.branches.iter().filter(tokens).count(), 0, "{text}");
}

/// COMP-095: threads that add to a counter one after the other come out of the loop apart, and meet behind it if that
/// pays; who thinks that they come out together does not see it.
#[test]
fn threads_come_out_of_a_contest_one_by_one() {
    let arm = "\tmul a3, a3, a3\n".repeat(2);
    let source = kernel(&format!(
        "\tla a5, word\n\tli a2, 4\n.L1:\n\tandi a4, a0, 3\n\tbeqz a4, .L2\n{arm}.L2:\n\tlr.w t0, (a5)\n\tadd t0, t0, a3\n\tsc.w t1, t0, (a5)\n\tbnez t1, .L2\n\taddi a2, a2, -1\n\tbnez a2, .L1\n\tret\n\t.bss\n\t.align 2\nword:\t.zero 4"
    ));
    let lowered = |lower, mutation| {
        let options = Options {
            lower,
            mutation,
            ..Options::default()
        };
        let output = compile(&source, "a.s", &options);
        output.expect("it compiles").assembly
    };
    let instructions = |assembly: &str| {
        let program = assemble("a.s", assembly).expect("it assembles");
        let config = weft_sim::Config {
            warps: 1,
            threads: 32,
            memory: 1 << 20,
            ..weft_sim::Config::default()
        };
        let mut machine = weft_sim::Machine::new(&program, &config).expect("a machine");
        let outcome = machine.run(&weft_sim::Limits::default(), |_| ());
        assert_eq!(outcome, weft_sim::Outcome::Done);
        machine.stats().total.warp_instructions
    };
    let right = lowered(Lower::Auto, None);
    let together = lowered(Lower::Auto, Some(Mutation::OutTogether));
    assert!(words(&right, &["pbk"]).len() == 1, "{right}");
    assert!(words(&together, &["pbk"]).is_empty(), "{together}");
    let none = lowered(Lower::None, None);
    let taken = [&right, &none, &together].map(|text| instructions(text));
    assert!(taken[0] < taken[1] && taken[0] < taken[2], "{taken:?}");
}

/// COMP-080 to COMP-086.
#[test]
fn structured_code_gets_execution_masks() {
    let masks = |body: &str| words(&of(Lower::Masks, body).1, &["m"]);
    assert_eq!(
        masks("\tbeqz a0, .L1\n\taddi a1, a1, 1\n\tj .L2\n.L1:\n\taddi a1, a1, 2\n.L2:\n\tret"),
        [
            "mset m7, a0",
            "mand.save m0, m7",
            "mandn exec, m0, exec",
            "mrestore m0"
        ]
    );
    assert_eq!(
        masks("\taddi a0, a0, 1\n.L1:\n\taddi a0, a0, -1\n\tbnez a0, .L1\n\tret"),
        [
            "mmov m0, exec",
            "mset m7, a0",
            "mand exec, m7, exec",
            "mbnz exec, .Lweft0",
            "mrestore m0"
        ]
    );
    for (length, skips) in [(7, false), (8, true)] {
        let block = "\taddi a1, a1, 1\n".repeat(length);
        let (_, text) = of(Lower::Masks, &format!("\tbeqz a0, .L1\n{block}.L1:\n\tret"));
        assert_eq!(text.contains("mbz exec"), skips, "{text}");
    }
    for (body, why) in [
        ("\tbeqz a0, .L1\n\tcall f\n.L1:\n\tret", "a call"),
        (
            "\tnop\n.L1:\n\tli a5, 1\n\tamoswap.w a5, a5, (a1)\n\tbnez a5, .L1\n\tret",
            "wait",
        ),
    ] {
        let (report, text) = of(Lower::Masks, body);
        assert!(words(&text, &["m"]).is_empty(), "{text}");
        assert!(
            report.placed.iter().any(|(_, what)| what.contains(why)),
            "{why}: {:?}",
            report.placed
        );
    }
    // Nine deep: the inner seven.
    let opens = (0..9).map(|n| {
        format!(
            "\tandi a5, a0, {}\n\tbeqz a5, .L{n}\n\taddi a1, a1, 1\n",
            1 << n
        )
    });
    let closes = (0..9).rev().map(|n| format!(".L{n}:\n\taddi a1, a1, 1\n"));
    let body = opens.chain(closes).collect::<String>() + "\tret";
    let (report, _) = of(Lower::Masks, &body);
    let masked = |b: &weft_compiler::BranchReport| b.treatment == Treatment::Masked;
    let is_masked: Vec<bool> = report.branches.iter().map(masked).collect();
    assert_eq!(is_masked, [&[false; 2][..], &[true; 7]].concat());
    assert!(report
        .placed
        .iter()
        .any(|(_, what)| what.contains("too deeply")));
}

/// COMP-122: local registers get numbers that can be shared.
#[test]
fn local_registers_of_a_segment_get_high_numbers() {
    let mut renamed = 0;
    for (name, source) in kernels::sources() {
        let options = Options {
            subvector: SubVector::Threshold(5),
            form: Form::Mode,
            ..Options::default()
        };
        let output = compile(&source, &name, &options).unwrap_or_else(|e| panic!("{e}"));
        let functions = output.report.functions.iter();
        for segment in functions.flat_map(|f| &f.segments) {
            for (from, to) in &segment.renamed {
                assert_ne!(from, to, "{name}: {segment:?}");
                let high = [
                    "t6", "t5", "t4", "t3", "s11", "s10", "s9", "s8", "s7", "s6", "s5",
                ];
                renamed += u32::from(high.contains(&to.as_str()));
            }
        }
    }
    assert!(renamed > 0);
}

/// COMP-128: two loops that adjoin are one segment, unless something between them, or in one of them, stands against it.
#[test]
fn segments_that_adjoin_are_one() {
    let segments = |between: &str, second: &str, threshold| {
        let body = format!(
            "\tli s2, 4\n.L1:\n\taddi t0, a0, 1\n\tadd s3, s2, t0\n\taddi s2, s2, -1\n\tbnez s2, .L1\n{between}\
             \tli s2, 5\n.L2:\n\tadd s3, s3, s2\n{second}\taddi s2, s2, -1\n\tbnez s2, .L2\n\tmv a0, s3\n\tret"
        );
        let options = Options {
            subvector: SubVector::Threshold(threshold),
            form: Form::Mode,
            lower: Lower::Tokens,
            ..Options::default()
        };
        let output = compile(&kernel(&body), "a.s", &options).expect("it compiles");
        let starts = words(&output.assembly, &["subv.start"]).len();
        let made = |s: &&weft_compiler::SegmentReport| s.form.contains("by subv.start");
        let functions = output.report.functions.iter();
        let segments = functions.flat_map(|f| &f.segments).filter(made).count();
        assert_eq!(starts, segments, "{}", output.assembly);
        starts
    };
    assert_eq!(segments("", "", 1), 1);
    assert_eq!(segments("\tslli s3, s3, 2\n\tlw a1, 0(a2)\n", "", 1), 1);
    assert_eq!(segments("\tj .L9\n.L9:\n", "", 1), 1);
    // The second one is none, or too small.
    assert_eq!(segments("", "\tcall f\n", 1), 1);
    assert_eq!(segments("", "", 5), 0);
    for between in [
        "\tfence\n",
        "\tcall f\n",
        "\tbeqz a1, .L3\n\taddi a1, a1, 1\n.L3:\n",
        "\tamoadd.w a1, a1, (a2)\n",
        "\tcsrr a1, wtid\n",
        "\t.insn r 0x7B, 3, 0, x5, x0, t0\n",
    ] {
        assert_eq!(segments(between, "", 1), 2, "{between}");
    }
}

/// COMP-123, COMP-124: code for one size of a warp computes the same in warps of any size.
#[test]
fn forms_of_code_compute_the_same_in_any_warp() {
    let body =
        "\tmv t0, a0\n\tli t1, 0\n.L1:\n\tadd t1, t1, t0\n\taddi t0, t0, -1\n\tbgez t0, .L1\n\
                \tslli a0, a0, 2\n\tla a1, result\n\tadd a0, a0, a1\n\tsw t1, 0(a0)\n\tret";
    let source = kernel(body) + "\t.bss\n\t.globl result\nresult:\n\t.zero 1024\n";
    for form in [Form::Copies, Form::Loop] {
        let options = Options {
            subvector: SubVector::Threshold(1),
            form,
            threads: 8,
            lanes: 4,
            lower: Lower::None,
            ..Options::default()
        };
        let output = compile(&source, "a.s", &options).expect("it compiles");
        assert!(output.assembly.contains("wlane"), "{}", output.assembly);
        let program = assemble("a.s", &output.assembly).expect("it is assembled");
        for threads in [4, 8, 16, 32, 64] {
            let config = weft_sim::Config {
                warps: 2,
                threads,
                memory: 1 << 20,
                ..weft_sim::Config::default()
            };
            let mut machine = weft_sim::Machine::new(&program, &config).expect("a machine");
            let ending = machine.run(&weft_sim::Limits::default(), |_| ());
            assert!(matches!(ending, weft_sim::Outcome::Done), "{ending:?}");
            for thread in 0..2 * threads as u32 {
                let at = program.symbols["result"] + 4 * thread;
                let word = machine.memory().slice(at..at + 4).expect("it is there");
                let sum = thread * (thread + 1) / 2;
                assert_eq!(word, sum.to_le_bytes(), "{form:?} {threads}: {thread}");
            }
        }
    }
}

/// COMP-122, COMP-126: in `.insn` the number of a barrier looks like a register.
#[test]
fn numbers_of_barriers_stay() {
    let body = "\tli s2, 4\n.L1:\n\taddi t0, a0, 1\n\tsrli t0, t0, 20\n\t.insn r 0x7B, 3, 0, x5, x0, t0\n\taddi s2, s2, -1\n\tbnez s2, .L1\n\tret";
    for whole in [false, true] {
        let options = Options {
            subvector: SubVector::Threshold(1),
            form: Form::Mode,
            lower: Lower::Tokens,
            whole,
            ..Options::default()
        };
        let text = compile(&kernel(body), "a.s", &options)
            .expect("it compiles")
            .assembly;
        let arrive = words(&text, &[".insn"]);
        assert_eq!(arrive, [".insn r 0x7B, 3, 0, x5, x0, t6"], "{text}");
    }
}

/// A golden machine with shared registers runs the whole program: what `result` holds then, or the fault.
fn with_shared_registers(options: &Options, source: &str, from: u8) -> Result<Vec<u8>, String> {
    let output = compile(source, "a.s", options).expect("it compiles");
    let program = assemble("a.s", &output.assembly)?;
    let config = weft_sim::Config {
        warps: 2,
        threads: 16,
        lanes: Some(4),
        memory: 1 << 22,
        shared_from: from,
        ..weft_sim::Config::default()
    };
    let mut machine = weft_sim::Machine::new(&program, &config).expect("a machine");
    let values = program.symbols["values"];
    let noise: Vec<u8> = (0..6192u32)
        .map(|n| (n.wrapping_mul(0x9E37_79B1) >> 24) as u8)
        .collect();
    let memory = machine.memory_mut();
    memory.write_bytes(values, &noise).expect("it is there");
    match machine.run(&weft_sim::Limits::default(), |_| ()) {
        weft_sim::Outcome::Done => {}
        other => return Err(format!("{other:?}")),
    }
    let result = program.symbols["result"];
    Ok(machine
        .memory()
        .slice(result..result + 128)
        .expect("it is there")
        .to_vec())
}

/// COMP-125, COMP-126: of `kernels/registers.c` the registers from x16 on can be shared, which they could not be.
#[test]
fn a_kernel_leaves_the_high_registers_to_its_loops() {
    let source = include_str!("../../kernels/registers.s");
    let options = |whole| Options {
        subvector: SubVector::Auto,
        form: Form::Mode,
        whole,
        ..Options::default()
    };
    let off = Options::default();
    let expected = with_shared_registers(&off, source, 32).expect("it runs");
    assert!(expected.iter().any(|&byte| byte != 0));
    let with = |whole| with_shared_registers(&options(whole), source, 16);
    assert_eq!(with(true).as_ref(), Ok(&expected));
    let misused = with(false).expect_err("its saves are misuses");
    assert!(misused.contains("SharedRegister"), "{misused}");
    let report = |whole| {
        compile(source, "a.s", &options(whole))
            .expect("it compiles")
            .report
    };
    assert_eq!(report(true).functions[0].shared_from, Some(16));
    assert!(report(false).functions[0].shared_from > Some(16));
}

/// COMP-123, COMP-124: parts that no warp has.
#[test]
fn parts_that_no_warp_has_are_refused() {
    let source = include_str!("../../kernels/registers.s");
    for form in [Form::Loop, Form::Copies] {
        let with = |threads, lanes| {
            let options = Options {
                subvector: SubVector::Auto,
                form,
                threads,
                lanes,
                ..Options::default()
            };
            compile(source, "a.s", &options)
        };
        for (threads, lanes) in [(32, 0), (32, 5), (12, 4), (4, 8), (0, 1), (1 << 31, 1)] {
            let error = with(threads, lanes).expect_err("it is refused").to_string();
            assert!(error.contains("powers of two"), "{error}");
        }
        assert!(with(32, 8).is_ok() && with(8, 8).is_ok());
    }
}

/// COMP-051: outside of the loop a condition needs a register; of those that are free the first is x28, which is shared.
#[test]
fn temporaries_are_no_shared_registers() {
    let hungry = include_str!("../../kernels/registers.s");
    let with = |begin: &str, end: &str| {
        let branch = format!(
            "\tsw\ta7,8(sp)\n\tandi\tt0,a0,1\n\tli\tt1,1\n\tli\tt2,5\n{begin}\tbltu\tt0,t1,.Lodd\n\taddi\ta0,a0,3\n\
             .Lodd:\n\tadd\ta0,a0,t0\n\tadd\ta0,a0,t1\n\tadd\ta0,a0,t2\n{end}"
        );
        let source = hungry.replacen("\tsw\ta7,8(sp)\n", &branch, 1);
        assert_ne!(source, hungry);
        source
    };
    let source = with("", "");
    let options = |lower, mutation| Options {
        lower,
        subvector: SubVector::Auto,
        form: Form::Mode,
        whole: true,
        mutation,
        ..Options::default()
    };
    let expected = with_shared_registers(&Options::default(), &source, 32).expect("it runs");
    for lower in [Lower::Predicate, Lower::Masks] {
        let run = |mutation| with_shared_registers(&options(lower, mutation), &source, 16);
        assert_eq!(run(None).as_ref(), Ok(&expected), "{lower}");
        let misused = run(Some(Mutation::SharedTemporaries)).expect_err("it is a misuse");
        assert!(misused.contains("SharedRegister"), "{lower}: {misused}");
        // Where only shared ones are free the branch gets a token.
        let others = ["a1", "a2", "a3", "a5"];
        let begin = others.map(|register| format!("\tli\t{register},7\n"));
        let end = others.map(|register| format!("\tadd\ta0,a0,{register}\n"));
        let full = with(&begin.concat(), &end.concat());
        let output = compile(&full, "a.s", &options(lower, None)).expect("it compiles");
        let masks = words(&output.assembly, &["mset"]);
        assert!(masks.is_empty(), "{lower}: {}", output.assembly);
        assert_eq!(
            with_shared_registers(&options(lower, None), &full, 16),
            with_shared_registers(&Options::default(), &full, 32)
        );
    }
}

/// COMP-126: a kernel that reads s11 before anything has written it finds what the start file left in it.
#[test]
fn what_is_given_to_a_kernel_stays_where_it_is() {
    let source = include_str!("../../kernels/registers.s").replacen(
        "\taddi\tsp,sp,-64\n",
        "\taddi\tsp,sp,-64\n\tadd\ta0,a0,s11\n",
        1,
    );
    assert!(source.contains("a0,a0,s11"));
    let compiled = |mutation| {
        let options = Options {
            subvector: SubVector::Auto,
            form: Form::Mode,
            whole: true,
            mutation,
            ..Options::default()
        };
        compile(&source, "a.s", &options).expect("it compiles")
    };
    let output = compiled(None);
    assert!(output.assembly.contains("\ta0,a0,s11\n"));
    assert_eq!(output.report.functions[0].shared_from, Some(28));
    let moved = compiled(Some(Mutation::MovesWhatIsGiven));
    assert!(
        !moved.assembly.contains("\ta0,a0,s11\n"),
        "it is not noticed"
    );
}

/// COMP-127: of the whole program the returns of `kernel` end its threads, and each group saves an instruction of which
/// the convergence unit hears.
#[test]
fn returns_of_the_whole_programs_kernel_end_its_threads() {
    let body = "\tandi a2, a0, 3\n\tbeqz a2, .L1\n\tla a5, out\n\tslli a4, a0, 2\n\tadd a5, a5, a4\n\tsw a0, 0(a5)\n\tret\n.L1:\n\tret\n\t.globl f\nf:\n\tret\n\t.bss\n\t.align 2\nout:\t.zero 1024";
    let ends = |lower, whole, more: &str| {
        let options = Options {
            lower,
            whole,
            ..Options::default()
        };
        let source = kernel(body) + more;
        let text = compile(&source, "a.s", &options)
            .expect("it compiles")
            .assembly;
        let found = words(&text, &["ret", "exit", "sync"]);
        (found, text)
    };
    assert_eq!(ends(Lower::None, true, "").0, ["ret", "ret", "ret"]);
    assert_eq!(ends(Lower::Auto, false, "").0, ["ret", "ret", "ret"]);
    let (found, auto) = ends(Lower::Auto, true, "");
    assert_eq!(found, ["exit", "exit", "ret"]);
    let (found, tokens) = ends(Lower::Tokens, true, "");
    assert_eq!(found, ["sync .Lweft0", "sync .Lweft0", "exit", "ret"]);
    for more in [
        "\t.text\ng:\n\tcall kernel\n\tret\n",
        "\t.data\n\t.word kernel\n",
    ] {
        let (found, _) = ends(Lower::Auto, true, more);
        assert_eq!(
            found.iter().filter(|word| **word == "exit").count(),
            0,
            "{more}"
        );
    }
    let subject = Subject {
        name: "a.s".into(),
        source: kernel(body),
        inputs: vec![],
        outputs: vec![("out".into(), 1024)],
        waits: false,
    };
    for text in [auto, tokens] {
        equal(&subject, &text, &shape(7)).unwrap_or_else(|e| panic!("{e}\n{text}"));
    }
}

/// COMP-125: what stays.
#[test]
fn saves_that_somebody_reads_stay() {
    let hungry = include_str!("../../kernels/registers.s");
    let options = |mutation| Options {
        subvector: SubVector::Auto,
        form: Form::Mode,
        whole: true,
        mutation,
        ..Options::default()
    };
    // The kernel keeps a number of its own in a slot, through a register that a caller would want back.
    let source = hungry
        .replacen(
            "\taddi\tsp,sp,-64\n",
            "\taddi\tsp,sp,-64\n\taddi\ts2,a0,7\n",
            1,
        )
        .replacen(
            "\tadd\ta0,a0,a5\n",
            "\tlw\ta2,52(sp)\n\tadd\ta0,a0,a5\n\tadd\ta0,a0,a2\n",
            1,
        );
    assert_ne!(source, hungry);
    let expected = with_shared_registers(&Options::default(), &source, 32).expect("it runs");
    assert_eq!(
        with_shared_registers(&options(None), &source, 16).as_ref(),
        Ok(&expected)
    );
    let dropped = with_shared_registers(&options(Some(Mutation::DropsAllSaves)), &source, 16);
    assert_ne!(dropped.as_ref(), Ok(&expected), "it is not noticed");
    // Called in the file: its caller may want them back.
    let called = format!("{hungry}\n\t.text\n\t.globl f\nf:\n\ttail kernel\n");
    let output = compile(&called, "a.s", &options(None)).expect("it compiles");
    assert!(output.assembly.contains("s11,16(sp)"));
    let output = compile(hungry, "a.s", &options(None)).expect("it compiles");
    assert!(!output.assembly.contains("s11,16(sp)"));
}

/// COMP-071, COMP-072, COMP-076: the same branch, with threads that part there, with none that does, and with data that
/// decides.
#[test]
fn known_threads_decide_where_tokens_stand() {
    let work = "\taddi a3, a3, 1\n".repeat(40);
    let branch = |condition: &str| {
        let arm = "\tmul a4, a4, a4\n".repeat(20);
        format!("{condition}\tbeqz a2, .L1\n{arm}.L1:\n{work}\tsw a3, 0(a5)\n\tret\n")
    };
    let pushes = |source: &str, inputs: Vec<(String, Vec<u8>)>| {
        let options = Options {
            inputs,
            ..Options::default()
        };
        let output = compile(source, "a.s", &options).unwrap_or_else(|e| panic!("{e}"));
        words(&output.assembly, &["ssy", "pbk"]).len()
    };
    // Odd and even threads part; none is above 4096.
    assert_eq!(pushes(&kernel(&branch("\tandi a2, a0, 1\n")), vec![]), 1);
    assert_eq!(pushes(&kernel(&branch("\tsrli a2, a0, 12\n")), vec![]), 0);
    // Through a call, the stack, and a table.
    let called = "\taddi sp, sp, -16\n\tsw ra, 0(sp)\n\tcall f\n\tsw a0, 4(sp)\n\tlw ra, 0(sp)\n\tlw a2, 4(sp)\n\taddi sp, sp, 16\n";
    let of = |value: &str| {
        kernel(&branch(called))
            + &format!("f:\n\tandi a0, a0, 3\n\tslli a0, a0, 2\n\tla a2, table\n\tadd a0, a0, a2\n\tlw a0, 0(a0)\n\tret\n\t.section .rodata\n\t.align 2\ntable:\n\t.word {value}\n")
    };
    assert_eq!(pushes(&of("0, 1, 0, 1"), vec![]), 1);
    assert_eq!(pushes(&of("5, 5, 5, 5"), vec![]), 0);
    // Only the input says it.
    let input = kernel(&branch(
        "\tla a2, given\n\tslli a3, a0, 2\n\tadd a2, a2, a3\n\tlw a2, 0(a2)\n",
    )) + "\t.bss\n\t.align 2\ngiven:\t.zero 2048\n";
    let words_of = |value: fn(u32) -> u32| {
        let bytes = (0..512).flat_map(|n| value(n).to_le_bytes()).collect();
        vec![("given".to_string(), bytes)]
    };
    assert_eq!(pushes(&input, words_of(|n| n & 1)), 1);
    assert_eq!(pushes(&input, words_of(|_| 1)), 0);
    // Its name stands for a place in another variable.
    let merged =
        input.replace("given:\t.zero", "both:\t.zero 140\n\t.zero") + "\t.set given, both+140\n";
    assert_eq!(pushes(&merged, words_of(|n| n & 1)), 1);
    assert_eq!(pushes(&merged, words_of(|_| 1)), 0);
    // It lies in another file: not known.
    let extern_input = &input[..input.find("\t.bss").unwrap()];
    assert_eq!(
        pushes(extern_input, words_of(|_| 1)),
        pushes(extern_input, vec![])
    );
}

/// COMP-077: of 7 warps one takes much longer than the others, and a token that helps those slows it.
#[test]
fn the_slowest_of_few_warps_counts() {
    let (add, xor) = (
        "\tadd a5, a5, a3\n".repeat(20),
        "\txor a5, a5, a0\n".repeat(20),
    );
    let source = format!(
        "\t.globl kernel\nkernel:\n\tsrli t0, a0, 5\n\taddi t0, t0, -5\n\tli a3, 12\n\tandi a4, a0, 1\n\tli a5, 0\n\tbnez t0, .L1\n\tli a3, 300\n\tli a4, 0\n.L1:\n\tbeqz a4, .L2\n{add}\tj .L3\n.L2:\n{xor}.L3:\n\taddi a3, a3, -1\n\tbnez a3, .L1\n\tla t0, out\n\tslli t1, a0, 2\n\tadd t0, t0, t1\n\tsw a5, 0(t0)\n\tret\n\t.bss\n\t.align 2\nout:\t.zero 2048\n"
    );
    let cycles = |lower, mutation, warps| {
        let options = Options {
            lower,
            mutation,
            ..Options::default()
        };
        let output = compile(&source, "slowest.s", &options).expect("it compiles");
        let program = assemble("slowest.s", &output.assembly).expect("it assembles");
        let config = weft_sim::Config {
            warps,
            threads: 32,
            memory: 1 << 22,
            ..weft_sim::Config::default()
        };
        let mut machine = weft_sim::Machine::new(&program, &config).expect("a machine");
        let cycles = weft_sim::timing::Timing::default().run(&mut machine);
        cycles.expect("it runs") as f64
    };
    let none = |warps| cycles(Lower::None, None, warps);
    let unchecked = cycles(Lower::Auto, Some(Mutation::NoCheck), 7);
    assert!(unchecked > 1.1 * none(7), "{unchecked} and {}", none(7));
    for warps in [1, 7, 16] {
        let auto = cycles(Lower::Auto, None, warps);
        assert!(
            auto <= 1.01 * none(warps),
            "{warps}: {auto} and {}",
            none(warps)
        );
    }
}
