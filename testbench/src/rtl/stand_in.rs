//! A library that stands in for the model of a design, given in the environment: how every test and every program of
//! this crate runs on an altered design without knowing of it (`tools/mutate`).

use super::error::DutError;
use super::{specified, verilate};
use std::path::PathBuf;
use std::sync::OnceLock;
use weft_generate::Design;
use weft_verilog::Verilog;

/// `DESIGN|NUMBER|LIBRARY`.
pub const VARIABLE: &str = "WEFT_STAND_IN";

/// What stands in, and for whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StandIn {
    /// A design as it shows itself.
    pub design: String,
    /// Which of the copies in the library, as for broken ones.
    pub copy: u32,
    pub library: PathBuf,
}

impl StandIn {
    /// The value of [`VARIABLE`].
    pub fn text(&self) -> String {
        let StandIn {
            design,
            copy,
            library,
        } = self;
        format!("{design}|{copy}|{}", library.display())
    }

    fn read(text: &str) -> Option<StandIn> {
        let mut parts = text.splitn(3, '|');
        let (design, copy, library) = (parts.next()?, parts.next()?, parts.next()?);
        Some(StandIn {
            design: design.into(),
            copy: copy.parse().ok()?,
            library: library.into(),
        })
    }
}

/// What the environment says of this design.
///
/// # Panics
/// It says something that is no stand-in.
pub(super) fn of(design: &Design) -> Option<&'static StandIn> {
    static GIVEN: OnceLock<Option<StandIn>> = OnceLock::new();
    let given = GIVEN.get_or_init(|| {
        let text = std::env::var(VARIABLE).ok()?;
        let read = StandIn::read(&text);
        Some(read.unwrap_or_else(|| panic!("{VARIABLE}={text}: DESIGN|NUMBER|LIBRARY")))
    });
    given
        .as_ref()
        .filter(|given| given.design == design.to_string())
}

/// Makes the library of a design from other Verilog with the same ports.
///
/// # Errors
/// What keeps it from being made.
pub fn library(design: &Design, verilog: &Verilog) -> Result<PathBuf, DutError> {
    verilate::available().map_err(DutError::Unavailable)?;
    specified::check(design, &verilog.ports).map_err(DutError::Make)?;
    verilate::library(design, verilog, false, false).map_err(DutError::Make)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stand_in_is_read_as_it_was_written() {
        let one = StandIn {
            design: "weft_host, channels 5".into(),
            copy: 17,
            library: "/a|b/model.so".into(),
        };
        assert_eq!(StandIn::read(&one.text()), Some(one));
        for wrong in ["", "weft_host", "weft_host|x|model.so", "weft_host|1"] {
            assert_eq!(StandIn::read(wrong), None, "{wrong}");
        }
    }
}
