//! The design under test, cycle by cycle.

use super::Pass;
use crate::dut::{DutError, RtlKind};
use crate::rtl::model::{ports, Model, Options};
use weft_generate::{Design, Unit};

ports! { InPorts, In, input:
    reset third_valid pass_valid pass_last pass_warp pass_part pass_rd pass_mask pass_code pass_rounding a b result_ready
    complete_ready
}

ports! { OutPorts, Out, output:
    free idle result_valid result_warp result_part result_rd result_mask result_data complete_valid complete_warp
    complete_rd
}

/// A size: lanes of the datapath, lanes of float, parts of a warp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    pub lanes: usize,
    pub float: usize,
    pub parts: usize,
}

impl Shape {
    pub fn turns(self) -> u64 {
        (self.lanes / self.float) as u64
    }

    /// With four warps.
    ///
    /// # Errors
    /// There is no such size.
    pub fn design(self) -> Result<Design, DutError> {
        let parameters = [
            ("warps", 4),
            ("threads", (self.lanes * self.parts) as u64),
            ("lanes", self.lanes as u64),
            ("float", self.float as u64),
        ];
        Ok(Design::new(Unit::Float, &parameters)?)
    }
}

/// What stands at the inputs in a cycle.
#[derive(Debug, Default)]
pub struct Inputs<'a> {
    pub reset: bool,
    pub third: bool,
    pub pass: Option<&'a Pass>,
    /// First and second row, where nothing or a third row comes; else those of the pass.
    pub rows: [&'a [u32]; 2],
    pub result_ready: bool,
    pub complete_ready: bool,
}

/// A row on offer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    pub warp: u64,
    pub part: u64,
    pub rd: u64,
    pub mask: u64,
    pub data: Vec<u32>,
}

/// What stands at the outputs in a cycle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outputs {
    pub free: bool,
    pub idle: bool,
    pub result: Option<Row>,
    /// Warp and rd.
    pub complete: Option<(u64, u64)>,
}

pub struct Device {
    flat: Model,
    inputs: InPorts,
    outputs: OutPorts,
    words: Vec<u64>,
}

impl Device {
    /// `fault`: a broken copy of it.
    ///
    /// # Errors
    /// There is no such size or copy, or it cannot be made.
    pub fn open(shape: Shape, fault: Option<&str>, seed: u32) -> Result<Device, DutError> {
        let options = Options {
            fault,
            seed,
            ..Options::default()
        };
        let flat = Model::open(RtlKind::Verilated, &shape.design()?, &options)?;
        Ok(Device {
            inputs: InPorts::of(&flat),
            outputs: OutPorts::of(&flat),
            words: Vec::new(),
            flat,
        })
    }

    fn row(&mut self, second: bool, row: &[u32]) {
        self.words.clear();
        let pairs = row.chunks(2).map(|pair| match pair {
            [low, high] => u64::from(*low) | u64::from(*high) << 32,
            _ => pair[0].into(),
        });
        self.words.extend(pairs);
        let port = if second { self.inputs.b } else { self.inputs.a };
        self.flat.set_words(port, &self.words);
    }

    /// Puts the inputs and lets them settle.
    pub fn put(&mut self, i: &Inputs) {
        let p = &self.inputs;
        let mut ports = vec![
            (p.reset, i.reset.into()),
            (p.third_valid, i.third.into()),
            (p.pass_valid, i.pass.is_some().into()),
            (p.result_ready, i.result_ready.into()),
            (p.complete_ready, i.complete_ready.into()),
        ];
        if let Some(pass) = i.pass {
            ports.extend([
                (p.pass_last, pass.last.into()),
                (p.pass_warp, pass.warp),
                (p.pass_part, pass.part),
                (p.pass_rd, pass.rd),
                (p.pass_mask, pass.mask),
                (p.pass_code, pass.code.into()),
                (p.pass_rounding, pass.rounding.into()),
            ]);
        }
        for (port, value) in ports {
            self.flat.set(port, value);
        }
        match i.pass {
            Some(pass) => {
                self.row(false, &pass.rows[0]);
                self.row(true, &pass.rows[1]);
            }
            None => {
                self.row(false, i.rows[0]);
                self.row(true, i.rows[1]);
            }
        }
        self.flat.settle();
    }

    /// Changes only what takes the outputs.
    pub fn take(&mut self, result_ready: bool, complete_ready: bool) {
        self.flat.set(self.inputs.result_ready, result_ready.into());
        self.flat
            .set(self.inputs.complete_ready, complete_ready.into());
        self.flat.settle();
    }

    pub fn outputs(&self) -> Outputs {
        let (o, flat) = (&self.outputs, &self.flat);
        let bit = |port| flat.get(port) != 0;
        let row = || Row {
            warp: flat.get(o.result_warp),
            part: flat.get(o.result_part),
            rd: flat.get(o.result_rd),
            mask: flat.get(o.result_mask),
            data: flat
                .get_words(o.result_data)
                .iter()
                .flat_map(|word| [*word as u32, (word >> 32) as u32])
                .collect(),
        };
        Outputs {
            free: bit(o.free),
            idle: bit(o.idle),
            result: bit(o.result_valid).then(row),
            complete: bit(o.complete_valid)
                .then(|| (flat.get(o.complete_warp), flat.get(o.complete_rd))),
        }
    }

    pub fn edge(&mut self) {
        self.flat.edge();
    }
}
