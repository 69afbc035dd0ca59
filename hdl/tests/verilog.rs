//! The generated Verilog of every size.

use weft_hdl::{unit_verilog, Config, Unit, VerilogError, SUPPORTED};
use weft_rtl::verilator_lint;

#[test]
fn every_size_and_unit_can_be_generated_and_comes_out_the_same_twice() {
    for unit in Unit::ALL {
        for (config, dual) in unit.variants() {
            let once = unit_verilog(unit, config, dual).unwrap();
            assert_eq!(once.top, unit.top());
            assert!(once.bundle().contains(&format!("module {} ", unit.top())));
            assert!(
                !once.bundle().contains('$'),
                "{unit:?} {config:?}: a `$` in a name"
            );
            let again = unit_verilog(unit, config, dual).unwrap();
            assert_eq!(once.bundle(), again.bundle());
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
fn a_size_is_written_as_it_is_read() {
    for &size in SUPPORTED {
        assert_eq!(size.to_string().parse(), Ok(size));
    }
    assert_eq!("16x32".parse(), Ok(Config::new(16, 32, 8, 2)));
    for wrong in ["", "16", "16x", "x32", "16x32k8", "16x32kb", "16x32k8b2x"] {
        let error = wrong.parse::<Config>().unwrap_err();
        assert!(error.contains("16x32k8b2"), "{wrong}: {error}");
    }
}

#[test]
fn another_size_is_an_error_that_lists_the_supported_ones() {
    let foreign = Config::new(5, 4, 4, 2);
    let error = unit_verilog(Unit::Control, foreign, false).unwrap_err();
    assert!(matches!(error, VerilogError::Unsupported(_)));
    assert!(error.to_string().contains("16x32k8b2"), "{error}");
    for unit in [Unit::Core, Unit::Scheduler] {
        let error = unit_verilog(unit, foreign, true).unwrap_err();
        assert!(matches!(error, VerilogError::NoVariant(..)));
        let text = error.to_string();
        assert!(
            text.contains(unit.top()) && text.contains("16x32k8b2 dual"),
            "{text}"
        );
    }
    let error = unit_verilog(Unit::Control, SUPPORTED[0], true).unwrap_err();
    assert!(matches!(error, VerilogError::NoVariant(..)));
}

/// `verilator --lint-only -Wall`, width warnings included; what is waived is waived by exact message, with a reason. (Core and scheduler: in their modules.)
#[test]
fn verilator_has_nothing_to_say_about_three_sizes() {
    for (warps, threads) in [(4, 4), (4, 64), (32, 32)] {
        let size = Config::with(warps, threads).unwrap();
        for unit in [Unit::Control, Unit::Convergence] {
            let verilog = unit_verilog(unit, size, false).unwrap();
            let report = verilator_lint(&verilog).unwrap();
            assert!(
                report.is_clean(),
                "{unit:?} {size}:\n{}",
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
