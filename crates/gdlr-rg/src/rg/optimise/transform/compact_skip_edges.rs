//! Compact skip edges: the two nodes of a skip edge become one if no walk can tell them apart (RG,
//! figures 21, 22).
//!
//! ```text
//! begin, b: 1 == 1;        begin, c: 1 == 1;
//! b, c: ;                  c, end: 2 == 2;
//! c, end: 2 == 2;
//! ```
//!
//! This is the case if the edge is the only one that leaves the first node, or the only one that
//! enters the second. A condition beside a skip edge to the same node is removed. A node with one
//! leaving edge that only skip edges enter is removed, too: its edge replaces each of them.

use crate::rg::optimise::moves;
use crate::rg::optimise::program::{Edge, EdgeId, Label, Node, Program};
use gdlr_text::budget::{Exhausted, Meter};
use hashbrown::{HashMap, HashSet};

/// Applies the transformation everywhere.
pub fn run(program: &mut Program, meter: &Meter<'_>) -> Result<(), Exhausted> {
    drop_conditions(program, meter)?;
    let mut checks = Checks::of(program);
    let mut open: Vec<EdgeId> =
        program.edges().filter(|(_, edge)| edge.label == Label::Skip).map(|(id, _)| id).collect();
    open.reverse();
    while let Some(id) = open.pop() {
        meter.spend(1)?;
        let Some(edge) = program.get(id) else { continue };
        if edge.label == Label::Skip {
            compact(program, &mut checks, id, edge);
        }
    }
    pull(program, &checks, meter)
}

/// Removes conditions beside skip edges, and skip edges beside skip edges.
fn drop_conditions(program: &mut Program, meter: &Meter<'_>) -> Result<(), Exhausted> {
    for node in program.nodes() {
        meter.spend(1 + program.leaving(node).len())?;
        let mut skipped: HashSet<Node> = program
            .edges_from(node)
            .filter(|edge| edge.label == Label::Skip)
            .map(|edge| edge.to)
            .collect();
        if skipped.is_empty() {
            continue;
        }
        program.retain_leaving(node, |program, id| {
            let Edge { to, label, .. } = program.edge(id);
            match label {
                Label::Skip => to != node && skipped.remove(&to),
                _ => true,
            }
        });
        let skipped: HashSet<Node> = program
            .edges_from(node)
            .filter(|edge| edge.label == Label::Skip)
            .map(|edge| edge.to)
            .collect();
        program.retain_leaving(node, |program, id| {
            let Edge { to, label, .. } = program.edge(id);
            !(label.is_condition() && skipped.contains(&to))
        });
    }
    Ok(())
}

/// The nodes that reachability checks name, each with the checks.
struct Checks {
    starts: HashMap<Node, Vec<EdgeId>>,
    targets: HashMap<Node, Vec<EdgeId>>,
    /// The nodes where moves begin.
    turns: HashSet<Node>,
}

impl Checks {
    fn of(program: &Program) -> Checks {
        let mut checks = Checks {
            starts: HashMap::new(),
            targets: HashMap::new(),
            turns: moves::turns(program),
        };
        for (id, edge) in program.edges() {
            if let Label::Reach { from, to, .. } = edge.label {
                checks.starts.entry(from).or_default().push(id);
                checks.targets.entry(to).or_default().push(id);
            }
        }
        checks
    }

    /// Renames a node in all checks that name it.
    fn rename(&mut self, program: &mut Program, node: Node, now: Node) {
        let (starts, targets) = (self.starts.remove(&node), self.targets.remove(&node));
        for id in starts.iter().chain(&targets).flatten() {
            if let Some(edge) = program.get(*id)
                && let Label::Reach { from, to, negated } = edge.label
            {
                let new = |old: Node| if old == node { now } else { old };
                program.relabel(*id, Label::Reach { from: new(from), to: new(to), negated });
            }
        }
        self.starts.entry(now).or_default().extend(starts.into_iter().flatten());
        self.targets.entry(now).or_default().extend(targets.into_iter().flatten());
        if self.turns.remove(&node) {
            self.turns.insert(now);
        }
    }

    fn starts_at(&self, node: Node) -> bool {
        self.starts.get(&node).is_some_and(|edges| !edges.is_empty())
    }

    fn looks_for(&self, node: Node) -> bool {
        self.targets.get(&node).is_some_and(|edges| !edges.is_empty())
    }
}

/// Merges the two nodes of a skip edge, if that is allowed.
fn compact(program: &mut Program, checks: &mut Checks, id: EdgeId, edge: Edge) {
    let Edge { from, to, .. } = edge;
    if from == to {
        program.remove_edge(id);
        return;
    }
    let only_out = program.leaving(from).len() == 1;
    let only_in = program.entering(to).len() == 1;
    // The node that ends a play must stay.
    if from == Node::END || to == Node::END && (from == Node::BEGIN || checks.turns.contains(&from))
    {
        return;
    }
    // Walks from the first node can reach only the second. If a check looks for the first node, no
    // walk may reach the second without it.
    let leads_on = only_out
        && (!checks.looks_for(from) || only_in && !checks.starts_at(to) && to != Node::BEGIN);
    // Walks reach the second node only from the first.
    let comes_from = only_in && to != Node::END && to != Node::BEGIN && !checks.starts_at(to);
    if leads_on && from != Node::BEGIN {
        program.remove_edge(id);
        program.becomes(from, to);
        program.redirect_all(from, to);
        checks.rename(program, from, to);
    } else if comes_from || leads_on && to != Node::END && to != Node::BEGIN {
        let at = program.leaving(from).iter().position(|&other| other == id).expect("it leaves");
        program.remove_edge(id);
        program.becomes(to, from);
        program.splice(to, from, at);
        program.redirect_all(to, from);
        checks.rename(program, to, from);
    }
}

/// Replaces the skip edges into a node by its only leaving edge.
fn pull(program: &mut Program, checks: &Checks, meter: &Meter<'_>) -> Result<(), Exhausted> {
    for node in program.nodes() {
        meter.spend(1)?;
        let &[only] = program.leaving(node) else { continue };
        let edge = program.edge(only);
        let named = checks.starts_at(node) || checks.looks_for(node);
        let special = node == Node::BEGIN || node == Node::END || checks.turns.contains(&node);
        let entering = program.entering(node);
        if named
            || special
            || edge.to == node
            || entering.len() < 2
            || entering.iter().any(|&id| program.edge(id).label != Label::Skip)
        {
            continue;
        }
        let entering = entering.to_vec();
        for id in entering {
            program.relabel(id, edge.label);
            program.redirect(id, edge.to);
        }
        program.remove_edge(only);
    }
    Ok(())
}
