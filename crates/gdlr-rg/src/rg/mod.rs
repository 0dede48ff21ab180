//! The language Regular Games (RG): its reader, checks and printer.
//!
//! A game in RG is a finite automaton. Its edges are labelled with actions on typed variables:
//! comparisons, assignments, reachability checks, and tags, which name the moves. The language is
//! defined in R. Miernik and others, *Regular Games – an Automata-Based General Game Playing
//! Language* (RG here), section 2. Pragmas are defined in its appendix C.3.
//!
//! | file | content |
//! |---|---|
//! | `name` | names as numbers, and the rules for names |
//! | `naming` | new names, for translations |
//! | `ast` | the syntax tree of a description |
//! | `token`, `reader` | from text to a description, several errors in one run |
//! | `recognise` | tells automata from rulesheets |
//! | `printer` | the canonical text of a description |
//! | `format` | the canonical layout of a file, comments kept |
//! | `dot` | the automaton as a graph for Graphviz |
//! | `built_in` | the definitions that may be left out |
//! | `types`, `graph` | types with their names resolved; the automaton as a graph |
//! | `constants`, `recast` | the order of constants; casts of maps to other keys, written out |
//! | `validate` | errors in a description, and warnings |
//! | `interpreter` | play |
//! | `tuning` | the bounds of all of this |
//! | [`optimise`] | smaller automata with the same meaning |
//! | [`pragmas`] | hints: finds true ones, and refutes false ones |
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
pub use interpreter::{SourceLanguage, to_source};
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
