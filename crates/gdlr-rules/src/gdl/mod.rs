//! Rulesheets as logic programs: symbols, terms, literals, rules, roles.
//!
//! A [`Game`] is what a rulesheet says (SPEC, definitions 16 to 18), nothing more: names
//! numbered, variables numbered within their rule, every rule with its place in the text.
//! The dependency graph and its strata (SPEC, definitions 7, 8 and 12) are computed by
//! [`Dependencies`].
//!
//! Names are folded to lower case unless [`Reading::case_sensitive`] is set; the keywords
//! always are. One name may be a relation, a function and a constant at once, and a
//! relation of another arity is another relation.

mod dependency;
mod figures;
mod functor;
mod game;
mod hints;
mod lower;
mod natural;
mod symbol;
mod term;

pub use dependency::{Dependencies, RelationName};
pub use figures::Figures;
pub use functor::Functor;
pub use game::Game;
pub use game::names_chance;
pub(crate) use hints::hints;
pub use lower::Reading;
pub use natural::natural_order;
pub use symbol::{Symbol, SymbolTable, TooManySymbols};
pub use term::{Literal, LiteralKind, Rule, Sentence, Term, Variable};
