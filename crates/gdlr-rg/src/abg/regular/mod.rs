//! Regular expressions over letters, and their automata (thesis, 4.2.2). An expression becomes a
//! nondeterministic automaton. The subset construction makes it deterministic, and it is then
//! minimised.

mod dfa;
mod minimise;
mod nfa;

pub use dfa::Dfa;
pub(super) use nfa::{Nfa, Node};

/// A regular expression over letters, which are numbers.
#[derive(Clone, Debug)]
pub(super) enum Regular {
    /// A letter.
    Letter(usize),
    /// Expressions in a row.
    Sequence(Vec<Regular>),
    /// One of several expressions.
    Alternatives(Vec<Regular>),
    /// Any number of times.
    Star(Box<Regular>),
    /// Once or more.
    Plus(Box<Regular>),
    /// Once or not at all.
    Option(Box<Regular>),
}

impl Regular {
    /// Whether it accepts the empty word.
    pub fn is_nullable(&self) -> bool {
        match self {
            Regular::Letter(_) => false,
            Regular::Sequence(parts) => parts.iter().all(Regular::is_nullable),
            Regular::Alternatives(parts) => parts.iter().any(Regular::is_nullable),
            Regular::Star(_) | Regular::Option(_) => true,
            Regular::Plus(inner) => inner.is_nullable(),
        }
    }
}
