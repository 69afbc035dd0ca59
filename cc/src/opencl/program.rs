//! What is made of OpenCL C: programs, kernels, arguments.

use serde::{Deserialize, Serialize};

/// A text in OpenCL C.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Source {
    /// As the log names it (CL-005).
    pub name: String,
    pub text: String,
    /// For `#include`, beside the folders of `-I`: names and texts (those of `clCompileProgram`).
    pub headers: Vec<(String, String)>,
}

impl Source {
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Source {
        Source {
            name: name.into(),
            text: text.into(),
            headers: Vec::new(),
        }
    }
}

/// A source that is compiled and not linked yet (`clCompileProgram`). May be kept as bytes, by serde.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unit {
    /// An object of the linker, with warp control in it.
    pub object: Vec<u8>,
    /// Of each kernel of the source; without an executable.
    pub kernels: Vec<Kernel>,
    /// What the compiler said.
    pub log: String,
}

/// Kernels that can be launched. May be kept as bytes, by serde (`CL_PROGRAM_BINARIES`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Program {
    /// In the order of the source.
    pub kernels: Vec<Kernel>,
    /// What the compiler said though it was content.
    pub log: String,
}

impl Program {
    pub fn kernel(&self, name: &str) -> Option<&Kernel> {
        self.kernels.iter().find(|kernel| kernel.name == name)
    }
}

/// Nothing was made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Failure {
    /// One line.
    pub message: String,
    /// What compiler or linker said, with places in the user's file; may be empty.
    pub log: String,
    /// Whose fault it is, for the right code of OpenCL.
    pub kind: FailureKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// CL_INVALID_BUILD_OPTIONS
    Options,
    /// CL_COMPILE_PROGRAM_FAILURE, CL_BUILD_PROGRAM_FAILURE
    Compile,
    /// CL_LINK_PROGRAM_FAILURE, CL_BUILD_PROGRAM_FAILURE
    Link,
    /// CL_COMPILER_NOT_AVAILABLE: no compiler, or its files cannot be written.
    Tools,
}

/// One kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kernel {
    pub name: String,
    pub arguments: Vec<Argument>,
    /// Bytes of the block (CL-011), its words before the arguments included.
    pub block_size: u32,
    /// `reqd_work_group_size`
    pub required_size: Option<[u32; 3]>,
    /// `work_group_size_hint`
    pub size_hint: Option<[u32; 3]>,
    /// As `CL_KERNEL_ATTRIBUTES` says them: `reqd_work_group_size(8,8,1) vec_type_hint(float4)`.
    pub attributes: String,
    /// Bytes of the kernel's own `__local` variables.
    pub local_bytes: u32,
    /// CL-014: bytes of stack that a thread needs at least.
    pub private_bytes: u32,
    /// The executable of this kernel; empty in a [`Unit`].
    pub elf: Vec<u8>,
}

/// One argument of a kernel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Argument {
    pub name: String,
    /// As `CL_KERNEL_ARG_TYPE_NAME` says it: `float*`, `uint4`.
    pub type_name: String,
    /// What it comes to behind typedefs, as the compiler says it: `float*`, and of `uint4`
    /// `uint __attribute__((ext_vector_type(4)))`.
    pub base_type_name: String,
    pub address_space: AddressSpace,
    pub access: Access,
    pub is_const: bool,
    pub is_restrict: bool,
    pub is_volatile: bool,
    pub kind: Kind,
    /// In the block.
    pub offset: u32,
    /// In the block: 4 for pointers.
    pub size: u32,
    pub align: u32,
}

/// What is to be given for an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// `size` bytes.
    Value,
    /// A buffer.
    GlobalPointer,
    /// A buffer that the kernel only reads.
    ConstantPointer,
    /// A number of bytes of the scratchpad.
    LocalPointer,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum AddressSpace {
    Private,
    Global,
    Constant,
    Local,
}

/// Of images, which there are none of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Access {
    None,
    ReadOnly,
    WriteOnly,
    ReadWrite,
}
