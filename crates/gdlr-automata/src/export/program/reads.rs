//! The variables that a program reads.

use super::{Act, Body, Each, Find, Follow, If, Program, Search, Statement, Test};
use crate::export::slots::Slot;
use gdlr_rg::rg::{Base, Expr, Name};
use hashbrown::HashSet;

/// The names that a program reads. Names that it only assigns to are left out. `by_state` is whether
/// tests of the state tell the turn.
pub(super) fn reads(program: &Program, by_state: bool) -> HashSet<Name> {
    let mut reads = Reads { program, names: HashSet::new() };
    program.checks.iter().for_each(|ways| reads.bodies(ways));
    program.blocks.iter().for_each(|block| reads.body(&block.body));
    let turns = program.turns.iter().filter(|_| by_state).filter_map(|turn| turn.known.as_ref());
    turns.flatten().for_each(|&test| reads.test(test));
    reads.names
}

/// Adds the names in an expression.
pub(super) fn add_names(expr: &Expr, names: &mut HashSet<Name>) {
    match &expr.base {
        Base::Name(name) => drop(names.insert(name.name)),
        Base::Cast(_, inner) => add_names(inner, names),
    }
    expr.keys.iter().for_each(|key| add_names(key, names));
}

struct Reads<'p> {
    program: &'p Program,
    names: HashSet<Name>,
}

impl Reads<'_> {
    fn expr(&mut self, expr: &Expr) {
        add_names(expr, &mut self.names);
    }

    fn slot(&mut self, slot: Slot) {
        let program = self.program;
        self.expr(program.slots.expr(slot));
    }

    /// Adds the keys of a slot that is assigned to.
    fn target(&mut self, slot: Slot) {
        let program = self.program;
        program.slots.expr(slot).keys.iter().for_each(|key| self.expr(key));
    }

    fn test(&mut self, test: Test) {
        match test {
            Test::Is(slot, ..) => self.slot(slot),
            Test::Same(one, other, _) => [one, other].into_iter().for_each(|slot| self.slot(slot)),
            // All checks are visited in any case.
            Test::Check(..) => {}
        }
    }

    fn bodies(&mut self, bodies: &[Body]) {
        bodies.iter().for_each(|body| self.body(body));
    }

    fn body(&mut self, body: &[Statement]) {
        for statement in body {
            match statement {
                Statement::Test(test) => self.test(*test),
                Statement::Do(Act::Copy(to, from)) => {
                    self.target(*to);
                    self.slot(*from);
                }
                // A choice of a value stays, even if nothing reads the value.
                Statement::Do(Act::Any(slot, _) | Act::TagOf(slot)) => self.slot(*slot),
                Statement::Do(Act::Set(slot, _)) => self.target(*slot),
                Statement::Do(Act::Tag(_)) | Statement::Never | Statement::Go(_) => {}
                Statement::Choice(ways) => self.bodies(ways),
                Statement::Search(Search { first, rounds, exit }) => {
                    self.bodies(first);
                    self.bodies(rounds);
                    self.body(exit);
                }
                Statement::If(If { tests, then, otherwise }) => {
                    [tests, then, otherwise].into_iter().for_each(|body| self.body(body));
                }
                Statement::Cases(cases) => {
                    for (tests, body) in cases {
                        tests.iter().for_each(|&test| self.test(test));
                        self.body(body);
                    }
                }
                Statement::Each(Each { slot, next, body, .. }) => {
                    [*slot, *next].into_iter().for_each(|slot| self.slot(slot));
                    self.body(body);
                }
                Statement::Follow(Follow { first, step, body }) => {
                    [first, step, body].into_iter().for_each(|body| self.body(body));
                }
                Statement::Find(Find { first, step, tests, then }) => {
                    [first, step, tests, then].into_iter().for_each(|body| self.body(body));
                }
            }
        }
    }
}
