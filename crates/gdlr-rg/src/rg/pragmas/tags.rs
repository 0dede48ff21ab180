//! The number of tags on a walk since its move began, and the last tag.

use super::analysed::AnalysedProgram;
use super::searches::{Goal, Searches};
use crate::rg::optimise::flow::sets::SetRef;
use crate::rg::optimise::program::{EdgeId, Label, Node};
use gdlr_text::budget::{Exhausted, Meter};
use gdlr_text::graph::strongly_connected;
use std::collections::VecDeque;

/// The last tag of a walk without tags.
const NONE: u32 = u32::MAX;

/// The tags of the walks that reach a node or an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WalkTags {
    /// The least number of tags.
    pub least: u32,
    /// The greatest number of tags; `None` if there is no bound.
    pub most: Option<u32>,
    /// The possible last tags; `None` if it may be any.
    pub last: Option<SetRef>,
}

impl WalkTags {
    /// The number of tags, if it is the same on all walks.
    pub fn count(self) -> Option<u32> {
        self.most.filter(|&most| most == self.least)
    }
}

/// The tags of the walks of searches for moves, by node.
pub struct Tags {
    at: Vec<Option<WalkTags>>,
}

/// Whether an edge has a tag.
fn is_tag(label: Label) -> bool {
    matches!(label, Label::Tag(_) | Label::TagVariable(_))
}

impl Tags {
    /// Computes the tags of all searches for moves.
    pub fn new(
        analysed: &mut AnalysedProgram,
        searches: &Searches,
        meter: &Meter<'_>,
    ) -> Result<Tags, Exhausted> {
        debug_assert_eq!(searches.goal, Goal::Moves);
        let least = least(analysed, searches, meter)?;
        let most = most(analysed, searches, meter)?;
        let mut tags = Tags { at: vec![None; least.len()] };
        let mut empty = Some(analysed.values.sets.of(&[]));
        for (index, walk_tags) in tags.at.iter_mut().enumerate() {
            if searches.reaches(Node::at(index)) {
                *walk_tags = Some(WalkTags { least: least[index], most: most[index], last: empty });
            }
        }
        empty = Some(analysed.values.sets.of(&[NONE]));
        for &node in &searches.order {
            if searches.begins_at(node) {
                tags.add_last(analysed, node, empty);
            }
        }
        let mut again = true;
        while std::mem::take(&mut again) {
            for &node in &searches.order {
                meter.spend(1 + analysed.program.leaving(node).len())?;
                for id in analysed.program.leaving(node).to_vec() {
                    if searches.follows(analysed, id)
                        && let Some(behind) = tags.behind(analysed, id)
                    {
                        let to = analysed.program.edge(id).to;
                        again |= tags.add_last(analysed, to, behind.last);
                    }
                }
            }
        }
        Ok(tags)
    }

    fn add_last(
        &mut self,
        analysed: &mut AnalysedProgram,
        node: Node,
        new: Option<SetRef>,
    ) -> bool {
        let Some(walk_tags) = &mut self.at[node.index()] else { return false };
        let joined = match (walk_tags.last, new) {
            (Some(old), Some(new)) => {
                let both = analysed.values.sets.union(old, new);
                (analysed.values.sets.members(both).len() <= analysed.program.tuning.last_tags)
                    .then_some(both)
            }
            _ => None,
        };
        std::mem::replace(&mut walk_tags.last, joined) != joined
    }

    /// The tags of the walks that reach a node.
    pub fn at(&self, node: Node) -> Option<WalkTags> {
        self.at[node.index()]
    }

    /// The tags of the walks just after an edge.
    pub fn behind(&self, analysed: &mut AnalysedProgram, id: EdgeId) -> Option<WalkTags> {
        let edge = analysed.program.edge(id);
        let walk_tags = self.at[edge.from.index()]?;
        let last = match edge.label {
            Label::Tag(tag) => Some(analysed.values.sets.of(&[tag.index() as u32])),
            Label::TagVariable(variable) => {
                let symbols = analysed.behind(id, variable);
                symbols.filter(|&set| {
                    analysed.values.sets.members(set).len() <= analysed.program.tuning.last_tags
                })
            }
            _ => return Some(walk_tags),
        };
        Some(WalkTags {
            least: walk_tags.least + 1,
            most: walk_tags.most.map(|most| most + 1),
            last,
        })
    }
}

/// By node: the least number of tags on a walk to it.
fn least(
    analysed: &AnalysedProgram,
    searches: &Searches,
    meter: &Meter<'_>,
) -> Result<Vec<u32>, Exhausted> {
    let program = &analysed.program;
    let mut least = vec![u32::MAX; program.node_count()];
    let mut open = VecDeque::new();
    for &node in searches.order.iter().filter(|&&node| searches.begins_at(node)) {
        least[node.index()] = 0;
        open.push_back((node, 0));
    }
    while let Some((node, count)) = open.pop_front() {
        if count > least[node.index()] {
            continue;
        }
        meter.spend(1 + program.leaving(node).len())?;
        for &id in program.leaving(node) {
            let edge = program.edge(id);
            let after = count + u32::from(is_tag(edge.label));
            if !searches.follows(analysed, id) || after >= least[edge.to.index()] {
                continue;
            }
            least[edge.to.index()] = after;
            match after == count {
                true => open.push_front((edge.to, after)),
                false => open.push_back((edge.to, after)),
            }
        }
    }
    Ok(least)
}

/// By node: the greatest number of tags on a walk to it, if there is a bound.
fn most(
    analysed: &AnalysedProgram,
    searches: &Searches,
    meter: &Meter<'_>,
) -> Result<Vec<Option<u32>>, Exhausted> {
    let program = &analysed.program;
    let followed = |node: Node| {
        let edges = program.leaving(node).iter().copied();
        edges.filter(|&id| searches.follows(analysed, id)).map(|id| program.edge(id))
    };
    let successors: Vec<Vec<u32>> = program
        .nodes()
        .map(|node| followed(node).map(|edge| edge.to.index() as u32).collect())
        .collect();
    let components = strongly_connected(&successors);
    drop(successors);
    let mut component_of = vec![0; program.node_count()];
    for (number, component) in components.iter().enumerate() {
        component.iter().for_each(|&node| component_of[node as usize] = number);
    }
    let mut most = vec![Some(0); program.node_count()];
    // A component comes after the components that it leads to.
    for (number, component) in components.iter().enumerate().rev() {
        let nodes = || component.iter().map(|&node| Node::at(node as usize));
        let within = |to: Node| component_of[to.index()] == number;
        let tagged =
            nodes().any(|node| followed(node).any(|edge| is_tag(edge.label) && within(edge.to)));
        let here = match tagged {
            true => None,
            false => {
                nodes().map(|node| most[node.index()]).try_fold(0, |most, one| Some(most.max(one?)))
            }
        };
        for node in nodes() {
            meter.spend(1 + program.leaving(node).len())?;
            most[node.index()] = here;
            for edge in followed(node).filter(|edge| !within(edge.to)) {
                let after = here.map(|here| here + u32::from(is_tag(edge.label)));
                let to = &mut most[edge.to.index()];
                *to = to.zip(after).map(|(to, after)| to.max(after));
            }
        }
    }
    Ok(most)
}
