//! The view of a person who plays: the boards of a game as they become known, and the squares that moves name.
//!
//! [`Boards`] are found in all facts that a game can have. A net knows them, and for trees they are
//! found in the rules, without a net ([`possible_facts`]). Where that takes too much, and in
//! automata, they are those that play has shown, so that boards change while more is seen. Which
//! squares a move names is learned from steps of play ([`Targets`]). A
//! [`Viewer`] holds both, and shows states as text and as pictures.
//!
//! The file `walk.rs` plays at random for it, such that moves of all forms are seen soon.

mod walk;

use crate::board::{Boards, Part, Step, Target, Targets};
use crate::draw::{self, Picture};
use gdlr_automata::automaton::AutomatonEngine;
use gdlr_engine::engine::AnyEngine;
use gdlr_net::ground::possible_facts;
use gdlr_net::propnet::Propnet;
use gdlr_rules::gdl::{Game, Term};
use gdlr_text::budget::{Budget, Meter};
use hashbrown::HashSet;
use std::sync::Arc;
use std::time::Duration;
use walk::{Limits, Walk, walk};

/// The rules are looked at for so long: time enough on a busy machine.
const FOR_RULES: Budget<'static> =
    Budget { time: Duration::from_secs(10), memory: 512 << 20, interrupted: None };

/// Boards are learned from so much play.
const FOR_BOARDS: Limits =
    Limits { playouts: 10, steps: 50, facts: 200_000, time: Duration::from_secs(1) };

/// The squares that moves name are learned from so much play: more, so that rare moves are seen.
const FOR_MOVES: Limits = Limits { playouts: 200, steps: 200, ..FOR_BOARDS };

/// Shows the states of a game. It owns all it needs, and goes from thread to thread.
#[derive(Clone, Debug)]
pub struct Viewer {
    game: Arc<Game>,
    boards: Boards,
    /// The facts that were seen; `None` where all facts are known.
    seen: Option<HashSet<Term>>,
    /// Whether there are more than `boards` was found with.
    is_behind: bool,
    /// The play from which the targets are learned.
    walks: Vec<Walk>,
    targets: Targets,
}

impl Viewer {
    /// A viewer of the game that an engine plays: it knows all boards if the engine is one on a
    /// net, or if they are found in the rules soon, and otherwise none yet.
    pub fn new(game: Arc<Game>, engine: &AnyEngine) -> Viewer {
        Viewer::within(game, engine, &FOR_RULES.start())
    }

    /// The same, looking at the rules for as long as a budget lasts.
    pub fn within(game: Arc<Game>, engine: &AnyEngine, meter: &Meter<'_>) -> Viewer {
        let boards = if let Some(engine) = engine.downcast_ref::<Propnet>() {
            Some(Boards::find(&game, engine.net().fluents.iter().map(|of| &*of.fact)))
        } else if engine.downcast_ref::<AutomatonEngine>().is_some() {
            // The rules of an automaton are not those of its game.
            None
        } else {
            let facts = possible_facts(game.clone(), meter).ok();
            facts.map(|facts| Boards::find(&game, &facts))
        };
        Viewer {
            game,
            seen: boards.is_none().then(HashSet::new),
            boards: boards.unwrap_or_default(),
            is_behind: false,
            walks: Vec::new(),
            targets: Targets::default(),
        }
    }

    /// Learns from a few random playouts what the boards look like, where not all facts are known:
    /// in a second at most. `halted` is asked before every step whether to break off.
    pub fn explore(&mut self, engine: &AnyEngine, seed: u64, halted: &mut dyn FnMut() -> bool) {
        if self.seen.is_some() {
            let walks = walk(engine, FOR_BOARDS, seed, halted);
            walks.iter().flat_map(|walk| &walk.states).for_each(|facts| self.observe(facts));
        }
    }

    /// Learns from random playouts besides which squares moves name: in a second at most, as a
    /// rule. `halted` is asked before every step whether to break off.
    pub fn explore_moves(
        &mut self,
        engine: &AnyEngine,
        seed: u64,
        halted: &mut dyn FnMut() -> bool,
    ) {
        self.walks = walk(engine, FOR_MOVES, seed, halted);
        let walks = std::mem::take(&mut self.walks);
        walks.iter().flat_map(|walk| &walk.states).for_each(|facts| self.observe(facts));
        self.walks = walks;
        self.find_boards();
        self.find_targets();
    }

    /// The boards as far as they are known.
    pub fn boards(&self) -> &Boards {
        &self.boards
    }

    /// The squares that a move names, in the order in which it names them; none where it names
    /// none, or where nothing is known of moves ([`explore_moves`](Viewer::explore_moves)).
    pub fn targets(&self, term: &Term) -> Vec<Target> {
        self.targets.of(&self.boards, term)
    }

    /// A state as text, with what is otherwise than in the state `before`.
    pub fn parts(&mut self, facts: &[Term], before: Option<&[Term]>) -> Vec<Part> {
        self.learn(facts);
        self.boards.render_parts(facts, before, &self.game.symbols)
    }

    /// A state as a picture; squares that were otherwise in the state `before` are marked.
    pub fn picture(&mut self, facts: &[Term], before: Option<&[Term]>) -> Picture {
        self.learn(facts);
        draw::picture(&self.boards, &self.game, facts, before)
    }

    /// States one after the other, as a document of SVG that moves.
    ///
    /// # Panics
    ///
    /// When there is no state.
    pub fn film(&mut self, states: &[Vec<Term>]) -> String {
        states.iter().for_each(|facts| self.observe(facts));
        self.catch_up();
        draw::film(&self.boards, &self.game, states)
    }

    /// Remembers the facts of a state, where not all facts are known.
    fn observe(&mut self, facts: &[Term]) {
        if let Some(seen) = &mut self.seen {
            for fact in facts {
                if !seen.contains(fact) {
                    self.is_behind = true;
                    seen.insert(fact.clone());
                }
            }
        }
    }

    fn learn(&mut self, facts: &[Term]) {
        self.observe(facts);
        self.catch_up();
    }

    fn catch_up(&mut self) {
        if self.is_behind {
            self.find_boards();
            self.find_targets();
        }
    }

    fn find_boards(&mut self) {
        if let (true, Some(seen)) = (self.is_behind, &self.seen) {
            self.boards = Boards::find(&self.game, seen);
            self.is_behind = false;
        }
    }

    fn find_targets(&mut self) {
        let steps = self.walks.iter().flat_map(|walk| {
            let pairs = walk.states.windows(2).zip(&walk.joints);
            pairs.map(|(states, joint)| Step { before: &states[0], joint, after: &states[1] })
        });
        self.targets = Targets::find(&self.boards, steps);
    }
}
