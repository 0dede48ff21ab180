//! A page with a picture of each of some rulesheets, after some random moves:
//! `cargo run --release --example contact_sheet -- sheet.html kif/*.kif`.
//!
//! With `--svg DIR` instead of the page, a file for each.

use gdlr::board::Boards;
use gdlr::budget::Budget;
use gdlr::engine::Engine;
use gdlr::gdl::{Game, Term};
use gdlr::ground::Ground;
use gdlr::play::{Playout, seeded};
use gdlr::tree::{Tree, TreeOptions};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// How many random moves are played.
const MOVES: usize = 12;
/// A game that does not ground in this time has the boards that are seen in play.
const TIME: Duration = Duration::from_secs(5);
/// How many playouts are looked at then.
const PLAYOUTS: u64 = 5;

fn main() {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let usage = "contact_sheet (SHEET.html | --svg DIR) GAME.kif ...";
    let first = arguments.next().expect(usage);
    let folder = (first == *"--svg").then(|| arguments.next().expect(usage));
    let mut page = String::from(PAGE);
    for path in arguments {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        match picture(&name, &path) {
            Ok(picture) => match &folder {
                Some(folder) => {
                    let file = folder.join(format!("{name}.svg"));
                    std::fs::write(file, picture).expect("a folder to write to");
                }
                None => {
                    let name = name.replace('&', "&amp;").replace('<', "&lt;");
                    page += &format!("<figure>{picture}<figcaption>{name}</figcaption></figure>\n");
                }
            },
            Err(problem) => eprintln!("{name}: {problem}"),
        }
    }
    if folder.is_none() {
        std::fs::write(first, page).expect("a file to write to");
    }
}

const PAGE: &str = "<!doctype html><meta charset=utf-8><title>Contact sheet</title>
<style>body{display:flex;flex-wrap:wrap;gap:16px;font-family:sans-serif}figure{margin:0;width:300px}
figure svg{width:100%;height:auto}figcaption{text-align:center}</style>
";

/// A state of the game.
fn picture(name: &str, path: &Path) -> Result<String, String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let game = Game::from_text(name, &text).map_err(|_| "it does not read".to_owned())?;
    let game = Arc::new(game);
    let tree = Tree::new(game.clone(), &TreeOptions::default()).map_err(|error| error.message)?;
    let states = play(&tree, 1, MOVES);
    let facts = match grounded(&game) {
        Some(facts) => facts,
        None => (1..=PLAYOUTS).flat_map(|seed| play(&tree, seed, 200)).flatten().collect(),
    };
    let boards = Boards::find(&game, &facts);
    let before = states.len().checked_sub(2).map(|at| &*states[at]);
    Ok(gdlr::draw::draw(&boards, &game, &states[states.len() - 1], before))
}

/// The states of random play, at most so many moves; none that is terminal but the first.
fn play(tree: &Tree, seed: u64, moves: usize) -> Vec<Vec<Term>> {
    let (mut scratch, mut random, mut playout) = (tree.scratch(), seeded(seed, 0), Playout::new(1));
    tree.enter(&mut scratch, tree.initial());
    let mut states = vec![tree.facts(&tree.state(&scratch))];
    for _ in 0..moves {
        tree.playout(&mut scratch, &mut playout, &mut random, &mut || false);
        if tree.terminal(&mut scratch).unwrap_or(true) {
            break;
        }
        states.push(tree.facts(&tree.state(&scratch)));
    }
    states
}

/// All facts that can be true.
fn grounded(game: &Arc<Game>) -> Option<Vec<Term>> {
    let budget = Budget { time: TIME, ..Budget::default() };
    Some(Ground::new(game.clone(), &budget).ok()?.fluents())
}
