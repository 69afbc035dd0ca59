//! The Verilog of every unit in every named configuration, a file each: what a change that moves nothing is judged by.
//! `cargo run -p weft-generate --example dump -- DIR [UNIT or CONFIGURATION…]`, before and after the change.
use weft_generate::{verilog_of_all, Config, Design, Unit};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let folder = std::path::PathBuf::from(arguments.next().expect("a folder"));
    let (mut names, mut designs) = (vec![], vec![]);
    let only: Vec<String> = arguments.collect();
    let (units, sizes): (Vec<_>, Vec<_>) = only
        .iter()
        .map(String::as_str)
        .partition(|name| Unit::named(name).is_some());
    for &unit in Unit::ALL {
        if !units.is_empty() && !units.contains(&unit.name()) {
            continue;
        }
        for (name, config) in Config::NAMED {
            if !sizes.is_empty() && !sizes.contains(&name) {
                continue;
            }
            for dual in [false, true] {
                if dual && !unit.has_dual() {
                    continue;
                }
                // What a unit does not come in.
                let Ok(design) = Design::of(unit, config, dual) else {
                    continue;
                };
                let with = if dual { "-dual" } else { "" };
                names.push(format!("{}-{name}{with}.v", unit.name()));
                designs.push(design);
            }
        }
    }
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    let all = verilog_of_all(&designs).expect("every size is generated");
    for (name, verilog) in names.iter().zip(all) {
        std::fs::write(folder.join(name), verilog.bundle()).expect("the file can be written");
    }
    println!("{} files in {}", names.len(), folder.display());
}
