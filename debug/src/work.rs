//! What is debugged: a program, and the machine for each part of its grid. The parts run one after the other, over one
//! global memory.

use weft_isa::Program;
use weft_sim::{Config, ConfigError, Launch, Machine, Memory};

/// A program and its grid.
#[derive(Clone, Debug)]
pub struct Work {
    pub program: Program,
    pub grid: Grid,
}

/// Who runs it.
#[derive(Clone, Debug)]
pub enum Grid {
    /// Machines without windows, one for each part of the grid.
    Parts(Vec<Config>),
    /// A launch, CTA by CTA; the machine has room for one.
    Launch(Config, Launch),
}

impl Work {
    /// How many machines there are, one after the other.
    pub fn parts(&self) -> u32 {
        match &self.grid {
            Grid::Parts(parts) => parts.len() as u32,
            Grid::Launch(_, launch) => launch.ctas(),
        }
    }

    /// What a part is called.
    pub fn name(&self, part: u32) -> String {
        let what = match &self.grid {
            Grid::Parts(_) => "part",
            Grid::Launch(..) => "CTA",
        };
        format!("{what} {part} of {}", self.parts())
    }

    /// The machine of a part, from 0; `memory`: what the parts before it have left.
    ///
    /// # Errors
    /// A size that there is not, or a program that does not fit into its memory.
    pub fn machine(&self, part: u32, memory: Option<Memory>) -> Result<Machine, ConfigError> {
        match &self.grid {
            Grid::Parts(parts) => {
                let config = &parts[part as usize];
                let mut machine = Machine::new(&self.program, config)?;
                if let Some(memory) = memory {
                    let range = weft_sim::memory::MEMORY_BASE..memory.size();
                    let bytes = memory.slice(range.clone()).unwrap_or_default();
                    let written = machine.memory_mut().write_bytes(range.start, bytes);
                    written.expect("a memory of the same size");
                }
                Ok(machine)
            }
            Grid::Launch(config, launch) => {
                launch.config(config)?.validate_program(&self.program)?;
                let memory = memory.unwrap_or_else(|| Memory::load(&self.program, config.memory));
                Machine::of_cta(&self.program, config, launch, part, memory)
            }
        }
    }
}
