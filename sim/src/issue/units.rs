//! When the functional units may be granted: `weft_units`.
//!
//! Spec: `docs/spec/scheduler.md`, *Functional units*.

const CLASSES: usize = 5;
/// Classes that each scheduler has for itself: ALU and multiply.
const OWN: usize = 2;

/// `granted`, `free` and `ahead` have an entry per scheduler; what is not there is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UnitInputs {
    pub reset: bool,
    pub cfg_interval: u32,
    pub unit_ready: u8,
    pub granted: [u8; 4],
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UnitOutputs {
    /// What may go as a second one.
    pub free: [u8; 4],
    /// What may be granted in the next cycle, as far as is known.
    pub ahead: [u8; 4],
    pub slow: u8,
}

#[derive(Clone, Debug)]
pub struct Units {
    /// S: 1, 2 or 4.
    schedulers: usize,
    /// `cfg_interval` of the cycle before.
    intervals: u32,
    phase: u8,
    /// Per scheduler and class; of a shared class only the first counts.
    timers: [[u8; CLASSES]; 4],
    /// The scheduler that a shared class is offered to.
    turns: [usize; CLASSES],
}

fn bit(bits: u8, class: usize) -> bool {
    bits >> class & 1 == 1
}

fn set(holds: impl Fn(&usize) -> bool) -> u8 {
    let classes = (0..CLASSES).filter(holds);
    classes.fold(0, |bits, class| bits | 1 << class)
}

/// Cycles from one instruction of the class to the next, by `cfg_interval`: 1 or an even number.
fn interval_of(intervals: u32, class: usize) -> u8 {
    match (intervals >> (4 * class) & 15) as u8 {
        0 | 1 => 1,
        interval => interval.next_multiple_of(2),
    }
}

impl Units {
    pub fn new(schedulers: usize) -> Units {
        assert!(
            matches!(schedulers, 1 | 2 | 4),
            "S = {schedulers}, legal 1, 2, 4"
        );
        Units {
            schedulers,
            intervals: 0,
            phase: 0,
            timers: Default::default(),
            turns: std::array::from_fn(|class| class % schedulers),
        }
    }

    /// The unit of this class that the scheduler would use takes an instruction in this cycle.
    fn is_open(&self, scheduler: usize, class: usize) -> bool {
        let unit = if class < OWN { scheduler } else { 0 };
        self.timers[unit][class] == 0
            && (interval_of(self.intervals, class) == 1 || self.phase == 0)
    }

    /// What may be granted in this cycle, by the turns of so many cycles before.
    fn free(&self, inputs: &UnitInputs, before: usize) -> [u8; 4] {
        std::array::from_fn(|scheduler| {
            if scheduler >= self.schedulers {
                return 0;
            }
            set(|&class| {
                let turn =
                    class < OWN || self.turns[class] == (scheduler + before) % self.schedulers;
                turn && bit(inputs.unit_ready, class) && self.is_open(scheduler, class)
            })
        })
    }

    /// `slow` depends on the configuration of the same cycle, `free` on `unit_ready`, `ahead` on all inputs.
    pub fn outputs(&self, inputs: &UnitInputs) -> UnitOutputs {
        let mut next = self.clone();
        next.step(inputs);
        UnitOutputs {
            // Its first one was granted two cycles before.
            free: self.free(inputs, 2),
            ahead: next.free(inputs, 0),
            slow: set(|&class| interval_of(inputs.cfg_interval, class) > 1),
        }
    }

    pub fn step(&mut self, inputs: &UnitInputs) {
        if inputs.reset {
            *self = Units::new(self.schedulers);
            return;
        }
        // After every offer it is the next one's turn.
        for class in OWN..CLASSES {
            if self.is_open(0, class) {
                self.turns[class] = (self.turns[class] + 1) % self.schedulers;
            }
        }
        self.phase = 1 - self.phase;
        self.intervals = inputs.cfg_interval;
        let any = inputs.granted.iter().fold(0, |any, granted| any | granted);
        for scheduler in 0..self.schedulers {
            for class in 0..CLASSES {
                let granted = if class < OWN {
                    inputs.granted[scheduler]
                } else {
                    any
                };
                let timer = &mut self.timers[scheduler][class];
                // Interval 1 has no − 2: the timer of a fast class stays 0.
                *timer = if bit(granted, class) {
                    interval_of(inputs.cfg_interval, class).saturating_sub(2)
                } else {
                    timer.saturating_sub(1)
                };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ALU fast, multiply 2, load/store 3 (= 4), special 15 (= 16), barrier fast.
    fn inputs() -> UnitInputs {
        UnitInputs {
            cfg_interval: 0x0_f320,
            unit_ready: 0x1f,
            ..Default::default()
        }
    }

    /// What may be granted to all schedulers in the coming cycles, with what was granted in the cycle before the first.
    fn frees(units: &mut Units, granted: [u8; 4], cycles: usize) -> Vec<[u8; 4]> {
        let mut granted = Some(granted);
        (0..cycles)
            .map(|_| {
                let now = UnitInputs {
                    granted: granted.take().unwrap_or_default(),
                    ..inputs()
                };
                let out = units.outputs(&now);
                assert_eq!(out.slow, 0b01110);
                let free = units.free(&now, 0);
                units.step(&now);
                free
            })
            .collect()
    }

    #[test]
    fn slow_classes_of_one_scheduler_are_granted_in_even_cycles_as_often_as_their_interval_says() {
        let mut units = Units::new(1);
        let fast = 0b10001;
        units.step(&inputs());
        // Granted in the even cycle before this one. The interval counts from grant to grant.
        let found = frees(&mut units, [0b01110, 0, 0, 0], 18);
        for (after, free) in (1..).zip(&found) {
            let want = match after {
                _ if after % 2 == 1 => fast,
                2 => 0b10011,
                4..=14 => 0b10111,
                _ => 0b11111,
            };
            assert_eq!(free, &[want, 0, 0, 0], "{after} cycles after the grant");
        }
    }

    #[test]
    fn own_classes_are_free_for_all_and_shared_ones_for_one_after_the_other() {
        let found = frees(&mut Units::new(4), [0; 4], 8);
        // Load/store and special in every second cycle, from scheduler 2 and 3 on;
        // the barrier class in every cycle, from scheduler 0 on.
        for (cycle, free) in found.iter().enumerate() {
            let even = cycle % 2 == 0;
            for (scheduler, &free) in free.iter().enumerate() {
                assert_eq!(free & 0b00011, if even { 0b11 } else { 0b01 }, "{cycle}");
                let offers =
                    |first: usize, cycles: usize| (first + cycle / cycles) % 4 == scheduler;
                assert_eq!(bit(free, 2), even && offers(2, 2), "{cycle}, {scheduler}");
                assert_eq!(bit(free, 3), even && offers(3, 2), "{cycle}, {scheduler}");
                assert_eq!(bit(free, 4), offers(0, 1), "{cycle}, {scheduler}");
            }
        }
    }

    #[test]
    fn after_a_grant_the_next_ones_turn_comes_first() {
        let mut units = Units::new(2);
        // Load/store is offered to scheduler 0 first, in an even cycle; it takes it.
        units.step(&inputs());
        let found = frees(&mut units, [0b00100, 0, 0, 0], 5);
        let loads: Vec<_> = found.iter().map(|free| free.map(|f| bit(f, 2))).collect();
        // Busy for four cycles. Then it is scheduler 1's turn, and not before the next even cycle that of 0.
        let none = [false; 4];
        assert_eq!(loads, [none, none, none, [false, true, false, false], none]);
        assert!(bit(frees(&mut units, [0; 4], 1)[0][0], 2));
    }

    #[test]
    fn ahead_is_what_is_free_in_the_next_cycle() {
        for schedulers in [1, 2, 4] {
            let mut units = Units::new(schedulers);
            let mut last = [0; 4];
            for t in 0..400 {
                let mut now = inputs();
                // What was free before is granted, a class at a time.
                now.granted = std::array::from_fn(|s| last[s] & 1 << ((t + s) % 5));
                let out = units.outputs(&now);
                units.step(&now);
                let free = units.free(&inputs(), 0);
                assert_eq!(out.ahead, free, "{t}");
                last = free;
            }
        }
    }

    #[test]
    fn a_shared_timer_is_loaded_by_all_an_own_one_by_its_scheduler() {
        let mut units = Units::new(2);
        // Cycle 2: multiply is free for both, and load/store for scheduler 1.
        let free = frees(&mut units, [0; 4], 3)[2];
        assert_eq!(free.map(|f| f & 0b00110), [0b00010, 0b00110, 0, 0]);
        let found = frees(&mut units, [0, 0b00100, 0, 0], 4);
        assert_eq!(found[1].map(|f| f & 0b00110), [0b00010, 0b00010, 0, 0]);
        assert_eq!(found[3].map(|f| f & 0b00100), [0b00100, 0, 0, 0]);
    }

    #[test]
    fn a_second_one_has_the_turn_of_the_grant_two_cycles_before() {
        for schedulers in [1, 2, 4] {
            let fast = UnitInputs {
                cfg_interval: 0,
                ..inputs()
            };
            let mut units = Units::new(schedulers);
            let mut granted = vec![];
            for cycle in 0..12 {
                granted.push(units.free(&fast, 0));
                let free = units.outputs(&fast).free;
                assert!(
                    cycle < 2 || free == granted[cycle - 2],
                    "{schedulers}, {cycle}"
                );
                units.step(&fast);
            }
        }
    }

    #[test]
    fn unit_ready_counts_in_the_same_cycle() {
        let units = Units::new(1);
        let out = units.outputs(&UnitInputs {
            unit_ready: 0b10110,
            ..inputs()
        });
        assert_eq!(out.free[0], 0b10110);
    }
}
