//! Obfuscated rulesheets are the same games: as many plays of each length, the same goals, chance
//! and percepts, without a name that they had.

use crate::rulesheets;
use gdlr::engine::{Engine, MoveId, choose, seeded};
use gdlr::gdl::{Game, Reading, Term};
use gdlr::obfuscate::{Obfuscated, obfuscate};
use gdlr::play::{Perft, perft};
use gdlr::tree::{Tree, TreeOptions};
use gdlr::{bundled, infix, kif, notation};
use hashbrown::{HashMap, HashSet};
use std::sync::atomic::AtomicBool;

fn read(text: &str) -> Game {
    Game::from_text("test", text).expect("a rulesheet")
}

fn tree(game: Game) -> Tree {
    Tree::new(game, &TreeOptions::default()).expect("a playable game")
}

fn counts(tree: &Tree, depth: usize) -> Perft {
    perft(tree, depth, &AtomicBool::new(false), |_| {})
}

/// How many joint moves there are in the initial state.
fn joint_moves(tree: &Tree) -> usize {
    let mut scratch = tree.scratch();
    let mut legal = |role| {
        let mut moves = Vec::new();
        tree.legal(&mut scratch, role, &mut moves).expect("little work");
        moves.len()
    };
    tree.roles().iter().map(&mut legal).product()
}

/// The names and variables of a text, in lower case.
fn atoms(text: &str) -> HashSet<String> {
    let words = text.split(|c: char| c.is_whitespace() || c == '(' || c == ')');
    words.filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

/// A term of the original, with the names of the other one.
fn renamed(term: &Term, tree: &Tree, names: &HashMap<&str, &str>) -> String {
    let symbols = tree.symbols();
    let name = |symbol: gdlr::gdl::Symbol| {
        let old = symbol.spelled(symbols);
        names.get(old).map_or_else(|| old.to_owned(), |&new| new.to_owned())
    };
    term.print(&name, &|variable| format!("?{}", variable.0))
}

/// Plays both games with the same moves, so many or to the end, and compares what can be asked.
fn plays_the_same(original: &Tree, other: &Tree, made: &Obfuscated, seed: u64, steps: u32) {
    let names: HashMap<&str, &str> = made.names.iter().map(|(a, b)| (&**a, &**b)).collect();
    let mut random = seeded(seed, 0);
    let (mut left, mut right) = (original.scratch(), other.scratch());
    let (mut moves, mut others) = (Vec::new(), Vec::new());
    for _ in 0..steps {
        let mut facts: Vec<String> = original
            .facts(&original.state(&left))
            .iter()
            .map(|fact| renamed(fact, original, &names))
            .collect();
        let mut same: Vec<String> = other
            .facts(&other.state(&right))
            .iter()
            .map(|fact| fact.spelled(other.symbols()))
            .collect();
        facts.sort();
        same.sort();
        assert_eq!(facts, same);
        let over = original.terminal(&mut left).unwrap();
        assert_eq!(over, other.terminal(&mut right).unwrap());
        for role in original.roles().iter() {
            let goal = original.goal(&mut left, role);
            assert_eq!(goal, other.goal(&mut right, role));
            assert!(!over || goal.is_ok() || Some(role) == original.roles().random());
        }
        if over {
            return;
        }
        let mut joint: Vec<MoveId> = Vec::new();
        let mut same_joint = Vec::new();
        for role in original.roles().iter() {
            original.legal(&mut left, role, &mut moves).unwrap();
            other.legal(&mut right, role, &mut others).unwrap();
            assert_eq!(moves.len(), others.len());
            let played = choose(&moves, &mut random).expect("a legal move");
            let written = renamed(&original.move_term(played).1, original, &names);
            let same = others
                .iter()
                .copied()
                .find(|&id| other.move_term(id).1.spelled(other.symbols()) == written);
            joint.push(played);
            same_joint.push(same.unwrap_or_else(|| panic!("{written} is not legal")));
        }
        let seen = original.percepts(&mut left, &joint).unwrap();
        let others = other.percepts(&mut right, &same_joint).unwrap();
        for (seen, others) in seen.iter().zip(&others) {
            let seen: HashSet<_> =
                seen.iter().map(|term| renamed(term, original, &names)).collect();
            let others = others.iter().map(|term| term.spelled(other.symbols())).collect();
            assert_eq!(seen, others);
        }
        original.step(&mut left, &joint).unwrap();
        other.step(&mut right, &same_joint).unwrap();
    }
}

#[test]
fn bundled_games_stay_the_same() {
    for game in bundled::GAMES {
        let original = read(game.text);
        let obfuscated = obfuscate(&original, 5);
        let text = obfuscated.to_kif();
        let other = read(&text);
        assert_eq!(gdlr::check::check(&other), [], "{}", game.name);
        let (original, other) = (tree(original), tree(other));
        assert_eq!(original.has_percepts(), other.has_percepts());
        assert_eq!(original.roles().random(), other.roles().random());
        let large = ["amazons", "gomoku", "pentago"].contains(&game.name);
        let depth = if large { 2 } else { 3 };
        let counted = counts(&original, depth);
        assert!(counted.complete && counted.counts[depth] > 0, "{}", game.name);
        assert_eq!(counted, counts(&other, depth), "{}", game.name);
        for seed in 0..3 {
            plays_the_same(&original, &other, &obfuscated, seed, 400);
        }
    }
}

/// Every tenth public rulesheet that can be played.
#[test]
fn public_rulesheets_stay_the_same() {
    let Some(folder) = rulesheets::corpus() else { return };
    let mut compared = 0;
    for path in rulesheets::files(&folder, "kif").iter().step_by(10) {
        let text = std::fs::read_to_string(path).expect("a readable rulesheet");
        let Ok(original) = Game::from_text("test", &text) else { continue };
        let obfuscated = obfuscate(&original, 9);
        let other = read(&obfuscated.to_kif());
        let Ok(left) = Tree::new(original, &TreeOptions::default()) else { continue };
        let right = tree(other);
        plays_the_same(&left, &right, &obfuscated, 9, 5);
        let depth = match joint_moves(&left) {
            0..=30 => 2,
            31..=1_000 => 1,
            _ => 0,
        };
        assert_eq!(counts(&left, depth), counts(&right, depth), "{}", path.display());
        compared += 1;
    }
    assert!(compared >= 15, "{compared} rulesheets");
}

#[test]
fn no_name_survives() {
    let keywords = [
        "role", "init", "true", "does", "next", "legal", "goal", "terminal", "base", "input",
        "sees", "distinct", "or", "not", "<=", "random",
    ];
    for (path, text) in rulesheets::all() {
        let Ok(document) = notation::read(&text) else { continue };
        let Ok(game) = Game::from_document("test", document, Reading::default()) else { continue };
        let obfuscated = obfuscate(&game, 3);
        let names: HashSet<&str> = obfuscated.names.iter().map(|(old, _)| &**old).collect();
        let before: HashSet<String> =
            game.document.items.iter().flat_map(|item| atoms(&item.to_string())).collect();
        let after = atoms(&obfuscated.to_kif());
        for name in before.intersection(&after) {
            let kept = keywords.contains(&&**name) || name.parse::<i64>().is_ok();
            assert!(kept && !names.contains(&**name), "{}: {name}", path.display());
        }
        let new: HashSet<&str> = obfuscated.names.iter().map(|(_, new)| &**new).collect();
        assert_eq!((new.len(), names.len()), (obfuscated.names.len(), obfuscated.names.len()));
        assert!(new.iter().all(|name| !keywords.contains(name)));
        assert!(obfuscated.document.comments.is_empty() && !obfuscated.to_kif().contains(';'));
    }
}

#[test]
fn a_seed_is_a_text() {
    let game = read(bundled::find("connect4").expect("a bundled game").text);
    let text = |seed| obfuscate(&game, seed).to_kif();
    assert_eq!(text(1), text(1));
    assert_ne!(text(1), text(2));
    // Columns and rows are numbers in the original, as goals are.
    assert!(!atoms(&text(1)).contains("3"));
    assert!(atoms(&text(1)).contains("50"));
}

#[test]
fn read_again_it_is_the_same() {
    for game in bundled::GAMES {
        let original = read(game.text);
        let obfuscated = obfuscate(&original, 4);
        let text = obfuscated.to_kif();
        let document = kif::read(&text).expect("KIF");
        assert_eq!(kif::format(&text, &document), text, "{}: not canonical", game.name);
        // From infix notation, and by way of it.
        let written = infix::format("", &original.document).expect("infix notation");
        assert_eq!(obfuscate(&read(&written), 4).to_kif(), text, "{}", game.name);
        let other = infix::format("", &obfuscated.document).expect("infix notation");
        let again = infix::read(&other).expect("infix notation");
        assert_eq!(kif::format("", &again), text, "{}", game.name);
    }
}
