//! High-level Regular Games (HRG): the language in which people write regular games.
//!
//! A game is a program with domains of values, functions by patterns, variables, and graphs. A
//! graph has statements that choose, check, assign, and call other graphs. The game stands for an
//! automaton of [`rg`](crate::rg). The language is that of R. Miernik and others, *Regular Games –
//! an Automata-Based General Game Playing Language* (RG here), section 3.1, and of the games that
//! its authors publish.
//!
//! | file | content |
//! |---|---|
//! | `ast` | the syntax tree of a game |
//! | `token`, `reader` | from text to a game, several errors in one run |
//! | `format`, `layout_mark` | the canonical layout of a file, comments kept |
//! | `recognise`, `automaton` | tells HRG from RG; reads an automaton in any language |
//! | `check`, `calls` | errors in a game, and warnings |
//! | `value`, `domains`, `evaluate` | values that are known before play |
//! | `translate`, `limits` | the automaton, and the limits on its size |

mod ast;
mod automaton;
mod calls;
mod check;
mod domains;
mod evaluate;
mod format;
mod layout_mark;
mod limits;
mod reader;
mod recognise;
mod token;
mod translate;
mod value;

pub use ast::{
    Action, Application, Case, Domain, Element, Expr, ExprKind, Function, Game, Generator, Graph,
    MapPart, Operator, Parameter, Pattern, Range, RangeValues, Statement, Variable,
    is_pattern_variable,
};
pub use automaton::{is_automaton, read_automaton};
pub use check::{check, translate, translate_within};
pub use format::{format, format_bytes};
pub use limits::Limits;
pub use reader::{MAX_BYTES, MAX_DEPTH, MAX_ERRORS, MAX_LIST, read, read_bytes};
pub use recognise::is_hrg;
