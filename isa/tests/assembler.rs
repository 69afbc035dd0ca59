//! The assembler on correct programs.

mod common;

use common::{bytes_at, data, read, words};
use weft_isa::{assemble, assemble_files, decode, Program};

fn program(source: &str) -> Program {
    assemble(source, "test.s").unwrap_or_else(|errors| panic!("{errors}\n{source}"))
}

/// Both sources are the same instructions.
fn same(source: &str, expected: &str) {
    assert_eq!(listing(source), listing(expected), "{source}");
}

fn listing(source: &str) -> Vec<String> {
    let program = program(source);
    let addresses = (program.text.0..).step_by(4);
    let instructions = words(&program).into_iter().zip(addresses);
    let text = |(word, pc)| match decode(word) {
        Ok(instr) => weft_isa::disassemble(instr, pc),
        Err(error) => error.to_string(),
    };
    instructions.map(text).collect()
}

/// COMP-015: another file may call its function as a register is called; only as an operand that may be a register the
/// name is taken for one.
#[test]
fn a_symbol_of_another_file_may_have_the_name_of_a_register() {
    for right in [
        "call s1",
        "a: tail t0",
        "1: nop; call a0",
        "la a0, sp",
        "lla a0, x1",
        ".data; x: .word a1",
    ] {
        weft_isa::asm::check(&format!("{right}\n"), "f.s")
            .unwrap_or_else(|e| panic!("{right}: {e:?}"));
        assert!(weft_isa::assemble(right, "f.s").is_err(), "{right}");
    }
    for wrong in ["addi a0, a1, s1", "beq a0, a1, s1", "j s1", "li a0, s1"] {
        let error = weft_isa::asm::check(&format!("{wrong}\n"), "f.s").unwrap_err();
        assert!(error.to_string().contains("s1"), "{wrong}: {error}");
    }
    let caller = "_start: call s1\n exit\n";
    let callee = " .globl s1\ns1: ret\n";
    let program = weft_isa::assemble_files(&[("a.s", caller), ("b.s", callee)]).unwrap();
    assert!(program.symbols.contains_key("s1"));
}

#[test]
fn sections_are_laid_out_from_0x1000_and_aligned_to_16() {
    let program = program(
        ".data\nd: .word 1\n.bss\nb: .zero 5\n.section .rodata\nr: .byte 7\n.text\n_start: nop\n",
    );
    let segments: Vec<(u32, usize)> = program
        .segments
        .iter()
        .map(|segment| (segment.address, segment.bytes.len()))
        .collect();
    assert_eq!(
        segments,
        [(0x1000, 4), (0x1010, 1), (0x1020, 4), (0x1030, 5)]
    );
    assert_eq!(program.text, (0x1000, 0x1004));
    for (name, address) in [
        ("_start", 0x1000),
        ("r", 0x1010),
        ("d", 0x1020),
        ("b", 0x1030),
        ("__bss_start", 0x1030),
        ("_end", 0x1035),
    ] {
        assert_eq!(program.symbols.get(name), Some(&address), "{name}");
    }
}

#[test]
fn entry_is_start_or_the_beginning_of_text() {
    assert_eq!(program("nop\n_start: nop\n").entry, 0x1004);
    assert_eq!(program("nop\nmain: nop\n").entry, 0x1000);
}

#[test]
fn input_sections_stay_together() {
    let source = "
        .text
        j 1f
        .section .text.startup,\"ax\",@progbits
        ebreak
        .section .rodata.str1.4,\"aMS\",@progbits,1
        .string \"ab\"
        .section .rodata
        .byte 9
        .section .rodata.str1.4
        .string \"c\"
        .text
        1: ret
        .pushsection .data
        .byte 5
        .popsection
        nop
        .data
        .previous
        nop
    ";
    let program = program(source);
    assert_eq!(listing(source), ["j 0x1004", "ret", "nop", "nop", "ebreak"]);
    assert_eq!(bytes_at(&program, 0x1020, 6), b"ab\0c\0\x09");
    assert_eq!(bytes_at(&program, 0x1030, 1), [5]);
}

#[test]
fn debug_sections_are_left_out() {
    let source = "
        nop
        .section .debug_info,\"\",@progbits
        .Linfo: .4byte .Lend - .Linfo, undefined_name
        .uleb128 0x81
        .Lend:
        .section .note.GNU-stack,\"\",@progbits
        .text
        nop
    ";
    assert_eq!(program(source).segments.len(), 1);
    assert_eq!(words(&program(source)).len(), 2);
}

#[test]
fn data_directives() {
    let program = program(
        r#"
        .set N, 3
        .data
    a:  .byte 1, -1, 'A', 0xff, '\n'
        .half 0x1234
        .balign 4
    b:  .word b, b + 4, c - b, N * 2 + 1, ~0, . - b
        .8byte 0x123456789abcdef0, -2
    c:  .ascii "x\ty", "z"
        .asciz "é"
        .space N, 0xee
        .fill 2, 2, 0x0102
        .p2align 3, 0x55
    d:
    "#,
    );
    let b = program.symbols["b"];
    assert_eq!(
        (b, program.symbols["c"], program.symbols["d"]),
        (0x1008, 0x1030, 0x1040)
    );
    let word =
        |index: u32| u32::from_le_bytes(bytes_at(&program, b + 4 * index, 4).try_into().unwrap());
    assert_eq!(
        bytes_at(&program, 0x1000, 8),
        [1, 0xff, 65, 0xff, 10, 0x34, 0x12, 0]
    );
    assert_eq!([0, 1, 2, 3, 4, 5].map(word), [b, b + 4, 0x28, 7, !0, 20]);
    assert_eq!([6, 7, 8, 9].map(word), [0x9abcdef0, 0x12345678, !1, !0]);
    let tail = [
        b"x\tyz\xC3\xA9\0\xee\xee\xee".as_slice(),
        &[2, 1, 2, 1, 0x55, 0x55],
    ]
    .concat();
    assert_eq!(bytes_at(&program, 0x1030, 16), tail);
}

#[test]
fn operators_bind_as_in_gnu_as() {
    for (expression, value) in [
        ("1 + 2 * 3", 7),
        ("1 + 8 | 4", 13),
        ("1 << 4 + 1", 17),
        ("10 - 3 - 2", 5),
        ("-7 / 2", -3),
        ("-7 % 4", -3),
        ("(1 + 2) * -3", -9),
        ("6 & 3 ^ 1", 3),
        ("~5 & 0xf", 10),
        ("1 << 31 >> 30", 2),
        ("'a' + 1", 98),
        ("%hi(0x12345fff)", 0x12346),
        ("%lo(0x12345fff)", -1),
    ] {
        let program = program(&format!(".data\n.word {expression}\n"));
        let bytes = bytes_at(&program, 0x1000, 4).try_into().unwrap();
        assert_eq!(i32::from_le_bytes(bytes), value, "{expression}");
    }
}

#[test]
fn set_symbols_have_the_value_of_the_moment() {
    let source = "
        li a0, %lo(LATE)
        X = 1
        li a1, X
        .set X, X + 1
        .equ Y, X * 10
        li a2, X
        li a3, Y
        here = .
        j here
        .set LATE, 7
    ";
    // The first li comes before LATE is known, so it has both halves.
    assert_eq!(
        listing(source),
        [
            "lui a0, 0x0",
            "addi a0, a0, 7",
            "li a1, 1",
            "li a2, 2",
            "li a3, 20",
            "j 0x1014"
        ]
    );
}

#[test]
fn what_is_set_behind_a_label_is_a_symbol() {
    let program = program(
        "
        nop
        .set N, 4
        .bss
    .L_MergedGlobals: .zero 16
        count = .L_MergedGlobals+4
        other = count
        .set length, other - .L_MergedGlobals
    ",
    );
    let begin = program.symbols["__bss_start"];
    assert_eq!(program.symbols["count"], begin + 4);
    assert_eq!(program.symbols["other"], begin + 4);
    // Numbers are no places.
    assert!(!program.symbols.contains_key("N") && !program.symbols.contains_key("length"));
}

#[test]
fn numeric_labels_are_the_nearest_of_their_number() {
    same(
        "1: nop\n j 1f\n j 1b\n1: j 1b\n2: j 2b\n bnez a0, 1f\n1: 0: j 0b",
        "nop\n j 0x100c\n j 0x1000\n j 0x100c\n j 0x1010\n bnez a0, 0x1018\n j 0x1018",
    );
}

#[test]
fn comments_and_separators_are_where_gnu_has_them() {
    same(
        "a: b: nop # one; two\n nop // three\n/* four\n five */ nop; nop ; ; ret /* six */",
        "nop\nnop\nnop\nnop\nret",
    );
}

#[test]
fn pseudo_instructions() {
    for (pseudo, expected) in [
        ("li a0, 0", "addi a0, x0, 0"),
        ("li a0, -2048", "addi a0, x0, -2048"),
        ("li a0, 2048", "lui a0, 1; addi a0, a0, -2048"),
        ("li a0, 0x12345000", "lui a0, 0x12345"),
        ("li a0, 0xffffffff", "addi a0, x0, -1"),
        ("li a0, 0x7fffffff", "lui a0, 0x80000; addi a0, a0, -1"),
        ("li a0, -0x80000000", "lui a0, 0x80000"),
        ("li a0, 'x'", "addi a0, x0, 120"),
        ("la a0, 0x2345", "auipc a0, 1; addi a0, a0, 0x345"),
        ("lla s1, 0x1800", "auipc s1, 1; addi s1, s1, -2048"),
        ("lw a0, 0x1008", "auipc a0, 0; lw a0, 8(a0)"),
        ("sw a0, 0x1008, t0", "auipc t0, 0; sw a0, 8(t0)"),
        ("mv a0, a1", "addi a0, a1, 0"),
        ("move a0, a1", "addi a0, a1, 0"),
        ("not a0, a1", "xori a0, a1, -1"),
        ("neg a0, a1", "sub a0, zero, a1"),
        ("seqz a0, a1", "sltiu a0, a1, 1"),
        ("snez a0, a1", "sltu a0, zero, a1"),
        ("sltz a0, a1", "slt a0, a1, zero"),
        ("sgtz a0, a1", "slt a0, zero, a1"),
        ("sgt a0, a1, a2", "slt a0, a2, a1"),
        ("sgtu a0, a1, a2", "sltu a0, a2, a1"),
        ("zext.b a0, a1", "andi a0, a1, 255"),
        ("zext.h a0, a1", "slli a0, a1, 16; srli a0, a0, 16"),
        ("sext.b a0, a1", "slli a0, a1, 24; srai a0, a0, 24"),
        ("sext.h a0, a1", "slli a0, a1, 16; srai a0, a0, 16"),
        ("add a0, a1, -3", "addi a0, a1, -3"),
        ("sll a0, a1, 3", "slli a0, a1, 3"),
        ("and a0, a1, %lo(0x1234)", "andi a0, a1, 0x234"),
        ("beqz a0, .", "beq a0, zero, ."),
        ("bnez a0, .", "bne a0, zero, ."),
        ("blez a0, .", "bge zero, a0, ."),
        ("bgez a0, .", "bge a0, zero, ."),
        ("bltz a0, .", "blt a0, zero, ."),
        ("bgtz a0, .", "blt zero, a0, ."),
        ("bgt a0, a1, .", "blt a1, a0, ."),
        ("ble a0, a1, .", "bge a1, a0, ."),
        ("bgtu a0, a1, .", "bltu a1, a0, ."),
        ("bleu a0, a1, .", "bgeu a1, a0, ."),
        ("j .+8", "jal x0, 0x1008"),
        ("jal .+8", "jal ra, 0x1008"),
        ("jr a0", "jalr x0, 0(a0)"),
        ("jr 4(a0)", "jalr x0, a0, 4"),
        ("jalr a0", "jalr ra, 0(a0)"),
        ("jalr 8(a0)", "jalr ra, a0, 8"),
        ("jalr t0, (a0)", "jalr t0, a0"),
        ("ret", "jalr zero, ra, 0"),
        ("call .+8", "jal ra, .+8"),
        ("call t0, .+8", "jal t0, .+8"),
        ("tail .+8", "jal x0, .+8"),
        ("jump .+8, t1", "jal x0, .+8"),
        ("nop", "addi x0, x0, 0"),
        ("csrr a0, wtid", "csrrs a0, 0xcc0, x0"),
        ("csrw 0x340, a1", "csrrw x0, 0x340, a1"),
        ("csrs cycle, a1", "csrrs x0, cycle, a1"),
        ("csrc cycle, a1", "csrrc x0, cycle, a1"),
        ("csrwi cycle, 5", "csrrwi x0, cycle, 5"),
        ("csrw cycle, 5", "csrrwi x0, cycle, 5"),
        ("csrsi cycle, 5", "csrrsi x0, cycle, 5"),
        ("csrci cycle, 31", "csrrci x0, cycle, 31"),
        ("rdcycle a0", "csrrs a0, cycle, x0"),
        ("rdcycleh a0", "csrrs a0, 0xc80, x0"),
        ("rdtime a0", "csrrs a0, time, x0"),
        ("rdinstreth a0", "csrrs a0, instreth, x0"),
        ("fence", "fence iorw, iorw"),
        ("fence.tso", ".word 0x8330000f"),
        ("unimp", ".word 0xc0001073"),
        ("scall; sbreak", "ecall; ebreak"),
        ("lw a0, (a1)", "lw x10, 0(x11)"),
        ("sb fp, -1(sp)", "sb s0, -1(x2)"),
        ("lr.w.aqrl a0, 0(a1)", "lr.w.aqrl a0, (a1)"),
    ] {
        same(pseudo, expected);
    }
}

#[test]
fn xweft_is_what_the_specification_writes_with_insn() {
    for (ours, expected) in [
        ("push 9, .+8", ".insn j 0x0B, x9, .+8"),
        ("push longjmp, .-8", ".insn j 0x0B, x4, .-8"),
        ("leave break, .+8", ".insn b 0x2B, 0, x0, x1, .+8"),
        ("leave.nez 6, a0, .+8", ".insn b 0x2B, 1, a0, x6, .+8"),
        ("leave.eqz call, a0, .+8", ".insn b 0x2B, 2, a0, x3, .+8"),
        ("leave.r call, -4(t0)", ".insn i 0x5B, 0, x3, -4(t0)"),
        ("leave.r 7, (t0)", ".insn i 0x5B, 0, x7, t0, 0"),
        ("yield", ".insn i 0x5B, 1, x0, 0(x0)"),
        ("bar.top 3, a0", ".insn r 0x7B, 0, 0, x3, x0, a0"),
        ("bar.top.nez 3, a1, a0", ".insn r 0x7B, 0, 1, x3, a1, a0"),
        ("bar.sync 7", "bar.top 7, zero"),
        ("bar.bot 1", ".insn r 0x7B, 1, 0, x1, x0, x0"),
        ("bar.bot.nb 1", ".insn r 0x7B, 1, 1, x1, x0, x0"),
        ("bar.reset 2", ".insn r 0x7B, 2, 0, x2, x0, x0"),
        ("bar.arrive 4, t0", ".insn r 0x7B, 3, 0, x4, x0, t0"),
        ("bar.wait 4, t1", ".insn r 0x7B, 4, 0, x4, t1, x0"),
        ("exit", ".insn i CUSTOM_2, 2, x0, 0(x0)"),
        ("ssy .", ".insn j CUSTOM_0, x0, ."),
        ("pbk .", "push break, ."),
        ("pcnt .", "push continue, ."),
        ("pcal .", "push call, ."),
        ("plongjmp .", "push longjmp, ."),
        ("ppexit .", "push pexit, ."),
        ("sync .", "leave sync, ."),
        ("sync.nez a0, .", "leave.nez 0, a0, ."),
        ("brk.eqz a0, .", "leave.eqz 1, a0, ."),
        ("cont .", "leave 2, ."),
        ("longjmp.nez s1, .", "leave.nez 4, s1, ."),
        ("lpexit.eqz s1, .", "leave.eqz pexit, s1, ."),
        ("wret ra", "leave.r call, 0(ra)"),
        ("subv.start .+8", ".insn j 0x0B, x12, .+8"),
        ("subv.auto .-8", ".insn j 0x0B, x28, .-8"),
        ("mand m1, m2, exec", ".insn r 0x5B, 3, 0, x1, x2, x8"),
        ("morn exec, m0, m7", ".insn r 0x5B, 3, 7, x8, x0, x7"),
        ("mand.save m1, m2", ".insn r 0x5B, 3, 8, x1, x2, x0"),
        ("mandn.save m1, m2", ".insn r 0x5B, 3, 11, x1, x2, x0"),
        ("mset m3, a0", ".insn r 0x5B, 4, 0, x3, a0, x0"),
        (
            "mget a0, exec; mgeth a1, m2",
            ".insn r 0x5B, 4, 1, a0, x8, x0; .insn r 0x5B, 4, 1, a1, x2, x1",
        ),
        (
            "mput m2, a0; mputh m2, a1",
            ".insn r 0x5B, 4, 2, x2, a0, x0; .insn r 0x5B, 4, 2, x2, a1, x1",
        ),
        (
            "mpop a0, m2; mfirst a1, exec",
            ".insn r 0x5B, 4, 3, a0, x2, x0; .insn r 0x5B, 4, 4, a1, x8, x0",
        ),
        ("mscc a0", ".insn r 0x5B, 4, 5, a0, x0, x0"),
        ("mbz exec, .", ".insn b 0x5B, 5, x8, x0, ."),
        (
            "mbnz m1, .; mbo m2, .",
            ".insn b 0x5B, 5, x1, x1, .; .insn b 0x5B, 5, x2, x2, .",
        ),
        ("mbno m3, .+8", ".insn b 0x5B, 5, x3, x3, .+8"),
        (
            "mbz scc, .; mbnz scc, .",
            ".insn b 0x5B, 5, x9, x0, .; .insn b 0x5B, 5, x9, x1, .",
        ),
        ("mpred m5, 8", ".insn i 0x5B, 6, x0, 8(x5)"),
        (
            "mmov m1, exec; mnot m1, m2",
            "mor m1, exec, exec; mnor m1, m2, m2",
        ),
        ("mclr m4; mones m5", "mxor m4, m4, m4; mxnor m5, m5, m5"),
        ("mrestore m6", "mor exec, exec, m6"),
    ] {
        same(ours, expected);
    }
}

#[test]
fn insn_formats() {
    for (raw, expected) in [
        (".insn r OP, 0, 1, a0, a1, a2", "mul a0, a1, a2"),
        (".insn r 0x33, 7, 0, a0, a1, a2", "and a0, a1, a2"),
        (".insn i OP_IMM, 0, a0, a1, -5", "addi a0, a1, -5"),
        (".insn i LOAD, 2, a0, 4(sp)", "lw a0, 4(sp)"),
        (".insn s STORE, 1, a0, -2(sp)", "sh a0, -2(sp)"),
        (".insn b BRANCH, 1, a0, a1, .+8", "bne a0, a1, .+8"),
        (".insn sb 0x63, 1, a0, a1, .+8", "bne a0, a1, .+8"),
        (".insn u LUI, a0, 0xfffff", "lui a0, 0xfffff"),
        (".insn j JAL, ra, .+2", "jal .+2"),
        (".insn uj 0x6f, ra, .-2", "jal .-2"),
        (".insn 0x00000013", "nop"),
        (".insn 4, 0x13", "nop"),
        (".word 0x13", "nop"),
    ] {
        same(raw, expected);
    }
}

#[test]
fn relocations_pair_up() {
    let source = "
        lui a0, %hi(x)
        lw a1, %lo(x)(a0)
        sw a1, %lo(x + 4)(a0)
    1:  auipc a2, %pcrel_hi(x)
        nop
        addi a2, a2, %pcrel_lo(1b)
        .data
        .zero 0xff8
    x:  .word 0
    ";
    let address = program(source).symbols["x"];
    assert_eq!(address, 0x2018);
    assert_eq!(
        listing(source),
        [
            "lui a0, 0x2",
            "lw a1, 24(a0)",
            "sw a1, 28(a0)",
            "auipc a2, 0x1",
            "nop",
            "addi a2, a2, 12"
        ]
    );
}

#[test]
fn branches_and_calls_out_of_reach_are_lengthened() {
    let far = |first: &str, gap: u32| format!("{first}\n nop\n .space {gap}\n target: ret\n");
    let start = |source: &str, count: usize| listing(source)[..count].to_vec();
    // 4 + 4 + 4086 is just in reach: the largest multiple of 4 is 4092.
    assert_eq!(
        start(&far("beq a0, a1, target", 4084), 1),
        ["beq a0, a1, 0x1ffc"]
    );
    assert_eq!(
        start(&far("beq a0, a1, target", 4088), 2),
        ["bne a0, a1, 0x1008", "j 0x2004"]
    );
    assert_eq!(
        start(&far("bgtz a0, target", 5000), 2),
        ["blez a0, 0x1008", "j 0x2394"]
    );
    assert_eq!(start(&far("call target", 4000), 1), ["jal 0x1fa8"]);
    assert_eq!(
        start(&far("call target", 0x10_0000), 2),
        [
            "auipc ra, 0x100",
            "jalr 12(ra)"
                .replace("jalr 12(ra)", "jalr ra, 12(ra)")
                .as_str()
        ]
    );
    assert_eq!(
        start(&far("tail target", 0x10_0000), 2),
        ["auipc t1, 0x100", "jr 12(t1)"]
    );
}

#[test]
fn one_long_branch_can_make_another_long() {
    let source = "
        beqz a0, far
        beqz a1, farther
        .space 4084
    far: ret
        nop
    farther: ret
    ";
    let listing = listing(source);
    assert_eq!(listing[..2], ["bnez a0, 0x1008", "j 0x2004"]);
    assert_eq!(listing[2..4], ["bnez a1, 0x1010", "j 0x200c"]);
}

/// Identifiers of C may be names of registers; compilers write them as they are.
#[test]
fn functions_and_variables_may_be_named_as_registers() {
    let names = (0..32).map(|n| format!("x{n}"));
    let names = names.chain(weft_isa::REGISTER_NAMES.map(String::from));
    for name in names.chain(["fp".into()]) {
        let words = |symbol: &str| {
            let text = format!(
                "call {symbol}\n tail {symbol}\n jal {symbol}\n jal t0, {symbol}\n call t1, {symbol}\n j {symbol}\n\
                 jump {symbol}, t2\n la a0, {symbol}\n lui a1, %hi({symbol})\n lw a1, %lo({symbol})(a1)\n lw a2, {symbol}\n\
                 sw a2, {symbol}, t0\n .globl {symbol}\n {symbol}: ret\n .data\n .word {symbol}, {symbol}+4\n"
            );
            listing(&text)
        };
        assert_eq!(words(&name), words("plain"), "{name}");
    }
    let far = |name: &str| listing(&format!("call {name}\n .space 0x100000\n {name}: ret\n"));
    assert_eq!(far("s1")[..2], far("plain")[..2]);
}

#[test]
fn files_share_global_symbols_only() {
    let start =
        ".globl _start\n_start: call main\n j local\nlocal: exit\n.weak hook\n la a0, hook\n";
    let main =
        ".globl main\nlocal: nop\nmain: j local\n.comm shared, 8, 8\n.local own\n.comm own,4,4";
    let other = ".comm shared, 16, 4\n.data\n.word shared\n.text\n.weak main\nmain: nop\n";
    let program = assemble_files(&[("start.s", start), ("main.s", main), ("other.s", other)])
        .unwrap_or_else(|errors| panic!("{errors}"));
    let listing: Vec<String> = words(&program)
        .iter()
        .map(|&word| decode(word).unwrap().to_string())
        .collect();
    assert_eq!(listing[0], "jal .+24");
    assert_eq!(listing[1..3], ["j .+4", "exit"]);
    assert_eq!(listing[5..7], ["nop", "j .-4"]);
    assert_eq!(program.symbols["main"], 0x1018);
    assert_eq!(program.symbols["local"], 0x1008);
    let shared = program.symbols["shared"];
    assert_eq!(shared % 8, 0);
    assert_eq!(program.symbols["_end"], shared + 16);
}

#[test]
fn storage_without_an_alignment_is_naturally_aligned() {
    let program = program(".bss\n.byte 0\n.comm a, 3\n.lcomm b, 4\n.comm c, 100\n");
    for (name, align) in [("a", 2), ("b", 4), ("c", 8)] {
        assert_eq!(program.symbols[name] % align, 0, "{name}");
    }
}

#[test]
fn alignment_in_text_is_filled_with_nops() {
    same(
        "ret\n.align 4\nret\n.balign 8\n.p2align 4,,2\nret",
        "ret\nnop\nnop\nnop\nret\nnop\nret",
    );
}

#[test]
fn gcc_output_assembles() {
    for (name, symbols) in [
        (
            "switch.s",
            ["choose", "kernel", "names", "out", "total"].as_slice(),
        ),
        (
            "recursion.s",
            &["fibonacci", "kernel", "pick", "result", "finish"],
        ),
        (
            "atomics.s",
            &["_start", "kernel", "collatz", "histogram", "lock"],
        ),
        (
            "hints.s",
            &["_start", "kernel", "recursive", "nested", "words"],
        ),
    ] {
        let program =
            assemble(&read(&data(name)), name).unwrap_or_else(|errors| panic!("{errors}"));
        for symbol in symbols {
            assert!(program.symbols.contains_key(*symbol), "{name}: {symbol}");
        }
        for word in words(&program) {
            assert!(decode(word).is_ok(), "{name}: {word:#010x}");
        }
    }
}

#[test]
fn jump_tables_hold_addresses_of_code() {
    let program = program(&read(&data("switch.s")));
    let table = program
        .segments
        .iter()
        .find(|segment| segment.address == program.text.1.next_multiple_of(16));
    let bytes = &table.expect("read-only data").bytes[..32];
    let targets: Vec<u32> = bytes
        .chunks(4)
        .map(|word| u32::from_le_bytes(word.try_into().unwrap()))
        .collect();
    let code = program.symbols["choose"]..program.symbols["kernel"];
    assert!(
        targets
            .iter()
            .all(|target| code.contains(target) && target % 4 == 0),
        "{targets:x?}"
    );
}

#[test]
fn empty_source_is_an_empty_program() {
    let program = program("# nothing\n");
    assert_eq!(
        (program.entry, program.text, program.segments.len()),
        (0x1000, (0x1000, 0x1000), 0)
    );
}

/// CC-042: GCC with -fPIC, the default of Linux cross compilers.
#[test]
fn calls_through_the_plt_are_calls() {
    let callee = "f: ret\n";
    for (with, without) in [
        ("call f@plt", "call f"),
        ("tail f@plt", "tail f"),
        ("jal ra, f@plt", "jal ra, f"),
    ] {
        same(
            &format!("{with}\n{callee}"),
            &format!("{without}\n{callee}"),
        );
    }
}

#[test]
fn conditions_ask_whether_a_symbol_is_defined_so_far() {
    let source = "\
        .ifndef f\nf: nop\n.ifdef g\n.if 1\nunknown\n.else\nli a0, 9\n.endif\nnop\n.else\nli a0, 1\n.endif\n.else\nli a0, 2\n.endif\n\
        .ifndef f\nf: nop\n.else\ng: li a0, 3\n.endif\n";
    same(source, "f: nop\nli a0, 1\ng: li a0, 3\n");
}

/// As the barriers of weft.h are written: each file brings the code, and one of them counts.
#[test]
fn a_weak_label_of_several_files_is_one_place() {
    let stub = ".ifndef once\n.pushsection .text.once,\"ax\",@progbits\n.weak once\nonce: jr t0\n.popsection\n.endif\njal t0, once\n";
    let first = format!("_start:\n{stub}{stub}");
    let program = assemble_files(&[("a.s", &first), ("b.s", stub)]).unwrap();
    let targets: Vec<u32> = words(&program)
        .iter()
        .zip((program.text.0..).step_by(4))
        .filter_map(|(word, pc)| match decode(*word) {
            Ok(weft_isa::Instr::Jal { rd: 5, offset }) => Some(pc.wrapping_add_signed(offset)),
            _ => None,
        })
        .collect();
    assert_eq!(targets.len(), 3);
    assert!(targets.iter().all(|t| *t == targets[0]), "{targets:x?}");
}
