//! Who plays a role: the manager, a player on this machine, or one elsewhere ([`Remote`]).
//!
//! A player on this machine has a thread, which has its [`Seat`] and takes orders. One elsewhere
//! gets messages as text. Both answer with text, so that they are judged alike.

use super::record::{FaultKind, Request};
use super::seat::Seat;
use super::thought::Thought;
use crate::player::{Clock, Player};
use crate::set_up::Handover;
use gdlr_engine::engine::{Engine, RoleId};
use gdlr_engine::play::sampler::Observation;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, Sender};
use std::time::{Duration, Instant};

/// How much earlier than the manager's the clock of a player on this machine is over, at most,
/// and as a share of the clock.
const MARGIN: (Duration, u32) = (Duration::from_millis(500), 5);

/// A player elsewhere, to whom messages go as text.
pub trait Remote: Send + Sync {
    /// Sends a message and gives the answer, as the bytes that came. Should be back when `time`
    /// is over; the manager does not wait any longer.
    ///
    /// # Errors
    ///
    /// When no whole answer came, for whatever reason.
    fn exchange(&self, message: &str, time: Duration) -> Result<Vec<u8>, NoAnswer>;
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoAnswer {
    /// The kind of failure.
    pub kind: FaultKind,
    /// The same in more words, or nothing.
    pub detail: String,
    /// The bytes that came nevertheless.
    pub sent: Vec<u8>,
}

impl NoAnswer {
    /// No answer at all, for this reason.
    pub fn new(kind: FaultKind, detail: impl fmt::Display) -> NoAnswer {
        NoAnswer { kind, detail: detail.to_string(), sent: Vec::new() }
    }
}

impl fmt::Display for NoAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind.as_str(), self.detail)
    }
}

impl std::error::Error for NoAnswer {}

/// Who plays a role.
pub enum Contender {
    /// The manager: each legal move with the same chance.
    Random,
    /// A player on this machine, with what to call it, and the engines that it plays on; others
    /// may share them.
    Here(String, Box<dyn Player>, Arc<Handover>),
    /// A player elsewhere, with what to call it.
    Elsewhere(String, Arc<dyn Remote>),
}

impl Contender {
    /// Its name.
    pub fn name(&self) -> &str {
        match self {
            Contender::Random => "random",
            Contender::Here(name, ..) | Contender::Elsewhere(name, _) => name,
        }
    }
}

impl fmt::Debug for Contender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Contender").field(&self.name()).finish()
    }
}

/// An order to a player on this machine.
pub(super) struct Order {
    pub(super) request: Request,
    /// The observation of the last step, if there was one.
    pub(super) last: Option<Observation>,
    pub(super) inquiry: u64,
    pub(super) asked: Instant,
    pub(super) time: Duration,
}

/// An answer.
pub(super) struct Answer {
    pub(super) role: RoleId,
    /// Which inquiry it answers.
    pub(super) inquiry: u64,
    /// How long after it.
    pub(super) after: Duration,
    pub(super) sent: Result<Vec<u8>, NoAnswer>,
    /// Whether the message is sent again, since nobody took it: the answer is yet to come.
    pub(super) is_sent_again: bool,
    /// The evaluation of the turn, if there was one and the player says so.
    pub(super) thought: Option<Thought>,
}

/// A player on this machine.
pub(super) struct LocalPlayer {
    pub(super) engines: Arc<Handover>,
    pub(super) role: RoleId,
    pub(super) play_clock: Duration,
    pub(super) hurry: Arc<AtomicBool>,
}

impl LocalPlayer {
    /// Does what is ordered, until nobody orders any more.
    pub(super) fn serve(
        self,
        player: Box<dyn Player>,
        orders: &Receiver<Order>,
        answers: &Sender<Answer>,
    ) {
        let mut player = Some(player);
        let mut seat: Option<Seat> = None;
        for order in orders {
            let left = less_margin(order.time).saturating_sub(order.asked.elapsed());
            let clock = Clock::stopped_by(left, self.hurry.clone());
            let sent = match (order.request, &mut seat) {
                (Request::Start, _) => self.sit(player.take(), &clock).map(|taken| {
                    seat = Some(taken);
                    b"READY".to_vec()
                }),
                (Request::Play, Some(seat)) => match seat.play(order.last.as_ref(), &clock) {
                    Ok(term) => Ok(term.spelled(seat.engine().symbols()).into_bytes()),
                    Err(error) => Err(NoAnswer::new(FaultKind::Failed, error)),
                },
                (Request::Play, None) => {
                    Err(NoAnswer::new(FaultKind::Failed, "the player has no seat"))
                }
                (Request::Stop | Request::Abort, _) => {
                    if let Some(seat) = seat.take() {
                        seat.stop(order.last.as_ref());
                    }
                    Ok(b"DONE".to_vec())
                }
            };
            let (role, inquiry, after) = (self.role, order.inquiry, order.asked.elapsed());
            let has_played = order.request == Request::Play && sent.is_ok();
            let thought = seat.as_ref().filter(|_| has_played).and_then(Seat::thought);
            let answer = Answer { role, inquiry, after, sent, is_sent_again: false, thought };
            if answers.send(answer).is_err() {
                return;
            }
        }
    }

    fn sit(&self, player: Option<Box<dyn Player>>, clock: &Clock) -> Result<Seat, NoAnswer> {
        let sits = || NoAnswer::new(FaultKind::Failed, "the player sits already");
        let player = player.ok_or_else(sits)?;
        let play_clock = less_margin(self.play_clock);
        Ok(Seat::take(self.engines.clone(), self.role, play_clock, clock, player))
    }
}

/// The clock of a player on this machine.
fn less_margin(time: Duration) -> Duration {
    let (most, share) = MARGIN;
    time - (time / share).min(most)
}
