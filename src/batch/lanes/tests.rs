//! Lanes beside the engine of single states, lane by lane and step by step.

use super::*;
use crate::budget::Budget;
use crate::engine::{Engine, GoalError, MoveId, RoleId};
use crate::gdl::Game;
use crate::net::Net;
use crate::play::seeded;
use crate::propnet::{Propnet, Scratch};
use hashbrown::HashMap;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

const SHEETS: [(&str, &str); 11] = [
    ("tictactoe", include_str!("../../../kif/tictactoe.kif")),
    ("connect4", include_str!("../../../kif/connect4.kif")),
    ("breakthrough", include_str!("../../../kif/breakthrough.kif")),
    ("draughts", include_str!("../../../kif/draughts.kif")),
    ("hex", include_str!("../../../kif/hex.kif")),
    ("light_cycles", include_str!("../../../kif/light_cycles.kif")),
    ("pig", include_str!("../../../kif/pig.kif")),
    ("nim", include_str!("../../../kif/nim.kif")),
    ("monty_hall", include_str!("../../../kif/monty_hall.kif")),
    ("both", BOTH),
    ("stuck", STUCK),
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
        let batch = Batch::of_net(game.clone(), net.clone()).with_width(width);
        let batch = Arc::new(batch.expect("an available width"));
        let lanes = BatchLanes::new(batch, lanes, 1, &Meter::unlimited()).expect("no limit");
        let engine = Propnet::of_net(game, net);
        let numbers = lanes.actions().cloned().zip(0..).collect();
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
        let (acting, actions) = (self.lanes.acting(), self.lanes.actions().len());
        let mut legal = vec![7; count * acting * actions];
        self.lanes.legal(&mut legal);
        let words = (acting * actions).div_ceil(64);
        let mut bits = vec![7; count * words];
        self.lanes.legal_bits(&mut bits);
        let (mut ended, mut to_move) = (vec![7; count], vec![7; count]);
        self.lanes.ended(&mut ended);
        self.lanes.to_move(&mut to_move);
        let mut goals = vec![7; count * roles.count()];
        self.lanes.goals(&mut goals);
        let facts: Vec<Term> = self.lanes.facts().cloned().collect();
        let mut observed = vec![7; count * facts.len()];
        self.lanes.observations(&mut observed);
        let mut observed_bits = vec![7; count * facts.len().div_ceil(64)];
        self.lanes.observation_bits(&mut observed_bits);
        for lane in 0..count {
            let state = self.engine.state(&self.scratches[lane]);
            let name = self.engine.game().name.clone();
            assert_eq!(self.lanes.save(lane), state, "{name}: lane {lane}");
            assert_eq!(self.lanes.age(lane), self.ages[lane]);
            let mut found = Vec::new();
            for (at, fact) in facts.iter().enumerate() {
                let byte = observed[lane * facts.len() + at];
                let word = observed_bits[lane * facts.len().div_ceil(64) + at / 64];
                assert_eq!(u64::from(byte), word >> (at % 64) & 1);
                if byte == 1 {
                    found.push(fact.clone());
                }
            }
            let mut expected = self.engine.facts(&state);
            expected.sort();
            assert_eq!(found, expected, "lane {lane}");
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
        self.lanes.step(&actions, ended).expect("legal actions");
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
                let ended = if step % 8 == 7 { Ended::Stay } else { Ended::Restart };
                pair.step(ended, step % 3 == 2);
                pair.compare();
            }
        }
    }
}
