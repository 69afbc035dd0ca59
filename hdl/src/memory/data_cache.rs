//! The data cache, or none: then reads, beats and writes pass as they are (MEM-060).
//!
//! Spec: `docs/spec/memory.md`, *Data cache*.
//!
//! # Parameters
//! Those of `Cache`; `USE`: 1 with a cache, 0 without.
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

#[derive(LogicBlock)]
pub struct DataCache<
    const D: usize,
    const DS: usize,
    const W: usize,
    const E: usize,
    const EI: usize,
    const SB: usize,
    const N: usize,
    const TB: usize,
    const BC: usize,
    const A: usize,
    const Y: usize,
    const YB: usize,
    const USE: usize,
> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub flush: Signal<In, Bit>,
    pub cfg_memory_size: Signal<In, Bits<32>>,
    pub ahead_line: Signal<Out, Bits<26>>,
    pub ahead_clear: Signal<In, Bit>,
    pub read_valid: Signal<In, Bit>,
    pub read_ready: Signal<Out, Bit>,
    pub read_id: Signal<In, Bits<EI>>,
    pub read_address: Signal<In, Bits<32>>,
    pub read_length: Signal<In, Bits<3>>,
    pub read_bypass: Signal<In, Bit>,
    pub read_regular: Signal<In, Bit>,
    pub beat_valid: Signal<Out, Bit>,
    pub beat_ready: Signal<In, Bit>,
    pub beat_id: Signal<Out, Bits<EI>>,
    pub beat_data: Signal<Out, Bits<D>>,
    pub beat_error: Signal<Out, Bit>,
    pub beat_last: Signal<Out, Bit>,
    pub write_valid: Signal<In, Bit>,
    pub write_ready: Signal<Out, Bit>,
    pub write_id: Signal<In, Bits<EI>>,
    pub write_address: Signal<In, Bits<32>>,
    pub write_length: Signal<In, Bits<3>>,
    pub write_data: Signal<In, Bits<D>>,
    pub write_strobes: Signal<In, Bits<DS>>,
    pub write_last: Signal<In, Bit>,
    pub down_read_valid: Signal<Out, Bit>,
    pub down_read_ready: Signal<In, Bit>,
    pub down_read_id: Signal<Out, Bits<EI>>,
    pub down_read_address: Signal<Out, Bits<32>>,
    pub down_read_length: Signal<Out, Bits<3>>,
    pub down_beat_valid: Signal<In, Bit>,
    pub down_beat_ready: Signal<Out, Bit>,
    pub down_beat_id: Signal<In, Bits<EI>>,
    pub down_beat_data: Signal<In, Bits<D>>,
    pub down_beat_error: Signal<In, Bit>,
    pub down_beat_last: Signal<In, Bit>,
    pub down_write_valid: Signal<Out, Bit>,
    pub down_write_ready: Signal<In, Bit>,
    pub down_write_id: Signal<Out, Bits<EI>>,
    pub down_write_address: Signal<Out, Bits<32>>,
    pub down_write_length: Signal<Out, Bits<3>>,
    pub down_write_data: Signal<Out, Bits<D>>,
    pub down_write_strobes: Signal<Out, Bits<DS>>,
    pub down_write_last: Signal<Out, Bit>,
    pub events: Signal<Out, Bits<8>>,
    pub regular: Signal<Out, Bit>,
    caches: Vec<Cache<D, DS, W, E, EI, SB, N, TB, BC, A, Y, YB>>,
    no_line: Constant<Bits<26>>,
}

impl<
        const D: usize,
        const DS: usize,
        const W: usize,
        const E: usize,
        const EI: usize,
        const SB: usize,
        const N: usize,
        const TB: usize,
        const BC: usize,
        const A: usize,
        const Y: usize,
        const YB: usize,
        const USE: usize,
    > Default for DataCache<D, DS, W, E, EI, SB, N, TB, BC, A, Y, YB, USE>
{
    fn default() -> Self {
        assert!(USE <= 1, "DataCache: USE = {USE}");
        block!({
            clock, reset, flush, cfg_memory_size, ahead_line, ahead_clear, read_valid, read_ready, read_id,
            read_address, read_length, read_bypass, read_regular, beat_valid, beat_ready, beat_id, beat_data,
            beat_error, beat_last, write_valid, write_ready, write_id, write_address, write_length, write_data,
            write_strobes, write_last, down_read_valid, down_read_ready, down_read_id, down_read_address,
            down_read_length, down_beat_valid, down_beat_ready, down_beat_id, down_beat_data, down_beat_error,
            down_beat_last, down_write_valid, down_write_ready, down_write_id, down_write_address,
            down_write_length, down_write_data, down_write_strobes, down_write_last, events, regular,
        } {
            caches: (0..USE).map(|_| Default::default()).collect(),
            no_line: Constant::new(0u64.into()),
        })
    }
}

impl<
        const D: usize,
        const DS: usize,
        const W: usize,
        const E: usize,
        const EI: usize,
        const SB: usize,
        const N: usize,
        const TB: usize,
        const BC: usize,
        const A: usize,
        const Y: usize,
        const YB: usize,
        const USE: usize,
    > Logic for DataCache<D, DS, W, E, EI, SB, N, TB, BC, A, Y, YB, USE>
{
    #[part]
    fn update(&mut self) {
        carry!(self <- self.down_*: read_ready, beat_valid, beat_id, beat_data, beat_error);
        carry!(self <- self.down_*: beat_last, write_ready);
        carry!(self.down_* <- self: read_valid, read_id, read_address, read_length, beat_ready);
        carry!(self.down_* <- self: write_valid, write_id, write_address, write_length, write_data);
        carry!(self.down_* <- self: write_strobes, write_last);
        self.events.next = 0.into();
        self.regular.next = false;
        self.ahead_line.next = self.no_line.val();
        for c in 0..USE {
            carry!(self.caches[c] <- self: clock, reset, flush, cfg_memory_size);
            self.ahead_line.next = self.caches[c].ahead_line.val();
            carry!(self.caches[c] <- self: ahead_clear, read_valid);
            self.read_ready.next = self.caches[c].read_ready.val();
            carry!(self.caches[c] <- self: read_id, read_address, read_length);
            carry!(self.caches[c] <- self: read_bypass, read_regular);
            self.beat_valid.next = self.caches[c].beat_valid.val();
            self.caches[c].beat_ready.next = self.beat_ready.val();
            carry!(self <- self.caches[c]: beat_id, beat_data, beat_error, beat_last);
            self.caches[c].write_valid.next = self.write_valid.val();
            self.write_ready.next = self.caches[c].write_ready.val();
            carry!(self.caches[c] <- self: write_id, write_address, write_length, write_data);
            carry!(self.caches[c] <- self: write_strobes, write_last);
            self.down_read_valid.next = self.caches[c].down_read_valid.val();
            self.caches[c].down_read_ready.next = self.down_read_ready.val();
            carry!(self <- self.caches[c]: down_read_id, down_read_address, down_read_length);
            self.caches[c].down_beat_valid.next = self.down_beat_valid.val();
            self.down_beat_ready.next = self.caches[c].down_beat_ready.val();
            carry!(self.caches[c] <- self: down_beat_id, down_beat_data);
            carry!(self.caches[c] <- self: down_beat_error, down_beat_last);
            self.down_write_valid.next = self.caches[c].down_write_valid.val();
            self.caches[c].down_write_ready.next = self.down_write_ready.val();
            carry!(self <- self.caches[c]: down_write_id, down_write_address, down_write_length);
            carry!(self <- self.caches[c]: down_write_data, down_write_strobes, down_write_last);
            carry!(self <- self.caches[c]: events, regular);
        }
    }
}
