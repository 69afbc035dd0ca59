//! From a module of the exported Verilog to the block of `hdl/src` that it was made of.
//!
//! A module is called by the way to its block: `weft_scheduler_picker_touch` is the field `touch` of the field `picker`
//! of the unit.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The blocks of the hardware: where each is, and the fields of it that are blocks.
pub struct Blocks(BTreeMap<String, Vec<Block>>);

struct Block {
    file: String,
    /// Name, and the name of its type.
    fields: Vec<(String, String)>,
}

impl Blocks {
    /// Those below this folder; what cannot be read is left out.
    pub fn below(root: &Path) -> Blocks {
        let mut blocks = Blocks(BTreeMap::new());
        let mut folders = vec![root.join("hdl/src")];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
                let path = entry.path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|e| e == "rs") {
                    blocks.file(root, &path);
                }
            }
        }
        blocks
    }

    fn file(&mut self, root: &Path, path: &PathBuf) {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let name = path
            .strip_prefix(root)
            .unwrap_or(path)
            .display()
            .to_string();
        self.text(&name, &text);
    }

    fn text(&mut self, file: &str, text: &str) {
        let mut open: Option<(String, Block)> = None;
        for line in text.lines() {
            if let Some(name) = line
                .strip_prefix("pub struct ")
                .or(line.strip_prefix("struct "))
            {
                let block = Block {
                    file: file.into(),
                    fields: Vec::new(),
                };
                open = Some((word(name).into(), block));
            } else if line.starts_with('}') {
                if let Some((name, block)) = open.take() {
                    self.0.entry(name).or_default().push(block);
                }
            } else if let Some((_, block)) = &mut open {
                let line = line.trim().trim_start_matches("pub ");
                if let Some((name, kind)) = line.split_once(": ") {
                    let kind = kind.trim_start_matches('[').trim_start_matches("Box<");
                    block.fields.push((word(name).into(), last(kind).into()));
                }
            }
        }
    }

    /// The file of the block that a module of this unit was made of; `None` where the way to it is not found.
    pub fn of(&self, top: &str, module: &str) -> Option<&str> {
        let way = module.strip_prefix(top)?.trim_start_matches('_');
        let unit = top.strip_prefix("weft_")?;
        let of_unit = |name: &str| name.eq_ignore_ascii_case(&unit.replace('_', ""));
        let roots = self.0.iter().filter(|(name, _)| of_unit(name));
        let mut roots = roots.flat_map(|(_, blocks)| blocks);
        roots.find_map(|block| self.on(block, way))
    }

    fn on<'a>(&'a self, block: &'a Block, way: &str) -> Option<&'a str> {
        if way.is_empty() {
            return Some(&block.file);
        }
        block.fields.iter().find_map(|(field, kind)| {
            let rest = way.strip_prefix(field.as_str())?;
            // An element of an array has its number.
            let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
            let rest = match rest.strip_prefix('_') {
                Some(rest) => rest.trim_start_matches(|c: char| c.is_ascii_digit()),
                None if rest.is_empty() => rest,
                None => return None,
            };
            // Blocks of one name: the one that is nearest to the block that it is in.
            let mut below: Vec<&Block> = self.0.get(kind)?.iter().collect();
            below.sort_by_key(|b| std::cmp::Reverse(folders_in_common(&block.file, &b.file)));
            let mut below = below.into_iter();
            below.find_map(|b| self.on(b, rest.trim_start_matches('_')))
        })
    }
}

/// How many folders the ways to two files begin with alike. A block in `a/mod.rs` has its own parts in `a`.
fn folders_in_common(file: &str, other: &str) -> usize {
    let folders = |file: &str| file.rsplit_once('/').map_or("", |(to, _)| to).to_owned();
    let (file, other) = (folders(file), folders(other));
    let pairs = file.split('/').zip(other.split('/'));
    pairs.take_while(|(a, b)| a == b).count()
}

/// The identifier that a text begins with.
fn word(text: &str) -> &str {
    let of_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.split(|c| !of_word(c)).next().unwrap_or_default()
}

/// Of `units::Rows<8>` the name of the type.
fn last(kind: &str) -> &str {
    let path = kind.split('<').next().unwrap_or(kind);
    word(path.rsplit("::").next().unwrap_or(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_is_the_way_to_its_block() {
        let mut blocks = Blocks(BTreeMap::new());
        blocks.text(
            "hdl/src/a.rs",
            "#[module]\npub struct Unit<const N: usize> {\n    pub clock: Signal<In, Clock>,\n    row_file: rows::Rows<8>,\n\
            \x20   all: [Rows<4>; 2],\n}\n",
        );
        blocks.text(
            "hdl/src/b.rs",
            "pub struct Rows<const N: usize> {\n    ram: Ram<N>,\n}\n",
        );
        blocks.text(
            "hdl/src/c.rs",
            "pub struct Ram<const N: usize> {\n    d: DFF<N>,\n}\n",
        );
        assert_eq!(blocks.of("weft_unit", "weft_unit"), Some("hdl/src/a.rs"));
        assert_eq!(
            blocks.of("weft_unit", "weft_unit_row_file_ram"),
            Some("hdl/src/c.rs")
        );
        assert_eq!(
            blocks.of("weft_unit", "weft_unit_all_1_ram"),
            Some("hdl/src/c.rs")
        );
        assert_eq!(
            blocks.of("weft_unit", "weft_unit_all_1"),
            Some("hdl/src/b.rs")
        );
        assert_eq!(blocks.of("weft_unit", "weft_unit_other"), None);
    }

    #[test]
    fn of_blocks_of_one_name_it_is_the_one_beside_it() {
        let mut blocks = Blocks(BTreeMap::new());
        for unit in ["barrier", "tasks", "convergence"] {
            let top = format!("pub struct {unit} {{\n    slots: Slots<4>,\n}}\n");
            blocks.text(&format!("hdl/src/{unit}/mod.rs"), &top);
            blocks.text(
                &format!("hdl/src/{unit}/slots.rs"),
                "pub struct Slots {\n}\n",
            );
        }
        for unit in ["barrier", "tasks", "convergence"] {
            let top = format!("weft_{unit}");
            let file = format!("hdl/src/{unit}/slots.rs");
            assert_eq!(blocks.of(&top, &format!("{top}_slots")), Some(&*file));
        }
    }
}
