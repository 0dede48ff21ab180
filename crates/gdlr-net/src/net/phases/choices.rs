//! Moves of a phase that are known before any move is chosen, by ternary simulation: a role with one legal move makes it.

use crate::net::gates::{GateId, Net, Operation};

/// A value, if it is known.
pub type Ternary = Option<bool>;

/// The choice of moves, as far as it is known.
pub struct Choices {
    /// By input: whether it is chosen.
    pub known: Vec<Ternary>,
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
pub(super) fn whole(net: &Net, values: &[Ternary]) -> Vec<GateId> {
    let can_be = |input: usize| values[net.inputs[input].gate.index()] != Some(false);
    let mut moves = vec![0usize; usize::from(net.roles)];
    for (place, input) in net.inputs.iter().enumerate() {
        moves[usize::from(input.role.0)] += usize::from(can_be(place));
    }
    let fewest = moves.iter().copied().filter(|&count| count > 1).min().unwrap_or(usize::MAX);
    // How many moves are in an Or, those that are in it twice counted twice.
    let mut inside = vec![0usize; net.len()];
    for (place, input) in net.inputs.iter().enumerate() {
        inside[input.gate.index()] = usize::from(can_be(place));
    }
    let mut wholes = Vec::new();
    // By gate: the last Or behind which it was seen.
    let mut seen = vec![GateId(0); net.len()];
    for gate in net.computed().filter(|&gate| net.operation(gate) == Operation::Or) {
        let operands = net.operands(gate).iter().filter(|operand| !operand.is_negated());
        let all = operands
            .fold(0, |all: usize, operand| all.saturating_add(inside[operand.gate().index()]));
        inside[gate.index()] = all;
        if all >= fewest && has_all_moves(net, gate, &can_be, &moves, &mut seen) {
            wholes.push(gate);
        }
    }
    wholes
}

/// Whether all moves of a role that can be are among the alternatives of an Or.
fn has_all_moves(
    net: &Net,
    of: GateId,
    can_be: &dyn Fn(usize) -> bool,
    moves: &[usize],
    seen: &mut [GateId],
) -> bool {
    let mut missing = moves.to_vec();
    let mut open = vec![of];
    while let Some(gate) = open.pop() {
        if std::mem::replace(&mut seen[gate.index()], of) == of {
            continue;
        }
        match net.operation(gate) {
            Operation::Input(input) if can_be(input.index()) => {
                missing[usize::from(net.inputs[input.index()].role.0)] -= 1;
            }
            Operation::Or => {
                let operands = net.operands(gate).iter().filter(|operand| !operand.is_negated());
                open.extend(operands.map(|operand| operand.gate()));
            }
            _ => {}
        }
    }
    missing.iter().zip(moves).any(|(&missing, &moves)| missing == 0 && moves > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::Signal;
    use gdlr_engine::engine::RoleId;

    #[test]
    fn an_or_of_all_moves_of_a_role_is_true() {
        let mut net = Net::new(0, 5, 2);
        net.inputs.iter_mut().skip(3).for_each(|input| input.role = RoleId(1));
        let [a, b, c, d, e] =
            [0, 1, 2, 3, 4].map(|input: usize| Signal::of(net.inputs[input].gate));
        let two = net.add(Operation::Or, &[a, b]);
        let three = net.add(Operation::Or, &[two, c]);
        let twice = net.add(Operation::Or, &[two, a]);
        let other = net.add(Operation::Or, &[d, e]);
        net.add(Operation::Or, &[c, d]);
        let not_c = net.add(Operation::Or, &[two, !c]);
        let both = net.add(Operation::And, &[d, e]);
        let more = net.add(Operation::Or, &[d, both, e]);
        let mut values: Vec<Ternary> = vec![None; net.len()];
        assert_eq!(whole(&net, &values), [three, other, more].map(Signal::gate));
        // With one move that cannot be, others are all there are.
        values[c.gate().index()] = Some(false);
        assert_eq!(whole(&net, &values), [two, three, twice, other, not_c, more].map(Signal::gate));
        values[c.gate().index()] = None;
        values[e.gate().index()] = Some(false);
        // Of a role that has one move it is known anyway.
        assert_eq!(whole(&net, &values), [three.gate()]);
    }
}
