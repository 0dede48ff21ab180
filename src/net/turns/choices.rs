//! What is known of the moves of a turn before any is chosen.

use crate::net::gates::Net;

/// A value, if it is known.
pub(super) type Known = Option<bool>;

/// The choice of moves, as far as it is known.
pub(super) struct Choices {
    /// By input: whether it is chosen.
    pub known: Vec<Known>,
    /// Whether some role has no move, so that there is no next state.
    pub is_stuck: bool,
}

impl Choices {
    /// The choice among inputs, if `can_be_legal` says which can be legal at all: one that
    /// cannot is not chosen; the only one of its role that can is.
    pub fn of(net: &Net, can_be_legal: impl Fn(usize) -> bool) -> Choices {
        let mut moves = vec![0u32; usize::from(net.roles)];
        for (place, input) in net.inputs.iter().enumerate() {
            moves[usize::from(input.role.0)] += u32::from(can_be_legal(place));
        }
        let choice = |place: usize| match moves[usize::from(net.inputs[place].role.0)] {
            _ if !can_be_legal(place) => Some(false),
            1 => Some(true),
            _ => None,
        };
        let known = (0..net.inputs.len()).map(choice).collect();
        Choices { known, is_stuck: moves.contains(&0) }
    }
}
