//! Tables that commands write into a page, between two marks.

use crate::outputs;
use anyhow::{Context, Result};
use std::path::Path;

/// Puts `table` where the page has `<!-- NAME -->` and `<!-- end of NAME -->`.
pub fn put(page: &Path, name: &str, table: &str) -> Result<()> {
    let old = weft_isa::files::read_text(page).with_context(|| outputs::named("--book", page))?;
    outputs::write(
        "--book",
        page,
        changed(&old, name, table).with_context(|| outputs::named("--book", page))?,
    )
}

/// Before what goes into the page is measured: it has the place.
pub fn ready(page: &Path, name: &str) -> Result<()> {
    let old = weft_isa::files::read_text(page).with_context(|| outputs::named("--book", page))?;
    let place = changed(&old, name, "").with_context(|| outputs::named("--book", page));
    place.map(drop)
}

fn changed(old: &str, name: &str, table: &str) -> Result<String> {
    let (begin, end) = (
        format!("<!-- {name} -->\n"),
        format!("<!-- end of {name} -->\n"),
    );
    let parts = old.split_once(&begin).and_then(|(before, rest)| {
        let (_, behind) = rest.split_once(&end)?;
        Some(format!("{before}{begin}{table}{end}{behind}"))
    });
    parts.with_context(|| {
        format!(
            "no line {} with {} behind it",
            begin.trim_end(),
            end.trim_end()
        )
    })
}

/// Today, in UTC: `2026-11-29`.
pub fn today() -> String {
    let seconds = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let days = seconds.map_or(0, |seconds| seconds.as_secs() / 86_400);
    day(days)
}

/// The day that is so many behind 1 January 1970.
fn day(mut left: u64) -> String {
    let leap = |year: u64| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let mut year = 1970;
    while left >= 365 + u64::from(leap(year)) {
        left -= 365 + u64::from(leap(year));
        year += 1;
    }
    let months = [
        31,
        28 + u64::from(leap(year)),
        31,
        30,
        31,
        30,
        31,
        31,
        30,
        31,
        30,
        31,
    ];
    let mut month = 0;
    while left >= months[month] {
        left -= months[month];
        month += 1;
    }
    format!("{year}-{:02}-{:02}", month + 1, left + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_stands_between_its_marks() {
        let old = "a\n<!-- t -->\nold\n<!-- end of t -->\nb\n";
        let new = changed(old, "t", "new\n").unwrap();
        assert_eq!(new, "a\n<!-- t -->\nnew\n<!-- end of t -->\nb\n");
        for wrong in ["a\n", "<!-- end of t -->\n<!-- t -->\n"] {
            let told = changed(wrong, "t", "new\n").unwrap_err().to_string();
            assert_eq!(told, "no line <!-- t --> with <!-- end of t --> behind it");
        }
    }

    #[test]
    fn days_have_their_dates() {
        for (days, date) in [
            (0, "1970-01-01"),
            (789, "1972-02-29"),
            (790, "1972-03-01"),
            (20_786, "2026-11-29"),
        ] {
            assert_eq!(day(days), date);
        }
    }
}
