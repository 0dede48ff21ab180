//! `--engine`, `--ground-time`, `--ground-memory` and `--without`: making an engine of a
//! rulesheet.

use super::play::seconds;
use super::rulesheet::Rulesheet;
use super::status::{Failure, Status};
use super::{interrupt, output, progress};
use clap::{Args, ValueEnum, builder::PossibleValuesParser, builder::TypedValueParser};
use gdlr::automatic::{SetUp, SetUpError};
use gdlr::engine::EngineKind;
use gdlr::ground::{Budget, Exhausted, Limit};
use gdlr::tree::TreeOptions;
use std::time::{Duration, Instant};

pub use gdlr::automatic::AnyEngine;

/// Which engine, and how it is made.
#[derive(Clone, Debug, Args)]
pub struct EngineArguments {
    /// The reasoner
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = kind_parser(EngineKind::ALL.iter().copied()))]
    pub engine: EngineKind,
    #[command(flatten)]
    pub ground: GroundArguments,
    #[command(flatten)]
    pub without: WithoutArguments,
}

/// What grounding may cost.
#[derive(Clone, Copy, Debug, Args)]
pub struct GroundArguments {
    /// Give up grounding after this time
    #[arg(long, value_name = "SECS", value_parser = seconds, default_value = "20")]
    ground_time: Duration,
    /// Give up grounding when it takes so much memory
    #[arg(long, value_name = "MIB", default_value_t = 2048)]
    ground_memory: usize,
}

impl GroundArguments {
    pub fn budget(self) -> Budget<'static> {
        Budget {
            time: self.ground_time,
            memory: self.ground_memory.saturating_mul(1 << 20),
            interrupted: Some(&interrupt::STOP),
        }
    }
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

/// Reads the name of one of these engines.
pub fn kind_parser(
    kinds: impl Iterator<Item = EngineKind>,
) -> impl TypedValueParser<Value = EngineKind> {
    PossibleValuesParser::new(kinds.map(EngineKind::as_str))
        .try_map(|name| name.parse::<EngineKind>())
}

/// Runs an expression with a reference to the engine inside, generic over its type.
macro_rules! with_engine {
    ($any:expr, $engine:ident => $body:expr) => {
        match $any {
            $crate::cli::engine::AnyEngine::Tree(boxed) => {
                let $engine = &**boxed;
                $body
            }
            $crate::cli::engine::AnyEngine::Propnet(boxed) => {
                let $engine = &**boxed;
                $body
            }
            $crate::cli::engine::AnyEngine::Rg(boxed) => {
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

/// Makes the engine of a rulesheet; prints why there is none, or another one than the best.
pub fn make(rulesheet: &Rulesheet, arguments: &EngineArguments) -> Result<Made, Failure> {
    let EngineArguments { engine: kind, ground, without } = arguments;
    let otherwise = "or play with --engine tree, which does not ground";
    make_kind(rulesheet, *kind, *ground, without.options(), otherwise)
}

/// Makes an engine of this kind. `otherwise` is what the user can do if it does not ground.
pub fn make_kind(
    rulesheet: &Rulesheet,
    kind: EngineKind,
    ground: GroundArguments,
    tree: TreeOptions,
    otherwise: &str,
) -> Result<Made, Failure> {
    let start = Instant::now();
    let set_up = SetUp { kind, budget: ground.budget(), tree };
    let spinner = progress::spinner();
    spinner.set_message("setting up");
    let made = interrupt::at_once(|| set_up.make(rulesheet.game.clone()));
    spinner.finish_and_clear();
    let made = made.map_err(|error| match error {
        SetUpError::Refused(diagnostic) => rulesheet.source.refuse([&*diagnostic]),
        SetUpError::Exhausted(exhausted) => refuse(&exhausted, otherwise),
    })?;
    if let Some(exhausted) = made.fallback {
        output::note(&format!("playing with engine tree: {exhausted}"));
    }
    let kind = made.engine.kind();
    Ok(Made { engine: made.engine, kind, setup: start.elapsed() })
}

/// Prints that grounding did not end within its budget, and gives the failure to return.
pub fn refuse(exhausted: &Exhausted, otherwise: &str) -> Failure {
    output::error(&exhausted.to_string());
    if exhausted.limit == Limit::Interrupted {
        return Failure::Reported(Status::Interrupted);
    }
    let more = match exhausted.limit {
        Limit::Memory => "--ground-memory MIB",
        _ => "--ground-time SECS",
    };
    output::note(&format!(
        "allow more with {more}{}{otherwise}",
        if otherwise.is_empty() { "" } else { ", " }
    ));
    Failure::Reported(Status::Budget)
}
