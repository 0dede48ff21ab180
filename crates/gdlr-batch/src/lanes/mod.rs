//! Games stepped from outside, hundreds at once, by the contract of [`Lanes`].
//!
//! 1. [`table`] lays out the inputs and outputs of each phase: actions, whose turn it is, the slots of outputs.
//! 2. [`block`] has as many lanes as a plane has bits, all in the same phase. [`field`] has all blocks, and the place of each
//!    lane in them. [`pack`] keeps the number of blocks small.
//! 3. [`choice`] makes moves of actions. [`outputs`] writes the outputs of lanes, and [`percepts`] the percepts of a step.
//! 4. [`expand`] computes the children of all lanes.
//! 5. [`byte_rows`] makes rows of bytes of planes. [`transpose`] makes rows of bits, from a matrix of 64 by 64 bits at a time.
//!
//! # Cost
//!
//! A step computes each block in its phase. If players alternate, a lane that begins again goes to another block, and its
//! place is filled when the block comes to the first phase. A lane that waits while others of its block play is moved,
//! too. Blocks that are not full are merged, as soon as they have cost as much as moving their lanes costs. So lanes are not
//! spread over more and more blocks. In a game of `k` phases, about `k / 2` more blocks are computed than all lanes fill.

mod block;
mod byte_rows;
mod choice;
mod expand;
mod field;
mod outputs;
mod pack;
mod percepts;
mod table;
#[cfg(all(test, not(miri)))]
mod tests;
mod transpose;

use super::Batch;
#[cfg(target_arch = "x86_64")]
use super::avx::{Avx2, Avx512};
use super::simd128::Simd128;
use super::width::{AnyToken, with_width};
use field::Field;
use gdlr_engine::engine::{
    AnyState, ChildOutputs, Children, Encoded, Ended, ExpandError, FactError, Illegal, Lanes,
    Moment, Output, Vocabulary,
};
use gdlr_net::net::FluentBit;
use gdlr_net::propnet::State;
use gdlr_rules::gdl::Term;
use gdlr_text::budget::{Exhausted, Meter};
use std::fmt;
use std::sync::Arc;
use table::Table;

/// Games in lanes. The module says what a lane is.
#[derive(Clone)]
pub struct BatchLanes {
    batch: Arc<Batch>,
    table: Arc<Table>,
    vocabulary: Arc<Vocabulary>,
    field: AnyField,
    illegal: Vec<Illegal>,
}

/// Lanes of any width.
#[derive(Clone)]
enum AnyField {
    Portable(Box<Field<u64>>),
    Simd128(Box<Field<Simd128>>),
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
        let layout = batch.lay_out_stepped(meter)?;
        let Batch { game, net, token, .. } = &*batch;
        let table = Arc::new(Table::new(net, layout, &game.symbols, meter)?);
        let initial = State::initial(net);
        let first = |latch| initial.latch(latch);
        let percepts = table.percepts.as_ref();
        macro_rules! field {
            ($token:ident) => {
                Field::new(*$token, layout, percepts, lanes, first, seed)
            };
        }
        let field = match token {
            AnyToken::Portable(token) => AnyField::Portable(field!(token)),
            AnyToken::Simd128(token) => AnyField::Simd128(field!(token)),
            #[cfg(target_arch = "x86_64")]
            AnyToken::Avx2(token) => AnyField::Avx2(field!(token)),
            #[cfg(target_arch = "x86_64")]
            AnyToken::Avx512(token) => AnyField::Avx512(field!(token)),
        };
        let vocabulary = Vocabulary {
            moves: table.actions.iter().map(|&term| net.moves[term as usize].clone()).collect(),
            facts: net.fluents.iter().map(|FluentBit { fact, .. }| Term::clone(fact)).collect(),
            percepts: percepts.map_or(Vec::new(), |percepts| percepts.terms.clone()),
        };
        let vocabulary = Arc::new(vocabulary);
        Ok(BatchLanes { batch, table, vocabulary, field, illegal: Vec::new() })
    }

    /// The game, laid out.
    pub fn batch(&self) -> &Arc<Batch> {
        &self.batch
    }

    /// Puts a lane into a state of an engine of the same net
    /// ([`Propnet::of_net`](gdlr_net::propnet::Propnet::of_net)). Linear in the latches.
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
            field.enter(batch.stepped(), lane, phase, |latch| state.latch(latch));
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
            field.enter_many(batch.stepped(), &by_lane);
        });
        Ok(())
    }

    /// The state of a lane. Linear in the latches.
    ///
    /// # Panics
    ///
    /// When there is no such lane.
    pub fn save(&self, lane: usize) -> State {
        let (net, layout) = (self.batch.net(), self.batch.stepped());
        with_width!(AnyField, &self.field, field => {
            let (phase, values) = field.state(layout, lane);
            let mut words = vec![0; net.latches.len().div_ceil(64)];
            let fixed = layout.known[phase].iter().copied();
            for (latch, value) in layout.latches.iter().copied().zip(values).chain(fixed) {
                words[latch as usize / 64] |= u64::from(value) << (latch % 64);
            }
            State::of_words(net.latches.len(), &words)
        })
    }
}

impl Lanes for BatchLanes {
    fn len(&self) -> usize {
        with_width!(AnyField, &self.field, field => field.len())
    }

    fn roles(&self) -> usize {
        self.table.roles
    }

    fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    fn is_simultaneous(&self) -> bool {
        self.table.is_simultaneous
    }

    fn observed(&self) -> &[Option<u32>] {
        &self.table.observed
    }

    fn observe(&mut self, facts: Vec<Option<u32>>) {
        let (net, layout) = (self.batch.net(), self.batch.stepped());
        Arc::make_mut(&mut self.table).observe(net, layout, facts);
    }

    fn seed(&mut self, seed: u64) {
        with_width!(AnyField, &mut self.field, field => field.seed(seed));
    }

    fn seed_lane(&mut self, lane: usize, seed: u64) {
        with_width!(AnyField, &mut self.field, field => field.seed_lane(lane, seed));
    }

    fn choose(&mut self, actions: &[i32], ended: Ended) -> Result<(), &[Illegal]> {
        assert_eq!(actions.len(), self.len() * self.acting(), "an action for each lane");
        let BatchLanes { batch, table, field, illegal, .. } = self;
        with_width!(AnyField, field, field => {
            field.choose(batch.stepped(), table, actions, ended, illegal);
        });
        if illegal.is_empty() { Ok(()) } else { Err(illegal) }
    }

    fn illegal(&self) -> &[Illegal] {
        &self.illegal
    }

    fn play(&mut self) {
        let BatchLanes { batch, table, field, illegal, .. } = self;
        with_width!(AnyField, field, field => field.play(batch.stepped(), table, illegal));
    }

    fn choose_at_random(&mut self, ended: Ended) {
        let BatchLanes { batch, field, illegal, .. } = self;
        illegal.clear();
        with_width!(AnyField, field, field => field.choose_at_random(batch.stepped(), ended));
    }

    fn chosen(&mut self, out: &mut [i32]) {
        assert_eq!(out.len(), self.len() * self.acting());
        let BatchLanes { batch, table, field, .. } = self;
        with_width!(AnyField, field, field => field.write_chosen(batch.stepped(), table, out));
    }

    fn step_at_random(&mut self, ended: Ended) {
        let BatchLanes { batch, table, field, .. } = self;
        with_width!(AnyField, field, field => field.step_at_random(batch.stepped(), table, ended));
    }

    fn reset(&mut self, lanes: &[usize]) {
        let layout = self.batch.stepped();
        let lanes = lanes.iter().copied();
        with_width!(AnyField, &mut self.field, field => field.reset(layout, lanes));
    }

    fn reset_over(&mut self) {
        let BatchLanes { batch, field, .. } = self;
        with_width!(AnyField, field, field => field.reset_over(batch.stepped()));
    }

    fn cut(&mut self, lanes: &[usize]) {
        let BatchLanes { batch, field, .. } = self;
        let lanes = lanes.iter().copied();
        with_width!(AnyField, field, field => field.cut(batch.stepped(), lanes));
    }

    fn cut_after(&mut self, steps: Option<u64>) {
        with_width!(AnyField, &mut self.field, field => field.cut_after(steps));
    }

    fn can_enter(&self, state: &AnyState) -> bool {
        self.takes(own(state))
    }

    fn enter(&mut self, states: &[(usize, &AnyState)]) -> Result<(), FactError> {
        match *states {
            [(lane, state)] => self.restore(lane, own(state)),
            _ => self.restore_many(states.iter().map(|&(lane, state)| (lane, own(state)))),
        }
    }

    fn state(&self, lane: usize) -> AnyState {
        AnyState::new(self.save(lane))
    }

    fn age(&self, lane: usize) -> u64 {
        with_width!(AnyField, &self.field, field => field.age(lane))
    }

    fn write(&mut self, output: Output, moment: Moment, out: Encoded<'_>) {
        out.assert_fits(self.len(), self.width(output));
        let BatchLanes { batch, table, field, .. } = self;
        with_width!(AnyField, field, field => {
            field.write(batch.stepped(), table, output, moment, out);
        });
    }

    fn ended(&mut self, out: &mut [u8]) {
        assert_eq!(out.len(), self.len());
        let BatchLanes { batch, field, .. } = self;
        with_width!(AnyField, field, field => field.write_ended(batch.stepped(), out));
    }

    fn to_move(&mut self, out: &mut [i32]) {
        assert_eq!(out.len(), self.len());
        let BatchLanes { batch, table, field, .. } = self;
        with_width!(AnyField, field, field => field.write_to_move(batch.stepped(), table, out));
    }

    fn goals(&mut self, out: &mut [u8]) {
        assert_eq!(out.len(), self.len() * self.table.roles);
        let BatchLanes { batch, field, .. } = self;
        with_width!(AnyField, field, field => field.write_goals(batch.stepped(), out));
    }

    fn expand(&mut self, wanted: ChildOutputs, children: &mut Children) -> Result<(), ExpandError> {
        let BatchLanes { batch, table, field, .. } = self;
        if table.is_simultaneous {
            return Err(ExpandError::Simultaneous);
        }
        if batch.stepped().chance.is_some() {
            return Err(ExpandError::Chance);
        }
        with_width!(AnyField, field, field => {
            field.expand(batch.stepped(), table, wanted, children);
        });
        Ok(())
    }

    fn bytes(&self) -> usize {
        with_width!(AnyField, &self.field, field => field.bytes())
    }
}

/// A state of the engine of single states on the same net.
fn own(state: &AnyState) -> &State {
    state.downcast_ref().expect("a state of the engine `propnet`")
}

impl fmt::Debug for BatchLanes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BatchLanes").field("lanes", &self.len()).finish_non_exhaustive()
    }
}
