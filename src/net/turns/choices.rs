//! What is known of the moves of a turn before any is chosen.

use crate::net::gates::{GateId, Net, Operation, Signal};

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

/// Ors that are true since a role has no move but those in them; `values` are those of gates, of
/// inputs that may be chosen none. Linear, but for Ors that may have all moves of a role.
pub(super) fn whole(net: &Net, values: &[Known]) -> Vec<GateId> {
    let can_be = |input: usize| values[net.inputs[input].gate.index()] != Some(false);
    let mut moves = vec![0usize; usize::from(net.roles)];
    for (place, input) in net.inputs.iter().enumerate() {
        moves[usize::from(input.role.0)] += usize::from(can_be(place));
    }
    let fewest = moves.iter().copied().filter(|&count| count > 1).min().unwrap_or(usize::MAX);
    // How many moves are in an Or of nothing else, those that are in it twice counted twice.
    let mut inside: Vec<Option<usize>> = vec![None; net.len()];
    for (place, input) in net.inputs.iter().enumerate() {
        inside[input.gate.index()] = Some(usize::from(can_be(place)));
    }
    let mut found = Vec::new();
    for gate in net.computed().filter(|&gate| net.operation(gate) == Operation::Or) {
        let of = |operand: &Signal| {
            inside[operand.gate().index()].filter(|_| !operand.is_negated())
        };
        let all: Option<usize> = net.operands(gate).iter().map(of).sum();
        inside[gate.index()] = all;
        if all.is_some_and(|all| all >= fewest) && has_all_moves(net, gate, &can_be, &moves) {
            found.push(gate);
        }
    }
    found
}

/// Whether all moves of a role that can be are in an Or of moves.
fn has_all_moves(
    net: &Net,
    gate: GateId,
    can_be: &dyn Fn(usize) -> bool,
    moves: &[usize],
) -> bool {
    let mut missing = moves.to_vec();
    let mut seen = vec![false; net.inputs.len()];
    let mut open = vec![gate];
    while let Some(gate) = open.pop() {
        match net.operation(gate) {
            Operation::Input(input) if can_be(input.index()) => {
                if !std::mem::replace(&mut seen[input.index()], true) {
                    missing[usize::from(net.inputs[input.index()].role.0)] -= 1;
                }
            }
            _ => open.extend(net.operands(gate).iter().map(|operand| operand.gate())),
        }
    }
    missing.iter().zip(moves).any(|(&missing, &moves)| missing == 0 && moves > 0)
}
