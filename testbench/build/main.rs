//! With feature `verilated`: exports the Verilog of every supported size, runs Verilator and compiles the models, `weft_control` with
//! the C interface of `shim.cpp`, every other top with one that is generated from its ports (`flat.rs`). Without it: nothing.

#[cfg(feature = "verilated")]
mod control;
#[cfg(feature = "verilated")]
mod flat;
#[cfg(feature = "verilated")]
mod models;
#[cfg(feature = "verilated")]
mod verilate;

fn main() {
    println!("cargo:rerun-if-changed=build");
    #[cfg(feature = "verilated")]
    if let Err(message) = verilate::build() {
        eprintln!("\nerror: {message}\n");
        std::process::exit(1);
    }
}
