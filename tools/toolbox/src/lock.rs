//! One at a time, also between processes.

use anyhow::{bail, Context, Result};
use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

/// Held while a file with this process's number exists.
pub struct Lock {
    file: PathBuf,
}

impl Lock {
    /// Waits up to `patience` for the lock; says so once through `waiting`.
    ///
    /// # Errors
    /// The file cannot be written, or the patience is over.
    pub fn take(file: &Path, patience: Duration, waiting: &mut dyn FnMut()) -> Result<Self> {
        let start = Instant::now();
        let mut told = false;
        loop {
            match fs::OpenOptions::new()
                .write(true)
                .create_new(true)
                .open(file)
            {
                Ok(mut handle) => {
                    write!(handle, "{}", std::process::id())
                        .with_context(|| format!("writing {}", file.display()))?;
                    return Ok(Self {
                        file: file.to_path_buf(),
                    });
                }
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => {
                    return Err(error).with_context(|| format!("creating {}", file.display()))
                }
            }
            if is_abandoned(file) {
                let _ = fs::remove_file(file);
                continue;
            }
            if start.elapsed() > patience {
                bail!(
                    "another process has been at work for {} minutes; if there is none, remove {}",
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
}

impl Drop for Lock {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.file);
    }
}

/// True when the process that made the lock is gone. Where processes cannot be looked up, after half an hour.
fn is_abandoned(file: &Path) -> bool {
    let age = |m: fs::Metadata| {
        m.modified()
            .ok()
            .and_then(|t| SystemTime::now().duration_since(t).ok())
    };
    let Some(age) = file.metadata().ok().and_then(age) else {
        return false;
    };
    let owner = fs::read_to_string(file).unwrap_or_default();
    match owner.trim().parse::<u32>() {
        Ok(process) if Path::new("/proc/self").exists() => {
            !Path::new(&format!("/proc/{process}")).exists()
        }
        // Made a moment ago and not yet written.
        Err(_) if age < Duration::from_secs(5) => false,
        _ => age > Duration::from_secs(30 * 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn second_taker_waits_and_dead_owner_does_not_count() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("lock");
        let held = Lock::take(&file, Duration::from_secs(1), &mut || ()).unwrap();
        let mut waited = 0;
        assert!(Lock::take(&file, Duration::from_millis(300), &mut || waited += 1).is_err());
        assert_eq!(waited, 1);
        drop(held);
        assert!(!file.exists());

        if Path::new("/proc/self").exists() {
            fs::write(&file, "4294967294").unwrap();
            Lock::take(&file, Duration::from_secs(1), &mut || {
                panic!("waited for a dead process")
            })
            .unwrap();
        }
    }
}
