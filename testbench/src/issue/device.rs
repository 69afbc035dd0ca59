//! Designs under test.

use crate::dut::RtlKind;
use crate::rtl::model::{Model, Options};
use std::path::Path;
use weft_generate::{Design, Impossible, Unit};
use weft_sim::issue::{Inputs, Mutation, Outputs, Params, Scheduler};

/// The sizes that the tests go through.
pub const SIZES: &[Size] = &[
    Size::new(4, 4, false),
    Size::new(4, 4, true),
    Size::new(8, 32, false),
    Size::new(16, 32, false),
    Size::new(16, 32, true),
    Size::new(16, 4, true).with_level_bits(6),
];

/// A size of `weft_scheduler`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    pub warps: usize,
    pub threads: usize,
    pub dual: bool,
    /// LB
    pub level_bits: u32,
}

impl std::fmt::Display for Size {
    /// `16x32d`: warps, threads, `l6` with other than 4 level bits, `d` with dual issue.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let levels = match self.level_bits {
            4 => String::new(),
            bits => format!("l{bits}"),
        };
        let dual = if self.dual { "d" } else { "" };
        write!(f, "{}x{}{levels}{dual}", self.warps, self.threads)
    }
}

impl std::str::FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Size, String> {
        let (numbers, dual) = match text.strip_suffix('d') {
            Some(numbers) => (numbers, true),
            None => (text, false),
        };
        let (numbers, level_bits) = match numbers.split_once('l') {
            Some((numbers, bits)) => (numbers, bits.parse().ok()),
            None => (numbers, Some(4)),
        };
        let parsed = numbers
            .split_once('x')
            .and_then(|(w, t)| Some((w.parse().ok()?, t.parse().ok()?)));
        let ((warps, threads), level_bits) = parsed
            .zip(level_bits)
            .ok_or_else(|| format!("{text}: write WARPSxTHREADS or WARPSxTHREADSd"))?;
        Ok(Size {
            warps,
            threads,
            dual,
            level_bits,
        })
    }
}

impl Size {
    pub const fn new(warps: usize, threads: usize, dual: bool) -> Size {
        Size {
            warps,
            threads,
            dual,
            level_bits: 4,
        }
    }

    /// With so many bits of level.
    pub const fn with_level_bits(self, level_bits: u32) -> Size {
        Size { level_bits, ..self }
    }

    /// # Errors
    /// There is no such size.
    pub fn design(self) -> Result<Design, Impossible> {
        let parameters = [
            ("warps", self.warps as u64),
            ("threads", self.threads as u64),
            ("dual", self.dual.into()),
            ("level_bits", self.level_bits.into()),
        ];
        Design::new(Unit::Scheduler, &parameters)
    }

    pub fn params(self) -> Params {
        Params {
            warps: self.warps,
            threads: self.threads,
            dual: self.dual,
            level_bits: self.level_bits,
        }
    }

    /// All threads of a warp.
    pub fn full(self) -> u64 {
        u64::MAX >> (64 - self.threads)
    }
}

/// A scheduler, cycle by cycle. No output depends on an input of the same cycle.
pub trait Device {
    fn outputs(&mut self) -> Outputs;
    /// # Panics
    /// When an output follows an input of the same cycle.
    fn step(&mut self, inputs: &Inputs);
}

/// How to make one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// The model; against itself it tests the bench.
    Model,
    /// The model with a departure.
    Mutated(Mutation),
    /// The exported Verilog.
    #[default]
    Verilog,
    /// A broken copy of it.
    Fault(&'static str),
}

impl Device for Scheduler {
    fn outputs(&mut self) -> Outputs {
        Scheduler::outputs(self)
    }

    fn step(&mut self, inputs: &Inputs) {
        Scheduler::step(self, inputs);
    }
}

/// A mutated model may panic where the sound one cannot; that is noticed by its caller.
pub fn open(
    kind: Kind,
    size: Size,
    seed: u64,
    wave: Option<&Path>,
) -> Result<Box<dyn Device>, String> {
    let model = Scheduler::new(size.params());
    match kind {
        Kind::Model => Ok(Box::new(model)),
        Kind::Mutated(mutation) => Ok(Box::new(model.with_mutation(mutation))),
        Kind::Verilog => verilated(size, None, seed, wave),
        Kind::Fault(name) => verilated(size, Some(name), seed, wave),
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
    use super::{Device, Size};
    use crate::rtl::model::{ports, Model};
    use weft_sim::issue::{register_to_bits, Decoded, Inputs, Outputs};

    ports! { InPorts, In, input:
        reset cfg_policy cfg_slow unit_free unit_ahead hold start_valid start_warp start_pc start_mask start_launch
        predict_valid predict_warp predict_pc stop_valid stop_warp
        level_valid level_warp level_value flush fetch_ready line_valid line_warp line_slot line_data decode0 decode1
        done0_valid done0_warp done0_rd done1_valid done1_warp done1_rd counter_clear counter_hold counter_select
    }

    ports! { OutPorts, Out, output:
        fetch_valid fetch_warp fetch_line decode_word0 decode_word1 issue_valid issue_warp issue_pc issue_mask issue_word
        issue_decoded granted_class second_valid second_word second_decoded status_running status_flight counter_value
    }

    pub struct Verilog {
        flat: Model,
        inputs: InPorts,
        outputs: OutPorts,
        size: Size,
        before: Vec<u64>,
        noise: u64,
    }

    impl Verilog {
        pub fn new(flat: Model, size: Size, seed: u64) -> Verilog {
            Verilog {
                inputs: InPorts::of(&flat),
                outputs: OutPorts::of(&flat),
                before: Vec::new(),
                noise: seed | 1,
                flat,
                size,
            }
        }

        /// What means nothing gets random bits, so that nothing can depend on it: the numbers of registers that are not
        /// used.
        fn number(&mut self, bits: u8) -> u64 {
            self.noise ^= self.noise << 13;
            self.noise ^= self.noise >> 7;
            self.noise ^= self.noise << 17;
            match bits & 0x20 {
                0 => self.noise & 0x1f,
                _ => bits.into(),
            }
        }

        fn decoded(&mut self, d: Decoded) -> u64 {
            let [rd, rs1, rs2] =
                [d.rd, d.rs1, d.rs2].map(|register| self.number(register_to_bits(register)));
            u64::from(d.to_bits()) & 0x1f | rd << 5 | rs1 << 11 | rs2 << 17
        }
    }

    impl Device for Verilog {
        fn outputs(&mut self) -> Outputs {
            let (flat, p) = (&self.flat, &self.outputs);
            let bit = |port| flat.get(port) != 0;
            let byte = |port| flat.get(port) as u8;
            let word = |port| flat.get(port) as u32;
            let decoded = |port| Decoded::from_bits(flat.get(port) as u32);
            Outputs {
                fetch_valid: bit(p.fetch_valid),
                fetch_warp: byte(p.fetch_warp),
                fetch_line: word(p.fetch_line),
                decode_word0: word(p.decode_word0),
                decode_word1: word(p.decode_word1),
                issue_valid: bit(p.issue_valid),
                issue_warp: byte(p.issue_warp),
                issue_pc: word(p.issue_pc),
                issue_mask: flat.get(p.issue_mask),
                issue_word: word(p.issue_word),
                issue_decoded: decoded(p.issue_decoded),
                granted_class: byte(p.granted_class),
                second_valid: bit(p.second_valid),
                second_word: word(p.second_word),
                second_decoded: decoded(p.second_decoded),
                status_running: flat.get(p.status_running),
                status_flight: flat.get(p.status_flight),
                counter_value: word(p.counter_value),
                ..Outputs::default()
            }
        }

        fn step(&mut self, i: &Inputs) {
            let decode0 = self.decoded(i.decode0);
            let decode1 = self.decoded(i.decode1);
            let [rd0, rd1] =
                [i.done0_rd, i.done1_rd].map(|register| self.number(register_to_bits(register)));
            let (flat, p) = (&mut self.flat, &self.inputs);
            flat.set(p.reset, i.reset.into());
            flat.set(p.cfg_policy, i.cfg_policy.into());
            flat.set(p.cfg_slow, i.cfg_slow.into());
            flat.set(p.unit_free, i.unit_free.into());
            flat.set(p.unit_ahead, i.unit_ahead.into());
            flat.set(p.hold, i.hold);
            flat.set(p.start_valid, i.start_valid.into());
            flat.set(p.start_warp, i.start_warp.into());
            flat.set(p.start_pc, i.start_pc.into());
            flat.set(p.start_mask, i.start_mask & self.size.full());
            flat.set(p.start_launch, i.start_launch.into());
            flat.set(p.predict_valid, i.predict_valid.into());
            flat.set(p.predict_warp, i.predict_warp.into());
            flat.set(p.predict_pc, i.predict_pc.into());
            flat.set(p.stop_valid, i.stop_valid.into());
            flat.set(p.stop_warp, i.stop_warp.into());
            flat.set(p.level_valid, i.level_valid.into());
            flat.set(p.level_warp, i.level_warp.into());
            flat.set(p.level_value, i.level_value.into());
            flat.set(p.flush, i.flush.into());
            flat.set(p.fetch_ready, i.fetch_ready.into());
            flat.set(p.line_valid, i.line_valid.into());
            flat.set(p.line_warp, i.line_warp.into());
            flat.set(p.line_slot, i.line_slot.into());
            let line: [u64; 8] = std::array::from_fn(|n| {
                u64::from(i.line_data[2 * n]) | u64::from(i.line_data[2 * n + 1]) << 32
            });
            flat.set_words(p.line_data, &line);
            flat.set(p.decode0, decode0);
            flat.set(p.decode1, decode1);
            flat.set(p.done0_valid, i.done0_valid.into());
            flat.set(p.done0_warp, i.done0_warp.into());
            flat.set(p.done0_rd, rd0);
            flat.set(p.done1_valid, i.done1_valid.into());
            flat.set(p.done1_warp, i.done1_warp.into());
            flat.set(p.done1_rd, rd1);
            flat.set(p.counter_clear, i.counter_clear.into());
            flat.set(p.counter_hold, i.counter_hold.into());
            flat.set(p.counter_select, i.counter_select.into());
            self.before.clear();
            self.before.extend_from_slice(flat.outputs());
            flat.settle();
            assert!(
                self.before == flat.outputs(),
                "an output follows an input of the same cycle"
            );
            flat.edge();
        }
    }
}
