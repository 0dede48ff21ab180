//! How the terms at one argument are laid out in columns, there and back (FI, IV.C).
//!
//! An argument that only ever holds constants has one column. One that only ever holds
//! terms of one function has the columns of that function's arguments, one behind the
//! other. Any other argument begins with a tag column, which holds the constant itself or a
//! symbol that stands for the function, followed by as many columns as the widest function
//! needs; what a term does not use is filled with [`EMPTY`].

use super::shape::Shape;
use crate::gdl::{Symbol, Term};
use std::sync::Arc;

/// The filling of columns that a term does not use. Never a name.
pub const EMPTY: Symbol = Symbol::from_index(u16::MAX);

/// The layout of one argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Encoding(Arc<EncodingLayout>);

#[derive(Debug, PartialEq, Eq)]
struct EncodingLayout {
    width: usize,
    /// Whether the first column is a tag.
    tagged: bool,
    /// Whether constants can stand here.
    constants: bool,
    functions: Vec<FunctionLayout>,
}

/// The layout of the terms of one function.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct FunctionLayout {
    pub(super) name: Symbol,
    pub(super) tag: Symbol,
    pub(super) args: Vec<Encoding>,
}

impl Encoding {
    /// The layout for the terms of a shape; `tag` numbers functions.
    pub(super) fn new(shape: &Shape, tag: &mut impl FnMut(Symbol, u16) -> Symbol) -> Encoding {
        let functions: Vec<FunctionLayout> = shape
            .functions
            .iter()
            .map(|(&(name, arity), args)| FunctionLayout {
                name,
                tag: tag(name, arity),
                args: args.iter().map(|arg| Encoding::new(arg, tag)).collect(),
            })
            .collect();
        let tagged = shape.constants || functions.len() != 1;
        let widest = functions
            .iter()
            .map(|f| f.args.iter().map(Encoding::width).sum::<usize>())
            .max()
            .unwrap_or(0);
        let constants = shape.constants;
        Encoding(Arc::new(EncodingLayout {
            width: usize::from(tagged) + widest,
            tagged,
            constants,
            functions,
        }))
    }

    /// The number of columns.
    pub fn width(&self) -> usize {
        self.0.width
    }

    /// Whether only constants can stand here, in one column.
    pub fn is_plain(&self) -> bool {
        self.0.functions.is_empty()
    }

    /// Whether the first column says what term it is.
    pub fn is_tagged(&self) -> bool {
        self.0.tagged
    }

    pub(super) fn function(&self, name: Symbol, arity: usize) -> Option<&FunctionLayout> {
        self.0.functions.iter().find(|f| f.name == name && f.args.len() == arity)
    }

    /// The tags that could be mistaken for a constant, because nothing follows them.
    pub(super) fn bare_tags(&self) -> impl Iterator<Item = Symbol> {
        let bare = |f: &&FunctionLayout| f.args.iter().all(|arg| arg.width() == 0);
        self.0.functions.iter().filter(bare).map(|f| f.tag)
    }

    /// Appends the columns of a ground term; `None` if the term cannot stand here, and then
    /// the content of `row` is of no meaning.
    pub fn encode(&self, term: &Term, row: &mut Vec<Symbol>) -> Option<()> {
        let end = row.len() + self.width();
        match term {
            Term::Variable(_) => return None,
            Term::Constant(symbol) => {
                if !self.0.constants {
                    return None;
                }
                row.push(*symbol);
            }
            Term::Function(name, args) => {
                let function = self.function(*name, args.len())?;
                if self.0.tagged {
                    row.push(function.tag);
                }
                for (arg, encoding) in args.iter().zip(&function.args) {
                    encoding.encode(arg, row)?;
                }
            }
        }
        row.resize(end, EMPTY);
        Some(())
    }

    /// All terms that can stand here if each column has one of some symbols: `columns` has them, one
    /// set a column. `None` if they are more than `most`. The symbols below `names` are names.
    pub fn terms(&self, columns: &[Vec<Symbol>], names: usize, most: usize) -> Option<Vec<Term>> {
        let layout = &*self.0;
        let mut terms = Vec::new();
        let first = if layout.tagged { &columns[0][..] } else { &[] };
        for function in &layout.functions {
            if layout.tagged && !first.contains(&function.tag) {
                continue;
            }
            let columns = &columns[usize::from(layout.tagged)..];
            let rows = all_terms(&function.args, columns, names, most)?;
            terms.extend(rows.into_iter().map(|args| Term::Function(function.name, args)));
        }
        let constants = first.iter().filter(|symbol| usize::from(symbol.index()) < names);
        terms.extend(constants.map(|&symbol| Term::Constant(symbol)));
        (terms.len() <= most).then_some(terms)
    }

    /// The term that the columns stand for.
    pub fn decode(&self, row: &[Symbol]) -> Term {
        let layout = &*self.0;
        if !layout.tagged {
            let function = &layout.functions[0];
            return Term::Function(function.name, decode_all(&function.args, row));
        }
        match layout.functions.iter().find(|f| f.tag == row[0]) {
            Some(function) => Term::Function(function.name, decode_all(&function.args, &row[1..])),
            None => Term::Constant(row[0]),
        }
    }
}

/// All rows of terms that can stand one behind the other, see [`Encoding::terms`].
pub fn all_terms(
    args: &[Encoding],
    columns: &[Vec<Symbol>],
    names: usize,
    most: usize,
) -> Option<Vec<Vec<Term>>> {
    let mut rows = vec![Vec::new()];
    let mut at = 0;
    for encoding in args {
        let terms = encoding.terms(&columns[at..at + encoding.width()], names, most)?;
        at += encoding.width();
        if rows.len().checked_mul(terms.len())? > most {
            return None;
        }
        let longer = |row: &Vec<Term>| {
            let row = row.clone();
            terms.iter().map(move |term| [&row[..], std::slice::from_ref(term)].concat())
        };
        rows = rows.iter().flat_map(longer).collect();
    }
    Some(rows)
}

/// The terms that stand one behind the other.
pub(super) fn decode_all(args: &[Encoding], row: &[Symbol]) -> Vec<Term> {
    let mut at = 0;
    args.iter()
        .map(|encoding| {
            at += encoding.width();
            encoding.decode(&row[at - encoding.width()..at])
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn symbol(index: u16) -> Symbol {
        Symbol::from_index(index)
    }

    /// Constants, `f` of a constant and `g` of two terms that may be constants or `(f)`.
    fn encoding() -> Encoding {
        let constant = Shape { constants: true, functions: BTreeMap::new() };
        let mut inner = constant.clone();
        inner.functions.insert((symbol(20), 0), vec![]);
        let mut shape = constant.clone();
        shape.functions.insert((symbol(20), 1), vec![constant]);
        shape.functions.insert((symbol(21), 2), vec![inner.clone(), inner]);
        let mut tags = Vec::new();
        Encoding::new(&shape, &mut |name, arity| {
            let place = tags.iter().position(|&t| t == (name, arity)).unwrap_or_else(|| {
                tags.push((name, arity));
                tags.len() - 1
            });
            symbol(100 + place as u16)
        })
    }

    #[test]
    fn every_term_comes_back() {
        let encoding = encoding();
        assert_eq!(encoding.width(), 3);
        let constant = |i| Term::Constant(symbol(i));
        let bare = Term::Function(symbol(20), vec![]);
        for term in [
            constant(20),
            Term::Function(symbol(20), vec![constant(30)]),
            Term::Function(symbol(21), vec![constant(20), bare.clone()]),
            Term::Function(symbol(21), vec![bare, constant(31)]),
        ] {
            let mut row = Vec::new();
            encoding.encode(&term, &mut row).unwrap();
            assert_eq!(row.len(), 3);
            assert_eq!(encoding.decode(&row), term);
        }
    }

    #[test]
    fn all_terms_of_columns() {
        // The tags are 100 for `f` of a constant, 101 for `g`, 102 for `(f)`.
        let columns = [vec![20, 100, 101], vec![30, 102], vec![31]];
        let columns = columns.map(|of| of.into_iter().map(symbol).collect::<Vec<Symbol>>());
        let constant = |i| Term::Constant(symbol(i));
        let bare = Term::Function(symbol(20), vec![]);
        let expected = [
            Term::Function(symbol(20), vec![constant(30)]),
            Term::Function(symbol(21), vec![bare, constant(31)]),
            Term::Function(symbol(21), vec![constant(30), constant(31)]),
            constant(20),
        ];
        assert_eq!(encoding().terms(&columns, 100, 4), Some(expected.to_vec()));
        assert_eq!(encoding().terms(&columns, 100, 3), None);
    }

    #[test]
    fn what_cannot_stand_there_is_refused() {
        let nested = Term::Function(symbol(20), vec![Term::Function(symbol(20), vec![])]);
        assert_eq!(encoding().encode(&nested, &mut Vec::new()), None);
    }
}
