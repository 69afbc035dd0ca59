//! Kernels that have no end, and how they are ended: by their limit, by LIMIT_MAX or by the host, at any moment, while
//! another stream waits for the SM (TASK-130 to TASK-133, SM-034).

use weft_driver::{Buffer, Device, Error, Gpu, Grid, Settings, Stream};
use weft_isa::Program;
use weft_testbench::gpu::device::TINY;
use weft_testbench::gpu::{GpuOptions, VerilatedGpu};

/// Kernels without an end, and one with one: thread i of it writes 3 i + 7 behind a barrier.
/// `tokens` has more of them than stand on chip, and all its threads spin in the innermost.
pub const ENDLESS: [&str; 6] = ["spin", "barrier", "atomic", "tokens", "stores", "sleeps"];

/// Arguments of all: a word that stays 0, and results.
fn source() -> String {
    let pushes: String = (0..24).map(|n| format!("push sync, out{n}\n")).collect();
    format!(
        "
spin:   j spin

        # The first warp never comes.
barrier: csrr t0, 0xCC8
        beqz t0, barrier
        bar.sync 0
        ecall

atomic: lw t0, 0(a2)
again:  amoadd.w t1, x0, (t0)
        beqz t1, again
        ecall

tokens: andi t0, a0, 1
        {pushes}
        beqz t0, even
odd:    j odd
even:   j even
out0:   addi t4, t4, 1
{outs}
        ecall

        # Divisions, loads and stores are under way all the time.
stores: lw t0, 0(a2)
        slli t1, a0, 2
        add t0, t0, t1
        addi t0, t0, 64
more:   sw t1, 0(t0)
        lw t2, 0(t0)
        addi t1, t1, 1
        div t3, t2, t1
        j more

        # Threads of each warp wait at a barrier, one by one; the last one never comes.
sleeps: andi t0, a0, 3
        li t1, 3
        beq t0, t1, sleeps
        bar.sync 1
        ecall

good:   lw t0, 4(a2)
        slli t1, a0, 2
        add t0, t0, t1
        slli t3, a0, 1
        add t3, t3, a0
        addi t3, t3, 7
        bar.sync 0
        sw t3, 0(t0)
        ecall
",
        outs = (1..24)
            .map(|n| format!("out{n}: addi t4, t4, 1\n"))
            .collect::<String>()
    )
}

/// Threads and CTAs of each launch.
const THREADS: u32 = 13;
const CTAS: u32 = 3;

/// How a kernel is ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// Its own limit, and LIMIT_MAX, in cycles.
    Limit,
    Most,
    /// [`Gpu::kill`], when the device has gone on so many times.
    Kill(u32),
}

struct World<D> {
    gpu: Gpu<D>,
    program: Program,
    arguments: Buffer,
    results: Buffer,
    streams: [Stream; 2],
}

impl<D: Device> World<D> {
    fn new(device: D) -> Result<World<D>, Error> {
        // Whoever is not ended shows by that.
        let settings = Settings {
            limit: Some(200_000),
            ..Settings::default()
        };
        let mut gpu = Gpu::open_with(device, settings)?;
        let program = weft_isa::assemble(&source(), "kill.s").expect("a program");
        gpu.load_program(&program)?;
        let arguments = gpu.allocate(256)?;
        let results = gpu.allocate(4 * THREADS * CTAS)?;
        gpu.write_words(
            arguments,
            0,
            &[arguments.address() + 128, results.address()],
        )?;
        let streams = [gpu.stream()?, gpu.stream()?];
        Ok(World {
            gpu,
            program,
            arguments,
            results,
            streams,
        })
    }

    /// An endless kernel in the first stream and a good one in the second; then a good one in the first.
    fn run(&mut self, kernel: &str, how: How) -> Result<(), String> {
        let said = |e: Error| format!("{kernel}, {how:?}: {e}");
        let wrong = |what: String| format!("{kernel}, {how:?}: {what}");
        let World { gpu, .. } = self;
        let grid = Grid::of(CTAS, THREADS).with_arguments(self.arguments.address());
        let limit = if how == How::Limit { 2_000 } else { 0 };
        // The good kernels run for 1,300 cycles; so one unit of 1,024 may be too little for them (TASK-130).
        gpu.limit_all(if how == How::Most { 2_000 } else { 0 });
        let [first, second] = self.streams;
        let at = self.program.symbols[kernel];
        gpu.launch(first, at, &grid.with_limit(limit))
            .map_err(said)?;
        let endless = gpu.record(first);
        let good = self.program.symbols["good"];
        gpu.launch(second, good, &grid).map_err(said)?;
        if let How::Kill(moment) = how {
            (0..moment).for_each(|_| {
                gpu.device().advance();
            });
            gpu.kill(endless).map_err(said)?;
        }
        let told = gpu.wait(endless);
        let as_it_should_be = match (&told, how) {
            (Err(Error::Killed { launch, kernel: of }), How::Kill(_)) => {
                of == kernel && launch.number == endless_number(gpu, first)
            }
            (Err(Error::TimeLimit { launch, kernel: of }), How::Limit | How::Most) => {
                of == kernel && launch.is_some()
            }
            _ => false,
        };
        if !as_it_should_be {
            return Err(wrong(format!("{told:?}")));
        }
        let done = gpu.record(second);
        gpu.wait(done).map_err(said)?;
        self.are_right(&wrong)?;
        let World { gpu, .. } = self;
        gpu.launch(first, good, &grid).map_err(said)?;
        gpu.synchronize().map_err(said)?;
        self.are_right(&wrong)
    }

    /// The results of the good kernel, which are forgotten.
    fn are_right(&mut self, wrong: &dyn Fn(String) -> String) -> Result<(), String> {
        let World { gpu, results, .. } = self;
        let said = |e: Error| wrong(e.to_string());
        let words = gpu.read_words(*results, 0, THREADS * CTAS).map_err(said)?;
        let right = (0..THREADS * CTAS).map(|n| 3 * n + 7);
        let bad = right.zip(&words).position(|(right, word)| right != *word);
        if let Some(bad) = bad {
            return Err(wrong(format!("thread {bad}: {:#x}", words[bad])));
        }
        let zeros = vec![0; words.len()];
        gpu.write_words(*results, 0, &zeros).map_err(said)
    }
}

fn endless_number<D: Device>(gpu: &Gpu<D>, stream: Stream) -> u32 {
    gpu.record(stream).launches
}

/// All of them, on one device one after the other, each killed at `moments` moments; how many that were.
pub fn are_ended<D: Device>(device: D, moments: u32, stride: u32) -> Result<u32, String> {
    let mut world = World::new(device).map_err(|e| e.to_string())?;
    let mut runs = 0;
    for kernel in ENDLESS {
        let kills = (0..moments).map(|n| How::Kill(stride * n + n * n % 7));
        for how in [How::Limit, How::Most].into_iter().chain(kills) {
            world.run(kernel, how)?;
            runs += 1;
        }
    }
    Ok(runs)
}

/// The same on `weft_gpu`, or a broken copy of it.
pub fn in_hardware(fault: Option<&str>) -> Result<u32, String> {
    let gpu = VerilatedGpu::open_copy(TINY, &GpuOptions::default(), fault);
    are_ended(gpu.map_err(|e| e.to_string())?, 8, 1)
}
