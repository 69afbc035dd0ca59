//! `weft verilog`: the hardware as Verilog files, with what is needed to use them elsewhere.
//!
//! | file | what it is |
//! |---|---|
//! | `<module>.v`, or `<top>.v` alone | the hardware |
//! | `<top>_sv.sv` | [`wrapper`], on request |
//! | `<top>.ports.md`, `<top>.ports.json` | [`ports`]: the ports as tables, and for programs |
//! | `<top>.regs.h`, `.rdl`, `.svd`, `.json`, `.csv` | [`registers`] of the host port, of `gpu` and `sm` |
//! | `weft_gpu.h`, `weft_gpu.c`, `weft_print.c` | a driver in C, of `gpu` ([`registers`]) |
//! | `<top>_rules.sv` | assertions for whoever drives the unit, where there are some |
//! | `<top>.f` | file list, lowest modules first |
//! | `<top>.core` | [`fusesoc`]: core file for FuseSoC |
//! | `<top>.vivado.tcl`, `<top>.quartus.tcl`, `<top>.sdc` | [`scripts`], on request |
//!
//! All of it depends on nothing but what the first lines of every file say.

mod comments;
mod fusesoc;
mod header;
mod meanings;
mod ports;
mod registers;
mod scripts;
mod wrapper;

use crate::cli::VerilogArgs;
use crate::outputs;
use crate::size::{self, Overrides};
use anyhow::{ensure, Context, Result};
use header::{Comment, Header};
use std::path::{Path, PathBuf};
use weft_generate::{Config, Design, Unit, Verilog};

/// Name and text.
type File = (String, String);

pub fn run(args: &VerilogArgs) -> Result<()> {
    let given = Overrides {
        dual: args.dual,
        warps: args.warps,
        threads: args.threads,
        window: args.window,
        set: &args.set,
        // What a design shows is for lockstep; whoever builds a chip asks for it.
        otherwise: &[("trace", 0)],
    };
    let named = size::choose(args.unit, &args.config, given)?;
    let legal = |c: char| c.is_ascii_alphanumeric() || c == '_';
    ensure!(
        args.prefix.chars().all(legal) && !args.prefix.starts_with(|c: char| c.is_ascii_digit()),
        "--prefix {}: letters, digits and underscores, and no digit first",
        args.prefix
    );
    let request = Request {
        unit: args.unit,
        design: named.design.with_prefix(&args.prefix),
        prefix: args.prefix.clone(),
        bundle: args.bundle,
        wrapper: args.wrapper,
        scripts: args.scripts,
    };
    let directory = &args.output;
    ensure!(
        !directory.exists() || directory.is_dir(),
        "-o {}: is there and is not a directory",
        directory.display()
    );
    let files = request.files()?;
    std::fs::create_dir_all(directory).with_context(|| format!("-o {}", directory.display()))?;
    let stale = stale(directory, args.unit.top(), &files)?;
    for (name, text) in &files {
        outputs::write("-o", &directory.join(name), text)?;
    }
    for path in &stale {
        std::fs::remove_file(path).with_context(|| outputs::named("-o", path))?;
        println!("{}: removed, of an earlier request", path.display());
    }
    println!(
        "{}: {}, top module {}, {} files in {}",
        named.name,
        request.config(),
        request.top(),
        files.len(),
        directory.display()
    );
    Ok(())
}

/// Files that an earlier request for this unit has left, and that this one does not make: whoever takes all files of
/// the directory would take them, too.
fn stale(directory: &Path, top: &str, files: &[File]) -> Result<Vec<PathBuf>> {
    let mut stale = Vec::new();
    let entries = std::fs::read_dir(directory).with_context(|| outputs::named("-o", directory))?;
    for entry in entries {
        let path = entry
            .with_context(|| outputs::named("-o", directory))?
            .path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let made_anew = files.iter().any(|(own, _)| *own == name);
        if !made_anew && path.is_file() && header::is_of(&path, top) {
            stale.push(path.clone());
        }
    }
    stale.sort();
    Ok(stale)
}

/// All that the files depend on.
#[derive(Clone, Debug)]
struct Request {
    unit: Unit,
    design: Design,
    /// Before the names of all modules and files.
    prefix: String,
    bundle: bool,
    wrapper: bool,
    scripts: bool,
}

impl Request {
    fn config(&self) -> Config {
        self.design.config()
    }

    /// The further parameters that are not what they are when nothing is said.
    fn others(&self) -> Vec<(&'static str, u64)> {
        let mut others = self.design.others();
        others.retain(|(name, _)| *name != "trace");
        if self.design.value("trace") == 1 {
            others.push(("trace", 1));
        }
        others
    }

    /// Name of the outermost module.
    fn top(&self) -> String {
        match self.wrapper {
            true => wrapper::name(self),
            false => self.design.top().into(),
        }
    }

    fn files(&self) -> Result<Vec<File>> {
        let verilog = weft_generate::verilog(&self.design)?;
        let header = Header::new(self);
        let sources = self.sources(&comments::on(self, &verilog));
        let mut files = sources.clone();
        let mut names: Vec<String> = sources.into_iter().map(|(name, _)| name).collect();
        let ports = ports::of(self, &verilog)?;
        if self.wrapper {
            let name = format!("{}.sv", wrapper::name(self));
            files.push((name.clone(), wrapper::text(self, &ports)));
            names.push(name);
        }
        let top = self.design.top();
        files.push((format!("{top}.ports.md"), ports::markdown(self, &ports)?));
        let json = ports::json(self, &ports, &header.lines)?;
        files.push((format!("{top}.ports.json"), json));
        files.extend(registers::files(self, &header.lines));
        if let Some(rules) = self.rules() {
            files.push((format!("{top}_rules.sv"), rules));
        }
        files.push((format!("{top}.f"), names.join("\n") + "\n"));
        files.push((format!("{top}.core"), fusesoc::text(self, &names)));
        if self.scripts {
            files.push((format!("{top}.sdc"), scripts::sdc()));
            files.push((format!("{top}.vivado.tcl"), scripts::vivado(self, &names)));
            files.push((format!("{top}.quartus.tcl"), scripts::quartus(self, &names)));
        }
        Ok(files
            .into_iter()
            .map(|(name, text)| {
                let text = header.on(Comment::of(&name), &text);
                (name, text)
            })
            .collect())
    }

    /// Assertions of what the page asks of whoever drives the unit, for this size and under this prefix; to be bound in
    /// simulation.
    fn rules(&self) -> Option<String> {
        let text = match self.unit {
            Unit::Control => include_str!("../../../hdl/rules/weft_control_rules.sv"),
            Unit::Core => include_str!("../../../hdl/rules/weft_core_rules.sv"),
            _ => return None,
        };
        // They know one scheduler.
        let parameters = ports::parameters(self);
        if parameters.iter().any(|p| p.name == "S" && p.value > 1) {
            return None;
        }
        let of_size = |line: &str| {
            let mut line = line.replace(self.unit.top(), self.design.top());
            for ports::Parameter { name, value, .. } in &parameters {
                for start in [format!(".{name}("), format!("    parameter {name} = ")] {
                    if let Some((before, after)) = line.split_once(&start) {
                        let rest = after.trim_start_matches(|c: char| c.is_ascii_digit());
                        line = format!("{before}{start}{value}{rest}");
                    }
                }
            }
            line + "\n"
        };
        Some(text.lines().map(of_size).collect())
    }

    /// The Verilog, lowest modules first.
    fn sources(&self, verilog: &Verilog) -> Vec<File> {
        if self.bundle {
            return vec![(format!("{}.v", verilog.top), verilog.bundle())];
        }
        let mut files = verilog.files();
        let place = |name: &str| verilog.order.iter().position(|m| format!("{m}.v") == name);
        files.sort_by_key(|(name, _)| place(name));
        files
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn request(unit: Unit, config: Config, dual: bool) -> Request {
        Request {
            unit,
            design: Design::of(unit, config, dual).unwrap(),
            prefix: String::new(),
            bundle: false,
            wrapper: true,
            scripts: false,
        }
    }

    /// Each parameter of each unit at its borders, the others as in `tiny`, as far as the rules allow it.
    fn borders(unit: Unit) -> Vec<Request> {
        let tiny = Config::NAMED[0].1;
        let base = Design::of(unit, tiny, false).unwrap();
        let given = |p: &str| ["warps", "threads", "front", "back"].contains(&p);
        let with = |name: &'static str, value| {
            let others = base.values().iter().map(|(n, v)| (*n, *v));
            let mut all: Vec<_> = others.filter(|(n, _)| given(n) && *n != name).collect();
            // No more lanes than threads, no more threads than lanes need be.
            if name == "lanes" && unit.parameter("threads").is_some() {
                all.retain(|(n, _)| *n != "threads");
                all.push(("threads", value));
            }
            // A scheduler has 16 warps at most.
            if name == "partitions" {
                all.retain(|(n, _)| *n != "warps");
                all.push(("warps", 4 * value));
            }
            all.push((name, value));
            Design::new(unit, &all).ok()
        };
        let parameters = unit.entry().parameters.iter();
        let all = parameters.flat_map(|p| p.possible.borders().into_iter().map(|v| (p.name, v)));
        let designs = all.filter_map(|(name, value)| with(name, value));
        let request = |design: Design| Request {
            design,
            ..request(unit, tiny, false)
        };
        designs.map(request).collect()
    }

    /// Of all of them with `WEFT_SIZES=all` (`cargo xtask long borders`) the files are made, each with the tables of its
    /// ports; else of those that are quickly made.
    #[test]
    fn every_unit_comes_out_at_the_borders_of_its_parameters() {
        let all = std::env::var("WEFT_SIZES").is_ok_and(|sizes| sizes == "all");
        for &unit in Unit::ALL {
            let mut requests = borders(unit);
            let count = requests.len();
            let least = 2 * unit.entry().parameters.len() - 2;
            assert!(count >= least, "{unit:?}: {count} of {least}");
            if !all {
                requests.retain(|r| unit == Unit::Tasks && r.design.value("sms") == 8);
            }
            let designs: Vec<_> = requests.iter().map(|r| r.design.clone()).collect();
            let made = weft_generate::verilog_of_all(&designs).unwrap_or_else(|e| panic!("{e}"));
            for (request, verilog) in requests.iter().zip(made) {
                let ports = ports::of(request, &verilog).unwrap_or_else(|e| panic!("{e:#}"));
                let table = ports::markdown(request, &ports).unwrap_or_else(|e| panic!("{e:#}"));
                assert!(table.contains("| parameter | value | meaning |"), "{table}");
            }
            println!("{unit:?}: {count} designs, {} made", designs.len());
        }
    }

    #[test]
    fn a_module_comes_after_those_that_it_holds() {
        let tiny = Config::NAMED[0].1;
        let files = request(Unit::Control, tiny, false).files().unwrap();
        let text = |name: &str| &files.iter().find(|(n, _)| n == name).unwrap().1;
        let list: Vec<&str> = text("weft_control.f")
            .lines()
            .filter(|l| !l.starts_with("//"))
            .collect();
        assert_eq!(list.last(), Some(&"weft_control_sv.sv"));
        assert_eq!(list.len(), files.len() - 5);
        for (place, user) in list.iter().enumerate() {
            for later in &list[place + 1..] {
                let module = later.split('.').next().unwrap();
                assert!(
                    !text(user).contains(&format!("\n    {module} ")),
                    "{user} holds {module}, which comes later"
                );
            }
        }
    }
}
