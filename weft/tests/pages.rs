//! What pages say that a command prints is what it prints: docs/write.md, docs/profile.md and docs/debug.md, followed as a
//! reader does.
//!
//! On a page `…` stands for any lines, and at the end of a line for its rest; times are any times.
//! Numbers are those of the compiler that docs/write.md names; with another one here they are any numbers.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

#[path = "common/gdb.rs"]
mod gdb;
use gdb::gdb;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A page, and the folder in which it is followed.
struct Page {
    text: String,
    folder: tempfile::TempDir,
}

impl Page {
    fn open(name: &str) -> Page {
        let folder = tempfile::tempdir().unwrap();
        let kernels = root().canonicalize().unwrap().join("kernels");
        std::os::unix::fs::symlink(kernels, folder.path().join("kernels")).unwrap();
        Page {
            text: std::fs::read_to_string(root().join("docs").join(name)).unwrap(),
            folder,
        }
    }

    /// The first block of `kind` behind the first line that has these words.
    fn block(&self, behind: &str, kind: &str) -> &str {
        let (_, rest) = self
            .text
            .split_once(behind)
            .unwrap_or_else(|| panic!("no {behind:?}"));
        let start = format!("\n```{kind}\n");
        let (_, rest) = rest
            .split_once(&start)
            .unwrap_or_else(|| panic!("{behind:?}: no {kind}"));
        rest.split_once("\n```").unwrap().0
    }

    fn save(&self, file: &str, text: &str) {
        std::fs::write(self.folder.path().join(file), text).unwrap();
    }

    /// What a command prints, in a terminal: both streams in one.
    fn run(&self, line: &str, input: &str) -> String {
        let line = line.strip_prefix("cargo weft ").expect("a command of weft");
        assert!(self.text.contains(line), "the page has no {line}");
        self.save("input", input);
        let input = std::fs::File::open(self.folder.path().join("input")).unwrap();
        let output = Command::new("sh")
            .args([
                "-c",
                &format!("\"$0\" {line} 2>&1"),
                env!("CARGO_BIN_EXE_weft"),
            ])
            .current_dir(self.folder.path())
            .stdin(Stdio::from(input))
            .output()
            .unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    }
}

/// Without what differs from run to run: times, and with another compiler all numbers.
fn plain(line: &str, exactly: bool) -> String {
    let time = |word: &str, next: Option<&&str>| {
        let next = next.is_some_and(|next| next.trim_end_matches([',', ';']) == "s");
        next && word.parse::<f64>().is_ok()
    };
    let words: Vec<&str> = line.split_whitespace().collect();
    let words = words
        .iter()
        .enumerate()
        .map(|(at, word)| match time(word, words.get(at + 1)) {
            true => "TIME",
            false => word,
        });
    let line = words.collect::<Vec<_>>().join(" ");
    if exactly {
        return line;
    }
    let mut text = String::new();
    let mut characters = line.chars().peekable();
    while let Some(c) = characters.next() {
        if !c.is_ascii_digit() {
            text.push(c);
            continue;
        }
        // An address has letters, too.
        let hex = c == '0' && characters.next_if_eq(&'x').is_some();
        let digit = |c: &char| c.is_ascii_digit() || hex && c.is_ascii_hexdigit();
        while characters.next_if(digit).is_some() {}
        text.push('#');
    }
    text
}

/// Each line of the page is there, in this order; behind a `…` after others.
///
/// # Panics
/// It is not.
#[track_caller]
fn shows(page: &str, said: &str, exactly: bool) {
    let mut rest = said.lines();
    let mut skips = false;
    for line in page.lines() {
        if line == "…" {
            skips = true;
            continue;
        }
        let (line, open) = match line.strip_suffix(" …") {
            Some(line) => (plain(line, exactly), true),
            None => (plain(line, exactly), false),
        };
        let same = |said: &str| {
            let said = plain(said, exactly);
            said == line || open && said.starts_with(&line)
        };
        let found = match skips {
            true => rest.any(same),
            false => rest.next().is_some_and(same),
        };
        assert!(
            found,
            "the page says\n{page}\nwith the line {line:?}, and it prints\n{said}"
        );
        skips = false;
    }
}

/// Whether the compiler here is that of docs/write.md.
fn is_named(page: &Page, said: &str) -> bool {
    let compiler = |text: &str| {
        let mut lines = text.lines();
        let line = lines.find(|line| line.trim_start().starts_with("compiled by"));
        line.map(|line| line.trim().to_string())
    };
    let here = compiler(said).expect("the compiler is named");
    Some(here) == compiler(page.block("## 2. Run it", "text"))
}

fn write() -> (Page, String) {
    let page = Page::open("write.md");
    let source = page.block("Save this as `sum.c`", "c").to_string();
    page.save("sum.c", &source);
    (page, source)
}

#[test]
fn a_kernel_is_written_and_its_race_is_found() {
    let (page, source) = write();
    let said = page.run(page.block("## 2. Run it", "sh"), "");
    let exactly = is_named(&page, &said);
    let shown = page.block("## 2. Run it", "text");
    // The line of the compiler is another one with another compiler.
    let shown = match exactly {
        true => shown.to_string(),
        false => {
            let lines = shown
                .lines()
                .map(|line| match line.contains("compiled by") {
                    true => "…",
                    false => line,
                });
            lines.collect::<Vec<_>>().join("\n")
        }
    };
    shows(&shown, &said, exactly);

    let (before, after) = source.rsplit_once("weft_sync();").unwrap();
    page.save("sum.c", &format!("{before}{after}"));
    let said = page.run("cargo weft run sum.c --cta 32 --grid 4 --check", "");
    let race = page.block("finds the race", "text");
    shows(&format!("…\n{race}"), &said, exactly);
}

#[test]
fn a_breakpoint_stops_in_the_branch_that_is_wrong() {
    if gdb().is_none() {
        return;
    }
    let page = Page::open("debug.md");
    page.save(
        "distance.c",
        page.block("One side of the branch is wrong", "c"),
    );
    let said = page.run("cargo weft run distance.c --dump distance:24", "");
    if !is_named(&write().0, &said) {
        println!("SKIPPED: another compiler has other lines and addresses");
        return;
    }
    let session = page.block("starts GDB on it", "text");
    let (typed, shown): (Vec<_>, Vec<_>) = session.lines().partition(|l| l.starts_with("(gdb) "));
    let typed = typed.iter().map(|line| &line["(gdb) ".len()..]);
    let typed = typed.collect::<Vec<_>>().join("\n");
    let said = page.run(
        "cargo weft debug distance.c --gdb",
        &format!("set width 0\n{typed}\nkill\nquit\n"),
    );
    let said = said.replace("(gdb) ", "");
    // GDB says more than the page shows.
    let shown = shown
        .iter()
        .flat_map(|line| ["…", line])
        .collect::<Vec<_>>();
    shows(&shown.join("\n"), &said, true);
}

#[test]
#[ignore = "models of their own: cargo xtask long pages"]
fn profiles_are_those_of_the_hardware() {
    let (page, _) = write();
    let exactly = is_named(&page, &page.run(page.block("## 2. Run it", "sh"), ""));
    let said = page.run(page.block("## 4. A slow one", "sh"), "");
    shows(
        &format!("…\n{}", page.block("## 4. A slow one", "text")),
        &said,
        exactly,
    );
    let page = Page::open("profile.md");
    let said = page.run(page.block("# Where the time goes", "sh"), "");
    shows(
        &format!("…\n{}", page.block("# Where the time goes", "text")),
        &said,
        exactly,
    );
}

#[test]
fn what_is_not_printed_is_noticed() {
    shows("a 1 s\n…\nb …", "a 2 s\nx\nb c", true);
    let differs = |page: &'static str, said: &'static str, exactly| {
        std::panic::catch_unwind(|| shows(page, said, exactly)).is_err()
    };
    assert!(differs("a 1", "a 2", true) && !differs("a 1", "a 23", false));
    assert!(differs("a 0x1f:", "a 0x2e:", true) && !differs("a 0x1f:", "a 0xab0:", false));
    assert!(differs("a\nb", "a\nx\nb", true));
    assert!(differs("a\n…\nb", "a\nx", false));
    assert!(differs("b …", "a b c", false));
}
