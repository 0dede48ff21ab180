//! All lanes, in blocks.
//!
//! Programs are made for a phase, so the lanes of a block are all in the same one. Where a lane
//! begins again, its block is mostly in another phase: it leaves it for one in the right phase
//! that has room. So lanes have numbers of their own, and places in blocks that change; whatever
//! goes in and out is put in the order of the numbers.
//!
//! In a step, a block of a game with several phases plays as a whole or stays as a whole: lanes
//! that stay while others play move out before. Lanes that leave make holes, which [`pack`](super::pack)
//! closes. [`choice`](super::choice) makes moves of actions, [`outputs`](super::outputs) says what
//! there is to say.

use super::block::{Block, Fates, NO_LANE};
use super::byte_rows::ByteRows;
use super::expand::Expansion;
use super::percepts::Percepts;
use super::table::Table;
use crate::finished::FinishedGames;
use crate::layout::{GameLayout, latch_slot};
use crate::plane::{Plane, memory};
use crate::random::Random;
use crate::token::Token;
use crate::uniform::Uniform;
use gdlr_engine::engine::{Ended, Illegal};
use gdlr_engine::play::seeded;
use gdlr_net::propnet::State;
use rand::{Rng, SeedableRng};
use rand_xoshiro::SplitMix64;
use std::mem::swap;

/// Where a lane is.
#[derive(Clone, Copy, Debug)]
pub(super) struct LaneAddress {
    pub block: u32,
    pub bit: u32,
}

/// All lanes.
#[derive(Clone)]
pub(super) struct Field<P> {
    pub(super) token: Token<P>,
    pub(super) blocks: Vec<Block<P>>,
    /// Blocks without a lane, to be used again.
    pub(super) spare: Vec<Block<P>>,
    /// By lane.
    pub(super) addresses: Vec<LaneAddress>,
    /// By lane: where its draws of chance come from.
    seeds: Vec<u64>,
    /// By latch of the layout: its value in the initial state.
    pub(super) first: Vec<P>,
    first_phase: usize,
    /// Memory for a latch each.
    kept: Vec<P>,
    /// How many percepts a block keeps, and memory to compute them.
    percepts: usize,
    seeing: Vec<P>,
    chooser: Uniform<P>,
    /// The memory of a block, once there was a random step of blocks that a cache does not hold
    /// together: they play in this one, one after the other, and only their states come and go.
    working: Vec<P>,
    pub(super) over: FinishedGames<P>,
    /// The work of blocks that packed lanes would not need, in slots, without
    /// what merging them has cost.
    pub(super) idle: u64,
    /// Lanes that are to be placed.
    leaving: Vec<u32>,
    /// Whether moves were made, and lanes have not changed since.
    pub(super) is_chosen: bool,
    /// Lanes are cut after so many steps.
    pub(super) most_steps: Option<u64>,
    /// Memory for rows of bytes.
    pub(super) byte_rows: ByteRows,
    /// Memory for children, once they were asked for.
    pub(super) expansion: Option<Box<Expansion<P>>>,
}

impl<P: Plane> Field<P> {
    /// So many lanes in the initial state; `first` tells a latch of it.
    pub fn new(
        token: Token<P>,
        layout: &GameLayout,
        percepts: Option<&Percepts>,
        lanes: usize,
        first: impl Fn(u32) -> bool,
        seed: u64,
    ) -> Box<Self> {
        let plane = |&latch: &u32| token.all_if(first(latch));
        let mut field = Box::new(Field {
            token,
            blocks: Vec::new(),
            spare: Vec::new(),
            addresses: vec![LaneAddress { block: 0, bit: 0 }; lanes],
            seeds: Vec::new(),
            first: layout.latches.iter().map(plane).collect(),
            first_phase: 0,
            kept: vec![token.none(); layout.latches.len()],
            percepts: percepts.map_or(0, |percepts| percepts.whole.outputs.len()),
            seeing: percepts.map_or_else(Vec::new, |percepts| memory(token, percepts.whole.size)),
            chooser: Uniform::new(
                Random::new(token, &mut seeded(seed, 0)),
                layout.most_moves,
                layout.tuning.most_moves_in_groups,
            ),
            working: Vec::new(),
            over: FinishedGames::new(token, layout),
            idle: 0,
            leaving: (0..lanes as u32).collect(),
            is_chosen: false,
            most_steps: None,
            byte_rows: ByteRows::default(),
            expansion: None,
        });
        field.seed(seed);
        token.enable(
            #[inline(always)]
            || field.place(layout, field.first_phase),
        );
        field
    }

    /// How many lanes there are.
    pub fn len(&self) -> usize {
        self.addresses.len()
    }

    /// How many blocks they are in.
    #[cfg(all(test, not(miri)))]
    pub fn blocks(&self) -> usize {
        self.blocks.len()
    }

    /// Where random bits come from.
    pub fn seed(&mut self, seed: u64) {
        let mut stream = seeded(seed, 0);
        self.chooser.reseed(Random::new(self.token, &mut stream));
        let lanes = self.addresses.len();
        self.seeds.clear();
        self.seeds.extend((0..lanes).map(|_| stream.next_u64()));
    }

    /// Where the draws of a lane come from.
    pub fn seed_lane(&mut self, lane: usize, seed: u64) {
        self.seeds[lane] = seed;
    }

    /// Cuts lanes after so many steps.
    pub fn cut_after(&mut self, steps: Option<u64>) {
        self.most_steps = steps;
        self.blocks.iter_mut().for_each(|block| block.is_stale = true);
    }

    /// Bytes of all blocks.
    pub fn bytes(&self) -> usize {
        let blocks = self.blocks.iter().chain(&self.spare);
        blocks.map(Block::bytes).sum::<usize>()
            + size_of_val(&self.working[..])
            + self.byte_rows.bytes()
            + self.expansion.as_ref().map_or(0, |expansion| expansion.bytes())
            + self.addresses.len() * (size_of::<LaneAddress>() + size_of::<u64>())
    }

    /// Finds places in a phase for the lanes that left theirs, and puts them into the initial
    /// state, if it is the first phase.
    #[inline(always)]
    fn place(&mut self, layout: &GameLayout, phase: usize) {
        let mut from = 0;
        while !self.leaving.is_empty() {
            let has_room = |block: &Block<P>| block.phase == phase && block.free() > 0;
            let at = match self.blocks[from..].iter().position(has_room) {
                Some(at) => from + at,
                None => self.open(layout, phase),
            };
            from = at;
            let block = &mut self.blocks[at];
            let Field { leaving, addresses, .. } = self;
            let begins = block.seat(leaving, |bit, lane| {
                addresses[lane as usize] = LaneAddress { block: at as u32, bit: bit as u32 };
            });
            if phase == self.first_phase {
                block.begin(layout, &self.first, begins);
            }
        }
    }

    /// Adds a block without lanes in a phase; returns its place.
    pub(super) fn open(&mut self, layout: &GameLayout, phase: usize) -> usize {
        let mut block =
            self.spare.pop().unwrap_or_else(|| Block::new(self.token, layout, self.percepts));
        block.phase = phase;
        block.is_stale = true;
        self.blocks.push(block);
        self.blocks.len() - 1
    }

    /// Computes what there is to say about all states.
    #[inline(never)]
    pub fn look(&mut self, layout: &GameLayout) {
        self.token.enable(
            #[inline(always)]
            || self.blocks.iter_mut().for_each(|block| block.look(layout, self.most_steps)),
        );
    }

    /// Computes that, and whose turn it is.
    pub fn look_at_turns(&mut self, layout: &GameLayout, table: &Table) {
        self.look(layout);
        self.blocks.iter_mut().for_each(|block| block.look_at_turns(layout, &table.ports));
    }

    /// Makes the moves of an action in every lane that is not over, for [`Field::play`]; tells
    /// which are not legal.
    #[inline(never)]
    pub fn choose(
        &mut self,
        layout: &GameLayout,
        table: &Table,
        actions: &[i32],
        ended: Ended,
        illegal: &mut Vec<Illegal>,
    ) {
        illegal.clear();
        self.is_chosen = true;
        self.token.enable(
            #[inline(always)]
            || {
                for block in &mut self.blocks {
                    block.look(layout, self.most_steps);
                    block.choose(layout, table, actions, ended, illegal);
                }
            },
        );
    }

    /// Plays the moves that were made; lanes with actions that are not legal end. Where lanes
    /// have changed since, nothing is played.
    #[inline(never)]
    pub fn play(&mut self, layout: &GameLayout, table: &Table, illegal: &[Illegal]) {
        if !self.is_chosen {
            return;
        }
        self.refuse(illegal);
        self.token.enable(
            #[inline(always)]
            || {
                self.draw(layout, table);
                self.advance(layout, table);
            },
        );
    }

    /// Makes a random move of every role in every lane that is not over, for [`Field::play`].
    #[inline(never)]
    pub fn choose_at_random(&mut self, layout: &GameLayout, ended: Ended) {
        self.is_chosen = true;
        self.token.enable(
            #[inline(always)]
            || {
                for block in &mut self.blocks {
                    block.choose_at_random(layout, self.most_steps, &mut self.chooser, ended);
                }
            },
        );
    }

    /// Plays a random move of every role in every lane that is not over.
    #[inline(never)]
    pub fn step_at_random(&mut self, layout: &GameLayout, table: &Table, ended: Ended) {
        self.token.enable(
            #[inline(always)]
            || {
                // Block by block, unless lanes have to leave theirs before it plays.
                if ended == Ended::Stay && layout.phases.len() > 1 {
                    self.choose_at_random(layout, ended);
                    return self.advance(layout, table);
                }
                let each = self.blocks.first().map_or(0, Block::bytes);
                let is_large = each * self.blocks.len() > layout.tuning.cache;
                if is_large && self.working.is_empty() {
                    self.working = Block::new(self.token, layout, self.percepts).memory;
                }
                for at in 0..self.blocks.len() {
                    let apart = is_large && self.blocks[at].is_stale;
                    if apart {
                        self.swap_memory(layout, at);
                    }
                    let block = &mut self.blocks[at];
                    block.choose_at_random(layout, self.most_steps, &mut self.chooser, ended);
                    self.advance_block(layout, table, at);
                    if apart {
                        self.swap_memory(layout, at);
                    }
                }
                self.settle(layout);
            },
        );
    }

    /// Gives a block the memory that is worked in, or takes it back; the state goes with it.
    #[inline(always)]
    fn swap_memory(&mut self, layout: &GameLayout, at: usize) {
        let block = &mut self.blocks[at];
        swap(&mut block.memory, &mut self.working);
        block.take_state(layout, &self.working);
    }

    /// Ends the lanes whose actions are not legal.
    fn refuse(&mut self, illegal: &[Illegal]) {
        for &Illegal { lane, .. } in illegal {
            let LaneAddress { block, bit } = self.addresses[lane];
            let Block { refused, fates, .. } = &mut self.blocks[block as usize];
            refused.put(bit as usize, true);
            fates.goes.put(bit as usize, false);
            fates.stays.put(bit as usize, true);
        }
    }

    /// Cuts lanes that are not over.
    pub fn cut(&mut self, layout: &GameLayout, lanes: impl Iterator<Item = usize>) {
        self.look(layout);
        for lane in lanes {
            let LaneAddress { block, bit } = self.addresses[lane];
            let block = &mut self.blocks[block as usize];
            if !block.over().has(bit as usize) {
                block.cut.put(bit as usize, true);
            }
        }
    }

    /// Draws the moves of chance, each lane from its own seed.
    #[inline(always)]
    fn draw(&mut self, layout: &GameLayout, table: &Table) {
        for block in &mut self.blocks {
            let Some(chance) = block.ports(&table.ports).chance else { continue };
            let moves = &layout.phases[block.phase].choices[chance];
            let does = moves.does as usize;
            block.memory[does..does + moves.legal.len()].fill(self.token.none());
            for bit in block.fates.goes.lanes() {
                let seed = &mut self.seeds[block.lanes[bit] as usize];
                let mut stream = SplitMix64::seed_from_u64(*seed);
                let legal = moves.legal.iter().enumerate();
                let legal = legal.filter(|of| block.memory[*of.1 as usize].has(bit));
                let count = legal.clone().count() as u64;
                let mut drawn = stream.next_u64();
                // As many numbers for each.
                while drawn - drawn % count > u64::MAX - (count - 1) {
                    drawn = stream.next_u64();
                }
                *seed = stream.next_u64();
                let (at, _) = legal.clone().nth((drawn % count) as usize).expect("one is legal");
                block.memory[does + at].put(bit, true);
            }
        }
    }

    /// Plays the moves that were made.
    #[inline(always)]
    fn advance(&mut self, layout: &GameLayout, table: &Table) {
        if layout.phases.len() > 1 {
            self.part(layout);
        }
        for at in 0..self.blocks.len() {
            self.advance_block(layout, table, at);
        }
        self.settle(layout);
    }

    /// Plays the moves that were made in a block. Lanes that begin elsewhere leave it.
    #[inline(always)]
    fn advance_block(&mut self, layout: &GameLayout, table: &Table, at: usize) {
        let phases = layout.phases.len();
        let block = &mut self.blocks[at];
        let Fates { goes, begins, .. } = block.fates;
        if goes.or(begins).is_zero() {
            return;
        }
        let next = if block.phase + 1 == phases { 0 } else { block.phase + 1 };
        let begins_here = next == self.first_phase && (phases == 1 || !goes.is_zero());
        if !begins_here && !begins.is_zero() {
            block.vacate(begins, &mut self.leaving);
            block.fates.begins = self.token.none();
        }
        if goes.is_zero() && !begins_here {
            return;
        }
        if let Some(percepts) = &table.percepts {
            block.see(percepts, &mut self.seeing);
        }
        block.advance(layout, &self.first, &mut self.kept);
        block.phase = next;
    }

    /// Finds places for the lanes that left theirs in a step.
    #[inline(always)]
    fn settle(&mut self, layout: &GameLayout) {
        self.is_chosen = false;
        if !self.leaving.is_empty() {
            self.place(layout, self.first_phase);
            self.close_empty();
        }
        self.merge(layout);
    }

    /// Takes a lane out of its place.
    fn remove(&mut self, from: LaneAddress) -> u32 {
        let block = &mut self.blocks[from.block as usize];
        let bit = from.bit as usize;
        let lane = block.lanes[bit];
        block.remove(self.token.one(bit));
        lane
    }

    /// Puts lanes into the initial state.
    pub fn reset(&mut self, layout: &GameLayout, lanes: impl Iterator<Item = usize>) {
        self.is_chosen = false;
        for lane in lanes {
            // Named for the second time, it has no place.
            let number = self.remove(self.addresses[lane]);
            if number != NO_LANE {
                self.leaving.push(number);
            }
        }
        self.token.enable(
            #[inline(always)]
            || self.place(layout, self.first_phase),
        );
        self.close_empty();
    }

    /// Puts all lanes that are over into the initial state.
    pub fn reset_over(&mut self, layout: &GameLayout) {
        self.look(layout);
        self.is_chosen = false;
        for block in &mut self.blocks {
            let over = block.over();
            if over.is_zero() {
                continue;
            }
            if block.phase == self.first_phase {
                self.token.enable(
                    #[inline(always)]
                    || block.begin(layout, &self.first, over),
                );
            } else {
                block.vacate(over, &mut self.leaving);
            }
        }
        self.token.enable(
            #[inline(always)]
            || self.place(layout, self.first_phase),
        );
        self.close_empty();
    }

    /// Puts a lane into a state of a phase; `latch` tells a latch of it.
    pub fn enter(
        &mut self,
        layout: &GameLayout,
        lane: usize,
        phase: usize,
        latch: impl Fn(u32) -> bool,
    ) {
        let LaneAddress { block, bit } = self.seat(layout, lane, phase);
        let (block, bit) = (&mut self.blocks[block as usize], bit as usize);
        for (at, &of_net) in layout.latches.iter().enumerate() {
            block.memory[latch_slot(at) as usize].put(bit, latch(of_net));
        }
        block.renew(self.token.one(bit));
        self.is_chosen = false;
        self.close_empty();
        self.merge(layout);
    }

    /// Puts lanes into states: by lane, its phase and the state, if there is one.
    pub fn enter_many(&mut self, layout: &GameLayout, states: &[Option<(usize, &State)>]) {
        self.is_chosen = false;
        // By phase: the lanes that are to come into it from another one.
        let mut coming = vec![Vec::new(); layout.phases.len()];
        for block in &mut self.blocks {
            let lanes = || block.lanes.iter().enumerate().filter(|of| *of.1 != NO_LANE);
            let mut phases = lanes().map(|(_, &lane)| states[lane as usize].map(|of| of.0));
            // Where all lanes of a block go to one phase, it goes with them.
            if let Some(Some(phase)) = phases.next()
                && phases.all(|other| other == Some(phase))
            {
                block.phase = phase;
                continue;
            }
            let mut goes = self.token.none();
            for (bit, &lane) in lanes() {
                if let Some((phase, _)) = states[lane as usize].filter(|of| of.0 != block.phase) {
                    coming[phase].push(lane);
                    goes.put(bit, true);
                }
            }
            if !goes.is_zero() {
                block.remove(goes);
            }
        }
        self.close_empty();
        for (phase, coming) in coming.into_iter().enumerate() {
            self.leaving = coming;
            self.place(layout, phase);
        }
        let mut rows = Vec::new();
        let state = |lane: u32| Some(states[lane as usize]?.1);
        self.token.enable(
            #[inline(always)]
            || self.blocks.iter_mut().for_each(|block| block.enter(layout, &mut rows, state)),
        );
        self.merge(layout);
    }

    /// Finds a place for a lane in a phase: its own if it is in it. If not, it has no state there.
    fn seat(&mut self, layout: &GameLayout, lane: usize, phase: usize) -> LaneAddress {
        let place = self.addresses[lane];
        if self.blocks[place.block as usize].phase == phase {
            return place;
        }
        let number = self.remove(place);
        let has_room = |block: &Block<P>| block.phase == phase && block.free() > 0;
        let to = match self.blocks.iter().position(has_room) {
            Some(to) => to,
            None => self.open(layout, phase),
        };
        let block = &mut self.blocks[to];
        let bit = lowest(block.taken.not()).expect("there is room");
        block.taken.put(bit, true);
        block.lanes[bit] = number;
        let place = LaneAddress { block: to as u32, bit: bit as u32 };
        self.addresses[lane] = place;
        place
    }

    /// The phase of a lane, and by latch of the layout its value there.
    pub fn state(
        &self,
        layout: &GameLayout,
        lane: usize,
    ) -> (usize, impl Iterator<Item = bool> + '_) {
        let LaneAddress { block, bit } = self.addresses[lane];
        let block = &self.blocks[block as usize];
        let latches = latch_slot(0) as usize..latch_slot(layout.latches.len()) as usize;
        (block.phase, block.memory[latches].iter().map(move |latch| latch.has(bit as usize)))
    }

    /// How many steps a lane has had since it began.
    pub fn age(&self, lane: usize) -> u64 {
        let LaneAddress { block, bit } = self.addresses[lane];
        self.blocks[block as usize].steps.of(bit as usize)
    }
}

/// The lowest bit of a plane.
fn lowest<P: Plane>(plane: P) -> Option<usize> {
    plane.lanes().next()
}
