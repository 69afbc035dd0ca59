//! One design under test with its ports: launches, lanes and monitors, cycle by cycle.

use crate::lanes::{Lanes, Noise, Resolve};
use crate::memory::{MemoryTiming, Request, TokenMemory};
use crate::monitor::{At, Monitor, Rule, Violation};
use crate::timing::{Clockwork, Timing};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use weft_generate::Config;
use weft_ports::control::{Control, Inputs, Outputs};
use weft_sim::{Event, Policy, Record, Token};

/// A warp to start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Launch {
    pub warp: usize,
    /// Instruction index.
    pub pc: u32,
    pub mask: u64,
    /// Its token allocation: address of the first token, N.
    pub base: u32,
    pub size: u16,
}

/// What the exception port said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trap {
    pub warp: usize,
    pub pc: u32,
    pub cause: u8,
}

/// What happened in one cycle.
#[derive(Clone, Copy, Debug, Default)]
pub struct Happened {
    pub launched: Option<Launch>,
    pub issued: Option<usize>,
    /// Warp of a resolve transfer.
    pub resolved: Option<usize>,
    /// A WAKE at the resolve port, if it is not simply taken.
    pub waking: Option<Waking>,
    pub retired: Option<Record>,
    pub trapped: Option<Trap>,
    /// A request that the token memory took.
    pub requested: Option<Request>,
    /// Tag of a response that was taken.
    pub responded: Option<u16>,
    /// A configuration access that was taken.
    pub accessed: Option<Access>,
    /// A configuration access that is done, and its result.
    pub answered: Option<(Access, u32)>,
}

/// What becomes of a WAKE, beyond being carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waking {
    /// Its warp has an operation on its way.
    Waits,
    /// Its warp does not run: taken and lost.
    Ignored,
}

/// One access through the configuration port (docs/spec/spill.md).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    pub warp: usize,
    pub register: u8,
    /// `None`: it only reads.
    pub write: Option<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Issued {
    due: u64,
    warp: usize,
    pc: u32,
    mask: u64,
}

/// Who moves tokens when the deque reaches an end of its allocation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Recenter {
    /// The hardware (SPILL-022).
    #[default]
    Hardware,
    /// Software (SPILL-023), here [`crate::driver`].
    Driver,
}

/// Policy levels; may change only while no warp runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Levels {
    pub policy: Policy,
    pub recenter: Recenter,
}

/// How everything around the design behaves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Surroundings {
    pub lanes: Timing,
    pub memory: MemoryTiming,
    pub seed: u64,
    /// Fill unused resolve fields at random.
    pub noise: bool,
}

/// Resets a design.
pub fn reset(dut: &mut dyn Control) {
    let inputs = Inputs {
        reset: true,
        ..Inputs::default()
    };
    for _ in 0..4 {
        dut.settle(&inputs);
        dut.edge();
    }
}

pub struct Session<'a> {
    dut: &'a mut dyn Control,
    inputs: Inputs,
    monitor: Monitor,
    memory: TokenMemory,
    clockwork: Clockwork,
    noise: Option<Noise>,
    launches: VecDeque<Launch>,
    /// In the order of issue.
    in_lanes: VecDeque<Issued>,
    presented: Option<(usize, Resolve)>,
    /// A WAKE that is to be presented next, and its warp.
    wake: Option<(usize, Resolve)>,
    /// The one that is presented has had to wait for an operation of its warp.
    waited: bool,
    /// The latest resolve of every warp.
    resolved: Vec<Resolve>,
    /// The configuration access that is offered or under way.
    access: Option<Access>,
    /// A job was in flight in the latest cycle (`status_moving`), or one may have started in it.
    moving: bool,
    /// `status_recentered`: in the first cycle, now.
    recentered: Option<(u32, u32)>,
    cycle: u64,
}

impl<'a> Session<'a> {
    /// Starts with a design that has been reset and is at rest.
    pub fn new(
        dut: &'a mut dyn Control,
        config: Config,
        levels: Levels,
        around: &Surroundings,
    ) -> Session<'a> {
        let (policy, seed) = (levels.policy, around.seed);
        Session {
            dut,
            inputs: Inputs {
                cfg_yield_every: policy.yield_every,
                cfg_forced_yield: policy.forced_yield,
                cfg_yield_random: policy.yield_random,
                cfg_yield_threshold: policy.yield_threshold,
                cfg_yield_seed: policy.yield_seed,
                cfg_path: policy.path.code(),
                cfg_lanes: policy.lanes_level(),
                cfg_recenter: levels.recenter == Recenter::Driver,
                ..Inputs::default()
            },
            monitor: Monitor::resumed(config),
            memory: TokenMemory::new(around.memory, config.threads, seed),
            clockwork: Clockwork::new(around.lanes, seed),
            noise: around.noise.then(|| Noise::new(seed, config.threads)),
            launches: VecDeque::new(),
            in_lanes: VecDeque::new(),
            presented: None,
            wake: None,
            waited: false,
            resolved: vec![Resolve::default(); config.warps],
            access: None,
            moving: true,
            recentered: None,
            cycle: 0,
        }
    }

    pub fn launch(&mut self, launch: Launch) {
        self.launches.push_back(launch);
    }

    /// Cycles of this session.
    pub fn cycle_number(&self) -> u64 {
        self.cycle
    }

    /// Nothing runs, nothing is to be launched, and no tokens are on their way.
    pub fn finished(&self) -> bool {
        self.launches.is_empty()
            && !self.inputs.launch_valid
            && self.monitor.idle()
            && !self.moving
            && self.access.is_none()
    }

    /// What the latest operation of this warp was resolved to.
    pub fn resolved(&self, warp: usize) -> &Resolve {
        &self.resolved[warp]
    }

    pub fn monitor(&self) -> &Monitor {
        &self.monitor
    }

    /// The token memory, from outside.
    pub fn memory(&mut self) -> &mut TokenMemory {
        &mut self.memory
    }

    /// Recenterings in this session, by `status_recentered`.
    pub fn recentered(&self) -> u32 {
        self.recentered
            .map_or(0, |(first, now)| now.wrapping_sub(first))
    }

    /// The configuration port is free.
    pub fn may_access(&self) -> bool {
        self.access.is_none()
    }

    /// Does the warp rest, so that writing one of its counters has a defined effect?
    /// It keeps resting until the access is done.
    pub fn may_write(&self, warp: usize) -> bool {
        let presented = self.presented.is_some_and(|(of, _)| of == warp);
        !presented && self.monitor.at_rest(warp)
    }

    /// Offers an access from the next cycle on.
    ///
    /// # Panics
    /// When the port is not free.
    pub fn access(&mut self, access: Access) {
        assert!(self.access.is_none(), "one access at a time");
        self.access = Some(access);
        self.inputs.config_valid = true;
        self.inputs.config_warp = access.warp as u8;
        self.inputs.config_register = access.register;
        self.inputs.config_write = access.write.is_some();
        self.inputs.config_data = access.write.unwrap_or(0);
    }

    /// One clock cycle.
    pub fn cycle(&mut self, lanes: &mut dyn Lanes) -> Result<Happened, Violation> {
        self.offer_launch();
        self.memory.drive(&mut self.inputs);
        self.inputs.issue_ready = self.clockwork.issue_ready();
        let held = self.inputs.resolve_valid;
        let free = held || !self.clockwork.gap();
        if !held && free {
            self.offer_due(lanes);
        }
        let mut outputs = self.dut.settle(&self.inputs);
        let issued = (outputs.issue_valid && self.inputs.issue_ready).then_some(Issued {
            due: self.cycle,
            warp: usize::from(outputs.issue_warp),
            pc: outputs.issue_pc,
            mask: outputs.issue_mask,
        });
        if let Some(mut instruction) = issued {
            self.check_issue(&instruction)?;
            instruction.due += self.clockwork.latency();
            self.in_lanes.push_back(instruction);
            if instruction.due == self.cycle && free && !self.inputs.resolve_valid {
                // The answer in the cycle of the question.
                self.offer_due(lanes);
                let before = outputs;
                outputs = self.dut.settle(&self.inputs);
                self.check_no_loop(&before, &outputs)?;
            }
        }
        let happened = self.observe(&outputs, issued);
        if let Some((warp, resolve)) = self.presented.filter(|_| outputs.resolve_ready) {
            self.resolved[warp] = resolve;
        }
        self.end_cycle(&outputs)?;
        Ok(happened)
    }

    /// Lanes index by warp and mask: these must make sense before the monitor sees them.
    fn check_issue(&self, i: &Issued) -> Result<(), Violation> {
        let broken = |rule, detail| {
            Err(Violation {
                cycle: self.cycle,
                rule,
                detail,
            })
        };
        match self.monitor.ready(i.warp) {
            None if self.monitor.in_flight(i.warp).is_some() => broken(
                Rule::IssueInFlight,
                format!("warp {} at {}", i.warp, At(i.pc)),
            ),
            None => broken(
                Rule::IssueIdleWarp,
                format!("warp {} at {}", i.warp, At(i.pc)),
            ),
            Some((pc, mask)) if (pc, mask) != (i.pc, i.mask) => {
                let detail = format!(
                    "warp {}: issue at {} mask {:#x}, goes on at {} mask {mask:#x}",
                    i.warp,
                    At(i.pc),
                    i.mask,
                    At(pc)
                );
                broken(Rule::IssueWrongPlace, detail)
            }
            Some(_) => Ok(()),
        }
    }

    /// `valid` never waits for `ready`, and the issue port never for the resolve that answers it.
    fn check_no_loop(&self, before: &Outputs, after: &Outputs) -> Result<(), Violation> {
        let issue = |o: &Outputs| (o.issue_valid, o.issue_warp, o.issue_pc, o.issue_mask);
        match issue(before) == issue(after) {
            true => Ok(()),
            false => Err(Violation {
                cycle: self.cycle,
                rule: Rule::IssueUnstable,
                detail: format!(
                    "offered {:x?}, after the resolve {:x?}",
                    issue(before),
                    issue(after)
                ),
            }),
        }
    }

    fn offer_launch(&mut self) {
        if !self.inputs.launch_valid {
            if let Some(launch) = self.launches.pop_front() {
                self.inputs.launch_valid = true;
                self.inputs.launch_warp = launch.warp as u8;
                self.inputs.launch_pc = launch.pc;
                self.inputs.launch_mask = launch.mask;
                self.inputs.launch_base = launch.base;
                self.inputs.launch_size = launch.size;
            }
        }
    }

    /// Presents a WAKE, or the resolve that has been due for the longest time.
    fn offer_due(&mut self, lanes: &mut dyn Lanes) {
        // A warp whose counters are being written rests.
        let written = self.access.filter(|a| a.write.is_some()).map(|a| a.warp);
        self.wake = self.wake.or_else(|| lanes.wake(&self.monitor));
        if let Some((warp, wake)) = self.wake.filter(|(warp, _)| Some(*warp) != written) {
            self.wake = None;
            return self.present(warp, wake);
        }
        let ready = self
            .in_lanes
            .iter()
            .enumerate()
            .filter(|(_, i)| i.due <= self.cycle && Some(i.warp) != written);
        let Some((index, &next)) = ready.min_by_key(|(index, i)| (i.due, *index)) else {
            return;
        };
        self.in_lanes.remove(index);
        let mut resolve = lanes.resolve(next.warp, next.pc, next.mask);
        if let Some(noise) = &mut self.noise {
            resolve = noise.apply(resolve, next.mask);
        }
        self.present(next.warp, resolve);
    }

    fn present(&mut self, warp: usize, resolve: Resolve) {
        let Resolve {
            op,
            kind,
            mask,
            target,
        } = resolve;
        self.presented = Some((warp, resolve));
        self.waited = false;
        self.inputs.resolve_valid = true;
        self.inputs.resolve_warp = warp as u8;
        (self.inputs.resolve_op, self.inputs.resolve_kind) = (op, kind);
        (self.inputs.resolve_mask, self.inputs.resolve_target) = (mask, target);
    }

    /// What the ports say, as records.
    fn observe(&mut self, o: &Outputs, issued: Option<Issued>) -> Happened {
        let warp = usize::from(o.retire_warp);
        // The mask that the operation was issued with: in this very cycle, or before; or for a forced yield the mask
        // that the warp goes on with.
        let at_once = issued.filter(|i| i.warp == warp).map(|i| i.mask);
        let before = self
            .monitor
            .in_flight(warp)
            .or(self.monitor.ready(warp))
            .map(|(_, mask)| mask);
        let token = Token {
            kind: o.retire_front_kind,
            mask: o.retire_front_mask,
            address: o.retire_front_pc,
            below: o.retire_front_below,
        };
        let retired = o.retire_valid.then(|| Record {
            warp,
            // An unknown code is a violation that the monitor reports in this very cycle.
            event: Event::from_code(o.retire_op).unwrap_or(Event::Next),
            pc: o.retire_pc,
            mask: at_once.or(before).unwrap_or(0),
            next_pc: match o.retire_done || o.retire_blocked {
                true => 0,
                false => o.retire_next_pc,
            },
            next_mask: o.retire_next_mask,
            done: o.retire_done,
            blocked: o.retire_blocked,
            depth: o.retire_depth.into(),
            front: (o.retire_depth != 0).then_some(token),
            dropped: o.retire_dropped,
        });
        let trapped = o.exception_valid.then_some(Trap {
            warp: o.exception_warp.into(),
            pc: o.exception_pc,
            cause: o.exception_cause,
        });
        let launched = (self.inputs.launch_valid && o.launch_ready).then_some(Launch {
            warp: self.inputs.launch_warp.into(),
            pc: self.inputs.launch_pc,
            mask: self.inputs.launch_mask,
            base: self.inputs.launch_base,
            size: self.inputs.launch_size,
        });
        if let Some(launch) = launched {
            // What an earlier warp has left there is no token of this one.
            self.memory.forget(launch.base, launch.size.into());
        }
        let resolved = (self.inputs.resolve_valid && o.resolve_ready)
            .then_some(self.inputs.resolve_warp.into());
        let wake = self.presented.filter(|(_, resolve)| resolve.is_wake());
        let waking = wake.and_then(|(warp, _)| match o.resolve_ready {
            true => (!self.monitor.running(warp)).then_some(Waking::Ignored),
            false => (self.monitor.engaged(warp) && !self.waited).then_some(Waking::Waits),
        });
        self.waited |= waking == Some(Waking::Waits);
        Happened {
            launched,
            issued: issued.map(|i| i.warp),
            resolved,
            waking,
            retired,
            trapped,
            requested: Request::offered(o).filter(|_| self.inputs.spill_request_ready),
            responded: (self.inputs.spill_response_valid && o.spill_response_ready)
                .then_some(self.inputs.spill_response_tag),
            accessed: self
                .access
                .filter(|_| self.inputs.config_valid && o.config_ready),
            answered: self
                .access
                .filter(|_| o.config_done)
                .map(|access| (access, o.config_result)),
        }
    }

    /// Monitors, clock edge, transfers.
    fn end_cycle(&mut self, outputs: &Outputs) -> Result<(), Violation> {
        self.monitor.cycle(&self.inputs, outputs)?;
        self.memory.edge(&self.inputs, outputs);
        self.dut.edge();
        self.cycle += 1;
        // The last operation of a warp may start a job that shows in the next cycle.
        self.moving = outputs.status_moving != 0 || outputs.retire_valid || outputs.exception_valid;
        let now = outputs.status_recentered;
        self.recentered = Some((self.recentered.map_or(now, |(first, _)| first), now));
        if self.inputs.config_valid && outputs.config_ready {
            self.inputs.config_valid = false;
        }
        if outputs.config_done {
            self.access = None;
        }
        if outputs.launch_ready {
            self.inputs.launch_valid = false;
        }
        if outputs.resolve_ready {
            self.inputs.resolve_valid = false;
            self.presented = None;
        }
        Ok(())
    }
}
