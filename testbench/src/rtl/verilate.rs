//! Verilog to shared library: Verilator, the C++ compiler, and the linker, with Verilator's runtime from the crate
//! `verilated`.
//!
//! What is made is kept below `target/models` by content: Verilog, options, Verilator, compiler and the C interface.
//! Two processes may make the same model at once: each works in a folder of its own and publishes by renaming
//! ([`super::store`]).
//! The runtime (`testbench/runtime`) is built by cargo when the first model is made.

use super::broken;
use super::place::places;
use super::store::{self, run, Work};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::{Duration, Instant};
use std::{fs, thread};
use weft_generate::{Design, Unit};
use weft_toolbox::{Hash, Lock, Toolbox, Verilator};
use weft_verilog::{TopPort, Verilog};

/// What models are made with.
struct Tools {
    toolbox: Toolbox,
    verilator: Verilator,
    /// The C++ compiler.
    cxx: PathBuf,
    clang: bool,
    /// Of all that every model depends on.
    hash: Hash,
}

/// The shared library of a design with the C interface of `model.h`. `verilog` is the design's;
/// `breakable`: with all its broken copies in it.
///
/// # Errors
/// A tool is missing or fails.
pub fn library(
    design: &Design,
    verilog: &Verilog,
    breakable: bool,
    waves: bool,
) -> Result<PathBuf, String> {
    let tools = tools()?;
    let mut text = verilog.bundle();
    if breakable {
        text = broken::breakable(broken::of_design(design), &text)?;
    }
    // What is not as new after a reset shows in the first run already.
    if let Some(Unit::Sm | Unit::Gpu | Unit::Host | Unit::Tasks | Unit::Wavefront) = design.unit() {
        text = without_power_up(&text);
    }
    let model = Model {
        top: &verilog.top,
        text: &text,
        shim: shim(&verilog.top, &verilog.ports),
        waves,
        // It runs for moments, so much of what it costs is its compilation.
        level: if breakable { "-O1" } else { "-O2" },
    };
    let name = design.name() + if breakable { "-broken" } else { "" };
    let folder = tools.toolbox.target_dir().join("models");
    let hash = tools
        .hash
        .and(&text)
        .and(&model.shim)
        .and([u8::from(waves)]);
    let library = folder.join(format!("{name}-{hash}{}", std::env::consts::DLL_SUFFIX));
    if store::is_whole(&library) {
        return Ok(library);
    }
    let start = Instant::now();
    let with = |what, word| if what { word } else { "" };
    let title = format!(
        "{design}{}{}",
        with(breakable, " and its broken copies"),
        with(waves, " with waves")
    );
    eprintln!("compiling {title} to a Verilated model");
    let holds = Work::new(&folder, &format!("{name}-{hash}"))?;
    let work = &holds.folder;
    // The runtime and the model beside it.
    let made = thread::scope(|scope| {
        let runtime = scope.spawn(|| runtime(tools));
        model.compile(tools, work)?;
        let runtime = runtime.join().map_err(|_| "a panic")??;
        model.link(tools, work, &runtime)
    });
    store::publish(&made?, &library)?;
    eprintln!("compiled {title} ({:.1} s)", start.elapsed().as_secs_f64());
    Ok(library)
}

/// The Verilog without the values that its registers have at power-up: they begin as memories do, at random or as 0
/// ([`Options::seed`](super::model::Options)), and a reset alone must bring the design to where it begins.
fn without_power_up(verilog: &str) -> String {
    let mut text = String::with_capacity(verilog.len());
    let mut inside = false;
    for line in verilog.split_inclusive('\n') {
        let statement = line.trim();
        let one = statement.starts_with("initial ");
        if !one && !inside {
            text.push_str(line);
        }
        inside = statement == "initial begin" || inside && statement != "end";
    }
    text
}

/// Does something in a folder of its own, with a compiler of C++ text to a shared library in that folder.
pub(super) fn in_work<T>(
    name: &str,
    make: impl FnOnce(&Path, &dyn Fn(&str) -> Result<PathBuf, String>) -> Result<T, String>,
) -> Result<T, String> {
    let tools = tools()?;
    let holds = Work::new(&tools.toolbox.target_dir().join("models"), name)?;
    let work = &holds.folder;
    let compile = |text: &str| {
        let source = work.join(format!("{name}.cpp"));
        fs::write(&source, text).map_err(|e| format!("{}: {e}", source.display()))?;
        let library = work.join(format!("{name}.so"));
        let mut cxx = Command::new(&tools.cxx);
        cxx.current_dir(work)
            .args(["-std=gnu++17", "-fPIC", "-shared", "-w", "-O1"]);
        // It runs on this machine alone.
        if cfg!(target_arch = "x86_64") {
            cxx.args(["-march=native", "-mprefer-vector-width=512"]);
        }
        cxx.arg("-o").arg(&library).arg(&source);
        run(&mut cxx)?;
        Ok(library)
    };
    make(work, &compile)
}

/// Whether models can be made here.
///
/// # Errors
/// What is missing.
pub fn available() -> Result<(), String> {
    tools().map(|_| ())
}

fn tools() -> Result<&'static Tools, String> {
    static TOOLS: OnceLock<Result<Tools, String>> = OnceLock::new();
    TOOLS.get_or_init(find).as_ref().map_err(Clone::clone)
}

fn find() -> Result<Tools, String> {
    let toolbox = Toolbox::here();
    let cxx = toolbox
        .cxx()
        .ok_or("no C++ compiler (apt-get install g++)")?;
    let verilator = toolbox.verilator_or_install(&mut |line| eprintln!("{line}"))?;
    let mut hash = Hash::default()
        .and(&verilator.version)
        .and(verilator.root.as_os_str().as_encoded_bytes())
        .and(cxx.path.as_os_str().as_encoded_bytes())
        .and(&cxx.version)
        .and(include_str!("model.h"))
        .and(include_str!("verilate.rs"));
    for part in [
        "Cargo.toml",
        "Cargo.lock",
        "build.rs",
        "src",
        "verilated_compat.h",
    ] {
        let path = toolbox.root().join("testbench/runtime").join(part);
        hash = hash
            .and_files(&path)
            .map_err(|e| format!("{}: {e}", path.display()))?;
    }
    Ok(Tools {
        clang: is_clang(&cxx.path),
        cxx: cxx.path,
        toolbox,
        verilator,
        hash,
    })
}

/// Whether this compiler is Clang, by whatever name.
fn is_clang(cxx: &Path) -> bool {
    let told = Command::new(cxx).arg("--version").output();
    told.is_ok_and(|told| String::from_utf8_lossy(&told.stdout).contains("clang"))
}

/// One Verilated class.
struct Model<'a> {
    top: &'a str,
    text: &'a str,
    /// C++ text that goes with it.
    shim: String,
    waves: bool,
    /// How far the C++ compiler optimises what runs in every cycle.
    level: &'static str,
}

/// What the ports are in C++: [`places`].
fn shim(top: &str, ports: &[TopPort]) -> String {
    let places = places(ports);
    let inputs = places.iter().filter(|p| p.input);
    let inputs: usize = inputs.map(|p| p.width.div_ceil(64)).sum();
    let mut text = format!(
        "// Generated.\n#include \"Vmodel.h\"\n#define MODEL Vmodel\n#define INSTANCE \"{top}\"\n#define INPUTS {inputs}\n\
         #include \"model.h\"\n\nnamespace {{\n\
         void weft_put(MODEL* m, const uint64_t* in) {{\n"
    );
    for p in places.iter().filter(|p| p.input) {
        let _ = writeln!(text, "    put(m->{}, in + {});", p.name, p.at);
    }
    text.push_str("}\n\nvoid weft_get(const MODEL* m, uint64_t* out) {\n");
    for p in places.iter().filter(|p| !p.input) {
        let _ = writeln!(text, "    get(m->{}, out + {});", p.name, p.at);
    }
    text + "}\n}  // namespace\n"
}

/// `weft_rise` of `model.h`, for the C++ that Verilator has written into `work`.
///
/// The logic behind the inputs has been evaluated by the settle before, and Verilator's `eval` would do it once more, so
/// the two steps that it takes for an edge are called by their names; they belong to this Verilator, and where they are
/// not found `eval` is called; and where waves are written, which hear of changes from `eval` alone.
fn rise(work: &Path, waves: bool) -> Result<String, String> {
    const STEPS: [&str; 2] = ["eval_phase__act", "eval_phase__nba"];
    const BEFORE: &str = "__Vtrigprevexpr___TOP__clock__0";
    let root = "Vmodel___024root";
    let path = work.join(format!("{root}.h"));
    let header = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let mut code = String::new();
    for list in classes(work)?.get("VM_CLASSES_FAST").into_iter().flatten() {
        let path = work.join(list);
        code += &fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    }
    let name = |step: &str| format!("{root}___{step}");
    let known = |step: &&str| code.contains(&format!("bool {}({root}* vlSelf) {{", name(step)));
    // Another event than the clock's would need all of `eval`.
    let alone = header.matches("__Vtrigprevexpr").count() == 1;
    let mut text = String::from("\nnamespace {\nvoid weft_rise(MODEL* m) {\n");
    if !waves && alone && header.contains(&format!(" {BEFORE};")) && STEPS.iter().all(known) {
        let declared = STEPS.map(|step| format!("bool {}({root}* vlSelf);\n", name(step)));
        let called = STEPS.map(|step| format!("    {}(m->rootp);\n", name(step)));
        text = format!(
            "\n#include \"{root}.h\"\n{}{text}    m->clock = 1;\n{}    m->rootp->{BEFORE} = 0;\n",
            declared.concat(),
            called.concat()
        );
    } else {
        text += "    m->clock = 0;\n    m->eval();\n    m->clock = 1;\n    m->eval();\n";
    }
    Ok(text + "}\n}  // namespace\n")
}

impl Model<'_> {
    fn compile(&self, tools: &Tools, work: &Path) -> Result<(), String> {
        let write = |name: &str, text: &str| {
            let path = work.join(name);
            fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))
        };
        write("model.v", self.text)?;
        write("model.h", include_str!("model.h"))?;
        let mut verilator = tools.verilator.command();
        verilator.current_dir(work);
        // With all blocks of logic in its graph, the model of an SM is a fifth smaller, and lockstep takes a quarter less.
        verilator.args([
            "--cc",
            "-O3",
            "-fdfg-synthesize-all",
            "--x-assign",
            "fast",
            "--x-initial",
            "unique",
        ]);
        // The C++ compiler takes four times as long for a core in long functions, and the model runs no faster.
        verilator.args(["--output-split-cfuncs", "500"]);
        verilator.args(self.waves.then_some("--trace"));
        verilator.args(["--timescale", "1ns/1ns", "-Wno-WIDTH", "-Wno-fatal"]);
        // A read of the word that is being written is answered wrongly, so that whoever leans on it is found out.
        verilator.arg("-DWEFT_RAM_COLLISIONS");
        verilator.args([
            "--top-module",
            self.top,
            "--prefix",
            "Vmodel",
            "-Mdir",
            ".",
            "model.v",
        ]);
        run(&mut verilator)?;
        write("shim.cpp", &(self.shim.clone() + &rise(work, self.waves)?))?;
        let lists = classes(work)?;
        let take = |keys: &[&str]| -> Vec<String> {
            let lists = keys.iter().filter_map(|k| lists.get(*k));
            lists.flatten().cloned().collect()
        };
        // Start-up and waveform code is big and rarely runs: not worth optimising.
        let slow = take(&["VM_CLASSES_SLOW", "VM_SUPPORT_SLOW", "VM_SUPPORT_FAST"]);
        let fast = [take(&["VM_CLASSES_FAST"]), vec!["shim.cpp".into()]].concat();
        let parts = [("slow", slow, "-O0"), ("fast", fast, self.level)];
        // The parts beside each other.
        let headers = self.headers(tools)?;
        let headers = headers.as_deref();
        thread::scope(|scope| {
            let one = |(name, files, level): (&'static str, Vec<String>, &'static str)| {
                // Reading Verilator's headers takes most of the time that a small file takes: all in one.
                let lines = files.iter().map(|f| format!("#include \"{f}\"\n"));
                write(&format!("{name}.cpp"), &lines.collect::<String>())?;
                let mut cxx = self.compiler(tools, work);
                if let Some(headers) = headers.filter(|_| level == "-O0") {
                    cxx.arg("-include").arg(headers);
                }
                cxx.args([
                    level,
                    "-c",
                    "-o",
                    &format!("{name}.o"),
                    &format!("{name}.cpp"),
                ]);
                run(&mut cxx)
            };
            let threads: Vec<_> = parts
                .into_iter()
                .map(|part| scope.spawn(move || one(part)))
                .collect();
            let done = threads
                .into_iter()
                .map(|t| t.join().map_err(|_| "a panic".to_string())?);
            done.collect()
        })
    }

    /// Verilator's headers, compiled once for all that is not optimised and has no waves.
    ///
    /// Not for Clang: its file holds the place that it was made in, and a checkout may be moved.
    fn headers(&self, tools: &Tools) -> Result<Option<PathBuf>, String> {
        static MADE: OnceLock<Result<PathBuf, String>> = OnceLock::new();
        if self.waves || tools.clang {
            return Ok(None);
        }
        let make = || {
            let folder = tools.toolbox.target_dir().join("models");
            let dir = folder.join(format!("headers-{}", tools.hash));
            if !dir.exists() {
                let holds = Work::new(&folder, "headers")?;
                let work = &holds.folder;
                let fail = |e| format!("{}: {e}", work.display());
                let text = "#include <verilated.h>\n#include <mutex>\n";
                fs::write(work.join("headers.h"), text).map_err(fail)?;
                let mut cxx = self.compiler(tools, work);
                cxx.args([
                    "-O0",
                    "-x",
                    "c++-header",
                    "headers.h",
                    "-o",
                    "headers.h.gch",
                ]);
                run(&mut cxx)?;
                if let Err(error) = fs::rename(work, &dir) {
                    if !dir.exists() {
                        return Err(format!("{}: {error}", dir.display()));
                    }
                }
            }
            Ok(dir.join("headers.h"))
        };
        MADE.get_or_init(make).clone().map(Some)
    }

    fn compiler(&self, tools: &Tools, work: &Path) -> Command {
        let mut cxx = Command::new(&tools.cxx);
        // What is in the environment is for the runtime.
        cxx.env_remove("CPATH")
            .env_remove("CXXFLAGS")
            .current_dir(work);
        let trace = if self.waves { "1" } else { "0" };
        cxx.args([
            "-std=gnu++17",
            "-fPIC",
            "-fvisibility=hidden",
            "-w",
            "-DVERILATOR=1",
            "-DVM_COVERAGE=0",
            "-DVM_SC=0",
        ]);
        cxx.arg(format!("-DVM_TRACE={trace}"))
            .arg(format!("-DVM_TRACE_VCD={trace}"));
        cxx.args(["-DVM_TRACE_FST=0", "-I."]);
        for sub in ["include", "include/vltstd"] {
            cxx.arg("-I").arg(tools.verilator.root.join(sub));
        }
        cxx
    }

    fn link(&self, tools: &Tools, work: &Path, runtime: &Path) -> Result<PathBuf, String> {
        let write = |name: &str, text: &str| {
            fs::write(work.join(name), text).map_err(|e| format!("{}/{name}: {e}", work.display()))
        };
        write("exports", "{ global: weft_*; local: *; };\n")?;
        let mut cxx = Command::new(&tools.cxx);
        cxx.current_dir(work).args([
            "-shared",
            "-o",
            "model.so",
            "-Wl,--gc-sections",
            "-Wl,--version-script=exports",
        ]);
        cxx.args(["fast.o", "slow.o"])
            .arg(runtime)
            .args(["-pthread", "-ldl"]);
        // Older ones ask the library whether an atomic type has no lock.
        cxx.args(
            tools
                .clang
                .then_some("-Wl,--as-needed,-latomic,--no-as-needed"),
        );
        run(&mut cxx)?;
        Ok(work.join("model.so"))
    }
}

/// The `VM_...` lists of `Vmodel_classes.mk`, as names of C++ files.
fn classes(work: &Path) -> Result<BTreeMap<String, Vec<String>>, String> {
    let path = work.join("Vmodel_classes.mk");
    let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let mut lists: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in text.replace("\\\n", " ").lines() {
        if let Some((key, files)) = line.split_once("+=") {
            let files = files.split_whitespace().map(|f| format!("{f}.cpp"));
            lists
                .entry(key.trim().to_string())
                .or_default()
                .extend(files);
        }
    }
    Ok(lists)
}

/// Begins to build the runtime while something else is made.
pub(super) fn prepare() -> thread::JoinHandle<()> {
    thread::spawn(|| {
        // What goes wrong is told to whoever needs it.
        if let Ok(tools) = tools() {
            let _ = runtime(tools);
        }
    })
}

/// The archive of `testbench/runtime`; built if there is none for this Verilator.
fn runtime(tools: &Tools) -> Result<PathBuf, String> {
    static BUILT: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    BUILT.get_or_init(|| build_runtime(tools)).clone()
}

fn build_runtime(tools: &Tools) -> Result<PathBuf, String> {
    let folder = tools.toolbox.target_dir().join("models");
    let archive = folder.join(format!("runtime-{}.a", tools.hash));
    if archive.exists() {
        return Ok(archive);
    }
    fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let patience = Duration::from_secs(20 * 60);
    let held = Lock::take(&folder.join("runtime.lock"), patience, &mut || {
        eprintln!("waiting for another process that compiles Verilator's runtime");
    });
    let _held = held.map_err(|e| format!("{e:#}"))?;
    if archive.exists() {
        return Ok(archive);
    }
    let start = Instant::now();
    eprintln!("compiling Verilator's runtime (once)");
    let target = folder.join("runtime");
    let environment = tools
        .toolbox
        .verilator_env()
        .map_err(|e| format!("{e:#}"))?;
    let mut cargo = tools.toolbox.cargo();
    cargo
        .current_dir(tools.toolbox.root())
        .envs(environment)
        .env("VERILATOR_ROOT", &tools.verilator.root);
    cargo.args([
        "build",
        "--quiet",
        "--release",
        "--locked",
        "--manifest-path",
        "testbench/runtime/Cargo.toml",
    ]);
    cargo.arg("--target-dir").arg(&target);
    // The build script of `verilated` does not notice that another Verilator is used now.
    let stamp = target.join("verilator");
    let now = format!(
        "{} {}",
        tools.verilator.version,
        tools.verilator.root.display()
    );
    if fs::read_to_string(&stamp).is_ok_and(|before| before != now) {
        let _ = fs::remove_dir_all(&target);
    }
    fs::create_dir_all(&target).map_err(|e| format!("{}: {e}", target.display()))?;
    fs::write(&stamp, now).map_err(|e| format!("{}: {e}", stamp.display()))?;
    run(&mut cargo)?;
    let new = folder.join(format!("runtime-{}.new-{}", tools.hash, std::process::id()));
    let copied = fs::copy(target.join("release/libweft_runtime.a"), &new);
    copied
        .and_then(|_| fs::File::open(&new)?.sync_all())
        .and_then(|()| fs::rename(&new, &archive))
        .map_err(|e| format!("{}: {e}", archive.display()))?;
    eprintln!(
        "compiled Verilator's runtime ({:.1} s)",
        start.elapsed().as_secs_f64()
    );
    Ok(archive)
}
