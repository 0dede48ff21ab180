//! Which variables states need.

use super::sheet::{Sheet, Var};
use super::turns::Turns;
use gdlr_rg::rg::Name;
use gdlr_rg::rg::optimise::flow::live_variables::Live;
use gdlr_rg::rg::optimise::program::Node;
use hashbrown::HashSet;

/// Which variables states need.
pub(super) struct Kept {
    /// By variable: whether states say what it is.
    pub state: Vec<bool>,
    /// By variable: the nodes of the keeper's where it may be read.
    keeper: Vec<HashSet<Node>>,
}

/// The variables that states say: those that are assigned to, and that a move or the game manager
/// may read. `player` is said in another way.
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
    /// The variables that states are to say, and those that the keeper needs.
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

    /// Whether what a walk has assigned to a variable is needed behind the move, which ends at a
    /// node, or somewhere.
    pub fn is_kept(&self, var: Var, end: Option<Node>) -> bool {
        self.state[var as usize]
            || match end {
                Some(node) => self.keeper[var as usize].contains(&node),
                None => !self.keeper[var as usize].is_empty(),
            }
    }
}
