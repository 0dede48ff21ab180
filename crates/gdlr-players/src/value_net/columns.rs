//! The columns of a value net, for the facts and moves of an engine.

use super::ValueNet;
use super::error::{Mismatch, ValueNetError};
use gdlr_engine::engine::{AnyEngine, Engine, MoveId};
use gdlr_rules::gdl::{SymbolTable, Term};
use hashbrown::HashMap;
use rten::ThreadPool;
use smallvec::SmallVec;
use std::sync::Arc;

/// The places of one fact in an observation: one on a board, one on each square for what is on none.
type Places = SmallVec<[u32; 1]>;

/// What an engine and a value net have in common. Names are looked up once for each fact and move.
pub(crate) struct Columns {
    net: Arc<ValueNet>,
    facts: HashMap<String, Places>,
    actions: HashMap<String, u32>,
    known_facts: HashMap<Term, Places>,
    known_moves: HashMap<MoveId, Option<u32>>,
    /// A thread for this search alone: those of other matches have theirs.
    pool: Arc<ThreadPool>,
}

impl Columns {
    /// The columns of a net for an engine of the game that it was learned for.
    ///
    /// # Errors
    ///
    /// When the net was learned for another game, as far as its initial state tells.
    pub fn new(net: Arc<ValueNet>, engine: &AnyEngine) -> Result<Columns, Mismatch> {
        let words = net.words();
        if words.roles != engine.roles().names() {
            return Err(Mismatch::Roles);
        }
        let mut facts: HashMap<String, Places> = HashMap::new();
        for (place, fact) in (0..).zip(&words.observation) {
            if let Some(fact) = fact {
                facts.entry_ref(fact.as_str()).or_default().push(place);
            }
        }
        let actions = words.actions.iter().cloned().zip(0..).collect();
        let (known_facts, known_moves) = Default::default();
        let pool = Arc::new(ThreadPool::with_num_threads(1));
        let mut columns = Columns { net, facts, actions, known_facts, known_moves, pool };
        // Engines may have facts that the net was learned without, since they say nothing of the game: an
        // automaton has variables that nobody reads in the first state.
        let facts = engine.facts(engine.initial()).into_iter();
        let mut names = facts.map(|fact| fact.spelled(engine.symbols())).peekable();
        if let Some(first) = names.peek().cloned()
            && !names.any(|name| columns.facts.contains_key(&name))
        {
            return Err(Mismatch::Fact(first));
        }
        let (mut scratch, mut legal) = (engine.scratch(), Vec::new());
        for role in engine.roles().iter() {
            // A defect of the game is not one of the net.
            let _ = engine.legal(&mut scratch, role, &mut legal);
            if legal.len() < 2 {
                continue;
            }
            if let Some(&id) = legal.iter().find(|&&id| columns.action(engine, id).is_none()) {
                return Err(Mismatch::Move(engine.move_term(id).1.spelled(engine.symbols())));
            }
        }
        Ok(columns)
    }

    /// The net.
    pub fn net(&self) -> &ValueNet {
        &self.net
    }

    /// Evaluates positions, as [`ValueNet::evaluate`] does.
    pub fn evaluate(&self, observations: Vec<f32>) -> Result<(Vec<f32>, Vec<f32>), ValueNetError> {
        self.net.evaluate_on(&self.pool, observations)
    }

    /// The column of a move; `None` of one that the net does not know.
    pub fn action(&mut self, engine: &AnyEngine, id: MoveId) -> Option<u32> {
        let Columns { actions, known_moves, .. } = self;
        *known_moves.entry(id).or_insert_with(|| {
            let name = engine.move_term(id).1.spelled(engine.symbols());
            actions.get(&name).copied()
        })
    }

    /// Appends the observation of a state. Facts that the net does not know are left out.
    pub fn observe(&mut self, symbols: &SymbolTable, facts: &[Term], observations: &mut Vec<f32>) {
        let start = observations.len();
        observations.resize(start + self.net.places(), 0.0);
        for fact in facts {
            let places = match self.known_facts.get(fact) {
                Some(places) => places,
                None => {
                    let places = self.facts.get(&fact.spelled(symbols));
                    let places = places.cloned().unwrap_or_default();
                    self.known_facts.entry(fact.clone()).insert(places).into_mut()
                }
            };
            places.iter().for_each(|&place| observations[start + place as usize] = 1.0);
        }
    }
}

impl ValueNet {
    /// Whether it was learned for the game of an engine, as far as the initial state tells. Roles,
    /// facts and moves are compared by name.
    ///
    /// # Errors
    ///
    /// When it was learned for another game.
    pub fn suits(self: &Arc<ValueNet>, engine: &AnyEngine) -> Result<(), Mismatch> {
        Columns::new(self.clone(), engine).map(drop)
    }
}
