//! The thread that has the GPU.

use super::machine::Machine;
use super::model::Model;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::mpsc::{channel, Sender};

type Work = Box<dyn FnOnce(&mut Machine) + Send>;

pub struct Worker(Sender<Work>);

impl Worker {
    /// Starts it and waits until it has its GPU; gives the room for buffers, too.
    ///
    /// # Errors
    /// There is no GPU, for people.
    pub fn start(model: &Model) -> Result<(Worker, (u32, u32)), String> {
        let (sender, works) = channel::<Work>();
        let (told, hears) = channel();
        let model = model.clone();
        let run = move || {
            // The simulation belongs to the thread that has made it.
            let mut machine = match Machine::open(&model) {
                Ok(machine) => machine,
                Err(text) => return drop(told.send(Err(text))),
            };
            if told.send(Ok(machine.room())).is_err() {
                return;
            }
            for work in works {
                // What panics has told so by its event, and the next work comes all the same.
                drop(catch_unwind(AssertUnwindSafe(|| work(&mut machine))));
            }
        };
        let thread = std::thread::Builder::new().name("weft".into()).spawn(run);
        thread.map_err(|error| error.to_string())?;
        let room = hears.recv().map_err(|error| error.to_string())??;
        Ok((Worker(sender), room))
    }

    pub fn give(&self, work: impl FnOnce(&mut Machine) + Send + 'static) {
        self.0
            .send(Box::new(work))
            .expect("the worker has not ended");
    }
}
