//! Which playouts are to be played, and what became of them.
//!
//! Whoever counts keeps its tables from one call to the next, so that counting allocates
//! nothing once they have grown.

use super::plane::Plane;
use super::step_counters::StepCounters;
use gdlr_engine::play::{RoleStatistics, Statistics};

/// Begins to count anew, in the same memory.
fn clear(statistics: &mut Statistics) {
    let mut roles = std::mem::take(&mut statistics.roles);
    roles.fill(RoleStatistics::default());
    *statistics = Statistics { roles, ..Statistics::default() };
}

/// Says where playouts begin, and counts.
pub(super) trait Tally<P: Plane> {
    /// The lanes, of those that are free, in which a playout begins now.
    fn begin(&mut self, free: P) -> P;
    /// Whether there are playouts to begin.
    fn has_more(&self) -> bool;
    /// Begin no other.
    fn finish(&mut self);
    /// All moves of all roles were computed in these lanes.
    fn step(&mut self, lanes: P);
    /// Playouts have reached a terminal state.
    fn ended(&mut self, lanes: P, steps: &StepCounters<P>);
    /// Playouts were cut.
    fn capped(&mut self, lanes: P, steps: &StepCounters<P>);
    /// A role has no legal move.
    fn stuck(&mut self, lanes: P, steps: &StepCounters<P>);
    /// Playouts do not count.
    fn forgotten(&mut self, lanes: P, steps: &StepCounters<P>);
    /// Playouts have ended with this value for a role.
    fn goal(&mut self, role: u16, value: u8, lanes: P);
    /// Playouts have ended without a proper value for a role.
    fn improper(&mut self, role: u16, lanes: P);
}

/// All playouts begin in the same state and are counted together.
#[derive(Clone, Debug)]
pub(super) struct Total {
    /// How many are still to begin.
    pub to_begin: u64,
    /// Under way or over. The states are those of playouts under way, too.
    pub statistics: Statistics,
}

impl Total {
    /// Nothing is to be played, by so many roles.
    pub fn new(roles: usize) -> Total {
        Total { to_begin: 0, statistics: Statistics::new(roles) }
    }

    /// So many are to be played and counted anew.
    pub fn start(&mut self, playouts: u64) {
        self.to_begin = playouts;
        clear(&mut self.statistics);
    }
}

impl<P: Plane> Tally<P> for Total {
    #[inline(always)]
    fn begin(&mut self, free: P) -> P {
        let count = free.count();
        if count <= self.to_begin {
            self.to_begin -= count;
            return free;
        }
        let mut begins = free.token().none();
        for lane in 0..P::LANES {
            if self.to_begin > 0 && free.has(lane) {
                begins.put(lane, true);
                self.to_begin -= 1;
            }
        }
        begins
    }

    #[inline(always)]
    fn has_more(&self) -> bool {
        self.to_begin > 0
    }

    #[inline(always)]
    fn finish(&mut self) {
        self.to_begin = 0;
    }

    #[inline(always)]
    fn step(&mut self, lanes: P) {
        self.statistics.states += lanes.count();
    }

    #[inline(always)]
    fn ended(&mut self, lanes: P, _: &StepCounters<P>) {
        self.statistics.playouts += lanes.count();
    }

    fn capped(&mut self, lanes: P, steps: &StepCounters<P>) {
        self.statistics.capped += lanes.count();
        self.statistics.states -= steps.sum(lanes);
    }

    fn stuck(&mut self, lanes: P, steps: &StepCounters<P>) {
        self.statistics.stuck += lanes.count();
        self.statistics.states -= steps.sum(lanes);
    }

    fn forgotten(&mut self, lanes: P, steps: &StepCounters<P>) {
        self.statistics.states -= steps.sum(lanes);
    }

    #[inline(always)]
    fn goal(&mut self, role: u16, value: u8, lanes: P) {
        self.statistics.roles[usize::from(role)].goals[usize::from(value)] += lanes.count();
    }

    #[inline(always)]
    fn improper(&mut self, role: u16, lanes: P) {
        self.statistics.roles[usize::from(role)].improper += lanes.count();
    }
}

/// Each lane plays from a state of its own, so often, and is counted for it.
#[derive(Clone, Debug)]
pub(super) struct ByLane {
    roles: usize,
    /// By lane: how many are still to begin.
    to_begin: Vec<u64>,
    /// How many that are in all lanes.
    left: u64,
    /// By lane: the place of its state among those that were handed out, and its number.
    place: Vec<usize>,
    state: Vec<usize>,
    /// By state; those beyond the states of a call are kept for later ones.
    statistics: Vec<Statistics>,
}

impl ByLane {
    /// Nothing is to be played, by so many roles.
    pub fn new(roles: usize) -> ByLane {
        let (to_begin, place, state, statistics) = Default::default();
        ByLane { roles, to_begin, left: 0, place, state, statistics }
    }

    /// So many states are to be counted anew.
    pub fn start(&mut self, states: usize) {
        if self.statistics.len() < states {
            self.statistics.resize_with(states, || Statistics::new(self.roles));
        }
        self.statistics[..states].iter_mut().for_each(clear);
    }

    /// Hands out lanes to states, of which there are not more: `each` playouts for a state, in
    /// as many lanes as any other has. The lanes that are left belong to the last, and do not
    /// play.
    pub fn share(&mut self, lanes: usize, states: &[usize], each: u64) {
        let per_state = lanes / states.len();
        let (all, more) = (each / per_state as u64, each % per_state as u64);
        self.to_begin.clear();
        self.to_begin.extend((0..lanes).map(|lane| {
            let plays = lane / per_state < states.len();
            if plays { all + u64::from(((lane % per_state) as u64) < more) } else { 0 }
        }));
        self.left = self.to_begin.iter().sum();
        let last = states.len() - 1;
        self.place.clear();
        self.place.extend((0..lanes).map(|lane| (lane / per_state).min(last)));
        self.state.clear();
        self.state.extend(self.place.iter().map(|&place| states[place]));
    }

    /// The place of the state of a lane among those that were handed out.
    #[inline(always)]
    pub fn place(&self, lane: usize) -> usize {
        self.place[lane]
    }

    /// By state, so many of them.
    pub fn statistics(&self, states: usize) -> &[Statistics] {
        &self.statistics[..states]
    }

    /// Counts something for the state of each lane.
    fn count<P: Plane>(&mut self, lanes: P, mut what: impl FnMut(&mut Statistics, usize)) {
        for lane in lanes.lanes() {
            what(&mut self.statistics[self.state[lane]], lane);
        }
    }
}

impl<P: Plane> Tally<P> for ByLane {
    #[inline(always)]
    fn begin(&mut self, free: P) -> P {
        let mut begins = free.token().none();
        for lane in free.lanes() {
            if self.to_begin[lane] > 0 {
                self.to_begin[lane] -= 1;
                self.left -= 1;
                begins.put(lane, true);
            }
        }
        begins
    }

    #[inline(always)]
    fn has_more(&self) -> bool {
        self.left > 0
    }

    fn finish(&mut self) {
        self.to_begin.fill(0);
        self.left = 0;
    }

    fn step(&mut self, _: P) {}

    fn ended(&mut self, lanes: P, steps: &StepCounters<P>) {
        self.count(lanes, |statistics, lane| {
            statistics.playouts += 1;
            statistics.states += steps.of(lane);
        });
    }

    fn capped(&mut self, lanes: P, _: &StepCounters<P>) {
        self.count(lanes, |statistics, _| statistics.capped += 1);
    }

    fn stuck(&mut self, lanes: P, _: &StepCounters<P>) {
        self.count(lanes, |statistics, _| statistics.stuck += 1);
    }

    fn forgotten(&mut self, _: P, _: &StepCounters<P>) {}

    fn goal(&mut self, role: u16, value: u8, lanes: P) {
        let (role, value) = (usize::from(role), usize::from(value));
        self.count(lanes, |statistics, _| statistics.roles[role].goals[value] += 1);
    }

    fn improper(&mut self, role: u16, lanes: P) {
        self.count(lanes, |statistics, _| statistics.roles[usize::from(role)].improper += 1);
    }
}
