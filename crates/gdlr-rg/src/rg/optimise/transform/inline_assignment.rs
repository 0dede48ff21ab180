//! Inline assignment: an assigned expression replaces the variable where it is read (RG, figures 5,
//! 6).
//!
//! ```text
//! begin, a: x = board[y];       begin, a: ;
//! a, b: x != z;                 a, b: board[y] != z;
//! b, c: z = up[x];              b, c: z = up[board[y]];
//! ```
//!
//! This is done if the assignment can then be removed: wherever the variable is read after it, it
//! still equals the expression, and no state shows the difference
//! ([`moves`](crate::rg::optimise::moves)).
//! An edge that assigns to the same variable may read it, too: `x = up[x]` becomes
//! `x = up[board[y]]`. This waits until walks with equal continuations are joined, since each of
//! them would otherwise get an edge of its own. An edge that assigns to a part of the variable may
//! not read it, since the other parts keep their values.
//! read it, since the other parts keep their values.

use crate::rg::name::Name;
use crate::rg::optimise::flow::live_variables::Live;
use crate::rg::optimise::flow::patricia::Map;
use crate::rg::optimise::flow::reaching_assignments::ReachingAssignments;
use crate::rg::optimise::flow::reaching_definitions::ReachingDefinitions;
use crate::rg::optimise::flow::sets::SetRef;
use crate::rg::optimise::flow::solve;
use crate::rg::optimise::moves::{Assignments, is_special};
use crate::rg::optimise::program::{EdgeId, ExprId, Expressions, Kind, Label, Program};
use crate::rg::types::Ty;
use gdlr_text::budget::{Exhausted, Meter};
use hashbrown::{HashMap, HashSet};
use std::rc::Rc;

/// A place where a variable is read.
struct Use {
    edge: EdgeId,
    variable: Name,
    /// The definitions that may reach it, as an index of [`Uses::groups`].
    group: usize,
    /// The expression that can replace it.
    value: Option<ExprId>,
}

/// Definitions that reach the same uses.
struct Group {
    definitions: Rc<[u32]>,
    /// Whether all of these uses can be replaced.
    replaceable: bool,
}

/// All uses.
#[derive(Default)]
struct Uses {
    all: Vec<Use>,
    groups: Vec<Group>,
}

/// Applies the transformation everywhere.
pub fn run(program: &mut Program, meter: &Meter<'_>) -> Result<(), Exhausted> {
    let uses = uses(program, meter)?;
    let mut inlined = candidates(program, &uses);
    if inlined.is_empty() {
        return Ok(());
    }
    let assignments = Assignments::of(program, meter)?;
    // Dead assignments can prevent the removal of others, and are removed with them.
    let dead: HashSet<EdgeId> = program
        .edges()
        .filter_map(|(id, edge)| {
            let variable = program.written(edge.label)?;
            assignments.is_dead(edge, variable).then_some(id)
        })
        .collect();
    shrink(program, &uses, &assignments, &dead, &mut inlined, meter)?;
    one_at_a_time(program, &uses, &mut inlined);
    shrink(program, &uses, &assignments, &dead, &mut inlined, meter)?;
    if inlined.is_empty() {
        return Ok(());
    }
    let removed = assignments.removable(program, &dead.union(&inlined).copied().collect());
    for Use { edge, variable, group, value } in &uses.all {
        let mut definitions = uses.groups[*group].definitions.iter();
        if let Some(value) = value
            && definitions.any(|&number| is_in(&inlined, program, number))
        {
            let label = program.edge(*edge).label;
            let label = replaced(program, label, *variable, *value);
            program.relabel(*edge, label);
        }
    }
    for id in program.edge_numbers() {
        if removed.contains(&id) {
            program.relabel(id, Label::Skip);
        }
    }
    Ok(())
}

/// Whether a definition is among some edges.
fn is_in(edges: &HashSet<EdgeId>, program: &Program, definition: u32) -> bool {
    program.edge_number(definition).is_some_and(|id| edges.contains(&id))
}

/// All uses of the variables of which some use can be replaced.
fn uses(program: &mut Program, meter: &Meter<'_>) -> Result<Uses, Exhausted> {
    let live = Live::of(program, meter)?;
    let read = read(program, &live, meter)?;
    let replaceable = read.iter().filter(|(.., value)| value.is_some());
    let wanted: HashSet<Name> = replaceable.map(|&(_, variable, _)| variable).collect();
    let mut uses = Uses::default();
    if wanted.is_empty() {
        return Ok(uses);
    }
    let mut definitions = ReachingDefinitions::new(&live, &wanted);
    let solution = solve(program, &mut definitions, meter)?;
    let mut numbers: HashMap<SetRef, usize> = HashMap::new();
    for (edge, variable, value) in read {
        meter.spend(1)?;
        if !wanted.contains(&variable) {
            continue;
        }
        let Some(&knowledge) = solution.at(program.edge(edge).from) else { continue };
        let set = definitions.of(knowledge, variable);
        let group = *numbers.entry(set).or_insert_with(|| {
            let definitions = Rc::clone(definitions.sets.members(set));
            uses.groups.push(Group { definitions, replaceable: true });
            uses.groups.len() - 1
        });
        uses.groups[group].replaceable &= value.is_some();
        uses.all.push(Use { edge, variable, group, value });
    }
    Ok(uses)
}

/// The variables that each reachable edge reads, with the expression that can replace each.
fn read(
    program: &mut Program,
    live: &Live,
    meter: &Meter<'_>,
) -> Result<Vec<(EdgeId, Name, Option<ExprId>)>, Exhausted> {
    let mut assignments = ReachingAssignments::new(program, live);
    let solution = solve(program, &mut assignments, meter)?;
    let mut reads = Vec::new();
    for id in program.edge_numbers() {
        meter.spend(1)?;
        let Some(edge) = program.get(id) else { continue };
        let Some(&equals) = solution.at(edge.from) else { continue };
        let mut read = program.read(edge.label);
        read.sort_unstable();
        read.dedup();
        for variable in read {
            let value = value(program, &assignments, equals, variable, edge.label);
            let value = value.filter(|&value| {
                let label = replaced(program, edge.label, variable, value);
                program.is_well_typed(label) && is_short(program, label, edge.label)
            });
            reads.push((id, variable, value));
        }
    }
    Ok(reads)
}

/// The expression that can replace a variable in a label, by the knowledge before the label.
fn value(
    program: &Program,
    assignments: &ReachingAssignments<'_>,
    equals: Map,
    variable: Name,
    label: Label,
) -> Option<ExprId> {
    if is_special(variable) {
        return None;
    }
    let value = assignments.of(equals, variable)?;
    let expressions = &program.expressions;
    match label {
        // A probe reads its variables itself.
        Label::Tag(_) => return None,
        // A tag must be a name.
        Label::TagVariable(_) => match (expressions.as_name(value), expressions.ty(value)) {
            (Some(name), Ty::Set(_)) if matches!(expressions.kind(name), Kind::Variable(_)) => {}
            (Some(_), Ty::Symbol(_)) => {}
            _ => return None,
        },
        Label::Assign { target, .. } | Label::AssignAny { target, .. }
            if expressions.root(target) == variable
                && (expressions.as_variable(target).is_none() || !program.joined) =>
        {
            return None;
        }
        _ => {}
    }
    Some(value)
}

/// Whether the expressions of a label are short, or no longer than before. So expressions do not
/// grow with the length of a walk, and recursion over them needs no other bound.
fn is_short(program: &Program, label: Label, before: Label) -> bool {
    let accesses = |label: Label| {
        let of = |expr| program.expressions.accesses(expr);
        match label {
            Label::Assign { target, value } => of(target).max(of(value)),
            Label::AssignAny { target, .. } => of(target),
            Label::Compare { left, right, .. } => of(left).max(of(right)),
            Label::Skip | Label::Reach { .. } | Label::Tag(_) | Label::TagVariable(_) => 0,
        }
    };
    accesses(label) <= program.tuning.accesses.max(accesses(before))
}

/// The assignments that are worth inlining: they have uses, and are cheap or have only one use.
fn candidates(program: &Program, uses: &Uses) -> HashSet<EdgeId> {
    let mut readers = vec![0_u32; uses.groups.len()];
    for used in &uses.all {
        readers[used.group] += 1;
    }
    let mut count: HashMap<u32, u32> = HashMap::new();
    for (group, readers) in uses.groups.iter().zip(readers) {
        for &definition in group.definitions.iter() {
            *count.entry(definition).or_default() += readers;
        }
    }
    let candidates = program.edges().filter(|(id, edge)| {
        let Label::Assign { target, value } = edge.label else { return false };
        let often = match count.get(&(id.index() as u32)) {
            None => return false,
            Some(&count) => {
                count > 1 && program.expressions.accesses(value) > program.tuning.shared_accesses
            }
        };
        !often && program.expressions.as_variable(target).is_some_and(|name| !is_special(name))
    });
    candidates.map(|(id, _)| id).collect()
}

/// Removes assignments from `inlined` until a fixed point: each use of the rest can be replaced,
/// and the rest can be removed together. Definitions that reach the same use stay or go together.
fn shrink(
    program: &Program,
    uses: &Uses,
    assignments: &Assignments,
    dead: &HashSet<EdgeId>,
    inlined: &mut HashSet<EdgeId>,
    meter: &Meter<'_>,
) -> Result<(), Exhausted> {
    loop {
        let before = inlined.len();
        for group in &uses.groups {
            meter.spend(group.definitions.len())?;
            let mut definitions = group.definitions.iter();
            if !(group.replaceable && definitions.all(|&number| is_in(inlined, program, number))) {
                for &number in group.definitions.iter() {
                    program.edge_number(number).map(|id| inlined.remove(&id));
                }
            }
        }
        let removed = assignments.removable(program, &dead.union(inlined).copied().collect());
        inlined.retain(|id| removed.contains(id));
        if inlined.len() == before {
            return Ok(());
        }
    }
}

/// Removes assignments whose expression has a use of another one: an inserted expression must not
/// itself be replaced at the same time.
fn one_at_a_time(program: &Program, uses: &Uses, inlined: &mut HashSet<EdgeId>) {
    for used in &uses.all {
        let mut definitions = uses.groups[used.group].definitions.iter();
        if inlined.contains(&used.edge)
            && definitions.any(|&number| is_in(inlined, program, number))
        {
            inlined.remove(&used.edge);
        }
    }
}

/// A label in which an expression replaces a variable that is read.
fn replaced(program: &mut Program, label: Label, variable: Name, value: ExprId) -> Label {
    let Program { expressions, resolved, .. } = program;
    let resolved = &*resolved;
    let with = move |name: Name| (name == variable).then_some(value);
    let replace =
        |expressions: &mut Expressions, expr| expressions.replace(resolved, expr, &mut { with });
    // An assignment to a whole variable does not read it.
    let replace_target =
        |expressions: &mut Expressions, target| match expressions.as_variable(target) {
            Some(_) => target,
            None => replace(expressions, target),
        };
    match label {
        Label::Assign { target, value } => Label::Assign {
            target: replace_target(expressions, target),
            value: replace(expressions, value),
        },
        Label::AssignAny { target, drawn } => {
            Label::AssignAny { target: replace_target(expressions, target), drawn }
        }
        Label::Compare { left, right, equal } => Label::Compare {
            left: replace(expressions, left),
            right: replace(expressions, right),
            equal,
        },
        Label::TagVariable(_) => match expressions.as_name(value) {
            Some(name) if matches!(expressions.kind(name), Kind::Variable(_)) => {
                Label::TagVariable(name)
            }
            Some(name) => Label::Tag(name),
            None => label,
        },
        Label::Skip | Label::Reach { .. } | Label::Tag(_) => label,
    }
}
