//! Pictures of the work queue at work: what channels, CTAs and words of memory did, as a file for
//! [WaveDrom](https://wavedrom.com), a column for so many cycles.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::rc::Rc;
use weft_sim::host::front::command;
use weft_testbench::gpu::{Cycle, VerilatedGpu};
use weft_testbench::tasks::device::kind::{END, LOAD, START};

/// One line of a picture: what it shows from a cycle on. Nothing is a low line.
#[derive(Clone, Debug, Default)]
struct Lane(Vec<(u64, Option<String>)>);

impl Lane {
    fn from(&mut self, cycle: u64, what: Option<String>) {
        if self.0.last().map(|(_, last)| last) != Some(&what) {
            self.0.push((cycle, what));
        }
    }

    /// What a column shows: what first begins in it, so that nothing short is lost, and else what goes on.
    fn at(&self, begin: u64, end: u64) -> Option<&str> {
        let first = self
            .0
            .iter()
            .find(|(from, what)| (begin..end).contains(from) && what.is_some());
        let goes_on = self.0.iter().rev().find(|(from, _)| *from < end);
        first.or(goes_on)?.1.as_deref()
    }
}

/// What a channel is at: a command, from when the one before was over.
#[derive(Default)]
struct Channel {
    free: u64,
    command: Lane,
    entry: Lane,
}

/// What is watched, by name.
pub struct Watched {
    /// Channels, with the names of their lines.
    pub channels: Vec<(usize, &'static str)>,
    /// Tasks by the addresses of their descriptors; any other one has the first name.
    pub others: &'static str,
    pub tasks: Vec<(u32, &'static str)>,
    /// Words of memory that are shown.
    pub words: Vec<(u32, &'static str)>,
    /// Semaphores as commands show them.
    pub semaphores: Vec<(u32, String)>,
}

/// What has been seen.
pub struct Recording {
    watched: Watched,
    begin: u64,
    cycles: Rc<RefCell<Vec<(u64, Cycle)>>>,
    channels: BTreeMap<usize, Channel>,
    /// CTAs of each task that are on the SM.
    running: BTreeMap<&'static str, u32>,
    /// Descriptor of each slot.
    slots: BTreeMap<usize, u32>,
    /// By the names of the lines.
    lanes: BTreeMap<&'static str, Lane>,
}

impl Recording {
    /// From now on.
    pub fn of(gpu: &mut VerilatedGpu, watched: Watched) -> Recording {
        let cycles = Rc::new(RefCell::new(Vec::new()));
        let seen = cycles.clone();
        gpu.observe(move |number, cycle| {
            if cycle.step.is_some() || cycle.task.is_some() {
                seen.borrow_mut().push((number, *cycle));
            }
        });
        Recording {
            watched,
            begin: gpu.cycles(),
            cycles,
            channels: BTreeMap::new(),
            running: BTreeMap::new(),
            slots: BTreeMap::new(),
            lanes: BTreeMap::new(),
        }
    }

    /// Until this is so, and for `behind` cycles more.
    ///
    /// # Errors
    /// The hardware breaks a rule of a port, or it takes more than 100,000 cycles.
    pub fn until(
        &mut self,
        gpu: &mut VerilatedGpu,
        over: impl Fn(&VerilatedGpu) -> bool,
        behind: u64,
    ) -> Result<(), String> {
        let mut left = None;
        while left != Some(0) {
            self.take(gpu);
            gpu.cycle()?;
            left = left.map(|n: u64| n - 1);
            if left.is_none() && over(gpu) {
                left = Some(behind);
            }
            if gpu.cycles() - self.begin > 100_000 {
                return Err("100,000 cycles are over".into());
            }
        }
        self.take(gpu);
        Ok(())
    }

    /// What has happened since, and the words as they are now.
    fn take(&mut self, gpu: &VerilatedGpu) {
        let new = std::mem::take(&mut *self.cycles.borrow_mut());
        for (number, cycle) in new {
            self.front(number, &cycle, gpu);
            self.tasks(number, &cycle);
        }
        for (address, name) in &self.watched.words {
            let value = gpu.word(*address).to_string();
            let lane = self.lanes.entry(name).or_default();
            lane.from(gpu.cycles(), Some(value));
        }
    }

    fn front(&mut self, number: u64, cycle: &Cycle, gpu: &VerilatedGpu) {
        let Some(step) = cycle.step else { return };
        let begin = self.begin;
        let channel = self
            .channels
            .entry(step.channel)
            .or_insert_with(|| Channel {
                free: begin,
                ..Channel::default()
            });
        // Its entry is read, and the first command begins.
        if !step.is_command {
            channel.free = number;
            return;
        }
        let what = self.watched.name(step.word, gpu.word(step.address + 4));
        channel.command.from(channel.free, Some(what));
        channel.entry.from(channel.free, Some(step.get.to_string()));
        if step.result != 1 {
            channel.free = number + 1;
            // Unless another one follows.
            channel.command.from(number + 1, None);
        }
    }

    fn tasks(&mut self, number: u64, cycle: &Cycle) {
        let Some(step) = cycle.task else { return };
        match step.kind {
            LOAD => {
                self.slots.insert(step.slot, step.task);
            }
            START | END => {
                let task = match step.kind {
                    START => self.slots[&step.slot],
                    _ => step.task,
                };
                let known = self.watched.tasks.iter().find(|(at, _)| *at == task);
                let name = known.map_or(self.watched.others, |(_, name)| name);
                let running = self.running.entry(name).or_default();
                match step.kind {
                    START => *running += 1,
                    _ => *running -= 1,
                }
                let on = (*running > 0).then(|| name.to_string());
                self.lanes.entry(name).or_default().from(number, on);
            }
            _ => {}
        }
    }

    /// The picture, of columns of so many cycles.
    pub fn picture(&self, cycles: u64, title: &str) -> String {
        let end = self
            .lanes
            .values()
            .chain(self.channels.values().map(|c| &c.command));
        let last = end
            .filter_map(|lane| lane.0.last())
            .map(|(at, _)| *at)
            .max();
        let columns = (last.unwrap_or(self.begin) - self.begin) / cycles + 2;
        let mut lines = Vec::new();
        for (number, name) in &self.watched.channels {
            if let Some(channel) = self.channels.get(number) {
                lines.push((format!("{name}: entry"), &channel.entry));
                lines.push(((*name).to_string(), &channel.command));
            }
        }
        let tasks = self.watched.tasks.iter().map(|(_, name)| *name);
        let words = self.watched.words.iter().map(|(_, name)| *name);
        for name in std::iter::once(self.watched.others)
            .chain(tasks)
            .chain(words)
        {
            if let Some(lane) = self.lanes.get(name) {
                lines.push((name.to_string(), lane));
            }
        }
        let width = lines.iter().map(|(name, _)| name.len()).max().unwrap_or(0) + 3;
        let mut text = "{\"signal\": [\n".to_string();
        for (n, (name, lane)) in lines.iter().enumerate() {
            let (wave, data) = wave(lane, self.begin, cycles, columns);
            let comma = if n + 1 < lines.len() { "," } else { "" };
            let name = format!("\"{name}\",");
            let _ = writeln!(
                text,
                "  {{\"name\": {name:width$} \"wave\": \"{wave}\", \"data\": {data:?}}}{comma}"
            );
        }
        let _ = writeln!(
            text,
            "],\n\"head\": {{\"text\": \"{title}; a column is {cycles} cycles\"}}}}"
        );
        text
    }
}

/// Symbols and labels of a line.
fn wave(lane: &Lane, begin: u64, cycles: u64, columns: u64) -> (String, Vec<String>) {
    let (mut wave, mut data) = (String::new(), Vec::new());
    let mut before = None;
    for column in 0..columns {
        let from = begin + column * cycles;
        let now = lane.at(from, from + cycles);
        match now {
            _ if before == Some(now) => wave.push('.'),
            Some(label) => {
                wave.push('=');
                data.push(label.to_string());
            }
            None => wave.push('0'),
        }
        before = Some(now);
    }
    (wave, data)
}

impl Watched {
    /// A command as the picture shows it; `second` is the word behind its header.
    fn name(&self, header: u32, second: u32) -> String {
        let semaphore = self.semaphores.iter().find(|(at, _)| *at == second);
        let of = semaphore.map_or("", |(_, name)| name);
        match header & 0xff {
            command::NOP => "NOP".into(),
            command::LAUNCH => "LAUNCH".into(),
            command::WAIT_FOR_IDLE => "IDLE?".into(),
            command::MEMBAR => "MEMBAR".into(),
            command::SEM_ACQUIRE => format!("acq {of}"),
            command::SEM_RELEASE => format!("rel {of}"),
            other => format!("{other}"),
        }
    }
}
