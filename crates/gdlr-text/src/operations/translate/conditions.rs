//! Bodies of rules: literals of GDL for conditions of the sheet.

use super::super::builtin;
use super::super::sheet::{Functor, arguments, atom, for_each_variable, functor, sentence};
use super::Translation;
use super::alternatives::{Literal, alternatives, locals, replaced, unify};
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::kif::{Expr, ExprKind};
use hashbrown::HashSet;

/// A count: `countofall(T,P,N)` is `(relation outer ... N)`.
#[derive(Clone, Debug)]
pub(in super::super) struct Tally {
    /// The relation of counts.
    pub relation: Box<str>,
    /// The relation of what is counted: `(counted outer ... inner ...)`.
    pub counted: Box<str>,
    /// The relation of the values of `outer`.
    pub given: Box<str>,
    /// The relation of the values of `inner`, numbered.
    pub item: Box<str>,
    /// The relation of counts of the first items.
    pub up_to: Box<str>,
    /// The relation of a number and the next one.
    pub next: Box<str>,
    /// The variables that the rest of the rule has, too.
    pub outer: Vec<Box<str>>,
    /// The variables of `T`.
    pub inner: Vec<Box<str>>,
    /// The `countofall`.
    pub span: Span,
}

impl Translation {
    /// Adds the rules for `head`: one for each alternative of `condition`, with `first` before it.
    pub(super) fn add(
        &mut self,
        head: &Expr,
        first: &[Expr],
        condition: Option<&Expr>,
        span: Span,
    ) {
        let mut bound = HashSet::new();
        for expr in std::iter::once(head).chain(first) {
            for_each_variable(expr, &mut |variable| _ = bound.insert(Box::from(variable)));
        }
        match alternatives(condition, &bound) {
            Err(error) => self.error(error),
            Ok(found) => {
                for literals in found {
                    self.alternative(head.clone(), first.to_vec(), literals, span);
                }
            }
        }
    }

    fn alternative(
        &mut self,
        mut head: Expr,
        mut first: Vec<Expr>,
        mut literals: Vec<Literal>,
        span: Span,
    ) {
        // `same` says what a variable is.
        while let Some(at) = literals
            .iter()
            .position(|literal| matches!(literal, Literal::Holds(expr) if is(expr, "same", 2)))
        {
            let Literal::Holds(equality) = literals.remove(at) else { continue };
            let Some(values) = unify(&arguments(&equality)[0], &arguments(&equality)[1]) else {
                return;
            };
            head = replaced(&head, &values);
            first.iter_mut().for_each(|expr| *expr = replaced(expr, &values));
            for Literal::Holds(expr) | Literal::HoldsNot(expr) in &mut literals {
                *expr = replaced(expr, &values);
            }
        }
        let mut bound = HashSet::new();
        let mut note = |expr: &Expr| {
            for_each_variable(expr, &mut |variable| _ = bound.insert(Box::from(variable)));
        };
        std::iter::once(&head).chain(&first).for_each(&mut note);
        for literal in &literals {
            if let Literal::Holds(expr) = literal
                && !is(expr, "countofall", 3)
            {
                note(expr);
            }
        }
        let mut body = first;
        for literal in literals {
            match literal {
                Literal::Holds(expr) if is(&expr, "true", 0) => {}
                Literal::HoldsNot(expr) if is(&expr, "false", 0) => {}
                Literal::Holds(expr) if is(&expr, "false", 0) => return,
                Literal::HoldsNot(expr) if is(&expr, "true", 0) => return,
                Literal::Holds(expr) if is(&expr, "countofall", 3) => {
                    body.extend(self.count(&expr, &bound));
                }
                Literal::Holds(expr) if is(&expr, "evaluate", 2) => self.evaluate(&expr, &mut body),
                Literal::Holds(expr) => body.extend(self.sentence(&expr)),
                Literal::HoldsNot(inner) => {
                    let span = inner.span;
                    let asked = self.negated(&inner, &bound);
                    body.extend(asked.map(|asked| sentence("not", vec![asked], span)));
                }
            }
        }
        self.push(head, body, span);
    }

    /// The negated sentence, or one that stands for conditions with variables of their own.
    fn negated(&mut self, inner: &Expr, bound: &HashSet<Box<str>>) -> Option<Expr> {
        let own = locals(inner, bound);
        let is_compound = is_conjunction(inner);
        if own.is_empty() && !is_compound && !is(inner, "countofall", 3) {
            return self.sentence(inner);
        }
        let mut shared: Vec<Box<str>> = Vec::new();
        for_each_variable(inner, &mut |variable| {
            if !own.iter().chain(&shared).any(|known| **known == *variable) {
                shared.push(variable.into());
            }
        });
        let name = self.helper(inner, &shared);
        let variable = |name: &str| atom(name, inner.span);
        Some(sentence(&name, shared.iter().map(|name| variable(name)).collect(), inner.span))
    }

    /// The relation that stands for a condition in which the variables `shared` are given.
    fn helper(&mut self, condition: &Expr, shared: &[Box<str>]) -> Box<str> {
        let key = format!("{condition} {}", shared.join(" "));
        if let Some(known) = self.helpers.get(&key) {
            return known.clone();
        }
        let first = match condition.list() {
            Some(items) if is_conjunction(condition) => functor(&items[1]),
            _ => functor(condition),
        };
        let wanted = match first {
            Some((name, _)) if &*name != "not" => format!("some_{name}"),
            _ => "some".to_owned(),
        };
        let name = self.names.fresh(&wanted);
        self.helpers.insert(key, name.clone());
        let variable = |name: &str| atom(name, condition.span);
        let head =
            sentence(&name, shared.iter().map(|name| variable(name)).collect(), condition.span);
        self.add(&head, &[], Some(condition), condition.span);
        name
    }

    /// A sentence of GDL for one of the sheet.
    pub(super) fn sentence(&mut self, expr: &Expr) -> Option<Expr> {
        if self.is_gdl {
            return Some(expr.clone());
        }
        let Some(relation) = functor(expr) else {
            self.error(
                Diagnostic::new(
                    Code::OperationsSyntax,
                    expr.span,
                    "a variable where a condition should stand",
                )
                .with_help("a condition has the name of a relation"),
            );
            return None;
        };
        if let Some(error) = builtin::error(expr) {
            self.error(error);
            return None;
        }
        if self.names.is_fluent(&relation) {
            return Some(sentence("true", vec![expr.clone()], expr.span));
        }
        match (&*relation.0, relation.1) {
            ("true", 1..) => {
                let fact = arguments(expr)[0].to_string();
                self.misused(expr, format!("`true` around `{fact}`"), "write the fact by itself");
                None
            }
            ("goal", 2) => Some(self.asked_goal(expr)),
            ("init", 1) => Some(renamed(expr, &self.words.initially)),
            ("legal", 1) => Some(renamed(expr, &self.words.can)),
            _ => Some(self.view(expr, &relation)),
        }
    }

    /// A sentence of a view, whose name may be a keyword of GDL.
    pub(super) fn view(&mut self, expr: &Expr, relation: &Functor) -> Expr {
        match &*relation.0 {
            "next" | "does" | "sees" | "input" => renamed(expr, &format!("{}_", relation.0)),
            _ => expr.clone(),
        }
    }

    /// The relation of a count.
    pub(super) fn count(&mut self, expr: &Expr, bound: &HashSet<Box<str>>) -> Option<Expr> {
        let [counted, condition, number] = arguments(expr) else { return None };
        let of = |expr: &Expr, wanted: bool| {
            let mut found: Vec<Box<str>> = Vec::new();
            for_each_variable(expr, &mut |variable| {
                let known = found.iter().any(|known| **known == *variable);
                if bound.contains(variable) == wanted && !known {
                    found.push(variable.into());
                }
            });
            found
        };
        let (mut outer, inner) = (of(condition, true), of(counted, false));
        for variable in of(counted, true) {
            if !outer.contains(&variable) {
                outer.push(variable);
            }
        }
        let variable = |name: &str| atom(name, expr.span);
        let all = outer.iter().chain(&inner).map(|name| variable(name)).collect();
        let name = self.names.fresh("counted");
        let head = sentence(&name, all, expr.span);
        self.add(&head, &[], Some(condition), expr.span);
        let relation = self.names.fresh("count");
        let asked = outer.iter().map(|name| variable(name)).chain([number.clone()]).collect();
        let asked = sentence(&relation, asked, expr.span);
        let [given, item, up_to, next] = ["count_of", "count_item", "count_up_to", "count_next"]
            .map(|wanted| self.names.fresh(wanted));
        let span = expr.span;
        let counted = name;
        self.tallies.push(Tally {
            relation,
            counted,
            given,
            item,
            up_to,
            next,
            outer,
            inner,
            span,
        });
        Some(asked)
    }

    /// `evaluate(plus(X,times(Y,2)),N)` as one condition for each operation.
    pub(super) fn evaluate(&mut self, expr: &Expr, body: &mut Vec<Expr>) {
        let [term, value] = arguments(expr) else { return };
        match self.computed(term, body) {
            Some(result) => match unify(&result, value) {
                Some(values) => {
                    body.iter_mut().for_each(|condition| *condition = replaced(condition, &values));
                    // A value that is given is compared.
                    if !matches!(&result.kind, ExprKind::Atom(name) if name.starts_with('?')) {
                        body.push(sentence("leq", vec![result.clone(), value.clone()], expr.span));
                        body.push(sentence("leq", vec![value.clone(), result], expr.span));
                    }
                }
                None => body.push(sentence("distinct", vec![value.clone(); 2], expr.span)),
            },
            None => self.error(builtin::wrong_use(term)),
        }
    }

    fn computed(&mut self, term: &Expr, body: &mut Vec<Expr>) -> Option<Expr> {
        let Some(items) = term.list() else { return Some(term.clone()) };
        let name = items.first()?.atom()?;
        if !builtin::is_function(name) {
            return None;
        }
        let mut values = Vec::new();
        for item in &items[1..] {
            values.push(self.computed(item, body)?);
        }
        let result = atom(&self.names.fresh("?value"), term.span);
        values.push(result.clone());
        body.push(sentence(name, values, term.span));
        Some(result)
    }

    /// Reports a keyword that means something else here.
    pub(super) fn misused(&mut self, expr: &Expr, what: String, help: &str) {
        self.error(Diagnostic::new(Code::OperationsKeyword, expr.span, what).with_help(help));
    }
}

fn is(expr: &Expr, name: &str, arity: usize) -> bool {
    functor(expr).is_some_and(|(found, count)| &*found == name && count == arity)
}

fn is_conjunction(expr: &Expr) -> bool {
    let name = expr.list().and_then(|items| items[0].atom());
    matches!(name, Some("and" | "or" | "not"))
}

/// A sentence under another name.
pub(super) fn renamed(expr: &Expr, name: &str) -> Expr {
    match &expr.kind {
        ExprKind::Atom(_) => atom(name, expr.span),
        ExprKind::List(items) => {
            let first = atom(name, items[0].span);
            let items = std::iter::once(first).chain(items[1..].iter().cloned()).collect();
            Expr { span: expr.span, kind: ExprKind::List(items) }
        }
    }
}
