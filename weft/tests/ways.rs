//! The ways in of a program, as a user meets them: C, C++, several files, executables;
//! what it prints and where it stops.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use weft_cc::{Compiler, Family};
use weft_toolbox::Toolbox;

fn weft(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_weft"))
        .args(arguments)
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Standard output of a command that must succeed.
fn succeeds(arguments: &[&str]) -> String {
    let output = weft(arguments);
    assert!(
        output.status.success(),
        "weft {arguments:?}: {:?}\n{}",
        output.status,
        text(&output.stderr)
    );
    text(&output.stdout)
}

/// Standard output and error of a command that must end with this code.
fn ends(code: i32, arguments: &[&str]) -> (String, String) {
    let output = weft(arguments);
    let error = text(&output.stderr);
    assert_eq!(
        output.status.code(),
        Some(code),
        "weft {arguments:?}\n{error}"
    );
    (text(&output.stdout), error)
}

/// The first compiler that is there; none is told as skipped.
fn compiler() -> Option<&'static str> {
    let toolbox = Toolbox::here();
    let found = Family::ALL
        .into_iter()
        .find(|f| Compiler::find(&toolbox, *f).is_some());
    if found.is_none() {
        println!("SKIPPED: no compiler for RISC-V; `cargo xtask setup` installs Zig");
    }
    found.map(Family::name)
}

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }
    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
    fn name(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().into()
    }
    fn write(&self, name: &str, contents: &str) -> String {
        std::fs::write(self.path(name), contents).unwrap();
        self.name(name)
    }
}

fn example(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    root.join(name).to_str().unwrap().into()
}

#[test]
fn the_example_in_c_runs_and_prints() {
    let Some(compiler) = compiler() else { return };
    let source = example("saxpy.c");
    let machine = ["--warps", "4", "--threads", "8", "--dump", "y:4:signed"];
    let out = succeeds(&[&["run", &source, "--compiler", compiler][..], &machine].concat());
    let first =
        "thread 0 of 32: its last element is -2969\nthread 1 of 32: its last element is -2972\n";
    assert!(out.starts_with(first), "{out}");
    assert!(
        out.contains("on golden: done; 4 warps x 8 threads"),
        "{out}"
    );
    let dump = out.lines().last().unwrap();
    assert_eq!(
        dump.split_whitespace().collect::<Vec<_>>(),
        ["[", "0]", "7", "4", "1", "-2"]
    );
}

/// CONV-055
#[test]
fn calls_of_soft_float_are_not_torn_apart_by_forced_yields() {
    let Some(compiler) = compiler() else { return };
    let folder = Folder::new();
    let source = folder.write(
        "mandel.c",
        "int result[64];
void kernel(unsigned t, unsigned n)
{
    float cr = -2.0f + (t % 8) * 0.375f, ci = -1.25f + (t / 8) * 0.3125f, zr = 0, zi = 0; int i;
    for (i = 0; i < 50; i++) {
        float a = zr * zr, b = zi * zi;
        if (a + b > 4.0f) break;
        zi = 2 * zr * zi + ci; zr = a - b + cr;
    }
    result[t] = i;
}
",
    );
    let (program, report) = (folder.name("mandel.elf"), folder.path("report.json"));
    succeeds(&[
        "cc",
        &source,
        "--compiler",
        compiler,
        "--lower",
        "none",
        "-o",
        &program,
    ]);
    let instructions = |options: &[&str]| {
        let json = report.to_str().unwrap();
        let machine = [
            "--engine",
            "golden",
            "--warps",
            "2",
            "--threads",
            "32",
            "--json",
            json,
        ];
        succeeds(&[&["run", &program][..], &machine, options].concat());
        let report: serde_json::Value =
            serde_json::from_slice(&std::fs::read(&report).unwrap()).unwrap();
        report["warp_instructions"].as_u64().expect("a number")
    };
    let free = instructions(&["--call-tokens", "--forced-yield", "off"]);
    let default = instructions(&["--call-tokens"]);
    let often = instructions(&["--call-tokens", "--forced-yield", "64"]);
    let plain = instructions(&[]);
    // With GCC 12: 151,732 twice, 179,009 and 654,979. With one counter of all transfers: 258,773 and 479,754.
    assert!(4 * free < plain, "{free} {plain}");
    assert_eq!(default, free);
    assert!(10 * often < 13 * free, "{often} {free}");
}

/// CC-002
#[test]
fn cc_makes_an_executable_of_c_and_cpp() {
    let Some(compiler) = compiler() else { return };
    let folder = Folder::new();
    let a = folder.write("a.c", "int twice(int);\nfloat out[8];\nvoid kernel(unsigned t, unsigned n) { out[t] = twice(t) * SCALE; }\n");
    let b = folder.write("b.cpp", "extern \"C\" int twice(int x) { return 2 * x; }\n");
    let elf = folder.name("k.elf");
    let out = succeeds(&[
        "cc",
        &a,
        &b,
        "-o",
        &elf,
        "-O1",
        "-D",
        "SCALE=-0.25f",
        "--compiler",
        compiler,
    ]);
    assert!(
        out.contains("k.elf: ") && out.contains("bytes of code"),
        "{out}"
    );
    let json = folder.name("o.json");
    let grid = [
        "--grid",
        "8",
        "--dump",
        "out:4:float",
        "--dump",
        "out:2:hex",
        "--json",
        &json,
    ];
    let out = succeeds(&[&["run", &elf][..], &grid].concat());
    assert!(
        out.contains("-0.0       -0.5       -1.0       -1.5"),
        "{out}"
    );
    assert!(out.contains("0x80000000 0xbf000000"), "{out}");
    let report: Value = serde_json::from_str(&std::fs::read_to_string(json).unwrap()).unwrap();
    assert_eq!(report["dump"][0]["as"], "float");
    assert_eq!(report["dump"][0]["words"][1], 0xbf00_0000u32);
}

#[test]
fn errors_of_the_compiler_are_shown_with_their_place() {
    let Some(compiler) = compiler() else { return };
    let folder = Folder::new();
    let wrong = folder.write(
        "wrong.c",
        "void kernel(unsigned t, unsigned n)\n{\n    oops;\n}\n",
    );
    let elf = folder.name("wrong.elf");
    for arguments in [
        &["run", &wrong, "--compiler", compiler][..],
        &["cc", &wrong, "-o", &elf, "--compiler", compiler],
    ] {
        let (_, error) = ends(2, arguments);
        assert!(error.contains("wrong.c:3:5: "), "{error}");
        assert!(
            error
                .lines()
                .last()
                .unwrap()
                .ends_with("wrong.c does not compile"),
            "{error}"
        );
    }
    assert!(!folder.path("wrong.elf").exists());
}

#[test]
fn a_fault_names_function_file_and_line() {
    let Some(compiler) = compiler() else { return };
    let folder = Folder::new();
    let wild = folder.write("wild.c", "int *p;\n__attribute__((noinline)) void poke(int t)\n{\n    p[t] = 1;\n}\nvoid kernel(unsigned t, unsigned n) { if (t == 5) poke(t); }\n");
    let (_, error) = ends(1, &["run", &wild, "--compiler", compiler]);
    assert!(
        error.contains("thread 5") && error.contains("in poke (") && error.contains("wild.c:4)"),
        "{error}"
    );
    // Without DWARF the label and the distance from it.
    let source = folder.write(
        "wild.asm",
        "_start: li t0, 8\nbad:\n nop\n lw a0, 0(t0)\n exit\n",
    );
    let (_, error) = ends(1, &["run", &source, "--warps", "1", "--threads", "4"]);
    assert!(error.contains("in bad+0x4"), "{error}");
}

#[test]
fn a_failed_assertion_is_a_finding_and_what_was_printed_is_shown() {
    let Some(compiler) = compiler() else { return };
    let folder = Folder::new();
    let claim = folder.write("claim.c", "#include <assert.h>\n#include <stdio.h>\nvoid kernel(unsigned t, unsigned n)\n{\n    printf(\"%u;\", t);\n    assert(t < 3);\n}\n");
    let json = folder.name("o.json");
    let (out, error) = ends(
        1,
        &[
            "run",
            &claim,
            "--grid",
            "4",
            "--compiler",
            compiler,
            "--json",
            &json,
        ],
    );
    assert!(out.starts_with("0;1;2;3;\n"), "{out}");
    assert!(
        error.contains("claim.c:6: kernel: thread 3: assertion failed: t < 3"),
        "{error}"
    );
    assert!(!error.contains("breakpoint"), "{error}");
    let report: Value = serde_json::from_str(&std::fs::read_to_string(json).unwrap()).unwrap();
    assert_eq!(report["printed"]["text"], "0;1;2;3;");
    assert_eq!(report["ending"], "fault");
}

/// CC-031: where a grid's threads fail one assertion, some are named; and a kernel has the name that its source gives it.
#[test]
fn an_assertion_that_all_threads_fail_is_told_in_a_few_lines() {
    let Some(compiler) = compiler() else { return };
    let folder = Folder::new();
    let text = "#include <weft_queue.h>\n#include <assert.h>\n#include <stdlib.h>\n\
                WEFT_KERNEL(claim)(unsigned t, unsigned n) { assert(n < t); }\n\
                WEFT_KERNEL(stray)(unsigned t, unsigned n) { *(volatile int *)0x90000000 = 1; }\n";
    let source = folder.write("many.c", text);
    let run = |kernel| {
        ends(
            1,
            &["run", &source, "--kernel", kernel, "--compiler", compiler],
        )
    };
    let (_, error) = run("claim");
    let lines: Vec<_> = error.lines().collect();
    assert_eq!(lines.len(), 17, "{error}");
    assert!(
        lines[0].ends_with("many.c:4: claim: thread 0: assertion failed: n < t"),
        "{error}"
    );
    assert_eq!(lines[16], "48 more threads have stopped themselves");
    let (_, error) = run("stray");
    assert!(
        error.contains("in stray (") && !error.contains("weft_body"),
        "{error}"
    );
}

#[test]
fn a_full_buffer_is_told() {
    let Some(compiler) = compiler() else { return };
    let folder = Folder::new();
    let source = folder.write("full.c", "#include <stdio.h>\nvoid kernel(unsigned t, unsigned n) { for (int i = 0; i < 99; i++) printf(\"%d\\n\", i); }\n");
    let run = [
        "run",
        &source,
        "--grid",
        "4",
        "--console",
        "1K",
        "--compiler",
        compiler,
    ];
    let (_, error) = ends(0, &run);
    assert!(
        error.contains("calls of printf, in 4 threads, found no room: a thread has 256 bytes"),
        "{error}"
    );
}

#[test]
fn several_assembly_files_need_no_compiler() {
    let folder = Folder::new();
    let a = folder.write("a.s", ".globl kernel\nkernel:\n addi sp, sp, -16\n sw ra, 12(sp)\n call f@plt\n lw ra, 12(sp)\n addi sp, sp, 16\n ret\n");
    let b = folder.write("b.s", ".globl f\nf: la t0, out\n slli t1, a0, 2\n add t0, t0, t1\n sw a1, 0(t0)\n ret\n .data\n .globl out\nout: .zero 64\n");
    let out = succeeds(&["run", &a, &b, "--grid", "4", "--dump", "out:4"]);
    assert!(out.contains("4          4          4          4"), "{out}");
}

/// CC-001, 005
#[test]
fn what_does_not_go_together_is_refused() {
    let folder = Folder::new();
    let own = folder.write("own.asm", "_start: exit\n");
    let c = folder.write("a.c", "void kernel(unsigned t, unsigned n) {}\n");
    let (_, error) = ends(2, &["run", &folder.write("x.txt", "x"), "--grid", "1"]);
    assert!(error.contains("neither C (.c)"), "{error}");
    let (_, error) = ends(2, &["run", &c, "--compiler", "/no/such/cc"]);
    assert!(
        error.contains("--compiler /no/such/cc: no such program"),
        "{error}"
    );
    let (_, error) = ends(2, &["run", &own, "--dump", "x:1:octal"]);
    assert!(error.contains(":hex, :signed or :float"), "{error}");
    if let Some(compiler) = compiler() {
        let (_, error) = ends(2, &["run", &c, &own, "--compiler", compiler]);
        assert!(error.contains("Weft's own assembler"), "{error}");
        let elf = folder.name("a.elf");
        succeeds(&["cc", &c, "-o", &elf, "--compiler", compiler]);
        let (_, error) = ends(2, &["run", &own, &elf]);
        assert!(error.contains("give it alone"), "{error}");
    }
}

/// ISA-030, on every engine; in lockstep the registers at the end are compared as well.
#[test]
fn gp_is_set_at_launch_on_every_engine() {
    let folder = Folder::new();
    let source = folder.write(
        "gp.s",
        "_start: la t0, out\n slli t1, a0, 2\n add t0, t0, t1\n sw gp, 0(t0)\n exit\n \
         .data\nout: .zero 64\n.globl __global_pointer$\n__global_pointer$: .word 0\n",
    );
    let machine = ["--warps", "4", "--threads", "4", "--dump", "out:2:hex"];
    for engine in [
        &["golden"][..],
        &["oracle"],
        &["rust-hdl"],
        &["lockstep", "--dut", "rust-hdl", "--oracle"],
    ] {
        let arguments = [&["run", &source, "--engine"][..], engine, &machine].concat();
        let out = succeeds(&arguments);
        assert!(
            out.contains("out at 0x1020:\n  [   0] 0x00001060 0x00001060"),
            "{engine:?}: {out}"
        );
    }
}

/// Threads go around as often as their data say: with zeros nobody does, and none of them part.
const PARTS: &str = "
unsigned data[1024], out[1024];
void kernel(unsigned thread, unsigned threads)
{
    unsigned sum = thread;
    for (unsigned i = 0; i < 64; ++i) {
        unsigned rounds = data[(thread + i) % 1024];
        for (unsigned j = 0; j < rounds; ++j)
            sum = sum * sum + j;
        sum = sum * 5 + i;
    }
    out[thread] = sum;
}
";

/// CC-005: lowered for what it is given, a program computes the same in fewer instructions of warps.
#[test]
fn a_program_in_c_is_lowered_for_its_input() {
    let Some(compiler) = compiler() else { return };
    let folder = tempfile::tempdir().unwrap();
    let zeros = folder.path().join("zeros").display().to_string();
    std::fs::write(&zeros, [0; 4096]).unwrap();
    let source = folder.path().join("parts.c").display().to_string();
    std::fs::write(&source, PARTS).unwrap();
    let data = format!("data={zeros}");
    let load = ["--load", &data];
    let elf = |name: &str, load: &[&str]| {
        let elf = folder.path().join(name).display().to_string();
        succeeds(&[&["cc", &source, "--compiler", compiler, "-o", &elf], load].concat());
        elf
    };
    let ran = |program: &str| {
        let json = folder.path().join("ran.json").display().to_string();
        let dump = ["--dump", "out:16:hex", "--json", &json];
        let said = succeeds(
            &[
                &["run", program, "--compiler", compiler],
                &load[..],
                &dump[..],
            ]
            .concat(),
        );
        let report: Value = serde_json::from_str(&std::fs::read_to_string(&json).unwrap()).unwrap();
        let words = said.split("out at").nth(1).expect("a dump").to_string();
        let words = words.split_once('\n').unwrap().1.to_string();
        (words, report["warp_instructions"].as_u64().unwrap())
    };
    let plain = ran(&elf("plain.elf", &[]));
    let given = ran(&elf("given.elf", &load));
    assert_eq!(plain.0, given.0);
    assert!(given.1 < plain.1, "{} {}", given.1, plain.1);
    assert_eq!(ran(&source), given);

    let address = format!("0x2000={zeros}");
    let (_, error) = ends(2, &["cc", &source, "--load", &address, "-o", "none.elf"]);
    assert!(error.contains("name a symbol"), "{error}");
    let nobody = format!("nobody={zeros}");
    let (_, error) = ends(2, &["cc", &source, "--load", &nobody, "-o", "none.elf"]);
    assert!(error.contains("no symbol `nobody`"), "{error}");
}

/// CC-024: the program's own code, of the first thread by number; a finding comes before it.
#[test]
fn the_code_of_exit_is_that_of_the_run() {
    let Some(compiler) = compiler() else { return };
    let folder = Folder::new();
    let source = folder.write("ends.c", "#include <stdio.h>\n#include <stdlib.h>\nvoid kernel(unsigned t, unsigned n)\n{\n    printf(\"%u;\", t);\n    if (t == n - 1) exit(9);\n    if (t == 2) exit(259);\n    if (t == 1) exit(256);\n    if (n == 5) abort();\n}\n");
    let run = |grid: &'static str| ["run", &source, "--grid", grid, "--compiler", compiler];
    let (out, error) = ends(3, &run("4"));
    assert!(out.starts_with("0;1;2;3;\n"), "{out}");
    assert!(
        error.contains("thread 2: exit(259), and 2 more threads"),
        "{error}"
    );
    ends(9, &run("2"));
    let (_, error) = ends(1, &run("5"));
    assert!(error.contains("thread 0: abort() was called"), "{error}");
    let json = folder.name("o.json");
    ends(
        3,
        &[
            &run("4")[..],
            &["--json", &json, "--engine", "gpu", "--cta", "4"],
        ]
        .concat()[..],
    );
}

/// CC-026
#[test]
fn a_store_into_the_console_is_a_finding_and_the_rest_is_shown() {
    let Some(compiler) = compiler() else { return };
    let folder = Folder::new();
    let source = folder.write("wild.c", "#include <stdio.h>\nextern unsigned *const weft_console[];\nvoid kernel(unsigned t, unsigned n)\n{\n    printf(\"thread %u\\n\", t);\n    if (t == 1) *(volatile unsigned *)(weft_console[3]) = 77;\n}\n");
    for engine in [
        &["--engine", "golden"][..],
        &["--cta", "4"],
        &["--engine", "gpu", "--cta", "4"],
    ] {
        let run = ["run", &source, "--compiler", compiler, "--grid"];
        let grid = if engine[0] == "--engine" && engine[1] == "golden" {
            "4"
        } else {
            "1"
        };
        let (out, error) = ends(1, &[&run[..], &[grid], engine].concat());
        assert!(
            out.starts_with("thread 0\nthread 1\nthread 2\nthread 3\n"),
            "{engine:?}: {out}"
        );
        let want =
            "the console's memory was overwritten by a store: output of thread 0 may be missing";
        assert!(error.contains(want), "{engine:?}: {error}");
    }
}

/// CC-010, 011: kernels that are launched by their names, on every engine that runs grids of CTAs.
#[test]
fn kernels_are_launched_by_name_with_their_constructors_run() {
    let Some(compiler) = compiler() else { return };
    let folder = Folder::new();
    let table = "#include <weft_queue.h>\nstruct Table { unsigned value[4]; Table() { for (unsigned i = 0; i < 4; i++) value[i] = 10 * (i + 1); } };\nstatic Table table;\nextern \"C\" {\nunsigned result[8];\nWEFT_KERNEL(named)(unsigned thread, unsigned, void *) { result[thread] = table.value[thread & 3] + 1; }\n";
    let one = folder.write("one.cpp", &format!("{table}}}\n"));
    let two = folder.write("two.cpp", &format!("{table}WEFT_KERNEL(other)(unsigned thread, unsigned, void *) {{ result[thread] = 5; }}\n}}\n"));
    let both = folder.write("both.cpp", &format!("{table}void kernel(unsigned thread, unsigned) {{ result[thread] = table.value[thread & 3]; }}\n}}\n"));
    let engines: [&[&str]; 4] = [
        &["--engine", "golden", "--grid", "8"],
        &["--engine", "golden", "--cta", "4", "--grid", "2"],
        &["--engine", "oracle", "--cta", "8"],
        &["--engine", "gpu", "--cta", "4", "--grid", "2"],
    ];
    let shown = |file: &str, more: &[&str]| {
        let run = ["run", file, "--compiler", compiler, "--dump", "result:8"];
        let out = succeeds(&[&run[..], more].concat());
        let words = out.lines().last().unwrap().split_whitespace().skip(2);
        words
            .map(|word| word.parse().unwrap())
            .collect::<Vec<u32>>()
    };
    for engine in engines {
        let values: Vec<u32> = (0..8).map(|t| 10 * (t % 4 + 1)).collect();
        let named: Vec<u32> = values.iter().map(|value| value + 1).collect();
        assert_eq!(shown(&both, engine), values, "{engine:?}");
        assert_eq!(
            shown(&both, &[engine, &["--kernel", "named"]].concat()),
            named,
            "{engine:?}"
        );
        assert_eq!(shown(&one, engine), named, "{engine:?}");
        assert_eq!(
            shown(&two, &[engine, &["--kernel", "other"]].concat()),
            [5; 8],
            "{engine:?}"
        );
    }
    let (_, error) = ends(2, &["run", &two, "--compiler", compiler]);
    assert!(
        error.contains("--kernel: the program has the kernels named, other"),
        "{error}"
    );
    let (_, error) = ends(
        2,
        &["run", &two, "--compiler", compiler, "--kernel", "name"],
    );
    assert!(
        error.contains("no symbol `name`; there is `named`"),
        "{error}"
    );
}

/// How a program was compiled stands in the summary and in the report.
#[test]
fn compiler_and_options_are_told() {
    let Some(compiler) = compiler() else { return };
    let folder = Folder::new();
    let source = folder.write(
        "soft.c",
        "float f[4];\nvoid kernel(unsigned t, unsigned n) { f[t] = f[t] * K + t; }\n",
    );
    let json = folder.name("o.json");
    let run = [
        "run",
        &source,
        "--grid",
        "4",
        "-O1",
        "-DK=3",
        "--compiler",
        compiler,
        "--json",
        &json,
    ];
    let out = succeeds(&run);
    let line = out
        .lines()
        .find(|line| line.contains("compiled by"))
        .expect("a line");
    assert!(
        line.contains("-O1 -DK=3") && line.contains("with soft float"),
        "{line}"
    );
    let report: Value = serde_json::from_str(&std::fs::read_to_string(json).unwrap()).unwrap();
    assert_eq!(report["compiled"]["options"][0], "-O1");
    assert_eq!(report["compiled"]["soft_float"], true);
    let (_, error) = ends(
        2,
        &[
            "cc",
            &source,
            "-DK=3",
            "--compiler",
            compiler,
            "-o",
            &folder.name("none/a.elf"),
        ],
    );
    assert!(error.contains("there is no such folder"), "{error}");
    let (_, error) = ends(
        2,
        &[
            "cc",
            &source,
            "-DK=3",
            "--compiler",
            compiler,
            "--cflag=-flto",
        ],
    );
    assert!(
        error.trim().lines().count() == 1 && error.contains("--cflag=-flto"),
        "{error}"
    );
}

/// CC-016: variables in the scratchpad, by two CTAs at a time, and what is said where there is none.
#[test]
fn variables_in_the_scratchpad_are_each_ctas_own() {
    let Some(compiler) = compiler() else { return };
    let folder = Folder::new();
    let source = folder.write("shared.c", "#include <weft.h>\nWEFT_SHARED unsigned sums[1500];\nstatic WEFT_SHARED unsigned char last[3];\nunsigned out[24];\nvoid kernel(unsigned t, unsigned n, unsigned *to)\n{\n    unsigned i = weft_thread_x() + 3 * weft_thread_y(), all = weft_cta_size();\n    if (n > 999) out[0] = 1;\n    sums[i * 100] = t + 1;\n    last[i % 3] = 7;\n    weft_sync();\n    to[t] = 1000 * last[2] + 100 * weft_thread_y() + sums[(i + 1) % all * 100] + weft_thread_z();\n}\n");
    let want: Vec<String> = (0..24u32)
        .map(|t| {
            let (cta, i) = (t / 12, t % 12);
            (7000 + 100 * (i / 3) + 12 * cta + (i + 1) % 12 + 1).to_string()
        })
        .collect();
    for engine in ["golden", "gpu"] {
        let out = succeeds(&[
            "run",
            &source,
            "--compiler",
            compiler,
            "--engine",
            engine,
            "--cta",
            "3x4",
            "--grid",
            "2",
            "--arguments",
            "out",
            "--dump",
            "out:24",
        ]);
        let lines: Vec<&str> = out.lines().collect();
        let words = lines[lines.len() - 3..]
            .iter()
            .flat_map(|line| line.split_whitespace().skip(2));
        assert_eq!(words.collect::<Vec<_>>(), want, "{engine}");
    }
    let (_, error) = ends(1, &["run", &source, "--compiler", compiler, "--grid", "4"]);
    assert!(error.contains("--cta N says how many threads"), "{error}");
}
