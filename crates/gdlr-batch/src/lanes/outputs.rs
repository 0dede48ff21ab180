//! The outputs of lanes, written into memory of the caller: a row for each lane.

use super::block::{Block, NO_LANE};
use super::byte_rows::ByteRows;
use super::field::{Field, LaneAddress};
use super::table::{ALWAYS, NO_MOVE, Ports, Source, Table, Turn};
use crate::execute::read;
use crate::finished::FinishedGames;
use crate::layout::GameLayout;
use crate::plane::Plane;
use gdlr_engine::engine::{CUT, Encoded, Moment, NO_GOAL, Output, REFUSED, SKIP, STUCK, TERMINAL};

impl<P: Plane> Field<P> {
    /// Writes the actions that were made and not played yet.
    #[inline(never)]
    pub fn write_chosen(&mut self, layout: &GameLayout, table: &Table, out: &mut [i32]) {
        out.fill(SKIP);
        if !self.is_chosen {
            return;
        }
        self.look_at_turns(layout, table);
        let stride = table.acting();
        for block in &self.blocks {
            let goes = block.fates.goes;
            let ports = block.ports(&table.ports);
            for acting in &ports.acting {
                let offset = if table.is_simultaneous { usize::from(acting.role) } else { 0 };
                let goes = read(&block.memory, acting.turn).and(goes);
                let first = layout.phases[block.phase].choices[acting.choice].does;
                for (action, at) in (0..).zip(&acting.moves).filter(|of| *of.1 != NO_MOVE) {
                    let does = block.memory[(first + at) as usize].and(goes);
                    does.lanes().for_each(|bit| {
                        out[block.lanes[bit] as usize * stride + offset] = action;
                    });
                }
            }
            for &(offset, action) in &ports.forced {
                goes.lanes().for_each(|bit| {
                    out[block.lanes[bit] as usize * stride + offset] = action;
                });
            }
        }
    }

    /// Writes an output: a row for each lane, or for each that is over.
    #[inline(never)]
    pub fn write(
        &mut self,
        layout: &GameLayout,
        table: &Table,
        output: Output,
        moment: Moment,
        out: Encoded<'_>,
    ) {
        match (output, moment) {
            (Output::Legal, _) => self.look_at_turns(layout, table),
            (_, Moment::End) => self.look(layout),
            (_, Moment::Now) => {}
        }
        let width = table.width(output);
        match (out, moment) {
            (Encoded::Bytes(out), Moment::Now) => self.write_bytes(layout, table, output, out),
            (Encoded::Bits(out), Moment::Now) => self.token.enable(
                #[inline(always)]
                || {
                    for block in &self.blocks {
                        let (sources, lanes) = block.sources(table, output);
                        block.write_words(sources, lanes, width.div_ceil(64), out);
                    }
                },
            ),
            (Encoded::Bytes(out), Moment::End) => {
                let token = self.token;
                self.write_last(table, output, |lane, at, bits| {
                    let end = (at + 64).min(width);
                    token.write_bits(bits, &mut out[lane * width + at..lane * width + end]);
                });
            }
            (Encoded::Bits(out), Moment::End) => {
                let words = width.div_ceil(64);
                self.write_last(table, output, |lane, at, bits| out[lane * words + at / 64] = bits);
            }
        }
    }

    /// Writes an output as bytes, a row for each lane.
    fn write_bytes(&mut self, layout: &GameLayout, table: &Table, output: Output, out: &mut [u8]) {
        let width = table.width(output);
        let Field { blocks, addresses, byte_rows, .. } = self;
        let lanes = blocks.len() * P::LANES;
        let at_once = ByteRows::planes_at_once(lanes, layout.tuning.rows);
        self.token.enable(
            #[inline(always)]
            || {
                for first in (0..width).step_by(at_once) {
                    let count = at_once.min(width - first);
                    byte_rows.resize(count, lanes);
                    for (number, block) in blocks.iter().enumerate() {
                        let (sources, lanes) = block.sources(table, output);
                        let sources = &sources[first..first + count];
                        block.put_rows(sources, lanes, number, byte_rows);
                    }
                    let place = |of: &LaneAddress| of.block as usize * P::LANES + of.bit as usize;
                    let lanes = addresses.iter().map(place).zip(0..);
                    byte_rows.write::<P>(lanes, (first, count), width, out);
                }
            },
        );
    }

    /// Calls `write` for the rows of lanes that are over, as [`Block::rows`] does.
    #[inline(always)]
    fn write_last(&self, table: &Table, output: Output, mut write: impl FnMut(usize, usize, u64)) {
        self.token.enable(
            #[inline(always)]
            || {
                for block in &self.blocks {
                    let over = block.over();
                    if over.is_zero() {
                        continue;
                    }
                    let (sources, lanes) = block.sources(table, output);
                    block.rows(
                        sources,
                        lanes.and(over),
                        #[inline(always)]
                        |lane, at, bits| {
                            if over.has(self.addresses[lane].bit as usize) {
                                write(lane, at, bits);
                            }
                        },
                    );
                }
            },
        );
    }

    /// Writes how lanes ended, or 0.
    #[inline(never)]
    pub fn write_ended(&mut self, layout: &GameLayout, out: &mut [u8]) {
        self.look(layout);
        // Most lanes are not over.
        out.fill(0);
        self.token.enable(
            #[inline(always)]
            || {
                for block in &self.blocks {
                    block.write_ended(out);
                }
            },
        );
    }

    /// Writes whose turn it is, by lane: -1 where the game is over.
    #[inline(never)]
    pub fn write_to_move(&mut self, layout: &GameLayout, table: &Table, out: &mut [i32]) {
        self.look(layout);
        self.token.enable(
            #[inline(always)]
            || {
                for block in &self.blocks {
                    block.write_to_move(block.ports(&table.ports), out);
                }
            },
        );
    }

    /// Writes the goals of lanes in terminal states, a row of all roles for each lane:
    /// [`NO_GOAL`] where there is none or more than one, 0 in other states.
    #[inline(never)]
    pub fn write_goals(&mut self, layout: &GameLayout, out: &mut [u8]) {
        self.look(layout);
        out.fill(0);
        self.token.enable(
            #[inline(always)]
            || {
                let mut goals = GoalRows::new(&mut self.over, out);
                for block in &self.blocks {
                    goals.add(layout, block);
                }
                goals.tell(layout);
            },
        );
    }
}

impl<P: Plane> Block<P> {
    /// Where the columns of an output come from, and the lanes in which one may be true.
    #[inline(always)]
    fn sources<'t>(&self, table: &'t Table, output: Output) -> (&'t [Source], P) {
        let ports = self.ports(&table.ports);
        match output {
            Output::Legal => (&ports.legal, self.taken.without(self.over())),
            Output::Observations => (&ports.observed, self.taken),
            Output::Percepts => (&table.seen, self.taken),
        }
    }

    /// Writes what sources say of some lanes, as bytes: a row of so many for each lane. `rows` is memory.
    #[inline(always)]
    pub fn write_bytes(
        &self,
        sources: &[Source],
        lanes: P,
        width: usize,
        rows: &mut ByteRows,
        out: &mut [u8],
    ) {
        rows.resize(width, P::LANES);
        self.put_rows(sources, lanes, 0, rows);
        let numbers = self.lanes.iter().enumerate().filter(|of| *of.1 != NO_LANE);
        let numbers = numbers.map(|(place, &lane)| (place, lane as usize));
        rows.write::<P>(numbers, (0, width), width, out);
    }

    /// Puts what sources say of some lanes into rows, as the block of a number.
    #[inline(always)]
    fn put_rows(&self, sources: &[Source], lanes: P, number: usize, rows: &mut ByteRows) {
        rows.put(
            number,
            sources.len(),
            lanes.token().none(),
            #[inline(always)]
            |at| self.plane(&sources[at]).and(lanes),
        );
    }

    /// Writes what sources say of some lanes, as bits: a row of so many words for each lane.
    #[inline(always)]
    pub fn write_words(&self, sources: &[Source], lanes: P, width: usize, out: &mut [u64]) {
        self.rows(sources, lanes, |lane, at, bits| out[lane * width + at / 64] = bits);
    }

    /// Writes how lanes ended, where they have; elsewhere there is 0.
    #[inline(always)]
    pub fn write_ended(&self, out: &mut [u8]) {
        let &Block { terminal, stuck, cut, refused, .. } = self;
        for (lanes, how) in [(terminal, TERMINAL), (stuck, STUCK), (cut, CUT), (refused, REFUSED)] {
            for bit in lanes.lanes() {
                out[self.lanes[bit] as usize] += how;
            }
        }
    }

    /// Writes whose turn it is: -1 where the game is over.
    #[inline(always)]
    pub fn write_to_move(&self, Ports { turn, .. }: &Ports, out: &mut [i32]) {
        let over = self.over();
        let turns = match turn {
            Turn::All => &[][..],
            Turn::Of(role) => &[(*role, ALWAYS)],
            Turn::Read(turns) => turns,
        };
        let first = turns.first().map_or(-1, |of| i32::from(of.0));
        self.fill(out, first);
        over.lanes().for_each(|bit| out[self.lanes[bit] as usize] = -1);
        for &(role, turn) in turns.iter().skip(1) {
            let on = read(&self.memory, turn).and(self.taken).without(over);
            on.lanes().for_each(|bit| out[self.lanes[bit] as usize] = i32::from(role));
        }
    }
}

/// The goals of terminal states on their way to rows: of many blocks together.
pub(super) struct GoalRows<'f, P> {
    over: &'f mut FinishedGames<P>,
    /// By bit: the lane whose last state is kept.
    numbers: Vec<u32>,
    out: &'f mut [u8],
}

impl<'f, P: Plane> GoalRows<'f, P> {
    /// There is 0 in all rows.
    pub fn new(over: &'f mut FinishedGames<P>, out: &'f mut [u8]) -> Self {
        over.forget();
        GoalRows { over, numbers: vec![NO_LANE; P::LANES], out }
    }

    /// Adds the terminal states of a block.
    #[inline(always)]
    pub fn add(&mut self, layout: &GameLayout, block: &Block<P>) {
        if block.terminal.is_zero() {
            return;
        }
        if self.over.overlaps(block.terminal) {
            self.tell(layout);
        }
        self.over.keep(layout, block.phase, block.terminal, &block.memory);
        block.terminal.lanes().for_each(|bit| self.numbers[bit] = block.lanes[bit]);
    }

    /// Writes the goals of those that were added.
    #[inline(always)]
    pub fn tell(&mut self, layout: &GameLayout) {
        let GoalRows { over, numbers, out } = self;
        let roles = usize::from(layout.roles);
        over.tell(
            layout,
            #[inline(always)]
            |role, points, lanes| {
                let value = points.unwrap_or(NO_GOAL);
                if value == 0 {
                    return;
                }
                for bit in lanes.lanes() {
                    out[numbers[bit] as usize * roles + usize::from(role)] = value;
                }
            },
        );
    }
}
