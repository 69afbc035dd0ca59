//! Why there is no program.

use std::path::PathBuf;

/// Why [`crate::build`] has made no program.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    #[error(
        "there is no compiler for RISC-V: `cargo xtask setup` installs Clang (in Zig's wheel, from PyPI, without \
         root); or apt-get install gcc-riscv64-unknown-elf"
    )]
    NoCompiler,
    #[error("--compiler {0}: {1}")]
    NotACompiler(String, String),
    #[error("{}: neither C (.c), C++ (.cc, .cpp, .cxx), assembly (.s, .S) nor an object file (.o, .a)", .0.display())]
    UnknownInput(PathBuf),
    #[error("{}: a folder, not a file", .0.display())]
    Folder(PathBuf),
    #[error("{}: no regular file; give a compiler its source in one", .0.display())]
    NoFile(PathBuf),
    #[error(
        "{}: assembly for Weft's own assembler, which {compiler} does not read; run it without files in C",
        path.display()
    )]
    OwnAssembly { path: PathBuf, compiler: String },
    /// What the compiler said stands in the second field, with its places.
    #[error("{0} does not compile")]
    Compile(String, String),
    #[error("{0}")]
    Link(String, String),
    #[error("{0} needs the compiler's own library, for {1}: {2}")]
    Helpers(String, String, String),
    #[error("{0}: {1}")]
    Io(String, std::io::Error),
    /// The place in the source, and what stands there.
    #[error("{0}: {1}")]
    Lower(String, String),
    #[error("--cflag={0}: {1}")]
    Flag(String, &'static str),
    #[error(
        "{}: thread-local variables in a file that is not compiled here from C or C++: give the source", .0.display()
    )]
    ForeignThreadLocal(PathBuf),
}

impl Error {
    /// What a tool said, to be shown as it is.
    pub fn output(&self) -> Option<&str> {
        match self {
            Error::Compile(_, said) | Error::Link(_, said) => Some(said),
            _ => None,
        }
    }
}

/// `.map_err(io("a.c"))`
pub(crate) fn io(what: impl std::fmt::Display) -> impl FnOnce(std::io::Error) -> Error {
    move |error| Error::Io(what.to_string(), error)
}
