//! The runtime's files on disk, since compilers read files: part of this program, written where the tools are.
//! The guards of C++ (CC-012) stand in libc.c.

use crate::error::{io, Error};
use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use weft_toolbox::Toolbox;

/// weft.h keeps barriers and joins in one place whatever is copied (CC-050, 051).
const FILES: [(&str, &str); 10] = [
    ("include/weft.h", include_str!("../../kernels/weft.h")),
    (
        "include/weft_queue.h",
        include_str!("../../kernels/weft_queue.h"),
    ),
    (
        "include/assert.h",
        include_str!("../runtime/include/assert.h"),
    ),
    (
        "include/stdio.h",
        include_str!("../runtime/include/stdio.h"),
    ),
    (
        "include/stdlib.h",
        include_str!("../runtime/include/stdlib.h"),
    ),
    (
        "include/string.h",
        include_str!("../runtime/include/string.h"),
    ),
    ("start.s", include_str!("../runtime/start.s")),
    ("libc.c", include_str!("../runtime/libc.c")),
    ("weft.ld", include_str!("../runtime/weft.ld")),
    (
        "README",
        "Written by `weft cc`, from cc/runtime/; may be deleted.\n",
    ),
];

/// The runtime on disk, below `.tools/cache/cc`.
pub(crate) struct Runtime {
    dir: PathBuf,
}

impl Runtime {
    /// Writes what is not there yet. The folder's name is made of the contents, so it is never stale.
    pub(crate) fn unpack(toolbox: &Toolbox) -> Result<Runtime, Error> {
        let cache = toolbox.tools_dir().join("cache/cc");
        let dir = cache.join(format!("runtime-{:016x}", hash(&FILES)));
        if dir.join("README").is_file() {
            return Ok(Runtime { dir });
        }
        for (name, contents) in FILES {
            write_whole(&dir.join(name), contents.as_bytes())?;
        }
        Ok(Runtime { dir })
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.dir.join(name)
    }

    /// Place of something that is made once of these files and of `key`.
    pub(crate) fn made(&self, name: &str, key: impl Hash) -> PathBuf {
        self.dir.join(format!("{:016x}-{name}", hash(&key)))
    }
}

/// Through a file of another name: nobody sees half of it.
pub(crate) fn write_whole(path: &Path, contents: &[u8]) -> Result<(), Error> {
    let dir = path.parent().unwrap_or(Path::new("."));
    let go = || {
        fs::create_dir_all(dir)?;
        let mut file = tempfile::NamedTempFile::new_in(dir)?;
        std::io::Write::write_all(&mut file, contents)?;
        file.persist(path).map_err(|error| error.error)?;
        Ok(())
    };
    go().map_err(io(path.display()))
}

fn hash(what: &(impl Hash + ?Sized)) -> u64 {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_written_once_and_anew_after_a_change() {
        let dir = tempfile::tempdir().unwrap();
        let toolbox = Toolbox::at(dir.path());
        let first = Runtime::unpack(&toolbox).unwrap();
        assert!(fs::read_to_string(first.file("start.s"))
            .unwrap()
            .contains("_start"));
        fs::write(first.file("start.s"), "changed").unwrap();
        let again = Runtime::unpack(&toolbox).unwrap();
        assert_eq!(
            fs::read_to_string(again.file("start.s")).unwrap(),
            "changed"
        );
        fs::remove_file(first.file("README")).unwrap();
        let whole = Runtime::unpack(&toolbox).unwrap();
        assert!(fs::read_to_string(whole.file("start.s"))
            .unwrap()
            .contains("_start"));
        assert_ne!(first.made("x.o", 1), first.made("x.o", 2));
    }
}
