//! Loads a description into its working form.

use super::expressions::{ExprId, Expressions, Kind};
use super::values::Values;
use super::{DrawnId, Edge, Edges, Label, Mentioned, Node, Program};
use crate::rg::ast::{self, Base, Description, Expr, Hint};
use crate::rg::constants::in_order;
use crate::rg::name::Name;
use crate::rg::recast::recast;
use crate::rg::tuning::Tuning;
use crate::rg::types::{Ty, Types};
use gdlr_text::budget::{Exhausted, Memory, Meter};
use hashbrown::HashMap;
use std::cell::{Cell, RefCell};

/// The memory of an edge in bytes, about, with its entries at two nodes and one node.
const BYTES_PER_EDGE: usize = 160;

impl Program {
    /// The working form of a description without errors. `tuning` has the bounds of all later work
    /// on it.
    ///
    /// # Errors
    ///
    /// When the budget is exhausted.
    pub fn load(
        description: &Description,
        tuning: &Tuning,
        meter: &Meter<'_>,
    ) -> Result<Program, Exhausted> {
        let recast = recast(description);
        let mut description = match recast {
            Some(recast) => recast.description,
            None => description.clone(),
        };
        // Transformations go through the constants in order of definition.
        let order = in_order(&description.constants).sorted;
        description.constants =
            order.into_iter().map(|place| description.constants[place].clone()).collect();
        let built_in_types = description.missing_types();
        let missing_variables = description.missing_variables();
        let mut resolved = Types::new(&description.types, &built_in_types, &mut Vec::new());
        let mut expressions = Expressions::default();
        for constant in &description.constants {
            let ty = resolved.resolve(&constant.type_, &mut Vec::new());
            expressions.define(constant.name.name, Kind::Constant(ty));
        }
        let written = description.variables.len();
        description.variables.extend(missing_variables);
        for variable in &description.variables {
            let ty = resolved.resolve(&variable.type_, &mut Vec::new());
            expressions.define(variable.name.name, Kind::Variable(ty));
        }
        let values = Values::new(&description, &resolved, &expressions);
        description.variables.truncate(written);
        let mentioned = Mentioned::of(&description);
        let pragmas = description.pragmas.into_iter().filter(|pragma| {
            matches!(
                pragma.hint,
                Hint::ArtificialTag { .. }
                    | Hint::Integer { .. }
                    | Hint::TranslatedFromRbg
                    | Hint::Unknown(_)
            )
        });
        let mut program = Program {
            names: description.names,
            types: description.types,
            constants: description.constants,
            variables: description.variables,
            tuning: *tuning,
            joined: false,
            pragmas: pragmas.collect(),
            mentioned,
            probes: HashMap::new(),
            resolved,
            expressions,
            values,
            drawn: Vec::new(),
            edges: Vec::with_capacity(description.edges.len()),
            leaving: Vec::new(),
            entering: Vec::new(),
            node_names: Vec::new(),
            count: 0,
            changes: 0,
            cache: RefCell::default(),
            analyses: Cell::default(),
        };
        let mut nodes = Nodes::default();
        nodes.node(&mut program, Name::BEGIN);
        nodes.node(&mut program, Name::END);
        let mut drawn = HashMap::new();
        for edge in &description.edges {
            meter.spend(1)?;
            meter.hold(Memory::Automaton, program.edges.len() * BYTES_PER_EDGE);
            let from = nodes.node(&mut program, edge.from.name);
            let to = nodes.node(&mut program, edge.to.name);
            if let Some(label) = program.label(&edge.label, &mut nodes, &mut drawn) {
                program.add_edge(Edge { from, to, label });
            }
        }
        program.changes = 0;
        Ok(program)
    }

    /// A label in its working form; `None` if it is never legal.
    fn label(
        &mut self,
        label: &ast::Label,
        nodes: &mut Nodes,
        drawn: &mut HashMap<ast::Type, DrawnId>,
    ) -> Option<Label> {
        Some(match label {
            ast::Label::Skip => Label::Skip,
            ast::Label::Assign { target, value } => {
                let (target, value) = (self.expression(target), self.expression(value));
                let agree = self.agree(target, value);
                // The assignment would give a variable a value that is not of its type.
                agree.then_some(Label::Assign { target, value })?
            }
            ast::Label::AssignAny { target, values } => {
                let target = self.expression(target);
                let next = DrawnId(self.drawn.len() as u32);
                let id = *drawn.entry(values.clone()).or_insert(next);
                if id == next {
                    let ty = self.resolved.resolve(values, &mut Vec::new());
                    let symbols = self.symbols(ty).unwrap_or_default().into();
                    self.drawn.push((values.clone(), symbols));
                }
                Label::AssignAny { target, drawn: id }
            }
            ast::Label::Compare { left, right, equal } => {
                let (left, right) = (self.expression(left), self.expression(right));
                match self.agree(left, right) {
                    true => Label::Compare { left, right, equal: *equal },
                    // The expressions have casts to types without a common value.
                    false if *equal => return None,
                    false => Label::Skip,
                }
            }
            ast::Label::Reach { from, to, negated } => Label::Reach {
                from: nodes.node(self, from.name),
                to: nodes.node(self, to.name),
                negated: *negated,
            },
            ast::Label::Tag(tag) => Label::Tag(tag.name),
            ast::Label::TagVariable(variable) => Label::TagVariable(variable.name),
        })
    }

    fn agree(&self, left: ExprId, right: ExprId) -> bool {
        self.resolved.agree(self.expressions.ty(left), self.expressions.ty(right))
    }

    /// An expression without its casts. It nests as deep as a reader accepts.
    pub fn expression(&mut self, expr: &Expr) -> ExprId {
        let mut whole = match &expr.base {
            Base::Name(name) => self.expressions.name(name.name),
            Base::Cast(_, inner) => self.expression(inner),
        };
        for key in &expr.keys {
            let key = self.expression(key);
            whole = self.expressions.access(&self.resolved, whole, key);
        }
        whole
    }

    /// The type of a variable or constant; unknown for a symbol.
    pub fn ty_of(&self, name: Name) -> Ty {
        match self.expressions.kind(name) {
            Kind::Constant(ty) | Kind::Variable(ty) => ty,
            Kind::Symbol => Ty::Unknown,
        }
    }
}

/// The nodes of a description by name.
#[derive(Default)]
struct Nodes {
    numbers: HashMap<Name, Node>,
}

impl Nodes {
    fn node(&mut self, program: &mut Program, name: Name) -> Node {
        *self.numbers.entry(name).or_insert_with(|| {
            let node = Node::at(program.leaving.len());
            program.leaving.push(Edges::new());
            program.entering.push(Edges::new());
            program.node_names.push(Some(name));
            node
        })
    }
}
