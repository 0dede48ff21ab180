//! Games in lanes beside the engine of single states, on every public rulesheet that is set up
//! soon: facts, masks, whose turn it is, ends and goals, lane by lane and step by step. Lanes begin
//! again, are left out of steps, and are put into states of other lanes, at random.

use crate::rulesheets;
use gdlr::batch::{Batch, BatchLanes, Width};
use gdlr::budget::Budget;
use gdlr::engine::{
    Encoded, Ended, Engine, GoalError, Lanes, Moment, MoveId, NO_GOAL, Output, Refusal, RoleId,
    SKIP, STUCK as IS_STUCK, TERMINAL, seeded,
};
use gdlr::gdl::{Game, Term};
use gdlr::net::Net;
use gdlr::notation;
use gdlr::propnet::{Propnet, Scratch, State};
use hashbrown::HashMap;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Rulesheets that take longer are passed over, and so is the rest of a game that does.
const SET_UP: Duration = Duration::from_millis(1000);
const PLAY: Duration = Duration::from_secs(1);

/// More than the narrowest width has.
const LANES: usize = 70;
const STEPS: usize = 12;

/// Why there is nothing to compare.
enum Passed {
    /// The rules are refused.
    Refused,
    /// They take too long.
    TooLarge,
}

/// Lanes, and for each the engine of single states.
struct Pair {
    name: String,
    engine: Propnet,
    lanes: BatchLanes,
    scratches: Vec<Scratch>,
    /// By move: which action it is.
    actions: HashMap<Term, usize>,
    /// By fact: its place.
    facts: HashMap<Term, usize>,
    /// By lane: what all roles may have seen of its last step, by what chance may have done.
    seen: Vec<Vec<Vec<Vec<Term>>>>,
    random: Xoshiro256PlusPlus,
}

impl Pair {
    fn new(path: &Path, width: Width) -> Result<Pair, Passed> {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let bytes = std::fs::read(path).expect("a readable rulesheet");
        let document = notation::read_bytes(&bytes).map_err(|_| Passed::Refused)?;
        let game = Game::from_document(&name, document, Default::default());
        let game = Arc::new(game.map_err(|_| Passed::Refused)?);
        let meter = Budget { time: SET_UP, ..Budget::default() }.start();
        let net = Net::within(game.clone(), &meter).map_err(|_| Passed::TooLarge)?;
        let batch = Batch::within(game.clone(), net.clone(), &meter);
        let batch = batch.map_err(|_| Passed::TooLarge)?.with_width(width);
        let batch = Arc::new(batch.expect("an available width"));
        let lanes = BatchLanes::new(batch, LANES, 1, &meter).map_err(|_| Passed::TooLarge)?;
        let engine = Propnet::within(game, net, &meter).map_err(|_| Passed::TooLarge)?;
        let actions = lanes.vocabulary().moves.iter().cloned().zip(0..).collect();
        let facts = lanes.vocabulary().facts.iter().cloned().zip(0..).collect();
        let scratches = vec![engine.scratch(); LANES];
        let seen = vec![vec![vec![Vec::new(); engine.roles().count()]]; LANES];
        Ok(Pair { name, engine, lanes, scratches, actions, facts, seen, random: seeded(7, 0) })
    }

    /// Puts the engine of a lane into a state, of the way to which nobody saw anything.
    fn enter(&mut self, lane: usize, state: &State) {
        self.engine.enter(&mut self.scratches[lane], state);
        self.seen[lane] = vec![vec![Vec::new(); self.engine.roles().count()]];
    }

    /// Compares what roles saw of the last step.
    fn compare_percepts(&mut self) {
        let roles = self.engine.roles().clone();
        let terms = self.lanes.vocabulary().percepts.to_vec();
        let width = roles.count() * terms.len();
        let mut out = vec![7; LANES * width];
        self.lanes.write(Output::Percepts, Moment::Now, Encoded::Bytes(&mut out));
        let words = width.div_ceil(64);
        let mut bits = vec![7; LANES * words];
        self.lanes.write(Output::Percepts, Moment::Now, Encoded::Bits(&mut bits));
        let mut last = vec![7; LANES * width];
        self.lanes.write(Output::Percepts, Moment::End, Encoded::Bytes(&mut last));
        let mut ended = vec![7; LANES];
        self.lanes.ended(&mut ended);
        for lane in 0..LANES {
            let row = &out[lane * width..][..width];
            let mut percepts = vec![Vec::new(); roles.count()];
            for (at, _) in row.iter().enumerate().filter(|of| *of.1 == 1) {
                percepts[at / terms.len()].push(terms[at % terms.len()].clone());
            }
            percepts.iter_mut().for_each(|of_role| of_role.sort());
            let at = format!("{}, lane {lane}", self.name);
            assert!(
                self.seen[lane].contains(&percepts),
                "{at}: {percepts:?} of {:?}",
                self.seen[lane]
            );
            let words = &bits[lane * words..][..words];
            let is_set = |place: usize| words[place / 64] >> (place % 64) & 1 == 1;
            assert!(row.iter().enumerate().all(|(at, &byte)| is_set(at) == (byte == 1)), "{at}");
            let expected = if ended[lane] == 0 { vec![7; width] } else { row.to_vec() };
            assert_eq!(last[lane * width..][..width], expected, "{at}");
        }
    }

    /// By role: its legal moves.
    fn legal(&mut self, lane: usize) -> Vec<Vec<MoveId>> {
        let roles = self.engine.roles().clone();
        let of_role = |role: RoleId| {
            let mut legal = Vec::new();
            let scratch = &mut self.scratches[lane];
            self.engine.legal(scratch, role, &mut legal).expect("no limit");
            legal
        };
        roles.iter().map(of_role).collect()
    }

    /// Compares all that lanes say; returns the legal moves of each lane that is not over, and
    /// whose turn it is.
    fn compare(&mut self) -> Vec<Option<(i32, Vec<Vec<MoveId>>)>> {
        self.compare_percepts();
        let roles = self.engine.roles().clone();
        let (acting, actions) = (self.lanes.acting(), self.actions.len());
        let mut masks = vec![7; LANES * acting * actions];
        let mut observed = vec![7; LANES * self.facts.len()];
        let (mut ended, mut to_move) = (vec![7; LANES], vec![7; LANES]);
        let mut goals = vec![7; LANES * roles.count()];
        self.lanes.write(Output::Legal, Moment::Now, Encoded::Bytes(&mut masks));
        self.lanes.write(Output::Observations, Moment::Now, Encoded::Bytes(&mut observed));
        self.lanes.ended(&mut ended);
        self.lanes.to_move(&mut to_move);
        self.lanes.goals(&mut goals);
        let mut choices = Vec::new();
        for lane in 0..LANES {
            let at = format!("{}, lane {lane}", self.name);
            let state = self.engine.state(&self.scratches[lane]);
            assert_eq!(self.lanes.save(lane), state, "{at}");
            let row = &observed[lane * self.facts.len()..][..self.facts.len()];
            let facts = self.engine.facts(&state);
            assert!(facts.iter().all(|fact| row[self.facts[fact]] == 1), "facts in {at}");
            assert_eq!(row.iter().filter(|&&byte| byte == 1).count(), facts.len(), "{at}");

            let is_terminal = self.engine.terminal(&mut self.scratches[lane]).expect("no limit");
            let of_roles = self.legal(lane);
            let is_stuck = !is_terminal && of_roles.iter().any(Vec::is_empty);
            let end = if is_terminal { TERMINAL } else { u8::from(is_stuck) * IS_STUCK };
            assert_eq!(ended[lane], end, "{at}");
            for role in roles.iter().filter(|&role| roles.random() != Some(role)) {
                let goal = match self.engine.payoff(&mut self.scratches[lane], role) {
                    _ if !is_terminal => 0,
                    Ok(goal) => goal,
                    Err(GoalError::Limit(_)) => unreachable!("there is none"),
                    Err(_) => NO_GOAL,
                };
                assert_eq!(goals[lane * roles.count() + role.index()], goal, "goals in {at}");
            }

            let mover = to_move[lane];
            let mut expected = vec![0u8; acting * actions];
            for role in roles.iter().filter(|&role| roles.random() != Some(role)) {
                let legal = &of_roles[role.index()];
                let row = match self.lanes.is_simultaneous() {
                    _ if end != 0 => continue,
                    true => role.index(),
                    false if mover == role.index() as i32 => 0,
                    false => {
                        assert_eq!(legal.len(), 1, "who is not to move waits: {at}");
                        continue;
                    }
                };
                for &id in legal {
                    expected[row * actions + self.actions[&self.engine.move_term(id).1]] = 1;
                }
            }
            let is_named = end == 0 && !self.lanes.is_simultaneous();
            assert_eq!(mover >= 0, is_named, "{at}");
            assert_eq!(masks[lane * acting * actions..][..acting * actions], expected, "{at}");
            choices.push((end == 0).then_some((mover, of_roles)));
        }
        choices
    }

    /// Plays at random on both sides; where chance chooses, the engine follows the lane.
    fn step(&mut self, ended: Ended, legal: Vec<Option<(i32, Vec<Vec<MoveId>>)>>) {
        let roles = self.engine.roles().clone();
        let acting = self.lanes.acting();
        let mut actions = vec![0; LANES * acting];
        let mut joints = Vec::new();
        for (lane, legal) in legal.into_iter().enumerate() {
            let actions = &mut actions[lane * acting..][..acting];
            let Some((mover, of_roles)) = legal else {
                if ended == Ended::Restart {
                    self.enter(lane, &self.engine.initial().clone());
                }
                joints.push(None);
                continue;
            };
            if self.random.random_range(0..8) == 0 {
                actions[0] = SKIP;
                joints.push(None);
                continue;
            }
            let mut joint = Vec::new();
            for (role, legal) in roles.iter().zip(&of_roles) {
                let id = legal[self.random.random_range(0..legal.len())];
                joint.push(id);
                let row = match self.lanes.is_simultaneous() {
                    true => role.index(),
                    false if mover == role.index() as i32 => 0,
                    false => continue,
                };
                let action = self.actions.get(&self.engine.move_term(id).1);
                actions[row] = action.map_or(0, |&action| action as i32);
            }
            joints.push(Some((joint, of_roles)));
        }
        let played = self.lanes.step(&actions, ended, Refusal::Fail);
        assert!(played.is_ok(), "{}: {played:?}", self.name);
        for (lane, joint) in joints.into_iter().enumerate() {
            let Some((mut joint, of_roles)) = joint else { continue };
            let scratch = &mut self.scratches[lane];
            self.seen[lane].clear();
            let (before, after) = (self.engine.state(scratch), self.lanes.save(lane));
            let chance = roles.random();
            let drawn = chance.map_or(vec![None], |of| {
                of_roles[of.index()].iter().map(|&id| Some((of, id))).collect()
            });
            for draw in drawn {
                if let Some((chance, id)) = draw {
                    joint[chance.index()] = id;
                }
                self.engine.enter(scratch, &before);
                let mut seen = self.engine.percepts(scratch, &joint).expect("legal moves");
                seen.iter_mut().for_each(|of_role| of_role.sort());
                self.engine.step(scratch, &joint).expect("legal moves");
                if chance.is_none() || self.engine.state(scratch) == after {
                    self.seen[lane].push(seen);
                }
            }
            let is_drawn = !self.seen[lane].is_empty();
            assert!(is_drawn, "chance plays a legal move: {}, lane {lane}", self.name);
            if chance.is_some() {
                self.engine.enter(scratch, &after);
            }
        }
    }

    /// Begins some lanes again, and puts some into states of others, one by one and together.
    fn mix(&mut self) {
        let mut some =
            || -> [usize; 4] { std::array::from_fn(|_| self.random.random_range(0..LANES)) };
        let (reset, [from, to, ..], froms, tos) = (some(), some(), some(), some());
        self.lanes.reset(&reset);
        for lane in reset {
            self.enter(lane, &self.engine.initial().clone());
        }
        let state = self.lanes.save(from);
        self.lanes.restore(to, &state).expect("a state of the game");
        self.enter(to, &state);
        let states: Vec<(usize, State)> =
            tos.into_iter().zip(froms.map(|from| self.lanes.save(from))).collect();
        self.lanes
            .restore_many(states.iter().map(|(lane, state)| (*lane, state)))
            .expect("a state of the game");
        for (lane, state) in &states {
            self.enter(*lane, state);
        }
    }
}

/// Compares the lanes of a game with the engine; returns how many steps.
fn compare(path: &Path, width: Width) -> Result<usize, Passed> {
    let mut pair = Pair::new(path, width)?;
    let begin = Instant::now();
    for step in 0..STEPS {
        let legal = pair.compare();
        let ended = if step % 5 == 4 { Ended::Stay } else { Ended::Restart };
        pair.step(ended, legal);
        if step % 4 == 3 {
            pair.mix();
        }
        if begin.elapsed() > PLAY {
            pair.compare();
            return Ok(step + 1);
        }
    }
    pair.compare();
    Ok(STEPS)
}

/// The percepts of roles after a step, where these are all that they are told.
#[test]
fn percepts_of_bundled_games() {
    let widths: Vec<Width> = Width::ALL.into_iter().filter(|width| width.is_available()).collect();
    let mut compared = 0;
    for (game, at) in gdlr::bundled::GAMES.iter().zip(0..) {
        if !game.text.contains("(sees ") {
            continue;
        }
        let path =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("kif").join(game.name).with_extension("kif");
        let steps = compare(&path, widths[at % widths.len()]);
        assert!(steps.is_ok_and(|steps| steps > 1), "{}", game.name);
        compared += 1;
    }
    assert_eq!(compared, 4);
}

#[test]
fn lanes_of_operations() {
    let widths: Vec<Width> = Width::ALL.into_iter().filter(|width| width.is_available()).collect();
    for (at, path) in rulesheets::operations().iter().enumerate() {
        let steps = compare(path, widths[at % widths.len()]);
        assert!(steps.is_ok_and(|steps| steps > 1), "{}", path.display());
    }
}

#[test]
fn lanes_of_every_rulesheet() {
    let Some(corpus) = rulesheets::corpus() else { return };
    let paths = rulesheets::files(&corpus, "kif");
    let widths: Vec<Width> = Width::ALL.into_iter().filter(|width| width.is_available()).collect();
    let next = AtomicUsize::new(0);
    let [compared, whole, too_large, refused] = [const { AtomicUsize::new(0) }; 4];
    let work = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(path) = paths.get(at) else { return };
            let count = match compare(path, widths[at % widths.len()]) {
                Ok(STEPS) => {
                    whole.fetch_add(1, Ordering::Relaxed);
                    &compared
                }
                Ok(_) => &compared,
                Err(Passed::TooLarge) => &too_large,
                Err(Passed::Refused) => &refused,
            };
            count.fetch_add(1, Ordering::Relaxed);
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        work();
    });
    let [compared, whole, too_large, refused] =
        [compared, whole, too_large, refused].map(AtomicUsize::into_inner);
    eprintln!(
        "{compared} rulesheets compared, {whole} of them for {STEPS} steps; {too_large} take more \
         than {SET_UP:?} to set up, {refused} are refused"
    );
    assert!(2 * compared > paths.len(), "most rulesheets are small");
}
