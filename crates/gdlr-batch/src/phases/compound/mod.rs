//! Compound moves: two independent choices in one, such as the target of a piece, and the captured piece of the opponent.
//!
//! ```text
//! legal(m11) = p1 and q1     legal(m12) = p1 and q2
//! legal(m21) = p2 and q1     legal(m22) = p2 and q2      4 moves, or a row of 2 and a column of 2
//! ```
//!
//! Such a move is legal if its *row* and its *column* are both legal. So the number of legal moves is the product of the numbers
//! of legal rows and columns, and a random move is a random row and a random column. The new net has rows and columns as inputs
//! in place of the moves, so a step does not look at each move. A gate that reads all moves of a row reads the row instead. In
//! The Mill Game, 14,400 moves of a player are 600 rows and 24 columns.
//!
//! A pair of a row and a column that is no move must never be legal. Mutexes of latches prove that.

mod grid;
mod splits;
// Nets are evaluated often, which takes long under Miri, and nothing here is unsafe.
#[cfg(all(test, not(miri)))]
mod tests;

use gdlr_engine::engine::RoleId;
use gdlr_net::net::{GateId, InputId, Net, Operation, Rebuild, Replaced, Signal, rebuild};
use gdlr_text::budget::{Exhausted, Meter};
use grid::{Cell, Grid};
use hashbrown::HashMap;

/// The compound moves of a role. Of each row and column one is made in a step in which one
/// of these moves is, and none in another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Compound {
    /// Whose moves.
    pub role: RoleId,
    /// The inputs of the rows, legal where one of their moves may be.
    pub rows: Vec<InputId>,
    /// Those of the columns.
    pub columns: Vec<InputId>,
}

/// A net in which rows and columns of some moves are inputs, with the term of one of their moves each,
/// and which these are; none if no role has such moves. Linear in the net but for what sums of moves
/// have in common.
///
/// # Errors
///
/// When the budget is exhausted.
pub(super) fn compound(
    net: &Net,
    meter: &Meter<'_>,
) -> Result<Option<(Net, Vec<Compound>)>, Exhausted> {
    meter.spend(net.len() + net.wires())?;
    let mut grids = Vec::new();
    for role in 0..net.roles {
        grids.extend(Grid::of(net, RoleId(role), meter)?);
    }
    if grids.is_empty() {
        return Ok(None);
    }
    let mut net = net.clone();
    let replaced = carry(&mut net, &grids);
    let cells = Cells::of(&net, &grids);
    cells.put_behind_gates(&mut net);
    let sums = Sums::of(&net, |signal| cells.cell(&net, signal).is_some(), meter)?;
    let grid_gates = GridGates { net: &net, grids: &grids, cells: &cells, sums: &sums };
    let removed: Vec<bool> = replaced.iter().map(Option::is_some).collect();
    let replaced = Replaced { inputs: replaced, ..Replaced::default() };
    let rebuilt = rebuild(&net, &replaced, meter, |rebuilt, gate, operation, operands| {
        grid_gates.gate(rebuilt, gate, operation, operands)
    })?;
    // Inputs that are gone leave their places to those behind.
    let gone = |input: InputId| removed[..input.index()].iter().filter(|&&gone| gone).count();
    let place = |&input: &InputId| InputId((input.index() - gone(input)) as u32);
    let places = |inputs: &Vec<InputId>| inputs.iter().map(place).collect();
    let compounds = (grids.iter())
        .map(|Grid { role, carriers: [rows, columns], .. }| Compound {
            role: *role,
            rows: places(rows),
            columns: places(columns),
        })
        .collect();
    Ok(Some((rebuilt, compounds)))
}

/// Makes the carriers of rows and columns legal where these are. By input: whether a move is not read
/// any more, as rows and columns take its place.
fn carry(net: &mut Net, grids: &[Grid]) -> Vec<Option<Signal>> {
    let mut replaced = vec![None; net.inputs.len()];
    for grid in grids {
        grid.moves.iter().for_each(|(input, _)| replaced[input.index()] = Some(Signal::FALSE));
        for (conditions, carriers) in grid.asked.iter().zip(&grid.carriers) {
            for (conditions, &input) in conditions.iter().zip(carriers) {
                net.inputs[input.index()].legal = net.add(Operation::And, conditions);
                replaced[input.index()] = None;
            }
        }
    }
    replaced
}

/// By input: the grid that its move is in, and the place there.
struct Cells(Vec<Option<(usize, Cell)>>);

impl Cells {
    fn of(net: &Net, grids: &[Grid]) -> Cells {
        let mut cells = vec![None; net.inputs.len()];
        for (at, grid) in grids.iter().enumerate() {
            grid.moves.iter().for_each(|&(input, cell)| cells[input.index()] = Some((at, cell)));
        }
        Cells(cells)
    }

    /// The cell of a signal that is a move, or the complement of one.
    fn cell(&self, net: &Net, signal: Signal) -> Option<(usize, Cell)> {
        match net.operation(signal.gate()) {
            Operation::Input(input) => self.0[input.index()],
            _ => None,
        }
    }

    /// Puts a gate between each move and an output that is this move, so that what becomes of it is
    /// found as for others.
    fn put_behind_gates(&self, net: &mut Net) {
        let behind = |net: &mut Net, signal: Signal| match self.cell(net, signal) {
            None => signal,
            Some(_) => {
                let alone = net.add(Operation::Or, &[Signal::of(signal.gate())]);
                alone.negated_if(signal.is_negated())
            }
        };
        for at in 0..net.latches.len() {
            net.latches[at].next = behind(net, net.latches[at].next);
        }
        for at in 0..net.percepts.len() {
            net.percepts[at].signal = behind(net, net.percepts[at].signal);
        }
    }
}

/// The signals of gates where rows and columns are read in the place of moves.
struct GridGates<'n> {
    net: &'n Net,
    grids: &'n [Grid],
    cells: &'n Cells,
    sums: &'n Sums,
}

impl GridGates<'_> {
    /// The gate of the new net for one of the old net; `operands` are its operands in the new net, and
    /// memory to use.
    fn gate(
        &self,
        rebuilt: &mut Rebuild,
        gate: GateId,
        operation: Operation,
        operands: &mut Vec<Signal>,
    ) -> Signal {
        let GridGates { net, grids, cells, sums } = *self;
        let of_moves = |signal: Signal| {
            cells.cell(net, signal).is_some() || sums.moves.contains_key(&signal.gate())
        };
        if !net.operands(gate).iter().any(|&operand| of_moves(operand)) {
            return rebuilt.simplified(operation, operands);
        }
        operands.clear();
        // By grid: the moves of which one is asked for.
        let mut conditions: Vec<Vec<Cell>> = vec![Vec::new(); grids.len()];
        for &operand in net.operands(gate) {
            let is_term = operand.is_negated() == (operation == Operation::And);
            match (cells.cell(net, operand), sums.moves.get(&operand.gate())) {
                (Some((at, cell)), _) if is_term => conditions[at].push(cell),
                (Some((at, Cell { row, column })), _) => {
                    let [rows, columns] = &grids[at].carriers;
                    for input in [rows[row], columns[column]] {
                        let signal = rebuilt.mapped(Signal::of(net.inputs[input.index()].gate));
                        operands.push(signal.negated_if(operand.is_negated()));
                    }
                }
                (None, Some(inputs)) if is_term => {
                    for (at, cell) in inputs.iter().filter_map(|input| cells.0[input.index()]) {
                        conditions[at].push(cell);
                    }
                }
                _ => operands.push(rebuilt.mapped(operand)),
            }
        }
        for (grid, conditions) in grids.iter().zip(conditions) {
            for signal in grid.cover(net, rebuilt, conditions) {
                operands.push(signal.negated_if(operation == Operation::And));
            }
        }
        rebuilt.simplified(operation, operands)
    }
}

/// Gates that are true where one of some moves is made.
struct Sums {
    /// By gate: these moves.
    moves: HashMap<GateId, Vec<InputId>>,
}

impl Sums {
    /// The sums of moves of a net that are of grids alone.
    fn of(
        net: &Net,
        is_in_grid: impl Fn(Signal) -> bool,
        meter: &Meter<'_>,
    ) -> Result<Sums, Exhausted> {
        let mut moves: HashMap<GateId, Vec<InputId>> = HashMap::new();
        for gate in net.computed() {
            let is_sum = |operand: &Signal| {
                !operand.is_negated()
                    && (is_in_grid(*operand) || moves.contains_key(&operand.gate()))
            };
            let operands = net.operands(gate);
            if net.operation(gate) != Operation::Or || !operands.iter().all(is_sum) {
                continue;
            }
            let mut all = Vec::new();
            for operand in operands {
                match net.operation(operand.gate()) {
                    Operation::Input(input) => all.push(input),
                    _ => all.extend_from_slice(&moves[&operand.gate()]),
                }
            }
            all.sort_unstable();
            all.dedup();
            meter.spend(all.len())?;
            moves.insert(gate, all);
        }
        Ok(Sums { moves })
    }
}
