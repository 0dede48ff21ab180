//! States that agree with the observations of a role (GDL-II): its information set, or a part of it.
//!
//! A [`Sampler`] follows a match from the view of one role, which observes its own moves and its percepts. After each
//! step the sampler has *candidates*: situations that may be the present one, each with its probability if the
//! other roles play at random. Every candidate agrees with all observations of the role.
//!
//! * As long as they are few, the candidates are the whole information set, by enumeration: every joint move is tried in every
//!   candidate of the step before ([`Sampler::is_whole`]).
//! * If they are more, the candidates are a sample (*particles*), drawn by their probabilities. In each candidate as many joint
//!   moves are tried as there is work to spend.
//! * If few of them agree with the next observation, the sample is *rejuvenated*: play is replayed from candidates of an earlier
//!   step, with random moves that agree with the observations (*rejection*). The earlier step is further and further
//!   back, and in the end it is the beginning.
//!
//! Most joint moves that are tried disagree with the observation. So the sampler asks the engine about many of them at once
//! ([`Engine::agreeing`]); a net evaluates 64 in one pass. The sampler plays only joint moves that agree.
//!
//! If no candidate is found in time, the sampler is dry ([`Sampler::is_dry`]). At the next step it replays play again.
//!
//! | file | content |
//! |---|---|
//! | `observation` | the observation of a role at a step |
//! | `situation` | a state, with the information state of each role |
//! | `candidates` | situations with their probabilities |
//! | `trial` | the situations that can follow a situation |
//! | [`follow()`] | a sampler for a match in which one can go back |

mod candidates;
mod follow;
mod observation;
mod situation;
mod trial;

pub use follow::follow;
pub use observation::Observation;
#[allow(deprecated, reason = "the former name is there for those who use it")]
pub use observation::Told;
#[allow(deprecated, reason = "the former name is there for those who use it")]
pub use situation::Known;
pub use situation::{InformationStates, Situation};

use crate::engine::{AnyEngine, AnyState, Engine, MoveId, RoleId};
use candidates::{Candidates, WeightedSituations};
use gdlr_rules::gdl::Term;
use observation::NumberedObservation;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::VecDeque;
use std::fmt;
use trial::Trial;

/// How many candidates there are at most, by default.
pub const DEFAULT_CANDIDATES: usize = 1000;

/// How many joint moves are tried in a step, for each candidate that there may be.
const TRIES: usize = 16;

/// How many joint moves are tried in a step of a play that is replayed.
const REPLAY_TRIES: usize = 8;

/// How many plays are replayed at most from an earlier step, for each candidate that there may be;
/// from the beginning, if there is no candidate otherwise, that many times as often.
const REPLAYS: (usize, usize) = (1, 50);

/// A sample is rejuvenated when it has less than this part of the candidates that there may be.
const FEW: usize = 4;

/// The candidates of how many steps are remembered, beside the beginning.
const REMEMBERED: usize = 16;

/// Samples states that agree with what a role knows.
pub struct Sampler {
    engine: AnyEngine,
    role: RoleId,
    most: usize,
    trial: Trial,
    /// By step: the observation of the role, and whether the game was over behind the step.
    history: Vec<(Observation, bool)>,
    observations: Vec<NumberedObservation>,
    /// The first is the beginning, the last the present.
    levels: VecDeque<Level>,
}

/// The candidates after some step.
struct Level {
    /// How many joint moves were played.
    step: usize,
    candidates: Candidates,
    /// Whether they are the whole information set.
    whole: bool,
}

/// Why what a role is told cannot be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ObservationError {
    /// A role has no such move.
    NoMove(RoleId, Term),
    /// It agrees with nothing that can have been played.
    Impossible,
}

impl fmt::Display for ObservationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ObservationError::NoMove(role, _) => {
                write!(f, "the role number {} has no such move", role.0)
            }
            ObservationError::Impossible => f.write_str("what was told cannot have come about"),
        }
    }
}

impl std::error::Error for ObservationError {}

impl Sampler {
    /// Follows a match from its beginning for a role, with at most so many candidates; one at
    /// least. Memory is that of the candidates of some steps.
    pub fn new(engine: AnyEngine, role: RoleId, most: usize) -> Sampler {
        let information_states = InformationStates::nothing(engine.roles().count());
        let mut first = WeightedSituations::default();
        first.add(Situation { state: engine.initial().clone(), information_states }, 1.0);
        let candidates = first.into_candidates(1, &mut crate::engine::seeded(0, 0)).0;
        let trial = Trial::new(engine.clone(), role);
        let levels = VecDeque::from([Level { step: 0, candidates, whole: true }]);
        let (history, observations) = (Vec::new(), Vec::new());
        Sampler { engine, role, most: most.max(1), trial, history, observations, levels }
    }

    /// The role whose observations are followed.
    pub fn role(&self) -> RoleId {
        self.role
    }

    /// The engine that candidates are states of.
    pub fn engine(&self) -> &AnyEngine {
        &self.engine
    }

    /// The observations of the role, by step.
    pub fn history(&self) -> impl ExactSizeIterator<Item = &Observation> {
        self.history.iter().map(|(observation, _)| observation)
    }

    /// The former name of [`Sampler::history`].
    #[deprecated(note = "it is `history`")]
    pub fn told(&self) -> impl ExactSizeIterator<Item = &Observation> {
        self.history()
    }

    /// Whether the candidates are all situations that agree with what the role knows, with their
    /// exact chances against roles that play at random.
    pub fn is_whole(&self) -> bool {
        self.present().whole
    }

    /// Whether no candidate was found.
    pub fn is_dry(&self) -> bool {
        self.present().candidates.is_empty()
    }

    /// The candidates, and the chance of each.
    pub fn candidates(&self) -> impl Iterator<Item = (&Situation<AnyState>, f64)> + use<'_> {
        self.present().candidates.iter()
    }

    /// How much memory the candidates of all steps take that are remembered, in bytes. Linear in
    /// them.
    pub fn bytes(&self) -> usize {
        self.levels.iter().map(|level| level.candidates.bytes(&self.engine)).sum()
    }

    /// One of the candidates, by its chance; `None` if the sampler is dry.
    pub fn draw(&self, rng: &mut Xoshiro256PlusPlus) -> Option<&Situation<AnyState>> {
        self.present().candidates.draw(rng)
    }

    /// Replaces the content of `moves` by the legal moves of the role, as far as it can tell: those
    /// that it has in all of several candidates; if there are none, those of one.
    pub fn legal(&mut self, moves: &mut Vec<MoveId>) {
        const LOOKED_AT: usize = 16;
        moves.clear();
        let Sampler { trial, levels, .. } = self;
        let Some(Level { candidates, .. }) = levels.back() else { return };
        let mut some = candidates.iter().step_by(candidates.len().div_ceil(LOOKED_AT).max(1));
        let Some((first, _)) = some.next() else { return };
        trial.legal(first, moves);
        let (mut both, mut others) = (moves.clone(), Vec::new());
        for (other, _) in some {
            trial.legal(other, &mut others);
            both.retain(|id| others.contains(id));
        }
        if !both.is_empty() {
            *moves = both;
        }
    }

    /// Goes on by a step with this observation. `over` is whether the game is over behind the step; a player knows that,
    /// because it is asked for another move or not. If `is_over` becomes true, the search for candidates ends early, with
    /// fewer candidates.
    ///
    /// # Errors
    ///
    /// When a role has no such move, or if all joint moves were tried and none agrees. The sampler then stays at the
    /// step before.
    pub fn observe(
        &mut self,
        observation: Observation,
        over: bool,
        rng: &mut Xoshiro256PlusPlus,
        is_over: &dyn Fn() -> bool,
    ) -> Result<(), ObservationError> {
        let numbered = NumberedObservation::of(&self.engine, self.role, &observation, over);
        self.observations
            .push(numbered.map_err(|(role, term)| ObservationError::NoMove(role, term))?);
        self.history.push((observation, over));
        let mut weighted = WeightedSituations::default();
        let all = self.advance(&mut weighted, rng, is_over);
        if all && weighted.is_empty() {
            self.history.pop();
            self.observations.pop();
            return Err(ObservationError::Impossible);
        }
        if !all && weighted.len() < self.most.div_ceil(FEW) {
            self.rejuvenate(&mut weighted, rng, is_over);
        }
        let (candidates, fits) = weighted.into_candidates(self.most, rng);
        self.levels.push_back(Level { step: self.history.len(), candidates, whole: all && fits });
        if self.levels.len() > REMEMBERED + 1 {
            self.levels.remove(1);
        }
        Ok(())
    }

    /// Goes over to another engine of the same game, with its candidates, their probabilities and information states. Returns
    /// false, and changes nothing, if that engine lacks a move of the observations.
    pub fn change_engine(&mut self, engine: &AnyEngine) -> bool {
        let numbered = |(observation, over): &(Observation, bool)| {
            NumberedObservation::of(engine, self.role, observation, *over)
        };
        let Ok(observations) = self.history.iter().map(numbered).collect() else { return false };
        let mut scratch = engine.scratch();
        for level in &mut self.levels {
            let mut weighted = WeightedSituations::default();
            for (Situation { state, information_states }, chance) in level.candidates.iter() {
                let facts = self.engine.facts(state);
                if engine.enter_facts(&mut scratch, &facts).is_ok() {
                    let (state, information_states) =
                        (engine.state(&scratch), information_states.clone());
                    weighted.add(Situation { state, information_states }, chance);
                }
            }
            let mut rng = crate::engine::seeded(0, 0);
            level.candidates = weighted.into_candidates(self.most, &mut rng).0;
        }
        self.trial = Trial::new(engine.clone(), self.role);
        (self.engine, self.observations) = (engine.clone(), observations);
        true
    }

    fn present(&self) -> &Level {
        self.levels.back().expect("the beginning at least")
    }

    /// Finds what follows the present candidates. Whether that is all that there is.
    fn advance(
        &mut self,
        weighted: &mut WeightedSituations,
        rng: &mut Xoshiro256PlusPlus,
        is_over: &dyn Fn() -> bool,
    ) -> bool {
        let Sampler { trial, levels, observations, most, .. } = self;
        let (Some(level), Some(observation)) = (levels.back(), observations.last()) else {
            return true;
        };
        let tries = (TRIES * *most / level.candidates.len().max(1)).max(1);
        let situations = level.candidates.iter();
        trial.follow(situations, observation, tries, rng, weighted, is_over) && level.whole
    }

    /// Replays from candidates of earlier steps, until there are enough.
    fn rejuvenate(
        &mut self,
        weighted: &mut WeightedSituations,
        rng: &mut Xoshiro256PlusPlus,
        is_over: &dyn Fn() -> bool,
    ) {
        let enough = self.most.div_ceil(FEW);
        // From two steps back, four, eight.
        let mut wanted = self.history.len().checked_sub(2);
        while let Some(step) = wanted {
            let at = self.levels.iter().rposition(|level| level.step <= step).unwrap_or_default();
            let step = self.levels[at].step;
            let mut replays = REPLAYS.0 * self.most;
            let mut replayed = 0;
            let mut from_level = WeightedSituations::default();
            while replayed < replays && weighted.len() + from_level.len() < enough && !is_over() {
                if let Some((situation, weight)) = self.replay(at, rng) {
                    from_level.add(situation, weight);
                }
                replayed += 1;
                if replayed == replays && at == 0 && weighted.is_empty() && from_level.is_empty() {
                    replays = REPLAYS.0 * REPLAYS.1 * self.most;
                }
            }
            weighted.add_all(from_level, 1.0 / replayed.max(1) as f64);
            if weighted.len() >= enough || is_over() || step == 0 {
                return;
            }
            let back = self.history.len() - step;
            wanted = Some(self.history.len().saturating_sub(2 * back));
        }
    }

    /// Replays from one of the candidates of a level to the present, and gives what was come to
    /// with its weight; `None` if what was drawn did not agree with what was told.
    fn replay(
        &mut self,
        level: usize,
        rng: &mut Xoshiro256PlusPlus,
    ) -> Option<(Situation<AnyState>, f64)> {
        let Sampler { trial, levels, observations, .. } = self;
        let level = &levels[level];
        let mut situation = level.candidates.draw(rng)?.clone();
        let mut weight = 1.0;
        for observation in &observations[level.step..] {
            let mut weighted = WeightedSituations::default();
            let one = std::iter::once((&situation, weight));
            trial.follow(one, observation, REPLAY_TRIES, rng, &mut weighted, &|| false);
            (situation, weight) = weighted.draw(rng)?;
        }
        Some((situation, weight))
    }
}

impl fmt::Debug for Sampler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Level { step, candidates, whole } = self.present();
        let mut debug = f.debug_struct("Sampler");
        debug.field("role", &self.role).field("step", step);
        debug.field("candidates", &candidates.len()).field("whole", whole).finish_non_exhaustive()
    }
}
