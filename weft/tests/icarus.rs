//! The Verilog in an event-driven simulator: the benches of `examples` under Icarus check what they have computed, and
//! what stood at the ports there is, bit by bit and cycle by cycle, what the Verilated model shows for the same inputs.
//!
//! That of `weft_core` is in `examples.rs` alone: it does not record its reset, from which a replay would have to begin.

mod recording;

use recording::Recording;
use weft_generate::{verilog, Config, Design, Unit};
use weft_testbench::rtl::error::RtlKind;
use weft_testbench::rtl::model::Options;
use weft_testbench::rtl::Model;
use weft_toolbox::which;

/// Runs the example; what its bench has said, and how many cycles were compared.
fn same(example: &str, unit: Unit) -> Option<(String, usize)> {
    if which("iverilog").is_none() {
        assert!(
            std::env::var_os("CI").is_none(),
            "the CI has to have Icarus"
        );
        eprintln!("skipped: there is no iverilog");
        return None;
    }
    let (recording, said) = Recording::of(example, example, &["+vcd"]);
    let design = Design::of(unit, Config::NAMED[0].1, false).expect("a design");
    let ports = verilog(&design).expect("its Verilog").ports;
    let mut model = Model::open(RtlKind::Verilated, &design, &Options::default()).expect("a model");
    let (mut known, mut all) = (0, 0);
    for (cycle, at) in &recording.0 {
        for port in ports.iter().filter(|p| p.input && p.name != "clock") {
            // What nobody drives before the first reset.
            let bits = at[&port.name].replace(['x', 'z'], "0");
            model.set_words(model.input(&port.name), &words(&bits));
        }
        model.settle();
        // In reset they are what memories happen to hold.
        let resets = at["reset"] != "0";
        // Those that only show what the unit does are not there for users (`trace`).
        for port in ports.iter().filter(|p| !p.input && !resets) {
            let Some(bits) = at.get(&port.name) else {
                continue;
            };
            let got = model.get_words(model.output(&port.name)).iter().rev();
            let got: String = got.map(|word| format!("{word:064b}")).collect();
            let got = &got[got.len() - bits.len()..];
            let differs = bits
                .chars()
                .zip(got.chars())
                .any(|(a, b)| "01".contains(a) && a != b);
            assert!(
                !differs,
                "cycle {cycle}: {} is {got} under Verilator, under Icarus {bits}",
                port.name
            );
            known += usize::from(!bits.contains('x'));
            all += 1;
        }
        model.edge();
    }
    let cycles = recording.0.len();
    // What is not known is that at the ports of memories nobody has written to yet.
    assert!(4 * known > 3 * all, "{known} of {all} values are known");
    Some((said, cycles))
}

/// The low word first.
fn words(bits: &str) -> Vec<u64> {
    let word = |chunk: &[u8]| {
        let text = std::str::from_utf8(chunk).expect("digits");
        u64::from_str_radix(text, 2).expect("digits")
    };
    bits.as_bytes().rchunks(64).map(word).collect()
}

#[test]
fn the_control_plane_is_the_same() {
    let Some((said, _)) = same("control", Unit::Control) else {
        return;
    };
    assert!(said.contains("16 threads are right"), "{said}");
}

#[test]
fn a_kernel_on_the_sm_ends_in_the_same_cycle() {
    let Some((said, cycles)) = same("sm", Unit::Sm) else {
        return;
    };
    assert!(said.contains("17 elements are right"), "{said}");
    assert!(cycles > 400, "{cycles}");
}

#[test]
fn a_launch_on_the_gpu_ends_in_the_same_cycle() {
    let Some((said, cycles)) = same("gpu", Unit::Gpu) else {
        return;
    };
    assert!(said.contains("17 elements are right"), "{said}");
    assert!(cycles > 400, "{cycles}");
}
