//! A match in the XML of public archives.
//!
//! The names are those that `ggp-org/ggp-base` gives them. A `match` has, in this order:
//!
//! | element | what it says |
//! |---|---|
//! | `matchId`, `startTime`, `startClock`, `playClock` | milliseconds since 1970; seconds |
//! | `isCompleted`, `isAborted` | whether it ended in a terminal state, or was broken off |
//! | `game`, `role` | the game; a `role` for each, in order (ggp-base leaves both to its repository) |
//! | `playerNamesFromHost`, `goalValues` | one for each role, in order; goals if all have one |
//! | `history` | a `move` for each step, with an `action` for each role |
//! | `herstory` | a `state` for each state, the initial one first, with its `fact`s |
//! | `errorHistory` | `errors` for START, then for each step, with an `error` for each role |
//!
//! A constant is its name; a compound term is a `relation`, its name, and its `argument`s. An
//! `error` is empty, or `TO` (too late), `CE` (the connection failed, or the player), or `IL` and
//! the answer (illegal, or no answer of that kind).

use super::record::{Fault, FaultKind, Record, Request};
use gdlr_text::kif::{self, Expr, ExprKind};
use quick_xml::Writer;
use quick_xml::events::BytesText;
use std::io;
use std::time::SystemTime;

type Xml = Writer<Vec<u8>>;

/// The text of a match, with a line's end behind it.
pub fn to_xml(record: &Record) -> String {
    let mut xml = Writer::new_with_indent(Vec::new(), b' ', 1);
    element(&mut xml, "match", |xml| of_match(xml, record)).expect("memory takes every byte");
    let mut text = String::from_utf8_lossy(&xml.into_inner()).into_owned();
    text.push('\n');
    text
}

fn of_match(xml: &mut Xml, record: &Record) -> io::Result<()> {
    let began = record.began.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    leaf(xml, "matchId", &record.id)?;
    leaf(xml, "startTime", &began.as_millis().to_string())?;
    leaf(xml, "startClock", &record.start_clock.as_secs_f64().to_string())?;
    leaf(xml, "playClock", &record.play_clock.as_secs_f64().to_string())?;
    leaf(xml, "isCompleted", &record.playout.terminal.to_string())?;
    leaf(xml, "isAborted", &(!record.playout.terminal).to_string())?;
    leaf(xml, "game", &record.game)?;
    each(xml, &record.roles, |xml, role| leaf(xml, "role", role))?;
    each(xml, &record.players, |xml, player| leaf(xml, "playerNamesFromHost", &player.name))?;
    if let Some(goals) = record.goals.iter().copied().collect::<Option<Vec<u8>>>() {
        each(xml, &goals, |xml, goal| leaf(xml, "goalValues", &goal.to_string()))?;
    }
    let joints: Vec<_> =
        record.playout.steps.iter().filter_map(|step| step.joint.as_ref()).collect();
    element(xml, "history", |xml| {
        each(xml, &joints, |xml, joint| {
            let action = |xml: &mut Xml, action: &String| in_words(xml, "action", action);
            element(xml, "move", |xml| each(xml, joint, action))
        })
    })?;
    element(xml, "herstory", |xml| {
        each(xml, &record.states, |xml, facts| {
            let fact = |xml: &mut Xml, fact: &String| in_words(xml, "fact", fact);
            element(xml, "state", |xml| each(xml, facts, fact))
        })
    })?;
    element(xml, "errorHistory", |xml| {
        let steps = (0..record.playout.length as u64).map(|step| (Request::Play, step));
        [(Request::Start, 0)].into_iter().chain(steps).try_for_each(|asked| {
            element(xml, "errors", |xml| {
                (0..record.roles.len())
                    .try_for_each(|role| leaf(xml, "error", &error(record, asked, role)))
            })
        })
    })
}

/// The fault of an answer, or nothing.
fn error(record: &Record, asked: (Request, u64), role: usize) -> String {
    let is_here =
        |fault: &&Fault| ((fault.request, fault.step), fault.role.index()) == (asked, role);
    let Some(fault) = record.faults.iter().find(is_here) else { return String::new() };
    match fault.kind {
        FaultKind::Late => "TO".to_owned(),
        FaultKind::Unreachable
        | FaultKind::Closed
        | FaultKind::TooLarge
        | FaultKind::Transport
        | FaultKind::Failed => "CE".to_owned(),
        FaultKind::Unreadable | FaultKind::Unexpected | FaultKind::Busy | FaultKind::Illegal => {
            format!("IL {}", fault.sent.as_deref().unwrap_or_default()).trim_end().to_owned()
        }
    }
}

/// An element with a term, given in KIF.
fn in_words(xml: &mut Xml, name: &str, text: &str) -> io::Result<()> {
    match kif::read(text).map(|document| <[Expr; 1]>::try_from(document.items)) {
        Ok(Ok([expr])) => term(xml, name, &expr),
        _ => leaf(xml, name, text),
    }
}

/// An element with a term. It nests no deeper than the reader allows.
fn term(xml: &mut Xml, name: &str, expr: &Expr) -> io::Result<()> {
    match &expr.kind {
        ExprKind::Atom(text) => leaf(xml, name, text),
        ExprKind::List(items) => element(xml, name, |xml| {
            let Some((relation, arguments)) = items.split_first() else { return Ok(()) };
            term(xml, "relation", relation)?;
            each(xml, arguments, |xml, argument| term(xml, "argument", argument))
        }),
    }
}

fn element(
    xml: &mut Xml,
    name: &str,
    content: impl FnOnce(&mut Xml) -> io::Result<()>,
) -> io::Result<()> {
    xml.create_element(name).write_inner_content(content).map(|_| ())
}

/// An element with a text. What XML has no place for, such as control characters, is marked.
fn leaf(xml: &mut Xml, name: &str, text: &str) -> io::Result<()> {
    let is_allowed = |c: char| !matches!(c, '\0'..='\x08' | '\x0b' | '\x0c' | '\x0e'..='\x1f' | '\u{fffe}' | '\u{ffff}');
    let text: String = text.chars().map(|c| if is_allowed(c) { c } else { '\u{fffd}' }).collect();
    xml.create_element(name).write_text_content(BytesText::new(&text)).map(|_| ())
}

fn each<T>(
    xml: &mut Xml,
    items: &[T],
    mut write: impl FnMut(&mut Xml, &T) -> io::Result<()>,
) -> io::Result<()> {
    items.iter().try_for_each(|item| write(xml, item))
}
