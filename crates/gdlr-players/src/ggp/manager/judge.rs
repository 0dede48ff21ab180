//! Judging answers: whether they were there in time, whether they can be read, whether they are
//! legal, in this order; and writing down those that do not count.

use super::ask::Reply;
use super::event::Event;
use super::running::{Line, Match};
use crate::ggp::contender::{Answer, NoAnswer};
use crate::ggp::record::{Fault, FaultKind, Request};
use gdlr_engine::engine::{Engine, MoveId, RoleId};
use gdlr_rules::gdl::Term;
use gdlr_text::diagnostic::Diagnostic;
use gdlr_text::kif::{self, Expr};

/// The most characters of an answer that are kept in a record.
const KEPT: usize = 1000;

impl Match<'_> {
    /// The legal move that a text writes.
    pub(super) fn judge(
        &self,
        role: RoleId,
        legal: &[MoveId],
        text: Vec<u8>,
    ) -> Result<MoveId, NoAnswer> {
        let (kind, detail) = match only_expr(&text) {
            Err(why) => (FaultKind::Unreadable, why),
            Ok(expr) => {
                let term = Term::from_expr(&expr, self.engine.symbols());
                match term.and_then(|term| self.engine.move_id(role, &term)) {
                    Some(id) if legal.contains(&id) => return Ok(id),
                    Some(_) => (FaultKind::Illegal, "the move is not legal here".to_owned()),
                    None => (FaultKind::Illegal, "the role has no such move".to_owned()),
                }
            }
        };
        Err(NoAnswer { kind, detail, sent: text })
    }

    /// Looks whether players said one of the words that they should.
    pub(super) fn expect_word(
        &mut self,
        request: Request,
        words: &[&str],
        answers: Vec<Option<Reply>>,
    ) {
        for (role, asked) in self.engine.roles().iter().zip(answers) {
            let Some(asked) = asked else { continue };
            let judged = asked.on_time().and_then(|text| {
                let said = only_expr(&text).ok();
                let said = said.as_ref().and_then(Expr::atom).unwrap_or_default();
                if words.iter().any(|word| said.eq_ignore_ascii_case(word)) {
                    return Ok(());
                }
                if request == Request::Start && said.eq_ignore_ascii_case("busy") {
                    let detail = "the player does not play this match".to_owned();
                    return Err(NoAnswer { kind: FaultKind::Busy, detail, sent: text });
                }
                let detail = format!("the answer is not {}", words[0]);
                Err(NoAnswer { kind: FaultKind::Unexpected, detail, sent: text })
            });
            if let Err(why) = judged {
                self.fault(request, role, why, None);
            }
        }
    }

    /// Writes a fault down, and gives a player up who has too many, or does not play the match.
    pub(super) fn fault(
        &mut self,
        request: Request,
        role: RoleId,
        why: NoAnswer,
        played: Option<String>,
    ) {
        let NoAnswer { kind, detail, sent } = why;
        let fault =
            Fault { step: self.steps(), request, role, kind, detail, sent: kept(&sent), played };
        (self.tell)(&Event::Fault(&fault));
        if kind == FaultKind::Late {
            self.missed.push((self.inquiry, role, self.record.faults.len()));
        }
        self.record.faults.push(fault);
        let step = self.steps();
        let player = &mut self.record.players[role.index()];
        player.errors += 1;
        self.errors[role.index()] += 1;
        let is_busy = kind == FaultKind::Busy;
        if is_busy {
            // Also the end of this match is nothing to it: it may take that for the end of another.
            self.lines[role.index()] = Line::Manager;
        }
        if (is_busy || self.errors[role.index()] >= self.conditions.max_errors)
            && player.given_up.is_none()
        {
            player.given_up = Some(step);
            (self.tell)(&Event::GivenUp(role));
            if kind == FaultKind::Unreachable {
                self.look_out_for(role);
            }
        }
    }

    /// Adds what was sent to the fault of an answer that comes too late.
    pub(super) fn note_late(&mut self, answer: Answer) {
        let which = (answer.inquiry, answer.role);
        let fault = self.missed.iter().find(|&&(inquiry, role, _)| (inquiry, role) == which);
        if let Some(&(.., place)) = fault {
            let sent = answer.sent.unwrap_or_else(|why| why.sent);
            self.record.faults[place].sent = kept(&sent);
        }
    }
}

/// The one expression that an answer consists of, or what is wrong with it.
fn only_expr(text: &[u8]) -> Result<Expr, String> {
    let document = kif::read_bytes(text).map_err(|errors| {
        errors.first().map_or_else(String::new, |error: &Diagnostic| error.message.clone())
    })?;
    match <[Expr; 1]>::try_from(document.items) {
        Ok([only]) => Ok(only),
        Err(items) => Err(format!("{} expressions and not one", items.len())),
    }
}

/// As much of an answer as is kept.
fn kept(sent: &[u8]) -> Option<String> {
    // No character has more than four bytes.
    let text = String::from_utf8_lossy(&sent[..sent.len().min(4 * KEPT)]);
    let mut kept: String = text.chars().take(KEPT).collect();
    if kept.len() < sent.len() {
        kept.push('…');
    }
    (!sent.is_empty()).then_some(kept)
}
