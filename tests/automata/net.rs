//! Nets of automata: what the interpreter says of every state, the net says, too.

use crate::rg_naive::generator::Generator;
use gdlr::automaton::net::{NoNet, net};
use gdlr::automaton::{AutomatonEngine, AutomatonGame};
use gdlr::batch::Batch;
use gdlr::budget::{Budget, Meter};
use gdlr::check::check;
use gdlr::diagnostic::Code;
use gdlr::engine::{AnyEngine, Engine, MoveId, RoleId, StepError, seeded};
use gdlr::gdl::{Game, Term};
use gdlr::hrg;
use gdlr::net::{Operation, optimise};
use gdlr::play::{self, FlatMonteCarlo, perft};
use gdlr::propnet::Propnet;
use gdlr::rg::{Automaton, Moves, PlayError, Search, read};
use gdlr::tree::{Tree, TreeOptions};
use rand::RngExt;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

fn game(text: &str) -> Arc<AutomatonGame> {
    let problem = |problem| panic!("{problem:?} in {text}");
    let description = read(text).unwrap_or_else(problem);
    Arc::new(AutomatonGame::new("test", description).expect("few names"))
}

/// The net as it is made, and as it is played.
fn nets(game: &Arc<AutomatonGame>) -> Result<[Propnet; 2], NoNet> {
    let raw = net(game, &Meter::unlimited())?;
    let optimised = optimise(raw.clone(), &Meter::unlimited(), &mut |_, _| ())?;
    Ok([raw, optimised].map(|net| Propnet::of_net(game.game().clone(), net)))
}

fn facts<E: Engine>(engine: &E, scratch: &E::Scratch) -> BTreeSet<String> {
    let mut state = engine.initial().clone();
    engine.save(scratch, &mut state);
    let facts = engine.facts(&state);
    facts.iter().map(|fact| fact.spelled(engine.symbols()).to_string()).collect()
}

fn legal<E: Engine>(engine: &E, scratch: &mut E::Scratch, role: RoleId) -> Option<Vec<MoveId>> {
    let mut moves = Vec::new();
    engine.legal(scratch, role, &mut moves).ok()?;
    moves.sort_by_key(|&id| spelled(engine, id));
    Some(moves)
}

fn spelled<E: Engine>(engine: &E, id: MoveId) -> String {
    engine.move_term(id).1.spelled(engine.symbols()).to_string()
}

/// The functions of the facts that a net says.
fn functions(net: &Propnet) -> BTreeSet<String> {
    let function = |fact: &Term| match fact {
        Term::Function(function, _) => function.spelled(net.symbols()).to_owned(),
        other => panic!("{other:?} is no fact of an automaton"),
    };
    net.net().fluents.iter().map(|of| function(&of.fact)).collect()
}

/// Plays at random and compares state by state; says how many there were. Where play of the
/// interpreter stops at a defect there is nothing to compare.
fn plays(text: &str, engine: &AutomatonEngine, net: &Propnet, count: u64, most: usize) -> usize {
    let (mut one, mut other) = (engine.scratch(), net.scratch());
    let functions = functions(net);
    let is_said = |fact: &String| {
        functions.contains(fact.trim_start_matches('(').split(' ').next().expect("a function"))
    };
    let mut states = 0;
    for play in 0..count {
        let mut rng = seeded(play, 0);
        engine.enter(&mut one, engine.initial());
        net.enter(&mut other, net.initial());
        'play: for _ in 0..most {
            let (all, some) = (facts(engine, &one), facts(net, &other));
            let said: BTreeSet<String> = all.iter().filter(|fact| is_said(fact)).cloned().collect();
            assert_eq!(some, said, "the net says the first at {all:?} in {text}");
            let over = engine.terminal(&mut one).expect("no limit");
            assert_eq!(net.terminal(&mut other), Ok(over), "{text}");
            states += 1;
            let mut joint = [Vec::new(), Vec::new()];
            for role in engine.roles().iter() {
                let Some(moves) = legal(engine, &mut one, role) else { break 'play };
                if !over {
                    let same = legal(net, &mut other, role).expect("a net has no limit");
                    let [moves, same]: [Vec<String>; 2] = [
                        moves.iter().map(|&id| spelled(engine, id)).collect(),
                        same.iter().map(|&id| spelled(net, id)).collect(),
                    ];
                    assert_eq!(moves, same, "{} at {all:?} in {text}", role.index());
                }
                let goals = (engine.goal(&mut one, role).ok(), net.goal(&mut other, role).ok());
                assert_eq!(goals.0, goals.1, "{all:?} in {text}");
                if moves.is_empty() {
                    break 'play;
                }
                let id = moves[rng.random_range(0..moves.len())];
                let (_, term) = engine.move_term(id);
                joint[0].push(id);
                joint[1].push(net.move_id(role, &term).expect("it is legal"));
            }
            if over {
                break;
            }
            match engine.step(&mut one, &joint[0]) {
                Ok(()) => assert_eq!(net.step(&mut other, &joint[1]), Ok(()), "{text}"),
                Err(StepError::Limit(_)) => break,
                Err(error) => panic!("{error} in {text}"),
            }
        }
    }
    states
}

/// Compares the nets of an automaton with the interpreter; the number of states.
fn agrees(text: &str) -> usize {
    let game = game(text);
    let engine = AutomatonEngine::new(game.clone()).unwrap_or_else(|e| panic!("{e:?}"));
    let nets = nets(&game).unwrap_or_else(|error| panic!("{error} in {text}"));
    nets.iter().map(|net| plays(text, &engine, net, 30, 60)).sum()
}

fn of_two(edges: &str) -> String {
    format!(
        "type Player = {{ x, o }}; type Score = {{ 0, 100 }}; type D = {{ 0, 1, 2, 3 }};
         type M = D -> D; const next: M = {{ 0: 1, 1: 2, 2: 3, :0 }}; const id: M = {{ 1: 1, 2: 2, 3: 3, :0 }};
         var a: D = 0; var b: D = 0; var m: M = {{ :0 }}; var n: M = {{ 1: 2, :1 }};
         {edges}"
    )
}

/// Whether no state that is close to the first one takes many steps.
fn is_small(game: &AutomatonGame) -> bool {
    let Ok(automaton) = Automaton::new(game.description()) else { return false };
    let (mut search, mut moves) = (Search::with_limit(5_000), Moves::default());
    let (mut next, mut states) = (0, vec![automaton.initial().clone()]);
    while next < states.len().min(60) {
        match automaton.moves(&mut search, &states[next], &mut moves) {
            Err(PlayError::TooMuchWork { .. }) => return false,
            Err(_) => {}
            Ok(()) => {
                let after = (0..moves.len()).map(|index| moves.successor(index, &states[next]));
                let after: Vec<_> = after.filter(|state| !states.contains(state)).collect();
                states.extend(after);
            }
        }
        next += 1;
    }
    true
}

#[test]
fn random_automata_have_the_nets_of_their_games() {
    let mut generator = Generator::new(11);
    let (mut made, mut states, mut none) = (0, 0, 0);
    let wanted = if cfg!(debug_assertions) { 600 } else { 6_000 };
    while made < wanted {
        let text = if made % 4 == 3 { generator.casts() } else { generator.text() };
        let game = AutomatonGame::new("random", read(&text).unwrap()).expect("few names");
        let game = Arc::new(game);
        if !is_small(&game) {
            continue;
        }
        let Ok(engine) = AutomatonEngine::new(game.clone()) else { continue };
        let budget = Budget { time: Duration::from_millis(300), ..Budget::default() };
        let meter = budget.start();
        let net = net(&game, &meter);
        let net = match net {
            Ok(net) => net,
            // Checks that ask themselves, walks that go round and write, moves that go both ways.
            Err(NoNet::WritesInACircle(_) | NoNet::NestedChecks(_) | NoNet::Ambiguous(_)) => {
                none += 1;
                continue;
            }
            Err(NoNet::Exhausted(_) | NoNet::HidesTags) => continue,
            Err(error) => panic!("{error} in {text}"),
        };
        let Ok(optimised) = optimise(net.clone(), &meter, &mut |_, _| ()) else { continue };
        for net in [net, optimised] {
            let net = Propnet::of_net(game.game().clone(), net);
            states += plays(&text, &engine, &net, 4, 12);
        }
        made += 1;
    }
    assert!(states > 4 * wanted && none < wanted, "{states} {none}");
}

fn bundled(name: &str) -> Arc<AutomatonGame> {
    let text = std::fs::read(format!("hrg/{name}.hrg")).expect("a file of the project");
    let description = hrg::read_automaton(&text).expect("a game");
    Arc::new(AutomatonGame::new(name, description).expect("few names"))
}

/// Written by hand: net, rules made of it and interpreter are of one game.
#[test]
fn bundled_games_have_nets_and_rules() {
    for (name, depth) in
        [("tictactoe", 4), ("nim", 4), ("pig", 4), ("hex", 2), ("breakthrough", 2), ("connect4", 3)]
    {
        let game = bundled(name);
        let engine = AutomatonEngine::new(game.clone()).expect("a game");
        let nets = nets(&game).expect("a net");
        assert!(nets.iter().map(|net| plays(name, &engine, net, 5, 300)).sum::<usize>() > 50);
        let perft =
            |engine: AnyEngine| perft(&engine, depth, &AtomicBool::new(false), |_| {}).counts;
        let [_, net] = nets;
        let rules = net.net().to_kif(&game.game().roles, &game.game().symbols);
        let rules = Game::from_kif(name, &rules).expect("rules");
        // Where a node and a player say the same, conditions read either.
        let diagnostics = check(&rules);
        assert!(diagnostics.iter().all(|one| one.code != Code::UnreadFluent), "{diagnostics:?}");
        let tree = Tree::new(rules, &TreeOptions::default()).expect("trees");
        let expected = perft(AnyEngine::new(engine));
        assert_eq!(perft(AnyEngine::new(net)), expected, "{name}");
        assert_eq!(perft(AnyEngine::new(tree)), expected, "{name}");
    }
}

/// Whether somebody has won is asked once for all squares, from behind the disc that was put.
#[test]
fn checks_that_begin_on_different_squares_share_their_ways() {
    let net = net(&bundled("connect4"), &Meter::unlimited()).expect("a net");
    // It had 2,675 when each square had questions of its own.
    assert!(net.len() < 2_300, "{}", net.len());
}

/// A move that goes on or ends is refused where both can be, and not where the state decides.
/// The automaton is made smaller first: `a = b` does nothing, so that no move reads `b`.
#[test]
fn states_say_what_moves_read_once_the_automaton_is_small() {
    let text = of_two(
        "begin, t: player = x; t, t1: a = b; t1, t2: a = D(*); t2, t3: m[a] == 0; t3, t4: $$ a;
         t4, k: player = keeper; k, k1: m[a] = 1; k1, k2: b = a; k2, t: player = x;
         k2, e: m[0] != m[1]; e, end: player = keeper;",
    );
    let text = text.replace("k2, t: player", "k2, k3: m[0] == m[1]; k3, t: player");
    assert!(agrees(&text) > 20);
    let [net, _] = nets(&game(&text)).expect("a net");
    let said: Vec<String> = functions(&net).into_iter().collect();
    assert_eq!(said, ["m", "node", "player"], "{text}");
}

/// Two nodes where the same player has the same moves are two states.
#[test]
fn nodes_where_somebody_has_the_move_keep_their_names() {
    let text = of_two(
        "begin, t: player = x; t, t1: a = D(*); t1, t2: $$ a; t2, k: player = keeper;
         u, u1: a = D(*); u1, t2: $$ a; v, u1: a = D(*);
         k, k1: a == 0; k1, u: player = x; k, k2: a == 1; k2, t: player = x;
         k, k3: a == 2; k3, v: player = x; k, k4: a == 3; k4, end: player = keeper;",
    );
    assert!(agrees(&text) > 20);
    let [net, _] = nets(&game(&text)).expect("a net");
    let names = net.symbols();
    let facts: Vec<String> = net.net().fluents.iter().map(|of| of.fact.spelled(names)).collect();
    for node in ["t", "u", "v"] {
        assert!(facts.contains(&format!("(node {node})")), "{facts:?}");
    }
}

/// Where a walk has been found or not, no third one is there.
#[test]
fn walks_that_are_never_there_do_not_part() {
    let text = of_two(
        "begin, t: player = x; t, t1: a = D(*); t1, t2: n[a] != m[b]; t2, t3: $$ a;
         t3, k: ? f -> g; t3, k: ? f -> h; t3, o: ! f -> g; o, e: ! f -> h;
         f, f1: n[a] != m[b]; f1, g: m[a] == 0; f1, h: m[a] != 0; h, h1: ; g, g1: ;
         k, k1: player = keeper; k1, k2: m[a] = next[m[a]]; k2, k3: b = a; k3, t: player = x;
         e, e1: player = keeper; e1, end: player = keeper;",
    );
    assert!(agrees(&text) > 20);
}

#[test]
fn walks_with_the_same_tags_that_part_have_no_net() {
    let parting = |go_on: &str, stop: &str| {
        of_two(&format!(
            "begin, t: player = x; t, u: a = D(*); u, v: $$ a; v, w: $ go; w, g: {go_on};
             g, t: player = x; w, s: {stop}; s, k: player = keeper; k, end: player = keeper;
             v, x: $ mark; x, g: m[a] = 1;"
        ))
    };
    let both = [("", ""), ("m[a] == 1", ""), ("", "m[a] != 1")];
    for (go_on, stop) in both {
        let game = game(&parting(go_on, stop));
        match net(&game, &Meter::unlimited()) {
            Err(NoNet::Ambiguous(tags)) => assert!(tags.ends_with(" go"), "{tags}"),
            other => panic!("{go_on} {stop}: {:?}", other.map(|_| "a net")),
        }
    }
    agrees(&parting("m[a] == 1", "m[a] != 1"));
}

/// The rules of a net have its goals, too.
#[test]
fn rules_of_a_net_have_its_goals() {
    let text = of_two(
        "begin, t: player = x; t, u: $ a; u, v: player = keeper; v, w: goals[x] = 100;
         w, end: player = keeper;",
    );
    let game = game(&text);
    // As it is made, in which a fact stands for the contrary of a latch.
    let [net, _] = nets(&game).expect("a net");
    let rules = net.net().to_kif(&game.game().roles, &game.game().symbols);
    let rules = Game::from_kif("won", &rules).expect("rules");
    let tree = Tree::new(rules, &TreeOptions::default()).expect("trees");
    same_goals("won", &AnyEngine::new(tree), &AnyEngine::new(net));
}

/// Random plays end with the same mean goals, within five standard errors.
fn same_goals(name: &str, one: &impl play::RandomPlay, other: &impl play::RandomPlay) {
    const PLAYS: u64 = 4_000;
    let run = FlatMonteCarlo { playouts: Some(PLAYS), ..FlatMonteCarlo::default() };
    let never = AtomicBool::new(false);
    let one = run.run(one, &never, |_| {});
    let other = run.run(other, &never, |_| {});
    for (one, other) in one.roles.iter().zip(&other.roles) {
        let (Some(one), Some(other)) = (one.mean_goal(), other.mean_goal()) else {
            // Chance has no goals.
            assert_eq!((one.mean_goal(), other.mean_goal()), (None, None), "{name}");
            continue;
        };
        // Goals from 0 to 100 have a standard deviation of 50 at most.
        let error = 50.0 * (2.0 / PLAYS as f64).sqrt();
        assert!((one - other).abs() < 5.0 * error, "{name}: {one} and {other}");
    }
}

/// Hundreds of plays at once end as those of the interpreter do, within five standard errors.
#[test]
fn lanes_play_as_the_interpreter_does() {
    // In two of them moves decide whose turn it is: one phase for each who chooses, chance among
    // them, and one for nobody.
    let phases = [("tictactoe", 2), ("pig", 4), ("dots_and_boxes", 3), ("breakthrough", 2)];
    for (name, phases) in phases {
        let game = bundled(name);
        let net = gdlr::automaton::net::optimised(&game, &Meter::unlimited()).expect("a net");
        let engine = AutomatonEngine::new(game.clone()).expect("a game");
        let lanes = Batch::of_net(game.game().clone(), net);
        assert_eq!(lanes.figures()[0], ("phases", phases), "{name}");
        same_goals(name, &lanes, &AnyEngine::new(engine));
    }
}

/// Players who alternate until play is over, which it is in no phase.
#[test]
fn lanes_begin_at_the_end() {
    let game = bundled("tictactoe");
    let net = gdlr::automaton::net::optimised(&game, &Meter::unlimited()).expect("a net");
    let single = Propnet::of_net(game.game().clone(), net.clone());
    let lanes = Batch::of_net(game.game().clone(), net);
    let mut scratch = single.scratch();
    let mut joint = Vec::new();
    for length in 0.. {
        let mut state = single.initial().clone();
        single.save(&scratch, &mut state);
        let over = single.terminal(&mut scratch).expect("no limit");
        let mut of_lanes = lanes.scratch();
        let statistics = lanes.rollouts(&mut of_lanes, &state, 100, 1);
        assert_eq!(
            (statistics.playouts, statistics.mean_length() == Some(0.0)),
            (100, over),
            "{length}"
        );
        if over {
            for role in single.roles().iter() {
                let goal = single.goal(&mut scratch, role).expect("a proper goal");
                assert_eq!(statistics.roles[role.index()].mean_goal(), Some(f64::from(goal)));
            }
            break;
        }
        joint.clear();
        for role in single.roles().iter() {
            joint.push(legal(&single, &mut scratch, role).expect("no limit")[0]);
        }
        single.step(&mut scratch, &joint).expect("legal moves");
    }
}

/// Names that differ in case only, and such that mean something in GDL.
#[test]
fn rules_of_a_net_have_names_of_their_own() {
    let text = "type Player = { x, X }; type Score = { 0, 100 }; type Role = { role, Role, true };
        var next: Role = role; var gate: Role = true;
        begin, t: player = x; t, u: next = Role(*); u, v: $$ next; v, w: player = X;
        w, w2: $ noop; w2, a: player = keeper; a, b: next == Role; b, c: goals[X] = 100;
        c, end: player = keeper; a, d: next != Role; d, e: gate = next; e, t: player = x;";
    agrees(text);
    let game = game(text);
    let [net, _] = nets(&game).expect("a net");
    let rules = net.net().to_kif(&game.game().roles, &game.game().symbols);
    let tree = Tree::new(Game::from_kif("names", &rules).expect("rules"), &TreeOptions::default())
        .expect("trees");
    let counts = |engine: AnyEngine| perft(&engine, 4, &AtomicBool::new(false), |_| {}).counts;
    assert_eq!(counts(AnyEngine::new(tree)), counts(AnyEngine::new(net)), "{rules}");
}

/// A variable that one walk writes and another does not is chosen where they meet, and where both are there
/// they are told apart.
#[test]
fn ways_that_meet_have_each_its_own_contents() {
    // One way only: by what the state says.
    agrees(&of_two(
        "begin, t: player = x; t, u: a = D(*); u, v: $$ a; v, w: player = keeper;
         w, p: m[a] == 0; p, z: m[a] = 2; w, q: m[a] != 0; q, z: m[a] = next[m[a]];
         z, y: m[0] != 3; y, t2: player = o; z, f: m[0] == 3; f, g: goals[x] = 100;
         g, end: player = keeper;
         t2, t3: $ go; t3, t4: b = next[b]; t4, s: b != 0; s, t: player = x;
         t4, r: b == 0; r, end: player = keeper;",
    ));
    // Several ways, of which a condition behind their meeting leaves one.
    agrees(&of_two(
        "begin, t: player = x; t, u: a = D(*); u, v: m[a] = 1; v, w: b = 0; w, x1: m[2] == 1;
         x1, x2: n[1] = next[n[1]]; x2, x3: $ one; x3, k: player = keeper;
         k, l: m[2] == 1; l, o1: m[2] = 0; o1, o2: n[1] != 1; o2, t: player = x;
         o1, o3: n[1] == 1; o3, o4: goals[o] = 100; o4, end: player = keeper;",
    ));
}

#[test]
fn checks_see_what_the_walk_has_written() {
    agrees(&of_two(
        "begin, t: player = x; t, u: a = D(*); u, v: m[a] == 0; v, w: m[a] = 1;
         w, ok: ! f -> found; ok, tag: $$ a; tag, k: player = keeper;
         f, f1: b = D(*); f1, f2: m[b] == 1; f2, f3: m[next[b]] == 1; f3, found: b != 3;
         k, c: ? g -> gone; c, t: player = x;
         k, d: ! g -> gone; d, e: goals[x] = 100; e, end: player = keeper;
         g, g1: a = D(*); g1, g2: m[a] == 0; g2, g3: m[a] = 1; g3, gone: ! f -> found;",
    ));
}

/// A check whose walks go round: the least fixpoint.
#[test]
fn checks_go_round_in_circles() {
    agrees(&of_two(
        "begin, t: player = x; t, u: a = D(*); u, v: $$ a; v, k: player = keeper;
         k, k1: m[a] = next[m[a]]; k1, yes: ? from -> to; k1, no: ! from -> to;
         yes, h: b = next[b]; h, h1: b != 3; h1, t: player = x; h, h2: b == 3;
         h2, h3: goals[x] = 100; h3, end: player = keeper;
         no, i: b = b; i, t2: player = o; t2, j: $ pass; j, t: player = x;
         from, walk: a = 0; walk, go: a = next[a]; go, walk: m[a] != 0; walk, to: m[a] == 2;",
    ));
}

/// A value for which a check asks is known to the walk that asks, also where another check asks for it.
#[test]
fn checks_know_what_the_walk_knows() {
    agrees(&of_two(
        "begin, t: player = x; t, u: a = D(*); u, v: ? g -> h; v, w: $$ a; w, k: player = keeper;
         g, h: ? i -> j; i, j: m[a] == 0;
         k, k1: m[a] = 2; k1, k2: ? i2 -> j2; k2, t: player = x; k1, k3: ! i2 -> j2;
         k3, k4: goals[o] = 100; k4, end: player = keeper; i2, i3: a = D(*); i3, j2: ? i -> j;",
    ));
}

/// A value that a walk has written is noticed by all that a check does with it.
#[test]
fn checks_notice_what_they_can_tell_apart() {
    let moves = "begin, t: player = x; t, u: a = D(*); u, v: m[a] == 0; v, w: m[a] = 1;
         v, w2: m[a] = 2; w2, ok2: ! f -> found; ok2, two: $ two; two, tag: $$ a;
         w, ok: ! f -> found; ok, tag: $$ a; tag, k: player = keeper; k, t: player = x;
         t, p: $ pass; p, k: player = keeper; t, e: $ end; e, end: player = keeper;";
    for check in [
        // A check within it compares with something else.
        "f, f1: b = D(*); f1, f2: m[b] != 3; f2, found: ? g -> gone;
         g, g1: m[b] == 1; g1, gone: m[next[b]] == 1;",
        // It compares, and goes on with what is there.
        "f, f1: m[0] != 3; f1, f2: b = m[0]; f2, found: n[b] == 2;",
        "f, f1: m[0] != 3; f1, found: n[m[0]] == 2;",
        // It compares with what is not always the same, or is passed on.
        "f, f1: b = 1; f1, found: m[0] == b; f, f2: b = 2; f2, found: m[1] == b;",
        "f, f1: b = 2; f1, found: m[0] == b; f, f2: b = 1; f2, found: m[1] == b;",
        "f, f1: b = 0; f1, f2: a = next[b]; f2, found: m[3] == a;",
    ] {
        agrees(&of_two(&format!("{moves} {check}")));
    }
}

/// One that cannot tell that something was written is the same for all moves.
#[test]
fn checks_that_notice_nothing_are_those_of_the_state() {
    let gates = |edges: &str| {
        let text = of_two(&format!(
            "begin, t: player = x; t, u: a = D(*); u, v: m[a] == 0; {edges}
             tag, k: player = keeper; k, k1: n[1] = 3; k1, t: player = x;
             t, p: $ pass; p, k: player = keeper; t, e: $ end; e, end: player = keeper;
             f, f1: a = D(*); f1, f2: m[a] == 3; f2, found: n[a] == 3;"
        ));
        agrees(&text);
        net(&game(&text), &Meter::unlimited()).expect("a net").computed().count()
    };
    let before = gates("v, w: ! f -> found; w, x: m[a] = 1; x, tag: $$ a;");
    assert_eq!(gates("v, w: m[a] = 1; w, x: ! f -> found; x, tag: $$ a;"), before);
    // One that makes a difference does not.
    assert!(gates("v, w: m[a] = 3; w, x: ! f -> found; x, tag: $$ a;") > before);
}

/// A condition that has been asked is known behind it, and nowhere else.
#[test]
fn what_has_been_asked_is_known_behind_it() {
    let pass = "t, p: $ pass; p, k2: player = keeper; k2, k3: m[0] = next[m[0]]; k3, t: player = x;
         t, e: $ end; e, end: player = keeper;";
    for edges in [
        // Not where the same check is asked on another way.
        "t, u: m[0] == 0; u, u1: ? f -> found; u1, u2: $ yes; u2, k2: player = keeper;
         t, w: m[0] != 0; w, w1: ? f -> found; w1, w2: $ never; w2, k2: player = keeper;
         f, found: m[0] == 0;",
        // A condition of a check is not known behind the check.
        "t, u: ? f -> found; u, u1: $ yes; u1, k2: player = keeper;
         t, w: m[0] == 1; w, w1: $ one; w1, k2: player = keeper;
         f, f1: m[0] == 0; f1, f2: m[1] == 0; f2, found: n[0] == 1;",
        // Nor in a cycle that another way leads to, too.
        "t, t1: a = 0; t1, c: ; t1, u: m[0] == 0; u, c: ; c, d: a = next[a]; d, c: m[a] != 3;
         d, x: m[a] != 2; x, y: $$ a; y, k: player = keeper; k, k2: m[a] = next[m[a]];",
        // The value that is written is known for each place from the condition about that place.
        "t, u: n[m[0]] = next[m[0]]; u, v: a = D(*); v, w: n[a] != 3; w, z: $$ a;
         z, k2: player = keeper;",
        // One of two is left.
        "t, u: m[0] != 1; u, v: m[0] != 2; v, w: n[m[0]] = 3; w, z: $ z; z, k2: player = keeper;
         t, x: n[3] == 3; x, y: $ y; y, k2: player = keeper;",
    ] {
        agrees(&of_two(&format!("begin, t: player = x; {edges} {pass}")));
    }
}

/// The value at a key that has been asked for is written in one place.
#[test]
fn what_has_been_asked_says_where_to_write() {
    let text = of_two(
        "begin, t: player = x; t, u: a = D(*); u, v: m[a] == 0; v, w: n[m[a]] = 3; w, z: $$ a;
         z, k: player = keeper; k, k1: m[1] = next[m[1]]; k1, t: player = x;
         t, q: a = D(*); q, r: n[a] == 2; r, s: $ r; s, z2: $$ a; z2, k: player = keeper;
         t, e: $ end; e, end: player = keeper;",
    );
    agrees(&text);
    let game = game(&text);
    let net = net(&game, &Meter::unlimited()).expect("a net");
    let names = &game.game().symbols;
    assert_eq!(depends(&net, names, "(n 1 2)"), BTreeSet::from(["(n 1 2)".to_owned()]));
}

/// Walks come to a cycle with different contents, and each goes round with its own.
#[test]
fn circles_are_entered_with_different_contents() {
    agrees(&of_two(
        "begin, t: player = x; t, u: ? f -> found; u, u1: $ yes; u1, k: player = keeper;
         t, w: ! f -> found; w, w1: $ no; w1, k: player = keeper;
         k, k1: n[0] = next[n[0]]; k1, k2: n[0] != 3; k2, t2: player = o;
         k1, k3: n[0] == 3; k3, end: player = keeper;
         t2, t3: a = D(*); t3, t4: $$ a; t4, t5: m[a] = 3; t5, t: player = x;
         f, f1: a = D(*); f1, f2: m[a] != 3; f2, f3: m[a] = 1; f3, f4: a = 0; f4, go: b = 0;
         go, g1: b = next[b]; g1, go: ; go, found: m[2] == 1;",
    ));
}

/// A key that is not of its type has the default of the map.
#[test]
fn maps_have_their_default_for_other_keys() {
    agrees(
        "type Player = { x }; type Score = { 0, 100 }; type A = { 0, 1 }; type B = { 0, 1, 2 };
         type M = A -> B; var m: M = { 0: 1, :2 }; var b: B = 0;
         begin, t: player = x; t, u: b = B(*); u, v: m[b] == 2; v, w: $$ b; w, k: player = keeper;
         k, e: m[1] == 0; e, f: goals[x] = 100; f, end: player = keeper;
         k, l: m[1] != 0; l, l1: m[1] = 0; l1, t: player = x;",
    );
    // Which key it is the state decides.
    agrees(
        "type Player = { x }; type Score = { 0, 100 }; type A = { 0, 1 }; type B = { 0, 1, 2 };
         type M = A -> B; var m: M = { 0: 1, :2 }; var b: B = 0;
         begin, t: player = x; t, u: b = B(*); u, w: $$ b; w, k: player = keeper; k, k1: m[1] = b;
         k1, e: m[m[1]] == 2; e, f: goals[x] = 100; f, end: player = keeper;
         k1, l: m[m[1]] != 2; l, l1: m[0] = 0; l1, t: player = x;",
    );
}

/// A variable with many values that decides nothing is written like a map, unless it counts the rounds of
/// a cycle.
#[test]
fn counters_on_a_circle_are_known() {
    let names: Vec<String> = (0..20).map(|number| format!("c{number}")).collect();
    let up = names.windows(2).map(|pair| format!("{}: {}", pair[0], pair[1]));
    let up: Vec<String> = up.collect();
    agrees(&format!(
        "type Player = {{ x }}; type Score = {{ 0, 100 }}; type C = {{ {} }}; type Up = C -> C;
         const up: Up = {{ {}, :c0 }}; var c: C = c0; var sum: C = c0;
         begin, t: player = x; t, a: $ one; a, b: sum = up[sum]; b, k: player = keeper;
         t, d: $ two; d, e: sum = up[up[sum]]; e, k: player = keeper;
         k, l: c = c0; l, l1: c != c17; l1, l: c = up[c]; l, l2: c == c17;
         l2, m: sum != c9; m, t: player = x; l2, n: sum == c9; n, o: goals[x] = 100;
         o, end: player = keeper;",
        names.join(", "),
        up.join(", "),
    ));
}

#[test]
fn the_keeper_counts_and_passes_on() {
    // Moves of the keeper in a row, and in a cycle, with a counter.
    agrees(&of_two(
        "begin, t: player = x; t, u: a = D(*); u, v: $$ a; v, k: player = keeper;
         k, k1: b = 0; k1, k2: player = keeper; k2, k3: m[b] = id[a]; k3, k4: b = next[b];
         k4, k5: b != 0; k5, k2: player = keeper; k4, k6: b == 0; k6, k7: player = keeper;
         k7, k8: n[m[2]] == 1; k8, t: player = x; k7, k9: n[m[2]] != 1; k9, w: n[1] = 1;
         w, t2: player = o; t2, t3: $ o1; t3, t: player = x; t2, t4: $ o2; t4, l: player = keeper;
         l, l1: goals[o] = 100; l1, end: player = keeper;",
    ));
}

/// The facts that the next value of the latch of a fact reads: other latches.
fn depends(net: &gdlr::net::Net, names: &gdlr::gdl::SymbolTable, fact: &str) -> BTreeSet<String> {
    let latch = |signal: gdlr::net::Signal| match net.operation(signal.gate()) {
        Operation::Latch(latch) => Some(latch),
        _ => None,
    };
    let facts = || net.fluents.iter().map(|of| (of.fact.spelled(names).to_string(), of.signal));
    let (_, signal) = facts().find(|(of, _)| of == fact).unwrap_or_else(|| panic!("no {fact}"));
    let next = net.latches[latch(signal).expect("a latch").index()].next;
    let mut seen = vec![false; net.len()];
    let mut open = vec![next.gate()];
    let mut latches = BTreeSet::new();
    while let Some(gate) = open.pop() {
        if !std::mem::replace(&mut seen[gate.index()], true) {
            open.extend(net.operands(gate).iter().map(|operand| operand.gate()));
            latches.extend(facts().filter(|(_, of)| of.gate() == gate).map(|(of, _)| of));
        }
    }
    latches
}

/// Where a player has the move nothing has been counted yet, and who moves is known.
#[test]
fn what_is_written_at_the_end_is_known_before() {
    let text = of_two(
        "var me: Player = x; const other: Turn = { x: o, :x }; type Turn = Player -> Player;
         begin, t: player = me; t, u: a = D(*); u, u1: m[a] == 0; u1, u2: a != 0; u2, v: $$ a;
         v, k: player = keeper; k, k1: m[a] = 1; k1, k2: me = other[me];
         k2, t: player = me; t, s: ! f -> g; s, s1: $ count; s1, c: player = keeper;
         f, f1: a = D(*); f1, f2: a != 0; f2, g: m[a] == 0;
         c, c1: b = next[m[1]]; c1, c2: b = next[b]; c2, c3: n[1] = b; c3, w: n[1] == 3;
         w, w1: goals[me] = 100; w1, end: player = keeper;
         c3, l: n[1] != 3; l, end: player = keeper;",
    );
    assert!(agrees(&text) > 200);
    let game = game(&text);
    let [net, _] = nets(&game).expect("a net");
    let names = &game.game().symbols;
    let of_goal = depends(net.net(), names, "(goals x 100)");
    assert!(
        !of_goal.is_empty() && of_goal.iter().all(|fact| !fact.contains("goals")),
        "{of_goal:?}"
    );
    // Who moves is read off `player`, and so is whose move it is next.
    assert!(of_goal.iter().all(|fact| !fact.contains("me")), "{of_goal:?}");
    let of_me = depends(net.net(), names, "(me x)");
    assert!(of_me.iter().all(|fact| !fact.contains("(me")), "{of_me:?}");
}

/// Who moves is not always what a variable says: at a node that is entered otherwise, or at another.
#[test]
fn a_variable_says_who_moves_at_some_nodes() {
    let vars =
        "var me: Player = x; const other: Turn = { x: o, :x }; type Turn = Player -> Player;";
    // Behind a pass it is the other one's turn at `p`, where `me` decides what may be said.
    agrees(&of_two(&format!(
        "{vars} begin, t: player = me; t, u: a = D(*); u, u1: m[a] == 0; u1, v: $$ a;
         v, k: player = keeper; k, k1: m[a] = 1; k1, k2: me = other[me]; k2, k3: a != 3;
         k3, t: player = me; k2, k4: a == 3; k4, p: player = other[me];
         p, q: me == x; q, q1: $ one; q1, r: player = keeper; p, s: me == o; s, s1: $ two;
         s1, r: player = keeper; r, r1: m[0] == 0; r1, t: player = me;
         r, r2: m[0] == 1; r2, r3: goals[me] = 100; r3, end: player = keeper;"
    )));
    // The node `t` is entered with `player = o`, too.
    agrees(&of_two(&format!(
        "{vars} begin, t: player = me; t, u: me == x; u, u1: $ one; u1, v: player = keeper;
         t, w: me == o; w, w1: $ two; w1, v: player = keeper; v, k: a = next[a];
         k, k1: a == 1; k1, t: player = o; k, k2: a == 2; k2, k3: me = other[me];
         k3, t: player = me; k, k4: a == 3; k4, t: player = me; k, k5: a == 0;
         k5, k6: goals[me] = 100; k6, end: player = keeper;"
    )));
}

/// Tags tell walks apart, and the longest of them goes on only as far as some state allows it.
#[test]
fn moves_of_many_tags() {
    agrees(&of_two(
        "begin, t: player = x; t, u: a = D(*); u, v: m[a] == 0; v, w: m[a] = 1; w, x1: $$ a;
         x1, y: a = a; y, u2: a = D(*); u2, v1: n[a] == 2; v1, v: m[a] == 0; y, k: player = keeper;
         k, e: ! g -> h; e, f: goals[o] = 100; f, end: player = keeper; k, r: ? g -> h;
         r, t: player = x; g, g1: b = D(*); g1, h: m[b] == 0;",
    ));
    let text = of_two(
        "begin, t: player = x; t, s: ? g -> h; s, u: a = D(*); u, v: m[a] == 0; v, w: $$ a;
         w, t: m[a] = 1; t, s1: ! g -> h; s1, end: player = keeper;
         g, g1: b = D(*); g1, h: m[b] == 0;",
    );
    agrees(&text);
    let inputs = nets(&game(&text)).expect("a net")[1].net().inputs.len();
    // Four symbols in every order, and that the other role waits.
    assert_eq!(inputs, 24 + 1);
}

#[test]
fn roles_of_chance_and_moves_without_tags() {
    agrees(&of_two(
        "begin, d: player = random; d, e: a = D(*); e, f: m[a] == 0; f, f1: $$ a; f1, g: player = x;
         g, h: m[a] = 2; h, i: player = o; g, i: player = o; i, j: $ stop; j, end: player = keeper;
         i, l: $ on; l, d: player = random;",
    ));
}

#[test]
fn what_has_no_net_says_why() {
    let cycle = of_two(
        "begin, t: player = x; t, c: $ a; c, c1: m[0] = next[m[0]]; c1, c: n[0] == 1;
         c1, c2: m[0] == 3; c2, end: player = keeper;",
    );
    let error = net(&game(&cycle), &Meter::unlimited()).expect_err("it writes on a cycle");
    assert!(matches!(&error, NoNet::WritesInACircle(node) if node == "c"), "{error}");
    let hidden =
        "type Player = { x, o }; type Score = { 0 }; var visible: Visibility = { o: 0, :1 };
        begin, t: player = x; t, s: $ a; s, end: player = keeper;";
    let error = net(&game(hidden), &Meter::unlimited()).expect_err("it hides a tag");
    assert!(matches!(error, NoNet::HidesTags));
}
