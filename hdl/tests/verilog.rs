//! The generated Verilog.

use weft_generate::{verilog_of_all, Config, Design, Unit};
use weft_hdl::{checked, datapath::wavefront::Wavefront};
use weft_rtl::verilator_lint;

/// Verilog of these is made each time, of all with `WEFT_SIZES=all` (`cargo xtask long sizes`): of each unit the smallest, and
/// the usual size of the GPU, which has every other unit in it.
fn is_usual(unit: Unit, name: &str) -> bool {
    name == "tiny" || name == "default" && unit == Unit::Gpu
}

/// `WEFT_SIZES=all` (`cargo xtask long sizes`), not the gate.
fn every_size() -> bool {
    std::env::var("WEFT_SIZES").is_ok_and(|sizes| sizes == "all")
}

#[test]
fn every_unit_can_be_generated_in_every_named_configuration() {
    let all = every_size();
    let mut designs = Vec::new();
    let mut refused = Vec::new();
    for &unit in Unit::ALL {
        for (name, config) in Config::NAMED {
            match Design::of(unit, config, false) {
                Ok(design) if all || is_usual(unit, name) => designs.push(design),
                Ok(_) => (),
                Err(_) => refused.push((unit, name)),
            }
        }
    }
    // A scheduler has 16 warps at most, and an SM has one scheduler.
    let too_many = [Unit::Gpu, Unit::Sm, Unit::Scheduler].map(|unit| (unit, "max"));
    assert_eq!(refused, too_many);
    for (design, verilog) in designs.iter().zip(verilog_of_all(&designs).unwrap()) {
        assert_eq!(verilog.top, design.top());
        let text = verilog.bundle();
        assert!(text.contains(&format!("module {} ", design.top())));
        assert!(!text.contains('$'), "{design}: a `$` in a name");
    }
}

#[test]
fn it_comes_out_the_same_twice() {
    let once = checked(Wavefront::<4, 4, 2, 9>::default(), "weft_wavefront").unwrap();
    let again = checked(Wavefront::<4, 4, 2, 9>::default(), "weft_wavefront").unwrap();
    assert_eq!(once, again);
    // And the same from a generated crate.
    let design = Design::of(Unit::Wavefront, Config::usual(4, 4), false).unwrap();
    assert_eq!(weft_generate::verilog(&design).unwrap(), once);
}

/// `verilator --lint-only -Wall` without an option that waives anything: what the text has to be forgiven, it says itself.
#[test]
fn verilator_has_nothing_to_say() {
    let plain = [(4, 4), (4, 64), (32, 32)].map(|(warps, threads)| (warps, threads, false));
    let dual = [(4, 4, false), (4, 4, true), (16, 32, false), (16, 32, true)];
    // Of a core with partitions the smallest, further down, is enough.
    let partitions = match every_size() {
        true => &[(32, 32, false), (32, 32, true), (64, 32, false)][..],
        false => &[],
    };
    let mut designs = Vec::new();
    for (unit, sizes) in [
        (Unit::Control, plain.to_vec()),
        (Unit::Convergence, plain.to_vec()),
        (Unit::Scheduler, [&dual[..], &[(8, 32, false)]].concat()),
        (Unit::Core, [&dual[..], partitions].concat()),
    ] {
        let design = |(warps, threads, dual)| Design::of(unit, Config::usual(warps, threads), dual);
        designs.extend(sizes.into_iter().map(|size| design(size).unwrap()));
    }
    // All others, and as a user gets them: without the ports that only show what they do.
    for &unit in Unit::ALL {
        let tiny = Design::of(unit, Config::usual(4, 4), false).unwrap();
        if unit.parameter("trace").is_some() {
            let values = tiny.values().iter().map(|(name, value)| (*name, *value));
            let without = values.map(|(name, value)| match name {
                "trace" => (name, 0),
                _ => (name, value),
            });
            designs.push(Design::new(unit, &without.collect::<Vec<_>>()).unwrap());
        }
        // With them the text is longer and no other; of one unit that is looked at, too.
        let both = unit.parameter("trace").is_none() || unit == Unit::Host;
        if both && !designs.contains(&tiny) {
            designs.push(tiny);
        }
    }
    let float = [("warps", 4), ("threads", 8), ("lanes", 4), ("float", 2)];
    designs.push(Design::new(Unit::Sm, &float).unwrap());
    let shared = [
        ("warps", 4),
        ("threads", 4),
        ("sms", 3),
        ("l2", 1),
        ("l2_ways", 8),
    ];
    designs.push(Design::new(Unit::Gpu, &shared).unwrap());
    if every_size() {
        let eight = [("warps", 4), ("threads", 4), ("sms", 8), ("l2", 1)];
        designs.push(Design::new(Unit::Gpu, &eight).unwrap());
    }
    let four = [
        ("warps", 16),
        ("threads", 4),
        ("partitions", 4),
        ("dual", 1),
    ];
    designs.push(Design::new(Unit::Core, &four).unwrap());
    let levels = [
        ("warps", 16),
        ("threads", 4),
        ("dual", 1),
        ("level_bits", 6),
    ];
    designs.push(Design::new(Unit::Scheduler, &levels).unwrap());
    designs.push(Design::new(Unit::Core, &levels).unwrap());
    for (design, verilog) in designs.iter().zip(verilog_of_all(&designs).unwrap()) {
        let report = verilator_lint(&verilog).unwrap();
        let said = report.messages.join("\n");
        assert!(report.is_clean(), "{design}:\n{said}");
        let hidden = design.unit().map_or(&[][..], |unit| unit.entry().trace);
        let shows = verilog.ports.iter().filter(|p| !p.input).filter(|p| {
            let rest = hidden.iter().filter_map(|h| p.name.strip_prefix(h));
            rest.into_iter()
                .any(|rest| rest.is_empty() || rest.starts_with('_'))
        });
        assert_eq!(shows.count() > 0, design.value("trace") == 1, "{design}");
    }
}

#[test]
fn kernels_use_no_form_that_only_the_source_shows() {
    let findings = weft_rtl::scan_sources(concat!(env!("CARGO_MANIFEST_DIR"), "/src")).unwrap();
    assert!(findings.is_empty(), "{findings:?}");
}
