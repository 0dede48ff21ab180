//! The variables that hold the state.
//!
//! An exclusive group of latches becomes one variable. Its values are the members of the group, and
//! `none` unless one of them is always true. So a square of a board is one variable. Any other
//! latch becomes a Boolean variable.
//!
//! ```text
//! (cell 1 1 x), (cell 1 1 o), (cell 1 1 b)     cell_1_1 in { b, o, x }
//! (signed 1 1 x), (signed 1 1 o)                signed_1_1 in { o, x, none }
//! (control x), not (control x) = (control o)    control in { x, o }
//! (lamp on)                                     lamp_on in { 0, 1 }
//! ```

use super::naming::{Naming, capital, flat};
use gdlr_net::net::{FluentBit, LatchId, Net, Operation, Signal};
use gdlr_rg::rg::Name;
use gdlr_rules::gdl::{SymbolTable, Term};
use hashbrown::{HashMap, HashSet};

/// A variable that holds a part of the state.
#[derive(Clone, Debug)]
pub(super) struct StateVariable {
    pub name: Name,
    pub type_: Name,
    /// The symbols of its type.
    pub values: Vec<Name>,
    /// By value: the latch that is true then. With the last value all latches are false, unless one
    /// of them is always true.
    pub latches: Vec<LatchId>,
    /// Whether one of the latches is always true.
    pub covered: bool,
    /// The value at the beginning of the play.
    pub initial: usize,
}

impl StateVariable {
    /// Whether a state may have none of the values that stand for `facts` facts.
    fn can_be_none(&self, facts: usize) -> bool {
        !self.covered && self.latches.len() == facts
    }
}

/// A test that a variable has a value, or that it does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Literal {
    pub variable: u32,
    pub value: u32,
    pub equal: bool,
}

/// The variables of a net, and the types that they have.
#[derive(Debug, Default)]
pub(super) struct Variables {
    pub list: Vec<StateVariable>,
    /// Set types, each with its symbols. `Bool` is not listed.
    pub types: Vec<(Name, Vec<Name>)>,
    /// By latch: its variable and its value.
    homes: Vec<(u32, u32)>,
}

impl Variables {
    pub fn of(net: &Net, symbols: &SymbolTable, naming: &mut Naming) -> Variables {
        let mut variables =
            Variables { homes: vec![(u32::MAX, 0); net.latches.len()], ..Self::default() };
        let mut facts: [Vec<Option<&Term>>; 2] =
            [true, false].map(|_| vec![None; net.latches.len()]);
        for FluentBit { fact, signal } in &net.fluents {
            if let Operation::Latch(latch) = net.operation(signal.gate()) {
                facts[usize::from(signal.is_negated())][latch.index()].get_or_insert(fact);
            }
        }
        let mut makers = Vec::new();
        let covering = covering(net);
        for group in groups(net) {
            makers.push(Maker::new(group.iter().map(|&l| facts[0][l.index()]), symbols));
            let mut sorted = group.clone();
            sorted.sort_unstable();
            variables.add(group, covering.contains(&sorted), net);
        }
        for latch in net.latch_ids() {
            if variables.homes[latch.index()].0 == u32::MAX {
                let own = facts[0][latch.index()];
                let other = facts[1][latch.index()];
                makers.push(match (own, other) {
                    (Some(_), Some(_)) => Maker::new([own, other].into_iter(), symbols),
                    _ => Maker::new([own.or(other)].into_iter(), symbols),
                });
                variables.add(vec![latch], false, net);
            }
        }
        // Definitions are named first. Symbols then avoid these names.
        for (variable, maker) in variables.list.iter_mut().zip(&makers) {
            variable.name = naming.define(&maker.name);
        }
        variables.name_values(&makers, naming);
        variables
    }

    fn add(&mut self, latches: Vec<LatchId>, covered: bool, net: &Net) {
        for (value, &latch) in latches.iter().enumerate() {
            self.homes[latch.index()] = (self.list.len() as u32, value as u32);
        }
        let is_true = |&latch: &LatchId| net.latches[latch.index()].initial;
        let initial = latches.iter().position(is_true).unwrap_or(latches.len());
        let (name, type_) = (Name::ZERO, Name::BOOL_TYPE);
        let values = Vec::new();
        self.list.push(StateVariable { name, type_, values, latches, covered, initial });
    }

    fn name_values(&mut self, makers: &[Maker], naming: &mut Naming) {
        let mut type_of: HashMap<Vec<&str>, Name> = HashMap::new();
        // Types are also named before symbols.
        for (variable, maker) in self.list.iter_mut().zip(makers) {
            if maker.values.len() > 1 {
                let key: Vec<&str> = maker.values.iter().map(|(what, _)| &what[..]).collect();
                let has_none = variable.can_be_none(maker.values.len());
                let key = if has_none { [&key[..], &[""]].concat() } else { key };
                variable.type_ = *type_of.entry(key).or_insert_with(|| naming.define(&maker.type_));
            }
        }
        let mut values_of: HashMap<Name, Vec<Name>> = HashMap::new();
        for (variable, maker) in self.list.iter_mut().zip(makers) {
            if maker.values.len() < 2 {
                variable.values = vec![Name::ONE, Name::ZERO];
                continue;
            }
            let values = values_of.entry(variable.type_).or_insert_with(|| {
                let mut values: Vec<Name> =
                    maker.values.iter().map(|(what, text)| naming.symbol(what, text)).collect();
                if variable.can_be_none(values.len()) {
                    values.push(naming.symbol("", "none"));
                }
                self.types.push((variable.type_, values.clone()));
                values
            });
            variable.values = values.clone();
        }
    }

    /// The test that a latch is true, or false, as a comparison of a variable.
    pub fn literal(&self, latch: LatchId, negated: bool) -> Literal {
        let (variable, value) = self.homes[latch.index()];
        let of = &self.list[variable as usize];
        match negated && of.values.len() == 2 {
            true => Literal { variable, value: 1 - value, equal: true },
            false => Literal { variable, value, equal: !negated },
        }
    }
}

/// Disjoint exclusive groups, large ones first. The latches of a group are in the order of their
/// facts.
fn groups(net: &Net) -> Vec<Vec<LatchId>> {
    let latch = |signal: &Signal| match net.operation(signal.gate()) {
        Operation::Latch(latch) if !signal.is_negated() => Some(latch),
        _ => None,
    };
    let mut groups: Vec<Vec<LatchId>> =
        net.exclusive.iter().map(|group| group.iter().filter_map(latch).collect()).collect();
    groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
    let mut place = vec![u32::MAX; net.latches.len()];
    for (number, fluent) in net.fluents.iter().enumerate() {
        if let Some(latch) = latch(&fluent.signal) {
            let place = &mut place[latch.index()];
            *place = (*place).min(number as u32);
        }
    }
    let mut taken = vec![false; net.latches.len()];
    groups.retain_mut(|group| {
        group.retain(|&latch| !taken[latch.index()] && place[latch.index()] != u32::MAX);
        group.sort_by_key(|&latch| place[latch.index()]);
        group.dedup();
        if group.len() > 1 {
            group.iter().for_each(|&latch| taken[latch.index()] = true);
        }
        group.len() > 1
    });
    groups.sort_by_key(|group| place[group[0].index()]);
    groups
}

/// The groups of latches of which one is always true. Each group is sorted.
fn covering(net: &Net) -> HashSet<Vec<LatchId>> {
    let latch = |signal: &Signal| match net.operation(signal.gate()) {
        Operation::Latch(latch) if !signal.is_negated() => Some(latch),
        _ => None,
    };
    let mut groups: Vec<Option<Vec<LatchId>>> =
        net.covering.iter().map(|group| group.iter().map(latch).collect()).collect();
    groups.iter_mut().flatten().for_each(|group| group.sort_unstable());
    groups.into_iter().flatten().collect()
}

/// The texts for the names of a variable.
struct Maker {
    name: String,
    type_: String,
    /// By value except `none`: the text that identifies its symbol, and the wanted name. A Boolean
    /// has only one.
    values: Vec<(String, String)>,
}

impl Maker {
    /// The texts for a variable whose values stand for these facts.
    fn new<'t>(facts: impl Iterator<Item = Option<&'t Term>>, symbols: &SymbolTable) -> Maker {
        let facts: Vec<&Term> = facts.flatten().collect();
        let whole = |fact: &&Term| (fact.spelled(symbols), flat([*fact], symbols));
        let Some((relation, args)) = common(&facts) else {
            let name = facts.first().map_or("bit".to_owned(), |fact| flat([*fact], symbols));
            let values: Vec<_> = facts.iter().map(whole).collect();
            let name = if facts.len() > 1 { format!("which_{name}") } else { name };
            return Maker { type_: capital(&name), name, values };
        };
        let fixed = args.iter().flatten().copied();
        let name = flat([&Term::Constant(relation)].into_iter().chain(fixed), symbols);
        let varying = |fact: &&Term| {
            let Term::Function(_, own) = fact else { unreachable!("they have arguments") };
            let vary =
                || own.iter().zip(&args).filter(|(_, arg)| arg.is_none()).map(|(own, _)| own);
            let spelled: Vec<String> = vary().map(|term| term.spelled(symbols)).collect();
            (spelled.join(" "), flat(vary(), symbols))
        };
        let values = facts.iter().map(varying).collect();
        Maker { type_: capital(&flat([&Term::Constant(relation)], symbols)), name, values }
    }
}

/// The relation of several facts, and the arguments on which all of them agree.
fn common<'t>(facts: &[&'t Term]) -> Option<(gdlr_rules::gdl::Symbol, Vec<Option<&'t Term>>)> {
    let [Term::Function(relation, first), others @ ..] = facts else { return None };
    if others.is_empty() {
        return None;
    }
    let mut args: Vec<Option<&Term>> = first.iter().map(Some).collect();
    for other in others {
        match other {
            Term::Function(other, own) if other == relation && own.len() == args.len() => {
                args.iter_mut()
                    .zip(own)
                    .for_each(|(arg, own)| *arg = arg.filter(|arg| *arg == own));
            }
            _ => return None,
        }
    }
    Some((*relation, args))
}
