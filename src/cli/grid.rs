//! Showing a state to a person: boards as grids, other facts as lists.

use gdlr::gdl::{Symbol, SymbolTable, Term};
use std::collections::{BTreeMap, BTreeSet};

/// A board has at most so many columns or rows.
const LARGEST_BOARD: usize = 26;

/// A cell shows at most so many characters.
const WIDEST_CELL: usize = 12;

/// A list of facts shows at most so many.
const SHOWN_FACTS: usize = 60;

const WIDTH: usize = 80;

/// What an empty cell shows.
const BLANK: &str = ".";

/// The order in which people expect names: numbers by value, and before words.
pub fn natural_order(text: &str) -> Vec<(bool, u64, String)> {
    text.split(|c: char| c.is_whitespace() || matches!(c, '(' | ')'))
        .filter(|word| !word.is_empty())
        .map(|word| match word.parse::<u64>() {
            Ok(number) => (false, number, word.to_owned()),
            Err(_) => (true, 0, word.to_owned()),
        })
        .collect()
}

/// Items in columns, down before across.
pub fn columns(items: &[String], width: usize) -> String {
    let widest = items.iter().map(|item| item.chars().count()).max().unwrap_or(0) + 2;
    let across = (width / widest).max(1);
    let rows = items.len().div_ceil(across);
    let mut text = String::new();
    for row in 0..rows {
        let mut line = String::new();
        for item in items.iter().skip(row).step_by(rows) {
            line += item;
            line += &" ".repeat(widest - item.chars().count());
        }
        text += line.trim_end();
        text.push('\n');
    }
    text
}

/// A state as text.
pub fn state_text(facts: &[Term], symbols: &SymbolTable) -> String {
    let mut groups: BTreeMap<(&str, usize), Vec<Vec<String>>> = BTreeMap::new();
    let mut plain: Vec<String> = Vec::new();
    for fact in facts {
        match fact {
            Term::Function(name, args) if args.len() > 1 => {
                let args = args.iter().map(|arg| arg.spelled(symbols)).collect::<Vec<_>>();
                groups.entry((symbols.spelling(*name), args.len())).or_default().push(args);
            }
            _ => plain.push(fact.spelled(symbols)),
        }
    }
    let mut text = String::new();
    for ((name, _), rows) in groups {
        match Board::find(&rows) {
            Some(board) => text += &format!("{name}\n{}", board.text()),
            None => plain.extend(rows.iter().map(|args| format!("({name} {})", args.join(" ")))),
        }
    }
    plain.sort_by_cached_key(|fact| natural_order(fact));
    let hidden = plain.len().saturating_sub(SHOWN_FACTS);
    plain.truncate(SHOWN_FACTS);
    text += &columns(&plain, WIDTH);
    if hidden > 0 {
        text += &format!("... and {hidden} more facts\n");
    }
    text
}

/// Facts with two arguments that look like the coordinates of a cell.
struct Board {
    across: Vec<String>,
    up: Vec<String>,
    cells: BTreeMap<(String, String), String>,
}

impl Board {
    /// The first two arguments that can be coordinates: numbers or single letters, few of
    /// them, and no pair of them twice.
    fn find(rows: &[Vec<String>]) -> Option<Board> {
        let arity = rows[0].len();
        let pairs = (0..arity).flat_map(|x| (x + 1..arity).map(move |y| (x, y)));
        pairs.filter(|_| rows.len() > 1).find_map(|(x, y)| Board::with_axes(rows, x, y))
    }

    fn with_axes(rows: &[Vec<String>], x: usize, y: usize) -> Option<Board> {
        let across = axis(rows, x)?;
        let up = axis(rows, y)?;
        let mut cells = BTreeMap::new();
        for row in rows {
            let rest: Vec<&str> = (0..row.len())
                .filter(|&place| place != x && place != y)
                .map(|place| row[place].as_str())
                .collect();
            let content = match &rest[..] {
                [] => "*".to_owned(),
                ["b" | "B" | "blank" | "empty" | "Blank" | "Empty"] => BLANK.to_owned(),
                rest => rest.join(" "),
            };
            if content.chars().count() > WIDEST_CELL
                || cells.insert((row[x].clone(), row[y].clone()), content).is_some()
            {
                return None;
            }
        }
        Some(Board { across, up, cells })
    }

    /// The first coordinate runs to the right, the second upwards.
    fn text(&self) -> String {
        let contents = self.cells.values().chain(&self.across);
        let width = contents.map(|content| content.chars().count()).max().unwrap_or(1) + 1;
        let has_blanks = self.cells.values().any(|content| content == BLANK);
        let absent = if has_blanks { "" } else { BLANK };
        let margin = self.up.iter().map(|label| label.chars().count()).max().unwrap_or(1);
        let padded = |text: &str, width: usize| format!("{text:>width$}");
        let mut text = String::new();
        for up in self.up.iter().rev() {
            let mut line = format!("  {}", padded(up, margin));
            for across in &self.across {
                let content = self.cells.get(&(across.clone(), up.clone()));
                line += &padded(content.map_or(absent, String::as_str), width);
            }
            text += line.trim_end();
            text.push('\n');
        }
        text += &format!("  {}", " ".repeat(margin));
        for across in &self.across {
            text += &padded(across, width);
        }
        text.push('\n');
        text
    }
}

/// The values of an argument in order, if they can be coordinates.
fn axis(rows: &[Vec<String>], place: usize) -> Option<Vec<String>> {
    let values: BTreeSet<&String> = rows.iter().map(|row| &row[place]).collect();
    let number = |value: &&String| value.len() < 4 && value.bytes().all(|b| b.is_ascii_digit());
    let letter = |value: &&String| value.len() == 1 && value.as_bytes()[0].is_ascii_alphabetic();
    let fits = values.len() <= LARGEST_BOARD
        && (values.iter().all(number) || values.len() > 1 && values.iter().all(letter));
    let mut values: Vec<String> = values.into_iter().cloned().collect();
    values.sort_by_cached_key(|value| natural_order(value));
    // Where only the taken cells are facts, the others have their place all the same.
    let bound = |value: Option<&String>| value.and_then(|value| value.parse::<usize>().ok());
    if let (Some(low), Some(high)) = (bound(values.first()), bound(values.last()))
        && (low.min(1)..=high).count() <= LARGEST_BOARD
    {
        values = (low.min(1)..=high).map(|value| value.to_string()).collect();
    }
    fits.then_some(values)
}

/// The number of arguments of a relation, as `name/arity`.
pub fn indicator(symbols: &SymbolTable, symbol: Symbol, arity: usize) -> String {
    format!("{}/{arity}", symbols.spelling(symbol))
}

#[cfg(test)]
mod tests {
    use super::*;
    use gdlr::gdl::Game;

    fn text(facts: &str) -> String {
        let game = Game::from_kif("t", &format!("(facts {facts})")).unwrap();
        state_text(&game.rules[0].head.args, &game.symbols)
    }

    #[test]
    fn a_board_is_a_grid() {
        let shown = text("(cell 1 1 x) (cell 1 2 b) (cell 2 1 king) (control white) done");
        assert_eq!(shown, "cell\n  2    .\n  1    x king\n       1    2\n(control white)  done\n");
    }

    #[test]
    fn cells_without_a_fact_are_empty() {
        assert_eq!(text("(at 1 3 x) (at 2 1 o)"), "at\n  3 x .\n  2 . .\n  1 . o\n    1 2\n");
    }

    #[test]
    fn what_is_no_board_is_a_list() {
        let shown = text("(heap a 3) (heap a 10) (heap (f 1) 2) 10 9");
        assert_eq!(shown, "9  10  (heap a 3)  (heap a 10)  (heap (f 1) 2)\n");
    }

    #[test]
    fn columns_run_down() {
        let items: Vec<String> = (1..=5).map(|i| i.to_string()).collect();
        assert_eq!(columns(&items, 6), "1  4\n2  5\n3\n");
        assert_eq!(columns(&[], 80), "");
    }
}
