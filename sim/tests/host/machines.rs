//! A GPU whose CTAs are run by golden machines.

use weft_sim::host::descriptor::{state, word};
use weft_sim::host::front::command::{self, header};
use weft_sim::host::gpu::{Cause, Pause};
use weft_sim::host::registers::at;
use weft_sim::host::{Descriptor, Gpu, Queue, Size};
use weft_sim::FaultCause;

const MEMORY: u32 = 0x4_0000;
const DATA: u32 = 0x1_0000;

/// A GPU with a program, and channel 0 enabled.
fn gpu(source: &str, size: Size) -> (Gpu, u32) {
    let program = weft_isa::assemble(source, "test.s").unwrap_or_else(|e| panic!("{e:?}"));
    let mut gpu = Gpu::new(size, MEMORY);
    gpu.set_quantum(7);
    for segment in &program.segments {
        gpu.memory
            .write_bytes(segment.address, &segment.bytes)
            .unwrap();
    }
    gpu.write(at::THREAD_END, 0x3_0000);
    for sm in 0..size.sms {
        gpu.write(at::sm(sm, at::LOCAL_LIMIT), 0x1000);
    }
    let set = [
        (at::BASE, 0x3_0000),
        (at::NUMBER, 16),
        (at::CONTROL, at::ENABLE),
    ];
    for (offset, value) in set {
        gpu.write(at::channel(0, offset), value);
    }
    (gpu, program.entry)
}

fn words(gpu: &Gpu, address: u32, count: u32) -> Vec<u32> {
    (0..count)
        .map(|n| gpu.memory.read_u32(address + 4 * n).unwrap())
        .collect()
}

/// Launches, runs to the end, and gives the state of the task.
fn launch(gpu: &mut Gpu, descriptor: &Descriptor) -> u32 {
    let (task, block) = (0x2_f000, 0x3_1000);
    gpu.memory.write_bytes(task, &descriptor.bytes()).unwrap();
    let command = [header(command::LAUNCH, 0), task]
        .map(u32::to_le_bytes)
        .concat();
    gpu.memory.write_bytes(block, &command).unwrap();
    let put = gpu.read(at::channel(0, at::GP_PUT));
    let entry = [block, 2].map(u32::to_le_bytes).concat();
    gpu.memory.write_bytes(0x3_0000 + 8 * put, &entry).unwrap();
    gpu.write(at::channel(0, at::GP_PUT), put + 1);
    assert_eq!(gpu.run(Some(10_000_000), |_| false, |_| ()), Pause::Quiet);
    assert_eq!(gpu.read(at::channel(0, at::ERROR)), 0);
    gpu.memory.read_u32(task + 4 * word::STATE).unwrap()
}

fn size(sms: usize) -> Size {
    Size {
        sms,
        warps: 4,
        threads: 8,
        ..Size::default()
    }
}

#[test]
fn every_thread_of_a_grid_writes_its_own_place() {
    // a2: the array. Word wtid = x, y, z of the CTA, and its size.
    let source = "_start:
        csrr t0, 0xCC0\n slli t0, t0, 2\n add t0, t0, a2
        csrr t1, 0xCF0\n csrr t2, 0xCF1\n csrr t3, 0xCF2\n csrr t4, 0xCCA
        slli t2, t2, 8\n slli t3, t3, 16\n slli t4, t4, 24
        or t1, t1, t2\n or t1, t1, t3\n or t1, t1, t4\n sw t1, 0(t0)\n ecall";
    for sms in 1..=8 {
        let (mut gpu, pc) = gpu(source, size(sms));
        let descriptor = Descriptor {
            pc,
            grid: [3, 2, 4],
            cta: [5, 3, 1],
            arguments: DATA,
            ..Descriptor::default()
        };
        assert_eq!(launch(&mut gpu, &descriptor), state::FREE);
        let found = words(&gpu, DATA, 24 * 15 + 1);
        for (n, word) in found[..360].iter().enumerate() {
            let cta = n as u32 / 15;
            let place = (cta % 3) | ((cta / 3 % 2) << 8) | (cta / 6) << 16;
            assert_eq!(*word, 15 << 24 | place, "thread {n} on {sms} SMs");
        }
        assert_eq!(found[360], 0);
        assert_eq!(gpu.read(at::CTAS_DONE), 24);
    }
}

#[test]
fn ctas_that_run_at_once_share_memory_but_no_reservations() {
    // Each thread adds 1 a hundred times with LR and SC, which only works if another CTA's store ends the reservation.
    let source = "_start:
        li t2, 100
        again: lr.w t0, (a2)\n addi t0, t0, 1\n sc.w t1, t0, (a2)\n bnez t1, again
        addi t2, t2, -1\n bnez t2, again\n ecall";
    let (mut gpu, pc) = gpu(source, size(4));
    gpu.set_quantum(1);
    let descriptor = Descriptor {
        pc,
        grid: [8, 1, 1],
        arguments: DATA,
        ..Descriptor::default()
    };
    assert_eq!(launch(&mut gpu, &descriptor), state::FREE);
    assert_eq!(words(&gpu, DATA, 1), [800]);
}

/// TASK-015.
#[test]
fn a_cta_of_a_queue_reads_its_position_and_adds_work() {
    // Entry n > 0 makes an entry n - 1, and adds 1 at DATA + 4 n. One thread per CTA, so PUT needs no order.
    let source = "_start:
        csrr t0, 0xCF0\n andi t0, t0, 7\n slli t0, t0, 2\n li t1, 0x11000\n add t1, t1, t0
        lw t2, 0(t1)\n slli t3, t2, 2\n add t3, t3, a2\n li t4, 1\n amoadd.w zero, t4, (t3)
        beqz t2, done
        addi t2, t2, -1\n li t5, 0x2f054\n lw t6, 0(t5)\n andi a0, t6, 7\n slli a0, a0, 2
        li t1, 0x11000\n add t1, t1, a0\n sw t2, 0(t1)\n fence\n addi t6, t6, 1\n sw t6, 0(t5)
        done: csrr t0, 0xCF1\n csrr t1, 0xCF4\n sub t0, t1, t0\n sw t0, 256(a2)\n ecall";
    let (mut gpu, pc) = gpu(source, size(1));
    gpu.memory
        .write_bytes(0x1_1000, &20u32.to_le_bytes())
        .unwrap();
    let descriptor = Descriptor {
        pc,
        grid: [0; 3],
        arguments: DATA,
        queue: Some(Queue {
            ring: 0x1_1000,
            entry: 4,
            entries: 8,
            each: 1,
            put: 1,
            ..Queue::default()
        }),
        ..Descriptor::default()
    };
    assert_eq!(launch(&mut gpu, &descriptor), state::FREE);
    assert_eq!(words(&gpu, DATA, 22), [vec![1; 21], vec![0]].concat());
    assert_eq!(words(&gpu, DATA + 256, 1), [7]);
    assert_eq!(gpu.read(at::CTAS), 21);
}

/// HOST-001, QUEUE-050.
#[test]
fn threads_reach_nothing_beyond_their_memory() {
    // Registers of the port are no addresses; private memory is unmapped.
    for address in [0x100, 0x3_0000, 0x3_1000, MEMORY - 4] {
        let source = format!("_start: li t0, {address}\n sw a1, 0(t0)\n ecall");
        let (mut gpu, pc) = gpu(&source, size(1));
        let descriptor = Descriptor {
            pc,
            grid: [2, 1, 1],
            ..Descriptor::default()
        };
        assert_eq!(launch(&mut gpu, &descriptor), state::FAILED);
        assert_eq!(gpu.read(at::FAULT) & 0x8000_000f, 1 << 31 | 6);
        assert_eq!(gpu.read(at::FAULT_ADDRESS), address);
        let Cause::Faults(faults) = &gpu.failures()[0].cause else {
            panic!("no fault");
        };
        assert_eq!(faults[0].cause, FaultCause::Unmapped { address });
        assert_eq!(gpu.failures().len(), 2, "the other CTA has run");
    }
}

#[test]
fn a_cta_that_hangs_at_a_barrier_is_reported() {
    let source = "_start: bnez a0, away\n bar.top 0, x0\n away: li t0, 2\n bar.top 1, t0\n ecall";
    let (mut gpu, pc) = gpu(source, size(1));
    let descriptor = Descriptor {
        pc,
        cta: [2, 1, 1],
        ..Descriptor::default()
    };
    assert_eq!(launch(&mut gpu, &descriptor), state::FAILED);
    assert!(matches!(gpu.failures()[0].cause, Cause::Hung(_)));
}
