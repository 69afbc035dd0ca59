//! Watchpoints: which accesses of a warp's next instruction somebody waits for.

use crate::thread::Thread;
use std::ops::Range;
use weft_isa::Instr;
use weft_sim::lane::data_address;
use weft_sim::space::{load_size, store_size};
use weft_sim::Machine;

/// Which accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Write,
    Read,
    Either,
}

/// Bytes that are watched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watch {
    pub kind: Kind,
    pub range: Range<u64>,
}

impl Watch {
    pub fn new(kind: Kind, address: u32, bytes: u32) -> Watch {
        let begin = u64::from(address);
        Watch {
            kind,
            range: begin..begin + u64::from(bytes.max(1)),
        }
    }
}

/// An access that somebody waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    pub thread: Thread,
    pub watch: Watch,
}

/// The accesses that a warp's next instruction makes to watched bytes, by lane. One that faults is among them.
pub fn hits(machine: &Machine, warp: usize, watches: &[Watch]) -> Vec<Hit> {
    let Some(instr) = machine.next_instruction(warp) else {
        return Vec::new();
    };
    let (size, reads, writes) = match instr {
        Instr::Load { width, .. } => (load_size(width), true, false),
        Instr::Store { width, .. } => (store_size(width), false, true),
        Instr::LoadReserved { .. } => (4, true, false),
        // One that fails writes nothing; GDB compares the value.
        Instr::StoreConditional { .. } => (4, false, true),
        Instr::Amo { .. } => (4, true, true),
        _ => return Vec::new(),
    };
    let acting = machine.acting(warp, instr).unwrap_or(0);
    let mut all = Vec::new();
    for lane in (0..64).filter(|lane| acting >> lane & 1 != 0) {
        let Some(address) = data_address(instr, machine.thread(warp, lane)) else {
            continue;
        };
        let touched = u64::from(address)..u64::from(address) + u64::from(size);
        for watch in watches {
            let asked = match watch.kind {
                Kind::Write => writes,
                Kind::Read => reads,
                Kind::Either => true,
            };
            if asked && touched.start < watch.range.end && watch.range.start < touched.end {
                all.push(Hit {
                    thread: Thread { warp, lane },
                    watch: watch.clone(),
                });
            }
        }
    }
    all
}
