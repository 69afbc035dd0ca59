//! The whole flow on small modules. Skipped, with a word, where Yosys or nextpnr are not there.

use weft_synth::{
    blocks, build, gates, memories, packer, ports, synthesize, yosys_check, Board, Direction,
    Mapper, MemoryKind, Request, Target,
};
use weft_toolbox::Toolbox;

const ADDER: &str = "
module adder(clock, reset, a, b, sum);
  input clock; input reset; input [15:0] a; input [15:0] b; output reg [15:0] sum;
  always @(posedge clock) if (reset) sum <= 0; else sum <= a + b;
endmodule
";

/// Logic that is not all carries, and a register that a careless harness would merge with its own.
const MIX: &str = "
module mix$core(clock, a, select, q, copy);
  input clock; input [15:0] a; input [3:0] select; output reg q; output reg [15:0] copy;
  always @(posedge clock) begin q <= a[select]; copy <= a; end
endmodule
module mix(clk, a, select, q, copy, constant);
  input clk; input [15:0] a; input [3:0] select; output q; output [15:0] copy; output constant;
  mix$core core(.clock(clk), .a(a), .select(select), .q(q), .copy(copy));
  assign constant = 1'b1;
endmodule
";

const RAMS: &str = "
module rams(clock, we, wa, wd, ra, rd, big_ra, big_rd);
  input clock, we; input [3:0] wa, ra; input [31:0] wd; output [31:0] rd; input [9:0] big_ra; output reg [35:0] big_rd;
  reg [31:0] small_mem [0:15]; reg [35:0] big [0:1023]; reg [2:0] tiny [0:1];
  assign rd = small_mem[ra] ^ tiny[ra[0]];
  always @(posedge clock) begin
    if (we) begin small_mem[wa] <= wd; tiny[wa[0]] <= wd[2:0]; big[{wa, wa, wa[1:0]}] <= {wd, wa}; end
    big_rd <= big[big_ra];
  end
endmodule
";

const LATCH: &str = "
module latch(clock, enable, d, q);
  input clock, enable, d; output reg q;
  always @* if (enable) q = d;
endmodule
";

const UNSOUND: &str = "
module unsound(clock, a, y, z);
  input clock; input [3:0] a; output reg [3:0] y; output z;
  wire [3:0] nobody;
  always @(posedge clock) y <= a ^ nobody;
  assign z = a[0]; assign z = a[1];
endmodule
";

/// A loop variable of two processes, which would vanish in the optimized design.
const SHARED: &str = "
module shared(clock, a, y, z);
  input clock; input [3:0] a; output reg [3:0] y; output reg [3:0] z;
  integer i;
  always @(posedge clock) for (i = 0; i < 4; i = i + 1) y[i] <= a[3 - i];
  always @(*) for (i = 0; i < 4; i = i + 1) z[i] = a[3 - i];
endmodule
";

fn no_yosys() -> bool {
    let missing = Toolbox::here().yosys().is_none();
    if missing {
        eprintln!("skipped: there is no Yosys; `cargo xtask setup` installs it");
    }
    missing
}

fn no_tools(target: Target) -> bool {
    let toolbox = Toolbox::here();
    let nextpnr = match target {
        Target::Ecp5 => toolbox.nextpnr_ecp5(),
        Target::Ice40 => toolbox.nextpnr_ice40(),
    };
    if nextpnr.is_none() {
        eprintln!("skipped: there is no nextpnr-{target}; `cargo xtask setup` installs it");
    }
    nextpnr.is_none() || no_yosys()
}

fn measure(request: &Request) -> weft_synth::SynthReport {
    let report = synthesize(request, &mut |line| eprintln!("{line}")).unwrap();
    eprintln!("{}\n{}", report.markdown_row(), report.critical_path_text());
    report
}

#[test]
fn the_cells_of_each_block() {
    if no_yosys() {
        return;
    }
    let request = Request::new("mix-test", Target::Ecp5, MIX, "mix");
    let found = blocks(&request, &mut |line| eprintln!("{line}")).unwrap();
    let of = |module: &str| found.iter().find(|b| b.module == module).unwrap();
    assert_eq!(found.len(), 2, "{found:?}");
    assert_eq!(of("mix$core").instances, 1);
    assert_eq!(of("mix$core").ff, 17);
    assert!(of("mix$core").lut4 >= 5, "{found:?}");
    assert_eq!((of("mix").lut4, of("mix").ff), (0, 0));
}

/// Where there is something to find: the lowest bit, the number of bits and a comparison of the same inputs.
const CHOICES: &str = "
module choices(clock, a, b, first, ones, less);
  input clock; input [11:0] a, b; output reg [11:0] first; output reg [3:0] ones; output reg less;
  integer i; reg found; reg [3:0] n;
  always @(posedge clock) begin
    found = 0; n = 0;
    for (i = 0; i < 12; i = i + 1) begin
      first[i] <= a[i] & b[i] & ~found; found = found | (a[i] & b[i]); n = n + (a[i] ^ b[i]);
    end
    ones <= n; less <= found & n[3];
  end
endmodule
";

#[test]
fn the_small_mapper_is_not_larger() {
    for target in [Target::Ecp5, Target::Ice40] {
        if no_tools(target) {
            return;
        }
        let by = |mapper, name: &str| {
            measure(&Request {
                seeds: 1,
                mapper,
                ..Request::new(name, target, CHOICES, "choices")
            })
        };
        let small = by(Mapper::Small, &format!("test-small-{target}"));
        let plain = by(Mapper::Plain, &format!("test-plain-{target}"));
        assert!(small.flow.contains("flow3"), "{}", small.flow);
        assert!(!plain.flow.contains("flow3"), "{}", plain.flow);
        assert_eq!(small.ff, plain.ff);
        assert!((10..=plain.lut4).contains(&small.lut4), "{}", small.lut4);
    }
}

#[test]
fn adder_on_ecp5() {
    if no_tools(Target::Ecp5) {
        return;
    }
    let report = measure(&Request {
        seeds: 2,
        ..Request::new("test-adder", Target::Ecp5, ADDER, "adder")
    });
    assert_eq!(report.ff, 16);
    assert_eq!((report.carry, report.lut4), (8, 0));
    assert!((16..=26).contains(&report.comb), "COMB {}", report.comb);
    assert_eq!((report.bram, report.lutram, report.dsp), (0, 0, 0));
    assert_eq!(
        (report.harness.input_bits, report.harness.output_bits),
        (33, 16)
    );
    assert_eq!(report.harness.ff, 33 + 2 * 16);
    assert_eq!(report.fmax_mhz.seeds.len(), 2);
    assert!(
        (150.0..700.0).contains(&report.fmax_mhz.median),
        "{:?}",
        report.fmax_mhz
    );
    assert!(
        report
            .critical_path
            .iter()
            .any(|step| step.cell.starts_with("sum")),
        "{}",
        report.critical_path_text()
    );
    let json = serde_json::to_string(&report).unwrap();
    assert_eq!(
        serde_json::from_str::<weft_synth::SynthReport>(&json)
            .unwrap()
            .lut4,
        report.lut4
    );
}

#[test]
fn adder_on_ice40() {
    if no_tools(Target::Ice40) {
        return;
    }
    let report = measure(&Request {
        seeds: 1,
        ..Request::new("test-adder", Target::Ice40, ADDER, "adder")
    });
    assert_eq!(report.ff, 16);
    assert!((15..=17).contains(&report.lut4), "LUT4 {}", report.lut4);
    assert!((16..=24).contains(&report.comb), "LC {}", report.comb);
    assert!(
        (100.0..500.0).contains(&report.fmax_mhz.median),
        "{:?}",
        report.fmax_mhz
    );
}

#[test]
fn harness_takes_nothing_and_adds_nothing() {
    if no_tools(Target::Ecp5) {
        return;
    }
    let report = measure(&Request {
        seeds: 1,
        ..Request::new("test-mix", Target::Ecp5, MIX, "mix")
    });
    // 16 copies, which a merged shift register would have swallowed, and q.
    assert_eq!(report.ff, 17);
    assert_eq!(report.harness.ff, 20 + 2 * 18);
    // A 16-way multiplexer: 5 LUTs at least; ABC9 spends more to gain depth.
    assert!((5..=24).contains(&report.lut4), "LUT4 {}", report.lut4);
}

#[test]
fn memories_and_what_they_become() {
    if no_yosys() {
        return;
    }
    let find = |list: &[weft_synth::MemoryReport], name: &str| {
        list.iter().find(|m| m.name == name).unwrap().clone()
    };
    let ecp5 = memories(RAMS, "rams", Target::Ecp5).unwrap();
    assert_eq!(ecp5.len(), 3, "{ecp5:#?}");
    let big = find(&ecp5, "big");
    assert_eq!(
        (
            big.words,
            big.width,
            big.read_ports,
            big.write_ports,
            big.kind
        ),
        (1024, 36, 1, 1, MemoryKind::BlockRam)
    );
    assert_eq!(find(&ecp5, "small_mem").kind, MemoryKind::LutRam);
    assert_eq!(find(&ecp5, "small_mem").bits(), 512);
    assert_eq!(find(&ecp5, "tiny").kind, MemoryKind::FlipFlops);
    let ice40 = memories(RAMS, "rams", Target::Ice40).unwrap();
    assert_eq!(find(&ice40, "big").kind, MemoryKind::BlockRam);
    assert_eq!(
        find(&ice40, "small_mem").kind,
        MemoryKind::FlipFlops,
        "there is no LUT RAM"
    );
}

#[test]
fn latches_are_errors_everywhere() {
    if no_yosys() {
        return;
    }
    let error = yosys_check(LATCH, "latch").unwrap_err().to_string();
    assert!(error.contains("latch.q"), "{error}");
    if no_tools(Target::Ecp5) {
        return;
    }
    let request = Request {
        seeds: 1,
        ..Request::new("test-latch", Target::Ecp5, LATCH, "latch")
    };
    let error = synthesize(&request, &mut |_| ()).unwrap_err().to_string();
    assert!(error.to_lowercase().contains("latch"), "{error}");
}

#[test]
fn unsound_and_sound() {
    if no_yosys() {
        return;
    }
    let error = yosys_check(UNSOUND, "unsound").unwrap_err().to_string();
    assert!(
        error.contains("multiple conflicting drivers") && error.contains("has no driver"),
        "{error}"
    );
    let error = yosys_check(SHARED, "shared").unwrap_err().to_string();
    assert!(error.contains("Drivers conflicting"), "{error}");
    let error = yosys_check("module broken(", "broken")
        .unwrap_err()
        .to_string();
    assert!(error.contains("syntax error"), "{error}");
    let checks = yosys_check(MIX, "mix").unwrap();
    assert_eq!(checks.cells["$dff"], 2);
}

#[test]
fn ports_in_yosys_eyes() {
    if no_yosys() {
        return;
    }
    let ports = ports(MIX, "mix").unwrap();
    let copy = ports.iter().find(|p| p.name == "copy").unwrap();
    assert_eq!((copy.direction, copy.width), (Direction::Output, 16));
    assert_eq!(ports.len(), 6);
}

#[test]
fn gates_of_logic_flip_flops_and_memories() {
    if no_yosys() {
        return;
    }
    let measured = |name: &str, verilog: &str| {
        let report = gates(&format!("test-{name}"), verilog, name, &mut |_| ()).unwrap();
        eprintln!("{}\n{}", report.markdown_row(), report.path_text());
        report
    };
    let adder = measured("adder", ADDER);
    assert_eq!((adder.ff, adder.ff_ge), (16, 64.0));
    // 16 full adders at 4 to 12, and 16 gates for the reset.
    assert!((80.0..220.0).contains(&adder.logic_ge), "{adder:?}");
    assert!((5..=40).contains(&adder.depth), "{}", adder.depth);
    assert!(adder.path.last().unwrap().contains("sum"), "{adder:?}");
    assert_eq!((adder.memory_bits, adder.memories.len()), (0, 0));

    // Memories of the module itself cannot be left out; those of a module below it are.
    let wrapped = format!(
        "{}\nmodule top(clock, a, q);\n  input clock; input [9:0] a; output [35:0] q; wire [31:0] rd;\n  \
         store left(.clock(clock), .a(a), .q(q));\nendmodule\n",
        "module store(clock, a, q);\n  input clock; input [9:0] a; output reg [35:0] q;\n  reg [35:0] mem [0:1023];\n  \
         always @(posedge clock) begin q <= mem[a]; mem[a] <= q; end\nendmodule"
    );
    let top = gates("test-store", &wrapped, "top", &mut |_| ()).unwrap();
    assert_eq!((top.memory_bits, top.ff), (36 * 1024, 0));
    assert_eq!(top.memories[0].instances, 1);

    let error = gates("test-latch", LATCH, "latch", &mut |_| ()).unwrap_err();
    assert!(error.to_string().contains("latch"), "{error}");
}

/// The ports of the boards' tops, and a counter behind them.
const BLINK: &str = "
module blink(clock, button, led_pass, led_fail, led_beat, uart_tx);
  input clock, button; output led_pass, led_fail, led_beat, uart_tx;
  wire [23:0] count;
  counter counter(.clock(clock), .clear(button), .count(count));
  assign {led_pass, led_fail, led_beat, uart_tx} = count[23:20];
endmodule
module counter(input clock, input clear, output reg [23:0] count = 0);
  always @(posedge clock) count <= clear ? 0 : count + 1;
endmodule
";

#[test]
fn bitstreams_with_the_pins_of_the_boards() {
    let directory = tempfile::tempdir().unwrap();
    for board in [Board::IceBreaker, Board::OrangeCrab, Board::Ulx3s] {
        let target = board.target().unwrap();
        if no_tools(target) || packer(&Toolbox::here(), target).is_err() {
            eprintln!("skipped: {board}");
            continue;
        }
        // The counter is mapped apart, and has become one with the rest when it is placed.
        let mut said = String::new();
        let mut progress = |line: &str| said.push_str(line);
        let blink: (&str, &[&str]) = ("blink", &["counter"]);
        // Of the ULX3S' 25 MHz the PLL of `weft_ulx3s_sm` makes 60 (BOARD-055), and nextpnr knows.
        let pll = board == Board::Ulx3s;
        let (verilog, mhz) = if pll {
            let counter = "counter counter(.clock(clock)";
            let fast = "wire fast; weft_sm_clock #(.DIVIDE(5), .MULTIPLY(12), .OUTPUT(10)) faster \
                        (.clock(clock), .fast(fast)); counter counter(.clock(fast)";
            let verilog = BLINK.replacen(counter, fast, 1);
            (verilog + include_str!("../../hdl/board/sm_board.v"), 60.0)
        } else {
            (BLINK.to_string(), 12.0)
        };
        let output = directory.path();
        let made = build(board, &verilog, blink, (mhz, 1), output, &mut progress).unwrap();
        eprintln!("{made:?}");
        if target == Target::Ecp5 {
            assert!(said.contains("counter: longest path"), "{said}");
        }
        assert!(said.contains("between blocks too"), "{said}");
        assert!(made.met && made.fmax() > made.clock_mhz, "{made:?}");
        let file = directory.path().join(&made.bitstream);
        assert_eq!(std::fs::metadata(file).unwrap().len(), made.bytes);
        assert!(made.bytes > 10_000, "{made:?}");
        let report = std::fs::read_to_string(directory.path().join(&made.report)).unwrap();
        assert!(report.contains("critical_paths"), "{report}");
        let report: serde_json::Value = serde_json::from_str(&report).unwrap();
        let mut clocks = report["fmax"].as_object().unwrap().values();
        let constraint = |clock: &serde_json::Value| clock["constraint"].as_f64().unwrap();
        assert!(
            !pll || clocks.any(|clock| (constraint(clock) - 60.0).abs() < 0.1),
            "{report}"
        );
        assert_eq!(made.used.contains_key("EHXPLLL"), pll, "{made:?}");
        let ios = if target == Target::Ecp5 {
            "TRELLIS_IO"
        } else {
            "SB_IO"
        };
        assert_eq!(made.used[ios].used, 6, "{made:?}");
        // What no seed reaches: all are tried, and the best one is in the bitstream.
        if board == Board::IceBreaker {
            let made = build(board, &verilog, blink, (1e4, 3), output, &mut |_| ()).unwrap();
            assert!(!made.met && made.fmax_mhz.len() == 3, "{made:?}");
            let of = |mhz: &f64| *mhz <= made.fmax();
            assert!(made.fmax_mhz.iter().all(of) && made.fmax_mhz.contains(&made.fmax()));
            let report = std::fs::read_to_string(output.join(&made.report)).unwrap();
            let report: serde_json::Value = serde_json::from_str(&report).unwrap();
            let mut clocks = report["fmax"].as_object().unwrap().values();
            assert!(
                clocks.any(|clock| clock["achieved"] == made.fmax()),
                "{report}"
            );
        }
        // A port that has no pin is an error of nextpnr's, not a pin somewhere.
        let more = BLINK.replace("uart_tx", "uart_out");
        let blink: (&str, &[&str]) = ("blink", &[]);
        let error = build(
            board,
            &more,
            blink,
            (25.0, 1),
            directory.path(),
            &mut |_| (),
        )
        .unwrap_err();
        assert!(format!("{error:#}").contains("uart_"), "{error:#}");
    }
    let error = build(
        Board::ArtyA7,
        BLINK,
        ("blink", &[]),
        (100.0, 1),
        directory.path(),
        &mut |_| (),
    )
    .unwrap_err();
    assert!(error.to_string().contains("--script-only"), "{error}");
}
