//! `--config`: a size of the hardware, by name, written out, or from a file; and `--set` for single parameters.

use crate::options::Window;
use anyhow::{bail, Context, Result};
use std::collections::BTreeMap;
use std::path::Path;
use toml::Spanned;
use weft_generate::{Config, Design, Impossible, Unit};

/// Name of the configuration, or the file's name without its extension, and what is meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    pub name: String,
    pub design: Design,
}

/// What is asked for beside `--config`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Overrides<'a> {
    pub dual: bool,
    pub warps: Option<usize>,
    pub threads: Option<usize>,
    pub window: Option<Window>,
    /// `--set KEY=VALUE`
    pub set: &'a [(String, u64)],
    /// What parameters are that are not given, where it is not what they usually are.
    pub otherwise: &'a [(&'static str, u64)],
}

/// A value, and the line of a file where it stands.
type Values = BTreeMap<String, (i64, Option<usize>)>;

/// What a unit of this size is called in reports.
pub fn title(design: &Design) -> String {
    let dual = if design.dual() { "-dual" } else { "" };
    let others = design.others().into_iter();
    let others: String = others
        .map(|(name, value)| format!("-{name}{value}"))
        .collect();
    format!("{}-{}{dual}{others}", design.top(), design.base())
}

/// The design that `--config` names, with what is given beside it put in its place.
///
/// # Errors
/// There is no such configuration, or it is impossible: with the reason, and the line of a file.
pub fn choose(unit: Unit, config: &str, given: Overrides) -> Result<Named> {
    let place = format!("--config {config}");
    let (mut name, mut values) = named(unit, config)?;
    let mut put = |key: &str, value: u64| {
        values.insert(key.into(), (i64::try_from(value).unwrap_or(i64::MAX), None));
    };
    let size = given.warps.is_some() || given.threads.is_some();
    for (key, value) in [("warps", given.warps), ("threads", given.threads)] {
        if let Some(value) = value {
            put(key, value as u64);
        }
    }
    if let Some(Window { front, back }) = given.window {
        put("front", front as u64);
        put("back", back as u64);
    }
    for (key, value) in given.set {
        put(key, *value);
    }
    if size && given.window.is_none() {
        // The usual window of the new size.
        values.retain(|key, _| !["front", "back"].contains(&key.as_str()));
    }
    if given.dual {
        if !unit.has_dual() {
            let wide = Unit::ALL.iter().filter(|u| u.has_dual());
            let wide: Vec<_> = wide.map(|u| u.top()).collect();
            bail!(
                "--dual: {} does not issue two instructions of one warp per cycle; {} can",
                unit.top(),
                wide.join(" and ")
            );
        }
        values.insert("dual".into(), (1, None));
    }
    for (key, value) in given.otherwise {
        if unit.parameter(key).is_some() {
            let value = (i64::try_from(*value).unwrap_or(i64::MAX), None);
            values.entry((*key).into()).or_insert(value);
        }
    }
    let design = design(unit, &values, &place)?;
    if size || given.window.is_some() || !given.set.is_empty() {
        name = design.size();
    }
    Ok(Named { name, design })
}

/// With the window, or with the usual one of so many warps and threads. It may be impossible.
pub fn with_window(warps: usize, threads: usize, window: Option<Window>) -> Config {
    match window {
        Some(Window { front, back }) => Config::new(warps, threads, front, back),
        None => Config::usual(warps, threads),
    }
}

fn named(unit: Unit, config: &str) -> Result<(String, Values)> {
    if config.ends_with(".toml") {
        return read(Path::new(config));
    }
    let (name, size) = match Config::NAMED.iter().find(|(name, _)| *name == config) {
        Some((name, size)) => (*name, *size),
        None => match config.parse() {
            Ok(size) => (config, size),
            Err(_) => bail!(
                "--config {config}: {}, a size such as 16x32k8b2, or a file that ends in .toml",
                names().join(", ")
            ),
        },
    };
    let mut values = Values::new();
    for (key, value) in [
        ("warps", size.warps),
        ("threads", size.threads),
        ("front", size.front),
        ("back", size.back),
    ] {
        // A unit without a token window takes no notice of that of a size.
        if unit.parameter(key).is_some() {
            values.insert(key.into(), (value as i64, None));
        }
    }
    Ok((name.into(), values))
}

/// A file: a number for each parameter. Each complaint has its place as `FILE:LINE`.
fn read(path: &Path) -> Result<(String, Values)> {
    let shown = path.display();
    let text = weft_isa::files::read_text(path).with_context(|| format!("--config {shown}"))?;
    let line = |at: usize| text.get(..at).unwrap_or(&text).matches('\n').count() + 1;
    let file: BTreeMap<String, Spanned<i64>> = match toml::from_str(&text) {
        Ok(file) => file,
        Err(error) => {
            let message = error.message().trim().replace('\n', ", ");
            bail!(
                "--config {shown}:{}: {message}; a file has a line such as warps = 16 for each parameter",
                line(error.span().map_or(0, |span| span.start))
            )
        }
    };
    let entry = |(key, value): (String, Spanned<i64>)| {
        let line = line(value.span().start);
        (key, (value.into_inner(), Some(line)))
    };
    let name = path
        .file_stem()
        .map_or_else(|| "custom".into(), |s| s.to_string_lossy().into_owned());
    Ok((name, file.into_iter().map(entry).collect()))
}

fn design(unit: Unit, values: &Values, place: &str) -> Result<Design> {
    let at = |name: &str| match values.get(name) {
        Some((_, Some(line))) => format!("{place}:{line}"),
        _ => place.to_string(),
    };
    let mut given = Vec::new();
    for (key, (value, _)) in values {
        match u64::try_from(*value) {
            Ok(value) => given.push((key.as_str(), value)),
            Err(_) => {
                let possible = unit.parameter(key).map(|p| p.possible.to_string());
                let possible = possible.unwrap_or_else(|| "left out".into());
                bail!("{}: {key} = {value}: {key} must be {possible}", at(key))
            }
        }
    }
    let told = |error: Impossible| {
        let place = at(error.parameter().unwrap_or_default());
        anyhow::anyhow!("{place}: {error}")
    };
    Design::new(unit, &given).map_err(told)
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
        choose(Unit::Control, path.to_str().unwrap(), Overrides::default())
    }

    #[test]
    fn names_sizes_and_overrides() {
        let chosen = |config: &str, threads, window| {
            let given = Overrides {
                threads,
                window,
                ..Overrides::default()
            };
            choose(Unit::Control, config, given).unwrap()
        };
        let small = chosen("small", None, None);
        assert_eq!(
            (small.name.as_str(), small.design.config()),
            ("small", Config::new(8, 8, 4, 1))
        );
        let wide = chosen("small", Some(32), None);
        assert_eq!(wide.name, "8x32k8b2");
        assert_eq!(wide.design.config(), Config::new(8, 32, 8, 2));
        let short = Window { front: 2, back: 2 };
        assert_eq!(
            chosen("default", None, Some(short)).design.config(),
            Config::new(16, 32, 2, 2)
        );
        assert_eq!(
            chosen("16x32k4b2", None, None).design.config(),
            Config::new(16, 32, 4, 2)
        );
        let set = [("front".to_string(), 16)];
        let given = Overrides {
            set: &set,
            ..Overrides::default()
        };
        let deep = choose(Unit::Control, "tiny", given).unwrap();
        assert_eq!(deep.name, "4x4k16b2");
    }

    #[test]
    fn a_file_gives_a_size_and_nothing_else() {
        let mine = file("warps = 8\nthreads = 32\n").unwrap();
        assert_eq!(mine.name, "mine");
        assert_eq!(mine.design.config(), Config::new(8, 32, 8, 2));
        let short = file("warps = 16\nthreads = 32\nfront = 2\nback = 2\n").unwrap();
        assert_eq!(short.design.config(), Config::new(16, 32, 2, 2));
        let commented = file("# of mine\nwarps = 4 # few\nthreads = 64\n").unwrap();
        assert_eq!(commented.design.config(), Config::new(4, 64, 8, 2));
        // Never built before; nothing keeps it from being built.
        let rare = file("warps = 32\nthreads = 64\nfront = 32\n").unwrap();
        assert_eq!(rare.design.config(), Config::new(32, 64, 32, 2));
    }

    /// Each complaint has the line, what is wrong there, and what would be right.
    #[test]
    fn a_wrong_file_is_told_where_and_what_is_possible() {
        let lines = "a file has a line such as warps = 16 for each parameter";
        for (text, line, complaint, advice) in [
            ("warps = 16\nthreads = \"4\"\n", ":2", "string", lines),
            ("warps = 16\nthreads = 4.5\n", ":2", "float", lines),
            ("warps = 16\nthreads 4\n", ":2", "expected", lines),
            (
                "warps = 8\nwarps = 16\nthreads = 4\n",
                ":2",
                "duplicate key",
                lines,
            ),
            ("warps = 16", "", "threads is missing", ""),
            (
                "warps = 16\nthreads = 4\n\nlanes = 2\n",
                ":4",
                "weft_control has no parameter lanes",
                "it has warps, threads, front, back",
            ),
            (
                "# odd\nwarps = 5\nthreads = 4\n",
                ":2",
                "warps = 5",
                "warps must be a power of two from 2 to 32",
            ),
            (
                "warps = 4\nthreads = -4\n",
                ":2",
                "threads = -4",
                "threads must be a power of two from 4 to 64",
            ),
            (
                "warps = 4\nthreads = 4\nfront = 3\n",
                ":3",
                "front = 3",
                "front must be a power of two from 2 to 64",
            ),
            (
                "warps = 4\nthreads = 4\n\nback = 8\n",
                ":4",
                "back = 8",
                "back must be a power of two from 1 to 4",
            ),
        ] {
            let error = format!("{:#}", file(text).unwrap_err());
            let place = format!("mine.toml{line}: ");
            assert!(error.contains(&place), "{text}: no {place} in {error}");
            assert!(error.contains(complaint), "{text}: {error}");
            assert!(error.contains(advice), "{text}: {error}");
            assert_eq!(error.lines().count(), 1, "{error}");
        }
        let nowhere = choose(Unit::Control, "/nowhere/x.toml", Overrides::default()).unwrap_err();
        assert!(format!("{nowhere:#}").contains("/nowhere/x.toml"));
    }

    #[test]
    fn an_unknown_name_lists_the_known_ones() {
        let error = choose(Unit::Control, "huge", Overrides::default())
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("tiny, compact, small, default, max"),
            "{error}"
        );
    }

    #[test]
    fn every_unit_has_sizes_of_its_own() {
        let size = |unit, dual, config: &str| {
            let given = Overrides {
                dual,
                ..Overrides::default()
            };
            choose(unit, config, given)
                .map(|named| named.design.size())
                .map_err(|e| format!("{e:#}"))
        };
        let ok = |text: &str| Ok(text.to_string());
        assert_eq!(size(Unit::Core, true, "max"), ok("32x32k8b2d"));
        assert_eq!(size(Unit::Core, false, "64x32"), ok("64x32k8b2"));
        assert_eq!(size(Unit::Core, false, "small"), ok("8x8k4b1"));
        assert_eq!(size(Unit::Scheduler, true, "16x32k2b2"), ok("16x32d"));
        for (unit, dual, config, complaint) in [
            (Unit::Control, false, "12x32", "--config 12x32: weft_control: warps = 12: warps must be a power of two from"),
            (Unit::Control, true, "default", "--dual: weft_control does not issue two instructions of one warp per cycle; weft_core and weft_scheduler can"),
            (Unit::Scheduler, false, "max", "weft_scheduler: warps = 32: warps must be a power of two from 4 to 16"),
            (Unit::Barrier, false, "64x64", "warps x threads is 4096; it must be below 4096"),
        ] {
            let error = size(unit, dual, config).unwrap_err();
            assert!(error.contains(complaint), "{error}");
        }
    }
}
