//! The names of a game, and those of the relations that normalisation makes up.
//!
//! A game is shared and never changed, so what is made up is named here. It is numbered
//! behind the names of the rulesheet, and before the tags of functions.

use crate::gdl::{Game, Symbol, SymbolTable, TooManySymbols};
use gdlr_text::diagnostic::{Code, Diagnostic, Span};
use std::sync::Arc;

/// All names of relations.
#[derive(Clone, Debug)]
pub(super) struct Names {
    pub(super) game: Arc<Game>,
    made_up: Vec<String>,
}

impl Names {
    pub(super) fn new(game: Arc<Game>) -> Names {
        Names { game, made_up: Vec::new() }
    }

    /// A new relation's symbol. Its name should have a space in it, which keeps it apart from
    /// those of the rulesheet wherever both are printed.
    pub(super) fn make_up(&mut self, name: String) -> Result<Symbol, Diagnostic> {
        if self.len() >= SymbolTable::CAPACITY {
            return Err(Diagnostic::new(
                Code::TooManySymbols,
                Span::default(),
                TooManySymbols.to_string(),
            )
            .with_help("use fewer names"));
        }
        let symbol = Symbol::from_index(self.len() as u16);
        self.made_up.push(name);
        Ok(symbol)
    }

    /// How many names there are; the number of the first symbol that is no name.
    pub(super) fn len(&self) -> usize {
        self.game.symbols.len() + self.made_up.len()
    }

    /// A name as first spelled in the rulesheet, or as made up.
    pub(super) fn spelling(&self, symbol: Symbol) -> &str {
        match usize::from(symbol.index()).checked_sub(self.game.symbols.len()) {
            None => symbol.spelled(&self.game.symbols),
            Some(place) => &self.made_up[place],
        }
    }
}
