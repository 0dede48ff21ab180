//! An engine whose type is not known: for commands, servers and lists of engines.
//!
//! A call goes through a table of functions, and states and scratches are boxed: some
//! nanoseconds a question. A whole [playout](Engine::playout) is one call.

use super::{
    End, Engine, FactError, GoalError, MoveId, Playout, RoleId, Roles, StepError, WorkLimit,
};
use gdlr_rules::gdl::{SymbolTable, Term};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::any::Any;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// The questions to an engine of any type, in terms of [`AnyState`] and [`AnyScratch`]. The
/// methods are those of [`Engine`].
trait DynEngine: Send + Sync + Any {
    fn dyn_roles(&self) -> &Roles;
    fn dyn_symbols(&self) -> &SymbolTable;
    fn dyn_moves(&self) -> Option<usize>;
    fn dyn_initial(&self) -> AnyState;
    fn dyn_scratch(&self) -> AnyScratch;
    fn dyn_enter(&self, scratch: &mut AnyScratch, state: &AnyState);
    fn dyn_enter_facts(&self, scratch: &mut AnyScratch, facts: &[Term]) -> Result<(), FactError>;
    fn dyn_save(&self, scratch: &AnyScratch, state: &mut AnyState);
    fn dyn_terminal(&self, scratch: &mut AnyScratch) -> Result<bool, WorkLimit>;
    fn dyn_legal(
        &self,
        scratch: &mut AnyScratch,
        role: RoleId,
        moves: &mut Vec<MoveId>,
    ) -> Result<(), WorkLimit>;
    fn dyn_goal(&self, scratch: &mut AnyScratch, role: RoleId) -> Result<u8, GoalError>;
    fn dyn_step(&self, scratch: &mut AnyScratch, joint: &[MoveId]) -> Result<(), StepError>;
    fn dyn_has_percepts(&self) -> bool;
    fn dyn_percepts(
        &self,
        scratch: &mut AnyScratch,
        joint: &[MoveId],
    ) -> Result<Vec<Vec<Term>>, StepError>;
    fn dyn_agreeing(
        &self,
        scratch: &mut AnyScratch,
        tries: &[(&AnyState, &[MoveId])],
        role: RoleId,
        percepts: Option<&[Term]>,
        agrees: &mut dyn FnMut(usize, &[Vec<Term>]),
    );
    fn dyn_facts(&self, state: &AnyState) -> Vec<Term>;
    fn dyn_state_bytes(&self, state: &AnyState) -> usize;
    fn dyn_state_hash(&self, state: &AnyState) -> u64;
    fn dyn_move_term(&self, id: MoveId) -> (RoleId, Term);
    fn dyn_move_id(&self, role: RoleId, term: &Term) -> Option<MoveId>;
    fn dyn_random_legal(
        &self,
        scratch: &mut AnyScratch,
        role: RoleId,
        moves: &mut Vec<MoveId>,
        rng: &mut Xoshiro256PlusPlus,
    ) -> Result<Option<MoveId>, WorkLimit>;
    fn dyn_playout(
        &self,
        scratch: &mut AnyScratch,
        playout: &mut Playout,
        rng: &mut Xoshiro256PlusPlus,
        halted: &mut dyn FnMut() -> bool,
    ) -> End;
    fn dyn_play_ahead(
        &self,
        scratch: &mut AnyScratch,
        most: u64,
        rng: &mut Xoshiro256PlusPlus,
        halted: &mut dyn FnMut() -> bool,
    ) -> Result<u64, WorkLimit>;
}

impl<E: Engine> DynEngine for E {
    fn dyn_roles(&self) -> &Roles {
        self.roles()
    }

    fn dyn_symbols(&self) -> &SymbolTable {
        self.symbols()
    }

    fn dyn_moves(&self) -> Option<usize> {
        self.moves()
    }

    fn dyn_initial(&self) -> AnyState {
        AnyState(Box::new(self.initial().clone()))
    }

    fn dyn_scratch(&self) -> AnyScratch {
        AnyScratch(Box::new(self.scratch()))
    }

    fn dyn_enter(&self, scratch: &mut AnyScratch, state: &AnyState) {
        self.enter(scratch.inner(), state.inner());
    }

    fn dyn_enter_facts(&self, scratch: &mut AnyScratch, facts: &[Term]) -> Result<(), FactError> {
        self.enter_facts(scratch.inner(), facts)
    }

    fn dyn_save(&self, scratch: &AnyScratch, state: &mut AnyState) {
        let scratch: &dyn Any = &*scratch.0;
        let scratch = scratch.downcast_ref().expect(OTHER);
        let state: &mut dyn Any = &mut *state.0;
        self.save(scratch, state.downcast_mut().expect(OTHER));
    }

    fn dyn_terminal(&self, scratch: &mut AnyScratch) -> Result<bool, WorkLimit> {
        self.terminal(scratch.inner())
    }

    fn dyn_legal(
        &self,
        scratch: &mut AnyScratch,
        role: RoleId,
        moves: &mut Vec<MoveId>,
    ) -> Result<(), WorkLimit> {
        self.legal(scratch.inner(), role, moves)
    }

    fn dyn_goal(&self, scratch: &mut AnyScratch, role: RoleId) -> Result<u8, GoalError> {
        self.goal(scratch.inner(), role)
    }

    fn dyn_step(&self, scratch: &mut AnyScratch, joint: &[MoveId]) -> Result<(), StepError> {
        self.step(scratch.inner(), joint)
    }

    fn dyn_has_percepts(&self) -> bool {
        self.has_percepts()
    }

    fn dyn_percepts(
        &self,
        scratch: &mut AnyScratch,
        joint: &[MoveId],
    ) -> Result<Vec<Vec<Term>>, StepError> {
        self.percepts(scratch.inner(), joint)
    }

    fn dyn_agreeing(
        &self,
        scratch: &mut AnyScratch,
        tries: &[(&AnyState, &[MoveId])],
        role: RoleId,
        percepts: Option<&[Term]>,
        agrees: &mut dyn FnMut(usize, &[Vec<Term>]),
    ) {
        let tries: Vec<_> = tries.iter().map(|&(state, joint)| (state.inner(), joint)).collect();
        self.agreeing(scratch.inner(), &tries, role, percepts, agrees);
    }

    fn dyn_facts(&self, state: &AnyState) -> Vec<Term> {
        self.facts(state.inner())
    }

    fn dyn_state_bytes(&self, state: &AnyState) -> usize {
        size_of::<E::State>() + self.state_bytes(state.inner())
    }

    fn dyn_state_hash(&self, state: &AnyState) -> u64 {
        self.state_hash(state.inner())
    }

    fn dyn_move_term(&self, id: MoveId) -> (RoleId, Term) {
        self.move_term(id)
    }

    fn dyn_move_id(&self, role: RoleId, term: &Term) -> Option<MoveId> {
        self.move_id(role, term)
    }

    fn dyn_random_legal(
        &self,
        scratch: &mut AnyScratch,
        role: RoleId,
        moves: &mut Vec<MoveId>,
        rng: &mut Xoshiro256PlusPlus,
    ) -> Result<Option<MoveId>, WorkLimit> {
        self.random_legal(scratch.inner(), role, moves, rng)
    }

    fn dyn_playout(
        &self,
        scratch: &mut AnyScratch,
        playout: &mut Playout,
        rng: &mut Xoshiro256PlusPlus,
        halted: &mut dyn FnMut() -> bool,
    ) -> End {
        self.playout(scratch.inner(), playout, rng, halted)
    }

    fn dyn_play_ahead(
        &self,
        scratch: &mut AnyScratch,
        most: u64,
        rng: &mut Xoshiro256PlusPlus,
        halted: &mut dyn FnMut() -> bool,
    ) -> Result<u64, WorkLimit> {
        self.play_ahead(scratch.inner(), most, rng, halted)
    }
}

/// The message about a state or scratch that was made for another engine.
const OTHER: &str = "states and scratches belong to their engine";

/// The operations on a state of any type.
trait ErasedState: Any + Send + Sync {
    fn cloned(&self) -> Box<dyn ErasedState>;
    fn is_equal(&self, other: &dyn ErasedState) -> bool;
    fn hash_into(&self, hasher: &mut dyn Hasher);
    fn debug(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result;
}

impl<S: Clone + Eq + Hash + Send + Sync + fmt::Debug + 'static> ErasedState for S {
    fn cloned(&self) -> Box<dyn ErasedState> {
        Box::new(self.clone())
    }

    fn is_equal(&self, other: &dyn ErasedState) -> bool {
        let other: &dyn Any = other;
        other.downcast_ref::<S>() == Some(self)
    }

    fn hash_into(&self, mut hasher: &mut dyn Hasher) {
        self.hash(&mut hasher);
    }

    fn debug(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.fmt(f)
    }
}

/// The operations on a scratch of any type.
trait ErasedScratch: Any + Send + Sync {
    fn cloned(&self) -> Box<dyn ErasedScratch>;
}

impl<S: Clone + Send + Sync + 'static> ErasedScratch for S {
    fn cloned(&self) -> Box<dyn ErasedScratch> {
        Box::new(self.clone())
    }
}

/// A state of an engine of any type. States of engines of different types are not equal.
pub struct AnyState(Box<dyn ErasedState>);

impl AnyState {
    /// Forgets the type of a state. An [`AnyEngine`] of an engine with such states takes it for
    /// one of its own.
    pub fn new<S: Clone + Eq + Hash + Send + Sync + fmt::Debug + 'static>(state: S) -> AnyState {
        AnyState(Box::new(state))
    }

    /// The state as one of an engine of a known type.
    pub fn downcast_ref<S: 'static>(&self) -> Option<&S> {
        let state: &dyn Any = &*self.0;
        state.downcast_ref()
    }

    fn inner<S: 'static>(&self) -> &S {
        let state: &dyn Any = &*self.0;
        state.downcast_ref().expect(OTHER)
    }
}

impl Clone for AnyState {
    fn clone(&self) -> Self {
        AnyState((*self.0).cloned())
    }
}

impl PartialEq for AnyState {
    fn eq(&self, other: &Self) -> bool {
        self.0.is_equal(&*other.0)
    }
}

impl Eq for AnyState {}

impl Hash for AnyState {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.0.hash_into(hasher);
    }
}

impl fmt::Debug for AnyState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.debug(f)
    }
}

/// Working memory of an engine of any type.
pub struct AnyScratch(Box<dyn ErasedScratch>);

impl AnyScratch {
    fn inner<S: 'static>(&mut self) -> &mut S {
        let scratch: &mut dyn Any = &mut *self.0;
        scratch.downcast_mut().expect(OTHER)
    }
}

impl Clone for AnyScratch {
    fn clone(&self) -> Self {
        AnyScratch((*self.0).cloned())
    }
}

impl fmt::Debug for AnyScratch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AnyScratch")
    }
}

/// An engine of any type, which is an [`Engine`] itself. Cheap to clone: all clones are the same
/// engine.
///
/// Its methods panic when they are given a state or a scratch of an engine of another type.
#[derive(Clone)]
pub struct AnyEngine {
    inner: Arc<dyn DynEngine>,
    initial: AnyState,
}

impl AnyEngine {
    /// Forgets the type of an engine.
    pub fn new<E: Engine>(engine: E) -> AnyEngine {
        AnyEngine::shared(Arc::new(engine))
    }

    /// Forgets the type of an engine that is shared.
    pub fn shared<E: Engine>(engine: Arc<E>) -> AnyEngine {
        AnyEngine { initial: engine.dyn_initial(), inner: engine }
    }

    /// Whether both are the same engine, so that states and scratches go over.
    pub fn is(&self, other: &AnyEngine) -> bool {
        std::ptr::addr_eq(Arc::as_ptr(&self.inner), Arc::as_ptr(&other.inner))
    }

    /// The engine, if it is of this type.
    pub fn downcast_ref<E: Engine>(&self) -> Option<&E> {
        let engine: &dyn Any = &*self.inner;
        engine.downcast_ref()
    }
}

impl fmt::Debug for AnyEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnyEngine").field("roles", self.roles()).finish_non_exhaustive()
    }
}

impl Engine for AnyEngine {
    type State = AnyState;
    type Scratch = AnyScratch;

    fn roles(&self) -> &Roles {
        self.inner.dyn_roles()
    }

    fn symbols(&self) -> &SymbolTable {
        self.inner.dyn_symbols()
    }

    fn moves(&self) -> Option<usize> {
        self.inner.dyn_moves()
    }

    fn initial(&self) -> &AnyState {
        &self.initial
    }

    fn scratch(&self) -> AnyScratch {
        self.inner.dyn_scratch()
    }

    fn enter(&self, scratch: &mut AnyScratch, state: &AnyState) {
        self.inner.dyn_enter(scratch, state);
    }

    fn enter_facts(&self, scratch: &mut AnyScratch, facts: &[Term]) -> Result<(), FactError> {
        self.inner.dyn_enter_facts(scratch, facts)
    }

    fn save(&self, scratch: &AnyScratch, state: &mut AnyState) {
        self.inner.dyn_save(scratch, state);
    }

    fn terminal(&self, scratch: &mut AnyScratch) -> Result<bool, WorkLimit> {
        self.inner.dyn_terminal(scratch)
    }

    fn legal(
        &self,
        scratch: &mut AnyScratch,
        role: RoleId,
        moves: &mut Vec<MoveId>,
    ) -> Result<(), WorkLimit> {
        self.inner.dyn_legal(scratch, role, moves)
    }

    fn goal(&self, scratch: &mut AnyScratch, role: RoleId) -> Result<u8, GoalError> {
        self.inner.dyn_goal(scratch, role)
    }

    fn step(&self, scratch: &mut AnyScratch, joint: &[MoveId]) -> Result<(), StepError> {
        self.inner.dyn_step(scratch, joint)
    }

    fn has_percepts(&self) -> bool {
        self.inner.dyn_has_percepts()
    }

    fn percepts(
        &self,
        scratch: &mut AnyScratch,
        joint: &[MoveId],
    ) -> Result<Vec<Vec<Term>>, StepError> {
        self.inner.dyn_percepts(scratch, joint)
    }

    fn agreeing(
        &self,
        scratch: &mut AnyScratch,
        tries: &[(&AnyState, &[MoveId])],
        role: RoleId,
        percepts: Option<&[Term]>,
        agrees: &mut dyn FnMut(usize, &[Vec<Term>]),
    ) {
        self.inner.dyn_agreeing(scratch, tries, role, percepts, agrees);
    }

    fn facts(&self, state: &AnyState) -> Vec<Term> {
        self.inner.dyn_facts(state)
    }

    fn state_bytes(&self, state: &AnyState) -> usize {
        self.inner.dyn_state_bytes(state)
    }

    fn state_hash(&self, state: &AnyState) -> u64 {
        self.inner.dyn_state_hash(state)
    }

    fn move_term(&self, id: MoveId) -> (RoleId, Term) {
        self.inner.dyn_move_term(id)
    }

    fn move_id(&self, role: RoleId, term: &Term) -> Option<MoveId> {
        self.inner.dyn_move_id(role, term)
    }

    fn random_legal(
        &self,
        scratch: &mut AnyScratch,
        role: RoleId,
        moves: &mut Vec<MoveId>,
        rng: &mut Xoshiro256PlusPlus,
    ) -> Result<Option<MoveId>, WorkLimit> {
        self.inner.dyn_random_legal(scratch, role, moves, rng)
    }

    fn playout(
        &self,
        scratch: &mut AnyScratch,
        playout: &mut Playout,
        rng: &mut Xoshiro256PlusPlus,
        halted: &mut dyn FnMut() -> bool,
    ) -> End {
        self.inner.dyn_playout(scratch, playout, rng, halted)
    }

    fn play_ahead(
        &self,
        scratch: &mut AnyScratch,
        most: u64,
        rng: &mut Xoshiro256PlusPlus,
        halted: &mut dyn FnMut() -> bool,
    ) -> Result<u64, WorkLimit> {
        self.inner.dyn_play_ahead(scratch, most, rng, halted)
    }
}
