//! The border of a board as a square of its own.
//!
//! A constant map that leads from square to square has `none` beyond the border. Where the state says
//! nothing of `none`, a test of the square that follows fails there by itself, so that nobody asks for
//! the border first.
//!
//! ```text
//! test step[s] != none, square = Square(step[s]), test cell[square] == x
//!                                                 test cell[step[s]] == x, square = Square(step[s])
//! ```
//!
//! The square is kept only where something reads it afterwards.

use super::live::{Live, Liveness};
use super::reread::names;
use super::values::values;
use super::{Act, Body, If, Program, Statement, Test};
use crate::export::slots::{Slot, Slots};
use gdlr_rg::rg::{Base, Expr, Name};
use hashbrown::{HashMap, HashSet};

/// By name: the members of a type, or of part of one.
pub(in crate::export) type Members = HashMap<Name, HashSet<Name>>;

/// What is known of a board.
#[derive(Debug)]
pub(in crate::export) struct Borders {
    /// The value beyond every border.
    pub none: Name,
    /// By map of the state: the value of entries that its first value does not list.
    pub others: HashMap<Name, Name>,
    /// By map of the state: the members of the types of its keys.
    pub keys: HashMap<Name, Vec<HashSet<Name>>>,
    /// By variable: the members of its type. By constant map: what it can be.
    pub members: Members,
}

impl Program {
    /// Asks maps of the state for what lies beyond a border. Returns which of them are asked, by which of
    /// their keys.
    pub(in crate::export) fn over_borders(&mut self, borders: &Borders) -> HashSet<(Name, usize)> {
        let liveness = Liveness::of(self);
        let mut over = Over {
            values: values(self, &borders.members, &liveness),
            liveness,
            slots: std::mem::take(&mut self.slots),
            borders,
            asked: HashSet::new(),
        };
        for block in &mut self.blocks {
            over.body(&mut block.body, &Live::new(), &Live::new());
        }
        for way in self.checks.iter_mut().flatten() {
            over.body(way, &Live::new(), &Live::new());
        }
        self.slots = over.slots;
        over.asked
    }
}

struct Over<'b> {
    /// What variables without keys can hold.
    values: Members,
    liveness: Liveness,
    slots: Slots,
    borders: &'b Borders,
    asked: HashSet<(Name, usize)>,
}

impl Over<'_> {
    /// Rewrites statements, by what is live behind them and where one of them fails.
    fn body(&mut self, body: &mut Body, after: &Live, failed: &Live) {
        let mut live: Live = after.union(failed).copied().collect();
        let mut place = body.len();
        while place > 0 {
            self.within(&mut body[place - 1], &live);
            if let Some(fewer) = self.shorter(&body[..place], &live) {
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
        match body {
            [.., Statement::Do(Act::Copy(square, from)), Statement::Do(Act::Copy(to, same))]
                if square == same && self.is_last_read(*square, *to, live) =>
            {
                let put = vec![Statement::Do(Act::Copy(*to, *from))];
                Some(Fewer { taken: 2, put })
            }
            [
                ..,
                Statement::Test(Test::Is(step, none, false)),
                Statement::Do(Act::Copy(square, from)),
                Statement::Test(test),
            ] if *none == self.borders.none => {
                let test = self.test_beyond(*step, (*square, *from), *test)?;
                let mut put = vec![Statement::Test(test)];
                if self.is_live(*square, live)? {
                    put.push(Statement::Do(Act::Copy(*square, *from)));
                }
                Some(Fewer { taken: 3, put })
            }
            _ => None,
        }
    }

    /// Whether a variable is not read behind an assignment of it, nor by the keys of what is assigned to.
    fn is_last_read(&self, square: Slot, to: Slot, live: &Live) -> bool {
        self.slots.expr(square).as_name().is_some_and(|name| {
            !live.contains(&name.name) && !names(self.slots.expr(to), name.name)
        })
    }

    fn is_live(&self, slot: Slot, live: &Live) -> Option<bool> {
        self.slots.expr(slot).as_name().map(|name| live.contains(&name.name))
    }

    /// A test of a map of the state for what a step leads to, if it fails beyond the border.
    fn test_beyond(&mut self, step: Slot, (square, from): (Slot, Slot), test: Test) -> Option<Test> {
        let (Test::Is(asked, ..) | Test::Same(asked, ..)) = test else { return None };
        let (step, from) = (self.slots.expr(step).clone(), self.slots.expr(from));
        let square = self.slots.expr(square).as_name()?.name;
        let inner = match &from.base {
            Base::Cast(_, inner) if from.keys.is_empty() => &**inner,
            _ => from,
        };
        let mut asked = self.slots.expr(asked).clone();
        let map = asked.root();
        let is_square = |key: &Expr| key.as_name().is_some_and(|name| name.name == square);
        let key = asked.keys.iter().position(is_square)?;
        let others = asked.keys.iter().enumerate().filter(|(place, _)| *place != key);
        let is_other = others.into_iter().all(|(_, key)| !names(key, square));
        let squares = self.borders.members.get(&step.root())?;
        let known = self.borders.keys.get(&map)?.get(key)?;
        let none = self.borders.none;
        let fits = squares.iter().all(|square| *square == none || known.contains(square));
        let fails = self.fails_beyond(test, *self.borders.others.get(&map)?);
        if *inner != step || !is_other || !fits || !fails {
            return None;
        }
        asked.keys[key] = step;
        self.asked.insert((map, key));
        let asked = self.slots.of(asked);
        Some(match test {
            Test::Is(_, value, holds) => Test::Is(asked, value, holds),
            Test::Same(_, other, holds) => Test::Same(asked, other, holds),
            Test::Check(..) => return None,
        })
    }

    /// Whether a test fails where the entry is this one.
    fn fails_beyond(&self, test: Test, entry: Name) -> bool {
        match test {
            Test::Is(_, value, holds) => (value == entry) != holds,
            Test::Same(_, other, true) => {
                let name = self.slots.expr(other).as_name();
                let values = name.and_then(|name| self.values.get(&name.name));
                values.is_some_and(|values| !values.contains(&entry))
            }
            Test::Same(..) | Test::Check(..) => false,
        }
    }
}

/// Statements in place of so many.
struct Fewer {
    taken: usize,
    put: Body,
}
