//! Properties of the random programs themselves.

use weft_sim::{Config, Oracle, OracleOutcome};
use weft_testbench::case::{case_seed, Case};
use weft_testbench::gen;

const SIZES: [weft_generate::Config; 3] = [
    weft_generate::Config::new(4, 4, 4, 2),
    weft_generate::Config::new(8, 8, 4, 1),
    weft_generate::Config::new(4, 32, 8, 2),
];

fn cases(count: u64) -> impl Iterator<Item = Case> {
    (0..count).map(|index| Case::draw(case_seed(5, index), &SIZES))
}

#[test]
fn every_thread_ends_alone() {
    for case in cases(300) {
        let program = case.source.program();
        let oracle = Oracle::new(&program, &case.config.machine).expect("a valid program");
        match oracle.run(100_000) {
            Ok(OracleOutcome::Finished(_)) => {}
            Ok(OracleOutcome::Unfinished { thread, pc }) => {
                panic!("{}: thread {thread} at {pc:#x}", case.describe())
            }
            Ok(other) => panic!("{}: {other:?}", case.describe()),
            Err(fault) => assert_eq!(case.knobs.name, "faulty", "{fault}\n{}", case.describe()),
        }
    }
}

#[test]
fn the_listing_assembles_to_the_same_image() {
    for (n, case) in cases(200).enumerate() {
        let text = case.source.listing(&case.describe());
        let path = format!("case-{n}.s");
        let again = weft_isa::assemble(&text, &path).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let ours = case.source.program();
        assert_eq!(again.entry, ours.entry);
        let image = |program: &weft_isa::Program| {
            let memory = weft_sim::Memory::load(program, 0x8000);
            memory.slice(0x1000..0x8000).expect("mapped").to_vec()
        };
        assert_eq!(image(&again), image(&ours), "{text}");
    }
}

#[test]
fn the_same_seed_gives_the_same_case() {
    for index in 0..20 {
        let (a, b) = (
            Case::draw(case_seed(9, index), &SIZES),
            Case::draw(case_seed(9, index), &SIZES),
        );
        assert_eq!((a.source, a.config, a.knobs), (b.source, b.config, b.knobs));
    }
}

#[test]
fn programs_stay_below_the_shared_words() {
    for case in cases(300) {
        let program = case.source.program();
        let end = program
            .segments
            .iter()
            .map(|s| s.address + s.bytes.len() as u32)
            .max()
            .expect("segments");
        assert!(end <= gen::SHARED_BASE, "{end:#x}");
        let config: &Config = &case.config.machine;
        assert!(config.validate().is_ok() && config.validate_program(&program).is_ok());
    }
}
