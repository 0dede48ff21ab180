//! One variable in place of two, of which the second is assigned the first one (copy coalescing; Appel, *Modern
//! Compiler Implementation*, chapter 11).
//!
//! ```text
//! square_2 = Square(*), cell[square_2] == b, square = square_2, $$ square
//! square = Square(*),   cell[square] == b,                      $$ square
//! ```

use super::live::Live;
use super::peephole::{Fewer, Peephole};
use super::reread::names;
use super::{Act, Statement, Test};
use crate::export::slots::{Slot, Slots};
use gdlr_rg::rg::{Base, Expr, Name};

impl Peephole<'_> {
    /// Statements that assign to the second variable at once, where the last of them assigns it the first one,
    /// which is not read afterwards.
    ///
    /// `failed` are the variables that are live where one of the statements fails.
    pub(super) fn coalesced(
        &mut self,
        body: &[Statement],
        live: &Live,
        failed: &Live,
    ) -> Option<Fewer> {
        let (Statement::Do(Act::Copy(to, from)), before) = body.split_last()? else { return None };
        let (to, from) = (*to, *from);
        let [second, first] =
            [to, from].map(|slot| self.slots.expr(slot).as_name().map(|n| n.name));
        let (second, first) = (second?, first?);
        let types = &self.declared.types;
        if types.get(&first)? != types.get(&second)?
            || live.contains(&first)
            || failed.contains(&second)
        {
            return None;
        }
        let defines = |statement: &Statement| match *statement {
            Statement::Do(Act::Any(slot, _) | Act::Set(slot, _) | Act::Copy(slot, _)) => {
                slot == from
            }
            _ => false,
        };
        let begin = before.iter().rposition(defines)?;
        let is_free = |statement: &Statement| is_free_of(&self.slots, statement, second);
        if !before[begin + 1..].iter().all(is_free) {
            return None;
        }
        let put = before[begin..].iter().map(|one| self.with_second(one, first, second)).collect();
        Some(Fewer { taken: body.len() - begin, put })
    }

    /// The same statement with a variable in place of another one. What is assigned to a variable is read
    /// before.
    fn with_second(&mut self, statement: &Statement, first: Name, second: Name) -> Statement {
        let mut slot = |slot: Slot| {
            let expr = renamed(self.slots.expr(slot), first, second);
            self.slots.of(expr)
        };
        match *statement {
            Statement::Test(Test::Is(one, name, holds)) => {
                Statement::Test(Test::Is(slot(one), name, holds))
            }
            Statement::Test(Test::Same(one, other, holds)) => {
                Statement::Test(Test::Same(slot(one), slot(other), holds))
            }
            Statement::Do(Act::Any(to, of)) => Statement::Do(Act::Any(slot(to), of)),
            Statement::Do(Act::Set(to, name)) => Statement::Do(Act::Set(slot(to), name)),
            Statement::Do(Act::Copy(to, from)) => Statement::Do(Act::Copy(slot(to), slot(from))),
            Statement::Do(Act::TagOf(of)) => Statement::Do(Act::TagOf(slot(of))),
            _ => statement.clone(),
        }
    }
}

/// Whether a statement tests or assigns and has nothing to do with a variable. A check may read any variable.
/// Who acts does not change either: only the keeper may assign to a variable of the state.
fn is_free_of(slots: &Slots, statement: &Statement, variable: Name) -> bool {
    let is_free = |slot: Slot| !names(slots.expr(slot), variable);
    match *statement {
        Statement::Test(Test::Is(one, ..)) => is_free(one),
        Statement::Test(Test::Same(one, other, _)) => is_free(one) && is_free(other),
        Statement::Do(Act::Set(to, _)) if slots.expr(to).root() == Name::PLAYER => false,
        Statement::Do(Act::Any(to, _) | Act::Set(to, _) | Act::TagOf(to)) => is_free(to),
        Statement::Do(Act::Copy(to, from)) => is_free(to) && is_free(from),
        Statement::Do(Act::Tag(_)) => true,
        _ => false,
    }
}

/// The same expression with a variable in place of another one.
fn renamed(expr: &Expr, first: Name, second: Name) -> Expr {
    let base = match &expr.base {
        Base::Name(own) if own.name == first => Base::Name(second.into()),
        Base::Name(own) => Base::Name(*own),
        Base::Cast(of, inner) => Base::Cast(*of, Box::new(renamed(inner, first, second))),
    };
    let keys = expr.keys.iter().map(|key| renamed(key, first, second)).collect();
    Expr { base, keys, place: expr.place }
}
