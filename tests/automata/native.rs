//! Automata as machine code: they are played as the definition says, and as the interpreter plays them.

use crate::bundled::games;
use crate::play::{Tally, compare};
use crate::rg_naive::generator::Generator;
use gdlr::abg;
use gdlr::automaton::{AutomatonEngine, AutomatonGame};
use gdlr::play::{FlatMonteCarlo, seeded};
use gdlr::rg::{
    Automaton, Description, Ending, Moves, NoCode, PlayError, Played, Search, State, perft, read,
};
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

/// The next random automaton that has machine code.
fn next_compiled(generator: &mut Generator) -> (String, Description, Automaton) {
    loop {
        let text = generator.text();
        let description = read(&text).unwrap();
        if let Ok(mut automaton) = Automaton::new(&description)
            && automaton.compile().is_ok()
        {
            return (text, description, automaton);
        }
    }
}

/// A random playout from the beginning, and its last state.
pub fn play(
    automaton: &Automaton,
    search: &mut Search,
    seed: u64,
    most: u64,
) -> (Result<Played, PlayError>, State) {
    let (mut state, mut moves) = (automaton.initial().clone(), Moves::default());
    let (mut rng, memory) = (seeded(seed, 0), (search, &mut moves));
    let played = automaton.playout(memory, &mut state, &mut rng, most);
    (played, state)
}

/// The number of moves that machine code plays ahead from the beginning of a play.
pub fn ahead(automaton: &Automaton, seed: u64, most: u64) -> u64 {
    let (mut search, mut rng) = (Search::default(), seeded(seed, 0));
    let mut state = automaton.initial().clone();
    automaton.play_ahead(&mut search, &mut state, &mut rng, most, &mut || false).expect("a play")
}

/// Both play the same random moves.
#[track_caller]
pub fn play_alike(automaton: &Automaton, plain: &Automaton, plays: u64) {
    let (mut search, mut other) = (Search::default(), Search::default());
    for seed in 0..plays {
        let (played, state) = play(automaton, &mut search, seed, 200);
        let (wanted, end) = play(plain, &mut other, seed, 200);
        assert_eq!(played, wanted, "seed {seed}");
        if wanted.is_ok() {
            assert_eq!(state, end, "seed {seed}");
        }
    }
}

/// A text as machine code, and as the interpreter plays it.
pub fn both(text: &str) -> (Automaton, Automaton) {
    let description = read(text).expect("a text");
    (compiled(&description), Automaton::new(&description).expect("an automaton"))
}

#[test]
fn random_automata_play_the_same_moves() {
    let mut generator = Generator::new(73);
    let mut moves = 0;
    for _ in 0..400 {
        let (text, description, automaton) = next_compiled(&mut generator);
        let plain = Automaton::new(&description).expect("an automaton");
        let (mut search, mut other) = (Search::with_limit(50_000), Search::with_limit(50_000));
        for seed in 0..4 {
            let (played, state) = play(&automaton, &mut search, seed, 40);
            let (wanted, end) = play(&plain, &mut other, seed, 40);
            match wanted {
                // A bound is met earlier or later: machine code has fewer steps.
                Err(PlayError::TooMuchWork { .. }) => break,
                _ => assert_eq!((played, state), (wanted, end), "in this game:\n{text}"),
            }
            let (mut rng, mut state) = (seeded(seed, 0), automaton.initial().clone());
            let ahead = automaton.play_ahead(&mut search, &mut state, &mut rng, 40, &mut || false);
            moves += ahead.unwrap_or(0);
        }
    }
    assert!(moves > 400, "{moves} moves");
}

#[test]
fn games_are_played_alike() {
    let mut by_code_alone = 0;
    for (name, description) in games() {
        let plain = Automaton::new(&description).expect("an automaton");
        let mut automaton = Automaton::new(&description).expect("an automaton");
        if automaton.compile().is_err() {
            continue;
        }
        let (mut search, mut other) = (Search::default(), Search::default());
        for seed in 0..3 {
            let played = play(&automaton, &mut search, seed, 60);
            let wanted = play(&plain, &mut other, seed, 60);
            assert_eq!(played, wanted, "{name}, seed {seed}");
            let moves = wanted.0.expect("a proper game").moves;
            by_code_alone += u32::from(ahead(&automaton, seed, 60) == moves);
        }
    }
    assert!(by_code_alone >= 60, "{by_code_alone} plays");
}

/// Tags that do not fit into a word.
#[test]
fn moves_with_many_tags_are_played() {
    let text = format!(
        "{PLAYERS} type N = {{ {} }}; const up: N -> N = {{ {}, :0 }}; var n: N = 0; var x: Bit = 0;
         begin, walk: player = a; walk, on: n != 60; walk, stop: n == 60;
         on, one: $ go; on, two: $ jump; two, three: x = 1; three, stop: ;
         one, walk: n = up[n];
         stop, tag: x = Bit(*); tag, named: $$ x; named, more: n != 0; named, over: n == 0;
         more, begin: n = 0; over, end: player = keeper;",
        (0..61).map(|n| n.to_string()).collect::<Vec<_>>().join(", "),
        (0..60).map(|n| format!("{n}: {}", n + 1)).collect::<Vec<_>>().join(", "),
    );
    let text = text.replace("more, begin: n = 0;", "more, again: n = 0; again, walk: player = b;");
    let (automaton, plain) = both(&text);
    play_alike(&automaton, &plain, 200);
    assert!((0..20).map(|seed| ahead(&automaton, seed, 9)).sum::<u64>() > 20);
}

/// The tags of a move are the first tags of a longer one, and fill a word.
#[test]
fn moves_that_begin_alike_are_different() {
    let text = format!(
        "{PLAYERS} type N = {{ {} }}; const up: N -> N = {{ {}, :0 }}; var n: N = 0;
         begin, walk: player = a; walk, one: $ go; one, next: n = up[n]; next, stop: ;
         next, walk: n != 60; stop, second: player = b; second, last: $ stop;
         last, end: player = keeper;",
        (0..61).map(|n| n.to_string()).collect::<Vec<_>>().join(", "),
        (0..60).map(|n| format!("{n}: {}", n + 1)).collect::<Vec<_>>().join(", "),
    );
    let (automaton, plain) = both(&text);
    play_alike(&automaton, &plain, 100);
    assert_eq!((0..20).map(|seed| ahead(&automaton, seed, 9)).sum::<u64>(), 40);
}

/// Two moves with the same tags up to the last tag of the longer one, for all lengths around that of
/// a word.
#[test]
fn moves_that_fill_a_word_end_there() {
    for length in 5..25 {
        let tags: String = (0..length).map(|at| format!("n{at}, n{}: $ go; ", at + 1)).collect();
        let text = format!(
            "{PLAYERS} var x: Bit = 0; begin, n0: player = a; {tags}
             n{length}, short: x = 0; n{length}, more: $ go; more, long: x = 1;
             short, again: player = b; long, again: player = b;
             again, last: $ stop; last, end: player = keeper;"
        );
        let (automaton, plain) = both(&text);
        play_alike(&automaton, &plain, 10);
        assert_eq!((0..5).map(|seed| ahead(&automaton, seed, 9)).sum::<u64>(), 10, "{length}");
    }
}

/// Several walks with the same tags are one move, if they lead to the same state.
#[test]
fn walks_with_the_same_tags_are_one_move() {
    let text = |y: u32| {
        format!(
            "{PLAYERS} var x: Bit = 0; var y: Bit = 0; var n: Bit = 0;
             begin, turn: player = a; turn, any: x = Bit(*);
             any, left: $ left; left, done: y = 0; any, right: $ right; right, done: y = 1;
             turn, other: $ left; other, done: y = {y};
             done, reset: x = 0; reset, second: player = b;
             second, last: $ stop; last, end: player = keeper;"
        )
    };
    let (automaton, plain) = both(&text(0));
    play_alike(&automaton, &plain, 50);
    assert_eq!((0..20).map(|seed| ahead(&automaton, seed, 9)).sum::<u64>(), 40);
    // `left` and `right` are equally likely: three walks are `left`, and two are `right`.
    let lefts = (0..400).filter(|&seed| {
        let (_, state) = play(&automaton, &mut Search::default(), seed, 9);
        state != play(&automaton, &mut Search::default(), 0, 9).1
    });
    let count = lefts.count();
    assert!((140..=260).contains(&count), "{count} of 400 differ from the first");
    let (automaton, plain) = both(&text(1));
    let (played, _) = play(&automaton, &mut Search::default(), 0, 9);
    assert!(matches!(played, Err(PlayError::Ambiguous { .. })), "{played:?}");
    play_alike(&automaton, &plain, 50);
}

/// A check within a check reads a variable that the move assigns.
#[test]
fn what_a_check_reads_is_assigned() {
    let text = format!(
        "{PLAYERS} var x: Bit = 0; var y: Bit = 0;
         begin, turn: player = a; turn, chosen: x = Bit(*); chosen, named: $$ x;
         named, copied: y = x; copied, checked: ? first -> second;
         checked, unread: x = 0; unread, again: player = b;
         again, last: $ stop; last, end: player = keeper;
         first, middle: ? inner -> outer; middle, second: ; inner, outer: y == 1;"
    );
    let (automaton, plain) = both(&text);
    play_alike(&automaton, &plain, 20);
    assert_eq!((0..20).map(|seed| ahead(&automaton, seed, 9)).sum::<u64>(), 40);
}

/// The walks of a check go on behind the end of a move, and in circles, and read what was assigned.
#[test]
fn checks_go_on_behind_the_end_of_a_move() {
    let text = format!(
        "{PLAYERS} var x: Bit = 0;
         begin, turn: player = a; turn, chosen: x = Bit(*); chosen, named: $$ x;
         named, checked: ? first -> second; checked, unread: x = 0; unread, again: player = b;
         again, last: $ stop; last, end: player = keeper;
         first, moved: player = a; moved, second: x == 1; moved, first: ;"
    );
    let (automaton, plain) = both(&text);
    play_alike(&automaton, &plain, 20);
    assert_eq!((0..20).map(|seed| ahead(&automaton, seed, 9)).sum::<u64>(), 40);
}

/// Comparisons that are the same for all symbols of a choice, or that constants alone decide.
#[test]
fn choices_are_compared() {
    for (compared, moves) in [
        ("odd[at] == 1", 40),
        ("odd[next[at]] != 1", 40),
        ("odd[at] == other[at]", 40),
        ("none[at] == 1", 0),
        ("board[at] == stones[who]", 40),
        ("board[at] != stones[board[first]]", 40),
        ("board[at] == stones[odd[at]]", 40),
    ] {
        let text = format!(
            "{PLAYERS} type At = {{ s0, s1, s2, s3 }}; type Row = At -> Bit; var who: Bit = 1;
             const odd: Row = {{ s1: 1, s3: 1, :0 }}; const none: Row = {{ :0 }};
             const other: Row = {{ s1: 1, s2: 1, :0 }}; const next: At -> At = {{ s0: s1, s1: s2, s2: s3, :s0 }};
             const stones: Bit -> Bit = {{ 0: 1, :0 }}; var board: Row = {{ s2: 1, :0 }};
             var at: At = s0; var first: At = s2;
             begin, turn: player = a; turn, chosen: at = At(*); chosen, named: {compared};
             named, looked: $$ at; looked, checked: ? any -> found; checked, again: player = b;
             again, last: $ stop; last, end: player = keeper;
             any, one: first = At(*); one, found: {};",
            compared.replace("at]", "first]"),
        );
        let (automaton, plain) = both(&text);
        play_alike(&automaton, &plain, 20);
        let ahead: u64 = (0..20).map(|seed| ahead(&automaton, seed, 9)).sum();
        assert_eq!(ahead, moves, "{compared}");
    }
}

/// Machine code plays the keeper's move with the move before it.
#[test]
fn keepers_follow_a_move() {
    let text = |after: &str| {
        format!(
            "{PLAYERS} var x: Bit = 0; var y: Bit = 0; var z: Bit = 0;
             begin, turn: player = a; turn, chosen: x = Bit(*);
             chosen, left: $ left; left, kept: y = x; chosen, right: $ right; right, kept: y = 1;
             kept, gone: x = 0; gone, keeper: player = keeper; keeper, next: {after};
             next, second: player = b; second, last: $ stop; last, end: player = keeper;"
        )
    };
    // `left` leads to two states, which stay two if the keeper makes them equal.
    for after in ["y = 0", "y == x"] {
        let (automaton, plain) = both(&text(after));
        let (played, _) = play(&automaton, &mut Search::default(), 0, 9);
        assert!(matches!(played, Err(PlayError::Ambiguous { .. })), "{after}: {played:?}");
        play_alike(&automaton, &plain, 20);
    }
    for (after, moves) in [("y = 0", 40), ("y != x", 0), ("z == 0", 40)] {
        let text = text(after).replace("chosen, left", "chosen, which: $$ x; which, left");
        let text = text.replace("chosen, right", "which, right");
        let (automaton, plain) = both(&text);
        play_alike(&automaton, &plain, 40);
        let ahead: u64 = (0..20).map(|seed| ahead(&automaton, seed, 9)).sum();
        assert!(ahead <= 40 && ahead >= moves, "{after}: {ahead}");
    }
}

/// Two moves with the same word, which their artificial tags tell apart. The keeper may have no move
/// after one of them.
#[test]
fn the_walk_that_was_drawn_is_played() {
    for (after, moves) in [("z = y", 40), ("y == 0", 0)] {
        let text = format!(
            "{PLAYERS} @artificialTag left right; var y: Bit = 0; var z: Bit = 0;
             begin, turn: player = a; turn, one: $ right; turn, two: $ left;
             one, three: y = 1; two, three: y = 0; three, kept: $ go;
             kept, keeper: player = keeper; keeper, next: {after};
             next, second: player = b; second, last: $ stop; last, end: player = keeper;"
        );
        let (automaton, plain) = both(&text);
        play_alike(&automaton, &plain, 40);
        let ends = (0..40).map(|seed| play(&plain, &mut Search::default(), seed, 9));
        let ends: Vec<_> = ends.collect();
        assert!(ends.iter().any(|end| *end != ends[0]), "{after}");
        let ahead: u64 = (0..20).map(|seed| ahead(&automaton, seed, 9)).sum();
        assert!(ahead >= moves, "{after}: {ahead}");
    }
}

#[test]
fn a_playout_stops_when_it_is_told_to() {
    let text = format!(
        "{PLAYERS} var x: Bit = 0; begin, one: player = a; one, two: $ go; one, three: $ wait;
         two, four: ; three, four: ; four, turn: player = b; turn, five: $ on;
         five, one: player = a; turn, six: x == 1; six, end: player = keeper;"
    );
    let (automaton, plain) = both(&text);
    for most in [0, 1, 5] {
        let wanted = Ok(Played { ending: Ending::Capped, moves: most });
        assert_eq!(play(&automaton, &mut Search::default(), 1, most).0, wanted);
        assert_eq!(ahead(&automaton, 1, most), most);
        assert_eq!(ahead(&plain, 1, most), 0);
    }
    let (mut search, mut state) = (Search::default(), automaton.initial().clone());
    let mut left = 1;
    let mut halted = || {
        left -= 1;
        left < 0
    };
    let played = automaton.play_ahead(&mut search, &mut state, &mut seeded(0, 0), 20, &mut halted);
    // It is asked every eight moves.
    assert_eq!(played, Ok(8));
    let stop = AtomicBool::new(true);
    let mut search = Search::default().stopped_by(&stop);
    let played = play(&automaton, &mut search, 0, 1_000_000).0;
    assert_eq!(played, Err(PlayError::Interrupted));
}

/// Flat Monte Carlo counts the same, and shows the play that led to a defect.
#[test]
fn flat_monte_carlo_counts_the_same() {
    let text = "type Player = { a, b }; type Score = { 0, 50, 101 }; type Bit = { 0, 1 };
        var x: Bit = 0; var n: Bit = 0;
        begin, turn: player = a; turn, chosen: x = Bit(*); chosen, named: $$ x;
        named, next: player = b; next, other: $ l; next, more: $ r; other, done: n = 1;
        more, done: n = 0; done, score: player = keeper;
        score, good: x != n; good, over: goals[a] = 50; over, end: player = keeper;
        score, bad: x == n; bad, late: goals[a] = 101; late, end: player = keeper;";
    let run = |compile: bool| {
        let game = AutomatonGame::new("bits", read(text).expect("a text")).expect("a game");
        let mut engine = AutomatonEngine::new(game).expect("an automaton");
        if compile {
            engine.compile().expect("machine code");
        }
        let flat = FlatMonteCarlo { playouts: Some(100), seed: 5, ..FlatMonteCarlo::default() };
        flat.run(&engine, &AtomicBool::new(false), |_| {})
    };
    let (by_code, plain) = (run(true), run(false));
    assert_eq!((by_code.playouts, by_code.states), (100, 200));
    assert_eq!(by_code.roles, plain.roles);
    assert!(by_code.defect.is_some());
    assert_eq!(by_code.defect, plain.defect);
    assert_eq!(by_code.defect.expect("a defect").play.len(), 2);
}

#[test]
fn random_automata_do_what_the_definition_says() {
    let mut generator = Generator::new(71);
    let mut search = Search::with_limit(50_000);
    let mut tally = Tally::default();
    let (mut listed, mut given_up) = (0, 0);
    for _ in 0..1_500 {
        let (text, description, automaton) = next_compiled(&mut generator);
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

pub const PLAYERS: &str = "type Player = { a, b }; type Score = { 0, 1 }; type Bit = { 0, 1 };";

/// Stones of one colour on a ring of rings. A move wins if stones lead from the first square to the
/// last one. One step of the way may lead over an empty square. `more` is written where a way steps.
fn ways_of_stones(more: &str) -> String {
    let names = |of: &dyn Fn(usize) -> String| (0..36).map(of).collect::<Vec<_>>().join(", ");
    let step = |by: usize| names(&|at| format!("s{at}: s{}", (at + by) % 36));
    format!(
        "{PLAYERS} type S = {{ {} }}; const right: S -> S = {{ {}, :s0 }};
         const down: S -> S = {{ {}, :s0 }}; const left: S -> S = {{ {}, :s0 }};
         var board: S -> Bit = {{ :0 }}; var at: S = s0; var probe: S = s0; var hopped: Bit = 0;
         begin, turn: player = a; turn, chosen: at = S(*); chosen, free: board[at] == 0;
         free, named: $$ at; named, kept: player = keeper; kept, put: board[at] = 1;
         put, won: ? from -> to; put, on: ! from -> to; on, turn: player = a;
         won, over: goals[a] = 1; over, end: player = keeper;
         from, start: at = s0; start, walk: board[at] == 1; walk, to: at == s35;
         walk, r: at = right[at]; r, step: board[at] == 1;
         walk, d: at = down[at]; d, step: board[at] == 1;
         walk, l: at = left[at]; l, step: board[at] == 1;
         walk, hop: hopped == 0; hop, up: hopped = 1; up, step: at = down[at]; {more}",
        names(&|at| format!("s{at}")),
        step(1),
        step(6),
        step(35),
    )
}

/// A check whose walks go in circles needs no memory of semistates.
#[test]
fn checks_remember_where_they_have_been() {
    let plain_step = "step, walk: ;";
    let with_check = "step, walk: ? look -> seen; look, seek: probe = at; seek, seen: probe == s7;
        seek, next: probe = right[probe]; next, seek: ; seek, other: probe = down[probe];
        other, seek: board[probe] == 1;";
    for more in [plain_step, with_check] {
        let (automaton, plain) = both(&ways_of_stones(more));
        play_alike(&automaton, &plain, 60);
        for seed in 0..20 {
            let moves = play(&plain, &mut Search::default(), seed, 60).0.expect("a play").moves;
            assert_eq!(ahead(&automaton, seed, 60), moves, "seed {seed}");
        }
    }
}

/// A check within a check looks for the same node, and comes to the same places. Its marks must not
/// be those of the other.
#[test]
fn checks_with_the_same_target_have_no_marks() {
    let text = ways_of_stones("step, walk: ;").replace(
        "start, walk: board[at] == 1;",
        "start, sure: ? again -> to; again, walk: board[at] == 1; sure, walk: board[at] == 1;",
    );
    assert!(text.contains("? again -> to"));
    let (automaton, plain) = both(&text);
    play_alike(&automaton, &plain, 20);
}

/// A playout keeps the set of free squares. A move may free squares, too, and change a few of them or
/// more than it keeps a list of.
#[test]
fn free_squares_are_kept_from_one_move_to_the_next() {
    let names = |of: &dyn Fn(usize) -> String| (0..80).map(of).collect::<Vec<_>>().join(", ");
    let next = "on, turn: player = a;";
    let frees = "on, freed: board[next[at]] = 0; freed, turn: player = a;";
    let tries = "on, tried: board[next[at]] = 1; tried, yes: board[s0] == 1; yes, turn: player = a;
        on, no: board[s0] == 0; no, turn: player = a;";
    let clears =
        "on, begun: at = next[at]; begun, clear: board[at] = 0; clear, step: at = next[at];
        step, begun: at != s0; step, done: at == s0; done, turn: player = a;";
    for (condition, more) in [
        ("board[at] == 0", next),
        ("board[at] != 1", frees),
        ("board[at] == 0", tries),
        ("board[at] == 0", clears),
        ("board[next[at]] == 0", next),
        ("board[next[at]] == 0", frees),
    ] {
        let text = format!(
            "{PLAYERS} type S = {{ {} }}; const next: S -> S = {{ {}, :s0 }};
             var board: S -> Bit = {{ :0 }}; var at: S = s0;
             begin, turn: player = a; turn, chosen: at = S(*); chosen, free: {condition};
             free, named: $$ at; named, kept: player = keeper;
             kept, put: board[at] = 1; put, full: board[s7] == 1; full, end: player = keeper;
             put, on: board[s7] == 0; {more}",
            names(&|at| format!("s{at}")),
            names(&|at| format!("s{at}: s{}", (at + 1) % 80)),
        );
        let (automaton, plain) = both(&text);
        play_alike(&automaton, &plain, 40);
        let moves = (0..20).map(|seed| ahead(&automaton, seed, 40)).sum::<u64>();
        assert!(moves > 300, "{moves} moves with {condition}, {more}");
    }
}

/// Moves that only their artificial tags tell apart are different moves.
#[test]
fn artificial_tags_tell_moves_apart() {
    let text = |y: u32| {
        format!(
            "{PLAYERS} @artificialTag up down; var x: Bit = 0; var y: Bit = 0;
             begin, turn: player = a; turn, any: x = Bit(*);
             any, up: $ up; up, tag: y = 0; any, down: $ down; down, tag: y = 1;
             any, again: $ up; again, tag: y = {y}; any, most: $ down; most, more: $ up;
             more, tag: y = 1; tag, tagged: $$ x; tagged, second: player = b;
             second, last: $ stop; last, end: player = keeper;"
        )
    };
    let (automaton, plain) = both(&text(0));
    play_alike(&automaton, &plain, 60);
    assert_eq!((0..20).map(|seed| ahead(&automaton, seed, 9)).sum::<u64>(), 40);
    let (automaton, plain) = both(&text(1));
    let (played, _) = play(&automaton, &mut Search::default(), 0, 9);
    assert!(matches!(played, Err(PlayError::Ambiguous { .. })), "{played:?}");
    play_alike(&automaton, &plain, 20);
}

/// Many moves of the keeper in a row, a keeper that never ends, and one that fails.
#[test]
fn keepers_do_the_same() {
    let text = |last: &str| {
        format!(
            "{PLAYERS} type N = {{ {} }}; const up: N -> N = {{ {}, :0 }}; var n: N = 0;
             begin, walk: player = keeper; walk, next: n = up[n]; next, again: n != 150;
             again, walk: player = keeper; next, done: n == 150; {last}",
            (0..151).map(|n| n.to_string()).collect::<Vec<_>>().join(", "),
            (0..150).map(|n| format!("{n}: {}", n + 1)).collect::<Vec<_>>().join(", "),
        )
    };
    let turn = "turn, on: $ on; on, end: player = keeper;";
    for (last, is_kept) in [
        (format!("done, turn: player = a; {turn}"), true),
        (
            format!(
                "done, never: n == 0; never, turn: player = a; done, ever: n != 0;
                 ever, reset: n = 0; reset, walk: player = keeper; {turn}"
            ),
            false,
        ),
        (format!("done, wrong: n == 3; wrong, turn: player = a; {turn}"), false),
        (
            format!(
                "done, two: player = keeper; two, low: Bit(n) == 0; low, turn: player = a; {turn}"
            ),
            false,
        ),
    ] {
        let (automaton, plain) = both(&text(&last));
        let kept = |automaton: &Automaton| {
            let mut state = automaton.initial().clone();
            (automaton.keep(&mut Search::default(), &mut state), state)
        };
        let ((result, state), (wanted, end)) = (kept(&automaton), kept(&plain));
        assert_eq!(result, wanted, "{last}");
        assert_eq!(result.is_ok(), is_kept, "{last}");
        // Both notice at some state that a keeper never ends.
        if !matches!(result, Err(PlayError::Endless { .. })) {
            assert_eq!(state, end, "{last}");
        }
    }
}

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
