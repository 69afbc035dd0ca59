//! Programs: from source or binary, built, compiled, linked.

use crate::code::{ensure, fail, Code, Outcome};
use crate::context::Context;
use crate::object::{self, kind, lock, Ref};
use crate::query::Answer;
use opencl_sys::*;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use weft_cc::opencl::program::FailureKind;
use weft_cc::opencl::{self, Failure, Options, Source, Unit};
use weft_cc::Float;
use weft_toolbox::Toolbox;

pub struct Program {
    pub context: Ref<Context>,
    /// Empty of a binary or a linked one.
    source: String,
    state: Mutex<State>,
    /// Kernel objects there are.
    pub kernels: AtomicU32,
}
kind!(Program, CL_INVALID_PROGRAM);

#[derive(Default)]
struct State {
    status: Status,
    options: String,
    log: String,
    made: Made,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Status {
    #[default]
    None,
    Done,
    Failed,
    Goes,
}

#[derive(Clone, Default)]
enum Made {
    #[default]
    Nothing,
    /// Compiled and not linked, or a library.
    Units {
        units: Vec<Unit>,
        is_library: bool,
    },
    Executable(Arc<Executable>),
}

/// What kernels are made of.
pub struct Executable {
    pub program: opencl::Program,
    /// That of its first kernel among all executables of the process.
    first: u64,
}

impl Executable {
    fn new(program: opencl::Program) -> Arc<Executable> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let first = NEXT.fetch_add(program.kernels.len() as u64, Ordering::SeqCst);
        Arc::new(Executable { program, first })
    }

    /// That of a kernel among all of the process.
    pub fn number(&self, kernel: usize) -> u64 {
        self.first + kernel as u64
    }
}

/// First line of a binary: what it is, and for which float.
const MARK: &str = concat!("weft-opencl ", env!("CARGO_PKG_VERSION"), " ");
const EXECUTABLE: &str = "executable";
const OBJECTS: &str = "objects";
const LIBRARY: &str = "library";

impl Program {
    fn with(context: &Ref<Context>, source: String, state: State) -> Program {
        Program {
            context: context.clone(),
            source,
            state: Mutex::new(state),
            kernels: AtomicU32::new(0),
        }
    }

    pub fn of_source(context: &Ref<Context>, source: String) -> Program {
        Program::with(context, source, State::default())
    }

    /// # Errors
    /// It is none of ours, or of another device.
    pub fn of_binary(context: &Ref<Context>, binary: &[u8]) -> Outcome<Program> {
        let made = read(binary).ok_or(Code(CL_INVALID_BINARY))?;
        let state = State {
            made,
            ..State::default()
        };
        Ok(Program::with(context, String::new(), state))
    }

    fn options(&self, line: &str) -> Result<Options, Failure> {
        let options = Options {
            float: Float::Hard,
            ..Options::default()
        };
        options.parse(line)
    }

    /// A build begins.
    ///
    /// # Errors
    /// Another one is under way, or kernels of this program are held.
    fn begin(&self, line: &str) -> Outcome<State> {
        let mut state = lock(&self.state);
        ensure(state.status != Status::Goes, CL_INVALID_OPERATION)?;
        ensure(
            self.kernels.load(Ordering::SeqCst) == 0,
            CL_INVALID_OPERATION,
        )?;
        let begun = State {
            status: Status::Goes,
            options: line.into(),
            ..State::default()
        };
        Ok(std::mem::replace(&mut *state, begun))
    }

    fn end(&self, result: Result<(Made, String), Failure>, of_failure: cl_int) -> Outcome {
        let mut state = lock(&self.state);
        match result {
            Ok((made, log)) => {
                (state.status, state.log, state.made) = (Status::Done, log, made);
                Ok(())
            }
            Err(failure) => {
                state.status = Status::Failed;
                state.log = match failure.log.is_empty() {
                    true => format!("error: {}\n", failure.message),
                    false => failure.log,
                };
                fail(match failure.kind {
                    FailureKind::Options if of_failure == CL_LINK_PROGRAM_FAILURE => {
                        CL_INVALID_LINKER_OPTIONS
                    }
                    FailureKind::Options if of_failure == CL_COMPILE_PROGRAM_FAILURE => {
                        CL_INVALID_COMPILER_OPTIONS
                    }
                    FailureKind::Options => CL_INVALID_BUILD_OPTIONS,
                    FailureKind::Tools => CL_COMPILER_NOT_AVAILABLE,
                    FailureKind::Compile | FailureKind::Link => of_failure,
                })
            }
        }
    }

    /// `clBuildProgram`.
    ///
    /// # Errors
    /// It is not built; the log says why.
    pub fn build(&self, line: &str) -> Outcome {
        let before = self.begin(line)?;
        let toolbox = Toolbox::here();
        let build = || -> Result<(Made, String), Failure> {
            let options = self.options(line)?;
            let program = match (&before.made, self.source.is_empty()) {
                // A binary is built by linking what is not linked.
                (Made::Executable(executable), true) => {
                    return Ok((Made::Executable(executable.clone()), String::new()))
                }
                (Made::Units { units, .. }, true) => {
                    opencl::link(&toolbox, units, &options, &mut progress)?
                }
                _ => {
                    let source = Source::new("", self.source.as_str());
                    opencl::build(&toolbox, &source, &options, &mut progress)?
                }
            };
            let log = program.log.clone();
            Ok((Made::Executable(Executable::new(program)), log))
        };
        self.end(build(), CL_BUILD_PROGRAM_FAILURE)
    }

    /// `clCompileProgram`, with headers by name.
    ///
    /// # Errors
    /// It is not compiled; the log says why.
    pub fn compile(&self, line: &str, headers: Vec<(String, Ref<Program>)>) -> Outcome {
        ensure(!self.source.is_empty(), CL_INVALID_OPERATION)?;
        self.begin(line)?;
        let headers = headers.into_iter();
        let source = Source {
            name: String::new(),
            text: self.source.clone(),
            headers: headers
                .map(|(name, header)| (name, header.source.clone()))
                .collect(),
        };
        let compile = || -> Result<(Made, String), Failure> {
            let options = self.options(line)?;
            let unit = opencl::compile(&Toolbox::here(), &source, &options, &mut progress)?;
            let log = unit.log.clone();
            let made = Made::Units {
                units: vec![unit],
                is_library: false,
            };
            Ok((made, log))
        };
        self.end(compile(), CL_COMPILE_PROGRAM_FAILURE)
    }

    /// `clLinkProgram`: the new program is there even if linking fails.
    ///
    /// # Errors
    /// Programs that are not compiled.
    pub fn link(
        context: &Ref<Context>,
        line: &str,
        inputs: &[Ref<Program>],
    ) -> Outcome<(Program, Outcome)> {
        let mut all = Vec::new();
        for input in inputs {
            match &lock(&input.state).made {
                Made::Units { units, .. } => all.extend(units.iter().cloned()),
                _ => return fail(CL_INVALID_OPERATION),
            }
        }
        let program = Program::with(context, String::new(), State::default());
        program.begin(line)?;
        let (mine, others): (Vec<_>, Vec<_>) = line
            .split_whitespace()
            .partition(|word| ["-create-library", "-enable-link-options"].contains(word));
        let link = || -> Result<(Made, String), Failure> {
            let options = program.options(&others.join(" "))?;
            if mine.contains(&"-create-library") {
                let made = Made::Units {
                    units: all,
                    is_library: true,
                };
                return Ok((made, String::new()));
            }
            let linked = opencl::link(&Toolbox::here(), &all, &options, &mut progress)?;
            let log = linked.log.clone();
            Ok((Made::Executable(Executable::new(linked)), log))
        };
        let done = program.end(link(), CL_LINK_PROGRAM_FAILURE);
        Ok((program, done))
    }

    /// # Errors
    /// It is not built for any device.
    pub fn executable(&self) -> Outcome<Arc<Executable>> {
        let state = lock(&self.state);
        match &state.made {
            Made::Executable(executable) if state.status == Status::Done => Ok(executable.clone()),
            _ => fail(CL_INVALID_PROGRAM_EXECUTABLE),
        }
    }

    /// Empty as long as there is nothing.
    pub fn binary(&self) -> Vec<u8> {
        let (kind, body) = match &lock(&self.state).made {
            Made::Nothing => return Vec::new(),
            Made::Units { units, is_library } => {
                let kind = if *is_library { LIBRARY } else { OBJECTS };
                (kind, serde_json::to_vec(units))
            }
            Made::Executable(executable) => (EXECUTABLE, serde_json::to_vec(&executable.program)),
        };
        let mut binary = format!("{MARK}{kind}\n").into_bytes();
        binary.extend(body.expect("maps with names as keys"));
        binary
    }
}

/// What a compiler takes long for.
fn progress(line: &str) {
    eprintln!("weft: {line}");
}

fn read(binary: &[u8]) -> Option<Made> {
    let end = binary.iter().position(|&byte| byte == b'\n')?;
    let head = std::str::from_utf8(&binary[..end]).ok()?;
    let kind = head.strip_prefix(MARK)?;
    let body = &binary[end + 1..];
    match kind {
        EXECUTABLE => {
            let program = serde_json::from_slice(body).ok()?;
            Some(Made::Executable(Executable::new(program)))
        }
        OBJECTS | LIBRARY => Some(Made::Units {
            units: serde_json::from_slice(body).ok()?,
            is_library: kind == LIBRARY,
        }),
        _ => None,
    }
}

/// # Errors
/// There is no such question, or no answer yet. `CL_PROGRAM_BINARIES` is answered by [`Program::binary`].
pub fn info(program: &Ref<Program>, name: cl_program_info) -> Outcome<Answer> {
    let kernels = || {
        program
            .executable()
            .map(|executable| executable.program.kernels.clone())
    };
    Ok(match name {
        CL_PROGRAM_REFERENCE_COUNT => Answer::uint(object::count(program)),
        CL_PROGRAM_CONTEXT => Answer::handle(object::handle(&program.context)),
        CL_PROGRAM_NUM_DEVICES => Answer::uint(1),
        CL_PROGRAM_DEVICES => Answer::handle(object::handle(&program.context.device)),
        CL_PROGRAM_SOURCE => Answer::text(&program.source),
        CL_PROGRAM_BINARY_SIZES => Answer::size(program.binary().len()),
        CL_PROGRAM_NUM_KERNELS => Answer::size(kernels()?.len()),
        CL_PROGRAM_KERNEL_NAMES => {
            let names: Vec<_> = kernels()?.into_iter().map(|kernel| kernel.name).collect();
            Answer::text(&names.join(";"))
        }
        CL_PROGRAM_IL => Answer::nothing(),
        CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT | CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT => {
            Answer::flag(false)
        }
        _ => return fail(CL_INVALID_VALUE),
    })
}

/// # Errors
/// There is no such question.
pub fn build_info(program: &Ref<Program>, name: cl_program_build_info) -> Outcome<Answer> {
    let state = lock(&program.state);
    Ok(match name {
        CL_PROGRAM_BUILD_STATUS => Answer::int(match state.status {
            Status::None => CL_BUILD_NONE,
            Status::Done => CL_BUILD_SUCCESS,
            Status::Failed => CL_BUILD_ERROR,
            Status::Goes => CL_BUILD_IN_PROGRESS,
        }),
        CL_PROGRAM_BUILD_OPTIONS => Answer::text(&state.options),
        CL_PROGRAM_BUILD_LOG => Answer::text(&state.log),
        CL_PROGRAM_BINARY_TYPE => Answer::uint(match &state.made {
            Made::Nothing => CL_PROGRAM_BINARY_TYPE_NONE,
            Made::Units {
                is_library: true, ..
            } => CL_PROGRAM_BINARY_TYPE_LIBRARY,
            Made::Units { .. } => CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT,
            Made::Executable(_) => CL_PROGRAM_BINARY_TYPE_EXECUTABLE,
        }),
        CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE => Answer::size(0),
        _ => return fail(CL_INVALID_VALUE),
    })
}
