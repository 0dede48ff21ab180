//! Facts of the next state that only moves bring about.
//!
//! A role makes one move a step, so two facts that wait for different moves of one role do not come
//! together. Two that wait for moves of different roles do not either, if never both roles may make
//! these moves: what makes the moves legal excludes each other.
//!
//! ```text
//! next (shooter a1) = does white (move b1 a1) or does black (move c1 a1)
//! next (shooter a2) = does white (move b1 a2) or does black (move c1 a2)
//! ```
//!
//! All moves of white need (turn white), and all of black need (turn black). So one step makes one
//! shooter. A proof by cases would go through the moves of each fact for each other fact.

use super::candidates::Group;
use crate::net::gates::{GateId, Net, Operation, Signal};
use hashbrown::HashMap;
use hashbrown::hash_map::Entry;

/// How many gates are looked at for a group of facts, and how deep.
const GATES: usize = 1 << 16;
const DEPTH: usize = 16;

/// The most facts of which it is noted that they hold whenever a signal does.
const IMPLIED: usize = 32;

/// A pair of facts that exclude each other: the group that says so, or `None` if one is the
/// complement of the other.
type Excluded = Option<usize>;

/// What signals of a net need to be true.
pub(super) struct Needs<'n> {
    net: &'n Net,
    /// By signal: facts that hold whenever it does.
    implied: HashMap<Signal, Vec<Signal>>,
    /// How many more gates may be looked at.
    left: usize,
}

impl<'n> Needs<'n> {
    pub fn new(net: &'n Net) -> Self {
        Needs { net, implied: HashMap::new(), left: 0 }
    }

    /// The groups that show, with the moves that some signals need, that no two of the signals are true at
    /// once. `None` if they do not show it. `groups_of` has the groups of a fact of which at most one is true.
    pub fn apart<'g>(
        &mut self,
        signals: &[Signal],
        groups: &[Group],
        groups_of: impl Fn(Signal) -> &'g [u32],
    ) -> Option<Vec<usize>> {
        self.left = GATES;
        // By move: the place of the signal that needs it.
        let mut place_of: HashMap<GateId, usize> = HashMap::new();
        // By role: the facts that all these moves of it need.
        let mut common: Vec<Option<Vec<Signal>>> = vec![None; self.net.roles.into()];
        let signals = signals.iter().enumerate().filter(|(_, signal)| **signal != Signal::FALSE);
        for (place, &signal) in signals {
            for gate in self.moves(signal, DEPTH)? {
                match place_of.entry(gate) {
                    Entry::Occupied(of) if *of.get() == place => continue,
                    Entry::Occupied(_) => return None,
                    Entry::Vacant(of) => of.insert(place),
                };
                let Operation::Input(input) = self.net.operation(gate) else { return None };
                let input = self.net.inputs[input.index()];
                let implied = self.implied(input.legal, DEPTH);
                match &mut common[usize::from(input.role.0)] {
                    Some(common) => common.retain(|fact| implied.contains(fact)),
                    common => *common = Some(implied),
                }
            }
        }
        let roles: Vec<_> = common.into_iter().flatten().collect();
        let excluded = |one: Signal, other: Signal| -> Option<Excluded> {
            let both = |group: &&u32| groups_of(other).contains(*group);
            let says_so = |group: &&u32| !groups[**group as usize].covering;
            match one == !other {
                true => Some(None),
                false if one == other => None,
                false => {
                    let group = groups_of(one).iter().find(|g| both(g) && says_so(g))?;
                    Some(Some(*group as usize))
                }
            }
        };
        let mut used = Vec::new();
        for (at, one) in roles.iter().enumerate() {
            for other in &roles[..at] {
                let mut pairs = one.iter().flat_map(|&a| other.iter().map(move |&b| (a, b)));
                used.extend(pairs.find_map(|(a, b)| excluded(a, b))?);
            }
        }
        Some(used)
    }

    /// Moves of which one is made whenever a signal is true. `None` if there are none, or if none are found.
    fn moves(&mut self, signal: Signal, depth: usize) -> Option<Vec<GateId>> {
        let (net, gate) = (self.net, signal.gate());
        self.left = self.left.checked_sub(1)?;
        match net.operation(gate) {
            Operation::Input(_) if !signal.is_negated() => Some(vec![gate]),
            Operation::And | Operation::Or if depth > 0 && !net.is_knot(gate) => {
                let operands = net.operands(gate).iter();
                let mut operands = operands.map(|operand| operand.negated_if(signal.is_negated()));
                if is_conjunction(net, signal) {
                    return operands.find_map(|operand| self.moves(operand, depth - 1));
                }
                let mut all = Vec::new();
                for operand in operands {
                    all.append(&mut self.moves(operand, depth - 1)?);
                }
                Some(all)
            }
            _ => None,
        }
    }

    /// Facts that hold whenever a signal is true, or do not hold whenever it is. There may be more.
    fn implied(&mut self, signal: Signal, depth: usize) -> Vec<Signal> {
        let (net, gate) = (self.net, signal.gate());
        if let Operation::Latch(_) = net.operation(gate) {
            return vec![signal];
        }
        let is_computed = matches!(net.operation(gate), Operation::And | Operation::Or);
        if !is_computed || depth == 0 || self.left == 0 || net.is_knot(gate) {
            return Vec::new();
        }
        if let Some(known) = self.implied.get(&signal) {
            return known.clone();
        }
        self.left -= 1;
        let operands = net.operands(gate).iter();
        let operands = operands.map(|operand| operand.negated_if(signal.is_negated()));
        let conjunction = is_conjunction(net, signal);
        let mut all: Option<Vec<Signal>> = None;
        for operand in operands {
            let of_operand = self.implied(operand, depth - 1);
            match &mut all {
                None => all = Some(of_operand),
                Some(all) if conjunction => {
                    let new: Vec<Signal> =
                        of_operand.into_iter().filter(|fact| !all.contains(fact)).collect();
                    all.extend(new.into_iter().take(IMPLIED.saturating_sub(all.len())));
                }
                Some(all) => all.retain(|fact| of_operand.contains(fact)),
            }
            if !conjunction && all.as_ref().is_some_and(Vec::is_empty) {
                break;
            }
        }
        let all = all.unwrap_or_default();
        self.implied.insert(signal, all.clone());
        all
    }
}

/// Whether a signal of an And or Or is true if all operands, or their complements, are.
fn is_conjunction(net: &Net, signal: Signal) -> bool {
    (net.operation(signal.gate()) == Operation::And) != signal.is_negated()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ground::{Budget, Ground};
    use gdlr_rules::gdl::Game;
    use gdlr_text::budget::Meter;

    /// Two players take turns to visit one of three squares. `legal` is what they need for it, and `more` is
    /// added to the rules.
    fn visits(legal: &str, more: &str) -> (Net, Game) {
        let rules = format!(
            "(role white) (role black) (square 1) (square 2) (square 3)
             (init (turn white)) (init (at 1)) (init (open white)) (init (open black))
             (<= (legal ?p (visit ?s)) (square ?s) {legal})
             (<= (legal ?p wait) (role ?p) (not (true (turn ?p))))
             (<= (next (at ?s)) (does ?p (visit ?s))) {more}
             (<= (next (turn white)) (true (turn black)))
             (<= (next (turn black)) (true (turn white)))
             (<= (next (open ?p)) (does ?p (visit 2)))
             (<= terminal (true (at 3))) (<= (goal ?p 50) (role ?p))"
        );
        let game = Game::from_kif("test", &rules).expect("a rulesheet");
        let ground = Ground::new(game.clone(), &Budget::default()).expect("it is small");
        (Net::from_ground(&ground, &Meter::unlimited()).expect("no limit"), game)
    }

    /// The groups that show that one square at most is visited. `has_turns` says whether it is known that it
    /// is the turn of one player at most.
    fn shown((net, game): &(Net, Game), has_turns: bool) -> Option<Vec<usize>> {
        let fact = |name: &str| {
            let of_name =
                |f: &&crate::net::gates::FluentBit| f.fact.canonical(&game.symbols) == name;
            net.fluents.iter().find(of_name).expect("such a fact").signal
        };
        let next = |name: &str| {
            let gate = fact(name).gate();
            net.latches.iter().find(|latch| latch.gate == gate).expect("a latch").next
        };
        let nexts = [next("(at 1)"), next("(at 2)"), next("(at 3)")];
        let turns = vec![fact("(turn white)"), fact("(turn black)")];
        let group = |covering, members| Group { covering, members, family: 0 };
        let groups = [group(true, turns.clone()), group(!has_turns, turns.clone())];
        let groups_of = |signal: Signal| match turns.contains(&signal) {
            true => &[0, 1][..],
            false => &[],
        };
        Needs::new(net).apart(&nexts, &groups, groups_of)
    }

    #[test]
    fn one_role_makes_one_move() {
        let alone = visits("(true (turn ?p)) (distinct ?p black)", "");
        assert_eq!(shown(&alone, false), Some(Vec::new()));
    }

    #[test]
    fn roles_that_take_turns_make_one_move() {
        let turns = visits("(true (turn ?p))", "");
        assert_eq!(shown(&turns, true), Some(vec![1]));
        assert_eq!(shown(&turns, false), None);
        // Either of two conditions is enough, and each has the turn.
        let more = visits("(or (true (at 1)) (true (open ?p))) (true (turn ?p))", "");
        assert_eq!(shown(&more, true), Some(vec![1]));
    }

    #[test]
    fn roles_that_move_at_once_may_visit_two_squares() {
        assert_eq!(shown(&visits("(true (open ?p))", ""), true), None);
        assert_eq!(shown(&visits("(or (true (turn ?p)) (true (open ?p)))", ""), true), None);
    }

    #[test]
    fn one_move_that_brings_two_facts_shows_nothing() {
        let both = visits("(true (turn ?p))", "(<= (next (at 1)) (does ?p (visit 2)))");
        assert_eq!(shown(&both, true), None);
        let stays =
            visits("(true (turn ?p))", "(<= (next (at ?s)) (true (at ?s)) (true (open white)))");
        assert_eq!(shown(&stays, true), None);
    }
}
