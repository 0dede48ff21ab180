//! Set-up: from rules to trees that are ready to play.
//!
//! First what never changes is computed ([`super::statics`]). What remains is built into trees,
//! first with what is known from the rules alone, then again with what sample play tells
//! ([`super::tuning`]).

use super::compiler::Compiler;
use super::engine::Tree;
use super::options::TreeOptions;
use super::tuning;
use gdlr_rules::gdl::Game;
use gdlr_rules::normal::{Normal, NormalOptions};
use gdlr_text::budget::{Exhausted, Memory, Meter};
use gdlr_text::decisions::{Decisions, Part, Stage};
use gdlr_text::diagnostic::Diagnostic;
use std::sync::Arc;

/// Compiles a game. What trees cannot do without is done within the budget `needed`; sample play
/// goes on while there is something left of `wanted`.
///
/// # Errors
///
/// When what is needed takes too much; within, when the rules are refused.
pub(super) fn set_up(
    game: Arc<Game>,
    options: &TreeOptions,
    needed: &Meter<'_>,
    wanted: &Meter<'_>,
) -> Result<Result<Tree, Diagnostic>, Exhausted> {
    let stage = Stage::begin(Part::Tree, "normal form and static relations");
    let mut decisions = Decisions::default();
    let redundant_removal = options.redundant_removal;
    let normal = match Normal::within(game, &NormalOptions { redundant_removal }, needed)? {
        Ok(normal) => normal,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let mut compiler = Compiler::new(normal, *options);
    compiler.sizes_of_unsafe();
    if let Err(refusal) = compiler.compute_statics(needed, &mut decisions)? {
        return Ok(Err(refusal));
    }
    compiler.choose_ahead();
    let initial = compiler.initial(needed)?;
    compiler.sizes_of_initial(&initial);
    let plan = compiler.plan();
    let mut tree = compiler.tree(plan, initial);
    needed.hold(Memory::Scratch, 0);
    needed.check()?;
    stage.end();
    let stage = Stage::begin(Part::Tree, "sample play");
    tuning::tune(&mut compiler, &mut tree, wanted, &mut decisions);
    stage.end();
    tree.decisions = decisions;
    tree.finish();
    Ok(Ok(tree))
}

impl Tree {
    fn finish(&mut self) {
        let plan = &self.plan;
        let filters = plan.ors.iter().filter(|or| !or.filter.is_empty()).count();
        let rows = self.statics.iter().map(|table| table.len()).sum();
        self.figures = vec![
            ("relations", self.normal.relations.len()),
            ("flat rules", self.normal.rules.len()),
            ("static relations", self.statics.len()),
            ("static rows", rows),
            ("OR nodes", plan.ors.len()),
            ("OR nodes with a filter", filters),
            ("AND nodes", plan.ands.len()),
            ("recurrent conditions", plan.recurrences.len()),
        ];
    }
}
