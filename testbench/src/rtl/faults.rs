//! Deliberately broken copies of units, for the tests that must notice them.
//!
//! They are data, `testbench/faults/*.toml`: one file per design, which says what the copies are made of.
//! A change names a signal of the exported Verilog and what drives it instead, or a condition and what it is instead.
//! A copy is made when it is opened by its name.

use super::error::{DutError, RtlKind};
use super::library::{prepare, Wanted};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::LazyLock;
use weft_generate::{Config, Design, Unit};

/// The size that the fault models are made of: the smallest window, so that every job of the memory port is common.
pub const FAULT_SIZE: Config = Config::new(4, 4, 4, 2);

/// One deliberate defect.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fault {
    pub name: String,
    /// What goes wrong, in words of the specification.
    pub breaks: String,
    #[serde(rename = "change")]
    pub changes: Vec<Change>,
}

/// What is different in one module.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize)]
pub struct Change {
    pub module: String,
    #[serde(flatten)]
    pub place: Place,
    /// How many places there must be in the module; anything else is an error.
    #[serde(default = "once")]
    pub times: usize,
}

/// In what is put there, `{}` stands for what was there.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(untagged)]
pub enum Place {
    /// An assignment to a signal; of several the one with the right side `was`.
    Driver {
        signal: String,
        was: Option<String>,
        becomes: String,
    },
    /// What an `if` asks.
    Condition { condition: String, becomes: String },
    /// Any text, where neither is there.
    Text { find: String, replace: String },
}

fn once() -> usize {
    1
}

/// A file of broken copies.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Copies {
    unit: String,
    /// Those of the design that they are made of.
    parameters: BTreeMap<String, u64>,
    fault: Vec<Fault>,
}

macro_rules! files {
    ($($name:literal)*) => {
        [$(($name, include_str!(concat!("../../faults/", $name, ".toml")))),*]
    };
}

const FILES: [(&str, &str); 13] = files!(
    "control" "scheduler" "core" "core_partitions" "barrier" "wavefront" "host" "tasks" "sm" "sm_passes" "sm_rows" "gpu"
    "gpu_atomics"
);

static ALL: LazyLock<Vec<(Design, Vec<Fault>)>> = LazyLock::new(|| {
    let read = |(name, text): &(&str, &str)| {
        let copies: Copies =
            toml::from_str(text).unwrap_or_else(|e| panic!("testbench/faults/{name}.toml: {e}"));
        let unit = Unit::named(&copies.unit);
        let unit = unit.unwrap_or_else(|| panic!("testbench/faults/{name}.toml: no such unit"));
        let parameters = copies.parameters.iter().map(|(n, v)| (n.as_str(), *v));
        let design = Design::new(unit, &parameters.collect::<Vec<_>>());
        let design = design.unwrap_or_else(|e| panic!("testbench/faults/{name}.toml: {e}"));
        (design, copies.fault)
    };
    FILES.iter().map(read).collect()
});

/// Every broken copy of a unit with its design.
pub fn of(unit: Unit) -> Vec<(Design, &'static Fault)> {
    let lists = ALL.iter().filter(|(design, _)| design.unit() == Some(unit));
    lists
        .flat_map(|(design, faults)| faults.iter().map(move |f| (design.clone(), f)))
        .collect()
}

/// Of these copies those that the environment variable names, with commas between, or `all`; `usual` without it.
///
/// # Panics
/// One of the names is nobody's.
pub fn chosen(
    mut copies: Vec<(Design, &'static Fault)>,
    variable: &str,
    usual: &str,
) -> Vec<(Design, &'static Fault)> {
    let chosen = std::env::var(variable).unwrap_or_else(|_| usual.into());
    let names: Vec<_> = chosen.split(',').filter(|name| !name.is_empty()).collect();
    if names != ["all"] {
        for name in &names {
            let known = copies.iter().any(|(_, fault)| fault.name == *name);
            assert!(known, "{variable}: there is no fault `{name}`");
        }
        copies.retain(|(_, fault)| names.contains(&fault.name.as_str()));
    }
    copies
}

/// As [`of`], and all of them are made, on all processors: for tests that open one after the other.
///
/// # Errors
/// One that cannot be made.
pub fn prepared(unit: Unit) -> Result<Vec<(Design, &'static Fault)>, DutError> {
    prepare_these(of(unit))
}

/// Makes these, on all processors.
///
/// # Errors
/// One that cannot be made.
pub fn prepare_these(
    all: Vec<(Design, &'static Fault)>,
) -> Result<Vec<(Design, &'static Fault)>, DutError> {
    let wanted = |(design, fault): &(Design, &'static Fault)| Wanted {
        kind: RtlKind::Verilated,
        design: design.clone(),
        fault: Some(*fault),
        waves: false,
    };
    prepare(&all.iter().map(wanted).collect::<Vec<_>>())?;
    Ok(all)
}

/// The broken copy of this name of a design.
pub fn find(design: &Design, name: &str) -> Option<&'static Fault> {
    let all = of(design.unit()?).into_iter();
    let mut alike = all.filter(|(of, fault)| of == design && fault.name == name);
    alike.next().map(|(_, fault)| fault)
}

/// The Verilog with the fault's changes; every one must fit exactly as often as it says.
///
/// # Errors
/// The first change that does not.
pub fn break_on_purpose(fault: &Fault, verilog: &str) -> Result<String, String> {
    let mut text = verilog.to_string();
    for change in &fault.changes {
        let Fault { name, .. } = fault;
        let Change { module, times, .. } = change;
        let range = module_of(&text, module)
            .ok_or_else(|| format!("fault `{name}`: the Verilog has no module `{module}`"))?;
        let body = &text[range.clone()];
        let (what, places, becomes) = change.place.in_module(body);
        if places.len() != *times {
            return Err(format!(
                "fault `{name}`: {what} is {} times in module `{module}`, not {times}; adapt testbench/faults to the \
                 new Verilog",
                places.len()
            ));
        }
        let mut broken = body.to_string();
        for place in places.into_iter().rev() {
            let becomes = becomes.replace("{}", &body[place.clone()]);
            broken.replace_range(place, &becomes);
        }
        text.replace_range(range, &broken);
    }
    Ok(text)
}

impl Place {
    /// In words, where it is in a module, and what comes there.
    fn in_module(&self, body: &str) -> (String, Vec<Range<usize>>, &str) {
        let all = |text: &str| {
            body.match_indices(text)
                .map(|(at, _)| at)
                .collect::<Vec<_>>()
        };
        match self {
            Place::Driver {
                signal,
                was,
                becomes,
            } => {
                let mut places = right_sides(body, signal);
                let mut what = format!("an assignment to `{signal}`");
                if let Some(was) = was {
                    places.retain(|place| body[place.clone()] == **was);
                    what += &format!(" of `{was}`");
                }
                (what, places, becomes)
            }
            Place::Condition { condition, becomes } => {
                let places = all(&format!("if ({condition}) begin")).into_iter();
                let places = places.map(|at| at + 4..at + 4 + condition.len());
                (
                    format!("the condition `{condition}`"),
                    places.collect(),
                    becomes,
                )
            }
            Place::Text { find, replace } => {
                let places = all(find).into_iter().map(|at| at..at + find.len());
                (format!("`{find}`"), places.collect(), replace)
            }
        }
    }
}

/// The right sides of all assignments to a signal; the exporter begins each on a line of its own.
fn right_sides(body: &str, signal: &str) -> Vec<Range<usize>> {
    let mut places = Vec::new();
    let mut at = 0;
    for line in body.split_inclusive('\n') {
        let statement = line.trim_start();
        let target = statement.strip_prefix("assign ").unwrap_or(statement);
        let right = target.strip_prefix(signal).and_then(|rest| {
            rest.strip_prefix(" = ")
                .or_else(|| rest.strip_prefix(" <= "))
        });
        if let Some(right) = right {
            let start = at + line.len() - right.len();
            if let Some(length) = body[start..].find(';') {
                places.push(start..start + length);
            }
        }
        at += line.len();
    }
    places
}

/// From `module NAME` to its `endmodule`.
fn module_of(text: &str, name: &str) -> Option<Range<usize>> {
    let mut from = 0;
    while let Some(at) = text[from..].find("module ") {
        let start = from + at;
        let rest = &text[start + "module ".len()..];
        let ends_line = text[..start]
            .chars()
            .next_back()
            .is_none_or(char::is_whitespace);
        if ends_line
            && rest
                .trim_start()
                .strip_prefix(name)
                .is_some_and(|r| r.starts_with(['(', ';', ' ', '\n', '#']))
        {
            let end = start + text[start..].find("endmodule")?;
            return Some(start..end);
        }
        from = start + "module ".len();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const VERILOG: &str = "module a(x);\n  assign y = b <= c;\n  y_2 = x;\nendmodule\n\
        module ab(x);\n    always @(*) begin\n        y = x;\n        if (x & z) begin\n            y = z\n                + 1;\n\
        \x20       end\n    end\n    q <= d;\nendmodule\n";

    fn broken(change: &str) -> Result<String, String> {
        let fault = format!("name = 'f'\nbreaks = 'all'\n[[change]]\n{change}");
        break_on_purpose(&toml::from_str(&fault).expect("a fault"), VERILOG)
    }

    #[test]
    fn a_signal_is_driven_otherwise() {
        let other = |from, to| VERILOG.replace(from, to);
        let only = broken("module = 'a'\nsignal = 'y'\nbecomes = '~({})'");
        assert_eq!(only.unwrap(), other("b <= c", "~(b <= c)"));
        let one = broken("module = 'ab'\nsignal = 'y'\nwas = 'x'\nbecomes = '0'");
        assert_eq!(one.unwrap(), other("        y = x;", "        y = 0;"));
        let register = broken("module = 'ab'\nsignal = 'q'\nbecomes = '{}[0]'");
        assert_eq!(register.unwrap(), other("q <= d;", "q <= d[0];"));
        let condition = broken("module = 'ab'\ncondition = 'x & z'\nbecomes = 'x'");
        assert_eq!(condition.unwrap(), other("x & z", "x"));
        let text = broken("module = 'ab'\nfind = 'y = '\nreplace = 'v = '\ntimes = 2");
        assert_eq!(text.unwrap().matches("v = ").count(), 2);
    }

    #[test]
    fn what_does_not_fit_is_told() {
        for (change, says) in [
            (
                "module = 'abc'\nsignal = 'y'\nbecomes = '0'",
                "no module `abc`",
            ),
            (
                "module = 'ab'\nsignal = 'y'\nbecomes = '0'",
                "an assignment to `y` is 2 times in module `ab`, not 1",
            ),
            (
                "module = 'a'\nsignal = 'b'\nbecomes = '0'",
                "an assignment to `b` is 0 times",
            ),
            (
                "module = 'ab'\nsignal = 'y'\nwas = 'z'\nbecomes = '0'",
                "an assignment to `y` of `z` is 0 times",
            ),
            (
                "module = 'ab'\ncondition = 'x'\nbecomes = '0'",
                "the condition `x` is 0 times",
            ),
        ] {
            let error = broken(change).expect_err(change);
            assert!(error.contains(says), "{error}");
        }
    }

    #[test]
    fn names_are_unique_in_their_file() {
        for (design, faults) in ALL.iter() {
            let names: std::collections::BTreeSet<_> = faults.iter().map(|f| &f.name).collect();
            assert_eq!(names.len(), faults.len(), "{design}");
        }
    }
}
