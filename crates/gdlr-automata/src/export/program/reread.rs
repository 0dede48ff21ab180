//! What is read again though the variable still holds it (redundant loads).
//!
//! ```text
//! row = gap[column], disc[part[column][row]] = 1, row = gap[column], gap[column] = above[row]
//! row = gap[column], disc[part[column][row]] = 1,                    gap[column] = above[row]
//! ```

use super::{Act, Body, Each, If, Program, Statement};
use crate::export::slots::{Slot, Slots};
use gdlr_rg::rg::{Base, Expr, Name};
use hashbrown::HashSet;

impl Program {
    /// Leaves out assignments to variables that hold the value already.
    pub fn without_rereads(&mut self) {
        let Program { slots, blocks, checks, check_of, .. } = self;
        for block in blocks {
            without(slots, &mut block.body, &mut Vec::new());
        }
        // Those that are known by their content keep it.
        let is_known = |ways: &Vec<Body>| check_of.contains_key(ways);
        for ways in checks.iter_mut().filter(|ways| !is_known(ways)) {
            ways.iter_mut().for_each(|way| without(slots, way, &mut Vec::new()));
        }
    }
}

/// Variables, and what they hold.
type Held = Vec<(Slot, Slot)>;

fn without(slots: &Slots, body: &mut Body, held: &mut Held) {
    body.retain_mut(|statement| match statement {
        Statement::Do(Act::Copy(to, from)) if held.contains(&(*to, *from)) => false,
        Statement::Do(act) => {
            if let Some(root) = assigned(slots, act) {
                forget(slots, &HashSet::from([root]), held);
            }
            if let Act::Copy(to, from) = *act
                && slots.expr(to).as_name().is_some_and(|name| !mentions(slots, from, name.name))
            {
                held.push((to, from));
            }
            true
        }
        Statement::Test(_) | Statement::Never | Statement::Go(_) => true,
        Statement::If(If { tests, then, otherwise }) => {
            let mut failed = held.clone();
            forget(slots, &all_assigned(slots, tests), &mut failed);
            let mut passed = held.clone();
            without(slots, tests, &mut passed);
            without(slots, then, &mut passed);
            without(slots, otherwise, &mut failed);
            held.retain(|one| passed.contains(one) && failed.contains(one));
            true
        }
        other => {
            let mut bodies = other.bodies_mut();
            let again = bodies.iter().flat_map(|body| all_assigned(slots, body)).collect();
            forget(slots, &again, held);
            bodies.iter_mut().for_each(|body| without(slots, body, &mut held.clone()));
            true
        }
    });
}

/// Forgets what follows from variables.
fn forget(slots: &Slots, variables: &HashSet<Name>, held: &mut Held) {
    held.retain(|&(to, from)| {
        !variables.iter().any(|&name| mentions(slots, to, name) || mentions(slots, from, name))
    });
}

/// The variable that is assigned to, or an entry of it.
fn assigned(slots: &Slots, act: &Act) -> Option<Name> {
    match *act {
        Act::Any(slot, _) | Act::Set(slot, _) | Act::Copy(slot, _) => Some(slots.expr(slot).root()),
        Act::Tag(_) | Act::TagOf(_) => None,
    }
}

fn all_assigned(slots: &Slots, body: &[Statement]) -> HashSet<Name> {
    let mut all = HashSet::new();
    for statement in body {
        match statement {
            Statement::Do(act) => all.extend(assigned(slots, act)),
            Statement::Each(Each { slot, .. }) => all.extend([slots.expr(*slot).root()]),
            _ => {}
        }
        let within = statement.bodies().into_iter();
        within.for_each(|body| all.extend(all_assigned(slots, body)));
    }
    all
}

/// Whether an expression names a variable.
fn mentions(slots: &Slots, slot: Slot, name: Name) -> bool {
    fn of(expr: &Expr, name: Name) -> bool {
        let base = match &expr.base {
            Base::Name(own) => own.name == name,
            Base::Cast(_, inner) => of(inner, name),
        };
        base || expr.keys.iter().any(|key| of(key, name))
    }
    of(slots.expr(slot), name)
}
