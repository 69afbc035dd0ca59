//! `kernels/weft.h`: pushes and leaves of GCC's output name the same addresses.

mod common;

use std::collections::BTreeSet;
use std::path::Path;

use common::{data, gnu, read, words};
use weft_isa::*;

/// (type, target) of all pushes and of all leaves.
type Targets = BTreeSet<(u8, u32)>;

fn targets(program: &Program) -> (Targets, Targets) {
    let (mut pushed, mut left) = (Targets::new(), Targets::new());
    let addresses = (program.text.0..).step_by(4);
    for (word, pc) in words(program).into_iter().zip(addresses) {
        match decode(word) {
            Ok(Instr::Push { kind, offset }) => {
                pushed.insert((kind.code(), pc.wrapping_add_signed(offset)));
            }
            Ok(Instr::Leave { kind, offset, .. }) => {
                left.insert((kind.code(), pc.wrapping_add_signed(offset)));
            }
            _ => {}
        }
    }
    (pushed, left)
}

/// Types of the free leaves in hints.c, for which the header promises nothing.
const FREE: [u8; 2] = [4, 5];

/// Every push has its leave and every leave its push.
fn check(source: &str, name: &str, at_least: usize) {
    let program = assemble(source, name).unwrap_or_else(|errors| panic!("{errors}"));
    let (mut pushed, mut left) = targets(&program);
    pushed.retain(|(kind, _)| !FREE.contains(kind));
    left.retain(|(kind, _)| !FREE.contains(kind));
    assert!(
        pushed.len() >= at_least,
        "{name}: only {} pushes",
        pushed.len()
    );
    assert_eq!(pushed, left, "{name}");
}

#[test]
fn committed_output_has_matching_tokens() {
    check(&read(&data("atomics.s")), "atomics.s", 4);
    check(&read(&data("hints.s")), "hints.s", 8);
}

#[test]
fn tokens_match_at_every_optimization_level() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("out.s");
    for (name, at_least) in [("atomics.c", 2), ("hints.c", 6)] {
        for level in ["-O0", "-O1", "-O2", "-O3", "-Os"] {
            let (input, output) = (data(name), output.as_path());
            let Some(()) = compile(&input, output, &[level]) else {
                return;
            };
            check(&read(output), &format!("{name} {level}"), at_least);
        }
    }
}

#[test]
fn committed_output_is_what_gcc_makes() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("out.s");
    for name in ["switch", "recursion", "atomics", "hints"] {
        let Some(()) = compile(&data(&format!("{name}.c")), &output, &["-O2"]) else {
            return;
        };
        let Some(version) = gnu("gcc", &["-dumpfullversion"]) else {
            return;
        };
        if version.trim() != "12.2.0" {
            println!("SKIPPED: gcc {version} instead of 12.2.0");
            return;
        }
        // Comments name the folder that GCC was run in.
        let code = |source: String| -> Vec<String> {
            source
                .lines()
                .filter(|line| !line.starts_with('#'))
                .map(str::to_string)
                .collect()
        };
        let committed = read(&data(&format!("{name}.s")));
        assert_eq!(code(read(&output)), code(committed), "{name}");
    }
}

fn compile(input: &Path, output: &Path, options: &[&str]) -> Option<()> {
    let mut arguments = vec![
        "-march=rv32ima_zicsr",
        "-mabi=ilp32",
        "-mcmodel=medlow",
        "-ffreestanding",
        "-fno-pic",
        "-msmall-data-limit=0",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-S",
    ];
    arguments.extend(options);
    arguments.extend([input.to_str()?, "-o", output.to_str()?]);
    gnu("gcc", &arguments).map(|_| ())
}

#[test]
fn macros_work_in_preprocessed_assembly() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let header = Path::new(env!("CARGO_MANIFEST_DIR")).join("../kernels/weft.h");
    let source = format!(
        "#include \"{}\"
        _start: WEFT_SSY(join)
        WEFT_PUSH(9, _start)
        WEFT_SYNC_NEZ(a1, join)
        WEFT_BRK_EQZ(t0, _start)
        WEFT_SYNC_HERE(join)
        WEFT_LEAVE_R(7, 4, t1); WEFT_WRET(ra)
        csrr a0, WEFT_CSR_TID
        WEFT_BAR_TOP(1, t0); WEFT_BAR_TOP_NEZ(2, a0, t0); WEFT_BAR_SYNC(3)
        WEFT_BAR_BOTTOM(1); WEFT_BAR_BOTTOM_NB(2); WEFT_BAR_RESET(4)
        WEFT_BAR_ARRIVE(5, t1); WEFT_BAR_WAIT(5, t2)
        li t0, WEFT_BAR(WEFT_BAR_ORDERED, WEFT_BAR_PARTICIPANTS, 5)
        WEFT_YIELD(); WEFT_EXIT()
        WEFT_MASK_SET(1, a0); WEFT_SAVE_EXEC_AND(0, 1); WEFT_BRANCH_EXECZ(join)
        WEFT_EXEC_ANDN(0); WEFT_EXEC_RESTORE(0); WEFT_PREDICATE(2, 3)
        WEFT_SUBV_START(join); WEFT_SUBV_AUTO(join)
        WEFT_SET_LEVEL(a0); WEFT_COUNTER(a1, WEFT_CSR_WARP_INSTRET)
        ",
        header.display()
    );
    std::fs::write(path("macros.S"), source).unwrap();
    let Some(text) = gnu("gcc", &["-E", &path("macros.S")]) else {
        return;
    };
    let program = assemble(&text, "macros.S").unwrap_or_else(|errors| panic!("{errors}"));
    let addresses = (program.text.0..).step_by(4);
    let listing: Vec<String> = words(&program)
        .into_iter()
        .zip(addresses)
        .map(|(word, pc)| disassemble(decode(word).unwrap(), pc))
        .collect();
    let expected = [
        "ssy 0x1014",
        "push 9, 0x1000",
        "sync.nez a1, 0x1014",
        "brk.eqz t0, 0x1000",
        "sync 0x1014",
        "leave.r 7, 4(t1)",
        "wret ra",
        "csrr a0, wtid",
        "bar.top 1, t0",
        "bar.top.nez 2, a0, t0",
        "bar.sync 3",
        "bar.bot 1",
        "bar.bot.nb 2",
        "bar.reset 4",
        "bar.arrive 5, t1",
        "bar.wait 5, t2",
        "lui t0, 0x9",
        "addi t0, t0, 5",
        "yield",
        "exit",
        "mset m1, a0",
        "mand.save m0, m1",
        "mbz exec, 0x1014",
        "mandn exec, m0, exec",
        "mrestore m0",
        "mpred m2, 3",
        "subv.start 0x1014",
        "subv.auto 0x1014",
        "csrw wlevel, a0",
        "csrr a1, winstret",
    ];
    assert_eq!(listing, expected);
}

/// Every use of a counter reads it, and a level that is never looked at is written.
#[test]
fn levels_and_counters_stay_in_c() {
    let folder = tempfile::tempdir().unwrap();
    let header = Path::new(env!("CARGO_MANIFEST_DIR")).join("../kernels/weft.h");
    let source = format!(
        "#include \"{}\"
        unsigned measured(unsigned level) {{
            WEFT_SET_LEVEL(level);
            unsigned before = WEFT_COUNTER(WEFT_CSR_WARP_INSTRET);
            return WEFT_COUNTER(WEFT_CSR_WARP_INSTRET) - before + WEFT_COUNTER(WEFT_CSR_ALL_DUAL) + WEFT_LEVEL();
        }}",
        header.display()
    );
    let [input, output] = ["level.c", "level.s"].map(|name| folder.path().join(name));
    std::fs::write(&input, source).unwrap();
    if compile(&input, &output, &["-O2"]).is_none() {
        return;
    }
    let text = std::fs::read_to_string(&output).unwrap();
    let program = assemble(&text, "level.s").unwrap_or_else(|errors| panic!("{errors}"));
    let listing = words(&program)
        .into_iter()
        .map(|word| disassemble(decode(word).unwrap(), 0x1000));
    let listing: Vec<String> = listing.filter(|line| line.starts_with("csr")).collect();
    let [level, before, after, dual, own] = &listing[..] else {
        panic!("{listing:?}");
    };
    assert!(
        level.starts_with("csrw wlevel, ") && own.ends_with(", wlevel"),
        "{listing:?}"
    );
    assert!(
        before.ends_with(", winstret") && after.ends_with(", winstret"),
        "{listing:?}"
    );
    assert!(dual.ends_with(", sdual"), "{listing:?}");
}
