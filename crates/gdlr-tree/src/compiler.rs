//! The compiler: from the rules and their relations to trees.

use super::build::{Class, Context, Orders, build};
use super::engine::{RoleRows, Roots, Tree};
use super::limits::too_much_work;
use super::moves::Moves;
use super::options::TreeOptions;
use super::plan::{OrId, Plan};
#[cfg(test)]
use super::scratch::Scratch;
use super::sizes::Sizes;
use super::state::State;
use super::table::Table;
use gdlr_engine::engine::Roles;
use gdlr_rules::gdl::{Symbol, Term};
use gdlr_rules::normal::{FlatLiteral, Normal, Question, RelationId, RelationKind};
use gdlr_text::decisions::Decisions;
use gdlr_text::diagnostic::{Diagnostic, Span};
use gdlr_text::graph::strongly_connected;
use hashbrown::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// The longest chain of relations that are proved one within the other, which bounds the
/// machine stack.
const LEVELS_ON_STACK: u32 = 100;

/// The input and output of set-up.
pub(super) struct Compiler {
    pub(super) normal: Normal,
    pub(super) options: TreeOptions,
    /// By relation: the places of its rules.
    pub(super) rules_of: Vec<Vec<u32>>,
    pub(super) widths: Vec<usize>,
    /// By relation: the columns of each argument.
    pub(super) args: Vec<Vec<Range<u16>>>,
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
    pub(super) components: Vec<Vec<u32>>,
    /// By relation: whether it depends on the joint move.
    pub(super) needs_moves: Vec<bool>,
    /// Relations to prove before any other, each after those it depends on.
    pub(super) ahead: Vec<RelationId>,
}

impl Compiler {
    pub(super) fn new(normal: Normal, options: TreeOptions) -> Compiler {
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
    pub(super) fn choose_ahead(&mut self) {
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

    pub(super) fn build(&mut self, roots: &[(RelationId, Vec<u16>)]) -> Plan {
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

    /// Whether a relation may be asked through filters at all.
    pub(super) fn has_filter(&self, relation: RelationId) -> bool {
        self.options.filters && self.filtered[relation.index()]
    }

    pub(super) fn too_much_work(&self, relation: RelationId) -> Diagnostic {
        let rule = self.rules_of[relation.index()].first();
        let span = rule.map_or(Span::default(), |&rule| self.normal.rules[rule as usize].source);
        too_much_work(span, &self.normal.relation_name(relation))
    }

    /// The trees for play, as things are known now.
    pub(super) fn plan(&mut self) -> Plan {
        let roots: Vec<(RelationId, Vec<u16>)> = (self.questions_of_play())
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

    /// The questions of play, in the order of a plan's roots.
    fn questions_of_play(&self) -> impl Iterator<Item = (Question, RelationId)> {
        let answers =
            |question| (self.normal.answers(question).into_iter()).map(move |id| (question, id));
        Question::ALL.into_iter().flat_map(answers)
    }

    fn roots(&self, plan: &Plan) -> Roots {
        let of = |question| -> Vec<OrId> {
            let roots = self.questions_of_play().zip(&plan.roots);
            roots.filter(|((q, _), _)| *q == question).map(|(_, &root)| root).collect()
        };
        let only = |question| of(question)[0];
        Roots {
            legal: only(Question::Legal),
            terminal: only(Question::Terminal),
            goal: only(Question::Goal),
            next: of(Question::Next),
            sees: of(Question::Sees).first().copied(),
        }
    }

    /// A tree that plays by this plan.
    pub(super) fn tree(&mut self, plan: Plan, initial: State) -> Tree {
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
            decisions: Decisions::default(),
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
}

/// Calls `visit` with the relation of every atom.
pub(super) fn each_relation(body: &[FlatLiteral], visit: &mut impl FnMut(RelationId)) {
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

#[cfg(test)]
impl Compiler {
    /// The plan that proves a relation of a rulesheet whose only fact of a state is `s`, and a
    /// scratch with that state.
    pub(super) fn for_relation(text: &str, name: &str) -> (Compiler, Plan, Scratch) {
        let game = gdlr_rules::gdl::Game::from_kif("test", text).expect("rules");
        let normal = Normal::new(game, &Default::default()).expect("rules");
        let mut relations = (0..normal.relations.len()).map(|id| RelationId(id as u32));
        let is_it = |&id: &RelationId| normal.relation_name(id) == name;
        let relation = relations.find(is_it).expect("a relation");
        let mut compiler = Compiler::new(normal, TreeOptions::default());
        let meter = gdlr_text::budget::Meter::unlimited();
        compiler
            .compute_statics(&meter, &mut Decisions::default())
            .expect("there is no limit")
            .expect("a game");
        let state = compiler.initial(&meter).expect("there is no limit");
        let plan = compiler.build(&[(relation, Vec::new())]);
        let mut scratch = Scratch::new(&plan, &[1], 0, 0);
        scratch.bases[0].insert(&state.rows);
        (compiler, plan, scratch)
    }
}
