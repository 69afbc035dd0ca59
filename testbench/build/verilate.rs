//! Verilog to static libraries and a table of their functions.

use crate::models::{Fault, FAULTS, FAULT_SIZE};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};
use weft_hdl::Config;

const TOP: &str = "weft_control";

/// One Verilated class.
struct Model {
    /// Also the C++ class, without its `V`, and the prefix of the C functions.
    name: String,
    size: Config,
    fault: Option<&'static Fault>,
    verilog: String,
}

struct Tools {
    root: PathBuf,
    /// Text of `verilated_config.h`: names the version even where `--version` does not.
    version: String,
}

pub fn build() -> Result<(), String> {
    for name in ["PATH", "VERILATOR_ROOT", "CXX", "CXXFLAGS", "CPATH"] {
        println!("cargo:rerun-if-env-changed={name}");
    }
    let tools = find_verilator()?;
    let out_dir = env::var("OUT_DIR").expect("OUT_DIR");
    check_runtime(Path::new(&out_dir))?;
    let out = PathBuf::from(out_dir);
    let cache = cache_dir(&out);
    let models = models()?;
    for model in &models {
        let library = library(model, &tools, &cache)?;
        println!("cargo:rustc-link-search=native={}", library.display());
        println!("cargo:rustc-link-lib=static={}", archive(model));
    }
    println!(
        "cargo:rustc-link-search=native={}",
        runtime(&tools, &cache)?.display()
    );
    println!("cargo:rustc-link-lib=static:+whole-archive=weft_verilated_threads");
    println!("cargo:rustc-link-lib=stdc++");
    write_if_changed(&out.join("models.rs"), &table(&models))
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

fn models() -> Result<Vec<Model>, String> {
    let mut list = Vec::new();
    for &size in weft_hdl::SUPPORTED {
        let verilog = weft_hdl::verilog(size).map_err(|e| format!("Verilog of {size}: {e}"))?;
        let name = format!("weft_{size}");
        if size == FAULT_SIZE && cfg!(feature = "faults") {
            for fault in FAULTS {
                list.push(Model {
                    name: format!("{name}_{}", fault.name),
                    size,
                    fault: Some(fault),
                    verilog: break_on_purpose(fault, &verilog)?,
                });
            }
        }
        list.push(Model {
            name,
            size,
            fault: None,
            verilog,
        });
    }
    Ok(list)
}

/// The Verilog with the fault's patches; every one must fit exactly as often as its table entry says.
fn break_on_purpose(fault: &Fault, verilog: &str) -> Result<String, String> {
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

/// Directory that holds the model's archive; compiled only if this content was never compiled before.
fn library(model: &Model, tools: &Tools, cache: &Path) -> Result<PathBuf, String> {
    let mut hash = DefaultHasher::new();
    (
        &model.name,
        &model.verilog,
        &tools.version,
        tools.root.display().to_string(),
    )
        .hash(&mut hash);
    (
        include_str!("shim.h"),
        include_str!("shim.cpp"),
        include_str!("verilate.rs"),
    )
        .hash(&mut hash);
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
    let source = work.join(format!("{TOP}.v"));
    fs::write(&source, &model.verilog).map_err(|e| format!("{}: {e}", source.display()))?;
    let mut command = Command::new("verilator_bin");
    command
        .env("VERILATOR_ROOT", &tools.root)
        .args([
            "--cc",
            "-O3",
            "--trace",
            "--x-assign",
            "fast",
            "--x-initial",
            "unique",
        ])
        .args([
            "--timescale",
            "1ns/1ns",
            "-Wno-WIDTH",
            "-Wno-fatal",
            "--top-module",
            TOP,
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

/// Name and width of every port by the specification (docs/spec/control.md, docs/spec/spill.md).
fn ports(size: Config) -> Vec<(&'static str, bool, u32)> {
    let (wi, w, nw) = (size.warps.ilog2(), size.threads as u32, size.warps as u32);
    let token = if size.threads == 64 { 128 } else { 64 };
    // Front ring, back ring and at least one place more.
    let tag = wi + (size.front + size.back).ilog2() + 1;
    vec![
        ("clock", true, 1),
        ("reset", true, 1),
        ("cfg_yield_every", true, 16),
        ("cfg_forced_yield", true, 16),
        ("cfg_yield_random", true, 1),
        ("cfg_yield_threshold", true, 16),
        ("cfg_yield_seed", true, 16),
        ("cfg_path", true, 2),
        ("cfg_recenter", true, 1),
        ("launch_valid", true, 1),
        ("launch_warp", true, wi),
        ("launch_pc", true, 22),
        ("launch_mask", true, w),
        ("launch_base", true, 32),
        ("launch_size", true, 10),
        ("issue_ready", true, 1),
        ("resolve_valid", true, 1),
        ("resolve_warp", true, wi),
        ("resolve_op", true, 4),
        ("resolve_kind", true, 4),
        ("resolve_mask", true, w),
        ("resolve_target", true, 22),
        ("spill_request_ready", true, 1),
        ("spill_response_valid", true, 1),
        ("spill_response_write", true, 1),
        ("spill_response_tag", true, tag),
        ("spill_response_data", true, token),
        ("config_valid", true, 1),
        ("config_write", true, 1),
        ("config_warp", true, wi),
        ("config_register", true, 4),
        ("config_data", true, 32),
        ("launch_ready", false, 1),
        ("issue_valid", false, 1),
        ("issue_warp", false, wi),
        ("issue_pc", false, 22),
        ("issue_mask", false, w),
        ("resolve_ready", false, 1),
        ("retire_valid", false, 1),
        ("retire_warp", false, wi),
        ("retire_op", false, 4),
        ("retire_pc", false, 22),
        ("retire_next_pc", false, 22),
        ("retire_next_mask", false, w),
        ("retire_done", false, 1),
        ("retire_depth", false, 10),
        ("retire_front_kind", false, 4),
        ("retire_front_mask", false, w),
        ("retire_front_pc", false, 22),
        ("retire_front_below", false, 4),
        ("retire_dropped", false, 1),
        ("exception_valid", false, 1),
        ("exception_warp", false, wi),
        ("exception_pc", false, 22),
        ("exception_cause", false, 4),
        ("status_busy", false, nw),
        ("status_moving", false, nw),
        ("status_dropped", false, 32),
        ("status_recentered", false, 32),
        ("spill_request_valid", false, 1),
        ("spill_request_write", false, 1),
        ("spill_request_last", false, 1),
        ("spill_request_tag", false, tag),
        ("spill_request_address", false, 32),
        ("spill_request_data", false, token),
        ("spill_response_ready", false, 1),
        ("config_ready", false, 1),
        ("config_done", false, 1),
        ("config_result", false, 32),
    ]
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
    for (name, input, width) in ports(model.size) {
        match found.remove(name) {
            Some(port) if port == (input, width) => {}
            Some((i, w)) => {
                let _ = writeln!(
                    wrong,
                    "  {name}: {} {w} bits, specified {} {width} bits",
                    dir(i),
                    dir(input)
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
            "ports of {TOP} ({}) differ from docs/spec/control.md:\n{wrong}",
            model.name
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

fn compiler(tools: &Tools, work: &Path, level: u32) -> cc::Build {
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
        .define("VM_TRACE", "1")
        .define("VM_TRACE_VCD", "1")
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
    // Start-up and waveform code is big and rarely runs: not worth optimising.
    let mut slow = compiler(tools, work, 0);
    slow.files(take(&[
        "VM_CLASSES_SLOW",
        "VM_SUPPORT_SLOW",
        "VM_SUPPORT_FAST",
    ]));
    let mut fast = compiler(tools, work, 2);
    fast.files(take(&["VM_CLASSES_FAST"]))
        .file("build/shim.cpp");
    fast.define("MODEL", format!("V{}", model.name).as_str());
    fast.define("HEADER", format!("\"V{}.h\"", model.name).as_str());
    fast.define("FN(x)", format!("{}_##x", model.name).as_str());
    let fail = |e: cc::Error| format!("compiling the Verilated {}: {e}", model.name);
    let mut objects = slow.try_compile_intermediates().map_err(fail)?;
    objects.extend(fast.try_compile_intermediates().map_err(fail)?);
    let mut archive_of = compiler(tools, work, 0);
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
    let mut build = compiler(tools, &work, 2);
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

/// `models.rs`: the C functions of every model and the table that `src/verilated.rs` includes.
fn table(models: &[Model]) -> String {
    let mut text = String::from("unsafe extern \"C\" {\n");
    for m in models {
        let n = &m.name;
        let _ = writeln!(
            text,
            "    fn {n}_new(seed: c_int) -> *mut c_void;
    fn {n}_delete(model: *mut c_void);
    fn {n}_settle(model: *mut c_void, inputs: *const RawIn, outputs: *mut RawOut);
    fn {n}_rise(model: *mut c_void);
    fn {n}_fall(model: *mut c_void);
    fn {n}_failed(model: *mut c_void) -> c_int;
    fn {n}_trace(model: *mut c_void, vcd: *mut VcdC);"
        );
    }
    text.push_str("}\n\nstatic MODELS: &[Functions] = &[\n");
    for m in models {
        let (n, fault) = (&m.name, m.fault.map(|f| (f.name, f.breaks)));
        let Config {
            warps,
            threads,
            front,
            back,
        } = m.size;
        let _ = writeln!(
            text,
            "    Functions {{ size: Config {{ warps: {warps}, threads: {threads}, front: {front}, back: {back} }}, fault: {fault:?}, \
             new: {n}_new, delete: {n}_delete, settle: {n}_settle, \
             rise: {n}_rise, fall: {n}_fall, failed: {n}_failed, trace: {n}_trace }},"
        );
    }
    text.push_str("];\n");
    text
}
