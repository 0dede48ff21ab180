//! The board of a game in Regular Boardgames, as a graph.

use super::diagram::{Change, Diagram, Kind, Node};
use gdlr_rg::rbg::Game;
use std::collections::BTreeMap;

/// The board of a game as a document of SVG: its squares with what stands there at the beginning,
/// and lines between those that edges of the board join. A line with an arrow leads one way only;
/// the square where plays begin has a thick rim.
///
/// `None` if there are more than 400 squares. Near linear in what is drawn.
pub fn board(game: &Game, name: &str) -> Option<String> {
    let names = game.board.square_names();
    let mut diagram = Diagram {
        name: format!("{name}: board"),
        legend: vec![(Kind::Plain, "square, and what stands there at the beginning")],
        notes: vec![format!("directions: {}", game.board.labels.join(", "))],
        ..Diagram::default()
    };
    let squares = game.board.squares.iter().zip(names).enumerate();
    diagram.nodes.extend(squares.map(|(number, (square, label))| Node {
        kind: Kind::Plain,
        change: Change::None,
        label,
        note: game.pieces[square.piece.index()].to_string(),
        is_thick: number == 0,
    }));
    // By two squares: whether edges lead there, and back.
    let mut lines: BTreeMap<(usize, usize), [bool; 2]> = BTreeMap::new();
    for (from, square) in game.board.squares.iter().enumerate() {
        for to in square.edges.iter().map(|(_, to)| to.index()) {
            let back = usize::from(to < from);
            lines.entry((from.min(to), from.max(to))).or_default()[back] = true;
        }
    }
    for ((one, other), ways) in lines {
        match ways {
            [true, true] => diagram.join(one, other, false, false),
            [true, false] => diagram.join(one, other, false, true),
            _ => diagram.join(other, one, false, true),
        }
    }
    diagram.svg()
}
