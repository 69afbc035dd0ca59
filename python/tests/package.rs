//! The package's tests in Python, by pytest, on the extension module that cargo has built for this test (docs/python.md).

use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;
use weft_toolbox::Toolbox;

/// The package as an installed one looks: `python/package/weft` with the extension module in it.
fn assemble(package: &Path) {
    std::fs::create_dir(package).unwrap();
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    for file in std::fs::read_dir(here.join("package/weft")).unwrap() {
        let file = file.unwrap();
        symlink(file.path(), package.join(file.file_name())).unwrap();
    }
    let test = std::env::current_exe().unwrap();
    let library = test.with_file_name("libweft_python.so");
    assert!(library.is_file(), "{}", library.display());
    symlink(library, package.join("_native.so")).unwrap();
}

/// As users install it: `pip install ./python` into an empty environment makes the wheel, a release build of some minutes.
/// So that is done where it is asked for (`cargo xtask long wheel`).
#[test]
fn the_wheel_installs_and_runs() {
    if std::env::var_os("WEFT_WHEEL").is_none() {
        eprintln!("skipped: WEFT_WHEEL=1 installs the wheel");
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let run = |command: &mut Command| {
        let output = command.current_dir(dir.path()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{command:?}\n{said}{errors}");
        said
    };
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    run(Command::new("python3").args(["-m", "venv", "venv"]));
    run(Command::new(dir.path().join("venv/bin/pip"))
        .args(["install", "-q"])
        .arg(here));
    let script = here.join("../examples/python/saxpy.py");
    let said = run(Command::new(dir.path().join("venv/bin/python")).arg(script));
    assert!(
        said.starts_with("saxpy of 1048576 is right after "),
        "{said}"
    );
}

#[test]
fn the_package_does_what_its_tests_say() {
    let toolbox = Toolbox::here();
    let Some(python) = toolbox.pytest() else {
        eprintln!("skipped: there is no pytest with numpy");
        return;
    };
    let site = tempfile::tempdir().unwrap();
    assemble(&site.path().join("weft"));
    let mut command = Command::new(&python.path);
    // Not where the sources stand: Python would find those first.
    command.current_dir(site.path());
    command.args([
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "--durations=5",
    ]);
    command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests"));
    command
        .env("PYTHONPATH", site.path())
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("OMP_NUM_THREADS", "1");
    if toolbox.verilator().is_some() {
        command.env("WEFT_TEST_VERILATED", "1");
    }
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    println!("{said}{}", String::from_utf8_lossy(&output.stderr));
    assert!(
        output.status.success(),
        "pytest ended with {}",
        output.status
    );
    assert!(said.contains(" passed"), "no test was found");
}
