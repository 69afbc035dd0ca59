//! `--config`: a size of the hardware, by name, written out, or from a file.

use crate::options::Window;
use anyhow::{bail, Context, Result};
use serde::Deserialize;
use std::path::Path;
use weft_hdl::{Config, SUPPORTED};

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

/// The size that `--config` names, with `--warps`, `--threads` and `--window` put in its place where they are given.
pub fn choose(
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
    check(named.config).with_context(|| format!("--config {config}"))?;
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

fn check(config: Config) -> Result<()> {
    if SUPPORTED.contains(&config) {
        return Ok(());
    }
    bail!(
        "{config} cannot be generated; possible (WARPSxTHREADSkFRONTbBACK): {}",
        list(SUPPORTED)
    )
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

    fn file(text: &str) -> Result<Named> {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("mine.toml");
        std::fs::write(&path, text).unwrap();
        choose(path.to_str().unwrap(), None, None, None)
    }

    #[test]
    fn names_sizes_and_overrides() {
        let chosen = |config: &str, threads, window| choose(config, None, threads, window).unwrap();
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
        let error = choose("huge", None, None, None).unwrap_err().to_string();
        assert!(error.contains("tiny, small, default, max"), "{error}");
    }
}
