//! Graphs that call themselves.
//!
//! A call is expanded, so the expansion of a graph that calls itself would never end. There is one
//! exception: a check `reachable(g(…))` of a `reusable` graph may be in the graph itself. The copy
//! for checks is shared, and each check has a state of its own.

use super::scope::Checker;
use crate::hrg::calls::{calls_of, for_each_statement};
use crate::rg::Name;
use gdlr_text::diagnostic::{Code, Diagnostic};
use gdlr_text::graph::strongly_connected;
use hashbrown::HashMap;

impl Checker<'_> {
    pub fn recursion(&mut self) {
        let game = self.game;
        let numbers: HashMap<Name, usize> =
            game.graphs.iter().enumerate().map(|(at, graph)| (graph.name.name, at)).collect();
        let mut successors: Vec<Vec<u32>> = vec![Vec::new(); game.graphs.len()];
        let mut calls = Vec::new();
        for (at, graph) in game.graphs.iter().enumerate() {
            for_each_statement(&graph.body, &mut |statement| {
                for call in calls_of(game, &statement.action) {
                    let Some(&called) = numbers.get(&call.graph.name) else { continue };
                    if !(call.check && game.graphs[called].reusable) {
                        successors[at].push(called as u32);
                        calls.push((at, called, call.graph));
                    }
                }
            });
        }
        let mut component = vec![0; game.graphs.len()];
        for (number, nodes) in strongly_connected(&successors).into_iter().enumerate() {
            nodes.into_iter().for_each(|node| component[node as usize] = number);
        }
        for (caller, called, name) in calls {
            if component[caller] != component[called] {
                continue;
            }
            let (caller, called) = (game.graphs[caller].name, game.graphs[called].name);
            let text = self.text(caller.name);
            self.findings.report(Code::HrgRecursion, || {
                let message = match caller.name == called.name {
                    true => format!("the graph `{text}` calls itself"),
                    false => format!("by this call, the graph `{text}` calls itself"),
                };
                Diagnostic::new(Code::HrgRecursion, name.place.0, message).with_help(
                    "calls are expanded; a graph goes on with `loop`, and only a `reusable` one \
                     may check whether its own end is reachable",
                )
            });
        }
    }
}

/// The nodes on cycles of a graph.
pub(super) fn on_cycles(successors: &[Vec<u32>]) -> Vec<usize> {
    let mut nodes = Vec::new();
    for component in strongly_connected(successors) {
        let own = |&node: &u32| successors[node as usize].contains(&node);
        if component.len() > 1 || component.iter().any(own) {
            nodes.extend(component.into_iter().map(|node| node as usize));
        }
    }
    nodes.sort_unstable();
    nodes
}
