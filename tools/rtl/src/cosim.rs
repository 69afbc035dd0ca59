//! Differential test: a block in the built-in simulator against its own exported Verilog in Verilator.
//!
//! The block is driven in Rust first; inputs and outputs are recorded after every settling. The Verilog is then
//! compiled with a small C++ driver that replays the inputs and compares every output.

use crate::bench::{settle, ClockFn};
use crate::export::{export, Verilog};
use crate::ports::{ports, Port};
use crate::verilator::{text_of, verilator, write_files};
use crate::{paths, Rng};
use rust_hdl_core::prelude::Block;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use weft_toolbox::Verilator;

/// What every model includes.
const HEADERS: &str = "#include <verilated.h>\n";

/// Set-up of a differential test.
pub struct Cosim<B> {
    name: String,
    steps: usize,
    seed: u64,
    clock: Option<ClockFn<B>>,
    random_power_up: bool,
}

impl<B: Block> Cosim<B> {
    /// `steps` stimuli; the seed comes from the environment variable `SEED`, else 1.
    pub fn new(name: &str, steps: usize) -> Self {
        let seed = std::env::var("SEED")
            .ok()
            .and_then(|s| s.parse().ok())
            .unwrap_or(1);
        Self {
            name: name.into(),
            steps,
            seed,
            clock: None,
            random_power_up: true,
        }
    }

    /// Each step also has both clock edges.
    pub fn clock(mut self, clock: Option<ClockFn<B>>) -> Self {
        self.clock = clock;
        self
    }

    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Registers and memories without an initial value start at random (the default), else at zero.
    pub fn random_power_up(mut self, on: bool) -> Self {
        self.random_power_up = on;
        self
    }

    /// Export `block` and compare. `Err` describes the first differences.
    pub fn run(
        &self,
        mut block: B,
        drive: impl FnMut(&mut B, &mut Rng, usize),
    ) -> Result<(), String> {
        block.connect_all();
        let verilog = export(&block, &self.name).map_err(|e| e.to_string())?;
        self.run_against(block, &verilog, drive)
    }

    /// Compare `block` with any Verilog that has the same ports.
    pub fn run_against(
        &self,
        mut block: B,
        verilog: &Verilog,
        mut drive: impl FnMut(&mut B, &mut Rng, usize),
    ) -> Result<(), String> {
        block.connect_all();
        let mut rng = Rng::new(self.seed, "stimulus");
        let mut vectors = vec![];
        let mut record = |b: &B| {
            for p in ports(b) {
                vectors.extend(p.value.iter().flat_map(|w| w.to_le_bytes()));
            }
        };
        for step in 0..self.steps {
            drive(&mut block, &mut rng, step);
            settle(&mut block);
            record(&block);
            if let Some(clock) = self.clock {
                for level in [true, false] {
                    clock(&mut block, level);
                    settle(&mut block);
                    record(&block);
                }
            }
        }
        let report = replay(
            verilog,
            &ports(&block),
            &vectors,
            self.random_power_up.then_some(self.seed),
        )?;
        if report.is_empty() {
            return Ok(());
        }
        let phases: &[&str] = if self.clock.is_some() {
            &["inputs", "rise", "fall"]
        } else {
            &["inputs"]
        };
        let mut text = String::new();
        for line in report {
            match line.split_once(' ') {
                Some((event, rest)) if event.parse::<usize>().is_ok() => {
                    let event: usize = event.parse().unwrap_or_default();
                    writeln!(
                        text,
                        "step {} ({}): {rest}",
                        event / phases.len(),
                        phases[event % phases.len()]
                    )
                }
                _ => writeln!(text, "{line}"),
            }
            .expect("write to string");
        }
        Err(format!(
            "{}, seed {}: Rust and Verilog differ\n{text}{}",
            self.name,
            self.seed,
            replay_line(self.seed)
        ))
    }
}

fn replay_line(seed: u64) -> String {
    let package = std::env::var("CARGO_PKG_NAME").unwrap_or_else(|_| "<package>".into());
    let thread = std::thread::current();
    format!(
        "  replay: SEED={seed} cargo test -p {package} {}",
        thread.name().unwrap_or("<test>")
    )
}

/// Compile the design with the driver and run it; returns mismatch lines `event port verilog rust`.
fn replay(
    v: &Verilog,
    ports: &[Port],
    vectors: &[u8],
    seed: Option<u64>,
) -> Result<Vec<String>, String> {
    let tool = verilator()?;
    let runtime = runtime(tool)?;
    let base = paths::target_dir().join("weft-rtl/cosim");
    std::fs::create_dir_all(&base).map_err(|e| format!("{}: {e}", base.display()))?;
    let dir = tempfile::Builder::new()
        .prefix(&v.top)
        .tempdir_in(&base)
        .map_err(|e| e.to_string())?;
    let dir = dir.path();
    let files = write_files(v, dir)?;
    let out = tool
        .command()
        .current_dir(dir)
        .args([
            "--cc",
            "--prefix",
            "Vdut",
            "--top-module",
            &v.top,
            "-Mdir",
            "model",
            "--timescale",
            "1ns/1ns",
        ])
        .args([
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
        ])
        .args(files)
        .output()
        .map_err(|e| format!("{}: {e}", tool.bin.display()))?;
    if !out.status.success() {
        return Err(format!(
            "{}: Verilator refuses the design:\n{}",
            v.top,
            text_of(&out)
        ));
    }
    let io = |e: std::io::Error| e.to_string();
    std::fs::write(dir.join("main.cpp"), driver(&dir.join("model"), ports)?).map_err(io)?;
    std::fs::write(dir.join("vectors"), vectors).map_err(io)?;
    let mut cc = compiler(tool);
    cc.current_dir(dir)
        .arg("-include")
        .arg(&runtime.headers)
        .args(["-O0", "-Imodel", "main.cpp", "-o", "run"])
        .args(&runtime.objects)
        .arg("-latomic");
    let out = cc.output().map_err(|e| format!("{cc:?}: {e}"))?;
    if !out.status.success() {
        return Err(format!("{}: C++ compiler:\n{}", v.top, text_of(&out)));
    }
    let mut run = Command::new(dir.join("run"));
    run.current_dir(dir)
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

/// Makes a file if it is not there. Tests run side by side: under a private name, then renamed.
fn once(file: &Path, make: impl FnOnce(&Path) -> Result<(), String>) -> Result<(), String> {
    if file.is_file() {
        return Ok(());
    }
    let dir = file.parent().unwrap_or(Path::new("."));
    let new = tempfile::NamedTempFile::new_in(dir).map_err(|e| e.to_string())?;
    make(new.path())?;
    new.persist(file).map_err(|e| e.to_string())?;
    Ok(())
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
fn driver(model: &Path, ports: &[Port]) -> Result<String, String> {
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
    writeln!(s, "#define PORTS(model_) \\").expect("write to string");
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
    s.push_str(include_str!("cosim.cpp"));
    Ok(s)
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
