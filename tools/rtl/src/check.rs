//! The one call of a module's unit test.

use crate::bench::ClockFn;
use crate::cosim::Cosim;
use crate::export::export;
use crate::verilator::verilator_lint;
use crate::Rng;
use rust_hdl_core::prelude::Block;

/// Everything that is demanded of a hardware module: no lint findings, exportable, clean under
/// `verilator --lint-only -Wall`, and the same outputs as its own Verilog over `steps` stimuli.
///
/// `drive(block, rng, step)` sets the inputs; with `clock`, each step is followed by both clock edges. A stateful
/// block is reset by `drive` in the first steps.
///
/// ```ignore
/// #[test]
/// fn verilog_agrees() {
///     weft_rtl::check_module("counter", Counter::<8>::default, 500,
///         |u, rng, t| { u.reset.next = t < 2; u.en.next = rng.flip(); },
///         Some(|u, c| u.clock.next = c.into())).unwrap();
/// }
/// ```
pub fn check_module<B: Block>(
    name: &str,
    make: impl Fn() -> B,
    steps: usize,
    drive: impl FnMut(&mut B, &mut Rng, usize),
    clock: Option<ClockFn<B>>,
) -> Result<(), String> {
    let mut block = make();
    block.connect_all();
    let verilog = export(&block, name).map_err(|e| e.to_string())?;
    let report = verilator_lint(&verilog)?;
    if !report.is_clean() {
        return Err(format!(
            "{name}: verilator -Wall:\n{}",
            report.messages.join("\n")
        ));
    }
    Cosim::new(name, steps)
        .clock(clock)
        .run_against(make(), &verilog, drive)
}
