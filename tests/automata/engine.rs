//! Automata as engines: what the definition of Regular Games says, through the contract; and that
//! all that can be done with an engine can be done with them.

use crate::play::TIC_TAC_TOE;
use crate::rg_naive::{Game as Naive, State, Val};
use gdlr::automaton::{AutomatonEngine, AutomatonGame};
use gdlr::diagnostic::Code;
use gdlr::engine::{
    AnyEngine, Engine, FactError, GoalError, MoveId, Position, RoleId, StepError, choose, seeded,
};
use gdlr::play::crosscheck::{Aspect, CrosscheckOptions, NamedEngine, crosscheck};
use gdlr::play::player::{Clock, Player, Start, Turn};
use gdlr::play::sampler::{Observation, Sampler};
use gdlr::play::{FlatMonteCarlo, perft};
use gdlr::rg::{self, Automaton, Description, Name, Search};
use gdlr::search::{DEFAULT_MEMORY, PlayerKind};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

/// Whoever takes the last stick wins; chance takes one now and then.
const NIM: &str = "
    type Player = { a, b }; type Score = { 0, 100 }; type Pile = { 0, 1, 2, 3, 4, 5, 6 };
    const less: Pile -> Pile = { 6: 5, 5: 4, 4: 3, 3: 2, 2: 1, :0 };
    const other: Player -> Player = { a: b, :a };
    var pile: Pile = 6; var me: Player = b;
    begin, turn: me = other[me]; turn, take: player = me;
    take, one: pile != 0; one, one2: $ one; one2, taken: pile = less[pile];
    take, two: pile != 0; two, two2: pile != 1; two2, two3: $ take; two3, two4: $ two;
    two4, taken: pile = less[less[pile]];
    taken, done: player = keeper; done, more: pile != 0; more, luck: player = random;
    luck, kept: $ calm; luck, lost: $ storm; lost, lost2: pile = less[pile];
    kept, back: player = keeper; lost2, back: player = keeper;
    back, begin: pile != 0; back, drawn: pile == 0; drawn, end: player = keeper;
    done, won: pile == 0; won, over: goals[me] = 100; over, end: player = keeper;";

/// Each says a number, which the other does not hear; who has said more wins.
const SECRET: &str = "
    type Player = { left, right }; type Score = { 0, 50, 100 }; type Number = { 1, 2, 3 };
    const least: Number -> Number -> Bool = { 1: { :0 }, 2: { 1: 1, :0 }, 3: { 3: 0, :1 }, :{ :0 } };
    var said: Player -> Number = { :1 }; var at: Number = 1;
    var goals: Goals = { :50 }; var visible: Visibility = { :0 };
    begin, first: player = left;
    first, f1: at = Number(*); f1, f2: $$ at; f2, f3: said[left] = at; f3, second: player = right;
    second, s1: at = Number(*); s1, s2: $$ at; s2, s3: said[right] = at; s3, told: player = keeper;
    told, t1: visible[left] = 1; t1, t2: $ over; t2, t3: visible[right] = 1; t3, t4: $ done;
    t4, judged: player = keeper;
    judged, lost: said[left] == said[right]; lost, end: player = keeper;
    judged, l1: least[said[left]][said[right]] == 1; l1, l2: goals[left] = 100;
    l2, l3: goals[right] = 0; l3, end: player = keeper;
    judged, r1: least[said[right]][said[left]] == 1; r1, r2: goals[right] = 100;
    r2, r3: goals[left] = 0; r3, end: player = keeper;";

#[track_caller]
fn read(text: &str) -> Description {
    rg::read(text).unwrap_or_else(|found| panic!("{found:?}"))
}

#[track_caller]
fn engine(text: &str) -> AutomatonEngine {
    let game = AutomatonGame::new("test", read(text)).expect("few names");
    AutomatonEngine::new(game).unwrap_or_else(|found| panic!("{found:?}"))
}

fn legal<E: Engine>(engine: &E, scratch: &mut E::Scratch, role: RoleId) -> Vec<MoveId> {
    let mut moves = Vec::new();
    engine.legal(scratch, role, &mut moves).expect("little work");
    moves
}

fn spelled<E: Engine>(engine: &E, id: MoveId) -> String {
    engine.move_term(id).1.spelled(engine.symbols())
}

fn facts<E: Engine>(engine: &E, state: &E::State) -> BTreeSet<String> {
    let facts = engine.facts(state);
    facts.iter().map(|fact| fact.spelled(engine.symbols())).collect()
}

/// The joint move of these moves in words.
#[track_caller]
fn joint<E: Engine>(engine: &E, scratch: &mut E::Scratch, words: &[&str]) -> Vec<MoveId> {
    let find = |(role, word): (RoleId, &&str)| {
        let moves = legal(engine, scratch, role);
        let chosen = moves.iter().find(|&&id| spelled(engine, id) == **word);
        *chosen.unwrap_or_else(|| panic!("no {word} for {role:?}"))
    };
    engine.roles().iter().zip(words).map(find).collect()
}

/// The state of the definition after all that the keeper does.
fn settled(naive: &Naive, mut state: State) -> State {
    while state.0 != Name::END && state.1[&Name::PLAYER] == Val::Symbol(Name::KEEPER) {
        let mut moves = naive.moves(&state).expect("a proper game").into_iter();
        state = moves.next().expect("a move of the keeper").1;
        assert_eq!(moves.next(), None, "the keeper has one move");
    }
    state
}

/// A value of the definition, as facts.
fn written(description: &Description, name: &str, value: &Val, all: &mut BTreeSet<String>) {
    match value {
        Val::Symbol(symbol) => {
            all.insert(format!("({name} {})", description.names.text(*symbol)));
        }
        Val::Map(map) => map.iter().for_each(|(key, value)| {
            let name = format!("{name} {}", description.names.text(*key));
            written(description, &name, value, all);
        }),
    }
}

/// Random plays on the engine and by the definition, compared in every state.
fn agrees(text: &str, plays: u64) {
    let (description, engine) = (read(text), engine(text));
    let naive = Naive::new(&description);
    let initial = settled(&naive, naive.initial.clone());
    let (mut scratch, mut aside) = (engine.scratch(), engine.scratch());
    for seed in 0..plays {
        let mut rng = seeded(seed, 0);
        let mut state = initial.clone();
        engine.enter(&mut scratch, engine.initial());
        loop {
            let mut all = BTreeSet::new();
            for (&name, value) in &state.1 {
                written(&description, description.names.text(name), value, &mut all);
            }
            all.insert(format!("(node {})", description.names.text(state.0)));
            let here = engine.state(&scratch);
            let said = facts(&engine, &here);
            assert!(said.is_subset(&all), "{said:?}\n{all:?}");
            engine.enter_facts(&mut aside, &engine.facts(&here)).expect("a state");
            assert_eq!(engine.state(&aside), here);

            assert_eq!(engine.terminal(&mut scratch), Ok(state.0 == Name::END));
            let Val::Map(goals) = &state.1[&Name::GOALS] else { panic!("a map") };
            for (player, goal) in goals {
                let role = engine.roles().find(description.names.text(*player)).expect("a role");
                let Val::Symbol(goal) = goal else { panic!("a symbol") };
                let goal: u8 = description.names.text(*goal).parse().expect("a number");
                assert_eq!(engine.goal(&mut scratch, role), Ok(goal));
            }
            if state.0 == Name::END {
                assert!(engine.roles().iter().all(|r| legal(&engine, &mut scratch, r).is_empty()));
                break;
            }
            let Val::Symbol(mover) = state.1[&Name::PLAYER] else { panic!("a symbol") };
            let mover = engine.roles().find(description.names.text(mover)).expect("a role");
            let moves = naive.moves(&state).expect("a proper game");
            let tags = |tags: &[Name]| {
                let words: Vec<&str> =
                    tags.iter().map(|&tag| description.names.text(tag)).collect();
                if words.len() == 1 { words.join(" ") } else { format!("({})", words.join(" ")) }
            };
            let expected: BTreeSet<String> = moves.iter().map(|(of, _)| tags(of)).collect();
            let mut joint = Vec::new();
            for role in engine.roles().iter() {
                let listed = legal(&engine, &mut scratch, role);
                let words: BTreeSet<String> =
                    listed.iter().map(|&id| spelled(&engine, id)).collect();
                assert_eq!(words.len(), listed.len());
                match role == mover {
                    true => assert_eq!(words, expected),
                    false => assert_eq!(words, BTreeSet::from(["noop".to_owned()])),
                }
                let mut drawing = rng.clone();
                let chosen = choose(&listed, &mut rng);
                let drawn = engine.random_legal(&mut scratch, role, &mut Vec::new(), &mut drawing);
                assert_eq!(drawn, Ok(chosen));
                assert_eq!(drawing, rng);
                joint.extend(chosen);
            }
            let word = spelled(&engine, joint[mover.index()]);
            let next = moves.into_iter().find(|(of, _)| tags(of) == word).expect("a move").1;
            engine.step(&mut scratch, &joint).expect("a legal move");
            state = settled(&naive, next);
        }
    }
}

#[test]
fn an_engine_says_what_the_definition_says() {
    agrees(TIC_TAC_TOE, 20);
    agrees(NIM, 40);
    agrees(SECRET, 20);
}

#[test]
fn perft_counts_what_the_interpreter_counts() {
    for text in [TIC_TAC_TOE, NIM, SECRET] {
        let automaton = Automaton::new(&read(text)).expect("an automaton");
        let of_interpreter = rg::perft(&automaton, &mut Search::default(), 5, |_| ());
        let of_engine = perft(&engine(text), 5, &false.into(), |_| ());
        assert_eq!(of_engine.counts, of_interpreter.counts);
        assert_eq!(of_engine.terminal, of_interpreter.terminal);
        assert!(of_engine.complete);
    }
}

#[test]
fn moves_have_the_same_numbers_in_every_scratch() {
    let engine = engine(TIC_TAC_TOE);
    let x = RoleId(0);
    let mut scratch = engine.scratch();
    let first = legal(&engine, &mut scratch, x);
    let threads: Vec<_> = std::thread::scope(|scope| {
        let ask = || legal(&engine, &mut engine.scratch(), x);
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(ask)).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    });
    assert!(threads.iter().all(|listed| *listed == first));
    for &id in &first {
        let (role, term) = engine.move_term(id);
        assert_eq!((role, engine.move_id(role, &term)), (x, Some(id)));
        assert_ne!(engine.move_id(RoleId(1), &term), Some(id));
    }
    // A move that nobody has met, and terms that are none.
    let text = |text: &str| {
        let document = gdlr::kif::read(text).expect("KIF");
        gdlr::gdl::Term::from_expr(&document.items[0], engine.symbols()).expect("names")
    };
    let other = engine.move_id(x, &text("(2 board)")).expect("a number");
    assert_eq!(spelled(&engine, other), "(2 board)");
    let noop = engine.move_id(RoleId(1), &text("noop")).expect("a number");
    assert_eq!(engine.step(&mut scratch, &[other, noop]), Err(StepError::Illegal(x)));
    assert_eq!(engine.move_id(x, &text("(2 (board))")), None);
    assert_eq!(engine.move_id(RoleId(2), &text("noop")), None);
    assert_eq!(engine.moves(), None);
}

#[test]
fn joint_moves_are_checked() {
    let engine = engine(TIC_TAC_TOE);
    let mut scratch = engine.scratch();
    let good = joint(&engine, &mut scratch, &["(1 1)", "noop"]);
    assert_eq!(engine.step(&mut scratch, &good[..1]), Err(StepError::WrongLength));
    // Neither move is legal: the first one is named, as by all engines.
    let swapped = [good[1], good[0]];
    assert_eq!(engine.step(&mut scratch, &swapped), Err(StepError::Illegal(RoleId(0))));
    assert_eq!(engine.step(&mut scratch, &[good[0], good[0]]), Err(StepError::Illegal(RoleId(1))));
    assert_eq!(engine.step(&mut scratch, &good), Ok(()));
    assert_eq!(engine.step(&mut scratch, &good), Err(StepError::Illegal(RoleId(0))));
    for (place, word) in [(1, "(0 0)"), (0, "(1 0)"), (1, "(0 1)"), (0, "(1 2)")] {
        let mut words = ["noop", "noop"];
        words[place] = word;
        let next = joint(&engine, &mut scratch, &words);
        engine.step(&mut scratch, &next).expect("a legal move");
    }
    assert_eq!(engine.terminal(&mut scratch), Ok(true));
    assert_eq!(engine.step(&mut scratch, &good), Err(StepError::Terminal));
    assert_eq!(engine.goal(&mut scratch, RoleId(0)), Ok(100));
    assert_eq!(engine.goal(&mut scratch, RoleId(7)), Err(GoalError::Missing));
}

#[test]
fn states_are_facts() {
    let engine = engine(NIM);
    let initial = facts(&engine, engine.initial());
    // Goals are facts once they are otherwise; whoever is visible to whom never changes.
    assert_eq!(
        initial,
        ["(me a)", "(node take)", "(pile 6)", "(player a)"].map(String::from).into()
    );
    let mut scratch = engine.scratch();
    let enter = |scratch: &mut _, text: &str| {
        let position: Position = text.parse().expect("KIF");
        position.enter(&engine, scratch).map_err(|error| error.to_string())
    };
    assert_eq!(enter(&mut scratch, "(pile 1) (me b) (player b) (node take)"), Ok(()));
    let left = legal(&engine, &mut scratch, RoleId(1));
    assert_eq!(left.iter().map(|&id| spelled(&engine, id)).collect::<Vec<_>>(), ["one"]);
    let over = "(pile 0) (me b) (player keeper) (node end) (goals b 100)";
    assert_eq!(enter(&mut scratch, over), Ok(()));
    assert_eq!(engine.terminal(&mut scratch), Ok(true));
    assert_eq!(engine.goal(&mut scratch, RoleId(1)), Ok(100));
    let never = "a fact that is never true in the game";
    let together = "facts that are never true together in the game";
    for (text, why) in [
        ("(pile 1) (me b) (player b)", together),
        ("(pile 1) (player b) (node take)", together),
        ("(pile 1) (pile 2) (me b) (player b) (node take)", together),
        ("(pile 1) (me b) (player keeper) (node take)", together),
        ("(pile 1) (me b) (player b) (node done)", never),
        ("(pile a) (me b) (player b) (node take)", never),
        ("(pile 1 1) (me b) (player b) (node take)", never),
        ("(luck 1) (pile 1) (me b) (player b) (node take)", never),
        ("pile", never),
        ("(black 1)", "`(black 1)` is no fact of the game"),
        ("(less 2 1)", never),
    ] {
        assert_eq!(enter(&mut scratch, text), Err(why.to_owned()), "{text}");
        assert_eq!(engine.terminal(&mut scratch), Ok(true), "the scratch stays where it was");
    }
    let pile = engine.facts(engine.initial()).swap_remove(0);
    assert!(matches!(
        engine.enter_facts(&mut scratch, &[pile.clone(), pile]),
        Err(FactError::Unreachable(None))
    ));
}

#[test]
fn names_stay_apart() {
    // Of GDL's own words, of the engine's, and by the case of their letters.
    let text = "type Player = { role, Role }; type Score = { 0, 101 }; var node: Score = 0;
        begin, turn: player = role; turn, a: $ noop; turn, b: ; turn, c: $ True; turn, d: $ true;
        a, on: node = 101; b, on: node = 0; c, on: node = 101; d, on: node = 101;
        on, next: player = Role; next, last: goals[Role] = 101; last, end: player = keeper;";
    let engine = engine(text);
    let mut scratch = engine.scratch();
    let role = engine.roles().find("role").expect("the role");
    let moves = legal(&engine, &mut scratch, role);
    let words: BTreeSet<String> = moves.iter().map(|&id| spelled(&engine, id)).collect();
    assert_eq!(words.len(), 4, "{words:?}");
    for &id in &moves {
        let (role, term) = engine.move_term(id);
        let document = gdlr::kif::read(&term.spelled(engine.symbols())).expect("KIF");
        let read = gdlr::gdl::Term::from_expr(&document.items[0], engine.symbols());
        assert_eq!(read.and_then(|term| engine.move_id(role, &term)), Some(id));
    }
    let state = engine.initial().clone();
    engine.enter_facts(&mut scratch, &engine.facts(&state)).expect("a state");
    assert_eq!(engine.state(&scratch), state);
    // A score beyond 100 is no goal.
    let joint = [moves[0], legal(&engine, &mut scratch, RoleId(1))[0]];
    engine.step(&mut scratch, &joint).expect("a legal move");
    let last: Vec<MoveId> =
        engine.roles().iter().map(|role| legal(&engine, &mut scratch, role)[0]).collect();
    engine.step(&mut scratch, &last).expect("a legal move");
    assert!(matches!(engine.goal(&mut scratch, RoleId(1)), Err(GoalError::Improper(_))));
    assert_eq!(engine.goal(&mut scratch, RoleId(0)), Ok(0));

    let random = "type Player = { Random }; type Score = { 0 };
        begin, turn: player = Random; turn, end: player = keeper;";
    let refused = AutomatonGame::new("test", read(random)).expect_err("a name of chance");
    assert_eq!(refused.code, Code::RgBuiltIn);
    let many: Vec<String> = (0..70_000).map(|number| format!("s{number}")).collect();
    let many = format!(
        "type Player = {{ x }}; type Score = {{ 0 }}; type Many = {{ {} }}; var v: Many = s0;
         begin, turn: player = x; turn, end: player = keeper;",
        many.join(", ")
    );
    let refused = AutomatonGame::new("test", read(&many)).expect_err("too many names");
    assert_eq!(refused.code, Code::RgTooLarge);
}

#[test]
fn chance_is_a_role_where_it_moves() {
    let roles = |text: &str| engine(text).roles().names().join(" ");
    assert_eq!(roles(NIM), "a b random");
    assert_eq!(roles(TIC_TAC_TOE), "x o");
    // Any value of a type without it is none.
    let text = "type Player = { x }; type Score = { 0 }; type Flag = Bool; var f: Bool = 0;
        begin, turn: player = x; turn, a: f = Flag(*); a, b: f = Bool(*); b, c: $$ f;
        c, end: player = keeper;";
    assert_eq!(roles(text), "x");
    let random = text.replace("f = Bool(*)", "who = PlayerOrSystem(*)");
    let random = random.replace("var f", "var who: PlayerOrSystem = x; var f");
    assert_eq!(roles(&random), "x random");
    let mut scratch = engine(NIM).scratch();
    let nim = engine(NIM);
    let chance = nim.roles().random().expect("chance");
    let first = joint(&nim, &mut scratch, &["one", "noop", "noop"]);
    nim.step(&mut scratch, &first).expect("a legal move");
    let words: Vec<String> =
        legal(&nim, &mut scratch, chance).iter().map(|&id| spelled(&nim, id)).collect();
    assert_eq!(words, ["calm", "storm"]);
    assert_eq!(nim.goal(&mut scratch, chance), Err(GoalError::Missing));
    assert_eq!(nim.payoff(&mut scratch, chance), Ok(0));
    // Among the players it has a goal of its own.
    let player = "type Player = { random, x }; type Score = { 0, 7 };
        var goals: Goals = { random: 7, :0 };
        begin, dice: player = random; dice, on: $ a; dice, on: $ b; on, end: player = keeper;";
    let player = engine(player);
    assert_eq!(player.roles().names().join(" "), "random x");
    assert_eq!(player.goal(&mut player.scratch(), RoleId(0)), Ok(7));
}

/// Texts with an error that only play meets, each with the message.
const DEFECTS: [(&str, &str); 4] = [
    // Two moves of the keeper.
    (
        "k, one: player = x; k, two: $ t; two, one: player = x; one, end: player = keeper;",
        "2 moves",
    ),
    // A keeper that goes round.
    ("k, l: player = keeper; l, k: player = keeper; k, end: 0 != 0;", "for ever"),
    // A symbol that does not fit.
    ("k, l: n = m[n]; l, end: player = keeper;", "does not fit"),
    // No move of the keeper.
    ("k, end: 0 != 0;", "no move"),
];

const HEAD: &str = "type Player = { x }; type Score = { 0 }; type N = { 1, 2 }; type O = { 2, 3 };
    const m: N -> O = { :3 }; var n: N = 1; begin, p: player = x; p, q: $ go; q, k: player = keeper;";

#[test]
fn defects_are_errors_of_a_step_with_their_place() {
    for (edges, why) in DEFECTS {
        let engine = engine(&format!("{HEAD} {edges}"));
        let mut scratch = engine.scratch();
        let go = joint(&engine, &mut scratch, &["go"]);
        let Err(StepError::Limit(limit)) = engine.step(&mut scratch, &go) else {
            panic!("{edges} is played");
        };
        let diagnostic = limit.diagnostic();
        assert_eq!(diagnostic.code, Code::RgImproper);
        assert!(diagnostic.message.contains(why), "{}", diagnostic.message);
        assert!(diagnostic.span.range().start >= HEAD.len(), "{:?}", diagnostic.span);
        // The scratch is where it was.
        assert_eq!(engine.state(&scratch), *engine.initial());
        assert_eq!(legal(&engine, &mut scratch, RoleId(0)), go);
        let run = FlatMonteCarlo { playouts: Some(3), ..FlatMonteCarlo::default() };
        let statistics = run.run(&engine, &false.into(), |_| {});
        assert!(statistics.limit.is_some());
        assert!(perft(&engine, 2, &false.into(), |_| ()).limit.is_some());
        // Where the keeper has it at once, there is no engine.
        let at_once = HEAD.replace("player = x; p, q: $ go; q, k", "player = keeper; p, k");
        let game = AutomatonGame::new("test", read(&format!("{at_once} {edges}"))).expect("names");
        let refused = AutomatonEngine::new(game).expect_err("a defect");
        assert!(refused.iter().any(|found| found.message.contains(why)), "{refused:?}");
    }
}

#[test]
fn defects_are_errors_of_listing_moves() {
    let of = |edges: &str| {
        let text = "type Player = { x }; type Score = { 0 }; type N = { 1, 2 }; var n: N = 1;
            begin, p: player = x; p, end: 0 != 0;";
        let engine = engine(&format!("{text} {edges}"));
        let mut moves = vec![MoveId(0)];
        let listed = engine.legal(&mut engine.scratch(), RoleId(0), &mut moves);
        (listed.map_err(|limit| limit.diagnostic().code), moves.len())
    };
    // Nobody is to blame but the game: the player has no move.
    assert_eq!(of(""), (Ok(()), 0));
    let ambiguous = "p, q: n = N(*); q, end: player = keeper;";
    assert_eq!(of(ambiguous), (Err(Code::RgImproper), 0));
    let endless = "p, q: ; q, r: $ t; r, q: n = N(*); q, end: player = keeper;";
    assert_eq!(of(endless), (Err(Code::TooMuchWork), 0));
    // Texts that cannot be an automaton at all.
    let game = AutomatonGame::new("test", read("begin, end: player = x;")).expect("names");
    assert!(AutomatonEngine::new(game).is_err_and(|found| !found.is_empty()));
}

#[test]
fn roles_are_told_what_is_visible_to_them() {
    assert!(!engine(TIC_TAC_TOE).has_percepts());
    let engine = engine(SECRET);
    assert!(engine.has_percepts());
    let mut scratch = engine.scratch();
    let words = |percepts: Vec<Vec<gdlr::gdl::Term>>| -> Vec<Vec<String>> {
        let words = |terms: Vec<gdlr::gdl::Term>| {
            terms.iter().map(|term| term.spelled(engine.symbols())).collect()
        };
        percepts.into_iter().map(words).collect()
    };
    let first = joint(&engine, &mut scratch, &["2", "noop"]);
    let seen = engine.percepts(&mut scratch, &first).expect("a joint move");
    assert_eq!(words(seen), [Vec::<String>::new(), Vec::new()]);
    engine.step(&mut scratch, &first).expect("a joint move");
    let second = joint(&engine, &mut scratch, &["noop", "3"]);
    let seen = engine.percepts(&mut scratch, &second).expect("a joint move");
    // The tags that the keeper shows: to the left from the first tag on, to the right the second only.
    assert_eq!(
        words(seen),
        [vec!["(keeper over done)".to_owned()], vec!["(keeper done)".to_owned()]]
    );
    assert!(engine.percepts(&mut scratch, &first).is_err());
    engine.step(&mut scratch, &second).expect("a joint move");
    assert_eq!(engine.goal(&mut scratch, RoleId(1)), Ok(100));

    // Who has heard nothing thinks that all three numbers are possible.
    let engine = AnyEngine::new(engine_of_secret());
    let mut scratch = engine.scratch();
    let first = joint(&engine, &mut scratch, &["2", "noop"]);
    let told = Observation::of(&engine, &mut scratch, &first).expect("a joint move");
    let mut sampler = Sampler::new(engine.clone(), RoleId(1), 100);
    let told = told[1].clone();
    sampler.observe(told, false, &mut seeded(1, 0), &|| false).expect("candidates");
    assert_eq!(sampler.candidates().count(), 3);
}

fn engine_of_secret() -> AutomatonEngine {
    engine(SECRET)
}

#[test]
fn two_threads_play_at_random() {
    let engine = engine(NIM);
    let run = FlatMonteCarlo {
        playouts: Some(2000),
        threads: 2.try_into().expect("two"),
        ..FlatMonteCarlo::default()
    };
    let statistics = run.run(&engine, &false.into(), |_| {});
    assert_eq!((statistics.playouts, statistics.stuck, statistics.capped), (2000, 0, 0));
    let again = run.run(&AnyEngine::new(engine), &false.into(), |_| {});
    let goals = |of: &gdlr::play::Statistics| -> Vec<Option<f64>> {
        of.roles.iter().map(|role| role.mean_goal()).collect()
    };
    assert_eq!((goals(&again), again.states), (goals(&statistics), statistics.states));
    let mean = goals(&statistics)[0].expect("goals");
    assert!((20.0..80.0).contains(&mean), "{mean}");
}

#[test]
fn a_search_beats_random_moves() {
    let engine = AnyEngine::new(engine(TIC_TAC_TOE));
    let mut sum = 0;
    for seed in 0..20u64 {
        let me = RoleId((seed % 2) as u16);
        let mut player = gdlr::search::Search::new(seed, DEFAULT_MEMORY).with_playouts(200);
        let clock = Clock::new(Duration::from_secs(60));
        player.start(&Start { engine: &engine, role: me, play_clock: clock.left(), clock: &clock });
        let mut other = PlayerKind::Random.of_match(seed, 100, DEFAULT_MEMORY);
        let (mut scratch, mut step, mut last) = (engine.scratch(), 0, None);
        while !engine.terminal(&mut scratch).expect("little work") {
            let state = engine.state(&scratch);
            let mut joint = Vec::new();
            for role in engine.roles().iter() {
                let legal = legal(&engine, &mut scratch, role);
                let turn = Turn {
                    engine: &engine,
                    state: &state,
                    sampler: None,
                    role,
                    legal: &legal,
                    last: last.as_ref(),
                    step,
                    clock: &clock,
                    lanes: None,
                };
                joint.push(if role == me { player.play(&turn) } else { other.play(&turn) });
            }
            engine.step(&mut scratch, &joint).expect("legal moves");
            last =
                Some(Observation::Joint(joint.iter().map(|&id| engine.move_term(id).1).collect()));
            step += 1;
        }
        sum += u32::from(engine.goal(&mut scratch, me).expect("a goal"));
    }
    assert!(sum >= 1700, "{sum} of 2000");
}

fn named(name: &str, game: AutomatonGame) -> NamedEngine {
    let engine = AutomatonEngine::new(game).expect("an automaton");
    NamedEngine::new(name, AnyEngine::new(engine)).with_other_facts()
}

#[test]
fn automata_of_one_game_are_compared() {
    let options = CrosscheckOptions { perft_nodes: 500, ..CrosscheckOptions::default() };
    let compare = |texts: [&str; 2]| {
        let descriptions = texts.map(|text| Arc::new(read(text))).to_vec();
        let games = AutomatonGame::several("test", descriptions).expect("few names");
        let engines: Vec<_> = ["one", "other"].into_iter().zip(games).collect();
        let engines: Vec<_> = engines.into_iter().map(|(name, game)| named(name, game)).collect();
        crosscheck(&engines, &options, &false.into(), |_| {})
    };
    // Another variable, another node, what is left in a variable: all the same to play.
    let rewritten = TIC_TAC_TOE
        .replace("f, done:", "f, clean: row = 0; clean, done:")
        .replace("var me: Player = x;", "var me: Player = x; var unused: Coord = 1;");
    // Lines are found by where the last move was.
    let rewritten = rewritten.replace("f, clean: row = 0;", "f, clean: unused = row;");
    let same = compare([TIC_TAC_TOE, &rewritten]);
    assert_eq!((same.difference, same.playouts), (None, 20));
    assert!(same.states > 500);
    let other = compare([NIM, &NIM.replace("goals[me] = 100", "goals[other[me]] = 100")]);
    let difference = other.difference.expect("other winners");
    assert!(matches!(difference.aspect, Aspect::Goal(_)), "{difference}");
    let other = compare([NIM, &NIM.replace("$ storm", "$ gale")]);
    let difference = other.difference.expect("another tag");
    assert_eq!(difference.aspect, Aspect::Legal("random".to_owned()));
    assert_eq!(difference.dissents[0].adds, ["gale"]);
}
