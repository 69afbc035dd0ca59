//! What the compiler found and did (COMP-100 to COMP-103): as text, as JSON, and as a picture (`picture.rs`).

use crate::{Lower, TokenKind};
use serde::Serialize;
use std::fmt;

/// A compilation, function by function.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Name of the source.
    pub source: String,
    /// What was asked for.
    pub lower: Lower,
    pub functions: Vec<FunctionReport>,
}

/// What became of a branch.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Treatment {
    /// All threads of a warp take it alike.
    Uniform,
    /// A token was placed where its threads meet.
    Token {
        kind: TokenKind,
        /// Line where they meet; `None`: at the return.
        join: Option<usize>,
    },
    /// The code that it guarded is predicated.
    Predicated,
    /// It narrows the active mask.
    Masked,
    /// Nothing was done, for this reason.
    Left(String),
}

/// A branch or indirect jump.
#[derive(Clone, Debug, Serialize)]
pub struct BranchReport {
    /// Line in the source, from 1.
    pub line: usize,
    pub text: String,
    /// Number of its block.
    pub block: usize,
    /// Why its threads may part; `None`: they cannot.
    pub diverges: Option<String>,
    /// Loops around it.
    pub depth: usize,
    pub treatment: Treatment,
}

/// A piece of a function by its use of registers: a loop that no other one contains, or the whole function.
#[derive(Clone, Debug, Serialize)]
pub struct SegmentReport {
    /// Lines from the first to the last instruction.
    pub lines: (usize, usize),
    /// Most registers that are live at once.
    pub registers: usize,
    /// What was made of it.
    pub form: String,
    /// Registers that live in it alone, and their names afterwards.
    pub renamed: Vec<(String, String)>,
}

/// A block of the graph.
#[derive(Clone, Debug, Serialize)]
pub struct BlockReport {
    /// First and last line.
    pub lines: (usize, usize),
    pub text: Vec<String>,
    /// Numbers of the blocks that follow, and whether the way is taken by a jump; one past the last block: the end.
    pub edges: Vec<(usize, bool)>,
}

/// One function.
#[derive(Clone, Debug, Serialize)]
pub struct FunctionReport {
    pub name: String,
    pub line: usize,
    pub instructions: usize,
    /// Why it was not changed.
    pub left_alone: Option<String>,
    /// Lines of jumps that could not be followed, and what they were taken for.
    pub unfollowed: Vec<(usize, String)>,
    /// A loop has more than one entrance.
    pub irreducible: bool,
    pub loops: usize,
    pub branches: Vec<BranchReport>,
    pub segments: Vec<SegmentReport>,
    /// With sub-vector loops by instructions: the first register that this function allows to be shared (COMP-126).
    pub shared_from: Option<u8>,
    /// Lines, and what was put there.
    pub placed: Vec<(usize, String)>,
    /// Warp instructions of the compiler's model, as part of those without lowering.
    pub cost: Option<f64>,
    pub blocks: Vec<BlockReport>,
}

impl Report {
    /// COMP-102
    ///
    /// # Panics
    /// Never: there is nothing in a report that JSON cannot hold.
    pub fn json(&self) -> String {
        serde_json::to_string_pretty(self)
            .expect("a report has no maps with other keys than strings")
    }
}

impl fmt::Display for Treatment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Treatment::Uniform => f.write_str("uniform: nothing to do"),
            Treatment::Token {
                kind,
                join: Some(line),
            } => write!(f, "{} token, threads meet in line {line}", kind.leave()),
            Treatment::Token { kind, join: None } => {
                write!(f, "{} token, threads meet at the return", kind.leave())
            }
            Treatment::Predicated => f.write_str("predicated"),
            Treatment::Masked => f.write_str("execution mask"),
            Treatment::Left(why) => write!(f, "left as it is: {why}"),
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: --lower {}", self.source, self.lower)?;
        for function in &self.functions {
            write!(f, "{function}")?;
        }
        Ok(())
    }
}

impl fmt::Display for FunctionReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, line) = (&self.name, self.line);
        writeln!(
            f,
            "\n{name} (line {line}): {} instructions, {} blocks, {} loops",
            self.instructions,
            self.blocks.len(),
            self.loops
        )?;
        if let Some(why) = &self.left_alone {
            writeln!(f, "  left alone: {why}")?;
        }
        if self.irreducible {
            writeln!(f, "  a loop has more than one entrance")?;
        }
        for (line, what) in &self.unfollowed {
            writeln!(f, "  line {line}: {what}")?;
        }
        for branch in &self.branches {
            writeln!(f, "  line {}: {}", branch.line, branch.text)?;
            if let Some(why) = &branch.diverges {
                writeln!(f, "    may part: {why}")?;
            }
            writeln!(f, "    {}", branch.treatment)?;
        }
        for segment in &self.segments {
            let (first, last) = segment.lines;
            write!(
                f,
                "  lines {first} to {last}: {} registers live at once, {}",
                segment.registers, segment.form
            )?;
            for (old, new) in &segment.renamed {
                write!(f, ", {old} is {new}")?;
            }
            writeln!(f)?;
        }
        if let Some(register) = self.shared_from {
            writeln!(f, "  registers from x{register} on can be shared")?;
        }
        for (line, what) in &self.placed {
            writeln!(f, "  line {line}: {what}")?;
        }
        if let Some(cost) = self.cost {
            writeln!(f, "  model: {cost:.2} of the warp instructions")?;
        }
        Ok(())
    }
}
