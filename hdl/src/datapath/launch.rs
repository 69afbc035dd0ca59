//! Warps that start, and words that are decoded for the scheduler.

use super::Datapath;
use crate::hdl::*;

/// Decoded words, and lines without any; launches.
pub struct Launch;

#[rustfmt::skip]
impl<
    const NW: usize, const WI: usize, const WA: usize, const W: usize, const I: usize, const C: usize, const L: usize,
    const LI: usize, const LW: usize, const NP: usize, const PB: usize, const LA: usize, const RA: usize,
    const RB: usize, const FU: usize, const FL: usize, const FN: usize, const FB: usize,
> kernel::Part<Launch> for Datapath<NW, WI, WA, W, I, C, L, LI, LW, NP, PB, LA, RA, RB, FU, FL, FN, FB> {
    #[hdl_gen]
    fn update(&mut self) {
        self.queue.reset.next = self.reset.val();
        self.sequencer.reset.next = self.reset.val();
        self.masks.reset.next = self.reset.val();
        self.wavefront.reset.next = self.reset.val();
        self.rows.reset.next = self.reset.val();
        self.csr.reset.next = self.reset.val();
        self.control.reset.next = self.reset.val();
        self.divide.reset.next = self.reset.val();
        for i in 0..FU {
            self.floats[i].reset.next = self.reset.val();
        }

        // ---- Decoded words for the scheduler.
        self.decoder0.word.next = self.decode_word0.val();
        self.decoder1.word.next = self.decode_word1.val();
        self.decoder0.has_float.next = self.has_float.val();
        self.decoder1.has_float.next = self.has_float.val();
        self.d0.d.next = self.decoder0.decoded.val();
        self.d1.d.next = self.decoder1.decoded.val();
        self.decode0.next = self.d0.q.val();
        self.decode1.next = self.d1.q.val();

        // ---- Lines that are no instructions; no later one comes into the slot before a word of zeros is executed,
        // because nothing is fetched behind it (SUPPLY-040).
        self.line_faults0.write_enable.next = self.line_valid.val() & !self.line_slot.val();
        self.line_faults1.write_enable.next = self.line_valid.val() & self.line_slot.val();
        self.line_faults0.write_address.next = self.line_warp.val();
        self.line_faults1.write_address.next = self.line_warp.val();
        self.line_faults0.write_data.next = self.line_fault.val();
        self.line_faults1.write_data.next = self.line_fault.val();

        // ---- Launches: the warp's place in the grid, and INIT.
        self.launches.next = self.op_valid.val()
            & self.op_ready.val()
            & (self.op_code.val() == self.code_launch.val());
        self.csr.launch_valid.next = self.launches.val();
        self.csr.launch_warp.next = self.op_warp.val();
        self.csr.launch_block.next = self.op_block.val();
        self.csr.cta_number.next = self.cta_number.val();
        self.csr.cta_first.next = self.cta_first.val();
        self.csr.cta_warp.next = self.cta_warp.val();
        self.csr.cta_threads.next = self.cta_threads.val();
        self.csr.cta_x.next = self.cta_x.val();
        self.csr.cta_y.next = self.cta_y.val();
        self.csr.cta_z.next = self.cta_z.val();
        self.csr.grid_x.next = self.grid_x.val();
        self.csr.grid_y.next = self.grid_y.val();
        self.csr.grid_z.next = self.grid_z.val();
        self.csr.group_x.next = self.group_x.val();
        self.csr.group_y.next = self.group_y.val();
        self.csr.group_z.next = self.group_z.val();
        self.csr.grid_threads.next = self.grid_threads.val();
        self.inits.write_enable.next = self.launches.val();
        self.inits.write_address.next = self.init_tail.q.val();
        self.inits.write_data.next = self.op_warp.val();
        self.inits.read_address.next = self.init_head.q.val();
        self.init_next.next = self.init_count.q.val();
        if self.launches.val() {
            self.init_tail.d.next = self.init_tail.q.val() + self.one_place.val();
            self.init_next.next = self.init_next.val() + 1;
        }
        if self.sequencer.init_take.val() {
            self.init_head.d.next = self.init_head.q.val() + self.one_place.val();
            self.init_next.next = self.init_next.val() - 1;
        }
        self.init_count.d.next = self.init_next.val();
    }
}
