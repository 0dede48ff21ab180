//! Regular Boardgames (RBG): board games as regular expressions over moves on a graph.
//!
//! A game has a board, pieces, bounded variables, and rules: a regular expression over actions
//! that go along edges of the board, test and change what stands on the current square, calculate,
//! and hand the turn over. The language is that of J. Kowalski, M. Mika, J. Sutowicz and
//! M. Szykuła, *Regular Boardgames*, and of the games that its authors publish.
//!
//! | file | what it is for |
//! |---|---|
//! | `ast`, `square_names` | what a game says |
//! | `token`, `words`, `directives` | from text to sections and macros |
//! | `expand` | macros |
//! | `cursor`, `reader`, `declarations`, `board`, `rules` | from tokens to a game |
//! | `format` | the canonical layout of a file, macros and comments kept |
//! | `printer` | the game as low-level text |
//! | `relation`, `program` | what is known of moves along the board; the rules as a graph |
//! | `hand_over`, `late_counts`, `returns` | the rules as a graph, so that less is asked in play |
//! | `analysis`, `loops`, `simulation` | what is known of the rules before play |
//! | `size` | how large the rules are |
//! | `translate` | the automaton |
//! | `explain` | the automaton as text, with the lines of the rules that its edges come from |
//! | [`play`] | play by the definition: moves as words, whether a game is proper |
//! | [`simulate`] | random plays: branching, lengths, scores |
//! | `limits` | how far a game may grow |

mod analysis;
mod ast;
mod board;
mod cursor;
mod declarations;
mod directives;
mod expand;
mod explain;
mod format;
mod hand_over;
mod late_counts;
mod limits;
mod loops;
pub mod play;
mod printer;
mod program;
mod reader;
mod relation;
mod returns;
mod rules;
pub mod simulate;
mod simulation;
mod size;
mod square_names;
mod token;
mod translate;
mod words;

#[cfg(test)]
mod tests;

pub use ast::{
    Action, Arithmetic, Board, BoardSquare, Bounded, Comparison, Game, LabelId, Operator, PieceId,
    Rule, Shape, Square, VariableId,
};
pub use explain::{Origins, explain, explain_tags};
pub use format::{format, format_bytes};
pub use limits::Limits;
pub use printer::print;
pub use reader::{MAX_BYTES, MAX_ERRORS, check, is_rbg, read, read_bytes, read_within};
pub use size::Size;
pub use translate::{translate, translate_within};
