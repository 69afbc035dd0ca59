use super::*;

/// 4 warps of 8 threads on 4 lanes.
type Tiny =
    Lsu<4, 2, 8, 3, 5, 4, 2, 128, 24, 104, 4, 1, 3, 1, 5, 6, 45, 8, 3, 5, 8, 3, 6, 64, 8, 7>;

#[test]
fn exports() {
    let mut block = Tiny::default();
    block.connect_all();
    let verilog = weft_rtl::export(&block, "weft_lsu").unwrap();
    let report = weft_rtl::verilator_lint(&verilog).unwrap();
    assert!(report.is_clean(), "{}", report.messages.join("\n"));
    if let Ok(path) = std::env::var("OUT") {
        std::fs::write(path, verilog.bundle()).unwrap();
    }
}
