//! Regular Boardgames (RBG): board games as regular expressions over moves on a graph.
//!
//! A game has a board, pieces, bounded variables, and rules. The rules are a regular expression
//! over actions. Actions go along edges of the board, test and change the current square,
//! calculate, and hand the turn over. The language is that of J. Kowalski, M. Mika, J. Sutowicz and
//! M. Szykuła, *Regular Boardgames*, and of the games that its authors publish.
//!
//! | file | content |
//! |---|---|
//! | `ast`, `square_names` | the syntax tree of a game |
//! | `token`, `words`, `directives` | from text to sections and macros |
//! | `expand` | macros |
//! | `cursor`, `reader`, `declarations`, `board`, `rules` | from tokens to a game |
//! | `format` | the canonical layout of a file, macros and comments kept |
//! | `printer` | the game as low-level text |
//! | `relation`, `program` | relations of squares; the rules as a graph |
//! | `hand_over`, `late_counts`, `returns` | changes of the graph after which play needs fewer tests |
//! | `analysis`, `loops`, `simulation` | static analysis of the rules |
//! | `size` | the size of the rules |
//! | `translate` | the automaton |
//! | `explain` | the automaton as text, with the lines of the rules that its edges come from |
//! | [`play`] | play by the definition: moves as words, whether a game is proper |
//! | [`simulate`] | random plays: branching, lengths, scores |
//! | `limits` | the limits on the size of a game |

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
