//! Every word as the operand of an instruction with one: 2,048 of them in each cycle with four lanes, by gates
//! ([`Sliced`]).
//!
//! Pass `n` holds the words from 512 × lanes × `n` on: run `r` has word 512 `k` + `r` of these in lane `k`, so an operand's
//! low bits stand still and its high ones are the same in all runs.

use super::code::{self, due, MODES};
use super::device::Shape;
use crate::dut::DutError;
use crate::rtl::sliced::{all, common, words, Gates, Port, Slice, Sliced, RUNS, WORDS};
use std::collections::VecDeque;
use std::sync::Arc;

/// Codes with one operand.
pub const CODES: [u8; 6] = [
    code::ROOT,
    code::TO_SIGNED,
    code::TO_UNSIGNED,
    code::FROM_SIGNED,
    code::FROM_UNSIGNED,
    code::CLASS,
];

/// The first of the words that are roots' operands: 1, and all mantissas with both parities of the exponent from there.
const ONE: u32 = 0x3f80_0000;

struct Ports {
    reset: Port,
    pass_valid: Port,
    a: Port,
    idle: Port,
    free: Port,
    result_valid: Port,
    result_warp: Port,
    result_rd: Port,
    result_mask: Port,
    result_data: Port,
}

pub struct Sweep {
    sliced: Sliced,
    shape: Shape,
    ports: Ports,
}

impl Sweep {
    /// The code of a shape, for sweeps in as many threads as there are.
    ///
    /// # Errors
    /// There is no such size or copy, or a tool is missing.
    pub fn gates(shape: Shape, fault: Option<&str>) -> Result<Arc<Gates>, DutError> {
        Gates::of(&shape.design()?, fault)
    }

    pub fn new(shape: Shape, gates: &Arc<Gates>) -> Sweep {
        let mut sliced = Sliced::new(gates);
        let (input, output) = (|name| sliced.input(name), |name| sliced.output(name));
        let ports = Ports {
            reset: input("reset"),
            pass_valid: input("pass_valid"),
            a: input("a"),
            idle: output("idle"),
            free: output("free"),
            result_valid: output("result_valid"),
            result_warp: output("result_warp"),
            result_rd: output("result_rd"),
            result_mask: output("result_mask"),
            result_data: output("result_data"),
        };
        let (mask, last) = (input("pass_mask"), input("pass_last"));
        let ready = [input("result_ready"), input("complete_ready")];
        sliced.set(mask, (1 << shape.lanes) - 1);
        sliced.set(last, 1);
        for port in ready {
            sliced.set(port, 1);
        }
        sliced.set(ports.reset, 1);
        sliced.step();
        sliced.set(ports.reset, 0);
        sliced.step();
        Sweep {
            sliced,
            shape,
            ports,
        }
    }

    /// Passes that hold all words of a code.
    pub fn passes(shape: Shape, code: u8) -> u64 {
        let words: u64 = if code == code::ROOT { 1 << 24 } else { 1 << 32 };
        words / (RUNS * shape.lanes) as u64
    }

    /// Sends these passes of a code, in the modes in turn, and compares each word. How many words they were.
    ///
    /// # Errors
    /// The first word that is another one, or a pass that does not come back as it was sent, in all runs alike.
    pub fn run(&mut self, code: u8, passes: impl Iterator<Item = u64>) -> Result<u64, String> {
        let mut passes = passes.peekable();
        let mut inside = VecDeque::new();
        let mut done = 0;
        let (mut cycle, mut sent, mut came) = (self.shape.turns(), 0, 0);
        while passes.peek().is_some() || !inside.is_empty() {
            // What the unit says was so a cycle ago.
            let (ready, turn) = match code::is_slow(code) {
                true => (self.ports.idle, inside.is_empty()),
                false => (self.ports.free, cycle >= sent + self.shape.turns()),
            };
            let sends = turn && self.sliced.value(ready) == Some(1);
            let pass = if sends { passes.next() } else { None };
            self.sliced
                .set(self.ports.pass_valid, pass.is_some().into());
            if let Some(pass) = pass {
                self.send(code, pass);
                inside.push_back(pass);
                sent = cycle;
            }
            self.sliced.step();
            cycle += 1;
            match self.sliced.value(self.ports.result_valid) {
                Some(0) => {}
                Some(_) => {
                    let pass = inside.pop_front().ok_or("a row of no pass")?;
                    self.compare(code, pass)?;
                    done += (RUNS * self.shape.lanes) as u64;
                    came = cycle;
                }
                None => return Err(format!("code {code}: a row in some runs alone")),
            }
            if cycle > sent.max(came) + 400 {
                return Err(format!("code {code}: a row does not come"));
            }
        }
        Ok(done)
    }

    fn mode(pass: u64) -> u8 {
        MODES[pass as usize % MODES.len()]
    }

    fn send(&mut self, code: u8, pass: u64) {
        let input = |name| self.sliced.input(name);
        let values = [
            (input("pass_code"), code.into()),
            (input("pass_rounding"), Self::mode(pass).into()),
            (input("pass_warp"), pass % 4),
            (input("pass_rd"), 32 | (pass % 32)),
        ];
        for (port, value) in values {
            self.sliced.set(port, value);
        }
        let first = self.word(code, pass, 0, 0);
        let a = self.sliced.bits(self.ports.a);
        for (lane, bits) in a.chunks_mut(32).enumerate() {
            let word = first + (RUNS * lane) as u32;
            for (n, bit) in bits.iter_mut().enumerate() {
                *bit = if 1 << n < RUNS {
                    count(n)
                } else {
                    all(word >> n & 1 != 0)
                };
            }
        }
    }

    /// The operand of a lane in a run.
    fn word(&self, code: u8, pass: u64, lane: usize, run: usize) -> u32 {
        let first = if code == code::ROOT { ONE } else { 0 };
        first + (pass as u32 * self.shape.lanes as u32 + lane as u32) * RUNS as u32 + run as u32
    }

    fn compare(&self, code: u8, pass: u64) -> Result<(), String> {
        let ports = &self.ports;
        let came = [ports.result_warp, ports.result_rd].map(|port| self.sliced.value(port));
        let whole = self
            .sliced
            .get(ports.result_mask)
            .iter()
            .all(|bit| common(bit) == Some(true));
        if came != [Some(pass % 4), Some(pass % 32)] || !whole {
            return Err(format!(
                "code {code}, pass {pass}: its row is another one's, {came:?}"
            ));
        }
        let mode = Self::mode(pass);
        for (lane, bits) in self.sliced.get(ports.result_data).chunks(32).enumerate() {
            for run in (0..RUNS).step_by(32) {
                for (n, word) in words(bits, run).into_iter().enumerate() {
                    let operand = self.word(code, pass, lane, run + n);
                    let due = due(code, mode, [operand, 0, 0]);
                    if word != due {
                        return Err(format!(
                            "code {code}, mode {mode} of {operand:#010x} in lane {lane}: {word:#010x}, not {due:#010x}"
                        ));
                    }
                }
            }
        }
        Ok(())
    }
}

/// Bit `n` of the number of each run.
fn count(n: usize) -> Slice {
    const WITHIN: [u64; 6] = [
        0xaaaa_aaaa_aaaa_aaaa,
        0xcccc_cccc_cccc_cccc,
        0xf0f0_f0f0_f0f0_f0f0,
        0xff00_ff00_ff00_ff00,
        0xffff_0000_ffff_0000,
        0xffff_ffff_0000_0000,
    ];
    match WITHIN.get(n) {
        Some(&word) => [word; WORDS],
        None => std::array::from_fn(|k| all(k >> (n - WITHIN.len()) & 1 != 0)[0]),
    }
}
