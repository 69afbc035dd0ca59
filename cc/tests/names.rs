//! CL-024: the library has every built-in function of OpenCL C 1.2 in each of its types.

use std::collections::BTreeSet;
use std::path::Path;
use weft_toolbox::{Tool, Toolbox};

/// Of ids.c, which is C and in registers; tests of results name each of them.
const OF_WORK_ITEMS: [&str; 8] = [
    "_Z12get_work_dimv",
    "_Z15get_global_sizej",
    "_Z13get_global_idj",
    "_Z14get_local_sizej",
    "_Z12get_local_idj",
    "_Z14get_num_groupsj",
    "_Z12get_group_idj",
    "_Z17get_global_offsetj",
];

/// A file as LLVM's text, nothing inlined.
fn ir(zig: &Tool, file: &Path) -> String {
    ir_of(zig, file, "-cl-std=CL1.2")
}

fn ir_of(zig: &Tool, file: &Path, standard: &str) -> String {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut command = zig.command();
    command.args(["clang", "-x", "cl", "-w", standard, "-cl-no-stdinc"]);
    command.args(["-O0", "-S", "-emit-llvm", "-o", "-", "-ffreestanding"]);
    command.args(["--target=riscv32-unknown-elf", "-mabi=ilp32"]);
    command.arg("-march=rv32ima_zicsr_zfinx");
    command.args(["-Xclang", "-fdeclare-opencl-builtins", "-Xclang"]);
    let extensions = weft_cc::opencl::EXTENSIONS.map(|name| format!("+{name}"));
    command.arg(format!("-cl-ext={}", extensions.join(",")));
    command
        .arg("-include")
        .arg(here.join("runtime/opencl/weft_cl.h"));
    command.arg("-I").arg(here.join("runtime/opencl")).arg(file);
    let output = command.output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {errors}", file.display());
    String::from_utf8(output.stdout).unwrap()
}

/// The functions of the lines that begin so.
fn functions<'a>(text: &'a str, line: &str) -> BTreeSet<&'a str> {
    let lines = text.lines().filter(|l| l.starts_with(line));
    let names = lines.filter_map(|l| l.split_once('@')?.1.split('(').next());
    names.filter(|name| !name.starts_with("llvm.")).collect()
}

#[test]
fn every_built_in_function_has_a_body_in_each_of_its_types() {
    let Some(zig) = Toolbox::here().zig() else {
        eprintln!("skipped: Zig is not installed");
        return;
    };
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let names = here.join("tests/opencl/names.cl");
    let library = ["builtins.cl", "convert.cl"];
    let library = library.map(|file| ir(&zig, &here.join("runtime/opencl").join(file)));
    let mut bodies: BTreeSet<&str> = OF_WORK_ITEMS.into_iter().chain(["printf"]).collect();
    for text in &library {
        bodies.extend(functions(text, "define "));
    }
    let called = ir(&zig, &names);
    let called = functions(&called, "declare ");
    assert!(called.len() > 7_000, "{}", called.len());
    let missing: Vec<_> = called.difference(&bodies).collect();
    assert!(missing.is_empty(), "no body: {missing:?}");

    // What nobody has written is missing.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("k.cl");
    let text = "float none(float);\nkernel void k(global float *p) { *p = none(sin(*p)); }\n";
    std::fs::write(&file, text).unwrap();
    let called = ir(&zig, &file);
    let called = functions(&called, "declare ");
    let missing: Vec<_> = called.difference(&bodies).copied().collect();
    assert_eq!(missing, ["none"]);
}

/// CL-025.
#[test]
fn every_atomic_function_of_3_0_has_a_body_in_each_of_its_types() {
    let Some(zig) = Toolbox::here().zig() else {
        eprintln!("skipped: Zig is not installed");
        return;
    };
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let of = |file: &str| ir_of(&zig, &here.join(file), "-cl-std=CL3.0");
    let (library, calls) = (
        of("runtime/opencl/atomics.cl"),
        of("tests/opencl/atomics.cl"),
    );
    let bodies = functions(&library, "define ");
    let called = functions(&calls, "declare ");
    assert_eq!(called.len(), 93, "{called:?}");
    let missing: Vec<_> = called.difference(&bodies).collect();
    assert!(missing.is_empty(), "no body: {missing:?}");
}
