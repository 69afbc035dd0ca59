//! Xweft for assemblers that do not know it: its mnemonics become `.insn`, with the numbers that Weft's own assembler
//! gives.

/// Instructions whose last operand is a place in the code. docs/spec/isa.md, docs/spec/masks.md.
#[rustfmt::skip]
const WITH_TARGET: &[&str] = &[
    "push", "ssy", "pbk", "pcnt", "pcal", "plongjmp", "ppexit", "leave", "leave.nez", "leave.eqz",
    "sync", "sync.nez", "sync.eqz", "brk", "brk.nez", "brk.eqz", "cont", "cont.nez", "cont.eqz",
    "longjmp", "longjmp.nez", "longjmp.eqz", "lpexit", "lpexit.nez", "lpexit.eqz", "subv.start",
    "subv.auto", "mbz", "mbnz", "mbo", "mbno",
];

/// Instructions that are one number.
#[rustfmt::skip]
const WITHOUT_TARGET: &[&str] = &[
    "leave.r", "wret", "yield", "exit", "bar.top", "bar.top.nez", "bar.sync", "bar.bot",
    "bar.bot.nb", "bar.reset", "bar.arrive", "bar.wait", "mand", "mor", "mxor", "mandn", "mnand",
    "mnor", "mxnor", "morn", "mand.save", "mor.save", "mxor.save", "mandn.save", "mnand.save",
    "mnor.save", "mxnor.save", "morn.save", "mmov", "mnot", "mclr", "mones", "mrestore", "mset",
    "mput", "mputh", "mget", "mgeth", "mpop", "mfirst", "mscc", "mpred",
];

fn has_target(mnemonic: &str) -> Option<bool> {
    let with = WITH_TARGET.contains(&mnemonic);
    (with || WITHOUT_TARGET.contains(&mnemonic)).then_some(with)
}

/// The text with every instruction of Xweft in a form that GNU as and Clang assemble.
/// All else stays as it is, and so does what is not understood: the assembler will name its place.
pub fn from_xweft(assembly: &str) -> String {
    let mut out = String::with_capacity(assembly.len());
    for line in assembly.split_inclusive('\n') {
        match translated(line).or_else(|| several(line)) {
            Some(text) => out.push_str(&text),
            None => out.push_str(line),
        }
    }
    out
}

/// A line with several statements, such as GCC's compare and exchange: each gets a line of its own, if one of them is
/// of Xweft.
fn several(line: &str) -> Option<String> {
    if !line.contains(';') || line.contains(['"', '#']) {
        return None;
    }
    let statements: Vec<(&str, Option<String>)> = line
        .split(';')
        .map(|statement| (statement, translated(statement)))
        .collect();
    statements.iter().find(|(_, text)| text.is_some())?;
    let written = statements.into_iter().map(|(statement, text)| {
        text.unwrap_or_else(|| format!("{}\n", statement.trim_end_matches(['\n', '\r'])))
    });
    Some(written.collect())
}

fn translated(line: &str) -> Option<String> {
    let code = line.split('#').next()?.trim_end();
    // A label may stand before it.
    let begin = code.rfind(':').map_or(0, |colon| colon + 1);
    let statement = code[begin..].trim_start();
    let begin = code.len() - statement.len();
    let mnemonic = statement.split_whitespace().next()?;
    let text = match has_target(mnemonic) {
        // Of its own registers the forms of sub-vector loops read one (COMP-123, COMP-124).
        None if mnemonic == "csrr" => {
            let lane = weft_isa::csr_number("wlane")?;
            format!("{}{lane:#x}", statement.strip_suffix("wlane")?)
        }
        None => return None,
        Some(true) => {
            let at = statement.rfind([',', ' ', '\t'])? + 1;
            let target = statement[at..].trim();
            let word = encoded(&format!("{}.", &statement[..at]))?;
            let field = |low: u32, bits: u32| word >> low & ((1 << bits) - 1);
            match field(0, 7) {
                0x0B => format!(".insn j 0x0B, x{}, {target}", field(7, 5)),
                opcode => format!(
                    ".insn b {opcode:#x}, {}, x{}, x{}, {target}",
                    field(12, 3),
                    field(15, 5),
                    field(20, 5)
                ),
            }
        }
        Some(false) => format!(".4byte {:#010x}", encoded(statement)?),
    };
    let rest = &line[code.len()..];
    let rest = rest.trim_end_matches(['\n', '\r']);
    let written = if rest.trim().is_empty() {
        format!("\t# {statement}")
    } else {
        rest.to_string()
    };
    Some(format!("{}{text}{written}\n", &line[..begin]))
}

/// The word that Weft's assembler makes of one instruction.
fn encoded(statement: &str) -> Option<u32> {
    let program = weft_isa::assemble(statement, "").ok()?;
    let bytes = program.segments.first()?.bytes.get(..4)?;
    Some(u32::from_le_bytes(bytes.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_of_xweft_become_insn() {
        let text = "\tssy\t.L1\n1: brk.nez a0, .L2 # out\n\tadd\ta0, a0, a1\n\tyield\n\tleave 7, f+4\n\tmbnz m3, 1b\n";
        let want = "\t.insn j 0x0B, x0, .L1\t# ssy\t.L1\n1: .insn b 0x2b, 1, x10, x1, .L2 # out\n\tadd\ta0, a0, a1\n\
                    \t.4byte 0x0000105b\t# yield\n\t.insn b 0x2b, 0, x0, x7, f+4\t# leave 7, f+4\n\
                    \t.insn b 0x5b, 5, x3, x1, 1b\t# mbnz m3, 1b\n";
        assert_eq!(from_xweft(text), want);
    }

    #[test]
    fn statements_in_one_line_are_told_apart() {
        let text = "\tfence iorw,ow; pbk .L1\n 1: lr.w a5,0(a7); sc.w a6,a1,0(a7); yield\n\tadd a0,a0,a1; nop\n";
        let want = "\tfence iorw,ow\n .insn j 0x0B, x1, .L1\t# pbk .L1\n 1: lr.w a5,0(a7)\n sc.w a6,a1,0(a7)\n \
                    .4byte 0x0000105b\t# yield\n\tadd a0,a0,a1; nop\n";
        assert_eq!(from_xweft(text), want);
    }

    #[test]
    fn the_lane_has_a_number() {
        assert_eq!(
            from_xweft("\tcsrr t0, wlane\n\tcsrr t1, mhartid\n"),
            "\tcsrr t0, 0xcc1\t# csrr t0, wlane\n\tcsrr t1, mhartid\n"
        );
        let program = weft_isa::assemble("csrr t0, wlane\ncsrr t0, 0xcc1", "").unwrap();
        let words: Vec<_> = program.segments[0].bytes.chunks(4).collect();
        assert_eq!(words[0], words[1]);
    }

    #[test]
    fn what_is_not_xweft_stays() {
        let text = "# ssy x\n.string \"ssy x\"\npush:\n\tssy\n\tcall sync\nsync: ret\n";
        assert_eq!(from_xweft(text), text);
    }
}
