//! The messages of managers and players (SPEC, section 8 and appendix B).
//!
//! A [`Message`] is an s-expression that a manager sends, a [`Reply`] is the text of the answer.
//! START, PLAY and STOP are those of SPEC; INFO, PREVIEW and ABORT are what managers send
//! besides. They are read as generously as players have to: keywords in upper or lower case, any
//! white space, more arguments of START than there should be. They are written as managers
//! write them.
//!
//! PLAY and STOP have two dialects. That of SPEC tells the joint move; that of games of
//! incomplete information (Thielscher, 2010) tells the turn, what the player itself did, and
//! what it sees.

use gdlr_engine::engine::{Engine, RoleId};
use gdlr_engine::play::sampler::Observation;
use gdlr_rules::gdl::{SymbolTable, Term};
use gdlr_text::kif::{self, Document, Expr, ExprKind};
use std::fmt;
use std::sync::Arc;

/// A message of a manager to a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// `(INFO)`: who are you, and are you free?
    Info,
    /// `(PREVIEW (RULES…) CLOCK)`: a game that will be played later.
    Preview {
        /// The rulesheet.
        rules: Arc<Document>,
        /// The time to look at it, in seconds.
        clock: u32,
    },
    /// `(START ID ROLE (RULES…) STARTCLOCK PLAYCLOCK)`: a match begins.
    Start {
        /// The name of the match, exactly as written.
        id: String,
        /// The role to play, on one line.
        role: String,
        /// The rulesheet.
        rules: Arc<Document>,
        /// The time to get ready, in seconds.
        start_clock: u32,
        /// The time for each move, in seconds.
        play_clock: u32,
    },
    /// `(PLAY ID LAST)`: choose a move.
    Play {
        /// The match.
        id: String,
        /// The step that led to the state to move in.
        last: Last,
    },
    /// `(STOP ID LAST)`: the match is over.
    Stop {
        /// The match.
        id: String,
        /// The step that led to the end.
        last: Last,
    },
    /// `(ABORT ID)`: the match is broken off.
    Abort {
        /// The match.
        id: String,
    },
}

/// How players are told of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// By the joint move (SPEC).
    JointMove,
    /// By the own move and percepts (GDL-II).
    Percepts,
}

/// The last step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Last {
    /// `NIL`: nothing, the match begins.
    Nothing,
    /// `(MOVE…)`: what each role played, in the order of the roles.
    Joint(Vec<Expr>),
    /// `TURN MOVE (PERCEPT…)`: what the player itself played, and what it sees.
    Own {
        /// The number of the turn, as the manager counts.
        turn: u64,
        /// The player's own move; nothing when the match begins.
        action: Option<Expr>,
        /// Its percepts.
        percepts: Vec<Expr>,
    },
}

/// Why a text is no message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MessageError {
    /// The text is no KIF, for the reason given.
    Unreadable(String),
    /// It is not one list that begins with a keyword.
    NoMessage,
    /// There is no such keyword.
    Unknown(String),
    /// The arguments are not those of this form.
    Malformed(&'static str),
}

impl fmt::Display for MessageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MessageError::Unreadable(why) => write!(f, "the message cannot be read: {why}"),
            MessageError::NoMessage => f.write_str("a message is one list, such as (INFO)"),
            MessageError::Unknown(keyword) => write!(
                f,
                "there is no message `{keyword}`; send INFO, PREVIEW, START, PLAY, STOP or ABORT"
            ),
            MessageError::Malformed(form) => write!(f, "the message should be {form}"),
        }
    }
}

impl std::error::Error for MessageError {}

const INFO: &str = "(INFO)";
const PREVIEW: &str = "(PREVIEW (RULES...) CLOCK)";
const START: &str = "(START ID ROLE (RULES...) STARTCLOCK PLAYCLOCK)";
const PLAY: &str = "(PLAY ID (MOVE...)) or (PLAY ID TURN MOVE (PERCEPT...))";
const STOP: &str = "(STOP ID (MOVE...)) or (STOP ID TURN MOVE (PERCEPT...))";
const ABORT: &str = "(ABORT ID)";

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
        let document = kif::read(text).map_err(|errors| {
            MessageError::Unreadable(errors.first().map(ToString::to_string).unwrap_or_default())
        })?;
        let mut items = document.items.into_iter();
        let (Some(message), None) = (items.next(), items.next()) else {
            return Err(MessageError::NoMessage);
        };
        let parts = match message.kind {
            ExprKind::List(parts) => parts,
            ExprKind::Atom(_) => vec![message],
        };
        let mut parts = parts.into_iter();
        let keyword = parts.next().ok_or(MessageError::NoMessage)?;
        let keyword = keyword.atom().ok_or(MessageError::NoMessage)?;
        let (message, form) = match keyword.to_ascii_uppercase().as_str() {
            "INFO" => (info(parts), INFO),
            "PREVIEW" => (preview(parts), PREVIEW),
            "START" => (start(parts), START),
            "PLAY" => (turn(parts).map(|(id, last)| Message::Play { id, last }), PLAY),
            "STOP" => (turn(parts).map(|(id, last)| Message::Stop { id, last }), STOP),
            "ABORT" => (abort(parts), ABORT),
            _ => return Err(MessageError::Unknown(keyword.to_owned())),
        };
        message.ok_or(MessageError::Malformed(form))
    }
}

/// The arguments of a message.
type Parts = std::vec::IntoIter<Expr>;

fn info(mut parts: Parts) -> Option<Message> {
    parts.next().is_none().then_some(Message::Info)
}

fn preview(mut parts: Parts) -> Option<Message> {
    let rules = rules(parts.next()?)?;
    let clock = number(&parts.next()?)?;
    Some(Message::Preview { rules, clock })
}

fn start(mut parts: Parts) -> Option<Message> {
    let id = name(&parts.next()?)?;
    let role = parts.next()?.to_string();
    let rules = rules(parts.next()?)?;
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

fn rules(expr: Expr) -> Option<Arc<Document>> {
    let items = list(expr)?;
    Some(Arc::new(Document { items, comments: Vec::new() }))
}

/// The items of a list; `NIL` has none.
fn list(expr: Expr) -> Option<Vec<Expr>> {
    match expr.kind {
        ExprKind::List(items) => Some(items),
        ExprKind::Atom(text) => text.eq_ignore_ascii_case("nil").then(Vec::new),
    }
}

/// A term as a message has it, in the names of `symbols`.
fn expr(term: &Term, symbols: &SymbolTable) -> Expr {
    read(&term.spelled(symbols))
}

/// Reads what was written of a game that was read.
fn read(text: &str) -> Expr {
    kif::read(text).expect("names of a game can be read again").items.swap_remove(0)
}

/// Whether it is `NIL` or `()`.
fn is_nil(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::List(items) => items.is_empty(),
        ExprKind::Atom(text) => text.eq_ignore_ascii_case("nil"),
    }
}

impl Last {
    /// The observation of a role of the last step, in the names of an engine's game; nothing when the
    /// match begins. `turn` is how many joint moves were played. A joint move is told in percepts
    /// as `(did ROLE MOVE)` of each role; percepts are never told as a joint move.
    pub fn of<E: Engine>(
        observation: Option<&Observation>,
        turn: u64,
        dialect: Dialect,
        role: RoleId,
        engine: &E,
    ) -> Last {
        let symbols = engine.symbols();
        match (observation, dialect) {
            (None, Dialect::JointMove) => Last::Nothing,
            (None, Dialect::Percepts) => Last::Own { turn, action: None, percepts: Vec::new() },
            (Some(Observation::Joint(moves)), Dialect::JointMove) => {
                Last::Joint(moves.iter().map(|term| expr(term, symbols)).collect())
            }
            (Some(Observation::Joint(moves)), Dialect::Percepts) => {
                let did = |(name, term): (&String, &Term)| {
                    read(&format!("(did {name} {})", term.spelled(symbols)))
                };
                let percepts = engine.roles().names().iter().zip(moves).map(did).collect();
                let own = moves.get(role.index());
                Last::Own { turn, action: own.map(|term| expr(term, symbols)), percepts }
            }
            (Some(Observation::Own { action, percepts }), _) => Last::Own {
                turn,
                action: Some(expr(action, symbols)),
                percepts: percepts.iter().map(|term| expr(term, symbols)).collect(),
            },
        }
    }
}

/// On one line, as managers write it.
impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Message::Info => f.write_str("(INFO)"),
            Message::Preview { rules, clock } => {
                f.write_str("(PREVIEW ")?;
                bracketed(f, &rules.items)?;
                write!(f, " {clock})")
            }
            Message::Start { id, role, rules, start_clock, play_clock } => {
                write!(f, "(START {id} {role} ")?;
                bracketed(f, &rules.items)?;
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

/// An answer of a player. READY and DONE are in capitals, as SPEC 8.4 writes them; the other
/// words are as players in use write them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// To START: the match may begin.
    Ready,
    /// To PLAY: a move, as the rules of START spell it.
    Move(String),
    /// To PLAY: there is no move, since what was played last cannot have been, or the match is
    /// over.
    NoMove,
    /// To STOP and PREVIEW.
    Done,
    /// The player does not play this match.
    Busy,
    /// To ABORT.
    Aborted,
    /// To INFO.
    Info {
        /// The name of the player.
        name: String,
        /// Whether another match may begin.
        available: bool,
    },
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Ready => f.write_str("READY"),
            Reply::Move(text) => f.write_str(text),
            Reply::NoMove => f.write_str("nil"),
            Reply::Done => f.write_str("DONE"),
            Reply::Busy => f.write_str("busy"),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::set_up::SetUp;
    use gdlr_rules::gdl::{Game, Reading};

    fn parse(text: &str) -> Message {
        Message::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    /// The message as it is written again.
    fn again(text: &str) -> String {
        let message = parse(text);
        let written = message.to_string();
        assert_eq!(parse(&written).to_string(), written);
        written
    }

    /// Appendix B of SPEC.
    const MAZE: &str = "(START MATCH.3316980891 ROBOT
((ROLE ROBOT) (INIT (CELL A)) (INIT (GOLD C)) (INIT (STEP 1))
(<= (NEXT (CELL ?Y)) (DOES ROBOT MOVE) (TRUE (CELL ?X))
(ADJACENT ?X ?Y)) (<= (NEXT (CELL ?X)) (DOES ROBOT GRAB)
(TRUE (CELL ?X))) (<= (NEXT (CELL ?X)) (DOES ROBOT DROP)
(TRUE (CELL ?X))) (ADJACENT A B) (ADJACENT B C) (ADJACENT C D)
(ADJACENT D A) (<= (LEGAL ROBOT MOVE)) (<= (LEGAL ROBOT GRAB)
(TRUE (CELL ?X)) (TRUE (GOLD ?X))) (<= TERMINAL (TRUE (GOLD A))))
30 20)";

    #[test]
    fn the_messages_of_appendix_b() {
        let Message::Start { id, role, rules, start_clock, play_clock } = parse(MAZE) else {
            panic!("no START");
        };
        assert_eq!((&*id, &*role), ("MATCH.3316980891", "ROBOT"));
        assert_eq!((start_clock, play_clock), (30, 20));
        let game = Game::from_document("maze", rules, Reading::default()).expect("a rulesheet");
        assert_eq!((game.rules.len(), game.roles.len()), (14, 1));

        let nothing = Message::Play { id: id.clone(), last: Last::Nothing };
        assert_eq!(parse("(PLAY MATCH.3316980891 NIL)"), nothing);
        assert_eq!(again("(PLAY MATCH.3316980891 (MOVE))"), "(PLAY MATCH.3316980891 (MOVE))");
        let text = "(PLAY MATCH.3316980892 ((MARK 2 2) NOOP))";
        assert_eq!(again(text), text);
        let Message::Play { last: Last::Joint(moves), .. } = parse(text) else {
            panic!("no joint move");
        };
        assert_eq!(moves[0].to_string(), "(MARK 2 2)");
        assert_eq!(again("(STOP MATCH.3316980891 (DROP))"), "(STOP MATCH.3316980891 (DROP))");
    }

    #[test]
    fn case_and_spacing_are_free() {
        for text in ["(INFO)", "( info )", " (Info ; who\n)\r\n", "info"] {
            assert_eq!(parse(text), Message::Info);
        }
        for text in ["(play M NIL)", "(PLAY M nil )", "(pLaY\tM\n())"] {
            assert_eq!(parse(text), Message::Play { id: "M".into(), last: Last::Nothing });
        }
        assert_eq!(
            again("( START m white\n( ( role white )( role black ) ) 30 10 )"),
            "(START m white ((role white) (role black)) 30 10)"
        );
        assert_eq!(again("(preview ((role a)) 7)"), "(PREVIEW ((role a)) 7)");
        assert_eq!(again("( abort m )"), "(ABORT m)");
        // Managers may add arguments.
        assert_eq!(again("(start m a ((role a)) 3 4 5 x)"), "(START m a ((role a)) 3 4)");
    }

    #[test]
    fn ids_are_any_symbol() {
        for id in ["Base.ttt.1400000000", "m/1", "@x", "\"m\"", "é|{}", "?m", "nil", "12", "<=>"] {
            assert_eq!(parse(&format!("(abort {id})")), Message::Abort { id: id.to_owned() });
        }
    }

    #[test]
    fn the_dialect_of_incomplete_information() {
        let Message::Play { last, .. } = parse("(PLAY m 3 (bet 1) ((card a) NIL))") else {
            panic!("no PLAY");
        };
        assert_eq!(last.to_string(), "3 (bet 1) ((card a) NIL)");
        assert!(matches!(last, Last::Own { turn: 3, action: Some(_), .. }));
        let none = Last::Own { turn: 0, action: None, percepts: Vec::new() };
        for text in ["(play m 0 NIL NIL)", "(play m 0 nil ())", "(play m 0 () nil)"] {
            assert_eq!(parse(text), Message::Play { id: "m".into(), last: none.clone() });
        }
        assert_eq!(again("(stop m 4 noop nil)"), "(STOP m 4 noop ())");
    }

    #[test]
    fn a_long_line_is_read_at_once() {
        let rules: String = (0..30_000).map(|n| format!("(succ {n} {})", n + 1)).collect();
        let text = format!("(START m a ((role a){rules}) 30 10)");
        assert!(text.len() > 500_000);
        let Message::Start { rules, .. } = parse(&text) else { panic!("no START") };
        assert_eq!(rules.items.len(), 30_001);
    }

    #[test]
    fn what_is_no_message_is_refused() {
        let error = |text: &str| Message::parse(text).expect_err(text);
        for text in ["", "()", "(INFO) (INFO)", "((PLAY) m nil)", "; nothing"] {
            assert_eq!(error(text), MessageError::NoMessage);
        }
        assert!(matches!(error("(PLAY m (a)"), MessageError::Unreadable(_)));
        assert!(matches!(error(&"(".repeat(100_000)), MessageError::Unreadable(_)));
        assert_eq!(error("(QUIT m)"), MessageError::Unknown("QUIT".into()));
        assert_eq!(error("(INFO x)"), MessageError::Malformed(INFO));
        assert_eq!(error("(PREVIEW ((role a)))"), MessageError::Malformed(PREVIEW));
        for text in [
            "(START m a)",
            "(START m a rules 1 2)",
            "(START (m) a () 1 2)",
            "(START m a ((role a)) 1)",
            "(START m a ((role a)) one 2)",
            "(START m a ((role a)) -1 2)",
            "(START m a ((role a)) 1 99999999999999999999)",
        ] {
            assert_eq!(error(text), MessageError::Malformed(START));
        }
        for text in ["(PLAY)", "(PLAY m)", "(PLAY (m) nil)", "(PLAY m a)", "(PLAY m x a ())"] {
            assert_eq!(error(text), MessageError::Malformed(PLAY));
        }
        for text in ["(STOP m 1 a)", "(STOP m 1 a b)", "(STOP m 1 a () ())"] {
            assert_eq!(error(text), MessageError::Malformed(STOP));
        }
        assert_eq!(error("(ABORT)"), MessageError::Malformed(ABORT));
        assert!(error("(ABORT)").to_string().ends_with("should be (ABORT ID)"));
    }

    #[test]
    fn moves_are_told_as_the_rules_spell_them() {
        let rules = "(role Robot) (role Ann) (legal Robot (Mark 1 B)) (legal Ann Wait)";
        let game = Arc::new(Game::from_kif("g", rules).expect("rules"));
        let engine = SetUp::default().make(game).expect("an engine").engine;
        let text = |observation: Option<&Observation>, dialect| {
            Last::of(observation, 3, dialect, RoleId(1), &engine).to_string()
        };
        let term = |text: &str| {
            let expr = kif::read(text).expect("KIF").items.remove(0);
            Term::from_expr(&expr, engine.symbols()).expect("known names")
        };
        let (mark, wait) = (term("(MARK 1 b)"), term("wait"));
        let joint = Observation::Joint(vec![mark.clone(), wait.clone()]);
        assert_eq!(text(Some(&joint), Dialect::JointMove), "((Mark 1 B) Wait)");
        let did = "3 Wait ((did Robot (Mark 1 B)) (did Ann Wait))";
        assert_eq!(text(Some(&joint), Dialect::Percepts), did);
        assert_eq!(text(None, Dialect::JointMove), "NIL");
        assert_eq!(text(None, Dialect::Percepts), "3 NIL ()");
        let own = Observation::Own { action: wait, percepts: vec![mark.clone(), mark] };
        // There is no joint move to tell.
        for dialect in [Dialect::Percepts, Dialect::JointMove] {
            assert_eq!(text(Some(&own), dialect), "3 Wait ((Mark 1 B) (Mark 1 B))");
        }
    }

    #[test]
    fn replies() {
        let info = |available| Reply::Info { name: "my player".into(), available }.to_string();
        assert_eq!(info(true), "((name my-player) (status available))");
        assert_eq!(info(false), "((name my-player) (status busy))");
        let replies = [Reply::Ready, Reply::NoMove, Reply::Done, Reply::Busy, Reply::Aborted]
            .map(|r| r.to_string());
        assert_eq!(replies, ["READY", "nil", "DONE", "busy", "aborted"]);
        assert_eq!(Reply::Move("(Mark 1 B)".into()).to_string(), "(Mark 1 B)");
    }
}
