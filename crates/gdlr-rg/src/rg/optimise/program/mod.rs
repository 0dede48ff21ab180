//! The working form of a description: what transformations work on.
//!
//! Nodes, edges and expressions are numbers, so that a label is a few words that are compared
//! and hashed at once; nodes know the edges that leave and enter them. Definitions stay as they
//! are written.

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
    /// All names; new ones are added.
    pub names: Names,
    /// The types as written, built-in ones that were left out not among them.
    pub types: Vec<TypeAlias>,
    /// The constants as written.
    pub constants: Vec<Constant>,
    /// The variables as written.
    pub variables: Vec<Variable>,
    /// The bounds by which what is done with it chooses.
    pub tuning: Tuning,
    /// Whether ways that go on alike are joined by now, as far as that is wanted.
    pub joined: bool,
    /// Pragmas that are about no node, and those that nobody knows.
    pub pragmas: Vec<Pragma>,
    /// What the latter mention.
    mentioned: Mentioned,
    /// By tag: who looks at states.
    probes: HashMap<Name, Probe>,
    /// What the types stand for.
    pub resolved: Types,
    /// Expressions, and what names mean in them.
    pub expressions: Expressions,
    values: Values,
    /// By type that is drawn from: as written, and its symbols in order.
    drawn: Vec<(Type, Box<[Name]>)>,
    /// By number; those that are gone are empty.
    edges: Vec<Option<Stored>>,
    leaving: Vec<Edges>,
    entering: Vec<Edges>,
    /// By node: its name, unless it is new.
    node_names: Vec<Option<Name>>,
    /// How many edges there are.
    count: usize,
    /// How often anything was changed.
    changes: u64,
    found: RefCell<Findings>,
    /// How many analyses there were, and how many of them gave up what still changed.
    analyses: Cell<(usize, usize)>,
}

impl Program {
    /// How often anything was changed so far.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// Says that an analysis is over, and whether it gave up what still changed.
    pub fn solved(&self, gave_up: bool) {
        let (all, given_up) = self.analyses.get();
        self.analyses.set((all + 1, given_up + usize::from(gave_up)));
    }

    /// How many analyses there were, and how many of them gave up what still changed.
    pub fn analyses(&self) -> (usize, usize) {
        self.analyses.get()
    }

    /// Says that something was changed other than an edge.
    pub fn changed(&mut self) {
        self.changes += 1;
    }

    /// What a function finds out about the program, or what it found when it was last asked, if
    /// nothing was changed since then.
    pub fn find<F: Finding, E>(
        &self,
        find: impl FnOnce(&Program) -> Result<F, E>,
    ) -> Result<Rc<F>, E> {
        self.found.borrow_mut().forget(self.changes);
        let known = self.found.borrow().get();
        if let Some(known) = known {
            return Ok(known);
        }
        let found = Rc::new(find(self)?);
        self.found.borrow_mut().keep(Rc::clone(&found));
        Ok(found)
    }

    /// How many bytes all that was found out takes, about.
    pub fn bytes_of_findings(&self) -> usize {
        self.found.borrow().bytes()
    }

    /// The symbols that a set type has, in order.
    pub fn symbols(&self, ty: Ty) -> Option<&[Name]> {
        match ty {
            Ty::Set(set) => Some(self.resolved.symbols(set)),
            _ => None,
        }
    }

    /// The value of an expression that no variable stands in.
    pub fn evaluate(&self, expr: ExprId) -> Option<Val> {
        self.values.evaluate(&self.expressions, expr)
    }

    /// The value of a constant.
    pub fn constant(&self, name: Name) -> Option<&Val> {
        self.values.constant(name)
    }

    /// The value of a variable at the beginning.
    pub fn initial(&self, name: Name) -> Option<&Val> {
        self.values.initial(name)
    }

    /// All variables, built-in ones that were left out among them.
    pub fn all_variables(&self) -> impl Iterator<Item = Name> + '_ {
        self.values.variables()
    }

    /// Makes a constant of a variable, with its value at the beginning.
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

    /// Adds a constant that is defined as written.
    pub fn add_constant(&mut self, constant: Constant, value: Val) {
        let ty = self.resolved.resolve(&constant.type_, &mut Vec::new());
        self.expressions.define(constant.name.name, Kind::Constant(ty));
        self.values.add_constant(constant.name.name, value);
        self.constants.push(constant);
        self.changes += 1;
    }

    /// A name that nothing has.
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
