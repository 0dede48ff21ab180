//! Checks of a description: errors and warnings.
//!
//! An **error** is a violation of RG (section 2.1): types that do not agree, definitions that are
//! missing or contradict each other, reachability checks that need themselves. A **warning** is
//! about a text that RG allows, but that is hardly meant. It may also be about a question that only
//! play decides, or a text that other programs read differently.
//!
//! The tools of the language's authors accept every description without errors, unless a warning
//! says otherwise. They also accept some descriptions without a meaning, which are errors here.
//!
//! Types are compared as RG defines it: they agree if they have a common value.
//!
//! | file | subject | codes |
//! |---|---|---|
//! | `built_ins` | the definitions that every game has | R101–R103, R215, R216, R220 |
//! | `definitions` | names that are defined twice; odd sets | R104, R202, R203 |
//! | `maps` | keys and defaults | R105, R106 |
//! | `type_names` | types by themselves | R107–R111 |
//! | `assignments` | the targets of assignments | R112, R113 |
//! | `tags` | variables as tags, tags that can go on for ever | R112, R116, R120 |
//! | `expressions` | types on edges | R107, R114–R116, R205 |
//! | `values` | types of values, constants defined by themselves or before others | R117, R118, R218 |
//! | `walks` | the nodes that walks can reach, and their ends | R119, R212–R214, R219 |
//! | `recursion` | reachability checks that need themselves | R121, R209 |
//! | `reachability` | reachability checks that are decided | R207, R208 |
//! | `unused` | definitions without a use | R201 |
//! | `traps` | texts that other programs read differently | R204, R206, R210 |
//! | `pragmas` | the nodes and variables in pragmas | R211 |
//! | `limits` | descriptions that cannot be played | R004, R114 |
//!
//! The conditions of a proper description that only play shows are not checked here: that the
//! keeper has one move, that the game ends.
//!
//! The cost is linear in the description, with two exceptions that have budgets: types that do not
//! agree, and reachability checks in cycles. A code is reported at most
//! [`MAX_PER_CODE`](gdlr_text::findings::MAX_PER_CODE) times. The last message says how many
//! findings are left out.

mod assignments;
mod built_ins;
mod definitions;
mod expressions;
mod limits;
mod maps;
mod pragmas;
mod reachability;
mod recursion;
mod scope;
mod tags;
mod traps;
mod type_names;
mod unused;
mod values;
mod walks;

use super::ast::Description;
use gdlr_text::budget::{Exhausted, Meter};
use gdlr_text::diagnostic::{Code, Diagnostic};
use gdlr_text::findings::Findings;
use scope::Scope;
pub(super) use unused::drop_types;

/// Diagnoses a description that could be read; the result is sorted by place.
///
/// Built-in definitions may be missing; they are taken to be there.
///
/// ```
/// # mod gdlr { pub use gdlr_rg::rg; }
/// use gdlr::rg;
/// let text = "type Player = { x }; type Score = { 0 };
///     var v: Score = 0; begin, end: player = nobody;";
/// let diagnostics = rg::validate(&rg::read(text).unwrap());
/// let codes: Vec<&str> = diagnostics.iter().map(|one| one.code.as_str()).collect();
/// assert_eq!(codes, ["R201", "R114", "R219"]);
/// ```
pub fn validate(description: &Description) -> Vec<Diagnostic> {
    validate_within(description, &Meter::unlimited()).expect("there is no limit")
}

/// As [`validate`], within a budget.
///
/// # Errors
///
/// When the budget is exhausted.
pub(crate) fn validate_within(
    description: &Description,
    meter: &Meter<'_>,
) -> Result<Vec<Diagnostic>, Exhausted> {
    let (types, variables) = (description.missing_types(), description.missing_variables());
    let scope = Scope::new(description, (&types, &variables), meter);
    let mut findings = Findings::default();
    for pass in [
        built_ins::check,
        definitions::check,
        maps::check,
        type_names::check,
        assignments::check,
        tags::check,
        expressions::check,
        values::check,
        walks::check,
        recursion::check,
        reachability::check,
        unused::check,
        traps::check,
        pragmas::check,
        limits::check,
    ] {
        // A pass that the budget stops has seen only a part of the description.
        pass(&scope, &mut findings);
        meter.check()?;
    }
    Ok(findings.into_sorted())
}

/// Whether a finding with this code, though no error, shows that the game is not proper. Play need
/// not show it. The edges into `end` are not among these findings, since no play may take them.
pub(crate) fn makes_improper(code: Code) -> bool {
    matches!(code, Code::RgSystemPlayer | Code::RgFirstPlayer | Code::RgBuiltInDiffers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rg::read;
    use gdlr_text::budget::{Budget, Limit};
    use std::sync::atomic::AtomicBool;

    /// The texts that are marked with `code`.
    #[track_caller]
    pub(super) fn marked(text: &str, code: Code) -> Vec<&str> {
        let findings = validate(&read(text).unwrap());
        findings.iter().filter(|d| d.code == code).map(|d| &text[d.span.range()]).collect()
    }

    /// The codes of the findings in a text, by place.
    #[track_caller]
    pub(super) fn codes(text: &str) -> Vec<&'static str> {
        validate(&read(text).unwrap()).iter().map(|d| d.code.as_str()).collect()
    }

    #[test]
    fn a_sound_game_has_no_findings() {
        let text = "type Player = { x, o }; type Score = { 0, 100 }; type Coord = { 1, 2, 3 };
            type Piece = { e, x, o }; type Board = Coord -> Piece;
            const next: Coord -> Coord = { 1: 2, 2: 3, :1 };
            var board: Board = { :e }; var at: Coord = 1; var turn: Player = x;
            begin, turn: player = turn;
            turn, chosen: at = Coord(*); chosen, tagged: $$ at; tagged, free: board[at] == e;
            free, done: board[at] = turn; done, check: player = keeper;
            check, won: ? line -> three; check, other: ! line -> three;
            line, three: board[next[at]] == x;
            won, last: goals[turn] = 100; last, end: player = keeper;
            other, again: turn != x; again, back: turn = x; back, turn: player = turn;
            other, over: turn == x; over, forth: turn = o; forth, turn: player = turn;";
        assert_eq!(codes(text), [""; 0]);
    }

    #[test]
    fn checks_can_be_interrupted() {
        let stop = AtomicBool::new(true);
        let meter = Budget { interrupted: Some(&stop), ..Budget::UNLIMITED }.start();
        let description = read("begin, end: ;").unwrap();
        let why = validate_within(&description, &meter).expect_err("it is interrupted");
        assert_eq!(why.limit, Limit::Interrupted);
    }

    #[test]
    fn nothing_is_found_in_the_smallest_game() {
        let text = "type Player = { x };\ntype Score = { 0 };\nbegin, end: player = keeper;\n";
        assert_eq!(codes(text), [""; 0]);
        assert_eq!(codes(""), ["R101", "R101", "R119"]);
    }

    #[test]
    fn built_in_definitions_may_be_written_down() {
        let text = "type Player = { x }; type Score = { 0 }; begin, end: player = keeper;";
        let mut description = read(text).unwrap();
        description.add_built_ins();
        assert_eq!(validate(&description), []);
    }
}
