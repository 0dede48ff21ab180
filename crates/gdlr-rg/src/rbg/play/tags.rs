//! The tags of moves on the automaton of a game.

use super::machine::Machine;
use super::search::Application;
use crate::rbg::limits::Limits;
use crate::rbg::translate::{Legend, translate_with_legend};
use gdlr_text::diagnostic::Diagnostic;
use hashbrown::HashMap;

/// The tags of moves on the automaton that [`translate`](crate::rbg::translate()) makes. Two moves of
/// a position have different tags.
#[derive(Clone, Debug)]
pub struct Tags {
    /// By the number of a modifier: its tag, and whether its square is a tag, too.
    modifiers: HashMap<u32, (Option<String>, bool)>,
    squares: Vec<String>,
}

impl Tags {
    /// The tags of a game.
    ///
    /// # Errors
    ///
    /// The errors of [`translate`](crate::rbg::translate()).
    pub fn new(machine: &Machine) -> Result<Tags, Vec<Diagnostic>> {
        let translated = translate_with_legend(machine.game(), Limits::default())?;
        let (description, Legend { tags, square, squares }) = translated;
        let text = |name| description.names.text(name).to_owned();
        let numbers = machine.numbers.iter().enumerate().filter(|(_, number)| **number > 0);
        let modifiers = numbers
            .map(|(edge, number)| (*number, (tags.get(&edge).map(|tag| text(*tag)), square[edge])))
            .collect();
        Ok(Tags { modifiers, squares: squares.into_iter().map(text).collect() })
    }

    /// The tags of a move of a player.
    pub fn of(&self, word: &[Application]) -> Vec<&str> {
        let mut tags = Vec::new();
        for Application { number, square } in word {
            let Some((tag, has_square)) = self.modifiers.get(number) else { continue };
            tags.extend(tag.as_deref());
            if *has_square {
                tags.extend(self.squares.get(square.index()).map(String::as_str));
            }
        }
        tags
    }
}
