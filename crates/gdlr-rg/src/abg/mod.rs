//! Abstract Board Games (ABG): pieces that move by regular expressions over steps.
//!
//! A game has players, pieces with owners, a board of squares, and a rule for each piece. A rule is
//! a regular expression over letters `[dx, dy, predicate]{effect}`. Each of its words is a move.
//! The language is that of B. D. T. Kárason and G. F. Ellertsson, *Abstract Board Games: A
//! Framework and a Language* (Reykjavik University, 2022), in both of its forms. Additions make its
//! games complete.
//!
//! | file | content |
//! |---|---|
//! | `ast` | the syntax tree of a game |
//! | `token`, `reader` | from a text to its tree, several errors in one run |
//! | `format` | the canonical layout of a file, comments kept |
//! | `game` | a game whose names are resolved |
//! | `resolve` | from a tree to a game |
//! | `regular` | regular expressions over letters, and their automata |
//! | `translate` | from a game to an automaton of Regular Games |
//! | `check` | errors in a text, and warnings |
//! | `picture` | the automata of rules as graphs; the squares that pieces reach |
//! | `limits` | the limits on the size of a game |

mod ast;
mod check;
mod format;
mod game;
mod limits;
mod picture;
mod reader;
mod regular;
mod resolve;
mod token;
mod translate;

pub use ast::{
    Body, Call, Definition, EffectDefinition, End, Expr, ExprKind, Letter as LetterTree, Operator,
    PieceDeclaration, PieceRule, Post, Repeat, Sentence, Size, Statement as StatementTree, Tree,
    VariableDeclaration, VariableKind, Word,
};
pub use check::{check, read_automaton};
pub use format::{format, format_bytes};
pub use game::{
    Arithmetic, Comparison, Condition, Effect, Ending, Game, Letter, MAX_PIECES, Number, Piece,
    Pieces, SentenceId, Square, Standing, Statement, Turn, Values, Variable,
};
pub use limits::Limits;
pub use picture::{reached, to_dot};
pub use reader::{MAX_BYTES, MAX_ERRORS, is_abg, read, read_bytes};
pub use regular::Dfa;
pub use resolve::{resolve, resolve_within};
pub use translate::{translate, translate_within};
