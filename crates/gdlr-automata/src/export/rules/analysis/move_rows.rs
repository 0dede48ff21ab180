//! All moves of a game as rows of columns.

use super::input::Input;
use super::pairs::{Columns, Pairs};
use crate::export::rules::Stop;
use gdlr_rules::gdl::{Symbol, Term};
use gdlr_rules::normal::EMPTY;
use hashbrown::HashMap;

/// The moves of a game.
#[derive(Debug, Default)]
pub struct MoveRows {
    /// By move of the net: its columns.
    pub rows: Vec<Vec<Symbol>>,
    /// By input of the net: its move.
    of_input: Vec<usize>,
    /// By first symbol of moves, and by column: whether all these moves leave the column unused, or
    /// none does. `None` if they differ.
    unused: HashMap<(Symbol, usize), Option<bool>>,
}

impl MoveRows {
    /// The rows of the moves of a game.
    ///
    /// # Errors
    ///
    /// When a move has no columns, which is a mistake here.
    pub fn of(input: &Input<'_>, columns: &Columns, pairs: &Pairs) -> Result<MoveRows, Stop> {
        let legal = input.normal.legal;
        let from = input.normal.relation(legal).args[0].width();
        let row = |term: &Term| {
            columns.row_from(pairs, legal, from, &input.normal.encode_arg(legal, 1, term)?)
        };
        let rows: Option<Vec<_>> = input.net.moves.iter().map(row).collect();
        let rows = rows.ok_or(Stop::Broken("a move has no columns"))?;
        let of_input = input.net.inputs.iter().map(|input| input.term as usize).collect();
        let mut unused = HashMap::new();
        for row in &rows {
            for (column, &symbol) in row.iter().enumerate() {
                let own = symbol == EMPTY;
                let is_unused = unused.entry((row[0], column)).or_insert(Some(own));
                *is_unused = is_unused.filter(|&others| others == own);
            }
        }
        Ok(MoveRows { rows, of_input, unused })
    }

    /// The move of an input of the net.
    pub fn of_input(&self, input: usize) -> &[Symbol] {
        &self.rows[self.of_input[input]]
    }

    /// Whether all moves with a first symbol leave a column unused, or none does. `None` if they
    /// differ.
    pub fn leave_unused(&self, first: Symbol, column: usize) -> Option<bool> {
        self.unused.get(&(first, column)).copied().flatten()
    }
}
