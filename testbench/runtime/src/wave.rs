//! Waves of a Verilated design: its clock as time, and its VCD file.

use verilated::vcd::Vcd;

const HALF_PERIOD_NS: u64 = 5;

/// To be closed while the model that the file reads is alive.
pub struct Wave {
    file: Vcd,
    time_ns: u64,
    /// Nothing is written before this.
    from_ns: u64,
}

impl Wave {
    /// Nothing is written before cycle `from`.
    pub fn new(file: Vcd, from: u64) -> Wave {
        Wave {
            file,
            time_ns: 0,
            from_ns: from * 2 * HALF_PERIOD_NS,
        }
    }

    /// Half a clock period has passed.
    pub fn dump(&mut self) {
        if self.time_ns >= self.from_ns {
            self.file.dump(self.time_ns);
        }
        self.time_ns += HALF_PERIOD_NS;
    }
}
