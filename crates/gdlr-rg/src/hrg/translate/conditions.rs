//! Conditions: edges to one node if they hold, and to another one if they do not.
//!
//! A condition that is decided before play becomes a skip edge on one side, and no edge on the
//! other.

use super::expansion::Expansion;
use super::operands::Operand;
use super::scope::Frame;
use crate::hrg::ast::{Application, Expr, ExprKind, Operator};
use crate::hrg::calls::as_call;
use crate::hrg::evaluate::{Evaluated, no_condition, not_constant};
use crate::rg::{self, Ident, Label, Name, Place};
use gdlr_text::diagnostic::{Code, Diagnostic};

/// The targets of a condition; `None` means no edge.
#[derive(Clone, Copy)]
pub(super) struct Targets {
    pub then: Option<Name>,
    pub otherwise: Option<Name>,
}

impl Targets {
    fn swapped(self) -> Targets {
        Targets { then: self.otherwise, otherwise: self.then }
    }
}

impl<'g> Expansion<'g> {
    /// The edges of a condition that leave `at`.
    pub fn condition(
        &mut self,
        frame: &Frame<'g>,
        expr: &'g Expr,
        at: Name,
        targets: Targets,
    ) -> Evaluated<()> {
        self.evaluator.step(expr.place.0)?;
        match &expr.kind {
            ExprKind::Chain { first, rest } => match (rest[0].0, &rest[..]) {
                (operator @ (Operator::And | Operator::Or), _) => {
                    let others = rest.iter().map(|(_, operand)| operand);
                    let operands: Vec<&Expr> = std::iter::once(&**first).chain(others).collect();
                    self.joined(frame, &operands, operator, at, targets)
                }
                (Operator::In, [(_, domain)]) => self.member(frame, first, domain, at, targets),
                (operator, [(_, right)]) if operator.level() == 2 => {
                    self.comparison(frame, [first, right], operator, at, targets)
                }
                _ => Err(no_condition(expr.place.0)),
            },
            ExprKind::Apply { base, to } => {
                let (ExprKind::Name(name), [Application::Arguments(arguments)]) =
                    (&base.kind, &to[..])
                else {
                    return Err(no_condition(expr.place.0));
                };
                match (self.game.names.text(*name), &arguments[..]) {
                    ("true", []) => self.decided(true, at, targets, expr.place),
                    ("false", []) => self.decided(false, at, targets, expr.place),
                    ("not", [inner]) => self.condition(frame, inner, at, targets.swapped()),
                    ("reachable", [inner]) => self.reachable(frame, inner, at, targets),
                    _ => Err(no_condition(expr.place.0)),
                }
            }
            _ => Err(no_condition(expr.place.0)),
        }
    }

    fn decided(&mut self, holds: bool, at: Name, targets: Targets, place: Place) -> Evaluated<()> {
        match if holds { targets.then } else { targets.otherwise } {
            Some(to) => self.connect(at, to, Label::Skip, place),
            None => Ok(()),
        }
    }

    /// `a && b` or `a || b`. If one side has no target, each operand has an edge of its own.
    /// Otherwise the operands are tested one after the other.
    fn joined(
        &mut self,
        frame: &Frame<'g>,
        operands: &[&'g Expr],
        operator: Operator,
        mut at: Name,
        targets: Targets,
    ) -> Evaluated<()> {
        let any = operator == Operator::Or;
        let Some((last, others)) = operands.split_last() else { return Ok(()) };
        if any && targets.otherwise.is_none() {
            return operands
                .iter()
                .try_for_each(|operand| self.condition(frame, operand, at, targets));
        }
        for operand in others {
            let next = self.naming.node(frame.graph.name.name);
            let targets = match any {
                true => Targets { otherwise: Some(next), ..targets },
                false => Targets { then: Some(next), ..targets },
            };
            self.condition(frame, operand, at, targets)?;
            if !self.is_entered(next) {
                return Ok(());
            }
            at = next;
        }
        self.condition(frame, last, at, targets)
    }

    fn comparison(
        &mut self,
        frame: &Frame<'g>,
        sides: [&Expr; 2],
        operator: Operator,
        at: Name,
        targets: Targets,
    ) -> Evaluated<()> {
        let place = Place(gdlr_text::diagnostic::Span {
            start: sides[0].place.0.start,
            end: sides[1].place.0.end,
        });
        let [left, right] = sides;
        let operands = (self.operand(frame, left)?, self.operand(frame, right)?);
        if let (Operand::Known(left), Operand::Known(right)) = &operands {
            let holds = self.evaluator.compare_values(left, operator, right, place.0)?;
            return self.decided(holds, at, targets, place);
        }
        if !matches!(operator, Operator::Equal | Operator::NotEqual) {
            let message = "in play, values can be told apart but not ordered";
            return Err(not_constant(place.0, message));
        }
        let left = self.as_expression(operands.0, left.place)?;
        let right = self.as_expression(operands.1, right.place)?;
        self.compared([left, right], operator == Operator::Equal, at, targets, place)
    }

    /// Edges for whether two sides are equal, or differ.
    fn compared(
        &mut self,
        [left, right]: [rg::Expr; 2],
        equal: bool,
        at: Name,
        targets: Targets,
        place: Place,
    ) -> Evaluated<()> {
        for (to, equal) in [(targets.then, equal), (targets.otherwise, !equal)] {
            if let Some(to) = to {
                let (left, right) = (left.clone(), right.clone());
                self.connect(at, to, Label::Compare { left, right, equal }, place)?;
            }
        }
        Ok(())
    }

    /// `e in T`
    fn member(
        &mut self,
        frame: &Frame<'g>,
        left: &Expr,
        domain: &Expr,
        mut at: Name,
        targets: Targets,
    ) -> Evaluated<()> {
        let set = self.evaluator.domain(domain)?;
        let read = match self.operand(frame, left)? {
            Operand::Known(value) => {
                return self.decided(set.contains(&value), at, targets, left.place);
            }
            Operand::Read(read) => read,
        };
        // Without a target for failure, all comparisons begin at one node.
        for (index, value) in set.values.iter().enumerate() {
            let next = match targets.otherwise {
                Some(_) if index + 1 < set.values.len() => {
                    Some(self.naming.node(frame.graph.name.name))
                }
                otherwise => otherwise,
            };
            let name = self.symbol(value, left.place.0)?;
            let symbol = Ident { name, place: left.place };
            let targets = Targets { otherwise: next, ..targets };
            self.compared([read.clone(), symbol.into()], true, at, targets, left.place)?;
            at = next.unwrap_or(at);
        }
        Ok(())
    }

    /// `reachable(g(…))`
    fn reachable(
        &mut self,
        frame: &Frame<'g>,
        call: &'g Expr,
        at: Name,
        targets: Targets,
    ) -> Evaluated<()> {
        let Some((graph, arguments)) = as_call(call) else {
            let message = "what is `reachable` is the end of a graph: `reachable(g(…))`";
            return Err(Box::new(Diagnostic::new(Code::HrgCondition, call.place.0, message)));
        };
        let (from, target) = self.check_of(frame, graph, arguments, call.place)?;
        for (to, negated) in [(targets.then, false), (targets.otherwise, true)] {
            if let Some(to) = to {
                let place = call.place;
                let label = Label::Reach {
                    from: Ident { name: from, place },
                    to: Ident { name: target, place },
                    negated,
                };
                self.connect(at, to, label, place)?;
            }
        }
        Ok(())
    }
}
