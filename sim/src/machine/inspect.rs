//! What a debugger sees of a machine, and what it changes: where a thread stands, its registers, and memory as the
//! thread sees it. None of it takes a turn.

use super::{Behind, Machine};
use crate::deque::{BARRIER, EXIT, MASKED};
use crate::lane::Thread;
use crate::memory::{FaultCause, Memory, MEMORY_BASE};
use crate::space::Window;

/// Where a thread stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It was never launched: the grid has no such thread.
    Absent,
    /// It executes the warp's next instruction, at this byte address.
    Active { pc: u32 },
    /// It is off, for this reason ([`crate::kind_name`]), and goes on at this byte address; of a thread that sleeps at a
    /// barrier it is the barrier instruction. `None`: no token says where (a masked thread without one goes on with its
    /// warp).
    Off { reason: u8, pc: Option<u32> },
    /// It has ended.
    Ended,
}

impl Machine {
    /// Where a thread stands: it is active, or a token, the barrier unit or the warp says where it goes on.
    pub fn standing_of(&self, warp: usize, lane: usize) -> Standing {
        let control = self.warp(warp);
        if self.config.launch_mask(warp) >> lane & 1 == 0 {
            return Standing::Absent;
        }
        let pc = Some(control.pc() * 4);
        let reason = match control.reason(lane) {
            None => {
                return Standing::Active {
                    pc: control.pc() * 4,
                }
            }
            Some(EXIT) => return Standing::Ended,
            Some(reason) => reason,
        };
        let pc = match reason {
            BARRIER => {
                let waiters = self.barriers.waiters();
                let mut own = waiters.iter().filter(|w| w.warp == warp);
                let own = own.find(|w| w.lane as usize == lane);
                own.map(|w| w.tag * 4)
            }
            // It runs along, and changes nothing.
            MASKED => pc,
            _ => {
                let wakes = |t: &&crate::Token| t.kind == reason && t.mask >> lane & 1 != 0;
                let tokens = self.tokens(warp);
                tokens.iter().find(wakes).map(|token| token.address * 4)
            }
        };
        Standing::Off { reason, pc }
    }

    /// Number in the grid.
    pub fn number(&self, warp: usize, lane: usize) -> u32 {
        self.first_thread(warp) + lane as u32
    }

    /// Registers of a thread, to be changed from outside; it goes on with them. x0 must stay 0.
    pub fn thread_mut(&mut self, warp: usize, lane: usize) -> &mut Thread {
        &mut self.slots[warp].threads[lane]
    }

    /// The instruction that a warp executes next; `None`: there is none at its pc.
    pub fn next_instruction(&self, warp: usize) -> Option<weft_isa::Instr> {
        self.code.fetch(self.warp(warp).pc() * 4, &self.memory).ok()
    }

    /// Memory from a byte address on, as a thread sees it: global memory, its own local memory, the scratchpad of its
    /// CTA. Fills `bytes` from the beginning and says how many are mapped; what is behind them stays as it was.
    /// Any alignment.
    ///
    /// # Errors
    /// Not even the first byte is mapped.
    pub fn bytes(
        &self,
        warp: usize,
        lane: usize,
        address: u32,
        bytes: &mut [u8],
    ) -> Result<usize, FaultCause> {
        let (_, memory, at, end) = self.mapped(warp, lane, address)?;
        let most = ((end - at) as usize).min(bytes.len());
        let seen = memory.slice(at..at + most as u32);
        bytes[..most].copy_from_slice(seen.ok_or(FaultCause::Unmapped { address })?);
        Ok(most)
    }

    /// Writes memory from outside, as a thread sees it. Any length and alignment; it ends reservations on the touched
    /// words. Instructions may be written, too.
    ///
    /// # Errors
    /// Not all of it is mapped; then nothing is written.
    pub fn write_bytes(
        &mut self,
        warp: usize,
        lane: usize,
        address: u32,
        bytes: &[u8],
    ) -> Result<(), FaultCause> {
        let (window, _, at, end) = self.mapped(warp, lane, address)?;
        if bytes.len() > (end - at) as usize {
            return Err(FaultCause::Unmapped {
                address: address + (end - at),
            });
        }
        let own = self.own(warp, lane);
        let memory = match &mut self.behind {
            Behind::Windows(windows) => windows.behind_mut(own, window).unwrap_or(&mut self.memory),
            _ => &mut self.memory,
        };
        memory.write_bytes(at, bytes)?;
        self.code.refresh(&mut self.memory);
        Ok(())
    }

    /// Number in the CTA that the machine runs.
    fn own(&self, warp: usize, lane: usize) -> usize {
        warp * self.config.threads + lane
    }

    /// Which memory an address is in, the address there, and the end of what is mapped there.
    fn mapped(
        &self,
        warp: usize,
        lane: usize,
        address: u32,
    ) -> Result<(Window, &Memory, u32, u32), FaultCause> {
        let unmapped = FaultCause::Unmapped { address };
        if let Behind::Windows(windows) = &self.behind {
            if let Some((window, memory, at)) = windows.locate(self.own(warp, lane), address) {
                let bounds = windows.bounds();
                let size = match window {
                    Window::Local => bounds.local,
                    _ => bounds.scratchpad,
                };
                return Ok((window, memory, at, MEMORY_BASE + size));
            }
        }
        match (MEMORY_BASE..self.memory.size()).contains(&address) {
            true => Ok((Window::Global, &self.memory, address, self.memory.size())),
            false => Err(unmapped),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::{Launch, LOCAL, SCRATCHPAD};
    use crate::{Config, Limits, Record};

    const DIVERGES: &str = "_start: andi t0, a0, 1\n bnez t0, 1f\n addi t1, t1, 1\n1: exit\n";

    fn config(warps: usize, grid: Option<u32>) -> Config {
        Config {
            warps,
            threads: 4,
            grid,
            ..Config::default()
        }
    }

    fn machine(text: &str, config: &Config) -> Machine {
        Machine::new(&weft_isa::assemble(text, "p.s").unwrap(), config).unwrap()
    }

    #[test]
    fn a_thread_that_is_off_stands_where_its_token_says() {
        let mut machine = machine(DIVERGES, &config(1, Some(3)));
        let begin = machine.warp(0).pc() * 4;
        let active = |pc| Standing::Active { pc };
        assert_eq!(machine.standing_of(0, 2), active(begin));
        assert_eq!(machine.standing_of(0, 3), Standing::Absent);
        for _ in 0..2 {
            machine.step(0).unwrap();
        }
        // Lane 1, the smaller group, runs first.
        let reason = crate::DIV;
        let off = Standing::Off {
            reason,
            pc: Some(begin + 8),
        };
        let all = [0, 1, 2].map(|lane| machine.standing_of(0, lane));
        assert_eq!(all, [off, active(begin + 12), off]);
        machine.step(0).unwrap();
        let all = [0, 1, 2].map(|lane| machine.standing_of(0, lane));
        assert_eq!(all, [active(begin + 8), Standing::Ended, active(begin + 8)]);
    }

    #[test]
    fn a_thread_at_a_barrier_stands_at_its_instruction() {
        let text = "_start: bnez a0, 1f\n2: j 2b\n1: li t0, 0\n bar.top 0, t0\n exit\n";
        let mut machine = machine(text, &config(1, None));
        let begin = machine.warp(0).pc() * 4;
        let sleeps = |machine: &Machine, lane| match machine.standing_of(0, lane) {
            Standing::Off {
                reason: BARRIER,
                pc,
            } => pc,
            _ => None,
        };
        // Lane 0 spins, and yields when it has to.
        while sleeps(&machine, 1).is_none() {
            machine.step(0).unwrap();
        }
        let all = [1, 2, 3].map(|lane| sleeps(&machine, lane));
        let bar = (begin..begin + 32).step_by(4).find(|at| {
            let word = machine.memory().read_u32(*at).unwrap();
            matches!(weft_isa::decode(word), Ok(weft_isa::Instr::Barrier { .. }))
        });
        assert!(bar.is_some());
        assert_eq!(all, [bar; 3]);
        assert_eq!(sleeps(&machine, 0), None);
    }

    #[test]
    fn registers_that_are_changed_count() {
        let mut machine = machine("_start: sw a0, 0(a2)\n exit\n", &config(1, Some(1)));
        machine.thread_mut(0, 0).set(10, 77);
        machine.thread_mut(0, 0).set(12, 0x2000);
        machine.run(&Limits::default(), |_: &Record| ());
        assert_eq!(machine.memory().read_u32(0x2000), Ok(77));
    }

    #[test]
    fn memory_is_what_the_thread_sees() {
        let program = weft_isa::assemble("_start: exit\n", "p.s").unwrap();
        let launch = Launch {
            grid: [2, 1, 1],
            cta: [6, 1, 1],
            scratchpad: 8,
            local: 32,
            ..Launch::default()
        };
        let config = config(2, None);
        let memory = Memory::load(&program, config.memory);
        let mut machine = Machine::of_cta(&program, &config, &launch, 1, memory).unwrap();
        // Thread 5 of CTA 1 is lane 1 of warp 1.
        assert_eq!(machine.number(1, 1), 11);
        machine.write_bytes(1, 1, LOCAL + 30, &[1, 2]).unwrap();
        machine.write_bytes(1, 1, SCRATCHPAD + 3, &[3]).unwrap();
        machine.write_bytes(1, 1, 0x2001, &[4]).unwrap();
        let read = |lane, address| {
            let mut bytes = [0xff; 4];
            let n = machine.bytes(1, lane, address, &mut bytes)?;
            Ok((n, bytes))
        };
        assert_eq!(read(1, LOCAL + 29), Ok((3, [0, 1, 2, 0xff])));
        assert_eq!(read(0, LOCAL + 29), Ok((3, [0, 0, 0, 0xff])));
        assert_eq!(read(0, SCRATCHPAD + 2), Ok((4, [0, 3, 0, 0])));
        assert_eq!(read(0, 0x2000), Ok((4, [0, 4, 0, 0])));
        for address in [0, LOCAL + 32, SCRATCHPAD + 8, config.memory] {
            assert_eq!(read(0, address), Err(FaultCause::Unmapped { address }));
        }
        let beyond = machine.write_bytes(1, 1, LOCAL + 30, &[9; 3]);
        let address = LOCAL + 32;
        assert_eq!(beyond, Err(FaultCause::Unmapped { address }));
    }

    #[test]
    fn instructions_that_are_written_are_executed() {
        let mut machine = machine("_start: li a0, 1\n exit\n", &config(1, Some(1)));
        let begin = machine.warp(0).pc() * 4;
        let other = weft_isa::assemble("_start: li a0, 9\n exit\n", "q.s").unwrap();
        let word = &other.segments[0].bytes[..4];
        machine.write_bytes(0, 0, begin, word).unwrap();
        machine.run(&Limits::default(), |_: &Record| ());
        assert_eq!(machine.thread(0, 0).registers[10], 9);
    }
}
