//! Adds warp control to the assembly that GCC or Clang made for one thread. `docs/spec/compiler.md`.
//!
//! ```
//! let source = "kernel:\n\tbeqz a0, .L1\n\tnop\n.L1:\n\tret\n";
//! let output = weft_compiler::compile(source, "kernel.s", &weft_compiler::Options::default()).unwrap();
//! assert!(output.assembly.contains("ret"));
//! ```
//!
//! | module | what it does |
//! | --- | --- |
//! | `source` | reads the text, and edits it |
//! | `flow` | functions and their control-flow graphs |
//! | `graph` | dominators, post-dominators, loops |
//! | `divergence` | what may differ between the threads of a warp |
//! | `registers` | what instructions read and write; liveness |
//! | `tokens` | lowering by convergence tokens |
//! | `gather`, `masks` | regions and where threads wait in them; lowering by execution masks |
//! | `predicate` | lowering of short branches by predication |
//! | `threads` | what threads do, as far as the source says |
//! | `cost` | which tokens pay: warps are run over the graphs |
//! | `rounds` | rounds of loops by symbols: which ways back wait for other threads |
//! | `waiting` | these get a YIELD |
//! | `contest` | loops that one thread gets out of at a time |
//! | `subvector`, `entry` | segments that use many registers become sub-vector loops; the end of `kernel` |
//! | `report`, `picture` | what was found and done |

#![forbid(unsafe_code)]

mod addresses;
mod arithmetic;
mod contest;
mod cost;
mod divergence;
mod entry;
mod flow;
mod gather;
mod graph;
mod lower;
mod masks;
mod mutation;
mod picture;
mod predicate;
mod registers;
mod report;
mod rounds;
mod source;
mod subvector;
mod threads;
mod tokens;
mod waiting;

#[doc(hidden)]
pub use mutation::Mutation;
pub use report::{BlockReport, BranchReport, FunctionReport, Report, SegmentReport, Treatment};
pub use tokens::TokenKind;

use serde::Serialize;
use std::fmt;
use std::str::FromStr;
use weft_isa::AsmErrors;

/// How branches that part threads are lowered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Lower {
    /// For each branch what the cost model likes best.
    #[default]
    Auto,
    /// A token wherever one is possible.
    Tokens,
    /// Execution masks where the code has the form, else tokens.
    Masks,
    /// Predication where the code has the form, else tokens.
    Predicate,
    /// Nothing.
    None,
}

impl Lower {
    /// All of them.
    pub const ALL: [Lower; 5] = [
        Lower::Auto,
        Lower::Tokens,
        Lower::Masks,
        Lower::Predicate,
        Lower::None,
    ];
}

impl fmt::Display for Lower {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Lower::Auto => "auto",
            Lower::Tokens => "tokens",
            Lower::Masks => "masks",
            Lower::Predicate => "predicate",
            Lower::None => "none",
        })
    }
}

/// A word that stands for none of the choices.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{given}`: {expected} are possible")]
pub struct UnknownWord {
    given: String,
    expected: &'static str,
}

impl FromStr for Lower {
    type Err = UnknownWord;
    fn from_str(word: &str) -> Result<Lower, UnknownWord> {
        let known = Lower::ALL
            .into_iter()
            .find(|lower| lower.to_string() == word);
        known.ok_or_else(|| UnknownWord {
            given: word.into(),
            expected: "auto, tokens, masks, predicate, none",
        })
    }
}

/// Whether loops that wait for other threads get a YIELD.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Yields {
    #[default]
    Auto,
    /// Forced yields of the hardware do it too.
    Off,
}

impl FromStr for Yields {
    type Err = UnknownWord;
    fn from_str(word: &str) -> Result<Yields, UnknownWord> {
        match word {
            "auto" => Ok(Yields::Auto),
            "off" => Ok(Yields::Off),
            _ => Err(UnknownWord {
                given: word.into(),
                expected: "auto, off",
            }),
        }
    }
}

/// Which segments become sub-vector loops.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SubVector {
    #[default]
    Off,
    /// Those that use so many registers at once that fewer warps would be resident.
    Auto,
    /// Those that use at least so many registers at once.
    Threshold(u32),
}

impl SubVector {
    pub(crate) fn threshold(self) -> Option<usize> {
        match self {
            SubVector::Off => None,
            SubVector::Auto => Some(16),
            SubVector::Threshold(registers) => Some(registers as usize),
        }
    }
}

impl FromStr for SubVector {
    type Err = UnknownWord;
    fn from_str(word: &str) -> Result<SubVector, UnknownWord> {
        match word {
            "off" => Ok(SubVector::Off),
            "auto" => Ok(SubVector::Auto),
            _ => match word.parse() {
                Ok(registers @ 1..=31) => Ok(SubVector::Threshold(registers)),
                _ => Err(UnknownWord {
                    given: word.into(),
                    expected: "off, auto, 1 to 31",
                }),
            },
        }
    }
}

/// What a sub-vector loop is made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// `subv.start`.
    Mode,
    /// `subv.auto`: the hardware decides by cache misses.
    #[default]
    Measured,
    /// The code once for each part of the warp.
    Copies,
    /// A loop over the parts.
    Loop,
}

impl Form {
    /// By sub-vector instructions, so that registers can be shared.
    pub(crate) fn by_instructions(self) -> bool {
        matches!(self, Form::Mode | Form::Measured)
    }
}

impl FromStr for Form {
    type Err = UnknownWord;
    fn from_str(word: &str) -> Result<Form, UnknownWord> {
        match word {
            "mode" => Ok(Form::Mode),
            "measured" => Ok(Form::Measured),
            "copies" => Ok(Form::Copies),
            "loop" => Ok(Form::Loop),
            _ => Err(UnknownWord {
                given: word.into(),
                expected: "mode, measured, copies, loop",
            }),
        }
    }
}

/// A symbol, and the bytes that it gets before the run.
pub type Input = (String, Vec<u8>);

/// What to do with a source.
#[derive(Clone, Debug)]
pub struct Options {
    pub lower: Lower,
    pub yields: Yields,
    pub subvector: SubVector,
    pub form: Form,
    /// L, for [`Form::Copies`] and [`Form::Loop`].
    pub lanes: u32,
    /// W, likewise.
    pub threads: u32,
    /// The source is the whole program: the start file alone calls its `kernel`, and ends the thread behind it (COMP-125,
    /// COMP-127).
    pub whole: bool,
    /// For [`Lower::Auto`]: what the program will be given.
    /// If anything is named here, all other data is taken to be what the source says.
    pub inputs: Vec<Input>,
    /// For measurements, of [`Lower::Tokens`]: the tokens that are placed, in their order; of more, all.
    #[doc(hidden)]
    pub only: Vec<bool>,
    /// For measurements, of [`Lower::Tokens`]: whether a branch whose condition could be computed goes around (COMP-067),
    /// in their order; of more, the rule says it.
    #[doc(hidden)]
    pub around: Vec<bool>,
    /// For tests: a departure from the page.
    #[doc(hidden)]
    pub mutation: Option<Mutation>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            lower: Lower::Auto,
            yields: Yields::Auto,
            subvector: SubVector::Off,
            form: Form::Measured,
            lanes: 8,
            threads: 32,
            whole: false,
            inputs: Vec::new(),
            only: Vec::new(),
            around: Vec::new(),
            mutation: None,
        }
    }
}

/// A compiled source.
#[derive(Clone, Debug)]
pub struct Output {
    /// The source with warp control.
    pub assembly: String,
    pub report: Report,
}

/// Why a source cannot be compiled.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The assembler does not understand it; with the places.
    #[error(transparent)]
    Source(#[from] AsmErrors),
    /// For [`Form::Copies`] and [`Form::Loop`]: a warp of so many threads has no such parts.
    #[error("{threads} threads on {lanes} lanes: both are powers of two, at most 64, and no more lanes than threads")]
    Parts { threads: u32, lanes: u32 },
}

/// Adds warp control to an assembly source (COMP-001); with [`Lower::None`], and no sub-vector loops, none (COMP-002).
/// `name` appears in errors and in the report.
///
/// # Errors
/// The statements that the assembler does not understand; parts that a warp cannot have.
pub fn compile(source: &str, name: &str, options: &Options) -> Result<Output, Error> {
    let Options { threads, lanes, .. } = *options;
    let has_parts = threads.is_power_of_two() && lanes.is_power_of_two();
    let by_code = options.subvector != SubVector::Off && !options.form.by_instructions();
    if by_code && !(has_parts && lanes <= threads && threads <= 64) {
        return Err(Error::Parts { threads, lanes });
    }
    let read = |text: &str| {
        let mut source = source::Source::read(text, name)?;
        let functions = flow::functions(&source);
        let shapes: Vec<_> = functions.iter().map(graph::Shape::of).collect();
        if options.mutation != Some(Mutation::ArgumentsByConvention) {
            registers::find_given(&mut source, &functions, &shapes);
        }
        Ok::<_, Error>((source, functions, shapes))
    };
    let (mut source, mut functions, mut shapes) = read(source)?;
    if let Some(text) = entry::prepare(&source, &functions, &shapes, options) {
        (source, functions, shapes) = read(&text)?;
    }
    let Some(made) = subvector::prepare(&source, &functions, &shapes, options) else {
        return Ok(lower::lower(&source, &functions, &shapes, name, options));
    };
    let (source, functions, shapes) = read(&made.text)?;
    let mut output = lower::lower(&source, &functions, &shapes, name, options);
    for function in &mut output.report.functions {
        let own = made
            .segments
            .iter()
            .filter(|(name, _)| *name == function.name);
        function.segments = own.map(|(_, segment)| segment.clone()).collect();
        let number = functions.iter().position(|f| f.name == function.name);
        function.shared_from =
            number.and_then(|n| entry::shared_from(&source, &functions[n], &shapes[n], options));
    }
    Ok(output)
}
