//! Deliberately broken copies of units ([`super::broken`]), as tests take them: their models are made together.

pub use super::broken::{chosen, number, of, Fault, FAULT_SIZE};

use super::error::{DutError, RtlKind};
use super::library::{self, Wanted};
use weft_generate::Design;

/// Makes the models that these are in, on all processors: for tests that open one after the other.
///
/// # Errors
/// One that cannot be made.
pub fn prepare(
    copies: Vec<(Design, &'static Fault)>,
) -> Result<Vec<(Design, &'static Fault)>, DutError> {
    let mut designs: Vec<_> = copies.iter().map(|(design, _)| design.clone()).collect();
    designs.dedup();
    let wanted = |design| Wanted {
        kind: RtlKind::Verilated,
        design,
        breakable: true,
        waves: false,
    };
    library::prepare(&designs.into_iter().map(wanted).collect::<Vec<_>>())?;
    Ok(copies)
}
