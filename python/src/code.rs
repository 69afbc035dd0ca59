//! What is compiled: kernels in C and in OpenCL C, with what they take.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use weft_cc::lower::Lowering;
use weft_cc::opencl::{self, Source};
use weft_cc::parameters::{self, Class, Field, FieldKind, Parameters, Scalar, Signature};
use weft_cc::{Error, Float};
use weft_toolbox::Toolbox;

/// One compilation.
pub struct Code {
    /// Among all of this process.
    pub number: u64,
    pub made: Made,
    /// What the compiler said though it was content.
    pub log: String,
}

pub enum Made {
    C { elf: Vec<u8>, signature: Signature },
    OpenCl(opencl::Program),
}

/// How it is compiled.
#[derive(Clone)]
pub struct Options {
    pub float: Float,
    pub compiler: Option<String>,
    /// As a command line has them.
    pub flags: Vec<String>,
    /// Bytes of the buffer for printf, all threads together.
    pub console: Option<u32>,
}

/// Nothing was made.
pub struct Failure {
    /// What compiler or linker said, with places, or else what is wrong in a line.
    pub text: String,
    /// The options are wrong, or no tool is there: not the source's fault.
    pub is_usage: bool,
}

/// A parameter of a kernel, or a variable, as Python checks it.
pub struct Parameter {
    pub name: String,
    pub type_name: String,
    /// `value`, `pointer` or `local`.
    pub kind: &'static str,
    /// Of the scalars in it, as numpy writes it: `f4`, `u1`; `None`: bytes.
    pub scalar: Option<String>,
    /// Sides of an array of them, or how many a vector has; of a scalar none.
    pub shape: Vec<u32>,
    pub is_const: bool,
    /// Bytes of the value.
    pub size: u32,
}

impl Code {
    fn new(made: Made, log: String) -> Code {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Code {
            number: NEXT.fetch_add(1, Ordering::Relaxed),
            made,
            log,
        }
    }

    /// Names of the kernels, and what each takes or why it cannot be launched from here.
    pub fn kernels(&self) -> Vec<(String, Result<Vec<Parameter>, String>)> {
        match &self.made {
            Made::C { signature, .. } => {
                let kernels = signature.kernels.iter();
                let parameters = |kernel: &parameters::Kernel| match &kernel.parameters {
                    Ok(Parameters::None) => Ok(Vec::new()),
                    Ok(Parameters::Word(field)) => Ok(vec![of_field(field)]),
                    Ok(Parameters::Struct(_, fields)) => Ok(fields.iter().map(of_field).collect()),
                    Err(why) => Err(why.clone()),
                };
                kernels.map(|k| (k.name.clone(), parameters(k))).collect()
            }
            Made::OpenCl(program) => {
                let kernels = program.kernels.iter();
                let parameters = |kernel: &opencl::Kernel| {
                    Ok(kernel.arguments.iter().map(of_argument).collect())
                };
                kernels.map(|k| (k.name.clone(), parameters(k))).collect()
            }
        }
    }

    /// Variables that a host can reach.
    pub fn variables(&self) -> Vec<Parameter> {
        match &self.made {
            Made::C { signature, .. } => signature.variables.iter().map(of_field).collect(),
            Made::OpenCl(_) => Vec::new(),
        }
    }
}

fn letters(scalar: Scalar) -> Option<String> {
    let class = match scalar.class {
        Class::Signed => 'i',
        Class::Unsigned => 'u',
        Class::Float => 'f',
        Class::Bool => 'b',
    };
    // numpy has no other.
    [1, 2, 4, 8]
        .contains(&scalar.size)
        .then(|| format!("{class}{}", scalar.size))
}

fn of_field(field: &Field) -> Parameter {
    let (kind, scalar, shape, is_const) = match &field.kind {
        FieldKind::Scalar(scalar) => ("value", letters(*scalar), Vec::new(), false),
        FieldKind::Array(scalar, sides) => ("value", letters(*scalar), sides.clone(), false),
        FieldKind::Pointer { to, is_const } => {
            ("pointer", to.and_then(letters), Vec::new(), *is_const)
        }
        FieldKind::Bytes => ("value", None, Vec::new(), false),
    };
    Parameter {
        name: field.name.clone(),
        type_name: field.type_name.clone(),
        kind,
        scalar,
        shape,
        is_const,
        size: field.size,
    }
}

fn of_argument(argument: &opencl::Argument) -> Parameter {
    let name = &argument.type_name;
    let base = &argument.base_type_name;
    let element = |name: &str| vector(name.trim_end_matches('*').trim());
    let (scalar, count) = element(name).or_else(|| element(base)).unzip();
    let (kind, pointer) = match argument.kind {
        opencl::Kind::Value => ("value", false),
        opencl::Kind::GlobalPointer | opencl::Kind::ConstantPointer => ("pointer", true),
        opencl::Kind::LocalPointer => ("local", true),
    };
    // What a pointer to pointers points to is not known to Python.
    let is_scalar = name.matches('*').count() <= 1 && base.matches('*').count() <= 1;
    Parameter {
        name: argument.name.clone(),
        type_name: name.clone(),
        kind,
        scalar: scalar.filter(|_| is_scalar),
        shape: count.filter(|&n| n > 1 && !pointer).into_iter().collect(),
        is_const: argument.is_const || argument.kind == opencl::Kind::ConstantPointer,
        size: argument.size,
    }
}

/// A scalar or vector type of OpenCL C: numpy's letters, and how many.
fn vector(name: &str) -> Option<(String, u32)> {
    // `uint __attribute__((ext_vector_type(4)))`, as the compiler writes `uint4` behind typedefs.
    if let Some((scalar, rest)) = name.split_once(" __attribute__((ext_vector_type(") {
        let count = rest.strip_suffix(")))")?.parse().ok()?;
        return Some((vector(scalar)?.0, count));
    }
    let scalar = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let count = match &name[scalar.len()..] {
        "" => 1,
        digits => digits.parse().ok()?,
    };
    let letters = match scalar {
        "char" => "i1",
        "uchar" | "unsigned char" => "u1",
        "short" => "i2",
        "ushort" | "unsigned short" => "u2",
        "int" => "i4",
        "uint" | "unsigned int" | "size_t" => "u4",
        "long" => "i8",
        "ulong" | "unsigned long" => "u8",
        "float" => "f4",
        // The compiler takes an integer of 4 bytes for one, and says no more.
        _ if name.starts_with("enum ") => return Some(("i4".into(), 1)),
        _ => return None,
    };
    Some((letters.into(), count))
}

/// Whether there is a checkout: the one around this folder, or the one that this was built in.
pub fn in_checkout() -> bool {
    let root = Toolbox::here();
    root.root().join("tools/toolbox/Cargo.toml").is_file()
}

/// The tools of the checkout, or where there is none those of this user.
pub fn toolbox() -> Toolbox {
    if in_checkout() {
        return Toolbox::here();
    }
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let home = || Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache"));
    let cache = cache.or_else(home).unwrap_or_else(std::env::temp_dir);
    Toolbox::at(cache.join("weft"))
}

/// Compiles OpenCL C; `name` is what messages call the text.
///
/// # Errors
/// As [`Failure`] says.
pub fn opencl(name: &str, text: &str, options: &Options) -> Result<Code, Failure> {
    let usual = opencl::Options {
        compiler: options.compiler.clone(),
        float: options.float,
        console: options.console,
        ..opencl::Options::default()
    };
    let failed = |failure: opencl::Failure| Failure {
        text: match failure.log.trim().is_empty() {
            true => failure.message,
            false => failure.log.trim_end().into(),
        },
        is_usage: !matches!(
            failure.kind,
            opencl::FailureKind::Compile | opencl::FailureKind::Link
        ),
    };
    let line = options.flags.iter().map(|flag| quoted(flag));
    let line = line.collect::<Vec<_>>().join(" ");
    let parsed = usual.parse(&line).map_err(failed)?;
    let source = Source::new(name, text);
    let program = opencl::build(&toolbox(), &source, &parsed, &mut progress).map_err(failed)?;
    let log = program.log.clone();
    Ok(Code::new(Made::OpenCl(program), log))
}

/// As one word for [`opencl::Options::parse`].
fn quoted(flag: &str) -> String {
    format!("\"{}\"", flag.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Compiles a file in C or C++.
///
/// # Errors
/// As [`Failure`] says.
pub fn c(file: &Path, options: &Options) -> Result<Code, Failure> {
    let cc = weft_cc::Options {
        compiler: options.compiler.clone(),
        float: options.float,
        flags: options.flags.clone(),
        console: options.console,
        lowering: Lowering {
            whole: true,
            ..Lowering::default()
        },
        ..weft_cc::Options::default()
    };
    let built = weft_cc::build(&toolbox(), &[file.into()], &cc, &mut progress);
    let built = built.map_err(|error| {
        let said = error.output().map(str::trim_end);
        Failure {
            text: match said.filter(|said| !said.is_empty()) {
                Some(said) => format!("{error}\n{said}"),
                None => error.to_string(),
            },
            is_usage: !matches!(
                error,
                Error::Compile(..) | Error::Link(..) | Error::Lower(..) | Error::Helpers(..)
            ),
        }
    })?;
    let signature = parameters::of_elf(&built.elf);
    let made = Made::C {
        elf: built.elf,
        signature,
    };
    Ok(Code::new(made, built.warnings))
}

/// What a compiler takes long for.
fn progress(line: &str) {
    eprintln!("weft: {line}");
}
