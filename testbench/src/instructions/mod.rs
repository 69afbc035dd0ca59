//! Each instruction with edge operands, on any engine, against what an independent simulator gives (`expected.txt`,
//! made by `make.py` with Unicorn). Neither `weft_sim::lane` nor Weft's encoder has a part in what is expected.

use std::fmt::Write as _;
use weft_isa::{assemble, Program, Segment};
use weft_sim::Memory;

/// A line of the table.
struct Line {
    form: char,
    name: &'static str,
    word: u32,
    rest: Vec<u32>,
}

/// One execution.
struct Row {
    /// x1 (with memory: relative to the thread's own words), x2, the two words before.
    given: [u32; 4],
    /// x3, the two words after, whether it has not branched.
    expected: [u32; 4],
}

/// All of the table as a program: each thread executes its share of the rows, or all of them.
pub struct Instructions {
    lines: Vec<Line>,
    edges: Vec<u32>,
    memory: [u32; 2],
}

/// Where the rows are, 64 bytes each; before them 4 bytes for each thread, and 16 bytes of its own.
const ROWS: u32 = 0x4_0000;
const SUMS: u32 = 0x3_0000;
const OWN: u32 = 0x3_4000;
const X3: u32 = 0x5a5a_5a5a;
/// Most threads of a run.
pub const MOST_THREADS: u32 = 2048;
/// End of memory of a run.
pub const MEMORY: u32 = 0x10_0000;

impl Default for Instructions {
    fn default() -> Instructions {
        Instructions::new(include_str!("expected.txt"))
    }
}

impl Instructions {
    /// # Panics
    /// When it is no such table.
    pub fn new(table: &'static str) -> Instructions {
        let number = |text: &str| u32::from_str_radix(text, 16).expect("a hexadecimal number");
        let mut all = Instructions {
            lines: Vec::new(),
            edges: Vec::new(),
            memory: [0; 2],
        };
        for line in table.lines().filter(|l| !l.starts_with('#')) {
            let mut words = line.split(' ');
            match words.next().expect("a form") {
                "edges" => all.edges = words.map(number).collect(),
                "memory" => {
                    let list: Vec<u32> = words.map(number).collect();
                    all.memory = [list[0], list[1]];
                }
                form => all.lines.push(Line {
                    form: form.chars().next().expect("a form"),
                    name: words.next().expect("a name"),
                    word: number(words.next().expect("a word")),
                    rest: words.map(number).collect(),
                }),
            }
        }
        all
    }

    /// Names of the instructions, in the order of the table.
    pub fn names(&self) -> Vec<&'static str> {
        let mut names: Vec<_> = self.lines.iter().map(|l| l.name).collect();
        names.dedup();
        names
    }

    fn rows(&self, line: &Line) -> Vec<Row> {
        let row = |x1, x2, memory: [u32; 2], x3, after: [u32; 2], stays| Row {
            given: [x1, x2, memory[0], memory[1]],
            expected: [x3, after[0], after[1], stays],
        };
        let pairs = || {
            let each = self.edges.iter();
            each.flat_map(|&a| self.edges.iter().map(move |&b| (a, b)))
        };
        let plain = |x1, x2, x3| row(x1, x2, [0; 2], x3, [0; 2], 1);
        let rest = &line.rest;
        match line.form {
            'r' => pairs()
                .zip(rest)
                .map(|((a, b), &x3)| plain(a, b, x3))
                .collect(),
            'i' => self
                .edges
                .iter()
                .zip(rest)
                .map(|(&a, &x3)| plain(a, 0, x3))
                .collect(),
            'u' => vec![plain(0, 0, rest[0])],
            'b' => pairs()
                .zip(rest)
                .map(|((a, b), &taken)| row(a, b, [0; 2], X3, [0; 2], taken))
                .collect(),
            'l' => {
                let base = rest[0].wrapping_sub(offset_of_load(line.word));
                vec![row(base, 0, self.memory, rest[1], self.memory, 1)]
            }
            's' => {
                let base = rest[0].wrapping_sub(offset_of_store(line.word));
                let after = rest[1..].chunks(2);
                self.edges
                    .iter()
                    .zip(after)
                    .map(|(&b, after)| row(base, b, self.memory, X3, [after[0], after[1]], 1))
                    .collect()
            }
            'a' => pairs()
                .zip(rest[1..].chunks(2))
                .map(|((m, b), out)| row(0, b, [m, 0], out[0], [out[1], 0], 1))
                .collect(),
            other => panic!("form {other}"),
        }
    }

    /// `everywhere`: each thread executes all rows, and only the sums say whether it is right.
    pub fn program(&self, everywhere: bool) -> Program {
        let mut text = format!(
            "csrr x27, wtid\n slli x30, x27, 4\n li x5, {OWN}\n add x30, x30, x5\n li x9, {X3}\n li x8, 0\n csrr x26, wsize\n"
        );
        let mut bytes = Vec::new();
        text += match everywhere {
            true => "li x25, 0\n li x29, 64\n",
            false => "slli x25, x27, 6\n slli x29, x26, 6\n",
        };
        for (n, line) in self.lines.iter().enumerate() {
            let start = ROWS + bytes.len() as u32;
            for row in self.rows(line) {
                let words = row.given.iter().chain(&row.expected);
                bytes.extend(words.flat_map(|w| w.to_le_bytes()));
                bytes.extend([0; 32]);
            }
            let end = ROWS + bytes.len() as u32;
            self.code(&mut text, n, line, (start, end));
        }
        let _ = write!(
            text,
            "slli x27, x27, 2\n li x5, {SUMS}\n add x5, x5, x27\n sw x8, 0(x5)\n exit\n"
        );
        let mut program = assemble(&text, "instructions").unwrap_or_else(|e| panic!("{e}"));
        program.segments.push(Segment {
            address: ROWS,
            bytes,
        });
        program
    }

    fn code(&self, text: &mut String, n: usize, line: &Line, (start, end): (u32, u32)) {
        let accesses = matches!(line.form, 'l' | 's' | 'a');
        let own = if accesses { "add x1, x1, x30" } else { "" };
        // x4 = 1, unless the instruction after this one is executed.
        let after = match (line.form, line.name) {
            ('b', _) => "addi x4, x0, 0",
            (_, "auipc") => "sub x3, x3, x7\n addi x3, x3, -4",
            _ => "",
        };
        let word = line.word;
        let _ = write!(
            text,
            "li x31, {start}\n add x31, x31, x25\n li x28, {end}\n bgeu x31, x28, past{n}
            row{n}: lw x1, 0(x31)\n lw x2, 4(x31)\n lw x5, 8(x31)\n lw x6, 12(x31)
            sw x5, 0(x30)\n sw x6, 4(x30)\n {own}
            mv x3, x9\n li x4, 1\n auipc x7, 0\n .word {word:#x}\n {after}
            lw x5, 0(x30)\n lw x6, 4(x30)
            sw x3, 32(x31)\n sw x5, 36(x31)\n sw x6, 40(x31)\n sw x4, 44(x31)
            lw x7, 16(x31)\n xor x7, x7, x3\n or x8, x8, x7
            lw x7, 20(x31)\n xor x7, x7, x5\n or x8, x8, x7
            lw x7, 24(x31)\n xor x7, x7, x6\n or x8, x8, x7
            lw x7, 28(x31)\n xor x7, x7, x4\n or x8, x8, x7
            add x31, x31, x29\n bltu x31, x28, row{n}\n past{n}:\n"
        );
    }

    /// What has come out wrong, in this memory at the end of a run with so many threads.
    ///
    /// # Errors
    /// The first instruction that differs, with its operands.
    pub fn check(&self, memory: &Memory, threads: u32) -> Result<(), String> {
        let mut at = ROWS;
        for line in &self.lines {
            for row in self.rows(line) {
                let seen: Result<Vec<u32>, _> =
                    (0..4).map(|n| memory.read_u32(at + 32 + 4 * n)).collect();
                let seen = seen.map_err(|e| e.to_string())?;
                if seen != row.expected {
                    let (name, word) = (line.name, line.word);
                    return Err(format!(
                        "{name} ({word:#010x}) with x1, x2 and memory {:x?}: x3, memory and whether it goes on are {seen:x?}, must be {:x?}",
                        row.given, row.expected
                    ));
                }
                at += 64;
            }
        }
        for thread in 0..threads {
            let sum = memory.read_u32(SUMS + 4 * thread);
            if sum != Ok(0) {
                return Err(format!("thread {thread} has seen a difference: {sum:x?}"));
            }
        }
        Ok(())
    }
}

fn offset_of_load(word: u32) -> u32 {
    (word as i32 >> 20) as u32
}

fn offset_of_store(word: u32) -> u32 {
    ((word as i32 >> 25 << 5) as u32) | (word >> 7 & 31)
}
