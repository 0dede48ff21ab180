//! Expressions of graphs: values that are known before play, or expressions of the automaton.

use super::expansion::{ConstantLookup, Expansion};
use super::scope::{Frame, Meaning};
use crate::hrg::ast::{Application, Expr, ExprKind};
use crate::hrg::evaluate::Evaluated;
use crate::hrg::value::Value;
use crate::rg::{self, Ident, Place};
use gdlr_text::diagnostic::{Code, Diagnostic};

/// An operand: a known value, or an expression of the automaton.
pub(super) enum Operand {
    Known(Value),
    Read(rg::Expr),
}

impl<'g> Expansion<'g> {
    /// The operand of an expression, which is evaluated if possible.
    pub fn operand(&mut self, frame: &Frame<'g>, expr: &Expr) -> Evaluated<Operand> {
        match &expr.kind {
            ExprKind::Name(name) => Ok(match self.meaning(frame, *name) {
                Meaning::Known(value) => Operand::Known(value),
                Meaning::Function(name) | Meaning::Variable(name) => {
                    Operand::Read(Ident { name, place: expr.place }.into())
                }
            }),
            ExprKind::Apply { base, to } => {
                let read = match self.operand(frame, base)? {
                    Operand::Read(read) => read,
                    Operand::Known(value) => {
                        let text = value.text(self.game);
                        let message = format!("`{text}` is neither a function nor a map");
                        return Err(Box::new(Diagnostic::new(
                            Code::HrgUnknownName,
                            base.place.0,
                            message,
                        )));
                    }
                };
                self.accessed(frame, read, to, expr.place)
            }
            ExprKind::Constructor { .. }
            | ExprKind::If { .. }
            | ExprKind::Map { .. }
            | ExprKind::Chain { .. } => {
                let lookup = ConstantLookup { expansion: self, frame };
                Ok(Operand::Known(self.evaluator.eval(expr, &lookup)?))
            }
        }
    }

    fn accessed(
        &mut self,
        frame: &Frame<'g>,
        mut read: rg::Expr,
        to: &[Application],
        place: Place,
    ) -> Evaluated<Operand> {
        for application in to {
            let keys = match application {
                Application::Key(key) => std::slice::from_ref(key),
                Application::Arguments(arguments) => arguments,
            };
            for key in keys {
                let key = self.expression(frame, key)?;
                read.keys.push(key);
            }
        }
        read.place = place;
        Ok(Operand::Read(read))
    }

    /// An expression of the automaton.
    pub fn expression(&mut self, frame: &Frame<'g>, expr: &Expr) -> Evaluated<rg::Expr> {
        let operand = self.operand(frame, expr)?;
        self.as_expression(operand, expr.place)
    }

    /// An operand as an expression of the automaton.
    pub fn as_expression(&mut self, operand: Operand, place: Place) -> Evaluated<rg::Expr> {
        match operand {
            Operand::Read(read) => Ok(read),
            Operand::Known(Value::Map(_)) => {
                let message = "a map stands where only values of variables and symbols can";
                Err(Box::new(
                    Diagnostic::new(Code::HrgNotConstant, place.0, message)
                        .with_help("declare a variable with this value, and never change it"),
                ))
            }
            Operand::Known(value) => {
                let name = self.symbol(&value, place.0)?;
                Ok(Ident { name, place }.into())
            }
        }
    }
}
