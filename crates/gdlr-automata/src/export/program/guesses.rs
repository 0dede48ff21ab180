//! Guesses: a choice among several values of a register, of which a test then keeps the value of
//! another variable.
//!
//! ```text
//! one of { x = red, line } { x = yellow, line }      line: test x == new_x, …
//! x = new_x, line                                    line: test x == new_x, …
//! ```
//!
//! The result is the same if the other variable always holds one of the values.

use super::declared::{Declared, Members};
use super::live::Liveness;
use super::values::values;
use super::{Act, BlockId, Body, Program, Statement, Target, Test};
use crate::export::slots::{Slot, Slots};
use gdlr_rg::rg::{Base, Expr, Name, Place};

impl Program {
    /// Assigns the value that the test keeps, in place of all guesses.
    pub(in crate::export) fn without_guesses(&mut self, declared: &Declared) {
        let values = values(self, &declared.members, &Liveness::of(self));
        let first = self.blocks.iter().map(|block| first_test(&block.body)).collect();
        let slots = std::mem::take(&mut self.slots);
        let mut guesses = Guesses { first, values, declared, slots };
        let bodies = self.blocks.iter_mut().map(|block| &mut block.body);
        bodies.for_each(|body| each_choice(body, &mut |ways| guesses.replace(ways)));
        for ways in &mut self.checks {
            let bodies = ways.iter_mut();
            bodies.for_each(|way| each_choice(way, &mut |ways| guesses.replace(ways)));
            guesses.replace(ways);
        }
        self.slots = guesses.slots;
    }
}

struct Guesses<'d> {
    /// By block: the two variables that its first statement compares.
    first: Vec<Option<(Slot, Slot)>>,
    /// The possible values of variables.
    values: Members,
    declared: &'d Declared,
    slots: Slots,
}

impl Guesses<'_> {
    fn replace(&mut self, ways: &mut Vec<Body>) {
        for place in 0..ways.len() {
            let Some((slot, _, block)) = ways.get(place).and_then(|way| self.guess(way)) else {
                continue;
            };
            let other = match self.first[block.place()] {
                Some((one, two)) if one == slot => two,
                Some((one, two)) if two == slot => one,
                _ => continue,
            };
            let own = |way: &Body| {
                let guess = self.guess(way).filter(|(own, _, to)| *own == slot && *to == block);
                guess.map(|(_, value, _)| value)
            };
            let guesses: Vec<Name> = ways.iter().filter_map(own).collect();
            if guesses.len() > 1 && self.are_all(&guesses, other) {
                let is_other: Vec<bool> = ways.iter().map(|way| own(way).is_none()).collect();
                let from = self.read_as(other, slot);
                let Some(first) = ways[place].first_mut() else { continue };
                *first = Statement::Do(Act::Copy(slot, from));
                let mut number = 0;
                ways.retain(|_| {
                    number += 1;
                    is_other[number - 1] || number - 1 == place
                });
            }
        }
    }

    /// Whether `guesses` contains all possible values of a variable.
    fn are_all(&self, guesses: &[Name], other: Slot) -> bool {
        let name = self.slots.expr(other).as_name().map(|name| name.name);
        let values = name.and_then(|name| self.values.get(&name));
        values.is_some_and(|values| values.iter().all(|value| guesses.contains(value)))
    }

    /// The value of a variable, cast to the type of another one if it may have other values.
    fn read_as(&mut self, from: Slot, to: Slot) -> Slot {
        let name = |slot: Slot| self.slots.expr(slot).as_name().map(|name| name.name);
        let of = |slot: Slot| name(slot).and_then(|name| self.declared.members.get(&name));
        let is_within = of(from).zip(of(to)).is_some_and(|(from, to)| from.is_subset(to));
        match name(to).and_then(|name| self.declared.types.get(&name)) {
            Some(&type_) if !is_within => {
                let inner = Box::new(self.slots.expr(from).clone());
                let base = Base::Cast(type_.into(), inner);
                self.slots.of(Expr { base, keys: Vec::new(), place: Place::default() })
            }
            _ => from,
        }
    }

    /// The variable, the value and the block of a body that assigns a value and goes on.
    fn guess(&self, way: &[Statement]) -> Option<(Slot, Name, BlockId)> {
        let [Statement::Do(act), Statement::Go(Target::Block(block))] = *way else { return None };
        match act {
            Act::Set(slot, value) => Some((slot, value, block)),
            Act::Copy(slot, from) => {
                let name = self.slots.expr(from).as_name()?.name;
                let is_value = !self.declared.members.contains_key(&name);
                is_value.then_some((slot, name, block))
            }
            _ => None,
        }
    }
}

/// Visits all choices within statements.
fn each_choice(body: &mut Body, look: &mut dyn FnMut(&mut Vec<Body>)) {
    for statement in body {
        if let Statement::Choice(ways) = statement {
            look(ways);
        }
        statement.bodies_mut().into_iter().for_each(|body| each_choice(body, look));
    }
}

/// The two variables that must be equal before anything else is done.
fn first_test(body: &[Statement]) -> Option<(Slot, Slot)> {
    match body.first()? {
        Statement::Test(Test::Same(one, two, true)) => Some((*one, *two)),
        Statement::Choice(ways) => {
            let mut first = ways.iter().map(|way| first_test(way));
            let one = first.next()?;
            first.all(|other| other == one).then_some(one)?
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::export::program::declared::Declared;
    use crate::export::program::{Act, Program, Statement, Target, Test};
    use gdlr_rg::rg::{Name, Names};
    use hashbrown::{HashMap, HashSet};

    /// One value for each colour is guessed. The value that was written is kept.
    #[test]
    fn what_is_kept_is_assigned() {
        // All guessed values have been written, or one value that is not guessed.
        for (written, is_kept) in [(["red", "blue"], true), (["red", "green"], false)] {
            let mut names = Names::default();
            let mut name = |text: &str| names.intern(text).expect("a name");
            let [x, new, none] = ["x", "new", "none"].map(&mut name);
            let all: HashSet<Name> = ["red", "blue", "green"].map(&mut name).into();
            let declared = Declared {
                none,
                members: HashMap::from_iter([(x, all.clone()), (new, all)]),
                types: HashMap::new(),
                keys: HashMap::new(),
                others: HashMap::new(),
            };
            let mut program = Program::new();
            let [x, new] = [x, new].map(|name| program.slots.slot(name, &[]));
            let line = program.block("line".to_owned(), Vec::new());
            program.fill(line, vec![Statement::Test(Test::Same(x, new, true))]);
            let go = Statement::Go(Target::Block(line));
            let guess = |value| vec![Statement::Do(Act::Set(x, value)), go.clone()];
            let guesses = ["red", "blue"].map(|text| guess(name(text))).to_vec();
            let writes = written.map(|text| vec![Statement::Do(Act::Set(new, name(text)))]);
            let block = program.block("end".to_owned(), Vec::new());
            let choose = Statement::Choice(writes.to_vec());
            program.fill(block, vec![choose.clone(), Statement::Choice(guesses.clone())]);
            program.without_guesses(&declared);
            let wanted = match is_kept {
                true => vec![vec![Statement::Do(Act::Copy(x, new)), go]],
                false => guesses,
            };
            let wanted = [choose, Statement::Choice(wanted)];
            assert_eq!(program.blocks[block.place()].body, wanted, "{written:?}");
        }
    }
}
