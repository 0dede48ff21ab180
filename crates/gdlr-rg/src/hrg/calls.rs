//! The calls between graphs, and properties of a graph that need no expansion.

use super::ast::{Action, Application, Expr, ExprKind, Game, Operator, Statement};
use crate::rg::{Ident, Name};
use gdlr_text::graph::Worklist;
use hashbrown::{HashMap, HashSet};

/// A call of a graph.
#[derive(Clone, Copy)]
pub(super) struct Call {
    /// The graph that is called.
    pub graph: Ident,
    /// Whether the call is in `reachable(…)`.
    pub check: bool,
}

/// The words that have the form of calls.
pub(super) const JUMPS: [&str; 4] = ["end", "return", "break", "continue"];

pub(super) struct Calls {
    /// The graphs that may come to an `end()` outside of `reachable(…)`.
    ends: HashSet<Name>,
    /// The parameters that their graphs assign to, by graph and name.
    assigned: HashSet<(Name, Name)>,
}

impl Calls {
    pub fn of(game: &Game) -> Calls {
        let mut assigned = HashSet::new();
        let mut callers: HashMap<Name, Vec<Name>> = HashMap::new();
        let mut open = Worklist::sparse();
        for graph in &game.graphs {
            let name = graph.name.name;
            for_each_statement(&graph.body, &mut |statement| match &statement.action {
                Action::Assign { target, .. } | Action::AssignAny { target, .. } => {
                    assigned.insert((name, target.name));
                }
                Action::Call { graph, .. } if game.names.text(graph.name) == "end" => {
                    open.push(name);
                }
                Action::Call { graph, .. } => callers.entry(graph.name).or_default().push(name),
                _ => {}
            });
        }
        while let Some(name) = open.pop() {
            open.extend(callers.get(&name).into_iter().flatten().copied());
        }
        Calls { ends: open.into_met(), assigned }
    }

    /// Whether a call of a graph may come to an `end()`.
    pub fn may_end(&self, graph: Name) -> bool {
        self.ends.contains(&graph)
    }

    /// Whether a graph assigns to a name, which may be one of its parameters.
    pub fn assigns(&self, graph: Name, parameter: Name) -> bool {
        self.assigned.contains(&(graph, parameter))
    }
}

/// Visits all statements, each before the statements in its blocks.
pub(super) fn for_each_statement<'s>(
    statements: &'s [Statement],
    visit: &mut dyn FnMut(&'s Statement),
) {
    for statement in statements {
        visit(statement);
        for block in blocks(&statement.action) {
            for_each_statement(block, visit);
        }
    }
}

/// The blocks of a statement.
pub(super) fn blocks(action: &Action) -> Vec<&[Statement]> {
    match action {
        Action::Branch(arms) => arms.iter().map(Vec::as_slice).collect(),
        Action::BranchIn { body, .. }
        | Action::Repeat { body, .. }
        | Action::RepeatIn { body, .. }
        | Action::Loop(body)
        | Action::While { body, .. } => vec![body],
        Action::If { arms, otherwise } => {
            let bodies = arms.iter().map(|(_, body)| body.as_slice());
            bodies.chain(otherwise.as_deref()).collect()
        }
        Action::Assign { .. }
        | Action::AssignAny { .. }
        | Action::Call { .. }
        | Action::Tag { .. }
        | Action::TagVariable(_) => Vec::new(),
    }
}

/// The conditions of a statement.
pub(super) fn conditions<'s>(game: &Game, action: &'s Action) -> Vec<&'s Expr> {
    match action {
        Action::While { condition, .. } => vec![condition],
        Action::If { arms, .. } => arms.iter().map(|(condition, _)| condition).collect(),
        Action::Call { graph, arguments } if game.names.text(graph.name) == "check" => {
            arguments.iter().collect()
        }
        _ => Vec::new(),
    }
}

/// The calls of a statement itself, without the calls in its blocks.
pub(super) fn calls_of(game: &Game, action: &Action) -> Vec<Call> {
    let mut calls = Vec::new();
    if let Action::Call { graph, .. } = action {
        let text = game.names.text(graph.name);
        if text != "check" && !JUMPS.contains(&text) {
            calls.push(Call { graph: *graph, check: false });
        }
    }
    for condition in conditions(game, action) {
        for_each_check(game, condition, &mut |graph, _| calls.push(Call { graph, check: true }));
    }
    calls
}

/// Visits all `reachable(…)` of a condition, each with the graph and its arguments.
pub(super) fn for_each_check<'e>(
    game: &Game,
    condition: &'e Expr,
    visit: &mut dyn FnMut(Ident, &'e [Expr]),
) {
    match &condition.kind {
        ExprKind::Chain { first, rest } if matches!(rest[0].0, Operator::And | Operator::Or) => {
            for_each_check(game, first, visit);
            rest.iter().for_each(|(_, operand)| for_each_check(game, operand, visit));
        }
        ExprKind::Apply { base, to } => {
            let (ExprKind::Name(name), [Application::Arguments(arguments)]) = (&base.kind, &to[..])
            else {
                return;
            };
            match (game.names.text(*name), &arguments[..]) {
                ("not", [inner]) => for_each_check(game, inner, visit),
                ("reachable", [inner]) => {
                    if let Some((graph, arguments)) = as_call(inner) {
                        visit(graph, arguments);
                    }
                }
                _ => {}
            }
        }
        _ => {}
    }
}

/// The graph and the arguments of `g(…)`.
pub(super) fn as_call(expr: &Expr) -> Option<(Ident, &[Expr])> {
    let ExprKind::Apply { base, to } = &expr.kind else { return None };
    match (&base.kind, &to[..]) {
        (ExprKind::Name(name), [Application::Arguments(arguments)]) => {
            Some((Ident { name: *name, place: base.place }, arguments))
        }
        _ => None,
    }
}
