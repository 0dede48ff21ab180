//! Checks that exclude each other.
//!
//! The end of the play and goals are only asked about the last move. A check may first test whether
//! its argument is the value that the move has written. Then it fails for any other argument.
//!
//! ```text
//! ? player_2 = red,    player_2 == new_player, …
//! ? player_2 = yellow, player_2 == new_player, …      one of them at most
//! ```

use super::builder::Builder;
use crate::export::program::{Act, Statement, Test};
use crate::export::rules::analysis::Shapes;
use crate::export::slots::Slot;
use gdlr_rg::rg::Name;

impl Builder<'_> {
    /// Whether the statements of two tests show that they never hold in one state.
    pub fn exclude(&self, one: Test, other: Test, shapes: &Shapes) -> bool {
        let (Test::Check(one, true), Test::Check(other, true)) = (one, other) else {
            return false;
        };
        let (one, other) = (self.program.gone_through(one), self.program.gone_through(other));
        let mut differs = None;
        let is_alike = one.len() == other.len()
            && one.iter().zip(&other).all(|(one, other)| match (one, other) {
                _ if one == other => true,
                (Statement::Do(one), Statement::Do(other)) => {
                    match (self.symbol_set(one, shapes), self.symbol_set(other, shapes)) {
                        (Some((to, _)), Some((too, _))) => {
                            to == too && differs.replace(to).is_none()
                        }
                        _ => false,
                    }
                }
                _ => false,
            });
        let (Some(argument), Some(Statement::Go(target)), true) = (differs, one.last(), is_alike)
        else {
            return false;
        };
        match self.program.body_at(*target) {
            [Statement::Choice(ways), ..] => ways.iter().all(|way| asks_at_once(way, argument)),
            body => asks_at_once(body, argument),
        }
    }

    /// The slot that is set to a symbol, and the symbol.
    fn symbol_set(&self, act: &Act, shapes: &Shapes) -> Option<(Slot, Name)> {
        match *act {
            Act::Set(to, symbol) => Some((to, symbol)),
            Act::Copy(to, from) => {
                let name = self.program.slots.expr(from).as_name()?.name;
                let is_variable = self.registers.has_name(name)
                    || shapes.values().any(|shape| shape.name == name);
                (!is_variable).then_some((to, name))
            }
            _ => None,
        }
    }
}

/// Whether a body tests, before it assigns anything, that a slot is equal to another one.
fn asks_at_once(body: &[Statement], slot: Slot) -> bool {
    let tests = body.iter().map_while(|statement| match statement {
        Statement::Test(test) => Some(*test),
        _ => None,
    });
    tests.into_iter().any(|test| match test {
        Test::Same(one, other, true) => one == slot || other == slot,
        _ => false,
    })
}
