//! An engine on its way through the states of a game, spoken to in terms.

use crate::engine::{AnyEngine, AnyScratch, AnyState, Engine, MoveId, StepError, WorkLimit};
use crate::play::View;
use gdlr_rules::gdl::Term;
use hashbrown::HashMap;

/// An engine that takes part in a comparison, under the name that reports call it by.
#[derive(Clone, Debug)]
pub struct NamedEngine {
    /// Its name in reports.
    pub name: String,
    /// The engine.
    pub engine: AnyEngine,
    /// Whether it speaks of states by the same facts as the first engine. One that does not is
    /// compared by its moves, ends, goals and percepts, and takes a state for one that was met
    /// before where the first engine does.
    pub same_facts: bool,
}

impl NamedEngine {
    /// An engine under a name.
    pub fn new(name: impl Into<String>, engine: AnyEngine) -> Self {
        NamedEngine { name: name.into(), engine, same_facts: true }
    }

    /// The same; it has facts of its own, or none.
    pub fn with_other_facts(self) -> Self {
        NamedEngine { same_facts: false, ..self }
    }
}

/// The answers of an engine about a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Look {
    pub view: View,
    /// By role: what it saw of the joint move that led here, if the game has percepts and a joint
    /// move did.
    pub seen: Vec<Vec<Term>>,
    /// Whether the state, entered by its facts, is the same.
    pub restored: bool,
    /// The number of the state, in the order in which different states were met.
    pub number: u32,
}

/// An engine with a scratch of its own, and the states that it met.
pub(super) struct Walker {
    engine: AnyEngine,
    same_facts: bool,
    scratch: AnyScratch,
    /// Where states are entered by their facts, so that nothing is lost that the engine keeps
    /// from state to state.
    aside: AnyScratch,
    seen: Vec<Vec<Term>>,
    numbers: HashMap<AnyState, u32>,
    /// By number.
    met: Vec<AnyState>,
}

impl Walker {
    /// The engine at the initial state.
    pub fn new(NamedEngine { engine, same_facts, .. }: &NamedEngine) -> Walker {
        Walker {
            same_facts: *same_facts,
            scratch: engine.scratch(),
            aside: engine.scratch(),
            engine: engine.clone(),
            seen: Vec::new(),
            numbers: HashMap::new(),
            met: Vec::new(),
        }
    }

    /// Asks all there is to ask about the state at hand, in an order that depends on `turn` as
    /// in [`View::of`], and remembers the state. What has to do with facts is taken over from the
    /// `first` engine, if there is one that has others.
    ///
    /// # Errors
    ///
    /// When the state is too much for the engine.
    pub fn look(&mut self, turn: u64, first: Option<&Look>) -> Result<Look, WorkLimit> {
        let mut view = View::of(&self.engine, &mut self.scratch, turn)?;
        let state = self.engine.state(&self.scratch);
        if let (false, Some(first)) = (self.same_facts, first) {
            if first.number as usize == self.met.len() {
                self.met.push(state);
            }
            view.facts.clone_from(&first.view.facts);
            view.hash = first.view.hash;
            let (seen, restored, number) = (self.seen.clone(), first.restored, first.number);
            return Ok(Look { view, seen, restored, number });
        }
        let restored = self.engine.enter_facts(&mut self.aside, &view.facts).is_ok()
            && self.engine.state(&self.aside) == state;
        let new = self.met.len() as u32;
        let number = *self.numbers.entry(state.clone()).or_insert(new);
        if number == new {
            self.met.push(state);
        }
        Ok(Look { view, seen: self.seen.clone(), restored, number })
    }

    /// Plays a joint move; inside, what the engine has against it.
    ///
    /// # Errors
    ///
    /// When it is too much for the engine.
    pub fn play(&mut self, joint: &[Term]) -> Result<Result<(), String>, WorkLimit> {
        let numbered = self.engine.roles().iter().zip(joint);
        let ids: Option<Vec<MoveId>> =
            numbered.map(|(role, term)| self.engine.move_id(role, term)).collect();
        let Some(ids) = ids else { return Ok(Err("knows no such move".to_owned())) };
        self.see(&ids)?;
        match self.engine.step(&mut self.scratch, &ids) {
            Ok(()) => Ok(Ok(())),
            Err(StepError::Limit(limit)) => Err(limit),
            Err(error) => Ok(Err(format!("refuses the joint move: {error}"))),
        }
    }

    /// Asks what each role sees of a joint move.
    fn see(&mut self, joint: &[MoveId]) -> Result<(), WorkLimit> {
        self.seen.clear();
        if !self.engine.has_percepts() {
            return Ok(());
        }
        self.engine.enter(&mut self.aside, &self.engine.state(&self.scratch));
        match self.engine.percepts(&mut self.aside, joint) {
            Ok(seen) => self.seen = seen,
            Err(StepError::Limit(limit)) => return Err(limit),
            // The step is going to say so.
            Err(_) => self.seen.resize(self.engine.roles().count(), Vec::new()),
        }
        Ok(())
    }

    /// Goes back to a state that was met, by its [`Look::number`].
    pub fn enter(&mut self, number: u32) {
        self.seen.clear();
        self.engine.enter(&mut self.scratch, &self.met[number as usize]);
    }
}
