//! Asking again: players that nobody can reach at the moment, since they are being started again or
//! the network is down, and players that were given up for that.

use super::event::Event;
use super::running::{Line, Match};
use crate::ggp::contender::{NoAnswer, Remote};
use crate::ggp::message::Message;
use crate::ggp::record::FaultKind;
use gdlr_engine::engine::{Engine, RoleId};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The pause after the first message that nobody took; each further one is twice as long.
const SHORTEST: Duration = Duration::from_millis(50);

/// The longest pause, and how long an answer to INFO may take.
const LONGEST: Duration = Duration::from_secs(1);

/// The pauses between one message that nobody took and the next.
fn pauses() -> impl Iterator<Item = Duration> {
    std::iter::successors(Some(SHORTEST), |pause| Some((*pause * 2).min(LONGEST)))
}

/// Sends a message whose clock of `(since, time)` runs. As long as nobody takes it, and the match is
/// not over, it is sent again; of the first time `note` is told. A message that cannot be repeated
/// has no `is_over`.
pub(super) fn exchange(
    remote: &dyn Remote,
    text: &str,
    (since, time): (Instant, Duration),
    is_over: Option<&AtomicBool>,
    note: &dyn Fn(NoAnswer),
) -> Result<Vec<u8>, NoAnswer> {
    let left = || time.saturating_sub(since.elapsed());
    let mut sent = remote.exchange(text, left());
    let Some(is_over) = is_over else { return sent };
    for (count, pause) in pauses().enumerate() {
        let is_last = left() <= pause || is_over.load(Ordering::Relaxed);
        match &sent {
            Err(why) if why.kind == FaultKind::Unreachable && !is_last => {
                if count == 0 {
                    note(why.clone());
                }
            }
            _ => break,
        }
        thread::sleep(pause);
        sent = remote.exchange(text, left());
    }
    sent
}

impl Match<'_> {
    /// Asks a player that was given up, since nobody could reach it, who it is, until it answers
    /// or the match is over.
    pub(super) fn look_out_for(&mut self, role: RoleId) {
        let Line::Elsewhere(remote) = &self.lines[role.index()] else { return };
        let (remote, is_over, is_back) = (remote.clone(), self.hurry.clone(), Arc::default());
        self.missing[role.index()] = Some(Arc::clone(&is_back));
        thread::spawn(move || {
            let info = Message::Info.to_string();
            for pause in pauses() {
                thread::sleep(pause);
                if is_over.load(Ordering::Relaxed) {
                    return;
                }
                if remote.exchange(&info, LONGEST).is_ok() {
                    is_back.store(true, Ordering::Relaxed);
                    return;
                }
            }
        });
    }

    /// Takes back the players that were given up, since nobody could reach them, and have answered
    /// since then. Their errors before that count no more.
    pub(super) fn take_back(&mut self) {
        for role in self.engine.roles().iter() {
            let missing = &mut self.missing[role.index()];
            if missing.take_if(|is_back| is_back.load(Ordering::Relaxed)).is_some() {
                self.errors[role.index()] = 0;
                self.record.players[role.index()].given_up = None;
                (self.tell)(&Event::Returned(role));
            }
        }
    }
}
