//! Games stepped from outside, hundreds at once: for those who learn and search.
//!
//! Rollouts say how random games end. Whoever trains an agent, or expands a tree, gives moves
//! and wants to know after each step what is legal, who is to move, what is seen. [`BatchLanes`]
//! are games that run beside each other, one in each *lane*, and take and give all of that in
//! arrays of the caller, a row for each lane. Nothing is computed that is not asked for.
//!
//! 1. [`table`] lays out what goes in and out of each phase: actions, whose turn it is, the
//!    slots of outputs.
//! 2. [`block`] is as many lanes as a plane has bits, all in the same phase; [`field`] is all
//!    blocks, and the place of each lane in them.
//! 3. [`choice`] makes moves of actions, [`outputs`] writes what lanes say; [`signals`] are the
//!    values that mean something special.
//! 4. [`transpose`] makes rows of planes: a matrix of 64 by 64 bits at a time.
//!
//! # Actions
//!
//! An action is a move by name, the same for every role and in every state. In a game in which
//! one role chooses at a time, a step takes one action a lane, of the role that is to move, and
//! the others wait; in a game in which several may choose at once, one action of every role.
//! Chance, the role `random` of GDL-II, is drawn by the lane itself.
//!
//! # Ends
//!
//! A lane is over when its state is terminal; when a role has no legal move, which does not
//! happen in a well-formed game; when it was cut; or by an action that was not legal, where the
//! caller wants that. It then stays as it is or begins again with the next step, as
//! the caller says ([`Ended`]); what is asked about it in between is of its last state.
//!
//! # Cost
//!
//! A step computes each block in its phase. Where players alternate, lanes that begin again
//! change their block, and the holes that they leave are filled when the block comes to the first
//! phase. A lane that stays while others of its block play is moved bit by bit. Blocks are merged
//! when there are more than all lanes would fill and one for each phase, so that skipped steps and
//! restored states do not spread lanes over more and more of them.

mod block;
mod choice;
mod field;
mod outputs;
mod signals;
mod table;
#[cfg(all(test, not(miri)))]
mod tests;
mod transpose;

use super::Batch;
#[cfg(target_arch = "x86_64")]
use super::avx::{Avx2, Avx512};
use super::width::{Width, with_width};
use crate::budget::{Exhausted, Meter};
use crate::engine::FactError;
use crate::gdl::Term;
use crate::net::FluentBit;
use crate::propnet::State;
use field::Field;
pub use signals::{CUT, Ended, Illegal, NO_GOAL, REFUSED, Refusal, SKIP, STUCK, TERMINAL};
use std::fmt;
use std::sync::Arc;
use table::Table;

/// Games in lanes. The [module](self) says what a lane is.
#[derive(Clone)]
pub struct BatchLanes {
    batch: Arc<Batch>,
    table: Arc<Table>,
    field: AnyField,
    illegal: Vec<Illegal>,
}

/// Lanes of any width.
#[derive(Clone)]
enum AnyField {
    Portable(Box<Field<u64>>),
    #[cfg(target_arch = "x86_64")]
    Avx2(Box<Field<Avx2>>),
    #[cfg(target_arch = "x86_64")]
    Avx512(Box<Field<Avx512>>),
}

impl BatchLanes {
    /// So many lanes of a game, all in the initial state, as wide as the batch is. The same seed
    /// gives the same draws of chance in each lane.
    ///
    /// # Errors
    ///
    /// When the budget runs out: to find out whose turn it is takes time linear in the net for
    /// every 32 latches, where turns do not go round.
    pub fn new(
        batch: Arc<Batch>,
        lanes: usize,
        seed: u64,
        meter: &Meter<'_>,
    ) -> Result<BatchLanes, Exhausted> {
        let Batch { game, net, layout, width } = &*batch;
        let table = Arc::new(Table::new(net, layout, &game.symbols, meter)?);
        let initial = State::initial(net);
        let first = |latch| initial.latch(latch);
        let field = match width {
            #[cfg(target_arch = "x86_64")]
            Width::Avx2 => AnyField::Avx2(Field::new(layout, lanes, first, seed)),
            #[cfg(target_arch = "x86_64")]
            Width::Avx512 => AnyField::Avx512(Field::new(layout, lanes, first, seed)),
            _ => AnyField::Portable(Field::new(layout, lanes, first, seed)),
        };
        Ok(BatchLanes { batch, table, field, illegal: Vec::new() })
    }

    /// How many lanes there are.
    pub fn len(&self) -> usize {
        with_width!(AnyField, &self.field, field => field.len())
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What is played.
    pub fn batch(&self) -> &Arc<Batch> {
        &self.batch
    }

    /// By action: its move. Numbers stand in the order of their values, and before words.
    pub fn actions(&self) -> impl ExactSizeIterator<Item = &Term> {
        let net = self.batch.net();
        self.table.actions.iter().map(|&term| &net.moves[term as usize])
    }

    /// Whether all roles act in each step; if not, it is one at a time.
    pub fn is_simultaneous(&self) -> bool {
        self.table.is_simultaneous
    }

    /// How many actions a step takes for each lane: one, or one of each role.
    pub fn acting(&self) -> usize {
        self.table.acting()
    }

    /// The facts that are observed, in order; none where nothing is.
    pub fn observed(&self) -> impl ExactSizeIterator<Item = Option<&Term>> {
        let net = self.batch.net();
        let fact = |&at: &u32| &*net.fluents[at as usize].fact;
        self.table.observed.iter().map(move |at| at.as_ref().map(fact))
    }

    /// Observes these facts from now on, in this order: places in the list of all facts that can
    /// be true, sorted ([`facts`](Self::facts)). Where nothing is named, nothing is observed,
    /// and the bit is never true. At the beginning all facts are observed.
    ///
    /// # Panics
    ///
    /// When there are not as many facts.
    pub fn observe(&mut self, facts: Vec<Option<u32>>) {
        let Batch { net, layout, .. } = &*self.batch;
        Arc::make_mut(&mut self.table).observe(net, layout, facts);
    }

    /// All facts that can be true.
    pub fn facts(&self) -> impl ExactSizeIterator<Item = &Term> {
        self.batch.net().fluents.iter().map(|FluentBit { fact, .. }| &**fact)
    }

    /// Draws from other seeds: those of all lanes follow from one.
    pub fn seed(&mut self, seed: u64) {
        with_width!(AnyField, &mut self.field, field => field.seed(seed));
    }

    /// Draws the moves of chance in a lane from a seed of its own.
    ///
    /// # Panics
    ///
    /// When there are not as many lanes.
    pub fn seed_lane(&mut self, lane: usize, seed: u64) {
        with_width!(AnyField, &mut self.field, field => field.seed_lane(lane, seed));
    }

    /// Plays an action in each lane: `actions` has one for each lane, or one of each role for
    /// each lane where all act at once, and where a lane is to stay as it is, [`SKIP`] as the
    /// first. What is said about lanes that are over is not looked at, nor are the actions of
    /// roles that do not choose in the state.
    ///
    /// # Errors
    ///
    /// The actions that are not legal. Then no lane has played, or, if that was wanted, their
    /// lanes have ended and the others have played.
    ///
    /// # Panics
    ///
    /// When there are not as many actions as there should be.
    pub fn step(
        &mut self,
        actions: &[i32],
        ended: Ended,
        refusal: Refusal,
    ) -> Result<(), &[Illegal]> {
        if self.choose(actions, ended).is_ok() || refusal == Refusal::End {
            self.play();
        }
        if self.illegal.is_empty() { Ok(()) } else { Err(&self.illegal) }
    }

    /// The first half of [`step`](Self::step): looks at the actions, and plays nothing.
    ///
    /// # Errors
    ///
    /// The actions that are not legal.
    ///
    /// # Panics
    ///
    /// When there are not as many actions as there should be.
    pub fn choose(&mut self, actions: &[i32], ended: Ended) -> Result<(), &[Illegal]> {
        assert_eq!(actions.len(), self.len() * self.acting(), "an action for each lane");
        let BatchLanes { batch, table, field, illegal } = self;
        with_width!(AnyField, field, field => {
            field.choose(&batch.layout, table, actions, ended, illegal);
        });
        if illegal.is_empty() { Ok(()) } else { Err(illegal) }
    }

    /// The actions that were not legal when they were looked at last.
    pub fn illegal(&self) -> &[Illegal] {
        &self.illegal
    }

    /// The second half: plays the actions that [`choose`](Self::choose) has looked at; lanes whose
    /// actions are not legal end. Where lanes have been played, reset or restored since, nothing
    /// is played.
    pub fn play(&mut self) {
        let BatchLanes { batch, table, field, illegal } = self;
        with_width!(AnyField, field, field => field.play(&batch.layout, table, illegal));
    }

    /// Plays a random move of every role in each lane, all legal ones with the same chance. The
    /// same seed, width and number of lanes give the same moves.
    pub fn step_at_random(&mut self, ended: Ended) {
        let BatchLanes { batch, field, .. } = self;
        with_width!(AnyField, field, field => field.step_at_random(&batch.layout, ended));
    }

    /// Puts lanes into the initial state.
    ///
    /// # Panics
    ///
    /// When there is no such lane.
    pub fn reset(&mut self, lanes: impl Iterator<Item = usize>) {
        let layout = &self.batch.layout;
        with_width!(AnyField, &mut self.field, field => field.reset(layout, lanes));
    }

    /// Puts all lanes that are over into the initial state.
    pub fn reset_over(&mut self) {
        let BatchLanes { batch, field, .. } = self;
        with_width!(AnyField, field, field => field.reset_over(&batch.layout));
    }

    /// Ends lanes where they are, if they are not over.
    ///
    /// # Panics
    ///
    /// When there is no such lane.
    pub fn cut(&mut self, lanes: impl Iterator<Item = usize>) {
        let BatchLanes { batch, field, .. } = self;
        with_width!(AnyField, field, field => field.cut(&batch.layout, lanes));
    }

    /// From now on, cuts lanes that have played so many steps or more, if their states are not
    /// terminal.
    pub fn cut_after(&mut self, steps: Option<u64>) {
        with_width!(AnyField, &mut self.field, field => field.cut_after(steps));
    }

    /// Puts a lane into a state of an engine of the same net
    /// ([`Propnet::of_net`](crate::propnet::Propnet::of_net)). Linear in the latches.
    ///
    /// # Errors
    ///
    /// When play comes to no such state, as far as whose turn it is tells. The lane is as before.
    ///
    /// # Panics
    ///
    /// When there is no such lane.
    pub fn restore(&mut self, lane: usize, state: &State) -> Result<(), FactError> {
        let BatchLanes { batch, field, .. } = self;
        let phase = batch.find_phase(state).ok_or(FactError::Unreachable(None))?;
        with_width!(AnyField, field, field => {
            field.enter(&batch.layout, lane, phase, |latch| state.latch(latch));
        });
        Ok(())
    }

    /// Whether [`restore`](Self::restore) would take a state.
    pub fn takes(&self, state: &State) -> bool {
        self.batch.find_phase(state).is_some()
    }

    /// Puts many lanes into states, as [`restore`](Self::restore) does, but 64 latches of all
    /// lanes of a block at once. Of a lane that is named more than once, the last state counts.
    ///
    /// # Errors
    ///
    /// When play comes to no such state. All lanes are as before.
    ///
    /// # Panics
    ///
    /// When there is no such lane.
    pub fn restore_many<'s>(
        &mut self,
        states: impl IntoIterator<Item = (usize, &'s State)>,
    ) -> Result<(), FactError> {
        let BatchLanes { batch, field, .. } = self;
        with_width!(AnyField, field, field => {
            let mut by_lane = vec![None; field.len()];
            let mut last: Option<(usize, &State)> = None;
            for (lane, state) in states {
                // Often many lanes are put into the same.
                if last.is_none_or(|(_, last)| !std::ptr::eq(last, state)) {
                    let phase = batch.find_phase(state).ok_or(FactError::Unreachable(None))?;
                    last = Some((phase, state));
                }
                by_lane[lane] = last;
            }
            field.enter_many(&batch.layout, &by_lane);
        });
        Ok(())
    }

    /// The state of a lane. Linear in the latches.
    ///
    /// # Panics
    ///
    /// When there is no such lane.
    pub fn save(&self, lane: usize) -> State {
        let Batch { net, layout, .. } = &*self.batch;
        with_width!(AnyField, &self.field, field => {
            let (phase, values) = field.state(layout, lane);
            let mut words = vec![0; net.latches.len().div_ceil(64)];
            let known = layout.known[phase].iter().copied();
            for (latch, value) in layout.latches.iter().copied().zip(values).chain(known) {
                words[latch as usize / 64] |= u64::from(value) << (latch % 64);
            }
            State::of_words(net.latches.len(), &words)
        })
    }

    /// How many steps a lane has played since it began or was restored.
    ///
    /// # Panics
    ///
    /// When there is no such lane.
    pub fn age(&self, lane: usize) -> u64 {
        with_width!(AnyField, &self.field, field => field.age(lane))
    }

    /// Writes which actions are legal, 1 or 0: for each lane a row of all actions, or such a row
    /// of each role where all act at once. None is in a lane that is over.
    ///
    /// # Panics
    ///
    /// When `out` does not have this size.
    pub fn legal(&mut self, out: &mut [u8]) {
        assert_eq!(out.len(), self.len() * self.acting() * self.table.actions.len());
        let BatchLanes { batch, table, field, .. } = self;
        with_width!(AnyField, field, field => field.write_legal(&batch.layout, table, out));
    }

    /// The same in bits, the lowest first: the row of a lane, with those of all roles, is as
    /// many words as it takes.
    ///
    /// # Panics
    ///
    /// When `out` does not have this size.
    pub fn legal_bits(&mut self, out: &mut [u64]) {
        let bits = self.acting() * self.table.actions.len();
        assert_eq!(out.len(), self.len() * bits.div_ceil(64));
        let BatchLanes { batch, table, field, .. } = self;
        with_width!(AnyField, field, field => field.write_legal_bits(&batch.layout, table, out));
    }

    /// Writes what is observed, 1 or 0: for each lane a row.
    ///
    /// # Panics
    ///
    /// When `out` does not have this size.
    pub fn observations(&self, out: &mut [u8]) {
        assert_eq!(out.len(), self.len() * self.table.observed.len());
        with_width!(AnyField, &self.field, field => field.write_observed(&self.table, out));
    }

    /// The same in the rows of lanes that are over; the others are left as they are.
    ///
    /// # Panics
    ///
    /// When `out` does not have this size.
    pub fn last_observations(&mut self, out: &mut [u8]) {
        assert_eq!(out.len(), self.len() * self.table.observed.len());
        let BatchLanes { batch, table, field, .. } = self;
        with_width!(AnyField, field, field => field.write_last_observed(&batch.layout, table, out));
    }

    /// What is observed in bits, the lowest first: the row of a lane is as many words as it takes.
    ///
    /// # Panics
    ///
    /// When `out` does not have this size.
    pub fn observation_bits(&self, out: &mut [u64]) {
        assert_eq!(out.len(), self.len() * self.table.observed.len().div_ceil(64));
        with_width!(AnyField, &self.field, field => field.write_observed_bits(&self.table, out));
    }

    /// Writes how each lane ended: [`TERMINAL`], [`STUCK`], [`CUT`], [`REFUSED`], or 0 where it
    /// is not over.
    ///
    /// # Panics
    ///
    /// When `out` does not have a place for each lane.
    pub fn ended(&mut self, out: &mut [u8]) {
        assert_eq!(out.len(), self.len());
        let BatchLanes { batch, field, .. } = self;
        with_width!(AnyField, field, field => field.write_ended(&batch.layout, out));
    }

    /// Writes whose turn it is, by lane: -1 where the game is over, and where all act at once.
    ///
    /// # Panics
    ///
    /// When `out` does not have a place for each lane.
    pub fn to_move(&mut self, out: &mut [i32]) {
        assert_eq!(out.len(), self.len());
        let BatchLanes { batch, table, field, .. } = self;
        with_width!(AnyField, field, field => field.write_to_move(&batch.layout, table, out));
    }

    /// Writes the goals of lanes in terminal states, a row of all roles for each: [`NO_GOAL`]
    /// where there is none or more than one. In other states they are 0.
    ///
    /// # Panics
    ///
    /// When `out` does not have this size.
    pub fn goals(&mut self, out: &mut [u8]) {
        assert_eq!(out.len(), self.len() * self.table.roles);
        let BatchLanes { batch, field, .. } = self;
        with_width!(AnyField, field, field => field.write_goals(&batch.layout, out));
    }

    /// How many bytes the lanes take, all together.
    pub fn bytes(&self) -> usize {
        with_width!(AnyField, &self.field, field => field.bytes())
    }
}

impl fmt::Debug for BatchLanes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BatchLanes").field("lanes", &self.len()).finish_non_exhaustive()
    }
}
