//! What lanes say, written into memory of the caller: a row for each lane.

use super::block::{Block, NO_LANE};
use super::field::Field;
use super::table::{ALWAYS, Ports, Source, Table, Turn};
use crate::batch::execute::read;
use crate::batch::layout::Layout;
use crate::batch::over::Over;
use crate::batch::plane::Plane;
use crate::engine::{CUT, NO_GOAL, REFUSED, STUCK, TERMINAL};

impl<P: Plane> Field<P> {
    /// Writes which actions are legal, as bytes: a row of so many for each lane.
    #[inline(never)]
    pub fn write_legal(&mut self, layout: &Layout, table: &Table, out: &mut [u8]) {
        self.look_at_turns(layout, table);
        let width = table.acting() * table.actions.len();
        self.write_bytes(width, out, |block| {
            (&block.ports(&table.ports).legal, block.taken.without(block.over()))
        });
    }

    /// The same, as bits: a row of whole words for each lane.
    #[inline(never)]
    pub fn write_legal_bits(&mut self, layout: &Layout, table: &Table, out: &mut [u64]) {
        self.look_at_turns(layout, table);
        let width = table.acting() * table.actions.len();
        self.write_words(width, out, |block| {
            (&block.ports(&table.ports).legal, block.taken.without(block.over()))
        });
    }

    /// Writes what is observed, as bytes: a row for each lane.
    #[inline(never)]
    pub fn write_observed(&self, table: &Table, out: &mut [u8]) {
        self.write_bytes(table.observed.len(), out, |block| {
            (&block.ports(&table.ports).observed, block.taken)
        });
    }

    /// Writes what is observed in lanes that are over, as bytes; nothing in the rows of others.
    #[inline(never)]
    pub fn write_last_observed(&mut self, layout: &Layout, table: &Table, out: &mut [u8]) {
        self.look(layout);
        self.write_last_bytes(table.observed.len(), out, |block| {
            &block.ports(&table.ports).observed
        });
    }

    /// The same, as bits: a row of whole words for each lane.
    #[inline(never)]
    pub fn write_observed_bits(&self, table: &Table, out: &mut [u64]) {
        self.write_words(table.observed.len(), out, |block| {
            (&block.ports(&table.ports).observed, block.taken)
        });
    }

    /// Writes what roles see of the last step, as bytes: a row of all roles for each lane.
    #[inline(never)]
    pub fn write_seen(&self, table: &Table, out: &mut [u8]) {
        self.write_bytes(table.seen.len(), out, |block| (&table.seen, block.taken));
    }

    /// The same in lanes that are over; nothing in the rows of others.
    #[inline(never)]
    pub fn write_last_seen(&mut self, layout: &Layout, table: &Table, out: &mut [u8]) {
        self.look(layout);
        self.write_last_bytes(table.seen.len(), out, |_| &table.seen);
    }

    /// What roles see, as bits: a row of whole words for each lane.
    #[inline(never)]
    pub fn write_seen_bits(&self, table: &Table, out: &mut [u64]) {
        self.write_words(table.seen.len(), out, |block| (&table.seen, block.taken));
    }

    #[inline(always)]
    fn write_last_bytes<'t>(
        &self,
        width: usize,
        out: &mut [u8],
        sources: impl Fn(&Block<P>) -> &'t [Source],
    ) {
        for block in &self.blocks {
            let over = block.over();
            if over.is_zero() {
                continue;
            }
            P::enable(
                #[inline(always)]
                || {
                    block.rows(sources(block), over, |lane, at, bits| {
                        let place = self.places[lane];
                        if over.has(place.bit as usize) {
                            let end = (at + 64).min(width);
                            P::write_bits(bits, &mut out[lane * width + at..lane * width + end]);
                        }
                    });
                },
            );
        }
    }

    #[inline(always)]
    fn write_bytes<'t>(
        &self,
        width: usize,
        out: &mut [u8],
        sources: impl Fn(&Block<P>) -> (&'t [Source], P),
    ) {
        P::enable(
            #[inline(always)]
            || {
                for block in &self.blocks {
                    let (sources, lanes) = sources(block);
                    block.rows(
                        sources,
                        lanes,
                        #[inline(always)]
                        |lane, at, bits| {
                            let row = lane * width;
                            let end = (at + 64).min(width);
                            P::write_bits(bits, &mut out[row + at..row + end]);
                        },
                    );
                }
            },
        );
    }

    #[inline(always)]
    fn write_words<'t>(
        &self,
        width: usize,
        out: &mut [u64],
        sources: impl Fn(&Block<P>) -> (&'t [Source], P),
    ) {
        let width = width.div_ceil(64);
        P::enable(
            #[inline(always)]
            || {
                for block in &self.blocks {
                    let (sources, lanes) = sources(block);
                    block.rows(sources, lanes, |lane, at, bits| out[lane * width + at / 64] = bits);
                }
            },
        );
    }

    /// Writes how lanes ended, or 0.
    #[inline(never)]
    pub fn write_ended(&mut self, layout: &Layout, out: &mut [u8]) {
        self.look(layout);
        // Most lanes are not over.
        out.fill(0);
        for block in &self.blocks {
            let &Block { terminal, stuck, cut, refused, .. } = block;
            for (lanes, how) in
                [(terminal, TERMINAL), (stuck, STUCK), (cut, CUT), (refused, REFUSED)]
            {
                for bit in lanes.lanes() {
                    out[block.lanes[bit] as usize] += how;
                }
            }
        }
    }

    /// Writes whose turn it is, by lane: -1 where the game is over.
    #[inline(never)]
    pub fn write_to_move(&mut self, layout: &Layout, table: &Table, out: &mut [i32]) {
        self.look(layout);
        for block in &self.blocks {
            let Ports { turn, .. } = block.ports(&table.ports);
            let over = block.over();
            let turns = match turn {
                Turn::All => &[][..],
                Turn::Of(role) => &[(*role, ALWAYS)],
                Turn::Read(turns) => turns,
            };
            let first = turns.first().map_or(-1, |of| i32::from(of.0));
            block.fill(out, first);
            over.lanes().for_each(|bit| out[block.lanes[bit] as usize] = -1);
            for &(role, turn) in turns.iter().skip(1) {
                let on = read(&block.memory, turn).and(block.taken).without(over);
                on.lanes().for_each(|bit| out[block.lanes[bit] as usize] = i32::from(role));
            }
        }
    }

    /// Writes the goals of lanes in terminal states, a row of all roles for each lane:
    /// [`NO_GOAL`] where there is none or more than one, 0 in other states.
    #[inline(never)]
    pub fn write_goals(&mut self, layout: &Layout, out: &mut [u8]) {
        self.look(layout);
        out.fill(0);
        let roles = usize::from(layout.roles);
        // By bit: the lane whose last state is kept.
        let mut numbers = vec![NO_LANE; P::LANES];
        let Field { blocks, over, .. } = self;
        let mut tell = |over: &mut Over<P>, numbers: &[u32]| {
            over.tell(layout, |role, points, lanes| {
                let value = points.unwrap_or(NO_GOAL);
                if value == 0 {
                    return;
                }
                for bit in lanes.lanes() {
                    out[numbers[bit] as usize * roles + usize::from(role)] = value;
                }
            });
        };
        over.forget();
        for block in blocks.iter().filter(|block| !block.terminal.is_zero()) {
            if over.overlaps(block.terminal) {
                tell(over, &numbers);
            }
            P::enable(
                #[inline(always)]
                || over.keep(&layout.goals, block.phase, block.terminal, &block.memory),
            );
            block.terminal.lanes().for_each(|bit| numbers[bit] = block.lanes[bit]);
        }
        tell(over, &numbers);
    }
}
