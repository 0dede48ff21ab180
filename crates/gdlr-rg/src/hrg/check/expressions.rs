//! Names in expressions.

use super::scope::{Checker, DEFINITION};
use crate::hrg::ast::{Application, Expr, ExprKind, MapPart, Operator, Pattern};
use crate::hrg::calls::as_call;
use crate::rg::{Ident, Name};
use gdlr_text::diagnostic::{Code, Diagnostic};

/// The position of an expression.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stands {
    /// A function or an initial value, where variables have no values.
    BeforePlay,
    /// A graph.
    InPlay,
}

impl<'g> Checker<'g> {
    /// An expression whose value must be known before play.
    pub fn constant_expr(&mut self, expr: &'g Expr, bound: &mut Vec<Name>) {
        self.expr(expr, bound, Stands::BeforePlay);
    }

    /// An expression of a graph, whose parameters and local names are bound.
    pub fn graph_expr(&mut self, expr: &'g Expr, bound: &mut Vec<Name>) {
        self.expr(expr, bound, Stands::InPlay);
    }

    fn expr(&mut self, expr: &'g Expr, bound: &mut Vec<Name>, stands: Stands) {
        match &expr.kind {
            ExprKind::Name(name) => {
                self.name(Ident { name: *name, place: expr.place }, bound, stands);
            }
            ExprKind::Constructor { name, arguments } => {
                self.constructor(*name, arguments.len());
                arguments.iter().for_each(|argument| self.expr(argument, bound, stands));
            }
            ExprKind::Apply { base, to } => self.apply(base, to, bound, stands),
            ExprKind::If { arms, otherwise } => {
                for (condition, value) in arms {
                    self.expr(condition, bound, stands);
                    self.expr(value, bound, stands);
                }
                self.expr(otherwise, bound, stands);
            }
            ExprKind::Map { default, parts } => {
                if let Some(default) = default {
                    self.expr(default, bound, stands);
                }
                parts.iter().for_each(|part| self.part(part, bound, stands));
            }
            ExprKind::Chain { first, rest } => {
                self.expr(first, bound, stands);
                for (operator, operand) in rest {
                    match (operator, &operand.kind) {
                        (Operator::In, ExprKind::Name(name)) => {
                            self.domain_name(Ident { name: *name, place: operand.place });
                        }
                        _ => self.expr(operand, bound, stands),
                    }
                }
            }
        }
    }

    fn apply(
        &mut self,
        base: &'g Expr,
        to: &'g [Application],
        bound: &mut Vec<Name>,
        stands: Stands,
    ) {
        if let (ExprKind::Name(name), [Application::Arguments(arguments), ..]) = (&base.kind, to)
            && !bound.contains(name)
        {
            match self.text(*name) {
                "true" | "false" | "not" if !self.functions.contains_key(name) => {
                    arguments.iter().for_each(|argument| self.expr(argument, bound, stands));
                    return;
                }
                "reachable" => {
                    arguments.iter().for_each(|argument| self.reachable(argument, bound));
                    return;
                }
                _ => {}
            }
        }
        match base.kind {
            ExprKind::Name(name) => {
                let ident = Ident { name, place: base.place };
                let is_known = bound.contains(&name)
                    || self.functions.contains_key(&name)
                    || self.variables.contains(&name);
                match is_known {
                    true => self.name(ident, bound, stands),
                    false => self.unknown(Code::HrgUnknownName, ident, "function or map"),
                }
            }
            _ => self.expr(base, bound, stands),
        }
        for application in to {
            match application {
                Application::Key(key) => self.expr(key, bound, stands),
                Application::Arguments(arguments) => {
                    arguments.iter().for_each(|argument| self.expr(argument, bound, stands));
                }
            }
        }
    }

    fn reachable(&mut self, call: &'g Expr, bound: &mut Vec<Name>) {
        match as_call(call) {
            Some((graph, arguments)) => {
                // A local name may stand for a graph.
                if !bound.contains(&graph.name) {
                    self.graph_call(graph, arguments.len(), call.place);
                }
                arguments.iter().for_each(|argument| self.graph_expr(argument, bound));
            }
            None => self.findings.report(Code::HrgCondition, || {
                let message = "what is `reachable` is the end of a graph: `reachable(g(…))`";
                Diagnostic::new(Code::HrgCondition, call.place.0, message)
            }),
        }
    }

    fn part(&mut self, part: &'g MapPart, bound: &mut Vec<Name>, stands: Stands) {
        self.ranges(&part.ranges);
        let outer = bound.len();
        bound.extend(part.ranges.iter().map(|range| range.variable.name));
        self.key(&part.key, bound);
        self.expr(&part.value, bound, stands);
        bound.truncate(outer);
    }

    fn key(&mut self, key: &'g Pattern, bound: &[Name]) {
        match key {
            Pattern::Any(_) => {}
            Pattern::Name(name) if self.is_upper(name.name) => {
                if !bound.contains(&name.name) {
                    let text = self.text(name.name);
                    let message = format!("nothing says which values `{text}` has");
                    self.findings.report(Code::HrgPatternVariable, || {
                        Diagnostic::new(Code::HrgPatternVariable, name.place.0, message)
                            .with_help(format!("add `where {text} in 0..9` behind the value"))
                    });
                }
            }
            Pattern::Name(name) => {
                if !self.is_symbol(name.name) {
                    self.unknown(Code::HrgUnknownName, *name, "symbol");
                }
            }
            Pattern::Constructor { constructor, arguments, .. } => {
                self.constructor(*constructor, arguments.len());
                arguments.iter().for_each(|argument| self.key(argument, bound));
            }
        }
    }

    fn name(&mut self, name: Ident, bound: &[Name], stands: Stands) {
        if bound.contains(&name.name) {
            return;
        }
        let is_definition =
            self.functions.contains_key(&name.name) || self.variables.contains(&name.name);
        if is_definition {
            self.used[DEFINITION].insert(name.name);
        }
        let is_variable = self.variables.contains(&name.name);
        if self.is_symbol(name.name)
            || is_definition && !(is_variable && stands == Stands::BeforePlay)
        {
            return;
        }
        if is_variable {
            let text = self.text(name.name);
            let message = format!("the variable `{text}` has no value before play");
            self.report(Code::HrgNotConstant, name, message);
        } else {
            self.unknown(Code::HrgUnknownName, name, "variable, function or symbol");
        }
    }
}
