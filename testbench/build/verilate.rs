//! Verilog to static libraries.

use crate::models::Fault;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, fs};

/// Name, input, width.
pub type Port = (String, bool, u32);

/// One Verilated class.
pub struct Model {
    /// Also the C++ class, without its `V`, and the prefix of the C functions.
    pub name: String,
    pub top: String,
    pub verilog: String,
    /// The ports by the specification, and where that is.
    pub ports: Vec<Port>,
    pub specified: &'static str,
    /// C++ text that goes with it: includes `handle.h` and defines `FN(settle)`.
    pub shim: String,
    /// It can write waves. They take half the time that the compilation takes: not where nobody looks at them.
    pub waves: bool,
    /// A deliberately broken copy: it runs for moments, so most of what it costs is its compilation.
    pub broken: bool,
}

struct Tools {
    root: PathBuf,
    /// Text of `verilated_config.h`: names the version even where `--version` does not.
    version: String,
}

pub fn build() -> Result<(), String> {
    println!("cargo:rerun-if-env-changed=WEFT_TOPS");
    for name in ["PATH", "VERILATOR_ROOT", "CXX", "CXXFLAGS", "CPATH"] {
        println!("cargo:rerun-if-env-changed={name}");
    }
    let tools = find_verilator()?;
    let out_dir = env::var("OUT_DIR").expect("OUT_DIR");
    check_runtime(Path::new(&out_dir))?;
    let out = PathBuf::from(out_dir);
    let cache = cache_dir(&out);
    let control = match wanted("weft_control") {
        true => crate::control::models()?,
        false => Vec::new(),
    };
    let flat = crate::flat::models()?;
    let models = control.iter().map(|m| &m.model);
    let models: Vec<_> = models.chain(flat.iter().map(|m| &m.model)).collect();
    for (model, library) in models.iter().zip(libraries(&models, &tools, &cache)) {
        println!("cargo:rustc-link-search=native={}", library?.display());
        println!("cargo:rustc-link-lib=static={}", archive(model));
    }
    println!(
        "cargo:rustc-link-search=native={}",
        runtime(&tools, &cache)?.display()
    );
    println!("cargo:rustc-link-lib=static:+whole-archive=weft_verilated_threads");
    println!("cargo:rustc-link-lib=stdc++");
    write_if_changed(&out.join("models.rs"), &crate::control::table(&control))?;
    write_if_changed(&out.join("flat.rs"), &crate::flat::table(&flat))
}

/// `WEFT_TOPS=weft_barrier,weft_core`: only the models of these tops, for those who work on one of them.
pub fn wanted(top: &str) -> bool {
    let tops = env::var("WEFT_TOPS");
    tops.map_or(true, |tops| tops.split(',').any(|t| t == top))
}

fn find_verilator() -> Result<Tools, String> {
    let root = verilator::find_verilator_root().ok_or(
        "feature `verilated` needs Verilator 5: no `verilator_bin` with its include files in PATH or VERILATOR_ROOT",
    )?;
    let config = root.join("include/verilated_config.h");
    let version = fs::read_to_string(&config).map_err(|e| format!("{}: {e}", config.display()))?;
    Ok(Tools { root, version })
}

/// Cargo does not build `verilated` again when another Verilator comes first in PATH, but runtime and models must come
/// from the same one. What its build script said is in a folder beside our own; where that is not so, nothing is checked.
fn check_runtime(out: &Path) -> Result<(), String> {
    let ours = verilator::verilator_version()
        .ok_or("`verilator_bin --version` does not name a version")?;
    // <profile>/build/<package>/out
    let Some(packages) = out.ancestors().nth(2) else {
        return Ok(());
    };
    let outputs = fs::read_dir(packages)
        .into_iter()
        .flatten()
        .flatten()
        .filter(|e| e.file_name().to_string_lossy().starts_with("verilated-"))
        .map(|e| e.path().join("output"));
    let newest = outputs
        .filter_map(|f| Some((fs::metadata(&f).ok()?.modified().ok()?, f)))
        .max();
    let said = newest
        .and_then(|(_, f)| fs::read_to_string(f).ok())
        .unwrap_or_default();
    let Some((_, rest)) = said.split_once("verilator_version=\"") else {
        return Ok(());
    };
    let theirs = rest.split('"').next().unwrap_or_default();
    let ours = format!("{}.{}", ours.0, ours.1);
    match theirs == ours {
        true => Ok(()),
        false => Err(format!(
            "Verilator {ours} comes first in PATH, but the crate `verilated` was compiled with {theirs}; run `cargo clean -p verilated`"
        )),
    }
}

/// Compiled models are kept under the target directory by content, so that a change of profile or of the Rust side
/// costs no C++ compilation.
fn cache_dir(out: &Path) -> PathBuf {
    // <target>/<profile>/build/<package>/out
    out.ancestors().nth(4).unwrap_or(out).join("verilated")
}

/// The Verilog with the fault's patches; every one must fit exactly as often as its table entry says.
pub fn break_on_purpose(fault: &Fault, verilog: &str) -> Result<String, String> {
    let mut text = verilog.to_string();
    for patch in fault.patches {
        let range = module(&text, patch.module).ok_or_else(|| {
            format!(
                "fault `{}`: the Verilog has no module `{}`",
                fault.name, patch.module
            )
        })?;
        let found = text[range.clone()].matches(patch.find).count();
        if found != patch.times {
            return Err(format!(
                "fault `{}`: `{}` occurs {found} times in module `{}`, not {}; adapt testbench/build/models.rs to the new Verilog",
                fault.name, patch.find, patch.module, patch.times
            ));
        }
        let broken = text[range.clone()].replace(patch.find, patch.replace);
        text.replace_range(range, &broken);
    }
    Ok(text)
}

/// From `module NAME` to its `endmodule`.
fn module(text: &str, name: &str) -> Option<std::ops::Range<usize>> {
    let mut from = 0;
    while let Some(at) = text[from..].find("module ") {
        let start = from + at;
        let rest = &text[start + "module ".len()..];
        let ends_line = text[..start]
            .chars()
            .next_back()
            .is_none_or(char::is_whitespace);
        if ends_line
            && rest
                .trim_start()
                .strip_prefix(name)
                .is_some_and(|r| r.starts_with(['(', ';', ' ', '\n', '#']))
        {
            let end = start + text[start..].find("endmodule")?;
            return Some(start..end);
        }
        from = start + "module ".len();
    }
    None
}

fn archive(model: &Model) -> String {
    format!("{}_model", model.name)
}

/// [`library`] of each, one after the other on each processor.
fn libraries(models: &[&Model], tools: &Tools, cache: &Path) -> Vec<Result<PathBuf, String>> {
    let next = AtomicUsize::new(0);
    let jobs = std::thread::available_parallelism().map_or(1, |n| n.get());
    let mut done: Vec<_> = std::thread::scope(|scope| {
        let work = || {
            let mine = || next.fetch_add(1, Ordering::Relaxed);
            let mine = std::iter::repeat_with(mine).take_while(|&at| at < models.len());
            mine.map(|at| (at, library(models[at], tools, cache)))
                .collect::<Vec<_>>()
        };
        let threads: Vec<_> = (0..jobs).map(|_| scope.spawn(work)).collect();
        let join = |t: std::thread::ScopedJoinHandle<'_, Vec<_>>| t.join().expect("a model");
        threads.into_iter().flat_map(join).collect()
    });
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, library)| library).collect()
}

/// Directory that holds the model's archive; compiled only if this content was never compiled before.
fn library(model: &Model, tools: &Tools, cache: &Path) -> Result<PathBuf, String> {
    let mut hash = DefaultHasher::new();
    (
        &model.name,
        &model.verilog,
        &model.shim,
        (model.waves, model.broken),
        &tools.version,
        tools.root.display().to_string(),
    )
        .hash(&mut hash);
    (include_str!("handle.h"), include_str!("verilate.rs")).hash(&mut hash);
    for name in ["CXX", "CXXFLAGS"] {
        env::var(name).ok().hash(&mut hash);
    }
    let dir = cache.join(format!("{}-{:016x}", model.name, hash.finish()));
    if dir.join(format!("lib{}.a", archive(model))).exists() {
        return Ok(dir);
    }
    // Two builds may run at once: work in a private folder, publish by rename.
    let work = cache.join(format!("work-{}-{}", std::process::id(), model.name));
    let _ = fs::remove_dir_all(&work);
    fs::create_dir_all(&work).map_err(|e| format!("{}: {e}", work.display()))?;
    verilate(model, tools, &work)?;
    check_ports(model, &work)?;
    compile(model, tools, &work)?;
    publish(&work, &dir)?;
    Ok(dir)
}

fn publish(work: &Path, dir: &Path) -> Result<(), String> {
    if let Err(e) = fs::rename(work, dir) {
        if !dir.exists() {
            return Err(format!("{}: {e}", dir.display()));
        }
        let _ = fs::remove_dir_all(work);
    }
    Ok(())
}

fn verilate(model: &Model, tools: &Tools, work: &Path) -> Result<(), String> {
    let source = work.join(format!("{}.v", model.top));
    fs::write(&source, &model.verilog).map_err(|e| format!("{}: {e}", source.display()))?;
    let mut command = Command::new("verilator_bin");
    command
        .env("VERILATOR_ROOT", &tools.root)
        .args(["--cc", "-O3"])
        .args(model.waves.then_some("--trace"))
        .args(["--x-assign", "fast", "--x-initial", "unique"])
        .args([
            "--timescale",
            "1ns/1ns",
            "-Wno-WIDTH",
            "-Wno-fatal",
            "--top-module",
            model.top.as_str(),
        ])
        .args(["--prefix", &format!("V{}", model.name), "-Mdir"])
        .arg(work)
        .arg(&source);
    let run = command
        .output()
        .map_err(|e| format!("verilator_bin: {e}"))?;
    if !run.status.success() {
        return Err(format!(
            "{command:?} failed:\n{}",
            String::from_utf8_lossy(&run.stderr)
        ));
    }
    Ok(())
}

/// Compares the ports in the model's header (`VL_IN8(&name,msb,lsb);`, `VL_OUT...`) with the specification's.
fn check_ports(model: &Model, work: &Path) -> Result<(), String> {
    let path = work.join(format!("V{}.h", model.name));
    let header = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let mut found = BTreeMap::new();
    for line in header.lines().map(str::trim) {
        let (input, rest) = match (line.strip_prefix("VL_IN"), line.strip_prefix("VL_OUT")) {
            (Some(rest), _) if !rest.starts_with("OUT") => (true, rest),
            (_, Some(rest)) => (false, rest),
            _ => continue,
        };
        let Some((_, list)) = rest.split_once("(&") else {
            continue;
        };
        let fields: Vec<_> = list.trim_end_matches([')', ';']).split(',').collect();
        let bit = |i: usize| fields.get(i).and_then(|f| f.parse::<u32>().ok());
        if let (Some(msb), Some(lsb)) = (bit(1), bit(2)) {
            found.insert(fields[0].to_string(), (input, msb - lsb + 1));
        }
    }
    let mut wrong = String::new();
    for (name, input, width) in &model.ports {
        match found.remove(name) {
            Some(port) if port == (*input, *width) => {}
            Some((i, w)) => {
                let _ = writeln!(
                    wrong,
                    "  {name}: {} {w} bits, specified {} {width} bits",
                    dir(i),
                    dir(*input)
                );
            }
            None => {
                let _ = writeln!(wrong, "  {name}: missing");
            }
        }
    }
    for name in found.keys() {
        let _ = writeln!(wrong, "  {name}: not in the specification");
    }
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(format!(
            "ports of {} ({}) differ from {}:\n{wrong}",
            model.top, model.name, model.specified
        )),
    }
}

fn dir(input: bool) -> &'static str {
    match input {
        true => "input",
        false => "output",
    }
}

/// The `VM_...` lists of `V<model>_classes.mk`.
fn classes(work: &Path, model: &Model) -> Result<BTreeMap<String, Vec<PathBuf>>, String> {
    let path = work.join(format!("V{}_classes.mk", model.name));
    let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let mut lists: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for line in text.replace("\\\n", " ").lines() {
        if let Some((key, files)) = line.split_once("+=") {
            let files = files
                .split_whitespace()
                .map(|f| work.join(f).with_extension("cpp"));
            lists
                .entry(key.trim().to_string())
                .or_default()
                .extend(files);
        }
    }
    Ok(lists)
}

fn compiler(tools: &Tools, work: &Path, level: u32, waves: bool) -> cc::Build {
    let trace = if waves { "1" } else { "0" };
    let mut build = cc::Build::new();
    build
        .cpp(true)
        .std("gnu++17")
        .opt_level(level)
        .debug(false)
        .warnings(false)
        .cargo_metadata(false)
        .out_dir(work);
    build
        .define("VERILATOR", "1")
        .define("VM_COVERAGE", "0")
        .define("VM_SC", "0");
    build
        .define("VM_TRACE", trace)
        .define("VM_TRACE_VCD", trace)
        .define("VM_TRACE_FST", "0");
    build.include(work).include("build");
    build
        .include(tools.root.join("include"))
        .include(tools.root.join("include/vltstd"));
    build
}

fn compile(model: &Model, tools: &Tools, work: &Path) -> Result<(), String> {
    let lists = classes(work, model)?;
    let take = |keys: &[&str]| -> Vec<PathBuf> {
        keys.iter()
            .flat_map(|k| lists.get(*k).into_iter().flatten())
            .cloned()
            .collect()
    };
    let shim = work.join("shim.cpp");
    fs::write(&shim, &model.shim).map_err(|e| format!("{}: {e}", shim.display()))?;
    // Start-up and waveform code is big and rarely runs: not worth optimising.
    let slow = take(&["VM_CLASSES_SLOW", "VM_SUPPORT_SLOW", "VM_SUPPORT_FAST"]);
    let fast = [take(&["VM_CLASSES_FAST"]), vec![shim]].concat();
    let parts = match model.broken {
        true => vec![("all", [slow, fast].concat(), 1)],
        false => vec![("slow", slow, 0), ("fast", fast, 2)],
    };
    let fail = |e: cc::Error| format!("compiling the Verilated {}: {e}", model.name);
    let mut objects = Vec::new();
    for (name, files, level) in parts {
        // Reading Verilator's headers takes most of the time that a small file takes: all in one.
        let all = work.join(format!("{name}.cpp"));
        let lines = files
            .iter()
            .map(|f| format!("#include \"{}\"\n", f.display()));
        fs::write(&all, lines.collect::<String>())
            .map_err(|e| format!("{}: {e}", all.display()))?;
        let mut build = compiler(tools, work, level, model.waves);
        build.define("INSTANCE", format!("\"{}\"", model.top).as_str());
        build.define("MODEL", format!("V{}", model.name).as_str());
        build.define("HEADER", format!("\"V{}.h\"", model.name).as_str());
        build.define("FN(x)", format!("{}_##x", model.name).as_str());
        build.file(&all);
        objects.extend(build.try_compile_intermediates().map_err(fail)?);
    }
    let mut archive_of = compiler(tools, work, 0, model.waves);
    for object in &objects {
        archive_of.object(object);
    }
    archive_of.try_compile(&archive(model)).map_err(fail)?;
    for object in objects {
        let _ = fs::remove_file(object);
    }
    Ok(())
}

/// The part of Verilator's runtime that the `verilated` crate does not compile but every 5.x model needs.
fn runtime(tools: &Tools, cache: &Path) -> Result<PathBuf, String> {
    let mut hash = DefaultHasher::new();
    (
        &tools.version,
        tools.root.display().to_string(),
        env::var("CXXFLAGS").ok(),
    )
        .hash(&mut hash);
    let dir = cache.join(format!("runtime-{:016x}", hash.finish()));
    if dir.join("libweft_verilated_threads.a").exists() {
        return Ok(dir);
    }
    let work = cache.join(format!("work-{}-runtime", std::process::id()));
    fs::create_dir_all(&work).map_err(|e| format!("{}: {e}", work.display()))?;
    let mut build = compiler(tools, &work, 2, true);
    build.file(tools.root.join("include/verilated_threads.cpp"));
    build
        .try_compile("weft_verilated_threads")
        .map_err(|e| format!("compiling Verilator's runtime: {e}"))?;
    publish(&work, &dir)?;
    Ok(dir)
}

fn write_if_changed(path: &Path, text: &str) -> Result<(), String> {
    if fs::read_to_string(path).ok().as_deref() == Some(text) {
        return Ok(());
    }
    fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))
}
