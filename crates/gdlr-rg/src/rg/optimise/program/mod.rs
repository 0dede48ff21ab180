//! The working form of a description, which transformations change.
//!
//! Nodes, edges and expressions are numbers. So a label is a few words, which are fast to compare
//! and to hash. Each node has lists of the edges that leave and enter it. Definitions stay as
//! written.

mod edges;
mod expressions;
mod findings;
mod labels;
mod load;
mod pragmas;
mod probes;
mod store;
mod values;

pub use edges::{Edge, EdgeId, Node};
pub use expressions::{ExprId, Expressions, Kind, Shape};
pub use findings::Finding;
pub use labels::{Checked, DrawnId, Label};
pub use values::{MapVal, Val};

use crate::rg::ast::{Constant, Pragma, Type, TypeAlias, Variable};
use crate::rg::name::{Name, Names};
use crate::rg::tuning::Tuning;
use crate::rg::types::{Ty, Types};
use edges::{Edges, Stored};
use findings::Findings;
use hashbrown::HashMap;
use pragmas::Mentioned;
use probes::Probe;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use values::Values;

/// A description in its working form.
#[derive(Debug)]
pub struct Program {
    /// All names; transformations may add some.
    pub names: Names,
    /// The types as written, without built-in types that were left out.
    pub types: Vec<TypeAlias>,
    /// The constants as written.
    pub constants: Vec<Constant>,
    /// The variables as written.
    pub variables: Vec<Variable>,
    /// The bounds of all work on the program.
    pub tuning: Tuning,
    /// Whether the stage has begun that joins walks with equal continuations.
    pub joined: bool,
    /// The pragmas about no node, and the unknown pragmas.
    pub pragmas: Vec<Pragma>,
    /// The names in unknown pragmas.
    mentioned: Mentioned,
    /// The probes, by tag.
    probes: HashMap<Name, Probe>,
    /// The resolved types.
    pub resolved: Types,
    /// The expressions, and the meanings of their names.
    pub expressions: Expressions,
    values: Values,
    /// The types of any-assignments: as written, and with their symbols in order.
    drawn: Vec<(Type, Box<[Name]>)>,
    /// The edges by number; `None` if removed.
    edges: Vec<Option<Stored>>,
    leaving: Vec<Edges>,
    entering: Vec<Edges>,
    /// The names of the nodes; `None` if new.
    node_names: Vec<Option<Name>>,
    /// The number of edges.
    count: usize,
    /// The number of changes.
    changes: u64,
    cache: RefCell<Findings>,
    /// The number of analyses so far, and the number among them that gave up knowledge that still
    /// changed.
    analyses: Cell<(usize, usize)>,
}

impl Program {
    /// The number of changes so far.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// Counts an analysis; `gave_up` says whether it gave up knowledge that still changed.
    pub fn solved(&self, gave_up: bool) {
        let (all, given_up) = self.analyses.get();
        self.analyses.set((all + 1, given_up + usize::from(gave_up)));
    }

    /// The number of analyses, and the number among them that gave up knowledge that still changed.
    pub fn analyses(&self) -> (usize, usize) {
        self.analyses.get()
    }

    /// Counts a change that is not one of an edge.
    pub fn changed(&mut self) {
        self.changes += 1;
    }

    /// The result of an analysis. It is computed again only if the program has changed since the
    /// last time.
    pub fn find<F: Finding, E>(
        &self,
        find: impl FnOnce(&Program) -> Result<F, E>,
    ) -> Result<Rc<F>, E> {
        self.cache.borrow_mut().forget(self.changes);
        let cached = self.cache.borrow().get();
        if let Some(cached) = cached {
            return Ok(cached);
        }
        let result = Rc::new(find(self)?);
        self.cache.borrow_mut().keep(Rc::clone(&result));
        Ok(result)
    }

    /// The memory of all results of analyses, in bytes, about.
    pub fn bytes_of_findings(&self) -> usize {
        self.cache.borrow().bytes()
    }

    /// The symbols of a set type, in order.
    pub fn symbols(&self, ty: Ty) -> Option<&[Name]> {
        match ty {
            Ty::Set(set) => Some(self.resolved.symbols(set)),
            _ => None,
        }
    }

    /// The value of an expression without variables.
    pub fn evaluate(&self, expr: ExprId) -> Option<Val> {
        self.values.evaluate(&self.expressions, expr)
    }

    /// The value of a constant.
    pub fn constant(&self, name: Name) -> Option<&Val> {
        self.values.constant(name)
    }

    /// The initial value of a variable.
    pub fn initial(&self, name: Name) -> Option<&Val> {
        self.values.initial(name)
    }

    /// All variables, with built-in variables that were left out.
    pub fn all_variables(&self) -> impl Iterator<Item = Name> + '_ {
        self.values.variables()
    }

    /// Turns a variable into a constant with its initial value.
    pub fn freeze(&mut self, name: Name) {
        let Some(at) = self.variables.iter().position(|variable| variable.name.name == name) else {
            return;
        };
        let Variable { name: ident, type_, initial, place } = self.variables.remove(at);
        self.constants.push(Constant { name: ident, type_, value: initial, place });
        self.expressions.freeze(name);
        self.values.freeze(name);
        self.changes += 1;
    }

    /// Removes a variable that nothing reads or assigns to.
    pub fn remove_variable(&mut self, name: Name) {
        self.variables.retain(|variable| variable.name.name != name);
        self.values.remove_variable(name);
        self.changes += 1;
    }

    /// Adds a constant, with its definition and its value.
    pub fn add_constant(&mut self, constant: Constant, value: Val) {
        let ty = self.resolved.resolve(&constant.type_, &mut Vec::new());
        self.expressions.define(constant.name.name, Kind::Constant(ty));
        self.values.add_constant(constant.name.name, value);
        self.constants.push(constant);
        self.changes += 1;
    }

    /// A new name.
    pub fn fresh_name(&mut self, stem: &str) -> Name {
        let mut text = stem.to_owned();
        for number in 1_u64.. {
            if self.names.get(&text).is_none()
                && let Ok(name) = self.names.intern(&text)
            {
                return name;
            }
            text = format!("{stem}_{number}");
        }
        unreachable!("there are fewer names than numbers")
    }

    /// The text of a name.
    pub fn text(&self, name: Name) -> &str {
        self.names.text(name)
    }
}
