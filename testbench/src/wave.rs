//! Waves of a Verilated design: its clock as time, and its VCD file, if one is written.

use crate::dut::DutError;
use std::path::Path;
use verilated::vcd::{Vcd, VcdC};

const HALF_PERIOD_NS: u64 = 5;

#[derive(Default)]
pub struct Wave {
    /// Must be closed while the model that it reads is alive.
    file: Option<Vcd>,
    time_ns: u64,
    /// Nothing is written before this.
    from_ns: u64,
}

impl Wave {
    /// A VCD file from the first cycle on, or `None`: no file. `trace` connects a file that is not open yet to the model.
    pub fn open(path: Option<&Path>, trace: impl FnOnce(*mut VcdC)) -> Result<Wave, DutError> {
        let Some(path) = path else {
            return Ok(Wave::default());
        };
        let fail = |e| DutError::Wave(path.display().to_string(), e);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(fail)?;
        }
        let mut vcd = Vcd::default();
        trace(vcd.0);
        vcd.open(path).map_err(fail)?;
        Ok(Wave {
            file: Some(vcd),
            ..Wave::default()
        })
    }

    /// Nothing is written before this cycle.
    pub fn begin(&mut self, cycle: u64) {
        self.from_ns = cycle * 2 * HALF_PERIOD_NS;
    }

    /// Half a clock period has passed.
    pub fn dump(&mut self) {
        if let Some(vcd) = self.file.as_mut().filter(|_| self.time_ns >= self.from_ns) {
            vcd.dump(self.time_ns);
        }
        self.time_ns += HALF_PERIOD_NS;
    }

    pub fn close(&mut self) {
        self.file = None;
    }
}
