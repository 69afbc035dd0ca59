//! Words of the pages that make a reader stop, with better ones: `tools/xtask/words.toml` has how often each may be on the
//! pages, and a commit may only lower that. README is short enough to be read to its end.

use super::{Finding, Source};
use regex_lite::Regex;

const LIST: &str = "tools/xtask/words.toml";
/// Words of README at most.
const README: usize = 900;

/// An entry of the list.
#[derive(Default)]
struct Word<'a> {
    line: usize,
    word: &'a str,
    most: Option<usize>,
    better: &'a str,
}

pub fn check(sources: &[Source]) -> Vec<Finding> {
    let Some(list) = sources.iter().find(|source| source.path == LIST) else {
        return vec![finding(0, "there is no list of words".into())];
    };
    let pages = sources.iter().filter(|source| source.is(".md"));
    let pages = pages.map(|page| prose(&page.text));
    let pages: Vec<_> = pages.map(|page| (page.to_lowercase(), page)).collect();
    let mut findings = Vec::new();
    for entry in read(list) {
        let Word {
            line, word, better, ..
        } = entry;
        let Some(most) = entry
            .most
            .filter(|_| !word.is_empty() && !better.is_empty())
        else {
            findings.push(finding(
                line,
                "an entry without word, count or better".into(),
            ));
            continue;
        };
        let count = count(&pages, word);
        if count > most {
            let text = format!(
                "*{word}* is {count} times on the pages and may be {most} times; better: {better}"
            );
            findings.push(finding(line, text));
        }
    }
    let readme = sources.iter().find(|source| source.path == "README.md");
    let words = readme.map_or(0, |readme| readme.text.split_whitespace().count());
    if words > README {
        findings.push(Finding {
            path: "README.md".into(),
            line: 0,
            text: format!("{words} words, {README} at most"),
        });
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

/// `[[word]]`, and a line for each key.
fn read(list: &Source) -> Vec<Word<'_>> {
    let mut words: Vec<Word> = Vec::new();
    for (line, text) in list.lines() {
        if text.trim() == "[[word]]" {
            words.push(Word {
                line,
                ..Word::default()
            });
        }
        let (Some(word), Some((key, value))) = (words.last_mut(), text.split_once('=')) else {
            continue;
        };
        match (key.trim(), value.trim()) {
            ("word", value) => word.word = value.trim_matches('"'),
            ("count", value) => word.most = value.parse().ok(),
            ("better", value) => word.better = value.trim_matches(['[', ']']),
            _ => {}
        }
    }
    words
}

/// The page without blocks of code and what is between backquotes.
fn prose(page: &str) -> String {
    let mut fenced = false;
    let mut text = String::new();
    for line in page.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if !fenced {
            text.extend(line.split('`').step_by(2).flat_map(|part| [part, " "]));
            text.push('\n');
        }
    }
    text
}

/// As a word of its own: `stand-in` is not `stand`. Of two words the second may be on the next line.
/// `pages`: in small letters, and as they are.
fn count(pages: &[(String, String)], word: &str) -> usize {
    let first = word.split(' ').next().unwrap_or_default().to_lowercase();
    let words: Vec<_> = word.split(' ').map(regex_lite::escape).collect();
    let word = words.join(r"\s+");
    let pattern = format!(r"(?i)(?:^|[^\w-])({word})(?:$|[^\w-])");
    let pattern = Regex::new(&pattern).expect("a valid pattern");
    let of_page = |(small, page): &(String, String)| {
        let mut found = 0;
        // Most words are on few pages, and a pattern is slow.
        if !small.contains(&first) {
            return 0;
        }
        let mut from = 0;
        // What ends one word may begin the next.
        while let Some(at) = pattern.captures_at(page, from).and_then(|c| c.get(1)) {
            found += 1;
            from = at.end();
        }
        found
    };
    pages.iter().map(of_page).sum()
}

#[cfg(test)]
mod tests {
    use super::super::source;
    use super::*;

    fn found(list: &str) -> Vec<(usize, String)> {
        let page = "Told once, told\ntwice. It is under\nway. Untold, told-off, told_by, told told.\n\n```sh\ntold\n```\n`told`";
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
        let list = |told: usize| {
            format!(
                "# Words\n\n[[word]]\nword = \"told\"\ncount = {told}\nbetter = [\"reported\"]\nright = \"a story\"\n\n\
                 [[word]]\nword = \"under way\"\ncount = 1\nbetter = [\"in flight\"]\n"
            )
        };
        assert!(found(&list(4)).is_empty());
        assert!(found(&list(5)).is_empty());
        let more = found(&list(3));
        assert_eq!((more.len(), more[0].0), (1, 3));
        assert!(more[0].1.contains("4 times") && more[0].1.contains("better: \"reported\""));
    }

    #[test]
    fn an_entry_has_its_three_keys() {
        for list in [
            "[[word]]\nword = \"told\"\ncount = 9",
            "[[word]]\nword = \"told\"\ncount = many\nbetter = [\"reported\"]",
            "[[word]]\ncount = 9\nbetter = [\"reported\"]",
        ] {
            assert!(found(list)[0].1.contains("without"), "{list}");
        }
        assert_eq!(check(&[]).len(), 1);
    }

    #[test]
    fn a_readme_has_900_words_at_most() {
        let found = |words: usize| {
            let readme = source("README.md", &"word ".repeat(words));
            check(&[readme, source(LIST, "")])
        };
        assert_eq!(found(900), []);
        assert!(found(901)[0].text.contains("901 words"));
    }
}
