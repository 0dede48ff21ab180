//! Random playouts, and perft: the number of plays of each length.

use super::automaton::Automaton;
use super::error::PlayError;
use super::moves::Moves;
use super::search::Search;
use super::state::{State, Turn};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

/// The end of a playout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// At the node `end`.
    End,
    /// After the greatest number of moves that was allowed.
    Capped,
}

/// The result of a playout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played {
    /// How the playout ended.
    pub ending: Ending,
    /// The moves of players and of chance. The moves of the keeper are not counted.
    pub moves: u64,
}

impl Automaton {
    /// Plays from a state to the end of the game, or for `max_moves` moves of players. All but the
    /// keeper take each of their moves with the same probability. `state` becomes the last state.
    /// Allocates nothing once its buffers have grown.
    ///
    /// # Errors
    ///
    /// As [`Automaton::moves`] and [`Automaton::keep`].
    pub fn playout(
        &self,
        (search, moves): (&mut Search, &mut Moves),
        state: &mut State,
        rng: &mut Xoshiro256PlusPlus,
        max_moves: u64,
    ) -> Result<Played, PlayError> {
        let mut played = 0;
        let ending = loop {
            played += self.play_ahead(search, state, rng, max_moves - played, &mut || false)?;
            match self.play_one((search, moves), state, rng, max_moves - played, |_, _, _| {})? {
                None => played += 1,
                Some(ending) => break ending,
            }
        };
        Ok(Played { ending, moves: played })
    }

    /// Plays random moves of players, at most `most`, by machine code, as far as that goes: up to
    /// the end, or to a state at which the moves must be listed. Stops as well when `halted` says
    /// so, which is asked before the first move, and every few moves. Returns the number of moves.
    /// `state` becomes the last state, and the keeper may have moves left there. The moves are those
    /// of [`Automaton::playout`] with the same `rng`. Without machine code there is no move.
    ///
    /// # Errors
    ///
    /// When the time is exhausted, or the search is stopped.
    pub fn play_ahead(
        &self,
        search: &mut Search,
        state: &mut State,
        rng: &mut Xoshiro256PlusPlus,
        most: u64,
        halted: &mut dyn FnMut() -> bool,
    ) -> Result<u64, PlayError> {
        #[cfg(feature = "native")]
        return self.play_words(search, state, rng, most, halted);
        #[cfg(not(feature = "native"))]
        {
            let _ = (search, state, rng, most, halted);
            Ok(0)
        }
    }

    /// Plays the moves of the keeper, then a random move of a player, if `most` is not 0. Returns
    /// how the playout ends, if it does.
    fn play_one(
        &self,
        (search, moves): (&mut Search, &mut Moves),
        state: &mut State,
        rng: &mut Xoshiro256PlusPlus,
        most: u64,
        mut watch: impl FnMut(&State, &Moves, usize),
    ) -> Result<Option<Ending>, PlayError> {
        self.keep_watched(search, state, &mut watch)?;
        if self.turn(state) == Turn::End {
            return Ok(Some(Ending::End));
        }
        if most == 0 {
            return Ok(Some(Ending::Capped));
        }
        self.moves(search, state, moves)?;
        let index = if moves.len() == 1 { 0 } else { rng.random_range(0..moves.len()) };
        watch(state, moves, index);
        moves.play(index, state);
        Ok(None)
    }

    /// As [`Automaton::playout`]. Calls `watch` before every move, also of the keeper, with the
    /// state, its moves, and the index of the move.
    ///
    /// # Errors
    ///
    /// As [`Automaton::playout`].
    pub fn playout_watched(
        &self,
        (search, moves): (&mut Search, &mut Moves),
        state: &mut State,
        rng: &mut Xoshiro256PlusPlus,
        max_moves: u64,
        mut watch: impl FnMut(&State, &Moves, usize),
    ) -> Result<Played, PlayError> {
        let mut played = 0;
        let ending = loop {
            match self.play_one((search, moves), state, rng, max_moves - played, &mut watch)? {
                None => played += 1,
                Some(ending) => break ending,
            }
        };
        Ok(Played { ending, moves: played })
    }
}

/// The numbers of plays by length.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Perft {
    /// By length: plays of exactly so many moves of players from the initial state.
    pub counts: Vec<u64>,
    /// By length: the plays among them that end at the node `end`.
    pub terminal: Vec<u64>,
    /// The error that ended the walk before all plays were counted.
    pub error: Option<PlayError>,
}

/// Counts the plays of up to `depth` moves of players and of chance. The moves of the keeper are
/// not counted. A play that is over counts at its length. Calls `progress` now and then with the
/// number of plays so far.
///
/// Keeps one state for each move on a stack of its own.
pub fn perft(
    automaton: &Automaton,
    search: &mut Search,
    depth: usize,
    mut progress: impl FnMut(u64),
) -> Perft {
    let mut result = Perft::default();
    let mut stack: Vec<Level> = Vec::new();
    let mut pool: Vec<Level> = Vec::new();
    let mut visited = 0u64;
    let mut state = automaton.initial().clone();
    loop {
        if let Err(error) =
            visit(automaton, search, &mut state, depth, &mut result, &mut stack, &mut pool)
        {
            result.error = Some(error);
            break;
        }
        visited += 1;
        if visited.is_multiple_of(1 << 12) {
            progress(visited);
        }
        while let Some(done) = stack.pop_if(|level| level.next == level.moves.len()) {
            pool.push(done);
        }
        let Some(level) = stack.last_mut() else { break };
        state.clone_from(&level.state);
        level.moves.play(level.next, &mut state);
        level.next += 1;
    }
    result.counts.resize(depth + 1, 0);
    result.terminal.resize(depth + 1, 0);
    result
}

/// A state on the stack, and the move to play next.
struct Level {
    state: State,
    moves: Moves,
    next: usize,
}

/// Counts a state, and puts it on the stack if it has successors to count.
fn visit(
    automaton: &Automaton,
    search: &mut Search,
    state: &mut State,
    depth: usize,
    result: &mut Perft,
    stack: &mut Vec<Level>,
    pool: &mut Vec<Level>,
) -> Result<(), PlayError> {
    automaton.keep(search, state)?;
    let length = stack.len();
    if result.counts.len() == length {
        result.counts.push(0);
        result.terminal.push(0);
    }
    result.counts[length] += 1;
    if automaton.turn(state) == Turn::End {
        result.terminal[length] += 1;
        return Ok(());
    }
    if length == depth {
        return Ok(());
    }
    let mut level = pool.pop().unwrap_or_else(|| Level {
        state: state.clone(),
        moves: Moves::default(),
        next: 0,
    });
    level.state.clone_from(state);
    level.next = 0;
    automaton.moves(search, &level.state, &mut level.moves)?;
    stack.push(level);
    Ok(())
}
