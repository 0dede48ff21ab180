//! Search: choosing moves by looking ahead.
//!
//! | file | what it is for |
//! |---|---|
//! | [`tree`] | what is known of states, and which move to look at next |
//! | [`lanes`] | leaves, played out hundreds at a time |
//!
//! [`Search`] is the player on top. Where there is no net yet, or none at all, it thinks as
//! [`Thinker::Uct`] does, one playout an iteration.

mod lanes;
mod tree;

pub use lanes::Shape;

use crate::engine::{AnyEngine, MoveId, RoleId};
use crate::play::DEFAULT_MAX_STEPS;
use crate::play::player::{Player, ThinkingPlayer, Turn};
use crate::play::report::Report;
use crate::play::thinker::Thinker;
use crate::propnet::{Propnet, State};
use lanes::LaneSearch;

/// How much memory the tree may take by default, in bytes.
pub const DEFAULT_MEMORY: usize = 1 << 30;

/// A player that searches: Monte Carlo tree search with its leaves in lanes.
#[derive(Debug)]
pub struct Search {
    seed: u64,
    memory: usize,
    /// The engine that is searched on, and what was found.
    lanes: Option<(AnyEngine, LaneSearch)>,
    /// Whom it played last.
    role: RoleId,
    without_net: ThinkingPlayer,
}

impl Search {
    /// A player whose tree takes so much memory at most, in bytes; `seed` is that of its random
    /// choices.
    pub fn new(seed: u64, memory: usize) -> Search {
        let without_net = ThinkingPlayer::new(Thinker::Uct, seed, DEFAULT_MAX_STEPS);
        Search { seed, memory, lanes: None, role: RoleId(0), without_net }
    }

    /// How many leaves are played out at once, once that has been measured.
    pub fn shape(&self) -> Option<Shape> {
        self.lanes.as_ref().and_then(|(_, lanes)| lanes.shape())
    }

    fn think(&mut self, propnet: &Propnet, state: &State, turn: &Turn<'_>) -> Option<MoveId> {
        let same = |engine: &AnyEngine| {
            engine.downcast_ref::<Propnet>().is_some_and(|old| std::ptr::eq(old, propnet))
        };
        match &mut self.lanes {
            Some((engine, lanes)) if same(engine) => lanes.go_to(propnet, state),
            lanes => {
                *lanes = Some((turn.engine.clone(), LaneSearch::new(propnet, state, self.seed)));
            }
        }
        let (_, lanes) = self.lanes.as_mut()?;
        lanes.run(propnet, self.memory, &|| turn.clock.is_over());
        lanes.best(turn.role)
    }
}

impl Player for Search {
    fn play(&mut self, turn: &Turn<'_>) -> MoveId {
        self.role = turn.role;
        if let [only] = turn.legal {
            return *only;
        }
        let propnet = turn.engine.downcast_ref::<Propnet>();
        let state = turn.state.downcast_ref::<State>();
        let found = match propnet.zip(state) {
            Some((propnet, state)) => self.think(propnet, state, turn),
            None => None,
        };
        found.unwrap_or_else(|| self.without_net.play(turn))
    }

    fn report(&self) -> Option<Report> {
        self.lanes.as_ref().map(|(_, lanes)| lanes.report(self.role))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Engine;
    use crate::gdl::Game;
    use crate::ground::Budget;
    use crate::play::player::Clock;
    use std::time::Duration;

    fn engine(name: &str, text: &str) -> AnyEngine {
        let game = Game::from_kif(name, text).expect("a rulesheet");
        AnyEngine::new(Propnet::new(game, &Budget::default()).expect("a net"))
    }

    /// The move that a search chooses after some moves, in words.
    fn answer(engine: &AnyEngine, search: &mut Search, before: &[&[&str]]) -> String {
        let mut scratch = engine.scratch();
        for joint in before {
            let id = |(role, word): (RoleId, &&str)| {
                let mut legal = Vec::new();
                engine.legal(&mut scratch.clone(), role, &mut legal).expect("moves");
                let is =
                    |id: &&MoveId| engine.move_term(**id).1.canonical(engine.symbols()) == **word;
                *legal.iter().find(is).expect("a legal move")
            };
            let joint: Vec<MoveId> = engine.roles().iter().zip(*joint).map(id).collect();
            engine.step(&mut scratch, &joint).expect("a legal step");
        }
        let role = RoleId((before.len() % 2) as u16);
        let mut legal = Vec::new();
        engine.legal(&mut scratch, role, &mut legal).expect("moves");
        let clock = Clock::new(Duration::from_secs(60));
        let state = engine.state(&scratch);
        let turn = Turn {
            engine,
            state: &state,
            role,
            legal: &legal,
            last: &[],
            step: before.len() as u64,
            clock: &clock,
            lanes: None,
        };
        engine.move_term(search.play(&turn)).1.canonical(engine.symbols())
    }

    #[test]
    fn a_win_in_one_is_taken_and_a_loss_in_one_is_prevented() {
        let engine = engine("tictactoe", include_str!("../../kif/tictactoe.kif"));
        let mut search = Search::new(1, DEFAULT_MEMORY);
        // The game is small: every position is searched to its end, long before the clock.
        let before: [&[&str]; 3] =
            [&["(sign 1 1)", "wait"], &["wait", "(sign 2 2)"], &["(sign 1 2)", "wait"]];
        assert_eq!(answer(&engine, &mut search, &before), "(sign 1 3)");
        let threat: [&[&str]; 4] = [
            &["(sign 1 1)", "wait"],
            &["wait", "(sign 2 2)"],
            &["(sign 1 2)", "wait"],
            &["wait", "(sign 3 3)"],
        ];
        assert_eq!(answer(&engine, &mut search, &threat), "(sign 1 3)");
        let report = search.report().expect("it has searched");
        assert!(report.effort.nodes > 1 && report.effort.depth > 1);
        assert_eq!(
            report.main_line.len(),
            report.main_line.iter().map(Vec::len).sum::<usize>() / 2
        );
    }
}
