//! Messages and replies as s-expressions (SPEC, section 8 and appendix B).
//!
//! They are read as generously as players have to: keywords in upper or lower case, any white space,
//! more arguments of START than there should be. They are written as managers and players write
//! them.

use super::{Last, Message, MessageError, Reply, Rules, first_of};
use gdlr_text::kif::{self, Document, Expr, ExprKind};
use std::fmt;
use std::sync::Arc;

const LIST: &str = "one list, such as (INFO)";
const KEYWORDS: &str = "INFO, PREVIEW, START, PLAY, STOP or ABORT";
pub(super) const INFO: &str = "(INFO)";
pub(super) const PREVIEW: &str = "(PREVIEW (RULES...) CLOCK)";
pub(super) const START: &str = "(START ID ROLE (RULES...) STARTCLOCK PLAYCLOCK)";
pub(super) const PLAY: &str = "(PLAY ID (MOVE...)) or (PLAY ID TURN MOVE (PERCEPT...))";
pub(super) const STOP: &str = "(STOP ID (MOVE...)) or (STOP ID TURN MOVE (PERCEPT...))";
pub(super) const ABORT: &str = "(ABORT ID)";

impl Message {
    /// Reads a message.
    ///
    /// ```
    /// # mod gdlr { pub use gdlr_players::ggp; }
    /// use gdlr::ggp::message::{Last, Message};
    ///
    /// let message = Message::parse("( play MATCH.3316980891\n nil )").unwrap();
    /// assert_eq!(message, Message::Play { id: "MATCH.3316980891".into(), last: Last::Nothing });
    /// assert_eq!(message.to_string(), "(PLAY MATCH.3316980891 NIL)");
    /// ```
    ///
    /// # Errors
    ///
    /// When the text is no KIF, or none of the messages.
    pub fn parse(text: &str) -> Result<Message, MessageError> {
        let document =
            kif::read(text).map_err(|errors| MessageError::Unreadable(first_of(&errors, text)))?;
        let mut items = document.items.into_iter();
        let (Some(message), None) = (items.next(), items.next()) else {
            return Err(MessageError::NoMessage(LIST));
        };
        let parts = match message.kind {
            ExprKind::List(parts) => parts,
            ExprKind::Atom(_) => vec![message],
        };
        let mut parts = parts.into_iter();
        let keyword = parts.next().ok_or(MessageError::NoMessage(LIST))?;
        let keyword = keyword.atom().ok_or(MessageError::NoMessage(LIST))?;
        let (message, form) = match keyword.to_ascii_uppercase().as_str() {
            "INFO" => (info(parts), INFO),
            "PREVIEW" => (preview(parts, text), PREVIEW),
            "START" => (start(parts, text), START),
            "PLAY" => (turn(parts).map(|(id, last)| Message::Play { id, last }), PLAY),
            "STOP" => (turn(parts).map(|(id, last)| Message::Stop { id, last }), STOP),
            "ABORT" => (abort(parts), ABORT),
            _ => return Err(MessageError::Unknown(keyword.to_owned(), KEYWORDS)),
        };
        message.ok_or(MessageError::Malformed(form))
    }
}

/// The arguments of a message.
type Parts = std::vec::IntoIter<Expr>;

fn info(mut parts: Parts) -> Option<Message> {
    parts.next().is_none().then_some(Message::Info)
}

fn preview(mut parts: Parts, text: &str) -> Option<Message> {
    let rules = rules(parts.next()?, text)?;
    let clock = number(&parts.next()?)?;
    Some(Message::Preview { rules, clock })
}

fn start(mut parts: Parts, text: &str) -> Option<Message> {
    let id = name(&parts.next()?)?;
    let role = parts.next()?.to_string();
    let rules = rules(parts.next()?, text)?;
    let start_clock = number(&parts.next()?)?;
    let play_clock = number(&parts.next()?)?;
    Some(Message::Start { id, role, rules, start_clock, play_clock })
}

/// The match and what was played last.
fn turn(mut parts: Parts) -> Option<(String, Last)> {
    let id = name(&parts.next()?)?;
    let first = parts.next()?;
    let last = match parts.next() {
        None => match list(first)? {
            moves if moves.is_empty() => Last::Nothing,
            moves => Last::Joint(moves),
        },
        Some(action) => Last::Own {
            turn: number(&first)?,
            action: Some(action).filter(|action| !is_nil(action)),
            percepts: list(parts.next()?)?,
        },
    };
    parts.next().is_none().then_some((id, last))
}

fn abort(mut parts: Parts) -> Option<Message> {
    let id = name(&parts.next()?)?;
    parts.next().is_none().then_some(Message::Abort { id })
}

fn name(expr: &Expr) -> Option<String> {
    expr.atom().map(str::to_owned)
}

fn number<N: std::str::FromStr>(expr: &Expr) -> Option<N> {
    expr.atom()?.parse().ok()
}

fn rules(expr: Expr, text: &str) -> Option<Rules> {
    let document = Arc::new(Document { items: list(expr)?, comments: Vec::new() });
    Some(Rules { document, text: text.into() })
}

/// The items of a list; `NIL` has none.
fn list(expr: Expr) -> Option<Vec<Expr>> {
    match expr.kind {
        ExprKind::List(items) => Some(items),
        ExprKind::Atom(text) => text.eq_ignore_ascii_case("nil").then(Vec::new),
    }
}

/// Whether it is `NIL` or `()`.
fn is_nil(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::List(items) => items.is_empty(),
        ExprKind::Atom(text) => text.eq_ignore_ascii_case("nil"),
    }
}

/// On one line, as managers write it.
impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Message::Info => f.write_str("(INFO)"),
            Message::Preview { rules, clock } => {
                f.write_str("(PREVIEW ")?;
                bracketed(f, &rules.document.items)?;
                write!(f, " {clock})")
            }
            Message::Start { id, role, rules, start_clock, play_clock } => {
                write!(f, "(START {id} {role} ")?;
                bracketed(f, &rules.document.items)?;
                write!(f, " {start_clock} {play_clock})")
            }
            Message::Play { id, last } => write!(f, "(PLAY {id} {last})"),
            Message::Stop { id, last } => write!(f, "(STOP {id} {last})"),
            Message::Abort { id } => write!(f, "(ABORT {id})"),
        }
    }
}

impl fmt::Display for Last {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Last::Nothing => f.write_str("NIL"),
            Last::Joint(moves) => bracketed(f, moves),
            Last::One { message, action } => write!(f, "{message} {action}"),
            Last::Own { turn, action, percepts } => {
                match action {
                    Some(action) => write!(f, "{turn} {action} ")?,
                    None => write!(f, "{turn} NIL ")?,
                }
                bracketed(f, percepts)
            }
        }
    }
}

fn bracketed(f: &mut fmt::Formatter<'_>, items: &[Expr]) -> fmt::Result {
    f.write_str("(")?;
    for (index, item) in items.iter().enumerate() {
        write!(f, "{}{item}", if index > 0 { " " } else { "" })?;
    }
    f.write_str(")")
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Ready => f.write_str("READY"),
            Reply::Move(text) | Reply::Idle(text) => f.write_str(text),
            Reply::NoMove(_) => f.write_str("nil"),
            Reply::Done => f.write_str("DONE"),
            Reply::Busy(_) => f.write_str("busy"),
            Reply::Aborted => f.write_str("aborted"),
            Reply::Info { name, available } => {
                // Managers read it as two pairs of atoms.
                let ends = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | ';');
                let name = name.replace(ends, "-");
                let status = if *available { "available" } else { "busy" };
                write!(f, "((name {name}) (status {status}))")
            }
        }
    }
}
