//! Nets with rows and columns beside those with all moves.

use super::*;
use gdlr_engine::play::seeded;
use gdlr_net::net::evaluate;
use rand::RngExt;

const ROWS: usize = 9;
const OTHERS: usize = 4;
/// None of the others may go.
const COLUMNS: usize = OTHERS + 1;

/// A net in which a thing comes to one of nine places and one of four others goes, which stands where
/// it does not come to, or none goes; or one waits. Latches are the turn, the
/// places, the others, and some that tell what was done.
struct GridNet {
    net: Net,
    /// By move: its row and column.
    cells: Vec<Option<[usize; 2]>>,
}

const FIRST_TRACE: usize = 1 + ROWS + OTHERS;

impl GridNet {
    fn new() -> GridNet {
        let count = ROWS * COLUMNS - OTHERS + 1;
        let mut net = Net::new(FIRST_TRACE + 7, count, 1);
        let latches: Vec<Signal> = net.latches.iter().map(|latch| Signal::of(latch.gate)).collect();
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
        let moves: Vec<Signal> = net.inputs.iter().map(|input| Signal::of(input.gate)).collect();
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
        net.latches[FIRST_TRACE + 6].next = net.add(Operation::Or, &all_but_one);
        net.latches[FIRST_TRACE].next = net.add(Operation::Or, &[some, others, moves[4]]);
        net.latches[FIRST_TRACE + 1].next = moves[0];
        net.latches[FIRST_TRACE + 2].next = !moves[6];
        net.latches[FIRST_TRACE + 3].next = net.add(Operation::And, &[moves[7], columns[0]]);
        net.latches[FIRST_TRACE + 4].next = net.add(Operation::Or, &[!moves[2], columns[1]]);
        net.latches[FIRST_TRACE + 5].next = net.add(Operation::And, &[!others, !moves[4], turn]);
        GridNet { net, cells }
    }
}

fn values(net: &Net, latches: &[bool], moves: &[usize]) -> Vec<bool> {
    let inputs: Vec<bool> = (0..net.inputs.len()).map(|place| moves.contains(&place)).collect();
    evaluate(net, latches, &inputs)
}

fn read(values: &[bool], signal: Signal) -> bool {
    values[signal.gate().index()] != signal.is_negated()
}

#[test]
fn moves_are_rows_and_columns() {
    let GridNet { net, cells } = GridNet::new();
    let (rebuilt, compounds) = compound(&net, &Meter::unlimited()).unwrap().expect("a grid");
    let [Compound { role: RoleId(0), rows, columns }] = &compounds[..] else {
        panic!("{compounds:?}")
    };
    assert_eq!(
        [rows.len(), columns.len(), rebuilt.inputs.len()],
        [ROWS, COLUMNS, ROWS + COLUMNS + 1]
    );
    let place = |input: &InputId| input.index();
    // That of no other asks for least, and is the first.
    let column_at = |column: usize| (column + 1) % COLUMNS;
    let rest: Vec<usize> = (0..rebuilt.inputs.len())
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
        let (before, after) = (values(&net, &latches, &[]), values(&rebuilt, &latches, &[]));
        let is_legal = |at: usize| read(&after, rebuilt.inputs[at].legal);
        for (row, column) in (0..OTHERS).map(|both| (both, both)) {
            assert!(!is_legal(place(&rows[row])) || !is_legal(place(&columns[column_at(column)])));
        }
        for (at, parts) in parts.iter().enumerate() {
            let legal = read(&before, net.inputs[at].legal);
            assert_eq!(parts.iter().all(|&part| is_legal(part)), legal, "move {at}");
            if !legal {
                continue;
            }
            legal_moves += 1;
            let (before, after) =
                (values(&net, &latches, &[at]), values(&rebuilt, &latches, parts));
            for (place, (old, new)) in net.latches.iter().zip(&rebuilt.latches).enumerate() {
                let [old, new] = [read(&before, old.next), read(&after, new.next)];
                assert_eq!(new, old, "latch {place} after move {at}");
            }
        }
    }
    assert!(legal_moves > 1000, "{legal_moves}");
    // A row is asked for by one gate, and so is a column.
    let next = rebuilt.latches[1 + 5].next;
    assert_eq!(next, Signal::of(rebuilt.inputs[place(&rows[5])].gate));
    assert!(rebuilt.operands(rebuilt.latches[1 + ROWS].next.gate()).len() == 2);
}

#[test]
fn rows_with_a_pair_that_could_be_legal_but_is_no_move_stay_as_they_are() {
    let GridNet { mut net, .. } = GridNet::new();
    net.exclusive.clear();
    let grids = compound(&net, &Meter::unlimited()).unwrap();
    let (rebuilt, compounds) = grids.expect("a grid of those that have all columns");
    assert_eq!([&compounds[0].rows, &compounds[0].columns].map(Vec::len), [ROWS - OTHERS, COLUMNS]);
    let others = OTHERS * (COLUMNS - 1) + 1;
    assert_eq!(rebuilt.inputs.len(), ROWS - OTHERS + COLUMNS + others);
    assert_eq!(compound(&Net::new(3, 5, 2), &Meter::unlimited()).unwrap(), None);
}
