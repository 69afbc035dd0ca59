//! Single-threaded driver of a block in the built-in simulator.

use rust_hdl_core::prelude::*;
use rust_hdl_core::vcd_probe::VCDProbe;
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

/// Sweeps after which combinational logic is taken to oscillate.
const MAX_SWEEPS: usize = 200;
/// Time units between two samples of a waveform.
const SAMPLE: u64 = 5;

/// Evaluate the block until nothing changes; returns the number of sweeps.
///
/// # Panics
/// When the logic oscillates.
pub fn settle<B: Block>(b: &mut B) -> usize {
    for n in 1..=MAX_SWEEPS {
        b.update_all();
        if !b.has_changed() {
            return n;
        }
    }
    panic!("combinational logic did not settle within {MAX_SWEEPS} sweeps");
}

/// Sets the clock input of a block to a level.
pub type ClockFn<B> = fn(&mut B, bool);

/// A block under test: set inputs in `uut`, [`settle`](Bench::settle), read outputs, [`edge`](Bench::edge).
pub struct Bench<B: Block> {
    pub uut: B,
    clock: ClockFn<B>,
    cycle: u64,
    time: u64,
    wave: Option<VCDProbe<BufWriter<File>>>,
}

impl<B: Block> Bench<B> {
    /// Connects and checks the block; the clock starts low.
    ///
    /// # Panics
    /// When the library's own checks fail (undriven signal, write to an input, read before write).
    pub fn new(mut uut: B, clock: ClockFn<B>) -> Self {
        uut.connect_all();
        if let Err(e) = check_all(&uut) {
            panic!("block is not connected properly: {e:?}");
        }
        clock(&mut uut, false);
        Self {
            uut,
            clock,
            cycle: 0,
            time: 0,
            wave: None,
        }
    }

    /// [`open_wave`](Bench::open_wave), for a block just made.
    pub fn with_wave(mut self, path: &Path) -> std::io::Result<Self> {
        self.open_wave(path)?;
        Ok(self)
    }

    /// From now on, write a waveform, by convention to `target/waves` (see [`wave_path`]).
    pub fn open_wave(&mut self, path: &Path) -> std::io::Result<()> {
        if let Some(dir) = path.parent() {
            std::fs::create_dir_all(dir)?;
        }
        let file = BufWriter::new(File::create(path)?);
        self.wave = Some(write_vcd_dump(write_vcd_header(file, &self.uut), &self.uut));
        Ok(())
    }

    /// Let the combinational logic settle.
    pub fn settle(&mut self) {
        settle(&mut self.uut);
        if let Some(mut vcd) = self.wave.take() {
            self.time += SAMPLE;
            vcd.timestamp(self.time).expect("waveform");
            self.wave = Some(write_vcd_change(vcd, &self.uut));
        }
    }

    /// One clock cycle: settle, rising edge, falling edge.
    pub fn edge(&mut self) {
        self.settle();
        for level in [true, false] {
            (self.clock)(&mut self.uut, level);
            self.settle();
        }
        self.cycle += 1;
    }

    /// Number of cycles so far.
    pub fn cycle(&self) -> u64 {
        self.cycle
    }
}

/// `target/waves/<name>.vcd`, with `::` in the name turned into `-`.
pub fn wave_path(name: &str) -> PathBuf {
    crate::paths::target_dir()
        .join("waves")
        .join(format!("{}.vcd", name.replace("::", "-")))
}
