//! Relations that are only a union of others, written with the rules of these.
//!
//! A line is a row, a column or a diagonal. If no other rule asks for these, their rules become
//! rules for lines, and can be merged.
//!
//! ```text
//! (<= (line ?p) (row ?r ?p))
//! (<= (row ?r ?p) (cell ?r 1 ?p) (cell ?r 2 ?p))          (<= (line ?p) (cell ?r 1 ?p) (cell ?r 2 ?p))
//! ```

use super::relations::Relations;
use super::state::Shapes;
use super::unfold::{atoms, unfold};
use crate::export::rules::Stop;

use gdlr_rules::normal::{FlatLiteral, FlatRule, RelationId, RelationKind};
use hashbrown::HashMap;

/// The most rules that one rule may become.
const MOST_RULES: usize = 64;

impl Relations<'_> {
    /// Replaces a rule that only asks for another relation by the rules of that relation, if no
    /// other rule asks for it.
    pub fn unite_rules(&mut self, shapes: &Shapes) -> Result<(), Stop> {
        let mut uses: HashMap<RelationId, usize> = HashMap::new();
        for literal in self.rules.iter().flat_map(|rule| &rule.body) {
            atoms(literal, &mut |atom| *uses.entry(atom.relation).or_default() += 1);
        }
        let mut done: Vec<FlatRule> = Vec::new();
        let mut gone: Vec<RelationId> = Vec::new();
        let mut quoted = Vec::new();
        for rule in self.rules.clone() {
            self.input.meter.spend(rule.body.len() + 1)?;
            let mut open: Vec<FlatRule> = self.branches_of(&rule);
            let mut own: Vec<FlatRule> = Vec::new();
            let mut left_out: Vec<RelationId> = Vec::new();
            while let Some(rule) = open.pop() {
                let Some((place, relation)) = self.only_asked(&rule, &uses) else {
                    own.push(rule);
                    continue;
                };
                let with = self.infos[relation.index()].rules.clone();
                left_out.push(relation);
                for &with in with.iter().rev() {
                    let with = &self.rules[with];
                    quoted.push((rule.source, with.source));
                    open.extend(unfold(&rule, place, with));
                }
                if open.len() + own.len() > MOST_RULES {
                    return Ok(());
                }
            }
            match left_out.is_empty() {
                true => done.push(rule),
                false => done.extend(own),
            }
            gone.extend(left_out);
        }
        if !gone.is_empty() {
            done.retain(|rule| !gone.contains(&rule.head.relation));
            self.rules = done;
            quoted.into_iter().for_each(|(rule, with)| self.quotes.also(rule, vec![with]));
            self.relate(shapes)?;
        }
        Ok(())
    }

    /// A rule with branches in its only condition that is not static, as one rule for each branch.
    fn branches_of(&self, rule: &FlatRule) -> Vec<FlatRule> {
        let of = rule.body.iter().enumerate().find_map(|(place, literal)| match literal {
            FlatLiteral::Any(branches) => Some((place, branches)),
            _ => None,
        });
        let Some((place, branches)) = of else { return vec![rule.clone()] };
        let each = branches.iter().rev().map(|branch| {
            let mut body = rule.body.clone();
            body.splice(place..=place, branch.iter().cloned());
            FlatRule { body, ..rule.clone() }
        });
        each.collect()
    }

    /// The only condition of a rule that is not static, if no other rule asks for its relation.
    fn only_asked(
        &self,
        rule: &FlatRule,
        uses: &HashMap<RelationId, usize>,
    ) -> Option<(usize, RelationId)> {
        let head = rule.head.relation;
        let is_view = matches!(self.input.normal.relation(head).kind, RelationKind::View(_));
        let normal = self.input.normal;
        let is_told_apart =
            [Some(normal.legal), Some(normal.goal), normal.sees].contains(&Some(head));
        if !is_view || is_told_apart || self.infos[head.index()].group.is_some() {
            return None;
        }
        let mut only = None;
        for (place, literal) in rule.body.iter().enumerate() {
            let FlatLiteral::Positive(atom) = literal else { return None };
            if self.rows(atom.relation).is_some() {
                continue;
            }
            let info = &self.infos[atom.relation.index()];
            let is_own = info.is_derived()
                && info.group.is_none()
                && !info.asks_moves
                && ![normal.legal, normal.goal, normal.terminal].contains(&atom.relation);
            if !is_own || only.is_some() || uses.get(&atom.relation) != Some(&1) {
                return None;
            }
            only = Some((place, atom.relation));
        }
        only
    }
}
