//! Pauses of the keeper. Before the keeper asks about its own writes, its move ends, and it goes on
//! with a new move.
//!
//! A keeper may put a stone on the square of the move, and then ask whether a player has won.
//! Without a pause there is one question for each square, with the stone on it. Behind a pause, the
//! stone belongs to the [state](super::rounds), and there is one question for all squares. Players
//! do not notice, since the keeper goes on at the same node.
//!
//! A pause has a cost: each slot that may have been written gets a choice. So there is no pause if
//! the move goes on to write the variables in question. In Reversi each of eight directions is
//! asked about before it is turned over. The keeper pauses only behind the last one.

use super::live::{Live, is_live, walked};
use super::sheet::{Sheet, Var};
use super::turns::Turns;
use fixedbitset::FixedBitSet;
use gdlr_rg::rg::Name;
use gdlr_rg::rg::optimise::program::{Edge, Label, Node};
use gdlr_text::budget::{Exhausted, Meter};
use gdlr_text::graph::{Worklist, strongly_connected};
use hashbrown::{HashMap, HashSet};

/// Lets the keeper pause. Returns the number of nodes at which it does. Takes time linear in the
/// automaton and its variables.
///
/// The values of variables that the keeper knows must be tried out behind a pause. So it does not
/// pause if they have more than `most` combinations.
pub(super) fn insert(
    sheet: &mut Sheet,
    turns: &Turns,
    most: usize,
    meter: &Meter<'_>,
) -> Result<usize, Exhausted> {
    if turns.keeper.is_empty() {
        return Ok(0);
    }
    let live = Live::new(sheet, &|node| turns.inner.contains(&node), meter)?;
    let own = within_moves(sheet, turns.keeper.iter().flatten().copied());
    let may_pause = candidates(sheet, turns, &live, &own, most);
    let nodes = asked_about_writes(sheet, &live, (&own, &may_pause), meter)?;
    let expressions = &mut sheet.program.expressions;
    let (target, value) = (expressions.name(Name::PLAYER), expressions.name(Name::KEEPER));
    for &node in &nodes {
        let before = sheet.program.add_node();
        sheet.program.redirect_all(node, before);
        let label = Label::Assign { target, value };
        sheet.program.add_edge(Edge { from: before, to: node, label });
    }
    Ok(nodes.len())
}

/// The nodes of moves that begin at some nodes.
fn within_moves(sheet: &Sheet, starts: impl Iterator<Item = Node>) -> HashSet<Node> {
    let mut open = Worklist::sparse();
    let mut nodes = HashSet::new();
    open.extend(starts);
    while let Some(node) = open.pop() {
        nodes.insert(node);
        open.extend(onwards(sheet, node).map(|edge| edge.to));
    }
    nodes
}

/// The edges that continue a move.
fn onwards(sheet: &Sheet, node: Node) -> impl Iterator<Item = Edge> + '_ {
    let edges = sheet.program.edges_from(node);
    edges.filter(|edge| !sheet.program.ends_move(edge.label))
}

/// The nodes of the keeper that no other walk reaches, and at which few values are known.
fn candidates(
    sheet: &Sheet,
    turns: &Turns,
    live: &Live,
    own: &HashSet<Node>,
    most: usize,
) -> HashSet<Node> {
    let players = within_moves(sheet, turns.players.iter().map(|&(node, _)| node));
    let mut checked: HashSet<Node> = HashSet::new();
    for &(from, to) in live.checks.keys() {
        checked.extend(walked(sheet, from, to));
    }
    let is_one = |node: &Node| {
        let others = players.contains(node) || checked.contains(node);
        let asks = sheet.program.edges_from(*node).any(|edge| asked(edge).is_some());
        asks && !others && *node != Node::BEGIN && combinations(sheet, live, *node) <= most
    };
    own.iter().copied().filter(is_one).collect()
}

/// The number of combinations of values of the variables that a walk knows, and reads from a node
/// on.
fn combinations(sheet: &Sheet, live: &Live, node: Node) -> usize {
    let vars = (0..sheet.variables.len() as Var).filter(|&var| {
        let variable = sheet.at(var);
        let is_known = !variable.is_written && variable.name != Name::PLAYER;
        is_known && is_live(&live.moves, node, var)
    });
    vars.fold(1, |product: usize, var| product.saturating_mul(sheet.at(var).values.len()))
}

/// The check of an edge.
fn asked(edge: Edge) -> Option<(Node, Node)> {
    match edge.label {
        Label::Reach { from, to, .. } => Some((from, to)),
        _ => None,
    }
}

/// The variable of which an edge writes a part.
fn written(sheet: &Sheet, edge: Edge) -> Option<usize> {
    let var = sheet.variable(sheet.program.written(edge.label)?)?;
    sheet.at(var).is_written.then_some(var as usize)
}

/// The nodes at which the keeper pauses. There is no pause on a cycle.
fn asked_about_writes(
    sheet: &Sheet,
    live: &Live,
    (own, may_pause): (&HashSet<Node>, &HashSet<Node>),
    meter: &Meter<'_>,
) -> Result<Vec<Node>, Exhausted> {
    let mut nodes: Vec<Node> = own.iter().copied().collect();
    nodes.sort_unstable();
    let places: HashMap<Node, usize> = nodes.iter().copied().zip(0..).collect();
    let edges: Vec<Vec<Edge>> = nodes.iter().map(|&node| onwards(sheet, node).collect()).collect();
    let successors: Vec<Vec<u32>> = edges
        .iter()
        .map(|edges| edges.iter().map(|edge| places[&edge.to] as u32).collect())
        .collect();
    let components = strongly_connected(&successors);
    let nothing = FixedBitSet::with_capacity(sheet.variables.len());
    // By node: the variables that a move may write from there on.
    let mut later = vec![nothing.clone(); nodes.len()];
    for component in &components {
        let mut all = nothing.clone();
        for edge in component.iter().flat_map(|&place| &edges[place as usize]) {
            meter.spend(1 + all.as_slice().len())?;
            all.extend(written(sheet, *edge));
            all.union_with(&later[places[&edge.to]]);
        }
        component.iter().for_each(|&place| later[place as usize].clone_from(&all));
    }
    // By node: the variables that a move may have written since it began or paused.
    let mut before = vec![nothing.clone(); nodes.len()];
    let mut pauses = Vec::new();
    for component in components.iter().rev() {
        let mut all = nothing.clone();
        component.iter().for_each(|&place| all.union_with(&before[place as usize]));
        let place = component[0] as usize;
        if let [_] = component[..]
            && may_pause.contains(&nodes[place])
            && edges[place].iter().any(|edge| is_asked_about(live, edge, &all, &later[place]))
        {
            pauses.push(nodes[place]);
            all.clear();
        }
        for edge in component.iter().flat_map(|&place| &edges[place as usize]) {
            meter.spend(1 + all.as_slice().len())?;
            all.extend(written(sheet, *edge));
        }
        for edge in component.iter().flat_map(|&place| &edges[place as usize]) {
            before[places[&edge.to]].union_with(&all);
        }
    }
    Ok(pauses)
}

/// Whether an edge asks about written variables, and none of them is written later.
fn is_asked_about(live: &Live, edge: &Edge, before: &FixedBitSet, later: &FixedBitSet) -> bool {
    let Some(check) = asked(*edge) else { return false };
    let Some(read) = live.checks.get(&check).and_then(|reads| reads.get(&check.0)) else {
        return false;
    };
    let mut asked = before.clone();
    asked.intersect_with(read);
    !asked.is_clear() && asked.is_disjoint(later)
}
