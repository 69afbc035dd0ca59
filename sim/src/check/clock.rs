//! What comes before what: vector clocks of the threads of a grid.
//!
//! A thread's time goes on whenever others may see what it has done. A [`Clock`] says of each thread up to which time
//! all that it did comes before.

use std::collections::BTreeMap;
use std::sync::Arc;

/// When something happened: the time of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    pub thread: u32,
    pub time: u32,
}

/// By CTA the times of its threads; those that are missing are 0, before all that a thread does.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    ctas: BTreeMap<u32, Arc<Vec<u32>>>,
}

impl Clock {
    /// `each`: threads of a CTA.
    pub fn knows(&self, moment: Moment, each: u32) -> bool {
        let times = self.ctas.get(&(moment.thread / each));
        let time = times.and_then(|times| times.get((moment.thread % each) as usize));
        time.is_some_and(|&time| moment.time <= time)
    }

    pub fn add(&mut self, moment: Moment, each: u32) {
        let times = self.ctas.entry(moment.thread / each).or_default();
        let times = Arc::make_mut(times);
        let at = (moment.thread % each) as usize;
        if times.len() <= at {
            times.resize(at + 1, 0);
        }
        times[at] = times[at].max(moment.time);
    }

    /// What came before `other` comes before this, too.
    pub fn join(&mut self, other: &Clock) {
        for (cta, theirs) in &other.ctas {
            let Some(ours) = self.ctas.get_mut(cta) else {
                self.ctas.insert(*cta, Arc::clone(theirs));
                continue;
            };
            if Arc::ptr_eq(ours, theirs) || behind(theirs, ours) {
                continue;
            }
            if behind(ours, theirs) {
                *ours = Arc::clone(theirs);
                continue;
            }
            let ours = Arc::make_mut(ours);
            if ours.len() < theirs.len() {
                ours.resize(theirs.len(), 0);
            }
            ours.iter_mut()
                .zip(theirs.iter())
                .for_each(|(our, their)| *our = (*our).max(*their));
        }
    }
}

/// No time of `these` is later than that of `those`.
fn behind(these: &[u32], those: &[u32]) -> bool {
    let later = |(n, time): (usize, &u32)| *time > those.get(n).copied().unwrap_or(0);
    !these.iter().enumerate().any(later)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_knows_what_was_added_and_what_came_before_that() {
        let at = |thread, time| Moment { thread, time };
        let (mut a, mut b) = (Clock::default(), Clock::default());
        a.add(at(1, 3), 4);
        a.add(at(6, 2), 4);
        b.add(at(0, 5), 4);
        b.add(at(1, 1), 4);
        a.join(&b);
        let known = [(0, 5), (1, 3), (1, 1), (6, 2)];
        let unknown = [(0, 6), (1, 4), (2, 1), (6, 3), (7, 1), (9, 1)];
        assert!(known.iter().all(|&(t, time)| a.knows(at(t, time), 4)));
        assert!(!unknown.iter().any(|&(t, time)| a.knows(at(t, time), 4)));
        // The other one is as it was.
        assert!(!b.knows(at(1, 2), 4) && !b.knows(at(6, 1), 4));
        // A longer and a shorter one, either way.
        b.join(&a);
        assert!(known.iter().all(|&(t, time)| b.knows(at(t, time), 4)));
    }
}
