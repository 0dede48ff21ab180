//! Moves of a role as a grid of rows and columns.

use super::splits::{Split, distinct, largest_component, splits};
use gdlr_engine::engine::RoleId;
use gdlr_net::net::{InputId, Net, Operation, Rebuild, Signal};
use gdlr_text::budget::{Exhausted, Meter};
use hashbrown::{HashMap, HashSet};

/// There must be more than so many times as many moves as rows and columns.
const GAIN: usize = 2;

/// Where a move is in a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Cell {
    pub row: usize,
    pub column: usize,
}

/// Moves of a role, by row and column.
pub(super) struct Grid {
    pub role: RoleId,
    /// The conditions of each row, and of each column.
    pub asked: [Vec<Vec<Signal>>; 2],
    pub moves: Vec<(InputId, Cell)>,
    /// How many moves each row has, and each column.
    sizes: [Vec<usize>; 2],
    /// The inputs that become those of rows, and of columns: one of the moves of each.
    pub carriers: [Vec<InputId>; 2],
}

impl Grid {
    /// The largest grid of a role, if it is worth it.
    pub fn of(net: &Net, role: RoleId, meter: &Meter<'_>) -> Result<Option<Grid>, Exhausted> {
        let splits = splits(net, role, meter)?;
        let members = largest_component(&splits);
        let is_member = |(at, _): &(usize, Split)| members.binary_search(at).is_ok();
        let splits = splits.into_iter().enumerate().filter(is_member);
        let mut splits: Vec<Split> = splits.map(|(_, split)| split).collect();
        if distinct(&splits, 0).len() < distinct(&splits, 1).len() {
            splits.iter_mut().for_each(|split| split.sides.swap(0, 1));
        }
        let [rows, columns] = [distinct(&splits, 0), distinct(&splits, 1)];
        let are: HashSet<[&Vec<Signal>; 2]> =
            splits.iter().map(|split| split.sides.each_ref()).collect();
        let apart = Apart::new(net);
        // A row stays if no other pair of it could be legal.
        let stays = |row: &&Vec<Signal>| {
            let mut others = columns.iter().filter(|&&column| !are.contains(&[*row, column]));
            others.all(|column| apart.never(row, column))
        };
        meter.spend(rows.len() * columns.len())?;
        let rows: Vec<&Vec<Signal>> = rows.into_iter().filter(stays).collect();
        let place = |sides: &[&Vec<Signal>]| -> HashMap<Vec<Signal>, usize> {
            sides.iter().map(|&side| side.clone()).zip(0..).collect()
        };
        let (row_of, column_of) = (place(&rows), place(&columns));
        let cell = |[row, column]: &[Vec<Signal>; 2]| {
            Some(Cell { row: *row_of.get(row)?, column: *column_of.get(column)? })
        };
        let moves = splits.iter().filter_map(|split| Some((split.input, cell(&split.sides)?)));
        let moves: Vec<(InputId, Cell)> = moves.collect();
        let mut sizes = [vec![0; rows.len()], vec![0; columns.len()]];
        for (_, Cell { row, column }) in &moves {
            sizes[0][*row] += 1;
            sizes[1][*column] += 1;
        }
        if moves.len() <= GAIN * (rows.len() + columns.len()) || sizes[1].contains(&0) {
            return Ok(None);
        }
        let asked = [&rows, &columns].map(|sides| sides.iter().map(|&side| side.clone()).collect());
        let carriers = carriers(&moves, [rows.len(), columns.len()]);
        Ok(carriers.map(|carriers| Grid { role, asked, moves, sizes, carriers }))
    }

    /// Signals of the new net of which one is true where one of these moves is made.
    pub fn cover(&self, net: &Net, rebuilt: &mut Rebuild, mut asked: Vec<Cell>) -> Vec<Signal> {
        let mapped = |rebuilt: &Rebuild, input: InputId| {
            rebuilt.mapped(Signal::of(net.inputs[input.index()].gate))
        };
        asked.sort_unstable_by_key(|&Cell { row, column }| (row, column));
        asked.dedup();
        let mut signals = Vec::new();
        let all: Vec<Cell> = asked.clone();
        for side in [0, 1] {
            let place = |cell: &Cell| [cell.row, cell.column][side];
            let mut counts = vec![0; self.sizes[side].len()];
            all.iter().for_each(|cell| counts[place(cell)] += 1);
            let is_full = |at: usize| counts[at] == self.sizes[side][at];
            let full: HashSet<usize> = asked.iter().map(place).filter(|&at| is_full(at)).collect();
            asked.retain(|cell| !full.contains(&place(cell)));
            signals.extend(full.into_iter().map(|at| mapped(rebuilt, self.carriers[side][at])));
        }
        for Cell { row, column } in asked {
            let both =
                [mapped(rebuilt, self.carriers[0][row]), mapped(rebuilt, self.carriers[1][column])];
            signals.push(rebuilt.simplified(Operation::And, &mut both.to_vec()));
        }
        signals
    }
}

/// A move of each row and each column, all of them different, if there are.
fn carriers(moves: &[(InputId, Cell)], counts: [usize; 2]) -> Option<[Vec<InputId>; 2]> {
    let mut of_rows: Vec<Vec<usize>> = vec![Vec::new(); counts[0]];
    moves.iter().enumerate().for_each(|(at, (_, cell))| of_rows[cell.row].push(at));
    let mut is_taken = vec![false; moves.len()];
    let rows = of_rows.iter().enumerate().map(|(row, of_row)| {
        // Not all of the same column.
        let at = *of_row.get(row % of_row.len().max(1))?;
        is_taken[at] = true;
        Some(moves[at].0)
    });
    let rows: Option<Vec<InputId>> = rows.collect();
    let mut columns = vec![None; counts[1]];
    for (at, (input, cell)) in moves.iter().enumerate() {
        if !is_taken[at] && columns[cell.column].is_none() {
            columns[cell.column] = Some(*input);
        }
    }
    Some([rows?, columns.into_iter().collect::<Option<Vec<_>>>()?])
}

/// Tells which conditions are never true together.
struct Apart<'n> {
    net: &'n Net,
    /// By signal of a latch: the groups in which it is, of which one is true at most.
    groups: HashMap<Signal, Vec<usize>>,
}

impl<'n> Apart<'n> {
    fn new(net: &'n Net) -> Self {
        let mut groups: HashMap<Signal, Vec<usize>> = HashMap::new();
        for (at, group) in net.exclusive.iter().enumerate() {
            group.iter().for_each(|&signal| groups.entry(signal).or_default().push(at));
        }
        Apart { net, groups }
    }

    /// Whether a row is never legal with a column; both are in order.
    fn never(&self, row: &[Signal], column: &[Signal]) -> bool {
        let is_asked = |signal: Signal| column.binary_search(&signal).is_ok();
        row.iter().any(|&signal| {
            let groups = self.groups.get(&signal).into_iter().flatten();
            let mut others = groups.flat_map(|&at| &self.net.exclusive[at]);
            is_asked(!signal) || others.any(|&other| other != signal && is_asked(other))
        })
    }
}
