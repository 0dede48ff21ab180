//! The order in which moves are searched: a good one first cuts the others off.
//!
//! First comes the best move of the table. Then come the *killers*: moves that cut off at the same
//! distance from the root. The rest are ordered by *history*: how often each cut off anywhere. A
//! deep cut counts more (Schaeffer, 1989).

use super::value::MOST_STEPS;
use gdlr_engine::engine::MoveId;

/// How many moves have a history at most; those that an engine numbers first.
const MOST_MOVES: usize = 1 << 20;

/// No history is greater.
const MOST_HISTORY: u32 = 1 << 24;

/// The scores of the first moves, more than any history.
const OF_TABLE: i64 = 1 << 40;
const OF_KILLER: i64 = 1 << 32;

/// The moves that cut off so far.
#[derive(Debug)]
pub(super) struct Order {
    /// By steps from the root: the last one first.
    killers: Vec<[Option<MoveId>; 2]>,
    /// By move.
    history: Vec<u32>,
}

impl Order {
    pub fn new() -> Order {
        Order { killers: vec![[None; 2]; MOST_STEPS + 1], history: Vec::new() }
    }

    /// A move cut off, so many steps from the root, in a search so deep.
    pub fn cuts_off(&mut self, id: MoveId, steps: usize, depth: usize) {
        let killers = &mut self.killers[steps];
        if killers[0] != Some(id) {
            *killers = [Some(id), killers[0]];
        }
        if id.index() >= MOST_MOVES {
            return;
        }
        if self.history.len() <= id.index() {
            self.history.resize(id.index() + 1, 0);
        }
        let history = &mut self.history[id.index()];
        *history += (depth * depth) as u32;
        if *history > MOST_HISTORY {
            self.history.iter_mut().for_each(|history| *history /= 2);
        }
    }

    /// How early a move is to be searched; `best` is the best move of the table.
    pub fn score(&self, id: MoveId, steps: usize, best: Option<MoveId>) -> i64 {
        if best == Some(id) {
            return OF_TABLE;
        }
        let killer = match self.killers[steps].iter().position(|&killer| killer == Some(id)) {
            Some(place) => OF_KILLER / (place as i64 + 1),
            None => 0,
        };
        killer + i64::from(self.history.get(id.index()).copied().unwrap_or(0))
    }

    /// The root is another one: killers are forgotten, and history counts half.
    pub fn move_on(&mut self) {
        self.killers.fill([None; 2]);
        self.history.iter_mut().for_each(|history| *history /= 2);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_move_comes_first_then_killers_then_history() {
        let mut order = Order::new();
        (0..100).for_each(|_| order.cuts_off(MoveId(3), 9, 4));
        order.cuts_off(MoveId(1), 2, 1);
        order.cuts_off(MoveId(2), 2, 1);
        let mut moves: Vec<MoveId> = (0..6).map(MoveId).collect();
        moves.sort_by_key(|&id| std::cmp::Reverse(order.score(id, 2, Some(MoveId(4)))));
        assert_eq!(moves, [4, 2, 1, 3, 0, 5].map(MoveId));
        order.move_on();
        assert!(order.score(MoveId(3), 2, None) > order.score(MoveId(2), 2, None));
    }
}
