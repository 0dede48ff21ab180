//! Compact comparisons: parallel comparisons of an expression with many values become comparisons
//! in a row with all other values, if these are fewer (RG, figures 3, 4).
//!
//! ```text
//! type A = { 1, 2, 3 };
//! begin, end: x == 1;        begin, end: x != 3;
//! begin, end: x == 2;
//! ```

use crate::rg::name::Name;
use crate::rg::optimise::flow::value_sets::Values;
use crate::rg::optimise::program::{Edge, EdgeId, ExprId, Label, Node, Program};
use gdlr_text::budget::{Exhausted, Meter};
use hashbrown::HashMap;

/// Comparisons of an expression with symbols, on edges between two nodes.
type Group = ((Node, ExprId), Vec<(EdgeId, Name)>);

/// Applies the transformation everywhere.
pub fn run(program: &mut Program, meter: &Meter<'_>) -> Result<(), Exhausted> {
    let mut groups: Vec<(Node, Group)> = Vec::new();
    for node in program.nodes() {
        meter.spend(1 + program.leaving(node).len())?;
        groups.extend(groups_at(program, node).into_iter().map(|group| (node, group)));
    }
    if groups.is_empty() {
        return Ok(());
    }
    let value_sets = Values::of(program, meter)?;
    let mut values = value_sets.sets.borrow_mut();
    for (node, ((to, expr), edges)) in groups {
        let Some(knowledge) = value_sets.at(node) else { continue };
        let Some(possible) = values.of(program, knowledge, expr) else { continue };
        let mut compared: Vec<u32> =
            edges.iter().map(|(_, symbol)| symbol.index() as u32).collect();
        compared.sort_unstable();
        compared.dedup();
        let others: Vec<u32> = (values.sets.members(possible).iter().copied())
            .filter(|symbol| compared.binary_search(symbol).is_err())
            .collect();
        if others.len() < edges.len() {
            replace(program, (node, to), expr, &edges, &others);
        }
    }
    Ok(())
}

/// The groups of at least two comparisons at a node, in the order of their first edges.
fn groups_at(program: &Program, node: Node) -> Vec<Group> {
    if program.leaving(node).len() < 2 {
        return Vec::new();
    }
    let mut places: HashMap<(Node, ExprId), usize> = HashMap::new();
    let mut groups: Vec<Group> = Vec::new();
    for &id in program.leaving(node) {
        let edge = program.edge(id);
        let Label::Compare { left, right, equal: true } = edge.label else { continue };
        let symbol = |expr| program.expressions.as_symbol(expr);
        let (expr, symbol) = match (symbol(left), symbol(right)) {
            (None, Some(symbol)) => (left, symbol),
            (Some(symbol), None) => (right, symbol),
            _ => continue,
        };
        let place = *places.entry((edge.to, expr)).or_insert_with(|| {
            groups.push(((edge.to, expr), Vec::new()));
            groups.len() - 1
        });
        groups[place].1.push((id, symbol));
    }
    groups.retain(|(_, edges)| edges.len() > 1);
    groups
}

/// Replaces the first of some edges by a row of comparisons with other values, and removes the
/// rest.
fn replace(
    program: &mut Program,
    (from, to): (Node, Node),
    expr: ExprId,
    edges: &[(EdgeId, Name)],
    others: &[u32],
) {
    let (first, _) = edges[0];
    for &(id, _) in &edges[1..] {
        program.remove_edge(id);
    }
    let mut labels = others.iter().map(|&number| {
        let symbol = program.expressions.name(Name::at(number));
        Label::Compare { left: expr, right: symbol, equal: false }
    });
    let labels: Vec<Label> = labels.by_ref().collect();
    let Some((&last, before)) = labels.split_last() else {
        return program.relabel(first, Label::Skip);
    };
    let mut at = from;
    for &label in before {
        let next = program.add_node();
        if at == from {
            program.relabel(first, label);
            program.redirect(first, next);
        } else {
            program.add_edge(Edge { from: at, to: next, label });
        }
        at = next;
    }
    match at == from {
        true => program.relabel(first, last),
        false => drop(program.add_edge(Edge { from: at, to, label: last })),
    }
}
