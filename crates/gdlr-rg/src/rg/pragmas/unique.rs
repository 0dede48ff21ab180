//! `@unique`, `@repeat`: the data that a search must remember of the nodes that it visits.
//!
//! ```text
//! begin, a: player = x;      @unique begin a b c;
//! a, b: v = T(*);            @repeat d : w;
//! b, c: w = T(*);
//! c, d: v = 1;
//! ```
//!
//! A node is **unique** if no two walks of a search bring the same tags and values to it. This
//! holds under two conditions. The walks enter it from unique nodes, by edges that keep semistates
//! apart. And something tells each two of these edges apart: the beginning of the search, a tag,
//! the value of a variable, or a fork before them of which only one edge can be legal. (Take the
//! shortest two walks that bring the same. Either their last edges differ, or they share a last
//! edge that does not keep semistates apart.) A node that a search reaches without a
//! [choice](super::single) is unique, too.
//!
//! At other nodes, the variables that the tags do not [determine](super::determined) tell
//! semistates apart. Tags on the walks of checks do not count. The search of a check ends at its
//! target.

use super::analysed::AnalysedProgram;
use super::determined::Determined;
use super::disjoint::{self, Forks};
use super::searches::{Goal, Searches};
use super::single::single;
use super::tags::Tags;
use crate::rg::ast::{Hint, Ident};
use crate::rg::name::Name;
use crate::rg::optimise::flow::sets::SetRef;
use crate::rg::optimise::program::{EdgeId, ExprId, Label, Node, Program, Shape, Val};
use crate::rg::types::Ty;
use gdlr_text::budget::{Exhausted, Meter};
use gdlr_text::graph::Worklist;
use hashbrown::{HashMap, HashSet};

/// The pragmas of all nodes that searches reach, in the order of the edges.
pub fn compute(
    analysed: &mut AnalysedProgram,
    forks: &Forks,
    (moves, tags): (&Searches, &Tags),
    meter: &Meter<'_>,
) -> Result<Vec<Hint>, Exhausted> {
    let checks = Searches::new(analysed, Goal::Checks, meter)?;
    let mut layers = Vec::new();
    for searches in [moves, &checks] {
        let single = single(analysed, searches, forks, meter)?;
        let determined = Determined::new(analysed, (searches, tags, &single), meter)?;
        let unique = unique(analysed, (searches, tags, &single), &determined, meter)?;
        layers.push((searches, determined, unique));
    }
    let mut all_unique: Vec<Ident> = Vec::new();
    let mut repeats: Vec<(Vec<Name>, Vec<Ident>)> = Vec::new();
    let mut places: HashMap<Vec<Name>, usize> = HashMap::new();
    for node in analysed.program.nodes() {
        meter.spend(1)?;
        let Some(name) = analysed.program.node_name(node) else { continue };
        let here = || layers.iter().filter(|(searches, ..)| searches.reaches(node));
        if here().next().is_none() {
            continue;
        }
        if here().all(|(_, _, unique)| unique[node.index()]) {
            all_unique.push(name.into());
            continue;
        }
        // One pragma is for the searches of both kinds. If searches of one kind are unique at a
        // node, that does not say which semistates they bring.
        let mut variables: Vec<Name> =
            here().flat_map(|(_, determined, _)| determined.unknown(node)).collect();
        meter.spend(variables.len())?;
        variables.sort_unstable();
        variables.dedup();
        let bits: f64 = variables.iter().map(|&name| bits(&analysed.program, name)).sum();
        if bits > analysed.program.tuning.repeat_bits {
            continue;
        }
        let place = *places.entry(variables.clone()).or_insert(repeats.len());
        if place == repeats.len() {
            repeats.push((variables, Vec::new()));
        }
        repeats[place].1.push(name.into());
    }
    let mut hints = Vec::new();
    if !all_unique.is_empty() {
        hints.push(Hint::Unique { nodes: all_unique });
    }
    for (variables, nodes) in repeats {
        let variables = variables.into_iter().map(Ident::from).collect();
        hints.push(Hint::Repeat { nodes, variables });
    }
    Ok(hints)
}

/// The number of bits of the value of a variable.
fn bits(program: &Program, variable: Name) -> f64 {
    let (mut entries, mut ty) = (1.0, program.ty_of(variable));
    while let Ty::Map(map) = ty {
        let (keys, value) = program.resolved.map(map);
        entries *= program.symbols(keys).map_or(1, <[Name]>::len) as f64;
        ty = value;
    }
    entries * (program.symbols(ty).map_or(1, <[Name]>::len) as f64).log2()
}

/// By node: whether searches reach it at most once with the same tags and values.
fn unique(
    analysed: &mut AnalysedProgram,
    (searches, tags, single): (&Searches, &Tags, &[bool]),
    determined: &Determined,
    meter: &Meter<'_>,
) -> Result<Vec<bool>, Exhausted> {
    let mut open = Worklist::new(analysed.program.node_count());
    let mut arrivals = Arrivals { analysed, searches, determined, tags, meter };
    for &node in &searches.order {
        if !single[node.index()] && !arrivals.keep_apart(node)? {
            open.push(node);
        }
    }
    // A node that is not unique makes its successors not unique.
    while let Some(node) = open.pop() {
        meter.spend(1 + analysed.program.leaving(node).len())?;
        for &id in analysed.program.leaving(node) {
            let to = analysed.program.edge(id).to;
            if searches.follows(analysed, id) && !searches.ends_at(to) {
                open.push(to);
            }
        }
    }
    Ok(open.into_met().into_iter().map(|several| !several).collect())
}

/// The arrivals of searches at nodes.
struct Arrivals<'a> {
    analysed: &'a mut AnalysedProgram,
    searches: &'a Searches,
    determined: &'a Determined,
    tags: &'a Tags,
    meter: &'a Meter<'a>,
}

impl Arrivals<'_> {
    /// Whether two walks bring different tags or values to a node. They differ in their last edge,
    /// or brought different ones to the node before it.
    fn keep_apart(&mut self, node: Node) -> Result<bool, Exhausted> {
        if self.searches.ends_at(node) {
            return Ok(true);
        }
        let entering = self.searches.entering(self.analysed, node);
        self.meter.spend(1 + entering.len())?;
        if !entering.iter().all(|&id| self.forgets_nothing(id)) {
            return Ok(false);
        }
        if self.searches.begins_at(node) && !entering.is_empty() && self.comes_back(node, &entering)
        {
            // A search that begins there has no tags.
            let counts = self.searches.goal == Goal::Moves;
            let tagged = |arrivals: &mut Self, id| {
                arrivals
                    .tags
                    .behind(arrivals.analysed, id)
                    .is_some_and(|walk_tags| walk_tags.least > 0)
            };
            if !counts || !entering.iter().all(|&id| tagged(self, id)) {
                return Ok(false);
            }
        }
        if entering.len() < 2 || self.differ_in_one(&entering) {
            return Ok(true);
        }
        if entering.len() > self.analysed.program.tuning.paired {
            return Ok(false);
        }
        for (index, &one) in entering.iter().enumerate() {
            for &other in &entering[..index] {
                self.meter.spend(self.analysed.program.tuning.back)?;
                if !self.are_apart(one, other) {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Whether a search that begins at a node may come back to it.
    fn comes_back(&mut self, node: Node, entering: &[EdgeId]) -> bool {
        entering.iter().any(|&id| {
            let begun = self.searches.begun(self.analysed.program.edge(id).from);
            begun.is_none_or(|set| self.analysed.values.sets.has(set, node.index() as u32))
        })
    }

    /// Whether an edge maps different semistates to different ones, given the same tags (it is
    /// injective).
    fn forgets_nothing(&mut self, id: EdgeId) -> bool {
        let edge = self.analysed.program.edge(id);
        let Some(variable) = self.analysed.program.written(edge.label) else { return true };
        self.determined.is_determined(edge.from, variable) || self.permutes(id)
    }

    /// Whether an edge assigns `v = m[v]`, and `m` is injective on the values of `v`.
    fn permutes(&mut self, id: EdgeId) -> bool {
        let edge = self.analysed.program.edge(id);
        let Label::Assign { target, value } = edge.label else { return false };
        let Some(variable) = self.analysed.program.expressions.as_variable(target) else {
            return false;
        };
        let Some(at) = self.analysed.at(edge.from) else { return false };
        let Some(before) = self.analysed.symbols(at, variable) else { return false };
        let program = &self.analysed.program;
        let Shape::Access { map, key } = program.expressions.shape(value) else { return false };
        let Some(Val::Map(map)) = program.evaluate(map) else { return false };
        if key != target {
            return false;
        }
        let keys = self.analysed.values.sets.members(before);
        let mut values: Vec<Name> = Vec::with_capacity(keys.len());
        for &key in keys.iter() {
            match map.get(Name::at(key)) {
                Some(&Val::Symbol(symbol)) => values.push(symbol),
                _ => return false,
            }
        }
        values.sort_unstable();
        values.windows(2).all(|pair| pair[0] != pair[1])
    }

    /// Whether one feature tells all edges apart: the beginning of the search, the last tag, or a
    /// variable.
    fn differ_in_one(&mut self, entering: &[EdgeId]) -> bool {
        let begun =
            entering.iter().map(|&id| self.searches.begun(self.analysed.program.edge(id).from));
        if let Some(begun) = begun.collect::<Option<Vec<SetRef>>>()
            && self.are_disjoint(&begun)
        {
            return true;
        }
        if self.searches.goal == Goal::Moves {
            let mut last: Vec<SetRef> = Vec::new();
            for &id in entering {
                last.extend(
                    self.tags.behind(self.analysed, id).and_then(|walk_tags| walk_tags.last),
                );
            }
            if last.len() == entering.len() && self.are_disjoint(&last) {
                return true;
            }
        }
        self.touched(entering[0]).into_iter().any(|variable| {
            let sets = entering.iter().map(|&id| self.analysed.behind(id, variable));
            let sets: Option<Vec<SetRef>> = sets.collect();
            sets.is_some_and(|sets| self.are_disjoint(&sets))
        })
    }

    fn are_disjoint(&self, sets: &[SetRef]) -> bool {
        let mut seen = HashSet::new();
        let mut members =
            sets.iter().flat_map(|&set| self.analysed.values.sets.members(set).iter());
        members.all(|&member| seen.insert(member))
    }

    /// Whether two walks over two edges never bring the same tags and values to the node that both
    /// enter.
    fn are_apart(&mut self, one: EdgeId, other: EdgeId) -> bool {
        let program = &self.analysed.program;
        let (from, its) = (program.edge(one).from, program.edge(other).from);
        if let (Some(begun), Some(others)) = (self.searches.begun(from), self.searches.begun(its))
            && self.are_disjoint(&[begun, others])
        {
            return true;
        }
        if self.searches.goal == Goal::Moves
            && let Some(own_tags) = self.tags.behind(self.analysed, one)
            && let Some(its_tags) = self.tags.behind(self.analysed, other)
        {
            if own_tags.most.is_some_and(|most| most < its_tags.least)
                || its_tags.most.is_some_and(|most| most < own_tags.least)
            {
                return true;
            }
            if let (Some(last), Some(others)) = (own_tags.last, its_tags.last)
                && self.are_disjoint(&[last, others])
            {
                return true;
            }
        }
        let mut variables = self.touched(one);
        variables.extend(self.touched(other));
        variables.sort_unstable();
        variables.dedup();
        let differ = |arrivals: &mut Self, variable: Name| {
            let analysed = &mut *arrivals.analysed;
            let (Some(one), Some(other)) =
                (analysed.behind(one, variable), analysed.behind(other, variable))
            else {
                return false;
            };
            arrivals.are_disjoint(&[one, other])
        };
        variables.into_iter().any(|variable| differ(self, variable)) || self.exclude(one, other)
    }

    /// Whether the two edges come from a fork of which at most one edge is legal. The tags must
    /// determine all variables that are assigned in between.
    fn exclude(&mut self, one: EdgeId, other: EdgeId) -> bool {
        let (back, its) = (self.back(one), self.back(other));
        // By node on the first walk: the edge that leaves it, and the number of tags after it.
        let program = &self.analysed.program;
        let mut leaving: HashMap<Node, (EdgeId, u32, usize)> = HashMap::new();
        let mut count = 0;
        for (index, &id) in back.iter().enumerate() {
            count += tags_of(program, id);
            leaving.entry(program.edge(id).from).or_insert((id, count, index));
        }
        let mut count = 0;
        for (place, &id) in its.iter().enumerate() {
            count += tags_of(program, id);
            let node = program.edge(id).from;
            let Some(&(first, others, index)) = leaving.get(&node) else { continue };
            let tags = self.searches.goal == Goal::Checks || others == count;
            let is_kept = |id: &EdgeId| {
                let written = program.written(program.edge(*id).label);
                written.is_none_or(|variable| self.determined.is_determined(node, variable))
            };
            return tags
                && first != id
                && back[..=index].iter().all(is_kept)
                && its[..=place].iter().all(is_kept)
                && disjoint::exclusive(self.analysed, first, id);
        }
        false
    }

    /// An edge and the edges before it, backward, as long as there is only one.
    fn back(&mut self, id: EdgeId) -> Vec<EdgeId> {
        let mut path = vec![id];
        while path.len() < self.analysed.program.tuning.back {
            let from = self.analysed.program.edge(path[path.len() - 1]).from;
            if self.searches.begins_at(from) {
                break;
            }
            match self.searches.only_entering(self.analysed, from) {
                Some(only) if !path.contains(&only) => path.push(only),
                _ => break,
            }
        }
        path
    }

    /// The variables that an edge and the edges before it compare or assign.
    fn touched(&mut self, id: EdgeId) -> Vec<Name> {
        let path = self.back(id);
        let program = &self.analysed.program;
        let mut variables = Vec::new();
        let mut add = |expr: ExprId| {
            variables.extend(program.expressions.as_variable(expr));
            if let Shape::Access { key, .. } = program.expressions.shape(expr) {
                variables.extend(program.expressions.as_variable(key));
            }
        };
        for id in path {
            match program.edge(id).label {
                Label::Compare { left, right, .. } => [left, right].into_iter().for_each(&mut add),
                Label::Assign { target, .. } | Label::AssignAny { target, .. } => add(target),
                Label::Skip | Label::Reach { .. } | Label::Tag(_) | Label::TagVariable(_) => {}
            }
        }
        variables.sort_unstable();
        variables.dedup();
        variables
    }
}

/// The number of tags on an edge.
fn tags_of(program: &Program, id: EdgeId) -> u32 {
    u32::from(matches!(program.edge(id).label, Label::Tag(_) | Label::TagVariable(_)))
}
