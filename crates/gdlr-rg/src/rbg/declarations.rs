//! The sections of players, variables and pieces, and the meanings of names.

use super::ast::{Bounded, LabelId, PieceId, VariableId};
use super::cursor::{Cursor, Read};
use super::directives::is_keyword;
use super::token::TokenKind;
use gdlr_text::diagnostic::Code;
use gdlr_text::syntax::quoted;
use hashbrown::HashMap;

/// The meaning of a name. Squares have names of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    Player(VariableId),
    Variable(VariableId),
    Piece(PieceId),
    Label(LabelId),
}

impl Meaning {
    /// The kind, for messages.
    pub fn kind(self) -> &'static str {
        match self {
            Meaning::Player(_) => "a player",
            Meaning::Variable(_) => "a variable",
            Meaning::Piece(_) => "a piece",
            Meaning::Label(_) => "a label of the board",
        }
    }
}

/// The names of a game.
pub(super) type Meanings = HashMap<Box<str>, Meaning>;

impl Cursor<'_> {
    /// Reads a name that is declared. Reports it if something of another kind has it.
    pub fn declare(
        &mut self,
        meanings: &mut Meanings,
        meaning: Meaning,
        what: &str,
    ) -> Read<Option<Box<str>>> {
        let (text, place) = (self.text(), self.place());
        if self.kind() != TokenKind::Word || is_keyword(text) {
            return self.unexpected(what);
        }
        self.advance();
        match meanings.get(text) {
            None => {
                meanings.insert(text.into(), meaning);
                Ok(Some(text.into()))
            }
            Some(other) if other.kind() == meaning.kind() => {
                let message = format!("{} is declared twice", quoted(text));
                let help = "the second one is left out";
                self.warn_at(place, Code::RbgRepeated, message, help);
                Ok(None)
            }
            Some(other) => {
                let message =
                    format!("{} is {} already, so it is not {}", quoted(text), other.kind(), what);
                self.report_at(place, Code::RbgDuplicate, message);
                Ok(None)
            }
        }
    }

    /// Reads commas. The reference reader accepts several in a row.
    fn commas(&mut self, needed: bool) -> Read<()> {
        let place = self.place();
        let mut count = 0;
        while self.eat(TokenKind::Comma) {
            count += 1;
        }
        let ends = self.kind() == TokenKind::End;
        if needed && count == 0 && !ends {
            return self.unexpected("`,`");
        }
        if count > usize::from(needed && !ends) {
            let message = "a comma without a name".to_owned();
            self.warn_at(
                place,
                Code::RbgDiffers,
                message,
                "some programs refuse this; leave it out",
            );
        }
        Ok(())
    }

    /// Reads players, or the other variables.
    pub fn bounded(
        &mut self,
        variables: &mut Vec<Bounded>,
        meanings: &mut Meanings,
        are_players: bool,
    ) -> Read<()> {
        self.commas(false)?;
        while self.kind() != TokenKind::End {
            let id = VariableId(variables.len() as u32);
            let (meaning, what) = match are_players {
                true => (Meaning::Player(id), "a player"),
                false => (Meaning::Variable(id), "a variable"),
            };
            let name = self.declare(meanings, meaning, what)?;
            self.expect(TokenKind::Open, "`(` and the largest value")?;
            let place = self.place();
            let bound = self.number(self.limits.bound, "the largest value")?;
            if bound == 0 {
                let message = "a largest value of 0".to_owned();
                self.warn_at(place, Code::RbgDiffers, message, "some programs refuse this");
            }
            self.expect(TokenKind::Close, "`)`")?;
            variables.extend(name.map(|name| Bounded { name, bound }));
            self.commas(true)?;
        }
        Ok(())
    }

    /// Reads pieces.
    pub fn pieces(&mut self, pieces: &mut Vec<Box<str>>, meanings: &mut Meanings) -> Read<()> {
        self.commas(false)?;
        while self.kind() != TokenKind::End {
            let meaning = Meaning::Piece(PieceId(pieces.len() as u32));
            pieces.extend(self.declare(meanings, meaning, "a piece")?);
            self.commas(true)?;
        }
        Ok(())
    }
}
