//! `gdlr info`: what a game is made of.

use super::engine::{self, AnyEngine, EngineArguments};
use super::grid;
use super::output::{self, grouped, rounded, seconds};
use super::rulesheet::{GameArguments, Rulesheet, tally};
use super::status::{Outcome, Status};
use clap::Args;
use gdlr::gdl::{Dependencies, Game};
use gdlr::normal::Normal;
use serde_json::{Map, Value, json};
use std::time::Instant;

/// Show what a game is made of, and how long its set-up takes
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gdlr info tictactoe
  gdlr info mygame.kif --json")]
pub struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    #[command(flatten)]
    engine: EngineArguments,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What the rules alone say.
struct Facts {
    roles: Vec<String>,
    facts: usize,
    rules: usize,
    relations: usize,
    strata: usize,
    /// The groups of relations that depend on each other.
    recursive: Vec<Vec<String>>,
}

impl Facts {
    fn of(game: &Game) -> Facts {
        let graph = Dependencies::new(game);
        let spelled = |number: u32| {
            let relation = graph.relations[number as usize];
            grid::indicator(&game.symbols, relation.symbol, relation.arity)
        };
        let recursive = graph
            .components
            .iter()
            .filter(|members| match members[..] {
                [one] => graph.conditions[one as usize].iter().any(|&(to, _)| to == one),
                _ => true,
            })
            .map(|members| members.iter().map(|&number| spelled(number)).collect())
            .collect();
        let facts = game.rules.iter().filter(|rule| rule.body.is_empty()).count();
        Facts {
            roles: game.roles.iter().map(|role| role.spelled(&game.symbols)).collect(),
            facts,
            rules: game.rules.len() - facts,
            relations: graph.relations.len(),
            strata: strata(&graph),
            recursive,
        }
    }
}

/// How many strata there are: one more than the most negations on a path through the
/// dependency graph (SPEC, definition 12).
fn strata(graph: &Dependencies) -> usize {
    let mut level = vec![0usize; graph.components.len()];
    for (place, members) in graph.components.iter().enumerate() {
        for &(to, negated) in members.iter().flat_map(|&m| &graph.conditions[m as usize]) {
            let below = graph.component_of[to as usize] as usize;
            if below != place {
                level[place] = level[place].max(level[below] + usize::from(negated));
            }
        }
    }
    level.iter().max().map_or(0, |most| most + 1)
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

pub fn run(arguments: &Arguments) -> Outcome {
    let start = Instant::now();
    let rulesheet = Rulesheet::playable(&arguments.game)?;
    let reading = start.elapsed().as_secs_f64();
    let facts = Facts::of(&rulesheet.game);
    let made = engine::make(&rulesheet, &arguments.engine)?;
    let setup = made.setup.as_secs_f64();
    let (figures, arities) = match &made.engine {
        AnyEngine::Tree(tree) => (tree.statistics(), flat_arities(tree.normal())),
        AnyEngine::Propnet(_) => (&[][..], Vec::new()),
    };
    let (errors, warnings) = tally(&rulesheet.found);
    if arguments.json {
        let figures: Map<String, Value> = figures
            .iter()
            .map(|(name, figure)| (name.to_lowercase().replace(' ', "_"), json!(figure)))
            .collect();
        let arities: Map<String, Value> =
            arities.iter().map(|(name, arity)| (name.clone(), json!(arity))).collect();
        output::print_json(&json!({
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
            made.kind.as_str(): figures,
            "reading_seconds": seconds(reading),
            "setup_seconds": seconds(setup),
        }))?;
        return Ok(Status::Done);
    }
    let count = |count: usize| grouped(count as u64);
    let groups: Vec<String> = facts.recursive.iter().map(|group| group.join(" ")).collect();
    let mut rows = vec![
        ("game".to_owned(), rulesheet.game.name.clone()),
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
    let kind = made.kind;
    rows.extend(figures.iter().map(|(name, figure)| (format!("{kind}: {name}"), count(*figure))));
    rows.push(("reading".to_owned(), format!("{} ms", rounded(reading * 1e3))));
    rows.push(("set-up".to_owned(), format!("{} ms", rounded(setup * 1e3))));
    let rows = rows.into_iter().map(|(name, value)| vec![name, value]).collect();
    output::print(&output::table_text(&output::table(&[], &[1], rows)))?;
    Ok(Status::Done)
}

fn or_none(text: &str) -> String {
    if text.is_empty() { "none".to_owned() } else { text.to_owned() }
}
