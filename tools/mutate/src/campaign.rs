//! Many mutants of a unit, one after the other on all processors, until each is noticed or its time is over.

use crate::directed::{self, Test};
use crate::marks::{self, Mark};
use crate::rule::{self, Mutant};
use crate::schema::{self, DIFFERENT, OPENED};
use crate::units::Target;
use crate::worker::{Word, SAYS};
use crate::{process, source};
use anyhow::{bail, ensure, Context, Result};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Mutex;
use std::time::{Duration, Instant};
use weft_generate::Design;
use weft_testbench::rtl::stand_in::{self, StandIn, VARIABLE};
use weft_testbench::seed::stream;
use weft_toolbox::Toolbox;

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Asked {
    pub target: Target,
    pub count: usize,
    pub seed: u64,
    /// Of random lockstep, for each mutant.
    pub budget: Duration,
    /// Without the written tests.
    pub random_only: bool,
    /// Only mutants of modules with this in their names.
    pub module: String,
    pub jobs: usize,
}

/// What has become of a mutant.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "fate")]
pub enum Fate {
    /// By what, and what that said.
    Noticed { by: String, said: String },
    /// It is marked as doing the same.
    Equivalent { reason: String },
    /// Nothing has noticed it; whether it ever made a difference where it is.
    Survived { different: bool },
}

#[derive(Clone, Debug, Serialize)]
pub struct Judged {
    pub number: usize,
    #[serde(flatten)]
    pub mutant: Mutant,
    /// The file of the hardware that it comes from.
    pub source: Option<String>,
    /// Random runs.
    pub runs: u64,
    #[serde(flatten)]
    pub fate: Fate,
}

#[derive(Clone, Debug, Serialize)]
pub struct Report {
    pub unit: &'static str,
    pub design: String,
    pub seed: u64,
    /// Seconds of random lockstep for each.
    pub budget: u64,
    /// Of the design with no mutant in that time.
    pub runs: u64,
    /// Written tests that were run on what these had not noticed.
    pub tests: usize,
    /// All that there are of the design.
    pub possible: usize,
    pub seconds: f64,
    pub mutants: Vec<Judged>,
}

struct Campaign<'a> {
    toolbox: &'a Toolbox,
    asked: &'a Asked,
    program: &'a Path,
    design: Design,
    library: PathBuf,
    marks: Vec<Mark>,
    blocks: source::Blocks,
    tests: Vec<Test>,
    patience: Duration,
}

/// How a mutant's process has come to its end.
struct Lockstep {
    word: Word,
    opened: bool,
    different: bool,
}

/// Draws mutants of the unit and runs them; `program` is the one whose workers run each of them.
///
/// # Errors
/// The unit cannot be made or run, or fails with no mutant in it; a mark fits none of its mutants.
pub fn run(toolbox: &Toolbox, asked: &Asked, program: &Path) -> Result<Report> {
    let target = asked.target;
    let verilog = weft_generate::verilog(&target.design())?;
    let mut sites = rule::sites(&verilog);
    sites.retain(|site| target.covers(&site[0].module));
    let marks = marks::of_unit(toolbox.root(), target.name)?;
    for mark in &marks {
        let fits = sites.iter().flatten().any(|mutant| mark.fits(mutant));
        ensure!(
            fits,
            "testbench/mutants/{}.toml: no mutant is `{}` for `{}` in {}; the statement has changed",
            target.name,
            mark.becomes,
            mark.was,
            mark.module
        );
    }
    sites.retain(|site| site[0].module.contains(&asked.module));
    ensure!(
        !sites.is_empty(),
        "--module {}: no mutant there",
        asked.module
    );
    let possible = sites.iter().map(Vec::len).sum();
    let mutants = rule::draw(sites, asked.count, &mut stream(asked.seed, "mutants"));
    let report = of(toolbox, asked, program, &mutants, marks)?;
    Ok(Report { possible, ..report })
}

/// Runs these mutants.
///
/// # Errors
/// The unit cannot be made or run, or fails with no mutant in it.
pub fn of(
    toolbox: &Toolbox,
    asked: &Asked,
    program: &Path,
    mutants: &[Mutant],
    marks: Vec<Mark>,
) -> Result<Report> {
    let start = Instant::now();
    let design = asked.target.design();
    let verilog = weft_generate::verilog(&design)?;
    let library = stand_in::library(&design, &schema::with(&verilog, mutants))?;
    let mut campaign = Campaign {
        toolbox,
        asked,
        program,
        design,
        library,
        marks,
        blocks: source::Blocks::below(toolbox.root()),
        tests: Vec::new(),
        patience: Duration::from_secs(600),
    };
    let none = schema::whole(mutants);
    let whole = campaign.lockstep(none)?;
    if let Some(noticed) = whole.word.noticed {
        bail!("{} with no mutant in it: {noticed}", campaign.design);
    }
    ensure!(
        whole.opened,
        "the lockstep does not open {}",
        campaign.design
    );
    campaign.patience = Duration::from_secs_f64(10.0 + 8.0 * whole.word.seconds);
    eprintln!(
        "{} with {} mutants; with none of them {} runs in {} s",
        campaign.design,
        mutants.len(),
        whole.word.runs,
        asked.budget.as_secs()
    );
    if !asked.random_only {
        let tests = directed::tests(toolbox, asked.target.tests, &campaign.stand_in(none))?;
        eprintln!("{} written tests open it", tests.len());
        campaign.tests = tests;
    }
    let judged = campaign.all(mutants)?;
    Ok(Report {
        unit: asked.target.name,
        design: campaign.design.to_string(),
        seed: asked.seed,
        budget: asked.budget.as_secs(),
        runs: whole.word.runs,
        tests: campaign.tests.len(),
        possible: mutants.len(),
        seconds: start.elapsed().as_secs_f64(),
        mutants: judged,
    })
}

impl Campaign<'_> {
    fn stand_in(&self, number: usize) -> StandIn {
        StandIn {
            design: self.design.to_string(),
            copy: number as u32,
            library: self.library.clone(),
        }
    }

    fn all(&self, mutants: &[Mutant]) -> Result<Vec<Judged>> {
        let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
        let work = || -> Result<()> {
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(mutant) = mutants.get(at) else {
                    return Ok(());
                };
                let judged = self.judge(at + 1, mutant)?;
                eprintln!("{}", line(&judged));
                done.lock().unwrap_or_else(|e| e.into_inner()).push(judged);
            }
        };
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..self.asked.jobs).map(|_| scope.spawn(work)).collect();
            threads
                .into_iter()
                .try_for_each(|thread| match thread.join() {
                    Ok(result) => result,
                    Err(panic) => std::panic::resume_unwind(panic),
                })
        })?;
        let mut all = done.into_inner().unwrap_or_else(|e| e.into_inner());
        all.sort_by_key(|judged| judged.number);
        Ok(all)
    }

    fn judge(&self, number: usize, mutant: &Mutant) -> Result<Judged> {
        let source = self.blocks.of(self.design.top(), &mutant.module);
        let of = |runs, fate| Judged {
            number,
            mutant: mutant.clone(),
            source: source.map(str::to_string),
            runs,
            fate,
        };
        if let Some(mark) = self.marks.iter().find(|mark| mark.fits(mutant)) {
            let reason = mark.reason.clone();
            return Ok(of(0, Fate::Equivalent { reason }));
        }
        let ran = self.lockstep(number)?;
        if let Some(said) = ran.word.noticed {
            let by = "lockstep".into();
            return Ok(of(ran.word.runs, Fate::Noticed { by, said }));
        }
        let mut different = ran.different;
        for test in &self.tests {
            let verdict = test.run(self.toolbox, &self.stand_in(number))?;
            different |= verdict.said.contains(DIFFERENT);
            if verdict.failed {
                let (by, said) = (format!("`{}`", test.name), String::new());
                return Ok(of(ran.word.runs, Fate::Noticed { by, said }));
            }
        }
        Ok(of(ran.word.runs, Fate::Survived { different }))
    }

    /// The random runs on a mutant, in a process of their own.
    fn lockstep(&self, number: usize) -> Result<Lockstep> {
        let Asked {
            target,
            seed,
            budget,
            ..
        } = self.asked;
        let mut command = Command::new(self.program);
        command.arg("--worker").arg(target.name);
        for number in [*seed, budget.as_secs(), self.patience.as_secs()] {
            command.arg(number.to_string());
        }
        command.env(VARIABLE, self.stand_in(number).text());
        // It watches its own time; here it may wait long for a processor.
        let limit = 20 * (*budget + self.patience);
        let ended = process::run(&mut command, limit).context("a process for a mutant")?;
        let mut said = ended.said.lines().filter_map(|l| l.strip_prefix(SAYS));
        let word = match said.next().map(serde_json::from_str).transpose()? {
            Some(word) => word,
            None => Word {
                runs: 0,
                noticed: Some(match ended.status {
                    Some(status) => format!("its process ends: {status}"),
                    None => "its process does not end".into(),
                }),
                seconds: 0.0,
            },
        };
        Ok(Lockstep {
            word,
            opened: ended.said.contains(OPENED),
            different: ended.said.contains(DIFFERENT),
        })
    }
}

fn line(judged: &Judged) -> String {
    let m = &judged.mutant;
    let fate = match &judged.fate {
        Fate::Noticed { by, said } => format!("noticed by {by} in run {}: {said}", judged.runs),
        Fate::Equivalent { reason } => format!("equivalent: {reason}"),
        Fate::Survived { different } => format!(
            "SURVIVED {} runs{}",
            judged.runs,
            if *different { "" } else { ", never different" }
        ),
    };
    let becomes = if m.becomes.is_empty() {
        "(left out)"
    } else {
        &m.becomes
    };
    format!(
        "{} {}.v:{} {}: {} -> {becomes}\n    {fate}",
        judged.number,
        m.module,
        m.line,
        m.rule.name(),
        m.was
    )
}
