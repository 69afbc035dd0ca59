//! One program from several files: compile, lower, assemble, link.

use crate::compiler::{Compiler, Family, Float};
use crate::error::{io, Error};
use crate::lower::{lower, Lowering};
use crate::runtime::Runtime;
use crate::{helpers, runtime};
use object::{Object, ObjectSymbol};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use weft_compiler::Report;
use weft_toolbox::Toolbox;

/// What is wanted beside the files.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// A path, a name on PATH, or a family; the first that is there.
    pub compiler: Option<String>,
    pub float: Float,
    /// `-O`: 0, 1, 2, 3, s, z, g.
    pub optimise: Option<String>,
    /// For the compiler as they are: `-DN=3`, `-Iinclude`, `-Wall`, `-std=c11`.
    pub flags: Vec<String>,
    pub lowering: Lowering,
    /// Bytes of the buffer for printf, all threads together.
    pub console: Option<u32>,
    /// The assembly of each source goes there, as it is assembled.
    pub assembly: Option<PathBuf>,
    /// Commands are told as they are run.
    pub verbose: bool,
    /// The compiler's messages have colours.
    pub colour: bool,
}

/// Bytes of the console unless something else is asked for.
pub const CONSOLE: u32 = 1 << 20;

/// What was made.
#[derive(Clone, Debug)]
pub struct Built {
    /// The program, an ELF executable.
    pub elf: Vec<u8>,
    /// As it is shown.
    pub compiler: String,
    /// What the compiler said though it was content.
    pub warnings: String,
    /// What the lowering found and did in each file in C or C++.
    pub reports: Vec<Report>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Input {
    C,
    Cpp,
    /// Assembly; `.S` goes through the preprocessor.
    Assembly {
        preprocessed: bool,
    },
    Object,
}

fn kind(path: &Path, compiler: &Compiler) -> Result<Input, Error> {
    match path.extension().and_then(|e| e.to_str()) {
        Some("c") => Ok(Input::C),
        Some("cc" | "cpp" | "cxx" | "C") => Ok(Input::Cpp),
        Some("s") => Ok(Input::Assembly {
            preprocessed: false,
        }),
        Some("S") => Ok(Input::Assembly { preprocessed: true }),
        Some("o" | "a") => Ok(Input::Object),
        Some("asm") => Err(Error::OwnAssembly {
            path: path.into(),
            compiler: compiler.title(),
        }),
        _ => Err(Error::UnknownInput(path.into())),
    }
}

/// True for files that only a compiler can make a program of.
pub fn is_source(path: &Path) -> bool {
    matches!(
        path.extension().and_then(|e| e.to_str()),
        Some("c" | "cc" | "cpp" | "cxx" | "C" | "o" | "a")
    )
}

/// Makes a program of the files. `progress` gets a line for what takes long or was asked to be told.
///
/// # Errors
/// There is no compiler, a file is wrong, or the parts do not fit together; what the tool said is in the error.
pub fn build(
    toolbox: &Toolbox,
    inputs: &[PathBuf],
    options: &Options,
    progress: &mut dyn FnMut(&str),
) -> Result<Built, Error> {
    let named = options.compiler.as_deref();
    let compiler = Compiler::choose(toolbox, named, options.float, progress)?;
    let kinds: Vec<_> = inputs
        .iter()
        .map(|input| kind(input, &compiler))
        .collect::<Result<_, _>>()?;
    if let Some(folder) = inputs.iter().find(|input| input.is_dir()) {
        return Err(Error::Folder(folder.clone()));
    }
    let runtime = Runtime::unpack(toolbox)?;
    let dir = tempfile::tempdir().map_err(io("a temporary directory"))?;
    let job = Job {
        compiler: &compiler,
        runtime: &runtime,
        options,
        dir: dir.path(),
    };

    // The files, and with them the library: each in a thread of its own.
    let libc = std::thread::scope(|scope| -> Result<_, Error> {
        let libc = scope.spawn(|| job.libc());
        let units: Vec<_> = inputs
            .iter()
            .zip(&kinds)
            .enumerate()
            .map(|(index, (input, kind))| {
                scope.spawn({
                    let job = &job;
                    move || job.unit(index, input, *kind)
                })
            })
            .collect();
        let units = units
            .into_iter()
            .map(|unit| unit.join().expect("no panic in a unit"))
            .collect::<Vec<_>>();
        Ok((libc.join().expect("no panic in the library")?, units))
    })?;
    let (libc, units) = libc;
    let mut warnings = String::new();
    let (mut objects, mut reports) = (Vec::new(), Vec::new());
    let mut failed: Option<Error> = None;
    for unit in units {
        match (unit, &mut failed) {
            (Ok(unit), _) => {
                unit.commands
                    .iter()
                    .filter(|_| options.verbose)
                    .for_each(|line| progress(line));
                warnings.push_str(&unit.said);
                objects.push(unit.object);
                reports.extend(unit.report);
            }
            // CC-003: one run shows the errors of all files.
            (Err(Error::Compile(name, more)), Some(Error::Compile(first, said))) => {
                *first = format!("{first}, {name}");
                said.push_str(&more);
            }
            (Err(error), failed @ None) => *failed = Some(error),
            (Err(_), Some(_)) => {}
        }
    }
    if let Some(Error::Compile(name, said)) = failed {
        return Err(Error::Compile(name, warnings + &said));
    }
    if let Some(error) = failed {
        return Err(error);
    }
    let entry = has_entry(&objects);
    let library = helpers::library(&compiler, toolbox, &runtime)?;
    let start = (!entry).then(|| job.start()).transpose()?;
    let elf = job.link(
        toolbox,
        start,
        &objects,
        &libc,
        library.as_deref(),
        progress,
    )?;
    Ok(Built {
        elf,
        compiler: compiler.title(),
        warnings,
        reports,
    })
}

/// CC-010. One of the objects brings its own `_start`.
fn has_entry(objects: &[PathBuf]) -> bool {
    let defines = |path: &PathBuf| {
        let bytes = fs::read(path).unwrap_or_default();
        object::File::parse(&*bytes).is_ok_and(|file| {
            file.symbols()
                .any(|s| !s.is_undefined() && s.name() == Ok("_start"))
        })
    };
    objects.iter().any(defines)
}

struct Unit {
    object: PathBuf,
    /// Warnings.
    said: String,
    commands: Vec<String>,
    report: Option<Report>,
}

struct Job<'a> {
    compiler: &'a Compiler,
    runtime: &'a Runtime,
    options: &'a Options,
    dir: &'a Path,
}

impl Job<'_> {
    /// CC-002. Flags of every compilation; the user's come after them.
    fn compile_flags(&self, kind: Input) -> Vec<String> {
        let optimise = self.options.optimise.as_deref().unwrap_or("2");
        let mut flags = vec![format!("-O{optimise}")];
        let all = [
            "-g",
            "-ffreestanding",
            "-fno-pic",
            "-fno-common",
            "-fno-stack-protector",
            "-fno-asynchronous-unwind-tables",
            "-fno-unwind-tables",
            "-ffunction-sections",
            "-fdata-sections",
        ];
        flags.extend(all.map(String::from));
        if kind == Input::Cpp {
            flags.extend(["-fno-exceptions", "-fno-rtti"].map(String::from));
        }
        match self.compiler.family {
            Family::Gcc => flags.push("-mcmodel=medlow".into()),
            // Symbols keep their places: `--dump` names them.
            _ => flags.extend(["-mcmodel=medlow", "-mno-global-merge"].map(String::from)),
        }
        if self.options.colour {
            flags.push("-fdiagnostics-color=always".into());
        }
        flags.push("-isystem".into());
        flags.push(self.runtime.file("include").to_string_lossy().into_owned());
        flags
    }

    fn unit(&self, index: usize, input: &Path, kind: Input) -> Result<Unit, Error> {
        let stem = input.file_stem().unwrap_or_default().to_string_lossy();
        let name = input.display().to_string();
        let object = self.dir.join(format!("{index}-{stem}.o"));
        let mut unit = Unit {
            object,
            said: String::new(),
            commands: Vec::new(),
            report: None,
        };
        match kind {
            Input::Object => unit.object = input.into(),
            Input::Assembly { preprocessed } => {
                let mut command = self.compiler.command();
                if preprocessed {
                    command.arg("-isystem").arg(self.runtime.file("include"));
                    command.args(&self.options.flags);
                }
                command.arg("-c").arg(input).arg("-o").arg(&unit.object);
                unit.run(command, &name)?;
            }
            Input::C | Input::Cpp => {
                let raw = self.dir.join(format!("{index}-{stem}.s"));
                let mut command = self.compiler.command();
                command
                    .args(self.compile_flags(kind))
                    .args(&self.options.flags);
                command.args(["-x", if kind == Input::C { "c" } else { "c++" }]);
                command.arg("-S").arg(input).arg("-o").arg(&raw);
                unit.run(command, &name)?;
                self.assemble(&mut unit, &raw, &name, &stem)?;
            }
        }
        Ok(unit)
    }

    /// From the compiler's assembly, through the lowering, to an object.
    fn assemble(&self, unit: &mut Unit, raw: &Path, name: &str, stem: &str) -> Result<(), Error> {
        let text = fs::read(raw).map_err(io(raw.display()))?;
        let text = String::from_utf8_lossy(&text).into_owned();
        let (lowered, report) = lower(&text, name, &self.options.lowering)?;
        unit.report = Some(report);
        fs::write(raw, &lowered).map_err(io(raw.display()))?;
        if let Some(dir) = &self.options.assembly {
            runtime::write_whole(&dir.join(format!("{stem}.s")), lowered.as_bytes())?;
        }
        let mut command = self.compiler.command();
        command.arg("-c").arg(raw).arg("-o").arg(&unit.object);
        unit.run(command, name)
    }

    /// The library, compiled once for these options. It is the same for every input (CC-005).
    fn libc(&self) -> Result<PathBuf, Error> {
        let own = Options {
            assembly: None,
            lowering: Lowering {
                inputs: Vec::new(),
                ..self.options.lowering.clone()
            },
            ..self.options.clone()
        };
        let console = self.options.console.unwrap_or(CONSOLE);
        let tool = &self.compiler.tool;
        let key = (
            &tool.path,
            &tool.version,
            (self.compiler.family, self.compiler.float),
            console,
            format!("{:?}", own.lowering),
        );
        let object = self.runtime.made("libc.o", key);
        if object.is_file() {
            return Ok(object);
        }
        let raw = self.dir.join("libc.s");
        let mut command = self.compiler.command();
        let plain = Job {
            options: &Options::default(),
            ..*self
        };
        command.args(plain.compile_flags(Input::C));
        // No loop of it becomes a call of what it defines.
        command.arg("-fno-builtin");
        if self.compiler.family == Family::Gcc {
            command.arg("-fno-tree-loop-distribute-patterns");
        }
        command.arg(format!("-DWEFT_CONSOLE_BYTES={console}"));
        command
            .arg("-S")
            .arg(self.runtime.file("libc.c"))
            .arg("-o")
            .arg(&raw);
        let made = self.dir.join("libc.o");
        let mut unit = Unit {
            object: made.clone(),
            said: String::new(),
            commands: Vec::new(),
            report: None,
        };
        unit.run(command, "libc.c")?;
        Job {
            options: &own,
            ..*self
        }
        .assemble(&mut unit, &raw, "libc.c", "libc")?;
        runtime::write_whole(&object, &fs::read(&made).map_err(io("libc.o"))?)?;
        Ok(object)
    }

    /// The start file, which runs the constructors (CC-011); weft.ld lays the image out (CC-013).
    fn start(&self) -> Result<PathBuf, Error> {
        let mut command = self.compiler.command();
        let object = self.dir.join("start.o");
        command
            .arg("-c")
            .arg(self.runtime.file("start.s"))
            .arg("-o")
            .arg(&object);
        let mut unit = Unit {
            object,
            said: String::new(),
            commands: Vec::new(),
            report: None,
        };
        unit.run(command, "start.s")?;
        Ok(unit.object)
    }

    fn link(
        &self,
        toolbox: &Toolbox,
        start: Option<PathBuf>,
        objects: &[PathBuf],
        libc: &Path,
        library: Option<&Path>,
        progress: &mut dyn FnMut(&str),
    ) -> Result<Vec<u8>, Error> {
        let linker = self.compiler.linker(toolbox)?;
        let output = self.dir.join("program.elf");
        let mut command = linker.command();
        command
            // The driver moves a program whose place is taken (HOST-113).
            .args(["-static", "--gc-sections", "--emit-relocs", "-T"])
            .arg(self.runtime.file("weft.ld"));
        if linker.is_gnu() {
            command.arg("--no-warn-rwx-segments");
        }
        command.args(start).args(objects).arg(libc).args(library);
        command.arg("-o").arg(&output);
        if self.options.verbose {
            progress(&words(&command));
        }
        let said = command.output().map_err(io(words(&command)))?;
        if !said.status.success() {
            let status = said.status;
            let mut said = String::from_utf8_lossy(&said.stderr).into_owned();
            // A linker that a signal has ended says nothing.
            if said.trim().is_empty() {
                said = format!("{} ended with {status}", linker.title());
            }
            return Err(Error::Link(
                "the program does not link".into(),
                explain(&said, library.is_some()),
            ));
        }
        fs::read(&output).map_err(io(output.display()))
    }
}

/// What the linker said, and what is meant.
fn explain(said: &str, has_library: bool) -> String {
    let mut text = said.trim_end().to_string();
    text.push('\n');
    let undefined = |name: &str| {
        let quoted = [format!("`{name}'"), format!("symbol: {name}")];
        let mut missing = said.lines().filter(|line| line.contains("undefined "));
        missing.any(|line| quoted.iter().any(|q| line.ends_with(q)))
    };
    let mut help = |line: &str| text.push_str(&format!("help: {line}\n"));
    if undefined("kernel") {
        help(
            "the program's entry is missing: write `void kernel(unsigned thread, unsigned threads)` \
             (in C++ extern \"C\")",
        );
    }
    let helpers = [
        "__mulsf3",
        "__addsf3",
        "__divdi3",
        "__udivdi3",
        "__muldf3",
        "__adddf3",
        "__floatsisf",
        "__divsf3",
    ];
    if !has_library && helpers.into_iter().any(undefined) {
        help("soft float and 64-bit division come with a RISC-V GCC or with Zig: `cargo xtask setup` installs Zig");
    }
    if [
        "operator new(unsigned int)",
        "operator new[](unsigned int)",
        "malloc",
        "calloc",
    ]
    .into_iter()
    .any(undefined)
    {
        help("there is no heap: no new, no malloc");
    }
    text
}

impl Unit {
    fn run(&mut self, mut command: Command, name: &str) -> Result<(), Error> {
        self.commands.push(words(&command));
        let output = command.output().map_err(io(words(&command)))?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        if output.status.success() {
            // Flags of the compiler that the assembler has no use for are no news.
            let news = said
                .lines()
                .filter(|line| !line.contains("unused during compilation"));
            news.for_each(|line| {
                self.said.push_str(line);
                self.said.push('\n');
            });
            return Ok(());
        }
        Err(Error::Compile(
            name.into(),
            std::mem::take(&mut self.said) + &said,
        ))
    }
}

/// As one types it.
fn words(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let quoted = words.map(|word| {
        let word = word.to_string_lossy();
        match word.contains([' ', '\'', '"', '$']) {
            true => format!("'{}'", word.replace('\'', r"'\''")),
            false => word.into_owned(),
        }
    });
    quoted.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_linker_says_is_explained() {
        let gnu =
            "ld: start.o: in function `kernels':\n(.text+0x54): undefined reference to `kernel'\n";
        assert!(explain(gnu, true).contains("entry is missing"));
        let twice = "ld: 1-b.o: in function `kernel':\nb.c:1: multiple definition of `kernel'; 0-a.o:a.c:1: first defined here\n";
        assert_eq!(explain(twice, true), twice);
        let lld = "ld.lld: error: undefined symbol: __mulsf3\n>>> referenced by a.c\n";
        assert!(explain(lld, false).contains("soft float"));
        assert!(!explain(lld, true).contains("soft float"));
        assert!(
            explain("ld.lld: error: undefined symbol: kernels\n", true)
                .lines()
                .count()
                == 1
        );
    }

    #[test]
    fn commands_can_be_typed_again() {
        let mut command = Command::new("cc");
        command.args(["-DX=\"a b\"", "it's", "plain"]);
        assert_eq!(words(&command), r#"cc '-DX="a b"' 'it'\''s' plain"#);
    }
}
