//! Small games, and what they must do.

use super::*;
use crate::rg::read;
use std::sync::atomic::AtomicBool;

/// Tic-tac-toe: the board is a map of maps, a move is a row and a column.
pub(super) const TIC_TAC_TOE: &str = "
    type Player = { x, o }; type Score = { 0, 50, 100 }; type Coord = { 0, 1, 2 };
    type Piece = { e, x, o }; type Board = Coord -> Coord -> Piece;
    const next: Coord -> Coord = { 0: 1, 1: 2, :0 };
    const other: Player -> Player = { x: o, :x };
    var board: Board = { :{ :e } }; var row: Coord = 0; var column: Coord = 0; var me: Player = x;
    var goals: Goals = { :50 };
    begin, turn: player = me;
    turn, a: row = Coord(*); a, b: column = Coord(*); b, c: board[row][column] == e;
    c, d: $$ row; d, e: $$ column; e, f: board[row][column] = me; f, done: player = keeper;
    done, win: ? lines -> line; win, w: goals[me] = 100; w, v: goals[other[me]] = 0;
    v, end: player = keeper;
    done, more: ! lines -> line; more, draw: ! free -> found; draw, end: player = keeper;
    more, on: ? free -> found; on, swap: me = other[me]; swap, turn: player = me;
    lines, l1: board[row][next[column]] == board[row][column];
    l1, line: board[row][next[next[column]]] == board[row][column];
    lines, l2: board[next[row]][column] == board[row][column];
    l2, line: board[next[next[row]]][column] == board[row][column];
    lines, l3: board[0][0] == board[1][1]; l3, l4: board[2][2] == board[1][1];
    l4, line: board[1][1] != e;
    lines, l5: board[0][2] == board[1][1]; l5, l6: board[2][0] == board[1][1];
    l6, line: board[1][1] != e;
    free, f1: row = Coord(*); f1, f2: column = Coord(*); f2, found: board[row][column] == e;";

#[track_caller]
pub(super) fn automaton(text: &str) -> Automaton {
    Automaton::new(&read(text).unwrap()).unwrap()
}

fn counts(text: &str, depth: usize) -> Perft {
    let never = AtomicBool::new(false);
    perft(&automaton(text), &mut Search::default(), depth, &never, |_| ())
}

#[test]
fn tic_tac_toe_has_its_known_counts() {
    let perft = counts(TIC_TAC_TOE, 10);
    assert_eq!(perft.error, None);
    assert_eq!(perft.counts, [1, 9, 72, 504, 3024, 15120, 54720, 148_176, 200_448, 127_872, 0]);
    assert_eq!(perft.terminal, [0, 0, 0, 0, 0, 1440, 5328, 47952, 72576, 127_872, 0]);
}
