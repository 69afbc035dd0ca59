//! COMP-010 to COMP-014: what is read, what is kept, and what is refused.

mod support;

use proptest::prelude::*;
use support::c_programs::random;
use support::compilers::{compilers, LEVELS};
use support::{judge, kernels, spoiled};
use weft_compiler::{compile, Lower, Options, Yields};

fn none() -> Options {
    Options {
        lower: Lower::None,
        ..Options::default()
    }
}

/// Committed output of both compilers; made by `cargo run -p weft-compiler --example samples`.
fn samples() -> Vec<(String, String)> {
    let folder = kernels::root().join("compiler/tests/data");
    let mut found: Vec<(String, String)> = std::fs::read_dir(folder)
        .expect("samples")
        .flatten()
        .filter(|entry| entry.path().extension().is_some_and(|e| e == "s"))
        .map(|entry| {
            (
                entry.file_name().to_string_lossy().into_owned(),
                std::fs::read_to_string(entry.path()).expect("text"),
            )
        })
        .collect();
    found.sort();
    found
}

/// COMP-001, COMP-002.
#[test]
fn without_lowering_every_byte_is_kept() {
    let all: Vec<_> = kernels::sources().into_iter().chain(samples()).collect();
    assert!(all.len() > 50, "{}", all.len());
    for (name, source) in all {
        let output = compile(&source, &name, &none()).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(output.assembly, source, "{name}");
    }
}

#[test]
fn every_lowering_of_every_source_assembles() {
    for (name, source) in kernels::sources().into_iter().chain(samples()) {
        let undefined = |text: &str| text.contains("undefined symbol");
        if judge::assemble(&name, &source).is_err_and(|e| undefined(&e)) {
            continue;
        }
        for lower in Lower::ALL {
            let options = Options {
                lower,
                ..Options::default()
            };
            let output = compile(&source, &name, &options).unwrap_or_else(|e| panic!("{e}"));
            judge::assemble(&name, &output.assembly)
                .unwrap_or_else(|e| panic!("{name} {lower}: {e}"));
        }
    }
}

#[test]
fn comments_and_debug_lines_survive() {
    let mut seen = 0;
    for (name, source) in samples()
        .into_iter()
        .filter(|(name, _)| name.contains("debug"))
    {
        let output = compile(
            &source,
            &name,
            &Options {
                lower: Lower::Tokens,
                ..Options::default()
            },
        )
        .expect("a sample");
        let kept = |text: &str| -> Vec<String> {
            let lines = text.lines().map(str::trim).filter(|line| {
                line.starts_with(".loc") || line.starts_with('#') || line.starts_with(".cfi")
            });
            lines.map(String::from).collect()
        };
        assert_eq!(kept(&output.assembly), kept(&source), "{name}");
        assert!(
            kept(&source).len() > 5 && output.assembly.contains("ssy"),
            "{name}"
        );
        seen += 1;
    }
    assert!(seen >= 2);
}

/// COMP-011.
#[test]
fn text_that_is_not_an_instruction_names_its_place() {
    let error = compile("kernel:\n\tadd a0, a1\n\tfrob t0\n", "wrong.s", &none())
        .expect_err("two errors")
        .to_string();
    assert!(
        error.contains("wrong.s:2:") && error.contains("wrong.s:3:2: unknown instruction `frob`"),
        "{error}"
    );
}

#[test]
fn compilers_that_are_installed_are_read() {
    let folder = tempfile::tempdir().expect("a folder");
    for compiler in compilers() {
        for (seed, level) in (900..).zip(LEVELS) {
            let assembly = compiler
                .run(
                    &random(seed),
                    level,
                    &["-g", "-fasynchronous-unwind-tables"],
                    folder.path(),
                )
                .expect("it compiles");
            let output = compile(&assembly, "random.s", &none())
                .unwrap_or_else(|e| panic!("{} {level} {seed}: {e}", compiler.name));
            assert_eq!(output.assembly, assembly);
        }
    }
}

#[test]
fn sources_of_odd_form_keep_their_statements() {
    // Sources in CRLF, without a last line end, with several statements in a line, and empty.
    for source in [
        "",
        "\n",
        "kernel:\r\n\tbeqz a0, 1f\r\n\tnop\r\n1:\tret\r\n",
        "kernel: beqz a0, 1f; nop; 1: nop; beqz a0, 1b; ret",
        "kernel:",
    ] {
        for lower in Lower::ALL {
            let options = Options {
                lower,
                yields: Yields::Off,
                ..Options::default()
            };
            let output = compile(source, "odd.s", &options).expect("odd, and right");
            let mut rest = output.assembly.as_str();
            // What was there is there still, in its order.
            let statements = source
                .split([';', '\n', ':'])
                .map(str::trim)
                .filter(|l| !l.is_empty() && !l.contains("beqz"));
            for line in statements {
                let at = rest.find(line).unwrap_or_else(|| {
                    panic!("{lower}: `{line}` is gone from {:?}", output.assembly)
                });
                rest = &rest[at + line.len()..];
            }
        }
    }
}

/// COMP-011, COMP-015: what the assembler takes, it takes from the compiler, too. Many more: `cargo run --release -p weft-compiler --example fuzz -- --sources 10000`.
#[test]
fn spoiled_sources_are_read_or_refused_with_their_place() {
    let sources = spoiled::sources();
    let (mut read, mut refused, mut taken) = (0, 0, 0);
    for seed in 0..250 {
        let text = spoiled::random(seed, &sources);
        let lower = Lower::ALL[(seed % 5) as usize];
        let options = Options {
            lower,
            ..Options::default()
        };
        match compile(&text, "spoiled.s", &options) {
            Ok(output) => {
                read += 1;
                if weft_isa::asm::check(&text, "spoiled.s").is_ok() {
                    let lowered = weft_isa::asm::check(&output.assembly, "lowered.s");
                    lowered.unwrap_or_else(|error| panic!("{seed}, --lower {lower}: {error}"));
                    taken += 1;
                }
            }
            Err(error) => {
                let error = error.to_string();
                assert!(error.contains("spoiled.s:"), "{seed}: {error}");
                refused += 1;
            }
        }
    }
    assert!(
        read >= 20 && refused >= 100 && taken >= 10 && read > taken,
        "{read} read, {refused} refused, {taken} taken by the assembler"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn garbage_is_an_error_and_no_panic(text in "\\PC{0,200}") {
        let _ = compile(&text, "garbage.s", &Options::default()).map_err(|e| e.to_string());
    }

    #[test]
    fn bytes_of_assembly_in_any_order(words in proptest::collection::vec(prop_oneof![
        Just("kernel:"), Just("\n"), Just("beqz a0,"), Just(" 1f\n"), Just("1:"), Just("jr a5"), Just("\tret\n"), Just(".word 1b\n"),
        Just(".section .rodata\n"), Just(".text\n"), Just("add a0, a0, a1\n"), Just(".set x, 1b\n"), Just("j x\n"), Just(";"), Just("call f\n"),
        Just("f:"), Just("lui a5, %hi(t)\n"), Just("t:"), Just(".type f, @function\n"), Just("\""), Just("/*"), Just("lw a5, 0(a5)\n"),
        Just("bne a0, a1, 1b\n"), Just(".globl f\n"), Just("ecall\n"), Just(".align 2\n"), Just("amoadd.w a0, a1, (a2)\n")], 0..60)) {
        let text = words.concat();
        for lower in Lower::ALL {
            let _ = compile(&text, "words.s", &Options { lower, ..Options::default() });
        }
    }

    #[test]
    fn truncated_sources_are_read_or_refused(file in 0usize..1000, cut in 0.0f64..1.0) {
        let samples = samples();
        let (name, source) = &samples[file % samples.len()];
        let mut at = (source.len() as f64 * cut) as usize;
        while !source.is_char_boundary(at) {
            at -= 1;
        }
        if let Err(error) = compile(&source[..at], name, &Options::default()) {
            prop_assert!(error.to_string().contains(&format!("{name}:")), "{error}");
        }
    }
}
