//! Between the latches of a net and the facts of a state.

use super::gates::{LatchId, Net, Operation, Signal};
use gdlr_engine::engine::FactError;
use gdlr_rules::gdl::Term;
use hashbrown::HashSet;

impl Net {
    /// The facts that are true with these values of the latches.
    pub fn facts(&self, latch: impl Fn(LatchId) -> bool) -> impl Iterator<Item = &Term> {
        let value = move |signal| self.state_signal(signal, &latch);
        self.fluents.iter().filter(move |fluent| value(fluent.signal)).map(|fluent| &*fluent.fact)
    }

    /// The value of a signal that is a latch, the complement of one, or constant.
    fn state_signal(&self, signal: Signal, latch: impl Fn(LatchId) -> bool) -> bool {
        let value = match self.operation(signal.gate()) {
            Operation::Latch(place) => latch(place),
            _ => true,
        };
        value != signal.is_negated()
    }

    /// The values of the latches in the state in which just these facts are true.
    ///
    /// # Errors
    ///
    /// When a fact is never true in the game. When the facts are at odds with what holds in all
    /// states that play can reach, as far as the net makes use of it: facts that never change,
    /// facts that share a latch, exclusive and covering groups.
    pub fn latches_of(&self, facts: &[Term]) -> Result<Vec<bool>, FactError> {
        let wanted: HashSet<&Term> = facts.iter().collect();
        let mut values: Vec<Option<bool>> = vec![None; self.latches.len()];
        let mut true_facts = 0;
        for fluent in &self.fluents {
            let is_true = wanted.contains(&*fluent.fact);
            true_facts += usize::from(is_true);
            let signal = fluent.signal;
            let agrees = match self.operation(signal.gate()) {
                Operation::Latch(latch) => {
                    let value = is_true != signal.is_negated();
                    *values[latch.index()].get_or_insert(value) == value
                }
                _ => is_true == (signal == Signal::TRUE),
            };
            if !agrees {
                return Err(FactError::Unreachable(Some(Term::clone(&fluent.fact))));
            }
        }
        if true_facts < wanted.len() {
            let fluents: HashSet<&Term> = self.fluents.iter().map(|fluent| &*fluent.fact).collect();
            let unknown = facts.iter().find(|fact| !fluents.contains(*fact));
            return Err(FactError::Unknown(unknown.expect("one is unknown").clone()));
        }
        let latches = values.iter().zip(&self.latches);
        let values: Vec<bool> =
            latches.map(|(value, latch)| value.unwrap_or(latch.initial)).collect();
        let is_true = |signal: &&Signal| self.state_signal(**signal, |latch| values[latch.index()]);
        let of = |group: &Vec<Signal>| group.iter().filter(is_true).take(2).count();
        if self.exclusive.iter().any(|group| of(group) > 1)
            || self.covering.iter().any(|group| of(group) == 0)
        {
            return Err(FactError::Unreachable(None));
        }
        Ok(values)
    }
}
