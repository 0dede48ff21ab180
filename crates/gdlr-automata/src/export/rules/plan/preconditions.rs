//! Facts that hold where a move has been made, because the move was legal.

use super::Planner;
use super::body::Plan;
use super::goals::never;
use super::scope::Scope;
use crate::export::rules::build::Operand;
use gdlr_net::net::Signal;
use gdlr_rules::gdl::Symbol;
use gdlr_rules::normal::{FlatAtom, FlatTerm};
use std::rc::Rc;

/// The most moves that are looked at one by one.
const MOST_MOVES: usize = 1 << 13;

/// The moves of a role, one of which has been made.
#[derive(Clone, Debug)]
pub(super) struct Candidates {
    pub role: usize,
    /// The numbers of the moves as inputs of the net.
    pub inputs: Rc<Vec<usize>>,
}

impl Planner<'_> {
    /// Whether an atom of the state holds for every move that the scope allows. If its value is
    /// open, the atom must hold for some value.
    pub(super) fn is_precondition(&self, atom: &FlatAtom, plan: &Plan, scope: &Scope) -> bool {
        let (Some(candidates), Some((_, rows)), Some(mode)) =
            (&scope.candidates, &scope.moves, scope.mode)
        else {
            return false;
        };
        if candidates.inputs.len() > MOST_MOVES {
            return false;
        }
        let facts = &self.analysis.shapes[&atom.relation].signals;
        let value = self.analysis.shapes[&atom.relation].value;
        let open = value.filter(|&column| plan.value(atom.args[column]).is_none());
        let all = open.map(|column| self.analysis.shapes[&atom.relation].columns[column]);
        let unrolled = self.input.unrolled;
        candidates.inputs.iter().all(|&input| {
            let own = self.analysis.roles.rows[candidates.role].clone().into_iter();
            let row: Vec<Symbol> =
                own.chain(self.analysis.moves.of_input(input).iter().copied()).collect();
            let symbol = |operand: Operand| match operand {
                Operand::Symbol(symbol) => Some(symbol),
                Operand::Register(_) => {
                    let place = rows[candidates.role].iter().position(|&other| other == operand)?;
                    Some(row[place])
                }
            };
            let symbol_of = |&term: &FlatTerm| plan.value(term).and_then(symbol);
            let column = |(place, term)| match Some(place) == open {
                true => Some(Symbol::TRUE),
                false => symbol_of(term),
            };
            let own: Option<Vec<Symbol>> = atom.args.iter().enumerate().map(column).collect();
            let Some(mut own) = own else { return false };
            let mut conditions = vec![unrolled.copies[mode].legal[input]];
            let values = all.map_or(&[][..], |set| self.out.symbols.sets.members(set));
            let mut facts_of = vec![own.clone()];
            if let Some(column) = open {
                facts_of = (values.iter())
                    .map(|&symbol| {
                        own[column] = symbol;
                        own.clone()
                    })
                    .collect();
            }
            for signal in facts_of.iter().filter_map(|row| facts.get(row)) {
                match self.input.latch_of(*signal) {
                    None => return true,
                    Some((latch, value)) => {
                        let gate = unrolled.net.latches[latch.index()].gate;
                        conditions.push(Signal::of(gate).negated_if(value));
                    }
                }
            }
            conditions.len() > 1
                && self.input.meter.spend(16).is_ok()
                && never(&unrolled.net, &conditions)
        })
    }
}
