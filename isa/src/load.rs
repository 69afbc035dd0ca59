//! A program from a file, assembly source or ELF executable.

use std::path::{Path, PathBuf};

use miette::Diagnostic;

use crate::{assemble, load_elf, AsmErrors, LoadError, Program};

/// Why a file is not a program.
#[derive(Debug, thiserror::Error, Diagnostic)]
pub enum FileError {
    #[error("cannot read {}", path.display())]
    Read {
        path: PathBuf,
        source: std::io::Error,
    },
    #[error("{} is neither an ELF executable nor assembly source", path.display())]
    #[diagnostic(help(
        "assembly source is named .s, .S or .asm; `weft cc` makes an executable of C"
    ))]
    UnknownFormat { path: PathBuf },
    #[error("{} is not UTF-8 text", path.display())]
    NotText { path: PathBuf },
    #[error("cannot load {}: {error}", path.display())]
    Elf { path: PathBuf, error: LoadError },
    #[error(transparent)]
    #[diagnostic(transparent)]
    Assembly(#[from] AsmErrors),
}

impl Program {
    /// Reads a program: an ELF executable, known by its first bytes, or assembly source, known by
    /// its extension (`.s`, `.S`, `.asm`).
    ///
    /// # Errors
    /// The file cannot be read, is neither of the two, or is not a correct one.
    pub fn load(path: impl AsRef<Path>) -> Result<Program, FileError> {
        let path = path.as_ref();
        let owned = || path.to_path_buf();
        let bytes = crate::files::read(path).map_err(|source| FileError::Read {
            path: owned(),
            source,
        })?;
        if bytes.starts_with(b"\x7FELF") {
            return load_elf(&bytes).map_err(|error| FileError::Elf {
                path: owned(),
                error,
            });
        }
        let extension = path.extension().and_then(|extension| extension.to_str());
        if !matches!(extension, Some("s" | "S" | "asm")) {
            return Err(FileError::UnknownFormat { path: owned() });
        }
        let source = String::from_utf8(bytes).map_err(|_| FileError::NotText { path: owned() })?;
        Ok(assemble(&source, &path.display().to_string())?)
    }
}
