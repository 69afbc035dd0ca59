//! The domain of the channel that has the step, and its window.
//!
//! Spec: `docs/spec/host.md`, HOST-004.
//!
//! # Parameters
//! `CI`: bits of a channel's number.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `reset` | in | 1 | synchronous, active high |
//! | `write`, `address`, `data` | in | 1, 12, 32 | pulse: a register from 0x300 on is written |
//! | `thread_end` | in | 32 | THREAD_END |
//! | `channel` | in | CI | |
//! | `domain_id` | out | 3 | its domain |
//! | `window_base`, `window_end` | out | 32 | the window of that |
//!
//! # Cycle behaviour
//! What comes out is combinational. A write counts from the next cycle on.
//!
//! # Errors
//! None.

use crate::hdl::*;
use crate::work::windows::Windows;

#[module]
pub struct ChannelWindow<const CI: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub write: Signal<In, Bit>,
    pub address: Signal<In, Bits<12>>,
    pub data: Signal<In, Bits<32>>,
    pub thread_end: Signal<In, Bits<32>>,
    pub channel: Signal<In, Bits<CI>>,
    pub domain_id: Signal<Out, Bits<3>>,
    pub window_base: Signal<Out, Bits<32>>,
    pub window_end: Signal<Out, Bits<32>>,
    windows: Windows,
    // CHANNEL_DOMAINS: four bits of each channel.
    domains: DFF<Bits<32>>,
    place: Signal<Local, Bits<5>>,
    moved: Signal<Local, Bits<32>>,
}

#[part(ChannelWindow<CI>)]
fn update(&mut self) {
    if self.write.val() & (self.address.val() == 0x480) {
        self.domains.d.next = self.data.val();
    }
    self.place.next = bit_cast::<5, CI>(self.channel.val()) << 2;
    self.moved.next = self.domains.q.val() >> self.place.val();
    self.domain_id.next = self.moved.val().get_bits::<3>(0);
    carry!(self.windows <- self: reset, write, address, data, thread_end);
    self.windows.domain_id.next = self.moved.val().get_bits::<3>(0);
    carry!(self <- self.windows: window_base, window_end);
    if self.reset.val() {
        self.domains.d.next = 0.into();
    }
}
