//! The boards of a game: axes, channels, and where a fact stands.

use super::form::Form;
use super::layout::Squares;
use super::order::Order;
use gdlr_rules::gdl::{Symbol, Term};
use hashbrown::{HashMap, HashSet};

/// One of the two axes of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    /// The names of the rows or columns in the rulesheet, in their order: rows from the top, columns
    /// from the left. The only row of a board of one row is called ``.
    pub labels: Vec<String>,
    /// The order of the labels; `None` for the axis of a board of one row that has no
    /// labels.
    pub order: Option<Order>,
}

/// Something that can stand on a square: what a fact says beside the square.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Channel {
    /// The fact with `_` for what says the square, as `(cell _ _ x)`. No two channels of a
    /// board have the same.
    pub name: String,
    /// The piece that stands there, in short: `x`; with the relation's name where that is needed to tell
    /// it from another.
    pub piece: String,
    /// The place of the layer in [`Board::layers`].
    pub layer: usize,
    /// Whether it says that nothing stands there.
    pub is_blank: bool,
    /// The place among the game's roles of the one that the fact names, if it names one.
    pub owner: Option<usize>,
}

/// A board: squares in rows and columns, and what can stand there.
#[derive(Clone, Debug)]
pub struct Board {
    /// Its name: the relation with most facts on it, of those that say few things.
    pub name: String,
    /// The rows, from the top.
    pub rows: Axis,
    /// The columns, from the left.
    pub columns: Axis,
    /// Several boards of the same size, one above the other, by their names; a single layer
    /// is called ``.
    pub layers: Vec<String>,
    /// The pieces that can stand on a square, by layer, and within a layer in natural order.
    pub channels: Vec<Channel>,
    /// Whether each square has six neighbours: those in its row and its column, and two at
    /// opposite corners, so that it is a hexagon of a skewed board.
    pub is_hexagonal: bool,
    /// Of hexagons: whether the corners at which squares are neighbours are the upper left and
    /// the lower right one, so that each row lies half a square further left than the one above
    /// it; otherwise they are the upper right and the lower left one, and it lies further right.
    pub leans_left: bool,
    /// By square, row after row: whether any fact stands there in some state.
    pub(super) squares: Vec<bool>,
    pub(super) row_of: HashMap<Box<[Symbol]>, u16>,
    pub(super) column_of: HashMap<Box<[Symbol]>, u16>,
    pub(super) named: HashMap<Symbol, (u16, u16)>,
    pub(super) layer_of: HashMap<Symbol, usize>,
}

impl Board {
    /// Whether the board has this square: the middle of a board may be missing, and its corners.
    /// Never panics: there are no squares elsewhere.
    pub fn has_square(&self, row: usize, column: usize) -> bool {
        let columns = self.columns.labels.len();
        column < columns && self.squares.get(row * columns + column) == Some(&true)
    }

    /// The row and column of a fact's square, by the constants in its gaps.
    pub(super) fn square(&self, standing: &Standing, row: &[Symbol]) -> Option<(usize, usize)> {
        let said = |gaps: &[usize]| gaps.iter().map(|&gap| row[gap]).collect::<Vec<Symbol>>();
        let (row, column) = match &standing.squares {
            Squares::Pairs { first, second } => {
                let (rows, columns) =
                    if standing.first_is_row { (first, second) } else { (second, first) };
                (*self.row_of.get(&said(rows)[..])?, *self.column_of.get(&said(columns)[..])?)
            }
            Squares::Named(gap) => *self.named.get(&row[*gap])?,
            Squares::Row(gap) => (0, *self.column_of.get(&said(&[*gap])[..])?),
        };
        Some((usize::from(row), usize::from(column)))
    }

    /// The squares on which something else stands than before: layer, row and column.
    pub(crate) fn changed(
        &self,
        now: &[Placement],
        before: &[Placement],
    ) -> HashSet<(usize, usize, usize)> {
        let seen = |places: &[Placement]| -> HashSet<Placement> {
            places.iter().copied().filter(|of| !self.channels[of.channel].is_blank).collect()
        };
        let square = |of: &Placement| (self.channels[of.channel].layer, of.row, of.column);
        seen(now).symmetric_difference(&seen(before)).map(square).collect()
    }

    /// How many squares the board has.
    pub fn square_count(&self) -> usize {
        self.squares.iter().filter(|&&square| square).count()
    }
}

/// Where a fact stands: its board, channel and square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Placement {
    /// The place of the board in [`Boards::boards`].
    pub board: usize,
    /// The place of what stands there in [`Board::channels`].
    pub channel: usize,
    /// The row, from the top.
    pub row: usize,
    /// The column, from the left.
    pub column: usize,
}

/// The former name of [`Placement`].
#[deprecated(note = "it is `Placement`")]
pub type Place = Placement;

/// How the facts of one form stand on a board.
#[derive(Clone, Debug)]
pub(super) struct Standing {
    pub(super) board: usize,
    pub(super) squares: Squares,
    /// Whether the first of a pair says the row.
    pub(super) first_is_row: bool,
    /// The gaps that say what stands there.
    pub(super) rest: Vec<usize>,
    pub(super) channels: HashMap<Box<[Symbol]>, u16>,
}

/// All boards of a game, and where its facts stand on them.
#[derive(Clone, Debug, Default)]
pub struct Boards {
    pub(super) boards: Vec<Board>,
    pub(super) standings: HashMap<Form, Standing>,
    /// The names of the roles.
    pub(super) roles: Vec<String>,
}

impl Boards {
    /// The boards, in the order in which the rulesheet first names their relations.
    pub fn boards(&self) -> &[Board] {
        &self.boards
    }

    /// Where a fact stands; `None` if on no board. Two facts never stand at one place.
    pub fn place(&self, fact: &Term) -> Option<Placement> {
        let (form, constants) = Form::of(fact)?;
        let standing = self.standings.get(&form)?;
        let said: Vec<Symbol> = standing.rest.iter().map(|&gap| constants[gap]).collect();
        let channel = usize::from(*standing.channels.get(&said[..])?);
        let (row, column) = self.boards[standing.board].square(standing, &constants)?;
        Some(Placement { board: standing.board, channel, row, column })
    }
}
