//! The bounds by which this crate chooses.

/// By what bounds a game is grounded and a net is made, made smaller and laid out. None changes what a
/// net does: each weighs the time of set-up, or memory, against the time of play. [`Tuning::default`] has
/// those that served public rulesheets best.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tuning {
    /// A rule that is grounded is divided where that leaves less than this part of its instances.
    pub division_gain: f64,
    /// A rule with fewer instances than this, as far as is known, is not divided.
    pub fewest_divided: f64,
    /// How many pieces of work may go into divisions. What remains then is left as it is.
    pub division_work: u64,
    /// A relation that may have more facts, and that goals alone ask, is put into the rules of the goals.
    pub most_facts: f64,
    /// How often the passes that feed each other run at most, in a series. Public rulesheets need
    /// three to five rounds; each takes time even where little is left to gain.
    pub rounds: usize,
    /// A round that makes a net smaller by less than this part of it is the last: one in so many.
    pub round_gain: usize,
    /// How often passes run between series of rounds at most: what the first proofs make of a net
    /// lets more be proven.
    pub series: usize,
    /// A pair of operands becomes a gate if so many gates have both.
    pub fewest_pairs: u32,
    /// How often the latches that tell phases apart are added to, for the engine of single states.
    pub phase_sets: usize,
    /// Phases must leave so many tenths of the work of single states at most: they take memory.
    pub phase_tenths: usize,
    /// The effects of moves are taken apart by move if that leaves so many twentieths of the work at most.
    pub by_move_twentieths: usize,
}

impl Default for Tuning {
    fn default() -> Tuning {
        Tuning {
            division_gain: 0.8,
            fewest_divided: 32.0,
            division_work: 50_000_000,
            most_facts: 16_384.0,
            rounds: 8,
            round_gain: 200,
            series: 2,
            fewest_pairs: 4,
            phase_sets: 2,
            phase_tenths: 9,
            by_move_twentieths: 19,
        }
    }
}

impl Tuning {
    /// Bounds that small games and nets reach, for tests: what only large ones see by default is tried
    /// with these as well.
    #[cfg(any(test, feature = "testing"))]
    pub fn small() -> Tuning {
        Tuning { fewest_divided: 2.0, most_facts: 8.0, fewest_pairs: 2, ..Tuning::default() }
    }
}
