//! The border of a board as a square of its own.
//!
//! A constant map that leads from square to square has `none` beyond the border. If a map of the
//! state has no entry at `none`, a test of the entry fails there. So no test of the border is
//! needed before it.
//!
//! ```text
//! test step[s] != none, square = Square(step[s]), test cell[square] == x
//!                                                 test cell[step[s]] == x, square = Square(step[s])
//! ```
//!
//! The square is stored only if something reads it later.

use super::live::Live;
use super::peephole::{Fewer, Peephole};
use super::reread::names;
use super::{Act, Statement, Test};
use crate::export::slots::Slot;
use gdlr_rg::rg::{Base, Expr, Name};

impl Peephole<'_> {
    /// Removes a test of the border before a test of a square.
    pub fn over_border(&mut self, body: &[Statement], live: &Live) -> Option<Fewer> {
        let [
            ..,
            Statement::Test(Test::Is(step, none, false)),
            Statement::Do(Act::Copy(square, from)),
            Statement::Test(test),
        ] = body
        else {
            return None;
        };
        if *none != self.declared.none {
            return None;
        }
        let name = self.slots.expr(*square).as_name()?.name;
        let test = self.test_beyond(*step, (name, *from), *test)?;
        let mut put = vec![Statement::Test(test)];
        if live.contains(&name) {
            put.push(Statement::Do(Act::Copy(*square, *from)));
        }
        Some(Fewer { taken: 3, put })
    }

    /// The test of a map of the state at the target of a step, if it fails beyond the border.
    fn test_beyond(
        &mut self,
        step: Slot,
        (square, from): (Name, Slot),
        test: Test,
    ) -> Option<Test> {
        let (Test::Is(asked, ..) | Test::Same(asked, ..)) = test else { return None };
        let (step, from) = (self.slots.expr(step).clone(), self.slots.expr(from));
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
        let squares = self.declared.members.get(&step.root())?;
        let squares_with_values = self.declared.keys.get(&map)?.get(key)?;
        let none = self.declared.none;
        let fits =
            squares.iter().all(|square| *square == none || squares_with_values.contains(square));
        let fails = self.fails_beyond(test, square, *self.declared.others.get(&map)?);
        if *inner != step || !is_other || !fits || !fails || self.emptied.contains(&map) {
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

    /// Whether a test fails if the tested entry has the value `entry`.
    fn fails_beyond(&self, test: Test, square: Name, entry: Name) -> bool {
        match test {
            Test::Is(_, value, holds) => (value == entry) != holds,
            Test::Same(_, other, true) => {
                let name = self.slots.expr(other).as_name().filter(|name| name.name != square);
                let values = name.and_then(|name| self.values.get(&name.name));
                values.is_some_and(|values| !values.contains(&entry))
            }
            Test::Same(..) | Test::Check(..) => false,
        }
    }
}
