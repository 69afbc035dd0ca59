//! Addresses of the host port, error codes, and the sizes of a GPU (docs/spec/host.md and docs/spec/tasks.md,
//! *Registers*).

use crate::memory::Memory;
use crate::memory::MEMORY_BASE;
use std::fmt;

/// Byte addresses of the registers.
pub mod at {
    pub const ID: u32 = 0x000;
    pub const SIZE: u32 = 0x004;
    pub const SM_SIZE: u32 = 0x008;
    pub const STATUS: u32 = 0x00c;
    pub const INTERRUPT: u32 = 0x010;
    pub const INTERRUPT_ENABLE: u32 = 0x014;
    pub const MEMORY_END: u32 = 0x018;
    pub const THREAD_END: u32 = 0x01c;
    pub const POLL: u32 = 0x020;
    pub const TIMEOUT: u32 = 0x024;
    pub const TIME: u32 = 0x028;
    pub const TIME_HIGH: u32 = 0x02c;
    pub const COMMANDS: u32 = 0x030;
    pub const ENTRIES: u32 = 0x034;
    pub const LAUNCHES: u32 = 0x038;
    pub const SPAWNS: u32 = 0x03c;
    pub const DEPENDENTS: u32 = 0x040;
    pub const CTAS: u32 = 0x044;
    pub const CTAS_DONE: u32 = 0x048;
    pub const EVICTIONS: u32 = 0x04c;
    pub const TASKS_DONE: u32 = 0x050;
    pub const MEMORY_TIMEOUT: u32 = 0x054;

    /// Channel c is at `CHANNEL + c * CHANNEL_STEP`.
    pub const CHANNEL: u32 = 0x100;
    pub const CHANNEL_STEP: u32 = 0x40;
    pub const BASE: u32 = 0x00;
    pub const NUMBER: u32 = 0x04;
    pub const GP_GET: u32 = 0x08;
    pub const GP_PUT: u32 = 0x0c;
    pub const CONTROL: u32 = 0x10;
    pub const CHANNEL_STATUS: u32 = 0x14;
    pub const ERROR: u32 = 0x18;
    pub const ERROR_ENTRY: u32 = 0x1c;
    pub const ERROR_ADDRESS: u32 = 0x20;
    pub const SHADOW: u32 = 0x24;
    pub const LIMIT: u32 = 0x28;
    pub const DONE: u32 = 0x2c;

    /// SM s is at `SM + s * SM_STEP`; the first ones are at `FIRST_SMS + s * SM_STEP`, too.
    pub const SM: u32 = 0x500;
    pub const SM_STEP: u32 = 0x20;
    pub const SM_END: u32 = SM + SM_STEP * super::MOST_SMS as u32;
    pub const FIRST_SMS: u32 = 0x300;
    pub const LOCAL_BASE: u32 = 0x00;
    pub const LOCAL_LIMIT: u32 = 0x04;
    pub const TOKEN_BASE: u32 = 0x08;
    pub const TOKEN_SIZE: u32 = 0x0c;
    pub const OCCUPANCY: u32 = 0x10;
    pub const SM_CTAS_DONE: u32 = 0x14;

    pub const SPAWN_BASE: u32 = 0x380;
    pub const SPAWN_NUMBER: u32 = 0x384;
    pub const SPAWN_POLL: u32 = 0x388;
    pub const TASK_ERROR: u32 = 0x390;
    pub const TASK_ERROR_ADDRESS: u32 = 0x394;
    pub const TASK_ERROR_TASK: u32 = 0x398;
    pub const TASK_ERRORS: u32 = 0x39c;
    pub const FAULT: u32 = 0x3a0;
    pub const FAULT_PC: u32 = 0x3a4;
    pub const FAULT_ADDRESS: u32 = 0x3a8;
    pub const FAULT_CTA: u32 = 0x3ac;
    pub const FAULT_TASK: u32 = 0x3b0;
    pub const LIMIT_MAX: u32 = 0x3c0;
    pub const KILL: u32 = 0x3c4;
    /// Cycles of a unit of LIMIT and LIMIT_MAX.
    pub const LIMIT_UNIT: u64 = 1024;

    pub const TABLE_BASE: u32 = 0x3e0;
    pub const TABLE_NUMBER: u32 = 0x3e4;
    pub const THREAD_LIMIT: u32 = 0x3e8;
    pub const THREAD_LEVEL: u32 = 0x3ec;

    /// Domain d is at `DOMAIN + d * DOMAIN_STEP`.
    pub const DOMAIN: u32 = 0x400;
    pub const DOMAIN_STEP: u32 = 0x10;
    pub const DOMAINS: usize = 8;
    pub const WINDOW_BASE: u32 = 0x0;
    pub const WINDOW_END: u32 = 0x4;
    pub const LOCAL_OFFSET: u32 = 0x8;
    pub const CHANNEL_DOMAINS: u32 = 0x480;
    pub const SPAWN_DOMAIN: u32 = 0x484;

    /// CONTROL of a channel.
    pub const ENABLE: u32 = 1;
    pub const OWNER_GPU: u32 = 2;
    pub const CLEAR: u32 = 1 << 31;
    /// Bits of INTERRUPT.
    pub const INTERRUPT_TASK_ERROR: u32 = 1 << 16;
    pub const INTERRUPT_FAULT: u32 = 1 << 17;
    pub const INTERRUPT_COMPLETION: u32 = 1 << 18;
    pub const INTERRUPT_MEMORY: u32 = 1 << 19;
    /// Bits of STATUS.
    pub const STATUS_MEMORY: u32 = 1 << 4;

    /// The register of a channel.
    pub const fn channel(channel: usize, offset: u32) -> u32 {
        CHANNEL + CHANNEL_STEP * channel as u32 + offset
    }

    /// The register of a domain.
    pub const fn domain(domain: usize, offset: u32) -> u32 {
        DOMAIN + DOMAIN_STEP * domain as u32 + offset
    }

    /// Which register of which SM is at this address: number of the SM, offset.
    pub fn of_sm(address: u32) -> Option<(usize, u32)> {
        let from = match address {
            FIRST_SMS..SPAWN_BASE => FIRST_SMS,
            SM..SM_END => SM,
            _ => return None,
        };
        let (sm, offset) = ((address - from) / SM_STEP, (address - from) % SM_STEP);
        Some((sm as usize, offset))
    }

    /// The register of an SM.
    pub const fn sm(sm: usize, offset: u32) -> u32 {
        SM + SM_STEP * sm as u32 + offset
    }
}

macro_rules! codes {
    ($($code:literal $name:ident $text:literal,)*) => {
        /// What is wrong with a channel, an entry, a command or a descriptor.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Code {
            $(#[doc = $text] $name = $code,)*
        }

        impl Code {
            pub const ALL: &'static [Code] = &[$(Code::$name,)*];

            /// As the pages name it.
            pub const fn text(self) -> &'static str {
                match self { $(Code::$name => $text,)* }
            }
        }
    };
}

codes! {
    1 Number "a channel needs 2 to 65,536 entries",
    2 RingAddress "the ring is misaligned or not in memory",
    3 GetRange "GP_GET is beyond the ring",
    4 PutRange "GP_PUT is beyond the ring",
    5 Locked "the channel is enabled",
    6 ShadowAddress "the shadow is misaligned or not in memory",
    8 EntryReserved "bits of the entry that must be 0 are not",
    9 EntryLength "the command block has no words",
    10 BlockAddress "the command block is misaligned or out of reach",
    16 CommandUnknown "unknown command",
    17 CommandSize "the command has the wrong size, or the block ends inside it",
    18 CommandFlags "the command does not have these flags",
    19 SemAddress "the semaphore is misaligned or out of reach",
    20 AcquireTimeout "the semaphore did not get its value",
    21 Memory "no memory there",
    32 DescriptorAddress "the descriptor is misaligned or out of reach",
    33 DescriptorHeader "no header of a descriptor",
    34 DescriptorPc "the program is misaligned or not in memory",
    35 DescriptorGrid "the grid has no CTAs, or too many",
    36 DescriptorCta "the CTA has no threads, or more than an SM",
    37 DescriptorScratchpad "the scratchpad is misaligned or larger than an SM's",
    38 DescriptorLocal "local memory is misaligned or larger than the limit",
    39 DescriptorCompletion "the completion semaphore is misaligned or out of reach",
    40 DescriptorDependent "the dependent is misaligned, out of reach, or the task itself",
    41 DescriptorReserved "words of the descriptor that must be 0 are not",
    42 QueueRing "the ring of the queue is misaligned or out of reach",
    43 QueueEntry "the size of the queue's entries",
    44 QueueEntries "the number of the queue's entries",
    45 QueueEach "the number of entries per CTA",
    46 QueuePointers "PUT is further from GET than the queue is long",
    47 DescriptorBusy "the task is pending or active already",
    48 TableFull "there is no place for one more pending task",
    49 Table "the table of pending tasks is misaligned, out of private memory, or of a wrong size",
    50 ThreadLimit "tasks of threads have all the places that they may have",
    51 SpawnRing "the spawn ring is misaligned or out of reach",
    52 SpawnLost "a thread has taken a ticket and launched nothing",
    53 TaskMemory "no memory there",
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

/// Something wrong, and the address of the field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wrong {
    pub code: Code,
    pub place: u32,
}

impl Wrong {
    pub fn at(code: Code, place: u32) -> Wrong {
        Wrong { code, place }
    }
}

/// SMs of a GPU at most.
pub const MOST_SMS: usize = 8;

/// Parameters of a GPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// 2 to 8.
    pub channels: usize,
    /// 1 to [`MOST_SMS`].
    pub sms: usize,
    /// Task slots, 1 to 8.
    pub slots: usize,
    /// Of an SM.
    pub warps: usize,
    /// Of a warp.
    pub threads: usize,
    /// Only shown (SM_SIZE).
    pub lanes: usize,
    /// Lanes with float; 0: float words are illegal (ISA-040).
    pub float: usize,
    /// Bytes of scratchpad of an SM, a multiple of 1,024.
    pub scratchpad: u32,
    /// TASK-056: CTAs of several tasks may share an SM, which no GPU does: a unit of task management alone may.
    pub mix: bool,
}

impl Size {
    /// With float on every second lane, or on the only one.
    pub fn with_float(self) -> Size {
        Size {
            float: (self.lanes / 2).max(1),
            ..self
        }
    }
}

impl Default for Size {
    fn default() -> Size {
        Size {
            channels: 4,
            sms: 1,
            slots: 4,
            warps: 16,
            threads: 32,
            lanes: 8,
            float: 0,
            scratchpad: 16 << 10,
            mix: false,
        }
    }
}

/// What addresses and sizes are compared with (HOST-001).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    pub memory_end: u32,
    pub thread_end: u32,
    /// The domain of who names something, and its window (HOST-004).
    pub domain: u8,
    pub window: (u32, u32),
    /// Threads that an SM has room for.
    pub threads: u32,
    pub scratchpad: u32,
    /// The smallest of all SMs.
    pub local: u32,
    /// For tests: HOST-002 is left out.
    pub(super) boundless: bool,
}

impl Limits {
    /// Of an SM of that size; `local`: bytes of local memory of a thread at most.
    pub fn new(size: &Size, (thread_end, memory_end): (u32, u32), local: u32) -> Limits {
        Limits {
            memory_end,
            thread_end,
            domain: 0,
            window: (MEMORY_BASE, thread_end),
            threads: (size.warps * size.threads) as u32,
            scratchpad: size.scratchpad,
            local,
            boundless: false,
        }
    }

    /// HOST-002, HOST-004: are `bytes` bytes at `address` within reach of what is said at `said`?
    pub fn reaches(&self, said: u32, address: u32, bytes: u32) -> bool {
        let (base, end) = match said >= self.thread_end || self.boundless {
            true => (MEMORY_BASE, self.memory_end),
            false => self.window,
        };
        address >= base && within(address, bytes, end)
    }
}

/// `bytes` bytes at `address` lie between the begin of memory and `end`.
pub fn within(address: u32, bytes: u32, end: u32) -> bool {
    address >= MEMORY_BASE && u64::from(address) + u64::from(bytes) <= u64::from(end)
}

/// A word, or that there is none.
pub(super) fn load(memory: &Memory, code: Code, address: u32) -> Result<u32, Wrong> {
    let word = memory.read_u32(address);
    word.map_err(|_| Wrong::at(code, address))
}

/// Writes a word; what front end and task management write into memory goes through here (HOST-003), but for the zeros
/// in the spawn ring.
pub(super) fn save(memory: &mut Memory, code: Code, address: u32, value: u32) -> Result<(), Wrong> {
    let written = memory.write_bytes(address, &value.to_le_bytes());
    written.map_err(|_| Wrong::at(code, address))
}
