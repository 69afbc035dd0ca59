//! Assembler for the subset of GNU as that GCC's `-S` output for rv32ima/ilp32 uses, and Xweft.
//!
//! It assembles and links in one step: all symbols are resolved, the image is laid out from
//! 0x1000 as text, rodata, data, bss, each aligned to 16.
//!
//! Differences from GNU as: no macros, of conditional assembly `.ifdef` and `.ifndef` only;
//! `call` and `tail` are one `jal` where it reaches;
//! a conditional branch out of reach becomes an inverted branch over a jump;
//! numbers as branch targets are absolute addresses. Symbols `_end`, `end`, `__bss_start`,
//! `__bss_end`, `_etext`, `_edata`, `__data_start`, `__rodata_start` and `__global_pointer$` are
//! defined unless the program defines them.

mod cursor;
mod error;
mod expr;
mod float;
mod instructions;
mod layout;
mod lex;
mod parse;
mod unit;

use std::collections::HashSet;
use std::sync::Arc;

use crate::Program;
use error::Fault;
pub use error::{AsmError, AsmErrors, Span};
pub use expr::{Expr, ExprKind, Operator, Relocation};
pub use unit::{Common, Extent, Field, Item, Meaning, Output, Section, Slot, Symbol, Unit};

/// Reads one file without laying it out: its sections, what each statement puts there and where its text stands, and
/// its symbols.
/// For programs that change assembly: whoever keeps the text between the [`Extent`]s keeps comments, labels and all
/// directives.
///
/// # Errors
/// All errors of the statements. Symbols and ranges are not looked at.
pub fn read(source: &str, file_name: &str) -> Result<Unit, AsmErrors> {
    let (unit, faults) = parse::parse(0, source);
    match faults.is_empty() {
        true => Ok(unit),
        false => Err(to_errors(&[(file_name, source)], faults)),
    }
}

/// Whether one file of several can be assembled: [`read`], and what [`assemble_files`] says of it beside symbols that
/// other files may define.
///
/// # Errors
/// All errors of the statements, or, when these are right, those of local symbols, ranges and layout.
pub fn check(source: &str, file_name: &str) -> Result<(), AsmErrors> {
    let (unit, mut faults) = parse::parse(0, source);
    if faults.is_empty() {
        faults = layout::check(unit, source);
    }
    match faults.is_empty() {
        true => Ok(()),
        false => Err(to_errors(&[(file_name, source)], faults)),
    }
}

/// Assembles one file. `file_name` appears in error messages.
///
/// # Errors
/// All errors found: those of the statements, or, when the statements are right, those of symbols,
/// ranges and layout.
pub fn assemble(source: &str, file_name: &str) -> Result<Program, AsmErrors> {
    assemble_files(&[(file_name, source)])
}

/// Assembles several files, given as (name, source), into one program. `.globl` symbols are seen
/// by all files, others by their own file; code and data lie in the order of the files.
///
/// # Errors
/// As [`assemble`], over all files.
pub fn assemble_files(files: &[(&str, &str)]) -> Result<Program, AsmErrors> {
    let (units, faults): (Vec<_>, Vec<_>) = files
        .iter()
        .enumerate()
        .map(|(index, (_, source))| parse::parse(index, source))
        .unzip();
    let mut faults: Vec<Fault> = faults.into_iter().flatten().collect();
    if faults.is_empty() {
        match layout::link(units) {
            Ok(program) => return Ok(program),
            Err(found) => faults = found,
        }
    }
    Err(to_errors(files, faults))
}

/// In source order; an undefined symbol is reported at its first use only.
fn to_errors(files: &[(&str, &str)], mut faults: Vec<Fault>) -> AsmErrors {
    faults.sort_by_key(|fault| (fault.span.file, fault.span.start));
    let mut undefined = HashSet::new();
    faults.retain(|fault| {
        let is_undefined = fault.message.starts_with("undefined symbol");
        !is_undefined || undefined.insert((fault.span.file, fault.message.clone()))
    });
    let texts: Vec<Arc<str>> = files.iter().map(|(_, source)| Arc::from(*source)).collect();
    let to_error = |fault: Fault| {
        let file = fault.span.file;
        AsmError::new(fault, files[file].0, &texts[file])
    };
    AsmErrors::new(faults.into_iter().map(to_error).collect())
}
