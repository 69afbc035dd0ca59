use weft_testbench::{case::*, dut::RtlKind, run::*};
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let kind = if a[1] == "v" { RtlKind::Verilated } else { RtlKind::RustHdl };
    let seed: u64 = a[2].parse().unwrap();
    let n: u64 = a[3].parse().unwrap();
    let first: u64 = a.get(4).map_or(0, |s| s.parse().unwrap());
    let sizes: Vec<weft_hdl::Config> = match kind { RtlKind::Verilated => weft_testbench::dut::sizes(kind), _ => vec![weft_hdl::Config{warps:4,threads:4}, weft_hdl::Config{warps:4,threads:8}] };
    for k in first..first+n {
        let case = Case::draw(case_seed(seed, k), &sizes);
        let t = std::time::Instant::now();
        let p = case.source.program();
        let g = run_program(&p, &case.config, Engine::Golden, &mut []);
        match &g { Ok(r) => print!("{k} {} items {} warp_i {} thr_i {} deep {} drop {} red {} div {} y {} fy {} faults {} ", case.knobs.name, case.source.items.len(), r.stats.total.warp_instructions, r.stats.total.thread_instructions, r.stats.total.deepest_deque, r.stats.total.dropped_pushes, r.stats.total.redundant_pushes, r.stats.total.divergences, r.stats.total.yields_fired, r.stats.total.forced_yields, r.faults.len()), Err(e) => println!("{k} golden {e} {}", case.describe()) }
        let r = run_program(&p, &case.config, Engine::Lockstep(kind), &mut []);
        match r { Ok(r) => println!("ok cycles {:?} oracle {} {:?}", r.cycles, r.oracle_agrees, t.elapsed()), Err(e) => { println!("\n{k} FAIL {e}\n{}", case.describe()); } }
    }
}
