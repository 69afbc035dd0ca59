//! Litmus tests of the memory model between SMs (docs/spec/memory-model.md, ORDER-001), on `weft_gpu` and on the golden GPU.
//!
//! Each thread is a CTA of its own, so that with as many SMs each has an SM for itself. All of them go through rounds:
//! lines are read that may be old then, an atomic counter lets everybody go on, the few accesses of the test follow, and
//! what they have read is written down. Each round has lines of its own. What the page forbids must never be seen; what
//! it allows beyond any order of the accesses is counted.

use super::program::HostProgram;
use super::GpuOptions;
use weft_sim::host::{Descriptor, Gpu, Mutation};

/// Lines of a round: x, y, z, the counter, what each thread has read.
const LINES: u32 = 8;
const LINE: u32 = 64;
const DATA: u32 = 0x1_1000;
pub const ROUNDS: u32 = 48;

/// What was seen in a round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// Of each thread: s4, s5.
    pub r: [[u32; 2]; 4],
    /// x, y, z in the end.
    pub end: [u32; 3],
}

/// What a thread does.
pub struct Thread {
    /// Of which lines it reads another word before: `xy`.
    pub holds: &'static str,
    /// a3, a4, a5: addresses of x, y, z; t5 = 1, t6 = 2; it reads into s4 and s5.
    pub does: &'static str,
}

pub struct Litmus {
    pub name: &'static str,
    pub threads: &'static [Thread],
    pub forbidden: fn(&Seen) -> bool,
    /// What no order of the accesses gives, and the page allows.
    pub weak: Option<fn(&Seen) -> bool>,
}

const fn t(holds: &'static str, does: &'static str) -> Thread {
    Thread { holds, does }
}

fn never(_: &Seen) -> bool {
    false
}

/// Message passing: the last thread has seen y and not x.
fn passed(seen: &Seen, reader: usize) -> bool {
    seen.r[reader] == [1, 0]
}

fn message(seen: &Seen) -> bool {
    passed(seen, 1)
}

fn buffered(seen: &Seen) -> bool {
    (seen.r[0][0], seen.r[1][0]) == (0, 0)
}

fn both_loaded(seen: &Seen) -> bool {
    (seen.r[0][0], seen.r[1][0]) == (1, 1)
}

fn different_orders(seen: &Seen) -> bool {
    passed(seen, 2) && passed(seen, 3)
}

fn writes_cross(seen: &Seen) -> bool {
    seen.end[..2] == [1, 1]
}

fn back_in_time(seen: &Seen) -> bool {
    seen.r.iter().any(|r| r[1] < r[0])
}

fn causes_nothing(seen: &Seen) -> bool {
    seen.r[1][0] == 1 && passed(seen, 2)
}

pub const ALL: &[Litmus] = &[
    Litmus {
        name: "MP",
        threads: &[
            t("", "sw t5, (a3); sw t5, (a4)"),
            t("x", "lw s4, (a4); lw s5, (a3)"),
        ],
        forbidden: never,
        weak: Some(message),
    },
    Litmus {
        name: "MP+rl+aq",
        threads: &[
            t("", "sw t5, (a3); amoswap.w.rl x0, t5, (a4)"),
            t("x", "lr.w.aq s4, (a4); lw s5, (a3)"),
        ],
        forbidden: message,
        weak: None,
    },
    Litmus {
        name: "MP+rl+amo.aq",
        threads: &[
            t("y", "sw t5, (a3); amoor.w.rl x0, t5, (a4)"),
            t("xy", "amoor.w.aq s4, x0, (a4); lw s5, (a3)"),
        ],
        forbidden: message,
        weak: None,
    },
    // The loads and stores of C11: fence rw, w before a release, fence r, rw behind an acquire.
    Litmus {
        name: "MP+fences",
        threads: &[
            t("", "sw t5, (a3); fence rw, w; sw t5, (a4)"),
            t("x", "lw s4, (a4); fence r, rw; lw s5, (a3)"),
        ],
        forbidden: message,
        weak: None,
    },
    Litmus {
        name: "MP+sc.rl+fence",
        threads: &[
            t(
                "",
                "lr.w s4, (a4); sw t5, (a3); sc.w.rl s5, t5, (a4); mv s4, x0; mv s5, x0",
            ),
            t("xz", "lr.w s4, (a4); fence r, r; lw s5, (a3)"),
        ],
        forbidden: message,
        weak: None,
    },
    Litmus {
        name: "MP+rl",
        threads: &[
            t("", "sw t5, (a3); amoswap.w.rl x0, t5, (a4)"),
            t("x", "lr.w s4, (a4); lw s5, (a3)"),
        ],
        forbidden: never,
        weak: Some(message),
    },
    // Two atomics in order: a release, then an acquire.
    Litmus {
        name: "MP+rl-aq+fence",
        threads: &[
            t("", "amoswap.w.rl x0, t5, (a3); amoswap.w.aq x0, t5, (a4)"),
            t("x", "lw s4, (a4); fence r, r; lw s5, (a3)"),
        ],
        forbidden: message,
        weak: None,
    },
    Litmus {
        name: "SB",
        threads: &[
            t("y", "sw t5, (a3); lw s4, (a4)"),
            t("x", "sw t5, (a4); lw s4, (a3)"),
        ],
        forbidden: never,
        weak: Some(buffered),
    },
    Litmus {
        name: "SB+fences",
        threads: &[
            t("y", "sw t5, (a3); fence rw, rw; lw s4, (a4)"),
            t("x", "sw t5, (a4); fence w, r; lw s4, (a3)"),
        ],
        forbidden: buffered,
        weak: None,
    },
    Litmus {
        name: "SB+aq",
        threads: &[
            t("y", "amoswap.w.aq x0, t5, (a3); lw s4, (a4)"),
            t("x", "amoadd.w.aqrl x0, t5, (a4); lw s4, (a3)"),
        ],
        forbidden: buffered,
        weak: None,
    },
    Litmus {
        name: "SB+rl-aq",
        threads: &[
            t("xy", "amoswap.w.rl x0, t5, (a3); lr.w.aq s4, (a4)"),
            t("xy", "amoswap.w.rl x0, t5, (a4); lr.w.aq s4, (a3)"),
        ],
        forbidden: buffered,
        weak: None,
    },
    Litmus {
        name: "LB",
        threads: &[
            t("", "lw s4, (a3); sw t5, (a4)"),
            t("", "lw s4, (a4); sw t5, (a3)"),
        ],
        forbidden: never,
        weak: Some(both_loaded),
    },
    Litmus {
        name: "LB+data",
        threads: &[
            t(
                "",
                "lw s4, (a3); xor t1, s4, s4; addi t1, t1, 1; sw t1, (a4)",
            ),
            t(
                "",
                "lw s4, (a4); xor t1, s4, s4; addi t1, t1, 1; sw t1, (a3)",
            ),
        ],
        forbidden: both_loaded,
        weak: None,
    },
    Litmus {
        name: "LB+fence+rl",
        threads: &[
            t("", "lw s4, (a3); fence r, w; sw t5, (a4)"),
            t("", "lw s4, (a4); amoswap.w.rl x0, t5, (a3)"),
        ],
        forbidden: both_loaded,
        weak: None,
    },
    Litmus {
        name: "IRIW",
        threads: &[
            t("", "sw t5, (a3)"),
            t("", "sw t5, (a4)"),
            t("y", "lw s4, (a3); lw s5, (a4)"),
            t("x", "lw s4, (a4); lw s5, (a3)"),
        ],
        forbidden: never,
        weak: Some(different_orders),
    },
    Litmus {
        name: "IRIW+fences",
        threads: &[
            t("", "sw t5, (a3)"),
            t("", "sw t5, (a4)"),
            t("y", "lw s4, (a3); fence r, r; lw s5, (a4)"),
            t("x", "lw s4, (a4); fence rw, rw; lw s5, (a3)"),
        ],
        forbidden: different_orders,
        weak: None,
    },
    Litmus {
        name: "IRIW+aq",
        threads: &[
            t("", "sw t5, (a3)"),
            t("", "amoswap.w x0, t5, (a4)"),
            t("xy", "lr.w.aq s4, (a3); lw s5, (a4)"),
            t("xy", "lr.w.aq s4, (a4); lw s5, (a3)"),
        ],
        forbidden: different_orders,
        weak: None,
    },
    // Somebody tells on what he was told.
    Litmus {
        name: "WRC",
        threads: &[
            t("", "sw t5, (a3)"),
            t("", "lw s4, (a3); fence rw, w; sw s4, (a4)"),
            t("xy", "lr.w.aq s4, (a4); lw s5, (a3)"),
        ],
        forbidden: causes_nothing,
        weak: None,
    },
    Litmus {
        name: "CoRR",
        threads: &[
            t("", "sw t5, (a3); sw t6, (a3)"),
            t("", "lw s4, (a3); lw s5, (a3)"),
            t("x", "lw s4, (a3); lw s5, (a3)"),
            t("x", "lr.w s4, (a3); lw s5, (a3)"),
        ],
        forbidden: back_in_time,
        weak: None,
    },
    Litmus {
        name: "CoRR+amo",
        threads: &[
            t("x", "amoadd.w x0, t5, (a3); amoadd.w x0, t5, (a3)"),
            t("x", "amoor.w s4, x0, (a3); lw s5, (a3)"),
            t("x", "lw s4, (a3); amomax.w s5, x0, (a3)"),
        ],
        forbidden: back_in_time,
        weak: None,
    },
    Litmus {
        name: "CoWW",
        threads: &[
            t("x", "sw t5, (a3); sw t6, (a3)"),
            t("", "sw t5, (a4); sw t6, (a4); lw s4, (a4)"),
        ],
        forbidden: |seen| seen.end[..2] != [2, 2] || seen.r[1][0] != 2,
        weak: None,
    },
    Litmus {
        name: "CoWR",
        threads: &[
            t("x", "sw t5, (a3); lw s4, (a3)"),
            t("x", "sw t6, (a3); lw s4, (a3)"),
        ],
        forbidden: |seen| seen.r[0][0] == 0 || seen.r[1][0] == 0 || seen.end[0] == 0,
        weak: None,
    },
    Litmus {
        name: "2+2W",
        threads: &[
            t("", "sw t5, (a3); sw t6, (a4)"),
            t("", "sw t5, (a4); sw t6, (a3)"),
        ],
        forbidden: never,
        weak: Some(writes_cross),
    },
    Litmus {
        name: "2+2W+fences",
        threads: &[
            t("", "sw t5, (a3); fence w, w; sw t6, (a4)"),
            t("", "sw t5, (a4); fence rw, w; sw t6, (a3)"),
        ],
        forbidden: writes_cross,
        weak: None,
    },
    // A lock in every order that keeps it: z is counted by loads and stores.
    Litmus {
        name: "lock",
        threads: &[
            t("z", LOCK_BY_SWAP),
            t("z", LOCK_BY_CAS),
            t("z", LOCK_BY_AQRL),
            t("z", LOCK_BY_FENCES),
        ],
        forbidden: |seen| seen.end[2] != 4,
        weak: None,
    },
];

const LOCK_BY_SWAP: &str = "1: amoswap.w.aq t1, t5, (a3); bnez t1, 1b;
    lw t1, (a5); addi t1, t1, 1; sw t1, (a5); amoswap.w.rl x0, x0, (a3)";
const LOCK_BY_CAS: &str = "2: lr.w.aq t1, (a3); bnez t1, 2b; sc.w t2, t5, (a3); bnez t2, 2b;
    lw t1, (a5); addi t1, t1, 1; sw t1, (a5); fence rw, w; sw x0, (a3)";
const LOCK_BY_AQRL: &str = "3: lr.w.aqrl t1, (a3); bnez t1, 3b; sc.w.rl t2, t5, (a3); bnez t2, 3b;
    lw t1, (a5); addi t1, t1, 1; sw t1, (a5); amoand.w.aqrl x0, x0, (a3)";
const LOCK_BY_FENCES: &str = "4: amoswap.w t1, t5, (a3); bnez t1, 4b; fence r, rw;
    lw t1, (a5); addi t1, t1, 1; sw t1, (a5); fence rw, w; sw x0, (a3)";

impl Litmus {
    pub fn of(name: &str) -> &'static Litmus {
        let found = ALL.iter().find(|test| test.name == name);
        found.unwrap_or_else(|| panic!("no litmus test {name}"))
    }

    /// `ahead`: threads before them that only hold their SMs; `delay`: what makes the threads begin a round at different
    /// times.
    fn source(&self, ahead: u32, delay: u32) -> String {
        let stride = LINES * LINE;
        let mut text = format!("_start: mv s0, a2\n li s1, {ROUNDS}\n li t5, 1\n li t6, 2\n");
        if ahead > 0 {
            text += &format!(
                " li t1, {ahead}\n bgeu a0, t1, tests\n li t1, 1000\n\
                 holds: addi t1, t1, -1\n bnez t1, holds\n ecall\ntests: sub a0, a0, t1\n"
            );
        }
        for n in 0..self.threads.len() {
            text += &format!(" li t1, {n}\n beq a0, t1, thread{n}\n");
        }
        text += " ecall\n";
        for (n, thread) in self.threads.iter().enumerate() {
            let number = n as u32;
            text += &format!("thread{n}:\n li s4, 0\n li s5, 0\n");
            text += &format!(
                " mv a3, s0\n addi a4, s0, {LINE}\n addi a5, s0, {}\n",
                2 * LINE
            );
            for line in thread.holds.bytes() {
                let at = u32::from(line - b'x') * LINE + 4 + 4 * number;
                text += &format!(" lw t1, {at}(s0)\n add t2, t2, t1\n");
            }
            // What was read has come.
            text += " add t2, t2, t2\n";
            text += &format!(" addi a6, s0, {}\n amoadd.w x0, t5, (a6)\n", 3 * LINE);
            text += &format!(" li t2, {}\n", self.threads.len());
            text += &format!("wait{n}: lr.w t1, (a6)\n bne t1, t2, wait{n}\n");
            let factor = (delay + 1) * (2 * number + 3);
            text +=
                &format!(" li t1, {factor}\n mul t1, t1, s1\n srli t1, t1, 2\n andi t1, t1, 15\n");
            text += &format!("later{n}: addi t1, t1, -1\n bgez t1, later{n}\n");
            text += &thread.does.replace(';', "\n");
            let at = (4 + number) * LINE;
            text += &format!("\n sw s4, {at}(s0)\n sw s5, {}(s0)\n", at + 4);
            text +=
                &format!(" addi s0, s0, {stride}\n addi s1, s1, -1\n bnez s1, thread{n}\n ecall\n");
        }
        text
    }

    /// The host launches a CTA of one thread for each of its threads. With more than four SMs they are on the last ones, as
    /// others are on the first.
    pub fn program(&self, sms: usize, delay: u32) -> HostProgram {
        let threads = self.threads.len();
        let ahead = if sms > 4 { sms - threads } else { 0 };
        let source = self.source(ahead as u32, delay);
        let program = weft_isa::assemble(&source, self.name);
        let host = HostProgram::new(program.unwrap_or_else(|e| panic!("{source}\n{e:?}")));
        let host = host.with_sms(sms);
        let pc = host.kernel("_start");
        host.launch(&Descriptor {
            pc,
            grid: [(ahead + threads) as u32, 1, 1],
            cta: [1, 1, 1],
            arguments: DATA,
            local: 64,
            ..Descriptor::default()
        })
    }

    /// How many rounds were weak.
    ///
    /// # Errors
    /// One is forbidden.
    fn judge(&self, memory: &[u8], base: u32) -> Result<u32, String> {
        let word = |at: u32| {
            let from = (at - base) as usize;
            u32::from_le_bytes(memory[from..from + 4].try_into().expect("four bytes"))
        };
        let mut weak = 0;
        for round in 0..ROUNDS {
            let at = |line: u32| DATA + (LINES * round + line) * LINE;
            let mut seen = Seen {
                end: [0, 1, 2].map(|line| word(at(line))),
                ..Seen::default()
            };
            for n in 0..self.threads.len() {
                let result = at(4 + n as u32);
                seen.r[n] = [word(result), word(result + 4)];
            }
            if (self.forbidden)(&seen) {
                return Err(format!("{}, round {round}: {seen:?}", self.name));
            }
            weak += u32::from(self.weak.is_some_and(|weak| weak(&seen)));
        }
        Ok(weak)
    }

    /// On the golden GPU.
    ///
    /// # Errors
    /// What is forbidden was seen, or it hangs.
    pub fn golden(&self, sms: usize, seed: u64, mutation: Option<Mutation>) -> Result<u32, String> {
        let host = self.program(sms, (seed % 7) as u32);
        let (memory, base) = host.golden_on(|gpu: &mut Gpu| {
            gpu.set_seed(seed);
            gpu.set_quantum(1 + seed % 5);
            if let Some(mutation) = mutation {
                gpu.set_mutation(mutation);
            }
        })?;
        self.judge(&memory, base)
    }

    /// On `weft_gpu`.
    ///
    /// # Errors
    /// What is forbidden was seen, it hangs, or it breaks a rule of a port.
    pub fn hardware(
        &self,
        sms: usize,
        options: &GpuOptions,
        fault: Option<&str>,
    ) -> Result<u32, String> {
        let host = self.program(sms, (options.seed % 7) as u32);
        let (memory, base) = host.hardware(options, fault)?;
        self.judge(&memory, base)
    }
}
