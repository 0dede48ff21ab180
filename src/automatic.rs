//! The engine to use for a game.
//!
//! A propositional net plays faster than resolution trees, where there is one: grounding may
//! take more time and memory than there is. So the automatic choice grounds within a budget,
//! and falls back to the trees when it runs out.

use crate::diagnostic::Diagnostic;
use crate::engine::EngineKind;
use crate::gdl::Game;
use crate::ground::{Budget, Exhausted, GroundError, Limit};
use crate::propnet::{Net, Propnet};
use crate::rg::RgEngine;
use crate::tree::{Tree, TreeOptions};
use std::fmt;

/// An engine of any kind. Code that is generic over [`Engine`](crate::engine::Engine) gets at
/// the one inside by a `match`.
#[derive(Debug)]
pub enum AnyEngine {
    /// Resolution trees.
    Tree(Box<Tree>),
    /// A propositional net.
    Propnet(Box<Propnet>),
    /// An automaton of Regular Games.
    Rg(Box<RgEngine>),
}

impl AnyEngine {
    /// Which engine it is, never [`EngineKind::Auto`].
    pub fn kind(&self) -> EngineKind {
        match self {
            AnyEngine::Tree(_) => EngineKind::Tree,
            AnyEngine::Propnet(_) => EngineKind::Propnet,
            AnyEngine::Rg(_) => EngineKind::Rg,
        }
    }
}

/// How an engine is made.
#[derive(Clone, Copy, Debug, Default)]
pub struct SetUp<'a> {
    /// Which engine.
    pub kind: EngineKind,
    /// What grounding may cost.
    pub budget: Budget<'a>,
    /// The optimisations of resolution trees.
    pub tree: TreeOptions,
}

/// An engine that was made.
#[derive(Debug)]
pub struct Made {
    /// The engine.
    pub engine: AnyEngine,
    /// Why the automatic choice fell back to the trees, if it did.
    pub fallback: Option<Exhausted>,
}

/// Why there is no engine.
#[derive(Clone, Debug)]
pub enum SetUpError {
    /// The rulesheet is refused.
    Refused(Box<Diagnostic>),
    /// Grounding ran out of its budget, or was interrupted.
    Exhausted(Exhausted),
}

impl fmt::Display for SetUpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetUpError::Refused(diagnostic) => diagnostic.fmt(f),
            SetUpError::Exhausted(exhausted) => exhausted.fmt(f),
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

impl From<Diagnostic> for SetUpError {
    fn from(diagnostic: Diagnostic) -> Self {
        SetUpError::Refused(Box::new(diagnostic))
    }
}

impl SetUp<'_> {
    /// Makes the engine of a game.
    ///
    /// ```
    /// use gdlr::automatic::SetUp;
    /// use gdlr::engine::EngineKind;
    /// use gdlr::gdl::Game;
    /// use gdlr::ground::Budget;
    /// use std::time::Duration;
    ///
    /// let game = Game::from_kif("nim", include_str!("../kif/nim.kif")).unwrap();
    /// let made = SetUp::default().make(game.clone()).unwrap();
    /// assert_eq!(made.engine.kind(), EngineKind::Propnet);
    ///
    /// let budget = Budget { time: Duration::ZERO, ..Budget::default() };
    /// let made = SetUp { budget, ..SetUp::default() }.make(game).unwrap();
    /// assert_eq!(made.engine.kind(), EngineKind::Tree);
    /// println!("{}", made.fallback.unwrap()); // grounding ran out of time after …
    /// ```
    ///
    /// # Errors
    ///
    /// When the rulesheet is refused. When the budget runs out and the kind is
    /// [`EngineKind::Propnet`] or [`EngineKind::Rg`]; when grounding is interrupted, whatever the kind.
    pub fn make(&self, game: Game) -> Result<Made, SetUpError> {
        let again = match self.kind {
            EngineKind::Tree => return self.tree(game, None),
            EngineKind::Auto => Some(game.clone()),
            EngineKind::Propnet => None,
            EngineKind::Rg => return self.automaton(game),
        };
        match (Propnet::new(game, &self.budget), again) {
            (Ok(net), _) => Ok(Made { engine: AnyEngine::Propnet(Box::new(net)), fallback: None }),
            (Err(GroundError::Exhausted(why)), Some(game)) if why.limit != Limit::Interrupted => {
                self.tree(game, Some(why))
            }
            (Err(error), _) => Err(error.into()),
        }
    }

    fn automaton(&self, game: Game) -> Result<Made, SetUpError> {
        let (game, net) = Net::of_game(game, &self.budget)?;
        let engine = AnyEngine::Rg(Box::new(RgEngine::new(game, &net, false)?));
        Ok(Made { engine, fallback: None })
    }

    fn tree(&self, game: Game, fallback: Option<Exhausted>) -> Result<Made, SetUpError> {
        let tree = Tree::new(game, &self.tree)?;
        Ok(Made { engine: AnyEngine::Tree(Box::new(tree)), fallback })
    }
}
