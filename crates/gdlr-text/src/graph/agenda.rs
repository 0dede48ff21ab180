//! An agenda (work list): tasks that are done again until nothing changes.

use std::collections::VecDeque;

/// Things with numbers, each of which is to be looked at whenever something that it reads has changed: it
/// waits at most once at a time, and who came first is first.
///
/// ```
/// # mod gdlr { pub use gdlr_text::graph; }
/// // The least number that comes to each node along edges.
/// let (edges, mut least) = ([vec![1], vec![2], vec![1], vec![2]], [4, 3, 2, 1]);
/// let mut agenda = gdlr::graph::Agenda::of_all(4);
/// while let Some(node) = agenda.pop() {
///     for &to in &edges[node] {
///         if least[node] < least[to] {
///             least[to] = least[node];
///             agenda.push(to);
///         }
///     }
/// }
/// assert_eq!(least, [4, 1, 1, 1]);
/// ```
#[derive(Clone, Debug)]
pub struct Agenda {
    queue: VecDeque<usize>,
    /// By number: whether it is in the queue.
    waits: Vec<bool>,
}

impl Agenda {
    /// So many things, all of which wait.
    pub fn of_all(count: usize) -> Agenda {
        Agenda { queue: (0..count).collect(), waits: vec![true; count] }
    }

    /// Lets a thing wait, unless it does.
    ///
    /// # Panics
    ///
    /// When there is none of this number.
    pub fn push(&mut self, number: usize) {
        if !std::mem::replace(&mut self.waits[number], true) {
            self.queue.push_back(number);
        }
    }

    /// Takes the thing that waits longest.
    pub fn pop(&mut self) -> Option<usize> {
        let number = self.queue.pop_front()?;
        self.waits[number] = false;
        Some(number)
    }
}

#[cfg(test)]
mod tests {
    use super::Agenda;

    #[test]
    fn each_waits_once_at_a_time() {
        let mut agenda = Agenda::of_all(3);
        agenda.push(1);
        assert_eq!(agenda.pop(), Some(0));
        [0, 2, 0].into_iter().for_each(|number| agenda.push(number));
        assert_eq!(std::iter::from_fn(|| agenda.pop()).collect::<Vec<_>>(), [1, 2, 0]);
    }
}
