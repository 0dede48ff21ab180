//! States as text.

use super::boards::{Board, Boards, Place};
use super::names::short_names;
use super::text::columns;
use crate::gdl::natural_order;
use crate::gdl::{SymbolTable, Term};
use std::collections::BTreeMap;

/// How wide a text is to be.
const WIDTH: usize = 80;
/// A board whose lines are at most so wide has the names of pieces in full.
const WIDTH_OF_FULL_NAMES: usize = 40;
/// A list of facts shows at most so many.
const SHOWN_FACTS: usize = 60;
/// What an empty square shows.
const BLANK: &str = ".";
/// Between layers.
const GAP: usize = 2;
/// What stands between pieces on one square.
const TOGETHER: &str = "+";

impl Boards {
    /// A state as text: each board as a grid with its labels, its first row above; `.` is an
    /// empty square; where pieces have short names, a line below says what they stand for. The
    /// other facts follow as a list, the first 60 of them.
    ///
    /// Not wider than 80 characters, unless a board has too many columns.
    pub fn render(&self, facts: &[Term], symbols: &SymbolTable) -> String {
        let mut standing: Vec<Vec<Place>> = vec![Vec::new(); self.boards().len()];
        let mut plain = Vec::new();
        for fact in facts {
            match self.place(fact) {
                Some(place) => standing[place.board].push(place),
                None => plain.push(fact.spelled(symbols)),
            }
        }
        let mut text = String::new();
        for (board, mut places) in self.boards().iter().zip(standing) {
            places.sort_unstable();
            text += &grids(board, &places, &self.roles);
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

/// A board, one grid a layer.
fn grids(board: &Board, places: &[Place], roles: &[String]) -> String {
    let names: Vec<&str> = board.channels.iter().map(|channel| &*channel.piece).collect();
    let blank: Vec<bool> = board.channels.iter().map(|channel| channel.is_blank).collect();
    let full: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
    let grid = |names: &[String]| Grid::new(board, places, names);
    let (grid, short) = match grid(&full) {
        grid if grid.width() <= WIDTH_OF_FULL_NAMES => (grid, None),
        _ => {
            let roles: Vec<&str> = roles.iter().map(|role| &**role).collect();
            let short = short_names(&names, &blank, &roles);
            (grid(&short).fitting(places), Some(short))
        }
    };
    let titled = |(layer, name): (usize, &String)| {
        let title = format!("{} {name}", board.name);
        format!("{}\n{}", title.trim_end(), grid.text(layer))
    };
    let layers: Vec<String> = board.layers.iter().enumerate().map(titled).collect();
    let mut text = String::new();
    for layers in layers.chunks((WIDTH / (grid.width() + GAP)).max(1)) {
        text += &beside(layers, grid.width() + GAP);
    }
    if let Some(short) = short {
        let mut used: BTreeMap<&str, &str> = BTreeMap::new();
        for place in places.iter().filter(|place| !blank[place.channel]) {
            used.insert(&short[place.channel], names[place.channel]);
        }
        used.retain(|short, name| short != name);
        let legend: Vec<String> =
            used.iter().map(|(short, name)| format!("{short} = {name}")).collect();
        for line in columns(&legend, WIDTH - 2).lines() {
            text += &format!("  {line}\n");
        }
    }
    text
}

/// Texts with as many lines each, side by side.
fn beside(texts: &[String], width: usize) -> String {
    let lines: Vec<Vec<&str>> = texts.iter().map(|text| text.lines().collect()).collect();
    let mut text = String::new();
    for at in 0..lines.iter().map(Vec::len).max().unwrap_or(0) {
        let line: String =
            lines.iter().map(|of| format!("{:width$}", of.get(at).unwrap_or(&""))).collect();
        text += line.trim_end();
        text.push('\n');
    }
    text
}

/// A board with what stands on it.
struct Grid<'b> {
    board: &'b Board,
    /// By layer, row and column: what a square shows.
    squares: Vec<String>,
    /// The rows and columns that are shown.
    rows: std::ops::Range<usize>,
    columns: std::ops::Range<usize>,
}

impl<'b> Grid<'b> {
    fn new(board: &'b Board, places: &[Place], names: &[String]) -> Grid<'b> {
        let (rows, columns) = (board.rows.labels.len(), board.columns.labels.len());
        let square = |at| if board.squares[at % (rows * columns)] { BLANK } else { "" };
        let mut squares: Vec<String> =
            (0..board.layers.len() * rows * columns).map(|at| square(at).to_owned()).collect();
        for place in places {
            let channel = &board.channels[place.channel];
            if channel.is_blank {
                continue;
            }
            let square = &mut squares[(channel.layer * rows + place.row) * columns + place.column];
            if square == BLANK {
                square.clear();
            } else {
                square.push_str(TOGETHER);
            }
            square.push_str(&names[place.channel]);
        }
        Grid { board, squares, rows: 0..rows, columns: 0..columns }
    }

    /// If it is too wide, only the part with something on it.
    fn fitting(mut self, places: &[Place]) -> Grid<'b> {
        if self.width() > WIDTH {
            let part = |places: &mut dyn Iterator<Item = usize>, all: usize| {
                let (least, most) =
                    places.fold((all, 0), |(l, m), at| (usize::min(l, at), usize::max(m, at)));
                least.min(most)..(most + 1).min(all)
            };
            let channels = &self.board.channels;
            let seen = || places.iter().filter(|place| !channels[place.channel].is_blank);
            let rows = part(&mut seen().map(|place| place.row), self.rows.len());
            let columns = part(&mut seen().map(|place| place.column), self.columns.len());
            (self.rows, self.columns) = (rows, columns);
        }
        self
    }

    /// How wide a square is, with the gap before it.
    fn square_width(&self) -> usize {
        let width = |text: &String| text.chars().count();
        let labels = self.board.columns.labels[self.columns.clone()].iter();
        self.squares.iter().chain(labels).map(width).max().unwrap_or(0).max(1) + 1
    }

    fn margin(&self) -> usize {
        self.board.rows.labels.iter().map(|label| label.chars().count()).max().unwrap_or(0)
    }

    /// How wide a line is.
    fn width(&self) -> usize {
        2 + self.margin() + self.square_width() * self.columns.len()
    }

    fn text(&self, layer: usize) -> String {
        let (rows, columns) = (&self.board.rows.labels, &self.board.columns.labels);
        let (width, margin) = (self.square_width(), self.margin());
        let mut text = String::new();
        for row in self.rows.clone() {
            let mut line = format!("  {:>margin$}", rows[row]);
            for column in self.columns.clone() {
                let square = &self.squares[(layer * rows.len() + row) * columns.len() + column];
                line += &format!("{square:>width$}");
            }
            text += line.trim_end();
            text.push('\n');
        }
        text += &" ".repeat(2 + margin);
        for column in self.columns.clone() {
            text += &format!("{:>width$}", columns[column]);
        }
        text.push('\n');
        text
    }
}
