//! Games in Regular Boardgames mean what the definition says, however they are written.

#[path = "rbg/random.rs"]
mod random;
#[path = "../rbg_naive/mod.rs"]
mod rbg_naive;

use gdlr::rbg::play::{Machine, Work};
use gdlr::rbg::{self, Game};
use gdlr::rg::{Automaton, Description, Moves, Search, Turn};
use rbg_naive::{Counts, Fault, Naive};
use std::path::{Path, PathBuf};

/// The plays of an automaton.
fn walked(description: &Description, depth: usize) -> Counts {
    let automaton = Automaton::new(description).unwrap_or_else(|errors| panic!("{}", errors[0]));
    let mut counts = Counts { plays: vec![0; depth + 1], over: vec![0; depth + 1], goals: vec![] };
    let mut search = Search::default();
    let mut open = vec![(automaton.initial().clone(), 0)];
    while let Some((mut state, length)) = open.pop() {
        automaton.keep(&mut search, &mut state).expect("a keeper with one move");
        counts.plays[length] += 1;
        if automaton.turn(&state) == Turn::End {
            counts.over[length] += 1;
            let goals = automaton.players().map(|it| automaton.score(&state, it).expect("a score"));
            counts.goals.push(goals.collect());
        } else if length < depth {
            let mut moves = Moves::default();
            automaton.moves(&mut search, &state, &mut moves).expect("a move");
            for number in 0..moves.len() {
                let mut after = state.clone();
                moves.play(number, &mut after);
                open.push((after, length + 1));
            }
        }
    }
    counts.goals.sort();
    counts
}

fn defined(game: &Game, depth: usize) -> Result<Counts, Fault> {
    let mut counts = Naive::new(game).perft(depth)?;
    counts.goals.sort();
    Ok(counts)
}

/// The plays as `rbg::play` goes through them; none where a move goes on without end.
fn by_words(game: &Game, depth: usize) -> Option<Counts> {
    let machine = Machine::new(game).expect("a short game");
    let mut counts = Counts { plays: vec![0; depth + 1], over: vec![0; depth + 1], goals: vec![] };
    let mut work = Work::default();
    let mut open = vec![(machine.initial(), 0)];
    while let Some((position, length)) = open.pop() {
        let position = machine.keep(&position, &mut work).ok()?;
        counts.plays[length] += 1;
        let moves = match position.player() {
            Some(_) => machine.moves(&position, &mut work).ok()?,
            None => Vec::new(),
        };
        if moves.is_empty() {
            counts.over[length] += 1;
            let scores = position.values()[..game.players().len()].iter();
            counts.goals.push(scores.map(|score| i64::from(*score)).collect());
        } else if length < depth {
            open.extend(moves.into_iter().map(|one| (one.to, length + 1)));
        }
    }
    counts.goals.sort();
    Some(counts)
}

#[track_caller]
fn translated(game: &Game) -> Description {
    rbg::translate(game).unwrap_or_else(|errors| panic!("{}", errors[0]))
}

fn files(folder: &Path) -> Vec<(String, String)> {
    let Ok(entries) = folder.read_dir() else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("readable").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|kind| kind == "rbg"));
    paths.sort();
    let game = |path: &PathBuf| {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        (name, std::fs::read_to_string(path).expect("a readable game"))
    };
    paths.iter().map(game).collect()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn games() -> Vec<(String, String)> {
    files(&root().join("rbg"))
}

#[test]
fn games_are_without_findings_and_in_the_canonical_layout() {
    let games = games();
    assert!(games.len() >= 5, "{} games", games.len());
    for (name, text) in games {
        assert_eq!(rbg::check(text.as_bytes()), [], "{name}");
        let laid_out = rbg::format(&text).expect("a game");
        assert_eq!(laid_out, text, "{name}: `gdlr rbg fmt --write` mends this");
        assert_eq!(rbg::read(&laid_out).expect("a game"), rbg::read(&text).expect("a game"));
    }
}

/// The counts are those of the naive interpreter as well.
#[test]
fn games_have_as_many_plays_as_the_definition_says() {
    let expected: &[(&str, &[u64])] = PERFT;
    let games = games();
    assert_eq!(games.len(), expected.len());
    for ((name, text), (expected_name, expected)) in games.iter().zip(expected) {
        assert_eq!(name, expected_name);
        let game = rbg::read(text).expect("a game");
        let description = translated(&game);
        let counted = walked(&description, expected.len() - 1);
        assert_eq!(counted.plays, *expected, "{name}");
        let depth = 2;
        assert_eq!(defined(&game, depth), Ok(walked(&description, depth)), "{name}");
        assert_eq!(by_words(&game, depth), Some(walked(&description, depth)), "{name}");
    }
}

/// An expanded text has no macros, generators, powers or lists, and is the same game.
#[test]
fn expanded_games_are_the_same_games() {
    for (name, text) in games() {
        let game = rbg::read(&text).expect("a game");
        let printed = rbg::print(&game).expect("a short game");
        let again = rbg::read(&printed).unwrap_or_else(|errors| panic!("{name}: {}", errors[0]));
        assert_eq!(rbg::print(&again).as_ref(), Some(&printed), "{name}");
        assert!(!printed.contains(['^', '~', ';']), "{name}");
        assert_eq!(walked(&translated(&again), 2), walked(&translated(&game), 2), "{name}");
    }
}

/// Small programs for corners of the meaning, with what the reference game manager says of them.
#[test]
fn small_programs_mean_what_the_reference_says() {
    let folder = root().join("../shared/cases/rbg");
    let Ok(results) = std::fs::read_to_string(folder.join("RESULTS.tsv")) else {
        eprintln!("left out: there is no {}", folder.display());
        return;
    };
    let programs = files(&folder);
    assert_eq!(programs.len(), 21);
    for (name, text) in programs {
        let file = format!("{name}.rbg\t");
        let line = results.lines().find(|line| line.starts_with(&file));
        let line = line.unwrap_or_else(|| panic!("{name}: no result"));
        let words: Vec<&str> = line.split('\t').nth(1).expect("a result").split(' ').collect();
        let begin = words.iter().position(|word| *word == "rbggamemanager:").expect("counts") + 1;
        let game = rbg::read(&text).expect("a game");
        let counted = walked(&translated(&game), 3);
        if words[begin] == "crash" {
            // A division by zero is never valid here.
            assert_eq!(defined(&game, 3), Err(Fault::Division), "{name}");
            assert_eq!(counted.plays, [1, 0, 0, 0], "{name}");
            continue;
        }
        let expected: Vec<u64> =
            words[begin..begin + 3].iter().map(|word| word.parse().expect("a count")).collect();
        assert_eq!(counted.plays[1..], expected, "{name}");
        match defined(&game, 3) {
            // The keeper of this one may stop on either of two squares.
            Err(fault) => assert_eq!((&*name, fault), ("S10_keeper_two", Fault::Improper)),
            Ok(defined) => assert_eq!(defined, counted, "{name}"),
        }
        if let [goals] = &counted.goals[..] {
            let expected: Vec<i64> = (words[begin + 4..].iter())
                .map(|word| word.parse::<f64>().expect("a goal") as i64)
                .collect();
            assert_eq!(*goals, expected, "{name}");
        }
    }
}

/// Rules of a shape that becomes a shorter automaton: tests that players ask in the place of the
/// keeper, ways back, pieces that are counted at the end.
#[test]
fn rules_of_special_shapes_mean_what_the_definition_says() {
    let out = "right {o} [m] right ({o} [m] right)* {m}";
    let flip =
        format!("({{! right {{o}} right ({{o}} right)* {{m}}}} + {out} left ({{m}} left)* {{e}})");
    let again = "({$ v < 2} [$ v = v + 1] + {$ v == 2} ->> {})";
    let score = "({$ m > o} [$ w = 9] + {$ m < o} [$ b = m] + {$ m == o} [$ w = o]) ->> {}";
    let any = "(left* + right*)";
    let two =
        format!("({{? {any} {{e}}}} ->b {any} {{e}} [o] + {{! {any} {{e}}}} ->b {any} {{o}} [e])");
    let by_number = "({$ v == 1} ->b [o] + {$ v == 2} ->b [e])";
    let rules = [
        format!("->w {any} {{e}} ->> {flip} [m] {again} ->w {any} {{o}} [e] ->> {score}"),
        format!("->w {any} {{e}} ->> {flip} {flip} [m] ->> {score}"),
        format!("(->w {any} ([e] + {{e}} [m]) ->> {two} ->> {again})*"),
        format!("(->w {any} ([e] + [m]) ->> [$ v = v + 1] [$ w = 3] {by_number} ->>)*"),
        format!("(->w {any} {{e}} [m] ->> {{$ m < 4}})* {{$ m >= 4}} [$ w = m] ->> {{}}"),
        "->w right* ({? right {e}} [o] + {! right {e}} [m]) ->> [$ b = m] ->> {}".to_owned(),
    ];
    for board in ["[m, o, e, o, e, m]", "[e, o, o, m, e]", "[e, e, e]"] {
        for rules in &rules {
            let text = format!(
                "#players = w(9), b(9) #pieces = e, o, m, p, q, r, s, t #variables = v(9) \
                 #board = rectangle(up, down, left, right, {board}) #rules = {rules}"
            );
            let game = rbg::read(&text).unwrap_or_else(|errors| panic!("{}\n{text}", errors[0]));
            let expected = defined(&game, 4);
            let mut description = translated(&game);
            assert_eq!(Ok(walked(&description, 4)), expected, "{text}");
            assert_eq!(by_words(&game, 4).ok_or(Fault::Improper), expected, "{text}");
            let meter = gdlr::budget::Meter::unlimited();
            gdlr::rg::optimise::optimise(&mut description, |_| true, &meter, |_, _| ())
                .expect("time");
            assert_eq!(Ok(walked(&description, 4)), expected, "optimised: {text}");
        }
    }
}

/// Discs of the other player between the new one and another one of the player are turned over.
const TURNING: &str = "#players = black(100), white(100)
#pieces = e, w, b
#variables =
#board = rectangle(up, down, left, right,
    [e, e, e, e, e]
    [e, e, e, e, e]
    [e, e, w, b, e]
    [e, e, b, w, e]
    [e, e, e, e, e])
#any = (up* + down*)(left* + right*)
#line(me; other; dir) = dir {other} dir ({other} dir)* {me}
#lines(me; other) = (line(me; other; up) + line(me; other; down) + line(me; other; left) + line(me; other; right))
#turn(me; other; dir; back) = (
    {! line(me; other; dir)}
    + dir {other} [me] dir ({other} [me] dir)* {me} back ({me} back)* {e})
#move(player; me; other) = (
    ->player any {e} {? lines(me; other)} ->>
    turn(me; other; up; down) turn(me; other; down; up)
    turn(me; other; left; right) turn(me; other; right; left) [me]
    ({? any {e} (lines(me; other) + lines(other; me))}
    + {! any {e} (lines(me; other) + lines(other; me))} ->>
        ({$ w > b} [$ white = 100] + {$ w < b} [$ black = 100] + {$ w == b} [$ black = 50, white = 50]) ->> {}))
#rules = (move(black; b; w) move(white; w; b))*";

/// The walk that turns discs over knows the square of the move, so that the net does not choose it anew.
#[test]
fn a_game_of_turning_discs_has_a_small_net() {
    let game = rbg::read(TURNING).unwrap_or_else(|errors| panic!("{}", errors[0]));
    let description = translated(&game);
    let counted = walked(&description, 3);
    assert_eq!(defined(&game, 3), Ok(counted.clone()));
    assert_eq!(counted.plays, [1, 4, 8, 20]);
    let game = gdlr::automaton::AutomatonGame::new("turning", description).expect("an automaton");
    let meter = gdlr::budget::Meter::unlimited();
    let net = gdlr::automaton::net::optimised(&std::sync::Arc::new(game), &meter).expect("a net");
    assert!(net.size().gates() < 6000, "{:?}", net.size());
}

/// Random programs have the plays of the definition, before and after they are optimised.
#[test]
fn random_programs_mean_what_the_definition_says() {
    let (mut compared, mut improper, mut cycles, mut long, mut endless) = (0, 0, 0, 0, 0);
    for seed in 0..1500 {
        let text = random::program(seed);
        let game = rbg::read(&text).unwrap_or_else(|errors| panic!("{}\n{text}", errors[0]));
        let expected = match defined(&game, 3) {
            Ok(expected) => expected,
            Err(_) => {
                improper += 1;
                continue;
            }
        };
        match by_words(&game, 3) {
            Some(counted) => assert_eq!(counted, expected, "{seed}, by words: {text}"),
            None => endless += 1,
        }
        let mut description = match rbg::translate(&game) {
            Ok(description) => description,
            Err(errors) => {
                assert_eq!(errors[0].code.as_str(), "B107", "{text}");
                cycles += 1;
                continue;
            }
        };
        let diagnostics = gdlr::rg::validate(&description);
        assert!(!diagnostics.iter().any(|it| it.code.forbids_play()), "{diagnostics:?}\n{text}");
        assert_eq!(walked(&description, 3), expected, "{seed}: {text}");
        let meter = gdlr::budget::Meter::unlimited();
        gdlr::rg::optimise::optimise(&mut description, |_| true, &meter, |_, _| ()).expect("time");
        assert_eq!(walked(&description, 3), expected, "{seed}, optimised: {text}");
        compared += 1;
        long += u32::from(expected.plays[3] > 2);
    }
    assert!(compared >= 700 && long >= 60, "{compared} {long} {improper} {cycles}");
    assert!(endless <= 150, "{endless}");
}

const PERFT: &[(&str, &[u64])] = &[
    ("cube", &[1, 26, 650, 16_250]),
    ("hexline", &[1, 18, 324, 5508]),
    ("leap", &[1, 16, 256, 3372]),
    ("tictactoe", &[1, 9, 72, 504, 3024]),
    ("walk", &[1, 2, 1, 1, 2, 3, 5]),
];

/// The keeper may clear the board in any order; where it stops does not matter.
#[test]
fn a_keeper_that_may_act_in_any_order_acts_in_one() {
    let text = "#players = w(9), b(9)\n#pieces = e, x, y\n#variables = v(9)\n\
        #board = rectangle(up, down, left, right, [e, e, e] [e, x, e])\n\
        #any = (up* + down*)(left* + right*)\n\
        #next = (up + down + left + right)\n\
        #turn(me; other) = ->me any {e} [x] ->>\n\
            (any {x} {? next {e}} [y] [$ v = v + 1] ->>)* {! any {x} {? next {e}}}\n\
            (any {y} {! up} [e] ->>)* {! any {y} {! up}}\n\
            [$ me = e, other = v] up* {! up} left* {! left} ->>\n\
        #rules = (turn(w; b) turn(b; w))^2";
    let game = rbg::read(text).expect("a game");
    let expected = defined(&game, 4).expect("a proper game");
    assert_eq!(walked(&translated(&game), 4), expected);
    assert!(expected.plays[2] > 4 && !expected.goals.is_empty(), "{expected:?}");
}

/// So much may become of a text with accidents.
const LIMITS: rbg::Limits = rbg::Limits {
    tokens: 20_000,
    depth: 64,
    squares: 100,
    actions: 2000,
    bound: 100,
    edges: 20_000,
    entries: 50_000,
};

/// Whatever becomes of a text, nothing panics, spans lie in it, and its layout is the same game.
#[test]
fn texts_with_accidents_are_diagnosed_or_games() {
    let signs = b" ,;:=!|&+-%$[](){}*.<>_X09ax\n/\xff\0#~^?";
    let (mut unreadable, mut played) = (0, 0);
    for (name, text) in games() {
        let mut mutator = crate::mutator::Mutator::new(7, signs);
        for number in 0..150 {
            let bytes = mutator.mutant(&text);
            let errors_of_text = rbg::check(&bytes);
            for one in &errors_of_text {
                let spans = one.related.iter().map(|(span, _)| *span).chain([one.span]);
                let within = |span: gdlr::diagnostic::Span| span.end as usize <= bytes.len();
                assert!(spans.into_iter().all(within), "{name} {number}: {one}");
            }
            let Ok(game) = rbg::read_bytes(&bytes) else {
                assert!(!errors_of_text.is_empty(), "{name} {number}");
                assert!(rbg::format_bytes(&bytes).is_err());
                unreadable += 1;
                continue;
            };
            let laid_out = rbg::format_bytes(&bytes).expect("a game");
            assert_eq!(rbg::format(&laid_out).expect("a game"), laid_out, "{name} {number}");
            assert_eq!(rbg::read(&laid_out).expect("a game"), game, "{name} {number}");
            let printed = rbg::print(&game).expect("a short game");
            let again = rbg::read(&printed).expect("a game");
            assert_eq!(rbg::print(&again).as_ref(), Some(&printed), "{name} {number}");
            let Ok(description) = rbg::translate_within(&game, LIMITS) else { continue };
            let diagnostics = gdlr::rg::validate(&description);
            assert!(
                !diagnostics.iter().any(|it| it.code.forbids_play()),
                "{name} {number}: {diagnostics:?}"
            );
            let text = gdlr::rg::print(&description).expect("names");
            assert!(gdlr::rg::read(&text).is_ok(), "{name} {number}");
            played += 1;
        }
    }
    assert!(unreadable >= 100 && played >= 100, "{unreadable} {played}");
}
