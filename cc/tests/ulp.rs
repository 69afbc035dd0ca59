//! How exact functions are: the built-in ones of float (CL-020), compared with double, and those of double (CC-029),
//! compared with long double. They are compiled for the host.

use std::path::Path;
use std::process::Command;
use weft_toolbox::Toolbox;

/// Every so-manieth of all 2^32 arguments; `cargo xtask long opencl` takes all of them.
const STRIDE: &str = "20011";

/// Random arguments of each function of double; edges are tried beside them. `WEFT_ULP_POINTS` makes it more.
const POINTS: &str = "200000";

fn said(command: &mut Command) -> (bool, String) {
    let output = command.output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text).into_owned();
    (output.status.success(), text)
}

fn run(command: &mut Command) -> String {
    let (fine, text) = said(command);
    assert!(fine, "{command:?}\n{text}");
    text
}

#[test]
fn functions_of_float_are_as_exact_as_the_standard_wants() {
    let Some(zig) = Toolbox::here().zig() else {
        eprintln!("skipped: Zig is not installed");
        return;
    };
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().unwrap();
    let (object, program) = (folder.path().join("host.o"), folder.path().join("ulp"));
    let library = here.join("runtime/opencl");
    let arch = std::env::consts::ARCH;
    run(zig
        .command()
        .args([
            "clang",
            "-x",
            "cl",
            "-w",
            "-cl-std=CL1.2",
            "-cl-no-stdinc",
            "-O2",
        ])
        .args(["-Xclang", "-fdeclare-opencl-builtins", "-include"])
        .arg(library.join("weft_cl.h"))
        .arg(format!("--target={arch}-unknown-linux-gnu"))
        .arg("-I")
        .arg(&library)
        .arg("-c")
        .arg(here.join("tests/opencl/host.cl"))
        .arg("-o")
        .arg(&object));
    run(zig
        .command()
        .args(["cc", "-O2", "-w"])
        .arg(here.join("tests/opencl/ulp.c"))
        .arg(&object)
        .arg("-lm")
        .arg("-o")
        .arg(&program));
    let stride = std::env::var("WEFT_ULP_STRIDE").unwrap_or_else(|_| STRIDE.into());
    let table = run(Command::new(&program).arg(stride));
    print!("{table}");
    assert!(table.lines().count() > 40, "{table}");
}

/// And the check notices a worse one: with half of what is allowed, most are wrong.
#[test]
fn functions_of_double_are_as_exact_as_they_say() {
    let Some(zig) = Toolbox::here().zig() else {
        eprintln!("skipped: Zig is not installed");
        return;
    };
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("ulp");
    run(zig
        .command()
        // As soft float computes it: each product rounded.
        .args(["cc", "-O2", "-w", "-ffp-contract=off"])
        .arg(here.join("tests/double/ulp.c"))
        .arg("-lm")
        .arg("-o")
        .arg(&program));
    let points = std::env::var("WEFT_ULP_POINTS").unwrap_or_else(|_| POINTS.into());
    let table = run(Command::new(&program).args([&points, "1"]));
    print!("{table}");
    assert_eq!(table.lines().count(), 23, "{table}");
    let (fine, table) = said(Command::new(&program).args(["20000", "0.5"]));
    let wrong = table.lines().filter(|line| line.ends_with("WRONG")).count();
    assert!(!fine && wrong > 12, "{table}");
}
