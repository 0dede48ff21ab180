//! Matches on several threads.

use super::schedule::Fixture;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;

/// Plays matches on so many threads, and gives what came of each that was begun, in the order of
/// the fixtures. A player for whom `alone` is true is never in two matches at once: then a
/// later match may be played first. `tell` hears of every match as it ends, with its number.
///
/// When `stop` becomes true no further match begins; `play` is to see to those under way.
///
/// ```
/// # mod gdlr { pub use gdlr_players::ggp; }
/// use gdlr::ggp::series::{Fixture, Schedule, run};
/// use std::sync::atomic::AtomicBool;
///
/// let schedule = Schedule { seats: vec![2], players: 3, rounds: 1, rotate: false };
/// let (fixtures, alone) = (schedule.fixtures(), [false, false, true]);
/// let play = |_number: usize, fixture: &Fixture| fixture.players.iter().sum::<usize>();
/// let played = run(&fixtures, &alone, 2, &AtomicBool::new(false), play, |_, _| {});
/// assert_eq!(played, [(0, 1), (1, 2), (2, 3)]);
/// ```
///
/// # Panics
///
/// When a fixture has a player that `alone` does not have, or `play` panics.
pub fn run<T: Send>(
    fixtures: &[Fixture],
    alone: &[bool],
    threads: usize,
    stop: &AtomicBool,
    play: impl Fn(usize, &Fixture) -> T + Sync,
    mut tell: impl FnMut(usize, &T),
) -> Vec<(usize, T)> {
    let hall = Hall {
        fixtures,
        alone,
        stop,
        state: Mutex::new(State {
            waiting: (0..fixtures.len()).collect(),
            is_busy: vec![false; alone.len()],
        }),
        freed: Condvar::new(),
    };
    let mut played = Vec::new();
    thread::scope(|scope| {
        let (ended, matches) = mpsc::channel();
        for _ in 0..threads.clamp(1, fixtures.len().max(1)) {
            let (hall, play, ended) = (&hall, &play, ended.clone());
            scope.spawn(move || {
                while let Some(table) = hall.take() {
                    let result = play(table.number, &fixtures[table.number]);
                    // Nobody hangs up before the last thread has.
                    let _ = ended.send((table.number, result));
                }
            });
        }
        drop(ended);
        for (number, result) in matches {
            tell(number, &result);
            played.push((number, result));
        }
    });
    played.sort_by_key(|&(number, _)| number);
    played
}

/// Where matches are played.
struct Hall<'h> {
    fixtures: &'h [Fixture],
    /// By player: whether it plays one match at a time.
    alone: &'h [bool],
    stop: &'h AtomicBool,
    state: Mutex<State>,
    /// A match has ended.
    freed: Condvar,
}

struct State {
    /// The matches that have not begun, in their order.
    waiting: Vec<usize>,
    /// By player: whether it plays, and can play no other match meanwhile.
    is_busy: Vec<bool>,
}

/// A match under way; its players are free when it is dropped.
struct Table<'h> {
    hall: &'h Hall<'h>,
    number: usize,
}

impl Hall<'_> {
    /// The first match whose players are free; waits for them. None when there is no more.
    fn take(&self) -> Option<Table<'_>> {
        let mut state = self.state();
        loop {
            if state.waiting.is_empty() || self.stop.load(Ordering::Relaxed) {
                return None;
            }
            let is_free = |number: &usize| {
                !self.fixtures[*number].players.iter().any(|&player| state.is_busy[player])
            };
            if let Some(place) = state.waiting.iter().position(is_free) {
                let number = state.waiting.remove(place);
                self.set_busy(&mut state, number, true);
                return Some(Table { hall: self, number });
            }
            state = self.freed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn set_busy(&self, state: &mut State, number: usize, busy: bool) {
        for &player in &self.fixtures[number].players {
            state.is_busy[player] = busy && self.alone[player];
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing panics while it is held.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Table<'_> {
    fn drop(&mut self) {
        self.hall.set_busy(&mut self.hall.state(), self.number, false);
        self.hall.freed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::super::schedule::Schedule;
    use super::*;
    use std::sync::atomic::AtomicUsize;
    use std::time::Duration;

    fn fixtures(players: usize, rounds: u32) -> Vec<Fixture> {
        Schedule { seats: vec![2], players, rounds, rotate: true }.fixtures()
    }

    #[test]
    fn all_are_played_and_nobody_alone_twice_at_once() {
        let fixtures = fixtures(4, 3);
        let playing: Vec<AtomicUsize> = (0..4).map(|_| AtomicUsize::new(0)).collect();
        let at_once: Vec<AtomicUsize> = (0..4).map(|_| AtomicUsize::new(0)).collect();
        let alone = [false, true, true, false];
        let play = |number: usize, fixture: &Fixture| {
            for &player in &fixture.players {
                let now = playing[player].fetch_add(1, Ordering::SeqCst) + 1;
                at_once[player].fetch_max(now, Ordering::SeqCst);
            }
            thread::sleep(Duration::from_millis(5));
            for &player in &fixture.players {
                playing[player].fetch_sub(1, Ordering::SeqCst);
            }
            number * 10
        };
        let mut told = Vec::new();
        let stop = AtomicBool::new(false);
        let played = run(&fixtures, &alone, 6, &stop, play, |number, _| told.push(number));
        let expected: Vec<(usize, usize)> = (0..36).map(|number| (number, number * 10)).collect();
        assert_eq!(played, expected);
        told.sort_unstable();
        assert_eq!(told, (0..36).collect::<Vec<_>>());
        let at_once: Vec<usize> = at_once.iter().map(|most| most.load(Ordering::SeqCst)).collect();
        assert_eq!(at_once[1..3], [1, 1]);
        assert!(at_once[0] > 1 && at_once[3] > 1, "{at_once:?}");
    }

    #[test]
    fn none_begins_after_the_stop() {
        let stop = AtomicBool::new(false);
        let play = |number: usize, _: &Fixture| {
            if number == 4 {
                stop.store(true, Ordering::Relaxed);
            }
        };
        let played = run(&fixtures(4, 1), &[true; 4], 1, &stop, play, |_, _| {});
        assert_eq!(played.len(), 5);
        assert!(run(&[], &[], 3, &stop, |_, _| (), |_, _| {}).is_empty());
    }
}
