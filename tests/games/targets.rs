//! Which squares moves name, on rulesheets of which one knows.

use crate::rulesheets;
use gdlr::board::{Boards, Step, Target, Targets};
use gdlr::engine::{AnyEngine, Engine, choose, seeded};
use gdlr::gdl::{Game, Term};
use gdlr::tree::{Tree, TreeOptions};
use gdlr::viewer::Viewer;
use std::path::Path;
use std::sync::Arc;

/// How much is played.
const PLAYOUTS: usize = 20;
const STEPS: usize = 100;

fn read(path: &Path) -> (Arc<Game>, AnyEngine) {
    let text = std::fs::read_to_string(path).expect("a rulesheet");
    let game = Arc::new(Game::from_text("game", &text).expect("a readable rulesheet"));
    let tree = Tree::new(game.clone(), &TreeOptions::default()).expect("a playable game");
    (game, AnyEngine::new(tree))
}

/// A playout: its states, and the joint moves between them.
type Played = (Vec<Vec<Term>>, Vec<Vec<Term>>);

fn play(engine: &AnyEngine, playouts: usize) -> Vec<Played> {
    let (mut scratch, mut rng) = (engine.scratch(), seeded(1, 0));
    let mut one = || {
        let (mut states, mut joints, mut legal) = (Vec::new(), Vec::new(), Vec::new());
        engine.enter(&mut scratch, engine.initial());
        loop {
            states.push(engine.facts(&engine.state(&scratch)));
            if joints.len() == STEPS || engine.terminal(&mut scratch).expect("little work") {
                return (states, joints);
            }
            let mut joint = Vec::new();
            for role in engine.roles().iter() {
                engine.legal(&mut scratch, role, &mut legal).expect("little work");
                joint.push(choose(&legal, &mut rng).expect("a legal move"));
            }
            engine.step(&mut scratch, &joint).expect("legal moves");
            joints.push(joint.iter().map(|&id| engine.move_term(id).1).collect());
        }
    };
    (0..playouts).map(|_| one()).collect()
}

fn learn(game: &Game, played: &[Played]) -> (Boards, Targets) {
    let boards = Boards::find(game, played.iter().flat_map(|of| &of.0).flatten());
    let steps = played.iter().flat_map(|(states, joints)| {
        let pairs = states.windows(2).zip(joints);
        pairs.map(|(states, joint)| Step { before: &states[0], joint, after: &states[1] })
    });
    let targets = Targets::find(&boards, steps);
    (boards, targets)
}

fn term(game: &Game, text: &str) -> Term {
    let document = gdlr::kif::read(text).expect("an expression");
    Term::from_expr(&document.items[0], &game.symbols).expect("symbols of the game")
}

/// Columns and rows as `a 1`, with `*` for any, and the layer behind `@` where one is named.
fn shown(boards: &Boards, targets: &[Target]) -> String {
    let one = |target: &Target| {
        let board = &boards.boards()[target.board];
        let label = |at: Option<usize>, labels: &[String]| {
            at.map_or("*".to_owned(), |at| labels[at].clone())
        };
        let square = format!(
            "{} {}",
            label(target.column, &board.columns.labels),
            label(target.row, &board.rows.labels)
        );
        match target.layer {
            Some(layer) => format!("{square} @{}", board.layers[layer]),
            None => square,
        }
    };
    targets.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// The squares that the moves of a game name, if they are written here.
fn check(path: &Path, expected: &[(&str, &str)]) {
    let (game, engine) = read(path);
    let (boards, targets) = learn(&game, &play(&engine, PLAYOUTS));
    for (text, squares) in expected {
        let named = shown(&boards, &targets.of(&boards, &term(&game, text)));
        assert_eq!(named, *squares, "{}: {text}", path.display());
    }
}

#[test]
fn moves_of_bundled_games() {
    let games: [(&str, &[(&str, &str)]); 12] = [
        ("tictactoe", &[("(sign 1 3)", "1 3"), ("wait", "")]),
        ("connect4", &[("(drop 3)", "3 *")]),
        ("breakthrough", &[("(step 1 2 1 3)", "1 2, 1 3"), ("(step 4 7 5 6)", "4 7, 5 6")]),
        ("amazons", &[("(move 1 4 1 1)", "1 4, 1 1"), ("(shoot 2 9)", "2 9")]),
        ("hex", &[("(put 2 7)", "2 7")]),
        ("gomoku", &[("(put 2 15)", "2 15")]),
        (
            "pentago",
            &[
                ("(put southwest 3 1)", "3 1 @southwest"),
                ("(rotate northeast right)", "* * @northeast"),
            ],
        ),
        ("reversi", &[("(place 4 3)", "4 3"), ("pass", "")]),
        ("draughts", &[("(jump 3 5 1 3)", "3 5, 1 3"), ("(step 1 3 2 4)", "1 3, 2 4")]),
        ("knights_tour", &[("(go 2 3)", "2 3")]),
        ("fox_and_hounds", &[("(move fox (square 3 1))", "3 1")]),
        ("light_cycles", &[("(drive north)", "")]),
    ];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("kif");
    for (name, expected) in games {
        check(&folder.join(name).with_extension("kif"), expected);
    }
}

#[test]
fn moves_of_public_games() {
    let games: [(&str, &[(&str, &str)]); 14] = [
        ("amazons", &[("(play 4 1 5 2 4 3)", "4 1, 5 2, 4 3")]),
        ("blobwars", &[("(dupe n1 n6 n1 n5)", "n1 n6, n1 n5")]),
        ("checkers", &[("(move wp b 3 a 4)", "b 3, a 4")]),
        ("chess_200", &[("(move knight b 1 a 3)", "b 1, a 3")]),
        ("chineseCheckers1", &[("(move a1 c3)", "a 1, c 3")]),
        ("coins", &[("(jump 1 4)", "1 , 4 ")]),
        ("connectFourSimultaneous", &[("(drop 2 1)", "2 * @1")]),
        ("cubicup", &[("(put 2 1 1)", "2 1 @1")]),
        ("eightPuzzle", &[("(move 2 3)", "2 3")]),
        ("nineBoardTicTacToe", &[("(play 1 2 3 1 x)", "2.1 1.3")]),
        ("pilgrimage", &[("(move 4 2 5 2)", "2 4, 2 5")]),
        ("quad_5x5", &[("(mark r1 c2)", "c2 r1")]),
        ("ticTacToeParallel", &[("(mark 1 2 3 1)", "1 2, 3 1")]),
        ("tttcc4", &[("(drop 5)", "5 *"), ("(knightmove 1 3 3 4)", "1 3, 3 4")]),
    ];
    for (name, expected) in games {
        if let Some(path) = rulesheets::public(name) {
            check(&path, expected);
        }
    }
}

/// Kings of draughts that jump twice appear late in play or never.
#[test]
fn moves_that_play_has_not_shown_are_read_like_the_others() {
    let game = |letters: bool| {
        let column = |x: usize| {
            if letters { ["a", "b", "c", "d"][x - 1] } else { ["1", "2", "3", "4"][x - 1] }
        };
        let mut text = String::from(
            "(role r) (<= (legal r (put ?x ?y)) (file ?x) (row ?y))
             (<= (legal r (hop ?p ?x ?y ?u ?v ?x ?y)) (piece ?p) (file ?x) (row ?y) (file ?u) (row ?v) (true never))
             (<= (next (cell ?x ?y man)) (does r (put ?x ?y)))
             (<= (next (cell ?x ?y man)) (true (cell ?x ?y man)))
             (piece man) (init (step 1)) (<= terminal (true never)) (goal r 0) (succ 1 2) (succ 2 3) (succ 3 4) ",
        );
        for at in 1..=4 {
            text += &format!("(file {}) (row {at})", column(at));
        }
        Game::from_kif("hops", &text).expect("a rulesheet")
    };
    let step = |game: &Game, column: &str, row: usize| {
        let joint = vec![term(game, &format!("(put {column} {row})"))];
        (vec![Vec::new(), vec![term(game, &format!("(cell {column} {row} man)"))]], vec![joint])
    };
    // Played, numbers say which of two is the column; letters say it by themselves.
    let numbers = game(false);
    let played: Vec<Played> =
        (0..16).map(|at| step(&numbers, &(at % 4 + 1).to_string(), at / 4 + 1)).collect();
    let (boards, targets) = learn(&numbers, &played);
    let hop = term(&numbers, "(hop man 1 2 3 4 2 2)");
    assert_eq!(shown(&boards, &targets.of(&boards, &hop)), "1 2, 3 4, 2 2");
    let (boards, targets) = (boards, Targets::default());
    assert_eq!(targets.of(&boards, &hop), [], "nothing is known");
    let letters = game(true);
    let facts: Vec<Vec<Term>> = (0..16)
        .map(|at| {
            vec![term(
                &letters,
                &format!("(cell {} {} man)", ["a", "b", "c", "d"][at % 4], at / 4 + 1),
            )]
        })
        .collect();
    let played: Vec<Played> = facts.into_iter().map(|state| (vec![state], Vec::new())).collect();
    let (boards, targets) = learn(&letters, &played);
    let hop = term(&letters, "(hop man a 2 c 4 b 2)");
    assert_eq!(shown(&boards, &targets.of(&boards, &hop)), "a 2, c 4, b 2");
}

/// Where what is named changes in one step in ten, it is not what the move names.
#[test]
fn a_name_that_seldom_changes_anything_is_none() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("kif/hex.kif");
    let (game, engine) = read(&path);
    let mut played = play(&engine, PLAYOUTS);
    for (_, joints) in &mut played {
        // The targets do not name the moves that were played.
        joints.rotate_left(2);
    }
    let (boards, targets) = learn(&game, &played);
    assert_eq!(targets.of(&boards, &term(&game, "(put 2 7)")), []);
}

#[test]
fn a_viewer_learns_by_itself() {
    fn goes_to_other_threads<T: Send + 'static>(_: &T) {}
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("kif/tictactoe.kif");
    let (game, engine) = read(&path);
    let mut viewer = Viewer::new(game.clone(), &engine);
    goes_to_other_threads(&viewer);
    let sign = term(&game, "(sign 1 3)");
    assert_eq!(viewer.targets(&sign), []);
    viewer.explore_moves(&engine, 1, &mut || false);
    let [target] = viewer.targets(&sign)[..] else { panic!("one square") };
    let facts = [term(&game, "(signed 1 3 crosses)"), term(&game, "(turn noughts)")];
    let picture = viewer.picture(&facts, Some(&[term(&game, "(turn crosses)")]));
    let named: Vec<_> = picture
        .squares
        .iter()
        .filter(|of| target.has(of.board, of.layer, of.row, of.column))
        .collect();
    assert_eq!((named.len(), &*named[0].name, named[0].changed), (1, "1 3", true));
}
