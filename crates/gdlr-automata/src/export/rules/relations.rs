//! What relations depend on, and the rows of those that are known.

use super::unfold::atoms;
use super::{Rows, Stop, Writer};
use gdlr_net::ground::Value;
use gdlr_net::net::Signal;
use gdlr_rules::gdl::Symbol;
use gdlr_rules::normal::{RelationId, RelationKind};
use hashbrown::HashSet;
use std::rc::Rc;

/// A relation and what it follows from.
#[derive(Clone, Debug, Default)]
pub(super) struct RelationInfo {
    /// Its rules, if it is derived.
    pub rules: Vec<usize>,
    /// The group of relations that depend on each other that it is in, if there is one.
    pub group: Option<usize>,
    /// Whether it depends on moves.
    pub asks_moves: bool,
    /// The base relations that it depends on.
    pub reads: HashSet<RelationId>,
}

impl RelationInfo {
    /// Whether there are rules for it that ask for more than is known before play.
    pub fn is_derived(&self) -> bool {
        !self.rules.is_empty()
    }
}

impl Writer<'_> {
    /// Finds what relations depend on.
    pub(super) fn relate(&mut self) -> Result<(), Stop> {
        let count = self.input.normal.relations.len() + self.anew.origins.len();
        let mut direct: Vec<HashSet<usize>> = vec![HashSet::new(); count];
        self.relations = vec![RelationInfo::default(); count];
        for (number, rule) in self.rules.iter().enumerate() {
            let head = rule.head.relation.index();
            let of = &mut direct[head];
            for literal in &rule.body {
                atoms(literal, &mut |atom| {
                    of.insert(atom.relation.index());
                });
            }
            if matches!(self.input.normal.relations[head].kind, RelationKind::View(_)) {
                self.relations[head].rules.push(number);
            }
        }
        for start in 0..count {
            let mut seen: HashSet<usize> = HashSet::new();
            let mut open: Vec<usize> = direct[start].iter().copied().collect();
            while let Some(next) = open.pop() {
                if seen.insert(next) {
                    open.extend(direct[next].iter().copied());
                }
            }
            self.input.meter.spend(seen.len() + 1)?;
            let info = &mut self.relations[start];
            info.asks_moves = seen.contains(&self.input.normal.does.index());
            info.reads = seen
                .iter()
                .map(|&relation| RelationId(relation as u32))
                .filter(|relation| self.shapes.contains_key(relation))
                .collect();
            direct[start] = seen;
        }
        for relation in 0..count {
            let own = &direct[relation];
            if own.contains(&relation) {
                let group = own.iter().copied().filter(|&o| direct[o].contains(&relation)).min();
                self.relations[relation].group = group;
            }
        }
        // What never changes is looked up.
        for number in 0..count {
            if self.rows(RelationId(number as u32)).is_some() {
                self.relations[number].rules.clear();
            }
        }
        Ok(())
    }

    /// The rows of a relation that may hold.
    pub(super) fn possible(&self, relation: RelationId) -> impl Iterator<Item = Vec<Symbol>> + '_ {
        let facts = self.input.ground.facts_of(relation);
        facts
            .filter(|&fact| self.input.ground.value(fact) != Value::Constant(false))
            .filter_map(move |fact| self.pairs.row(relation, self.input.ground.row(fact)))
    }

    /// Where each column of a relation begins in the columns of the rulesheet, and whether it is a
    /// pair. None for a relation that is known before play and not of the rulesheet.
    pub(super) fn columns_of(&self, relation: RelationId) -> Vec<(usize, bool)> {
        match self.input.normal.relations.get(relation.index()) {
            Some(of) => self.pairs.columns(relation, of.width),
            None => {
                let width = self.width_of_line(relation).unwrap_or(0);
                (0..width).map(|column| (column, false)).collect()
            }
        }
    }

    /// The rows of a relation if they are known before play.
    pub(super) fn rows(&mut self, relation: RelationId) -> Option<Rows> {
        self.rows_in(relation, None)
    }

    /// The rows of a relation if they are known, before play or from whose turn it is.
    pub(super) fn rows_in(&mut self, relation: RelationId, mode: Option<usize>) -> Option<Rows> {
        let key = (relation, mode);
        if let Some(rows) = self.tables.get(&key) {
            return rows.clone();
        }
        let rows = self.find_rows(relation, mode).map(Rc::new);
        self.tables.insert(key, rows.clone());
        rows
    }

    fn find_rows(&self, relation: RelationId, mode: Option<usize>) -> Option<Vec<Vec<Symbol>>> {
        if self.origin(relation) != relation {
            return None;
        }
        if let Some(rows) = self.always.get(&relation) {
            return Some(rows.clone());
        }
        match self.input.normal.relations.get(relation.index())?.kind {
            RelationKind::View(_) => {
                let facts = self.input.ground.facts_of(relation);
                let mut rows = Vec::new();
                for fact in facts {
                    match self.input.ground.value(fact) {
                        Value::Constant(true) => {
                            rows.extend(self.pairs.row(relation, self.input.ground.row(fact)));
                        }
                        Value::Constant(false) => {}
                        Value::Varies => return None,
                    }
                }
                Some(rows)
            }
            RelationKind::Base(_) => {
                let Some(shape) = self.shapes.get(&relation) else { return Some(Vec::new()) };
                let mode = mode?;
                let known = |signal: Signal| match self.input.latch_of(signal) {
                    None => Some(true),
                    Some((latch, value)) => self
                        .input
                        .unrolled
                        .phases
                        .known(mode)
                        .find(|(other, _)| *other == latch)
                        .map(|(_, now)| now == value),
                };
                let facts = shape.facts.iter();
                let facts: Vec<_> = facts.map(|(row, signal)| (row, known(*signal))).collect();
                let only = facts.iter().find(|(_, known)| *known == Some(true));
                if let (Some((row, _)), Some(_), true) = (only, shape.value, shape.keys.is_empty())
                {
                    return Some(vec![(*row).clone()]);
                }
                let all = facts.iter().all(|(_, known)| known.is_some());
                let holds = facts.iter().filter(|(_, known)| *known == Some(true));
                all.then(|| holds.map(|(row, _)| (*row).clone()).collect())
            }
            _ => None,
        }
    }
}
