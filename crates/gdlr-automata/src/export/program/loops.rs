//! Loops that act for one value only, and loops that a later loop repeats.

use super::live::Live;
use super::peephole::{Fewer, Peephole};
use super::reread::{all_assigned, names};
use super::{Act, Body, Each, Follow, If, Statement, Test};
use crate::export::slots::{Slot, Slots};
use gdlr_rg::rg::Name;

impl Peephole<'_> {
    /// Replaces a loop over all values by the only value for which it acts.
    ///
    /// ```text
    /// for each x { if x == opponent[turn] … }        x = opponent[turn], …
    /// ```
    pub fn decided_loop(&mut self, body: &[Statement], live: &Live) -> Option<Fewer> {
        let [.., Statement::Each(each)] = body else { return None };
        let name = self.slots.expr(each.slot).as_name()?.name;
        let mut rest = each.body.clone();
        let [only] = &mut rest[..] else { return None };
        let tests = match only {
            Statement::If(If { tests, otherwise, .. }) if otherwise.is_empty() => tests,
            Statement::Follow(Follow { first, .. }) => first,
            _ => return None,
        };
        let Statement::Test(test) = *tests.first()? else { return None };
        let assigned = self.only_value(each.slot, test)?;
        let changed = all_assigned(&self.slots, &each.body);
        let is_fixed = |from: Slot| {
            let expr = self.slots.expr(from);
            !names(expr, name) && !changed.iter().any(|own| names(expr, *own))
        };
        if live.contains(&name) || matches!(assigned, Act::Copy(_, from) if !is_fixed(from)) {
            return None;
        }
        tests.remove(0);
        let mut put = vec![Statement::Do(assigned)];
        // A decision without tests is replaced by its body.
        match rest.pop()? {
            Statement::If(If { tests, then, .. }) if tests.is_empty() => put.extend(then),
            other => put.push(other),
        }
        Some(Fewer { taken: 1, put })
    }

    /// The assignment of the only value for which a test holds. `None` if the variable may not have
    /// that value.
    fn only_value(&self, slot: Slot, test: Test) -> Option<Act> {
        let members = self.declared.members.get(&self.slots.expr(slot).as_name()?.name)?;
        match test {
            Test::Is(own, value, true) if own == slot => {
                members.contains(&value).then_some(Act::Set(slot, value))
            }
            Test::Same(one, two, true) if one == slot || two == slot => {
                let from = if one == slot { two } else { one };
                let can_be = self.declared.members.get(&self.slots.expr(from).root())?;
                can_be.is_subset(members).then_some(Act::Copy(slot, from))
            }
            _ => None,
        }
    }

    /// Removes the first of two loops that write different values to the same entries of a map.
    ///
    /// ```text
    /// for each x { cell[x] = none }, …, for each x { cell[x] = turn }
    ///                                …, for each x { cell[x] = turn }
    /// ```
    pub fn only_last_loop(&mut self, body: &[Statement], live: &Live) -> Option<Fewer> {
        let (last, before) = body.split_last()?;
        let is_loop = |one: &Statement| matches!(one, Statement::Each(_) | Statement::Follow(_));
        let same = |one: &Statement| is_loop(one).then(|| self.overwritten(one, last)).flatten();
        let first = (0..before.len()).rev().find(|&place| same(&before[place]).is_some())?;
        let map = same(&before[first])?;
        let (overwritten, between) = before[first..].split_first()?;
        let is_plain = between.iter().all(|one| matches!(one, Statement::Do(_)));
        let reads = |body: &[Statement], after: Live| {
            self.liveness.before_all(&self.slots, &without_writes(body, map, &self.slots), after)
        };
        let own = reads(std::slice::from_ref(overwritten), Live::new());
        let changed = all_assigned(&self.slots, between);
        let behind = reads(&body[first + 1..], live.clone());
        let assigned = all_assigned(&self.slots, std::slice::from_ref(overwritten));
        let is_lost = assigned.iter().all(|name| *name == map || !behind.contains(name));
        let reads_map = own.contains(&map)
            || reads(between, Live::new()).contains(&map)
            || self.copies_from(&body[first + 1..], map);
        let is_same = changed.iter().all(|name| *name == map || !own.contains(name));
        (is_plain && is_lost && is_same && !reads_map)
            .then(|| Fewer { taken: body.len() - first, put: body[first + 1..].to_vec() })
    }

    /// Whether a body reads a map, in a value that it assigns or in a key.
    fn copies_from(&self, body: &[Statement], map: Name) -> bool {
        let in_keys = |to: Slot| self.slots.expr(to).keys.iter().any(|key| names(key, map));
        body.iter().any(|statement| match statement {
            Statement::Do(Act::Copy(to, from)) => {
                names(self.slots.expr(*from), map) || in_keys(*to)
            }
            Statement::Do(Act::Set(to, _)) => in_keys(*to),
            other => other.bodies().into_iter().any(|inner| self.copies_from(inner, map)),
        })
    }

    /// The map in which two statements write the same entries, if they do nothing else.
    fn overwritten(&self, one: &Statement, other: &Statement) -> Option<Name> {
        let mut map = None;
        self.differ_in_writes(std::slice::from_ref(one), std::slice::from_ref(other), &mut map)
            .then_some(map)?
    }

    /// Whether statements differ only in the values that they write to one map.
    fn differ_in_writes(
        &self,
        ones: &[Statement],
        others: &[Statement],
        map: &mut Option<Name>,
    ) -> bool {
        let target = |statement: &Statement| match statement {
            Statement::Do(Act::Set(slot, _) | Act::Copy(slot, _)) => {
                let expr = self.slots.expr(*slot);
                (!expr.keys.is_empty()).then(|| (*slot, expr.root()))
            }
            _ => None,
        };
        ones.len() == others.len()
            && ones.iter().zip(others).all(|(one, other)| match (target(one), target(other)) {
                (Some((slot, root)), Some((same, _))) if slot == same => {
                    *map.get_or_insert(root) == root
                }
                _ if one == other => true,
                _ => match (one, other) {
                    (Statement::Each(one), Statement::Each(other)) => {
                        let values = |each: &Each| (each.slot, each.first, each.last, each.next);
                        values(one) == values(other)
                            && self.differ_in_writes(&one.body, &other.body, map)
                    }
                    (Statement::Follow(one), Statement::Follow(other)) => {
                        (&one.first, &one.step) == (&other.first, &other.step)
                            && self.differ_in_writes(&one.body, &other.body, map)
                    }
                    (Statement::If(one), Statement::If(other)) => {
                        one.tests == other.tests
                            && self.differ_in_writes(&one.then, &other.then, map)
                            && self.differ_in_writes(&one.otherwise, &other.otherwise, map)
                    }
                    _ => false,
                },
            })
    }
}

/// Statements without the writes to entries of a map.
fn without_writes(body: &[Statement], map: Name, slots: &Slots) -> Body {
    let mut body = body.to_vec();
    body.retain_mut(|statement| {
        statement
            .bodies_mut()
            .into_iter()
            .for_each(|inner| *inner = without_writes(inner, map, slots));
        match statement {
            Statement::Do(Act::Set(slot, _) | Act::Copy(slot, _)) => {
                let expr = slots.expr(*slot);
                expr.keys.is_empty() || expr.root() != map
            }
            _ => true,
        }
    });
    body
}
