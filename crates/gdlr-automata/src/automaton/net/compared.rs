//! The values that a check distinguishes.
//!
//! A check that only asks for white pieces does not notice that a black piece has moved. So writes
//! that a check does not notice are removed from its question. Then the answer is that of the
//! state, and is the same for all walks.

use super::live::{Live, is_live, walked};
use super::memory::{MemoryId, holds};
use super::rounds::Rounds;
use super::sheet::{Sheet, Slot, Var};
use super::walks::{Environment, KnownValue};
use gdlr_net::net::Signal;
use gdlr_rg::rg::Name;
use gdlr_rg::rg::optimise::program::{ExprId, Label, Node};
use gdlr_text::graph::Worklist;
use hashbrown::HashMap;
use std::rc::Rc;

/// By variable that a check reads: the symbols with which it is compared, in order. `None` if its
/// value is used in another way.
type Comparisons = HashMap<Var, Option<Vec<Name>>>;

/// By check and environment: the values that the check distinguishes.
#[derive(Default)]
pub(super) struct Compared {
    checks: HashMap<(Node, Node, Environment), Rc<Comparisons>>,
}

impl Compared {
    /// The values that a check distinguishes, with the checks within it. Takes time linear in its
    /// edges, times the length of chains of assignments between variables.
    fn of(
        &mut self,
        (sheet, live): (&Sheet, &Live),
        (from, to): (Node, Node),
        environment: &Environment,
    ) -> Rc<Comparisons> {
        let key = (from, to, environment.clone());
        let comparisons = || Rc::new(comparisons(sheet, live, (from, to), environment));
        Rc::clone(self.checks.entry(key).or_insert_with(comparisons))
    }
}

fn comparisons(
    sheet: &Sheet,
    live: &Live,
    check: (Node, Node),
    environment: &[KnownValue],
) -> Comparisons {
    let labels = labels(sheet, check);
    let values = values(sheet, live, check, environment, &labels);
    let env = |var: Var| values.get(&var).copied().flatten();
    let mut comparisons = Comparisons::new();
    for label in labels {
        match label {
            Label::Compare { left, right, .. } => {
                compare(sheet, &env, (left, right), &mut comparisons);
                compare(sheet, &env, (right, left), &mut comparisons);
            }
            other => use_whole(sheet, sheet.program.read(other), &mut comparisons),
        }
    }
    comparisons
}

/// The labels of all edges of a check and of the checks within it.
fn labels(sheet: &Sheet, check: (Node, Node)) -> Vec<Label> {
    let mut labels = Vec::new();
    let mut open = Worklist::sparse();
    open.push(check);
    while let Some((from, to)) = open.pop() {
        for node in walked(sheet, from, to).into_iter().filter(|&node| node != to) {
            for edge in sheet.program.edges_from(node) {
                if let Label::Reach { from, to, .. } = edge.label {
                    open.push((from, to));
                }
                labels.push(edge.label);
            }
        }
    }
    labels
}

/// By variable that has a value in a check: the symbol, if it is the same wherever the variable is
/// read. Values may come through other variables.
fn values(
    sheet: &Sheet,
    live: &Live,
    (from, to): (Node, Node),
    environment: &[KnownValue],
    labels: &[Label],
) -> HashMap<Var, Option<Name>> {
    let reads = live.checks.get(&(from, to));
    let unknown = (0..sheet.variables.len() as Var)
        .filter(|&var| reads.is_none_or(|reads| is_live(reads, from, var)));
    let mut values: HashMap<Var, Option<Name>> = unknown.map(|var| (var, None)).collect();
    values.extend(environment.iter().map(|known| (known.var, Some(known.value))));
    let expressions = &sheet.program.expressions;
    loop {
        let mut changed = false;
        for &label in labels {
            let (target, value) = match label {
                Label::Assign { target, value } => (target, Some(value)),
                Label::AssignAny { target, .. } => (target, None),
                _ => continue,
            };
            let Some(var) = sheet.variable(expressions.root(target)) else { continue };
            let read = value.map_or(&[][..], |value| expressions.reads(value));
            let mut read = read.iter().filter_map(|&name| sheet.variable(name));
            if !read.all(|var| values.contains_key(&var)) {
                // No value reaches the variable so far.
                continue;
            }
            let env = |var: Var| values.get(&var).copied().flatten();
            let symbols = value.map(|value| sheet.possible(&env, value));
            let symbol = match symbols.as_deref() {
                Some(&[symbol]) => Some(symbol),
                _ => None,
            };
            let before = values.get(&var).copied();
            let now = before.map_or(symbol, |before| before.filter(|_| before == symbol));
            changed |= before != Some(now);
            values.insert(var, now);
        }
        if !changed {
            return values;
        }
    }
}

/// Records the variables that a side of a comparison reads.
fn compare(
    sheet: &Sheet,
    env: &dyn Fn(Var) -> Option<Name>,
    (side, other): (ExprId, ExprId),
    comparisons: &mut Comparisons,
) {
    let expressions = &sheet.program.expressions;
    let (root, keys) = expressions.parts(side);
    let var = sheet.variable(root).filter(|&var| sheet.at(var).keys.len() == keys.len());
    let Some(var) = var else {
        return use_whole(sheet, expressions.reads(side).iter().copied(), comparisons);
    };
    use_whole(
        sheet,
        keys.iter().flat_map(|&key| expressions.reads(key).iter().copied()),
        comparisons,
    );
    if let Some(symbols) = comparisons.entry(var).or_insert_with(|| Some(Vec::new())) {
        symbols.extend(sheet.possible(env, other));
        symbols.sort_unstable();
        symbols.dedup();
    }
}

/// Records that the values of variables are used in other ways than in comparisons.
fn use_whole(sheet: &Sheet, names: impl IntoIterator<Item = Name>, comparisons: &mut Comparisons) {
    let vars = names.into_iter().filter_map(|name| sheet.variable(name));
    vars.for_each(|var| drop(comparisons.insert(var, None)));
}

impl Rounds<'_> {
    /// The memory without writes that a check does not notice, by the conditions of the walk so
    /// far.
    pub fn noticed(
        &mut self,
        check: (Node, Node),
        environment: &Environment,
        memory: MemoryId,
    ) -> MemoryId {
        if memory == MemoryId::NOTHING || self.here.is_empty() {
            return memory;
        }
        let comparisons = self.compared.of((self.sheet, self.live), check, environment);
        let written = self.contents.written(memory).clone();
        let mut same: Vec<Slot> = Vec::new();
        for &(slot, held) in written.iter() {
            let Some(Some(symbols)) = comparisons.get(&self.sheet.owner(slot)) else { continue };
            let before = self.state(slot);
            let [held, before] = [held, before].map(|held| self.contents.held(held));
            let is_same = |&symbol: &Name| {
                let (now, then) = (holds(held, symbol), holds(before, symbol));
                now == then
                    || now == Signal::FALSE && self.is_excluded(then)
                    || now == Signal::TRUE && self.here.contains(&then)
            };
            if symbols.iter().all(is_same) {
                same.push(slot);
            }
        }
        self.contents.only(memory, |slot| same.binary_search(&slot).is_err())
    }
}
