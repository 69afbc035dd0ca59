//! `--config`: a size of the hardware, by name, written out, or from a file.

use crate::options::Window;
use anyhow::{bail, ensure, Context, Result};
use serde::Deserialize;
use std::path::Path;
use toml::Spanned;
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
    warps: Spanned<i64>,
    threads: Spanned<i64>,
    partitions: Option<Spanned<i64>>,
    front: Option<Spanned<i64>>,
    back: Option<Spanned<i64>>,
}

/// What each key may be, whatever the unit. Which of the combinations are built, [`check`] says.
const WARPS: &[i64] = &[4, 8, 16, 32, 64];
const THREADS: &[i64] = &[4, 8, 16, 32, 64];
const PARTITIONS: &[i64] = &[1, 2, 4];
const FRONT: &[i64] = &[2, 4, 8, 16, 64];
const BACK: &[i64] = &[1, 2, 4];
/// Said where a file is not understood at all.
const KEYS: &str =
    "a file has the keys warps and threads, may have partitions, front and back, and no others; each is a number";

/// A unit, and whether two instructions of a warp can go in one cycle.
pub type What = (Unit, bool);

/// What a unit of this size is called in reports.
pub fn title((unit, dual): What, config: Config) -> String {
    let dual = if dual { "-dual" } else { "" };
    format!("{}-{}{dual}", unit.top(), unit.size(config))
}

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
        let partitions = named.config.partitions;
        named.config = with_window(
            warps.unwrap_or(named.config.warps),
            threads.unwrap_or(named.config.threads),
            window,
        )
        .in_partitions(partitions);
        named.name = named.config.to_string();
    }
    let Config {
        partitions,
        level_bits,
        ..
    } = named.config;
    if !what.0.has_window() {
        // It has no token window: all sizes that differ in nothing else are the same.
        named.config = with_window(named.config.warps, named.config.threads, None);
    }
    // At most 16 warps are a partition; only a core has several.
    named.config = named
        .config
        .with_level_bits(level_bits)
        .in_partitions(match what.0 {
            Unit::Core => partitions.max(named.config.warps.div_ceil(16)),
            _ => 1,
        });
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

/// A file, with the place of each complaint as `FILE:LINE`.
fn read(path: &Path) -> Result<Named> {
    let shown = path.display();
    let text = std::fs::read_to_string(path).with_context(|| format!("--config {shown}"))?;
    let place = |at: usize| {
        let before = text.get(..at).unwrap_or(&text);
        format!("--config {shown}:{}", before.matches('\n').count() + 1)
    };
    let file: File = match toml::from_str(&text) {
        Ok(file) => file,
        Err(error) => {
            let message = error.message().trim().replace('\n', ", ");
            bail!(
                "{}: {message}; {KEYS}",
                place(error.span().map_or(0, |span| span.start))
            )
        }
    };
    let number = |key: &str, value: &Spanned<i64>, possible: &[i64]| {
        let list: Vec<_> = possible.iter().map(i64::to_string).collect();
        ensure!(
            possible.contains(value.get_ref()),
            "{}: {key} = {} is not possible; {key} can be {}",
            place(value.span().start),
            value.get_ref(),
            list.join(", ")
        );
        Ok(usize::try_from(*value.get_ref())?)
    };
    let warps = number("warps", &file.warps, WARPS)?;
    let threads = number("threads", &file.threads, THREADS)?;
    let usual = with_window(warps, threads, None);
    let or_usual = |key, value: &Option<Spanned<i64>>, possible, usual| match value {
        Some(value) => number(key, value, possible),
        None => Ok(usual),
    };
    let front = or_usual("front", &file.front, FRONT, usual.front)?;
    let back = or_usual("back", &file.back, BACK, usual.back)?;
    let partitions = or_usual("partitions", &file.partitions, PARTITIONS, 1)?;
    let name = path
        .file_stem()
        .map_or_else(|| "custom".into(), |s| s.to_string_lossy().into_owned());
    Ok(Named {
        name,
        config: Config::new(warps, threads, front, back).in_partitions(partitions),
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
            "--dual: {} does not issue two instructions of one warp per cycle; {} can",
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
        let commented = file("# of mine\nwarps = 4 # few\nthreads = 64\n").unwrap();
        assert_eq!(commented.config, Config::new(4, 64, 8, 2));
    }

    /// Each complaint has the line, what is wrong there, and what would be right.
    #[test]
    fn a_wrong_file_is_told_where_and_what_is_possible() {
        let keys = "warps and threads, may have partitions, front and back";
        for (text, line, complaint, advice) in [
            ("warps = 16", "1", "missing field `threads`", keys),
            (
                "warps = 16\nthreads = 4\n\nlanes = 2\n",
                "4",
                "unknown field `lanes`",
                keys,
            ),
            ("warps = 16\nthreads = \"4\"\n", "2", "string", keys),
            ("warps = 16\nthreads = 4.5\n", "2", "float", keys),
            ("warps = 16\nthreads 4\n", "2", "expected", keys),
            (
                "warps = 8\nwarps = 16\nthreads = 4\n",
                "2",
                "duplicate key",
                keys,
            ),
            (
                "# odd\nwarps = 5\nthreads = 4\n",
                "2",
                "warps = 5 is not possible",
                "warps can be 4, 8, 16, 32, 64",
            ),
            (
                "warps = 4\nthreads = -4\n",
                "2",
                "threads = -4 is not possible",
                "threads can be 4, 8, 16, 32, 64",
            ),
            (
                "warps = 4\nthreads = 4\nfront = 3\n",
                "3",
                "front = 3 is not possible",
                "front can be 2, 4, 8, 16, 64",
            ),
            (
                "warps = 4\nthreads = 4\n\nback = 8\n",
                "4",
                "back = 8 is not possible",
                "back can be 1, 2, 4",
            ),
        ] {
            let error = format!("{:#}", file(text).unwrap_err());
            let place = format!("mine.toml:{line}: ");
            assert!(error.contains(&place), "{text}: no {place} in {error}");
            assert!(error.contains(complaint), "{text}: {error}");
            assert!(error.contains(advice), "{text}: {error}");
            assert_eq!(error.lines().count(), 1, "{error}");
        }
        // Every number is possible, the combination is not built.
        let error = format!("{:#}", file("warps = 32\nthreads = 64\n").unwrap_err());
        assert!(
            error.contains("mine.toml: 32x64k8b2 cannot be generated; possible")
                && error.contains("4x64k8b2"),
            "{error}"
        );
        let nowhere = choose(CONTROL, "/nowhere/x.toml", None, None, None).unwrap_err();
        assert!(format!("{nowhere:#}").contains("/nowhere/x.toml"));
    }

    /// The lists of numbers hold every size that can be generated.
    #[test]
    fn what_is_built_is_possible() {
        for unit in Unit::ALL {
            for (config, _) in unit.variants() {
                let in_list = |list: &[i64], n: usize| list.contains(&(n as i64));
                assert!(
                    in_list(WARPS, config.warps)
                        && in_list(THREADS, config.threads)
                        && in_list(FRONT, config.front)
                        && in_list(BACK, config.back),
                    "{config}"
                );
            }
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
        assert_eq!(size(Unit::Core, false, "max"), ok("2x16x32k8b2"));
        assert_eq!(size(Unit::Core, false, "4x16x32"), ok("4x16x32k8b2"));
        assert_eq!(size(Unit::Scheduler, true, "16x4l6"), ok("16x4k8b2l6"));
        assert_eq!(size(Unit::Scheduler, true, "16x32k2b2"), ok("16x32k8b2"));
        for (unit, dual, config, complaint) in [
            (Unit::Core, false, "small", "weft_core does not come as 8x8k4b1; it comes as 4x4k4b2, 4x4k4b2 dual"),
            (Unit::Core, true, "16x32k2b2", "weft_core does not come as 16x32k2b2 dual"),
            (Unit::Scheduler, true, "8x32", "weft_scheduler does not come as 8x32k8b2 dual"),
            (Unit::Control, true, "default", "--dual: weft_control does not issue two instructions of one warp per cycle; weft_core and weft_scheduler can"),
            (Unit::Convergence, true, "default", "--dual: weft_convergence does not"),
            (Unit::Control, false, "64x32", "64x32k8b2 cannot be generated"),
        ] {
            let error = size(unit, dual, config).unwrap_err();
            assert!(error.contains(complaint), "{error}");
        }
    }
}
