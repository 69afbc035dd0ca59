//! What each engine has, how it ends, and where a program stood when it was ended.

use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// Exit code, standard output and error of a command in the checkout.
fn said(arguments: &str) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_weft"))
        .args(arguments.split_whitespace())
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let code = output.status.code().expect("no signal has ended it");
    (code, text(output.stdout), text(output.stderr))
}

fn file(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    path.display().to_string()
}

/// G6: threads that are alone wait at the barriers of their CTA.
#[test]
fn the_oracle_of_a_grid_of_ctas_waits_at_barriers() {
    for engine in ["golden", "oracle"] {
        let (code, out, error) = said(&format!(
            "run kernels/bar_reduce.asm --engine {engine} --warps 4 --threads 8 --grid 1 --cta 16 --dump sum:1"
        ));
        assert_eq!(code, 0, "{error}");
        assert!(out.contains("done") && out.contains("1256"), "{out}");
    }
    // What time decides has no answer.
    let folder = tempfile::tempdir().unwrap();
    let reset = file(folder.path(), "reset.s", "_start: bar.reset 1\n exit\n");
    let (code, out, error) = said(&format!("run {reset} --engine oracle --cta 8"));
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(
        error.contains("does not judge") && error.contains("`bar.reset 1`"),
        "{error}"
    );
    // Two orders come to the same, and that is told.
    let (code, _, error) = said("run kernels/bar_bump.asm --engine oracle --cta 16");
    assert_eq!(code, 0, "{error}");
    assert!(error.contains("two orders"), "{error}");
}

/// A report says of every engine what ran where, how it ended, and how much was executed, by the same names.
#[test]
fn reports_of_all_engines_have_one_form() {
    let folder = tempfile::tempdir().unwrap();
    let program = "_start: addi t0, x0, 3\n addi t0, t0, 1\n exit\n";
    let program = file(folder.path(), "k.s", program);
    let json = folder.path().join("report.json");
    let size = "--warps 4 --threads 4";
    for (engine, title, alone) in [
        ("golden", "golden", false),
        ("oracle", "oracle", true),
        ("lockstep", "lockstep-verilated", false),
        ("rtl --unit core", "verilated, weft_core", false),
        ("golden --cta 7", "golden", false),
        ("oracle --cta 7", "oracle", true),
        ("sm --cta 7", "sm", false),
        ("gpu --cta 7", "gpu", false),
    ] {
        let (code, out, error) = said(&format!(
            "run {program} {size} --engine {engine} --json {}",
            json.display()
        ));
        assert_eq!(code, 0, "{engine}: {error}");
        assert!(out.contains(&format!("k.s on {title}: done; ")), "{out}");
        let report: Value = serde_json::from_str(&fs::read_to_string(&json).unwrap()).unwrap();
        let named = report["engine"].as_str().expect("a name");
        assert!(title.starts_with(named), "{engine}: {named}");
        assert!(report["program"].as_str().unwrap().ends_with("k.s"));
        assert_eq!(report["ending"], "done", "{engine}");
        assert_eq!(report["findings"], serde_json::json!([]), "{engine}");
        assert!(report["oracle_agrees"].is_null(), "{engine}");
        assert!(report["seconds"].as_f64().is_some(), "{engine}");
        assert_eq!(report["dump"], serde_json::json!([]), "{engine}");
        assert!(!report["grid"].is_null(), "{engine}");
        let executed = match alone {
            true => "thread_instructions",
            false => "warp_instructions",
        };
        assert!(report[executed].as_u64() >= Some(3), "{engine}: {report}");
    }
}

/// G36: what there is no room for is a refusal with the limit.
#[test]
fn sizes_beyond_all_bounds_are_refused() {
    let limit = "4194304";
    for (options, why) in [
        ("--grid 4294967295", limit),
        ("--grid 4294967295 --stack 16", limit),
        ("--grid 65536x65536 --cta 8", limit),
        ("--grid 4294967295 --engine gpu", "--cta"),
        ("--memory 3221225472", "up to 1024 MiB"),
        ("--memory 3221225472 --engine sm", "up to 1024 MiB"),
        ("--cta 8 --local 4294967280", "up to 1073741824"),
        ("--cta 8 --scratchpad 17K", "the SM has 16 KiB"),
        ("--cta 8 --scratchpad 17K --engine gpu", "the SM has 16 KiB"),
        ("--warps 18446744073709551615 --threads 64 --cta 8", "warps"),
    ] {
        let (code, out, error) = said(&format!("run kernels/nested.asm {options}"));
        assert_eq!((code, out.as_str()), (2, ""), "{options}: {error}");
        assert!(error.contains(why), "{options}: {error}");
    }
}

/// A size that is wrong is told with the one option that is to blame.
#[test]
fn a_size_that_does_not_fit_has_one_name() {
    for (options, why) in [
        ("--warps 0", "--warps: 0 warps"),
        ("--threads 3", "--threads: 3 threads per warp"),
        ("--tokens 1", "--tokens: 1 tokens per warp"),
        ("--memory 100", "--memory: memory size 0x64"),
        ("--stack 8", "--stack: stack size 8"),
        (
            "--stack 1M",
            "--stack, or --memory: 64 stacks of 1048576 bytes",
        ),
        ("--lanes 3", "--lanes: 3 lanes"),
        (
            "--shared-from 40",
            "--shared-from: shared registers from x40",
        ),
        ("--grid 100 --cta-warps 9", "--cta-warps: 9 warps per CTA"),
    ] {
        let (code, out, error) = said(&format!("run kernels/nested.asm {options}"));
        assert_eq!((code, out.as_str()), (2, ""), "{options}: {error}");
        assert!(
            error.starts_with(&format!("error: {why}")),
            "{options}: {error}"
        );
    }
}

/// What has no end is not read until it is killed.
#[test]
fn a_file_without_end_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let linked = |name: &str| {
        let link = folder.path().join(name);
        std::os::unix::fs::symlink("/dev/zero", &link).unwrap();
        link.to_str().unwrap().to_string()
    };
    let [c, s, cl, toml] = ["z.c", "z.s", "z.cl", "z.toml"].map(linked);
    let out = folder.path().join("out");
    let (endless, source) = ("has not ended after 256 MiB", "no regular file");
    for (line, why) in [
        ("run /dev/zero", endless),
        (&*format!("run {s}"), endless),
        (&format!("run {c}"), source),
        ("run kernels/nested.asm --load out=/dev/zero", endless),
        (&format!("compile {s}"), endless),
        (&format!("asm {s}"), endless),
        ("disasm /dev/zero", endless),
        (&format!("cc {c} -o {}", out.display()), source),
        ("debug /dev/zero", endless),
        ("judge /dev/zero", "a line of 1048576 bytes"),
        (&format!("cl run {cl} --global 1"), endless),
        (&format!("cl check {cl}"), endless),
        (
            "cl run kernels/opencl/basic.cl --kernel saxpy --global 4 --arg @/dev/zero --arg zeros:4 --arg 1 --arg 4",
            endless,
        ),
        ("cosim merge /dev/zero", endless),
        (
            &format!("verilog --unit gpu --config {toml} -o {}", out.display()),
            endless,
        ),
    ] {
        let (code, _, error) = said(line);
        assert_eq!(code, 2, "{line}: {error}");
        assert!(error.contains(why), "{line}: {error}");
        assert!(!out.exists(), "{line}");
    }
}

/// G24: threads in front of one that faults have not completed an instruction that retires.
#[test]
fn no_more_threads_than_a_warp_has_are_efficient() {
    let folder = tempfile::tempdir().unwrap();
    let source = "_start: la t0, x\n li t1, 3\n bne a0, t1, 1f\n addi t0, t0, 1\n1: sw a0, 0(t0)\n exit\n .data\nx: .word 0\n";
    let program = file(folder.path(), "misaligned.s", source);
    let report = folder.path().join("r.json");
    for engine in ["golden", "lockstep --dut rust-hdl"] {
        let (code, _, error) = said(&format!(
            "run {program} --engine {engine} --warps 4 --threads 4 --json {}",
            report.display()
        ));
        assert_eq!(code, 1, "{error}");
        assert!(error.contains("misaligned"), "{error}");
        let text = fs::read_to_string(&report).unwrap();
        let json: Value = serde_json::from_str(&text).unwrap();
        let efficiency = json["simd_efficiency"].as_f64().unwrap();
        assert!(efficiency <= 1.0, "{engine}: {efficiency}");
    }
}

const SPIN: &str = "_start: li t0, 0\nagain: addi t0, t0, 1\n j again\n";

/// G31: who has not finished has a place.
#[test]
fn at_the_limit_each_warp_has_a_place() {
    let folder = tempfile::tempdir().unwrap();
    let spin = file(folder.path(), "spin.s", SPIN);
    for engine in [
        "golden",
        "golden --cta 8",
        "oracle",
        "oracle --cta 8",
        "rtl --warps 4 --threads 4",
    ] {
        let (code, _, error) = said(&format!("run {spin} --limit 2000 --engine {engine}"));
        assert_eq!(code, 1, "{engine}: {error}");
        assert!(error.contains("--limit N allows more"), "{engine}: {error}");
        assert!(error.contains(", in again"), "{engine}: {error}");
        assert!(!error.contains("cycle 0"), "{engine}: {error}");
    }
}

/// G31: an SC that never succeeds changes nothing, and is found.
#[test]
fn an_sc_that_fails_for_ever_is_a_finding() {
    let folder = tempfile::tempdir().unwrap();
    let source =
        "_start: la t0, x\nagain: sc.w t1, a0, (t0)\n bnez t1, again\n exit\n .data\nx: .word 0\n";
    let program = file(folder.path(), "sc.s", source);
    for engine in ["golden", "golden --cta 8", "rtl --warps 4 --threads 4"] {
        let (code, _, error) = said(&format!("run {program} --watchdog 3000 --engine {engine}"));
        assert_eq!(code, 1, "{engine}: {error}");
        assert!(
            error.contains("livelock suspected") && error.contains(", in again"),
            "{engine}: {error}"
        );
    }
}

/// G32: who waits at a barrier inside a function of weft.h waits where that was called.
#[test]
fn a_barrier_that_hangs_names_its_caller() {
    let folder = tempfile::tempdir().unwrap();
    let source =
        "_start: andi t1, a0, 1\n li t2, 0\n beqz t1, even\nodd: jal t0, weft_bar_top_1\n exit\n\
                  even: bar.sync 2\n exit\nweft_bar_top_1: bar.top 1, t2\n jr t0\n";
    let program = file(folder.path(), "hang.s", source);
    for engine in ["golden", "golden --cta 64", "oracle", "oracle --cta 64"] {
        let (code, _, error) = said(&format!("run {program} --engine {engine}"));
        assert_eq!(code, 1, "{engine}: {error}");
        assert!(
            error.contains("hang: ") && !error.contains("cycle 0"),
            "{engine}: {error}"
        );
        assert!(
            error.contains(", in odd") && error.contains(", in even"),
            "{engine}: {error}"
        );
        assert!(!error.contains("in weft_bar_top_1"), "{engine}: {error}");
    }
}

/// G30, G31: a signal ends each command that simulates, soon, with 2, and says where the program stood.
#[cfg(unix)]
#[test]
fn a_signal_ends_every_loop() {
    let folder = tempfile::tempdir().unwrap();
    let spin = file(folder.path(), "spin.s", SPIN);
    let patient = "--watchdog 100000000000 --limit 100000000000";
    let out = folder.path().display();
    // The hardware is compiled first, and that is not what is looked at here.
    said(&format!(
        "run {spin} --limit 9 --engine rtl --warps 4 --threads 4"
    ));
    said("cosim --programs 1 --sizes 4x4");
    for (signal, command, place) in [
        (
            "INT",
            format!("run {spin} {patient} --trace {out}/t.json"),
            "at 0x100",
        ),
        ("TERM", format!("run {spin} {patient} --cta 8"), "at 0x100"),
        (
            "INT",
            format!("run {spin} --limit 100000000000 --engine oracle"),
            "at 0x100",
        ),
        (
            "TERM",
            format!("run {spin} --limit 100000000000 --engine oracle --cta 8"),
            "at 0x100",
        ),
        (
            "TERM",
            format!("run {spin} {patient} --engine rtl --warps 4 --threads 4"),
            // It may not have begun on a busy machine.
            "",
        ),
        (
            "INT",
            format!("run {spin} --limit 100000000000 --engine gpu"),
            "",
        ),
        ("TERM", "cosim --programs 100000 --sizes 4x4".into(), ""),
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_weft"))
            .args(command.split_whitespace())
            .current_dir(folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // Until it heeds signals.
        let status = format!("/proc/{}/status", child.id());
        let heeds = || {
            let status = fs::read_to_string(&status).unwrap_or_default();
            let caught = status.lines().find_map(|l| l.strip_prefix("SigCgt:"));
            caught
                .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
                .unwrap_or(0)
                & 1 << 14
                != 0
        };
        while !heeds() {
            assert!(
                child.try_wait().unwrap().is_none(),
                "{command} has ended by itself"
            );
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        std::thread::sleep(std::time::Duration::from_millis(200));
        let sent = Command::new("kill")
            .args([&format!("-{signal}"), &child.id().to_string()])
            .status();
        assert!(sent.unwrap().success());
        let output = child.wait_with_output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{command}: {error}");
        assert!(error.contains("interrupted"), "{command}: {error}");
        assert!(error.contains(place), "{command}: {error}");
    }
}

/// G31: on the GPU, too, and a signal would say the same.
#[test]
fn on_the_gpu_each_warp_has_a_place() {
    let folder = tempfile::tempdir().unwrap();
    let spin = file(folder.path(), "spin.s", SPIN);
    for device in ["golden", "verilated"] {
        let run = format!(
            "run {spin} --engine gpu --device {device} --warps 4 --threads 4 --grid 1 --cta 7 --limit 2000"
        );
        let (code, _, error) = said(&run);
        assert_eq!(code, 1, "{device}: {error}");
        assert!(
            error.contains("limit of 2000 warp instructions"),
            "{device}: {error}"
        );
        for warp in ["SM 0, warp 0 at 0x", "SM 0, warp 1 at 0x"] {
            let line = error.lines().find(|line| line.starts_with(warp));
            let line = line.unwrap_or_else(|| panic!("{device}: {error}"));
            assert!(line.contains(", in again"), "{device}: {error}");
        }
        assert!(!error.contains("warp 2"), "{device}: {error}");
    }
}

/// A thread waits for the child that it has launched; the GPU has one SM.
const WAITS_FOR_ITS_CHILD: &str = "#include <weft_queue.h>
unsigned flag;
static struct weft_task task;
WEFT_KERNEL(child)(unsigned thread, unsigned threads, void *none) { if (thread == 0) weft_add(&flag, 1); }
void kernel(unsigned thread, unsigned threads, struct weft_queue *queue) {
  if (thread == 0) {
    weft_task_grid(&task, child, 1, 4, 0);
    weft_work_begin(queue, 1);
    weft_spawn(queue, &task);
    while (weft_look(&flag) == 0) WEFT_YIELD();
    weft_work_end(queue);
  }
}
";

/// G2: both devices say who waits, and which kernel has no SM.
#[test]
fn a_child_without_an_sm_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let program = file(folder.path(), "await.c", WAITS_FOR_ITS_CHILD);
    for device in ["golden", "verilated"] {
        let run = format!(
            "run {program} --engine gpu --device {device} --work-queue 16 --warps 4 --threads 4 --grid 1 --cta 4 \
             --limit 20000"
        );
        let (code, _, error) = said(&run);
        assert_eq!(code, 1, "{device}: {error}");
        for said in [
            "kernel child (descriptor 0x",
            "has no SM, because no two tasks share one: CTA 0 of kernel",
            "a CTA that waits for it waits for ever",
            "await.c:10)",
        ] {
            assert!(error.contains(said), "{device}: {said}: {error}");
        }
    }
}

const TIMES: &str = "struct times { float *in; unsigned n; float by; };
float a[3], c[3];
void kernel(unsigned thread, unsigned threads, struct times *x) {
  if (thread < x->n) c[thread] = (x->in ? x->in : a)[thread] * x->by;
}
";

/// G41: a struct as argument, floats and arrays of numpy in and out, all that a symbol names without its size.
#[test]
fn data_comes_and_goes_in_files() {
    let folder = tempfile::tempdir().unwrap();
    let program = file(folder.path(), "times.c", TIMES);
    let numbers = file(folder.path(), "a.txt", "1 2 3.5 # three\n");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (array, text, bytes) = (path("c.npy"), path("c.txt"), path("c.bin"));
    let size = "--threads 4 --warps 4 --grid 1 --cta 4 --arguments {a,3,-2.0}";
    for engine in ["golden", "oracle", "sm", "gpu"] {
        let saves = format!("--save c:float={array} --save c:float={text} --save c={bytes}");
        let run = format!("run {program} {size} --engine {engine} --load a={numbers}:float");
        let (code, out, error) = said(&format!("{run} --dump c:float {saves}"));
        assert_eq!(code, 0, "{engine}: {error}");
        assert!(
            out.ends_with("[   0]       -2.0       -4.0       -7.0\n"),
            "{engine}: {out}"
        );
        assert_eq!(
            std::fs::read_to_string(&text).unwrap(),
            "-2.0\n-4.0\n-7.0\n"
        );
        assert_eq!(std::fs::read(&bytes).unwrap().len(), 12);

        // What was saved is loaded, 2 × 3.
        for from in [array.clone(), text.clone(), bytes.clone()] {
            let run =
                format!("run {program} {size} --engine {engine} --load a={from} --dump c:2:float");
            let (code, out, error) = said(&run);
            assert_eq!(code, 0, "{engine}: {error}");
            assert!(
                out.ends_with("[   0]        4.0        8.0\n"),
                "{engine}: {out}"
            );
        }
    }
    for (wrong, why) in [
        ("--dump 0x1000", "an address says nothing of a size"),
        ("--dump c:0", "WORDS must be 1 to 1048576"),
        ("--save c", "write SYMBOL=FILE"),
        ("--save none=x.bin", "no symbol `none`"),
        ("--load a=/dev/null:float", "only a .txt file"),
    ] {
        let (code, _, error) = said(&format!("run {program} {size} {wrong}"));
        assert!(code == 2 && error.contains(why), "{wrong}: {error}");
    }
    let lost = format!("run {program} {size} --save c=/dev/full");
    let (code, _, error) = said(&lost);
    assert!(
        code == 2 && error.contains("--save /dev/full: No space left"),
        "{error}"
    );
}
