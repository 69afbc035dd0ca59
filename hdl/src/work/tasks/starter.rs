//! Starts a CTA: finds room, tells the SM word by word what it is, and moves the task on (TASK-015, TASK-050 to TASK-056).
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `start`, `descriptor`, `queue` | in | 1, 32, 1 | pulse: a CTA of the task whose words are in the RAM; its address; it is a queue. The last two hold |
//! | `may`, `drop` | in | 1 | the CTA may be offered to the SM, else it waits behind its words; pulse: it is not to start at all |
//! | `ahead`, `come`, `taken` | in | 1, 6, 1 | a task is read that nobody can go before: its SM is told words 0 to 11, 24 and 25 as they come; words that are in the RAM; the RAM is read by another one |
//! | `to_first` | out | 1 | what is told is for SM 0: it has not been looked for |
//! | `done`, `started`, `left`, `error` | out | 1 | pulse: it is over; a CTA fitted and was started; another one can be; GET could not be written |
//! | `number`, `position`, `entries`, `first` | out | 32 | of the CTA: number, first position and entries of a queue, its first granule |
//! | `seek`, `warps`, `granules`, `take` / `sought`, `found` | out / in | | to `Placement` |
//! | `word_valid`, `word_index`, `word` | out | 1, 5, 32 | what the SM must know, in ascending order (`docs/spec/tasks.md`, *Port of an SM*) |
//! | `cta_valid` / `cta_ready` | out / in | 1 | behind the words: the CTA |
//! | `setting_at` / `setting`, `scratchpad` | out / in | 2 / 32 | register of the SM; byte address of its scratchpad |
//! | `domain_id` / `window_base`, `window_end`, `local_offset` | out / in | 3 / 32 | of the task; its window; where its local memory is |
//! | `ask_*`, `told_*`; `ram_*` | | | memory and RAM, as in `Tasks` |
//!
//! # Cycle behaviour
//! Two cycles, the search, of a queue four for its entries, 28 cycles of words, then the SM's `cta_ready`; of a queue a write of GET.
//! With `ahead` words 0 to 11, 24 and 25 pass before `start`, as soon as they have come, and behind it 16 cycles are left:
//! all SMs are empty then, so the search will find SM 0 (TASK-055). Without a `start` what was told counts for nothing.
//! The RAM moves on to the next CTA while the words pass, each one cycle behind its word.
//!
//! # Errors
//! `error`: GET had an error response.

use crate::hdl::*;

#[module]
pub struct Starter {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub start: Signal<In, Bit>,
    pub descriptor: Signal<In, Bits<32>>,
    pub queue: Signal<In, Bit>,
    pub may: Signal<In, Bit>,
    pub drop: Signal<In, Bit>,
    pub ahead: Signal<In, Bit>,
    pub come: Signal<In, Bits<6>>,
    pub taken: Signal<In, Bit>,
    pub to_first: Signal<Out, Bit>,
    pub done: Signal<Out, Bit>,
    pub started: Signal<Out, Bit>,
    pub left: Signal<Out, Bit>,
    pub error: Signal<Out, Bit>,
    pub number: Signal<Out, Bits<32>>,
    pub position: Signal<Out, Bits<32>>,
    pub entries: Signal<Out, Bits<32>>,
    pub seek: Signal<Out, Bit>,
    pub warps: Signal<Out, Bits<8>>,
    pub granules: Signal<Out, Bits<6>>,
    pub take: Signal<Out, Bit>,
    pub sought: Signal<In, Bit>,
    pub found: Signal<In, Bit>,
    pub word_valid: Signal<Out, Bit>,
    pub word_index: Signal<Out, Bits<5>>,
    pub word: Signal<Out, Bits<32>>,
    pub cta_valid: Signal<Out, Bit>,
    pub cta_ready: Signal<In, Bit>,
    pub setting_at: Signal<Out, Bits<2>>,
    pub setting: Signal<In, Bits<32>>,
    pub scratchpad: Signal<In, Bits<32>>,
    pub domain_id: Signal<Out, Bits<3>>,
    pub window_base: Signal<In, Bits<32>>,
    pub window_end: Signal<In, Bits<32>>,
    pub local_offset: Signal<In, Bits<32>>,
    pub ask: Signal<Out, Bit>,
    pub ask_write: Signal<Out, Bit>,
    pub ask_address: Signal<Out, Bits<32>>,
    pub ask_data: Signal<Out, Bits<32>>,
    pub told: Signal<In, Bit>,
    pub told_error: Signal<In, Bit>,
    pub ram_write: Signal<Out, Bit>,
    pub ram_write_at: Signal<Out, Bits<5>>,
    pub ram_write_data: Signal<Out, Bits<32>>,
    pub ram_read_at: Signal<Out, Bits<5>>,
    pub ram_data: Signal<In, Bits<32>>,
    // 1 reads warps and granules, 3 seeks, 4 waits, 5 to 8 count entries, 9 passes the words, 10 the CTA,
    // 11 looks for room for GET, 12 is done; 13 passes words ahead.
    step: DFF<Bits<4>>,
    // The word that is read; the one that is shown is the one before.
    index: DFF<Bits<5>>,
    shows: DFF<Bit>,
    // Words 0 to 11 have been told.
    has_told: DFF<Bit>,
    shown: DFF<Bits<5>>,
    // The word that was read for what was told one cycle ago, its number, and whether there was one: what follows from it.
    late: DFF<Bits<32>>,
    late_at: DFF<Bits<5>>,
    lates: DFF<Bit>,
    // A register of the SM, read beside the RAM.
    its_setting: DFF<Bits<32>>,
    its_warps: DFF<Bits<8>>,
    its_granules: DFF<Bits<6>>,
    has_started: DFF<Bit>,
    has_left: DFF<Bit>,
    wrong: DFF<Bit>,
    its_domain: DFF<Bits<3>>,
    its_number: DFF<Bits<32>>,
    next_number: DFF<Bits<32>>,
    its_position: DFF<Bits<32>>,
    its_entries: DFF<Bits<32>>,
    waiting: DFF<Bits<32>>,
    threads: DFF<Bits<32>>,
    // The last place of a row; the last row.
    last_x: DFF<Bits<32>>,
    last_y: DFF<Bits<32>>,
    // The next place is in another row; in another plane.
    wraps_x: DFF<Bit>,
    wraps_y: DFF<Bit>,
    value: Signal<Local, Bits<32>>,
    after: Signal<Local, Bits<32>>,
    writes: Signal<Local, Bit>,
    tells: Signal<Local, Bit>,
    rest: Signal<Local, Bits<32>>,
}

#[part(Starter)]
fn update(&mut self) {
    self.done.next = false;
    self.seek.next = false;
    self.take.next = false;
    self.cta_valid.next = false;
    self.ask.next = false;
    self.ask_write.next = true;
    self.ask_address.next = self.descriptor.val() + 88;
    self.rest.next = self.its_position.q.val() + self.its_entries.q.val();
    self.ask_data.next = self.rest.val();
    self.ram_read_at.next = 30.into();
    self.shows.d.next = false;
    self.shown.d.next = self.index.q.val();

    if self.step.q.val() == 1 {
        self.its_warps.d.next = self.ram_data.val().get_bits::<8>(16);
        self.its_granules.d.next = self.ram_data.val().get_bits::<6>(24);
        self.step.d.next = 3.into();
    }
    if (self.step.q.val() == 3) & self.sought.val() {
        self.seek.next = true;
        self.step.d.next = 4.into();
    }
    if (self.step.q.val() == 4) & self.sought.val() {
        self.step.d.next = 5.into();
        self.has_started.d.next = self.found.val();
        if !self.queue.val() {
            self.its_entries.d.next = 0.into();
            self.its_position.d.next = 0.into();
            self.index.d.next = 0.into();
            if self.has_told.q.val() {
                self.index.d.next = 12.into();
            }
            self.step.d.next = 9.into();
        }
        if !self.found.val() {
            self.step.d.next = 12.into();
        }
    }
    // How many entries of a queue: EACH, or what there is.
    if self.step.q.val() == 5 {
        self.ram_read_at.next = 21.into();
        self.step.d.next = 6.into();
    }
    if self.step.q.val() == 6 {
        self.ram_read_at.next = 22.into();
        self.waiting.d.next = self.ram_data.val();
        self.step.d.next = 7.into();
    }
    if self.step.q.val() == 7 {
        self.ram_read_at.next = 19.into();
        self.its_position.d.next = self.ram_data.val();
        self.waiting.d.next = self.waiting.q.val() - self.ram_data.val();
        self.step.d.next = 8.into();
    }
    if self.step.q.val() == 8 {
        self.its_entries.d.next = self.ram_data.val();
        if self.ram_data.val() > self.waiting.q.val() {
            self.its_entries.d.next = self.waiting.q.val();
        }
        self.index.d.next = 0.into();
        self.step.d.next = 9.into();
    }

    // Words that are told as they come. A word may be read in the cycle behind that in which it is written.
    self.to_first.next = self.step.q.val() == 13;
    self.tells.next = bit_cast::<6, 5>(self.index.q.val()) < self.come.val();
    if self.index.q.val() >= 12 {
        self.tells.next = self.index.q.val() != 26;
    }
    if (self.step.q.val() == 0) & self.ahead.val() {
        self.index.d.next = 0.into();
        self.step.d.next = 13.into();
    }
    if self.step.q.val() == 13 {
        if !self.ahead.val() {
            self.step.d.next = 0.into();
        } else if self.tells.val() & !self.taken.val() & !self.start.val() {
            self.ram_read_at.next = self.index.q.val();
            self.shows.d.next = true;
            self.index.d.next = self.index.q.val() + 1;
            if self.index.q.val() == 11 {
                self.index.d.next = 24.into();
            }
        }
    }

    // Where word `index` comes from.
    if self.step.q.val() == 9 {
        self.ram_read_at.next = self.index.q.val();
        if (self.index.q.val() == 2) & self.queue.val() {
            self.ram_read_at.next = 18.into();
        }
        if (self.index.q.val() == 3) & self.queue.val() {
            self.ram_read_at.next = 19.into();
        }
        if self.index.q.val() == 12 {
            self.ram_read_at.next = 30.into();
        }
        if self.index.q.val() == 13 {
            self.ram_read_at.next = 25.into();
        }
        if self.index.q.val() == 14 {
            self.ram_read_at.next = 26.into();
        }
        if self.index.q.val() == 15 {
            self.ram_read_at.next = 28.into();
        }
        if self.index.q.val() == 16 {
            self.ram_read_at.next = 29.into();
        }
        if self.index.q.val() == 17 {
            self.ram_read_at.next = 16.into();
        }
        if self.index.q.val() == 18 {
            self.ram_read_at.next = 17.into();
        }
        if self.index.q.val() == 19 {
            self.ram_read_at.next = 20.into();
        }
        if self.index.q.val() == 26 {
            self.ram_read_at.next = 24.into();
        }
        self.shows.d.next = self.index.q.val() != 27;
        self.index.d.next = self.index.q.val() + 1;
        if self.index.q.val() == 27 {
            self.step.d.next = 10.into();
        }
    }

    // ---- The word that was read.
    self.value.next = self.ram_data.val();
    self.setting_at.next = 0.into();
    if self.index.q.val() == 22 {
        self.setting_at.next = 2.into();
    }
    if self.index.q.val() == 23 {
        self.setting_at.next = 3.into();
    }
    self.its_setting.d.next = self.setting.val();
    if self.index.q.val() == 21 {
        self.its_setting.d.next = self.setting.val() + self.local_offset.val();
    }
    if (self.shown.q.val() >= 21) & (self.shown.q.val() <= 23) {
        self.value.next = self.its_setting.q.val();
    }
    if self.shown.q.val() == 12 {
        self.value.next = self.ram_data.val() & 0xffff;
    }
    if self.shown.q.val() == 20 {
        self.value.next = self.scratchpad.val();
    }
    if self.shown.q.val() == 24 {
        self.value.next = self.window_end.val();
    }
    if self.shown.q.val() == 25 {
        self.value.next = self.window_base.val();
    }
    if self.queue.val() {
        if self.shown.q.val() == 4 {
            self.value.next = 1.into();
        }
        if self.shown.q.val() == 17 {
            self.value.next = self.its_position.q.val();
        }
        if self.shown.q.val() == 18 {
            self.value.next = self.its_entries.q.val();
        }
        if self.shown.q.val() == 19 {
            self.value.next = 0.into();
        }
    }
    self.word_valid.next = self.shows.q.val() & (self.shown.q.val() < 26);
    self.word_index.next = self.shown.q.val();
    self.word.next = self.value.val();

    // ---- One cycle later: what stands there for the next CTA.
    carry!(self.*.d <- self: late = ram_data);
    carry!(self.*.d <- self.*.q: late_at = shown, lates = shows);
    self.writes.next = false;
    self.ram_write_at.next = 26.into();
    self.after.next = self.late.q.val() + 1;
    if self.lates.q.val() {
        if self.late_at.q.val() == 0 {
            self.its_domain.d.next = self.late.q.val().get_bits::<3>(12);
        }
        if self.late_at.q.val() == 2 {
            self.last_x.d.next = self.late.q.val() - 1;
        }
        if self.late_at.q.val() == 3 {
            self.last_y.d.next = self.late.q.val() - 1;
        }
        if self.late_at.q.val() == 12 {
            self.threads.d.next = self.late.q.val() & 0xffff;
        }
        if self.late_at.q.val() == 14 {
            self.its_number.d.next = self.late.q.val();
            self.next_number.d.next = self.late.q.val() + 1;
            self.writes.next = true;
        }
        if self.late_at.q.val() == 15 {
            self.after.next = self.late.q.val() + self.threads.q.val();
            self.ram_write_at.next = 28.into();
            self.writes.next = true;
        }
        if self.late_at.q.val() == 16 {
            self.after.next = self.late.q.val() + bit_cast::<32, 8>(self.its_warps.q.val());
            self.ram_write_at.next = 29.into();
            self.writes.next = true;
        }
        if self.late_at.q.val() == 17 {
            self.ram_write_at.next = 16.into();
            self.wraps_x.d.next = self.late.q.val() == self.last_x.q.val();
            if self.late.q.val() == self.last_x.q.val() {
                self.after.next = 0.into();
            }
            self.writes.next = true;
            if self.queue.val() {
                self.ram_write_at.next = 22.into();
                self.after.next = self.rest.val();
            }
        }
        if self.late_at.q.val() == 18 {
            self.ram_write_at.next = 17.into();
            self.wraps_y.d.next = self.wraps_x.q.val() & (self.late.q.val() == self.last_y.q.val());
            if self.late.q.val() == self.last_y.q.val() {
                self.after.next = 0.into();
            }
            self.writes.next = self.wraps_x.q.val() & !self.queue.val();
        }
        if self.late_at.q.val() == 19 {
            self.ram_write_at.next = 20.into();
            self.writes.next = self.wraps_y.q.val() & !self.queue.val();
        }
        if self.late_at.q.val() == 26 {
            // CTAs of a grid.
            self.has_left.d.next = self.next_number.q.val() != self.late.q.val();
            if self.queue.val() {
                self.has_left.d.next = self.waiting.q.val() != self.its_entries.q.val();
            }
        }
    }
    self.ram_write.next = self.writes.val();
    self.ram_write_data.next = self.after.val();

    if self.step.q.val() == 10 {
        self.cta_valid.next = self.may.val();
        if self.may.val() & self.cta_ready.val() {
            self.take.next = true;
            self.step.d.next = 11.into();
        }
    }
    if self.step.q.val() == 11 {
        if self.queue.val() {
            self.ask.next = true;
            if self.told.val() {
                self.wrong.d.next = self.told_error.val();
                self.step.d.next = 12.into();
            }
        } else if self.sought.val() {
            self.step.d.next = 12.into();
        }
    }
    if (self.step.q.val() == 12) & self.sought.val() & self.may.val() {
        self.done.next = true;
        self.step.d.next = 0.into();
    }
    if self.start.val() {
        self.step.d.next = 1.into();
        self.has_told.d.next = (self.step.q.val() == 13) & (self.index.q.val() == 26);
        self.has_started.d.next = false;
        self.wrong.d.next = false;
    }
    if self.drop.val() {
        self.step.d.next = 0.into();
        self.shows.d.next = false;
        self.lates.d.next = false;
    }
    carry!(self <- self.has_*.q: started, left);
    carry!(self <- self.*.q: error = wrong, domain_id = its_domain, number = its_number);
    carry!(self <- self.its_*.q: position, entries, warps, granules);
    if self.reset.val() {
        self.step.d.next = 0.into();
        self.shows.d.next = false;
        self.lates.d.next = false;
    }
}
