//! The games of `hrg/` are as good as a game can be, and mean what the rulesheets of the same
//! names in `kif/` mean.

use gdlr::gdl::Game;
use gdlr::hrg;
use gdlr::rg::{self, Automaton, Perft, Search};
use gdlr::tree::{Tree, TreeOptions};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

fn games() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("hrg");
    let paths = folder.read_dir().expect("the folder of games");
    let mut paths: Vec<PathBuf> = paths.map(|entry| entry.expect("readable").path()).collect();
    paths.sort();
    let game = |path: &PathBuf| {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        (name, std::fs::read_to_string(path).expect("a readable game"))
    };
    paths.iter().map(game).collect()
}

fn automaton(text: &str) -> Automaton {
    let description = hrg::read_automaton(text.as_bytes()).expect("a game");
    Automaton::new(&description).expect("an automaton")
}

fn perft(text: &str, depth: usize) -> Perft {
    rg::perft(&automaton(text), &mut Search::default(), depth, |_| ())
}

#[test]
fn games_are_without_findings_and_in_the_canonical_layout() {
    let games = games();
    assert!(games.len() >= 8, "{} games", games.len());
    for (name, text) in games {
        let game = hrg::read(&text).expect("a game");
        assert_eq!(hrg::check(&game), [], "{name}");
        let laid_out = hrg::format(&text).expect("a game");
        assert_eq!(laid_out, text, "{name}: `gdlr hrg fmt --write` mends this");
    }
}

#[test]
fn games_are_proper_as_far_as_a_look_at_some_states_tells() {
    for (name, text) in games() {
        let explored = rg::explore(&automaton(&text), &mut Search::default(), 2000, |_| ());
        assert_eq!(explored.violation, None, "{name}");
        assert_eq!(explored.broken_off, None, "{name}");
        assert!(explored.states >= 2000, "{name}: {}", explored.states);
    }
}

/// The sequences of moves of each length are as many as in the rulesheet, and as many of them
/// are over.
#[test]
fn games_agree_with_the_rulesheets() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("kif");
    let mut compared = 0;
    for (name, text) in games() {
        let Ok(rules) = std::fs::read_to_string(folder.join(format!("{name}.kif"))) else {
            continue;
        };
        let depth = match name.as_str() {
            "hex" => 2,
            "breakthrough" => 3,
            "tictactoe" => 6,
            "pig" => 8,
            _ => 5,
        };
        let game = Game::from_kif(&name, &rules).expect("a rulesheet");
        let engine = Tree::new(game, &TreeOptions::default()).expect("a playable game");
        let expected = gdlr::play::perft(&engine, depth, &AtomicBool::new(false), |_| ());
        let counted = perft(&text, depth);
        assert_eq!(counted.error, None, "{name}");
        assert_eq!(counted.counts, expected.counts, "{name}");
        assert_eq!(counted.terminal, expected.terminal, "{name}");
        compared += 1;
    }
    assert!(compared >= 7, "{compared} games");
}

/// Twelve lines, in any order.
#[test]
fn dots_and_boxes_ends_when_all_lines_are_drawn() {
    let (_, text) = games().into_iter().find(|(name, _)| name == "dots_and_boxes").unwrap();
    let counted = perft(&text, 4);
    assert_eq!(counted.counts, [1, 12, 132, 1320, 11880]);
    let automaton = automaton(&text);
    let (mut search, mut moves) = (Search::default(), rg::Moves::default());
    for seed in 0..50 {
        let mut state = automaton.initial().clone();
        let mut rng = gdlr::play::seeded(seed, 0);
        let played = automaton.playout((&mut search, &mut moves), &mut state, &mut rng, 100);
        let played = played.expect("a proper game");
        assert_eq!((played.moves, played.ending), (12, rg::Ending::End));
        let goals: i64 = automaton.players().filter_map(|it| automaton.score(&state, it)).sum();
        assert_eq!(goals, 100, "a win and a loss, or two draws");
    }
}

/// The printed text is the automaton: it is read back, and played the same.
#[test]
fn automata_are_printed_and_read_back() {
    for (name, text) in games() {
        let description = hrg::read_automaton(text.as_bytes()).expect("a game");
        let printed = rg::print(&description).expect("names of the game");
        assert!(!hrg::is_hrg(&printed) && hrg::is_hrg(&text), "{name}");
        assert_eq!(perft(&printed, 2).counts, perft(&text, 2).counts, "{name}");
        let again = rg::read(&printed).expect("an automaton");
        assert_eq!(rg::print(&again).expect("names"), printed, "{name}");
    }
}

/// The layout changes nothing, whatever it was before.
#[test]
fn games_without_their_layout_are_laid_out_as_the_same_games() {
    for (name, text) in games() {
        let bare: Vec<&str> =
            text.lines().map(|line| line.split("//").next().unwrap_or("")).collect();
        let bare = bare.join(" ").split_whitespace().collect::<Vec<_>>().join(" ");
        let laid_out = hrg::format(&bare).expect("a game");
        assert_eq!(hrg::format(&laid_out).expect("a game"), laid_out, "{name}");
        assert_eq!(hrg::read(&laid_out), hrg::read(&bare), "{name}");
        assert_eq!(hrg::read(&bare).unwrap(), hrg::read(&text).unwrap(), "{name}");
    }
}
