//! The meanings of the names of a description, computed once for all checks.

use crate::rg::ast::{
    Base, Constant, Description, Edge, Expr, Ident, Label, SimpleType, Type, TypeAlias, Value,
    Variable,
};
use crate::rg::graph::Graph;
use crate::rg::name::Name;
use crate::rg::types::{Ty, TypeProblem, Types};
use gdlr_text::budget::Meter;
use hashbrown::HashMap;

/// A description with everything that a check may look up.
pub(super) struct Scope<'d> {
    pub description: &'d Description,
    /// The budget of the checks.
    pub meter: &'d Meter<'d>,
    pub graph: Graph<'d>,
    pub types: Types,
    /// The defects of types by themselves.
    pub problems: Vec<TypeProblem>,
    /// By name: the index of the constant, and its type.
    pub constants: HashMap<Name, (usize, Ty)>,
    /// By name: the type of the variable, also of a built-in one.
    pub variables: HashMap<Name, Ty>,
    /// By name: the type that a built-in definition must have.
    pub built_in: HashMap<Name, Ty>,
    /// By edge: the type of its any-assignment.
    pub drawn: HashMap<usize, Ty>,
}

impl<'d> Scope<'d> {
    /// `missing` are the built-in definitions that the description leaves out.
    pub fn new(
        description: &'d Description,
        missing: (&[TypeAlias], &[Variable]),
        meter: &'d Meter<'d>,
    ) -> Scope<'d> {
        let mut problems = Vec::new();
        let mut types = Types::new(&description.types, missing.0, &mut problems);
        let mut constants = HashMap::new();
        for (index, Constant { name, type_, .. }) in description.constants.iter().enumerate() {
            let ty = types.resolve(type_, &mut problems);
            constants.entry(name.name).or_insert((index, ty));
        }
        let mut variables = HashMap::new();
        for Variable { name, type_, .. } in &description.variables {
            let ty = types.resolve(type_, &mut problems);
            variables.entry(name.name).or_insert(ty);
        }
        for Variable { name, type_, .. } in missing.1 {
            variables.insert(name.name, types.resolve(type_, &mut Vec::new()));
        }
        let mut drawn = HashMap::new();
        for (index, edge) in description.edges.iter().enumerate() {
            if let Label::AssignAny { values, .. } = &edge.label {
                drawn.insert(index, types.resolve(values, &mut problems));
            }
        }
        let mut built_in = HashMap::new();
        for TypeAlias { name, type_, .. } in description.built_in_types() {
            // A defect of these is one of the types that they consist of.
            built_in.insert(name.name, types.resolve(&type_, &mut Vec::new()));
        }
        for Variable { name, type_, .. } in description.built_in_variables() {
            built_in.insert(name.name, types.resolve(&type_, &mut Vec::new()));
        }
        let graph = Graph::new(description);
        Scope { description, meter, graph, types, problems, constants, variables, built_in, drawn }
    }

    /// The edges, until the budget is exhausted.
    pub fn edges(&self) -> impl Iterator<Item = &'d Edge> {
        self.description.edges.iter().take_while(|_| self.meter.has(1))
    }

    /// The text of a name.
    pub fn text(&self, name: Name) -> &'d str {
        self.description.names.text(name)
    }

    /// A type in words for a message.
    pub fn describe(&self, ty: Ty) -> String {
        self.types.describe(ty, &self.description.names)
    }

    /// The type of a name in an expression: a constant, else a variable, else the symbol.
    pub fn type_of_name(&self, name: Name) -> Ty {
        let constant = self.constants.get(&name).map(|&(_, ty)| ty);
        constant.or_else(|| self.variables.get(&name).copied()).unwrap_or(Ty::Symbol(name))
    }

    /// The symbol that a name in a value stands for; `None` if it is a map, or a constant that
    /// needs itself.
    pub fn symbol(&self, mut name: Name) -> Option<Name> {
        for _ in 0..=self.constants.len() {
            let Some(&(index, _)) = self.constants.get(&name) else { return Some(name) };
            let Value::Name(next) = self.description.constants[index].value else { return None };
            name = next.name;
        }
        None
    }

    /// Every type that is written in a statement other than a pragma.
    pub fn written_types(&self) -> impl Iterator<Item = &'d Type> {
        let Description { types, constants, variables, edges, .. } = self.description;
        let drawn = edges.iter().filter_map(|edge| match &edge.label {
            Label::AssignAny { values, .. } => Some(values),
            _ => None,
        });
        (types.iter().map(|alias| &alias.type_))
            .chain(constants.iter().map(|constant| &constant.type_))
            .chain(variables.iter().map(|variable| &variable.type_))
            .chain(drawn)
    }

    /// Every set that is written in a statement other than a pragma.
    pub fn written_sets(&self) -> impl Iterator<Item = &'d [Ident]> {
        let simple = self
            .written_types()
            .flat_map(|type_| type_.keys.iter().chain(std::iter::once(&type_.value)));
        simple.filter_map(|simple| match simple {
            SimpleType::Set(set) => Some(&set.members[..]),
            SimpleType::Named(_) => None,
        })
    }
}

/// The expressions on an edge.
pub(super) fn expressions(edge: &Edge) -> [Option<&Expr>; 2] {
    match &edge.label {
        Label::Assign { target, value } => [Some(target), Some(value)],
        Label::AssignAny { target, .. } => [Some(target), None],
        Label::Compare { left, right, .. } => [Some(left), Some(right)],
        Label::Skip | Label::Reach { .. } | Label::Tag(_) | Label::TagVariable(_) => [None, None],
    }
}

/// Visits an expression and all expressions in it.
pub(super) fn for_each_expression<'d>(expr: &'d Expr, visit: &mut impl FnMut(&'d Expr)) {
    visit(expr);
    if let Base::Cast(_, inner) = &expr.base {
        for_each_expression(inner, visit);
    }
    expr.keys.iter().for_each(|key| for_each_expression(key, visit));
}
