//! Surroundings without chance: operations one after the other, everything else at once, unless a test says so.

use super::device::{open, Inputs, Kind, Size};
use super::episode::{Lockstep, Trouble};
use std::collections::VecDeque;
use weft_sim::barrier::{Op, OpCode, Ports, Word};

/// A device under judge and monitors.
pub struct Bench {
    lockstep: Lockstep,
    ops: VecDeque<Op>,
    pub priority: u16,
    pub verdict_ready: bool,
    pub wake_ready: bool,
    /// Everything since the last reset.
    pub log: Vec<(u64, Ports)>,
    warps: usize,
}

impl Bench {
    pub fn new(kind: Kind, size: Size) -> Result<Bench, String> {
        let device = open(kind, size, 1, None)?;
        let mut bench = Bench {
            lockstep: Lockstep::new(device, size, None),
            ops: VecDeque::new(),
            priority: 0,
            verdict_ready: true,
            wake_ready: true,
            log: Vec::new(),
            warps: size.warps,
        };
        for _ in 0..2 {
            let reset = Inputs {
                reset: true,
                ..Inputs::default()
            };
            bench
                .lockstep
                .step(&reset, None)
                .map_err(|e| e.to_string())?;
        }
        Ok(bench)
    }

    pub fn give(&mut self, op: Op) {
        self.ops.push_back(op);
    }

    pub fn launch(&mut self, cta: usize, first: usize, blocks: usize, threads: u32, width: usize) {
        for block in 0..blocks {
            let count = (threads as usize - block * width).min(width);
            self.give(Op {
                code: OpCode::Launch,
                warp: first + block,
                active: u64::MAX >> (64 - count),
                cta,
                block,
                threads,
                ..Op::default()
            });
        }
        assert!(first + blocks <= self.warps);
    }

    /// TOP with A = S.
    pub fn top(&mut self, warp: usize, mask: u64, id: usize, word: Word, pc: u32) {
        self.give(Op {
            code: OpCode::Top,
            warp,
            active: mask,
            mask,
            id,
            word,
            pc,
            ..Op::default()
        });
    }

    pub fn op(&mut self, code: OpCode, warp: usize, mask: u64, id: usize, pc: u32) {
        self.give(Op {
            code,
            warp,
            active: mask,
            mask,
            id,
            pc,
            ..Op::default()
        });
    }

    /// One cycle; the ports in it.
    pub fn step(&mut self) -> Result<Ports, Trouble> {
        let cycle = self.lockstep.judge().now();
        let inputs = Inputs {
            reset: false,
            cfg_priority: self.priority,
            op: self.ops.front().copied(),
            verdict_ready: self.verdict_ready,
            wake_ready: self.wake_ready,
        };
        let ports = self.lockstep.step(&inputs, None)?;
        if ports.taken().is_some() {
            self.ops.pop_front();
        }
        self.log.push((cycle, ports.clone()));
        Ok(ports)
    }

    /// # Panics
    /// When something is wrong.
    pub fn run(&mut self, cycles: u64) {
        for _ in 0..cycles {
            if let Err(trouble) = self.step() {
                panic!("{trouble}\n{}", self.lockstep.listing().join("\n"));
            }
        }
    }

    /// Until all operations are taken and nothing happens any more.
    pub fn settle(&mut self) {
        let mut quiet = 0;
        while quiet < 60 {
            let before = self.ops.len();
            self.run(1);
            let ports = &self.log.last().expect("a cycle").1;
            let busy = ports.verdict.is_some() || ports.wake.is_some() || ports.event.is_some();
            let still = before == 0 && !busy;
            quiet = if still { quiet + 1 } else { 0 };
        }
    }

    pub fn lockstep(&self) -> &Lockstep {
        &self.lockstep
    }

    pub fn now(&self) -> u64 {
        self.lockstep.judge().now()
    }

    /// Cycle in which the latest operation was taken.
    pub fn taken(&self) -> Option<u64> {
        self.when(0, |p| p.taken().is_some()).last().copied()
    }

    /// The first cycle from `from` on in which this holds.
    pub fn first(&self, from: u64, holds: impl Fn(&Ports) -> bool) -> Option<u64> {
        self.when(from, holds).first().copied()
    }

    /// Cycles since `from` in which this holds.
    pub fn when(&self, from: u64, holds: impl Fn(&Ports) -> bool) -> Vec<u64> {
        let log = self.log.iter().filter(|(n, _)| *n >= from);
        log.filter(|(_, p)| holds(p)).map(|(n, _)| *n).collect()
    }
}
