//! Which programs of the suite are run, and how.

/// A program of OpenCL-CTS.
pub struct Program {
    pub name: &'static str,
    /// Before the name of the test.
    pub arguments: &'static [&'static str],
}

const fn of(name: &'static str) -> Program {
    Program {
        name,
        arguments: &[],
    }
}

/// By as small a choice of arguments as the program offers: the golden model is a model.
const fn small(name: &'static str) -> Program {
    Program {
        name,
        arguments: &["-w"],
    }
}

/// All but those of images, SPIR-V, and other interfaces (GL, Vulkan, DirectX), which the device has not at all.
pub const PROGRAMS: &[Program] = &[
    of("test_computeinfo"),
    of("test_basic"),
    of("test_api"),
    of("test_compiler"),
    small("test_commonfns"),
    small("test_geometrics"),
    small("test_relationals"),
    small("test_thread_dimensions"),
    of("test_multiples"),
    small("test_atomics"),
    of("test_profiling"),
    of("test_events"),
    of("test_allocations"),
    of("test_printf"),
    of("test_device_partition"),
    small("test_buffers"),
    of("test_mem_host_flags"),
    small("test_select"),
    small("test_conversions"),
    small("test_contractions"),
    small("test_bruteforce"),
    small("test_integer_ops"),
    small("test_half"),
    small("test_vectors"),
    small("test_c11_atomics"),
    of("test_svm"),
    of("test_generic_address_space"),
    of("test_subgroups"),
    of("test_workgroups"),
    of("test_pipes"),
    of("test_device_timer"),
    small("test_non_uniform_work_group"),
];
