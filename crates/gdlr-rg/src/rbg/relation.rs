//! Relations of squares: for each square, the targets of a rule without tests of the state.
//!
//! Some rules only go along edges of the board, or have patterns of such rules. They depend only on
//! the square. So the targets of `(left* + right*)(up* + down*)` are known before play.

use super::ast::{Action, Board, LabelId, Rule};
use hashbrown::HashMap;
use std::rc::Rc;

/// The largest board whose relations are composed: a relation of `n` squares takes `n * n` bits.
/// Larger boards have relations of single edges only.
const MOST_COMPOSED: usize = 2048;

/// A set of squares, or a set of pairs of squares, row by row.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Bits {
    words: Vec<u64>,
}

impl Bits {
    pub fn new(length: usize) -> Bits {
        Bits { words: vec![0; length.div_ceil(64)] }
    }

    pub fn insert(&mut self, at: usize) {
        self.words[at / 64] |= 1 << (at % 64);
    }

    pub fn contains(&self, at: usize) -> bool {
        self.words[at / 64] >> (at % 64) & 1 == 1
    }

    /// Adds the members of another set. Returns whether there were new ones.
    pub fn unite(&mut self, other: &Bits) -> bool {
        let mut changed = false;
        for (own, other) in self.words.iter_mut().zip(&other.words) {
            changed |= other & !*own != 0;
            *own |= other;
        }
        changed
    }

    pub fn is_subset(&self, other: &Bits) -> bool {
        self.words.iter().zip(&other.words).all(|(own, other)| own & !other == 0)
    }

    pub fn is_disjoint(&self, other: &Bits) -> bool {
        self.words.iter().zip(&other.words).all(|(own, other)| own & other == 0)
    }

    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(number, word)| {
            let mut rest = *word;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
                rest &= rest - 1;
                Some(number * 64 + bit)
            })
        })
    }
}

/// A relation: the targets of each square.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Relation {
    rows: Vec<Bits>,
}

/// The kind of a relation.
pub(super) enum Kind {
    /// Each square to itself.
    Identity,
    /// Some squares, each to itself.
    Test(Bits),
    /// Some squares, each to one square.
    Function,
    /// Some squares, each to all squares of the second set.
    Constant(Bits, Bits),
    /// Any other relation.
    Other,
}

impl Relation {
    fn empty(squares: usize) -> Relation {
        Relation { rows: vec![Bits::new(squares); squares] }
    }

    fn identity(squares: usize) -> Relation {
        let mut relation = Relation::empty(squares);
        (0..squares).for_each(|at| relation.rows[at].insert(at));
        relation
    }

    pub fn of_label(board: &Board, label: LabelId) -> Relation {
        let mut relation = Relation::empty(board.squares.len());
        for (row, square) in relation.rows.iter_mut().zip(&board.squares) {
            let edges = square.edges.iter().filter(|(other, _)| *other == label);
            edges.for_each(|(_, to)| row.insert(to.index()));
        }
        relation
    }

    fn then(&self, other: &Relation) -> Relation {
        let squares = self.rows.len();
        let row = |row: &Bits| {
            let mut all = Bits::new(squares);
            for at in row.iter() {
                all.unite(&other.rows[at]);
            }
            all
        };
        Relation { rows: self.rows.iter().map(row).collect() }
    }

    fn or(mut self, other: &Relation) -> Relation {
        for (own, other) in self.rows.iter_mut().zip(&other.rows) {
            own.unite(other);
        }
        self
    }

    fn star(&self) -> Relation {
        let squares = self.rows.len();
        let row = |start: usize| {
            let mut seen = Bits::new(squares);
            seen.insert(start);
            let mut open = vec![start];
            while let Some(at) = open.pop() {
                for to in self.rows[at].iter() {
                    if !seen.contains(to) {
                        seen.insert(to);
                        open.push(to);
                    }
                }
            }
            seen
        };
        Relation { rows: (0..squares).map(row).collect() }
    }

    /// The targets of some squares.
    pub fn image(&self, squares: &Bits) -> Bits {
        let mut image = Bits::new(self.rows.len());
        for at in squares.iter() {
            image.unite(&self.rows[at]);
        }
        image
    }

    /// The targets of a square.
    pub fn targets(&self, square: usize) -> &Bits {
        &self.rows[square]
    }

    /// The squares with targets.
    pub fn domain(&self) -> Bits {
        let mut domain = Bits::new(self.rows.len());
        let some = self.rows.iter().enumerate().filter(|(_, row)| !row.is_empty());
        some.for_each(|(at, _)| domain.insert(at));
        domain
    }

    /// The relation of the squares with targets, or of all other squares, each to itself.
    fn test(&self, negated: bool) -> Relation {
        let squares = self.rows.len();
        let domain = self.domain();
        let mut relation = Relation::empty(squares);
        for at in (0..squares).filter(|at| domain.contains(*at) != negated) {
            relation.rows[at].insert(at);
        }
        relation
    }

    /// Whether a square is a target of itself.
    pub fn keeps_a_square(&self) -> bool {
        self.rows.iter().enumerate().any(|(at, row)| row.contains(at))
    }

    pub fn kind(&self) -> Kind {
        let domain = self.domain();
        let loops = self.rows.iter().enumerate().all(|(at, row)| {
            let count = row.len();
            count == 0 || count == 1 && row.contains(at)
        });
        if loops {
            let all = domain.len() == self.rows.len();
            return if all { Kind::Identity } else { Kind::Test(domain) };
        }
        let first = domain.iter().next().map(|at| self.rows[at].clone());
        if let Some(first) = first
            && domain.iter().all(|at| self.rows[at] == first)
        {
            return Kind::Constant(domain, first);
        }
        if self.rows.iter().all(|row| row.len() <= 1) {
            return Kind::Function;
        }
        Kind::Other
    }

    /// Splits the relation into functions: each target of a square is the value of one of them.
    pub fn functions(&self) -> Vec<Vec<Option<usize>>> {
        let most = self.rows.iter().map(Bits::len).max().unwrap_or(0);
        let mut functions = vec![vec![None; self.rows.len()]; most];
        for (at, row) in self.rows.iter().enumerate() {
            for (number, to) in row.iter().enumerate() {
                functions[number][at] = Some(to);
            }
        }
        functions
    }
}

/// Whether a rule depends only on the square.
fn is_known(rule: &Rule, composed: bool) -> bool {
    match rule {
        Rule::Action(Action::Shift(_), _) => true,
        Rule::Concat(parts) if parts.len() == 1 => is_known(&parts[0], composed),
        _ if !composed => false,
        Rule::Action(Action::Cut, _) => true,
        Rule::Action(Action::Pattern { rule, .. }, _) => is_known(rule, composed),
        Rule::Action(..) => false,
        Rule::Sum(parts) | Rule::Concat(parts) => parts.iter().all(|part| is_known(part, composed)),
        Rule::Star(inner) | Rule::Power(inner, _) => is_known(inner, composed),
    }
}

/// The relations of rules, memoised.
pub(super) struct Relations<'a> {
    board: &'a Board,
    memo: HashMap<&'a Rule, Rc<Relation>>,
}

impl<'a> Relations<'a> {
    pub fn new(board: &'a Board) -> Relations<'a> {
        Relations { board, memo: HashMap::new() }
    }

    /// Whether relations are composed.
    pub fn composes(&self) -> bool {
        self.board.squares.len() <= MOST_COMPOSED
    }

    /// The relation of a rule; `None` if it depends on more than the square.
    pub fn of(&mut self, rule: &'a Rule) -> Option<Rc<Relation>> {
        is_known(rule, self.composes()).then(|| self.make(rule))
    }

    fn make(&mut self, rule: &'a Rule) -> Rc<Relation> {
        if let Some(relation) = self.memo.get(rule) {
            return relation.clone();
        }
        let squares = self.board.squares.len();
        let relation = Rc::new(match rule {
            Rule::Action(Action::Shift(label), _) => Relation::of_label(self.board, *label),
            Rule::Action(Action::Pattern { negated, rule }, _) => self.make(rule).test(*negated),
            // A cut has no effect. Other actions do not occur here.
            Rule::Action(..) => Relation::identity(squares),
            Rule::Sum(parts) => {
                (parts.iter()).fold(Relation::empty(squares), |sum, part| sum.or(&self.make(part)))
            }
            Rule::Concat(parts) => {
                let mut parts = parts.iter();
                let first = parts.next().map(|part| (*self.make(part)).clone());
                let first = first.unwrap_or_else(|| Relation::identity(squares));
                parts.fold(first, |product, part| product.then(&self.make(part)))
            }
            Rule::Star(inner) => self.make(inner).star(),
            Rule::Power(inner, times) => power(&self.make(inner), *times),
        });
        self.memo.insert(rule, relation.clone());
        relation
    }
}

/// The power of a relation, by squaring.
fn power(relation: &Relation, mut times: u32) -> Relation {
    let mut result = Relation::identity(relation.rows.len());
    let mut square = relation.clone();
    while times > 0 {
        if times % 2 == 1 {
            result = result.then(&square);
        }
        times /= 2;
        if times > 0 {
            square = square.then(&square);
        }
    }
    result
}

/// The composition of two relations.
pub(super) fn after(first: &Relation, second: &Relation) -> Relation {
    first.then(second)
}

/// The union of two relations.
pub(super) fn either(first: &Relation, second: &Relation) -> Relation {
    first.clone().or(second)
}

/// The number of a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct RelationId(pub u32);
