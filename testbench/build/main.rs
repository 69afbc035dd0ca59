//! With feature `verilated`: exports the Verilog of every supported size, runs Verilator
//! and compiles the models with the C interface of `shim.cpp`. Without it: nothing.

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
