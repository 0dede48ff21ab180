//! What a GDL player programs against: the trait that every engine implements.
//!
//! An engine is a game compiled once: immutable, shared between threads. What an evaluation
//! scribbles on is a [`Engine::Scratch`], one a thread, which always speaks of one state.
//! Moving the scratch ([`Engine::enter`], [`Engine::step`]) allocates nothing once its
//! tables have grown to the size that the game needs.

use crate::diagnostic::Diagnostic;
use crate::gdl::{Game, Term};
use std::fmt;
use std::hash::Hash;
use std::str::FromStr;

/// The engines there are, by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum EngineKind {
    /// The best one for the game and for what is done with it, see
    /// [`SetUp`](crate::automatic::SetUp).
    #[default]
    Auto,
    /// Resolution trees.
    Tree,
    /// A propositional net.
    Propnet,
    /// A propositional net, hundreds of random playouts at once.
    Batch,
    /// An automaton of Regular Games, interpreted.
    Rg,
}

impl EngineKind {
    /// Every kind, the automatic choice first.
    pub const ALL: &'static [EngineKind] = &[
        EngineKind::Auto,
        EngineKind::Tree,
        EngineKind::Propnet,
        EngineKind::Batch,
        EngineKind::Rg,
    ];

    /// Whether it can be asked about single states, as an [`Engine`] can; if not, it only plays
    /// at random.
    pub fn has_states(self) -> bool {
        self != EngineKind::Batch
    }

    /// The name that users write.
    pub fn as_str(self) -> &'static str {
        match self {
            EngineKind::Auto => "auto",
            EngineKind::Tree => "tree",
            EngineKind::Propnet => "propnet",
            EngineKind::Batch => "batch",
            EngineKind::Rg => "rg",
        }
    }
}

impl fmt::Display for EngineKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for EngineKind {
    type Err = UnknownEngine;

    fn from_str(name: &str) -> Result<EngineKind, UnknownEngine> {
        EngineKind::ALL.iter().copied().find(|kind| kind.as_str() == name).ok_or(UnknownEngine)
    }
}

/// A name that no engine has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownEngine;

impl fmt::Display for UnknownEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no engine has this name")
    }
}

impl std::error::Error for UnknownEngine {}

/// A move, as a small number that the scratch which gave it can turn into a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MoveId(pub u32);

/// The place of a role in [`Game::roles`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RoleId(pub u16);

/// A compiled game.
pub trait Engine: Sync {
    /// A state of the game: the set of facts that are true. Equal states have equal facts.
    type State: Clone + Eq + Hash + Send + fmt::Debug;
    /// Working memory; speaks of one state at a time.
    type Scratch: Send;

    /// The rules that the engine plays.
    fn game(&self) -> &Game;

    /// New working memory, at the initial state.
    fn scratch(&self) -> Self::Scratch;

    /// The initial state.
    fn initial(&self) -> &Self::State;

    /// Makes the scratch speak of `state`. Costs time linear in the state.
    fn enter(&self, scratch: &mut Self::Scratch, state: &Self::State);

    /// The state that the scratch speaks of. Allocates.
    fn state(&self, scratch: &Self::Scratch) -> Self::State;

    /// Whether the state is terminal.
    fn terminal(&self, scratch: &mut Self::Scratch) -> bool;

    /// Replaces the content of `moves` by the legal moves of a role, each once, in an order
    /// that depends on the path to the state.
    fn legal(&self, scratch: &mut Self::Scratch, role: RoleId, moves: &mut Vec<MoveId>);

    /// The goal value of a role, in any state.
    ///
    /// # Errors
    ///
    /// When the rules give no value, several, or one that is no integer in 0..=100.
    fn goal(&self, scratch: &mut Self::Scratch, role: RoleId) -> Result<u8, GoalError>;

    /// Plays a joint move, one a role in the order of the roles.
    ///
    /// # Errors
    ///
    /// When a move is not legal, or there is not one for each role; the scratch then still
    /// speaks of the same state.
    fn step(&self, scratch: &mut Self::Scratch, joint: &[MoveId]) -> Result<(), StepError>;

    /// Why the engine gave up, if it did: work and memory for a state are bounded, so that
    /// rules which combine everything with everything end in a message and not in a machine
    /// without memory. What the scratch has said since it entered the last state is then
    /// incomplete, and so is everything that it says until it enters another one. Costs next
    /// to nothing while all is well; to be asked before anything is made of the answers.
    fn gave_up(&self, _scratch: &Self::Scratch) -> Option<Diagnostic> {
        None
    }

    /// Whether legal moves can be asked for in terminal states, too: what [`Engine::legal`]
    /// gives there is otherwise nothing.
    fn moves_at_the_end(&self) -> bool {
        true
    }

    /// The facts of a state as terms, sorted by no particular order.
    fn facts(&self, state: &Self::State) -> Vec<Term>;

    /// The term of a move.
    fn move_term(&self, scratch: &Self::Scratch, id: MoveId) -> Term;

    /// The number of a move, or `None` for a term that cannot be a move. A term that has a
    /// number need not be a legal move in any state.
    fn move_id(&self, scratch: &mut Self::Scratch, term: &Term) -> Option<MoveId>;
}

/// A role without a proper goal value: a defect of the game, not of the play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GoalError {
    /// The rules give no value.
    Missing,
    /// The rules give these values, more than one or none an integer in 0..=100. Empty where an
    /// engine knows only that there are several.
    Improper(Vec<Term>),
}

impl fmt::Display for GoalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GoalError::Missing => f.write_str("the rules give no goal value"),
            GoalError::Improper(values) if values.is_empty() => {
                f.write_str("the rules give several goal values")
            }
            GoalError::Improper(values) if values.len() > 1 => {
                write!(f, "the rules give {} goal values", values.len())
            }
            GoalError::Improper(_) => f.write_str("the goal value is no integer from 0 to 100"),
        }
    }
}

impl std::error::Error for GoalError {}

/// A joint move that cannot be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepError {
    /// The move of this role is not legal.
    Illegal(RoleId),
    /// There is not one move for each role.
    WrongLength,
}

impl fmt::Display for StepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StepError::Illegal(role) => write!(f, "the move of role {} is not legal", role.0),
            StepError::WrongLength => f.write_str("a joint move has one move for each role"),
        }
    }
}

impl std::error::Error for StepError {}
