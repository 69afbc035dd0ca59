//! `weft run --check` on programs in C and in assembly (`docs/spec/check.md`).

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn kernels() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../kernels")
}

fn weft(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_weft"))
        .args(arguments)
        .current_dir(kernels())
        .output()
        .unwrap()
}

/// A CTA of 16 threads, of warps of 8.
fn check(file: &str, kernel: &str) -> Output {
    let run = ["run", file, "--check", "--kernel", kernel, "--cta", "16"];
    weft(&[&run[..], &["--warps", "4", "--threads", "8"]].concat())
}

/// Names of the kernels of a file, with what stands at the ends of their lines: kind and line.
fn marked(text: &str) -> Vec<(String, BTreeSet<(String, usize)>)> {
    let mut all: Vec<(String, BTreeSet<_>)> = Vec::new();
    let mut apart = Vec::new();
    for (n, line) in text.lines().enumerate() {
        if let Some(name) = line
            .strip_prefix("WEFT_KERNEL(")
            .and_then(|l| l.split(')').next())
        {
            all.push((name.into(), BTreeSet::new()));
        }
        let Some((_, mark)) = line.split_once("// ") else {
            continue;
        };
        let mut words = mark.split_whitespace();
        match (words.next(), words.next(), words.next()) {
            (Some(kind), Some("in"), Some(kernel)) => {
                apart.push((kernel.to_string(), (kind.to_string(), n + 1)));
            }
            (Some(kind), None, _) if line.starts_with(' ') => {
                all.last_mut().unwrap().1.insert((kind.into(), n + 1));
            }
            _ => {}
        }
    }
    for (kernel, mark) in apart {
        let of = all.iter_mut().find(|(name, _)| *name == kernel);
        of.unwrap().1.insert(mark);
    }
    all
}

/// Kind and line of each access that a finding names.
fn told(error: &str, file: &str) -> BTreeSet<(String, usize)> {
    let kinds = [
        ("race: ", "race"),
        ("nobody has written", "unwritten"),
        ("belongs to nothing", "nothing"),
        ("is outside of the object", "beside"),
        ("is constant", "constant"),
        ("is code", "code"),
    ];
    let (mut kind, mut all) = ("", BTreeSet::new());
    for line in error.lines() {
        if !line.starts_with(' ') {
            let of = kinds.iter().find(|(says, _)| line.contains(says));
            kind = of.map_or("", |(_, kind)| *kind);
        } else if let Some((_, place)) = line.rsplit_once(&format!("{file}:")) {
            let number = place.trim_end_matches(')').parse().unwrap();
            all.insert((kind.to_string(), number));
        }
    }
    all
}

#[test]
fn what_is_wrong_is_found_by_its_line() {
    let text = std::fs::read_to_string(kernels().join("check/wrong.c")).unwrap();
    let all = marked(&text);
    assert!(all.len() >= 30, "{}", all.len());
    let mut wrong = Vec::new();
    for (kernel, marks) in &all {
        assert!(!marks.is_empty(), "{kernel} has no mark");
        let output = check("check/wrong.c", kernel);
        let error = String::from_utf8(output.stderr).unwrap();
        let found = told(&error, "wrong.c");
        if output.status.code() != Some(1) || &found != marks {
            wrong.push(format!("{kernel}: must be {marks:?}\n{error}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_is_right_is_silent() {
    let text = std::fs::read_to_string(kernels().join("check/right.c")).unwrap();
    let all = marked(&text);
    assert!(all.len() >= 14, "{}", all.len());
    for (kernel, _) in all {
        let output = check("check/right.c", &kernel);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(0), "{kernel}: {error}");
    }
    // Assembly, with barriers, sections, locks, calls, tokens; on a whole machine and as CTAs.
    for (kernel, more) in [
        ("bar_bump.asm", ""),
        ("bar_compact.asm", ""),
        ("bar_histogram.asm", ""),
        ("bar_pipeline.asm", ""),
        ("bar_reduce.asm", ""),
        ("bar_resource.asm", ""),
        ("calls.asm", ""),
        ("spin_lock.asm", ""),
        ("recursion.s", ""),
        ("bar_reduce.asm", "--grid 1 --cta 21"),
        ("bitonic.s", "--grid 2 --cta 16 --scratchpad 4096"),
        ("reduction.s", "--grid 3 --cta 13 --scratchpad 4096"),
        ("transpose.s", "--grid 2 --cta 16 --scratchpad 4096"),
    ] {
        let mut arguments = vec!["run", kernel, "--check", "--warps", "4", "--threads", "8"];
        arguments.extend(more.split_whitespace());
        let output = weft(&arguments);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(0), "{kernel} {more}: {error}");
    }
}

/// It changes nothing: the same instructions, memory and output.
#[test]
fn a_checked_run_is_the_same_run() {
    let of = |more: &[&str]| {
        let run = ["run", "bar_compact.asm", "--warps", "4", "--threads", "8"];
        let output = weft(&[&run[..], &["--dump", "letters:8"], more].concat());
        assert!(output.status.success(), "{output:?}");
        let text = String::from_utf8(output.stdout).unwrap();
        // Not the time.
        text.lines().skip(1).map(String::from).collect::<Vec<_>>()
    };
    assert_eq!(of(&[]), of(&["--check"]));
    for engine in ["oracle", "lockstep", "sm", "gpu"] {
        let output = weft(&["run", "bar_compact.asm", "--check", "--engine", engine]);
        assert_eq!(output.status.code(), Some(2), "{engine}");
    }
}
