//! Adding warp control to what the compiler has made: by `weft-compiler`, in words that stock assemblers know.

use crate::{gnu, tls, Error};
use weft_compiler::Report;
pub use weft_compiler::{Form, Input, Lower, SubVector, Yields};
use weft_isa::AsmError;

/// `--lower`, `--subvector` and its form, `--loop-yield`, `--load` (CC-005).
#[derive(Clone, Debug, Default)]
pub struct Lowering {
    pub lower: Lower,
    pub subvector: SubVector,
    pub form: Form,
    /// Threads of a warp, and the lanes that it runs on, for [`Form::Copies`] and [`Form::Loop`]; of none, 32 on 8.
    pub parts: Option<(u32, u32)>,
    pub yields: Yields,
    /// There is one source, and nothing else calls its `kernel` (COMP-125, COMP-127).
    pub whole: bool,
    /// What the program will be given, for the choice of [`Lower::Auto`] (COMP-076); the runtime does not get it.
    pub inputs: Vec<Input>,
    /// For tests: a departure from docs/spec/compiler.md.
    #[doc(hidden)]
    pub mutation: Option<weft_compiler::Mutation>,
}

/// The assembly of one thread with warp control in it, and what was done.
///
/// # Errors
/// The lowering does not understand the compiler's text.
pub fn lower(source: &str, name: &str, lowering: &Lowering) -> Result<(String, Report), Error> {
    let usual = weft_compiler::Options::default();
    let (threads, lanes) = lowering.parts.unwrap_or((usual.threads, usual.lanes));
    let options = weft_compiler::Options {
        threads,
        lanes,
        lower: lowering.lower,
        subvector: lowering.subvector,
        form: lowering.form,
        yields: lowering.yields,
        whole: lowering.whole,
        inputs: lowering.inputs.clone(),
        mutation: lowering.mutation,
        ..usual
    };
    let source = tls::rewritten(source);
    let output = weft_compiler::compile(&source, name, &options).map_err(|error| match error {
        weft_compiler::Error::Source(errors) => not_understood(&source, name, errors.errors()),
        error => Error::Lower(name.into(), error.to_string()),
    })?;
    Ok((gnu::from_xweft(&output.assembly), output.report))
}

/// CC-006: one line, with the place in the source.
fn not_understood(assembly: &str, name: &str, errors: &[AsmError]) -> Error {
    let Some(first) = errors.first() else {
        return Error::Lower(name.into(), "no assembly".into());
    };
    let place = place(assembly, first.line()).unwrap_or_else(|| name.into());
    let line = first.source_line().trim();
    let mnemonic = line.split_whitespace().next().unwrap_or("");
    let float = mnemonic.starts_with('f') && !mnemonic.starts_with("fence");
    let why = if float {
        "the machine has no floating-point instructions; without -march the compiler calls functions for them".into()
    } else if mnemonic.starts_with("c.") || mnemonic.starts_with('v') {
        "no instruction of RV32IMA, which the machine has; do not set -march".into()
    } else if line.contains("tls") {
        "thread-local variables are there by -ftls-model=local-exec only".to_string()
    } else {
        first.message().to_string()
    };
    let more = match errors.len() - 1 {
        0 => String::new(),
        n => format!(" (and {n} more lines)"),
    };
    Error::Lower(place, format!("`{}`: {why}{more}", line.replace('\t', " ")))
}

/// File and line of the source that a line of a compiler's assembly was made for, by the `.loc` before it.
fn place(assembly: &str, line: usize) -> Option<String> {
    let before = assembly.lines().take(line);
    let loc = before
        .filter(|line| line.trim_start().starts_with(".loc"))
        .last()?;
    let mut words = loc.split_whitespace().skip(1);
    let (file, number) = (words.next()?, words.next()?);
    let files = assembly
        .lines()
        .filter(|line| line.trim_start().starts_with(".file"));
    let mut of = files.filter(|line| line.split_whitespace().nth(1) == Some(file));
    // `.file 1 "a.c"`, or `.file 1 "folder" "a.c"`.
    let name = of.next_back()?.split('"').skip(1).step_by(2).last()?;
    Some(format!("{name}:{number}"))
}
