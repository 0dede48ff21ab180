//! `--engine` and `--without`: making an engine of a rulesheet.

use super::rulesheet::Rulesheet;
use super::status::Failure;
use clap::{Args, ValueEnum, builder::PossibleValuesParser, builder::TypedValueParser};
use gdlr::engine::EngineKind;
use gdlr::tree::{Tree, TreeOptions};
use std::time::{Duration, Instant};

/// Which engine, and how it is made.
#[derive(Clone, Debug, Args)]
pub struct EngineArguments {
    /// The reasoner
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = kind_parser())]
    pub engine: EngineKind,
    #[command(flatten)]
    pub without: WithoutArguments,
}

/// Which optimisations of the resolution trees are off.
#[derive(Clone, Debug, Default, Args)]
pub struct WithoutArguments {
    /// Leave out: filters, hashing, filter-removal, redundant-removal
    #[arg(long, value_name = "LIST", value_delimiter = ',', hide_possible_values = true)]
    without: Vec<Switch>,
}

/// An optimisation of the resolution trees that can be switched off (FI, Table IV).
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Switch {
    Filters,
    Hashing,
    FilterRemoval,
    RedundantRemoval,
}

impl Switch {
    /// The columns of FI's Table IV.
    pub const ALL: [Switch; 4] =
        [Switch::Filters, Switch::Hashing, Switch::FilterRemoval, Switch::RedundantRemoval];

    /// The name that users write.
    pub fn name(self) -> &'static str {
        match self {
            Switch::Filters => "filters",
            Switch::Hashing => "hashing",
            Switch::FilterRemoval => "filter-removal",
            Switch::RedundantRemoval => "redundant-removal",
        }
    }

    /// The options with this optimisation off.
    pub fn off(self, options: &TreeOptions) -> TreeOptions {
        let mut options = *options;
        *match self {
            Switch::Filters => &mut options.filters,
            Switch::Hashing => &mut options.hashing,
            Switch::FilterRemoval => &mut options.filter_removal,
            Switch::RedundantRemoval => &mut options.redundant_removal,
        } = false;
        options
    }
}

impl WithoutArguments {
    pub fn options(&self) -> TreeOptions {
        self.without.iter().fold(TreeOptions::default(), |options, switch| switch.off(&options))
    }
}

fn kind_parser() -> impl TypedValueParser<Value = EngineKind> {
    PossibleValuesParser::new(EngineKind::ALL.iter().map(|kind| kind.as_str()))
        .try_map(|name| name.parse::<EngineKind>())
}

/// An engine of any kind; [`with_engine!`] gets at the one inside.
pub enum AnyEngine {
    Tree(Box<Tree>),
}

/// Runs an expression with a reference to the engine inside, generic over its type.
macro_rules! with_engine {
    ($any:expr, $engine:ident => $body:expr) => {
        match $any {
            $crate::cli::engine::AnyEngine::Tree(boxed) => {
                let $engine = &**boxed;
                $body
            }
        }
    };
}
pub(super) use with_engine;

/// An engine that has been made.
pub struct Made {
    pub engine: AnyEngine,
    pub kind: EngineKind,
    /// How long that took.
    pub setup: Duration,
}

/// Makes the engine of a rulesheet; prints why there is none.
pub fn make(rulesheet: &Rulesheet, arguments: &EngineArguments) -> Result<Made, Failure> {
    let start = Instant::now();
    let game = rulesheet.game.clone();
    let kind = arguments.engine.resolve();
    let engine = match kind {
        EngineKind::Auto | EngineKind::Tree => Tree::new(game, &arguments.without.options())
            .map(|tree| AnyEngine::Tree(Box::new(tree))),
    };
    let engine = engine.map_err(|error| rulesheet.source.refuse([&error]))?;
    Ok(Made { engine, kind, setup: start.elapsed() })
}
