//! Automata as machine code: they are played as the definition says, and as the interpreter plays them.

use crate::bundled::games;
use crate::play::{Tally, compare};
use crate::rg_naive::generator::Generator;
use gdlr::abg;
use gdlr::rg::{Automaton, Description, Moves, NoCode, PlayError, Search, perft, read};
use std::path::Path;
use std::sync::atomic::AtomicBool;

#[track_caller]
fn compiled(description: &Description) -> Automaton {
    let mut automaton = Automaton::new(description).expect("an automaton");
    assert_eq!(automaton.compile(), Ok(()));
    assert!(automaton.is_compiled());
    automaton
}

fn why_not(text: &str) -> NoCode {
    let mut automaton = Automaton::new(&read(text).expect("a text")).expect("an automaton");
    let why = automaton.compile().expect_err("no machine code");
    assert!(!automaton.is_compiled());
    why
}

#[test]
fn random_automata_do_what_the_definition_says() {
    let mut generator = Generator::new(71);
    let mut search = Search::with_limit(50_000);
    let (mut played, mut tally) = (0, Tally::default());
    let (mut listed, mut given_up) = (0, 0);
    while played < 1_500 {
        let text = generator.text();
        let description = read(&text).unwrap();
        let Ok(mut automaton) = Automaton::new(&description) else { continue };
        if automaton.compile().is_err() {
            continue;
        }
        played += 1;
        let checked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            compare(&description, &automaton, &mut search, &mut tally)
        }));
        checked.unwrap_or_else(|_| panic!("in this game:\n{text}"));
        let (by_code, anew) = search.by_machine_code();
        listed += by_code;
        given_up += u64::from(anew);
        search = Search::with_limit(50_000);
    }
    assert!(tally.moves > 300, "{tally:?}");
    // Many have cycles, and many do what is not valid.
    assert!(listed > 300 && given_up > 300, "{listed} {given_up}");
}

#[test]
fn games_have_as_many_plays() {
    let mut by_code_alone = 0;
    for (name, description) in games() {
        let plain = Automaton::new(&description).expect("an automaton");
        let mut automaton = Automaton::new(&description).expect("an automaton");
        if let Err(why) = automaton.compile() {
            assert_eq!(why, NoCode::Rows, "{name}");
            continue;
        }
        let mut search = Search::default();
        let wanted = perft(&plain, &mut Search::default(), 3, |_| ());
        let counted = perft(&automaton, &mut search, 3, |_| ());
        assert_eq!((counted.error, wanted.error), (None, None), "{name}");
        assert_eq!((counted.counts, counted.terminal), (wanted.counts, wanted.terminal), "{name}");
        let (listed, given_up) = search.by_machine_code();
        by_code_alone += u32::from(listed > 0 && given_up == 0);
    }
    assert!(by_code_alone >= 20, "{by_code_alone} games");
}

/// Moves stand in the same order, and change the same.
#[test]
fn moves_are_in_the_same_order() {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("abg/chess.abg"));
    let description = abg::read_automaton(&text.expect("a game")).expect("a game");
    let plain = Automaton::new(&description).expect("an automaton");
    let automaton = compiled(&description);
    let (mut search, mut other) = (Search::default(), Search::default());
    let (mut moves, mut wanted) = (Moves::default(), Moves::default());
    let mut state = plain.initial().clone();
    plain.keep(&mut other, &mut state).expect("a beginning");
    for turn in 0..60 {
        automaton.moves(&mut search, &state, &mut moves).expect("moves");
        plain.moves(&mut other, &state, &mut wanted).expect("moves");
        assert_eq!(moves.len(), wanted.len());
        for index in 0..moves.len() {
            assert_eq!(moves.tags(index), wanted.tags(index));
            assert_eq!(moves.successor(index, &state), wanted.successor(index, &state));
        }
        wanted.play(turn * 7 % wanted.len(), &mut state);
        plain.keep(&mut other, &mut state).expect("a proper keeper");
    }
    assert!(search.by_machine_code().0 >= 60);
}

const PLAYERS: &str = "type Player = { a, b }; type Score = { 0, 1 }; type Bit = { 0, 1 };";

/// A way that goes on for ever, and one that is too deep, are the interpreter's.
#[test]
fn long_ways_are_left_to_the_interpreter() {
    let text = format!(
        "{PLAYERS} type N = {{ {} }}; const up: N -> N = {{ {}, :0 }}; var n: N = 0;
         begin, walk: player = a; walk, walk: n = up[n]; walk, stop: n == 700; stop, tag: $ go;
         tag, end: player = keeper;",
        (0..800).map(|n| n.to_string()).collect::<Vec<_>>().join(", "),
        (0..799).map(|n| format!("{n}: {}", n + 1)).collect::<Vec<_>>().join(", "),
    );
    let automaton = compiled(&read(&text).expect("a text"));
    let (mut search, mut moves) = (Search::default(), Moves::default());
    let mut state = automaton.initial().clone();
    automaton.keep(&mut search, &mut state).expect("a beginning");
    assert_eq!(automaton.moves(&mut search, &state, &mut moves), Ok(()));
    assert_eq!(moves.len(), 1);
    assert!(search.by_machine_code().1 > 0);
}

/// An invalid step is reported as the interpreter reports it.
#[test]
fn actions_that_are_not_valid() {
    let text = format!(
        "{PLAYERS} type Other = {{ 1, 2 }}; type All = {{ 0, 1, 2 }};
         var x: Bit = 0; var y: Other = 1; var z: All = 0;
         begin, choose: player = a; choose, named: z = All(*); named, cast: $$ z;
         cast, done: x = Bit(z); done, end: player = keeper;"
    );
    let description = read(&text).expect("a text");
    let plain = Automaton::new(&description).expect("an automaton");
    let automaton = compiled(&description);
    let told = |automaton: &Automaton| {
        let (mut search, mut moves) = (Search::default(), Moves::default());
        let mut state = automaton.initial().clone();
        automaton.keep(&mut search, &mut state).expect("a beginning");
        automaton.moves(&mut search, &state, &mut moves).expect_err("2 is no bit")
    };
    assert!(matches!(told(&automaton), PlayError::Invalid { .. }));
    assert_eq!(told(&automaton), told(&plain));
}

#[test]
fn whoever_is_interrupted_stops() {
    let text =
        format!("{PLAYERS} begin, one: player = a; one, two: $ go; two, end: player = keeper;");
    let automaton = compiled(&read(&text).expect("a text"));
    let stop = AtomicBool::new(true);
    let mut search = Search::default().stopped_by(&stop);
    let kept = automaton.keep(&mut search, &mut automaton.initial().clone());
    assert_eq!(kept, Err(PlayError::Interrupted));
}

#[test]
fn automata_without_machine_code() {
    let hidden = format!(
        "{PLAYERS} begin, one: player = a; one, two: visible[b] = 0; two, three: $ go;
         three, end: player = keeper;"
    );
    assert_eq!(why_not(&hidden), NoCode::Hides);
    let n = (0..40).map(|n| n.to_string()).collect::<Vec<_>>().join(", ");
    let rows = format!(
        "{PLAYERS} type N = {{ {n} }}; var f: N -> Bit = {{ :0 }}; var g: N -> Bit = {{ :1 }};
         begin, one: player = a; one, two: f = g; two, three: $ go; three, end: player = keeper;"
    );
    assert_eq!(why_not(&rows), NoCode::Rows);
}
