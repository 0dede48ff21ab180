//! A written description with its legend: what its names stand for.

use super::variables::StateVariable;
use crate::gdl::Term;
use crate::net::{LatchId, Turns};
use crate::rg::{Description, Name};

/// What says whether a fact is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FactTest {
    /// It always is.
    Always,
    /// It is if the variable has this value.
    Is(Name, Name),
    /// It is unless the variable has this value.
    IsNot(Name, Name),
}

/// How a role moves in a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RoleTurn {
    /// By a ply at this node: a move of the role with a tag.
    Ply(Name),
    /// By its only move, for which there is no ply.
    Implied(Term),
}

/// A description of a game, with what its names stand for.
#[derive(Clone, Debug)]
pub struct Export {
    /// The automaton.
    pub description: Description,
    /// By role of the game: its symbol. That of chance is `random`, which is a member of `Player`
    /// only if it has goals.
    pub roles: Vec<Name>,
    /// What says whether a fact is true, while a role chooses or at the end.
    pub facts: Vec<(Term, FactTest)>,
    /// What tags stand for.
    pub moves: Vec<(Name, Term)>,
    /// The tags of percepts; one that several roles may have stands here for each of them.
    pub percepts: Vec<(Name, Term)>,
    /// Goal values and the symbols of `Score` that stand for them.
    pub scores: Vec<(Name, Term)>,
    /// The score of a role for which the rules give no value.
    pub no_score: Name,
    /// The score of a role for which they give several.
    pub scores_differ: Name,
    /// The node from which the keeper sets the goals and ends the play.
    pub over: Name,
    /// By node where the first choice of a turn is made: how each role moves in that turn.
    pub turns: Vec<(Name, Vec<RoleTurn>)>,
    /// How any state of the game is entered.
    pub(super) entry: EntryPoints,
}

/// Where the automaton is in a state of the game, before the keeper's first move of the turn.
#[derive(Clone, Debug)]
pub(super) struct EntryPoints {
    /// The variables that hold the state.
    pub(super) variables: Vec<StateVariable>,
    pub(super) turns: Turns,
    /// By turn: the node where it begins.
    pub(super) starts: Vec<Name>,
}

impl EntryPoints {
    /// The nodes where turns begin.
    pub fn nodes(&self) -> &[Name] {
        &self.starts
    }

    /// The variables that hold the state, each with its values.
    pub fn variables(&self) -> impl Iterator<Item = (Name, &[Name])> {
        self.variables.iter().map(|variable| (variable.name, &variable.values[..]))
    }

    /// The turn in which the state with these latches is, by its place in
    /// [`nodes`](EntryPoints::nodes). `None` if the automaton has no such state.
    pub fn turn(&self, latches: &[bool]) -> Option<usize> {
        let says = |(latch, value): (LatchId, bool)| latches[latch.index()] == value;
        (0..self.turns.len()).find(|&turn| self.turns.known(turn).all(says))
    }

    /// By variable: the place of its value in the state with these latches, if it has one.
    pub fn values(&self, latches: &[bool]) -> impl Iterator<Item = Option<usize>> {
        self.variables.iter().map(|StateVariable { latches: places, values, .. }| {
            let is_true = |latch: &LatchId| latches[latch.index()];
            let place = places.iter().position(is_true).unwrap_or(places.len());
            (place < values.len()).then_some(place)
        })
    }
}
