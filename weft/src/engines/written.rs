//! Files of traces and waves, which are written while a program runs.

use super::Job;
use crate::outputs::{self, Output};
use crate::report::Counters;
use crate::trace::TraceWriter;
use anyhow::{Context, Result};
use std::io;
use std::path::{Path, PathBuf};
use weft_sim::Record;
use weft_testbench::lockstep::{Observer, Retired};
use weft_testbench::sm::report::Watcher;
use weft_testbench::wave_file::WaveFile;

/// A Chrome trace of what retires; on an SM with the accesses beside it.
pub struct Trace {
    name: String,
    writer: TraceWriter<Output>,
    written: io::Result<()>,
    steps: u64,
    clocked: bool,
}

impl Trace {
    /// `clocked`: its time is the cycle; else the number of the operation.
    pub fn create(path: &Path, title: &str, warps: usize, clocked: bool) -> Result<Trace> {
        let output = Output::create("--trace", path)?;
        let name = output.name.clone();
        let writer = TraceWriter::new(output, title, warps).with_context(|| name.clone())?;
        Ok(Trace {
            name,
            writer,
            written: Ok(()),
            steps: 0,
            clocked,
        })
    }

    fn then(&mut self, write: impl FnOnce(&mut TraceWriter<Output>) -> io::Result<()>) {
        if self.written.is_ok() {
            self.written = write(&mut self.writer);
        }
    }

    fn finish(mut self, counters: &Counters) -> Result<()> {
        let time = self.steps;
        for fault in &counters.faults {
            self.then(|w| w.fault(time, fault.warp, fault.pc / 4, &fault.cause));
        }
        let written = self.written.and_then(|()| self.writer.finish());
        written.context(self.name)?.finish()
    }
}

impl Observer for Trace {
    fn retired(&mut self, event: &Retired) {
        let time = if self.clocked {
            event.cycle
        } else {
            self.steps
        };
        self.then(|w| w.record(time, event.record));
        self.steps = time + 1;
    }
}

impl Watcher for Trace {
    fn issued(&mut self, cycle: u64, warp: usize, pc: u32, mask: u64) {
        self.then(|w| w.issued(cycle, warp, pc, mask));
    }

    fn retired(&mut self, cycle: u64, record: &Record) {
        self.then(|w| w.record(cycle, record));
    }

    fn effect(&mut self, cycle: u64, warp: usize, op: u8, mask: u64) {
        let what = match op {
            0 => "load",
            1 => "store",
            4 => "lr",
            5 | 6 => "sc",
            _ => "atomic",
        };
        self.then(|w| w.access(cycle, warp, what, mask.count_ones()));
    }
}

#[derive(Default)]
pub struct Written {
    pub trace: Option<Trace>,
    /// Its name for messages.
    wave: Option<(String, WaveFile)>,
}

impl Written {
    /// What `--trace`, `--wave` and `--vcd` ask for; and what the simulation has to write its waves to.
    pub fn of(job: &Job, warps: usize, clocked: bool) -> Result<(Written, Option<PathBuf>)> {
        let args = job.args;
        let mut written = Written::default();
        if let Some(path) = &args.trace {
            let trace = Trace::create(path, &job.title(), warps, clocked)?;
            written.trace = Some(trace);
        }
        let pipe = match (&args.wave, &args.vcd) {
            (Some(path), _) => Some(written.wave("--wave", path)?),
            (None, Some(path)) => Some(written.wave("--vcd", path)?),
            (None, None) => None,
        };
        Ok((written, pipe))
    }

    /// Waves that a file is to have; gives what the simulation has to write to.
    pub fn wave(&mut self, option: &str, path: &Path) -> Result<PathBuf> {
        let name = outputs::named(option, path);
        let wave = WaveFile::create(path).with_context(|| name.clone())?;
        let pipe = wave.pipe();
        self.wave = Some((name, wave));
        Ok(pipe)
    }

    /// What could not be written: an error of the file, and none of the run.
    pub fn finish(self, counters: &Counters) -> Vec<anyhow::Error> {
        let trace = self.trace.and_then(|trace| trace.finish(counters).err());
        let wave = self.wave.map(|(name, wave)| wave.finish().context(name));
        trace
            .into_iter()
            .chain(wave.and_then(Result::err))
            .collect()
    }
}
