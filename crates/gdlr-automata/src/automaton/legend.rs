//! Legends: the meaning of an automaton in terms of the contract of engines.
//!
//! The [interpreter](super::Interpreter) follows walks. A legend says for which roles, moves and
//! facts the states and tags of the automaton stand. There are two legends. An automaton by itself
//! has [its own](super::OwnLegend). An automaton that was written from a game has that of [the
//! game](crate::export::GameLegend), in which all roles move at once.

use gdlr_engine::engine::{FactError, GoalError, MoveId, RoleId, Roles, WorkLimit};
use gdlr_rg::rg::{Automaton, Moves, PlayError, Search, Standing, State};
use gdlr_rules::gdl::{SymbolTable, Term};
use std::fmt::Debug;
use std::hash::Hash;

/// The way in which a role moves in a state.
#[derive(Clone, Copy, Debug)]
pub enum Choice {
    /// A choice, at the current position of the automaton, or at the given one.
    Ply(Option<Standing>),
    /// The only move of the role, for which the automaton has no ply.
    Implied(MoveId),
}

/// Working memory for a state during a step.
#[derive(Clone, Debug)]
pub struct Work {
    /// The memory of searches.
    pub search: Search<'static>,
    /// The state.
    pub next: State,
    /// The moves of the state.
    pub moves: Moves,
}

/// The meaning of the roles, moves, facts and goals of an automaton. All methods get states of the
/// same automaton, in which a player or chance chooses, or the play is over.
pub trait Legend: Debug + Send + Sync + Sized + 'static {
    /// A state of the engine: the state of the automaton, and a key that decides which states are
    /// equal.
    type State: From<State> + Clone + Debug + Eq + Hash + Send + Sync + 'static;
    /// The memory of a scratch for numbers of moves.
    type Numbers: Clone + Debug + Send + Sync + 'static;

    /// Whether legal moves are listed by their numbers. Otherwise they are listed in the order in
    /// which walks meet them.
    const BY_NUMBER: bool;

    /// Whether each move of the automaton is a joint move: one role moves at a time, and the others
    /// have nothing to choose.
    const ALONE: bool;

    /// The roles, in the order of joint moves.
    fn roles(&self) -> &Roles;

    /// The symbols of terms.
    fn symbols(&self) -> &SymbolTable;

    /// The state of the automaton in a state of the engine.
    fn at<'s>(&self, state: &'s Self::State) -> &'s State;

    /// Writes a state of the automaton into a state of the engine.
    fn save(&self, automaton: &Automaton, from: &State, to: &mut Self::State);

    /// Turns `work.next`, which is the initial state, into the state with these facts.
    ///
    /// # Errors
    ///
    /// When these are no facts of a state. Then `work.next` is an unspecified state.
    fn enter_facts(
        &self,
        automaton: &Automaton,
        facts: &[Term],
        work: &mut Work,
    ) -> Result<(), FactError>;

    /// The facts of a state.
    fn facts(&self, automaton: &Automaton, state: &Self::State) -> Vec<Term>;

    /// The memory of a state on the heap, in bytes.
    fn state_bytes(&self, state: &Self::State) -> usize;

    /// The way in which each role moves in a state. `None` for all roles at the end, and for a role
    /// that the game lacks. The ply of a role begins where the ply of the role before it ends.
    fn choices(
        &self,
        automaton: &Automaton,
        state: &State,
    ) -> impl Fn(RoleId) -> Option<Choice> + Copy;

    /// The number of moves, if it is known.
    fn moves(&self) -> Option<usize>;

    /// New memory for numbers of moves.
    fn numbers(&self) -> Self::Numbers;

    /// The number of a move of a role. `None` if the walk stands for no move.
    fn number(
        &self,
        numbers: &mut Self::Numbers,
        role: RoleId,
        moves: &Moves,
        place: usize,
    ) -> Option<MoveId>;

    /// The place of the move with this number among the moves of a role.
    fn place(
        &self,
        numbers: &mut Self::Numbers,
        role: RoleId,
        moves: &Moves,
        id: MoveId,
    ) -> Option<usize>;

    /// The role and the term of a move.
    fn move_term(&self, id: MoveId) -> (RoleId, Term);

    /// The number of a move of a role. `None` if the term cannot be a move.
    fn move_id(&self, role: RoleId, term: &Term) -> Option<MoveId>;

    /// The goal value of a role.
    ///
    /// # Errors
    ///
    /// When the role has no goal value, or a value that is no integer from 0 to 100. When the
    /// computation exceeds its limit.
    fn goal(
        &self,
        automaton: &Automaton,
        state: &State,
        work: &mut Work,
        role: RoleId,
    ) -> Result<u8, GoalError>;

    /// Whether roles see percepts in place of moves.
    fn has_percepts(&self) -> bool;

    /// By role: its percepts when a joint move of legal moves is played. `first` are the moves of
    /// the first role that chooses, if one does, and the place of its move among them.
    ///
    /// # Errors
    ///
    /// When play stops at a defect, or exceeds its limit.
    fn percepts(
        &self,
        automaton: &Automaton,
        state: &State,
        work: &mut Work,
        first: Option<(&Moves, usize)>,
        joint: &[MoveId],
    ) -> Result<Vec<Vec<Term>>, WorkLimit>;

    /// The error of play as an error of the engine.
    fn stopped(&self, error: &PlayError) -> WorkLimit;
}
