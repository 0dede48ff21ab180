use super::super::{DEFAULT_MEMORY, Search, Tries};
use super::tree::NodeId;
use super::*;
use crate::player::{Clock, Player};
use gdlr_engine::engine::seeded;
use gdlr_engine::play::sampler::Sampler;
use gdlr_net::ground::Budget;
use gdlr_net::propnet::Propnet;
use gdlr_rules::gdl::Game;
use rand::RngExt;
use smallvec::smallvec;

fn engine(text: &str) -> AnyEngine {
    let game = Game::from_kif("game", text).expect("a rulesheet");
    AnyEngine::new(Propnet::new(game, &Budget::default()).expect("a net"))
}

fn tictactoe() -> AnyEngine {
    engine(include_str!("../../../../../kif/tictactoe.kif"))
}

fn engine_of_connect4() -> AnyEngine {
    engine(include_str!("../../../../../kif/connect4.kif"))
}

fn net() -> Arc<ValueNet> {
    let bytes = include_bytes!("../../../../../tests/nets/tictactoe.onnx").to_vec();
    Arc::new(ValueNet::read(bytes).expect("a value net"))
}

/// The move of a role of a name in a state.
fn named(engine: &AnyEngine, scratch: &mut AnyScratch, role: RoleId, name: &str) -> Option<MoveId> {
    let mut legal = Vec::new();
    engine.legal(scratch, role, &mut legal).expect("moves");
    let is = |id: &MoveId| engine.move_term(*id).1.spelled(engine.symbols()) == name;
    legal.into_iter().find(is)
}

/// The state after some moves, each of the role on turn; the other one waits.
fn after(engine: &AnyEngine, moves: &[&str]) -> AnyState {
    let mut scratch = engine.scratch();
    for name in moves {
        let joint = engine.roles().iter().map(|role| {
            let mine = named(engine, &mut scratch.clone(), role, name);
            mine.or_else(|| named(engine, &mut scratch.clone(), role, "wait")).expect("a move")
        });
        let joint: Vec<MoveId> = joint.collect();
        engine.step(&mut scratch, &joint).expect("a legal step");
    }
    engine.state(&scratch)
}

/// A search from a state.
fn guided(engine: &AnyEngine, state: &AnyState) -> Guided {
    let columns = Columns::new(net(), engine).expect("the net of the game");
    Guided::new(columns, engine.clone(), state)
}

/// A turn in a state, of the first role with a choice.
fn with_turn<T>(engine: &AnyEngine, state: &AnyState, ask: impl FnOnce(&Turn<'_>) -> T) -> T {
    let (mut scratch, mut legal, clock) =
        (engine.scratch(), Vec::new(), Clock::new(std::time::Duration::from_secs(600)));
    engine.enter(&mut scratch, state);
    for role in engine.roles().iter() {
        engine.legal(&mut scratch, role, &mut legal).expect("moves");
        if legal.len() > 1 {
            let (last, sampler, lanes) = (None, None, None);
            let legal = &legal;
            return ask(&Turn {
                engine,
                state,
                role,
                legal,
                last,
                sampler,
                step: 0,
                clock: &clock,
                lanes,
            });
        }
    }
    unreachable!("a role has a choice")
}

fn run(search: &mut Guided, tries: u64, memory: usize) {
    let tries = Tries::new(Some(tries));
    search.run(&Limits { memory, is_over: &|| tries.are_over(), tries: &tries });
}

/// The name of the move that a search with so many evaluations chooses.
fn chosen(engine: &AnyEngine, state: &AnyState, tries: u64) -> String {
    let mut search = guided(engine, state);
    run(&mut search, tries, DEFAULT_MEMORY);
    with_turn(engine, state, |turn| {
        let best = search.best(turn.role).expect("a move");
        assert_eq!(search.report(turn.role).estimates[0].id, best);
        engine.move_term(best).1.spelled(engine.symbols())
    })
}

#[test]
fn a_win_in_one_is_taken_and_a_loss_in_one_is_prevented() {
    let engine = tictactoe();
    let threat = after(&engine, &["(sign 1 1)", "(sign 2 2)", "(sign 1 2)"]);
    assert_eq!(chosen(&engine, &threat, 200), "(sign 1 3)");
    let wins = after(&engine, &["(sign 1 1)", "(sign 2 2)", "(sign 1 2)", "(sign 3 3)"]);
    assert_eq!(chosen(&engine, &wins, 200), "(sign 1 3)");
    let noughts = ["(sign 1 1)", "(sign 2 2)", "(sign 3 3)", "(sign 2 1)", "(sign 1 2)"];
    assert_eq!(chosen(&engine, &after(&engine, &noughts), 200), "(sign 2 3)");
    // A win ends the search at once, and is known to be one.
    let mut search = guided(&engine, &wins);
    run(&mut search, 10_000, DEFAULT_MEMORY);
    let report = with_turn(&engine, &wins, |turn| search.report(turn.role));
    assert_eq!(report.estimates[0].certain, Some(100));
    assert!(report.effort.leaves + report.effort.certain < 100, "{:?}", report.effort);
    assert_eq!(report.main_line.len(), 1);
}

/// An end that is no win is not taken where more can be had.
#[test]
fn an_end_is_not_a_win() {
    let text = "(role crosses) (role noughts) (init (turn crosses))
        (<= (legal crosses (sign 1 ?n)) (true (turn crosses)) (number ?n)) (number 1) (number 2)
        (<= (legal noughts wait) (true (turn crosses)))
        (<= (legal crosses (sign 2 ?n)) (true (turn noughts)) (number ?n))
        (<= (legal noughts wait) (true (turn noughts)))
        (<= (next (signed 1 1 crosses)) (does crosses (sign 1 1)))
        (<= (next (turn noughts)) (does crosses (sign 1 2)))
        (<= (next (signed 2 ?n crosses)) (does crosses (sign 2 ?n)))
        (<= terminal (true (signed ?m ?n crosses)))
        (<= (goal crosses 30) (true (signed 1 1 crosses)))
        (<= (goal crosses 90) (true (signed 2 ?n crosses))) (goal noughts 0)";
    let engine = engine(text);
    assert_eq!(chosen(&engine, engine.initial(), 50), "(sign 1 2)");
}

/// A node of the first role, with edges of these priors, visits and totals.
fn node(state: u8, edges: &[(f32, u32, f32)]) -> Node {
    let edge = |(place, &(prior, visits, total)): (usize, &(f32, u32, f32))| Edge {
        id: MoveId(place as u32),
        prior,
        visits,
        total,
        child: Child::New,
    };
    Node {
        state: AnyState::new(state),
        mover: 0,
        joint: vec![MoveId(0)],
        goals: smallvec![0.5, 0.25],
        is_terminal: false,
        edges: edges.iter().enumerate().map(edge).collect(),
    }
}

/// The edge that is visited next in a tree of one node.
fn visited(node: Node) -> Option<usize> {
    let (mut tree, mut path) = (Tree::default(), Path::new());
    tree.add(node, 0);
    let found = tree.descend(&mut path);
    assert_eq!(found.is_some(), !path.is_empty());
    path.first().map(|&(_, place)| place)
}

#[test]
fn moves_are_visited_by_priors_and_results() {
    // The likely one; the one that did well; the one that was tried less.
    assert_eq!(visited(node(0, &[(0.3, 0, 0.0), (0.7, 0, 0.0)])), Some(1));
    assert_eq!(visited(node(0, &[(0.5, 4, 1.0), (0.5, 4, 3.0)])), Some(1));
    assert_eq!(visited(node(0, &[(0.5, 9, 4.5), (0.5, 1, 0.5)])), Some(1));
    // An untried move counts as the evaluation of the node: 0 + 0.21, or 0.9 + 0.21.
    let mut of_bad = node(0, &[(0.1, 1, 1.0), (0.1, 0, 0.0)]);
    of_bad.goals[0] = 0.0;
    assert_eq!(visited(of_bad.clone()), Some(0));
    of_bad.goals[0] = 0.9;
    assert_eq!(visited(of_bad), Some(1));
    // A move that leads nowhere is not taken again.
    let mut defect = node(0, &[(0.9, 0, 0.0), (0.1, 0, 0.0)]);
    defect.edges[0].child = Child::Nowhere;
    assert_eq!(visited(defect.clone()), Some(1));
    defect.edges[1].child = Child::Nowhere;
    assert_eq!(visited(defect), None);
}

#[test]
fn the_move_to_play_was_visited_most() {
    let best = |edges: &[(f32, u32, f32)]| node(0, edges).best_to_play();
    assert_eq!(best(&[(0.9, 3, 3.0), (0.1, 4, 0.0)]), Some(1));
    assert_eq!(best(&[(0.9, 4, 1.0), (0.1, 4, 2.0)]), Some(1));
    assert_eq!(best(&[(0.1, 0, 0.0), (0.9, 0, 0.0)]), Some(1));
    assert_eq!(best(&[]), None);
}

#[test]
fn a_way_is_counted_and_taken_back() {
    let (mut tree, mut path) = (Tree::default(), Path::new());
    tree.add(node(0, &[(1.0, 0, 0.0)]), 0);
    let before = tree.bytes();
    tree.add(node(1, &[(1.0, 0, 0.0)]), 100);
    assert!(tree.bytes() >= before + 100 + size_of::<Node>() + size_of::<Edge>());
    tree.nodes[1].mover = 1;
    tree.nodes[0].edges[0].child = Child::Node(1);
    assert_eq!(tree.descend(&mut path), Some(Child::New));
    assert_eq!(path, [(0, 0), (1, 0)]);
    tree.last(&path).child = Child::Awaited;
    tree.back_up(&path, &smallvec![0.25, 0.75]);
    let of = |tree: &Tree, node: NodeId| {
        let edge = &tree.nodes[node].edges[0];
        (edge.visits, edge.total)
    };
    assert_eq!((of(&tree, 0), of(&tree, 1)), ((1, 0.25), (1, 0.75)));
    assert_eq!(tree.descend(&mut path), Some(Child::Awaited));
    assert_eq!((of(&tree, 0).0, of(&tree, 1).0), (2, 2));
    tree.forget(&path);
    assert_eq!((of(&tree, 0), of(&tree, 1)), ((1, 0.25), (1, 0.75)));
    // Nobody goes on beyond an end.
    tree.nodes[1].is_terminal = true;
    assert_eq!(tree.descend(&mut path), Some(Child::Node(1)));
    assert_eq!(path, [(0, 0)]);
}

#[test]
fn random_moves_never_win() {
    let engine = tictactoe();
    let mut rng = seeded(11, 0);
    let mut wins = 0;
    for game in 0..20 {
        let mut search = Search::new(1, DEFAULT_MEMORY).guided_by(net()).with_playouts(32);
        let mut scratch = engine.scratch();
        while engine.terminal(&mut scratch) == Ok(false) {
            let state = engine.state(&scratch);
            let joint = engine.roles().iter().map(|role| {
                let mut legal = Vec::new();
                engine.legal(&mut scratch.clone(), role, &mut legal).expect("moves");
                match role.index() == game % 2 && legal.len() > 1 {
                    true => with_turn(&engine, &state, |turn| search.play(turn)),
                    false => legal[rng.random_range(0..legal.len())],
                }
            });
            let joint: Vec<MoveId> = joint.collect();
            engine.step(&mut scratch, &joint).expect("a legal step");
        }
        let goal = engine.goal(&mut scratch, RoleId((game % 2) as u16)).expect("a goal");
        assert!(goal >= 50, "game {game}");
        wins += usize::from(goal == 100);
    }
    assert!(wins > 10, "{wins}");
}

/// Alpha-beta search to depth 1 takes the move after which the net expects most of the mover.
#[test]
fn alpha_beta_estimates_by_the_net() {
    let (engine, net) = (tictactoe(), net());
    let state = after(&engine, &["(sign 2 2)"]);
    let mut search = Search::new(1, DEFAULT_MEMORY).by_alpha_beta_with(net.clone());
    // As many estimates as there are moves.
    search = search.with_playouts(8);
    let best = with_turn(&engine, &state, |turn| search.play(turn));
    let report = search.report().expect("a report");
    assert_eq!((report.effort.playouts, report.effort.leaves), (0, 8));
    let mut columns = Columns::new(net.clone(), &engine).expect("the net of the game");
    let mut expected: Vec<(f32, MoveId)> = Vec::new();
    for estimate in &report.estimates {
        let mut scratch = engine.scratch();
        engine.enter(&mut scratch, &state);
        let waits = named(&engine, &mut scratch.clone(), RoleId(0), "wait").expect("a move");
        engine.step(&mut scratch, &[waits, estimate.id]).expect("a legal step");
        let mut observation = Vec::new();
        let facts = engine.facts(&engine.state(&scratch));
        columns.observe(engine.symbols(), &facts, &mut observation);
        let (_, goals) = net.evaluate(observation).expect("an evaluation");
        expected.push((goals[1] - goals[0], estimate.id));
    }
    let most = expected.iter().max_by(|one, other| one.0.total_cmp(&other.0)).expect("moves");
    assert_eq!(best, most.1, "{expected:?}");
    let decided = search.decisions();
    assert_eq!(decided.of(Part::Search, "value net").map(|of| &*of.chosen), Some("yes"));
    // In another game it learns weights.
    let (engine, state) = (engine_of_connect4(), engine_of_connect4().initial().clone());
    let mut search = Search::new(1, DEFAULT_MEMORY).by_alpha_beta_with(net).with_playouts(100);
    with_turn(&engine, &state, |turn| search.play(turn));
    let decided = search.decisions();
    let said = decided.of(Part::Search, "value net").map(|of| of.chosen.clone().into_owned());
    assert!(said.expect("a decision").starts_with("no: it was learned for another game"));
    assert_eq!(decided.of(Part::Search, "searched").map(|of| &*of.chosen), Some("alpha-beta"));
}

/// Each visit of a node but the first one, which evaluated it, went on by one of its moves.
#[test]
fn visits_and_values_add_up() {
    let engine = tictactoe();
    let mut search = guided(&engine, engine.initial());
    run(&mut search, 500, DEFAULT_MEMORY);
    let tree = &search.tree;
    assert!(tree.nodes.len() > 100 && search.leaves.is_empty());
    let of = |node: NodeId| tree.nodes[node].edges.iter().map(|edge| edge.visits).sum::<u32>();
    let mut parents = vec![0; tree.nodes.len()];
    for node in &tree.nodes {
        let priors: f32 = node.edges.iter().map(|edge| edge.prior).sum();
        assert!(node.is_terminal || (priors - 1.0).abs() < 1e-4, "{priors}");
        assert!(node.goals.iter().all(|goal| (0.0..=1.0).contains(goal)));
        for edge in &node.edges {
            assert!(edge.total >= 0.0 && edge.total <= edge.visits as f32 + 1e-3, "{edge:?}");
            match edge.child {
                Child::Node(child) => {
                    parents[child] += 1;
                    match tree.nodes[child].is_terminal {
                        true => {
                            let goal = tree.nodes[child].goals[node.mover];
                            assert!((edge.total - goal * edge.visits as f32).abs() < 1e-2);
                        }
                        false => assert_eq!(edge.visits, of(child) + 1),
                    }
                }
                child => assert_eq!((child, edge.visits), (Child::New, 0)),
            }
        }
    }
    assert_eq!(parents[0], 0);
    assert!(parents[1..].iter().all(|&count| count == 1));
    let effort = search.effort;
    assert_eq!(effort.leaves + effort.certain, u64::from(of(0)) + 1);
    assert!((500..500 + LEAVES as u64).contains(&u64::from(of(0))), "{}", of(0));
}

#[test]
fn a_search_goes_on_from_the_state_that_play_comes_to() {
    let engine = tictactoe();
    let mut search = guided(&engine, engine.initial());
    run(&mut search, 400, DEFAULT_MEMORY);
    let next = after(&engine, &["(sign 2 2)", "(sign 1 1)"]);
    let before = search.tree.find(&next, 2).expect("it is in the tree");
    assert!(search.tree.find(&next, 1).is_none());
    let node = search.tree.nodes[before].clone();
    let visits = |node: &tree::Node| node.edges.iter().map(|edge| edge.visits).collect::<Vec<_>>();
    with_turn(&engine, &next, |turn| search.go_to(turn));
    let root = &search.tree.nodes[0];
    assert!(root.state == next && search.awaited.is_none());
    assert_eq!(visits(root), visits(&node));
    assert!(visits(root).iter().sum::<u32>() > 3 && search.tree.bytes() > 0);
    for node in &search.tree.nodes {
        for edge in &node.edges {
            let Child::Node(child) = edge.child else { continue };
            let mut joint = node.joint.clone();
            joint[node.mover] = edge.id;
            let mut scratch = engine.scratch();
            engine.enter(&mut scratch, &node.state);
            engine.step(&mut scratch, &joint).expect("a legal step");
            assert!(search.tree.nodes[child].state == engine.state(&scratch));
        }
    }
    run(&mut search, 100, DEFAULT_MEMORY);
    assert!(visits(&search.tree.nodes[0]).iter().sum::<u32>() >= 100);
    // A state that is not in the tree is begun with.
    let other = after(&engine, &["(sign 1 1)"]);
    with_turn(&engine, &other, |turn| search.go_to(turn));
    run(&mut search, 50, DEFAULT_MEMORY);
    assert!(search.tree.nodes[0].state == other);
}

#[test]
fn without_memory_the_move_is_the_one_that_the_net_prefers() {
    let engine = tictactoe();
    let mut search = guided(&engine, engine.initial());
    run(&mut search, 100, 0);
    let root = &search.tree.nodes[0];
    let most = root.edges.iter().max_by(|one, other| one.prior.total_cmp(&other.prior));
    assert_eq!(search.tree.nodes.len(), 1);
    assert_eq!(search.best(RoleId(0)), most.map(|edge| edge.id));
    assert_eq!(search.best(RoleId(1)), None);
}

#[test]
fn moves_that_the_net_does_not_know_are_the_least_likely() {
    let engine = tictactoe();
    let mut search = guided(&engine, engine.initial());
    engine.enter(&mut search.scratch, engine.initial());
    let mut node = search.look().expect("one role chooses").expect("a state");
    // The row of a policy in which the last action is no number.
    let mut policy: Vec<f32> = (0..9).map(|column| column as f32 / 4.0).collect();
    policy[8] = f32::NAN;
    search.set_priors(&mut node, &policy);
    let prior = |name: &str| {
        let id = named(&engine, &mut engine.scratch(), RoleId(0), name).expect("a move");
        node.edges.iter().find(|edge| edge.id == id).expect("an edge").prior
    };
    assert_eq!(prior("(sign 3 3)"), prior("(sign 1 1)"));
    assert!((prior("(sign 3 2)") / prior("(sign 1 1)") - (7.0f32 / 4.0).exp()).abs() < 1e-3);
    search.set_priors(&mut node, &[f32::NAN; 9]);
    assert!(node.edges.iter().all(|edge| (edge.prior - 1.0 / 9.0).abs() < 1e-6));
}

#[test]
fn goals_are_shares() {
    let given = [0.25, -1.0, 7.0, f32::NAN, f32::INFINITY];
    assert_eq!(given.map(|goal| share(&goal)), [0.25, 0.0, 1.0, 0.0, 1.0]);
}

#[test]
fn a_hidden_state_is_not_evaluated() {
    let engine = tictactoe();
    let sampler = Sampler::new(engine.clone(), RoleId(0), 4);
    with_turn(&engine, engine.initial(), |turn| {
        assert!(columns(&net(), turn).is_ok());
        let hidden = Turn { sampler: Some(&sampler), ..*turn };
        assert_eq!(columns(&net(), &hidden).err().as_deref(), Some("the state is hidden"));
    });
}

/// The decision about the value net, and the search of a game in its first state.
fn decided(text: &str) -> (Option<String>, Option<String>) {
    let engine = engine(text);
    let mut search = Search::new(1, DEFAULT_MEMORY).guided_by(net()).with_playouts(50);
    with_turn(&engine, engine.initial(), |turn| {
        assert!(turn.legal.contains(&search.play(turn)));
    });
    let decisions = search.decisions();
    let chosen = |subject| {
        let decision = decisions.of(Part::Search, subject);
        decision.map(|decision| decision.chosen.clone().into_owned())
    };
    (chosen("value net"), chosen("searched"))
}

#[test]
fn games_that_do_not_suit_are_searched_without_the_net() {
    let (net, searched) = decided(include_str!("../../../../../kif/tictactoe.kif"));
    assert_eq!(net.as_deref(), Some("yes"));
    assert_eq!(searched.as_deref(), Some("a tree, by a value net"));
    let (net, searched) = decided(include_str!("../../../../../kif/connect4.kif"));
    assert!(net.expect("a decision").starts_with("no: it was learned for another game"));
    assert_eq!(searched.as_deref(), Some("a tree"));
    let chance = "(role crosses) (role random) (init (turn crosses)) (legal crosses (sign 1 1))
        (legal crosses (sign 1 2)) (legal random heads) (legal random tails) (goal crosses 50)
        (<= (next over) (does random heads)) (<= (next over) (does crosses (sign 1 1)))
        (<= terminal (true over))";
    assert_eq!(decided(chance).0.as_deref(), Some("no: there is chance"));
    // Both roles choose in the second state.
    let text = "(role crosses) (role noughts) (init (turn crosses))
        (<= (legal crosses (sign 1 ?n)) (number ?n)) (number 1) (number 2)
        (<= (legal noughts wait) (true (turn crosses)))
        (<= (legal noughts (sign 1 ?n)) (true (turn noughts)) (number ?n))
        (<= (next (turn noughts)) (true (turn crosses))) (<= (next over) (true (turn noughts)))
        (<= terminal (true over)) (goal crosses 50) (goal noughts 50)";
    let (net, searched) = decided(text);
    assert_eq!(net.as_deref(), Some("no: several roles choose at once in some states"));
    assert_eq!(searched.as_deref(), Some("a tree"));
}
