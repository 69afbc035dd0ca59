//! Whose an error is, when a wait comes back, and that streams go on (HOST-110 to HOST-112).

use weft_driver::error::Launch;
use weft_driver::{Device, Error, Golden, Gpu, Grid, Module, Progress, Settings, Stream};
use weft_sim::host::gpu::Failure;
use weft_sim::host::registers::at;
use weft_sim::host::{Code, Size};

/// `good` adds 1 to the word of its thread; `bad` stores where nothing is; `late` does so after a while, in thread 1.
const SOURCE: &str = "
_start: ecall
good:   slli t0, a0, 2
        add t0, t0, a2
        lw t1, 0(t0)
        addi t1, t1, 1
        sw t1, 0(t0)
        ecall
bad:    li t0, 0x90000000
        sw x0, 0(t0)
        ecall
late:   li t1, 3000
wait:   addi t1, t1, -1
        bnez t1, wait
        li t2, 1
        bne a0, t2, done
        li t0, 0x90000000
        sw x0, 0(t0)
done:   ecall
spawns: lw t0, 0(a2)
        lw t1, 4(a2)
        li t2, 1
        amoadd.w x0, t2, (t1)
        lw t2, 8(a2)
        sw t2, 0(t0)
        ecall
awaits: lw t0, 0(a2)
        lw t1, 4(a2)
        li t2, 1
        amoadd.w x0, t2, (t1)
        lw t2, 8(a2)
        sw t2, 0(t0)
        addi t0, a2, 12
look:   amoadd.w t1, x0, (t0)
        beqz t1, look
        ecall
child:  addi t0, a2, 12
        li t1, 1
        amoadd.w x0, t1, (t0)
        ecall
";

/// The golden model; as the hardware it knows of faults what the registers say.
struct ByRegisters(Golden);

impl Device for ByRegisters {
    fn size(&self) -> Size {
        self.0.size()
    }

    fn memory_end(&self) -> u32 {
        self.0.memory_end()
    }

    fn read(&mut self, address: u32, bytes: &mut [u8]) -> bool {
        self.0.read(address, bytes)
    }

    fn write(&mut self, address: u32, bytes: &[u8]) -> bool {
        self.0.write(address, bytes)
    }

    fn get(&mut self, register: u32) -> u32 {
        self.0.get(register)
    }

    fn set(&mut self, register: u32, value: u32) {
        self.0.set(register, value);
    }

    fn advance(&mut self) -> Progress {
        self.0.advance()
    }

    fn failures(&self) -> &[Failure] {
        &[]
    }

    fn instructions(&self) -> Option<u64> {
        self.0.instructions()
    }
}

type Tried = Gpu<Box<dyn Device>>;

/// Both devices, each with the program.
fn gpus(size: Size) -> impl Iterator<Item = (Tried, Module)> {
    [false, true].into_iter().map(move |by_registers| {
        let golden = Golden::new(size, 1 << 20);
        let device: Box<dyn Device> = match by_registers {
            true => Box::new(ByRegisters(golden)),
            false => Box::new(golden),
        };
        let settings = Settings {
            limit: Some(1_000_000),
            ..Settings::default()
        };
        let mut gpu = Gpu::open_with(device, settings).unwrap();
        let program = weft_isa::assemble(SOURCE, "test.s").unwrap();
        let module = gpu.load_program(&program).unwrap();
        (gpu, module)
    })
}

fn two_sms() -> Size {
    Size {
        sms: 2,
        warps: 4,
        threads: 4,
        lanes: 4,
        ..Size::default()
    }
}

fn launch(gpu: &mut Tried, stream: Stream, module: Module, kernel: &str, grid: Grid) {
    let kernel = gpu.symbol(module, kernel).unwrap();
    gpu.launch(stream, kernel, &grid).unwrap();
}

fn of(stream: usize, number: u32) -> Option<Launch> {
    Some(Launch { stream, number })
}

/// The launch that an error names.
fn whose(error: Error) -> Option<Launch> {
    match error {
        Error::Fault(fault) => fault.launch,
        Error::Hung(hung) => hung.launch,
        Error::Failed { launch, .. } => Some(launch),
        Error::Channel { launch, .. } | Error::Task { launch, .. } => launch,
        error => panic!("{error}"),
    }
}

#[test]
fn a_failed_launch_is_over_when_it_is_told_and_the_next_is_good() {
    for (mut gpu, module) in gpus(two_sms()) {
        let stream = gpu.stream().unwrap();
        let out = gpu.allocate(4 * 16).unwrap();
        // Six CTAs that fault, of which two run at a time.
        launch(&mut gpu, stream, module, "bad", Grid::of(6, 16));
        let error = gpu.synchronize().unwrap_err();
        let said = error.to_string();
        let who = "kernel bad, CTA 0, warp 0, thread 0, pc 0x";
        assert!(said.starts_with(who), "{said}");
        assert!(said.contains("(launch 1 of stream 0)"), "{said}");
        assert_eq!(whose(error), of(0, 1));
        assert_eq!(gpu.counters().tasks_done, 1);
        assert_eq!(gpu.device().get(at::CTAS_DONE), 6);
        assert_eq!(gpu.device().get(at::STATUS) & 0b1111, 0);

        let good = Grid::of(1, 16).with_arguments(out.address());
        launch(&mut gpu, stream, module, "good", good);
        let event = gpu.record(stream);
        gpu.wait(event).unwrap();
        gpu.synchronize().unwrap();
        gpu.synchronize().unwrap();
        assert_eq!(gpu.read_words(out, 0, 16).unwrap(), [1; 16]);
    }
}

#[test]
fn a_wait_for_another_stream_is_good_and_each_tells_its_own() {
    for (mut gpu, module) in gpus(two_sms()) {
        let streams = [(); 3].map(|()| gpu.stream().unwrap());
        let out = gpu.allocate(4 * 5).unwrap();
        let good = Grid::of(1, 5).with_arguments(out.address());
        launch(&mut gpu, streams[0], module, "late", Grid::of(1, 3));
        launch(&mut gpu, streams[1], module, "bad", Grid::of(1, 1));
        launch(&mut gpu, streams[2], module, "good", good);
        // Behind a launch that fails the stream goes on, and its number counts.
        launch(&mut gpu, streams[1], module, "good", good);
        let events = streams.map(|stream| gpu.record(stream));
        gpu.wait(events[2]).unwrap();
        let error = gpu.wait(events[0]).unwrap_err();
        assert_eq!(whose(error), of(0, 1));
        let error = gpu.wait(events[1]).unwrap_err();
        assert_eq!(whose(error), of(1, 1));
        // Each is told once.
        events
            .into_iter()
            .for_each(|event| gpu.wait(event).unwrap());
        gpu.synchronize().unwrap();
        assert_eq!(gpu.read_words(out, 0, 5).unwrap(), [2; 5]);
    }
}

#[test]
fn many_launches_fail_and_each_is_told() {
    for (mut gpu, module) in gpus(two_sms()) {
        let stream = gpu.stream().unwrap();
        // More than the ring has entries; every third one is bad. No launch is answered with the error of another one.
        for number in 1..=150 {
            let kernel = if number % 3 == 0 { "bad" } else { "_start" };
            launch(&mut gpu, stream, module, kernel, Grid::of(1, 1));
        }
        for number in (3..=150).step_by(3) {
            let error = gpu.synchronize().unwrap_err();
            assert_eq!(whose(error), of(0, number));
        }
        gpu.synchronize().unwrap();
    }
}

#[test]
fn what_the_channel_refuses_is_over_and_the_stream_goes_on() {
    for (mut gpu, module) in gpus(two_sms()) {
        let streams = [gpu.stream().unwrap(), gpu.stream().unwrap()];
        let out = gpu.allocate(4 * 3).unwrap();
        let good = Grid::of(1, 3).with_arguments(out.address());
        let kernel = gpu.symbol(module, "good").unwrap();
        let task = gpu.task(kernel, &good).unwrap();
        // STATE says that it is pending.
        gpu.write_words(task, 25, &[1]).unwrap();
        launch(&mut gpu, streams[0], module, "good", good);
        gpu.launch_task(streams[0], task).unwrap();
        launch(&mut gpu, streams[0], module, "good", good);
        let event = gpu.record(streams[0]);
        gpu.wait_in(streams[1], event).unwrap();
        launch(&mut gpu, streams[1], module, "good", good);
        let event = gpu.record(streams[1]);
        gpu.wait(event).unwrap();
        let error = gpu.synchronize().unwrap_err();
        assert!(
            matches!(
                &error,
                Error::Channel {
                    code: Code::DescriptorBusy,
                    ..
                }
            ),
            "{error}"
        );
        assert_eq!(whose(error), of(0, 2));
        gpu.write_words(task, 25, &[0]).unwrap();
        gpu.launch_task(streams[0], task).unwrap();
        gpu.synchronize().unwrap();
        assert_eq!(gpu.read_words(out, 0, 3).unwrap(), [4; 3]);
    }
}

#[test]
fn a_fault_of_a_thread_s_own_launch_is_told_when_all_is_over() {
    for (mut gpu, module) in gpus(two_sms()) {
        let stream = gpu.stream().unwrap();
        let arguments = gpu.allocate(12).unwrap();
        let bad = gpu.symbol(module, "bad").unwrap();
        let task = gpu.task(bad, &Grid::of(2, 1)).unwrap();
        let [base, number] = [at::SPAWN_BASE, at::SPAWN_NUMBER].map(|r| gpu.device().get(r));
        let words = [base, base + 4 * number, task.address()];
        gpu.write_words(arguments, 0, &words).unwrap();
        let grid = Grid::of(1, 1).with_arguments(arguments.address());
        launch(&mut gpu, stream, module, "spawns", grid);
        let event = gpu.record(stream);
        gpu.wait(event).unwrap();
        let error = gpu.synchronize().unwrap_err();
        assert_eq!(whose(error), None);
        assert_eq!(gpu.device().get(at::CTAS_DONE), 3);
        gpu.synchronize().unwrap();
    }
}

/// TASK-056: an SM has CTAs of one task, so the child of a thread that waits for it needs another SM, as on the hardware.
#[test]
fn a_child_has_no_sm_while_its_parent_waits_on_the_only_one() {
    for sms in [1, 2] {
        for (mut gpu, module) in gpus(Size { sms, ..two_sms() }) {
            let stream = gpu.stream().unwrap();
            let arguments = gpu.allocate(16).unwrap();
            let child = gpu.symbol(module, "child").unwrap();
            let grid = Grid::of(1, 1).with_arguments(arguments.address());
            let task = gpu.task(child, &grid).unwrap();
            let [base, number] = [at::SPAWN_BASE, at::SPAWN_NUMBER].map(|r| gpu.device().get(r));
            let words = [base, base + 4 * number, task.address()];
            gpu.write_words(arguments, 0, &words).unwrap();
            launch(&mut gpu, stream, module, "awaits", grid);
            match (sms, gpu.synchronize()) {
                (1, Err(Error::Limit(_))) => assert_eq!(gpu.counters().spawns, 1),
                (2, Ok(())) => assert_eq!(gpu.read_words(arguments, 3, 1).unwrap(), [1]),
                (_, other) => panic!("{sms} SMs: {other:?}"),
            }
        }
    }
}
