//! The engine to use for a game.
//!
//! A propositional net plays faster than resolution trees, where there is one: grounding may
//! take more time and memory than there is. So the automatic choice grounds within a budget,
//! and falls back to the trees when it runs out.
//!
//! The best engine also depends on its use. [`SetUp::make`] makes an [`AnyEngine`], which
//! can be asked about single states. Where only random playouts are wanted,
//! [`SetUp::make_random_play`] makes an [`AnyRandomPlay`], which may play hundreds at once.
//! Where play begins before there is time for a net, [`SetUp::start`] has trees at once and
//! hands the net over when it is ready. [`SetUp::start_automaton`] does the same for an automaton.

mod automaton;
mod handover;

pub use crate::tuning::Tuning;
pub use handover::Handover;

use gdlr_automata::export::RgEngine;
use gdlr_batch::{Batch, Width};
use gdlr_engine::engine::{AnyEngine, EngineKind};
use gdlr_engine::play::{Control, RandomPlay, Share, Statistics};
use gdlr_net::ground::GroundError;
use gdlr_net::net::Net;
use gdlr_net::propnet::Propnet;
use gdlr_rg::rg::NoCode;
use gdlr_rules::gdl::Game;
use gdlr_text::budget::{Budget, Exhausted, Limit, Meter};
use gdlr_text::decisions::{Decision, Decisions, Part};
use gdlr_text::diagnostic::Diagnostic;
use gdlr_tree::{Tree, TreeOptions};
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Whatever plays at random, for [`FlatMonteCarlo::run`](gdlr_engine::play::FlatMonteCarlo::run).
#[derive(Debug)]
pub enum AnyRandomPlay {
    /// An engine of single states, one playout at a time.
    Engine(AnyEngine),
    /// Hundreds of playouts at once.
    Batch(Box<Batch>),
}

impl AnyRandomPlay {
    /// The propositional net that it plays on, if it does.
    pub fn net(&self) -> Option<&Net> {
        match self {
            AnyRandomPlay::Engine(engine) => engine.downcast_ref::<Propnet>().map(Propnet::net),
            AnyRandomPlay::Batch(batch) => Some(batch.net()),
        }
    }
}

impl From<AnyEngine> for AnyRandomPlay {
    fn from(engine: AnyEngine) -> AnyRandomPlay {
        AnyRandomPlay::Engine(engine)
    }
}

impl RandomPlay for AnyRandomPlay {
    fn roles(&self) -> usize {
        match self {
            AnyRandomPlay::Engine(engine) => RandomPlay::roles(engine),
            AnyRandomPlay::Batch(batch) => batch.roles(),
        }
    }

    fn random_play(&self, share: &Share, control: impl FnMut(u64, u64) -> Control) -> Statistics {
        match self {
            AnyRandomPlay::Engine(engine) => engine.random_play(share, control),
            AnyRandomPlay::Batch(batch) => batch.random_play(share, control),
        }
    }
}

/// How an engine is made.
#[derive(Clone, Copy, Debug, Default)]
pub struct SetUp<'a> {
    /// Which engine.
    pub kind: EngineKind,
    /// The budget of set-up.
    pub budget: Budget<'a>,
    /// The optimisations of resolution trees.
    pub tree: TreeOptions,
    /// How many playouts a [`Batch`] plays at once, of the widths that
    /// [are available](Width::is_available); the widest of them if none is said.
    pub width: Option<Width>,
    /// The bounds by which engines are made. Those of trees are in [`TreeOptions::tuning`].
    pub tuning: Tuning,
}

/// An engine that is ready to play: an [`AnyEngine`] or an [`AnyRandomPlay`].
#[derive(Debug)]
pub struct ReadyEngine<E = AnyEngine> {
    /// The engine.
    pub engine: E,
    /// Which it is, never [`EngineKind::Auto`].
    pub kind: EngineKind,
    /// Why the automatic choice fell back to the trees, if it did.
    pub fallback: Option<Exhausted>,
    /// The decisions of set-up, from the kind of engine down to its parts.
    pub decisions: Decisions,
}

/// The former name of [`ReadyEngine`].
#[deprecated(note = "it is `ReadyEngine`")]
pub type Made<E = AnyEngine> = ReadyEngine<E>;

/// Why there is no engine.
#[derive(Clone, Debug)]
pub enum SetUpError {
    /// The rulesheet is refused.
    Refused(Box<Diagnostic>),
    /// Set-up ran out of its budget, or was interrupted.
    Exhausted(Exhausted),
    /// An engine of this kind cannot be asked about single states, see
    /// [`EngineKind::has_states`].
    NoStates(EngineKind),
    /// The automaton of the game is not machine code.
    NoCode(NoCode),
}

impl SetUpError {
    /// Whether somebody wanted no engine any more.
    pub fn is_interruption(&self) -> bool {
        matches!(self, SetUpError::Exhausted(why) if why.limit == Limit::Interrupted)
    }
}

impl fmt::Display for SetUpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetUpError::Refused(diagnostic) => diagnostic.fmt(f),
            SetUpError::Exhausted(exhausted) => exhausted.fmt(f),
            SetUpError::NoStates(kind) => {
                write!(f, "the engine {kind} has no single states: it only plays at random")
            }
            SetUpError::NoCode(why) => why.fmt(f),
        }
    }
}

impl std::error::Error for SetUpError {}

impl From<GroundError> for SetUpError {
    fn from(error: GroundError) -> Self {
        match error {
            GroundError::Refused(diagnostic) => SetUpError::Refused(diagnostic),
            GroundError::Exhausted(exhausted) => SetUpError::Exhausted(exhausted),
        }
    }
}

impl From<Exhausted> for SetUpError {
    fn from(exhausted: Exhausted) -> Self {
        SetUpError::Exhausted(exhausted)
    }
}

impl From<Diagnostic> for SetUpError {
    fn from(diagnostic: Diagnostic) -> Self {
        SetUpError::Refused(Box::new(diagnostic))
    }
}

impl SetUp<'_> {
    /// Makes an engine of single states. The automatic choice is a [`Propnet`], or a [`Tree`]
    /// where the budget of grounding runs out.
    ///
    /// ```
    /// # mod gdlr {
    /// #     pub use gdlr_engine::engine;
    /// #     pub use gdlr_rules::gdl;
    /// #     pub use gdlr_net::ground;
    /// #     pub use gdlr_players::set_up;
    /// # }
    /// use gdlr::set_up::SetUp;
    /// use gdlr::engine::EngineKind;
    /// use gdlr::gdl::Game;
    /// use gdlr::ground::Budget;
    /// use std::time::Duration;
    ///
    /// let game = Game::from_kif("nim", include_str!("../../../../kif/nim.kif")).unwrap();
    /// let ready = SetUp::default().make(game.clone()).unwrap();
    /// assert_eq!(ready.kind, EngineKind::Propnet);
    ///
    /// let budget = Budget { time: Duration::ZERO, ..Budget::default() };
    /// let ready = SetUp { budget, ..SetUp::default() }.make(game).unwrap();
    /// assert_eq!(ready.kind, EngineKind::Tree);
    /// println!("{}", ready.fallback.unwrap()); // set-up ran out of time after …
    /// ```
    ///
    /// # Errors
    ///
    /// When the rulesheet is refused. When the budget runs out, unless the kind is
    /// [`EngineKind::Auto`]; when set-up is interrupted, whatever the kind. When the kind is [`EngineKind::Batch`], which has no single states.
    pub fn make(&self, game: impl Into<Arc<Game>>) -> Result<ReadyEngine, SetUpError> {
        let game = game.into();
        match self.kind {
            EngineKind::Auto | EngineKind::Propnet => {
                self.ground_or_tree(game, EngineKind::Propnet, |game, decisions| {
                    let (meter, tuning) = (self.budget.start(), &self.tuning.batch.net);
                    let net = Net::tuned(game.clone(), tuning, &meter, decisions)?;
                    let propnet = Propnet::tuned(game, net, tuning, &meter)?;
                    decisions.append(propnet.decisions());
                    Ok(AnyEngine::new(propnet))
                })
            }
            EngineKind::Tree => {
                let meter = self.budget.start();
                // The work after sample play takes a part of the time, too.
                self.tree(game, &meter, &meter.leaving_one_in(self.tuning.after_samples))
            }
            EngineKind::Rg | EngineKind::Native => {
                let meter = self.budget.start();
                let mut decisions = Decisions::default();
                let Tuning { batch, automata, .. } = &self.tuning;
                let net = Net::tuned(game.clone(), &batch.net, &meter, &mut decisions)?;
                let mut engine = RgEngine::tuned(game, &net, false, automata, &meter)?;
                if self.kind == EngineKind::Native {
                    engine.compile().map_err(SetUpError::NoCode)?;
                }
                decisions.append(engine.decisions());
                let engine = AnyEngine::new(engine);
                Ok(ReadyEngine { engine, kind: self.kind, fallback: None, decisions })
            }
            EngineKind::Batch => Err(SetUpError::NoStates(self.kind)),
        }
    }

    /// Makes an engine for who only looks at a few states: the automatic choice is a [`Tree`] that
    /// is not tuned by sample play, so that it is there at once. Another kind is as in
    /// [`SetUp::make`].
    ///
    /// ```
    /// # mod gdlr {
    /// #     pub use gdlr_engine::engine;
    /// #     pub use gdlr_rules::gdl;
    /// #     pub use gdlr_players::set_up;
    /// # }
    /// use gdlr::engine::EngineKind;
    /// use gdlr::gdl::Game;
    /// use gdlr::set_up::SetUp;
    ///
    /// let game = Game::from_kif("nim", include_str!("../../../../kif/nim.kif")).unwrap();
    /// let ready = SetUp::default().make_to_look(game).unwrap();
    /// assert_eq!(ready.kind, EngineKind::Tree);
    /// ```
    ///
    /// # Errors
    ///
    /// When the rulesheet is refused. When the budget runs out.
    pub fn make_to_look(&self, game: impl Into<Arc<Game>>) -> Result<ReadyEngine, SetUpError> {
        match self.kind {
            EngineKind::Auto => {
                let nothing = Budget { time: Duration::ZERO, ..Budget::UNLIMITED };
                self.tree(game.into(), &self.budget.start(), &nothing.start())
            }
            _ => self.make(game),
        }
    }

    /// Makes what plays random playouts and nothing else. The automatic choice is a [`Batch`],
    /// or a [`Tree`] where the budget of grounding runs out; another kind is as in
    /// [`SetUp::make`].
    ///
    /// ```
    /// # mod gdlr {
    /// #     pub use gdlr_engine::{engine, play};
    /// #     pub use gdlr_rules::gdl;
    /// #     pub use gdlr_players::set_up;
    /// # }
    /// use gdlr::set_up::SetUp;
    /// use gdlr::engine::EngineKind;
    /// use gdlr::gdl::Game;
    /// use gdlr::play::FlatMonteCarlo;
    ///
    /// let game = Game::from_kif("nim", include_str!("../../../../kif/nim.kif")).unwrap();
    /// let ready = SetUp::default().make_random_play(game).unwrap();
    /// assert_eq!(ready.kind, EngineKind::Batch);
    ///
    /// let run = FlatMonteCarlo { playouts: Some(1000), ..FlatMonteCarlo::default() };
    /// let statistics = run.run(&ready.engine, &false.into(), |_| {});
    /// assert_eq!(statistics.playouts, 1000);
    /// ```
    ///
    /// # Errors
    ///
    /// When the rulesheet is refused. When the budget runs out, unless the kind is
    /// [`EngineKind::Auto`]; when set-up is interrupted, whatever the kind.
    pub fn make_random_play(
        &self,
        game: impl Into<Arc<Game>>,
    ) -> Result<ReadyEngine<AnyRandomPlay>, SetUpError> {
        let game = game.into();
        match self.kind {
            EngineKind::Auto | EngineKind::Batch => {
                self.ground_or_tree(game, EngineKind::Batch, |game, decisions| {
                    let (meter, tuning) = (self.budget.start(), &self.tuning.batch);
                    let net = Net::tuned(game.clone(), &tuning.net, &meter, decisions)?;
                    let width = self.width.unwrap_or(Width::best());
                    let batch = Batch::tuned(width, tuning, game, net, &meter)?;
                    decisions.append(batch.decisions());
                    Ok(AnyRandomPlay::Batch(Box::new(batch)))
                })
            }
            EngineKind::Tree | EngineKind::Propnet | EngineKind::Rg | EngineKind::Native => {
                let ReadyEngine { engine, kind, fallback, decisions } = self.make(game)?;
                Ok(ReadyEngine { engine: engine.into(), kind, fallback, decisions })
            }
        }
    }

    /// Makes an engine that grounds; where that takes too much, the automatic choice is a tree.
    fn ground_or_tree<E: From<AnyEngine>>(
        &self,
        game: Arc<Game>,
        kind: EngineKind,
        make: impl FnOnce(Arc<Game>, &mut Decisions) -> Result<E, GroundError>,
    ) -> Result<ReadyEngine<E>, SetUpError> {
        let (mut decisions, start) = (Decisions::default(), Instant::now());
        let is_open = self.kind == EngineKind::Auto;
        match make(game.clone(), &mut decisions) {
            Ok(engine) => {
                if is_open {
                    decisions.record(choice(kind, start.elapsed(), None, self.budget.time));
                }
                Ok(ReadyEngine { engine, kind, fallback: None, decisions })
            }
            Err(GroundError::Exhausted(why)) if is_open && why.limit != Limit::Interrupted => {
                decisions.record(choice(
                    EngineKind::Tree,
                    why.spent.time,
                    Some(&why),
                    self.budget.time,
                ));
                let ReadyEngine { engine, kind, decisions: of_tree, .. } =
                    self.tree_instead(game, &why)?;
                decisions.append(&of_tree);
                Ok(ReadyEngine { engine: engine.into(), kind, fallback: Some(why), decisions })
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Trees where there is no net. What they cannot do without is done, whatever it takes; for
    /// sample play there is the time that is left, or its share of it all.
    fn tree_instead(&self, game: Arc<Game>, why: &Exhausted) -> Result<ReadyEngine, SetUpError> {
        let Budget { time, interrupted, .. } = self.budget;
        let needed = Budget { interrupted, ..Budget::UNLIMITED };
        let left = time.saturating_sub(why.spent.time).max(time / self.tuning.tree_share);
        self.tree(game, &needed.start(), &Budget { time: left, ..needed }.start())
    }

    /// Trees within [two budgets](Tree::within).
    fn tree(
        &self,
        game: Arc<Game>,
        needed: &Meter<'_>,
        wanted: &Meter<'_>,
    ) -> Result<ReadyEngine, SetUpError> {
        let tree = Tree::within(game, &self.tree, needed, wanted)??;
        let decisions = tree.decisions().clone();
        let engine = AnyEngine::new(tree);
        Ok(ReadyEngine { engine, kind: EngineKind::Tree, fallback: None, decisions })
    }
}

/// The decision for an engine, where it was left open: it was ready after some time of all that there was
/// for set-up, or set-up was `exhausted` then, so that trees play instead.
pub fn choice(
    kind: EngineKind,
    after: Duration,
    exhausted: Option<&Exhausted>,
    time: Duration,
) -> Decision {
    let chosen = match exhausted {
        None => kind.to_string(),
        Some(why) => format!("{kind}: set-up ran out of {}", why.limit),
    };
    let decision = Decision::new(Part::SetUp, "engine", chosen);
    let decision = decision.measured("seconds", after.as_secs_f64());
    match time {
        Duration::MAX => decision,
        _ => decision.bound("time", time.as_secs_f64()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nim() -> Game {
        Game::from_kif("nim", include_str!("../../../../kif/nim.kif")).expect("a rulesheet")
    }

    fn parts(decisions: &Decisions) -> Vec<Part> {
        let mut parts: Vec<Part> = decisions.iter().map(|decision| decision.part).collect();
        parts.dedup();
        parts
    }

    #[test]
    fn what_is_decided_comes_with_the_engine() {
        let set_up = SetUp::default();
        let ready = set_up.make(nim()).expect("a game");
        assert_eq!(parts(&ready.decisions), [Part::Net, Part::SetUp]);
        let engine = ready.decisions.of(Part::SetUp, "engine").expect("it was left open");
        assert_eq!((&*engine.chosen, engine.bound.map(|of| of.name)), ("propnet", Some("time")));
        let ready = set_up.make_random_play(nim()).expect("a game");
        assert_eq!(parts(&ready.decisions), [Part::Net, Part::Batch, Part::SetUp]);
        let ready = SetUp { kind: EngineKind::Rg, ..set_up }.make(nim()).expect("a game");
        assert_eq!(parts(&ready.decisions), [Part::Net, Part::Automata, Part::Rg]);
        let ready = SetUp { kind: EngineKind::Tree, ..set_up }.make(nim()).expect("a game");
        assert_eq!(parts(&ready.decisions), [Part::Tree]);
        let budget = Budget { time: Duration::ZERO, ..Budget::default() };
        let ready = SetUp { budget, ..set_up }.make(nim()).expect("a game");
        assert_eq!(parts(&ready.decisions), [Part::SetUp, Part::Tree]);
        let engine = ready.decisions.of(Part::SetUp, "engine").expect("it was left open");
        assert_eq!(engine.chosen, "tree: set-up ran out of time");
    }

    #[test]
    fn bounds_of_ones_own_are_taken() {
        let rounds = |tuning: Tuning| {
            let ready = SetUp { tuning, ..SetUp::default() }.make_random_play(nim());
            let decisions = ready.expect("a game").decisions;
            let chosen = |part, of| decisions.of(part, of).expect("it is decided").chosen.clone();
            [chosen(Part::Net, "rounds"), chosen(Part::Batch, "computed by")]
        };
        let shipped = rounds(Tuning::default());
        let net = gdlr_net::net::Tuning { rounds: 1, series: 0, ..Default::default() };
        let batch = gdlr_batch::Tuning { net, most_moves_of_code: 0, ..Default::default() };
        let own = rounds(Tuning { batch, ..Tuning::default() });
        assert_eq!(own[0], "1");
        assert_ne!(shipped[0], "1");
        // Where there is code, there is none for so many moves.
        let has_code = shipped[1] == "machine code";
        assert_eq!(own[1] == "loops: the game has more than 0 moves", has_code, "{own:?}");
    }
}
