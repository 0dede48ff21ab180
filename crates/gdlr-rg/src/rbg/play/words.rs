//! A move as text, for people and for other programs.

use super::machine::Machine;
use super::search::Application;
use crate::rbg::ast::{Action, Square, VariableId};
use crate::rbg::printer::print_action;
use crate::rbg::program::Act;
use std::fmt;

/// An error: a text that is no word of a game. A number is missing, or out of range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAWord(String);

impl fmt::Display for NotAWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a move is pairs of a square and a modifier, both by number from 1: {}", self.0)
    }
}

impl std::error::Error for NotAWord {}

impl Machine {
    /// A word in the form of other programs: `square modifier square modifier ...`. Both are
    /// numbers in the low-level text, from 1 on.
    pub fn number_word(&self, word: &[Application]) -> String {
        let pairs = word.iter().map(|it| format!("{} {}", it.square.0 + 1, it.number));
        pairs.collect::<Vec<String>>().join(" ")
    }

    /// Reads the text of [`number_word`](Machine::number_word). The word need not be a move.
    ///
    /// # Errors
    ///
    /// When the text is no word.
    pub fn read_word(&self, text: &str) -> Result<Vec<Application>, NotAWord> {
        let number = |text: &str| match text.parse::<u32>() {
            Ok(number) if number > 0 => Ok(number),
            _ => Err(NotAWord(format!("`{text}` is no such number"))),
        };
        let numbers: Vec<u32> =
            text.split_ascii_whitespace().map(number).collect::<Result<_, _>>()?;
        let (pairs, rest) = numbers.as_chunks::<2>();
        if let Some(last) = rest.first() {
            return Err(NotAWord(format!("nothing follows on `{last}`")));
        }
        let squares = self.game.board.squares.len();
        let pair = |&[square, number]: &[u32; 2]| match square as usize <= squares {
            true => Ok(Application { number, square: Square(square - 1) }),
            false => Err(NotAWord(format!("there are {squares} squares, not {square}"))),
        };
        pairs.iter().map(pair).collect()
    }

    /// A word for people: `a2 [empty], a3 [pawn], a3 ->>`.
    pub fn spell_word(&self, word: &[Application]) -> String {
        let names = self.game.board.square_names();
        let one = |it: &Application| {
            let edge = self.numbers.iter().position(|own| *own == it.number);
            let text = edge.map_or(String::new(), |edge| self.action(&self.rules.edges[edge].act));
            let square = names.get(it.square.index()).map_or("?", String::as_str);
            format!("{square} {text}")
        };
        word.iter().map(one).collect::<Vec<String>>().join(", ")
    }

    /// The name of a player; `keeper` for `None`.
    pub fn player_name(&self, player: Option<VariableId>) -> &str {
        player.map_or("keeper", |player| &self.game.variables[player.index()].name)
    }

    /// A modifier as low-level text.
    pub(super) fn action(&self, act: &Act) -> String {
        let action = match act {
            Act::Off(piece) => Action::Off(vec![*piece]),
            Act::Assign(variable, value) => Action::Assign(vec![(*variable, value.clone())]),
            Act::Switch(player) => Action::Switch(*player),
            _ => Action::Cut,
        };
        print_action(&self.game, &action)
    }
}
