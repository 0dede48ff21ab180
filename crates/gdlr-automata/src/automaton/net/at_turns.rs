//! The values of variables at nodes at which a player has the move and play is not over. There are
//! fewer values than at the end, where goals have been set and pieces have been counted.

use super::sheet::{Sheet, Slot, Var};
use super::start::Start;
use super::turns::Turns;
use gdlr_rg::rg::Name;
use gdlr_rg::rg::optimise::program::{Label, Node};
use gdlr_text::budget::{Exhausted, Meter};
use gdlr_text::graph::Worklist;
use hashbrown::HashMap;

/// The values of variables at nodes at which a player has the move.
pub(super) struct AtTurns {
    /// By variable: the symbols that may be assigned to it on the way to such a node, in order.
    assigned: Vec<Vec<Name>>,
    /// By such a node: the variable that always has the same value as `player` there, if there is
    /// one.
    mover: HashMap<Node, Option<Var>>,
}

impl AtTurns {
    /// Takes time linear in the automaton and in the values that edges may assign.
    pub fn new(
        sheet: &Sheet,
        turns: &Turns,
        start: &Start,
        meter: &Meter<'_>,
    ) -> Result<AtTurns, Exhausted> {
        let program = &sheet.program;
        let mut open = Worklist::new(program.node_count());
        open.extend(turns.players.iter().map(|&(node, _)| node));
        while let Some(node) = open.pop() {
            meter.spend(1 + program.entering(node).len())?;
            open.extend(program.entering(node).iter().map(|&id| program.edge(id).from));
        }
        let leads_there = open.into_met();
        let mut assigned = vec![Vec::new(); sheet.variables.len()];
        for (_, edge) in program.edges().filter(|(_, edge)| leads_there[edge.to.index()]) {
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
        Ok(AtTurns { assigned, mover: movers(sheet, turns, start, meter)? })
    }

    /// The variable that has the same value as `player` at a node.
    pub fn mover(&self, node: Node) -> Option<Var> {
        self.mover.get(&node).copied().flatten()
    }

    /// Whether a variable has the same value as `player` wherever a player has the move.
    pub fn is_mover(&self, var: Var) -> bool {
        !self.mover.is_empty() && self.mover.values().all(|&mover| mover == Some(var))
    }

    /// Whether a slot may hold a symbol.
    pub fn may_hold(&self, sheet: &Sheet, start: &Start, slot: Slot, symbol: Name) -> bool {
        let assigned = &self.assigned[sheet.owner(slot) as usize];
        start.values[slot as usize] == symbol || assigned.binary_search(&symbol).is_ok()
    }
}

/// By node at which a player has the move: the variable to whose value `player` is set on all edges
/// that lead there. On edges of the keeper before the first turn, `player` may also be set to the
/// first value of the variable.
fn movers(
    sheet: &Sheet,
    turns: &Turns,
    start: &Start,
    meter: &Meter<'_>,
) -> Result<HashMap<Node, Option<Var>>, Exhausted> {
    let program = &sheet.program;
    let mut open = Worklist::new(program.node_count());
    open.extend(turns.players.iter().map(|&(node, _)| node));
    while let Some(node) = open.pop() {
        meter.spend(1 + program.leaving(node).len())?;
        open.extend(program.edges_from(node).map(|edge| edge.to));
    }
    let in_play = open.into_met();
    let mover = |label: Label| match label {
        Label::Assign { value, .. } => sheet.as_known(value),
        _ => None,
    };
    let of_node = |node: Node| {
        let entering = program.entering(node).iter().map(|&id| program.edge(id));
        let mut ends = entering.filter(|edge| program.ends_move(edge.label));
        let var = ends.clone().find_map(|edge| mover(edge.label))?;
        let is_first = node == start.node;
        let all = ends.all(|edge| mover(edge.label) == Some(var) || !in_play[edge.from.index()]);
        let as_first = start.values[sheet.at(var).base as usize] == start.player;
        (all && (!is_first || as_first)).then_some(var)
    };
    Ok(turns.players.iter().map(|&(node, _)| (node, of_node(node))).collect())
}
