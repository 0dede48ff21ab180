//! What a term begins with, for those who look for what reads or makes a fact or a move.

use super::{Symbol, Term};

/// A name and its number of arguments, but for a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Functor {
    Constant(Symbol),
    Function(Symbol, usize),
}

impl Functor {
    /// What a term looks like that is written as a sentence of this relation is.
    pub fn of(symbol: Symbol, arity: usize) -> Functor {
        match arity {
            0 => Functor::Constant(symbol),
            _ => Functor::Function(symbol, arity),
        }
    }

    pub fn of_term(term: &Term) -> Option<Functor> {
        match term {
            Term::Variable(_) => None,
            Term::Constant(symbol) => Some(Functor::Constant(*symbol)),
            Term::Function(symbol, args) => Some(Functor::Function(*symbol, args.len())),
        }
    }

    pub fn symbol(self) -> Symbol {
        match self {
            Functor::Constant(symbol) | Functor::Function(symbol, _) => symbol,
        }
    }

    pub fn arity(self) -> usize {
        match self {
            Functor::Constant(_) => 0,
            Functor::Function(_, arity) => arity,
        }
    }
}
