//! Mutants that do the same as what they alter, with the reason: `testbench/mutants/` (a file per unit).
//!
//! They are found by what is written there, not by a number, so that a mark lasts while its statement does.

use crate::rule::Mutant;
use anyhow::{ensure, Context, Result};
use serde::Deserialize;
use std::path::Path;

/// One mark.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mark {
    pub module: String,
    /// As the list of survivors has it; nothing: any place in the module.
    pub under: Option<String>,
    pub was: String,
    /// Empty: it is left out.
    pub becomes: String,
    pub reason: String,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    equivalent: Vec<Mark>,
}

/// Those of a unit; none without a file.
///
/// # Errors
/// The file is none of marks, or one of them has no reason.
pub fn of_unit(root: &Path, unit: &str) -> Result<Vec<Mark>> {
    let path = root.join(format!("testbench/mutants/{unit}.toml"));
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error).with_context(|| path.display().to_string()),
    };
    read(&text).with_context(|| path.display().to_string())
}

fn read(text: &str) -> Result<Vec<Mark>> {
    let file: File = toml::from_str(text)?;
    for mark in &file.equivalent {
        let reason = !mark.reason.trim().is_empty();
        ensure!(reason, "`{}` in {}: no reason", mark.was, mark.module);
    }
    Ok(file.equivalent)
}

impl Mark {
    pub fn fits(&self, mutant: &Mutant) -> bool {
        let Mark {
            module,
            under,
            was,
            becomes,
            ..
        } = self;
        *module == mutant.module
            && *was == mutant.was
            && *becomes == mutant.becomes
            && under.as_ref().is_none_or(|under| *under == mutant.under)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::{sites, tests::design};

    #[test]
    fn a_mark_fits_by_what_is_written() {
        let text = "[[equivalent]]\nmodule = 'm'\nwas = 'q_q <= ~c;'\nbecomes = 'q_q <= c;'\nreason = 'nobody reads q'\n";
        let marks = read(text).unwrap();
        let all = sites(&design()).concat();
        let fits = |mark: &Mark| all.iter().filter(|m| mark.fits(m)).count();
        assert_eq!(fits(&marks[0]), 1);
        let under = |text: &str| Mark {
            under: Some(text.into()),
            ..marks[0].clone()
        };
        assert_eq!((fits(&under("reset else")), fits(&under("reset"))), (1, 0));
        let error = read(&text.replace("nobody reads q", " ")).unwrap_err();
        assert_eq!(error.to_string(), "`q_q <= ~c;` in m: no reason");
    }
}
