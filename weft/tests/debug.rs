//! Sessions of GDB with `weft debug` (`docs/spec/debug.md`), as scripts. The stub without GDB: `debug/tests`.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Output, Stdio};

#[path = "common/gdb.rs"]
mod gdb;
use gdb::gdb;

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/debug")
}

/// The number of the line with this text.
fn line(file: &str, text: &str) -> usize {
    let source = std::fs::read_to_string(sources().join(file)).unwrap();
    let at = source.lines().position(|line| line.contains(text));
    at.unwrap_or_else(|| panic!("{file} has no line with {text}")) + 1
}

/// `weft debug`, in a folder of its own.
struct Debug {
    process: Child,
    out: BufReader<ChildStdout>,
    folder: tempfile::TempDir,
    port: String,
    /// DEBUG-005, or nothing.
    listed: String,
    elf: String,
}

impl Debug {
    fn start(file: &str, options: &str) -> Debug {
        let folder = tempfile::tempdir().unwrap();
        let mut process = Command::new(env!("CARGO_BIN_EXE_weft"))
            .arg("debug")
            .arg(sources().join(file))
            .args(["--memory", "4M"])
            .args(options.split_whitespace())
            .current_dir(folder.path())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut out = BufReader::new(process.stdout.take().unwrap());
        let mut said = String::new();
        let line = loop {
            let mut line = String::new();
            if out.read_line(&mut line).unwrap() == 0 {
                panic!("{:?}: {said}", process.wait());
            }
            if line.starts_with("gdb-multiarch") {
                break line;
            }
            said += &line;
        };
        let (_, rest) = line.split_once("target remote 127.0.0.1:").unwrap();
        let (port, rest) = rest.trim_end().split_once("' ").unwrap();
        let (listed, elf) = match rest.strip_prefix("-ex '") {
            Some(rest) => rest.split_once("' ").unwrap(),
            None => ("", rest),
        };
        Debug {
            process,
            out,
            folder,
            port: port.into(),
            listed: listed.into(),
            elf: elf.into(),
        }
    }

    /// GDB, by the line that `weft debug` has printed, and then these commands.
    fn session(&self, gdb: &str, script: &str) -> String {
        let path = self.folder.path().join("script");
        std::fs::write(&path, script).unwrap();
        // What the stub has to say comes by standard error, in between.
        let out = Command::new("sh")
            .args(["-c", "exec \"$0\" \"$@\" 2>&1", gdb])
            .args(["--batch", "-nx", "-ex", "set osabi none", "-ex"])
            .arg(format!("target remote 127.0.0.1:{}", self.port))
            .args(["-ex", &self.listed])
            .arg("-x")
            .arg(&path)
            .arg(&self.elf)
            .current_dir(self.folder.path())
            .stdin(Stdio::null())
            .output()
            .unwrap();
        String::from_utf8_lossy(&out.stdout).into_owned()
    }

    /// What it has said from then on, and its exit code.
    fn end(mut self) -> (String, Option<i32>) {
        let mut said = String::new();
        self.out.read_to_string(&mut said).unwrap();
        (said, self.process.wait().unwrap().code())
    }
}

impl Drop for Debug {
    fn drop(&mut self) {
        // It has ended unless a test has failed.
        let _ = self.process.kill();
    }
}

/// These texts stand there, one behind the other.
#[track_caller]
fn in_order(said: &str, texts: &[&str]) {
    let mut rest = said;
    for text in texts {
        let Some(at) = rest.find(text) else {
            panic!("no `{text}` in what is left of it:\n{rest}\nall:\n{said}");
        };
        rest = &rest[at + text.len()..];
    }
}

/// DEBUG-001, DEBUG-020, DEBUG-021: 512 threads, one of them in a branch that a third of each warp takes.
#[test]
fn a_breakpoint_in_one_thread_of_a_divergent_branch() {
    let Some(gdb) = gdb() else { return };
    let debug = Debug::start("branch.c", "--warps 32 --threads 16");
    let inside = line("branch.c", "// inside");
    let called = line("branch.c", "// divergent");
    let store = line("branch.c", "// store");
    let script = format!(
        "break branch.c:{inside} if thread == 300\n\
         continue\n\
         print two\n\
         backtrace\n\
         info threads 289-306\n\
         monitor warps\n\
         next\n\
         print seen[300]\n\
         up\n\
         print n % 3\n\
         thread 290\n\
         print thread\n\
         delete\n\
         break branch.c:{store} if thread == 300\n\
         continue\n\
         print n\n\
         set var n = 77\n\
         watch result[300]\n\
         continue\n\
         delete\n\
         print result[299]\n\
         x/2dw &result[300]\n\
         continue\n"
    );
    let said = debug.session(gdb, &script);
    in_order(
        &said,
        &[
            "Thread 301 hit Breakpoint 1, twice (thread=",
            &format!("branch.c:{inside}\n"),
            "$1 = 4200\n",
            "#0  twice (thread=",
            "kernel (thread=300, threads=",
            &format!("branch.c:{called}\n"),
            // Behind the condition that was false, off, and the selected one.
            "  289  Thread 1.289 (warp 18, lane 0, active, ahead of the others) ",
            "  290  Thread 1.290 (warp 18, lane 1, off: DIV) ",
            "* 301  Thread 1.301 (warp 18, lane 12, active) ",
            "warp 18: runs at 0x",
            ", active 0x9249, DIV 0x6db6, ",
            "$2 = 4200\n",
            "$3 = ",
            "$4 = 289\n",
            "Thread 301 hit Breakpoint 2, kernel (thread=300",
            "$5 = 4201\n",
            "Thread 301 hit Hardware watchpoint 3: result[300]\n",
            "Old value = 0\nNew value = 77\n",
            "$6 = 2098\n",
            "<result+1200>:\t77\t2112\n",
            "exited normally",
        ],
    );
    let (said, code) = debug.end();
    in_order(&said, &["gdb has connected", "exit code 0"]);
    assert_eq!(code, Some(0));
}

/// DEBUG-005: a line without a file is one of the kernel's file, though the program has the library's, too.
#[test]
fn a_line_is_one_of_the_kernels_file() {
    let Some(gdb) = gdb() else { return };
    for (options, kernel) in [("--kernel first", "first"), ("--kernel second", "second")] {
        let debug = Debug::start("lines.c", options);
        let at = line("lines.c", "// here");
        let said = debug.session(gdb, &format!("break {at}\ncontinue\nkill\n"));
        let first = format!("WEFT_KERNEL({kernel})(unsigned thread");
        let place = format!("lines.c, line {at}.");
        in_order(&said, &[&first, "Breakpoint 1 at 0x1", &place]);
        assert_eq!(debug.end().1, Some(0));
    }
}

/// DEBUG-023, DEBUG-024: registers, steps by instruction and by line, out of a call, reads that are watched.
#[test]
fn steps_registers_and_watchpoints() {
    let Some(gdb) = gdb() else { return };
    let debug = Debug::start("branch.c", "--warps 2 --threads 4");
    let script = "show osabi\n\
         break twice thread 4\n\
         continue\n\
         info registers a0\n\
         stepi\n\
         set var $t6 = 1234\n\
         print $t6\n\
         delete\n\
         watch result[3]\n\
         finish\n\
         step\n\
         info threads 4 5\n\
         continue\n\
         print $t6\n\
         monitor why\n\
         monitor tokens 1\n\
         awatch result[5]\n\
         continue\n\
         tbreak *$pc\n\
         kill\n";
    let said = debug.session(gdb, script);
    let back = format!("branch.c:{}\n", line("branch.c", "// divergent"));
    let store = format!("branch.c:{}\n", line("branch.c", "// store"));
    in_order(
        &said,
        &[
            "none",
            "Thread 4 hit Breakpoint 1, twice (thread=",
            "a0             0x3\t3\n",
            "$1 = 1234\n",
            &back,
            "Value returned is $2 = 43\n",
            "// store\n",
            "* 4    Thread 1.4 (warp 0, lane 3, off: SYNC) kernel (thread=3, ",
            &store,
            "Thread 4 hit Hardware watchpoint 2: result[3]\n",
            "Old value = 0\nNew value = 43\n",
            "$3 = 1234\n",
            "thread 3 (warp 0, lane 3) has been stepped",
            "warp 1 has none\n",
            "Thread 6 hit Hardware access (read/write) watchpoint 3: result[5]\n",
            "Old value = 0\nNew value = 40\n",
            "killed]",
        ],
    );
    let (said, code) = debug.end();
    in_order(&said, &["gdb has connected", "killed"]);
    assert_eq!(code, Some(0));
}

/// DEBUG-010: a fault with thread and line, on 13 threads of CTAs of 13.
#[test]
fn a_fault_with_its_line() {
    let Some(gdb) = gdb() else { return };
    let options = "--kernel faults --grid 2 --cta 13 --warps 4 --threads 4";
    let debug = Debug::start("grid.c", options);
    let said = debug.session(gdb, "continue\nmonitor why\ncontinue\ncontinue\n");
    let at = format!("grid.c:{}", line("grid.c", "// fault"));
    in_order(
        &said,
        &[
            "Thread 7 received signal SIGSEGV",
            &at,
            "thread 6 (warp 1, lane 2) has faulted: access to unmapped address 0x00000040",
            "received signal SIGSEGV",
            &at,
            "exited with code 01",
        ],
    );
    let (said, code) = debug.end();
    in_order(
        &said,
        &[
            "thread 6 (warp 1, lane 2) has faulted",
            &at,
            "CTA 1 of 2 begins: threads 13 to 25",
            "thread 19 (warp 1, lane 2) has faulted",
        ],
    );
    assert_eq!(code, Some(1));
}

/// DEBUG-025, DEBUG-004: three CTAs of 13 threads; the scratchpad is that of the CTA that runs.
#[test]
fn ctas_one_after_the_other() {
    let Some(gdb) = gdb() else { return };
    let options = "--kernel sum --grid 3 --cta 13 --warps 4 --threads 4";
    let debug = Debug::start("grid.c", options);
    let script = format!(
        "break grid.c:{}\n\
         continue\nprint partial[12]\n\
         continue\n\
         monitor barriers\n\
         continue\ninfo threads\nprint sums[1]\n\
         continue\n",
        line("grid.c", "// total"),
    );
    let said = debug.session(gdb, &script);
    in_order(
        &said,
        &[
            "Thread 1 hit Breakpoint 1, weft_body_sum (thread=",
            "$1 = 13\n",
            "[Switching to Thread 1.14]",
            "hit Breakpoint 1, weft_body_sum (thread=",
            "nobody waits at a barrier",
            "hit Breakpoint 1, weft_body_sum (thread=",
            "Thread 1.27 (CTA 2 of 3, warp 0, lane 0, active)",
            "$2 = 91\n",
            "exited normally",
        ],
    );
    let (said, code) = debug.end();
    in_order(&said, &["CTA 2 of 3 begins: threads 26 to 38"]);
    assert_eq!(code, Some(0));
}

/// A hang and an endless wait are stops with a line of the source, and a second session finds what the first has left.
#[test]
fn a_hang_an_endless_wait_and_a_second_session() {
    let Some(gdb) = gdb() else { return };
    let options = "--kernel hangs --cta 8 --warps 4 --threads 4";
    let debug = Debug::start("grid.c", options);
    let said = debug.session(gdb, "continue\nmonitor barriers\ndetach\n");
    in_order(
        &said,
        &[
            "received signal SIGSTOP",
            "barrier 1 of CTA 0: the phase does not end",
            "detached",
        ],
    );
    let again = debug.session(gdb, "monitor why\nbacktrace\nkill\n");
    let at = format!("grid.c:{}", line("grid.c", "// hang"));
    in_order(&again, &["nothing goes on:", "hangs", &at]);
    let (said, _) = debug.end();
    in_order(&said, &["nothing goes on:", "in hangs", "gdb has gone"]);

    let options = "--kernel spins --cta 8 --warps 4 --threads 4 --watchdog 10000";
    let debug = Debug::start("grid.c", options);
    let script = "continue\nset var sums[0] = 1\ncontinue\n";
    let said = debug.session(gdb, script);
    in_order(&said, &["received signal SIGXCPU", "exited normally"]);
    let (said, code) = debug.end();
    in_order(&said, &["a livelock is suspected"]);
    assert_eq!(code, Some(0));
}

/// `kill -INT` of GDB is what Ctrl-C does.
#[test]
fn a_run_is_interrupted() {
    let Some(gdb) = gdb() else { return };
    let options = "--kernel spins --cta 8 --warps 4 --threads 4 --watchdog 100000000000";
    let debug = Debug::start("grid.c", options);
    let script = "python import os, signal, threading\n\
                  python threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()\n\
                  continue\n\
                  backtrace 1\n\
                  kill\n";
    let said = debug.session(gdb, script);
    in_order(
        &said,
        &["received signal SIGINT", "weft_body_spins", "killed"],
    );
    assert_eq!(debug.end().1, Some(0));
}

fn refused(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_weft"))
        .arg("debug")
        .args(arguments)
        .current_dir(sources())
        .output()
        .unwrap()
}

/// What cannot be is told, before anybody waits for GDB.
#[test]
fn what_cannot_be_is_told() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let of_port = format!("error: --port: port {port} of 127.0.0.1: ");
    let program = tempfile::Builder::new().suffix(".s").tempfile().unwrap();
    std::fs::write(program.path(), "_start: exit\n").unwrap();
    let program = program.path().to_str().unwrap();
    for (arguments, error) in [
        (vec!["nothing.s"], "error: nothing.s: "),
        (vec![program, "--port", &port], of_port.as_str()),
        (
            vec![program, "--scratchpad", "64"],
            "error: --scratchpad: weft debug without --cta has nothing of that",
        ),
        (
            vec![program, "--cta", "8", "--cta-warps", "1"],
            "error: --cta-warps: weft debug with --cta has nothing of that",
        ),
        (
            vec![program, "--cta", "65"],
            "error: --cta 65: 65 threads, the SM has 64",
        ),
        (vec![program, "--kernel", "none"], "error: --kernel: "),
        (
            vec![program, "-o", "k.elf"],
            "error: -o: nothing is compiled",
        ),
    ] {
        let out = refused(&arguments);
        let said = String::from_utf8_lossy(&out.stderr);
        assert!(said.starts_with(error), "{arguments:?}: {said}");
        assert_eq!(out.status.code(), Some(2), "{arguments:?}");
    }
}
