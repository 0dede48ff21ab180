//! The bounds by which this crate chooses.

use gdlr_net::net;

/// By what bounds a game is laid out for many playouts at once. None changes which playouts are possible,
/// or how likely they are: each weighs one way to compute them against another. [`Tuning::default`] has
/// those that were fastest on public rulesheets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tuning {
    /// How the net is made that is laid out, and how its moves share gates.
    pub net: net::Tuning,
    /// A game with more moves than this, of all roles, is played by loops: in the amazons of the public
    /// corpus, which has 174,000, they were twice as fast as code for AVX-512, and more than three times
    /// as fast as that for AVX2.
    pub most_moves_of_code: usize,
    /// A role with fewer moves than this has all of them made by code, those that no lane makes, too.
    pub fewest_passed_over: usize,
    /// Moves that are made in no lane are passed over if neighbours of which one is made are less than
    /// this part of all. Beyond it, registers that are stored and read again cost more.
    pub most_made_together: f64,
    /// For how many steps play is watched to tell that part.
    pub steps_watched: usize,
    /// Phases about which moves decide, so that lanes wait for their turn, are taken if a step costs
    /// less than this part of what it costs without them.
    pub waiting_gain: f64,
    /// Loops count more moves of a role than this in blocks of groups. Below it, the sums of blocks cost
    /// more than is passed over: 3 % of the steps of amazons with 1,520 moves.
    pub most_moves_in_groups: usize,
    /// A step may compute the goals of all its states, or keep the latches of states that are over until their
    /// goals are asked for. It computes them where that names fewer slots than this part of those for keeping.
    /// So gomoku has 1.3 times the rate, connect four and hex 1.2 times. Reversi keeps states, as its
    /// goals count all stones.
    pub goals_in_step: f64,
    /// So many bytes of blocks of lanes the processor's cache is taken to hold, where lanes are stepped
    /// from outside. More of them play one after the other in the memory of one block.
    pub cache: usize,
    /// So many bytes of bits are kept at most before they are written as rows of bytes, where lanes are
    /// stepped from outside.
    pub rows: usize,
}

impl Default for Tuning {
    fn default() -> Tuning {
        Tuning {
            net: net::Tuning::default(),
            most_moves_of_code: 1 << 16,
            fewest_passed_over: 1000,
            most_made_together: 0.6,
            steps_watched: 64,
            waiting_gain: 0.9,
            // 64 blocks of nine groups of seven.
            most_moves_in_groups: 64 * 9 * 7,
            goals_in_step: 1.0,
            cache: 12 << 20,
            rows: 512 << 10,
        }
    }
}

impl Tuning {
    /// Bounds that small games reach, for tests: what only large ones see by default is tried with these
    /// as well.
    #[cfg(all(test, not(miri)))]
    pub(crate) fn small() -> Tuning {
        Tuning {
            net: net::Tuning::small(),
            fewest_passed_over: 30,
            // Passed over whatever is made.
            most_made_together: 2.0,
            most_moves_in_groups: 2 * 9 * 7,
            // States are kept in games that would not do so.
            goals_in_step: 0.0,
            cache: 4 << 10,
            // As few columns at once as there may be.
            rows: 0,
            ..Tuning::default()
        }
    }
}
