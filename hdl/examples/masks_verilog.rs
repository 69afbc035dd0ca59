//! Prints `weft_masks` for 16 warps: `cargo run -p weft-hdl --example masks_verilog -- 32 > weft_masks.v`.

fn main() {
    let threads = std::env::args().nth(1).and_then(|text| text.parse().ok());
    match threads.and_then(weft_hdl::masks_verilog) {
        Some(Ok(verilog)) => print!("{}", verilog.bundle()),
        Some(Err(error)) => {
            eprintln!("error: {error}");
            std::process::exit(1);
        }
        None => {
            eprintln!("usage: masks_verilog 4|32|64");
            std::process::exit(2);
        }
    }
}
