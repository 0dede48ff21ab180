//! Goals, one after the other, and the end of the play.

use super::body::How;
use super::goals::never;
use super::operands::Condition;
use super::sets::Operand;
use super::{Stop, Writer};
use crate::export::automaton::{Action, Automaton, Node, Slot};
use crate::export::declare::Scores;
use crate::gdl::Symbol;
use crate::net::Signal;
use crate::normal::{FlatAtom, FlatTerm};
use crate::rg::Name;

/// How many values a role's goal may have for all pairs of them to be told apart by conditions.
const FEW_SCORES: usize = 6;

/// A value of a role's goal.
#[derive(Clone, Copy, Debug)]
struct Given {
    score: Name,
    condition: Condition,
    signal: Signal,
}

impl Writer<'_> {
    /// Sets the goals and ends the play; returns the scores.
    pub(super) fn write_goals(&mut self, over: Node) -> Result<Scores, Stop> {
        self.scope.mode = None;
        let scores = Scores::of(self.net, self.game, &mut self.naming);
        let mut to = self.automaton.before(Action::Set(self.player, Name::KEEPER), Automaton::END);
        for role in self.players.clone().into_iter().rev() {
            let slot = self.automaton.slot(Name::GOALS, &[self.roles[role]]);
            let mut mine: Vec<Given> = Vec::new();
            for goal in &self.net.goals {
                if usize::from(goal.role.0) != role || goal.signal == Signal::FALSE {
                    continue;
                }
                let goal_row = self.normal.encode_arg(self.normal.goal, 1, &goal.value);
                let Some(value) = goal_row else { continue };
                let args = self.normal.encode_arg(self.normal.goal, 0, &self.game.roles[role]);
                let args = args.expect("a role of the game").into_iter().chain(value);
                let args = args.map(FlatTerm::Constant).collect();
                let atom = FlatAtom { relation: self.normal.goal, args };
                let condition = self.goal_condition(&atom)?;
                let score = scores.of_value(&goal.value);
                mine.push(Given { score, condition, signal: goal.signal });
            }
            to = self.write_scores(slot, &mine, (scores.none, scores.differ), to);
        }
        self.automaton.edge(over, to, Action::Skip);
        Ok(scores)
    }

    fn goal_condition(&mut self, atom: &FlatAtom) -> Result<Condition, Stop> {
        let info = self.relations[atom.relation.index()].clone();
        if let Some(rows) = self.rows(atom.relation) {
            let row: Vec<FlatTerm> = atom.args.clone();
            let is_it = |other: &Vec<Symbol>| {
                other.iter().zip(&row).all(|(s, term)| *term == FlatTerm::Constant(*s))
            };
            return Ok(if rows.iter().any(is_it) { Condition::Always } else { Condition::Never });
        }
        if info.group.is_some() {
            let operands: Vec<Operand> = (atom.args.iter())
                .map(|term| match term {
                    FlatTerm::Constant(symbol) => Operand::Symbol(*symbol),
                    FlatTerm::Variable(_) => unreachable!("a constant"),
                })
                .collect();
            return self.call(atom.relation, &operands, &self.plan_for(0));
        }
        let mut ways = Vec::new();
        for rule in info.rules {
            let rule = self.rules[rule].clone();
            let mut plan = self.plan_for(usize::from(rule.variables));
            let fits = rule.head.args.iter().zip(&atom.args).all(|(&term, asked)| {
                let FlatTerm::Constant(symbol) = *asked else { unreachable!("a constant") };
                self.unify(term, Operand::Symbol(symbol), &mut plan)
            });
            if fits {
                let plans = self.plans(&rule.body, &plan, How::Check(None))?;
                ways.extend(plans.into_iter().map(|(plan, _)| plan.ops));
            }
        }
        Ok(self.any_of(ways))
    }

    /// Gives a role its score: that whose condition holds, or none, or that there are several.
    /// What the net rules out is not asked.
    fn write_scores(
        &mut self,
        slot: Slot,
        mine: &[Given],
        (no_score, differ): (Name, Name),
        to: Node,
    ) -> Node {
        let possible = |given: &&Given| given.condition != Condition::Never;
        let mine: Vec<Given> = mine.iter().filter(possible).copied().collect();
        if mine.len() > FEW_SCORES {
            let mut to = to;
            for given in mine.iter().rev() {
                let first = self.automaton.before(Action::Set(slot, given.score), to);
                let second = self.automaton.before(Action::Set(slot, differ), to);
                let found = self.branch(Action::Is(slot, no_score, true), first, second);
                to = self.if_holds(given.condition, found, to);
            }
            return self.automaton.before(Action::Set(slot, no_score), to);
        }
        let several = self.automaton.before(Action::Set(slot, differ), to);
        let mut next = self.automaton.before(Action::Set(slot, no_score), to);
        let none: Vec<Signal> = mine.iter().map(|given| !given.signal).collect();
        let always_one = never(self.net, &none);
        for (place, given) in mine.iter().enumerate() {
            let mut alone = self.automaton.before(Action::Set(slot, given.score), to);
            for other in &mine[..place] {
                if !never(self.net, &[given.signal, other.signal]) {
                    alone = self.if_holds(other.condition, several, alone);
                }
            }
            next = match place == 0 && always_one {
                true => alone,
                false => self.if_holds(given.condition, alone, next),
            };
        }
        next
    }

    fn if_holds(&mut self, condition: Condition, then: Node, otherwise: Node) -> Node {
        match condition {
            Condition::Always => then,
            Condition::Never => otherwise,
            Condition::Test(action) => self.branch(action, then, otherwise),
        }
    }
}
