//! The lanes of one thread: they play, and write what there is to say into arrays of Python.

use crate::outputs::Parts;
use gdlr::engine::{
    self, Children, Encoded, Ended, ExpandError, Moment, NO_GOAL, Output, SKIP, TERMINAL,
};
use std::ops::Range;

/// When lanes that are over begin again.
#[derive(Clone, Copy, PartialEq)]
pub enum Autoreset {
    /// With the next step, whose action is not looked at.
    NextStep,
    /// With the step that ends them.
    SameStep,
    /// When they are told to.
    Disabled,
}

impl Autoreset {
    pub fn ended(self) -> Ended {
        match self {
            Autoreset::NextStep => Ended::Restart,
            Autoreset::SameStep | Autoreset::Disabled => Ended::Stay,
        }
    }
}

/// The moves of a step.
#[derive(Clone, Copy, PartialEq)]
pub enum Moves {
    /// Those that were chosen by actions.
    Chosen,
    /// Those that are drawn.
    Random,
}

/// The lanes of one thread.
pub struct Shard {
    pub lanes: Box<dyn engine::Lanes>,
    /// Which of all lanes they are.
    pub range: Range<usize>,
    ended: Vec<u8>,
    goals: Vec<u8>,
    /// What is observed: the state, or what roles see of steps.
    pub observed: Output,
    /// What `expand` has found, until it is taken.
    pub children: Result<Children, ExpandError>,
}

impl Shard {
    /// Of some lanes, those of this range.
    pub fn new(lanes: Box<dyn engine::Lanes>, range: Range<usize>) -> Shard {
        let (ended, goals) = (vec![0; range.len()], vec![0; range.len() * lanes.roles()]);
        Shard {
            lanes,
            range,
            ended,
            goals,
            observed: Output::Observations,
            children: Ok(Children::default()),
        }
    }

    /// Plays a move in each lane, and writes what there is to say.
    ///
    /// # Safety
    ///
    /// As for [`Part::slice`].
    pub unsafe fn play(&mut self, moves: Moves, autoreset: Autoreset, parts: &mut Parts) {
        // SAFETY: the caller's.
        let last = parts.last_action.as_mut().map(|part| unsafe { part.slice() });
        match (moves, last) {
            (Moves::Random, None) => self.lanes.step_at_random(autoreset.ended()),
            (Moves::Chosen, None) => self.lanes.play(),
            (moves, Some(last)) => {
                if moves == Moves::Random {
                    self.lanes.choose_at_random(autoreset.ended());
                }
                self.lanes.chosen(last);
                self.lanes.play();
            }
        }
        // SAFETY: the caller's.
        unsafe { self.end(autoreset, parts) };
        // SAFETY: the caller's.
        unsafe { self.look(parts) };
    }

    /// Lanes that have begun, or were put into a state, have played nothing.
    ///
    /// # Safety
    ///
    /// As for [`Part::slice`].
    pub unsafe fn forget_actions(&mut self, parts: &mut Parts) {
        // SAFETY: the caller's.
        let Some(out) = parts.last_action.as_mut().map(|part| unsafe { part.slice() }) else {
            return;
        };
        for (lane, row) in out.chunks_mut(self.lanes.acting()).enumerate() {
            if self.lanes.age(lane) == 0 {
                row.fill(SKIP);
            }
        }
    }

    /// Writes what has ended, and begins again where that is wanted.
    ///
    /// # Safety
    ///
    /// As for [`Part::slice`].
    pub unsafe fn end(&mut self, autoreset: Autoreset, parts: &mut Parts) {
        self.lanes.ended(&mut self.ended);
        // SAFETY: the caller's, here and below.
        if let Some(out) = parts.ended.as_mut().map(|part| unsafe { part.slice() }) {
            out.copy_from_slice(&self.ended);
        }
        if let Some(out) = parts.terminated.as_mut().map(|part| unsafe { part.slice() }) {
            let is_terminal = |(out, &ended): (&mut u8, &u8)| *out = u8::from(ended == TERMINAL);
            out.iter_mut().zip(&self.ended).for_each(is_terminal);
        }
        if let Some(out) = parts.truncated.as_mut().map(|part| unsafe { part.slice() }) {
            let is_other = |(out, &ended): (&mut u8, &u8)| *out = u8::from(ended > TERMINAL);
            out.iter_mut().zip(&self.ended).for_each(is_other);
        }
        if let Some(out) = parts.rewards.as_mut().map(|part| unsafe { part.slice() }) {
            self.lanes.goals(&mut self.goals);
            // All of them, though most are 0: without branches it takes a fraction of the time.
            for (out, &goal) in out.iter_mut().zip(&self.goals) {
                *out = if goal == NO_GOAL { f32::NAN } else { f32::from(goal) / 100.0 };
            }
        }
        if let Some(out) = parts.final_observation.as_mut().map(|part| unsafe { part.slice() }) {
            self.lanes.write(self.observed, Moment::End, Encoded::Bytes(out));
        }
        if autoreset == Autoreset::SameStep {
            self.lanes.reset_over();
        }
    }

    /// Writes what there is to say about the states.
    ///
    /// # Safety
    ///
    /// As for [`Part::slice`].
    pub unsafe fn look(&mut self, parts: &mut Parts) {
        // SAFETY: the caller's, here and below.
        if let Some(out) = parts.legal.as_mut().map(|part| unsafe { part.slice() }) {
            self.lanes.write(Output::Legal, Moment::Now, Encoded::Bytes(out));
        }
        if let Some(out) = parts.legal_bits.as_mut().map(|part| unsafe { part.slice() }) {
            self.lanes.write(Output::Legal, Moment::Now, Encoded::Bits(out));
        }
        if let Some(out) = parts.observation.as_mut().map(|part| unsafe { part.slice() }) {
            self.lanes.write(self.observed, Moment::Now, Encoded::Bytes(out));
        }
        if let Some(out) = parts.observation_bits.as_mut().map(|part| unsafe { part.slice() }) {
            self.lanes.write(self.observed, Moment::Now, Encoded::Bits(out));
        }
        if let Some(out) = parts.current_player.as_mut().map(|part| unsafe { part.slice() }) {
            self.lanes.to_move(out);
        }
    }
}
