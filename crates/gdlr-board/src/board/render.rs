//! States as text.

use super::boards::{Board, Boards, Placement};
use super::names::short_names;
use super::styled::{Line, Part, Shows, width_of};
use super::text::columns;
use gdlr_rules::gdl::natural_order;
use gdlr_rules::gdl::{SymbolTable, Term};
use gdlr_text::diagnostic::counted;
use hashbrown::HashSet;
use std::collections::BTreeMap;

/// How wide a text is to be.
const WIDTH: usize = 80;
/// A board whose lines are at most so wide has the names of pieces in full.
const WIDTH_OF_FULL_NAMES: usize = 40;
/// A list of facts shows at most so many.
const SHOWN_FACTS: usize = 60;
/// The sign of an empty square.
const BLANK: &str = ".";
/// Between layers.
const GAP: usize = 2;
/// The sign between pieces on one square.
const TOGETHER: &str = "+";

impl Boards {
    /// A state as text: each board as a grid with its labels, its first row above; `.` is an
    /// empty square; where pieces have short names, a line below says what they stand for. The
    /// other facts follow as a list, the first 60 of them.
    ///
    /// Not wider than 80 characters, unless a board has too many columns.
    pub fn render(&self, facts: &[Term], symbols: &SymbolTable) -> String {
        self.render_parts(facts, None, symbols).into_iter().map(|part| part.text).collect()
    }

    /// The same text, in parts that say what they show, and whether that is otherwise than in
    /// the state `before`.
    pub fn render_parts(
        &self,
        facts: &[Term],
        before: Option<&[Term]>,
        symbols: &SymbolTable,
    ) -> Vec<Part> {
        let mut plain = Vec::new();
        let standing = self.standing(facts, |fact| plain.push(fact.spelled(symbols)));
        let stood = before.map(|before| self.standing(before, |_| {}));
        let mut lines = Vec::new();
        for (number, (board, mut places)) in self.boards().iter().zip(standing).enumerate() {
            places.sort_unstable();
            let changed = match &stood {
                Some(stood) => board.changed(&places, &stood[number]),
                None => HashSet::new(),
            };
            lines.extend(grids(board, &places, &changed, &self.roles));
        }
        plain.sort_by_cached_key(|fact| natural_order(fact));
        let hidden = plain.len().saturating_sub(SHOWN_FACTS);
        plain.truncate(SHOWN_FACTS);
        lines.extend(columns(&plain, WIDTH).lines().map(Line::plain));
        if hidden > 0 {
            lines.push(Line::plain(&format!("... and {}", counted(hidden, "more fact"))));
        }
        Line::join(lines)
    }

    /// By board: what stands on it. `elsewhere` is given the facts that are on none.
    fn standing(&self, facts: &[Term], mut elsewhere: impl FnMut(&Term)) -> Vec<Vec<Placement>> {
        let mut standing: Vec<Vec<Placement>> = vec![Vec::new(); self.boards().len()];
        for fact in facts {
            match self.place(fact) {
                Some(place) => standing[place.board].push(place),
                None => elsewhere(fact),
            }
        }
        standing
    }
}

/// Squares that have changed: layer, row and column.
type Changed = HashSet<(usize, usize, usize)>;

/// A board, one grid a layer.
fn grids(board: &Board, places: &[Placement], changed: &Changed, roles: &[String]) -> Vec<Line> {
    let names: Vec<&str> = board.channels.iter().map(|channel| &*channel.piece).collect();
    let blank: Vec<bool> = board.channels.iter().map(|channel| channel.is_blank).collect();
    let full: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
    let grid = |names: &[String]| Grid::new(board, places, changed, names);
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
        let mut lines = vec![Line::plain(title.trim_end())];
        lines.extend(grid.lines(layer));
        lines
    };
    let layers: Vec<Vec<Line>> = board.layers.iter().enumerate().map(titled).collect();
    // A title may be wider than its grid.
    let width = layers.iter().flatten().map(Line::width).max().unwrap_or(0) + GAP;
    let mut lines = Vec::new();
    for layers in layers.chunks(((WIDTH + GAP) / width).max(1)) {
        lines.extend(beside(layers, width));
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
            lines.push(Line::plain(&format!("  {line}")));
        }
    }
    lines
}

/// Texts with as many lines each, side by side.
fn beside(texts: &[Vec<Line>], width: usize) -> Vec<Line> {
    let height = texts.iter().map(Vec::len).max().unwrap_or(0);
    let line = |at| {
        let mut line = Line::default();
        texts.iter().for_each(|of| line.push_left(&of[at], width));
        line.trim_end();
        line
    };
    (0..height).map(line).collect()
}

/// A board with what stands on it.
struct Grid<'b> {
    board: &'b Board,
    /// By layer, row and column: what a square shows.
    squares: Vec<Vec<Part>>,
    /// The rows and columns that are shown.
    rows: std::ops::Range<usize>,
    columns: std::ops::Range<usize>,
}

impl<'b> Grid<'b> {
    fn new(
        board: &'b Board,
        places: &[Placement],
        changed: &Changed,
        names: &[String],
    ) -> Grid<'b> {
        let (rows, columns) = (board.rows.labels.len(), board.columns.labels.len());
        let is_changed = |at: usize| {
            let (layer, square) = (at / (rows * columns), at % (rows * columns));
            changed.contains(&(layer, square / columns, square % columns))
        };
        let blank = |at: usize| match board.squares[at % (rows * columns)] {
            true => vec![Part::new(BLANK, Shows::Blank, is_changed(at))],
            false => Vec::new(),
        };
        let mut squares: Vec<Vec<Part>> =
            (0..board.layers.len() * rows * columns).map(blank).collect();
        for place in places {
            let channel = &board.channels[place.channel];
            if channel.is_blank {
                continue;
            }
            let at = (channel.layer * rows + place.row) * columns + place.column;
            let square = &mut squares[at];
            if square.iter().all(|part| part.shows == Shows::Blank) {
                square.clear();
            } else {
                square.push(Part::new(TOGETHER, Shows::Plain, is_changed(at)));
            }
            let shows = Shows::Piece(channel.owner);
            square.push(Part::new(&names[place.channel], shows, is_changed(at)));
        }
        Grid { board, squares, rows: 0..rows, columns: 0..columns }
    }

    /// If it is too wide, only the part with something on it.
    fn fitting(mut self, places: &[Placement]) -> Grid<'b> {
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
        let labels = self.board.columns.labels[self.columns.clone()].iter().map(width);
        self.squares.iter().map(|of| width_of(of)).chain(labels).max().unwrap_or(0).max(1) + 1
    }

    fn margin(&self) -> usize {
        self.board.rows.labels.iter().map(|label| label.chars().count()).max().unwrap_or(0)
    }

    /// How wide a line is.
    fn width(&self) -> usize {
        2 + self.margin() + self.square_width() * self.columns.len()
    }

    fn lines(&self, layer: usize) -> Vec<Line> {
        let (rows, columns) = (&self.board.rows.labels, &self.board.columns.labels);
        let (width, margin) = (self.square_width(), self.margin());
        let label = |text: &str| [Part::new(text, Shows::Label, false)];
        let mut lines = Vec::new();
        for row in self.rows.clone() {
            let mut line = Line::plain("  ");
            line.push_right(&label(&rows[row]), margin);
            for column in self.columns.clone() {
                let square = &self.squares[(layer * rows.len() + row) * columns.len() + column];
                line.push_right(square, width);
            }
            lines.push(line);
        }
        let mut line = Line::plain(&" ".repeat(2 + margin));
        for column in self.columns.clone() {
            line.push_right(&label(&columns[column]), width);
        }
        lines.push(line);
        lines
    }
}
