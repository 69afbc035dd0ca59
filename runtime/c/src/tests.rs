//! What a C caller can do wrong: a code, a text, and a GPU that goes on.

use super::*;
use std::ptr::{null, null_mut};

fn error(gpu: *const Handle<Host>) -> String {
    // SAFETY: null, or a handle of these tests.
    let text = unsafe { CStr::from_ptr(weft_gpu_error(gpu)) };
    text.to_str().unwrap().to_string()
}

fn size(channels: u32, threads: u32, scratchpad: u32) -> CSize {
    CSize {
        channels,
        sms: 0,
        slots: 0,
        warps: 4,
        threads,
        scratchpad,
        lanes: 0,
    }
}

#[test]
fn a_gpu_that_cannot_be_is_refused_with_the_reason() {
    let cases = [
        (size(1, 8, 0), 1 << 20, "channels: 1 is not 2 to 8"),
        (size(0, 65, 0), 1 << 20, "threads: 65 is not 4 to 64"),
        (size(0, 12, 0), 1 << 20, "threads: 12 is no power of two"),
        (size(0, 8, 1000), 1 << 20, "scratchpad: 1000 is no multiple of 1,024"),
        (size(0, 8, 0), 4096, "no memory of 0x1000 bytes: a GPU needs 64 KiB at least, a multiple of 64, and a private part inside"),
        (size(0, 8, 0), (1 << 20) + 4, "no memory of 0x100004 bytes: a GPU needs 64 KiB at least, a multiple of 64, and a private part inside"),
    ];
    // One after the other: the text of a call that made no handle stands in one place for all.
    for (size, memory, reason) in cases {
        // SAFETY: the pointer is good.
        assert!(unsafe { weft_gpu_open(&size, memory, 0) }.is_null());
        assert_eq!(error(null()), reason);
    }
}

#[test]
fn misuse_is_told_and_the_gpu_goes_on() {
    // SAFETY: handles and pointers are good but where null is what is tried.
    unsafe {
        // One SM keeps the kernel that does not end, the other one runs what follows (TASK-056).
        let two = CSize {
            sms: 2,
            ..size(2, 8, 0)
        };
        let gpu = weft_gpu_open(&two, 1 << 20, 1000);
        let (mut address, mut stream, mut module, mut kernel) = (0, 0, 0, 0);
        assert_eq!(weft_gpu_allocate(null_mut(), 4, &mut address), -1);
        assert_eq!(weft_gpu_allocate(gpu, 100, &mut address), 0);
        let bytes = [7u8; 100];
        let copy = |at, n| weft_gpu_copy_in(gpu, at, bytes.as_ptr().cast(), n);
        assert_eq!(copy(address + 4, 96), 0);
        assert_eq!(copy(address + 4, 97), 1);
        let said = format!(
            "97 bytes at {:#x} are not within the buffer or memory",
            address + 4
        );
        assert_eq!(error(gpu), said);
        assert_eq!(copy(address - 1, 1), 1);
        assert_eq!(
            error(gpu),
            format!("{:#x} is in no allocation and no program", address - 1)
        );
        assert_eq!(weft_gpu_copy_in(gpu, address, null(), 4), 1);
        assert_eq!(error(gpu), "from is NULL");
        assert_eq!(weft_gpu_free(gpu, address + 4), 1);
        assert_eq!(weft_gpu_free(gpu, address), 0);
        assert_eq!(copy(address, 1), 1);

        assert_eq!(
            weft_gpu_load(gpu, c"/nowhere/k.elf".as_ptr(), &mut module),
            1
        );
        assert!(error(gpu).starts_with("/nowhere/k.elf: "), "{}", error(gpu));
        let file = std::env::temp_dir().join(format!("weft-driver-c-{}.s", std::process::id()));
        std::fs::write(&file, "_start: j _start\nend: ecall\n").unwrap();
        let path = std::ffi::CString::new(file.to_str().unwrap()).unwrap();
        assert_eq!(weft_gpu_load(gpu, path.as_ptr(), &mut module), 0);
        std::fs::remove_file(&file).unwrap();
        assert_eq!(
            weft_gpu_symbol(gpu, module, c"begin".as_ptr(), &mut kernel),
            1
        );
        assert_eq!(error(gpu), "the program has no kernel \"begin\"");
        assert_eq!(weft_gpu_entry(gpu, 1, &mut kernel), 1);
        assert_eq!(error(gpu), "there is no module 1");

        // Of two channels each stream has one.
        assert_eq!(weft_gpu_stream(gpu, &mut stream), 0);
        assert_eq!(weft_gpu_stream(gpu, null_mut()), 0);
        assert_eq!(weft_gpu_stream(gpu, null_mut()), 1);
        assert_eq!(error(gpu), "all 2 channels are in use");
        let mut grid = CGrid {
            ctas: [0; 3],
            threads: [0; 3],
            arguments: 0,
            scratchpad: 0,
            local: 0,
            level: 16,
            predecessors: 0,
            dependent: 0,
        };
        assert_eq!(weft_gpu_launch(gpu, stream, 0x1000, &grid), 1);
        assert_eq!(error(gpu), "level: 16 is above 15");
        grid.level = 15;
        assert_eq!(weft_gpu_launch(gpu, 9, 0x1000, &grid), 1);
        assert_eq!(error(gpu), "there is no stream 9");
        assert_eq!(weft_gpu_launch(gpu, stream, 0x1000, null()), 1);
        assert_eq!(error(gpu), "grid is NULL");

        // A kernel that goes round and round, to the limit; then one that ends.
        assert_eq!(weft_gpu_entry(gpu, module, &mut kernel), 0);
        assert_eq!(weft_gpu_launch(gpu, stream, kernel, &grid), 0);
        assert_eq!(weft_gpu_synchronize(gpu), 1);
        assert_eq!(error(gpu), "the limit of 1000 warp instructions is reached");
        let mut endless = CEvent {
            stream: 0,
            launches: 0,
        };
        assert_eq!(weft_gpu_record(gpu, stream, &mut endless), 0);
        assert_eq!(weft_gpu_kill(gpu, endless), 0, "{}", error(gpu));
        assert_eq!(weft_gpu_synchronize(gpu), 1);
        assert_eq!(
            error(gpu),
            "kernel _start was killed (launch 1 of stream 0)"
        );
        assert_eq!(weft_gpu_limit_all(gpu, 500), 0);
        assert_eq!(weft_gpu_launch(gpu, stream, kernel, &grid), 0);
        // Its time is over after some waits of as many instructions as one may have.
        let limited = "the limit of 1000 warp instructions is reached";
        for _ in 0..10 {
            assert_eq!(weft_gpu_synchronize(gpu), 1);
            if error(gpu) != limited {
                break;
            }
        }
        assert_eq!(
            error(gpu),
            "kernel _start was killed: its time limit was over (launch 2 of stream 0)"
        );
        assert_eq!(weft_gpu_limit_all(gpu, 0), 0);
        assert_eq!(
            weft_gpu_symbol(gpu, module, c"end".as_ptr(), &mut kernel),
            0
        );
        assert_eq!(weft_gpu_launch(gpu, stream + 1, kernel, &grid), 0);
        let (mut event, mut yes) = (
            CEvent {
                stream: 0,
                launches: 0,
            },
            7,
        );
        assert_eq!(weft_gpu_record(gpu, stream + 1, &mut event), 0);
        assert_eq!(weft_gpu_wait(gpu, event), 0);
        assert_eq!(weft_gpu_happened(gpu, event, &mut yes), 0);
        assert_eq!((event.launches, yes), (1, 1));
        weft_gpu_close(gpu);
        weft_gpu_close(null_mut());
    }
}

/// A program in a file of its own, which is gone when this has been loaded.
///
/// # Safety
/// `gpu` is good.
unsafe fn loaded(gpu: *mut Handle<Host>, name: &str, source: &str) -> (c_int, u32, String) {
    let name = format!("weft-driver-c-{name}-{}.s", std::process::id());
    let file = std::env::temp_dir().join(name);
    std::fs::write(&file, source).unwrap();
    let path = std::ffi::CString::new(file.to_str().unwrap()).unwrap();
    let mut module = 0;
    // SAFETY: all pointers are good.
    let done = unsafe { weft_gpu_load(gpu, path.as_ptr(), &mut module) };
    std::fs::remove_file(&file).unwrap();
    (done, module, file.to_str().unwrap().into())
}

#[test]
fn variables_are_reached_by_name_and_size_and_programs_do_not_collide_silently() {
    // SAFETY: handles and pointers are good.
    unsafe {
        let gpu = weft_gpu_open(&size(2, 8, 0), 1 << 20, 1000);
        let source = "_start: la t0, table\n lw t1, 8(t0)\n la t0, sum\n sw t1, 0(t0)\n ecall\n\
                      .data\ntable: .word 1, 2, 3, 4, 5\nsum: .word 0\n";
        let (done, module, first) = loaded(gpu, "first", source);
        assert_eq!(done, 0, "{}", error(gpu));
        let variable = |name: &CStr| {
            let (mut address, mut bytes) = (0, 0);
            let done = weft_gpu_variable(gpu, module, name.as_ptr(), &mut address, &mut bytes);
            (done, address, bytes)
        };
        let (_, table, bytes) = variable(c"table");
        assert_eq!(bytes, 20);
        let (_, sum, bytes) = variable(c"sum");
        assert_eq!(bytes, 4);
        assert_eq!(variable(c"none").0, 1);
        assert_eq!(error(gpu), "the program has no variable \"none\"");
        let (mut stream, mut kernel, mut word) = (0, 0, 77u32);
        let copied = weft_gpu_copy_in(gpu, table + 8, (&raw const word).cast(), 4);
        assert_eq!((copied, weft_gpu_stream(gpu, &mut stream)), (0, 0));
        assert_eq!(weft_gpu_entry(gpu, module, &mut kernel), 0);
        let grid = CGrid {
            ctas: [0; 3],
            threads: [0; 3],
            arguments: 0,
            scratchpad: 0,
            local: 0,
            level: 0,
            predecessors: 0,
            dependent: 0,
        };
        assert_eq!(weft_gpu_launch(gpu, stream, kernel, &grid), 0);
        assert_eq!(weft_gpu_synchronize(gpu), 0, "{}", error(gpu));
        word = 0;
        let copied = weft_gpu_copy_out(gpu, (&raw mut word).cast(), sum, 4);
        assert_eq!((copied, word), (0, 77));
        assert_eq!(
            weft_gpu_copy_out(gpu, (&raw mut word).cast(), sum + 1, 4),
            1
        );

        // Both are at 0x1000, and text cannot be moved: it is refused, and both are named.
        let (done, _, second) = loaded(gpu, "second", "_start: ecall");
        let said = error(gpu);
        let begins =
            format!("{second}: the program's bytes 0x1000 to 0x1004 are not free: {first}");
        assert!(done == 1 && said.starts_with(&begins), "{said}");
        weft_gpu_close(gpu);
    }
}

/// `faults/g02`: a grid of six CTAs, of which two run at a time, faults in each; then a good one.
///
/// # Safety
/// `gpu` is good.
unsafe fn fails_and_goes_on(gpu: *mut Handle<Host>, name: &str) {
    let source =
        "_start: ecall\ngood: slli t0, a0, 2\n add t0, t0, a2\n li t1, 1\n sw t1, 0(t0)\n ecall\n\
                  bad: li t0, 0x90000000\n sw t1, 0(t0)\n ecall\n";
    let (mut good, mut bad, mut stream, mut address) = (0, 0, 0, 0);
    let mut event = CEvent {
        stream: 0,
        launches: 0,
    };
    // SAFETY: all pointers are good.
    unsafe {
        let (done, module, _) = loaded(gpu, name, source);
        assert_eq!(done, 0, "{}", error(gpu));
        assert_eq!(weft_gpu_symbol(gpu, module, c"good".as_ptr(), &mut good), 0);
        assert_eq!(weft_gpu_symbol(gpu, module, c"bad".as_ptr(), &mut bad), 0);
        assert_eq!(weft_gpu_stream(gpu, &mut stream), 0);
        assert_eq!(weft_gpu_allocate(gpu, 64, &mut address), 0);
        let mut grid = CGrid {
            ctas: [6, 0, 0],
            threads: [16, 0, 0],
            arguments: address,
            scratchpad: 0,
            local: 0,
            level: 0,
            predecessors: 0,
            dependent: 0,
        };
        assert_eq!(weft_gpu_launch(gpu, stream, bad, &grid), 0);
        assert_eq!(weft_gpu_synchronize(gpu), 1);
        let said = error(gpu);
        assert!(said.starts_with("kernel bad, CTA "), "{said}");
        assert!(said.contains("(launch 1 of stream 0)"), "{said}");
        grid.ctas[0] = 1;
        assert_eq!(
            weft_gpu_launch(gpu, stream, good, &grid),
            0,
            "{}",
            error(gpu)
        );
        assert_eq!(weft_gpu_record(gpu, stream, &mut event), 0);
        assert_eq!(weft_gpu_wait(gpu, event), 0, "{}", error(gpu));
        assert_eq!(weft_gpu_synchronize(gpu), 0, "{}", error(gpu));
        let mut words = [0u32; 16];
        let copied = weft_gpu_copy_out(gpu, words.as_mut_ptr().cast(), address, 64);
        assert_eq!((copied, words), (0, [1; 16]));
        weft_gpu_close(gpu);
    }
}

#[test]
fn a_failed_launch_is_told_once_and_the_next_is_good() {
    let two = CSize {
        sms: 2,
        ..size(4, 4, 0)
    };
    // SAFETY: the size is good.
    unsafe { fails_and_goes_on(weft_gpu_open(&two, 1 << 20, 100_000), "golden") }
}

/// The same on the hardware, the size of which the other tests have.
#[test]
fn a_failed_launch_is_told_once_by_the_hardware() {
    // SAFETY: the size is good.
    unsafe {
        let gpu = weft_gpu_open_verilated(&size(4, 4, 0), 1 << 20, 20, 100_000);
        assert!(!gpu.is_null(), "{}", error(null()));
        fails_and_goes_on(gpu, "hardware");
    }
}

/// a2: counter, `struct weft_queue`, child's descriptor. Each thread of `_start` counts, and thread 0 launches the child by
/// the spawn ring, whose place and size the queue says; it needs no room, for the ring has 16 words at least.
const SPAWNS: &str = "
_start: lw t0, 0(a2)
        li t1, 1
        amoadd.w x0, t1, (t0)
        bnez a0, end
        lw t2, 4(a2)
        lw t3, 52(t2)
        lw t4, 56(t2)
        slli t4, t4, 2
        add t4, t4, t3
        fence
        amoadd.w t5, t1, (t4)
        slli t5, t5, 2
        add t5, t5, t3
        lw t6, 8(a2)
        sw t6, 0(t5)
end:    ecall
child:  lw t0, 0(a2)
        li t1, 100
        amoadd.w x0, t1, (t0)
        ecall
";

/// # Safety
/// `gpu` is good.
unsafe fn launches_with_children(gpu: *mut Handle<Host>, has_clock: bool) {
    let name = format!("weft-driver-c-spawns-{}-{has_clock}.s", std::process::id());
    let file = std::env::temp_dir().join(name);
    std::fs::write(&file, SPAWNS).unwrap();
    let path = std::ffi::CString::new(file.to_str().unwrap()).unwrap();
    let (mut module, mut entry, mut child, mut stream) = (0, 0, 0, 0);
    let (mut counter, mut arguments, mut queue, mut task) = (0, 0, 0, 0);
    let mut counters = std::mem::MaybeUninit::<CCounters>::uninit();
    // SAFETY: all pointers are good.
    unsafe {
        assert_eq!(weft_gpu_load(gpu, path.as_ptr(), &mut module), 0);
        assert_eq!(weft_gpu_entry(gpu, module, &mut entry), 0);
        let named = weft_gpu_symbol(gpu, module, c"child".as_ptr(), &mut child);
        assert_eq!(named, 0);
        assert_eq!(weft_gpu_allocate(gpu, 4, &mut counter), 0);
        assert_eq!(weft_gpu_allocate(gpu, 12, &mut arguments), 0);
        assert_eq!(weft_gpu_stream(gpu, &mut stream), 0);
        assert_eq!(weft_gpu_work_queue(gpu, 2, 1, &mut queue), 1);
        assert_eq!(error(gpu), "2 entries: a work queue needs 3 to 65,536");
        assert_eq!(weft_gpu_work_queue(gpu, 8, 1, &mut queue), 0);
        let grid = |ctas, threads| CGrid {
            ctas: [ctas, 0, 0],
            threads: [threads, 0, 0],
            arguments,
            scratchpad: 0,
            local: 0,
            level: 0,
            predecessors: 0,
            dependent: 0,
        };
        assert_eq!(weft_gpu_task(gpu, child, &grid(2, 5), &mut task), 0);
        let words = [counter, queue, task];
        let copied = weft_gpu_copy_in(gpu, arguments, words.as_ptr().cast(), 12);
        assert_eq!(copied, 0);

        // 3 x 7 threads, then 2 x 5 of the child; then the child again, by the host.
        let launched = weft_gpu_launch(gpu, stream, entry, &grid(3, 7));
        assert_eq!(launched, 0);
        assert_eq!(weft_gpu_synchronize(gpu), 0, "{}", error(gpu));
        assert_eq!(weft_gpu_launch_task(gpu, stream, task), 0);
        assert_eq!(weft_gpu_synchronize(gpu), 0, "{}", error(gpu));
        let mut word = 0u32;
        let read = weft_gpu_copy_out(gpu, (&raw mut word).cast(), counter, 4);
        assert_eq!((read, word), (0, 21 + 2 * 1000));

        // A task with two predecessors, which are the host's launches here, and a launch that names it.
        let two = CGrid {
            predecessors: 2,
            ..grid(2, 5)
        };
        assert_eq!(weft_gpu_launch(gpu, stream, child, &two), 1);
        assert!(error(gpu).contains("not 2 times"), "{}", error(gpu));
        let mut join = 0;
        assert_eq!(weft_gpu_task(gpu, child, &two, &mut join), 0);
        let names = CGrid {
            dependent: join,
            ..grid(2, 5)
        };
        for total in [21 + 3 * 1000, 21 + 5 * 1000] {
            assert_eq!(weft_gpu_launch(gpu, stream, child, &names), 0);
            assert_eq!(weft_gpu_synchronize(gpu), 0, "{}", error(gpu));
            weft_gpu_copy_out(gpu, (&raw mut word).cast(), counter, 4);
            assert_eq!(word, total);
        }
        assert_eq!(weft_gpu_launch_task(gpu, stream, task + 4), 1);
        assert_eq!(error(gpu), format!("{:#x} begins no allocation", task + 4));
        let bad = weft_gpu_launch_with(gpu, stream, task, entry, &grid(1, 1), 1);
        assert_eq!(
            (bad, error(gpu)),
            (1, format!("{task:#x} is no work queue"))
        );
        assert_eq!(weft_gpu_counters(gpu, counters.as_mut_ptr()), 0);
        let counters = counters.assume_init();
        assert_eq!((counters.spawns, counters.ctas), (1, 13));
        assert_eq!(counters.cycles > 0, has_clock);
        weft_gpu_close(gpu);
    }
    std::fs::remove_file(&file).unwrap();
}

#[test]
fn threads_launch_on_both_devices() {
    let four = CSize {
        threads: 4,
        ..size(4, 4, 0)
    };
    // SAFETY: the sizes are good.
    unsafe {
        launches_with_children(weft_gpu_open(&four, 1 << 20, 10_000), false);
        let gpu = weft_gpu_open_verilated(&four, 1 << 20, 20, 10_000);
        assert!(!gpu.is_null(), "{}", error(null()));
        launches_with_children(gpu, true);
        let twelve = size(4, 12, 0);
        assert!(weft_gpu_open_verilated(&twelve, 1 << 20, 20, 0).is_null());
    }
}
