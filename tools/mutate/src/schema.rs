//! One design with many mutants in it, of which one, or none, is chosen when a model of it is opened.
//!
//! *Why:* a model of its own for each mutant takes longer to make than all that is then run on it.
//!
//! Each altered value stands in a statement, or a wire, of its own, so that none widens another.
//! Where the chosen one differs from what was there, the model says so at its end ([`DIFFERENT`]).

use crate::module::Kind;
use crate::rule::Mutant;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use weft_testbench::rtl::broken::chooser;
use weft_verilog::Verilog;

/// What a model prints at its end: that it was opened, and whether the chosen mutant ever made a difference where it is.
pub const OPENED: &str = "weft_mutants: opened";
pub const DIFFERENT: &str = "weft_mutants: different";

const PACKAGE: &str = "weft_mutants";

/// In the package in front of the modules, beside what chooses.
const ASKS: &str = "    bit different = 1'b0;
    function automatic bit asked(int number, bit other, bit was);
        if (chosen != number) return was;
        if (other != was) different = 1'b1;
        return other;
    endfunction
";

/// The Verilog in which each of these can be chosen, the first by 1; it must be some number, and one that none has
/// ([`whole`]) chooses the design as it was.
pub fn with(verilog: &Verilog, mutants: &[Mutant]) -> Verilog {
    let mut with = verilog.clone();
    for (name, text) in &mut with.modules {
        let mut places: BTreeMap<usize, Vec<(usize, &Mutant)>> = BTreeMap::new();
        for (mutant, number) in mutants.iter().zip(1..) {
            if mutant.module == *name {
                let at = mutant.statement.all.start;
                places.entry(at).or_default().push((number, mutant));
            }
        }
        let (mut new, mut at) = (String::new(), 0);
        for mutants in places.values() {
            let statement = &mutants[0].1.statement;
            new += &text[at..statement.all.start];
            new += &choice(text, mutants);
            at = statement.all.end;
        }
        new += &text[at..];
        if *name == verilog.top {
            let says = format!(
                "    final begin\n        $display(\"{OPENED}\");\n        \
                 if (weft_mutants::different) $display(\"{DIFFERENT}\");\n    end\nendmodule"
            );
            new = new.replacen("endmodule", &says, 1);
        }
        *text = new;
    }
    with.modules
        .insert(0, (PACKAGE.into(), chooser(PACKAGE, ASKS)));
    with
}

/// The number that no mutant has.
pub fn whole(mutants: &[Mutant]) -> usize {
    mutants.len() + 1
}

/// What stands in place of a statement, or of what an `if` or a `case` asks.
fn choice(text: &str, mutants: &[(usize, &Mutant)]) -> String {
    let statement = &mutants[0].1.statement;
    let was = &text[statement.value.clone()];
    let target = &text[statement.all.start..statement.value.start];
    let chosen = |number: &usize| format!("weft_mutants::chosen == {number}");
    match statement.kind {
        Kind::If => mutants.iter().fold(format!("|({was})"), |was, (n, m)| {
            format!("weft_mutants::asked({n}, |({}), {was})", m.value)
        }),
        Kind::Case => mutants.iter().fold(was.to_string(), |inner, (n, m)| {
            let value = &m.value;
            format!("(weft_mutants::asked({n}, ({value}) != ({was}), 1'b0) ? {value} : {inner})")
        }),
        Kind::Logic | Kind::Register => {
            let mut new = String::from("begin\n");
            for (number, m) in mutants {
                let other = match m.becomes.is_empty() {
                    true => target.trim_end_matches([' ', '<', '=']).to_string(),
                    false => m.value.clone(),
                };
                let _ = write!(
                    new,
                    "if ({}) begin\nif (({other}) != ({was})) weft_mutants::different = 1'b1;\n",
                    chosen(number)
                );
                if !m.becomes.is_empty() {
                    let _ = writeln!(new, "{target}{other};");
                }
                new += "end else ";
            }
            format!("{new}{target}{was};\nend")
        }
        Kind::Wire => {
            let name = target.trim_start_matches("assign ").trim_end_matches(" = ");
            let wire =
                |number: &usize| format!("{}_weft_{number}", name.replace(['[', ']', ':'], "_"));
            let whole = wire(&0);
            let mut new = format!("wire [$bits({name})-1:0] {whole} = {was};\n");
            let mut choices = String::new();
            for (number, m) in mutants {
                let (other, chosen) = (wire(number), chosen(number));
                let _ = writeln!(new, "wire [$bits({name})-1:0] {other} = {};", m.value);
                let _ = writeln!(
                    new,
                    "always @(*) if ({chosen} && {other} != {whole}) weft_mutants::different = 1'b1;"
                );
                let _ = write!(choices, "{chosen} ? {other} : ");
            }
            format!("{new}{target}{choices}{whole};")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::{sites, tests::design, Rule};

    fn text(verilog: &Verilog, mutants: &[Mutant]) -> String {
        with(verilog, mutants).bundle()
    }

    #[test]
    fn each_place_asks_for_its_mutants_and_all_else_stays() {
        let all = sites(&design()).concat();
        let of = |rule: Rule| {
            let of: Vec<_> = all.iter().filter(|m| m.rule == rule).cloned().collect();
            text(&design(), &of)
        };
        assert!(
            text(&design(), &[]).contains(design().modules[0].1.trim_end_matches("endmodule\n"))
        );
        let arm = of(Rule::Arm);
        let asked =
            "if (weft_mutants::asked(2, |(1'd0), weft_mutants::asked(1, |(1'd1), |(reset)))) begin";
        assert!(arm.contains(asked), "{arm}");
        let reset = of(Rule::Reset);
        let left_out = "begin\nif (weft_mutants::chosen == 1) begin\nif ((q_q) != (2'd0)) weft_mutants::different = 1'b1;\n\
            end else q_q <= 2'd0;\nend\n";
        assert!(reset.contains(left_out), "{reset}");
        let operands = of(Rule::Operands);
        let wires = "wire [$bits(y)-1:0] y_weft_0 = (a - 4'd3) < b;\nwire [$bits(y)-1:0] y_weft_1 = (b < (a - 4'd3));\n";
        assert!(operands.contains(wires), "{operands}");
        assert!(operands.contains("assign y = weft_mutants::chosen == 1 ? y_weft_1 : weft_mutants::chosen == 2 ? y_weft_2 : y_weft_0;"));
    }
}
