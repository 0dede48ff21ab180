//! An engine on its way through the states of a game, spoken to in terms.

use crate::engine::{
    AnyEngine, AnyScratch, AnyState, Engine, GoalError, MoveId, RoleId, StepError, WorkLimit,
};
use crate::gdl::Term;
use hashbrown::HashMap;

/// In one of so many states the facts are entered again as facts.
const RESTORED: u64 = 8;

/// An engine that takes part in a comparison, under the name that reports call it by.
#[derive(Clone, Debug)]
pub struct NamedEngine {
    /// What reports call it.
    pub name: String,
    /// The engine.
    pub engine: AnyEngine,
}

impl NamedEngine {
    /// An engine under a name.
    pub fn new(name: impl Into<String>, engine: AnyEngine) -> Self {
        NamedEngine { name: name.into(), engine }
    }
}

/// All that can be asked of a state. Terms are sorted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct View {
    pub facts: Vec<Term>,
    pub terminal: bool,
    /// By role.
    pub legal: Vec<Vec<Term>>,
    /// By role.
    pub goals: Vec<Result<u8, GoalError>>,
    /// The hash of the state.
    pub hash: u64,
    /// Whether the state, entered by its facts, is the same.
    pub restored: bool,
    /// The number of the state, in the order in which different states were met.
    pub number: u32,
}

/// An engine with a scratch of its own, and the states that it met.
pub(super) struct Walker {
    engine: AnyEngine,
    scratch: AnyScratch,
    numbers: HashMap<AnyState, u32>,
    /// By number.
    met: Vec<AnyState>,
    /// A buffer.
    moves: Vec<MoveId>,
}

impl Walker {
    /// The engine at the initial state.
    pub fn new(engine: &AnyEngine) -> Walker {
        Walker {
            scratch: engine.scratch(),
            engine: engine.clone(),
            numbers: HashMap::new(),
            met: Vec::new(),
            moves: Vec::new(),
        }
    }

    /// Asks all there is to ask about the state at hand, and remembers the state. `turn` says
    /// whether `terminal`, the legal moves or the goals are asked first: engines compute what
    /// they are asked for, and the order must not matter. Now and then the state is entered
    /// anew by its facts before that.
    ///
    /// # Errors
    ///
    /// When the state is too much for the engine.
    pub fn look(&mut self, turn: u64) -> Result<View, WorkLimit> {
        let state = self.engine.state(&self.scratch);
        let mut facts = self.engine.facts(&state);
        facts.sort_unstable();
        let restored = turn % RESTORED != 0
            || self.engine.enter_facts(&mut self.scratch, &facts).is_ok()
                && self.engine.state(&self.scratch) == state;
        let (mut terminal, mut legal, mut goals) = (false, Vec::new(), Vec::new());
        let roles = self.engine.roles().iter();
        for question in turn..turn + 3 {
            match question % 3 {
                0 => terminal = self.engine.terminal(&mut self.scratch)?,
                1 => {
                    legal = roles.clone().map(|role| self.legal(role)).collect::<Result<_, _>>()?
                }
                _ => goals = roles.clone().map(|role| self.goal(role)).collect::<Result<_, _>>()?,
            }
        }
        let hash = self.engine.state_hash(&state);
        let new = self.met.len() as u32;
        let number = *self.numbers.entry(state.clone()).or_insert(new);
        if number == new {
            self.met.push(state);
        }
        Ok(View { facts, terminal, legal, goals, hash, restored, number })
    }

    fn legal(&mut self, role: RoleId) -> Result<Vec<Term>, WorkLimit> {
        self.engine.legal(&mut self.scratch, role, &mut self.moves)?;
        let mut terms: Vec<Term> =
            self.moves.iter().map(|&id| self.engine.move_term(id).1).collect();
        terms.sort_unstable();
        Ok(terms)
    }

    fn goal(&mut self, role: RoleId) -> Result<Result<u8, GoalError>, WorkLimit> {
        match self.engine.goal(&mut self.scratch, role) {
            Err(GoalError::Limit(limit)) => Err(limit),
            goal => Ok(goal),
        }
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
        match self.engine.step(&mut self.scratch, &ids) {
            Ok(()) => Ok(Ok(())),
            Err(StepError::Limit(limit)) => Err(limit),
            Err(error) => Ok(Err(format!("refuses the joint move: {error}"))),
        }
    }

    /// Goes back to a state that was met, by its [`View::number`].
    pub fn enter(&mut self, number: u32) {
        self.engine.enter(&mut self.scratch, &self.met[number as usize]);
    }
}
