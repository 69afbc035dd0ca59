//! What Yosys makes of the generated control plane.

use weft_generate::{verilog_of_all, Config, Design, Unit};
use weft_synth::{mapped, memories, yosys_check, MemoryKind, Request, Target};
use weft_toolbox::Toolbox;

fn verilog(unit: Unit, config: Config) -> String {
    let design = Design::of(unit, config, false).unwrap();
    weft_generate::verilog(&design).unwrap().bundle()
}

/// No latch, no signal without or with two drivers, no combinational loop.
#[test]
fn control_plane_is_sound() {
    for (warps, threads) in [(4, 4), (4, 64), (32, 32)] {
        let text = verilog(Unit::Control, Config::usual(warps, threads));
        let checks = yosys_check(&text, "weft_control").unwrap();
        assert!(
            checks.cells.contains_key("$memwr_v2"),
            "{warps}x{threads}: no memory at all: {:?}",
            checks.cells
        );
    }
}

/// The same of every unit at its smallest size, and with dual issue; with `WEFT_SIZES=all` (`cargo xtask long sound`)
/// also with more warps, and of the core in two and four partitions.
#[test]
fn units_are_sound() {
    let all = std::env::var("WEFT_SIZES").is_ok_and(|sizes| sizes == "all");
    for &unit in Unit::ALL {
        let mut sizes = vec![(4, 4, false), (4, 4, true)];
        if all {
            sizes.push((8, 4, false));
        }
        // Two instructions of a warp, or so few warps, there are not of every unit.
        let possible = sizes.into_iter().filter_map(|(warps, threads, dual)| {
            Design::of(unit, Config::usual(warps, threads), dual).ok()
        });
        let mut designs: Vec<_> = possible.collect();
        for partitions in [2, 4].into_iter().filter(|_| all && unit == Unit::Core) {
            let size = [("warps", 4 * partitions), ("threads", 4)];
            let parameters = [&size[..], &[("partitions", partitions)]].concat();
            designs.push(Design::new(unit, &parameters).unwrap());
        }
        assert!(!designs.is_empty(), "{unit:?}");
        for verilog in verilog_of_all(&designs).unwrap() {
            let text = verilog.bundle();
            let checks = yosys_check(&text, unit.top()).unwrap();
            // A token memory is a RAM with a stage in front of it.
            let least = if unit == Unit::TokenMemory { 10 } else { 50 };
            assert!(
                checks.cells.values().sum::<u64>() > least,
                "{} is empty: {:?}",
                unit.top(),
                checks.cells
            );
        }
    }
}

/// The token store is block RAM, and so is nothing that grows with warps × threads made of flip-flops.
#[test]
fn state_of_the_warps_is_inferred_as_memory() {
    let (warps, threads) = (16u64, 32u64);
    let text = verilog(Unit::Control, Config::new(16, 32, 8, 2));
    let found = memories(&text, "weft_control", Target::Ecp5).unwrap();
    for memory in &found {
        assert!(
            matches!(memory.kind, MemoryKind::BlockRam | MemoryKind::LutRam),
            "{} ({} x {}) is {:?}",
            memory.name,
            memory.words,
            memory.width,
            memory.kind
        );
    }
    // Read by the pass and by the mover; 16 places for K = 8 and B = 2.
    for reader in ["token_", "mover_"] {
        let tokens: Vec<_> = found.iter().filter(|m| m.name.contains(reader)).collect();
        assert!(
            tokens
                .iter()
                .all(|m| m.words == warps * 16 && m.kind == MemoryKind::BlockRam),
            "{tokens:?}"
        );
        assert_eq!(
            tokens.iter().map(|m| m.width).sum::<u64>(),
            4 + 4 + threads + 22,
            "{tokens:?}"
        );
    }
    // Active mask, four reason planes, mask of the front token, selected mask of a parked pass.
    // The bases are as wide (once for the registers, once for the mover), and so are the tags of a parked pass.
    let wide: Vec<_> = found
        .iter()
        .filter(|m| m.words == warps && m.width == threads)
        .map(|m| {
            m.name
                .trim_start_matches("convergence.")
                .trim_end_matches(".mem")
        })
        .collect();
    let expected = [
        "active",
        "base",
        "front_mask",
        "mover.base",
        "parked_mask",
        "parked_tags",
        "reason_0",
        "reason_1",
        "reason_2",
        "reason_3",
        "ready_mask",
    ];
    assert_eq!(wide, expected);
}

/// The cells on docs/performance.md are what comes out today: of its smallest units, by the Yosys that it names.
#[test]
fn the_page_has_the_cells_of_today() {
    let root = Toolbox::here().root().to_path_buf();
    let text = std::fs::read_to_string(root.join("benches/baseline.json")).unwrap();
    let baseline: serde_json::Value = serde_json::from_str(&text).unwrap();
    let yosys = Toolbox::here().yosys().unwrap();
    for unit in [Unit::Wavefront, Unit::Masks] {
        let rows = baseline["area"].as_array().unwrap().iter();
        let mut rows = rows.filter(|row| row["unit"] == unit.top() && row["size"] == "16x32");
        let row = rows.next().expect("a row");
        assert_eq!(row["flow"], "synth_ecp5");
        let named = row["tools"]["yosys"].as_str().unwrap();
        if named != format!("{} {}", yosys.name, yosys.version) {
            eprintln!("skipped: the page is by {named}, here is {}", yosys.version);
            continue;
        }
        let text = verilog(unit, Config::usual(16, 32));
        let name = format!("page-{}", unit.top());
        let request = Request::new(&name, Target::Ecp5, &text, unit.top());
        let cells = mapped(&request, &mut |line| eprintln!("{line}")).unwrap();
        let here = [cells.lut4, cells.ff, cells.bram, cells.lutram];
        let page = ["lut4", "ff", "bram", "lutram"].map(|of| row[of].as_u64().unwrap());
        assert_eq!(here, page, "{}: cargo weft bench --only area", unit.top());
    }
}
