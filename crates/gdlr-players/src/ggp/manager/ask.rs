//! Asking players: all at once, nobody longer than the clock runs.

use super::event::Event;
use super::persistence::exchange;
use super::running::{Line, Match};
use crate::ggp::contender::{Answer, Contender, LocalPlayer, NoAnswer, Order};
use crate::ggp::record::{Ending, FaultKind, Request};
use gdlr_engine::engine::{Engine, RoleId};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// How often the manager looks whether it is to break off.
const GLANCE: Duration = Duration::from_millis(20);

/// How long after the clock the manager waits for what players have sent by then, to write it
/// down. It is late all the same.
const GRACE: Duration = Duration::from_millis(30);

/// The reply to a request, if there was one.
pub(super) struct Reply {
    /// How long there was.
    time: Duration,
    answer: Option<Answer>,
}

impl Reply {
    /// How long a whole answer took.
    pub(super) fn after(&self) -> Option<Duration> {
        let answer = self.answer.as_ref()?;
        answer.sent.is_ok().then_some(answer.after)
    }

    /// The answer, if it is a whole one and was there in time.
    pub(super) fn on_time(self) -> Result<Vec<u8>, NoAnswer> {
        let late = |sent| {
            let detail = "the clock was over before the answer was there".to_owned();
            NoAnswer { kind: FaultKind::Late, detail, sent }
        };
        match self.answer {
            None => Err(late(Vec::new())),
            Some(Answer { after, sent, .. }) if after > self.time => {
                Err(late(sent.unwrap_or_else(|why| why.sent)))
            }
            Some(Answer { sent, .. }) => sent,
        }
    }
}

impl Match<'_> {
    /// Gives every contender its place.
    pub(super) fn seat(&mut self, contenders: Vec<Contender>) {
        for (role, contender) in self.engine.roles().iter().zip(contenders) {
            let line = match contender {
                _ if self.engine.roles().random() == Some(role) => Line::Manager,
                Contender::Random => Line::Manager,
                Contender::Elsewhere(_, remote) => Line::Elsewhere(remote),
                Contender::Here(_, player, engines) => {
                    let (orders, received) = channel();
                    let place = LocalPlayer {
                        engines,
                        role,
                        play_clock: self.conditions.play_clock,
                        hurry: self.hurry.clone(),
                    };
                    let answers = self.sender.clone();
                    thread::spawn(move || place.serve(player, &received, &answers));
                    Line::Here(orders)
                }
            };
            self.lines.push(line);
        }
    }

    /// Sends a message to every player that is still asked, and waits until all have answered
    /// or `time` is over. By role: what came of it, `None` for one that was not asked.
    pub(super) fn ask(
        &mut self,
        request: Request,
        time: Duration,
        text: &dyn Fn(RoleId) -> String,
        stop: Option<&AtomicBool>,
    ) -> Result<Vec<Option<Reply>>, Ending> {
        self.inquiry += 1;
        self.take_back();
        let roles = self.engine.roles();
        let asked: Vec<RoleId> =
            roles.iter().filter(|&role| self.is_asked(role, request)).collect();
        let mut answers: Vec<Option<Reply>> = roles.iter().map(|_| None).collect();
        let step = self.steps();
        (self.tell)(&Event::Asked(request, step, &asked));
        let start = Instant::now();
        for &role in &asked {
            answers[role.index()] = Some(Reply { time, answer: None });
            self.send(request, role, text, (start, time));
        }
        let mut waiting = asked.len();
        while waiting > 0 {
            if stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
                return Err(Ending::Interrupted);
            }
            let left = (time + GRACE).saturating_sub(start.elapsed());
            let received = self.answers.recv_timeout(left.min(GLANCE));
            if let Ok(Answer { role, thought: Some(thought), .. }) = &received {
                (self.tell)(&Event::Thought(*role, thought));
            }
            match received {
                Ok(Answer { role, sent: Err(why), is_sent_again: true, inquiry, .. }) => {
                    if inquiry == self.inquiry {
                        (self.tell)(&Event::Unreachable(role, &why));
                    }
                }
                Ok(answer) if answer.inquiry == self.inquiry => {
                    waiting -= 1;
                    let role = answer.role;
                    if answer.sent.is_ok() && answer.after <= time {
                        (self.tell)(&Event::Answered(role, answer.after));
                    }
                    if let Some(asked) = &mut answers[role.index()] {
                        asked.answer = Some(answer);
                    }
                }
                Ok(late) => self.note_late(late),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => break,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        Ok(answers)
    }

    /// Whether a role gets a message.
    fn is_asked(&self, role: RoleId, request: Request) -> bool {
        let given_up = self.record.players[role.index()].given_up.is_some();
        match self.lines[role.index()] {
            Line::Manager => false,
            _ => !(given_up && request == Request::Play),
        }
    }

    /// Sends a message to a player. Its answer will come through the channel, or none will.
    fn send(
        &self,
        request: Request,
        role: RoleId,
        text: &dyn Fn(RoleId) -> String,
        (asked, time): (Instant, Duration),
    ) {
        let (inquiry, answers) = (self.inquiry, self.sender.clone());
        let answer = move |sent| {
            let after = asked.elapsed();
            Answer { role, inquiry, after, sent, is_sent_again: false, thought: None }
        };
        match &self.lines[role.index()] {
            Line::Manager => {}
            Line::Here(orders) => {
                let last = match request {
                    Request::Play | Request::Stop => self.observations.get(role.index()).cloned(),
                    Request::Start | Request::Abort => None,
                };
                let order = Order { request, last, inquiry, asked, time };
                if orders.send(order).is_err() {
                    let gone = NoAnswer::new(FaultKind::Failed, "the player has ended");
                    // The channel's other end is here.
                    let _ = answers.send(answer(Err(gone)));
                }
            }
            Line::Elsewhere(remote) => {
                let (remote, text) = (remote.clone(), text(role));
                let is_over = match request {
                    Request::Start | Request::Play => Some(self.hurry.clone()),
                    // Who is not there need not be told that the match is over.
                    Request::Stop | Request::Abort => None,
                };
                thread::spawn(move || {
                    // The match may be over by now: nobody takes what is sent.
                    let note = |why| {
                        let again = Answer { is_sent_again: true, ..answer(Err(why)) };
                        let _ = answers.send(again);
                    };
                    let sent = exchange(&*remote, &text, (asked, time), is_over.as_deref(), &note);
                    let _ = answers.send(answer(sent));
                });
            }
        }
    }
}
