//! One at a time, also between processes.

use anyhow::{bail, Context, Result};
use rustix::fs::{flock, FlockOperation};
use rustix::io::Errno;
use std::fs::File;
use std::path::Path;
use std::time::{Duration, Instant};

/// Held until it is dropped, or its process has ended in whatever way: the kernel keeps it, and the file says nothing.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

impl Lock {
    /// Waits up to `patience` for the lock; says so once through `waiting`.
    ///
    /// # Errors
    /// The file cannot be opened, or the patience is over.
    pub fn take(file: &Path, patience: Duration, waiting: &mut dyn FnMut()) -> Result<Self> {
        let start = Instant::now();
        let mut told = false;
        loop {
            if let Some(lock) = Self::try_take(file)? {
                return Ok(lock);
            }
            if start.elapsed() > patience {
                bail!(
                    "another process has been at work for {} minutes (it holds {})",
                    patience.as_secs() / 60,
                    file.display()
                );
            }
            if !std::mem::replace(&mut told, true) {
                waiting();
            }
            std::thread::sleep(Duration::from_millis(200));
        }
    }

    /// The lock, if nobody else has it.
    ///
    /// # Errors
    /// The file cannot be opened.
    pub fn try_take(file: &Path) -> Result<Option<Self>> {
        let open = File::options()
            .write(true)
            .create(true)
            .truncate(false)
            .open(file);
        let open = open.with_context(|| format!("opening {}", file.display()))?;
        match flock(&open, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => Ok(Some(Self { _file: open })),
            Err(Errno::WOULDBLOCK) => Ok(None),
            Err(error) => Err(std::io::Error::from(error))
                .with_context(|| format!("locking {}", file.display())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::process::{Command, Stdio};

    #[test]
    fn second_taker_waits() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("lock");
        let held = Lock::take(&file, Duration::from_secs(1), &mut || ()).unwrap();
        let mut waited = 0;
        assert!(Lock::take(&file, Duration::from_millis(300), &mut || waited += 1).is_err());
        assert_eq!(waited, 1);
        drop(held);
        assert!(Lock::try_take(&file).unwrap().is_some());
    }

    /// G35: whatever a file says that others have left, nobody who lives holds it.
    #[test]
    fn a_file_alone_holds_nobody_up() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("lock");
        let own = std::process::id().to_string();
        for left in ["", "1", own.as_str(), "4294967294"] {
            fs::write(&file, left).unwrap();
            let later = std::time::SystemTime::now() + Duration::from_secs(86_400);
            let handle = File::options().write(true).open(&file).unwrap();
            handle.set_modified(later).unwrap();
            Lock::take(&file, Duration::from_secs(1), &mut || panic!("waited")).unwrap();
        }
    }

    /// A process that is killed gives it back.
    #[test]
    fn it_ends_with_its_process() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("lock");
        let script = format!(
            "exec 9>'{}'; flock 9; echo held; exec sleep 100",
            file.display()
        );
        let Ok(mut child) = Command::new("sh")
            .args(["-c", &script])
            .stdout(Stdio::piped())
            .spawn()
        else {
            return;
        };
        let mut byte = [0];
        std::io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut byte).unwrap();
        assert!(Lock::try_take(&file).unwrap().is_none());
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(Lock::try_take(&file).unwrap().is_some());
    }
}
