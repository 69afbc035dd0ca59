//! What others' tools read in the files: a parser of SVD, a C compiler.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::process::{Command, Stdio};
use svd_parser::svd::{Device, MaybeArray, RegisterInfo};
use weft_protocol::{blocks, c_header, json, litex_csv, svd, systemrdl, Access, Block, Sizes};

const SIZES: Sizes = Sizes {
    channels: 5,
    sms: 3,
};

/// Name to address and bits of the fields, by `svd-parser`.
fn by_svd(text: &str) -> BTreeMap<String, (u32, u32)> {
    let device: Device = svd_parser::parse(text).expect("SVD");
    let mut all = BTreeMap::new();
    let mut add = |name: String, at: u32, info: &RegisterInfo| {
        let fields = info.fields.iter().flatten();
        let bits = fields.map(|f| u64::from(u32::MAX >> (32 - f.bit_width())) << f.bit_offset());
        all.insert(name, (at, bits.fold(0, |all, bits| all | bits) as u32));
    };
    for peripheral in &device.peripherals {
        for register in peripheral.registers() {
            add(register.name.clone(), register.address_offset, register);
        }
        for cluster in peripheral.clusters() {
            let MaybeArray::Array(info, dim) = cluster else {
                panic!("a cluster that is no array");
            };
            for n in 0..dim.dim {
                for register in info.registers() {
                    let name = info.name.replace("[%s]", &n.to_string());
                    let at = info.address_offset + n * dim.dim_increment + register.address_offset;
                    add(format!("{name}_{}", register.name), at, register);
                }
            }
        }
    }
    all
}

fn expected(block: &Block) -> BTreeMap<String, (u32, u32)> {
    let all = block.all(SIZES).into_iter();
    all.map(|(name, at, register)| {
        let bits = register.fields.iter().fold(0, |all, f| all | f.mask());
        (name, (at, if bits == 0 { u32::MAX } else { bits }))
    })
    .collect()
}

#[test]
fn a_parser_of_svd_reads_the_table() {
    for block in blocks() {
        assert_eq!(
            by_svd(&svd(&block, SIZES)),
            expected(&block),
            "{}",
            block.name
        );
    }
}

#[test]
fn a_c_compiler_reads_the_header() {
    for block in blocks() {
        let prefix = format!("WEFT_{}", block.name.to_uppercase());
        let mut program = format!("{}\n", c_header(&block, SIZES));
        for register in &block.registers {
            let (name, at) = (&register.name, register.at);
            program += &format!("_Static_assert({prefix}_{name} == {at}u, \"{name}\");\n");
            for field in &register.fields {
                let (mask, low) = (field.mask(), field.low);
                let of = format!("{prefix}_{name}_{}", field.name);
                program += &format!(
                    "_Static_assert({of}_MASK == {mask}u && {of}_SHIFT == {low}, \"\");\n"
                );
            }
        }
        for group in &block.groups {
            for register in &group.registers {
                let at = group.at + 2 * group.step + register.at;
                let name = format!("{prefix}_{}_{}", group.name, register.name);
                program += &format!("_Static_assert({name}(1 + 1) == {at}u, \"{name}\");\n");
            }
        }
        let mut cc = Command::new("cc")
            .args([
                "-std=c11",
                "-Wall",
                "-Wextra",
                "-Werror",
                "-fsyntax-only",
                "-xc",
                "-",
            ])
            .stdin(Stdio::piped())
            .spawn()
            .expect("a C compiler");
        let mut stdin = cc.stdin.take().expect("piped");
        stdin.write_all(program.as_bytes()).expect("read");
        drop(stdin);
        assert!(cc.wait().expect("it ends").success(), "{}", block.name);
    }
}

#[test]
fn json_and_csv_have_every_register() {
    for block in blocks() {
        let value: serde_json::Value =
            serde_json::from_str(&json(&block, SIZES, &[])).expect("JSON");
        let listed = value["registers"].as_array().expect("a list");
        let csv = litex_csv(&block, SIZES, 0x8000_0000);
        let lines: Vec<&str> = csv.lines().skip(1).collect();
        let all = block.all(SIZES);
        assert_eq!((listed.len(), lines.len()), (all.len(), all.len()));
        for ((name, at, register), line) in all.into_iter().zip(lines) {
            let cells: Vec<&str> = line.split(',').collect();
            let name = format!("weft_{}_{}", block.name, name.to_lowercase());
            let access = if register.access == Access::Ro {
                "ro"
            } else {
                "rw"
            };
            let place = format!("0x{:08x}", 0x8000_0000_u32 + at);
            assert_eq!(cells, ["csr_register", &name, &place, "1", access]);
        }
    }
}

/// Somebody else's compiler of SystemRDL reads it in `weft/tests/systemrdl/mod.rs`; here that each register and field is there once.
#[test]
fn systemrdl_has_every_register_and_field() {
    for block in blocks() {
        let text = systemrdl(&block, SIZES);
        assert_eq!(text.matches('{').count(), text.matches('}').count());
        let of_groups = block.groups.iter().flat_map(|group| &group.registers);
        for register in block.registers.iter().chain(of_groups) {
            let end = format!("}} {} @ 0x{:x};", register.name, register.at);
            assert_eq!(text.matches(&end).count(), 1, "{end}");
        }
    }
}
