//! Which arguments speak of the same things.
//!
//! GDL has no types, but a variable that stands in two places says that both have values of
//! one *sort*: in `(<= (next (cell ?x ?y o)) (does p (mark ?x ?y)))` the columns of cells are
//! those of moves. Sorts are the classes of the least congruence on the places of terms that
//! contains all of these pairs. Relations that never change do not join sorts: `succ` orders
//! the columns of a board and the steps of a counter alike. What they tell is that two values
//! of a sort are *neighbours*.

use super::form::Step;
use gdlr_rules::gdl::{Dependencies, Game, Literal, LiteralKind, RelationName, Sentence, Symbol};
use gdlr_rules::gdl::{Term, Variable};
use gdlr_text::graph::Worklist;
use hashbrown::{HashMap, HashSet};
use std::collections::BTreeMap;

/// The number of a place in terms.
type Node = u32;

/// A class of places whose values are of one sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Sort(Node);

/// How often the variables of a sort have names that say which axis it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Hints {
    /// `?x`, `?file`, `?col`.
    pub(super) across: u32,
    /// `?y`, `?rank`.
    pub(super) up: u32,
    /// `?row`, `?i`.
    pub(super) down: u32,
}

/// The evidence of the rules about the values at a place.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Evidence {
    /// The sort, if the rules speak of the place.
    pub(super) sort: Option<Sort>,
    /// Whether they are roles.
    pub(super) of_roles: bool,
    /// Whether they are parts of moves.
    pub(super) in_moves: bool,
    /// Whether a relation that never changes relates them to each other.
    pub(super) have_neighbours: bool,
    /// Whether one relates them to parts of moves, of another sort.
    pub(super) near_moves: bool,
    /// Whether a variable ever stands there.
    has_variables: bool,
    /// The names of the variables.
    pub(super) hints: Hints,
}

/// The sorts of a game.
pub(super) struct Sorts {
    parents: Vec<Node>,
    /// By class: the places one step further in.
    children: Vec<BTreeMap<Step, Node>>,
    /// By class: the constants that the rules write there.
    constants: Vec<HashSet<Symbol>>,
    roots: HashMap<(RelationName, u16), Node>,
    /// Pairs of places whose variables a relation that never changes has in common.
    related: Vec<(Node, Node)>,
    /// The names of variables.
    named: Vec<(Node, Hints)>,
    /// By class, at the end.
    evidence: HashMap<Node, Evidence>,
    /// The classes that are parts of moves.
    of_moves: Vec<Node>,
}

/// The meaning of the name of a variable.
fn hints(name: &str) -> Hints {
    let name = name.trim_start_matches('?').to_ascii_lowercase();
    let name = name.trim_end_matches(|c: char| !c.is_ascii_alphabetic());
    let mut hints = Hints::default();
    match name {
        "x" | "c" | "file" | "j" => hints.across = 1,
        "y" | "rank" => hints.up = 1,
        "r" | "i" => hints.down = 1,
        _ if name.starts_with("col") => hints.across = 1,
        _ if name.starts_with("row") => hints.down = 1,
        _ => {}
    }
    hints
}

/// The relations that depend on the state or on moves.
fn dynamic(game: &Game) -> HashSet<RelationName> {
    let graph = Dependencies::new(&game.rules);
    let mut dynamic = vec![false; graph.relations.len()];
    for component in &graph.components {
        let changes = |&relation: &u32| {
            let name = graph.relations[relation as usize].symbol;
            let of_state = matches!(
                name,
                Symbol::TRUE
                    | Symbol::DOES
                    | Symbol::INIT
                    | Symbol::NEXT
                    | Symbol::LEGAL
                    | Symbol::ROLE
                    | Symbol::GOAL
            );
            of_state
                || graph.conditions[relation as usize].iter().any(|&(to, _)| dynamic[to as usize])
        };
        let any = component.iter().any(changes);
        component.iter().for_each(|&relation| dynamic[relation as usize] |= any);
    }
    let names = graph.relations.iter().zip(dynamic);
    names.filter(|(_, dynamic)| *dynamic).map(|(name, _)| *name).collect()
}

impl Sorts {
    /// The sorts of a game. Near linear in its rules.
    pub(super) fn of(game: &Game) -> Sorts {
        let mut sorts = Sorts {
            parents: Vec::new(),
            children: Vec::new(),
            constants: Vec::new(),
            roots: HashMap::new(),
            related: Vec::new(),
            named: Vec::new(),
            evidence: HashMap::new(),
            of_moves: Vec::new(),
        };
        let role = sorts.root(RelationName { symbol: Symbol::ROLE, arity: 1 }, 0);
        for symbol in [Symbol::DOES, Symbol::GOAL] {
            let player = sorts.root(RelationName { symbol, arity: 2 }, 0);
            sorts.join(role, player);
        }
        let dynamic = dynamic(game);
        for rule in &game.rules {
            let name = RelationName { symbol: rule.head.relation, arity: rule.head.args.len() };
            if !dynamic.contains(&name) {
                continue;
            }
            let mut of_rule = OfRule { nodes: vec![None; rule.variables.len()], dynamic: &dynamic };
            sorts.sentence(&rule.head, &mut of_rule);
            rule.body.iter().for_each(|literal| sorts.literal(literal, &mut of_rule));
            rule.body.iter().for_each(|literal| sorts.neighbours(literal, &of_rule));
            for (node, name) in of_rule.nodes.iter().zip(&rule.variables) {
                if let Some(node) = node {
                    sorts.named.push((*node, hints(name)));
                }
            }
        }
        sorts.conclude(role);
        sorts
    }

    /// The evidence at the end.
    fn conclude(&mut self, role: Node) {
        let role = self.find(role);
        self.evidence.entry(role).or_default().of_roles = true;
        for (node, hints) in std::mem::take(&mut self.named) {
            let evidence = self.evidence.entry(find(&self.parents, node)).or_default();
            evidence.has_variables = true;
            evidence.hints.across += hints.across;
            evidence.hints.up += hints.up;
            evidence.hints.down += hints.down;
        }
        let moves = self.root(RelationName { symbol: Symbol::DOES, arity: 2 }, 1);
        let mut open = Worklist::sparse();
        open.push(self.find(moves));
        while let Some(node) = open.pop() {
            self.evidence.entry(node).or_default().in_moves = true;
            self.of_moves.push(node);
            open.extend(self.children[node as usize].values().map(|&n| find(&self.parents, n)));
        }
        let of_moves = open.into_met();
        for (a, b) in std::mem::take(&mut self.related) {
            let (a, b) = (find(&self.parents, a), find(&self.parents, b));
            for (one, other) in [(a, b), (b, a)] {
                let near = of_moves.contains(&other);
                let evidence = self.evidence.entry(one).or_default();
                evidence.have_neighbours |= a == b;
                evidence.near_moves |= near;
            }
        }
    }

    /// The evidence of the rules about the values at the end of a path through a fact.
    pub(super) fn at(&self, path: &[Step], values: &[Symbol]) -> Evidence {
        let fact = (RelationName { symbol: Symbol::TRUE, arity: 1 }, 0);
        let node = self.roots.get(&fact).and_then(|&root| {
            let mut node = find(&self.parents, root);
            for step in path {
                node = find(&self.parents, *self.children[node as usize].get(step)?);
            }
            Some(node)
        });
        let mut evidence = Evidence::default();
        if let Some(node) = node {
            evidence = self.evidence.get(&node).copied().unwrap_or_default();
            evidence.sort = Some(Sort(node));
        }
        // Rules without variables say nothing but by their constants.
        if !evidence.in_moves && !evidence.has_variables {
            evidence.in_moves = self.of_moves.iter().any(|&node| {
                let constants = &self.constants[node as usize];
                constants.len() >= values.len() && values.iter().all(|v| constants.contains(v))
            });
        }
        evidence
    }

    fn root(&mut self, relation: RelationName, place: u16) -> Node {
        let symbol = match relation.symbol {
            Symbol::INIT | Symbol::NEXT => Symbol::TRUE,
            Symbol::LEGAL => Symbol::DOES,
            other => other,
        };
        let key = (RelationName { symbol, ..relation }, place);
        match self.roots.get(&key) {
            Some(&node) => node,
            None => {
                let node = self.fresh();
                self.roots.insert(key, node);
                node
            }
        }
    }

    fn fresh(&mut self) -> Node {
        let node = self.parents.len() as Node;
        self.parents.push(node);
        self.children.push(BTreeMap::new());
        self.constants.push(HashSet::new());
        node
    }

    fn find(&mut self, node: Node) -> Node {
        let root = find(&self.parents, node);
        let mut at = node;
        while at != root {
            at = std::mem::replace(&mut self.parents[at as usize], root);
        }
        root
    }

    /// Two places have values of one sort, and so have the places within them.
    fn join(&mut self, a: Node, b: Node) {
        let mut open = vec![(a, b)];
        while let Some((a, b)) = open.pop() {
            let (a, b) = (self.find(a), self.find(b));
            if a == b {
                continue;
            }
            let weight =
                |s: &Sorts, n: Node| s.children[n as usize].len() + s.constants[n as usize].len();
            let (keep, give) = if weight(self, a) < weight(self, b) { (b, a) } else { (a, b) };
            self.parents[give as usize] = keep;
            let constants = std::mem::take(&mut self.constants[give as usize]);
            self.constants[keep as usize].extend(constants);
            for (step, child) in std::mem::take(&mut self.children[give as usize]) {
                match self.children[keep as usize].get(&step) {
                    Some(&known) => open.push((known, child)),
                    None => {
                        self.children[keep as usize].insert(step, child);
                    }
                }
            }
        }
    }

    fn sentence(&mut self, sentence: &Sentence, of_rule: &mut OfRule) {
        let arity = sentence.args.len();
        let name = RelationName { symbol: sentence.relation, arity };
        if !of_rule.dynamic.contains(&name) {
            return;
        }
        for (place, arg) in sentence.args.iter().enumerate() {
            let Ok(place) = u16::try_from(place) else { return };
            let node = self.root(name, place);
            self.term(arg, node, of_rule);
        }
    }

    fn term(&mut self, term: &Term, node: Node, of_rule: &mut OfRule) {
        match term {
            Term::Variable(Variable(variable)) => match of_rule.nodes[usize::from(*variable)] {
                Some(known) => self.join(known, node),
                None => of_rule.nodes[usize::from(*variable)] = Some(node),
            },
            Term::Constant(symbol) => {
                let node = self.find(node);
                self.constants[node as usize].insert(*symbol);
            }
            Term::Function(name, args) => {
                let Ok(arity) = u16::try_from(args.len()) else { return };
                for (place, arg) in args.iter().enumerate() {
                    let step = (*name, arity, place as u16);
                    let node = self.find(node);
                    let child = match self.children[node as usize].get(&step) {
                        Some(&child) => child,
                        None => {
                            let child = self.fresh();
                            self.children[node as usize].insert(step, child);
                            child
                        }
                    };
                    self.term(arg, child, of_rule);
                }
            }
        }
    }

    fn literal(&mut self, literal: &Literal, of_rule: &mut OfRule) {
        literal.for_each_sentence(&mut |sentence, _| self.sentence(sentence, of_rule));
    }

    /// Notes the variables that relations that never change have in common.
    fn neighbours(&mut self, literal: &Literal, of_rule: &OfRule) {
        if let LiteralKind::Distinct(..) = literal.kind {
            return;
        }
        literal.for_each_sentence(&mut |sentence, _| {
            let name = RelationName { symbol: sentence.relation, arity: sentence.args.len() };
            if of_rule.dynamic.contains(&name) || name.arity > super::form::MOST_GAPS {
                return;
            }
            let node = |term: &Term| match term {
                Term::Variable(Variable(variable)) => {
                    of_rule.nodes[usize::from(*variable)].map(|node| (*variable, node))
                }
                _ => None,
            };
            let nodes: Vec<(u16, Node)> = sentence.args.iter().filter_map(node).collect();
            for (at, &(a, one)) in nodes.iter().enumerate() {
                for &(b, other) in &nodes[at + 1..] {
                    if a != b {
                        self.related.push((one, other));
                    }
                }
            }
        });
    }
}

/// The class of a place. Not `gdlr_text::classes::Classes`, of which the least number stands for a class:
/// here the one with more children and constants does, so that few of them move, and questions about sorts do
/// not change them.
fn find(parents: &[Node], mut node: Node) -> Node {
    while parents[node as usize] != node {
        node = parents[node as usize];
    }
    node
}

/// The evidence so far, while a rule is read.
struct OfRule<'d> {
    /// By variable: where it stands.
    nodes: Vec<Option<Node>>,
    dynamic: &'d HashSet<RelationName>,
}
