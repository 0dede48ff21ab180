//! Everything that a check may look at.

use super::edges::Edges;
use super::placed::{self, PlacedRule};
use crate::gdl::{Dependencies, Game, Sentence};

/// A rulesheet with its rules, their places and what depends on what.
pub(super) struct Sheet<'a> {
    pub game: &'a Game,
    /// All rules.
    pub rules: Vec<PlacedRule<'a>>,
    /// The rules of play: all but hints. The graph is of these.
    pub played: Vec<PlacedRule<'a>>,
    pub graph: Dependencies,
    pub edges: Edges,
}

impl<'a> Sheet<'a> {
    pub fn new(game: &'a Game) -> Self {
        let rules = placed::place(game);
        let played: Vec<_> = rules.iter().filter(|rule| !rule.hint).copied().collect();
        let graph = Dependencies::new(played.iter().map(|rule| rule.rule));
        let edges = Edges::new(&played, &graph);
        Sheet { game, rules, played, graph, edges }
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
