//! S4's kernels from C, in its own shapes; and how many branches take execution masks or predication.

mod support;

use support::judge::{equal, shape, together, Subject};
use support::share;
use support::styles::{by_hand, from_c, KERNELS};
use weft_compiler::{compile, Lower, Options, Treatment};
use weft_sim::Config;

fn options(lower: Lower, whole: bool) -> Options {
    Options {
        lower,
        whole,
        ..Options::default()
    }
}

/// COMP-110: in every lowering each computes what its threads compute alone, and what the kernel written by hand does.
#[test]
fn kernels_from_c_compute_what_those_by_hand_do() {
    for (number, (name, _)) in (0..).zip(KERNELS) {
        let subject = from_c(name);
        let config = Config {
            warps: 1,
            threads: 32,
            memory: 1 << 20,
            ..Config::default()
        };
        let hand = by_hand(name, "token");
        let expected = together(&hand, &hand.source, &config, 1_000_000).expect("it ends");
        for lower in Lower::ALL {
            let output = compile(
                &subject.source,
                &subject.name,
                &options(lower, number % 2 == 0),
            );
            let text = output.unwrap_or_else(|e| panic!("{e}")).assembly;
            let run = together(&subject, &text, &config, 1_000_000).expect("it ends");
            assert_eq!(run.outputs, expected.outputs, "{name} --lower {lower}");
            equal(&subject, &text, &shape(5 * number + lower as u64))
                .unwrap_or_else(|e| panic!("{name} --lower {lower}: {e}\n{text}"));
        }
    }
}

/// COMP-073, COMP-080: all of their branches that may part.
#[test]
fn kernels_from_c_get_masks() {
    for (name, _) in KERNELS {
        let share = share::of(name, &from_c(name).source);
        assert_eq!(share.masked, share.all, "{name}");
    }
    let fn0 = share::of("fn0", &from_c("fn0").source);
    assert_eq!((fn0.all, fn0.predicated), (1, 1));
}

/// The compiler copied what follows both sides, and the masks have S4's shape all the same: save, narrow, the others,
/// restore. Predicated, each side has a prefix, and one return is left.
#[test]
fn an_if_with_else_has_the_shape_of_its_source() {
    let words = |lower| {
        let output = compile(&from_c("fn0").source, "fn0.s", &options(lower, true));
        let text = output.expect("it compiles").assembly;
        let statements = text.lines().map(|line| line.trim().replace('\t', " "));
        let keep = [
            "slt ", "mset", "mand", "mnot", "mpred", "mrestore", "ret", "exit",
        ];
        statements
            .filter(|text| keep.iter().any(|start| text.starts_with(start)))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        words(Lower::Masks),
        [
            "slt t0, a5, a4",
            "mset m7, t0",
            "mand.save m0, m7",
            "mandn exec, m0, exec",
            "mrestore m0",
            "exit",
        ]
    );
    assert_eq!(
        words(Lower::Predicate),
        [
            "slt t0, a5, a4",
            "mset m7, t0",
            "mpred m7, 6",
            "mnot m7, m7",
            "mpred m7, 6",
            "exit",
        ]
    );
}

/// COMP-087: at least half of the branches of the kernels take masks or predication when they are asked to.
#[test]
fn half_of_the_branches_take_masks_or_predication() {
    let shares = share::of_kernels();
    let sum = share::sum(&shares);
    let list: Vec<String> = shares
        .iter()
        .map(|(name, one)| format!("{name}: {one:?}"))
        .collect();
    let list = list.join("\n");
    assert!(sum.all >= 100, "{sum:?}\n{list}");
    assert!(2 * sum.either >= sum.all, "{sum:?}\n{list}");
    assert!(10 * sum.masked >= 6 * sum.all, "{sum:?}\n{list}");
    assert!(10 * sum.predicated >= sum.all, "{sum:?}\n{list}");
    assert_eq!(sum.refused.get("unsaid"), None, "{list}");
}

/// A kernel of which a3 and a4 come out; a2 is 0 to 3, by threads.
fn conditional(body: &str) -> Subject {
    let source = format!(
        "\t.globl kernel\nkernel:\n\tla t0, out\n\tslli t1, a0, 2\n\tadd t0, t0, t1\n\tandi a2, a0, 3\n\tli a3, 7\n\tli a4, 9\n\tli a5, 2\n{body}\n\t.bss\n\t.align 2\nout:\t.zero 1024\n"
    );
    Subject {
        name: "conditional.s".into(),
        source,
        inputs: vec![],
        outputs: vec![("out".into(), 1024)],
        waits: false,
    }
}

const END: &str = "\tslli a4, a4, 8\n\tadd a3, a3, a4\n\tsw a3, 0(t0)\n\tret";

/// COMP-080 to COMP-083: shapes that compilers give to structured code.
#[test]
fn shapes_of_compilers_get_masks() {
    for (what, body) in [
        ("two ways to the other side", format!("\tbeqz a2, .L1\n\tbeq a2, a5, .L1\n\taddi a3, a3, 5\n\tj .L2\n.L1:\n\taddi a4, a4, 3\n.L2:\n{END}")),
        ("code behind the return", format!("\tbeqz a2, .L1\n\taddi a3, a3, 5\n.L2:\n{END}\n.L1:\n\taddi a4, a4, 3\n\tj .L2")),
        ("early returns", format!("\tbeqz a2, .L1\n\tbeq a2, a5, .L2\n\taddi a3, a3, 5\n{END}\n.L2:\n\taddi a3, a3, 6\n{END}\n.L1:\n\taddi a4, a4, 3\n{END}")),
        ("a rotated loop", format!("\tj .L2\n.L1:\n\taddi a3, a3, 5\n\taddi a2, a2, -1\n.L2:\n\taddi a4, a4, 1\n\tbgtz a2, .L1\n{END}")),
        ("a loop with two ways back and one out of its middle", format!("\taddi a2, a2, 9\n.L1:\n\taddi a2, a2, -1\n\taddi a3, a3, 1\n\tandi a6, a2, 1\n\tbnez a6, .L1\n\tandi a6, a3, 8\n\tbnez a6, .L2\n\taddi a4, a4, 1\n\tbgt a2, a5, .L1\n\taddi a4, a4, 2\n.L2:\n{END}")),
        ("a loop in a loop, with a way out of both", format!("\taddi a2, a2, 3\n.L1:\n\tmv a6, a2\n.L2:\n\taddi a3, a3, 1\n\tandi a7, a3, 31\n\tbeqz a7, .L3\n\taddi a6, a6, -1\n\tbnez a6, .L2\n\taddi a4, a4, 1\n\taddi a2, a2, -1\n\tbnez a2, .L1\n\taddi a4, a4, 5\n.L3:\n{END}")),
        ("an endless loop that is left by a jump", format!(".L1:\n\taddi a3, a3, 1\n\tbltz a2, .L2\n\taddi a2, a2, -1\n\tj .L1\n.L2:\n{END}")),
        ("sides that end together", format!("\tbeqz a2, .L1\n\taddi a3, a3, 5\n\tbeq a2, a5, .L3\n\taddi a3, a3, 1\n.L3:\n\taddi a4, a4, 1\n\tj .L2\n.L1:\n\taddi a4, a4, 3\n\tbgt a0, a5, .L3\n.L2:\n{END}")),
    ] {
        let subject = conditional(&body);
        for whole in [false, true] {
            let output = compile(&subject.source, what, &options(Lower::Masks, whole)).expect(what);
            let branches = &output.report.functions[0].branches;
            let mut parting = branches.iter().filter(|b| b.diverges.is_some());
            assert!(
                parting.all(|b| b.treatment == Treatment::Masked),
                "{what}: {}",
                output.report
            );
            for number in 0..24 {
                equal(&subject, &output.assembly, &shape(number))
                    .unwrap_or_else(|e| panic!("{what}, shape {number}: {e}\n{}", output.assembly));
            }
        }
    }
}

/// COMP-073: both sides, in place, elsewhere in the text, and with returns; but nothing is copied that may get a YIELD.
#[test]
fn both_sides_are_predicated() {
    for (what, body) in [
        ("in place", format!("\tbeqz a2, .L1\n\taddi a3, a3, 5\n\tj .L2\n.L1:\n\taddi a4, a4, 3\n\tadd a3, a3, a4\n.L2:\n{END}")),
        ("one of them empty", format!("\tbeqz a2, .L1\n\tj .L2\n.L1:\n\taddi a4, a4, 3\n.L2:\n{END}")),
        ("returns", format!("\tbeqz a2, .L1\n\taddi a3, a3, 5\n{END}\n.L1:\n\taddi a4, a4, 3\n{END}")),
        ("behind the return", format!("\tbeqz a2, .L1\n\taddi a3, a3, 5\n.L2:\n{END}\n.L1:\n\taddi a4, a4, 3\n\tj .L2")),
        ("one of them, behind the return", format!("\tbeqz a2, .L1\n.L2:\n{END}\n.L1:\n\taddi a4, a4, 3\n\tj .L2")),
    ] {
        let subject = conditional(&body);
        let output = compile(&subject.source, what, &options(Lower::Predicate, true)).expect(what);
        let branch = &output.report.functions[0].branches[0];
        assert_eq!(branch.treatment, Treatment::Predicated, "{what}: {}", output.report);
        for number in 0..24 {
            equal(&subject, &output.assembly, &shape(number))
                .unwrap_or_else(|e| panic!("{what}, shape {number}: {e}\n{}", output.assembly));
        }
    }
    let far =
        format!(".L0:\n\taddi a3, a3, 1\n\tbgtz a2, .L1\n{END}\n.L1:\n\taddi a2, a2, -1\n\tj .L0");
    let output = compile(
        &conditional(&far).source,
        "far",
        &options(Lower::Predicate, true),
    );
    let branch = &output.expect("it compiles").report.functions[0].branches[0];
    assert_ne!(branch.treatment, Treatment::Predicated);
}
