//! The compiler's runs, lowering and links.

use super::options::Options;
use super::program::{
    AddressSpace, Argument, Failure, FailureKind, Kernel, Kind, Program, Source, Unit,
};
use super::signature::{self, KernelSignature, Signature};
use super::{unnamed, wrapper, ARGUMENTS, EXTENSIONS};
use crate::build::{Job, Unit as Step};
use crate::runtime::{write_whole, Runtime};
use crate::{build as c, helpers, lower, Compiler, Error, Family};
use object::{Object, ObjectSection, ObjectSymbol};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use weft_toolbox::Toolbox;

/// CL-001.
const OLDEST_CLANG: u32 = 19;
/// CL-003. Files of `cc/runtime/opencl/`, and the standard of those in OpenCL C; each uses those behind it.
const BUILTINS: [(&str, Option<&str>); 2] =
    [("builtins.cl", Some("-cl-std=CL1.2")), ("ids.c", None)];
/// Files for sources that call what has such a name: conversions, of which there are many, and what other versions of
/// the language have not (CL-025).
const ON_DEMAND: [(&str, &str, &[&str]); 2] = [
    ("convert.cl", "-cl-std=CL1.2", &["convert_"]),
    (
        "atomics.cl",
        "-cl-std=CL3.0",
        &["_explicit", "atomic_init", "atomic_work_item_fence"],
    ),
];
/// CL-014: for functions of the libraries.
const LIBRARY_STACK: u32 = 512;

/// Compiles and links one source (`clBuildProgram`). `progress` gets a line for what takes long.
///
/// # Errors
/// What is wrong with the source, the options or the tools.
pub fn build(
    toolbox: &Toolbox,
    source: &Source,
    options: &Options,
    progress: &mut dyn FnMut(&str),
) -> Result<Program, Failure> {
    let unit = compile(toolbox, source, options, progress)?;
    link(toolbox, &[unit], options, progress)
}

/// Compiles one source (`clCompileProgram`).
///
/// # Errors
/// As [`build`].
pub fn compile(
    toolbox: &Toolbox,
    source: &Source,
    options: &Options,
    progress: &mut dyn FnMut(&str),
) -> Result<Unit, Failure> {
    Run::new(toolbox, options, progress)?.compile(source)
}

/// Makes an executable of each kernel of these units (`clLinkProgram`).
///
/// # Errors
/// As [`build`]; a kernel that two units have.
pub fn link(
    toolbox: &Toolbox,
    units: &[Unit],
    options: &Options,
    progress: &mut dyn FnMut(&str),
) -> Result<Program, Failure> {
    let mut lines = Vec::new();
    let run = Run::new(toolbox, options, progress)?;
    let program = run.link(units, &mut lines);
    lines.iter().for_each(|line| progress(line));
    program
}

struct Run<'a> {
    toolbox: &'a Toolbox,
    compiler: Compiler,
    runtime: Runtime,
    options: &'a Options,
    dir: tempfile::TempDir,
}

fn failure(kind: FailureKind, error: Error) -> Failure {
    let log = error.output().unwrap_or_default().to_string();
    let message = error.to_string();
    match log.is_empty() {
        true => Failure {
            log: format!("error: {message}\n"),
            message,
            kind,
        },
        false => Failure { message, log, kind },
    }
}

fn tools(error: Error) -> Failure {
    failure(FailureKind::Tools, error)
}

fn io(what: &Path) -> impl FnOnce(std::io::Error) -> Failure + '_ {
    move |error| tools(Error::Io(what.display().to_string(), error))
}

/// Of a source that the compiler itself takes; `why` begins with the place.
fn refused(name: &str, why: &str) -> Failure {
    let (place, why) = why.split_once(": ").unwrap_or((name, why));
    let log = format!("{place}: error: {why}\n");
    failure(FailureKind::Compile, Error::Compile(name.into(), log))
}

impl<'a> Run<'a> {
    fn new(
        toolbox: &'a Toolbox,
        options: &'a Options,
        progress: &mut dyn FnMut(&str),
    ) -> Result<Run<'a>, Failure> {
        let named = options.compiler.as_deref().unwrap_or(Family::Zig.name());
        let compiler = Compiler::choose(toolbox, Some(named), options.float, progress);
        let compiler = compiler.map_err(tools)?;
        let refuse = |why: String| Err(tools(Error::NotACompiler(named.into(), why)));
        match compiler.family {
            Family::Gcc => return refuse("GCC has no OpenCL C; take zig, or a Clang".into()),
            Family::Clang if compiler.major().is_none_or(|n| n < OLDEST_CLANG) => {
                return refuse(format!(
                    "for OpenCL C Clang {OLDEST_CLANG} or newer is needed"
                ));
            }
            Family::Clang | Family::Zig => {}
        }
        Ok(Run {
            toolbox,
            compiler,
            runtime: Runtime::unpack(toolbox).map_err(tools)?,
            options,
            dir: tempfile::tempdir().map_err(io(Path::new("a temporary directory")))?,
        })
    }

    /// CL-002. What all compilations of OpenCL C have.
    fn command(&self) -> Command {
        let mut command = self.compiler.command();
        command.args(language()).args(CODE);
        command.arg("-include");
        command.arg(self.runtime.file("opencl/weft_cl.h"));
        if self.options.colour {
            command.arg("-fdiagnostics-color=always");
        }
        command
    }

    fn compile(&self, source: &Source) -> Result<Unit, Failure> {
        let dir = self.dir.path();
        for (name, text) in &source.headers {
            let path = dir.join("headers").join(name);
            let inside = Path::new(name).components();
            if inside
                .clone()
                .any(|part| !matches!(part, std::path::Component::Normal(_)))
            {
                return Err(failure(
                    FailureKind::Compile,
                    Error::Compile(
                        name.clone(),
                        format!("error: {name}: no name of a header\n"),
                    ),
                ));
            }
            write_whole(&path, text.as_bytes()).map_err(tools)?;
        }
        let name = match source.name.is_empty() {
            true => "<source>",
            false => &source.name,
        };
        let quoted = name.replace('\\', "\\\\").replace('"', "\\\"");
        let first_line = format!("#line 1 \"{quoted}\"\n");
        let (plain, whole) = (dir.join("plain.cl"), dir.join("whole.cl"));
        fs::write(&plain, format!("{first_line}{}", source.text)).map_err(io(&plain))?;
        let command = || {
            let mut command = self.command();
            command.args(&self.options.flags);
            command.arg("-I").arg(dir.join("headers"));
            command
        };
        // What there is, and what is wrong with it.
        let ir = dir.join("plain.ll");
        let mut first = command();
        first.args(["-cl-kernel-arg-info", "-emit-llvm", "-S"]);
        first.args(["-Xclang", "-ffake-address-space-map"]);
        first.args(["-Xclang", "-disable-llvm-passes"]);
        first.arg(&plain).arg("-o").arg(&ir);
        let mut step = Step::new(dir.join("unit.o"));
        let compiled = |result: Result<(), Error>| {
            result.map_err(|error| failure(FailureKind::Compile, error))
        };
        compiled(step.run(first, name))?;
        let log = std::mem::take(&mut step.said);
        let text_of_ir = fs::read(&ir).map_err(io(&ir))?;
        let mut signature = signature::read(&String::from_utf8_lossy(&text_of_ir));
        if let Some(why) = wrapper::unfit(&signature) {
            return Err(refused(name, &why));
        }
        // The same with wrappers; its warnings are known.
        let library = self.builtins(&signature.wanted)?;
        let named = unnamed::named(&source.text, name, &mut signature);
        let named = format!("{first_line}{named}{}", wrapper::source(&signature));
        fs::write(&whole, named).map_err(io(&whole))?;
        let (ir, raw) = (dir.join("whole.ll"), dir.join("whole.s"));
        let mut second = command();
        second.args(["-w", "-emit-llvm", "-S", "-Xclang", "-disable-llvm-passes"]);
        second.arg(&whole).arg("-o").arg(&ir);
        compiled(step.run(second, name)).map_err(|error| {
            match wrapper::refusal(&error.log, &signature) {
                Some(why) => refused(name, &why),
                None => error,
            }
        })?;
        let text = fs::read(&ir).map_err(io(&ir))?;
        let text = wrapper::with_shared(&String::from_utf8_lossy(&text), &signature.locals);
        let text = wrapper::with_own_names(&text);
        fs::write(&ir, text).map_err(io(&ir))?;
        let mut third = self.compiler.command();
        third.args(["-x", "ir", "-S", "-fstack-usage"]).args(CODE);
        let level = self
            .options
            .flags
            .iter()
            .filter(|flag| flag.starts_with("-O"));
        third.args(level);
        for file in &library {
            third.args(["-Xclang", "-mlink-builtin-bitcode", "-Xclang"]);
            third.arg(file);
        }
        third.arg(&ir).arg("-o").arg(&raw);
        compiled(step.run(third, name))?;
        let frames = frames(&dir.join("whole.su"));
        let assembly = fs::read(&raw).map_err(io(&raw))?;
        let assembly = String::from_utf8_lossy(&assembly);
        let assembly = wrapper::with_locals(&assembly, &signature.locals);
        let (lowered, _) = lower::lower(&assembly, name, &self.options.lowering)
            .map_err(|error| failure(FailureKind::Compile, error))?;
        let lowered = wrapper::with_own_printf(&lowered) + &wrapper::entries(&signature);
        fs::write(&raw, lowered).map_err(io(&raw))?;
        let mut assemble = self.compiler.command();
        assemble.arg("-c").arg(&raw).arg("-o").arg(&step.object);
        compiled(step.run(assemble, name))?;
        let object = fs::read(&step.object).map_err(io(&step.object))?;
        let kernels = signature.kernels.iter();
        let kernels = kernels.map(|kernel| described(kernel, &object, &signature, &frames));
        Ok(Unit {
            kernels: kernels.collect(),
            object,
            log,
        })
    }

    /// CL-003. The library's bitcode, made once for this compiler and this float.
    fn builtins(&self, wanted: &[String]) -> Result<Vec<PathBuf>, Failure> {
        let is_wanted = |parts: &[&str]| {
            let has = |name: &String| parts.iter().any(|part| name.contains(part));
            wanted.iter().any(has)
        };
        let more = ON_DEMAND.iter().filter(|(.., parts)| is_wanted(parts));
        let more = more.map(|(file, standard, _)| (*file, Some(*standard)));
        let made = more.chain(BUILTINS).map(|(file, standard)| {
            let tool = &self.compiler.tool;
            let key = (file, &tool.path, &tool.version, self.compiler.float);
            let made = self.runtime.made(&format!("{file}.bc"), key);
            if made.is_file() {
                return Ok(made);
            }
            let output = self.dir.path().join(format!("{file}.bc"));
            let mut command = match standard {
                Some(standard) => {
                    let mut command = self.command();
                    command.arg(standard);
                    command
                }
                None => self.compiler.command(),
            };
            command.args([
                "-O2",
                "-ffreestanding",
                "-fno-pic",
                "-Werror",
                "-emit-llvm",
                "-c",
            ]);
            command.arg(self.runtime.file(&format!("opencl/{file}")));
            command.arg("-o").arg(&output);
            Step::new(output.clone())
                .run(command, file)
                .map_err(tools)?;
            let bytes = fs::read(&output).map_err(io(&output))?;
            write_whole(&made, &bytes).map_err(tools)?;
            Ok(made)
        });
        made.collect()
    }

    fn link(&self, units: &[Unit], lines: &mut Vec<String>) -> Result<Program, Failure> {
        let linked = |error| failure(FailureKind::Link, error);
        let dir = self.dir.path();
        let mut objects = Vec::new();
        for (at, unit) in units.iter().enumerate() {
            let path = dir.join(format!("{at}.o"));
            fs::write(&path, &unit.object).map_err(io(&path))?;
            objects.push(path);
        }
        let options = c::Options {
            float: self.options.float,
            console: self.options.console,
            lowering: lower::Lowering {
                inputs: Vec::new(),
                ..self.options.lowering.clone()
            },
            verbose: self.options.verbose,
            ..c::Options::default()
        };
        let job = Job {
            compiler: &self.compiler,
            runtime: &self.runtime,
            options: &options,
            dir,
        };
        let library =
            helpers::library(&self.compiler, self.toolbox, &self.runtime).map_err(tools)?;
        let ours = job.libraries(&objects).map_err(tools)?;
        let all = [objects, ours].concat();
        let mut kernels = Vec::new();
        for kernel in units.iter().flat_map(|unit| &unit.kernels) {
            let entry = wrapper::start(&kernel.name);
            let elf = job.link(
                self.toolbox,
                Some(&entry),
                None,
                &all,
                library.as_deref(),
                &mut |line| lines.push(line.into()),
            );
            let elf = elf.map_err(|error| named(linked(error)))?;
            let local_bytes = weft_isa::elf::load_elf(&elf).map_or(0, |p| crate::shared(&p));
            kernels.push(Kernel {
                elf,
                local_bytes,
                ..kernel.clone()
            });
        }
        Ok(Program {
            kernels,
            log: units.iter().map(|unit| unit.log.as_str()).collect(),
        })
    }
}

/// CL-003: functions that nothing defines, by the names that the source has for them.
fn named(failure: Failure) -> Failure {
    let mut log = failure.log.clone();
    let mut names = Vec::new();
    for word in failure
        .log
        .split(|c: char| !(c.is_alphanumeric() || c == '_'))
    {
        let rest = word.strip_prefix("_Z").unwrap_or_default();
        let name = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        let length = rest[..rest.len() - name.len()].parse::<usize>();
        if let Some(name) = length.ok().and_then(|length| name.get(..length)) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    for name in names {
        log.push_str(&format!(
            "error: there is no function `{name}` for arguments of these types\n"
        ));
    }
    Failure { log, ..failure }
}

/// CL-002, of the language.
fn language() -> Vec<String> {
    let all = [
        "-x",
        "cl",
        "-cl-std=CL1.2",
        "-cl-no-stdinc",
        "-Xclang",
        "-fdeclare-opencl-builtins",
        "-g",
        "-ffreestanding",
        "-fno-common",
        "-fgnu89-inline",
        "-Wno-error=incompatible-pointer-types",
    ];
    let mut flags: Vec<String> = all.map(String::from).into();
    let extensions = EXTENSIONS.map(|name| format!("+{name}")).join(",");
    flags.extend(["-Xclang".into(), format!("-cl-ext={extensions}")]);
    flags
}

/// CL-002, of the code.
const CODE: [&str; 12] = [
    "-O2",
    "-fno-pic",
    "-fno-stack-protector",
    "-fno-asynchronous-unwind-tables",
    "-fno-unwind-tables",
    "-ffunction-sections",
    "-fdata-sections",
    "-mcmodel=medlow",
    "-mno-global-merge",
    // That of the driver leaves the case in which one loop reaches several variables; a variable in `__local` memory needs a
    // section of its own, by which it is known.
    "-mllvm",
    "-riscv-enable-global-merge=false",
    "-Wno-unused-command-line-argument",
];

/// Bytes of stack of each function, from `-fstack-usage`.
fn frames(path: &Path) -> BTreeMap<String, u32> {
    let text = fs::read_to_string(path).unwrap_or_default();
    let line = |line: &str| {
        let mut fields = line.split('\t');
        let name = fields.next()?.rsplit(':').next()?.to_string();
        Some((name, fields.next()?.parse().ok()?))
    };
    text.lines().filter_map(line).collect()
}

/// CL-014: the frames of the kernel and of everything that is no kernel.
fn private_bytes(kernel: &str, signature: &Signature, frames: &BTreeMap<String, u32>) -> u32 {
    let of_another = |function: &str| {
        let function = function
            .strip_prefix("__clang_ocl_kern_imp_")
            .unwrap_or(function);
        let function = function.strip_prefix("__weft_call_").unwrap_or(function);
        function != kernel && signature.kernels.iter().any(|other| other.name == function)
    };
    let own = frames.iter().filter(|(function, _)| !of_another(function));
    let sum: u32 = own.map(|(_, bytes)| bytes).sum();
    (sum + LIBRARY_STACK).next_multiple_of(16)
}

/// The words of a constant of the object.
fn words_of(object: &[u8], name: &str) -> Option<Vec<u32>> {
    let file = object::File::parse(object).ok()?;
    let symbol = file.symbols().find(|symbol| symbol.name() == Ok(name))?;
    let section = file.section_by_index(symbol.section_index()?).ok()?;
    let bytes = section.data_range(symbol.address(), symbol.size()).ok()??;
    let word = |b: &[u8]| u32::from_le_bytes([b[0], b[1], b[2], b[3]]);
    Some(bytes.chunks_exact(4).map(word).collect())
}

fn described(
    kernel: &KernelSignature,
    object: &[u8],
    signature: &Signature,
    frames: &BTreeMap<String, u32>,
) -> Kernel {
    let words = words_of(object, &wrapper::layout(&kernel.name)).unwrap_or_default();
    let word = |at: usize| words.get(at).copied().unwrap_or_default();
    let arguments = kernel.arguments.iter().enumerate().map(|(at, argument)| {
        let has = |qualifier: &str| argument.qualifiers.split(' ').any(|q| q == qualifier);
        Argument {
            name: argument.name.clone(),
            type_name: argument.type_name.clone(),
            base_type_name: argument.base_type_name.clone(),
            address_space: argument.space,
            access: argument.access,
            is_const: has("const"),
            is_restrict: has("restrict"),
            is_volatile: has("volatile"),
            kind: match argument.space {
                AddressSpace::Private => Kind::Value,
                AddressSpace::Global => Kind::GlobalPointer,
                AddressSpace::Constant => Kind::ConstantPointer,
                AddressSpace::Local => Kind::LocalPointer,
            },
            offset: ARGUMENTS + word(3 * at + 1),
            size: word(3 * at + 2),
            align: word(3 * at + 3),
        }
    });
    Kernel {
        name: kernel.name.clone(),
        arguments: arguments.collect(),
        block_size: ARGUMENTS + word(0),
        required_size: kernel.required_size,
        size_hint: kernel.size_hint,
        attributes: kernel.attributes.clone(),
        local_bytes: 0,
        private_bytes: private_bytes(&kernel.name, signature, frames),
        elf: Vec::new(),
    }
}
