//! The language Regular Games (RG): reading, checking and printing.
//!
//! A game in RG is a finite automaton whose edges are labelled with actions on typed
//! variables: comparisons, assignments, checks whether one node can be reached from another,
//! and tags, which make up the moves. The language is defined in R. Miernik and others,
//! *Regular Games – an Automata-Based General Game Playing Language* (RG here), section 2;
//! pragmas in its appendix C.3.
//!
//! | file | what it is for |
//! |---|---|
//! | `name` | names as numbers, and what may be a name |
//! | `naming` | names of what is made up, for translations |
//! | `ast` | what a description says |
//! | `token`, `reader` | from text to a description, several errors in one run |
//! | `recognise` | whether a text is an automaton |
//! | `printer` | the canonical text of a description |
//! | `format` | the canonical layout of a file, comments kept |
//! | `dot` | the automaton as a picture |
//! | `built_in` | definitions that may be left out |
//! | `types`, `graph` | what the names of types stand for; the automaton as a graph |
//! | `constants`, `recast` | constants in the order in which they are made; casts of maps to other keys |
//! | `validate` | what is wrong with a description, and what is odd |
//! | `interpreter` | playing |
//! | `tuning` | the bounds by which all of this chooses |
//! | [`optimise`] | smaller automata that mean the same |
//! | [`pragmas`] | hints: which are true of an automaton, and which are not |
//! | [`normalise`] | other forms of the same automaton |

mod ast;
mod built_in;
pub(crate) mod constants;
mod dot;
mod format;
mod graph;
mod interpreter;
mod mentioned;
mod name;
pub(crate) mod naming;
pub mod normalise;
pub mod optimise;
mod pragma;
pub mod pragmas;
mod printer;
mod reader;
mod recast;
mod recognise;
mod token;
mod tuning;
#[doc(hidden)]
pub mod types;
mod validate;

pub use ast::{
    AppliedTag, Base, Constant, Description, Edge, Entry, Expr, Hint, Ident, Label, Map, Place,
    Pragma, SimpleType, SymbolSet, Type, TypeAlias, Value, Variable,
};
pub use dot::to_dot;
pub use format::{format, format_bytes};
pub use graph::Graph;
pub use interpreter::{
    Automaton, CodeSize, Condition, DEFAULT_STEPS, Ending, Exploration, Moves, NoCode,
    ObfuscatedMove, Perft, PlayError, Played, PlayerId, Search, Slot, State, Turn, Violation,
    explore, perft,
};
#[doc(hidden)]
pub use interpreter::{Standing, SymbolId};
pub use mentioned::{Kind as MentionedKind, LeftOut, left_out};
pub use name::is_name_character;
pub use name::{Keyword, Name, Names, NotAName};
pub use printer::{Unprintable, print, print_label};
pub use reader::{MAX_BYTES, MAX_DEPTH, MAX_ERRORS, read, read_bytes};
pub use recognise::is_automaton;
pub use tuning::Tuning;
pub(crate) use validate::makes_improper;
pub use validate::validate;
