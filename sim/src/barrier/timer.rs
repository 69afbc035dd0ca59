//! BAR-070.

use super::mutation::Mutation;
use super::ports::{Event, EventKind};
use super::state::{State, BARRIERS, IDS};
use super::unit::Unit;

impl Unit {
    /// The visits of cycle `n`: the barrier whose timer runs out in it, as CTA slot and id.
    pub fn visit(&mut self, n: u64) -> Option<(usize, usize)> {
        let place = (n % (2 * BARRIERS as u64)) as usize;
        if place % 2 != 0 {
            return None;
        }
        let number = place / 2;
        let late = u32::from(self.mutated(Mutation::TimerLate));
        if let Some((timer, ticks)) = &mut self.stopping[number] {
            if n > timer.start {
                timer.visits += 1;
            }
            let out = timer.visits >= *ticks;
            if out {
                self.stopping[number] = None;
            }
            return out.then_some((number / IDS, number % IDS));
        }
        let bar = self.bar(number);
        let timer = bar.timer.as_mut().filter(|t| n > t.start)?;
        timer.visits += 1;
        if timer.visits < bar.word.ticks() + late {
            return None;
        }
        bar.timer = None;
        bar.ran_out = true;
        Some((number / IDS, number % IDS))
    }

    /// Cycles until the first timer runs out that runs now, seen from the visits of cycle `n` on.
    pub fn next_expiry(&self, n: u64) -> Option<u64> {
        let period = 2 * BARRIERS as u64;
        let of = |number: usize| {
            let bar = self.look(number);
            let timer = bar.timer?;
            let from = n.max(timer.start + 1);
            let first = from + (2 * number as u64 + period - from % period) % period;
            let more = bar.word.ticks().saturating_sub(timer.visits + 1);
            Some(first + period * u64::from(more))
        };
        (0..BARRIERS).filter_map(of).min()
    }

    /// BAR-071: the event of a complete barrier stops its timer.
    pub fn stop_timer(&mut self, cta: usize, id: usize) {
        self.stopping[cta * IDS + id] = None;
    }

    /// BAR-071: what has run out and has to be looked at.
    pub fn run_out(&self) -> Vec<usize> {
        let out = |&number: &usize| {
            let bar = self.look(number);
            bar.ran_out && bar.state == State::Static
        };
        (0..BARRIERS).filter(out).collect()
    }

    /// BAR-071
    pub fn time_out(&mut self, number: usize) -> Vec<Event> {
        let mut events = Vec::new();
        let bar = self.bar(number);
        bar.ran_out = false;
        if bar.state == State::Static && !self.mutated(Mutation::TimeoutIgnored) {
            self.note(match self.look(number).arrivals {
                0 => "timeout.nobody",
                _ => "timeout",
            });
            self.complete(number, EventKind::Timeout, &mut events);
            self.stopping[number] = None;
        }
        events
    }
}
