//! The rules as a graph: nodes, and edges with actions between them.
//!
//! Thompson's construction turns the rules into edges. Edges without an action are contracted where
//! that keeps the words. Parts of the rules that depend only on the square are composed to
//! [relations](super::relation). Equal patterns share one part of the graph.

use super::ast::{Action, Arithmetic, Comparison, Game, PieceId, Rule, VariableId};
use super::limits::Limits;
use super::relation::{Kind, Relation, RelationId, Relations, after, either};
use crate::rg::Place;
use gdlr_text::diagnostic::{Code, Diagnostic};
use hashbrown::HashMap;
use std::rc::Rc;

/// A node, by number.
pub(super) type Node = u32;

/// A pattern, by its first and last node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Pattern {
    pub start: Node,
    pub end: Node,
}

/// The action of an edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Act {
    Skip,
    Move(RelationId),
    On(Vec<PieceId>),
    Off(PieceId),
    Assign(VariableId, Arithmetic),
    Compare(Arithmetic, Comparison, Arithmetic),
    Pattern {
        negated: bool,
        pattern: usize,
    },
    Switch(Option<VariableId>),
    /// Remembers the current square. The rules have no such action: [`returns`](super::returns)
    /// adds it.
    Remember,
    /// Goes back to the square that was remembered.
    Return,
    /// Counts a piece. The rules have no such action: [`late_counts`](super::late_counts) adds it.
    Count(PieceId),
}

impl Act {
    /// Whether the action is a modifier, and so a part of a move.
    pub fn is_modifier(&self) -> bool {
        matches!(self, Act::Off(_) | Act::Assign(..) | Act::Switch(_))
    }
}

/// An edge.
#[derive(Clone, Debug)]
pub(super) struct Edge {
    pub from: Node,
    pub to: Node,
    pub act: Act,
    pub place: Place,
}

/// The rules as a graph.
pub(super) struct Program {
    pub start: Node,
    pub nodes: usize,
    pub squares: usize,
    pub edges: Vec<Edge>,
    /// By node: the edges that leave it, in the order of the text.
    pub leaving: Vec<Vec<usize>>,
    pub patterns: Vec<Pattern>,
    pub relations: Vec<Rc<Relation>>,
}

impl Program {
    /// The graph of a game.
    ///
    /// # Errors
    ///
    /// When the rules exceed the limits.
    pub fn new(game: &Game, limits: Limits) -> Result<Program, Diagnostic> {
        let mut builder = Builder {
            limits,
            nodes: 0,
            edges: Vec::new(),
            patterns: Vec::new(),
            known_patterns: HashMap::new(),
            made: Relations::new(&game.board),
            relations: Vec::new(),
            known_relations: HashMap::new(),
        };
        let (start, end) = (builder.node(), builder.node());
        builder.rule(&game.rules, start, end)?;
        let Builder { nodes, edges, patterns, relations, .. } = builder;
        let mut program = Program {
            start,
            nodes: nodes as usize,
            squares: game.board.squares.len(),
            edges,
            leaving: Vec::new(),
            patterns,
            relations,
        };
        program.contract();
        Ok(program)
    }

    /// The edges that leave a node.
    pub fn leaving(&self, node: Node) -> impl DoubleEndedIterator<Item = (usize, &Edge)> {
        self.leaving[node as usize].iter().map(|number| (*number, &self.edges[*number]))
    }

    /// Adds a node.
    pub fn add_node(&mut self) -> Node {
        self.leaving.push(Vec::new());
        self.nodes += 1;
        self.nodes as Node - 1
    }

    /// Adds an edge after the others that leave its node.
    pub fn add_edge(&mut self, edge: Edge) {
        self.leaving[edge.from as usize].push(self.edges.len());
        self.edges.push(edge);
    }

    /// Contracts edges without an action: the two nodes become one if the edge is the only one that
    /// leaves the first, or the only one that enters the second.
    fn contract(&mut self) {
        let mut joined: Vec<Node> = (0..self.nodes as Node).collect();
        let (mut leaving, mut entering) = (vec![0usize; self.nodes], vec![0usize; self.nodes]);
        for edge in &self.edges {
            leaving[edge.from as usize] += 1;
            entering[edge.to as usize] += 1;
        }
        // A node where walks begin counts as entered.
        entering[self.start as usize] += 1;
        for pattern in &self.patterns {
            entering[pattern.start as usize] += 1;
            // A node where walks end counts as left.
            leaving[pattern.end as usize] += 1;
        }
        let mut contracted = vec![false; self.edges.len()];
        loop {
            let mut changed = false;
            for (number, edge) in self.edges.iter().enumerate() {
                if contracted[number] || edge.act != Act::Skip {
                    continue;
                }
                let [from, to] = [edge.from, edge.to].map(|node| root(&mut joined, node));
                let alone = leaving[from as usize] == 1 || entering[to as usize] == 1;
                if from != to && !alone {
                    continue;
                }
                contracted[number] = true;
                changed = true;
                leaving[from as usize] -= 1;
                entering[to as usize] -= 1;
                if from != to {
                    joined[to as usize] = from;
                    leaving[from as usize] += leaving[to as usize];
                    entering[from as usize] += entering[to as usize];
                }
            }
            if !changed {
                break;
            }
        }
        let mut numbers = contracted.iter();
        self.edges.retain(|_| numbers.next() == Some(&false));
        for edge in &mut self.edges {
            edge.from = root(&mut joined, edge.from);
            edge.to = root(&mut joined, edge.to);
        }
        self.start = root(&mut joined, self.start);
        for pattern in &mut self.patterns {
            pattern.start = root(&mut joined, pattern.start);
            pattern.end = root(&mut joined, pattern.end);
        }
        self.leaving = vec![Vec::new(); self.nodes];
        for (number, edge) in self.edges.iter().enumerate() {
            self.leaving[edge.from as usize].push(number);
        }
    }
}

fn root(joined: &mut [Node], mut node: Node) -> Node {
    while joined[node as usize] != node {
        let above = joined[joined[node as usize] as usize];
        joined[node as usize] = above;
        node = above;
    }
    node
}

struct Builder<'a> {
    limits: Limits,
    nodes: Node,
    edges: Vec<Edge>,
    patterns: Vec<Pattern>,
    known_patterns: HashMap<&'a Rule, usize>,
    made: Relations<'a>,
    relations: Vec<Rc<Relation>>,
    known_relations: HashMap<Rc<Relation>, RelationId>,
}

impl<'a> Builder<'a> {
    fn node(&mut self) -> Node {
        self.nodes += 1;
        self.nodes - 1
    }

    fn edge(&mut self, from: Node, to: Node, act: Act, place: Place) -> Result<(), Diagnostic> {
        if self.edges.len() >= self.limits.actions {
            let message = format!("the rules grow beyond {} actions", self.limits.actions);
            return Err(Diagnostic::new(Code::RbgGrowth, place.0, message));
        }
        self.edges.push(Edge { from, to, act, place });
        Ok(())
    }

    fn moves(&mut self, relation: Rc<Relation>) -> Act {
        if matches!(relation.kind(), Kind::Identity) {
            return Act::Skip;
        }
        let next = RelationId(self.relations.len() as u32);
        let id = *self.known_relations.entry(relation.clone()).or_insert(next);
        if id == next {
            self.relations.push(relation);
        }
        Act::Move(id)
    }

    /// Adds the edges of a rule between two nodes.
    fn rule(&mut self, rule: &'a Rule, from: Node, to: Node) -> Result<(), Diagnostic> {
        if let Some(relation) = self.made.of(rule) {
            let act = self.moves(relation);
            return self.edge(from, to, act, place(rule));
        }
        match rule {
            Rule::Sum(parts) => self.sum(parts, from, to),
            Rule::Concat(parts) => self.concat(parts, from, to),
            Rule::Star(inner) => {
                let middle = self.node();
                self.edge(from, middle, Act::Skip, place(inner))?;
                self.rule(inner, middle, middle)?;
                self.edge(middle, to, Act::Skip, place(inner))
            }
            Rule::Power(inner, times) => {
                let mut at = from;
                for time in 0..*times {
                    let next = if time + 1 == *times { to } else { self.node() };
                    self.rule(inner, at, next)?;
                    at = next;
                }
                Ok(())
            }
            Rule::Action(action, place) => self.action(action, *place, from, to),
        }
    }

    /// Adds alternatives. Those that depend only on the square are united into one relation.
    fn sum(&mut self, parts: &'a [Rule], from: Node, to: Node) -> Result<(), Diagnostic> {
        let mut moves: Option<(Rc<Relation>, Place)> = None;
        for part in parts {
            match self.made.of(part) {
                Some(own) => {
                    moves = Some(match moves {
                        Some((all, place)) => (Rc::new(either(&all, &own)), place),
                        None => (own, place(part)),
                    });
                }
                None => self.rule(part, from, to)?,
            }
        }
        if let Some((relation, place)) = moves {
            let act = self.moves(relation);
            self.edge(from, to, act, place)?;
        }
        Ok(())
    }

    /// Adds rules in a row. Neighbours that depend only on the square are composed.
    fn concat(&mut self, parts: &'a [Rule], from: Node, to: Node) -> Result<(), Diagnostic> {
        let mut at = from;
        let mut rest = parts;
        while let Some((first, behind)) = rest.split_first() {
            rest = behind;
            if let Some(mut own) = self.made.of(first) {
                let place = place(first);
                while let Some((next, behind)) = rest.split_first()
                    && self.made.composes()
                    && let Some(other) = self.made.of(next)
                {
                    own = Rc::new(after(&own, &other));
                    rest = behind;
                }
                let next = if rest.is_empty() { to } else { self.node() };
                let act = self.moves(own);
                self.edge(at, next, act, place)?;
                at = next;
                continue;
            }
            let next = if rest.is_empty() { to } else { self.node() };
            self.rule(first, at, next)?;
            at = next;
        }
        if parts.is_empty() {
            self.edge(from, to, Act::Skip, Place::default())?;
        }
        Ok(())
    }

    fn action(
        &mut self,
        action: &'a Action,
        place: Place,
        from: Node,
        to: Node,
    ) -> Result<(), Diagnostic> {
        match action {
            // These depend only on the square.
            Action::Shift(_) | Action::Cut => self.edge(from, to, Act::Skip, place),
            Action::On(pieces) => self.edge(from, to, Act::On(pieces.clone()), place),
            Action::Off(pieces) => {
                pieces.iter().try_for_each(|piece| self.edge(from, to, Act::Off(*piece), place))
            }
            Action::Assign(parts) => {
                let mut at = from;
                for (number, (variable, value)) in parts.iter().enumerate() {
                    let next = if number + 1 == parts.len() { to } else { self.node() };
                    self.edge(at, next, Act::Assign(*variable, value.clone()), place)?;
                    at = next;
                }
                Ok(())
            }
            Action::Compare(left, comparison, right) => {
                let act = Act::Compare(left.clone(), *comparison, right.clone());
                self.edge(from, to, act, place)
            }
            Action::Pattern { negated, rule } => {
                let pattern = self.pattern(rule)?;
                self.edge(from, to, Act::Pattern { negated: *negated, pattern }, place)
            }
            Action::Switch(player) => self.edge(from, to, Act::Switch(*player), place),
        }
    }

    fn pattern(&mut self, rule: &'a Rule) -> Result<usize, Diagnostic> {
        if let Some(pattern) = self.known_patterns.get(rule) {
            return Ok(*pattern);
        }
        let (start, end) = (self.node(), self.node());
        self.rule(rule, start, end)?;
        let pattern = self.patterns.len();
        self.patterns.push(Pattern { start, end });
        self.known_patterns.insert(rule, pattern);
        Ok(pattern)
    }
}

/// The place where a rule begins.
fn place(mut rule: &Rule) -> Place {
    loop {
        match rule {
            Rule::Action(_, place) => return *place,
            Rule::Star(inner) | Rule::Power(inner, _) => rule = inner,
            Rule::Sum(parts) | Rule::Concat(parts) => match parts.first() {
                Some(first) => rule = first,
                None => return Place::default(),
            },
        }
    }
}
