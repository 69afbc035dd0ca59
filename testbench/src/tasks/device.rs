//! `weft_tasks` under Verilator.

use crate::dut::{DutError, RtlKind};
use crate::rtl::model::{ports, In, Model, Options, Out};
use weft_generate::{Design, Unit};
use weft_sim::host::registers::MOST_SMS;

/// Parameters of the design.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    pub slots: usize,
    pub sms: usize,
    pub warps: usize,
    pub threads: usize,
    /// KiB.
    pub scratchpad: u32,
    pub mix: bool,
}

impl Shape {
    /// # Errors
    /// There is no such size.
    pub fn design(&self) -> Result<Design, DutError> {
        let parameters = [
            ("slots", self.slots as u64),
            ("sms", self.sms as u64),
            ("warps", self.warps as u64),
            ("threads", self.threads as u64),
            ("scratchpad", self.scratchpad.into()),
            ("mix", self.mix.into()),
        ];
        Ok(Design::new(Unit::Tasks, &parameters)?)
    }
}

/// A fault of a thread, as an SM reports it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fault {
    pub place: u64,
    pub warp: u64,
    pub thread: u64,
    pub cause: u64,
    pub pc: u64,
    pub address: u64,
}

/// What an SM does in a cycle.
#[derive(Clone, Copy, Debug, Default)]
pub struct SmIn {
    pub ready: bool,
    /// Place, failed.
    pub end: Option<(u64, bool)>,
    pub fault: Option<Fault>,
}

/// The inputs of a cycle.
#[derive(Clone, Copy, Debug, Default)]
pub struct Inputs {
    pub reset: bool,
    pub ready: bool,
    /// Response: error, word.
    pub done: Option<(bool, u32)>,
    /// Descriptor, private, domain of the channel.
    pub launch: Option<(u32, bool, u8)>,
    /// Address, word.
    pub write: Option<(u32, u32)>,
    pub read: u32,
    pub memory_end: u32,
    pub thread_end: u32,
    pub now: u64,
    pub sms: [SmIn; MOST_SMS],
}

/// A request of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    pub write: bool,
    pub address: u32,
    pub data: u32,
    /// Words behind it that are asked for next.
    pub more: u32,
}

impl Request {
    /// The one that must follow, but for its data.
    pub fn next(&self) -> Option<Request> {
        (self.more > 0).then(|| Request {
            address: self.address + 4,
            more: self.more - 1,
            ..*self
        })
    }

    /// It is `other`, but for the data.
    pub fn follows(&self, other: &Request) -> bool {
        let of = |r: &Request| (r.write, r.address, r.more);
        of(self) == of(other)
    }
}

/// Kinds of steps (TASK-090), as `task_kind` numbers them.
pub mod kind {
    pub const INSERT: u64 = 0;
    pub const LOAD: u64 = 1;
    pub const START: u64 = 2;
    pub const END: u64 = 3;
    pub const EVICT: u64 = 4;
    pub const RETURN: u64 = 5;
    pub const COMPLETE: u64 = 6;
    pub const LOST: u64 = 7;
    pub const KILL: u64 = 8;
    pub const NAME: u64 = 9;
}

/// A step that is over (TASK-090), its fields as at the port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Of [`kind`].
    pub kind: u64,
    pub task: u32,
    pub slot: usize,
    pub code: u8,
    pub place: u32,
    pub source: u64,
    pub sm: usize,
    pub cta: u32,
    pub position: u32,
    pub entries: u32,
    pub flag: bool,
}

/// What an SM is told in a cycle.
#[derive(Clone, Copy, Debug, Default)]
pub struct SmOut {
    /// Index, word.
    pub word: Option<(usize, u32)>,
    /// Place of a CTA on offer.
    pub cta: Option<u64>,
    pub end_taken: bool,
    pub fault_taken: bool,
    /// All that runs there is to end.
    pub kill: bool,
}

/// The outputs of a cycle.
#[derive(Clone, Copy, Debug)]
pub struct Outputs {
    pub request: Option<Request>,
    /// Code, place.
    pub launched: Option<(u8, u32)>,
    pub idle: bool,
    pub read: u32,
    pub in_slots: u64,
    pub listed: bool,
    pub task_error: bool,
    pub fault: bool,
    /// Of a task error, a fault, a completion.
    pub interrupts: [bool; 3],
    /// Spawn, dependent, start, end, evict, complete.
    pub counts: [bool; 6],
    pub sms: [SmOut; MOST_SMS],
    pub step: Option<Step>,
    /// The slot that the step under way is about.
    pub slot: usize,
}

ports! { InPorts, In, input:
    reset memory_ready memory_done memory_error memory_read launch_request launch_descriptor launch_private launch_domain
    reg_write reg_address reg_data reg_read_address memory_end thread_end now
}

ports! { OutPorts, Out, output:
    memory_request memory_write memory_address memory_data memory_more launch_done launch_code launch_place idle reg_read_data
    tasks_in_slots tasks_listed task_error fault interrupt_task_error interrupt_fault interrupt_complete
    count_spawn count_dependent count_start count_end count_evict count_complete word_index word cta_place
    trace_valid trace_kind trace_task trace_slot trace_code trace_place trace_source trace_sm trace_cta
    trace_position trace_entries trace_flag
}

/// The inputs of one SM.
struct SmInPorts {
    cta_ready: In,
    end_valid: In,
    end_place: In,
    end_failed: In,
    report_valid: In,
    report_place: In,
    report_warp: In,
    report_thread: In,
    report_cause: In,
    report_pc: In,
    report_address: In,
}

struct SmOutPorts {
    word_valid: Out,
    cta_valid: Out,
    cta_kill: Out,
    end_ready: Out,
    report_ready: Out,
}

pub struct Device {
    flat: Model,
    i: InPorts,
    o: OutPorts,
    sm_in: Vec<SmInPorts>,
    sm_out: Vec<SmOutPorts>,
    pub shape: Shape,
}

impl Device {
    /// `fault`: a deliberately broken copy; `seed`: what fills state that has no initial value.
    ///
    /// # Errors
    /// It cannot be made.
    pub fn open(shape: Shape, fault: Option<&str>, seed: u32) -> Result<Device, DutError> {
        let options = Options {
            fault,
            seed,
            ..Options::default()
        };
        let flat = Model::open(RtlKind::Verilated, &shape.design()?, &options)?;
        let of = |name: &str, sm: usize| match sm {
            0 => name.to_string(),
            _ => format!("p{sm}_{name}"),
        };
        let input = |name: &str, sm: usize| flat.input(&of(name, sm));
        let output = |name: &str, sm: usize| flat.output(&of(name, sm));
        let sm_in = (0..shape.sms).map(|sm| SmInPorts {
            cta_ready: input("cta_ready", sm),
            end_valid: input("end_valid", sm),
            end_place: input("end_place", sm),
            end_failed: input("end_failed", sm),
            report_valid: input("report_valid", sm),
            report_place: input("report_place", sm),
            report_warp: input("report_warp", sm),
            report_thread: input("report_thread", sm),
            report_cause: input("report_cause", sm),
            report_pc: input("report_pc", sm),
            report_address: input("report_address", sm),
        });
        let sm_out = (0..shape.sms).map(|sm| SmOutPorts {
            word_valid: output("word_valid", sm),
            cta_valid: output("cta_valid", sm),
            cta_kill: output("cta_kill", sm),
            end_ready: output("end_ready", sm),
            report_ready: output("report_ready", sm),
        });
        Ok(Device {
            i: InPorts::of(&flat),
            o: OutPorts::of(&flat),
            sm_in: sm_in.collect(),
            sm_out: sm_out.collect(),
            flat,
            shape,
        })
    }

    /// One clock cycle.
    pub fn cycle(&mut self, i: &Inputs) -> Outputs {
        self.drive(i);
        self.flat.settle();
        let outputs = self.outputs();
        self.flat.edge();
        outputs
    }

    fn drive(&mut self, i: &Inputs) {
        let (p, flat) = (&self.i, &mut self.flat);
        let (error, word) = i.done.unwrap_or_default();
        let (descriptor, private, domain) = i.launch.unwrap_or_default();
        let (address, data) = i.write.unwrap_or_default();
        for (port, value) in [
            (p.reset, i.reset.into()),
            (p.memory_ready, i.ready.into()),
            (p.memory_done, i.done.is_some().into()),
            (p.memory_error, error.into()),
            (p.memory_read, word.into()),
            (p.launch_request, i.launch.is_some().into()),
            (p.launch_descriptor, descriptor.into()),
            (p.launch_private, private.into()),
            (p.launch_domain, domain.into()),
            (p.reg_write, i.write.is_some().into()),
            (p.reg_address, address.into()),
            (p.reg_data, data.into()),
            (p.reg_read_address, i.read.into()),
            (p.memory_end, i.memory_end.into()),
            (p.thread_end, i.thread_end.into()),
            (p.now, i.now),
        ] {
            flat.set(port, value);
        }
        for (p, sm) in self.sm_in.iter().zip(&i.sms) {
            let (place, failed) = sm.end.unwrap_or_default();
            let fault = sm.fault.unwrap_or_default();
            for (port, value) in [
                (p.cta_ready, sm.ready.into()),
                (p.end_valid, sm.end.is_some().into()),
                (p.end_place, place),
                (p.end_failed, failed.into()),
                (p.report_valid, sm.fault.is_some().into()),
                (p.report_place, fault.place),
                (p.report_warp, fault.warp),
                (p.report_thread, fault.thread),
                (p.report_cause, fault.cause),
                (p.report_pc, fault.pc),
                (p.report_address, fault.address),
            ] {
                flat.set(port, value);
            }
        }
    }

    fn outputs(&self) -> Outputs {
        let (o, flat) = (&self.o, &self.flat);
        let on = |port| flat.get(port) != 0;
        let word = |port| flat.get(port) as u32;
        let mut sms = [SmOut::default(); MOST_SMS];
        for (sm, p) in sms.iter_mut().zip(&self.sm_out) {
            *sm = SmOut {
                word: on(p.word_valid).then(|| (flat.get(o.word_index) as usize, word(o.word))),
                cta: on(p.cta_valid).then(|| flat.get(o.cta_place)),
                end_taken: on(p.end_ready),
                fault_taken: on(p.report_ready),
                kill: on(p.cta_kill),
            };
        }
        Outputs {
            request: on(o.memory_request).then(|| Request {
                write: on(o.memory_write),
                address: word(o.memory_address),
                data: word(o.memory_data),
                more: word(o.memory_more),
            }),
            launched: on(o.launch_done).then(|| (word(o.launch_code) as u8, word(o.launch_place))),
            idle: on(o.idle),
            read: word(o.reg_read_data),
            in_slots: flat.get(o.tasks_in_slots),
            listed: on(o.tasks_listed),
            task_error: on(o.task_error),
            fault: on(o.fault),
            interrupts: [
                o.interrupt_task_error,
                o.interrupt_fault,
                o.interrupt_complete,
            ]
            .map(on),
            counts: [
                o.count_spawn,
                o.count_dependent,
                o.count_start,
                o.count_end,
                o.count_evict,
                o.count_complete,
            ]
            .map(on),
            sms,
            slot: flat.get(o.trace_slot) as usize,
            step: on(o.trace_valid).then(|| Step {
                kind: flat.get(o.trace_kind),
                task: word(o.trace_task),
                slot: flat.get(o.trace_slot) as usize,
                code: word(o.trace_code) as u8,
                place: word(o.trace_place),
                source: flat.get(o.trace_source),
                sm: flat.get(o.trace_sm) as usize,
                cta: word(o.trace_cta),
                position: word(o.trace_position),
                entries: word(o.trace_entries),
                flag: on(o.trace_flag),
            }),
        }
    }
}
