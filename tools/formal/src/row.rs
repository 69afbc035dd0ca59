//! What is printed while proofs run.

use crate::record::Proved;

/// A line of the table that is printed.
pub struct Row<'a> {
    name: &'a str,
    how: &'a str,
    width: usize,
}

impl<'a> Row<'a> {
    /// `width` is that of the column of names.
    pub fn new(name: &'a str, how: &'a str, width: usize) -> Self {
        Self { name, how, width }
    }

    pub fn known(&self, proved: &Proved) {
        let Row { name, how, width } = self;
        let Proved { result, date, .. } = proved;
        println!("{name:width$}  {how:24} {:>8}  {result} on {date}", "");
    }

    pub fn done(&self, seconds: f64, word: &str, notes: &[String]) {
        let Row { name, how, width } = self;
        println!("{name:width$}  {how:24} {seconds:8.1}  {word}");
        for note in notes {
            println!("{:width$}    {note}", "");
        }
    }
}
