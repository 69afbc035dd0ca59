//! Error messages: place, wording, suggestions, several in one run.

use proptest::prelude::*;
use weft_isa::{assemble, assemble_files, AsmErrors};

fn errors(source: &str) -> AsmErrors {
    match assemble(source, "bad.s") {
        Err(errors) => errors,
        Ok(_) => panic!("assembles: {source}"),
    }
}

/// One error with this text (message and help) in the given line and column.
fn fails(source: &str, place: (usize, usize), message: &str) {
    let errors = errors(source);
    let error = &errors.errors()[0];
    let help = error
        .help()
        .map(|help| format!(" | {help}"))
        .unwrap_or_default();
    assert_eq!(format!("{}{help}", error.message()), message, "{source}");
    assert_eq!((error.line(), error.column()), place, "{errors}");
    assert_eq!(errors.errors().len(), 1, "{errors}");
}

#[test]
fn an_error_shows_place_line_and_mark() {
    let text = errors("nop\n\tadd a0, a1, a9 # comment\n").to_string();
    let expected =
        "bad.s:2:14: undefined symbol `a9`\n  | \tadd a0, a1, a9 # comment\n  | \t            ^^\n";
    assert!(text.starts_with(expected), "{text}");
    assert!(text.ends_with("1 error"), "{text}");
}

#[test]
fn miette_report_names_file_and_help() {
    let report = format!("{:?}", miette::Report::new(errors("bezq a0, .\n")));
    for part in [
        "bad.s:1:1",
        "unknown instruction `bezq`",
        "did you mean `beqz`?",
    ] {
        assert!(report.contains(part), "{report}");
    }
}

#[test]
fn all_statements_are_checked() {
    let errors = errors("nop\nfoo a0\naddi a0\nnop\n.byte\nlw a0, 4[a1]\n");
    let lines: Vec<usize> = errors.errors().iter().map(|error| error.line()).collect();
    assert_eq!(lines, [2, 3, 5, 6], "{errors}");
    assert!(errors.to_string().ends_with("4 errors"));
}

#[test]
fn all_references_are_checked() {
    let errors = errors("j nowhere\nj nowhere\nli a0, 1\naddi a0, a0, 2048\n.data\n.byte 256\n");
    let lines: Vec<usize> = errors.errors().iter().map(|error| error.line()).collect();
    assert_eq!(
        lines,
        [1, 4, 6],
        "an undefined symbol is named once: {errors}"
    );
}

#[test]
fn mnemonics_and_directives_suggest_the_nearest() {
    for (source, message) in [
        ("adddi a0, a0, 1", "unknown instruction `adddi` | did you mean `addi`?"),
        ("ADD a0, a0, a1", "unknown instruction `ADD`"),
        ("amoadd.w.acq a0, a1, (a2)", "unknown instruction `amoadd.w.acq`"),
        ("lw.aq a0, (a1)", "unknown instruction `lw.aq`"),
        ("snyc .", "unknown instruction `snyc` | did you mean `sync`?"),
        (
            "c.addi a0, 1",
            "unknown instruction `c.addi` | there are no compressed instructions: compile with -march=rv32ima_zicsr",
        ),
        (".algin 2", "unknown directive `.algin` | did you mean `.align`?"),
        (".wrod 2", "unknown directive `.wrod` | did you mean `.word`?"),
    ] {
        fails(source, (1, 1), message);
    }
}

#[test]
fn operands() {
    for (source, column, message) in [
        ("add a0, a1", 11, "expected `,`, found the end of the statement"),
        ("add a0, a1, a2, a3", 15, "expected the end of the statement, found `,`"),
        ("add a0, 5, a2", 9, "expected a register, found `5`"),
        ("add a0, x32, a2", 9, "expected a register, found `x32`"),
        ("sub a0, a1, 5", 13, "expected a register, found `5`"),
        ("addi a0, a1, a2", 14, "expected an immediate, found `a2`"),
        ("li a0, a1", 8, "expected a constant, found `a1` | mv copies a register"),
        ("li a0, 0x100000000", 8, "this does not fit 32 bits"),
        ("addi a0, a0, 2048", 14, "2048 does not fit: -2048 to 2047 | li loads larger constants into a register"),
        ("slli a0, a0, 32", 14, "32 does not fit: 0 to 31"),
        ("lui a0, 0x100000", 9, "1048576 does not fit: 0 to 1048575"),
        ("lw a0, 4", 0, ""),
        ("sw a0, 4", 9, "expected `(` and the address register, found the end of the statement | a store to a symbol needs a scratch register: sw a0, symbol, t0"),
        ("amoadd.w a0, a1, 4(a2)", 18, "expected `(`, found `4`"),
        ("csrr a0, wtids", 10, "expected a control and status register; this is not a known constant | symbols used here must be given a value with .equ before"),
        ("csrr a0, 4096", 10, "there is no CSR 4096: 0 to 0xfff"),
        ("csrwi cycle, 32", 14, "a CSR immediate is 0 to 0x1f, not 32"),
        ("fence wr, rw", 7, "expected letters of `iorw` in this order, found `wr`"),
        ("bar.sync 8", 10, "a barrier is 0 to 0x7, not 8"),
        ("bar.top 0", 10, "expected `,`, found the end of the statement"),
        ("bar.wait 0, 1", 13, "expected a register, found `1`"),
        ("bar.bot a0", 9, "expected a barrier; this is not a known constant | symbols used here must be given a value with .equ before"),
        ("bar.tpo 0, a0", 1, "unknown instruction `bar.tpo` | did you mean `bar.top`?"),
        ("mand m0, m1, m8", 14, "expected a mask (m0 to m7, or exec), found `m8`"),
        ("mset exec, a0", 1, "exec cannot be written or named here: m0 to m7"),
        ("mpred m0, 9", 11, "the length of a predicated block is 0 to 0x8, not 9"),
        ("mpred m0, 0", 1, "0 does not fit: 1 to 8"),
        ("mbo scc, .", 5, "expected a mask (m0 to m7, or exec), found `scc`"),
        ("push 10, .", 6, "there is no token type 10: 0 to 9"),
        ("push bread, .", 6, "expected a token type; this is not a known constant | types are 0 to 9, or sync, break, continue, call, longjmp, pexit"),
        ("ssy 0x200000", 5, "the target is 2093056 bytes away; this instruction reaches -1048576 to 1048574"),
        ("sync .+4096", 6, "the target is 4096 bytes away; this instruction reaches -4096 to 4094"),
        ("j .+3", 3, "the target is 3 bytes away, an odd distance"),
        ("lui a0, %high(4)", 10, "expected `hi`, `lo`, `pcrel_hi` or `pcrel_lo`, found `high`"),
        ("addi a0, a0, %pcrel_lo(0x1000)", 23, "this label does not mark an instruction with %pcrel_hi"),
        ("li a0, (1 + 2", 14, "expected `)`, found the end of the statement"),
        ("li a0, 1 / 0", 8, "division by zero"),
        ("li a0, 12abc", 8, "this is not a number"),
        ("j 1b", 3, "there is no label `1b:` before this"),
        (".insn q 3, a0", 1, "unknown .insn format `q` | formats are r, i, s, b, u and j, or one 32-bit number"),
        (".insn i 4, 0, a0, a0, 0", 9, "the two low bits of a 32-bit instruction's opcode are 11"),
        (".insn i 0x13, 8, a0, a0, 0", 15, "funct3 is 0 to 0x7, not 8"),
    ] {
        if message.is_empty() {
            assert!(assemble(source, "good.s").is_ok(), "{source}");
            continue;
        }
        let message = message.replace("`1b:`", "`1:`");
        fails(source, (1, column), &message);
    }
}

#[test]
fn symbols() {
    for (source, place, message) in [
        (
            "start: nop\nj strat\n",
            (2, 3),
            "undefined symbol `strat` | did you mean `start`?",
        ),
        (
            "a: nop\na: nop\n",
            (2, 1),
            "`a` is already defined | first defined in line 1",
        ),
        (
            "a: nop\n.set a, 3\n",
            (2, 6),
            "`a` is already defined as a label",
        ),
        (
            ".set a, 3\na: nop\n",
            (2, 1),
            "`a` is already defined | first defined in line 1",
        ),
        (
            ".set a, b\n.set b, a\nj a\n",
            (1, 9),
            "`b` is defined by itself",
        ),
        ("j 1f\n", (1, 3), "undefined symbol `1f`"),
        (
            ".section .debug_x,\"\"\nx: .word 1\n.text\nj x\n",
            (4, 3),
            "`x` lies in .debug_x, which is not loaded",
        ),
        (
            "addi a0, a0, zero_\nj t0\n",
            (1, 14),
            "undefined symbol `zero_`",
        ),
    ] {
        let errors = errors(source);
        let error = &errors.errors()[0];
        let help = error
            .help()
            .map(|help| format!(" | {help}"))
            .unwrap_or_default();
        assert_eq!(format!("{}{help}", error.message()), message, "{source}");
        assert_eq!((error.line(), error.column()), place, "{errors}");
    }
}

#[test]
fn directives() {
    for (source, column, message) in [
        (".word 1,", 9, "expected an expression, found the end of the statement"),
        (".data; .byte -129", 14, "-129 does not fit 8 bits"),
        (".data; .half 65536", 14, "65536 does not fit 16 bits"),
        (".data; .zero -1", 14, "a size cannot be -1"),
        (".align 17", 8, "an alignment exponent is 0 to 0x10, not 17"),
        (".balign 12", 9, "an alignment is a power of two"),
        (".string \"open", 9, "this string is not closed"),
        (".string 5", 9, "expected a string, found `5`"),
        (".popsection", 1, ".popsection without .pushsection"),
        (".bss; .word 1", 7, ".bss holds only zeros"),
        (".data; nop", 8, "an instruction in .data | code belongs in .text"),
        (".byte 1; nop", 10, "instruction at the unaligned address 0x1001 | .align 2 before it"),
        (".text 2", 7, "numbered subsections are not supported"),
        (".bss; .zero 0x1000000", 7, "the program does not fit below 0x1000000"),
        ("nop /* open", 5, "expected the end of the statement, found the comment"),
        ("#include <weft.h>", 1, "preprocessor directive `#include` | preprocess the file first: riscv64-unknown-elf-gcc -E"),
    ] {
        let message = match message {
            "expected the end of the statement, found the comment" => "this comment is not closed",
            other => other,
        };
        fails(source, (1, column), message);
    }
    let errors = errors(".macro push2 a, b\n");
    assert_eq!(
        errors.errors()[0].message(),
        "`.macro` is not part of this assembler's subset"
    );
}

#[test]
fn sizes_that_chase_themselves_are_an_error() {
    fails(
        ".data\na: .space b - a + 1\nb:\n",
        (2, 4),
        "the size of this depends on itself and does not settle",
    );
}

#[test]
fn errors_name_their_file() {
    let files = [
        ("one.s", ".globl f\nf: nop\n"),
        ("two.s", ".globl f\nf: nop\nj nowhere\n"),
    ];
    let errors = match assemble_files(&files) {
        Err(errors) => errors,
        Ok(_) => panic!("assembles"),
    };
    let places: Vec<String> = errors
        .errors()
        .iter()
        .map(|error| {
            format!(
                "{}:{}:{} {}",
                error.file(),
                error.line(),
                error.column(),
                error.message()
            )
        })
        .collect();
    assert_eq!(
        places,
        [
            "two.s:2:1 `f` is already defined in another file",
            "two.s:3:3 undefined symbol `nowhere`"
        ]
    );
}

/// Pieces that random sources are made of.
#[rustfmt::skip]
const PIECES: [&str; 64] = [
    "\n", "\n", "\n", ";", " ", ",", ",", ":", "(", ")", "+", "-", "*", "/", "%", "<<", ">>", "~", "&",
    "=", "\"", "'", "\\", "#", "/*", "*/", "@", ".", "1b", "1f", "1:", "0x", "0b1", "7", "-1", "4095",
    "0xffffffffffffffff", "99999999999999999999999999999999999999999999", "é", "a0", "sp", "x", "x:",
    "y", "%hi(", "%pcrel_lo(", "addi ", "beq ", "call ", "li ", "lw ", "sw ", "la ", "jalr ", ".word ",
    ".space ", ".align ", ".set ", ".section ", ".insn ", ".fill ", ".bss", ".comm ", ".string ",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn no_source_makes_the_assembler_panic(
        pieces in prop::collection::vec(prop::sample::select(PIECES.to_vec()), 0..40),
        text in ".{0,20}",
    ) {
        let source = pieces.concat() + &text;
        if let Err(errors) = assemble(&source, "random.s") {
            prop_assert!(!errors.errors().is_empty());
            let _ = errors.to_string();
            let _ = format!("{:?}", miette::Report::new(errors));
        }
    }
}

#[test]
fn long_and_deep_expressions_are_errors() {
    let deep = format!("li a0, {}1{}", "(".repeat(500), ")".repeat(500));
    fails(&deep, (1, 108), "this expression is nested too deeply");
    let long = format!("li a0, 1{}", "+1".repeat(100_000));
    assert_eq!(
        errors(&long).errors()[0].message(),
        "this expression is too long"
    );
    fails(
        "li a0, 0xffffffffffffffff * 0xffffffffffffffff",
        (1, 8),
        "the value of this expression is too large",
    );
}

#[test]
fn what_only_a_linker_makes_is_refused_with_help() {
    let help = |source: &str| {
        let errors = errors(source);
        errors.errors()[0].help().unwrap_or_default().to_string()
    };
    assert!(help("call f@got\nf: ret").contains("-fno-pic"));
    assert!(help("auipc a0, %got_pcrel_hi(x)\nx: ret").contains("-fno-pic"));
    for section in [".init_array", ".init_array.00100", ".ctors"] {
        let source = format!("nop\n.section {section},\"aw\"\n.word 0x1000");
        let message = format!(
            "constructors in {section} would not be run | `weft cc` links a program that runs them; \
             `weft run` takes the C and C++ files themselves"
        );
        fails(&source, (3, 1), &message);
    }
}

#[test]
fn conditions_come_in_pairs() {
    fails("nop\n.endif", (2, 1), "`.endif` without `.ifdef`");
    fails(".else", (1, 1), "`.else` without `.ifdef`");
    fails(
        "nop\n.ifndef x\nnop",
        (2, 1),
        "this condition is not closed by `.endif`",
    );
}

/// One file of several: what another file may define can be missing, and nothing else.
#[test]
fn a_file_of_several_is_checked_alone() {
    let check = |source: &str| weft_isa::asm::check(source, "part.s").map_err(|e| e.to_string());
    check("\tcall elsewhere\n\tlui a0, %hi(words)\n\tlw a0, %lo(words+4)(a0)\n").unwrap();
    // Where no register can stand another file's function is meant.
    check("\tcall s1\n").unwrap();
    check("\t.section .init_array,\"aw\"\n\t.word elsewhere\n").unwrap();
    for (source, place, what) in [
        (
            "\tnop\n\tbnez a0, .L99\n",
            "part.s:2:",
            "undefined symbol `.L99`",
        ),
        ("\tbnez a0, sp\n", "part.s:1:", "undefined symbol `sp`"),
        ("\tcall sp, \n", "part.s:1:", "expected"),
        (
            "f:\n\taddi a0, a0, g - f\n\t.space 4000\ng:\n",
            "part.s:2:",
            "4004",
        ),
        ("\tfrob a0\n", "part.s:1:", "unknown instruction `frob`"),
    ] {
        let error = check(source).unwrap_err();
        assert!(
            error.contains(place) && error.contains(what),
            "{source}{error}"
        );
    }
}
