//! Command queues: what waits for what, and hand-over to the device.
//!
//! A command goes to the device's worker as soon as all that it waits for is over: the events of its list, in an in-order
//! queue the command before it, and a barrier before it.
//! The worker does one command at a time, so commands that wait for nothing are done in the order in which they came.

mod event;

pub use event::{info as event_info, profiling, Callback, Event};

use crate::code::{ensure, fail, Code, Outcome};
use crate::context::Context;
use crate::device::Machine;
use crate::object::{self, kind, lock, Object, Ref};
use crate::query::Answer;
use opencl_sys::*;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// What a command does.
pub type Work = Box<dyn FnOnce(&mut Machine) -> Result<(), Trouble> + Send>;

/// Why a command has not come to a good end; the text is for people.
pub struct Trouble {
    pub code: Code,
    pub text: Option<String>,
}

impl From<Code> for Trouble {
    fn from(code: Code) -> Trouble {
        Trouble { code, text: None }
    }
}

pub struct Queue {
    pub context: Ref<Context>,
    pub properties: cl_command_queue_properties,
    /// As they were given to `clCreateCommandQueueWithProperties`.
    pub given: Vec<u64>,
    state: Mutex<State>,
}
kind!(Queue, CL_INVALID_COMMAND_QUEUE);

#[derive(Default)]
struct State {
    /// Commands that are not over, the oldest first.
    open: Vec<Ref<Event>>,
    /// A barrier that all that comes later waits for.
    barrier: Option<Ref<Event>>,
    /// A command that has failed by itself, and nobody has been told.
    failed: Option<Ref<Event>>,
}

/// What a command waits for beside its list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// As its queue says.
    Queued,
    /// If its list is empty, all commands before it.
    Marker,
    /// As a marker, and all commands behind it wait for it.
    Barrier,
}

/// A command before its turn.
struct Command {
    event: Ref<Event>,
    /// What is not over yet, and one for the list itself.
    missing: AtomicUsize,
    /// Something of its list has failed.
    failed: AtomicBool,
    work: Mutex<Option<Work>>,
}

impl Queue {
    pub fn new(
        context: &Ref<Context>,
        properties: cl_command_queue_properties,
        given: Vec<u64>,
    ) -> Queue {
        Queue {
            context: context.clone(),
            properties,
            given,
            state: Mutex::default(),
        }
    }

    fn is_in_order(&self) -> bool {
        self.properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE == 0
    }

    /// All commands that are not over.
    fn open(&self) -> Vec<Ref<Event>> {
        lock(&self.state).open.clone()
    }

    /// Waits until all commands are over.
    ///
    /// # Errors
    /// One has failed, and nobody has been told.
    pub fn finish(&self) -> Outcome {
        for event in self.open() {
            event.wait();
        }
        self.tell()
    }

    /// # Errors
    /// A command has failed, and nobody has been told until now.
    pub fn tell(&self) -> Outcome {
        match lock(&self.state).failed.take() {
            Some(_) => fail(CL_OUT_OF_RESOURCES),
            None => Ok(()),
        }
    }

    /// Waits for a command that blocks.
    ///
    /// # Errors
    /// It has failed, or another one has, and nobody has been told.
    pub fn settle(&self, event: &Ref<Event>) -> Outcome {
        let status = event.wait();
        self.told(event);
        ensure(status == CL_COMPLETE, status)?;
        self.tell()
    }

    /// A host has been told what became of this command.
    fn told(&self, event: &Ref<Event>) {
        let mut state = lock(&self.state);
        if state
            .failed
            .as_ref()
            .is_some_and(|failed| Arc::ptr_eq(failed, event))
        {
            state.failed = None;
        }
    }

    fn over(&self, event: &Ref<Event>, status: cl_int) {
        let mut state = lock(&self.state);
        state.open.retain(|open| !Arc::ptr_eq(open, event));
        if state
            .barrier
            .as_ref()
            .is_some_and(|barrier| Arc::ptr_eq(barrier, event))
        {
            state.barrier = None;
        }
        if status < 0 && status != CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST {
            state.failed = Some(event.clone());
        }
    }
}

impl Object<Queue> {
    /// Adds a command.
    ///
    /// # Errors
    /// An event of the list is of another context.
    pub fn add(
        self: &Arc<Self>,
        kind: cl_command_type,
        order: Order,
        list: &[Ref<Event>],
        work: Work,
    ) -> Outcome<Ref<Event>> {
        let mine = |event: &Ref<Event>| Arc::ptr_eq(&event.context, &self.context);
        ensure(list.iter().all(mine), CL_INVALID_CONTEXT)?;
        let event = object::inner(Event::new(&self.context, Some(self), kind));
        let command = Arc::new(Command {
            event: event.clone(),
            missing: AtomicUsize::new(1),
            failed: AtomicBool::new(false),
            work: Mutex::new(Some(work)),
        });
        let mut state = lock(&self.state);
        state.open.retain(|event| !event.is_over());
        let all = order != Order::Queued && list.is_empty();
        let before = match (all, self.is_in_order()) {
            (true, _) => state.open.clone(),
            (false, true) => state.open.last().cloned().into_iter().collect(),
            (false, false) => Vec::new(),
        };
        let barrier = state.barrier.take().filter(|barrier| !barrier.is_over());
        let before: Vec<_> = before.into_iter().chain(barrier.clone()).collect();
        state.barrier = match order {
            Order::Barrier => Some(event.clone()),
            _ => barrier,
        };
        state.open.push(event.clone());
        drop(state);
        for other in list {
            command.wait_for(other, true);
        }
        for other in &before {
            command.wait_for(other, false);
        }
        command.one_less(false);
        Ok(event)
    }
}

impl Command {
    fn wait_for(self: &Arc<Command>, other: &Ref<Event>, matters: bool) {
        self.missing.fetch_add(1, Ordering::SeqCst);
        let this = self.clone();
        other.then(move |status| this.one_less(matters && status < 0));
    }

    fn one_less(self: &Arc<Command>, failed: bool) {
        self.failed.fetch_or(failed, Ordering::SeqCst);
        if self.missing.fetch_sub(1, Ordering::SeqCst) == 1 {
            let (this, device) = (self.clone(), &self.event.context.device);
            self.event.reach(CL_SUBMITTED, device.now());
            device.submit(move |machine| this.run(machine));
        }
    }

    fn run(&self, machine: &mut Machine) {
        let device = self.event.context.device.clone();
        let now = |machine: &mut Machine| {
            let now = machine.nanoseconds();
            device.tell(now);
            now
        };
        let work = lock(&self.work).take();
        let status = match work.filter(|_| !self.failed.load(Ordering::SeqCst)) {
            None => CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
            Some(work) => {
                self.event.reach(CL_RUNNING, now(machine));
                let panicked = || Trouble {
                    code: Code(CL_OUT_OF_RESOURCES),
                    text: Some("the library has failed; this is a fault of its own".into()),
                };
                let done = catch_unwind(AssertUnwindSafe(|| work(machine)));
                match done.unwrap_or_else(|_| Err(panicked())) {
                    Ok(()) => CL_COMPLETE,
                    Err(Trouble { code, text }) => {
                        if let Some(text) = text {
                            self.event.context.say(&text);
                        }
                        code.0
                    }
                }
            }
        };
        let now = now(machine);
        if let Some(queue) = &self.event.queue {
            queue.over(&self.event, status);
        }
        self.event.reach(status, now);
    }
}

/// Waits for these events.
///
/// # Errors
/// One of them has failed.
pub fn wait(events: &[Ref<Event>]) -> Outcome {
    let mut failed = false;
    for event in events {
        failed |= event.wait() < 0;
        if let Some(queue) = &event.queue {
            queue.told(event);
        }
    }
    ensure(!failed, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
}

/// # Errors
/// There is no such question.
pub fn info(queue: &Ref<Queue>, name: cl_command_queue_info) -> Outcome<Answer> {
    Ok(match name {
        CL_QUEUE_CONTEXT => Answer::handle(object::handle(&queue.context)),
        CL_QUEUE_DEVICE => Answer::handle(object::handle(&queue.context.device)),
        CL_QUEUE_REFERENCE_COUNT => Answer::uint(object::count(queue)),
        CL_QUEUE_PROPERTIES => Answer::ulong(queue.properties),
        CL_QUEUE_PROPERTIES_ARRAY => Answer::ulongs(&queue.given),
        CL_QUEUE_DEVICE_DEFAULT => Answer::size(0),
        // CL_QUEUE_SIZE is of queues on the device.
        CL_QUEUE_SIZE => return fail(CL_INVALID_COMMAND_QUEUE),
        _ => return fail(CL_INVALID_VALUE),
    })
}
