//! The checks of rulesheets: errors and oddities.
//!
//! GDL is more than its grammar: SPEC restricts where its keywords may stand (definition 20),
//! wants rules safe (18) and stratified (7, 8), and bounds what recursion can build (15).
//! [`check`] reports every rule that breaks one of these as an error, and what is allowed
//! but probably not meant as a warning. Every message has a stable [`Code`], the place of the
//! exact text, and a line of help.
//!
//! | file | what it looks at | codes |
//! |---|---|---|
//! | `keyword_rules` | what must be there, and which keyword may be head or condition | E001–E004, E008, E009, E015, E016 |
//! | `keyword_terms` | keywords inside terms | E005, E006, W013 |
//! | `dependence` | keywords that must not depend on the state, on moves, or on each other | E010, E011 |
//! | `safety` | variables that nothing binds | E007, E012, E018, E020 |
//! | `stratification` | cycles through negation | E013, E019 |
//! | `recursion` | the recursion restriction | E014 |
//! | `arity` | names with several arities, or that are relation and function | W001, W003 |
//! | `spelling` | names in several spellings, unusual characters | W002, W009 |
//! | `production` | what nothing produces, reads or uses | W004, W005, W015 |
//! | `shape` | forms that other programs stumble over | W006, W007, W008, W010 |
//! | `chance` | what the role of chance has no use for | W011 |
//! | `hints` | how `base` and `input` are read | W012 |
//! | `roles`, `goal_values` | what is no role, what is no goal value | W014, E021 |
//!
//! A rulesheet of operations has warnings of its own, W016 to W019 ([`check_text`]).
//!
//! A rulesheet without a fault of these kinds may still be more than can be played: terms without bound
//! (E017), or more rules, roles or columns than there are numbers for (K004, G001). So a
//! rulesheet without an error that forbids play is also brought into normal form
//! ([`crate::normal`]), and why that is refused is reported with the rest. S001 to S004,
//! S006 and S007 need the game to be played.
//!
//! Which errors forbid play is written in the table of [`gdlr_text::diagnostic`]: those that
//! leave a rulesheet without a meaning. Public collections hold many sheets that break a
//! lesser rule and are played all the same.
//!
//! The cost is linear in the rulesheet, but for a factor of the nesting of `or` and `not`
//! in `safety` and `recursion`. A code is reported [`MAX_PER_CODE`] times at most; the last
//! message then says how many are left out.
//!
//! [`Code`]: gdlr_text::diagnostic::Code

mod arity;
mod chance;
mod dependence;
mod edges;
mod goal_values;
mod guaranteed;
mod hints;
mod keyword_rules;
mod keyword_terms;
mod kinds;
mod open;
mod path;
mod placed;
mod production;
mod recursion;
mod roles;
mod safety;
mod shape;
mod sheet;
mod spelling;
mod stratification;

use crate::gdl::Game;
use crate::normal::{Normal, NormalOptions};
use gdlr_text::budget::{Exhausted, Meter};
use gdlr_text::diagnostic::Diagnostic;
use gdlr_text::findings::Findings;
use gdlr_text::notation;
use sheet::Sheet;

pub use gdlr_text::findings::MAX_PER_CODE;

/// Diagnoses a rulesheet that could be read; the result is sorted by place.
///
/// ```
/// # mod gdlr { pub use gdlr_rules::{check, gdl}; }
/// use gdlr::{check, gdl::Game};
/// let rules = "(role a) (legal a wait) (goal a 0) (<= terminal (not (won ?x)))";
/// let game = Game::from_kif("t", rules).unwrap();
/// let codes: Vec<_> = check::check(&game).iter().map(|d| d.code.as_str()).collect();
/// assert_eq!(codes, ["E020", "W004"]);
/// ```
pub fn check(game: &Game) -> Vec<Diagnostic> {
    check_within(game, &Meter::unlimited()).expect("there is no limit")
}

/// The same of a game that was read from `text`, with the warnings that only its notation has; see
/// [`notation::warnings`].
pub fn check_text(game: &Game, text: &str) -> Vec<Diagnostic> {
    let mut found = check(game);
    found.extend(notation::warnings(text));
    found.sort_by_key(|found| found.span);
    found
}

/// As [`check`], within a budget: bringing rules into normal form may take long.
///
/// # Errors
///
/// When the budget is exhausted.
pub fn check_within(game: &Game, meter: &Meter<'_>) -> Result<Vec<Diagnostic>, Exhausted> {
    let sheet = Sheet::new(game);
    let mut findings = Findings::default();
    for pass in [
        keyword_rules::check,
        keyword_terms::check,
        dependence::check,
        safety::check,
        stratification::check,
        recursion::check,
        arity::check,
        spelling::check,
        production::check,
        shape::check,
        chance::check,
        hints::check,
        roles::check,
        goal_values::check,
    ] {
        pass(&sheet, &mut findings);
    }
    if !findings.forbid_play()
        && let Err(refusal) = Normal::within(game.clone(), &NormalOptions::default(), meter)?
    {
        findings.report(refusal.code, || refusal);
    }
    Ok(findings.into_sorted())
}

#[cfg(test)]
mod tests {
    use super::*;
    use gdlr_text::diagnostic::Code;

    /// The findings of `check` in a text.
    pub(super) fn diagnose(text: &str) -> Vec<Diagnostic> {
        check(&Game::from_kif("t", text).unwrap())
    }

    /// The texts that `check` marks with `code`.
    pub(super) fn marked(text: &str, code: Code) -> Vec<&str> {
        let diagnostics = diagnose(text);
        diagnostics.iter().filter(|d| d.code == code).map(|d| &text[d.span.range()]).collect()
    }

    /// A game without a fault, to add one to.
    pub(super) const SOUND: &str = "(role a) (init (at 1)) (succ 1 2)
        (<= (legal ?r go) (role ?r))
        (<= (next (at ?y)) (does a go) (true (at ?x)) (succ ?x ?y))
        (<= (goal a 100) (true (at 2)))
        (<= terminal (true (at 2)))";

    #[test]
    fn a_sound_game_has_no_findings() {
        assert_eq!(diagnose(SOUND), []);
    }

    #[test]
    fn what_play_refuses_is_reported() {
        let with = |rules: &str| diagnose(&format!("{SOUND}\n{rules}"));
        let codes = |rules: &str| with(rules).iter().map(|d| d.code).collect::<Vec<_>>();
        let grows = "(init (c 0)) (<= (next (c (s ?x))) (true (c ?x)))";
        assert!(codes(grows).contains(&Code::Unbounded));
        let ors = (0..20).map(|i| format!("(or (succ ?x{i} 1) (succ 1 ?x{i}))"));
        let heads = (0..20).map(|i| format!("?x{i} "));
        let many = format!(
            "(<= (many {}) {}) (<= (next (at ?x0)) (many {0}))",
            heads.collect::<String>(),
            ors.collect::<String>()
        );
        assert!(codes(&many).contains(&Code::TooLarge));
        let roles: String = (0..1024).map(|i| format!("(role r{i})")).collect();
        assert!(codes(&roles).contains(&Code::TooLarge));
        // Once only, and only if nothing else is in the way.
        let unstratified = with("(<= (x) (not (y))) (<= (y) (x))");
        assert_eq!(unstratified.iter().filter(|d| d.code == Code::NotStratified).count(), 1);
    }

    #[test]
    fn findings_are_sorted_by_place() {
        let diagnostics = diagnose("(p) (true q) (<= (r ?x) (or (s ?x))) (<= (t))");
        assert!(diagnostics.is_sorted_by_key(|d| d.span));
        assert!(diagnostics.len() > 6);
    }

    #[test]
    fn findings_are_capped_by_code_and_say_so() {
        let text: String = (0..5000).map(|i| format!("(true (f {i}))\n")).collect();
        let diagnostics = diagnose(&text);
        let of_code: Vec<_> =
            diagnostics.iter().filter(|d| d.code == Code::StandaloneState).collect();
        assert_eq!(of_code.len(), MAX_PER_CODE);
        let help = of_code[MAX_PER_CODE - 1].help.as_deref().unwrap();
        assert!(help.contains("4900 more"), "{help}");
    }
}
