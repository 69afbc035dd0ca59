//! Kernels of several domains on one GPU: each reaches its window, to the last word, and nothing of another one's, by data
//! or by fetch, nor what an earlier kernel of another one has left on the SM (HOST-004, MEM-007, MEM-008, MEM-053).

use weft_driver::{Buffer, Device, Domain, Error, Gpu, Grid, Settings, Stream};
use weft_sim::FaultCause;

/// Arguments: the word that is wanted; results.
const SOURCE: &str = "
load:   lw t0, 0(a2)
        lw t1, 0(t0)
        j told

store:  lw t0, 0(a2)
        li t1, 0x0bad
        sw t1, 0(t0)
        j told

amo:    lw t0, 0(a2)
        li t1, 1
        amoadd.w t1, t1, (t0)
        j told

jump:   lw t0, 0(a2)
        jr t0

told:   lw t2, 4(a2)
        slli t3, a0, 2
        add t2, t2, t3
        sw t1, 0(t2)
        ecall

        # Each thread leaves the word that is wanted in its stack, and at the end of the scratchpad, which is cleared last.
leaves: lw t0, 0(a2)
        addi t1, sp, -64
more:   sw t0, 0(t1)
        addi t1, t1, 4
        bltu t1, sp, more
        lui t3, 0xd0004
        addi t1, t3, -512
        csrr t2, 0xCC8
        slli t2, t2, 2
        add t1, t1, t2
pad:    sw t0, 0(t1)
        addi t1, t1, 16
        bltu t1, t3, pad
        ecall

        # Is it in any of the same places?
looks:  li t4, 0
        lw t5, 0(a2)
        lui t3, 0xd0004
        addi t1, t3, -512
seen:   lw t0, 0(t1)
        sub t0, t0, t5
        seqz t0, t0
        or t4, t4, t0
        addi t1, t1, 4
        bltu t1, t3, seen
        addi t1, sp, -64
again:  lw t0, 0(t1)
        sub t0, t0, t5
        seqz t0, t0
        or t4, t4, t0
        addi t1, t1, 4
        bltu t1, sp, again
        mv t1, t4
        j told

good:   slli t1, a0, 1
        add t1, t1, a0
        addi t1, t1, 7
        j told
";

/// Threads of each CTA, of which a launch has one for each SM: more than a warp, and the last one partial.
const THREADS: u32 = 7;
/// Words of a domain's own buffer.
const WORDS: u32 = 32;
/// All of it.
const SCRATCHPAD: u32 = 16 << 10;

/// One of those who share the GPU.
struct Tenant {
    domain: Domain,
    window: (u32, u32),
    kernels: Buffer,
    arguments: Buffer,
    results: Buffer,
    data: Buffer,
    stream: Stream,
}

struct World<D> {
    gpu: Gpu<D>,
    ctas: u32,
    symbols: std::collections::BTreeMap<String, u32>,
}

impl<D: Device> World<D> {
    fn tenant(&mut self, code: &[u8]) -> Result<Tenant, Error> {
        let World { gpu, ctas, .. } = self;
        let bytes = 4096;
        let domain = gpu.domain(bytes)?;
        gpu.enter(domain);
        let kernels = gpu.allocate(code.len() as u32)?;
        gpu.copy_in(kernels, 0, code)?;
        let arguments = gpu.allocate(8)?;
        let results = gpu.allocate(4 * THREADS * *ctas)?;
        let data = gpu.allocate(4 * WORDS)?;
        gpu.write_words(data, 0, &[0x600d_600d; WORDS as usize])?;
        gpu.enter(Domain::COMMON);
        let begin = kernels.address();
        Ok(Tenant {
            domain,
            window: (begin, begin + bytes),
            kernels,
            arguments,
            results,
            data,
            stream: gpu.stream()?,
        })
    }

    /// Launches a kernel of somebody; what its threads have told.
    fn run(&mut self, who: &Tenant, kernel: &str, target: u32) -> Result<Vec<u32>, Error> {
        self.launch(who, kernel, target)?;
        let World { gpu, ctas, .. } = self;
        gpu.wait(gpu.record(who.stream))?;
        gpu.read_words(who.results, 0, THREADS * *ctas)
    }

    fn launch(&mut self, who: &Tenant, kernel: &str, target: u32) -> Result<(), Error> {
        let World { gpu, ctas, symbols } = self;
        gpu.write_words(who.arguments, 0, &[target, who.results.address()])?;
        gpu.write_words(who.results, 0, &vec![0; (THREADS * *ctas) as usize])?;
        let at = who.kernels.address() + symbols[kernel] - symbols["load"];
        let grid = Grid {
            local: 256,
            ..Grid::of(*ctas, THREADS)
        };
        let grid = grid
            .with_arguments(who.arguments.address())
            .with_scratchpad(SCRATCHPAD);
        gpu.launch(who.stream, at, &grid)
    }
}

/// How often a kernel has reached for what it must not reach, and has been told.
pub fn are_kept_apart<D: Device>(device: D) -> Result<u32, String> {
    let said = |e: Error| e.to_string();
    let settings = Settings {
        limit: Some(400_000),
        domains: 2,
        ..Settings::default()
    };
    let program = weft_isa::assemble(SOURCE, "domains.s").map_err(|e| e.to_string())?;
    let code = program.segments[0].bytes.clone();
    let ctas = device.size().sms as u32;
    let gpu = Gpu::open_with(device, settings).map_err(said)?;
    let symbols = program.symbols;
    let mut world = World { gpu, ctas, symbols };
    let common = world.gpu.allocate(64).map_err(said)?.address();
    let (a, b) = (
        world.tenant(&code).map_err(said)?,
        world.tenant(&code).map_err(said)?,
    );
    if !matches!(world.gpu.domain(64), Err(Error::NoDomain(2))) || a.domain == b.domain {
        return Err("a third domain".into());
    }
    let mut told = 0;
    for (who, other) in [(&a, &b), (&b, &a)] {
        told += reaches(&mut world, who, other, common)?;
    }
    leaves_nothing(&mut world, &a, &b)?;
    Ok(told)
}

/// One of them reaches for memory inside and outside of its window, while the other one works.
fn reaches<D: Device>(
    world: &mut World<D>,
    who: &Tenant,
    other: &Tenant,
    common: u32,
) -> Result<u32, String> {
    let said = |e: Error| e.to_string();
    let (begin, end) = who.window;
    // Its own first and last word are its own.
    let first = world.run(who, "load", begin).map_err(said)?;
    let last = world.run(who, "store", end - 4).map_err(said)?;
    if first.contains(&0) || last.iter().any(|word| *word != 0x0bad) {
        return Err(format!("in its own window: {first:x?}, {last:x?}"));
    }
    let targets = [
        begin - 4,
        end,
        other.data.address(),
        other.data.address() + 4 * (WORDS - 1),
        other.kernels.address(),
        common,
        0xFFC,
    ];
    let mut told = 0;
    for target in targets {
        for kernel in ["load", "store", "amo", "jump"] {
            let wrong = |what: String| format!("{kernel} at {target:#x}: {what}");
            world.launch(other, "good", 0).map_err(said)?;
            let outcome = world.run(who, kernel, target);
            let address = match &outcome {
                Err(Error::Fault(fault)) => match fault.cause {
                    FaultCause::Unmapped { address } if kernel != "jump" => Some(address),
                    FaultCause::Fetch { address } if kernel == "jump" => Some(address),
                    _ => None,
                },
                _ => None,
            };
            if address != Some(target) {
                return Err(wrong(format!("{outcome:?}")));
            }
            told += 1;
            let World { gpu, ctas, .. } = &mut *world;
            let threads = THREADS * *ctas;
            gpu.wait(gpu.record(other.stream)).map_err(said)?;
            let results = gpu.read_words(other.results, 0, threads).map_err(said)?;
            let data = gpu.read_words(other.data, 0, WORDS).map_err(said)?;
            let right = (0..threads).all(|n| results[n as usize] == 3 * n + 7);
            if !right || data != [0x600d_600d; WORDS as usize] {
                return Err(wrong(format!("the other one has {results:x?}, {data:x?}")));
            }
        }
    }
    Ok(told)
}

/// What one has left in its stacks and in the scratchpad the other one does not find.
fn leaves_nothing<D: Device>(
    world: &mut World<D>,
    who: &Tenant,
    other: &Tenant,
) -> Result<(), String> {
    let said = |e: Error| e.to_string();
    let turns = [(who, other), (other, who), (who, other)];
    for ((who, other), secret) in turns.into_iter().zip(0x5ec2_0001..) {
        world.run(who, "leaves", secret).map_err(said)?;
        let seen = world.run(other, "looks", secret).map_err(said)?;
        if seen.iter().any(|found| *found != 0) {
            return Err(format!("left by another domain: {secret:#x}"));
        }
    }
    Ok(())
}
