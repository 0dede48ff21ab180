//! Test positions: states of a game in which it is known which moves are good.
//!
//! They measure players without opponents. A text of them is in KIF, one after another:
//!
//! ```lisp
//! (position fork                           ; a name
//!   (facts (turn noughts) (signed 1 1 crosses))
//!   (role noughts)                         ; needed only where several roles have a choice
//!   (good (sign 2 2)))
//!
//! (position opening
//!   (moves ((sign 1 1) wait))              ; joint moves from the initial state
//!   (bad (sign 1 2) (sign 2 1)))
//! ```
//!
//! A position stands in the initial state if it has neither `facts` nor `moves`. It has either
//! the `good` moves of its role, or the `bad` ones, and then all others are good.
//!
//! Players are shown the state. Where rules for `sees` hide it (GDL-II) there are no test positions.

use crate::engine::{Engine, MoveId, RoleId, StepError, WorkLimit, enter_written, written_term};
use gdlr_rules::gdl::Term;
use gdlr_text::diagnostic::{Code, Diagnostic, Span};
use gdlr_text::kif::{Document, Expr};

/// A state with the good moves of a role. Moves are numbered by the engine that it was read for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestPosition<S> {
    /// Its name.
    pub name: String,
    /// The state, which is not terminal.
    pub state: S,
    /// How many joint moves led there from the initial state, as far as they are known.
    pub step: u64,
    /// The last of them; nothing if there was none.
    pub last: Vec<Term>,
    /// Who is to move.
    pub role: RoleId,
    /// The legal moves of that role.
    pub legal: Vec<MoveId>,
    /// Those that are good, one at least.
    pub good: Vec<MoveId>,
}

/// Reads test positions for an engine of their game.
///
/// ```
/// # mod gdlr {
/// #     pub use gdlr_engine::{engine, play};
/// #     pub use gdlr_rules::gdl;
/// #     pub use gdlr_text::kif;
/// #     pub use gdlr_tree as tree;
/// # }
/// use gdlr::engine::Engine;
/// use gdlr::play::test_positions;
/// # use gdlr::{gdl::Game, kif, tree::{Tree, TreeOptions}};
/// # let rules = include_str!("../../../../kif/tictactoe.kif");
/// # let game = Game::from_kif("tictactoe", rules).unwrap();
/// let engine = Tree::new(game, &TreeOptions::default()).unwrap();
/// let text = "(position opening (moves ((sign 1 1) wait)) (good (sign 2 2)))";
/// let positions = test_positions::read(&engine, &kif::read(text).unwrap()).unwrap();
/// assert_eq!(engine.roles().name(positions[0].role), "noughts");
/// assert_eq!((positions[0].legal.len(), positions[0].good.len()), (8, 1));
/// ```
///
/// # Errors
///
/// The defects, one diagnostic a position; that the game hides the state, once.
pub fn read<E: Engine>(
    engine: &E,
    document: &Document,
) -> Result<Vec<TestPosition<E::State>>, Vec<Diagnostic>> {
    if let (true, Some(first)) = (engine.has_percepts(), document.items.first()) {
        let error = bad(first, "a position shows the state, which the rules of this game hide");
        return Err(vec![
            error.with_help("in a game with rules for `sees` nobody knows the state"),
        ]);
    }
    let mut positions: Vec<TestPosition<E::State>> = Vec::new();
    let mut errors = Vec::new();
    let mut names: Vec<(String, Span)> = Vec::new();
    for item in &document.items {
        let written = match Written::of(item) {
            Ok(written) => written,
            Err(error) => {
                errors.push(error);
                continue;
            }
        };
        if let Some((_, first)) = names.iter().find(|(name, _)| *name == written.name) {
            let error = bad(item, format!("two positions are called `{}`", written.name));
            errors.push(error.with_related(*first, "the first one"));
        }
        names.push((written.name.to_owned(), item.span));
        match written.stand(engine) {
            Ok(position) => positions.push(position),
            Err(error) => errors.push(error),
        }
    }
    if errors.is_empty() { Ok(positions) } else { Err(errors) }
}

fn bad(at: &Expr, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Code::BadTestPosition, at.span, message)
}

/// A position in parts.
struct Written<'d> {
    whole: &'d Expr,
    name: &'d str,
    role: Option<&'d Expr>,
    /// `facts` or `moves`, and what stands there.
    at: Option<(&'d str, &'d [Expr])>,
    /// Whether the moves are the good ones; the moves; and where they stand.
    is_good: bool,
    moves: &'d [Expr],
}

impl<'d> Written<'d> {
    fn of(whole: &'d Expr) -> Result<Written<'d>, Diagnostic> {
        let form = "a position is written `(position NAME …)`";
        let Some([keyword, name, parts @ ..]) = whole.list() else {
            return Err(bad(whole, form));
        };
        if keyword.atom() != Some("position") {
            return Err(bad(keyword, form));
        }
        let name = name.atom().ok_or_else(|| bad(name, "the name of the position is one word"))?;
        let (mut role, mut at, mut moves) = (None, None, None);
        for part in parts {
            let (keyword, items) = match part.list() {
                Some([keyword, items @ ..]) => (keyword.atom(), items),
                _ => (None, &[][..]),
            };
            let again = match (keyword, items) {
                (Some("role"), [name]) => role.replace(name).is_some(),
                (Some("role"), _) => return Err(bad(part, "one role is to move")),
                (Some(word @ ("facts" | "moves")), _) => at.replace((word, items)).is_some(),
                (Some(word @ ("good" | "bad")), _) => {
                    moves.replace((word == "good", items)).is_some()
                }
                _ => {
                    let message = "`role`, `facts` or `moves`, `good` or `bad` should stand here";
                    return Err(bad(part, message));
                }
            };
            if again {
                return Err(bad(part, "the position says that already")
                    .with_help("it has `facts` or `moves`, and `good` or `bad`, each once"));
            }
        }
        let (is_good, moves) = moves
            .ok_or_else(|| bad(whole, "which moves are good?").with_help("add `(good MOVE …)`"))?;
        Ok(Written { whole, name, role, at, is_good, moves })
    }

    /// The position on an engine.
    fn stand<E: Engine>(&self, engine: &E) -> Result<TestPosition<E::State>, Diagnostic> {
        let mut scratch = engine.scratch();
        let mut last = Vec::new();
        let mut step = 0;
        match self.at {
            Some(("facts", facts)) => enter_written(engine, &mut scratch, facts)?,
            Some((_, joints)) => {
                for joint in joints {
                    last = play(engine, &mut scratch, joint)?;
                    step += 1;
                }
            }
            None => {}
        }
        if engine.terminal(&mut scratch).map_err(WorkLimit::into_diagnostic)? {
            return Err(bad(self.whole, "the game is over in this position"));
        }
        let (role, legal) = self.to_move(engine, &mut scratch)?;
        let named = self.moves.iter().map(|expr| {
            let id = of_role(engine, role, expr)?;
            legal.contains(&id).then_some(id).ok_or_else(|| illegal(engine, role, expr))
        });
        let named = named.collect::<Result<Vec<MoveId>, _>>()?;
        let is_good = |id: &MoveId| named.contains(id) == self.is_good;
        let good: Vec<MoveId> = legal.iter().copied().filter(is_good).collect();
        if good.is_empty() {
            return Err(bad(self.whole, "no legal move is good in this position"));
        }
        let state = engine.state(&scratch);
        Ok(TestPosition { name: self.name.to_owned(), state, step, last, role, legal, good })
    }

    /// Who is to move, and the legal moves.
    fn to_move<E: Engine>(
        &self,
        engine: &E,
        scratch: &mut E::Scratch,
    ) -> Result<(RoleId, Vec<MoveId>), Diagnostic> {
        let roles = engine.roles();
        let mut moves = |role| {
            let mut legal = Vec::new();
            let outcome = engine.legal(scratch, role, &mut legal);
            outcome.map_err(WorkLimit::into_diagnostic).map(|()| (role, legal))
        };
        if let Some(name) = self.role {
            let role = name.atom().and_then(|name| roles.find(name)).ok_or_else(|| {
                bad(name, format!("no role; the roles are {}", roles.names().join(", ")))
            })?;
            return match moves(role)? {
                (_, legal) if legal.is_empty() => Err(bad(name, "the role has no legal move")),
                outcome => Ok(outcome),
            };
        }
        let mut choice = None;
        for role in roles.iter() {
            let outcome = moves(role)?;
            if outcome.1.len() > 1 && choice.replace(outcome).is_some() {
                return Err(bad(self.whole, "several roles have a choice here")
                    .with_help("say with `(role ROLE)` who is to move"));
            }
        }
        choice.ok_or_else(|| bad(self.whole, "nobody has a choice here"))
    }
}

/// Plays a joint move that is written as a list of moves.
fn play<E: Engine>(
    engine: &E,
    scratch: &mut E::Scratch,
    joint: &Expr,
) -> Result<Vec<Term>, Diagnostic> {
    let roles = engine.roles();
    let Some(moves) = joint.list().filter(|moves| moves.len() == roles.count()) else {
        let message = format!("a joint move, `(MOVE …)`, of {} moves", roles.count());
        return Err(bad(joint, message + " should stand here")
            .with_help(format!("the roles are {}", roles.names().join(", "))));
    };
    let ids = roles.iter().zip(moves).map(|(role, expr)| of_role(engine, role, expr));
    let ids = ids.collect::<Result<Vec<MoveId>, _>>()?;
    match engine.step(scratch, &ids) {
        Ok(()) => Ok(ids.iter().map(|&id| engine.move_term(id).1).collect()),
        Err(StepError::Illegal(role)) => Err(illegal(engine, role, &moves[role.index()])),
        Err(StepError::Limit(limit)) => Err(limit.into_diagnostic()),
        Err(error) => Err(Diagnostic::new(Code::NotAMove, joint.span, error.to_string())),
    }
}

/// The move of a role that an expression writes, legal or not.
fn of_role<E: Engine>(engine: &E, role: RoleId, expr: &Expr) -> Result<MoveId, Diagnostic> {
    let term = written_term(expr, engine.symbols(), Code::NotAMove)?;
    engine.move_id(role, &term).ok_or_else(|| illegal(engine, role, expr))
}

fn illegal<E: Engine>(engine: &E, role: RoleId, expr: &Expr) -> Diagnostic {
    let message = format!("no legal move of {} in this position", engine.roles().name(role));
    Diagnostic::new(Code::NotAMove, expr.span, message)
}
