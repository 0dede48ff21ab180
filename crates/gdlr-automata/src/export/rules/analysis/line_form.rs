//! Rules as lines: the conditions on each square, and the places of the squares.

use super::directions::{Direction, Walks, directions};
use super::join::of_literal;
use super::merge::renamed as replaced;
use super::pairs::Pairs;
use super::relations::Relations;
use super::symbols::Symbols;
use super::unfold::{atoms, variable};
use crate::export::rules::Stop;
use gdlr_rules::gdl::{Symbol, Variable, natural_order};
use gdlr_rules::normal::{FlatAtom, FlatLiteral, FlatRule, FlatTerm};
use hashbrown::HashMap;
use std::collections::{BTreeMap, BTreeSet};

/// The fewest squares of a line. For two squares, one map is enough.
const SHORTEST: usize = 3;

/// The variable of the square in the conditions of a form.
pub const SQUARE: Variable = Variable(0);
/// A variable that no rule has.
const NO_VARIABLE: Variable = Variable(u16::MAX);

/// The common form of lines that ask the same of their squares. Variables are renumbered: the
/// square is [`SQUARE`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    pub head: FlatAtom,
    /// The conditions that are not about squares.
    pub context: Vec<FlatLiteral>,
    /// The conditions on each square.
    pub test: Vec<FlatLiteral>,
    pub length: usize,
    /// The number of variables.
    pub variables: u16,
}

/// A rule, split into its other conditions and the condition whose rows are known: the variables of
/// the squares, the rows of squares, and the name of the relation.
struct Split {
    asked: Vec<FlatLiteral>,
    of: Vec<Variable>,
    rows: Walks,
    name: Option<String>,
}

/// A rule as lines, with the name of their relation.
pub struct LinesOfRule {
    pub form: Form,
    pub directions: Vec<Direction>,
    pub name: Option<String>,
}

impl Relations<'_> {
    /// The lines of a rule. `None` if it asks for no line.
    pub fn lines_of(
        &self,
        rule: &FlatRule,
        symbols: &Symbols<'_>,
    ) -> Result<Option<LinesOfRule>, Stop> {
        let info = &self.infos[rule.head.relation.index()];
        let normal = self.input.normal;
        let is_told = [Some(normal.legal), normal.sees].contains(&Some(rule.head.relation));
        if info.group.is_some() || is_told {
            return Ok(None);
        }
        let mut asks_moves = false;
        for literal in &rule.body {
            atoms(literal, &mut |atom| {
                asks_moves |= atom.relation == self.input.normal.does
                    || self.infos[atom.relation.index()].asks_moves;
            });
        }
        if asks_moves {
            return Ok(None);
        }
        let Some(Split { asked, of, rows, name }) = self.split_known(rule, &symbols.pairs) else {
            return Ok(None);
        };
        let Some(form) = form(rule, asked, &of) else { return Ok(None) };
        let squares: BTreeSet<Symbol> = rows.iter().flatten().copied().collect();
        let places = places(&squares, symbols);
        let place = |square: Symbol| places.get(&square).copied();
        let directions = directions(&rows, &place, self.input.meter)?;
        Ok(directions.map(|directions| LinesOfRule { form, directions, name }))
    }

    /// Splits a rule. Squares that other conditions name as constants are added to the rows.
    fn split_known(&self, rule: &FlatRule, pairs: &Pairs) -> Option<Split> {
        let (known, asked): (Vec<&FlatLiteral>, Vec<&FlatLiteral>) =
            rule.body.iter().partition(|literal| self.is_known_atom(literal));
        let (mut of, mut rows, mut name) = (Vec::new(), vec![Vec::new()], None);
        match known[..] {
            [] => {}
            [FlatLiteral::Positive(atom)] => {
                for term in &atom.args {
                    let FlatTerm::Variable(v) = *term else { return None };
                    of.push(v);
                }
                rows.clone_from(self.known.computed_rows(atom.relation)?);
                name = Some(self.plain_name(atom.relation));
            }
            _ => return None,
        }
        // Columns that no other condition uses are dropped.
        let mut used: BTreeSet<Variable> =
            rule.head.args.iter().copied().filter_map(variable).collect();
        for literal in &asked {
            used.extend(of_literal(literal));
        }
        let kept: Vec<usize> = (0..of.len()).filter(|&column| used.contains(&of[column])).collect();
        of = kept.iter().map(|&column| of[column]).collect();
        let mut squares: BTreeMap<Symbol, Variable> = BTreeMap::new();
        let mut next = rule.variables;
        let mut lift = |term: FlatTerm| match term {
            FlatTerm::Constant(symbol) if pairs.parts(symbol).is_some() => {
                let own = *squares.entry(symbol).or_insert_with(|| {
                    next += 1;
                    Variable(next - 1)
                });
                FlatTerm::Variable(own)
            }
            term => term,
        };
        let asked = asked.iter().map(|literal| replaced(literal, &mut lift)).collect();
        of.extend(squares.values());
        let rows = rows.iter().map(|row| {
            kept.iter().map(|&column| row[column]).chain(squares.keys().copied()).collect()
        });
        Some(Split { asked, of, rows: rows.collect(), name })
    }
}

/// The coordinates of squares.
pub fn places(squares: &BTreeSet<Symbol>, symbols: &Symbols<'_>) -> HashMap<Symbol, (i32, i32)> {
    let parts: Vec<(Symbol, (Symbol, Symbol))> =
        squares.iter().filter_map(|&square| Some((square, symbols.pairs.parts(square)?))).collect();
    let order = |of: BTreeSet<Symbol>| -> HashMap<Symbol, i32> {
        let mut of: Vec<Symbol> = of.into_iter().collect();
        of.sort_by_cached_key(|&symbol| natural_order(&symbols.text_of(symbol)));
        of.into_iter().zip(0..).collect()
    };
    let first = order(parts.iter().map(|(_, (first, _))| *first).collect());
    let second = order(parts.iter().map(|(_, (_, second))| *second).collect());
    parts.into_iter().map(|(square, (a, b))| (square, (first[&a], second[&b]))).collect()
}

/// The form of conditions on squares, if they ask the same of each square. `None` otherwise.
fn form(rule: &FlatRule, asked: Vec<FlatLiteral>, of: &[Variable]) -> Option<Form> {
    let mut context: Vec<FlatLiteral> = Vec::new();
    let mut tests: BTreeMap<Variable, Vec<FlatLiteral>> = BTreeMap::new();
    for literal in asked {
        let own: Vec<Variable> =
            of_literal(&literal).into_iter().filter(|v| of.contains(v)).collect();
        match own[..] {
            [] => context.push(literal),
            [square] => tests.entry(square).or_default().push(literal),
            _ => return None,
        }
    }
    let in_head = |v: &Variable| rule.head.args.contains(&FlatTerm::Variable(*v));
    let distinct: BTreeSet<&Variable> = of.iter().collect();
    if of.len() < SHORTEST
        || distinct.len() < of.len()
        || of.iter().any(in_head)
        || tests.len() < of.len()
    {
        return None;
    }
    // The conditions on a square are the same if they are equal up to the name of the square.
    let mut same: BTreeSet<Vec<FlatLiteral>> = BTreeSet::new();
    for (&square, test) in &tests {
        let mut called = |term: FlatTerm| match term {
            FlatTerm::Variable(v) if v == square => FlatTerm::Variable(NO_VARIABLE),
            term => term,
        };
        let mut test: Vec<FlatLiteral> =
            test.iter().map(|literal| replaced(literal, &mut called)).collect();
        test.sort_unstable();
        test.dedup();
        same.insert(test);
    }
    let test = same.pop_first().filter(|_| same.is_empty())?;
    let mut numbers: BTreeMap<Variable, u16> = BTreeMap::from([(NO_VARIABLE, SQUARE.0)]);
    let mut number = |term: FlatTerm| match term {
        FlatTerm::Variable(v) => {
            let next = numbers.len() as u16;
            FlatTerm::Variable(Variable(*numbers.entry(v).or_insert(next)))
        }
        constant => constant,
    };
    let head = FlatAtom {
        relation: rule.head.relation,
        args: rule.head.args.iter().map(|&term| number(term)).collect(),
    };
    let test = test.iter().map(|literal| replaced(literal, &mut number)).collect();
    let context = context.iter().map(|literal| replaced(literal, &mut number)).collect();
    let variables = numbers.len() as u16;
    Some(Form { head, context, test, length: of.len(), variables })
}
