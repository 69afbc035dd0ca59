//! Stock compilers for RISC-V: which one is there, and how it is called.

use crate::Error;
use std::path::PathBuf;
use std::process::Command;
use weft_toolbox::{Group, Tool, Toolbox};

/// Who computes float (CC-007).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Float {
    /// Functions of the compiler's library: runs on every machine.
    #[default]
    Soft,
    /// The machine, which has Zfinx.
    Hard,
}

impl Float {
    /// Instruction set that compilers are told of. `zicsr`: the thread numbers are CSRs.
    fn march(self) -> &'static str {
        match self {
            Float::Soft => "-march=rv32ima_zicsr",
            Float::Hard => "-march=rv32ima_zicsr_zfinx",
        }
    }
}

impl std::str::FromStr for Float {
    type Err = String;

    fn from_str(word: &str) -> Result<Float, String> {
        match word {
            "soft" => Ok(Float::Soft),
            "hard" => Ok(Float::Hard),
            _ => Err("soft or hard".into()),
        }
    }
}

/// Integer calling convention, 32-bit.
pub const MABI: &str = "-mabi=ilp32";

/// GCC for RISC-V, by the names that distributions give it.
const GCC: [&str; 6] = [
    "riscv64-unknown-elf-gcc",
    "riscv32-unknown-elf-gcc",
    "riscv-none-elf-gcc",
    "riscv64-elf-gcc",
    "riscv32-elf-gcc",
    "riscv64-linux-gnu-gcc",
];
/// Clang from version 16 on knows every `.insn` form.
const CLANG: [&str; 8] = [
    "clang", "clang-22", "clang-21", "clang-20", "clang-19", "clang-18", "clang-17", "clang-16",
];
const OLDEST_CLANG: u32 = 16;
/// Older ones know the name of Zfinx, and make soft float all the same.
const OLDEST_GCC_FOR_ZFINX: u32 = 13;

/// How a compiler wants to be called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Family {
    Gcc,
    Clang,
    /// Clang, lld and compiler-rt inside Zig's wheel.
    Zig,
}

impl Family {
    pub const ALL: [Family; 3] = [Family::Gcc, Family::Clang, Family::Zig];

    pub fn name(self) -> &'static str {
        match self {
            Family::Gcc => "gcc",
            Family::Clang => "clang",
            Family::Zig => "zig",
        }
    }
}

/// A compiler that makes code for RV32.
#[derive(Clone, Debug)]
pub struct Compiler {
    pub family: Family,
    pub tool: Tool,
    pub float: Float,
}

impl Compiler {
    fn new(family: Family, tool: Tool) -> Compiler {
        let float = Float::default();
        Compiler {
            family,
            tool,
            float,
        }
    }

    /// CC-001. The compiler that `--compiler` names: a path, a name on PATH, or `gcc`, `clang`, `zig`.
    /// Without a name the first one that is there and makes such float: GCC, Clang, Zig. Zig is installed if there is
    /// nothing else.
    ///
    /// # Errors
    /// There is none, or the one named does not compile for RV32.
    pub fn choose(
        toolbox: &Toolbox,
        named: Option<&str>,
        float: Float,
        progress: &mut dyn FnMut(&str),
    ) -> Result<Compiler, Error> {
        let compiler = Compiler::chosen(toolbox, named, float, progress)?;
        match compiler.cannot(float) {
            Some(why) => Err(Error::NotACompiler(compiler.tool.name, why)),
            None => Ok(Compiler { float, ..compiler }),
        }
    }

    fn chosen(
        toolbox: &Toolbox,
        named: Option<&str>,
        float: Float,
        progress: &mut dyn FnMut(&str),
    ) -> Result<Compiler, Error> {
        let Some(named) = named else {
            let mut found = Family::ALL
                .iter()
                .filter_map(|f| Compiler::find(toolbox, *f));
            return match found.find(|compiler| compiler.cannot(float).is_none()) {
                Some(compiler) => Ok(compiler),
                None => {
                    progress("no RISC-V compiler on PATH; Zig's wheel has one");
                    match toolbox.install(Group::Zig, progress) {
                        Ok(()) => {}
                        Err(error) => progress(&format!("{error:#}")),
                    }
                    Compiler::find(toolbox, Family::Zig).ok_or(Error::NoCompiler)
                }
            };
        };
        let refuse = |why: String| Error::NotACompiler(named.into(), why);
        if let Some(family) = Family::ALL.into_iter().find(|f| f.name() == named) {
            let found = Compiler::find(toolbox, family);
            if found.is_none() && family == Family::Zig {
                let installed = toolbox.install(Group::Zig, progress);
                installed.map_err(|error| refuse(format!("{error:#}")))?;
                return Compiler::find(toolbox, family).ok_or(Error::NoCompiler);
            }
            return found.ok_or_else(|| {
                refuse(match family {
                    Family::Gcc => format!("none of {} is on PATH", GCC.join(", ")),
                    _ => format!(
                        "no Clang {OLDEST_CLANG} or newer with the target riscv32 is on PATH"
                    ),
                })
            });
        }
        let tool = toolbox.program(named);
        let tool = tool.ok_or_else(|| refuse("no such program".into()))?;
        Compiler::checked(tool).map_err(refuse)
    }

    /// The compiler of this family, when it is there; installs nothing.
    pub fn find(toolbox: &Toolbox, family: Family) -> Option<Compiler> {
        let first = |names: &[&str]| {
            let found = names.iter().filter_map(|name| toolbox.program(name));
            found.map(Compiler::checked).find_map(Result::ok)
        };
        match family {
            Family::Gcc => first(&GCC),
            Family::Clang => first(&CLANG),
            Family::Zig => toolbox.zig().map(|tool| Compiler::new(family, tool)),
        }
    }

    /// Why it does not make such float.
    fn cannot(&self, float: Float) -> Option<String> {
        let old = self.family == Family::Gcc
            && float == Float::Hard
            && major(&self.tool).is_none_or(|n| n < OLDEST_GCC_FOR_ZFINX);
        old.then(|| {
            format!(
                "GCC {} makes no hard float; GCC {OLDEST_GCC_FOR_ZFINX} or newer does, and so do Clang and Zig",
                self.tool.version
            )
        })
    }

    /// A program that was named: what it is, and whether it does.
    fn checked(tool: Tool) -> Result<Compiler, String> {
        let says = |argument: &str| {
            let output = tool.command().arg(argument).output();
            output.map_or(String::new(), |o| {
                String::from_utf8_lossy(&o.stdout).into_owned()
            })
        };
        if says("--version").contains("clang version") {
            if major(&tool).is_none_or(|n| n < OLDEST_CLANG) {
                return Err(format!(
                    "Clang {}; {OLDEST_CLANG} or newer is needed",
                    tool.version
                ));
            }
            if !says("-print-targets").contains("riscv32") {
                return Err("this Clang has no target riscv32".into());
            }
            return Ok(Compiler::new(Family::Clang, tool));
        }
        let machine = says("-dumpmachine");
        if machine.starts_with("riscv") {
            return Ok(Compiler::new(Family::Gcc, tool));
        }
        Err(match machine.trim() {
            "" => "neither GCC nor Clang".into(),
            other => format!("this compiler is for {other}, not for RISC-V"),
        })
    }

    /// The first number of its version.
    pub(crate) fn major(&self) -> Option<u32> {
        major(&self.tool)
    }

    /// As it is shown: `riscv64-unknown-elf-gcc 12.2.0`.
    pub fn title(&self) -> String {
        let title = match self.family {
            Family::Zig => format!("Clang of Zig {}", self.tool.version),
            _ => format!("{} {}", self.tool.name, self.tool.version),
        };
        match self.float {
            Float::Soft => title,
            Float::Hard => format!("{title}, hard float"),
        }
    }

    /// A command that compiles or assembles for the machine, with the flags that every file gets.
    pub fn command(&self) -> Command {
        let mut command = self.tool.command();
        match self.family {
            Family::Gcc => {}
            Family::Clang => {
                command.arg("--target=riscv32-unknown-elf");
            }
            Family::Zig => {
                command.args(["clang", "--target=riscv32-unknown-elf", "-isystem"]);
                command.arg(self.zig_lib().join("include"));
            }
        }
        command.args([self.float.march(), MABI]);
        command
    }

    /// `lib` beside the program.
    pub(crate) fn zig_lib(&self) -> PathBuf {
        self.tool.path.with_file_name("lib")
    }

    /// A linker for 32-bit RISC-V, before its arguments. GCC calls its own; Clang wants lld, its own or
    /// Zig's, and takes GCC's if there is none. *Why last:* GNU ld 2.40 breaks down over objects of Clang 19.
    pub(crate) fn linker(&self, toolbox: &Toolbox) -> Result<Linker, Error> {
        let lld = |name: &str| {
            toolbox
                .program(name)
                .map(|tool| Linker { tool, first: None })
        };
        let gnu = |gcc: &Tool| {
            let name = gcc.path.to_string_lossy().into_owned();
            let name = name.strip_suffix("gcc").map(|prefix| format!("{prefix}ld"));
            let tool = name.and_then(|name| toolbox.program(&name))?;
            Some(Linker {
                tool,
                first: Some("-melf32lriscv"),
            })
        };
        let zig = |tool: Tool| Linker {
            tool,
            first: Some("ld.lld"),
        };
        let missing = || {
            let said = "install lld, or Zig by `cargo xtask setup`";
            Error::Link(
                format!("{} has no linker for RISC-V", self.title()),
                said.into(),
            )
        };
        match self.family {
            Family::Gcc => gnu(&self.tool)
                .or_else(|| lld("ld.lld"))
                .ok_or_else(missing),
            Family::Zig => Ok(zig(self.tool.clone())),
            Family::Clang => {
                let beside = self.tool.path.to_string_lossy().replace("clang", "ld.lld");
                lld(&beside)
                    .or_else(|| lld("ld.lld"))
                    .or_else(|| toolbox.zig().map(zig))
                    .or_else(|| Compiler::find(toolbox, Family::Gcc).and_then(|gcc| gnu(&gcc.tool)))
                    .ok_or_else(missing)
            }
        }
    }
}

/// The first number of its version.
fn major(tool: &Tool) -> Option<u32> {
    tool.version.split('.').next()?.parse().ok()
}

/// A program that links, and what it wants to hear first.
pub(crate) struct Linker {
    tool: Tool,
    first: Option<&'static str>,
}

impl Linker {
    pub(crate) fn command(&self) -> Command {
        let mut command = self.tool.command();
        command.args(self.first);
        command
    }

    /// As messages name it.
    pub(crate) fn title(&self) -> String {
        self.tool.path.display().to_string()
    }

    /// GNU ld, as opposed to lld.
    pub(crate) fn is_gnu(&self) -> bool {
        self.first == Some("-melf32lriscv")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_a_compiler_for_riscv_is_refused_with_the_reason() {
        let dir = tempfile::tempdir().unwrap();
        let toolbox = Toolbox::at(dir.path());
        let choose = |name: &str| {
            let mut silent = |_: &str| {};
            Compiler::choose(&toolbox, Some(name), Float::Soft, &mut silent)
                .unwrap_err()
                .to_string()
        };
        assert!(choose("/no/such/program").contains("no such program"));
        assert!(
            choose("sh").contains("sh: neither GCC nor Clang")
                || choose("sh").contains("no such program")
        );
        if let Some(cc) = toolbox.program("cc") {
            let text = choose(&cc.path.to_string_lossy());
            assert!(
                text.contains("not for RISC-V") || text.contains("Clang"),
                "{text}"
            );
        }
    }
}
