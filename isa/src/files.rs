//! Files of users, read as a whole, and not without end: `/dev/zero` and a pipe that nobody closes have none.

use std::fs::File;
use std::io::{Error, ErrorKind, Read, Result};
use std::path::Path;

/// Bytes of a file: as many as there are addresses.
const MOST: u64 = 1 << 32;
/// Bytes of what is no regular file, a pipe or a device, which does not say how long it is.
const MOST_STREAMED: u64 = 256 << 20;

/// All of a file.
///
/// # Errors
/// It cannot be read, or it is larger than memory; what is no regular file has not ended after 256 MiB.
pub fn read(path: impl AsRef<Path>) -> Result<Vec<u8>> {
    let file = File::open(path)?;
    let about = file.metadata()?;
    let streamed = !about.is_file();
    let most = if streamed { MOST_STREAMED } else { MOST };
    let too_large = || {
        let text = match streamed {
            true => format!(
                "no regular file, and it has not ended after {} MiB",
                most >> 20
            ),
            false => format!("larger than {} GiB", most >> 30),
        };
        Error::new(ErrorKind::FileTooLarge, text)
    };
    if about.len() > most {
        return Err(too_large());
    }
    let mut bytes = Vec::with_capacity(about.len() as usize);
    file.take(most + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > most {
        true => Err(too_large()),
        false => Ok(bytes),
    }
}

/// All of a text.
///
/// # Errors
/// As [`read`], or it is no UTF-8.
pub fn read_text(path: impl AsRef<Path>) -> Result<String> {
    let text = String::from_utf8(read(path)?);
    text.map_err(|_| Error::new(ErrorKind::InvalidData, "not a text file"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_as_a_whole() {
        let here = concat!(env!("CARGO_MANIFEST_DIR"), "/src/files.rs");
        assert_eq!(read(here).unwrap(), std::fs::read(here).unwrap());
        assert_eq!(read_text(here).unwrap(), include_str!("files.rs"));
        // They say that they have no length.
        assert!(!read("/proc/self/status").unwrap().is_empty());
        assert_eq!(read("/dev/null").unwrap(), []);
    }

    #[test]
    fn what_has_no_end_is_refused() {
        let error = read("/dev/zero").unwrap_err().to_string();
        assert_eq!(error, "no regular file, and it has not ended after 256 MiB");
    }

    #[test]
    fn what_is_larger_than_memory_is_refused_unread() {
        let file = std::env::temp_dir().join(format!("weft-sparse-{}", std::process::id()));
        File::create(&file).unwrap().set_len(1 << 40).unwrap();
        let error = read(&file).unwrap_err().to_string();
        std::fs::remove_file(&file).unwrap();
        assert_eq!(error, "larger than 4 GiB");
    }
}
