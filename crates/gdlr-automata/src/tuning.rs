//! The bounds by which this crate decides.

/// Bounds for nets made of automata, and for automata made of nets. No bound changes the game. Each
/// one weighs the time or the memory of set-up against the time of play. [`Tuning::default`] has
/// the bounds that served public games best.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tuning {
    /// The bounds by which an automaton is optimised, and compiled for the interpreter.
    pub rg: gdlr_rg::rg::Tuning,
    /// The bounds by which the net of an automaton is optimised.
    pub net: gdlr_net::net::Tuning,
    /// The share of the remaining time for optimising an automaton before its net is made: one part
    /// in so many.
    pub optimiser_share: u32,
    /// The most rounds of this optimisation. Each round keeps more variables of the states.
    pub optimiser_rounds: usize,
    /// The fewest values of a variable that may be a counter, whose value walks do not know.
    pub counter_values: usize,
    /// The most combinations of known values at a pause of the keeper.
    pub paused_values: usize,
    /// A slot with at most this many symbols is read without those that the walk has excluded.
    pub asked_values: usize,
    /// The most contents among which one is chosen as a whole where walks meet. More are chosen bit
    /// by bit.
    pub whole_contents: usize,
    /// The most slots of a write whose new values are computed one by one.
    pub written_slots: usize,
    /// The most pairs of contents that are compared one by one.
    pub compared_pairs: usize,
    /// The most combinations of contents that are looked up one by one.
    pub looked_up: usize,
    /// The most walks that meet, among which pairs are joined into one…
    pub joined_ways: usize,
    /// … and the most conditions of such a walk.
    pub way_conditions: usize,
    /// The most operands of a gate into which the operands of others are put, to find
    /// contradictions.
    pub flat_operands: usize,
    /// The most signals that are followed to prove that a walk is never taken.
    pub followed: usize,
    /// The share of the time that the rules leave for the net, if both may be written: one part in
    /// so many.
    pub rules_share: u32,
    /// A condition that is read more than once, and takes more comparisons than this, is computed
    /// once a turn.
    pub costly: u32,
    /// The most edges of a condition that is written out where it is read…
    pub small: u32,
    /// … and of a condition that is read only once.
    pub small_alone: u32,
    /// The most shared conditions, one behind the other, that are tested once for several
    /// alternatives.
    pub shared: u32,
    /// The most gates, in each phase, that are visited to find the effects of each move.
    pub move_work: usize,
    /// The most steps to find the next value of each value of a variable.
    pub successor_steps: usize,
    /// The most updates of a move that are ordered so that few need a second variable.
    pub ordered_updates: usize,
}

impl Default for Tuning {
    fn default() -> Tuning {
        Tuning {
            rg: gdlr_rg::rg::Tuning::default(),
            net: gdlr_net::net::Tuning::default(),
            optimiser_share: 4,
            optimiser_rounds: 4,
            counter_values: 17,
            paused_values: 1024,
            asked_values: 16,
            whole_contents: 16,
            written_slots: 8,
            compared_pairs: 64,
            looked_up: 64,
            joined_ways: 16,
            way_conditions: 32,
            flat_operands: 16,
            followed: 4_096,
            rules_share: 3,
            costly: 24,
            small: 3,
            small_alone: 8,
            shared: 3,
            move_work: 1 << 26,
            successor_steps: 1 << 22,
            ordered_updates: 64,
        }
    }
}

impl Tuning {
    /// Bounds that small games reach, for tests. Code for large games is then tested with small
    /// ones.
    #[cfg(any(test, feature = "testing"))]
    pub fn small() -> Tuning {
        Tuning {
            rg: gdlr_rg::rg::Tuning::small(),
            net: gdlr_net::net::Tuning::small(),
            optimiser_rounds: 1,
            counter_values: 3,
            paused_values: 2,
            asked_values: 2,
            whole_contents: 1,
            written_slots: 2,
            compared_pairs: 2,
            looked_up: 2,
            joined_ways: 2,
            way_conditions: 2,
            flat_operands: 2,
            followed: 4,
            costly: 2,
            small: 1,
            small_alone: 1,
            shared: 1,
            move_work: 16,
            successor_steps: 8,
            ordered_updates: 2,
            ..Tuning::default()
        }
    }
}
