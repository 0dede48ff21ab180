//! The estimate of a state that is no end: what its facts were worth in random play.
//!
//! Each fact has a weight, and the sum of the weights of the facts that are true is the logit of
//! the share that the first role gets. The weights are learned by logistic regression, before and
//! while a search runs: random walks lead from the root to states, and the mean result of random
//! playouts from each is its target. So an estimate needs no playout of its own, and costs time
//! linear in the facts of the state.

use crate::search::leaves::{Leaves, StateOf};
use gdlr_engine::engine::{Engine, MoveId};
use gdlr_rules::gdl::Term;
use hashbrown::HashMap;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

/// How many states are learned from at once, and how many playouts each gets: in lanes…
const IN_LANES: (usize, u64) = (64, 16);

/// … and one by one.
const ONE_BY_ONE: (usize, u64) = (8, 2);

/// How many states of one walk are taken.
const OF_A_WALK: usize = 4;

/// The longest walk.
const MOST_STEPS: usize = 1000;

/// How many states are remembered, to be learned from again…
const MOST_SAMPLES: usize = 4096;

/// … so many of them each time.
const AGAIN: usize = 1024;

/// How far a sample moves the weights, all of its facts together.
const RATE: f32 = 2.0;

/// How many facts have a weight of their own at most.
const MOST_FACTS: usize = 1 << 20;

/// A state with what random play from it brought.
#[derive(Debug)]
struct Sample {
    facts: Vec<u32>,
    /// The share of the first role, from 0 to 1.
    share: f32,
}

/// The weights of facts.
#[derive(Debug)]
pub(in crate::search) struct Evaluation {
    /// By fact.
    weights: Vec<Weight>,
    /// The numbers of facts, where the engine has no net that numbers them.
    numbers: HashMap<Term, u32>,
    /// The last ones, the place of the oldest, and those of a round.
    samples: Vec<Sample>,
    oldest: usize,
    /// Memory to use.
    facts: Vec<u32>,
    moves: Vec<MoveId>,
    joint: Vec<MoveId>,
}

#[derive(Clone, Copy, Debug)]
struct Weight {
    weight: f32,
    /// The sum of the squares of its gradients, by which steps become smaller (AdaGrad: Duchi and
    /// others, 2011).
    squares: f32,
}

impl Evaluation {
    pub fn new() -> Evaluation {
        let (weights, numbers, samples) = (Vec::new(), HashMap::new(), Vec::new());
        let (facts, moves, joint) = (Vec::new(), Vec::new(), Vec::new());
        Evaluation { weights, numbers, samples, oldest: 0, facts, moves, joint }
    }

    /// The expected result of the first role, from -1 (the other role wins all) to 1.
    pub fn estimate<L: Leaves>(&mut self, engine: &L::Engine, state: &StateOf<L>) -> f32 {
        let mut facts = std::mem::take(&mut self.facts);
        self.number::<L>(engine, state, &mut facts);
        let sum = self.sum(&facts);
        self.facts = facts;
        (sum / 2.0).tanh()
    }

    fn sum(&self, facts: &[u32]) -> f32 {
        let weight = |&fact: &u32| self.weights.get(fact as usize).map_or(0.0, |one| one.weight);
        facts.iter().map(weight).sum()
    }

    /// The numbers of the facts of a state.
    fn number<L: Leaves>(&mut self, engine: &L::Engine, state: &StateOf<L>, into: &mut Vec<u32>) {
        into.clear();
        match L::net_state(state) {
            Some(state) => into.extend(state.true_latches().map(|latch| latch as u32)),
            None => {
                for fact in engine.facts(state) {
                    let next = self.numbers.len();
                    let number = match self.numbers.get(&fact) {
                        Some(&number) => number,
                        None if next < MOST_FACTS => {
                            self.numbers.insert(fact, next as u32);
                            next as u32
                        }
                        None => continue,
                    };
                    into.push(number);
                }
            }
        }
    }

    /// Plays at random from a state on and learns from that, for a short while. Gives how many
    /// playouts ended.
    pub fn learn<L: Leaves>(
        &mut self,
        engine: &L::Engine,
        scratch: &mut <L::Engine as Engine>::Scratch,
        leaves: &mut L,
        root: &StateOf<L>,
        rng: &mut Xoshiro256PlusPlus,
        is_over: &dyn Fn() -> bool,
    ) -> u64 {
        let (count, each) = if L::SHAPES.len() > 1 { IN_LANES } else { ONE_BY_ONE };
        let mut states = Vec::with_capacity(count);
        for _ in 0..count.div_ceil(OF_A_WALK) {
            let walk = self.walk::<L>(engine, scratch, root, rng, is_over);
            if is_over() || walk.is_empty() {
                return 0;
            }
            for _ in 0..OF_A_WALK {
                // Those near the root are more like what a search comes to.
                let mut place = || rng.random_range(0..walk.len());
                let place = place().min(place());
                states.push(walk[place].clone());
            }
        }
        let mut rewards = Vec::new();
        let played = leaves.play(engine, &states, each, rng, &mut rewards, is_over);
        for (state, rewards) in states.iter().zip(&rewards) {
            let Some(rewards) = rewards else { continue };
            let mut facts = Vec::new();
            self.number::<L>(engine, state, &mut facts);
            let share = (1.0 + rewards[0] - rewards[1]) / 2.0;
            let sample = Sample { facts, share };
            self.adjust(&sample);
            match self.samples.len() < MOST_SAMPLES {
                true => self.samples.push(sample),
                false => {
                    self.samples[self.oldest] = sample;
                    self.oldest = (self.oldest + 1) % MOST_SAMPLES;
                }
            }
        }
        let samples = std::mem::take(&mut self.samples);
        if !samples.is_empty() {
            (0..AGAIN).for_each(|_| self.adjust(&samples[rng.random_range(0..samples.len())]));
        }
        self.samples = samples;
        played
    }

    /// The states of a random walk that are no ends, without the first.
    fn walk<L: Leaves>(
        &mut self,
        engine: &L::Engine,
        scratch: &mut <L::Engine as Engine>::Scratch,
        root: &StateOf<L>,
        rng: &mut Xoshiro256PlusPlus,
        is_over: &dyn Fn() -> bool,
    ) -> Vec<StateOf<L>> {
        let Evaluation { moves, joint, .. } = self;
        let mut states = Vec::new();
        engine.enter(scratch, root);
        while states.len() < MOST_STEPS && !is_over() {
            joint.clear();
            for role in engine.roles().iter() {
                joint.extend(engine.random_legal(scratch, role, moves, rng).ok().flatten());
            }
            if engine.step(scratch, joint).is_err() || engine.terminal(scratch) != Ok(false) {
                break;
            }
            states.push(engine.state(scratch));
        }
        states
    }

    /// Moves the weights towards the target of a sample.
    fn adjust(&mut self, sample: &Sample) {
        let most = sample.facts.iter().max().map_or(0, |&most| most as usize + 1);
        if self.weights.len() < most {
            self.weights.resize(most, Weight { weight: 0.0, squares: 1.0 });
        }
        let expected = 1.0 / (1.0 + (-self.sum(&sample.facts)).exp());
        let gradient = expected - sample.share;
        let step = RATE / sample.facts.len().max(1) as f32 * gradient;
        for &fact in &sample.facts {
            let one = &mut self.weights[fact as usize];
            one.squares += gradient * gradient;
            one.weight -= step / one.squares.sqrt();
        }
    }
}
