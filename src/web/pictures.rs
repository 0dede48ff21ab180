//! The pictures of a game: its boards as far as they are known.

use super::loaded::Loaded;
use crate::board::{Boards, Place};
use crate::draw;
use crate::gdl::Term;
use crate::propnet::Propnet;
use hashbrown::HashSet;
use serde_json::{Value, json};
use std::sync::{Mutex, PoisonError};

/// The boards of a game: of all facts that a state can have once the net is ready, of those that
/// were seen until then.
#[derive(Debug, Default)]
pub struct Pictures(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    boards: Boards,
    seen: HashSet<Term>,
    is_whole: bool,
}

/// A state as it is shown.
pub struct Shown {
    /// The facts that are on no board.
    pub beside: Vec<Term>,
    pub picture: Option<Value>,
}

impl Loaded {
    /// A state, as a picture if one is wanted.
    pub fn show(&self, facts: &[Term], before: Option<&[Term]>, with_picture: bool) -> Shown {
        let mut known = self.pictures.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.learn(self, facts);
        let boards = &known.boards;
        let beside = facts.iter().filter(|fact| boards.place(fact).is_none()).cloned().collect();
        let picture = with_picture.then(|| {
            let picture = draw::picture(boards, &self.game, facts, before);
            let squares = picture.squares.iter().map(|square| {
                let stands = |place: &Place| {
                    let layer = boards.boards()[place.board].channels[place.channel].layer;
                    (place.board, layer, place.row, place.column)
                        == (square.board, square.layer, square.row, square.column)
                };
                let there =
                    facts.iter().filter(|fact| boards.place(fact).is_some_and(|p| stands(&p)));
                json!({
                    "board": square.board,
                    "layer": square.layer,
                    "row": square.row,
                    "column": square.column,
                    "x": square.x,
                    "y": square.y,
                    "width": square.width,
                    "height": square.height,
                    "name": square.name,
                    "things": square.things,
                    "facts": there.map(|fact| self.spelled(fact)).collect::<Vec<_>>(),
                    "changed": square.changed,
                })
            });
            let squares = squares.collect::<Vec<Value>>();
            json!({
                "svg": picture.svg,
                "width": picture.width,
                "height": picture.height,
                "squares": squares,
            })
        });
        Shown { beside, picture }
    }

    /// The squares that a move names, in the order in which a person clicks them.
    pub fn squares(&self, _term: &Term) -> Value {
        json!([])
    }
}

impl Known {
    fn learn(&mut self, loaded: &Loaded, facts: &[Term]) {
        if self.is_whole {
            return;
        }
        let (engine, _) = loaded.handover().best();
        if let Some(propnet) = engine.downcast_ref::<Propnet>() {
            let all = propnet.net().fluents.iter().map(|fluent| &*fluent.fact);
            self.boards = Boards::find(&loaded.game, all);
            self.is_whole = true;
            return;
        }
        let before = self.seen.len();
        self.seen.extend(facts.iter().cloned());
        if self.seen.len() > before {
            self.boards = Boards::find(&loaded.game, &self.seen);
        }
    }
}
