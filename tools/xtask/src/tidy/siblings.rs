//! Files of a folder do not name each other in a circle, by paths from `crate` or `super`. What methods call of a type
//! whose `impl` is in several files is not seen. (Between the rooms of a crate: `arrows.rs`.)

use super::arrows::{circles, Arrows, CRATES};
use super::{Finding, Source};
use std::collections::{BTreeMap, BTreeSet};

pub fn check(sources: &[Source]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for krate in CRATES {
        for (folder, arrows) in of_crate(sources, krate) {
            findings.extend(circles(&arrows).into_iter().map(|circle| Finding {
                path: format!("{krate}/src/{folder}"),
                line: 0,
                text: format!("{} use each other in a circle", circle.join(", ")),
            }));
        }
    }
    findings
}

/// Of each folder below `src`: from each of its modules to those of its modules that it names. Tests do not count, nor
/// does `mod.rs`, which its modules may use, and which uses them.
fn of_crate(sources: &[Source], krate: &str) -> BTreeMap<String, Arrows> {
    let root = format!("{krate}/src/");
    let files = sources.iter().filter_map(|source| {
        let path = source.path.strip_prefix(&root)?.strip_suffix(".rs")?;
        let mut module: Vec<_> = path.split('/').collect();
        if module.last() == Some(&"mod") {
            module.pop();
        }
        let test = path.ends_with("tests");
        (!test).then_some((module, &source.text))
    });
    let files: Vec<_> = files.collect();
    let modules: BTreeSet<_> = files.iter().map(|(module, _)| module.clone()).collect();
    let mut folders = BTreeMap::<String, Arrows>::new();
    for (module, text) in &files {
        let code = text.split("#[cfg(test)]\nmod tests {").next();
        for used in paths(code.unwrap_or_default(), module) {
            // Where the two part ways.
            let same = module.iter().zip(&used).take_while(|(a, b)| a == b).count();
            let (Some(from), Some(to)) = (module.get(same), used.get(same)) else {
                continue;
            };
            let mut other = module[..same].to_vec();
            other.push(to);
            if same > 0 && modules.contains(&other) {
                let arrows = folders.entry(module[..same].join("/")).or_default();
                let to = arrows.entry(from.to_string()).or_default();
                to.insert(other[same].to_string());
            }
        }
    }
    folders
}

/// What a module names by a path from `crate` or `super`, each from the crate's root on.
fn paths(code: &str, module: &[&str]) -> Vec<Vec<String>> {
    let code = code
        .lines()
        .map(|l| l.split("//").next().unwrap_or_default());
    let code = code.collect::<Vec<_>>().join("\n");
    let mut all = Vec::new();
    for anchor in ["crate::", "super::"] {
        for (at, _) in code.match_indices(anchor) {
            // Of a macro, in the middle of a path or of a word.
            let before = code[..at].chars().next_back();
            if before.is_some_and(|c| c == '$' || c == ':' || c == '_' || c.is_alphanumeric()) {
                continue;
            }
            expand(&code[at..], Vec::new(), &mut all);
        }
    }
    let from_root = |path: Vec<String>| {
        let ups = path.iter().take_while(|name| *name == "super").count();
        let base = match path.first().map(String::as_str) {
            Some("crate") => return path[1..].to_vec(),
            _ => &module[..module.len().saturating_sub(ups)],
        };
        let base = base.iter().map(|name| name.to_string());
        base.chain(path[ups..].iter().cloned()).collect()
    };
    all.into_iter().map(from_root).collect()
}

/// The paths of `a::{b, c::d}`; gives what follows them.
fn expand<'t>(text: &'t str, mut path: Vec<String>, all: &mut Vec<Vec<String>>) -> &'t str {
    let text = text.trim_start();
    if let Some(mut list) = text.strip_prefix('{') {
        loop {
            list = expand(list, path.clone(), all).trim_start();
            list = match list.strip_prefix(',') {
                Some(more) => more,
                None => return list.strip_prefix('}').unwrap_or(""),
            };
        }
    }
    let end = text.find(|c: char| c != '_' && !c.is_ascii_alphanumeric());
    let (name, rest) = text.split_at(end.unwrap_or(text.len()));
    if name.is_empty() && !rest.starts_with('*') {
        return rest;
    }
    path.extend((!name.is_empty()).then(|| name.to_string()));
    let rest = rest.strip_prefix('*').unwrap_or(rest);
    match rest.strip_prefix("::") {
        Some(more) if !name.is_empty() => expand(more, path, all),
        _ => {
            all.push(path);
            // `as` another name.
            let alias = rest.trim_start().strip_prefix("as ");
            alias.map_or(rest, |rest| {
                rest.trim_start_matches(|c: char| c == '_' || c.is_ascii_alphanumeric())
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::source;
    use super::*;

    #[test]
    fn a_circle_inside_a_folder_is_found() {
        let sources = [
            source(
                "sim/src/host/mod.rs",
                "mod a; pub use a::A; use crate::host::b::B;",
            ),
            source("sim/src/host/a.rs", "use super::{b::{B, self}, Host};"),
            source(
                "sim/src/host/b.rs",
                "use crate::{x::Y, host::c::{d::E as F, G}};",
            ),
            source("sim/src/host/c/mod.rs", "fn f() { super::a::g() }"),
            source("sim/src/host/c/d.rs", "use super::e; // super::super::a"),
            source(
                "sim/src/host/c/e.rs",
                "use super::*; $crate::host::c::d!();",
            ),
            source("sim/src/x.rs", "use crate::host::a;"),
        ];
        let found: Vec<_> = check(&sources).iter().map(Finding::to_string).collect();
        assert_eq!(found, ["sim/src/host: a, b, c use each other in a circle"]);
    }

    #[test]
    fn tests_may_use_what_they_test() {
        let sources = [
            source("sim/src/host/a.rs", "use super::b::B;"),
            source(
                "sim/src/host/b.rs",
                "#[cfg(test)]\nmod tests { use super::super::a; }",
            ),
            source("sim/src/host/tests.rs", "use super::{a, b};"),
        ];
        assert!(check(&sources).is_empty());
    }
}
