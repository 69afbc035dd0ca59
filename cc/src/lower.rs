//! Adding warp control to what the compiler has made: by `weft-compiler`, in words that stock assemblers know.

use crate::{gnu, Error};
use weft_compiler::Report;
pub use weft_compiler::{Form, Input, Lower, SubVector, Yields};

/// `--lower`, `--subvector`, `--loop-yield`, `--load` (CC-005).
#[derive(Clone, Debug, Default)]
pub struct Lowering {
    pub lower: Lower,
    pub subvector: SubVector,
    pub form: Form,
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
    let options = weft_compiler::Options {
        lower: lowering.lower,
        subvector: lowering.subvector,
        form: lowering.form,
        yields: lowering.yields,
        whole: lowering.whole,
        inputs: lowering.inputs.clone(),
        mutation: lowering.mutation,
        ..weft_compiler::Options::default()
    };
    let output = weft_compiler::compile(source, name, &options)
        .map_err(|error| Error::Lower(name.into(), error.to_string()))?;
    Ok((gnu::from_xweft(&output.assembly), output.report))
}
