//! Calls of graphs: the call becomes a copy of the graph, or shares a copy with other calls.
//!
//! An argument that is known before play, or that names a function, replaces its parameter, unless
//! the graph assigns to the parameter. A variable holds any other argument.
//!
//! All checks `reachable(…)` with the same known arguments share a copy, since walks end there. The
//! calls of a `reusable` graph share a copy, too: a variable holds the return address, and edges
//! after the copy compare it.

use super::expansion::{Address, Copy, CopyKey, Expansion};
use super::operands::Operand;
use super::scope::{Frame, Meaning, Parameter};
use crate::hrg::ast::{Expr, Graph};
use crate::hrg::domains::Set;
use crate::hrg::evaluate::Evaluated;
use crate::hrg::value::Value;
use crate::rg::{self, Base, Ident, Label, Name, Place, SimpleType, SymbolSet, TypeAlias};
use gdlr_text::diagnostic::{Code, Diagnostic};
use std::rc::Rc;

/// The arguments of a call, as its copy gets them.
struct CallArguments {
    parameters: Vec<Parameter>,
    /// The variables of parameters, each with its argument.
    assignments: Vec<(Name, rg::Expr)>,
}

impl<'g> Expansion<'g> {
    /// Expands a call that is a statement.
    pub fn call(
        &mut self,
        frame: &Frame<'g>,
        graph: Ident,
        arguments: &'g [Expr],
        place: Place,
        at: Name,
        to: Name,
    ) -> Evaluated<()> {
        let graph = self.graph(graph)?;
        let call_arguments = self.call_arguments(frame, graph, arguments, place)?;
        if !graph.reusable {
            let at = self.assign_all(frame, at, call_arguments.assignments, place)?;
            return self.expand(graph, call_arguments.parameters, frame.end, to, at, to, place);
        }
        let end = self.calls.may_end(graph.name.name).then_some(frame.end);
        let (name, parameters) = (graph.name.name, call_arguments.parameters);
        let key = CopyKey { graph: name, end, check: false, parameters };
        let copy = self.copy(graph, key, frame.end, place)?;
        let Some(address) = copy.address else { return Ok(()) };
        let text = format!("{}_call", self.game.names.text(name));
        let from = self.naming.fresh(&text);
        self.addresses[address].calls.push(from);
        let variable = self.addresses[address].variable;
        let (target, value) = (Ident { name: variable, place }, Ident { name: from, place });
        let set = self.naming.node(frame.graph.name.name);
        let label = Label::Assign { target: target.into(), value: value.into() };
        self.connect(at, set, label, place)?;
        let at = self.assign_all(frame, set, call_arguments.assignments, place)?;
        self.connect(at, copy.begin, Label::Skip, place)?;
        if self.is_entered(copy.end) {
            let label = Label::Compare { left: target.into(), right: value.into(), equal: true };
            self.connect(copy.end, to, label, place)?;
        }
        Ok(())
    }

    /// The nodes where the walks of `reachable(g(…))` begin and end.
    pub fn check_of(
        &mut self,
        frame: &Frame<'g>,
        graph: Ident,
        arguments: &'g [Expr],
        place: Place,
    ) -> Evaluated<(Name, Name)> {
        let name = match self.meaning(frame, graph.name) {
            Meaning::Known(Value::Symbol(name)) => name,
            _ => graph.name,
        };
        let graph = self.graph(Ident { name, ..graph })?;
        let CallArguments { parameters, assignments } =
            self.call_arguments(frame, graph, arguments, place)?;
        let name = graph.name.name;
        let key = CopyKey { graph: name, end: None, check: true, parameters };
        let copy = self.copy(graph, key, frame.end, place)?;
        if assignments.is_empty() {
            return Ok((copy.begin, copy.end));
        }
        let begin = self.naming.node(name);
        let at = self.assign_all(frame, begin, assignments, place)?;
        self.connect(at, copy.begin, Label::Skip, place)?;
        Ok((begin, copy.end))
    }

    fn graph(&self, name: Ident) -> Evaluated<&'g Graph> {
        self.graphs.get(&name.name).copied().ok_or_else(|| {
            let message = format!("there is no graph `{}`", self.game.names.text(name.name));
            Box::new(Diagnostic::new(Code::HrgUnknownGraph, name.place.0, message))
        })
    }

    /// The shared copy of a graph, which is made if it is new.
    fn copy(
        &mut self,
        graph: &'g Graph,
        key: CopyKey,
        end_of_frame: Name,
        place: Place,
    ) -> Evaluated<Copy> {
        if let Some(copy) = self.copies.get(&key) {
            return Ok(*copy);
        }
        let name = graph.name.name;
        let (begin, end) = (self.naming.node(name), self.naming.node(name));
        let address = (!key.check).then(|| self.address(graph));
        let copy = Copy { begin, end, address };
        self.enter(begin);
        let (check, parameters) = (key.check, key.parameters.clone());
        self.copies.insert(key, copy);
        let ends_at = if check { end } else { end_of_frame };
        self.expand(graph, parameters, ends_at, end, begin, end, place)?;
        Ok(copy)
    }

    /// Adds a return address.
    fn address(&mut self, graph: &Graph) -> usize {
        let text = self.game.names.text(graph.name.name);
        let type_ = self.naming.fresh(&format!("{text}_calls"));
        let variable = self.naming.fresh(&format!("{text}_caller"));
        self.addresses.push(Address { type_, variable, calls: Vec::new() });
        self.addresses.len() - 1
    }

    /// Declares the types and variables of return addresses, after all calls are known.
    pub fn declare_addresses(&mut self) {
        let place = Place::default();
        for Address { type_, variable, calls } in std::mem::take(&mut self.addresses) {
            let Some(first) = calls.first() else { continue };
            let initial = rg::Value::Name((*first).into());
            let members = calls.into_iter().map(Ident::from).collect();
            let set = SimpleType::Set(SymbolSet { members, place });
            let alias = TypeAlias { name: type_.into(), type_: set.into(), place };
            self.description.types.push(alias);
            let type_ = SimpleType::Named(type_.into()).into();
            let variable = rg::Variable { name: variable.into(), type_, initial, place };
            self.description.variables.push(variable);
        }
    }

    /// Expands the statements of a graph, from `at` to `to`.
    #[allow(clippy::too_many_arguments, reason = "they are the ends of what is expanded")]
    fn expand(
        &mut self,
        graph: &'g Graph,
        parameters: Vec<Parameter>,
        end: Name,
        back: Name,
        at: Name,
        to: Name,
        place: Place,
    ) -> Evaluated<()> {
        *self.expanded.entry(graph.name.name).or_insert(0) += 1;
        let mut callee = Frame { graph, parameters, locals: Vec::new(), end, back };
        self.deeper(place, |this| this.block(&mut callee, &graph.body, at, to, None))
    }

    fn call_arguments(
        &mut self,
        frame: &Frame<'g>,
        graph: &'g Graph,
        arguments: &'g [Expr],
        place: Place,
    ) -> Evaluated<CallArguments> {
        let mut call_arguments = CallArguments { parameters: Vec::new(), assignments: Vec::new() };
        if arguments.len() != graph.parameters.len() {
            let (wanted, given) = (graph.parameters.len(), arguments.len());
            let text = self.game.names.text(graph.name.name);
            let message = format!("`{text}` has {wanted} parameters, and is called with {given}");
            return Err(Box::new(Diagnostic::new(Code::HrgArity, place.0, message)));
        }
        for (index, argument) in arguments.iter().enumerate() {
            let operand = self.operand(frame, argument)?;
            if let Some(value) = self.known(graph, index, argument, &operand)? {
                call_arguments.parameters.push(Parameter::Known(value));
                continue;
            }
            let value = self.as_expression(operand, argument.place)?;
            let variable = self.stored(graph, index)?;
            if call_arguments.assignments.iter().any(|(assigned, _)| mentions(&value, *assigned)) {
                let message = "this argument reads a parameter that the call has changed already";
                let place = argument.place.0;
                return Err(Box::new(
                    Diagnostic::new(Code::HrgRecursion, place, message)
                        .with_help("keep its value in a variable before the call"),
                ));
            }
            call_arguments.parameters.push(Parameter::Stored(variable));
            // A parameter that is its own argument stays as it is.
            if value.as_name().map(|name| name.name) != Some(variable) {
                call_arguments.assignments.push((variable, value));
            }
        }
        Ok(call_arguments)
    }

    /// The value that can replace a parameter.
    fn known(
        &mut self,
        graph: &'g Graph,
        index: usize,
        argument: &Expr,
        operand: &Operand,
    ) -> Evaluated<Option<Value>> {
        let parameter = &graph.parameters[index];
        let value = match operand {
            Operand::Known(value) => value.clone(),
            Operand::Read(read) => match read.as_name() {
                Some(name) if self.evaluator.function(name.name).is_some() => {
                    self.same_type(graph, index, name.name, argument)?;
                    Value::Symbol(name.name)
                }
                _ => return Ok(None),
            },
        };
        if let SimpleType::Set(set) = &parameter.type_.value {
            self.evaluator.take_steps(set.members.len(), argument.place.0)?;
        }
        let shape = self.evaluator.domains.shape(&parameter.type_)?;
        if let Operand::Known(_) = operand
            && !(shape.keys.is_empty() && shape.value.contains(&value))
        {
            let (name, value) = (self.game.names.text(parameter.name.name), value.text(self.game));
            let message = format!("`{value}` is no value of the parameter `{name}`");
            return Err(Box::new(
                Diagnostic::new(Code::HrgOutOfDomain, argument.place.0, message)
                    .with_related(parameter.type_.span(), "its type"),
            ));
        }
        let assigned = self.calls.assigns(graph.name.name, parameter.name.name);
        Ok((!assigned).then_some(value))
    }

    /// Refuses a function whose arguments or values cannot be those of the parameter.
    fn same_type(
        &self,
        graph: &Graph,
        index: usize,
        function: Name,
        argument: &Expr,
    ) -> Evaluated<()> {
        let Some(function) = self.evaluator.function(function) else { return Ok(()) };
        let parameter = &graph.parameters[index];
        let given = self.evaluator.domains.shape(&function.type_)?;
        let wanted = self.evaluator.domains.shape(&parameter.type_)?;
        let meet = |(left, right): (&Rc<Set>, &Rc<Set>)| {
            left.values.iter().any(|value| right.contains(value))
        };
        let keys = given.keys.iter().zip(&wanted.keys);
        let agree = given.keys.len() == wanted.keys.len()
            && keys.chain([(&given.value, &wanted.value)]).all(meet);
        if agree {
            return Ok(());
        }
        let message = format!(
            "the function `{}` is not of the type of the parameter `{}`",
            self.game.names.text(function.name.name),
            self.game.names.text(parameter.name.name)
        );
        Err(Box::new(
            Diagnostic::new(Code::HrgType, argument.place.0, message)
                .with_related(function.type_.span(), "the type of the function")
                .with_related(parameter.type_.span(), "the type of the parameter"),
        ))
    }

    /// The variable that holds a parameter.
    fn stored(&mut self, graph: &'g Graph, index: usize) -> Evaluated<Name> {
        if let Some(name) = self.stored.get(&(graph.name.name, index)) {
            return Ok(*name);
        }
        let parameter = &graph.parameters[index];
        let shape = self.evaluator.domains.shape(&parameter.type_)?;
        let place = parameter.name.place;
        let initial = self.first_value(&shape, place)?;
        let names = &self.game.names;
        let text = format!("{}_{}", names.text(graph.name.name), names.text(parameter.name.name));
        let name = self.naming.fresh(&text);
        let type_ = parameter.type_.clone();
        let variable = rg::Variable { name: Ident { name, place }, type_, initial, place };
        self.description.variables.push(variable);
        self.stored.insert((graph.name.name, index), name);
        Ok(name)
    }

    /// Adds assignments in a row. Returns the node after them.
    fn assign_all(
        &mut self,
        frame: &Frame<'g>,
        mut at: Name,
        assignments: Vec<(Name, rg::Expr)>,
        place: Place,
    ) -> Evaluated<Name> {
        for (variable, value) in assignments {
            let next = self.naming.node(frame.graph.name.name);
            let target = Ident { name: variable, place }.into();
            self.connect(at, next, Label::Assign { target, value }, place)?;
            at = next;
        }
        Ok(at)
    }
}

/// Whether an expression reads a variable.
fn mentions(expr: &rg::Expr, variable: Name) -> bool {
    let base = match &expr.base {
        Base::Name(name) => name.name == variable,
        Base::Cast(_, inner) => mentions(inner, variable),
    };
    base || expr.keys.iter().any(|key| mentions(key, variable))
}
