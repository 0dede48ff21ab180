//! Parts of a game that are written from the net, because their rules cannot be.
//!
//! A part is the moves of one kind, the next facts of one base relation, the end, the goals, or the
//! percepts of one kind. If the rules of a part cannot be planned, the game is planned again. Then
//! each move or fact of this part has a condition of its own: a gate of the net, as a check.
//!
//! ```text
//! (<= (next (light ?x)) …)     next_light[1] = 0, if light[2] == 1 && … { next_light[1] = 1 }, …
//! ```

use super::Planner;
use super::moves::Kind;
use super::scope::Scope;
use super::write::Write;
use crate::export::program::{Act, Body, Statement};
use crate::export::rules::Stop;
use crate::export::rules::build::{Condition, Operand};
use gdlr_net::net::{GateId, InputId, Operation, Signal};
use gdlr_rg::rg::{Expr, Ident, Name};
use gdlr_rules::gdl::Symbol;
use gdlr_rules::normal::{EMPTY, RelationId};
use hashbrown::{HashMap, HashSet};
use std::collections::BTreeMap;

/// A part of a game that is planned by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::export) enum Part {
    /// The legal moves of a kind, by its place.
    Moves(usize),
    /// The facts of a base relation in the next state.
    Next(RelationId),
    Over,
    Goals,
    /// The percepts of a kind, by its place.
    Percepts(usize),
}

impl Part {
    /// The result, with an error that names this part if it cannot be written.
    pub fn of<T>(self, result: Result<T, Stop>) -> Result<T, Stop> {
        result.map_err(|stop| match stop {
            Stop::Unsuited { why, part: None } => Stop::Unsuited { why, part: Some(self) },
            other => other,
        })
    }
}

/// The parts that are written from the net, each with the reason.
pub(in crate::export::rules) type PartsOfNet = BTreeMap<Part, String>;

/// The columns of a fact, and the signal that tells whether it holds.
type Fact = (Vec<Symbol>, Signal);

/// The deepest level of a gate. Each level is a frame on the stack.
const DEEPEST: usize = 512;

/// By gate, turn and number of the moves: the condition that the gate is true.
pub(super) type Signals = HashMap<(GateId, Option<usize>, Option<u32>), Condition>;

impl Planner<'_> {
    /// Whether a part is written from the net.
    pub(super) fn is_of_net(&self, part: Part) -> bool {
        self.of_net.contains_key(&part)
    }

    /// The condition that a signal of the net is true, in a scope.
    pub(super) fn signal(&mut self, signal: Signal, scope: &Scope) -> Result<Condition, Stop> {
        self.signal_within(signal, scope, 0)
    }

    fn signal_within(
        &mut self,
        signal: Signal,
        scope: &Scope,
        depth: usize,
    ) -> Result<Condition, Stop> {
        if signal.is_constant() {
            return Ok(if signal == Signal::TRUE { Condition::Always } else { Condition::Never });
        }
        let gate = signal.gate();
        let key = (gate, scope.mode, scope.moves.as_ref().map(|(number, _)| *number));
        let condition = match self.signals.get(&key) {
            Some(&known) => known,
            None => {
                self.input.meter.spend(16)?;
                let condition = self.gate(gate, scope, depth)?;
                self.signals.insert(key, condition);
                condition
            }
        };
        Ok(if signal.is_negated() { condition.opposite() } else { condition })
    }

    fn gate(&mut self, gate: GateId, scope: &Scope, depth: usize) -> Result<Condition, Stop> {
        let net = self.input.net;
        if net.is_knot(gate) {
            return Err(Stop::unsuited("a relation that depends on itself"));
        }
        if depth == DEEPEST {
            return Err(Stop::unsuited("relations that ask for others too deeply"));
        }
        let operation = net.operation(gate);
        if let Operation::Latch(latch) = operation {
            let phases = &self.input.unrolled.phases;
            let fixed = scope.mode.and_then(|mode| {
                phases.known(mode).find(|(other, _)| *other == latch).map(|(_, value)| value)
            });
            return Ok(match fixed {
                Some(true) => Condition::Always,
                Some(false) => Condition::Never,
                None => Condition::Test(self.latch_is(latch, true)?),
            });
        }
        if let Operation::Input(input) = operation {
            return self.is_made(input, scope);
        }
        let mut operands = Vec::new();
        for &operand in net.operands(gate) {
            operands.push(self.signal_within(operand, scope, depth + 1)?);
        }
        Ok(match operation {
            Operation::Or => self.one_holds(operands),
            _ => self.all_hold(operands),
        })
    }

    /// The condition that one of several conditions holds.
    fn one_holds(&mut self, conditions: Vec<Condition>) -> Condition {
        let ways = conditions.into_iter().filter_map(asked);
        self.out.any_of(ways.collect())
    }

    /// The condition that all conditions hold.
    fn all_hold(&mut self, conditions: Vec<Condition>) -> Condition {
        let all: Option<Vec<Body>> = conditions.into_iter().map(asked).collect();
        all.map_or(Condition::Never, |all| self.out.any_of(vec![all.concat()]))
    }

    /// The condition that a move of the net has been made.
    fn is_made(&mut self, input: InputId, scope: &Scope) -> Result<Condition, Stop> {
        let Some((_, rows)) = scope.moves.clone() else {
            return Err(Stop::unsuited("a move is asked for where there is none"));
        };
        let role = usize::from(self.input.net.inputs[input.index()].role.0);
        let row = self.analysis.moves.of_input(input.index()).to_vec();
        let chosen = &rows[role][self.analysis.roles.rows[role].len()..];
        let mut conditions = Vec::new();
        for (column, (&symbol, &operand)) in row.iter().zip(chosen).enumerate() {
            // If a move leaves a column unused, the register of the column may hold anything.
            let is_unused = self.analysis.moves.leave_unused(row[0], column) == Some(true);
            if symbol != EMPTY || !is_unused {
                conditions.push(self.out.compare(operand, Operand::Symbol(symbol), true));
            }
        }
        Ok(self.all_hold(conditions))
    }

    /// The legal moves of a kind, one body for each: it tests that the move is legal, and sets
    /// `into` to its columns.
    pub(super) fn moves_of_net(
        &mut self,
        role: usize,
        kind: &Kind,
        into: &[Operand],
        scope: &Scope,
    ) -> Result<Vec<Body>, Stop> {
        let Some(mode) = scope.mode else { return Err(Stop::Broken("moves in no turn")) };
        let mut walks = Vec::new();
        for input in self.inputs_of(mode, role, kind) {
            let legal = self.signal(self.input.net.inputs[input].legal, scope)?;
            let Some(mut walk) = asked(legal) else { continue };
            let row = self.analysis.moves.of_input(input).to_vec();
            for (&operand, symbol) in into.iter().zip(row) {
                // A register for a column that the move leaves unused may hold anything.
                if let Operand::Register(register) = operand
                    && self.out.symbols.sets.has(self.out.registers.set_of(register), symbol)
                {
                    let name = self.out.symbols.name_of(symbol);
                    walk.push(Statement::Do(Act::Set(self.out.registers.slot(register), name)));
                }
            }
            walks.push(walk);
        }
        Ok(walks)
    }

    /// Writes the effects of moves on the facts of a base relation, entry by entry.
    pub(super) fn next_of_net(
        &mut self,
        base: RelationId,
        scope: &Scope,
        writes: &mut Vec<Write>,
    ) -> Result<(), Stop> {
        let shape = self.analysis.shapes[&base].clone();
        let mut entries: Vec<(Vec<Name>, Vec<Fact>)> = Vec::new();
        let mut place_of: HashMap<Vec<Name>, usize> = HashMap::new();
        for (row, signal) in &*shape.facts {
            let (keys, _) = shape.entry(row, &mut self.out.symbols);
            let place = *place_of.entry(keys.clone()).or_insert_with(|| {
                entries.push((keys, Vec::new()));
                entries.len() - 1
            });
            entries[place].1.push((row.clone(), *signal));
        }
        let all = shape.facts.iter().map(|(_, signal)| self.next_signal(*signal));
        let reads = self.read_by(all);
        for (keys, facts) in entries {
            let next = |own: Signal| self.next_signal(own);
            let facts: Vec<_> = facts.into_iter().map(|(row, own)| (row, own, next(own))).collect();
            if facts.iter().all(|(_, own, next)| own == next) {
                continue;
            }
            let keys: Vec<Expr> =
                keys.into_iter().map(|key| Expr::from(Ident::from(key))).collect();
            let of_value = |value: Name, clears: bool, ops: Body| {
                let value = Expr::from(Ident::from(value));
                Write { clears, ops, ..Write::new(base, keys.clone(), value, reads.clone()) }
            };
            if !shape.covered {
                let absent = shape.absent(&mut self.out.symbols);
                writes.push(of_value(absent, true, Vec::new()));
            }
            for (row, _, next) in facts {
                let holds = self.signal(next, scope)?;
                if let Some(ops) = asked(holds) {
                    let (_, value) = shape.entry(&row, &mut self.out.symbols);
                    writes.push(of_value(value, false, ops));
                }
            }
        }
        Ok(())
    }

    /// The signal that a fact holds in the next state.
    fn next_signal(&self, fact: Signal) -> Signal {
        match self.input.latch_of(fact) {
            Some((latch, value)) => self.input.net.latches[latch.index()].next.negated_if(!value),
            None => fact,
        }
    }

    /// The base relations that signals read.
    fn read_by(&self, signals: impl Iterator<Item = Signal>) -> HashSet<RelationId> {
        let net = self.input.net;
        let reached = net.reached(signals);
        let is_read = |signal: &Signal| {
            let gate = signal.gate();
            matches!(net.operation(gate), Operation::Latch(_)) && reached[gate.index()]
        };
        let reads = self.analysis.shapes.iter();
        let reads = reads.filter(|(_, shape)| shape.facts.iter().any(|(_, own)| is_read(own)));
        reads.map(|(&base, _)| base).collect()
    }
}

/// The statements that ask a condition. `None` if it never holds.
fn asked(condition: Condition) -> Option<Body> {
    match condition {
        Condition::Always => Some(Vec::new()),
        Condition::Never => None,
        Condition::Test(test) => Some(vec![Statement::Test(test)]),
    }
}
