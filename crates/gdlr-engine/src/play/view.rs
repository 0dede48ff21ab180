//! All that can be asked of a state, so that it can be compared.

use crate::engine::{Engine, GoalError, WorkLimit};
use gdlr_rules::gdl::{SymbolTable, Term};

/// All that can be asked of a state, which engines of a game must agree on. Lists are sorted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View<T = Term> {
    /// The facts.
    pub facts: Vec<T>,
    /// The hash of the state.
    pub hash: u64,
    /// Whether it is terminal.
    pub terminal: bool,
    /// By role: the legal moves.
    pub legal: Vec<Vec<T>>,
    /// By role: the goal value, or all values where they are improper, none where there is none.
    pub goals: Vec<Result<u8, Vec<T>>>,
}

impl View {
    /// Asks everything about the state that a scratch speaks of. `turn` says whether
    /// `terminal`, the legal moves or the goals are asked first: engines compute what they are
    /// asked for, and the order must not matter.
    ///
    /// # Errors
    ///
    /// When the state is too much for the engine.
    pub fn of<E: Engine + ?Sized>(
        engine: &E,
        scratch: &mut E::Scratch,
        turn: u64,
    ) -> Result<View, WorkLimit> {
        let state = engine.state(scratch);
        let mut facts = engine.facts(&state);
        facts.sort_unstable();
        let hash = engine.state_hash(&state);
        let mut view = View { facts, hash, terminal: false, legal: Vec::new(), goals: Vec::new() };
        let mut moves = Vec::new();
        for question in (0..3).map(|place| (turn % 3 + place) % 3) {
            match question {
                0 => view.terminal = engine.terminal(scratch)?,
                1 => {
                    for role in engine.roles().iter() {
                        engine.legal(scratch, role, &mut moves)?;
                        let mut terms: Vec<Term> =
                            moves.iter().map(|&id| engine.move_term(id).1).collect();
                        terms.sort_unstable();
                        view.legal.push(terms);
                    }
                }
                _ => {
                    for role in engine.roles().iter() {
                        view.goals.push(match engine.goal(scratch, role) {
                            Ok(value) => Ok(value),
                            Err(GoalError::Missing) => Err(Vec::new()),
                            Err(GoalError::Improper(values)) => Err(values),
                            Err(GoalError::Limit(limit)) => return Err(limit),
                        });
                    }
                }
            }
        }
        Ok(view)
    }

    /// The same in canonical strings, for engines that number symbols each in its own way.
    pub fn canonical(&self, symbols: &SymbolTable) -> View<String> {
        let text = |terms: &Vec<Term>| {
            let mut text: Vec<String> = terms.iter().map(|term| term.canonical(symbols)).collect();
            text.sort_unstable();
            text
        };
        View {
            facts: text(&self.facts),
            hash: self.hash,
            terminal: self.terminal,
            legal: self.legal.iter().map(text).collect(),
            goals: self.goals.iter().map(|goal| goal.as_ref().map_err(text).copied()).collect(),
        }
    }
}
