//! The gates and registers of a Verilog text, by Yosys.

use serde::Deserialize;
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::Path;
use weft_toolbox::Toolbox;

/// What gives a bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bit {
    Constant(bool),
    Input(usize),
    Register(usize),
    Gate(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    Not,
    And,
    Nand,
    Or,
    Nor,
    Xor,
    Xnor,
    /// a and not b.
    AndNot,
    /// a or not b.
    OrNot,
    /// b where s, else a.
    Mux,
}

impl Op {
    fn of(cell: &str) -> Option<Op> {
        Some(match cell {
            "$_NOT_" => Op::Not,
            "$_AND_" => Op::And,
            "$_NAND_" => Op::Nand,
            "$_OR_" => Op::Or,
            "$_NOR_" => Op::Nor,
            "$_XOR_" => Op::Xor,
            "$_XNOR_" => Op::Xnor,
            "$_ANDNOT_" => Op::AndNot,
            "$_ORNOT_" => Op::OrNot,
            "$_MUX_" => Op::Mux,
            _ => return None,
        })
    }

    /// Its inputs, as Yosys names them.
    fn ports(self) -> &'static [&'static str] {
        match self {
            Op::Not => &["A"],
            Op::Mux => &["A", "B", "S"],
            _ => &["A", "B"],
        }
    }
}

#[derive(Clone, Debug)]
pub struct Gate {
    pub op: Op,
    pub inputs: Vec<Bit>,
}

#[derive(Clone, Copy, Debug)]
pub struct Register {
    pub next: Bit,
    /// `None`: whatever it comes up with, as a word of a memory does.
    pub power_up: Option<bool>,
}

/// Ports without the clock, by name with their bits; of an input these are its own.
#[derive(Debug)]
pub struct Circuit {
    pub inputs: Vec<(String, Vec<Bit>)>,
    pub outputs: Vec<(String, Vec<Bit>)>,
    pub registers: Vec<Register>,
    pub gates: Vec<Gate>,
}

/// What Yosys writes of a design.
#[derive(Deserialize)]
struct Netlist {
    modules: BTreeMap<String, Module>,
}

#[derive(Deserialize)]
struct Module {
    ports: BTreeMap<String, Port>,
    cells: BTreeMap<String, Cell>,
    netnames: BTreeMap<String, Net>,
}

#[derive(Deserialize)]
struct Port {
    direction: String,
    bits: Vec<Wire>,
}

#[derive(Deserialize)]
struct Cell {
    #[serde(rename = "type")]
    kind: String,
    connections: BTreeMap<String, Vec<Wire>>,
}

#[derive(Deserialize)]
struct Net {
    bits: Vec<Wire>,
    #[serde(default)]
    attributes: BTreeMap<String, serde_json::Value>,
}

/// A number, or a constant: `0`, `1`, `x`.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Hash)]
#[serde(untagged)]
enum Wire {
    Number(usize),
    Constant(String),
}

const CLOCK: &str = "clock";

impl Circuit {
    /// # Errors
    /// There is no Yosys, or it cannot read this.
    pub fn of(top: &str, verilog: &str, work: &Path) -> Result<Circuit, String> {
        let yosys = Toolbox::here();
        let yosys = yosys
            .yosys()
            .ok_or("there is no Yosys; `cargo xtask setup` installs it")?;
        let fail = |e: std::io::Error| format!("{}: {e}", work.display());
        fs::write(work.join("circuit.v"), verilog).map_err(fail)?;
        // Legal registers last: `opt` would give them their enables again. ABC makes 4 % fewer gates in twice the time.
        let script = format!(
            "read_verilog -sv circuit.v; hierarchy -check -top {top}; proc; flatten; opt; memory -nomap; memory_map; \
             techmap; opt_expr; opt_merge; dfflegalize -cell $_DFF_P_ 01; opt_expr; opt_merge; opt_clean; \
             write_json circuit.json"
        );
        let mut command = yosys.command();
        command.current_dir(work).args(["-q", "-p", &script]);
        super::super::store::run(&mut command)?;
        let text = fs::read(work.join("circuit.json")).map_err(fail)?;
        let netlist: Netlist = serde_json::from_slice(&text).map_err(|e| e.to_string())?;
        let module = netlist.modules.get(top);
        module
            .ok_or_else(|| format!("Yosys wrote no {top}"))?
            .circuit()
    }
}

impl Module {
    fn circuit(&self) -> Result<Circuit, String> {
        let mut from: HashMap<&Wire, Bit> = HashMap::new();
        let of = |direction: &'static str| {
            let ports = self.ports.iter();
            ports.filter(move |(name, port)| port.direction == direction && *name != CLOCK)
        };
        let mut next = 0;
        let mut inputs = Vec::new();
        for (name, port) in of("input") {
            let bits: Vec<_> = (next..next + port.bits.len()).map(Bit::Input).collect();
            from.extend(port.bits.iter().zip(bits.iter().copied()));
            next += bits.len();
            inputs.push((name.clone(), bits));
        }
        let cells = self.cells.values().filter(|cell| cell.kind != "$scopeinfo");
        let (registers, gates): (Vec<_>, Vec<_>) = cells.partition(|cell| cell.kind == "$_DFF_P_");
        for (n, cell) in registers.iter().enumerate() {
            from.insert(cell.wire("Q")?, Bit::Register(n));
        }
        for (n, cell) in gates.iter().enumerate() {
            from.insert(cell.wire("Y")?, Bit::Gate(n));
        }
        let bit = |wire: &Wire| match wire {
            // What is not said may be anything.
            Wire::Constant(bit) => Ok(Bit::Constant(bit == "1")),
            Wire::Number(n) => {
                let bit = from.get(wire).copied();
                bit.ok_or_else(|| format!("nothing drives wire {n}"))
            }
        };
        let begins = self.begins();
        let register = |cell: &&Cell| -> Result<Register, String> {
            Ok(Register {
                next: bit(cell.wire("D")?)?,
                power_up: begins.get(cell.wire("Q")?).copied(),
            })
        };
        let gate = |cell: &&Cell| -> Result<Gate, String> {
            let op = Op::of(&cell.kind).ok_or_else(|| format!("no gate: {}", cell.kind))?;
            let inputs = op.ports().iter().map(|port| bit(cell.wire(port)?));
            Ok(Gate {
                op,
                inputs: inputs.collect::<Result<_, String>>()?,
            })
        };
        let output = |(name, port): (&String, &Port)| -> Result<_, String> {
            let bits = port.bits.iter().map(bit).collect::<Result<_, String>>()?;
            Ok((name.clone(), bits))
        };
        Ok(Circuit {
            outputs: of("output").map(output).collect::<Result<_, _>>()?,
            registers: registers.iter().map(register).collect::<Result<_, _>>()?,
            gates: gates.iter().map(gate).collect::<Result<_, _>>()?,
            inputs,
        })
    }

    /// What wires of registers are when it is switched on: attribute `init`, the highest bit first.
    fn begins(&self) -> HashMap<&Wire, bool> {
        let mut begins = HashMap::new();
        for net in self.netnames.values() {
            let init = net.attributes.get("init").and_then(|init| init.as_str());
            let init = init.unwrap_or_default().chars().rev();
            let known = net.bits.iter().zip(init);
            begins.extend(
                known
                    .filter(|(_, bit)| matches!(bit, '0' | '1'))
                    .map(|(wire, bit)| (wire, bit == '1')),
            );
        }
        begins
    }
}

impl Cell {
    fn wire(&self, port: &str) -> Result<&Wire, String> {
        let wires = self.connections.get(port).map(Vec::as_slice);
        match wires {
            Some([wire]) => Ok(wire),
            _ => Err(format!("{}: no wire at {port}", self.kind)),
        }
    }
}
