//! Where a program begins: at the kernel that was asked for, its constructors run (CC-011), and with gp for launches
//! that set none: SMs (SM-012), in hardware and on the golden GPU.

use crate::image;
use crate::options::Place;
use anyhow::{bail, Context, Result};
use weft_isa::Program;

const GP: u32 = 3;

/// ISA-030: a program whose code reads gp, and whose linker says what gp is, begins with instructions behind its image
/// that set it and go to its entry. They use t0. True when that was needed.
pub fn set_global_pointer(program: &mut Program) -> Result<bool> {
    let gp = program.global_pointer();
    if gp == 0 || !reads_gp(program) {
        return Ok(false);
    }
    let entry = program.entry;
    begin_with(program, "__set_gp", ("gp", gp), entry)?;
    Ok(true)
}

/// Behind the image: code that sets a register and goes to `next`, by way of t0. The program begins there.
fn begin_with(
    program: &mut Program,
    symbol: &str,
    (register, value): (&str, u32),
    next: u32,
) -> Result<()> {
    let high = |value: u32| (value.wrapping_add(0x800)) >> 12;
    let low = |value: u32| (value << 20) as i32 >> 20;
    let text = format!(
        "_start: lui {register}, {}\n addi {register}, {register}, {}\n lui t0, {}\n jalr x0, {}(t0)\n",
        high(value),
        low(value),
        high(next),
        low(next)
    );
    let start = weft_isa::assemble(&text, "start").expect("a valid program");
    let (from, to) = start.text;
    let bytes = start.segments[0].bytes[..(to - from) as usize].to_vec();
    program.entry = image::append(program, symbol, bytes)
        .with_context(|| format!("code that sets {register} before it begins"))?;
    Ok(())
}

/// Who runs the constructors before a kernel that is launched by its name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Constructors {
    /// The driver, when it loads the program.
    Driver,
    /// The launch itself: thread 0 of it.
    Launch,
}

/// `--kernel`: the program begins at this kernel. Without the option it begins at its entry; a program that has kernels
/// by WEFT_KERNEL and no `kernel` begins at its only one.
pub fn enter(program: &mut Program, asked: Option<&str>, constructors: Constructors) -> Result<()> {
    let name = match asked {
        Some(name) => name.to_string(),
        None => match only_kernel(program)? {
            Some(name) => name,
            None => return Ok(()),
        },
    };
    let kernel = image::resolve(program, &Place::Symbol(name))?;
    let address = |name: &str| program.symbols.get(name).copied();
    let some = address("__init_array_start") < address("__init_array_end");
    program.entry = kernel;
    match address("__weft_begin") {
        Some(begin) if some && constructors == Constructors::Launch => {
            begin_with(program, "__weft_launch", ("s4", kernel), begin)
        }
        _ => Ok(()),
    }
}

/// The kernel that a program without `kernel` begins at; `None`: its own entry will do.
fn only_kernel(program: &Program) -> Result<Option<String>> {
    let has = |name: &str| program.symbols.contains_key(name);
    // The start file of `weft cc` calls `kernel`.
    if has("kernel") || !has("__weft_begin") {
        return Ok(None);
    }
    match weft_cc::kernels(program).as_slice() {
        [one] => Ok(Some(one.clone())),
        [] => Ok(None),
        all => bail!(
            "the program has the kernels {}: --kernel NAME says which",
            all.join(", ")
        ),
    }
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
