//! Who chooses the moves: the seam between a game and its players.
//!
//! The [`machine`](super::machine) stops twice in a step. When it has computed which moves are
//! legal, whoever chooses writes into its memory which are made; then it computes the next
//! states. Both are planes: a move is a slot, and a lane is a bit of it. So a choice may be
//! made for all lanes by the same instructions, as [`uniform`](super::uniform) does, or lane
//! by lane, from actions that somebody else prescribes. The machine is compiled for each kind
//! of choice, so that the seam costs nothing.

use super::layout::Phase;
use super::plane::Plane;

/// Chooses the moves of all roles in all lanes.
pub(super) trait ChooseMoves<P: Plane> {
    /// Writes a legal move of each role that has a choice ([`Phase::choices`]), in the lanes of
    /// `playing`; in the others, anything. Returns the lanes of `playing` in which a role has
    /// no legal move.
    fn choose(&mut self, phase: &Phase, playing: P, memory: &mut [P]) -> P;

    /// The same by the code of the phase, if it has some, which has counted the legal moves. Tells
    /// whether numbers were drawn alone, since code finds the moves as it makes them.
    #[inline(always)]
    fn draw(&mut self, phase: &Phase, playing: P, memory: &mut [P]) -> (P, bool) {
        (self.choose(phase, playing, memory), false)
    }
}
