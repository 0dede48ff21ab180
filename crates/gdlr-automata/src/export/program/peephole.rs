//! Statements that stand side by side, and are fewer (peephole optimisation; Aho, Lam, Sethi and Ullman,
//! *Compilers*, 8.7).
//!
//! Each list of statements is gone through from its end to its beginning, with the variables that are live.
//! Where statements can be fewer, these take their place, and are looked at again.
//!
//! | statements | by |
//! |---|---|
//! | a variable that is only assigned on | [`Peephole::copied`] |
//! | a border that is asked for first | [`borders`](super::borders) |
//! | a loop that keeps one value, or that another one repeats | [`loops`](super::loops) |

use super::declared::{Declared, Members};
use super::live::{Live, Liveness};
use super::reread::names;
use super::values::values;
use super::{Act, Body, If, Program, Statement};
use crate::export::slots::Slots;
use gdlr_rg::rg::Name;
use hashbrown::HashSet;

impl Program {
    /// Writes the program with fewer statements. Returns which maps of the state are asked for what lies
    /// beyond a border, by which of their keys.
    pub(in crate::export) fn with_fewer_statements(&mut self, declared: &Declared) -> HashSet<(Name, usize)> {
        let mut asked = HashSet::new();
        // Two loops may be alike only after both have changed.
        while self.round(declared, &mut asked) {}
        asked
    }

    /// Looks at all statements once; whether some have changed.
    fn round(&mut self, declared: &Declared, asked: &mut HashSet<(Name, usize)>) -> bool {
        let liveness = Liveness::of(self);
        let mut peephole = Peephole {
            values: values(self, &declared.members, &liveness),
            liveness,
            slots: std::mem::take(&mut self.slots),
            declared,
            asked: std::mem::take(asked),
            has_changed: false,
        };
        for block in &mut self.blocks {
            peephole.body(&mut block.body, &Live::new(), &Live::new());
        }
        for way in self.checks.iter_mut().flatten() {
            peephole.body(way, &Live::new(), &Live::new());
        }
        self.slots = peephole.slots;
        *asked = peephole.asked;
        peephole.has_changed
    }
}

pub(super) struct Peephole<'d> {
    /// What variables without keys can hold.
    pub values: Members,
    pub liveness: Liveness,
    pub slots: Slots,
    pub declared: &'d Declared,
    /// Maps of the state and places of their keys.
    pub asked: HashSet<(Name, usize)>,
    has_changed: bool,
}

impl Peephole<'_> {
    /// Rewrites statements, by what is live behind them and where one of them fails.
    fn body(&mut self, body: &mut Body, after: &Live, failed: &Live) {
        let mut live: Live = after.union(failed).copied().collect();
        let mut place = body.len();
        while place > 0 {
            self.within(&mut body[place - 1], &live);
            if let Some(fewer) = self.shorter(&body[..place], &live) {
                self.has_changed = true;
                let first = place - fewer.taken;
                place = first + fewer.put.len();
                body.splice(first..first + fewer.taken, fewer.put);
                continue;
            }
            place -= 1;
            live = self.liveness.before(&self.slots, &body[place], live);
            live.extend(failed.iter().copied());
        }
    }

    /// Rewrites what stands within a statement.
    fn within(&mut self, statement: &mut Statement, after: &Live) {
        let never = &Live::new();
        match statement {
            Statement::Test(_) | Statement::Do(_) | Statement::Never | Statement::Go(_) => {}
            Statement::Choice(ways) => {
                ways.iter_mut().for_each(|way| self.body(way, after, never));
            }
            Statement::If(branch) => self.branch(branch, after),
            Statement::Cases(cases) => {
                cases.iter_mut().for_each(|(_, body)| self.body(body, after, never));
            }
            Statement::Search(search) => {
                let (_, round) = self.liveness.in_search(&self.slots, search, after.clone());
                let ways = search.first.iter_mut().chain(&mut search.rounds);
                ways.for_each(|way| self.body(way, &round, never));
                self.body(&mut search.exit, after, never);
            }
            Statement::Each(each) => {
                let end = self.liveness.in_each(&self.slots, each, after.clone());
                self.body(&mut each.body, &end, never);
            }
            Statement::Follow(follow) => {
                let end = self.liveness.in_follow(&self.slots, follow, after.clone());
                let begin = self.liveness.before_all(&self.slots, &follow.body, end.clone());
                self.body(&mut follow.first, &begin, after);
                self.body(&mut follow.step, &begin, after);
                self.body(&mut follow.body, &end, never);
            }
        }
    }

    /// Rewrites a decision. What is assigned behind its last test belongs to the way on which all hold.
    fn branch(&mut self, If { tests, then, otherwise }: &mut If, after: &Live) {
        let never = &Live::new();
        self.body(otherwise, after, never);
        let passed = self.liveness.before_all(&self.slots, then, after.clone());
        let failed = self.liveness.before_all(&self.slots, otherwise, after.clone());
        self.body(tests, &passed, &failed);
        while let Some(Statement::Do(Act::Copy(..))) = tests.last() {
            then.splice(..0, tests.pop());
        }
        self.body(then, after, never);
    }

    /// What can stand in place of the last of some statements, behind which some variables are live.
    fn shorter(&mut self, body: &[Statement], live: &Live) -> Option<Fewer> {
        self.copied(body, live)
            .or_else(|| self.over_border(body, live))
            .or_else(|| self.decided_loop(body, live))
            .or_else(|| self.only_last_loop(body, live))
    }

    /// One assignment in place of two, if the first variable is not read afterwards.
    fn copied(&self, body: &[Statement], live: &Live) -> Option<Fewer> {
        let [.., Statement::Do(Act::Copy(first, from)), Statement::Do(Act::Copy(to, same))] = body
        else {
            return None;
        };
        let name = self.slots.expr(*first).as_name()?.name;
        let is_last = !live.contains(&name) && !names(self.slots.expr(*to), name);
        (first == same && is_last)
            .then(|| Fewer { taken: 2, put: vec![Statement::Do(Act::Copy(*to, *from))] })
    }
}

/// Statements in place of so many.
pub(super) struct Fewer {
    pub taken: usize,
    pub put: Body,
}
