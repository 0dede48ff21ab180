//! Goals, in one decision for all roles if few tests suffice; and the end of the play.

use super::Planner;
use super::body::{How, Plan};
use super::goals::never;
use super::of_net::Part;
use super::scope::{Context, Scope};
use crate::export::declare::Scores;
use crate::export::program::{Act, Body, Statement, Test};
use crate::export::program::{If, Target};
use crate::export::rules::Stop;
use crate::export::rules::build::{Condition, Operand};
use crate::export::slots::Slot;
use gdlr_net::net::Signal;
use gdlr_rg::rg::Name;
use gdlr_rules::gdl::Symbol;
use gdlr_rules::normal::{FlatAtom, FlatTerm};
use hashbrown::HashSet;

/// The most goal values of a role for which the net is asked whether they exclude each other.
const FEW_SCORES: usize = 6;
/// The most tests of the decision for all goals.
const MOST_BRANCHES: usize = 12;

/// Whether two tests never hold in one state.
type Exclude<'e> = &'e dyn Fn(Test, Test) -> bool;

/// A value of a role's goal.
#[derive(Clone, Debug)]
struct Given {
    score: Name,
    /// The ways in which the goal holds. In each way, all its tests must hold.
    ways: Vec<Vec<Test>>,
    signal: Signal,
}

impl Given {
    /// Whether the goal holds, if the tests that are known decide it.
    fn holds(&self, known: &[(Test, bool)], exclude: Exclude<'_>) -> Option<bool> {
        let is_ruled_out = |test: &Test| {
            result_of(known, *test) == Some(false)
                || known.iter().any(|&(other, holds)| holds && exclude(other, *test))
        };
        let tells = |way: &Vec<Test>| match way.iter().any(is_ruled_out) {
            true => Some(false),
            false => way.iter().all(|test| result_of(known, *test).is_some()).then_some(true),
        };
        let ways: Vec<Option<bool>> = self.ways.iter().map(tells).collect();
        match ways.contains(&Some(true)) {
            true => Some(true),
            false => ways.iter().all(Option::is_some).then_some(false),
        }
    }

    /// The first test that is still needed to decide whether the goal holds.
    fn next(&self, known: &[(Test, bool)]) -> Option<Test> {
        let is_open = |way: &&Vec<Test>| !way.iter().any(|t| result_of(known, *t) == Some(false));
        let mut tests = self.ways.iter().filter(is_open).flatten();
        tests.find(|test| result_of(known, **test).is_none()).copied()
    }
}

/// The known result of a test, by itself or by its opposite.
fn result_of(known: &[(Test, bool)], test: Test) -> Option<bool> {
    let opposite = test.opposite();
    known.iter().find_map(|&(other, holds)| match other {
        _ if other == test => Some(holds),
        _ if other == opposite => Some(!holds),
        _ => None,
    })
}

/// A condition as the ways in which it holds.
fn ways(condition: Condition) -> Vec<Vec<Test>> {
    match condition {
        Condition::Always => vec![Vec::new()],
        Condition::Never => Vec::new(),
        Condition::Test(test) => vec![vec![test]],
    }
}

/// A role's variable, and the values of its goal.
type Goal = (Slot, Vec<Given>);

impl Planner<'_> {
    /// Sets the goals and ends the play; returns the scores.
    pub(super) fn write_goals(&mut self) -> Result<Scores, Stop> {
        let is_of_net = self.is_of_net(Part::Goals);
        if !is_of_net {
            self.ask_goals_anew()?;
        }
        let scores = Scores::of(self.input.net, self.input.game, &mut self.out.symbols.naming);
        let mut goals: Vec<Goal> = Vec::new();
        for role in self.analysis.roles.players.clone() {
            let slot = self.out.program.slots.slot(Name::GOALS, &[self.analysis.roles.names[role]]);
            let mut mine: Vec<Given> = Vec::new();
            for goal in &self.input.net.goals {
                if usize::from(goal.role.0) != role || goal.signal == Signal::FALSE {
                    continue;
                }
                let goal_row = self.input.normal.encode_arg(self.input.normal.goal, 1, &goal.value);
                let Some(value) = goal_row else { continue };
                let args = self.input.normal.encode_arg(
                    self.input.normal.goal,
                    0,
                    &self.input.game.roles[role],
                );
                let args = args.ok_or(Stop::Broken("a goal of no role"))?.into_iter().chain(value);
                let args = args.map(FlatTerm::Constant).collect();
                let atom = FlatAtom { relation: self.input.normal.goal, args };
                let ways = match is_of_net {
                    false => self.goal_ways(&atom)?,
                    true => ways(self.signal(goal.signal, &Scope::default())?),
                };
                if !ways.is_empty() {
                    let score = scores.of_value(&goal.value);
                    mine.push(Given { score, ways, signal: goal.signal });
                }
            }
            goals.push((slot, mine));
        }
        let mut body = match self.together(&goals, &scores) {
            Some(body) => body,
            None => {
                let mut body = Vec::new();
                for goal in &goals {
                    body.extend(match self.together(std::slice::from_ref(goal), &scores) {
                        Some(own) => own,
                        None => self.one_by_one(goal, &scores),
                    });
                }
                body
            }
        };
        body.push(Statement::Do(Act::Set(self.out.program.player, Name::KEEPER)));
        body.push(Statement::Go(Target::End));
        self.out.program.fill(self.out.program.over, body);
        Ok(scores)
    }

    /// The ways in which a goal holds, each with its tests. A goal that always holds has one way,
    /// with no tests.
    fn goal_ways(&mut self, atom: &FlatAtom) -> Result<Vec<Vec<Test>>, Stop> {
        let info = self.relations.info(atom.relation).clone();
        if let Some(rows) = self.relations.rows(atom.relation) {
            let row: Vec<FlatTerm> = atom.args.clone();
            let is_it = |other: &Vec<Symbol>| {
                other.iter().zip(&row).all(|(s, term)| *term == FlatTerm::Constant(*s))
            };
            return Ok(if rows.iter().any(is_it) { vec![Vec::new()] } else { Vec::new() });
        }
        if info.group.is_some() {
            let operands: Vec<Operand> = (atom.args.iter())
                .map(|term| match term {
                    FlatTerm::Constant(symbol) => Operand::Symbol(*symbol),
                    FlatTerm::Variable(_) => unreachable!("a constant"),
                })
                .collect();
            let condition =
                self.call(atom.relation, &operands, &Plan::default(), &Context::default())?;
            return Ok(ways(condition));
        }
        let mut ways = Vec::new();
        for rule in info.rules {
            let rule = self.relations.rules[rule].clone();
            let mut plan = Plan::new(usize::from(rule.variables));
            let about = self.anew.only_changes();
            plan.used = about.map_or(HashSet::new(), |about| self.anew.registers_of_changes(about));
            let fits = rule.head.args.iter().zip(&atom.args).all(|(&term, asked)| {
                let FlatTerm::Constant(symbol) = *asked else { unreachable!("a constant") };
                plan.unify(term, Operand::Symbol(symbol), &mut self.out)
            });
            if fits {
                let plans = self.plans(&rule.body, &plan, How::Check(None), &Context::default())?;
                ways.extend(plans.into_iter().map(|(plan, _)| plan.ops));
            }
        }
        let tests = |ops: &Body| -> Option<Vec<Test>> {
            let test = |statement: &Statement| match statement {
                Statement::Test(test) => Some(*test),
                _ => None,
            };
            ops.iter().map(test).collect()
        };
        Ok(match ways.iter().map(tests).collect() {
            Some(ways) => ways,
            None => self::ways(self.out.any_of(ways)),
        })
    }

    /// Sets the scores of roles in one decision. Each test is made once. A test whose result the
    /// net knows at the end of the play is left out. `None` if the decision has too many tests.
    fn together(&self, goals: &[Goal], scores: &Scores) -> Option<Body> {
        if goals.iter().any(|(_, mine)| mine.len() > FEW_SCORES) {
            return None;
        }
        let mut left = MOST_BRANCHES;
        self.decided(goals, scores, &mut Vec::new(), &mut left)
    }

    fn decided(
        &self,
        goals: &[Goal],
        scores: &Scores,
        known: &mut Vec<(Test, bool)>,
        left: &mut usize,
    ) -> Option<Body> {
        let mut signals = vec![self.input.net.terminal];
        let exclude = |one: Test, other: Test| self.out.exclude(one, other, &self.analysis.shapes);
        for given in goals.iter().flat_map(|(_, mine)| mine) {
            if let Some(holds) = given.holds(known, &exclude) {
                signals.push(if holds { given.signal } else { !given.signal });
            }
        }
        let net = self.input.net;
        let holds = |given: &Given| {
            given.holds(known, &exclude).or_else(|| {
                let rules_out = |signal: Signal| never(net, &[&signals[..], &[signal]].concat());
                match (rules_out(given.signal), rules_out(!given.signal)) {
                    (true, _) => Some(false),
                    (_, true) => Some(true),
                    _ => None,
                }
            })
        };
        let mut score_of = Vec::new();
        for (slot, mine) in goals {
            let mut score = scores.none;
            for given in mine {
                match holds(given) {
                    Some(true) if score == scores.none => score = given.score,
                    Some(true) => score = scores.differ,
                    Some(false) => {}
                    None => {
                        let test = given.next(known).expect("it is not known");
                        *left = left.checked_sub(1)?;
                        known.push((test, true));
                        let then = self.decided(goals, scores, known, left)?;
                        known.pop();
                        known.push((test, false));
                        let otherwise = self.decided(goals, scores, known, left)?;
                        known.pop();
                        let tests = vec![Statement::Test(test)];
                        return Some(vec![Statement::If(If { tests, then, otherwise })]);
                    }
                }
            }
            score_of.push(Statement::Do(Act::Set(*slot, score)));
        }
        Some(score_of)
    }

    /// Sets the score of a role: its values are tested one after the other.
    fn one_by_one(&mut self, (slot, mine): &Goal, scores: &Scores) -> Body {
        let set = |score: Name| Statement::Do(Act::Set(*slot, score));
        let mut body = vec![set(scores.none)];
        for given in mine {
            let is_first = Statement::Test(Test::Is(*slot, scores.none, true));
            let (then, otherwise) = (vec![set(given.score)], vec![set(scores.differ)]);
            let set_or_differ = Statement::If(If { tests: vec![is_first], then, otherwise });
            let ways = given.ways.iter();
            let ways = ways.map(|way| way.iter().map(|test| Statement::Test(*test)).collect());
            match self.out.any_of(ways.collect()) {
                Condition::Always => body.push(set_or_differ),
                Condition::Never => {}
                Condition::Test(test) => {
                    let (tests, then) = (vec![Statement::Test(test)], vec![set_or_differ]);
                    body.push(Statement::If(If { tests, then, otherwise: Vec::new() }));
                }
            }
        }
        body
    }
}
