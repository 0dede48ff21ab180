//! A service that is spoken to, message by message.

use super::*;
use crate::player::{Player, Turn};
use gdlr_engine::engine::{Engine, MoveId};
use gdlr_rules::gdl::Reading;
use std::sync::atomic::AtomicUsize;
use std::thread;

/// The game of appendix B of SPEC.
const MAZE: &str = "(ROLE ROBOT) (INIT (CELL A)) (INIT (GOLD C)) (INIT (STEP 1))
    (<= (NEXT (CELL ?Y)) (DOES ROBOT MOVE) (TRUE (CELL ?X)) (ADJACENT ?X ?Y))
    (<= (NEXT (CELL ?X)) (DOES ROBOT GRAB) (TRUE (CELL ?X)))
    (<= (NEXT (CELL ?X)) (DOES ROBOT DROP) (TRUE (CELL ?X)))
    (<= (NEXT (GOLD ?X)) (DOES ROBOT MOVE) (TRUE (GOLD ?X)))
    (<= (NEXT (GOLD I)) (DOES ROBOT GRAB) (TRUE (CELL ?X)) (TRUE (GOLD ?X)))
    (<= (NEXT (GOLD I)) (DOES ROBOT GRAB) (TRUE (GOLD I)))
    (<= (NEXT (GOLD ?X)) (DOES ROBOT DROP) (TRUE (CELL ?X)) (TRUE (GOLD I)))
    (<= (NEXT (STEP ?Y)) (TRUE (STEP ?X)) (SUCC ?X ?Y))
    (ADJACENT A B) (ADJACENT B C) (ADJACENT C D) (ADJACENT D A)
    (SUCC 1 2) (SUCC 2 3) (SUCC 3 4) (SUCC 4 5) (SUCC 5 6) (SUCC 6 7) (SUCC 7 8)
    (<= (LEGAL ROBOT MOVE))
    (<= (LEGAL ROBOT GRAB) (TRUE (CELL ?X)) (TRUE (GOLD ?X)))
    (<= (LEGAL ROBOT DROP) (TRUE (GOLD I)))
    (<= (GOAL ROBOT 100) (TRUE (GOLD A)))
    (<= (GOAL ROBOT 0) (TRUE (GOLD ?X)) (DISTINCT ?X A))
    (<= TERMINAL (TRUE (STEP 8))) (<= TERMINAL (TRUE (GOLD A)))";

const TICTACTOE: &str = include_str!("../../../../../kif/tictactoe.kif");

/// The behaviour of a test's player in a turn.
type Choose = dyn Fn(&Turn<'_>) -> MoveId + Send + Sync;

struct Scripted(Arc<Choose>);

impl Player for Scripted {
    fn play(&mut self, turn: &Turn<'_>) -> MoveId {
        (self.0)(turn)
    }
}

fn service(choose: impl Fn(&Turn<'_>) -> MoveId + Send + Sync + 'static) -> Service {
    Service::new(options(choose))
}

fn options(choose: impl Fn(&Turn<'_>) -> MoveId + Send + Sync + 'static) -> Options {
    let choose: Arc<Choose> = Arc::new(choose);
    Options::new("tester", move || Box::new(Scripted(choose.clone())))
}

/// The legal move with this text, or else the first.
fn named(turn: &Turn<'_>, text: &str) -> MoveId {
    let text_of = |id: MoveId| turn.engine.move_term(id).1.canonical(turn.engine.symbols());
    let mut moves = turn.legal.iter().copied();
    moves.find(|&id| text_of(id) == text).unwrap_or(turn.legal[0])
}

/// The first move, when the clock is over.
fn slow(turn: &Turn<'_>) -> MoveId {
    while !turn.clock.is_over() {
        thread::sleep(Duration::from_millis(2));
    }
    turn.legal[0]
}

fn say(service: &Service, text: &str) -> String {
    match service.answer(text, Instant::now(), Duration::ZERO) {
        Ok(reply) => reply.to_string(),
        Err(error) => panic!("{text}: {error}"),
    }
}

fn begin(service: &Service, id: &str, role: &str, rules: &str, clock: u32) -> String {
    say(service, &format!("(START {id} {role} ({rules}\n) 20 {clock})"))
}

#[test]
fn the_match_of_appendix_b() {
    let events = Arc::new(Mutex::new(Vec::new()));
    let log = events.clone();
    let plan = ["move", "move", "grab", "move", "move", "drop"];
    let mut options = options(move |turn| named(turn, plan[turn.step as usize]));
    options.log = Arc::new(move |event| match event {
        Event::Moved { .. } => {}
        event => lock(&log).push(event.to_string()),
    });
    let service = Service::new(options);
    assert_eq!(begin(&service, "MATCH.3316980891", "ROBOT", MAZE, 20), "READY");
    let mut last = "NIL".to_owned();
    for expected in ["MOVE", "MOVE", "GRAB", "MOVE", "MOVE", "DROP"] {
        let reply = say(&service, &format!("(PLAY MATCH.3316980891 {last})"));
        assert_eq!(reply, expected);
        last = format!("({reply})");
    }
    assert_eq!(say(&service, &format!("(STOP MATCH.3316980891 {last})")), "DONE");
    assert_eq!(say(&service, &format!("(STOP MATCH.3316980891 {last})")), "busy");
    let start = Instant::now();
    while lock(&events).len() < 2 && start.elapsed() < Duration::from_secs(20) {
        thread::sleep(Duration::from_millis(5));
    }
    let rules = 30;
    let expected = [
        format!("MATCH.3316980891: begins as ROBOT, {rules} rules, clocks of 20 s and 20 s"),
        "MATCH.3316980891: over as ROBOT after 6 turns, goal 100".to_owned(),
    ];
    assert_eq!(*lock(&events), expected);
}

#[test]
fn a_repeated_play_has_the_same_answer() {
    let asked = Arc::new(AtomicUsize::new(0));
    let count = asked.clone();
    let service = service(move |turn| {
        let time = count.fetch_add(1, Ordering::Relaxed);
        turn.legal[time % turn.legal.len()]
    });
    begin(&service, "m", "crosses", TICTACTOE, 20);
    let first = say(&service, "(PLAY m NIL)");
    assert_eq!(say(&service, "(play m ())"), first);
    assert_eq!(asked.load(Ordering::Relaxed), 1);
    let joint = format!("(PLAY m ({first} wait))");
    let second = say(&service, &joint);
    assert_eq!(say(&service, &joint), second);
    assert_eq!(asked.load(Ordering::Relaxed), 2);
    // A repeated message is not played twice.
    let next = format!("(PLAY m (wait {}))", other_sign(&first));
    assert!(say(&service, &next).starts_with("(sign "), "{next}");
}

/// A mark in another corner than this one.
fn other_sign(sign: &str) -> &str {
    if sign.contains("1 1") { "(sign 3 3)" } else { "(sign 1 1)" }
}

#[test]
fn out_of_turn_is_nil_and_changes_nothing() {
    let service = service(|turn| named(turn, "(sign 2 2)"));
    begin(&service, "m", "CROSSES", TICTACTOE, 20);
    let nils = [
        "((sign 9 9) wait)",
        "((sign 1 1))",
        "((sign 1 1) wait wait)",
        "(a b)",
        "(wait (sign 1 1))",
        "(?x wait)",
        "((sign 1 1) ())",
    ];
    for last in nils {
        assert_eq!(say(&service, &format!("(PLAY m {last})")), "nil", "{last}");
    }
    assert_eq!(say(&service, "(PLAY m NIL)"), "(sign 2 2)");
    for last in nils {
        assert_eq!(say(&service, &format!("(PLAY m {last})")), "nil", "{last}");
    }
    // The manager may have played another move for us.
    assert_eq!(say(&service, "(PLAY m ((SIGN 3 3) WAIT))"), "wait");
    assert_eq!(say(&service, "(PLAY m NIL)"), "nil");
    assert_eq!(say(&service, "(PLAY m (wait (sign 1 1)))"), "(sign 2 2)");
}

#[test]
fn who_does_not_play_is_busy() {
    let mut options = options(|turn| turn.legal[0]);
    options.max_matches = 2;
    let service = Service::new(options);
    for text in ["(PLAY m NIL)", "(STOP m NIL)", "(ABORT m)"] {
        assert_eq!(say(&service, text), "busy");
    }
    assert_eq!(begin(&service, "m", "nobody", TICTACTOE, 20), "busy");
    assert_eq!(begin(&service, "m", "(crosses)", TICTACTOE, 20), "busy");
    for rules in ["", "(role a) (<=)", "(role a) (<= (p ?x) (not (p ?x)))", "(role a) ?x"] {
        assert_eq!(begin(&service, "m", "a", rules, 20), "busy", "{rules}");
    }
    assert_eq!(service.playing(), 0);
    assert_eq!(begin(&service, "m", "crosses", TICTACTOE, 20), "READY");
    assert_eq!(begin(&service, "m", "noughts", TICTACTOE, 20), "busy");
    assert_eq!(say(&service, "(INFO)"), "((name tester) (status available))");
    assert_eq!(begin(&service, "n", "noughts", TICTACTOE, 20), "READY");
    assert_eq!(say(&service, "(INFO)"), "((name tester) (status busy))");
    assert_eq!(begin(&service, "o", "noughts", TICTACTOE, 20), "busy");
    assert!(say(&service, "(PLAY m NIL)").starts_with("(sign"));
    assert_eq!(say(&service, "(PLAY n NIL)"), "wait");
    assert_eq!(say(&service, "(ABORT m)"), "aborted");
    assert_eq!(begin(&service, "o", "noughts", TICTACTOE, 20), "READY");
    assert_eq!(say(&service, "(PREVIEW ((role a)) 10)"), "DONE");
}

#[test]
fn the_answer_leaves_before_the_clock_ends() {
    // Its first move takes much longer than its clock, at which it never looks.
    let service = service(|turn| {
        thread::sleep(Duration::from_secs(if turn.step == 0 { 6 } else { 0 }));
        turn.legal[0]
    });
    begin(&service, "m", "crosses", TICTACTOE, 1);
    let start = Instant::now();
    let reply = say(&service, "(PLAY m NIL)");
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    assert!(reply.starts_with("(sign "), "{reply}");
    assert_eq!(say(&service, "(PLAY m NIL)"), reply);
    // The player is still busy with the first turn; the state is followed all the same.
    assert_eq!(say(&service, &format!("(PLAY m ({reply} wait))")), "nil");
    thread::sleep(Duration::from_secs(7));
    let sign = other_sign(&reply);
    assert!(say(&service, &format!("(PLAY m (wait {sign}))")).starts_with("(sign "));
}

#[test]
fn clocks_of_0_get_legal_moves_at_once() {
    // However long the player wants to think, and in games whose state is hidden.
    let hidden = format!("{TICTACTOE} (<= (sees ?r turn) (true (turn ?r)))");
    for (rules, next) in [(TICTACTOE, "(MOVE wait)"), (&hidden, "1 MOVE (turn)")] {
        let service = service(slow);
        let start = Instant::now();
        let begin = format!("(START m crosses ({rules}\n) 0 0)");
        assert_eq!(say(&service, &begin), "READY");
        let reply = say(&service, "(PLAY m NIL)");
        assert!(reply.starts_with("(sign "), "{reply}");
        assert_eq!(say(&service, &format!("(PLAY m {})", next.replace("MOVE", &reply))), "wait");
        assert!(start.elapsed() < UNCLOCKED / 2, "{:?}", start.elapsed());
    }
    // Of rules that cannot be played there is no match.
    let service = service(slow);
    assert_eq!(say(&service, "(START m a ((role a) (<= (p ?x) (not (p ?x)))) 0 0)"), "busy");
    // A player that looks at no clock keeps nobody waiting.
    let service = self::service(|turn| {
        thread::sleep(Duration::from_secs(3));
        turn.legal[0]
    });
    assert_eq!(say(&service, &format!("(START m crosses ({TICTACTOE}\n) 20 0)")), "READY");
    let start = Instant::now();
    assert!(say(&service, "(PLAY m NIL)").starts_with("(sign "));
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
}

/// How early the player is to be done in a match with a clock of 20 seconds, in milliseconds.
fn margin(service: &Service, id: &str) -> u128 {
    let running = lock(&service.matches).get(id).cloned().expect("a match");
    let clock = Duration::from_secs(20);
    service.before_the_end_of(clock, Duration::ZERO, &running.pace).thinking.as_millis()
}

#[test]
fn the_margin_doubles_where_answers_came_too_late() {
    let service = service(|turn| turn.legal[0]);
    begin(&service, "m", "crosses", TICTACTOE, 20);
    let margin = || {
        // However busy this machine is.
        *lock(&service.lateness) = Lateness::none(Instant::now());
        margin(&service, "m")
    };
    let first = say(&service, "(PLAY m NIL)");
    assert_eq!(margin(), 500);
    // Neither an impossible move nor the player's own answer shows anything.
    assert_eq!(say(&service, "(PLAY m ((sign 9 9) wait))"), "nil");
    assert_eq!(say(&service, &format!("(PLAY m ({first} wait))")), "wait");
    assert_eq!(margin(), 500);
    // Another move than the one that was given does.
    let second = say(&service, &format!("(PLAY m (wait {}))", other_sign(&first)));
    assert_ne!(second, "(sign 2 2)");
    assert_eq!(say(&service, "(PLAY m ((sign 2 2) wait))"), "wait");
    assert_eq!(margin(), 1000);
    service.note_lateness(Duration::from_secs(1));
    assert!((3000..4000).contains(&self::margin(&service, "m")));
}

#[test]
fn who_comes_back_late_has_to_be_done_earlier() {
    // It thinks for longer than it has of its clock of three seconds.
    let service = service(|turn| {
        thread::sleep(Duration::from_millis(if turn.step == 0 { 2800 } else { 0 }));
        turn.legal[0]
    });
    begin(&service, "m", "crosses", TICTACTOE, 3);
    let first = say(&service, "(PLAY m NIL)");
    thread::sleep(Duration::from_millis(1000));
    assert_eq!(say(&service, &format!("(PLAY m ({first} wait))")), "wait");
    let running = lock(&service.matches).get("m").cloned().expect("a match");
    // Of the second turn, for which there was time enough, the first one counts half.
    assert!(running.pace.overrun() > Duration::ZERO, "{:?}", running.pace);
}

#[test]
fn a_player_that_panics_takes_nobody_along() {
    let service = service(|turn| if turn.step == 0 { panic!("a test") } else { turn.legal[0] });
    begin(&service, "m", "crosses", TICTACTOE, 1);
    assert!(say(&service, "(PLAY m NIL)").starts_with("(sign "));
    assert_eq!(say(&service, "(PLAY m ((sign 1 1) wait))"), "busy");
    assert_eq!(begin(&service, "m", "crosses", TICTACTOE, 1), "READY");
}

#[test]
fn a_slow_match_holds_up_no_other() {
    let service = service(|turn| match turn.engine.roles().name(turn.role) {
        "crosses" => slow(turn),
        _ => turn.legal[0],
    });
    begin(&service, "slow", "crosses", TICTACTOE, 3);
    begin(&service, "fast", "noughts", TICTACTOE, 3);
    thread::scope(|threads| {
        let start = Instant::now();
        let thinking = threads.spawn(|| say(&service, "(PLAY slow NIL)"));
        // The same, asked again meanwhile, is the same thinking.
        let again = threads.spawn(|| say(&service, "(PLAY slow nil)"));
        assert_eq!(say(&service, "(PLAY fast NIL)"), "wait");
        assert!(!thinking.is_finished());
        let reply = thinking.join().expect("an answer");
        assert!(start.elapsed() > Duration::from_secs(1));
        assert_eq!(again.join().expect("an answer"), reply);
    });
}

#[test]
fn who_goes_on_is_not_kept_waiting() {
    let service = service(slow);
    begin(&service, "m", "crosses", TICTACTOE, 60);
    thread::scope(|threads| {
        let start = Instant::now();
        let first = threads.spawn(|| say(&service, "(PLAY m NIL)"));
        thread::sleep(Duration::from_millis(300));
        // The manager has played another move, and asks for the next; then it gives up.
        let second = threads.spawn(|| say(&service, "(PLAY m ((sign 3 1) wait))"));
        assert!(first.join().expect("an answer").starts_with("(sign "));
        thread::sleep(Duration::from_millis(300));
        assert_eq!(say(&service, "(STOP m ((sign 3 1) wait))"), "DONE");
        assert_eq!(second.join().expect("an answer"), "wait");
        assert!(start.elapsed() < Duration::from_secs(10));
    });
    begin(&service, "m", "crosses", TICTACTOE, 60);
    thread::scope(|threads| {
        let start = Instant::now();
        let thinking = threads.spawn(|| say(&service, "(PLAY m NIL)"));
        thread::sleep(Duration::from_millis(300));
        service.close();
        assert!(thinking.join().expect("an answer").starts_with("(sign "));
        assert!(start.elapsed() < Duration::from_secs(10));
    });
}

#[test]
fn silent_matches_are_given_up() {
    let mut options = options(|turn| turn.legal[0]);
    options.max_idle = Duration::ZERO;
    let service = Service::new(options);
    let start = "(START m crosses (RULES) 1 1)".replace("RULES", TICTACTOE);
    assert_eq!(say(&service, &start), "READY");
    assert_eq!(service.playing(), 1);
    thread::sleep(Duration::from_millis(1100));
    assert_eq!(say(&service, "(PLAY m NIL)"), "busy");
    assert_eq!(service.playing(), 0);
}

#[test]
fn the_dialect_that_tells_what_is_seen() {
    let plan = ["move", "move", "grab"];
    let service = service(move |turn| named(turn, plan[turn.step as usize]));
    begin(&service, "m", "robot", MAZE, 20);
    let turns = ["0 NIL NIL", "1 MOVE ()", "2 MOVE ((cell C))", "2 MOVE ((cell C))"];
    for (last, expected) in turns.iter().zip(["MOVE", "MOVE", "GRAB", "GRAB"]) {
        assert_eq!(say(&service, &format!("(PLAY m {last})")), expected, "{last}");
    }
    // The move of the other role has to be in the message.
    begin(&service, "n", "crosses", TICTACTOE, 20);
    let reply = say(&service, "(PLAY n 0 NIL NIL)");
    assert!(reply.starts_with("(sign "));
    assert_eq!(say(&service, &format!("(PLAY n 1 {reply} NIL)")), "nil");
}

#[test]
fn a_match_is_followed_by_percepts() {
    let service = service(|turn| turn.legal[0]);
    begin(&service, "m", "crosses", TICTACTOE, 20);
    let first = say(&service, "(PLAY m 0 NIL NIL)");
    let sign = other_sign(&first);
    let did = |own: &str, other: &str| format!("((DID CROSSES {own}) (did noughts {other}))");
    assert_eq!(say(&service, &format!("(PLAY m 1 {first} {})", did(&first, "wait"))), "wait");
    // The same turn again, then the next one, with the moves alone.
    assert_eq!(say(&service, &format!("(PLAY m 1 {first} {})", did(&first, "wait"))), "wait");
    let second = say(&service, &format!("(PLAY m 2 wait (wait {sign}))"));
    assert!(second.starts_with("(sign ") && second != first && second != sign, "{second}");
    // An impossible move is not played.
    assert_eq!(say(&service, &format!("(PLAY m 3 {second} {})", did(&second, sign))), "nil");
    // The manager has played another move for the player.
    let third = ["(sign 1 2)", "(sign 2 1)", "(sign 2 3)"];
    let third = third.into_iter().find(|&sign| sign != second).expect("a free square");
    assert_eq!(say(&service, &format!("(PLAY m 3 {third} {})", did(third, "wait"))), "wait");
    assert_eq!(say(&service, "(STOP m 4 wait ((did noughts (sign 3 2))))"), "DONE");
}

#[test]
fn where_something_is_hidden_percepts_are_not_taken_for_moves() {
    let service = service(|turn| turn.legal[0]);
    let rules = format!("{TICTACTOE} (<= (sees ?r hidden) (role ?r))");
    begin(&service, "m", "crosses", &rules, 20);
    let first = say(&service, "(PLAY m 0 NIL NIL)");
    assert_eq!(say(&service, &format!("(PLAY m 1 {first} ({first} wait))")), "nil");
}

#[test]
fn case_tells_names_apart_where_it_is_wanted() {
    let rules = "(ROLE a) (init (at 0)) (init (At 1)) (<= (legal a (go ?x)) (true (At ?x)))
        (<= (next (At ?x)) (does a (go ?x))) (<= terminal (true (At 0))) (goal a 50)";
    let answer_of = |case_sensitive| {
        let reading = Reading { case_sensitive, ..Reading::default() };
        let service = Service::new(Options { reading, ..options(|turn| named(turn, "(go 0)")) });
        assert_eq!(begin(&service, "m", "a", rules, 5), "READY");
        let first = say(&service, "(PLAY m NIL)");
        assert_eq!(say(&service, "(ABORT m)"), "aborted");
        first
    };
    // Folded, `at` and `At` are one name, and the match is over before it begins.
    assert_eq!([answer_of(true), answer_of(false)], ["(go 1)", "nil"]);
}
