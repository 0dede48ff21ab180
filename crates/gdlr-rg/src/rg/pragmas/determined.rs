//! The variables that the tags of a walk determine, given the state at the beginning of the search.
//!
//! Take two walks of one search that reach a node with the same tags. A variable is determined at
//! the node if it then has the same value after both. The analysis is a value numbering (G.
//! Kildall, 1973). The number of a value is its **origin**: the computation that gives it from the
//! first state and the tags.
//!
//! An **unknown** is an origin of its own. The symbol of an any-assignment is one, and so is a
//! value that differs between walks that meet. Other values can be computed from unknowns. A tag or
//! a comparison can reveal the value of an unknown.
//!
//! No unknown arises at a meeting of walks if the last tag, or the beginning of the search, tells
//! the walks apart. The same holds if a search reaches the node only once.
//!
//! An unknown stands for one value in a walk. So there are no unknowns on cycles: there, the
//! variable is simply not determined.

use super::analysed::AnalysedProgram;
use super::searches::{Goal, Searches};
use super::tags::Tags;
use crate::rg::name::Name;
use crate::rg::optimise::flow::patricia::{Forest, Map};
use crate::rg::optimise::flow::sets::SetRef;
use crate::rg::optimise::program::{EdgeId, ExprId, Label, Node, Program, Val};
use gdlr_text::budget::{Exhausted, Meter};
use hashbrown::HashMap;
use smallvec::SmallVec;
use std::rc::Rc;

/// The greatest number of unknowns of a value. A value with more is not determined.
const MAX_UNKNOWNS: usize = 6;

/// The number of an origin.
type Number = u32;

/// The value at the beginning of the search.
const FIRST: Number = 0;

/// The top element: not determined, and not computed from unknowns.
const ANYTHING: Number = 1;

/// The unknowns from which a value is computed, in order.
type Unknowns = SmallVec<[Number; MAX_UNKNOWNS]>;

/// The computation of a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Origin {
    /// A symbol.
    Symbol(Name),
    /// The value of an expression, with the origins of its variables.
    Expression(ExprId, Box<[Number]>),
    /// The map after an assignment to a part of it. The origins are those of the value, the old
    /// map, and the variables in the target.
    Part(ExprId, Box<[Number]>),
    /// The tag at a place of the move.
    Tag(u32),
    /// The symbol of an any-assignment: an unknown.
    Drawn(EdgeId),
    /// The value of a variable after walks met at a node: an unknown.
    Met(Node, Name),
    /// The value of a variable after walks met that tags tell apart. It is computed from the
    /// unknowns of both walks.
    Apart(Node, Name, Unknowns),
}

/// The knowledge of a node: the origins of variables. A variable without an entry has its first
/// value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Origins {
    of: Map,
    /// The variables in `of`, all with the value `ANYTHING`.
    anything: Map,
    /// By unknown that a tag or a comparison has revealed: the origin of its value.
    revealed: Map,
}

const BEGINNING: Origins = Origins { of: Map::EMPTY, anything: Map::EMPTY, revealed: Map::EMPTY };

/// The origins of variables, by node.
pub struct Determined {
    forest: Forest<Number>,
    numbers: HashMap<Origin, Number>,
    /// By number: the unknowns from which the value is computed.
    unknowns: Vec<Unknowns>,
    at: Vec<Option<Origins>>,
}

impl Determined {
    /// Computes the variables that the tags determine at each node. The tags of checks are no part
    /// of a move, and determine nothing.
    pub fn new(
        analysed: &mut AnalysedProgram,
        (searches, tags, single): (&Searches, &Tags, &[bool]),
        meter: &Meter<'_>,
    ) -> Result<Determined, Exhausted> {
        let count = analysed.program.node_count();
        let mut determined = Determined {
            forest: Forest::default(),
            numbers: HashMap::new(),
            unknowns: vec![Unknowns::new(), Unknowns::new()],
            at: vec![None; count],
        };
        let mut open = vec![true; count];
        let mut changes = vec![0_u8; count];
        let joined_after = analysed.program.tuning.joined_after;
        let mut again = true;
        while std::mem::take(&mut again) {
            for &node in &searches.order {
                if !std::mem::take(&mut open[node.index()]) {
                    continue;
                }
                let is_single = single[node.index()];
                let new = determined.meet(analysed, (searches, tags), (node, is_single), meter)?;
                let old = determined.at[node.index()];
                let count = &mut changes[node.index()];
                let new = match (old, new) {
                    (Some(old), Some(new)) if *count >= joined_after => {
                        Some(determined.join(old, new, Meeting::Anywhere))
                    }
                    (_, new) => new,
                };
                if new == old {
                    continue;
                }
                *count = count.saturating_add(1);
                determined.at[node.index()] = new;
                for &id in analysed.program.leaving(node) {
                    if searches.follows(analysed, id) {
                        open[analysed.program.edge(id).to.index()] = true;
                        again = true;
                    }
                }
            }
        }
        Ok(determined)
    }

    /// Whether the tags determine a variable at a node.
    pub fn is_determined(&self, node: Node, variable: Name) -> bool {
        self.at[node.index()]
            .is_some_and(|origins| self.is_revealed(origins, self.origin(origins, variable)))
    }

    /// The variables that the tags do not determine at a node, in the order of their names.
    pub fn unknown(&self, node: Node) -> Vec<Name> {
        let Some(origins) = self.at[node.index()] else { return Vec::new() };
        let entries = self.forest.entries(origins.of).into_iter();
        let mut unknown: Vec<Name> = entries
            .filter(|&(_, number)| !self.is_revealed(origins, number))
            .map(|(name, _)| Name::at(name))
            .collect();
        unknown.sort_unstable();
        unknown
    }

    fn origin(&self, origins: Origins, variable: Name) -> Number {
        self.forest.get(origins.of, variable.index() as u32).unwrap_or(FIRST)
    }

    /// Whether all unknowns of a value are revealed.
    fn is_revealed(&self, origins: Origins, number: Number) -> bool {
        let revealed = |&unknown: &Number| self.forest.get(origins.revealed, unknown).is_some();
        number != ANYTHING && self.unknowns[number as usize].iter().all(revealed)
    }

    /// The number of an origin. Its unknowns are those of the numbers in `from`; an unknown also
    /// counts itself.
    fn number(&mut self, origin: Origin, from: &[Number]) -> Number {
        if let Some(&existing) = self.numbers.get(&origin) {
            return existing;
        }
        let mut unknowns: Unknowns =
            from.iter().flat_map(|&number| self.unknowns[number as usize].clone()).collect();
        unknowns.sort_unstable();
        unknowns.dedup();
        let next = Number::try_from(self.unknowns.len()).expect("fewer than 2^32 origins");
        if matches!(origin, Origin::Drawn(_) | Origin::Met(..)) {
            unknowns.push(next);
        }
        if unknowns.len() > MAX_UNKNOWNS || from.contains(&ANYTHING) {
            return ANYTHING;
        }
        self.numbers.insert(origin, next);
        self.unknowns.push(unknowns);
        next
    }

    fn with(&mut self, origins: Origins, variable: Name, number: Number) -> Origins {
        let key = variable.index() as u32;
        Origins {
            of: self.forest.insert(origins.of, key, number),
            anything: self.forest.insert(origins.anything, key, ANYTHING),
            ..origins
        }
    }

    /// The knowledge after a variable's value was found to have another origin, too, which is
    /// determined.
    fn reveal(&mut self, origins: Origins, variable: Name, number: Number) -> Origins {
        let own = self.origin(origins, variable);
        match *self.unknowns[own as usize] {
            [unknown] if unknown == own => {
                Origins { revealed: self.forest.insert(origins.revealed, own, number), ..origins }
            }
            _ => self.with(origins, variable, number),
        }
    }

    /// The knowledge at a node that searches reach.
    fn meet(
        &mut self,
        analysed: &mut AnalysedProgram,
        (searches, tags): (&Searches, &Tags),
        (node, is_single): (Node, bool),
        meter: &Meter<'_>,
    ) -> Result<Option<Origins>, Exhausted> {
        let entering = searches.entering(analysed, node);
        meter.spend(1 + entering.len())?;
        let begins = searches.begins_at(node).then_some(BEGINNING);
        if let (&[only], None) = (&entering[..], begins) {
            return Ok(self.behind(analysed, searches, tags, only));
        }
        let mut classes: Vec<(Option<Origins>, Vec<EdgeId>)> = match begins {
            // At the beginning of a search there are no tags that tell it from other walks.
            Some(_) => vec![(begins, entering)],
            None if is_single => entering.iter().map(|&id| (None, vec![id])).collect(),
            None => self.classes(analysed, searches, tags, node, &entering),
        };
        let mut all: Option<Origins> = None;
        let meeting = match searches.is_on_cycle(node) {
            true => Meeting::Anywhere,
            false => Meeting::At(node),
        };
        let several = classes.len() > 1;
        for (here, edges) in &mut classes {
            for &id in edges.iter() {
                let Some(behind) = self.behind(analysed, searches, tags, id) else { continue };
                *here = Some(match *here {
                    Some(here) => self.join(here, behind, meeting),
                    None => behind,
                });
            }
            let Some(here) = *here else { continue };
            all = Some(match all {
                Some(all) if several => self.join(all, here, Meeting::Apart(node)),
                Some(all) => self.join(all, here, meeting),
                None => here,
            });
        }
        Ok(all)
    }

    /// Splits the edges that enter a node into classes. Two walks of one search with the same tags
    /// enter by edges of the same class.
    fn classes(
        &mut self,
        analysed: &mut AnalysedProgram,
        searches: &Searches,
        tags: &Tags,
        node: Node,
        entering: &[EdgeId],
    ) -> Vec<(Option<Origins>, Vec<EdgeId>)> {
        let counted = searches.goal == Goal::Moves
            && tags.at(node).is_some_and(|walk_tags| walk_tags.count().is_some());
        let sets = entering.iter().map(|&id| {
            let last =
                tags.behind(analysed, id).and_then(|walk_tags| walk_tags.last).filter(|_| counted);
            (searches.begun(analysed.program.edge(id).from), last)
        });
        let sets: Vec<(Option<SetRef>, Option<SetRef>)> = sets.collect();
        let members =
            |set: Option<SetRef>| set.map(|set| Rc::clone(analysed.values.sets.members(set)));
        let any: Rc<[u32]> = Rc::from([u32::MAX]);
        // An edge with any beginning, or any last tag, makes these useless.
        let (begun, last) =
            (sets.iter().all(|set| set.0.is_some()), sets.iter().all(|set| set.1.is_some()));
        // By the beginning of a search and its possible last tag: a class with both.
        let mut class_of: HashMap<(u32, u32), usize> = HashMap::new();
        let mut classes = gdlr_text::classes::Classes::new(entering.len());
        for (class, &(starts, tags)) in sets.iter().enumerate() {
            let tags = members(tags).filter(|_| last).unwrap_or_else(|| Rc::clone(&any));
            let is_few = |starts: &Rc<[u32]>| {
                starts.len() * tags.len() <= analysed.program.tuning.beginnings_and_tags
            };
            let starts = members(starts).filter(|starts| begun && is_few(starts));
            let Some(starts) = starts.or_else(|| (!begun).then(|| Rc::clone(&any))) else {
                return vec![(None, entering.to_vec())];
            };
            for pair in starts.iter().flat_map(|&start| tags.iter().map(move |&tag| (start, tag))) {
                let other = *class_of.entry(pair).or_insert(class);
                classes.join(class, other);
            }
        }
        let mut places: HashMap<usize, usize> = HashMap::new();
        let mut parts: Vec<(Option<Origins>, Vec<EdgeId>)> = Vec::new();
        for (class, &id) in entering.iter().enumerate() {
            let place = *places.entry(classes.of(class)).or_insert(parts.len());
            if place == parts.len() {
                parts.push((None, Vec::new()));
            }
            parts[place].1.push(id);
        }
        parts
    }

    /// The knowledge after two walks meet.
    fn join(&mut self, one: Origins, other: Origins, meeting: Meeting) -> Origins {
        if one == other {
            return one;
        }
        let anything = self.forest.union_by(one.anything, other.anything, &mut |same, _| same);
        let equal = &mut |one: Number, other| Some(if one == other { one } else { ANYTHING });
        let both = self.forest.intersection_by(one.of, other.of, equal);
        // A variable that only one walk assigned to is not in both.
        let of = self.forest.union_by(anything, both, &mut |_, both| both);
        let same = &mut |one: Number, other| (one == other).then_some(one);
        let revealed = self.forest.intersection_by(one.revealed, other.revealed, same);
        let mut joined = Origins { of, anything, revealed };
        if meeting == Meeting::Anywhere {
            return joined;
        }
        for (variable, number) in self.forest.entries(of) {
            if number != ANYTHING {
                continue;
            }
            let variable = Name::at(variable);
            let number = match meeting {
                Meeting::Apart(node) => {
                    let ways = [one, other].map(|way| self.unrevealed(way, variable));
                    match ways {
                        [Some(mut unknowns), Some(others)] => {
                            unknowns.extend(others);
                            unknowns.sort_unstable();
                            unknowns.dedup();
                            let origin = Origin::Apart(node, variable, unknowns.clone());
                            self.number(origin, &unknowns)
                        }
                        _ => ANYTHING,
                    }
                }
                Meeting::At(node) => self.number(Origin::Met(node, variable), &[]),
                Meeting::Anywhere => ANYTHING,
            };
            if number != ANYTHING {
                joined = self.with(joined, variable, number);
            }
        }
        joined
    }

    /// The unknowns of a variable's value on a walk, without those that are revealed there.
    fn unrevealed(&self, way: Origins, variable: Name) -> Option<Unknowns> {
        let number = self.origin(way, variable);
        let open = |unknown: &Number| self.forest.get(way.revealed, *unknown).is_none();
        let unknowns = || self.unknowns[number as usize].iter().copied().filter(open);
        (number != ANYTHING).then(|| unknowns().collect())
    }

    /// The transfer function: the knowledge after an edge.
    fn behind(
        &mut self,
        analysed: &mut AnalysedProgram,
        searches: &Searches,
        tags: &Tags,
        id: EdgeId,
    ) -> Option<Origins> {
        let edge = analysed.program.edge(id);
        let here = self.at[edge.from.index()]?;
        Some(match edge.label {
            Label::Skip | Label::Reach { .. } | Label::Tag(_) => here,
            Label::TagVariable(variable) => {
                let place = tags.at(edge.from).and_then(|walk_tags| walk_tags.count());
                let is_revealed = self.is_revealed(here, self.origin(here, variable));
                match (searches.goal, place) {
                    (Goal::Moves, Some(place)) if !is_revealed => {
                        let number = self.number(Origin::Tag(place), &[]);
                        self.reveal(here, variable, number)
                    }
                    _ => here,
                }
            }
            Label::Compare { left, right, equal } => {
                let mut after = here;
                for (one, other) in [(left, right), (right, left)] {
                    let Some(variable) = analysed.program.expressions.as_variable(one) else {
                        continue;
                    };
                    if self.is_revealed(after, self.origin(after, variable)) {
                        continue;
                    }
                    let only = analysed.behind(id, variable);
                    let only = only.and_then(|set| analysed.values.sets.only(set));
                    let number = match only {
                        Some(symbol) => self.number(Origin::Symbol(Name::at(symbol)), &[]),
                        None if equal => self.value(&analysed.program, after, other),
                        None => ANYTHING,
                    };
                    // A revealed value must not depend on other revealed values, as these can be
                    // lost in a join.
                    if number != ANYTHING && self.unknowns[number as usize].is_empty() {
                        after = self.reveal(after, variable, number);
                    }
                }
                after
            }
            Label::Assign { target, value } => {
                let number = self.value(&analysed.program, here, value);
                self.assign(&analysed.program, here, target, number)
            }
            Label::AssignAny { target, drawn } => {
                let number = match *analysed.program.drawn(drawn) {
                    [only] => self.number(Origin::Symbol(only), &[]),
                    _ if searches.is_on_cycle(edge.from) => ANYTHING,
                    _ => self.number(Origin::Drawn(id), &[]),
                };
                self.assign(&analysed.program, here, target, number)
            }
        })
    }

    fn assign(
        &mut self,
        program: &Program,
        here: Origins,
        target: ExprId,
        value: Number,
    ) -> Origins {
        let root = program.expressions.root(target);
        if program.expressions.as_variable(target).is_some() {
            return self.with(here, root, value);
        }
        let mut reads: Vec<Number> = vec![value, self.origin(here, root)];
        for name in program.expressions.reads_of_target(target) {
            reads.push(self.origin(here, name));
        }
        let origin = Origin::Part(target, reads.clone().into());
        let number = self.number(origin, &reads);
        self.with(here, root, number)
    }

    /// The origin of the value of an expression.
    fn value(&mut self, program: &Program, here: Origins, expr: ExprId) -> Number {
        let reads = program.expressions.reads(expr);
        if reads.is_empty() {
            return match program.evaluate(expr) {
                Some(Val::Symbol(symbol)) => self.number(Origin::Symbol(symbol), &[]),
                _ => self.number(Origin::Expression(expr, Box::default()), &[]),
            };
        }
        let origins: Box<[Number]> = reads.iter().map(|&name| self.origin(here, name)).collect();
        match (program.expressions.as_name(expr), &origins[..]) {
            (Some(_), &[number]) if number != FIRST => number,
            _ => self.number(Origin::Expression(expr, origins.clone()), &origins),
        }
    }
}

/// The kinds of meetings of walks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Meeting {
    /// Perhaps on a cycle.
    Anywhere,
    /// At a node that a walk reaches once.
    At(Node),
    /// At a node where tags tell the walks apart, or that a search reaches once.
    Apart(Node),
}
