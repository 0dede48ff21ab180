//! The moves of the keeper, up to the turn of a player.
//!
//! A keeper that comes to the same state again never ends. The few moves that it usually has are
//! not checked for this. From move number [`LONG`] on, one state is kept and compared with the
//! states that follow. After twice as many moves, a newer state replaces it (Brent's algorithm). A
//! keeper that never repeats a state, but counts for too long, exhausts the steps.

use super::automaton::Automaton;
use super::error::PlayError;
use super::moves::Moves;
use super::search::Search;
use super::state::{State, Turn};
use super::watch::price;

/// The least cost of a move of the keeper, in steps.
const MOVE: u64 = 32;

/// The number of moves in a row after which states are compared. A power of two.
const LONG: u64 = 64;

impl Automaton {
    /// Plays the keeper's only move again and again, until a player has the turn or the game is
    /// over.
    ///
    /// # Errors
    ///
    /// As [`Automaton::moves`]; when the keeper has several moves; and when it never ends. The
    /// state is then the one at which the error occurred.
    pub fn keep(&self, search: &mut Search, state: &mut State) -> Result<(), PlayError> {
        #[cfg(feature = "native")]
        if self.turn(state) == Turn::Keeper {
            let steps = search.watch.begin()?;
            search.enter(self, state);
            let kept = self.keep_ahead(search, state);
            search.watch.end(steps + kept * MOVE);
        }
        self.keep_watched(search, state, |_, _, _| {})
    }

    /// As [`Automaton::keep`]. Calls `watch` before every move with the state, its moves, and the
    /// index of the move.
    ///
    /// # Errors
    ///
    /// As [`Automaton::keep`].
    pub fn keep_watched(
        &self,
        search: &mut Search,
        state: &mut State,
        watch: impl FnMut(&State, &Moves, usize),
    ) -> Result<(), PlayError> {
        if self.turn(state) != Turn::Keeper {
            return Ok(());
        }
        let mut steps = search.watch.begin()?;
        let mut moves = std::mem::take(&mut search.own_moves);
        search.enter(self, state);
        let result = self.keep_on(search, state, &mut moves, &mut steps, watch);
        search.watch.end(steps);
        search.own_moves = moves;
        result
    }

    fn keep_on(
        &self,
        search: &mut Search,
        state: &mut State,
        moves: &mut Moves,
        steps: &mut u64,
        mut watch: impl FnMut(&State, &Moves, usize),
    ) -> Result<(), PlayError> {
        let mut played = 0u64;
        let mut earlier: Option<State> = None;
        while self.turn(state) == Turn::Keeper {
            *steps += MOVE;
            search.watch.check(*steps)?;
            search.list(self, state, moves, steps)?;
            match moves.len() {
                0 => return Err(self.dead_end(state)),
                1 => {
                    watch(state, moves, 0);
                    moves.play(0, state);
                    search.follow(moves, 0);
                }
                count => {
                    let node = self.text(self.node(state)).to_owned();
                    return Err(PlayError::Keeper { node, moves: count });
                }
            }
            played += 1;
            if played < LONG {
                continue;
            }
            *steps += price(self.slots());
            if earlier.as_ref() == Some(&*state) {
                return Err(PlayError::Endless { node: self.text(self.node(state)).to_owned() });
            }
            if played.is_power_of_two() {
                earlier = Some(state.clone());
            }
        }
        Ok(())
    }
}
