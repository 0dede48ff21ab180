//! Effects: their calls, and their statements.

use super::values::Value;
use super::{Bindings, Resolved, Resolver};
use crate::abg::ast::{self, Call, Expr, VariableKind, Word};
use crate::abg::game::{Condition, Effect, Square, Standing, Statement};
use gdlr_text::diagnostic::{Code, Span};

impl<'a> Resolver<'a> {
    /// The effect of a letter without a name: the piece moves, unless the game defines `Default`.
    pub fn default_effect(&mut self) -> Resolved<Effect> {
        let Some(definition) = self.scope.effect("Default") else {
            return Ok(Effect { name: None, moves: true, body: Vec::new() });
        };
        let (moves, body) = self.body(&definition.body, Bindings::NONE)?;
        Ok(Effect { name: None, moves, body })
    }

    /// The effect of a letter with a name.
    pub fn effect_call(&mut self, call: &'a Call, bindings: Bindings<'_>) -> Resolved<Effect> {
        if &*call.name.text == "Default" {
            return self.default_effect();
        }
        let Some(definition) = self.scope.effect(&call.name.text) else {
            return self.unknown_effect(&call.name);
        };
        let values = self.arguments(call, definition.parameters.len(), bindings)?;
        let bindings = Bindings { names: &definition.parameters, values: &values };
        let (moves, body) = self.body(&definition.body, bindings)?;
        // A name replaces the step, and a call adds to it, unless the game says otherwise.
        let replaces = self.tree.replace.unwrap_or(call.arguments.is_none());
        let mut name = call.name.text.to_string();
        for value in &values {
            name += &match value {
                Value::Number(crate::abg::game::Number::Constant(number)) => match number {
                    0.. => format!("_{number}"),
                    _ => format!("_minus{}", number.unsigned_abs()),
                },
                Value::Piece(piece) => format!("_{}", self.scope.pieces[*piece].0),
                _ => "_".to_owned(),
            };
        }
        Ok(Effect { name: Some(name.into()), moves: moves || !replaces, body })
    }

    /// Whether the statements begin with `move`, and the statements after it.
    fn body(
        &mut self,
        body: &'a [ast::Statement],
        bindings: Bindings<'_>,
    ) -> Resolved<(bool, Vec<Statement>)> {
        let (moves, rest) = match body {
            [ast::Statement::Move(_), rest @ ..] => (true, rest),
            rest => (false, rest),
        };
        let before = std::mem::replace(&mut self.in_effect, true);
        let statements = self.statements(rest, bindings);
        self.in_effect = before;
        Ok((moves, statements?))
    }

    pub fn statements(
        &mut self,
        statements: &'a [ast::Statement],
        bindings: Bindings<'_>,
    ) -> Resolved<Vec<Statement>> {
        let mut resolved = Vec::new();
        let mut whole = Ok(());
        for statement in statements {
            match self.statement(statement, bindings) {
                Ok(mut statements) => resolved.append(&mut statements),
                Err(error) => whole = Err(error),
            }
        }
        whole.map(|()| resolved)
    }

    fn statement(
        &mut self,
        statement: &'a ast::Statement,
        bindings: Bindings<'_>,
    ) -> Resolved<Vec<Statement>> {
        let one = match statement {
            ast::Statement::Move(span) => {
                let help = "let it be the first statement of the effect";
                return self.error(Code::AbgKind, *span, "`move` stands behind others", help);
            }
            ast::Statement::Put(value) => {
                self.needs_square(value.span)?;
                Statement::Put(Square::Here, self.standing(value, bindings)?)
            }
            ast::Statement::Board(x, y, value) => {
                let x = self.number(x, bindings);
                let y = self.number(y, bindings);
                let standing = self.standing(value, bindings);
                Statement::Put(self.square_of(x?, y?), standing?)
            }
            ast::Statement::Assign(name, value) => return self.assign(name, value, bindings),
            ast::Statement::If(condition, holds, otherwise) => {
                self.enter(condition.span)?;
                let condition = self.condition(condition, bindings);
                let holds = self.statements(holds, bindings);
                let otherwise = self.statements(otherwise, bindings);
                self.depth -= 1;
                match condition? {
                    Condition::Constant(true) => return holds,
                    Condition::Constant(false) => return otherwise,
                    condition => Statement::If(condition, holds?, otherwise?),
                }
            }
        };
        Ok(vec![one])
    }

    fn standing(&mut self, value: &'a Expr, bindings: Bindings<'_>) -> Resolved<Standing> {
        match self.value(value, bindings)? {
            Value::Piece(piece) => Ok(Standing::Piece(piece)),
            Value::Standing(square) => Ok(Standing::At(square)),
            other => self.mismatch(&other, "a piece", value.span),
        }
    }

    fn assign(
        &mut self,
        name: &'a Word,
        value: &'a Expr,
        bindings: Bindings<'_>,
    ) -> Resolved<Vec<Statement>> {
        let Some(variable) = self.scope.variable(&name.text) else {
            return self.unknown_variable(name);
        };
        let resolved = self.value(value, bindings)?;
        if self.tree.variables[variable].kind == VariableKind::Square {
            let square = self.as_square(resolved, value.span)?;
            return Ok(vec![Statement::Square(variable, square)]);
        }
        if let Value::Condition(condition) = &resolved
            && !matches!(condition, Condition::Constant(_))
        {
            // Truth is 1, falsehood 0.
            let set = |number| {
                let number = crate::abg::game::Number::Constant(number);
                vec![Statement::Number(variable, number)]
            };
            for number in [0, 1] {
                self.assignments.push((variable, crate::abg::game::Number::Constant(number)));
            }
            return Ok(vec![Statement::If(condition.clone(), set(1), set(0))]);
        }
        let number = self.as_number(resolved, value.span)?;
        self.assignments.push((variable, number.clone()));
        Ok(vec![Statement::Number(variable, number)])
    }

    /// The initial value of a variable of numbers.
    pub fn initial_number(&mut self, value: &'a Expr) -> Resolved<i64> {
        let resolved = self.value(value, Bindings::NONE)?;
        self.as_constant(resolved, value.span)
    }

    /// The initial value of a variable of squares.
    pub fn initial_square(&mut self, value: &'a Expr) -> Resolved<Option<usize>> {
        let resolved = self.value(value, Bindings::NONE)?;
        match self.as_square(resolved, value.span)? {
            Square::Fixed(square) => Ok(square),
            _ => self.not_known(value.span),
        }
    }

    fn not_known<T>(&mut self, span: Span) -> Resolved<T> {
        self.error(Code::AbgKind, span, "this is not known before play", "write `none`")
    }
}
