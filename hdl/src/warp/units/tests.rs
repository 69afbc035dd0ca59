use super::*;
use weft_rtl::{Bench, Rng};

/// The unit as the page describes it.
#[derive(Clone)]
struct Model {
    schedulers: usize,
    /// Of the cycle before.
    interval: [u64; 5],
    phase: u64,
    /// Index: scheduler, class; of a shared class only scheduler 0's counts.
    timer: Vec<[u64; 5]>,
    turn: [usize; 5],
}

/// Inputs of one cycle.
#[derive(Clone, Default)]
struct Cycle {
    interval: [u64; 5],
    ready: u64,
    granted: Vec<u64>,
}

impl Model {
    fn new(schedulers: usize) -> Model {
        Model {
            schedulers,
            interval: [0; 5],
            phase: 0,
            timer: vec![[0; 5]; schedulers],
            turn: from_fn(|class| class % schedulers),
        }
    }

    /// Whose timer it is.
    fn unit(&self, s: usize, class: usize) -> usize {
        if class < OWN {
            s
        } else {
            0
        }
    }

    fn offered(&self, s: usize, class: usize) -> bool {
        let time = self.interval[class] <= 1 || self.phase == 0;
        self.timer[self.unit(s, class)][class] == 0 && time
    }

    /// What may go as a second one.
    fn free(&self, c: &Cycle) -> Vec<u64> {
        self.open(c, 2)
    }

    /// What may be granted.
    fn grantable(&self, c: &Cycle) -> Vec<u64> {
        self.open(c, 0)
    }

    /// With the turns of so many cycles before.
    fn open(&self, c: &Cycle, before: usize) -> Vec<u64> {
        let is_free = |s: usize, class: &usize| {
            let turn = *class < OWN || self.turn[*class] == (s + before) % self.schedulers;
            turn && self.offered(s, *class) && c.ready >> class & 1 == 1
        };
        let of = |s| {
            (0..5)
                .filter(|class| is_free(s, class))
                .fold(0, |f, class| f | 1 << class)
        };
        (0..self.schedulers).map(of).collect()
    }

    fn step(&mut self, c: &Cycle) {
        for class in 0..5 {
            if self.offered(0, class) {
                self.turn[class] = (self.turn[class] + 1) % self.schedulers;
            }
            let any = c.granted.iter().fold(0, |any, granted| any | granted);
            for s in 0..self.schedulers {
                let granted = if class < OWN { c.granted[s] } else { any };
                let timer = &mut self.timer[s][class];
                *timer = match granted >> class & 1 {
                    1 => c.interval[class].next_multiple_of(2).saturating_sub(2),
                    _ => timer.saturating_sub(1),
                };
            }
        }
        self.phase = 1 - self.phase;
        self.interval = c.interval;
    }
}

/// Schedulers that grant much of what is free.
struct Schedulers {
    model: Model,
    cycle: Cycle,
    granted: Vec<u64>,
    /// Quiet cycles before the configuration changes.
    quiet: u64,
}

impl Schedulers {
    fn new(schedulers: usize) -> Schedulers {
        Schedulers {
            model: Model::new(schedulers),
            cycle: Cycle::default(),
            granted: vec![0; schedulers],
            quiet: 0,
        }
    }

    fn reset(&mut self) {
        self.model = Model::new(self.granted.len());
        self.granted.fill(0);
    }

    /// Inputs of the next cycle.
    fn next(&mut self, rng: &mut Rng, t: usize) -> Cycle {
        if rng.chance(1, 150) {
            self.quiet = 20;
        }
        if t < 2 || self.quiet == 1 {
            self.cycle.interval = from_fn(|_| if rng.flip() { 1 } else { rng.below(16) });
        }
        let change = self.quiet > 0;
        self.quiet = self.quiet.saturating_sub(1);
        self.cycle.ready = if rng.chance(1, 4) { rng.below(32) } else { 31 };
        self.cycle.granted = self.granted.clone();
        for (granted, free) in self
            .granted
            .iter_mut()
            .zip(self.model.grantable(&self.cycle))
        {
            let class = rng.below(5);
            *granted = if change { 0 } else { free & 1 << class };
        }
        self.cycle.clone()
    }
}

fn apply<const S: usize>(u: &mut Units<S>, c: &Cycle) {
    let interval = (0..5).fold(0, |all, class| all | c.interval[class] << (4 * class));
    u.cfg_interval.next = interval.into();
    u.unit_ready.next = c.ready.into();
    for (port, &granted) in u.granted.iter_mut().zip(&c.granted) {
        port.next = granted.into();
    }
}

fn agrees<const S: usize>(name: &str) {
    let mut schedulers = Schedulers::new(S);
    weft_rtl::check_module(
        name,
        Units::<S>::default,
        3000,
        |u, rng, t| {
            if t < 2 {
                schedulers.reset();
            }
            let cycle = schedulers.next(rng, t);
            apply(u, &cycle);
            u.reset.next = t < 2;
            schedulers.model.step(&cycle);
        },
        Some(|u, level| u.clock.next = level.into()),
    )
    .unwrap();
}

#[test]
fn verilog_agrees() {
    agrees::<1>("weft_units");
    agrees::<2>("weft_units_two");
    agrees::<4>("weft_units_four");
}

fn values(ports: &[Signal<Out, Bits<5>>]) -> Vec<u64> {
    ports.iter().map(|port| port.val().to_u64()).collect()
}

fn follows<const S: usize>() {
    let mut b = Bench::new(Units::<S>::default(), |u, level| {
        u.clock.next = level.into()
    });
    let mut rng = Rng::new(1, "units");
    let mut schedulers = Schedulers::new(S);
    // Cycle of the last instruction: class, unit of it.
    let mut last = [[None::<u64>; 4]; 5];
    let (mut slow, mut odd, mut several, mut stopped) = (0, 0, 0, 0);
    for t in 0..crate::stimulus::given("CYCLES", 12_000) {
        let reset = t < 2 || rng.chance(1, 4000);
        let cycle = schedulers.next(&mut rng, t as usize);
        apply(&mut b.uut, &cycle);
        b.uut.reset.next = reset;
        b.settle();
        if t >= 2 {
            let free = schedulers.model.free(&cycle);
            assert_eq!(values(&b.uut.free), free, "cycle {t}");
            if !reset {
                let mut next = schedulers.model.clone();
                next.step(&cycle);
                assert_eq!(values(&b.uut.ahead), next.grantable(&cycle), "cycle {t}");
            }
            for class in 0..5 {
                let interval = cycle.interval[class];
                assert_eq!(b.uut.slow.val().get_bit(class), interval > 1, "cycle {t}");
                let granted: Vec<_> = (0..S)
                    .filter(|&s| cycle.granted[s] >> class & 1 == 1)
                    .collect();
                assert!(granted.len() < 2 || class < OWN, "cycle {t}");
                several += usize::from(granted.len() > 1);
                for s in granted {
                    let last = &mut last[class][schedulers.model.unit(s, class)];
                    let apart = t - last.unwrap_or(0);
                    assert!(last.is_none() || apart >= interval, "cycle {t}");
                    slow += usize::from(apart == interval && interval > 1);
                    odd += usize::from(apart == interval + 1 && interval > 1);
                    *last = Some(t);
                }
                stopped += usize::from(cycle.ready >> class & 1 == 0);
            }
        }
        if reset {
            schedulers.reset();
            last = Default::default();
        } else {
            schedulers.model.step(&cycle);
        }
        b.edge();
    }
    println!("{S}: slow {slow}, odd {odd}, several {several}, stopped {stopped}");
    assert!(slow > 100 && odd > 100 && stopped > 100 && (several > 100) == (S > 1));
}

/// Functional units, as on the page, over random grants and configurations.
#[test]
fn they_follow_the_specification() {
    follows::<1>();
    follows::<2>();
    follows::<4>();
}

/// A scheduler that takes a class whenever it can does not keep it from the others, whatever the interval is.
fn all_get_the_same<const S: usize>() {
    for interval in 0..16u64 {
        let mut b = Bench::new(Units::<S>::default(), |u, level| {
            u.clock.next = level.into()
        });
        let all = (0..5).fold(0, |all, class| all | interval << (4 * class));
        b.uut.cfg_interval.next = all.into();
        b.uut.unit_ready.next = 31.into();
        let mut got = vec![[0u64; 5]; S];
        let mut before = vec![0; S];
        for t in 0..600 {
            b.uut.reset.next = t < 2;
            b.settle();
            let ahead = values(&b.uut.ahead);
            b.edge();
            for s in 0..S {
                // What was free is granted, and reported in the next cycle.
                let granted = if t < 3 { 0 } else { before[s] };
                b.uut.granted[s].next = granted.into();
                (0..5).for_each(|class| got[s][class] += granted >> class & 1);
            }
            before = ahead;
        }
        for class in 0..5 {
            let of: Vec<u64> = got.iter().map(|got| got[class]).collect();
            let (least, most) = (of.iter().min().unwrap(), of.iter().max().unwrap());
            let share = if class < OWN { 1 } else { S as u64 };
            let due = 595 / (share * interval.next_multiple_of(2).max(1)) - 1;
            assert!(most - least <= 1 && *least >= due, "{interval}: {got:?}");
        }
    }
}

#[test]
fn those_that_poll_get_the_same() {
    all_get_the_same::<2>();
    all_get_the_same::<4>();
}
