//! Set-up: from rules to trees that are ready to play.
//!
//! Relations that depend on neither state nor moves are computed once and for all, one
//! strongly connected component after the other, with the same nodes and merges that play
//! uses. What remains is built into trees, first with what is known from the rules alone,
//! then again with what sample play tells ([`super::tuning`]).

use super::build::{Class, Context, Orders, build};
use super::moves::Moves;
use super::order::{Size, Sizes};
use super::plan::{OrId, Plan};
use super::prove::Prover;
use super::scratch::STATE_WORK;
use super::state::State;
use super::table::Table;
use super::tuning;
use super::{RoleRows, Roots, Scratch, Tree, TreeOptions};
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::engine::Roles;
use crate::gdl::{Game, Symbol, Term};
use crate::graph::strongly_connected;
use crate::normal::{FlatLiteral, Normal, NormalOptions, Question, RelationId, RelationKind};
use hashbrown::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

/// The most work, in rows, to spend on one static component. What is larger is proved when
/// it is asked.
const STATIC_WORK: u64 = 500_000;
/// The most work to spend on all of them.
const ALL_STATIC_WORK: u64 = 1 << 24;
/// The longest chain of relations that are proved one within the other, which bounds the
/// machine stack.
const LEVELS_ON_STACK: u32 = 100;

/// Compiles a game.
pub(super) fn set_up(game: Arc<Game>, options: &TreeOptions) -> Result<Tree, Diagnostic> {
    let redundant_removal = options.redundant_removal;
    let normal = Normal::new(game, &NormalOptions { redundant_removal })?;
    let mut compiler = Compiler::new(normal, *options);
    compiler.sizes_of_unsafe();
    compiler.compute_statics()?;
    compiler.choose_ahead();
    let initial = compiler.initial();
    compiler.sizes_of_initial(&initial);
    let plan = compiler.plan();
    let mut tree = compiler.tree(plan, initial);
    tuning::tune(&mut compiler, &mut tree);
    tree.finish();
    Ok(tree)
}

/// What set-up knows and makes.
pub(super) struct Compiler {
    pub(super) normal: Normal,
    pub(super) options: TreeOptions,
    /// By relation: the places of its rules.
    rules_of: Vec<Vec<u32>>,
    widths: Vec<usize>,
    /// By relation: the columns of each argument.
    args: Vec<Vec<Range<u16>>>,
    pub(super) classes: Vec<Class>,
    /// Shared with the tree; a plan that hashes one on new columns makes a copy.
    pub(super) statics: Vec<Arc<Table>>,
    pub(super) sizes: Sizes,
    /// By rule: the condition to begin with, where that has been chosen.
    pub(super) firsts: HashMap<u32, u32>,
    /// Valid as long as the sizes stay the same.
    pub(super) orders: Orders,
    /// By relation: whether it is asked through filters.
    pub(super) filtered: Vec<bool>,
    /// By relation: whether it would be too large to compute whole.
    pub(super) keep_filter: Vec<bool>,
    /// The components in the order to compute them.
    components: Vec<Vec<u32>>,
    /// By relation: whether it depends on the joint move.
    needs_moves: Vec<bool>,
    /// Relations to prove before any other, each after those it depends on.
    ahead: Vec<RelationId>,
}

impl Compiler {
    fn new(normal: Normal, options: TreeOptions) -> Compiler {
        let count = normal.relations.len();
        let mut rules_of = vec![Vec::new(); count];
        let mut conditions = vec![Vec::new(); count];
        for (place, rule) in normal.rules.iter().enumerate() {
            let head = rule.head.relation.index();
            rules_of[head].push(place as u32);
            each_relation(&rule.body, &mut |relation| conditions[head].push(relation.0));
        }
        for edges in &mut conditions {
            edges.sort_unstable();
            edges.dedup();
        }
        let components = strongly_connected(&conditions);
        let mut classes = vec![Class::Does; count];
        let mut changes = vec![false; count];
        let mut needs_moves = vec![false; count];
        for (number, component) in components.iter().enumerate() {
            let below = |flags: &[bool]| {
                component.iter().any(|&r| {
                    flags[r as usize] || conditions[r as usize].iter().any(|&c| flags[c as usize])
                })
            };
            for &relation in component {
                match normal.relations[relation as usize].kind {
                    RelationKind::Base(_) => changes[relation as usize] = true,
                    RelationKind::Does => {
                        changes[relation as usize] = true;
                        needs_moves[relation as usize] = true;
                    }
                    _ => {}
                }
            }
            let (change, moves) = (below(&changes), below(&needs_moves));
            let recursive =
                component.len() > 1 || conditions[component[0] as usize].contains(&component[0]);
            for &relation in component {
                let place = relation as usize;
                (changes[place], needs_moves[place]) = (change, moves);
                classes[place] = match normal.relations[place].kind {
                    RelationKind::Base(fluent) => {
                        let base = normal.fluents.iter().position(|f| f.fluent == fluent);
                        Class::Base(base.unwrap_or_default() as u32)
                    }
                    RelationKind::Does => Class::Does,
                    _ if change => Class::Proved(recursive.then_some(number as u32)),
                    _ => Class::Static(u32::MAX),
                };
            }
        }
        let args = (0..count as u32)
            .map(|number| {
                let relation = RelationId(number);
                (0..normal.relation(relation).args.len())
                    .map(|place| normal.columns(relation, place))
                    .map(|columns| columns.start as u16..columns.end as u16)
                    .collect()
            })
            .collect();
        let widths: Vec<usize> = normal.relations.iter().map(|r| r.width).collect();
        Compiler {
            sizes: Sizes::new(count),
            firsts: HashMap::new(),
            orders: Orders::default(),
            normal,
            options,
            rules_of,
            widths,
            args,
            classes,
            statics: Vec::new(),
            filtered: vec![options.filters; count],
            keep_filter: vec![false; count],
            components,
            needs_moves,
            ahead: Vec::new(),
        }
    }

    /// Chooses relations to prove ahead, whole, so that no chain of relations is longer than
    /// the machine stack allows; none that depends on one too large to compute whole.
    fn choose_ahead(&mut self) {
        let mut height = vec![0u32; self.classes.len()];
        let mut large = self.keep_filter.clone();
        for component in &self.components {
            let (mut below, mut on_large) = (0, false);
            for &rule in component.iter().flat_map(|&r| &self.rules_of[r as usize]) {
                each_relation(&self.normal.rules[rule as usize].body, &mut |c| {
                    below = below.max(height[c.index()]);
                    on_large |= large[c.index()];
                });
            }
            on_large |= component.iter().any(|&r| large[r as usize]);
            for &relation in component {
                let place = relation as usize;
                large[place] = on_large;
                if !matches!(self.classes[place], Class::Proved(_)) {
                    continue;
                }
                if below + 1 >= LEVELS_ON_STACK && !on_large {
                    self.ahead.push(RelationId(relation));
                    self.filtered[place] = false;
                } else {
                    height[place] = below + 1;
                }
            }
        }
    }

    fn build(&mut self, roots: &[(RelationId, Vec<u16>)]) -> Plan {
        let context = Context {
            rules: &self.normal.rules,
            rules_of: &self.rules_of,
            widths: &self.widths,
            args: &self.args,
            classes: &self.classes,
            bases: self.normal.fluents.len(),
            sizes: &self.sizes,
            firsts: &self.firsts,
            orders: &self.orders,
            filtered: &self.filtered,
            ahead: &self.ahead,
            options: &self.options,
        };
        build(&context, &mut self.statics, roots)
    }

    /// Computes all relations that never change.
    ///
    /// # Errors
    ///
    /// When the initial state is too large.
    fn compute_statics(&mut self) -> Result<(), Diagnostic> {
        let mut left = ALL_STATIC_WORK;
        let components = std::mem::take(&mut self.components);
        for (number, component) in components.iter().enumerate() {
            let is_static = |r: &u32| matches!(self.classes[*r as usize], Class::Static(_));
            if !component.iter().all(is_static) {
                continue;
            }
            let inside: HashSet<u32> = component.iter().copied().collect();
            let recursive = component.iter().any(|&r| {
                self.rules_of[r as usize].iter().any(|&rule| {
                    let mut found = false;
                    each_relation(&self.normal.rules[rule as usize].body, &mut |c| {
                        found |= inside.contains(&c.0);
                    });
                    found
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
                if self.compute_component(component, STATE_WORK).is_none() {
                    return Err(self.too_much_work(RelationId(component[0])));
                }
            } else if below_is_static {
                let work = self.compute_component(component, STATIC_WORK.min(left));
                left = left.saturating_sub(work.unwrap_or(STATIC_WORK));
            }
        }
        self.components = components;
        Ok(())
    }

    /// Whether a relation may be asked through filters at all.
    pub(super) fn has_filter(&self, relation: RelationId) -> bool {
        self.options.filters && self.filtered[relation.index()]
    }

    fn too_much_work(&self, relation: RelationId) -> Diagnostic {
        let rule = self.rules_of[relation.index()].first();
        let span = rule.map_or(Span::default(), |&rule| self.normal.rules[rule as usize].source);
        too_much_work(span, &self.normal.relation_name(relation))
    }

    /// Computes a component within a limit; gives the work done, or `None` when it was not
    /// enough.
    fn compute_component(&mut self, component: &[u32], limit: u64) -> Option<u64> {
        // What is too large to compute whole is asked through filters.
        let keep = self.keep_filter.clone();
        let filtered = std::mem::replace(&mut self.filtered, keep);
        let roots: Vec<(RelationId, Vec<u16>)> =
            component.iter().map(|&r| (RelationId(r), Vec::new())).collect();
        let plan = self.build(&roots);
        self.filtered = filtered;
        let mut scratch = Scratch::new(&plan, &[], 0, 0);
        scratch.limit_work(limit);
        let prover = Prover { plan: &plan, statics: &self.statics };
        plan.roots.iter().for_each(|&root| prover.prove_all(&mut scratch, root));
        if scratch.gave_up() {
            for &relation in component {
                self.sizes.set_huge(RelationId(relation));
                self.keep_filter[relation as usize] = true;
                self.filtered[relation as usize] = true;
            }
            return None;
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
        Some(scratch.work)
    }

    /// Relations that hold for any constant are asked with everything bound, if possible.
    fn sizes_of_unsafe(&mut self) {
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
    fn initial(&mut self) -> State {
        let inits = self.normal.fluents.iter().map(|fluent| (fluent.init, Vec::new()));
        let open = |r: &RelationId| !matches!(self.classes[r.index()], Class::Static(_));
        let roots: Vec<_> = inits.filter(|(relation, _)| open(relation)).collect();
        let plan = self.build(&roots);
        let bases: Vec<usize> =
            self.normal.fluents.iter().map(|f| self.widths[f.base.index()]).collect();
        let mut scratch = Scratch::new(&plan, &bases, self.widths[self.normal.legal.index()], 0);
        let prover = Prover { plan: &plan, statics: &self.statics };
        plan.ahead.iter().chain(&plan.roots).for_each(|&or| prover.prove_all(&mut scratch, or));
        let mut proved = plan.roots.iter().map(|root| &scratch.nodes[root.index()].answers);
        let tables =
            self.normal.fluents.iter().map(|fluent| match self.classes[fluent.init.index()] {
                Class::Static(table) => &self.statics[table as usize],
                _ => proved.next().expect("a root for each relation that is not static"),
            });
        let mut state = State::default();
        state.fill(tables);
        state
    }

    /// Before there is play to sample: the base relations as in the initial state, the joint
    /// move one row a role.
    fn sizes_of_initial(&mut self, initial: &State) {
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

    /// The trees for play, as things are known now.
    pub(super) fn plan(&mut self) -> Plan {
        let roots: Vec<(RelationId, Vec<u16>)> = (self.asked())
            .map(|(question, relation)| match question {
                // One role at a time is asked for its goal.
                Question::Goal if self.options.filters => {
                    let role = self.normal.columns(relation, 0);
                    (relation, role.map(|column| column as u16).collect())
                }
                _ => (relation, Vec::new()),
            })
            .collect();
        let mut plan = self.build(&roots);
        let nodes = std::mem::take(&mut plan.ahead);
        let on_moves = |or: &OrId| self.needs_moves[plan.ors[or.index()].relation.index()];
        (plan.ahead_of_step, plan.ahead) = nodes.into_iter().partition(on_moves);
        plan
    }

    /// What play asks, in the order of a plan's roots.
    fn asked(&self) -> impl Iterator<Item = (Question, RelationId)> {
        let answers =
            |question| (self.normal.answers(question).into_iter()).map(move |id| (question, id));
        Question::ALL.into_iter().flat_map(answers)
    }

    fn roots(&self, plan: &Plan) -> Roots {
        let of = |question| -> Vec<OrId> {
            let roots = self.asked().zip(&plan.roots);
            roots.filter(|((q, _), _)| *q == question).map(|(_, &root)| root).collect()
        };
        let only = |question| of(question)[0];
        Roots {
            legal: only(Question::Legal),
            terminal: only(Question::Terminal),
            goal: only(Question::Goal),
            next: of(Question::Next),
        }
    }

    /// A tree that plays by this plan.
    fn tree(&mut self, plan: Plan, initial: State) -> Tree {
        let normal = self.normal.clone();
        let row = |relation: RelationId, role| normal.encode_arg(relation, 0, role).map(Into::into);
        let roles = normal
            .game()
            .roles
            .iter()
            .map(|role| RoleRows { legal: row(normal.legal, role), goal: row(normal.goal, role) })
            .collect();
        let symbols = &normal.game().symbols;
        let goal_values = (0..symbols.len())
            .map(|index| Term::Constant(Symbol::from_index(index as u16)).goal_value(symbols))
            .collect();
        let roots = self.roots(&plan);
        Tree {
            statics: self.statics.clone(),
            plan,
            initial,
            roots,
            role_names: Roles::of(normal.game()),
            moves: Moves::new(
                normal.relation(normal.legal).args[1].width(),
                normal.game().roles.len(),
            ),
            roles,
            goal_values,
            figures: Vec::new(),
            normal,
        }
    }
}

impl Tree {
    /// Replaces the plan by another one of its compiler, and returns the former one.
    pub(super) fn replace_plan(&mut self, compiler: &Compiler, plan: Plan) -> Plan {
        self.roots = compiler.roots(&plan);
        // Another plan may hash static relations on other columns.
        self.statics.clone_from(&compiler.statics);
        std::mem::replace(&mut self.plan, plan)
    }

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

/// The diagnostic of a relation that takes more than a state may.
pub(super) fn too_much_work(span: Span, relation: &str) -> Diagnostic {
    Diagnostic::new(
        Code::TooMuchWork,
        span,
        format!("a state has too many cases of `{relation}` to go through them all"),
    )
    .with_label("most of the work is done for this rule")
    .with_help(
        "let its conditions share variables, so that not everything is combined with everything",
    )
}

/// Calls `visit` with the relation of every atom.
fn each_relation(body: &[FlatLiteral], visit: &mut impl FnMut(RelationId)) {
    for literal in body {
        match literal {
            FlatLiteral::Positive(atom) | FlatLiteral::Negative(atom) => visit(atom.relation),
            FlatLiteral::Distinct(_) | FlatLiteral::Same(_) => {}
            FlatLiteral::Any(branches) => {
                branches.iter().for_each(|branch| each_relation(branch, visit));
            }
        }
    }
}

/// The mean size of a relation over several tables of it.
pub(super) fn size_of<'a>(tables: impl Iterator<Item = &'a Table>) -> Size {
    let mut size = Size { rows: 0.0, distinct: Vec::new(), frequency: HashMap::new() };
    let mut count = 0.0;
    for table in tables {
        count += 1.0;
        let width = table.rows().width();
        size.distinct.resize(width, 0.0);
        size.rows += table.len() as f64;
        let mut seen: HashMap<(u16, Symbol), f64> = HashMap::new();
        for row in table.rows().iter() {
            for (column, &symbol) in row.iter().enumerate() {
                *seen.entry((column as u16, symbol)).or_default() += 1.0;
            }
        }
        for ((column, symbol), rows) in seen {
            size.distinct[usize::from(column)] += 1.0;
            *size.frequency.entry((column, symbol)).or_default() += rows;
        }
    }
    size.rows /= count;
    size.distinct.iter_mut().for_each(|d| *d /= count);
    size.frequency.values_mut().for_each(|rows| *rows /= count);
    size
}
