//! Recorded vectors on a design's Verilog: compiled with a small C++ driver, which sets the inputs and compares every
//! output.
//!
//! A compiled design is kept as `target/weft-rtl/cosim/TOP-HASH` by all that it is made of, so a block is compiled again
//! only when its Verilog has changed; the vectors come from the block as it is now, each time.

use crate::export::Verilog;
use crate::paths;
use crate::ports::Port;
use crate::verilator::{key, text_of, verilator, write_files};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use weft_toolbox::Verilator;

/// What every model includes.
const HEADERS: &str = "#include <verilated.h>\n";
const DRIVER: &str = include_str!("cosim.cpp");
const VERILATE: [&str; 16] = [
    "--cc",
    "--prefix",
    "Vdut",
    "-Mdir",
    "model",
    "--timescale",
    "1ns/1ns",
    "--no-timing",
    "-Wno-fatal",
    "-Wno-lint",
    "-Wno-style",
    "--x-initial",
    "unique",
    "--x-assign",
    "unique",
    // A read of the word that is being written is answered wrongly, so that whoever leans on it is found out.
    "-DWEFT_RAM_COLLISIONS",
];

/// Runs the design on the vectors; returns mismatch lines `event port verilog rust`.
pub(crate) fn replay(
    v: &Verilog,
    ports: &[Port],
    vectors: &[u8],
    seed: Option<u64>,
) -> Result<Vec<String>, String> {
    let program = program(v, ports)?;
    let io = |e: std::io::Error| e.to_string();
    let dir = tempfile::tempdir().map_err(io)?;
    std::fs::write(dir.path().join("vectors"), vectors).map_err(io)?;
    let mut run = Command::new(program);
    run.current_dir(dir.path())
        .arg(seed.map_or("-".into(), |s| (s % 0x7fff_ffff + 1).to_string()));
    let out = run.output().map_err(io)?;
    let text = text_of(&out);
    match out.status.code() {
        Some(0) if text.trim_end().ends_with("same") => Ok(vec![]),
        Some(1) => Ok(text.lines().map(String::from).collect()),
        _ => Err(format!(
            "{}: the compiled design stopped ({}):\n{text}",
            v.top, out.status
        )),
    }
}

/// The design with its driver, made if nobody has made it.
fn program(v: &Verilog, ports: &[Port]) -> Result<PathBuf, String> {
    let tool = verilator()?;
    let ports = table(ports);
    let key = key(tool, v)
        .and(VERILATE.join(" "))
        .and(format!("{:?}", compiler(tool)))
        .and(&ports)
        .and(DRIVER);
    let base = paths::target_dir().join("weft-rtl/cosim");
    std::fs::create_dir_all(&base).map_err(|e| format!("{}: {e}", base.display()))?;
    let program = base.join(format!("{}-{key}", v.top));
    once(&program, |new| compile_design(tool, v, &ports, new))?;
    Ok(program)
}

fn compile_design(tool: &Verilator, v: &Verilog, ports: &str, new: &Path) -> Result<(), String> {
    let runtime = runtime(tool)?;
    let io = |e: std::io::Error| e.to_string();
    let dir = tempfile::tempdir().map_err(io)?;
    let dir = dir.path();
    let files = write_files(v, dir)?;
    let mut verilate = tool.command();
    verilate.current_dir(dir).args(VERILATE);
    verilate.args(["--top-module", &v.top]).args(files);
    let out = verilate.output();
    let out = out.map_err(|e| format!("{}: {e}", tool.bin.display()))?;
    if !out.status.success() {
        return Err(format!(
            "{}: Verilator refuses the design:\n{}",
            v.top,
            text_of(&out)
        ));
    }
    std::fs::write(dir.join("main.cpp"), main(&dir.join("model"), ports)?).map_err(io)?;
    let mut cc = compiler(tool);
    cc.current_dir(dir)
        .arg("-include")
        .arg(&runtime.headers)
        .args(["-O0", "-s", "-Imodel", "main.cpp", "-o"])
        .arg(new)
        .args(&runtime.objects)
        .arg("-latomic");
    let out = cc.output().map_err(|e| format!("{cc:?}: {e}"))?;
    if !out.status.success() {
        return Err(format!("{}: C++ compiler:\n{}", v.top, text_of(&out)));
    }
    Ok(())
}

fn compiler(tool: &Verilator) -> Command {
    let mut c = Command::new(std::env::var("CXX").unwrap_or_else(|_| "c++".into()));
    c.env_remove("CPATH").env_remove("CXXFLAGS");
    c.args([
        "-std=c++17",
        "-w",
        // For what is compiled, too: it defines a name, and compiled headers with other names are not taken.
        "-pthread",
        "-DVM_COVERAGE=0",
        "-DVM_SC=0",
        "-DVM_TRACE=0",
        "-DVL_TIME_CONTEXT",
    ]);
    for sub in ["include", "include/vltstd"] {
        c.arg("-I").arg(tool.root.join(sub));
    }
    c
}

/// What every compiled design has in common.
struct Runtime {
    /// Verilator's headers in one; the compiler takes what stands compiled beside it.
    headers: PathBuf,
    objects: Vec<PathBuf>,
}

/// Verilator's runtime, compiled once per installation: reading its headers is more than half of what a small design
/// costs.
fn runtime(tool: &Verilator) -> Result<Runtime, String> {
    let id = tool
        .root
        .display()
        .to_string()
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |h, b| {
            (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3)
        });
    let dir = paths::target_dir().join(format!("weft-rtl/verilated-{}-{id:016x}", tool.version));
    std::fs::create_dir_all(&dir).map_err(|e| format!("{}: {e}", dir.display()))?;
    let headers = dir.join("headers.h");
    once(&headers, |new| {
        std::fs::write(new, HEADERS).map_err(|e| format!("{}: {e}", new.display()))
    })?;
    once(&dir.join("headers.h.gch"), |new| {
        compile(tool, &["-O0", "-x", "c++-header"], &headers, new)
    })?;
    let mut objects = vec![];
    for unit in ["verilated", "verilated_threads"] {
        let source = tool.root.join(format!("include/{unit}.cpp"));
        let object = dir.join(format!("{unit}.o"));
        once(&object, |new| compile(tool, &["-O1", "-c"], &source, new))?;
        objects.push(object);
    }
    Ok(Runtime { headers, objects })
}

/// Makes a file if it is not there. Tests run side by side: in a private folder, then renamed.
///
/// *Why a folder, and not a file:* this process never has a program open to write. A test beside this one that starts a
/// process hands it all that is open until it executes, and Linux executes nothing that somebody could still write.
fn once(file: &Path, make: impl FnOnce(&Path) -> Result<(), String>) -> Result<(), String> {
    if file.is_file() {
        return Ok(());
    }
    let io = |e: std::io::Error| format!("{}: {e}", file.display());
    let private = tempfile::tempdir_in(file.parent().unwrap_or(Path::new("."))).map_err(io)?;
    let new = private.path().join("new");
    make(&new)?;
    std::fs::rename(&new, file).map_err(io)
}

fn compile(tool: &Verilator, how: &[&str], source: &Path, new: &Path) -> Result<(), String> {
    let mut cc = compiler(tool);
    cc.args(how).arg(source).arg("-o").arg(new);
    let out = cc.output().map_err(|e| format!("{cc:?}: {e}"))?;
    if !out.status.success() {
        return Err(format!(
            "Verilator runtime, C++ compiler:\n{}",
            text_of(&out)
        ));
    }
    Ok(())
}

/// One C++ source: the model, the table of ports, the comparison loop.
fn main(model: &Path, ports: &str) -> Result<String, String> {
    let mut units: Vec<String> = std::fs::read_dir(model)
        .map_err(|e| e.to_string())?
        .flatten()
        .filter_map(|e| e.file_name().into_string().ok())
        .filter(|n| n.ends_with(".cpp"))
        .collect();
    units.sort();
    let mut s = String::from("#include \"Vdut.h\"\n");
    for u in units {
        writeln!(s, "#include \"{u}\"").expect("write to string");
    }
    Ok(s + ports + DRIVER)
}

/// The macro with all ports, in order.
fn table(ports: &[Port]) -> String {
    let mut s = String::from("#define PORTS(model_) \\\n");
    for p in ports {
        let name = mangle(&p.name);
        let address = if p.width > 64 {
            format!("&model_->{name}[0]")
        } else {
            format!("&model_->{name}")
        };
        writeln!(
            s,
            "    {{\"{}\", {}, {}, {address}}}, \\",
            p.name, p.input, p.width
        )
        .expect("write to string");
    }
    s.push('\n');
    s
}

/// The C++ name that Verilator gives to a port.
fn mangle(name: &str) -> String {
    let mut out = String::new();
    let mut after_underscore = false;
    for c in name.chars() {
        if c == '_' && after_underscore {
            out.push_str("__05F");
            after_underscore = false;
        } else if c == '$' {
            out.push_str("__024");
            after_underscore = false;
        } else {
            out.push(c);
            after_underscore = c == '_';
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each thread makes a program and runs it at once, while the others start theirs.
    #[test]
    fn a_program_runs_as_soon_as_it_is_made() {
        let dir = tempfile::tempdir().unwrap();
        let made_and_run = |thread: usize| {
            for number in 0..50 {
                let program = dir.path().join(format!("{thread}.{number}"));
                once(&program, |new| {
                    let copied = Command::new("cp").arg("/bin/true").arg(new).status();
                    assert!(copied.unwrap().success());
                    Ok(())
                })
                .unwrap();
                assert!(Command::new(&program).status().unwrap().success());
            }
        };
        std::thread::scope(|scope| {
            for thread in 0..8 {
                scope.spawn(move || made_and_run(thread));
            }
        });
        let left = std::fs::read_dir(dir.path()).unwrap().count();
        assert_eq!(left, 8 * 50, "nothing private stays");
    }
}
