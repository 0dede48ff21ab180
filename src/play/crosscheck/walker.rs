//! Engines of different types behind one face.
//!
//! [`Engine`] has types of its own for states and scratches, so engines cannot stand side by
//! side in a list. A [`Walker`] is an engine together with a scratch and the states that were
//! met, spoken to in terms: it can.

use crate::diagnostic::Diagnostic;
use crate::engine::{Engine, GoalError, MoveId, RoleId};
use crate::gdl::{Game, Term};
use crate::play::Roles;
use hashbrown::HashMap;

/// An engine that takes part in a comparison, under the name that reports call it by.
#[derive(Clone)]
pub struct Contestant<'e> {
    name: String,
    face: &'e dyn Face,
}

impl<'e> Contestant<'e> {
    /// Enters an engine into a comparison.
    pub fn new<E: Engine>(name: impl Into<String>, engine: &'e E) -> Self {
        Contestant { name: name.into(), face: engine }
    }

    /// What reports call the engine.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The rules that the engine plays.
    pub fn game(&self) -> &'e Game {
        self.face.rules()
    }

    /// The engine with a scratch of its own, at the initial state.
    pub(super) fn walker(&self) -> Box<dyn Walker + 'e> {
        self.face.walker()
    }
}

impl std::fmt::Debug for Contestant<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Contestant").field(&self.name).finish()
    }
}

/// What an engine of any type can be asked for.
trait Face {
    fn rules(&self) -> &Game;
    fn walker(&self) -> Box<dyn Walker + '_>;
}

impl<E: Engine> Face for E {
    fn rules(&self) -> &Game {
        self.game()
    }

    fn walker(&self) -> Box<dyn Walker + '_> {
        Box::new(Walk {
            engine: self,
            scratch: self.scratch(),
            numbers: HashMap::new(),
            met: Vec::new(),
            moves: Vec::new(),
        })
    }
}

/// All that can be asked of a state. Terms are sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct View {
    pub facts: Vec<Term>,
    pub terminal: bool,
    /// By role.
    pub legal: Vec<Vec<Term>>,
    /// By role: the value, or the terms that the rules give instead, if any; no list where
    /// there are several which the engine does not name.
    pub goals: Vec<Result<u8, Option<Vec<Term>>>>,
    /// The number of the state, in the order in which different states were met.
    pub number: u32,
}

/// An engine on its way through the states of a game.
pub(super) trait Walker {
    /// Asks all there is to ask about the state at hand, and remembers the state. `turn` says
    /// whether `terminal`, the legal moves or the goals are asked first: engines compute what
    /// they are asked for, and the order must not matter.
    fn look(&mut self, turn: u64) -> View;

    /// Plays a joint move.
    ///
    /// # Errors
    ///
    /// What the engine has against it.
    fn play(&mut self, joint: &[Term]) -> Result<(), String>;

    /// Goes back to a state that was met, by its [`View::number`].
    fn enter(&mut self, number: u32);

    /// See [`Engine::gave_up`].
    fn gave_up(&self) -> Option<Diagnostic>;

    /// See [`Engine::moves_at_the_end`].
    fn moves_at_the_end(&self) -> bool;
}

struct Walk<'e, E: Engine> {
    engine: &'e E,
    scratch: E::Scratch,
    numbers: HashMap<E::State, u32>,
    /// By number.
    met: Vec<E::State>,
    /// A buffer.
    moves: Vec<MoveId>,
}

impl<E: Engine> Walk<'_, E> {
    fn legal(&mut self, role: RoleId) -> Vec<Term> {
        self.engine.legal(&mut self.scratch, role, &mut self.moves);
        let term = |&id: &MoveId| self.engine.move_term(&self.scratch, id);
        let mut terms: Vec<Term> = self.moves.iter().map(term).collect();
        terms.sort_unstable();
        terms
    }

    fn goal(&mut self, role: RoleId) -> Result<u8, Option<Vec<Term>>> {
        match self.engine.goal(&mut self.scratch, role) {
            Ok(value) => Ok(value),
            Err(GoalError::Missing) => Err(Some(Vec::new())),
            Err(GoalError::Improper(values)) if values.is_empty() => Err(None),
            Err(GoalError::Improper(mut values)) => {
                values.sort_unstable();
                Err(Some(values))
            }
        }
    }
}

impl<E: Engine> Walker for Walk<'_, E> {
    fn look(&mut self, turn: u64) -> View {
        let state = self.engine.state(&self.scratch);
        let mut view = View { facts: self.engine.facts(&state), ..View::default() };
        view.facts.sort_unstable();
        let roles = Roles::of(self.engine);
        for question in turn..turn + 3 {
            match question % 3 {
                0 => view.terminal = self.engine.terminal(&mut self.scratch),
                1 => view.legal = roles.iter().map(|role| self.legal(role)).collect(),
                _ => view.goals = roles.iter().map(|role| self.goal(role)).collect(),
            }
        }
        let new = self.met.len() as u32;
        view.number = *self.numbers.entry(state.clone()).or_insert(new);
        if view.number == new {
            self.met.push(state);
        }
        view
    }

    fn play(&mut self, joint: &[Term]) -> Result<(), String> {
        let mut ids = Vec::with_capacity(joint.len());
        for term in joint {
            let id = self.engine.move_id(&mut self.scratch, term);
            ids.push(id.ok_or_else(|| "knows no such move".to_owned())?);
        }
        self.engine
            .step(&mut self.scratch, &ids)
            .map_err(|error| format!("refuses the joint move: {error}"))
    }

    fn enter(&mut self, number: u32) {
        self.engine.enter(&mut self.scratch, &self.met[number as usize]);
    }

    fn gave_up(&self) -> Option<Diagnostic> {
        self.engine.gave_up(&self.scratch)
    }

    fn moves_at_the_end(&self) -> bool {
        self.engine.moves_at_the_end()
    }
}
