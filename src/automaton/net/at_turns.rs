//! What variables may hold where a player has the move, when play is not over: less than at the
//! end, where goals are set and pieces have been counted.

use super::sheet::{Sheet, Slot};
use super::start::Start;
use super::turns::Turns;
use crate::budget::{Exhausted, Meter};
use crate::rg::Name;
use crate::rg::optimise::program::{Label, Node};
use hashbrown::HashSet;

/// What variables may hold there.
pub(super) struct AtTurns {
    /// By variable: what is assigned to it on the way to a node where a player has the move, in
    /// order.
    assigned: Vec<Vec<Name>>,
}

impl AtTurns {
    /// Linear in the automaton, but for the values that edges may assign.
    pub fn new(sheet: &Sheet, turns: &Turns, meter: &Meter<'_>) -> Result<AtTurns, Exhausted> {
        let program = &sheet.program;
        let mut open: Vec<Node> = turns.players.iter().map(|&(node, _)| node).collect();
        let mut leads_there: HashSet<Node> = open.iter().copied().collect();
        while let Some(node) = open.pop() {
            meter.spend(1 + program.entering(node).len())?;
            let before = program.entering(node).iter().map(|&id| program.edge(id).from);
            open.extend(before.filter(|&from| leads_there.insert(from)));
        }
        let mut assigned = vec![Vec::new(); sheet.variables.len()];
        for (_, edge) in program.edges().filter(|(_, edge)| leads_there.contains(&edge.to)) {
            let (target, symbols) = match edge.label {
                Label::Assign { target, value } => (target, sheet.possible(&|_| None, value)),
                Label::AssignAny { target, drawn } => (target, program.drawn(drawn).to_vec()),
                _ => continue,
            };
            meter.spend(symbols.len())?;
            if let Some(var) = sheet.variable(program.expressions.root(target)) {
                assigned[var as usize].extend(symbols);
            }
        }
        for symbols in &mut assigned {
            symbols.sort_unstable();
            symbols.dedup();
        }
        Ok(AtTurns { assigned })
    }

    /// Whether a slot may hold a symbol.
    pub fn may_hold(&self, sheet: &Sheet, start: &Start, slot: Slot, symbol: Name) -> bool {
        let assigned = &self.assigned[sheet.owner(slot) as usize];
        start.values[slot as usize] == symbol || assigned.binary_search(&symbol).is_ok()
    }
}
