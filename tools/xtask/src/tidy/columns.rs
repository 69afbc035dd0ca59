//! Lines are at most 120 columns wide, so that two files stand side by side. Tables, links and URLs cannot be broken.
//! Of Rust only comments are looked at: the rest is rustfmt's.

use super::{Finding, Source};

const MOST: usize = 120;

pub fn check(sources: &[Source]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for source in sources.iter().filter(|s| is_written(s)) {
        for (line, text) in source.lines() {
            let columns = text.chars().count();
            let formatted = source.is(".rs") && !text.trim_start().starts_with("//");
            if columns > MOST && !formatted && !unbreakable(text) {
                findings.push(Finding {
                    path: source.path.clone(),
                    line,
                    text: format!("{columns} columns"),
                });
            }
        }
    }
    findings
}

/// By hand: no made Verilog, figures or assembly.
fn is_written(source: &Source) -> bool {
    [".rs", ".md", ".toml", ".sh", ".sv", ".h", ".c", ".py"]
        .iter()
        .any(|e| source.is(e))
        && source.path != "docs/performance.md"
}

fn unbreakable(text: &str) -> bool {
    let text = text.trim_start().trim_start_matches(['/', '!', ' ']);
    text.starts_with('|')
        || text
            .split_whitespace()
            .any(|word| word.chars().count() > MOST / 2)
}

#[cfg(test)]
mod tests {
    use super::super::source;
    use super::*;

    #[test]
    fn wide_lines_are_found_and_tables_are_not() {
        let wide = "word ".repeat(30);
        let text = format!(
            "short\n{wide}\n| {wide} |\n/// | {wide} |\nhttps://{}\n",
            "x".repeat(130)
        );
        let found = check(&[source("a.md", &text), source("docs/a.svg", &text)]);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].line, found[0].text.as_str()), (2, "150 columns"));
        let code = format!("let long = 1; // {wide}\n// {wide}\n");
        let found = check(&[source("a.rs", &code)]);
        assert_eq!(found.iter().map(|f| f.line).collect::<Vec<_>>(), [2]);
    }
}
