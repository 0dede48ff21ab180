//! Grounding: from rules with variables to rules about facts (RG, appendix D.2).
//!
//! 1. `program` sorts the conditions of the rules of the normal form. It adds that `true` follows from `init` and `next`, and
//!    `does` from `legal`.
//! 2. `estimate` guesses the sizes of relations, and `sizes` has the known ones. `split` divides bodies with separable parts.
//!    Then the exponent of the ground size is near the width of the join tree, and not the number of variables. `order`
//!    is the order in which the conditions of a body are joined.
//! 3. `reach` computes the facts that can be reached, on datafrog. Negation of facts that cannot change during play is
//!    exact. All other negation is ignored. So the result is a superset of the facts that play can reach.
//! 4. `instantiate` makes the ground rules. `simplify` removes conditions that are always true, and rules that are never
//!    used.
//! 5. `wide` is about relations with too many facts that goals alone ask. It takes them out before 2, and adds the ground
//!    rules of the goals after 4. For the last, it makes a net of the other ground rules: no other file here uses `net`.
//!
//! `facts` has the result, and `kif` writes it as a rulesheet. A program that only looks at a game uses `possible`, which finds the
//! facts that can be true on a `slice` of the rules. If that is too much work, `vocabulary` lists moves, facts and percepts
//! without it.
//!
//! Two invariants of a [`Ground`]: a fact that is true in some state that play can reach is among its facts, unless its
//! relation is one of [`Ground::unfolded`]; and in every such state the rules give the fact its exact value.

mod error;
mod estimate;
mod facts;
mod instantiate;
mod kif;
mod order;
mod possible;
mod program;
mod reach;
mod rows;
mod simplify;
mod sizes;
mod slice;
mod split;
mod vocabulary;
mod wide;

pub use error::{GroundError, VocabularyError};
pub use facts::{FactId, Ground, GroundLiteral, Value};
pub use gdlr_text::budget::{Budget, Exhausted, Limit, Spent};
pub use possible::possible_facts;
pub use vocabulary::vocabulary;

use crate::tuning::Tuning;
use gdlr_rules::gdl::Game;
use gdlr_rules::normal::{Normal, NormalOptions};
use gdlr_text::budget::{Memory, Meter};
use gdlr_text::decisions::{Decision, Decisions, Part, Stage};
use instantiate::Instances;
use program::Program;
use rows::Rows;
use simplify::Truth;
use std::sync::Arc;

impl Ground {
    /// Grounds a game.
    ///
    /// # Errors
    ///
    /// When the rulesheet is refused (see [`Normal::new`]) or the budget runs out.
    pub fn new(game: impl Into<Arc<Game>>, budget: &Budget<'_>) -> Result<Ground, GroundError> {
        Ground::within(game, &budget.start())
    }

    /// The same, with a budget that is spent on other things, too.
    ///
    /// # Errors
    ///
    /// As [`Ground::new`].
    pub fn within(game: impl Into<Arc<Game>>, meter: &Meter<'_>) -> Result<Ground, GroundError> {
        Ground::tuned(game, &Tuning::default(), meter)
    }

    /// The same, by bounds of one's own.
    ///
    /// # Errors
    ///
    /// As [`Ground::new`].
    pub fn tuned(
        game: impl Into<Arc<Game>>,
        tuning: &Tuning,
        meter: &Meter<'_>,
    ) -> Result<Ground, GroundError> {
        Ground::of(game.into(), tuning, meter)
    }

    fn of(game: Arc<Game>, tuning: &Tuning, meter: &Meter<'_>) -> Result<Ground, GroundError> {
        let stage = Stage::begin(Part::Net, "grounding");
        let mut decisions = Decisions::default();
        let normal = Normal::within(game, &NormalOptions::default(), meter)??;
        let mut program = Program::new(&normal, meter)?;
        let mut sizes = estimate::estimate(&program, meter)?;
        let wide = wide::set_aside(&mut program, &normal, &sizes, tuning, meter)?;
        if let Some(wide) = &wide {
            decisions.record(
                Decision::new(Part::Net, "relations unfolded", wide.count.to_string())
                    .measured("facts", wide.most_facts as u64)
                    .bound("most_facts", tuning.most_facts as u64),
            );
        }
        let (rules, work) = (program.rules.len(), meter.work());
        let divisions = split::split(&mut program, &mut sizes, tuning, meter)?;
        decisions.record(
            Decision::new(Part::Net, "rules divided", divisions.to_string())
                .measured("rules", rules)
                .measured("work", meter.work() - work)
                .bound("division_work", tuning.division_work),
        );
        let facts = reach::reach(&program, &mut sizes, meter)?;
        let mut first = vec![0u32];
        for rows in &facts {
            first.push(first[first.len() - 1] + rows.len() as u32);
        }
        let rules = instantiate::instantiate(&program, &sizes, &facts, &first, meter)?;
        let count = first[facts.len()] as usize;
        let mut ground = Ground {
            normal,
            facts,
            first,
            truth: vec![Truth::Varies; count],
            rules: Instances::default(),
            spent: Spent::default(),
            decisions,
            unfolded: wide.iter().flat_map(|wide| &wide.relations).copied().collect(),
        };
        let relation_of = ground.relations_by_fact();
        let is_static = |fact: u32| !program.dynamic[relation_of[fact as usize] as usize];
        (ground.rules, ground.truth) =
            simplify::simplify(rules, count, is_static, &ground.links(meter)?, meter)?;
        if let Some(wide) = &wide {
            ground = ground.with_wide(wide, &program, &sizes, meter)?;
        }
        meter.set_rules(ground.rules.len());
        meter.hold(Memory::Facts, ground.facts.iter().map(Rows::bytes).sum());
        meter.hold(Memory::Rules, ground.rules.bytes() + ground.truth.len());
        meter.hold(Memory::Scratch, 0);
        meter.check()?;
        ground.spent = meter.spent();
        stage.end();
        Ok(ground)
    }
}
