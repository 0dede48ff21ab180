//! Statements of all lanes.

use super::{Places, Said, Uniting, are_steady, each, joined, same};
use crate::export::program::{
    Act, BlockId, Each, Find, Follow, If, Search, Statement, Target, Test,
};
use crate::export::slots::Slot;
use gdlr_rg::rg::{Expr, Ident, Name};

impl Uniting<'_> {
    pub(super) fn statement(&mut self, lanes: &[&Statement]) -> Option<(Statement, Places)> {
        let stay = Places::At((0..lanes.len()).collect());
        Some(match lanes[0] {
            Statement::Test(_) => {
                let tests = each(lanes, |one| match one {
                    Statement::Test(test) => Some(*test),
                    _ => None,
                })?;
                (Statement::Test(self.test(&tests)?), stay)
            }
            Statement::Do(_) => {
                let acts = each(lanes, |one| match one {
                    Statement::Do(act) => Some(*act),
                    _ => None,
                })?;
                let (act, places) = self.act(&acts)?;
                (Statement::Do(act), Places::At(places))
            }
            Statement::Never => {
                same(lanes)?;
                (Statement::Never, Places::Gone)
            }
            Statement::Go(_) => {
                let targets = each(lanes, |one| match one {
                    Statement::Go(target) => Some(*target),
                    _ => None,
                })?;
                (Statement::Go(self.target(&targets)?), Places::Gone)
            }
            Statement::Choice(_) => {
                let ways = each(lanes, |one| match one {
                    Statement::Choice(ways) => Some(&ways[..]),
                    _ => None,
                })?;
                let (ways, places) = self.bodies(&ways)?;
                (Statement::Choice(ways), places)
            }
            Statement::If(_) => {
                let branches = each(lanes, |one| match one {
                    Statement::If(branch) => Some(branch),
                    _ => None,
                })?;
                let tests = self.steady(&each(&branches, |of| Some(&of.tests[..]))?)?;
                let (then, one) = self.body(&each(&branches, |of| Some(&of.then[..]))?)?;
                let (otherwise, other) =
                    self.body(&each(&branches, |of| Some(&of.otherwise[..]))?)?;
                (Statement::If(If { tests, then, otherwise }), joined(one, other))
            }
            Statement::Search(_)
            | Statement::Each(_)
            | Statement::Follow(_)
            | Statement::Find(_) => (self.round(lanes)?, stay),
            // Statements of this kind are handled in a body.
            Statement::Cases(_) => return None,
        })
    }

    /// A loop or a search of all lanes.
    pub(super) fn round(&mut self, lanes: &[&Statement]) -> Option<Statement> {
        if let Some(all) = each(lanes, |one| match one {
            Statement::Search(search) => Some(search),
            _ => None,
        }) {
            let (first, before) = self.bodies(&each(&all, |of| Some(&of.first[..]))?)?;
            let (rounds, between) = self.bodies(&each(&all, |of| Some(&of.rounds[..]))?)?;
            (are_steady(&before) && are_steady(&between)).then_some(())?;
            let exit = self.steady(&each(&all, |of| Some(&of.exit[..]))?)?;
            return Some(Statement::Search(Search { first, rounds, exit }));
        }
        if let Some(all) = each(lanes, |one| match one {
            Statement::Each(each) => Some(each),
            _ => None,
        }) {
            let Each { slot, first, last, next, .. } = *all[0];
            let is_same = all
                .iter()
                .all(|of| (of.slot, of.first, of.last, of.next) == (slot, first, last, next));
            let body = self.steady(&each(&all, |of| Some(&of.body[..]))?)?;
            return is_same.then_some(Statement::Each(Each { slot, first, last, next, body }));
        }
        if let Some(all) = each(lanes, |one| match one {
            Statement::Find(find) => Some(find),
            _ => None,
        }) {
            let first = self.steady(&each(&all, |of| Some(&of.first[..]))?)?;
            let step = self.steady(&each(&all, |of| Some(&of.step[..]))?)?;
            let tests = self.steady(&each(&all, |of| Some(&of.tests[..]))?)?;
            let then = self.steady(&each(&all, |of| Some(&of.then[..]))?)?;
            return Some(Statement::Find(Find { first, step, tests, then }));
        }
        let all = each(lanes, |one| match one {
            Statement::Follow(follow) => Some(follow),
            _ => None,
        })?;
        let first = self.steady(&each(&all, |of| Some(&of.first[..]))?)?;
        let step = self.steady(&each(&all, |of| Some(&of.step[..]))?)?;
        let body = self.steady(&each(&all, |of| Some(&of.body[..]))?)?;
        Some(Statement::Follow(Follow { first, step, body }))
    }

    pub(super) fn target(&mut self, lanes: &[Target]) -> Option<Target> {
        if let Some(&only) = same(lanes) {
            return Some(only);
        }
        let blocks: Option<Vec<BlockId>> = lanes
            .iter()
            .map(|target| match target {
                Target::Block(block) => Some(*block),
                Target::Over | Target::End => None,
            })
            .collect();
        Some(Target::Block(self.block(&blocks?)?))
    }

    pub(super) fn test(&mut self, lanes: &[Test]) -> Option<Test> {
        if let Some(&only) = same(lanes) {
            return Some(only);
        }
        let all: Vec<&Test> = lanes.iter().collect();
        match lanes[0] {
            Test::Is(_, _, holds) => {
                let of = each(&all, |test| match *test {
                    Test::Is(slot, name, own) if own == holds => Some((slot, name)),
                    _ => None,
                })?;
                let (slots, names): (Vec<Slot>, Vec<Name>) = of.into_iter().unzip();
                let slot = self.slot(&slots)?;
                let type_ = self.type_of(slots[0]);
                Some(match self.name(&names, type_.as_ref())? {
                    Said::Name(name) => Test::Is(slot, name, holds),
                    Said::Slot(other) => Test::Same(slot, other, holds),
                })
            }
            Test::Same(_, _, holds) => {
                let of = each(&all, |test| match *test {
                    Test::Same(one, other, own) if own == holds => Some((one, other)),
                    _ => None,
                })?;
                let (ones, others): (Vec<Slot>, Vec<Slot>) = of.into_iter().unzip();
                Some(Test::Same(self.slot(&ones)?, self.slot(&others)?, holds))
            }
            Test::Check(_, holds) => {
                let checks = each(&all, |test| match *test {
                    Test::Check(check, own) if own == holds => Some(check),
                    _ => None,
                })?;
                Some(Test::Check(self.check(&checks)?, holds))
            }
        }
    }

    /// An action of all lanes, and the places of the lanes behind it.
    pub(super) fn act(&mut self, lanes: &[Act]) -> Option<(Act, Vec<usize>)> {
        let stay: Vec<usize> = (0..lanes.len()).collect();
        let all: Vec<&Act> = lanes.iter().collect();
        Some(match lanes[0] {
            Act::Set(..) | Act::Copy(..) => {
                let of: Vec<(Slot, Expr)> = each(&all, |act| match *act {
                    Act::Set(slot, name) => Some((slot, Expr::from(Ident::from(name)))),
                    Act::Copy(to, from) => Some((to, self.program.slots.expr(from).clone())),
                    _ => None,
                })?;
                let (slots, exprs): (Vec<Slot>, Vec<Expr>) = of.into_iter().unzip();
                let to = self.slot(&slots)?;
                let type_ = self.type_of(slots[0]);
                let from = self.expr(&exprs.iter().collect::<Vec<_>>(), type_.as_ref())?;
                let sets_turn = to == self.turn_slot && self.lane_slot == self.turn_slot;
                let places = if sets_turn { self.changed(&exprs)? } else { stay };
                (self.assign(to, from), places)
            }
            Act::Any(_, type_) => {
                let slots = each(&all, |act| match act {
                    Act::Any(slot, own) if *own == type_ => Some(*slot),
                    _ => None,
                })?;
                let slot = self.slot(&slots).filter(|slot| *slot != self.turn_slot)?;
                (Act::Any(slot, type_), stay)
            }
            Act::Tag(_) => {
                let tags = each(&all, |act| match act {
                    Act::Tag(tag) => Some(*tag),
                    _ => None,
                })?;
                match self.name(&tags, None)? {
                    Said::Name(tag) => (Act::Tag(tag), stay),
                    Said::Slot(slot) if slot == self.lane_slot => (Act::TagOf(slot), stay),
                    Said::Slot(_) => return None,
                }
            }
            Act::TagOf(_) => {
                let slots = each(&all, |act| match act {
                    Act::TagOf(slot) => Some(*slot),
                    _ => None,
                })?;
                (Act::TagOf(*same(&slots)?), stay)
            }
        })
    }

    fn assign(&mut self, to: Slot, from: Expr) -> Act {
        let is_symbol = from.as_name().filter(|name| !self.is_declared(name.name));
        match is_symbol {
            Some(symbol) => Act::Set(to, symbol.name),
            None => Act::Copy(to, self.program.slots.of(from)),
        }
    }

    /// The places of the lanes once the variable has been set to these values.
    fn changed(&self, to: &[Expr]) -> Option<Vec<usize>> {
        let mut places = vec![usize::MAX; to.len()];
        for (lane, expr) in to.iter().enumerate() {
            let value = expr.as_name()?.name;
            let place = self.values.iter().position(|&other| other == value)?;
            places[place] = lane;
        }
        // Two lanes cannot become one.
        places.iter().all(|&lane| lane != usize::MAX).then_some(places)
    }
}
