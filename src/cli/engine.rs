//! `--engine`, `--set-up-time`, `--set-up-memory` and `--without`: making an engine of a game.

use super::playable::Playable;
use super::rulesheet::{Rulesheet, Source};
use super::status::{Failure, Status};
use super::time::seconds;
use super::{interrupt, output, progress};
use clap::{Args, ValueEnum, builder::PossibleValuesParser, builder::TypedValueParser};
use gdlr::automaton::net::NoNet;
use gdlr::automaton::{self, AutomatonEngine, AutomatonGame};
use gdlr::batch::{Batch, UnsupportedWidth, Width};
use gdlr::budget::Meter;
use gdlr::decisions::{Decision, Decisions, Part};
use gdlr::engine::{AnyEngine, EngineKind};
use gdlr::gdl::Game;
use gdlr::ground::{Budget, Exhausted, Limit};
use gdlr::net::Net;
use gdlr::play::FlatMonteCarlo;
use gdlr::propnet::Propnet;
use gdlr::set_up::{self, AnyRandomPlay, SetUp, SetUpError};
use gdlr::tree::TreeOptions;
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Which engine of single states, and how it is made.
#[derive(Clone, Debug, Args)]
pub struct EngineArguments {
    /// The reasoner
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = kind_parser(with_states()))]
    pub engine: EngineKind,
    #[command(flatten)]
    pub how: SetUpArguments,
}

/// Which engine, also one that only plays at random, and how it is made.
#[derive(Clone, Debug, Args)]
pub struct RandomPlayArguments {
    /// The reasoner; `batch` for random playouts only
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = kind_parser(EngineKind::ALL.iter().copied()))]
    pub engine: EngineKind,
    /// How many playouts the engine `batch` plays at once: what the processor can, or fewer
    #[arg(long, value_name = "N", default_value = "auto", value_parser = lanes_parser())]
    pub lanes: LaneCount,
    #[command(flatten)]
    pub how: SetUpArguments,
}

/// How many playouts at once are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaneCount {
    /// As many as the processor can.
    Auto,
    /// So many, be there the instructions for them or not.
    Of(Width),
}

/// Reads how many lanes are asked for.
fn lanes_parser() -> impl TypedValueParser<Value = LaneCount> {
    PossibleValuesParser::new(["auto", "64", "128", "256", "512"]).map(|text| {
        let width = text.parse().ok().and_then(Width::of_lanes);
        width.map_or(LaneCount::Auto, LaneCount::Of)
    })
}

impl RandomPlayArguments {
    /// How many lanes there will be; none if that is as many as the processor can. Refuses those that
    /// it cannot, and an engine without lanes.
    fn width(&self) -> Result<Option<Width>, Failure> {
        let LaneCount::Of(width) = self.lanes else { return Ok(None) };
        let has_lanes = matches!(self.engine, EngineKind::Auto | EngineKind::Batch);
        if !has_lanes {
            return Err(Failure::Unusable(format!(
                "--lanes is for the engine batch, and not for {}",
                self.engine
            )));
        }
        if !width.is_available() {
            let fewer = Width::ALL.iter().filter(|width| width.is_available());
            let fewer: Vec<String> = fewer.map(|width| width.lanes().to_string()).collect();
            let why = UnsupportedWidth::new(width);
            let fewer = fewer.join(", ");
            return Err(Failure::Unusable(format!("{why}; take --lanes with one of {fewer}")));
        }
        Ok(Some(width))
    }
}

/// How an engine is made.
#[derive(Clone, Debug, Args)]
pub struct SetUpArguments {
    #[command(flatten)]
    pub ground: GroundArguments,
    #[command(flatten)]
    pub without: WithoutArguments,
}

impl RandomPlayArguments {
    /// The same for single states; refuses an engine that has none.
    pub fn with_states(&self) -> Result<EngineArguments, Failure> {
        if self.lanes != LaneCount::Auto {
            let text = "--lanes is for random playouts: take --flatmc with it";
            return Err(Failure::Unusable(text.to_owned()));
        }
        match self.engine.has_states() {
            true => Ok(EngineArguments { engine: self.engine, how: self.how.clone() }),
            false => Err(no_states(&SetUpError::NoStates(self.engine))),
        }
    }
}

impl SetUpArguments {
    /// The set-up of an engine of this kind.
    pub fn set_up(&self, kind: EngineKind) -> SetUp<'static> {
        SetUp {
            kind,
            budget: self.ground.budget(),
            tree: self.without.options(),
            ..SetUp::default()
        }
    }
}

/// The budget of making an engine, from the text on.
#[derive(Clone, Copy, Debug, Args)]
pub struct GroundArguments {
    /// Give up setting up after this time
    #[arg(long, alias = "ground-time", value_name = "SECS", value_parser = seconds,
          default_value = "20")]
    set_up_time: Duration,
    /// Give up setting up when it takes so much memory
    #[arg(long, alias = "ground-memory", value_name = "MIB", default_value_t = 2048)]
    set_up_memory: usize,
}

impl GroundArguments {
    pub fn budget(self) -> Budget<'static> {
        Budget {
            time: self.set_up_time,
            memory: self.set_up_memory.saturating_mul(1 << 20),
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

/// The engines that can be asked about single states.
pub fn with_states() -> impl Iterator<Item = EngineKind> {
    EngineKind::ALL.iter().copied().filter(|kind| kind.has_states())
}

/// An engine that has been made: an [`AnyEngine`] or an [`AnyRandomPlay`].
pub struct TimedEngine<E = AnyEngine> {
    pub engine: E,
    pub kind: EngineKind,
    /// How long that took.
    pub setup: Duration,
    /// The decisions of set-up.
    pub decisions: Decisions,
}

/// The advice if it does not ground.
const OR_TREE: &str = "or play with --engine tree, which does not ground";

/// Makes the engine of a game, to be asked about single states; prints why there is none, or
/// another one than the best.
pub fn make(playable: &Playable, arguments: &EngineArguments) -> Result<TimedEngine, Failure> {
    let set_up = arguments.how.set_up(arguments.engine);
    match playable {
        Playable::Rules(rules) => timed(rules, |game| set_up.make(game))
            .map_err(|error| refused(&rules.source, &error, OR_TREE)),
        Playable::Automaton(source, game) => {
            make_automaton(source, game.clone(), arguments.engine, arguments.how.ground)
        }
    }
}

/// Makes the engine of a game of which only a few states are looked at: the automatic choice is
/// trees, which are there at once. Prints why there is none.
pub fn make_to_look(
    playable: &Playable,
    arguments: &EngineArguments,
) -> Result<TimedEngine, Failure> {
    let set_up = arguments.how.set_up(arguments.engine);
    match playable {
        Playable::Rules(rules) => timed(rules, |game| set_up.make_to_look(game))
            .map_err(|error| refused(&rules.source, &error, OR_TREE)),
        Playable::Automaton(..) => make(playable, arguments),
    }
}

/// Makes what plays a game at random; prints why there is nothing, or another engine than the
/// best.
pub fn make_random_play(
    playable: &Playable,
    arguments: &RandomPlayArguments,
) -> Result<TimedEngine<AnyRandomPlay>, Failure> {
    let width = arguments.width()?;
    let set_up = SetUp { width, ..arguments.how.set_up(arguments.engine) };
    match playable {
        Playable::Rules(rules) => timed(rules, |game| set_up.make_random_play(game))
            .map_err(|error| refused(&rules.source, &error, OR_TREE)),
        Playable::Automaton(source, game) => {
            make_random_play_of_automaton(source, game, &set_up, arguments.how.ground)
        }
    }
}

/// Why one engine, of several that could be, was not made.
pub enum NotMade {
    /// Of rules.
    OfRules(SetUpError),
    /// Of an automaton.
    OfAutomaton(NoNet),
    /// There is no such engine of an automaton.
    NoSuch(String),
}

impl NotMade {
    /// Whether somebody wanted no engine any more.
    pub fn is_interruption(&self) -> bool {
        match self {
            NotMade::OfRules(error) => error.is_interruption(),
            NotMade::OfAutomaton(why) => is_interruption(why),
            NotMade::NoSuch(_) => false,
        }
    }

    /// Whether the game itself is refused, which more time or memory would not change.
    pub fn is_refusal(&self) -> bool {
        matches!(
            self,
            NotMade::OfRules(SetUpError::Refused(_)) | NotMade::OfAutomaton(NoNet::Refused(_))
        )
    }

    /// Prints it, and gives the failure to return. `otherwise` is what the user can do if a budget
    /// ran out.
    pub fn refused(&self, source: &Source, otherwise: &str) -> Failure {
        match self {
            NotMade::OfRules(error) => refused(source, error, otherwise),
            NotMade::OfAutomaton(NoNet::Exhausted(exhausted)) => refuse(exhausted, otherwise),
            NotMade::OfAutomaton(why) => no_net(source, why),
            NotMade::NoSuch(why) => Failure::Unusable(why.clone()),
        }
    }
}

impl fmt::Display for NotMade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotMade::OfRules(error) => error.fmt(f),
            NotMade::OfAutomaton(why) => why.fmt(f),
            NotMade::NoSuch(why) => f.write_str(why),
        }
    }
}

/// Makes an engine of an automaton, of single states; prints why there is none. The automatic choice
/// is machine code, which is there in milliseconds, or else the interpreter.
pub fn make_automaton(
    source: &Source,
    game: Arc<AutomatonGame>,
    kind: EngineKind,
    ground: GroundArguments,
) -> Result<TimedEngine, Failure> {
    let otherwise = if kind == EngineKind::Propnet { OR_RG } else { "" };
    make_one_of_automaton(source, game, kind, ground).map_err(|why| why.refused(source, otherwise))
}

/// Makes an engine of an automaton, one of several. Prints nothing.
pub fn make_one_of_automaton(
    source: &Source,
    game: Arc<AutomatonGame>,
    kind: EngineKind,
    ground: GroundArguments,
) -> Result<TimedEngine, NotMade> {
    let start = Instant::now();
    let meter = ground.budget().start();
    let timed =
        |engine, kind, decisions| TimedEngine { engine, kind, setup: start.elapsed(), decisions };
    let no_net = NotMade::OfAutomaton;
    let exhausted = |exhausted| NotMade::OfAutomaton(NoNet::Exhausted(exhausted));
    match kind {
        EngineKind::Auto | EngineKind::Rg | EngineKind::Native => {
            let engine = interrupt::at_once(|| AutomatonEngine::within(game, &meter));
            let engine = engine.map_err(exhausted)?;
            let mut engine = engine.map_err(|errors| no_net(NoNet::Refused(errors)))?;
            let mut decisions = engine.decisions().clone();
            let compiled = (kind != EngineKind::Rg).then(|| engine.compile());
            let kind = match compiled {
                Some(Ok(())) => EngineKind::Native,
                Some(Err(why)) if kind == EngineKind::Native => {
                    return Err(NotMade::OfRules(SetUpError::NoCode(why)));
                }
                Some(Err(why)) => {
                    decisions.record(Decision::new(Part::SetUp, "engine", format!("rg: {why}")));
                    EngineKind::Rg
                }
                None => EngineKind::Rg,
            };
            Ok(timed(AnyEngine::new(engine), kind, decisions))
        }
        EngineKind::Propnet => {
            let mut decisions = Decisions::default();
            let net = net_of(&game, &meter, &mut decisions).map_err(no_net)?;
            let engine = Propnet::within(game.game().clone(), net, &meter).map_err(exhausted)?;
            decisions.append(engine.decisions());
            Ok(timed(AnyEngine::new(engine), kind, decisions))
        }
        EngineKind::Tree => Err(NotMade::NoSuch(format!(
            "the engine tree needs rules in GDL, and `{}` is an automaton: \
             take --engine rg, or write its rules with gdlr rg to-kif",
            source.file
        ))),
        EngineKind::Batch => Err(NotMade::OfRules(SetUpError::NoStates(kind))),
    }
}

/// How many plays of an automaton are tried before its net is made, and for how long at most.
const SAMPLE: u64 = 100;
const SAMPLE_TIME: Duration = Duration::from_millis(200);

/// Makes what plays an automaton at random. The automatic choice is its net in lanes, or else the
/// interpreter: where there is no net, and where a few plays meet a defect.
fn make_random_play_of_automaton(
    source: &Source,
    game: &Arc<AutomatonGame>,
    set_up: &SetUp<'_>,
    ground: GroundArguments,
) -> Result<TimedEngine<AnyRandomPlay>, Failure> {
    let kind = set_up.kind;
    if !matches!(kind, EngineKind::Auto | EngineKind::Batch) {
        let TimedEngine { engine, kind, setup, decisions } =
            make_automaton(source, game.clone(), kind, ground)?;
        return Ok(TimedEngine { engine: engine.into(), kind, setup, decisions });
    }
    let start = Instant::now();
    let is_open = kind == EngineKind::Auto;
    if is_open {
        let ready = make_automaton(source, game.clone(), EngineKind::Rg, ground)?;
        let engine = AnyRandomPlay::from(ready.engine);
        let (playouts, time) = (Some(SAMPLE), Some(SAMPLE_TIME));
        let sample = FlatMonteCarlo { playouts, time, ..FlatMonteCarlo::default() };
        // The interpreter sees a defect of the automaton where it is, a net does not.
        if sample.run(&engine, &interrupt::STOP, |_| {}).limit.is_some() {
            let mut decisions = ready.decisions;
            decisions.record(engine_of("rg: play meets a defect, which a net does not see"));
            return Ok(TimedEngine { engine, kind: ready.kind, setup: start.elapsed(), decisions });
        }
    }
    let mut decisions = Decisions::default();
    let meter = ground.budget().start();
    let width = set_up.width.unwrap_or(Width::best());
    let batch = net_of(game, &meter, &mut decisions)
        .and_then(|net| Ok(Batch::in_lanes(width, game.game().clone(), net, &meter)?));
    match batch {
        Ok(batch) => {
            decisions.append(batch.decisions());
            if is_open {
                decisions.record(engine_of("batch"));
            }
            let engine = AnyRandomPlay::Batch(Box::new(batch));
            Ok(TimedEngine { engine, kind: EngineKind::Batch, setup: start.elapsed(), decisions })
        }
        Err(why) if is_open && !is_interruption(&why) => {
            let ready = make_automaton(source, game.clone(), EngineKind::Rg, ground)?;
            output::note(&format!("playing with engine rg: {why}"));
            decisions.append(&ready.decisions);
            decisions.record(engine_of(format!("rg: {why}")));
            let (engine, kind) = (ready.engine.into(), ready.kind);
            Ok(TimedEngine { engine, kind, setup: start.elapsed(), decisions })
        }
        Err(why) => Err(no_net(source, &why)),
    }
}

/// The decision for what plays an automaton at random, where that was left open.
fn engine_of(chosen: impl Into<Cow<'static, str>>) -> Decision {
    Decision::new(Part::SetUp, "engine", chosen)
        .measured("plays tried", SAMPLE)
        .bound("time", SAMPLE_TIME.as_secs_f64())
}

/// The advice if an automaton has no net.
const OR_RG: &str = "or play with --engine rg, which needs no net";

/// The net of an automaton, within a budget. What is decided on the way is recorded.
pub fn net_of(
    game: &Arc<AutomatonGame>,
    meter: &Meter<'_>,
    decisions: &mut Decisions,
) -> Result<Net, NoNet> {
    let spinner = progress::spinner();
    spinner.set_message("setting up");
    let net = interrupt::at_once(|| {
        automaton::net::optimised_tuned(game, &automaton::Tuning::default(), meter, decisions)
    });
    spinner.finish_and_clear();
    net
}

fn is_interruption(why: &NoNet) -> bool {
    matches!(why, NoNet::Exhausted(why) if why.limit == Limit::Interrupted)
}

/// Prints why an automaton has no net, and gives the failure to return.
pub fn no_net(source: &Source, why: &NoNet) -> Failure {
    match why {
        NoNet::Refused(errors) => source.refuse(errors),
        NoNet::Exhausted(exhausted) => refuse(exhausted, OR_RG),
        NoNet::HidesTags
        | NoNet::WritesInACircle(_)
        | NoNet::NestedChecks(_)
        | NoNet::Ambiguous(_) => Failure::Unusable(format!("{why}; --engine rg needs none")),
    }
}

/// The lanes of a game that is played on a net, for searches, within the budget of set-up.
pub fn lanes(engine: &AnyEngine, arguments: &SetUpArguments) -> Option<Arc<Batch>> {
    let propnet = engine.downcast_ref::<Propnet>()?;
    let meter = arguments.ground.budget().start();
    let batch = Batch::within(propnet.game().clone(), propnet.net().clone(), &meter);
    batch.ok().map(Arc::new)
}

/// Makes an engine of this kind, one of several. Prints nothing.
pub fn make_one(
    rulesheet: &Rulesheet,
    kind: EngineKind,
    ground: GroundArguments,
) -> Result<TimedEngine, SetUpError> {
    let set_up = SetUp { kind, budget: ground.budget(), ..SetUp::default() };
    timed(rulesheet, |game| set_up.make(game))
}

/// Makes trees of a game of which only a few states are looked at. Prints nothing.
pub fn make_one_to_look(
    rulesheet: &Rulesheet,
    ground: GroundArguments,
) -> Result<TimedEngine, SetUpError> {
    let set_up = SetUp { budget: ground.budget(), ..SetUp::default() };
    timed(rulesheet, |game| set_up.make_to_look(game))
}

/// Times the making of an engine.
fn timed<E>(
    rulesheet: &Rulesheet,
    make: impl FnOnce(Arc<Game>) -> Result<set_up::ReadyEngine<E>, SetUpError>,
) -> Result<TimedEngine<E>, SetUpError> {
    let start = Instant::now();
    let spinner = progress::spinner();
    spinner.set_message("setting up");
    let ready = interrupt::at_once(|| make(rulesheet.game.clone()));
    spinner.finish_and_clear();
    let set_up::ReadyEngine { engine, kind, fallback, decisions } = ready?;
    if let Some(exhausted) = fallback {
        output::note(&format!("playing with engine tree: {exhausted}"));
    }
    Ok(TimedEngine { kind, engine, setup: start.elapsed(), decisions })
}

/// Prints why there is no engine, and gives the failure to return. `otherwise` is what the user
/// can do if it does not ground.
pub fn refused(source: &Source, error: &SetUpError, otherwise: &str) -> Failure {
    match error {
        SetUpError::Refused(diagnostic) => source.refuse([&**diagnostic]),
        SetUpError::Exhausted(exhausted) => refuse(exhausted, otherwise),
        SetUpError::NoStates(_) => no_states(error),
        SetUpError::NoCode(why) => {
            Failure::Unusable(format!("{why}: take --engine rg, which interprets the automaton"))
        }
    }
}

fn no_states(error: &SetUpError) -> Failure {
    Failure::Unusable(format!(
        "{error}; count random playouts with --flatmc, or use --engine propnet"
    ))
}

/// Prints that grounding did not end within its budget, and gives the failure to return.
pub fn refuse(exhausted: &Exhausted, otherwise: &str) -> Failure {
    output::error(&exhausted.to_string());
    if exhausted.limit == Limit::Interrupted {
        return Failure::Reported(Status::Interrupted);
    }
    let more = match exhausted.limit {
        Limit::Memory => "--set-up-memory MIB",
        _ => "--set-up-time SECS",
    };
    output::note(&format!(
        "allow more with {more}{}{otherwise}",
        if otherwise.is_empty() { "" } else { ", " }
    ));
    Failure::Reported(Status::Budget)
}
