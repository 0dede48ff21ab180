use super::*;
use gdlr_engine::engine::{AnyEngine, Engine, MoveId, RoleId};
use gdlr_net::ground::Budget;
use gdlr_net::propnet::Propnet;
use gdlr_rules::gdl::Game;
use std::sync::Arc;

const NET: &[u8] = include_bytes!("../../../../tests/nets/tictactoe.onnx");

fn engine(text: &str) -> AnyEngine {
    let game = Game::from_kif("game", text).expect("a rulesheet");
    AnyEngine::new(Propnet::new(game, &Budget::default()).expect("a net"))
}

fn tictactoe() -> AnyEngine {
    engine(include_str!("../../../../kif/tictactoe.kif"))
}

fn net() -> Arc<ValueNet> {
    Arc::new(ValueNet::read(NET.to_vec()).expect("a value net"))
}

/// The bytes of the net with another text in all places of a text, as long.
fn changed(from: &str, to: &str) -> Result<ValueNet, ValueNetError> {
    assert_eq!(from.len(), to.len(), "the lengths of parts are written in the file");
    let mut bytes = NET.to_vec();
    let mut found = false;
    for at in 0..bytes.len() - from.len() {
        if bytes[at..].starts_with(from.as_bytes()) {
            bytes[at..at + to.len()].copy_from_slice(to.as_bytes());
            found = true;
        }
    }
    assert!(found, "{from}");
    ValueNet::read(bytes)
}

/// The observation of the state after some moves, each of the role on turn.
fn observed(columns: &mut Columns, engine: &AnyEngine, moves: &[&str]) -> Vec<f32> {
    let mut scratch = engine.scratch();
    for (step, name) in moves.iter().enumerate() {
        let named = |role: RoleId| {
            let mut legal = Vec::new();
            engine.legal(&mut scratch.clone(), role, &mut legal).expect("moves");
            let wanted = if role.index() == step % 2 { name } else { "wait" };
            let is = |id: &&MoveId| engine.move_term(**id).1.spelled(engine.symbols()) == wanted;
            *legal.iter().find(is).expect("a legal move")
        };
        let joint: Vec<MoveId> = engine.roles().iter().map(named).collect();
        engine.step(&mut scratch, &joint).expect("a legal step");
    }
    let mut observations = Vec::new();
    columns.observe(engine.symbols(), &engine.facts(&engine.state(&scratch)), &mut observations);
    observations
}

/// Places, logits and goals are those that torch computed for the environment of Python.
#[test]
fn torch_says_the_same() {
    let (net, engine) = (net(), tictactoe());
    let mut columns = Columns::new(net.clone(), &engine).expect("the net of the game");
    let places = |observation: &[f32]| -> Vec<usize> {
        (0..observation.len()).filter(|&place| observation[place] == 1.0).collect()
    };
    let first = observed(&mut columns, &engine, &[]);
    assert_eq!(places(&first), (18..27).collect::<Vec<_>>());
    let later = observed(&mut columns, &engine, &["(sign 2 2)", "(sign 1 1)", "(sign 3 2)"]);
    let squares = [4, 5, 15].into_iter();
    assert_eq!(places(&later), squares.chain(27..36).collect::<Vec<_>>());
    // Asked again, names are not looked up again.
    assert_eq!(observed(&mut columns, &engine, &[]), first);

    let (policy, goals) = net.evaluate([first, later].concat()).expect("an evaluation");
    let policies = [
        [-0.0056, -0.6166, 0.143, -0.702, 0.2162, -0.5242, 0.1059, -0.5217, -0.0425],
        [0.3426, 1.3986, -0.2037, -0.4366, -2.1143, -1.0361, 0.6708, -1.1783, -0.8941],
    ];
    let expected = [[0.67352, 0.32477], [0.73129, 0.25916]];
    let close = |found: &[f32], expected: &[f32]| {
        assert_eq!(found.len(), expected.len());
        let far = found.iter().zip(expected).any(|(one, other)| (one - other).abs() > 1e-3);
        assert!(!far, "{found:?}, {expected:?}");
    };
    close(&policy, &policies.concat());
    close(&goals, &expected.concat());
}

#[test]
fn moves_have_the_columns_of_their_names() {
    let (net, engine) = (net(), tictactoe());
    let mut columns = Columns::new(net.clone(), &engine).expect("the net of the game");
    let (mut scratch, mut legal) = (engine.scratch(), Vec::new());
    for role in engine.roles().iter() {
        engine.legal(&mut scratch, role, &mut legal).expect("moves");
        for &id in &legal {
            let name = engine.move_term(id).1.spelled(engine.symbols());
            let place = net.words().actions.iter().position(|action| *action == name);
            assert_eq!(columns.action(&engine, id), place.map(|place| place as u32), "{name}");
            assert_eq!(columns.action(&engine, id).is_none(), name == "wait");
        }
    }
}

#[test]
fn files_that_are_no_value_nets_are_refused() {
    let refused = |from, to| changed(from, to).expect_err(to);
    assert_eq!(refused("gdlr", "gdla"), ValueNetError::NoWords);
    assert_eq!(refused("policy", "polity"), ValueNetError::Missing("policy"));
    assert_eq!(refused("goals", "goats"), ValueNetError::Missing("goals"));
    // The name of the input, behind its length, and not the key of the words.
    let missing = refused("\u{b}observation", "\u{b}obstruction");
    assert_eq!(missing, ValueNetError::Missing("observation"));
    assert!(
        matches!(refused("\"roles\"", "\"rolls\""), ValueNetError::Words(why) if why.contains("roles"))
    );
    // One word less than there are columns.
    let shape = |name, words, found: &str| ValueNetError::Shape(name, words, found.to_owned());
    let (two, one) = ("\"(sign 1 1)\", \"(sign 1 2)\"", "\"(sign 1 1)    (sign 1 2)\"");
    assert_eq!(refused(two, one), shape("policy", 8, "9 columns"));
    assert_eq!(
        refused("\"crosses\", \"noughts\"", "\"crosses    noughts\""),
        shape("goals", 1, "2 columns")
    );
    // No role at all.
    let none = refused("\"crosses\", \"noughts\"", "                    ");
    assert!(matches!(none, ValueNetError::Words(why) if why.contains("one word at least")));
    let place = "\"(signed 1 1 crosses)\", ";
    let none = " ".repeat(place.len());
    assert_eq!(refused(place, &none), shape("observation", 35, "4 x 3 x 3 columns"));
    for bytes in [&b""[..], b"(role x)", &NET[..NET.len() / 2]] {
        let read = ValueNet::read(bytes.to_vec());
        assert!(matches!(read, Err(ValueNetError::NoNetwork(_))), "{read:?}");
    }
    assert!(matches!(ValueNet::open("no/such.onnx".as_ref()), Err(ValueNetError::Unreadable(_))));
}

#[test]
fn other_games_are_refused() {
    let net = net();
    assert_eq!(net.suits(&tictactoe()), Ok(()));
    let game = |roles: [&str; 2], word: &str, fact: &str| {
        let [a, b] = roles;
        engine(&format!(
            "(role {a}) (role {b}) (init {fact}) (init (turn {a})) (legal {a} ({word} 1 1))
             (legal {a} ({word} 1 2)) (legal {b} wait) (goal {a} 0) (goal {b} 0)
             (<= (next {fact}) (does {a} ({word} 1 1))) (<= terminal (true (over 1)))
             (<= (next (over 1)) (does {a} ({word} 1 2)))"
        ))
    };
    let (ours, fact) = (["crosses", "noughts"], "(signed 1 1 noughts)");
    assert_eq!(net.suits(&game(ours, "sign", fact)), Ok(()));
    assert_eq!(net.suits(&game(["noughts", "crosses"], "sign", fact)), Err(Mismatch::Roles));
    assert_eq!(net.suits(&game(["crosses", "others"], "sign", fact)), Err(Mismatch::Roles));
    let unknown = net.suits(&game(ours, "mark", fact)).expect_err("another move");
    assert!(matches!(&unknown, Mismatch::Move(name) if name.starts_with("(mark 1 ")));
    assert!(unknown.to_string().contains("it does not know the move `(mark 1 "), "{unknown}");
    // Some facts may be unknown, but not all.
    assert_eq!(net.suits(&game(ours, "sign", "(else 1)")), Ok(()));
    let words = "(role crosses) (role noughts) (init (else 1)) (legal crosses (sign 1 1))
        (legal crosses (sign 1 2)) (legal noughts wait) (goal crosses 0) (goal noughts 0)
        (<= (next (else 1)) (does crosses (sign 1 1))) (<= terminal (not (true (else 1))))";
    let unknown = net.suits(&engine(words)).expect_err("other facts");
    assert_eq!(unknown, Mismatch::Fact("(else 1)".to_owned()));
}
