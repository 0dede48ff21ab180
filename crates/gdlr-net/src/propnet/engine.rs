//! The engine `propnet`: one state at a time, evaluated incrementally.

use super::circuit::Circuit;
use super::propagate::Scratch;
use crate::ground::GroundError;
use crate::net::{Input, InputId, InputsByMove, LANES, Net, Operation, Percepts, Signal, Tuning};
use fixedbitset::FixedBitSet;
use gdlr_engine::engine::{
    Engine, FactError, GoalError, MoveId, RoleId, Roles, StepError, WorkLimit, fact_hash,
};
use gdlr_rules::gdl::{Game, SymbolTable, Term};
use gdlr_text::budget::{Budget, Exhausted, Meter};
use gdlr_text::decisions::{Decisions, Part, Stage};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::fmt;
use std::sync::Arc;

/// A state of the engine `propnet`: the latches that are true.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct State {
    bits: FixedBitSet,
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.bits.ones()).finish()
    }
}

impl State {
    /// The state with these values of the latches.
    fn of(latches: &[bool]) -> State {
        let mut bits = FixedBitSet::with_capacity(latches.len());
        latches.iter().enumerate().for_each(|(place, &value)| bits.set(place, value));
        State { bits }
    }

    /// The initial state of a net.
    pub fn initial(net: &Net) -> State {
        let initial: Vec<bool> = net.latches.iter().map(|latch| latch.initial).collect();
        State::of(&initial)
    }

    /// How much memory it takes beside itself.
    pub fn bytes(&self) -> usize {
        size_of_val(self.bits.as_slice())
    }

    /// The same with all latches false but these.
    pub fn only(&self, latches: &FixedBitSet) -> State {
        let mut bits = self.bits.clone();
        bits.intersect_with(latches);
        State { bits }
    }

    /// The latches that are not the same in both.
    pub fn differences<'a>(&'a self, other: &'a State) -> impl Iterator<Item = usize> + 'a {
        self.bits.symmetric_difference(&other.bits)
    }

    /// The latches that are true, in order.
    pub fn true_latches(&self) -> impl Iterator<Item = usize> {
        self.bits.ones()
    }

    /// The values of the latches, 64 a word, the first the lowest bit of the first word.
    pub fn words(&self) -> impl ExactSizeIterator<Item = u64> {
        (0..self.bits.len().div_ceil(64)).map(|number| self.word(number))
    }

    /// The state of a net with so many latches that has these [`words`](Self::words). `None` if
    /// they are too many or too few, or say something of latches that there are not. Whether play
    /// comes to it is not known.
    pub fn from_words(latches: usize, words: &[u64]) -> Option<State> {
        let (whole, rest) = (latches / 64, latches % 64);
        let fits = words.len() == latches.div_ceil(64)
            && words.get(whole).is_none_or(|last| last >> rest == 0);
        fits.then(|| State::of_words(latches, words))
    }

    /// The state with these latches, so many, 64 a word.
    pub fn of_words(latches: usize, words: &[u64]) -> State {
        let blocks = words.iter().flat_map(|&word| {
            (0..Self::BLOCKS).map(move |at| (word >> (at as u32 * usize::BITS)) as usize)
        });
        State { bits: FixedBitSet::with_capacity_and_blocks(latches, blocks) }
    }

    /// How many blocks of the set a word of 64 bits is.
    const BLOCKS: usize = (u64::BITS / usize::BITS) as usize;

    /// The values of 64 latches, the first the lowest bit: those of the word with this number.
    #[inline]
    pub fn word(&self, number: usize) -> u64 {
        let blocks = &self.bits.as_slice()[number * Self::BLOCKS..];
        let blocks = blocks.iter().take(Self::BLOCKS).enumerate();
        blocks.fold(0, |word, (at, &block)| word | (block as u64) << (at as u32 * usize::BITS))
    }

    /// The value of a latch.
    pub fn latch(&self, place: u32) -> bool {
        self.bits.contains(place as usize)
    }
}

/// A game as a propositional net, ready to be played.
#[derive(Clone, Debug)]
pub struct Propnet {
    game: Arc<Game>,
    net: Net,
    circuit: Circuit,
    percepts: Percepts,
    roles: Roles,
    /// Moves have the numbers of the net's inputs.
    inputs: InputsByMove,
    /// The hash of a state without a true latch, and the change that each latch makes.
    hash: (u64, Vec<u64>),
    /// By goal: its value, if that is an integer from 0 to 100.
    goal_values: Vec<Option<u8>>,
    initial: State,
    /// At the initial state; what every scratch starts as.
    fresh: Scratch,
    decisions: Decisions,
}

impl Propnet {
    /// The decisions of its layout. Those of the net's making are
    /// no part of that, see [`Net::tuned`].
    pub fn decisions(&self) -> &Decisions {
        &self.decisions
    }

    /// Writes a joint move, if it is legal, where a step finds it.
    #[inline]
    fn choose(&self, scratch: &mut Scratch, joint: &[MoveId]) -> Result<(), StepError> {
        if scratch.terminal {
            return Err(StepError::Terminal);
        }
        if joint.len() != usize::from(self.net.roles) {
            return Err(StepError::WrongLength);
        }
        for (role, id) in joint.iter().enumerate() {
            let is_own = |input: &Input| input.role.index() == role;
            let is_legal = self.net.inputs.get(id.index()).is_some_and(is_own)
                && scratch.is_legal(&self.circuit, id.0);
            if !is_legal {
                return Err(StepError::Illegal(RoleId(role as u16)));
            }
            scratch.joint[role] = id.0;
        }
        Ok(())
    }

    /// Compiles a game: grounds it, makes a net of it, optimises that (see [`Net::within`]) and
    /// lays it out.
    ///
    /// # Errors
    ///
    /// When the rulesheet is refused or the budget runs out.
    pub fn new(game: impl Into<Arc<Game>>, budget: &Budget<'_>) -> Result<Propnet, GroundError> {
        let (game, meter) = (game.into(), budget.start());
        let net = Net::within(game.clone(), &meter)?;
        Ok(Propnet::within(game, net, &meter)?)
    }

    /// The engine of a net; `game` is what the net was made from.
    pub fn of_net(game: impl Into<Arc<Game>>, net: Net) -> Propnet {
        Propnet::within(game, net, &Meter::unlimited()).expect("there is no limit")
    }

    /// The same, within a budget.
    ///
    /// # Errors
    ///
    /// When the budget runs out.
    pub fn within(
        game: impl Into<Arc<Game>>,
        net: Net,
        meter: &Meter<'_>,
    ) -> Result<Propnet, Exhausted> {
        Propnet::tuned(game, net, &Tuning::default(), meter)
    }

    /// The same, by bounds of one's own.
    ///
    /// # Errors
    ///
    /// When the budget runs out.
    pub fn tuned(
        game: impl Into<Arc<Game>>,
        net: Net,
        tuning: &Tuning,
        meter: &Meter<'_>,
    ) -> Result<Propnet, Exhausted> {
        let stage = Stage::begin(Part::Net, "circuit");
        let (game, mut decisions) = (game.into(), Decisions::default());
        let circuit = Circuit::new(&net, tuning, meter, &mut decisions)?;
        let percepts = Percepts::of(&net);
        let roles = Roles::of(&game);
        let inputs = InputsByMove::of(&net);
        let hash = hash_keys(&net, &game.symbols);
        let goal_values = net.goals.iter().map(|goal| goal.points(&game.symbols)).collect();
        let initial = State::initial(&net);
        let mut fresh = Scratch::new(&circuit);
        fresh.enter(&circuit, &initial.bits);
        meter.check()?;
        stage.end();
        Ok(Propnet {
            game,
            decisions,
            net,
            circuit,
            percepts,
            roles,
            inputs,
            hash,
            goal_values,
            initial,
            fresh,
        })
    }

    /// The rules that are played.
    pub fn game(&self) -> &Arc<Game> {
        &self.game
    }

    /// Whether a move is legal where a scratch is; never in a terminal state. Constant time.
    pub fn is_legal(&self, scratch: &Scratch, id: MoveId) -> bool {
        !scratch.terminal && scratch.is_legal(&self.circuit, id.0)
    }

    /// The net that is played.
    pub fn net(&self) -> &Net {
        &self.net
    }
}

/// The hash of a state without a true latch, and the change of each true latch, so that it
/// becomes the exclusive or of the hashes of the facts.
fn hash_keys(net: &Net, symbols: &SymbolTable) -> (u64, Vec<u64>) {
    let (mut all, mut latches) = (0, vec![0; net.latches.len()]);
    for fluent in &net.fluents {
        let key = fact_hash(&fluent.fact, symbols);
        let signal = fluent.signal;
        if let Operation::Latch(latch) = net.operation(signal.gate()) {
            latches[latch.index()] ^= key;
        }
        // Facts that are true while their latch is not, or always.
        let always = signal == Signal::TRUE;
        all ^= if always || !signal.is_constant() && signal.is_negated() { key } else { 0 };
    }
    (all, latches)
}

impl Engine for Propnet {
    type State = State;
    type Scratch = Scratch;

    fn roles(&self) -> &Roles {
        &self.roles
    }

    fn symbols(&self) -> &SymbolTable {
        &self.game.symbols
    }

    fn moves(&self) -> Option<usize> {
        Some(self.net.inputs.len())
    }

    fn initial(&self) -> &State {
        &self.initial
    }

    fn scratch(&self) -> Scratch {
        self.fresh.clone()
    }

    fn enter(&self, scratch: &mut Scratch, state: &State) {
        scratch.enter(&self.circuit, &state.bits);
    }

    fn enter_facts(&self, scratch: &mut Scratch, facts: &[Term]) -> Result<(), FactError> {
        let state = State::of(&self.net.latches_of(facts)?);
        self.enter(scratch, &state);
        Ok(())
    }

    fn save(&self, scratch: &Scratch, state: &mut State) {
        if state.bits.len() != self.initial.bits.len() {
            state.clone_from(&self.initial);
        }
        state.bits.as_mut_slice().copy_from_slice(&scratch.bits);
    }

    fn terminal(&self, scratch: &mut Scratch) -> Result<bool, WorkLimit> {
        Ok(scratch.terminal)
    }

    fn legal(
        &self,
        scratch: &mut Scratch,
        role: RoleId,
        moves: &mut Vec<MoveId>,
    ) -> Result<(), WorkLimit> {
        moves.clear();
        if role.0 < self.net.roles && !scratch.terminal {
            scratch.legal(&self.circuit, role.index(), moves);
        }
        Ok(())
    }

    fn random_legal(
        &self,
        scratch: &mut Scratch,
        role: RoleId,
        _: &mut Vec<MoveId>,
        rng: &mut Xoshiro256PlusPlus,
    ) -> Result<Option<MoveId>, WorkLimit> {
        let moves = role.0 < self.net.roles && !scratch.terminal;
        Ok(moves.then(|| scratch.random_legal(&self.circuit, role.index(), rng)).flatten())
    }

    fn goal(&self, scratch: &mut Scratch, role: RoleId) -> Result<u8, GoalError> {
        scratch.know_goals(&self.circuit);
        let goals = self.net.goals.iter().zip(&self.goal_values).zip(&self.circuit.goals);
        let mut held = goals
            .filter(|((goal, _), source)| goal.role == role && scratch.read(**source))
            .map(|((goal, value), _)| (goal, *value));
        match (held.next(), held.next()) {
            (Some((_, Some(value))), None) => Ok(value),
            (first, second) => {
                let all = first.into_iter().chain(second).chain(held);
                GoalError::only_value(
                    all.map(|(goal, value)| (goal.value.clone(), value)).collect(),
                )
            }
        }
    }

    fn step(&self, scratch: &mut Scratch, joint: &[MoveId]) -> Result<(), StepError> {
        self.choose(scratch, joint)?;
        scratch.step(&self.circuit);
        Ok(())
    }

    fn has_percepts(&self) -> bool {
        self.game.has_percepts()
    }

    fn percepts(
        &self,
        scratch: &mut Scratch,
        joint: &[MoveId],
    ) -> Result<Vec<Vec<Term>>, StepError> {
        self.choose(scratch, joint)?;
        let state = self.state(scratch);
        let one = std::iter::once((state.true_latches(), joint));
        Ok(self.percepts.seen(&self.net, one).alone(&self.roles))
    }

    fn agreeing(
        &self,
        _: &mut Scratch,
        tries: &[(&State, &[MoveId])],
        role: RoleId,
        observed: Option<&[Term]>,
        agrees: &mut dyn FnMut(usize, &[Vec<Term>]),
    ) {
        let is_player = |role: &RoleId| self.roles.random() != Some(*role);
        // Chance sees nothing.
        let observed = match observed {
            Some(terms) if !is_player(&role) && !terms.is_empty() => return,
            terms => terms.filter(|_| is_player(&role)),
        };
        let mut all = vec![Vec::new(); self.roles.count()];
        for (word, tries) in tries.chunks(LANES).enumerate() {
            let moves = tries.iter().map(|&(state, joint)| (state.true_latches(), joint));
            let seen = self.percepts.seen(&self.net, moves);
            let mut lanes = observed.map_or(seen.lanes(), |terms| seen.lanes_with(role, terms));
            while lanes != 0 {
                let lane = lanes.trailing_zeros() as usize;
                lanes &= lanes - 1;
                seen.write(&self.roles, lane, &mut all);
                agrees(word * LANES + lane, &all);
            }
        }
    }

    fn facts(&self, state: &State) -> Vec<Term> {
        self.net.facts(|latch| state.latch(latch.0)).cloned().collect()
    }

    fn state_bytes(&self, state: &State) -> usize {
        state.bytes()
    }

    fn state_hash(&self, state: &State) -> u64 {
        let (all, latches) = &self.hash;
        state.true_latches().fold(*all, |hash, latch| hash ^ latches[latch])
    }

    fn move_term(&self, id: MoveId) -> (RoleId, Term) {
        let (role, term) = self.net.move_of(InputId(id.0));
        (role, term.clone())
    }

    fn move_id(&self, role: RoleId, term: &Term) -> Option<MoveId> {
        self.inputs.find(&self.net, role, term).map(|input| MoveId(input.0))
    }
}
