//! Adding warp control to what the compiler has made: done by `weft-compiler`, which is not part of this build yet.

use crate::Error;
use std::fmt;
use std::str::FromStr;

/// What is added to the assembly of one thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Lower {
    /// Nothing: the warp converges where branches happen to meet.
    #[default]
    None,
    /// What the cost model says.
    Auto,
    /// Tokens at post-dominators, loop exits and returns.
    Tokens,
    /// Masks by nesting depth.
    Masks,
    /// Predicates for short paths.
    Predicate,
}

impl Lower {
    pub const ALL: [Lower; 5] = [
        Lower::None,
        Lower::Auto,
        Lower::Tokens,
        Lower::Masks,
        Lower::Predicate,
    ];
}

impl fmt::Display for Lower {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Lower::None => "none",
            Lower::Auto => "auto",
            Lower::Tokens => "tokens",
            Lower::Masks => "masks",
            Lower::Predicate => "predicate",
        })
    }
}

impl FromStr for Lower {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let all = Lower::ALL.into_iter();
        all.clone().find(|l| l.to_string() == text).ok_or_else(|| {
            let names: Vec<_> = all.map(|l| l.to_string()).collect();
            format!("one of {}", names.join(", "))
        })
    }
}

/// `--lower`, `--subvector`, `--loop-yield` (CC-005).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Lowering {
    pub lower: Lower,
    /// Registers of a thread above which a segment becomes a sub-vector loop.
    pub subvector: Option<String>,
    /// YIELD in loops that may wait for another thread.
    pub yields: bool,
}

/// The assembly of one thread with warp control in it.
///
/// # Errors
/// The lowering is not part of this build.
pub fn lower(source: String, lowering: &Lowering) -> Result<String, Error> {
    if lowering.lower != Lower::None {
        return Err(Error::Lowering(lowering.lower.to_string()));
    }
    if let Some(subvector) = &lowering.subvector {
        return Err(Error::Lowering(format!(
            "none with --subvector {subvector}"
        )));
    }
    if lowering.yields {
        return Err(Error::Lowering("none with yields in loops".into()));
    }
    Ok(source)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_there_is_refused_by_name() {
        let with = |lowering: Lowering| lower("nop\n".into(), &lowering);
        assert_eq!(with(Lowering::default()).unwrap(), "nop\n");
        for lower in &Lower::ALL[1..] {
            let lowering = Lowering {
                lower: *lower,
                ..Lowering::default()
            };
            let text = with(lowering).unwrap_err().to_string();
            assert!(text.contains(&format!("--lower {lower}")), "{text}");
        }
        let subvector = Some("16".into());
        let text = with(Lowering {
            subvector,
            ..Lowering::default()
        });
        assert!(text.unwrap_err().to_string().contains("--subvector 16"));
    }

    #[test]
    fn names_are_read_as_they_are_written() {
        for lower in Lower::ALL {
            assert_eq!(lower.to_string().parse(), Ok(lower));
        }
        assert!("all".parse::<Lower>().unwrap_err().contains("predicate"));
    }
}
