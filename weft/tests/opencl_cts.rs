//! CL-043: `weft cl cts` on a folder of scripts that list, print and end as the programs of OpenCL-CTS do.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

/// Each script lists its tests, and then does what the test's name says.
const SCRIPT: &str = r#"#!/bin/sh
if [ "$1" = --list ]; then
    printf 'TESTS:\n'
    printf '\t%s\n' LISTED
    exit 0
fi
[ "$1" = -w ] && shift
echo "$1..."
case "$1" in
good*) echo "$1 passed"; echo "PASSED sub-test." ;;
bad) echo "ERROR: 3 is not 4"; echo "$1 FAILED"; exit 1 ;;
absent) echo "$1 test not supported"; echo "PASSED sub-test." ;;
old) echo "$1 skipped (requires at least OpenCL version 3.1, but the device reports 3.0)"; echo "PASSED sub-test." ;;
hangs) sleep 100 ;;
dies) kill -SEGV $$ ;;
quiet) exit 0 ;;
here) [ -e beside.h ] && case "$OCL_ICD_VENDORS" in *libweft_opencl.so) echo "$1 passed" ;; esac ;;
esac
"#;

fn program(folder: &Path, name: &str, tests: &[&str]) {
    std::fs::create_dir_all(folder).unwrap();
    let path = folder.join(name);
    std::fs::write(&path, SCRIPT.replace("LISTED", &tests.join(" "))).unwrap();
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
    std::fs::write(folder.join("beside.h"), "").unwrap();
}

fn cts(arguments: &[&str], folder: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_weft"));
    command.args(["cl", "cts", "--as-it-is"]).arg(folder);
    command.args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn each_ending_is_counted_and_the_table_goes_into_the_page() {
    let folder = tempfile::tempdir().unwrap();
    let suite = folder.path().join("test_conformance");
    program(
        &suite.join("basic"),
        "test_basic",
        &["good_one", "bad", "absent", "hangs", "quiet"],
    );
    program(
        &suite.join("select"),
        "test_select",
        &["good", "old", "dies", "here"],
    );
    program(&suite.join("images"), "test_image_streams", &["bad"]);
    let (page, logs) = (folder.path().join("page.md"), folder.path().join("logs"));
    std::fs::write(
        &page,
        "# Page\n<!-- cts -->\nold\n<!-- end of cts -->\nbehind\n",
    )
    .unwrap();
    let [page_text, logs_text] = [&page, &logs].map(|path| path.to_str().unwrap());
    let book = [
        "--book", page_text, "--suite", "abc123", "--logs", logs_text,
    ];
    let output = cts(
        &[&["--seconds", "1", "--jobs", "2"][..], &book].concat(),
        &suite,
    );
    let said = text(&output.stdout);
    assert_eq!(
        output.status.code(),
        Some(1),
        "{said}{}",
        text(&output.stderr)
    );
    let written = std::fs::read_to_string(&page).unwrap();
    for line in [
        "| `test_select -w` | 2 | 1 | 0 | 1 | ",
        "| `test_basic` | 1 | 2 | 1 | 1 | ",
        "| all | 3 | 3 | 1 | 2 | ",
        "Failed: `test_basic:bad`, `test_basic:quiet`, `test_select:dies`.",
        "Out of time: `test_basic:hangs`.",
        "Not run: test_computeinfo, test_api,",
        "OpenCL-CTS at abc123",
    ] {
        assert!(written.contains(line), "{line}\n{written}");
    }
    assert!(
        written.starts_with("# Page\n<!-- cts -->\n2")
            && written.ends_with("<!-- end of cts -->\nbehind\n")
    );
    assert!(!written.contains("image_streams"), "{written}");
    let log = std::fs::read_to_string(logs.join("test_basic.bad.log")).unwrap();
    assert!(log.contains("3 is not 4"), "{log}");

    let output = cts(
        &[
            "--only",
            "test_basic:good_one",
            "--only",
            "test_select:here",
        ],
        &suite,
    );
    let said = text(&output.stdout);
    assert!(output.status.success(), "{said}{}", text(&output.stderr));
    assert!(said.contains("| all | 2 | 0 | 0 | 0 | "), "{said}");
}

#[test]
fn what_cannot_be_run_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let suite = folder.path().join("suite");
    program(&suite, "test_basic", &["good"]);
    for (arguments, path, why) in [
        (
            &["--only", "test_basic:other"][..],
            &suite,
            "--only test_basic:other: there is no such program or test",
        ),
        (
            &["--only", "test_api"],
            &suite,
            "--only test_api: there is no such program or test",
        ),
        (&[], &folder.path().join("none"), "none: no folder"),
        (&["--book", "page.md"], &suite, "--suite"),
        (
            &["--book", "/nowhere/page.md", "--suite", "1"],
            &suite,
            "--book /nowhere/page.md",
        ),
    ] {
        let output = cts(arguments, path);
        let errors = text(&output.stderr);
        assert!(
            !output.status.success() && errors.contains(why),
            "{arguments:?}: {errors}"
        );
    }
    // Before any test is started.
    let page = folder.path().join("page.md");
    std::fs::write(&page, "<!-- end of cts -->\n<!-- cts -->\n").unwrap();
    let output = cts(&["--book", page.to_str().unwrap(), "--suite", "1"], &suite);
    assert!(text(&output.stderr).contains("no line <!-- cts --> with"));
    assert_eq!(text(&output.stdout), "");
    let empty = folder.path().join("empty");
    std::fs::create_dir(&empty).unwrap();
    let errors = text(&cts(&[], &empty).stderr);
    assert!(
        errors.contains("none of the suite's programs is below it"),
        "{errors}"
    );
}
