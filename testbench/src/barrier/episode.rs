//! A device in random surroundings, in lockstep with the judge; what a failure leaves behind.

use super::cover::Cover;
use super::device::{open, Device, Inputs, Kind, Size};
use super::rules::{Rules, Violation};
use super::world::World;
use std::collections::VecDeque;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use weft_sim::barrier::{Judge, Mutation, Ports};

/// One run from a reset on.
#[derive(Clone, Copy, Debug)]
pub struct Episode {
    pub size: Size,
    pub seed: u64,
    pub cycles: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// The judge says so.
    Mismatch(String),
    Violation(Violation),
    /// The surroundings cannot go on.
    World(String),
    /// Of a panic.
    Panic(String),
}

impl std::fmt::Display for Trouble {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Trouble::Mismatch(text) | Trouble::World(text) => write!(f, "{text}"),
            Trouble::Violation(violation) => write!(f, "{violation}"),
            Trouble::Panic(text) => write!(f, "panic: {text}"),
        }
    }
}

#[derive(Clone, Debug)]
pub struct Failure {
    pub episode: Episode,
    pub cycle: u64,
    pub trouble: Trouble,
    /// The cycles before in which something happened at the ports, and that cycle.
    pub listing: Vec<String>,
    pub waves: Option<PathBuf>,
}

impl Failure {
    /// Runs exactly this episode again.
    pub fn replay(&self) -> String {
        let Episode { size, seed, cycles } = self.episode;
        format!(
            "EPISODE={size}:{seed}:{cycles} cargo test -p weft-testbench --test barrier replay -- --nocapture"
        )
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Episode { size, seed, .. } = self.episode;
        writeln!(
            f,
            "barrier unit {size}, episode {seed}, cycle {}: {}",
            self.cycle, self.trouble
        )?;
        for line in &self.listing {
            writeln!(f, "  {line}")?;
        }
        if let Some(path) = &self.waves {
            writeln!(f, "  waves:  {}", path.display())?;
        }
        write!(f, "  replay: {}", self.replay())
    }
}

impl std::error::Error for Failure {}

impl std::str::FromStr for Episode {
    type Err = String;

    /// `16x32:SEED:CYCLES`
    fn from_str(text: &str) -> Result<Episode, String> {
        let wrong = || format!("{text}: write SIZE:SEED:CYCLES");
        let parts: Vec<_> = text.split(':').collect();
        let &[size, seed, cycles] = &parts[..] else {
            return Err(wrong());
        };
        Ok(Episode {
            size: size.parse()?,
            seed: seed.parse().map_err(|_| wrong())?,
            cycles: cycles.parse().map_err(|_| wrong())?,
        })
    }
}

/// Cycles of the listing.
const PAST: usize = 60;

/// A cycle at the ports as text; nothing when nothing happens.
pub fn line(n: u64, p: &Ports) -> Option<String> {
    use std::fmt::Write as _;
    let mut s = String::new();
    if let Some(op) = p.taken() {
        let _ = write!(
            s,
            " {:?} w{} a {:x} s {:x} id {} word {:#x} pc {:#x}",
            op.code,
            op.warp,
            op.active,
            op.mask & op.active,
            op.id,
            op.word.0,
            op.pc
        );
        if op.code == weft_sim::barrier::OpCode::Launch {
            let _ = write!(s, " c{} block {} of {}", op.cta, op.block, op.threads);
        }
        s.push(';');
    }
    if let Some(v) = p.verdict {
        let _ = write!(
            s,
            " verdict {v}{};",
            if p.verdict_ready { "" } else { " waits" }
        );
    }
    if let Some(e) = p.error {
        let _ = write!(s, " error {e};");
    }
    if let Some(e) = p.event {
        let _ = write!(s, " event {e};");
    }
    if let Some(w) = p.wake {
        let _ = write!(s, " wake {w}{};", if p.wake_ready { "" } else { " waits" });
    }
    if let Some((cta, id)) = p.expired {
        let _ = write!(s, " expired c{cta}.{id};");
    }
    if p.reset {
        s.push_str(" reset;");
    }
    (!s.is_empty()).then(|| format!("{n:>7}:{s} hold {:x}", p.hold))
}

/// A device and the judge, cycle by cycle, under the monitors.
pub struct Lockstep {
    pub device: Box<dyn Device>,
    judge: Judge,
    pub rules: Rules,
    /// Cycles since the reset.
    cycle: u64,
    past: VecDeque<String>,
    /// Lines of the listing: `LISTING=n`.
    most: usize,
    /// Without the judge, only the monitors look.
    pub compare: bool,
}

impl Lockstep {
    pub fn new(device: Box<dyn Device>, size: Size, mutation: Option<Mutation>) -> Lockstep {
        let judge = Judge::new(size.params());
        Lockstep {
            device,
            judge: match mutation {
                Some(mutation) => judge.with_mutation(mutation),
                None => judge,
            },
            rules: Rules::new(size),
            cycle: 0,
            past: VecDeque::new(),
            most: std::env::var("LISTING")
                .map_or(PAST, |n| n.parse().expect("LISTING is a number")),
            compare: true,
        }
    }

    pub fn judge(&self) -> &Judge {
        &self.judge
    }

    pub fn cycle(&self) -> u64 {
        self.cycle
    }

    pub fn listing(&self) -> Vec<String> {
        self.past.iter().cloned().collect()
    }

    pub fn step(&mut self, inputs: &Inputs, cover: Option<&mut Cover>) -> Result<Ports, Trouble> {
        let ports = self.device.step(inputs);
        if let Some(line) = line(self.judge.now(), &ports) {
            if self.past.len() == self.most {
                self.past.pop_front();
            }
            self.past.push_back(line);
        }
        if self.compare {
            let happened = self.judge.cycle(&ports).map_err(Trouble::Mismatch)?;
            let notes = self.judge.unit_mut().take_notes();
            if let Some(cover) = cover {
                cover.sample(&ports, &happened, notes);
            }
        }
        self.rules.cycle(&ports).map_err(Trouble::Violation)?;
        self.cycle += 1;
        Ok(ports)
    }
}

/// How to run episodes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'a> {
    pub kind: Kind,
    /// Of the judge.
    pub mutation: Option<Mutation>,
    /// Only the monitors look.
    pub monitors_only: bool,
    /// Waves of a failure go there.
    pub artefacts: Option<&'a Path>,
}

/// What an episode came to.
#[derive(Clone, Copy, Debug, Default)]
pub struct Summary {
    pub cycles: u64,
    pub verdicts: u64,
    pub wakes: u64,
    pub turns: u64,
    pub ctas: u64,
}

/// Runs an episode. A failing one runs again with waves.
pub fn run(
    episode: Episode,
    options: &Options,
    cover: Option<&mut Cover>,
) -> Result<Summary, Box<Failure>> {
    guarded(episode, options, None, cover).map_err(|mut failure| {
        if let Some(folder) = options.artefacts {
            let name = format!("barrier-{}-{}.vcd", episode.size, episode.seed);
            let path = folder.join(name);
            let _ = guarded(episode, options, Some(&path), None);
            failure.waves = path.exists().then_some(path);
        }
        failure
    })
}

/// A panic of model, device or monitors is a failure like others.
fn guarded(
    episode: Episode,
    options: &Options,
    wave: Option<&Path>,
    cover: Option<&mut Cover>,
) -> Result<Summary, Box<Failure>> {
    let fail = |cycle, trouble, listing| {
        Box::new(Failure {
            episode,
            cycle,
            trouble,
            listing,
            waves: None,
        })
    };
    let size = episode.size;
    let device = open(options.kind, size, episode.seed, wave)
        .map_err(|e| fail(0, Trouble::Panic(e), Vec::new()))?;
    let mut lockstep = Lockstep::new(device, size, options.mutation);
    lockstep.compare = !options.monitors_only;
    let result = catch_unwind(AssertUnwindSafe(|| cycles(episode, &mut lockstep, cover)));
    let result = result.unwrap_or_else(|panic| {
        let text = panic
            .downcast_ref::<String>()
            .cloned()
            .or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string));
        Err(Trouble::Panic(text.unwrap_or_default()))
    });
    result.map_err(|trouble| fail(lockstep.judge.now(), trouble, lockstep.listing()))
}

/// Most cycles for the last CTAs to end.
const CLOSING: u64 = 60_000;

fn cycles(
    episode: Episode,
    lockstep: &mut Lockstep,
    mut cover: Option<&mut Cover>,
) -> Result<Summary, Trouble> {
    let mut world = World::new(episode.size, episode.seed);
    let mut quiet = 0;
    while quiet < 800 {
        world.closing |= lockstep.cycle() >= episode.cycles;
        let outputs = lockstep.device.outputs();
        let inputs = world.inputs(&outputs);
        let ports = lockstep.step(&inputs, cover.as_deref_mut())?;
        world.after(&ports).map_err(Trouble::World)?;
        quiet = match world.closing && world.is_empty() {
            true => quiet + 1,
            false => 0,
        };
        if lockstep.cycle() > episode.cycles + CLOSING {
            return Err(Trouble::World("the last CTAs do not end".into()));
        }
    }
    if lockstep.compare && !lockstep.judge.is_quiet() {
        let what = lockstep.judge.under_way();
        let text = format!("no thread lives, but something is under way: {what}");
        return Err(Trouble::Mismatch(text));
    }
    Ok(Summary {
        cycles: lockstep.cycle(),
        verdicts: lockstep.rules.verdicts,
        wakes: lockstep.rules.wakes,
        turns: lockstep.rules.turns,
        ctas: world.ended,
    })
}
