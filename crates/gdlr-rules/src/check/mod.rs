//! The checks of rulesheets: errors and warnings.
//!
//! SPEC restricts rulesheets beyond their grammar. Keywords may stand only at certain places
//! (definition 20). Rules are safe (18) and stratified (7, 8). Recursion builds only finitely many
//! terms (15). [`check`] reports every rule that breaks one of these restrictions as an error. It
//! reports a text that is allowed, but probably not meant, as a warning. Every message has a stable
//! [`Code`], the place of the text, and a line of help.
//!
//! | file | subject | codes |
//! |---|---|---|
//! | `keyword_rules` | rules that must be there; keywords in heads and conditions | E001–E004, E008, E009, E015, E016 |
//! | `keyword_terms` | keywords inside terms | E005, E006, W013 |
//! | `dependence` | keywords that must not depend on the state, on moves, or on each other | E010, E011 |
//! | `safety` | variables that nothing binds | E007, E012, E018, E020 |
//! | `stratification` | cycles through negation | E013, E019 |
//! | `recursion` | the recursion restriction | E014 |
//! | `arity` | names with several arities; names of both a relation and a function | W001, W003 |
//! | `spelling` | names in several spellings, unusual characters | W002, W009 |
//! | `production` | facts and relations that no rule gives, or that no rule reads | W004, W005, W015 |
//! | `shape` | texts that other programs read differently | W006, W007, W008, W010 |
//! | `chance` | rules about the role of chance that have no use | W011 |
//! | `hints` | `base` and `input` | W012 |
//! | `roles`, `goal_values` | names that are not roles, goal values that are not allowed | W014, E021 |
//!
//! A rulesheet of operations has warnings of its own, W016 to W019 ([`check_text`]).
//!
//! A rulesheet that passes these checks may still be too large to play: it may have terms without bound
//! (E017), or more rules, roles or columns than there are numbers for (K004, G001). So [`check`] also
//! brings the rulesheet into normal form ([`crate::normal`]), if no error forbids play, and reports the
//! reason of a refusal. Other codes come from play: S001 to S004, S006 and S007.
//!
//! The table of [`gdlr_text::diagnostic`] says which errors forbid play: the errors that leave a
//! rulesheet without a meaning. Many rulesheets of public collections break another restriction, and are
//! played all the same.
//!
//! The cost is linear in the rulesheet, with one exception: `safety` and `recursion` also have the depth
//! of nested `or` and `not` as a factor. A code is reported [`MAX_PER_CODE`] times at most. The last
//! message says how many findings are left out.
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
    let mut diagnostics = check(game);
    diagnostics.extend(notation::warnings(text));
    diagnostics.sort_by_key(|diagnostic| diagnostic.span);
    diagnostics
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
