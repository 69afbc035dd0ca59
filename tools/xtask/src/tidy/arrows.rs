//! Who may use whom: between crates, between the rooms of the hardware, and no circles among the rooms of a crate.
//!
//! A *room* is a module directly below a crate's root, or below a folder of rooms of the hardware (`OF_ROOMS`).
//! An *arrow* goes from a room to one that it names with `crate::`.

use super::{Finding, Source};
use std::collections::{BTreeMap, BTreeSet};

pub type Arrows = BTreeMap<String, BTreeSet<String>>;

/// Wings of the hardware: folders and files of `hdl/src`, and the wings that each may use besides itself.
/// Only `datapath` knows an instruction set; `warp` must work with any.
/// Codes of operations (`crate::warp::barrier::code`) are open to all.
const WINGS: [(&str, &[&str], &[&str]); 6] = [
    (
        "cells",
        &[
            "hdl",
            "bundles",
            "ports",
            "prim",
            "simulation",
            "sizes",
            "stimulus",
        ],
        &[],
    ),
    ("warp", &["warp"], &["cells"]),
    ("datapath", &["datapath"], &["cells"]),
    ("memory", &["memory"], &["cells"]),
    ("work", &["work"], &["cells"]),
    (
        "whole",
        &["board", "compute", "gpu", "sm"],
        &["cells", "warp", "datapath", "memory", "work"],
    ),
];

/// Folders of `hdl/src` that hold several rooms, each called `folder::room`.
const OF_ROOMS: [&str; 2] = ["warp", "work"];

/// Crates whose rooms are looked at, by their folders.
pub const CRATES: [&str; 21] = [
    "hdl",
    "hdl/ports",
    "sim",
    "testbench",
    "isa",
    "compiler",
    "weft",
    "tools/rtl",
    "tools/toolbox",
    "tools/xtask",
    "generate",
    "protocol",
    "runtime",
    "opencl",
    "python",
    "cc",
    "judge",
    "debug",
    "synth",
    "tools/formal",
    "tools/mutate",
];

pub fn check(sources: &[Source]) -> Vec<Finding> {
    let mut findings = between_crates(sources);
    findings.extend(between_wings(&of_crate(sources, "hdl")));
    for krate in CRATES {
        for circle in circles(&of_crate(sources, krate)) {
            findings.push(whole(
                &format!("{krate}/src"),
                format!("{} use each other in a circle", circle.join(", ")),
            ));
        }
    }
    findings
}

/// Arrows between different wings of the hardware.
pub fn across(sources: &[Source]) -> usize {
    let arrows = of_crate(sources, "hdl");
    let all = arrows
        .iter()
        .flat_map(|(from, to)| to.iter().map(move |to| (from, to)));
    all.filter(|(from, to)| {
        let (from, to) = (wing(from), wing(to));
        to.is_some_and(|w| w.0 != "cells") && from.map(|w| w.0) != to.map(|w| w.0)
    })
    .count()
}

fn whole(path: &str, text: String) -> Finding {
    Finding {
        path: path.into(),
        line: 0,
        text,
    }
}

fn wing(
    room: &str,
) -> Option<&'static (
    &'static str,
    &'static [&'static str],
    &'static [&'static str],
)> {
    let root = room.split("::").next()?;
    WINGS.iter().find(|(_, rooms, _)| rooms.contains(&root))
}

fn between_wings(arrows: &Arrows) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (from, to) in arrows {
        let Some((name, _, open)) = wing(from) else {
            let text = format!("{from} is in no wing (WINGS in tools/xtask/src/tidy/arrows.rs)");
            findings.push(whole("hdl/src/lib.rs", text));
            continue;
        };
        for other in to {
            let Some((wing, _, _)) = wing(other) else {
                continue;
            };
            if wing != name && !open.contains(wing) {
                let text =
                    format!("{from} ({name}) uses {other} ({wing}), which is not open to it");
                findings.push(whole(&format!("hdl/src/{}", from.replace("::", "/")), text));
            }
        }
    }
    findings
}

/// The code map of ARCHITECTURE.md says what each crate knows; its manifest says the same.
fn between_crates(sources: &[Source]) -> Vec<Finding> {
    let Some(page) = sources.iter().find(|s| s.path == "ARCHITECTURE.md") else {
        return Vec::new();
    };
    let mut findings = Vec::new();
    for (line, text) in page.lines() {
        let cells: Vec<_> = text.split('|').map(str::trim).collect();
        let [_, folder, krate, .., knows, ""] = cells.as_slice() else {
            continue;
        };
        let (Some(folder), Some(_)) = (ticked(folder).next(), ticked(krate).next()) else {
            continue;
        };
        let manifest = format!("{folder}Cargo.toml");
        let Some(manifest) = sources.iter().find(|s| s.path == manifest) else {
            continue;
        };
        let knows = knows.split(';').next().unwrap_or_default();
        let said: BTreeSet<_> = ticked(knows).map(str::to_string).collect();
        let used = dependencies(&manifest.text);
        if said != used && said != BTreeSet::from(["*".to_string()]) {
            let list = |set: &BTreeSet<String>| set.iter().cloned().collect::<Vec<_>>().join(", ");
            findings.push(Finding {
                path: page.path.clone(),
                line,
                text: format!(
                    "{folder} knows {}; its manifest says {}",
                    list(&said),
                    list(&used)
                ),
            });
        }
    }
    findings
}

fn ticked(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// The crates of the workspace below `[dependencies]`.
fn dependencies(manifest: &str) -> BTreeSet<String> {
    let below = manifest
        .split("\n[")
        .find_map(|s| s.strip_prefix("dependencies]"));
    let names = below.unwrap_or_default().lines().filter_map(|line| {
        let name = line.split(['.', ' ', '=']).next()?;
        (name == "weft" || name.starts_with("weft-")).then(|| name.to_string())
    });
    names.collect()
}

/// From each room of a crate to the rooms that it names. Tests do not count.
pub fn of_crate(sources: &[Source], krate: &str) -> Arrows {
    let folder = format!("{krate}/src/");
    let mut arrows = Arrows::new();
    for source in sources {
        let Some(path) = source
            .path
            .strip_prefix(&folder)
            .filter(|p| p.ends_with(".rs"))
        else {
            continue;
        };
        let mut parts = path.split('/').map(|part| part.trim_end_matches(".rs"));
        let root = parts.next().unwrap_or_default();
        let room = match parts.next() {
            Some(inner) if krate == "hdl" && OF_ROOMS.contains(&root) => format!("{root}::{inner}"),
            _ => root.to_string(),
        };
        if ["lib", "main", "warp::mod", "work::mod"].contains(&room.as_str())
            || path.ends_with("tests.rs")
        {
            continue;
        }
        let code = source
            .text
            .split("#[cfg(test)]\nmod tests {")
            .next()
            .unwrap_or_default();
        let to = arrows.entry(room.clone()).or_default();
        to.extend(named(code).into_iter().filter(|other| *other != room));
    }
    let rooms: BTreeSet<_> = arrows.keys().cloned().collect();
    // (A type that the root exports is no room.)
    arrows
        .values_mut()
        .for_each(|to| to.retain(|other| rooms.contains(other)));
    arrows
}

/// Rooms named by `crate::room` and `use crate::{room, other::…}`; behind a folder of rooms, by what follows it.
fn named(code: &str) -> BTreeSet<String> {
    let code: String = code
        .lines()
        .map(|l| l.split("//").next().unwrap_or_default().to_string() + "\n")
        .collect();
    let mut all = below(&code, "");
    all.retain(|room| !OF_ROOMS.contains(&room.as_str()));
    for folder in OF_ROOMS {
        all.extend(below(&code, &format!("{folder}::")));
    }
    all
}

/// What is named behind `crate::` and a folder, with that folder.
fn below(code: &str, folder: &str) -> BTreeSet<String> {
    let word = |text: &str| -> String {
        text.trim_start()
            .chars()
            .take_while(|c| c.is_ascii_alphanumeric() || *c == '_')
            .collect()
    };
    let mut all = BTreeSet::new();
    for (at, before) in code.match_indices(&format!("crate::{folder}")) {
        if code[..at].ends_with('$') {
            continue;
        }
        let rest = &code[at + before.len()..];
        if rest
            .trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_')
            .starts_with("::code")
        {
            continue;
        }
        match rest.strip_prefix('{') {
            None => _ = all.insert(word(rest)),
            Some(list) => {
                let (mut depth, mut start) = (0, 0);
                for (i, c) in list.char_indices() {
                    match c {
                        '{' => depth += 1,
                        '}' if depth == 0 => {
                            all.insert(word(&list[start..i]));
                            break;
                        }
                        '}' => depth -= 1,
                        ',' if depth == 0 => {
                            all.insert(word(&list[start..i]));
                            start = i + 1;
                        }
                        _ => {}
                    }
                }
            }
        }
    }
    all.remove("");
    all.into_iter()
        .map(|room| format!("{folder}{room}"))
        .collect()
}

/// Sets of rooms each of which comes back to itself over the others.
pub fn circles(arrows: &Arrows) -> Vec<Vec<String>> {
    let reach = |from: &String| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![from]);
        while let Some(room) = open.pop() {
            for next in arrows.get(room).into_iter().flatten() {
                if seen.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
        seen
    };
    let all: BTreeMap<_, _> = arrows.keys().map(|room| (room, reach(room))).collect();
    let circle = |(room, to): (&&String, &BTreeSet<String>)| {
        let back = to
            .iter()
            .filter(|other| all.get(other).is_some_and(|b| b.contains(*room)));
        let circle: Vec<_> = back.cloned().collect();
        (circle.len() > 1).then_some(circle)
    };
    let unique: BTreeSet<_> = all.iter().filter_map(circle).collect();
    unique.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::super::source;
    use super::*;

    #[test]
    fn an_arrow_that_no_wing_allows_is_found() {
        let sources = [
            source(
                "hdl/src/memory/axi.rs",
                "use crate::{hdl::*, datapath::decode::{A, B}};",
            ),
            source(
                "hdl/src/datapath/mod.rs",
                "use crate::warp::convergence::code; // crate::memory",
            ),
            source("hdl/src/warp/convergence/code.rs", ""),
            source(
                "hdl/src/warp/scheduler/mod.rs",
                "use crate::warp::{cta::Cta, convergence}; use crate::work::tasks::Tasks;",
            ),
            source("hdl/src/warp/mod.rs", "pub use crate::warp::scheduler;"),
            source("hdl/src/work/tasks/mod.rs", ""),
            source("hdl/src/attic.rs", ""),
            source("hdl/src/hdl.rs", ""),
        ];
        let found: Vec<_> = between_wings(&of_crate(&sources, "hdl"))
            .into_iter()
            .map(|f| f.text)
            .collect();
        assert_eq!(found.len(), 3, "{found:?}");
        assert!(found[0].contains("attic is in no wing"), "{found:?}");
        assert!(
            found[1].contains("memory (memory) uses datapath (datapath)"),
            "{found:?}"
        );
        assert!(
            found[2].contains("warp::scheduler (warp) uses work::tasks (work)"),
            "{found:?}"
        );
        assert_eq!(across(&sources), 2);
    }

    #[test]
    fn a_circle_is_found() {
        let sources = [
            source("isa/src/a.rs", "use crate::b::X;"),
            source("isa/src/b/mod.rs", "fn f() { crate::c::f() }"),
            source("isa/src/c.rs", "use crate::{a, d};"),
            source("isa/src/d.rs", "#[cfg(test)]\nmod tests { use crate::a; }"),
            source("judge/src/lib.rs", ""),
        ];
        let found: Vec<_> = check(&sources).into_iter().map(|f| f.text).collect();
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains("a, b, c use each other"), "{found:?}");
    }

    #[test]
    fn the_code_map_says_what_the_manifests_say() {
        let page = "| `sim/` | `weft-sim` | model | `weft-isa`; in its tests `weft-cc` |\n| `cc/` | `weft-cc` | C | – |\n";
        let sources = [
            source("ARCHITECTURE.md", page),
            source("sim/Cargo.toml", "[package]\n\n[dependencies]\nweft-isa.workspace = true\nserde = \"1\"\n\n[dev-dependencies]\nweft-cc.workspace = true\n"),
            source("cc/Cargo.toml", "[package]\n\n[dependencies]\nweft-isa = { path = \"../isa\" }\n"),
        ];
        let found: Vec<_> = between_crates(&sources)
            .iter()
            .map(Finding::to_string)
            .collect();
        assert_eq!(
            found,
            ["ARCHITECTURE.md:2: cc/ knows ; its manifest says weft-isa"]
        );
    }
}
