//! Deliberately broken copies of units, for the tests that must notice them.
//!
//! They are data, `testbench/faults/*.toml`: one file per design, which says what the copies are made of.
//! A change names a signal of the exported Verilog and what drives it instead, or a condition and what it is instead;
//! a signal that the exporter computes in a variable is named by itself ([`Plain`]).
//! All copies of a design are in one model: where they differ, it asks for the number of the copy that was chosen when
//! it was opened.
//! *Why:* a model of its own for each took more time than all that was then run on it.

use super::error::DutError;
use super::plain::Plain;
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
    /// What is connected to a port of an instance.
    Port {
        port: String,
        was: String,
        becomes: String,
    },
    /// A part of an expression.
    Expression { expression: String, becomes: String },
    /// Whole statements of a process, directly behind a text where they are there several times.
    Statements {
        #[serde(default)]
        behind: String,
        statements: String,
        becomes: String,
    },
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

const FILES: [(&str, &str); 20] = files!(
    "control" "scheduler" "core" "core_partitions" "barrier" "wavefront" "float" "host" "tasks" "tasks_places" "tasks_sms"
    "sm" "sm_passes" "sm_parts" "sm_rows" "sm_float" "gpu" "gpu_atomics" "gpu_l2" "gpu_sms"
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

/// The number of the broken copy of this name of a design, from 1.
pub fn number(design: &Design, name: &str) -> Option<usize> {
    let at = of_design(design).iter().position(|f| f.name == name)?;
    Some(at + 1)
}

/// Every broken copy of a design.
pub fn of_design(design: &Design) -> &'static [Fault] {
    let found = ALL.iter().find(|(of, _)| of == design);
    found.map_or(&[], |(_, faults)| faults)
}

/// Its package.
const PACKAGE: &str = "weft_faults";

/// In front of the modules: a package in which `chosen` is the number that the run gives, and whatever else is to be there.
pub fn chooser(package: &str, rest: &str) -> String {
    format!(
        "package {package};
    function automatic int named();
        int number;
        if ($value$plusargs(\"weft_fault=%d\", number) == 0) number = 0;
        return number;
    endfunction
    int chosen = named();
{rest}endpackage
"
    )
}

/// The Verilog of a design in which each of its broken copies can be chosen when a model of it is opened, by its
/// number among them, from 1; with 0 it is whole.
///
/// Every change must fit exactly as often as it says.
///
/// # Errors
/// All changes that do not, a line each.
pub fn breakable(faults: &[Fault], verilog: &str) -> Result<String, String> {
    let mut edits: Vec<Edit> = Vec::new();
    let mut wrong = Vec::new();
    for (fault, number) in faults.iter().zip(1..) {
        let Fault { name, .. } = fault;
        for Change {
            module,
            place,
            times,
        } in &fault.changes
        {
            let Some(range) = module_of(verilog, module) else {
                wrong.push(format!(
                    "fault `{name}`: the Verilog has no module `{module}`"
                ));
                continue;
            };
            let plain = Plain::of(&verilog[range.clone()]);
            let (what, mut places) = place.in_module(&plain.text);
            if places.len() != *times {
                wrong.push(format!(
                    "fault `{name}`: {what} is {} times in module `{module}`, not {times}; adapt testbench/faults to \
                     the new Verilog",
                    places.len()
                ));
                continue;
            }
            for at in &mut places {
                at.move_to(&plain, &verilog[range.clone()]);
                let becomes = plain.named(place.becomes(), at.all.start);
                at.shift(range.start);
                let becomes = becomes.replace("{}", &verilog[at.what.clone()]);
                let same = |edit: &&mut Edit| edit.at == *at;
                match edits.iter_mut().find(same) {
                    Some(edit) => edit.becomes.push((number, becomes)),
                    None => edits.push(Edit {
                        at: at.clone(),
                        becomes: vec![(number, becomes)],
                    }),
                }
            }
        }
    }
    if !wrong.is_empty() {
        return Err(wrong.join("\n"));
    }
    // One that is around another comes first.
    edits.sort_by_key(|edit| (edit.at.all.start, usize::MAX - edit.at.all.end));
    let mut edits = edits.iter().peekable();
    let text = edited(verilog, 0..verilog.len(), &mut edits)?;
    Ok(chooser(PACKAGE, "") + &text)
}

/// The Verilog of a design, or that of its broken copy of this name alone, which needs no simulator to choose it.
///
/// # Errors
/// There is no such copy, or a change does not fit.
pub(super) fn copy(
    design: &Design,
    verilog: &str,
    fault: Option<&str>,
) -> Result<String, DutError> {
    let Some(name) = fault else {
        return Ok(verilog.into());
    };
    let number = number(design, name).ok_or_else(|| DutError::NoFault(name.into()))?;
    let text = breakable(of_design(design), verilog).map_err(DutError::Make)?;
    let modules = &text[chooser(PACKAGE, "").len()..];
    Ok(format!(
        "package {PACKAGE};\n    parameter chosen = {number};\nendpackage\n{modules}"
    ))
}

/// A place that some copies change.
struct Edit {
    at: Spot,
    /// The numbers of the copies, and what is there in each of them.
    becomes: Vec<(usize, String)>,
}

/// Where something may be different.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Spot {
    kind: Kind,
    /// What is written anew.
    all: Range<usize>,
    /// What is different.
    what: Range<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    Expression,
    /// The right side of an assignment: the whole statement is written anew, so that no right side widens another.
    /// True for `assign` outside a process.
    Assignment(String, bool),
    Statements,
}

impl Spot {
    /// From the module as the kernel has it to the module as it was exported.
    fn move_to(&mut self, plain: &Plain, real: &str) {
        for range in [&mut self.all, &mut self.what] {
            *range = plain.real(range.clone());
        }
        if let Kind::Assignment(target, _) = &mut self.kind {
            *target = real[self.all.start..self.what.start].into();
        }
    }

    fn shift(&mut self, by: usize) {
        for range in [&mut self.all, &mut self.what] {
            *range = range.start + by..range.end + by;
        }
    }
}

type Edits<'a> = std::iter::Peekable<std::slice::Iter<'a, Edit>>;

/// A part of the Verilog with the edits in it.
fn edited(verilog: &str, part: Range<usize>, edits: &mut Edits) -> Result<String, String> {
    let (mut text, mut at) = (String::new(), part.start);
    while let Some(edit) = edits.next_if(|edit| edit.at.all.start < part.end) {
        let Spot { kind, all, what } = &edit.at;
        if all.start < at || all.end > part.end {
            let numbers = edit.becomes.iter().map(|(number, _)| number.to_string());
            let numbers = numbers.collect::<Vec<_>>().join(" and ");
            return Err(format!(
                "fault {numbers} changes a part of what another one changes: `{}`",
                &verilog[all.clone()]
            ));
        }
        text += &verilog[at..all.start];
        at = all.end;
        let was = edited(verilog, what.clone(), edits)?;
        text += &kind.choice(&was, &edit.becomes);
    }
    Ok(text + &verilog[at..part.end])
}

impl Kind {
    /// What stands there instead: what was there, or what one of the copies has.
    fn choice(&self, was: &str, becomes: &[(usize, String)]) -> String {
        let chosen = |number| format!("weft_faults::chosen == {number}");
        match self {
            Kind::Expression => {
                let choices = becomes
                    .iter()
                    .map(|(number, text)| format!("{} ? ({text}) : ", chosen(*number)));
                format!("({}({was}))", choices.collect::<String>())
            }
            Kind::Statements => {
                let branches = becomes.iter().map(|(number, text)| {
                    format!("if ({}) begin\n{text}\nend else ", chosen(*number))
                });
                format!(
                    "begin {}begin\n{was}\nend end",
                    branches.collect::<String>()
                )
            }
            Kind::Assignment(target, false) => {
                let branches = becomes.iter().map(|(number, text)| {
                    format!("if ({}) {target}{text}; else ", chosen(*number))
                });
                format!("begin {}{target}{was}; end", branches.collect::<String>())
            }
            Kind::Assignment(target, true) => {
                // Each has the width of the target.
                let name = target.trim_start_matches("assign ");
                let name = name.trim_end_matches(" = ");
                let wire = |number: usize| {
                    format!("{}_weft_{number}", name.replace(['[', ']', ':', '.'], "_"))
                };
                let all = std::iter::once((0, was)).chain(becomes.iter().map(|(n, t)| (*n, &**t)));
                let wires = all.map(|(number, text)| {
                    format!("wire [$bits({name})-1:0] {} = {text};\n", wire(number))
                });
                let choices = becomes
                    .iter()
                    .map(|(number, _)| format!("{} ? {} : ", chosen(*number), wire(*number)));
                let (wires, choices) = (wires.collect::<String>(), choices.collect::<String>());
                format!("{wires}{target}{choices}{};", wire(0))
            }
        }
    }
}

impl Place {
    /// What is there in the broken copy; `{}` stands for what was there.
    fn becomes(&self) -> &str {
        match self {
            Place::Driver { becomes, .. }
            | Place::Condition { becomes, .. }
            | Place::Port { becomes, .. }
            | Place::Expression { becomes, .. }
            | Place::Statements { becomes, .. } => becomes,
        }
    }

    /// In words, and where it is in a module.
    fn in_module(&self, body: &str) -> (String, Vec<Spot>) {
        let all = |text: &str, kind: Kind, skip: usize, length: usize| {
            let spot = |(at, _)| Spot {
                kind: kind.clone(),
                all: at + skip..at + skip + length,
                what: at + skip..at + skip + length,
            };
            body.match_indices(text).map(spot).collect::<Vec<_>>()
        };
        match self {
            Place::Driver { signal, was, .. } => {
                let mut places = assignments(body, signal);
                let mut what = format!("an assignment to `{signal}`");
                if let Some(was) = was {
                    places.retain(|place| body[place.what.clone()] == **was);
                    what += &format!(" of `{was}`");
                }
                (what, places)
            }
            Place::Condition { condition, .. } => (
                format!("the condition `{condition}`"),
                all(
                    &format!("if ({condition}) begin"),
                    Kind::Expression,
                    "if (".len(),
                    condition.len(),
                ),
            ),
            Place::Port { port, was, .. } => (
                format!("`{was}` at the port `{port}`"),
                all(
                    &format!(".{port}({was})"),
                    Kind::Expression,
                    port.len() + 2,
                    was.len(),
                ),
            ),
            Place::Expression { expression, .. } => (
                format!("`{expression}`"),
                all(expression, Kind::Expression, 0, expression.len()),
            ),
            Place::Statements {
                behind, statements, ..
            } => {
                let text = format!("{behind}{}", statements.trim_end());
                let spots = all(
                    &text,
                    Kind::Statements,
                    behind.len(),
                    text.len() - behind.len(),
                );
                (format!("`{text}`"), spots)
            }
        }
    }
}

/// All assignments to a signal; the exporter begins each on a line of its own.
fn assignments(body: &str, signal: &str) -> Vec<Spot> {
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
            let (begin, start) = (
                at + line.len() - statement.len(),
                at + line.len() - right.len(),
            );
            if let Some(length) = body[start..].find(';') {
                let kind =
                    Kind::Assignment(body[begin..start].into(), statement.starts_with("assign "));
                places.push(Spot {
                    kind,
                    all: begin..start + length + 1,
                    what: start..start + length,
                });
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

    fn broken(changes: &[&str]) -> Result<String, String> {
        let fault = |change| format!("name = 'f'\nbreaks = 'all'\n[[change]]\n{change}");
        let faults = changes.iter().map(|change| toml::from_str(&fault(change)));
        let faults = faults.collect::<Result<Vec<_>, _>>().expect("faults");
        let text = breakable(&faults, VERILOG)?;
        Ok(text
            .strip_prefix(&chooser(PACKAGE, ""))
            .expect("the choice")
            .into())
    }

    #[test]
    fn a_place_asks_for_the_copy() {
        let other = |from, to: &str| VERILOG.replace(from, to);
        let one = "weft_faults::chosen == 1";
        assert_eq!(
            broken(&["module = 'a'\nsignal = 'y'\nbecomes = '~({})'"]).unwrap(),
            other(
                "assign y = b <= c;",
                &format!(
                    "wire [$bits(y)-1:0] y_weft_0 = b <= c;\nwire [$bits(y)-1:0] y_weft_1 = ~(b <= c);\n\
                     assign y = {one} ? y_weft_1 : y_weft_0;"
                )
            )
        );
        assert_eq!(
            broken(&["module = 'ab'\nsignal = 'y'\nwas = 'x'\nbecomes = '0'"]).unwrap(),
            other(
                "        y = x;",
                &format!("        begin if ({one}) y = 0; else y = x; end")
            )
        );
        assert_eq!(
            broken(&["module = 'ab'\nsignal = 'q'\nbecomes = '{}[0]'"]).unwrap(),
            other(
                "q <= d;",
                &format!("begin if ({one}) q <= d[0]; else q <= d; end")
            )
        );
        assert_eq!(
            broken(&["module = 'ab'\ncondition = 'x & z'\nbecomes = 'x'"]).unwrap(),
            other("x & z", &format!("({one} ? (x) : (x & z))"))
        );
    }

    #[test]
    fn copies_share_places_and_stand_in_each_other() {
        let same = broken(&[
            "module = 'ab'\nexpression = 'x & z'\nbecomes = 'x'",
            "module = 'ab'\nexpression = 'x & z'\nbecomes = 'z'",
        ]);
        let choice = "(weft_faults::chosen == 1 ? (x) : weft_faults::chosen == 2 ? (z) : (x & z))";
        assert_eq!(same.unwrap(), VERILOG.replace("x & z", choice));
        let within = broken(&[
            "module = 'ab'\nsignal = 'q'\nbecomes = 'x'",
            "module = 'ab'\nstatements = '    q <= d;'\nbecomes = ''",
        ]);
        let choice = "begin if (weft_faults::chosen == 2) begin\n\nend else begin\n    \
                      begin if (weft_faults::chosen == 1) q <= x; else q <= d; end\nend end";
        assert_eq!(within.unwrap(), VERILOG.replace("    q <= d;", choice));
        let across = broken(&[
            "module = 'ab'\nexpression = 'x & z'\nbecomes = 'x'",
            "module = 'ab'\nexpression = '(x & z) begin'\nbecomes = 'z'",
            "module = 'ab'\nexpression = 'if (x '\nbecomes = 'z'",
        ]);
        let error = across.expect_err("they overlap");
        assert!(
            error.contains("a part of what another one changes"),
            "{error}"
        );
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
            let error = broken(&[change]).expect_err(change);
            assert!(error.contains(says), "{error}");
        }
    }

    #[test]
    fn every_copy_fits_its_design() {
        let misfit = |(design, faults): &(Design, Vec<Fault>)| {
            let verilog =
                weft_generate::verilog(design).unwrap_or_else(|e| panic!("{design}: {e}"));
            let made = breakable(faults, &verilog.bundle());
            made.err().map(|error| format!("{design}\n{error}"))
        };
        let misfits: Vec<_> = ALL.iter().filter_map(misfit).collect();
        assert!(misfits.is_empty(), "{}", misfits.join("\n"));
    }

    #[test]
    fn names_are_unique_in_their_file() {
        for (at, (design, faults)) in ALL.iter().enumerate() {
            assert!(
                ALL[..at].iter().all(|(other, _)| other != design),
                "two files of {design}"
            );
            let names: std::collections::BTreeSet<_> = faults.iter().map(|f| &f.name).collect();
            assert_eq!(names.len(), faults.len(), "{design}");
        }
    }
}
