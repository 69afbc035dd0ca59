//! Kernels, their arguments, and the ranges that they are launched over.

use crate::code::{ensure, fail, Code, Outcome};
use crate::device::machine::{self, Machine};
use crate::host::HostMemory;
use crate::memory::Memory;
use crate::object::{self, kind, lock, Object, Ref};
use crate::program::{Executable, Program};
use crate::query::Answer;
use crate::queue::{Trouble, Work};
use opencl_sys::*;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, Weak};
use weft_cc::opencl::{self, Access, AddressSpace, Argument, Kind, Range, Value};

pub struct Kernel {
    pub program: Ref<Program>,
    executable: Arc<Executable>,
    /// Which of the executable's.
    at: usize,
    arguments: Mutex<Vec<Option<Given>>>,
}
kind!(Kernel, CL_INVALID_KERNEL, |kernel: &mut Kernel, _| {
    kernel.program.kernels.fetch_sub(1, Ordering::SeqCst);
});

/// An argument as it was set.
#[derive(Clone)]
enum Given {
    Bytes(Vec<u8>),
    /// *Why weak:* a kernel does not hold its buffers (`clSetKernelArg`); a launch does.
    Memory(Option<Weak<Object<Memory>>>),
    Local(u32),
}

impl Kernel {
    fn at(program: &Ref<Program>, executable: &Arc<Executable>, at: usize) -> Kernel {
        program.kernels.fetch_add(1, Ordering::SeqCst);
        let arguments = executable.program.kernels[at].arguments.len();
        Kernel {
            program: program.clone(),
            executable: executable.clone(),
            at,
            arguments: Mutex::new(vec![None; arguments]),
        }
    }

    /// # Errors
    /// The program is not built, or has no such kernel.
    pub fn named(program: &Ref<Program>, name: &str) -> Outcome<Kernel> {
        let executable = program.executable()?;
        let kernels = &executable.program.kernels;
        let at = kernels.iter().position(|kernel| kernel.name == name);
        let at = at.ok_or(Code(CL_INVALID_KERNEL_NAME))?;
        Ok(Kernel::at(program, &executable, at))
    }

    /// # Errors
    /// The program is not built.
    pub fn all(program: &Ref<Program>) -> Outcome<Vec<Kernel>> {
        let executable = program.executable()?;
        let all = 0..executable.program.kernels.len();
        Ok(all.map(|at| Kernel::at(program, &executable, at)).collect())
    }

    /// With the same arguments.
    pub fn copy(&self) -> Kernel {
        let copy = Kernel::at(&self.program, &self.executable, self.at);
        *lock(&copy.arguments) = lock(&self.arguments).clone();
        copy
    }

    pub fn made(&self) -> &opencl::Kernel {
        &self.executable.program.kernels[self.at]
    }

    /// # Errors
    /// There is no such argument.
    pub fn argument(&self, index: cl_uint) -> Outcome<&Argument> {
        let argument = self.made().arguments.get(index as usize);
        argument.ok_or(Code(CL_INVALID_ARG_INDEX))
    }

    /// `clSetKernelArg`. `value` is null if its address is 0.
    ///
    /// # Errors
    /// It does not fit the argument.
    pub fn set(&self, index: cl_uint, size: usize, value: HostMemory) -> Outcome {
        let argument = self.argument(index)?;
        let is_null = value.address() == 0;
        let bytes = || {
            let mut bytes = vec![0; size];
            value.read(0, &mut bytes);
            bytes
        };
        let given = match argument.kind {
            Kind::LocalPointer => {
                ensure(is_null, CL_INVALID_ARG_VALUE)?;
                let size = u32::try_from(size).ok().filter(|&size| size > 0);
                Given::Local(size.ok_or(Code(CL_INVALID_ARG_SIZE))?)
            }
            Kind::GlobalPointer | Kind::ConstantPointer => {
                ensure(size == size_of::<cl_mem>(), CL_INVALID_ARG_SIZE)?;
                let handle = match is_null {
                    true => 0,
                    false => usize::from_ne_bytes(bytes().try_into().expect("a word")),
                };
                Given::Memory(match handle {
                    0 => None,
                    handle => Some(Arc::downgrade(&object::find::<Memory>(handle as cl_mem)?)),
                })
            }
            Kind::Value => {
                ensure(size == argument.size as usize, CL_INVALID_ARG_SIZE)?;
                ensure(!is_null, CL_INVALID_ARG_VALUE)?;
                Given::Bytes(bytes())
            }
        };
        lock(&self.arguments)[index as usize] = Some(given);
        Ok(())
    }

    /// A range as the caller says it; none if there is nothing to do in it.
    ///
    /// # Errors
    /// Sizes that there cannot be.
    pub fn range(
        &self,
        dimensions: cl_uint,
        offset: &[usize],
        global: &[usize],
        local: Option<&[usize]>,
    ) -> Outcome<Option<Range>> {
        ensure((1..=3).contains(&dimensions), CL_INVALID_WORK_DIMENSION)?;
        if global.is_empty() || global.contains(&0) {
            return Ok(None);
        }
        let three = |sizes: &[usize], rest: u32, code: cl_int| -> Outcome<[u32; 3]> {
            let mut all = [rest; 3];
            for (to, &from) in all.iter_mut().zip(sizes) {
                *to = u32::try_from(from).map_err(|_| Code(code))?;
            }
            Ok(all)
        };
        let global = three(global, 1, CL_INVALID_GLOBAL_WORK_SIZE)?;
        let offset = three(offset, 0, CL_INVALID_GLOBAL_OFFSET)?;
        let ends = global.iter().zip(&offset);
        let fits = ends
            .map(|(size, offset)| size.checked_add(*offset))
            .all(|end| end.is_some());
        ensure(fits, CL_INVALID_GLOBAL_OFFSET)?;
        let most = self.program.context.device.model.group();
        let required = self.made().required_size;
        let local = match (local, required) {
            (Some(local), _) => three(local, 1, CL_INVALID_WORK_ITEM_SIZE)?,
            (None, Some(required)) => required,
            (None, None) => Range::some_local(global, most),
        };
        ensure(
            local.iter().all(|&side| side <= most),
            CL_INVALID_WORK_ITEM_SIZE,
        )?;
        let range = Range {
            dimensions,
            offset,
            global,
            local,
        };
        let fits = range.check().is_ok()
            && range.group_size() <= most.into()
            && required.is_none_or(|required| required == local);
        ensure(fits, CL_INVALID_WORK_GROUP_SIZE)?;
        Ok(Some(range))
    }
}

impl Object<Kernel> {
    /// What the worker does for this range, with the arguments as they are now.
    ///
    /// # Errors
    /// Arguments that are not set; more local or private memory than there is.
    pub fn work(self: &Arc<Self>, range: &Range) -> Outcome<Work> {
        let given = lock(&self.arguments).clone();
        let given: Option<Vec<Given>> = given.into_iter().collect();
        let given = given.ok_or(Code(CL_INVALID_KERNEL_ARGS))?;
        let mut buffers: Vec<Ref<Memory>> = Vec::new();
        let mut values = Vec::new();
        for given in &given {
            values.push(match given {
                Given::Bytes(bytes) => Value::Bytes(bytes),
                Given::Memory(None) => Value::Address(0),
                Given::Memory(Some(memory)) => {
                    buffers.push(memory.upgrade().ok_or(Code(CL_INVALID_KERNEL_ARGS))?);
                    Value::Address(buffers[buffers.len() - 1].address())
                }
                Given::Local(size) => Value::Local(*size),
            });
        }
        let launches = self.made().launches(range, &values);
        let launches = launches.map_err(|_| Code(CL_INVALID_KERNEL_ARGS))?;
        let model = &self.program.context.device.model;
        let fits = |launch: &opencl::Launch| {
            launch.scratchpad <= model.size.scratchpad && launch.private <= model.stack
        };
        ensure(launches.iter().all(fits), CL_OUT_OF_RESOURCES)?;
        let (kernel, device) = (self.clone(), self.program.context.device.clone());
        Ok(Box::new(move |machine: &mut Machine| {
            let made = kernel.made();
            let executable = machine::Executable {
                number: kernel.executable.number(kernel.at),
                name: &made.name,
                elf: &made.elf,
            };
            let done = machine.run(&executable, &launches, device.arena());
            // Buffers stay until here.
            drop(buffers);
            done.map_err(|failed| Trouble {
                code: failed.code,
                text: Some(failed.text),
            })
        }))
    }
}

/// # Errors
/// There is no such question.
pub fn info(kernel: &Ref<Kernel>, name: cl_kernel_info) -> Outcome<Answer> {
    let made = kernel.made();
    Ok(match name {
        CL_KERNEL_FUNCTION_NAME => Answer::text(&made.name),
        CL_KERNEL_NUM_ARGS => Answer::uint(made.arguments.len() as u32),
        CL_KERNEL_REFERENCE_COUNT => Answer::uint(object::count(kernel)),
        CL_KERNEL_CONTEXT => Answer::handle(object::handle(&kernel.program.context)),
        CL_KERNEL_PROGRAM => Answer::handle(object::handle(&kernel.program)),
        CL_KERNEL_ATTRIBUTES => Answer::text(&made.attributes),
        _ => return fail(CL_INVALID_VALUE),
    })
}

/// # Errors
/// There is no such question.
pub fn group_info(kernel: &Ref<Kernel>, name: cl_kernel_work_group_info) -> Outcome<Answer> {
    let (made, model) = (kernel.made(), &kernel.program.context.device.model);
    let local: u64 = lock(&kernel.arguments)
        .iter()
        .map(|given| match given {
            Some(Given::Local(size)) => u64::from(*size),
            _ => 0,
        })
        .sum();
    Ok(match name {
        CL_KERNEL_WORK_GROUP_SIZE => Answer::size(model.group() as usize),
        CL_KERNEL_COMPILE_WORK_GROUP_SIZE => {
            let required = made.required_size.unwrap_or([0; 3]);
            Answer::sizes(&required.map(|side| side as usize))
        }
        CL_KERNEL_LOCAL_MEM_SIZE => Answer::ulong(u64::from(made.local_bytes) + local),
        CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE => Answer::size(model.size.threads),
        CL_KERNEL_PRIVATE_MEM_SIZE => Answer::ulong(made.private_bytes.into()),
        // CL_KERNEL_GLOBAL_WORK_SIZE is of custom devices and built-in kernels.
        _ => return fail(CL_INVALID_VALUE),
    })
}

/// # Errors
/// There is no such question.
pub fn argument_info(argument: &Argument, name: cl_kernel_arg_info) -> Outcome<Answer> {
    // A `cl_bitfield`, whatever the constants are.
    let qualifier = |is: bool, flag| if is { u64::from(flag) } else { 0 };
    Ok(match name {
        CL_KERNEL_ARG_ADDRESS_QUALIFIER => Answer::uint(match argument.address_space {
            AddressSpace::Private => CL_KERNEL_ARG_ADDRESS_PRIVATE,
            AddressSpace::Global => CL_KERNEL_ARG_ADDRESS_GLOBAL,
            AddressSpace::Constant => CL_KERNEL_ARG_ADDRESS_CONSTANT,
            AddressSpace::Local => CL_KERNEL_ARG_ADDRESS_LOCAL,
        }),
        CL_KERNEL_ARG_ACCESS_QUALIFIER => Answer::uint(match argument.access {
            Access::None => CL_KERNEL_ARG_ACCESS_NONE,
            Access::ReadOnly => CL_KERNEL_ARG_ACCESS_READ_ONLY,
            Access::WriteOnly => CL_KERNEL_ARG_ACCESS_WRITE_ONLY,
            Access::ReadWrite => CL_KERNEL_ARG_ACCESS_READ_WRITE,
        }),
        CL_KERNEL_ARG_TYPE_NAME => Answer::text(&argument.type_name),
        CL_KERNEL_ARG_TYPE_QUALIFIER => Answer::ulong(
            qualifier(argument.is_const, CL_KERNEL_ARG_TYPE_CONST)
                | qualifier(argument.is_restrict, CL_KERNEL_ARG_TYPE_RESTRICT)
                | qualifier(argument.is_volatile, CL_KERNEL_ARG_TYPE_VOLATILE),
        ),
        CL_KERNEL_ARG_NAME => Answer::text(&argument.name),
        _ => return fail(CL_INVALID_VALUE),
    })
}
