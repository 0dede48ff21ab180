//! `@simpleApply`, `@simpleApplyExhaustive`: the effects of the moves of a node, by their tags.
//!
//! ```text
//! a, b: at = Place(*);               @simpleApplyExhaustive a e [at_1: Place]
//! b, c: board[at] == none;               at = Place(at_1), board[at] = x, player = keeper;
//! c, d: $$ at; d, e: board[at] = x;
//! e, f: player = keeper;
//! ```
//!
//! The pragma is about whole moves: from a node where moves begin to the target of the assignment
//! to `player`. All walks from the node are followed, whatever their conditions. Walks with the
//! same tags must have the same effects. The symbol of an any-assignment is known if a tag shows
//! it.

use super::analysed::AnalysedProgram;
use super::searches::Searches;
use crate::rg::ast::{AppliedTag, Base, Expr, Hint, Ident, Place, SimpleType, Type};
use crate::rg::name::Name;
use crate::rg::optimise::flow::sets::SetRef;
use crate::rg::optimise::program::{DrawnId, EdgeId, ExprId, Label, Node, Program};
use crate::rg::types::Ty;
use gdlr_text::budget::{Exhausted, Meter};
use gdlr_text::decisions::{Decision, Decisions, Part};
use hashbrown::{HashMap, HashSet};
use std::rc::Rc;

/// A tag of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Tag {
    /// A fixed tag.
    Only(Name),
    /// The symbol of an any-assignment, in a variable.
    Drawn(Name, DrawnId),
    /// The value of a variable of the state.
    Value(Name),
}

/// An assigned value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Value {
    /// The value of an expression.
    Of(ExprId),
    /// Any symbol, which no tag shows.
    Drawn(DrawnId),
    /// The symbol that the tag with this index shows.
    Tag(usize, DrawnId),
}

/// A walk so far.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Walk {
    node: Node,
    tags: Rc<[Tag]>,
    assignments: Rc<[(ExprId, Value)]>,
}

/// The pragmas of all nodes where moves begin. Records whether there were too many walks.
pub fn compute(
    analysed: &mut AnalysedProgram,
    searches: &Searches,
    meter: &Meter<'_>,
    decisions: &mut Decisions,
) -> Result<Vec<Hint>, Exhausted> {
    let mut hints = Vec::new();
    let mut parameters = Parameters { taken: taken(&analysed.program), names: HashMap::new() };
    let mut work = analysed.program.tuning.apply_work + 4 * analysed.program.node_count();
    let types: Vec<Type> = analysed.program.drawn_types().cloned().collect();
    let starts = searches.order.iter().copied();
    let mut starts: Vec<Node> = starts.filter(|&node| searches.begins_at(node)).collect();
    starts.sort_unstable();
    let (all, mut followed, first) = (starts.len(), 0, work);
    for start in starts {
        let Some(moves) = moves(analysed, searches, start, &mut work, meter)? else { continue };
        let Some(apart) = apart(analysed, &moves, meter)? else { continue };
        followed += 1;
        let mut writer =
            Writer { analysed: &mut *analysed, types: &types, parameters: &mut parameters };
        let determined = moves.iter().zip(apart).filter(|(_, apart)| *apart);
        let mut of_node: Vec<Hint> =
            determined.filter_map(|(walk, _)| writer.hint(start, walk)).collect();
        let all = of_node.len() == moves.len();
        for hint in &mut of_node {
            if let Hint::SimpleApply { exhaustive, .. } = hint {
                *exhaustive = all;
            }
        }
        hints.extend(of_node);
    }
    decisions.record(
        Decision::new(Part::Rg, "moves as assignments", format!("at {followed} of {all} nodes"))
            .measured("places", first - work)
            .bound("apply_work", analysed.program.tuning.apply_work),
    );
    Ok(hints)
}

/// All moves of a node, each with its last node. `None` if there are too many walks, or if one is
/// too long.
fn moves(
    analysed: &mut AnalysedProgram,
    searches: &Searches,
    start: Node,
    work: &mut usize,
    meter: &Meter<'_>,
) -> Result<Option<Vec<Walk>>, Exhausted> {
    let first = Walk { node: start, tags: Rc::new([]), assignments: Rc::new([]) };
    let mut seen: HashSet<Walk> = HashSet::from([first.clone()]);
    let mut complete: HashSet<Walk> = HashSet::new();
    let mut moves = Vec::new();
    let mut open = vec![first];
    while let Some(walk) = open.pop() {
        for &id in analysed.program.leaving(walk.node).iter().rev() {
            meter.spend(1 + walk.tags.len() + walk.assignments.len())?;
            if !analysed.is_taken(id) {
                continue;
            }
            let Some(next) = step(analysed, &walk, id) else { return Ok(None) };
            if !searches.follows(analysed, id) {
                if complete.insert(next.clone()) {
                    moves.push(next);
                }
            } else if !seen.contains(&next) {
                *work = work.saturating_sub(1);
                if *work == 0 || seen.len() == analysed.program.tuning.apply_places {
                    return Ok(None);
                }
                seen.insert(next.clone());
                open.push(next);
            }
        }
    }
    Ok(Some(moves))
}

/// A walk extended by an edge; `None` if it is too long.
fn step(analysed: &AnalysedProgram, walk: &Walk, id: EdgeId) -> Option<Walk> {
    let edge = analysed.program.edge(id);
    let mut next = Walk { node: edge.to, ..walk.clone() };
    let with_tag = |tag| walk.tags.iter().copied().chain([tag]).collect();
    let with = |target, value| walk.assignments.iter().copied().chain([(target, value)]).collect();
    match edge.label {
        Label::Skip | Label::Compare { .. } | Label::Reach { .. } => {}
        Label::Tag(tag) => next.tags = with_tag(Tag::Only(tag)),
        Label::Assign { target, value } => next.assignments = with(target, Value::Of(value)),
        Label::AssignAny { target, drawn } => {
            next.assignments = with(target, Value::Drawn(drawn));
        }
        Label::TagVariable(variable) => {
            let program = &analysed.program;
            let writes =
                |&(target, _): &(ExprId, Value)| program.expressions.root(target) == variable;
            let last = walk.assignments.iter().rposition(writes);
            let tag = match last.map(|last| walk.assignments[last].1) {
                Some(Value::Drawn(drawn)) => {
                    let mut assignments = walk.assignments.to_vec();
                    assignments[last?].1 = Value::Tag(walk.tags.len(), drawn);
                    next.assignments = assignments.into();
                    Tag::Drawn(variable, drawn)
                }
                Some(Value::Tag(_, drawn)) => Tag::Drawn(variable, drawn),
                Some(Value::Of(value)) => match program.expressions.as_symbol(value) {
                    Some(symbol) => Tag::Only(symbol),
                    None => Tag::Value(variable),
                },
                None => Tag::Value(variable),
            };
            next.tags = with_tag(tag);
        }
    }
    (next.tags.len().max(next.assignments.len()) <= analysed.program.tuning.apply_length)
        .then_some(next)
}

/// By move: whether its tags determine its effects. `None` if there are too many pairs to compare.
fn apart(
    analysed: &mut AnalysedProgram,
    moves: &[Walk],
    meter: &Meter<'_>,
) -> Result<Option<Vec<bool>>, Exhausted> {
    let drawn = |(_, value): &(ExprId, Value)| matches!(value, Value::Drawn(_));
    let mut apart: Vec<bool> =
        moves.iter().map(|walk| !walk.assignments.iter().any(drawn)).collect();
    let mut by_tags: HashMap<&[Tag], usize> = HashMap::new();
    let mut open = Vec::new();
    for (index, walk) in moves.iter().enumerate() {
        if let Some(&other) = by_tags.get(&*walk.tags) {
            (apart[index], apart[other]) = (false, false);
        } else {
            by_tags.insert(&walk.tags, index);
        }
        if walk.tags.iter().any(|tag| !matches!(tag, Tag::Only(_))) {
            open.push(index);
        }
    }
    if open.len().saturating_mul(moves.len()) > analysed.program.tuning.apply_pairs {
        return Ok(None);
    }
    for &one in &open {
        for other in (0..moves.len()).filter(|&other| other != one) {
            meter.spend(1)?;
            let (tags, others) = (&moves[one].tags, &moves[other].tags);
            let meet = |(&tag, &other): (&Tag, &Tag)| overlap(analysed, tag, other);
            if tags.len() == others.len() && tags.iter().zip(&**others).all(meet) {
                (apart[one], apart[other]) = (false, false);
            }
        }
    }
    Ok(Some(apart))
}

/// Whether two tags may be equal.
fn overlap(analysed: &mut AnalysedProgram, one: Tag, other: Tag) -> bool {
    if one == other {
        return true;
    }
    let (Some(one), Some(other)) = (symbols(analysed, one), symbols(analysed, other)) else {
        return true;
    };
    let both = analysed.values.sets.intersection(one, other);
    !analysed.values.sets.members(both).is_empty()
}

/// The symbols that a tag may be.
fn symbols(analysed: &mut AnalysedProgram, tag: Tag) -> Option<SetRef> {
    let mut numbers: Vec<u32> = match tag {
        Tag::Only(tag) => vec![tag.index() as u32],
        Tag::Drawn(_, drawn) => {
            analysed.program.drawn(drawn).iter().map(|symbol| symbol.index() as u32).collect()
        }
        Tag::Value(variable) => {
            let symbols = analysed.program.symbols(analysed.program.ty_of(variable))?;
            symbols.iter().map(|symbol| symbol.index() as u32).collect()
        }
    };
    numbers.sort_unstable();
    numbers.dedup();
    Some(analysed.values.sets.of(&numbers))
}

/// The context in which pragmas are written.
struct Writer<'a> {
    analysed: &'a mut AnalysedProgram,
    /// By number: the types of any-assignments.
    types: &'a [Type],
    parameters: &'a mut Parameters,
}

/// The names of tags that are values of variables.
struct Parameters {
    /// The names that are taken.
    taken: HashSet<Name>,
    /// By variable, and number of earlier tags with its value.
    names: HashMap<(Name, usize), Name>,
}

/// The names of constants, variables, symbols and tags.
fn taken(program: &Program) -> HashSet<Name> {
    let constants = program.constants.iter().map(|constant| constant.name.name);
    let mut taken: HashSet<Name> = constants.chain(program.all_variables()).collect();
    for alias in &program.types {
        if let Some(Ty::Set(set)) = program.resolved.named(alias.name.name) {
            taken.extend(program.resolved.symbols(set));
        }
    }
    let tags = program.edges().filter_map(|(_, edge)| match edge.label {
        Label::Tag(tag) => Some(tag),
        _ => None,
    });
    taken.extend(tags);
    taken
}

impl Writer<'_> {
    /// The pragma of a move; `None` if a type in it has no name.
    fn hint(&mut self, start: Node, walk: &Walk) -> Option<Hint> {
        let mut tags = Vec::with_capacity(walk.tags.len());
        let mut names: Vec<Option<Name>> = Vec::with_capacity(walk.tags.len());
        let mut counts: HashMap<Name, usize> = HashMap::new();
        for &tag in &*walk.tags {
            let (variable, type_) = match tag {
                Tag::Only(tag) => {
                    tags.push(AppliedTag::Tag(tag.into()));
                    names.push(None);
                    continue;
                }
                Tag::Drawn(variable, drawn) => (variable, self.types[drawn.index()].clone()),
                Tag::Value(variable) => {
                    let mut variables = self.analysed.program.variables.iter();
                    (variable, variables.find(|one| one.name.name == variable)?.type_.clone())
                }
            };
            let count = counts.entry(variable).or_insert(0);
            let name = self.parameter(variable, *count);
            *count += 1;
            tags.push(AppliedTag::Any { name: name.into(), type_ });
            names.push(Some(name));
        }
        let assignments = (walk.assignments.iter())
            .map(|&(target, value)| {
                let value = match value {
                    Value::Of(value) => self.analysed.program.store_expression(value),
                    Value::Tag(place, drawn) => {
                        parameter(names[place]?, &self.types[drawn.index()])
                    }
                    Value::Drawn(_) => return None,
                };
                Some((self.analysed.program.store_expression(target), value))
            })
            .collect::<Option<_>>()?;
        let from = self.analysed.program.node_name(start)?.into();
        let to = self.analysed.program.node_name(walk.node)?.into();
        Some(Hint::SimpleApply { from, to, tags, assignments, exhaustive: false })
    }

    fn parameter(&mut self, variable: Name, count: usize) -> Name {
        let Parameters { taken, names } = &mut *self.parameters;
        *names.entry((variable, count)).or_insert_with(|| {
            let program = &mut self.analysed.program;
            let mut text = format!("{}_{}", program.text(variable), count + 1);
            loop {
                match program.names.intern(&text) {
                    Ok(name) if taken.insert(name) => return name,
                    _ => text.push('_'),
                }
            }
        })
    }
}

/// A tag as a value of a type.
fn parameter(name: Name, type_: &Type) -> Expr {
    let plain = Expr::from(Ident::from(name));
    match (&type_.value, &type_.keys[..]) {
        (SimpleType::Named(type_), []) => Expr {
            base: Base::Cast(*type_, Box::new(plain)),
            keys: Vec::new(),
            place: Place::default(),
        },
        _ => plain,
    }
}
