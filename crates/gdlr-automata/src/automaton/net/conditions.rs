//! The conditions under which a step of a walk can be taken.

use super::NoNet;
use super::evaluate::{Store, Thing, evaluate};
use super::memory::{HeldId, MemoryId, holds};
use super::rounds::Rounds;
use super::sheet::{Slot, Var};
use super::walks::{Condition, KnownValue, Step, Subject, known};
use gdlr_net::net::Signal;
use gdlr_rg::rg::Name;
use gdlr_rg::rg::optimise::program::ExprId;
use hashbrown::HashMap;

/// The state, the known variables and the written slots at a step.
struct Here<'h, 'm> {
    rounds: &'h mut Rounds<'m>,
    environment: &'h [KnownValue],
    memory: MemoryId,
}

impl Store for Here<'_, '_> {
    type Truth = Signal;

    const TRUE: Signal = Signal::TRUE;

    fn both(&mut self, one: Signal, other: Signal) -> Option<Signal> {
        let both = self.rounds.wires.both(one, other);
        (both != Signal::FALSE).then_some(both)
    }

    fn any(&mut self, truths: &[Signal]) -> Signal {
        self.rounds.wires.or(truths)
    }

    fn scalar(&mut self, var: Var) -> Vec<(Name, Signal)> {
        match known(self.environment, var) {
            Some(symbol) => vec![(symbol, Signal::TRUE)],
            None => self.slot(self.rounds.sheet.at(var).base, var),
        }
    }

    fn slot(&mut self, slot: Slot, _: Var) -> Vec<(Name, Signal)> {
        let held = self.rounds.read_here(self.memory, slot);
        self.rounds.contents.held(held).to_vec()
    }
}

impl Rounds<'_> {
    /// The condition of a step, as a signal.
    ///
    /// `values` keeps the values of expressions that several steps from a configuration need.
    pub fn condition(
        &mut self,
        step: &Step,
        environment: &[KnownValue],
        memory: MemoryId,
        values: &mut HashMap<ExprId, HeldId>,
    ) -> Result<Signal, NoNet> {
        Ok(match step.condition {
            Condition::None => Signal::TRUE,
            Condition::Has(Subject::Variable(var), symbol) => {
                let held = self.read(memory, self.sheet.at(var).base);
                holds(self.contents.held(held), symbol)
            }
            Condition::Has(Subject::Expression(value), symbol) => {
                let held = match values.get(&value) {
                    Some(&held) => held,
                    None => {
                        let Some(held) = self.symbol(value, environment, memory) else {
                            return Ok(Signal::FALSE);
                        };
                        values.insert(value, held);
                        held
                    }
                };
                holds(self.contents.held(held), symbol)
            }
            Condition::Compare { left, right, equal } => {
                let are = self.equal(left, right, environment, memory);
                are.negated_if(!equal)
            }
            Condition::Reach { from, to, negated } => {
                self.reach((from, to), environment, memory)?.negated_if(negated)
            }
        })
    }

    /// The content of an expression, if it is a symbol and not a map.
    pub fn symbol(
        &mut self,
        expr: ExprId,
        environment: &[KnownValue],
        memory: MemoryId,
    ) -> Option<HeldId> {
        if let Some(cases) = self.cases(expr, environment, memory) {
            return Some(self.select_case(&cases));
        }
        let values = self.evaluate(expr, environment, memory);
        let is_symbol = values.iter().all(|(thing, _)| matches!(thing, Thing::Symbol(_)));
        is_symbol.then(|| self.contents.hold(symbols_of(&values)))
    }

    pub fn evaluate(
        &mut self,
        expr: ExprId,
        environment: &[KnownValue],
        memory: MemoryId,
    ) -> Vec<(Thing, Signal)> {
        let sheet = self.sheet;
        evaluate(sheet, &mut Here { rounds: self, environment, memory }, expr)
    }

    /// The signal that expressions are equal.
    fn equal(
        &mut self,
        left: ExprId,
        right: ExprId,
        environment: &[KnownValue],
        memory: MemoryId,
    ) -> Signal {
        let cases = [left, right].map(|expr| self.cases(expr, environment, memory));
        if let [Some(left), Some(right)] = cases
            && left.len() * right.len() <= self.wires.tuning.compared_pairs
        {
            let mut equal = Vec::new();
            for &(one, when) in &left {
                for &(other, given) in &right {
                    let same = self.equal_symbols(one, other);
                    equal.push(self.wires.and(&[same, when, given]));
                }
            }
            return self.wires.one_of(&equal);
        }
        let left = self.evaluate(left, environment, memory);
        let right = self.evaluate(right, environment, memory);
        let [one, other] = [symbols_of(&left), symbols_of(&right)].map(|s| self.contents.hold(s));
        let mut cases = vec![self.equal_symbols(one, other)];
        for (one, when) in &left {
            for (other, given) in &right {
                if let (Thing::Symbol(_), _) | (_, Thing::Symbol(_)) = (one, other) {
                    // Symbols are compared above, and equal no map.
                    break;
                }
                let same = self.equal_maps(one, other, memory);
                let all = self.wires.and(&[same, *when, *given]);
                cases.push(all);
            }
        }
        self.wires.or(&cases)
    }

    /// The signal that two contents have the same symbol.
    fn equal_symbols(&mut self, one: HeldId, other: HeldId) -> Signal {
        let [one, other] = [one, other].map(|held| self.contents.held(held).clone());
        let mut cases = Vec::new();
        for &(symbol, when) in one.iter() {
            cases.push(self.wires.both(when, holds(&other, symbol)));
        }
        self.wires.or(&cases)
    }

    fn equal_maps(&mut self, one: &Thing, other: &Thing, memory: MemoryId) -> Signal {
        let (one, other) = (self.entries(one, memory), self.entries(other, memory));
        let mut all = Vec::new();
        for (one, other) in one.into_iter().zip(other) {
            all.push(self.equal_symbols(one, other));
        }
        self.wires.and(&all)
    }
}

/// The symbols among the possible values of an expression.
fn symbols_of(found: &[(Thing, Signal)]) -> Vec<(Name, Signal)> {
    let symbols = found.iter().filter_map(|(thing, when)| match thing {
        Thing::Symbol(symbol) => Some((*symbol, *when)),
        Thing::Map(_) | Thing::Region { .. } => None,
    });
    symbols.collect()
}
