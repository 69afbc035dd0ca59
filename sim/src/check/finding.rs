//! What the check has found, and how it is told.

use super::shadow::{Bytes, Owner};
use std::collections::BTreeMap;
use std::ops::Range;
use weft_isa::{Program, Segment};

/// An access that a finding names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accessed {
    pub thread: u32,
    /// Byte address of the instruction.
    pub pc: u32,
    pub writes: bool,
    pub atomic: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// CHECK-010: with an earlier access.
    Race(Accessed),
    /// CHECK-020
    Unwritten,
    /// CHECK-030: nothing of the program is there.
    Nothing,
    /// CHECK-031: behind the end of an object, or before its begin.
    Beside,
    /// CHECK-032
    Constant,
    /// CHECK-032
    Code,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finding {
    pub wrong: Wrong,
    pub bytes: Bytes,
    pub access: Accessed,
    /// How often this was found at the same instructions.
    pub times: u64,
}

/// Two findings with one key are one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key(u8, u32, u32);

impl Finding {
    pub(super) fn key(&self) -> Key {
        let (number, other) = match self.wrong {
            Wrong::Race(other) => (0, other.pc),
            Wrong::Unwritten => (1, 0),
            Wrong::Nothing => (2, 0),
            Wrong::Beside => (3, 0),
            Wrong::Constant => (4, 0),
            Wrong::Code => (5, 0),
        };
        let pc = self.access.pc;
        Key(number, pc.min(other), pc.max(other))
    }

    /// A line that says what, and one for each access, with the address of its instruction.
    pub fn text(&self, names: &Names) -> String {
        let what = names.of(self.bytes);
        let head = match self.wrong {
            Wrong::Race(_) => format!("race: two threads access {what}, and nothing orders them"),
            Wrong::Unwritten => format!("nobody has written {what}, which is read"),
            Wrong::Nothing => format!("{what} belongs to nothing in the program"),
            Wrong::Beside => format!("{what} is outside of the object"),
            Wrong::Constant => format!("{what} is constant, and is written"),
            Wrong::Code => format!("{what} is code, and is written"),
        };
        let more = match self.times {
            1 => String::new(),
            n => format!(" ({} more times)", n - 1),
        };
        let earlier = match self.wrong {
            Wrong::Race(other) => other.line(),
            _ => String::new(),
        };
        format!("{head}{more}{earlier}{}", self.access.line())
    }
}

impl Accessed {
    fn line(&self) -> String {
        let does = match (self.writes, self.atomic) {
            (true, true) => "writes, atomically,",
            (true, false) => "writes",
            (false, true) => "reads, atomically,",
            (false, false) => "reads",
        };
        format!("\n  thread {} {does} at {:#x}", self.thread, self.pc)
    }
}

/// Symbols of data, by address.
#[derive(Clone, Debug, Default)]
pub struct Names {
    symbols: BTreeMap<u32, String>,
    /// Where the program's own memory is; of what is elsewhere no name says anything.
    segments: Vec<Range<u32>>,
}

impl Names {
    pub fn of_program(program: &Program) -> Names {
        let (begin, end) = program.text;
        // Names with such a beginning are the linker's and the runtime's own.
        let own = |name: &str| name.starts_with(['_', '.', '$']) || name.is_empty();
        let mut symbols = BTreeMap::new();
        for (name, &address) in &program.symbols {
            if !own(name) && !(begin..end).contains(&address) {
                symbols.entry(address).or_insert_with(|| name.clone());
            }
        }
        Names {
            symbols,
            segments: program.segments.iter().map(Segment::range).collect(),
        }
    }

    /// The bytes, by the object that they are in or behind.
    fn of(&self, bytes: Bytes) -> String {
        let size = match bytes.size {
            1 => "the byte".into(),
            n => format!("{n} bytes"),
        };
        let address = bytes.address;
        let known = match bytes.owner {
            Owner::All => self.segments.iter().any(|s| s.contains(&address)),
            Owner::Cta => true,
            Owner::Thread(_) => false,
        };
        let at = match self.symbols.range(..=address).next_back() {
            // Not that of another memory.
            Some((begin, name)) if known && address - begin < 1 << 24 => match address - begin {
                0 => format!("`{name}`"),
                offset => format!("`{name}` + {offset}"),
            },
            _ => format!("address {address:#010x}"),
        };
        let of = match bytes.owner {
            Owner::All => "",
            Owner::Cta => " in the scratchpad",
            Owner::Thread(_) => " in the thread's own memory",
        };
        format!("{size} at {at}{of}")
    }
}
