//! The convergence tokens of one warp: a double-ended queue, and where they stand in the warp's allocation.
//!
//! Spec: `docs/spec/convergence.md`, *Words and widths*, CONV-030, CONV-031, CONV-040, CONV-041, CONV-051, CONV-090;
//! `docs/spec/spill.md`, SPILL-010 to SPILL-021.
//! Divergence and convergence tokens enter at the front, YIELD tokens at the back; tokens leave at the front only.

use crate::mutation::Mutation;
use serde::Serialize;
use std::collections::VecDeque;

/// Most tokens of one warp.
pub const MAX_TOKENS: usize = 1023;

/// Reason only: the thread sleeps at a barrier.
pub const BARRIER: u8 = 11;
/// Reason only: switched off by a mask.
pub const MASKED: u8 = 10;
/// Type and reason: a part of a sub-vector loop that waits; pushed by the hardware.
pub const SUBV: u8 = 12;
/// Type and reason: a divergence; pushed by the hardware.
pub const DIV: u8 = 13;
/// Type and reason: yielded; pushed by the hardware.
pub const YIELD: u8 = 14;
/// Reason only: the thread has ended.
pub const EXIT: u8 = 15;
/// Highest type that PUSH and LEAVE may name.
pub const LAST_SOFTWARE: u8 = 9;

pub(crate) const SYNC: u8 = 0;
/// The type that a CALL pushes.
pub(crate) const CALL: u8 = 3;

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
    /// Its form in memory (`docs/spec/spill.md`) for warps of `width` threads: 64 bits, or 128 for W = 64.
    pub fn to_bits(self, width: usize) -> u128 {
        let at = Layout::of(width);
        u128::from(self.kind)
            | u128::from(self.mask) << at.mask
            | u128::from(self.address) << at.address
            | u128::from(self.below) << at.below
    }

    /// The token with this form in memory; `None` when a bit is set that has to be zero.
    pub fn from_bits(bits: u128, width: usize) -> Option<Token> {
        let at = Layout::of(width);
        let field = |from: u32, length: u32| bits >> from & ((1 << length) - 1);
        let token = Token {
            kind: field(0, 4) as u8,
            mask: field(at.mask, width as u32) as u64,
            address: field(at.address, 22) as u32,
            below: field(at.below, 4) as u8,
        };
        (token.to_bits(width) == bits).then_some(token)
    }
}

/// Lowest bits of a token's fields in memory; the type begins at bit 0.
struct Layout {
    mask: u32,
    address: u32,
    below: u32,
}

impl Layout {
    fn of(width: usize) -> Layout {
        let (mask, address, below) = match width {
            64 => (8, 72, 104),
            _ => (4, 36, 58),
        };
        Layout {
            mask,
            address,
            below,
        }
    }
}

/// What became of a PUSH.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pushed {
    Entered,
    Redundant,
    Dropped,
}

#[derive(Clone, Debug)]
pub struct Deque {
    tokens: VecDeque<Token>,
    /// Position of the front token (SPILL-010).
    head: usize,
    /// W
    width: usize,
    /// N
    size: usize,
    recentered: u64,
    mutation: Option<Mutation>,
}

impl Deque {
    /// Empty, in the middle of an allocation of `size` tokens.
    pub fn new(width: usize, size: usize) -> Deque {
        Deque {
            tokens: VecDeque::new(),
            head: size / 2,
            width,
            size,
            recentered: 0,
            mutation: None,
        }
    }

    #[doc(hidden)]
    pub fn with_mutation(self, mutation: Mutation) -> Deque {
        Deque {
            mutation: Some(mutation),
            ..self
        }
    }

    /// N
    pub fn capacity(&self) -> usize {
        self.size
    }

    /// N − W: no PUSH makes the deque deeper than this (CONV-030).
    pub fn software_capacity(&self) -> usize {
        self.size - self.width
    }

    pub fn depth(&self) -> usize {
        self.tokens.len()
    }

    pub fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }

    /// Position of the front token (SPILL-010).
    pub fn head(&self) -> usize {
        self.head
    }

    /// The position after that of the last token (SPILL-010).
    pub fn tail(&self) -> usize {
        self.head + self.depth()
    }

    /// Recenterings so far (SPILL-021).
    pub fn recentered(&self) -> u64 {
        self.recentered
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
    ///
    /// # Panics
    /// When the deque is full, which cannot happen (CONV-090).
    pub fn push_front(&mut self, kind: u8, mask: u64, address: u32) {
        self.check_room();
        self.make_room_at_front();
        self.head -= 1;
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
    ///
    /// # Panics
    /// When the deque is full, which cannot happen (CONV-090).
    pub fn push_back(&mut self, kind: u8, mask: u64, address: u32) {
        self.check_room();
        self.make_room_at_back();
        self.tokens.push_back(Token {
            kind,
            mask,
            address,
            below: 0,
        });
    }

    pub fn pop_front(&mut self) -> Option<Token> {
        let token = self.tokens.pop_front()?;
        self.head += 1;
        Some(token)
    }

    fn check_room(&self) {
        assert!(
            self.depth() < self.size,
            "CONV-090: one token too many for {}",
            self.size
        );
    }

    /// SPILL-020, for a push at the front.
    fn make_room_at_front(&mut self) {
        if self.head == 0 {
            self.recenter(1);
        }
    }

    /// SPILL-020, for a push at the back.
    fn make_room_at_back(&mut self) {
        if self.tail() == self.size {
            let rounding = usize::from(self.mutated(Mutation::RecenterBackLikeFront));
            self.recenter(rounding);
        }
    }

    /// All tokens keep their order, and the head goes to (N − depth + `rounding`) / 2.
    fn recenter(&mut self, rounding: usize) {
        self.head = (self.size - self.depth() + rounding) / 2;
        self.recentered += 1;
    }

    /// CONV-030: a software token for `threads`, unless it is redundant or there is no room.
    pub fn push_software(&mut self, kind: u8, threads: u64, address: u32) -> Pushed {
        if self.is_redundant(kind, threads, address) {
            if self.mutated(Mutation::RecenterOnRedundantPush) {
                self.make_room_at_front();
            }
            return Pushed::Redundant;
        }
        let late = usize::from(self.mutated(Mutation::DropLate));
        if self.depth() + 1 > self.software_capacity() + late {
            if self.mutated(Mutation::RecenterOnDroppedPush) {
                self.make_room_at_front();
            }
            return Pushed::Dropped;
        }
        self.push_front(kind, threads, address);
        Pushed::Entered
    }

    /// CONV-030: the front token is the same and names all of `threads`.
    fn is_redundant(&self, kind: u8, threads: u64, address: u32) -> bool {
        let covers =
            |t: Token| t.mask & threads == threads || self.mutated(Mutation::RedundantIgnoresMask);
        !self.mutated(Mutation::KeepRedundantPushes)
            && self
                .front()
                .is_some_and(|t| t.kind == kind && t.address == address && covers(t))
    }

    /// CONV-040 to CONV-042: the threads `leaving` go to `address`. Returns those that are caught.
    ///
    /// The whole deque is searched; the below bits only have to agree.
    pub fn catch(&mut self, kind: u8, leaving: u64, address: u32) -> u64 {
        let mutated = |mutation| self.mutation == Some(mutation);
        let matches = |t: &Token| {
            (t.kind == kind || mutated(Mutation::CatchAnyType))
                && (t.address == address || mutated(Mutation::CatchAnyAddress))
                && t.mask & leaving != 0
        };
        let before_yields = self.tokens.iter().take_while(|t| t.kind != YIELD).count();
        let searched = match mutated(Mutation::SearchFrontOnly) {
            true => before_yields.min(1),
            false => before_yields,
        };
        let found = self.tokens.range(..searched).position(matches);
        debug_assert!(
            self.mutation.is_some() || self.below_bits_agree(kind, searched, found),
            "search with the below bits differs: {:?}",
            self.tokens
        );
        let clears = match found {
            _ if mutated(Mutation::KeepPassedTokens) => false,
            None => !mutated(Mutation::KeepPassedWhenUnfound),
            Some(_) => true,
        };
        let caught = match found {
            None if mutated(Mutation::WaitWithoutToken) => leaving,
            None => 0,
            Some(_) if mutated(Mutation::CatchUnnamed) => leaving,
            Some(at) => leaving & self.tokens[at].mask,
        };
        if clears {
            for token in self.tokens.range_mut(..found.unwrap_or(searched)) {
                if token.kind == kind && token.address != address {
                    token.mask &= !leaving;
                }
            }
        }
        caught
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
        let gained = match self.mutated(Mutation::SkipMergeMask) {
            true => 0,
            false => active,
        };
        let merged = self.find_yield(address).map(|token| token.mask |= gained);
        match merged {
            Some(()) if self.mutated(Mutation::RecenterOnMerge) => self.make_room_at_back(),
            Some(()) => {}
            // CONV-152.
            None if self.tokens.is_empty() || self.mutated(Mutation::LifoYield) => {
                self.push_front(YIELD, active, address)
            }
            None => self.push_back(YIELD, active, address),
        }
        merged.is_some()
    }

    /// The first YIELD token from the back with this address.
    fn find_yield(&mut self, address: u32) -> Option<&mut Token> {
        let scanned = match self.mutation {
            Some(Mutation::NeverMergeYields) => 0,
            Some(Mutation::MergeAtBackOnly) => 1,
            _ => self.depth(),
        };
        self.tokens
            .iter_mut()
            .rev()
            .take(scanned)
            .take_while(|t| t.kind == YIELD)
            .find(|t| t.address == address)
    }

    fn mutated(&self, mutation: Mutation) -> bool {
        self.mutation == Some(mutation)
    }

    /// The YIELD tokens stand together at the back, the bits for SYNC, DIV and CALL are exact, and all tokens stand in
    /// the allocation (SPILL-010, CONV-090).
    pub fn is_well_formed(&self) -> bool {
        let fronts = self.tokens.iter().take_while(|t| t.kind != YIELD).count();
        let exact = |at: usize| {
            self.tokens
                .range(at + 1..)
                .fold(0, |bits, t| bits | below_bit(t.kind))
                & 7
        };
        self.tail() <= self.size
            && self.tokens.range(fronts..).all(|t| t.kind == YIELD)
            && (0..self.depth()).all(|at| self.tokens[at].below & 7 == exact(at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_has_64_bits_up_to_32_threads_and_128_for_64() {
        let token = Token {
            kind: DIV,
            mask: 0x8000_0001,
            address: 0x20_0003,
            below: 0b0101,
        };
        assert_eq!(token.to_bits(32), 0x1600_0038_0000_001d);
        assert_eq!(
            token.to_bits(64),
            13 | 0x8000_0001 << 8 | 0x20_0003 << 72 | 5 << 104
        );
        let all = |width: usize| Token {
            kind: 15,
            mask: u64::MAX >> (64 - width),
            address: (1 << 22) - 1,
            below: 15,
        };
        assert_eq!(all(32).to_bits(32), u128::from(u64::MAX >> 2));
        assert_eq!(all(8).to_bits(8), 0x3fff_fff0_0000_0fff);
        assert_eq!(
            all(64).to_bits(64),
            0x0000_0f00_3fff_ff00_0000_0000_0000_000f | u128::from(u64::MAX) << 8
        );
    }

    #[test]
    fn a_token_comes_back_from_memory_and_set_bits_that_have_to_be_zero_are_refused() {
        for width in [4, 8, 16, 32, 64] {
            let token = Token {
                kind: 9,
                mask: 1 << (width - 1) | 1,
                address: 0x15_5555,
                below: 0b1010,
            };
            let bits = token.to_bits(width);
            assert_eq!(Token::from_bits(bits, width), Some(token));
            let fields = 4 + width + 22 + 4;
            let accepted = |bit: &u32| Token::from_bits(bits ^ 1 << bit, width).is_some();
            assert_eq!((0..128).filter(accepted).count(), fields, "W = {width}");
        }
    }

    #[test]
    fn spill_010_the_head_begins_in_the_middle_and_pushes_take_the_positions_beside_the_tokens() {
        for (size, middle) in [(5, 2), (8, 4), (256, 128), (1023, 511)] {
            let mut deque = Deque::new(4, size);
            assert_eq!((deque.head(), deque.tail()), (middle, middle), "N = {size}");
            deque.push_front(SYNC, 0b1111, 50);
            deque.push_back(YIELD, 0b0001, 60);
            assert_eq!((deque.head(), deque.tail()), (middle - 1, middle + 1));
            deque.pop_front();
            assert_eq!((deque.head(), deque.tail()), (middle, middle + 1));
            assert_eq!(deque.recentered(), 0);
        }
    }

    /// Without recenterings up to `depth`, all pushes at one end.
    fn filled(size: usize, depth: usize, push: fn(&mut Deque)) -> Deque {
        let mut deque = Deque::new(4, size);
        (0..depth).for_each(|_| push(&mut deque));
        assert_eq!(deque.recentered(), 0);
        deque
    }

    #[test]
    fn spill_020_a_push_beyond_an_end_recenters_first_and_keeps_the_order() {
        let front: fn(&mut Deque) = |d| d.push_front(SYNC, 0b1111, d.depth() as u32);
        let back: fn(&mut Deque) = |d| d.push_back(YIELD, 0b1111, d.depth() as u32);
        // N, tokens before, (head, tail) after
        for (size, depth, after) in [(12, 6, (2, 9)), (13, 6, (3, 10)), (5, 2, (1, 4))] {
            let mut deque = filled(size, depth, front);
            assert_eq!(deque.head(), 0);
            let before: Vec<Token> = deque.iter().collect();
            front(&mut deque);
            assert_eq!((deque.head(), deque.tail()), after, "N = {size}");
            assert_eq!(deque.recentered(), 1);
            assert!(deque.iter().skip(1).eq(before));
        }
        for (size, depth, after) in [(12, 6, (3, 10)), (13, 7, (3, 11)), (5, 3, (1, 5))] {
            let mut deque = filled(size, depth, back);
            assert_eq!(deque.tail(), size);
            let before: Vec<Token> = deque.iter().collect();
            back(&mut deque);
            assert_eq!((deque.head(), deque.tail()), after, "N = {size}");
            assert_eq!(deque.recentered(), 1);
            assert!(deque.iter().take(depth).eq(before));
        }
    }

    #[test]
    fn spill_020_there_is_room_at_the_wanted_end_even_for_the_last_token() {
        for size in 5..40 {
            for fronts in 0..=size {
                let mut deque = Deque::new(4, size);
                (0..fronts).for_each(|n| deque.push_front(SYNC, 0b1111, n as u32));
                (fronts..size).for_each(|n| deque.push_back(YIELD, 0b1111, n as u32));
                assert!(deque.is_well_formed(), "{deque:?}");
                assert_eq!((deque.head(), deque.tail()), (0, size));
            }
        }
    }

    #[test]
    #[should_panic(expected = "CONV-090")]
    fn conv_090_a_push_into_a_full_deque_is_noticed() {
        let mut deque = Deque::new(4, 5);
        (0..6).for_each(|n| deque.push_front(DIV, 0b0001, n));
    }

    #[test]
    fn a_search_that_the_below_bits_would_cut_short_is_noticed() {
        let mut deque = Deque::new(4, 8);
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
        let mut deque = Deque::new(4, 8);
        deque.push_back(YIELD, 0b0001, 50);
        deque.push_front(SYNC, 0b1111, 50);
        assert!(deque.is_well_formed());
        deque.push_back(SYNC, 0b1111, 50);
        assert!(!deque.is_well_formed());
    }
}
