//! The timing pictures of docs/spec/queue.md are recordings of `weft_gpu`, for WaveDrom in docs/timing.
//! After a change of the hardware's timing:
//! `WEFT_DRAW=1 cargo test -p weft-testbench --test gpu pictures && WEFT_DRAW=1 cargo test -p weft --test timing drawn`.

use super::picture::{Recording, Watched};
use super::vecadd;
use std::path::Path;
use weft_driver::{Buffer, Gpu, Grid, WorkQueue};
use weft_sim::host::front::command::{self, header};
use weft_sim::host::registers::at;
use weft_testbench::gpu::program::{prepared, SEMAPHORE};
use weft_testbench::gpu::{GpuOptions, VerilatedGpu};

/// One thread. a2: the queue (0: none), how many groups it adds, tasks of each, turns of a loop, then the tasks.
/// It adds as QUEUE-020 says, waiting for room (QUEUE-030), and the last piece of work closes (QUEUE-042).
const WORKER: &str = "
_start: lw s0, 0(a2)
        lw s1, 4(a2)
        lw s2, 8(a2)
        lw t0, 12(a2)
        addi s3, a2, 16
turn:   beqz t0, turned
        addi t0, t0, -1
        j turn
turned: lw s7, 4(s0)
group:  beqz s1, ended
        addi t0, s0, 36
        amoadd.w x0, s2, (t0)
        addi s8, s2, 1
        addi t0, s0, 16
        amoadd.w s4, s8, (t0)
room:   fence
        lw t0, 20(s0)
        sub t0, t0, s4
        sub t0, t0, s8
        bltz t0, room
        mv t0, s4
        mv s6, s2
each:   jal ra, place
        beqz s6, last
        li t4, LAUNCH
        sw t4, 0(t2)
        lw t4, 0(s3)
        sw t4, 4(t2)
        li t4, 2
        sw t4, 4(t3)
        addi s3, s3, 4
        addi t0, t0, 1
        addi s6, s6, -1
        j each
last:   li t4, ACQUIRE
        sw t4, 0(t2)
        slli t5, t1, 2
        lw t6, 8(s0)
        add t5, t5, t6
        sw t5, 4(t2)
        addi t6, t0, 1
        sw t6, 8(t2)
        li t4, 3
        sw t4, 4(t3)
        jal ra, pass
        addi s1, s1, -1
        j group
ended:  li t1, -1
        addi t0, s0, 36
        amoadd.w t0, t1, (t0)
        li t1, 1
        bne t0, t1, end
        addi t0, s0, 16
        amoadd.w s4, t1, (t0)
wait:   fence
        lw t0, 20(s0)
        sub t0, t0, s4
        addi t0, t0, -1
        bltz t0, wait
        mv t0, s4
        jal ra, place
        li t4, 7
        sw t4, 4(t3)
        li t4, IDLE
        sw t4, 0(t2)
        li t4, RELEASE
        sw t4, 4(t2)
        lw t4, 28(s0)
        sw t4, 8(t2)
        lw t5, 32(s0)
        sw t5, 12(t2)
        li t4, ACQUIRE
        sw t4, 16(t2)
        lw t4, 24(s0)
        sw t4, 20(t2)
        addi t5, t5, 1
        sw t5, 24(t2)
        jal ra, pass
end:    ecall

place:  remu t1, t0, s7
        slli t2, t1, 5
        lw t3, 12(s0)
        add t2, t2, t3
        slli t3, t1, 3
        lw t4, 0(s0)
        add t3, t3, t4
        sw t2, 0(t3)
        ret

pass:   fence
        addi t0, s4, -1
        remu t0, t0, s7
        slli t0, t0, 2
        lw t1, 8(s0)
        add t0, t0, t1
        sw s4, 0(t0)
        ret
";

/// A GPU, its queue, and the kernel.
struct Stage {
    gpu: Gpu<VerilatedGpu>,
    queue: WorkQueue,
    kernel: u32,
}

impl Stage {
    fn new(entries: u32) -> Stage {
        let source = WORKER
            .replace("LAUNCH", &header(command::LAUNCH, 0).to_string())
            .replace("IDLE", &header(command::WAIT_FOR_IDLE, 0).to_string())
            .replace("RELEASE", &header(command::SEM_RELEASE, 0).to_string())
            .replace("ACQUIRE", &header(command::SEM_ACQUIRE, 0).to_string());
        let program = weft_isa::assemble(&source, "worker.s").unwrap_or_else(|e| panic!("{e:?}"));
        let gpu = VerilatedGpu::open(&GpuOptions::default()).expect("weft_gpu");
        let mut gpu = Gpu::open(gpu).expect("a GPU");
        let module = gpu.load_program(&program).expect("a program");
        let queue = gpu.work_queue(entries, 0).expect("a queue");
        Stage {
            gpu,
            queue,
            kernel: module.entry(),
        }
    }

    /// What a worker does, and a descriptor for it.
    fn worker(&mut self, groups: u32, turns: u32, tasks: &[Buffer]) -> (u32, Buffer) {
        let each = (tasks.len() as u32).checked_div(groups).unwrap_or(0);
        let mut words = vec![self.queue.address(), groups, each, turns];
        words.extend(tasks.iter().map(Buffer::address));
        let arguments = self.gpu.allocate(4 * words.len() as u32).expect("memory");
        self.gpu.write_words(arguments, 0, &words).expect("words");
        let grid = Grid::of(1, 1).with_arguments(arguments.address());
        let task = self.gpu.task(self.kernel, &grid).expect("a task");
        (arguments.address(), task)
    }

    /// The launch by the CPU of a worker with these arguments, until Y has its value, and a bit more.
    fn run(mut self, parent: u32, watched: Watched) -> Recording {
        let y = self.address(7);
        let stream = self.gpu.stream().expect("a stream");
        let mut recording = Recording::of(self.gpu.device(), watched);
        let grid = Grid::of(1, 1).with_arguments(parent);
        self.gpu
            .launch_with(stream, &mut self.queue, self.kernel, &grid, 1)
            .expect("a launch");
        let over = |gpu: &VerilatedGpu| gpu.word(y) == 1;
        let ran = recording.until(self.gpu.device(), over, 400);
        ran.unwrap_or_else(|e| panic!("{e}"));
        recording
    }

    /// What a word of the queue says.
    fn address(&mut self, word: u32) -> u32 {
        let at = self.queue.address() + 4 * word;
        self.gpu.device().word(at)
    }

    fn semaphore(&mut self, entry: u32) -> u32 {
        self.address(2) + 4 * entry
    }

    fn watched(&mut self, tasks: Vec<(u32, &'static str)>) -> Watched {
        let entries = self.address(1);
        let (x, y) = (self.address(6), self.address(7));
        let mut semaphores = vec![(x, "X".to_string()), (y, "Y".to_string())];
        semaphores.extend((0..entries).map(|n| (self.semaphore(n), n.to_string())));
        Watched {
            channels: vec![(1, "CPU"), (0, "GPU")],
            others: "parent",
            tasks,
            words: Vec::new(),
            semaphores,
        }
    }
}

/// A CPU launches a grid of two CTAs.
fn launch() -> String {
    let host = vecadd(13, 2, 8);
    let (mut gpu, _) = prepared(&host, &GpuOptions::default(), None).expect("weft_gpu");
    let watched = Watched {
        channels: vec![(0, "CPU")],
        others: "CTAs",
        tasks: Vec::new(),
        words: vec![(SEMAPHORE, "semaphore")],
        semaphores: vec![(SEMAPHORE, "sem".into())],
    };
    let mut recording = Recording::of(&mut gpu, watched);
    gpu.set(at::channel(0, at::GP_PUT), 1).expect("a doorbell");
    let over = |gpu: &VerilatedGpu| gpu.word(SEMAPHORE) == 1;
    let ran = recording.until(&mut gpu, over, 40);
    ran.unwrap_or_else(|e| panic!("{e}"));
    recording.picture(40, "a launch by the CPU")
}

/// X and Y: a launch whose thread adds a child, which closes.
fn hand_over() -> String {
    let mut stage = Stage::new(8);
    let (_, child) = stage.worker(0, 10, &[]);
    let (parent, _) = stage.worker(1, 0, &[child]);
    let mut watched = stage.watched(vec![(child.address(), "child")]);
    watched.words = vec![(stage.address(6), "X"), (stage.address(7), "Y")];
    stage.run(parent, watched).picture(100, "X and Y")
}

/// A thread adds N = 2 blocks at a time.
fn group() -> String {
    let mut stage = Stage::new(8);
    let (_, first) = stage.worker(0, 60, &[]);
    let (_, second) = stage.worker(0, 20, &[]);
    let (parent, _) = stage.worker(1, 0, &[first, second]);
    let tasks = vec![(first.address(), "B1"), (second.address(), "B2")];
    let mut watched = stage.watched(tasks);
    let soft = stage.queue.address() + 16;
    watched.channels.remove(0);
    watched.words = vec![
        (soft, "soft"),
        (stage.semaphore(0), "semaphore 0"),
        (stage.semaphore(3), "semaphore 3"),
    ];
    stage
        .run(parent, watched)
        .picture(200, "a thread adds two blocks")
}

/// Nested launches two deep.
fn nested() -> String {
    let mut stage = Stage::new(8);
    let (_, b) = stage.worker(0, 10, &[]);
    let (_, a) = stage.worker(1, 10, &[b]);
    let (parent, _) = stage.worker(1, 0, &[a]);
    let mut watched = stage.watched(vec![(a.address(), "A"), (b.address(), "B")]);
    let open = stage.queue.address() + 36;
    watched.channels.remove(0);
    watched.words = vec![(open, "open"), (stage.address(7), "Y")];
    stage.run(parent, watched).picture(200, "two deep")
}

/// A ring of four: a child of the ring adds three groups one behind the other, and waits for room.
fn full() -> String {
    let mut stage = Stage::new(4);
    let (_, b) = stage.worker(0, 10, &[]);
    let (_, c) = stage.worker(0, 10, &[]);
    let (_, d) = stage.worker(0, 10, &[]);
    let (_, a) = stage.worker(3, 0, &[b, c, d]);
    let (parent, _) = stage.worker(1, 0, &[a]);
    let tasks = [(a, "A"), (b, "B"), (c, "C"), (d, "D")];
    let mut watched = stage.watched(tasks.map(|(task, name)| (task.address(), name)).to_vec());
    let queue = stage.queue.address();
    watched.channels.remove(0);
    watched.words = vec![(queue + 16, "soft"), (queue + 20, "shadow")];
    stage
        .run(parent, watched)
        .picture(200, "a full ring of four")
}

#[test]
fn pictures_of_the_work_queue_are_recordings() {
    let pictures = [
        ("queue_launch", launch()),
        ("queue_hand_over", hand_over()),
        ("queue_group", group()),
        ("queue_nested", nested()),
        ("queue_full", full()),
    ];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/timing");
    for (name, picture) in pictures {
        let path = folder.join(format!("{name}.json"));
        if std::env::var_os("WEFT_DRAW").is_some() {
            std::fs::write(&path, &picture).expect("written");
        }
        let there = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(there == picture, "{name} is not what happens:\n{picture}");
    }
}
