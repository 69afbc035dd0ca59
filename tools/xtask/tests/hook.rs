//! The commit hook refuses what CONTRIBUTING.md does not allow.

use std::path::Path;
use std::process::Command;

/// What the hook says of a message; nothing when it lets it pass.
fn refused(message: &str) -> Option<String> {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("COMMIT_EDITMSG");
    std::fs::write(&file, message).unwrap();
    let hook = Path::new(env!("CARGO_MANIFEST_DIR")).join("../hooks/commit-msg");
    let output = Command::new(hook).arg(&file).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.success(), said.is_empty(), "{said}");
    (!output.status.success()).then_some(said)
}

#[test]
fn a_subject_with_its_unit_and_a_reason_passes() {
    for message in [
        "gpu: a launch has a time limit\n\nWhy: a kernel without an end held its SM for ever.\n",
        "sim, tests: plainer words\n\nReason.\n# Please enter the commit message\n",
        "Merge branch 'x'\n",
        "Revert \"gpu: a launch\"\n\nThis reverts commit 0.\n",
    ] {
        assert_eq!(refused(message), None, "{message}");
    }
}

#[test]
fn anything_else_is_refused_with_what_is_missing() {
    let long = format!("gpu: {}\n\nReason.\n", "x".repeat(68));
    for (message, why) in [
        (&*long, "over 72"),
        ("A launch has a time limit\n\nReason.\n", "with a unit"),
        ("gpu: a limit\nReason.\n", "no empty line"),
        ("gpu: a limit\n", "no reason"),
        ("gpu: a limit\n\n# Only a comment\n", "no reason"),
    ] {
        let said = refused(message).unwrap_or_else(|| panic!("passed: {message}"));
        assert!(said.contains(why), "{said}");
    }
}
