//! The mask unit `weft_masks` in either simulation, one instruction per cycle.

use crate::dut::{DutError, RtlKind};
use crate::rtl::model::{ports, Model, Options};
use weft_generate::{Config, Design, Unit};
use weft_ports::masks::{Inputs, Outputs};

ports! { InPorts, In, input:
    reset op_valid op_warp op_kind op_function op_md op_ma op_mb op_exec op_ballot op_word
}

ports! { OutPorts, Out, output:
    result_valid result_warp result_illegal result_set result_mask result_taken result_word result_write
}

/// A simulated mask unit.
pub struct MaskUnit {
    model: Model,
    inputs: InPorts,
    outputs: OutPorts,
}

impl MaskUnit {
    /// For 4 warps of so many threads, reset.
    ///
    /// # Errors
    /// There is no such size, or it cannot be made.
    pub fn open(kind: RtlKind, threads: usize) -> Result<MaskUnit, DutError> {
        let design = Design::of(Unit::Masks, Config::usual(4, threads), false)?;
        let model = Model::open(kind, &design, &Options::default())?;
        let mut unit = MaskUnit {
            inputs: InPorts::of(&model),
            outputs: OutPorts::of(&model),
            model,
        };
        unit.model.set(unit.inputs.reset, 1);
        unit.model.settle();
        unit.model.edge();
        unit.model.set(unit.inputs.reset, 0);
        Ok(unit)
    }

    /// One cycle: the inputs, and the outputs before its clock edge.
    pub fn cycle(&mut self, i: &Inputs) -> Outputs {
        let p = &self.inputs;
        for (port, value) in [
            (p.op_valid, i.valid.into()),
            (p.op_warp, i.warp),
            (p.op_kind, i.kind),
            (p.op_function, i.function),
            (p.op_md, i.md),
            (p.op_ma, i.ma),
            (p.op_mb, i.mb),
            (p.op_exec, i.exec),
            (p.op_ballot, i.ballot),
            (p.op_word, i.word),
        ] {
            self.model.set(port, value);
        }
        self.model.settle();
        let (o, model) = (&self.outputs, &self.model);
        let bit = |port| model.get(port) != 0;
        let outputs = Outputs {
            valid: bit(o.result_valid),
            warp: model.get(o.result_warp),
            illegal: bit(o.result_illegal),
            set: bit(o.result_set),
            mask: model.get(o.result_mask),
            taken: bit(o.result_taken),
            word: model.get(o.result_word),
            write: model.get(o.result_write),
        };
        self.model.edge();
        outputs
    }
}
