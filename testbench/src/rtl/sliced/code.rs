//! The C++ of a circuit: straight on, each gate once, in parts that a compiler takes in its stride.

use super::circuit::{Bit, Circuit, Gate, Op};
use super::WORDS;
use std::fmt::Write as _;

/// Gates in a function.
const PART: usize = 400;

/// How many slices the arrays hold.
#[derive(Clone, Copy, Debug)]
pub struct Lengths {
    pub inputs: usize,
    pub outputs: usize,
    /// Those that one part makes and another one reads.
    pub wires: usize,
}

/// Something to compute, in order.
#[derive(Clone, Copy)]
enum Step {
    Gate(usize),
    Output(usize, Bit),
    Register(usize, Bit),
}

pub fn of(circuit: &Circuit) -> (String, Lengths) {
    let steps = steps(circuit);
    let mut part_of = vec![0; circuit.gates.len()];
    let parts: Vec<&[Step]> = steps.chunks(PART).collect();
    for (part, steps) in parts.iter().enumerate() {
        for step in *steps {
            if let Step::Gate(gate) = step {
                part_of[*gate] = part;
            }
        }
    }
    // Gates that another part reads have a place among the wires.
    let mut place: Vec<Option<usize>> = vec![None; circuit.gates.len()];
    let mut wires = 0;
    for (part, steps) in parts.iter().enumerate() {
        for bit in steps.iter().flat_map(|step| reads(circuit, step)) {
            if let Bit::Gate(gate) = bit {
                if part_of[*gate] != part && place[*gate].is_none() {
                    place[*gate] = Some(wires);
                    wires += 1;
                }
            }
        }
    }
    let mut text = format!(
        "// Generated.\n#include <cstdint>\ntypedef uint64_t V __attribute__((vector_size({}), aligned(8)));\n\
         namespace {{\n",
        8 * WORDS
    );
    for (part, steps) in parts.iter().enumerate() {
        let _ = writeln!(
            text,
            "void part{part}(const V* i, const V* q, V* o, V* d, V* w) {{\n    const V none = {{}}, ones = ~none;"
        );
        let name = |bit: &Bit| match *bit {
            Bit::Constant(bit) => String::from(if bit { "ones" } else { "none" }),
            Bit::Input(n) => format!("i[{n}]"),
            Bit::Register(n) => format!("q[{n}]"),
            Bit::Gate(n) if part_of[n] == part => format!("n{n}"),
            Bit::Gate(n) => format!("w[{}]", place[n].expect("it is read elsewhere")),
        };
        for step in *steps {
            let _ = match step {
                Step::Gate(n) => {
                    let kept = place[*n].map_or(String::new(), |at| format!(" w[{at}] = n{n};"));
                    let value = value(&circuit.gates[*n], name);
                    writeln!(text, "    const V n{n} = {value};{kept}")
                }
                Step::Output(n, bit) => writeln!(text, "    o[{n}] = {};", name(bit)),
                Step::Register(n, bit) => writeln!(text, "    d[{n}] = {};", name(bit)),
            };
        }
        text += "}\n";
    }
    text += "}  // namespace\n\nextern \"C\" void weft_sliced(const V* i, const V* q, V* o, V* d, V* w) {\n";
    for part in 0..parts.len() {
        let _ = writeln!(text, "    part{part}(i, q, o, d, w);");
    }
    let bits = |ports: &[(String, Vec<Bit>)]| ports.iter().map(|(_, bits)| bits.len()).sum();
    let lengths = Lengths {
        inputs: bits(&circuit.inputs),
        outputs: bits(&circuit.outputs),
        wires,
    };
    (text + "}\n", lengths)
}

fn reads<'a>(circuit: &'a Circuit, step: &'a Step) -> &'a [Bit] {
    match step {
        Step::Gate(n) => &circuit.gates[*n].inputs,
        Step::Output(_, bit) | Step::Register(_, bit) => std::slice::from_ref(bit),
    }
}

fn value(gate: &Gate, name: impl Fn(&Bit) -> String) -> String {
    let inputs: Vec<_> = gate.inputs.iter().map(name).collect();
    let a = &inputs[0];
    let b = inputs.get(1).map_or("", String::as_str);
    match gate.op {
        Op::Not => format!("~{a}"),
        Op::And => format!("{a} & {b}"),
        Op::Nand => format!("~({a} & {b})"),
        Op::Or => format!("{a} | {b}"),
        Op::Nor => format!("~({a} | {b})"),
        Op::Xor => format!("{a} ^ {b}"),
        Op::Xnor => format!("~({a} ^ {b})"),
        Op::AndNot => format!("{a} & ~{b}"),
        Op::OrNot => format!("{a} | ~{b}"),
        Op::Mux => format!("{a} ^ ({} & ({a} ^ {b}))", inputs[2]),
    }
}

/// Each output and register behind the gates that it hangs on, so that what belongs together stands together.
fn steps(circuit: &Circuit) -> Vec<Step> {
    let outputs = circuit.outputs.iter().flat_map(|(_, bits)| bits);
    let outputs = outputs.enumerate().map(|(n, bit)| Step::Output(n, *bit));
    let registers = circuit.registers.iter().enumerate();
    let registers = registers.map(|(n, register)| Step::Register(n, register.next));
    let mut steps = Vec::new();
    let mut done = vec![false; circuit.gates.len()];
    for end in outputs.chain(registers) {
        let (Step::Output(_, bit) | Step::Register(_, bit)) = end else {
            continue;
        };
        // A gate, and how many of its inputs have been looked at.
        let mut path: Vec<(usize, usize)> = Vec::new();
        let enter = |bit: Bit, path: &mut Vec<_>, done: &mut [bool]| {
            if let Bit::Gate(gate) = bit {
                if !std::mem::replace(&mut done[gate], true) {
                    path.push((gate, 0));
                }
            }
        };
        enter(bit, &mut path, &mut done);
        while let Some((gate, looked)) = path.last_mut() {
            let gate = *gate;
            match circuit.gates[gate].inputs.get(*looked) {
                Some(&input) => {
                    *looked += 1;
                    enter(input, &mut path, &mut done);
                }
                None => {
                    steps.push(Step::Gate(gate));
                    path.pop();
                }
            }
        }
        steps.push(end);
    }
    steps
}
