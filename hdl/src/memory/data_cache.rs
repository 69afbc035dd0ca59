//! The data cache, or none: then reads, beats and writes pass as they are (MEM-060).
//!
//! Spec: `docs/spec/memory.md`, *Data cache*.
//!
//! # Parameters
//! By name, `hdl/src/sizes.rs`.
//!
//! # Ports
//! Those of `Cache`.
//!
//! # Cycle behaviour
//! Without a cache combinational.
//!
//! # Errors
//! As `Cache`.

use super::cache::Cache;
use crate::hdl::*;

#[module(requires(HAS_CACHE <= 1))]
pub struct DataCache {
    #[flat]
    pub ports: CachePorts,
    #[many(HAS_CACHE)]
    caches: Vec<Cache>,
    #[value(0.into())]
    no_line: Constant<Bits<26>>,
}

#[part(DataCache)]
fn update(&mut self) {
    // Without a cache.
    carry!(self <- self.down_*:
        read_ready, beat_valid, beat_id, beat_data, beat_error, beat_last, write_ready,
    );
    carry!(self.down_* <- self:
        read_valid, read_id, read_address, read_length, read_bypass, beat_ready, write_valid,
        write_id, write_address, write_length, write_data, write_strobes, write_last,
    );
    self.events.next = 0.into();
    self.regular.next = false;
    self.ahead_line.next = self.no_line.val();
    // With one.
    for c in 0..HAS_CACHE {
        carry!(self.caches[c] <-> self: every CachePorts);
    }
}
