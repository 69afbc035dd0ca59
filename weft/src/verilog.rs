//! `weft verilog`: the hardware as Verilog files.

use crate::cli::VerilogArgs;
use crate::size;
use anyhow::{Context, Result};

pub fn run(args: &VerilogArgs) -> Result<()> {
    let named = size::choose(&args.config, args.warps, args.threads)?;
    let verilog = weft_hdl::unit_verilog(args.unit.unit(), named.config)?;
    let directory = &args.output;
    std::fs::create_dir_all(directory).with_context(|| format!("-o {}", directory.display()))?;
    let files = match args.bundle {
        true => vec![(format!("{}.v", verilog.top), verilog.bundle())],
        false => verilog.files(),
    };
    for (name, text) in &files {
        let path = directory.join(name);
        std::fs::write(&path, text).with_context(|| format!("writing {}", path.display()))?;
    }
    let (warps, threads) = (named.config.warps, named.config.threads);
    println!(
        "{}: {} warps x {} threads, top module {}, {} file{} in {}",
        named.name,
        warps,
        threads,
        verilog.top,
        files.len(),
        if files.len() == 1 { "" } else { "s" },
        directory.display()
    );
    Ok(())
}
