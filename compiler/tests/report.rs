//! COMP-100 to COMP-103.

use weft_compiler::{compile, Lower, Options, Treatment};

const SOURCE: &str = "\
\t.globl kernel
\t.type kernel, @function
kernel:
\tcsrr a5, wcta
\tbnez a5, .L9
\tbeqz a0, .L1
\taddi a1, a1, 1
\taddi a2, a2, 1
.L1:
\tcall elsewhere
.L9:
\tret
\t.globl own
own:
\tyield
\tssy .L3
.L3:
\tret
";

#[test]
fn every_branch_has_a_reason_and_a_treatment() {
    let options = Options {
        lower: Lower::Tokens,
        ..Options::default()
    };
    let report = compile(SOURCE, "a.s", &options).expect("right").report;
    let kernel = &report.functions[0];
    assert_eq!(
        (kernel.name.as_str(), kernel.line, kernel.branches.len()),
        ("kernel", 4, 2)
    );
    assert_eq!(
        (kernel.branches[0].line, &kernel.branches[0].treatment),
        (5, &Treatment::Uniform)
    );
    assert!(kernel.branches[0].diverges.is_none());
    let why = kernel.branches[1]
        .diverges
        .as_deref()
        .expect("a0 is the number of the thread");
    assert!(why.contains("a0 differs"), "{why}");
    assert!(matches!(
        kernel.branches[1].treatment,
        Treatment::Token { join: Some(10), .. }
    ));
    let own = &report.functions[1];
    assert!(
        own.left_alone
            .as_deref()
            .is_some_and(|why| why.contains("line 16")),
        "{:?}",
        own.left_alone
    );
    let text = report.to_string();
    for expected in [
        "line 5: bnez a5, .L9",
        "uniform: nothing to do",
        "sync token, threads meet in line 10",
        "warp control of its own",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
}

#[test]
fn json_and_picture_say_the_same() {
    let report = compile(SOURCE, "a.s", &Options::default())
        .expect("right")
        .report;
    let json: serde_json::Value = serde_json::from_str(&report.json()).expect("JSON");
    assert_eq!(json["functions"][0]["branches"][1]["line"], 6);
    assert_eq!(json["lower"], "auto");
    let svg = report.svg();
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
    assert_eq!(svg.matches("<g>").count(), svg.matches("</g>").count());
    assert!(svg.contains("beqz a0, .L1") && !svg.contains("NaN"));
}
