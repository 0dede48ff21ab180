//! Showing a state to a person: boards as grids, other facts as lists.

use gdlr::gdl::{Symbol, SymbolTable, Term};
use std::collections::{BTreeMap, BTreeSet};

/// A board has at most so many columns or rows.
const LARGEST_BOARD: usize = 26;

/// Facts of more arguments are never cells of a board.
const MOST_ARGUMENTS: usize = 6;

/// A cell shows at most so many characters.
const WIDEST_CELL: usize = 12;

/// A list of facts shows at most so many.
const SHOWN_FACTS: usize = 60;

const WIDTH: usize = 80;

/// Between columns.
const GAP: usize = 2;

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

/// Items in columns, down before across, in as few rows as fit.
pub fn columns(items: &[String], width: usize) -> String {
    let fewest = (1..items.len())
        .find(|&rows| column_widths(items, rows).iter().sum::<usize>() <= width + GAP);
    let rows = fewest.unwrap_or(items.len());
    let widths = column_widths(items, rows);
    let mut text = String::new();
    for row in 0..rows {
        let mut line = String::new();
        for (item, width) in items.iter().skip(row).step_by(rows).zip(&widths) {
            line += &format!("{item:<width$}");
        }
        text += line.trim_end();
        text.push('\n');
    }
    text
}

/// By column of so many rows: its width, with the gap to the next.
fn column_widths(items: &[String], rows: usize) -> Vec<usize> {
    let widest = |column: &[String]| column.iter().map(|item| item.chars().count()).max();
    items.chunks(rows.max(1)).map(|column| widest(column).unwrap_or(0) + GAP).collect()
}

/// What the facts of a game look like: which of them fill a board, and how large it is.
///
/// Learnt from states, best from those of a few playouts, so that a board keeps its size
/// where only the taken cells are facts.
#[derive(Debug, Default)]
pub struct Layout {
    groups: BTreeMap<(Symbol, usize), Group>,
}

/// What was seen of the facts with one name and arity.
#[derive(Debug, Default)]
struct Group {
    /// By argument: its values.
    values: Vec<BTreeSet<String>>,
    /// Pairs of arguments that two facts of one state had in common; (x, x) is x alone.
    shared: BTreeSet<(usize, usize)>,
    /// The most facts in one state.
    most: usize,
}

/// The facts of a state with one name and arity, their arguments as text.
type Rows = BTreeMap<(Symbol, usize), Vec<Vec<String>>>;

impl Layout {
    /// Learns from a state.
    pub fn observe(&mut self, facts: &[Term], symbols: &SymbolTable) {
        for (key, rows) in group(facts, symbols).0 {
            let group = self.groups.entry(key).or_default();
            group.most = group.most.max(rows.len());
            group.values.resize(key.1, BTreeSet::new());
            for row in &rows {
                for (values, value) in group.values.iter_mut().zip(row) {
                    // One more than fit on a board are enough to know that it is none.
                    if values.len() <= LARGEST_BOARD {
                        values.insert(value.clone());
                    }
                }
            }
            for (x, y) in pairs(key.1).chain((0..key.1).map(|x| (x, x))) {
                let mut seen = BTreeSet::new();
                if !rows.iter().all(|row| seen.insert((&row[x], &row[y]))) {
                    group.shared.insert((x, y));
                }
            }
        }
    }

    /// A state as text.
    pub fn text(&self, facts: &[Term], symbols: &SymbolTable) -> String {
        let (groups, mut plain) = group(facts, symbols);
        let mut text = String::new();
        for (key, rows) in groups {
            let name = key.0.spelled(symbols);
            let axes = self.groups.get(&key).and_then(Group::axes);
            match axes.and_then(|axes| axes.text(&rows)) {
                Some(board) => text += &format!("{name}\n{board}"),
                None => {
                    plain.extend(rows.iter().map(|args| format!("({name} {})", args.join(" "))));
                }
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
}

/// The facts that may stand on a board, and the others.
fn group(facts: &[Term], symbols: &SymbolTable) -> (Rows, Vec<String>) {
    let mut groups = Rows::new();
    let mut plain = Vec::new();
    for fact in facts {
        match fact {
            Term::Function(name, args) if (2..=MOST_ARGUMENTS).contains(&args.len()) => {
                let row = args.iter().map(|arg| arg.spelled(symbols)).collect();
                groups.entry((*name, args.len())).or_default().push(row);
            }
            _ => plain.push(fact.spelled(symbols)),
        }
    }
    (groups, plain)
}

fn pairs(arity: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..arity).flat_map(move |x| (x + 1..arity).map(move |y| (x, y)))
}

impl Group {
    /// The first two arguments that can be coordinates: numbers or letters, few of them, and
    /// no pair of them twice in a state.
    fn axes(&self) -> Option<Axes> {
        let arity = self.values.len();
        // Of two arguments the one may be a value of the other, as the size of a heap is.
        let is_value = |x| arity == 2 && !self.shared.contains(&(x, x));
        let fits = |&(x, y): &(usize, usize)| {
            self.most > 1 && !self.shared.contains(&(x, y)) && !is_value(x) && !is_value(y)
        };
        pairs(arity).filter(fits).find_map(|(x, y)| {
            Some(Axes { x, y, across: axis(&self.values[x])?, up: axis(&self.values[y])? })
        })
    }
}

/// Where the cells of a board have their coordinates, and what those can be. The first
/// coordinate runs to the right, the second upwards.
struct Axes {
    x: usize,
    y: usize,
    across: Vec<String>,
    up: Vec<String>,
}

impl Axes {
    /// The board as text, or `None` if a fact does not fit.
    fn text(&self, rows: &[Vec<String>]) -> Option<String> {
        let mut cells: BTreeMap<(&str, &str), String> = BTreeMap::new();
        for row in rows {
            let rest: Vec<&str> = (0..row.len())
                .filter(|&place| place != self.x && place != self.y)
                .map(|place| row[place].as_str())
                .collect();
            let content = match &rest[..] {
                [] => "*".to_owned(),
                ["b" | "B" | "blank" | "empty" | "Blank" | "Empty"] => BLANK.to_owned(),
                rest => rest.join(" "),
            };
            let fits = content.chars().count() <= WIDEST_CELL
                && self.across.contains(&row[self.x])
                && self.up.contains(&row[self.y]);
            if !fits || cells.insert((&row[self.x], &row[self.y]), content).is_some() {
                return None;
            }
        }
        let has_blanks = cells.values().any(|content| content == BLANK);
        let absent = if has_blanks { "" } else { BLANK };
        let contents = cells.values().chain(&self.across);
        let width = contents.map(|content| content.chars().count()).max().unwrap_or(1) + 1;
        let margin = self.up.iter().map(|label| label.chars().count()).max().unwrap_or(1);
        let mut text = String::new();
        for up in self.up.iter().rev() {
            let mut line = format!("  {up:>margin$}");
            for across in &self.across {
                let content = cells.get(&(across.as_str(), up.as_str()));
                line += &format!("{:>width$}", content.map_or(absent, String::as_str));
            }
            text += line.trim_end();
            text.push('\n');
        }
        text += &" ".repeat(2 + margin);
        for across in &self.across {
            text += &format!("{across:>width$}");
        }
        text.push('\n');
        Some(text)
    }
}

/// The values of an argument in order, if they can be coordinates: numbers, or the letters
/// from `a` on.
fn axis(values: &BTreeSet<String>) -> Option<Vec<String>> {
    let number = |value: &String| value.len() < 4 && value.bytes().all(|b| b.is_ascii_digit());
    let letters = || {
        values
            .iter()
            .zip('a'..='z')
            .all(|(value, letter)| value.eq_ignore_ascii_case(letter.encode_utf8(&mut [0; 4])))
    };
    let fits =
        (2..=LARGEST_BOARD).contains(&values.len()) && (values.iter().all(number) || letters());
    let mut values: Vec<String> = values.iter().cloned().collect();
    values.sort_by_cached_key(|value| natural_order(value));
    fits.then_some(values)
}

/// The number of arguments of a relation, as `name/arity`.
pub fn indicator(symbols: &SymbolTable, symbol: Symbol, arity: usize) -> String {
    format!("{}/{arity}", symbol.spelled(symbols))
}

#[cfg(test)]
mod tests {
    use super::*;
    use gdlr::gdl::Game;

    /// The last state as text, with what is learnt from all.
    fn text(states: &[&str]) -> String {
        let sheet: String = states.iter().map(|facts| format!("(facts {facts})")).collect();
        let game = Game::from_kif("t", &sheet).unwrap();
        let mut layout = Layout::default();
        let states: Vec<_> = game.rules.iter().map(|rule| &rule.head.args).collect();
        states.iter().for_each(|facts| layout.observe(facts, &game.symbols));
        layout.text(states[states.len() - 1], &game.symbols)
    }

    #[test]
    fn a_board_is_a_grid() {
        let shown = text(&["(cell a 1 x) (cell a 2 b) (cell b 1 king) (control white) done"]);
        assert_eq!(shown, "cell\n  2    .\n  1    x king\n       a    b\n(control white)  done\n");
    }

    #[test]
    fn cells_without_a_fact_are_empty() {
        let shown = text(&["(at 1 2 x) (at 3 1 o)", "(at 2 1 o)"]);
        assert_eq!(shown, "at\n  2 . . .\n  1 . o .\n    1 2 3\n");
    }

    #[test]
    fn what_is_no_board_is_a_list() {
        let shown = text(&["(heap a 3) (heap a 10) (heap (f 1) 2) 10 9"]);
        assert_eq!(shown, "9  10  (heap a 3)  (heap a 10)  (heap (f 1) 2)\n");
        assert_eq!(text(&["(heap a 3) (heap b 3)"]), "(heap a 3)  (heap b 3)\n");
        assert_eq!(text(&["(cell 1 x) (cell 2 b)"]), "(cell 1 x)  (cell 2 b)\n");
        assert_eq!(text(&["(at 1 1 x) (at 1 1 y)", "(at 1 1 x)"]), "(at 1 1 x)\n");
    }

    #[test]
    fn columns_run_down() {
        let items: Vec<String> = (1..=5).map(|i| i.to_string()).collect();
        assert_eq!(columns(&items, 6), "1  4\n2  5\n3\n");
        assert_eq!(columns(&items, 13), "1  2  3  4  5\n");
        assert_eq!(columns(&items, 1), "1\n2\n3\n4\n5\n");
        assert_eq!(columns(&[], 80), "");
    }
}
