//! Predecoded program text.
//!
//! Programs are not meant to modify themselves. A store into the text is legal all the same: the memory notes the
//! word and [`Code::refresh`] decodes it again, so that the next instruction sees it, with or without FENCE.I.
//! Instructions outside the text range are decoded each time they are fetched.

use crate::memory::{FaultCause, Memory};
use weft_isa::{Instr, Program};

#[derive(Clone, Debug)]
pub struct Code {
    /// Byte address of `table[0]`.
    start: u32,
    /// `None`: the word is not an instruction.
    table: Vec<Option<Instr>>,
    /// Lines whose fetch the memory answers with an error: begin addresses.
    broken: Vec<u32>,
}

impl Code {
    /// Decodes the text of `program`, which is already in `memory`, and lets the memory note writes into it.
    pub fn new(program: &Program, memory: &mut Memory) -> Code {
        let (start, end) = program.text;
        let table = (start..end)
            .step_by(4)
            .map(|address| decode_at(memory, address))
            .collect();
        memory.watch(start..end);
        let broken = Vec::new();
        Code {
            start,
            table,
            broken,
        }
    }

    /// The memory answers the fetch of these lines of 64 bytes with an error (MEM-052).
    pub fn break_lines(&mut self, lines: &[u32]) {
        self.broken = lines.to_vec();
        for (n, instr) in self.table.iter_mut().enumerate() {
            if lines.contains(&line_of(self.start + 4 * n as u32)) {
                *instr = None;
            }
        }
    }

    /// Another word in the text.
    pub fn set(&mut self, address: u32, word: u32) {
        let index = (address.wrapping_sub(self.start) / 4) as usize;
        if let Some(instr) = self.table.get_mut(index) {
            *instr = weft_isa::decode(word).ok();
        }
    }

    pub fn has_barriers(&self) -> bool {
        let barrier = |instr: &Option<Instr>| matches!(instr, Some(Instr::Barrier { .. }));
        self.table.iter().any(barrier)
    }

    /// The instruction at a byte address that is a multiple of 4.
    #[inline]
    pub fn fetch(&self, address: u32, memory: &Memory) -> Result<Instr, FaultCause> {
        let index = (address.wrapping_sub(self.start) / 4) as usize;
        match self.table.get(index) {
            Some(Some(instr)) => Ok(*instr),
            _ => self.fetch_slowly(address, memory),
        }
    }

    /// Of an instruction in a short function that is called by `jal t0`, as weft.h has them for barriers: the call, told by
    /// what the thread has in t0.
    pub fn caller(&self, pc: u32, link: u32, memory: &Memory) -> Option<u32> {
        let call = link.checked_sub(4).filter(|call| call % 4 == 0)?;
        match self.fetch(call, memory) {
            Ok(Instr::Jal { rd: 5, offset }) => {
                let begin = call.wrapping_add_signed(offset);
                (pc.wrapping_sub(begin) < 64).then_some(call)
            }
            _ => None,
        }
    }

    /// Decodes the words again that have been written since the last call.
    #[inline]
    pub fn refresh(&mut self, memory: &mut Memory) {
        if memory.has_stale() {
            self.decode_again(memory);
        }
    }

    #[cold]
    fn decode_again(&mut self, memory: &mut Memory) {
        for address in memory.take_stale() {
            if !self.broken.contains(&line_of(address)) {
                self.table[((address - self.start) / 4) as usize] = decode_at(memory, address);
            }
        }
    }

    /// ISA-022.
    #[cold]
    fn fetch_slowly(&self, address: u32, memory: &Memory) -> Result<Instr, FaultCause> {
        let Ok(word) = memory.read_u32(address) else {
            return Err(FaultCause::Fetch { address });
        };
        if self.broken.contains(&line_of(address)) {
            return Err(FaultCause::FetchBus { address });
        }
        weft_isa::decode(word).map_err(|_| FaultCause::IllegalInstruction(word))
    }
}

fn line_of(address: u32) -> u32 {
    address & !63
}

fn decode_at(memory: &Memory, address: u32) -> Option<Instr> {
    memory
        .read_u32(address)
        .ok()
        .and_then(|word| weft_isa::decode(word).ok())
}
