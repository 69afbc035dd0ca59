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

/// # Errors
/// A gate hangs on itself: then there is no order in which each is computed once.
pub fn of(circuit: &Circuit) -> Result<(String, Lengths), String> {
    let steps = steps(circuit)?;
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
    Ok((text + "}\n", lengths))
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

/// How far a gate has come.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    /// Its inputs are looked at.
    Entered,
    Done,
}

/// Each output and register behind the gates that it hangs on, so that what belongs together stands together.
///
/// # Errors
/// A gate hangs on itself.
fn steps(circuit: &Circuit) -> Result<Vec<Step>, String> {
    let outputs = circuit.outputs.iter().flat_map(|(_, bits)| bits);
    let outputs = outputs
        .enumerate()
        .map(|(n, bit)| (*bit, Step::Output(n, *bit)));
    let registers = circuit.registers.iter().map(|register| register.next);
    let registers = registers
        .enumerate()
        .map(|(n, bit)| (bit, Step::Register(n, bit)));
    let mut steps = Vec::new();
    let mut states = vec![State::New; circuit.gates.len()];
    for (bit, end) in outputs.chain(registers) {
        // A gate, and how many of its inputs have been looked at.
        let mut path: Vec<(usize, usize)> = Vec::new();
        let enter = |bit: Bit, path: &mut Vec<_>, states: &mut [State]| {
            let Bit::Gate(gate) = bit else {
                return Ok(());
            };
            match states[gate] {
                State::New => {
                    states[gate] = State::Entered;
                    path.push((gate, 0));
                    Ok(())
                }
                State::Entered => Err(format!("gate {gate} of {} hangs on itself", states.len())),
                State::Done => Ok(()),
            }
        };
        enter(bit, &mut path, &mut states)?;
        while let Some((gate, looked)) = path.last_mut() {
            let gate = *gate;
            match circuit.gates[gate].inputs.get(*looked) {
                Some(&input) => {
                    *looked += 1;
                    enter(input, &mut path, &mut states)?;
                }
                None => {
                    states[gate] = State::Done;
                    steps.push(Step::Gate(gate));
                    path.pop();
                }
            }
        }
        steps.push(end);
    }
    Ok(steps)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gates of one operation, of which the first is the output.
    fn circuit(gates: &[&[Bit]]) -> Circuit {
        let gate = |inputs: &&[Bit]| Gate {
            op: Op::And,
            inputs: inputs.to_vec(),
        };
        Circuit {
            inputs: vec![("i".into(), vec![Bit::Input(0)])],
            outputs: vec![("o".into(), vec![Bit::Gate(0)])],
            registers: Vec::new(),
            gates: gates.iter().map(gate).collect(),
        }
    }

    #[test]
    fn a_gate_comes_after_its_inputs_and_once() {
        let both = [Bit::Gate(2), Bit::Input(0)];
        let steps = steps(&circuit(&[
            &[Bit::Gate(1), Bit::Gate(2)],
            &both,
            &[Bit::Input(0), Bit::Input(0)],
        ]));
        let gates = steps.unwrap().into_iter().filter_map(|step| match step {
            Step::Gate(gate) => Some(gate),
            _ => None,
        });
        assert_eq!(gates.collect::<Vec<_>>(), [2, 1, 0]);
    }

    #[test]
    fn a_circle_is_refused() {
        let round = circuit(&[
            &[Bit::Gate(1), Bit::Input(0)],
            &[Bit::Input(0), Bit::Gate(0)],
        ]);
        let error = of(&round).unwrap_err();
        assert_eq!(error, "gate 0 of 2 hangs on itself");
    }
}
