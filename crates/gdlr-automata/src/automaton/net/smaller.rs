//! The optimised automaton, from which a net is made.

use super::turns::Turns;
use crate::tuning::Tuning;
use gdlr_rg::rg::Name;
use gdlr_rg::rg::optimise::flow::live_variables::Live;
use gdlr_rg::rg::optimise::optimise_program;
use gdlr_rg::rg::optimise::program::{Node, Program};
use gdlr_text::budget::{Exhausted, Limit, Meter};
use gdlr_text::decisions::Decisions;
use hashbrown::HashSet;

/// A program with the moves of the automaton. Its states have the same nodes, and the same values
/// of some variables.
pub(super) struct Smaller {
    pub program: Program,
    /// The variables of states.
    pub needed: HashSet<Name>,
}

/// Optimises a program within a part of the time. `written` makes the program anew for each round.
/// `None` if there is no time for it.
///
/// Only variables that moves read in the optimised program must stay in states, and these are fewer
/// than `needed`. So the first round keeps only nodes. Each further round also keeps the variables
/// that moves read after the round before, until they read no others. `decisions` gets a record of
/// the decisions.
/// decided is recorded.
///
/// # Errors
///
/// When the set-up is interrupted.
pub(super) fn make(
    written: &dyn Fn() -> Result<Program, Exhausted>,
    turns: &Turns,
    needed: &HashSet<Name>,
    tuning: &Tuning,
    meter: &Meter<'_>,
    decisions: &mut Decisions,
) -> Result<Option<Smaller>, Exhausted> {
    let share = meter.taking_one_in(tuning.optimiser_share);
    match rounds(written, turns, needed, tuning.optimiser_rounds, &share, decisions) {
        Err(why) if why.limit != Limit::Interrupted => Ok(None),
        made => made,
    }
}

fn rounds(
    written: &dyn Fn() -> Result<Program, Exhausted>,
    turns: &Turns,
    needed: &HashSet<Name>,
    most: usize,
    meter: &Meter<'_>,
    decisions: &mut Decisions,
) -> Result<Option<Smaller>, Exhausted> {
    let mut nodes: Vec<Node> = turns.players.iter().map(|&(node, _)| node).collect();
    nodes.push(Node::END);
    nodes.sort_unstable();
    nodes.dedup();
    let mut said: Vec<Name> =
        needed.contains(&Name::GOALS).then_some(Name::GOALS).into_iter().collect();
    for _ in 0..most {
        let mut program = written()?;
        for &node in &nodes {
            program.probe(node, &said);
        }
        optimise_program(&mut program, meter, decisions)?;
        if !program.take_probes() {
            return Ok(None);
        }
        let mut read = read_at_turns(&program, meter)?;
        read.retain(|name| !said.contains(name));
        if read.is_empty() {
            return Ok(Some(Smaller { program, needed: said.into_iter().collect() }));
        }
        if !read.iter().all(|name| needed.contains(name)) {
            return Ok(None);
        }
        said.append(&mut read);
        said.sort_unstable();
    }
    Ok(None)
}

/// The variables that moves may read before they assign them, at nodes with names.
fn read_at_turns(program: &Program, meter: &Meter<'_>) -> Result<Vec<Name>, Exhausted> {
    let live = Live::of(program, meter)?;
    let turns: Vec<Node> =
        program.nodes().filter(|&node| program.node_name(node).is_some()).collect();
    let is_read =
        |&name: &Name| name != Name::PLAYER && turns.iter().any(|&node| live.has(node, name));
    Ok(program.all_variables().filter(is_read).collect())
}
