//! Files that are there whole or not at all: written under another name beside it, flushed, and renamed at the end.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// A file that is being written. Dropped without [`finish`](Whole::finish) it leaves nothing behind, and what was there
/// before stays.
pub struct Whole {
    to: PathBuf,
    out: Out,
}

enum Out {
    /// Beside the file.
    New(BufWriter<NamedTempFile>),
    /// A device or a pipe: there is nothing to rename.
    Direct(BufWriter<File>),
}

impl Whole {
    /// Its directory is made if it is not there.
    ///
    /// # Errors
    /// The directory cannot be made or written, or the path is one.
    pub fn create(path: &Path) -> io::Result<Whole> {
        // A link stays one.
        let to = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        let there = fs::metadata(&to).ok();
        if there.as_ref().is_some_and(fs::Metadata::is_dir) {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        if there.as_ref().is_some_and(|m| !m.is_file()) {
            let file = OpenOptions::new().write(true).open(&to)?;
            let out = Out::Direct(BufWriter::new(file));
            return Ok(Whole { to, out });
        }
        let folder = match to.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        fs::create_dir_all(folder)?;
        let name = to.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        let mode = match &there {
            // What may not be written is not replaced.
            Some(there) => {
                OpenOptions::new().write(true).open(&to)?;
                there.permissions().mode() & 0o777
            }
            None => 0o666,
        };
        let file = tempfile::Builder::new()
            .prefix(&format!(".{}.", name.to_string_lossy()))
            .suffix(".part")
            .permissions(Permissions::from_mode(mode))
            .tempfile_in(folder)?;
        let out = Out::New(BufWriter::new(file));
        Ok(Whole { to, out })
    }

    /// Everything is in the file, under its name.
    ///
    /// # Errors
    /// What could not be written; nothing is left then.
    pub fn finish(self) -> io::Result<()> {
        match self.out {
            Out::Direct(mut out) => out.flush(),
            Out::New(out) => {
                let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
                file.persist(self.to).map_err(|e| e.error)?;
                Ok(())
            }
        }
    }
}

impl Write for Whole {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.out {
            Out::New(out) => out.write(bytes),
            Out::Direct(out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.out {
            Out::New(out) => out.flush(),
            Out::Direct(out) => out.flush(),
        }
    }
}

impl Seek for Whole {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match &mut self.out {
            Out::New(out) => out.seek(to),
            Out::Direct(out) => out.seek(to),
        }
    }
}

/// Writes a file with these contents.
///
/// # Errors
/// As of [`Whole::create`] and [`Whole::finish`].
pub fn write(path: &Path, contents: impl AsRef<[u8]>) -> io::Result<()> {
    let mut file = Whole::create(path)?;
    file.write_all(contents.as_ref())?;
    file.finish()
}

/// The same file, whatever it is called. Devices and pipes are nobody's.
pub fn is_same(a: &Path, b: &Path) -> bool {
    let special = |path: &Path| {
        let kind = fs::metadata(path).map(|m| m.file_type()).ok();
        kind.is_some_and(|k| {
            k.is_char_device() || k.is_block_device() || k.is_fifo() || k.is_socket()
        })
    };
    match (place(a), place(b)) {
        (Some(one), Some(other)) => one == other && !special(a),
        _ => false,
    }
}

/// Where a file is or will be.
fn place(path: &Path) -> Option<PathBuf> {
    if let Ok(whole) = fs::canonicalize(path) {
        return Some(whole);
    }
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let name = path.file_name()?;
    match fs::canonicalize(folder) {
        Ok(folder) => Some(folder.join(name)),
        // Nor is its directory.
        Err(_) => std::path::absolute(path).ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_there_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deeper/a.txt");
        write(&path, "old").unwrap();
        let mut file = Whole::create(&path).unwrap();
        file.write_all(&[b'x'; 100_000]).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        drop(file);
        assert_eq!(fs::read(&path).unwrap(), b"old");
        write(&path, "new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        let left = fs::read_dir(path.parent().unwrap()).unwrap().count();
        assert_eq!(left, 1, "nothing else is left behind");
    }

    #[test]
    fn a_full_device_is_an_error_and_a_directory_is_no_file() {
        let full = write(Path::new("/dev/full"), "x").unwrap_err();
        assert_eq!(full.kind(), io::ErrorKind::StorageFull);
        let folder = tempfile::tempdir().unwrap();
        let error = write(folder.path(), "x").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::IsADirectory);
        write(Path::new("/dev/null"), "x").unwrap();
    }

    #[test]
    fn links_and_modes_stay_as_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        write(&real, "old").unwrap();
        fs::set_permissions(&real, Permissions::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        write(&link, "new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&real).unwrap(), b"new");
        assert_eq!(
            fs::metadata(&real).unwrap().permissions().mode() & 0o777,
            0o640
        );
    }

    #[test]
    fn one_file_by_two_names_is_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        assert!(is_same(&at("new"), &at("./new")));
        assert!(is_same(&at("no/new"), &at("no/new")));
        assert!(!is_same(&at("new"), &at("other")));
        write(&at("a"), "").unwrap();
        std::os::unix::fs::symlink(at("a"), at("b")).unwrap();
        assert!(is_same(&at("a"), &at("b")));
        assert!(!is_same(Path::new("/dev/null"), Path::new("/dev/null")));
    }
}
