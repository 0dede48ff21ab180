//! Where the goals of a state that is over are computed.
//!
//! A last state may be kept until others of its lane have come to their end, and then its goals are computed:
//! each latch that they depend on is copied. Or a step says the goals of all its states, and only these are
//! kept. Where goals ask what the end of play asks anyway, such as who has a row, the latter is less.

use gdlr_net::net::Net;

/// How many slots are named to keep the value of a slot in some lanes: that value, the one that is kept in
/// the others, and the slot where both are put.
const KEEP: usize = 3;

/// How many slots a step names more for the goals of a net.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GoalWork {
    /// If it computes and keeps them.
    pub goals: usize,
    /// If it keeps the latches that they depend on.
    pub latches: usize,
}

impl GoalWork {
    /// Linear in the net.
    pub fn of(net: &Net) -> GoalWork {
        let goals = || net.goals.iter().map(|goal| goal.signal);
        let legal = net.inputs.iter().map(|input| input.legal);
        let next = net.latches.iter().map(|latch| latch.next);
        let read = net.reached(legal.chain(next).chain([net.terminal]));
        let needed = net.reached(goals());
        let more = net.computed().filter(|gate| needed[gate.index()] && !read[gate.index()]);
        let named: usize = more.map(|gate| 1 + net.operands(gate).len()).sum();
        let values = goals().filter(|signal| !signal.is_constant()).count();
        let latches = net.latches.iter().filter(|latch| needed[latch.gate.index()]).count();
        GoalWork { goals: named + KEEP * values, latches: KEEP * latches }
    }
}

// Grounding takes long under Miri, and nothing here is unsafe.
#[cfg(all(test, not(miri)))]
mod tests {
    use super::*;
    use gdlr_rules::gdl::Game;
    use gdlr_text::budget::Budget;

    /// Four squares are marked one after the other; `rules` say when that is over, and what it is worth.
    fn work(rules: &str) -> GoalWork {
        let text = format!(
            "(role x) (square 1) (square 2) (square 3) (square 4)
            (<= (legal x (mark ?i)) (square ?i) (not (true (marked ?i))))
            (<= (next (marked ?i)) (does x (mark ?i)))
            (<= (next (marked ?i)) (true (marked ?i)))
            (<= pair (true (marked 1)) (true (marked 2)))
            (<= (odd) (true (marked 1)) (not (true (marked 3))))
            (<= (odd) (not (true (marked 1))) (true (marked 3)))
            {rules}"
        );
        let game = Game::from_kif("test", &text).expect("a rulesheet");
        GoalWork::of(&Net::of_game(game, &Budget::default()).expect("it is small"))
    }

    #[test]
    fn goals_that_ask_what_the_end_asks_are_no_more_work() {
        let rules = "(<= terminal pair) (<= (goal x 100) pair) (<= (goal x 0) (not pair))";
        assert_eq!(work(rules), GoalWork { goals: 2 * KEEP, latches: 2 * KEEP });
    }

    #[test]
    fn goals_of_their_own_are_work() {
        let rules = "(<= terminal pair) (<= (goal x 100) odd) (<= (goal x 0) (not odd))";
        let GoalWork { goals, latches } = work(rules);
        assert_eq!(latches, 2 * KEEP);
        // Two gates of two squares, and one of both.
        assert_eq!(goals, 2 * KEEP + 3 * 3);
    }

    #[test]
    fn a_goal_that_is_always_the_same_is_not_kept() {
        let rules = "(<= terminal pair) (goal x 50)";
        assert_eq!(work(rules), GoalWork { goals: 0, latches: 0 });
    }
}
