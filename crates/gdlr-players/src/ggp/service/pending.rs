//! An answer in the making: whoever brought the message waits for it, the thread of the match
//! gives it, and should that come too late there is another one.

use super::lock::lock;
use crate::ggp::message::Reply;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Instant;

/// An answer in the making.
#[derive(Debug, Default)]
pub(super) struct Pending {
    answer: Mutex<Answer>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Answer {
    /// The best one so far.
    reply: Option<Reply>,
    /// Whether it is given, and nothing better can come.
    is_settled: bool,
}

impl Pending {
    /// Has something to say, should nothing better come in time.
    pub(super) fn offer(&self, reply: Reply) {
        let mut answer = lock(&self.answer);
        if !answer.is_settled {
            answer.reply = Some(reply);
            self.changed.notify_all();
        }
    }

    /// Gives the answer, unless it was given before; what was given.
    pub(super) fn settle(&self, reply: Reply) -> Reply {
        self.offer(reply);
        self.take(Reply::NoMove("".into()))
    }

    /// The best answer so far, or else `otherwise`, which is given by this.
    pub(super) fn take(&self, otherwise: Reply) -> Reply {
        let mut answer = lock(&self.answer);
        answer.is_settled = true;
        self.changed.notify_all();
        answer.reply.get_or_insert(otherwise).clone()
    }

    /// Waits for the answer until a time; whether it is given by then.
    pub(super) fn is_settled_by(&self, until: Instant) -> bool {
        let answer = lock(&self.answer);
        let time = until.saturating_duration_since(Instant::now());
        let waited = self.changed.wait_timeout_while(answer, time, |answer| !answer.is_settled);
        waited.unwrap_or_else(PoisonError::into_inner).0.is_settled
    }

    /// The first answer that there is, though a better one may come, or else `otherwise` when the time
    /// has come.
    pub(super) fn first_by(&self, until: Instant, otherwise: Reply) -> Reply {
        let answer = lock(&self.answer);
        let time = until.saturating_duration_since(Instant::now());
        let none = |answer: &mut Answer| answer.reply.is_none();
        drop(self.changed.wait_timeout_while(answer, time, none));
        self.take(otherwise)
    }

    pub(super) fn is_settled(&self) -> bool {
        lock(&self.answer).is_settled
    }
}
