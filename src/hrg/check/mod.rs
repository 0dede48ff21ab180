//! What is wrong with a game, and what is odd about it.
//!
//! Three looks, each if the one before finds no error: names by themselves, for all of the text;
//! then the game is expanded, which shows whether functions cover their arguments and values are
//! in their domains, and how large it becomes; then the automaton is checked
//! ([`rg::validate`](crate::rg::validate())), which shows whether types agree. Its errors have
//! their places in the game.
//!
//! | file | what it looks at | codes |
//! |---|---|---|
//! | `scope` | what names stand for; types | H102, H113 |
//! | `declarations` | domains, functions, variables | H101, H105, H110, H111, H113 |
//! | `expressions` | names in expressions | H103, H105, H111, H112, H116 |
//! | `statements` | statements and calls | H101, H104–H107, H109, H120 |
//! | `recursion` | graphs that call themselves | H108 |
//! | `unused` | definitions without a use | H201 |
//!
//! What is only seen when the game is expanded has the codes H113–H119 and H202.

mod declarations;
mod expressions;
mod recursion;
mod scope;
mod statements;
mod unused;

use super::ast::Game;
use super::limits::Limits;
use super::translate::expand;
use crate::diagnostic::{Code, Diagnostic, Severity, Span};
use crate::rg::{self, Description};
use hashbrown::HashSet;
use scope::Checker;

/// Diagnoses a game that could be read; the result is sorted by place.
///
/// ```
/// use gdlr::hrg;
/// let text = "domain Player = x\ndomain Score = 0\ngraph rules() { player = x ends() }";
/// let found = hrg::check(&hrg::read(text).unwrap());
/// assert_eq!(found.iter().map(|d| d.code.as_str()).collect::<Vec<_>>(), ["H104"]);
/// ```
pub fn check(game: &Game) -> Vec<Diagnostic> {
    let mut found = names(game);
    if !has_errors(&found) {
        match expanded(game, Limits::default()) {
            Ok((_, warnings)) => found.extend(warnings),
            Err(errors) => found.extend(errors),
        }
    }
    found.sort_by_key(|diagnostic| (diagnostic.span, diagnostic.code));
    found
}

/// The automaton of a game, within the [default limits](Limits::default()).
///
/// # Errors
///
/// Those of [`check()`].
///
/// ```
/// use gdlr::{hrg, rg};
/// let text = "domain Player = x\ndomain Score = 0\ngraph rules() { player = x $ go end() }";
/// let description = hrg::translate(&hrg::read(text).unwrap()).unwrap();
/// assert!(rg::print(&description).unwrap().contains("begin, rules_1: player = x;\n"));
/// ```
pub fn translate(game: &Game) -> Result<Description, Vec<Diagnostic>> {
    translate_within(game, Limits::default())
}

/// The automaton of a game, within limits.
///
/// # Errors
///
/// Those of [`check()`]; where the game grows beyond a limit, the error says what grew.
pub fn translate_within(game: &Game, limits: Limits) -> Result<Description, Vec<Diagnostic>> {
    let mut found = names(game);
    if has_errors(&found) {
        found.retain(|diagnostic| diagnostic.severity() == Severity::Error);
        return Err(found);
    }
    expanded(game, limits).map(|(description, _)| description)
}

/// What is wrong with names.
fn names(game: &Game) -> Vec<Diagnostic> {
    let mut checker = Checker::new(game);
    checker.declarations();
    checker.graphs();
    checker.recursion();
    checker.unused();
    checker.findings.into_sorted()
}

/// The automaton and warnings.
fn expanded(
    game: &Game,
    limits: Limits,
) -> Result<(Description, Vec<Diagnostic>), Vec<Diagnostic>> {
    let (description, warnings) = expand(game, limits)?;
    let mut told: HashSet<(Code, Span)> = HashSet::new();
    let mut errors = rg::validate(&description);
    // Each copy of a graph has the errors of the graph.
    errors.retain(|found| {
        found.severity() == Severity::Error && told.insert((found.code, found.span))
    });
    if errors.is_empty() { Ok((description, warnings)) } else { Err(errors) }
}

fn has_errors(found: &[Diagnostic]) -> bool {
    found.iter().any(|diagnostic| diagnostic.severity() == Severity::Error)
}
