//! The nodes at which moves begin, and their order for the keeper.

use super::sheet::Sheet;
use gdlr_rg::rg::Name;
use gdlr_rg::rg::optimise::program::{Edge, Label, Node};
use gdlr_text::budget::{Exhausted, Meter};
use gdlr_text::graph::{Worklist, strongly_connected};
use hashbrown::{HashMap, HashSet};

/// The nodes at which moves begin, with their players.
pub(super) struct Turns {
    /// The nodes at which a player or chance has the move, with the one who has it.
    pub players: Vec<(Node, Name)>,
    /// The values that `player` may have at `end`.
    pub at_end: Vec<Name>,
    /// The nodes of the keeper, in lists. The nodes of a list come after all their predecessors
    /// that are not in the list.
    pub keeper: Vec<Vec<Node>>,
    /// The nodes of the keeper that lie on a cycle.
    pub inner: HashSet<Node>,
}

impl Turns {
    /// The turns of an automaton whose play begins with a move at `begin`.
    pub fn new(
        sheet: &Sheet,
        begin: (Node, Name),
        is_player: impl Fn(Name) -> bool,
        meter: &Meter<'_>,
    ) -> Result<Turns, Exhausted> {
        let mut pairs: Vec<(Node, Name)> = vec![begin];
        for (_, edge) in sheet.program.edges() {
            pairs.extend(ends(sheet, edge));
        }
        pairs.sort_unstable();
        pairs.dedup();
        let at_end = pairs.iter().filter(|(node, _)| *node == Node::END);
        let at_end = at_end.map(|&(_, player)| player).collect();
        pairs.retain(|&(node, _)| node != Node::END);
        let (players, kept): (Vec<_>, Vec<_>) =
            pairs.into_iter().partition(|&(_, player)| is_player(player));
        let mut nodes: Vec<Node> = kept.into_iter().map(|(node, _)| node).collect();
        nodes.dedup();
        let numbers: HashMap<Node, u32> = nodes.iter().copied().zip(0..).collect();
        let mut successors: Vec<Vec<u32>> = Vec::new();
        for &node in &nodes {
            let behind = ends_behind(sheet, node, meter)?.into_iter();
            let kept = behind.filter(|&(_, player)| !is_player(player));
            let mut next: Vec<u32> =
                kept.filter_map(|(node, _)| numbers.get(&node).copied()).collect();
            next.sort_unstable();
            next.dedup();
            successors.push(next);
        }
        let mut components = strongly_connected(&successors);
        components.reverse();
        let mut inner = HashSet::new();
        for component in &components {
            let first = component[0];
            if component.len() > 1 || successors[first as usize].contains(&first) {
                inner.extend(component.iter().map(|&number| nodes[number as usize]));
            }
        }
        let rank = ranks(&components, &successors);
        let mut keeper: Vec<Vec<Node>> = Vec::new();
        for component in &components {
            let rank = rank[component[0] as usize];
            if keeper.len() <= rank {
                keeper.resize(rank + 1, Vec::new());
            }
            keeper[rank].extend(component.iter().map(|&number| nodes[number as usize]));
        }
        Ok(Turns { players, at_end, keeper, inner })
    }
}

/// By node: the length of the longest path of other components that leads to it. Each component
/// comes behind its predecessors.
fn ranks(components: &[Vec<u32>], successors: &[Vec<u32>]) -> Vec<usize> {
    let mut rank = vec![0; successors.len()];
    for component in components {
        let own = component.iter().map(|&node| rank[node as usize]).max().unwrap_or(0);
        component.iter().for_each(|&node| rank[node as usize] = own);
        let inside: HashSet<u32> = component.iter().copied().collect();
        for &next in component.iter().flat_map(|&node| &successors[node as usize]) {
            if !inside.contains(&next) {
                rank[next as usize] = rank[next as usize].max(own + 1);
            }
        }
    }
    rank
}

/// The node at which a move ends with an edge, and the players who may have the move there.
fn ends(sheet: &Sheet, edge: Edge) -> Vec<(Node, Name)> {
    match edge.label {
        Label::Assign { value, .. } if sheet.program.ends_move(edge.label) => {
            let players = sheet.possible(&|_| None, value);
            players.into_iter().map(|player| (edge.to, player)).collect()
        }
        _ => Vec::new(),
    }
}

/// The nodes at which a move from a node may end, and the players who may have the move there.
fn ends_behind(
    sheet: &Sheet,
    node: Node,
    meter: &Meter<'_>,
) -> Result<Vec<(Node, Name)>, Exhausted> {
    let mut open = Worklist::sparse();
    open.push(node);
    let mut turns = Vec::new();
    while let Some(node) = open.pop() {
        for edge in sheet.program.edges_from(node) {
            meter.spend(1)?;
            if sheet.program.ends_move(edge.label) {
                turns.extend(ends(sheet, edge));
            } else {
                open.push(edge.to);
            }
        }
    }
    Ok(turns)
}
