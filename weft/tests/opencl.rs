//! `weft cl` and `.cl` in `weft cc` (docs/spec/opencl.md), on the golden GPU and on the hardware.

use std::path::Path;
use std::process::{Command, Output};

fn weft(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_weft"))
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."))
        .args(arguments)
        .output()
        .unwrap()
}

fn ended(line: &str, code: i32) -> String {
    let output = weft(&line.split_whitespace().collect::<Vec<_>>());
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let all = text(&output.stdout) + &text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{line}\n{all}");
    all
}

/// What `--dump` has shown, behind its first line.
fn dumped(text: &str) -> Vec<&str> {
    let lines = text.lines().skip_while(|line| !line.contains("* ")).skip(1);
    let elements = lines.take_while(|line| line.trim_start().starts_with('['));
    elements
        .flat_map(|line| line.split_whitespace().filter(|w| !w.contains(['[', ']'])))
        .collect()
}

/// The tiny GPU of the other tests, so that its model is there.
const TINY: &str = "--warps 4 --threads 4 --lanes 4";

#[test]
fn kernels_come_to_the_same_on_the_hardware_and_on_the_golden_gpu() {
    let saxpy = "cl run kernels/opencl/basic.cl --kernel saxpy --global 14 --local 7 --arg iota:13 --arg fill:1.5:13 \
                 --arg 2.5 --arg 13 --dump y";
    let reduce = "cl run kernels/opencl/group.cl --kernel reduce --global 26 --local 13 --arg zeros:2 --arg iota:25 \
                  --arg local:52 --arg 25 --dump sums";
    let stencil =
        "cl run kernels/opencl/grid.cl --kernel stencil --global 6,5 --local 3,5 --arg zeros:30 \
                   --arg random:30 --dump out";
    let of_saxpy: Vec<String> = (0..13).map(|i| format!("{:?}", 3.75 + i as f32)).collect();
    let sums = ["78", "222"].map(String::from).to_vec();
    for (line, want) in [
        (saxpy, Some(of_saxpy)),
        (reduce, Some(sums)),
        (stencil, None),
    ] {
        let golden = ended(&format!("{line} {TINY}"), 0);
        let hardware = ended(&format!("{line} {TINY} --device verilated"), 0);
        assert_eq!(
            dumped(&golden),
            dumped(&hardware),
            "{line}\n{golden}{hardware}"
        );
        assert!(
            hardware.contains("on weft_gpu: done") && hardware.contains(" cycles, "),
            "{hardware}"
        );
        let want = want.unwrap_or_else(|| dumped(&golden).iter().map(|w| w.to_string()).collect());
        assert_eq!(dumped(&golden), want, "{golden}");
        assert!(!want.is_empty());
    }
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let dir = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = dir.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let beyond = file(
        "beyond.cl",
        "kernel void k(global int *a) { a[get_global_id(0)] = 1; }\n",
    );
    let run = |file: &str, rest: &str, code| ended(&format!("cl run {file} {rest}"), code);
    let text = run(&beyond, "--global 9 --arg zeros:8", 1);
    assert!(
        text.contains("`a`: byte 32 was written, and the buffer has 32"),
        "{text}"
    );
    let fault = file(
        "fault.cl",
        "kernel void k(global int *a)\n{\n  a[get_global_id(0)] = 1;\n}\n",
    );
    let text = run(&fault, "--global 4 --arg null", 1);
    assert!(text.contains("fault.cl:3"), "{text}");
    // By the names of the source.
    assert!(
        text.contains("kernel k, CTA 0") && text.contains("in k (") && !text.contains("__"),
        "{text}"
    );
    let wrong = file(
        "wrong.cl",
        "kernel void k(global int *a)\n{\n  a[0] = nothing;\n}\n",
    );
    let text = run(&wrong, "--global 4 --arg null", 2);
    assert!(text.contains("wrong.cl:3:10: error"), "{text}");
    let none = file("none.cl", "kernel void k(global float4 *a, read_only image2d_t i, sampler_t s)\n{ a[0] = read_imagef(i, s, (int2)(0, 0)); }\n");
    let text = ended(&format!("cl check {none}"), 1);
    assert!(text.contains("0 of 1"), "{text}");
    let empty = file("empty.cl", "");
    let text = run(&empty, "--kernel k --global 4", 2);
    assert!(text.contains("empty.cl: no kernel"), "{text}");
    let large = file(
        "large.cl",
        "kernel void k(global int *a) { local int t[5000]; t[get_local_id(0)] = 1; barrier(1); a[0] = t[0]; }\n",
    );
    let text = run(&large, "--global 4 --arg zeros:4", 2);
    assert!(
        text.contains("k wants 20000 bytes of local memory, and an SM has 16384"),
        "{text}"
    );
    run(&large, "--global 4 --arg zeros:4 --scratchpad 20", 0);
    for (rest, says) in [
        (
            "--global 8 --arg zeros:8 --threads 5",
            "--threads 5: a warp has 4, 8",
        ),
        (
            "--global 8 --arg zeros:8 --threads 128",
            "--threads 128: a warp has",
        ),
        (
            "--global 8 --arg zeros:8 --warps 65",
            "--warps 65: an SM has 1 to 64",
        ),
        (
            "--global 8 --arg zeros:8 --warps 0",
            "--warps 0: an SM has 1 to 64",
        ),
        (
            "--global 8 --arg zeros:8 --warps 4294967296",
            "--warps 4294967296: an SM",
        ),
        (
            "--global 8 --arg zeros:8 --lanes 3",
            "--lanes 3: a divisor of --threads 16",
        ),
        (
            "--global 8 --arg zeros:8 --scratchpad 4194305",
            "65536 KiB at most",
        ),
        (
            "--global 4 --arg zeros:4 --offset 4294967294",
            "--offset: 4 work-items along x from 4294967294 on",
        ),
        (
            "--global 99999999999 --arg zeros:4",
            "numbers below 4294967296",
        ),
        (
            "--global 8 --arg zeros:8 --dump b",
            "k has no such argument",
        ),
        ("--global 8 --arg null --dump a", "--dump a: no buffer"),
        ("--global 9 --local 2 --arg zeros:9", "no multiple"),
        ("--global 8 --arg what", "write a number"),
        ("--global 8", "1 arguments: int* a"),
        ("--global 8 --arg local:3", "local:BYTES is for"),
        ("--global 8 --arg zeros:8 --kernel none", "has k"),
        (
            "--global 8 --arg zeros:8 --options -fplugin=x",
            "no build option",
        ),
        ("--global 8 --arg zeros:8 --compiler gcc", "gcc"),
        (
            "--global 1024 --local 1024 --arg zeros:1024",
            "room for 256",
        ),
    ] {
        let text = run(&beyond, rest, 2);
        assert!(text.contains(says), "{rest}\n{text}");
    }
    assert!(
        ended(&format!("run {beyond}"), 2).contains("cl run"),
        "no hint"
    );
}

#[test]
fn sources_are_checked_compiled_and_print() {
    let text = ended("cl check kernels/opencl", 0);
    assert!(
        text.contains("7 of 7 are compiled, lowered and linked"),
        "{text}"
    );
    let dir = tempfile::tempdir().unwrap();
    let source = dir.path().join("p.cl");
    std::fs::write(
        &source,
        "#include \"p.h\"\nkernel void p(float x, short4 v) { uint i = get_global_id(0);\n\
         if (i % 2) printf(\"%u: %.2f %v4hd %s\\n\", i, x * N, v, \"text\"); }\n\
         kernel void q(global int *a) { *a = N; }\n",
    )
    .unwrap();
    std::fs::write(dir.path().join("p.h"), "#define N 3\n").unwrap();
    let source = source.display();
    let text = ended(
        &format!("cl run {source} --kernel p --global 5 --local 5 --arg 1.25 --arg 1,-2,3,4"),
        0,
    );
    assert!(
        text.starts_with("1: 3.75 1,-2,3,4 text\n3: 3.75 1,-2,3,4 text\n"),
        "{text}"
    );
    let elf = dir.path().join("p.elf");
    let text = ended(&format!("cc {source} -o {}", elf.display()), 0);
    assert!(
        text.contains("p.q.elf: kernel q, 4 bytes of arguments"),
        "{text}"
    );
    assert!(dir.path().join("p.p.elf").is_file() && dir.path().join("p.q.elf").is_file());
}

/// CL-030: one work-item of very many finds room, and no loss is silent.
#[test]
fn who_prints_takes_what_it_needs_and_losses_are_counted() {
    let dir = tempfile::tempdir().unwrap();
    let source = dir.path().join("few.cl");
    let text = "kernel void few(uint n, uint each) {\n\
                uint i = get_global_size(0) - 1 - get_global_id(0);\n\
                for (uint k = 0; k < each; k++) if (i % n == 0) printf(\"item %u: %s %v4hhd\\n\", i, \"text\", (char4)(k, 2, 3, -4));\n}\n";
    std::fs::write(&source, text).unwrap();
    let source = source.display();
    let run = |rest: &str| ended(&format!("cl run {source} {rest}"), 0);
    let text = run("--global 131072 --local 256 --arg 65536 --arg 1");
    let lines = "item 65536: text 0,2,3,-4\nitem 0: text 0,2,3,-4\n";
    assert!(text.starts_with(lines), "{text}");
    assert!(!text.contains("warning"), "{text}");
    // Two calls of a work-item stand together, and the work-items stand in their order.
    let text = run("--global 21 --local 7 --arg 5 --arg 2");
    let printed: Vec<&str> = text.lines().take_while(|l| l.starts_with("item")).collect();
    let want = [20, 15, 10, 5, 0].map(|i| [0, 1].map(|k| format!("item {i}: text {k},2,3,-4")));
    assert_eq!(printed, want.concat(), "{text}");
    // A record here has eight words.
    for (console, shown) in [(0, 0), (1, 0), (31, 0), (32, 1), (96, 3), (127, 3)] {
        let text = run(&format!(
            "--global 21 --local 7 --arg 1 --arg 1 --console {console}"
        ));
        let printed = text.lines().filter(|l| l.starts_with("item")).count();
        assert_eq!(printed, shown, "{text}");
        let lost = format!("{} calls of printf found no room", 21 - shown);
        assert!(text.contains(&lost), "{text}");
    }
}

/// CL-011, CL-030: more groups than a launch takes are several, and what each prints is shown.
#[test]
fn a_range_that_is_split_prints_as_one() {
    let dir = tempfile::tempdir().unwrap();
    let source = dir.path().join("split.cl");
    let text = "kernel void say(uint last) { uint i = get_global_id(0); if (i == 3 || i == last) printf(\"%u\\n\", i); }\n";
    std::fs::write(&source, text).unwrap();
    let source = source.display();
    let text = ended(
        &format!("cl run {source} --global 65537 --local 1 --arg 65536 --console 4M"),
        0,
    );
    assert!(text.starts_with("3\n65536\n"), "{text}");
}
