//! Lanes on any engine, one after the other.

use super::children::{Asked, Children, ExpandError};
use super::contract::Lanes;
use super::numbered::NumberedEngine;
use super::signals::{CUT, Ended, FAILED, Illegal, NO_GOAL, REFUSED, SKIP, STUCK, TERMINAL};
use crate::engine::{
    AnyEngine, AnyScratch, AnyState, Engine, FactError, MoveId, RoleId, WorkLimit, choose, seeded,
};
use gdlr_rules::gdl::Term;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::fmt;
use std::sync::Arc;

/// Where a move has no number, or that is not known yet.
const NO_ACTION: u32 = u32::MAX;
const UNKNOWN: u32 = u32::MAX - 1;

/// Games in lanes on any engine, each with working memory of its own.
///
/// It is for games that have no net: a step takes as long as the engine takes for all lanes. Where
/// no player has a choice, it is the turn of the first whose only move is not one with which it
/// waits; a role that has one legal move where all act at once plays that, whatever is said.
///
/// ```
/// # mod gdlr {
/// #     pub use gdlr_text::budget;
/// #     pub use gdlr_engine::engine;
/// #     pub use gdlr_rules::gdl;
/// #     pub use gdlr_net::ground;
/// #     pub use gdlr_tree as tree;
/// # }
/// use gdlr::budget::Meter;
/// use gdlr::engine::{AnyEngine, Ended, EngineLanes, Lanes, NumberedEngine, Refusal};
/// use gdlr::gdl::Game;
/// use gdlr::ground::vocabulary;
/// use gdlr::tree::{Tree, TreeOptions};
/// use std::sync::Arc;
///
/// let game = Game::from_kif("nim", include_str!("../../../../../kif/nim.kif")).unwrap();
/// let words = vocabulary(game.clone(), 1000, &Meter::unlimited()).unwrap();
/// let engine = AnyEngine::new(Tree::new(game, &TreeOptions::default()).unwrap());
/// let engine = Arc::new(NumberedEngine::new(engine, words));
/// let mut lanes = EngineLanes::new(engine, 3, 1);
/// let mut legal = vec![0; 3 * lanes.actions().len()];
/// lanes.legal(&mut legal);
/// let first = legal.iter().position(|&byte| byte == 1).unwrap() as i32;
/// lanes.step(&[first; 3], Ended::Restart, Refusal::Fail).unwrap();
/// assert_eq!(lanes.age(2), 1);
/// ```
#[derive(Clone)]
pub struct EngineLanes {
    numbered: Arc<NumberedEngine>,
    lanes: Vec<Lane>,
    observed: Vec<Option<u32>>,
    /// By fact: where it is observed.
    columns: Vec<Vec<u32>>,
    /// By move of the engine: its action, or one of the two above.
    actions: Vec<u32>,
    random: Xoshiro256PlusPlus,
    illegal: Vec<Illegal>,
    is_chosen: bool,
    most_steps: Option<u64>,
}

/// What becomes of a lane in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Goes,
    Begins,
    Stays,
}

#[derive(Clone)]
struct Lane {
    scratch: AnyScratch,
    /// Where its draws of chance come from.
    seed: u64,
    age: u64,
    /// How it ended beside what the state says.
    marks: u8,
    /// What the state says, if it was looked at.
    look: Option<Look>,
    /// What roles saw of the last step: places in a row of all roles.
    seen: Vec<u32>,
    fate: Fate,
    /// The moves of the next step; that of chance is drawn when it is played.
    joint: Vec<MoveId>,
}

/// What there is to say about a state.
#[derive(Clone)]
struct Look {
    /// [`TERMINAL`], [`STUCK`], [`FAILED`] or 0.
    ended: u8,
    /// Whose turn it is; -1 where all act at once.
    mover: i32,
    /// By role.
    legal: Vec<Vec<MoveId>>,
}

impl EngineLanes {
    /// So many lanes, all in the initial state. The same seed gives the same draws of chance in
    /// each lane.
    pub fn new(numbered: Arc<NumberedEngine>, lanes: usize, seed: u64) -> EngineLanes {
        let lane = Lane {
            scratch: numbered.engine().scratch(),
            seed: 0,
            age: 0,
            marks: 0,
            look: None,
            seen: Vec::new(),
            fate: Fate::Stays,
            joint: Vec::new(),
        };
        let mut made = EngineLanes {
            lanes: vec![lane; lanes],
            observed: Vec::new(),
            columns: Vec::new(),
            actions: Vec::new(),
            random: seeded(seed, 0),
            illegal: Vec::new(),
            is_chosen: false,
            most_steps: None,
            numbered,
        };
        made.observe((0..made.facts().len() as u32).map(Some).collect());
        made.seed(seed);
        made
    }

    /// What is played.
    pub fn engine(&self) -> &Arc<NumberedEngine> {
        &self.numbered
    }

    fn any(&self) -> &AnyEngine {
        self.numbered.engine()
    }

    /// The action of a move.
    fn action(&mut self, id: MoveId) -> u32 {
        if self.actions.len() <= id.index() {
            self.actions.resize(id.index() + 1, UNKNOWN);
        }
        let action = &mut self.actions[id.index()];
        if *action == UNKNOWN {
            *action = self.numbered.number(id).unwrap_or(NO_ACTION);
        }
        *action
    }

    /// Looks at the state of a lane, if that was not done.
    fn look(&mut self, lane: usize) {
        if self.lanes[lane].look.is_none() {
            let failed = Look { ended: FAILED, mover: -1, legal: Vec::new() };
            let look = self.look_anew(lane).unwrap_or(failed);
            self.lanes[lane].look = Some(look);
        }
        let Lane { age, marks, look, .. } = &mut self.lanes[lane];
        let may_go_on = look.as_ref().is_some_and(|look| look.ended == 0) && *marks == 0;
        if may_go_on && self.most_steps.is_some_and(|most| *age >= most) {
            *marks = CUT;
        }
    }

    fn look_anew(&mut self, lane: usize) -> Result<Look, WorkLimit> {
        let numbered = self.numbered.clone();
        let engine = numbered.engine();
        let scratch = &mut self.lanes[lane].scratch;
        let mut look = Look { ended: 0, mover: -1, legal: Vec::new() };
        if engine.terminal(scratch)? {
            look.ended = TERMINAL;
            return Ok(look);
        }
        for role in engine.roles().iter() {
            let mut legal = Vec::new();
            engine.legal(scratch, role, &mut legal)?;
            if legal.is_empty() {
                look.ended = STUCK;
            }
            look.legal.push(legal);
        }
        if look.ended != 0 {
            return Ok(look);
        }
        if numbered.is_simultaneous() {
            for role in numbered.players() {
                self.keep_numbered(&mut look, role);
            }
            return Ok(look);
        }
        let has_choice = |role: &RoleId| look.legal[role.index()].len() > 1;
        let mut choosing = numbered.players().filter(has_choice);
        let mover = match (choosing.next(), choosing.next()) {
            (Some(role), None) => Some(role),
            (Some(_), Some(_)) => {
                look.ended = FAILED;
                return Ok(look);
            }
            (None, _) => {
                let acts = |role: &RoleId| !numbered.waits(*role, look.legal[role.index()][0]);
                numbered.players().find(acts).or(numbered.players().next())
            }
        };
        if let Some(role) = mover {
            look.mover = i32::from(role.0);
            self.keep_numbered(&mut look, role);
        }
        Ok(look)
    }

    /// Drops the moves of a role that have no number; it can play none of them.
    fn keep_numbered(&mut self, look: &mut Look, role: RoleId) {
        let legal = &mut look.legal[role.index()];
        legal.retain(|&id| self.action(id) != NO_ACTION);
        if legal.is_empty() {
            look.ended = FAILED;
        }
    }

    /// How a lane ended, or 0.
    fn end(&mut self, lane: usize) -> u8 {
        self.look(lane);
        let Lane { look, marks, .. } = &self.lanes[lane];
        match look.as_ref().map_or(0, |look| look.ended) {
            0 => *marks,
            ended => ended,
        }
    }

    /// The legal moves of a role, in a lane that was looked at.
    fn legal_of(&self, lane: usize, role: RoleId) -> &[MoveId] {
        let look = self.lanes[lane].look.as_ref();
        look.and_then(|look| look.legal.get(role.index())).map_or(&[], |legal| legal)
    }

    /// Chooses the moves of a lane by the actions of one lane; says which are not legal.
    fn choose_in(&mut self, lane: usize, actions: &[i32], ended: Ended) {
        self.lanes[lane].joint.clear();
        self.lanes[lane].fate = match (self.end(lane), ended) {
            (0, _) if actions[0] == SKIP => Fate::Stays,
            (0, _) => Fate::Goes,
            (_, Ended::Restart) => Fate::Begins,
            (_, Ended::Stay) => Fate::Stays,
        };
        if self.lanes[lane].fate != Fate::Goes {
            return;
        }
        let numbered = self.numbered.clone();
        let mover = self.lanes[lane].look.as_ref().map_or(-1, |look| look.mover);
        for role in numbered.engine().roles().iter() {
            let legal = self.legal_of(lane, role).to_vec();
            let is_chance = numbered.engine().roles().random() == Some(role);
            let action = match numbered.is_simultaneous() {
                _ if is_chance => None,
                true => (legal.len() > 1).then(|| actions[role.index()]),
                false => (mover == i32::from(role.0)).then(|| actions[0]),
            };
            let id = match action {
                // Chance draws later.
                None => Some(legal[0]),
                Some(action) => {
                    legal.into_iter().find(|&id| i64::from(self.action(id)) == i64::from(action))
                }
            };
            match (id, action) {
                (Some(id), _) => self.lanes[lane].joint.push(id),
                (None, action) => {
                    let action = action.unwrap_or(SKIP);
                    self.illegal.push(Illegal { lane, role: role.0, action });
                }
            }
        }
    }

    /// Draws a move of every role in a lane that is not over.
    fn draw_all(&mut self, lane: usize, ended: Ended) {
        self.lanes[lane].fate = match (self.end(lane), ended) {
            (0, _) => Fate::Goes,
            (_, Ended::Restart) => Fate::Begins,
            (_, Ended::Stay) => Fate::Stays,
        };
        if self.lanes[lane].fate == Fate::Goes {
            let mut random = self.random.clone();
            let roles = self.any().roles().iter();
            let drawn = roles.map(|role| choose(self.legal_of(lane, role), &mut random));
            self.lanes[lane].joint = drawn.map(|id| id.expect("each has a legal move")).collect();
            self.random = random;
        }
    }

    /// Draws the move of chance, from the seed of the lane.
    fn draw(&mut self, lane: usize) {
        let Some(chance) = self.any().roles().random() else { return };
        let mut stream = Xoshiro256PlusPlus::seed_from_u64(self.lanes[lane].seed);
        let drawn = choose(self.legal_of(lane, chance), &mut stream);
        self.lanes[lane].seed = stream.next_u64();
        self.lanes[lane].joint[chance.index()] = drawn.expect("it has a legal move");
    }

    /// Plays the moves of a lane, or begins it again.
    fn advance(&mut self, at: usize) {
        let numbered = self.numbered.clone();
        let engine = numbered.engine();
        let width = self.percept_terms().len() as u32;
        let lane = &mut self.lanes[at];
        match lane.fate {
            Fate::Stays => {}
            Fate::Begins => self.put(at, engine.initial()),
            Fate::Goes => {
                let seen = match width {
                    0 => Ok(Vec::new()),
                    _ => engine.percepts(&mut lane.scratch, &lane.joint),
                };
                let played = seen.and_then(|seen| {
                    engine.step(&mut lane.scratch, &lane.joint)?;
                    Ok(seen)
                });
                let Ok(seen) = played else {
                    lane.marks = FAILED;
                    return;
                };
                lane.seen.clear();
                for (role, percepts) in (0..).zip(&seen) {
                    let places = percepts.iter().filter_map(|term| numbered.percept(term));
                    lane.seen.extend(places.map(|place| role * width + place));
                }
                lane.age += 1;
                lane.look = None;
            }
        }
        self.lanes[at].fate = Fate::Stays;
    }

    /// Puts a lane into a state.
    fn put(&mut self, at: usize, state: &AnyState) {
        let numbered = self.numbered.clone();
        let lane = &mut self.lanes[at];
        numbered.engine().enter(&mut lane.scratch, state);
        (lane.age, lane.marks, lane.look) = (0, 0, None);
        lane.seen.clear();
    }

    /// Says of each column that is observed in a lane.
    fn each_observed(&self, lane: usize, mut say: impl FnMut(usize)) {
        let engine = self.any();
        for fact in engine.facts(&engine.state(&self.lanes[lane].scratch)) {
            let columns = self.numbered.fact(&fact).map(|fact| &self.columns[fact as usize]);
            columns.into_iter().flatten().for_each(|&column| say(column as usize));
        }
    }

    /// Writes what was asked about the only lane as a child.
    fn tell_child(&mut self, asked: Asked, children: &mut Children, child: usize) {
        let (words, bytes) = (self.actions().len().div_ceil(64), self.observed.len());
        let roles = self.roles();
        if asked.legal_bits {
            self.legal_bits(&mut children.legal_bits[child * words..][..words]);
        }
        if asked.observations {
            self.observations(&mut children.observations[child * bytes..][..bytes]);
        }
        if asked.to_move {
            self.to_move(&mut children.to_move[child..=child]);
        }
        if asked.goals {
            self.goals(&mut children.goals[child * roles..][..roles]);
        }
    }

    /// Says of each place in the row of a lane at which an action is legal.
    fn each_legal(&mut self, lane: usize, mut say: impl FnMut(usize)) {
        if self.end(lane) != 0 {
            return;
        }
        let (numbered, count) = (self.numbered.clone(), self.actions().len());
        let mover = self.lanes[lane].look.as_ref().map_or(-1, |look| look.mover);
        for role in numbered.players() {
            let row = match numbered.is_simultaneous() {
                true => role.index(),
                false if mover == i32::from(role.0) => 0,
                false => continue,
            };
            for at in 0..self.legal_of(lane, role).len() {
                let id = self.legal_of(lane, role)[at];
                say(row * count + self.action(id) as usize);
            }
        }
    }
}

/// Sets the bit at a place.
fn set(words: &mut [u64], place: usize) {
    words[place / 64] |= 1 << (place % 64);
}

impl Lanes for EngineLanes {
    fn len(&self) -> usize {
        self.lanes.len()
    }

    fn roles(&self) -> usize {
        self.any().roles().count()
    }

    fn actions(&self) -> &[Term] {
        &self.numbered.vocabulary().moves
    }

    fn is_simultaneous(&self) -> bool {
        self.numbered.is_simultaneous()
    }

    fn facts(&self) -> &[Term] {
        &self.numbered.vocabulary().facts
    }

    fn observed(&self) -> &[Option<u32>] {
        &self.observed
    }

    fn observe(&mut self, facts: Vec<Option<u32>>) {
        self.columns = vec![Vec::new(); self.facts().len()];
        for (fact, column) in facts.iter().zip(0..) {
            if let Some(fact) = *fact {
                self.columns[fact as usize].push(column);
            }
        }
        self.observed = facts;
    }

    fn percept_terms(&self) -> &[Term] {
        &self.numbered.vocabulary().percepts
    }

    fn seed(&mut self, seed: u64) {
        self.random = seeded(seed, 0);
        for lane in &mut self.lanes {
            lane.seed = self.random.next_u64();
        }
    }

    fn seed_lane(&mut self, lane: usize, seed: u64) {
        self.lanes[lane].seed = seed;
    }

    fn choose(&mut self, actions: &[i32], ended: Ended) -> Result<(), &[Illegal]> {
        assert_eq!(actions.len(), self.len() * self.acting(), "an action for each lane");
        self.illegal.clear();
        self.is_chosen = true;
        let acting = self.acting();
        for lane in 0..self.len() {
            self.choose_in(lane, &actions[lane * acting..][..acting], ended);
        }
        if self.illegal.is_empty() { Ok(()) } else { Err(&self.illegal) }
    }

    fn illegal(&self) -> &[Illegal] {
        &self.illegal
    }

    fn play(&mut self) {
        if !std::mem::take(&mut self.is_chosen) {
            return;
        }
        for &Illegal { lane, .. } in &self.illegal {
            self.lanes[lane].marks = REFUSED;
            self.lanes[lane].fate = Fate::Stays;
        }
        for lane in 0..self.len() {
            if self.lanes[lane].fate == Fate::Goes {
                self.draw(lane);
            }
            self.advance(lane);
        }
    }

    fn choose_at_random(&mut self, ended: Ended) {
        self.is_chosen = true;
        self.illegal.clear();
        (0..self.len()).for_each(|lane| self.draw_all(lane, ended));
    }

    fn chosen(&mut self, out: &mut [i32]) {
        let acting = self.acting();
        assert_eq!(out.len(), self.len() * acting);
        out.fill(SKIP);
        let numbered = self.numbered.clone();
        for (lane, row) in out.chunks_mut(acting).enumerate() {
            let Lane { fate, look, joint, .. } = &self.lanes[lane];
            let is_whole = joint.len() == self.roles();
            if !self.is_chosen || *fate != Fate::Goes || !is_whole {
                continue;
            }
            let mover = look.as_ref().map_or(-1, |look| look.mover);
            for role in numbered.players() {
                let place = match numbered.is_simultaneous() {
                    true => role.index(),
                    false if mover == i32::from(role.0) => 0,
                    false => continue,
                };
                let id = self.lanes[lane].joint[role.index()];
                row[place] = self.action(id).try_into().unwrap_or(SKIP);
            }
        }
    }

    fn step_at_random(&mut self, ended: Ended) {
        self.is_chosen = false;
        for lane in 0..self.len() {
            self.draw_all(lane, ended);
            self.advance(lane);
        }
    }

    fn reset(&mut self, lanes: &[usize]) {
        self.is_chosen = false;
        let numbered = self.numbered.clone();
        lanes.iter().for_each(|&lane| self.put(lane, numbered.engine().initial()));
    }

    fn reset_over(&mut self) {
        let over: Vec<usize> = (0..self.len()).filter(|&lane| self.end(lane) != 0).collect();
        self.reset(&over);
    }

    fn cut(&mut self, lanes: &[usize]) {
        for &lane in lanes {
            if self.end(lane) == 0 {
                self.lanes[lane].marks = CUT;
            }
        }
    }

    fn cut_after(&mut self, steps: Option<u64>) {
        self.most_steps = steps;
    }

    fn enter(&mut self, lane: usize, state: &AnyState) -> Result<(), FactError> {
        self.is_chosen = false;
        self.put(lane, state);
        Ok(())
    }

    fn can_enter(&self, _: &AnyState) -> bool {
        true
    }

    fn enter_many(&mut self, states: &[(usize, &AnyState)]) -> Result<(), FactError> {
        states.iter().try_for_each(|(lane, state)| self.enter(*lane, state))
    }

    fn state(&self, lane: usize) -> AnyState {
        self.any().state(&self.lanes[lane].scratch)
    }

    fn age(&self, lane: usize) -> u64 {
        self.lanes[lane].age
    }

    fn legal(&mut self, out: &mut [u8]) {
        let width = self.acting() * self.actions().len();
        assert_eq!(out.len(), self.len() * width);
        out.fill(0);
        for lane in 0..self.len() {
            self.each_legal(lane, |place| out[lane * width + place] = 1);
        }
    }

    fn legal_bits(&mut self, out: &mut [u64]) {
        let words = (self.acting() * self.actions().len()).div_ceil(64);
        assert_eq!(out.len(), self.len() * words);
        out.fill(0);
        for lane in 0..self.len() {
            self.each_legal(lane, |place| set(&mut out[lane * words..], place));
        }
    }

    fn observations(&self, out: &mut [u8]) {
        let width = self.observed.len();
        assert_eq!(out.len(), self.len() * width);
        out.fill(0);
        for lane in 0..self.len() {
            self.each_observed(lane, |column| out[lane * width + column] = 1);
        }
    }

    fn last_observations(&mut self, out: &mut [u8]) {
        let width = self.observed.len();
        assert_eq!(out.len(), self.len() * width);
        for lane in 0..self.len() {
            if self.end(lane) != 0 {
                let row = &mut out[lane * width..][..width];
                row.fill(0);
                self.each_observed(lane, |column| row[column] = 1);
            }
        }
    }

    fn observation_bits(&self, out: &mut [u64]) {
        let words = self.observed.len().div_ceil(64);
        assert_eq!(out.len(), self.len() * words);
        out.fill(0);
        for lane in 0..self.len() {
            self.each_observed(lane, |column| set(&mut out[lane * words..], column));
        }
    }

    fn percepts(&self, out: &mut [u8]) {
        let width = self.roles() * self.percept_terms().len();
        assert_eq!(out.len(), self.len() * width);
        out.fill(0);
        for (at, lane) in self.lanes.iter().enumerate() {
            lane.seen.iter().for_each(|&place| out[at * width + place as usize] = 1);
        }
    }

    fn last_percepts(&mut self, out: &mut [u8]) {
        let width = self.roles() * self.percept_terms().len();
        assert_eq!(out.len(), self.len() * width);
        for lane in 0..self.len() {
            if self.end(lane) != 0 {
                let row = &mut out[lane * width..][..width];
                row.fill(0);
                self.lanes[lane].seen.iter().for_each(|&place| row[place as usize] = 1);
            }
        }
    }

    fn percept_bits(&self, out: &mut [u64]) {
        let words = (self.roles() * self.percept_terms().len()).div_ceil(64);
        assert_eq!(out.len(), self.len() * words);
        out.fill(0);
        for (at, lane) in self.lanes.iter().enumerate() {
            lane.seen.iter().for_each(|&place| set(&mut out[at * words..], place as usize));
        }
    }

    fn ended(&mut self, out: &mut [u8]) {
        assert_eq!(out.len(), self.len());
        out.iter_mut().enumerate().for_each(|(lane, out)| *out = self.end(lane));
    }

    fn to_move(&mut self, out: &mut [i32]) {
        assert_eq!(out.len(), self.len());
        for (lane, out) in out.iter_mut().enumerate() {
            *out = match self.end(lane) {
                0 => self.lanes[lane].look.as_ref().map_or(-1, |look| look.mover),
                _ => -1,
            };
        }
    }

    fn goals(&mut self, out: &mut [u8]) {
        let roles = self.roles();
        assert_eq!(out.len(), self.len() * roles);
        out.fill(0);
        for lane in 0..self.len() {
            if self.end(lane) == TERMINAL {
                let engine = self.numbered.engine();
                for (role, out) in engine.roles().iter().zip(&mut out[lane * roles..]) {
                    let goal = engine.payoff(&mut self.lanes[lane].scratch, role);
                    *out = goal.unwrap_or(NO_GOAL);
                }
            }
        }
    }

    fn expand(&mut self, asked: Asked, children: &mut Children) -> Result<(), ExpandError> {
        if self.is_simultaneous() {
            return Err(ExpandError::Simultaneous);
        }
        if self.any().roles().random().is_some() {
            return Err(ExpandError::Chance);
        }
        let (words, bytes) = (self.actions().len().div_ceil(64), self.observed.len());
        let mut rows = vec![0; self.len() * words];
        self.legal_bits(&mut rows);
        children.list(self.len(), &rows, asked, [words, bytes, self.roles()]);
        // A lane becomes its children, one after the other.
        let lanes = std::mem::take(&mut self.lanes);
        let mut one = self.clone();
        self.lanes = lanes;
        for lane in 0..self.len() {
            for child in children.first[lane]..children.first[lane + 1] {
                one.lanes.clear();
                one.lanes.push(self.lanes[lane].clone());
                one.choose_in(0, &children.actions[child..=child], Ended::Stay);
                one.advance(0);
                children.ended[child] = one.end(0);
                one.tell_child(asked, children, child);
            }
        }
        Ok(())
    }

    /// Without the working memory of the engine, of which nobody knows.
    fn bytes(&self) -> usize {
        let engine = self.any();
        let lane = |lane: &Lane| {
            let legal = lane.look.iter().flat_map(|look| &look.legal);
            size_of::<Lane>()
                + engine.state_bytes(&engine.state(&lane.scratch))
                + legal.map(|legal| size_of_val(&legal[..])).sum::<usize>()
        };
        self.lanes.iter().map(lane).sum()
    }
}

impl fmt::Debug for EngineLanes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EngineLanes").field("lanes", &self.len()).finish_non_exhaustive()
    }
}
