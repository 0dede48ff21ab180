use super::*;
use gdlr_engine::engine::{Engine, seeded};
use gdlr_net::ground::Budget;
use gdlr_net::propnet::{Propnet, State};
use gdlr_rules::gdl::Game;

/// States to tell apart: those of a counter.
fn states(count: usize) -> Vec<State> {
    let facts: String = (0..count).map(|n| format!("(succ {n} {})", n + 1)).collect();
    let rules = "(role a) (init (at 0)) (legal a go) (goal a 0) (<= terminal (true (at end)))
        (<= (next (at ?y)) (true (at ?x)) (succ ?x ?y))";
    let game = Game::from_kif("counter", &format!("{rules} {facts}")).expect("a rulesheet");
    let engine = Propnet::new(game, &Budget::default()).expect("a net");
    let mut scratch = engine.scratch();
    let mut moves = Vec::new();
    let mut states = Vec::new();
    for _ in 0..count {
        states.push(engine.state(&scratch));
        engine.legal(&mut scratch, gdlr_engine::engine::RoleId(0), &mut moves).expect("a move");
        engine.step(&mut scratch, &moves).expect("a step");
    }
    states
}

fn found<'m>(
    state: &State,
    moves: &'m [Vec<MoveId>],
    terminal: Option<[u8; 2]>,
) -> NewState<'m, State> {
    NewState {
        state: state.clone(),
        terminal: terminal.map(|goals| goals.into_iter().collect()),
        moves,
    }
}

fn moves(counts: [u32; 2]) -> Vec<Vec<MoveId>> {
    counts.map(|count| (0..count).map(MoveId).collect()).to_vec()
}

fn tree_of(root: &State, moves: &[Vec<MoveId>]) -> Tree<State> {
    Tree::new(found(root, moves, None), None, root.bytes())
}

/// The path that chooses these arms at the root.
fn path(tree: &Tree<State>, joint: [u32; 2]) -> Path {
    Path(vec![(tree.root(), joint.into_iter().collect())])
}

fn lead(tree: &mut Tree<State>, joint: [u32; 2], to: NewState<'_, State>) {
    let path = path(tree, joint);
    let node = tree.expand(&path, to);
    tree.prove(&path, node);
}

#[test]
fn a_state_is_settled_by_its_best_move() {
    let (states, none) = (states(5), moves([0, 0]));
    let (three, one) = (moves([3, 1]), moves([1, 3]));
    let mut tree = tree_of(&states[0], &three);
    lead(&mut tree, [0, 0], found(&states[1], &none, Some([0, 100])));
    lead(&mut tree, [1, 0], found(&states[2], &none, Some([50, 50])));
    // The third may still be better.
    assert_eq!(tree.proven(tree.root()), None);
    lead(&mut tree, [2, 0], found(&states[3], &none, Some([0, 100])));
    assert_eq!(tree.proven(tree.root()).map(|g| g.to_vec()), Some(vec![50, 50]));
    let certain: Vec<Option<u8>> = tree.estimates(0).map(|e| e.certain).collect();
    assert_eq!(certain, [Some(0), Some(50), Some(0)]);
    // The second role chooses here: nothing is better than 100, whatever else there is.
    let mut tree = tree_of(&states[0], &one);
    lead(&mut tree, [0, 1], found(&states[1], &none, Some([0, 100])));
    assert_eq!(tree.proven(tree.root()).map(|g| g.to_vec()), Some(vec![0, 100]));
}

#[test]
fn what_several_roles_choose_is_not_settled() {
    let (states, none) = (states(5), moves([0, 0]));
    let both = moves([2, 2]);
    let mut tree = tree_of(&states[0], &both);
    lead(&mut tree, [0, 0], found(&states[1], &none, Some([100, 0])));
    assert_eq!(tree.proven(tree.root()), None);
}

#[test]
fn of_moves_that_bring_the_same_the_one_that_leaves_less_is_taken() {
    let (states, none) = (states(5), moves([0, 0]));
    let two = moves([2, 1]);
    let mut tree = tree_of(&states[0], &two);
    lead(&mut tree, [0, 0], found(&states[1], &none, Some([100, 50])));
    // Another one may leave less to the second role.
    assert!(tree.proven(tree.root()).is_none());
    lead(&mut tree, [1, 0], found(&states[2], &none, Some([100, 30])));
    assert_eq!(tree.proven(tree.root()).map(|g| g.to_vec()), Some(vec![100, 30]));
    assert_eq!(tree.best(tree.root(), 0).map(|best| best.id), Some(MoveId(1)));
    assert_eq!(tree.main_line(), [[MoveId(1), MoveId(0)]]);
    // And where all is lost, the one that was better while it was not known.
    let mut tree = tree_of(&states[0], &two);
    for (arm, reward) in [(0, 0.5), (1, 0.25)] {
        let path = path(&tree, [arm, 0]);
        tree.arm_mut(tree.root(), 0, arm).visits = 1;
        tree.reward(&path, &[reward, 0.5]);
        lead(&mut tree, [arm, 0], found(&states[1 + arm as usize], &none, Some([0, 100])));
    }
    assert_eq!(tree.best(tree.root(), 0).map(|best| best.id), Some(MoveId(0)));
}

#[test]
fn what_was_proven_on_another_way_is_known_on_this_one() {
    let (states, none) = (states(5), moves([0, 0]));
    let two = moves([2, 1]);
    let mut tree = tree_of(&states[0], &two);
    // 0 leads to 1 and 2, and both of them to 3, which is a win; 1 knows.
    lead(&mut tree, [0, 0], found(&states[1], &two, None));
    lead(&mut tree, [1, 0], found(&states[2], &two, None));
    let from = |tree: &mut Tree<State>, node, arm, to, goals| {
        let path = Path(vec![(node, [arm, 0].into_iter().collect())]);
        let node = tree.expand(&path, found(&states[to], &none, Some(goals)));
        (path, node)
    };
    let (one, two) = [1, 2].map(|at| tree.find(&states[at]).expect("a node")).into();
    let (path, win) = from(&mut tree, one, 0, 3, [100, 0]);
    from(&mut tree, two, 0, 3, [100, 0]);
    tree.prove(&path, win);
    // 2 comes to know that its other move loses, and with that what its first one brings.
    let (path, loss) = from(&mut tree, two, 1, 4, [0, 100]);
    tree.prove(&path, loss);
    assert_eq!(tree.proven(two).map(|goals| goals.to_vec()), Some(vec![100, 0]));
    let best = tree.best(two, 0).expect("a move");
    assert_eq!((best.id, best.certain), (MoveId(0), Some(100)));
}

#[test]
fn growing_from_a_node_keeps_what_follows_it() {
    let (states, two) = (states(6), moves([2, 1]));
    let both = moves([2, 2]);
    let mut tree = tree_of(&states[0], &two);
    let mut rng = seeded(1, 0);
    // 0 leads to 1 and 2, 1 to 3 and 4, by two roles; 3 leads to 5.
    lead(&mut tree, [0, 0], found(&states[1], &both, None));
    lead(&mut tree, [1, 0], found(&states[2], &two, None));
    let one = tree.find(&states[1]).expect("a node");
    for (joint, to, moves) in [([0u32, 1], 3, &two), ([1, 0], 4, &two)] {
        let path = Path(vec![(one, joint.into_iter().collect())]);
        tree.expand(&path, found(&states[to], moves, None));
    }
    let three = tree.find(&states[3]).expect("a node");
    let path = Path(vec![(three, [1u32, 0].into_iter().collect())]);
    tree.expand(&path, found(&states[5], &moves([0, 0]), Some([30, 70])));
    tree.reward(&path, &[0.5, 0.25]);
    tree.grow_from(one);
    assert_eq!(*tree.state(tree.root()), states[1]);
    assert_eq!(tree.find(&states[0]).or(tree.find(&states[2])), None);
    let child = |tree: &Tree<State>, at, joint: [u32; 2]| {
        tree.child(at, &joint.into_iter().collect()).map(|node| tree.state(node).clone())
    };
    assert_eq!(child(&tree, tree.root(), [0, 1]), Some(states[3].clone()));
    assert_eq!(child(&tree, tree.root(), [1, 0]), Some(states[4].clone()));
    assert_eq!(child(&tree, tree.root(), [1, 1]), None);
    let three = tree.find(&states[3]).expect("a node");
    assert_eq!(child(&tree, three, [1, 0]), Some(states[5].clone()));
    assert_eq!((tree.arms(three, 0)[1].reward, tree.arms(three, 1)[0].squares), (0.5, 0.0625));
    // The value is where it was.
    let mut path = Path::default();
    for _ in 0..20 {
        assert!(matches!(tree.descend(&mut path, &mut rng), Bottom::New | Bottom::Proven(_)));
    }
}

#[test]
fn what_came_to_nothing_is_not_counted() {
    let (states, two) = (states(2), moves([2, 1]));
    let mut tree = tree_of(&states[0], &two);
    let (mut path, mut rng) = (Path::default(), seeded(1, 0));
    assert_eq!(tree.descend(&mut path, &mut rng), Bottom::New);
    assert_eq!(tree.estimates(0).map(|e| e.visits).sum::<u32>(), 1);
    tree.forget(&path);
    assert!(tree.estimates(0).all(|e| e.visits == 0 && e.mean.is_none()));
    assert_eq!(tree.descend(&mut path, &mut rng), Bottom::New);
    tree.reward(&path, &[0.75, 0.25]);
    assert_eq!(tree.estimates(0).filter_map(|e| e.mean).collect::<Vec<_>>(), [75.0]);
}

#[test]
fn chance_draws_and_settles_only_what_it_cannot_change() {
    let (states, none) = (states(4), moves([0, 0]));
    let two = moves([1, 2]);
    let tree = |second: [u8; 2]| {
        let root = found(&states[0], &two, None);
        let mut tree = Tree::new(root, Some(RoleId(1)), 0);
        lead(&mut tree, [0, 0], found(&states[1], &none, Some([70, 100])));
        // A role that chose would be content with 100.
        assert!(tree.proven(tree.root()).is_none());
        lead(&mut tree, [0, 1], found(&states[2], &none, Some(second)));
        tree
    };
    assert!(!tree([30, 0]).is_done());
    assert_eq!(tree([70, 100]).proven(NodeId(0)).map(|g| g.to_vec()), Some(vec![70, 100]));
    let (mut tree, mut rng, mut path) = (tree([30, 0]), seeded(1, 0), Path::default());
    for _ in 0..1000 {
        assert!(matches!(tree.descend(&mut path, &mut rng), Bottom::Proven(_)));
        tree.reward(&path, &[0.5, 0.5]);
    }
    let visits: Vec<u32> = tree.estimates(1).map(|estimate| estimate.visits).collect();
    assert!(visits.iter().all(|&visits| visits > 400), "{visits:?}");
}

/// A root of two moves, each of which lets the second role choose between two ends: of the first
/// move, of the second.
fn two_choices(states: &[State], ends: [[[u8; 2]; 2]; 2]) -> Tree<State> {
    let (none, first, second) = (moves([0, 0]), moves([2, 1]), moves([1, 2]));
    let mut tree = tree_of(&states[0], &first);
    for (arm, ends) in (0..).zip(ends) {
        let to = 1 + 3 * arm as usize;
        let way = path(&tree, [arm, 0]);
        let node = tree.expand(&way, found(&states[to], &second, None));
        for (reply, end) in (0..).zip(ends) {
            let mut path = way.clone();
            path.0.push((node, [0, reply].into_iter().collect()));
            let end = found(&states[to + 1 + reply as usize], &none, Some(end));
            let end = tree.expand(&path, end);
            tree.prove(&path, end);
        }
    }
    tree
}

#[test]
fn of_moves_that_come_to_the_same_the_one_after_which_others_may_err_is_taken() {
    let states = states(7);
    // With both moves there is a draw, but after the second one the other role may lose.
    let (draw, loss) = ([50, 50], [100, 0]);
    for (ends, best, values) in [
        ([[draw, draw], [draw, loss]], 1, [50.0, 75.0]),
        ([[loss, draw], [draw, draw]], 0, [75.0, 50.0]),
    ] {
        let mut tree = two_choices(&states, ends);
        // While nothing was known the other one seemed better.
        let other = path(&tree, [1 - best, 0]);
        tree.arm_mut(tree.root(), 0, 1 - best).visits = 1;
        tree.reward(&other, &[1.0, 0.0]);
        tree.conclude();
        assert_eq!(tree.ties, values);
        let chosen = tree.best(tree.root(), 0).map(|best| (best.id, best.certain));
        assert_eq!(chosen, Some((MoveId(best), Some(50))));
    }
    // A move that is certain to be worse is not taken for a mistake of others.
    let mut tree = two_choices(&states, [[draw, draw], [[0, 100], loss]]);
    tree.conclude();
    assert_eq!(tree.best(tree.root(), 0).map(|best| best.id), Some(MoveId(0)));
    assert!(tree.ties.is_empty());
}

#[test]
fn one_goes_on_with_what_is_best_while_others_err() {
    let states = states(7);
    let (none, first, second) = (moves([0, 0]), moves([2, 1]), moves([1, 2]));
    let mut tree = tree_of(&states[0], &first);
    lead(&mut tree, [1, 0], found(&states[1], &none, Some([50, 50])));
    // After the first move one may take the same for sure, or hope that the other role errs.
    let mut path = path(&tree, [0, 0]);
    let own = tree.expand(&path, found(&states[2], &first, None));
    path.0.push((own, [0, 0].into_iter().collect()));
    let sure = tree.expand(&path, found(&states[3], &none, Some([50, 50])));
    tree.prove(&path, sure);
    path.0[1].1[0] = 1;
    let hope = tree.expand(&path, found(&states[4], &second, None));
    for (reply, to, goals) in [(0, 5, [40, 60]), (1, 6, [100, 0])] {
        let mut path = path.clone();
        path.0.push((hope, [0, reply].into_iter().collect()));
        let end = tree.expand(&path, found(&states[to], &none, Some(goals)));
        tree.prove(&path, end);
    }
    tree.conclude();
    assert_eq!(tree.proven(tree.root()).map(|goals| goals.to_vec()), Some(vec![50, 50]));
    assert_eq!(tree.ties, [50.0, 50.0]);
}
