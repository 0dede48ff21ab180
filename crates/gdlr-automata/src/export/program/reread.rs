//! Redundant loads: a value is read again although the variable still holds it.
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
    /// Removes assignments to variables that already hold the value.
    pub fn without_rereads(&mut self) {
        let Program { slots, blocks, checks, check_of, .. } = self;
        for block in blocks {
            without(slots, &mut block.body, &mut Vec::new());
        }
        // Checks that are looked up by their content stay unchanged.
        let is_known = |ways: &Vec<Body>| check_of.contains_key(ways);
        for ways in checks.iter_mut().filter(|ways| !is_known(ways)) {
            ways.iter_mut().for_each(|way| without(slots, way, &mut Vec::new()));
        }
    }
}

/// Variables, each with the slot whose value it holds.
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

/// Removes all entries about some variables.
fn forget(slots: &Slots, variables: &HashSet<Name>, held: &mut Held) {
    held.retain(|&(to, from)| {
        !variables.iter().any(|&name| mentions(slots, to, name) || mentions(slots, from, name))
    });
}

/// The variable whose value, or one of whose entries, an action assigns.
fn assigned(slots: &Slots, act: &Act) -> Option<Name> {
    match *act {
        Act::Any(slot, _) | Act::Set(slot, _) | Act::Copy(slot, _) => Some(slots.expr(slot).root()),
        Act::Tag(_) | Act::TagOf(_) => None,
    }
}

pub(super) fn all_assigned(slots: &Slots, body: &[Statement]) -> HashSet<Name> {
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

/// Whether a slot names a variable.
fn mentions(slots: &Slots, slot: Slot, name: Name) -> bool {
    names(slots.expr(slot), name)
}

/// Whether an expression names a variable.
pub(in crate::export) fn names(expr: &Expr, name: Name) -> bool {
    let base = match &expr.base {
        Base::Name(own) => own.name == name,
        Base::Cast(_, inner) => names(inner, name),
    };
    base || expr.keys.iter().any(|key| names(key, name))
}

#[cfg(test)]
mod tests {
    use crate::export::program::{Act, Body, If, Program, Statement, Test};
    use crate::export::slots::Slot;
    use gdlr_rg::rg::{Base, Expr, Ident, Name, Names, Place};

    /// A program with the slots `x`, `y`, `z` and `a[y]`.
    fn program() -> (Program, [Slot; 4], Name) {
        let (mut program, mut names) = (Program::new(), Names::default());
        let [x, y, z, a] = ["x", "y", "z", "a"].map(|text| names.intern(text).expect("a name"));
        let keys = vec![Expr::from(Ident::from(y))];
        let entry = Expr { base: Base::Name(a.into()), keys, place: Place::default() };
        let of_y = program.slots.of(entry);
        let slots = [x, y, z].map(|name| program.slots.slot(name, &[]));
        (program, [slots[0], slots[1], slots[2], of_y], z)
    }

    fn left(mut program: Program, body: Body) -> Body {
        let block = program.block("block".to_owned(), Vec::new());
        program.fill(block, body);
        program.without_rereads();
        program.blocks[block.place()].body.clone()
    }

    #[test]
    fn what_a_variable_holds_is_not_read_again() {
        let (program, [x, y, z, of_y], _) = program();
        let copy = |to, from| Statement::Do(Act::Copy(to, from));
        let body = vec![copy(x, of_y), copy(z, y), copy(x, of_y)];
        assert_eq!(left(program, body), [copy(x, of_y), copy(z, y)]);
    }

    /// A change of the key, of the variable, or of the entry that was read.
    #[test]
    fn what_has_changed_is_read_again() {
        let copy = |to, from| Statement::Do(Act::Copy(to, from));
        for between in 0..3 {
            let (program, [x, y, z, of_y], _) = program();
            let changed = [copy(y, z), copy(x, z), copy(of_y, z)][between].clone();
            let body = vec![copy(x, of_y), changed, copy(x, of_y)];
            assert_eq!(left(program, body.clone()), body);
        }
    }

    /// Behind a decision, only facts that hold on both paths are known.
    #[test]
    fn either_way_may_change_it() {
        let copy = |to, from| Statement::Do(Act::Copy(to, from));
        for changes in [false, true] {
            let (program, [x, y, z, of_y], name) = program();
            let tests = vec![Statement::Test(Test::Is(z, name, true))];
            let then = if changes { vec![copy(y, z)] } else { vec![copy(x, of_y)] };
            let branch =
                |then| Statement::If(If { tests: tests.clone(), then, otherwise: Vec::new() });
            let body = vec![copy(x, of_y), branch(then.clone()), copy(x, of_y)];
            let wanted = match changes {
                true => body.clone(),
                false => vec![copy(x, of_y), branch(Vec::new())],
            };
            assert_eq!(left(program, body), wanted);
        }
    }
}
