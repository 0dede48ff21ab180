//! The optimiser: makes automata smaller, with the same meaning (RG, 3.3 and appendix B).
//!
//! [`optimise`] applies [`TRANSFORMATIONS`] again and again until none changes anything. Each keeps
//! the meaning of the automaton: the turns, the number of moves and their tags, the tags that
//! players see, the ends of plays, and the goals. Two transformations change the tags
//! ([`Transformation::renames_moves`]), but never the number of moves. An automaton with an action
//! that is not valid has no meaning to keep.
//!
//! | file | content |
//! |---|---|
//! | `program` | the working form that transformations change: numbered nodes, edges, expressions |
//! | `flow` | data-flow analysis: the knowledge at each node |
//! | `casts` | casts of values that their place might not allow |
//! | `moves` | dead assignments that can be removed without a change of any move |
//! | `transform` | the transformations, a file each |
//! | `measure` | the size of an automaton |

mod casts;
#[doc(hidden)]
pub mod flow;
mod measure;
mod moves;
#[doc(hidden)]
pub mod program;
mod transform;

pub use measure::Size;
pub use transform::{ALL as TRANSFORMATIONS, Transformation};

use super::ast::Description;
use super::tuning::Tuning;
use super::validate::drop_types;
use gdlr_text::budget::{Exhausted, Meter};
use gdlr_text::decisions::{Decision, Decisions, Part};
use hashbrown::HashMap;
use program::Program;
use std::time::{Duration, Instant};
use transform::Stage;

/// The result of one application of a transformation.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The transformation.
    pub transformation: &'static Transformation,
    /// The number of the round, from 1.
    pub round: usize,
    /// Whether it changed anything.
    pub changed: bool,
    /// The time that it took.
    pub time: Duration,
}

/// Applies the transformations for which `wanted` holds, until none changes anything.
/// Transformations without an analysis are applied first, until they change nothing more. Calls
/// `tell` after each step; it may ask for the description of that moment.
///
/// [`validate`](super::validate()) must find no error in the description. Pragmas about nodes are
/// removed, since they may not be true any more. An unknown pragma is removed if something that it
/// mentions is gone ([`left_out`](super::left_out())). One round is nearly linear in the
/// description, and few rounds are needed.
///
/// # Errors
///
/// When the budget is exhausted: the description is as it was.
///
/// ```
/// # mod gdlr { pub use gdlr_text::budget; pub use gdlr_rg::rg; }
/// use gdlr::budget::Meter;
/// use gdlr::rg::{self, optimise};
/// let text = "type Player = { x }; type Score = { 0 }; type A = { 1, 2, 3 };
///     const down: A -> A = { 3: 2, :1 }; var a: A = 1; var b: A = 1;
///     begin, p: player = x; p, q: a = A(*); q, r: b = down[a]; r, s: b == 2; s, t: $ two;
///     t, end: player = keeper;";
/// let mut description = rg::read(text).unwrap();
/// optimise::optimise(&mut description, |_| true, &Meter::unlimited(), |_, _| ()).unwrap();
/// let text = rg::print(&description).unwrap();
/// assert!(text.contains("down[a] == 2;") && !text.contains("var b"), "{text}");
/// ```
pub fn optimise(
    description: &mut Description,
    wanted: impl FnMut(&Transformation) -> bool,
    meter: &Meter<'_>,
    tell: impl FnMut(Step, &dyn Fn() -> Description),
) -> Result<(), Exhausted> {
    optimise_tuned(description, wanted, &Tuning::default(), meter, tell, &mut Decisions::default())
}

/// As [`optimise`], with bounds of the caller. Records in `decisions` how long it went on.
///
/// # Errors
///
/// As [`optimise`].
pub fn optimise_tuned(
    description: &mut Description,
    mut wanted: impl FnMut(&Transformation) -> bool,
    tuning: &Tuning,
    meter: &Meter<'_>,
    mut tell: impl FnMut(Step, &dyn Fn() -> Description),
    decisions: &mut Decisions,
) -> Result<(), Exhausted> {
    let chosen = TRANSFORMATIONS.iter().filter(|transformation| wanted(transformation)).collect();
    let says_casts = casts::are_said(description);
    let mut program = Program::load(description, tuning, meter)?;
    let store = |program: &Program| {
        let mut description = program.store();
        if says_casts {
            casts::add(&mut description);
        }
        description
    };
    let tell = &mut |step: Step, program: &Program| tell(step, &|| store(program));
    apply_all(&mut program, chosen, meter, tell, decisions)?;
    *description = store(&program);
    Ok(())
}

/// Rewrites an automaton that a program generated as a person would have written it. Constants and
/// types without a use are removed, and casts are added where a place does not allow all values of
/// a type.
///
/// In a proper game, this keeps the meaning of the automaton. In any other, a cast refuses a value
/// that was accepted before. [`validate`](super::validate()) must find no error in the description.
/// Pragmas about nodes are removed.
///
/// # Errors
///
/// When the budget is exhausted: the description is as it was.
pub fn tidy(description: &mut Description, meter: &Meter<'_>) -> Result<(), Exhausted> {
    let unused = |one: &Transformation| one.name == "prune-unused-constants";
    optimise(description, unused, meter, |_, _| ())?;
    casts::add(description);
    drop_types(description);
    Ok(())
}

/// Applies all transformations that keep the tags of moves. The variables that
/// [probes](Program::probe) read keep their values.
///
/// # Errors
///
/// When the budget is exhausted: some transformations may have been applied.
#[doc(hidden)]
pub fn optimise_program(
    program: &mut Program,
    meter: &Meter<'_>,
    decisions: &mut Decisions,
) -> Result<(), Exhausted> {
    let chosen = TRANSFORMATIONS.iter().filter(|transformation| !transformation.renames_moves);
    apply_all(program, chosen.collect(), meter, &mut |_, _| (), decisions)
}

/// Applies transformations until none changes anything, and records the number of rounds.
fn apply_all(
    program: &mut Program,
    chosen: Vec<&'static Transformation>,
    meter: &Meter<'_>,
    tell: &mut dyn FnMut(Step, &Program),
    decisions: &mut Decisions,
) -> Result<(), Exhausted> {
    let before = program.edge_count();
    let most = program.tuning.rounds;
    // A transformation that changed nothing waits until another one changes something.
    let mut quiet: HashMap<(&str, bool), u64> = HashMap::new();
    let mut round = 0;
    let mut apply = |program: &mut Program, chosen: &[&'static Transformation]| {
        let at_first = program.changes();
        round += 1;
        for &transformation in chosen {
            let (before, start) = (program.changes(), Instant::now());
            let key = (transformation.name, program.joined);
            if quiet.get(&key) == Some(&before) {
                continue;
            }
            (transformation.run)(program, meter)?;
            meter.check()?;
            let changed = program.changes() != before;
            if !changed {
                quiet.insert(key, before);
            }
            let step = Step { transformation, round, changed, time: start.elapsed() };
            tell(step, program);
        }
        Ok(program.changes() != at_first && round < most)
    };
    let those = |takes: &dyn Fn(&Transformation) -> bool| -> Vec<&'static Transformation> {
        chosen.iter().copied().filter(|one| takes(one)).collect()
    };
    for stage in [Stage::Simplify, Stage::Join] {
        program.joined = stage > Stage::Simplify;
        let all = those(&|one| one.stage <= stage);
        let quick = those(&|one| one.stage <= stage && !one.analyses);
        while apply(program, &all)? {
            while apply(program, &quick)? {}
        }
    }
    apply(program, &those(&|one| one.stage == Stage::Last))?;
    decisions.record(
        Decision::new(Part::Rg, "rounds", round.to_string())
            .measured("edges", before)
            .measured("then", program.edge_count())
            .bound("rounds", most),
    );
    decisions.record(of_analyses(program));
    Ok(())
}

/// The decision of the analyses: to go on up to a fixed point, or to give up knowledge that still
/// changed.
pub(super) fn of_analyses(program: &Program) -> Decision {
    let (all, given_up) = program.analyses();
    let chosen = match given_up {
        0 => "to the end".to_owned(),
        _ => format!("{given_up} of {all} given up"),
    };
    let nodes = program.node_count();
    Decision::new(Part::Rg, "analyses", chosen)
        .measured("analyses", all)
        .bound("visits", program.tuning.free_visits + program.tuning.visits * nodes)
}
