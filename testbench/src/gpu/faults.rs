//! Faults of threads on `weft_gpu`, as the FAULT registers tell them (TASK-063, TASK-064), beside those of the golden
//! GPU.

use super::host::Host;
use weft_sim::host::gpu::{Cause, Failure};
use weft_sim::host::registers::at;
use weft_sim::host::tasks::CtaFault;
use weft_sim::FaultCause;

/// What the registers say: the SM, the descriptor, the CTA's number, and whose fault of what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Told {
    pub sm: usize,
    pub task: u32,
    pub cta: u32,
    pub fault: CtaFault,
}

impl Told {
    /// Reads the registers, and clears them.
    pub fn take(gpu: &mut dyn Host) -> Result<Told, String> {
        let fault = gpu.get(at::FAULT)?;
        let told = Told {
            sm: (fault >> 24 & 7) as usize,
            task: gpu.get(at::FAULT_TASK)?,
            cta: gpu.get(at::FAULT_CTA)?,
            fault: CtaFault {
                warp: fault >> 16 & 0xff,
                thread: fault >> 8 & 0x3f,
                cause: (fault & 15) as u8,
                pc: gpu.get(at::FAULT_PC)?,
                address: gpu.get(at::FAULT_ADDRESS)?,
            },
        };
        gpu.set(at::FAULT, 0)?;
        Ok(told)
    }
}

/// Each that was told is one of those that the golden GPU has; which of several is told is open.
pub(super) fn compare(told: &[Told], golden: &[Failure]) -> Result<(), String> {
    for one in told {
        let failure = golden
            .iter()
            .find(|failure| (failure.task, failure.cta) == (one.task, one.cta));
        let failure = failure.ok_or_else(|| format!("{one:x?}: that CTA does not fail"))?;
        let faults: Vec<_> = match &failure.cause {
            Cause::Faults(faults) => faults.iter().map(CtaFault::from).collect(),
            // Any warp of it, wherever it was.
            Cause::Killed { .. } => vec![CtaFault {
                cause: FaultCause::Killed.code(),
                thread: 0,
                address: 0,
                ..one.fault
            }],
            Cause::Hung(_) => return Err(format!("golden: {failure:x?}")),
        };
        if !faults.contains(&one.fault) {
            return Err(format!("{one:x?} is none of {faults:x?}"));
        }
    }
    match told.is_empty() == golden.is_empty() {
        true => Ok(()),
        false => Err(format!("{} CTAs fail, told is {told:x?}", golden.len())),
    }
}
