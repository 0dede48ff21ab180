//! The assignments that a move reads again before it ends.

use crate::rg::ast::{Base, Description, Edge, Expr, Label};
use crate::rg::graph::Graph;
use crate::rg::name::Name;
use hashbrown::HashMap;

/// Sets of variables, one bit for each variable.
struct Sets {
    /// By name: the number of a variable.
    numbers: HashMap<Name, usize>,
    /// The length of a set in words.
    length: usize,
}

type Set = Box<[u64]>;

impl Sets {
    fn empty(&self) -> Set {
        vec![0; self.length].into()
    }

    fn has(&self, set: &Set, variable: Name) -> bool {
        self.numbers.get(&variable).is_some_and(|&at| set[at / 64] >> (at % 64) & 1 == 1)
    }

    fn add(&self, set: &mut Set, variable: Name) {
        if let Some(&at) = self.numbers.get(&variable) {
            set[at / 64] |= 1 << (at % 64);
        }
    }

    fn remove(&self, set: &mut Set, variable: Name) {
        if let Some(&at) = self.numbers.get(&variable) {
            set[at / 64] &= !(1 << (at % 64));
        }
    }

    /// Adds the variables that an expression reads.
    fn read(&self, expr: &Expr, set: &mut Set) {
        match &expr.base {
            Base::Name(name) => self.add(set, name.name),
            Base::Cast(_, inner) => self.read(inner, set),
        }
        expr.keys.iter().for_each(|key| self.read(key, set));
    }

    /// Adds the variables that an expression reads to find the place of its value.
    fn read_keys(&self, expr: &Expr, set: &mut Set) {
        if let Base::Cast(_, inner) = &expr.base {
            self.read_keys(inner, set);
        }
        expr.keys.iter().for_each(|key| self.read(key, set));
    }

    /// Adds the variables that an action reads. The variables of checks are not among them. The value
    /// of an assignment is not read if it is not `needed`, but the keys are.
    fn read_by(&self, label: &Label, needed: bool, set: &mut Set) {
        match label {
            Label::Skip | Label::Tag(_) | Label::Reach { .. } => {}
            Label::TagVariable(variable) => self.add(set, variable.name),
            Label::Compare { left, right, .. } => {
                self.read(left, set);
                self.read(right, set);
            }
            Label::Assign { target, value } => {
                self.read_keys(target, set);
                match needed {
                    true => self.read(value, set),
                    false => self.read_keys(value, set),
                }
            }
            Label::AssignAny { target, .. } => self.read_keys(target, set),
        }
    }
}

/// By edge: whether a walk may read its variable later, before the move ends. True for edges that
/// assign nothing. It does not count if the variable is read for the value of another variable that
/// no walk reads later, unless the edge is among those whose values are `compared` with a type.
/// (Pentago turns a quarter of the board at the end of a move.)
pub(super) fn read_later(
    description: &Description,
    graph: &Graph<'_>,
    compared: &[bool],
) -> Vec<bool> {
    let mut sets = Sets { numbers: HashMap::new(), length: 0 };
    for edge in &description.edges {
        if let Label::Assign { target, .. } | Label::AssignAny { target, .. } = &edge.label {
            let next = sets.numbers.len();
            sets.numbers.entry(target.root()).or_insert(next);
        }
    }
    sets.length = sets.numbers.len().div_ceil(64);
    let checks = read_by_checks(description, graph, &sets);
    let mut live = vec![sets.empty(); description.names.len()];
    let mut changes = true;
    while changes {
        changes = false;
        for (edge, compared) in description.edges.iter().zip(compared).rev() {
            let mut before = match ends_move(edge) {
                true => sets.empty(),
                false => live[edge.to.name.index()].clone(),
            };
            let needed = match &edge.label {
                Label::Assign { target, .. } => *compared || sets.has(&before, target.root()),
                _ => true,
            };
            match &edge.label {
                Label::Assign { target, .. } | Label::AssignAny { target, .. }
                    if target.keys.is_empty() =>
                {
                    sets.remove(&mut before, target.root());
                }
                Label::Reach { from, .. } => {
                    before
                        .iter_mut()
                        .zip(&*checks[&from.name])
                        .for_each(|(word, more)| *word |= more);
                }
                _ => {}
            }
            sets.read_by(&edge.label, needed, &mut before);
            for (word, more) in live[edge.from.name.index()].iter_mut().zip(&*before) {
                changes |= *more & !*word != 0;
                *word |= more;
            }
        }
    }
    let is_read = |edge: &Edge| match &edge.label {
        Label::Assign { target, .. } | Label::AssignAny { target, .. } => {
            sets.has(&live[edge.to.name.index()], target.root())
        }
        _ => true,
    };
    description.edges.iter().map(is_read).collect()
}

/// By first node of a check: the variables that the check may read, also by checks within it.
fn read_by_checks(description: &Description, graph: &Graph<'_>, sets: &Sets) -> HashMap<Name, Set> {
    let mut checks: HashMap<Name, Set> = HashMap::new();
    for edge in &description.edges {
        let Label::Reach { from, .. } = &edge.label else { continue };
        if checks.contains_key(&from.name) {
            continue;
        }
        let mut set = sets.empty();
        let mut reachable = vec![false; description.names.len()];
        let mut open = vec![from.name];
        while let Some(node) = open.pop() {
            if std::mem::replace(&mut reachable[node.index()], true) {
                continue;
            }
            for edge in graph.leaving(node) {
                sets.read_by(&edge.label, true, &mut set);
                open.push(edge.to.name);
                if let Label::Reach { from, .. } = &edge.label {
                    open.push(from.name);
                }
            }
        }
        checks.insert(from.name, set);
    }
    checks
}

/// Whether a move ends with an edge.
fn ends_move(edge: &Edge) -> bool {
    matches!(&edge.label, Label::Assign { target, .. } if target.root() == Name::PLAYER)
}
