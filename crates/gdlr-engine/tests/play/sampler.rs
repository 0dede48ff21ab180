//! Samplers of hidden states, beside all states that there can be.

use gdlr_engine::engine::{AnyEngine, AnyScratch, AnyState, Engine, MoveId, RoleId, seeded};
use gdlr_engine::play::joint_moves::{self, JointMoves};
use gdlr_engine::play::sampler::*;
use gdlr_net::ground::Budget;
use gdlr_net::propnet::Propnet;
use gdlr_rules::gdl::{Game, Term};
use gdlr_tree::{Tree, TreeOptions};
use hashbrown::HashSet;
use rand_xoshiro::Xoshiro256PlusPlus;

const KRIEG: &str = include_str!("../../../../kif/krieg_tictactoe.kif");
const KUHN: &str = include_str!("../../../../kif/kuhn_poker.kif");
const MONTY_HALL: &str = include_str!("../../../../kif/monty_hall.kif");
const WHIST: &str = include_str!("../../../../kif/hidden_whist.kif");

fn net(text: &str) -> AnyEngine {
    let game = Game::from_kif("game", text).expect("a rulesheet");
    AnyEngine::new(Propnet::new(game, &Budget::default()).expect("a net"))
}

fn tree(text: &str) -> AnyEngine {
    let game = Game::from_kif("game", text).expect("a rulesheet");
    AnyEngine::new(Tree::new(game, &TreeOptions::default()).expect("trees"))
}

fn never() -> bool {
    false
}

/// The moves of all roles in a state.
fn legal(engine: &AnyEngine, scratch: &mut AnyScratch) -> Vec<Vec<MoveId>> {
    let moves = |role| {
        let mut moves = Vec::new();
        engine.legal(scratch, role, &mut moves).expect("moves");
        moves
    };
    engine.roles().iter().map(moves).collect()
}

/// A match that is played at random, with a sampler for each role.
struct Match {
    engine: AnyEngine,
    scratch: AnyScratch,
    information_states: InformationStates,
    samplers: Vec<Sampler>,
    /// Whether the samplers have no time.
    hurried: bool,
}

impl Match {
    fn new(engine: &AnyEngine, most: usize) -> Match {
        let information_states = InformationStates::nothing(engine.roles().count());
        let sampler = |role| Sampler::new(engine.clone(), role, most);
        let samplers = engine.roles().iter().map(sampler).collect();
        Match {
            engine: engine.clone(),
            scratch: engine.scratch(),
            information_states,
            samplers,
            hurried: false,
        }
    }

    /// Plays a joint move at random and tells the roles of it; `false` if the match is over.
    fn step(&mut self, rng: &mut Xoshiro256PlusPlus) -> bool {
        let mut joint = Vec::new();
        joint_moves::draw(&legal(&self.engine, &mut self.scratch), &mut joint, rng)
            && self.play(&joint, rng)
    }

    fn play(&mut self, joint: &[MoveId], rng: &mut Xoshiro256PlusPlus) -> bool {
        let Match { engine, scratch, information_states, samplers, hurried } = self;
        let told = Observation::of(engine, scratch, joint).expect("legal moves");
        information_states.add(engine, scratch, joint).expect("legal moves");
        engine.step(scratch, joint).expect("legal moves");
        let over = engine.terminal(scratch).expect("little work");
        for (sampler, told) in samplers.iter_mut().zip(told) {
            sampler.observe(told, over, rng, &|| *hurried).expect("moves of the game");
        }
        !over
    }

    fn situation(&self) -> Situation<AnyState> {
        Situation {
            state: self.engine.state(&self.scratch),
            information_states: self.information_states.clone(),
        }
    }
}

/// All situations after so many steps.
fn all(engine: &AnyEngine, depth: usize) -> Vec<HashSet<Situation<AnyState>>> {
    let information_states = InformationStates::nothing(engine.roles().count());
    let first = Situation { state: engine.initial().clone(), information_states };
    let mut levels = vec![HashSet::from([first])];
    let (mut scratch, mut joint) = (engine.scratch(), Vec::new());
    for depth in 0..depth {
        let mut next = HashSet::new();
        for Situation { state, information_states } in &levels[depth] {
            engine.enter(&mut scratch, state);
            let legal = legal(engine, &mut scratch);
            let mut joints = JointMoves::of(&legal);
            while joints.next(&mut joint) {
                engine.enter(&mut scratch, state);
                let mut information_states = information_states.clone();
                information_states.add(engine, &mut scratch, &joint).expect("legal moves");
                engine.step(&mut scratch, &joint).expect("legal moves");
                next.insert(Situation { state: engine.state(&scratch), information_states });
            }
        }
        levels.push(next);
    }
    levels
}

/// After the candidate's move and a door that opens, the car is twice as probably behind the
/// other one.
#[test]
fn two_doors_are_left_with_their_chances() {
    for engine in [net(MONTY_HALL), tree(MONTY_HALL)] {
        let (mut game, mut rng) = (Match::new(&engine, 100), seeded(1, 0));
        for _ in 0..3 {
            assert!(game.step(&mut rng));
        }
        let sampler = &game.samplers[0];
        assert!(sampler.is_whole() && !sampler.is_dry());
        let mut chances: Vec<f64> = sampler.candidates().map(|(_, chance)| chance).collect();
        chances.sort_by(f64::total_cmp);
        let [one, two] = chances[..] else { panic!("{chances:?}") };
        assert!((one - 1.0 / 3.0).abs() < 1e-9 && (two - 2.0 / 3.0).abs() < 1e-9, "{chances:?}");
        // And so they are drawn.
        let draws = 3000;
        let drawn = (0..draws).filter(|_| {
            let drawn = sampler.draw(&mut rng).expect("a candidate");
            sampler.candidates().any(|(one, chance)| one == drawn && chance < 0.5)
        });
        let part = drawn.count() as f64 / f64::from(draws);
        assert!((part - 1.0 / 3.0).abs() < 0.05, "{part}");
        let mut moves = Vec::new();
        game.samplers[0].legal(&mut moves);
        let names = moves.iter().map(|&id| engine.move_term(id).1.canonical(engine.symbols()));
        assert_eq!(names.collect::<HashSet<_>>(), ["switch", "stay"].map(String::from).into());
    }
}

/// With room for all, the candidates are the information set, no more and no less.
#[test]
fn with_room_it_is_the_information_set() {
    for (text, depth) in [(MONTY_HALL, 4), (KUHN, 3), (KRIEG, 3)] {
        let engine = net(text);
        let levels = all(&engine, depth);
        for seed in 0..10 {
            let (mut game, mut rng) = (Match::new(&engine, 100_000), seeded(seed, 0));
            for level in &levels[1..] {
                let goes_on = game.step(&mut rng);
                let truth = game.situation();
                for sampler in &game.samplers {
                    let role = sampler.role();
                    if engine.roles().random() == Some(role) {
                        continue;
                    }
                    assert!(sampler.is_whole());
                    let same = |other: &&Situation<AnyState>| {
                        let mut scratch = engine.scratch();
                        engine.enter(&mut scratch, &other.state);
                        other.information_states.of(role) == truth.information_states.of(role)
                            && engine.terminal(&mut scratch).expect("little work") != goes_on
                    };
                    let set: HashSet<&Situation<AnyState>> = level.iter().filter(same).collect();
                    let candidates: HashSet<_> = sampler.candidates().map(|(one, _)| one).collect();
                    assert_eq!(candidates, set);
                    assert!(candidates.contains(&truth));
                    let sum: f64 = sampler.candidates().map(|(_, chance)| chance).sum();
                    assert!((sum - 1.0).abs() < 1e-9, "{sum}");
                }
                if !goes_on {
                    break;
                }
            }
        }
    }
}

/// With little room, what there is agrees with what the role knows, and there is something.
#[test]
fn a_sample_agrees_with_what_the_role_knows() {
    for (text, most, seeds) in [(KRIEG, 8, 40), (WHIST, 5, 10), (KUHN, 2, 10), (KRIEG, 1, 20)] {
        let engine = net(text);
        for seed in 0..seeds {
            let (mut game, mut rng) = (Match::new(&engine, most), seeded(seed, 0));
            let mut goes_on = true;
            while goes_on {
                goes_on = game.step(&mut rng);
                let truth = game.situation();
                for sampler in &game.samplers {
                    if engine.roles().random() == Some(sampler.role()) {
                        continue;
                    }
                    assert!(!sampler.is_dry(), "{sampler:?}");
                    assert!(sampler.candidates().count() <= most);
                    for (candidate, chance) in sampler.candidates() {
                        let role = sampler.role();
                        assert_eq!(
                            candidate.information_states.of(role),
                            truth.information_states.of(role)
                        );
                        assert!(chance > 0.0);
                    }
                }
            }
        }
    }
}

#[test]
fn what_cannot_be_leaves_nothing() {
    let engine = net(MONTY_HALL);
    let symbols = engine.symbols();
    let term = |text: &str| {
        let document = gdlr_text::kif::read(text).expect("KIF");
        Term::from_expr(&document.items[0], symbols).expect("a term of the game")
    };
    let mut sampler = Sampler::new(engine.clone(), RoleId(0), 10);
    let mut rng = seeded(1, 0);
    let mut tell = |sampler: &mut Sampler, action: &str, percepts: &[&str], over: bool| {
        let percepts = percepts.iter().map(|text| term(text)).collect();
        sampler.observe(Observation::Own { action: term(action), percepts }, over, &mut rng, &never)
    };
    let error = tell(&mut sampler, "(open 1)", &[], false).expect_err("no move of the candidate");
    assert_eq!(error, ObservationError::NoMove(RoleId(0), term("(open 1)")));
    assert_eq!(sampler.history().len(), 0);
    // Nobody opens a door in the first step, nor is the match over.
    for (percepts, over) in [(&["(goat 1)"][..], false), (&[], true)] {
        let error = tell(&mut sampler, "wait", percepts, over).expect_err("impossible");
        assert_eq!((error, sampler.history().len()), (ObservationError::Impossible, 0));
    }
    tell(&mut sampler, "wait", &[], false).expect("a move");
    assert_eq!((sampler.candidates().count(), sampler.is_whole()), (3, true));
    // Percepts come in any order.
    assert!(!sampler.is_dry());
}

/// Who has no time finds nothing, and goes back when there is time again.
#[test]
fn who_ran_dry_goes_back() {
    let engine = net(KRIEG);
    for dry in 1..4 {
        let (mut game, mut rng) = (Match::new(&engine, 10), seeded(3, 0));
        for step in 0..4 {
            game.hurried = step < dry;
            assert!(game.step(&mut rng));
            for sampler in &game.samplers {
                assert_eq!((sampler.is_dry(), sampler.is_whole()), (game.hurried, false));
                assert_eq!(sampler.draw(&mut rng).is_none(), game.hurried);
            }
            let mut moves = Vec::new();
            game.samplers[0].legal(&mut moves);
            assert_eq!(moves.is_empty(), game.hurried);
        }
    }
}

/// A joint move that is told leaves nothing open.
#[test]
fn a_joint_move_tells_all() {
    let engine = net(KUHN);
    let mut sampler = Sampler::new(engine.clone(), RoleId(1), 10);
    let (mut scratch, mut rng) = (engine.scratch(), seeded(5, 0));
    while !engine.terminal(&mut scratch).expect("little work") {
        let mut joint = Vec::new();
        assert!(joint_moves::draw(&legal(&engine, &mut scratch), &mut joint, &mut rng));
        engine.step(&mut scratch, &joint).expect("legal moves");
        let terms = joint.iter().map(|&id| engine.move_term(id).1).collect();
        let over = engine.terminal(&mut scratch).expect("little work");
        sampler.observe(Observation::Joint(terms), over, &mut rng, &never).expect("moves");
        let candidates: Vec<_> = sampler.candidates().collect();
        assert_eq!((candidates.len(), candidates[0].1), (1, 1.0));
        assert_eq!(candidates[0].0.state, engine.state(&scratch));
    }
}

#[test]
fn another_engine_has_the_same_candidates() {
    let (trees, net) = (tree(KRIEG), net(KRIEG));
    let (mut game, mut rng) = (Match::new(&trees, 50), seeded(2, 0));
    assert!(game.step(&mut rng) && game.step(&mut rng));
    let facts = |sampler: &Sampler| {
        let mut facts: Vec<(Vec<String>, u64)> = sampler
            .candidates()
            .map(|(candidate, chance)| {
                let terms = sampler.engine().facts(&candidate.state);
                let symbols = sampler.engine().symbols();
                let mut texts: Vec<String> =
                    terms.iter().map(|term| term.canonical(symbols)).collect();
                texts.sort();
                (texts, (chance * 1e9) as u64)
            })
            .collect();
        facts.sort();
        facts
    };
    let before = facts(&game.samplers[0]);
    assert!(game.samplers[0].change_engine(&net));
    assert!(game.samplers[0].engine().is(&net));
    assert_eq!(facts(&game.samplers[0]), before);
}

/// A sampler that goes over to the net in the middle of a match has what one has that was on the
/// net all the time: the same states, and the same numbers for what roles know there.
#[test]
fn what_is_known_outlives_a_change_of_engine() {
    let candidates_of = |sampler: &Sampler| -> HashSet<(Vec<String>, InformationStates)> {
        let (engine, symbols) = (sampler.engine(), sampler.engine().symbols());
        let described = |(candidate, _): (&Situation<AnyState>, f64)| {
            let facts = engine.facts(&candidate.state);
            let mut facts: Vec<String> = facts.iter().map(|fact| fact.canonical(symbols)).collect();
            facts.sort();
            (facts, candidate.information_states.clone())
        };
        sampler.candidates().map(described).collect()
    };
    for text in [KRIEG, KUHN, MONTY_HALL] {
        let net = net(text);
        let (mut game, mut rng) = (Match::new(&net, 100_000), seeded(2, 0));
        let mut others = Match::new(&tree(text), 100_000).samplers;
        for step in 0..3 {
            let over = !game.step(&mut rng);
            assert!(!over || step == 2);
            for (sampler, other) in game.samplers.iter().zip(&mut others) {
                let told = sampler.history().last().expect("a step").clone();
                other.observe(told, over, &mut rng, &never).expect("what was played");
                assert_eq!(candidates_of(other), candidates_of(sampler), "before, step {step}");
                if step == 1 {
                    assert!(other.change_engine(&net));
                    assert_eq!(candidates_of(other), candidates_of(sampler), "after, step {step}");
                }
            }
        }
    }
}

/// Trees try joint moves one by one, a net many at once.
#[test]
fn many_tries_at_once_find_what_one_by_one_finds() {
    for (text, depth) in [(KRIEG, 4), (WHIST, 5), (MONTY_HALL, 4)] {
        let (trees, net) = (tree(text), net(text));
        let (mut game, mut rng) = (Match::new(&net, 100_000), seeded(4, 0));
        let mut others = Match::new(&trees, 100_000).samplers;
        for _ in 0..depth {
            let over = !game.step(&mut rng);
            for (sampler, other) in game.samplers.iter().zip(&mut others) {
                let told = sampler.history().last().expect("a step").clone();
                other.observe(told, over, &mut rng, &never).expect("what was played");
                assert!(sampler.is_whole() && other.is_whole());
                let (found, expected) = (by_facts(sampler), by_facts(other));
                assert_eq!(found.len(), expected.len());
                for ((found, chance), (facts, expected)) in found.iter().zip(&expected) {
                    assert_eq!(found, facts);
                    assert!((chance - expected).abs() < 1e-9, "{chance} {expected}");
                }
            }
            if over {
                break;
            }
        }
    }
}

/// The facts of candidates, as text, with their chances; sorted.
fn by_facts(sampler: &Sampler) -> Vec<(Vec<String>, f64)> {
    let described = |(candidate, chance): (&Situation<AnyState>, f64)| {
        let (terms, symbols) =
            (sampler.engine().facts(&candidate.state), sampler.engine().symbols());
        let mut texts: Vec<String> = terms.iter().map(|term| term.canonical(symbols)).collect();
        texts.sort();
        (texts, chance)
    };
    let mut all: Vec<_> = sampler.candidates().map(described).collect();
    all.sort_by(|(facts, chance), (others, other)| facts.cmp(others).then(chance.total_cmp(other)));
    all
}

/// The percepts of many joint moves at once are those of the moves one by one.
#[test]
fn percepts_of_many_joint_moves_are_those_of_each() {
    for engine in [net(KRIEG), net(WHIST), tree(MONTY_HALL), net(MONTY_HALL)] {
        let (mut scratch, mut joint, mut tries) = (engine.scratch(), Vec::new(), Vec::new());
        for Situation { state, .. } in all(&engine, 2).into_iter().flatten() {
            engine.enter(&mut scratch, &state);
            let legal = legal(&engine, &mut scratch);
            let mut joints = JointMoves::of(&legal);
            while joints.next(&mut joint) {
                tries.push((state.clone(), joint.clone()));
            }
        }
        // More than a word has bits, and no multiple of that.
        let tries: Vec<_> = tries.iter().cycle().take(tries.len().min(100) + 101).collect();
        let asked: Vec<_> = tries.iter().map(|(state, joint)| (state, &joint[..])).collect();
        let mut one_by_one = |(place, (state, joint)): (usize, &(&AnyState, &[MoveId]))| {
            engine.enter(&mut scratch, state);
            (place, engine.percepts(&mut scratch, joint).expect("legal moves"))
        };
        let seen: Vec<_> = asked.iter().enumerate().map(&mut one_by_one).collect();
        for role in engine.roles().iter() {
            let mut told: HashSet<Option<Vec<Term>>> =
                seen.iter().map(|(_, seen)| Some(seen[role.index()].clone())).collect();
            // A move is no percept.
            told.extend([None, Some(vec![engine.move_term(asked[0].1[0]).1])]);
            for told in told {
                let agrees = |(_, seen): &&(usize, Vec<Vec<Term>>)| {
                    told.as_ref().is_none_or(|told| *told == seen[role.index()])
                };
                let expected: Vec<_> = seen.iter().filter(agrees).cloned().collect();
                let mut agreeing = Vec::new();
                let mut add = |place, seen: &[Vec<Term>]| agreeing.push((place, seen.to_vec()));
                engine.agreeing(&mut scratch, &asked, role, told.as_deref(), &mut add);
                assert_eq!(agreeing, expected);
            }
        }
    }
}
