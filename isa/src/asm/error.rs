//! Source positions and error messages.

use std::fmt;
use std::sync::Arc;

use miette::{Diagnostic, LabeledSpan, NamedSource, SourceCode, SourceSpan};

/// Bytes `start..end` of one source file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    pub file: usize,
    pub start: usize,
    pub end: usize,
}

/// What is wrong, and where; becomes an [`AsmError`] once the source is at hand.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    pub span: Span,
    pub message: String,
    pub help: Option<String>,
}

impl Fault {
    pub fn new(span: Span, message: impl Into<String>) -> Fault {
        Fault {
            span,
            message: message.into(),
            help: None,
        }
    }
    pub fn help(self, help: impl Into<String>) -> Fault {
        Fault {
            help: Some(help.into()),
            ..self
        }
    }
    pub fn maybe_help(self, help: Option<String>) -> Fault {
        Fault { help, ..self }
    }
}

/// One error of an assembler run. Displays as `file:line:column: message` with the source line
/// and a mark under the place; as a [`Diagnostic`] it carries the same to miette.
#[derive(Clone)]
pub struct AsmError {
    message: String,
    help: Option<String>,
    source: NamedSource<Arc<str>>,
    span: SourceSpan,
    line: usize,
    column: usize,
}

impl AsmError {
    pub(super) fn new(fault: Fault, name: &str, text: &Arc<str>) -> AsmError {
        let start = fault.span.start.min(text.len());
        let length = fault
            .span
            .end
            .saturating_sub(start)
            .max(1)
            .min(text.len() - start);
        let before = text.get(..start).unwrap_or("");
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        AsmError {
            message: fault.message,
            help: fault.help,
            source: NamedSource::new(name, Arc::clone(text)),
            span: (start, length).into(),
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
        }
    }

    /// What is wrong, without the place.
    pub fn message(&self) -> &str {
        &self.message
    }
    /// A suggestion, when there is one.
    pub fn help(&self) -> Option<&str> {
        self.help.as_deref()
    }
    pub fn file(&self) -> &str {
        self.source.name()
    }
    /// Line number, from 1.
    pub fn line(&self) -> usize {
        self.line
    }
    /// Column in characters, from 1.
    pub fn column(&self) -> usize {
        self.column
    }
    /// The source line.
    pub fn source_line(&self) -> &str {
        self.source.inner().lines().nth(self.line - 1).unwrap_or("")
    }

    /// Spaces (and the tabs of the line) up to the place, then one caret per character of it.
    fn mark(&self) -> String {
        let line = self.source_line();
        let indent = line.chars().take(self.column - 1);
        let blank: String = indent.map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
        let rest = line.chars().count().saturating_sub(self.column - 1);
        blank + &"^".repeat(self.span.len().min(rest).max(1))
    }
}

impl fmt::Display for AsmError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (file, line, column) = (self.file(), self.line, self.column);
        writeln!(f, "{file}:{line}:{column}: {}", self.message)?;
        writeln!(f, "  | {}", self.source_line())?;
        write!(f, "  | {}", self.mark())?;
        match &self.help {
            Some(help) => write!(f, "\n  = help: {help}"),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for AsmError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl std::error::Error for AsmError {}

/// The message alone: miette shows place, line and help by itself.
#[derive(Clone)]
struct Shown(AsmError);

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl fmt::Debug for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl std::error::Error for Shown {}

impl Diagnostic for Shown {
    fn help(&self) -> Option<Box<dyn fmt::Display + '_>> {
        self.0
            .help
            .as_ref()
            .map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }
    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(&self.0.source)
    }
    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let label = LabeledSpan::new_with_span(Some("here".into()), self.0.span);
        Some(Box::new(std::iter::once(label)))
    }
}

/// All errors of an assembler run, in source order; never empty.
#[derive(Clone)]
pub struct AsmErrors {
    errors: Vec<AsmError>,
    shown: Vec<Shown>,
}

impl AsmErrors {
    pub(super) fn new(errors: Vec<AsmError>) -> AsmErrors {
        let shown = errors.iter().cloned().map(Shown).collect();
        AsmErrors { errors, shown }
    }
    pub fn errors(&self) -> &[AsmError] {
        &self.errors
    }
}

impl fmt::Display for AsmErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for error in &self.errors {
            writeln!(f, "{error}")?;
        }
        match self.errors.len() {
            1 => write!(f, "1 error"),
            count => write!(f, "{count} errors"),
        }
    }
}

impl fmt::Debug for AsmErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl std::error::Error for AsmErrors {}

impl Diagnostic for AsmErrors {
    fn related<'a>(&'a self) -> Option<Box<dyn Iterator<Item = &'a dyn Diagnostic> + 'a>> {
        Some(Box::new(
            self.shown.iter().map(|error| error as &dyn Diagnostic),
        ))
    }
}

/// The candidate that `word` is most likely a misspelling of.
pub(super) fn closest<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let allowed = match word.chars().count() {
        0..=1 => return None,
        2..=4 => 1,
        _ => 2,
    };
    let length = |text: &str| text.chars().count();
    // A letter that the other has not is an edit at least: by that most of many labels are out of the question.
    let has = |text: &str| text.bytes().fold(0u128, |set, b| set | 1 << (b & 0x7f));
    let may_be_near = |candidate: &&str| {
        let there = has(candidate);
        let missing = word.bytes().filter(|b| there >> (b & 0x7f) & 1 == 0);
        let plain = word.is_ascii() && candidate.is_ascii();
        !plain || word.len().abs_diff(candidate.len()) <= allowed && missing.count() <= allowed
    };
    let rated = candidates.into_iter().filter(may_be_near);
    let rated = rated.map(|candidate| {
        let other_length = length(candidate).abs_diff(length(word));
        (distance(word, candidate), other_length, candidate)
    });
    let near = rated.filter(|&(distance, ..)| distance <= allowed);
    near.min().map(|(.., candidate)| candidate)
}

/// Insertions, deletions, replacements and swaps of neighbours from `a` to `b`.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            if i == 0 || j == 0 {
                table[i][j] = i + j;
                continue;
            }
            let replaced = table[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            table[i][j] = replaced.min(table[i - 1][j] + 1).min(table[i][j - 1] + 1);
            let swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if swapped {
                table[i][j] = table[i][j].min(table[i - 2][j - 2] + 1);
            }
        }
    }
    table[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_counts_edits_and_swaps() {
        for (a, b, expected) in [
            ("addi", "addi", 0),
            ("adid", "addi", 1),
            ("ad", "add", 1),
            ("bezq", "beqz", 1),
            ("", "abc", 3),
        ] {
            assert_eq!(distance(a, b), expected, "{a} {b}");
        }
    }

    #[test]
    fn closest_refuses_far_words() {
        assert_eq!(closest("adddi", ["sub", "addi"]), Some("addi"));
        assert_eq!(closest("xyzzy", ["sub", "addi"]), None);
    }
}
