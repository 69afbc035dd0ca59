use super::*;

type Small = Barrier<4, 2, 4, 3, 5, 6>;

#[test]
fn verilog_is_clean() {
    let mut block = Small::default();
    block.connect_all();
    let verilog = weft_rtl::export(&block, "weft_barrier").unwrap();
    let report = weft_rtl::verilator_lint(&verilog).unwrap();
    assert!(report.is_clean(), "{}", report.messages.join("\n"));
}
