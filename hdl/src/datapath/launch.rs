//! Warps that start, and words that are decoded for the scheduler.

use super::Datapath;
use crate::hdl::*;

/// Decoded words, and lines without any; launches.
pub struct Launch;

#[part(Datapath, Launch)]
fn update(&mut self) {
    spread!(self.*.reset <- self.reset:
        queue, sequencer, masks, wavefront, rows, csr, control, divide,
    );
    for i in 0..HAS_FLOAT {
        self.floats[i].reset.next = self.reset.val();
    }

    // ---- Decoded words for the scheduler.
    self.decoder0.word.next = self.decode_word0.val();
    self.decoder1.word.next = self.decode_word1.val();
    spread!(self.*.has_float <- self.has_float: decoder0, decoder1);
    self.d0.d.next = self.decoder0.decoded.val();
    self.d1.d.next = self.decoder1.decoded.val();
    self.decode0.next = self.d0.q.val();
    self.decode1.next = self.d1.q.val();

    // ---- Lines that are no instructions; no later one comes into the slot before a word of zeros is executed,
    // because nothing is fetched behind it (SUPPLY-040).
    self.line_faults0.write_enable.next = self.line_valid.val() & !self.line_slot.val();
    self.line_faults1.write_enable.next = self.line_valid.val() & self.line_slot.val();
    spread!(self.*.write_address <- self.line_warp: line_faults0, line_faults1);
    spread!(self.*.write_data <- self.line_fault: line_faults0, line_faults1);

    // ---- Launches: the warp's place in the grid, and INIT.
    self.launches.next =
        self.op_valid.val() & self.op_ready.val() & (self.op_code.val() == self.code_launch.val());
    self.csr.launch_valid.next = self.launches.val();
    carry!(self.csr.launch_* <- self.op_*: warp, block);
    carry!(self.csr <- self: cta_number, cta_first, cta_warp, cta_threads, cta_x, cta_y, cta_z);
    carry!(self.csr <- self: grid_x, grid_y, grid_z, group_x, group_y, group_z, grid_threads);
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
