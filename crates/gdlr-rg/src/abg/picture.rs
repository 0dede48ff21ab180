//! Pictures of rules: automata as graphs, and the squares that a piece can reach.

use super::game::{Condition, Game, Letter, Pieces};
use super::regular::Dfa;
use std::collections::BTreeSet;
use std::fmt::Write;

/// The automata of all rules as one graph in the language DOT, a cluster for each piece and player.
///
/// ```
/// # mod gdlr { pub use gdlr_rg::abg; }
/// let text = "players = one; pieces = empty, r(one); rule r = [1, 0, Empty]+;
///     board_size = 3, 1; board = r, empty, empty;";
/// let game = gdlr::abg::resolve(&gdlr::abg::read(text).unwrap()).unwrap();
/// assert!(gdlr::abg::to_dot(&game).contains("n0_0 -> n0_1 [label=\"1, 0, empty\"];"));
/// assert_eq!(gdlr::abg::reached(&game, 0, 0), ". P #\n");
/// ```
pub fn to_dot(game: &Game) -> String {
    let mut out =
        String::from("digraph rules {\n    rankdir=LR;\n    node [shape=circle, label=\"\"];\n");
    let mut number = 0;
    for (player, turn) in game.turns.iter().enumerate() {
        for (piece, dfa) in &turn.rules {
            let title = format!("{} of {}", game.pieces[*piece].name, game.players[player]);
            // A write to a text does not fail.
            let _ = write!(
                out,
                "    subgraph cluster_{number} {{\n        label=\"{title}\";\n{}    }}\n",
                cluster(game, dfa, number)
            );
            number += 1;
        }
    }
    out + "}\n"
}

fn cluster(game: &Game, dfa: &Dfa, number: usize) -> String {
    let mut out = String::new();
    for (state, edges) in dfa.edges.iter().enumerate() {
        let shape = if dfa.accepting[state] { "doublecircle" } else { "circle" };
        let _ = writeln!(out, "        n{number}_{state} [shape={shape}];");
        for &(letter, to) in edges {
            let label = label(game, &dfa.letters[letter]);
            let _ =
                writeln!(out, "        n{number}_{state} -> n{number}_{to} [label=\"{label}\"];");
        }
    }
    out
}

/// A letter in a few words.
fn label(game: &Game, letter: &Letter) -> String {
    let test = match &letter.test {
        Condition::Constant(true) => "True".to_owned(),
        Condition::Here(set) => names(game, *set),
        Condition::Among(squares) => {
            let count = squares.iter().filter(|it| **it).count();
            format!("{count} squares")
        }
        _ => "…".to_owned(),
    };
    let effect = letter.effect.name.as_ref().map_or(String::new(), |name| format!(" {{{name}}}"));
    format!("{}, {}, {test}{effect}", letter.dx, letter.dy)
}

fn names(game: &Game, set: Pieces) -> String {
    let others = Pieces::all(game.pieces.len()).without(set);
    let list = |set: Pieces| {
        let names: Vec<&str> = set.iter().map(|piece| &*game.pieces[piece].name).collect();
        names.join(" ")
    };
    if others.len() < set.len() { format!("not {}", list(others)) } else { list(set) }
}

/// A drawing of the squares where moves of a piece can end, whatever is on the board. It has the
/// rows of the board from the top, `P` for the piece in the middle, and `#` for a square that it
/// reaches.
///
/// The rule is given by its index among the rules of the player. If there is none, the drawing has
/// only the piece.
pub fn reached(game: &Game, player: usize, rule: usize) -> String {
    let (width, height) = (game.width as i64, game.height as i64);
    let start = (width / 2, height / 2);
    let mut ends = BTreeSet::new();
    if let Some((_, dfa)) = game.turns.get(player).and_then(|turn| turn.rules.get(rule)) {
        let mut seen = BTreeSet::from([(0, start)]);
        let mut open = vec![(0, start)];
        while let Some((state, (x, y))) = open.pop() {
            if dfa.accepting[state] {
                ends.insert((x, y));
            }
            for &(letter, to) in &dfa.edges[state] {
                let letter = &dfa.letters[letter];
                let (x, y) = (x + letter.dx, y + letter.dy);
                let on_board = (0..width).contains(&x) && (0..height).contains(&y);
                let fits = match &letter.test {
                    Condition::Among(set) if on_board => set[(y * width + x) as usize],
                    _ => true,
                };
                if on_board && fits && seen.insert((to, (x, y))) {
                    open.push((to, (x, y)));
                }
            }
        }
    }
    let mut out = String::new();
    for y in (0..height).rev() {
        let sign = |x| match (x, y) {
            here if here == start => "P",
            here if ends.contains(&here) => "#",
            _ => ".",
        };
        let row: Vec<&str> = (0..width).map(sign).collect();
        out += &row.join(" ");
        out.push('\n');
    }
    out
}
