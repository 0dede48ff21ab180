//! `gdlr crosscheck`: engines against each other.

mod result;

use super::engine::{self, GroundArguments, NotMade, TimedEngine, kind_parser, with_states};
use super::output::{self, grouped};
use super::playable::{Playable, PlayableArguments};
use super::rg::optimise::keeps_moves;
use super::rulesheet::{ReadingArguments, Rulesheet, Source};
use super::status::{Failure, Outcome, Status};
use super::{interrupt, progress};
use clap::Args;
use gdlr::automaton::AutomatonGame;
use gdlr::automaton::net::NoNet;
use gdlr::budget::Exhausted;
use gdlr::engine::EngineKind;
use gdlr::play::crosscheck::{CrosscheckOptions, NamedEngine, Progress, Stage, crosscheck};
use gdlr::rg::{Description, optimise::optimise};
use result::{judge, to_json, to_text};
use serde_json::{Value, json};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Walk the same play down several engines and compare every state
#[derive(Debug, Args)]
#[command(after_help = "\
Facts, legal moves, terminality, goals and percepts are compared in every state
of all short sequences of joint moves, and of random playouts. Sometimes a
playout goes back to an earlier state. Exits with 1 at the first difference, and
shows the shortest play that it found to the difference.

An automaton is compared with its net, if it has one, and with the automaton
that `gdlr rg optimise` makes of it, or with the automata of --with. Facts are
not compared: they are the values of variables, which may differ.

If an engine cannot be made, because its set-up runs out of time or memory, it
is named and left out (\"left_out\" in --json). Exits with 3 if fewer than two
engines are left.

Examples:
  gdlr crosscheck tictactoe
  gdlr crosscheck mygame.kif --engines tree,propnet --playouts 1000 --seed 7
  gdlr crosscheck mygame.rg
  gdlr crosscheck mygame.hrg --engines rg,propnet
  gdlr crosscheck mygame.rg --with rewritten.rg")]
pub struct Arguments {
    #[command(flatten)]
    game: PlayableArguments,
    /// Two or more engines; the others are compared with the first [default: all]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = kind_parser(all()))]
    engines: Vec<EngineKind>,
    /// An automaton to compare this one with; may be said several times
    #[arg(long, value_name = "FILE")]
    with: Vec<String>,
    /// How many random playouts
    #[arg(long, value_name = "N", default_value_t = CrosscheckOptions::default().playouts)]
    playouts: u64,
    /// Seed of the random choices
    #[arg(long, value_name = "N", default_value_t = CrosscheckOptions::default().seed)]
    seed: u64,
    /// Cut a playout after so many joint moves
    #[arg(long, value_name = "N", default_value_t = CrosscheckOptions::default().max_steps)]
    max_steps: u64,
    /// Play at most so many joint moves for all short sequences
    #[arg(long, value_name = "N", default_value_t = CrosscheckOptions::default().perft_nodes)]
    perft_nodes: u64,
    #[command(flatten)]
    ground: GroundArguments,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The properties of an engine that are known before the comparison.
struct Entry {
    name: String,
    setup: Duration,
}

/// An engine that takes part, and what it was made of.
struct Participant {
    name: String,
    timed: TimedEngine,
    source: Rc<Source>,
}

/// An engine that does not, and why.
struct LeftOut {
    name: String,
    why: NotMade,
    source: Rc<Source>,
}

/// The engines as they are made.
#[derive(Default)]
struct Engines {
    participants: Vec<Participant>,
    left_out: Vec<LeftOut>,
}

impl Engines {
    /// Adds one, or says why it is left out. Nobody waits for the others of an interruption.
    fn add(
        &mut self,
        name: String,
        source: &Rc<Source>,
        timed: Result<TimedEngine, NotMade>,
    ) -> Result<(), Failure> {
        let source = Rc::clone(source);
        match timed {
            Ok(timed) => self.participants.push(Participant { name, timed, source }),
            Err(why) if why.is_interruption() => return Err(why.refused(&source, "")),
            Err(NotMade::NoSuch(why)) => return Err(Failure::Unusable(why)),
            Err(why) => self.left_out.push(LeftOut { name, why, source }),
        }
        Ok(())
    }

    /// Names the engines that are left out. Fails if fewer than two are there to compare.
    fn enough(&self) -> Result<(), Failure> {
        if self.participants.len() >= 2 {
            for LeftOut { name, why, .. } in &self.left_out {
                output::warn(&format!("{name} is left out: {why}"));
            }
            return Ok(());
        }
        let refusal = self.left_out.iter().find(|left| left.why.is_refusal());
        let Some(LeftOut { why, source, .. }) = refusal.or(self.left_out.first()) else {
            return Err(Failure::Unusable("there are no two engines to compare".to_owned()));
        };
        let failure = match why.refused(source, "") {
            // It is said below that the others are too few.
            Failure::Unusable(why) => {
                output::error(&why);
                Failure::Reported(Status::Budget)
            }
            failure => failure,
        };
        let names = |list: Vec<&str>| list.join(", ");
        let out = names(self.left_out.iter().map(|left| &*left.name).collect());
        let there = match &self.participants[..] {
            [] => "no engine is left to compare".to_owned(),
            [only, ..] => format!("only {} is left, and nothing to compare it with", only.name),
        };
        output::note(&format!("{there}; left out: {out}"));
        Err(failure)
    }
}

pub fn run(arguments: &Arguments) -> Outcome {
    let kinds = kinds(&arguments.engines)?;
    let playable = Playable::open(&arguments.game)?;
    let name = playable.name().to_owned();
    let is_automaton = playable.is_automaton();
    let engines = match playable {
        Playable::Rules(rulesheet) => of_rules(rulesheet, &kinds, arguments)?,
        Playable::Automaton(source, game) => of_automata(source, &game, arguments)?,
    };
    engines.enough()?;
    let Engines { participants, left_out } = engines;
    let mut entries: Vec<Entry> = Vec::new();
    let mut engines: Vec<NamedEngine> = Vec::new();
    let mut sources: Vec<Rc<Source>> = Vec::new();
    for Participant { name, timed, source } in participants {
        let engine = NamedEngine::new(&*name, timed.engine);
        engines.push(if is_automaton { engine.with_other_facts() } else { engine });
        entries.push(Entry { name, setup: timed.setup });
        sources.push(source);
    }
    let options = CrosscheckOptions {
        playouts: arguments.playouts,
        seed: arguments.seed,
        max_steps: arguments.max_steps,
        perft_nodes: arguments.perft_nodes,
        ..CrosscheckOptions::default()
    };
    let bar = progress::bar(options.playouts);
    let start = Instant::now();
    let result = crosscheck(&engines, &options, &interrupt::STOP, |now| show(&bar, now));
    let elapsed = start.elapsed();
    bar.finish_and_clear();
    if arguments.json {
        let mut value = to_json(&name, &entries, options.seed, &result, elapsed);
        if !left_out.is_empty() {
            value["left_out"] = left_out.iter().map(LeftOut::json).collect();
        }
        output::print_json(&value)?;
    } else {
        output::print(&to_text(&name, &entries, &result, elapsed))?;
    }
    judge(&sources, &entries, &result)
}

/// The engines that can be compared.
fn all() -> impl Iterator<Item = EngineKind> {
    with_states().filter(|kind| *kind != EngineKind::Auto)
}

/// The engines to compare, each once.
fn kinds(wanted: &[EngineKind]) -> Result<Vec<EngineKind>, Failure> {
    let mut kinds: Vec<EngineKind> = Vec::new();
    for &kind in wanted {
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    match kinds.len() {
        // Machine code is of the same automaton as `rg`.
        0 => Ok(all().filter(|kind| *kind != EngineKind::Native).collect()),
        1 => Err(Failure::Unusable(format!(
            "only one engine to compare, `{}`; name two or more, such as --engines {}",
            kinds[0],
            all().map(EngineKind::as_str).collect::<Vec<_>>().join(",")
        ))),
        _ => Ok(kinds),
    }
}

/// The engines of rules.
fn of_rules(
    rulesheet: Rulesheet,
    kinds: &[EngineKind],
    arguments: &Arguments,
) -> Result<Engines, Failure> {
    if !arguments.with.is_empty() {
        return Err(Failure::Unusable(
            "--with compares automata; --engines compares engines of rules in GDL".to_owned(),
        ));
    }
    let make = |&kind| (kind, engine::make_one(&rulesheet, kind, arguments.ground));
    let all: Vec<(EngineKind, _)> = kinds.iter().map(make).collect();
    let source = Rc::new(rulesheet.source);
    let mut engines = Engines::default();
    for (kind, timed) in all {
        engines.add(kind.to_string(), &source, timed.map_err(NotMade::OfRules))?;
    }
    Ok(engines)
}

/// The engines of automata: the one that was named first, and those of --with, or else what the
/// optimiser makes of it and its net; or the engines of it that were asked for.
fn of_automata(
    source: Source,
    game: &Arc<AutomatonGame>,
    arguments: &Arguments,
) -> Result<Engines, Failure> {
    if !arguments.engines.is_empty() && !arguments.with.is_empty() {
        let why = "--with compares automata; --engines compares engines of one game";
        return Err(Failure::Unusable(why.to_owned()));
    }
    let source = Rc::new(source);
    let mut engines = Engines::default();
    if !arguments.engines.is_empty() {
        for &kind in &arguments.engines {
            engines.add_automaton(
                format!("{} {kind}", source.name),
                &source,
                game,
                kind,
                arguments,
            )?;
        }
    } else if arguments.with.is_empty() {
        with_optimised(&mut engines, &source, game, arguments)?;
    } else {
        with_others(&mut engines, source, game, arguments)?;
    }
    Ok(engines)
}

/// The automaton, what the optimiser makes of it, and its net.
fn with_optimised(
    engines: &mut Engines,
    source: &Rc<Source>,
    game: &Arc<AutomatonGame>,
    arguments: &Arguments,
) -> Result<(), Failure> {
    let mut descriptions = vec![game.description().clone()];
    let optimised = optimised(game, arguments);
    let of_optimised = format!("{} optimised", source.name);
    match optimised {
        Ok(description) => descriptions.push(Arc::new(description)),
        Err(why) => {
            let why = NotMade::OfAutomaton(NoNet::Exhausted(why));
            engines.add(of_optimised.clone(), source, Err(why))?;
        }
    }
    let games = AutomatonGame::several(&game.game().name, descriptions);
    let games = games.map_err(|(_, problem)| source.refuse([&*problem]))?;
    let games: Vec<Arc<AutomatonGame>> = games.into_iter().map(Arc::new).collect();
    let names = [source.name.clone(), of_optimised];
    for (game, name) in games.iter().zip(names) {
        engines.add_automaton(name, source, game, EngineKind::Auto, arguments)?;
    }
    // The symbols are those of the first one.
    let name = format!("{} {}", source.name, EngineKind::Propnet);
    engines.add_automaton(name, source, &games[0], EngineKind::Propnet, arguments)
}

/// The optimised automaton, without another name of a move.
fn optimised(game: &AutomatonGame, arguments: &Arguments) -> Result<Description, Exhausted> {
    let mut description = Description::clone(game.description());
    let meter = arguments.ground.budget().start();
    let spinner = progress::spinner();
    spinner.set_message("optimising");
    let done = optimise(&mut description, keeps_moves, &meter, |_, _| ());
    spinner.finish_and_clear();
    done.map(|()| description)
}

/// The automaton and those of --with.
fn with_others(
    engines: &mut Engines,
    source: Rc<Source>,
    game: &Arc<AutomatonGame>,
    arguments: &Arguments,
) -> Result<(), Failure> {
    let mut sources = vec![source];
    let mut descriptions = vec![game.description().clone()];
    for file in &arguments.with {
        let given = PlayableArguments {
            game: file.clone(),
            reading: ReadingArguments { case_sensitive: false, built_ins: false },
        };
        match Playable::open(&given)? {
            Playable::Automaton(source, game) => {
                sources.push(Rc::new(source));
                descriptions.push(game.description().clone());
            }
            Playable::Rules(_) => {
                let why = format!("`{file}` is no automaton, and --with compares automata");
                return Err(Failure::Unusable(why));
            }
        }
    }
    let games = AutomatonGame::several(&game.game().name, descriptions);
    let games = games.map_err(|(place, problem)| sources[place].refuse([&*problem]))?;
    let roles = games[0].roles().clone();
    let mut names: Vec<String> = Vec::new();
    for (source, game) in sources.iter().zip(games) {
        if *game.roles() != roles {
            return Err(Failure::Unusable(format!(
                "`{}` is of another game: its roles are {}, not {}",
                source.file,
                game.roles().names().join(", "),
                roles.names().join(", ")
            )));
        }
        let name = if names.contains(&source.name) { &source.file } else { &source.name };
        names.push(name.clone());
        engines.add_automaton(
            name.clone(),
            source,
            &Arc::new(game),
            EngineKind::Auto,
            arguments,
        )?;
    }
    Ok(())
}

impl Engines {
    /// Adds an engine of an automaton.
    fn add_automaton(
        &mut self,
        name: String,
        source: &Rc<Source>,
        game: &Arc<AutomatonGame>,
        kind: EngineKind,
        arguments: &Arguments,
    ) -> Result<(), Failure> {
        let timed = engine::make_one_of_automaton(source, game.clone(), kind, arguments.ground);
        self.add(name, source, timed)
    }
}

impl LeftOut {
    fn json(&self) -> Value {
        json!({ "engine": self.name, "reason": self.why.to_string() })
    }
}

fn show(bar: &indicatif::ProgressBar, now: Progress) {
    let what = match now.stage {
        Stage::Perft => "all short plays",
        Stage::Playouts => "random playouts",
        Stage::Shortening => "they differ; looking for a shorter play",
    };
    let stopping = if interrupt::raised() { ", stopping" } else { "" };
    bar.set_position(now.playouts);
    bar.set_message(format!("{what}, {} states{stopping}", grouped(now.states)));
}
