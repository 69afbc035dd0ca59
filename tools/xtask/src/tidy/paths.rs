//! Paths in pages and comments exist: `hdl/src/warp/core.rs` in text, and the targets of links in Markdown.

use super::{Finding, Source};
use regex_lite::Regex;
use std::path::Path;

/// Folders whose paths are looked at in running text.
const ROOTS: &str = "hdl|sim|isa|testbench|synth|weft|tools|kernels|docs|benches|constraints|compiler|runtime|examples";

pub fn check(sources: &[Source], root: &Path) -> Vec<Finding> {
    let plain = format!(r"(?:^|[\s`(\[])((?:{ROOTS})/[A-Za-z0-9_./-]*[A-Za-z0-9_])");
    let plain = Regex::new(&plain).expect("a valid pattern");
    let link = Regex::new(r"\]\(([^)\s#]+)(?:#[^)]*)?\)").expect("a valid pattern");
    let mut findings = Vec::new();
    for source in sources {
        let page =
            source.is(".md") && source.path != "CHANGELOG.md" && !source.within("docs/decisions/");
        let code = source.is(".rs") || source.is(".sv");
        for (line, text) in source.lines().filter(|_| page || code) {
            let text = match (page, text.split_once("//")) {
                (true, _) => text,
                (false, Some((_, comment))) => comment,
                (false, None) => continue,
            };
            let missing = |path: &str| Finding {
                path: source.path.clone(),
                line,
                text: format!("there is no {path}"),
            };
            let whole = plain.captures_iter(text).map(|c| c[1].to_string());
            let gone = whole.filter(|path| !root.join(path).exists());
            findings.extend(gone.map(|path| missing(&path)));
            if page {
                let here = root.join(&source.path);
                let folder = here.parent().unwrap_or(root);
                let targets = link.captures_iter(text).map(|c| c[1].to_string());
                let gone = targets.filter(|t| !t.contains("://") && !folder.join(t).exists());
                findings.extend(gone.map(|path| missing(&path)));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::super::source;
    use super::*;

    #[test]
    fn what_is_not_there_is_found_in_text_links_and_comments() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let sources = [
            source("docs/x.md", "See `tools/xtask/src/main.rs`, `hdl/src/gone.rs` and [a](gone.md), [b](tools.md#x)."),
            source(
                "hdl/src/x.rs",
                &format!("let path = \"hdl/src/also_gone.rs\"; {} as sim/src/gone.rs does", "//"),
            ),
        ];
        let found: Vec<_> = check(&sources, &root)
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(
            found,
            [
                "docs/x.md:1: there is no hdl/src/gone.rs",
                "docs/x.md:1: there is no gone.md",
                "hdl/src/x.rs:1: there is no sim/src/gone.rs",
            ]
        );
    }
}
