//! Sentences and expressions, straight from the definition.

use super::{Argument, Bindings, Context, Naive, Nodes, Value};
use gdlr::abg::{Body, Call, Expr, ExprKind, Operator, Repeat, Sentence, VariableKind};
use hashbrown::HashSet;
use std::rc::Rc;

impl<'t> Naive<'t> {
    pub(super) fn add(
        &self,
        sentence: &'t Sentence,
        bindings: &Bindings<'t>,
        from: usize,
        to: usize,
        nodes: &mut Nodes<'t>,
    ) {
        match sentence {
            Sentence::Alternatives(parts) => {
                parts.iter().for_each(|part| self.add(part, bindings, from, to, nodes));
            }
            Sentence::Sequence(parts) => {
                let mut at = from;
                for part in parts {
                    let next = nodes.node();
                    self.add(part, bindings, at, next, nodes);
                    at = next;
                }
                nodes.empty[at].push(to);
            }
            Sentence::Repeat(inner, repeat) => {
                let (first, last) = (nodes.node(), nodes.node());
                nodes.empty[from].push(first);
                nodes.empty[last].push(to);
                self.add(inner, bindings, first, last, nodes);
                if *repeat != Repeat::Option {
                    nodes.empty[last].push(first);
                }
                if *repeat != Repeat::Plus {
                    nodes.empty[from].push(to);
                }
            }
            Sentence::Letter(letter) => {
                nodes.letters[from].push(((&**letter, bindings.clone()), to));
            }
            Sentence::Call(call) => {
                let mut definitions = self.tree.definitions.iter();
                let definition = definitions.find(|it| it.name == call.name).unwrap();
                let Body::Sentence(body) = &definition.body else { panic!("no sentence") };
                let bindings = bind(&definition.parameters, call, bindings);
                self.add(body, &bindings, from, to, nodes);
            }
        }
    }

    /// Whether a word can be gone from the square, without effects.
    pub(super) fn matches(
        &self,
        sentence: &'t Sentence,
        bindings: &Bindings<'t>,
        context: &Context<'_>,
    ) -> bool {
        let mut nodes = Nodes::default();
        let (start, end) = (nodes.node(), nodes.node());
        self.add(sentence, bindings, start, end, &mut nodes);
        let first = (start, context.here.expect("a square"));
        let mut seen: HashSet<(usize, (i64, i64))> = [first].into_iter().collect();
        let mut open = vec![first];
        while let Some((node, at)) = open.pop() {
            if node == end {
                return true;
            }
            let mut next: Vec<_> = nodes.empty[node].iter().map(|&node| (node, at)).collect();
            for ((letter, bindings), to) in &nodes.letters[node] {
                let delta = |expr| number(&self.value(expr, bindings, context));
                let place = self.on_board((at.0 + delta(&letter.dx), at.1 + delta(&letter.dy)));
                let there = Context { here: place, ..context.clone() };
                if let Some(place) = place
                    && self.holds(&letter.test, bindings, &there)
                {
                    next.push((*to, place));
                }
            }
            open.extend(next.into_iter().filter(|it| seen.insert(*it)));
        }
        false
    }

    pub(super) fn holds(
        &self,
        expr: &'t Expr,
        bindings: &Bindings<'t>,
        context: &Context<'_>,
    ) -> bool {
        match self.value(expr, bindings, context) {
            Value::Piece(piece) => self.standing(context) == Some(piece),
            value => truth(&value),
        }
    }

    fn standing(&self, context: &Context<'_>) -> Option<usize> {
        context.here.map(|here| context.state.board[self.index(here)])
    }

    pub(super) fn value(
        &self,
        expr: &'t Expr,
        bindings: &Bindings<'t>,
        context: &Context<'_>,
    ) -> Value {
        let here = || context.here.expect("a square");
        match &expr.kind {
            ExprKind::Number(number) => Value::Number(*number),
            ExprKind::Name(call) => self.call(call, bindings, context),
            ExprKind::Member(_, member) => match &*member.text {
                "x" => Value::Number(here().0),
                "y" => Value::Number(here().1),
                "playerName" => Value::Player(context.state.mover),
                _ => Value::Square(context.here),
            },
            ExprKind::Board(x, y) => {
                let index = |expr| number(&self.value(expr, bindings, context));
                let place = self.on_board((index(x), index(y)));
                Value::Standing(place.map(|place| context.state.board[self.index(place)]))
            }
            ExprKind::Not(inner) => Value::Truth(!self.holds(inner, bindings, context)),
            ExprKind::Minus(inner) => Value::Number(-number(&self.value(inner, bindings, context))),
            ExprKind::Binary(left, operator, right) => {
                self.binary(left, *operator, right, bindings, context)
            }
            ExprKind::Any(place, sentence) => Value::Truth(self.squares().any(|here| {
                let context = Context { here: Some(here), ..context.clone() };
                let matches = |it| self.matches(it, bindings, &context);
                self.holds(place, bindings, &context) && sentence.as_deref().is_none_or(matches)
            })),
        }
    }

    fn call(&self, call: &'t Call, bindings: &Bindings<'t>, context: &Context<'_>) -> Value {
        let name = &*call.name.text;
        let owners = || &self.pieces[self.standing(context).expect("a square")].1;
        let mover = context.state.mover;
        if let Some((_, Argument(expr, own))) = bindings.iter().find(|(it, _)| *it == name) {
            return self.value(expr, own, context);
        }
        if let Some(player) = self.tree.players.iter().position(|it| *it.text == *name) {
            return Value::Player(player);
        }
        if let Some(variable) = self.tree.variables.iter().position(|it| *it.name.text == *name) {
            return match self.tree.variables[variable].kind {
                VariableKind::Square => Value::Square(context.state.squares[variable]),
                _ => Value::Number(context.state.numbers[variable]),
            };
        }
        if let Some(piece) = self.piece(name) {
            return Value::Piece(piece);
        }
        if let Some(definition) = self.tree.definitions.iter().find(|it| *it.name.text == *name) {
            let bindings = bind(&definition.parameters, call, bindings);
            return match &definition.body {
                Body::Value(expr) => self.value(expr, &bindings, context),
                Body::Sentence(sentence) => {
                    Value::Matches(self.matches(sentence, &bindings, context))
                }
            };
        }
        match name {
            "Empty" => Value::Truth(owners().is_empty()),
            "Opponent" | "enemy" => {
                Value::Truth(!owners().is_empty() && !owners().contains(&mover))
            }
            "Own" => Value::Truth(owners().contains(&mover)),
            "True" | "true" => Value::Truth(true),
            "False" | "false" => Value::Truth(false),
            "mover" => Value::Player(mover),
            "row" => Value::Number(context.here.expect("a square").1 + 1),
            "column" => Value::Number(context.here.expect("a square").0 + 1),
            "moves" => Value::Number(i64::from(context.can_move)),
            "taken" => Value::Truth(context.taken),
            "none" => Value::Square(None),
            _ => panic!("unknown name {name}"),
        }
    }

    fn binary(
        &self,
        left: &'t Expr,
        operator: Operator,
        right: &'t Expr,
        bindings: &Bindings<'t>,
        context: &Context<'_>,
    ) -> Value {
        match operator {
            Operator::And => {
                let both =
                    self.holds(left, bindings, context) && self.holds(right, bindings, context);
                return Value::Truth(both);
            }
            Operator::Or => {
                let one =
                    self.holds(left, bindings, context) || self.holds(right, bindings, context);
                return Value::Truth(one);
            }
            _ => {}
        }
        let [left, right] = [left, right].map(|it| self.value(it, bindings, context));
        let equal = || match (&left, &right) {
            (Value::Player(left), Value::Player(right)) => left == right,
            (Value::Square(left), Value::Square(right)) => left == right,
            (Value::Standing(piece), Value::Piece(other))
            | (Value::Piece(other), Value::Standing(piece)) => *piece == Some(*other),
            (left, right) => number(left) == number(right),
        };
        let numbers = || (number(&left), number(&right));
        match operator {
            Operator::Equal => Value::Truth(equal()),
            Operator::NotEqual => Value::Truth(!equal()),
            Operator::Less => Value::Truth(numbers().0 < numbers().1),
            Operator::LessOrEqual => Value::Truth(numbers().0 <= numbers().1),
            Operator::Greater => Value::Truth(numbers().0 > numbers().1),
            Operator::GreaterOrEqual => Value::Truth(numbers().0 >= numbers().1),
            Operator::Add => Value::Number(numbers().0 + numbers().1),
            Operator::Subtract => Value::Number(numbers().0 - numbers().1),
            Operator::Multiply => Value::Number(numbers().0 * numbers().1),
            _ => panic!("no division in the tests"),
        }
    }
}

impl Nodes<'_> {
    pub(super) fn node(&mut self) -> usize {
        self.letters.push(Vec::new());
        self.empty.push(Vec::new());
        self.letters.len() - 1
    }
}

pub(super) fn bind<'t>(
    parameters: &'t [gdlr::abg::Word],
    call: &'t Call,
    bindings: &Bindings<'t>,
) -> Bindings<'t> {
    let arguments = call.arguments.iter().flatten();
    let bound = parameters.iter().zip(arguments);
    let pair = |(name, expr): (&'t gdlr::abg::Word, &'t Expr)| {
        (&*name.text, Argument(expr, bindings.clone()))
    };
    Rc::new(bound.map(pair).collect())
}

pub(super) fn truth(value: &Value) -> bool {
    match value {
        Value::Truth(holds) | Value::Matches(holds) => *holds,
        Value::Number(number) => *number != 0,
        other => panic!("no condition: {other:?}"),
    }
}

pub(super) fn number(value: &Value) -> i64 {
    match value {
        Value::Number(number) => *number,
        Value::Truth(holds) | Value::Matches(holds) => i64::from(*holds),
        other => panic!("no number: {other:?}"),
    }
}

/// Whether an expression asks if there are moves.
pub(super) fn speaks_of_moves(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Name(call) => &*call.name.text == "moves",
        ExprKind::Not(inner) | ExprKind::Minus(inner) => speaks_of_moves(inner),
        ExprKind::Binary(left, _, right) => speaks_of_moves(left) || speaks_of_moves(right),
        _ => false,
    }
}
