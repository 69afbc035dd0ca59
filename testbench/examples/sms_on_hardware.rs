//! Kernels on `weft_gpu` with several SMs under Verilator, without and with an L2.
//!
//! `cargo run --release -p weft-testbench --example sms_on_hardware` shows a table; `SMS=1,2` and `L2=0,64` say with how
//! many SMs and KiB, and a file behind it, `docs/spec/l2.md`, gets the table between the lines `<!-- sms -->` and
//! `<!-- end of sms -->`. Each result is checked against plain Rust.
//! An SM has 4 warps of 4 threads on 4 lanes and a data cache of 4 KiB; the memory has 20 cycles and a beat of 8 bytes.

use weft_driver::{Buffer, Gpu, Grid};
use weft_isa::assemble;
use weft_sim::host::Size;
use weft_testbench::gpu::device::{Caches, TINY};
use weft_testbench::gpu::{GpuOptions, VerilatedGpu};

type Failure = Box<dyn std::error::Error>;

/// Threads of each kernel, in CTAs of sixteen.
const THREADS: u32 = 256;
/// Words of the data, and where the results begin.
const WORDS: u32 = 0x4000;
/// Rows of the matrices.
const N: u32 = 40;

/// a2: data, then results.
struct Kernel {
    name: &'static str,
    source: &'static str,
    /// Words behind the data, as they must be in the end, from data and what is there before.
    wanted: fn(&[u32], &[u32]) -> Vec<u32>,
}

/// Each thread reads a word of so many lines, and hardly ever one that its SM holds.
macro_rules! reads {
    ($number:literal) => {
        concat!(
            "
_start: li t0, ",
            $number,
            "
        slli t1, a0, 2
        add t1, t1, a0
        li t4, 0
again:  andi t2, t1, 1023
        slli t2, t2, 6
        add t2, t2, a2
        lw t3, (t2)
        add t4, t4, t3
        addi t1, t1, 33
        addi t0, t0, -1
        bnez t0, again
        slli t2, a0, 2
        add t2, t2, a2
        lui t3, 16
        add t2, t2, t3
        sw t4, (t2)
        ecall
"
        )
    };
}

fn sums(data: &[u32], reads: u32) -> Vec<u32> {
    let of = |t: u32| {
        let lines = (0..reads).map(|k| (5 * t + 33 * k) % 1024);
        lines.fold(0, |sum: u32, line| {
            sum.wrapping_add(data[16 * line as usize])
        })
    };
    (0..THREADS).map(of).collect()
}

const KERNELS: [Kernel; 6] = [
    Kernel {
        name: "arithmetic",
        source: "
_start: li t0, 300
        mv t1, a0
again:  mul t1, t1, a0
        addi t1, t1, 7
        addi t0, t0, -1
        bnez t0, again
        slli t2, a0, 2
        add t2, t2, a2
        lui t3, 16
        add t2, t2, t3
        sw t1, (t2)
        ecall
",
        wanted: |_, _| {
            let last = |t| (0..300).fold(t, |x: u32, _| x.wrapping_mul(t).wrapping_add(7));
            (0..THREADS).map(last).collect()
        },
    },
    Kernel {
        name: "8,192 reads of 1,024 lines",
        source: reads!(32),
        wanted: |data, _| sums(data, 32),
    },
    Kernel {
        name: "32,768 reads of 1,024 lines",
        source: reads!(128),
        wanted: |data, _| sums(data, 128),
    },
    Kernel {
        name: "product of matrices of 40",
        source: "
_start: mv t0, a0
next:   li t1, 1600
        bgeu t0, t1, end
        li t1, 40
        divu t2, t0, t1
        mul t3, t2, t1
        sub t3, t0, t3
        mul t2, t2, t1
        slli t2, t2, 2
        add t2, t2, a2
        slli t3, t3, 2
        add t3, t3, a2
        li t4, 6400
        add t3, t3, t4
        li t5, 0
again:  lw t4, (t2)
        lw t6, (t3)
        mul t4, t4, t6
        add t5, t5, t4
        addi t2, t2, 4
        addi t3, t3, 160
        addi t1, t1, -1
        bnez t1, again
        slli t2, t0, 2
        add t2, t2, a2
        lui t3, 16
        add t2, t2, t3
        sw t5, (t2)
        addi t0, t0, 256
        j next
end:    ecall
",
        wanted: |data, _| {
            let (n, size) = (N as usize, (N * N) as usize);
            let of = |at: usize| {
                let products =
                    (0..n).map(|k| data[at / n * n + k].wrapping_mul(data[size + k * n + at % n]));
                products.fold(0, u32::wrapping_add)
            };
            (0..size).map(of).collect()
        },
    },
    Kernel {
        name: "y := 3 x + y of 8,192 words",
        source: "
_start: slli t0, a0, 2
        add t0, t0, a2
        lui t1, 16
        add t1, t1, t0
        li t2, 32
again:  lw t3, (t0)
        lw t4, (t1)
        slli t5, t3, 1
        add t3, t3, t5
        add t4, t4, t3
        sw t4, (t1)
        addi t0, t0, 1024
        addi t1, t1, 1024
        addi t2, t2, -1
        bnez t2, again
        ecall
",
        wanted: |data, before| {
            let both = data.iter().zip(before).take(8192);
            both.map(|(x, y)| x.wrapping_mul(3).wrapping_add(*y))
                .collect()
        },
    },
    Kernel {
        name: "4,096 atomic additions to 16 words",
        source: "
_start: andi t0, a0, 15
        slli t0, t0, 6
        add t0, t0, a2
        lui t1, 16
        add t0, t0, t1
        li t2, 16
again:  amoadd.w x0, a0, (t0)
        addi t2, t2, -1
        bnez t2, again
        ecall
",
        wanted: |_, before| {
            let mut all = before[..256].to_vec();
            for t in 0..THREADS {
                let word = &mut all[16 * (t % 16) as usize];
                *word = word.wrapping_add(16 * t);
            }
            all
        },
    },
];

fn numbers(name: &str, usual: &str) -> Vec<u32> {
    let given = std::env::var(name).unwrap_or_else(|_| usual.into());
    let each = given.split(',').map(|n| n.parse());
    each.collect::<Result<_, _>>().expect(name)
}

/// Cycles, reads that the memory has answered, and the share of lines that the L2 has given.
struct Measured {
    cycles: u64,
    reads: u64,
    hits: Option<f64>,
}

fn run(kernel: &Kernel, sms: u32, l2: u32) -> Result<Measured, Failure> {
    let size = Size {
        sms: sms as usize,
        ..TINY
    };
    let caches = Caches {
        shared: l2,
        ..Caches::default()
    };
    let options = GpuOptions {
        caches,
        ..GpuOptions::default()
    };
    let device = VerilatedGpu::open_copy(size, &options, None)?;
    let mut gpu = Gpu::open(device)?;
    let program = assemble(kernel.source, kernel.name).map_err(|e| format!("{e:?}"))?;
    let module = gpu.load_program(&program)?;
    // Aligned to lines: what the driver has given is, and the data are whole lines.
    let buffer: Buffer = gpu.allocate(8 * WORDS)?;
    let mut x = 1u32;
    let mut next = || {
        x = x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        x >> 8
    };
    let words: Vec<u32> = (0..2 * WORDS).map(|_| next()).collect();
    gpu.write_words(buffer, 0, &words)?;
    let stream = gpu.stream()?;
    let (cycles, reads) = (gpu.device().cycles(), gpu.device().counts().reads);
    let grid = Grid::of(THREADS / 16, 16).with_arguments(buffer.address());
    gpu.launch(stream, module.entry(), &grid)?;
    gpu.synchronize()?;
    let cycles = gpu.device().cycles() - cycles;
    let reads = gpu.device().counts().reads - reads;
    let (data, before) = words.split_at(WORDS as usize);
    for (n, wanted) in (kernel.wanted)(data, before).into_iter().enumerate() {
        let came = gpu.device().word(buffer.address() + 4 * (WORDS + n as u32));
        if came != wanted {
            return Err(format!("{}: word {n} is {came:#x}, not {wanted:#x}", kernel.name).into());
        }
    }
    let hits = gpu.device().lines().hit_rate();
    Ok(Measured {
        cycles,
        reads,
        hits,
    })
}

fn table() -> Result<String, Failure> {
    let mut text = String::from(
        "| kernel | L2, KiB | SMs | cycles | times one SM | reads | hits |\n\
         | --- | --- | --- | --- | --- | --- | --- |\n",
    );
    for kernel in &KERNELS {
        let mut name = kernel.name;
        for l2 in numbers("L2", "0,64") {
            let mut one = None;
            let mut kib = l2.to_string();
            for sms in numbers("SMS", "1,2,4,8") {
                let Measured {
                    cycles,
                    reads,
                    hits,
                } = run(kernel, sms, l2)?;
                let one = *one.get_or_insert(cycles * u64::from(sms));
                let ratio = one as f64 / cycles as f64;
                let hits = hits.map_or("–".into(), |hits| format!("{:.0} %", 100.0 * hits));
                let (cycles, reads) = (grouped(cycles), grouped(reads));
                let line = format!(
                    "| {name} | {kib} | {sms} | {cycles} | {ratio:.2} | {reads} | {hits} |"
                );
                println!("{line}");
                text += &line.replace("|  |", "| |").replace("|  |", "| |");
                text.push('\n');
                // Once for all lines that follow.
                (name, kib) = ("", String::new());
            }
        }
    }
    Ok(text)
}

/// With a comma before each three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (n, digit) in digits.chars().enumerate() {
        if n > 0 && (digits.len() - n) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn main() -> Result<(), Failure> {
    let text = table()?;
    let Some(file) = std::env::args().nth(1) else {
        return Ok(());
    };
    let page = std::fs::read_to_string(&file)?;
    let (begin, end) = ("<!-- sms -->\n", "<!-- end of sms -->\n");
    let (before, rest) = page
        .split_once(begin)
        .ok_or(format!("{file}: no {begin}"))?;
    let (_, behind) = rest.split_once(end).ok_or(format!("{file}: no {end}"))?;
    std::fs::write(&file, format!("{before}{begin}{text}{end}{behind}"))?;
    Ok(())
}
