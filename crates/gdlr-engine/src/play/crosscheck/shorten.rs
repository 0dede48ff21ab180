//! Making the play that leads to a difference short.
//!
//! A difference is met at the end of everything that a lockstep did: many playouts, and states
//! entered here and there. Most differences come again when nothing but the joint moves that
//! lead to the state are played, from the beginning, with new scratches. Those that do not
//! lie in the way the engines got there, so what they did is kept as far as need be:
//!
//! 1. the joint moves alone;
//! 2. if that is not enough, the last few stretches between two `enter`, with plays before
//!    that make the states which they enter; as many stretches as it takes, doubled each time;
//! 3. of what is found, parts are left out, half of it first, single events last, as long as
//!    a difference remains (delta debugging);
//! 4. the initial state is entered instead of others, which may make more superfluous;
//! 5. of joint moves alone, random plays that are shorter are tried as well.
//!
//! Effort is counted in states looked at, not in time, so that the result is the same again.

use super::difference::Clash;
use super::events::{Event, Joint};
use super::lockstep::{Halt, Lockstep};
use super::walker::NamedEngine;
use crate::play::joint_moves::draw;
use crate::play::seeded;
use gdlr_rules::gdl::Term;
use hashbrown::HashMap;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The stream of random numbers for shorter plays. The play itself has stream 0.
const STREAM: usize = 1;

/// A play and the difference at its end.
pub(super) struct Failing {
    pub events: Vec<Event>,
    pub clash: Box<Clash>,
}

impl Failing {
    /// Whether it consists of joint moves only.
    pub fn is_plain(&self) -> bool {
        self.events.iter().all(|event| matches!(event, Event::Play(_)))
    }
}

pub(super) struct Shortener<'a> {
    engines: &'a [NamedEngine],
    /// How many states may still be looked at.
    effort: u64,
    rng: Xoshiro256PlusPlus,
    stop: &'a AtomicBool,
}

impl<'a> Shortener<'a> {
    pub fn new(engines: &'a [NamedEngine], effort: u64, seed: u64, stop: &'a AtomicBool) -> Self {
        Shortener { engines, effort, rng: seeded(seed, STREAM), stop }
    }

    /// A play as short as can be found that leads to a difference, given a lockstep that met
    /// one. Nothing shorter than `shortest` need be looked for. `None` if the difference does
    /// not come again.
    pub fn shorten(&mut self, lockstep: &Lockstep, shortest: usize) -> Option<Failing> {
        let plain: Vec<Event> = lockstep.path().into_iter().map(Event::Play).collect();
        if let Some(failing) = self.replay(&plain) {
            let failing = self.random_plays(failing, shortest);
            return Some(self.leave_out(failing, shortest));
        }
        let failing = self.last_stretches(lockstep).or_else(|| self.replay(lockstep.events()))?;
        Some(self.leave_out(failing, 1))
    }

    /// Repeats a play with new scratches, as far as the first difference. `None` if there is
    /// none, or a move is not legal, or the effort is spent.
    fn replay(&mut self, events: &[Event]) -> Option<Failing> {
        let (mut lockstep, result) = Lockstep::new(self.engines);
        let result = result.and_then(|()| {
            let mut legal = vec![lockstep.legal().to_vec()];
            for event in events {
                if self.spent(&lockstep) {
                    return Ok(());
                }
                match event {
                    Event::Play(joint) => {
                        let here = lockstep.here();
                        if lockstep.is_terminal(here) || !allowed(&legal[here as usize], joint) {
                            return Ok(());
                        }
                        lockstep.play(Rc::clone(joint))?;
                    }
                    Event::Enter { after, look } => {
                        lockstep.enter(lockstep.state_after(*after), *look)?;
                    }
                }
                if lockstep.known() as usize > legal.len() {
                    legal.push(lockstep.legal().to_vec());
                }
            }
            Ok(())
        });
        self.effort = self.effort.saturating_sub(lockstep.looks());
        match result {
            Err(Halt::Clash(clash)) => Some(Failing { events: lockstep.events().to_vec(), clash }),
            _ => None,
        }
    }

    fn spent(&self, lockstep: &Lockstep) -> bool {
        lockstep.looks() >= self.effort || self.stop.load(Ordering::Relaxed)
    }

    fn exhausted(&self) -> bool {
        self.effort == 0 || self.stop.load(Ordering::Relaxed)
    }

    /// Tries random plays that are shorter by a joint move, and goes on from each that fails.
    fn random_plays(&mut self, mut failing: Failing, shortest: usize) -> Failing {
        // The rest is for leaving out.
        let reserve = self.effort / 2;
        while failing.events.len() > shortest && self.effort > reserve && !self.exhausted() {
            let (mut lockstep, mut result) = Lockstep::new(self.engines);
            let mut joint = Vec::new();
            while result.is_ok()
                && lockstep.events().len() + 1 < failing.events.len()
                && !lockstep.is_terminal(lockstep.here())
                && draw(lockstep.legal(), &mut joint, &mut self.rng)
            {
                result = lockstep.play(joint.as_slice().into());
            }
            // A play that cannot begin costs something as well.
            self.effort = self.effort.saturating_sub(lockstep.looks().max(1));
            if let Err(Halt::Clash(clash)) = result {
                failing = Failing { events: lockstep.events().to_vec(), clash };
            }
        }
        failing
    }

    /// The last events of the lockstep, with plays before that make the states which it enters.
    fn last_stretches(&mut self, lockstep: &Lockstep) -> Option<Failing> {
        let starts: Vec<usize> = (0..lockstep.events().len())
            .filter(|&place| matches!(lockstep.events()[place], Event::Enter { .. }))
            .collect();
        let mut count = 1;
        while count <= starts.len() && !self.exhausted() {
            let from = starts[starts.len() - count];
            if let Some(failing) = self.replay(&with_plays_before(lockstep, from)) {
                return Some(failing);
            }
            count *= 2;
        }
        None
    }

    /// Leaves out parts of a play as long as it fails, until there is nothing to leave out.
    fn leave_out(&mut self, mut failing: Failing, shortest: usize) -> Failing {
        loop {
            let length = failing.events.len();
            let mut size = length / 2;
            while size > 0 {
                failing = self.leave_out_parts(failing, size, shortest);
                // Two joint moves of players who take turns often go together.
                size = if size == 3 { 2 } else { size / 2 };
            }
            let (entered_initial, found) = self.enter_initial(failing);
            failing = found;
            if failing.events.len() == length && !entered_initial {
                return failing;
            }
        }
    }

    /// Enters the initial state instead of others, as long as the play fails: what makes the
    /// others may then be left out.
    fn enter_initial(&mut self, mut failing: Failing) -> (bool, Failing) {
        let length = failing.events.len();
        let mut any = false;
        for place in 0..length {
            let mut events = failing.events.clone();
            let Some(Event::Enter { after: 1.., look }) = events.get(place) else { continue };
            events[place] = Event::Enter { after: 0, look: *look };
            if self.exhausted() {
                break;
            }
            if let Some(found) = self.replay(&events) {
                (any, failing) = (true, found);
            }
        }
        (any, failing)
    }

    /// Goes through the parts of this size, from the end: what is entered is reached before.
    fn leave_out_parts(&mut self, mut failing: Failing, size: usize, shortest: usize) -> Failing {
        let mut end = failing.events.len();
        while end > 0 && failing.events.len() > shortest && !self.exhausted() {
            let start = end.saturating_sub(size);
            if let Some(found) = self.replay(&without(&failing.events, start, end)) {
                failing = found;
            }
            end = start.min(failing.events.len());
        }
        failing
    }
}

/// The events of a lockstep from one on, which enters a state; before it, plays that make the
/// states which are entered.
fn with_plays_before(lockstep: &Lockstep, from: usize) -> Vec<Event> {
    let mut events = Vec::new();
    // By state: after how many of these it is reached.
    let mut places: HashMap<u32, usize> = HashMap::new();
    places.insert(0, 0);
    let last = &lockstep.events()[from..];
    for event in last {
        let Event::Enter { after, .. } = *event else { continue };
        let state = lockstep.state_after(after);
        if after <= from && !places.contains_key(&state) {
            if !events.is_empty() {
                events.push(Event::Enter { after: 0, look: false });
            }
            events.extend(lockstep.path_to(state).into_iter().map(Event::Play));
            places.insert(state, events.len());
        }
    }
    let before = events.len();
    events.extend(last.iter().map(|event| match event {
        Event::Play(joint) => Event::Play(Rc::clone(joint)),
        Event::Enter { after, look } => {
            let place = places.get(&lockstep.state_after(*after)).copied();
            let shifted = || after.saturating_sub(from) + before;
            Event::Enter { after: place.unwrap_or_else(shifted), look: *look }
        }
    }));
    events
}

/// The events without those from `start` up to, not including, `end`, and without those that
/// need a state which is then not reached.
fn without(events: &[Event], start: usize, end: usize) -> Vec<Event> {
    let mut rest = Vec::new();
    // By number of events: how many of the rest lead to the same place.
    let mut places = vec![Some(0)];
    let mut lost = false;
    for (number, event) in events.iter().enumerate() {
        let left_out = (start..end).contains(&number);
        if let (Event::Enter { after, .. }, false) = (event, left_out) {
            lost = places[*after].is_none();
        }
        if left_out || lost {
            places.push(None);
            continue;
        }
        rest.push(match event {
            Event::Play(joint) => Event::Play(Rc::clone(joint)),
            Event::Enter { after, look } => {
                Event::Enter { after: places[*after].unwrap_or(0), look: *look }
            }
        });
        places.push(Some(rest.len()));
    }
    rest
}

/// Whether each role may play its move.
fn allowed(legal: &[Vec<Term>], joint: &Joint) -> bool {
    legal.len() == joint.len()
        && legal.iter().zip(joint.iter()).all(|(moves, term)| moves.binary_search(term).is_ok())
}
