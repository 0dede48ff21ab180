//! An explanation as plain data: steps that refer to each other, in the words of the game.
//!
//! As JSON (feature `serde`) it is an object with the fields of [`Explanation`]; what a step says is
//! told apart by its key `by`: `state`, `move`, `fact`, `rule`, `absent`, `nothing`, `unexplored`.

use gdlr_text::diagnostic::Span;

/// The place of a step in [`Explanation::steps`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(transparent))]
pub struct StepId(pub u32);

impl StepId {
    /// The place as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Why a sentence holds, or why not.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Explanation {
    /// The sentence that was asked about.
    pub question: String,
    /// Whether it holds; where it has variables, whether an instance does.
    pub holds: bool,
    /// The steps that answer: one for each instance that holds, in natural order; where none does,
    /// the one that says why.
    pub answers: Vec<StepId>,
    /// How many more instances hold than are explained.
    pub more: usize,
    /// Where the sentence does not hold: its constants that no rule gives in their places.
    pub strangers: Vec<Stranger>,
    /// The steps. Those that hold never refer to each other in a cycle; those that do not may: of
    /// two sentences each may fail for want of the other.
    pub steps: Vec<Step>,
    /// The rules that the steps speak of, each once.
    pub rules: Vec<QuotedRule>,
}

/// A constant that no rule gives in its place in a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Stranger {
    /// The constant.
    pub constant: String,
    /// The variable that a rule has in its place, with its `?`.
    pub variable: Option<String>,
    /// The constants that can stand there, in natural order; not all of very many.
    pub instead: Vec<String>,
    /// How many more can.
    pub more: usize,
    /// The one that may be meant.
    pub nearest: Option<String>,
}

/// The place of a rule in [`Explanation::rules`].
pub type QuotedRuleId = u32;

/// A rule of the rulesheet.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct QuotedRule {
    /// The place of the rule in [`Game::rules`](crate::gdl::Game::rules).
    pub number: u32,
    /// Where it stands in the text.
    pub span: Span,
    /// Its head, in KIF.
    pub head: String,
    /// All of it, in KIF, on one line.
    pub text: String,
}

/// A sentence that holds or does not hold, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Step {
    /// The sentence. One that does not hold may have variables: no instance does then.
    pub sentence: String,
    /// Whether it holds.
    pub holds: bool,
    /// Why.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub why: Why,
}

/// Why a sentence holds, or why not.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(tag = "by", rename_all = "snake_case"))]
pub enum Why {
    /// It holds: it is a fact of the state.
    State,
    /// It holds: it is a part of the joint move.
    Move,
    /// It holds: it stands in the rulesheet.
    Fact {
        /// The fact.
        rule: QuotedRuleId,
    },
    /// It holds: a rule gives it.
    Rule(Instance),
    /// It does not hold: it is not among the facts of the state, of the joint move or of the
    /// rulesheet, and no rule could give it.
    Absent {
        /// The fact that is most like it, if one is.
        nearest: Option<String>,
    },
    /// It does not hold: no rule gives it.
    Nothing {
        /// The closest instance of each rule that could.
        attempts: Vec<Attempt>,
        /// Where there is no such rule: heads that may be meant.
        similar: Vec<String>,
    },
    /// It was not explained, as the explanation would be too deep or too long: ask about it.
    Unexplored,
}

/// An instance of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Instance {
    /// The rule.
    pub rule: QuotedRuleId,
    /// The bindings of its variables, as far as they are bound.
    pub bindings: Vec<Binding>,
    /// Its conditions, in the order of the text; of an `or` those of one alternative. Below `not`,
    /// an `or` is the conditions that none of it holds.
    pub conditions: Vec<Condition>,
}

/// A variable of a rule and what it stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Binding {
    /// The variable, with its `?`.
    pub variable: String,
    /// The term.
    pub value: String,
}

/// How a rule comes nearest to giving a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Attempt {
    /// The instance that gets furthest, with the conditions of it that hold.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub instance: Instance,
    /// The condition that fails, the first one in the text as a rule; of an `or`, one of each
    /// alternative. Nothing if all hold but give another sentence.
    pub failed: Vec<Condition>,
    /// Whether all instances were looked at; of a great many only some are.
    pub complete: bool,
}

/// A condition of an instance.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Condition {
    /// The kind of the condition.
    pub kind: ConditionKind,
    /// The condition with the variables replaced that are bound.
    pub text: String,
    /// Where it stands in the text: without the `not`, if there is one.
    pub span: Span,
    /// Why its sentence holds, or why not, if that is told.
    pub step: Option<StepId>,
}

/// The kinds of condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum ConditionKind {
    /// The sentence holds.
    Holds,
    /// The sentence does not hold, for any value of variables that are not bound.
    Not,
    /// The terms differ.
    Distinct,
    /// The terms are the same: a `distinct` below a `not`.
    Same,
}

impl Explanation {
    /// A step.
    ///
    /// # Panics
    ///
    /// When the explanation has no such step.
    pub fn step(&self, id: StepId) -> &Step {
        &self.steps[id.index()]
    }

    /// A rule.
    ///
    /// # Panics
    ///
    /// When the explanation has no such rule.
    pub fn rule(&self, id: QuotedRuleId) -> &QuotedRule {
        &self.rules[id as usize]
    }
}
