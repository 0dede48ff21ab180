//! Functors: the head of a term, for finding the rules that read or make a fact or a move.

use super::{Symbol, Term};

/// A name and its number of arguments, but for a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Functor {
    /// A constant.
    Constant(Symbol),
    /// A function, and the number of its arguments.
    Function(Symbol, usize),
}

impl Functor {
    /// The term that is written like a sentence of this relation.
    pub fn of(symbol: Symbol, arity: usize) -> Functor {
        match arity {
            0 => Functor::Constant(symbol),
            _ => Functor::Function(symbol, arity),
        }
    }

    /// That of a term; none of a variable.
    pub fn of_term(term: &Term) -> Option<Functor> {
        match term {
            Term::Variable(_) => None,
            Term::Constant(symbol) => Some(Functor::Constant(*symbol)),
            Term::Function(symbol, args) => Some(Functor::Function(*symbol, args.len())),
        }
    }

    /// The name.
    pub fn symbol(self) -> Symbol {
        match self {
            Functor::Constant(symbol) | Functor::Function(symbol, _) => symbol,
        }
    }

    /// The number of arguments; none of a constant.
    pub fn arity(self) -> usize {
        match self {
            Functor::Constant(_) => 0,
            Functor::Function(_, arity) => arity,
        }
    }
}
