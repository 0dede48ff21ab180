//! What states look like: the boards that the rules show.

use gdlr::board::Boards;
use gdlr::engine::AnyEngine;
use gdlr::gdl::{Game, Term};
use gdlr::propnet::Propnet;
use hashbrown::HashSet;

/// The boards of a game as far as its facts are known: on a net all of them, elsewhere those
/// that were seen, best in the states of a few playouts.
pub struct Picture<'g> {
    game: &'g Game,
    boards: Boards,
    /// What was seen; `None` where all facts are known.
    seen: Option<HashSet<Term>>,
    /// Whether there are more than `boards` was found with.
    is_behind: bool,
}

impl<'g> Picture<'g> {
    pub fn new(game: &'g Game, engine: &AnyEngine) -> Picture<'g> {
        match engine.downcast_ref::<Propnet>() {
            Some(engine) => {
                let fluents = engine.net().fluents.iter().map(|fluent| &*fluent.fact);
                let boards = Boards::find(game, fluents);
                Picture { game, boards, seen: None, is_behind: false }
            }
            None => {
                let seen = Some(HashSet::new());
                Picture { game, boards: Boards::default(), seen, is_behind: false }
            }
        }
    }

    /// Whether there may be facts that it does not know.
    pub fn learns(&self) -> bool {
        self.seen.is_some()
    }

    /// Learns from a state.
    pub fn observe(&mut self, facts: &[Term]) {
        if let Some(seen) = &mut self.seen {
            for fact in facts {
                if !seen.contains(fact) {
                    self.is_behind = true;
                    seen.insert(fact.clone());
                }
            }
        }
    }

    /// A state as text.
    pub fn text(&mut self, facts: &[Term]) -> String {
        self.observe(facts);
        if let (true, Some(seen)) = (self.is_behind, &self.seen) {
            self.boards = Boards::find(self.game, seen);
            self.is_behind = false;
        }
        self.boards.render(facts, &self.game.symbols)
    }
}
