//! Random C programs for one thread: structured, and with goto, switch, early return, recursion, function pointers
//! (COMP-112).
//!
//! [`together`]: the same with threads that meet at barriers, wait for one another, and with what C programs of devices
//! have besides: inline assembly, functions with many arguments, 64 bits, arrays of a size that is computed, computed goto.
//!
//! `testbench/tests/compiled` takes this file, too: it uses no other one of this folder.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::fmt::Write as _;

/// What a program leaves: symbols and their bytes.
pub const OUTPUTS: [(&str, u32); 3] = [("guard", 16), ("out", 4096), ("count", 32)];

/// What a program of threads that work together leaves besides.
pub const SHARED: [(&str, u32); 5] = [
    ("shared", 8192),
    ("flag", 4096),
    ("lock", 4),
    ("total", 4),
    ("sum", 32),
];

struct Writer {
    rng: ChaCha8Rng,
    text: String,
    depth: usize,
    labels: usize,
    /// Names that can be read, and how many statements may still be written.
    variables: Vec<String>,
    budget: i32,
    in_loop: bool,
    functions: usize,
    /// Forward gotos wait for this label.
    pending: Option<usize>,
    /// Threads work together.
    together: bool,
    /// Each thread waits for the one before it, so that none may return early.
    chained: bool,
}

/// A program by its seed.
pub fn random(seed: u64) -> String {
    written(seed ^ 0xC0_FFEE, false)
}

/// A program whose threads meet at barriers and wait for one another; all of them are one CTA. It includes `weft.h`.
pub fn together(seed: u64) -> String {
    written(seed ^ 0x70_6E74, true)
}

/// Assembly that such a program brings along: what it calls by t0 changes t1 alone.
const STIR: &str = r#"
__asm__(".pushsection .text.stir,\"ax\",@progbits\n\t.align 2\nstir:\n\tslli t1, t2, 1\n\txor t1, t1, t2\n\tjr t0\n\t.popsection");
static inline unsigned stirred(unsigned x) {
    register unsigned given __asm__("t2") = x;
    register unsigned got __asm__("t1");
    __asm__ volatile("jal t0, stir" : "=r"(got) : "r"(given) : "t0");
    return got;
}"#;

fn written(seed: u64, together: bool) -> String {
    let mut writer = Writer {
        rng: ChaCha8Rng::seed_from_u64(seed),
        text: String::new(),
        depth: 0,
        labels: 0,
        variables: vec![],
        budget: 0,
        in_loop: false,
        functions: 0,
        pending: None,
        together,
        chained: false,
    };
    writer.program();
    writer.text
}

impl Writer {
    fn line(&mut self, text: impl AsRef<str>) {
        let _ = writeln!(self.text, "{}{}", "    ".repeat(self.depth), text.as_ref());
    }

    fn program(&mut self) {
        self.line(
            "unsigned guard[4];\nunsigned out[1024];\nunsigned count[8];\nunsigned data[64];",
        );
        let words: Vec<String> = (0..64)
            .map(|_| format!("{}u", self.rng.gen::<u32>()))
            .collect();
        self.line(format!(
            "const unsigned table[64] = {{{}}};",
            words.join(", ")
        ));
        if self.together {
            self.line("#include \"weft.h\"\nunsigned shared[2][1024];\nunsigned flag[1024];\nunsigned lock;\nunsigned total;\nunsigned sum[8];");
            self.line(STIR);
            self.many();
        }
        let functions = self.rng.gen_range(0..4);
        for number in 0..functions {
            let keep = [
                "static ",
                "__attribute__((noinline)) static ",
                "__attribute__((noinline)) ",
            ];
            let keep = keep[self.rng.gen_range(0..3)];
            self.line(format!(
                "{keep}unsigned f{number}(unsigned a, unsigned b, unsigned fuel) {{"
            ));
            self.body(&["a", "b"], 12);
            if self.rng.gen_bool(0.4) {
                let (x, y) = (self.expression(2), self.expression(2));
                self.depth += 1;
                self.line(format!(
                    "if (fuel & 7) v0 += f{number}({x}, {y}, (fuel & 7) - 1);"
                ));
                self.depth -= 1;
            }
            self.line("    return v0 ^ v1;\n}");
            self.functions = number + 1;
        }
        if functions > 0 {
            let names: Vec<String> = (0..4).map(|n| format!("f{}", n % functions)).collect();
            self.line(format!(
                "unsigned (*const calls[4])(unsigned, unsigned, unsigned) = {{{}}};",
                names.join(", ")
            ));
        }
        self.line("void kernel(unsigned t, unsigned n) {\n    unsigned fuel = 60;");
        if self.together {
            return self.phases();
        }
        self.body(&["t", "n"], 26);
        self.line("    out[t] = v0 + v1 * 3 + v2 * 5;\n}");
    }

    /// Functions with more arguments than registers, and one of 64 bits.
    fn many(&mut self) {
        self.variables = ('a'..='l').map(String::from).collect();
        for number in 0..2 {
            let arguments: Vec<String> = ('a'..='l').map(|c| format!("unsigned {c}")).collect();
            let condition = self.condition();
            let terms: Vec<String> = (0..3).map(|_| self.expression(2)).collect();
            self.line(format!(
                "static __attribute__((noinline)) unsigned m{number}({}) {{ unsigned v = a ^ (b + c) ^ (d + e) ^ (f + g) ^ (h + i) ^ (j + k) ^ l; if ({condition}) v += {}; return v + {} * {}; }}",
                arguments.join(", "), terms[0], terms[1], terms[2]
            ));
        }
        self.line("static __attribute__((noinline)) unsigned long long wide(unsigned long long a, unsigned b) { return a * b + (a >> 7) - ((unsigned long long)b << 32 | a); }");
        self.variables.clear();
    }

    /// A kernel: between barriers what a thread does alone, with values that live on behind them.
    fn phases(&mut self) {
        self.chained = self.rng.gen_bool(0.3);
        self.body(&["t", "n"], 12);
        self.depth = 1;
        let kept = self.rng.gen_range(0..8);
        for number in 0..kept {
            let value = self.expression(2);
            self.line(format!("unsigned w{number} = {value};"));
            self.variables.push(format!("w{number}"));
        }
        for phase in 0..self.rng.gen_range(1..4) {
            if self.rng.gen_bool(0.5) {
                let rounds = self.rng.gen_range(1..4);
                self.line(format!("for (unsigned r = 0; r < {rounds}; r++) {{"));
                self.exchange(phase);
                self.line("}");
            } else {
                self.exchange(phase);
            }
            if phase == 0 && self.chained {
                self.chain();
            } else if self.rng.gen_bool(0.3) {
                self.critical();
            }
            self.budget = 6;
            for _ in 0..self.rng.gen_range(1..4) {
                self.statement();
            }
            self.close();
        }
        let kept: String = (0..kept)
            .map(|n| format!(" + w{n} * {}", 2 * n + 7))
            .collect();
        self.line(format!("out[t] = v0 + v1 * 3 + v2 * 5{kept};"));
        self.depth = 0;
        self.line("}");
    }

    /// Each thread writes a word, all meet, each reads what others have written.
    fn exchange(&mut self, phase: usize) {
        let (value, index) = (self.expression(2), self.rng.gen_range(1..40));
        let (half, id) = (phase & 1, self.rng.gen_range(0..3));
        self.line(format!("shared[{half}][t] = {value};"));
        self.line(format!("WEFT_BAR_SYNC({id});"));
        let number = self.rng.gen_range(0..3);
        let kind = self.rng.gen_range(0..3);
        match kind {
            0 => self.line(format!("v{number} += shared[{half}][(t + {index}) % n];")),
            1 => {
                let condition = self.condition();
                self.line(format!(
                    "if ({condition}) v{number} ^= shared[{half}][(t * {index}) % n];"
                ));
            }
            _ => self.line(format!(
                "for (unsigned k = 0; k < (t & 7); k++) v{number} += shared[{half}][k % n];"
            )),
        }
        self.line("weft_sync();");
    }

    /// Every thread waits for the one before it.
    fn chain(&mut self) {
        let value = self.expression(1);
        self.line("if (t) while (__atomic_load_n(&flag[t - 1], __ATOMIC_ACQUIRE) == 0) ;");
        self.line(format!("total = total * 3 + ({value});"));
        self.line("v2 += total;");
        self.line("__atomic_store_n(&flag[t], 1, __ATOMIC_RELEASE);");
    }

    /// One thread at a time, in any order.
    fn critical(&mut self) {
        let value = self.expression(1);
        self.line("while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE)) ;");
        self.line(format!("sum[t & 7] += {value};"));
        self.line("__atomic_store_n(&lock, 0, __ATOMIC_RELEASE);");
    }

    /// What only programs of threads that work together have.
    fn special(&mut self) {
        let (a, b, number) = (
            self.expression(1),
            self.expression(1),
            self.rng.gen_range(0..3),
        );
        self.labels += 1;
        let label = self.labels;
        match self.rng.gen_range(0..9) {
            0 => self.line(format!("__asm__ volatile(\"mul %0, %1, %2\\n\\taddi %0, %0, 3\" : \"=&r\"(v{number}) : \"r\"({a}), \"r\"({b}));")),
            1 => self.line(format!("__asm__ volatile(\"mv t1, %1\\n\\tmv a5, %1\\n\\tadd %0, %0, t1\" : \"+r\"(v{number}) : \"r\"({a}) : \"t1\", \"a5\");")),
            2 => self.line(format!("__asm__ volatile(\"bgeu %0, %1, 1f\\n\\taddi %0, %0, 5\\n1:\" : \"+r\"(v{number}) : \"r\"({a}));")),
            3 => self.line(format!("v{number} += stirred({a});")),
            4 => self.line(format!("__asm__ goto(\"bltu %0, %1, %l2\" : : \"r\"({a}), \"r\"({b}) : : jump{label}); v{number} ^= 77; jump{label}:;")),
            5 => {
                let condition = self.condition();
                let mut given: Vec<String> = (0..12).map(|_| self.expression(1)).collect();
                let place = self.rng.gen_range(8..12);
                given[place] = format!("({condition} ? {a} : {b})");
                let function = self.rng.gen_range(0..2);
                self.line(format!("v{number} += m{function}({});", given.join(", ")));
            }
            6 => {
                let by = self.rng.gen_range(3..99);
                self.line(format!("{{ unsigned long long q = ((unsigned long long)v0 << 32 | v1) * {by} + {a};"));
                self.line(format!("if (q > ((unsigned long long){b} << 30)) q -= v2; q = wide(q, {b}); v{number} ^= q ^ q >> 32; }}"));
            }
            7 => {
                self.line(format!("{{ unsigned local[({a} & 7) + 1]; for (unsigned k = 0; k <= ({a} & 7); k++) local[k] = k * v{number} + {b};"));
                self.line(format!("v{number} += local[{b} % (({a} & 7) + 1)]; }}"));
            }
            _ => {
                let to: Vec<String> = (0..3).map(|n| format!("&&case{label}_{n}")).collect();
                self.line(format!("{{ static const void *const to[3] = {{{}}}; goto *to[{a} % 3];", to.join(", ")));
                for n in 0..3 {
                    self.line(format!("case{label}_{n}: v{number} = v{number} * 3 + {n};"));
                }
                self.line("}");
            }
        }
    }

    fn body(&mut self, given: &[&str], budget: i32) {
        self.depth = 1;
        self.variables = given.iter().map(ToString::to_string).collect();
        self.budget = budget;
        for number in 0..3 {
            let value = self.expression(2);
            self.line(format!("unsigned v{number} = {value};"));
            self.variables.push(format!("v{number}"));
        }
        let statements = self.rng.gen_range(2..6);
        for _ in 0..statements {
            self.statement();
        }
        self.close();
        self.depth = 0;
    }

    /// The label that forward gotos wait for.
    fn close(&mut self) {
        if let Some(label) = self.pending.take() {
            self.line(format!("out{label}:;"));
        }
    }

    fn variable(&mut self) -> String {
        let at = self.rng.gen_range(0..self.variables.len());
        self.variables[at].clone()
    }

    fn expression(&mut self, depth: usize) -> String {
        if depth == 0 || self.rng.gen_bool(0.2) {
            return match self.rng.gen_range(0..4) {
                0 => format!("{}u", self.rng.gen_range(0..40)),
                _ => self.variable(),
            };
        }
        let (a, b) = (self.expression(depth - 1), self.expression(depth - 1));
        match self.rng.gen_range(0..10) {
            0 => format!("({a} + {b})"),
            1 => format!("({a} - {b})"),
            2 => format!("({a} * {b})"),
            3 => format!("({a} ^ {b})"),
            4 => format!("({a} & {b})"),
            5 => format!("({a} >> ({b} & 7))"),
            6 => format!("(({a} << 3) + {b})"),
            7 => format!("table[{a} & 63]"),
            8 => format!("({a} < {b} ? {a} : {b})"),
            _ => format!("({a} / (({b} & 7) + 1))"),
        }
    }

    fn condition(&mut self) -> String {
        let (a, b) = (self.expression(1), self.expression(1));
        match self.rng.gen_range(0..6) {
            0 => format!("{a} & 1"),
            1 => format!("{a} % 3 == 0"),
            2 => format!("{a} > {b}"),
            3 => format!("({a} & 3) == ({b} & 3)"),
            4 => format!("{a} & 4 && {b} & 1"),
            _ => format!("{a} & 8 || {b} & 2"),
        }
    }

    fn assign(&mut self) {
        let value = self.expression(2);
        let number = self.rng.gen_range(0..3);
        let how = ["=", "+=", "^="][self.rng.gen_range(0..3)];
        self.line(format!("v{number} {how} {value};"));
    }

    fn block(&mut self, most: usize) {
        self.depth += 1;
        let outside = self.pending.take();
        let statements = self.rng.gen_range(1..=most);
        for _ in 0..statements {
            self.statement();
        }
        self.close();
        self.pending = outside;
        self.depth -= 1;
    }

    fn statement(&mut self) {
        self.budget -= 1;
        if self.budget <= 0 || self.depth > 5 {
            return self.assign();
        }
        if self.together && self.rng.gen_bool(0.2) {
            return self.special();
        }
        match self.rng.gen_range(0..24) {
            0..=5 => self.assign(),
            6..=9 => {
                let condition = self.condition();
                self.line(format!("if ({condition}) {{"));
                self.block(3);
                if self.rng.gen_bool(0.5) {
                    self.line("} else {");
                    self.block(3);
                }
                self.line("}");
            }
            10..=12 => self.counted(),
            13..=14 => self.open_loop(),
            15..=16 => self.switch(),
            17 if self.in_loop => {
                let (condition, what) = (
                    self.condition(),
                    ["break", "continue"][self.rng.gen_range(0..2)],
                );
                self.line(format!("if ({condition}) {what};"));
            }
            18 => {
                let label = self.pending.unwrap_or_else(|| {
                    self.labels += 1;
                    self.labels
                });
                self.pending = Some(label);
                let condition = self.condition();
                self.line(format!("if ({condition}) goto out{label};"));
            }
            19 => {
                // A loop by goto, into the middle of which another goto leads.
                self.labels += 1;
                let label = self.labels;
                let (first, second) = (self.condition(), self.condition());
                self.line(format!("if ({first}) goto middle{label};"));
                self.line(format!("again{label}:;"));
                self.assign();
                self.line(format!("middle{label}:;"));
                self.block(2);
                self.line(format!(
                    "if (fuel && ({second})) {{ fuel--; goto again{label}; }}"
                ));
            }
            20 if self.functions > 0 && self.text.contains("calls[4]") => {
                let (a, b, index) = (self.expression(1), self.expression(1), self.expression(1));
                self.line(format!("v1 += calls[{index} & 3]({a}, {b}, fuel & 3);"));
            }
            21 if self.functions > 0 => {
                let (a, b) = (self.expression(1), self.expression(1));
                let function = self.rng.gen_range(0..self.functions);
                self.line(format!("v2 ^= f{function}({a}, {b}, fuel & 5);"));
            }
            22 => {
                let (index, value) = (self.expression(1), self.expression(1));
                self.line(format!(
                    "__atomic_fetch_add(&count[{index} & 7], {value}, __ATOMIC_RELAXED);"
                ));
            }
            23 if self.depth > 1 && !self.chained && self.rng.gen_bool(0.3) => {
                let condition = self.condition();
                let back = if self.text.contains("void kernel") {
                    "{ out[t] = v1; return; }"
                } else {
                    "return v1;"
                };
                self.line(format!("if ({condition}) {back}"));
            }
            _ => self.assign(),
        }
    }

    fn counted(&mut self) {
        self.labels += 1;
        let (name, end) = (format!("i{}", self.labels), self.expression(1));
        let most = [3, 7, 15][self.rng.gen_range(0..3)];
        self.line(format!(
            "for (unsigned {name} = 0; {name} < (({end}) & {most}); {name}++) {{"
        ));
        self.looped(&name);
    }

    fn open_loop(&mut self) {
        let condition = self.condition();
        self.line(format!("while (fuel && ({condition})) {{"));
        self.depth += 1;
        self.line("fuel--;");
        self.depth -= 1;
        self.looped("fuel");
    }

    fn looped(&mut self, name: &str) {
        let was = std::mem::replace(&mut self.in_loop, true);
        self.variables.push(name.into());
        self.block(3);
        self.variables.pop();
        self.in_loop = was;
        self.line("}");
    }

    fn switch(&mut self) {
        let value = self.expression(1);
        let cases = self.rng.gen_range(2..9);
        self.line(format!("switch (({value}) % {}) {{", cases + 1));
        let was = std::mem::replace(&mut self.in_loop, false);
        for case in 0..cases {
            self.line(format!("case {case}:"));
            self.block(1);
            if self.rng.gen_bool(0.8) {
                self.line("    break;");
            }
        }
        self.in_loop = was;
        self.line("default: v0++;\n}");
    }
}
