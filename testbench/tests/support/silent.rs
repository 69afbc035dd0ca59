//! A memory that falls silent at any time of some launches: the host is told, each of its accesses is answered, and behind a
//! reset all is well (GPU-060 to GPU-062).

use weft_driver::{Device, Error, Gpu, Grid, Settings};
use weft_sim::host::registers::at;
use weft_sim::host::Size;
use weft_testbench::gpu::{GpuOptions, VerilatedGpu};

const SOURCE: &str = "
_start: lw t0, 0(a2)
        slli t1, a0, 2
        add t0, t0, t1
        lw t2, 0(t0)
        addi t2, t2, 3
        sw t2, 0(t0)
        amoadd.w t3, t2, (t0)
        ecall
";
const THREADS: u32 = 13;
/// Cycles that the memory may be silent.
const PATIENCE: u32 = 150;
/// Cycles that an access of the host may take beside.
const ACCESS: u64 = 100;

/// Three launches, of a CTA for each SM and three more, on a device as it comes behind a reset; the memory falls silent after so many cycles.
fn launch(device: &mut VerilatedGpu, silent_after: Option<u64>) -> Result<Vec<u32>, String> {
    let said = |e: Error| e.to_string();
    let ctas = 3 + device.size().sms as u32;
    let mut gpu = Gpu::open_with(&mut *device, Settings::default()).map_err(said)?;
    gpu.device().set(at::MEMORY_TIMEOUT, PATIENCE);
    let program = weft_isa::assemble(SOURCE, "silent.s").map_err(|e| e.to_string())?;
    let module = gpu.load_program(&program).map_err(said)?;
    let arguments = gpu.allocate(4).map_err(said)?;
    let results = gpu.allocate(4 * ctas * THREADS).map_err(said)?;
    gpu.write_words(arguments, 0, &[results.address()])
        .map_err(said)?;
    let streams = [gpu.stream(), gpu.stream(), gpu.stream()];
    let grid = Grid::of(ctas, THREADS).with_arguments(arguments.address());
    for stream in streams {
        gpu.launch(stream.map_err(said)?, module.entry(), &grid)
            .map_err(said)?;
    }
    if let Some(cycles) = silent_after {
        for _ in 0..cycles {
            gpu.device().cycle()?;
        }
        gpu.device().memory_falls_silent();
        return Ok(Vec::new());
    }
    gpu.synchronize().map_err(said)?;
    gpu.read_words(results, 0, ctas * THREADS).map_err(said)
}

/// An access, and that it does not take longer than it may.
fn within<T>(
    device: &mut VerilatedGpu,
    access: impl FnOnce(&mut VerilatedGpu) -> Result<T, String>,
) -> Result<T, String> {
    let begin = Device::cycles(device).unwrap_or_default();
    let result = access(device)?;
    let took = Device::cycles(device).unwrap_or_default() - begin;
    match took <= u64::from(PATIENCE) + ACCESS {
        true => Ok(result),
        false => Err(format!("an access took {took} cycles")),
    }
}

/// At so many moments, of which each is `stride` cycles behind the one before; how many of them found something under way.
pub fn is_told(size: Size, moments: u64, stride: u64, fault: Option<&str>) -> Result<u32, String> {
    let options = GpuOptions::default();
    let mut device = VerilatedGpu::open_copy(size, &options, fault).map_err(|e| e.to_string())?;
    let right = launch(&mut device, None)?;
    if right[0] == 0 || right.iter().any(|word| *word != right[0]) {
        return Err(format!("{right:?}"));
    }
    let mut told = 0;
    for moment in 0..moments {
        device.reset(1);
        let wrong = |what: &str| format!("silent after {} cycles: {what}", moment * stride);
        launch(&mut device, Some(moment * stride))?;
        // All channels are written, so that at least one waits for a step.
        for channel in 0..size.channels {
            let control = at::channel(channel, at::CONTROL);
            within(&mut device, |device| device.set(control, at::ENABLE))?;
        }
        for _ in 0..2 * PATIENCE {
            device.cycle()?;
        }
        let status = within(&mut device, |device| device.get(at::STATUS))?;
        let interrupt = within(&mut device, |device| device.get(at::INTERRUPT))?;
        let lost = status & at::STATUS_MEMORY != 0;
        if lost != (interrupt & at::INTERRUPT_MEMORY != 0) {
            return Err(wrong(&format!(
                "STATUS {status:#x}, INTERRUPT {interrupt:#x}"
            )));
        }
        // Lost or not, nothing is under way any more.
        if status & 1 != 0 {
            return Err(wrong(&format!("it is not idle: STATUS {status:#x}")));
        }
        told += u32::from(lost);
        device.reset(1);
        if device.get(at::STATUS)? & at::STATUS_MEMORY != 0 || launch(&mut device, None)? != right {
            return Err(wrong("it is not as before behind a reset"));
        }
    }
    Ok(told)
}
