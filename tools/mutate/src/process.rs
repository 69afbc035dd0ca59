//! A program with a limit of its time.

use std::io::Read;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How it has ended, and what it has said.
pub struct Ended {
    /// `None`: it took too long, and was ended.
    pub status: Option<ExitStatus>,
    pub said: String,
    pub time: Duration,
}

/// Runs it; whatever it says on standard error is lost.
///
/// # Errors
/// It cannot be started.
pub fn run(command: &mut Command, limit: Duration) -> std::io::Result<Ended> {
    let start = Instant::now();
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut child = command.spawn()?;
    let mut out = child.stdout.take();
    let reader = thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = out.as_mut().map(|out| out.read_to_end(&mut bytes));
        String::from_utf8_lossy(&bytes).into_owned()
    });
    let status = end_of(&mut child, start + limit)?;
    Ok(Ended {
        status,
        said: reader.join().unwrap_or_default(),
        time: start.elapsed(),
    })
}

fn end_of(child: &mut Child, until: Instant) -> std::io::Result<Option<ExitStatus>> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if Instant::now() > until {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(Duration::from_millis(5));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_takes_too_long_is_ended() {
        let long = run(
            Command::new("sh").args(["-c", "echo begins; exec sleep 60"]),
            Duration::from_millis(300),
        );
        let long = long.unwrap();
        assert!(long.status.is_none() && long.time < Duration::from_secs(30));
        assert_eq!(long.said, "begins\n");
        let short = run(Command::new("echo").arg("word"), Duration::from_secs(60)).unwrap();
        assert!(short.status.unwrap().success());
        assert_eq!(short.said, "word\n");
    }
}
