//! A device in random surroundings, in lockstep with the model; what a failure leaves behind.

use super::cover::{Cover, Sampler};
use super::device::{open, Device, Kind, Size};
use super::line::line;
use super::rules::{Rules, Violation};
use super::tally::Tally;
use super::world::World;
use std::collections::VecDeque;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use weft_sim::issue::{Inputs, Mutation, Outputs, Scheduler};

/// One run from a reset on.
#[derive(Clone, Copy, Debug)]
pub struct Episode {
    pub size: Size,
    pub seed: u64,
    pub cycles: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// First port that differs.
    Mismatch(String),
    Violation(Violation),
    /// Of a panic.
    Panic(String),
}

impl std::fmt::Display for Trouble {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Trouble::Mismatch(text) => write!(f, "{text}"),
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
    /// The ports in the cycles before, and in that cycle.
    pub listing: Vec<String>,
    pub waves: Option<PathBuf>,
}

impl Failure {
    /// Runs exactly this episode again.
    pub fn replay(&self) -> String {
        let Episode { size, seed, cycles } = self.episode;
        format!(
            "EPISODE={size}:{seed}:{cycles} cargo test -p weft-testbench --test scheduler replay -- --nocapture"
        )
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Episode { size, seed, .. } = self.episode;
        writeln!(
            f,
            "scheduler {size}, episode {seed}, cycle {}: {}",
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

    /// `16x32d:SEED:CYCLES`
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
const PAST: usize = 12;

/// A device and the model, cycle by cycle, under the monitors.
pub struct Lockstep {
    device: Box<dyn Device>,
    model: Scheduler,
    rules: Rules,
    pub tally: Tally,
    sampler: Sampler,
    cycle: u64,
    /// A reset has been seen: outputs mean something.
    sound: bool,
    /// The last cycles.
    past: VecDeque<(u64, Inputs, Outputs)>,
    /// Without the model, only the monitors look.
    pub compare: bool,
}

impl Lockstep {
    pub fn new(device: Box<dyn Device>, size: Size, mutation: Option<Mutation>) -> Lockstep {
        let mut model = Scheduler::new(size.params());
        if let Some(mutation) = mutation {
            model = model.with_mutation(mutation);
        }
        Lockstep {
            device,
            model,
            rules: Rules::new(size),
            tally: Tally::new(size),
            sampler: Sampler::new(size),
            cycle: 0,
            sound: false,
            past: VecDeque::new(),
            compare: true,
        }
    }

    pub fn cycle(&self) -> u64 {
        self.cycle
    }

    /// The ports in the last cycles.
    pub fn listing(&mut self) -> Vec<String> {
        let mut lines: Vec<_> = self
            .past
            .iter()
            .map(|(cycle, i, o)| line(*cycle, i, o))
            .collect();
        if self.past.back().is_some_and(|p| p.0 < self.cycle) {
            lines.push(line(self.cycle, &Inputs::default(), &self.device.outputs()));
        }
        lines
    }

    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// What the device shows in this cycle, compared with the model. Before the first reset: nothing.
    pub fn outputs(&mut self) -> Result<Outputs, Trouble> {
        if !self.sound {
            return Ok(Outputs::default());
        }
        let outputs = self.device.outputs();
        if self.compare {
            let agrees = self.model.outputs().agrees(&outputs);
            agrees.map_err(Trouble::Mismatch)?;
        }
        Ok(outputs)
    }

    pub fn step(
        &mut self,
        i: &Inputs,
        o: &Outputs,
        word: &dyn Fn(u32) -> u32,
        cover: Option<&mut Cover>,
    ) -> Result<(), Trouble> {
        if self.past.len() == PAST {
            self.past.pop_front();
        }
        self.past.push_back((self.cycle, i.clone(), o.clone()));
        self.tally.cycle(i, o, &self.rules);
        self.rules.cycle(i, o, word).map_err(Trouble::Violation)?;
        self.device.step(i);
        if self.compare {
            if let Some(cover) = cover {
                let happened = self.model.happened(i);
                self.sampler.sample(cover, &self.model, i, o, &happened);
            }
            self.model.step(i);
        }
        self.sound |= i.reset;
        self.cycle += 1;
        Ok(())
    }
}

/// How to run episodes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'a> {
    pub kind: Kind,
    /// Of the model that the device is compared with.
    pub mutation: Option<Mutation>,
    /// Only the monitors look.
    pub monitors_only: bool,
    /// Waves of a failure go there.
    pub artefacts: Option<&'a Path>,
}

/// Runs an episode. A failing one runs again with waves.
pub fn run(
    episode: Episode,
    options: &Options,
    cover: Option<&mut Cover>,
) -> Result<(), Box<Failure>> {
    let mut failure = guarded(episode, options, None, cover).err();
    if let Some(failure) = &mut failure {
        if let Some(folder) = options.artefacts {
            let name = format!("scheduler-{}-{}.vcd", episode.size, episode.seed);
            let path = folder.join(name);
            let _ = guarded(episode, options, Some(&path), None);
            failure.waves = path.exists().then_some(path);
        }
    }
    failure.map_or(Ok(()), Err)
}

/// A panic of model, device or monitors is a failure like others.
fn guarded(
    episode: Episode,
    options: &Options,
    wave: Option<&Path>,
    cover: Option<&mut Cover>,
) -> Result<(), Box<Failure>> {
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
    result.map_err(|trouble| fail(lockstep.cycle(), trouble, lockstep.listing()))
}

fn cycles(
    episode: Episode,
    lockstep: &mut Lockstep,
    mut cover: Option<&mut Cover>,
) -> Result<(), Trouble> {
    let mut world = World::new(episode.size, episode.seed);
    let mut one = |lockstep: &mut Lockstep, world: &mut World| {
        let outputs = lockstep.outputs()?;
        let inputs = world.inputs(&outputs);
        let code = world.code;
        lockstep.step(&inputs, &outputs, &|pc| code.word(pc), cover.as_deref_mut())
    };
    for _ in 0..episode.cycles {
        one(lockstep, &mut world)?;
    }
    // All counters, when nothing is counted any more.
    world.read_counters(0);
    for _ in 0..lockstep.tally.clearing + 16 {
        one(lockstep, &mut world)?;
    }
    world.read_counters(0);
    for _ in 0..16 * episode.size.warps + 4 {
        one(lockstep, &mut world)?;
    }
    lockstep.tally.check().map_err(Trouble::Violation)
}
