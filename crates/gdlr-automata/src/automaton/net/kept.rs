//! The variables that states need.

use super::sheet::{Sheet, Var};
use super::turns::Turns;
use gdlr_rg::rg::Name;
use gdlr_rg::rg::optimise::flow::live_variables::Live;
use gdlr_rg::rg::optimise::program::Node;
use hashbrown::HashSet;

/// The variables that states need.
pub(super) struct Kept {
    /// By variable: whether states have its value.
    pub state: Vec<bool>,
    /// By variable: the nodes of the keeper at which it may be read.
    keeper: Vec<HashSet<Node>>,
}

/// The variables of states: those with assignments that a move or the game manager may read.
/// `player` is stored in another way.
pub(super) fn needed(sheet: &Sheet, turns: &Turns, live: &Live) -> HashSet<Name> {
    let edges = sheet.program.edges();
    let mut needed: HashSet<Name> =
        edges.filter_map(|(_, edge)| sheet.program.written(edge.label)).collect();
    needed.retain(|&name| {
        let read = turns.players.iter().any(|&(node, _)| live.has(node, name));
        name != Name::PLAYER && (read || name == Name::GOALS)
    });
    needed
}

impl Kept {
    /// The variables of states, and the variables that the keeper reads.
    pub fn new(sheet: &Sheet, turns: &Turns, needed: &HashSet<Name>, live: &Live) -> Kept {
        let state =
            sheet.variables.iter().map(|variable| needed.contains(&variable.name)).collect();
        let read = |name: Name| {
            let nodes = turns.keeper.iter().flatten().copied();
            nodes.filter(|&node| live.has(node, name)).collect()
        };
        let keeper = sheet.variables.iter().map(|variable| read(variable.name)).collect();
        Kept { state, keeper }
    }

    /// Whether the value that a walk has assigned to a variable is needed behind the move. The move
    /// ends at `end`, or at any node for `None`.
    pub fn is_kept(&self, var: Var, end: Option<Node>) -> bool {
        self.state[var as usize]
            || match end {
                Some(node) => self.keeper[var as usize].contains(&node),
                None => !self.keeper[var as usize].is_empty(),
            }
    }
}
