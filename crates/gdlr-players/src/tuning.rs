//! The bounds by which this crate chooses.

use std::time::Duration;

/// By what bounds engines are made, and how a search divides its first clock. What is searched, and how
/// well, is not said here, but beside each search. [`Tuning::default`] has those that served public games
/// best.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tuning {
    /// The bounds by which nets are made and laid out.
    pub batch: gdlr_batch::Tuning,
    /// The bounds by which automata are written of nets, and compiled.
    pub automata: gdlr_automata::automaton::Tuning,
    /// Where trees are wanted, sample play leaves one in so many parts of the time.
    pub after_samples: u32,
    /// Where trees only come first, or in the place of a net, sample play may take one in so many parts of
    /// the time.
    pub tree_share: u32,
    /// How a search begins.
    pub search: SearchTuning,
}

impl Default for Tuning {
    fn default() -> Tuning {
        Tuning {
            batch: gdlr_batch::Tuning::default(),
            automata: gdlr_automata::automaton::Tuning::default(),
            after_samples: 4,
            tree_share: 10,
            search: SearchTuning::default(),
        }
    }
}

/// How a search begins: what may go into set-up, and what is tried.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchTuning {
    /// Lanes that nobody has made may take one in so many parts of the clock.
    pub layout_share: u32,
    /// The search for independent parts may take one in so many parts of the clock.
    pub parts_share: u32,
    /// How many states are looked at for independent parts.
    pub parts_states: usize,
    /// A game with more moves is not looked at for them.
    pub parts_moves: usize,
    /// How long each shape is tried…
    pub shape_time: Duration,
    /// … and in how many rounds at least.
    pub shape_rounds: u32,
    /// A number of playouts is made in so many rounds at least…
    pub playout_rounds: u64,
    /// … of no more leaves than so many.
    pub leaves_at_once: u64,
    /// How wide the first beam is, for one role alone.
    pub beam_width: usize,
}

impl Default for SearchTuning {
    fn default() -> SearchTuning {
        SearchTuning {
            layout_share: 4,
            parts_share: 4,
            parts_states: 100,
            parts_moves: 1 << 12,
            shape_time: Duration::from_millis(8),
            shape_rounds: 2,
            playout_rounds: 64,
            leaves_at_once: 64,
            beam_width: 64,
        }
    }
}
