//! Why what a user typed is no move: a number that there is not, a command that is misspelled, a
//! move that is not legal now, or nothing that the game has a word for.

use super::typed::{as_term, nearest_command};
use crate::cli::diagnostics::Printer;
use crate::cli::explain::show_line;
use crate::cli::output::{self, Page};
use crate::cli::{interrupt, status::Failure};
use gdlr::budget::Budget;
use gdlr::explain::{Explainer, Options, Question};
use gdlr::gdl::{Game, Term};
use gdlr::kif;
use std::sync::Arc;
use std::time::Duration;

/// How many rules deep a reason goes, and how many lines of it are shown.
const DEPTH: usize = 3;
const LINES: usize = 12;

/// The budget of a reason.
const TIME: Duration = Duration::from_secs(2);
const MEMORY: usize = 256 << 20;

const HELP: &str = "`help` says what you can type.";

/// The text that was typed, and the state that it was typed in.
pub struct RefusedInput<'a> {
    pub game: &'a Arc<Game>,
    pub role: &'a str,
    /// The facts of the state.
    pub facts: &'a [Term],
    /// How many legal moves the role has.
    pub moves: usize,
    pub typed: &'a str,
}

/// Says why, as far as that can be said without the rules.
pub fn print_plainly(moves: usize, typed: &str) -> Result<(), Failure> {
    let text = plainly(moves, typed)
        .unwrap_or_else(|| format!("That is none of your {moves} moves; {HELP}"));
    output::print(&format!("{text}\n"))
}

/// Says why, from the rules.
pub fn print(asked: &RefusedInput<'_>, printer: &Printer) -> Result<(), Failure> {
    let RefusedInput { game, role, facts, moves, typed } = *asked;
    let unknown = |name: &str| game.symbols.get(name).is_none();
    let first = typed.trim_start_matches('(').split_whitespace().next().unwrap_or_default();
    let is_number = typed.parse::<i64>().is_ok();
    if let Some(text) = plainly(moves, typed).filter(|_| is_number || unknown(first)) {
        return output::print(&format!("{text}\n"));
    }
    let Some(term) = as_term(typed) else {
        return output::print(&format!("A bracket is missing, or one too many; {HELP}\n"));
    };
    if kif::read(&term)
        .is_ok_and(|read| read.items.iter().any(|item| item.atom().is_some_and(unknown)))
    {
        return output::print(&format!(
            "`{term}` is neither a command nor a word of the game; {HELP}\n"
        ));
    }
    let sentence = kif::read(&format!("(legal {role} {term})")).ok();
    let sentence = sentence.as_ref().and_then(|read| read.items.first());
    let Some(sentence) = sentence else { return print_plainly(moves, typed) };
    let (question, game) = match Question::read_any(sentence, game) {
        Ok(read) => read,
        Err(error) => {
            let help = error.help.map_or_else(String::new, |help| format!("; {help}"));
            return output::print(&format!("That is no move: {}{help}\n", error.message));
        }
    };
    let explainer = Explainer::new(game);
    let budget = Budget { time: TIME, memory: MEMORY, interrupted: Some(&interrupt::STOP) };
    let options = Options { depth: DEPTH, ..Options::default() };
    let mut there = explainer.moment(facts, None);
    let reason = there.explain(&question, &options, &budget.start()).ok();
    let Some(reason) = reason.filter(|reason| !reason.holds) else {
        return print_plainly(moves, typed);
    };
    let mut page = Page::new();
    page.plain(&format!("{term} is not legal now; `state` lists your moves.\n"));
    let lines = reason.lines();
    lines.iter().take(LINES).for_each(|line| show_line(line, printer, &mut page));
    if lines.len() > LINES {
        page.faint("  ... `gdlr explain` says more\n");
    }
    page.print()
}

/// Why, if a number or a command is meant.
fn plainly(moves: usize, typed: &str) -> Option<String> {
    if typed.parse::<i64>().is_ok() {
        return Some(format!("Your moves have the numbers 1 to {moves}; {HELP}"));
    }
    let near = nearest_command(typed)?;
    Some(format!("There is no command `{typed}`; did you mean `{near}`? {HELP}"))
}
