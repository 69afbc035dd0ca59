//! What the environment of a test run may choose.

/// The number in this variable, or `otherwise` without it.
///
/// # Panics
/// When there is something else in it.
#[allow(dead_code)]
pub fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).map_or(otherwise, |text| {
        let number = text.parse();
        number.unwrap_or_else(|_| panic!("{name} is a number, not `{text}`"))
    })
}

/// The sizes of `weft_control` that the tests go through; all of them with `WEFT_SIZES=all`.
#[allow(dead_code)]
pub fn sizes() -> &'static [weft_generate::Config] {
    use weft_testbench::dut;
    match std::env::var("WEFT_SIZES").is_ok_and(|which| which == "all") {
        true => dut::SIZES,
        false => dut::USUAL,
    }
}
