//! `weft run --profile` (`docs/profile.md`): the line that costs most is named, and every instruction is counted once.

use serde_json::Value;
use std::process::{Command, Output};
use weft_toolbox::Toolbox;

/// A loop in a function of its own, whose second line does most.
const SOURCE: &str = "unsigned out[64];
static __attribute__((noinline)) unsigned turns(unsigned n)
{
    unsigned sum = 7;
    for (unsigned i = 1; i <= n; ++i)
        sum = (sum / i + 1000 * n) ^ (sum << 3) ^ (sum >> 5) ^ (sum * i);
    return sum;
}
void kernel(unsigned thread, unsigned threads)
{
    out[thread] = turns(40 + thread % 3);
}
";
const LINE: u64 = 6;

fn weft(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_weft"));
    command.args(arguments).output().unwrap()
}

fn number(value: &Value, name: &str) -> u64 {
    value[name]
        .as_u64()
        .unwrap_or_else(|| panic!("{name} in {value}"))
}

#[test]
fn the_costliest_line_is_named() {
    let families = weft_cc::Family::ALL.into_iter();
    let mut there = families.filter(|f| weft_cc::Compiler::find(&Toolbox::here(), *f).is_some());
    if there.next().is_none() {
        println!("SKIPPED: no compiler for RISC-V; `cargo xtask setup` installs Zig");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (source, json, folded) = (path("hot.c"), path("hot.json"), path("hot.folded"));
    std::fs::write(&source, SOURCE).unwrap();
    let size = [
        "run",
        &source,
        "--warps",
        "4",
        "--threads",
        "8",
        "--profile",
    ];
    let files = ["--json", &json, "--folded", &folded];
    // All warps; one CTA with a last warp of two threads; the same on the SM.
    let cta = ["--cta", "18"];
    let sm = ["--cta", "18", "--engine", "sm", "--lanes", "4"];
    for (how, timed) in [(&[][..], false), (&cta, false), (&sm, true)] {
        let output = weft(&[&size[..], &files, how].concat());
        let said = String::from_utf8(output.stdout).unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{how:?}: {error}");
        let head = said.find("profile by source line").expect("a profile");
        let first = said[head..].lines().nth(2).expect("a line");
        assert!(first.contains("hot.c:6 in turns"), "{how:?}: {said}");
        assert_eq!(said[head..].contains("waits"), timed, "{said}");

        let report: Value = serde_json::from_str(&std::fs::read_to_string(&json).unwrap()).unwrap();
        let rows = report["profile"].as_array().expect("rows");
        assert_eq!(
            (number(&rows[0], "line"), rows[0]["function"].as_str()),
            (LINE, Some("turns"))
        );
        let all = |name| rows.iter().map(|row| number(row, name)).sum::<u64>();
        let executed = report["warp_instructions"].as_u64();
        assert_eq!(Some(all("warp_instructions")), executed, "{how:?}");
        assert_eq!(all("waits") > 0, timed, "{how:?}");
        // 18 or 32 threads, each 40 to 42 times through the loop.
        let threads = if how.is_empty() { 32 } else { 18 };
        assert!(
            number(&rows[0], "thread_instructions") >= 40 * threads,
            "{how:?}"
        );

        let stacks = std::fs::read_to_string(&folded).unwrap();
        let weights = stacks
            .lines()
            .map(|line| line.rsplit(' ').next().unwrap().parse::<u64>());
        let total: u64 = weights.map(Result::unwrap).sum();
        assert_eq!(total, all("warp_instructions") + all("waits"), "{stacks}");
        assert!(stacks.contains("turns;hot.c:6 "), "{stacks}");
    }
}

#[test]
fn folded_stacks_need_a_profile_and_an_engine_that_has_one() {
    let folded = weft(&["run", "kernels/vecadd.s", "--folded", "/nowhere/x"]);
    assert_eq!(folded.status.code(), Some(2));
    let other = weft(&["run", "kernels/vecadd.s", "--profile", "--engine", "oracle"]);
    assert!(!other.status.success());
    let said = String::from_utf8(other.stderr).unwrap();
    assert!(
        said.contains("--profile") && said.contains("golden"),
        "{said}"
    );
}
