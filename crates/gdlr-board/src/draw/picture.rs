//! A picture with its squares, for whoever puts something over them: a page that is clicked on.

/// A state as a picture, and where its squares are in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// The document.
    pub svg: String,
    /// How wide it is, in user units: pixels, unless it is scaled.
    pub width: f64,
    /// How high it is.
    pub height: f64,
    /// The squares of all boards, each once a layer, in the order in which they are drawn.
    pub squares: Vec<Square>,
}

/// A square as it is drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Square {
    /// The place of the board in [`Boards::boards`](crate::board::Boards::boards).
    pub board: usize,
    /// The place of the layer in [`Board::layers`](crate::board::Board::layers).
    pub layer: usize,
    /// The row, from the top.
    pub row: usize,
    /// The column, from the left.
    pub column: usize,
    /// Its left side, in the units of the picture. Of a hexagon this and what follows are the
    /// rectangle around it, which overlaps those of the rows above and below.
    pub x: f64,
    /// Its upper side.
    pub y: f64,
    /// How wide it is.
    pub width: f64,
    /// How high it is.
    pub height: f64,
    /// Its name for people: the label of its column and that of its row, `a 1`; behind the name
    /// of the board and of the layer where there are several, `cell2, a 1`.
    pub name: String,
    /// The pieces on it, by [`Channel::piece`](crate::board::Channel::piece), in the order of
    /// channels: nothing on an empty square.
    pub things: Vec<String>,
    /// Whether it is marked: something else stands there than before.
    pub changed: bool,
}
