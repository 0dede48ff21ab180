//! Lanes on any engine, one after the other.
//!
//! [`look`] is what there is to say about the state of a lane, [`play`] how lanes play. [`outputs`]
//! writes what they say, and [`expand`] what comes after them.

mod expand;
mod look;
mod outputs;
mod play;

use super::children::{ChildOutputs, Children, ExpandError};
use super::contract::Lanes;
use super::numbered::NumberedEngine;
use super::outputs::{Encoded, Moment, Output};
use super::signals::{CUT, Ended, Illegal, NO_GOAL, REFUSED, TERMINAL};
use super::vocabulary::Vocabulary;
use crate::engine::{AnyEngine, AnyScratch, AnyState, Engine, FactError, MoveId, seeded};
use look::Look;
use play::Fate;
use rand::Rng;
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
/// use gdlr::engine::{
///     AnyEngine, Encoded, Ended, EngineLanes, Lanes, Moment, NumberedEngine, Output, Refusal,
/// };
/// use gdlr::gdl::Game;
/// use gdlr::ground::vocabulary;
/// use gdlr::tree::{Tree, TreeOptions};
/// use std::sync::Arc;
///
/// let game = Game::from_kif("nim", include_str!("../../../../../../kif/nim.kif")).unwrap();
/// let words = vocabulary(game.clone(), 1000, &Meter::unlimited()).unwrap();
/// let engine = AnyEngine::new(Tree::new(game, &TreeOptions::default()).unwrap());
/// let engine = Arc::new(NumberedEngine::new(engine, words));
/// let mut lanes = EngineLanes::new(engine, 3, 1);
/// let mut legal = vec![0; 3 * lanes.width(Output::Legal)];
/// lanes.write(Output::Legal, Moment::Now, Encoded::Bytes(&mut legal));
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

#[derive(Clone)]
struct Lane {
    scratch: AnyScratch,
    /// Where its draws of chance come from.
    seed: u64,
    age: u64,
    /// How it ended beside what the state says.
    marks: u8,
    /// The outputs of the state, if they were computed.
    look: Option<Look>,
    /// The percepts of the last step: places in a row of all roles.
    seen: Vec<u32>,
    fate: Fate,
    /// The moves of the next step; that of chance is drawn when it is played.
    joint: Vec<MoveId>,
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
        let mut lanes = EngineLanes {
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
        lanes.observe((0..lanes.numbered.vocabulary().facts.len() as u32).map(Some).collect());
        lanes.seed(seed);
        lanes
    }

    /// The engine that plays.
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
}

impl Lanes for EngineLanes {
    fn len(&self) -> usize {
        self.lanes.len()
    }

    fn roles(&self) -> usize {
        self.any().roles().count()
    }

    fn vocabulary(&self) -> &Vocabulary {
        self.numbered.vocabulary()
    }

    fn is_simultaneous(&self) -> bool {
        self.numbered.is_simultaneous()
    }

    fn observed(&self) -> &[Option<u32>] {
        &self.observed
    }

    fn observe(&mut self, facts: Vec<Option<u32>>) {
        self.columns = vec![Vec::new(); self.vocabulary().facts.len()];
        for (fact, column) in facts.iter().zip(0..) {
            if let Some(fact) = *fact {
                self.columns[fact as usize].push(column);
            }
        }
        self.observed = facts;
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
        assert_eq!(out.len(), self.len() * self.acting());
        self.write_chosen(out);
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

    fn can_enter(&self, _: &AnyState) -> bool {
        true
    }

    fn enter(&mut self, states: &[(usize, &AnyState)]) -> Result<(), FactError> {
        self.is_chosen = false;
        states.iter().for_each(|&(lane, state)| self.put(lane, state));
        Ok(())
    }

    fn state(&self, lane: usize) -> AnyState {
        self.any().state(&self.lanes[lane].scratch)
    }

    fn age(&self, lane: usize) -> u64 {
        self.lanes[lane].age
    }

    fn write(&mut self, output: Output, moment: Moment, out: Encoded<'_>) {
        out.assert_fits(self.len(), self.width(output));
        self.write_rows(output, moment, out);
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

    fn expand(&mut self, wanted: ChildOutputs, children: &mut Children) -> Result<(), ExpandError> {
        if self.is_simultaneous() {
            return Err(ExpandError::Simultaneous);
        }
        if self.any().roles().random().is_some() {
            return Err(ExpandError::Chance);
        }
        self.expand_each(wanted, children);
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
