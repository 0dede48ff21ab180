//! Fast extract: pairs of operands that many gates have in common become gates.
//!
//! ```text
//! g = a and b and c     h = a and b and d     i = a and b and e
//! g = x and c           h = x and d           i = x and e           x = a and b
//! ```
//!
//! A move that takes a piece wherever one stands has the conditions of the move and those of the
//! piece, for each pair of both; with them taken together first, it is legal where both are. This is
//! the greedy extraction of cubes of two literals (Rajski and Vasudevamurthy, *The
//! Testability-Preserving Concurrent Decomposition and Factorization of Boolean Expressions*, 1992),
//! without divisors of two cubes. Each step makes a gate of the pair that most gates have; the last step is
//! the one after which no pair has enough gates. Pairs are counted in gates of a few operands
//! ([`MOST_OPERANDS`]) that depend on no move, because engines look for the effects of moves among the operands
//! of gates themselves. Quadratic in the operands of a gate, otherwise linear but for a heap of pairs.

use crate::net::feedback::Feedback;
use crate::net::gates::{GateId, Net, Operation, Signal};
use crate::net::rebuild::{Replaced, rebuild};
use gdlr_text::budget::{Exhausted, Meter};
use hashbrown::HashMap;
use std::collections::BinaryHeap;

/// Gates with more operands stay as they are.
const MOST_OPERANDS: usize = 16;

/// An operand: a signal of the net, or a pair, by number behind all signals.
type Code = u32;

/// Makes gates of pairs of operands that no fewer gates than `fewest` have.
pub(super) fn run(net: &Net, fewest: u32, meter: &Meter<'_>) -> Result<Net, Exhausted> {
    let feedback = Feedback::of(net);
    let of_moves = net.dependent(net.inputs.iter().map(|input| input.gate));
    let is_free = |gate: GateId| {
        let operands = net.operands(gate).len();
        let small = (3..=MOST_OPERANDS).contains(&operands);
        small && !of_moves[gate.index()] && !feedback.on_cycle(gate) && !net.is_knot(gate)
    };
    let mut plans: Vec<Option<Pairs>> = Vec::new();
    for operation in [Operation::And, Operation::Or] {
        let gates =
            net.computed().filter(|&gate| is_free(gate) && net.operation(gate) == operation);
        plans.push(Pairs::of(net, gates, fewest, meter)?);
    }
    if plans.iter().all(Option::is_none) {
        return Ok(net.clone());
    }
    let mut signals: Vec<HashMap<Code, Signal>> = vec![HashMap::new(); plans.len()];
    rebuild(net, &Replaced::default(), meter, |builder, gate, operation, operands| {
        let place = usize::from(operation == Operation::Or);
        let Some(pairs) = &plans[place] else { return builder.simplified(operation, operands) };
        let Some(list) = pairs.operands.get(&gate) else {
            return builder.simplified(operation, operands);
        };
        operands.clear();
        for &operand in list {
            // A pair is made of what is there before it.
            let mut open = vec![operand];
            while let Some(&code) = open.last() {
                let pair_signals = &mut signals[place];
                let Some(pair) = pairs.parts(code).filter(|_| !pair_signals.contains_key(&code))
                else {
                    open.pop();
                    continue;
                };
                let part = |part: Code| match pairs.parts(part) {
                    Some(_) => pair_signals.get(&part).copied(),
                    None => Some(builder.mapped(Signal::from_index(part as usize))),
                };
                match pair.map(part) {
                    [Some(one), Some(other)] => {
                        let signal = builder.simplified(operation, &mut vec![one, other]);
                        pair_signals.insert(code, signal);
                        open.pop();
                    }
                    parts => {
                        let missing =
                            pair.into_iter().zip(parts).filter(|(_, builder)| builder.is_none());
                        open.extend(missing.map(|(part, _)| part));
                    }
                }
            }
            operands.push(match signals[place].get(&operand) {
                Some(&signal) => signal,
                None => builder.mapped(Signal::from_index(operand as usize)),
            });
        }
        builder.simplified(operation, operands)
    })
}

/// The pairs of gates of one operation.
struct Pairs {
    /// The first number of a pair.
    first: Code,
    /// By pair: its operands.
    pairs: Vec<[Code; 2]>,
    /// The operands of gates now, of those that have cubes.
    operands: HashMap<GateId, Vec<Code>>,
}

impl Pairs {
    /// The pairs of some gates, if there are any.
    fn of(
        net: &Net,
        gates: impl Iterator<Item = GateId>,
        fewest: u32,
        meter: &Meter<'_>,
    ) -> Result<Option<Pairs>, Exhausted> {
        let first = 2 * net.len() as Code;
        let mut search = Search { first, fewest, ..Search::default() };
        for gate in gates {
            let operands = net.operands(gate).iter().map(|operand| operand.index() as Code);
            let mut operands: Vec<Code> = operands.collect();
            operands.sort_unstable();
            operands.dedup();
            meter.spend(operands.len() * operands.len())?;
            search.add(gate, operands);
        }
        search.counts.retain(|_, count| *count >= fewest);
        let mut heap: BinaryHeap<(u32, [Code; 2])> =
            search.counts.iter().map(|(&pair, &count)| (count, pair)).collect();
        while let Some((count, pair)) = heap.pop() {
            match search.counts.get(&pair) {
                Some(&now) if now == count => {}
                Some(&now) if now >= fewest => {
                    heap.push((now, pair));
                    continue;
                }
                _ => continue,
            }
            meter.spend(search.extract(pair, &mut heap))?;
        }
        let Search { first, pairs, gates, lists, .. } = search;
        let changed = |list: &Vec<Code>| list.iter().any(|&operand| operand >= first);
        let operands = gates.into_iter().zip(lists).filter(|(_, list)| changed(list)).collect();
        Ok((!pairs.is_empty()).then_some(Pairs { first, pairs, operands }))
    }

    /// The two operands of a cube.
    fn parts(&self, operand: Code) -> Option<[Code; 2]> {
        Some(self.pairs[operand.checked_sub(self.first)? as usize])
    }
}

/// The greedy search.
#[derive(Default)]
struct Search {
    first: Code,
    /// How many gates must have a pair.
    fewest: u32,
    pairs: Vec<[Code; 2]>,
    gates: Vec<GateId>,
    /// By gate: its operands.
    lists: Vec<Vec<Code>>,
    /// By operand: the gates that have it, or had it.
    having: HashMap<Code, Vec<u32>>,
    /// How many gates have both.
    counts: HashMap<[Code; 2], u32>,
}

impl Search {
    fn add(&mut self, gate: GateId, operands: Vec<Code>) {
        let place = self.gates.len() as u32;
        for (at, &one) in operands.iter().enumerate() {
            self.having.entry(one).or_default().push(place);
            for &other in &operands[..at] {
                *self.counts.entry(ordered(one, other)).or_default() += 1;
            }
        }
        self.gates.push(gate);
        self.lists.push(operands);
    }

    /// Makes a pair an operand of all that have both; returns how much work it was.
    fn extract(
        &mut self,
        [one, other]: [Code; 2],
        heap: &mut BinaryHeap<(u32, [Code; 2])>,
    ) -> usize {
        let new = self.first + self.pairs.len() as Code;
        self.pairs.push([one, other]);
        self.counts.remove(&[one, other]);
        let fewer = |code: Code| self.having.get(&code).map_or(0, Vec::len);
        let rarer = if fewer(one) < fewer(other) { one } else { other };
        let candidates = self.having.get(&rarer).cloned().unwrap_or_default();
        let mut work = candidates.len();
        let mut users = Vec::new();
        let mut beside: HashMap<Code, u32> = HashMap::new();
        for place in candidates {
            let list = &mut self.lists[place as usize];
            if !(list.contains(&one) && list.contains(&other)) {
                continue;
            }
            list.retain(|&operand| operand != one && operand != other);
            work += 4 * list.len();
            for &rest in list.iter() {
                for gone in [one, other] {
                    if let Some(count) = self.counts.get_mut(&ordered(gone, rest)) {
                        *count -= 1;
                    }
                }
                *beside.entry(rest).or_default() += 1;
            }
            list.push(new);
            users.push(place);
        }
        self.having.insert(new, users);
        for (rest, count) in beside.into_iter().filter(|&(_, count)| count >= self.fewest) {
            self.counts.insert(ordered(rest, new), count);
            heap.push((count, ordered(rest, new)));
        }
        work
    }
}

fn ordered(one: Code, other: Code) -> [Code; 2] {
    if one < other { [one, other] } else { [other, one] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::passes::freely;
    use crate::tuning::Tuning;

    /// Of pairs that few gates have.
    fn run(net: &Net, meter: &Meter<'_>) -> Result<Net, Exhausted> {
        super::run(net, Tuning::small().fewest_pairs, meter)
    }

    fn latch(net: &Net, place: usize) -> Signal {
        Signal::of(net.latches[place].gate)
    }

    /// Two conditions of a move's origin, as many targets and as many pieces to take; each move has
    /// a gate of all it asks.
    fn captures(net: &mut Net) -> Vec<Vec<Signal>> {
        let mut all = Vec::new();
        for target in 2..5 {
            for piece in 5..9 {
                all.push([0, 1, target, piece].map(|place| latch(net, place)).to_vec());
            }
        }
        for (place, operands) in all.iter().enumerate() {
            net.inputs[place].legal = net.add(Operation::And, operands);
        }
        all
    }

    /// All that is asked behind a gate of two operands and those it reads, in order.
    fn asked(net: &Net, signal: Signal) -> Vec<Signal> {
        let mut asked: Vec<Signal> = match net.operation(signal.gate()) {
            Operation::And => {
                assert_eq!(net.operands(signal.gate()).len(), 2);
                net.operands(signal.gate()).iter().flat_map(|&o| asked(net, o)).collect()
            }
            _ => vec![signal],
        };
        asked.sort_unstable();
        asked
    }

    #[test]
    fn what_moves_have_in_common_is_a_gate() {
        let mut net = Net::new(9, 12, 1);
        let all = captures(&mut net);
        let result = freely(run, &net);
        // The origin, with each of three targets or four pieces, and a gate for each move.
        assert!(result.computed().count() <= 1 + 4 + 12, "{}", result.computed().count());
        for (input, operands) in result.inputs.iter().zip(all) {
            assert_eq!(asked(&result, input.legal), operands);
        }
        assert_eq!(freely(run, &result), result);
    }

    #[test]
    fn what_moves_decide_stays_as_it_is() {
        let mut net = Net::new(9, 12, 1);
        captures(&mut net);
        let moved = Signal::of(net.inputs[0].gate);
        for place in 0..9 {
            let operands = [moved, latch(&net, 0), latch(&net, 1), latch(&net, place)];
            net.latches[place].next = net.add(Operation::And, &operands[..3 + place.min(2) / 2]);
        }
        let result = freely(run, &net);
        for (latch, before) in result.latches.iter().zip(&net.latches) {
            let operands = |net: &Net, next: Signal| net.operands(next.gate()).len();
            assert_eq!(operands(&result, latch.next), operands(&net, before.next));
        }
    }

    #[test]
    fn gates_on_a_circle_stay_as_they_are() {
        let mut net = Net::new(4, 0, 1);
        let [a, b, c, d] = [0, 1, 2, 3].map(|place| latch(&net, place));
        let knot = net.knot();
        let way = net.add(Operation::And, &[a, b, c, knot]);
        net.tie(knot, &[way, d]);
        net.latches[0].next = knot;
        net.terminal = net.add(Operation::And, &[a, b, d]);
        let result = freely(run, &net);
        assert_eq!(
            (result.computed().count(), result.wires()),
            (net.computed().count(), net.wires())
        );
    }
}
