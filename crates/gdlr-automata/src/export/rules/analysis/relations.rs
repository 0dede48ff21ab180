//! Relations: their rules, the relations on which they depend, and their names.
//!
//! The relations of the rulesheet come first. Behind them come static relations that passes have
//! made ([`known`](super::known)), relations that test lines ([`lines`](super::lines)), and
//! relations that tell which facts a move has made true (`plan::anew`).

use super::hints::{Hints, both_names};
use super::input::Input;
use super::known::{KnownRelations, Rows};
use super::lines::Lines;
use super::pairs::{Columns, Pairs};
use super::quotes::Quotes;
use super::state::Shapes;
use super::unfold::atoms;
use crate::export::naming::plain;
use gdlr_net::ground::Value;
use gdlr_rules::gdl::Symbol;
use gdlr_rules::normal::{FlatLiteral, FlatRule, RelationId, RelationKind};
use gdlr_text::budget::Exhausted;
use hashbrown::HashSet;

/// The rules of a relation, and the relations on which it depends.
#[derive(Clone, Debug, Default)]
pub struct RelationInfo {
    /// The rules of the relation, if it is derived.
    pub rules: Vec<usize>,
    /// The group of mutually recursive relations to which it belongs.
    pub group: Option<usize>,
    /// Whether it depends on moves.
    pub asks_moves: bool,
    /// The base relations that it depends on.
    pub reads: HashSet<RelationId>,
}

impl RelationInfo {
    /// Whether it has rules, and its rows are not known before play.
    pub fn is_derived(&self) -> bool {
        !self.rules.is_empty()
    }
}

/// The relations of a game, and the relations that are asked in place of others.
pub struct Relations<'a> {
    pub input: Input<'a>,
    pub rules: Vec<FlatRule>,
    /// By relation: its rules and dependencies.
    pub infos: Vec<RelationInfo>,
    /// By relation behind those of the rulesheet: the relation for which it stands.
    pub origins: Vec<RelationId>,
    /// The columns that are fused.
    pub columns: Columns,
    pub known: KnownRelations,
    pub hints: Hints,
    pub lines: Lines,
    pub quotes: Quotes,
}

impl<'a> Relations<'a> {
    /// The relations of a rulesheet, with its rules unchanged.
    pub fn new(input: Input<'a>) -> Relations<'a> {
        Relations {
            input,
            rules: input.normal.rules.clone(),
            infos: Vec::new(),
            origins: Vec::new(),
            columns: Columns::default(),
            known: KnownRelations::default(),
            hints: Hints::of(input.game, input.normal),
            lines: Lines::default(),
            quotes: Quotes::of(input.game),
        }
    }

    /// Finds the relations on which each relation depends.
    pub fn relate(&mut self, shapes: &Shapes) -> Result<(), Exhausted> {
        let normal = self.input.normal;
        let count = normal.relations.len() + self.origins.len();
        let mut direct: Vec<HashSet<usize>> = vec![HashSet::new(); count];
        self.infos = vec![RelationInfo::default(); count];
        for (number, rule) in self.rules.iter().enumerate() {
            let head = rule.head.relation.index();
            let of = &mut direct[head];
            for literal in &rule.body {
                atoms(literal, &mut |atom| {
                    of.insert(atom.relation.index());
                });
            }
            if matches!(normal.relations[head].kind, RelationKind::View(_)) {
                self.infos[head].rules.push(number);
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
            let info = &mut self.infos[start];
            info.asks_moves = seen.contains(&normal.does.index());
            info.reads = seen
                .iter()
                .map(|&relation| RelationId(relation as u32))
                .filter(|relation| shapes.contains_key(relation))
                .collect();
            direct[start] = seen;
        }
        for relation in 0..count {
            let own = &direct[relation];
            if own.contains(&relation) {
                let group = own.iter().copied().filter(|&o| direct[o].contains(&relation)).min();
                self.infos[relation].group = group;
            }
        }
        // A static relation is looked up, and needs no rules.
        for number in 0..count {
            if self.rows(RelationId(number as u32)).is_some() {
                self.infos[number].rules.clear();
            }
        }
        Ok(())
    }

    /// The rules and dependencies of a relation.
    pub fn info(&self, relation: RelationId) -> &RelationInfo {
        &self.infos[relation.index()]
    }

    /// The rules of a relation.
    pub fn rules_of(&self, relation: RelationId) -> Vec<FlatRule> {
        self.info(relation).rules.iter().map(|&rule| self.rules[rule].clone()).collect()
    }

    /// The relation of the rulesheet for which a relation stands.
    pub fn origin(&self, relation: RelationId) -> RelationId {
        match relation.index().checked_sub(self.input.normal.relations.len()) {
            None => relation,
            Some(place) => self.origins[place],
        }
    }

    /// A new relation that stands for another one.
    pub fn standing_for(&mut self, origin: RelationId) -> RelationId {
        self.infos.push(RelationInfo::default());
        self.origins.push(origin);
        RelationId(self.infos.len() as u32 - 1)
    }

    /// A static relation with these rows. The same rows give the same relation.
    pub fn known_relation(
        &mut self,
        name: &str,
        mut rows: Vec<Vec<Symbol>>,
        hints: Vec<String>,
    ) -> RelationId {
        rows.sort_unstable();
        rows.dedup();
        if let Some(known) = self.known.computed_of(&rows) {
            return known;
        }
        let number = self.input.normal.relations.len() + self.origins.len();
        let relation = RelationId(number as u32);
        self.origins.push(relation);
        // Until `relate` has run, relations have no entry.
        if self.infos.len() == number {
            self.infos.push(RelationInfo::default());
        }
        for (column, hint) in hints.into_iter().enumerate() {
            self.hints.name(relation, column, hint);
        }
        self.known.make(relation, name, rows);
        relation
    }

    /// Whether a condition is about a static relation that a pass has made.
    pub fn is_known_atom(&self, literal: &FlatLiteral) -> bool {
        match literal {
            FlatLiteral::Positive(atom) => self.known.computed_name(atom.relation).is_some(),
            _ => false,
        }
    }

    /// The rows of a relation, if they are known before play.
    pub fn rows(&self, relation: RelationId) -> Option<Rows> {
        self.known.rows(relation, None)
    }

    /// The rows of a relation, if they are known, before play or in a turn.
    pub fn rows_in(&self, relation: RelationId, mode: Option<usize>) -> Option<Rows> {
        self.known.rows(relation, mode)
    }

    /// The rows of a relation that may hold in some state.
    pub fn possible(
        &self,
        relation: RelationId,
        pairs: &Pairs,
    ) -> impl Iterator<Item = Vec<Symbol>> {
        let ground = self.input.ground;
        let facts = ground.facts_of(relation);
        facts
            .filter(|&fact| ground.value(fact) != Value::Constant(false))
            .filter_map(move |fact| self.columns.row(pairs, relation, ground.row(fact)))
    }

    /// By column of a relation: its first column in the rulesheet, and whether it is a pair. Empty
    /// for a static relation that a pass has made.
    pub fn columns_of(&self, relation: RelationId) -> Vec<(usize, bool)> {
        match self.input.normal.relations.get(relation.index()) {
            Some(of) => self.columns.of(relation, of.width),
            None => {
                let width = self.lines.width(relation).unwrap_or(0);
                (0..width).map(|column| (column, false)).collect()
            }
        }
    }

    /// The wanted name of a column. A pair has both names.
    pub fn hint(&self, relation: RelationId, column: usize) -> String {
        match self.columns_of(relation).get(column) {
            Some(&(first, true)) => {
                let [one, other] = [first, first + 1].map(|c| self.hints.column(relation, c));
                both_names(&one, &other)
            }
            Some(&(column, false)) => self.hints.column(relation, column),
            None => self.hints.column(relation, column),
        }
    }

    /// The name of a relation as a name of RG.
    pub fn plain_name(&self, relation: RelationId) -> String {
        if let Some(name) = self.known.computed_name(relation) {
            return name.to_owned();
        }
        if let Some(name) = self.lines.name(relation) {
            return name.to_owned();
        }
        let normal = self.input.normal;
        let origin = self.origin(relation);
        let text = match normal.relation(origin).kind {
            RelationKind::View(name) => normal.spelling(name.symbol).to_owned(),
            _ => normal.relation_name(origin),
        };
        match origin == relation {
            true => plain(&text),
            false => format!("{}_anew", plain(&text)),
        }
    }
}
