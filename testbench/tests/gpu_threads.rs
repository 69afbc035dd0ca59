//! What threads do to the work queue, on the tiny `weft_gpu`.

mod reach {
    //! QUEUE-050: what threads try to reach of the work queue, and cannot; beside it the golden GPU.

    use weft_driver::{Device, Error, Golden, Gpu, Grid, Settings};
    use weft_isa::Program;
    use weft_sim::host::registers::at;
    use weft_sim::host::Size;
    use weft_sim::FaultCause;
    use weft_testbench::gpu::{GpuOptions, VerilatedGpu};

    /// Accesses of the word at t1.
    const ACCESSES: [&str; 5] = [
        "lw t3, 0(t1)",
        "sw t2, 0(t1)",
        "amoswap.w t3, t2, (t1)",
        "lr.w t3, (t1)",
        "sb t2, 3(t1)",
    ];

    /// Thread 2 of CTA 1 makes the access of the number that stands behind the address; there may be none of it.
    fn program() -> Program {
        let mut text =
            "_start: csrr t0, 0xCC3\n li t1, 1\n bne t0, t1, done\n csrr t0, 0xCC8\n li t1, 2\n \
                        bne t0, t1, done\n lw t1, 0(a2)\n lw t0, 4(a2)\n li t2, 0x5A5A5A5A\n"
                .to_string();
        for (n, access) in ACCESSES.iter().enumerate() {
            text += &format!("li t3, {n}\n bne t0, t3, not{n}\n try{n}: {access}\n not{n}:\n");
        }
        weft_isa::assemble(&(text + "done: ecall"), "reach.asm").expect("a program")
    }

    fn tries<D: Device>(device: D) {
        let mut gpu = Gpu::open_with(device, Settings::default()).expect("a GPU");
        let (one, other) = (gpu.stream().expect("one"), gpu.stream().expect("another"));
        let module = gpu.load_program(&program()).expect("a program");
        let arguments = gpu.allocate(8).expect("memory");
        let grid = Grid::of(3, 4).with_arguments(arguments.address());
        let launch = |gpu: &mut Gpu<D>, stream, words: [u32; 2]| {
            gpu.write_words(arguments, 0, &words).expect("memory");
            gpu.launch(stream, module.entry(), &grid).expect("a launch");
            gpu.synchronize()
        };
        let harmless = [0, ACCESSES.len() as u32];
        // So that both rings hold something.
        for stream in [one, other] {
            launch(&mut gpu, stream, harmless).expect("it ends");
        }
        let device = gpu.device();
        let (thread_end, end) = (device.get(at::THREAD_END), device.get(at::MEMORY_END));
        let register = |offset| at::channel(1, offset);
        let ring = device.get(register(at::BASE));
        assert!(ring >= thread_end && ring + 8 <= end);
        let mut words = vec![ring, ring + 4, thread_end, end - 4, end, 0xffff_fffc];
        let pointers = [at::GP_GET, at::GP_PUT].map(register);
        words.extend([pointers[0], pointers[1], at::SPAWN_NUMBER, 0xffc]);
        let seen = |gpu: &mut Gpu<D>, word: u32| {
            let offsets = [at::BASE, at::NUMBER, at::GP_GET, at::GP_PUT, at::LIMIT];
            let registers = offsets.map(|offset| gpu.device().get(register(offset)));
            let mut bytes = [0; 4];
            let there = word < end && gpu.device().read(word, &mut bytes);
            (registers, there.then_some(bytes))
        };
        for word in words {
            for (n, access) in ACCESSES.iter().enumerate() {
                let what = format!("{access} at {word:#x}");
                let before = seen(&mut gpu, word);
                let error = launch(&mut gpu, one, [word, n as u32]).expect_err(&what);
                let Error::Fault(fault) = error else {
                    panic!("{what}: {error}");
                };
                assert_eq!((fault.cta, fault.warp, fault.thread), (1, 0, 2), "{what}");
                let at = gpu.symbol(module, &format!("try{n}")).expect("a symbol");
                assert_eq!(fault.pc, at, "{what}");
                let address = word + if access.starts_with("sb") { 3 } else { 0 };
                assert_eq!(fault.cause, FaultCause::Unmapped { address }, "{what}");
                assert_eq!(seen(&mut gpu, word), before, "{what}");
            }
        }
        // The channel that was aimed at goes on, and so does the one whose kernels failed.
        for stream in [one, other] {
            launch(&mut gpu, stream, harmless).expect("it ends");
        }
    }

    #[test]
    fn threads_reach_no_pointer_and_no_ring_of_the_host() {
        tries(VerilatedGpu::open(&GpuOptions::default()).expect("weft_gpu"));
    }

    #[test]
    fn nor_do_they_on_the_golden_model() {
        let size = Size {
            warps: 4,
            threads: 4,
            lanes: 4,
            ..Size::default()
        };
        tries(Golden::new(size, 1 << 20));
    }
}

mod header {
    //! `kernels/weft_queue.h`, compiled, where nothing but the waiting thread itself could make the SM forget what its data
    //! cache holds (MEM-064, GPU-030, GPU-031). Skipped by name where there is no compiler.

    use weft_cc::{build, Compiler, Family, Options};
    use weft_driver::{Device, Event, Gpu, Grid, Module, Settings};
    use weft_sim::host::registers::at;
    use weft_testbench::gpu::{GpuOptions, VerilatedGpu};
    use weft_toolbox::Toolbox;

    const SOURCE: &str = r#"
#include <weft_queue.h>

unsigned ended, waits;

/* As many threads as the SM has room for: it starts when the parent's warp has ended. */
WEFT_KERNEL(child)(unsigned thread, unsigned threads, void *arguments) { weft_add(&ended, 1); }

/* Each thread launches a child for each entry of the store that it gets. */
void kernel(unsigned thread, unsigned threads, struct weft_queue *queue)
{
    struct weft_task *task;
    while ((task = weft_task_new(queue))) {
        weft_task_grid(task, child, 1, 16, 0);
        weft_spawn(queue, task);
    }
    weft_work_end(queue);
}

/* Room for one more position than shadow says. */
WEFT_KERNEL(wait_for_room)(unsigned thread, unsigned threads, struct weft_queue *queue)
{
    unsigned before = queue->shadow;
    waits = 1;
    while (!weft_queue_has_room(queue, before, 0))
        WEFT_YIELD();
}

/* Until the one before has written its entry. */
WEFT_KERNEL(wait_for_put)(unsigned thread, unsigned threads, struct weft_task *task)
{
    unsigned at = task->put + 1;
    waits = 1;
    weft_work_put(task, at);
}
"#;

    type Hardware = Gpu<VerilatedGpu>;

    /// The hardware with the program; a spawn ring of one word, which is looked at every so many cycles.
    fn opened(spawn_poll: u32) -> Option<(Hardware, Module)> {
        let toolbox = Toolbox::here();
        let there = |family: &&Family| Compiler::find(&toolbox, **family).is_some();
        let Some(family) = Family::ALL.iter().find(there) else {
            println!("SKIPPED: no compiler for RISC-V is installed");
            assert!(std::env::var_os("CI").is_none(), "`cargo xtask setup`");
            return None;
        };
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("queue.c");
        std::fs::write(&file, SOURCE).expect("a file");
        let options = Options {
            compiler: Some(family.name().into()),
            ..Options::default()
        };
        let built = build(&toolbox, &[file], &options, &mut |_| {});
        let elf = built.unwrap_or_else(|e| panic!("{e}\n{}", e.output().unwrap_or_default()));
        let device = VerilatedGpu::open(&GpuOptions::default()).expect("weft_gpu");
        let settings = Settings {
            spawn: 1,
            limit: Some(20_000),
            ..Settings::default()
        };
        let mut gpu = Gpu::open_with(device, settings).expect("a GPU");
        gpu.device()
            .set(at::SPAWN_POLL, spawn_poll)
            .expect("it is written");
        let module = gpu.load_elf(&elf.elf).expect("a program");
        Some((gpu, module))
    }

    /// So many threads launch so many children by a ring of one word.
    fn spawns(threads: u32, children: u32, spawn_poll: u32) {
        let Some((mut gpu, module)) = opened(spawn_poll) else {
            return;
        };
        let stream = gpu.stream().expect("a stream");
        let mut queue = gpu.work_queue(4, children).expect("a queue");
        let grid = Grid::of(1, threads).with_arguments(queue.address());
        let launched = gpu.launch_with(stream, &mut queue, module.entry(), &grid, threads);
        launched.expect("a launch");
        gpu.synchronize().expect("it ends");
        let ended = gpu.symbol(module, "ended").expect("a symbol");
        assert_eq!(gpu.word(ended).expect("a word"), 16 * children);
    }

    /// The thread has seen the word full, and no CTA starts before it has ended.
    #[test]
    fn a_thread_sees_that_the_spawn_ring_has_room_again() {
        spawns(1, 4, 3_000);
    }

    /// More tickets than the ring has words: two threads find the same word empty, and one of them gets it.
    #[test]
    fn threads_that_find_the_same_word_empty_lose_no_launch() {
        spawns(4, 12, 16);
    }

    /// Launches a kernel with the address of an object of 32 words, whose word of this number the host sets to 1 when the
    /// thread waits for it.
    fn waits(kernel: &str, word: u32) {
        let Some((mut gpu, module)) = opened(16) else {
            return;
        };
        let address = |gpu: &Hardware, name| gpu.symbol(module, name).expect("a symbol");
        let flag = address(&gpu, "waits");
        let object = gpu.allocate(128).expect("memory");
        gpu.write_words(object, 0, &[0; 32]).expect("zeros");
        let object = object.address();
        let stream = gpu.stream().expect("a stream");
        let grid = Grid::of(1, 1).with_arguments(object);
        let kernel = address(&gpu, kernel);
        gpu.launch(stream, kernel, &grid).expect("a launch");
        let event: Event = gpu.record(stream);
        while gpu.word(flag).expect("a word") == 0 {
            Device::advance(gpu.device());
        }
        for _ in 0..4 {
            Device::advance(gpu.device());
        }
        assert!(!gpu.happened(event).expect("a word"), "it waits");
        assert!(gpu.device().write_words(object + 4 * word, &[1]));
        gpu.wait(event).expect("it ends");
    }

    #[test]
    fn a_thread_sees_that_its_positions_have_room() {
        waits("wait_for_room", 5);
    }

    /// PUT is word 21 of a descriptor.
    #[test]
    fn a_thread_sees_that_the_entry_before_is_written() {
        waits("wait_for_put", 21);
    }
}
