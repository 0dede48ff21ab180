//! Searches that compare every semistate on their way with the claims of pragmas.
//!
//! A search is depth-first and takes edges in their order, like a program that trusts pragmas. The
//! search of a check ends when it finds its target.

use super::claims::{Claim, Claims, PragmaId};
use super::machine::{Fault, Machine, Values};
use crate::rg::name::Name;
use crate::rg::optimise::program::{EdgeId, Label, Node};
use hashbrown::hash_map::Entry;
use hashbrown::{HashMap, HashSet};
use std::rc::Rc;

/// The greatest depth of nested checks.
const MAX_NESTED: usize = 32;

/// A contradiction to a pragma.
#[derive(Clone, Debug)]
pub struct Contradiction {
    /// The pragma.
    pub pragma: PragmaId,
    /// The node.
    pub node: Node,
    /// The semistate there.
    pub values: Values,
    /// The contradiction, in words.
    pub message: String,
}

/// Hash-consed lists of the tags of walks, the last tag first.
#[derive(Clone, Debug, Default)]
struct TagLists(Vec<(u32, Name)>, HashMap<(u32, Name), u32>);

impl TagLists {
    fn with(&mut self, tags: u32, tag: Name) -> u32 {
        let next = self.0.len() as u32 + 1;
        let number = *self.1.entry((tags, tag)).or_insert(next);
        if number == next {
            self.0.push((tags, tag));
        }
        number
    }

    fn list(&self, mut tags: u32) -> Vec<Name> {
        let mut list = Vec::new();
        while let Some(&(before, tag)) = tags.checked_sub(1).and_then(|at| self.0.get(at as usize))
        {
            list.push(tag);
            tags = before;
        }
        list.reverse();
        list
    }
}

/// A move: its tags, and the state that it leads to.
pub type Move = (Vec<Name>, Node, Values);

/// The searches from one state.
pub struct Searching<'a> {
    machine: &'a Machine,
    claims: &'a Claims,
    /// The contradictions that were found.
    pub found: Vec<Contradiction>,
    /// The number of semistates that may still be visited.
    work: usize,
    tags: TagLists,
    /// By check and semistate: whether the target can be reached.
    checks: HashMap<(Node, Node, Values), bool>,
    /// Semistates within moves at nodes with claims about moves.
    pub halts: HashSet<(Node, Values)>,
}

impl<'a> Searching<'a> {
    /// Searches that visit at most so many semistates.
    pub fn new(machine: &'a Machine, claims: &'a Claims, work: usize) -> Searching<'a> {
        Searching {
            machine,
            claims,
            found: Vec::new(),
            work,
            tags: TagLists::default(),
            checks: HashMap::new(),
            halts: HashSet::new(),
        }
    }

    /// All moves of a state.
    pub fn moves(&mut self, node: Node, values: &Values) -> Result<Vec<Move>, Fault> {
        let mut moves = Vec::new();
        self.run((node, values), None, &mut Vec::new(), &mut moves)?;
        Ok(moves)
    }

    /// Searches from a semistate, for `target` if it is given, otherwise for moves. Returns whether
    /// the target was found.
    fn run(
        &mut self,
        (node, values): (Node, &Values),
        target: Option<Node>,
        within: &mut Vec<(Node, Node)>,
        moves: &mut Vec<Move>,
    ) -> Result<bool, Fault> {
        let program = &self.machine.program;
        let mut seen: HashSet<(Node, u32, Values)> = HashSet::new();
        let mut first_values: HashMap<(PragmaId, Node, u32, Vec<Name>), Values> = HashMap::new();
        let mut open = vec![(node, 0, Rc::clone(values))];
        while let Some((node, tags, values)) = open.pop() {
            if target == Some(node) {
                return Ok(true);
            }
            let again = !seen.insert((node, tags, Rc::clone(&values)));
            self.arrive((node, tags, &values), again, &mut first_values);
            if again {
                continue;
            }
            self.work = self.work.checked_sub(1).ok_or(Fault::TooMuch)?;
            if target.is_none() && self.claims.of_moves(node).next().is_some() {
                self.halts.insert((node, Rc::clone(&values)));
            }
            let mut legal = Vec::new();
            let place = open.len();
            for &id in program.leaving(node) {
                let edge = program.edge(id);
                let after = match edge.label {
                    Label::Reach { from, to, negated } => {
                        match self.reaches((from, to), &values, within)? == negated {
                            true => Vec::new(),
                            false => vec![Rc::clone(&values)],
                        }
                    }
                    _ => self.machine.after(id, &values)?,
                };
                if after.is_empty() {
                    continue;
                }
                legal.push(id);
                self.work = self.work.checked_sub(after.len()).ok_or(Fault::TooMuch)?;
                let tags = match self.machine.tag(id, &values) {
                    Some(tag) => self.tags.with(tags, tag),
                    None => tags,
                };
                for values in after {
                    match target.is_none() && program.ends_move(edge.label) {
                        true => moves.push((self.tags.list(tags), edge.to, values)),
                        false => open.push((edge.to, tags, values)),
                    }
                }
            }
            open[place..].reverse();
            self.leave((node, tags, &values), &legal, target.is_none());
        }
        Ok(false)
    }

    fn reaches(
        &mut self,
        (from, to): (Node, Node),
        values: &Values,
        within: &mut Vec<(Node, Node)>,
    ) -> Result<bool, Fault> {
        if let Some(&memoised) = self.checks.get(&(from, to, Rc::clone(values))) {
            return Ok(memoised);
        }
        if within.contains(&(from, to)) {
            return Err(Fault::Invalid);
        }
        if within.len() == MAX_NESTED {
            return Err(Fault::TooMuch);
        }
        within.push((from, to));
        let reached = self.run((from, values), Some(to), within, &mut Vec::new())?;
        within.pop();
        self.checks.insert((from, to, Rc::clone(values)), reached);
        Ok(reached)
    }

    fn say(&mut self, pragma: PragmaId, (node, values): (Node, &Values), message: String) {
        if self.found.iter().all(|found| found.pragma != pragma) {
            let values = Rc::clone(values);
            self.found.push(Contradiction { pragma, node, values, message });
        }
    }

    /// Checks the claims about an arrival at a node.
    fn arrive(
        &mut self,
        (node, tags, values): (Node, u32, &Values),
        again: bool,
        first_values: &mut HashMap<(PragmaId, Node, u32, Vec<Name>), Values>,
    ) {
        let claims = self.claims;
        for (pragma, claim) in claims.of_node(node) {
            match claim {
                Claim::Unique if again => {
                    let message = "a search comes here twice with the same tags and values";
                    self.say(pragma, (node, values), message.to_owned());
                }
                Claim::Repeat { slots } if !again => {
                    let repeated = slots.iter().flat_map(|slots| &values[slots.clone()]);
                    let repeated: Vec<Name> = repeated.copied().collect();
                    match first_values.entry((pragma, node, tags, repeated)) {
                        Entry::Vacant(entry) => {
                            entry.insert(Rc::clone(values));
                        }
                        Entry::Occupied(entry) => {
                            let variable = self.difference(entry.get(), values);
                            let message = format!(
                                "a search comes here twice with the same tags and values of these \
                                 variables, but not of {variable}"
                            );
                            self.say(pragma, (node, values), message);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// A variable with two different values, in words.
    fn difference(&self, one: &Values, other: &Values) -> String {
        let mut variables = self.machine.program.all_variables();
        let differs = |&name: &Name| {
            let slots = self.machine.slots(name);
            one[slots.clone()] != other[slots]
        };
        let name = variables.find(differs).map_or("", |name| self.machine.program.text(name));
        format!("`{name}`")
    }

    /// Checks the claims about the edges that leave a node.
    fn leave(
        &mut self,
        (node, tags, values): (Node, u32, &Values),
        legal: &[EdgeId],
        in_move: bool,
    ) {
        let claims = self.claims;
        for (pragma, claim) in claims.of_node(node) {
            match claim {
                Claim::Disjoint { edges, exhaustive } => {
                    let mut of_these = legal.iter().filter(|id| edges.contains(id));
                    let message = match (of_these.next(), of_these.next()) {
                        (Some(&one), Some(&other)) => {
                            let (one, other) = (self.target(one), self.target(other));
                            format!("the edges to `{one}` and `{other}` are both legal")
                        }
                        (None, _) if *exhaustive => "none of the edges is legal".to_owned(),
                        _ => continue,
                    };
                    self.say(pragma, (node, values), message);
                }
                Claim::Index { index, at_most } if in_move => {
                    if !legal.iter().any(|&id| self.machine.tag(id, values).is_some()) {
                        continue;
                    }
                    let place = self.tags.list(tags).len() as u64;
                    if place > *index || (place < *index && !at_most) {
                        let message = format!("the next tag is at {place}");
                        self.say(pragma, (node, values), message);
                    }
                }
                _ => {}
            }
        }
    }

    fn target(&self, id: EdgeId) -> String {
        let program = &self.machine.program;
        let name = program.node_name(program.edge(id).to);
        name.map_or(String::new(), |name| program.text(name).to_owned())
    }

    /// Checks the claims about the moves of a state.
    pub fn apply(&mut self, node: Node, values: &Values, moves: &[Move]) {
        let claims = self.claims;
        for (tags, to, after) in moves {
            let shown = |machine: &Machine| {
                let tags: Vec<&str> = tags.iter().map(|&tag| machine.program.text(tag)).collect();
                match tags.is_empty() {
                    true => "the move without tags".to_owned(),
                    false => format!("the move `{}`", tags.join(" ")),
                }
            };
            let mut is_covered = false;
            for apply in claims.of_moves(node) {
                let Some(meanings) = apply.meanings(tags) else { continue };
                is_covered |= apply.exhaustive;
                let mut expected = Rc::clone(values);
                let mut invalid = false;
                for &(target, value) in &apply.assignments {
                    let next = self.machine.value(value, &expected, &meanings).and_then(|value| {
                        self.machine.assign(target, &value, &expected, &meanings)
                    });
                    match next {
                        Ok(next) => expected = next,
                        Err(_) => invalid = true,
                    }
                }
                let difference = match (*to == apply.to, expected == *after, invalid) {
                    (false, ..) => "leads to another node".to_owned(),
                    (_, _, true) => "has another meaning: the assignments are not valid".to_owned(),
                    (_, false, _) => {
                        format!("gives {} another value", self.difference(&expected, after))
                    }
                    _ => continue,
                };
                self.say(
                    apply.pragma,
                    (node, values),
                    format!("{} {difference}", shown(self.machine)),
                );
            }
            let mut exhaustive = claims.of_moves(node).filter(|apply| apply.exhaustive);
            if let (Some(apply), false) = (exhaustive.next(), is_covered) {
                let message = format!("{} is left out", shown(self.machine));
                self.say(apply.pragma, (node, values), message);
            }
        }
    }
}
