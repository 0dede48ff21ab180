//! The instances of a rule that can hold in a state.

use super::super::facts::{FactId, Value};
use super::super::order::Plan;
use super::super::program::{Atom, Program, RelationIndex, Rule, Test, symbol};
use super::super::sizes::Sizes;
use super::known::Known;
use super::late::Late;
use gdlr_rules::gdl::{Symbol, Variable};
use gdlr_rules::normal::FlatTerm;
use gdlr_text::budget::{Exhausted, Meter};

/// A join of the conditions of a rule, row by row.
pub(super) struct Join<'j, 'g> {
    program: &'j Program,
    rule: &'j Rule,
    plan: Plan<'j>,
    known: &'j mut Known<'g>,
    /// What was made so far. The rule asks these facts and those of the game, and adds to them.
    late: &'j mut Late<'g>,
    /// By variable.
    values: Vec<Option<Symbol>>,
    /// The literals so far.
    body: Vec<u32>,
    meter: &'j Meter<'j>,
}

impl<'j, 'g> Join<'j, 'g> {
    pub fn new(
        rule: &'j Rule,
        program: &'j Program,
        sizes: &Sizes,
        known: &'j mut Known<'g>,
        late: &'j mut Late<'g>,
        meter: &'j Meter<'j>,
    ) -> Result<Self, Exhausted> {
        let plan = match rule.positive.is_empty() {
            true => Plan { atoms: Vec::new(), tests: Vec::new(), negative: Vec::new() },
            false => Plan::new(rule, &rule.negative, sizes, meter)?,
        };
        let values = vec![None; rule.variables];
        Ok(Join { program, rule, plan, known, late, values, body: Vec::new(), meter })
    }

    /// Adds all instances.
    pub fn run(mut self) -> Result<(), Exhausted> {
        if self.rule.positive.is_empty() {
            let tests: Vec<&Test> = self.rule.tests.iter().collect();
            let negative: Vec<&Atom> = self.rule.negative.iter().collect();
            if self.tests_hold(&tests) && self.negatives_can_hold(&negative)? {
                self.emit();
            }
            return Ok(());
        }
        self.from(0)
    }

    /// Joins the conditions from a place on.
    fn from(&mut self, place: usize) -> Result<(), Exhausted> {
        let Some(&atom) = self.plan.atoms.get(place) else {
            self.emit();
            return Ok(());
        };
        let known = |arg: &FlatTerm| match *arg {
            FlatTerm::Constant(symbol) => Some(symbol),
            FlatTerm::Variable(v) => self.values[usize::from(v.0)],
        };
        if let Some(row) = atom.args.iter().map(known).collect::<Option<Vec<Symbol>>>() {
            self.meter.spend(1)?;
            return match self.late.find(atom.relation, &row) {
                Some(fact) => self.with(place, fact),
                None => Ok(()),
            };
        }
        for number in 0..self.late.rows_of(atom.relation) {
            self.meter.spend(1)?;
            let before = self.values.clone();
            let (fact, row) = self.late.row(atom.relation, number);
            if bind(&mut self.values, atom, row) {
                self.with(place, fact)?;
            }
            self.values = before;
        }
        Ok(())
    }

    /// Goes on with a fact that meets the condition at a place, if it can be true together with those before.
    fn with(&mut self, place: usize, fact: FactId) -> Result<(), Exhausted> {
        if !self.tests_hold(&self.plan.tests[place]) {
            return Ok(());
        }
        let length = self.body.len();
        let negative = self.plan.negative[place].clone();
        if !self.is_dynamic(self.plan.atoms[place].relation) {
            if self.negatives_can_hold(&negative)? {
                self.from(place + 1)?;
            }
        } else {
            self.body.push(fact.0 << 1);
            if self.known.assume(fact, self.late, self.meter)?
                && self.negatives_can_hold(&negative)?
            {
                self.from(place + 1)?;
            }
            self.known.forget();
        }
        self.body.truncate(length);
        Ok(())
    }

    fn is_dynamic(&self, relation: RelationIndex) -> bool {
        self.program.dynamic[relation.index()]
    }

    fn tests_hold(&self, tests: &[&Test]) -> bool {
        tests.iter().all(|test| test.holds(|v| self.value(v)))
    }

    /// Adds negative conditions that are not known; whether none is known to fail.
    fn negatives_can_hold(&mut self, negative: &[&Atom]) -> Result<bool, Exhausted> {
        for atom in negative {
            let row: Vec<Symbol> =
                atom.args.iter().map(|&arg| symbol(arg, |v| self.value(v))).collect();
            let Some(fact) = self.late.find(atom.relation, &row) else { continue };
            if !self.is_dynamic(atom.relation) {
                return Ok(false);
            }
            match self.known.value(fact, self.late, self.meter)? {
                Some(true) => return Ok(false),
                Some(false) => {}
                None => self.body.push(fact.0 << 1 | 1),
            }
        }
        Ok(true)
    }

    fn value(&self, v: Variable) -> Symbol {
        self.values[usize::from(v.0)].expect("conditions are asked when their variables are bound")
    }

    fn emit(&mut self) {
        let head: Vec<Symbol> =
            self.rule.head.args.iter().map(|&arg| symbol(arg, |v| self.value(v))).collect();
        let always = |&&literal: &&u32| {
            literal & 1 == 0 && self.late.value(FactId(literal >> 1)) == Value::Constant(true)
        };
        let mut body: Vec<u32> =
            self.body.iter().filter(|literal| !always(literal)).copied().collect();
        body.sort_unstable();
        body.dedup();
        self.late.add(self.rule.head.relation, &head, body, self.meter);
    }
}

/// Gives the variables of a condition the values of a row; whether it fits.
fn bind(values: &mut [Option<Symbol>], atom: &Atom, row: &[Symbol]) -> bool {
    atom.args.iter().zip(row).all(|(&arg, &symbol)| match arg {
        FlatTerm::Constant(constant) => constant == symbol,
        FlatTerm::Variable(v) => *values[usize::from(v.0)].get_or_insert(symbol) == symbol,
    })
}
