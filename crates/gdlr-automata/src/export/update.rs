//! The update of a variable in a step.
//!
//! ```text
//! sets    v becomes a if p, b if q      at most one of p and q is true
//! lost    or else v becomes none if r   and stays as it is otherwise
//! ```
//!
//! An update overwrites a variable in place. If another update still reads the old value, it writes
//! to a second variable instead. The second variable is copied at the end of the turn. So both are
//! equal whenever a turn begins.

use super::automaton::{Action, Automaton, Node};
use super::conditions::Conditions;
use super::slots::Slot;
use gdlr_net::net::{GateId, Operation, Signal};
use gdlr_rg::rg::Name;
use hashbrown::{HashMap, HashSet};

/// The update of a variable in a step.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Update {
    pub variable: u32,
    /// New values, each with its condition.
    pub sets: Vec<(u32, Signal)>,
    /// The condition for the value `none`, if no condition of `sets` holds.
    pub lost: Signal,
    /// By value: the next value, if it depends on nothing else.
    pub successors: Option<Vec<u32>>,
}

impl Update {
    /// The update with these conditions for new values and for lost values.
    pub fn new(
        conditions: &mut Conditions,
        variable: u32,
        sets: Vec<(u32, Signal)>,
        lost: &[(u32, Signal)],
    ) -> Update {
        let mut sets = merged(conditions, sets);
        if let Some(&certain) = sets.iter().find(|(_, condition)| *condition == Signal::TRUE) {
            sets = vec![certain];
        }
        let of = &conditions.state.list[variable as usize];
        let (latches, covered) = (of.latches.clone(), of.covered);
        let all = lost.iter().filter(|(_, condition)| *condition == Signal::TRUE).count();
        let lost = if covered {
            // A new value replaces the lost one.
            Signal::FALSE
        } else if all == latches.len() {
            Signal::TRUE
        } else {
            let mut cases = Vec::new();
            for &(value, condition) in lost {
                let latch = conditions.net.latches[latches[value as usize].index()].gate;
                cases.push(conditions.gate(Operation::And, vec![Signal::of(latch), condition]));
            }
            conditions.gate(Operation::Or, cases)
        };
        let mut update = Update { variable, sets, lost, successors: None };
        update.successors = update.find_successors(conditions);
        update
    }

    /// Whether the update never changes the variable.
    pub fn is_nothing(&self) -> bool {
        let same = |successors: &Vec<u32>| successors.iter().zip(0..).all(|(&to, from)| to == from);
        self.sets.is_empty() && self.lost == Signal::FALSE
            || self.successors.as_ref().is_some_and(same)
    }

    /// All conditions of the update.
    pub fn signals(&self) -> impl Iterator<Item = Signal> + '_ {
        let sets = self.sets.iter().map(|&(_, condition)| condition);
        sets.chain([self.lost]).filter(|_| self.successors.is_none())
    }

    /// The next value of each value, if the conditions read no other variable.
    fn find_successors(&self, conditions: &Conditions) -> Option<Vec<u32>> {
        let (variables, moves) = conditions.reads(self.signals());
        let of = &conditions.state.list[self.variable as usize];
        let others = variables.iter().any(|&variable| variable != self.variable);
        if moves
            || others
            || (self.sets.len() + 1) * of.values.len() > conditions.tuning.successor_steps
        {
            return None;
        }
        let mut steps = 0;
        (0..of.values.len() as u32)
            .map(|value| {
                let mut value_of = HashMap::new();
                for (place, &latch) in of.latches.iter().enumerate() {
                    value_of
                        .insert(conditions.net.latches[latch.index()].gate, place as u32 == value);
                }
                let mut holds = |signal| {
                    steps += 1;
                    evaluate(conditions, signal, &mut value_of, &mut steps)
                };
                for &(to, condition) in &self.sets {
                    if holds(condition)? {
                        return Some(to);
                    }
                }
                Some(if holds(self.lost)? { of.values.len() as u32 - 1 } else { value })
            })
            .collect()
    }

    /// Writes the update. Returns its first node.
    pub fn write(
        &self,
        conditions: &mut Conditions,
        automaton: &mut Automaton,
        target: Slot,
        constants: &mut dyn FnMut(&Update) -> Name,
        to: Node,
    ) -> Node {
        if self.is_nothing() {
            return to;
        }
        let own = conditions.state_slots[self.variable as usize];
        let values = conditions.state.list[self.variable as usize].values.clone();
        let set = |value: u32| Action::Set(target, values[value as usize]);
        let last = values.len() as u32 - 1;
        if let Some(successors) = &self.successors {
            let same = successors.iter().all(|&next| next == successors[0]);
            let action = match same {
                true => set(successors[0]),
                false if values.len() == 2 => {
                    // Each of the two values becomes the other.
                    let first = automaton.node();
                    for value in 0..2 {
                        let then = automaton.before(set(successors[value]), to);
                        automaton.edge(first, then, Action::Is(own, values[value], true));
                    }
                    return first;
                }
                false => Action::Map(target, constants(self), own),
            };
            return automaton.before(action, to);
        }
        let kept = match self.lost {
            Signal::FALSE => to,
            Signal::TRUE => automaton.before(set(last), to),
            lost => {
                let gone = automaton.before(set(last), to);
                branch(conditions, automaton, lost, gone, to)
            }
        };
        match &self.sets[..] {
            [] => kept,
            &[(value, Signal::TRUE)] => automaton.before(set(value), to),
            &[(value, condition)] => {
                let then = automaton.before(set(value), to);
                branch(conditions, automaton, condition, then, kept)
            }
            sets => {
                let any = sets.iter().map(|&(_, condition)| condition).collect();
                let any = conditions.gate(Operation::Or, any);
                let start = automaton.node();
                for &(value, condition) in sets {
                    let then = automaton.before(set(value), to);
                    conditions.between(automaton, start, condition, then);
                }
                conditions.between(automaton, start, !any, kept);
                start
            }
        }
    }
}

/// The node of a decision between two nodes.
pub(super) fn branch(
    conditions: &mut Conditions,
    automaton: &mut Automaton,
    condition: Signal,
    then: Node,
    otherwise: Node,
) -> Node {
    match condition {
        Signal::TRUE => return then,
        Signal::FALSE => return otherwise,
        _ if then == otherwise => return then,
        _ => {}
    }
    let start = automaton.node();
    conditions.between(automaton, start, condition, then);
    conditions.between(automaton, start, !condition, otherwise);
    start
}

/// Joins the conditions of each value.
fn merged(conditions: &mut Conditions, mut sets: Vec<(u32, Signal)>) -> Vec<(u32, Signal)> {
    sets.retain(|(_, condition)| *condition != Signal::FALSE);
    sets.sort_unstable();
    let groups: Vec<Vec<(u32, Signal)>> =
        sets.chunk_by(|a, b| a.0 == b.0).map(<[_]>::to_vec).collect();
    let mut merge = |group: Vec<(u32, Signal)>| {
        let any = group.iter().map(|&(_, condition)| condition).collect();
        (group[0].0, conditions.gate(Operation::Or, any))
    };
    groups.into_iter().map(&mut merge).collect()
}

/// The value of a signal that depends only on known gates.
fn evaluate(
    conditions: &Conditions,
    signal: Signal,
    known: &mut HashMap<GateId, bool>,
    steps: &mut usize,
) -> Option<bool> {
    known.insert(GateId(0), true);
    let mut open = vec![signal.gate()];
    while let Some(&gate) = open.last() {
        *steps += 1;
        if *steps > conditions.tuning.successor_steps {
            return None;
        }
        if known.contains_key(&gate) {
            open.pop();
            continue;
        }
        let operands = conditions.net.operands(gate);
        let unknown = operands.iter().map(|operand| operand.gate());
        let before = open.len();
        open.extend(unknown.filter(|gate| !known.contains_key(gate)));
        if open.len() == before {
            if operands.is_empty() {
                return None;
            }
            let mut values = operands.iter().map(|o| known[&o.gate()] != o.is_negated());
            let value = match conditions.net.operation(gate) {
                Operation::And => values.all(|value| value),
                _ => values.any(|value| value),
            };
            known.insert(gate, value);
            open.pop();
        }
    }
    Some(known[&signal.gate()] != signal.is_negated())
}

/// Orders updates so that few of them read variables that others have written before. Too many
/// updates stay as they are.
pub(super) fn ordered(conditions: &Conditions, mut updates: Vec<Update>) -> Vec<Update> {
    if updates.len() > conditions.tuning.ordered_updates || updates.len() < 2 {
        return updates;
    }
    let mut reads: Vec<HashSet<u32>> =
        updates.iter().map(|update| conditions.reads(update.signals()).0).collect();
    let mut order = Vec::with_capacity(updates.len());
    while !updates.is_empty() {
        let readers = |at: &usize| {
            let variable = updates[*at].variable;
            (0..updates.len()).filter(|o| o != at && reads[*o].contains(&variable)).count()
        };
        let best = (0..updates.len()).min_by_key(readers).expect("there is one");
        order.push(updates.remove(best));
        reads.remove(best);
    }
    order
}
