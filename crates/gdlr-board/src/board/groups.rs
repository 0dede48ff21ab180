//! Facts of one form, and what stands in their gaps.

use super::form::Form;
use super::order::{Chains, Order, order};
use super::sorts::{Evidence, Sorts};
use gdlr_rules::gdl::{Game, Symbol, SymbolTable, Term};
use hashbrown::{HashMap, HashSet};

/// The longest axis.
pub(super) const LONGEST_AXIS: usize = 64;

/// The most different values of a gap that are kept: more are never an axis.
const MOST_VALUES: usize = 1 << 12;

/// A gap of a form.
pub(super) struct Gap {
    /// The different values: in their order, if they have one.
    pub(super) values: Vec<Symbol>,
    pub(super) order: Option<Order>,
    /// Whether numbers and letters follow each other with few gaps.
    is_dense: bool,
    pub(super) evidence: Evidence,
}

impl Gap {
    /// Whether the values could be the labels of an axis, as far as they themselves tell.
    pub(super) fn could_be_axis(&self) -> bool {
        (2..=LONGEST_AXIS).contains(&self.values.len())
            && self.order.is_some()
            && self.is_dense
            && !self.evidence.of_roles
    }
}

/// All facts of one form.
pub(super) struct Group {
    pub(super) form: Form,
    /// One after the other, the constants of each fact.
    constants: Vec<Symbol>,
    pub(super) gaps: Vec<Gap>,
    /// Those that hold at first, if the rulesheet writes all of them down as facts.
    pub(super) initial: Vec<Vec<Symbol>>,
}

impl Group {
    /// The constants of each fact.
    pub(super) fn rows(&self) -> impl ExactSizeIterator<Item = &[Symbol]> {
        self.constants.chunks_exact(self.gaps.len())
    }
}

/// The facts by form, in the order of the forms. Near linear in the facts.
pub(super) fn groups<'f>(
    game: &Game,
    facts: impl IntoIterator<Item = &'f Term>,
    sorts: &Sorts,
) -> Vec<Group> {
    let mut by_form: HashMap<Form, Vec<Symbol>> = HashMap::new();
    for (form, constants) in facts.into_iter().filter_map(Form::of) {
        by_form.entry(form).or_default().extend(constants);
    }
    let mut initial: HashMap<Form, Vec<Vec<Symbol>>> = HashMap::new();
    let mut by_rules = HashSet::new();
    for rule in game.rules.iter().filter(|rule| rule.head.relation == Symbol::INIT) {
        for fact in &rule.head.args {
            match (Form::of(fact), fact) {
                (Some((form, constants)), _) if rule.body.is_empty() => {
                    initial.entry(form).or_default().push(constants);
                }
                (_, Term::Function(name, args)) => _ = by_rules.insert((*name, args.len())),
                _ => {}
            }
        }
    }
    initial.retain(|form, _| !by_rules.contains(&form.function()));
    let chains = Chains::of(game);
    let roles: HashSet<Symbol> = game
        .roles
        .iter()
        .filter_map(|role| match role {
            Term::Constant(name) => Some(*name),
            _ => None,
        })
        .collect();
    let mut groups: Vec<Group> = by_form
        .into_iter()
        .map(|(form, constants)| {
            let paths = form.paths();
            let gaps = paths.iter().enumerate().map(|(place, path)| {
                let values = values(constants.iter().skip(place).step_by(paths.len()).copied());
                let mut evidence = sorts.at(path, &values);
                evidence.of_roles |= values.iter().all(|value| roles.contains(value));
                match order(&values, &game.symbols, &chains) {
                    Some((by, values)) => {
                        let is_dense = is_dense(by, &values, &game.symbols);
                        Gap { values, order: Some(by), is_dense, evidence }
                    }
                    None => Gap { values, order: None, is_dense: false, evidence },
                }
            });
            let gaps = gaps.collect();
            let initial = initial.remove(&form).unwrap_or_default();
            Group { form, constants, gaps, initial }
        })
        .collect();
    groups.sort_by(|a, b| a.form.cmp(&b.form));
    groups
}

/// Whether numbers or letters in order leave out less than half of those between the first and
/// the last: `o` and `x` are no neighbours, nor are scores.
fn is_dense(order: Order, values: &[Symbol], symbols: &SymbolTable) -> bool {
    let key = |value: &Symbol| {
        let name = value.spelled(symbols);
        match order {
            Order::Numbers => name.parse::<i64>().ok(),
            Order::Letters => name.bytes().next().map(|b| i64::from(b.to_ascii_lowercase())),
            Order::NumberedNames | Order::Relation => None,
        }
    };
    match (values.first().and_then(key), values.last().and_then(key)) {
        (Some(first), Some(last)) => last.saturating_sub(first) < 2 * values.len() as i64,
        _ => true,
    }
}

/// The different values, sorted by their numbers.
fn values(all: impl Iterator<Item = Symbol>) -> Vec<Symbol> {
    let mut seen = HashSet::new();
    let mut values: Vec<Symbol> = all.filter(|value| seen.insert(*value)).collect();
    values.sort_unstable();
    values.truncate(MOST_VALUES);
    values
}
