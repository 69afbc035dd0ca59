//! Tests of the instruction supply.

use super::*;
use std::collections::VecDeque;
use weft_rtl::{Bench, Rng};

const WARPS: usize = 8;
const RESET: usize = WARPS / 2;
type Small = Supply<8, 3, 2, 4>;

/// Instruction memory; every flush shows another one, and each warp another one behind what it forgets.
fn word(address: u32, epoch: u64) -> u32 {
    let mixed = (u64::from(address) ^ (epoch << 40)).wrapping_mul(0x9E37_79B9_7F4A_7C15_u64) >> 32;
    (mixed ^ (mixed >> 15)) as u32
}

fn is_control(word: u32) -> bool {
    word.is_multiple_of(7)
}

/// Of class 3 (SUPPLY-061).
fn is_forgetful(word: u32) -> bool {
    is_control(word) && (word >> 8).is_multiple_of(3)
}

/// What goes in during one cycle.
#[derive(Clone, Debug, Default)]
struct Inputs {
    reset: bool,
    start: Option<(usize, u32)>,
    predict: Option<(usize, u32)>,
    stop: Option<usize>,
    flush: bool,
    room: [bool; WARPS],
    ready: bool,
    /// Warp, slot, and the words.
    line: Option<(usize, usize, [u32; 16])>,
    /// The scheduler's answer; anything when nothing is pushed.
    count: u32,
    last: bool,
    forgets: bool,
}

/// How often what happened.
#[derive(Clone, Debug, Default)]
struct Seen {
    hits: u32,
    misses: u32,
    prefetches: u32,
    prefetches_over_the_end: u32,
    stuck_on_awaited: u32,
    register_busy: u32,
    freed_at_once: u32,
    other_line_came: u32,
    tails_over_the_end: u32,
    rested: u32,
    predicted_hits: u32,
    predicted_misses: u32,
    met: u32,
    started_elsewhere: u32,
    forgotten: u32,
    forgotten_while_awaited: u32,
}

/// `docs/spec/supply.md` as it is written.
#[derive(Clone, Debug)]
struct Model {
    wants: [bool; WARPS],
    passing: [bool; WARPS],
    stuck: [bool; WARPS],
    tail: [u32; WARPS],
    held: [[bool; 2]; WARPS],
    awaited: [[bool; 2]; WARPS],
    tag: [[u32; 2]; WARPS],
    /// SUPPLY-061.
    stale: [bool; WARPS],
    lost: [[bool; 2]; WARPS],
    /// Cycles in which nothing is selected yet, after a flush.
    rests: usize,
    lines: [[[u32; 16]; 2]; WARPS],
    last: usize,
    fetch: Option<(usize, u32)>,
    look: Option<usize>,
    /// The one in look was predicted, here (SUPPLY-070).
    look_at: Option<u32>,
    /// The one in words was.
    words_predicted: bool,
    /// In words after a miss.
    missed: Option<usize>,
    words: Option<(usize, u32, [u32; 2])>,
    push: Option<(usize, u32, [u32; 2])>,
    seen: Seen,
}

impl Model {
    fn new(seen: Seen) -> Self {
        Self {
            wants: Default::default(),
            passing: Default::default(),
            stuck: Default::default(),
            tail: Default::default(),
            held: Default::default(),
            awaited: Default::default(),
            tag: Default::default(),
            stale: Default::default(),
            lost: Default::default(),
            rests: 0,
            lines: Default::default(),
            last: WARPS - 1,
            fetch: None,
            look: None,
            look_at: None,
            words_predicted: false,
            missed: None,
            words: None,
            push: None,
            seen,
        }
    }

    /// SUPPLY-021.
    fn request(&mut self, w: usize, line: u32) {
        let slot = (line & 1) as usize;
        self.fetch = Some((w, line));
        self.held[w][slot] = false;
        self.awaited[w][slot] = true;
        self.lost[w][slot] = false;
        self.tag[w][slot] = line >> 1;
    }

    fn cycle(&mut self, i: &Inputs) {
        let now = self.clone();
        let has = |w: usize, line: u32| {
            let slot = (line & 1) as usize;
            now.held[w][slot] && now.tag[w][slot] == line >> 1 && !now.stale[w]
        };
        // SUPPLY-010.
        let cyclic = (1..=WARPS).map(|n| (now.last + n) % WARPS);
        let able = |w: usize| now.wants[w] && i.room[w] && !now.passing[w] && !now.stuck[w];
        self.look = cyclic.into_iter().find(|&w| now.rests == 0 && able(w));
        self.rests = now.rests.saturating_sub(1);
        self.seen.rested += u32::from(now.rests > 0 && (0..WARPS).any(able));
        if let Some(w) = self.look {
            self.passing[w] = true;
            self.last = w;
        }
        // SUPPLY-070.
        self.look_at = None;
        if let (None, Some((w, a))) = (self.look, i.predict) {
            (self.look, self.look_at) = (Some(w), Some(a));
        }
        // SUPPLY-020.
        let free = now.fetch.is_none() || i.ready;
        if i.ready {
            self.fetch = None;
        }
        if let Some(w) = now.missed {
            self.passing[w] = false;
        }
        self.missed = None;
        self.words = None;
        if let Some(w) = now.look {
            let a = now.look_at.unwrap_or(now.tail[w]);
            let line = a >> 4;
            let slot = (line & 1) as usize;
            // SUPPLY-061.
            if now.stale[w] {
                self.stale[w] = false;
                self.held[w] = Default::default();
                self.lost[w] = now.awaited[w];
                self.seen.forgotten += 1;
                self.seen.forgotten_while_awaited += u32::from(now.awaited[w].contains(&true));
            }
            self.words_predicted = now.look_at.is_some();
            if has(w, line) {
                self.seen.hits += 1;
                self.seen.predicted_hits += u32::from(now.look_at.is_some());
                let pair = (a & 14) as usize;
                let words = now.lines[w][slot];
                self.words = Some((w, a, [words[(a & 15) as usize], words[pair + 1]]));
                let next = (line + 1) % (1 << 18);
                let selected = now.look_at.is_none();
                if selected && a >> 3 & 1 == 1 && !has(w, next) && !now.awaited[w][1 - slot] && free
                {
                    self.seen.prefetches += 1;
                    self.seen.prefetches_over_the_end += u32::from(next == 0);
                    self.request(w, next);
                }
            } else if now.look_at.is_some() {
                self.seen.predicted_misses += 1;
            } else {
                self.seen.misses += 1;
                if now.awaited[w][slot] {
                    self.stuck[w] = true;
                    self.seen.stuck_on_awaited += 1;
                    self.seen.freed_at_once += u32::from(i.line.is_some_and(|l| l.0 == w));
                } else if free {
                    self.request(w, line);
                    self.stuck[w] = true;
                } else {
                    self.seen.register_busy += 1;
                }
                self.missed = Some(w);
            }
        }
        // SUPPLY-022.
        if let Some((w, slot, words)) = i.line {
            assert!(now.awaited[w][slot] && !now.held[w][slot], "protocol");
            self.held[w][slot] = !self.lost[w][slot];
            self.awaited[w][slot] = false;
            self.stuck[w] = false;
            self.lines[w][slot] = words;
            let wanted = now.tail[w] >> 4;
            self.seen.other_line_came += u32::from(
                now.stuck[w] && now.tag[w][slot] != wanted >> 1 && (wanted & 1) as usize == slot,
            );
        }
        // SUPPLY-030.
        self.push = now.words;
        // SUPPLY-070.
        let mut met = false;
        if let (true, Some((w, a, _))) = (now.words_predicted, now.words) {
            met = i.start == Some((w, a));
            self.seen.met += u32::from(met);
            let elsewhere = i.start.is_some_and(|s| s.0 == w) && !met;
            self.seen.started_elsewhere += u32::from(elsewhere);
            if !met {
                self.push = None;
            }
        }
        // SUPPLY-040.
        if let Some((w, a, _)) = now.push {
            self.tail[w] = (a + i.count) % (1 << 22);
            self.seen.tails_over_the_end += u32::from(self.tail[w] < a);
            if i.last {
                self.wants[w] = false;
                self.stale[w] |= i.forgets;
            }
            self.passing[w] = false;
        }
        // SUPPLY-060.
        if let Some((w, pc)) = i.start {
            assert!(!now.passing[w], "protocol: start of a passing warp");
            self.wants[w] = true;
            self.stuck[w] = false;
            self.tail[w] = pc;
            self.passing[w] = met;
        }
        if let Some(w) = i.stop {
            self.wants[w] = false;
        }
        if i.flush {
            self.held = Default::default();
            self.rests = WARPS / 2;
        }
        if i.reset {
            *self = Model::new(self.seen.clone());
        }
    }
}

/// What the scheduler knows of a warp: the queue holds "is `control`".
#[derive(Clone, Debug, Default)]
struct Warp {
    running: bool,
    waits: bool,
    queue: VecDeque<bool>,
    may_start: usize,
    predicted: Option<(usize, u32)>,
}

/// The model with a scheduler, an instruction memory and somebody who starts and stops.
struct Traffic {
    model: Model,
    warps: Vec<Warp>,
    /// Lines on the way: warp, line, and the memory that they are of.
    memory: Vec<(usize, u32, u64)>,
    epoch: u64,
    /// What each warp has forgotten.
    forgot: [u64; WARPS],
    flushes: u32,
    dropped: u32,
    pushed: u32,
    pairs: u32,
    /// Who runs in this cycle.
    ran: [bool; WARPS],
}

impl Traffic {
    fn new() -> Self {
        Self {
            model: Model::new(Seen::default()),
            warps: vec![Warp::default(); WARPS],
            memory: Vec::new(),
            epoch: 0,
            forgot: Default::default(),
            flushes: 0,
            dropped: 0,
            pushed: 0,
            pairs: 0,
            ran: Default::default(),
        }
    }

    /// The memory that the warp is to see.
    fn of(&self, w: usize) -> u64 {
        self.epoch + 7919 * self.forgot[w]
    }

    fn place(rng: &mut Rng) -> u32 {
        let line = match rng.below(8) {
            0 => rng.below(1 << 18),
            1 | 2 => (1 << 18) - 1 - rng.below(2),
            _ => rng.below(4),
        };
        let at = if rng.flip() {
            rng.below(16)
        } else {
            12 + rng.below(4)
        };
        (line * 16 + at) as u32
    }

    /// Drives one cycle and lets the model take it.
    fn drive(&mut self, u: &mut Small, rng: &mut Rng, t: usize) {
        // Moods: how busy memory and the units are; now and then everything is stopped, for a flush.
        let mood = t / 256;
        let draining = t % 1024 >= 960;
        let pace = [1, 4, 16][mood % 3];
        let issue = [2, 6, 16][mood / 3 % 3];
        let mut i = Inputs {
            reset: t < RESET,
            ready: rng.chance([16, 8, 2][mood / 9 % 3], 16),
            count: rng.below(4) as u32,
            last: rng.flip(),
            forgets: rng.flip(),
            ..Default::default()
        };
        for (w, warp) in self.warps.iter().enumerate() {
            i.room[w] = warp.queue.len() <= 2 && rng.chance(15, 16);
        }
        // Two cycles behind a prediction a start there, mostly.
        let due = |w: &Warp| w.predicted.is_some_and(|(cycle, _)| cycle + 2 == t);
        let any = rng.below(WARPS as u64) as usize;
        let any = self.warps.iter().position(due).unwrap_or(any);
        let warp = &self.warps[any];
        let soon = warp.predicted.is_some_and(|(cycle, _)| cycle + 1 == t);
        if !soon && t >= RESET && (warp.waits || !warp.running && t >= warp.may_start) && !draining
        {
            i.start = rng.chance(3, 4).then(|| (any, Self::place(rng)));
            let predicted = warp.predicted.filter(|_| rng.chance(7, 8));
            if let (Some(start), Some((_, pc))) = (&mut i.start, predicted) {
                start.1 = pc;
            }
        }
        let any = rng.below(WARPS as u64) as usize;
        let warp = &mut self.warps[any];
        if warp.waits && warp.predicted.is_none() && i.start.is_none_or(|s| s.0 != any) {
            // Mostly in a line that is there.
            let tail = self.model.tail[any];
            let pc = match rng.chance(3, 4) {
                true => tail & !15 | rng.below(16) as u32,
                false => Self::place(rng),
            };
            warp.predicted = Some((t, pc));
            i.predict = Some((any, pc));
        }
        let any = rng.below(WARPS as u64) as usize;
        if self.warps[any].running
            && i.start.is_none_or(|s| s.0 != any)
            && rng.chance(if draining { 16 } else { 1 }, 32)
        {
            i.stop = Some(any);
        }
        i.flush = rng.chance(1, 4)
            && self.warps.iter().all(|w| !w.running && t >= w.may_start)
            && self.model.awaited.iter().flatten().all(|&a| !a);
        if !self.memory.is_empty() && rng.chance(pace, 16) {
            let (w, line, of) = self
                .memory
                .swap_remove(rng.below(self.memory.len() as u64) as usize);
            let words = from_fn(|n| word(line * 16 + n as u32, of));
            i.line = Some((w, (line & 1) as usize, words));
        }
        if let (Some((w, line)), true) = (self.model.fetch, i.ready) {
            self.memory.push((w, line, self.of(w)));
        }
        self.ran = from_fn(|w| self.warps[w].running);
        // The answer to the push.
        let mut pushed = Vec::new();
        if let Some((w, a, words)) = self.model.push {
            if self.warps[w].running {
                let first = (a & 1) as usize;
                let of = self.of(w);
                assert_eq!(words[first], word(a, of), "not the word at {a:#x}");
                pushed.push(is_control(words[first]));
                i.forgets = is_forgetful(words[first]);
                if first == 0 && !pushed[0] {
                    assert_eq!(words[1], word(a + 1, of), "after {a:#x}");
                    pushed.push(is_control(words[1]));
                    i.forgets = is_forgetful(words[1]);
                }
                self.forgot[w] += u64::from(i.forgets);
                self.pairs += u32::from(pushed.len() == 2);
                self.pushed += 1;
            } else {
                self.dropped += 1;
            }
            i.count = pushed.len() as u32;
            i.last = pushed.contains(&true);
        }
        // The scheduler, in the order of its rules.
        for warp in &mut self.warps {
            if warp.running && !warp.queue.is_empty() && rng.chance(issue, 16) {
                warp.waits |= warp.queue.pop_front().unwrap();
            }
        }
        if let Some((w, ..)) = self.model.push {
            self.warps[w].queue.extend(&pushed);
            assert!(self.warps[w].queue.len() <= 4);
        }
        if let Some((w, _)) = i.start {
            assert!(self.warps[w].queue.is_empty());
            self.warps[w].running = true;
            self.warps[w].waits = false;
            self.warps[w].predicted = None;
        }
        if let Some(w) = i.stop {
            self.warps[w] = Warp {
                may_start: t + 4,
                ..Default::default()
            };
        }
        if i.flush {
            self.epoch += 1;
            self.flushes += 1;
        }
        Self::apply(u, rng, &i);
        self.model.cycle(&i);
    }

    fn apply(u: &mut Small, rng: &mut Rng, i: &Inputs) {
        let (start_warp, start_pc) = i.start.unwrap_or((rng.below(8) as usize, 5));
        u.reset.next = i.reset;
        let bit = |warp: usize| 1u64 << warp;
        u.start.next = i.start.map_or(0, |s| bit(s.0)).into();
        u.start_valid.next = i.start.is_some();
        u.start_warp.next = (start_warp as u64).into();
        u.start_pc.next = u64::from(start_pc).into();
        let (predict_warp, predict_pc) = i.predict.unwrap_or((rng.below(8) as usize, 5));
        u.predict.next = i.predict.map_or(0, |p| bit(p.0)).into();
        u.predict_warp.next = (predict_warp as u64).into();
        u.predict_pc.next = u64::from(predict_pc).into();
        u.stop.next = i.stop.map_or(0, bit).into();
        u.stop_valid.next = i.stop.is_some();
        u.stop_warp.next = (i.stop.unwrap_or(rng.below(8) as usize) as u64).into();
        u.flush.next = i.flush;
        u.room.next = (0..WARPS)
            .fold(0u64, |set, w| set | u64::from(i.room[w]) << w)
            .into();
        u.fetch.ready.next = i.ready;
        u.line_valid.next = i.line.is_some();
        u.push_count.next = u64::from(i.count).into();
        u.push_last.next = i.last;
        u.push_forgets.next = i.forgets;
        if let Some((w, slot, words)) = i.line {
            u.line_warp.next = (w as u64).into();
            u.line_slot.next = slot == 1;
            let mut data = Bits::<512>::default();
            for (n, word) in words.iter().enumerate() {
                for b in 0..32 {
                    data = data.replace_bit(32 * n + b, word >> b & 1 == 1);
                }
            }
            u.line_data.next = data;
        }
    }
}

#[test]
fn verilog_agrees() {
    let mut traffic = Traffic::new();
    crate::stimulus::check_with_memories(
        "weft_supply",
        Small::default,
        3000,
        |u, rng, t| traffic.drive(u, rng, t),
        |u, level| u.clock.next = level.into(),
    );
    assert!(traffic.pushed > 300, "thin run: {}", traffic.pushed);
}

/// SUPPLY-010 to SUPPLY-070.
#[test]
fn every_cycle_is_as_specified() {
    let mut b = Bench::new(Small::default(), |u, level| u.clock.next = level.into());
    let mut rng = Rng::new(1, "supply");
    let mut traffic = Traffic::new();
    for t in 0..30_000 {
        let Model {
            fetch, words, push, ..
        } = traffic.model.clone();
        traffic.drive(&mut b.uut, &mut rng, t);
        b.settle();
        let u = &b.uut;
        let got = (
            u.fetch.warp.val().index(),
            u.fetch.line.val().index() as u32,
        );
        assert_eq!(u.fetch.valid.val().then_some(got), fetch, "cycle {t}");
        if let Some((_, _, words)) = words {
            assert_eq!(
                [&u.decode_word0, &u.decode_word1].map(|w| w.val().to_u64() as u32),
                words,
                "cycle {t}"
            );
        }
        let got = (u.push_warp.val().index(), u.push_pc.val().index() as u32);
        assert_eq!(
            u.push_valid.val().then_some(got),
            push.map(|(w, a, _)| (w, a)),
            "cycle {t}"
        );
        let runs = push.as_ref().is_some_and(|&(w, ..)| traffic.ran[w]);
        assert_eq!(u.push_runs.val(), runs, "cycle {t}");
        b.edge();
    }
    let seen = &traffic.model.seen;
    let (flushes, dropped, pairs) = (traffic.flushes, traffic.dropped, traffic.pairs);
    let text = format!("{seen:?}, flushes {flushes}, dropped {dropped}, pairs {pairs}");
    assert!(seen.hits > 3000 && seen.misses > 1000, "{text}");
    assert!(seen.prefetches > 300, "{text}");
    assert!(seen.prefetches_over_the_end > 5, "{text}");
    assert!(seen.stuck_on_awaited > 100, "{text}");
    assert!(seen.register_busy > 100, "{text}");
    assert!(seen.freed_at_once > 5, "{text}");
    assert!(seen.forgotten > 100, "{text}");
    assert!(seen.forgotten_while_awaited > 10, "{text}");
    assert!(seen.other_line_came > 5, "{text}");
    assert!(seen.tails_over_the_end > 5, "{text}");
    assert!(seen.rested > 5, "{text}");
    assert!(seen.predicted_hits > 100, "{text}");
    assert!(seen.predicted_misses > 100, "{text}");
    assert!(seen.met > 50, "{text}");
    assert!(seen.started_elsewhere > 5, "{text}");
    assert!(flushes > 5 && dropped > 20 && pairs > 300, "{text}");
}
