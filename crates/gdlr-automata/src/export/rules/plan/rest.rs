//! One test in place of tests of all other values.
//!
//! ```text
//! cell[xy] != red, cell[xy] != black            cell[xy] == none
//! one of cell[xy] == red, cell[xy] == black     cell[xy] != none
//! ```

use super::Planner;
use crate::export::program::{Act, Body, Statement, Test, names};
use crate::export::rules::build::Condition;
use crate::export::slots::Slot;
use gdlr_rg::rg::Name;

impl Planner<'_> {
    /// The only value that an entry can have beside `values`. `None` if it can have several.
    /// `Some(None)` if it can have no other.
    fn rest(&mut self, slot: Slot, values: &[Name]) -> Option<Option<Name>> {
        let name = self.out.program.slots.expr(slot).root();
        let shape = self.analysis.shapes.values().find(|shape| shape.name == name)?;
        let (column, covered) = (shape.value?, shape.covered);
        let mut rest = self.out.symbols.names_of(shape.columns[column], !covered);
        rest.retain(|value| !values.contains(value));
        match rest[..] {
            [] => Some(None),
            [only] => Some(Some(only)),
            _ => None,
        }
    }

    /// Moves tests before assignments to other variables. Replaces several tests of an entry in a
    /// row by one test, if they leave one value.
    pub(super) fn join_tests(&mut self, ops: &mut Body) {
        for place in 1..ops.len() {
            let is_apart = |assigned: &Statement, test: Test| match *assigned {
                Statement::Do(Act::Set(to, _) | Act::Copy(to, _)) => {
                    let name = self.out.program.slots.expr(to).root();
                    let mentions = |slot| names(self.out.program.slots.expr(slot), name);
                    match test {
                        Test::Is(slot, ..) => !mentions(slot),
                        Test::Same(one, other, _) => !mentions(one) && !mentions(other),
                        Test::Check(..) => false,
                    }
                }
                _ => false,
            };
            let Statement::Test(test) = ops[place] else { continue };
            let before = ops[..place].iter().rev().take_while(|one| is_apart(one, test)).count();
            ops[place - before..=place].rotate_right(1);
        }
        let mut place = 0;
        while place < ops.len() {
            let Statement::Test(Test::Is(slot, _, false)) = ops[place] else {
                place += 1;
                continue;
            };
            let is_test = |one: &&Statement| matches!(one, Statement::Test(_));
            let count = ops[place..].iter().take_while(is_test).count();
            let excluded_value = |one: &Statement| match *one {
                Statement::Test(Test::Is(own, value, false)) if own == slot => Some(value),
                _ => None,
            };
            let run = &ops[place..place + count];
            let values: Vec<Name> = run.iter().filter_map(excluded_value).collect();
            if values.len() > 1
                && let Some(Some(only)) = self.rest(slot, &values)
            {
                let mut run = run.to_vec();
                run.retain(|one| excluded_value(one).is_none());
                run.insert(0, Statement::Test(Test::Is(slot, only, true)));
                ops.splice(place..place + count, run);
            }
            place += 1;
        }
    }

    /// The condition that one of several bodies can be gone through, if each body tests one value
    /// of the same entry. `None` unless at most one value is left.
    pub(super) fn one_of(&mut self, ways: &[Body]) -> Option<Condition> {
        let [first, _, ..] = ways else { return None };
        let [Statement::Test(Test::Is(slot, _, true))] = first[..] else { return None };
        let value = |way: &Body| match way[..] {
            [Statement::Test(Test::Is(own, value, true))] if own == slot => Some(value),
            _ => None,
        };
        let values: Vec<Name> = ways.iter().map(value).collect::<Option<_>>()?;
        Some(match self.rest(slot, &values)? {
            None => Condition::Always,
            Some(only) => Condition::Test(Test::Is(slot, only, false)),
        })
    }

    /// The condition that one of several bodies can be gone through.
    pub(super) fn any_of(&mut self, ways: Vec<Body>) -> Condition {
        match self.one_of(&ways) {
            Some(condition) => condition,
            None => self.out.any_of(ways),
        }
    }
}
