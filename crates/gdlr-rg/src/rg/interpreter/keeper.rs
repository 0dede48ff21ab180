//! The keeper, who has one move after the other until somebody else has the move.
//!
//! A keeper that comes to the same state again goes round for ever. Whether it does costs
//! nothing to find out for the few moves that it usually has: from the move number [`LONG`] on,
//! a state is kept and compared with those that follow, a newer one after twice as many moves
//! (Brent's algorithm). A keeper that counts too far without a repetition runs out of steps.

use super::automaton::Automaton;
use super::error::PlayError;
use super::moves::Moves;
use super::search::Search;
use super::state::{State, Turn};
use super::watch::price;

/// What a move of the keeper costs at least, in steps.
const MOVE: u64 = 32;

/// After how many moves in a row states are compared. A power of two.
const LONG: u64 = 64;

impl Automaton {
    /// Plays the keeper's only move, again and again, until somebody else has the move or the
    /// game is over.
    ///
    /// # Errors
    ///
    /// As [`Automaton::moves`], when the keeper has several moves, and when it goes round for
    /// ever. The state is then the one that it happened in.
    pub fn keep(&self, search: &mut Search, state: &mut State) -> Result<(), PlayError> {
        self.keep_watched(search, state, |_, _, _| {})
    }

    /// The same; `watch` is told of every move before it is played: the state, the moves there,
    /// and which of them it is.
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
        let kept = self.keep_on(search, state, &mut moves, &mut steps, watch);
        search.watch.end(steps);
        search.own_moves = moves;
        kept
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
        let mut kept: Option<State> = None;
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
            if kept.as_ref() == Some(&*state) {
                return Err(PlayError::Endless { node: self.text(self.node(state)).to_owned() });
            }
            if played.is_power_of_two() {
                kept = Some(state.clone());
            }
        }
        Ok(())
    }
}
