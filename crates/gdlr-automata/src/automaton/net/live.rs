//! Liveness: the variables that a walk may still read before it ends.
//!
//! The values of all other variables are forgotten, so that walks meet which differ only in them. This analysis is not
//! that of live variables in the optimiser. It ends where a move ends, or where a check has reached its end, because later
//! walks read a state.

use super::sheet::{Sheet, Var};
use fixedbitset::FixedBitSet;
use gdlr_rg::rg::optimise::program::{Edge, Label, Node};
use gdlr_text::budget::{Exhausted, Meter};
use gdlr_text::graph::Worklist;
use hashbrown::{HashMap, HashSet};
use std::rc::Rc;

/// The variables that are read by a walk from each node.
pub(super) type Reads = HashMap<Node, FixedBitSet>;

/// The live variables, by kind of walk.
pub(super) struct Live {
    /// On the walks of moves.
    pub moves: Reads,
    /// By check: the live variables on its walks, by node.
    pub checks: HashMap<(Node, Node), Rc<Reads>>,
}

impl Live {
    /// The live variables. `goes_on` says whether a walk may go on at a node at which a move ends.
    pub fn new(
        sheet: &Sheet,
        goes_on: &dyn Fn(Node) -> bool,
        meter: &Meter<'_>,
    ) -> Result<Live, Exhausted> {
        let all = || sheet.program.edges().map(|(_, edge)| edge);
        let asked: HashSet<(Node, Node)> = all()
            .filter_map(|edge| match edge.label {
                Label::Reach { from, to, .. } => Some((from, to)),
                _ => None,
            })
            .collect();
        let mut order: Vec<(Node, Node)> = asked.into_iter().collect();
        order.sort_unstable();
        let mut checks: HashMap<(Node, Node), Reads> = HashMap::new();
        // Checks may be nested. So this is repeated until nothing changes.
        loop {
            let mut changed = false;
            for &(from, to) in &order {
                let mut reads = checks.remove(&(from, to)).unwrap_or_default();
                let nodes = walked(sheet, from, to);
                let stops = |edge: Edge| edge.from == to;
                changed |= solve(sheet, &nodes, &mut reads, &stops, &|_| true, &checks, meter)?;
                checks.insert((from, to), reads);
            }
            if !changed {
                break;
            }
        }
        let nodes: Vec<Node> = sheet.program.nodes().collect();
        let mut moves = Reads::new();
        let onwards = |edge: Edge| !sheet.program.ends_move(edge.label) || goes_on(edge.to);
        solve(sheet, &nodes, &mut moves, &|_| false, &onwards, &checks, meter)?;
        let checks = checks.into_iter().map(|(check, reads)| (check, Rc::new(reads))).collect();
        Ok(Live { moves, checks })
    }
}

/// Whether a walk from a node reads a variable.
pub(super) fn is_live(reads: &Reads, node: Node, var: Var) -> bool {
    reads.get(&node).is_some_and(|live| live.contains(var as usize))
}

/// The nodes that walks of a check reach.
pub(super) fn walked(sheet: &Sheet, from: Node, to: Node) -> Vec<Node> {
    let mut open = Worklist::sparse();
    open.push(from);
    let mut nodes = Vec::new();
    while let Some(node) = open.pop() {
        nodes.push(node);
        if node != to {
            open.extend(sheet.program.edges_from(node).map(|edge| edge.to));
        }
    }
    nodes
}

/// Adds variables that are read at nodes until nothing changes. Returns whether something did.
///
/// The solver of the optimiser (`flow::solve`) begins anew, and has facts for every node of an
/// automaton. This one visits the few nodes of a check again and again, each time with the results
/// for other checks.
fn solve(
    sheet: &Sheet,
    nodes: &[Node],
    reads: &mut Reads,
    stops: &dyn Fn(Edge) -> bool,
    onwards: &dyn Fn(Edge) -> bool,
    checks: &HashMap<(Node, Node), Reads>,
    meter: &Meter<'_>,
) -> Result<bool, Exhausted> {
    let program = &sheet.program;
    let words = sheet.variables.len();
    let mut open: Vec<Node> = nodes.to_vec();
    let inside: HashSet<Node> = open.iter().copied().collect();
    let mut waits = inside.clone();
    let mut any = false;
    while let Some(node) = open.pop() {
        waits.remove(&node);
        let mut live = FixedBitSet::with_capacity(words);
        for edge in program.edges_from(node).filter(|&edge| !stops(edge)) {
            meter.spend(1 + words / 64)?;
            let mut here = match reads.get(&edge.to) {
                Some(behind) if onwards(edge) => behind.clone(),
                _ => FixedBitSet::with_capacity(words),
            };
            let killed = program.overwritten(edge.label).and_then(|name| sheet.variable(name));
            killed.into_iter().for_each(|var| here.set(var as usize, false));
            let read = program.read(edge.label);
            for var in read.into_iter().filter_map(|name| sheet.variable(name)) {
                here.insert(var as usize);
            }
            if let Label::Reach { from, to, .. } = edge.label
                && let Some(within) = checks.get(&(from, to)).and_then(|check| check.get(&from))
            {
                here.union_with(within);
            }
            live.union_with(&here);
        }
        if reads.get(&node) != Some(&live) {
            reads.insert(node, live);
            any = true;
            for &id in program.entering(node) {
                let from = program.edge(id).from;
                if inside.contains(&from) && waits.insert(from) {
                    open.push(from);
                }
            }
        }
    }
    Ok(any)
}
