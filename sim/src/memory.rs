//! Flat little-endian memory of the reference machine, with reservations and typed faults.
//!
//! Spec: `docs/spec/isa.md`, *Reference machine*. Mapped from 0x1000 up to its size; natural alignment
//! is required. When an access is both misaligned and unmapped it is reported as misaligned.

use serde::Serialize;
use std::collections::BTreeMap;
use std::ops::Range;
use weft_isa::{AmoOp, Instr, LoadWidth, StoreWidth};

/// What else there is to say of an illegal instruction.
fn note(word: u32) -> &'static str {
    match weft_isa::decode(word) {
        Ok(Instr::Float(_)) => " (a float word, and float is off: `--float hard`)",
        _ => "",
    }
}

/// Lowest mapped address of the reference machine.
pub const MEMORY_BASE: u32 = 0x1000;

/// Why a thread cannot go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, thiserror::Error)]
pub enum FaultCause {
    /// The instruction word.
    #[error("illegal instruction {0:#010x}{note}", note = note(*.0))]
    IllegalInstruction(u32),
    #[error("misaligned access to {address:#010x}")]
    Misaligned { address: u32 },
    #[error("access to unmapped address {address:#010x}")]
    Unmapped { address: u32 },
    #[error("breakpoint")]
    Breakpoint,
    /// ISA-020: what the instruction reaches, and how far that is below the thread's own stack.
    #[error("stack overflow: {address:#010x} is {over} bytes below the end of the thread's stack (--stack)")]
    Stack { address: u32, over: u32 },
    /// SUBV-023.
    #[error(
        "shared register x{register} {}",
        if *inside { "does not hold a value of this part" } else { "outside sub-vector mode" }
    )]
    SharedRegister { register: u8, inside: bool },
    /// ISA-022: of an instruction, or where a jump goes.
    #[error("no instructions at {address:#010x}: that is outside of memory")]
    Fetch { address: u32 },
    /// MEM-016.
    #[error("bus error: the memory answered an access to {address:#010x} with an error")]
    Bus { address: u32 },
    /// MEM-052.
    #[error("bus error: the memory answered the fetch of the instruction at {address:#010x} with an error")]
    FetchBus { address: u32 },
    /// MEM-046.
    #[error("bus error: the memory answered an access to the warp's tokens with an error")]
    TokenBus,
    /// SM-034.
    #[error("killed: its time limit was over, or somebody has ended it")]
    Killed,
}

impl FaultCause {
    /// The cause as the control plane reports it (`docs/spec/control.md`).
    pub const fn code(self) -> u8 {
        match self {
            FaultCause::IllegalInstruction(_) => 4,
            FaultCause::Misaligned { .. } => 5,
            FaultCause::Unmapped { .. } => 6,
            FaultCause::Breakpoint => 7,
            FaultCause::Stack { .. } => 8,
            FaultCause::Fetch { .. } => 9,
            FaultCause::Bus { .. } => 10,
            FaultCause::FetchBus { .. } => 11,
            FaultCause::TokenBus => 12,
            FaultCause::Killed => 0,
            FaultCause::SharedRegister { .. } => 13,
        }
    }

    /// What an SM says beside the code (SM-013), of a fault of the instruction at `pc`.
    pub const fn value(self, pc: u32) -> u32 {
        match self {
            FaultCause::IllegalInstruction(word) => word,
            FaultCause::Misaligned { address }
            | FaultCause::Unmapped { address }
            | FaultCause::Stack { address, .. }
            | FaultCause::Fetch { address }
            | FaultCause::Bus { address }
            | FaultCause::FetchBus { address } => address,
            FaultCause::Breakpoint | FaultCause::SharedRegister { .. } => pc,
            FaultCause::TokenBus | FaultCause::Killed => 0,
        }
    }

    /// The cause that an SM means with this code and value; `None` for those that its datapath does not have.
    pub const fn of_sm(code: u8, value: u32) -> Option<FaultCause> {
        let address = value;
        Some(match code {
            0 => FaultCause::Killed,
            4 => FaultCause::IllegalInstruction(value),
            5 => FaultCause::Misaligned { address },
            6 => FaultCause::Unmapped { address },
            7 => FaultCause::Breakpoint,
            9 => FaultCause::Fetch { address },
            10 => FaultCause::Bus { address },
            11 => FaultCause::FetchBus { address },
            12 => FaultCause::TokenBus,
            _ => return None,
        })
    }
}

/// A thread's claim on a word, made by LR.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Reservation {
    thread: u32,
    address: u32,
}

#[derive(Clone, Debug)]
pub struct Memory {
    /// Indexed by address; the unmapped bytes below 0x1000 stay zero.
    bytes: Vec<u8>,
    changes: u64,
    /// At most one per thread.
    reservations: Vec<Reservation>,
    /// Writes into this range are noted in `stale`, for whoever keeps decoded instructions.
    watched: Range<u32>,
    stale: Vec<u32>,
    /// Lines as they were before the host wrote past the L2, which may hold them so (SHARED-040); by number.
    older: BTreeMap<u32, Vec<u8>>,
}

/// Bytes of a line.
pub(crate) const LINE: u32 = 64;

impl Memory {
    /// All zero, mapped from 0x1000 up to `size`.
    pub fn new(size: u32) -> Memory {
        Memory {
            bytes: vec![0; size as usize],
            changes: 0,
            reservations: Vec::new(),
            watched: 0..0,
            stale: Vec::new(),
            older: BTreeMap::new(),
        }
    }

    /// A memory of this size with the segments of a program that fits ([`crate::Config::validate_program`]).
    pub fn load(program: &weft_isa::Program, size: u32) -> Memory {
        let mut memory = Memory::new(size);
        for segment in &program.segments {
            memory
                .write_bytes(segment.address, &segment.bytes)
                .expect("the program was validated");
        }
        memory
    }

    /// First address that is not mapped any more.
    pub fn size(&self) -> u32 {
        self.bytes.len() as u32
    }

    /// How many stores and AMOs have changed the content so far. Never decreases.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// The bytes of a mapped range; `None` if any of them is unmapped.
    pub fn slice(&self, range: Range<u32>) -> Option<&[u8]> {
        if range.start < MEMORY_BASE {
            return None;
        }
        self.bytes.get(range.start as usize..range.end as usize)
    }

    /// The line of this number, if all of it is there.
    fn line(&self, line: u32) -> Option<&[u8]> {
        let begin = line.checked_mul(LINE)?;
        self.slice(begin..begin.checked_add(LINE)?)
    }

    /// A line as the SMs read it together: it may be as it was before the host wrote past the L2.
    pub(crate) fn shared_line(&self, line: u32) -> Option<&[u8]> {
        let older = self.older.get(&line).map(Vec::as_slice);
        older.or_else(|| self.line(line))
    }

    /// A write of the host past the L2, which holds these lines as they are, if `held`.
    pub(crate) fn write_past(
        &mut self,
        address: u32,
        bytes: &[u8],
        mut held: impl FnMut() -> bool,
    ) -> Result<(), FaultCause> {
        let end = address as usize + bytes.len();
        let lines = address / LINE..(end as u32).div_ceil(LINE);
        let mut kept = std::mem::take(&mut self.older);
        for line in lines {
            if !kept.contains_key(&line) && held() {
                if let Some(bytes) = self.line(line) {
                    kept.insert(line, bytes.to_vec());
                }
            }
        }
        let written = self.write_bytes(address, bytes);
        self.older = kept;
        written
    }

    /// The L2 holds nothing any more (SHARED-040), or nothing of this line (SHARED-010, SHARED-030).
    pub(crate) fn forget_older(&mut self) {
        self.older.clear();
    }

    pub(crate) fn forget_older_line(&mut self, line: u32) {
        self.older.remove(&line);
    }

    /// The word at an aligned mapped address.
    pub fn read_u32(&self, address: u32) -> Result<u32, FaultCause> {
        let at = self.locate(address, 4)?;
        Ok(self.word(at))
    }

    /// A write from outside: any length and alignment. Ends every reservation on the touched words.
    pub fn write_bytes(&mut self, address: u32, bytes: &[u8]) -> Result<(), FaultCause> {
        let end = address as usize + bytes.len();
        if bytes.is_empty() {
            return Ok(());
        }
        if address < MEMORY_BASE || end > self.bytes.len() {
            let first_bad = if address < MEMORY_BASE {
                address
            } else {
                address.max(self.size())
            };
            return Err(FaultCause::Unmapped { address: first_bad });
        }
        let old = &mut self.bytes[address as usize..end];
        if old != bytes {
            old.copy_from_slice(bytes);
            self.changes += 1;
        }
        let words = address & !3..end as u32;
        self.reservations.retain(|r| !words.contains(&r.address));
        for line in address / LINE..(end as u32).div_ceil(LINE) {
            self.older.remove(&line);
        }
        for word in words.step_by(4) {
            self.note_write(word);
        }
        Ok(())
    }

    pub fn read(&self, width: LoadWidth, address: u32) -> Result<u32, FaultCause> {
        Ok(match width {
            LoadWidth::I8 => self.bytes[self.locate(address, 1)?] as i8 as u32,
            LoadWidth::U8 => u32::from(self.bytes[self.locate(address, 1)?]),
            LoadWidth::I16 => self.half(self.locate(address, 2)?) as i16 as u32,
            LoadWidth::U16 => u32::from(self.half(self.locate(address, 2)?)),
            LoadWidth::I32 => self.word(self.locate(address, 4)?),
        })
    }

    /// A store by `thread` (its number in the grid).
    pub fn store(
        &mut self,
        thread: u32,
        width: StoreWidth,
        address: u32,
        value: u32,
    ) -> Result<(), FaultCause> {
        let changed = match width {
            StoreWidth::W8 => {
                let at = self.locate(address, 1)?;
                let old = std::mem::replace(&mut self.bytes[at], value as u8);
                old != value as u8
            }
            StoreWidth::W16 => {
                let at = self.locate(address, 2)?;
                let old = self.half(at);
                self.bytes[at..at + 2].copy_from_slice(&(value as u16).to_le_bytes());
                old != value as u16
            }
            StoreWidth::W32 => {
                let at = self.locate(address, 4)?;
                self.replace_word(at, value) != value
            }
        };
        self.changes += u64::from(changed);
        self.written_by(thread, address & !3);
        Ok(())
    }

    /// LR: reads the word and reserves it for `thread`, in place of any earlier reservation of its own.
    pub fn load_reserved(&mut self, thread: u32, address: u32) -> Result<u32, FaultCause> {
        let value = self.read_u32(address)?;
        self.end_reservation_of(thread);
        self.reservations.push(Reservation { thread, address });
        Ok(value)
    }

    /// SC (ISA-021): stores if `thread` holds a reservation on this word, and says whether it did. The own
    /// reservation ends in any case; a successful SC ends the others' on the word.
    pub fn store_conditional(
        &mut self,
        thread: u32,
        address: u32,
        value: u32,
    ) -> Result<bool, FaultCause> {
        let at = self.locate(address, 4)?;
        let held = self.reservations.contains(&Reservation { thread, address });
        self.end_reservation_of(thread);
        if held {
            let old = self.replace_word(at, value);
            self.changes += u64::from(old != value);
            self.written_by(thread, address);
        }
        Ok(held)
    }

    /// AMO: replaces the word by `op`(word, operand) and returns the old word.
    pub fn amo(
        &mut self,
        thread: u32,
        op: AmoOp,
        address: u32,
        operand: u32,
    ) -> Result<u32, FaultCause> {
        let at = self.locate(address, 4)?;
        let old = self.word(at);
        let new = match op {
            AmoOp::Swap => operand,
            AmoOp::Add => old.wrapping_add(operand),
            AmoOp::Xor => old ^ operand,
            AmoOp::And => old & operand,
            AmoOp::Or => old | operand,
            AmoOp::Min => (old as i32).min(operand as i32) as u32,
            AmoOp::Max => (old as i32).max(operand as i32) as u32,
            AmoOp::Minu => old.min(operand),
            AmoOp::Maxu => old.max(operand),
        };
        self.replace_word(at, new);
        self.changes += u64::from(old != new);
        self.written_by(thread, address);
        Ok(old)
    }

    /// The word that `thread` has reserved.
    pub fn reservation(&self, thread: u32) -> Option<u32> {
        self.reservations
            .iter()
            .find(|r| r.thread == thread)
            .map(|r| r.address)
    }

    /// From now on, word addresses written inside `range` are noted for [`Memory::take_stale`].
    pub(crate) fn watch(&mut self, range: Range<u32>) {
        self.watched = range;
        self.stale.clear();
    }

    pub(crate) fn has_stale(&self) -> bool {
        !self.stale.is_empty()
    }

    /// Word addresses in the watched range that were written since the last call.
    pub(crate) fn take_stale(&mut self) -> Vec<u32> {
        std::mem::take(&mut self.stale)
    }

    /// Index of an access of `size` bytes, when it is legal.
    #[inline(always)]
    fn locate(&self, address: u32, size: u32) -> Result<usize, FaultCause> {
        if address & (size - 1) != 0 {
            return Err(FaultCause::Misaligned { address });
        }
        // An aligned access is mapped when its first byte is: the size is a multiple of 16.
        if address < MEMORY_BASE || address as usize >= self.bytes.len() {
            return Err(FaultCause::Unmapped { address });
        }
        Ok(address as usize)
    }

    #[inline(always)]
    fn half(&self, at: usize) -> u16 {
        u16::from_le_bytes([self.bytes[at], self.bytes[at + 1]])
    }

    #[inline(always)]
    fn word(&self, at: usize) -> u32 {
        let bytes: [u8; 4] = self.bytes[at..at + 4].try_into().expect("four bytes");
        u32::from_le_bytes(bytes)
    }

    fn replace_word(&mut self, at: usize, value: u32) -> u32 {
        let old = self.word(at);
        self.bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
        old
    }

    /// A write by `thread` into the word ends every other thread's reservation on it.
    #[inline(always)]
    fn written_by(&mut self, thread: u32, word: u32) {
        if !self.reservations.is_empty() {
            self.reservations
                .retain(|r| r.thread == thread || r.address != word);
        }
        if !self.older.is_empty() {
            self.older.remove(&(word / LINE));
        }
        self.note_write(word);
    }

    #[inline(always)]
    fn note_write(&mut self, word: u32) {
        if self.watched.contains(&word) {
            self.stale.push(word);
        }
    }

    pub(crate) fn end_reservation_of(&mut self, thread: u32) {
        self.reservations.retain(|r| r.thread != thread);
    }
}

/// Bytes of a load.
pub const fn load_size(width: LoadWidth) -> u32 {
    match width {
        LoadWidth::I8 | LoadWidth::U8 => 1,
        LoadWidth::I16 | LoadWidth::U16 => 2,
        LoadWidth::I32 => 4,
    }
}

/// Bytes of a store.
pub const fn store_size(width: StoreWidth) -> u32 {
    match width {
        StoreWidth::W8 => 1,
        StoreWidth::W16 => 2,
        StoreWidth::W32 => 4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use StoreWidth::*;

    fn memory() -> Memory {
        Memory::new(0x2000)
    }

    #[test]
    fn memory_is_little_endian() {
        let mut m = memory();
        m.store(0, W32, 0x1000, 0x8765_43a1).unwrap();
        assert_eq!(m.slice(0x1000..0x1004), Some(&[0xa1, 0x43, 0x65, 0x87][..]));
        assert_eq!(m.read(LoadWidth::I8, 0x1000), Ok(0xffff_ffa1));
        assert_eq!(m.read(LoadWidth::U8, 0x1000), Ok(0xa1));
        assert_eq!(m.read(LoadWidth::I16, 0x1002), Ok(0xffff_8765));
        assert_eq!(m.read(LoadWidth::U16, 0x1002), Ok(0x8765));
        assert_eq!(m.read(LoadWidth::I32, 0x1000), Ok(0x8765_43a1));
        m.store(0, W8, 0x1001, 0xffee).unwrap();
        m.store(0, W16, 0x1002, 0x1_1234).unwrap();
        assert_eq!(m.read_u32(0x1000), Ok(0x1234_eea1));
    }

    #[test]
    fn accesses_outside_are_unmapped_and_unaligned_ones_misaligned() {
        let mut m = memory();
        let unmapped = |address| Err(FaultCause::Unmapped { address });
        let misaligned = |address| Err(FaultCause::Misaligned { address });
        assert_eq!(m.read(LoadWidth::U8, 0xfff), unmapped(0xfff));
        assert_eq!(m.read(LoadWidth::U8, 0x2000), unmapped(0x2000));
        assert_eq!(m.read(LoadWidth::I32, 0xffff_fffc), unmapped(0xffff_fffc));
        assert_eq!(m.read(LoadWidth::I32, 0x1002), misaligned(0x1002));
        assert_eq!(m.read(LoadWidth::U16, 0x1fff), misaligned(0x1fff));
        assert_eq!(
            m.store(0, W16, 0x1001, 0),
            Err(FaultCause::Misaligned { address: 0x1001 })
        );
        assert_eq!(m.amo(0, AmoOp::Add, 0x1001, 0), misaligned(0x1001));
        assert_eq!(m.load_reserved(0, 0x1002), misaligned(0x1002));
        assert_eq!(
            m.store_conditional(0, 0x1002, 0),
            Err(FaultCause::Misaligned { address: 0x1002 })
        );
        assert_eq!(
            m.store_conditional(0, 0x2000, 0),
            Err(FaultCause::Unmapped { address: 0x2000 })
        );
        assert_eq!(m.read(LoadWidth::I32, 0x1ffc), Ok(0));
        assert_eq!(m.slice(0xfff..0x1001), None);
        assert_eq!(m.slice(0x1fff..0x2001), None);
        assert_eq!(
            m.write_bytes(0x1fff, &[1, 2]),
            Err(FaultCause::Unmapped { address: 0x2000 })
        );
        assert_eq!(m.changes(), 0);
    }

    #[test]
    fn only_a_change_of_value_counts_as_a_change() {
        let mut m = memory();
        m.store(0, W32, 0x1000, 7).unwrap();
        m.store(0, W32, 0x1000, 7).unwrap();
        m.store(0, W8, 0x1000, 0x107).unwrap();
        m.amo(0, AmoOp::Swap, 0x1000, 7).unwrap();
        m.amo(0, AmoOp::Or, 0x1000, 4).unwrap();
        assert_eq!(m.changes(), 1);
        m.amo(0, AmoOp::Add, 0x1000, 1).unwrap();
        m.write_bytes(0x1000, &[8]).unwrap();
        assert_eq!(m.changes(), 2);
    }

    #[test]
    fn amos_return_the_old_word_and_store_the_new_one() {
        let cases = [
            (AmoOp::Swap, 5, 9, 9),
            (AmoOp::Add, u32::MAX, 2, 1),
            (AmoOp::Xor, 6, 3, 5),
            (AmoOp::And, 6, 3, 2),
            (AmoOp::Or, 6, 3, 7),
            (AmoOp::Min, 1, u32::MAX, u32::MAX),
            (AmoOp::Max, 1, u32::MAX, 1),
            (AmoOp::Minu, 1, u32::MAX, 1),
            (AmoOp::Maxu, 1, u32::MAX, u32::MAX),
        ];
        for (op, old, operand, new) in cases {
            let mut m = memory();
            m.store(0, W32, 0x1100, old).unwrap();
            assert_eq!(m.amo(0, op, 0x1100, operand), Ok(old), "{op:?}");
            assert_eq!(m.read_u32(0x1100), Ok(new), "{op:?}");
        }
    }

    #[test]
    fn sc_succeeds_once_after_lr() {
        let mut m = memory();
        assert_eq!(m.store_conditional(0, 0x1000, 1), Ok(false));
        assert_eq!(m.load_reserved(0, 0x1000), Ok(0));
        assert_eq!(m.store_conditional(0, 0x1000, 1), Ok(true));
        assert_eq!(m.store_conditional(0, 0x1000, 2), Ok(false));
        assert_eq!(m.read_u32(0x1000), Ok(1));
    }

    #[test]
    fn sc_to_another_word_fails_and_ends_the_reservation() {
        let mut m = memory();
        m.load_reserved(0, 0x1000).unwrap();
        assert_eq!(m.store_conditional(0, 0x1004, 1), Ok(false));
        assert_eq!(m.store_conditional(0, 0x1000, 1), Ok(false));
    }

    #[test]
    fn a_thread_has_one_reservation() {
        let mut m = memory();
        m.load_reserved(0, 0x1000).unwrap();
        m.load_reserved(0, 0x1004).unwrap();
        assert_eq!(m.reservation(0), Some(0x1004));
        assert_eq!(m.store_conditional(0, 0x1000, 1), Ok(false));
    }

    #[test]
    fn a_write_to_the_word_ends_the_reservations_of_the_others_only() {
        let writes: [fn(&mut Memory); 4] = [
            |m| m.store(1, W8, 0x1003, 0).unwrap(),
            |m| m.store(1, W32, 0x1000, 0).unwrap(),
            |m| assert_eq!(m.amo(1, AmoOp::Add, 0x1000, 0), Ok(0)),
            |m| assert!(m.store_conditional(1, 0x1000, 0).unwrap()),
        ];
        for write in writes {
            let mut m = memory();
            m.load_reserved(0, 0x1000).unwrap();
            m.load_reserved(1, 0x1000).unwrap();
            m.load_reserved(2, 0x1004).unwrap();
            write(&mut m);
            assert_eq!(
                m.store_conditional(0, 0x1000, 5),
                Ok(false),
                "another thread wrote, even the same value"
            );
            assert_eq!(m.store_conditional(2, 0x1004, 5), Ok(true), "another word");
        }
        let mut m = memory();
        m.load_reserved(0, 0x1000).unwrap();
        m.store(0, W32, 0x1000, 3).unwrap();
        assert_eq!(
            m.store_conditional(0, 0x1000, 5),
            Ok(true),
            "the own store does not end it"
        );
    }

    #[test]
    fn a_failed_sc_ends_nobody_elses_reservation() {
        let mut m = memory();
        m.load_reserved(0, 0x1000).unwrap();
        assert_eq!(m.store_conditional(1, 0x1000, 5), Ok(false));
        assert_eq!(m.store_conditional(0, 0x1000, 5), Ok(true));
    }

    #[test]
    fn writes_into_the_watched_range_are_noted() {
        let mut m = memory();
        m.watch(0x1000..0x1008);
        m.store(0, W8, 0x1005, 1).unwrap();
        m.store(0, W8, 0x1008, 1).unwrap();
        m.write_bytes(0x1002, &[1, 2, 3]).unwrap();
        assert_eq!(m.take_stale(), [0x1004, 0x1000, 0x1004]);
        assert!(!m.has_stale());
    }

    #[test]
    fn the_host_writes_past_lines_that_are_held() {
        let mut m = memory();
        m.write_bytes(0x1000, &[1; 128]).unwrap();
        m.write_past(0x103e, &[2; 4], || true).unwrap();
        for line in [0x40, 0x41] {
            assert_eq!(m.shared_line(line), Some(&[1; 64][..]));
        }
        assert_eq!(m.slice(0x103e..0x1042), Some(&[2; 4][..]));
        // What a thread writes, the L2 does not hold any more.
        m.store(0, W8, 0x1000, 3).unwrap();
        assert_eq!(m.shared_line(0x40), m.slice(0x1000..0x1040));
        m.forget_older();
        assert_eq!(m.shared_line(0x41), m.slice(0x1040..0x1080));
    }

    /// Up to the end of all addresses, too.
    #[test]
    fn a_write_past_the_memory_changes_nothing() {
        let mut m = memory();
        let before = m.clone();
        for address in [
            0,
            0xfc0,
            0x1fff,
            0x2000,
            0xffff_ffc0,
            0xffff_ffd0,
            0xffff_ffff,
        ] {
            let refused = m.write_past(address, &[1; 16], || true);
            assert!(refused.is_err(), "{address:#x}");
        }
        m.forget_older();
        assert_eq!(m.slice(0x1000..0x2000), before.slice(0x1000..0x2000));
    }
}
