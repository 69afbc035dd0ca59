//! The generated Verilog of every size.

use weft_hdl::{unit_verilog, Config, Unit, VerilogError, SUPPORTED};
use weft_rtl::verilator_lint;

#[test]
fn every_size_and_unit_can_be_generated_and_comes_out_the_same_twice() {
    for &config in SUPPORTED {
        for unit in Unit::ALL {
            let once = unit_verilog(unit, config).unwrap();
            assert_eq!(once.top, unit.top());
            assert!(once.bundle().contains(&format!("module {} ", unit.top())));
            assert!(
                !once.bundle().contains('$'),
                "{unit:?} {config:?}: a `$` in a name"
            );
            assert_eq!(once.bundle(), unit_verilog(unit, config).unwrap().bundle());
        }
    }
}

#[test]
fn named_configurations_are_supported() {
    for (name, config) in Config::NAMED {
        assert!(SUPPORTED.contains(&config), "{name}");
    }
}

#[test]
fn another_size_is_an_error_that_lists_the_supported_ones() {
    let error = unit_verilog(
        Unit::Control,
        Config {
            warps: 5,
            threads: 4,
        },
    )
    .unwrap_err();
    assert!(matches!(error, VerilogError::Unsupported(_)));
    assert!(error.to_string().contains("16x32"), "{error}");
}

/// `verilator --lint-only -Wall`, width warnings included; what is waived is waived by exact message, with a reason.
#[test]
fn verilator_has_nothing_to_say_about_three_sizes() {
    for (warps, threads) in [(4, 4), (8, 8), (32, 32)] {
        for unit in Unit::ALL {
            let verilog = unit_verilog(unit, Config { warps, threads }).unwrap();
            let report = verilator_lint(&verilog).unwrap();
            assert!(
                report.is_clean(),
                "{unit:?} {warps}x{threads}:\n{}",
                report.messages.join("\n")
            );
        }
    }
}

#[test]
fn kernels_use_no_form_that_only_the_source_shows() {
    let findings = weft_rtl::scan_sources(concat!(env!("CARGO_MANIFEST_DIR"), "/src")).unwrap();
    assert!(findings.is_empty(), "{findings:?}");
}
