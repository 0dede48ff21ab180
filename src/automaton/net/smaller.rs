//! The automaton made smaller before it is followed.

use super::turns::Turns;
use crate::budget::{Exhausted, Limit, Meter};
use crate::rg::Name;
use crate::rg::optimise::optimise_program;
use crate::rg::optimise::program::{Node, Program};
use hashbrown::HashSet;

/// The part of the time that there is left which the optimiser may take: one in so many.
const PART: u32 = 4;

/// Optimises a program within a part of the time; moves, the names of nodes where somebody has the
/// move and what variables that states need hold there stay as they are. Says whether that could
/// be done; if not, the program is not to be used any more.
///
/// # Errors
///
/// When somebody wants no net any more.
pub(super) fn make(
    program: &mut Program,
    turns: &Turns,
    needed: &HashSet<Name>,
    meter: &Meter<'_>,
) -> Result<bool, Exhausted> {
    let mut reads: Vec<Name> = needed.iter().copied().collect();
    reads.sort_unstable();
    let mut nodes: Vec<Node> = turns.players.iter().map(|&(node, _)| node).collect();
    nodes.push(Node::END);
    nodes.sort_unstable();
    nodes.dedup();
    for node in nodes {
        program.probe(node, &reads);
    }
    match optimise_program(program, &meter.taking_one_in(PART)) {
        Ok(()) => Ok(program.take_probes()),
        Err(why) if why.limit == Limit::Interrupted => Err(why),
        Err(_) => Ok(false),
    }
}
