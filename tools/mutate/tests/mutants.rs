//! The whole way, on the smallest unit: mutants in one model, each in a process of its own.

use std::path::Path;
use std::time::Duration;
use weft_mutate::campaign::{of, Asked, Fate};
use weft_mutate::module::Kind;
use weft_mutate::rule::{draw, sites};
use weft_mutate::units::Target;
use weft_testbench::seed::stream;
use weft_toolbox::Toolbox;

#[test]
fn mutants_are_noticed_and_one_that_does_the_same_is_not() {
    let target = Target::named("host").expect("a unit");
    let verilog = weft_generate::verilog(&target.design()).expect("weft_host");
    let sites = sites(&verilog);
    let wire = sites.iter().flatten();
    let mut wire = wire.filter(|m| m.statement.kind == Kind::Wire);
    let mut same = wire.next().expect("an assignment").clone();
    let was = same.was.clone();
    let value = was
        .trim_end_matches(';')
        .split_once(" = ")
        .expect("a value")
        .1;
    same.value = format!("({value}) | ({value})");
    let mut mutants = draw(sites, 6, &mut stream(1, "mutants"));
    mutants.push(same);
    let asked = Asked {
        target,
        count: mutants.len(),
        seed: 1,
        budget: Duration::from_secs(1),
        random_only: true,
        module: String::new(),
        jobs: 2,
    };
    let program = Path::new(env!("CARGO_BIN_EXE_weft-mutate"));
    let report = of(&Toolbox::here(), &asked, program, &mutants, Vec::new()).expect("a report");
    let fates: Vec<_> = report.mutants.iter().map(|judged| &judged.fate).collect();
    assert_eq!(fates.len(), mutants.len());
    assert_eq!(fates[6], &Fate::Survived { different: false });
    let noticed = |fate: &&&Fate| matches!(fate, Fate::Noticed { by, .. } if by == "lockstep");
    assert!(fates.iter().filter(noticed).count() >= 3, "{fates:#?}");
}
