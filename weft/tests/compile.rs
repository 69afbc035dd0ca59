//! `weft compile` as a user meets it.

use std::path::Path;
use std::process::{Command, Output};

fn weft(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_weft"))
        .args(arguments)
        .output()
        .unwrap()
}

fn succeeds(arguments: &[&str]) -> String {
    let output = weft(arguments);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "weft {arguments:?}\n{error}");
    String::from_utf8(output.stdout).unwrap()
}

fn kernels(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../kernels");
    folder.join(name).to_str().unwrap().into()
}

#[test]
fn a_kernel_is_compiled_and_computes_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let distances = |program: &str| {
        let (rows, columns) = (
            format!("rows={}", kernels("data/karate_rows.txt")),
            format!("columns={}", kernels("data/karate_columns.txt")),
        );
        let out = succeeds(&[
            "run",
            program,
            "--load",
            &rows,
            "--load",
            &columns,
            "--dump",
            "distance:289",
        ]);
        // The line in front of the words has the address, which moves with the code.
        let dump = out.find("distance").expect("a dump");
        out[dump..]
            .lines()
            .skip(1)
            .take(37)
            .collect::<Vec<_>>()
            .join("\n")
    };
    let plain = distances(&kernels("bfs.s"));
    for lower in ["auto", "tokens", "masks", "predicate", "none"] {
        let target = path("bfs.weft.s");
        succeeds(&[
            "compile",
            &kernels("bfs.s"),
            "-o",
            &target,
            "--lower",
            lower,
        ]);
        assert_eq!(distances(&target), plain, "--lower {lower}");
    }
    let text = succeeds(&["compile", &kernels("bfs.s"), "--report", "text"]);
    assert!(text.contains("threads meet in line"), "{text}");
    let svg = path("bfs.svg");
    let output = path("out.s");
    let none = [
        "compile",
        &kernels("bfs.s"),
        "-o",
        &output,
        "--report",
        "svg",
        "--report-file",
        &svg,
    ];
    assert_eq!(succeeds(&none), "");
    assert!(std::fs::read_to_string(&svg).unwrap().starts_with("<svg"));
}

/// COMP-076: with the input the choice is another one, and the program the same.
#[test]
fn an_input_can_be_given_for_the_choice() {
    let (rows, columns) = (
        format!("rows={}", kernels("data/karate_rows.txt")),
        format!("columns={}", kernels("data/karate_columns.txt")),
    );
    let source = kernels("bfs.s");
    let told = succeeds(&["compile", &source, "--load", &rows, "--load", &columns]);
    let supposed = succeeds(&["compile", &source]);
    assert!(told.contains("pbk") && told != supposed);
    for (load, why) in [
        ("rows=missing.bin", "missing.bin"),
        ("nothing=missing.bin", "does not speak of `nothing`"),
        ("0x2000=missing.bin", "name a symbol"),
    ] {
        let output = weft(&["compile", &source, "--load", load]);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(error.contains("--load") && error.contains(why), "{error}");
    }
}

#[test]
fn a_source_is_not_overwritten_and_parts_are_those_of_a_warp() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("loop.s");
    let path = path.to_str().unwrap();
    let text =
        "\t.globl kernel\nkernel:\n\tli a1, 9\n.L1:\n\taddi a1, a1, -1\n\tbnez a1, .L1\n\tret\n";
    std::fs::write(path, text).unwrap();
    let by_code = ["--subvector", "1", "--subvector-form", "loop"];
    for (more, why) in [
        (vec!["-o", path], "would overwrite"),
        (vec!["--report", "text", "-o", path], "would overwrite"),
        ([&by_code[..], &["--lanes", "0"]].concat(), "--lanes"),
        ([&by_code[..], &["--threads", "12"]].concat(), "--threads"),
    ] {
        let output = weft(&[&["compile", path], &more[..]].concat());
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains(why), "{error}");
    }
    assert_eq!(std::fs::read_to_string(path).unwrap(), text);
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wrong.s");
    std::fs::write(&path, "kernel:\n\tfrob a0\n").unwrap();
    let output = weft(&["compile", path.to_str().unwrap()]);
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(
        error.contains("unknown instruction `frob`") && error.contains("wrong.s:2"),
        "{error}"
    );
    let output = weft(&["compile", &kernels("bfs.s"), "--lower", "magic"]);
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(
        error.contains("auto, tokens, masks, predicate, none"),
        "{error}"
    );
}

/// COMP-121: the form that asks the machine is the usual one, and not taken where regular mode would lose registers.
#[test]
fn sub_vector_loops_are_measured_unless_registers_are_shared() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("loop.s");
    let path = path.to_str().unwrap();
    let text =
        "\t.globl kernel\nkernel:\n\tli a1, 9\n.L1:\n\taddi a1, a1, -1\n\tbnez a1, .L1\n\tret\n";
    std::fs::write(path, text).unwrap();
    let output = weft(&["compile", path, "--subvector", "1"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.contains("subv.auto") && !text.contains("subv.start"),
        "{text}"
    );
    let shared = [
        "run",
        path,
        "--shared-from",
        "16",
        "--subvector-form",
        "measured",
    ];
    let output = weft(&shared);
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains("--shared-from"), "{error}");
    let forced = weft(&[&shared[..], &["--mode", "sub-vector"]].concat());
    assert!(forced.status.success(), "{forced:?}");
    // COMP-124: the forms of code do not share.
    for form in ["copies", "loop"] {
        let output = weft(&["run", path, "--shared-from", "16", "--subvector-form", form]);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains("--shared-from"), "{error}");
    }
}

/// COMP-117: sources in which words have been put in place of others, and lines are gone or stand elsewhere.
#[test]
fn what_is_compiled_is_taken_by_the_assembler() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let (spoiled, written) = (path("spoiled.s"), path("out.s"));
    let words = [
        "5000",
        "-2049",
        "32",
        "99999999",
        "zero",
        "a9",
        ".L99",
        "1f",
        "%hi(x)",
        "%lo(5000)",
        "nop",
        "8(a0)",
        "sp",
    ];
    let mut state = 0x1234_5678u32;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state as usize % below
    };
    let (mut taken, mut refused) = (0, 0);
    for number in 0..60 {
        let source = std::fs::read_to_string(kernels(["gcd.s", "collatz.s"][number % 2])).unwrap();
        let mut lines: Vec<String> = source.lines().map(String::from).collect();
        for _ in 0..=random(2) {
            let (at, other) = (random(lines.len()), random(lines.len()));
            match random(4) {
                0 => drop(lines.remove(at)),
                1 => lines.swap(at, other),
                2 => lines.insert(at, lines[other].clone()),
                _ => {
                    let parts: Vec<&str> = lines[at].split(',').collect();
                    let part = random(parts.len());
                    let word = words[random(words.len())];
                    let new = parts.iter().enumerate().map(|(n, old)| match n == part {
                        true if n == 0 => old
                            .rsplit_once('\t')
                            .map_or(word.into(), |(op, _)| format!("{op}\t{word}")),
                        true => word.to_string(),
                        false => old.to_string(),
                    });
                    lines[at] = new.collect::<Vec<_>>().join(",");
                }
            }
        }
        std::fs::write(&spoiled, lines.join("\n") + "\n").unwrap();
        let lower = ["auto", "tokens", "masks", "predicate", "none"][number % 5];
        let output = weft(&["compile", &spoiled, "-o", &written, "--lower", lower]);
        let error = String::from_utf8_lossy(&output.stderr);
        if !output.status.success() {
            assert_eq!(output.status.code(), Some(2), "{error}");
            assert!(error.contains("spoiled.s:"), "{error}");
            assert!(!error.contains("lowered:"), "{error}");
            refused += 1;
            continue;
        }
        taken += 1;
        let text = std::fs::read_to_string(&written).unwrap();
        let errors = weft_isa::assemble(&text, "out.s").err();
        for error in errors.iter().flat_map(|errors| errors.errors()) {
            let message = error.message();
            let of_others = message.starts_with("undefined symbol `") && !message.contains("`.L");
            assert!(of_others, "{number}: {error}\n{}", lines.join("\n"));
        }
    }
    assert!(
        taken >= 10 && refused >= 10,
        "{taken} taken, {refused} refused"
    );
    // A local label that is nowhere, and a place that no immediate reaches.
    for line in [
        "\tbnez a0, .L99",
        "\tlw a0, %lo(x)(a1)\n\taddi a0, a0, y - kernel\n\t.set y, kernel + 4000",
    ] {
        std::fs::write(
            &spoiled,
            format!("\t.globl kernel\nkernel:\n{line}\n\tret\n"),
        )
        .unwrap();
        let output = weft(&["compile", &spoiled, "-o", &written]);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains("spoiled.s:"), "{error}");
    }
}
