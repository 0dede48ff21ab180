//! The bounds by which this crate chooses.

/// By what bounds nets are made of automata, and automata of nets. None changes what a game is: each
/// weighs the time of set-up, or memory, against the time of play. [`Tuning::default`] has those that
/// served public games best.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tuning {
    /// The bounds by which an automaton is made small, and compiled for the interpreter.
    pub rg: gdlr_rg::rg::Tuning,
    /// The bounds by which a net of an automaton is made small.
    pub net: gdlr_net::net::Tuning,
    /// The part of the time that is left in which the automaton of a net is made small: one in so many.
    pub optimiser_share: u32,
    /// How often it is made small at most, each time with more of states to be kept.
    pub optimiser_rounds: usize,
    /// A variable of so many values may be a counter, which walks do not know.
    pub counter_values: usize,
    /// The keeper pauses to ask where so many combinations of values are to be tried out at most.
    pub paused_values: usize,
    /// The most symbols of a slot of which those are left out that were denied on the way.
    pub asked_values: usize,
    /// The most contents among which one is chosen as a whole where ways meet, and not bit by bit.
    pub whole_contents: usize,
    /// The most slots of a write for each of which it is found out what it gets.
    pub written_slots: usize,
    /// The most pairs of contents that are compared one by one.
    pub compared_pairs: usize,
    /// The most combinations of contents that are looked up one by one.
    pub looked_up: usize,
    /// The most ways that meet among which those are looked for that are one…
    pub joined_ways: usize,
    /// … and the most conditions of such a way.
    pub way_conditions: usize,
    /// The most operands of a gate that others are put into, to see what contradicts each other.
    pub flat_operands: usize,
    /// The most signals that are followed to see that a walk is never taken.
    pub followed: usize,
    /// Where both could be, the rules leave one in so many parts of the time to writing the net.
    pub rules_share: u32,
    /// A condition that is read more than once, and takes more comparisons, is computed once a turn.
    pub costly: u32,
    /// A condition of no more edges is written out where it is read…
    pub small: u32,
    /// … and one of no more than so many where nothing else reads it.
    pub small_alone: u32,
    /// How many conditions are checked for several ways at once.
    pub shared: u32,
    /// The most gates that are looked at, in each phase, to say of each move what it does.
    pub move_work: usize,
    /// The most steps to find out what follows each value of a variable.
    pub successor_steps: usize,
    /// The most updates of a move that are put into an order in which few need a second variable.
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
    /// Bounds that small games reach, for tests: what only large ones see by default is tried with these
    /// as well.
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
