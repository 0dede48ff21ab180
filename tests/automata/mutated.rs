//! Automata with accidents: small ones and exported ones, with some bytes or words of their
//! texts changed at random, always the same way. Whatever becomes of them, nothing panics, and
//! everything that is done with them ends.

use crate::mutator::Mutator;
use gdlr::diagnostic::{Diagnostic, Severity};
use gdlr::export::from_net;
use gdlr::gdl::Game;
use gdlr::ground::Budget;
use gdlr::net::Net;
use gdlr::play::seeded;
use gdlr::rg::{self, Automaton, Moves, PlayError, Search};
use std::sync::Arc;

/// The effect of bytes on a text.
const SIGNS: &[u8] = b" ,;:=!?$[](){}*->@01ax\n/\xff\0";

/// How many texts are made of each automaton.
const MUTANTS: usize = 250;

/// How many steps a question may take.
const STEPS: u64 = 4000;

/// A check within a check, chance, an any-assignment, a cast, a pragma, visibility.
const SMALL: &str = "
    // Two players take one or two sticks; a die says who begins.
    type Player = { a, b }; type Score = { 0, 50, 100 }; type Pile = { 0, 1, 2, 3, 4, 5 };
    type Side = { 1, 2 }; type Row = Side -> Pile;
    const less: Pile -> Pile = { 5: 4, 4: 3, 3: 2, 2: 1, :0 };
    const other: Player -> Player = { a: b, :a };
    var pile: Pile = 5; var me: Player = a; var side: Side = 1; var rows: Row = { :5 };
    @unique begin;
    begin, dice: player = random;
    dice, thrown: side = Side(*); thrown, shown: $$ side; shown, named: visible[b] = 0;
    named, hidden: $ thrown; hidden, told: visible[b] = 1; told, who: player = keeper;
    who, first: side == 1; who, second: side != 1; second, first: me = other[me];
    first, turn: player = me;
    turn, one: ? some -> left; one, one2: $ one; one2, taken: pile = less[pile];
    turn, two: ! few -> left; two, two2: $ two; two2, taken: pile = less[less[pile]];
    some, left: pile != 0;
    few, few2: pile = less[pile]; few2, few3: ! some -> left; few3, left: ;
    taken, noted: rows[side] = Pile(pile); noted, done: player = keeper;
    done, next: rows[side] != 0; next, first: me = other[me];
    done, won: rows[side] == 0; won, lost: goals[me] = 100; lost, over: goals[other[me]] = 50;
    over, end: player = keeper;";

/// A board that is a map of maps, and lines by reachability.
const BOARD: &str = "
    type Player = { x, o }; type Score = { 0, 50, 100 }; type Coord = { 0, 1, 2 };
    type Piece = { e, x, o }; type Board = Coord -> Coord -> Piece;
    const next: Coord -> Coord = { 0: 1, 1: 2, :0 };
    const other: Player -> Player = { x: o, :x };
    var board: Board = { :{ :e } }; var row: Coord = 0; var column: Coord = 0; var me: Player = x;
    begin, turn: player = me;
    turn, a: row = Coord(*); a, b: column = Coord(*); b, c: board[row][column] == e;
    c, d: $$ row; d, f: $$ column; f, g: board[row][column] = me; g, done: player = keeper;
    done, win: ? lines -> line; win, w: goals[me] = 100; w, v: goals[other[me]] = 0;
    v, end: player = keeper;
    done, on: ! lines -> line; on, swap: me = other[me]; swap, turn: player = me;
    lines, l1: board[row][next[column]] == board[row][column];
    l1, line: board[row][next[next[column]]] == board[row][column];
    lines, l2: board[next[row]][column] == board[row][column];
    l2, line: board[next[next[row]]][column] == board[row][column];";

/// The keeper goes round for ever.
const ROUND: &str = "type Player = { a }; type Score = { 0 }; type Bit = { 0, 1 }; var x: Bit = 0;
    begin, a: player = keeper; a, b: x == 0; b, c: x = 0; c, a: player = keeper;
    a, end: x == 1;";

fn exported(kif: &str) -> String {
    let game = Arc::new(Game::from_kif("test", kif).expect("a rulesheet"));
    let net = Net::of_game(Arc::clone(&game), &Budget::default()).expect("a game that grounds");
    rg::print(&from_net(&net, &game, false).description).expect("printable names")
}

/// The outcomes of the texts.
#[derive(Debug, Default)]
struct Tally {
    unreadable: usize,
    unsound: usize,
    /// Automata on which something that was done was done to the end.
    played: usize,
    improper: usize,
    too_much: usize,
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
    let description = match rg::read_bytes(bytes) {
        Ok(description) => description,
        Err(errors) => {
            assert!(!errors.is_empty() && rg::format_bytes(bytes).is_err());
            tally.unreadable += 1;
            return sound(bytes, &errors);
        }
    };
    let diagnostics = rg::validate(&description);
    sound(bytes, &diagnostics);
    let _ = rg::to_dot(&description);
    let laid_out = rg::format_bytes(bytes).expect("what is read can be laid out");
    assert_eq!(rg::format(&laid_out).expect("a layout can be read"), laid_out);
    assert_eq!(rg::read(&laid_out).expect("a layout can be read"), description);
    let automaton = Automaton::new(&description);
    if diagnostics.iter().any(|one| one.severity() == Severity::Error) {
        assert!(automaton.is_err());
        tally.unsound += 1;
        return;
    }
    let text = rg::print(&description).expect("what has no errors can be printed");
    let again = rg::read(&text).expect("what is printed can be read");
    assert_eq!(rg::print(&again).as_ref(), Ok(&text));
    assert_eq!(codes(&rg::validate(&again)), codes(&diagnostics));
    match automaton {
        Ok(automaton) => play(&automaton, tally),
        Err(problems) => {
            assert!(!problems.is_empty());
            tally.unsound += 1;
        }
    }
}

/// The findings, in any order: the printer puts definitions first.
fn codes(found: &[Diagnostic]) -> Vec<&'static str> {
    let mut codes: Vec<_> = found.iter().map(|found| found.code.as_str()).collect();
    codes.sort_unstable();
    codes
}

/// Everything that the interpreter does. That it ends is what is tested.
fn play(automaton: &Automaton, tally: &mut Tally) {
    let (mut search, mut moves) = (Search::with_limit(STEPS), Moves::default());
    let mut errors: Vec<Option<PlayError>> = Vec::new();
    for seed in 0..3 {
        let mut state = automaton.initial().clone();
        let buffers = (&mut search, &mut moves);
        let played = automaton.playout(buffers, &mut state, &mut seeded(seed, 0), 60);
        for player in automaton.players() {
            automaton.score(&state, player);
        }
        errors.push(played.err());
    }
    errors.push(rg::perft(automaton, &mut search, 2, |_| ()).error);
    let explored = rg::explore(automaton, &mut search, 100, |_| ());
    if let Some(error) = &explored.broken_off {
        assert!(!error.is_defect(), "{error}");
    }
    errors.push(explored.broken_off);
    for error in errors.iter().flatten() {
        assert!(!error.to_string().is_empty());
    }
    let is_defect = |error: &PlayError| error.is_defect();
    tally.played += usize::from(errors.iter().any(Option::is_none));
    tally.improper += usize::from(errors.iter().flatten().any(is_defect));
    tally.too_much += usize::from(errors.iter().flatten().any(|error| !is_defect(error)));
}

#[test]
fn whatever_becomes_of_an_automaton_is_dealt_with() {
    let texts = [
        SMALL.to_owned(),
        BOARD.to_owned(),
        ROUND.to_owned(),
        exported(include_str!("../../kif/tictactoe.kif")),
        exported(include_str!("../../kif/nim.kif")),
        exported(include_str!("../../kif/rock_paper_scissors.kif")),
    ];
    let mut mutator = Mutator::new(10, SIGNS);
    let mut tally = Tally::default();
    for text in &texts {
        put_through(text.as_bytes(), &mut tally);
    }
    assert_eq!((tally.unreadable, tally.unsound, tally.too_much), (0, 0, 0), "{tally:?}");
    for text in &texts {
        for _ in 0..MUTANTS {
            let mutant = mutator.mutant(text);
            let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                put_through(&mutant, &mut tally);
            }));
            done.unwrap_or_else(|_| panic!("of this text:\n{}", mutant.escape_ascii()));
        }
    }
    // All kinds of accidents happened.
    let Tally { unreadable, unsound, played, improper, too_much } = tally;
    let least = [unreadable, unsound, played, improper].into_iter().min();
    assert!(least >= Some(50) && too_much > 0, "{tally:?}");
}
