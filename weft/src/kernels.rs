//! The kernels in `kernels/`: sources, inputs, outputs, and what must come out, worked out here without any engine.

use std::collections::BTreeMap;
use weft_isa::Program;
use weft_sim::{Config, Memory};

/// What a kernel is compiled or assembled from, with its data, inside this program.
pub struct Kernel {
    pub name: &'static str,
    /// What it shows, for the demo's table.
    pub shows: &'static str,
    /// File name in `kernels/` and text.
    pub source: (&'static str, &'static str),
    /// Symbol, file name in `kernels/data/` and contents.
    pub inputs: &'static [(&'static str, &'static str, &'static [u8])],
    /// Symbol and bytes of every output.
    pub outputs: &'static [(&'static str, u32)],
    /// Threads do not race: registers and all of memory are the same however the threads are scheduled.
    pub race_free: bool,
    /// Outputs that depend on who came first; they are checked, but may differ between engines.
    pub order_dependent: &'static [&'static str],
    /// Compares the outputs with what the inputs say. Independent of all engines.
    pub check: fn(&Outputs) -> Result<(), String>,
}

impl Kernel {
    /// Whether what must come out stands in this memory, at the end of a run of this shape.
    pub fn check_memory(
        &self,
        program: &Program,
        machine: &Config,
        memory: &Memory,
    ) -> Result<(), String> {
        (self.check)(&Outputs {
            warps: machine.warps as u32,
            width: machine.threads as u32,
            grid: machine.grid_size(),
            lengths: self.outputs,
            bytes: &|symbol, length| read(program, memory, symbol, length),
        })
    }
}

/// So many bytes of memory from a symbol on.
pub fn read(
    program: &Program,
    memory: &Memory,
    symbol: &str,
    length: u32,
) -> Result<Vec<u8>, String> {
    let address = program.symbols.get(symbol);
    let &address = address.ok_or_else(|| format!("there is no symbol `{symbol}`"))?;
    let bytes = memory.slice(address..address + length);
    bytes
        .map(<[u8]>::to_vec)
        .ok_or_else(|| format!("`{symbol}` lies outside memory"))
}

/// Bytes of memory by symbol and length.
pub type Read<'a> = dyn Fn(&str, u32) -> Result<Vec<u8>, String> + 'a;

/// The shape of a run and a way to read what it left in memory.
pub struct Outputs<'a> {
    pub warps: u32,
    /// Threads per warp.
    pub width: u32,
    /// Threads in the grid.
    pub grid: u32,
    /// Symbol and bytes of every output.
    pub lengths: &'a [(&'static str, u32)],
    pub bytes: &'a Read<'a>,
}

impl Outputs<'_> {
    /// All words of an output.
    pub fn all(&self, symbol: &str) -> Result<Vec<u32>, String> {
        let length = self.lengths.iter().find(|(name, _)| *name == symbol);
        let (_, length) = length.ok_or_else(|| format!("`{symbol}` is no output"))?;
        self.words(symbol, length / 4)
    }

    pub fn words(&self, symbol: &str, count: u32) -> Result<Vec<u32>, String> {
        let bytes = (self.bytes)(symbol, 4 * count)?;
        Ok(bytes
            .chunks_exact(4)
            .map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
            .collect())
    }

    /// Threads of the grid that are in this warp.
    fn threads_of(&self, warp: u32) -> u32 {
        self.grid.saturating_sub(warp * self.width).min(self.width)
    }
}

/// Most threads that the kernels have room for.
pub const MOST_THREADS: u32 = 1024;

/// The input of the kernels about letters and words.
const TEXT: &[(&str, &str, &[u8])] = &[("text", "gettysburg", GETTYSBURG)];
const GETTYSBURG: &[u8] = include_bytes!("../../kernels/data/gettysburg");

pub const KERNELS: &[Kernel] = &[
    Kernel {
        name: "spin_lock",
        shows: "lock whose critical section follows the reconvergence point",
        source: ("spin_lock.asm", include_str!("../../kernels/spin_lock.asm")),
        inputs: &[],
        outputs: &[("entered", 4 * 32), ("order", 4 * MOST_THREADS)],
        race_free: false,
        order_dependent: &["order"],
        check: spin_lock,
    },
    Kernel {
        name: "lockht",
        shows: "hash table with a lock per bucket, words of a text",
        source: ("lockht.s", include_str!("../../kernels/lockht.s")),
        inputs: TEXT,
        outputs: &[
            ("words", 4 * BUCKETS),
            ("occurrences", 4 * BUCKETS),
            ("head", 4 * BUCKETS),
            ("next", 4 * (ROOM + 1)),
            ("count", 4 * (ROOM + 1)),
        ],
        race_free: false,
        order_dependent: &["head", "next", "count"],
        check: lockht,
    },
    Kernel {
        name: "lclist",
        shows: "sorted list locked hand over hand, people of a real graph",
        source: ("lclist.s", include_str!("../../kernels/lclist.s")),
        inputs: &[
            (
                "rows",
                "karate_rows.txt",
                include_bytes!("../../kernels/data/karate_rows.txt"),
            ),
            (
                "columns",
                "karate_columns.txt",
                include_bytes!("../../kernels/data/karate_columns.txt"),
            ),
        ],
        outputs: &[
            ("next", 4 * (PEOPLE + 2)),
            ("count", 4 * (PEOPLE + 2)),
            ("entered", 4),
            ("removed", 4),
        ],
        race_free: false,
        order_dependent: &["entered", "removed"],
        check: lclist,
    },
    Kernel {
        name: "rangelock",
        shows: "16 locks held at once, a token for each: a deep deque",
        source: ("rangelock.s", include_str!("../../kernels/rangelock.s")),
        inputs: TEXT,
        outputs: &[("density", 4 * CELLS), ("worked", 4)],
        race_free: false,
        order_dependent: &[],
        check: rangelock,
    },
    Kernel {
        name: "nested",
        shows: "nested loops and if/else, break and continue across levels",
        source: ("nested.asm", include_str!("../../kernels/nested.asm")),
        inputs: &[],
        outputs: &[("result", 4 * MOST_THREADS)],
        race_free: true,
        order_dependent: &[],
        check: nested,
    },
    Kernel {
        name: "calls",
        shows: "recursion, calls through a table, long jump",
        source: ("calls.asm", include_str!("../../kernels/calls.asm")),
        inputs: &[],
        outputs: &[("result", 4 * MOST_THREADS)],
        race_free: true,
        order_dependent: &[],
        check: calls,
    },
    Kernel {
        name: "recursion",
        shows: "C with two tokens: recursion through a table of functions",
        source: ("recursion.s", include_str!("../../kernels/recursion.s")),
        inputs: &[],
        outputs: &[("result", 4 * MOST_THREADS)],
        race_free: true,
        order_dependent: &[],
        check: recursion,
    },
    Kernel {
        name: "collatz",
        shows: "plain C from GCC: data-dependent trip counts",
        source: ("collatz.s", include_str!("../../kernels/collatz.s")),
        inputs: &[],
        outputs: &[("steps", 4 * MOST_THREADS)],
        race_free: true,
        order_dependent: &[],
        check: collatz,
    },
    Kernel {
        name: "collatz_tokens",
        shows: "the same with three tokens from weft.h",
        source: (
            "collatz_tokens.s",
            include_str!("../../kernels/collatz_tokens.s"),
        ),
        inputs: &[],
        outputs: &[("steps", 4 * MOST_THREADS)],
        race_free: true,
        order_dependent: &[],
        check: collatz,
    },
    Kernel {
        name: "gcd",
        shows: "plain C from GCC: Euclid's algorithm on a file of pairs",
        source: ("gcd.s", include_str!("../../kernels/gcd.s")),
        inputs: &[(
            "pairs",
            "pairs.txt",
            include_bytes!("../../kernels/data/pairs.txt"),
        )],
        outputs: &[("divisor", 4 * MOST_THREADS)],
        race_free: true,
        order_dependent: &[],
        check: gcd,
    },
    Kernel {
        name: "bfs",
        shows: "plain C from GCC: breadth-first search on a real graph",
        source: ("bfs.s", include_str!("../../kernels/bfs.s")),
        inputs: &[
            (
                "rows",
                "karate_rows.txt",
                include_bytes!("../../kernels/data/karate_rows.txt"),
            ),
            (
                "columns",
                "karate_columns.txt",
                include_bytes!("../../kernels/data/karate_columns.txt"),
            ),
        ],
        outputs: &[("distance", PEOPLE * PEOPLE)],
        race_free: true,
        order_dependent: &[],
        check: bfs,
    },
    Kernel {
        name: "histogram",
        shows: "plain C from GCC: letters of a text, atomic adds",
        source: ("histogram.s", include_str!("../../kernels/histogram.s")),
        inputs: TEXT,
        outputs: &[("letters", 4 * 26), ("others", 4), ("longest", 4)],
        race_free: false,
        order_dependent: &[],
        check: histogram,
    },
];

/// Kernels with barriers: for the golden machine and for the whole core.
pub const BARRIER_KERNELS: &[Kernel] = &[
    Kernel {
        name: "bar_compact",
        shows: "ordered section that appends to a list: as the sequential program, byte for byte",
        source: (
            "bar_compact.asm",
            include_str!("../../kernels/bar_compact.asm"),
        ),
        inputs: TEXT,
        outputs: &[("letters", 2048), ("length", 4)],
        race_free: false,
        order_dependent: &[],
        check: bar_compact,
    },
    Kernel {
        name: "bar_histogram",
        shows: "section as a lock, letters of a text",
        source: (
            "bar_histogram.asm",
            include_str!("../../kernels/bar_histogram.asm"),
        ),
        inputs: TEXT,
        outputs: &[("counts", 4 * 26)],
        race_free: false,
        order_dependent: &[],
        check: bar_histogram,
    },
    Kernel {
        name: "bar_reduce",
        shows: "sum in a tree, a barrier between its levels",
        source: (
            "bar_reduce.asm",
            include_str!("../../kernels/bar_reduce.asm"),
        ),
        inputs: &[],
        outputs: &[("sum", 4)],
        race_free: false,
        order_dependent: &[],
        check: bar_reduce,
    },
    Kernel {
        name: "bar_pipeline",
        shows: "two warps with arrive and wait",
        source: (
            "bar_pipeline.asm",
            include_str!("../../kernels/bar_pipeline.asm"),
        ),
        inputs: &[],
        outputs: &[("sums", 4 * 64)],
        race_free: false,
        order_dependent: &[],
        check: bar_pipeline,
    },
    Kernel {
        name: "bar_resource",
        shows: "exclusive sections of two barriers, one resource",
        source: (
            "bar_resource.asm",
            include_str!("../../kernels/bar_resource.asm"),
        ),
        inputs: &[],
        outputs: &[("log", 8 * MOST_THREADS)],
        race_free: false,
        order_dependent: &["log"],
        check: bar_resource,
    },
    Kernel {
        name: "bar_blocks",
        shows: "C with a section, one for some threads, arrive and wait, weft_sync",
        source: ("bar_blocks.s", include_str!("../../kernels/bar_blocks.s")),
        inputs: TEXT,
        outputs: &[
            ("letters", 2048),
            ("total", 4),
            ("vowels", 4),
            ("first", 4),
            ("seen", 4 * MOST_THREADS),
        ],
        race_free: false,
        order_dependent: &[],
        check: bar_blocks,
    },
    Kernel {
        name: "bar_bump",
        shows: "impatient barrier that keeps warps on the same line",
        source: ("bar_bump.asm", include_str!("../../kernels/bar_bump.asm")),
        inputs: TEXT,
        outputs: &[("sums", 4 * MOST_THREADS)],
        // It changes only when a thread comes by.
        race_free: true,
        order_dependent: &[],
        check: bar_bump,
    },
];

/// Whether the kernel of this name has barriers.
pub fn waits(name: &str) -> bool {
    BARRIER_KERNELS.iter().any(|k| k.name == name)
}

/// The kernel of this name.
pub fn find(name: &str) -> Option<&'static Kernel> {
    let mut all = KERNELS.iter().chain(BARRIER_KERNELS);
    all.find(|k| k.name == name)
}

fn same(what: &str, want: u32, got: u32) -> Result<(), String> {
    if want == got {
        Ok(())
    } else {
        Err(format!("{what} is {got}, must be {want}"))
    }
}

fn per_thread(outputs: &Outputs, symbol: &str, want: impl Fn(u32) -> u32) -> Result<(), String> {
    let got = outputs.words(symbol, outputs.grid)?;
    (0..)
        .zip(got)
        .try_for_each(|(thread, got)| same(&format!("{symbol}[{thread}]"), want(thread), got))
}

fn spin_lock(outputs: &Outputs) -> Result<(), String> {
    let entered = outputs.words("entered", outputs.warps)?;
    let order = outputs.words("order", outputs.grid)?;
    for warp in 0..outputs.warps {
        let threads = outputs.threads_of(warp);
        same(&format!("entered[{warp}]"), threads, entered[warp as usize])?;
        let first = (warp * outputs.width) as usize;
        let mut places = order[first.min(order.len())..][..threads as usize].to_vec();
        places.sort_unstable();
        if places != (0..threads).collect::<Vec<_>>() {
            return Err(format!(
                "warp {warp} was in its critical section in the order {places:?}"
            ));
        }
    }
    Ok(())
}

/// Where the words of a text begin, and the words in small letters.
fn words_of(text: &[u8]) -> Vec<(usize, Vec<u8>)> {
    let pieces = text.split(|b| !b.is_ascii_alphabetic());
    let mut at = 0;
    let placed = pieces.map(|piece| {
        let start = at;
        at += piece.len() + 1;
        (start, piece.to_ascii_lowercase())
    });
    placed.filter(|(_, word)| !word.is_empty()).collect()
}

const ROOM: u32 = 4096;
const BUCKETS: u32 = 16;

fn lockht(outputs: &Outputs) -> Result<(), String> {
    let text = GETTYSBURG;
    let placed = words_of(text);
    let mut want = vec![BTreeMap::<&[u8], u32>::new(); BUCKETS as usize];
    for (_, word) in &placed {
        let hash = word.iter().fold(2_166_136_261, |hash: u32, byte| {
            (hash ^ u32::from(byte - b'a')).wrapping_mul(16_777_619)
        });
        let bucket = (hash >> 16) % BUCKETS;
        *want[bucket as usize].entry(word).or_default() += 1;
    }
    let words = outputs.words("words", BUCKETS)?;
    let occurrences = outputs.words("occurrences", BUCKETS)?;
    let head = outputs.words("head", BUCKETS)?;
    let next = outputs.words("next", ROOM + 1)?;
    let count = outputs.words("count", ROOM + 1)?;
    for (bucket, want) in want.iter().enumerate() {
        let (different, all) = (want.len() as u32, want.values().sum());
        same(&format!("words[{bucket}]"), different, words[bucket])?;
        same(&format!("occurrences[{bucket}]"), all, occurrences[bucket])?;
        let mut node = head[bucket] as usize;
        let mut chained = BTreeMap::new();
        while node != 0 {
            let word = placed.iter().find(|(start, _)| start + 1 == node);
            let (_, word) = word.ok_or_else(|| format!("no word begins at node {node}"))?;
            if chained.insert(&word[..], count[node]).is_some() {
                return Err(format!("bucket {bucket} has node {node} or its word twice"));
            }
            node = next[node] as usize;
        }
        if chained != *want {
            return Err(format!(
                "bucket {bucket} counts {chained:?}, must count {want:?}"
            ));
        }
    }
    Ok(())
}

fn lclist(outputs: &Outputs) -> Result<(), String> {
    const LAST: u32 = PEOPLE + 1;
    let (rows, columns) = (
        input_words("lclist", "rows"),
        input_words("lclist", "columns"),
    );
    let friends = |v: u32| &columns[rows[v as usize] as usize..rows[v as usize + 1] as usize];
    let others = |v: &u32| !friends(0).contains(v);
    let next = outputs.words("next", LAST + 1)?;
    let count = outputs.words("count", LAST + 1)?;
    let mut before = 0;
    for person in 0..PEOPLE {
        let node = person + 1;
        let want = friends(person).iter().copied().filter(others).count() as u32;
        same(&format!("count[{node}]"), want, count[node as usize])?;
        if want == 0 {
            same(&format!("next[{node}]"), 0, next[node as usize])?;
        } else {
            same(&format!("next[{before}]"), node, next[before as usize])?;
            before = node;
        }
    }
    same(&format!("next[{before}]"), LAST, next[before as usize])?;
    let listed = count.iter().filter(|&&count| count != 0).count() as u32;
    let (entered, removed) = (
        outputs.words("entered", 1)?[0],
        outputs.words("removed", 1)?[0],
    );
    same("entered - removed", listed, entered.wrapping_sub(removed))
}

const CELLS: u32 = 64;

fn rangelock(outputs: &Outputs) -> Result<(), String> {
    let text = GETTYSBURG;
    let long = words_of(text).into_iter().filter(|(_, w)| w.len() >= 7);
    let places: Vec<u32> = long.map(|(start, _)| start as u32 / 24).collect();
    let density = outputs.words("density", CELLS)?;
    for (cell, got) in (0..).zip(density) {
        // 8 for the word's own cell and the one before it, 7 for their neighbours and so on.
        let bell = |place: &u32| match (cell + CELLS - place % CELLS) % CELLS {
            behind @ 0..8 => 8 - behind,
            ahead => 9u32.saturating_sub(CELLS - ahead),
        };
        let want = places.iter().map(bell).sum();
        same(&format!("density[{cell}]"), want, got)?;
    }
    let worked = outputs.words("worked", 1)?[0];
    same("the number of long words", places.len() as u32, worked)
}

fn nested(outputs: &Outputs) -> Result<(), String> {
    per_thread(outputs, "result", |thread| {
        let mut acc = 0u32;
        'out: for i in 0..(thread & 7) + 3 {
            let mut x = thread.wrapping_mul(2_654_435_761).wrapping_add(i * 40_503);
            x ^= x >> 15;
            if x % 3 == 0 {
                continue;
            }
            for j in 0.. {
                x = x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                if x >> 28 < 2 {
                    break;
                }
                if x & 0x100 != 0 {
                    acc = acc.wrapping_add(x >> 16);
                    if x & 0x200 != 0 {
                        continue;
                    }
                    acc ^= j;
                } else {
                    acc = acc.rotate_left(1).wrapping_add(j);
                }
                if j == 20 {
                    break 'out;
                }
            }
            acc = if acc & 1 != 0 {
                acc.wrapping_add(i)
            } else {
                acc.wrapping_sub(x)
            };
        }
        acc
    })
}

fn calls(outputs: &Outputs) -> Result<(), String> {
    /// Calls that a naive Fibonacci(n) makes, itself included.
    fn nodes(n: u32) -> u32 {
        let (mut previous, mut this) = (1, 1);
        for _ in 1..n {
            (previous, this) = (this, 1 + this + previous);
        }
        this
    }
    per_thread(outputs, "result", |thread| {
        let n = thread.wrapping_mul(7) & 15;
        match thread & 3 {
            0 => n * (n + 1) / 2,
            1 => (1..=n).fold(1, u32::wrapping_mul),
            2 => nodes(n % 10),
            _ => 1000 + n,
        }
    })
}

fn recursion(outputs: &Outputs) -> Result<(), String> {
    fn fibonacci(n: u32) -> u32 {
        (0..n).fold((0, 1), |(a, b), _| (b, a + b)).0
    }
    /// By counting the ways to use each part size in turn.
    fn partitions(n: usize) -> u32 {
        let mut ways = vec![0; n + 1];
        ways[0] = 1;
        for part in 1..=n {
            for sum in part..=n {
                ways[sum] += ways[sum - part];
            }
        }
        ways[n]
    }
    per_thread(outputs, "result", |thread| {
        let n = thread / 4 % 8;
        match thread % 4 {
            0 => fibonacci(n + 3),
            1 => 2 * n + 3,
            2 => partitions(n as usize + 5),
            _ => 3u32.pow(n + 1),
        }
    })
}

fn collatz(outputs: &Outputs) -> Result<(), String> {
    per_thread(outputs, "steps", |thread| {
        std::iter::successors(Some(thread + 1), |&v| {
            (v != 1).then(|| if v % 2 == 0 { v / 2 } else { 3 * v + 1 })
        })
        .count() as u32
            - 1
    })
}

fn gcd(outputs: &Outputs) -> Result<(), String> {
    /// By subtraction and halving, not by Euclid's division.
    fn binary(mut a: u32, mut b: u32) -> u32 {
        if a == 0 || b == 0 {
            return a | b;
        }
        let shift = (a | b).trailing_zeros();
        a >>= a.trailing_zeros();
        while b != 0 {
            b >>= b.trailing_zeros();
            (a, b) = (a.min(b), a.abs_diff(b));
        }
        a << shift
    }
    let pairs = input_words("gcd", "pairs");
    per_thread(outputs, "divisor", |thread| {
        match pairs.get(2 * thread as usize..2 * thread as usize + 2) {
            Some(pair) => binary(pair[0], pair[1]),
            None => 0,
        }
    })
}

const PEOPLE: u32 = 34;

fn bfs(outputs: &Outputs) -> Result<(), String> {
    const N: usize = PEOPLE as usize;
    let (rows, columns) = (input_words("bfs", "rows"), input_words("bfs", "columns"));
    let mut far = [[255u32; N]; N];
    for v in 0..N {
        far[v][v] = 0;
        for &next in &columns[rows[v] as usize..rows[v + 1] as usize] {
            far[v][next as usize] = 1;
        }
    }
    for via in 0..N {
        for from in 0..N {
            for to in 0..N {
                far[from][to] = far[from][to].min(far[from][via] + far[via][to]);
            }
        }
    }
    let got = (outputs.bytes)("distance", PEOPLE * PEOPLE)?;
    for from in 0..N {
        for to in 0..N {
            same(
                &format!("distance[{from}][{to}]"),
                far[from][to],
                u32::from(got[from * N + to]),
            )?;
        }
    }
    Ok(())
}

/// How often each letter is in the text.
fn letters(outputs: &Outputs, symbol: &str) -> Result<(), String> {
    for (letter, got) in (b'a'..=b'z').zip(outputs.words(symbol, 26)?) {
        let of = |b: &&u8| b.to_ascii_lowercase() == letter;
        let want = GETTYSBURG.iter().filter(of).count() as u32;
        same(&format!("the number of {}", char::from(letter)), want, got)?;
    }
    Ok(())
}

fn histogram(outputs: &Outputs) -> Result<(), String> {
    let text = GETTYSBURG;
    letters(outputs, "letters")?;
    let others = text.iter().filter(|b| !b.is_ascii_alphabetic()).count() as u32;
    same(
        "the number of other bytes",
        others,
        outputs.words("others", 1)?[0],
    )?;
    let longest = text
        .split(|b| !b.is_ascii_alphabetic())
        .map(<[u8]>::len)
        .max()
        .unwrap_or(0) as u32;
    same("the longest word", longest, outputs.words("longest", 1)?[0])
}

fn bar_compact(outputs: &Outputs) -> Result<(), String> {
    let letters = GETTYSBURG.iter().filter(|b| b.is_ascii_alphabetic());
    let letters: Vec<u8> = letters.copied().collect();
    let length = letters.len() as u32;
    same("the length", length, outputs.words("length", 1)?[0])?;
    match (outputs.bytes)("letters", length)? == letters {
        true => Ok(()),
        false => Err("the letters are not those of the text, in their order".into()),
    }
}

fn bar_histogram(outputs: &Outputs) -> Result<(), String> {
    letters(outputs, "counts")
}

fn bar_reduce(outputs: &Outputs) -> Result<(), String> {
    let want = (0..outputs.grid).map(|t| t * t + 1).sum();
    same("the sum", want, outputs.words("sum", 1)?[0])
}

/// Needs two whole warps.
fn bar_pipeline(outputs: &Outputs) -> Result<(), String> {
    let squares: u32 = (0..32).map(|round| round * round).sum();
    let sums = outputs.words("sums", outputs.width)?;
    for (lane, got) in (0..).zip(sums) {
        same(
            &format!("the sum of lane {lane}"),
            (lane + 1) * squares,
            got,
        )?;
    }
    Ok(())
}

fn bar_resource(outputs: &Outputs) -> Result<(), String> {
    let log = outputs.words("log", 2 * outputs.grid)?;
    if let Some(pair) = log.chunks(2).find(|pair| pair[0] != pair[1]) {
        return Err(format!(
            "threads {} and {} had it at once",
            pair[0], pair[1]
        ));
    }
    for odd in [0, 1] {
        let of = |t: &u32| t % 2 == odd;
        let order: Vec<u32> = log.chunks(2).map(|p| p[0]).filter(of).collect();
        if !order.iter().copied().eq((0..outputs.grid).filter(of)) {
            return Err(format!("not in order: {order:?}"));
        }
    }
    Ok(())
}

fn bar_blocks(outputs: &Outputs) -> Result<(), String> {
    let text = GETTYSBURG.iter().map(u8::to_ascii_lowercase);
    let letters: Vec<u8> = text.clone().filter(u8::is_ascii_lowercase).collect();
    let total = letters.len() as u32;
    same("the total", total, outputs.words("total", 1)?[0])?;
    if (outputs.bytes)("letters", total)? != letters {
        return Err("the letters are not those of the text, in their order".into());
    }
    let vowels = text.enumerate().filter(|(_, b)| b"aeiou".contains(b));
    let vowels: Vec<usize> = vowels.map(|(at, _)| at).collect();
    same(
        "the number of vowels",
        vowels.len() as u32,
        outputs.words("vowels", 1)?[0],
    )?;
    let first = vowels[0] as u32 / 2048u32.div_ceil(outputs.grid);
    same(
        "the first with a vowel",
        first,
        outputs.words("first", 1)?[0],
    )?;
    per_thread(outputs, "seen", |_| total)
}

fn bar_bump(outputs: &Outputs) -> Result<(), String> {
    let word = |bytes: &[u8]| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    let words: Vec<u32> = GETTYSBURG.chunks_exact(4).map(word).collect();
    let lines = &words[..23 * 16];
    per_thread(outputs, "sums", |t| {
        let column = lines.iter().skip(t as usize % 16).step_by(16);
        column.fold(0u32, |sum, &w| sum.wrapping_add(w.wrapping_mul(4)))
    })
}

/// The words of a kernel's input.
pub fn input_words(kernel: &str, symbol: &str) -> Vec<u32> {
    let input = find(kernel).and_then(|k| k.inputs.iter().find(|i| i.0 == symbol));
    let bytes = input.map_or(Vec::new(), |&(_, file, contents)| {
        super::data::memory_bytes(file, contents).unwrap_or_default()
    });
    bytes
        .chunks_exact(4)
        .map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_that_nobody_wrote_is_wrong() {
        for kernel in KERNELS.iter().chain(BARRIER_KERNELS) {
            let zeros = |_: &str, length: u32| Ok(vec![0; length as usize]);
            let outputs = Outputs {
                warps: 8,
                width: 8,
                grid: 64,
                lengths: kernel.outputs,
                bytes: &zeros,
            };
            assert!((kernel.check)(&outputs).is_err(), "{}", kernel.name);
        }
    }

    #[test]
    fn data_have_the_sizes_that_the_kernels_declare() {
        assert_eq!(input_words("gcd", "pairs").len(), 128);
        let (rows, columns) = (input_words("bfs", "rows"), input_words("bfs", "columns"));
        assert_eq!((rows.len(), columns.len()), (35, 156));
        assert_eq!(rows[34], 156);
        for kernel in ["histogram", "lockht", "rangelock"] {
            let text = find(kernel).unwrap().inputs[0].2;
            assert!(text.len() < ROOM as usize && !text.contains(&0));
        }
    }

    #[test]
    fn friendship_is_mutual() {
        let (rows, columns) = (input_words("bfs", "rows"), input_words("bfs", "columns"));
        let friends = |v: u32| &columns[rows[v as usize] as usize..rows[v as usize + 1] as usize];
        for v in 0..PEOPLE {
            assert!(
                friends(v)
                    .iter()
                    .all(|&w| w != v && friends(w).contains(&v)),
                "{v}"
            );
        }
    }
}
