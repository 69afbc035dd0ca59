//! A hash of contents for names of cached files: the same on every machine, in every process and every version of Rust.

use std::path::Path;
use std::{fs, io};

/// 128 bits, FNV-1a: names of files, nothing secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hash(u128);

impl Default for Hash {
    fn default() -> Self {
        Hash(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }
}

impl Hash {
    /// With a further part, which is told apart from the parts around it.
    pub fn and(mut self, part: impl AsRef<[u8]>) -> Hash {
        let part = part.as_ref();
        let length = (part.len() as u64).to_le_bytes();
        for byte in part.iter().chain(&length) {
            self.0 = (self.0 ^ u128::from(*byte)).wrapping_mul(0x0100_0000_0000_0000_0000_013b);
        }
        self
    }

    /// With the names and contents of all files below a folder, or of one file.
    ///
    /// # Errors
    /// A file or folder that cannot be read.
    pub fn and_files(self, path: &Path) -> io::Result<Hash> {
        if !path.is_dir() {
            return Ok(self.and(fs::read(path)?));
        }
        let mut entries: Vec<_> = fs::read_dir(path)?.collect::<Result<_, _>>()?;
        entries.sort_by_key(fs::DirEntry::file_name);
        let mut hash = self;
        for entry in entries {
            hash = hash
                .and(entry.file_name().as_encoded_bytes())
                .and_files(&entry.path())?;
        }
        Ok(hash)
    }
}

impl std::fmt::Display for Hash {
    /// 16 hexadecimal digits.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:016x}", (self.0 ^ self.0 >> 64) as u64)
    }
}
