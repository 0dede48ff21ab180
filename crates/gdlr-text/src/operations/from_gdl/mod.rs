//! From rules of GDL to operations, where that can be: one role moves at a time, and the others wait.
//!
//! | GDL | operations |
//! |---|---|
//! | `(true (turn ?w))`, if each move of `legal` asks for it | `control(W)` |
//! | `(legal ?w wait)` of the roles whose turn it is not | – |
//! | `(<= (next (cell ?x ?y ?w)) (does ?w (mark ?x ?y)))` | `mark(X,Y) :: control(W) ==> cell(X,Y,W)` |
//! | `(<= (next (turn a)) (true (turn b)))`, which asks for no move | `tick :: control(b) ==> control(a)` |
//! | – | `mark(X,Y) :: tick`, for each kind of move |
//! | `(<= (next (cell ?x ?y ?z)) (true (cell ?x ?y ?z)) (does ?w (mark ?m ?n)) (distinct ?x ?m))` | `mark(M,N) :: cell(M,Y,Z) ==> ~cell(M,Y,Z)` |
//! | `(<= (taken ?x) (does ?w (take ?x)))`, a view of a move | `taken(X,take(X)) :- legal(take(X))` |
//!
//! What `next` says is added. What none of its rules for staying (that ask for the same fact) keeps is taken away;
//! that a fact which is added and taken away holds makes the two independent.
//!
//! | file | what it is for |
//! |---|---|
//! | `source` | rules of GDL |
//! | `turn` | whose turn it is |
//! | `names` | names that mean something else there, and names that cannot be written |
//! | `conditions` | conditions, and views that ask for moves |
//! | `steps` | what `next` adds |
//! | `frame` | what is taken away |

mod conditions;
mod frame;
mod names;
mod source;
mod steps;
mod turn;

use super::format::lay_out;
use super::sheet::{Functor, Kind, Sheet, Statement, arguments, functor, sentence};
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::infix::Printer;
use crate::kif::{Document, Expr};
use crate::syntax::Page;
use hashbrown::HashSet;
use names::Names;
use source::Rule;
use turn::Turn;

/// The rules of a document, which was read from `source`, as a text in the notation of operations.
///
/// # Errors
///
/// Games in which several roles move at once, and rules and names that cannot be written.
pub(super) fn write(source: &str, document: &Document) -> Result<String, Vec<Diagnostic>> {
    let sheet = sheet_of(document).map_err(|error| vec![error])?;
    let mut page = Page::rewriting(source, Box::new(commented));
    document.comments.iter().for_each(|comment| page.keep(comment.span));
    Ok(lay_out(&sheet, Printer { source: "", spell: super::format::spell, page }))
}

/// A comment with as many `%` as it had marks.
fn commented(comment: &str) -> String {
    let text = comment.trim_start_matches([';', '%']);
    "%".repeat(comment.len() - text.len()) + text
}

fn sheet_of(document: &Document) -> Result<Sheet, Diagnostic> {
    let (rules, words) = source::rules(document)?;
    let turn = Turn::of(&rules)?;
    let names = Names::of(&rules, &turn, words)?;
    let dependent = conditions::dependent(&rules);
    let mut writing = Writing { rules: &rules, turn, names, dependent, statements: Vec::new() };
    writing.statements()?;
    Ok(Sheet { statements: writing.statements, comments: Vec::new() })
}

/// Says what cannot be written.
fn refused(span: Span, message: impl Into<String>, help: &str) -> Diagnostic {
    Diagnostic::new(Code::NotInOperations, span, message).with_help(help)
}

struct Writing<'a> {
    rules: &'a [Rule],
    turn: Turn,
    names: Names,
    /// The views that depend on moves.
    dependent: HashSet<Functor>,
    statements: Vec<Statement>,
}

impl Writing<'_> {
    fn statements(&mut self) -> Result<(), Diagnostic> {
        let rules = self.rules;
        let mut framed = HashSet::new();
        let mut behind_legal = (0, Span::default());
        for (index, rule) in rules.iter().enumerate() {
            match (&*rule.relation.0, rule.relation.1) {
                ("next", 1) => self.effect(rule)?,
                ("legal", 2) => self.legal(rule)?,
                ("input", 2) => self.action(rule)?,
                ("role" | "init" | "base" | "goal" | "terminal", _) => self.plain(rule)?,
                _ => self.view(rule)?,
            }
            if &*rule.relation.0 == "legal" {
                let end = Span { start: rule.span.end, end: rule.span.end };
                behind_legal = (self.statements.len(), end);
            }
            if let Some(name) = self.last_about(rule, &rules[index + 1..])
                && framed.insert(name.clone())
            {
                self.frame(&name, rule.span)?;
            }
        }
        let requests = self.requests(behind_legal.1);
        self.statements.splice(behind_legal.0..behind_legal.0, requests);
        if let Turn::Always(role, _) = &self.turn {
            let fact = sentence("control", vec![role.clone()], Span::default());
            let head = sentence("init", vec![fact], Span::default());
            let is_role = |it: &Statement| functor(&it.head) == Some(("role".into(), 1));
            let at = self.statements.iter().position(is_role).map_or(0, |at| at + 1);
            let before = at.checked_sub(1).map_or(Span::default(), |at| self.statements[at].span);
            let span = Span { start: before.end, end: before.end };
            let statement = Statement { span, head, kind: Kind::Rule { body: None } };
            self.statements.insert(at, statement);
        }
        Ok(())
    }

    /// The kind of fact that a rule for `next` is about, or a rule for `init` if no rule for `next` is about it;
    /// `None` if one of the rules behind is about it, too.
    fn last_about(&self, rule: &Rule, behind: &[Rule]) -> Option<Functor> {
        let about = |rule: &Rule, keyword: &str| {
            let name = functor(arguments(&rule.head).first()?)?;
            (*rule.relation.0 == *keyword).then_some(name)
        };
        let keyword = &*rule.relation.0;
        let name = about(rule, keyword).filter(|_| matches!(keyword, "next" | "init"))?;
        let again = |other: &Rule| about(other, keyword).as_ref() == Some(&name);
        let next = |other: &Rule| about(other, "next").as_ref() == Some(&name);
        let is_last =
            !behind.iter().any(again) && (keyword == "next" || !self.rules.iter().any(next));
        is_last.then_some(name)
    }

    /// `init`, `base`, `role`, `goal` and `terminal`.
    fn plain(&mut self, rule: &Rule) -> Result<(), Diagnostic> {
        let head = match (&*rule.relation.0, arguments(&rule.head)) {
            ("init" | "base", [fact]) => {
                let fact = self.names.fact(fact);
                sentence(&rule.relation.0, vec![fact], rule.start())
            }
            _ => rule.head.clone(),
        };
        let body = self.conditions(&rule.body, None)?;
        self.rule(head, body, rule);
        Ok(())
    }

    /// The moves of the role whose turn it is.
    fn legal(&mut self, rule: &Rule) -> Result<(), Diagnostic> {
        let [role, action] = arguments(&rule.head) else { return Ok(()) };
        if self.turn.is_idle(action) {
            return Ok(());
        }
        if functor(action).is_none() {
            return Err(refused(rule.span, "a legal move that is a variable", "name the move"));
        }
        let asks = self.turn.position(rule);
        let needs = functor(role).is_some() || rule.count(role) > 2;
        let body: Vec<Expr> = rule
            .body
            .iter()
            .enumerate()
            .filter(|&(at, _)| needs || Some(at) != asks)
            .map(|(_, condition)| condition.clone())
            .collect();
        let body = self.conditions(&body, None)?;
        self.rule(sentence("legal", vec![action.clone()], rule.start()), body, rule);
        Ok(())
    }

    /// `input` lists moves, as `action` does.
    fn action(&mut self, rule: &Rule) -> Result<(), Diagnostic> {
        let [_, action] = arguments(&rule.head) else { return Ok(()) };
        if self.turn.is_idle(action) {
            return Ok(());
        }
        let body = self.conditions(&rule.body, None)?;
        self.rule(sentence("action", vec![action.clone()], rule.start()), body, rule);
        Ok(())
    }

    fn rule(&mut self, head: Expr, body: Vec<Expr>, rule: &Rule) {
        let kind = Kind::Rule { body: conjunction(body) };
        self.statements.push(Statement { span: rule.span, head, kind });
    }

    fn operation(&mut self, head: Expr, condition: Vec<Expr>, effect: Expr, span: Span) {
        let kind = Kind::Operation { condition: conjunction(condition), effects: effect };
        self.statements.push(Statement { span, head, kind });
    }

    /// Every move asks for what happens whatever the move is.
    fn requests(&self, span: Span) -> Vec<Statement> {
        let operations = self.statements.iter().filter_map(|statement| match statement.kind {
            Kind::Operation { .. } => functor(&statement.head),
            Kind::Rule { .. } => None,
        });
        let asked: HashSet<Functor> = operations.collect();
        let requests = |action: &Functor| {
            let head = general(&action.0, action.1);
            let ticks = [Vec::new(), vec![head.clone()]].into_iter().enumerate();
            let ticks =
                ticks.filter(|&(arity, _)| asked.contains(&(self.names.tick.clone(), arity)));
            let effects: Vec<Expr> =
                ticks.map(|(_, items)| sentence(&self.names.tick, items, span)).collect();
            let kind = Kind::Operation { condition: None, effects: conjunction(effects)? };
            Some(Statement { span, head, kind })
        };
        self.turn.moves().iter().filter_map(requests).collect()
    }
}

/// Several conditions or effects as one.
fn conjunction(mut all: Vec<Expr>) -> Option<Expr> {
    match all.len() {
        0 => None,
        1 => Some(all.remove(0)),
        _ => Some(sentence("and", all, Span::default())),
    }
}

/// `name` with so many variables.
fn general(name: &str, arity: usize) -> Expr {
    let letter = |number: usize| match (arity, number) {
        (..=3, _) => ["?x", "?y", "?z"][number].to_owned(),
        _ => format!("?x{}", number + 1),
    };
    let variable = |number| super::sheet::atom(&letter(number), Span::default());
    sentence(name, (0..arity).map(variable).collect(), Span::default())
}
