//! Indicators: Ors of latches that tell phases apart where no single latch does.
//!
//! In the game of the amazons a shot follows a move. No latch says which of the two is next. The Or of a
//! hundred latches does, one for each square from which an amazon may be about to shoot:
//!
//! ```text
//! shooting = shooter(1,1) or shooter(1,2) or …        next(shooter(x,y)) = some move to (x,y)
//! ```
//!
//! Where the indicator is false, all of its latches are. It will be true if every move makes one of its
//! latches true, as each move of an amazon does.

use super::choices::Ternary;
use crate::net::gates::{GateId, LatchId, Net, Operation, Signal};

/// An Or of latches, and of nothing else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Indicator {
    /// The gate.
    pub gate: GateId,
    /// The latches.
    pub latches: Vec<LatchId>,
}

/// The fewest latches of an indicator: what fewer say they may say themselves.
const FEWEST: usize = 4;
/// How many indicators of a net are looked at.
const MOST: usize = 2;

impl Indicator {
    /// Those of a net that may tell phases apart: of the most latches. Linear in the net.
    pub fn of(net: &Net) -> Vec<Indicator> {
        let latch = |&signal: &Signal| match net.operation(signal.gate()) {
            Operation::Latch(latch) if !signal.is_negated() => Some(latch),
            _ => None,
        };
        let ors = net.computed().filter(|&gate| net.operation(gate) == Operation::Or);
        let large = ors.filter(|&gate| net.operands(gate).len() >= FEWEST);
        let mut indicators: Vec<Indicator> = large
            .filter_map(|gate| {
                let latches = net.operands(gate).iter().map(latch).collect::<Option<_>>()?;
                Some(Indicator { gate, latches })
            })
            .collect();
        indicators.sort_by_key(|indicator| std::cmp::Reverse(indicator.latches.len()));
        indicators.truncate(MOST);
        indicators
    }

    /// A latch as an indicator: it tells phases apart only as long as play goes on.
    pub(super) fn of_latch(net: &Net, latch: LatchId) -> Indicator {
        Indicator { gate: net.latches[latch.index()].gate, latches: vec![latch] }
    }

    /// Whether the indicator is true, if `is_true` says which latches are.
    pub fn is_true(&self, is_true: impl Fn(LatchId) -> bool) -> bool {
        self.latches.iter().any(|&latch| is_true(latch))
    }

    /// Whether it will be true, with these values of gates; inputs that may still be chosen are
    /// not known, those that cannot be are false. Linear in what its latches become.
    pub(super) fn next(&self, net: &Net, values: &[Ternary]) -> Ternary {
        let value = |signal: Signal| {
            values[signal.gate().index()].map(|value| value != signal.is_negated())
        };
        let mut open: Vec<Signal> = Vec::new();
        let mut all_false = true;
        for latch in &self.latches {
            let next = net.latches[latch.index()].next;
            match value(next) {
                Some(true) => return Some(true),
                Some(false) => {}
                None => {
                    all_false = false;
                    open.push(next);
                }
            }
        }
        if all_false {
            return Some(false);
        }
        // Moves each of which makes a latch true: does a role have no others?
        let mut makes = vec![false; net.inputs.len()];
        let mut seen = vec![false; net.len()];
        while let Some(signal) = open.pop() {
            let gate = signal.gate();
            match net.operation(gate) {
                Operation::Input(input) if !signal.is_negated() => makes[input.index()] = true,
                Operation::Or
                    if !signal.is_negated()
                        && !std::mem::replace(&mut seen[gate.index()], true) =>
                {
                    open.extend(net.operands(gate).iter().filter(|&&of| value(of).is_none()));
                }
                _ => {}
            }
        }
        let mut others = vec![false; usize::from(net.roles)];
        for (input, makes) in net.inputs.iter().zip(makes) {
            others[usize::from(input.role.0)] |=
                !makes && value(Signal::of(input.gate)) != Some(false);
        }
        others.contains(&false).then_some(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four latches that four of five moves make true, one each, and the Or of them.
    fn net() -> (Net, Indicator) {
        let mut net = Net::new(5, 5, 1);
        let latch = |net: &Net, place: usize| Signal::of(net.latches[place].gate);
        for place in 0..4 {
            net.inputs[place].legal = Signal::TRUE;
            net.latches[place].next = Signal::of(net.inputs[place].gate);
        }
        net.inputs[4].legal = latch(&net, 4);
        let four: Vec<Signal> = (0..4).map(|place| latch(&net, place)).collect();
        net.terminal = net.add(Operation::Or, &four);
        let negated =
            net.add(Operation::Or, &[four[0], four[1], four[2], four[3], !latch(&net, 4)]);
        net.latches[4].next = negated;
        let [indicator] = &Indicator::of(&net)[..] else { panic!("one of four plain latches") };
        (net.clone(), indicator.clone())
    }

    #[test]
    fn an_or_of_latches_is_a_sign() {
        let (net, indicator) = net();
        assert_eq!(indicator.gate, net.terminal.gate());
        assert_eq!(indicator.latches, [0, 1, 2, 3].map(LatchId));
        assert!(
            indicator.is_true(|latch| latch == LatchId(2))
                && !indicator.is_true(|l| l == LatchId(4))
        );
    }

    #[test]
    fn what_a_move_prevents_it_does_not_make_true() {
        let (mut net, indicator) = net();
        let input = |net: &Net, place: usize| Signal::of(net.inputs[place].gate);
        let mut values = vec![None; net.len()];
        values[net.inputs[4].gate.index()] = Some(false);
        net.latches[3].next = !input(&net, 3);
        assert_eq!(indicator.next(&net, &values), None, "the fourth move makes it false");
        let either = net.add(Operation::Or, &[input(&net, 2), input(&net, 3)]);
        let mut values = vec![None; net.len()];
        values[net.inputs[4].gate.index()] = Some(false);
        net.latches[3].next = either;
        assert_eq!(indicator.next(&net, &values), Some(true));
        net.latches[3].next = !either;
        assert_eq!(indicator.next(&net, &values), None);
    }

    #[test]
    fn it_follows_if_every_move_makes_a_latch_of_it_true() {
        let (net, indicator) = net();
        let mut values = vec![None; net.len()];
        assert_eq!(indicator.next(&net, &values), None, "the fifth move makes none");
        values[net.inputs[4].gate.index()] = Some(false);
        assert_eq!(indicator.next(&net, &values), Some(true));
        values[net.inputs[0].gate.index()] = Some(false);
        assert_eq!(indicator.next(&net, &values), Some(true), "three are left, and make three");
        for input in &net.inputs {
            values[input.gate.index()] = Some(false);
        }
        assert_eq!(indicator.next(&net, &values), Some(false));
    }
}
