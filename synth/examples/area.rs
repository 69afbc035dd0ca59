//! Measures a Verilog file:
//! `cargo run --release -p weft-synth --example area -- ecp5 top file.v [seeds [plain|small]]`.

use weft_synth::{
    ensure_tools, markdown_header, memories, synthesize, yosys_check, Mapper, Request, Target,
};

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [target, top, file, rest @ ..] = arguments.as_slice() else {
        anyhow::bail!("usage: area ecp5|ice40 TOP FILE [SEEDS [plain|small]]");
    };
    let target: Target = target.parse().map_err(anyhow::Error::msg)?;
    let seeds = rest.first().map_or(Ok(3), |seeds| seeds.parse())?;
    let mapper = match rest.get(1).map(String::as_str) {
        None => Mapper::Auto,
        Some("plain") => Mapper::Plain,
        Some("small") => Mapper::Small,
        Some(other) => anyhow::bail!("{other}: the other mappers are `plain` and `small`"),
    };
    let verilog = std::fs::read_to_string(file)?;
    let mut progress = |line: &str| eprintln!("{line}");
    ensure_tools(target, &mut progress)?;

    let checks = yosys_check(&verilog, top)?;
    println!(
        "{} warnings, no latches, loops or driver faults",
        checks.warnings.len()
    );
    for memory in memories(&verilog, top, target)? {
        println!(
            "{} {} x {}: {:?}",
            memory.name, memory.words, memory.width, memory.kind
        );
    }
    let report = synthesize(
        &Request {
            seeds,
            mapper,
            ..Request::new(top, target, &verilog, top)
        },
        &mut progress,
    )?;
    println!(
        "{}\n{}\n{}",
        markdown_header(),
        report.markdown_row(),
        report.critical_path_text()
    );
    println!(
        "{:.0} s; {} {}",
        report.seconds, report.tools.yosys, report.tools.nextpnr
    );
    Ok(())
}
