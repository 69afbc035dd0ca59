//! Programs shaped after bugs that others have reported of their machines (`weft/tests/trials/`): threads of one warp
//! that wait for each other, long jumps between barriers, sections that threads leave in several ways. Each gives the
//! right words on every engine that has barriers.

use serde_json::Value;
use std::path::Path;
use std::process::Command;

const THREADS: usize = 16;

/// Clang has no long jumps for RISC-V; GCC has.
#[derive(Debug)]
struct NoLongJumps;

/// The first words of `out`.
fn words(file: &str, engine: &str) -> Result<Vec<u64>, NoLongJumps> {
    let folder = tempfile::tempdir().unwrap();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/trials");
    let run = format!(
        "run {} --warps 4 --threads 4 --memory 1M --dump out:{THREADS} --json o.json --engine {engine}",
        path.join(file).display()
    );
    let output = Command::new(env!("CARGO_BIN_EXE_weft"))
        .args(run.split_whitespace())
        .args((file == "recbar.c").then_some("-DDEPTH=6"))
        .current_dir(folder.path())
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    if error.contains("__builtin_longjmp is not supported") {
        return Err(NoLongJumps);
    }
    assert!(output.status.success(), "{file} on {engine}: {error}");
    let report = std::fs::read_to_string(folder.path().join("o.json")).unwrap();
    let report: Value = serde_json::from_str(&report).unwrap();
    let words = report["dump"][0]["words"].as_array().unwrap();
    Ok(words.iter().map(|w| w.as_u64().unwrap()).collect())
}

#[track_caller]
fn is_right(file: &str, right: impl Fn(usize) -> u64) {
    let right: Vec<u64> = (0..THREADS).map(right).collect();
    for engine in ["golden", "lockstep", "sm", "gpu"] {
        match words(file, engine) {
            Ok(words) => assert_eq!(words, right, "{file} on {engine}"),
            Err(NoLongJumps) => {
                println!("SKIPPED: only Clang is there, which has no long jumps for RISC-V");
                return;
            }
        }
    }
}

#[test]
fn threads_return_one_after_another_inside_a_loop_with_a_barrier() {
    let sum = (1..=THREADS as u64).sum();
    is_right("early.c", |t| if t == 0 { sum } else { 0 });
}

#[test]
fn halves_of_a_warp_meet_at_two_barriers_by_turns() {
    is_right("halves.c", |_| 1);
}

#[test]
fn who_finds_a_key_waits_for_its_value() {
    is_right("hash.c", |t| 100 * (t as u64 % 11 + 1));
}

#[test]
fn joins_are_reached_in_the_wrong_order() {
    // What each thread adds up alone.
    is_right("joins.s", |t| match (t & 1, t & 2, t & 4, t & 8) {
        (0, _, _, 0) => 17,
        (0, ..) => 17 + 11,
        (_, 0, 0, _) => 5 + 11,
        (_, 0, ..) => 5,
        _ => 3 + 11,
    });
}

#[test]
fn long_jumps_out_of_nested_calls_pass_barriers() {
    let right = [48, 48, 3, 48, 3, 48, 48, 48, 3, 48, 3, 48, 48, 48, 3, 48];
    is_right("longjmp.c", |t| right[t]);
}

#[test]
fn conditional_barriers_in_nested_loops() {
    is_right("nest.c", |_| 40);
}

#[test]
fn two_groups_with_a_split_barrier_each() {
    is_right("phase.c", |_| 1);
}

#[test]
fn a_barrier_at_the_bottom_of_a_recursion() {
    // 16 have come, and of six levels a token each: three add 1, three 2.
    is_right("recbar.c", |_| 16 + 9);
}

#[test]
fn threads_end_inside_a_critical_section() {
    let golden = words("secexit.c", "golden").unwrap();
    assert_eq!(golden[..4], [1, 2_017, 3_018_029, 4_019_030_038]);
    assert!(golden.iter().all(|&word| word != 0xbad));
    for engine in ["lockstep", "sm", "gpu"] {
        assert_eq!(words("secexit.c", engine).unwrap(), golden, "{engine}");
    }
}
