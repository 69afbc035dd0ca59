//! A design to Verilog: a small crate that names the concrete type, compiled by cargo, and its output, cached by
//! content.
//!
//! The crate lies in `target/generate`, depends on `weft-hdl` by path, and is a workspace of its own with the lock file
//! of the checkout. All such crates share one build directory, so that `weft-hdl` is compiled once;
//! a further size takes seconds. What a crate prints is kept as `target/generate/verilog/NAME-HASH`, where the hash is
//! over the sources of the hardware and of the exporter, the version of
//! rust-hdl, and the generated source. So a size is compiled again only after a change of these.

use crate::design::Design;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{fs, io};
use weft_toolbox::{Hash, Lock, Toolbox};
use weft_verilog::Verilog;

/// Why there is no Verilog.
#[derive(Debug, thiserror::Error)]
pub enum GenerateError {
    #[error(transparent)]
    Impossible(#[from] crate::Impossible),
    #[error("{0}: {1}")]
    File(String, io::Error),
    #[error("waiting for {0}: {1}")]
    Lock(String, String),
    #[error("cargo, which compiles the hardware: {0}")]
    NoCargo(io::Error),
    #[error("{0} does not compile:\n{1}")]
    Compile(String, String),
    #[error("{0}: the generator says: {1}")]
    Export(String, String),
    #[error("{0} cannot be simulated by rust-hdl: it has no list of its ports (word_ports!)")]
    NotSimulated(String),
}

type Result<T> = std::result::Result<T, GenerateError>;

/// What the output depends on, below the root of the checkout.
const SOURCES: [&str; 8] = [
    "hdl/Cargo.toml",
    "hdl/src",
    "hdl/ports/src",
    "tools/rtl/Cargo.toml",
    "tools/rtl/src",
    "tools/rtl/macros/src",
    "tools/verilog/src",
    "rust-toolchain.toml",
];

/// Others may be compiling.
const PATIENCE: Duration = Duration::from_secs(60 * 60);

/// Profile of the generated crates. The kernels of a size are much code that runs once, half of it only to clean up
/// after a panic; the simulator, the checks and the writer of Verilog run for long.
const PROFILE: &str = "
[profile.dev]
opt-level = 0
debug = false
debug-assertions = false
incremental = false
panic = 'abort'

[profile.dev.package.rust-hdl-core]
opt-level = 2

[profile.dev.package.weft-rtl]
opt-level = 2

[profile.dev.package.num-bigint]
opt-level = 2
";

/// What a generated crate is compiled to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A program that prints the Verilog.
    Verilog,
    /// A shared library with rust-hdl's simulation.
    Simulation,
}

/// A design and where its result is or will be.
struct Job<'a> {
    design: &'a Design,
    source: String,
    /// Name of the crate's target.
    target: String,
    result: PathBuf,
}

/// The place of one checkout where things are made.
struct Workshop {
    toolbox: Toolbox,
    folder: PathBuf,
    /// Of all that the output depends on.
    sources: Hash,
}

/// Checked Verilog of a design; compiles what is not in the cache, and says so on stderr.
///
/// # Errors
/// Cargo cannot be run, or the block does not pass the checks of the exporter.
pub fn verilog(design: &Design) -> Result<Verilog> {
    Ok(verilog_of_all(std::slice::from_ref(design))?.remove(0))
}

/// As [`verilog`], for several designs: what is missing is compiled at once, on all processors.
///
/// # Errors
/// As there.
pub fn verilog_of_all(designs: &[Design]) -> Result<Vec<Verilog>> {
    let shop = Workshop::open()?;
    let jobs: Vec<_> = designs.iter().map(|d| shop.job(d, Kind::Verilog)).collect();
    let read = |job: &Job| {
        let text = fs::read_to_string(&job.result).ok();
        text.and_then(|text| Verilog::from_text(&text))
    };
    let missing: Vec<&Job> = jobs.iter().filter(|job| read(job).is_none()).collect();
    shop.make(&missing, Kind::Verilog, &|job| read(job).is_some())?;
    let got = |job: &Job| {
        read(job).ok_or_else(|| GenerateError::Export(job.design.to_string(), "nothing".into()))
    };
    jobs.iter().map(got).collect()
}

/// The shared library of rust-hdl's simulation of a design (`library!` in `hdl/src/simulation.rs`);
/// compiled if need be.
///
/// # Errors
/// As [`verilog`]; and a unit that has no list of its ports.
pub fn simulation(design: &Design) -> Result<PathBuf> {
    if !design.simulated() {
        return Err(GenerateError::NotSimulated(design.to_string()));
    }
    let shop = Workshop::open()?;
    let job = shop.job(design, Kind::Simulation);
    if !job.result.exists() {
        shop.make(&[&job], Kind::Simulation, &|job| job.result.exists())?;
    }
    Ok(job.result)
}

impl Workshop {
    fn open() -> Result<Workshop> {
        let toolbox = Toolbox::here();
        let root = toolbox.root().to_path_buf();
        let mut sources = Hash::default();
        for path in SOURCES.map(|source| root.join(source)) {
            let more = sources.and_files(&path);
            sources = more.map_err(|e| GenerateError::File(path.display().to_string(), e))?;
        }
        let lock = root.join("Cargo.lock");
        let locked = fs::read_to_string(&lock);
        let locked = locked.map_err(|e| GenerateError::File(lock.display().to_string(), e))?;
        Ok(Workshop {
            folder: toolbox.target_dir().join("generate"),
            toolbox,
            sources: sources.and(rust_hdl(&locked)).and(PROFILE),
        })
    }

    fn job<'a>(&self, design: &'a Design, kind: Kind) -> Job<'a> {
        let source = source(design, kind);
        let hash = self.sources.and(&source);
        let (folder, prefix, extension) = match kind {
            Kind::Verilog => ("verilog", "v", ".txt"),
            Kind::Simulation => ("simulation", "s", std::env::consts::DLL_SUFFIX),
        };
        Job {
            design,
            target: format!("{prefix}_{hash}"),
            result: self
                .folder
                .join(folder)
                .join(format!("{}-{hash}{extension}", design.name())),
            source,
        }
    }

    /// One process at a time: cargo would wait anyway. `there`: somebody else has made it meanwhile.
    fn make(&self, jobs: &[&Job], kind: Kind, there: &dyn Fn(&Job) -> bool) -> Result<()> {
        if jobs.is_empty() {
            return Ok(());
        }
        let file = |path: &Path, e| GenerateError::File(path.display().to_string(), e);
        fs::create_dir_all(&self.folder).map_err(|e| file(&self.folder, e))?;
        let lock = self.folder.join("lock");
        let mut say = || eprintln!("waiting for another process that compiles the hardware");
        let _lock = Lock::take(&lock, PATIENCE, &mut say)
            .map_err(|e| GenerateError::Lock(lock.display().to_string(), e.to_string()))?;
        let mut jobs: Vec<&Job> = jobs.iter().copied().filter(|job| !there(job)).collect();
        jobs.sort_by(|a, b| a.target.cmp(&b.target));
        jobs.dedup_by(|a, b| a.target == b.target);
        let Some(first) = jobs.first() else {
            return Ok(());
        };
        let start = Instant::now();
        let names: Vec<_> = jobs.iter().map(|job| job.design.to_string()).collect();
        let names = match names.as_slice() {
            [] => String::new(),
            [one] => one.clone(),
            [one, ..] => format!("{one} and {} more", names.len() - 1),
        };
        eprintln!("compiling {names} to {}{}", what(kind), self.first_time());
        let krate = self.folder.join("crates").join(&first.target);
        self.write_crate(&krate, &jobs, kind)
            .map_err(|e| file(&krate, e))?;
        let compiled = self.compile(&krate, &names);
        let published =
            compiled.and_then(|()| jobs.iter().try_for_each(|job| self.publish(job, kind)));
        // They are large, and of no use any more.
        for job in &jobs {
            self.clean(job);
        }
        let _ = fs::remove_dir_all(&krate);
        published?;
        eprintln!("compiled {names} ({:.1} s)", start.elapsed().as_secs_f64());
        Ok(())
    }

    fn built(&self) -> PathBuf {
        self.folder.join("build")
    }

    fn first_time(&self) -> &'static str {
        match self.built().exists() {
            true => "",
            false => " (the first size takes a minute, each further one seconds)",
        }
    }

    fn write_crate(&self, krate: &Path, jobs: &[&Job], kind: Kind) -> io::Result<()> {
        let root = self.toolbox.root().display();
        let _ = fs::remove_dir_all(krate);
        fs::create_dir_all(krate.join("src"))?;
        let mut manifest = format!(
            "# Written by weft-generate.\n[workspace]\n\n[package]\nname = \"weft-size\"\nversion = \"0.0.0\"\nedition = \"2021\"\npublish = false\n\
             autobins = false\n\n[dependencies]\nhdl = {{ package = \"weft-hdl\", path = '{root}/hdl' }}\n{PROFILE}"
        );
        for job in jobs {
            let path = format!("src/{}.rs", job.target);
            fs::write(krate.join(&path), &job.source)?;
            let section = match kind {
                Kind::Verilog => "[[bin]]",
                Kind::Simulation => "[lib]\ncrate-type = [\"cdylib\"]",
            };
            let _ = write!(
                manifest,
                "\n{section}\nname = \"{}\"\npath = \"{path}\"\n",
                job.target
            );
        }
        fs::write(krate.join("Cargo.toml"), manifest)?;
        fs::copy(
            self.toolbox.root().join("Cargo.lock"),
            krate.join("Cargo.lock"),
        )?;
        Ok(())
    }

    fn compile(&self, krate: &Path, names: &str) -> Result<()> {
        let mut cargo = self.toolbox.cargo();
        // In the root of the checkout: it says which toolchain.
        cargo.current_dir(self.toolbox.root());
        cargo
            .args(["build", "--quiet", "--manifest-path"])
            .arg(krate.join("Cargo.toml"));
        cargo.arg("--target-dir").arg(self.built());
        let run = cargo
            .stdin(Stdio::null())
            .output()
            .map_err(GenerateError::NoCargo)?;
        match run.status.success() {
            true => Ok(()),
            false => Err(GenerateError::Compile(
                names.into(),
                String::from_utf8_lossy(&run.stderr).into_owned(),
            )),
        }
    }

    /// Runs the program, or takes the library, and puts the result in its place, whole or not at all.
    fn publish(&self, job: &Job, kind: Kind) -> Result<()> {
        let file = |path: &Path, e| GenerateError::File(path.display().to_string(), e);
        let folder = job.result.parent().unwrap_or(&self.folder);
        fs::create_dir_all(folder).map_err(|e| file(folder, e))?;
        let new = job
            .result
            .with_extension(format!("new-{}", std::process::id()));
        let debug = self.built().join("debug");
        match kind {
            Kind::Verilog => {
                let program = debug.join(format!("{}{}", job.target, std::env::consts::EXE_SUFFIX));
                let run = Command::new(&program).stdin(Stdio::null()).output();
                let run = run.map_err(|e| file(&program, e))?;
                if !run.status.success() {
                    let said = String::from_utf8_lossy(&run.stderr).trim().to_string();
                    return Err(GenerateError::Export(job.design.to_string(), said));
                }
                fs::write(&new, run.stdout).map_err(|e| file(&new, e))?;
            }
            Kind::Simulation => {
                let library = debug.join(dll(&job.target));
                fs::copy(&library, &new).map_err(|e| file(&library, e))?;
            }
        }
        fs::rename(&new, &job.result).map_err(|e| file(&job.result, e))
    }

    /// Removes what cargo has made of this crate alone.
    fn clean(&self, job: &Job) {
        let debug = self.built().join("debug");
        for folder in [
            debug.clone(),
            debug.join("deps"),
            debug.join(".fingerprint"),
        ] {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                let name = entry.file_name().to_string_lossy().into_owned();
                if name.contains(&job.target) || name.starts_with("weft-size-") {
                    let path = entry.path();
                    let _ = fs::remove_file(&path).or_else(|_| fs::remove_dir_all(&path));
                }
            }
        }
    }
}

/// The entries of a lock file that say which rust-hdl it is.
/// What else the workspace depends on does not change the output.
fn rust_hdl(lock: &str) -> String {
    let packages = lock.split("[[package]]");
    packages
        .filter(|p| p.trim_start().starts_with("name = \"rust-hdl"))
        .collect()
}

fn what(kind: Kind) -> &'static str {
    match kind {
        Kind::Verilog => "Verilog",
        Kind::Simulation => "rust-hdl's simulation",
    }
}

fn dll(target: &str) -> String {
    let (prefix, suffix) = (std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    format!("{prefix}{target}{suffix}")
}

/// The generated source.
fn source(design: &Design, kind: Kind) -> String {
    let (constants, block) = design.source();
    let body = match kind {
        Kind::Verilog => format!(
            "// The largest blocks do not fit on the stack of a program.\nfn main() {{\n    let run = || {{\n        \
             hdl::write({block}, {:?}, &{:?});\n    }};\n    let big = std::thread::Builder::new().stack_size(1 << 29);\n    \
             big.spawn(run).unwrap().join().unwrap();\n}}\n",
            design.top(),
            design.hidden()
        ),
        Kind::Simulation => {
            let block = block
                .trim_end_matches("::default()")
                .replacen("::<", "<", 1);
            format!("hdl::library!({block});\n")
        }
    };
    format!("//! {design}. Written by weft-generate.\n#![allow(dead_code, unused_imports)]\n\n{constants}\n{body}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Config, Unit};

    #[test]
    fn the_source_names_the_type() {
        let design = Design::of(Unit::Control, Config::new(4, 4, 2, 1), false).unwrap();
        let program = source(&design, Kind::Verilog);
        assert!(
            program.contains("hdl::write(hdl::warp::control::Control::<WARPS, WARP_BITS,"),
            "{program}"
        );
        assert!(
            program.contains(">::default(), \"weft_control\", &[])"),
            "{program}"
        );
        let library = source(&design, Kind::Simulation);
        assert!(
            library.contains("hdl::library!(hdl::warp::control::Control<WARPS,"),
            "{library}"
        );
        assert!(library.trim_end().ends_with("TOKEN_BITS>);"), "{library}");
    }

    #[test]
    fn another_rust_hdl_is_another_output() {
        let lock = |version| {
            format!("[[package]]\nname = \"clap\"\nversion = \"4\"\n\n[[package]]\nname = \"rust-hdl-core\"\nversion = \"{version}\"\n")
        };
        assert_eq!(
            rust_hdl(&lock("0.46.0")).trim(),
            "name = \"rust-hdl-core\"\nversion = \"0.46.0\""
        );
        assert_ne!(rust_hdl(&lock("0.46.0")), rust_hdl(&lock("0.46.1")));
    }

    #[test]
    fn a_unit_without_a_list_of_ports_is_not_simulated() {
        let design = Design::of(Unit::Barrier, Config::new(4, 4, 2, 1), false).unwrap();
        let error = simulation(&design).unwrap_err();
        assert!(
            error
                .to_string()
                .contains("weft_barrier 4x4 cannot be simulated"),
            "{error}"
        );
    }
}
