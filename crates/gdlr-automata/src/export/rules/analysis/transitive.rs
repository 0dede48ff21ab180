//! Transitive relations: rules that ask twice for their relation are written with one such
//! condition.
//!
//! A check may ask for its own relation only at its end. A rule that joins two paths asks twice. If
//! all other rules give single steps, a longer path is a shorter one with one more step:
//!
//! ```text
//! (<= (path ?x ?y) (true (edge ?x ?y)))                 (<= (path ?x ?y) (true (edge ?x ?y)))
//! (<= (path ?x ?z) (path ?x ?y) (path ?y ?z))           (<= (path ?x ?z) (path ?x ?y) (true (edge ?y ?z)))
//! ```

use super::relations::Relations;
use super::unfold::{atoms, unfold};
use gdlr_rules::normal::{FlatLiteral, FlatRule, FlatTerm, RelationId};
use hashbrown::HashSet;

impl Relations<'_> {
    /// Rewrites the rules of transitive relations. Returns whether there are any.
    pub fn ask_once(&mut self) -> bool {
        let mut done = Vec::with_capacity(self.rules.len());
        let mut is_changed = false;
        for rule in &self.rules {
            match self.steps_of(rule) {
                Some(steps) => {
                    done.extend(steps);
                    is_changed = true;
                }
                None => done.push(rule.clone()),
            }
        }
        if is_changed {
            self.rules = done;
        }
        is_changed
    }

    /// The rules in place of a rule that joins two paths: one for each rule that gives a step.
    fn steps_of(&self, rule: &FlatRule) -> Option<Vec<FlatRule>> {
        let relation = rule.head.relation;
        if !joins_two(rule) || self.infos[relation.index()].group.is_none() {
            return None;
        }
        let own = self.rules_of(relation);
        let steps: Vec<&FlatRule> = own.iter().filter(|other| *other != rule).collect();
        let is_step =
            |step: &&FlatRule| step.body.iter().all(|one| !self.leads_back(one, relation));
        if steps.len() + 1 != own.len() || !steps.iter().all(is_step) {
            return None;
        }
        steps.into_iter().map(|step| unfold(rule, 1, step)).collect()
    }

    /// Whether a condition and a relation are mutually recursive.
    fn leads_back(&self, literal: &FlatLiteral, relation: RelationId) -> bool {
        let group = self.infos[relation.index()].group;
        let mut is_recursive = false;
        atoms(literal, &mut |atom| {
            is_recursive |= self.infos[atom.relation.index()].group == group;
        });
        is_recursive
    }
}

/// Whether a rule only says that two paths, one behind the other, are a path.
fn joins_two(rule: &FlatRule) -> bool {
    let [FlatLiteral::Positive(first), FlatLiteral::Positive(second)] = &rule.body[..] else {
        return false;
    };
    let head = &rule.head;
    if [first.relation, second.relation] != [head.relation; 2] || !head.args.len().is_multiple_of(2)
    {
        return false;
    }
    let (from, to) = head.args.split_at(head.args.len() / 2);
    let (start, between) = first.args.split_at(from.len());
    let (again, end) = second.args.split_at(from.len());
    let all: Vec<FlatTerm> = [from, between, to].concat();
    let is_variable = |term: &FlatTerm| matches!(term, FlatTerm::Variable(_));
    let differ = all.iter().collect::<HashSet<_>>().len() == all.len();
    (from, to, between) == (start, end, again) && differ && all.iter().all(is_variable)
}
