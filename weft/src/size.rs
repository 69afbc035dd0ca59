//! `--config`: a size of the hardware, by name or from a file.

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
}

/// The size that `--config` names, with `--warps` and `--threads` put in its place where they are given.
pub fn choose(config: &str, warps: Option<usize>, threads: Option<usize>) -> Result<Named> {
    let mut named = match Config::NAMED.iter().find(|(name, _)| *name == config) {
        Some(&(name, config)) => Named {
            name: name.into(),
            config,
        },
        None if config.ends_with(".toml") => read(Path::new(config))?,
        None => bail!(
            "--config {config}: {} or a file that ends in .toml",
            names().join(", ")
        ),
    };
    if warps.is_some() || threads.is_some() {
        named.config.warps = warps.unwrap_or(named.config.warps);
        named.config.threads = threads.unwrap_or(named.config.threads);
        named.name = format!("{}x{}", named.config.warps, named.config.threads);
    }
    check(named.config).with_context(|| format!("--config {config}"))?;
    Ok(named)
}

fn read(path: &Path) -> Result<Named> {
    let text =
        std::fs::read_to_string(path).with_context(|| format!("--config {}", path.display()))?;
    let file: File =
        toml::from_str(&text).with_context(|| format!("--config {}", path.display()))?;
    let name = path
        .file_stem()
        .map_or_else(|| "custom".into(), |s| s.to_string_lossy().into_owned());
    Ok(Named {
        name,
        config: Config {
            warps: file.warps,
            threads: file.threads,
        },
    })
}

fn check(config: Config) -> Result<()> {
    if SUPPORTED.contains(&config) {
        return Ok(());
    }
    bail!(
        "{} warps x {} threads cannot be generated; possible (warps x threads): {}",
        config.warps,
        config.threads,
        list(SUPPORTED)
    )
}

/// `4x4, 4x8 …`
pub fn list(sizes: &[Config]) -> String {
    let all: Vec<_> = sizes
        .iter()
        .map(|c| format!("{}x{}", c.warps, c.threads))
        .collect();
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
        choose(path.to_str().unwrap(), None, None)
    }

    #[test]
    fn names_and_overrides() {
        assert_eq!(
            choose("small", None, None).unwrap().config,
            Config {
                warps: 8,
                threads: 8
            }
        );
        let wide = choose("small", None, Some(32)).unwrap();
        assert_eq!(
            wide,
            Named {
                name: "8x32".into(),
                config: Config {
                    warps: 8,
                    threads: 32
                }
            }
        );
    }

    #[test]
    fn a_file_gives_a_size_and_nothing_else() {
        let mine = file("warps = 8\nthreads = 32\n").unwrap();
        assert_eq!(
            mine,
            Named {
                name: "mine".into(),
                config: Config {
                    warps: 8,
                    threads: 32
                }
            }
        );
        for (text, complaint) in [
            ("warps = 16", "threads"),
            ("warps = 16\nthreads = 4\nlanes = 2\n", "lanes"),
            ("warps = 16\nthreads = \"4\"\n", "threads"),
            (
                "warps = 5\nthreads = 4\n",
                "5 warps x 4 threads cannot be generated",
            ),
        ] {
            let error = format!("{:#}", file(text).unwrap_err());
            assert!(error.contains(complaint), "{error}");
            assert!(error.contains("mine.toml"), "{error}");
        }
    }

    #[test]
    fn an_unknown_name_lists_the_known_ones() {
        let error = choose("huge", None, None).unwrap_err().to_string();
        assert!(error.contains("tiny, small, default, max"), "{error}");
    }
}
