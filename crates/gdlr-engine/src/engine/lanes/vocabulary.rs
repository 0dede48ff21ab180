//! The words of a game in lanes.

use gdlr_rules::gdl::Term;

/// What lanes number: moves, facts and percepts, each once, in any order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Vocabulary {
    /// By action: the move, whoever can make it.
    pub moves: Vec<Term>,
    /// The facts that can be observed.
    pub facts: Vec<Term>,
    /// What can be seen of a step by the rules for `sees`, whoever may see it.
    pub percepts: Vec<Term>,
}
