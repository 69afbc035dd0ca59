//! Proofs that the two prints of a unit are the same circuit.
//!
//! The other proofs read a print in which each register is a block, so that its next value has a name; what is
//! synthesised and simulated has registers that change under their conditions.
//! Both come from one kernel. Here Yosys proves of each module in which they differ that, with the same inputs and the
//! same values in its registers, outputs, next values and what it gives its sub-blocks are the same;
//! the sub-blocks are cut out, being proved on their own.
//! What registers begin with at power-up is compared as text.

use crate::record::{of_one_kind, Content, Proved, Record};
use crate::row::Row;
use anyhow::{bail, Context, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Instant;
use weft_hdl::Printed;
use weft_toolbox::{Tool, Toolbox};

/// How the names of these proofs begin.
pub const PREFIX: &str = "print.";
/// What is done, in words.
pub const HOW: &str = "equivalence, by module";

/// Modules in which Yosys takes hours for one signal after the other, and seconds for all of them together: there they are
/// the same in a cycle if they were in the one before, and at power-up their registers are.
const TOGETHER: [&str; 1] = ["weft_lines"];

/// Name of a unit's proof.
pub fn name(unit: &Printed) -> String {
    format!("{PREFIX}{}", unit.exported.top)
}

/// Proves the prints of these units, prints a line for each and keeps the record. Number of those that failed.
///
/// # Errors
/// There is no Yosys, or a file cannot be written.
pub fn run(units: &[Printed], record: &mut Record, again: bool, width: usize) -> Result<usize> {
    let toolbox = Toolbox::here();
    let yosys = toolbox
        .yosys()
        .context("there is no Yosys; `cargo xtask setup` installs it")?;
    let mut bad = 0;
    for unit in units {
        let name = name(unit);
        let row = Row::new(&name, HOW, width);
        let content = content(unit)?;
        if let Some(proved) = record.of(&name, &content).filter(|_| !again) {
            row.known(proved);
            continue;
        }
        let start = Instant::now();
        let dir = toolbox.root().join("target/formal").join(&name);
        let outcome = prove(unit, &yosys, &dir);
        let seconds = start.elapsed().as_secs_f64();
        match outcome {
            Ok(()) => {
                row.done(seconds, "ok", &[]);
                let proved = Proved {
                    how: HOW.into(),
                    result: "ok".into(),
                    seconds,
                    date: time::OffsetDateTime::now_utc().date().to_string(),
                    content,
                };
                record.put(&name, proved);
            }
            Err(error) => {
                row.done(seconds, "FAILED", &[format!("{error:#}")]);
                record.forget(&name);
                bad += 1;
            }
        }
        record.write(&Record::path(toolbox.root()))?;
    }
    Ok(bad)
}

fn content(unit: &Printed) -> Result<Content> {
    let pairs = pairs(unit)?;
    let scripts = pairs.iter().map(|pair| (&*pair.name, pair.script()));
    let scripts: Vec<_> = scripts.collect();
    let scripts = scripts.iter().map(|(name, text)| (*name, &**text));
    let named = ("named", of_one_kind(&unit.named.bundle()));
    let exported = ("exported", of_one_kind(&unit.exported.bundle()));
    let texts = [(named.0, &*named.1), (exported.0, &*exported.1)];
    Ok(Content::of(texts.into_iter().chain(scripts)))
}

fn prove(unit: &Printed, yosys: &Tool, dir: &Path) -> Result<()> {
    fs::create_dir_all(dir).with_context(|| format!("creating {}", dir.display()))?;
    for pair in pairs(unit)? {
        let write = |file: &str, text: &str| {
            let path = dir.join(file);
            fs::write(&path, text).with_context(|| format!("writing {}", path.display()))
        };
        write("named.v", &pair.named)?;
        write("exported.v", &pair.exported)?;
        write("proof.ys", &pair.script())?;
        let log = format!("{}.log", pair.name);
        let output = yosys
            .command()
            .current_dir(dir)
            .args(["-q", "-l", &log, "-s", "proof.ys"])
            .stdin(Stdio::null())
            .output()
            .with_context(|| format!("starting {}", yosys.path.display()))?;
        let said = fs::read(dir.join(&log)).unwrap_or_default();
        let said = String::from_utf8_lossy(&said);
        if !output.status.success() || !said.contains("Equivalence successfully proven!") {
            bail!("{}: log {}", pair.name, dir.join(&log).display());
        }
    }
    Ok(())
}

/// A module whose two prints differ, each with the modules that it has instances of.
struct Pair {
    name: String,
    named: String,
    exported: String,
    /// Sub-blocks, registers not among them.
    inside: BTreeSet<String>,
}

impl Pair {
    /// Each print with its sub-blocks cut out, then both side by side: what has one name must have one value.
    fn script(&self) -> String {
        let list = |before: &str| -> String {
            let each = self.inside.iter().map(|name| format!("{before}{name}"));
            each.collect()
        };
        let (black, cut) = match self.inside.is_empty() {
            true => Default::default(),
            false => (
                format!("blackbox{}\n", list(" ")),
                format!("expose -evert{}\n", list(" t:")),
            ),
        };
        let Pair { name, .. } = self;
        let one = |print: &str| {
            format!(
                "read_verilog {print}.v\n{black}hierarchy -top {name}\nproc\nflatten\n{cut}memory_map\nopt_clean\n\
                 rename {name} {print}\ndesign -stash {print}\ndesign -reset\n"
            )
        };
        let prove = match TOGETHER.contains(&name.as_str()) {
            true => "opt_merge\nopt_clean\nequiv_induct -seq 1",
            false => "equiv_simple",
        };
        format!(
            "{}{}design -copy-from named -as named named\ndesign -copy-from exported -as exported exported\n\
             equiv_make named exported both\nhierarchy -top both\nopt_clean\n{prove}\nequiv_status -assert\n",
            one("named"),
            one("exported")
        )
    }
}

/// # Errors
/// The prints have other modules, or other values at power-up.
fn pairs(unit: &Printed) -> Result<Vec<Pair>> {
    let named: BTreeMap<&str, &str> = modules(&unit.named.modules);
    let exported: BTreeMap<&str, &str> = modules(&unit.exported.modules);
    let registers = |name: &&str| named.contains_key(name) && !exported.contains_key(name);
    let begins: BTreeMap<&str, String> = named
        .iter()
        .filter(|(name, _)| registers(name))
        .filter_map(|(name, text)| Some((*name, power_up(text).next()?.1)))
        .collect();
    let mut pairs = Vec::new();
    for (name, &text) in &exported {
        let other = *named
            .get(name)
            .with_context(|| format!("{name} is a module of one print only"))?;
        if text == other {
            continue;
        }
        let mut expected: Vec<(String, String)> = instances(other, &named)
            .filter_map(|(module, instance)| {
                Some((format!("{instance}_q"), begins.get(module)?.clone()))
            })
            .collect();
        let plain = |name: &str| name.strip_prefix("unused_").unwrap_or(name).to_string();
        let mut found: Vec<_> = power_up(text)
            .map(|(register, value)| (plain(&register), value))
            .collect();
        expected.sort();
        found.sort();
        if found != expected {
            bail!("{name}: at power-up {found:?}, not {expected:?}");
        }
        let with = |modules: &BTreeMap<&str, &str>, text: &str| {
            let inside: BTreeSet<&str> = instances(text, modules).map(|(m, _)| m).collect();
            inside
                .iter()
                .map(|m| modules[m])
                .fold(text.to_string(), |all, m| all + "\n" + m)
        };
        pairs.push(Pair {
            name: name.to_string(),
            named: with(&named, other),
            exported: with(&exported, text),
            inside: instances(text, &exported)
                .map(|(m, _)| m.to_string())
                .collect(),
        });
    }
    Ok(pairs)
}

fn modules(list: &[(String, String)]) -> BTreeMap<&str, &str> {
    list.iter()
        .map(|(n, text)| (n.as_str(), text.as_str()))
        .collect()
}

/// Module and name of each instance.
fn instances<'a>(
    text: &'a str,
    modules: &'a BTreeMap<&str, &str>,
) -> impl Iterator<Item = (&'a str, &'a str)> {
    text.lines().filter_map(|line| {
        let (module, instance) = line.trim().strip_suffix(" (")?.split_once(' ')?;
        modules.contains_key(module).then_some((module, instance))
    })
}

/// Registers and the values that they begin with.
fn power_up(text: &str) -> impl Iterator<Item = (String, String)> + '_ {
    let lines = text.lines().map(str::trim);
    let inside = lines
        .skip_while(|l| *l != "initial begin")
        .skip(1)
        .take_while(|l| *l != "end");
    inside.filter_map(|line| {
        let (register, value) = line.strip_suffix(';')?.split_once(" = ")?;
        Some((register.to_string(), value.to_string()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A register that takes `next` of the exported print where it takes `a` of the named one.
    fn unit(next: &str, begins: &str) -> Printed {
        let inner = "module t_inner (\n    input  wire a,\n    output wire y\n);\n    assign y = ~a;\nendmodule\n";
        let ports = "module t (\n    input  wire clock,\n    input  wire on,\n    input  wire a,\n    output wire y\n);\n";
        let inside = "\n    t_inner inner (\n        .a(x_q),\n        .y(inner_y)\n    );\n    assign y = inner_y;\n";
        let register = "module t_dff1 (\n    input  wire d,\n    output reg  q,\n    input  wire clock\n);\n\
            \n    initial begin\n       q = 1'h0;\n    end\n\n    always @(posedge clock) begin\n       q <= d;\n    end\nendmodule\n";
        let named = format!(
            "{ports}    reg  x_d;\n    wire x_q;\n    wire inner_y;\n\n    t_dff1 x (\n        .d(x_d),\n        .q(x_q),\n        .clock(clock)\n    );\n\
             {inside}\n    always @(*) begin\n        x_d = x_q;\n        if (on) begin\n            x_d = a & inner_y;\n        end\n    end\nendmodule\n"
        );
        let exported = format!(
            "{ports}    reg  x_q;\n    wire inner_y;\n{inside}\n    initial begin\n        x_q = {begins};\n    end\n\n\
             \x20   always @(posedge clock) begin\n        if (on) begin\n            x_q <= {next};\n        end\n    end\nendmodule\n"
        );
        let verilog = |modules: &[(&str, &str)]| weft_hdl::Verilog {
            top: "t".into(),
            modules: modules
                .iter()
                .map(|(n, t)| (n.to_string(), t.to_string()))
                .collect(),
            order: vec![],
            ports: vec![],
        };
        Printed {
            named: verilog(&[("t", &named), ("t_dff1", register), ("t_inner", inner)]),
            exported: verilog(&[("t", &exported), ("t_inner", inner)]),
        }
    }

    #[test]
    fn what_is_another_circuit_is_found() {
        let toolbox = Toolbox::here();
        let yosys = toolbox
            .yosys()
            .expect("Yosys; `cargo xtask setup` installs it");
        let dir = toolbox.root().join("target/formal/print-test");
        prove(&unit("a & inner_y", "1'h0"), &yosys, &dir).unwrap();
        prove(&unit("a & ~x_q", "1'h0"), &yosys, &dir).unwrap_err();
        let error = prove(&unit("a & inner_y", "1'h1"), &yosys, &dir).unwrap_err();
        assert!(error.to_string().contains("at power-up"), "{error:#}");
    }

    #[test]
    fn a_module_of_one_print_alone_is_told() {
        let mut unit = unit("a & inner_y", "1'h0");
        unit.named.modules.retain(|(name, _)| name != "t");
        assert!(pairs(&unit).is_err());
    }
}
