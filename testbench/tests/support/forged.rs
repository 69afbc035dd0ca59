//! Threads that write over a task that waits, and launch what lies in their local memory (TASK-012, TASK-022, TASK-025):
//! on the golden GPU and on the hardware the memory of the host stays as it is, and what another channel has launched runs.

use super::{program, task, ARGUMENTS};
use weft_sim::host::descriptor::word;
use weft_sim::host::front::command::{self, header};
use weft_sim::host::registers::at;
use weft_sim::host::{Descriptor, Gpu};
use weft_testbench::gpu::program::{prepared, HostProgram, LOCAL, SPAWN, SPAWN_WORDS, TICKET};
use weft_testbench::gpu::{GpuOptions, VerilatedGpu};

/// Five tasks that the threads launch, of which the last two wait, as the slots are full.
const CHILDREN: u32 = 0x1_c000;
const LAST: u32 = CHILDREN + 4 * 128;
/// Private: ring and block of the other channel, its task, its semaphore, and what nobody may write.
const RING: u32 = 0x2_8000;
const BLOCK: u32 = 0x2_8040;
const TASK: u32 = 0x2_8080;
const SEMAPHORE: u32 = 0x2_8100;
const VICTIM: u32 = 0x2_8140;
/// The other channel.
const CHANNEL: usize = 1;

/// Arguments: 1 how many threads have written their local memory, 2 all children are launched, 3 go on, 4 and 5 what is
/// forged, 6 how many children have run, 16 … 47 a descriptor. Its words go to the first two words of local memory of the
/// sixteen threads, where they stand side by side (MEM-001). Thread 0 launches, and forges when the host says so.
const FORGES: &str = "
_start: slli t0, a0, 2
        add t0, t0, a2
        lw t1, 64(t0)
        lw t2, 128(t0)
        li t3, 0xC0000000
        sw t1, 0(t3)
        sw t2, 4(t3)
        fence
        li t4, 1
        addi t5, a2, 4
        amoadd.w x0, t4, (t5)
        bnez a0, end
        li t3, 16
all:    amoadd.w t6, x0, (t5)
        bne t6, t3, all
        li t3, FIRST
        li t0, RING
        li t2, TICKET
more:   fence
        amoadd.w t5, t4, (t2)
        andi t5, t5, MASK
        slli t5, t5, 2
        add t5, t5, t0
wait:   lr.w t6, (t5)
        bnez t6, wait
        sc.w t6, t3, (t5)
        bnez t6, wait
        mv t1, t3
        addi t3, t3, 128
        li t6, LAST
        bne t1, t6, more
        addi t5, t1, 100
waits:  amoadd.w t6, x0, (t5)
        bne t6, t4, waits
        addi t5, a2, 8
        amoadd.w x0, t4, (t5)
        addi t5, a2, 12
flag:   amoadd.w t6, x0, (t5)
        beqz t6, flag
        lw t1, 16(a2)
        lw t2, 20(a2)
        sw t2, 0(t1)
        fence
end:    ecall
child:  li t0, 1
        addi t1, a2, 24
        amoadd.w x0, t0, (t1)
        ecall
";

/// Either GPU.
enum Engine {
    Golden(Box<Gpu>),
    Hardware(Box<VerilatedGpu>),
}
use Engine::*;

impl Engine {
    fn set(&mut self, register: u32, value: u32) -> Result<(), String> {
        match self {
            Golden(gpu) => gpu.write(register, value),
            Hardware(gpu) => gpu.set(register, value)?,
        }
        Ok(())
    }

    fn get(&mut self, register: u32) -> Result<u32, String> {
        match self {
            Golden(gpu) => Ok(gpu.read(register)),
            Hardware(gpu) => gpu.get(register),
        }
    }

    fn word(&self, at: u32) -> u32 {
        match self {
            Golden(gpu) => gpu.memory.read_u32(at).expect("there is memory"),
            Hardware(gpu) => gpu.word(at),
        }
    }

    fn put(&mut self, at: u32, words: &[u32]) {
        match self {
            Golden(gpu) => {
                let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
                let written = gpu.memory.write_bytes(at, &bytes);
                written.expect("there is memory");
            }
            Hardware(gpu) => {
                gpu.write_words(at, words);
            }
        }
    }

    fn until(
        &mut self,
        what: &str,
        is: impl Fn(&mut Engine) -> Result<bool, String>,
    ) -> Result<(), String> {
        for _ in 0..100_000 {
            if is(self)? {
                return Ok(());
            }
            match self {
                Golden(gpu) => drop(gpu.turn(&mut |_| ())),
                Hardware(gpu) => gpu.cycle()?,
            }
        }
        Err(format!("never {what}"))
    }
}

/// What is written where.
pub const FORGED: [(u32, u32); 8] = [
    (LAST + 4 * 24, LOCAL),
    (LAST + 4 * 24, 0),
    (LAST - 128 + 4 * 24, LOCAL),
    (LAST - 128 + 4 * 24, 0),
    (LAST + 4 * word::COMPLETION, VICTIM),
    (LAST + 4 * word::DEPENDENT, LOCAL),
    (LAST + 4 * word::STATE, 0),
    (SPAWN + 4 * 5, LOCAL),
];

fn host((place, value): (u32, u32)) -> HostProgram {
    let source = FORGES
        .replace("FIRST", &CHILDREN.to_string())
        .replace("LAST", &LAST.to_string())
        .replace("RING", &SPAWN.to_string())
        .replace("TICKET", &TICKET.to_string())
        .replace("MASK", &(SPAWN_WORDS - 1).to_string());
    let host = program(&source);
    let (pc, child) = (host.kernel("_start"), host.kernel("child"));
    let child = task(child, 1, 1, ARGUMENTS);
    let forged = Descriptor {
        completion: VICTIM,
        value: 0x4141_4141,
        ..child
    };
    let mut words = forged.words();
    words[word::STATE as usize] = 1;
    let of_host = Descriptor {
        completion: SEMAPHORE,
        value: 7,
        ..child
    };
    let mut host = host
        .with_words(ARGUMENTS + 16, vec![place, value])
        .with_words(ARGUMENTS + 64, words.to_vec())
        .with_words(RING, vec![BLOCK, 2])
        .with_words(BLOCK, vec![header(command::LAUNCH, 0), TASK])
        .with_words(TASK, of_host.words().to_vec());
    for at in (CHILDREN..=LAST).step_by(128) {
        host = host.with_task(at, &child);
    }
    host.launch_only(&task(pc, 1, 16, ARGUMENTS))
}

/// What is wrong with one of [`FORGED`].
fn forges(engine: &mut Engine, forged: (u32, u32)) -> Result<(), String> {
    for (offset, value) in [(at::BASE, RING), (at::NUMBER, 2), (at::CONTROL, at::ENABLE)] {
        engine.set(at::channel(CHANNEL, offset), value)?;
    }
    engine.set(at::channel(0, at::GP_PUT), 1)?;
    engine.until("all are launched", |e| Ok(e.word(ARGUMENTS + 8) == 1))?;
    engine.set(at::channel(CHANNEL, at::GP_PUT), 1)?;
    engine.until("the other one waits, too", |e| {
        Ok(e.word(TASK + 4 * word::STATE) == 1)
    })?;
    engine.put(ARGUMENTS + 12, &[1]);
    // Idle, behind the last of them.
    engine.until("idle", |e| Ok(e.get(at::STATUS)? & 1 == 0))?;
    // Out of reach, and nobody has taken a ticket for it.
    let errors = if forged.0 > LAST + 128 { 2 } else { 0 };
    for (what, is, wanted) in [
        ("the victim", engine.word(VICTIM), 0),
        ("the other channel's semaphore", engine.word(SEMAPHORE), 7),
        ("children that have run", engine.word(ARGUMENTS + 24), 6),
        ("TASK_ERRORS", engine.get(at::TASK_ERRORS)?, errors),
    ] {
        if is != wanted {
            return Err(format!("{what}: {is:#x}, not {wanted:#x}"));
        }
    }
    Ok(())
}

/// All of [`FORGED`] on both.
pub fn harms_nobody() -> Result<(), String> {
    for forged in FORGED {
        let host = host(forged);
        let (gpu, _) = prepared(&host, &GpuOptions::default(), None)?;
        for mut engine in [
            Golden(Box::new(host.golden_ready()?)),
            Hardware(Box::new(gpu)),
        ] {
            let name = if matches!(engine, Golden(_)) {
                "golden"
            } else {
                "hardware"
            };
            forges(&mut engine, forged).map_err(|e| format!("{name}, {forged:x?}: {e}"))?;
        }
    }
    Ok(())
}
