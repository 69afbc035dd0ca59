//! How the hardware is wired: parameters by position, and values that only go from one place to another.
//!
//! Parameters of a larger block go by name (`hdl/src/sizes.rs`), and copies are carried (`carry!`, `tools/rtl/macros`).
//! Both records here may only shrink.

use super::{Finding, Source};

/// A block has so many parameters by position at most.
const MOST: usize = 8;

/// Blocks that have more, and how many. They come from before the rule.
const LONG: [(&str, usize); 3] = [("Board", 11), ("Host", 9), ("SelfTest", 11)];

/// Assignments `self.….next = self.….val();` in `hdl/src`.
const COPIES: usize = 3_518;

/// Blocks with more parameters by position than they may have; records that are too large.
pub fn positions(sources: &[Source]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut long = Vec::new();
    for source in hardware(sources) {
        for (line, block, count) in blocks(&source.text) {
            let record = LONG.iter().find(|(name, _)| *name == block);
            let may = record.map_or(MOST, |(_, count)| *count);
            if count > MOST {
                long.push((block.clone(), count));
            }
            if count > may {
                findings.push(Finding {
                    path: source.path.clone(),
                    line,
                    text: format!(
                        "{block} has {count} parameters by position, {may} at most: give it a list in hdl/src/sizes.rs"
                    ),
                });
            }
        }
    }
    let gone = |(name, count): &&(&str, usize)| !long.iter().any(|(n, c)| n == name && c >= count);
    findings.extend(LONG.iter().filter(gone).map(|(name, count)| Finding {
        path: file!().into(),
        line: 0,
        text: format!("{name} has no longer {count} parameters by position: shorten LONG"),
    }));
    findings
}

/// More copies than were there.
pub fn copies(sources: &[Source]) -> Vec<Finding> {
    let count = wires(sources).copies;
    let text = format!("{count} copies in hdl/src, {COPIES} at most: carry! them, or a bundle");
    let over = Finding {
        path: "hdl/src".into(),
        line: 0,
        text,
    };
    Vec::from_iter((count > COPIES).then_some(over))
}

/// What the kernels assign.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Wires {
    /// `self.….next = self.….val();`
    pub copies: usize,
    /// Every other assignment.
    pub others: usize,
    /// `carry!` and `spread!`, and the names in them.
    pub carries: usize,
    pub carried: usize,
}

impl std::fmt::Display for Wires {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let lines = self.copies + self.others;
        write!(
            f,
            "copies: {} of {lines} assignments ({} %); carried: {} values in {} lists",
            self.copies,
            100 * self.copies / lines.max(1),
            self.carried,
            self.carries
        )
    }
}

pub fn wires(sources: &[Source]) -> Wires {
    let mut all = Wires::default();
    for source in hardware(sources) {
        count(&source.text, &mut all);
    }
    all
}

/// Parameters by position of the blocks that have more than [`MOST`], largest first.
pub fn long(sources: &[Source]) -> Vec<(String, usize)> {
    let blocks = hardware(sources).flat_map(|source| blocks(&source.text));
    let long = blocks.filter(|(_, _, count)| *count > MOST);
    let mut long: Vec<_> = long.map(|(_, block, count)| (block, count)).collect();
    long.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    long
}

fn hardware(sources: &[Source]) -> impl Iterator<Item = &Source> {
    let is = |source: &&Source| source.within("hdl/src/") && source.is(".rs");
    sources.iter().filter(is)
}

/// Line, name and parameters by position of each struct.
fn blocks(text: &str) -> Vec<(usize, String, usize)> {
    let heads = text.match_indices("struct ").filter_map(|(at, word)| {
        let before = text[..at].lines().last().unwrap_or_default();
        if !matches!(before.trim(), "" | "pub" | "pub(super)" | "pub(crate)") {
            return None;
        }
        let rest = &text[at + word.len()..];
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_')?;
        let list = rest[end..].strip_prefix('<')?;
        // Up to the brackets of the list, or those of the fields.
        let list = &list[..list.find(['{', ';'])?];
        let line = text[..at].matches('\n').count() + 1;
        Some((line, rest[..end].into(), list.matches("const ").count()))
    });
    heads.collect()
}

fn count(text: &str, all: &mut Wires) {
    // Without blanks, so that a line break makes no difference.
    let code: String = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .flat_map(|line| line.chars().filter(|c| !c.is_whitespace()))
        .collect();
    for (at, _) in code.match_indices(".next=") {
        let Some((value, _)) = code[at + ".next=".len()..].split_once(';') else {
            continue;
        };
        let place = value
            .strip_prefix("self.")
            .and_then(|v| v.strip_suffix(".val()"));
        match place.is_some_and(is_place) {
            true => all.copies += 1,
            false => all.others += 1,
        }
    }
    let carries = code.match_indices("carry!(");
    for (at, word) in carries.chain(code.match_indices("spread!(")) {
        let Some((inside, _)) = code[at + word.len()..].split_once(");") else {
            continue;
        };
        all.carries += 1;
        let names = inside.rsplit(':').next().unwrap_or_default();
        all.carried += names.split(',').filter(|name| !name.is_empty()).count();
    }
}

/// A path: fields and what stands in brackets behind them.
fn is_place(path: &str) -> bool {
    let mut depth = 0;
    path.chars().all(|c| {
        match c {
            '[' => depth += 1,
            ']' => depth -= 1,
            _ => (),
        }
        depth > 0 || c.is_alphanumeric() || "_.]".contains(c)
    })
}

#[cfg(test)]
mod tests {
    use super::super::source;
    use super::*;

    fn with(count: usize) -> String {
        let list: Vec<_> = (0..count).map(|n| format!("const A{n}: usize")).collect();
        format!(
            "/// X.\npub struct Block<{}> {{\n    a: Bits<8>,\n}}\n",
            list.join(",\n    ")
        )
    }

    /// As they are recorded, so that only what is added is found.
    fn recorded() -> Vec<Source> {
        let long = LONG.iter().map(|(name, count)| {
            let text = with(*count).replace("Block", name);
            source(&format!("hdl/src/{name}.rs"), &text)
        });
        long.collect()
    }

    #[test]
    fn a_block_has_eight_parameters_by_position_at_most() {
        let found = |text: &str| {
            let mut sources = recorded();
            sources.push(source("hdl/src/a.rs", text));
            positions(&sources)
        };
        assert_eq!(found(&with(8)), []);
        assert_eq!(found("pub struct Block {\n}\n"), []);
        let nine = found(&with(9));
        assert_eq!((nine.len(), nine[0].line), (1, 2));
        assert!(nine[0]
            .text
            .starts_with("Block has 9 parameters by position, 8"));
        assert_eq!(
            long(&[source("hdl/src/a.rs", &with(9))]),
            [("Block".into(), 9)]
        );
    }

    #[test]
    fn the_record_of_long_blocks_may_only_shrink() {
        let (name, count) = LONG[0];
        let file = |count| source("hdl/src/a.rs", &with(count).replace("Block", name));
        let mut sources = recorded();
        sources[0] = file(count + 1);
        assert_eq!(positions(&sources).len(), 1);
        sources[0] = file(count - 1);
        let found = positions(&sources);
        assert!(found[0].text.contains("shorten LONG"), "{found:?}");
        sources.remove(0);
        assert_eq!(positions(&sources).len(), 1);
    }

    #[test]
    fn copies_are_counted_and_other_assignments_apart() {
        let text = "fn update(&mut self) {\n    self.a.next = self.b[i + 1].q.val();\n    self.c.next =\n        self.d.val();\n    // self.x.next = self.y.val();\n    self.e.next = !self.f.val();\n    self.g.next = self.h.val() & self.i.val();\n    self.j.next = self.k.val().get_bit(1);\n    carry!(self.a <- self.b: x, y = z);\n    carry!(self.a.*.d <- self.b:\n        v, w,\n    );\n    spread!(self <- self.c: m, n);\n}\n";
        let all = wires(&[source("hdl/src/a.rs", text), source("sim/src/a.rs", text)]);
        let expected = Wires {
            copies: 2,
            others: 3,
            carries: 3,
            carried: 6,
        };
        assert_eq!(all, expected);
        assert_eq!(
            all.to_string(),
            "copies: 2 of 5 assignments (40 %); carried: 6 values in 3 lists"
        );
    }

    #[test]
    fn the_number_of_copies_may_only_fall() {
        let one = "self.a.next = self.b.val();\n";
        let file = |count| [source("hdl/src/a.rs", &one.repeat(count))];
        assert_eq!(copies(&file(COPIES)), []);
        let more = copies(&file(COPIES + 1));
        assert!(more[0].text.starts_with(&format!("{} copies", COPIES + 1)));
    }
}
