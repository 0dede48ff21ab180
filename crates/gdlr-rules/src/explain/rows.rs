//! Rows that are given: facts of the rulesheet, of a state, of a joint move. Indexed by each of
//! their first arguments, and by those of functions in them.

use super::terms::{Pattern, Piece, TermId, Terms};
use crate::gdl::Symbol;
use hashbrown::HashMap;

/// How many arguments are indexed.
const INDEXED: usize = 8;

/// A place in a row: an argument, and an argument of the function there, or [`WHOLE`].
type ArgumentPlace = (u8, u8);

/// The whole argument.
const WHOLE: u8 = u8::MAX;

/// The value at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Value {
    Term(TermId),
    /// A function of so many arguments.
    Function(Symbol, u16),
}

/// The rows of a relation, each once.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    rows: Vec<Box<[TermId]>>,
    numbers: HashMap<Box<[TermId]>, u32>,
    index: HashMap<(ArgumentPlace, Value), Vec<u32>>,
}

impl Rows {
    /// Adds a row, unless it is there.
    pub(super) fn insert(&mut self, row: Box<[TermId]>, terms: &Terms) {
        let number = self.rows.len() as u32;
        if self.numbers.contains_key(&row) {
            return;
        }
        for (at, &value) in row.iter().enumerate().take(INDEXED) {
            let mut enter = |sub: u8, value| {
                self.index.entry(((at as u8, sub), value)).or_default().push(number);
            };
            enter(WHOLE, Value::Term(value));
            if let Some((name, args)) = terms.function(value) {
                enter(WHOLE, Value::Function(name, args.len() as u16));
                for (sub, &arg) in args.iter().enumerate().take(INDEXED) {
                    enter(sub as u8, Value::Term(arg));
                }
            }
        }
        self.numbers.insert(row.clone(), number);
        self.rows.push(row);
    }

    /// All rows, by number.
    pub(super) fn rows(&self) -> &[Box<[TermId]>] {
        &self.rows
    }

    /// The number of a row.
    pub(super) fn number(&self, row: &[TermId]) -> Option<u32> {
        self.numbers.get(row).copied()
    }

    /// The numbers of the rows that match a pattern.
    pub(super) fn matching(&self, pattern: &Pattern, terms: &Terms) -> Vec<u32> {
        if let Some(row) = pattern.row() {
            return self.number(&row).into_iter().collect();
        }
        let fits = |&number: &u32| terms.accepts(pattern, &self.rows[number as usize]);
        match self.candidates(pattern) {
            Some(numbers) => numbers.iter().copied().filter(fits).collect(),
            None => (0..self.rows.len() as u32).filter(fits).collect(),
        }
    }

    /// About how many rows match a pattern: at least as many as do.
    pub(super) fn estimate(&self, pattern: &Pattern) -> usize {
        self.candidates(pattern).map_or(self.rows.len(), <[u32]>::len)
    }

    /// The shortest list of the index that has all rows that match a pattern; `None` for all.
    fn candidates(&self, pattern: &Pattern) -> Option<&[u32]> {
        let mut best: Option<&[u32]> = None;
        let mut narrow = |place: ArgumentPlace, value: Value| {
            let list = self.index.get(&(place, value)).map_or(&[][..], |list| list);
            if best.is_none_or(|best| list.len() < best.len()) {
                best = Some(list);
            }
        };
        let mut pieces = pattern.0.iter();
        let mut at = 0;
        while at < INDEXED
            && let Some(&piece) = pieces.next()
        {
            match piece {
                Piece::Ground(value) => narrow((at as u8, WHOLE), Value::Term(value)),
                Piece::Free(_) => {}
                Piece::Open(name, arity) => {
                    narrow((at as u8, WHOLE), Value::Function(name, arity));
                    let mut open = usize::from(arity);
                    // The arguments of this function, and not those of functions in it.
                    let (mut sub, mut nested) = (0, Vec::new());
                    while open > 0
                        && let Some(&piece) = pieces.next()
                    {
                        open -= 1;
                        let is_direct = nested.is_empty();
                        if let (true, true, Piece::Ground(value)) =
                            (is_direct, sub < INDEXED, piece)
                        {
                            narrow((at as u8, sub as u8), Value::Term(value));
                        }
                        sub += usize::from(is_direct);
                        if let Some(left) = nested.last_mut() {
                            *left -= 1;
                        }
                        if let Piece::Open(_, arity) = piece {
                            open += usize::from(arity);
                            nested.push(usize::from(arity));
                        }
                        while nested.last() == Some(&0) {
                            nested.pop();
                        }
                    }
                }
            }
            at += 1;
        }
        best
    }

    /// The row that is most like a pattern without matching it: one with the same functions and
    /// the most equal arguments, the first ones counting most; `None` where several have nothing
    /// else in common.
    pub(super) fn nearest(&self, pattern: &Pattern, terms: &Terms) -> Option<&[TermId]> {
        let score = |row: &[TermId]| {
            let mut equal = Vec::new();
            let is_alike = compare(&pattern.0, row, terms, &mut equal);
            is_alike.then(|| (equal.iter().filter(|&&same| same).count(), equal))
        };
        // Of equals the last one is taken, which is to be the first.
        let alike = self.rows.iter().rev().filter_map(|row| Some((score(row)?, row)));
        let alike: Vec<_> = alike.collect();
        let is_only = alike.len() == 1;
        let best = alike.into_iter().max_by(|(left, _), (right, _)| left.cmp(right));
        best.filter(|((equal, _), _)| *equal > 0 || is_only).map(|(_, row)| &**row)
    }
}

/// Whether a row has the form of a pattern; notes of each argument, down to those of the outermost
/// functions, whether it is equal.
fn compare(pattern: &[Piece], row: &[TermId], terms: &Terms, equal: &mut Vec<bool>) -> bool {
    let mut pieces = pattern;
    for &value in row {
        let Some((&piece, rest)) = pieces.split_first() else { return false };
        pieces = rest;
        match (piece, terms.function(value)) {
            (Piece::Free(_), _) => {}
            (Piece::Ground(wanted), of) => match (terms.function(wanted), of) {
                (None, None) => equal.push(wanted == value),
                (Some((name, wanted)), Some((other, args)))
                    if (name, wanted.len()) == (other, args.len()) =>
                {
                    equal.extend(wanted.iter().zip(args).map(|(wanted, arg)| wanted == arg));
                }
                _ => return false,
            },
            (Piece::Open(name, arity), Some((other, args)))
                if (name, usize::from(arity)) == (other, args.len()) =>
            {
                for arg in args {
                    let Some((&piece, rest)) = pieces.split_first() else { return false };
                    pieces = rest;
                    match piece {
                        Piece::Ground(wanted) => equal.push(wanted == *arg),
                        Piece::Free(_) => {}
                        // Deeper functions are no reason to prefer a row.
                        Piece::Open(_, arity) => super::terms::skip(&mut pieces, arity),
                    }
                }
            }
            _ => return false,
        }
    }
    true
}
