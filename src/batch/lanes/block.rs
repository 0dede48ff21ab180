//! Some lanes that are all in the same phase, as many as a plane has bits.

use super::table::{Ports, Source};
use super::transpose::{Matrix, transpose};
use crate::batch::ages::Ages;
use crate::batch::execute::read;
use crate::batch::layout::{Layout, Moves, latch_slot};
use crate::batch::plane::{Plane, memory};

/// The number of a lane, where there is one.
pub(super) const NO_LANE: u32 = u32::MAX;

/// What becomes of the lanes of a block in a step.
#[derive(Clone, Copy)]
pub(super) struct Fates<P> {
    /// They play a move.
    pub goes: P,
    /// They begin again.
    pub begins: P,
    /// They stay as they are.
    pub stays: P,
}

/// Lanes that are in the same phase.
#[derive(Clone)]
pub(super) struct Block<P> {
    pub phase: usize,
    pub memory: Vec<P>,
    /// By bit of a plane: the number of the lane.
    pub lanes: Box<[u32]>,
    /// The bits that are lanes.
    pub taken: P,
    /// The lanes in terminal states.
    pub terminal: P,
    /// The lanes in which a role has no legal move, though the state is not terminal.
    pub stuck: P,
    /// Steps since the beginning.
    pub ages: Ages<P>,
    /// Whether the latches have changed since the rest was computed.
    pub is_stale: bool,
    pub fates: Fates<P>,
}

impl<P: Plane> Block<P> {
    /// Without any lane.
    pub fn new(layout: &Layout) -> Self {
        let none = P::none();
        Block {
            phase: 0,
            memory: memory(layout.size),
            lanes: vec![NO_LANE; P::LANES].into(),
            taken: none,
            terminal: none,
            stuck: none,
            ages: Ages::new(),
            is_stale: true,
            fates: Fates { goes: none, begins: none, stays: none },
        }
    }

    /// The lanes in which nothing can be played any more.
    #[inline(always)]
    pub fn over(&self) -> P {
        self.terminal.or(self.stuck)
    }

    /// How many lanes there is room for.
    #[inline(always)]
    pub fn free(&self) -> usize {
        P::LANES - self.taken.count() as usize
    }

    /// Computes what there is to say about the states, if it is not known.
    #[inline(always)]
    pub fn look(&mut self, layout: &Layout) {
        if !self.is_stale {
            return;
        }
        self.is_stale = false;
        let phase = &layout.phases[self.phase];
        phase.state.execute(&mut self.memory);
        self.terminal = read(&self.memory, phase.terminal).and(self.taken);
        let mut can_go = P::all();
        for Moves { legal, .. } in &phase.choices {
            let mut any = P::none();
            for &slot in legal {
                any = any.or(self.memory[slot as usize]);
            }
            can_go = can_go.and(any);
        }
        self.stuck = self.taken.without(self.terminal).without(can_go);
    }

    /// Plays the moves that were made, where lanes go; `first` is by latch of the layout, `kept`
    /// is memory for as many.
    #[inline(always)]
    pub fn advance(&mut self, layout: &Layout, first: &[P], kept: &mut [P]) {
        let Fates { goes, begins, stays } = self.fates;
        let phase = &layout.phases[self.phase];
        let latches = latch_slot(0) as usize..latch_slot(layout.latches.len()) as usize;
        phase.moves.execute(&mut self.memory);
        if !stays.is_zero() {
            kept.copy_from_slice(&self.memory[latches.clone()]);
        }
        phase.next.run(&mut self.memory, begins, first);
        if !stays.is_zero() {
            for (latch, &kept) in self.memory[latches].iter_mut().zip(&*kept) {
                *latch = stays.select(kept, *latch);
            }
        }
        self.ages.grow(goes);
        self.ages.forget(begins);
        self.is_stale = true;
    }

    /// Puts some lanes into the first state.
    #[inline(always)]
    pub fn begin(&mut self, layout: &Layout, first: &[P], begins: P) {
        for (place, &first) in first.iter().enumerate().take(layout.latches.len()) {
            let latch = &mut self.memory[latch_slot(place) as usize];
            *latch = begins.select(first, *latch);
        }
        self.ages.forget(begins);
        self.is_stale = true;
    }

    /// The plane of a source.
    #[inline(always)]
    fn plane(&self, source: &Source) -> P {
        match source {
            Source::Never => P::none(),
            Source::Of(operand) => read(&self.memory, *operand),
            Source::Any(pairs) => pairs.iter().fold(P::none(), |any, &(slot, turn)| {
                any.or(self.memory[slot as usize].and(read(&self.memory, turn)))
            }),
        }
    }

    /// Calls `write` for every lane with what sources say of it in `lanes`, 64 at a time: the
    /// number of the lane, of the first of the 64, and their bits.
    #[inline(always)]
    pub fn rows(&self, sources: &[Source], lanes: P, mut write: impl FnMut(usize, usize, u64)) {
        let mut matrix: Matrix<P> = [P::none(); 64];
        for (part, sources) in sources.chunks(64).enumerate() {
            for (plane, source) in matrix.iter_mut().zip(sources) {
                *plane = self.plane(source).and(lanes);
            }
            matrix[sources.len()..].fill(P::none());
            transpose(&mut matrix);
            for (word, numbers) in self.lanes.chunks_exact(64).enumerate() {
                for (row, &lane) in matrix.iter().zip(numbers) {
                    if lane != NO_LANE {
                        write(lane as usize, 64 * part, row.words()[word]);
                    }
                }
            }
        }
    }

    /// What goes in and out, as all of its kind.
    #[inline(always)]
    pub fn ports<'t>(&self, ports: &'t [Ports]) -> &'t Ports {
        &ports[self.phase]
    }
}
