//! Random surroundings of the scheduler, within what docs/spec/scheduler.md allows.

use super::code::{decode, Code, Style, PC_MASK};
use super::device::Size;
use crate::seed::{stream, Rng};
use rand::Rng as _;
use weft_sim::issue::{Inputs, Outputs, UnitInputs, Units, STOP_TO_START};

/// Cycles without a running warp after which no line of a stopped warp is asked for any more.
const QUIET: u64 = 8;

/// How often things happen, chances out of 1024, for some hundred cycles.
#[derive(Clone, Debug)]
struct Mood {
    policy: u8,
    policy_change: u32,
    /// Cycles from a request to its line.
    line: (u64, u64),
    /// That a line that is due comes in this cycle.
    line_comes: u32,
    fetch_ready: u32,
    unit: UnitMood,
    slow: u8,
    /// That a warp is held from now on, or not any more.
    barrier: (u32, u32),
    /// Cycles from an instruction at `issue_*` to its `done`.
    done: [(u64, u64); 5],
    done_comes: u32,
    /// Cycles from a control operation at `issue_*` to its start.
    control: (u64, u64),
    /// That a start is predicted, and that what was predicted comes true as soon as it may.
    predict: u32,
    prompt: u32,
    exit: u32,
    exception: u32,
    launch: u32,
    level: u32,
    levels: u8,
    /// Weights of the places where a warp goes on.
    targets: [u32; 8],
    hold: u32,
    clear: u32,
    /// All warps are stopped, then the instruction memory changes.
    flush: bool,
}

#[derive(Clone, Debug)]
enum UnitMood {
    All,
    /// Of each class.
    Random([u32; 5]),
    Units(UnitInputs),
    /// All of them or none, for so many cycles each.
    Bursts(u64),
}

impl Mood {
    fn draw(rng: &mut Rng, level_bits: u32) -> Mood {
        let mut of = |list: &[u32]| list[rng.gen_range(0..list.len())];
        let line = [(1, 1), (1, 4), (1, 20), (5, 60), (20, 200), (1, 200)]
            [of(&[0, 1, 2, 3, 4, 5]) as usize];
        let spans = [(0, 0), (0, 3), (1, 8), (4, 30), (20, 120), (0, 60)];
        let quick = of(&[0, 0, 1, 1, 2]) as usize;
        let load = of(&[1, 2, 3, 4, 5]) as usize;
        let control = [(0, 0), (0, 3), (3, 12), (0, 60)][of(&[0, 1, 1, 2, 2, 3]) as usize];
        let busy = of(&[512, 850, 1000]);
        let targets = std::array::from_fn(|_| of(&[0, 1, 1, 4, 16]));
        let mut mood = Mood {
            policy: of(&[0, 0, 1, 2, 2, 3]) as u8,
            policy_change: of(&[0, 0, 0, 2, 64]),
            line,
            line_comes: of(&[1024, 1024, 700, 200]),
            fetch_ready: of(&[1024, 1024, 900, 500, 100]),
            unit: match of(&[0, 1, 1, 2, 2, 3]) {
                0 => UnitMood::All,
                1 => UnitMood::Random(std::array::from_fn(|_| of(&[busy, 1024, 512, 100]))),
                2 => UnitMood::Units(UnitInputs::default()),
                _ => UnitMood::Bursts(of(&[4, 20, 100]).into()),
            },
            slow: of(&[0, 0, 4, 31, 10]) as u8,
            barrier: (of(&[0, 0, 4, 40]), of(&[4, 40, 400])),
            done: [
                spans[quick],
                spans[quick + 1],
                spans[load],
                spans[load],
                spans[2],
            ],
            done_comes: of(&[1024, 1024, 800, 300]),
            control,
            predict: of(&[0, 300, 1024]),
            prompt: of(&[100, 700, 1024]),
            exit: of(&[0, 20, 100, 300]),
            exception: of(&[0, 1, 4, 30]),
            launch: of(&[1024, 300, 60]),
            level: of(&[0, 2, 20, 200]),
            levels: of(&[1, 2, 4, 1 << level_bits]) as u8,
            targets,
            hold: of(&[0, 0, 2]),
            clear: of(&[0, 0, 0, 0, 0, 1]),
            flush: of(&[0, 0, 1]) == 1,
        };
        if let UnitMood::Units(units) = &mut mood.unit {
            for class in 0..5 {
                units.cfg_interval |= [1, 0, 2, 4, 7, 15][rng.gen_range(0..6)] << (4 * class);
            }
            units.unit_ready = 31;
        }
        mood
    }
}

fn draw_style(rng: &mut Rng) -> Style {
    let mut of = |list: &[u32]| list[rng.gen_range(0..list.len())];
    Style {
        control: of(&[0, 10, 60, 150, 400]),
        drain: of(&[0, 8, 60, 200]),
        used: of(&[0, 200, 600, 900]),
        registers: of(&[1, 4, 12, 32, 32]),
        classes: [
            of(&[1, 6]),
            of(&[1, 3]),
            of(&[1, 4]),
            of(&[0, 1]),
            of(&[0, 1]),
        ],
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    /// Not before this cycle may it start.
    Idle(u64),
    #[default]
    Runs,
    /// The answer to its control operation is due.
    Answer(u64),
    /// It is due, and was predicted.
    Predicted(u64),
}

#[derive(Clone, Copy, Debug)]
struct Warp {
    state: State,
    /// Of its last instruction.
    pc: u32,
}

impl Warp {
    /// The answer to its control operation may come.
    fn is_due(&self, now: u64) -> bool {
        matches!(self.state, State::Answer(due) | State::Predicted(due) if due <= now)
    }
}

struct Dice {
    mood: Rng,
    line: Rng,
    unit: Rng,
    barrier: Rng,
    done: Rng,
    control: Rng,
    predict: Rng,
    launch: Rng,
    stop: Rng,
    level: Rng,
    config: Rng,
    counter: Rng,
}

pub struct World {
    size: Size,
    dice: Dice,
    now: u64,
    mood: Mood,
    mood_ends: u64,
    reset_ends: u64,
    pub code: Code,
    policy: u8,
    /// A policy that is to be chosen as soon as no warp runs.
    wish: Option<u8>,
    /// No warp starts before.
    rest_ends: u64,
    warps: Vec<Warp>,
    /// The predictions of the two cycles before, the last one first.
    predicted: [Option<(usize, u32)>; 2],
    /// Lines on their way: due, warp, line.
    lines: Vec<(u64, u8, u32)>,
    /// Instructions of even and of odd warps that are not done: due, warp, rd.
    undone: [Vec<(u64, u8, Option<u8>)>; 2],
    /// The words of the cycle before.
    words: [u32; 2],
    units: Units,
    hold: bool,
    /// `unit_ahead` of the cycle before.
    ahead: u8,
    /// Warps that wait at a barrier.
    held: u64,
    /// Cycles in which no warp has run, no line was asked for and none is on its way.
    quiet: u64,
    /// Next counter of the final reading.
    sweep: Option<u32>,
}

fn chance(rng: &mut Rng, of: u32) -> bool {
    match of {
        0 => false,
        1024.. => true,
        _ => rng.gen::<u32>() & 1023 < of,
    }
}

fn between(rng: &mut Rng, (least, most): (u64, u64)) -> u64 {
    match most > least {
        true => rng.gen_range(least..=most),
        false => least,
    }
}

/// Any of those that are due, the search beginning at a random one.
fn any_due<T>(list: &[T], rng: &mut Rng, due: impl Fn(&T) -> bool) -> Option<usize> {
    let count = list.len();
    if count == 0 {
        return None;
    }
    let from = rng.gen_range(0..count);
    (from..count).chain(0..from).find(|&n| due(&list[n]))
}

impl World {
    pub fn new(size: Size, seed: u64) -> World {
        let dice = Dice {
            mood: stream(seed, "mood"),
            line: stream(seed, "line"),
            unit: stream(seed, "unit"),
            barrier: stream(seed, "barrier"),
            done: stream(seed, "done"),
            control: stream(seed, "control"),
            predict: stream(seed, "predict"),
            launch: stream(seed, "launch"),
            stop: stream(seed, "stop"),
            level: stream(seed, "level"),
            config: stream(seed, "config"),
            counter: stream(seed, "counter"),
        };
        let mut rng = stream(seed, "code");
        let code = Code {
            seed: rng.gen(),
            style: draw_style(&mut rng),
        };
        let mut world = World {
            size,
            dice,
            now: 0,
            mood: Mood::draw(&mut rng, size.level_bits),
            mood_ends: 0,
            reset_ends: 0,
            code,
            policy: 0,
            wish: None,
            rest_ends: 0,
            warps: Vec::new(),
            predicted: [None; 2],
            lines: Vec::new(),
            undone: Default::default(),
            words: [0; 2],
            units: Units::new(1),
            hold: false,
            ahead: 0,
            held: 0,
            quiet: 0,
            sweep: None,
        };
        world.forget();
        world
    }

    /// After a reset.
    fn forget(&mut self) {
        let warp = Warp {
            state: State::Idle(self.now),
            pc: 0,
        };
        self.warps = vec![warp; self.size.warps];
        self.predicted = [None; 2];
        self.lines.clear();
        self.undone = Default::default();
        self.quiet = 0;
    }

    fn draw_mood(&mut self) {
        let flush = self.mood.flush;
        self.mood = Mood::draw(&mut self.dice.mood, self.size.level_bits);
        // A flush that did not come to pass stays to be done.
        self.mood.flush |= flush && self.now > 0;
        self.wish = None;
        // To and from loose round robin only under reset, or while no warp runs.
        let crosses = (self.mood.policy == 1) != (self.policy == 1);
        if !crosses {
            self.policy = self.mood.policy;
        } else if self.now == 0 || self.sweep.is_none() && self.dice.mood.gen() {
            self.policy = self.mood.policy;
            self.reset_ends = self.now + self.reset_length();
        } else {
            self.wish = Some(self.mood.policy);
        }
        self.mood_ends = self.now + self.dice.mood.gen_range(200..1500);
    }

    fn reset_length(&self) -> u64 {
        (self.size.warps as u64 / 2).max(2)
    }

    /// From now on: counters on hold and read one after the other, from `first` on.
    pub fn read_counters(&mut self, first: u32) {
        self.hold = true;
        self.sweep = Some(first);
    }

    /// The inputs of this cycle, and the next cycle.
    pub fn inputs(&mut self, o: &Outputs) -> Inputs {
        if self.now >= self.mood_ends {
            self.draw_mood();
        }
        let mut i = Inputs {
            decode0: decode(self.words[0]),
            decode1: decode(self.words[1]),
            ..Inputs::default()
        };
        self.words = [o.decode_word0, o.decode_word1];
        // Mostly only at the beginning.
        let ends = self.now + 1 == self.mood_ends && self.sweep.is_none();
        if self.now == 0 || ends && chance(&mut self.dice.config, 30) {
            self.reset_ends = self.now + self.reset_length();
        }
        i.reset = self.now < self.reset_ends;
        self.config(&mut i);
        self.unit_free(&mut i, o);
        self.barrier(&mut i);
        self.line(&mut i, o);
        self.issued(o);
        self.done(&mut i);
        self.stop(&mut i);
        let due = self.predict(&mut i);
        self.start(&mut i, due);
        self.level(&mut i, o);
        self.flush(&mut i, o);
        self.counters(&mut i);
        if i.reset {
            self.forget();
            self.units = Units::new(1);
        }
        self.now += 1;
        i
    }

    fn config(&mut self, i: &mut Inputs) {
        if self.policy != 1 && chance(&mut self.dice.config, self.mood.policy_change) {
            self.policy = [0, 2, 3][self.dice.config.gen_range(0..3)];
        }
        i.cfg_policy = self.policy;
    }

    fn unit_free(&mut self, i: &mut Inputs, o: &Outputs) {
        let rng = &mut self.dice.unit;
        i.cfg_slow = self.mood.slow;
        let burst = |now: u64, length: u64| match now / length % 2 {
            0 => 31,
            _ => 0,
        };
        (i.unit_free, i.unit_ahead) = match &self.mood.unit {
            UnitMood::All => (31, 31),
            // What was said of this cycle comes true, mostly.
            UnitMood::Random(chances) => {
                let mut draw = || {
                    (0..5).fold(0, |bits, class| {
                        bits | u8::from(chance(rng, chances[class])) << class
                    })
                };
                let (ahead, other) = (draw(), draw());
                let free = match self.dice.unit.gen_range(0..4) {
                    0 => other,
                    _ => self.ahead,
                };
                (free, ahead)
            }
            &UnitMood::Bursts(length) => (burst(self.now, length), burst(self.now + 1, length)),
            UnitMood::Units(settings) => {
                let mut settings = *settings;
                settings.granted[0] = o.granted_class;
                let outputs = self.units.outputs(&settings);
                self.units.step(&settings);
                i.cfg_slow = outputs.slow;
                (outputs.free[0], outputs.ahead[0])
            }
        };
        self.ahead = i.unit_ahead;
    }

    fn barrier(&mut self, i: &mut Inputs) {
        let (held, released) = self.mood.barrier;
        for warp in 0..self.size.warps {
            let now = self.held >> warp & 1;
            if chance(&mut self.dice.barrier, [held, released][now as usize]) {
                self.held ^= 1 << warp;
            }
        }
        i.hold = self.held;
    }

    fn line(&mut self, i: &mut Inputs, o: &Outputs) {
        let rng = &mut self.dice.line;
        i.fetch_ready = chance(rng, self.mood.fetch_ready);
        i.line_warp = rng.gen_range(0..self.size.warps) as u8;
        if chance(rng, self.mood.line_comes) {
            if let Some(at) = any_due(&self.lines, rng, |l| l.0 <= self.now) {
                let (_, warp, line) = self.lines.swap_remove(at);
                i.line_valid = true;
                i.line_warp = warp;
                i.line_slot = (line & 1) as u8;
                i.line_data = self.code.line(line);
            }
        }
        if o.fetch_valid && i.fetch_ready {
            let due = self.now + between(rng, self.mood.line).max(1);
            self.lines.push((due, o.fetch_warp, o.fetch_line));
        }
    }

    /// What comes out of the scheduler.
    fn issued(&mut self, o: &Outputs) {
        if !o.issue_valid {
            return;
        }
        let number = usize::from(o.issue_warp) % self.size.warps;
        let second = o.second_valid.then_some(o.second_decoded);
        let mut control = false;
        for decoded in [Some(o.issue_decoded), second].into_iter().flatten() {
            let span = self.mood.done[usize::from(decoded.class).min(4)];
            let due = self.now + between(&mut self.dice.done, span);
            self.undone[number & 1].push((due, number as u8, decoded.rd));
            control |= decoded.control;
        }
        let warp = &mut self.warps[number];
        warp.pc = (o.issue_pc + u32::from(o.second_valid)) & PC_MASK;
        if control && warp.state == State::Runs {
            warp.state =
                State::Answer(self.now + between(&mut self.dice.control, self.mood.control));
        }
    }

    fn done(&mut self, i: &mut Inputs) {
        for parity in 0..2 {
            let (rng, list) = (&mut self.dice.done, &mut self.undone[parity]);
            let mut done = (
                false,
                (rng.gen_range(0..self.size.warps) & !1 | parity) as u8,
                None,
            );
            if chance(rng, self.mood.done_comes) {
                if let Some(at) = any_due(list, rng, |d| d.0 <= self.now) {
                    let (_, warp, rd) = list.swap_remove(at);
                    done = (true, warp, rd);
                }
            }
            match parity {
                0 => (i.done0_valid, i.done0_warp, i.done0_rd) = done,
                _ => (i.done1_valid, i.done1_warp, i.done1_rd) = done,
            }
        }
    }

    fn wants_flush(&self) -> bool {
        self.mood.flush && self.sweep.is_none()
    }

    /// No warp is to run.
    fn wants_quiet(&self) -> bool {
        self.wants_flush() || self.wish.is_some() && self.sweep.is_none()
    }

    /// The end of a warp at a control operation, or an exception at any time.
    fn stop(&mut self, i: &mut Inputs) {
        let wants_quiet = self.wants_quiet();
        let rng = &mut self.dice.stop;
        i.stop_warp = rng.gen_range(0..self.size.warps) as u8;
        let answered = |w: &Warp| w.is_due(self.now);
        let found = if wants_quiet || chance(rng, self.mood.exception) {
            any_due(&self.warps, rng, |w| !matches!(w.state, State::Idle(_)))
        } else if chance(rng, self.mood.exit) {
            any_due(&self.warps, rng, answered)
        } else {
            None
        };
        if let Some(number) = found {
            i.stop_valid = true;
            i.stop_warp = number as u8;
            self.warps[number].state = State::Idle(self.now + STOP_TO_START);
        }
    }

    /// A warp that waits will go on there, two cycles later at the earliest. Gives what may come true in this cycle.
    fn predict(&mut self, i: &mut Inputs) -> Option<(usize, u32)> {
        let rng = &mut self.dice.predict;
        i.predict_warp = rng.gen_range(0..self.size.warps) as u8;
        i.predict_pc = rng.gen::<u32>() & PC_MASK;
        let waits = |w: &Warp| matches!(w.state, State::Answer(_));
        let found = match chance(rng, self.mood.predict) {
            true => any_due(&self.warps, rng, waits),
            false => None,
        };
        let said = found.map(|number| {
            let warp = &mut self.warps[number];
            i.predict_valid = true;
            i.predict_warp = number as u8;
            i.predict_pc = target(rng, &self.mood.targets, warp.pc);
            if let State::Answer(due) = warp.state {
                warp.state = State::Predicted(due.max(self.now + 2));
            }
            (number, i.predict_pc)
        });
        let [before, due] = self.predicted;
        self.predicted = [said, before];
        let prompt = chance(&mut self.dice.predict, self.mood.prompt);
        due.filter(|&(number, _)| prompt && self.warps[number].is_due(self.now))
    }

    fn start(&mut self, i: &mut Inputs, predicted: Option<(usize, u32)>) {
        let may_launch = !self.wants_quiet() && self.rest_ends <= self.now;
        let answer = any_due(&self.warps, &mut self.dice.control, |w| w.is_due(self.now));
        let rng = &mut self.dice.launch;
        let idle = match chance(rng, self.mood.launch) && may_launch {
            true => any_due(
                &self.warps,
                rng,
                |w| matches!(w.state, State::Idle(from) if from <= self.now),
            ),
            false => None,
        };
        let number = match (answer, idle) {
            (Some(_), Some(idle)) if rng.gen() => Some(idle),
            (Some(answer), _) => Some(answer),
            (None, idle) => idle,
        };
        let number = predicted.map(|(number, _)| number).or(number);
        i.start_warp = rng.gen_range(0..self.size.warps) as u8;
        i.start_mask = rng.gen::<u64>() & self.size.full();
        i.start_launch = rng.gen();
        let Some(number) = number else {
            i.start_pc = rng.gen::<u32>() & PC_MASK;
            return;
        };
        let warp = &self.warps[number];
        i.start_valid = true;
        i.start_warp = number as u8;
        i.start_launch = matches!(warp.state, State::Idle(_)) && rng.gen_range(0..16) != 0;
        if rng.gen() {
            i.start_mask = self.size.full();
        }
        i.start_pc = target(rng, &self.mood.targets, warp.pc);
        if let Some((_, pc)) = predicted.filter(|_| rng.gen_range(0..8) != 0) {
            i.start_pc = pc;
        }
        self.warps[number] = Warp {
            state: State::Runs,
            pc: i.start_pc,
        };
    }

    fn level(&mut self, i: &mut Inputs, o: &Outputs) {
        let rng = &mut self.dice.level;
        i.level_valid = chance(rng, self.mood.level);
        // Often a warp that is about to be touched anyway.
        i.level_warp = match rng.gen_range(0..4) {
            0 if i.start_valid => i.start_warp,
            1 if o.issue_valid => o.issue_warp,
            _ => rng.gen_range(0..self.size.warps) as u8,
        };
        i.level_value = rng.gen_range(0..self.mood.levels);
    }

    fn flush(&mut self, i: &mut Inputs, o: &Outputs) {
        let runs = o.status_running != 0;
        let empty = !runs && self.lines.is_empty() && !o.fetch_valid && !i.line_valid;
        self.quiet = if empty { self.quiet + 1 } else { 0 };
        if self.wants_flush() && self.quiet > QUIET {
            i.flush = true;
            self.mood.flush = false;
            let rng = &mut self.dice.mood;
            self.code = Code {
                seed: rng.gen(),
                style: draw_style(rng),
            };
        }
        if self.quiet > QUIET && self.sweep.is_none() {
            if let Some(policy) = self.wish.take() {
                // From the next cycle on.
                self.policy = policy;
                self.rest_ends = self.now + 2 + self.size.warps as u64;
            }
        }
    }

    fn counters(&mut self, i: &mut Inputs) {
        let rng = &mut self.dice.counter;
        if let Some(next) = self.sweep {
            i.counter_hold = true;
            i.counter_select = next & (((self.size.warps as u32) << 4) - 1);
            self.sweep = Some(next.wrapping_add(1));
            return;
        }
        let turn = if self.hold { 40 } else { self.mood.hold };
        if chance(rng, turn) {
            self.hold = !self.hold;
        }
        i.counter_hold = self.hold;
        i.counter_clear = chance(rng, self.mood.clear);
        i.counter_select = rng.gen_range(0..(self.size.warps as u32) << 4);
    }
}

/// Where a warp goes on that stood at `pc`.
fn target(rng: &mut Rng, weights: &[u32; 8], pc: u32) -> u32 {
    let total: u32 = weights.iter().sum();
    let mut pick = match total {
        0 => 0,
        _ => rng.gen_range(0..total),
    };
    let mut kind = 0;
    for (number, &weight) in weights.iter().enumerate() {
        if pick < weight {
            kind = number;
            break;
        }
        pick -= weight;
    }
    let target = match kind {
        // A small loop.
        0 => pc.wrapping_sub(rng.gen_range(0..24)),
        1 => pc.wrapping_add(1),
        // The end of a line near by.
        2 => (pc & !15)
            .wrapping_add(16 * rng.gen_range(0..3))
            .wrapping_sub(rng.gen_range(1..4)),
        // The end of the address space.
        3 => PC_MASK.wrapping_sub(rng.gen_range(0..20)),
        // One of few places, in lines that share their slots.
        4 => 0x1000 * rng.gen_range(1..4) + rng.gen_range(0..32),
        // Another line in the same slot.
        5 => pc.wrapping_add(32),
        6 => pc.wrapping_sub(32 + rng.gen_range(0..16)),
        _ => rng.gen(),
    };
    target & PC_MASK
}
