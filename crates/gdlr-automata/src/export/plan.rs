//! A turn, before it is written.

use super::conditions::{Conditions, Work};
use super::effects::{MovesOfRoles, Updates};
use super::update::{Update, ordered};
use gdlr_net::net::{InputId, LatchId, Signal};
use gdlr_net::propnet::Unrolled;
use gdlr_text::budget::{Exhausted, Meter};
use hashbrown::{HashMap, HashSet};

/// A move of a role, with its effects.
#[derive(Debug)]
pub(super) struct MovePlan {
    /// The number of the input of the net.
    pub input: usize,
    pub legal: Signal,
    /// The updates of variables that only this move changes.
    pub updates: Vec<Update>,
    /// The percepts of the move, if only its role chooses: places of percepts, with their
    /// conditions.
    pub percepts: Vec<(usize, Signal)>,
}

/// A role that chooses.
#[derive(Debug)]
pub(super) struct Chooser {
    pub role: usize,
    pub moves: Vec<MovePlan>,
}

impl Chooser {
    /// Whether the role has several moves.
    pub fn is_free(&self) -> bool {
        self.moves.len() > 1
    }

    /// Sets the percepts of each move, if only this role chooses and the work suffices.
    fn say_percepts(
        &mut self,
        conditions: &mut Conditions,
        percepts: &[(usize, Signal)],
        first_input: usize,
        work: &mut Work<'_>,
    ) -> Option<()> {
        let mut said = Vec::new();
        for plan in &self.moves {
            let input = first_input + plan.input;
            let which = (conditions.inputs[input].0, Some(InputId(input as u32)));
            let mut specialised = HashMap::new();
            let mut seen = Vec::new();
            for &(place, condition) in percepts {
                let condition = conditions.specialised(condition, which, &mut specialised, work)?;
                if condition != Signal::FALSE {
                    seen.push((place, condition));
                }
            }
            said.push(seen);
        }
        self.moves.iter_mut().zip(said).for_each(|(plan, seen)| plan.percepts = seen);
        Some(())
    }
}

/// A turn in a phase.
#[derive(Debug)]
pub(super) struct Turn {
    pub terminal: Signal,
    /// The roles that choose, in the order of the roles.
    pub choosers: Vec<Chooser>,
    /// By role that does not choose: its only move.
    pub implied: Vec<Option<usize>>,
    /// The updates that no choice decides, or that depend on choices of several roles.
    pub common: Vec<Update>,
    /// The percepts that are not listed with a move.
    pub percepts: Vec<(usize, Signal)>,
    /// The phases that may follow.
    pub next: Vec<usize>,
    /// Whether choices are read after they have been made.
    pub remembers: bool,
    /// Whether there are views that depend on choices.
    pub computes: bool,
}

impl Turn {
    /// The turns of all phases. With `joint`, every role chooses.
    pub fn of(
        conditions: &mut Conditions,
        unrolled: &Unrolled,
        joint: bool,
        meter: &Meter<'_>,
    ) -> Result<Vec<Turn>, Exhausted> {
        let phases = 0..unrolled.copies.len();
        phases.map(|number| Turn::of_phase(conditions, unrolled, number, joint, meter)).collect()
    }

    fn of_phase(
        conditions: &mut Conditions,
        unrolled: &Unrolled,
        number: usize,
        joint: bool,
        meter: &Meter<'_>,
    ) -> Result<Turn, Exhausted> {
        let copy = &unrolled.copies[number];
        let of_roles = MovesOfRoles::of(unrolled, number, joint);
        let mut work = Work { left: conditions.tuning.move_work, meter };
        let Updates { mut by_input, common } =
            Updates::of(conditions, unrolled, number, &of_roles, &mut work)?;
        let mut choosers = Vec::new();
        for role in of_roles.choosing() {
            let mut plans = Vec::new();
            for &input in &of_roles.moves[role] {
                let updates = std::mem::take(&mut by_input[input]);
                meter.spend(1 + updates.len() * updates.len())?;
                let updates = ordered(conditions, updates);
                let legal = copy.legal[input];
                plans.push(MovePlan { input, legal, updates, percepts: Vec::new() });
            }
            choosers.push(Chooser { role, moves: plans });
        }
        let mut turn = Turn {
            terminal: copy.terminal,
            choosers,
            implied: of_roles.implied(),
            common,
            percepts: copy.percepts.iter().copied().enumerate().collect(),
            next: following(unrolled, number),
            remembers: true,
            computes: true,
        };
        turn.computes = conditions.needs_views_of_moves(&turn.signals());
        let percepts = &turn.percepts;
        let first_input = number * copy.legal.len();
        if let ([only], false) = (&mut turn.choosers[..], turn.computes)
            && only.say_percepts(conditions, percepts, first_input, &mut work).is_some()
        {
            turn.percepts.clear();
        }
        let reads_moves = conditions.reads(turn.signals()).1;
        let several = of_roles.choosing().count() > 1;
        turn.remembers = several || reads_moves || turn.computes;
        Ok(turn)
    }

    /// The roles that have several moves.
    pub fn free(&self) -> impl Iterator<Item = &Chooser> {
        self.choosers.iter().filter(|chooser| chooser.is_free())
    }

    /// All signals that the turn reads.
    pub fn signals(&self) -> Vec<Signal> {
        let moves = || self.choosers.iter().flat_map(|chooser| &chooser.moves);
        let updates = moves().flat_map(|plan| &plan.updates).chain(&self.common);
        let legal = moves().map(|plan| plan.legal);
        let percepts = moves().flat_map(|plan| &plan.percepts).chain(&self.percepts);
        let percepts = percepts.map(|&(_, condition)| condition);
        legal.chain(updates.flat_map(Update::signals)).chain(percepts).collect()
    }

    /// Marks the variables that are read after they have been written.
    pub fn mark_deferred(&self, conditions: &Conditions, deferred: &mut [bool]) {
        let mut written: HashSet<u32> = HashSet::new();
        let mut mark = |updates: &[Update], written: &HashSet<u32>| {
            let mut here: HashSet<u32> = HashSet::new();
            for update in updates {
                if !written.is_empty() || !here.is_empty() {
                    let signals = update.signals();
                    let (reads, _) = conditions.reads(signals);
                    // A variable may read its own old value, unless an earlier section has written
                    // it.
                    let own = update.variable;
                    for variable in reads {
                        if written.contains(&variable) || here.contains(&variable) {
                            deferred[variable as usize] = true;
                        }
                    }
                    if update.successors.is_some() && written.contains(&own) {
                        deferred[own as usize] = true;
                    }
                }
                here.insert(update.variable);
            }
            here
        };
        for chooser in &self.choosers {
            let mut here = HashSet::new();
            for plan in &chooser.moves {
                here.extend(mark(&plan.updates, &written));
            }
            written.extend(here);
        }
        mark(&self.common, &written);
    }

    /// The variables that the turn writes.
    pub fn written(&self) -> HashSet<u32> {
        let moves = self.choosers.iter().flat_map(|chooser| &chooser.moves);
        let updates = moves.flat_map(|plan| &plan.updates).chain(&self.common);
        updates.map(|update| update.variable).collect()
    }
}

/// The phases that may follow a phase.
pub(super) fn following(unrolled: &Unrolled, number: usize) -> Vec<usize> {
    let (copy, phases) = (&unrolled.copies[number], &unrolled.phases);
    let becomes = |(latch, now): (LatchId, bool)| {
        let frame = copy.frames.get(latch.index())?;
        match (frame.set, frame.keep) {
            (Signal::TRUE, _) => Some(true),
            _ if !frame.sets.is_empty() => None,
            (Signal::FALSE, Signal::FALSE) => Some(false),
            (Signal::FALSE, Signal::TRUE) if frame.clears.is_empty() => Some(now),
            _ => None,
        }
    };
    let next: Vec<Option<bool>> = phases.known(number).map(becomes).collect();
    let fits = |values: &[bool]| {
        next.iter().zip(values).all(|(next, value)| next.is_none_or(|next| next == *value))
    };
    (0..phases.count()).filter(|&other| fits(&phases.values[other])).collect()
}
