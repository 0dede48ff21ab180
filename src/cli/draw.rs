//! `gdlr draw`: a picture of a state.

use super::engine::{self, EngineArguments};
use super::graph::{self, Graph};
use super::moment::{Moment, MomentArguments};
use super::output;
use super::playable::{Playable, PlayableArguments};
use super::rulesheet::Source;
use super::status::{Failure, Outcome, Status};
use super::verify::read_trace;
use clap::Args;
use gdlr::engine::{AnyEngine, Engine, MoveId, RoleId};
use gdlr::gdl::Term;
use gdlr::play::sampler::{DEFAULT_CANDIDATES, Observation, Sampler};
use gdlr::play::seeded;
use gdlr::viewer::Viewer;
use hashbrown::HashSet;
use std::path::{Path, PathBuf};

/// Draw a picture of a state, as SVG
#[derive(Debug, Args)]
#[command(after_help = "\
Boards that follow from the rules are drawn with their pieces. All other facts
are written below. The squares that the last move of --after changed are marked.

Pictures are SVG: a file whose name ends in .png or the like is refused.

If the rules hide the state (`sees`), --as draws the facts that a role knows:
those that are true in all states that agree with its observations.

--record takes a file of `gdlr match --record`, or the first play of a trace.

--graph draws the parts of the game, and no state. Graphs of more than 400 nodes
are refused.

Examples:
  gdlr draw connect4 -o board.svg
  gdlr draw tictactoe --after \"(sign 2 2) (sign 1 1)\" -o board.svg
  gdlr draw tictactoe --graph dependencies -o rules.svg")]
pub struct Arguments {
    #[command(flatten)]
    game: PlayableArguments,
    #[command(flatten)]
    moment: MomentArguments,
    /// Draw what this role knows
    #[arg(long = "as", value_name = "ROLE")]
    role: Option<String>,
    /// Draw a recorded play, state after state, as a picture that moves
    #[arg(long, value_name = "FILE", conflicts_with_all = ["facts", "after", "role"])]
    record: Option<String>,
    /// Draw how the game is made, as a graph
    #[arg(long, value_name = "WHAT", conflicts_with_all = ["facts", "after", "role", "record"])]
    graph: Option<Graph>,
    /// Write the picture here instead of to standard output
    #[arg(short, long, value_name = "FILE.svg")]
    output: Option<PathBuf>,
    #[command(flatten)]
    engine: EngineArguments,
}

pub fn run(arguments: &Arguments) -> Outcome {
    if let Some(path) = &arguments.output {
        refuse_bitmaps(path)?;
    }
    let playable = Playable::open(&arguments.game)?;
    if let Some(graph) = arguments.graph {
        let svg = graph::draw(&playable, graph, arguments.engine.how.ground)?;
        output::deliver(&svg, arguments.output.as_deref())?;
        return Ok(Status::Done);
    }
    let ready = engine::make_to_look(&playable, &arguments.engine)?;
    let engine = &ready.engine;
    if let Some(path) = &arguments.record {
        let moment = recorded(engine, path)?;
        output::deliver(
            &viewer(&playable, engine, arguments).film(&moment.states),
            arguments.output.as_deref(),
        )?;
        return Ok(Status::Done);
    }
    let role = arguments.role.as_ref().map(|name| role(engine, name)).transpose()?;
    let moment = arguments.moment.find(engine)?;
    let mut viewer = viewer(&playable, engine, arguments);
    let picture = match role {
        Some(role) if engine.has_percepts() => viewer.picture(&known(engine, &moment, role)?, None),
        _ => {
            let [before @ .., now] = &moment.states[..] else {
                unreachable!("a moment has a state");
            };
            viewer.picture(now, before.last().map(|before| &**before))
        }
    };
    output::deliver(&picture.svg, arguments.output.as_deref())?;
    Ok(Status::Done)
}

/// The endings of files that hold pixels or pages, and no text of SVG.
const OTHER_FORMATS: [&str; 10] =
    ["png", "jpg", "jpeg", "gif", "webp", "bmp", "tif", "tiff", "pdf", "eps"];

/// Refuses a file whose name says that it holds another kind of picture.
fn refuse_bitmaps(path: &Path) -> Result<(), Failure> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let ending = ending.to_ascii_lowercase();
    if !OTHER_FORMATS.contains(&&*ending) {
        return Ok(());
    }
    let (given, svg) = (path.display(), path.with_extension("svg"));
    let svg = svg.display();
    Err(Failure::Unusable(format!(
        "`{given}` would hold SVG, not {}: pictures are SVG. Write `-o {svg}` and convert it: \
         `rsvg-convert {svg} -o {given}`, or `inkscape {svg} -o {given}`",
        ending.to_uppercase()
    )))
}

/// Shows the states of a game.
fn viewer(playable: &Playable, engine: &AnyEngine, arguments: &Arguments) -> Viewer {
    let budget = arguments.engine.how.ground.budget();
    let mut viewer = Viewer::within(playable.game().clone(), engine, &budget.start());
    viewer.explore(engine, 1, &mut super::interrupt::raised);
    viewer
}

/// The first play of a record.
fn recorded(engine: &AnyEngine, path: &str) -> Result<Moment, Failure> {
    let trace = read_trace(path)?;
    let Some(play) = trace.playouts.first() else {
        return Err(Failure::Unusable(format!("`{path}` has no play")));
    };
    let joints = play.steps.iter().filter_map(|step| step.joint.as_ref());
    let moves: Vec<String> = joints.map(|joint| format!("({})", joint.join(" "))).collect();
    let mut moment = Moment::initial(engine);
    moment.follow(engine, &Source::argument(path, &moves.join("\n")))?;
    Ok(moment)
}

/// The role of a name.
fn role(engine: &AnyEngine, name: &str) -> Result<RoleId, Failure> {
    let roles = engine.roles();
    let role = roles.iter().find(|&role| roles.name(role).eq_ignore_ascii_case(name));
    role.ok_or_else(|| {
        let names = roles.names().join(", ");
        Failure::Unusable(format!("there is no role `{name}`; the roles are {names}"))
    })
}

/// The facts that a role knows for sure of a state that the rules hide.
fn known(engine: &AnyEngine, moment: &Moment, role: RoleId) -> Result<Vec<Term>, Failure> {
    if moment.is_given {
        return Err(Failure::Unusable(
            "what a role knows follows from all that it saw: say with --after what was played, \
             not with --facts what is true"
                .to_owned(),
        ));
    }
    let failed =
        |what: &str| Failure::Unusable(format!("what the role knows was not found: {what}"));
    let mut sampler = Sampler::new(engine.clone(), role, DEFAULT_CANDIDATES);
    let mut scratch = engine.scratch();
    for (step, joint) in (0u64..).zip(&moment.joints) {
        let ids: Option<Vec<MoveId>> = engine
            .roles()
            .iter()
            .zip(joint)
            .map(|(role, term)| engine.move_id(role, term))
            .collect();
        let ids = ids.ok_or_else(|| failed("a move is none of the engine's"))?;
        let told =
            Observation::of(engine, &mut scratch, &ids).map_err(|e| failed(&e.to_string()))?;
        engine.step(&mut scratch, &ids).map_err(|error| failed(&error.to_string()))?;
        let over = engine.terminal(&mut scratch).map_err(|error| failed(&error.to_string()))?;
        let told = told[role.index()].clone();
        sampler
            .observe(told, over, &mut seeded(1 + step, 0), &super::interrupt::raised)
            .map_err(|error| failed(&error.to_string()))?;
    }
    let mut states = sampler.candidates().map(|(situation, _)| engine.facts(&situation.state));
    let mut facts = states.next().ok_or_else(|| failed("no state agrees with what it saw"))?;
    for state in states {
        let state: HashSet<Term> = state.into_iter().collect();
        facts.retain(|fact| state.contains(fact));
    }
    if !sampler.is_whole() {
        output::warn("only some of the states that agree with what the role saw were looked at");
    }
    Ok(facts)
}
