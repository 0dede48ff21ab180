//! Pragmas: hints about an automaton with which programs can play it faster (RG, 2.1 and appendix
//! C.3).
//!
//! [`compute`] finds pragmas that hold in every reachable semistate, by analysis of the edges.
//! [`refute()`] looks for a state of play that contradicts a pragma, wherever the pragma comes
//! from.
//!
//! | file | content |
//! |---|---|
//! | `analysed` | the automaton, and the value sets of its variables |
//! | `conditions` | the conditions under which an edge is legal |
//! | [`disjoint`](disjoint()) | `@disjoint`, `@disjointExhaustive` |
//! | `searches`, `tags` | the walks of searches, and the tags on them |
//! | `single` | nodes that a search reaches at most once |
//! | `determined` | the variables that the tags of a walk determine |
//! | [`unique`](unique()) | `@unique`, `@repeat` |
//! | `iterator` | `@iterator` |
//! | `simple_apply` | `@simpleApply`, `@simpleApplyExhaustive` |
//! | `tag_index` | `@tagIndex`, `@tagMaxIndex` |
//! | `integer`, `numbering`, `steps` | `@integer` |
//! | `refute` | pragmas that play shows to be false |

mod analysed;
mod conditions;
mod determined;
mod disjoint;
mod integer;
mod iterator;
mod numbering;
mod refute;
mod searches;
mod simple_apply;
mod single;
mod steps;
mod tag_index;
mod tags;
mod unique;

pub use refute::{Effort, Refutation, Refuted, refute};

use super::ast::{Description, Hint, Place, Pragma};
use super::graph::Graph;
use super::name::Name;
use crate::rg::optimise::of_analyses;
use crate::rg::recast::recast;
use crate::rg::tuning::Tuning;
use analysed::AnalysedProgram;
use disjoint::Forks;
use gdlr_text::budget::{Exhausted, Meter};
use gdlr_text::decisions::Decisions;
use hashbrown::HashSet;
use searches::{Goal, Searches};
use tags::Tags;

/// Finds the pragmas that are true of a description without errors: by kind, and in the order of
/// the edges. Adds the names of the tags in `@simpleApply` to the names of the description. Writes
/// casts of maps to other keys out, entry by entry. Changes nothing else. Nearly linear in the
/// description.
///
/// # Errors
///
/// When the budget is exhausted.
///
/// ```
/// # mod gdlr { pub use gdlr_text::budget; pub use gdlr_rg::rg; }
/// use gdlr::budget::Meter;
/// use gdlr::rg::{self, pragmas};
/// let text = "type Player = { x }; type Score = { 0 }; type A = { 1, 2 }; var a: A = 1;
///     begin, p: player = x; p, q: a = A(*); q, r: $$ a; r, s: player = keeper;
///     s, t: a == 1; s, u: a == 2; t, end: player = keeper; u, end: player = keeper;";
/// let mut description = rg::read(text).unwrap();
/// description.pragmas = pragmas::compute(&mut description, &Meter::unlimited()).unwrap();
/// let text = rg::print(&description).unwrap();
/// assert!(text.contains("@disjointExhaustive s : t u;"), "{text}");
/// assert!(text.contains("@tagIndex q : 0;"), "{text}");
/// assert!(text.contains("p s [a_1: A] a = A(a_1), player = keeper;"), "{text}");
/// ```
pub fn compute(description: &mut Description, meter: &Meter<'_>) -> Result<Vec<Pragma>, Exhausted> {
    compute_tuned(description, &Tuning::default(), meter, &mut Decisions::default())
}

/// As [`compute`], with bounds of the caller. Records in `decisions` the pragmas that were left out
/// for them.
///
/// # Errors
///
/// When the budget is exhausted.
pub fn compute_tuned(
    description: &mut Description,
    tuning: &Tuning,
    meter: &Meter<'_>,
    decisions: &mut Decisions,
) -> Result<Vec<Pragma>, Exhausted> {
    Ok(computed(description, tuning, meter, decisions)?.0)
}

/// The pragmas, and the indices of the written `@integer` that are false.
fn computed(
    description: &mut Description,
    tuning: &Tuning,
    meter: &Meter<'_>,
    decisions: &mut Decisions,
) -> Result<(Vec<Pragma>, Vec<usize>), Exhausted> {
    if let Some(recast) = recast(description) {
        // Pragmas are about nodes of this form.
        *description = recast.description;
    }
    let mut analysed = AnalysedProgram::new(description, tuning, meter)?;
    let graph = Graph::new(description);
    let forks = Forks::new(&mut analysed, meter)?;
    let moves = Searches::new(&mut analysed, Goal::Moves, meter)?;
    let tags = Tags::new(&mut analysed, &moves, meter)?;
    let mut hints = forks.hints(&analysed, &graph);
    hints.extend(unique::compute(&mut analysed, &forks, (&moves, &tags), meter)?);
    hints.extend(iterator::compute(description, &graph, meter)?);
    hints.extend(simple_apply::compute(&mut analysed, &moves, meter, decisions)?);
    hints.extend(tag_index::hints(&analysed, &moves, &tags));
    let integers = integer::compute(&analysed, description);
    hints.extend(integers.computed);
    meter.check()?;
    decisions.record(of_analyses(&analysed.program));
    description.names = analysed.program.names;
    Ok((pragmas(hints), integers.refuted))
}

/// Replaces the pragmas of a description without errors by [computed](compute) ones. Pragmas of
/// other kinds stay, and so do the written `@integer` that are not false.
///
/// # Errors
///
/// When the budget is exhausted: the pragmas are as they were.
pub fn annotate(description: &mut Description, meter: &Meter<'_>) -> Result<(), Exhausted> {
    let (tuning, decisions) = (Tuning::default(), &mut Decisions::default());
    let (mut computed, refuted) = computed(description, &tuning, meter, decisions)?;
    let (mut integers, mut others) = (Vec::new(), Vec::new());
    for (number, pragma) in std::mem::take(&mut description.pragmas).into_iter().enumerate() {
        match pragma.hint {
            Hint::Integer { .. } if !refuted.contains(&number) => integers.push(pragma),
            Hint::ArtificialTag { .. } | Hint::TranslatedFromRbg | Hint::Unknown(_) => {
                others.push(pragma);
            }
            _ => {}
        }
    }
    let kept: HashSet<Vec<Name>> = integers.iter().filter_map(symbols).collect();
    computed.retain(|pragma| symbols(pragma).is_none_or(|symbols| !kept.contains(&symbols)));
    others.extend(computed);
    others.extend(integers);
    description.pragmas = others;
    Ok(())
}

/// The symbols of an `@integer`, in the order of their names.
fn symbols(pragma: &Pragma) -> Option<Vec<Name>> {
    let Hint::Integer { symbols, .. } = &pragma.hint else { return None };
    let mut symbols: Vec<Name> = symbols.iter().map(|symbol| symbol.name).collect();
    symbols.sort_unstable();
    Some(symbols)
}

/// Finds only the pragmas `@disjoint` and `@disjointExhaustive`.
///
/// # Errors
///
/// When the budget is exhausted.
pub fn disjoint(description: &Description, meter: &Meter<'_>) -> Result<Vec<Pragma>, Exhausted> {
    let mut analysed = AnalysedProgram::new(description, &Tuning::default(), meter)?;
    let forks = Forks::new(&mut analysed, meter)?;
    Ok(pragmas(forks.hints(&analysed, &Graph::new(description))))
}

/// Finds only the pragmas `@unique` and `@repeat`.
///
/// # Errors
///
/// When the budget is exhausted.
pub fn unique(description: &Description, meter: &Meter<'_>) -> Result<Vec<Pragma>, Exhausted> {
    let mut analysed = AnalysedProgram::new(description, &Tuning::default(), meter)?;
    let forks = Forks::new(&mut analysed, meter)?;
    let moves = Searches::new(&mut analysed, Goal::Moves, meter)?;
    let tags = Tags::new(&mut analysed, &moves, meter)?;
    Ok(pragmas(unique::compute(&mut analysed, &forks, (&moves, &tags), meter)?))
}

fn pragmas(hints: Vec<Hint>) -> Vec<Pragma> {
    hints.into_iter().map(|hint| Pragma { hint, place: Place::default() }).collect()
}
