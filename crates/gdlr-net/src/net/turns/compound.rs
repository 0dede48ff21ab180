//! Moves that are two choices in one: a piece goes somewhere, and any of the other's is taken.
//!
//! ```text
//! legal(m11) = p1 and q1     legal(m12) = p1 and q2
//! legal(m21) = p2 and q1     legal(m22) = p2 and q2      4 moves, or a row of 2 and a column of 2
//! ```
//!
//! Where each move of a role is legal if a *row* and a *column* both are, there are as many legal moves
//! as legal rows times legal columns, and to choose one of them at random is to choose a row and a column.
//! So thousands of moves need neither be looked at nor counted: a net is made whose inputs are rows and
//! columns. What asks for one of all moves of a row asks for the row. In the Mill Game 14,400 moves of a
//! player are 600 rows and 24 columns.
//!
//! A pair of row and column that is no move must never be legal, which groups of latches tell of which
//! one is true at most.

use crate::net::gates::{GateId, InputId, Net, Operation, Signal};
use crate::net::rebuild::{Rebuild, Replaced, rebuild};
use gdlr_engine::engine::RoleId;
use gdlr_text::budget::{Exhausted, Meter};
use hashbrown::{HashMap, HashSet};

/// There must be more than so many times as many moves as rows and columns.
const GAIN: usize = 2;

/// The compound moves of a role. Of each row and column one is made in a step in which one
/// of these moves is, and none in another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compound {
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
pub(crate) fn compound(
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
    // By input: the grid, and the place in it.
    let mut cells: Vec<Option<(usize, Cell)>> = vec![None; net.inputs.len()];
    let mut replaced = vec![None; net.inputs.len()];
    for (at, grid) in grids.iter().enumerate() {
        for &(input, cell) in &grid.moves {
            cells[input.index()] = Some((at, cell));
            replaced[input.index()] = Some(Signal::FALSE);
        }
        for (asked, carriers) in grid.asked.iter().zip(&grid.carriers) {
            for (asked, &input) in asked.iter().zip(carriers) {
                net.inputs[input.index()].legal = net.add(Operation::And, asked);
                replaced[input.index()] = None;
            }
        }
    }
    let cell = |net: &Net, signal: Signal| match net.operation(signal.gate()) {
        Operation::Input(input) => cells[input.index()],
        _ => None,
    };
    // What becomes of an output that is a move is found behind a gate, as for others.
    for at in 0..net.latches.len() {
        let next = net.latches[at].next;
        if cell(&net, next).is_some() {
            let alone = net.add(Operation::Or, &[Signal::of(next.gate())]);
            net.latches[at].next = alone.negated_if(next.is_negated());
        }
    }
    for at in 0..net.percepts.len() {
        let seen = net.percepts[at].signal;
        if cell(&net, seen).is_some() {
            let alone = net.add(Operation::Or, &[Signal::of(seen.gate())]);
            net.percepts[at].signal = alone.negated_if(seen.is_negated());
        }
    }
    let sums = Sums::of(&net, |signal| cell(&net, signal).is_some(), meter)?;
    let removed: Vec<bool> = replaced.iter().map(Option::is_some).collect();
    let replaced = Replaced { inputs: replaced, ..Replaced::default() };
    let made = rebuild(&net, &replaced, meter, |made, gate, operation, operands| {
        let of_moves = |signal: Signal| {
            cell(&net, signal).is_some() || sums.moves.contains_key(&signal.gate())
        };
        if !net.operands(gate).iter().any(|&operand| of_moves(operand)) {
            return made.simplified(operation, operands);
        }
        operands.clear();
        // By grid: the moves of which one is asked for.
        let mut asked: Vec<Vec<Cell>> = vec![Vec::new(); grids.len()];
        for &operand in net.operands(gate) {
            let is_term = operand.is_negated() == (operation == Operation::And);
            match (cell(&net, operand), sums.moves.get(&operand.gate())) {
                (Some((at, cell)), _) if is_term => asked[at].push(cell),
                (Some((at, Cell { row, column })), _) => {
                    let [rows, columns] = &grids[at].carriers;
                    for input in [rows[row], columns[column]] {
                        let signal = made.mapped(Signal::of(net.inputs[input.index()].gate));
                        operands.push(signal.negated_if(operand.is_negated()));
                    }
                }
                (None, Some(inputs)) if is_term => {
                    for &input in inputs {
                        asked.iter_mut().zip(0..).for_each(|(asked, at)| {
                            let cell = cells[input.index()].filter(|&(of, _)| of == at);
                            asked.extend(cell.map(|(_, cell)| cell));
                        });
                    }
                }
                _ => operands.push(made.mapped(operand)),
            }
        }
        for (grid, asked) in grids.iter().zip(asked) {
            for signal in grid.cover(&net, made, asked) {
                operands.push(signal.negated_if(operation == Operation::And));
            }
        }
        made.simplified(operation, operands)
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
    Ok(Some((made, compounds)))
}

/// Where a move is in a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Cell {
    row: usize,
    column: usize,
}

/// Moves of a role, by row and column.
struct Grid {
    role: RoleId,
    /// What each row asks for, and each column.
    asked: [Vec<Vec<Signal>>; 2],
    moves: Vec<(InputId, Cell)>,
    /// How many moves each row has, and each column.
    sizes: [Vec<usize>; 2],
    /// The inputs that become those of rows, and of columns: one of the moves of each.
    carriers: [Vec<InputId>; 2],
}

impl Grid {
    /// The largest grid of a role, if it is worth it.
    fn of(net: &Net, role: RoleId, meter: &Meter<'_>) -> Result<Option<Grid>, Exhausted> {
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
    fn cover(&self, net: &Net, made: &mut Rebuild, mut asked: Vec<Cell>) -> Vec<Signal> {
        let mapped = |made: &Rebuild, input: InputId| {
            made.mapped(Signal::of(net.inputs[input.index()].gate))
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
            signals.extend(full.into_iter().map(|at| mapped(made, self.carriers[side][at])));
        }
        for Cell { row, column } in asked {
            let both =
                [mapped(made, self.carriers[0][row]), mapped(made, self.carriers[1][column])];
            signals.push(made.simplified(Operation::And, &mut both.to_vec()));
        }
        signals
    }
}

/// What the rows, or the columns, of moves are, in order.
fn distinct(splits: &[Split], side: usize) -> Vec<&Vec<Signal>> {
    let mut distinct: Vec<&Vec<Signal>> = splits.iter().map(|split| &split.sides[side]).collect();
    distinct.sort_unstable();
    distinct.dedup();
    distinct
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

/// A move, with the conditions of a row and those of a column, which together are its own.
struct Split {
    input: InputId,
    sides: [Vec<Signal>; 2],
}

/// Of each condition of moves: all that the moves with it have in common.
struct Common {
    /// How many moves have it.
    count: usize,
    asked: Vec<Signal>,
}

/// Splits moves of a role: for each condition what all moves with it have in common may be the
/// column, and what is left the row. Of these that is taken which most other moves share, in whichever
/// part fewer do. Moves that share neither are left out, and of those with the same conditions all but
/// one.
fn splits(net: &Net, role: RoleId, meter: &Meter<'_>) -> Result<Vec<Split>, Exhausted> {
    let mut moves: Vec<(InputId, Vec<Signal>)> = Vec::new();
    let mut known = HashSet::new();
    for (input, at) in net.inputs.iter().zip(0..).filter(|(input, _)| input.role == role) {
        let asked = conditions(net, input.legal);
        meter.spend(asked.len() * asked.len())?;
        if known.insert(asked.clone()) {
            moves.push((InputId(at), asked));
        }
    }
    let mut common: HashMap<Signal, Common> = HashMap::new();
    for (_, asked) in &moves {
        for &condition in asked {
            let common = common.entry(condition);
            let common = common.or_insert_with(|| Common { count: 0, asked: asked.clone() });
            common.count += 1;
            common.asked.retain(|signal| asked.binary_search(signal).is_ok());
        }
    }
    // By move: its columns, how many moves have each, and the names of what is left.
    let mut shared: HashMap<u64, usize> = HashMap::new();
    let mut choices: Vec<Vec<(&Common, u64)>> = Vec::new();
    for (_, asked) in &moves {
        let mut columns: Vec<(&Common, u64)> = Vec::new();
        for common in asked.iter().map(|condition| &common[condition]) {
            let rest = name(asked).wrapping_sub(name(&common.asked));
            let is_new = columns.iter().all(|&(_, other)| other != rest);
            if common.count > 1 && common.asked.len() < asked.len() && is_new {
                *shared.entry(rest).or_default() += 1;
                columns.push((common, rest));
            }
        }
        choices.push(columns);
    }
    let mut splits = Vec::new();
    for ((input, asked), columns) in moves.into_iter().zip(choices) {
        let often =
            |&(common, rest): &(&Common, u64)| (common.count.min(shared[&rest]), common.count);
        let Some((column, rest)) = columns.into_iter().max_by_key(often) else { continue };
        if shared[&rest] > 1 {
            let (column, row) = asked.iter().partition(|signal| column.asked.contains(signal));
            splits.push(Split { input, sides: [row, column] });
        }
    }
    Ok(splits)
}

/// All signals that a signal is the And of, in their order.
fn conditions(net: &Net, signal: Signal) -> Vec<Signal> {
    let (mut open, mut all) = (vec![signal], Vec::new());
    while let Some(signal) = open.pop() {
        match &net.view(signal, Operation::And)[..] {
            &[only] if only == signal => all.push(signal),
            parts => open.extend(parts),
        }
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// A number for some signals; that of a part, taken away, leaves the number of the rest.
fn name(signals: &[Signal]) -> u64 {
    let mixed = |signal: &Signal| {
        let mixed = (signal.index() as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
    };
    signals.iter().map(mixed).fold(0, u64::wrapping_add)
}

/// The most moves that are connected by rows and columns, by their places.
fn largest_component(splits: &[Split]) -> Vec<usize> {
    let mut having: [HashMap<&Vec<Signal>, Vec<usize>>; 2] = Default::default();
    for (at, Split { sides, .. }) in splits.iter().enumerate() {
        for (having, side) in having.iter_mut().zip(sides) {
            having.entry(side).or_default().push(at);
        }
    }
    let mut largest = Vec::new();
    let mut is_seen = vec![false; splits.len()];
    for start in 0..splits.len() {
        let (mut open, mut members) = (vec![start], Vec::new());
        while let Some(at) = open.pop() {
            if std::mem::replace(&mut is_seen[at], true) {
                continue;
            }
            members.push(at);
            for (having, side) in having.iter_mut().zip(&splits[at].sides) {
                open.extend(having.remove(side).into_iter().flatten());
            }
        }
        if members.len() > largest.len() {
            largest = members;
        }
    }
    largest.sort_unstable();
    largest
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::evaluate::evaluate;
    use gdlr_engine::play::seeded;
    use rand::RngExt;

    const ROWS: usize = 9;
    const OTHERS: usize = 4;
    /// None of the others may go.
    const COLUMNS: usize = OTHERS + 1;

    /// A net in which a thing comes to one of nine places and one of four others goes, which stands where
    /// it does not come to, or none goes; or one waits. Latches are the turn, the
    /// places, the others, and some that tell what was done.
    struct Made {
        net: Net,
        /// By move: its row and column.
        cells: Vec<Option<[usize; 2]>>,
    }

    const TOLD: usize = 1 + ROWS + OTHERS;

    impl Made {
        fn new() -> Made {
            let count = ROWS * COLUMNS - OTHERS + 1;
            let mut net = Net::new(TOLD + 7, count, 1);
            let latches: Vec<Signal> =
                net.latches.iter().map(|latch| Signal::of(latch.gate)).collect();
            let turn = latches[0];
            let (rows, columns) = latches[1..].split_at(ROWS);
            let mut cells = Vec::new();
            for (row, &to) in rows.iter().enumerate() {
                for (column, &piece) in columns.iter().take(OTHERS).enumerate() {
                    if row != column {
                        net.inputs[cells.len()].legal = net.add(Operation::And, &[turn, to, piece]);
                        cells.push(Some([row, column]));
                    }
                }
                net.inputs[cells.len()].legal = net.add(Operation::And, &[turn, to]);
                cells.push(Some([row, OTHERS]));
            }
            net.inputs[cells.len()].legal = !turn;
            cells.push(None);
            for column in 0..OTHERS {
                net.exclusive.push(vec![rows[column], columns[column]]);
            }
            let moves: Vec<Signal> =
                net.inputs.iter().map(|input| Signal::of(input.gate)).collect();
            let those = |is: &dyn Fn([usize; 2]) -> bool| -> Vec<Signal> {
                let moves = moves.iter().zip(&cells);
                moves.filter(|(_, cell)| cell.is_some_and(is)).map(|(&signal, _)| signal).collect()
            };
            for row in 0..ROWS {
                net.latches[1 + row].next = net.add(Operation::Or, &those(&|[of, _]| of == row));
            }
            for (column, &piece) in columns.iter().enumerate().take(OTHERS) {
                let mut gone: Vec<Signal> =
                    those(&|[_, of]| of == column).into_iter().map(|signal| !signal).collect();
                gone.push(piece);
                net.latches[1 + ROWS + column].next = net.add(Operation::And, &gone);
            }
            let some = net.add(Operation::Or, &those(&|[row, column]| row == 2 || column == 1));
            let odd = those(&|[row, column]| (row * 5 + column * 3) % 4 == 1);
            let others = net.add(Operation::Or, &odd);
            let all_but_one = those(&|[row, column]| row == 3 && column != 1);
            net.latches[TOLD + 6].next = net.add(Operation::Or, &all_but_one);
            net.latches[TOLD].next = net.add(Operation::Or, &[some, others, moves[4]]);
            net.latches[TOLD + 1].next = moves[0];
            net.latches[TOLD + 2].next = !moves[6];
            net.latches[TOLD + 3].next = net.add(Operation::And, &[moves[7], columns[0]]);
            net.latches[TOLD + 4].next = net.add(Operation::Or, &[!moves[2], columns[1]]);
            net.latches[TOLD + 5].next = net.add(Operation::And, &[!others, !moves[4], turn]);
            Made { net, cells }
        }
    }

    fn values(net: &Net, latches: &[bool], made: &[usize]) -> Vec<bool> {
        let inputs: Vec<bool> = (0..net.inputs.len()).map(|place| made.contains(&place)).collect();
        evaluate(net, latches, &inputs)
    }

    fn read(values: &[bool], signal: Signal) -> bool {
        values[signal.gate().index()] != signal.is_negated()
    }

    #[test]
    fn moves_are_rows_and_columns() {
        let Made { net, cells } = Made::new();
        let (made, compounds) = compound(&net, &Meter::unlimited()).unwrap().expect("a grid");
        let [Compound { role: RoleId(0), rows, columns }] = &compounds[..] else {
            panic!("{compounds:?}")
        };
        assert_eq!(
            [rows.len(), columns.len(), made.inputs.len()],
            [ROWS, COLUMNS, ROWS + COLUMNS + 1]
        );
        let place = |input: &InputId| input.index();
        // That of no other asks for least, and is the first.
        let column_at = |column: usize| (column + 1) % COLUMNS;
        let rest: Vec<usize> = (0..made.inputs.len())
            .filter(|&at| !rows.iter().chain(columns).any(|input| place(input) == at))
            .collect();
        // In the order in which they are.
        let mut others = rest.iter();
        let parts: Vec<Vec<usize>> = (cells.iter())
            .map(|cell| match cell {
                &Some([row, column]) => {
                    vec![place(&rows[row]), place(&columns[column_at(column)])]
                }
                None => vec![*others.next().expect("as many others")],
            })
            .collect();
        let mut random = seeded(3, 0);
        let mut legal_moves = 0;
        for _ in 0..300 {
            let mut latches: Vec<bool> = (0..net.latches.len()).map(|_| random.random()).collect();
            for column in 0..OTHERS {
                // No thing is where another stands.
                latches[1 + column] &= !latches[1 + ROWS + column];
            }
            let (before, after) = (values(&net, &latches, &[]), values(&made, &latches, &[]));
            let is_legal = |at: usize| read(&after, made.inputs[at].legal);
            for (row, column) in (0..OTHERS).map(|both| (both, both)) {
                assert!(
                    !is_legal(place(&rows[row])) || !is_legal(place(&columns[column_at(column)]))
                );
            }
            for (at, parts) in parts.iter().enumerate() {
                let legal = read(&before, net.inputs[at].legal);
                assert_eq!(parts.iter().all(|&part| is_legal(part)), legal, "move {at}");
                if !legal {
                    continue;
                }
                legal_moves += 1;
                let (before, after) =
                    (values(&net, &latches, &[at]), values(&made, &latches, parts));
                for (place, (old, new)) in net.latches.iter().zip(&made.latches).enumerate() {
                    let [old, new] = [read(&before, old.next), read(&after, new.next)];
                    assert_eq!(new, old, "latch {place} after move {at}");
                }
            }
        }
        assert!(legal_moves > 1000, "{legal_moves}");
        // A row is asked for by one gate, and so is a column.
        let next = made.latches[1 + 5].next;
        assert_eq!(next, Signal::of(made.inputs[place(&rows[5])].gate));
        assert!(made.operands(made.latches[1 + ROWS].next.gate()).len() == 2);
    }

    #[test]
    fn rows_with_a_pair_that_could_be_legal_but_is_no_move_stay_as_they_are() {
        let Made { mut net, .. } = Made::new();
        net.exclusive.clear();
        let found = compound(&net, &Meter::unlimited()).unwrap();
        let (made, compounds) = found.expect("a grid of those that have all columns");
        assert_eq!(
            [&compounds[0].rows, &compounds[0].columns].map(Vec::len),
            [ROWS - OTHERS, COLUMNS]
        );
        let others = OTHERS * (COLUMNS - 1) + 1;
        assert_eq!(made.inputs.len(), ROWS - OTHERS + COLUMNS + others);
        assert_eq!(compound(&Net::new(3, 5, 2), &Meter::unlimited()).unwrap(), None);
    }
}
