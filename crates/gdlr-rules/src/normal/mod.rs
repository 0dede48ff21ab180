//! The normal form, from which both roads start (trees and nets): rules over flat rows of symbols.
//!
//! The normal form has four steps, as in FI:
//!
//! 1. `local` divides relations that are stratified only constant by constant. `timing` handles
//!    conditions that are asked before their values exist. `clause` makes the negation normal form
//!    (FI, IV.B): `not` moves inwards, and an `or` that binds variables is multiplied out. An `or` that
//!    binds no variable stays a test.
//! 2. `shape` computes the terms that can occur at each argument (the domains of FI, IV.C), as a least
//!    fixpoint over the rules. Terms that grow without bound are an error, with the rule that grows
//!    them. There is one exception: the facts of a static relation may bound the terms. `enumerate`
//!    computes such a relation first, term by term.
//! 3. `encoding` gives every argument a fixed number of columns. So every sentence becomes a flat row
//!    (FI, IV.C), and every row is the row of one sentence only. `layout` divides the fluents by their
//!    function: each function gets a base relation of its own. `cases` and `flatten` rewrite the rules.
//! 4. `redundant` removes relations that only rename another one (FI, VII.B).
//!
//! `flat` has the rules over rows. `form` has the result: these rules, and the way from a term to its
//! row and back.
//!
//! FI joins the domains of all arguments that have a variable in common. The fixpoint here follows the
//! flow of values from conditions to heads. It is more exact: if two arguments have a variable in
//! common, but no value flows from one to the other, their domains stay apart. Rules that can never
//! apply disappear. If the occurrences of a variable have different layouts, the rule is split by cases
//! until they agree.
//!
//! SPEC (definition 18) forbids a rule whose head has a variable that no condition binds. Public
//! rulesheets have such rules, and ask for them only with bound variables. So these rules are read: they
//! hold for every constant of the rulesheet, but for no compound term.
//!
//! A [`Normal`] always has these properties:
//!
//! * Every variable of a head, of a `distinct` and of a test is bound by a positive condition of the
//!   rule.
//! * A variable that occurs in one negative condition only means "for no value".
//! * The rules are stratified.
//! * All rows of a relation have the same width.

mod cases;
mod clause;
mod encoding;
mod enumerate;
mod error;
mod flat;
mod flatten;
mod form;
mod layout;
mod local;
mod names;
mod question;
mod redundant;
mod shape;
mod timing;

pub use encoding::all_terms;
pub use encoding::{EMPTY, Encoding};
pub use flat::{
    FlatAtom, FlatLiteral, FlatRule, FlatTerm, Fluent, FluentRelations, Relation, RelationId,
    RelationKind,
};
pub use form::Normal;
pub use question::Question;

use crate::gdl::Game;
use error::NormalError;
use gdlr_text::budget::{Exhausted, Meter};
use gdlr_text::diagnostic::Diagnostic;
use names::Names;
use std::sync::Arc;

/// Switches of the normal form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NormalOptions {
    /// Remove relations that only rename another (FI, VII.B).
    pub redundant_removal: bool,
}

impl Default for NormalOptions {
    fn default() -> Self {
        NormalOptions { redundant_removal: true }
    }
}

impl Normal {
    /// Brings a game into normal form.
    ///
    /// # Errors
    ///
    /// A diagnostic with the rule at fault when the rules are unsafe or not stratified, when
    /// terms can grow without bound, or when the normal form would be too large.
    pub fn new(game: impl Into<Arc<Game>>, options: &NormalOptions) -> Result<Normal, Diagnostic> {
        let normal = Normal::within(game, options, &Meter::unlimited());
        normal.expect("there is no limit")
    }

    /// The same within a budget.
    ///
    /// # Errors
    ///
    /// When the budget is exhausted; within, as [`Normal::new`].
    pub fn within(
        game: impl Into<Arc<Game>>,
        options: &NormalOptions,
        meter: &Meter<'_>,
    ) -> Result<Result<Normal, Diagnostic>, Exhausted> {
        match Normal::of(&game.into(), options, meter) {
            Ok(normal) => Ok(Ok(normal)),
            Err(NormalError::Refused(refusal)) => Ok(Err(refusal)),
            Err(NormalError::Exhausted(exhausted)) => Err(exhausted),
        }
    }

    fn of(
        game: &Arc<Game>,
        options: &NormalOptions,
        meter: &Meter<'_>,
    ) -> Result<Normal, NormalError> {
        let mut names = Names::new(game.clone());
        let rules = local::divide(timing::without_given(&game.rules), &mut names, meter)?;
        let rules = timing::divide(rules, &mut names, meter)?;
        let mut clauses = clause::clauses(&rules, &mut names, meter)?;
        let shapes = match shape::infer(&clauses.clauses, &names, meter) {
            Err(NormalError::Refused(unbounded)) => {
                if !enumerate::enumerate(&mut clauses.clauses, &names, meter)? {
                    return Err(unbounded.into());
                }
                shape::infer(&clauses.clauses, &names, meter)?
            }
            shapes => shapes?,
        };
        let mut normal = flatten::flatten(&rules, clauses, &shapes, names, meter)?;
        if options.redundant_removal {
            redundant::remove(&mut normal, meter)?;
        }
        meter.check()?;
        Ok(normal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gdl::Symbol;
    use gdlr_text::budget::{Budget, Limit};
    use std::fmt::Write;
    use std::sync::atomic::AtomicBool;

    fn normal(text: &str) -> Normal {
        let game = Game::from_kif("t", text).unwrap();
        Normal::new(game, &NormalOptions { redundant_removal: false }).unwrap()
    }

    #[test]
    fn a_game_is_shared_and_not_changed() {
        let text = "(role r) (<= (goal ?r 100) won) (<= (goal ?r 0) (role ?r) (not (goal ?r 100)))";
        let game = Arc::new(Game::from_kif("t", text).unwrap());
        let n = Normal::new(game.clone(), &NormalOptions::default()).unwrap();
        assert!(Arc::ptr_eq(&game, n.game()));
        assert_eq!(game.symbols.len(), Game::from_kif("t", text).unwrap().symbols.len());
        // A rule that needs all constants, and a relation that is divided: both have names.
        let mut names = (0..n.relations.len()).map(|id| n.relation_name(RelationId(id as u32)));
        assert!(names.any(|name| name == "goal 0/2"));
        assert_eq!(n.relation_name(n.anything.unwrap()), "any constant/1");
    }

    #[test]
    fn every_function_has_its_base_relation() {
        let text = "(role r) (init (cell 1 b)) (init step) (<= (next ?f) (true ?f)) \
            (<= (next (cell 2 ?x)) (true (cell 1 ?x)))";
        let n = normal(text);
        let names: Vec<String> = n.fluents.iter().map(|f| n.relation_name(f.base)).collect();
        assert_eq!(names, ["true constants", "true cell/2"]);
        let persistence = text.find("(<= (next ?f)").unwrap() as u32;
        let persists = n.rules.iter().filter(|rule| rule.source.start == persistence).count();
        assert_eq!(persists, 2);
    }

    #[test]
    fn facts_come_back_from_rows() {
        let n = normal("(role r) (init (at (pos 1 2) x)) (init (at nowhere y)) (init done)");
        for rule in &n.rules {
            let Some(f) = n.fluents.iter().find(|f| f.init == rule.head.relation) else { continue };
            let row: Vec<Symbol> = rule
                .head
                .args
                .iter()
                .map(|term| match term {
                    FlatTerm::Constant(symbol) => *symbol,
                    FlatTerm::Variable(_) => unreachable!("facts are ground"),
                })
                .collect();
            let fact = n.decode_fact(f.fluent, f.init, &row);
            let (place, encoded) = n.encode_fact(&fact).unwrap();
            assert_eq!((n.fluents[place], encoded), (*f, row));
        }
    }

    #[test]
    fn a_variable_with_two_layouts_is_split() {
        let n = normal("(p 1) (p (f 1)) (q 1) (q (g 2)) (q (f 3)) (<= (r ?x) (p ?x) (q ?x))");
        let heads: Vec<usize> =
            n.rules.iter().filter(|r| !r.body.is_empty()).map(|r| r.head.args.len()).collect();
        // As a constant and as a term of `f`; never of `g`.
        assert_eq!(heads, [2, 2]);
    }

    #[test]
    fn every_stage_looks_at_the_budget() {
        // Long for every stage: thousands of facts, a relation to divide by its constants, one
        // to divide by time, one that is evaluated term by term, and one that is redundant.
        let mut text = "(role r) (<= (legal r a) (does r b)) (goal r 100) (n 0)
            (<= (view ?x) (fact ?x))
            (<= (goal ?r 0) (role ?r) (not (goal ?r 100)))
            (<= (n (s ?x)) (n ?x) (distinct ?x "
            .to_owned();
        text += &("(s ".repeat(100) + "0" + &")".repeat(100) + "))");
        (0..5000).for_each(|number| write!(text, "(fact {number})").unwrap());
        let game = Arc::new(Game::from_kif("t", &text).unwrap());
        let stop = AtomicBool::new(true);
        let stopped = || Budget { interrupted: Some(&stop), ..Budget::UNLIMITED }.start();
        let free = Meter::unlimited();
        fn is_given_up<T>(stage: Result<T, NormalError>) -> bool {
            matches!(stage, Err(NormalError::Exhausted(why)) if why.limit == Limit::Interrupted)
        }

        let mut names = Names::new(game.clone());
        let rules = timing::without_given(&game.rules);
        assert!(is_given_up(local::divide(rules.clone(), &mut names.clone(), &stopped())));
        let rules = local::divide(rules, &mut names, &free).unwrap();
        assert!(is_given_up(timing::divide(rules.clone(), &mut names.clone(), &stopped())));
        let rules = timing::divide(rules, &mut names, &free).unwrap();
        assert!(is_given_up(clause::clauses(&rules, &mut names.clone(), &stopped())));
        let mut clauses = clause::clauses(&rules, &mut names, &free).unwrap();
        assert!(is_given_up(shape::infer(&clauses.clauses, &names, &stopped())));
        let result = enumerate::enumerate(&mut clauses.clauses.clone(), &names, &stopped());
        assert!(is_given_up(result));
        assert!(enumerate::enumerate(&mut clauses.clauses, &names, &free).unwrap());
        let shapes = shape::infer(&clauses.clauses, &names, &free).unwrap();
        let flat = flatten::flatten(&rules, clauses.clone(), &shapes, names.clone(), &stopped());
        assert!(is_given_up(flat));
        let mut normal = flatten::flatten(&rules, clauses, &shapes, names, &free).unwrap();
        let removed = redundant::remove(&mut normal, &stopped());
        assert!(is_given_up(removed.map_err(NormalError::from)));
    }
}
