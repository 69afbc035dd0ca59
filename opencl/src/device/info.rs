//! `clGetDeviceInfo`, `clGetPlatformInfo`: what there is, and what is absent.

use super::model::Engine;
use super::{platform, Device, ALIGNMENT, MEGAHERTZ, NANOSECONDS};
use crate::code::{fail, Outcome};
use crate::object::{self, Ref};
use crate::query::{version, Answer};
use opencl_sys::*;
use weft_cc::opencl::EXTENSIONS;

/// Of OpenCL, and of this library.
pub const OPENCL: u32 = version(3, 0, 0);
const DRIVER: &str = env!("CARGO_PKG_VERSION");
/// *Why embedded:* the accuracy of the built-ins is promised by that profile, and `weft_gpu` has 16 KiB of local memory.
const PROFILE: &str = "EMBEDDED_PROFILE";
/// What the embedded profile has as an extension only: 64-bit integers.
const OF_THE_PROFILE: &str = "cles_khr_int64";
const ICD: &str = "cl_khr_icd";

fn extensions() -> Vec<&'static str> {
    EXTENSIONS.into_iter().chain([OF_THE_PROFILE]).collect()
}

fn with_versions(names: &[&str]) -> Answer {
    let list: Vec<_> = names.iter().map(|&name| (name, version(1, 0, 0))).collect();
    Answer::versions(&list)
}

/// # Errors
/// There is no such question.
pub fn platform_info(name: cl_platform_info) -> Outcome<Answer> {
    Ok(match name {
        CL_PLATFORM_PROFILE => Answer::text(PROFILE),
        CL_PLATFORM_VERSION => Answer::text(&format!("OpenCL 3.0 weft {DRIVER}")),
        CL_PLATFORM_NAME | CL_PLATFORM_VENDOR => Answer::text("Weft"),
        CL_PLATFORM_EXTENSIONS => {
            let mut all = extensions();
            all.push(ICD);
            Answer::text(&all.join(" "))
        }
        CL_PLATFORM_EXTENSIONS_WITH_VERSION => {
            let mut all = extensions();
            all.push(ICD);
            with_versions(&all)
        }
        CL_PLATFORM_NUMERIC_VERSION => Answer::uint(OPENCL),
        // No timer of the host that could be compared with the device's.
        CL_PLATFORM_HOST_TIMER_RESOLUTION => Answer::ulong(0),
        CL_PLATFORM_ICD_SUFFIX_KHR => Answer::text("WEFT"),
        _ => return fail(CL_INVALID_VALUE),
    })
}

/// # Errors
/// There is no such question.
pub fn info(device: &Ref<Device>, name: cl_device_info) -> Outcome<Answer> {
    let answer = identity(device, name)
        .or_else(|| sizes(device, name))
        .or_else(|| abilities(device, name))
        .or_else(|| absent(name));
    answer.map_or(fail(CL_INVALID_VALUE), Ok)
}

fn identity(device: &Ref<Device>, name: cl_device_info) -> Option<Answer> {
    Some(match name {
        CL_DEVICE_TYPE => Answer::ulong(CL_DEVICE_TYPE_GPU),
        CL_DEVICE_VENDOR_ID => Answer::uint(u32::from_be_bytes(*b"weft")),
        CL_DEVICE_NAME => Answer::text(device.model.name()),
        CL_DEVICE_VENDOR => Answer::text("Weft"),
        CL_DRIVER_VERSION => Answer::text(DRIVER),
        CL_DEVICE_PROFILE => Answer::text(PROFILE),
        CL_DEVICE_VERSION => Answer::text(&format!("OpenCL 3.0 weft {DRIVER}")),
        CL_DEVICE_NUMERIC_VERSION => Answer::uint(OPENCL),
        // The newest that all programs of older versions compile by.
        CL_DEVICE_OPENCL_C_VERSION => Answer::text("OpenCL C 1.2 weft"),
        CL_DEVICE_OPENCL_C_ALL_VERSIONS => {
            let of = |major, minor| ("OpenCL C", version(major, minor, 0));
            Answer::versions(&[of(1, 0), of(1, 1), of(1, 2), of(3, 0)])
        }
        CL_DEVICE_OPENCL_C_FEATURES => Answer::versions(&[("__opencl_c_int64", version(3, 0, 0))]),
        CL_DEVICE_EXTENSIONS => Answer::text(&extensions().join(" ")),
        CL_DEVICE_EXTENSIONS_WITH_VERSION => with_versions(&extensions()),
        // The standard wants a date here; this one says that none has been passed.
        CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED => Answer::text("v0000-01-01-00"),
        CL_DEVICE_PLATFORM => Answer::handle(object::handle(platform())),
        CL_DEVICE_PARENT_DEVICE => Answer::size(0),
        // Of a device that is no part of another one it is always this.
        CL_DEVICE_REFERENCE_COUNT => Answer::uint(1),
        _ => return None,
    })
}

fn sizes(device: &Ref<Device>, name: cl_device_info) -> Option<Answer> {
    let model = &device.model;
    let group = model.group() as usize;
    Some(match name {
        CL_DEVICE_MAX_COMPUTE_UNITS => Answer::uint(model.size.sms as u32),
        CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS => Answer::uint(3),
        CL_DEVICE_MAX_WORK_GROUP_SIZE => Answer::size(group),
        CL_DEVICE_MAX_WORK_ITEM_SIZES => Answer::sizes(&[group; 3]),
        CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE => Answer::size(model.size.threads),
        CL_DEVICE_MAX_CLOCK_FREQUENCY => Answer::uint(MEGAHERTZ),
        CL_DEVICE_PROFILING_TIMER_RESOLUTION => Answer::size(NANOSECONDS as usize),
        CL_DEVICE_ADDRESS_BITS => Answer::uint(32),
        CL_DEVICE_GLOBAL_MEM_SIZE => Answer::ulong(model.global.into()),
        CL_DEVICE_MAX_MEM_ALLOC_SIZE => Answer::ulong(model.largest.into()),
        // Constant memory is global memory; who asks for a size may fill all of it.
        CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE => Answer::ulong(u64::from(model.largest).min(4 << 20)),
        CL_DEVICE_MAX_CONSTANT_ARGS => Answer::uint(64),
        CL_DEVICE_MAX_PARAMETER_SIZE => Answer::size(4096),
        CL_DEVICE_LOCAL_MEM_SIZE => Answer::ulong(model.size.scratchpad.into()),
        CL_DEVICE_MEM_BASE_ADDR_ALIGN => Answer::uint(8 * ALIGNMENT),
        CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE => Answer::uint(ALIGNMENT),
        CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE => Answer::uint(64),
        CL_DEVICE_GLOBAL_MEM_CACHE_SIZE => match model.engine {
            Engine::Golden => Answer::ulong(0),
            Engine::Verilated => Answer::ulong(4 << 10),
        },
        CL_DEVICE_PRINTF_BUFFER_SIZE => Answer::size(1 << 20),
        CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR..=CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT
        | CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR..=CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT => {
            Answer::uint(1)
        }
        CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE
        | CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF
        | CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE
        | CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF => Answer::uint(0),
        // The natural one.
        CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT
        | CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT
        | CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT => Answer::uint(0),
        _ => return None,
    })
}

fn abilities(device: &Ref<Device>, name: cl_device_info) -> Option<Answer> {
    Some(match name {
        CL_DEVICE_SINGLE_FP_CONFIG => Answer::ulong(
            CL_FP_DENORM
                | CL_FP_INF_NAN
                | CL_FP_ROUND_TO_NEAREST
                | CL_FP_FMA
                | CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT,
        ),
        CL_DEVICE_GLOBAL_MEM_CACHE_TYPE => Answer::uint(match device.model.engine {
            Engine::Golden => CL_NONE,
            Engine::Verilated => CL_READ_WRITE_CACHE,
        }),
        CL_DEVICE_LOCAL_MEM_TYPE => Answer::uint(CL_LOCAL),
        CL_DEVICE_ENDIAN_LITTLE
        | CL_DEVICE_AVAILABLE
        | CL_DEVICE_COMPILER_AVAILABLE
        | CL_DEVICE_LINKER_AVAILABLE
        | CL_DEVICE_PREFERRED_INTEROP_USER_SYNC => Answer::flag(true),
        CL_DEVICE_EXECUTION_CAPABILITIES => Answer::ulong(CL_EXEC_KERNEL),
        CL_DEVICE_QUEUE_ON_HOST_PROPERTIES => {
            Answer::ulong(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE)
        }
        // What OpenCL 3.0 asks for at least.
        CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES => {
            Answer::ulong(CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP)
        }
        CL_DEVICE_ATOMIC_FENCE_CAPABILITIES => Answer::ulong(
            CL_DEVICE_ATOMIC_ORDER_RELAXED
                | CL_DEVICE_ATOMIC_ORDER_ACQ_REL
                | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP,
        ),
        _ => return None,
    })
}

/// Optional features: none of them.
fn absent(name: cl_device_info) -> Option<Answer> {
    Some(match name {
        CL_DEVICE_IMAGE_SUPPORT
        | CL_DEVICE_ERROR_CORRECTION_SUPPORT
        | CL_DEVICE_HOST_UNIFIED_MEMORY
        | CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT
        | CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT
        | CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT
        | CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS
        | CL_DEVICE_PIPE_SUPPORT => Answer::flag(false),
        CL_DEVICE_MAX_READ_IMAGE_ARGS
        | CL_DEVICE_MAX_WRITE_IMAGE_ARGS
        | CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS
        | CL_DEVICE_MAX_SAMPLERS
        | CL_DEVICE_IMAGE_PITCH_ALIGNMENT
        | CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT
        | CL_DEVICE_PARTITION_MAX_SUB_DEVICES
        | CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE
        | CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE
        | CL_DEVICE_MAX_ON_DEVICE_QUEUES
        | CL_DEVICE_MAX_ON_DEVICE_EVENTS
        | CL_DEVICE_MAX_PIPE_ARGS
        | CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS
        | CL_DEVICE_PIPE_MAX_PACKET_SIZE
        | CL_DEVICE_MAX_NUM_SUB_GROUPS => Answer::uint(0),
        CL_DEVICE_IMAGE2D_MAX_WIDTH..=CL_DEVICE_IMAGE3D_MAX_DEPTH
        | CL_DEVICE_IMAGE_MAX_BUFFER_SIZE
        | CL_DEVICE_IMAGE_MAX_ARRAY_SIZE
        | CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE
        | CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE => Answer::size(0),
        CL_DEVICE_DOUBLE_FP_CONFIG
        | CL_DEVICE_SVM_CAPABILITIES
        | CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES
        | CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES
        | CL_DEVICE_PARTITION_AFFINITY_DOMAIN => Answer::ulong(0),
        CL_DEVICE_PARTITION_PROPERTIES => Answer::size(0),
        CL_DEVICE_PARTITION_TYPE => Answer::nothing(),
        CL_DEVICE_BUILT_IN_KERNELS | CL_DEVICE_IL_VERSION => Answer::text(""),
        CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION | CL_DEVICE_ILS_WITH_VERSION => Answer::nothing(),
        _ => return None,
    })
}
