//! The judge on traces made by the model's own convergence unit: right ones pass, each kind of wrong one is told with
//! its place.

use std::fmt::Write as _;
use weft_judge::trace::{judge, Error, Summary};

const HEADER: &str = r#"{"weft":"control","levels":{"warps":4,"threads":4}}"#;

/// One warp that parts at a branch behind an SSY, and meets again.
const RIGHT: &str = r#"
{"cycle":1,"launch":{"warp":1,"pc":0,"mask":15,"size":64}}
{"cycle":2,"issue":{"warp":1,"pc":0,"mask":15}}
{"cycle":2,"resolve":{"warp":1,"op":3,"kind":0,"mask":15,"target":4}}
{"cycle":5,"retire":{"warp":1,"op":3,"pc":0,"next_pc":1,"next_mask":15,"depth":1}}
{"cycle":6,"issue":{"warp":1,"pc":1,"mask":15}}
{"cycle":6,"resolve":{"warp":1,"op":1,"mask":1,"target":3}}
{"cycle":9,"retire":{"warp":1,"op":1,"pc":1,"next_pc":3,"next_mask":1,"depth":2}}
{"cycle":10,"issue":{"warp":1,"pc":3,"mask":1}}
{"cycle":10,"resolve":{"warp":1,"op":4,"kind":0,"mask":1,"target":4}}
{"cycle":13,"retire":{"warp":1,"op":4,"pc":3,"next_pc":2,"next_mask":14,"depth":1}}
{"cycle":14,"issue":{"warp":1,"pc":2,"mask":14}}
{"cycle":14,"resolve":{"warp":1,"op":4,"kind":0,"mask":14,"target":4}}
{"cycle":17,"retire":{"warp":1,"op":4,"pc":2,"next_pc":4,"next_mask":15,"depth":0}}
{"cycle":18,"issue":{"warp":1,"pc":4,"mask":15}}
{"cycle":18,"resolve":{"warp":1,"op":7,"mask":15}}
{"cycle":21,"retire":{"warp":1,"op":7,"pc":4,"next_pc":0,"next_mask":0,"done":1,"depth":0}}
"#;

fn of(text: &str) -> Result<Summary, Error> {
    judge(text.as_bytes())
}

fn changed(from: &str, to: &str) -> String {
    assert_eq!(RIGHT.matches(from).count(), 1, "{from}");
    let text = format!("{HEADER}{}", RIGHT.replace(from, to));
    of(&text).expect_err(to).to_string()
}

/// A line that does not end is not kept until memory is full.
#[test]
fn a_line_without_end_is_refused() {
    let endless = std::io::BufReader::new(std::io::repeat(b' '));
    let error = judge(endless).unwrap_err().to_string();
    assert_eq!(error, "a line of 1048576 bytes and more is no trace");
    // As from Windows, and the last line without its end.
    let text = format!("{HEADER}{RIGHT}").replace('\n', "\r\n");
    assert_eq!(of(text.trim_end()).expect("a right trace").retired, 5);
}

#[test]
fn a_right_trace_passes() {
    let summary = of(&format!("{HEADER}{RIGHT}")).expect("a right trace");
    assert_eq!(
        (summary.lines, summary.retired, summary.running),
        (16, 5, vec![])
    );
}

#[test]
fn a_trace_that_ends_early_names_who_runs() {
    let cut: String = RIGHT.lines().take(5).fold(HEADER.into(), |mut text, line| {
        let _ = write!(text, "\n{line}");
        text
    });
    assert_eq!(of(&cut).expect("a right trace").running, [1]);
}

#[test]
fn every_field_that_differs_is_told_with_its_line_and_cycle() {
    let of_retire = |field: &str, to: &str| changed(field, to);
    let text = of_retire(
        r#""next_pc":2,"next_mask":14"#,
        r#""next_pc":5,"next_mask":14"#,
    );
    assert_eq!(
        text,
        "line 11, cycle 13: warp 1: retire_next_pc is 0x5, by the model 0x2"
    );
    let text = of_retire(
        r#""next_pc":2,"next_mask":14"#,
        r#""next_pc":2,"next_mask":12"#,
    );
    assert_eq!(
        text,
        "line 11, cycle 13: warp 1: retire_next_mask is 0xc, by the model 0xe"
    );
    let text = of_retire(r#""op":3,"pc":0,"#, r#""op":1,"pc":0,"#);
    assert_eq!(
        text,
        "line 5, cycle 5: warp 1: retire_op is BRANCH, by the model PUSH"
    );
    let text = of_retire(r#""op":3,"pc":0,"#, r#""op":3,"pc":7,"#);
    assert_eq!(
        text,
        "line 5, cycle 5: warp 1: retire_pc is 0x7, by the model 0x0"
    );
    let text = of_retire(r#""next_mask":15,"depth":1"#, r#""next_mask":15,"depth":3"#);
    assert_eq!(
        text,
        "line 5, cycle 5: warp 1: retire_depth is 3, by the model 1"
    );
    let text = of_retire(
        r#""next_mask":15,"depth":1"#,
        r#""next_mask":15,"depth":1,"dropped":1"#,
    );
    assert_eq!(
        text,
        "line 5, cycle 5: warp 1: retire_dropped is true, by the model false"
    );
    let text = of_retire(r#""done":1"#, r#""done":0"#);
    assert_eq!(
        text,
        "line 17, cycle 21: warp 1: retire_done is false, by the model true"
    );
    let text = of_retire(r#""pc":4,"mask":15}"#, r#""pc":4,"mask":7}"#);
    assert_eq!(
        text,
        "line 15, cycle 18: warp 1: issue_mask is 0x7, by the model 0xf"
    );
}

#[test]
fn what_the_ports_do_not_allow_is_told() {
    let twice = r#"{"cycle":2,"resolve":{"warp":1,"op":3,"kind":0,"mask":15,"target":4}}"#;
    let text = changed(twice, &format!("{twice}\n{twice}"));
    assert_eq!(
        text,
        "line 5, cycle 2: warp 1: is resolved with an operation on its way"
    );
    let text = changed(r#"{"cycle":6,"issue":{"warp":1,"pc":1,"mask":15}}"#, "");
    assert_eq!(
        text,
        "line 7, cycle 6: warp 1: is resolved, but nothing was issued: each issue has one resolve"
    );
    let text = changed(r#""launch":{"warp":1"#, r#""launch":{"warp":9"#);
    assert_eq!(text, "line 2, cycle 1: warp 9: there are 4");
    let text = changed(
        r#""pc":0,"mask":15,"size":64"#,
        r#""pc":0,"mask":31,"size":64"#,
    );
    assert_eq!(
        text,
        "line 2, cycle 1: warp 1: is launched with mask 0x1f; it has 4 threads"
    );
}

#[test]
fn an_allocation_that_is_too_small_is_an_exception() {
    let text = format!(
        "{HEADER}\n{}\n{}",
        r#"{"launch":{"warp":0,"pc":3,"mask":1,"size":4}}"#,
        r#"{"exception":{"warp":0,"pc":3,"cause":15}}"#
    );
    assert_eq!(of(&text).expect("right").retired, 1);
}

#[test]
fn what_is_no_trace_is_told() {
    let error = |text: &str| of(text).expect_err(text).to_string();
    assert_eq!(error(""), "line 1: the trace is empty");
    assert_eq!(
        error(HEADER),
        "no operation retires in this trace, so nothing was judged"
    );
    let other = HEADER.replace("control", "core");
    assert_eq!(
        error(&other),
        "line 1: \"weft\" is \"core\"; only traces of \"control\" are judged"
    );
    let three = HEADER.replace("\"threads\":4", "\"threads\":3");
    assert_eq!(
        error(&three),
        "line 1: 3 threads: 4, 8, 16, 32 or 64 are possible"
    );
    let two = format!(
        "{HEADER}\n{}",
        r#"{"issue":{"warp":0,"pc":0,"mask":1},"launch":{"warp":0,"pc":0,"mask":1,"size":9}}"#
    );
    assert_eq!(
        error(&two),
        "line 2: a line has one of launch, issue, resolve, retire and exception"
    );
    let unknown = format!("{HEADER}\n{}", r#"{"retires":{}}"#);
    assert!(error(&unknown).starts_with("line 2: unknown field `retires`"));
    assert!(error(&format!("{HEADER}\n{{")).starts_with("line 2: EOF"));
}
