//! Expressions: names, calls, operators.

use super::values::Value;
use super::{Bindings, Resolved, Resolver};
use crate::abg::ast::{Body, Call, Definition, Expr, ExprKind, Operator, Sentence};
use crate::abg::game::{Arithmetic, Comparison, Condition, Number, Pieces, Square};
use gdlr_text::diagnostic::{Code, Span};
use std::rc::Rc;

impl<'a> Resolver<'a> {
    pub fn value(&mut self, expr: &'a Expr, bindings: Bindings<'_>) -> Resolved<Value> {
        self.enter(expr.span)?;
        let value = self.value_within(expr, bindings);
        self.depth -= 1;
        value
    }

    pub fn condition(&mut self, expr: &'a Expr, bindings: Bindings<'_>) -> Resolved<Condition> {
        let value = self.value(expr, bindings)?;
        self.as_condition(value, expr.span)
    }

    pub fn number(&mut self, expr: &'a Expr, bindings: Bindings<'_>) -> Resolved<Number> {
        let value = self.value(expr, bindings)?;
        self.as_number(value, expr.span)
    }

    fn value_within(&mut self, expr: &'a Expr, bindings: Bindings<'_>) -> Resolved<Value> {
        let pieces = self.scope.pieces.len();
        Ok(match &expr.kind {
            ExprKind::Number(number) => Value::Number(Number::Constant(*number)),
            ExprKind::Name(call) => return self.name(call, bindings),
            ExprKind::Member(_, member) => return self.member(&member.text, expr.span),
            ExprKind::Board(x, y) => {
                let x = self.number(x, bindings)?;
                let y = self.number(y, bindings)?;
                Value::Standing(self.square_of(x, y))
            }
            ExprKind::Not(inner) => Value::Condition(self.condition(inner, bindings)?.not(pieces)),
            ExprKind::Minus(inner) => {
                let number = self.number(inner, bindings)?;
                Value::Number(binary(Number::Constant(0), Arithmetic::Subtract, number))
            }
            ExprKind::Binary(left, operator, right) => {
                return self.operation((left, *operator, right), expr.span, bindings);
            }
            ExprKind::Any(place, sentence) => {
                let before = std::mem::replace(&mut self.has_square, true);
                let any = self.any(place, sentence.as_deref(), bindings);
                self.has_square = before;
                Value::Condition(any?)
            }
        })
    }

    /// `any(e, sentence)`
    fn any(
        &mut self,
        place: &'a Expr,
        sentence: Option<&'a Sentence>,
        bindings: Bindings<'_>,
    ) -> Resolved<Condition> {
        let place = self.condition(place, bindings);
        let sentence = match sentence {
            Some(sentence) => Some(self.asked_sentence(sentence, bindings)?),
            None => None,
        };
        let place = place?;
        if place == Condition::Constant(false) {
            return Ok(place);
        }
        Ok(Condition::Any(Rc::new(place), sentence))
    }

    fn member(&mut self, member: &str, span: Span) -> Resolved<Value> {
        if member == "playerName" {
            return Ok(Value::Player(self.mover));
        }
        self.needs_square(span)?;
        match member {
            "x" => Ok(Value::Number(Number::Column(0))),
            "y" => Ok(Value::Number(Number::Row(0))),
            "here" => Ok(Value::Square(Square::Here)),
            _ => {
                let message = format!("`this` has no `{member}`");
                let help = "there are `this.x`, `this.y`, `this.playerName`, and `this`";
                self.error(Code::AbgUnknownName, span, &message, help)
            }
        }
    }

    /// The square of a column and a row.
    pub fn square_of(&self, x: Number, y: Number) -> Square {
        let (width, height) =
            self.tree.size.map_or((1, 1), |it| (i64::from(it.width), i64::from(it.height)));
        match (x, y) {
            (Number::Column(0), Number::Row(0)) => Square::Here,
            (Number::Column(dx), Number::Row(dy)) => Square::Offset(dx, dy),
            (Number::Constant(x), Number::Constant(y)) => {
                let on_board = (0..width).contains(&x) && (0..height).contains(&y);
                Square::Fixed(on_board.then_some((y * width + x) as usize))
            }
            (x, y) => Square::Of(Rc::new(x), Rc::new(y)),
        }
    }

    fn name(&mut self, call: &'a Call, bindings: Bindings<'_>) -> Resolved<Value> {
        let text = &*call.name.text;
        if call.arguments.is_none() {
            if let Some(place) = bindings.names.iter().position(|name| *name == call.name) {
                return Ok(bindings.values[place].clone());
            }
            if let Some(player) = self.scope.player(text) {
                return Ok(Value::Player(player));
            }
            if let Some(variable) = self.scope.variable(text) {
                use crate::abg::ast::VariableKind;
                let is_square = self.tree.variables[variable].kind == VariableKind::Square;
                return Ok(match is_square {
                    true => Value::Square(Square::Variable(variable)),
                    false => Value::Number(Number::Variable(variable)),
                });
            }
            if let Some(piece) = self.scope.piece(text) {
                return Ok(Value::Piece(piece));
            }
        }
        if let Some(definition) = self.scope.definition(text) {
            return self.call(call, definition, bindings);
        }
        match (self.prelude(text, call.span)?, &call.arguments) {
            (Some(value), None) => Ok(value),
            (Some(value), Some(arguments)) if arguments.is_empty() => Ok(value),
            _ => self.unknown_name(&call.name, "predicate or function"),
        }
    }

    /// The value of a built-in name.
    fn prelude(&mut self, text: &str, span: Span) -> Resolved<Option<Value>> {
        let pieces = self.scope.pieces.len();
        let mover = self.mover;
        let set = |of: &dyn Fn(&[usize]) -> bool| {
            let all = self.scope.pieces.iter().enumerate();
            all.filter(|(_, (_, owners))| of(owners))
                .fold(Pieces::NONE, |set, (piece, _)| set.or(Pieces::one(piece)))
        };
        let set = match text {
            "Empty" => Some(set(&|owners| owners.is_empty())),
            "Opponent" | "enemy" => {
                Some(set(&|owners| !owners.is_empty() && !owners.contains(&mover)))
            }
            "Own" => Some(set(&|owners| owners.contains(&mover))),
            _ => None,
        };
        if let Some(set) = set {
            self.needs_square(span)?;
            return Ok(Some(Value::Condition(Condition::here(set, pieces))));
        }
        Ok(Some(match text {
            "True" | "true" => Value::Condition(Condition::Constant(true)),
            "False" | "false" => Value::Condition(Condition::Constant(false)),
            "mover" => Value::Player(self.mover),
            "row" | "column" => {
                self.needs_square(span)?;
                Value::Number(if text == "row" { Number::Row(1) } else { Number::Column(1) })
            }
            "taken" if self.in_effect => Value::Condition(Condition::Taken),
            "taken" => {
                let message = "whether a step took a piece is known in effects only";
                return self.error(Code::AbgKind, span, message, "ask for it in an effect");
            }
            "none" => Value::Square(Square::Fixed(None)),
            "moves" => match self.can_move {
                Some(can) => {
                    self.asked_moves = true;
                    Value::Number(Number::Constant(i64::from(can)))
                }
                None => {
                    let message = "whether there are moves is not known here";
                    let help = "ask for it in `terminal` or `victory`";
                    return self.error(Code::AbgKind, span, message, help);
                }
            },
            _ => return Ok(None),
        }))
    }

    /// The value of a call of a function or predicate.
    fn call(
        &mut self,
        call: &'a Call,
        definition: &'a Definition,
        bindings: Bindings<'_>,
    ) -> Resolved<Value> {
        if definition.is_macro {
            let message = format!("the macro `{}` has no value", definition.name.text);
            let help = "define it with `function`, and it is asked from the square";
            return self.error(Code::AbgKind, call.span, &message, help);
        }
        let values = self.begin_call(call, definition, bindings)?;
        let bindings = Bindings { names: &definition.parameters, values: &values };
        let value = match &definition.body {
            Body::Value(expr) => self.value(expr, bindings),
            Body::Sentence(sentence) => self
                .needs_square(call.span)
                .and_then(|()| self.asked_sentence(sentence, bindings).map(Value::Sentence)),
        };
        self.calls.pop();
        value
    }

    /// The values of the arguments of a call. The expansion of its definition begins.
    pub fn begin_call(
        &mut self,
        call: &'a Call,
        definition: &'a Definition,
        bindings: Bindings<'_>,
    ) -> Resolved<Vec<Value>> {
        let name = &*definition.name.text;
        if self.calls.contains(&name) {
            let message = format!("`{name}` calls itself");
            return self.error(
                Code::AbgRecursion,
                call.span,
                &message,
                "repeat a part of a sentence with `*` or `+`",
            );
        }
        let values = self.arguments(call, definition.parameters.len(), bindings)?;
        self.calls.push(name);
        Ok(values)
    }

    /// The values of the arguments of a call.
    pub fn arguments(
        &mut self,
        call: &'a Call,
        wanted: usize,
        bindings: Bindings<'_>,
    ) -> Resolved<Vec<Value>> {
        if !self.used.contains(&call.name.text) {
            self.used.push(call.name.text.clone());
        }
        let given = call.arguments.as_deref().unwrap_or_default();
        if given.len() != wanted {
            let message = format!(
                "`{}` has {wanted} parameters, and {} arguments are given",
                call.name.text,
                given.len()
            );
            return self.error(
                Code::AbgArity,
                call.span,
                &message,
                "give an argument for each parameter",
            );
        }
        given.iter().map(|argument| self.value(argument, bindings)).collect()
    }

    fn operation(
        &mut self,
        (left, operator, right): (&'a Expr, Operator, &'a Expr),
        span: Span,
        bindings: Bindings<'_>,
    ) -> Resolved<Value> {
        let arithmetic = |operator| match operator {
            Operator::Add => Some(Arithmetic::Add),
            Operator::Subtract => Some(Arithmetic::Subtract),
            Operator::Multiply => Some(Arithmetic::Multiply),
            Operator::Divide => Some(Arithmetic::Divide),
            Operator::Remainder => Some(Arithmetic::Remainder),
            _ => None,
        };
        match operator {
            Operator::Or | Operator::And => {
                let left = self.condition(left, bindings);
                let right = self.condition(right, bindings);
                let (left, right) = (left?, right?);
                let both = operator == Operator::And;
                Ok(Value::Condition(if both { left.and(right) } else { left.or(right) }))
            }
            _ => {
                let one = self.value(left, bindings);
                let other = self.value(right, bindings);
                let (one, other) = (one?, other?);
                if let Some(arithmetic) = arithmetic(operator) {
                    let one = self.as_number(one, left.span)?;
                    let other = self.as_number(other, right.span)?;
                    return Ok(Value::Number(binary(one, arithmetic, other)));
                }
                let comparison = match operator {
                    Operator::Equal => Comparison::Equal,
                    Operator::NotEqual => Comparison::NotEqual,
                    Operator::Less => Comparison::Less,
                    Operator::LessOrEqual => Comparison::LessOrEqual,
                    Operator::Greater => Comparison::Greater,
                    _ => Comparison::GreaterOrEqual,
                };
                self.comparison((one, left.span), comparison, (other, right.span), span)
                    .map(Value::Condition)
            }
        }
    }

    fn comparison(
        &mut self,
        (left, left_span): (Value, Span),
        comparison: Comparison,
        (right, right_span): (Value, Span),
        span: Span,
    ) -> Resolved<Condition> {
        let pieces = self.scope.pieces.len();
        let equality = match comparison {
            Comparison::Equal => Some(true),
            Comparison::NotEqual => Some(false),
            _ => None,
        };
        let negate = |condition: Condition, equal: bool| match equal {
            true => condition,
            false => condition.not(pieces),
        };
        match (left, right, equality) {
            (Value::Player(left), Value::Player(right), Some(equal)) => {
                Ok(Condition::Constant((left == right) == equal))
            }
            (Value::Standing(square), Value::Piece(piece), Some(equal))
            | (Value::Piece(piece), Value::Standing(square), Some(equal)) => {
                Ok(negate(at(square, Pieces::one(piece), pieces), equal))
            }
            (Value::Square(left), Value::Square(right), Some(equal)) => {
                Ok(negate(same(left, right), equal))
            }
            (Value::Condition(condition), Value::Number(Number::Constant(number)), Some(equal))
            | (Value::Number(Number::Constant(number)), Value::Condition(condition), Some(equal)) =>
            {
                // Truth is 1, falsehood 0.
                Ok(match number {
                    1 => negate(condition, equal),
                    0 => negate(condition, !equal),
                    _ => Condition::Constant(!equal),
                })
            }
            (left, right, _) => {
                let left = self.as_number(left, left_span)?;
                let right = self.as_number(right, right_span)?;
                self.compare(left, comparison, right, span)
            }
        }
    }
}

/// The condition that one of some pieces is on a square.
fn at(square: Square, set: Pieces, pieces: usize) -> Condition {
    match square {
        Square::Here => Condition::here(set, pieces),
        Square::Fixed(None) => Condition::Constant(false),
        square => Condition::At(square, set),
    }
}

/// The condition that two squares are the same.
fn same(left: Square, right: Square) -> Condition {
    match (&left, &right) {
        _ if left == right => Condition::Constant(true),
        (Square::Fixed(_), Square::Fixed(_)) => Condition::Constant(false),
        (Square::Here | Square::Offset(..), Square::Here | Square::Offset(..)) => {
            Condition::Constant(false)
        }
        _ => Condition::Same(left, right),
    }
}

/// Two numbers with an operator, folded if they are known.
fn binary(left: Number, operator: Arithmetic, right: Number) -> Number {
    match (&left, operator, &right) {
        (Number::Constant(left), _, Number::Constant(right)) => {
            return Number::Constant(operator.apply(*left, *right));
        }
        (Number::Constant(_), Arithmetic::Add, _) => return binary(right, operator, left),
        (Number::Column(more) | Number::Row(more), _, Number::Constant(other))
            if matches!(operator, Arithmetic::Add | Arithmetic::Subtract) =>
        {
            let more = operator.apply(*more, *other);
            return match left {
                Number::Column(_) => Number::Column(more),
                _ => Number::Row(more),
            };
        }
        _ => {}
    }
    Number::Binary(Rc::new(left), operator, Rc::new(right))
}
