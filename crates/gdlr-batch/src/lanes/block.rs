//! Some lanes that are all in the same phase, as many as a plane has bits.

use super::choice::fates;
use super::percepts::{MovesMade, Percepts, first_percept};
use super::table::{Ports, Source};
use super::transpose::{Matrix, transpose, transpose_first};
use crate::choose::ChooseMoves;
use crate::execute::read;
use crate::layout::{GameLayout, Moves, latch_slot};
use crate::plane::{Plane, memory};
use crate::step_counters::StepCounters;
use crate::token::Token;
use crate::waits::Here;
use gdlr_engine::engine::Ended;
use gdlr_net::propnet::State;
use std::mem::replace;

/// So many matrices of 64 bits a lane are transposed before rows are written: what fits into the
/// first cache, so that a row is written in long pieces.
const AT_ONCE: usize = 4;

/// Fewer lanes than this are copied bit by bit, more by transposed states.
const FEW: usize = 16;

/// The number of a lane, where there is none.
pub(super) const NO_LANE: u32 = u32::MAX;

/// The fates of the lanes of a block in a step.
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
    /// The slots of the layout, one that says whether it is the turn of a role that is not the
    /// first, and the percepts of the last step.
    pub memory: Vec<P>,
    /// The first slot of percepts.
    pub first_percept: usize,
    /// By bit of a plane: the number of the lane.
    pub lanes: Box<[u32]>,
    /// The bits that are lanes.
    pub taken: P,
    /// The lanes in terminal states.
    pub terminal: P,
    /// The lanes in which a role has no legal move, though the state is not terminal.
    pub stuck: P,
    /// The lanes that were cut.
    pub cut: P,
    /// The lanes that ended with an action that was not legal.
    pub refused: P,
    /// Steps since the beginning.
    pub steps: StepCounters<P>,
    /// Whether the latches have changed since the rest was computed.
    pub is_stale: bool,
    pub fates: Fates<P>,
}

impl<P: Plane> Block<P> {
    /// Without any lane; so many percepts are kept.
    pub fn new(token: Token<P>, layout: &GameLayout, percepts: usize) -> Self {
        let first_percept = first_percept(layout);
        let none = token.none();
        Block {
            phase: 0,
            memory: memory(token, first_percept + percepts),
            first_percept,
            lanes: vec![NO_LANE; P::LANES].into(),
            taken: none,
            terminal: none,
            stuck: none,
            cut: none,
            refused: none,
            steps: StepCounters::new(token),
            is_stale: true,
            fates: Fates { goes: none, begins: none, stays: none },
        }
    }

    /// That of its planes.
    #[inline(always)]
    pub fn token(&self) -> Token<P> {
        self.taken.token()
    }

    /// How much memory it takes.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.memory[..]) + size_of_val(&self.lanes[..])
    }

    /// The lanes in which nothing can be played any more.
    #[inline(always)]
    pub fn over(&self) -> P {
        self.terminal.or(self.stuck).or(self.cut).or(self.refused)
    }

    /// How many lanes there is room for.
    #[inline(always)]
    pub fn free(&self) -> usize {
        P::LANES - self.taken.count() as usize
    }

    /// Computes what there is to say about the states, if it is not known. Lanes with so many
    /// steps are cut, if their states are not terminal.
    #[inline(always)]
    pub fn look(&mut self, layout: &GameLayout, most_steps: Option<u64>) {
        if !self.is_stale {
            return;
        }
        self.is_stale = false;
        self.observe(layout);
        let token = self.token();
        let mut can_go = token.all();
        for Moves { legal, .. } in &layout.phases[self.phase].choices {
            let mut any = token.none();
            for &slot in legal {
                any = any.or(self.memory[slot as usize]);
            }
            can_go = can_go.and(any);
        }
        self.find(self.taken.without(self.terminal).without(can_go), most_steps);
    }

    /// Computes which moves are legal and where states are terminal.
    #[inline(always)]
    fn observe(&mut self, layout: &GameLayout) {
        let phase = &layout.phases[self.phase];
        phase.state.execute(self.token(), &mut self.memory);
        self.terminal = read(&self.memory, phase.terminal).and(self.taken);
    }

    /// Keeps in which lanes a role has no legal move, and finds those that are cut.
    #[inline(always)]
    fn find(&mut self, stuck: P, most_steps: Option<u64>) {
        self.stuck = stuck;
        if let Some(most) = most_steps {
            let old = self.steps.at_least(most).and(self.taken);
            self.cut = self.cut.or(old).without(self.terminal).without(self.stuck);
        }
    }

    /// Makes a random move of every role in every lane that is not over.
    #[inline(always)]
    pub fn choose_at_random(
        &mut self,
        layout: &GameLayout,
        most_steps: Option<u64>,
        chooser: &mut impl ChooseMoves<P>,
        ended: Ended,
    ) {
        let phase = &layout.phases[self.phase];
        if self.is_stale {
            // The choice tells where there is none.
            self.is_stale = false;
            self.observe(layout);
            let playing = self.taken.without(self.terminal);
            let stuck = chooser.choose(phase, playing, &mut self.memory);
            self.find(stuck, most_steps);
        } else {
            chooser.choose(phase, self.taken.without(self.over()), &mut self.memory);
        }
        self.fates = fates(self, self.taken.without(self.over()), ended);
    }

    /// Takes the state of another memory for this one; nothing else is known any more.
    #[inline(always)]
    pub fn take_state(&mut self, layout: &GameLayout, from: &[P]) {
        let latches = latch_slot(0) as usize..latch_slot(layout.latches.len()) as usize;
        for part in [latches, self.first_percept..from.len()] {
            self.memory[part.clone()].copy_from_slice(&from[part]);
        }
        self.is_stale = true;
    }

    /// Computes whether it is the turn of a role that is not the first, where that is asked.
    #[inline(always)]
    pub fn look_at_turns(&mut self, layout: &GameLayout, ports: &[Ports]) {
        let others = &self.ports(ports).others;
        if !others.is_empty() {
            let none = self.token().none();
            let any = others.iter().fold(none, |any, &turn| any.or(read(&self.memory, turn)));
            self.memory[layout.size] = any;
        }
    }

    /// Computes what roles see of the moves that were made, where lanes go. `memory` is that of
    /// the percepts.
    #[inline(always)]
    pub fn see(&mut self, percepts: &Percepts, memory: &mut [P]) {
        let Percepts { whole, moves, .. } = percepts;
        let token = self.token();
        whole.enter(self.phase, token.all(), &self.memory, memory);
        let MovesMade { copied, known } = &moves[self.phase];
        for transfer in copied {
            memory[transfer.to as usize] = self.memory[transfer.from as usize];
        }
        for of in known {
            memory[of.slot as usize] = token.all_if(of.value);
        }
        whole.program.execute(token, memory);
        for (kept, &found) in self.memory[self.first_percept..].iter_mut().zip(&whole.outputs) {
            *kept = self.fates.goes.select(read(memory, found), *kept);
        }
    }

    /// Plays the moves that were made, where lanes go; `first` is by latch of the layout, `kept`
    /// is memory for as many.
    #[inline(always)]
    pub fn advance(&mut self, layout: &GameLayout, first: &[P], kept: &mut [P]) {
        let Fates { goes, begins, stays } = self.fates;
        let phase = &layout.phases[self.phase];
        let latches = latch_slot(0) as usize..latch_slot(layout.latches.len()) as usize;
        phase.moves.execute(self.token(), &mut self.memory);
        if !stays.is_zero() {
            kept.copy_from_slice(&self.memory[latches.clone()]);
        }
        phase.next.run(&mut self.memory, Here::All, begins, first);
        if !stays.is_zero() {
            for (latch, &kept) in self.memory[latches].iter_mut().zip(&*kept) {
                *latch = stays.select(kept, *latch);
            }
        }
        self.steps.grow(goes);
        self.renew(begins);
    }

    /// Forgets all but the state of some lanes, which has changed.
    #[inline(always)]
    pub fn renew(&mut self, lanes: P) {
        self.steps.forget(lanes);
        self.terminal = self.terminal.without(lanes);
        self.stuck = self.stuck.without(lanes);
        self.cut = self.cut.without(lanes);
        self.refused = self.refused.without(lanes);
        for percept in &mut self.memory[self.first_percept..] {
            *percept = percept.without(lanes);
        }
        self.is_stale = true;
    }

    /// Copies states, and what was seen last, from bits of another block in the same phase to bits
    /// of this one: `pairs` are both.
    #[inline(always)]
    pub fn copy_states(&mut self, layout: &GameLayout, from: &Self, pairs: &[(usize, usize)]) {
        let token = self.token();
        let latches = latch_slot(0) as usize..latch_slot(layout.latches.len()) as usize;
        for part in [latches, self.first_percept..self.memory.len()] {
            let (from, into) = (&from.memory[part.clone()], &mut self.memory[part]);
            if pairs.len() < FEW {
                for (from, into) in from.iter().zip(into) {
                    pairs.iter().for_each(|&(bit, to)| into.put(to, from.has(bit)));
                }
                continue;
            }
            let none = token.none();
            let mut coming = none;
            pairs.iter().for_each(|&(_, to)| coming.put(to, true));
            for (from, into) in from.chunks(64).zip(into.chunks_mut(64)) {
                let mut rows: Matrix<P> = [none; 64];
                rows[..from.len()].copy_from_slice(from);
                transpose_first(&mut rows, from.len());
                let mut moved: Matrix<P> = [none; 64];
                for &(bit, to) in pairs {
                    moved[to % 64].words_mut()[to / 64] = rows[bit % 64].words()[bit / 64];
                }
                transpose(&mut moved);
                for (into, moved) in into.iter_mut().zip(moved) {
                    *into = coming.select(moved, *into);
                }
            }
        }
    }

    /// Takes lanes out.
    #[inline(always)]
    pub fn remove(&mut self, lanes: P) {
        self.free_bits(lanes);
        for bit in lanes.lanes() {
            self.lanes[bit] = NO_LANE;
        }
    }

    /// Takes lanes out, and adds their numbers to a list.
    #[inline(always)]
    pub fn vacate(&mut self, lanes: P, leaving: &mut Vec<u32>) {
        self.free_bits(lanes);
        leaving.extend(lanes.lanes().map(|bit| replace(&mut self.lanes[bit], NO_LANE)));
    }

    /// Says that bits are no lanes any more.
    #[inline(always)]
    fn free_bits(&mut self, bits: P) {
        self.taken = self.taken.without(bits);
        let is_stale = self.is_stale;
        self.renew(bits);
        self.is_stale = is_stale;
    }

    /// Gives free bits to lanes from the end of a list, as long as there are any of both; says
    /// which lane has which bit. Returns the bits: nothing is known of the states there.
    #[inline(always)]
    pub fn seat(&mut self, coming: &mut Vec<u32>, mut say: impl FnMut(usize, u32)) -> P {
        let mut seated = self.token().none();
        for word in 0..P::WORDS {
            let mut free = !self.taken.words()[word];
            while free != 0
                && let Some(lane) = coming.pop()
            {
                let bit = 64 * word + free.trailing_zeros() as usize;
                self.lanes[bit] = lane;
                say(bit, lane);
                free &= free - 1;
            }
            seated.words_mut()[word] = !self.taken.words()[word] & !free;
        }
        self.taken = self.taken.or(seated);
        seated
    }

    /// Puts some lanes into the first state.
    #[inline(always)]
    pub fn begin(&mut self, layout: &GameLayout, first: &[P], begins: P) {
        for (place, &first) in first.iter().enumerate().take(layout.latches.len()) {
            let latch = &mut self.memory[latch_slot(place) as usize];
            *latch = begins.select(first, *latch);
        }
        self.renew(begins);
    }

    /// Puts some lanes into states of the phase; `state` tells that of a lane. `rows` is memory.
    #[inline(always)]
    pub fn enter<'s>(
        &mut self,
        layout: &GameLayout,
        rows: &mut Vec<Matrix<P>>,
        state: impl Fn(u32) -> Option<&'s State>,
    ) {
        let words = layout.latches.iter().max().map_or(0, |&last| last as usize / 64 + 1);
        let none = self.token().none();
        rows.resize(words, [none; 64]);
        let mut entering = none;
        for (bit, &lane) in self.lanes.iter().enumerate().filter(|of| *of.1 != NO_LANE) {
            let Some(state) = state(lane) else { continue };
            entering.put(bit, true);
            for (number, rows) in rows.iter_mut().enumerate() {
                rows[bit % 64].words_mut()[bit / 64] = state.word(number);
            }
        }
        if entering.is_zero() {
            return;
        }
        for matrix in &mut *rows {
            transpose(matrix);
        }
        for (place, &latch) in layout.latches.iter().enumerate() {
            let value = rows[latch as usize / 64][latch as usize % 64];
            let slot = latch_slot(place) as usize;
            self.memory[slot] = entering.select(value, self.memory[slot]);
        }
        self.renew(entering);
    }

    /// The plane of a source.
    #[inline(always)]
    pub fn plane(&self, source: &Source) -> P {
        match source {
            Source::Never => self.token().none(),
            Source::Of(operand) => read(&self.memory, *operand),
            Source::Any(pairs) => pairs.iter().fold(self.token().none(), |any, &(slot, turn)| {
                any.or(self.memory[slot as usize].and(read(&self.memory, turn)))
            }),
        }
    }

    /// Calls `write` for every lane with what sources say of it in `lanes`, 64 at a time: the
    /// number of the lane, the place of the first of the 64, and their bits.
    #[inline(always)]
    pub fn rows(&self, sources: &[Source], lanes: P, mut write: impl FnMut(usize, usize, u64)) {
        let together = sources.chunks_exact(64 * AT_ONCE);
        let rest = sources.len() - together.remainder().len();
        for (part, sources) in together.enumerate() {
            self.part_of_rows::<AT_ONCE>(64 * AT_ONCE * part, sources, lanes, &mut write);
        }
        for (part, sources) in sources[rest..].chunks(64).enumerate() {
            self.part_of_rows::<1>(rest + 64 * part, sources, lanes, &mut write);
        }
    }

    /// Does so with sources for `N` matrices.
    #[inline(always)]
    fn part_of_rows<const N: usize>(
        &self,
        at: usize,
        sources: &[Source],
        lanes: P,
        write: &mut impl FnMut(usize, usize, u64),
    ) {
        let mut matrices: [Matrix<P>; N] = [[lanes.token().none(); 64]; N];
        for (matrix, sources) in matrices.iter_mut().zip(sources.chunks(64)) {
            for (plane, source) in matrix.iter_mut().zip(sources) {
                *plane = self.plane(source).and(lanes);
            }
            transpose_first(matrix, sources.len());
        }
        for (word, numbers) in self.lanes.chunks_exact(64).enumerate() {
            for (row, &lane) in numbers.iter().enumerate() {
                if lane == NO_LANE {
                    continue;
                }
                for (part, matrix) in matrices.iter().enumerate() {
                    write(lane as usize, at + 64 * part, matrix[row].words()[word]);
                }
            }
        }
    }

    /// Writes a value for every lane.
    #[inline(always)]
    pub fn fill<T: Copy>(&self, out: &mut [T], value: T) {
        for &lane in &self.lanes {
            // Where there is no lane, there is no place for it.
            if let Some(out) = out.get_mut(lane as usize) {
                *out = value;
            }
        }
    }

    /// The tables of actions and outputs, as those of all of its kind.
    #[inline(always)]
    pub fn ports<'t>(&self, ports: &'t [Ports]) -> &'t Ports {
        &ports[self.phase]
    }
}
