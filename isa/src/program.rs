//! A program image: what the assembler and the ELF loader produce and the machines load.

use std::collections::BTreeMap;
use std::ops::Range;

/// Lowest mapped address, where images are linked.
pub const IMAGE_BASE: u32 = 0x1000;
/// End of the code space: a pc is a 22-bit instruction index.
pub const IMAGE_LIMIT: u32 = 1 << 24;
/// A program may have zones between its variables (CHECK-031): symbols with this beginning, each in front of so many bytes.
pub const ZONE: &str = "__weft_zone";
pub const ZONE_BYTES: u32 = 64;

/// Bytes at an address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Segment {
    pub address: u32,
    pub bytes: Vec<u8>,
}

impl Segment {
    /// Its addresses.
    pub fn range(&self) -> Range<u32> {
        self.address..self.address + self.bytes.len() as u32
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// Byte address of the first instruction.
    pub entry: u32,
    /// Ascending, not overlapping.
    pub segments: Vec<Segment>,
    pub symbols: BTreeMap<String, u32>,
    /// (first byte address, end) of executable code.
    pub text: (u32, u32),
}

impl Program {
    /// ISA-030: gp at launch, the value of the linker's symbol `__global_pointer$`; 0 without it.
    pub fn global_pointer(&self) -> u32 {
        let symbol = self.symbols.get("__global_pointer$");
        symbol.copied().unwrap_or_default()
    }
}
