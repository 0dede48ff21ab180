//! The registers that are read later (liveness, by iteration to a fixed point; Aho, Lam, Sethi and
//! Ullman, *Compilers*, 9.2.5).
//!
//! A register is live if some path reads it before it is assigned. A check forgets its assignments,
//! so no register is live at its end.

use super::reads::add_names;
use super::{Act, Body, Each, Find, Follow, If, Program, Search, Statement, Target, Test};
use crate::export::slots::{Slot, Slots};
use gdlr_rg::rg::Name;
use hashbrown::HashSet;

/// Variables that are live.
pub(super) type Live = HashSet<Name>;

/// The variables that are live at the beginning of blocks and checks.
#[derive(Debug)]
pub(super) struct Liveness {
    blocks: Vec<Live>,
    checks: Vec<Live>,
    over: usize,
}

impl Liveness {
    pub fn of(program: &Program) -> Liveness {
        let mut liveness = Liveness {
            blocks: vec![Live::new(); program.blocks.len()],
            checks: vec![Live::new(); program.checks.len()],
            over: program.over.place(),
        };
        let mut changes = true;
        while changes {
            changes = false;
            for (place, ways) in program.checks.iter().enumerate() {
                let own = ways
                    .iter()
                    .flat_map(|way| liveness.before_all(&program.slots, way, Live::new()));
                let own: Live = own.collect();
                changes |= own.len() > liveness.checks[place].len();
                liveness.checks[place] = own;
            }
            for (place, block) in program.blocks.iter().enumerate() {
                let own = liveness.before_all(&program.slots, &block.body, Live::new());
                changes |= own.len() > liveness.blocks[place].len();
                liveness.blocks[place] = own;
            }
        }
        liveness
    }

    /// The variables that are live before statements. `after` are those that are live behind them.
    pub fn before_all(&self, slots: &Slots, body: &[Statement], after: Live) -> Live {
        body.iter().rfold(after, |after, statement| self.before(slots, statement, after))
    }

    /// The variables that are live before a statement. `after` are those that are live behind it.
    pub fn before(&self, slots: &Slots, statement: &Statement, after: Live) -> Live {
        match statement {
            Statement::Test(test) => self.before_test(slots, *test, after),
            Statement::Do(act) => before_act(slots, act, after),
            Statement::Never => Live::new(),
            Statement::Go(target) => self.at(*target),
            Statement::Choice(ways) => {
                ways.iter().flat_map(|way| self.before_all(slots, way, after.clone())).collect()
            }
            Statement::Search(search) => {
                let (_, round) = self.in_search(slots, search, after);
                let first = search.first.iter();
                first.flat_map(|way| self.before_all(slots, way, round.clone())).collect()
            }
            Statement::If(If { tests, then, otherwise }) => {
                let failed = self.before_all(slots, otherwise, after.clone());
                let passed = self.before_all(slots, then, after);
                self.before_tests(slots, tests, passed, &failed)
            }
            Statement::Cases(cases) => {
                let case = |(tests, body): &(Vec<Test>, Body)| {
                    let before = self.before_all(slots, body, after.clone());
                    tests.iter().fold(before, |live, &test| self.before_test(slots, test, live))
                };
                cases.iter().flat_map(case).collect()
            }
            Statement::Each(each) => {
                let mut before = self.in_each(slots, each, after);
                before.remove(&slots.expr(each.slot).root());
                before
            }
            Statement::Follow(follow) => {
                let end = self.in_follow(slots, follow, after.clone());
                let body = self.before_all(slots, &follow.body, end);
                self.before_tests(slots, &follow.first, body, &after)
            }
            Statement::Find(find) => {
                let (begin, _) = self.in_find(slots, find, &after);
                self.before_tests(slots, &find.first, begin, &after)
            }
        }
    }

    /// The variables that are live before tests, each of which may fail.
    pub fn before_tests(
        &self,
        slots: &Slots,
        tests: &[Statement],
        passed: Live,
        failed: &Live,
    ) -> Live {
        tests.iter().rfold(passed, |after, statement| {
            let mut before = self.before(slots, statement, after);
            before.extend(failed.iter().copied());
            before
        })
    }

    /// The variables that are live before the exit of a search, and before each of its rounds.
    pub fn in_search(&self, slots: &Slots, search: &Search, after: Live) -> (Live, Live) {
        let exit = self.before_all(slots, &search.exit, after);
        let round = fixed(exit.clone(), |live| {
            let rounds = search.rounds.iter();
            rounds.flat_map(|way| self.before_all(slots, way, live.clone())).collect()
        });
        (exit, round)
    }

    /// The variables that are live before and behind the body of a loop over values.
    pub fn in_each(&self, slots: &Slots, each: &Each, after: Live) -> Live {
        let mut end = after;
        add_names(slots.expr(each.next), &mut end);
        add_names(slots.expr(each.slot), &mut end);
        fixed(end, |live| self.before_all(slots, &each.body, live.clone()))
    }

    /// The variables that are live behind the body of a loop along a chain.
    pub fn in_follow(&self, slots: &Slots, follow: &Follow, after: Live) -> Live {
        fixed(after.clone(), |live| {
            let body = self.before_all(slots, &follow.body, live.clone());
            self.before_tests(slots, &follow.step, body, &after)
        })
    }

    /// The variables that are live before the tests of a search along a chain, and behind a test
    /// that fails.
    pub fn in_find(&self, slots: &Slots, find: &Find, after: &Live) -> (Live, Live) {
        let then = self.before_all(slots, &find.then, after.clone());
        let begin = |failed: &Live| self.before_tests(slots, &find.tests, then.clone(), failed);
        let failed =
            fixed(after.clone(), |live| self.before_tests(slots, &find.step, begin(live), after));
        (begin(&failed), failed)
    }

    /// The variables that are live at a target.
    pub fn at(&self, target: Target) -> Live {
        match target {
            Target::Block(block) => self.blocks[block.place()].clone(),
            Target::Over => self.blocks[self.over].clone(),
            Target::End => Live::new(),
        }
    }

    fn before_test(&self, slots: &Slots, test: Test, mut after: Live) -> Live {
        match test {
            Test::Is(slot, ..) => add_names(slots.expr(slot), &mut after),
            Test::Same(one, other, _) => {
                [one, other].into_iter().for_each(|slot| add_names(slots.expr(slot), &mut after));
            }
            Test::Check(check, _) => after.extend(self.checks[check.0 as usize].iter().copied()),
        }
        after
    }
}

/// The least superset of `live` that `larger` does not extend.
fn fixed(mut live: Live, larger: impl Fn(&Live) -> Live) -> Live {
    loop {
        let before = live.len();
        let more = larger(&live);
        live.extend(more);
        if live.len() == before {
            return live;
        }
    }
}

fn before_act(slots: &Slots, act: &Act, mut after: Live) -> Live {
    let assigned = |slot: Slot, live: &mut Live| {
        let expr = slots.expr(slot);
        match expr.as_name() {
            Some(name) => drop(live.remove(&name.name)),
            None => add_names(expr, live),
        }
    };
    match *act {
        Act::Any(slot, _) | Act::Set(slot, _) => assigned(slot, &mut after),
        Act::Copy(to, from) => {
            assigned(to, &mut after);
            add_names(slots.expr(from), &mut after);
        }
        Act::Tag(_) => {}
        Act::TagOf(slot) => add_names(slots.expr(slot), &mut after),
    }
    after
}
