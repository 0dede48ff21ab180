//! Statements: names, calls, and unreachable statements.

use super::scope::{Checker, DEFINITION, GRAPH};
use crate::hrg::ast::{Action, Expr, Graph, Statement};
use crate::hrg::calls::JUMPS;
use crate::rg::{Ident, Name, Place, SimpleType, Type};
use gdlr_text::diagnostic::{Code, Diagnostic};

impl<'g> Checker<'g> {
    pub fn graphs(&mut self) {
        let game = self.game;
        for graph in &game.graphs {
            self.duplicates("parameter", graph.parameters.iter().map(|it| it.name));
            graph.parameters.iter().for_each(|parameter| self.type_(&parameter.type_));
            let text = self.text(graph.name.name);
            if JUMPS.contains(&text) || text == "check" {
                let message = format!("`{text}` is a statement of the language, and no graph");
                self.report(Code::HrgDuplicate, graph.name, message);
            }
            let mut bound: Vec<Name> = graph.parameters.iter().map(|it| it.name.name).collect();
            self.statements(&graph.body, &mut bound, false);
        }
        self.rules();
    }

    fn rules(&mut self) {
        let rules: Option<&Graph> =
            self.game.names.get("rules").and_then(|name| self.graphs.get(&name)).copied();
        match rules {
            None => self.findings.report(Code::HrgNoRules, || {
                let message = "there is no graph `rules`, where a game begins";
                Diagnostic::new(Code::HrgNoRules, Default::default(), message)
            }),
            Some(graph) => {
                self.used[GRAPH].insert(graph.name.name);
                if !graph.parameters.is_empty() {
                    let message = "`rules` has no parameters: nobody calls it".to_owned();
                    self.report(Code::HrgArity, graph.name, message);
                }
            }
        }
    }

    fn statements(&mut self, statements: &'g [Statement], bound: &mut Vec<Name>, in_loop: bool) {
        for (index, statement) in statements.iter().enumerate() {
            self.statement(statement, bound, in_loop);
            if let (Some(jump), Some(next)) = (self.jump(statement), statements.get(index + 1)) {
                self.findings.report(Code::HrgBehindJump, || {
                    let message = format!("nothing is done behind `{jump}()`");
                    Diagnostic::new(Code::HrgBehindJump, next.place.0, message)
                        .with_related(statement.place.0, "here the block is left")
                });
                break;
            }
        }
    }

    /// The name of the jump out of a block, if the statement is one.
    fn jump(&self, statement: &Statement) -> Option<&'g str> {
        match &statement.action {
            Action::Call { graph, .. } => {
                Some(self.text(graph.name)).filter(|text| JUMPS.contains(text))
            }
            _ => None,
        }
    }

    fn statement(&mut self, statement: &'g Statement, bound: &mut Vec<Name>, in_loop: bool) {
        match &statement.action {
            Action::Assign { target, keys, value } => {
                self.target(*target, keys, bound);
                self.graph_expr(value, bound);
            }
            Action::AssignAny { target, keys, values } => {
                self.target(*target, keys, bound);
                self.type_(values);
            }
            Action::Branch(arms) => {
                arms.iter().for_each(|arm| self.statements(arm, bound, in_loop));
            }
            Action::BranchIn { variable, values, body } => {
                self.for_values(*variable, values, body, bound, in_loop);
            }
            Action::RepeatIn { variable, values, body } => {
                self.for_values(*variable, values, body, bound, true);
            }
            Action::Repeat { body, .. } | Action::Loop(body) => self.statements(body, bound, true),
            Action::While { condition, body } => {
                self.graph_expr(condition, bound);
                self.statements(body, bound, true);
            }
            Action::If { arms, otherwise } => {
                for (condition, body) in arms {
                    self.graph_expr(condition, bound);
                    self.statements(body, bound, in_loop);
                }
                if let Some(body) = otherwise {
                    self.statements(body, bound, in_loop);
                }
            }
            Action::Call { graph, arguments } => {
                self.call(*graph, arguments, statement.place, in_loop);
                arguments.iter().for_each(|argument| self.graph_expr(argument, bound));
            }
            Action::Tag { .. } => {}
            Action::TagVariable(variable) => {
                let is_known = bound.contains(&variable.name) || self.is_definition(*variable);
                if !is_known {
                    self.unknown(Code::HrgUnknownName, *variable, "variable");
                }
            }
        }
    }

    fn is_definition(&mut self, name: Ident) -> bool {
        let is_defined =
            self.variables.contains(&name.name) || self.functions.contains_key(&name.name);
        if is_defined {
            self.used[DEFINITION].insert(name.name);
        }
        is_defined
    }

    fn target(&mut self, target: Ident, keys: &'g [Expr], bound: &mut Vec<Name>) {
        if !bound.contains(&target.name) && !self.variables.contains(&target.name) {
            let text = self.text(target.name);
            match self.is_symbol(target.name) || self.functions.contains_key(&target.name) {
                true => {
                    let message = format!("`{text}` is no variable, and cannot be assigned to");
                    self.report(Code::HrgNotAVariable, target, message);
                }
                false => self.unknown(Code::HrgUnknownName, target, "variable"),
            }
        }
        keys.iter().for_each(|key| self.graph_expr(key, bound));
    }

    fn for_values(
        &mut self,
        variable: Ident,
        values: &'g Type,
        body: &'g [Statement],
        bound: &mut Vec<Name>,
        in_loop: bool,
    ) {
        self.type_(values);
        if let SimpleType::Set(set) = &values.value {
            for member in &set.members {
                let name = member.name;
                let is_graph = self.graphs.contains_key(&name);
                if is_graph {
                    self.used[GRAPH].insert(name);
                }
                let is_known = is_graph | self.is_definition(*member);
                if !is_known && !bound.contains(&name) && !self.is_symbol(name) {
                    self.unknown(Code::HrgUnknownName, *member, "variable, function or symbol");
                }
            }
        }
        bound.push(variable.name);
        self.statements(body, bound, in_loop);
        bound.pop();
    }

    fn call(&mut self, graph: Ident, arguments: &[Expr], place: Place, in_loop: bool) {
        let (text, given) = (self.text(graph.name), arguments.len());
        match text {
            "check" if given != 1 => {
                let message =
                    format!("`check` has one argument, a condition, and is called with {given}");
                self.report(Code::HrgArity, graph, message);
            }
            "check" => {}
            "break" | "continue" if !in_loop => {
                let message = format!("`{text}()` stands in no loop");
                self.report(Code::HrgOutsideLoop, graph, message);
            }
            _ if JUMPS.contains(&text) => {
                if given > 0 {
                    let message = format!("`{text}()` has no arguments");
                    self.report(Code::HrgArity, graph, message);
                }
            }
            _ => self.graph_call(graph, given, place),
        }
    }

    /// Checks the graph of a call, and its number of arguments.
    pub fn graph_call(&mut self, graph: Ident, given: usize, place: Place) {
        self.used[GRAPH].insert(graph.name);
        let Some(called) = self.graphs.get(&graph.name) else {
            return self.unknown(Code::HrgUnknownGraph, graph, "graph");
        };
        let (wanted, declared) = (called.parameters.len(), called.name.place.0);
        if wanted != given {
            let text = self.text(graph.name);
            self.findings.report(Code::HrgArity, || {
                let parameters = if wanted == 1 { "parameter" } else { "parameters" };
                let message =
                    format!("`{text}` has {wanted} {parameters}, and is called with {given}");
                Diagnostic::new(Code::HrgArity, place.0, message)
                    .with_related(declared, "the graph")
            });
        }
    }
}
