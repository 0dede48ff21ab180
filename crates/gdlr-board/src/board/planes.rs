//! States as numbers: planes for the boards, and a flat vector for what is on none.

use super::boards::Boards;
use gdlr_rules::gdl::{SymbolTable, Term};
use std::ops::Range;

/// Where each fact stands in an observation, a vector of bits.
///
/// First come the boards, one after the other, each as planes with the axes *channels, rows,
/// columns* in this order, the last running fastest; then the facts that are on no board, in
/// the order of the list that the planes were made for. Every fact of the list has exactly one
/// slot of its own, so that an observation says which facts are true; slots without a fact are
/// never set.
///
/// ```
/// # mod gdlr { pub use gdlr_board::board; pub use gdlr_rules::gdl; }
/// use gdlr::board::{Boards, Planes};
/// use gdlr::gdl::Game;
///
/// let game = Game::from_kif("t", "(role x) (facts (cell a 1 x) (cell b 1 x) (cell a 2 x)
///     (cell b 2 x) done) (<= (next (cell ?f ?r x)) (does x (mark ?f ?r)))").unwrap();
/// let facts = &game.rules[1].head.args;
/// let boards = Boards::find(&game, facts);
/// let planes = Planes::new(&boards, facts, &game.symbols);
/// assert_eq!(planes.shape(0), [1, 2, 2]);
/// // (cell b 1 x) is to the right and below.
/// assert_eq!((planes.slot(1), planes.slot(4)), (3, 4));
/// let mut bits = vec![false; planes.len()];
/// planes.encode([1, 4], &mut bits);
/// assert_eq!(planes.decode(&bits).collect::<Vec<_>>(), [1, 4]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Planes {
    /// By board: channels, rows, columns.
    shapes: Vec<[usize; 3]>,
    /// By board: where its planes begin; and where the other facts do.
    starts: Vec<usize>,
    /// By fact.
    slots: Vec<u32>,
    /// By slot.
    facts: Vec<Option<u32>>,
    others: Vec<u32>,
    other_names: Vec<String>,
}

impl Planes {
    /// The planes of facts on boards. A fact that the list has twice stands on a board once,
    /// and its second occurrence among the other facts.
    pub fn new<'f>(
        boards: &Boards,
        facts: impl IntoIterator<Item = &'f Term>,
        symbols: &SymbolTable,
    ) -> Planes {
        let mut planes = Planes {
            shapes: Vec::new(),
            starts: vec![0],
            slots: Vec::new(),
            facts: Vec::new(),
            others: Vec::new(),
            other_names: Vec::new(),
        };
        let mut start = 0;
        for board in boards.boards() {
            let shape = [board.channels.len(), board.rows.labels.len(), board.columns.labels.len()];
            start += shape.iter().product::<usize>();
            planes.shapes.push(shape);
            planes.starts.push(start);
        }
        planes.facts.resize(start, None);
        for (number, fact) in (0u32..).zip(facts) {
            let slot = boards.place(fact).map(|place| {
                let [_, rows, columns] = planes.shapes[place.board];
                planes.starts[place.board]
                    + (place.channel * rows + place.row) * columns
                    + place.column
            });
            match slot {
                Some(slot) if planes.facts[slot].is_none() => {
                    planes.facts[slot] = Some(number);
                    planes.slots.push(slot as u32);
                }
                _ => {
                    planes.slots.push((start + planes.others.len()) as u32);
                    planes.others.push(number);
                    planes.other_names.push(fact.spelled(symbols));
                }
            }
        }
        planes.facts.extend(planes.others.iter().map(|&fact| Some(fact)));
        planes
    }

    /// How many bits an observation has.
    pub fn len(&self) -> usize {
        self.facts.len()
    }

    /// Whether there is nothing to observe.
    pub fn is_empty(&self) -> bool {
        self.facts.is_empty()
    }

    /// How many channels, rows and columns a board has.
    ///
    /// # Panics
    ///
    /// When there is no such board.
    pub fn shape(&self, board: usize) -> [usize; 3] {
        self.shapes[board]
    }

    /// Where in an observation a board's planes stand.
    ///
    /// # Panics
    ///
    /// When there is no such board.
    pub fn range(&self, board: usize) -> Range<usize> {
        self.starts[board]..self.starts[board + 1]
    }

    /// Where in an observation the facts stand that are on no board.
    pub fn other_range(&self) -> Range<usize> {
        self.starts[self.shapes.len()]..self.facts.len()
    }

    /// The facts that are on no board, by their places in the list.
    pub fn others(&self) -> &[u32] {
        &self.others
    }

    /// The planes of facts that are on no board.
    pub fn other_names(&self) -> &[String] {
        &self.other_names
    }

    /// The slot of a fact, by its place in the list.
    ///
    /// # Panics
    ///
    /// When there is no such fact.
    pub fn slot(&self, fact: usize) -> usize {
        self.slots[fact] as usize
    }

    /// By fact: its slot.
    pub fn slots(&self) -> &[u32] {
        &self.slots
    }

    /// The fact in a slot; `None` in a slot without one, or where there is no slot.
    pub fn fact(&self, slot: usize) -> Option<usize> {
        self.facts.get(slot).copied().flatten().map(|fact| fact as usize)
    }

    /// Writes the observation of the state in which just these facts are true.
    ///
    /// # Panics
    ///
    /// When there is no such fact, or `bits` is not [`len`](Planes::len) long.
    pub fn encode(&self, facts: impl IntoIterator<Item = usize>, bits: &mut [bool]) {
        assert_eq!(bits.len(), self.len(), "the bits of one observation");
        bits.fill(false);
        facts.into_iter().for_each(|fact| bits[self.slot(fact)] = true);
    }

    /// The facts that are true in an observation, in the order of slots.
    pub fn decode(&self, bits: &[bool]) -> impl Iterator<Item = usize> {
        let set = bits.iter().enumerate().filter(|(_, bit)| **bit);
        set.filter_map(|(slot, _)| self.fact(slot))
    }
}
