//! Platform and device: one of each in a process.
//!
//! The GPU belongs to one thread, the worker, which does what comes to it in turn (`docs/opencl.md`, *Commands*).

mod console;
mod info;
pub mod machine;
pub mod model;
mod worker;

pub use info::{info, platform_info};
pub use machine::Machine;
pub use model::Model;
pub use weft_driver::arena::{Allocation, Arena, ALIGNMENT};

use crate::code::{Code, Outcome};
use crate::object::{self, kind, Ref};
use opencl_sys::{CL_DEVICE_NOT_AVAILABLE, CL_INVALID_DEVICE, CL_INVALID_PLATFORM};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};
use worker::Worker;

/// Of a cycle, at [`MEGAHERTZ`].
pub const NANOSECONDS: u64 = 1000 / MEGAHERTZ as u64;
/// What the clock is said to be: about what the hardware reaches on an FPGA.
pub const MEGAHERTZ: u32 = 50;

pub struct Platform;
kind!(Platform, CL_INVALID_PLATFORM);

pub struct Device {
    pub model: Model,
    worker: Mutex<Option<Worker>>,
    arena: OnceLock<Arena>,
    /// Nanoseconds, as the worker has told them last.
    clock: AtomicU64,
}
kind!(Device, CL_INVALID_DEVICE);

/// The platform.
pub fn platform() -> &'static Ref<Platform> {
    static PLATFORM: OnceLock<Ref<Platform>> = OnceLock::new();
    PLATFORM.get_or_init(|| object::make(Platform))
}

/// The device; none if the environment names no good one.
pub fn device() -> Option<&'static Ref<Device>> {
    static DEVICE: OnceLock<Option<Ref<Device>>> = OnceLock::new();
    let device = DEVICE.get_or_init(|| match Model::of_environment() {
        Ok(model) => Some(object::make(Device {
            model,
            worker: Mutex::new(None),
            arena: OnceLock::new(),
            clock: AtomicU64::new(0),
        })),
        Err(text) => {
            eprintln!("weft: {text}");
            None
        }
    });
    device.as_ref()
}

impl Device {
    /// Opens the GPU unless it is open.
    ///
    /// # Errors
    /// It cannot be made; why is said on standard error.
    pub fn open(&self) -> Outcome {
        let mut worker = object::lock(&self.worker);
        if worker.is_none() {
            let (new, room) = Worker::start(&self.model).map_err(|text| {
                eprintln!("weft: {}: {text}", self.model.name());
                Code(CL_DEVICE_NOT_AVAILABLE)
            })?;
            self.arena.get_or_init(|| Arena::new(room));
            *worker = Some(new);
        }
        Ok(())
    }

    /// Memory for buffers.
    ///
    /// # Panics
    /// The device is not open; contexts open it.
    pub fn arena(&self) -> &Arena {
        self.arena.get().expect("a context has opened the device")
    }

    /// The worker does this in its turn.
    pub fn submit(&self, work: impl FnOnce(&mut Machine) + Send + 'static) {
        let worker = object::lock(&self.worker);
        worker.as_ref().expect("a context has opened it").give(work);
    }

    /// The time that the worker has come to.
    pub fn now(&self) -> u64 {
        self.clock.load(Ordering::SeqCst)
    }

    /// The worker has come to this time.
    pub fn tell(&self, nanoseconds: u64) {
        self.clock.fetch_max(nanoseconds, Ordering::SeqCst);
    }
}
