//! Protocol monitors of the control plane's ports (docs/spec/control.md, docs/spec/scheduler.md, docs/spec/spill.md).
//!
//! They know nothing about instructions: only who may move when, what must hold still, and that the trace of a warp is
//! connected (each operation starts where the last one said that the warp goes on).

use crate::memory::{Allocation, Checker};
pub use crate::rule::{Rule, Violation};
use std::fmt;
use weft_generate::Config;
use weft_ports::control::{barrier, cause, register, Inputs, Op, Outputs};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Idle,
    /// Goes on there.
    Ready {
        pc: u32,
        mask: u64,
    },
    Issued {
        pc: u32,
        mask: u64,
    },
    Resolved {
        pc: u32,
        mask: u64,
        op: u8,
    },
    /// All its threads sleep, are masked or have ended (CONV-151); its latest operation was there.
    Blocked {
        pc: u32,
    },
    /// A launch that must be refused (SPILL-024), until it is.
    Refused {
        pc: u32,
    },
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            State::Idle => f.write_str("idle"),
            State::Refused { pc } => write!(f, "to be refused at {}", At(pc)),
            State::Blocked { pc } => write!(f, "blocked at {}", At(pc)),
            State::Ready { pc, mask } => write!(f, "ready at {} mask {mask:#x}", At(pc)),
            State::Issued { pc, mask } => write!(f, "issued at {} mask {mask:#x}", At(pc)),
            State::Resolved { pc, mask, op } => {
                write!(f, "resolved as op {op} at {} mask {mask:#x}", At(pc))
            }
        }
    }
}

/// An instruction index, shown as a byte address.
pub struct At(pub u32);

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#07x}", self.0 << 2)
    }
}

/// What a warp may be after an operation, with nobody active: blocked; running on (CONV-110).
#[derive(Clone, Copy)]
struct After {
    blocked: bool,
    vacant: bool,
}

#[derive(Clone, Copy, Debug)]
struct Warp {
    state: State,
    /// Issues of other warps since this one became ready.
    overtaken: usize,
    /// Its forced yield since the last operation was seen.
    forced: bool,
    /// It waits for its driver (SPILL-023).
    stopped: bool,
    /// A WAKE of it is on its way; `state` is what it found.
    waking: bool,
    /// N
    size: u16,
}

impl Warp {
    const IDLE: Warp = Warp {
        state: State::Idle,
        overtaken: 0,
        forced: false,
        stopped: false,
        waking: false,
        size: 0,
    };
}

/// What has to hold on the configuration port until it is taken: warp, register, write, data.
type Access = (u8, u8, bool, u32);

pub struct Monitor {
    config: Config,
    warps: Vec<Warp>,
    last_issue: Option<(u8, u32, u64)>,
    last_launch: Option<(u8, u32, u64, u32, u16)>,
    last_resolve: Option<(u8, u8, u8, u64, u32)>,
    last_access: Option<Access>,
    /// The access that was taken, and the cycle in which it is done.
    accessing: Option<(Access, u64)>,
    dropped: u32,
    recentered: u32,
    spill: Checker,
    /// Take the next `status_dropped` and `status_recentered` as they are.
    adopt: bool,
    cycle: u64,
}

impl Monitor {
    pub fn new(config: Config) -> Monitor {
        Monitor {
            config,
            warps: vec![Warp::IDLE; config.warps],
            last_issue: None,
            last_launch: None,
            last_resolve: None,
            last_access: None,
            accessing: None,
            dropped: 0,
            recentered: 0,
            spill: Checker::new(config),
            adopt: false,
            cycle: 0,
        }
    }

    /// For a design that is at rest but has run before: its counters go on.
    pub fn resumed(config: Config) -> Monitor {
        Monitor {
            adopt: true,
            ..Monitor::new(config)
        }
    }

    /// pc and mask of the operation that the warp has in flight.
    pub fn in_flight(&self, warp: usize) -> Option<(u32, u64)> {
        match self.warps.get(warp)?.state {
            State::Issued { pc, mask } | State::Resolved { pc, mask, .. } => Some((pc, mask)),
            State::Idle | State::Refused { .. } | State::Ready { .. } | State::Blocked { .. } => {
                None
            }
        }
    }

    /// Where a warp that has nothing in flight goes on.
    pub fn ready(&self, warp: usize) -> Option<(u32, u64)> {
        match self.warps.get(warp)?.state {
            State::Ready { pc, mask } => Some((pc, mask)),
            _ => None,
        }
    }

    pub fn running(&self, warp: usize) -> bool {
        self.warps[warp].state != State::Idle
    }

    /// It runs, but all its threads sleep or have ended, and no WAKE is on its way.
    pub fn blocked(&self, warp: usize) -> bool {
        let w = &self.warps[warp];
        !w.waking && matches!(w.state, State::Blocked { .. })
    }

    /// It has an operation between resolve and retire.
    pub fn engaged(&self, warp: usize) -> bool {
        let w = &self.warps[warp];
        w.waking || matches!(w.state, State::Resolved { .. })
    }

    /// It has an instruction between issue and resolve.
    pub fn issued(&self, warp: usize) -> bool {
        matches!(self.warps[warp].state, State::Issued { .. })
    }

    pub fn idle(&self) -> bool {
        self.warps.iter().all(|w| w.state == State::Idle)
    }

    /// It has no operation between resolve and retire, and does not wait for its driver.
    pub fn at_rest(&self, warp: usize) -> bool {
        let w = &self.warps[warp];
        let settled = matches!(
            w.state,
            State::Ready { .. } | State::Issued { .. } | State::Blocked { .. }
        );
        !w.stopped && !w.waking && settled
    }

    /// It waits for its driver.
    pub fn stopped(&self, warp: usize) -> bool {
        self.warps[warp].stopped
    }

    /// Its allocation, since its latest launch.
    pub fn size(&self, warp: usize) -> u16 {
        self.warps[warp].size
    }

    /// Warps that run, each with the pc of its instruction in flight or to come.
    pub fn places(&self) -> Vec<(usize, u32)> {
        let place = |w: &Warp| match w.state {
            State::Idle => None,
            State::Ready { pc, .. }
            | State::Issued { pc, .. }
            | State::Resolved { pc, .. }
            | State::Blocked { pc }
            | State::Refused { pc } => Some(pc),
        };
        self.warps
            .iter()
            .enumerate()
            .filter_map(|(n, w)| Some((n, place(w)?)))
            .collect()
    }

    fn broken<T>(&self, rule: Rule, detail: String) -> Result<T, Violation> {
        Err(Violation {
            cycle: self.cycle,
            rule,
            detail,
        })
    }

    /// To be called once per cycle with the settled ports, before the edge.
    pub fn cycle(&mut self, i: &Inputs, o: &Outputs) -> Result<(), Violation> {
        if i.reset {
            *self = Monitor {
                cycle: self.cycle + 1,
                ..Monitor::new(self.config)
            };
            return Ok(());
        }
        if std::mem::take(&mut self.adopt) {
            self.dropped = o.status_dropped;
            self.recentered = o.status_recentered;
        }
        self.check_busy(o)?;
        self.issue(i, o)?;
        self.resolve(i, o)?;
        self.access(i, o)?;
        self.retire(o)?;
        self.exception(i, o)?;
        self.launch(i, o)?;
        self.check_recentered(i, o)?;
        let (cycle, spill) = (self.cycle, self.spill.cycle(i, o));
        spill.map_err(|(rule, detail)| Violation {
            cycle,
            rule,
            detail,
        })?;
        self.cycle += 1;
        Ok(())
    }

    /// All launched warps have ended, and everything is at rest.
    pub fn finish(&self) -> Result<(), Violation> {
        match self.places().first() {
            Some((warp, pc)) => self.broken(Rule::LostWarp, format!("warp {warp} at {}", At(*pc))),
            None => Ok(()),
        }
    }

    fn warp(&self, warp: u8, port: &str) -> Result<usize, Violation> {
        let warp = usize::from(warp);
        match warp < self.config.warps {
            true => Ok(warp),
            false => self.broken(
                Rule::RetireInconsistent,
                format!("{port} names warp {warp} of {}", self.config.warps),
            ),
        }
    }

    fn check_busy(&self, o: &Outputs) -> Result<(), Violation> {
        for (n, warp) in self.warps.iter().enumerate() {
            let shown = o.status_busy >> n & 1 != 0;
            let runs = warp.state != State::Idle;
            // In the cycle of the pulse that ends a warp the bit may show either.
            let ending = (o.retire_valid && o.retire_done && usize::from(o.retire_warp) == n)
                || (o.exception_valid && usize::from(o.exception_warp) == n)
                || matches!(warp.state, State::Refused { .. });
            if shown != runs && !ending {
                return self.broken(
                    Rule::StatusBusy,
                    format!("warp {n}: shown {shown}, runs {runs}"),
                );
            }
        }
        Ok(())
    }

    fn issue(&mut self, i: &Inputs, o: &Outputs) -> Result<(), Violation> {
        let offer = o
            .issue_valid
            .then_some((o.issue_warp, o.issue_pc, o.issue_mask));
        if let Some(last) = self.last_issue {
            if offer != Some(last) {
                return self.broken(
                    Rule::IssueUnstable,
                    format!("offered {last:x?}, now {offer:x?}"),
                );
            }
        }
        self.last_issue = None;
        let Some((warp, pc, mask)) = offer else {
            return Ok(());
        };
        let n = self.warp(warp, "issue")?;
        match self.warps[n].state {
            state @ (State::Idle | State::Refused { .. } | State::Blocked { .. }) => {
                let detail = format!("warp {n} at {}, but it is {state}", At(pc));
                return self.broken(Rule::IssueIdleWarp, detail);
            }
            State::Issued { pc: at, .. } | State::Resolved { pc: at, .. } => {
                return self.broken(
                    Rule::IssueInFlight,
                    format!("warp {n} at {}, in flight at {}", At(pc), At(at)),
                );
            }
            State::Ready { pc: at, mask: who } if (at, who) != (pc, mask) => {
                let detail = format!(
                    "warp {n}: issue at {} mask {mask:#x}, goes on at {} mask {who:#x}",
                    At(pc),
                    At(at)
                );
                return self.broken(Rule::IssueWrongPlace, detail);
            }
            State::Ready { .. } => {}
        }
        if !i.issue_ready {
            self.last_issue = offer;
            return Ok(());
        }
        // Judged only now: a forced yield after the operation, which comes with a retire of its own, starts anew.
        if self.warps[n].overtaken > self.config.warps - 1 {
            return self.broken(
                Rule::Starvation,
                format!("warp {n}, {} others", self.warps[n].overtaken),
            );
        }
        self.warps[n].state = State::Issued { pc, mask };
        for waiting in &mut self.warps {
            waiting.overtaken += usize::from(matches!(waiting.state, State::Ready { .. }));
        }
        Ok(())
    }

    fn resolve(&mut self, i: &Inputs, o: &Outputs) -> Result<(), Violation> {
        let offer = (
            i.resolve_warp,
            i.resolve_op,
            i.resolve_kind,
            i.resolve_mask,
            i.resolve_target,
        );
        let offer = i.resolve_valid.then_some(offer);
        if let Some(last) = self.last_resolve {
            if offer != Some(last) {
                return self.broken(
                    Rule::Testbench,
                    format!("resolve offered {last:x?}, now {offer:x?}"),
                );
            }
        }
        self.last_resolve = offer.filter(|_| !o.resolve_ready);
        if offer.is_none() || !o.resolve_ready {
            return Ok(());
        }
        let n = self.warp(i.resolve_warp, "resolve")?;
        let wake = (i.resolve_op, i.resolve_kind) == (Op::Barrier as u8, barrier::WAKE);
        let state = self.warps[n].state;
        let busy = matches!(state, State::Resolved { .. } | State::Refused { .. });
        if self.warps[n].waking || (wake && busy) {
            let waking = if self.warps[n].waking {
                ", to be woken"
            } else {
                ""
            };
            return self.broken(Rule::ResolveEngaged, format!("warp {n}, {state}{waking}"));
        }
        if wake {
            self.warps[n].waking = state != State::Idle;
            return Ok(());
        }
        match state {
            State::Issued { pc, mask } => {
                self.warps[n].state = State::Resolved {
                    pc,
                    mask,
                    op: i.resolve_op,
                }
            }
            state => {
                return self.broken(
                    Rule::Testbench,
                    format!("resolve of warp {n}, which is {state}"),
                )
            }
        }
        Ok(())
    }

    fn retire(&mut self, o: &Outputs) -> Result<(), Violation> {
        if !o.retire_valid {
            return self.check_dropped(o);
        }
        let n = self.warp(o.retire_warp, "retire")?;
        let (op, pc) = (o.retire_op, o.retire_pc);
        let forced = op == Op::ForcedYield as u8;
        if self.warps[n].stopped {
            return self.broken(
                Rule::EndedWhileStopped,
                format!("warp {n}: retire of op {op} at {}", At(pc)),
            );
        }
        if self.warps[n].waking {
            self.woken(n, o)?;
            return self.check_dropped(o);
        }
        match self.warps[n].state {
            State::Ready { pc: at, .. } if forced => {
                if self.warps[n].forced {
                    return self.broken(
                        Rule::EndedTwice,
                        format!("warp {n}: two forced yields after one operation"),
                    );
                }
                if self
                    .last_issue
                    .is_some_and(|(warp, ..)| usize::from(warp) == n)
                {
                    return self.broken(
                        Rule::RetireNotInFlight,
                        format!("warp {n}: forced yield after it was offered"),
                    );
                }
                if at != pc {
                    return self.broken(
                        Rule::RetireWrongOperation,
                        format!("warp {n}: forced yield at {}, not {}", At(pc), At(at)),
                    );
                }
            }
            State::Resolved {
                pc: at,
                op: resolved,
                ..
            } if !forced => {
                if (at, resolved) != (pc, op) {
                    let detail = format!(
                        "warp {n}: retires op {op} at {}, resolved op {resolved} at {}",
                        At(pc),
                        At(at)
                    );
                    return self.broken(Rule::RetireWrongOperation, detail);
                }
            }
            state => {
                return self.broken(
                    Rule::RetireNotInFlight,
                    format!("warp {n}: op {op} at {}, but it is {state}", At(pc)),
                )
            }
        }
        let exits = op == Op::Exit as u8;
        let vacant = matches!(self.warps[n].state, State::Resolved { mask: 0, .. });
        let after = After {
            blocked: !vacant && (exits || op == Op::Barrier as u8),
            vacant: vacant || exits || op == Op::Mask as u8,
        };
        self.check_record(n, o, after)?;
        if o.retire_dropped {
            if vacant
                || ![Op::Push, Op::Call, Op::Mask]
                    .iter()
                    .any(|&p| p as u8 == op)
            {
                return self.broken(
                    Rule::RetireInconsistent,
                    format!("warp {n}: op {op} shows a dropped push"),
                );
            }
            self.dropped = self.dropped.wrapping_add(1);
        }
        let state = match (o.retire_done, o.retire_blocked) {
            (true, _) => State::Idle,
            (false, true) => State::Blocked { pc },
            (false, false) => State::Ready {
                pc: o.retire_next_pc,
                mask: o.retire_next_mask,
            },
        };
        self.warps[n] = Warp {
            state,
            forced,
            overtaken: 0,
            ..self.warps[n]
        };
        self.check_dropped(o)
    }

    /// What retires agrees with itself, and with what may come after the operation.
    fn check_record(&self, n: usize, o: &Outputs, may: After) -> Result<(), Violation> {
        let width = u64::MAX >> (64 - self.config.threads);
        let (done, blocked, mask) = (o.retire_done, o.retire_blocked, o.retire_next_mask);
        let agrees = match (done, blocked) {
            (true, true) => false,
            (true, false) => mask == 0,
            (false, true) => mask == 0 && may.blocked,
            (false, false) => mask != 0 || may.vacant,
        };
        if !agrees || mask & !width != 0 {
            let detail = format!("warp {n}: done {done}, blocked {blocked}, next mask {mask:#x}");
            return self.broken(Rule::RetireInconsistent, detail);
        }
        if o.retire_depth > self.warps[n].size || (done && o.retire_depth != 0) {
            let detail = format!("warp {n}: depth {}, done {done}", o.retire_depth);
            return self.broken(Rule::RetireInconsistent, detail);
        }
        Ok(())
    }

    /// A WAKE retires: before any other operation of its warp, which goes on where it was;
    /// only a blocked one is ready now.
    fn woken(&mut self, n: usize, o: &Outputs) -> Result<(), Violation> {
        let (op, pc, state) = (o.retire_op, o.retire_pc, self.warps[n].state);
        if op != Op::Barrier as u8 {
            let detail = format!("warp {n}: op {op} at {} before its WAKE", At(pc));
            return self.broken(Rule::RetireWrongOperation, detail);
        }
        if o.retire_done || o.retire_dropped {
            let detail = format!(
                "warp {n}: WAKE shows done {}, dropped {}",
                o.retire_done, o.retire_dropped
            );
            return self.broken(Rule::RetireInconsistent, detail);
        }
        let vacant =
            State::Ready { pc, mask: 0 } == state || State::Issued { pc, mask: 0 } == state;
        let blocked = matches!(state, State::Blocked { .. });
        self.check_record(n, o, After { blocked, vacant })?;
        match state {
            State::Ready { pc: at, mask } | State::Issued { pc: at, mask } => {
                let seen = (pc, o.retire_next_pc, o.retire_next_mask);
                if seen != (at, at, mask) {
                    let detail = format!(
                        "warp {n}, {state}: WAKE at {}, goes on at {} mask {:#x}",
                        At(seen.0),
                        At(seen.1),
                        seen.2
                    );
                    return self.broken(Rule::WakeMoves, detail);
                }
            }
            _ if !o.retire_blocked => {
                self.warps[n].overtaken = 0;
                self.warps[n].forced = false;
                self.warps[n].state = State::Ready {
                    pc: o.retire_next_pc,
                    mask: o.retire_next_mask,
                };
            }
            _ => {}
        }
        self.warps[n].waking = false;
        Ok(())
    }

    /// In the cycle of a dropped push the counter may still show the value before.
    fn check_dropped(&self, o: &Outputs) -> Result<(), Violation> {
        let now = o.retire_valid && o.retire_dropped;
        let shown = o.status_dropped;
        if shown != self.dropped && !(now && shown.wrapping_add(1) == self.dropped) {
            return self.broken(
                Rule::StatusDropped,
                format!("shown {shown}, seen {}", self.dropped),
            );
        }
        Ok(())
    }

    fn exception(&mut self, i: &Inputs, o: &Outputs) -> Result<(), Violation> {
        if !o.exception_valid {
            return Ok(());
        }
        let (n, pc) = (self.warp(o.exception_warp, "exception")?, o.exception_pc);
        if o.retire_valid && o.retire_warp == o.exception_warp {
            return self.broken(
                Rule::EndedTwice,
                format!("warp {n}: retire and exception at once"),
            );
        }
        match (self.warps[n].state, o.exception_cause) {
            (_, cause::RECENTER) => return self.stop(i, n, pc),
            (State::Refused { pc: at }, cause::ALLOCATION) if at == pc => {}
            // In the cycle of the launch itself: `launch` sees to it.
            (State::Idle, cause::ALLOCATION)
                if i.launch_valid && o.launch_ready && i.launch_warp == o.exception_warp =>
            {
                return Ok(())
            }
            (State::Refused { .. }, _) => {
                let detail = format!("warp {n}: cause {} at {}", o.exception_cause, At(pc));
                return self.broken(Rule::Refusal, detail);
            }
            (State::Resolved { pc: at, .. }, _) if at == pc && !self.warps[n].stopped => {}
            (state, cause) => {
                let detail = format!("warp {n}: cause {cause} at {}, but it is {state}", At(pc));
                return self.broken(Rule::ExceptionNotInFlight, detail);
            }
        }
        self.warps[n] = Warp::IDLE;
        Ok(())
    }

    /// SPILL-023: an operation in flight, a WAKE, or a forced yield before the next one, waits for the driver.
    fn stop(&mut self, i: &Inputs, n: usize, pc: u32) -> Result<(), Violation> {
        let at = match self.warps[n].state {
            State::Resolved { pc, .. } | State::Ready { pc, .. } => Some(pc),
            State::Issued { pc, .. } if self.warps[n].waking => Some(pc),
            _ => None,
        };
        if !i.cfg_recenter || self.warps[n].stopped || at != Some(pc) {
            let detail = format!("warp {n} at {}, but it is {}", At(pc), self.warps[n].state);
            return self.broken(Rule::RecenterStop, detail);
        }
        self.warps[n].stopped = true;
        self.recentered = self.recentered.wrapping_add(1);
        let (cycle, stop) = (self.cycle, self.spill.stop(n));
        stop.map_err(|(rule, detail)| Violation {
            cycle,
            rule,
            detail,
        })
    }

    /// With a driver every recentering is reported, and in the cycle of the report the counter may show either value.
    /// Without one it counts what no port shows.
    fn check_recentered(&mut self, i: &Inputs, o: &Outputs) -> Result<(), Violation> {
        let shown = o.status_recentered;
        let now = o.exception_valid && o.exception_cause == cause::RECENTER;
        let agrees = match i.cfg_recenter {
            true => shown == self.recentered || (now && shown.wrapping_add(1) == self.recentered),
            false => shown.wrapping_sub(self.recentered) <= 1,
        };
        if !agrees {
            let detail = format!("shown {shown}, seen {}", self.recentered);
            return self.broken(Rule::StatusRecentered, detail);
        }
        if !i.cfg_recenter {
            self.recentered = shown;
        }
        Ok(())
    }

    /// The configuration port.
    fn access(&mut self, i: &Inputs, o: &Outputs) -> Result<(), Violation> {
        let due = self.accessing.filter(|(_, at)| *at == self.cycle);
        if o.config_done != due.is_some() {
            let detail = format!("done {}, under way {:?}", o.config_done, self.accessing);
            return self.broken(Rule::ConfigDone, detail);
        }
        if due.is_some() {
            self.accessing = None;
        }
        let offer = i.config_valid.then_some((
            i.config_warp,
            i.config_register,
            i.config_write,
            i.config_data,
        ));
        if self.last_access.is_some_and(|last| offer != Some(last))
            || (offer.is_some() && due.is_some())
        {
            let detail = format!("access {:?}, now {offer:?}", self.last_access);
            return self.broken(Rule::Testbench, detail);
        }
        self.last_access = offer.filter(|_| !o.config_ready);
        let Some(access) = offer.filter(|_| o.config_ready) else {
            return Ok(());
        };
        self.accessing = Some((access, self.cycle + 4));
        let n = self.warp(access.0, "configuration")?;
        match access {
            (_, register::HEAD, true, _) if !self.warps[n].stopped => {
                self.broken(Rule::Testbench, format!("HEAD of warp {n} is written"))
            }
            (_, register::RESUME, true, _) => {
                self.warps[n].stopped = false;
                self.spill.resume(n);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn launch(&mut self, i: &Inputs, o: &Outputs) -> Result<(), Violation> {
        let offer = i.launch_valid.then_some((
            i.launch_warp,
            i.launch_pc,
            i.launch_mask,
            i.launch_base,
            i.launch_size,
        ));
        if let Some(last) = self.last_launch {
            if offer != Some(last) {
                return self.broken(
                    Rule::Testbench,
                    format!("launch offered {last:x?}, now {offer:x?}"),
                );
            }
        }
        self.last_launch = offer.filter(|_| !o.launch_ready);
        let Some((warp, pc, mask, base, size)) = offer.filter(|_| o.launch_ready) else {
            return Ok(());
        };
        let n = self.warp(warp, "launch")?;
        if self.warps[n].state != State::Idle {
            return self.broken(Rule::LaunchBusy, format!("warp {n} runs"));
        }
        let refused = usize::from(size) <= self.config.threads;
        let now = o.exception_valid && usize::from(o.exception_warp) == n;
        if now && o.exception_cause == cause::ALLOCATION {
            return match refused && o.exception_pc == pc {
                true => Ok(()),
                false => self.broken(Rule::Refusal, format!("warp {n} has {size} tokens")),
            };
        }
        self.spill.launched(n, Allocation { base, size });
        self.warps[n] = Warp {
            state: match refused {
                true => State::Refused { pc },
                false => State::Ready { pc, mask },
            },
            size,
            ..Warp::IDLE
        };
        Ok(())
    }
}
