//! Explanations: why a sentence holds in a state, or why it does not, in the rules as they are written.
//!
//! A derivation uses the source rules only, and each step has its place in the text. It uses neither
//! flat rows nor gates, nor any other data of an engine. So people can read it beside the rulesheet, and
//! it is an oracle for the engines.
//!
//! An [`Explainer`] has the prepared rules of a game. A [`Moment`] is a state of the game. For questions
//! about `next` and `sees` the moment also has the joint move of the step.
//!
//! A sentence that holds gets a derivation, which is a tree (SPEC, definition 13: a model consists of
//! instances of rules). Its root is an instance of a rule that gives the sentence. Each condition of the
//! instance has a step of its own, and the leaves are facts.
//!
//! A sentence that does not hold gets the closest instance of each rule that could give it. The closest
//! instance satisfies the most conditions, in the order of the text. The explanation names the
//! condition at which it fails.
//!
//! ```
//! # mod gdlr { pub use gdlr_text::{budget, kif}; pub use gdlr_rules::{explain, gdl}; }
//! use gdlr::budget::Meter;
//! use gdlr::explain::{Explainer, Options, Question};
//! use gdlr::gdl::{Game, Term};
//! use gdlr::kif;
//!
//! let rules = "(role you) (role me) (opponent you me) (opponent me you)
//!     (<= (legal ?r move) (true (turn ?r)))
//!     (<= (legal ?r wait) (opponent ?r ?o) (true (turn ?o)))";
//! let game = Game::from_kif("turns", rules).expect("a readable rulesheet");
//! let facts = [Term::from_expr(&kif::read("(turn me)").unwrap().items[0], &game.symbols).unwrap()];
//!
//! let explainer = Explainer::new(game);
//! let mut moment = explainer.moment(&facts, None);
//! let mut lines = |text: &str| {
//!     let question = Question::read(&kif::read(text).unwrap().items[0], explainer.game()).unwrap();
//!     let options = Options::default();
//!     let explanation = moment.explain(&question, &options, &Meter::unlimited()).expect("time enough");
//!     explanation.lines().iter().map(|line| format!("{} {}", line.text, line.note)).collect::<Vec<_>>()
//! };
//! assert_eq!(lines("(legal you wait)"), [
//!     "(legal you wait) ",
//!     "(opponent you me) ",
//!     "(true (turn me)) in the state",
//! ]);
//! assert_eq!(lines("(legal you move)"), [
//!     "(legal you move) ",
//!     "(legal ?r move) ",
//!     "(true (turn you)) but (true (turn me)) holds",
//! ]);
//! ```
//!
//! | file | content |
//! |---|---|
//! | `terms`, `rows` | ground terms as numbers, and patterns; the rows of a state, with an index |
//! | `program` | the rules, with numbers for their conditions, and with `not` moved inwards |
//! | `tables` | the sentences that hold, computed goal by goal when they are needed, with a reason for each row |
//! | `task` | the way of a rule through its conditions |
//! | `closest` | the closest instance of a rule for a sentence that does not hold |
//! | `domains` | the constants that can take the place of a constant without a fact |
//! | `build`, `explanation` | an [`Explanation`], which is plain data |
//! | `page` | an explanation as lines for people |
//! | `explainer`, `question`, `options` | the interface: the explainer, a question, and the bounds of an answer |
//!
//! Two properties always hold. First, each step of a derivation is an instance of the rule that it
//! names, and its conditions are steps that were derived before. So a derivation has no cycle. Second,
//! the answers are the same as those of the engines. If a sentence has several derivations, a short
//! one is shown; which one is not specified. `tests/derivation` checks the steps one by one, and
//! compares with the naive evaluator.
//!
//! Some rules break a restriction of SPEC and are played all the same. They have the meaning that
//! [`crate::normal`] gives them. A condition that is asked too early does not hold. Rules for `true`
//! and `does` add nothing. A variable that no condition binds is any constant of the rulesheet.

mod build;
mod closest;
mod domains;
mod error;
mod explainer;
mod explanation;
mod options;
mod page;
mod program;
mod question;
mod rows;
mod tables;
mod task;
mod terms;
#[cfg(test)]
mod tests;

pub use error::ExplainError;
pub use explainer::{Explainer, Moment};
pub use explanation::{
    Attempt, Binding, Condition, ConditionKind, Explanation, Instance, QuotedRule, QuotedRuleId,
    Step, StepId, Stranger, Why,
};
pub use options::Options;
pub use page::{Line, Mark};
pub use question::Question;
