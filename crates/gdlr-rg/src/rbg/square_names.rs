//! The names of squares for people.

use super::ast::{Board, Shape};

impl Board {
    /// The names of squares in moves: `a1`, ... on a rectangle with no more columns than letters,
    /// elsewhere the names of the squares themselves.
    ///
    /// ```
    /// # mod gdlr { pub use gdlr_rg::rbg; }
    /// let text = "#players = x(1) #pieces = e #variables =
    ///     #board = rectangle(up, down, left, right, [e, e] [e, e]) #rules = ->x";
    /// let game = gdlr::rbg::read(text).unwrap();
    /// assert_eq!(game.board.square_names(), ["a2", "b2", "a1", "b1"]);
    /// ```
    pub fn square_names(&self) -> Vec<String> {
        let names = || self.squares.iter().map(|square| square.name.to_string());
        let Shape::Rectangle { rows } = self.shape else { return names().collect() };
        let place = |name: &str| {
            let (column, row) = name.strip_prefix("rx")?.split_once('y')?;
            let (column, row): (u8, u32) = (column.parse().ok()?, row.parse().ok()?);
            let letter = (column < 26).then(|| char::from(b'a' + column))?;
            Some(format!("{letter}{}", rows.checked_sub(row)?))
        };
        let own: Option<Vec<String>> = names().map(|name| place(&name)).collect();
        own.unwrap_or_else(|| names().collect())
    }
}
