//! All children of all lanes: every legal action of each, played from its state.
//!
//! The states stay where they are. In each round every lane of a block plays its next legal
//! action in a copy of the block: one-hot planes of moves are made of the planes that say what is
//! legal, without a look at single lanes, and no state is moved from lane to lane. A round costs
//! as much as a step of the block.
//!
//! ```text
//! legal      0 1 1 0 1    in one lane
//! rounds     0 1 0 0 0    the first of what is left
//!            0 0 1 0 0
//!            0 0 0 0 1
//! ```
//!
//! When few lanes of a block have actions left, these are put aside. In the end the states of
//! their lanes are transposed into full blocks, once for each child, which costs a second look at
//! the states but leaves no lane idle.

use super::block::{Block, Fates, NO_LANE};
use super::byte_rows::ByteRows;
use super::field::Field;
use super::outputs::GoalRows;
use super::table::{NO_MOVE, Source, Table};
use super::transpose::{Matrix, transpose};
use crate::execute::read;
use crate::layout::{GameLayout, Phase, latch_slot};
use crate::plane::Plane;
use crate::program::{Operand, Slot};
use crate::token::Token;
use gdlr_engine::engine::{ChildOutputs, Children, Encoded, Moment, Output};
use hashbrown::HashSet;

/// Memory for children.
#[derive(Clone)]
pub(super) struct Expansion<P> {
    /// A block of them.
    child: Block<P>,
    /// By role that acts, one after the other, and by legal action: where it is left to be played.
    left: Vec<P>,
    /// By phase: what the moves of its states read.
    read: Vec<Vec<Slot>>,
    /// By phase: a round is played as long as so many lanes take part in it.
    fewest: Vec<u64>,
    /// By phase, role that acts and action: the slots that say where it is legal and made.
    moves: Vec<Vec<Vec<(Slot, Slot)>>>,
    /// A row for each lane: its legal actions.
    rows: Vec<u64>,
    /// By phase: children that were put aside, with their lanes.
    aside: Vec<Vec<Aside>>,
    /// All latches.
    latches: Vec<Source>,
    /// A row for each lane from which children were put aside: its latches.
    states: Vec<u64>,
    /// The latches of a block of them.
    matrices: Vec<Matrix<P>>,
}

/// A child that was put aside.
#[derive(Clone, Copy)]
struct Aside {
    lane: u32,
    child: u32,
    /// How many steps its lane has had, where that counts.
    age: Option<u64>,
}

impl<P: Plane> Expansion<P> {
    fn new(token: Token<P>, layout: &GameLayout, table: &Table) -> Self {
        let moves = layout.phases.iter().zip(&table.ports).map(|(phase, ports)| {
            let of_role = ports.acting.iter().map(|acting| {
                let moves = &phase.choices[acting.choice];
                let places = acting.moves.iter().filter(|&&at| at != NO_MOVE);
                places.map(|&at| (moves.legal[at as usize], moves.does + at)).collect()
            });
            of_role.collect()
        });
        let latch = |at| Source::Of(Operand { slot: latch_slot(at), negated: false });
        Expansion {
            child: Block::new(token, layout, 0),
            left: Vec::new(),
            read: layout.phases.iter().map(|phase| slots_read(layout, phase)).collect(),
            fewest: layout.phases.iter().map(fewest::<P>).collect(),
            moves: moves.collect(),
            rows: Vec::new(),
            aside: vec![Vec::new(); layout.phases.len()],
            latches: (0..layout.latches.len()).map(latch).collect(),
            states: Vec::new(),
            matrices: vec![[token.none(); 64]; layout.latches.len().div_ceil(64)],
        }
    }

    pub fn bytes(&self) -> usize {
        self.child.bytes()
            + size_of_val(&self.left[..])
            + size_of_val(&self.rows[..])
            + size_of_val(&self.states[..])
            + size_of_val(&self.matrices[..])
    }
}

/// How many lanes a round is worth. It computes the gates of a step for all lanes, whether they
/// take part or not; a child that is put aside shares its gates with as many others as there are
/// lanes, but takes those of its own state again, and as long as a few gates to be moved.
fn fewest<P: Plane>(phase: &Phase) -> u64 {
    const MOVED: u64 = 3;
    let gates = (phase.state.gates() + phase.moves.gates()) as u64;
    gates / (2 * gates / P::LANES as u64 + MOVED) + 1
}

/// The slots of a state that are read when moves are played in a phase: those that the program reads before it
/// writes it, and, as gates that depend on each other go on from where they were, all of theirs.
fn slots_read(layout: &GameLayout, phase: &Phase) -> Vec<Slot> {
    let does = phase.choices.iter().flat_map(|moves| {
        let first = moves.does;
        first..first + moves.legal.len() as Slot
    });
    let mut written: HashSet<Slot> = does.collect();
    let mut read = HashSet::new();
    phase.moves.visit(|slot, is_written| match is_written {
        true => _ = written.insert(slot),
        false if !written.contains(&slot) => _ = read.insert(slot),
        false => {}
    });
    let next = phase.next.plain.iter().chain(&phase.next.negated).map(|of| of.from);
    read.extend(next.chain(phase.next.held.iter().copied()).filter(|of| !written.contains(of)));
    for phase in &layout.phases {
        for program in [&phase.state, &phase.moves] {
            for fixpoint in program.blocks().iter().filter_map(|block| block.fixpoint()) {
                read.extend(fixpoint.own.iter().copied());
                read.extend(fixpoint.read.iter().map(|of| of.kept));
            }
        }
    }
    let mut read: Vec<Slot> = read.into_iter().collect();
    read.sort_unstable();
    read
}

impl<P: Plane> Field<P> {
    /// Tells what comes after each legal action of all lanes.
    #[inline(never)]
    pub fn expand(
        &mut self,
        layout: &GameLayout,
        table: &Table,
        wanted: ChildOutputs,
        children: &mut Children,
    ) {
        let actions = table.actions.len();
        let token = self.token;
        let expansion = self.expansion.take();
        let mut expansion =
            expansion.unwrap_or_else(|| Box::new(Expansion::new(token, layout, table)));
        expansion.rows.resize(self.len() * actions.div_ceil(64), 0);
        let rows = Encoded::Bits(&mut expansion.rows);
        self.write(layout, table, Output::Legal, Moment::Now, rows);
        let widths = [actions.div_ceil(64), table.observed.len(), table.roles];
        children.list(self.len(), &expansion.rows, wanted, widths);
        let Field { blocks, first, most_steps, over, byte_rows, .. } = self;
        let Children { first: places, actions, ended, legal_bits, observations, to_move, goals } =
            children;
        let goals = GoalRows::new(over, goals);
        let mut rows = ChildRows {
            layout,
            table,
            wanted,
            most_steps: *most_steps,
            ended,
            legal_bits,
            observations,
            to_move,
            goals,
            byte_rows,
        };
        let counted = most_steps.is_some();
        token.enable(
            #[inline(always)]
            || {
                for block in &*blocks {
                    let mut goes = expansion.begin(block, table, places);
                    while goes.count() >= expansion.fewest[block.phase] {
                        expansion.play(block, layout, first, goes, counted);
                        rows.tell(&mut expansion.child);
                        goes = expansion.next(block, table);
                    }
                    expansion.put_aside(block, goes, places, counted);
                }
                for phase in 0..layout.phases.len() {
                    let aside = std::mem::take(&mut expansion.aside[phase]);
                    for some in aside.chunks(P::LANES) {
                        expansion.gather(phase, some, layout, table, actions);
                        expansion.advance(layout, first);
                        rows.tell(&mut expansion.child);
                    }
                    expansion.aside[phase] = aside;
                    expansion.aside[phase].clear();
                }
            },
        );
        rows.goals.tell(layout);
        self.expansion = Some(expansion);
    }
}

/// Where it is written what there is to say about children.
struct ChildRows<'e, P> {
    layout: &'e GameLayout,
    table: &'e Table,
    wanted: ChildOutputs,
    most_steps: Option<u64>,
    ended: &'e mut [u8],
    legal_bits: &'e mut [u64],
    observations: &'e mut [u8],
    to_move: &'e mut [i32],
    goals: GoalRows<'e, P>,
    byte_rows: &'e mut ByteRows,
}

impl<P: Plane> ChildRows<'_, P> {
    /// Writes it of a block of children.
    #[inline(always)]
    fn tell(&mut self, child: &mut Block<P>) {
        let ChildRows { layout, table, wanted, .. } = *self;
        child.look(layout, self.most_steps);
        child.write_ended(self.ended);
        let ports = child.ports(&table.ports);
        if wanted.legal_bits {
            child.look_at_turns(layout, &table.ports);
            let lanes = child.taken.without(child.over());
            let words = table.actions.len().div_ceil(64);
            child.write_words(&ports.legal, lanes, words, self.legal_bits);
        }
        if wanted.observations {
            let width = table.observed.len();
            let (lanes, rows) = (child.taken, &mut *self.byte_rows);
            child.write_bytes(&ports.observed, lanes, width, rows, self.observations);
        }
        if wanted.to_move {
            child.write_to_move(ports, self.to_move);
        }
        if wanted.goals {
            self.goals.add(layout, child);
        }
    }
}

impl<P: Plane> Expansion<P> {
    /// Makes the first legal action in every lane of a block that is not over; by lane, `places`
    /// has the number of its first child. Returns these lanes.
    #[inline(always)]
    fn begin(&mut self, block: &Block<P>, table: &Table, places: &[usize]) -> P {
        let live = block.taken.without(block.over());
        self.left.clear();
        let roles = block.ports(&table.ports).acting.iter().zip(&self.moves[block.phase]);
        for (acting, moves) in roles {
            let lanes = read(&block.memory, acting.turn).and(live);
            self.left.extend(moves.iter().map(|of| block.memory[of.0 as usize].and(lanes)));
        }
        self.child.lanes.fill(NO_LANE);
        for bit in live.lanes() {
            self.child.lanes[bit] = places[block.lanes[bit] as usize] as u32;
        }
        // Where nobody has a choice, there is one child.
        self.make(block, table);
        live
    }

    /// Makes the next legal action where there is one; returns these lanes.
    #[inline(always)]
    fn next(&mut self, block: &Block<P>, table: &Table) -> P {
        let goes = self.make(block, table);
        for (word, numbers) in self.child.lanes.chunks_exact_mut(64).enumerate() {
            let goes = goes.words()[word];
            for (bit, number) in numbers.iter_mut().enumerate() {
                *number = if goes >> bit & 1 == 1 { *number + 1 } else { NO_LANE };
            }
        }
        goes
    }

    /// Makes the first action of those that are left; returns the lanes in which there is one.
    #[inline(always)]
    fn make(&mut self, block: &Block<P>, table: &Table) -> P {
        let Expansion { child, left, moves, .. } = self;
        let mut left = left.iter_mut();
        let mut goes = child.token().none();
        for moves in &moves[block.phase] {
            for (&(_, does), left) in moves.iter().zip(&mut left) {
                let first = left.without(goes);
                goes = goes.or(*left);
                *left = left.without(first);
                child.memory[does as usize] = first;
            }
        }
        for waiting in &block.ports(&table.ports).waiting {
            let legal = block.memory[waiting.legal as usize];
            let does = &mut child.memory[waiting.does as usize];
            *does = does.or(legal.without(read(&block.memory, waiting.turn)));
        }
        goes
    }

    /// Plays what was made in some lanes of a block.
    #[inline(always)]
    fn play(&mut self, block: &Block<P>, layout: &GameLayout, first: &[P], goes: P, counted: bool) {
        let Expansion { child, read, .. } = self;
        for &slot in &read[block.phase] {
            child.memory[slot as usize] = block.memory[slot as usize];
        }
        child.phase = block.phase;
        child.taken = goes;
        if counted {
            child.steps.copy(&block.steps);
        }
        self.advance(layout, first);
    }

    /// Plays what was made in all lanes that there are.
    #[inline(always)]
    fn advance(&mut self, layout: &GameLayout, first: &[P]) {
        let child = &mut self.child;
        let none = child.token().none();
        child.fates = Fates { goes: child.taken, begins: none, stays: none };
        (child.cut, child.refused) = (none, none);
        child.advance(layout, first, &mut []);
        child.phase = if child.phase + 1 == layout.phases.len() { 0 } else { child.phase + 1 };
    }

    /// Puts aside what is left to be played in some lanes of a block.
    #[inline(always)]
    fn put_aside(&mut self, block: &Block<P>, lanes: P, places: &[usize], counted: bool) {
        if lanes.is_zero() {
            return;
        }
        let Expansion { child, aside, latches, states, matrices, .. } = self;
        for bit in lanes.lanes() {
            let lane = block.lanes[bit];
            let age = counted.then(|| block.steps.of(bit));
            let left = child.lanes[bit]..places[lane as usize + 1] as u32;
            aside[block.phase].extend(left.map(|child| Aside { lane, child, age }));
        }
        let words = matrices.len();
        states.resize((places.len() - 1) * words, 0);
        block.write_words(latches, lanes.token().all(), words, states);
    }

    /// Puts the states of the lanes of some children of a phase into a block, and makes their
    /// actions.
    #[inline(always)]
    fn gather(
        &mut self,
        phase: usize,
        some: &[Aside],
        layout: &GameLayout,
        table: &Table,
        actions: &[i32],
    ) {
        let Expansion { child, states, matrices, moves, .. } = self;
        let (words, token) = (matrices.len(), child.token());
        child.phase = phase;
        child.taken = token.none();
        child.lanes.fill(NO_LANE);
        for (bit, of) in some.iter().enumerate() {
            child.taken.put(bit, true);
            child.lanes[bit] = of.child;
            let state = &states[of.lane as usize * words..][..words];
            for (matrix, &word) in matrices.iter_mut().zip(state) {
                matrix[bit % 64].words_mut()[bit / 64] = word;
            }
            if let Some(age) = of.age {
                child.steps.put(bit, age);
            }
        }
        for matrix in matrices.iter_mut() {
            transpose(matrix);
        }
        let planes = matrices.iter().flatten();
        for (place, &plane) in planes.enumerate().take(layout.latches.len()) {
            child.memory[latch_slot(place) as usize] = plane;
        }
        layout.phases[phase].state.execute(token, &mut child.memory);
        child.look_at_turns(layout, &table.ports);
        for &(_, does) in moves[phase].iter().flatten() {
            child.memory[does as usize] = token.none();
        }
        let ports = &table.ports[phase];
        for acting in &ports.acting {
            let turn = read(&child.memory, acting.turn);
            let does = layout.phases[phase].choices[acting.choice].does;
            for (bit, of) in some.iter().enumerate() {
                if turn.has(bit) {
                    let at = acting.moves[actions[of.child as usize] as usize];
                    child.memory[(does + at) as usize].put(bit, true);
                }
            }
        }
        for waiting in &ports.waiting {
            let legal = child.memory[waiting.legal as usize];
            let turn = read(&child.memory, waiting.turn);
            let does = &mut child.memory[waiting.does as usize];
            *does = does.or(legal.without(turn));
        }
    }
}
