//! Values that are computed once: the relations that never change, and the initial state.
//!
//! Relations that depend on neither state nor moves are computed one strongly connected
//! component after the other, with the same nodes and merges that play uses.

use super::build::Class;
use super::compiler::{Compiler, each_relation};
use super::limits::STATE_WORK;
use super::options::Tuning;
use super::prove::Prover;
use super::scratch::Scratch;
use super::sizes::{Size, size_of};
use super::state::State;
use super::table::Table;
use gdlr_rules::normal::{RelationId, RelationKind};
use gdlr_text::budget::{Exhausted, Memory, Meter};
use gdlr_text::decisions::{Decision, Decisions, Part};
use gdlr_text::diagnostic::Diagnostic;
use hashbrown::{HashMap, HashSet};
use std::sync::Arc;

impl Compiler {
    /// Computes all relations that never change. Those that take too much are recorded.
    ///
    /// # Errors
    ///
    /// When the budget is exhausted; when the initial state is too large.
    pub(super) fn compute_statics(
        &mut self,
        meter: &Meter<'_>,
        decisions: &mut Decisions,
    ) -> Result<Result<(), Diagnostic>, Exhausted> {
        let Tuning { static_work, all_static_work, .. } = self.options.tuning;
        let mut left = all_static_work;
        let mut too_large = 0;
        let components = std::mem::take(&mut self.components);
        for (number, component) in components.iter().enumerate() {
            let is_static = |r: &u32| matches!(self.classes[*r as usize], Class::Static(_));
            if !component.iter().all(is_static) {
                continue;
            }
            let inside: HashSet<u32> = component.iter().copied().collect();
            let recursive = component.iter().any(|&r| {
                self.rules_of[r as usize].iter().any(|&rule| {
                    let mut depends = false;
                    each_relation(&self.normal.rules[rule as usize].body, &mut |c| {
                        depends |= inside.contains(&c.0);
                    });
                    depends
                })
            });
            for &relation in component {
                self.classes[relation as usize] = Class::Proved(recursive.then_some(number as u32));
            }
            // Its conditions may have proved too large, so that they are not static any more.
            let below_is_static = component.iter().all(|&r| {
                self.rules_of[r as usize].iter().all(|&rule| {
                    let mut all = true;
                    each_relation(&self.normal.rules[rule as usize].body, &mut |c| {
                        all &= inside.contains(&c.0)
                            || matches!(self.classes[c.index()], Class::Static(_));
                    });
                    all
                })
            });
            let kind = |r: &u32| self.normal.relations[*r as usize].kind;
            let initial = component.iter().any(|r| matches!(kind(r), RelationKind::Init(_)));
            if initial {
                // There is no state without it.
                if self.compute_component(component, STATE_WORK, meter)?.is_none() {
                    return Ok(Err(self.too_much_work(RelationId(component[0]))));
                }
            } else if below_is_static {
                let work = self.compute_component(component, static_work.min(left), meter)?;
                left = left.saturating_sub(work.unwrap_or(static_work));
                too_large += if work.is_none() { component.len() } else { 0 };
            }
        }
        self.components = components;
        let chosen = match too_large {
            0 => "all ahead".to_owned(),
            some => format!("{some} when asked"),
        };
        decisions.record(
            Decision::new(Part::Tree, "statics", chosen)
                .measured("relations", self.statics.len())
                .bound("static_work", static_work),
        );
        Ok(Ok(()))
    }

    /// Computes a component within a limit; gives the work done, or `None` when it was not
    /// enough.
    ///
    /// # Errors
    ///
    /// When the budget is exhausted.
    fn compute_component(
        &mut self,
        component: &[u32],
        limit: u64,
        meter: &Meter<'_>,
    ) -> Result<Option<u64>, Exhausted> {
        // A relation that is too large to compute whole is asked through filters.
        let keep = self.keep_filter.clone();
        let filtered = std::mem::replace(&mut self.filtered, keep);
        let roots: Vec<(RelationId, Vec<u16>)> =
            component.iter().map(|&r| (RelationId(r), Vec::new())).collect();
        let plan = self.build(&roots);
        self.filtered = filtered;
        let mut scratch = Scratch::new(&plan, &[], 0, 0);
        scratch.limit_work(limit);
        scratch.until = meter.deadline();
        let prover = Prover { plan: &plan, statics: &self.statics };
        plan.roots.iter().for_each(|&root| prover.prove_all(&mut scratch, root));
        meter.hold(Memory::Scratch, scratch.bytes());
        meter.spend(scratch.work as usize)?;
        if scratch.gave_up() {
            // Not for lack of time?
            meter.check()?;
            for &relation in component {
                self.sizes.set_huge(RelationId(relation));
                self.keep_filter[relation as usize] = true;
                self.filtered[relation as usize] = true;
            }
            return Ok(None);
        }
        for (&relation, &root) in component.iter().zip(&plan.roots) {
            let mut table = Table::new(self.widths[relation as usize], &[]);
            // Without the indexes of the fixpoint, which may lag behind.
            table.swap_rows(&mut scratch.nodes[root.index()].answers);
            let size = size_of([&table].into_iter());
            self.sizes.set(RelationId(relation), size);
            self.classes[relation as usize] = Class::Static(self.statics.len() as u32);
            self.statics.push(Arc::new(table));
        }
        let statics: usize = self.statics.iter().map(|table| table.bytes()).sum();
        meter.hold(Memory::Facts, statics);
        Ok(Some(scratch.work))
    }

    /// Relations that hold for any constant are asked with everything bound, if possible.
    pub(super) fn sizes_of_unsafe(&mut self) {
        let Some(anything) = self.normal.anything else { return };
        for rule in &self.normal.rules {
            let mut unsafe_rule = false;
            each_relation(&rule.body, &mut |relation| unsafe_rule |= relation == anything);
            if unsafe_rule {
                let relation = rule.head.relation;
                self.sizes.set_huge(relation);
                self.keep_filter[relation.index()] = true;
                self.filtered[relation.index()] = true;
            }
        }
    }

    /// The initial state. What was too large to compute as a static relation is proved now,
    /// whatever it takes; before the initial state nothing is true and nobody moves.
    ///
    /// # Errors
    ///
    /// When the budget is exhausted.
    pub(super) fn initial(&mut self, meter: &Meter<'_>) -> Result<State, Exhausted> {
        let inits = self.normal.fluents.iter().map(|fluent| (fluent.init, Vec::new()));
        let open = |r: &RelationId| !matches!(self.classes[r.index()], Class::Static(_));
        let roots: Vec<_> = inits.filter(|(relation, _)| open(relation)).collect();
        let plan = self.build(&roots);
        let bases: Vec<usize> =
            self.normal.fluents.iter().map(|f| self.widths[f.base.index()]).collect();
        let mut scratch = Scratch::new(&plan, &bases, self.widths[self.normal.legal.index()], 0);
        scratch.until = meter.deadline();
        let prover = Prover { plan: &plan, statics: &self.statics };
        plan.ahead.iter().chain(&plan.roots).for_each(|&or| prover.prove_all(&mut scratch, or));
        meter.hold(Memory::Scratch, scratch.bytes());
        meter.spend(scratch.work as usize)?;
        meter.check()?;
        let mut proved = plan.roots.iter().map(|root| &scratch.nodes[root.index()].answers);
        let tables =
            self.normal.fluents.iter().map(|fluent| match self.classes[fluent.init.index()] {
                Class::Static(table) => &self.statics[table as usize],
                _ => proved.next().expect("a root for each relation that is not static"),
            });
        let mut state = State::default();
        state.fill(tables);
        Ok(state)
    }

    /// Before there is play to sample: the base relations as in the initial state, the joint
    /// move one row a role.
    pub(super) fn sizes_of_initial(&mut self, initial: &State) {
        let mut start = 0;
        for (place, fluent) in self.normal.fluents.iter().enumerate() {
            let width = self.widths[fluent.base.index()];
            let mut table = Table::new(width, &[]);
            for _ in 0..initial.counts[place] {
                table.insert(&initial.rows[start..start + width]);
                start += width;
            }
            if !table.is_empty() {
                self.sizes.set(fluent.base, size_of([&table].into_iter()));
            }
        }
        let roles = self.normal.game().roles.len() as f64;
        let does = self.normal.does;
        let distinct = vec![roles; self.widths[does.index()]];
        self.sizes.set(does, Size { rows: roles, distinct, frequency: HashMap::new() });
    }
}
