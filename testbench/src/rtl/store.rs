//! The folder of models: what is there is whole, or is made again.
//!
//! Who makes a model works in a folder of its own, which it holds by a lock that ends with the process.
//! The library is sealed (a digest of its bytes stands behind them), flushed, and renamed to its name.
//! A library whose seal is broken, as after a full disk or a crash of the machine, is not believed.

use crate::stop;
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;
use weft_toolbox::{Hash, Lock};

/// Begins the seal behind a library; what loads libraries does not look there.
const SEAL: &str = "weft seal ";

/// A folder to work in; it goes when it is dropped, and when its process is gone, with the next one that works here.
pub struct Work {
    pub folder: PathBuf,
    /// Held until the folder is gone.
    _lock: Lock,
}

impl Work {
    /// # Errors
    /// The folder cannot be made.
    pub fn new(models: &Path, name: &str) -> Result<Work, String> {
        let fail = |e: std::io::Error| format!("{}: {e}", models.display());
        fs::create_dir_all(models).map_err(fail)?;
        sweep(models);
        let name = format!(
            "work-{name}-{}-{:?}",
            std::process::id(),
            thread::current().id()
        );
        let lock = Lock::try_take(&models.join(format!("{name}.lock")));
        let lock = lock.map_err(|e| format!("{e:#}"))?;
        let lock = lock.ok_or_else(|| format!("{name} is in use"))?;
        let folder = models.join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).map_err(fail)?;
        Ok(Work {
            folder,
            _lock: lock,
        })
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
        let _ = fs::remove_file(lock_of(&self.folder));
    }
}

fn lock_of(folder: &Path) -> PathBuf {
    folder.with_file_name(format!(
        "{}.lock",
        folder.file_name().unwrap_or_default().to_string_lossy()
    ))
}

/// Removes the folders of processes that are gone.
fn sweep(models: &Path) {
    let Ok(entries) = fs::read_dir(models) else {
        return;
    };
    for folder in entries.flatten().map(|entry| entry.path()) {
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        if !name.starts_with("work-") || name.ends_with(".lock") {
            continue;
        }
        let lock = lock_of(&folder);
        // Without a lock it is of a version before there were locks.
        if let Ok(Some(_held)) = Lock::try_take(&lock) {
            let _ = fs::remove_dir_all(&folder);
            let _ = fs::remove_file(&lock);
        }
    }
}

/// Seals a file and gives it its name.
///
/// # Errors
/// It cannot be written.
pub fn publish(made: &Path, to: &Path) -> Result<(), String> {
    let fail = |e: std::io::Error| format!("{}: {e}", to.display());
    let seal = format!(
        "{SEAL}{}",
        Hash::default().and(fs::read(made).map_err(fail)?)
    );
    let mut file = OpenOptions::new().append(true).open(made).map_err(fail)?;
    file.write_all(seal.as_bytes()).map_err(fail)?;
    file.sync_all().map_err(fail)?;
    fs::rename(made, to).map_err(fail)?;
    if let Some(folder) = to.parent() {
        File::open(folder)
            .and_then(|folder| folder.sync_all())
            .map_err(fail)?;
    }
    Ok(())
}

/// Whether a file is there with its seal whole. What is not whole is removed.
pub fn is_whole(path: &Path) -> bool {
    let whole = || -> std::io::Result<bool> {
        let mut file = File::open(path)?;
        let length = SEAL.len() as u64 + 16;
        let end = file.seek(SeekFrom::End(0))?;
        let Some(content) = end.checked_sub(length) else {
            return Ok(false);
        };
        file.rewind()?;
        let mut bytes = Vec::with_capacity(end as usize);
        file.read_to_end(&mut bytes)?;
        let seal = bytes.split_off(content as usize);
        Ok(seal == format!("{SEAL}{}", Hash::default().and(&bytes)).as_bytes())
    };
    match whole() {
        Ok(true) => true,
        Ok(false) => {
            eprintln!("{} is damaged and is made again", path.display());
            let _ = fs::remove_file(path);
            false
        }
        Err(_) => false,
    }
}

/// Runs a tool to its end, or until somebody wants this run to end: then the tool goes with all that it has started.
///
/// # Errors
/// It fails, with what it has said, or was ended.
pub fn run(command: &mut Command) -> Result<(), String> {
    // Its own group: what it starts itself must end with it.
    if stop::heeded() {
        command.process_group(0);
    }
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let program = command.get_program().to_string_lossy().into_owned();
    let mut child = command
        .spawn()
        .map_err(|error| format!("{program}: {error}"))?;
    let mut out = child.stdout.take();
    let mut err = child.stderr.take();
    let (ended, said) = thread::scope(|scope| {
        let out = scope.spawn(move || all_of(out.as_mut()));
        let err = scope.spawn(move || all_of(err.as_mut()));
        let ended = end_of(&mut child);
        let text = [
            out.join().unwrap_or_default(),
            err.join().unwrap_or_default(),
        ]
        .concat();
        (ended, String::from_utf8_lossy(&text).into_owned())
    });
    match ended {
        Ok(Some(status)) if status.success() => Ok(()),
        Ok(Some(_)) => Err(format!("{command:?} failed:\n{said}")),
        Ok(None) => Err(format!("{program}: interrupted")),
        Err(error) => Err(format!("{program}: {error}")),
    }
}

fn all_of(pipe: Option<&mut impl Read>) -> Vec<u8> {
    let mut text = Vec::new();
    if let Some(pipe) = pipe {
        let _ = pipe.read_to_end(&mut text);
    }
    text
}

/// `None`: it was ended.
fn end_of(child: &mut Child) -> std::io::Result<Option<ExitStatus>> {
    if !stop::heeded() {
        return child.wait().map(Some);
    }
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if stop::requested() {
            if let Some(group) = rustix::process::Pid::from_raw(child.id() as i32) {
                let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
            }
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(Duration::from_millis(20));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// G35: one bit of a library that has changed, or an end that is missing, is noticed; the file goes.
    #[test]
    fn what_is_damaged_is_not_believed() {
        let folder = tempfile::tempdir().unwrap();
        let (made, to) = (folder.path().join("made"), folder.path().join("model.so"));
        let publish = || {
            fs::write(&made, [7; 1000]).unwrap();
            publish(&made, &to).unwrap();
        };
        publish();
        assert!(is_whole(&to) && !made.exists());
        let whole = fs::read(&to).unwrap();
        let mut flipped = whole.clone();
        flipped[500] ^= 1;
        for damaged in [&flipped[..], &whole[..whole.len() - 1], &whole[..999], &[]] {
            fs::write(&to, damaged).unwrap();
            assert!(!is_whole(&to) && !to.exists());
        }
        publish();
        assert!(is_whole(&to));
        assert!(!is_whole(&folder.path().join("none")));
    }

    #[test]
    fn folders_of_processes_that_are_gone_go() {
        let folder = tempfile::tempdir().unwrap();
        let left = folder.path().join("work-left-1-ThreadId(1)");
        fs::create_dir(&left).unwrap();
        fs::write(lock_of(&left), "").unwrap();
        let mine = Work::new(folder.path(), "mine").unwrap();
        assert!(!left.exists() && !lock_of(&left).exists());
        // Who comes later leaves what is in use.
        let other = Work::new(folder.path(), "other").unwrap();
        assert!(mine.folder.exists() && other.folder.exists());
        let (kept, gone) = (mine.folder.clone(), other.folder.clone());
        drop(other);
        assert!(kept.exists() && !gone.exists() && !lock_of(&gone).exists());
        drop(mine);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_tool_that_fails_says_what_it_has_said() {
        let error = run(Command::new("sh").args(["-c", "echo out; echo err >&2; exit 3"]));
        let error = error.unwrap_err();
        assert!(
            error.contains("out\n") && error.contains("err\n"),
            "{error}"
        );
        run(&mut Command::new("true")).unwrap();
    }
}
