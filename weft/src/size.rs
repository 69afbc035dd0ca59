//! `--config`: a size of the hardware, by name, written out, or from a file.

use crate::options::Window;
use anyhow::{bail, Context, Result};
use serde::Deserialize;
use std::path::Path;
use weft_hdl::{Config, Unit, VerilogError};

/// Name, or the file's name without its extension, and size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    pub name: String,
    pub config: Config,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    warps: usize,
    threads: usize,
    front: Option<usize>,
    back: Option<usize>,
}

/// A unit, and whether two instructions of a warp can go in one cycle.
pub type What = (Unit, bool);

/// The size that `--config` names, with `--warps`, `--threads` and `--window` put in its place where they are given. The unit comes in it.
pub fn choose(
    what: What,
    config: &str,
    warps: Option<usize>,
    threads: Option<usize>,
    window: Option<Window>,
) -> Result<Named> {
    let mut named = match Config::NAMED.iter().find(|(name, _)| *name == config) {
        Some(&(name, config)) => Named {
            name: name.into(),
            config,
        },
        None if config.ends_with(".toml") => read(Path::new(config))?,
        None => match config.parse() {
            Ok(size) => Named {
                name: config.into(),
                config: size,
            },
            Err(_) => bail!(
                "--config {config}: {}, a size such as 16x32k8b2, or a file that ends in .toml",
                names().join(", ")
            ),
        },
    };
    if warps.is_some() || threads.is_some() || window.is_some() {
        named.config = with_window(
            warps.unwrap_or(named.config.warps),
            threads.unwrap_or(named.config.threads),
            window,
        );
        named.name = named.config.to_string();
    }
    if !what.0.has_window() {
        // It has no token window: all sizes that differ in nothing else are the same.
        named.config = with_window(named.config.warps, named.config.threads, None);
    }
    check(what, named.config).with_context(|| format!("--config {config}"))?;
    Ok(named)
}

/// The size with this window, or with the usual one for so many warps and threads. It may not be supported.
pub fn with_window(warps: usize, threads: usize, window: Option<Window>) -> Config {
    match window {
        Some(Window { front, back }) => Config::new(warps, threads, front, back),
        None => Config::with(warps, threads).unwrap_or(Config::new(warps, threads, 8, 2)),
    }
}

fn read(path: &Path) -> Result<Named> {
    let text =
        std::fs::read_to_string(path).with_context(|| format!("--config {}", path.display()))?;
    let file: File =
        toml::from_str(&text).with_context(|| format!("--config {}", path.display()))?;
    let name = path
        .file_stem()
        .map_or_else(|| "custom".into(), |s| s.to_string_lossy().into_owned());
    let usual = with_window(file.warps, file.threads, None);
    let (front, back) = (
        file.front.unwrap_or(usual.front),
        file.back.unwrap_or(usual.back),
    );
    Ok(Named {
        name,
        config: Config::new(file.warps, file.threads, front, back),
    })
}

fn check((unit, dual): What, config: Config) -> Result<()> {
    let variants = unit.variants();
    if variants.contains(&(config, dual)) {
        return Ok(());
    }
    if !variants.iter().any(|&(_, d)| d == dual) {
        let wide = |u: &Unit| u.variants().iter().any(|&(_, d)| d == dual);
        let wide: Vec<_> = Unit::ALL.into_iter().filter(wide).map(Unit::top).collect();
        bail!(
            "--dual: {} does not issue two instructions per cycle; {} can",
            unit.top(),
            wide.join(" and ")
        );
    }
    if unit == Unit::Control || unit == Unit::Convergence {
        let sizes: Vec<_> = variants.into_iter().map(|(config, _)| config).collect();
        bail!(
            "{config} cannot be generated; possible (WARPSxTHREADSkFRONTbBACK): {}",
            list(&sizes)
        );
    }
    Err(VerilogError::NoVariant(unit, config, dual).into())
}

/// `4x4k2b1, 4x8k4b2 …`
pub fn list(sizes: &[Config]) -> String {
    let all: Vec<_> = sizes.iter().map(Config::to_string).collect();
    all.join(", ")
}

fn names() -> Vec<&'static str> {
    Config::NAMED.iter().map(|n| n.0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONTROL: What = (Unit::Control, false);

    fn file(text: &str) -> Result<Named> {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("mine.toml");
        std::fs::write(&path, text).unwrap();
        choose(CONTROL, path.to_str().unwrap(), None, None, None)
    }

    #[test]
    fn names_sizes_and_overrides() {
        let chosen =
            |config: &str, threads, window| choose(CONTROL, config, None, threads, window).unwrap();
        assert_eq!(chosen("small", None, None).config, Config::new(8, 8, 4, 1));
        let wide = chosen("small", Some(32), None);
        assert_eq!(wide.name, "8x32k8b2");
        assert_eq!(wide.config, Config::new(8, 32, 8, 2));
        let short = Window { front: 2, back: 2 };
        assert_eq!(
            chosen("default", None, Some(short)).config,
            Config::new(16, 32, 2, 2)
        );
        assert_eq!(
            chosen("16x32k4b2", None, None).config,
            Config::new(16, 32, 4, 2)
        );
    }

    #[test]
    fn a_file_gives_a_size_and_nothing_else() {
        let mine = file("warps = 8\nthreads = 32\n").unwrap();
        assert_eq!(mine.name, "mine");
        assert_eq!(mine.config, Config::new(8, 32, 8, 2));
        let short = file("warps = 16\nthreads = 32\nfront = 2\nback = 2\n").unwrap();
        assert_eq!(short.config, Config::new(16, 32, 2, 2));
        for (text, complaint) in [
            ("warps = 16", "threads"),
            ("warps = 16\nthreads = 4\nlanes = 2\n", "lanes"),
            ("warps = 16\nthreads = \"4\"\n", "threads"),
            ("warps = 5\nthreads = 4\n", "5x4k8b2 cannot be generated"),
        ] {
            let error = format!("{:#}", file(text).unwrap_err());
            assert!(error.contains(complaint), "{error}");
            assert!(error.contains("mine.toml"), "{error}");
        }
    }

    #[test]
    fn an_unknown_name_lists_the_known_ones() {
        let error = choose(CONTROL, "huge", None, None, None)
            .unwrap_err()
            .to_string();
        assert!(error.contains("tiny, small, default, max"), "{error}");
    }

    #[test]
    fn every_unit_has_sizes_of_its_own() {
        let size = |unit, dual, config: &str| {
            choose((unit, dual), config, None, None, None)
                .map(|named| named.config.to_string())
                .map_err(|e| format!("{e:#}"))
        };
        let ok = |text: &str| Ok(text.to_string());
        assert_eq!(size(Unit::Core, true, "max"), ok("32x32k8b2"));
        assert_eq!(size(Unit::Scheduler, false, "64x32"), ok("64x32k8b2"));
        assert_eq!(size(Unit::Scheduler, true, "16x32k2b2"), ok("16x32k8b2"));
        for (unit, dual, config, complaint) in [
            (Unit::Core, false, "small", "weft_core does not come as 8x8k4b1; it comes as 4x4k4b2, 4x4k4b2 dual"),
            (Unit::Core, true, "16x32k2b2", "weft_core does not come as 16x32k2b2 dual"),
            (Unit::Scheduler, true, "64x32", "weft_scheduler does not come as 64x32k8b2 dual"),
            (Unit::Control, true, "default", "--dual: weft_control does not issue two instructions per cycle; weft_core and weft_scheduler can"),
            (Unit::Convergence, true, "default", "--dual: weft_convergence does not"),
            (Unit::Control, false, "64x32", "64x32k8b2 cannot be generated"),
        ] {
            let error = size(unit, dual, config).unwrap_err();
            assert!(error.contains(complaint), "{error}");
        }
    }
}
