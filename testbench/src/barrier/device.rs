//! Designs under test.

use crate::dut::RtlKind;
use crate::rtl::model::{Model, Options};
use crate::seed::{stream, Rng};
use rand::Rng as _;
use std::collections::VecDeque;
use std::path::Path;
use weft_generate::{Design, Impossible};
use weft_sim::barrier::{
    BarrierError, Doing, Event, Mutation, Op, Params, Ports, Unit, Verdict, Wake,
};

/// The sizes that the tests go through.
pub const SIZES: &[Size] = &[
    Size::new(4, 4),
    Size::new(4, 8),
    Size::new(16, 32),
    Size::new(32, 32),
];

/// A size of `weft_barrier`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    pub warps: usize,
    pub threads: usize,
}

impl std::fmt::Display for Size {
    /// `16x32`
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}x{}", self.warps, self.threads)
    }
}

impl std::str::FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Size, String> {
        let parsed = text
            .split_once('x')
            .and_then(|(w, t)| Some((w.parse().ok()?, t.parse().ok()?)));
        let (warps, threads) = parsed.ok_or_else(|| format!("{text}: write WARPSxTHREADS"))?;
        Ok(Size { warps, threads })
    }
}

impl Size {
    pub const fn new(warps: usize, threads: usize) -> Size {
        Size { warps, threads }
    }

    /// # Errors
    /// There is no such size.
    pub fn design(self) -> Result<Design, Impossible> {
        let parameters = [
            ("warps", self.warps as u64),
            ("threads", self.threads as u64),
        ];
        Design::new(weft_generate::Unit::Barrier, &parameters)
    }

    pub fn params(self) -> Params {
        Params {
            warps: self.warps,
            threads: self.threads,
        }
    }

    /// All threads of a warp.
    pub fn full(self) -> u64 {
        u64::MAX >> (64 - self.threads)
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Inputs {
    pub reset: bool,
    pub cfg_priority: u16,
    pub op: Option<Op>,
    pub verdict_ready: bool,
    pub wake_ready: bool,
}

/// A barrier unit, cycle by cycle.
pub trait Device {
    /// The outputs before the inputs of this cycle are known: only `op_ready` may change with them.
    fn outputs(&mut self) -> Ports;
    /// All ports of this cycle; then the clock edge.
    fn step(&mut self, inputs: &Inputs) -> Ports;
}

/// How to make one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// The model with a timing; it tests the bench.
    Model,
    /// The model with a departure.
    Mutated(Mutation),
    /// The exported Verilog.
    #[default]
    Verilog,
    /// A broken copy of it.
    Fault(&'static str),
}

pub fn open(
    kind: Kind,
    size: Size,
    seed: u64,
    wave: Option<&Path>,
) -> Result<Box<dyn Device>, String> {
    match kind {
        Kind::Model => Ok(Box::new(Timed::new(size, None, seed))),
        Kind::Mutated(mutation) => Ok(Box::new(Timed::new(size, Some(mutation), seed))),
        Kind::Verilog => verilated(size, None, seed, wave),
        Kind::Fault(name) => verilated(size, Some(name), seed, wave),
    }
}

/// The model, which does one thing at a time and sometimes waits a little.
struct Timed {
    size: Size,
    mutation: Option<Mutation>,
    unit: Unit,
    rng: Rng,
    cycle: u64,
    taken: VecDeque<Op>,
    verdict: Option<Verdict>,
    errors: VecDeque<BarrierError>,
    events: VecDeque<Event>,
    wake: Option<Wake>,
    hold: u64,
    held_at: Vec<Option<(usize, usize)>>,
    /// Warps that wait awake.
    waits: u64,
    error: Option<BarrierError>,
    event: Option<Event>,
    expired: Option<(usize, usize)>,
}

impl Timed {
    fn new(size: Size, mutation: Option<Mutation>, seed: u64) -> Timed {
        let unit = Unit::new(size.params());
        Timed {
            size,
            mutation,
            unit: match mutation {
                Some(mutation) => unit.with_mutation(mutation),
                None => unit,
            },
            rng: stream(seed, "timing of the model"),
            cycle: 0,
            taken: VecDeque::new(),
            verdict: None,
            errors: VecDeque::new(),
            events: VecDeque::new(),
            wake: None,
            hold: 0,
            held_at: vec![None; size.warps],
            waits: 0,
            error: None,
            event: None,
            expired: None,
        }
    }
}

impl Device for Timed {
    fn outputs(&mut self) -> Ports {
        Ports {
            op_ready: self.taken.len() < 2,
            verdict: self.verdict,
            hold: self.hold,
            wake: self.wake,
            error: self.error,
            event: self.event,
            expired: self.expired,
            ..Ports::default()
        }
    }

    fn step(&mut self, inputs: &Inputs) -> Ports {
        let ports = Ports {
            reset: inputs.reset,
            cfg_priority: inputs.cfg_priority,
            op_valid: inputs.op.is_some(),
            op: inputs.op.unwrap_or_default(),
            verdict_ready: inputs.verdict_ready,
            wake_ready: inputs.wake_ready,
            ..self.outputs()
        };
        if inputs.reset {
            let rng = self.rng.clone();
            *self = Timed {
                rng,
                ..Timed::new(self.size, self.mutation, 0)
            };
            return ports;
        }
        if let Some(event) = self.event.take() {
            self.unit.stop_timer(event.cta, event.id);
        }
        self.expired = self.unit.visit(self.cycle);
        if inputs.verdict_ready {
            self.verdict = None;
        }
        if inputs.wake_ready {
            self.wake = None;
        }
        self.unit.set_priority(inputs.cfg_priority);
        if self.wake.is_none() {
            self.unit.settle_invalid();
        }
        self.error = None;
        // `hold` follows the transfer of the verdict and the event.
        if self.verdict.is_none() {
            let waiting = self.unit.waiting();
            let owed = |warp: usize| {
                let cta = self.unit.cta_of(warp);
                self.events.iter().any(|e| e.cta == cta)
            };
            let still = (0..self.size.warps).filter(|&w| owed(w));
            let still = still.fold(0, |mask, warp| mask | self.waits & 1 << warp);
            self.waits = waiting | still;
            self.hold = self.unit.held() | self.waits;
            for (warp, held) in self.held_at.iter_mut().enumerate() {
                // Until its event.
                let owed = |e: &Event| *held == Some((e.cta, e.id));
                match self.unit.held_at(warp) {
                    Some(barrier) => *held = Some(barrier),
                    None if self.events.iter().any(owed) => self.hold |= 1 << warp,
                    None => *held = None,
                }
            }
        }
        let taken = ports.taken().copied();
        let pause = self.rng.gen_bool(0.2);
        // As in hardware, what is taken goes before what runs out then; only of KILL and LAUNCH no port tells.
        let silent = self.taken.front().is_some_and(|op| !op.code.has_verdict());
        if self.verdict.is_some() || self.wake.is_some() || pause {
        } else if let Some(error) = self.errors.pop_front() {
            self.error = Some(error);
        } else if let Some(event) = self.events.pop_front() {
            self.unit.announced(&event);
            self.event = Some(event);
        } else if let Some(number) = self.unit.run_out().first().filter(|_| !silent) {
            self.events.extend(self.unit.time_out(*number));
        } else if let Some(op) = self.taken.pop_front() {
            let answer = self.unit.op(&op, self.cycle + 1);
            self.verdict = answer.verdict;
            self.errors.extend(answer.errors);
            self.events.extend(answer.events);
        } else if let Some(doing) = self.unit.choose() {
            match doing {
                Doing::Wake(wake) => self.wake = Some(wake),
                Doing::Event(event) => self.event = Some(event),
            }
        }
        self.taken.extend(taken);
        self.cycle += 1;
        ports
    }
}

fn verilated(
    size: Size,
    fault: Option<&str>,
    seed: u64,
    wave: Option<&Path>,
) -> Result<Box<dyn Device>, String> {
    let options = Options {
        fault,
        seed: (seed ^ seed >> 32) as u32,
        wave,
        ..Options::default()
    };
    let design = size.design().map_err(|e| e.to_string())?;
    let flat = Model::open(RtlKind::Verilated, &design, &options).map_err(|e| e.to_string())?;
    Ok(Box::new(verilog::Verilog::new(flat, size, seed)))
}

mod verilog {
    use super::{Device, Inputs, Size};
    use crate::barrier::ports::OutPorts;
    use crate::rtl::model::{ports, Model};
    use weft_sim::barrier::{Op, OpCode, Ports};

    ports! { InPorts, In, input:
        reset cfg_priority op_valid op_code op_warp op_active op_mask op_id op_word op_pc op_cta op_block op_threads
        verdict_ready wake_ready
    }

    pub struct Verilog {
        flat: Model,
        inputs: InPorts,
        outputs: OutPorts,
        size: Size,
        noise: u64,
    }

    impl Verilog {
        pub fn new(flat: Model, size: Size, seed: u64) -> Verilog {
            Verilog {
                inputs: InPorts::of(&flat),
                outputs: OutPorts::of(&flat),
                noise: seed | 1,
                flat,
                size,
            }
        }

        fn noise(&mut self, bits: u32) -> u64 {
            self.noise ^= self.noise << 13;
            self.noise ^= self.noise >> 7;
            self.noise ^= self.noise << 17;
            self.noise & (u64::MAX >> (64 - bits))
        }

        /// What an operation does not have, or nobody gives, is noise: nothing may depend on it.
        fn set_op(&mut self, given: Option<Op>) {
            let op = given.unwrap_or_default();
            let code = given.map(|op| op.code);
            let wi = self.size.warps.ilog2();
            let threads = self.size.threads as u32;
            let has = |codes: &[OpCode]| code.is_some_and(|c| codes.contains(&c));
            let of_id = has(&[
                OpCode::Top,
                OpCode::Bottom,
                OpCode::BottomNb,
                OpCode::Reset,
                OpCode::Arrive,
                OpCode::Wait,
            ]);
            let launch = has(&[OpCode::Launch]);
            let barrier = code.is_some() && !launch && !has(&[OpCode::Kill]);
            let mut value = |has: bool, value: u64, bits: u32| match has {
                true => value,
                false => self.noise(bits),
            };
            let masked = has(&[OpCode::Top, OpCode::Wait, OpCode::Exit]);
            let values = [
                value(code.is_some(), op.code.code().into(), 4),
                value(code.is_some(), op.warp as u64, wi),
                value(code.is_some() && !has(&[OpCode::Kill]), op.active, threads),
                value(masked, op.mask, threads),
                value(of_id, op.id as u64, 3),
                value(has(&[OpCode::Top, OpCode::Arrive]), op.word.0.into(), 32),
                value(barrier, op.pc.into(), 22),
                value(launch, op.cta as u64, 4),
                value(launch, op.block as u64, wi),
                value(launch, op.threads.into(), 12),
            ];
            let p = &self.inputs;
            let places = [
                p.op_code,
                p.op_warp,
                p.op_active,
                p.op_mask,
                p.op_id,
                p.op_word,
                p.op_pc,
                p.op_cta,
                p.op_block,
                p.op_threads,
            ];
            for (place, value) in places.into_iter().zip(values) {
                self.flat.set(place, value);
            }
            self.flat.set(p.op_valid, code.is_some().into());
        }
    }

    impl Device for Verilog {
        fn outputs(&mut self) -> Ports {
            let ports = self.outputs.read(&self.flat);
            ports.unwrap_or_else(|e| panic!("{e}"))
        }

        fn step(&mut self, i: &Inputs) -> Ports {
            self.set_op(i.op);
            let before = self.outputs();
            let p = &self.inputs;
            self.flat.set(p.reset, i.reset.into());
            self.flat.set(p.cfg_priority, i.cfg_priority.into());
            self.flat.set(p.verdict_ready, i.verdict_ready.into());
            self.flat.set(p.wake_ready, i.wake_ready.into());
            self.flat.settle();
            let outputs = self.outputs();
            let same = Ports {
                op_ready: before.op_ready,
                ..outputs.clone()
            };
            assert!(
                before == same,
                "an output other than op_ready follows an input of the same cycle"
            );
            let ports = Ports {
                reset: i.reset,
                cfg_priority: i.cfg_priority,
                op_valid: i.op.is_some(),
                op: i.op.unwrap_or_default(),
                verdict_ready: i.verdict_ready,
                wake_ready: i.wake_ready,
                ..outputs
            };
            self.flat.edge();
            ports
        }
    }
}
