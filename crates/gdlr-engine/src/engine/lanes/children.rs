//! The children of all lanes: the states after all their legal actions, for searches.

use std::fmt;

/// The outputs wanted of children, beside how they ended. Others are not computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChildOutputs {
    /// [`Children::legal_bits`].
    pub legal_bits: bool,
    /// [`Children::observations`].
    pub observations: bool,
    /// [`Children::to_move`].
    pub to_move: bool,
    /// [`Children::goals`].
    pub goals: bool,
}

/// The former name of [`ChildOutputs`].
#[deprecated(note = "it is `ChildOutputs`")]
pub type Asked = ChildOutputs;

/// The children of all lanes: the states after each legal action, those of the first lane first,
/// and those of a lane in the order of its actions. Arrays of outputs that are not wanted are empty.
///
/// The arrays keep their memory from one [`expand`](super::Lanes::expand) to the next.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Children {
    /// By lane: the number of its first child; behind the last lane, how many there are. A lane
    /// that is over has none.
    pub first: Vec<usize>,
    /// By child: the action that leads there.
    pub actions: Vec<i32>,
    /// By child: how it ended, as [`ended`](super::Lanes::ended) says of lanes.
    pub ended: Vec<u8>,
    /// By child: the bits of legal actions, as [`Output::Legal`](super::Output::Legal) has them.
    pub legal_bits: Vec<u64>,
    /// By child: a row of what is observed, as [`Output::Observations`](super::Output::Observations)
    /// has it, a byte for each.
    pub observations: Vec<u8>,
    /// By child: whose turn it is, as [`to_move`](super::Lanes::to_move) has it.
    pub to_move: Vec<i32>,
    /// By child: a row of goals, as [`goals`](super::Lanes::goals) has it.
    pub goals: Vec<u8>,
}

impl Children {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.actions.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.actions.is_empty()
    }

    /// Lists the children of so many lanes by rows of legal actions, so many words for each lane,
    /// and makes room for what is said about them: so many words, bytes and goals for each.
    pub fn list(
        &mut self,
        lanes: usize,
        rows: &[u64],
        wanted: ChildOutputs,
        [words, bytes, goals]: [usize; 3],
    ) {
        self.first.clear();
        self.actions.clear();
        for lane in 0..lanes {
            self.first.push(self.actions.len());
            for (word, &bits) in rows[lane * words..][..words].iter().enumerate() {
                let mut bits = bits;
                while bits != 0 {
                    self.actions.push((64 * word) as i32 + bits.trailing_zeros() as i32);
                    bits &= bits - 1;
                }
            }
        }
        let count = self.actions.len();
        self.first.push(count);
        let size = |wanted: bool, width: usize| if wanted { count * width } else { 0 };
        self.legal_bits.resize(size(wanted.legal_bits, words), 0);
        self.observations.resize(size(wanted.observations, bytes), 0);
        self.to_move.resize(size(wanted.to_move, 1), 0);
        // Only where something is to be said is it written.
        self.ended.clear();
        self.ended.resize(count, 0);
        self.goals.clear();
        self.goals.resize(size(wanted.goals, goals), 0);
    }
}

/// Why the children of lanes are not told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpandError {
    /// All roles act at once, so that an action of one does not say what comes next.
    Simultaneous,
    /// The game has a role of chance, whose moves are drawn.
    Chance,
}

impl fmt::Display for ExpandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ExpandError::Simultaneous => {
                "children are told by the action of one role, and in this game all roles act at once"
            }
            ExpandError::Chance => {
                "children are told by the action of one role, and in this game chance plays a part"
            }
        })
    }
}

impl std::error::Error for ExpandError {}
