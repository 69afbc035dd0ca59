//! The table in the languages of others.

use crate::table::{Access, Block, Field, Group, Register, Sizes};
use quick_xml::events::BytesText;
use quick_xml::Writer;
use std::fmt::Write as _;
use std::io;

/// A C header: an offset for each register, shift and mask for each field.
///
/// Groups are macros of the number: `WEFT_GPU_CHANNEL_BASE(n)`.
pub fn c_header(block: &Block, sizes: Sizes) -> String {
    let prefix = format!("WEFT_{}", block.name.to_uppercase());
    let mut text = format!(
        "/* Registers of {}: byte offsets in its host port, and bits. */\n#ifndef {prefix}_REGS_H\n#define {prefix}_REGS_H\n",
        block.title
    );
    let define = |text: &mut String, register: &Register, name: &str, offset: String| {
        let _ = write!(
            text,
            "\n/* {} ({}) */\n",
            register.text,
            access(register.access)
        );
        let _ = writeln!(text, "#define {name} {offset}");
        for field in &register.fields {
            let stem = format!("{}_{}", name.split('(').next().unwrap_or(name), field.name);
            let _ = writeln!(
                text,
                "#define {stem}_SHIFT {} /* {} */",
                field.low, field.text
            );
            let _ = writeln!(text, "#define {stem}_MASK 0x{:08x}u", field.mask());
        }
    };
    for register in &block.registers {
        let name = format!("{prefix}_{}", register.name);
        define(
            &mut text,
            register,
            &name,
            format!("0x{:03x}u", register.at),
        );
    }
    for group in &block.groups {
        let stem = format!("{prefix}_{}", group.name);
        let number = group.count.of(sizes);
        let _ = write!(text, "\n/* {}: {number} of them */\n", group.text);
        let _ = writeln!(text, "#define {stem}S {number}u");
        for register in &group.registers {
            let name = format!("{stem}_{}(n)", register.name);
            let at = format!(
                "(0x{:03x}u + 0x{:02x}u * (n))",
                group.at + register.at,
                group.step
            );
            define(&mut text, register, &name, at);
        }
    }
    let _ = write!(text, "\n#endif\n");
    text
}

/// As a field: all of a register without fields is one.
fn fields(register: &Register) -> Vec<Field> {
    if !register.fields.is_empty() {
        return register.fields.clone();
    }
    vec![Field {
        name: "VALUE".into(),
        low: 0,
        bits: 32,
        text: register.text.clone(),
    }]
}

fn access(access: Access) -> &'static str {
    match access {
        Access::Rw => "read, write",
        Access::Ro => "read only",
        Access::W1c => "write 1 to clear",
        Access::Wc => "any write clears",
    }
}

/// SystemRDL 2.0: an `addrmap`, groups as `regfile` arrays.
pub fn systemrdl(block: &Block, sizes: Sizes) -> String {
    let mut text = format!(
        "// Registers of {}.\naddrmap weft_{} {{\n    name = \"{}\";\n    default regwidth = 32;\n    default accesswidth = 32;\n",
        block.title, block.name, block.title
    );
    for register in &block.registers {
        rdl_register(&mut text, register, "    ");
    }
    for group in &block.groups {
        let _ = write!(
            text,
            "\n    regfile {{\n        name = {};\n",
            quoted(&group.text)
        );
        for register in &group.registers {
            rdl_register(&mut text, register, "        ");
        }
        let count = group.count.of(sizes);
        let (name, at, step) = (&group.name, group.at, group.step);
        let _ = writeln!(text, "    }} {name}[{count}] @ 0x{at:x} += 0x{step:x};");
    }
    text + "};\n"
}

fn rdl_register(text: &mut String, register: &Register, indent: &str) {
    let (sw, hw, more) = match register.access {
        Access::Rw => ("rw", "r", ""),
        Access::Ro => ("r", "w", ""),
        Access::W1c => ("rw", "rw", " woclr;"),
        Access::Wc => ("rw", "rw", " onwrite = wclr;"),
    };
    let _ = write!(
        text,
        "\n{indent}reg {{\n{indent}    desc = {};\n",
        quoted(&register.text)
    );
    for field in fields(register) {
        let Field {
            name,
            low,
            bits,
            text: meaning,
        } = &field;
        let reset = register.reset.map_or(String::new(), |reset| {
            format!(" = {}'h{:x}", bits, (reset & field.mask()) >> low)
        });
        let high = low + bits - 1;
        let _ = writeln!(
            text,
            "{indent}    field {{ desc = {}; sw = {sw}; hw = {hw};{more} }} {name}[{high}:{low}]{reset};",
            quoted(meaning)
        );
    }
    let _ = writeln!(text, "{indent}}} {} @ 0x{:x};", register.name, register.at);
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// CMSIS-SVD 1.3: a device with one peripheral, groups as cluster arrays.
pub fn svd(block: &Block, sizes: Sizes) -> String {
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
    svd_device(&mut writer, block, sizes).expect("into memory");
    let body = String::from_utf8(writer.into_inner()).expect("of strings");
    format!("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n{body}\n")
}

type Xml = Writer<Vec<u8>>;

fn leaf(writer: &mut Xml, name: &str, text: &str) -> io::Result<()> {
    writer
        .create_element(name)
        .write_text_content(BytesText::new(text))?;
    Ok(())
}

fn svd_device(writer: &mut Xml, block: &Block, sizes: Sizes) -> io::Result<()> {
    let device = writer
        .create_element("device")
        .with_attribute(("schemaVersion", "1.3"));
    device.write_inner_content(|w| {
        let name = format!("weft_{}", block.name);
        leaf(w, "name", &name)?;
        leaf(w, "version", env!("CARGO_PKG_VERSION"))?;
        leaf(w, "description", &block.title)?;
        leaf(w, "addressUnitBits", "8")?;
        leaf(w, "width", "32")?;
        w.create_element("peripherals").write_inner_content(|w| {
            w.create_element("peripheral").write_inner_content(|w| {
                leaf(w, "name", &name.to_uppercase())?;
                leaf(w, "description", &block.title)?;
                leaf(w, "baseAddress", "0x0")?;
                w.create_element("addressBlock").write_inner_content(|w| {
                    leaf(w, "offset", "0x0")?;
                    leaf(w, "size", &format!("0x{:x}", block.bytes))?;
                    leaf(w, "usage", "registers")
                })?;
                w.create_element("registers").write_inner_content(|w| {
                    for register in &block.registers {
                        svd_register(w, register)?;
                    }
                    for group in &block.groups {
                        svd_group(w, group, sizes)?;
                    }
                    Ok(())
                })?;
                Ok(())
            })?;
            Ok(())
        })?;
        Ok(())
    })?;
    Ok(())
}

fn svd_group(writer: &mut Xml, group: &Group, sizes: Sizes) -> io::Result<()> {
    writer.create_element("cluster").write_inner_content(|w| {
        leaf(w, "dim", &group.count.of(sizes).to_string())?;
        leaf(w, "dimIncrement", &format!("0x{:x}", group.step))?;
        leaf(w, "name", &format!("{}[%s]", group.name))?;
        leaf(w, "description", &group.text)?;
        leaf(w, "addressOffset", &format!("0x{:x}", group.at))?;
        for register in &group.registers {
            svd_register(w, register)?;
        }
        Ok(())
    })?;
    Ok(())
}

fn svd_register(writer: &mut Xml, register: &Register) -> io::Result<()> {
    let (access, modified) = match register.access {
        Access::Rw => ("read-write", None),
        Access::Ro => ("read-only", None),
        Access::W1c => ("read-write", Some("oneToClear")),
        Access::Wc => ("read-write", Some("clear")),
    };
    writer.create_element("register").write_inner_content(|w| {
        leaf(w, "name", &register.name)?;
        leaf(w, "description", &register.text)?;
        leaf(w, "addressOffset", &format!("0x{:x}", register.at))?;
        leaf(w, "size", "32")?;
        leaf(w, "access", access)?;
        if let Some(modified) = modified {
            leaf(w, "modifiedWriteValues", modified)?;
        }
        if let Some(reset) = register.reset {
            leaf(w, "resetValue", &format!("0x{reset:x}"))?;
        }
        w.create_element("fields").write_inner_content(|w| {
            for field in fields(register) {
                w.create_element("field").write_inner_content(|w| {
                    leaf(w, "name", &field.name)?;
                    leaf(w, "description", &field.text)?;
                    leaf(w, "bitOffset", &field.low.to_string())?;
                    leaf(w, "bitWidth", &field.bits.to_string())
                })?;
            }
            Ok(())
        })?;
        Ok(())
    })?;
    Ok(())
}

/// The registers of a design one by one; `about`: who has made the file.
pub fn json(block: &Block, sizes: Sizes, about: &[String]) -> String {
    let all: Vec<_> = block
        .all(sizes)
        .into_iter()
        .map(|(name, at, register)| {
            let mut value = serde_json::to_value(register).expect("plain data");
            value["name"] = name.into();
            value["at"] = at.into();
            value
        })
        .collect();
    let value = serde_json::json!({
        "about": about,
        "block": format!("weft_{}", block.name),
        "bytes": block.bytes,
        "page": block.page,
        "registers": all,
    });
    format!("{value:#}\n")
}

/// As LiteX writes `csr.csv`: one register per line, at the given base.
pub fn litex_csv(block: &Block, sizes: Sizes, base: u32) -> String {
    let name = format!("weft_{}", block.name);
    let mut text = format!("csr_base,{name},0x{base:08x},,\n");
    for (register, at, data) in block.all(sizes) {
        let access = match data.access {
            Access::Ro => "ro",
            Access::Rw | Access::W1c | Access::Wc => "rw",
        };
        let register = register.to_lowercase();
        let _ = writeln!(
            text,
            "csr_register,{name}_{register},0x{:08x},1,{access}",
            base + at
        );
    }
    text
}
