//! An engine with numbers for its moves, facts and percepts.

use super::vocabulary::Vocabulary;
use crate::engine::{AnyEngine, Engine, MoveId, RoleId, WorkLimit, choose, seeded};
use gdlr_rules::gdl::Term;
use hashbrown::{HashMap, HashSet};

/// How many random plays are looked at to see whether roles take turns.
const PLAYS: usize = 20;
/// How many states of them, all together, and of each.
const STATES: usize = 1000;
const STATES_OF_A_PLAY: usize = 200;

/// An engine whose moves, facts and percepts have numbers, for lanes.
///
/// A move that the vocabulary does not have is never offered, and a fact or percept that it does
/// not have is not shown. If roles were never seen to choose at the same time, they are taken to
/// take turns; the moves that a role had to play meanwhile are those with which it waits.
#[derive(Clone, Debug)]
pub struct NumberedEngine {
    engine: AnyEngine,
    words: Vocabulary,
    moves: HashMap<Term, u32>,
    facts: HashMap<Term, u32>,
    percepts: HashMap<Term, u32>,
    is_simultaneous: bool,
    /// By role: the moves with which it waits.
    waits: Vec<HashSet<MoveId>>,
}

impl NumberedEngine {
    /// Numbers what an engine says by the places of a vocabulary. Plays some games at random, the
    /// same each time: no more than a thousand states.
    pub fn new(engine: AnyEngine, vocabulary: Vocabulary) -> NumberedEngine {
        let number = |terms: &[Term]| terms.iter().cloned().zip(0..).collect();
        let mut numbered = NumberedEngine {
            moves: number(&vocabulary.moves),
            facts: number(&vocabulary.facts),
            percepts: number(&vocabulary.percepts),
            words: vocabulary,
            is_simultaneous: false,
            waits: vec![HashSet::new(); engine.roles().count()],
            engine,
        };
        let mut left = STATES;
        for play in 0..PLAYS {
            // A state that is too much work ends a play.
            let _ = numbered.look_at_play(play, &mut left);
        }
        numbered
    }

    /// Plays at random, and sees who chooses when and who waits how.
    fn look_at_play(&mut self, play: usize, left: &mut usize) -> Result<(), WorkLimit> {
        let engine = self.engine.clone();
        let mut random = seeded(play as u64, 0);
        let mut scratch = engine.scratch();
        let mut legal: Vec<Vec<MoveId>> = vec![Vec::new(); engine.roles().count()];
        for _ in 0..STATES_OF_A_PLAY.min(*left) {
            *left -= 1;
            if engine.terminal(&mut scratch)? {
                break;
            }
            for (role, legal) in engine.roles().iter().zip(&mut legal) {
                engine.legal(&mut scratch, role, legal)?;
            }
            let players: Vec<RoleId> = self.players().collect();
            let has_choice = |role: &&RoleId| legal[role.index()].len() > 1;
            let choosing = players.iter().filter(has_choice).count();
            self.is_simultaneous |= choosing > 1;
            for role in players {
                if let [only] = legal[role.index()][..]
                    && choosing == 1
                {
                    self.waits[role.index()].insert(only);
                }
            }
            let joint = legal.iter().map(|legal| choose(legal, &mut random));
            let Some(joint) = joint.collect::<Option<Vec<MoveId>>>() else { break };
            if engine.step(&mut scratch, &joint).is_err() {
                break;
            }
        }
        Ok(())
    }

    /// The engine.
    pub fn engine(&self) -> &AnyEngine {
        &self.engine
    }

    /// The moves, facts and percepts that its numbers stand for.
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.words
    }

    /// Whether roles choose at the same time.
    pub fn is_simultaneous(&self) -> bool {
        self.is_simultaneous
    }

    /// The roles without chance.
    pub(super) fn players(&self) -> impl Iterator<Item = RoleId> + use<> {
        let chance = self.engine.roles().random();
        self.engine.roles().iter().filter(move |&role| chance != Some(role))
    }

    /// The action of a move.
    pub(super) fn number(&self, id: MoveId) -> Option<u32> {
        self.moves.get(&self.engine.move_term(id).1).copied()
    }

    /// The number of a fact.
    pub(super) fn fact(&self, fact: &Term) -> Option<u32> {
        self.facts.get(fact).copied()
    }

    /// The number of a percept.
    pub(super) fn percept(&self, percept: &Term) -> Option<u32> {
        self.percepts.get(percept).copied()
    }

    /// Whether a role waits with a move.
    pub(super) fn waits(&self, role: RoleId, id: MoveId) -> bool {
        self.waits[role.index()].contains(&id)
    }
}
