//! Assembly that has been spoiled: cut off, with lines gone, doubled and in another order, with other bytes and other
//! words; and what is no assembly at all. For the reader (COMP-011).

use super::{graphs, kernels};
use rand::seq::SliceRandom as _;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Words that mean something in many places.
const WORDS: [&str; 32] = [
    "",
    ":",
    ",",
    ";",
    "(",
    ")",
    "\"",
    "#",
    "/*",
    "*/",
    "-1",
    "0x80000000",
    "99999999999999999999",
    "1f",
    "1b",
    "%hi(",
    "%lo(out)",
    "sp",
    "x32",
    ".L1",
    "kernel",
    "jr",
    "beq",
    "ssy",
    "mpred",
    ".word",
    ".section",
    ".macro",
    ".set",
    ".loc",
    "\\",
    "\u{fffd}",
];

/// What there is to be spoiled: kernels and committed output of both compilers.
pub fn sources() -> Vec<String> {
    let folder = kernels::root().join("compiler/tests/data");
    let files = std::fs::read_dir(folder).expect("samples").flatten();
    let mut paths: Vec<_> = files.map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == "s"));
    paths.sort();
    let samples = paths
        .iter()
        .map(|path| std::fs::read_to_string(path).expect("text"));
    let kernels = kernels::sources().into_iter().map(|(_, text)| text);
    kernels.chain(samples).collect()
}

/// A source by its seed.
pub fn random(seed: u64, sources: &[String]) -> String {
    let rng = &mut ChaCha8Rng::seed_from_u64(seed ^ 0x5901_1ed0);
    let whole = match rng.gen_range(0..8) {
        0 => {
            return (0..rng.gen_range(0..400))
                .map(|_| rng.gen::<char>())
                .collect()
        }
        1 => graphs::random(seed).source(),
        _ => sources.choose(rng).expect("sources").clone(),
    };
    let mut lines: Vec<String> = whole.lines().map(String::from).collect();
    for _ in 0..rng.gen_range(1..6) {
        spoil(rng, &mut lines);
    }
    lines.join(["\n", "\n", "\r\n", ";"][rng.gen_range(0..4)])
}

fn spoil(rng: &mut ChaCha8Rng, lines: &mut Vec<String>) {
    if lines.is_empty() {
        return;
    }
    let (at, other) = (rng.gen_range(0..lines.len()), rng.gen_range(0..lines.len()));
    match rng.gen_range(0..9) {
        0 => {
            // In the middle of a line.
            lines.truncate(at + 1);
            let keep = lines[at].chars().count();
            let keep = rng.gen_range(0..=keep);
            lines[at] = lines[at].chars().take(keep).collect();
        }
        1 => {
            let end = lines.len().min(at + rng.gen_range(1..30));
            lines.drain(at..end);
        }
        2 => lines.swap(at, other),
        3 => {
            let doubled = lines[at..lines.len().min(at + 8)].to_vec();
            lines.splice(other..other, doubled);
        }
        4 => lines.shuffle(rng),
        5 => {
            // One character more, less, or another one.
            let mut text: Vec<char> = lines[at].chars().collect();
            let place = rng.gen_range(0..=text.len());
            match (rng.gen_range(0..3), place < text.len()) {
                (0, true) => drop(text.remove(place)),
                (1, true) => text[place] = rng.gen_range('\0'..'\u{80}'),
                _ => text.insert(place, rng.gen_range('\0'..'\u{100}')),
            }
            lines[at] = text.into_iter().collect();
        }
        6 => lines[at].push_str(WORDS.choose(rng).expect("words")),
        _ => {
            // A word becomes another one, of this source or not.
            let from = lines[other]
                .split_whitespace()
                .last()
                .unwrap_or(":")
                .to_string();
            let word = match rng.gen_bool(0.5) {
                true => from,
                false => WORDS.choose(rng).expect("words").to_string(),
            };
            let words: Vec<String> = lines[at].split_whitespace().map(String::from).collect();
            let changed = rng.gen_range(0..words.len().max(1));
            let words = words.into_iter().enumerate();
            let words = words.map(|(n, w)| if n == changed { word.clone() } else { w });
            lines[at] = format!("\t{}", words.collect::<Vec<_>>().join(" "));
        }
    }
}
