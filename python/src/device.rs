//! Devices and their memory, as Python has them.

use crate::code;
use crate::machine::{Given, Launch, Refused};
use crate::model::{Engine, Model, Wanted};
use crate::module::Code;
use crate::outcome::{Failure, Launched};
use crate::worker::Worker;
use pyo3::exceptions::{PyMemoryError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyDict};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use weft_driver::arena::{Allocation, Arena};
use weft_driver::Error;

/// A GPU, and what has been launched on it.
struct Opened {
    model: Model,
    worker: Worker,
    arena: Arena,
    /// Compilations that it may have loaded.
    codes: Mutex<BTreeSet<u64>>,
}

/// A GPU. One thread of its own has it; all methods wait for their turn.
#[pyclass(frozen, module = "weft._native")]
pub struct Device(Arc<Opened>);

/// Bytes in a device's memory: an allocation, until it is dropped, or a variable of a program.
#[pyclass(frozen, module = "weft._native")]
pub struct Memory {
    device: Arc<Opened>,
    place: Place,
    size: u32,
}

enum Place {
    Own(Allocation),
    Variable(Arc<code::Code>, String),
}

fn error(error: Error) -> PyErr {
    match error {
        Error::NoMemory { .. } | Error::Occupied { .. } => {
            PyMemoryError::new_err(error.to_string())
        }
        Error::Grid { .. } => PyValueError::new_err(error.to_string()),
        error => PyRuntimeError::new_err(error.to_string()),
    }
}

#[pymethods]
impl Device {
    #[new]
    #[pyo3(signature = (engine, *, sms=None, warps=None, threads=None, scratchpad=None, memory=None, stack=None, limit=None))]
    #[allow(clippy::too_many_arguments)]
    fn new(
        py: Python,
        engine: &str,
        sms: Option<i64>,
        warps: Option<i64>,
        threads: Option<i64>,
        scratchpad: Option<i64>,
        memory: Option<i64>,
        stack: Option<i64>,
        limit: Option<i64>,
    ) -> PyResult<Device> {
        let wanted = Wanted {
            sms,
            warps,
            threads,
            scratchpad,
            memory,
            stack,
            limit,
        };
        let model = Model::of(engine, &wanted).map_err(PyValueError::new_err)?;
        let (worker, room) = Worker::start(py, &model)?;
        Ok(Device(Arc::new(Opened {
            model,
            worker,
            arena: Arena::new(room),
            codes: Mutex::default(),
        })))
    }

    /// Name and sizes.
    #[getter]
    fn sizes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let Model {
            engine,
            size,
            memory,
            stack,
            limit,
        } = &self.0.model;
        let dict = PyDict::new(py);
        let name = match engine {
            Engine::Golden => "golden",
            Engine::Verilated => "verilated",
        };
        dict.set_item("name", name)?;
        dict.set_item("sms", size.sms)?;
        dict.set_item("warps", size.warps)?;
        dict.set_item("threads", size.threads)?;
        dict.set_item("scratchpad", size.scratchpad)?;
        dict.set_item("memory", memory)?;
        dict.set_item("stack", stack)?;
        dict.set_item("limit", limit)?;
        Ok(dict)
    }

    /// So many bytes, which hold anything.
    fn allocate(&self, size: u32) -> PyResult<Memory> {
        let taken = self.0.arena.take(size).ok_or_else(|| {
            let free = self.0.arena.free();
            PyMemoryError::new_err(format!(
                "{size} bytes of device memory are wanted, {free} are free: Device(…, memory=N) gives more"
            ))
        })?;
        Ok(Memory {
            device: self.0.clone(),
            place: Place::Own(taken),
            size,
        })
    }

    /// A variable of a program.
    fn variable(&self, py: Python, code: &Code, name: String) -> PyResult<Memory> {
        self.keep(&code.0);
        let of = (code.0.clone(), name.clone());
        let found = self.0.worker.call(py, move |m| m.variable(&of.0, &of.1))?;
        Ok(Memory {
            device: self.0.clone(),
            place: Place::Variable(code.0.clone(), name),
            size: found.map_err(error)?.size(),
        })
    }

    /// Launches a kernel of the code and waits for it. Of values `bytes` are a value, a number the address that a pointer
    /// has, or the bytes of the scratchpad for a local one. The counters, what was printed, and what has gone wrong.
    #[allow(clippy::too_many_arguments)]
    fn launch<'py>(
        &self,
        py: Python<'py>,
        code: &Code,
        kernel: usize,
        dimensions: u32,
        grid: [u32; 3],
        cta: [u32; 3],
        values: Vec<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let kernels = code.0.kernels();
        let Some((_, parameters)) = kernels.get(kernel) else {
            return Err(PyValueError::new_err("no such kernel"));
        };
        let parameters = parameters.as_ref();
        let parameters = parameters.map_err(|why| PyValueError::new_err(why.clone()))?;
        if parameters.len() != values.len() {
            return Err(PyValueError::new_err("as many values as parameters"));
        }
        let given = parameters.iter().zip(&values);
        let given = given.map(|(parameter, value)| match parameter.kind {
            "value" => {
                let bytes: Vec<u8> = value.extract()?;
                match bytes.len() == parameter.size as usize {
                    true => Ok(Given::Bytes(bytes)),
                    false => Err(PyValueError::new_err("as many bytes as the parameter has")),
                }
            }
            "local" => Ok(Given::Local(value.extract()?)),
            _ => Ok(Given::Address(value.extract()?)),
        });
        let launch = Launch {
            code: code.0.clone(),
            kernel,
            dimensions,
            grid,
            cta,
            values: given.collect::<PyResult<_>>()?,
        };
        self.keep(&code.0);
        let arena = self.0.arena.clone();
        let ran = self.0.worker.call(py, move |m| m.run(&launch, &arena))?;
        match ran {
            Ok(launched) => dict(py, launched),
            Err(Refused::Usage(text)) => Err(PyValueError::new_err(text)),
            Err(Refused::Broken(text)) => Err(PyRuntimeError::new_err(text)),
            Err(Refused::Driver(of)) => Err(error(of)),
        }
    }

    /// Ends it: whatever needs it from now on is refused.
    fn close(&self) {
        self.0.worker.close();
    }

    /// The module that has this code is gone.
    fn forget(&self, code: &Code) {
        let mut codes = self.0.codes.lock().unwrap_or_else(PoisonError::into_inner);
        let number = code.0.number;
        if codes.remove(&number) {
            self.0.worker.leave(move |machine| machine.forget(number));
        }
    }
}

impl Device {
    fn keep(&self, code: &code::Code) {
        let mut codes = self.0.codes.lock().unwrap_or_else(PoisonError::into_inner);
        codes.insert(code.number);
    }
}

#[pymethods]
impl Memory {
    /// Bytes.
    #[getter]
    fn size(&self) -> u32 {
        self.size
    }

    /// Where the device has it; of a variable, where it is now.
    #[getter]
    fn address(&self, py: Python) -> PyResult<u32> {
        match &self.place {
            Place::Own(allocation) => Ok(allocation.address()),
            Place::Variable(code, name) => {
                let of = (code.clone(), name.clone());
                let found = self
                    .device
                    .worker
                    .call(py, move |m| m.variable(&of.0, &of.1));
                Ok(found?.map_err(error)?.address())
            }
        }
    }

    /// Copies out.
    fn read<'py>(
        &self,
        py: Python<'py>,
        offset: u32,
        size: u32,
    ) -> PyResult<Bound<'py, PyByteArray>> {
        self.inside(offset, size)?;
        let place = self.place();
        let read = self.device.worker.call(py, move |machine| {
            let mut bytes = vec![0; size as usize];
            let read = match &place {
                Ok(address) => machine.read(address + offset, &mut bytes),
                Err((code, name)) => machine.read_variable((code, name), offset, &mut bytes),
            };
            read.map(|()| bytes)
        })?;
        Ok(PyByteArray::new(py, &read.map_err(error)?))
    }

    /// Copies in.
    fn write(&self, py: Python, offset: u32, bytes: &Bound<'_, PyBytes>) -> PyResult<()> {
        let bytes = bytes.as_bytes().to_vec();
        let size = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        self.inside(offset, size)?;
        let place = self.place();
        let written = self.device.worker.call(py, move |machine| match &place {
            Ok(address) => machine.write(address + offset, &bytes),
            Err((code, name)) => machine.write_variable((code, name), offset, &bytes),
        })?;
        written.map_err(error)
    }
}

impl Memory {
    /// The address, or code and name of a variable, whose address may change.
    fn place(&self) -> Result<u32, (Arc<code::Code>, String)> {
        match &self.place {
            Place::Own(allocation) => Ok(allocation.address()),
            Place::Variable(code, name) => Err((code.clone(), name.clone())),
        }
    }

    fn inside(&self, offset: u32, size: u32) -> PyResult<()> {
        match offset.checked_add(size).is_some_and(|end| end <= self.size) {
            true => Ok(()),
            false => Err(PyValueError::new_err(format!(
                "{size} bytes from byte {offset} on are not within {}",
                self.size
            ))),
        }
    }
}

/// A launch that is over, for Python.
fn dict(py: Python, launched: Launched) -> PyResult<Bound<PyDict>> {
    let Launched {
        counters,
        width,
        seconds,
        printed,
        failure,
    } = launched;
    let efficiency = counters.thread_instructions.map(|threads| {
        let places = counters.instructions as f64 * width as f64;
        threads as f64 / places.max(1.0)
    });
    let all = PyDict::new(py);
    let of = PyDict::new(py);
    of.set_item("cycles", counters.cycles)?;
    of.set_item("instructions", counters.instructions)?;
    of.set_item("thread_instructions", counters.thread_instructions)?;
    of.set_item("simd_efficiency", efficiency)?;
    of.set_item("ctas", counters.ctas)?;
    of.set_item("launches", counters.launches)?;
    of.set_item("seconds", seconds)?;
    all.set_item("counters", of)?;
    let printed = printed.unwrap_or_default();
    all.set_item("text", PyBytes::new(py, &printed.text))?;
    all.set_item("lost", printed.lost)?;
    all.set_item("room", printed.room)?;
    all.set_item("shared", printed.shared)?;
    all.set_item("stops", printed.stops)?;
    all.set_item(
        "damaged",
        printed.head_damaged || printed.torn || !printed.damaged.is_empty(),
    )?;
    all.set_item("failure", failure.map(|of| failed(py, of)).transpose()?)?;
    Ok(all)
}

fn failed(py: Python, failure: Failure) -> PyResult<Bound<PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("kind", failure.kind.name())?;
    dict.set_item("text", failure.text)?;
    dict.set_item("kernel", failure.kernel)?;
    dict.set_item("cause", failure.cause)?;
    dict.set_item("cta", failure.cta)?;
    dict.set_item("warp", failure.warp)?;
    dict.set_item("thread", failure.thread)?;
    dict.set_item("pc", failure.pc)?;
    dict.set_item("frames", failure.frames)?;
    Ok(dict)
}
