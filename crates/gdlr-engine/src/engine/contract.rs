//! The trait that every engine implements.

use super::error::{FactError, GoalError, StepError, WorkLimit};
use super::hash::fact_hash;
use super::ids::{MoveId, RoleId, Roles};
use super::playout::{End, Playout};
use gdlr_rules::gdl::{SymbolTable, Term};
use gdlr_text::random::choose;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::fmt;
use std::hash::Hash;

/// A compiled game. The [module](super) says what holds for every engine.
pub trait Engine: Send + Sync + 'static {
    /// A state of the game: the set of facts that are true. Equal states have equal facts.
    type State: Clone + Eq + Hash + Send + Sync + fmt::Debug + 'static;
    /// Working memory; speaks of one state at a time.
    type Scratch: Clone + Send + Sync + 'static;

    /// The roles, in the order of joint moves.
    fn roles(&self) -> &Roles;

    /// The names of the symbols in the terms of this engine.
    fn symbols(&self) -> &SymbolTable;

    /// How many moves there are, if the engine knows all: then every [`MoveId`] is less.
    fn moves(&self) -> Option<usize>;

    /// The initial state.
    fn initial(&self) -> &Self::State;

    /// New working memory, at the initial state.
    fn scratch(&self) -> Self::Scratch;

    /// Makes the scratch speak of `state`. Costs time linear in the state.
    fn enter(&self, scratch: &mut Self::Scratch, state: &Self::State);

    /// Makes the scratch speak of the state in which just these facts are true; a fact may be
    /// named twice. Costs time linear in the facts and in the facts that the game can have.
    ///
    /// # Errors
    ///
    /// When that is no state of the game, as far as the engine can tell. The scratch then
    /// still speaks of the state that it spoke of.
    fn enter_facts(&self, scratch: &mut Self::Scratch, facts: &[Term]) -> Result<(), FactError>;

    /// Writes the state that the scratch speaks of into `state`, whatever is there. Allocates
    /// nothing if as large a state of this engine was there before.
    fn save(&self, scratch: &Self::Scratch, state: &mut Self::State);

    /// The state that the scratch speaks of.
    fn state(&self, scratch: &Self::Scratch) -> Self::State {
        let mut state = self.initial().clone();
        self.save(scratch, &mut state);
        state
    }

    /// Whether the state is terminal.
    ///
    /// # Errors
    ///
    /// When that is too much work.
    fn terminal(&self, scratch: &mut Self::Scratch) -> Result<bool, WorkLimit>;

    /// Replaces the content of `moves` by the legal moves of a role, each once: none in a
    /// terminal state, and none for a role that the game does not have.
    ///
    /// # Errors
    ///
    /// When that is too much work; `moves` is then empty.
    fn legal(
        &self,
        scratch: &mut Self::Scratch,
        role: RoleId,
        moves: &mut Vec<MoveId>,
    ) -> Result<(), WorkLimit>;

    /// One of the legal moves of a role, each with the same chance; `None` where it has none.
    /// `moves` is memory to use, and holds nothing afterwards that means anything. The move is
    /// the one that [`choose`] picks of what [`legal`](Engine::legal) gives; an engine that need
    /// not list them all does not.
    ///
    /// # Errors
    ///
    /// When that is too much work.
    fn random_legal(
        &self,
        scratch: &mut Self::Scratch,
        role: RoleId,
        moves: &mut Vec<MoveId>,
        rng: &mut Xoshiro256PlusPlus,
    ) -> Result<Option<MoveId>, WorkLimit> {
        self.legal(scratch, role, moves)?;
        Ok(choose(moves, rng))
    }

    /// The goal value of a role, in any state.
    ///
    /// # Errors
    ///
    /// When the rules give no value, several, or one that is no integer in 0..=100; when it
    /// is too much work to say.
    fn goal(&self, scratch: &mut Self::Scratch, role: RoleId) -> Result<u8, GoalError>;

    /// The payoff of a role in a terminal state: its goal value, or 0 for the role of chance where the
    /// rules give it none, as they need not (GDL-II).
    ///
    /// # Errors
    ///
    /// As for [`goal`](Engine::goal).
    fn payoff(&self, scratch: &mut Self::Scratch, role: RoleId) -> Result<u8, GoalError> {
        match self.goal(scratch, role) {
            Err(GoalError::Missing) if self.roles().random() == Some(role) => Ok(0),
            goal => goal,
        }
    }

    /// Plays a joint move, one move a role in their order.
    ///
    /// # Errors
    ///
    /// When the state is terminal, when a move is not legal, when there is not one for each
    /// role, when it is too much work. The scratch then still speaks of the same state.
    fn step(&self, scratch: &mut Self::Scratch, joint: &[MoveId]) -> Result<(), StepError>;

    /// Whether roles are told of a step what rules for `sees` say, and nothing else (GDL-II).
    /// Without such rules each is told the joint move.
    fn has_percepts(&self) -> bool {
        false
    }

    /// By role: what it is going to see if this joint move is played, its percepts by the rules for
    /// `sees`, each once, sorted. None in a game without such rules, and none for the role of
    /// chance. The scratch still speaks of the same state. Computed when it is asked for, and only
    /// then, for all roles at once: playouts pay nothing for it.
    ///
    /// # Errors
    ///
    /// As for [`step`](Engine::step).
    fn percepts(
        &self,
        scratch: &mut Self::Scratch,
        joint: &[MoveId],
    ) -> Result<Vec<Vec<Term>>, StepError> {
        let _ = (scratch, joint);
        Ok(vec![Vec::new(); self.roles().count()])
    }

    /// Asks of many joint moves, each with the state that it may be played in, which of them agree
    /// with what a role is told, its percepts in order; with `None` all do. `agrees` is called for
    /// those, in their order, with the place of each and what every role is going to see, by role.
    /// The joint moves must be legal; one of which it is too much work to say what roles see
    /// agrees with nothing. Afterwards the scratch speaks of any state.
    ///
    /// It is for engines that answer many questions at once; others ask
    /// [`percepts`](Engine::percepts).
    fn agreeing(
        &self,
        scratch: &mut Self::Scratch,
        tries: &[(&Self::State, &[MoveId])],
        role: RoleId,
        percepts: Option<&[Term]>,
        agrees: &mut dyn FnMut(usize, &[Vec<Term>]),
    ) {
        for (place, (state, joint)) in tries.iter().enumerate() {
            self.enter(scratch, state);
            if let Ok(seen) = self.percepts(scratch, joint)
                && percepts.is_none_or(|percepts| seen[role.index()] == percepts)
            {
                agrees(place, &seen);
            }
        }
    }

    /// The facts of a state, in no particular order.
    fn facts(&self, state: &Self::State) -> Vec<Term>;

    /// How much memory a state takes beside itself, behind what it points to, in bytes. An engine
    /// that does not say so is taken to need none.
    fn state_bytes(&self, state: &Self::State) -> usize {
        let _ = state;
        0
    }

    /// A hash of the facts of a state: the same in every run, on every machine, and on every
    /// engine of the same game. The exclusive or of [`fact_hash`](super::fact_hash) of its
    /// facts, so a fact more or less changes it in a known way (Zobrist, 1970).
    fn state_hash(&self, state: &Self::State) -> u64 {
        let symbols = self.symbols();
        self.facts(state).iter().fold(0, |hash, fact| hash ^ fact_hash(fact, symbols))
    }

    /// Whose move it is, and which. Not for a hot loop.
    ///
    /// # Panics
    ///
    /// When the engine has given no move this number.
    fn move_term(&self, id: MoveId) -> (RoleId, Term);

    /// The number of a role's move; `None` for a term that cannot be one. A move that has a
    /// number need not be legal in any state.
    fn move_id(&self, role: RoleId, term: &Term) -> Option<MoveId>;

    /// Plays random joint moves from the state of `scratch`, at most `most`, by a way that is faster
    /// than one step at a time, as far as that goes. Stops as well when `halted` says so, which is
    /// asked before the first step, and every few steps. Returns the number of joint moves. The
    /// moves are those that [`playout`](Engine::playout) plays with the same `rng`. An engine
    /// without such a way plays none.
    ///
    /// # Errors
    ///
    /// When a step is too much work.
    fn play_ahead(
        &self,
        scratch: &mut Self::Scratch,
        most: u64,
        rng: &mut Xoshiro256PlusPlus,
        halted: &mut dyn FnMut() -> bool,
    ) -> Result<u64, WorkLimit> {
        let _ = (scratch, most, rng, halted);
        Ok(0)
    }

    /// Plays from the state of `scratch`: every role takes one of its legal moves, each with
    /// the same chance, until a terminal state, at most as often as `playout` says. `halted` is
    /// asked before every step whether to break off.
    ///
    /// # Panics
    ///
    /// When the engine does not play a joint move of moves that it calls legal.
    fn playout(
        &self,
        scratch: &mut Self::Scratch,
        playout: &mut Playout,
        rng: &mut Xoshiro256PlusPlus,
        halted: &mut dyn FnMut() -> bool,
    ) -> End {
        playout.history.clear();
        // A game without roles has no move to remember, and no engine plays one.
        playout.roles = self.roles().count().max(1);
        playout.steps = 0;
        loop {
            if !playout.keeps_history {
                let most = playout.max_steps - playout.steps;
                match self.play_ahead(scratch, most, rng, halted) {
                    Ok(steps) => playout.steps += steps,
                    Err(limit) => return End::Limit(limit),
                }
            }
            match self.terminal(scratch) {
                Ok(false) => {}
                Ok(true) => return End::Terminal,
                Err(limit) => return End::Limit(limit),
            }
            if playout.steps == playout.max_steps {
                return End::Capped;
            }
            if halted() {
                return End::Halted;
            }
            playout.joint.clear();
            for role in self.roles().iter() {
                match self.random_legal(scratch, role, &mut playout.legal, rng) {
                    Ok(Some(id)) => playout.joint.push(id),
                    Ok(None) => return End::Stuck(role),
                    Err(limit) => return End::Limit(limit),
                }
            }
            if let Err(error) = self.step(scratch, &playout.joint) {
                match error {
                    StepError::Limit(limit) => return End::Limit(limit),
                    error => panic!("an engine plays the moves that it calls legal: {error}"),
                }
            }
            if playout.keeps_history {
                playout.history.extend_from_slice(&playout.joint);
            }
            playout.steps += 1;
        }
    }
}
