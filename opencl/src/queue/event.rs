//! Events: how far a command has come, and who waits for it.

use super::Queue;
use crate::code::{fail, Code, Outcome};
use crate::context::Context;
use crate::host::UserData;
use crate::object::{self, kind, lock, Object, Ref};
use crate::query::Answer;
use opencl_sys::*;
use std::ffi::c_void;
use std::sync::{Arc, Condvar, Mutex};

/// A function of the host, to be called when a command has come so far.
pub type Callback = unsafe extern "C" fn(*mut c_void, cl_int, *mut c_void);

type Dependant = Box<dyn FnOnce(cl_int) + Send>;

pub struct Event {
    pub context: Ref<Context>,
    /// None of a user event.
    pub queue: Option<Ref<Queue>>,
    pub command: cl_command_type,
    state: Mutex<State>,
    changed: Condvar,
}
kind!(Event, CL_INVALID_EVENT);

struct State {
    /// CL_QUEUED down to CL_COMPLETE, or an error below it.
    status: cl_int,
    /// When it was queued, submitted, begun and ended, in the device's nanoseconds.
    times: [u64; 4],
    dependants: Vec<Dependant>,
    callbacks: Vec<(cl_int, Callback, UserData)>,
}

impl Event {
    pub fn new(
        context: &Ref<Context>,
        queue: Option<&Ref<Queue>>,
        command: cl_command_type,
    ) -> Event {
        let status = match queue {
            Some(_) => CL_QUEUED,
            None => CL_SUBMITTED,
        };
        Event {
            context: context.clone(),
            queue: queue.cloned(),
            command,
            state: Mutex::new(State {
                status,
                times: [context.device.now(); 4],
                dependants: Vec::new(),
                callbacks: Vec::new(),
            }),
            changed: Condvar::new(),
        }
    }

    pub fn status(&self) -> cl_int {
        lock(&self.state).status
    }

    pub fn is_over(&self) -> bool {
        self.status() <= CL_COMPLETE
    }

    /// Does this once the command is over, at once if it is: with its status.
    pub fn then(&self, act: impl FnOnce(cl_int) + Send + 'static) {
        let mut state = lock(&self.state);
        match state.status {
            over if over <= CL_COMPLETE => {
                drop(state);
                act(over);
            }
            _ => state.dependants.push(Box::new(act)),
        }
    }

    /// Waits until the command is over; its status.
    pub fn wait(&self) -> cl_int {
        let mut state = lock(&self.state);
        while state.status > CL_COMPLETE {
            let woken = self.changed.wait(state);
            state = woken.unwrap_or_else(|error| error.into_inner());
        }
        state.status
    }
}

impl Object<Event> {
    /// A function that is called once the command has come so far, at once if it has.
    pub fn call(self: &Arc<Self>, level: cl_int, function: Callback, data: UserData) {
        let mut state = lock(&self.state);
        if state.status <= level {
            let status = state.status;
            drop(state);
            self.tell(status, level, function, data);
        } else {
            state.callbacks.push((level, function, data));
        }
    }

    fn tell(self: &Arc<Self>, status: cl_int, level: cl_int, function: Callback, data: UserData) {
        let said = if status < 0 { status } else { level };
        // SAFETY: the host has given function and data for this.
        unsafe { function(object::handle(self), said, data.0) };
    }

    /// The command has come so far, at this time of the device; false if it was over already.
    pub fn reach(self: &Arc<Self>, status: cl_int, now: u64) -> bool {
        let mut state = lock(&self.state);
        if state.status <= CL_COMPLETE {
            return false;
        }
        state.status = status;
        // What it has not come to on its way is as late.
        let first = (CL_QUEUED - status.max(CL_COMPLETE)) as usize;
        state.times[first..].fill(now);
        let over = status <= CL_COMPLETE;
        let (calls, later) = std::mem::take(&mut state.callbacks)
            .into_iter()
            .partition(|(level, ..)| status <= *level);
        let calls: Vec<_> = calls;
        state.callbacks = later;
        let dependants = match over {
            true => std::mem::take(&mut state.dependants),
            false => Vec::new(),
        };
        drop(state);
        if over {
            self.changed.notify_all();
        }
        for (level, function, data) in calls {
            self.tell(status, level, function, data);
        }
        for act in dependants {
            act(status);
        }
        true
    }
}

/// # Errors
/// There is no such question.
pub fn info(event: &Ref<Event>, name: cl_event_info) -> Outcome<Answer> {
    Ok(match name {
        CL_EVENT_COMMAND_QUEUE => {
            let queue = event.queue.as_ref().map(object::handle);
            Answer::handle(queue.unwrap_or(std::ptr::null_mut()))
        }
        CL_EVENT_CONTEXT => Answer::handle(object::handle(&event.context)),
        CL_EVENT_COMMAND_TYPE => Answer::uint(event.command),
        CL_EVENT_COMMAND_EXECUTION_STATUS => Answer::int(event.status()),
        CL_EVENT_REFERENCE_COUNT => Answer::uint(object::count(event)),
        _ => return fail(CL_INVALID_VALUE),
    })
}

/// # Errors
/// The command is not over, or its queue takes no times; there is no such question.
pub fn profiling(event: &Ref<Event>, name: cl_profiling_info) -> Outcome<Answer> {
    let queue = event.queue.as_ref();
    let is_on = queue.is_some_and(|queue| queue.properties & CL_QUEUE_PROFILING_ENABLE != 0);
    let state = lock(&event.state);
    if !is_on || state.status != CL_COMPLETE {
        return Err(Code(CL_PROFILING_INFO_NOT_AVAILABLE));
    }
    Ok(Answer::ulong(match name {
        CL_PROFILING_COMMAND_QUEUED => state.times[0],
        CL_PROFILING_COMMAND_SUBMIT => state.times[1],
        CL_PROFILING_COMMAND_START => state.times[2],
        // No command makes others.
        CL_PROFILING_COMMAND_END | CL_PROFILING_COMMAND_COMPLETE => state.times[3],
        _ => return fail(CL_INVALID_VALUE),
    }))
}
