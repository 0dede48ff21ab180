//! Neighbouring columns that form one thing, such as the two coordinates of a square.
//!
//! A person numbers the squares of a board, and does not go through columns and rows in two loops.
//! Two neighbouring columns are fused if they are keys of a fact of the state. Columns of other
//! relations are fused if rules pass both values on to them. The symbols of a fused column are
//! pairs.
//!
//! ```text
//! (cell 1 1 x), (mark 1 1)         var cell: XY -> Cell          xy = XY(*)
//! ```

use gdlr_net::ground::{Ground, Value};
use gdlr_net::net::{Net, Operation, Signal};
use gdlr_rules::gdl::{Symbol, Term};
use gdlr_rules::normal::{
    EMPTY, FlatAtom, FlatRule, FlatTerm, Fluent, Normal, RelationId, RelationKind,
};
use hashbrown::{HashMap, HashSet};
use std::collections::{BTreeMap, BTreeSet};

/// The most pairs of symbols of a fused column.
const MOST_PAIRS: usize = 1024;

/// A relation, and the first of two neighbouring columns. A base relation stands for its facts now,
/// next and at the beginning. The relation of moves stands for `does` and `legal`.
pub type ColumnPair = (RelationId, usize);

/// The columns that are fused.
#[derive(Debug, Default)]
pub struct Columns {
    /// By relation: the first columns of pairs, in order.
    starts: HashMap<RelationId, Vec<usize>>,
}

/// The symbols of pairs, and other symbols that the rulesheet lacks.
#[derive(Debug, Default)]
pub struct Pairs {
    symbols: HashMap<(Symbol, Symbol), Symbol>,
    added: Vec<NewSymbol>,
    /// The number of the first symbol that the rulesheet lacks.
    first: usize,
}

/// A symbol that the rulesheet lacks.
#[derive(Debug)]
enum NewSymbol {
    Pair(Symbol, Symbol),
    Named(String),
}

impl Columns {
    /// Fuses columns, in all relations for which a place stands.
    pub fn hold(&mut self, places: &BTreeSet<ColumnPair>, normal: &Normal) {
        for number in 0..normal.relations.len() {
            let relation = RelationId(number as u32);
            let own = class(relation, normal);
            let starts: Vec<usize> =
                places.iter().filter(|(other, _)| *other == own).map(|(_, at)| *at).collect();
            if !starts.is_empty() {
                self.starts.insert(relation, starts);
            }
        }
    }

    /// Fuses no columns.
    pub fn release(&mut self) {
        self.starts.clear();
    }

    /// The first columns of the pairs of a relation, as columns of the rulesheet.
    pub fn starts(&self, relation: RelationId) -> &[usize] {
        self.starts.get(&relation).map_or(&[], |starts| &starts[..])
    }

    /// By column of a relation: its first column in the rulesheet, and whether it is a pair.
    pub fn of(&self, relation: RelationId, width: usize) -> Vec<(usize, bool)> {
        let starts = self.starts(relation);
        let is_second = |column: usize| column > 0 && starts.contains(&(column - 1));
        (0..width).filter(|&c| !is_second(c)).map(|c| (c, starts.contains(&c))).collect()
    }

    /// A row of a relation with its fused columns. `None` if one of its pairs is in no fact of the
    /// game.
    pub fn row(&self, pairs: &Pairs, relation: RelationId, row: &[Symbol]) -> Option<Vec<Symbol>> {
        self.row_from(pairs, relation, 0, row)
    }

    /// The row as `row` gives it, for a row whose first column is `from`.
    pub fn row_from(
        &self,
        pairs: &Pairs,
        relation: RelationId,
        from: usize,
        row: &[Symbol],
    ) -> Option<Vec<Symbol>> {
        let starts = self.starts(relation);
        let mut own = Vec::with_capacity(row.len());
        let mut column = 0;
        while column < row.len() {
            if starts.contains(&(column + from)) {
                own.push(match (row[column], row[column + 1]) {
                    (EMPTY, EMPTY) => EMPTY,
                    pair => *pairs.symbols.get(&pair)?,
                });
                column += 2;
            } else {
                own.push(row[column]);
                column += 1;
            }
        }
        Some(own)
    }
}

impl Pairs {
    pub fn new(normal: &Normal) -> Pairs {
        Pairs { first: normal.first_free(), ..Pairs::default() }
    }

    /// The symbol of a pair. `None` if there are no more numbers.
    pub fn symbol(&mut self, first: Symbol, second: Symbol) -> Option<Symbol> {
        if first == EMPTY && second == EMPTY {
            return Some(EMPTY);
        }
        if let Some(&known) = self.symbols.get(&(first, second)) {
            return Some(known);
        }
        let symbol = self.add(NewSymbol::Pair(first, second))?;
        self.symbols.insert((first, second), symbol);
        Some(symbol)
    }

    /// A new symbol with a name. `None` if there are no more numbers.
    pub fn named(&mut self, name: &str) -> Option<Symbol> {
        self.add(NewSymbol::Named(name.to_owned()))
    }

    fn add(&mut self, new: NewSymbol) -> Option<Symbol> {
        let number = u16::try_from(self.first + self.added.len()).ok()?;
        let symbol = Symbol::from_index(number);
        if symbol == EMPTY {
            return None;
        }
        self.added.push(new);
        Some(symbol)
    }

    pub fn parts(&self, symbol: Symbol) -> Option<(Symbol, Symbol)> {
        match self.new_symbol(symbol)? {
            NewSymbol::Pair(first, second) => Some((*first, *second)),
            NewSymbol::Named(_) => None,
        }
    }

    /// The name of a symbol that was made with a name.
    pub fn name(&self, symbol: Symbol) -> Option<&str> {
        match self.new_symbol(symbol)? {
            NewSymbol::Pair(..) => None,
            NewSymbol::Named(name) => Some(name),
        }
    }

    fn new_symbol(&self, symbol: Symbol) -> Option<&NewSymbol> {
        let place = usize::from(symbol.index()).checked_sub(self.first)?;
        self.added.get(place)
    }
}

/// The relation that stands for a relation: the base relation of a fluent, or `does` for moves.
pub fn class(relation: RelationId, normal: &Normal) -> RelationId {
    let of = |fluent: Fluent| {
        let own = normal.fluents.iter().find(|other| other.fluent == fluent);
        own.map_or(relation, |fluent| fluent.base)
    };
    match normal.relation(relation).kind {
        RelationKind::Base(fluent) | RelationKind::Next(fluent) | RelationKind::Init(fluent) => {
            of(fluent)
        }
        RelationKind::Does => normal.does,
        RelationKind::View(_) if relation == normal.legal => normal.does,
        RelationKind::View(_) => relation,
    }
}

/// The rows of relations that play changes, by class.
pub fn changing_rows(
    normal: &Normal,
    ground: &Ground,
    net: &Net,
) -> BTreeMap<RelationId, Vec<Vec<Symbol>>> {
    let mut rows: BTreeMap<RelationId, Vec<Vec<Symbol>>> = BTreeMap::new();
    let mut changes: HashSet<RelationId> = HashSet::new();
    for bit in net.fluents.iter().filter(|bit| bit.signal != Signal::FALSE) {
        let Some((place, row)) = normal.encode_fact(&bit.fact) else { continue };
        let base = normal.fluents[place].base;
        rows.entry(base).or_default().push(row);
        if matches!(net.operation(bit.signal.gate()), Operation::Latch(_)) {
            changes.insert(base);
        }
    }
    rows.retain(|base, _| changes.contains(base));
    for number in 0..normal.relations.len() {
        let relation = RelationId(number as u32);
        let is_view = matches!(normal.relation(relation).kind, RelationKind::View(_));
        if !is_view || relation == normal.goal || relation == normal.terminal {
            continue;
        }
        let mut varies = false;
        let mut own = Vec::new();
        for fact in ground.facts_of(relation) {
            match ground.value(fact) {
                Value::Constant(false) => continue,
                Value::Constant(true) => {}
                Value::Varies => varies = true,
            }
            own.push(ground.row(fact).to_vec());
        }
        if varies || relation == normal.legal {
            rows.entry(class(relation, normal)).or_default().extend(own);
        }
    }
    rows
}

/// The places whose columns can be fused: keys of facts that are pairs, and the places to which
/// rules pass both columns on. `is_key` is false for two columns of facts that are only the value
/// of an entry.
pub fn places(
    normal: &Normal,
    rows: &BTreeMap<RelationId, Vec<Vec<Symbol>>>,
    is_key: impl Fn(RelationId, usize) -> bool,
) -> BTreeSet<ColumnPair> {
    let roles: HashSet<Symbol> = (normal.game().roles.iter())
        .filter_map(|role| match role {
            Term::Constant(symbol) => Some(*symbol),
            _ => None,
        })
        .collect();
    // The column of a role is never fused, and neither is the name of a move or a percept.
    let first_of_terms = |relation: RelationId| {
        let args = &normal.relation(relation).args;
        args[0].width() + usize::from(args[1].is_tagged())
    };
    let symbols = |(class, column): ColumnPair| -> HashSet<Symbol> {
        rows[&class].iter().map(|row| row[column]).collect()
    };
    let suits = |&(class, column): &ColumnPair| {
        let Some(own) = rows.get(&class) else { return false };
        let is_of_role = class == normal.does || Some(class) == normal.sees;
        if is_of_role && column < first_of_terms(class) {
            return false;
        }
        let pairs: HashSet<(Symbol, Symbol)> =
            own.iter().map(|row| (row[column], row[column + 1])).collect();
        let half = pairs.iter().any(|&(a, b)| (a == EMPTY) != (b == EMPTY));
        let wide = [column, column + 1].into_iter().all(|c| {
            let own = symbols((class, c));
            own.len() > 1 && !own.iter().all(|symbol| roles.contains(symbol))
        });
        !half && wide && pairs.len() <= MOST_PAIRS
    };
    let links = links(normal);
    let is_base = |class: RelationId| normal.fluents.iter().any(|fluent| fluent.base == class);
    let mut seeds: Vec<(usize, usize, ColumnPair)> = Vec::new();
    for (&class, own) in rows {
        let is_base = is_base(class);
        let width = own.first().map_or(0, Vec::len);
        for column in 0..width.saturating_sub(1) {
            let place = (class, column);
            if is_base && is_key(class, column) && suits(&place) {
                let support = links.get(&place).map_or(0, |of| of.values().sum());
                let common = symbols(place).intersection(&symbols((class, column + 1))).count();
                seeds.push((support, common, place));
            }
        }
    }
    seeds.sort_unstable_by(|a, b| (b.0, b.1, a.2).cmp(&(a.0, a.1, b.2)));
    let mut held: BTreeSet<ColumnPair> = BTreeSet::new();
    let is_free = |held: &BTreeSet<ColumnPair>, &(class, column): &ColumnPair| {
        !held.contains(&(class, column))
            && !held.contains(&(class, column + 1))
            && column.checked_sub(1).is_none_or(|before| !held.contains(&(class, before)))
    };
    let mut open: Vec<ColumnPair> = Vec::new();
    for (.., place) in seeds {
        if is_free(&held, &place) {
            held.insert(place);
            open.push(place);
        }
    }
    while let Some(place) = open.pop() {
        let Some(linked) = links.get(&place) else { continue };
        for &other in linked.keys() {
            let (class, column) = other;
            let may_be = !rows.contains_key(&class) || !is_base(class) || is_key(class, column);
            if may_be && suits(&other) && is_free(&held, &other) {
                held.insert(other);
                open.push(other);
            }
        }
    }
    held
}

/// By place: the other places with which rules share both variables, and the number of times.
fn links(normal: &Normal) -> BTreeMap<ColumnPair, BTreeMap<ColumnPair, usize>> {
    let mut links: BTreeMap<ColumnPair, BTreeMap<ColumnPair, usize>> = BTreeMap::new();
    for rule in &normal.rules {
        let mut of: BTreeMap<(FlatTerm, FlatTerm), Vec<ColumnPair>> = BTreeMap::new();
        for atom in atoms_of(rule) {
            let own = class(atom.relation, normal);
            for (column, pair) in atom.args.windows(2).enumerate() {
                if let [FlatTerm::Variable(a), FlatTerm::Variable(b)] = pair
                    && a != b
                {
                    of.entry((pair[0], pair[1])).or_default().push((own, column));
                }
            }
        }
        for places in of.values() {
            for &one in places {
                for &other in places.iter().filter(|other| **other != one) {
                    *links.entry(one).or_default().entry(other).or_default() += 1;
                }
            }
        }
    }
    links
}

fn atoms_of(rule: &FlatRule) -> Vec<&FlatAtom> {
    let mut all = vec![&rule.head];
    for literal in &rule.body {
        super::unfold::atoms(literal, &mut |atom| all.push(atom));
    }
    all
}
