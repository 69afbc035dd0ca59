//! Cross-checks with GNU binutils: encodings, disassembly, whole programs, linked executables.
//! Each test prints a line and passes where the tools are not installed.

mod common;

use std::fmt::Write;

use common::{bytes_at, data, gnu, gnu_link, read};
use weft_isa::*;

/// Deterministic words: xorshift with a fixed seed.
struct Words(u64);

impl Iterator for Words {
    type Item = u32;
    fn next(&mut self) -> Option<u32> {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        Some((self.0 >> 16) as u32)
    }
}

/// Instructions of every opcode, with random fields.
fn instructions(count: usize) -> Vec<Instr> {
    let opcodes = [
        0x03, 0x0B, 0x0F, 0x13, 0x17, 0x23, 0x2B, 0x2F, 0x33, 0x37, 0x43, 0x47, 0x4B, 0x4F, 0x53,
        0x53, 0x5B, 0x63, 0x67, 0x6F, 0x73, 0x7B,
    ];
    let words = Words(0x5EED).zip(opcodes.into_iter().cycle());
    // Most functions leave few bits free: clear some at random. Mask operands are small.
    let thinned = words.map(|(word, opcode)| {
        let mask = match word & 3 {
            _ if opcode == 0x5B && word & 0x10 != 0 => 0x1E73_FF80,
            _ if matches!(opcode, 0x43..=0x53) => 0xF9FF_FFFF,
            0 => 0x01FF_FFFF,
            1 => 0x41FF_FFFF,
            2 => 0xFFFF_FFFF,
            _ => 0x03F0_7FFF,
        };
        word & mask & !0x7F | opcode
    });
    thinned
        .filter_map(|word| decode(word).ok())
        .take(count)
        .collect()
}

/// The instruction as GNU as knows it: Xweft by `.insn`, as in `docs/spec/isa.md`.
fn for_gnu(instr: Instr) -> String {
    let register = |number: u8| format!("x{number}");
    match instr {
        Instr::Push { kind, offset } => format!(".insn j 0x0B, x{}, .{offset:+}", kind.code()),
        Instr::Leave { kind, cond, offset } => {
            let (funct3, rs1) = match cond {
                LeaveCond::Always => (0, 0),
                LeaveCond::Nez(rs1) => (1, rs1),
                LeaveCond::Eqz(rs1) => (2, rs1),
            };
            let rs1 = register(rs1);
            format!(
                ".insn b 0x2B, {funct3}, {rs1}, x{}, .{offset:+}",
                kind.code()
            )
        }
        Instr::LeaveIndirect { kind, rs1, offset } => {
            format!(
                ".insn i 0x5B, 0, x{}, {offset}({})",
                kind.code(),
                register(rs1)
            )
        }
        Instr::Yield => ".insn i 0x5B, 1, x0, 0(x0)".into(),
        Instr::Exit => ".insn i 0x5B, 2, x0, 0(x0)".into(),
        Instr::Barrier { id, op } => {
            let (funct3, funct7, rs1, rs2) = match op {
                BarrierOp::Top { word } => (0, 0, 0, word),
                BarrierOp::TopNez { rs1, word } => (0, 1, rs1, word),
                BarrierOp::Bottom => (1, 0, 0, 0),
                BarrierOp::BottomNb => (1, 1, 0, 0),
                BarrierOp::Reset => (2, 0, 0, 0),
                BarrierOp::Arrive { word } => (3, 0, 0, word),
                BarrierOp::Wait { rs1 } => (4, 0, rs1, 0),
            };
            format!(".insn r 0x7B, {funct3}, {funct7}, x{id}, x{rs1}, x{rs2}")
        }
        Instr::SubVector { auto, offset } => {
            let rd = if auto { 28 } else { 12 };
            format!(".insn j 0x0B, x{rd}, .{offset:+}")
        }
        Instr::Mask(instr) => mask_for_gnu(instr),
        // Names that only we have.
        Instr::Csr { csr, .. } if matches!(csr, 0x800 | 0xCC0..=0xCFF) => {
            let text = instr.to_string();
            match csr_name(csr) {
                Some(name) => text.replace(name, &format!("{csr:#x}")),
                None => text,
            }
        }
        other => other.to_string(),
    }
}

/// As in `docs/spec/masks.md`.
fn mask_for_gnu(instr: MaskInstr) -> String {
    let r = |funct3: u8, funct7: u8, rd: u8, rs1: u8, rs2: u8| {
        format!(".insn r 0x5B, {funct3}, {funct7}, x{rd}, x{rs1}, x{rs2}")
    };
    let b = |rs1, rs2, offset: i32| format!(".insn b 0x5B, 5, x{rs1}, x{rs2}, .{offset:+}");
    match instr {
        MaskInstr::Logic { op, md, ma, mb } => {
            r(3, op.code(), md.number(), ma.number(), mb.number())
        }
        MaskInstr::Save { op, md, ms } => r(3, 8 + op.code(), md.number(), ms.number(), 0),
        MaskInstr::Set { md, rs1 } => r(4, 0, md.number(), rs1, 0),
        MaskInstr::Get { rd, ms, high } => r(4, 1, rd, ms.number(), high.into()),
        MaskInstr::Put { md, rs1, high } => r(4, 2, md.number(), rs1, high.into()),
        MaskInstr::Count { rd, ms } => r(4, 3, rd, ms.number(), 0),
        MaskInstr::First { rd, ms } => r(4, 4, rd, ms.number(), 0),
        MaskInstr::Condition { rd } => r(4, 5, rd, 0, 0),
        MaskInstr::Branch { cond, ms, offset } => b(ms.number(), cond.code(), offset),
        MaskInstr::BranchCondition { value, offset } => b(9, value.into(), offset),
        MaskInstr::Predicate { ms, count } => {
            format!(".insn i 0x5B, 6, x0, {count}(x{})", ms.number())
        }
    }
}

fn is_xweft(instr: Instr) -> bool {
    for_gnu(instr).starts_with(".insn ") && !matches!(instr, Instr::Fence { .. })
}

/// Object file of the source, without linker relaxation.
fn gnu_object(folder: &std::path::Path, source: &str) -> Option<String> {
    let path = |name: &str| folder.join(name).to_str().unwrap().to_string();
    std::fs::write(path("list.s"), format!(".option norelax\n{source}")).unwrap();
    let march = "-march=rv32ima_zicsr_zifencei_zihintpause_zfinx";
    gnu(
        "as",
        &[march, "-mabi=ilp32", &path("list.s"), "-o", &path("list.o")],
    )?;
    Some(path("list.o"))
}

fn gnu_text(folder: &std::path::Path, source: &str) -> Option<Vec<u32>> {
    let object = gnu_object(folder, source)?;
    let binary = folder.join("list.bin");
    gnu(
        "objcopy",
        &[
            "-O",
            "binary",
            "-j",
            ".text",
            &object,
            binary.to_str().unwrap(),
        ],
    )?;
    let bytes = std::fs::read(binary).unwrap();
    Some(
        bytes
            .chunks(4)
            .map(|word| u32::from_le_bytes(word.try_into().unwrap()))
            .collect(),
    )
}

#[test]
fn gnu_as_reads_our_disassembly_as_the_same_words() {
    let instructions = instructions(20_000);
    let folder = tempfile::tempdir().unwrap();
    let source: String = instructions
        .iter()
        .fold(String::new(), |mut source, &instr| {
            writeln!(source, "{}", for_gnu(instr)).unwrap();
            source
        });
    let Some(words) = gnu_text(folder.path(), &source) else {
        return;
    };
    assert_eq!(words.len(), instructions.len());
    for (instr, word) in instructions.into_iter().zip(words) {
        assert_eq!(
            encode(instr),
            Ok(word),
            "{instr} is {word:#010x} for GNU as"
        );
    }
}

#[test]
fn our_assembler_reads_objdump_as_the_same_words() {
    // objdump knows CSR names that we do not, and prints some fences as "unknown".
    let is_named = |instr: &Instr| match *instr {
        Instr::Csr { csr, .. } => csr_name(csr).is_some(),
        Instr::Fence { .. } => !instr.to_string().starts_with(".insn"),
        _ => !is_xweft(*instr),
    };
    let base: Vec<Instr> = instructions(20_000).into_iter().filter(is_named).collect();
    assert!(base.len() > 5000);
    let folder = tempfile::tempdir().unwrap();
    let source: String = base.iter().fold(String::new(), |mut source, &instr| {
        writeln!(source, ".word {:#x}", encode(instr).unwrap()).unwrap();
        source
    });
    let Some(object) = gnu_object(folder.path(), &source) else {
        return;
    };
    for options in ["no-aliases", "numeric"] {
        let arguments = [
            "-D",
            "-j",
            ".text",
            "--adjust-vma=0x1000",
            "-z",
            "-M",
            options,
            &object,
        ];
        let Some(listing) = gnu("objdump", &arguments) else {
            return;
        };
        let lines: Vec<&str> = listing.lines().filter_map(operation).collect();
        assert_eq!(lines.len(), base.len());
        let source = lines.join("\n");
        let program = assemble(&source, "objdump").unwrap_or_else(|errors| panic!("{errors}"));
        let words = common::words(&program);
        for ((instr, word), line) in base.iter().zip(words).zip(lines) {
            assert_eq!(encode(*instr), Ok(word), "{line} of {instr}");
        }
    }
}

/// `mnemonic operands` of an objdump line, targets as hexadecimal numbers.
fn operation(line: &str) -> Option<&'static str> {
    let mut fields = line.splitn(4, '\t');
    let (_, _word, mnemonic) = (fields.next()?, fields.next()?, fields.next()?);
    let operands = fields.next().unwrap_or("");
    let operands = operands.split(['<', '#']).next().unwrap_or("").trim();
    let is_jump = mnemonic.starts_with('b') || matches!(mnemonic, "j" | "jal");
    let text = match operands.rsplit_once(',') {
        Some((rest, target)) if is_jump => format!("{mnemonic} {rest},0x{target}"),
        None if is_jump => format!("{mnemonic} 0x{operands}"),
        _ => format!("{mnemonic} {operands}"),
    };
    Some(Box::leak(text.into_boxed_str()))
}

/// All mnemonics and operand forms that both assemblers have, with labels before and after.
const FORMS: &str = "
_start:
back: lui a0, 0xfffff; auipc t6, 0; lui a1, %hi(value); addi a1, a1, %lo(value)
 lw a2, %lo(value)(a1); sw a2, %lo(value+4)(a1)
1: auipc a3, %pcrel_hi(value); addi a3, a3, %pcrel_lo(1b); lw a3, %pcrel_lo(1b)(a3)
 jal forward; jal t0, back; jal x0, 1b; j forward; jalr a0; jalr a1, a0; jalr a1, 4(a0)
 jalr a1, a0, -4; jr t0; jr 8(t0); ret
 beq a0, a1, back; bne a0, a1, forward; blt s0, s1, 1f; bge s2, s3, 1b; bltu t0, t1, 1f
 bgeu t2, t3, back; bgt a0, a1, back; ble a0, a1, back; bgtu a0, a1, back; bleu a0, a1, back
 beqz a0, 1f; bnez a0, 1f; blez a0, 1f; bgez a0, 1f; bltz a0, 1f; bgtz a0, 1f
1: lb a0, -1(sp); lh a0, 2(sp); lw a0, 2047(sp); lbu a0, (sp); lhu fp, -2048(sp)
 sb a0, -1(sp); sh a0, 2(sp); sw a0, (s0)
 addi a0, a1, -2048; slti a0, a1, 2047; sltiu a0, a1, -1; xori a0, a1, 0xff; ori a0, a1, 'x'
 andi a0, a1, 1<<4|3; slli a0, a1, 31; srli a0, a1, 0; srai a0, a1, 5
 add a0, a1, a2; sub a0, a1, a2; sll a0, a1, a2; slt a0, a1, a2; sltu a0, a1, a2
 xor a0, a1, a2; srl a0, a1, a2; sra a0, a1, a2; or a0, a1, a2; and x31, x30, x29
 add a0, a1, 5; sll a0, a1, 3; sra a0, a1, 3; and a0, a1, 7; xor a0, a1, -1; or a0, a1, 1
 mul a0, a1, a2; mulh a0, a1, a2; mulhsu a0, a1, a2; mulhu a0, a1, a2
 div a0, a1, a2; divu a0, a1, a2; rem a0, a1, a2; remu a0, a1, a2
 lr.w a0, (a1); lr.w.aq a0, (a1); lr.w.aqrl a0, 0(a1); sc.w a0, a2, (a1); sc.w.rl a0, a2, (a1)
 amoswap.w a0, a1, (a2); amoadd.w.aq a0, a1, (a2); amoxor.w.rl a0, a1, (a2)
 amoand.w.aqrl a0, a1, 0(a2); amoor.w a0, a1, (a2); amomin.w a0, a1, (a2)
 amomax.w a0, a1, (a2); amominu.w a0, a1, (a2); amomaxu.w zero, a1, (a2)
 csrrw a0, 0x300, a1; csrrs a0, cycle, a1; csrrc a0, time, a1; csrrwi a0, instret, 31
 csrrsi a0, cycleh, 1; csrrci a0, timeh, 0; csrr a0, mhartid; csrw 0xcc0, a0; csrs 0xcc0, a0
 csrc 0xcc0, a0; csrwi 0xcc0, 1; csrsi 0xcc0, 1; csrci 0xcc0, 1; csrrw a0, 0xcc0, 5; csrw 0xcc0, 7
 fadd.s a0, a1, a2; fsub.s a0, a1, a2, rtz; fmul.s a0, a1, a2, rdn; fdiv.s a0, a1, a2, rup
 fsqrt.s a0, a1, rmm; fmadd.s a0, a1, a2, a3; fmsub.s a0, a1, a2, a3, rne
 fnmsub.s t0, t1, t2, t3, dyn; fnmadd.s a0, a1, a2, a3, rtz; fsgnj.s a0, a1, a2
 fsgnjn.s a0, a1, a2; fsgnjx.s a0, a1, a2; fmin.s a0, a1, a2; fmax.s a0, a1, a2
 feq.s a0, a1, a2; flt.s a0, a1, a2; fle.s a0, a1, a2; fgt.s a0, a1, a2; fge.s a0, a1, a2
 fcvt.w.s a0, a1, rtz; fcvt.wu.s a0, a1; fcvt.s.w a0, a1; fcvt.s.wu a0, a1, rup
 fclass.s a0, a1; fmv.s a0, a1; fneg.s a0, a1; fabs.s a0, a1
 frcsr a0; fscsr a0; fscsr a0, a1; frrm a0; fsrm a0; fsrm a0, a1; fsrmi 1; fsrmi a0, 1
 frflags a0; fsflags a0; fsflags a0, a1; fsflagsi 1; fsflagsi a0, 31; csrr a0, fcsr
 rdcycle a0; rdtime a0; rdinstret a0; rdcycleh a0; rdtimeh a0; rdinstreth a0
 fence; fence rw, w; fence iorw, o; fence.tso; fence.i; pause; ecall; ebreak; scall; sbreak; unimp
 nop; mv a0, a1; move a0, a1; not a0, a1; neg a0, a1; seqz a0, a1; snez a0, a1; sltz a0, a1
 sgtz a0, a1; sgt a0, a1, a2; sgtu a0, a1, a2; zext.b a0, a1; zext.h a0, a1; sext.b a0, a1
 sext.h a0, a1
 li a0, 0; li a0, -1; li a0, 2047; li a0, 2048; li a0, -2048; li a0, -2049; li a0, 0x12345678
 li a0, 0x80000000; li a0, 0xffffffff; li a0, 0x7fffffff; li a0, 0x7ffff800; li a0, 4096
 la a0, value; lla a1, back; lw a2, value; lbu a2, value+3; sw a2, value, t0; sh a2, value, t1
forward:
 .insn r 0x33, 0, 1, a0, a1, a2; .insn r OP, 7, 0, a0, a1, a2
 .insn i 0x13, 0, a0, a1, -5; .insn i LOAD, 2, a0, 4(sp); .insn s STORE, 1, a0, -2(sp)
 .insn b BRANCH, 1, a0, a1, back; .insn sb BRANCH, 1, a0, a1, forward
 .insn u LUI, a0, 0xfffff; .insn j JAL, ra, back; .insn uj JAL, ra, forward
 .insn 0x00000013; .insn 4, 0x00000013
 .insn j 0x0B, x0, back; .insn j CUSTOM_0, x9, forward; .insn b 0x2B, 0, x0, x1, back
 .insn b CUSTOM_1, 1, a0, x5, forward; .insn b 0x2B, 2, t6, x9, back
 .insn j 0x0B, x12, forward; .insn r 0x5B, 3, 8, x1, x2, x0; .insn b 0x5B, 5, x8, x0, forward
 .insn i 0x5B, 6, x0, 8(x5); .insn r CUSTOM_2, 4, 1, a0, x8, x1
 .insn i 0x5B, 0, x3, -4(ra); .insn i CUSTOM_2, 1, x0, 0(x0); .insn i 0x5B, 2, x0, 0(x0)
 .balign 16
 ret
 .p2align 3,,1
 .word back, forward - back, . , value + 1
 .section .rodata
table: .word back, forward, value, table
 .half forward - back; .byte 'a', 1 + 2 * 3, 8 / 2, 1 << 3 + 1, 6 & 3 ^ 1, -7 / 2, -7 % 4
 .byte ~5 & 0xf, 5 | 2 + 1, 10 - 3 - 2, 2 * (3 + 4)
 .balign 8; .8byte 0x123456789abcdef0; .dword -2; .4byte 7; .2byte 8; .short -1; .hword 2; .long 1; .int 3; .quad 9
 .ascii \"a\\tb\\\\\\\"\\101\\x42\"; .asciz \"x\", \"y\"; .string \"z\\n\"
 .data
 .byte 1; .align 4
value: .word 5, 6; .zero 3; .space 2, 0xaa; .skip 1; .fill 2, 2, 0x1234
 .set size, . - value
 .byte size
 .bss
buffer: .zero 100
 .comm common, 20, 16
";

#[test]
fn all_forms_make_the_image_that_gnu_makes() {
    compare_with_gnu(&[("forms.s", FORMS)]);
}

/// GCC output; calls as `jal`, because GNU as would use two instructions without relaxation, and
/// strings not merged by the linker.
#[test]
fn gcc_output_makes_the_image_that_gnu_makes() {
    for name in ["switch.s", "recursion.s", "atomics.s", "hints.s"] {
        let source = read(&data(name))
            .replace("\tcall\t", "\tjal\t")
            .replace("\ttail\t", "\tj\t")
            .replace("\"aMS\",@progbits,1", "\"a\",@progbits");
        let start = ".globl _start\n_start: jal kernel\n ebreak\n";
        match source.contains("_start:") {
            true => compare_with_gnu(&[(name, &source)]),
            false => compare_with_gnu(&[("start.s", start), (name, &source)]),
        }
    }
}

/// Assembles and links with both; every byte and every symbol must agree.
fn compare_with_gnu(files: &[(&str, &str)]) {
    let ours = assemble_files(files).unwrap_or_else(|errors| panic!("{errors}"));
    let folder = tempfile::tempdir().unwrap();
    let Some(elf) = gnu_link(folder.path(), files) else {
        return;
    };
    let gnu = load_elf(&elf).unwrap_or_else(|error| panic!("{error}"));
    // GNU as pads code sections to their alignment.
    let text_end = ours.text.1..=ours.text.1.next_multiple_of(16);
    assert_eq!((ours.entry, ours.text.0), (gnu.entry, gnu.text.0));
    assert!(
        text_end.contains(&gnu.text.1),
        "{:x?} {:x?}",
        ours.text,
        gnu.text
    );
    for segment in &ours.segments {
        let expected = bytes_at(&gnu, segment.address, segment.bytes.len());
        for (offset, (our, their)) in segment.bytes.chunks(4).zip(expected.chunks(4)).enumerate() {
            let address = segment.address as usize + 4 * offset;
            assert_eq!(our, their, "{}: at {address:#x}", files[0].0);
        }
    }
    for (name, address) in &ours.symbols {
        assert_eq!(gnu.symbols.get(name), Some(address), "{name}");
    }
}
