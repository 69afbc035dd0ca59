//! Generated Verilog as plain text with its ports: what the exporter of `weft-rtl` makes and everybody else reads.
//!
//! It knows nothing of rust-hdl, so that a program that only uses generated Verilog need not compile the generator.

#![forbid(unsafe_code)]

use std::fmt::Write as _;

/// Begins the name of the variable in which a process computes a signal; no signal's own name begins so.
pub const VARIABLE: &str = "v__";

/// A generated design.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verilog {
    /// Name of the top module.
    pub top: String,
    /// Name and text of every module, sorted by name.
    pub modules: Vec<(String, String)>,
    /// Names of the modules, each after those that it holds instances of.
    pub order: Vec<String>,
    /// Ports of the top module, in the order of their declaration.
    pub ports: Vec<TopPort>,
}

/// A port of the top module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TopPort {
    /// Name in the Verilog.
    pub name: String,
    /// Direction.
    pub input: bool,
    /// Bits.
    pub width: usize,
}

/// First line of [`Verilog::to_text`].
const FORMAT: &str = "weft-verilog 1";

impl Verilog {
    /// One file per module: name and text.
    pub fn files(&self) -> Vec<(String, String)> {
        let file = |(name, text): &(String, String)| {
            let head = format!("// Generated; do not edit. Part of: {}", self.top);
            let text = format!("{head}\n`default_nettype none\n\n{text}\n`default_nettype wire\n");
            (format!("{name}.v"), text)
        };
        self.modules.iter().map(file).collect()
    }

    /// All modules in one file.
    pub fn bundle(&self) -> String {
        let mut s = format!("// Generated; do not edit. Top module: {}\n", self.top);
        s.push_str("// All modules in one file.\n// verilator lint_off DECLFILENAME\n");
        s.push_str("`default_nettype none\n");
        for (_, text) in &self.modules {
            s.push('\n');
            s.push_str(text);
        }
        s.push_str("\n`default_nettype wire\n// verilator lint_on DECLFILENAME\n");
        s
    }

    /// The module of the block called `name`, the one nearest to the top of several; `compute_datapath` is the block
    /// `datapath` of `compute`. `None`: no block is called so.
    pub fn block(&self, name: &str) -> Option<&str> {
        let below = |module: &str| {
            let path = module.strip_prefix(&self.top)?.strip_prefix('_')?;
            let outside = path.strip_suffix(name)?;
            (outside.is_empty() || outside.ends_with('_')).then_some(())
        };
        let names = self.modules.iter().map(|(module, _)| module.as_str());
        names
            .filter(|module| below(module).is_some())
            .min_by_key(|module| module.len())
    }

    /// All of it as one text that [`Verilog::from_text`] reads: how a generator hands it over, and how it is cached.
    pub fn to_text(&self) -> String {
        let mut text = format!("{FORMAT}\ntop {}\n", self.top);
        for p in &self.ports {
            let direction = if p.input { "in" } else { "out" };
            let _ = writeln!(text, "{direction} {} {}", p.width, p.name);
        }
        for name in &self.order {
            let _ = writeln!(text, "order {name}");
        }
        for (name, body) in &self.modules {
            let _ = writeln!(text, "module {} {name}\n{body}", body.len());
        }
        text + "end\n"
    }

    /// `None`: the text is not one that [`Verilog::to_text`] made, or not all of it.
    pub fn from_text(text: &str) -> Option<Verilog> {
        let mut rest = text.strip_prefix(FORMAT)?.strip_prefix('\n')?;
        let mut verilog = Verilog {
            top: String::new(),
            modules: vec![],
            order: vec![],
            ports: vec![],
        };
        loop {
            let (line, after) = rest.split_once('\n')?;
            rest = after;
            match line.split_once(' ') {
                Some(("top", top)) => verilog.top = top.into(),
                Some((direction @ ("in" | "out"), port)) => {
                    let (width, name) = port.split_once(' ')?;
                    verilog.ports.push(TopPort {
                        name: name.into(),
                        input: direction == "in",
                        width: width.parse().ok()?,
                    });
                }
                Some(("order", name)) => verilog.order.push(name.into()),
                Some(("module", module)) => {
                    let (length, name) = module.split_once(' ')?;
                    let length = length.parse().ok()?;
                    let body = rest.get(..length)?;
                    verilog.modules.push((name.into(), body.into()));
                    rest = rest.get(length..)?.strip_prefix('\n')?;
                }
                None if line == "end" && rest.is_empty() => return Some(verilog),
                _ => return None,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two_modules() -> Verilog {
        let text = |name: &str| format!("module {name} (a);\nend\nendmodule\n");
        Verilog {
            top: "b".into(),
            modules: vec![("a".into(), text("a")), ("b".into(), text("b"))],
            order: vec!["a".into(), "b".into()],
            ports: vec![
                TopPort {
                    name: "clock".into(),
                    input: true,
                    width: 1,
                },
                TopPort {
                    name: "wide".into(),
                    input: false,
                    width: 512,
                },
            ],
        }
    }

    #[test]
    fn a_block_is_found_by_its_name() {
        let mut verilog = two_modules();
        verilog.top = "t".into();
        verilog.modules = ["t", "t_a", "t_a_rows", "t_rows", "t_borrows"]
            .map(|name| (name.to_string(), String::new()))
            .into();
        assert_eq!(verilog.block("rows"), Some("t_rows"));
        assert_eq!(verilog.block("a_rows"), Some("t_a_rows"));
        assert_eq!(verilog.block("a"), Some("t_a"));
        for none in ["t", "row", "ows", "b"] {
            assert_eq!(verilog.block(none), None, "{none}");
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let verilog = two_modules();
        let text = verilog.to_text();
        assert_eq!(Verilog::from_text(&text), Some(verilog));
        // A file that was cut off, or is another's, is none.
        for end in [0, 10, text.len() / 2, text.len() - 1] {
            assert_eq!(Verilog::from_text(&text[..end]), None, "{end}");
        }
        assert_eq!(
            Verilog::from_text(&text.replace("verilog 1", "verilog 0")),
            None
        );
        assert_eq!(Verilog::from_text(&(text + "x")), None);
    }
}
