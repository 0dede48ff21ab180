//! Choices by sample play: filters (FI, VI.D and VII.C), and where costly rules begin.
//!
//! A filter saves the rows that nobody asks for; computing a relation whole saves keeping
//! the filter, and one rule's results serve every condition. Which is better depends on the
//! game, and so does the condition that a rule with many of them should begin with. So both
//! are tried: a few states of a random playout are proved under one choice and another, and
//! the work, counted in rows, decides. Counting makes the choice the same on every machine
//! and in every run. FI removes a filter at run time when it has not deleted a row in 200
//! visits; here the trees do not change any more once play begins.
//!
//! The same sample tells how large the relations are, which orders the conditions.

use super::compiler::Compiler;
use super::engine::Tree;
use super::options::Tuning;
use super::plan::Plan;
use super::scratch::Scratch;
use super::sizes::{Size, size_of};
use super::state::State;
use super::table::Table;
use gdlr_engine::engine::{Engine, MoveId};
use gdlr_rules::normal::{FlatLiteral, RelationId};
use gdlr_text::budget::Meter;
use gdlr_text::decisions::{Decision, Decisions, Part};
use hashbrown::HashMap;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A state of a playout and the joint move that was played in it.
struct Sample {
    state: State,
    /// A move a role; fewer where the playout ended.
    joint: Vec<MoveId>,
}

/// Chooses filters and the order of conditions by what sample play shows, while there is
/// something left of the budget. What is chosen is recorded.
pub(super) fn tune(
    compiler: &mut Compiler,
    tree: &mut Tree,
    meter: &Meter<'_>,
    decisions: &mut Decisions,
) {
    let tuning = compiler.options.tuning;
    let trial_work = tuning.trial_work;
    if meter.check().is_err() {
        decisions.record(Decision::new(Part::Tree, "sample play", "none: there is no time"));
        return;
    }
    let samples = playout(tree, &tuning, meter);
    if meter.check().is_err() {
        return;
    }
    measure_sizes(compiler, tree, &samples, meter);
    compiler.orders.borrow_mut().clear();
    let plan = compiler.plan();
    tree.replace_plan(compiler, plan);
    let removes_filters = compiler.options.filters && compiler.options.filter_removal;
    let mut trial =
        Trial { compiler, tree, samples: &samples, meter, budget: trial_work, best: u64::MAX };
    trial.best = trial.work(trial_work);
    let all_filters = trial.best;
    let mut candidates = Vec::new();
    if removes_filters {
        candidates = trial.filtered_relations();
        // All filters off, then one relation after the other.
        trial.turn_filters(&candidates);
        for &relation in &candidates {
            if trial.budget > trial_work / 3 {
                trial.turn_filters(&[relation]);
            }
        }
    }
    let off = candidates.iter().filter(|of| !trial.compiler.filtered[of.index()]).count();
    decisions.record(
        Decision::new(Part::Tree, "filters", format!("{off} of {} removed", candidates.len()))
            .measured("rows", all_filters)
            .measured("then", trial.best)
            .bound("trial_gain", tuning.trial_gain),
    );
    let before = trial.best;
    let tried = trial.choose_beginnings();
    decisions.record(
        Decision::new(
            Part::Tree,
            "first conditions",
            format!("{} set", trial.compiler.firsts.len()),
        )
        .measured("rules", tried)
        .measured("rows", before)
        .measured("then", trial.best)
        .bound("trial_gain", tuning.trial_gain),
    );
}

/// Plays one random playout and takes states from it, evenly spread.
fn playout(tree: &Tree, tuning: &Tuning, meter: &Meter<'_>) -> Vec<Sample> {
    let Tuning { playout_work, playout_steps, states, .. } = *tuning;
    let mut scratch = tree.scratch();
    scratch.limit_work(playout_work);
    scratch.until = meter.deadline();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut samples = Vec::new();
    let mut moves: Vec<MoveId> = Vec::new();
    let mut joint = Vec::new();
    for _ in 0..playout_steps {
        let mut sample = Sample { state: tree.state(&scratch), joint: Vec::new() };
        joint.clear();
        // A state that is too much work within the limit has no moves here.
        if tree.terminal(&mut scratch) == Ok(false) {
            for role in tree.roles().iter() {
                let _ = tree.found_moves(&mut scratch, role, &mut moves);
                if !moves.is_empty() {
                    joint.push(moves[random.random_range(0..moves.len())]);
                }
            }
        }
        sample.joint.clone_from(&joint);
        let stepped = tree.step(&mut scratch, &joint).is_ok();
        let in_time = !scratch.gave_up();
        // A state that is too much work is no use as a sample, but one there must be.
        if in_time || samples.is_empty() {
            samples.push(sample);
        }
        if !stepped || !in_time || meter.check().is_err() {
            break;
        }
    }
    let last = samples.len() - 1;
    let step = (last as f64 / (states - 1) as f64).max(1.0);
    let mut place = 0;
    samples.retain(|_| {
        let kept = (0..states).any(|k| (k as f64 * step).round() as usize == place);
        place += 1;
        kept
    });
    samples
}

/// Proves everything that play asks in a state.
fn prove_sample(tree: &Tree, scratch: &mut Scratch, sample: &Sample) {
    tree.enter(scratch, &sample.state);
    let terminal = tree.terminal(scratch);
    let mut moves = Vec::new();
    for role in tree.roles().iter() {
        // Neither whether values are proper nor whether the limit is reached matters here.
        match terminal {
            Ok(false) => _ = tree.found_moves(scratch, role, &mut moves),
            _ => _ = tree.goal(scratch, role),
        }
    }
    if sample.joint.len() == tree.roles.len() {
        let before = scratch.epoch;
        // Refused only where the work limit cut the legal moves short.
        let _ = tree.step(scratch, &sample.joint);
        // The tables of the step are still there; the sizes are read off them.
        scratch.epoch = before;
    }
}

/// Takes the sizes of the relations from the sample.
fn measure_sizes(compiler: &mut Compiler, tree: &mut Tree, samples: &[Sample], meter: &Meter<'_>) {
    let widths = tree.base_widths();
    for (place, fluent) in compiler.normal.fluents.iter().enumerate() {
        let tables: Vec<Table> = samples
            .iter()
            .map(|sample| {
                let start: usize =
                    (0..place).map(|base| sample.state.counts[base] as usize * widths[base]).sum();
                let mut table = Table::new(widths[place], &[]);
                for row in 0..sample.state.counts[place] as usize {
                    let from = start + row * widths[place];
                    table.insert(&sample.state.rows[from..from + widths[place]]);
                }
                table
            })
            .collect();
        compiler.sizes.set(fluent.base, size_of(tables.iter()));
    }
    let filtered = compiler.filtered.clone();
    compiler.filtered = compiler.keep_filter.clone();
    let plan = compiler.plan();
    tree.replace_plan(compiler, plan);
    compiler.filtered = filtered;
    let mut measured: HashMap<RelationId, Vec<Size>> = HashMap::new();
    let picks = [samples.len() / 2, samples.len() - 1, 0];
    let mut scratch = tree.scratch();
    scratch.until = meter.deadline();
    for pick in picks {
        scratch.work = 0;
        scratch.limit_work(compiler.options.tuning.whole_work);
        prove_sample(tree, &mut scratch, &samples[pick]);
        if meter.check().is_err() {
            break;
        }
        if scratch.gave_up() {
            // The node that took most of it is not to be computed whole.
            let most = tree.plan.ands.iter().zip(&scratch.ands).max_by_key(|(_, rows)| rows.work);
            if let Some((and, _)) = most {
                let relation = tree.plan.ors[and.or.index()].relation;
                if compiler.has_filter(relation) {
                    compiler.keep_filter[relation.index()] = true;
                }
            }
            break;
        }
        for (or, node) in tree.plan.ors.iter().zip(&scratch.nodes) {
            if or.filter.is_empty() && node.epoch == scratch.epoch {
                let size = size_of(std::iter::once(&node.answers));
                measured.entry(or.relation).or_default().push(size);
            }
        }
    }
    for (relation, sizes) in measured {
        let largest = sizes.into_iter().max_by(|a, b| a.rows.total_cmp(&b.rows));
        if let Some(size) = largest {
            compiler.sizes.set(relation, size);
        }
    }
}

struct Trial<'a> {
    compiler: &'a mut Compiler,
    tree: &'a mut Tree,
    samples: &'a [Sample],
    meter: &'a Meter<'a>,
    /// The work that may still be spent.
    budget: u64,
    /// The work of the best choice so far.
    best: u64,
}

impl Trial<'_> {
    /// The work for all samples, or more than `limit`.
    fn work(&mut self, limit: u64) -> u64 {
        let scratch = self.prove_samples(limit);
        let building = self.tree.plan.columns as u64 * self.tuning().build_work;
        self.budget = self.budget.saturating_sub(scratch.work + building);
        scratch.work
    }

    /// Proves all samples, as far as the limit and the meter allow. When that is exhausted,
    /// nothing more is to be tried.
    fn prove_samples(&mut self, limit: u64) -> Scratch {
        let mut scratch = self.tree.scratch();
        scratch.limit_work(limit);
        scratch.until = self.meter.deadline();
        for sample in self.samples {
            if !scratch.gave_up() && self.meter.check().is_ok() {
                prove_sample(self.tree, &mut scratch, sample);
            }
        }
        if !self.meter.has(scratch.work as usize) {
            self.budget = 0;
        }
        scratch
    }

    /// The work of each AND node for all samples, as far as the limit allows.
    fn work_by_node(&mut self) -> Vec<u64> {
        let scratch = self.prove_samples(self.tuning().trial_work);
        scratch.ands.iter().map(|rows| rows.work).collect()
    }

    /// The relations that are asked through filters, those that work most first.
    fn filtered_relations(&mut self) -> Vec<RelationId> {
        let mut work: HashMap<RelationId, u64> = HashMap::new();
        for (and, by_node) in self.work_by_node().into_iter().enumerate() {
            let place = self.tree.plan.ands[and].or;
            let or = &self.tree.plan.ors[place.index()];
            let is_root = self.tree.plan.roots.contains(&place);
            if !or.filter.is_empty() && !is_root && !self.compiler.keep_filter[or.relation.index()]
            {
                *work.entry(or.relation).or_default() += by_node;
            }
        }
        let mut candidates: Vec<RelationId> = work.keys().copied().collect();
        candidates.sort_unstable_by_key(|relation| (u64::MAX - work[relation], *relation));
        candidates
    }

    fn tuning(&self) -> Tuning {
        self.compiler.options.tuning
    }

    /// Tries other conditions to begin with, for the rules that work most. Returns for how many.
    fn choose_beginnings(&mut self) -> usize {
        let mut tried: Vec<u32> = Vec::new();
        while tried.len() < self.tuning().rules && self.budget > 0 {
            let work = self.work_by_node();
            if self.budget == 0 {
                break;
            }
            let ands = &self.tree.plan.ands;
            let untried = (0..ands.len()).filter(|&and| !tried.contains(&ands[and].rule));
            let Some(and) = untried.max_by_key(|&and| work[and]) else { break };
            if work[and] * 20 < self.best {
                break;
            }
            let rule = ands[and].rule;
            tried.push(rule);
            let body = &self.compiler.normal.rules[rule as usize].body;
            let firsts: Vec<u32> = (0..body.len())
                .filter(|&place| matches!(body[place], FlatLiteral::Positive(_)))
                .map(|place| place as u32)
                .collect();
            for first in firsts {
                if self.budget == 0 {
                    break;
                }
                let before = self.compiler.firsts.insert(rule, first);
                if !self.accept() {
                    match before {
                        Some(before) => self.compiler.firsts.insert(rule, before),
                        None => self.compiler.firsts.remove(&rule),
                    };
                }
            }
        }
        tried.len()
    }

    /// Turns the filters of these relations over, and back again if that does not help.
    fn turn_filters(&mut self, relations: &[RelationId]) {
        let turn = |filtered: &mut [bool]| {
            relations.iter().for_each(|r| filtered[r.index()] = !filtered[r.index()]);
        };
        turn(&mut self.compiler.filtered);
        if !self.accept() {
            turn(&mut self.compiler.filtered);
        }
    }

    /// Builds the trees anew and keeps them if they work less than the best so far.
    fn accept(&mut self) -> bool {
        let plan = self.compiler.plan();
        let before: Plan = self.tree.replace_plan(self.compiler, plan);
        let work = self.work(self.best);
        // A choice must pay for being made: small gains are noise of the sample.
        let better =
            work < self.best - self.best / self.tuning().trial_gain && self.meter.check().is_ok();
        if better {
            self.best = work;
        } else {
            self.tree.replace_plan(self.compiler, before);
        }
        better
    }
}
