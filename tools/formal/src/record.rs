//! The record of what has been proved: `docs/proofs.md`, a table that this program reads and writes.
//!
//! A proof is a fact about texts. While Verilog, harness and script are what they were, it need not be found again.

use anyhow::{bail, Context, Result};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

const HEAD: &str = "\
# What has been proved, and when

Written by `cargo xtask formal`; [formal.md](formal.md) says what the proofs are about.
The last column is a digest of all that a proof reads: generated Verilog, with its defect if there is one, harness,
reference and script.
`cargo xtask formal`, and with it the gate, runs a proof only when there is no line here with the digest of today.
`cargo xtask formal --all --again` runs each of them anew.

| proof | how | result | seconds | date | digest |
| --- | --- | --- | --- | --- | --- |
";

/// Of what a memory is made is nothing to a proof: small ones, which mappers choose for, are read like those that are
/// block RAM, so that a change of kind makes no proof stale.
pub fn of_one_kind(verilog: &str) -> String {
    verilog.replace(
        "(* no_rw_check *)",
        "(* ram_style = \"block\", no_rw_check *)",
    )
}

/// What one proof reads, as 16 hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content(String);

impl Content {
    /// Of named texts. Names and lengths count, so that nothing can move from one text into the next.
    pub fn of<'a>(texts: impl IntoIterator<Item = (&'a str, &'a str)>) -> Content {
        let mut hash = Sha256::new();
        for (name, text) in texts {
            hash.update(format!("{} {name} {} ", name.len(), text.len()));
            hash.update(text);
        }
        let digits = hash
            .finalize()
            .iter()
            .take(8)
            .map(|b| format!("{b:02x}"))
            .collect();
        Content(digits)
    }
}

/// A proof that came out as it should.
#[derive(Clone, Debug, PartialEq)]
pub struct Proved {
    pub how: String,
    /// `ok`, or `found` of a defect.
    pub result: String,
    /// On the machine of that day, beside whatever else ran there.
    pub seconds: f64,
    /// YYYY-MM-DD, UTC.
    pub date: String,
    pub content: Content,
}

/// By name of the proof.
#[derive(Debug, Default, PartialEq)]
pub struct Record(BTreeMap<String, Proved>);

impl Record {
    pub fn path(root: &Path) -> PathBuf {
        root.join("docs/proofs.md")
    }

    /// No file is an empty record.
    ///
    /// # Errors
    /// A line of the table that is none, with file and line.
    pub fn read(path: &Path) -> Result<Record> {
        match fs::read_to_string(path) {
            Ok(text) => Record::parse(&text).with_context(|| path.display().to_string()),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Record::default()),
            Err(error) => Err(error).with_context(|| format!("reading {}", path.display())),
        }
    }

    fn parse(text: &str) -> Result<Record> {
        let mut record = Record::default();
        for (number, line) in text.lines().enumerate() {
            let cells: Vec<_> = line
                .trim()
                .trim_matches('|')
                .split('|')
                .map(str::trim)
                .collect();
            let is_row =
                line.starts_with('|') && cells[0] != "proof" && !cells[0].starts_with("---");
            if !is_row {
                continue;
            }
            let [name, how, result, seconds, date, digest] = cells[..] else {
                bail!("line {}: {} columns, not 6", number + 1, cells.len());
            };
            let seconds = seconds
                .parse()
                .with_context(|| format!("line {}: `{seconds}` seconds", number + 1))?;
            let proved = Proved {
                how: how.into(),
                result: result.into(),
                seconds,
                date: date.into(),
                content: Content(digest.into()),
            };
            if record.0.insert(name.into(), proved).is_some() {
                bail!("line {}: {name} again", number + 1);
            }
        }
        Ok(record)
    }

    /// The line of this proof, if it is about this content.
    pub fn of(&self, name: &str, content: &Content) -> Option<&Proved> {
        self.0.get(name).filter(|proved| proved.content == *content)
    }

    pub fn put(&mut self, name: &str, proved: Proved) {
        self.0.insert(name.into(), proved);
    }

    /// The proof did not come out as it should: what was known of it is about something else.
    pub fn forget(&mut self, name: &str) {
        self.0.remove(name);
    }

    /// Forgets proofs that there are no longer.
    pub fn keep(&mut self, is_one: impl Fn(&str) -> bool) {
        self.0.retain(|name, _| is_one(name));
    }

    /// Under another name first, so that an interruption leaves the old one.
    pub fn write(&self, path: &Path) -> Result<()> {
        let new = path.with_extension("md.new");
        fs::write(&new, self.to_string())
            .and_then(|()| fs::rename(&new, path))
            .with_context(|| format!("writing {}", path.display()))
    }
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(HEAD)?;
        for (name, proved) in &self.0 {
            let Proved {
                how,
                result,
                seconds,
                date,
                content,
            } = proved;
            writeln!(
                f,
                "| {name} | {how} | {result} | {seconds:.1} | {date} | {} |",
                content.0
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proved(content: &Content) -> Proved {
        Proved {
            how: "induction, k = 3".into(),
            result: "ok".into(),
            seconds: 12.5,
            date: "2026-11-26".into(),
            content: content.clone(),
        }
    }

    #[test]
    fn what_was_written_is_read_again_and_counts_only_for_its_content() {
        let content = Content::of([("unit.v", "module unit;"), ("proof.sby", "mode prove")]);
        let mut record = Record::default();
        record.put("unit", proved(&content));
        let again = Record::parse(&record.to_string()).unwrap();
        assert_eq!(again, record);
        assert!(again.of("unit", &content).is_some());
        assert!(again.of("other", &content).is_none());
        let others = [
            Content::of([("unit.v", "module unit; "), ("proof.sby", "mode prove")]),
            Content::of([("unit.v", "module unit;"), ("proof.sby", "mode bmc")]),
            Content::of([("unit.v", "module unit;mode prove"), ("proof.sby", "")]),
            Content::of([("other.v", "module unit;"), ("proof.sby", "mode prove")]),
        ];
        for other in others {
            assert!(again.of("unit", &other).is_none());
        }
    }

    #[test]
    fn a_bad_line_is_named() {
        let text = format!("{HEAD}| unit | step | ok | 1.0 | 2026-11-26 |\n");
        let lines = HEAD.lines().count();
        let error = Record::parse(&text).unwrap_err().to_string();
        assert_eq!(error, format!("line {}: 5 columns, not 6", lines + 1));
        let text = format!("{HEAD}| unit | step | ok | long | 2026-11-26 | 00 |\n");
        let error = Record::parse(&text).unwrap_err().to_string();
        assert_eq!(error, format!("line {}: `long` seconds", lines + 1));
    }
}
