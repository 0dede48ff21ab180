//! Simplification by the rules of play: each role chooses exactly one move, a legal one.
//!
//! ```text
//! i, j, k, l: all moves of a role         legal(i) = p and q
//!
//! i and p and r                           i and r
//! i and j                                 false
//! i and not j                             i
//! i or j or k or l                        true
//! (i or j or k) or r                      not l or r
//! not i and not j and not k               l
//! i, where no other move is legal if i is     legal(i)
//! ```
//!
//! Only successors of latches read moves, and they are read only when each role has chosen a
//! legal move. This makes frame rules small: *the cell keeps its piece whenever one of the
//! moves is made that do not touch it* becomes *unless one is made that does*. Linear.

use super::absorption::conjunction;
use super::consequences::Consequences;
use crate::net::feedback::Feedback;
use crate::net::gates::{Net, Operation, Signal};
use crate::net::rebuild::{Rebuild, Replaced, rebuild, simplify};
use crate::net::structural_hash::StructuralHash;
use gdlr_text::budget::{Exhausted, Meter};

/// Uses that each role chooses exactly one move, and a legal one.
pub(super) fn run(net: &Net, meter: &Meter<'_>) -> Result<Net, Exhausted> {
    let feedback = Feedback::of(net);
    let readers = net.readers();
    let mut consequences = Consequences::of_play(net, &feedback);
    let inputs = forced_moves(net, &mut consequences, meter)?;
    let replaced = Replaced { inputs, ..Replaced::default() };
    let mut rest = Rest::of(net);
    rebuild(net, &replaced, meter, |builder, gate, operation, operands| {
        if feedback.on_cycle(gate) {
            return builder.simplified(operation, operands);
        }
        let negate = operation == Operation::Or;
        let mut members: Vec<Signal> =
            net.operands(gate).iter().map(|operand| operand.negated_if(negate)).collect();
        let beside = rest.exchange(&mut members, builder);
        conjunction(builder, net, &members, beside, &mut consequences, &readers, negate)
    })
}

/// How much work it is to see what follows from a move.
const WORK_OF_MOVE: usize = 64;

/// By input: what it equals, if that is a bit of the state.
///
/// If a move's legality implies a signal, and that of every other move of the role implies
/// the complement, then the move is chosen exactly when the signal is true.
fn forced_moves(
    net: &Net,
    consequences: &mut Consequences<'_>,
    meter: &Meter<'_>,
) -> Result<Vec<Option<Signal>>, Exhausted> {
    let mut moves = vec![0u32; usize::from(net.roles)];
    net.inputs.iter().for_each(|input| moves[usize::from(input.role.0)] += 1);
    let sources = 2 * net.first_computed().index();
    let mut equals = vec![None; net.inputs.len()];
    for (role, &moves) in moves.iter().enumerate() {
        let inputs = || net.inputs.iter().filter(move |input| usize::from(input.role.0) == role);
        // By signal: how many moves imply it.
        let mut implied_by = vec![0u32; sources];
        let mut count = |signal: Signal| {
            if matches!(net.operation(signal.gate()), Operation::Latch(_)) {
                implied_by[signal.index()] += 1;
            }
        };
        meter.spend(net.inputs.len())?;
        for input in inputs() {
            meter.spend(WORK_OF_MOVE)?;
            consequences.clear();
            consequences.assume(Signal::of(input.gate));
            consequences.following().iter().for_each(|&signal| count(signal));
        }
        for input in inputs().filter(|_| moves > 1) {
            meter.spend(WORK_OF_MOVE)?;
            consequences.clear();
            consequences.assume(Signal::of(input.gate));
            let Operation::Input(place) = net.operation(input.gate) else { continue };
            let is_latch = |s: &Signal| matches!(net.operation(s.gate()), Operation::Latch(_));
            equals[place.index()] = (consequences.following().iter().copied())
                .filter(is_latch)
                // A move that contradicts itself would count among the others.
                .filter(|&signal| !consequences.follows(!signal))
                .find(|signal| implied_by[(!*signal).index()] == moves - 1);
        }
    }
    Ok(equals)
}

/// The moves that a conjunction leaves to a role.
struct Rest {
    /// By role: its inputs.
    inputs: Vec<Vec<Signal>>,
    /// By gate: whose move it is, if it is one.
    role: Vec<Option<u16>>,
    /// By gate, for inputs: the last conjunction that says it is not chosen.
    unchosen: Vec<u32>,
    now: u32,
    counts: Vec<u32>,
    structural_hash: StructuralHash,
}

impl Rest {
    fn of(net: &Net) -> Rest {
        let roles = usize::from(net.roles);
        let mut rest = Rest {
            inputs: vec![Vec::new(); roles],
            role: vec![None; net.first_computed().index()],
            unchosen: vec![0; net.first_computed().index()],
            now: 0,
            counts: vec![0; roles],
            structural_hash: StructuralHash::default(),
        };
        for input in &net.inputs {
            rest.inputs[usize::from(input.role.0)].push(Signal::of(input.gate));
            rest.role[input.gate.index()] = Some(input.role.0);
        }
        rest
    }

    fn role(&self, signal: Signal) -> Option<usize> {
        self.role.get(signal.gate().index()).copied().flatten().map(usize::from)
    }

    /// Takes those members of a conjunction out that deny most moves of a role. What says the
    /// same is returned, as signals of the new net.
    fn exchange(&mut self, members: &mut Vec<Signal>, builder: &mut Rebuild) -> Vec<Signal> {
        let mut beside = Vec::new();
        let denies = |member: &&Signal| member.is_negated() && self.role(**member).is_some();
        if members.iter().filter(denies).nth(1).is_none() && self.inputs.iter().all(|i| i.len() > 2)
        {
            return beside;
        }
        self.now += 1;
        self.counts.fill(0);
        for &member in members.iter().filter(|member| member.is_negated()) {
            if let Some(role) = self.role(member) {
                self.counts[role] += 1;
                self.unchosen[member.gate().index()] = self.now;
            }
        }
        for role in 0..self.inputs.len() {
            let (refuted, moves) = (self.counts[role] as usize, self.inputs[role].len());
            // As another operand it must take more wires away than it adds, by the gate that
            // it may need.
            let alone = refuted == members.len();
            let left = moves - refuted;
            if refuted == 0 || !(left <= 1 || left < refuted && alone || left + 1 < refuted) {
                continue;
            }
            let mut operands: Vec<Signal> = (self.inputs[role].iter())
                .filter(|input| self.unchosen[input.gate().index()] != self.now)
                .map(|&input| builder.mapped(input))
                .collect();
            members.retain(|&member| !(member.is_negated() && self.role(member) == Some(role)));
            beside.push(match simplify(Operation::Or, &mut operands) {
                Some(signal) => signal,
                None => self.structural_hash.gate(&mut builder.net, Operation::Or, &operands).0,
            });
        }
        beside
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::passes::constants;
    use crate::net::passes::freely;
    use gdlr_engine::engine::RoleId;

    fn run(net: &Net) -> Net {
        freely(super::run, net)
    }

    /// A net with two roles of four moves each.
    fn net() -> (Net, [Signal; 4], [Signal; 4], Signal) {
        let mut net = Net::new(4, 8, 2);
        let latch = |net: &Net, place: usize| Signal::of(net.latches[place].gate);
        let input = |net: &Net, place: usize| Signal::of(net.inputs[place].gate);
        for place in 0..8 {
            net.inputs[place].role = RoleId(place as u16 / 4);
            net.inputs[place].legal = latch(&net, 1 + place / 4);
        }
        let first = [0, 1, 2, 3].map(|place| input(&net, place));
        let second = [4, 5, 6, 7].map(|place| input(&net, place));
        let a = latch(&net, 0);
        (net, first, second, a)
    }

    #[test]
    fn all_but_some() {
        let (mut net, [i, j, k, l], [m, ..], a) = net();
        net.latches[0].next = net.add(Operation::Or, &[i, j, k]);
        net.latches[1].next = net.add(Operation::Or, &[i, j, k, l, m]);
        let most = net.add(Operation::Or, &[i, j, l, a]);
        net.latches[2].next = net.add(Operation::And, &[most, m]);
        net.latches[3].next = net.add(Operation::And, &[i, !j, a, k]);
        let result = freely(constants::run, &run(&net));
        assert_eq!(result.latches[0].next, !l);
        assert_eq!(result.latches[1].next, Signal::TRUE);
        let most = result.operands(result.latches[2].next.gate())[1].gate();
        assert_eq!(result.operands(most), [a, !k]);
        assert_eq!(result.latches[3].next, Signal::FALSE);
    }

    #[test]
    fn a_move_needs_no_test_of_its_legality() {
        let (mut net, [i, j, ..], [m, ..], a) = net();
        let b = Signal::of(net.latches[1].gate);
        net.inputs[0].legal = net.add(Operation::And, &[a, !b]);
        net.latches[0].next = net.add(Operation::And, &[a, !b, i, m, !j]);
        let result = freely(constants::run, &run(&net));
        // All other moves of the first role need `b`, so `i` is read as its complement.
        assert_eq!(result.operands(result.latches[0].next.gate()), [!b, m]);
    }
}
