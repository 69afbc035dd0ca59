//! A unit with its parameters, checked.

use crate::config::Config;
use crate::derived::derived;
use crate::sizes;
use crate::units::{Entry, Parameter, Unit, Values, BOARD};
use std::fmt::Write as _;

/// A unit, or the self-test of a board, with parameters that are possible.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Design {
    /// `None`: the self-test of a board.
    unit: Option<Unit>,
    top: String,
    values: Values,
}

/// Why there is no such design.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Impossible {
    #[error("{top} has no parameter {name}; it has {known}")]
    Unknown {
        top: &'static str,
        name: String,
        known: String,
    },
    #[error("{top}: {name} is missing")]
    Missing {
        top: &'static str,
        name: &'static str,
    },
    #[error("{top}: {name} = {value}: {name} must be {possible}")]
    Value {
        top: &'static str,
        name: &'static str,
        value: u64,
        possible: String,
    },
    #[error("{top}: {reason}")]
    Together { top: &'static str, reason: String },
}

impl Impossible {
    /// The parameter that is wrong, where it is one.
    pub fn parameter(&self) -> Option<&str> {
        match self {
            Impossible::Unknown { name, .. } => Some(name),
            Impossible::Missing { name, .. } | Impossible::Value { name, .. } => Some(name),
            Impossible::Together { .. } => None,
        }
    }
}

fn checked(entry: &'static Entry, given: &[(&str, u64)]) -> Result<Values, Impossible> {
    let top = entry.top;
    let mut values = Values::new();
    for &(name, value) in given {
        let found = entry.parameters.iter().find(|p| p.name == name);
        let parameter = found.ok_or_else(|| Impossible::Unknown {
            top,
            name: name.into(),
            known: list(entry.parameters.iter().map(|p| p.name)),
        })?;
        if !parameter.possible.allows(value) {
            return Err(Impossible::Value {
                top,
                name: parameter.name,
                value,
                possible: parameter.possible.to_string(),
            });
        }
        values.insert(parameter.name, value);
    }
    for p in entry.parameters {
        let missing = Impossible::Missing { top, name: p.name };
        let value = values.get(p.name).copied();
        let value = value.or_else(|| usual(p, &values)).ok_or(missing)?;
        values.insert(p.name, value);
    }
    for rule in entry.rules {
        rule(&values).map_err(|reason| Impossible::Together { top, reason })?;
    }
    Ok(values)
}

/// What a parameter is where it is not given. The token window and the partitions follow from warps and threads, if
/// these are there.
fn usual(parameter: &Parameter, values: &Values) -> Option<u64> {
    let (warps, threads) = (values.get("warps"), values.get("threads"));
    let window = || Some(Config::usual(*warps? as usize, *threads? as usize));
    match parameter.name {
        "front" => Some(window()?.front as u64),
        "back" => Some(window()?.back as u64),
        "partitions" => Some(usual_partitions(*warps? as usize) as u64),
        _ => parameter.usual,
    }
}

/// As few partitions as so many warps can be in.
pub fn usual_partitions(warps: usize) -> usize {
    warps.div_ceil(16)
}

fn list<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.collect::<Vec<_>>().join(", ")
}

impl Design {
    /// A unit with these parameters. What is left out has its usual value.
    ///
    /// # Errors
    /// What is impossible, and why.
    pub fn new(unit: Unit, parameters: &[(&str, u64)]) -> Result<Design, Impossible> {
        Ok(Design {
            unit: Some(unit),
            top: unit.top().into(),
            values: checked(unit.entry(), parameters)?,
        })
    }

    /// A unit in this size. One without a token window ignores that of the size.
    ///
    /// # Errors
    /// What is impossible, and why.
    pub fn of(unit: Unit, config: Config, dual: bool) -> Result<Design, Impossible> {
        let mut parameters = vec![
            ("warps", config.warps as u64),
            ("threads", config.threads as u64),
        ];
        if unit.has_window() {
            parameters.push(("front", config.front as u64));
            parameters.push(("back", config.back as u64));
        }
        if dual {
            parameters.push(("dual", 1));
        }
        Design::new(unit, &parameters)
    }

    /// The self-test of a board, with this top module.
    ///
    /// # Errors
    /// What is impossible, and why.
    pub fn board(top: &str, parameters: &[(&str, u64)]) -> Result<Design, Impossible> {
        Ok(Design {
            unit: None,
            top: top.into(),
            values: checked(&BOARD, parameters)?,
        })
    }

    /// The same with this before the names of all its modules, so that two sizes can stand in one design.
    pub fn with_prefix(self, prefix: &str) -> Design {
        let top = format!("{prefix}{}", self.top);
        Design { top, ..self }
    }

    pub fn unit(&self) -> Option<Unit> {
        self.unit
    }

    /// Name of the top module.
    pub fn top(&self) -> &str {
        &self.top
    }

    pub fn values(&self) -> &Values {
        &self.values
    }

    /// A parameter; 0 where there is none of that name.
    pub fn value(&self, name: &str) -> usize {
        self.values.get(name).map_or(0, |&v| v as usize)
    }

    /// A number that follows from the parameters, by its name in `derived.rs`; 0 where there is none of that name.
    pub fn number(&self, name: &str) -> usize {
        let found = derived(&self.values).into_iter().find(|(n, _)| *n == name);
        found.map_or(0, |(_, value)| value as usize)
    }

    /// Warps, threads and token window; without one, that of [`Config::usual`].
    pub fn config(&self) -> Config {
        let usual = Config::usual(self.value("warps"), self.value("threads"));
        match self.values.contains_key("front") {
            true => Config {
                front: self.value("front"),
                back: self.value("back"),
                ..usual
            },
            false => usual,
        }
    }

    /// Two instructions of a warp can go in one cycle.
    pub fn dual(&self) -> bool {
        self.value("dual") == 1
    }

    /// Warps, threads and token window in short: `16x32k8b2`, `4x64`.
    pub fn base(&self) -> String {
        match self.values.contains_key("front") {
            true => self.config().to_string(),
            false => format!("{}x{}", self.value("warps"), self.value("threads")),
        }
    }

    /// The other parameters, but for `dual`, that do not have their usual value.
    pub fn others(&self) -> Vec<(&'static str, u64)> {
        let base = ["warps", "threads", "front", "back", "dual"];
        let parameters = self.entry().parameters.iter();
        parameters
            .filter(|p| !base.contains(&p.name))
            .map(|p| (p.name, self.values[p.name], usual(p, &self.values)))
            .filter(|&(_, value, usual)| Some(value) != usual)
            .map(|(name, value, _)| (name, value))
            .collect()
    }

    fn entry(&self) -> &'static Entry {
        self.unit.map_or(&BOARD, Unit::entry)
    }

    /// Whether rust-hdl's own simulator can run it.
    pub fn simulated(&self) -> bool {
        self.entry().simulated
    }

    /// The size in short: `16x32k8b2d`, `4x64`, and further parameters that are not usual behind it: `16x32-lanes8`.
    pub fn size(&self) -> String {
        let mut text = self.base();
        if self.dual() {
            text.push('d');
        }
        for (name, value) in self.others() {
            let _ = write!(text, "-{name}{value}");
        }
        text
    }

    /// Top and size as one word, also for files: `weft_core-16x32k8b2d`.
    pub fn name(&self) -> String {
        format!("{}-{}", self.top, self.size())
    }

    /// Beginnings of the names of ports that are left away.
    pub(crate) fn hidden(&self) -> &'static [&'static str] {
        match self.values.get("trace") {
            Some(0) => self.entry().trace,
            _ => &[],
        }
    }

    /// The constants of the generated crate, and the expression that makes the block.
    pub(crate) fn source(&self) -> (String, String) {
        let mut constants = String::new();
        for (name, value) in self.values.iter().map(|(n, v)| (n.to_uppercase(), v)) {
            let _ = writeln!(constants, "const {name}: usize = {value};");
        }
        for (name, value) in derived(&self.values) {
            let _ = writeln!(constants, "const {name}: usize = {value};");
        }
        (constants, sizes::by_name(self.entry().block))
    }
}

impl std::fmt::Display for Design {
    /// `weft_core 16x32k8b2d`
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.top, self.size())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_named_configuration_exists_for_every_unit() {
        for &unit in Unit::ALL {
            for (name, config) in Config::NAMED {
                // A scheduler has 16 warps at most, and so have the SM and those of the GPU.
                let too_many =
                    [Unit::Gpu, Unit::Sm, Unit::Scheduler].contains(&unit) && config.warps > 16;
                let made = Design::of(unit, config, false);
                assert_eq!(made.is_err(), too_many, "{unit:?} {name}: {made:?}");
            }
        }
    }

    #[test]
    fn what_is_impossible_is_told_with_the_reason() {
        let error = |unit, parameters: &[(&str, u64)]| {
            Design::new(unit, parameters).unwrap_err().to_string()
        };
        let twelve = error(Unit::Control, &[("warps", 12), ("threads", 32)]);
        assert_eq!(
            twelve,
            "weft_control: warps = 12: warps must be a power of two from 2 to 32"
        );
        let front = error(Unit::Core, &[("warps", 4), ("threads", 4), ("front", 3)]);
        assert!(
            front.contains("front must be a power of two from 2 to 64"),
            "{front}"
        );
        let lanes = error(Unit::Masks, &[("warps", 4), ("threads", 4), ("lanes", 8)]);
        assert_eq!(
            lanes,
            "weft_masks has no parameter lanes; it has warps, threads"
        );
        let none = error(Unit::Masks, &[("warps", 4)]);
        assert_eq!(none, "weft_masks: threads is missing");
        let all = error(Unit::Barrier, &[("warps", 64), ("threads", 64)]);
        assert_eq!(
            all,
            "weft_barrier: warps x threads is 4096; it must be below 4096"
        );
        let dual = Design::of(Unit::Control, Config::usual(4, 4), true).unwrap_err();
        assert_eq!(dual.parameter(), Some("dual"));
    }

    #[test]
    fn a_prefix_is_in_the_name() {
        let design = Design::of(Unit::Masks, Config::usual(4, 4), false).unwrap();
        let other = design.clone().with_prefix("b_");
        assert_eq!(other.name(), "b_weft_masks-4x4");
        assert_ne!(design, other);
    }

    #[test]
    fn a_design_has_a_name_and_constants() {
        let parameters = [("warps", 16), ("threads", 32), ("dual", 1)];
        let core = Design::new(Unit::Core, &parameters).unwrap();
        assert_eq!(core.name(), "weft_core-16x32k8b2d");
        let (constants, block) = core.source();
        for line in [
            "const WARPS: usize = 16;",
            "const DUAL: usize = 1;",
            "const TAG_BITS: usize = 8;",
            "const THREAD_COUNT_BITS: usize = 6;",
        ] {
            assert!(constants.contains(line), "{line}: {constants}");
        }
        assert!(block.starts_with("hdl::warp::core::Core::<"));
        let masks = Design::of(Unit::Masks, Config::new(4, 64, 2, 1), false).unwrap();
        assert_eq!(masks.to_string(), "weft_masks 4x64");
    }
}
