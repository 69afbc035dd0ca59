//! Each analysis and lowering, broken on purpose, is noticed: by a wrong result where it may not be wrong, else by
//! convergence that is lost.

mod support;

use support::judge::{equal, shape, together, Subject};
use support::{graphs, kernels};
use weft_compiler::{compile, Lower, Mutation, Options};
use weft_sim::Config;

fn compiled(subject: &Subject, lower: Lower, mutation: Option<Mutation>) -> String {
    let options = Options {
        lower,
        mutation,
        ..Options::default()
    };
    compile(&subject.source, &subject.name, &options)
        .expect("it compiles")
        .assembly
}

/// A short program with a condition for each thread, as tests of masks need it.
fn conditional(body: &str) -> Subject {
    let source = format!(
        "\t.globl kernel\nkernel:\n\tla t0, out\n\tslli t1, a0, 2\n\tadd t0, t0, t1\n\tandi a2, a0, 3\n\tli a3, 7\n\tli a4, 9\n\tmv t6, a0\n{body}\n\tadd a3, a3, a4\n\tadd a3, a3, t6\n\tsw a3, 0(t0)\n\tret\n\t.bss\n\t.align 2\nout:\t.zero 1024\n"
    );
    Subject {
        name: "conditional.s".into(),
        source,
        inputs: vec![],
        outputs: vec![("out".into(), 1024)],
        waits: false,
    }
}

fn subjects() -> Vec<Subject> {
    let mut all = vec![
        conditional("\tbeqz a2, .L1\n\taddi a3, a3, 5\n.L1:"),
        conditional("\tli a5, 2\n\tbgeu a2, a5, .L1\n\taddi a3, a3, 5\n\tj .L2\n.L1:\n\taddi a4, a4, 3\n.L2:"),
        conditional("\tli a5, 2\n\tbeqz a2, .L1\n\tbeq a2, a5, .L1\n\taddi a3, a3, 5\n\tj .L2\n.L1:\n\taddi a4, a4, 3\n.L2:"),
        conditional("\taddi a2, a2, 1\n.L1:\n\tadd a3, a3, a2\n\taddi a2, a2, -1\n\tbnez a2, .L1"),
        // Every temporary is live across the branch.
        conditional(
            "\tli t1, 1\n\tli t2, 2\n\tli t3, 3\n\tli t4, 4\n\tli t5, 5\n\tbge a2, a4, .L1\n\taddi a3, a3, 5\n.L1:\n\tadd a3, a3, t1\n\tadd a3, a3, t2\n\tadd a3, a3, t3\n\tadd a3, a3, t4\n\tadd a3, a3, t5\n\tadd a3, a3, a2\n\tadd a3, a3, a1",
        ),
        // t0 lives on behind a call that is none of the convention.
        conditional(
            "\tbge a2, a4, .L1\n\taddi a3, a3, 5\n.L1:\n\t.pushsection .text.once,\"ax\",@progbits\nonce:\n\taddi a3, a3, 1\n\tjr a7\n\t.popsection\n\tjal a7, once",
        ),
    ];
    // A function of this file is given something in t0 to t6, too.
    let temporaries = ["t0", "t1", "t2", "t3", "t4", "t5", "t6"];
    let given: String = (20..)
        .zip(temporaries)
        .map(|(n, r)| format!("\tli {r}, {n}\n"))
        .collect();
    let sum: String = temporaries.map(|r| format!("\tadd a0, a0, {r}\n")).concat();
    all.push(conditional(&format!(
        "\tmv s1, ra\n\tmv s0, t0\n{given}\tbge a2, a4, .L1\n\taddi a0, a0, 5\n.L1:\n\tcall many\n\tmv ra, s1\n\tmv t0, s0\n\tmv a3, a0\n\tli a4, 0\n\tli t6, 0\n\t.pushsection .text.many,\"ax\",@progbits\nmany:\n{sum}\tret\n\t.popsection"
    )));
    // A loop in front of code that nothing reaches; the next jump becomes masked code.
    all.push(conditional(
        "\tmv a5, a2\n\tli a6, 999\n\tbeq a1, a6, .Lout\n\taddi a5, a5, 2\n.L0:\n\tyield\n\taddi a4, a4, 1\n\tli a6, 14\n\tbge a4, a6, .Lout\n\tandi a6, a4, 3\n\tbge a6, a5, .Lout\n\tj .L0\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop\n.Lout:\n\tli a6, 2\n\tbge a2, a6, .L5\n\taddi a4, a4, 100\n\tj .L6\n.L5:\n\taddi a4, a4, 50\n.L6:",
    ));
    all.extend((0..20).map(|seed| graphs::random(seed).subject()));
    all
}

/// Some subject computes something else.
fn is_wrong(lower: Lower, mutation: Option<Mutation>) -> bool {
    (0..).zip(subjects()).any(|(number, subject)| {
        equal(
            &subject,
            &compiled(&subject, lower, mutation),
            &shape(number),
        )
        .is_err()
    })
}

/// COMP-050, COMP-067, COMP-073, COMP-082, COMP-083.
#[test]
fn lowerings_that_may_not_be_wrong_are_noticed_when_they_are() {
    for (lower, mutation) in [
        (Lower::Predicate, Mutation::OppositePredicate),
        (Lower::Predicate, Mutation::OneSide),
        (Lower::Predicate, Mutation::NothingLive),
        (Lower::Predicate, Mutation::AllCallsByConvention),
        (Lower::Predicate, Mutation::ArgumentsByConvention),
        (Lower::Tokens, Mutation::OppositeLeave),
        (Lower::Tokens, Mutation::NothingLive),
        (Lower::Masks, Mutation::NothingLive),
        (Lower::Masks, Mutation::StubsAnywhere),
        (Lower::Masks, Mutation::NoRestore),
        (Lower::Masks, Mutation::NoElse),
        (Lower::Masks, Mutation::ForgetsWhoWaits),
    ] {
        assert!(
            is_wrong(lower, Some(mutation)),
            "--lower {lower} with {mutation:?} is not noticed"
        );
        assert!(!is_wrong(lower, None), "--lower {lower}");
    }
}

/// COMP-127: a kernel that calls itself goes on behind the call.
#[test]
fn a_kernel_that_is_called_returns() {
    let source = "\t.globl kernel\nkernel:\n\tli t0, 1024\n\tbgeu a0, t0, .L1\n\taddi sp, sp, -16\n\tsw ra, 0(sp)\n\tsw a0, 4(sp)\n\taddi a0, a0, 1024\n\tcall kernel\n\tlw a0, 4(sp)\n\tlw ra, 0(sp)\n\taddi sp, sp, 16\n\tla t0, out\n\tslli t1, a0, 2\n\tadd t0, t0, t1\n\tsw a0, 0(t0)\n.L1:\n\tret\n\t.bss\n\t.align 2\nout:\t.zero 1024\n";
    let subject = Subject {
        name: "called.s".into(),
        source: source.into(),
        inputs: vec![],
        outputs: vec![("out".into(), 1024)],
        waits: false,
    };
    let result = |mutation| {
        let options = Options {
            lower: Lower::Tokens,
            whole: true,
            mutation,
            ..Options::default()
        };
        let output = compile(source, "called.s", &options).expect("it compiles");
        equal(&subject, &output.assembly, &shape(3))
    };
    assert_eq!(result(None), Ok(()));
    result(Some(Mutation::NobodyCalls)).expect_err("it is noticed");
}

fn warp_instructions(subject: &Subject, lower: Lower, mutation: Option<Mutation>) -> u64 {
    let config = Config {
        warps: 1,
        threads: 32,
        memory: 1 << 22,
        ..Config::default()
    };
    let text = compiled(subject, lower, mutation);
    let run = together(subject, &text, &config, 50_000_000).expect("it runs");
    run.stats.total.warp_instructions
}

/// A branch that only one rule tells to be divergent, in front of much work: without the token the work is done twice.
fn rule(body: &str) -> Subject {
    let work = "\taddi a3, a3, 1\n".repeat(60);
    conditional(&format!("{body}\n{work}"))
}

/// COMP-030, COMP-041, COMP-044, COMP-061, COMP-062.
#[test]
fn what_the_analyses_miss_costs_convergence() {
    let loads = rule("\tla a5, table\n\tlw a5, 0(a5)\n\tslli a2, a0, 2\n\tla a6, table\n\tadd a6, a6, a2\n\tlw a6, 0(a6)\n\tandi a6, a6, 1\n\tbeqz a6, .L1\n\taddi a3, a3, 5\n.L1:");
    let loads = Subject {
        source: loads.source.replace(
            "out:\t.zero",
            &format!(
                "out:\t.zero 1024\n\t.data\n\t.align 2\ntable:\t.word {}\n\t.bss\n\t.zero",
                (0..64)
                    .map(|n| n.to_string())
                    .collect::<Vec<_>>()
                    .join(", ")
            ),
        ),
        ..loads
    };
    let control = rule(
        "\tli a5, 0\n\tbeqz a2, .L1\n\tli a5, 1\n.L1:\n\tbeqz a5, .L2\n\taddi a3, a3, 5\n.L2:",
    );
    let any = rule("\tbeqz a2, .L1\n\taddi a3, a3, 5\n.L1:");
    let bfs = kernels::race_free().swap_remove(0);
    for (subject, mutation) in [
        (&loads, Mutation::UniformLoads),
        (&control, Mutation::NoControlDependence),
        (&any, Mutation::NoPushes),
        (&any, Mutation::NoLeaves),
        (&bfs, Mutation::WrongPostDominator),
        (&bfs, Mutation::NoPushes),
    ] {
        let (right, broken) = (
            warp_instructions(subject, Lower::Tokens, None),
            warp_instructions(subject, Lower::Tokens, Some(mutation)),
        );
        assert!(
            broken as f64 > 1.1 * right as f64,
            "{mutation:?}: {right} warp instructions, broken {broken}\n{}",
            compiled(subject, Lower::Tokens, None)
        );
    }
}

/// COMP-070, COMP-071: a choice that knows less, or counts wrong, is another one.
#[test]
fn what_the_choice_miscounts_changes_it() {
    let work = "\tmul a3, a3, a3\n".repeat(30);
    // No thread has so high a number that it parts from the others.
    let together = conditional(&format!(
        "\tsrli a5, a0, 12\n\tbeqz a5, .L1\n{work}.L1:\n{work}"
    ));
    let text = |mutation| compiled(&together, Lower::Auto, mutation);
    assert!(!text(None).contains("ssy"), "{}", text(None));
    for mutation in [Mutation::FreeTokens, Mutation::UnknownThreads] {
        let text = text(Some(mutation));
        assert!(text.contains("ssy"), "{mutation:?} is not noticed\n{text}");
    }
    // In one of 60 rounds half of the threads leave.
    let seldom = conditional(&format!(
        "\tandi a2, a0, 1\n\tslli a2, a2, 5\n\tli a6, 60\n.L0:\n\tbeq a2, a6, .L1\n{work}.L1:\n\taddi a6, a6, -1\n\tbnez a6, .L0"
    ));
    let text = |mutation| compiled(&seldom, Lower::Auto, mutation);
    assert!(
        text(None).contains("ssy") && !text(None).contains("xor"),
        "{}",
        text(None)
    );
    let free = text(Some(Mutation::FreeConditions));
    assert!(free.contains("xor"), "it is not noticed\n{free}");
}

/// COMP-071: a search whose inner loop is nearly always entered, of whose input nothing is known.
#[test]
fn loops_are_supposed_to_be_entered() {
    let bfs = kernels::race_free().swap_remove(0);
    let instructions = |lower, mutation| warp_instructions(&bfs, lower, mutation) as f64;
    let tokens = instructions(Lower::Tokens, None);
    assert!(instructions(Lower::Auto, None) < 1.02 * tokens);
    let broken = instructions(Lower::Auto, Some(Mutation::LoopsAsOthers));
    assert!(
        broken > 1.2 * tokens,
        "it is not noticed: {broken} and {tokens}"
    );
}

/// COMP-077: in a launch of seven warps nobody parts, and what pays in one and in sixteen would only cost.
#[test]
fn the_choice_is_looked_at_once_more() {
    let (rare, often) = (
        "\tmul a3, a3, a3\n".repeat(9),
        "\tmul a4, a4, a3\n".repeat(20),
    );
    let body = format!(
        "\taddi a5, a1, -224\n\tsnez a5, a5\n\tneg a5, a5\n\tand a2, a0, a5\n\tandi a2, a2, 1\n\tli a6, 50\n\
         .L0:\n\tbeqz a2, .L1\n{rare}.L1:\n{often}\taddi a6, a6, -1\n\tbnez a6, .L0"
    );
    let subject = conditional(&body);
    let text = |mutation| compiled(&subject, Lower::Auto, mutation);
    let pushes = |text: &str| ["ssy", "pcnt"].iter().any(|push| text.contains(push));
    assert!(
        pushes(&text(Some(Mutation::NoCheck))),
        "{}",
        text(Some(Mutation::NoCheck))
    );
    assert!(!pushes(&text(None)), "{}", text(None));
}
