//! PeakRDL's compiler reads the registers in SystemRDL as the table has them.

use std::process::Command;
use weft_protocol::{blocks, systemrdl, Access, Sizes};
use weft_toolbox::Toolbox;

/// Each register: its name, address, bits of its fields, whether a host writes it, and what a reset leaves.
const READ: &str = r#"
import sys
from systemrdl import RDLCompiler, RegNode

def registers(node):
    for child in node.children(unroll=True):
        if isinstance(child, RegNode):
            yield child
        else:
            yield from registers(child)

compiler = RDLCompiler()
compiler.compile_file(sys.argv[1])
top = compiler.elaborate().top
for register in registers(top):
    name = register.get_path().removeprefix(top.get_path() + ".").replace("].", "_").replace("[", "")
    bits, reset, known = 0, 0, True
    for field in register.fields():
        bits |= (2 << field.high) - (1 << field.low)
        value = field.get_property("reset")
        known = known and value is not None
        reset |= (value or 0) << field.low
    writes = any(field.is_sw_writable for field in register.fields())
    print(name, f"{register.absolute_address:#x} {bits:#x}", "rw" if writes else "ro", f"{reset:#x}" if known else "-")
"#;

#[test]
fn peakrdls_compiler_reads_the_table() {
    let Some(python) = Toolbox::here().systemrdl() else {
        let gate = std::env::var_os("CI").is_some();
        assert!(
            !gate,
            "the gate has to have systemrdl-compiler: cargo xtask setup"
        );
        eprintln!("skipped: there is no systemrdl-compiler");
        return;
    };
    let sizes = Sizes {
        channels: 5,
        sms: 3,
    };
    let folder = tempfile::tempdir().unwrap();
    for block in blocks() {
        let file = folder.path().join(format!("{}.rdl", block.name));
        std::fs::write(&file, systemrdl(&block, sizes)).unwrap();
        let mut command = Command::new(&python.path);
        let output = command.args(["-c", READ]).arg(&file).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {said}", block.name);
        let text = String::from_utf8(output.stdout).unwrap();
        let mut read: Vec<&str> = text.lines().collect();
        let of_table = |(name, at, register): (String, u32, &weft_protocol::Register)| {
            let bits = match register.fields.iter().fold(0, |all, f| all | f.mask()) {
                0 => u32::MAX,
                bits => bits,
            };
            let access = match register.access {
                Access::Ro => "ro",
                Access::Rw | Access::W1c | Access::Wc => "rw",
            };
            let reset = register.reset.map(|reset| format!("{:#x}", reset & bits));
            let reset = reset.unwrap_or("-".into());
            format!("{name} {at:#x} {bits:#x} {access} {reset}")
        };
        let mut table: Vec<String> = block.all(sizes).into_iter().map(of_table).collect();
        read.sort_unstable();
        table.sort_unstable();
        assert!(table.len() > 30);
        assert_eq!(read, table, "{}", block.name);
    }
}
