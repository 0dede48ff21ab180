//! How lanes play: moves are chosen by actions or drawn, and then made.

use super::EngineLanes;
use crate::engine::lanes::signals::{Ended, FAILED, Illegal, SKIP};
use crate::engine::{AnyState, Engine, choose};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The fate of a lane in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    Goes,
    Begins,
    Stays,
}

impl EngineLanes {
    /// Chooses the moves of a lane by the actions of one lane; says which are not legal.
    pub(super) fn choose_in(&mut self, lane: usize, actions: &[i32], ended: Ended) {
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
    pub(super) fn draw_all(&mut self, lane: usize, ended: Ended) {
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
    pub(super) fn draw(&mut self, lane: usize) {
        let Some(chance) = self.any().roles().random() else { return };
        let mut stream = Xoshiro256PlusPlus::seed_from_u64(self.lanes[lane].seed);
        let drawn = choose(self.legal_of(lane, chance), &mut stream);
        self.lanes[lane].seed = stream.next_u64();
        self.lanes[lane].joint[chance.index()] = drawn.expect("it has a legal move");
    }

    /// Plays the moves of a lane, or begins it again.
    pub(super) fn advance(&mut self, at: usize) {
        let numbered = self.numbered.clone();
        let engine = numbered.engine();
        let width = numbered.vocabulary().percepts.len() as u32;
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
    pub(super) fn put(&mut self, at: usize, state: &AnyState) {
        let numbered = self.numbered.clone();
        let lane = &mut self.lanes[at];
        numbered.engine().enter(&mut lane.scratch, state);
        (lane.age, lane.marks, lane.look) = (0, 0, None);
        lane.seen.clear();
    }
}
