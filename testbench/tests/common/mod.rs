//! Operations without a program, in lockstep on the hardware.
#![allow(dead_code)]

use weft_generate::Config;
use weft_sim::{Policy, Record, Registers};
use weft_testbench::dut::{self, OpenOptions, RtlKind};
use weft_testbench::lanes::{Lanes, Resolve};
use weft_testbench::lockstep::{Lockstep, Observer, Retired, Watchdog};
use weft_testbench::reference::{Expected, Operations, Reference};
use weft_testbench::registers::Accesses;
use weft_testbench::session::{self, Launch, Levels, Session, Surroundings, Trap};

/// The smallest window.
pub const TINY: Config = Config::new(4, 4, 2, 1);

pub const KINDS: [RtlKind; 2] = [RtlKind::RustHdl, RtlKind::Verilated];

pub fn levels(yield_every: u16, forced_yield: u16) -> Levels {
    Levels {
        policy: Policy {
            yield_every,
            forced_yield,
            ..Policy::default()
        },
        ..Levels::default()
    }
}

/// All threads of a warp of four, in an allocation of its own.
pub fn all(warp: usize) -> Launch {
    Launch {
        warp,
        pc: 0,
        mask: 0xf,
        base: 0x100 * warp as u32,
        size: 64,
    }
}

/// The observer of a run sees what retires.
#[derive(Default)]
pub struct Events(pub Vec<Record>);

impl Observer for Events {
    fn retired(&mut self, event: &Retired) {
        self.0.push(*event.record);
    }
}

/// What came of a run.
pub struct Ran {
    pub records: Vec<Record>,
    pub traps: Vec<Trap>,
    pub recentered: u32,
}

/// Runs these launches against the model's convergence unit. Gives what retired and what trapped.
pub fn operate(
    kind: RtlKind,
    lanes: impl Lanes,
    launches: &[Launch],
    levels: Levels,
) -> (Vec<Record>, Vec<Trap>) {
    let around = Surroundings {
        noise: true,
        ..Surroundings::default()
    };
    let ran = operate_in(kind, TINY, lanes, launches, levels, &around);
    (ran.records, ran.traps)
}

pub fn operate_in(
    kind: RtlKind,
    size: Config,
    mut lanes: impl Lanes,
    launches: &[Launch],
    levels: Levels,
    around: &Surroundings,
) -> Ran {
    let mut opened = dut::open(kind, size, &OpenOptions::default()).expect("a design");
    session::reset(opened.control.as_mut());
    let mut session = Session::new(opened.control.as_mut(), size, levels, around);
    launches.iter().for_each(|l| session.launch(*l));
    let mut reference = Operations::new(size.warps, size.threads, levels);
    let mut events = Events::default();
    let mut traps = Traps {
        inner: &mut reference,
        seen: Vec::new(),
    };
    let most = launches.iter().map(|l| l.size).max().unwrap_or(0);
    let mut lockstep = Lockstep {
        session,
        lanes: &mut lanes,
        reference: Some(&mut traps),
        watchdog: Watchdog::default().for_memory(around.memory.slowness(), most.into()),
        cycles: Some(2_000_000),
        observers: vec![&mut events],
        with_state: false,
        accesses: Accesses::none(),
    };
    lockstep
        .run(size)
        .unwrap_or_else(|e| panic!("{} {size}: {e}", kind.name()));
    let recentered = lockstep.session.recentered();
    drop(lockstep);
    Ran {
        records: events.0,
        traps: traps.seen,
        recentered,
    }
}

/// Notes the exceptions that the model expects; the hardware has agreed to them.
struct Traps<'a> {
    inner: &'a mut Operations,
    seen: Vec<Trap>,
}

impl Reference for Traps<'_> {
    fn launched(&mut self, launch: Launch) {
        self.inner.launched(launch);
    }
    fn step(&mut self, warp: usize, resolve: &Resolve) -> Option<Expected> {
        let expected = self.inner.step(warp, resolve);
        if let Some(Expected::Trap(trap)) = expected {
            self.seen.push(trap);
        }
        expected
    }
    fn warp(&self, warp: usize) -> Option<&weft_sim::Warp> {
        self.inner.warp(warp)
    }
    fn registers_mut(&mut self, warp: usize) -> Option<&mut Registers> {
        self.inner.registers_mut(warp)
    }
    fn recentered(&self) -> u64 {
        self.inner.recentered()
    }
}
