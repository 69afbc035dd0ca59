//! `weft_wavefront` against `weft_sim`'s `Selector` and `RegisterFile`, cycle by cycle: mode selection at random with
//! every decision and every question counted, register rows exhaustively at W = 4.

use rand::seq::SliceRandom;
use rand::Rng as _;
use std::collections::BTreeMap;
use weft_ports::wavefront::{Inputs, Map};
use weft_testbench::rtl::faults::{self, Fault};
use weft_testbench::seed::{stream, Rng};
use weft_testbench::wavefront::device::Kind;
use weft_testbench::wavefront::judge::{Cover, Judge};

/// A window that is to come: what its last access must find.
#[derive(Clone, Copy, Debug)]
struct Window {
    threshold: u64,
    misses: u64,
}

impl Window {
    /// For sub-vector mode, or for regular mode; half of them by one miss, or as near as there is.
    fn draw(rng: &mut Rng, subvector: bool) -> Window {
        let near = rng.gen_bool(0.5);
        let (threshold, misses) = match (subvector, near) {
            (true, true) => {
                let n = *[0, 1, 128, 255, 256, rng.gen_range(0..=256)]
                    .choose(rng)
                    .unwrap();
                (n, n)
            }
            (true, false) => {
                let n = rng.gen_range(0..256);
                (n, rng.gen_range(n + 1..=256))
            }
            (false, true) => {
                let n = *[1, 2, 129, 255, 256, rng.gen_range(1..=256)]
                    .choose(rng)
                    .unwrap();
                (n, n - 1)
            }
            (false, false) if rng.gen_bool(0.5) => {
                let n = rng.gen_range(2..=256);
                (n, rng.gen_range(0..n - 1))
            }
            (false, false) => (rng.gen_range(257..512), rng.gen_range(0..=256)),
        };
        Window { threshold, misses }
    }
}

/// Random cycles: streaks of decisions for sub-vector mode that end with one for regular mode, or with a reset.
struct Stimulus {
    rng: Rng,
    streak: u32,
    window: Window,
    /// Of 16 cycles, those with an access, and those with a question.
    accesses: u32,
    questions: u32,
    forced: bool,
    /// Decisions come when one of the former hold is left.
    aims: bool,
    threads: u64,
    /// The configuration has been so for so many cycles.
    settled: u32,
    lanes: u64,
    shared_from: u64,
}

impl Stimulus {
    fn new(seed: u64, threads: usize) -> Stimulus {
        let mut rng = stream(seed, "wavefront");
        Stimulus {
            streak: 0,
            window: Window::draw(&mut rng, false),
            accesses: 16,
            questions: 4,
            forced: false,
            aims: false,
            threads: threads as u64,
            settled: 0,
            lanes: 0,
            shared_from: 0,
            rng,
        }
    }

    fn next(&mut self, judge: &Judge) -> Inputs {
        let rng = &mut self.rng;
        let (accesses, misses) = judge.window();
        if accesses == 0 && rng.gen_bool(0.9) {
            if self.streak == 0 {
                self.streak = rng.gen_range(1..=9);
                self.accesses = [4, 15, 16][rng.gen_range(0..3)];
                self.questions = [1, 4, 15][rng.gen_range(0..3)];
                self.forced = rng.gen_bool(0.3);
                self.aims = rng.gen_bool(0.2);
            }
            self.streak -= 1;
            self.window = Window::draw(rng, self.streak > 0);
        }
        // The misses that are still missing, at any places.
        let (left, due) = (256 - accesses, self.window.misses.saturating_sub(misses));
        let miss = rng.gen_range(0..left) < due;
        let mut access = rng
            .gen_ratio(self.accesses, 16)
            .then(|| match rng.gen_bool(0.9) {
                true => (miss, true),
                false => (rng.gen(), false),
            });
        let mut ask = rng.gen_ratio(self.questions, 16);
        let mut force = if self.forced { rng.gen_range(0..4) } else { 0 };
        if self.aims {
            match (accesses, judge.left()) {
                (255, 2..) => (access, ask, force) = (None, true, 0),
                (255, _) => force = rng.gen_range(0..4),
                (_, 0..=1) => ask = false,
                _ => {}
            }
        }
        // The threshold counts with the last access only.
        let threshold = match accesses {
            255 => self.window.threshold,
            _ => rng.gen_range(0..512),
        };
        self.settled += 1;
        if self.settled > 40 {
            (self.settled, self.lanes) = (0, rng.gen_range(0..8));
            self.shared_from = rng.gen_range(0..40);
        }
        let map = (self.settled > 3 && rng.gen_bool(0.7)).then(|| Map {
            uses: rng.gen_range(0..8),
            subvector: rng.gen(),
            part: rng.gen_range(0..self.threads),
            base: rng.gen_range(0..self.threads << 7),
            registers: [0; 3].map(|_| rng.gen_range(0..32)),
        });
        Inputs {
            reset: rng.gen_bool(0.00005),
            threshold,
            force,
            lanes: self.lanes,
            shared_from: self.shared_from,
            access,
            ask,
            map,
        }
    }
}

fn at_random(kind: Kind, threads: usize, seed: u64, cycles: u64) -> Result<Cover, String> {
    let mut judge = Judge::new(kind, threads).map_err(|e| e.to_string())?;
    let mut stimulus = Stimulus::new(seed, threads);
    for cycle in 0..cycles {
        let inputs = stimulus.next(&judge);
        let checked = judge.cycle(&inputs);
        checked.map_err(|e| format!("seed {seed}, {threads} threads, cycle {cycle}: {e}"))?;
    }
    Ok(judge.cover)
}

/// Every register of every part with every F, in both modes, at W = 4 with every L: three operands at a time.
/// What two of them have in common is looked at here again, by the rows that came.
fn every_row(kind: Kind) -> Result<u64, String> {
    let mut judge = Judge::new(kind, 4).map_err(|e| e.to_string())?;
    let mut mapped = 0;
    for lanes in 0..8 {
        for shared_from in (0..=34).chain([63]) {
            let level = Inputs {
                lanes,
                shared_from,
                ..Inputs::default()
            };
            for _ in 0..3 {
                judge.cycle(&level)?;
            }
            let file = judge.file(lanes, shared_from);
            let base = (lanes * 37 + shared_from * 11) % 384;
            // By row: who has it.
            let mut users = BTreeMap::<u64, Vec<(u64, u64)>>::new();
            let mut before = None;
            for n in 0..=32 * 4 * 2 {
                let (register, part, subvector) = (n % 32, n / 32 % 4, n / 128 == 1);
                let map = Map {
                    uses: if subvector {
                        7
                    } else {
                        [7, 5, 2, 0][part as usize]
                    },
                    subvector,
                    part,
                    base,
                    registers: [register, 31 - register, (register * 5 + part) % 32],
                };
                let map = (n < 256).then_some(map);
                let out = judge.cycle(&Inputs { map, ..level })?;
                if let (
                    Some(Map {
                        part, registers, ..
                    }),
                    Some((_, rows)),
                ) = (before, out.rows)
                {
                    mapped += 1;
                    if part < u64::from(file.parts) {
                        users.entry(rows[0]).or_default().push((registers[0], part));
                    }
                }
                before = map;
            }
            for (row, mut users) in users {
                users.sort_unstable();
                users.dedup();
                let first = users[0].0;
                let shared = first >= u64::from(file.shared_from);
                if !(base..base + u64::from(file.rows())).contains(&row) {
                    return Err(format!(
                        "L = {lanes}, F = {shared_from}: row {row} is outside"
                    ));
                }
                let most = if shared { file.parts as usize } else { 1 };
                if users.len() != most || users.iter().any(|u| u.0 != first) {
                    return Err(format!(
                        "L = {lanes}, F = {shared_from}: row {row} is of {users:?}"
                    ));
                }
            }
        }
    }
    Ok(mapped)
}

#[test]
fn every_register_has_its_row_at_w_4() {
    let mapped = every_row(Kind::RustHdl).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(mapped, 8 * 36 * 256);
}

#[test]
fn at_random_in_rust_hdl() {
    for (threads, cycles) in [(4, 60_000), (64, 20_000)] {
        let cover = at_random(Kind::RustHdl, threads, 1, cycles).unwrap_or_else(|e| panic!("{e}"));
        println!("{cover}");
        assert!(
            cover.decided(true) > 20 && cover.decided(false) > 5,
            "{cover}"
        );
        assert!(cover.subvector > 500 && cover.misused > 500, "{cover}");
    }
}

/// Every decision with every hold and at both sides of the threshold;
/// every question under all force bits and beside every decision.
#[test]
fn at_random_in_verilog() {
    for threads in [4, 32] {
        let cover = at_random(Kind::Verilog, threads, 2, 600_000).unwrap_or_else(|e| panic!("{e}"));
        println!("{cover}");
        assert_eq!(cover.decisions.missing(), []);
        assert_eq!(cover.decisions.wrong(), []);
        assert_eq!(cover.questions.missing(), []);
        assert!(cover.resets > 5 && cover.misused > 10_000, "{cover}");
    }
    every_row(Kind::Verilog).unwrap_or_else(|e| panic!("{e}"));
}

#[test]
fn every_fault_of_the_verilog_is_noticed() {
    let faults =
        faults::prepare(faults::of(weft_generate::Unit::Wavefront)).expect("broken copies");
    assert!(faults.len() >= 20, "{faults:?}");
    for (_, Fault { name, breaks, .. }) in faults {
        let kind = Kind::Fault(name);
        let found = every_row(kind).map(|_| ()).and_then(|()| {
            let random = at_random(kind, 4, 3, 400_000);
            random.map(|_| ())
        });
        match found {
            Err(error) => println!("{name}: {error}"),
            Ok(()) => panic!("{name} is not noticed: {breaks}"),
        }
    }
}
