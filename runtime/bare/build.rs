//! Compiles the driver as strictly as its users may, with the registers of the largest GPU.

use std::path::PathBuf;
use weft_protocol::{blocks, c_header, Sizes};

fn main() {
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets it"));
    let gpu = blocks().into_iter().find(|block| block.name == "gpu");
    let sizes = Sizes {
        channels: 8,
        sms: 8,
    };
    let header = c_header(&gpu.expect("registers of weft_gpu"), sizes);
    std::fs::write(out.join("weft_gpu.regs.h"), header).expect("OUT_DIR can be written");
    cc::Build::new()
        .file("weft_gpu.c")
        .file("weft_print.c")
        .include(&out)
        .std("c99")
        .flags(["-ffreestanding", "-pedantic", "-Wconversion"])
        .warnings(true)
        .extra_warnings(true)
        .warnings_into_errors(true)
        .compile("weft_gpu");
    for file in ["weft_gpu.c", "weft_gpu.h", "weft_print.c"] {
        println!("cargo:rerun-if-changed={file}");
    }
}
