//! The harness that a module is measured in.
//!
//! A serial shift register drives every input bit; a flip-flop takes every output bit, and a second chain of flip-flops
//! XORs what was taken out to one pin. So every path runs from register to register, and nothing can be trimmed. Both
//! halves keep their hierarchy: their cells are never merged with the module's, and can be counted and left out
//! exactly.

use crate::ports::{Direction, Port};
use crate::tool::identifier;
use anyhow::{bail, Result};
use std::fmt::Write;

/// Names of the modules, also in netlists.
pub(crate) const TOP: &str = "weft_harness";
pub(crate) const STIMULUS: &str = "weft_stimulus";
pub(crate) const CAPTURE: &str = "weft_capture";

/// A harness around one module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Harness {
    /// Its Verilog, without the module itself.
    pub verilog: String,
    /// Bits that are driven, without the clock.
    pub inputs: usize,
    /// Bits that are taken.
    pub outputs: usize,
}

impl Harness {
    /// A harness for module `top`. `clock` is the name of its clock, else a port called `clock`, `clk`, … is looked
    /// for; a module without one is measured as combinational.
    pub fn new(top: &str, ports: &[Port], clock: Option<&str>) -> Result<Self> {
        let clock = match clock {
            Some(name)
                if !ports
                    .iter()
                    .any(|p| p.name == name && p.direction == Direction::Input && p.width == 1) =>
            {
                bail!("{top} has no input {name} of one bit to be its clock")
            }
            Some(name) => Some(name),
            None => ["clock", "clk", "i_clock", "i_clk"]
                .into_iter()
                .find(|name| {
                    ports
                        .iter()
                        .any(|p| p.name == *name && p.direction == Direction::Input && p.width == 1)
                }),
        };
        let width = |direction| {
            ports
                .iter()
                .filter(|p| p.direction == direction)
                .map(|p| p.width)
                .sum::<usize>()
        };
        let inputs = width(Direction::Input) - usize::from(clock.is_some());
        let outputs = width(Direction::Output);
        if outputs == 0 {
            bail!("{top} has no outputs: nothing of it would remain");
        }

        let mut instance = String::new();
        let (mut driven, mut taken) = (0, 0);
        for port in ports {
            let (bus, position) = match port.direction {
                Direction::Input => ("driven", &mut driven),
                Direction::Output => ("taken", &mut taken),
            };
            let comma = if instance.is_empty() { "" } else { "," };
            let name = identifier(&port.name);
            if port.width == 0 {
                continue;
            }
            if Some(port.name.as_str()) == clock {
                write!(instance, "{comma}\n    .{name}(clock)")?;
                continue;
            }
            write!(
                instance,
                "{comma}\n    .{name}({bus}[{}:{position}])",
                *position + port.width - 1
            )?;
            *position += port.width;
        }

        let mut verilog = String::new();
        let (in_last, out_last) = (inputs.max(1) - 1, outputs - 1);
        // Shifts of one bit have no lower part.
        let shifted = |last: usize, bus: &str, new: &str| match last {
            0 => new.to_string(),
            1 => format!("{{{bus}[0], {new}}}"),
            _ => format!("{{{bus}[{}:0], {new}}}", last - 1),
        };
        write!(
            verilog,
            "(* keep_hierarchy *)\n\
             module {STIMULUS}(clock, serial, bits);\n  \
               input clock, serial;\n  \
               output reg [{in_last}:0] bits;\n  \
               always @(posedge clock) bits <= {shift_in};\n\
             endmodule\n\n\
             (* keep_hierarchy *)\n\
             module {CAPTURE}(clock, bits, serial);\n  \
               input clock;\n  \
               input [{out_last}:0] bits;\n  \
               output serial;\n  \
               reg [{out_last}:0] taken, scan;\n  \
               always @(posedge clock) begin\n    \
                 taken <= bits;\n    \
                 scan <= {shift_out} ^ taken;\n  \
               end\n  \
               assign serial = scan[{out_last}];\n\
             endmodule\n\n\
             module {TOP}(clock, serial_in, serial_out);\n  \
               input clock, serial_in;\n  \
               output serial_out;\n  \
               wire [{in_last}:0] driven;\n  \
               wire [{out_last}:0] taken;\n  \
               {STIMULUS} stimulus(clock, serial_in, driven);\n  \
               {top_name} dut({instance});\n  \
               {CAPTURE} capture(clock, taken, serial_out);\n\
             endmodule\n",
            shift_in = shifted(in_last, "bits", "serial"),
            shift_out = shifted(out_last, "scan", "1'b0"),
            top_name = identifier(top),
        )?;
        Ok(Self {
            verilog,
            inputs,
            outputs,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn port(name: &str, direction: Direction, width: usize) -> Port {
        Port {
            name: name.into(),
            direction,
            width,
        }
    }

    #[test]
    fn every_bit_has_its_place() {
        use Direction::{Input, Output};
        let ports = [
            port("clock", Input, 1),
            port("a", Input, 4),
            port("x$y", Output, 3),
            port("b", Input, 1),
            port("z", Output, 1),
        ];
        let harness = Harness::new("unit", &ports, None).unwrap();
        assert_eq!((harness.inputs, harness.outputs), (5, 4));
        for text in [
            ".clock(clock)",
            ".a(driven[3:0])",
            ".\\x$y (taken[2:0])",
            ".b(driven[4:4])",
            ".z(taken[3:3])",
        ] {
            assert!(
                harness.verilog.contains(text),
                "{text} is not in\n{}",
                harness.verilog
            );
        }
    }

    #[test]
    fn what_cannot_be_measured() {
        let input = [port("a", Direction::Input, 1)];
        assert!(Harness::new("unit", &input, None)
            .unwrap_err()
            .to_string()
            .contains("no outputs"));
        assert!(Harness::new("unit", &input, Some("clk"))
            .unwrap_err()
            .to_string()
            .contains("no input clk"));
    }
}
