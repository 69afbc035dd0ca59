//! Running Yosys and nextpnr, and not believing them when they end without a word.

use anyhow::{anyhow, bail, Context, Result};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use weft_toolbox::{Tool, Toolbox};

/// `target/synth`, where work files go.
pub(crate) fn work_root(toolbox: &Toolbox) -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    target
        .unwrap_or_else(|| toolbox.root().join("target"))
        .join("synth")
}

/// The work directory of a measurement, made if it is not there.
pub(crate) fn work_dir(toolbox: &Toolbox, name: &str, target: &str) -> Result<PathBuf> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    let safe: String = name
        .chars()
        .map(|c| if plain(c) { c } else { '_' })
        .collect();
    let dir = work_root(toolbox).join(format!("{safe}-{target}"));
    fs::create_dir_all(&dir).with_context(|| format!("creating {}", dir.display()))?;
    Ok(dir)
}

/// Does `work` in a new directory that has `design.v`. It stays when the work fails, for its logs.
pub(crate) fn in_scratch<T>(
    toolbox: &Toolbox,
    verilog: &str,
    work: impl FnOnce(&Path) -> Result<T>,
) -> Result<T> {
    let root = work_root(toolbox);
    fs::create_dir_all(&root).with_context(|| format!("creating {}", root.display()))?;
    let dir = tempfile::Builder::new()
        .prefix("check-")
        .tempdir_in(&root)
        .with_context(|| format!("creating a directory in {}", root.display()))?;
    fs::write(dir.path().join("design.v"), verilog).context("writing design.v")?;
    let result = work(dir.path());
    if result.is_err() {
        let _ = dir.keep();
    }
    result
}

pub(crate) fn yosys(toolbox: &Toolbox) -> Result<Tool> {
    toolbox
        .yosys()
        .ok_or_else(|| anyhow!("Yosys is not there; `cargo xtask setup` installs it"))
}

/// Runs a Yosys script in `dir`; `outputs` must exist afterwards. Returns the log.
pub(crate) fn run_yosys(
    yosys: &Tool,
    dir: &Path,
    name: &str,
    script: &str,
    outputs: &[&str],
) -> Result<String> {
    let log_name = format!("{name}.log");
    let script_name = format!("{name}.ys");
    fs::write(dir.join(&script_name), script).with_context(|| format!("writing {script_name}"))?;
    remove(dir, outputs)?;
    remove(dir, &[&log_name])?;
    // The log file, not standard output: YoWASP's ABC closes that one.
    let output = yosys
        .command()
        .current_dir(dir)
        .args(["-q", "-l", &log_name, "-s", &script_name])
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("starting {}", yosys.path.display()))?;
    let log =
        String::from_utf8_lossy(&fs::read(dir.join(&log_name)).unwrap_or_default()).into_owned();
    let complete = output.status.success() && log.contains("End of script.");
    if complete && outputs.iter().all(|file| dir.join(file).is_file()) {
        return Ok(log);
    }
    let place = dir.join(&log_name);
    let complaint = String::from_utf8_lossy(&output.stderr);
    if let Some(error) = first_error(&log).or_else(|| first_error(&complaint)) {
        bail!(
            "{} {}: {error}\n  log: {}",
            yosys.name,
            yosys.version,
            place.display()
        );
    }
    bail!(
        "{} {} ended without a word ({}) in: {}\n  log: {}",
        yosys.name,
        yosys.version,
        output.status,
        last_pass(&log).unwrap_or("its start"),
        place.display()
    )
}

/// Runs nextpnr in `dir`; `report` must exist afterwards.
pub(crate) fn run_nextpnr(
    nextpnr: &Tool,
    dir: &Path,
    name: &str,
    arguments: &[&str],
    report: &str,
) -> Result<()> {
    remove(dir, &[report])?;
    let output = nextpnr
        .command()
        .current_dir(dir)
        .args(arguments)
        .args(["--report", report])
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("starting {}", nextpnr.path.display()))?;
    let mut log = String::from_utf8_lossy(&output.stdout).into_owned();
    log.push_str(&String::from_utf8_lossy(&output.stderr));
    let place = dir.join(format!("{name}.log"));
    fs::write(&place, &log).with_context(|| format!("writing {}", place.display()))?;
    if output.status.success() && dir.join(report).is_file() {
        return Ok(());
    }
    let reason = match first_error(&log) {
        Some(error)
            if error.contains("no BELs remaining") || error.contains("Unable to place cell") =>
        {
            format!("the design does not fit: {error}")
        }
        Some(error) => error.to_string(),
        None => format!("ended without a word ({})", output.status),
    };
    bail!(
        "{} {}: {reason}\n  log: {}",
        nextpnr.name,
        nextpnr.version,
        place.display()
    )
}

fn remove(dir: &Path, files: &[&str]) -> Result<()> {
    for file in files {
        match fs::remove_file(dir.join(file)) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(error).with_context(|| format!("removing the old {file}"));
            }
            _ => {}
        }
    }
    Ok(())
}

fn first_error(log: &str) -> Option<&str> {
    log.lines()
        .find_map(|line| line.split_once("ERROR: ").map(|(_, error)| error.trim()))
}

/// The last pass that Yosys announced: `2.46.14.5. Executing ABC9.`
fn last_pass(log: &str) -> Option<&str> {
    log.lines().rev().find(|line| {
        line.starts_with(|c: char| c.is_ascii_digit()) && line.contains(". Executing ")
    })
}

/// A name as Verilog takes it, whatever is in it.
pub(crate) fn identifier(name: &str) -> String {
    let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !name.starts_with(|c: char| c.is_ascii_digit());
    if plain {
        name.to_string()
    } else {
        format!("\\{name} ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_found_in_logs() {
        let log = "2.46.14.4. Executing ABC9_EXE pass (technology mapping using ABC9).\n\n2.46.14.5. Executing ABC9.\n\
                   Running ABC command: \"/yosys-abc\" -s -f <abc-temp-dir>/abc.script 2>&1\n";
        assert_eq!(last_pass(log), Some("2.46.14.5. Executing ABC9."));
        assert_eq!(first_error(log), None);
        let log = "Info: Packing..\nERROR: Unable to place cell 'x', no BELs remaining to implement cell type 'ICESTORM_LC'\n";
        assert!(first_error(log).unwrap().contains("no BELs remaining"));
    }

    #[test]
    fn names_are_escaped() {
        assert_eq!(identifier("top"), "top");
        assert_eq!(identifier("top$fifo"), "\\top$fifo ");
        assert_eq!(identifier("2top"), "\\2top ");
    }
}
