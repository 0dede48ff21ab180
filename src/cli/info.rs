//! `gdlr info`: what a game is made of.

use super::automaton_info;
use super::diagnostics::tally;
use super::engine::{EngineArguments, refuse};
use super::glance::Glance;
use super::output::{self, duration, grouped, seconds};
use super::playable::{Playable, PlayableArguments};
use super::rulesheet::Rulesheet;
use super::status::{Failure, Outcome, Status};
use super::{engine, interrupt, progress, propnet};
use clap::Args;
use gdlr::batch::{Backend, Batch};
use gdlr::budget::Meter;
use gdlr::decisions::{Decisions, Part};
use gdlr::engine::{AnyEngine, EngineKind};
use gdlr::gdl::{Figures, Game};
use gdlr::ground::{Exhausted, Ground, GroundError, Limit};
use gdlr::net::Net;
use gdlr::normal::Normal;
use gdlr::propnet::Propnet;
use gdlr::set_up::choice;
use gdlr::tree::{Tree, TreeOptions};
use serde_json::{Map, Value, json};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Show what a game is made of, and how long its set-up takes
#[derive(Debug, Args)]
#[command(after_help = "\
The first part is about the game: its roles, whether they move in turn or at
once, the length of random plays, and its boards. The second part is about the
engine: the sizes of the trees and of the net (with `--engine auto`), or the
sizes of an automaton and of its compiled form. The last part lists the
decisions of set-up. Behind each decision, in brackets, are the figures that
decided, and their bound.

Examples:
  gdlr info tictactoe
  gdlr info mygame.kif --json")]
pub struct Arguments {
    #[command(flatten)]
    game: PlayableArguments,
    #[command(flatten)]
    engine: EngineArguments,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// How many columns the facts of a state, `legal` and `goal` have in the normal form (FI,
/// IV.C), widest first.
fn flat_arities(normal: &Normal) -> Vec<(String, usize)> {
    let fluents = normal.fluents.iter().map(|fluent| fluent.base);
    let relations = fluents.chain([normal.legal, normal.goal]);
    let mut arities: Vec<(String, usize)> =
        relations.map(|id| (normal.relation_name(id), normal.relation(id).width)).collect();
    arities.sort_by_key(|&(_, width)| std::cmp::Reverse(width));
    arities
}

/// The size of an engine.
struct Parts {
    engine: EngineKind,
    figures: Vec<(&'static str, usize)>,
    /// The back end that computes it, if there is more than one.
    backend: Option<Backend>,
    /// The decisions of its making.
    decisions: Decisions,
    /// The steps of its set-up.
    times: Vec<(&'static str, Duration)>,
    /// Why there is no such engine.
    exhausted: Option<Exhausted>,
    /// The net after each pass.
    stages: Vec<propnet::Stage>,
}

impl Parts {
    fn of_tree(tree: &Tree, setup: Duration) -> Parts {
        Parts {
            engine: EngineKind::Tree,
            figures: tree.figures().to_vec(),
            times: vec![("set-up", setup)],
            backend: None,
            decisions: tree.decisions().clone(),
            exhausted: None,
            stages: Vec::new(),
        }
    }

    /// Of the net, and of the net laid out for many playouts at once.
    fn of_net(
        game: Arc<Game>,
        ground: &Ground,
        grounding: Duration,
        meter: &Meter<'_>,
    ) -> Result<[Parts; 2], Exhausted> {
        let mut figures =
            vec![("ground facts", ground.fact_count()), ("ground rules", ground.rule_count())];
        let mut decisions = ground.decisions().clone();
        let start = Instant::now();
        let net = Net::from_ground(ground, meter)?;
        let (net, stages) = propnet::stages(net, start, meter, &mut decisions, |_, _| ())?;
        let net_time = start.elapsed();
        let start = Instant::now();
        decisions.append(Propnet::within(game.clone(), net.clone(), meter)?.decisions());
        let times = vec![("grounding", grounding), ("net", net_time), ("circuit", start.elapsed())];
        if let Some(last) = stages.last() {
            figures.push(("gates", last.size.gates()));
            figures.push(("wires", last.size.wires));
            figures.push(("latches", last.size.latches));
            figures.push(("inputs", last.size.inputs));
        }
        let engine = EngineKind::Propnet;
        let (backend, exhausted) = (None, None);
        let of_net = Parts { engine, figures, backend, decisions, times, exhausted, stages };
        let start = Instant::now();
        let batch = Batch::within(game, net, meter)?;
        let of_batch = Parts {
            engine: EngineKind::Batch,
            figures: [("lanes", batch.width().lanes())]
                .into_iter()
                .chain(batch.figures())
                .collect(),
            backend: Some(batch.backend()),
            decisions: batch.decisions().clone(),
            times: vec![("layout", start.elapsed())],
            exhausted: None,
            stages: Vec::new(),
        };
        Ok([of_net, of_batch])
    }

    fn without_net(exhausted: Exhausted) -> Parts {
        Parts {
            engine: EngineKind::Propnet,
            figures: vec![
                ("ground facts", exhausted.spent.facts),
                ("ground rules", exhausted.spent.rules),
            ],
            backend: None,
            decisions: Decisions::default(),
            times: vec![("grounding", exhausted.spent.time)],
            exhausted: Some(exhausted),
            stages: Vec::new(),
        }
    }

    /// How long all steps of its set-up took.
    fn time(&self) -> Duration {
        self.times.iter().map(|&(_, time)| time).sum()
    }

    /// The lines to show. A net that there is not has one that says why.
    fn rows(&self) -> Vec<(String, String)> {
        let Parts { engine, figures, decisions, times, exhausted, stages, .. } = self;
        if let Some(exhausted) = exhausted {
            return vec![(engine.to_string(), format!("none: {exhausted}"))];
        }
        let figures = figures.iter().map(|&(name, figure)| (name, grouped(figure as u64)));
        let times = times.iter().map(|&(name, time)| (name, duration(time)));
        // Passes that changed nothing are left out.
        let gates = |stage: &propnet::Stage| stage.size.gates();
        let changes = stages.windows(2).filter(|pair| gates(&pair[0]) != gates(&pair[1]));
        let passes: Vec<String> = stages
            .first()
            .into_iter()
            .chain(changes.map(|pair| &pair[1]))
            .map(|stage| format!("{} {}", stage.after.name(), grouped(gates(stage) as u64)))
            .collect();
        let passes = (!passes.is_empty()).then(|| ("gates after", passes.join(", ")));
        let computed_by = decisions.of(Part::Batch, "computed by");
        let computed_by =
            computed_by.map(|decision| (decision.subject, decision.chosen.to_string()));
        let lines = figures.chain(computed_by).chain(passes).chain(times);
        lines.map(|(name, text)| (format!("{engine}: {name}"), text)).collect()
    }

    fn json(&self) -> Value {
        let key = |name: &str| name.to_lowercase().replace([' ', '-'], "_");
        let figures = self.figures.iter().map(|&(name, figure)| (key(name), json!(figure)));
        let times = self
            .times
            .iter()
            .map(|&(name, time)| (key(name) + "_seconds", json!(seconds(time.as_secs_f64()))));
        let mut object: Map<String, Value> = figures.chain(times).collect();
        if !self.stages.is_empty() {
            let passes = self
                .stages
                .iter()
                .map(|s| json!({ "after": s.after.name(), "gates": s.size.gates() }));
            object.insert("passes".to_owned(), passes.collect());
        }
        if let Some(backend) = self.backend {
            object.insert("backend".to_owned(), json!(backend.as_str()));
            if let Backend::Loops(why) = backend {
                object.insert("without_code".to_owned(), json!(why.to_string()));
            }
        }
        if let Some(exhausted) = &self.exhausted {
            object.insert("exhausted".to_owned(), json!(exhausted.limit.to_string()));
            object.insert("ground_bytes".to_owned(), json!(exhausted.spent.memory));
        }
        Value::Object(object)
    }
}

/// The sizes of the engines.
#[derive(Default)]
struct Insides {
    parts: Vec<Parts>,
    /// See [`flat_arities`].
    arities: Vec<(String, usize)>,
    /// The findings of play on one of the engines.
    glance: Option<Glance>,
    /// Which engine is chosen where that is left open, and what is decided about each.
    decisions: Decisions,
}

/// Makes the engines that are asked for, and looks into them.
fn look_into(rulesheet: &Rulesheet, arguments: &EngineArguments) -> Result<Insides, Failure> {
    let Insides { mut parts, mut arities, mut glance, mut decisions } = Insides::default();
    let is_open = arguments.engine == EngineKind::Auto;
    if arguments.engine != EngineKind::Propnet {
        let start = Instant::now();
        let options: TreeOptions = arguments.how.without.options();
        let tree = Tree::new(rulesheet.game.clone(), &options)
            .map_err(|error| rulesheet.source.refuse([&error]))?;
        parts.push(Parts::of_tree(&tree, start.elapsed()));
        arities = flat_arities(tree.normal());
        glance = Some(Glance::at(&rulesheet.game, &AnyEngine::new(tree)));
    }
    if arguments.engine != EngineKind::Tree {
        let start = Instant::now();
        let game = rulesheet.game.clone();
        let budget = arguments.how.ground.budget();
        let meter = budget.start();
        let parts_of_net = Ground::within(game.clone(), &meter).and_then(|ground| {
            arities = flat_arities(ground.normal());
            Ok(Parts::of_net(game, &ground, start.elapsed(), &meter)?)
        });
        match parts_of_net {
            Ok(parts_of_net) => {
                if is_open {
                    let kind = EngineKind::Propnet;
                    decisions.record(choice(kind, parts_of_net[0].time(), None, budget.time));
                }
                parts.extend(parts_of_net);
            }
            Err(GroundError::Refused(diagnostic)) => {
                return Err(rulesheet.source.refuse([&*diagnostic]));
            }
            Err(GroundError::Exhausted(exhausted)) => {
                let needed = arguments.engine == EngineKind::Propnet;
                if needed || exhausted.limit == Limit::Interrupted {
                    return Err(refuse(&exhausted, ""));
                }
                let spent = exhausted.spent.time;
                decisions.record(choice(EngineKind::Tree, spent, Some(&exhausted), budget.time));
                parts.push(Parts::without_net(exhausted));
            }
        }
    }
    parts.iter().for_each(|parts| decisions.append(&parts.decisions));
    Ok(Insides { parts, arities, glance, decisions })
}

pub fn run(arguments: &Arguments) -> Outcome {
    let start = Instant::now();
    let playable = Playable::open(&arguments.game)?;
    let reading = start.elapsed();
    let rulesheet = match playable {
        Playable::Rules(rulesheet) => rulesheet,
        Playable::Automaton(source, game) => {
            let ground = arguments.engine.how.ground;
            // The figures of the automaton are those of the automaton that is interpreted.
            let kind = match arguments.engine.engine {
                EngineKind::Auto => EngineKind::Rg,
                kind => kind,
            };
            let ready = engine::make_automaton(&source, game.clone(), kind, ground)?;
            let (start, meter) = (Instant::now(), arguments.engine.how.ground.budget().start());
            let mut decisions = ready.decisions.clone();
            let net = engine::net_of(&game, &meter, &mut decisions);
            let net = net.map(|net| (net, start.elapsed()));
            return automaton_info::print(&game, &ready, &net, &decisions, reading, arguments.json);
        }
    };
    let facts = Figures::of(&rulesheet.game);
    let spinner = progress::spinner();
    spinner.set_message("setting up");
    let looked = interrupt::at_once(|| look_into(&rulesheet, &arguments.engine));
    spinner.finish_and_clear();
    let Insides { parts, arities, glance, decisions } = looked?;
    let (errors, warnings) = tally(&rulesheet.diagnostics);
    if arguments.json {
        let arities: Map<String, Value> =
            arities.iter().map(|(name, arity)| (name.clone(), json!(arity))).collect();
        let mut value = json!({
            "game": rulesheet.game.name,
            "roles": facts.roles,
            "facts": facts.facts,
            "rules": facts.rules,
            "relations": facts.relations,
            "symbols": rulesheet.game.symbols.len(),
            "strata": facts.strata,
            "recursive": facts.recursive,
            "errors": errors,
            "warnings": warnings,
            "flat_arities": arities,
            "reading_seconds": seconds(reading.as_secs_f64()),
        });
        if let Some(glance) = &glance {
            value["play"] = glance.json();
        }
        for parts in &parts {
            value[parts.engine.as_str()] = parts.json();
        }
        value["decisions"] = output::decisions_json(&decisions);
        output::print_json(&value)?;
        return Ok(Status::Done);
    }
    let count = |count: usize| grouped(count as u64);
    let groups: Vec<String> = facts.recursive.iter().map(|group| group.join(" ")).collect();
    output::print(&heading(&rulesheet.game.name, glance.as_ref()))?;
    let mut rows = vec![
        ("roles".to_owned(), facts.roles.join(", ")),
        ("facts".to_owned(), count(facts.facts)),
        ("rules".to_owned(), count(facts.rules)),
        ("relations".to_owned(), count(facts.relations)),
        ("symbols".to_owned(), count(rulesheet.game.symbols.len())),
        ("strata".to_owned(), count(facts.strata)),
        ("recursive".to_owned(), or_none(&groups.join(", "))),
        ("errors".to_owned(), count(errors)),
        ("warnings".to_owned(), count(warnings)),
    ];
    let arities: Vec<String> =
        arities.iter().map(|(name, arity)| format!("{name} {arity}")).collect();
    rows.push(("flat arities".to_owned(), or_none(&arities.join(", "))));
    rows.push(("reading".to_owned(), duration(reading)));
    rows.extend(parts.iter().flat_map(Parts::rows));
    let rows = rows.into_iter().map(|(name, value)| vec![name, value]).collect();
    output::print(&output::table_text(&output::table(&[], &[1], rows)))?;
    output::print(&output::decisions_text(&decisions))?;
    Ok(Status::Done)
}

/// The first lines: what a player asks, apart from what the game is made of.
pub fn heading(name: &str, glance: Option<&Glance>) -> String {
    let game = [("game", name.to_owned())];
    let rows = game.into_iter().chain(glance.map(Glance::rows).into_iter().flatten());
    let rows = rows.map(|(name, value)| vec![name.to_owned(), value]).collect();
    format!("{}\n", output::table_text(&output::table(&[], &[1], rows)))
}

fn or_none(text: &str) -> String {
    if text.is_empty() { "none".to_owned() } else { text.to_owned() }
}
