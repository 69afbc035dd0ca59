//! A design as gates, each evaluated for 512 runs at once: a wire is a word of 512 bits, one of each run.
//!
//! Yosys makes gates of the exported Verilog ([`circuit`]), those become C++ ([`code`]), and that a shared library.
//! So it is for long sweeps of small units, where all runs go the same way; it is also another reading of the Verilog
//! than Verilator's.
//! It costs an operation per gate and cycle whatever happens, so a unit that mostly waits is better off with Verilator.

mod circuit;
mod code;

use super::error::DutError;
use super::verilate;
use crate::seed::stream;
use circuit::Circuit;
use libloading::Library as Loaded;
use rand::Rng as _;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use weft_generate::Design;

/// Words of 64 runs in a slice.
pub const WORDS: usize = 8;
pub const RUNS: usize = 64 * WORDS;

/// A bit of each run: bit `n` of word `k` is that of run `64 k + n`.
pub type Slice = [u64; WORDS];

/// The same bit in all runs.
pub fn all(bit: bool) -> Slice {
    [if bit { u64::MAX } else { 0 }; WORDS]
}

/// The bit that all runs have, if they have the same.
pub fn common(slice: &Slice) -> Option<bool> {
    let ones = *slice == all(true);
    (ones || *slice == all(false)).then_some(ones)
}

/// Inputs, registers, outputs, next registers, wires.
type Evaluate =
    unsafe extern "C" fn(*const Slice, *const Slice, *mut Slice, *mut Slice, *mut Slice);

/// The code of a design, and where its ports are among its inputs and outputs.
pub struct Gates {
    evaluate: Evaluate,
    inputs: BTreeMap<String, Port>,
    outputs: BTreeMap<String, Port>,
    lengths: code::Lengths,
    /// Of its registers when it is switched on.
    power_up: Vec<Option<bool>>,
    /// Never unloaded while the function is in use.
    _loaded: Loaded,
}

/// The bits of a port among those of its direction.
#[derive(Clone, Copy, Debug)]
pub struct Port {
    at: usize,
    width: usize,
}

impl Gates {
    /// Made anew, in half a minute for a float unit of four lanes. `fault`: a broken copy.
    ///
    /// # Errors
    /// There is no such copy, or a tool is missing or fails.
    pub fn of(design: &Design, fault: Option<&str>) -> Result<Arc<Gates>, DutError> {
        let verilog = weft_generate::verilog(design)?;
        let text = super::broken::copy(design, &verilog.bundle(), fault)?;
        let made = verilate::in_work("sliced", |work, compile| {
            let circuit = Circuit::of(&verilog.top, &text, work)?;
            let (text, lengths) = code::of(&circuit)?;
            let path = compile(&text)?;
            let (evaluate, loaded) = load(&path).map_err(|e| e.to_string())?;
            let ports = |ports: &[(String, Vec<circuit::Bit>)]| {
                let mut at = 0;
                let place = |(name, bits): &(String, Vec<_>)| {
                    let port = Port {
                        at,
                        width: bits.len(),
                    };
                    at += bits.len();
                    (name.clone(), port)
                };
                ports.iter().map(place).collect()
            };
            Ok(Gates {
                evaluate,
                inputs: ports(&circuit.inputs),
                outputs: ports(&circuit.outputs),
                lengths,
                power_up: circuit.registers.iter().map(|r| r.power_up).collect(),
                _loaded: loaded,
            })
        });
        made.map(Arc::new).map_err(DutError::Make)
    }
}

fn load(path: &Path) -> Result<(Evaluate, Loaded), libloading::Error> {
    // SAFETY: the library is made by `code`; it has this function alone, of this type, and no constructors.
    unsafe {
        let loaded = Loaded::new(path)?;
        Ok((*loaded.get(b"weft_sliced\0")?, loaded))
    }
}

/// 512 runs of a design.
pub struct Sliced {
    gates: Arc<Gates>,
    inputs: Vec<Slice>,
    outputs: Vec<Slice>,
    registers: Vec<Slice>,
    next: Vec<Slice>,
    wires: Vec<Slice>,
}

impl Sliced {
    /// Switched on; all inputs are 0. What has no initial value is random in each run.
    pub fn new(gates: &Arc<Gates>) -> Sliced {
        let none = all(false);
        let lengths = &gates.lengths;
        let mut rng = stream(1, "power-up");
        let begin = |bit: &Option<bool>| bit.map_or_else(|| rng.gen(), all);
        let registers: Vec<_> = gates.power_up.iter().map(begin).collect();
        Sliced {
            inputs: vec![none; lengths.inputs],
            outputs: vec![none; lengths.outputs],
            next: registers.clone(),
            wires: vec![none; lengths.wires],
            registers,
            gates: gates.clone(),
        }
    }

    /// # Panics
    /// There is no such input.
    pub fn input(&self, name: &str) -> Port {
        let port = self.gates.inputs.get(name);
        *port.unwrap_or_else(|| panic!("no input `{name}`"))
    }

    /// # Panics
    /// There is no such output.
    pub fn output(&self, name: &str) -> Port {
        let port = self.gates.outputs.get(name);
        *port.unwrap_or_else(|| panic!("no output `{name}`"))
    }

    /// The bits of an input, the lowest first.
    pub fn bits(&mut self, port: Port) -> &mut [Slice] {
        &mut self.inputs[port.at..port.at + port.width]
    }

    /// The same value in all runs.
    pub fn set(&mut self, port: Port, value: u64) {
        for (n, bit) in self.bits(port).iter_mut().enumerate() {
            *bit = all(value >> n & 1 != 0);
        }
    }

    /// The bits of an output in the cycle of the latest [`step`](Self::step), the lowest first.
    pub fn get(&self, port: Port) -> &[Slice] {
        &self.outputs[port.at..port.at + port.width]
    }

    /// The value that an output of at most 64 bits has in all runs, if they have the same.
    pub fn value(&self, port: Port) -> Option<u64> {
        let bits = self.get(port).iter().rev();
        bits.map(common)
            .try_fold(0, |value, bit| Some(value << 1 | u64::from(bit?)))
    }

    /// Evaluates the outputs of a cycle with its inputs, and takes the clock's edge at its end.
    pub fn step(&mut self) {
        // SAFETY: the five arrays have the lengths that the code was made for, and are different ones.
        unsafe {
            (self.gates.evaluate)(
                self.inputs.as_ptr(),
                self.registers.as_ptr(),
                self.outputs.as_mut_ptr(),
                self.next.as_mut_ptr(),
                self.wires.as_mut_ptr(),
            );
        }
        std::mem::swap(&mut self.registers, &mut self.next);
    }
}

/// Bits of 32 slices of the 32 runs from `run` on, as the word of each run.
pub fn words(bits: &[Slice], run: usize) -> [u32; 32] {
    let mut words = [0; 32];
    for (word, bit) in words.iter_mut().zip(bits) {
        *word = (bit[run / 64] >> (run % 64)) as u32;
    }
    transpose(&mut words);
    words
}

/// Bit `n` of word `k` becomes bit `k` of word `n`: by halves, quarters and so on.
fn transpose(words: &mut [u32; 32]) {
    let mut half = 16;
    let mut mask = 0x0000_ffff_u32;
    while half != 0 {
        for k in (0..32).filter(|k| k & half == 0) {
            let swap = (words[k] >> half ^ words[k + half]) & mask;
            words[k] ^= swap << half;
            words[k + half] ^= swap;
        }
        half /= 2;
        mask ^= mask << half;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_the_bits_of_their_run() {
        let mut rng = crate::seed::stream(1, "slices");
        let bits: Vec<Slice> = (0..32).map(|_| rng.gen()).collect();
        for run in (0..RUNS).step_by(32) {
            for (n, word) in words(&bits, run).into_iter().enumerate() {
                let bit = |k: usize| bits[k][(run + n) / 64] >> ((run + n) % 64) & 1;
                assert!(
                    (0..32).all(|k| u64::from(word) >> k & 1 == bit(k)),
                    "{run} {n}"
                );
            }
        }
    }

    #[test]
    fn bits_that_all_runs_have() {
        assert_eq!(
            [true, false].map(|bit| common(&all(bit))),
            [Some(true), Some(false)]
        );
        let mut last = all(true);
        last[WORDS - 1] >>= 1;
        assert_eq!(common(&last), None);
    }
}
