//! Random mixes: one stream whose kernels forge, reach out, loop, fault and flood, in a domain of its own, beside three whose
//! results must stay right (docs/kernel.md).

use rand::seq::SliceRandom as _;
use rand::Rng as _;
use std::collections::BTreeMap;
use weft_driver::{Buffer, Device, Domain, Error, Gpu, Grid, Settings, Stream};
use weft_testbench::seed::{stream, Rng};

/// Arguments of all: an address, results, a number.
const SOURCE: &str = "
good:   lw t0, 4(a2)
        lw t2, 8(a2)
        slli t1, a0, 2
        add t0, t0, t1
        add t3, a0, t2
        mul t3, t3, t3
        bar.sync 0
        sw t3, 0(t0)
        ecall

        # Each adds to a word, by LR and SC.
counts: lw t0, 4(a2)
        addi t0, t0, 4
take:   lr.w t1, (t0)
        addi t1, t1, 1
        sc.w t2, t1, (t0)
        bnez t2, take
        ecall

        # Writes, reads and jumps where the argument says, and then on.
writes: lw t0, 0(a2)
        slli t1, a0, 2
        add t0, t0, t1
wmore:  sw t0, 0(t0)
        addi t0, t0, 64
        j wmore

reads:  lw t0, 0(a2)
        lw t1, 0(t0)
        jr t1

jumps:  lw t0, 0(a2)
        jr t0

locks:  lw t0, 0(a2)
        amoadd.w t1, t0, (t0)
        lr.w t1, (t0)
        sc.w t1, t0, (t0)
        ecall

loops:  j loops

never:  csrr t0, 0xCC8
        beqz t0, never
        bar.sync 0
        ecall

        # Words of a descriptor all over its window.
forges: lw t0, 4(a2)
        li t1, 0x57000001
        li t2, 0
fmore:  add t3, t0, t2
        sw t1, 0(t3)
        addi t2, t2, 64
        li t4, 1024
        blt t2, t4, fmore
        ecall

deep:   addi sp, sp, -64
        sw a0, 0(sp)
        j deep

illegal: .word 0
";

const HOSTILE: [&str; 10] = [
    "writes", "reads", "jumps", "locks", "loops", "never", "forges", "deep", "illegal", "loops",
];
const THREADS: u32 = 7;
const CTAS: u32 = 3;

struct Tenant {
    code: u32,
    window: (u32, u32),
    arguments: Buffer,
    results: Buffer,
    stream: Stream,
}

struct Mix<'a, D> {
    gpu: Gpu<D>,
    symbols: &'a BTreeMap<String, u32>,
    rng: Rng,
}

impl<D: Device> Mix<'_, D> {
    fn tenant(&mut self, code: &[u8]) -> Result<Tenant, Error> {
        let gpu = &mut self.gpu;
        let domain = gpu.domain(8192)?;
        gpu.enter(domain);
        let kernels = gpu.allocate(code.len() as u32)?;
        gpu.copy_in(kernels, 0, code)?;
        let arguments = gpu.allocate(12)?;
        let results = gpu.allocate(4096)?;
        gpu.enter(Domain::COMMON);
        let begin = kernels.address();
        Ok(Tenant {
            code: begin,
            window: (begin, begin + 8192),
            arguments,
            results,
            stream: gpu.stream()?,
        })
    }

    fn launch(
        &mut self,
        who: &Tenant,
        kernel: &str,
        address: u32,
        number: u32,
    ) -> Result<(), Error> {
        let words = [address, who.results.address(), number];
        self.gpu.write_words(who.arguments, 0, &words)?;
        let at = who.code + self.symbols[kernel] - self.symbols["good"];
        let grid = Grid {
            local: 256,
            level: self.rng.gen_range(0..16),
            ..Grid::of(CTAS, THREADS)
        };
        let grid = grid.with_arguments(who.arguments.address());
        let scratchpad = *[0, 256, 4096].choose(&mut self.rng).expect("some");
        self.gpu
            .launch(who.stream, at, &grid.with_scratchpad(scratchpad))
    }
}

/// What of the hostile ones was told, by mix: so many of each kind.
pub fn go_on<D: Device>(
    seed: u64,
    mixes: std::ops::Range<u64>,
    mut device: impl FnMut() -> Result<D, String>,
) -> Result<BTreeMap<String, u32>, String> {
    let program = weft_isa::assemble(SOURCE, "mixes.s").map_err(|e| e.to_string())?;
    let code = program.segments[0].bytes.clone();
    let mut told = BTreeMap::new();
    for number in mixes {
        let rng = stream(seed.wrapping_mul(1_000_003).wrapping_add(number), "mixes");
        mix(device()?, rng, (&program.symbols, &code), &mut told)
            .map_err(|e| format!("MIX_SEED={seed} MIX_FIRST={number} MIXES=1: {e}"))?;
    }
    Ok(told)
}

fn mix<D: Device>(
    device: D,
    rng: Rng,
    (symbols, code): (&BTreeMap<String, u32>, &[u8]),
    told: &mut BTreeMap<String, u32>,
) -> Result<(), String> {
    let said = |e: Error| e.to_string();
    let settings = Settings {
        limit: Some(2_000_000),
        domains: 4,
        ..Settings::default()
    };
    let gpu = Gpu::open_with(device, settings).map_err(said)?;
    let mut mix = Mix { gpu, symbols, rng };
    let hostile = mix.tenant(code).map_err(said)?;
    let mut good = Vec::new();
    for _ in 0..3 {
        good.push(mix.tenant(code).map_err(said)?);
    }
    mix.gpu.limit_all(4_000);
    let rounds = mix.rng.gen_range(1..4);
    for round in 0..rounds {
        let kernel = *HOSTILE.choose(&mut mix.rng).expect("some");
        let victim = good.choose(&mut mix.rng).expect("three");
        let others = [
            victim.code,
            victim.results.address(),
            victim.arguments.address(),
            hostile.window.0 - 4,
            hostile.window.1,
            hostile.window.1 - 64,
            0,
            0xC000_0000,
            0xFFFF_FFFC,
        ];
        let address = match mix.rng.gen_range(0..10) {
            0 => mix.rng.gen(),
            _ => *others.choose(&mut mix.rng).expect("some"),
        };
        let first = mix.rng.gen_range(0..4);
        let kinds: [&str; 3] =
            std::array::from_fn(|_| if mix.rng.gen() { "good" } else { "counts" });
        for n in 0..4 {
            if n == first {
                mix.launch(&hostile, kernel, address, 0).map_err(said)?;
            }
            if let (Some(who), Some(kind)) = (good.get(n), kinds.get(n)) {
                if *kind == "counts" {
                    mix.gpu.write_words(who.results, 0, &[0; 2]).map_err(said)?;
                }
                mix.launch(who, kind, 0, round).map_err(said)?;
            }
        }
        let outcome = mix.gpu.wait(mix.gpu.record(hostile.stream));
        let kind = match &outcome {
            Ok(()) => "goes well",
            Err(Error::Fault(_)) => "fault",
            Err(Error::TimeLimit { .. }) => "time limit",
            Err(Error::Failed { .. }) => "failed",
            Err(Error::Hung(_)) => "hung",
            Err(other) => return Err(format!("{kernel} at {address:#x}: {other}")),
        };
        *told.entry(format!("{kernel}: {kind}")).or_default() += 1;
        for (n, who) in good.iter().enumerate() {
            let wrong = |what: String| format!("{kernel} at {address:#x}: stream {n}: {what}");
            let event = mix.gpu.record(who.stream);
            mix.gpu.wait(event).map_err(|e| wrong(e.to_string()))?;
            let all = CTAS * THREADS;
            let words = mix.gpu.read_words(who.results, 0, all).map_err(said)?;
            let right = match kinds[n] {
                "good" => (0..all).all(|i| words[i as usize] == (i + round) * (i + round)),
                _ => words[..2] == [0, all],
            };
            if !right {
                return Err(wrong(format!("{} has {words:x?}", kinds[n])));
            }
        }
    }
    mix.gpu.synchronize().map_err(said)
}
