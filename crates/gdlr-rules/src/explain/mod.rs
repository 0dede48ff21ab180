//! Reasons for every answer: why a sentence holds in a state, or why it does not, in the rules as
//! they are written.
//!
//! Every derivation here is from the source rules, each with its place in the text, and from
//! nothing that an engine made of them: neither flat rows nor gates. So an explanation can be read
//! beside the rulesheet, and it is one more oracle for the engines.
//!
//! An [`Explainer`] has the rules of a game made ready; a [`Moment`] is a state of it, and the joint
//! move that is made there, if `next` or `sees` is asked about. A sentence that holds gets a
//! derivation: an instance of a rule (SPEC, definition 13: a model is made of them), each condition
//! of it with a step of its own, down to facts. A sentence that does not hold gets, for each rule
//! that could give it, the closest instance: the one that satisfies the most conditions in the
//! order of the text, and the condition at which it fails.
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
//!     let found = moment.explain(&question, &options, &Meter::unlimited()).expect("time enough");
//!     found.lines().iter().map(|line| format!("{} {}", line.text, line.note)).collect::<Vec<_>>()
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
//! The parts, each in its file:
//!
//! * `terms`, `rows`: ground terms as numbers, patterns, and rows that are given, indexed.
//! * `program`: the rules, with their conditions numbered and `not` moved inwards.
//! * `tables`: what holds, computed goal by goal as it is asked for, with a reason for each row;
//!   `task`: how a rule goes through its conditions.
//! * `closest`: how near a rule comes to giving what does not hold; `domains`: which constants
//!   can stand where one stands that is not among them.
//! * `build`: from these to an [`Explanation`], the plain data of `explanation`; `page`: that
//!   as lines for people.
//! * `explainer`, `question`, `options`: who is asked what, and how far the answer goes.
//!
//! Invariants: each step of a derivation is an instance of the rule that it names, whose conditions
//! are steps that were derived before, so no derivation has a cycle; and what an engine
//! plays has the same answers here. Which of several derivations is told is not promised; it is a
//! short one. `tests/derivation` checks the steps one by one, and compares with the naive evaluator.
//!
//! Rules that break a restriction and are played all the same have the meaning that [`crate::normal`]
//! gives them: what is asked before it is there does not hold, rules for `true` and `does` add
//! nothing, and a variable that nothing binds is any constant of the rulesheet.

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
