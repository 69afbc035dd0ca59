//! The thread that has the GPU. Whoever gives it work waits without Python's lock, and a Ctrl-C meanwhile ends that work.

use crate::machine::Machine;
use crate::model::Model;
use pyo3::exceptions::PyRuntimeError;
use pyo3::{PyErr, PyResult, Python};
use std::cell::RefCell;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{channel, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// How often Python is asked for signals while it waits.
const PATIENCE: Duration = Duration::from_millis(50);

/// Some work, and who may end it.
struct Work {
    stop: Arc<AtomicBool>,
    run: Box<dyn FnOnce(&mut Machine) + Send>,
}

thread_local! {
    /// Of the work that this worker is at.
    static STOP: RefCell<Arc<AtomicBool>> = RefCell::default();
}

fn stopped() -> bool {
    STOP.with_borrow(|stop| stop.load(Ordering::Relaxed))
}

/// `None`: it is closed.
pub struct Worker(Mutex<Option<Sender<Work>>>);

impl Worker {
    /// Starts it and waits until it has its GPU; gives the room for arrays, too.
    ///
    /// # Errors
    /// There is no GPU, or Ctrl-C.
    pub fn start(py: Python, model: &Model) -> PyResult<(Worker, (u32, u32))> {
        let (sender, works) = channel::<Work>();
        let (tell, mut hear) = channel();
        let model = model.clone();
        let run = move || {
            // The simulation belongs to the thread that has made it.
            let mut machine = match Machine::open(&model, stopped) {
                Ok(machine) => machine,
                Err(text) => return drop(tell.send(Err(text))),
            };
            if tell.send(Ok(machine.room())).is_err() {
                return;
            }
            for Work { stop, run } in works {
                STOP.set(stop);
                // Whoever waits for what panics is told by the end of its channel.
                drop(catch_unwind(AssertUnwindSafe(|| run(&mut machine))));
            }
        };
        let thread = std::thread::Builder::new().name("weft".into()).spawn(run);
        thread.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        let room = wait(py, &mut hear, &AtomicBool::new(false), false)?;
        let worker = Worker(Mutex::new(Some(sender)));
        Ok((worker, room.map_err(PyRuntimeError::new_err)?))
    }

    /// Has it done in its turn, and waits.
    ///
    /// # Errors
    /// Ctrl-C, or the work has panicked.
    pub fn call<T: Send + 'static>(
        &self,
        py: Python,
        work: impl FnOnce(&mut Machine) -> T + Send + 'static,
    ) -> PyResult<T> {
        let (tell, mut hear) = channel();
        let stop = Arc::new(AtomicBool::new(false));
        self.give(stop.clone(), move |machine| drop(tell.send(work(machine))))?;
        wait(py, &mut hear, &stop, true)
    }

    /// Has it done when its turn comes.
    pub fn leave(&self, work: impl FnOnce(&mut Machine) + Send + 'static) {
        // A worker that has ended has nothing left to be tidied.
        let _ = self.give(Arc::default(), work);
    }

    fn give(
        &self,
        stop: Arc<AtomicBool>,
        run: impl FnOnce(&mut Machine) + Send + 'static,
    ) -> PyResult<()> {
        let run = Box::new(run);
        let sender = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let sender = sender
            .as_ref()
            .ok_or_else(|| PyRuntimeError::new_err("the device is closed"))?;
        sender.send(Work { stop, run }).map_err(|_| ended())
    }

    /// No work is taken any more; the GPU is given up when what was taken is done.
    pub fn close(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

fn ended() -> PyErr {
    PyRuntimeError::new_err("the device's thread has ended")
}

/// `stays`: until the work has ended, also when it is interrupted.
fn wait<T: Send>(
    py: Python,
    hear: &mut Receiver<T>,
    stop: &AtomicBool,
    stays: bool,
) -> PyResult<T> {
    loop {
        let patient = &mut *hear;
        match py.detach(move || patient.recv_timeout(PATIENCE)) {
            Ok(value) => return Ok(value),
            Err(RecvTimeoutError::Disconnected) => return Err(ended()),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if let Err(signal) = py.check_signals() {
            stop.store(true, Ordering::Relaxed);
            if stays {
                // Its outcome is of no use any more.
                let _ = py.detach(move || hear.recv());
            }
            return Err(signal);
        }
    }
}
