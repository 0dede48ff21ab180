//! The boards of all rulesheets at hand: which are found, and that observations say which facts
//! are true.
//!
//! `docs/boards.md` has a table of what is found; `GDLR_UPDATE_DOCS=1` writes it anew.

use crate::rulesheets;
use gdlr::board::{Boards, Planes};
use gdlr::draw::Picture;
use gdlr::engine::Engine;
use gdlr::gdl::{Game, Term};
use gdlr::ground::{Budget, Ground};
use gdlr::net::Net;
use gdlr::play::{End, Playout, seeded};
use gdlr::tree::{Tree, TreeOptions};
use hashbrown::HashMap;
use quick_xml::events::Event;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// The games whose facts are those that are seen in play, since they do not ground within a
/// minute; `docs/corpus.md` says why.
const DO_NOT_GROUND: &[&str] = &["chess", "laikLee_hex", "slaughter", "sudoku"];

/// How many states are looked at, from so many playouts.
const PLAYOUTS: usize = 2;
const STEPS: usize = 30;

/// All facts of a game, from grounding.
fn grounded(game: &Arc<Game>) -> Vec<Term> {
    Ground::new(game.clone(), &Budget::UNLIMITED).expect("it grounds").fluents()
}

/// States of random play.
fn states(tree: &Tree) -> Vec<Vec<Term>> {
    let mut states = Vec::new();
    let (mut scratch, mut rng, mut playout) = (tree.scratch(), seeded(3, 0), Playout::new(1));
    for _ in 0..PLAYOUTS {
        tree.enter(&mut scratch, tree.initial());
        for _ in 0..STEPS {
            states.push(tree.facts(&tree.state(&scratch)));
            let end = tree.playout(&mut scratch, &mut playout, &mut rng, &mut || false);
            if end != End::Capped {
                break;
            }
        }
    }
    states
}

fn read(path: &Path, text: &str) -> Arc<Game> {
    let name = path.file_stem().and_then(|name| name.to_str()).expect("a name");
    Arc::new(Game::from_text(name, text).expect("a readable rulesheet"))
}

/// By game: how its boards are written in the table.
fn summary(boards: &Boards) -> String {
    let of = |board: &gdlr::board::Board| {
        let layers = match board.layers.len() {
            1 => String::new(),
            layers => format!(" in {layers} layers"),
        };
        let (rows, columns) = (board.rows.labels.len(), board.columns.labels.len());
        let channels = board.channels.len();
        let hexagons = if board.is_hexagonal { " hexagons" } else { "" };
        format!("{} {rows}×{columns}×{channels}{layers}{hexagons}", board.name)
    };
    boards.boards().iter().map(of).collect::<Vec<_>>().join(", ")
}

/// Checks a picture: it is well-formed, and what stands on no board is written.
fn drawn(game: &Game, boards: &Boards, state: &[Term], before: &[Term]) {
    let picture = gdlr::draw::picture(boards, game, state, Some(before));
    squares(game, boards, state, before, &picture);
    let mut reader = quick_xml::Reader::from_str(&picture.svg);
    let (mut depth, mut text) = (0, String::new());
    loop {
        match reader.read_event().unwrap_or_else(|error| panic!("{}: {error}", game.name)) {
            Event::Start(_) => depth += 1,
            Event::End(_) => depth -= 1,
            Event::Text(part) => text += &part.decode().expect("UTF-8").replace('\u{a0}', " "),
            Event::GeneralRef(name) => {
                let c = match &name.decode().expect("UTF-8")[..] {
                    "amp" => '&',
                    "lt" => '<',
                    "gt" => '>',
                    "quot" => '"',
                    other => panic!("{}: &{other};", game.name),
                };
                text.push(c);
            }
            Event::Eof => break,
            _ => {}
        }
    }
    assert_eq!(depth, 0, "{}", game.name);
    let plain = state.iter().filter(|fact| boards.place(fact).is_none());
    let plain: Vec<String> = plain.map(|fact| fact.spelled(&game.symbols)).collect();
    if plain.len() <= 80 {
        for fact in plain {
            assert!(text.contains(&fact), "{}: {fact}", game.name);
        }
    }
}

/// Checks the squares of a picture: every one of a board once, named differently, and what stands
/// there and has changed there.
fn squares(game: &Game, boards: &Boards, state: &[Term], before: &[Term], picture: &Picture) {
    type Square = (usize, usize, usize, usize);
    let seen = |state: &[Term]| {
        let mut seen: BTreeSet<(Square, String)> = BTreeSet::new();
        for place in state.iter().filter_map(|fact| boards.place(fact)) {
            let channel = &boards.boards()[place.board].channels[place.channel];
            if !channel.is_blank {
                let square = (place.board, channel.layer, place.row, place.column);
                seen.insert((square, channel.name.clone()));
            }
        }
        seen
    };
    let (now, before) = (seen(state), seen(before));
    let different: BTreeSet<Square> = now.symmetric_difference(&before).map(|of| of.0).collect();
    let count: usize =
        boards.boards().iter().map(|board| board.square_count() * board.layers.len()).sum();
    assert_eq!(picture.squares.len(), count, "{}", game.name);
    let mut met = BTreeSet::new();
    let mut things = 0;
    for square in &picture.squares {
        let at = (square.board, square.layer, square.row, square.column);
        assert!(met.insert(at), "{}: {square:?} twice", game.name);
        assert!(boards.boards()[at.0].has_square(at.2, at.3), "{}: {square:?}", game.name);
        assert_eq!(square.changed, different.contains(&at), "{}: {square:?}", game.name);
        things += square.things.len();
    }
    // Some things are drawn as an empty square, though the boards do not say that they are blank.
    assert!(things <= now.len(), "{}", game.name);
    // Two boards may have the same name.
    let names = picture.squares.iter().map(|square| (square.board, &square.name));
    let names: BTreeSet<(usize, &String)> = names.collect();
    assert_eq!(names.len(), count, "{}", game.name);
}

/// Checks what holds for every game.
fn check(game: &Arc<Game>) -> Boards {
    let name = &game.name;
    let tree = Tree::new(game.clone(), &TreeOptions::default()).expect("a playable game");
    let states = states(&tree);
    let facts = match DO_NOT_GROUND.contains(&&**name) {
        false => grounded(game),
        true => BTreeSet::from_iter(states.iter().flatten().cloned()).into_iter().collect(),
    };
    let boards = Boards::find(game, &facts);
    let planes = Planes::new(&boards, &facts, &game.symbols);

    // Every fact has one slot of its own: where it stands, or among the others.
    let mut slots = BTreeSet::new();
    for (fact, term) in facts.iter().enumerate() {
        let slot = planes.slot(fact);
        assert!(slots.insert(slot), "{name}: two facts in a slot");
        assert_eq!(planes.fact(slot), Some(fact), "{name}");
        match boards.place(term) {
            None => assert!(planes.other_range().contains(&slot), "{name}"),
            Some(place) => {
                let [channels, rows, columns] = planes.shape(place.board);
                let (row, column) = (place.row, place.column);
                assert!(place.channel < channels && row < rows && column < columns, "{name}");
                let within = (place.channel * rows + row) * columns + column;
                assert_eq!(slot, planes.range(place.board).start + within, "{name}");
                assert!(boards.boards()[place.board].has_square(row, column), "{name}");
            }
        }
    }
    for board in boards.boards() {
        let names: BTreeSet<&str> = board.channels.iter().map(|c| &*c.name).collect();
        assert_eq!(names.len(), board.channels.len(), "{name}: channels have different names");
        for axis in [&board.rows, &board.columns] {
            let labels: BTreeSet<&String> = axis.labels.iter().collect();
            assert_eq!(labels.len(), axis.labels.len(), "{name}: labels are different");
        }
        let layers = board.channels.iter().map(|channel| channel.layer);
        assert!(layers.is_sorted() && board.channels.len() >= board.layers.len(), "{name}");
    }

    // States decode to what they were, and can be shown.
    let number: HashMap<&Term, usize> = facts.iter().enumerate().map(|(n, f)| (f, n)).collect();
    let mut bits = vec![true; planes.len()];
    for state in &states {
        let expected: BTreeSet<usize> = state.iter().map(|fact| number[fact]).collect();
        planes.encode(expected.iter().copied(), &mut bits);
        let decoded: BTreeSet<usize> = planes.decode(&bits).collect();
        assert_eq!(decoded, expected, "{name}");
    }
    for state in [&states[0], &states[states.len() - 1]] {
        let text = boards.render(state, &game.symbols);
        assert_eq!(text.is_empty(), state.is_empty() && boards.boards().is_empty(), "{name}");
    }

    for pair in states.windows(2).take(3) {
        drawn(game, &boards, &pair[1], &pair[0]);
    }

    // The order of the facts means nothing.
    let turned = Boards::find(game, facts.iter().rev());
    assert_eq!(summary(&turned), summary(&boards), "{name}");
    for fact in &facts {
        assert_eq!(turned.place(fact), boards.place(fact), "{name}");
    }
    boards
}

/// The text that the page has for the corpus: a line for each game with a board, and the names of those
/// without.
fn table(found: &BTreeMap<String, String>) -> String {
    let with: Vec<_> = found.iter().filter(|(_, boards)| !boards.is_empty()).collect();
    let without: Vec<&str> =
        found.iter().filter(|(_, boards)| boards.is_empty()).map(|(name, _)| &**name).collect();
    let mut by_boards: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (name, boards) in &with {
        by_boards.entry(boards).or_default().push(name);
    }
    let mut lines: Vec<(&str, &str)> = Vec::new();
    let joined: Vec<(String, &str)> =
        by_boards.iter().map(|(boards, names)| (names.join(", "), *boards)).collect();
    lines.extend(joined.iter().map(|(names, boards)| (&**names, *boards)));
    lines.sort_unstable();
    let mut text = format!(
        "{} of {} rulesheets have a board.\n\n| rulesheets | boards |\n|---|---|\n",
        with.len(),
        found.len()
    );
    for (names, boards) in lines {
        text += &format!("| {names} | {boards} |\n");
    }
    text += &format!("\nNone: {}.\n", without.join(", "));
    text
}

/// The table, where it stands in the page.
const BEGIN: &str = "<!-- written by tests/games/boards.rs -->\n";
const END: &str = "<!-- end -->";

#[test]
fn every_rulesheet() {
    let own = rulesheets::own();
    let all: Vec<Arc<Game>> =
        rulesheets::all().iter().map(|(path, text)| read(path, text)).collect();
    let public = all.len() - own.len();
    let next = AtomicUsize::new(0);
    let boards_of_games = Mutex::new(BTreeMap::new());
    std::thread::scope(|threads| {
        for _ in 0..2 {
            threads.spawn(|| {
                while let Some(game) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let place = all.iter().position(|other| Arc::ptr_eq(other, game));
                    let boards = summary(&check(game));
                    if place.is_some_and(|place| place < public) {
                        boards_of_games.lock().expect("no panic").insert(game.name.clone(), boards);
                    }
                }
            });
        }
    });
    let boards_of_games = boards_of_games.into_inner().expect("no panic");
    if boards_of_games.is_empty() {
        return; // without the corpus
    }
    let table = table(&boards_of_games);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/boards.md");
    let page = std::fs::read_to_string(&path).expect("the page");
    let (before, rest) = page.split_once(BEGIN).expect("where the table begins");
    let (written, after) = rest.split_once(END).expect("where it ends");
    if std::env::var_os("GDLR_UPDATE_DOCS").is_some() {
        std::fs::write(&path, format!("{before}{BEGIN}{table}{END}{after}")).expect("written");
    } else {
        assert_eq!(written, table, "GDLR_UPDATE_DOCS=1 writes the table of docs/boards.md anew");
    }
    // Each that has none is named once more, with the reason.
    for name in boards_of_games.iter().filter(|(_, boards)| boards.is_empty()).map(|(name, _)| name)
    {
        assert!(
            after.contains(&format!("`{name}`")),
            "docs/boards.md does not say why {name} has none"
        );
    }
}

/// The boards of one of this project's games, from its net.
fn own(name: &str) -> Boards {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("kif").join(name).with_extension("kif");
    let text = std::fs::read_to_string(&path).expect("a rulesheet");
    let game = read(&path, &text);
    let net = Net::of_game(game.clone(), &Budget::UNLIMITED).expect("a net");
    Boards::find(&game, net.fluents.iter().map(|fluent| &*fluent.fact))
}

/// The only board, as its rows, columns and channels.
fn only(name: &str) -> (String, String, Vec<String>) {
    let boards = own(name);
    let [board] = boards.boards() else { panic!("{name}: {}", summary(&boards)) };
    let channels = board.channels.iter().map(|channel| channel.name.clone()).collect();
    (board.rows.labels.join(" "), board.columns.labels.join(" "), channels)
}

#[test]
fn own_games_have_their_boards() {
    let numbers =
        |range: Vec<u32>| range.iter().map(u32::to_string).collect::<Vec<String>>().join(" ");
    let square = |size: u32| (numbers((1..=size).rev().collect()), numbers((1..=size).collect()));
    let sizes = [
        ("tictactoe", 3, &["(signed _ _ crosses)", "(signed _ _ noughts)"][..]),
        ("breakthrough", 8, &["(pawn _ _ black)", "(pawn _ _ white)"]),
        ("reversi", 8, &["(disc _ _ black)", "(disc _ _ white)"]),
        ("hex", 9, &["(stone _ _ blue)", "(stone _ _ red)"]),
        ("gomoku", 15, &["(stone _ _ black)", "(stone _ _ white)"]),
        (
            "draughts",
            8,
            &[
                "(piece _ _ dark king)",
                "(piece _ _ dark man)",
                "(piece _ _ light king)",
                "(piece _ _ light man)",
                "(chasing _ _)",
            ],
        ),
        (
            "amazons",
            10,
            &["(amazon _ _ black)", "(amazon _ _ white)", "(shooter _ _)", "(arrow _ _)"],
        ),
        (
            "fox_and_hounds",
            6,
            &[
                "(on (square _ _) (hound 1))",
                "(on (square _ _) (hound 2))",
                "(on (square _ _) (hound 3))",
                "(on (square _ _) fox)",
            ],
        ),
    ];
    for (name, size, channels) in sizes {
        let (rows, columns) = square(size);
        let channels = channels.iter().map(|channel| (*channel).to_owned()).collect();
        assert_eq!(only(name), (rows, columns, channels), "{name}");
    }
    let (rows, columns, _) = only("connect4");
    assert_eq!((&*rows, &*columns), ("6 5 4 3 2 1", "1 2 3 4 5 6 7"));
    assert!(own("hex").boards()[0].is_hexagonal && !own("gomoku").boards()[0].is_hexagonal);
    let boards = own("pentago");
    assert_eq!(boards.boards()[0].layers.len(), 4);
    let names = [
        "dice_race",
        "hidden_whist",
        "kuhn_poker",
        "monty_hall",
        "nim",
        "pig",
        "rock_paper_scissors",
    ];
    for name in names {
        assert!(own(name).boards().is_empty(), "{name}: {}", summary(&own(name)));
    }
}

#[test]
fn the_squares_of_draughts_are_dark() {
    let boards = own("draughts");
    let board = &boards.boards()[0];
    assert_eq!(board.square_count(), 32);
    let is_dark = |row, column| board.has_square(row, column) == ((row + column) % 2 == 1);
    assert!((0..8).all(|row| (0..8).all(|column| is_dark(row, column))));
}
