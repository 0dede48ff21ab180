//! Information sets: what a role can tell apart, counted by walking all plays (GDL-II).
//!
//! A role knows its own moves and, in a game with rules for `sees`, its percepts; without such
//! rules, all moves. Plays of the same length that look the same to it belong to one information
//! set. A rulesheet should tell every role which moves it has and whether the game is over: where
//! two plays of an information set differ in that, the role is left in the dark.

use super::joint_moves::JointMoves;
use crate::engine::{Engine, MoveId, RoleId, StepError, WorkLimit};
use gdlr_rules::gdl::Term;
use hashbrown::hash_map::Entry;
use hashbrown::{HashMap, HashSet};
use smallvec::SmallVec;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

/// How many information sets there are after so many joint moves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DepthCount {
    /// Situations: states, each as often as the roles come to it knowing different things.
    pub situations: u64,
    /// Those of them that are terminal.
    pub terminal: u64,
    /// By role: its information sets. None for the role of chance.
    pub roles: Vec<RoleCount>,
}

/// The information sets of a role at a depth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RoleCount {
    /// All of them, those at the end of the game included.
    pub sets: u64,
    /// Those in which it has several moves to choose from.
    pub choosing: u64,
}

/// A property that a role cannot tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Untold {
    /// Whether the game is over.
    End,
    /// Which moves it has.
    Moves,
}

impl fmt::Display for Untold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Untold::End => "whether the game is over",
            Untold::Moves => "which moves it has",
        })
    }
}

/// Two plays that look the same to a role, and should not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dark {
    /// The role.
    pub role: RoleId,
    /// The property that it cannot tell.
    pub untold: Untold,
    /// The joint moves of both plays.
    pub plays: [Vec<Vec<MoveId>>; 2],
}

/// Why not all plays were walked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unfinished {
    /// The stop flag was raised.
    Stopped,
    /// There were more situations than were to be remembered.
    TooMany,
    /// A state was too much for the engine.
    Limit(WorkLimit),
}

/// The information sets of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InformationSets {
    /// By depth, as far as all plays were walked.
    pub depths: Vec<DepthCount>,
    /// For each role and each thing that it cannot tell, the first two plays that show it.
    pub dark: Vec<Dark>,
    /// Why it is not more.
    pub unfinished: Option<Unfinished>,
}

/// A situation: a state, and what each role knows.
struct Situation<S> {
    state: S,
    /// By role: its information set.
    sets: SmallVec<[u32; 4]>,
    /// The place of the situation before, and the joint move.
    before: u32,
    joint: Vec<MoveId>,
}

/// The key of an information set of a role: the set before, the own move, and the observation.
type SetKey = (u32, MoveId, Seen);

/// The observation of a role in a step.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Seen {
    /// The joint move.
    Joint(Vec<MoveId>),
    /// Its percepts.
    Percepts(Vec<Term>),
}

/// A first look at an information set: a situation in it, with the end and the moves that the role should know there.
struct Looks {
    at: u32,
    terminal: bool,
    moves: Vec<MoveId>,
}

/// Counts the information sets of all plays of up to `depth` joint moves. `most` is how many
/// situations are remembered; `progress` is told now and then how many there are.
///
/// Time and memory grow with the number of situations.
pub fn information_sets<E: Engine>(
    engine: &E,
    depth: usize,
    most: usize,
    stop: &AtomicBool,
    mut progress: impl FnMut(usize),
) -> InformationSets {
    let roles = engine.roles().count();
    let first = Situation {
        state: engine.initial().clone(),
        sets: SmallVec::from_elem(0, roles),
        before: 0,
        joint: Vec::new(),
    };
    let mut walk = Walk {
        engine,
        scratch: engine.scratch(),
        levels: vec![vec![first]],
        result: InformationSets::default(),
        left: most,
        stop,
        progress: &mut progress,
    };
    let walked = walk.count().and_then(|()| {
        for _ in 0..depth {
            walk.expand()?;
            if walk.levels.last().is_none_or(Vec::is_empty) {
                break;
            }
            walk.count()?;
        }
        Ok(())
    });
    walk.result.unfinished = walked.err();
    walk.result
}

struct Walk<'a, E: Engine> {
    engine: &'a E,
    scratch: E::Scratch,
    /// By depth.
    levels: Vec<Vec<Situation<E::State>>>,
    result: InformationSets,
    /// How many situations may still be remembered.
    left: usize,
    stop: &'a AtomicBool,
    progress: &'a mut dyn FnMut(usize),
}

impl<E: Engine> Walk<'_, E> {
    /// Counts the last level.
    fn count(&mut self) -> Result<(), Unfinished> {
        let engine = self.engine;
        let random = engine.roles().random();
        let depth = self.levels.len() - 1;
        let roles = vec![RoleCount::default(); engine.roles().count()];
        let mut count = DepthCount { roles, ..DepthCount::default() };
        let mut looks: HashMap<(RoleId, u32), Looks> = HashMap::new();
        for at in 0..self.levels[depth].len() {
            let (terminal, legal) = self.look(depth, at)?;
            count.situations += 1;
            count.terminal += u64::from(terminal);
            for (role, moves) in engine.roles().iter().zip(legal) {
                if random == Some(role) {
                    continue;
                }
                let set = self.levels[depth][at].sets[role.index()];
                match looks.entry((role, set)) {
                    Entry::Vacant(new) => {
                        let counted = &mut count.roles[role.index()];
                        counted.sets += 1;
                        counted.choosing += u64::from(moves.len() > 1);
                        new.insert(Looks { at: at as u32, terminal, moves });
                    }
                    Entry::Occupied(old) => {
                        let old = old.get();
                        let situations = [old.at, at as u32];
                        if old.terminal != terminal {
                            self.in_the_dark(role, Untold::End, situations);
                        } else if old.moves != moves {
                            self.in_the_dark(role, Untold::Moves, situations);
                        }
                    }
                }
            }
        }
        self.result.depths.push(count);
        Ok(())
    }

    /// Whether a situation is terminal, and the legal moves of all roles.
    fn look(&mut self, depth: usize, at: usize) -> Result<(bool, Vec<Vec<MoveId>>), Unfinished> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(Unfinished::Stopped);
        }
        let (engine, scratch) = (self.engine, &mut self.scratch);
        engine.enter(scratch, &self.levels[depth][at].state);
        let terminal = engine.terminal(scratch).map_err(Unfinished::Limit)?;
        let mut legal = vec![Vec::new(); engine.roles().count()];
        for (role, moves) in engine.roles().iter().zip(&mut legal) {
            engine.legal(scratch, role, moves).map_err(Unfinished::Limit)?;
        }
        Ok((terminal, legal))
    }

    /// Adds the next level.
    fn expand(&mut self) -> Result<(), Unfinished> {
        let engine = self.engine;
        let depth = self.levels.len() - 1;
        let mut numbers: Vec<HashMap<SetKey, u32>> =
            engine.roles().iter().map(|_| HashMap::new()).collect();
        let mut places: HashSet<(E::State, SmallVec<[u32; 4]>)> = HashSet::new();
        let mut next: Vec<Situation<E::State>> = Vec::new();
        let mut joint = Vec::new();
        for at in 0..self.levels[depth].len() {
            let (_, legal) = self.look(depth, at)?;
            // None where it is terminal, or a role is stuck.
            let mut joints = JointMoves::of(&legal);
            while joints.next(&mut joint) {
                if self.stop.load(Ordering::Relaxed) {
                    return Err(Unfinished::Stopped);
                }
                let sets = self.sets_after(depth, at, &joint, &mut numbers)?;
                match engine.step(&mut self.scratch, &joint) {
                    Ok(()) => {}
                    Err(StepError::Limit(limit)) => return Err(Unfinished::Limit(limit)),
                    Err(error) => panic!("an engine plays the moves that it calls legal: {error}"),
                }
                let state = engine.state(&self.scratch);
                if places.insert((state.clone(), sets.clone())) {
                    self.left = self.left.checked_sub(1).ok_or(Unfinished::TooMany)?;
                    next.push(Situation { state, sets, before: at as u32, joint: joint.clone() });
                    if next.len().is_multiple_of(1 << 10) {
                        (self.progress)(next.len());
                    }
                }
            }
        }
        self.levels.push(next);
        Ok(())
    }

    /// By role: the information set that a joint move leads to. The scratch is then at the
    /// situation.
    fn sets_after(
        &mut self,
        depth: usize,
        at: usize,
        joint: &[MoveId],
        numbers: &mut [HashMap<SetKey, u32>],
    ) -> Result<SmallVec<[u32; 4]>, Unfinished> {
        let engine = self.engine;
        let situation = &self.levels[depth][at];
        engine.enter(&mut self.scratch, &situation.state);
        let seen = match engine.has_percepts() {
            false => vec![Seen::Joint(joint.to_vec()); engine.roles().count()],
            true => match engine.percepts(&mut self.scratch, joint) {
                Ok(seen) => seen.into_iter().map(Seen::Percepts).collect(),
                Err(StepError::Limit(limit)) => return Err(Unfinished::Limit(limit)),
                Err(error) => panic!("an engine plays the moves that it calls legal: {error}"),
            },
        };
        let mut sets = SmallVec::new();
        for ((role, numbers), seen) in engine.roles().iter().zip(numbers).zip(seen) {
            let new = numbers.len() as u32;
            let observed = (situation.sets[role.index()], joint[role.index()], seen);
            sets.push(*numbers.entry(observed).or_insert(new));
        }
        Ok(sets)
    }

    /// Remembers what a role cannot tell, once for each.
    fn in_the_dark(&mut self, role: RoleId, untold: Untold, situations: [u32; 2]) {
        let is_reported = |dark: &Dark| dark.role == role && dark.untold == untold;
        if !self.result.dark.iter().any(is_reported) {
            let plays = situations.map(|at| self.play(at));
            self.result.dark.push(Dark { role, untold, plays });
        }
    }

    /// The joint moves that lead to a situation of the last level.
    fn play(&self, mut at: u32) -> Vec<Vec<MoveId>> {
        let mut play = Vec::new();
        for level in self.levels[1..].iter().rev() {
            let situation = &level[at as usize];
            play.push(situation.joint.clone());
            at = situation.before;
        }
        play.reverse();
        play
    }
}
