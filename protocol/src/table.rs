//! The table: blocks of registers, read from `registers.toml`.

use serde::{Deserialize, Serialize};

/// The registers of one host port.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Block {
    /// As the unit: `gpu`, `sm`.
    pub name: String,
    pub title: String,
    /// Bytes of addresses.
    pub bytes: u32,
    pub page: String,
    #[serde(rename = "register")]
    pub registers: Vec<Register>,
    #[serde(rename = "group", default)]
    pub groups: Vec<Group>,
}

/// Registers that are there several times.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    pub name: String,
    /// Byte address of the first one.
    pub at: u32,
    /// Bytes from one to the next.
    pub step: u32,
    pub count: Count,
    /// Older addresses of the first ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub also: Option<Also>,
    pub text: String,
    #[serde(rename = "register")]
    pub registers: Vec<Register>,
}

/// Where the first ones of a [`Group`] answer besides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Also {
    /// Byte address of the first one.
    pub at: u32,
    /// So many of them.
    pub most: u32,
}

/// How many there are of a [`Group`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Count {
    Channels,
    Sms,
    Domains,
}

/// In every design (HOST-004).
const DOMAINS: u32 = 8;

/// What a [`Count`] is in a design.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    pub channels: u32,
    pub sms: u32,
}

impl Count {
    pub fn of(self, sizes: Sizes) -> u32 {
        match self {
            Count::Channels => sizes.channels,
            Count::Sms => sizes.sms,
            Count::Domains => DOMAINS,
        }
    }
}

/// A word of 32 bits.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Register {
    pub name: String,
    /// Byte address, in a group from its beginning.
    pub at: u32,
    pub access: Access,
    /// After a reset, where that is defined and the same in all sizes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reset: Option<u32>,
    pub text: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<Field>,
}

/// Bits of a register.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Field {
    pub name: String,
    /// The lowest bit.
    pub low: u32,
    pub bits: u32,
    pub text: String,
}

impl Field {
    pub fn mask(&self) -> u32 {
        (u32::MAX >> (32 - self.bits)) << self.low
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Access {
    /// Read and write.
    Rw,
    /// A write does nothing.
    Ro,
    /// Writing 1 to a bit clears it.
    W1c,
    /// Any write clears it.
    Wc,
}

/// All blocks.
///
/// # Panics
/// Never: a test reads the table.
pub fn blocks() -> Vec<Block> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Table {
        block: Vec<Block>,
    }
    let table: Table = toml::from_str(include_str!("../registers.toml")).expect("registers.toml");
    table.block
}

impl Block {
    /// Every register of a design, with its name (`CHANNEL1_BASE` in a group) and its address.
    pub fn all(&self, sizes: Sizes) -> Vec<(String, u32, &Register)> {
        let single = self.registers.iter();
        let mut all: Vec<_> = single.map(|r| (r.name.clone(), r.at, r)).collect();
        for group in &self.groups {
            for n in 0..group.count.of(sizes) {
                let at = group.at + n * group.step;
                let of_this = group.registers.iter();
                all.extend(
                    of_this.map(|r| (format!("{}{n}_{}", group.name, r.name), at + r.at, r)),
                );
            }
        }
        all.sort_by_key(|(_, at, _)| *at);
        all
    }

    /// Other addresses of some of them: the name, and this address.
    pub fn aliases(&self, sizes: Sizes) -> Vec<(String, u32)> {
        let of_group = |group: &Group| {
            let most = group.also.map_or(0, |also| also.most);
            let at = group.also.map_or(0, |also| also.at);
            let numbers = 0..group.count.of(sizes).min(most);
            let of_this = numbers.flat_map(|n| {
                let registers = group.registers.iter();
                registers.map(move |r| (format!("{}{n}_{}", group.name, r.name), n, r.at))
            });
            let placed = of_this.map(|(name, n, offset)| (name, at + n * group.step + offset));
            placed.collect::<Vec<_>>()
        };
        self.groups.iter().flat_map(of_group).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOST: Sizes = Sizes {
        channels: 8,
        sms: 8,
    };

    #[test]
    fn addresses_are_words_of_their_block_and_nobody_shares_one() {
        for block in blocks() {
            let all = block.all(MOST);
            assert!(all.len() > 30, "{}", block.name);
            let aliases = block.aliases(MOST).into_iter();
            let mut all: Vec<_> = all.into_iter().map(|(name, at, _)| (name, at)).collect();
            all.extend(aliases);
            all.sort_by_key(|(_, at)| *at);
            for pair in all.windows(2) {
                assert!(pair[0].1 < pair[1].1, "{} and {}", pair[0].0, pair[1].0);
            }
            for (name, at) in all {
                assert!(at % 4 == 0 && at < block.bytes, "{name} at {at:#x}");
            }
        }
    }

    #[test]
    fn fields_lie_in_their_word_and_beside_each_other() {
        for block in blocks() {
            for (name, _, register) in block.all(MOST) {
                let mut seen = 0;
                for field in &register.fields {
                    assert!(field.bits > 0 && field.low + field.bits <= 32, "{name}");
                    assert!(seen & field.mask() == 0, "{name}.{}", field.name);
                    seen |= field.mask();
                }
                let reset = register.reset.unwrap_or(0);
                let known = if seen == 0 { u32::MAX } else { seen };
                assert!(reset & !known == 0, "{name}: reset {reset:#x}");
            }
        }
    }
}
