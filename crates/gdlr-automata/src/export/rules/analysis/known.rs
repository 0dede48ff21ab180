//! Relations whose rows are known: before play, or in a turn.

use super::input::Input;
use super::pairs::{Columns, Pairs};
use super::state::Shapes;
use gdlr_net::ground::Value;
use gdlr_net::net::Signal;
use gdlr_rules::gdl::Symbol;
use gdlr_rules::normal::{RelationId, RelationKind};
use hashbrown::HashMap;
use std::rc::Rc;

/// The rows of a relation.
pub type Rows = Rc<Vec<Vec<Symbol>>>;

/// The known rows of a relation of the rulesheet.
#[derive(Debug, Default)]
struct KnownRows {
    /// The rows in all states, known before play.
    always: Option<Rows>,
    /// By turn: the rows in its states, if they are known.
    in_turns: Vec<Option<Rows>>,
}

/// The relations whose rows are known.
#[derive(Debug, Default)]
pub struct KnownRelations {
    /// By relation of the rulesheet: its rows.
    of_rulesheet: Vec<KnownRows>,
    /// The rows of base relations that do not change.
    unchanging: HashMap<RelationId, Rows>,
    /// By relation that a pass has made, and that the rulesheet lacks: its name and rows.
    computed: HashMap<RelationId, (String, Rows)>,
    /// The relations of `computed` by their rows.
    by_rows: HashMap<Vec<Vec<Symbol>>, RelationId>,
}

impl KnownRelations {
    /// Finds the known rows of the relations of the rulesheet. `unchanging` are the rows of base
    /// relations that never change.
    pub fn tell(
        &mut self,
        input: &Input<'_>,
        (columns, pairs): (&Columns, &Pairs),
        shapes: &Shapes,
        unchanging: HashMap<RelationId, Rows>,
    ) {
        for (number, of) in input.normal.relations.iter().enumerate() {
            let relation = RelationId(number as u32);
            self.of_rulesheet.push(match of.kind {
                RelationKind::View(_) => KnownRows {
                    always: rows_of_view(input, (columns, pairs), relation).map(Rc::new),
                    in_turns: Vec::new(),
                },
                RelationKind::Base(_) => match (unchanging.get(&relation), shapes.get(&relation)) {
                    (Some(rows), _) => {
                        KnownRows { always: Some(rows.clone()), in_turns: Vec::new() }
                    }
                    (None, None) => KnownRows { always: Some(Rc::default()), in_turns: Vec::new() },
                    (None, Some(shape)) => {
                        let in_turn = |turn| rows_in_turn(input, shape, turn).map(Rc::new);
                        let turns = 0..input.unrolled.copies.len();
                        KnownRows { always: None, in_turns: turns.map(in_turn).collect() }
                    }
                },
                _ => KnownRows::default(),
            });
        }
        self.unchanging = unchanging;
    }

    /// The rows of a relation, if they are known, before play or in the given turn.
    pub fn rows(&self, relation: RelationId, turn: Option<usize>) -> Option<Rows> {
        if let Some((_, rows)) = self.computed.get(&relation) {
            return Some(rows.clone());
        }
        let rows = self.of_rulesheet.get(relation.index())?;
        let in_turn = turn.and_then(|turn| rows.in_turns.get(turn).cloned().flatten());
        rows.always.clone().or(in_turn)
    }

    /// The rows of a base relation that never changes, or of a relation that a pass has made.
    pub fn unchanging(&self, relation: RelationId) -> Option<&Rows> {
        self.computed_rows(relation).or_else(|| self.unchanging.get(&relation))
    }

    /// Adds a relation that a pass has made. Its rows are sorted.
    pub fn make(&mut self, relation: RelationId, name: &str, rows: Vec<Vec<Symbol>>) {
        self.by_rows.insert(rows.clone(), relation);
        self.computed.insert(relation, (name.to_owned(), Rc::new(rows)));
    }

    /// Whether passes have made any relation.
    pub fn has_computed(&self) -> bool {
        !self.computed.is_empty()
    }

    /// The name of a relation that a pass has made.
    pub fn computed_name(&self, relation: RelationId) -> Option<&str> {
        self.computed.get(&relation).map(|(name, _)| &name[..])
    }

    /// The rows of a relation that a pass has made.
    pub fn computed_rows(&self, relation: RelationId) -> Option<&Rows> {
        self.computed.get(&relation).map(|(_, rows)| rows)
    }

    /// The relation that a pass has made and that has these rows, which are sorted.
    pub fn computed_of(&self, rows: &Vec<Vec<Symbol>>) -> Option<RelationId> {
        self.by_rows.get(rows).copied()
    }
}

/// The rows of a derived relation, if none of them depends on the state.
fn rows_of_view(
    input: &Input<'_>,
    (columns, pairs): (&Columns, &Pairs),
    relation: RelationId,
) -> Option<Vec<Vec<Symbol>>> {
    let mut rows = Vec::new();
    for fact in input.ground.facts_of(relation) {
        match input.ground.value(fact) {
            Value::Constant(true) => {
                rows.extend(columns.row(pairs, relation, input.ground.row(fact)));
            }
            Value::Constant(false) => {}
            Value::Varies => return None,
        }
    }
    Some(rows)
}

/// The rows of a base relation, if the turn determines them.
fn rows_in_turn(
    input: &Input<'_>,
    shape: &super::state::Shape,
    turn: usize,
) -> Option<Vec<Vec<Symbol>>> {
    let value_of = |signal: Signal| match input.latch_of(signal) {
        None => Some(true),
        Some((latch, value)) => {
            let mut fixed = input.unrolled.phases.known(turn);
            fixed.find(|(other, _)| *other == latch).map(|(_, now)| now == value)
        }
    };
    let facts = shape.facts.iter();
    let facts: Vec<_> = facts.map(|(row, signal)| (row, value_of(*signal))).collect();
    let only = facts.iter().find(|(_, value)| *value == Some(true));
    if let (Some((row, _)), Some(_), true) = (only, shape.value, shape.keys.is_empty()) {
        return Some(vec![(*row).clone()]);
    }
    let all = facts.iter().all(|(_, value)| value.is_some());
    let holds = facts.iter().filter(|(_, value)| *value == Some(true));
    all.then(|| holds.map(|(row, _)| (*row).clone()).collect())
}
