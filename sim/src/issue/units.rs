//! When the functional units may be granted: `weft_units`.
//!
//! Spec: `docs/spec/scheduler.md`, *Functional units*.

const CLASSES: usize = 5;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UnitInputs {
    pub reset: bool,
    pub cfg_interval: u32,
    pub cfg_private: u8,
    pub unit_ready: u8,
    pub granted0: u8,
    pub granted1: u8,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UnitOutputs {
    pub free0: u8,
    /// 0 with one scheduler.
    pub free1: u8,
    /// What is free in the next cycle, as far as is known.
    pub ahead0: u8,
    pub ahead1: u8,
    /// In the cycle after that, if nothing is granted in this one; by the configuration of the cycle before.
    pub two_ahead0: u8,
    pub two_ahead1: u8,
    pub slow: u8,
}

#[derive(Clone, Debug)]
pub struct Units {
    /// S, 1 or 2.
    schedulers: usize,
    phase: u8,
    /// Per scheduler and class; those of a shared class are the same.
    timers: [[u8; CLASSES]; 2],
    /// Shared slow classes whose next turn is the other scheduler's.
    swap: u8,
    /// `cfg_interval` and `cfg_private` of the cycle before.
    config: (u32, u8),
}

fn bit(bits: u8, class: usize) -> bool {
    bits >> class & 1 == 1
}

fn set(holds: impl Fn(&usize) -> bool) -> u8 {
    let classes = (0..CLASSES).filter(holds);
    classes.fold(0, |bits, class| bits | 1 << class)
}

impl UnitInputs {
    /// Cycles from one instruction of the class to the next: 1 or an even number.
    fn interval(&self, class: usize) -> u8 {
        match (self.cfg_interval >> (4 * class) & 15) as u8 {
            0 | 1 => 1,
            interval => interval.next_multiple_of(2),
        }
    }
}

impl Units {
    pub fn new(schedulers: usize) -> Units {
        assert!(
            (1..=2).contains(&schedulers),
            "S = {schedulers}, legal 1, 2"
        );
        Units {
            schedulers,
            phase: 0,
            timers: Default::default(),
            swap: 0,
            config: (0, 0),
        }
    }

    /// Of one scheduler; 0 of one that is not there.
    fn free(&self, inputs: &UnitInputs, scheduler: usize) -> u8 {
        let is_free = |&class: &usize| {
            bit(inputs.unit_ready, class)
                && self.timers[scheduler][class] == 0
                && self.is_turn(inputs, scheduler, class)
        };
        match scheduler < self.schedulers {
            true => set(is_free),
            false => 0,
        }
    }

    /// They depend on the configuration and `unit_ready` of the same cycle, `ahead0` to `two_ahead1` on all inputs, `two_ahead0` and `two_ahead1` on the
    /// configuration of the cycle before.
    pub fn outputs(&self, inputs: &UnitInputs) -> UnitOutputs {
        let mut next = self.clone();
        next.step(inputs);
        let (cfg_interval, cfg_private) = self.config;
        let before = UnitInputs {
            cfg_interval,
            cfg_private,
            ..*inputs
        };
        let mut after = self.clone();
        after.step(&before);
        // What is granted in this cycle shows in `granted0` and `granted1` in the next one.
        after.step(&UnitInputs {
            granted0: 0,
            granted1: 0,
            ..before
        });
        UnitOutputs {
            free0: self.free(inputs, 0),
            free1: self.free(inputs, 1),
            ahead0: next.free(inputs, 0),
            ahead1: next.free(inputs, 1),
            two_ahead0: after.free(&before, 0),
            two_ahead1: after.free(&before, 1),
            slow: set(|&class| inputs.interval(class) > 1),
        }
    }

    fn is_private(&self, inputs: &UnitInputs, class: usize) -> bool {
        self.schedulers == 1 || bit(inputs.cfg_private, class)
    }

    fn is_turn(&self, inputs: &UnitInputs, scheduler: usize, class: usize) -> bool {
        let slow = inputs.interval(class) > 1;
        match (self.is_private(inputs, class), slow) {
            (true, false) => true,
            (true, true) => self.phase % 2 == 0,
            // While one may add, the other may do all else.
            (false, false) => (usize::from(self.phase % 2) == scheduler) == (class == 0),
            (false, true) => {
                usize::from(self.phase) == 2 * (scheduler ^ usize::from(bit(self.swap, class)))
            }
        }
    }

    pub fn step(&mut self, inputs: &UnitInputs) {
        let config = (inputs.cfg_interval, inputs.cfg_private);
        if inputs.reset {
            *self = Units {
                config,
                ..Units::new(self.schedulers)
            };
            return;
        }
        self.config = config;
        self.phase = (self.phase + 1) % 4;
        self.swap ^= set(|&class| {
            let granted = bit(inputs.granted0 | inputs.granted1, class);
            granted && !self.is_private(inputs, class) && inputs.interval(class) % 4 == 0
        });
        for scheduler in 0..self.schedulers {
            for class in 0..CLASSES {
                let granted = match (self.is_private(inputs, class), scheduler) {
                    (true, 0) => inputs.granted0,
                    (true, _) => inputs.granted1,
                    (false, _) => inputs.granted0 | inputs.granted1,
                };
                let timer = &mut self.timers[scheduler][class];
                // Interval 1 has no − 2: the timer of a fast class stays 0.
                *timer = if bit(granted, class) {
                    inputs.interval(class).saturating_sub(2)
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
            cfg_interval: 0x1_f320,
            unit_ready: 0x1f,
            ..Default::default()
        }
    }

    /// `free` of both schedulers in the coming cycles; the classes were granted in the cycle before the first.
    fn frees(units: &mut Units, inputs: UnitInputs, cycles: usize) -> Vec<(u8, u8)> {
        let mut first = true;
        (0..cycles)
            .map(|_| {
                let mut now = inputs;
                if !std::mem::take(&mut first) {
                    (now.granted0, now.granted1) = (0, 0);
                }
                let out = units.outputs(&now);
                assert_eq!(out.slow, 0b01110);
                units.step(&now);
                (out.free0, out.free1)
            })
            .collect()
    }

    #[test]
    fn slow_classes_of_one_scheduler_are_granted_in_even_cycles_as_often_as_their_interval_says() {
        let mut units = Units::new(1);
        let all = 0b11111;
        let fast = 0b10001;
        units.step(&inputs());
        let now = UnitInputs {
            granted0: 0b01110,
            ..inputs()
        };
        // Granted in the even cycle before this one. The interval counts from grant to grant.
        let found = frees(&mut units, now, 18);
        for (after, &(free, none)) in (1..).zip(&found) {
            let want = match after {
                _ if after % 2 == 1 => fast,
                2 => 0b10011,
                4..=14 => 0b10111,
                _ => all,
            };
            assert_eq!((free, none), (want, 0), "{after} cycles after the grant");
        }
    }

    #[test]
    fn two_schedulers_take_turns_at_shared_classes() {
        let found = frees(&mut Units::new(2), inputs(), 8);
        let turns = [
            (0b01111, 0b10000),
            (0b10000, 0b00001),
            (0b00001, 0b11110),
            (0b10000, 0b00001),
        ];
        assert_eq!(found, [turns, turns].concat());
    }

    #[test]
    fn while_one_scheduler_adds_the_other_does_all_else() {
        let all_fast = UnitInputs {
            cfg_interval: 0,
            ..inputs()
        };
        let mut units = Units::new(2);
        let out = units.outputs(&all_fast);
        assert_eq!((out.free0, out.free1, out.slow), (0b00001, 0b11110, 0));
        units.step(&all_fast);
        let out = units.outputs(&all_fast);
        assert_eq!((out.free0, out.free1), (0b11110, 0b00001));
    }

    #[test]
    fn after_a_grant_the_first_turn_is_the_other_schedulers() {
        // Multiplications every second cycle, loads every fourth one: both granted in phase 0.
        let now = UnitInputs {
            cfg_interval: 0x420,
            ..inputs()
        };
        let mut units = Units::new(2);
        units.step(&now);
        let granted = UnitInputs {
            granted0: 0b00110,
            ..now
        };
        let mut free = |inputs: &UnitInputs| {
            let out = units.outputs(inputs);
            units.step(inputs);
            (out.free0 & 0b00110, out.free1 & 0b00110)
        };
        free(&granted);
        let found: Vec<_> = (2..9).map(|_| free(&now)).collect();
        let none = (0, 0);
        let want = [
            (0, 0b00010),
            none,
            (0b00010, 0b00100),
            none,
            (0b00100, 0b00010),
            none,
            (0b00010, 0b00100),
        ];
        assert_eq!(found, want);
    }

    #[test]
    fn ahead_is_what_is_free_in_the_next_cycles() {
        for schedulers in [1, 2] {
            let mut units = Units::new(schedulers);
            let mut last = None;
            for t in 0..200u32 {
                let mut now = inputs();
                // What was free before is granted, a class at a time.
                if let Some((free0, free1)) = last {
                    now.granted0 = free0 & 1 << (t % 5);
                    now.granted1 = free1 & !now.granted0 & 1 << ((t + 1) % 5);
                }
                let out = units.outputs(&now);
                units.step(&now);
                let next = units.outputs(&inputs());
                assert_eq!((out.ahead0, out.ahead1), (next.free0, next.free1), "{t}");
                let two = (out.two_ahead0, out.two_ahead1);
                assert_eq!(two, (next.ahead0, next.ahead1), "{t}");
                last = Some((out.free0, out.free1));
            }
        }
    }

    #[test]
    fn two_ahead_counts_a_grant_of_the_cycle_before_and_the_turn_of_the_second_cycle() {
        let mut units = Units::new(1);
        let fast = 0b10001;
        // Phase 0, so phase 2 ahead; then phase 1 and phase 3 ahead.
        let found: Vec<_> = (0..4)
            .map(|_| {
                let out = units.outputs(&inputs());
                units.step(&inputs());
                out.two_ahead0
            })
            .collect();
        assert_eq!(found, [31, fast, 31, fast]);
        // Phase 0: what was granted before it counts. In phase 2 the timers of intervals 2, 4, 16 are at 0, 1, 13.
        let granted = UnitInputs {
            granted0: 0b01110,
            ..inputs()
        };
        assert_eq!(units.outputs(&granted).two_ahead0, 0b10011);
        // `unit_ready` is that of the cycle itself.
        let ready = UnitInputs {
            unit_ready: 0b10110,
            ..inputs()
        };
        assert_eq!(units.outputs(&ready).two_ahead0, 0b10110);
        // The configuration is that of the cycle before: all are fast from the next cycle on.
        let all_fast = UnitInputs {
            cfg_interval: 0,
            ..inputs()
        };
        units.step(&inputs());
        let found: Vec<_> = (0..2)
            .map(|_| {
                let out = units.outputs(&all_fast);
                units.step(&all_fast);
                out.two_ahead0
            })
            .collect();
        assert_eq!(found, [fast, 31]);
    }

    #[test]
    fn a_shared_timer_is_loaded_by_either_a_private_one_by_its_scheduler() {
        // Phase 3: scheduler 1 was granted load/store in phase 2.
        for (private, want) in [(0, (0, 0)), (0b00100, (1, 0))] {
            let mut units = Units::new(2);
            let now = UnitInputs {
                cfg_private: private,
                ..inputs()
            };
            (0..3).for_each(|_| units.step(&now));
            let issue = UnitInputs {
                granted1: 0b00100,
                ..now
            };
            let found = frees(&mut units, issue, 4);
            let class2 = |(a, b): (u8, u8)| (a >> 2 & 1, b >> 2 & 1);
            // Phase 0: timer 2.
            assert_eq!(class2(found[1]), want, "private {private:b}");
            // Phase 2: timer 0; after a grant to scheduler 1 the turn of the other, and of both if private.
            assert_eq!(class2(found[3]), (1, private >> 2));
        }
    }

    #[test]
    fn unit_ready_counts_in_the_same_cycle() {
        let units = Units::new(1);
        let out = units.outputs(&UnitInputs {
            unit_ready: 0b10110,
            ..inputs()
        });
        assert_eq!(out.free0, 0b10110);
    }
}
