//! The signals that follow from a conjunction of signals, as far as the structure of the net shows it. Passes take
//! values that play cannot reach for don't-cares so.
//!
//! If a gate is true and it is an And, its operands are true; if it is false and an Or, its
//! operands are false; and so on for some levels. With the rules of the game in mind
//! ([`Consequences::of_play`]) more follows: a move that is chosen is legal, no other move of
//! its role is chosen, and of an exclusive group no other member is true. These hold in every
//! state that play can reach, with a legal joint move.
//!
//! The number of consequences of one signal is bounded ([`LEVELS`], [`FOLLOWING`]), so the work for a
//! gate is in proportion to its operands.

use crate::net::feedback::Feedback;
use crate::net::gates::{Net, Operation, Signal};

/// How many levels down consequences are drawn.
const LEVELS: u32 = 4;

/// How many consequences are drawn from one signal.
const FOLLOWING: usize = 64;

/// Groups that are larger than this are too many consequences.
const GROUP: usize = 64;

/// A conjunction, and what follows from it.
pub(super) struct Consequences<'n> {
    net: &'n Net,
    feedback: &'n Feedback,
    play: bool,
    /// The number of the conjunction at hand.
    now: u32,
    /// By signal: the last conjunction that it was part of, or followed from.
    assumed: Vec<u32>,
    follows: Vec<u32>,
    following: Vec<Signal>,
    /// By role: the last conjunction with a move of the role, and the move.
    chosen: Vec<(u32, Signal)>,
    /// By signal: its groups, as a range of `groups`.
    group_starts: Vec<u32>,
    groups: Vec<u32>,
    /// Whether groups have members that are complements.
    mixed: bool,
    open: Vec<(Signal, u32)>,
}

impl<'n> Consequences<'n> {
    /// Draws consequences that hold in every state whatever, with any inputs.
    pub(super) fn of_structure(net: &'n Net, feedback: &'n Feedback) -> Self {
        Consequences {
            net,
            feedback,
            play: false,
            now: 0,
            assumed: vec![0; 2 * net.len()],
            follows: vec![0; 2 * net.len()],
            following: Vec::new(),
            chosen: vec![(0, Signal::FALSE); usize::from(net.roles)],
            group_starts: Vec::new(),
            groups: Vec::new(),
            mixed: false,
            open: Vec::new(),
        }
    }

    /// Draws consequences that hold in play.
    pub(super) fn of_play(net: &'n Net, feedback: &'n Feedback) -> Self {
        let mut members: Vec<(Signal, u32)> = Vec::new();
        for (group, signals) in net.exclusive.iter().enumerate() {
            if signals.len() <= GROUP {
                members.extend(signals.iter().map(|&signal| (signal, group as u32)));
            }
        }
        members.sort_unstable();
        let mixed = members.iter().any(|(signal, _)| signal.is_negated());
        let sources = 2 * net.first_computed().index();
        let mut group_starts = vec![0; sources + 1];
        members.iter().for_each(|(signal, _)| group_starts[signal.index() + 1] += 1);
        (0..sources).for_each(|at| group_starts[at + 1] += group_starts[at]);
        Consequences {
            play: true,
            mixed,
            group_starts,
            groups: members.into_iter().map(|(_, group)| group).collect(),
            ..Consequences::of_structure(net, feedback)
        }
    }

    /// Begins a new conjunction, of nothing yet.
    pub(super) fn clear(&mut self) {
        self.now += 1;
        self.following.clear();
    }

    /// Puts a signal into the conjunction. Whether it contradicts what is there already.
    pub(super) fn assume(&mut self, signal: Signal) -> bool {
        self.assumed[signal.index()] = self.now;
        let mut contradiction = self.holds(!signal);
        self.open.push((signal, 0));
        let mut left = FOLLOWING;
        while let Some((signal, level)) = self.open.pop() {
            let (gate, net) = (signal.gate(), self.net);
            let follow = match (net.operation(gate), signal.is_negated()) {
                // On a cycle, a signal could follow from itself.
                _ if self.feedback.on_cycle(gate) => &[],
                (Operation::And, false) | (Operation::Or, true) => net.operands(gate),
                (Operation::Input(place), false) if self.play => {
                    let input = &net.inputs[place.index()];
                    let (now, other) = self.chosen[usize::from(input.role.0)];
                    contradiction |= now == self.now && other != signal;
                    self.chosen[usize::from(input.role.0)] = (self.now, signal);
                    contradiction |= self.conclude(input.legal, level, &mut left);
                    &[]
                }
                (Operation::Latch(_), _) if self.play => {
                    let at = signal.index();
                    let range = self.group_starts[at] as usize..self.group_starts[at + 1] as usize;
                    for group in range {
                        for &other in &net.exclusive[self.groups[group] as usize] {
                            contradiction |= other != signal && self.holds(other);
                            // Two signals must not follow from each other, or both would be
                            // thought superfluous.
                            let onwards = !self.mixed || other.gate() > gate;
                            if other != signal && onwards {
                                contradiction |= self.conclude(!other, LEVELS, &mut left);
                            }
                        }
                    }
                    &[]
                }
                _ => &[],
            };
            for &operand in follow {
                contradiction |=
                    self.conclude(operand.negated_if(signal.is_negated()), level, &mut left);
            }
        }
        contradiction
    }

    fn conclude(&mut self, signal: Signal, level: u32, left: &mut usize) -> bool {
        if self.follows[signal.index()] != self.now && *left > 0 {
            *left -= 1;
            self.follows[signal.index()] = self.now;
            self.following.push(signal);
            if level < LEVELS {
                self.open.push((signal, level + 1));
            }
        }
        self.holds(!signal)
    }

    /// Whether a signal depends on itself.
    pub(super) fn on_cycle(&self, signal: Signal) -> bool {
        self.feedback.on_cycle(signal.gate())
    }

    /// The consequences, but for moves not chosen.
    pub(super) fn following(&self) -> &[Signal] {
        &self.following
    }

    /// Whether a signal follows from others of the conjunction.
    pub(super) fn follows(&self, signal: Signal) -> bool {
        self.follows[signal.index()] == self.now || self.is_other_choice(!signal)
    }

    /// Whether a signal is part of the conjunction or follows.
    pub(super) fn holds(&self, signal: Signal) -> bool {
        self.assumed[signal.index()] == self.now || self.follows(signal)
    }

    /// Whether a signal is a move of a role that has chosen another.
    fn is_other_choice(&self, signal: Signal) -> bool {
        let Operation::Input(place) = self.net.operation(signal.gate()) else { return false };
        let role = usize::from(self.net.inputs[place.index()].role.0);
        let (now, chosen) = self.chosen[role];
        !signal.is_negated() && now == self.now && chosen != signal
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gdlr_engine::engine::RoleId;

    #[test]
    fn a_move_is_legal_and_the_only_one() {
        let mut net = Net::new(3, 3, 2);
        let [a, b, c] = [0, 1, 2].map(|place: usize| Signal::of(net.latches[place].gate));
        let [x, y, z] = [0, 1, 2].map(|place: usize| Signal::of(net.inputs[place].gate));
        net.inputs[2].role = RoleId(1);
        net.inputs[0].legal = net.add(Operation::And, &[a, !b]);
        net.exclusive = vec![vec![a, c]];
        let feedback = Feedback::of(&net);
        let mut play = Consequences::of_play(&net, &feedback);
        play.clear();
        assert!(!play.assume(x));
        for (signal, follows) in [(a, true), (!b, true), (!c, true), (!y, true), (!z, false)] {
            assert_eq!(play.follows(signal), follows, "{signal:?}");
        }
        assert!(!play.follows(x) && play.holds(x));
        assert!(play.assume(c));
        play.clear();
        assert!(!play.assume(x) && !play.assume(z) && play.assume(y));
        let mut structure = Consequences::of_structure(&net, &feedback);
        structure.clear();
        assert!(!structure.assume(x) && !structure.assume(y) && !structure.follows(a));
    }
}
