//! The words of a game in lanes.

use gdlr_rules::gdl::Term;

/// The terms that lanes number: moves, facts and percepts, each once, in any order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Vocabulary {
    /// By action: the move, whoever can make it.
    pub moves: Vec<Term>,
    /// The facts that can be observed.
    pub facts: Vec<Term>,
    /// The percepts that the rules for `sees` allow, whoever may see them.
    pub percepts: Vec<Term>,
}
