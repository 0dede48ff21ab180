//! What an automaton that is played says in the words of the contract: a legend.
//!
//! The [interpreter](super::Interpreter) walks. What roles, moves and facts its states and tags stand for, a legend
//! says. There are two: an automaton by itself has [its own](super::OwnLegend), and one that was written
//! from a game has that of [the game](crate::export::GameLegend), in which all roles move at once.

use gdlr_engine::engine::{FactError, GoalError, MoveId, RoleId, Roles, WorkLimit};
use gdlr_rg::rg::{Automaton, Moves, PlayError, Search, Standing, State};
use gdlr_rules::gdl::{SymbolTable, Term};
use std::fmt::Debug;
use std::hash::Hash;

/// How a role moves in a state.
#[derive(Clone, Copy, Debug)]
pub enum Choice {
    /// It chooses: where the automaton stands, or where this says.
    Ply(Option<Standing>),
    /// It has this move only, for which the automaton has no ply.
    Implied(MoveId),
}

/// Working memory for a state on its way.
#[derive(Clone, Debug)]
pub struct Work {
    /// That of searches.
    pub search: Search<'static>,
    /// The state.
    pub next: State,
    /// Its moves.
    pub moves: Moves,
}

/// What roles, moves, facts and goals of an automaton are. All questions are about states of the
/// automaton that is asked with them, and in each of these somebody chooses or the play is over.
pub trait Legend: Debug + Send + Sync + Sized + 'static {
    /// A state of the engine: that of the automaton, and what says which states are equal.
    type State: From<State> + Clone + Debug + Eq + Hash + Send + Sync + 'static;
    /// What a scratch remembers of the numbers of moves.
    type Numbers: Clone + Debug + Send + Sync + 'static;

    /// Whether legal moves are listed by their numbers; else in the order in which walks meet them.
    const BY_NUMBER: bool;

    /// The roles, in the order of joint moves.
    fn roles(&self) -> &Roles;

    /// What the symbols in terms are called.
    fn symbols(&self) -> &SymbolTable;

    /// The state of the automaton.
    fn at<'s>(&self, state: &'s Self::State) -> &'s State;

    /// Writes a state of the automaton into one of the engine.
    fn save(&self, automaton: &Automaton, from: &State, to: &mut Self::State);

    /// Makes `next`, which is the initial state, the one with these facts.
    ///
    /// # Errors
    ///
    /// When they are not those of a state; `next` is then any state.
    fn enter_facts(
        &self,
        automaton: &Automaton,
        facts: &[Term],
        work: &mut Work,
    ) -> Result<(), FactError>;

    /// The facts of a state.
    fn facts(&self, automaton: &Automaton, state: &Self::State) -> Vec<Term>;

    /// How much memory a state takes behind what it points to, in bytes.
    fn state_bytes(&self, state: &Self::State) -> usize;

    /// How each role moves in a state: none at the end, nor one that the game does not have. In the
    /// order of roles, each role's ply is where the ply of the one before it ends.
    fn choices(
        &self,
        automaton: &Automaton,
        state: &State,
    ) -> impl Fn(RoleId) -> Option<Choice> + Copy;

    /// How many moves there are, if that is known.
    fn moves(&self) -> Option<usize>;

    /// New memory of numbers.
    fn numbers(&self) -> Self::Numbers;

    /// The number of a role's move, if it stands for one.
    fn number(
        &self,
        numbers: &mut Self::Numbers,
        role: RoleId,
        moves: &Moves,
        place: usize,
    ) -> Option<MoveId>;

    /// The place of the move with this number among a role's moves.
    fn place(
        &self,
        numbers: &mut Self::Numbers,
        role: RoleId,
        moves: &Moves,
        id: MoveId,
    ) -> Option<usize>;

    /// Whose move it is, and which.
    fn move_term(&self, id: MoveId) -> (RoleId, Term);

    /// The number of a role's move; `None` for a term that cannot be one.
    fn move_id(&self, role: RoleId, term: &Term) -> Option<MoveId>;

    /// The goal value of a role.
    ///
    /// # Errors
    ///
    /// When it has none, or one that is no integer from 0 to 100; when it is too much work to say.
    fn goal(
        &self,
        automaton: &Automaton,
        state: &State,
        work: &mut Work,
        role: RoleId,
    ) -> Result<u8, GoalError>;

    /// Whether roles are told percepts, and not moves.
    fn has_percepts(&self) -> bool;

    /// By role: what it sees when a joint move of legal moves is played. `first` are the moves of
    /// the first role that chooses, if one does, and the place of its move among them.
    ///
    /// # Errors
    ///
    /// When the automaton cannot be played on.
    fn percepts(
        &self,
        automaton: &Automaton,
        state: &State,
        work: &mut Work,
        first: Option<(&Moves, usize)>,
        joint: &[MoveId],
    ) -> Result<Vec<Vec<Term>>, WorkLimit>;

    /// What stopped play.
    fn stopped(&self, error: &PlayError) -> WorkLimit;
}
