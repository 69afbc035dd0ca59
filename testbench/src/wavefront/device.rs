//! Designs under test.

use crate::dut::{DutError, RtlKind};
use crate::rtl::model::{Model, Options};
use weft_generate::{Config, Design, Unit};
use weft_ports::wavefront::Device;

/// How to make one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    RustHdl,
    Verilog,
    /// A broken copy of it.
    Fault(&'static str),
}

/// For 4 warps of so many threads.
///
/// # Errors
/// There is no such size, or it cannot be made.
pub fn open(kind: Kind, threads: usize) -> Result<Box<dyn Device>, DutError> {
    let (kind, fault) = match kind {
        Kind::RustHdl => (RtlKind::RustHdl, None),
        Kind::Verilog => (RtlKind::Verilated, None),
        Kind::Fault(name) => (RtlKind::Verilated, Some(name)),
    };
    let design = Design::of(Unit::Wavefront, Config::usual(4, threads), false)?;
    let options = Options {
        fault,
        ..Options::default()
    };
    let model = Model::open(kind, &design, &options)?;
    Ok(Box::new(verilog::Verilog::new(model)))
}

mod verilog {
    use crate::rtl::model::{ports, Model};
    use weft_ports::wavefront::{Device, Inputs, Outputs};

    ports! { InPorts, In, input:
        reset cfg_threshold cfg_force cfg_lanes cfg_shared_from access_valid access_miss access_regular ask_valid map_valid
        map_uses map_subvector map_part map_base map_rs1 map_rs2 map_rd
    }

    ports! { OutPorts, Out, output:
        answer_valid answer_subvector decision_valid decision_subvector row_valid row_misuse row_rs1 row_rs2 row_rd warp_rows
    }

    pub struct Verilog {
        flat: Model,
        inputs: InPorts,
        outputs: OutPorts,
    }

    impl Verilog {
        pub fn new(flat: Model) -> Verilog {
            Verilog {
                inputs: InPorts::of(&flat),
                outputs: OutPorts::of(&flat),
                flat,
            }
        }
    }

    impl Device for Verilog {
        fn cycle(&mut self, i: &Inputs) -> Outputs {
            let (p, map) = (&self.inputs, i.map.unwrap_or_default());
            let (miss, regular) = i.access.unwrap_or_default();
            for (port, value) in [
                (p.reset, i.reset.into()),
                (p.cfg_threshold, i.threshold),
                (p.cfg_force, i.force),
                (p.cfg_lanes, i.lanes),
                (p.cfg_shared_from, i.shared_from),
                (p.access_valid, i.access.is_some().into()),
                (p.access_miss, miss.into()),
                (p.access_regular, regular.into()),
                (p.ask_valid, i.ask.into()),
                (p.map_valid, i.map.is_some().into()),
                (p.map_uses, map.uses),
                (p.map_subvector, map.subvector.into()),
                (p.map_part, map.part),
                (p.map_base, map.base),
                (p.map_rs1, map.registers[0]),
                (p.map_rs2, map.registers[1]),
                (p.map_rd, map.registers[2]),
            ] {
                self.flat.set(port, value);
            }
            self.flat.settle();
            let (o, flat) = (&self.outputs, &self.flat);
            let bit = |port| flat.get(port) != 0;
            let rows = [o.row_rs1, o.row_rs2, o.row_rd].map(|port| flat.get(port));
            let outputs = Outputs {
                answer: bit(o.answer_valid).then(|| bit(o.answer_subvector)),
                decision: bit(o.decision_valid).then(|| bit(o.decision_subvector)),
                rows: bit(o.row_valid).then(|| (flat.get(o.row_misuse), rows)),
                warp_rows: flat.get(o.warp_rows),
            };
            self.flat.edge();
            outputs
        }
    }
}
