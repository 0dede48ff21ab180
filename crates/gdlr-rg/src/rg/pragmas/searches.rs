//! The walks of searches. A search for moves goes from the beginning of a move to its end. The
//! search of a reachability check goes from its beginning to its target.

use super::analysed::AnalysedProgram;
use crate::rg::optimise::flow::sets::SetRef;
use crate::rg::optimise::program::{EdgeId, Label, Node, Program};
use gdlr_text::budget::{Exhausted, Meter};
use gdlr_text::graph::for_each_component;

/// The goal of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// All moves of a state.
    Moves,
    /// A walk to the target of a check.
    Checks,
}

/// The walks of all searches with the same goal.
pub struct Searches {
    /// The goal.
    pub goal: Goal,
    /// The nodes that searches reach, in reverse postorder: each after a node that leads to it.
    pub order: Vec<Node>,
    /// By node: whether a search begins there.
    starts: Vec<bool>,
    /// By node: whether a search reaches it.
    reached: Vec<bool>,
    /// By node: the beginnings of the searches that reach it; `None` if there are too many.
    begun: Vec<Option<SetRef>>,
    /// By node: whether it is the target of every search that reaches it.
    targets: Vec<bool>,
    /// By node: whether a walk of a search may reach it again.
    cyclic: Vec<bool>,
}

impl Searches {
    /// The searches of an automaton. A check may be made at every node that walks reach.
    ///
    /// # Errors
    ///
    /// When the budget is exhausted.
    pub fn new(
        analysed: &mut AnalysedProgram,
        goal: Goal,
        meter: &Meter<'_>,
    ) -> Result<Searches, Exhausted> {
        let program = &analysed.program;
        let mut starts = vec![false; program.node_count()];
        let mut targets = vec![false; program.node_count()];
        match goal {
            Goal::Moves => {
                starts[Node::BEGIN.index()] = true;
                for (id, edge) in program.edges() {
                    starts[edge.to.index()] |=
                        analysed.is_taken(id) && program.ends_move(edge.label);
                }
            }
            Goal::Checks => {
                let checks = program.edges().filter_map(|(id, edge)| match edge.label {
                    Label::Reach { from, to, .. } if analysed.at(edge.from).is_some() => {
                        Some((id, from, to))
                    }
                    _ => None,
                });
                let checks: Vec<(Node, Node)> = checks.map(|(_, from, to)| (from, to)).collect();
                for &(from, _) in &checks {
                    starts[from.index()] = true;
                }
                targets = only_targets(program, &checks, meter)?;
            }
        }
        let mut searches = Searches {
            goal,
            order: Vec::new(),
            reached: vec![false; starts.len()],
            begun: Vec::new(),
            starts,
            targets,
            cyclic: Vec::new(),
        };
        searches.walk(analysed, meter)?;
        searches.trace(analysed, meter)?;
        searches.find_cycles(analysed, meter)?;
        Ok(searches)
    }

    /// Whether a search begins at a node.
    pub fn begins_at(&self, node: Node) -> bool {
        self.starts[node.index()]
    }

    /// Whether a search reaches a node.
    pub fn reaches(&self, node: Node) -> bool {
        self.reached[node.index()]
    }

    /// Whether a node is the target of all searches that reach it, so that they end.
    pub fn ends_at(&self, node: Node) -> bool {
        self.targets[node.index()]
    }

    /// Whether a search follows an edge.
    pub fn follows(&self, analysed: &AnalysedProgram, id: EdgeId) -> bool {
        let edge = analysed.program.edge(id);
        analysed.is_taken(id)
            && self.reached[edge.from.index()]
            && !self.targets[edge.from.index()]
            && !(self.goal == Goal::Moves && analysed.program.ends_move(edge.label))
    }

    /// The edges by which searches enter a node.
    pub fn entering(&self, analysed: &AnalysedProgram, node: Node) -> Vec<EdgeId> {
        let entering = analysed.program.entering(node).iter().copied();
        let mut edges: Vec<EdgeId> = entering.filter(|&id| self.follows(analysed, id)).collect();
        edges.sort_unstable();
        edges
    }

    /// The nodes at which the searches begin that reach a node; `None` if there are too many.
    pub fn begun(&self, node: Node) -> Option<SetRef> {
        self.begun[node.index()]
    }

    /// The edge by which searches enter a node, if it is the only one.
    pub fn only_entering(&self, analysed: &AnalysedProgram, node: Node) -> Option<EdgeId> {
        let mut entering = analysed
            .program
            .entering(node)
            .iter()
            .copied()
            .filter(|&id| self.follows(analysed, id));
        entering.next().filter(|_| entering.next().is_none())
    }

    /// Whether a walk of a search may reach a node again.
    pub fn is_on_cycle(&self, node: Node) -> bool {
        self.cyclic[node.index()]
    }

    fn find_cycles(
        &mut self,
        analysed: &AnalysedProgram,
        meter: &Meter<'_>,
    ) -> Result<(), Exhausted> {
        let program = &analysed.program;
        meter.spend(program.node_count())?;
        let to = |id: &EdgeId| program.edge(*id).to.index() as u32;
        let next = |node: u32| {
            let edges = program.leaving(Node::at(node as usize)).iter();
            edges.filter(|&&id| self.follows(analysed, id)).map(to)
        };
        let successors: Vec<Vec<u32>> =
            (0..program.node_count() as u32).map(|node| next(node).collect()).collect();
        let mut cyclic = vec![false; program.node_count()];
        let successor = |node: u32, edge: usize| successors[node as usize].get(edge).copied();
        for_each_component(program.node_count(), successor, |component| {
            let again =
                component.len() > 1 || successors[component[0] as usize].contains(&component[0]);
            component.iter().for_each(|&node| cyclic[node as usize] = again);
        });
        self.cyclic = cyclic;
        Ok(())
    }

    /// Finds the beginnings of the searches that reach each node.
    fn trace(
        &mut self,
        analysed: &mut AnalysedProgram,
        meter: &Meter<'_>,
    ) -> Result<(), Exhausted> {
        let nowhere = analysed.values.sets.of(&[]);
        self.begun = vec![Some(nowhere); analysed.program.node_count()];
        let most = analysed.program.tuning.begun;
        let mut again = true;
        for &node in self.order.iter().filter(|node| self.starts[node.index()]) {
            self.begun[node.index()] = Some(analysed.values.sets.of(&[node.index() as u32]));
        }
        while std::mem::take(&mut again) {
            for &node in &self.order {
                meter.spend(1 + analysed.program.leaving(node).len())?;
                let here = self.begun[node.index()];
                for &id in analysed.program.leaving(node) {
                    let to = analysed.program.edge(id).to.index();
                    if !self.follows(analysed, id) || self.begun[to] == here {
                        continue;
                    }
                    let joined = here.zip(self.begun[to]).and_then(|(here, there)| {
                        let both = analysed.values.sets.union(here, there);
                        (analysed.values.sets.members(both).len() <= most).then_some(both)
                    });
                    again |= std::mem::replace(&mut self.begun[to], joined) != joined;
                }
            }
        }
        Ok(())
    }

    /// Finds the nodes that searches reach, in reverse postorder.
    fn walk(&mut self, analysed: &AnalysedProgram, meter: &Meter<'_>) -> Result<(), Exhausted> {
        let program = &analysed.program;
        let mut order = Vec::new();
        let mut open: Vec<(Node, usize)> = Vec::new();
        for start in program.nodes().filter(|node| self.starts[node.index()]) {
            if analysed.at(start).is_none()
                || std::mem::replace(&mut self.reached[start.index()], true)
            {
                continue;
            }
            open.push((start, 0));
            while let Some((node, next)) = open.last_mut() {
                meter.spend(1)?;
                let Some(&id) = program.leaving(*node).get(*next) else {
                    order.push(*node);
                    open.pop();
                    continue;
                };
                *next += 1;
                let to = program.edge(id).to;
                if self.follows(analysed, id)
                    && !std::mem::replace(&mut self.reached[to.index()], true)
                {
                    open.push((to, 0));
                }
            }
        }
        order.reverse();
        self.order = order;
        Ok(())
    }
}

/// By node: whether it is the target of all checks whose walks may reach it.
fn only_targets(
    program: &Program,
    checks: &[(Node, Node)],
    meter: &Meter<'_>,
) -> Result<Vec<bool>, Exhausted> {
    /// The targets of the checks whose walks reach a node.
    #[derive(Clone, Copy, PartialEq)]
    enum Wanted {
        Nothing,
        Only(Node),
        Several,
    }
    let mut wanted = vec![Wanted::Nothing; program.node_count()];
    let mut open = Vec::new();
    let mut tell = |node: Node, new: Wanted, open: &mut Vec<Node>| {
        let old = &mut wanted[node.index()];
        let joined = match (*old, new) {
            (Wanted::Nothing, one) | (one, Wanted::Nothing) => one,
            (old, new) if old == new => old,
            _ => Wanted::Several,
        };
        if joined != *old {
            *old = joined;
            open.push(node);
        }
        joined
    };
    for &(from, to) in checks {
        tell(from, Wanted::Only(to), &mut open);
        while let Some(node) = open.pop() {
            let here = tell(node, Wanted::Nothing, &mut Vec::new());
            if here == Wanted::Only(node) {
                continue;
            }
            meter.spend(1 + program.leaving(node).len())?;
            for edge in program.edges_from(node) {
                tell(edge.to, here, &mut open);
            }
        }
    }
    let targets =
        wanted.iter().enumerate().map(|(index, wanted)| *wanted == Wanted::Only(Node::at(index)));
    Ok(targets.collect())
}
