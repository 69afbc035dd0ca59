//! Buffers and sub-buffers, and where they are mapped.

use crate::code::{ensure, fail, Code, Outcome};
use crate::context::{Context, Destructors};
use crate::device::{Allocation, Machine, ALIGNMENT};
use crate::host::{HostMemory, Shadow};
use crate::object::{self, kind, lock, Ref};
use crate::query::Answer;
use opencl_sys::*;
use std::ffi::c_void;
use std::sync::{Mutex, OnceLock};

/// Flags of which one at most may be given.
const ACCESS: [cl_mem_flags; 3] = [CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY, CL_MEM_READ_ONLY];
const HOST_ACCESS: [cl_mem_flags; 3] = [
    CL_MEM_HOST_WRITE_ONLY,
    CL_MEM_HOST_READ_ONLY,
    CL_MEM_HOST_NO_ACCESS,
];
const HOST_POINTER: cl_mem_flags =
    CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;

pub struct Memory {
    pub context: Ref<Context>,
    pub flags: cl_mem_flags,
    pub size: usize,
    pub properties: Vec<u64>,
    /// The host's bytes of CL_MEM_USE_HOST_PTR: where the buffer is mapped.
    host: Option<HostMemory>,
    place: Place,
    maps: Mutex<Vec<Map>>,
    pub destructors: Destructors,
}
kind!(
    Memory,
    CL_INVALID_MEM_OBJECT,
    |memory: &mut Memory, handle| {
        memory.destructors.call(handle);
    }
);

enum Place {
    Own {
        allocation: Allocation,
        /// Where it is mapped if the host has not said where.
        shadow: OnceLock<Option<Shadow>>,
    },
    Part {
        of: Ref<Memory>,
        offset: usize,
    },
}

/// A mapping.
#[derive(Clone, Copy)]
pub struct Map {
    pub flags: cl_map_flags,
    pub offset: usize,
    pub host: HostMemory,
}

fn one_at_most(flags: cl_mem_flags, of: &[cl_mem_flags]) -> bool {
    of.iter().filter(|&&flag| flags & flag != 0).count() <= 1
}

impl Memory {
    /// # Errors
    /// Flags that exclude each other, a size that there cannot be, no room.
    pub fn buffer(
        context: &Ref<Context>,
        flags: cl_mem_flags,
        size: usize,
        host: HostMemory,
        properties: Vec<u64>,
    ) -> Outcome<Memory> {
        let known = ACCESS
            .iter()
            .chain(&HOST_ACCESS)
            .fold(HOST_POINTER, |all, flag| all | flag);
        ensure(flags & !known == 0, CL_INVALID_VALUE)?;
        ensure(one_at_most(flags, &ACCESS), CL_INVALID_VALUE)?;
        ensure(one_at_most(flags, &HOST_ACCESS), CL_INVALID_VALUE)?;
        let used = flags & CL_MEM_USE_HOST_PTR != 0;
        let both = CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;
        ensure(!used || flags & both == 0, CL_INVALID_VALUE)?;
        let largest = context.device.model.largest as usize;
        ensure((1..=largest).contains(&size), CL_INVALID_BUFFER_SIZE)?;
        let wanted = flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR) != 0;
        ensure(wanted == (host.address() != 0), CL_INVALID_HOST_PTR)?;
        ensure(
            properties.is_empty() || properties == [0],
            CL_INVALID_PROPERTY,
        )?;
        let taken = context.device.arena().take(size as u32);
        Ok(Memory {
            context: context.clone(),
            flags: with_default(flags, &ACCESS, CL_MEM_READ_WRITE),
            size,
            properties,
            host: used.then_some(host),
            place: Place::Own {
                allocation: taken.ok_or(Code(CL_MEM_OBJECT_ALLOCATION_FAILURE))?,
                shadow: OnceLock::new(),
            },
            maps: Mutex::default(),
            destructors: Destructors::default(),
        })
    }

    /// # Errors
    /// It is not inside, is misaligned, or has rights that the whole has not.
    pub fn part(
        of: &Ref<Memory>,
        flags: cl_mem_flags,
        offset: usize,
        size: usize,
    ) -> Outcome<Memory> {
        ensure(matches!(of.place, Place::Own { .. }), CL_INVALID_MEM_OBJECT)?;
        let known = ACCESS
            .iter()
            .chain(&HOST_ACCESS)
            .fold(0, |all, flag| all | flag);
        ensure(flags & !known == 0, CL_INVALID_VALUE)?;
        ensure(one_at_most(flags, &ACCESS), CL_INVALID_VALUE)?;
        ensure(one_at_most(flags, &HOST_ACCESS), CL_INVALID_VALUE)?;
        // Rights of the whole that a part cannot have.
        let denied = [
            (CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE | CL_MEM_READ_ONLY),
            (CL_MEM_READ_ONLY, CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY),
            (CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_READ_ONLY),
            (CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY),
            (
                CL_MEM_HOST_NO_ACCESS,
                CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY,
            ),
        ];
        let is_denied = |&(whole, part)| of.flags & whole != 0 && flags & part != 0;
        ensure(!denied.iter().any(is_denied), CL_INVALID_VALUE)?;
        ensure(size > 0, CL_INVALID_BUFFER_SIZE)?;
        let end = offset.checked_add(size);
        ensure(end.is_some_and(|end| end <= of.size), CL_INVALID_VALUE)?;
        ensure(
            offset % ALIGNMENT as usize == 0,
            CL_MISALIGNED_SUB_BUFFER_OFFSET,
        )?;
        let of_whole = |all: &[cl_mem_flags]| of.flags & all.iter().fold(0, |all, flag| all | flag);
        let flags = with_default(flags, &ACCESS, of_whole(&ACCESS));
        let flags = with_default(flags, &HOST_ACCESS, of_whole(&HOST_ACCESS));
        Ok(Memory {
            context: of.context.clone(),
            flags: flags | of.flags & HOST_POINTER,
            size,
            properties: Vec::new(),
            host: of.host.map(|host| host.part(offset, size)),
            place: Place::Part {
                of: of.clone(),
                offset,
            },
            maps: Mutex::default(),
            destructors: Destructors::default(),
        })
    }

    /// On the device.
    pub fn address(&self) -> u32 {
        match &self.place {
            Place::Own { allocation, .. } => allocation.address(),
            Place::Part { of, offset } => of.address() + *offset as u32,
        }
    }

    /// # Errors
    /// They are not inside.
    pub fn check(&self, offset: usize, size: usize) -> Outcome {
        let end = offset.checked_add(size);
        ensure(
            size > 0 && end.is_some_and(|end| end <= self.size),
            CL_INVALID_VALUE,
        )
    }

    /// The host may not read (write) it.
    ///
    /// # Errors
    /// As its flags say.
    pub fn check_host(&self, reads: bool, writes: bool) -> Outcome {
        let denied = self.flags & CL_MEM_HOST_NO_ACCESS != 0
            || reads && self.flags & CL_MEM_HOST_WRITE_ONLY != 0
            || writes && self.flags & CL_MEM_HOST_READ_ONLY != 0;
        ensure(!denied, CL_INVALID_OPERATION)
    }

    /// Both are, or are parts of, one buffer: the distance of their first bytes in it.
    pub fn distance(&self, other: &Memory) -> Option<i64> {
        let whole = |memory: &Memory| match &memory.place {
            Place::Own { allocation, .. } => allocation.address(),
            Place::Part { of, .. } => of.address(),
        };
        let apart = i64::from(other.address()) - i64::from(self.address());
        (whole(self) == whole(other)).then_some(apart)
    }

    /// All of the host's bytes at which it is mapped.
    fn shown(&self) -> Outcome<HostMemory> {
        match (&self.host, &self.place) {
            (Some(host), _) => Ok(*host),
            (None, Place::Own { shadow, .. }) => {
                let shadow = shadow.get_or_init(|| Shadow::new(self.size));
                let shadow = shadow.as_ref().ok_or(Code(CL_MAP_FAILURE))?;
                Ok(shadow.memory())
            }
            (None, Place::Part { of, offset }) => Ok(of.shown()?.part(*offset, self.size)),
        }
    }

    /// A new mapping; its bytes are to be filled.
    ///
    /// # Errors
    /// It is not inside, or there is no room.
    pub fn map(&self, flags: cl_map_flags, offset: usize, size: usize) -> Outcome<Map> {
        self.check(offset, size)?;
        let host = self.shown()?.part(offset, size);
        let map = Map {
            flags,
            offset,
            host,
        };
        lock(&self.maps).push(map);
        Ok(map)
    }

    /// Ends the mapping that begins there.
    ///
    /// # Errors
    /// There is none.
    pub fn unmap(&self, pointer: *mut c_void) -> Outcome<Map> {
        let mut maps = lock(&self.maps);
        let at = maps
            .iter()
            .position(|map| map.host.address() == pointer as usize);
        Ok(maps.remove(at.ok_or(Code(CL_INVALID_VALUE))?))
    }

    /// Copies to the host.
    ///
    /// # Errors
    /// The device has failed.
    pub fn read(
        &self,
        machine: &mut Machine,
        offset: usize,
        host: HostMemory,
        size: usize,
    ) -> Outcome {
        let mut bytes = vec![0; size];
        machine.read(self.address() + offset as u32, &mut bytes)?;
        host.write(0, &bytes);
        Ok(())
    }

    /// Copies from the host.
    ///
    /// # Errors
    /// The device has failed.
    pub fn write(
        &self,
        machine: &mut Machine,
        offset: usize,
        host: HostMemory,
        size: usize,
    ) -> Outcome {
        let mut bytes = vec![0; size];
        host.read(0, &mut bytes);
        machine.write(self.address() + offset as u32, &bytes)
    }
}

fn with_default(flags: cl_mem_flags, of: &[cl_mem_flags], default: cl_mem_flags) -> cl_mem_flags {
    match of.iter().any(|flag| flags & flag != 0) {
        true => flags,
        false => flags | default,
    }
}

/// # Errors
/// There is no such question.
pub fn info(memory: &Ref<Memory>, name: cl_mem_info) -> Outcome<Answer> {
    Ok(match name {
        CL_MEM_TYPE => Answer::uint(CL_MEM_OBJECT_BUFFER),
        CL_MEM_FLAGS => Answer::ulong(memory.flags),
        CL_MEM_SIZE => Answer::size(memory.size),
        CL_MEM_HOST_PTR => Answer::size(memory.host.map_or(0, |host| host.address())),
        CL_MEM_MAP_COUNT => Answer::uint(lock(&memory.maps).len() as u32),
        CL_MEM_REFERENCE_COUNT => Answer::uint(object::count(memory)),
        CL_MEM_CONTEXT => Answer::handle(object::handle(&memory.context)),
        CL_MEM_ASSOCIATED_MEMOBJECT => match &memory.place {
            Place::Own { .. } => Answer::size(0),
            Place::Part { of, .. } => Answer::handle(object::handle(of)),
        },
        CL_MEM_OFFSET => match &memory.place {
            Place::Own { .. } => Answer::size(0),
            Place::Part { offset, .. } => Answer::size(*offset),
        },
        CL_MEM_USES_SVM_POINTER => Answer::flag(false),
        CL_MEM_PROPERTIES => Answer::ulongs(&memory.properties),
        _ => return fail(CL_INVALID_VALUE),
    })
}
