//! `cargo xtask tidy --figures`: how large the hardware's sources are.

use super::{arrows, wires, Source};
use std::io::{self, Write};

/// A kernel, by where it stands.
struct Kernel<'a> {
    path: &'a str,
    line: usize,
    lines: usize,
}

/// One line per figure.
pub fn write(sources: &[Source], out: &mut impl Write) -> io::Result<()> {
    let hdl: Vec<_> = sources
        .iter()
        .filter(|s| s.within("hdl/") && s.is(".rs"))
        .collect();
    let lines = |s: &Source| s.text.lines().count();
    let all: usize = hdl.iter().map(|s| lines(s)).sum();
    let tests: usize = hdl.iter().map(|s| of_tests(s)).sum();
    writeln!(
        out,
        "Rust in hdl: {all} lines in {} files, {tests} of them tests",
        hdl.len()
    )?;
    let mut files: Vec<_> = hdl
        .iter()
        .map(|s| (lines(s) - of_tests(s), lines(s), &s.path))
        .collect();
    files.sort_by(|a, b| b.cmp(a));
    for (code, lines, path) in files.iter().take(3) {
        writeln!(
            out,
            "long file: {path}, {lines} lines, {code} without its tests"
        )?;
    }
    let mut kernels: Vec<_> = hdl.iter().flat_map(|s| kernels(s)).collect();
    kernels.sort_by_key(|kernel| std::cmp::Reverse(kernel.lines));
    for Kernel { path, line, lines } in kernels.iter().take(3) {
        writeln!(out, "long kernel: {path}:{line}, {lines} lines")?;
    }
    writeln!(
        out,
        "kernels: {}, {} of them over 300 lines",
        kernels.len(),
        kernels.iter().filter(|k| k.lines > 300).count()
    )?;
    writeln!(out, "{}", wires::wires(sources))?;
    let long = wires::long(sources);
    let long: Vec<_> = long
        .iter()
        .map(|(block, n)| format!("{block} {n}"))
        .collect();
    writeln!(
        out,
        "more than eight parameters by position: {}",
        long.join(", ")
    )?;
    writeln!(
        out,
        "arrows between the wings of hdl: {}",
        arrows::across(sources)
    )?;
    for krate in arrows::CRATES {
        let of = arrows::of_crate(sources, krate);
        let count: usize = of.values().map(|to| to.len()).sum();
        let circles: Vec<_> = arrows::circles(&of).iter().map(|c| c.join(" ")).collect();
        writeln!(
            out,
            "arrows between the rooms of {krate}: {count}; circles: {}",
            circles.len()
        )?;
    }
    Ok(())
}

fn of_tests(source: &Source) -> usize {
    if source.is("tests.rs") || source.path.contains("/tests/") {
        return source.text.lines().count();
    }
    let after = source.text.split_once("#[cfg(test)]\nmod tests {");
    after.map_or(0, |(_, tests)| tests.lines().count() + 1)
}

/// Functions marked `#[hdl_gen]` or `#[part]`.
fn kernels(source: &Source) -> Vec<Kernel<'_>> {
    let mut found = Vec::new();
    let mut begin = None;
    let marked =
        |text: &str| text == "#[hdl_gen]" || text == "#[part]" || text.starts_with("#[part(");
    for (line, text) in source.lines() {
        let indent = text.len() - text.trim_start().len();
        match begin {
            None if marked(text.trim()) => begin = Some((line, indent)),
            Some((from, column)) if text.trim() == "}" && indent == column => {
                found.push(Kernel {
                    path: &source.path,
                    line: from + 1,
                    lines: line - from,
                });
                begin = None;
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::source;
    use super::*;

    #[test]
    fn a_kernel_ends_where_its_function_ends() {
        let text = "impl A {\n    #[hdl_gen]\n    fn update(&mut self) {\n        if x {\n        }\n    }\n}\n#[cfg(test)]\nmod tests {\n}\n";
        let source = source("hdl/src/a.rs", text);
        let found = kernels(&source);
        assert_eq!(
            found.iter().map(|k| (k.line, k.lines)).collect::<Vec<_>>(),
            [(3, 4)]
        );
        assert_eq!(of_tests(&source), 3);
    }

    #[test]
    fn a_part_is_a_kernel() {
        let text = "#[part(A, B)]\nfn update(&mut self) {\n    x;\n}\n\n#[part(\n    A<X>,\n    C\n)]\nfn update(&mut self) {\n    y;\n}\nimpl Logic for D {\n    #[part]\n    fn update(&mut self) {\n    }\n}\n";
        let source = source("hdl/src/a.rs", text);
        let found: Vec<_> = kernels(&source).iter().map(|k| (k.line, k.lines)).collect();
        assert_eq!(found, [(2, 3), (7, 6), (15, 2)]);
    }
}
