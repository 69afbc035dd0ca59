//! One program from several files: compile, lower, assemble, link.

use crate::compiler::{Compiler, Family, Float};
use crate::error::{io, Error};
use crate::lower::{lower, Lowering};
use crate::runtime::Runtime;
use crate::{helpers, runtime, tls, zones};
use object::{Object, ObjectSection, ObjectSymbol, SectionKind, SymbolKind};
use std::collections::BTreeSet;
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
    /// Bytes of the heap, all threads together.
    pub heap: Option<u32>,
    /// Zones between variables (CHECK-031).
    pub zones: bool,
    /// The assembly of each source goes there, as it is assembled.
    pub assembly: Option<PathBuf>,
    /// Commands are told as they are run.
    pub verbose: bool,
    /// The compiler's messages have colours.
    pub colour: bool,
}

/// Bytes of the console unless something else is asked for.
pub const CONSOLE: u32 = 1 << 20;
/// Bytes of the heap unless something else is asked for.
pub const HEAP: u32 = 1 << 20;

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
    refuse(&options.flags)?;
    let named = options.compiler.as_deref();
    let compiler = Compiler::choose(toolbox, named, options.float, progress)?;
    let kinds: Vec<_> = inputs
        .iter()
        .map(|input| kind(input, &compiler))
        .collect::<Result<_, _>>()?;
    if let Some(folder) = inputs.iter().find(|input| input.is_dir()) {
        return Err(Error::Folder(folder.clone()));
    }
    // A compiler would read a device until it is killed.
    let is_endless = |input: &&PathBuf| fs::metadata(input).is_ok_and(|about| !about.is_file());
    if let Some(input) = inputs.iter().find(is_endless) {
        return Err(Error::NoFile(input.clone()));
    }
    let runtime = Runtime::unpack(toolbox)?;
    let dir = tempfile::tempdir().map_err(io("a temporary directory"))?;
    let job = Job {
        compiler: &compiler,
        runtime: &runtime,
        options,
        dir: dir.path(),
    };

    // The files, and with them what every program has of the library: each in a thread of its own.
    let units = std::thread::scope(|scope| -> Result<_, Error> {
        let libc = scope.spawn(|| job.library("libc.c"));
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
        libc.join().expect("no panic in the library")?;
        Ok(units)
    })?;
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
    // CC-003: what the compiler has said is shown with what the linker says.
    let with_warnings = |error: Error| match error {
        Error::Link(what, said) => Error::Link(what, format!("{warnings}{said}")),
        error => error,
    };
    let ours = job.libraries(&objects)?;
    let all = [objects, ours].concat();
    let start = match entry {
        true => None,
        false => Some(job.start(has_thread_locals(&all)?)?),
    };
    let starts = start.is_some();
    let elf = job
        .link(toolbox, None, start, &all, library.as_deref(), progress)
        .map_err(with_warnings)?;
    if starts {
        has_kernel(&elf).map_err(with_warnings)?;
    }
    Ok(Built {
        elf,
        compiler: compiler.title(),
        warnings,
        reports,
    })
}

/// CC-006. Flags that no program here can be made with.
fn refuse(flags: &[String]) -> Result<(), Error> {
    let why = |flag: &str| match flag {
        "-pg" | "-p" => Some("there is no profiler; `weft run --trace` shows where time goes"),
        _ if flag.starts_with("-flto") && flag != "-fno-lto" => {
            Some("warp control is added to each file's assembly, which -flto makes none of")
        }
        _ => None,
    };
    let refused = flags.iter().find_map(|flag| Some((flag, why(flag)?)));
    refused.map_or(Ok(()), |(flag, why)| Err(Error::Flag(flag.clone(), why)))
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

/// CC-010. What the start file calls, or kernels that are launched by their names.
fn has_kernel(elf: &[u8]) -> Result<(), Error> {
    let Ok(program) = weft_isa::elf::load_elf(elf) else {
        // Whoever loads it says what is wrong.
        return Ok(());
    };
    if program.symbols.contains_key("kernel") || !crate::kernels(&program).is_empty() {
        return Ok(());
    }
    Err(Error::Link(
        "the program's entry is missing".into(),
        "help: write `void kernel(unsigned thread, unsigned threads)` (in C++ extern \"C\"), or \
         WEFT_KERNEL(name) of weft_queue.h\n"
            .into(),
    ))
}

/// CC-015: whether some file has a part of the template of thread-local variables.
fn has_thread_locals(objects: &[PathBuf]) -> Result<bool, Error> {
    let mut some = false;
    for path in objects {
        let sections = of_objects(path, |file| {
            let sections = file.sections();
            sections
                .map(|s| (s.kind(), s.name().unwrap_or_default().to_string()))
                .collect()
        });
        let foreign = [SectionKind::Tls, SectionKind::UninitializedTls];
        if sections.iter().any(|(kind, _)| foreign.contains(kind)) {
            return Err(Error::ForeignThreadLocal(path.clone()));
        }
        let of_template = |name: &String| tls::TEMPLATE.iter().any(|part| name.starts_with(part));
        some |= sections.iter().any(|(_, name)| of_template(name));
    }
    Ok(some)
}

/// Names that a file wants from elsewhere.
fn undefined(path: &Path) -> Vec<String> {
    of_objects(path, |file| {
        let symbols = file.symbols().filter(|symbol| symbol.is_undefined());
        symbols
            .flat_map(|symbol| symbol.name().map(String::from))
            .collect()
    })
}

/// Names of functions that a file defines for others.
fn functions(path: &Path) -> Vec<String> {
    of_objects(path, |file| {
        let symbols = file.symbols();
        let symbols = symbols.filter(|s| s.is_definition() && s.kind() == SymbolKind::Text);
        symbols
            .flat_map(|symbol| symbol.name().map(String::from))
            .collect()
    })
}

/// Something of an object, or of all objects in an archive.
fn of_objects<T>(path: &Path, of: impl Fn(object::File) -> Vec<T>) -> Vec<T> {
    let bytes = fs::read(path).unwrap_or_default();
    let members = match object::read::archive::ArchiveFile::parse(&*bytes) {
        Ok(archive) => {
            let members = archive.members().flatten();
            members.flat_map(|member| member.data(&*bytes)).collect()
        }
        Err(_) => vec![&*bytes],
    };
    let files = members
        .into_iter()
        .flat_map(|bytes: &[u8]| object::File::parse(bytes));
    files.flat_map(of).collect()
}

pub(crate) struct Unit {
    pub(crate) object: PathBuf,
    /// Warnings.
    pub(crate) said: String,
    commands: Vec<String>,
    report: Option<Report>,
}

pub(crate) struct Job<'a> {
    pub(crate) compiler: &'a Compiler,
    pub(crate) runtime: &'a Runtime,
    pub(crate) options: &'a Options,
    pub(crate) dir: &'a Path,
}

impl Job<'_> {
    /// CC-002. Flags of every compilation; the user's come after them.
    fn compile_flags(&self, kind: Input) -> Vec<String> {
        let optimise = self.options.optimise.as_deref().unwrap_or("2");
        let mut flags = vec![format!("-O{optimise}")];
        let all = [
            "-g",
            "-ffreestanding",
            "-fno-math-errno",
            "-fno-pic",
            "-fno-common",
            "-fno-stack-protector",
            "-fno-asynchronous-unwind-tables",
            "-fno-unwind-tables",
            "-ftls-model=local-exec",
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
        if self.options.zones && self.compiler.family != Family::Gcc {
            // That of the driver leaves those that are initialised.
            flags.extend(["-mllvm", "-riscv-enable-global-merge=false"].map(String::from));
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
        let mut unit = Unit::new(object);
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
                let zoned = self.options.zones.then_some(index);
                self.assemble(&mut unit, &raw, (&name, &stem), zoned)?;
            }
        }
        Ok(unit)
    }

    /// From the compiler's assembly, through the lowering, to an object. `zoned`: with zones, of the file of this number.
    fn assemble(
        &self,
        unit: &mut Unit,
        raw: &Path,
        (name, stem): (&str, &str),
        zoned: Option<usize>,
    ) -> Result<(), Error> {
        let text = fs::read(raw).map_err(io(raw.display()))?;
        let text = String::from_utf8_lossy(&text).into_owned();
        let (lowered, report) = lower(&text, name, &self.options.lowering)?;
        unit.report = Some(report);
        let lowered = match zoned {
            Some(file) => zones::put(&lowered, file),
            None => lowered,
        };
        fs::write(raw, &lowered).map_err(io(raw.display()))?;
        if let Some(dir) = &self.options.assembly {
            runtime::write_whole(&dir.join(format!("{stem}.s")), lowered.as_bytes())?;
        }
        let mut command = self.compiler.command();
        command.arg("-c").arg(raw).arg("-o").arg(&unit.object);
        unit.run(command, name)
    }

    /// The objects of the library that these need, each compiled once for these options. They are the same for every
    /// input (CC-005).
    pub(crate) fn libraries(&self, objects: &[PathBuf]) -> Result<Vec<PathBuf>, Error> {
        let mut made: Vec<(&str, PathBuf)> = vec![("libc.c", self.library("libc.c")?)];
        loop {
            let all = objects.iter().chain(made.iter().map(|(_, object)| object));
            let wanted: BTreeSet<String> = all.flat_map(|object| undefined(object)).collect();
            let is_missing = |(source, functions): &&(&str, &[&str])| {
                made.iter().all(|(name, _)| name != source)
                    && functions.iter().any(|function| wanted.contains(*function))
            };
            let missing: Vec<_> = runtime::LIBRARY.iter().filter(is_missing).collect();
            if missing.is_empty() {
                return Ok(made.into_iter().map(|(_, object)| object).collect());
            }
            let more = std::thread::scope(|scope| {
                let made = missing
                    .iter()
                    .map(|(source, _)| scope.spawn(|| self.library(source)));
                let made: Vec<_> = made.collect();
                let objects = made
                    .into_iter()
                    .map(|unit| unit.join().expect("no panic in a unit"));
                objects.collect::<Result<Vec<_>, Error>>()
            })?;
            made.extend(missing.iter().map(|(source, _)| *source).zip(more));
        }
    }

    /// One source of the library.
    fn library(&self, source: &str) -> Result<PathBuf, Error> {
        let own = Options {
            assembly: None,
            lowering: Lowering {
                inputs: Vec::new(),
                ..self.options.lowering.clone()
            },
            ..self.options.clone()
        };
        let console = self.options.console.unwrap_or(CONSOLE);
        let heap = self.options.heap.unwrap_or(HEAP);
        let tool = &self.compiler.tool;
        let key = (
            &tool.path,
            &tool.version,
            (self.compiler.family, self.compiler.float),
            (console, heap),
            format!("{:?}", own.lowering),
        );
        let stem = source.trim_end_matches(".c");
        let object = self.runtime.made(&format!("{stem}.o"), key);
        if object.is_file() {
            return Ok(object);
        }
        let raw = self.dir.join(format!("library-{stem}.s"));
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
        command.arg(format!("-DWEFT_HEAP_BYTES={heap}"));
        command
            .arg("-S")
            .arg(self.runtime.file(source))
            .arg("-o")
            .arg(&raw);
        let made = self.dir.join(format!("library-{stem}.o"));
        let mut unit = Unit::new(made.clone());
        unit.run(command, source)?;
        let text = fs::read(&raw).map_err(io(raw.display()))?;
        let text = runtime::weak(&String::from_utf8_lossy(&text));
        fs::write(&raw, text).map_err(io(raw.display()))?;
        Job {
            options: &own,
            ..*self
        }
        .assemble(&mut unit, &raw, (source, stem), None)?;
        runtime::write_whole(&object, &fs::read(&made).map_err(io(source))?)?;
        Ok(object)
    }

    /// The start file, which runs the constructors (CC-011); weft.ld lays the image out (CC-013).
    fn start(&self, thread_locals: bool) -> Result<PathBuf, Error> {
        let mut command = self.compiler.command();
        if thread_locals {
            command.arg("-Wa,--defsym,WEFT_TLS=1");
        }
        let object = self.dir.join("start.o");
        command
            .arg("-c")
            .arg(self.runtime.file("start.s"))
            .arg("-o")
            .arg(&object);
        let mut unit = Unit::new(object);
        unit.run(command, "start.s")?;
        Ok(unit.object)
    }

    /// `entry`: in place of `_start`.
    pub(crate) fn link(
        &self,
        toolbox: &Toolbox,
        entry: Option<&str>,
        start: Option<PathBuf>,
        objects: &[PathBuf],
        library: Option<&Path>,
        progress: &mut dyn FnMut(&str),
    ) -> Result<Vec<u8>, Error> {
        let linker = self.compiler.linker(toolbox)?;
        let output = self.dir.join(format!("{}.elf", entry.unwrap_or("program")));
        let mut command = linker.command();
        command
            // The driver moves a program whose place is taken (HOST-113).
            .args(["-static", "--gc-sections", "--emit-relocs", "-T"])
            .arg(self.runtime.file("weft.ld"));
        if linker.is_gnu() {
            command.arg("--no-warn-rwx-segments");
        }
        command.args(entry.map(|entry| ["-e", entry]).into_iter().flatten());
        command.args(start).args(objects).args(library);
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
            let known: BTreeSet<String> = objects.iter().flat_map(|o| functions(o)).collect();
            return Err(Error::Link(
                "the program does not link".into(),
                explain(&said, library.is_some(), &known),
            ));
        }
        fs::read(&output).map_err(io(output.display()))
    }
}

/// What the linker said, and what is meant. `known`: the functions that there are.
fn explain(said: &str, has_library: bool, known: &BTreeSet<String>) -> String {
    let mut text = said.trim_end().to_string();
    text.push('\n');
    let missing: BTreeSet<&str> = said.lines().filter_map(missing).collect();
    let library = runtime::LIBRARY
        .iter()
        .flat_map(|(_, functions)| functions.iter());
    let offered = library.chain(runtime::CORE).copied();
    let names: Vec<&str> = known.iter().map(String::as_str).chain(offered).collect();
    for name in missing {
        let close = names
            .iter()
            .map(|other| (strsim::osa_distance(name, other), other));
        let most = if name.len() < 5 { 1 } else { 2 };
        let close = close.filter(|(distance, _)| *distance <= most).min();
        let helper = ["sf", "df", "di", "si"]
            .iter()
            .any(|kind| name.contains(kind));
        let help = match (name, close) {
            (_, Some((_, other))) => format!("nothing defines `{name}`; did you mean `{other}`?"),
            ("_mcount" | "__gnu_mcount_nc", _) => "there is no profiler: compile without -pg".into(),
            (name, _) if name.starts_with("__") && helper && !has_library => {
                "soft float and 64-bit division come with a RISC-V GCC or with Zig: `cargo xtask setup` installs Zig"
                    .into()
            }
            (name, _) => format!("nothing defines `{name}`: no file that was given, nor the library of `weft cc`"),
        };
        let line = format!("help: {help}\n");
        if !text.contains(&line) {
            text.push_str(&line);
        }
    }
    text
}

/// The name in a line of a linker that says that nothing defines it.
fn missing(line: &str) -> Option<&str> {
    let gnu = line
        .split_once("undefined reference to `")
        .map(|(_, name)| name.trim_end_matches('\''));
    gnu.or_else(|| line.split_once("undefined symbol: ").map(|(_, name)| name))
}

impl Unit {
    pub(crate) fn new(object: PathBuf) -> Unit {
        Unit {
            object,
            said: String::new(),
            commands: Vec::new(),
            report: None,
        }
    }

    pub(crate) fn run(&mut self, mut command: Command, name: &str) -> Result<(), Error> {
        self.commands.push(words(&command));
        let output = command.output().map_err(io(words(&command)))?;
        let said = String::from_utf8_lossy(&output.stderr);
        // Flags of the compiler that the assembler has no use for are no news.
        let news = said
            .lines()
            .filter(|line| !line.contains("unused during compilation"));
        news.for_each(|line| {
            self.said.push_str(line);
            self.said.push('\n');
        });
        match output.status.success() {
            true => Ok(()),
            false => Err(Error::Compile(name.into(), std::mem::take(&mut self.said))),
        }
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
        let known = ["kernel", "blend"].map(String::from).into();
        let explain = |said: &str, has_library| explain(said, has_library, &known);
        let gnu = "ld: 0-a.o: in function `kernel':\na.c:5: undefined reference to `prinft'\n";
        assert!(explain(gnu, true).contains("nothing defines `prinft`; did you mean `printf`?"));
        let own = "ld.lld: error: undefined symbol: belnd\n>>> referenced by a.c:5\n";
        assert!(explain(own, true).contains("did you mean `blend`?"));
        let far = "ld.lld: error: undefined symbol: fopen\n>>> referenced by a.c:5\n";
        assert!(explain(far, true).contains("nothing defines `fopen`: no file"));
        let twice = "ld: 1-b.o: in function `kernel':\nb.c:1: multiple definition of `kernel'; 0-a.o:a.c:1: first defined here\n";
        assert_eq!(explain(twice, true), twice);
        let lld = "ld.lld: error: undefined symbol: __mulsf3\n>>> referenced by a.c\n";
        assert!(explain(lld, false).contains("soft float"));
        assert!(!explain(lld, true).contains("soft float"));
    }

    #[test]
    fn flags_that_cannot_be_are_refused_in_one_line() {
        let refused = |flag: &str| refuse(&[flag.into()]).map_err(|error| error.to_string());
        assert_eq!(refused("-flto=auto").unwrap_err().lines().count(), 1);
        assert!(refused("-pg").unwrap_err().starts_with("--cflag=-pg: "));
        assert_eq!(refused("-fno-lto"), Ok(()));
    }

    #[test]
    fn commands_can_be_typed_again() {
        let mut command = Command::new("cc");
        command.args(["-DX=\"a b\"", "it's", "plain"]);
        assert_eq!(words(&command), r#"cc '-DX="a b"' 'it'\''s' plain"#);
    }
}
