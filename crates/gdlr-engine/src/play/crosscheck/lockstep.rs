//! Several engines in lockstep: on the same way through a game, compared at every state.

use super::difference::{Aspect, Clash, Dissent, clash};
use super::events::{Event, Joint};
use super::walker::{Look, NamedEngine, Walker};
use crate::engine::WorkLimit;
use crate::play::View;
use gdlr_rules::gdl::Term;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Why the engines cannot go on.
#[derive(Debug)]
pub(super) enum Halt {
    /// Its engines do not say the same.
    Clash(Box<Clash>),
    /// No engine plays the joint move.
    Refused(Box<Clash>),
    /// A state was too much for the engine with this number.
    Limit { engine: usize, limit: WorkLimit },
}

/// How a state was first reached.
struct Origin {
    /// After so many events.
    after: usize,
    /// From which state by which joint move; `None` for the initial state.
    step: Option<(u32, Joint)>,
    terminal: bool,
}

/// Engines that go the same way. Whenever they look at a state, what they say is compared.
/// States go by the numbers in which they were first met, 0 the initial one.
pub(super) struct Lockstep<'a> {
    engines: &'a [NamedEngine],
    walkers: Vec<Walker>,
    /// By engine: what it says of the state that was looked at last.
    said: Vec<Look>,
    /// By state.
    origins: Vec<Origin>,
    events: Vec<Event>,
    /// By number of events: the state after them.
    passed: Vec<u32>,
    /// How often the engines looked at a state.
    looks: u64,
    /// By engine: how long it worked.
    times: Vec<Duration>,
}

impl<'a> Lockstep<'a> {
    /// The engines with new scratches, all looking at the initial state.
    ///
    /// # Errors
    ///
    /// When that leads to a difference already; the way is then at its end.
    pub fn new(engines: &'a [NamedEngine]) -> (Self, Result<(), Halt>) {
        let mut lockstep = Lockstep {
            engines,
            walkers: engines.iter().map(Walker::new).collect(),
            said: Vec::new(),
            origins: Vec::new(),
            events: Vec::new(),
            passed: Vec::new(),
            looks: 0,
            times: vec![Duration::ZERO; engines.len()],
        };
        let result = lockstep.look(None);
        (lockstep, result)
    }

    /// The events so far.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// How often the engines looked at a state.
    pub fn looks(&self) -> u64 {
        self.looks
    }

    /// By engine: how long it worked.
    pub fn times(&self) -> &[Duration] {
        &self.times
    }

    /// How many different states were met.
    pub fn known(&self) -> u32 {
        self.origins.len() as u32
    }

    /// The state at hand.
    pub fn here(&self) -> u32 {
        self.passed.last().copied().unwrap_or(0)
    }

    /// The state after so many events.
    pub fn state_after(&self, events: usize) -> u32 {
        self.passed[events]
    }

    pub fn is_terminal(&self, state: u32) -> bool {
        self.origins[state as usize].terminal
    }

    /// By role: the legal moves in the state that was looked at last.
    pub fn legal(&self) -> &[Vec<Term>] {
        &self.said[0].view.legal
    }

    /// A sequence of joint moves from the initial state to another one.
    pub fn path_to(&self, mut state: u32) -> Vec<Joint> {
        let mut path = Vec::new();
        while let Some((before, joint)) = &self.origins[state as usize].step {
            path.push(Rc::clone(joint));
            state = *before;
        }
        path.reverse();
        path
    }

    /// The joint moves that lead to the state at hand, as if no state had been entered.
    pub fn path(&self) -> Vec<Joint> {
        let mut path = Vec::new();
        for event in &self.events {
            match event {
                Event::Play(joint) => path.push(Rc::clone(joint)),
                Event::Enter { after, .. } => path = self.path_to(self.passed[*after]),
            }
        }
        path
    }

    /// Plays a joint move of legal moves and looks at the state.
    ///
    /// # Errors
    ///
    /// When the engines do not agree; the way is then at its end.
    pub fn play(&mut self, joint: Joint) -> Result<(), Halt> {
        self.events.push(Event::Play(Rc::clone(&joint)));
        let mut refusals: Vec<Option<String>> = Vec::new();
        for (engine, walker) in self.walkers.iter_mut().enumerate() {
            let start = Instant::now();
            let played = walker.play(&joint);
            self.times[engine] += start.elapsed();
            refusals.push(played.map_err(|limit| Halt::Limit { engine, limit })?.err());
        }
        if refusals.iter().any(Option::is_some) {
            return Err(self.refusal(refusals));
        }
        self.look(Some((self.here(), joint)))
    }

    fn refusal(&self, refusals: Vec<Option<String>>) -> Halt {
        let all = refusals.iter().all(Option::is_some);
        let mut says = refusals.into_iter().map(|refusal| match refusal {
            Some(refusal) => refusal,
            None => "plays it".to_owned(),
        });
        let first = says.next().unwrap_or_default();
        let others = self.engines.iter().skip(1).zip(says);
        let dissents = others
            .filter(|(_, says)| all || *says != first)
            .map(|(engine, says)| Dissent {
                engine: engine.name.clone(),
                says,
                ..Dissent::default()
            })
            .collect();
        let facts = self.said[0].view.facts.clone();
        let clash = Box::new(Clash { aspect: Aspect::Step, says: first, dissents, facts });
        if all { Halt::Refused(clash) } else { Halt::Clash(clash) }
    }

    /// Enters a state again.
    ///
    /// # Errors
    ///
    /// When the engines do not agree; the way is then at its end.
    pub fn enter(&mut self, state: u32, look: bool) -> Result<(), Halt> {
        self.events.push(Event::Enter { after: self.origins[state as usize].after, look });
        for (walker, time) in self.walkers.iter_mut().zip(&mut self.times) {
            let start = Instant::now();
            walker.enter(state);
            *time += start.elapsed();
        }
        if look {
            return self.look(None);
        }
        self.passed.push(state);
        Ok(())
    }

    fn look(&mut self, step: Option<(u32, Joint)>) -> Result<(), Halt> {
        self.said.clear();
        for (engine, walker) in self.walkers.iter_mut().enumerate() {
            let start = Instant::now();
            let look = walker.look(self.looks, self.said.first());
            self.times[engine] += start.elapsed();
            self.said.push(look.map_err(|limit| Halt::Limit { engine, limit })?);
        }
        self.looks += 1;
        if let Some(clash) = clash(self.engines, &self.said, self.known()) {
            return Err(Halt::Clash(Box::new(clash)));
        }
        let Look { number, view: View { terminal, .. }, .. } = self.said[0];
        if number == self.known() {
            self.origins.push(Origin { after: self.events.len(), step, terminal });
        }
        self.passed.push(number);
        Ok(())
    }
}
