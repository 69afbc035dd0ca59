//! Every unit in the sizes of a directory of former exports, compared with them:
//! `cargo run -p weft-generate --example dump DIR`.
use weft_generate::*;
fn main() {
    let dir = std::path::PathBuf::from(std::env::args().nth(1).unwrap());
    let mut designs = vec![];
    let mut old = vec![];
    for e in std::fs::read_dir(&dir).unwrap() {
        let path = e.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_string();
        if name.starts_with("formal") {
            continue;
        }
        let (top, size) = name.split_once('-').unwrap();
        let (size, dual) = match size.strip_suffix("-dual") {
            Some(s) => (s, true),
            None => (size, false),
        };
        let unit = Unit::ALL.iter().copied().find(|u| u.top() == top).unwrap();
        designs.push(Design::of(unit, size.parse().unwrap(), dual).unwrap());
        old.push((name, std::fs::read_to_string(path).unwrap()));
    }
    let new = verilog_of_all(&designs).unwrap();
    let bad = old
        .iter()
        .zip(&new)
        .filter(|((_, old), new)| *old != new.bundle())
        .map(|((n, _), _)| n)
        .collect::<Vec<_>>();
    println!("{} compared, different: {bad:?}", old.len());
}
