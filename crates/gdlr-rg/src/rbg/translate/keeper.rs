//! The moves of the keeper.
//!
//! The keeper of Regular Games has one move. The keeper of Regular Boardgames may have several,
//! which have the same completion; here it takes the first in the order of the text. If more than
//! one edge may be open, the automaton checks one after the other whether the move can be completed
//! on it. Between such a choice and its repetition there must be a modifier. Otherwise a keeper
//! could go round for ever, and the game is refused.

use super::{Emitter, Mode, Translated, named};
use crate::rbg::analysis::are_exclusive;
use crate::rbg::program::{Act, Edge, Node};
use crate::rbg::relation::{Bits, Kind};
use crate::rg::{Label, Name};
use gdlr_text::diagnostic::{Code, Diagnostic};

/// The part of an edge that the keeper takes.
#[derive(Clone, Copy)]
enum Choice {
    /// An action with one result.
    Whole,
    /// One of the functions of a relation.
    Function(usize),
    /// Any square of a set.
    Any,
}

impl Emitter<'_> {
    pub(super) fn emit_keeper(&mut self, node: Node) -> Translated<()> {
        let program = self.program;
        let from = self.node(node, Mode::Keeper);
        let edges: Vec<&Edge> =
            program.leaving(node).map(|(_, edge)| edge).filter(|it| self.completes(it)).collect();
        let choices: Vec<(&Edge, Choice)> = edges
            .iter()
            .flat_map(|edge| self.choices(edge).into_iter().map(|choice| (*edge, choice)))
            .collect();
        let exclusive = choices.len() == edges.len()
            && edges.iter().enumerate().all(|(number, edge)| {
                edges[..number].iter().all(|other| are_exclusive(program, other, edge))
            });
        if exclusive {
            return choices
                .into_iter()
                .try_for_each(|(edge, choice)| self.take(edge, choice, from));
        }
        self.refuse_cycles(node)?;
        let mut at = from;
        for (number, (edge, choice)) in choices.iter().enumerate() {
            self.at = edge.place;
            if number + 1 == choices.len() {
                return self.take(edge, *choice, at);
            }
            let test = self.naming.node("try");
            match choice {
                Choice::Function(function) => {
                    let Act::Move(id) = edge.act else { continue };
                    let sure = self.analysis.sure[edge.to as usize];
                    let to = if sure { self.found } else { self.node(edge.to, Mode::Test) };
                    self.function((id, *function), test, to, self.leads(edge, to))?;
                }
                Choice::Whole | Choice::Any => self.test_edge(edge, test)?,
            }
            let (yes, no) = (self.naming.node("take"), self.naming.node("else"));
            self.ask(test, at, yes, no)?;
            self.take(edge, *choice, yes)?;
            at = no;
        }
        Ok(())
    }

    fn choices(&self, edge: &Edge) -> Vec<Choice> {
        let Act::Move(id) = edge.act else { return vec![Choice::Whole] };
        let relation = &self.program.relations[id.0 as usize];
        match relation.kind() {
            Kind::Constant(_, targets) if targets.len() > 1 => vec![Choice::Any],
            Kind::Other => (0..relation.functions().len()).map(Choice::Function).collect(),
            _ => vec![Choice::Whole],
        }
    }

    /// Adds the edges of a choice that is open, or that is the only one.
    fn take(&mut self, edge: &Edge, choice: Choice, from: Name) -> Translated<()> {
        self.at = edge.place;
        if let Act::Switch(player) = edge.act {
            let at = self.forget(edge.to, from)?;
            let turn = self.turn(edge.to, player);
            return self.edge(at, turn, Label::Skip);
        }
        let to = self.node(edge.to, Mode::Keeper);
        match (choice, &edge.act) {
            (Choice::Function(number), Act::Move(id)) => {
                self.function((*id, number), from, to, self.leads(edge, to))
            }
            (Choice::Any, Act::Move(id)) => {
                let relation = &self.program.relations[id.0 as usize];
                let Kind::Constant(domain, targets) = relation.kind() else { return Ok(()) };
                let from = self.in_domain(&domain, from)?;
                self.first(edge.to, &targets, from, to)
            }
            _ => self.act(edge, from, to),
        }
    }

    /// Goes to the first square of a set from which the move can be completed.
    fn first(&mut self, node: Node, squares: &Bits, from: Name, to: Name) -> Translated<()> {
        let members: Vec<usize> = squares.iter().collect();
        let looks = self.naming.node("look");
        let (target, value) = (named(self.here), named(self.squares[members[0]]));
        self.edge(from, looks, Label::Assign { target, value })?;
        if self.analysis.sure[node as usize] {
            return self.edge(looks, to, Label::Skip);
        }
        let test = self.node(node, Mode::Test);
        let further = self.naming.node("further");
        self.ask(test, looks, to, further)?;
        let next = self.successor(&members)?;
        let here = super::actions::cast(self.square_type, named(self.here));
        let value = super::access(next, vec![here]);
        let target = named(self.here);
        self.edge(further, looks, Label::Assign { target, value })
    }

    /// A map from each square of a list to the next one.
    pub(super) fn successor(&mut self, members: &[usize]) -> Translated<Name> {
        if let Some(map) = self.successors.get(members) {
            return Ok(*map);
        }
        let keys = self.squares.clone();
        let mut values = keys.clone();
        for pair in members.windows(2) {
            values[pair[0]] = keys[pair[1]];
        }
        let all = (self.square_type, &keys[..]);
        let map = self.declare_map("after", all, (self.square_type, &values))?;
        self.successors.insert(members.to_vec(), map);
        Ok(map)
    }

    /// Refuses a choice that a walk reaches again without a modifier.
    fn refuse_cycles(&mut self, node: Node) -> Translated<()> {
        let program = self.program;
        let mut seen = vec![false; program.nodes];
        let mut open = vec![node];
        while let Some(at) = open.pop() {
            for (_, edge) in program.leaving(at).filter(|(_, edge)| self.completes(edge)) {
                if edge.act.is_modifier() {
                    continue;
                }
                if edge.to == node {
                    let message = "the keeper may go round here in more than one way";
                    let error = Diagnostic::new(Code::RbgKeeper, edge.place.0, message);
                    let help = "write a test that tells when to go on, or let a player go";
                    return Err(Box::new(error.with_help(help)));
                }
                if !std::mem::replace(&mut seen[edge.to as usize], true) {
                    open.push(edge.to);
                }
            }
        }
        Ok(())
    }
}
