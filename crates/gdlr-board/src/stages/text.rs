//! Texts as the lines that came and went.

use hashbrown::HashMap;
use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};
use std::time::{Duration, Instant};

/// Two texts in which so much has changed that this is not enough are compared less thoroughly.
const PATIENCE: Duration = Duration::from_millis(500);

/// A step on the way from one text to the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// So many lines stay.
    Keep(usize),
    /// So many lines go.
    Remove(usize),
    /// These lines come, by their numbers.
    Insert(Vec<usize>),
}

/// Goes from one text, as numbers of lines, to the next; `None` if the edits are about another one.
pub fn replay(before: &[usize], edits: &[Edit]) -> Option<Vec<usize>> {
    let mut rest = before;
    let mut after = Vec::new();
    for edit in edits {
        match edit {
            Edit::Keep(count) => {
                after.extend(rest.get(..*count)?);
                rest = &rest[*count..];
            }
            Edit::Remove(count) => rest = rest.get(*count..)?,
            Edit::Insert(lines) => after.extend(lines),
        }
    }
    rest.is_empty().then_some(after)
}

/// Texts that follow each other, and the lines of all.
#[derive(Debug, Default)]
pub(super) struct Texts {
    pub lines: Vec<String>,
    numbers: HashMap<String, usize>,
    /// The last text.
    last: Vec<usize>,
}

impl Texts {
    /// The edits that make the next text of the last one; none if it is the same. A text ends with
    /// the end of a line.
    pub fn follow(&mut self, text: &str) -> Vec<Edit> {
        let next: Vec<usize> = text.lines().map(|line| self.number(line)).collect();
        let deadline = Some(Instant::now() + PATIENCE);
        let edits = capture_diff_slices_deadline(Algorithm::Patience, &self.last, &next, deadline);
        if edits.iter().all(|op| matches!(op, DiffOp::Equal { .. })) {
            return Vec::new();
        }
        let insert = |at: usize, count: usize| Edit::Insert(next[at..at + count].to_vec());
        let edits = edits.iter().flat_map(|op| match *op {
            DiffOp::Equal { len, .. } => vec![Edit::Keep(len)],
            DiffOp::Delete { old_len, .. } => vec![Edit::Remove(old_len)],
            DiffOp::Insert { new_index, new_len, .. } => vec![insert(new_index, new_len)],
            DiffOp::Replace { old_len, new_index, new_len, .. } => {
                vec![Edit::Remove(old_len), insert(new_index, new_len)]
            }
        });
        let edits = edits.collect();
        self.last = next;
        edits
    }

    fn number(&mut self, line: &str) -> usize {
        if let Some(&number) = self.numbers.get(line) {
            return number;
        }
        self.numbers.insert(line.to_owned(), self.lines.len());
        self.lines.push(line.to_owned());
        self.lines.len() - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_make_the_next_text_of_the_last() {
        let texts = ["a\nb\nc\n", "a\nc\nd\n", "d\nc\na\na\n", "", "b\n", "b\n"];
        let mut all = Texts::default();
        let mut last = Vec::new();
        for text in texts {
            let edits = all.follow(text);
            if edits.is_empty() {
                assert_eq!(text, "b\n", "the last is as the one before");
                continue;
            }
            last = replay(&last, &edits).expect("edits of this text");
            let lines: String = last.iter().map(|&line| all.lines[line].clone() + "\n").collect();
            assert_eq!(lines, text);
        }
        assert_eq!(all.lines, ["a", "b", "c", "d"], "each once");
    }

    #[test]
    fn a_line_that_changes_is_one_that_goes_and_one_that_comes() {
        let mut all = Texts::default();
        all.follow("a\nb\nc\n");
        let edits = all.follow("a\nx\nc\n");
        use Edit::*;
        assert_eq!(edits, [Keep(1), Remove(1), Insert(vec![3]), Keep(1)]);
        assert_eq!(replay(&[0, 1, 2], &edits), Some(vec![0, 3, 2]));
        assert_eq!(replay(&[0, 1], &edits), None, "another text");
        assert_eq!(replay(&[0, 1, 2, 3], &edits), None, "another text");
    }
}
