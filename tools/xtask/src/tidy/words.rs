//! Words of the pages that make a reader stop, with a better one for each: `tools/xtask/words.toml` has how often each
//! stands on the pages, and that number may only fall.

use super::{Finding, Source};
use regex_lite::Regex;

const LIST: &str = "tools/xtask/words.toml";

/// A line of the list: `told = 12  # reported to, given`.
struct Word<'a> {
    word: &'a str,
    most: usize,
    better: &'a str,
}

pub fn check(sources: &[Source]) -> Vec<Finding> {
    let Some(list) = sources.iter().find(|source| source.path == LIST) else {
        return vec![finding(0, "there is no list of words".into())];
    };
    let mut findings = Vec::new();
    for (line, text) in list.lines() {
        let text = text.trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        let Some(word) = read(text) else {
            findings.push(finding(
                line,
                format!("not `word = number  # better`: {text}"),
            ));
            continue;
        };
        let count = count(sources, word.word);
        if count > word.most {
            findings.push(finding(
                line,
                format!(
                    "*{}* stands {count} times on the pages and may stand {} times; better: {}",
                    word.word, word.most, word.better
                ),
            ));
        }
    }
    findings
}

fn finding(line: usize, text: String) -> Finding {
    Finding {
        path: LIST.into(),
        line,
        text,
    }
}

fn read(text: &str) -> Option<Word<'_>> {
    let (word, rest) = text.split_once('=')?;
    let (most, better) = rest.split_once('#')?;
    Some(Word {
        word: word.trim().trim_matches('"'),
        most: most.trim().parse().ok()?,
        better: better.trim(),
    })
    .filter(|word| !word.word.is_empty() && !word.better.is_empty())
}

/// In all pages, as a word of its own, in capitals or not.
fn count(sources: &[Source], word: &str) -> usize {
    let words: Vec<_> = word.split(' ').map(regex_lite::escape).collect();
    let pattern = format!(r"(?i)\b{}\b", words.join(r"\s+"));
    let pattern = Regex::new(&pattern).expect("a valid pattern");
    let pages = sources.iter().filter(|source| source.is(".md"));
    pages
        .map(|page| pattern.find_iter(&page.text).count())
        .sum()
}

#[cfg(test)]
mod tests {
    use super::super::source;
    use super::*;

    fn found(list: &str) -> Vec<(usize, String)> {
        let page = "Told once, told\ntwice. It is under\nway. Untold. told_by";
        let sources = [
            source("docs/a.md", page),
            source("hdl/src/a.rs", "// told"),
            source(LIST, list),
        ];
        let findings = check(&sources);
        findings.into_iter().map(|f| (f.line, f.text)).collect()
    }

    #[test]
    fn a_word_may_not_become_more_frequent() {
        assert!(
            found("# words\ntold = 2  # reported\n\"under way\" = 1  # in flight\n").is_empty()
        );
        let more = found("told = 1  # reported\n");
        assert_eq!((more.len(), more[0].0), (1, 1));
        assert!(more[0].1.contains("2 times") && more[0].1.contains("better: reported"));
        assert!(found("\ntold = 3  # reported\n").is_empty());
    }

    #[test]
    fn a_list_that_cannot_be_read_is_no_list() {
        for line in [
            "told",
            "told = many  # reported",
            "told = 2",
            "= 2  # better",
        ] {
            assert!(found(line)[0].1.contains("not `word"), "{line}");
        }
        let nothing = check(&[]);
        assert_eq!(nothing.len(), 1);
    }
}
