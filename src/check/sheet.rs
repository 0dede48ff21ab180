//! Everything that a check may look at.

use super::edges::Edges;
use super::placed::{self, PlacedRule};
use crate::gdl::{Dependencies, Game, Sentence};

/// A rulesheet with its rules, their places and what depends on what.
pub(super) struct Sheet<'a> {
    pub game: &'a Game,
    pub rules: Vec<PlacedRule<'a>>,
    pub graph: Dependencies,
    pub edges: Edges,
}

impl<'a> Sheet<'a> {
    pub fn new(game: &'a Game) -> Self {
        let graph = Dependencies::new(&game.rules);
        let edges = Edges::new(game, &graph);
        Sheet { game, rules: placed::place(game), graph, edges }
    }

    /// The number of a sentence's relation.
    pub fn number(&self, sentence: &Sentence) -> Option<u32> {
        self.graph.number(sentence.relation, sentence.args.len())
    }

    /// The name of a relation as the rulesheet spells it.
    pub fn relation(&self, number: u32) -> &str {
        self.graph.relations[number as usize].symbol.spelled(&self.game.symbols)
    }
}
