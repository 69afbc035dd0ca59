//! What a run has executed, and in how many runs, on how many sizes, each kind of it was seen.

use std::collections::BTreeSet;
use std::fmt;
use weft_compiler::Lower;
use weft_isa::{decode, Instr, MaskInstr, Program};
use weft_sim::{Event, Record};
use weft_testbench::sm::report::Watcher;
use weft_testbench::sm::{Shape, SmOptions};

/// What a run is looked through for. All but the last three is what was executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    ThreadsPart,
    Pushes,
    Leaves,
    Masks,
    Predicates,
    SubVectors,
    Yields,
    ForcedYields,
    DroppedPushes,
    Recursion,
    Pointers,
    Tables,
    Atomics,
    Goto,
    Irreducible,
    SeveralCtas,
}

impl Kind {
    pub const ALL: [Kind; 16] = [
        Kind::ThreadsPart,
        Kind::Pushes,
        Kind::Leaves,
        Kind::Masks,
        Kind::Predicates,
        Kind::SubVectors,
        Kind::Yields,
        Kind::ForcedYields,
        Kind::DroppedPushes,
        Kind::Recursion,
        Kind::Pointers,
        Kind::Tables,
        Kind::Atomics,
        Kind::Goto,
        Kind::Irreducible,
        Kind::SeveralCtas,
    ];

    /// No program of the generators waits for another thread, so few get a YIELD; graphs have less.
    pub fn expected(c: bool) -> Vec<Kind> {
        let of_graphs = [
            Kind::ThreadsPart,
            Kind::Pushes,
            Kind::Leaves,
            Kind::Masks,
            Kind::Predicates,
            Kind::ForcedYields,
            Kind::DroppedPushes,
            Kind::Tables,
            Kind::Irreducible,
            Kind::SeveralCtas,
        ];
        let of_c = Kind::ALL.into_iter().filter(|kind| *kind != Kind::Yields);
        match c {
            true => of_c.collect(),
            false => of_graphs.into(),
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::ThreadsPart => "threads part",
            Kind::Pushes => "tokens pushed",
            Kind::Leaves => "leaves",
            Kind::Masks => "execution masks",
            Kind::Predicates => "predicated blocks",
            Kind::SubVectors => "sub-vector loops",
            Kind::Yields => "yields",
            Kind::ForcedYields => "forced yields",
            Kind::DroppedPushes => "dropped pushes",
            Kind::Recursion => "recursion",
            Kind::Pointers => "function pointers",
            Kind::Tables => "jump tables",
            Kind::Atomics => "atomics",
            Kind::Goto => "goto in the source",
            Kind::Irreducible => "loop with several entrances",
            Kind::SeveralCtas => "several CTAs",
        })
    }
}

/// Notes what is executed.
pub struct Witness<'a> {
    program: &'a Program,
    /// By instruction.
    executed: Vec<bool>,
    parted: bool,
    forced: bool,
    dropped: bool,
}

impl Watcher for Witness<'_> {
    fn issued(&mut self, _cycle: u64, _warp: usize, pc: u32, _mask: u64) {
        let first = self.program.text.0 / 4;
        if let Some(executed) = self.executed.get_mut(pc.wrapping_sub(first) as usize) {
            *executed = true;
        }
    }

    fn retired(&mut self, _cycle: u64, record: &Record) {
        self.parted |= matches!(record.event, Event::Branch | Event::Indirect)
            && !record.done
            && record.next_mask != record.mask;
        self.forced |= record.event == Event::ForcedYield;
        self.dropped |= record.dropped;
    }
}

impl Witness<'_> {
    pub fn new(program: &Program) -> Witness<'_> {
        let words = (program.text.1 - program.text.0) / 4;
        Witness {
            program,
            executed: vec![false; words as usize],
            parted: false,
            forced: false,
            dropped: false,
        }
    }

    /// Executed instructions and their addresses.
    fn instructions(&self) -> Vec<(u32, Instr)> {
        let first = self.program.text.0;
        let mut found = Vec::new();
        for (n, _) in self.executed.iter().enumerate().filter(|(_, e)| **e) {
            let at = first + 4 * n as u32;
            let segment = self.program.segments.iter().find(|s| {
                s.address <= at && u64::from(at) < u64::from(s.address) + s.bytes.len() as u64
            });
            let bytes = segment.and_then(|s| s.bytes.get((at - s.address) as usize..)?.get(..4));
            let word = bytes.map(|b| u32::from_le_bytes(b.try_into().expect("four bytes")));
            if let Some(instr) = word.and_then(|w| decode(w).ok()) {
                found.push((at, instr));
            }
        }
        found
    }

    fn kinds(&self) -> Vec<Kind> {
        let all = self.instructions();
        let calls = all.iter().filter_map(|&(at, instr)| match instr {
            Instr::Jal { rd: 1, offset } => Some((at, at.wrapping_add_signed(offset))),
            _ => None,
        });
        let calls: Vec<(u32, u32)> = calls.collect();
        // A function goes on until the next one begins.
        let text = self.program.text.0..self.program.text.1;
        let symbols = self.program.symbols.iter();
        let starts = symbols.filter(|(name, at)| !name.starts_with(".L") && text.contains(at));
        let starts: BTreeSet<u32> = starts.map(|(_, at)| *at).collect();
        let within = |at| starts.range(..=at).next_back().copied();
        let recursive = calls.iter().any(|&(at, to)| within(at) == Some(to));
        let is = |kind: Kind, instr: &Instr| match (kind, instr) {
            (Kind::Pushes, Instr::Push { .. }) => true,
            (Kind::Leaves, Instr::Leave { .. } | Instr::LeaveIndirect { .. }) => true,
            (Kind::Predicates, Instr::Mask(MaskInstr::Predicate { .. })) => true,
            (Kind::Masks, Instr::Mask(MaskInstr::Logic { .. } | MaskInstr::Save { .. })) => true,
            (Kind::SubVectors, Instr::SubVector { .. }) => true,
            (Kind::Yields, Instr::Yield) => true,
            (Kind::Pointers, Instr::Jalr { rd: 1, .. }) => true,
            (Kind::Tables, Instr::Jalr { rd: 0, rs1, .. }) => *rs1 != 1,
            (Kind::Atomics, Instr::Amo { .. }) => true,
            _ => false,
        };
        let executes = |kind: &Kind| all.iter().any(|(_, instr)| is(*kind, instr));
        let mut kinds: Vec<Kind> = Kind::ALL.into_iter().filter(executes).collect();
        let more = [
            (Kind::ThreadsPart, self.parted),
            (Kind::ForcedYields, self.forced),
            (Kind::DroppedPushes, self.dropped),
            (Kind::Recursion, recursive),
        ];
        kinds.extend(more.into_iter().filter(|m| m.1).map(|m| m.0));
        kinds
    }
}

/// How often each kind was seen.
#[derive(Default)]
pub struct Seen {
    /// Runs by kind, and the sizes on which they were.
    runs: Vec<(Kind, u64, BTreeSet<String>)>,
    by_lower: Vec<(String, u64)>,
}

impl Seen {
    pub fn note(
        &mut self,
        shape: Shape,
        lower: Lower,
        options: &SmOptions,
        witness: &Witness,
        irreducible: bool,
        goto: bool,
    ) {
        let mut kinds = witness.kinds();
        kinds.extend(goto.then_some(Kind::Goto));
        kinds.extend(irreducible.then_some(Kind::Irreducible));
        kinds.extend((options.launch.ctas() > 1).then_some(Kind::SeveralCtas));
        for kind in kinds {
            let at = self.runs.iter().position(|run| run.0 == kind);
            let at = at.unwrap_or_else(|| {
                self.runs.push((kind, 0, BTreeSet::new()));
                self.runs.len() - 1
            });
            self.runs[at].1 += 1;
            self.runs[at].2.insert(shape.to_string());
        }
        let name = lower.to_string();
        match self.by_lower.iter_mut().find(|of| of.0 == name) {
            Some(of) => of.1 += 1,
            None => self.by_lower.push((name, 1)),
        }
    }

    fn of(&self, kind: Kind) -> (u64, usize) {
        let run = self.runs.iter().find(|run| run.0 == kind);
        run.map_or((0, 0), |run| (run.1, run.2.len()))
    }

    /// Expected kinds that no run had.
    pub fn missing(&self, c: bool) -> Vec<Kind> {
        let expected = Kind::expected(c).into_iter();
        expected.filter(|kind| self.of(*kind).0 == 0).collect()
    }
}

impl fmt::Display for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lowers = self
            .by_lower
            .iter()
            .map(|(name, runs)| format!("{runs} {name}"));
        writeln!(f, "  runs: {}", lowers.collect::<Vec<_>>().join(", "))?;
        for kind in Kind::ALL {
            let (runs, sizes) = self.of(kind);
            if runs > 0 {
                writeln!(
                    f,
                    "  {:28} {runs:5} runs on {sizes} sizes",
                    kind.to_string()
                )?;
            }
        }
        Ok(())
    }
}
