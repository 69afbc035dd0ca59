//! What each file of Rust may do: write `unsafe`, and name rust-hdl.

use super::{Finding, Source};

/// Crates that cannot do without `unsafe`, each with its reason. All others forbid it.
const UNSAFE: [(&str, &str); 7] = [
    ("hdl/", "a simulation is a library with a C interface"),
    ("judge/", "has a C interface"),
    ("opencl/", "is a C library"),
    ("python/", "the macros of its bindings write it"),
    ("runtime/bare/", "calls C"),
    ("runtime/c/", "has a C interface"),
    ("testbench/", "loads models"),
];
const FORBIDS: &str = "#![forbid(unsafe_code)]";

/// Files besides `tools/rtl` that name rust-hdl (`docs/decisions/0026-rust-hdl.md`).
const RUST_HDL: [&str; 3] = [
    "hdl/src/lib.rs",
    "hdl/src/simulation.rs",
    "hdl/src/stimulus.rs",
];

pub fn check(sources: &[Source]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for source in sources.iter().filter(|source| source.is(".rs")) {
        let find = |line, text: String| Finding {
            path: source.path.clone(),
            line,
            text,
        };
        let root = source.is("src/lib.rs") || source.is("src/main.rs");
        let needs = UNSAFE.iter().any(|(folder, _)| source.within(folder));
        if root && !needs && !source.lines().any(|(_, line)| line == FORBIDS) {
            let text = format!("the root of a crate without {FORBIDS}");
            findings.push(find(0, text));
        }
        if source.within("tools/rtl/") || RUST_HDL.contains(&&*source.path) {
            continue;
        }
        for (line, text) in source.lines() {
            let code = text.split("//").next().unwrap_or_default();
            let names = |part: &str| code.contains(&format!("rust_hdl_{part}"));
            if names("core") || names("widgets") {
                let text = "names rust-hdl, which is for tools/rtl alone".into();
                findings.push(find(line, text));
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
    fn a_crate_forbids_unsafe_or_is_in_the_list() {
        let text = format!("//! A crate.\n\n{FORBIDS}\n\npub mod a;\n");
        let found = check(&[
            source("isa/src/lib.rs", &text),
            source("sim/src/lib.rs", "//! Another.\npub mod b;\n"),
            source("sim/src/b.rs", "fn b() {}\n"),
            source("judge/src/lib.rs", "pub mod c;\n"),
        ]);
        let paths: Vec<_> = found.iter().map(|f| f.path.as_str()).collect();
        assert_eq!(paths, ["sim/src/lib.rs"]);
    }

    #[test]
    fn rust_hdl_is_named_where_it_may_be() {
        let text = "// rust_hdl_core is a word here\nuse rust_hdl_core::prelude::*;\n";
        let found = check(&[
            source("hdl/src/warp/core.rs", text),
            source("hdl/src/stimulus.rs", text),
            source("tools/rtl/src/elab.rs", text),
        ]);
        assert_eq!(found.len(), 1);
        assert_eq!(
            (found[0].path.as_str(), found[0].line),
            ("hdl/src/warp/core.rs", 2)
        );
    }
}
