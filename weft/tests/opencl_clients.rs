//! The OpenCL library with real loaders: `clinfo`, hosts in C, and PyOpenCL with its own (docs/opencl.md).

use std::path::Path;
use std::process::{Command, Output};
use weft_toolbox::{which, Toolbox};

/// What is missing is said.
fn there(tool: &str, found: bool) -> bool {
    if !found {
        eprintln!("skipped: there is no {tool}");
    }
    found
}

/// By the line that `weft cl env` prints, as a shell would take it.
fn with_weft(mut command: Command) -> Output {
    let weft = Command::new(env!("CARGO_BIN_EXE_weft"))
        .args(["cl", "env", "--as-it-is"])
        .output()
        .unwrap();
    let line = String::from_utf8(weft.stdout).unwrap();
    let value = line
        .strip_prefix("export OCL_ICD_VENDORS=")
        .expect("the line");
    let library = value.trim_end();
    assert!(Path::new(library).is_file(), "{library}");
    command.env("OCL_ICD_VENDORS", library);
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {text}");
    output
}

fn text(output: &[u8]) -> String {
    String::from_utf8_lossy(output).into_owned()
}

#[test]
fn clinfo_asks_all_its_questions() {
    if !there("clinfo", which("clinfo").is_some()) {
        return;
    }
    let said = text(&with_weft(Command::new("clinfo")).stdout);
    for line in [
        "Platform Version                                OpenCL 3.0 weft",
        "Device Name                                     Weft golden",
    ] {
        assert!(said.contains(line), "{line}\n{said}");
    }
    // As the loader is asked without a platform.
    assert!(
        said.contains("clCreateContext(NULL, ...) [default]            Success [WEFT]"),
        "{said}"
    );
    assert!(!said.contains("error"), "{said}");
}

#[test]
fn pyopencl_runs_what_it_makes() {
    let python = Toolbox::here().pyopencl();
    if !there("PyOpenCL", python.is_some()) {
        return;
    }
    let python = python.expect("it is there").path;
    let caches = tempfile::tempdir().unwrap();
    let run = |script: &str, device: &str| {
        let mut command = Command::new(&python);
        command.arg(Toolbox::here().root().join("examples/opencl").join(script));
        command
            .env("WEFT_DEVICE", device)
            .env("XDG_CACHE_HOME", caches.path());
        command
            .env("PYOPENCL_NO_CACHE", "1")
            .env("OMP_NUM_THREADS", "1");
        with_weft(command)
    };
    let said = text(&run("saxpy.py", "golden").stdout);
    assert!(
        said.starts_with("Weft golden saxpy of 1009 is right after "),
        "{said}"
    );
    if there("Verilator", Toolbox::here().verilator().is_some()) {
        let said = text(&run("saxpy.py", "verilated").stdout);
        assert!(
            said.starts_with("Weft verilated saxpy of 1009 is right after "),
            "{said}"
        );
    }

    let output = run("library.py", "golden");
    let (said, errors) = (text(&output.stdout), text(&output.stderr));
    assert!(said.ends_with("errors is right\n"), "{said}");
    assert!(said.contains("work-item 1:  1.50 1,2,3,4\n"), "{said}");
    assert!(
        errors.contains("access to unmapped address 0xc"),
        "{errors}"
    );
    assert!(errors.contains("(<source>:2)"), "{errors}");
}

/// The hosts of examples/opencl, by the host's compiler, on the loader that PyOpenCL brings along.
#[test]
fn hosts_in_c_run() {
    let toolbox = Toolbox::here();
    let (headers, loader) = (toolbox.opencl_headers(), toolbox.opencl_loader());
    let compiler = ["cc", "gcc", "clang"].into_iter().find_map(which);
    let found = headers.is_some() && loader.is_some() && compiler.is_some();
    if !there("C compiler with OpenCL's headers and loader", found) {
        return;
    }
    let headers = headers.expect("they are there").folder;
    let (loader, home) = loader.expect("it is there");
    let compiler = compiler.expect("it is there");
    let folder = tempfile::tempdir().unwrap();
    let compiled = |name: &str| {
        let source = toolbox.root().join(format!("examples/opencl/{name}.c"));
        let program = folder.path().join(name);
        let mut command = Command::new(&compiler);
        command.args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-isystem"]);
        command.arg(&headers).arg(&source).arg("-o").arg(&program);
        command.arg(&loader).arg("-pthread");
        // By its own name, which the system does not know.
        let libraries = loader.parent().expect("a folder");
        command.arg(format!("-Wl,-rpath,{}", libraries.display()));
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
        program
    };
    let run = |program: &Path, device: &str, arguments: &[&str]| {
        let mut command = Command::new(program);
        command.args(arguments).env("WEFT_DEVICE", device);
        command.env("PYOPENCL_HOME", &home);
        text(&with_weft(command).stdout)
    };
    let [vecadd, several, maps] = ["vecadd", "several", "maps"].map(compiled);
    for n in ["1", "31", "1009"] {
        let said = run(&vecadd, "golden", &[n]);
        assert_eq!(said, format!("Weft golden: vecadd of {n} is right\n"));
    }
    let said = run(&several, "golden", &[]);
    let start = "Weft golden: squares, sums and scan are right after ";
    assert!(said.starts_with(start), "{said}");
    let said = run(&maps, "golden", &[]);
    let wanted = "item 0 has 7, 1.5,-2.0\nitem 1 has 130, 1.5,-2.0\n\
                  Weft golden: parts, maps, rectangles and refusals are right\n";
    assert_eq!(said, wanted);
    if there("Verilator", toolbox.verilator().is_some()) {
        let said = run(&several, "verilated", &[]);
        assert!(said.starts_with("Weft verilated: squares"), "{said}");
    }
}
