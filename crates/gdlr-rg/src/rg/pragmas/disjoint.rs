//! `@disjoint`, `@disjointExhaustive`: in every semistate at most one of the edges that leave a
//! node is legal, or exactly one.
//!
//! ```text
//! a, b: x == 1;      @disjoint a : b c;
//! a, c: x == 2;
//! d, e: ? p -> q;    @disjointExhaustive d : e f;
//! d, f: ! p -> q;
//! ```
//!
//! The pragma names all edges of a node, which must be at least two: a program that finds one of
//! them legal need not look at the others.

use super::analysed::AnalysedProgram;
use super::conditions::{self, Conditions};
use crate::rg::ast::{Hint, Ident};
use crate::rg::graph::Graph;
use crate::rg::optimise::program::{EdgeId, ExprId, Label, Node};
use gdlr_text::budget::{Exhausted, Meter};
use hashbrown::HashSet;

/// The number of edges of a node that are legal at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fork {
    /// At most one.
    Disjoint,
    /// Exactly one.
    Exhaustive,
}

/// By node: the number of edges that are legal at once, where it is known.
pub struct Forks(Vec<Option<Fork>>);

impl Forks {
    /// The forks of an automaton.
    pub fn new(analysed: &mut AnalysedProgram, meter: &Meter<'_>) -> Result<Forks, Exhausted> {
        let mut forks = Vec::with_capacity(analysed.program.node_count());
        for node in analysed.program.nodes() {
            meter.spend(1 + analysed.program.leaving(node).len())?;
            forks.push(fork(analysed, node, meter)?);
        }
        Ok(Forks(forks))
    }

    /// The number of edges of a node that are legal at once. `None` if there may be several, or if
    /// no walk reaches the node.
    pub fn at(&self, node: Node) -> Option<Fork> {
        self.0[node.index()]
    }

    /// The pragmas of all nodes, in the order of the edges.
    pub fn hints(&self, analysed: &AnalysedProgram, graph: &Graph<'_>) -> Vec<Hint> {
        let forks = analysed.program.nodes().zip(&self.0);
        let hint = |(node, fork): (Node, &Option<Fork>)| {
            let exhaustive = (*fork)? == Fork::Exhaustive;
            let name = analysed.program.node_name(node)?;
            let targets: Vec<Ident> = graph.leaving(name).map(|edge| edge.to.name.into()).collect();
            (targets.len() > 1).then(|| Hint::Disjoint { node: name.into(), targets, exhaustive })
        };
        forks.filter_map(hint).collect()
    }
}

/// The fork at a node that walks reach.
fn fork(
    analysed: &mut AnalysedProgram,
    node: Node,
    meter: &Meter<'_>,
) -> Result<Option<Fork>, Exhausted> {
    if analysed.at(node).is_none() {
        return Ok(None);
    }
    // An edge that is never legal makes no difference.
    let edges: Vec<EdgeId> = (analysed.program.leaving(node).iter().copied())
        .filter(|&edge| analysed.is_taken(edge))
        .collect();
    let of = |edge: &EdgeId| conditions::of(&analysed.program, *edge);
    let all: Vec<Conditions> = edges.iter().map(of).collect();
    match all.as_slice() {
        [] => return Ok(Some(Fork::Disjoint)),
        [only] if only.is_empty() => return Ok(Some(Fork::Exhaustive)),
        [only] => return Ok(by_subject(analysed, edges[0], &[only]).or(Some(Fork::Disjoint))),
        [one, other] => {
            let alone = match (&one[..], &other[..]) {
                ([one], [other]) => conditions::are_complements(*one, *other),
                _ => false,
            };
            if alone || negate(analysed, edges[0], edges[1]) {
                return Ok(Some(Fork::Exhaustive));
            }
        }
        _ => {}
    }
    if all.iter().any(|conditions| conditions.is_empty()) {
        return Ok(None);
    }
    if let Some(fork) = by_subject(analysed, edges[0], &all.iter().collect::<Vec<_>>()) {
        return Ok(Some(fork));
    }
    if edges.len() > analysed.program.tuning.paired {
        return Ok(None);
    }
    for (index, one) in all.iter().enumerate() {
        for (place, other) in all[..index].iter().enumerate() {
            meter.spend(one.len() * other.len())?;
            let negate = negate(analysed, edges[index], edges[place]);
            if !negate && !exclude(analysed, edges[index], (one, other)) {
                return Ok(None);
            }
        }
    }
    Ok(Some(Fork::Disjoint))
}

/// Whether two edges that leave the same node are never legal at once.
pub fn exclusive(analysed: &mut AnalysedProgram, one: EdgeId, other: EdgeId) -> bool {
    if !analysed.is_taken(one) || !analysed.is_taken(other) || negate(analysed, one, other) {
        return true;
    }
    let of = |edge| conditions::of(&analysed.program, edge);
    let (conditions, others) = (of(one), of(other));
    exclude(analysed, one, (&conditions, &others))
}

/// Whether one edge is written as the negation of the other.
fn negate(analysed: &AnalysedProgram, one: EdgeId, other: EdgeId) -> bool {
    conditions::are_complements(
        analysed.program.edge(one).label,
        analysed.program.edge(other).label,
    )
}

/// Whether two conjunctions are never both true at the beginning of an edge.
fn exclude(
    analysed: &mut AnalysedProgram,
    at: EdgeId,
    (one, other): (&Conditions, &Conditions),
) -> bool {
    let complements =
        |&left: &Label| other.iter().any(|&right| conditions::are_complements(left, right));
    if one.iter().any(complements) {
        return true;
    }
    if one.is_empty() || other.is_empty() {
        return false;
    }
    let both: Conditions = one.iter().chain(other).copied().collect();
    analysed.given(at, &both).is_none() || by_subject(analysed, at, &[one, other]).is_some()
}

/// Whether all edges compare the same expression, each with other values.
fn by_subject(analysed: &mut AnalysedProgram, at: EdgeId, all: &[&Conditions]) -> Option<Fork> {
    let Label::Compare { left, right, .. } = *all[0].first()? else { return None };
    [left, right].into_iter().find_map(|subject| partition(analysed, at, all, subject))
}

/// As [`by_subject`], for a given expression: the edges partition its values.
fn partition(
    analysed: &mut AnalysedProgram,
    at: EdgeId,
    all: &[&Conditions],
    subject: ExprId,
) -> Option<Fork> {
    let at = analysed.at(analysed.program.edge(at).from)?;
    let whole = analysed.values.of(&analysed.program, at, subject)?;
    let (mut union, mut exact) = (HashSet::new(), true);
    for conditions in all {
        let (mut part, mut found) = (whole, false);
        for &condition in conditions.iter() {
            let Label::Compare { left, right, equal } = condition else {
                exact = false;
                continue;
            };
            let other = match (left == subject, right == subject) {
                (true, false) => right,
                (false, true) => left,
                _ => {
                    exact = false;
                    continue;
                }
            };
            let others = analysed.values.of(&analysed.program, at, other)?;
            let sets = &mut analysed.values.sets;
            let only = sets.only(others);
            exact &= only.is_some();
            part = match (equal, only) {
                (true, Some(only)) if sets.has(part, only) => others,
                (true, _) => sets.intersection(part, others),
                (false, Some(_)) => sets.difference(part, others),
                (false, None) => part,
            };
            found = true;
        }
        if !found {
            return None;
        }
        for &symbol in analysed.values.sets.members(part).iter() {
            if !union.insert(symbol) {
                return None;
            }
        }
    }
    let all = union.len() == analysed.values.sets.members(whole).len();
    Some(if exact && all { Fork::Exhaustive } else { Fork::Disjoint })
}
