//! The questions of play to the rules.

use crate::gdl::Symbol;

/// A question of play to the rules in a state. Both roads start from this list: what it says is
/// normalised, grounded and given roots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Question {
    /// The moves of the roles.
    Legal,
    /// Whether the game is over.
    Terminal,
    /// The goal values of the state for the roles.
    Goal,
    /// The facts of the next state.
    Next,
    /// The percepts of the roles after the joint move (GDL-II).
    Sees,
}

impl Question {
    /// All questions.
    pub const ALL: [Question; 5] =
        [Question::Legal, Question::Terminal, Question::Goal, Question::Next, Question::Sees];

    /// The keyword whose rules answer the question.
    pub fn keyword(self) -> Symbol {
        match self {
            Question::Legal => Symbol::LEGAL,
            Question::Terminal => Symbol::TERMINAL,
            Question::Goal => Symbol::GOAL,
            Question::Next => Symbol::NEXT,
            Question::Sees => Symbol::SEES,
        }
    }

    /// The question that rules for this keyword answer.
    pub fn of_keyword(keyword: Symbol) -> Option<Question> {
        Question::ALL.into_iter().find(|question| question.keyword() == keyword)
    }

    /// Whether it is asked when the roles have moved, so that the answer may depend on `does`
    /// (SPEC, definition 20).
    pub fn follows_moves(self) -> bool {
        matches!(self, Question::Next | Question::Sees)
    }
}
