//! CL-020: how exact the built-in functions of float are. They are compiled for the host and compared with double.

use std::path::Path;
use std::process::Command;
use weft_toolbox::Toolbox;

/// Every so-manieth of all 2^32 arguments; `cargo xtask long opencl` takes all of them.
const STRIDE: &str = "20011";

#[test]
fn functions_of_float_are_as_exact_as_the_standard_wants() {
    let Some(zig) = Toolbox::here().zig() else {
        eprintln!("skipped: Zig is not installed");
        return;
    };
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().unwrap();
    let (object, program) = (folder.path().join("host.o"), folder.path().join("ulp"));
    let run = |command: &mut Command| {
        let output = command.output().unwrap();
        let text = [output.stdout, output.stderr].concat();
        let text = String::from_utf8_lossy(&text).into_owned();
        assert!(output.status.success(), "{command:?}\n{text}");
        text
    };
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
