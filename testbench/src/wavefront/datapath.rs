//! The device below the functional lanes: `subv.auto` asks it, it hears of every access to a cache, and a register file
//! of rows is addressed by it and compared with the threads' registers.

use super::device::Kind;
use super::judge::{Cover, Judge};
use crate::dut::DutError;
use crate::threads::lanes;
use weft_isa::Instr;
use weft_ports::wavefront::{Inputs, Map};
use weft_sim::subvector::Parts;
use weft_sim::{lane, Cache, Config, Force, Thread};

/// How the register file's rows are used by an instruction of one part.
struct Use {
    /// Threads of the part that execute it.
    threads: u64,
    rows: [u64; 3],
}

pub struct Wavefront {
    judge: Judge,
    cache: Cache,
    /// By warp.
    parts: Vec<Parts>,
    width: usize,
    lanes: usize,
    level: Inputs,
    rows_per_warp: u64,
    /// By row and lane.
    file: Vec<u32>,
    /// Of the instruction at hand: what it writes.
    uses: Vec<Use>,
    rd: usize,
    error: Option<String>,
}

impl Wavefront {
    /// `None`: the configuration has no cache.
    ///
    /// # Errors
    /// There is no such device, or it cannot be made.
    pub fn new(kind: Kind, config: &Config) -> Result<Option<Wavefront>, DutError> {
        let Some(cache) = config.cache else {
            return Ok(None);
        };
        let lanes = config.lanes();
        let level = Inputs {
            threshold: config.miss_threshold.into(),
            force: match config.subvector {
                Force::Measured => 0,
                Force::Regular => 1,
                Force::SubVector => 2,
            },
            lanes: lanes.ilog2().into(),
            shared_from: config.shared_from.into(),
            ..Inputs::default()
        };
        let judge = Judge::new(kind, config.threads)?;
        let rows_per_warp = judge.file(level.lanes, level.shared_from).rows().into();
        let all_rows = config.warps * rows_per_warp as usize;
        let mut wavefront = Wavefront {
            judge,
            cache: Cache::new(cache),
            parts: vec![Parts::new(config.threads, lanes, config.shared_from); config.warps],
            width: config.threads,
            lanes,
            level,
            rows_per_warp,
            file: vec![0; all_rows * lanes],
            uses: Vec::new(),
            rd: 0,
            error: None,
        };
        // The configuration settles.
        for _ in 0..4 {
            wavefront.cycle(&level);
        }
        Ok(Some(wavefront))
    }

    /// What was wrong first; and what has happened.
    ///
    /// # Errors
    /// The device did not agree with the model, or the register file with the threads.
    pub fn result(&self) -> Result<&Cover, String> {
        match &self.error {
            Some(error) => Err(error.clone()),
            None => Ok(&self.judge.cover),
        }
    }

    fn wrong(&mut self, error: String) {
        self.error.get_or_insert(error);
    }

    fn cycle(&mut self, inputs: &Inputs) -> weft_ports::wavefront::Outputs {
        self.judge.cycle(inputs).unwrap_or_else(|error| {
            self.wrong(format!("weft_wavefront: {error}"));
            weft_ports::wavefront::Outputs::default()
        })
    }

    /// The registers of a thread as it is launched are in the file.
    pub fn launched(&mut self, warp: usize, threads: &[Thread]) {
        for (lane, thread) in threads.iter().enumerate() {
            let (part, place) = ((lane / self.lanes) as u64, lane % self.lanes);
            for register in (0..32).filter(|&r| thread.registers[r] != 0) {
                if register as u64 >= self.level.shared_from {
                    self.wrong(format!("x{register} is shared, and a launch sets it"));
                    continue;
                }
                let row = self.map(warp, part, false, 0, [register as u64; 3]).1[0];
                self.file[row as usize * self.lanes + place] = thread.registers[register];
            }
        }
    }

    /// Misuse and rows of one instruction of a part.
    fn map(
        &mut self,
        warp: usize,
        part: u64,
        inside: bool,
        uses: u64,
        r: [u64; 3],
    ) -> (u64, [u64; 3]) {
        self.cycle(&Inputs {
            map: Some(Map {
                uses,
                subvector: inside,
                part,
                base: warp as u64 * self.rows_per_warp,
                registers: r,
            }),
            ..self.level
        });
        let level = self.level;
        self.cycle(&level).rows.unwrap_or_default()
    }

    /// These threads of a warp execute `instr`, the active ones stand at `pc`.
    pub fn begins(
        &mut self,
        instr: Instr,
        warp: usize,
        pc: u32,
        (active, acting): (u64, u64),
        threads: &[Thread],
    ) {
        lanes(active).for_each(|lane| self.parts[warp].arrive(lane, pc));
        self.accesses(instr, warp, acting, threads);
        self.uses.clear();
        // The wavefront unit has no third source, and no float (ISA-040).
        let [rd, rs1, rs2, _] = instr.registers();
        let registers = [rs1, rs2, rd].map(|r| r.filter(|&r| r != 0));
        let uses = (0..3).filter(|&n| registers[n].is_some());
        let uses = uses.fold(0, |bits, n| bits | 1 << n);
        if uses == 0 {
            return;
        }
        self.rd = rd.unwrap_or(0).into();
        for part in 0..self.width / self.lanes {
            let of_part = (u64::MAX >> (64 - self.lanes)) << (part * self.lanes);
            let here = acting & of_part;
            if here == 0 {
                continue;
            }
            let inside = self.parts[warp].contains(here.trailing_zeros() as usize);
            if lanes(here).any(|lane| self.parts[warp].contains(lane) != inside) {
                self.wrong(format!(
                    "warp {warp}: a part is half in the mode at {pc:#x}"
                ));
            }
            let numbers = registers.map(|r| r.unwrap_or(0).into());
            let (misuse, rows) = self.map(warp, part as u64, inside, uses, numbers);
            if misuse != 0 {
                self.wrong(format!(
                    "warp {warp}: shared registers outside the mode at {pc:#x}"
                ));
            }
            for (register, row) in registers.into_iter().zip(rows).take(2) {
                let Some(register) = register else { continue };
                for lane in lanes(here) {
                    let held = self.file[row as usize * self.lanes + lane % self.lanes];
                    let own = threads[lane].registers[usize::from(register)];
                    if held != own {
                        self.wrong(format!(
                            "warp {warp}, thread {lane}, x{register} at {pc:#x}: row {row} holds {held:#x}, the thread {own:#x}"
                        ));
                    }
                }
            }
            let threads = here;
            if rd.is_some_and(|rd| rd != 0) {
                self.uses.push(Use { threads, rows });
            }
        }
    }

    /// SUBV-040: every line once for each part.
    fn accesses(&mut self, instr: Instr, warp: usize, acting: u64, threads: &[Thread]) {
        let mut seen = Vec::new();
        for lane in lanes(acting) {
            let Some(address) = lane::data_address(instr, &threads[lane]) else {
                return;
            };
            let access = (lane / self.lanes, self.cache.line(address));
            if seen.contains(&access) {
                continue;
            }
            seen.push(access);
            let miss = self.cache.access(access.1);
            let regular = !self.parts[warp].contains(lane);
            let inputs = Inputs {
                access: Some((miss, regular)),
                ..self.level
            };
            self.cycle(&inputs);
        }
    }

    /// A `subv.auto`: is it a `subv.start`?
    pub fn select(&mut self) -> bool {
        let ask = Inputs {
            ask: true,
            ..self.level
        };
        self.cycle(&ask);
        let level = self.level;
        let answer = self.cycle(&level).answer;
        answer.unwrap_or_else(|| {
            self.wrong("weft_wavefront does not answer".into());
            false
        })
    }

    /// The instruction has been executed. A loop that ends at `end` begins for `entering`.
    pub fn ends(&mut self, warp: usize, (entering, end): (u64, u32), threads: &[Thread]) {
        for used in std::mem::take(&mut self.uses) {
            for lane in lanes(used.threads) {
                let at = used.rows[2] as usize * self.lanes + lane % self.lanes;
                self.file[at] = threads[lane].registers[self.rd];
            }
        }
        lanes(entering).for_each(|lane| self.parts[warp].enter(lane, end));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weft_sim::CacheShape;

    const LOAD: Instr = Instr::Load {
        width: weft_isa::LoadWidth::I32,
        rd: 5,
        rs1: 6,
        offset: 0,
    };

    /// One warp of 4 threads on 2 lanes; x20 and up are shared.
    fn wavefront(threads: &[Thread]) -> Wavefront {
        let config = Config {
            warps: 1,
            threads: 4,
            lanes: Some(2),
            shared_from: 20,
            cache: Some(CacheShape {
                line: 16,
                sets: 1,
                ways: 1,
            }),
            ..Config::default()
        };
        let mut wavefront = Wavefront::new(Kind::RustHdl, &config)
            .expect("a device")
            .expect("a cache");
        wavefront.launched(0, threads);
        wavefront
    }

    /// rd = rs1 + 1, in all threads.
    fn run(wavefront: &mut Wavefront, instr: Instr, threads: &mut [Thread]) {
        wavefront.begins(instr, 0, 0x400, (15, 15), threads);
        let [rd, rs1, ..] = instr.registers().map(|r| usize::from(r.unwrap_or(0)));
        threads
            .iter_mut()
            .for_each(|t| t.registers[rd] = t.registers[rs1] + 1);
        wavefront.ends(0, (0, 0), threads);
    }

    fn launched() -> Vec<Thread> {
        let mut threads = vec![Thread::default(); 4];
        for (n, thread) in threads.iter_mut().enumerate() {
            thread.registers[6] = 0x1000 + 16 * n as u32;
        }
        threads
    }

    #[test]
    fn registers_in_rows_are_those_of_the_threads() {
        let mut threads = launched();
        let mut wavefront = wavefront(&threads);
        run(&mut wavefront, LOAD, &mut threads);
        let back = Instr::Load {
            width: weft_isa::LoadWidth::I32,
            rd: 6,
            rs1: 5,
            offset: 0,
        };
        run(&mut wavefront, back, &mut threads);
        let cover = wavefront.result().unwrap();
        assert_eq!((cover.accesses, cover.misses, cover.uncounted), (8, 8, 0));
        // Two parts each, and the launch.
        assert_eq!(cover.mapped, 2 + 2 + 4);
    }

    #[test]
    fn another_value_in_a_row_is_noticed() {
        let mut threads = launched();
        let mut wavefront = wavefront(&threads);
        threads[2].registers[6] += 4;
        run(&mut wavefront, LOAD, &mut threads);
        let error = wavefront.result().unwrap_err();
        assert!(error.contains("thread 2, x6"), "{error}");
    }

    #[test]
    fn a_shared_register_outside_the_mode_is_noticed() {
        let mut threads = launched();
        let mut wavefront = wavefront(&threads);
        let shared = Instr::Load {
            width: weft_isa::LoadWidth::I32,
            rd: 20,
            rs1: 6,
            offset: 0,
        };
        run(&mut wavefront, shared, &mut threads);
        let error = wavefront.result().unwrap_err();
        assert!(error.contains("shared registers outside"), "{error}");
    }
}
