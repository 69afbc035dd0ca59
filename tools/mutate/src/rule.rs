//! Mutants by rule: what is altered in the statements of the exported Verilog.

use crate::expression::{self, Node};
use crate::module::{self, Constants, Kind, Statement};
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};
use weft_verilog::Verilog;

/// What is done to a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// A signal is all 0, or all 1.
    Stuck,
    /// A guard, a comparison or a term is the other way round.
    Inverted,
    /// A constant is one more or less, a border lies beside itself.
    Constant,
    /// The other arm of an `if` or a `case` is taken.
    Arm,
    /// One side of an operation is left out.
    Term,
    /// The sides of an operation have changed places.
    Operands,
    /// A register does not take its value at a reset.
    Reset,
    /// A register does not take its value otherwise.
    Enable,
}

impl Rule {
    pub const ALL: [Rule; 8] = [
        Rule::Stuck,
        Rule::Inverted,
        Rule::Constant,
        Rule::Arm,
        Rule::Term,
        Rule::Operands,
        Rule::Reset,
        Rule::Enable,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Rule::Stuck => "stuck",
            Rule::Inverted => "inverted",
            Rule::Constant => "constant",
            Rule::Arm => "arm",
            Rule::Term => "term",
            Rule::Operands => "operands",
            Rule::Reset => "reset",
            Rule::Enable => "enable",
        }
    }
}

/// One altered statement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Mutant {
    pub module: String,
    /// Of the module's file.
    pub line: usize,
    pub rule: Rule,
    /// Of the innermost `if` or `case` around it; `else` behind that of its other arm.
    pub under: String,
    pub was: String,
    /// Empty: it is left out.
    pub becomes: String,
    /// What it is now that assigns or asks.
    #[serde(skip)]
    pub value: String,
    #[serde(skip)]
    pub statement: Statement,
}

/// Lines in front of a module in its file (`Verilog::files`).
const HEAD_LINES: usize = 3;

/// A part of a statement, and what it may be instead.
struct Site {
    rule: Rule,
    /// In the value.
    at: std::ops::Range<usize>,
    becomes: Vec<String>,
}

/// The mutants of a design, those of one part of a statement together.
pub fn sites(verilog: &Verilog) -> Vec<Vec<Mutant>> {
    let mut all = Vec::new();
    for (name, text) in &verilog.modules {
        let constants = module::constants(text);
        for statement in module::statements(text) {
            for site in of_statement(text, &statement, &constants) {
                let mutant = |becomes: &String| mutant(name, text, &statement, &site, becomes);
                let mutants: Vec<_> = site.becomes.iter().map(mutant).collect();
                all.extend((!mutants.is_empty()).then_some(mutants));
            }
        }
    }
    all
}

/// So many of them: of parts drawn at random one each, and again where there are more mutants than parts.
pub fn draw(mut sites: Vec<Vec<Mutant>>, count: usize, rng: &mut impl rand::Rng) -> Vec<Mutant> {
    sites.shuffle(rng);
    for site in &mut sites {
        site.shuffle(rng);
    }
    let mut chosen = Vec::new();
    while chosen.len() < count && !sites.is_empty() {
        for site in &mut sites {
            if chosen.len() < count {
                chosen.extend(site.pop());
            }
        }
        sites.retain(|site| !site.is_empty());
    }
    chosen
}

/// On one line.
fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn mutant(name: &str, text: &str, statement: &Statement, site: &Site, becomes: &str) -> Mutant {
    let old = &text[statement.value.clone()];
    let value = format!("{}{becomes}{}", &old[..site.at.start], &old[site.at.end..]);
    let whole = |value: &str| match statement.kind {
        Kind::If => format!("if ({value})"),
        Kind::Case => format!("case ({value})"),
        _ => format!(
            "{}{value};",
            &text[statement.all.start..statement.value.start]
        ),
    };
    let lost = matches!(site.rule, Rule::Reset | Rule::Enable);
    let under = statement.under.as_ref().map(|(asked, other)| {
        let other = if *other { " else" } else { "" };
        format!("{}{other}", flat(&text[asked.clone()]))
    });
    Mutant {
        module: name.into(),
        line: statement.line + HEAD_LINES,
        rule: site.rule,
        under: under.unwrap_or_default(),
        was: flat(&whole(old)),
        becomes: if lost {
            String::new()
        } else {
            flat(&whole(&value))
        },
        value: if lost { String::new() } else { value },
        statement: statement.clone(),
    }
}

fn of_statement(text: &str, statement: &Statement, constants: &Constants) -> Vec<Site> {
    let value = &text[statement.value.clone()];
    let Some(mut tree) = expression::read(value) else {
        return Vec::new();
    };
    if let Some(constant) = constants.get(value) {
        tree.kind = constant.clone();
    }
    let mut sites = Vec::new();
    let mut add = |rule, at: &std::ops::Range<usize>, becomes: &[&str]| {
        let becomes = becomes.iter().map(ToString::to_string).collect();
        let at = at.clone();
        sites.push(Site { rule, at, becomes });
    };
    let all = 0..value.len();
    match statement.kind {
        Kind::If => {
            add(Rule::Inverted, &all, &[&format!("!({value})")]);
            add(Rule::Arm, &all, &["1'd1", "1'd0"]);
        }
        Kind::Case => add(Rule::Arm, &all, &[&format!("({value}) ^ 1'd1")]),
        Kind::Wire | Kind::Logic | Kind::Register => match tree.kind {
            // The constant beside it says the same.
            expression::Kind::Constant(1, _) => {}
            expression::Kind::Constant(_, Some(0)) => add(Rule::Stuck, &all, &["'1"]),
            _ => add(Rule::Stuck, &all, &["'0", "'1"]),
        },
    }
    if statement.kind == Kind::Register {
        let reset = statement.under.as_ref();
        let reset = reset.is_some_and(|(at, other)| !other && names(&text[at.clone()], "reset"));
        add(if reset { Rule::Reset } else { Rule::Enable }, &all, &[""]);
    }
    of_node(&tree, value, &mut sites);
    sites
}

/// `(x & ~(1 << i)) | ({0, bit} << i)`: how the exporter puts a bit into a word. Its mask and its zeros are nobody's
/// choice, and mostly the word is built of zeros from one end on, where they do nothing.
fn is_put(left: &Node, right: &Node, text: &str) -> bool {
    use expression::Kind as K;
    let of = |node: &Node| &text[node.at.clone()];
    let cleared = match &left.kind {
        K::Binary(_, "&", mask) => match &mask.kind {
            K::Unary('~', mask) => match &mask.kind {
                K::Binary(_, "<<", place) => place,
                _ => return false,
            },
            _ => return false,
        },
        _ => return false,
    };
    match &right.kind {
        K::Binary(padded, "<<", place) => {
            let bits = match &padded.kind {
                K::Concatenation(parts) => parts,
                _ => return false,
            };
            let zeros = matches!(bits[0].kind, K::Constant(_, Some(0)));
            zeros && bits.len() == 2 && of(cleared) == of(place)
        }
        _ => false,
    }
}

/// Whether an expression has this signal in it.
fn names(text: &str, signal: &str) -> bool {
    let of_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.split(|c| !of_word(c)).any(|word| word == signal)
}

fn of_node(node: &Node, text: &str, sites: &mut Vec<Site>) {
    use expression::Kind as K;
    let of = |node: &Node| text[node.at.clone()].to_string();
    let mut add = |rule, becomes: Vec<String>| {
        let at = node.at.clone();
        sites.push(Site { rule, at, becomes });
    };
    match &node.kind {
        K::Name(inner) | K::Concatenation(inner) => {
            inner.iter().for_each(|node| of_node(node, text, sites));
        }
        K::Constant(width, Some(value)) => {
            let most = u64::MAX >> (64 - (*width).max(1));
            let mut others = vec![value.wrapping_add(1) & most, value.wrapping_sub(1) & most];
            others.dedup();
            let sized = |value: &u64| format!("{width}'d{value}");
            add(Rule::Constant, others.iter().map(sized).collect());
        }
        K::Constant(_, None) => {}
        K::Unary(sign, inner) => {
            if matches!(sign, '~' | '!') {
                add(Rule::Inverted, vec![of(inner)]);
            }
            of_node(inner, text, sites);
        }
        K::Binary(left, "|", right) if is_put(left, right, text) => {
            let K::Binary(padded, _, place) = &right.kind else {
                return;
            };
            let K::Concatenation(parts) = &padded.kind else {
                return;
            };
            parts[1..].iter().for_each(|bit| of_node(bit, text, sites));
            of_node(place, text, sites);
        }
        K::Binary(left, sign, right) => {
            let (l, r) = (of(left), of(right));
            let with = |sign: &str| format!("({l} {sign} {r})");
            match *sign {
                "&" | "|" | "^" | "&&" | "||" | "+" => add(Rule::Term, vec![l, r]),
                "-" => {
                    add(Rule::Operands, vec![format!("({r} - {l})")]);
                    add(Rule::Term, vec![l, r]);
                }
                "<<" | ">>" => add(Rule::Term, vec![l]),
                "==" => add(Rule::Inverted, vec![with("!=")]),
                "!=" => add(Rule::Inverted, vec![with("==")]),
                "<" | "<=" | ">" | ">=" => {
                    let border = match *sign {
                        "<" => "<=",
                        "<=" => "<",
                        ">" => ">=",
                        _ => ">",
                    };
                    add(Rule::Constant, vec![with(border)]);
                    add(Rule::Operands, vec![format!("({r} {sign} {l})")]);
                }
                _ => {}
            }
            of_node(left, text, sites);
            of_node(right, text, sites);
        }
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use weft_testbench::seed::stream;

    const MODULE: &str = "module m (\n    input  wire a\n);\n    assign y = (a - 4'd3) < b;\n\n\
        \x20   always @(posedge clock) begin\n        if (reset) begin\n            q_q <= 2'd0;\n\
        \x20       end else begin\n            q_q <= ~c;\n        end\n    end\nendmodule\n";

    /// One module.
    pub fn design() -> Verilog {
        Verilog {
            top: "m".into(),
            modules: vec![("m".into(), MODULE.into())],
            order: vec!["m".into()],
            ports: Vec::new(),
        }
    }

    #[test]
    fn each_rule_alters_what_it_says() {
        let mut found: BTreeMap<Rule, Vec<(String, String)>> = BTreeMap::new();
        for m in sites(&design()).into_iter().flatten() {
            found.entry(m.rule).or_default().push((m.was, m.becomes));
        }
        let of = |rule: Rule| -> Vec<&str> {
            let all = found.get(&rule).into_iter().flatten();
            all.map(|(_, becomes)| becomes.as_str()).collect()
        };
        assert_eq!(
            of(Rule::Stuck),
            [
                "assign y = '0;",
                "assign y = '1;",
                "q_q <= '1;",
                "q_q <= '0;",
                "q_q <= '1;"
            ]
        );
        assert_eq!(of(Rule::Inverted), ["if (!(reset))", "q_q <= c;"]);
        assert_eq!(
            of(Rule::Constant),
            [
                "assign y = ((a - 4'd3) <= b);",
                "assign y = (a - 4'd4) < b;",
                "assign y = (a - 4'd2) < b;",
                "q_q <= 2'd1;",
                "q_q <= 2'd3;"
            ]
        );
        assert_eq!(of(Rule::Arm), ["if (1'd1)", "if (1'd0)"]);
        assert_eq!(
            of(Rule::Term),
            ["assign y = a < b;", "assign y = 4'd3 < b;"]
        );
        assert_eq!(
            of(Rule::Operands),
            ["assign y = (b < (a - 4'd3));", "assign y = (4'd3 - a) < b;"]
        );
        assert_eq!((of(Rule::Reset), of(Rule::Enable)), (vec![""], vec![""]));
        let all: Vec<_> = sites(&design()).concat();
        let reset = all.iter().find(|m| m.rule == Rule::Reset).unwrap();
        assert_eq!((reset.line, reset.under.as_str()), (11, "reset"));
        let enable = all.iter().find(|m| m.rule == Rule::Enable).unwrap();
        assert_eq!(enable.under, "reset else");
    }

    #[test]
    fn of_a_bit_that_is_put_into_a_word_only_bit_and_place_are_altered() {
        let of = |value: &str| {
            let text = format!("module m;\n    assign x = {value};\nendmodule\n");
            let mut verilog = design();
            verilog.modules = vec![("m".into(), text)];
            let all = sites(&verilog).concat();
            let others = all.into_iter().filter(|m| m.rule != Rule::Stuck);
            others.map(|m| m.becomes).collect::<Vec<_>>()
        };
        let put = |bit: &str, place: &str| {
            format!("(x & ~(4'd1 << 2'd1)) | ({{3'd0, {bit}}} << {place})")
        };
        let becomes = |bit, place| format!("assign x = {};", put(bit, place));
        assert_eq!(
            of(&put("~b", "2'd1")),
            [
                becomes("b", "2'd1"),
                becomes("~b", "2'd2"),
                becomes("~b", "2'd0")
            ]
        );
        assert!(of(&put("~b", "2'd2")).len() > 8, "another place");
    }

    #[test]
    fn a_seed_draws_the_same_mutants_each_once() {
        let draw = |count, seed| draw(sites(&design()), count, &mut stream(seed, "mutants"));
        assert_eq!(draw(8, 3), draw(8, 3));
        assert_ne!(draw(8, 3), draw(8, 4));
        let all = draw(1000, 1);
        assert_eq!(all.len(), sites(&design()).concat().len());
        assert_eq!(draw(3, 1), all[..3]);
    }
}
