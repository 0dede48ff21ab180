//! A state as text: its facts in KIF, and where a text is wrong about them.

use super::contract::Engine;
use super::error::FactError;
use gdlr_rules::gdl::{Symbol, SymbolTable, Term};
use gdlr_text::diagnostic::{Code, Diagnostic, Span};
use gdlr_text::kif::{self, Expr};
use std::fmt;
use std::str::FromStr;

/// A state as its facts, each in KIF, sorted, each once: to be shown, stored and sent.
///
/// Any engine of the game can enter it, in another process, too. Printed and read as one fact a
/// line; with the feature `serde` a list of strings.
///
/// ```
/// # mod gdlr { pub use gdlr_engine::engine; pub use gdlr_rules::gdl; pub use gdlr_tree as tree; }
/// use gdlr::engine::{Engine, Position};
/// # use gdlr::{gdl::Game, tree::{Tree, TreeOptions}};
/// # let rules = include_str!("../../../../kif/nim.kif");
/// # let game = Game::from_kif("nim", rules).unwrap();
/// let engine = Tree::new(game, &TreeOptions::default()).unwrap();
/// let text = Position::of(&engine, engine.initial()).to_string();
///
/// let mut scratch = engine.scratch();
/// let position: Position = text.parse().unwrap();
/// position.enter(&engine, &mut scratch).unwrap();
/// assert_eq!(engine.state(&scratch), *engine.initial());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "Vec<String>", into = "Vec<String>"))]
pub struct Position {
    facts: Vec<String>,
}

/// Why a position is no state of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PositionError {
    /// This fact is no term, or not one in names of the game.
    Unreadable(String),
    /// The facts are no state.
    Facts(FactError),
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PositionError::Unreadable(fact) => write!(f, "`{fact}` is no fact of the game"),
            PositionError::Facts(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for PositionError {}

impl Position {
    /// A state of an engine.
    pub fn of<E: Engine + ?Sized>(engine: &E, state: &E::State) -> Position {
        let symbols = engine.symbols();
        Position::from(
            engine.facts(state).iter().map(|fact| fact.spelled(symbols)).collect::<Vec<_>>(),
        )
    }

    /// The facts, sorted.
    pub fn facts(&self) -> &[String] {
        &self.facts
    }

    /// Makes a scratch speak of this state.
    ///
    /// # Errors
    ///
    /// When that is no state of the engine; the scratch then still speaks of its own.
    pub fn enter<E: Engine + ?Sized>(
        &self,
        engine: &E,
        scratch: &mut E::Scratch,
    ) -> Result<(), PositionError> {
        let term = |fact: &String| {
            let read = kif::read(fact).ok().and_then(|document| match &document.items[..] {
                [only] => Term::from_expr(only, engine.symbols()),
                _ => None,
            });
            read.ok_or_else(|| PositionError::Unreadable(fact.clone()))
        };
        let facts = self.facts.iter().map(term).collect::<Result<Vec<Term>, _>>()?;
        engine.enter_facts(scratch, &facts).map_err(PositionError::Facts)
    }
}

impl From<Vec<String>> for Position {
    fn from(mut facts: Vec<String>) -> Position {
        facts.sort_unstable();
        facts.dedup();
        Position { facts }
    }
}

impl From<Position> for Vec<String> {
    fn from(position: Position) -> Vec<String> {
        position.facts
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.facts.iter().try_for_each(|fact| writeln!(f, "{fact}"))
    }
}

/// Reads facts in KIF, laid out in any way, in any order.
impl FromStr for Position {
    type Err = Vec<Diagnostic>;

    fn from_str(text: &str) -> Result<Position, Vec<Diagnostic>> {
        let document = kif::read(text)?;
        Ok(Position::from(document.items.iter().map(ToString::to_string).collect::<Vec<_>>()))
    }
}

/// Makes a scratch speak of the state with the facts that are written in a text, each as it is
/// or as `(true FACT)`.
///
/// ```
/// # mod gdlr {
/// #     pub use gdlr_engine::engine;
/// #     pub use gdlr_rules::gdl;
/// #     pub use gdlr_text::kif;
/// #     pub use gdlr_tree as tree;
/// # }
/// use gdlr::engine::{Engine, enter_written};
/// # use gdlr::{gdl::Game, kif, tree::{Tree, TreeOptions}};
/// # let rules = include_str!("../../../../kif/nim.kif");
/// # let game = Game::from_kif("nim", rules).unwrap();
/// let engine = Tree::new(game, &TreeOptions::default()).unwrap();
/// let mut scratch = engine.scratch();
/// let text = "(true (heap a 3))\n(heaps b 3)";
/// let facts = kif::read(text).unwrap().items;
/// let error = enter_written(&engine, &mut scratch, &facts).unwrap_err();
/// assert_eq!(error.span.locate(text).to_string(), "2:2");
/// assert_eq!(error.message, "the game has no name `heaps`");
/// ```
///
/// # Errors
///
/// The defect, with its place in the text. The scratch then still speaks of its own state.
pub fn enter_written<E: Engine + ?Sized>(
    engine: &E,
    scratch: &mut E::Scratch,
    facts: &[Expr],
) -> Result<(), Diagnostic> {
    let symbols = engine.symbols();
    let facts: Vec<&Expr> = facts.iter().map(|expr| without_true(expr, symbols)).collect();
    let terms = facts.iter().map(|fact| written_term(fact, symbols, Code::NotAFact));
    let terms = terms.collect::<Result<Vec<Term>, _>>()?;
    let place = |term: &Term| {
        let place = terms.iter().position(|other| other == term);
        place.map(|place| facts[place].span)
    };
    let all = facts.first().zip(facts.last());
    let all =
        all.map_or(Span::default(), |(first, last)| Span { end: last.span.end, ..first.span });
    engine.enter_facts(scratch, &terms).map_err(|error| match &error {
        FactError::Unknown(term) => {
            let span = place(term).unwrap_or(all);
            Diagnostic::new(Code::NotAFact, span, "this fact is never true in the game")
                .with_help("look at its name, and at how many arguments it has")
        }
        FactError::Unreachable(term) => {
            let span = term.as_ref().and_then(place);
            let message = match (term, span) {
                (Some(_), Some(_)) => "this fact is never true together with the others".to_owned(),
                (Some(term), None) => {
                    format!("where these facts are true, `{}` is, too", term.spelled(symbols))
                }
                (None, _) => "these facts are never true together in the game".to_owned(),
            };
            Diagnostic::new(Code::NotAState, span.unwrap_or(all), message).with_help(
                "play comes to no such state; the engine `tree` can enter it all the same",
            )
        }
    })
}

/// The fact of `(true FACT)`; any other expression is a fact itself.
fn without_true<'e>(expr: &'e Expr, symbols: &SymbolTable) -> &'e Expr {
    match expr.list() {
        Some([keyword, fact])
            if keyword.atom().and_then(|text| symbols.get(text)) == Some(Symbol::TRUE) =>
        {
            fact
        }
        _ => expr,
    }
}

/// The ground term that an expression writes in names of a game; `code` is for what is none.
///
/// # Errors
///
/// The defect, with its place in the text.
pub fn written_term(expr: &Expr, symbols: &SymbolTable, code: Code) -> Result<Term, Diagnostic> {
    Term::from_expr(expr, symbols).ok_or_else(|| not_a_term(expr, symbols, code))
}

/// The defect of an expression that is no ground term in names of the game.
fn not_a_term(expr: &Expr, symbols: &SymbolTable, code: Code) -> Diagnostic {
    let error = |expr: &Expr, message: String| Diagnostic::new(code, expr.span, message);
    match (expr.atom(), expr.list()) {
        (Some(text), _) if text.starts_with('?') => {
            error(expr, format!("a variable, `{text}`, where a name should stand"))
        }
        (Some(text), _) => error(expr, format!("the game has no name `{text}`")),
        (None, Some([function, ..])) if function.atom().is_none() => {
            error(function, "the name of a function should stand here".to_owned())
        }
        (None, items) => {
            let mut items = items.unwrap_or_default().iter();
            match items.find(|item| Term::from_expr(item, symbols).is_none()) {
                Some(item) => not_a_term(item, symbols, code),
                None => error(expr, "a pair of brackets with nothing in it".to_owned()),
            }
        }
    }
}
