//! Violations of the conditions of a proper game, in words.

use super::machine::Machine;
use super::position::Position;
use super::search::Application;
use crate::rbg::ast::VariableId;
use std::fmt;

/// The condition of a proper description that does not hold (RBG, "Proper RBG Description").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Improper {
    /// The straightness is infinite: within a move, or in a pattern, modifiers can go on without
    /// end.
    EndlessMove,
    /// The straightness is infinite: a play can go on without end.
    EndlessPlay,
    /// The keeper has several completions.
    Keeper,
}

impl fmt::Display for Improper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Improper::EndlessMove | Improper::EndlessPlay => "finite straightness",
            Improper::Keeper => "one keeper completion",
        })
    }
}

/// The reason why a game is not proper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The condition that does not hold.
    pub improper: Improper,
    /// A description of the violation.
    pub message: String,
    /// The moves from the first position to the violation, also of the keeper: the player, and the
    /// word.
    pub play: Vec<(Option<VariableId>, Vec<Application>)>,
}

impl Machine {
    /// The first difference between two positions, in words.
    pub(super) fn difference(&self, one: &Position, other: &Position) -> String {
        let game = &self.game;
        let names = game.board.square_names();
        let pieces = one.pieces.iter().zip(&other.pieces);
        if let Some((square, (left, right))) =
            pieces.enumerate().find(|(_, (left, right))| left != right)
        {
            let [left, right] = [left, right].map(|piece| &game.pieces[piece.index()]);
            return format!("`{left}` or `{right}` on {}", names[square]);
        }
        let values = one.values.iter().zip(&other.values);
        if let Some((variable, (left, right))) =
            values.enumerate().find(|(_, (left, right))| left != right)
        {
            let name = &game.variables[variable].name;
            return format!("`{name} = {left}` or `{name} = {right}`");
        }
        if one.player != other.player {
            let [left, right] =
                [one, other].map(|position| self.player_name(position.player).to_owned());
            return format!("the turn of {left} or of {right}");
        }
        if one.square != other.square {
            let [left, right] = [one, other].map(|position| &names[position.square as usize]);
            return format!("the current square {left} or {right}");
        }
        "one place in the rules or another".to_owned()
    }
}
