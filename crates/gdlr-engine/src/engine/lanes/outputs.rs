//! The outputs of lanes in columns of bits: which, of which states, and in which encoding.

use super::contract::Lanes;

/// A table that lanes write, a row for each lane, each column of which is true or false. How many
/// columns it has says [`Lanes::width`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Output {
    /// Which actions are legal: a column for each action, or for each action of each role, those
    /// of the first role first, where all act at once. None is legal in a lane that is over.
    Legal,
    /// Which of the [observed](Lanes::observed) facts are true: a column for each of them.
    Observations,
    /// The percepts of each role of the last step that the lane has played: a column for each percept of
    /// the [vocabulary](Lanes::vocabulary) and each role, those of the first role first. Nothing
    /// was seen in a lane that has begun or was put into a state since, and by chance.
    Percepts,
}

/// Which rows of a table are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Moment {
    /// Those of all lanes, of the states in which they are.
    Now,
    /// Those of lanes that are over, of their last states; the rows of other lanes are left as
    /// they are.
    End,
}

/// Memory of the caller for a table, and how it is written there.
#[derive(Debug, PartialEq, Eq)]
pub enum Encoded<'m> {
    /// A byte for each column, 1 or 0: rows of as many bytes as the table has columns.
    Bytes(&'m mut [u8]),
    /// A bit for each column, the lowest first: rows of whole words, the last of which is filled
    /// up with zeros.
    Bits(&'m mut [u64]),
}

impl Encoded<'_> {
    /// Checks that there is room for just so many rows of so many columns.
    ///
    /// # Panics
    ///
    /// When there is not.
    pub fn assert_fits(&self, rows: usize, width: usize) {
        let (len, row) = match self {
            Encoded::Bytes(out) => (out.len(), width),
            Encoded::Bits(out) => (out.len(), width.div_ceil(64)),
        };
        assert_eq!(len, rows * row, "room for {rows} rows of {row} items");
    }

    /// Makes all columns of a row false.
    pub(super) fn clear(&mut self, row: usize, width: usize) {
        match self {
            Encoded::Bytes(out) => out[row * width..][..width].fill(0),
            Encoded::Bits(out) => {
                let words = width.div_ceil(64);
                out[row * words..][..words].fill(0);
            }
        }
    }

    /// Makes a column of a row true.
    pub(super) fn set(&mut self, row: usize, width: usize, column: usize) {
        match self {
            Encoded::Bytes(out) => out[row * width + column] = 1,
            Encoded::Bits(out) => out[row * width.div_ceil(64) + column / 64] |= 1 << (column % 64),
        }
    }
}

/// How many columns an output of lanes has.
pub(super) fn width<L: Lanes + ?Sized>(lanes: &L, output: Output) -> usize {
    match output {
        Output::Legal => lanes.acting() * lanes.vocabulary().moves.len(),
        Output::Observations => lanes.observed().len(),
        Output::Percepts => lanes.roles() * lanes.vocabulary().percepts.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_stand_in_rows_of_bytes_and_of_whole_words() {
        let mut bytes = [7; 6];
        let mut out = Encoded::Bytes(&mut bytes);
        out.assert_fits(2, 3);
        out.clear(1, 3);
        out.set(1, 3, 2);
        assert_eq!(bytes, [7, 7, 7, 0, 0, 1]);
        let mut words = [7; 4];
        let mut out = Encoded::Bits(&mut words);
        out.assert_fits(2, 65);
        out.clear(1, 65);
        out.set(1, 65, 1);
        out.set(1, 65, 64);
        assert_eq!(words, [7, 7, 2, 1]);
    }

    #[test]
    #[should_panic(expected = "room for 2 rows of 2 items")]
    fn memory_has_the_size_of_the_table() {
        Encoded::Bits(&mut [0; 3]).assert_fits(2, 65);
    }
}
