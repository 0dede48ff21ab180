//! Lanes beside the engine of single states, lane by lane and step by step.

use super::*;
use crate::{Tuning, Width};
use gdlr_engine::engine::{
    CUT, ChildOutputs, Children, Encoded, Engine, ExpandError, GoalError, Moment, MoveId, NO_GOAL,
    Output, REFUSED, Refusal, RoleId, SKIP, TERMINAL,
};
use gdlr_engine::play::seeded;
use gdlr_net::net::Net;
use gdlr_net::propnet::{Propnet, Scratch};
use gdlr_rules::gdl::Game;
use gdlr_text::budget::Budget;
use hashbrown::HashMap;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

const SHEETS: [(&str, &str); 15] = [
    ("tictactoe", include_str!("../../../../kif/tictactoe.kif")),
    ("connect4", include_str!("../../../../kif/connect4.kif")),
    ("breakthrough", include_str!("../../../../kif/breakthrough.kif")),
    ("draughts", include_str!("../../../../kif/draughts.kif")),
    ("hex", include_str!("../../../../kif/hex.kif")),
    ("light_cycles", include_str!("../../../../kif/light_cycles.kif")),
    ("pig", include_str!("../../../../kif/pig.kif")),
    ("nim", include_str!("../../../../kif/nim.kif")),
    ("monty_hall", include_str!("../../../../kif/monty_hall.kif")),
    ("both", BOTH),
    ("stuck", STUCK),
    ("forced", FORCED),
    ("dealt", DEALT),
    ("idle", IDLE),
    ("dice", DICE),
];

/// Both roles choose at once, until they choose the same.
const BOTH: &str = "(role left) (role right) (init (at 0)) (succ 0 1) (succ 1 2) (succ 2 3)
    (number 1) (number 2) (number 3)
    (<= (legal ?r (say ?n)) (role ?r) (number ?n) (not (true (said ?r ?n))))
    (<= (next (said ?r ?n)) (does ?r (say ?n)))
    (<= (next (at ?m)) (true (at ?n)) (succ ?n ?m))
    (<= same (true (said left ?n)) (true (said right ?n)))
    (<= terminal same) (<= terminal (true (at 3)))
    (<= (goal ?r 100) (role ?r) same) (<= (goal ?r 10) (role ?r) (not same))";

/// After going far nobody can move, and nothing is said about it.
const STUCK: &str = "(role walker) (init (at 0)) (succ 0 1) (succ 1 2)
    (<= (legal walker go) (true (at ?n)) (succ ?n ?m)) (<= (legal walker end) (true (at 0)))
    (<= (next (at ?m)) (does walker go) (true (at ?n)) (succ ?n ?m))
    (<= (next over) (does walker end)) (<= terminal (true over)) (goal walker 50)";

/// Every other move is forced.
const FORCED: &str = "(role walker) (init (turn mine)) (init (at 0))
    (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
    (<= (legal walker (go ?n)) (true (turn mine)) (succ ?m ?n))
    (<= (legal walker rest) (true (turn its)))
    (<= (next (turn its)) (true (turn mine))) (<= (next (turn mine)) (true (turn its)))
    (<= (next (at ?n)) (does walker (go ?n)))
    (<= (next (at ?m)) (does walker rest) (true (at ?n)) (succ ?n ?m))
    (<= (next (at 5)) (does walker rest) (true (at 5)))
    (<= terminal (true (at 5))) (goal walker 50)";

/// By turns chance deals and a player guesses; chance is the first role.
const DEALT: &str = "(role random) (role guesser) (init (turn deal))
    (card 1) (card 2) (card 3)
    (<= (legal random (deal ?c)) (true (turn deal)) (card ?c))
    (<= (legal random wait) (true (turn guess)))
    (<= (legal guesser (guess ?c)) (true (turn guess)) (card ?c))
    (<= (legal guesser wait) (true (turn deal)))
    (<= (next (turn guess)) (true (turn deal))) (<= (next (turn deal)) (true (turn guess)))
    (<= (next (dealt ?c)) (does random (deal ?c)))
    (<= (next (dealt ?c)) (true (dealt ?c)) (true (turn deal)))
    (<= (next right) (does guesser (guess ?c)) (true (dealt ?c)))
    (<= terminal (true right)) (goal guesser 50) (goal random 0)";

/// Two turns, in the second of which all moves are forced; chance is the first role.
const IDLE: &str = "(role random) (role player) (init (turn play))
    (<= (legal player stop) (true (turn play))) (<= (legal player go) (true (turn play)))
    (<= (legal player wait) (true (turn idle)))
    (legal random wait)
    (<= (next (turn idle)) (true (turn play))) (<= (next (turn play)) (true (turn idle)))
    (<= (next over) (does player stop)) (<= terminal (true over))
    (goal player 50) (goal random 0)";

/// Three players and chance; the dice say who is next.
const DICE: &str = "(role a) (role b) (role c) (role random) (init (control random)) (init (at 0))
    (player a) (player b) (player c) (succ 0 1) (succ 1 2) (succ 2 3)
    (<= (legal ?p (put ?n)) (player ?p) (true (control ?p)) (succ ?m ?n))
    (<= (legal ?p wait) (player ?p) (not (true (control ?p))))
    (<= (legal random (roll ?p)) (true (control random)) (player ?p))
    (<= (legal random wait) (not (true (control random))))
    (<= (next (control ?p)) (does random (roll ?p)))
    (<= (next (control random)) (not (true (control random))))
    (<= (next (has ?p ?n)) (does ?p (put ?n)))
    (<= (next (has ?p ?n)) (true (has ?p ?n)))
    (<= (next (at ?n)) (true (at ?n)) (true (control random)))
    (<= (next (at ?m)) (true (at ?n)) (not (true (control random))) (succ ?n ?m))
    (<= terminal (true (at 3))) (<= (goal ?p 100) (true (has ?p 3)))
    (<= (goal ?p 0) (player ?p) (not (true (has ?p 3)))) (goal random 0)";

/// Lanes, and for each the engine of single states.
struct Pair {
    engine: Propnet,
    lanes: BatchLanes,
    scratches: Vec<Scratch>,
    ages: Vec<u64>,
    numbers: HashMap<Term, usize>,
    random: Xoshiro256PlusPlus,
}

impl Pair {
    fn new(name: &str, rules: &str, width: Width, lanes: usize) -> Pair {
        let game = Arc::new(Game::from_kif(name, rules).expect("a rulesheet"));
        let net = Net::of_game(game.clone(), &Budget::default()).expect("it is small");
        // Lanes of one block are as they ship; of more, they are more than the cache is taken to hold.
        let is_small = lanes > width.lanes();
        let tuning = if is_small { Tuning::small() } else { Tuning::default() };
        let no_limit = Meter::unlimited();
        let batch = Batch::tuned(width, &tuning, game.clone(), net.clone(), &no_limit);
        let batch = Arc::new(batch.expect("there is no limit"));
        let lanes = BatchLanes::new(batch, lanes, 1, &Meter::unlimited()).expect("no limit");
        let engine = Propnet::of_net(game, net);
        let numbers = lanes.vocabulary().moves.iter().cloned().zip(0..).collect();
        let scratches = vec![engine.scratch(); lanes.len()];
        let ages = vec![0; lanes.len()];
        Pair { engine, scratches, ages, numbers, random: seeded(3, 0), lanes }
    }

    fn legal(&mut self, lane: usize, role: RoleId) -> Vec<MoveId> {
        let mut legal = Vec::new();
        self.engine.legal(&mut self.scratches[lane], role, &mut legal).expect("no limit");
        legal
    }

    /// Compares all that lanes say.
    fn compare(&mut self) {
        let (count, roles) = (self.lanes.len(), self.engine.roles().clone());
        let (acting, actions) = (self.lanes.acting(), self.lanes.vocabulary().moves.len());
        let mut legal = vec![7; count * acting * actions];
        self.lanes.write(Output::Legal, Moment::Now, Encoded::Bytes(&mut legal));
        let words = (acting * actions).div_ceil(64);
        let mut bits = vec![7; count * words];
        self.lanes.write(Output::Legal, Moment::Now, Encoded::Bits(&mut bits));
        let (mut ended, mut to_move) = (vec![7; count], vec![7; count]);
        self.lanes.ended(&mut ended);
        self.lanes.to_move(&mut to_move);
        let mut goals = vec![7; count * roles.count()];
        self.lanes.goals(&mut goals);
        let facts = self.lanes.vocabulary().facts.clone();
        let mut observed = vec![7; count * facts.len()];
        self.lanes.write(Output::Observations, Moment::Now, Encoded::Bytes(&mut observed));
        let mut observed_bits = vec![7; count * facts.len().div_ceil(64)];
        self.lanes.write(Output::Observations, Moment::Now, Encoded::Bits(&mut observed_bits));
        for lane in 0..count {
            let state = self.engine.state(&self.scratches[lane]);
            let name = self.engine.game().name.clone();
            assert_eq!(self.lanes.save(lane), state, "{name}: lane {lane}");
            assert_eq!(self.lanes.age(lane), self.ages[lane]);
            let mut actual = Vec::new();
            for (at, fact) in facts.iter().enumerate() {
                let byte = observed[lane * facts.len() + at];
                let word = observed_bits[lane * facts.len().div_ceil(64) + at / 64];
                assert_eq!(u64::from(byte), word >> (at % 64) & 1);
                if byte == 1 {
                    actual.push(fact.clone());
                }
            }
            let mut expected = self.engine.facts(&state);
            expected.sort();
            assert_eq!(actual, expected, "lane {lane}");
            let is_terminal = self.engine.terminal(&mut self.scratches[lane]).expect("no limit");
            let of_roles: Vec<Vec<MoveId>> =
                roles.iter().map(|role| self.legal(lane, role)).collect();
            let is_stuck = !is_terminal && of_roles.iter().any(Vec::is_empty);
            assert_eq!(ended[lane], u8::from(is_terminal) | u8::from(is_stuck) << 1);
            let mut expected = vec![0u8; acting * actions];
            let mut fill = |row: usize, role: RoleId| {
                for &id in &of_roles[role.index()] {
                    let (_, term) = self.engine.move_term(id);
                    expected[row * actions + self.numbers[&term]] = 1;
                }
            };
            let mover = to_move[lane];
            match self.lanes.is_simultaneous() {
                _ if is_terminal || is_stuck => assert_eq!(mover, -1),
                true => roles
                    .iter()
                    .filter(|&role| roles.random() != Some(role))
                    .for_each(|role| fill(role.index(), role)),
                false => {
                    let mover = RoleId(mover as u16);
                    let chooses = |role: &RoleId| {
                        roles.random() != Some(*role) && of_roles[role.index()].len() > 1
                    };
                    let choosing: Vec<RoleId> = roles.iter().filter(chooses).collect();
                    assert!(choosing.is_empty() || choosing == [mover], "{name}: lane {lane}");
                    if roles.random() != Some(mover) {
                        fill(0, mover);
                    }
                }
            }
            let row = &legal[lane * acting * actions..][..acting * actions];
            assert_eq!(row, expected, "legal in lane {lane}");
            for (at, &byte) in row.iter().enumerate() {
                assert_eq!(u64::from(byte), bits[lane * words + at / 64] >> (at % 64) & 1);
            }
            for role in roles.iter() {
                let goal = match self.engine.payoff(&mut self.scratches[lane], role) {
                    _ if !is_terminal => 0,
                    Ok(goal) => goal,
                    Err(GoalError::Limit(_)) => unreachable!("there is none"),
                    Err(_) => NO_GOAL,
                };
                assert_eq!(goals[lane * roles.count() + role.index()], goal, "lane {lane}");
            }
        }
    }

    /// Plays actions at random on both sides; where chance chooses, the engine follows the lane.
    fn step(&mut self, ended: Ended, skips: bool) {
        let (count, roles) = (self.lanes.len(), self.engine.roles().clone());
        let acting = self.lanes.acting();
        let mut to_move = vec![0; count];
        self.lanes.to_move(&mut to_move);
        let mut actions = vec![0; count * acting];
        let mut joints = Vec::new();
        for lane in 0..count {
            let is_terminal = self.engine.terminal(&mut self.scratches[lane]).expect("no limit");
            let of_roles: Vec<Vec<MoveId>> =
                roles.iter().map(|role| self.legal(lane, role)).collect();
            if is_terminal || of_roles.iter().any(Vec::is_empty) {
                if ended == Ended::Restart {
                    self.engine.enter(&mut self.scratches[lane], self.engine.initial());
                    self.ages[lane] = 0;
                }
                joints.push(None);
                actions[lane * acting] = self.random.random_range(-5..5);
                continue;
            }
            if skips && self.random.random_range(0..4) == 0 {
                actions[lane * acting] = SKIP;
                joints.push(None);
                continue;
            }
            let mut joint = Vec::new();
            for (role, legal) in roles.iter().zip(&of_roles) {
                let id = legal[self.random.random_range(0..legal.len())];
                joint.push(id);
                let number = self.numbers.get(&self.engine.move_term(id).1);
                let row = match self.lanes.is_simultaneous() {
                    true => role.index(),
                    false if to_move[lane] == role.index() as i32 => 0,
                    false => continue,
                };
                actions[lane * acting + row] = number.map_or(0, |&number| number as i32);
            }
            self.ages[lane] += 1;
            joints.push(Some((joint, of_roles)));
        }
        self.lanes.step(&actions, ended, Refusal::Fail).expect("legal actions");
        for (lane, joint) in joints.into_iter().enumerate() {
            let Some((mut joint, of_roles)) = joint else { continue };
            let before = self.engine.state(&self.scratches[lane]);
            if let Some(chance) = roles.random() {
                let is_drawn = of_roles[chance.index()].iter().any(|&id| {
                    joint[chance.index()] = id;
                    self.engine.enter(&mut self.scratches[lane], &before);
                    self.engine.step(&mut self.scratches[lane], &joint).expect("a legal move");
                    self.engine.state(&self.scratches[lane]) == self.lanes.save(lane)
                });
                assert!(is_drawn, "chance plays a legal move in lane {lane}");
            } else {
                self.engine.step(&mut self.scratches[lane], &joint).expect("legal moves");
            }
        }
    }
}

impl Pair {
    /// Compares the children of all lanes with lanes that were put into states to which the engine
    /// comes from theirs, action by action.
    fn compare_children(&mut self) {
        let request =
            ChildOutputs { legal_bits: true, observations: true, to_move: true, goals: true };
        let mut children = Children::default();
        let roles = self.engine.roles().clone();
        let refused = match (self.lanes.is_simultaneous(), roles.random()) {
            (true, _) => Some(ExpandError::Simultaneous),
            (false, Some(_)) => Some(ExpandError::Chance),
            (false, None) => None,
        };
        let expanded = self.lanes.expand(request, &mut children);
        assert_eq!(expanded.err(), refused);
        if refused.is_some() {
            assert!(children.is_empty());
            return;
        }
        let actions = self.lanes.vocabulary().moves.len();
        let mut legal = vec![0; self.lanes.len() * actions];
        self.lanes.write(Output::Legal, Moment::Now, Encoded::Bytes(&mut legal));
        let mut to_move = vec![0; self.lanes.len()];
        self.lanes.to_move(&mut to_move);
        let (mut listed, mut states) = (Vec::new(), Vec::new());
        for (lane, row) in legal.chunks(actions).enumerate() {
            assert_eq!(children.first[lane], listed.len());
            let before = self.engine.state(&self.scratches[lane]);
            for action in (0..actions).filter(|&action| row[action] == 1) {
                let of_roles = roles.iter().map(|role| {
                    let legal = self.legal(lane, role);
                    let is_it = |id: &&MoveId| {
                        self.numbers.get(&self.engine.move_term(**id).1) == Some(&action)
                    };
                    let acts = to_move[lane] == role.index() as i32;
                    *if acts { legal.iter().find(is_it).expect("it is legal") } else { &legal[0] }
                });
                let joint: Vec<MoveId> = of_roles.collect();
                self.engine.step(&mut self.scratches[lane], &joint).expect("legal moves");
                states.push(self.engine.state(&self.scratches[lane]));
                self.engine.enter(&mut self.scratches[lane], &before);
                listed.push(action as i32);
            }
        }
        assert_eq!(children.actions, listed);
        assert_eq!(children.first[self.lanes.len()..], [listed.len()]);
        let batch = self.lanes.batch().clone();
        let count = listed.len();
        let mut others = BatchLanes::new(batch, count, 1, &Meter::unlimited()).expect("no limit");
        others.restore_many(states.iter().enumerate()).expect("states of the game");
        let mut expected = Children {
            first: children.first.clone(),
            actions: listed,
            ended: vec![7; count],
            legal_bits: vec![7; count * actions.div_ceil(64)],
            observations: vec![7; count * others.observed().len()],
            to_move: vec![7; count],
            goals: vec![7; count * roles.count()],
        };
        others.ended(&mut expected.ended);
        others.write(Output::Legal, Moment::Now, Encoded::Bits(&mut expected.legal_bits));
        others.write(Output::Observations, Moment::Now, Encoded::Bytes(&mut expected.observations));
        others.to_move(&mut expected.to_move);
        others.goals(&mut expected.goals);
        assert_eq!(children, expected, "{}", self.engine.game().name);
        self.lanes.expand(ChildOutputs::default(), &mut children).expect("as before");
        let bare = Children {
            first: expected.first,
            actions: expected.actions,
            ended: expected.ended,
            ..Children::default()
        };
        assert_eq!(children, bare);
    }

    /// Begins some lanes again, and puts some into states that other lanes are in.
    fn mix(&mut self) {
        let count = self.lanes.len();
        let mut reset: Vec<usize> =
            (0..count / 16).map(|_| self.random.random_range(0..count)).collect();
        reset.sort_unstable();
        reset.dedup();
        self.lanes.reset(&reset);
        for &lane in &reset {
            self.engine.enter(&mut self.scratches[lane], self.engine.initial());
            self.ages[lane] = 0;
        }
        for _ in 0..count / 16 {
            let (from, to) =
                (self.random.random_range(0..count), self.random.random_range(0..count));
            let state = self.lanes.save(from);
            self.lanes.restore(to, &state).expect("a state of the game");
            self.engine.enter(&mut self.scratches[to], &state);
            self.ages[to] = 0;
        }
        // Many at once, one of them twice.
        let mut named: Vec<(usize, State)> = (0..1 + count / 4)
            .map(|_| {
                let from = self.random.random_range(0..count);
                (self.random.random_range(0..count), self.lanes.save(from))
            })
            .collect();
        named.push((named[0].0, self.engine.initial().clone()));
        self.lanes
            .restore_many(named.iter().map(|(lane, state)| (*lane, state)))
            .expect("a state of the game");
        for (lane, state) in &named {
            self.engine.enter(&mut self.scratches[*lane], state);
            self.ages[*lane] = 0;
        }
    }
}

fn widths() -> impl Iterator<Item = Width> {
    Width::ALL.into_iter().filter(|width| width.is_available())
}

#[test]
fn lanes_are_games_of_their_own() {
    for (name, rules) in SHEETS {
        for width in widths() {
            // Not a multiple of any width; more than one block of each.
            let mut pair = Pair::new(name, rules, width, width.lanes() + 37);
            pair.compare();
            for step in 0..24 {
                if step % 5 == 4 {
                    pair.mix();
                    pair.compare();
                }
                let ended = if step % 8 == 7 { Ended::Stay } else { Ended::Restart };
                pair.step(ended, step % 3 == 2);
                if step % 6 == 3 {
                    pair.compare_children();
                }
                pair.compare();
            }
        }
    }
}

/// Lanes of tictactoe that have played so many steps, always the first legal action.
fn played(lanes: usize, steps: usize) -> BatchLanes {
    let (name, rules) = SHEETS[0];
    let mut lanes = Pair::new(name, rules, Width::best(), lanes).lanes;
    for _ in 0..steps {
        let actions = first_legal(&mut lanes);
        lanes.step(&actions, Ended::Restart, Refusal::Fail).expect("legal actions");
    }
    lanes
}

fn first_legal(lanes: &mut BatchLanes) -> Vec<i32> {
    let actions = lanes.vocabulary().moves.len();
    let mut legal = vec![0; lanes.len() * actions];
    lanes.write(Output::Legal, Moment::Now, Encoded::Bytes(&mut legal));
    let first = |row: &[u8]| row.iter().position(|&byte| byte == 1).map_or(SKIP, |at| at as i32);
    legal.chunks(actions).map(first).collect()
}

fn ends(lanes: &mut BatchLanes) -> Vec<u8> {
    let mut ended = vec![7; lanes.len()];
    lanes.ended(&mut ended);
    ended
}

#[test]
fn actions_that_are_not_legal() {
    for steps in [0, 1, 2] {
        let mut lanes = played(700, steps);
        let before: Vec<State> = (0..700).map(|lane| lanes.save(lane)).collect();
        let mut actions = first_legal(&mut lanes);
        let wrong = [(3, 9), (5, -2), (650, i32::MAX), (651, i32::MIN), (652, 0)];
        let wrong = &wrong[..if steps == 0 { 4 } else { 5 }];
        wrong.iter().for_each(|&(lane, action)| actions[lane] = action);
        let actual = lanes.step(&actions, Ended::Stay, Refusal::Fail).unwrap_err();
        let mut actual: Vec<(usize, i32)> = actual.iter().map(|of| (of.lane, of.action)).collect();
        actual.sort_unstable();
        assert_eq!(actual, wrong);
        assert!((0..700).all(|lane| lanes.save(lane) == before[lane]), "nothing is played");
        lanes.step(&actions, Ended::Stay, Refusal::End).unwrap_err();
        let is_wrong = |lane: usize| wrong.iter().any(|of| of.0 == lane);
        let ended = ends(&mut lanes);
        for lane in 0..700 {
            assert_eq!(ended[lane], if is_wrong(lane) { REFUSED } else { 0 }, "lane {lane}");
            assert_eq!(lanes.save(lane) == before[lane], is_wrong(lane), "lane {lane}");
        }
        let actions = first_legal(&mut lanes);
        assert_eq!(actions[3], SKIP, "nothing is legal there any more");
        lanes.step(&actions, Ended::Restart, Refusal::Fail).expect("legal actions");
        assert_eq!(ends(&mut lanes), vec![0; 700]);
        assert_eq!((lanes.age(3), lanes.age(4)), (0, steps as u64 + 2));
    }
}

#[test]
fn lanes_are_cut() {
    let mut lanes = played(700, 1);
    lanes.cut_after(Some(3));
    lanes.cut(&[2, 600]);
    let expected = |lane| if [2, 600].contains(&lane) { CUT } else { 0 };
    assert_eq!(ends(&mut lanes), (0..700).map(expected).collect::<Vec<u8>>());
    let mut last = vec![7; 700 * lanes.width(Output::Observations)];
    lanes.write(Output::Observations, Moment::End, Encoded::Bytes(&mut last));
    let rows = last.chunks(last.len() / 700).map(|row| row != vec![7; row.len()]);
    assert_eq!(rows.enumerate().filter(|of| of.1).map(|of| of.0).collect::<Vec<_>>(), [2, 600]);
    // The same in bits; nothing is legal there any more.
    let (width, words) = (last.len() / 700, (last.len() / 700).div_ceil(64));
    let mut bits = vec![7; 700 * words];
    lanes.write(Output::Observations, Moment::End, Encoded::Bits(&mut bits));
    for (lane, row) in bits.chunks(words).enumerate() {
        match lane {
            2 | 600 => (0..width).for_each(|at| {
                assert_eq!(row[at / 64] >> (at % 64) & 1, u64::from(last[lane * width + at]));
            }),
            _ => assert!(row.iter().all(|&word| word == 7), "lane {lane} is not over"),
        }
    }
    let width = lanes.width(Output::Legal);
    let mut legal = vec![7; 700 * width];
    lanes.write(Output::Legal, Moment::End, Encoded::Bytes(&mut legal));
    for (lane, row) in legal.chunks(width).enumerate() {
        let expected = if [2, 600].contains(&lane) { 0 } else { 7 };
        assert!(row.iter().all(|&byte| byte == expected), "lane {lane}");
    }
    for _ in 0..2 {
        let actions = first_legal(&mut lanes);
        lanes.step(&actions, Ended::Restart, Refusal::Fail).expect("legal actions");
    }
    // Those that were cut have begun again; the others have had three steps.
    let ended = ends(&mut lanes);
    let expected = |lane| if [2, 600].contains(&lane) { 0 } else { CUT };
    assert_eq!(ended, (0..700).map(expected).collect::<Vec<u8>>());
    lanes.reset_over();
    assert_eq!(ends(&mut lanes), vec![0; 700]);
    assert_eq!((lanes.age(0), lanes.age(2)), (0, 1));
    let initial = State::initial(lanes.batch().net());
    assert_eq!((lanes.save(0) == initial, lanes.save(2) == initial), (true, false));
}

#[test]
fn random_steps_are_those_of_playouts() {
    let (name, rules) = SHEETS[0];
    let mut lanes = Pair::new(name, rules, Width::best(), 4096).lanes;
    let (mut ended, mut goals) = (vec![0; 4096], vec![0; 2 * 4096]);
    let (mut games, mut steps, mut sum) = (0u64, 0u64, 0u64);
    for _ in 0..400 {
        lanes.step_at_random(Ended::Restart);
        lanes.ended(&mut ended);
        lanes.goals(&mut goals);
        for lane in (0..4096).filter(|&lane| ended[lane] == TERMINAL) {
            games += 1;
            steps += lanes.age(lane);
            sum += u64::from(goals[2 * lane]);
            assert_eq!(goals[2 * lane] + goals[2 * lane + 1], 100);
        }
    }
    let (length, goal) = (steps as f64 / games as f64, sum as f64 / games as f64);
    assert!(games > 150_000 && (7.60..7.65).contains(&length), "{games} games of {length}");
    assert!((64.4..65.2).contains(&goal), "crosses get {goal}");
    // Whatever ended elsewhere, there are no more blocks than are needed and one or two a phase.
    let one = lanes.bytes() / 4096;
    assert!(one < 2 * 55 * 8, "{one} bytes a lane");
}

#[test]
fn lanes_that_are_old_when_a_limit_is_set_are_cut() {
    let mut lanes = played(100, 3);
    lanes.restore(7, &State::initial(lanes.batch().net())).expect("a state of the game");
    assert_eq!(ends(&mut lanes), vec![0; 100]);
    lanes.cut_after(Some(2));
    let expected: Vec<u8> = (0..100).map(|lane| if lane == 7 { 0 } else { CUT }).collect();
    assert_eq!(ends(&mut lanes), expected);
}

#[test]
fn a_lane_may_be_reset_twice_at_once() {
    let mut lanes = played(100, 3);
    lanes.reset(&[5, 9, 5]);
    let initial = State::initial(lanes.batch().net());
    let actual: Vec<usize> = (0..100).filter(|&lane| lanes.save(lane) == initial).collect();
    assert_eq!(actual, [5, 9]);
}

#[test]
fn actions_are_forgotten_when_lanes_change() {
    let mut lanes = played(100, 1);
    let actions = first_legal(&mut lanes);
    lanes.choose(&actions, Ended::Stay).expect("legal actions");
    lanes.reset(&[3]);
    let before: Vec<State> = (0..100).map(|lane| lanes.save(lane)).collect();
    lanes.play();
    assert!((0..100).all(|lane| lanes.save(lane) == before[lane]), "nothing is played");
    let actions = first_legal(&mut lanes);
    lanes.choose(&actions, Ended::Stay).expect("legal actions");
    lanes.play();
    let before: Vec<State> = (0..100).map(|lane| lanes.save(lane)).collect();
    lanes.play();
    assert!((0..100).all(|lane| lanes.save(lane) == before[lane]), "and once only");
}

/// Steps that leave lanes out, begin them again or put them elsewhere do not scatter them.
#[test]
fn lanes_stay_together() {
    for (name, lanes, steps) in [("tictactoe", 900, 4000), ("dealt", 300, 2000)] {
        let rules = SHEETS.iter().find(|of| of.0 == name).expect("it is there").1;
        let mut pair = Pair::new(name, rules, Width::Portable, lanes);
        let phases = pair.lanes.batch().stepped().phases.len();
        assert!(phases > 1, "{name} has turns");
        // As many as all lanes fill, and one a phase; twice as many, where moving lanes into fewer
        // would cost as much.
        let needed = lanes.div_ceil(64) + phases;
        let mut sum = 0;
        let mut actions = vec![0; lanes];
        for step in 0..steps {
            let mut legal = vec![0; lanes * pair.numbers.len()];
            pair.lanes.write(Output::Legal, Moment::Now, Encoded::Bytes(&mut legal));
            for (action, row) in actions.iter_mut().zip(legal.chunks(pair.numbers.len())) {
                let start = pair.random.random_range(0..row.len());
                let mut tried = (start..row.len()).chain(0..start);
                let skips = pair.random.random_range(0..5) == 0;
                let legal = tried.find(|&at| row[at] == 1 && !skips);
                *action = legal.map_or(SKIP, |at| at as i32);
            }
            let ended = if step % 10 == 9 { Ended::Stay } else { Ended::Restart };
            pair.lanes.step(&actions, ended, Refusal::Fail).expect("legal actions");
            if step % 7 == 3 {
                pair.lanes.reset(&[0, 1, 2, 3, 4, 5, 6, 7, 8].map(|at| at * 31));
                let (from, to) =
                    (pair.random.random_range(0..lanes), pair.random.random_range(0..lanes));
                let state = pair.lanes.save(from);
                pair.lanes.restore(to, &state).expect("a state of the game");
                let states = [&state; 40].into_iter().enumerate();
                pair.lanes
                    .restore_many(states.map(|(at, state)| (at * 7, state)))
                    .expect("a state of the game");
            }
            let blocks = with_width!(AnyField, &pair.lanes.field, field => field.blocks());
            sum += blocks;
        }
        let most = 2 * needed * steps;
        assert!(sum <= most, "{name}: {sum} blocks in {steps} steps, more than {most}");
    }
}

/// Lanes that all go to another phase do so in their blocks; what is said about them is of it.
#[test]
fn all_lanes_at_once() {
    for width in widths() {
        let lanes = 2 * width.lanes() + 3;
        let mut pair = Pair::new(SHEETS[0].0, SHEETS[0].1, width, lanes);
        let before: Vec<State> = (0..lanes).map(|lane| pair.lanes.save(lane)).collect();
        let places = with_width!(AnyField, &pair.lanes.field, field => field.blocks());
        pair.lanes.step_at_random(Ended::Stay);
        let after: Vec<State> = (0..lanes).map(|lane| pair.lanes.save(lane)).collect();
        let mut there = vec![0; lanes * pair.numbers.len()];
        pair.lanes.write(Output::Legal, Moment::Now, Encoded::Bytes(&mut there));
        pair.lanes.restore_many(before.iter().enumerate()).expect("states of the game");
        assert!(
            (0..lanes)
                .all(|lane| pair.lanes.save(lane) == before[lane] && pair.lanes.age(lane) == 0)
        );
        pair.lanes.restore_many(after.iter().enumerate()).expect("states of the game");
        assert!((0..lanes).all(|lane| pair.lanes.save(lane) == after[lane]));
        let mut again = vec![0; there.len()];
        pair.lanes.write(Output::Legal, Moment::Now, Encoded::Bytes(&mut again));
        assert!(there == again, "the same moves are legal");
        let blocks = with_width!(AnyField, &pair.lanes.field, field => field.blocks());
        assert_eq!(blocks, places, "lanes stay where they are");
    }
}

#[test]
fn states_in_words() {
    let pair = Pair::new(SHEETS[0].0, SHEETS[0].1, Width::best(), 3);
    let latches = pair.lanes.batch().net().latches.len();
    let state = pair.lanes.save(1);
    let words: Vec<u64> = state.words().collect();
    assert_eq!(State::from_words(latches, &words), Some(state));
    assert_eq!(State::from_words(latches, &[&words[..], &[0]].concat()), None, "too many");
    assert_eq!(State::from_words(latches, &words[1..]), None, "too few");
    assert_eq!(State::from_words(65, &[0, 2]), None, "a latch that there is not");
    assert!(State::from_words(65, &[0, 1]).is_some_and(|state| state.words().eq([0, 1])));
    assert!(State::from_words(64, &[!0]).is_some());
    assert!(State::from_words(0, &[]).is_some());
}

#[test]
fn states_that_are_everybodys_turn() {
    const THREE: &str = "(role a) (role b) (role c) (init (turn a))
        (after a b) (after b c) (after c a) (number 1) (number 2)
        (<= (next (turn ?q)) (true (turn ?p)) (after ?p ?q))
        (<= (legal ?p (say ?n)) (true (turn ?p)) (number ?n))
        (<= (legal ?p wait) (role ?p) (not (true (turn ?p))))
        (<= (next (said ?n)) (does ?p (say ?n)))
        (<= terminal (true (said 1)) (true (turn a))) (goal a 1) (goal b 2) (goal c 3)";
    let mut lanes = Pair::new("three", THREE, Width::best(), 3).lanes;
    let latches = lanes.batch().net().latches.len();
    assert_eq!(lanes.batch().stepped().phases.len(), 3);
    let state = State::of_words(latches, &[!0]);
    let before = lanes.save(1);
    assert_eq!(lanes.restore(1, &state), Err(FactError::Unreachable(None)));
    let states = [(0, &before), (1, &state)];
    assert_eq!(lanes.restore_many(states), Err(FactError::Unreachable(None)));
    assert_eq!(lanes.save(1), before);
}

/// The percepts of all roles of the last step, in all lanes.
fn percepts(lanes: &mut BatchLanes) -> Vec<u8> {
    let mut out = vec![0; lanes.len() * lanes.width(Output::Percepts)];
    lanes.write(Output::Percepts, Moment::Now, Encoded::Bytes(&mut out));
    out
}

/// A random step in two halves tells the actions: given to lanes in the same states, they lead to
/// the same states, but for chance.
#[test]
fn what_was_chosen_at_random() {
    let hidden = ("krieg_tictactoe", include_str!("../../../../kif/krieg_tictactoe.kif"));
    for (name, rules) in SHEETS.into_iter().chain([hidden]) {
        for width in widths() {
            let mut pair = Pair::new(name, rules, width, width.lanes() + 37);
            let lanes = &mut pair.lanes;
            let mut chosen = vec![7; lanes.len() * lanes.acting()];
            lanes.chosen(&mut chosen);
            assert!(chosen.iter().all(|&action| action == SKIP), "nothing was chosen");
            for step in 0..16 {
                let ended = if step % 8 == 7 { Ended::Stay } else { Ended::Restart };
                let (mut same, mut whole) = (lanes.clone(), lanes.clone());
                lanes.choose_at_random(ended);
                lanes.chosen(&mut chosen);
                let mut over = vec![0; lanes.len()];
                lanes.ended(&mut over);
                assert_eq!(over, ends(&mut same), "{name}");
                for (row, &over) in chosen.chunks(lanes.acting()).zip(&over) {
                    assert!(over == 0 || row.iter().all(|&action| action == SKIP));
                }
                lanes.play();
                same.step(&chosen, ended, Refusal::Fail).expect("legal actions");
                for lane in 0..lanes.len() {
                    let is_as_old = lanes.age(lane) == same.age(lane);
                    assert!(is_as_old || chosen[lane * lanes.acting()] == SKIP, "{name}");
                    let has_chance = pair.engine.roles().random().is_some();
                    assert!(has_chance || lanes.save(lane) == same.save(lane), "{name}: {lane}");
                }
                // In one go it is the same step.
                whole.step_at_random(ended);
                if pair.engine.roles().random().is_none() {
                    assert!((0..lanes.len()).all(|lane| lanes.save(lane) == whole.save(lane)));
                    assert_eq!(percepts(lanes), percepts(&mut whole), "{name}");
                }
            }
        }
    }
}

/// Children are cut as their lanes would be, and lanes that are over have none.
#[test]
fn children_are_as_old_as_their_lanes() {
    for width in widths() {
        let mut pair = Pair::new("tictactoe", SHEETS[0].1, width, 40);
        let lanes = &mut pair.lanes;
        lanes.cut_after(Some(3));
        let one = |lanes: &mut BatchLanes, lane: usize| {
            let mut legal = vec![0; 40 * 9];
            lanes.write(Output::Legal, Moment::Now, Encoded::Bytes(&mut legal));
            let mut actions = vec![SKIP; 40];
            let first = legal[9 * lane..].iter().position(|&byte| byte == 1);
            actions[lane] = first.expect("one is legal") as i32;
            lanes.step(&actions, Ended::Stay, Refusal::Fail).expect("a legal action");
        };
        (0..2).for_each(|_| one(lanes, 5));
        (0..3).for_each(|_| one(lanes, 7));
        let mut children = Children::default();
        lanes
            .expand(ChildOutputs { legal_bits: true, ..ChildOutputs::default() }, &mut children)
            .unwrap();
        let of = |lane: usize| children.first[lane]..children.first[lane + 1];
        assert_eq!((of(4).len(), of(5).len(), of(7).len()), (9, 7, 0));
        assert!(children.ended[of(5)].iter().all(|&ended| ended == CUT));
        assert!(children.legal_bits[of(5)].iter().all(|&bits| bits == 0));
        assert!(children.ended[of(4)].iter().all(|&ended| ended == 0));
        assert_eq!(lanes.age(5), 2);
    }
}
