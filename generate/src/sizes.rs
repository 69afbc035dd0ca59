//! Parameters of the larger blocks, by name: the lists of `hdl/src/sizes.rs`.

const LISTS: &str = include_str!("../../hdl/src/sizes.rs");

/// A block expression with the list of a block in place of its name in brackets: `Core::<[Core]>`.
///
/// # Panics
/// There is no such list: the table of units names one that is not there.
pub fn by_name(block: &str) -> String {
    let Some((before, rest)) = block.split_once('[') else {
        return block.into();
    };
    let Some((name, after)) = rest.split_once(']') else {
        return block.into();
    };
    let names = list(LISTS, name);
    let names = names.unwrap_or_else(|| panic!("hdl/src/sizes.rs has no {name}"));
    format!("{before}{}{after}", names.join(", "))
}

/// The names of a block; the name of a block in its list stands for the list of that one.
fn list<'a>(text: &'a str, block: &str) -> Option<Vec<&'a str>> {
    let (_, lists) = text.split_once("\nsizes! {")?;
    let words = |text: &'a str| {
        text.split(',')
            .map(str::trim)
            .filter(|word| !word.is_empty())
    };
    let own = lists.split('}').find_map(|list| {
        let (blocks, names) = list.split_once('{')?;
        words(blocks).any(|one| one == block).then_some(names)
    })?;
    let whole = |name| list(text, name).unwrap_or(vec![name]);
    Some(words(own).flat_map(whole).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Config, Design, Unit};

    #[test]
    fn a_list_stands_in_place_of_its_name() {
        let text = "//! sizes\nmacro_rules! sizes {}\nsizes! {\n    Ab, Ac {\n        X, Y,\n        Z,\n    }\n    B {\n        Ac, W,\n    }\n}\n";
        assert_eq!(list(text, "Ab"), Some(vec!["X", "Y", "Z"]));
        assert_eq!(list(text, "Ac"), list(text, "Ab"));
        assert_eq!(list(text, "B"), Some(vec!["X", "Y", "Z", "W"]));
        assert_eq!(list(text, "C"), None);
        assert_eq!(
            by_name("hdl::a::A::<X>::default()"),
            "hdl::a::A::<X>::default()"
        );
        let core = by_name("Core::<[Core]>::default()");
        assert!(core.starts_with("Core::<WARPS, WARP_BITS, "), "{core}");
        assert!(
            core.ends_with("PARTITION_COUNTER_BITS>::default()"),
            "{core}"
        );
    }

    /// A name in a list that no constant has would be told by the compiler of the generated crate only.
    #[test]
    fn every_name_of_a_list_is_a_number_of_the_unit() {
        for &unit in Unit::ALL {
            let design = Design::of(unit, Config::NAMED[0].1, false).unwrap();
            let (constants, block) = design.source();
            let (_, list) = block.split_once("::<").unwrap();
            let words = list.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            let names = words.filter(|word| word.len() > 1 && word.starts_with(char::is_uppercase));
            for name in names {
                let line = format!("const {name}: usize = ");
                assert!(constants.contains(&line), "{unit:?}: {name}");
            }
        }
    }
}
