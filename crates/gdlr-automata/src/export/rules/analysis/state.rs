//! The variables that hold the facts of base relations.
//!
//! If at most one of the facts that differ only in one column is true at a time, this column is the
//! value, and the others are keys. Without such a column, an entry tells whether a fact holds.
//!
//! ```text
//! (cell 1 1 x), (cell 1 1 o), (cell 1 1 b), …      var cell: X -> Y -> Cell
//! (control x), (control o)                          var control: Control
//! (queen 1 1), (queen 1 2), …                       var queen: X -> Y -> Bool
//! ```

use super::exclusive::{Fact, Groups};
use super::input::Input;
use super::quotes::Notes;
use super::relations::Relations;
use super::sets::SetId;
use super::symbols::Symbols;
use crate::export::naming::plain;
use crate::export::rules::Stop;
use gdlr_net::net::{Operation, Signal};
use gdlr_rg::rg::{Name, SimpleType, Type};
use gdlr_rules::gdl::Symbol;
use gdlr_rules::normal::{Fluent, FluentRelations, RelationId};
use hashbrown::HashMap;
use std::rc::Rc;

/// The most keys of a map.
pub const MOST_KEYS: usize = 16;

/// The error of a fact without columns.
pub const NO_FACT: Stop = Stop::Broken("a fact has no columns");

/// The variable that holds a base relation.
#[derive(Clone, Debug)]
pub struct Shape {
    pub name: Name,
    /// By column: its symbols in all states.
    pub columns: Vec<SetId>,
    /// The columns that are keys.
    pub keys: Vec<usize>,
    /// The column that is the value.
    pub value: Option<usize>,
    /// Whether each entry always has a value.
    pub covered: bool,
    /// All facts, as rows, with the signals that tell whether they hold.
    pub facts: Rc<Vec<(Vec<Symbol>, Signal)>>,
    /// The signals of the facts, by row.
    pub signals: Rc<HashMap<Vec<Symbol>, Signal>>,
    pub type_: Type,
}

/// By base relation that changes: its variable.
pub type Shapes = HashMap<RelationId, Shape>;

/// The rows of base relations that do not change.
pub type Unchanging = HashMap<RelationId, super::known::Rows>;

/// By base relation: the facts that can hold, as rows of the rulesheet.
pub fn signals(input: &Input<'_>) -> Result<HashMap<RelationId, Vec<Fact>>, Stop> {
    let mut signals: HashMap<RelationId, Vec<Fact>> = HashMap::new();
    for bit in &input.net.fluents {
        if bit.signal == Signal::FALSE {
            continue;
        }
        let latch = matches!(input.net.operation(bit.signal.gate()), Operation::Latch(_));
        if !latch && bit.signal != Signal::TRUE {
            return Err(Stop::unsuited("a fact is held by more than a latch"));
        }
        let (place, row) = input.normal.encode_fact(&bit.fact).ok_or(NO_FACT)?;
        let base = input.normal.fluents[place].base;
        signals.entry(base).or_default().push((row, bit.signal));
    }
    Ok(signals)
}

/// The shapes of base relations that change, and the rows of those that do not.
pub fn shapes(
    relations: &Relations<'_>,
    symbols: &mut Symbols<'_>,
    notes: &mut Notes,
) -> Result<(Shapes, Unchanging), Stop> {
    let input = &relations.input;
    let (mut shapes, mut unchanging) = (Shapes::new(), Unchanging::new());
    let mut groups = Groups::of(input.net);
    let mut signals = signals(input)?;
    for (&base, facts) in &mut signals {
        for (row, _) in facts {
            *row = relations.columns.row(&symbols.pairs, base, row).ok_or(NO_FACT)?;
        }
    }
    let bases = input.normal.fluents.iter().filter_map(|of| signals.get(&of.base));
    groups.look_for_values(input.net, bases, input.meter)?;
    for &FluentRelations { fluent, base, .. } in &input.normal.fluents {
        let Some(facts) = signals.remove(&base) else { continue };
        if facts.iter().all(|(_, signal)| *signal == Signal::TRUE) {
            let rows = facts.into_iter().map(|(row, _)| row).collect();
            unchanging.insert(base, Rc::new(rows));
            continue;
        }
        input.meter.spend(facts.len())?;
        let shape = shape(fluent, base, facts, &groups, relations, symbols, notes);
        if shape.keys.len() > MOST_KEYS {
            return Err(Stop::unsuited("facts of too many arguments"));
        }
        shapes.insert(base, shape);
    }
    Ok((shapes, unchanging))
}

fn shape(
    fluent: Fluent,
    base: RelationId,
    facts: Vec<Fact>,
    groups: &Groups,
    relations: &Relations<'_>,
    symbols: &mut Symbols<'_>,
    notes: &mut Notes,
) -> Shape {
    let width = facts[0].0.len();
    let columns: Vec<SetId> =
        (0..width).map(|c| symbols.set(facts.iter().map(|(row, _)| row[c]))).collect();
    let wide: Vec<usize> =
        (0..width).filter(|&c| symbols.sets.members(columns[c]).len() > 1).collect();
    let best = groups.value_column(&facts);
    let text = match fluent {
        Fluent::Constants => "holds".to_owned(),
        Fluent::Function(name, _) => plain(relations.input.normal.spelling(name)),
    };
    let name = symbols.naming.define(&text);
    let value = best.map(|(column, ..)| column);
    let covered = best.is_some_and(|(.., covered)| covered);
    let keys: Vec<usize> = wide.into_iter().filter(|&c| Some(c) != value).collect();
    let key_types: Vec<Name> = keys
        .iter()
        .map(|&c| {
            let wanted = relations.hint(base, c);
            symbols.type_of(columns[c], false, &wanted)
        })
        .collect();
    let value_type = match value {
        None => Name::BOOL_TYPE,
        Some(column) => {
            let wanted = relations.hint(base, column);
            symbols.type_of(columns[column], !covered, &wanted)
        }
    };
    let words = |name: Name| symbols.naming.names.text(name).to_owned();
    let mut how: Vec<String> = key_types.iter().map(|&name| words(name)).collect();
    how.push(words(value_type));
    let how = match (keys.is_empty(), value.is_some(), covered) {
        (true, false, _) => "a Boolean".to_owned(),
        (_, false, _) => format!("a map {}", how.join(" -> ")),
        (true, true, true) => format!("a variable of {}: always one of them holds", how[0]),
        (true, true, false) => format!("a variable of {}: one of them holds at most", how[0]),
        (false, true, true) => format!("a map {}: always one value holds", how.join(" -> ")),
        (false, true, false) => {
            format!("a map {}: one value holds at most", how.join(" -> "))
        }
    };
    notes.add(&relations.input.normal.relation_name(base), how);
    let type_ = Type {
        keys: key_types.into_iter().map(|name| SimpleType::Named(name.into())).collect(),
        value: SimpleType::Named(value_type.into()),
    };
    let signals = Rc::new(facts.iter().cloned().collect());
    Shape { name, columns, keys, value, covered, facts: Rc::new(facts), signals, type_ }
}

impl Shape {
    /// The keys of the entry of a fact, and the value of the entry if the fact holds.
    pub fn entry(&self, row: &[Symbol], symbols: &mut Symbols<'_>) -> (Vec<Name>, Name) {
        let keys = self.keys.iter().map(|&c| symbols.name_of(row[c])).collect();
        let value = self.value.map_or(Name::ONE, |c| symbols.name_of(row[c]));
        (keys, value)
    }

    /// The value of an entry without a fact.
    pub fn absent(&self, symbols: &mut Symbols<'_>) -> Name {
        match self.value {
            Some(_) => symbols.none(),
            None => Name::ZERO,
        }
    }
}
