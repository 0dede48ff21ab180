//! Games with accidents: those of `hrg/` with some bytes or words of their texts changed at
//! random, always the same way. Whatever becomes of them, nothing panics, and everything that
//! is done with them ends.

use crate::mutator::Mutator;
use gdlr::diagnostic::{Diagnostic, Severity};
use gdlr::hrg::{self, Limits};
use gdlr::play::seeded;
use gdlr::rg::{self, Automaton, Search};
use rand::RngExt;
use std::time::{Duration, Instant};

/// The effect of bytes on a text.
const SIGNS: &[u8] = b" ,;:=!|&+-%$[](){}*.<>_X09ax\n/\xff\0";

/// How many texts are made of each game.
const MUTANTS: usize = 120;

/// So much may become of one.
const LIMITS: Limits =
    Limits { values: 2000, entries: 20_000, edges: 5000, steps: 200_000, depth: 64 };

/// Forms that the games of the folder do not use.
const SMALL: &str = "
    domain Player = a | b  domain Score = S(N) where N in 0..2  domain Bool = 0 | 1
    domain D = P(I, x) where I in 0..2 | Q(J) where J in { x, y } | none
    f : D -> Bool -> D  f(P(I, x), 0) = if P(I + 1, x) in D then P((I + 1) % 3, x) else none
    f(Q(J), B) = if J == y && B < 1 || not(B != 1) then none else Q(y)  f(_, _) = Q(x)
    m : D -> Bool -> D = { :{ :none }; P(I, x) = { 0 = Q(x); _ = none } where I in 0..2 }
    d : D = Q(y)  me : Player  hidden : { 0, 1 }
    reusable graph g(x: D, h: D -> Bool -> D) { if h(x, 0) == none { d = h(x, 1) return() } $_g }
    graph look(x: D) { branch { check(m[x][0] == none) end() } or { while d in D { d = f(d, 0) } } }
    graph walk() { forall e: D { check(e == d || d != none) $ e } repeat 2 { $(a b) } }
    graph rules() {
        loop {
            visible[a] = 0  player = me  d = D(*)  $$ d  m[d][1] = f(d, 1)  g(d, f)  g(Q(x), f)
            walk()  player = keeper
            if reachable(look(d)) && not(reachable(look(none))) { goals[me] = S(2) break() }
            else if me == a { me = b } else { me = a continue() }
        }
        repeat t in { 0, 1 } { hidden = { 0, 1 }(*)  check(hidden == t) }
        player = random  branch who in { a, b } { $ who }  player = keeper  end()
    }";

/// The outcomes of the texts.
#[derive(Debug, Default)]
struct Tally {
    unreadable: usize,
    unsound: usize,
    played: usize,
}

/// Every span is one of the text.
fn sound(bytes: &[u8], found: &[Diagnostic]) {
    for diagnostic in found {
        let spans = diagnostic.related.iter().map(|(span, _)| *span).chain([diagnostic.span]);
        for span in spans {
            assert!(span.start <= span.end && span.end as usize <= bytes.len(), "{diagnostic}");
        }
    }
}

fn put_through(bytes: &[u8], tally: &mut Tally) {
    let game = match hrg::read_bytes(bytes) {
        Ok(game) => game,
        Err(errors) => {
            assert!(!errors.is_empty() && hrg::format_bytes(bytes).is_err());
            tally.unreadable += 1;
            return sound(bytes, &errors);
        }
    };
    let laid_out = hrg::format_bytes(bytes).expect("what is read can be laid out");
    assert_eq!(hrg::format(&laid_out).expect("a layout can be read"), laid_out);
    assert_eq!(hrg::read(&laid_out).expect("a layout can be read"), game);
    let description = match hrg::translate_within(&game, LIMITS) {
        Ok(description) => description,
        Err(errors) => {
            assert!(errors.iter().any(|found| found.severity() == Severity::Error));
            tally.unsound += 1;
            return sound(bytes, &errors);
        }
    };
    let text = rg::print(&description).expect("the names of a game can be printed");
    let again = rg::read(&text).expect("what is printed can be read");
    let errors = rg::validate(&again);
    assert!(errors.iter().all(|found| found.severity() != Severity::Error), "{errors:?}");
    if let Ok(automaton) = Automaton::new(&description) {
        rg::perft(&automaton, &mut Search::with_limit(2000), 1, |_| ());
        tally.played += 1;
    }
}

fn games() -> Vec<String> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("hrg");
    let mut paths: Vec<_> =
        folder.read_dir().expect("games").map(|entry| entry.expect("readable").path()).collect();
    paths.sort();
    let texts = paths.iter().map(|path| std::fs::read_to_string(path).expect("a game"));
    texts.chain([SMALL.to_owned()]).collect()
}

fn put_mutants_through(mutator: &mut Mutator, mutants: usize, tally: &mut Tally) {
    for text in games() {
        for _ in 0..mutants {
            let mutant = mutator.mutant(&text);
            let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                put_through(&mutant, tally);
            }));
            done.unwrap_or_else(|_| panic!("of this text:\n{}", mutant.escape_ascii()));
        }
    }
}

#[test]
fn whatever_becomes_of_a_game_is_dealt_with() {
    let mut tally = Tally::default();
    put_through(SMALL.as_bytes(), &mut tally);
    assert_eq!((tally.unreadable, tally.unsound), (0, 0), "the game without accidents");
    put_mutants_through(&mut Mutator::new(11, SIGNS), MUTANTS, &mut tally);
    // All kinds of accidents happened.
    let Tally { unreadable, unsound, played } = tally;
    assert!([unreadable, unsound, played].into_iter().min() >= Some(50), "{tally:?}");
}

/// Bytes that are no text of any kind.
#[test]
fn random_bytes_are_refused() {
    let mut rng = seeded(12, 0);
    for _ in 0..2000 {
        let length = rng.random_range(0..200);
        let bytes: Vec<u8> = (0..length).map(|_| rng.random::<u8>()).collect();
        put_through(&bytes, &mut Tally::default());
        let ascii: Vec<u8> = bytes.iter().map(|byte| byte & 0x7f).collect();
        put_through(&ascii, &mut Tally::default());
    }
}

/// For an evening: `cargo test --release --test automata mutated_hrg:: -- --ignored`.
#[test]
#[ignore = "takes ten minutes"]
fn ten_minutes_of_accidents() {
    let start = Instant::now();
    let mut mutator = Mutator::new(13, SIGNS);
    let mut tally = Tally::default();
    while start.elapsed() < Duration::from_secs(600) {
        put_mutants_through(&mut mutator, 10, &mut tally);
    }
    eprintln!("{tally:?}");
}
