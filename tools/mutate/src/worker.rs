//! One mutant in a process of its own: it may crash, or never come to an end.
//!
//! Time is that of the processor: how long something takes beside others says nothing.

use crate::units::{Stopped, Target};
use rustix::time::{clock_gettime, ClockId};
use serde::{Deserialize, Serialize};
use std::process::exit;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// What stands before the word on standard output.
pub const SAYS: &str = "weft_mutate: ";

/// What a worker has to say.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Word {
    /// Random runs, the one that has noticed with them.
    pub runs: u64,
    /// What the last one said; `None`: nothing is wrong.
    pub noticed: Option<String>,
    /// Of the longest run.
    pub seconds: f64,
}

/// Runs until something is noticed, or for so long; a run that takes longer than `patience` does not end.
pub fn work(target: Target, seed: u64, budget: Duration, patience: Duration) -> ! {
    std::panic::set_hook(Box::new(|_| ()));
    // Runs so far, and when this one began.
    let now = Arc::new(Mutex::new((0, used())));
    let watched = now.clone();
    // It ends the process from beside the run.
    std::thread::spawn(move || loop {
        std::thread::sleep(Duration::from_millis(50));
        let watched = watched.lock().unwrap_or_else(PoisonError::into_inner);
        if used().saturating_sub(watched.1) > patience {
            let text = format!("it does not end within {} s", patience.as_secs());
            end(&Word {
                runs: watched.0 + 1,
                noticed: Some(text),
                seconds: patience.as_secs_f64(),
            });
        }
    });
    let start = used();
    let mut word = Word::default();
    while used() - start < budget && word.noticed.is_none() {
        let began = used();
        *now.lock().unwrap_or_else(PoisonError::into_inner) = (word.runs, began);
        if let Stopped::Different(text) = target.run(seed, word.runs) {
            word.noticed = Some(text.lines().next().unwrap_or_default().trim().into());
        }
        word.seconds = word.seconds.max((used() - began).as_secs_f64());
        word.runs += 1;
    }
    end(&word)
}

/// Time of the processor that this process has had.
fn used() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

fn end(word: &Word) -> ! {
    let text = serde_json::to_string(word).unwrap_or_default();
    // The models' lines go the same way through a buffer of their own, which may end within one.
    println!("\n{SAYS}{text}");
    exit(0)
}
