//! The convergence tokens of one warp: a double-ended queue.
//!
//! Spec: `docs/spec/convergence.md`, *Words and widths*, CONV-030, CONV-031, CONV-040, CONV-041, CONV-051.
//! Divergence and convergence tokens enter at the front, YIELD tokens at the back; tokens leave at the front only.

use serde::Serialize;
use std::collections::VecDeque;

/// Type and reason: a divergence; pushed by the hardware.
pub const DIV: u8 = 13;
/// Type and reason: yielded; pushed by the hardware.
pub const YIELD: u8 = 14;
/// Reason only: the thread has ended.
pub const EXIT: u8 = 15;
/// Highest type that PUSH and LEAVE may name.
pub const LAST_SOFTWARE: u8 = 9;

const SYNC: u8 = 0;
const CALL: u8 = 3;

/// `SYNC`, `BREAK` … or `TYPE6` for the free types.
pub fn kind_name(kind: u8) -> &'static str {
    const NAMES: [&str; 16] = [
        "SYNC", "BREAK", "CONTINUE", "CALL", "LONGJMP", "PEXIT", "TYPE6", "TYPE7", "TYPE8",
        "TYPE9", "MASKED", "BARRIER", "SUBV", "DIV", "YIELD", "EXIT",
    ];
    NAMES[usize::from(kind & 15)]
}

/// The below bit that announces a token of this type further back.
const fn below_bit(kind: u8) -> u8 {
    match kind {
        SYNC => 1 << 0,
        DIV => 1 << 1,
        CALL => 1 << 2,
        YIELD => 1 << 3,
        _ => 0,
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Token {
    pub kind: u8,
    pub mask: u64,
    /// Instruction index.
    pub address: u32,
    /// Bit 0 SYNC, 1 DIV, 2 CALL, 3 YIELD: such a token lies below this one. Bit 3 may be too small (CONV-031).
    pub below: u8,
}

impl Token {
    /// The 64-bit form in the convergence memory, for W ≤ 32.
    pub fn to_bits(self) -> u64 {
        u64::from(self.kind)
            | self.mask << 4
            | u64::from(self.address) << 36
            | u64::from(self.below) << 58
    }
}

/// What became of a PUSH.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pushed {
    Entered,
    Redundant,
    Dropped,
}

/// Rules of the search that a mutation may switch off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchRules {
    /// CONV-041: passed tokens of the same type and another address lose the leaving threads.
    pub clear_passed: bool,
    /// CONV-041, last half-sentence: also when no token is found.
    pub clear_unfound: bool,
    /// CONV-040: the first match has to have the same address.
    pub match_address: bool,
    /// CONV-040: … and the same type.
    pub match_kind: bool,
    /// CONV-042: only threads that the token names are caught.
    pub match_mask: bool,
}

impl SearchRules {
    pub const SPECIFIED: SearchRules = SearchRules {
        clear_passed: true,
        clear_unfound: true,
        match_address: true,
        match_kind: true,
        match_mask: true,
    };
}

#[derive(Clone, Debug)]
pub struct Deque {
    tokens: VecDeque<Token>,
    /// W
    width: usize,
}

impl Deque {
    pub fn new(width: usize) -> Deque {
        Deque {
            tokens: VecDeque::with_capacity(2 * width),
            width,
        }
    }

    /// 2 W tokens.
    pub fn capacity(&self) -> usize {
        2 * self.width
    }

    pub fn depth(&self) -> usize {
        self.tokens.len()
    }

    pub fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }

    pub fn front(&self) -> Option<Token> {
        self.tokens.front().copied()
    }

    /// All tokens, front to back.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Token> + '_ {
        self.tokens.iter().copied()
    }

    pub fn clear(&mut self) {
        self.tokens.clear();
    }

    /// A token enters at the front, with its below bits (CONV-031).
    pub fn push_front(&mut self, kind: u8, mask: u64, address: u32) {
        let below = self
            .tokens
            .front()
            .map_or(0, |front| front.below | below_bit(front.kind));
        self.tokens.push_front(Token {
            kind,
            mask,
            address,
            below,
        });
    }

    /// A token enters at the back: no below bits, and no other token's bits change (CONV-031).
    pub fn push_back(&mut self, kind: u8, mask: u64, address: u32) {
        self.tokens.push_back(Token {
            kind,
            mask,
            address,
            below: 0,
        });
    }

    pub fn pop_front(&mut self) -> Option<Token> {
        self.tokens.pop_front()
    }

    /// CONV-030: a software token for the threads `active`, unless it is redundant or there is no room.
    pub fn push_software(&mut self, kind: u8, active: u64, address: u32) -> Pushed {
        let covered =
            |t: Token| t.kind == kind && t.address == address && t.mask & active == active;
        if self.front().is_some_and(covered) {
            return Pushed::Redundant;
        }
        if self.depth() + 1 > self.capacity() - self.width {
            return Pushed::Dropped;
        }
        self.push_front(kind, active, address);
        Pushed::Entered
    }

    /// CONV-040 to CONV-042: the threads `leaving` go to `address`. Returns those that are caught.
    ///
    /// The whole deque is searched; the below bits only have to agree.
    pub fn catch(&mut self, kind: u8, leaving: u64, address: u32, rules: SearchRules) -> u64 {
        let matches = |t: &Token| {
            (t.kind == kind || !rules.match_kind)
                && (t.address == address || !rules.match_address)
                && t.mask & leaving != 0
        };
        let searched = self.tokens.iter().take_while(|t| t.kind != YIELD).count();
        let found = self.tokens.range(..searched).position(matches);
        if rules == SearchRules::SPECIFIED {
            debug_assert!(
                self.below_bits_agree(kind, searched, found),
                "search with the below bits differs: {:?}",
                self.tokens
            );
        }
        let passed = found.unwrap_or(searched);
        if rules.clear_passed && (found.is_some() || rules.clear_unfound) {
            for token in self.tokens.range_mut(..passed) {
                if token.kind == kind && token.address != address {
                    token.mask &= !leaving;
                }
            }
        }
        match found {
            None => 0,
            Some(_) if !rules.match_mask => leaving,
            Some(at) => leaving & self.tokens[at].mask,
        }
    }

    /// Would a search that stops where the below bits announce no further token of this type have passed and
    /// found the same tokens of this type? (CONV-043, last paragraph; only SYNC and CALL have such a bit.)
    fn below_bits_agree(&self, kind: u8, searched: usize, found: Option<usize>) -> bool {
        if kind != SYNC && kind != CALL {
            return true;
        }
        let last = found.unwrap_or(searched.saturating_sub(1));
        let nothing_below = |t: &Token| t.below & below_bit(kind) == 0;
        let stop = self
            .tokens
            .range(..searched)
            .position(nothing_below)
            .unwrap_or(searched);
        self.tokens
            .range(..searched)
            .enumerate()
            .take(last + 1)
            .all(|(at, t)| at <= stop || t.kind != kind)
    }

    /// CONV-051: the threads `active` yield and will go on at `address`. Says whether an older token took them in.
    pub fn push_yield(&mut self, active: u64, address: u32) -> bool {
        match self.find_yield(address) {
            Some(token) => {
                token.mask |= active;
                true
            }
            None => {
                self.push_back(YIELD, active, address);
                false
            }
        }
    }

    /// The first YIELD token from the back with this address.
    pub(crate) fn find_yield(&mut self, address: u32) -> Option<&mut Token> {
        self.tokens
            .iter_mut()
            .rev()
            .take_while(|t| t.kind == YIELD)
            .find(|t| t.address == address)
    }

    /// The YIELD tokens stand together at the back, and the bits for SYNC, DIV and CALL are exact.
    pub fn is_well_formed(&self) -> bool {
        let fronts = self.tokens.iter().take_while(|t| t.kind != YIELD).count();
        let exact = |at: usize| {
            self.tokens
                .range(at + 1..)
                .fold(0, |bits, t| bits | below_bit(t.kind))
                & 7
        };
        self.depth() <= self.capacity()
            && self.tokens.range(fronts..).all(|t| t.kind == YIELD)
            && (0..self.depth()).all(|at| self.tokens[at].below & 7 == exact(at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_has_64_bits() {
        let token = Token {
            kind: DIV,
            mask: 0x8000_0001,
            address: 0x20_0003,
            below: 0b0101,
        };
        assert_eq!(token.to_bits(), 0x1600_0038_0000_001d);
        let all = Token {
            kind: 15,
            mask: 0xffff_ffff,
            address: (1 << 22) - 1,
            below: 15,
        };
        assert_eq!(all.to_bits(), u64::MAX >> 2, "bits 62 and 63 are zero");
    }

    #[test]
    fn a_search_that_the_below_bits_would_cut_short_is_noticed() {
        let mut deque = Deque::new(4);
        deque.push_front(SYNC, 0b1111, 50);
        deque.push_front(1, 0b1111, 60);
        assert!(deque.is_well_formed() && deque.below_bits_agree(SYNC, 2, Some(1)));
        deque.tokens[0].below = 0;
        assert!(!deque.is_well_formed() && !deque.below_bits_agree(SYNC, 2, Some(1)));
        assert!(
            !deque.below_bits_agree(SYNC, 2, None),
            "nor would the passed token lose the threads"
        );
        assert!(deque.below_bits_agree(CALL, 2, None));
    }

    #[test]
    fn yield_tokens_in_front_of_others_are_noticed() {
        let mut deque = Deque::new(4);
        deque.push_back(YIELD, 0b0001, 50);
        deque.push_front(SYNC, 0b1111, 50);
        assert!(deque.is_well_formed());
        deque.push_back(SYNC, 0b1111, 50);
        assert!(!deque.is_well_formed());
    }
}
