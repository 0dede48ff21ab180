//! The kind of each name of a sheet: a fact of the state, an operation, a view.
//!
//! A *fluent* is a fact of the state: `init`, `base` and effects name them. An *operation* stands
//! before `::`. A *view* is a relation that rules and facts of the sheet define.

use super::super::sheet::{Functor, Kind, Sheet, Statement, arguments, conjuncts, functor, parts};
use crate::diagnostic::Span;
use crate::kif::{Expr, ExprKind};
use hashbrown::{HashMap, HashSet};

/// The relations of the notation that are no views.
const KEYWORDS: [&str; 7] = ["role", "base", "action", "init", "legal", "goal", "terminal"];

/// The kinds of the names of a sheet.
#[derive(Debug, Default)]
pub(in super::super) struct Names {
    /// The operations.
    pub operations: HashSet<Functor>,
    /// The operations that effects ask for.
    pub requested: HashSet<Functor>,
    /// The facts that can hold, by the place of the first `init` or effect: in order of appearance.
    pub held: Vec<(Functor, Span)>,
    /// The same facts, without order.
    can_hold: HashSet<Functor>,
    /// The facts that `base` declares.
    pub declared: HashSet<Functor>,
    /// The facts that effects take away.
    pub removed: HashSet<Functor>,
    /// The relations of rules and facts, by the place of the first head.
    pub views: HashMap<Functor, Span>,
    /// The relations that conditions ask for.
    pub asked: HashSet<Functor>,
    /// The moves that `legal` names; `None` if one is a variable.
    pub moves: Option<HashSet<Functor>>,
    /// How the names of facts and operations are written first.
    spelled: HashMap<Functor, Box<str>>,
    /// Every word of the sheet.
    words: HashSet<Box<str>>,
}

impl Names {
    pub(in super::super) fn of(sheet: &Sheet) -> Names {
        let mut names = Names { moves: Some(HashSet::new()), ..Names::default() };
        let operations = sheet.statements.iter().filter_map(|statement| match statement.kind {
            Kind::Operation { .. } => functor(&statement.head),
            Kind::Rule { .. } => None,
        });
        names.operations.extend(operations);
        for statement in &sheet.statements {
            names.note(statement);
        }
        names
    }

    fn note(&mut self, statement: &Statement) {
        self.note_words(&statement.head);
        match &statement.kind {
            Kind::Rule { body } => {
                self.note_head(&statement.head);
                if let Some(body) = body {
                    self.note_words(body);
                    self.note_asked(body);
                }
            }
            Kind::Operation { condition, effects } => {
                if let Some(condition) = condition {
                    self.note_words(condition);
                    self.note_asked(condition);
                }
                self.note_words(effects);
                for effect in conjuncts(effects) {
                    self.note_effect(effect);
                }
            }
        }
    }

    fn note_head(&mut self, head: &Expr) {
        let Some(relation) = functor(head) else { return };
        let argument = arguments(head).first();
        match (&*relation.0, argument) {
            ("init", Some(fact)) if relation.1 == 1 => {
                if let Some(fluent) = functor(fact) {
                    self.spell(&fluent, fact);
                    self.hold(fluent, head.span);
                }
            }
            ("base", Some(fact)) if relation.1 == 1 => self.declared.extend(functor(fact)),
            ("legal", Some(action)) if relation.1 == 1 => {
                match (functor(action), &mut self.moves) {
                    (Some(action), Some(moves)) => _ = moves.insert(action),
                    _ => self.moves = None,
                }
            }
            (name, _) if KEYWORDS.contains(&name) => {}
            _ => _ = self.views.entry(relation).or_insert(head.span),
        }
    }

    fn note_effect(&mut self, effect: &Expr) {
        if let Some([inner]) = parts(effect, "not") {
            self.removed.extend(functor(inner));
        } else if let Some(fact) = functor(effect) {
            self.spell(&fact, effect);
            if self.operations.contains(&fact) {
                self.requested.insert(fact);
            } else {
                self.hold(fact, effect.span);
            }
        }
    }

    fn spell(&mut self, name: &Functor, expr: &Expr) {
        let first = expr.list().map_or(Some(expr), <[Expr]>::first);
        if let Some(written) = first.and_then(Expr::atom) {
            self.spelled.entry(name.clone()).or_insert_with(|| written.into());
        }
    }

    /// The name of a fact or operation, as it is written first.
    pub(super) fn spelling<'a>(&'a self, name: &'a Functor) -> &'a str {
        self.spelled.get(name).unwrap_or(&name.0)
    }

    fn hold(&mut self, fluent: Functor, span: Span) {
        if self.can_hold.insert(fluent.clone()) {
            self.held.push((fluent, span));
        }
    }

    fn note_asked(&mut self, condition: &Expr) {
        for connective in ["and", "or", "not"] {
            if let Some(inner) = parts(condition, connective) {
                return inner.iter().for_each(|condition| self.note_asked(condition));
            }
        }
        self.asked.extend(functor(condition));
        if let ("countofall", [_, condition, _]) =
            (condition.list().and_then(|items| items[0].atom()).unwrap_or(""), arguments(condition))
        {
            self.note_asked(condition);
        }
    }

    pub(super) fn note_words(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Atom(word) => _ = self.words.insert(word.to_lowercase().into()),
            ExprKind::List(items) => items.iter().for_each(|item| self.note_words(item)),
        }
    }

    /// Whether facts of the state have this name and so many arguments.
    pub(in super::super) fn is_fluent(&self, relation: &Functor) -> bool {
        self.declared.contains(relation) || self.can_hold.contains(relation)
    }

    /// A name that the sheet does not have: `wanted`, or that with a number. It is taken then.
    pub(in super::super) fn fresh(&mut self, wanted: &str) -> Box<str> {
        let numbered = (1..).map(|number: usize| format!("{wanted}_{number}"));
        let name = std::iter::once(wanted.to_owned())
            .chain(numbered)
            .find(|name| !self.words.contains(&*name.to_lowercase()));
        let name: Box<str> = name.unwrap_or_default().into();
        self.words.insert(name.to_lowercase().into());
        name
    }
}
