//! gp for launches that set none: SMs (SM-012), in hardware and on the golden GPU.

use anyhow::{ensure, Result};
use weft_isa::{Program, Segment};

const GP: u32 = 3;

/// ISA-030: a program whose code reads gp, and whose linker says what gp is, begins with instructions behind its image
/// that set it and go to its entry. They use t0. True when that was needed.
pub fn set_global_pointer(program: &mut Program) -> Result<bool> {
    let gp = program.global_pointer();
    if gp == 0 || !reads_gp(program) {
        return Ok(false);
    }
    let end = |s: &Segment| s.address + s.bytes.len() as u32;
    let address = program.segments.iter().map(end).max().unwrap_or_default();
    let address = address.next_multiple_of(64);
    ensure!(
        address < weft_isa::IMAGE_LIMIT - 64,
        "the program uses gp, which an SM does not set, and leaves no room for code that does: link it with --no-relax"
    );
    let high = |value: u32| (value.wrapping_add(0x800)) >> 12;
    let low = |value: u32| (value << 20) as i32 >> 20;
    let entry = program.entry;
    let text = format!(
        "_start: lui gp, {}\n addi gp, gp, {}\n lui t0, {}\n jalr x0, {}(t0)\n",
        high(gp),
        low(gp),
        high(entry),
        low(entry)
    );
    let start = weft_isa::assemble(&text, "start").expect("a valid program");
    let (from, to) = start.text;
    let bytes = start.segments[0].bytes[..(to - from) as usize].to_vec();
    program.segments.push(Segment { address, bytes });
    program.symbols.insert("__set_gp".into(), address);
    program.entry = address;
    Ok(true)
}

/// Some instruction reads gp, and none sets it: start code of weft's own and of others' does so itself.
fn reads_gp(program: &Program) -> bool {
    let (from, to) = program.text;
    let words = program.segments.iter().flat_map(|segment| {
        let addresses = (segment.address..).step_by(4);
        addresses.zip(segment.bytes.chunks_exact(4))
    });
    let code = words.filter(|(address, _)| (from..to).contains(address));
    let mut reads = false;
    for (_, bytes) in code {
        let word = u32::from_le_bytes(bytes.try_into().expect("four bytes"));
        let (opcode, rd, rs1) = (word & 0x7f, word >> 7 & 31, word >> 15 & 31);
        if weft_isa::decode(word).is_err() {
            continue;
        }
        // Branches and stores have no rd; LUI, AUIPC and JAL no rs1.
        if rd == GP && !matches!(opcode, 0x23 | 0x63) {
            return false;
        }
        reads |= rs1 == GP && !matches!(opcode, 0x17 | 0x37 | 0x6f);
    }
    reads
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(text: &str) -> Program {
        weft_isa::assemble(text, "p.s").unwrap()
    }

    #[test]
    fn a_program_that_reads_gp_begins_with_code_that_sets_it() {
        let data = "\n exit\n .data\nx: .word 0\n__global_pointer$: .word 0\n";
        let unchanged = [
            format!("_start: lw t0, 0(a0){data}"),
            format!("_start: la gp, x\n lw t0, 0(gp){data}"),
            "_start: lw t0, 0(gp)\n exit\n".into(),
        ];
        for text in unchanged {
            let old = program(&text);
            let mut new = old.clone();
            assert!(!set_global_pointer(&mut new).unwrap(), "{text}");
            assert_eq!(new, old);
        }
        let old = program(&format!("_start: sw a0, 4(gp){data}"));
        let mut new = old.clone();
        assert!(set_global_pointer(&mut new).unwrap());
        let mut machine = weft_sim::Machine::new(
            &new,
            &weft_sim::Config {
                warps: 1,
                threads: 4,
                ..weft_sim::Config::default()
            },
        )
        .unwrap();
        // The golden machine sets gp, too.
        assert!(matches!(
            machine.run(&weft_sim::Limits::default(), &mut |_: &weft_sim::Record| ()),
            weft_sim::Outcome::Done
        ));
        assert_eq!(new.entry % 64, 0);
        assert_eq!(machine.thread(0, 0).registers[3], old.global_pointer());
    }
}
