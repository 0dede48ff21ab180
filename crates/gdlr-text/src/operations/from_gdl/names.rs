//! Names that have a meaning of their own with operations, and the names that take their place.

use super::super::builtin;
use super::super::sheet::{Functor, arguments, atom, for_each_part, functor, sentence};
use super::refused;
use super::source::{Rule, fresh};
use super::turn::Turn;
use crate::diagnostic::Diagnostic;
use crate::kif::{Expr, ExprKind};
use hashbrown::{HashMap, HashSet};

/// The names that no fact of the state can have.
const RESERVED: [&str; 18] = [
    "role", "base", "action", "init", "legal", "goal", "terminal", "true", "false", "and", "or",
    "not", "same", "distinct", "does", "next", "sees", "input",
];

pub(super) struct Names {
    /// The facts of the state, as GDL names them.
    pub fluents: HashSet<Functor>,
    /// The fact of the role whose turn it is.
    turn: Option<Box<str>>,
    /// The views that get another name.
    views: HashMap<Functor, Box<str>>,
    /// The operation that every move asks for.
    pub tick: Box<str>,
    /// The variable of the move.
    pub action: Expr,
    words: HashSet<Box<str>>,
}

impl Names {
    /// # Errors
    ///
    /// Facts of the state that cannot have their names.
    pub(super) fn of(
        rules: &[Rule],
        turn: &Turn,
        mut words: HashSet<Box<str>>,
    ) -> Result<Names, Diagnostic> {
        let is_idle =
            |word: &str| matches!(turn, Turn::Fact { idle, .. } if idle.atom() == Some(word));
        // The move of a role that waits is `noop`, unless that is another word.
        if is_idle("noop") {
            words.remove("noop");
        }
        let tick = fresh("tick", &mut words);
        let action = atom(&fresh("?move", &mut words), crate::diagnostic::Span::default());
        let turn_name = match turn {
            Turn::Always(..) => None,
            Turn::Fact { name, .. } => Some(name.clone()),
        };
        let mut names = Names {
            fluents: HashSet::new(),
            turn: turn_name,
            views: HashMap::new(),
            tick,
            action,
            words,
        };
        for rule in rules {
            if let ("init" | "next" | "base", [fact]) = (&*rule.relation.0, arguments(&rule.head)) {
                let Some(name) = functor(fact) else {
                    let help = "name each kind of fact that stays";
                    return Err(refused(rule.span, "a fact that is a variable", help));
                };
                names.may_be_fact(&name, turn, rule)?;
                names.fluents.insert(name);
            }
        }
        names.rename_views(rules);
        Ok(names)
    }

    fn may_be_fact(&self, name: &Functor, turn: &Turn, rule: &Rule) -> Result<(), Diagnostic> {
        let shown = &name.0;
        let message = if RESERVED.contains(&&**shown) || builtin::is_name(shown) {
            format!("`{shown}` has a meaning of its own with operations, and is no fact there")
        } else if turn.moves().contains(name) {
            format!("a move and a fact of the state have the name `{shown}`")
        } else if *name == ("control".into(), 1) && self.turn.as_deref() != Some("control") {
            "`control` says whose turn it is with operations, and something else here".to_owned()
        } else {
            return Ok(());
        };
        Err(refused(rule.span, message, "give the fact another name"))
    }

    fn rename_views(&mut self, rules: &[Rule]) {
        let mut views: Vec<Functor> = Vec::new();
        let mut note = |expr: &Expr| {
            for_each_part(expr, &mut |part| views.extend(functor(part)));
        };
        for rule in rules {
            note(&rule.head);
            rule.body.iter().for_each(&mut note);
        }
        let keywords = [
            "role", "base", "init", "legal", "goal", "terminal", "true", "or", "not", "distinct",
            "does", "next", "sees", "input", "<=",
        ];
        for view in views {
            let taken = (RESERVED.contains(&&*view.0) && !keywords.contains(&&*view.0))
                || builtin::is_name(&view.0)
                || view == ("control".into(), 1)
                || self.fluents.contains(&view);
            if taken && !self.views.contains_key(&view) {
                let name = fresh(&format!("{}_1", view.0), &mut self.words);
                self.views.insert(view, name);
            }
        }
    }

    /// A fact of the state as operations name it.
    pub(super) fn fact(&self, fact: &Expr) -> Expr {
        match (functor(fact), &self.turn) {
            (Some((name, 1)), Some(turn)) if name == *turn => {
                sentence("control", arguments(fact).to_vec(), fact.span)
            }
            _ => fact.clone(),
        }
    }

    /// A sentence of a view, with a last argument more where there is one.
    pub(super) fn view(&self, view: &Expr, last: Option<&Expr>) -> Expr {
        let name = functor(view).map(|relation| {
            let renamed = self.views.get(&relation).cloned();
            renamed.unwrap_or(relation.0)
        });
        let items = arguments(view).iter().chain(last).cloned().collect();
        sentence(&name.unwrap_or_default(), items, view.span)
    }

    /// A variable that no rule has.
    pub(super) fn variable(&mut self, like: &str) -> Expr {
        atom(&fresh(like, &mut self.words), crate::diagnostic::Span::default())
    }

    /// The expression with other names for its variables, but for those of `kept`.
    pub(super) fn apart(&mut self, all: &mut [&mut Expr], kept: &[Box<str>]) {
        let mut renamed: HashMap<Box<str>, Expr> = HashMap::new();
        for expr in all {
            self.rename(expr, kept, &mut renamed);
        }
    }

    fn rename(
        &mut self,
        expr: &mut Expr,
        kept: &[Box<str>],
        renamed: &mut HashMap<Box<str>, Expr>,
    ) {
        match &mut expr.kind {
            ExprKind::Atom(name) if name.starts_with('?') && !kept.contains(name) => {
                let new = match renamed.get(name) {
                    Some(new) => new.clone(),
                    None => self.variable(name),
                };
                renamed.insert(name.clone(), new.clone());
                *expr = new;
            }
            ExprKind::Atom(_) => {}
            ExprKind::List(items) => {
                items.iter_mut().for_each(|item| self.rename(item, kept, renamed));
            }
        }
    }
}
