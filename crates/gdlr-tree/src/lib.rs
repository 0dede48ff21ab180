//! The logic road: OR and AND resolution trees (FI, V to VII).
//!
//! A [`Tree`] proves the relations that play needs, `legal`, `terminal`, `goal` and `next`, from
//! the facts of a state. A *base relation* is a relation of facts of the state; `next` is proved
//! for one base relation after the other. The parts, each in its file:
//!
//! * `row_set`, `index`, `table`: rows of symbols in one block, hashed on the columns
//!   that queries ask for (V, VII.A).
//! * `plan`, `build`, `order`, `sizes`: the trees, built from the normal form; the order of a
//!   rule's conditions.
//! * `scratch`, `prove`, `merge`: the tables that change, how nodes fill them, and how rows are
//!   merged with results (algorithms 2 and 3; VI.B to VI.D); `recurrence`: relations that depend on
//!   themselves (VI.E).
//! * `set_up` makes a tree; `compiler` goes from the rules to the nodes. `statics` computes the
//!   initial state and the relations that depend on neither state nor moves. `tuning` plays
//!   samples, and chooses which relations are asked through filters (VI.D, VII.C; below), and
//!   with which condition costly rules begin.
//! * `engine`: the [`gdlr_engine::engine::Engine`]; `limits`: the most that a state may take;
//!   [`print`]: the trees as text and pictures.
//!
//! The differences from FI, with their reasons:
//!
//! * Conditions that ask the same share a node. So each result is computed only once in a state,
//!   for `legal`, `terminal`, `goal` and `next` together. FI computes it once for each condition.
//! * Recursive relations are evaluated to their least fixpoint. So recursion ends on cyclic data,
//!   with filters and without. FI unrolls recursion node by node, and needs filters to end.
//! * A filter is the set of rows that a node has been asked for. It is joined before the node's
//!   conditions, so that only rows that are needed are asked for. FI joins it after each condition.
//! * A filter that costs more than it saves is removed at set-up, by the work counted in sample
//!   play. FI counts rows for the first 200 visits. A [`Tree`] never changes while it plays.
#![forbid(unsafe_code)]

mod build;
mod compiler;
mod engine;
mod index;
mod limits;
mod looks;
mod merge;
mod moves;
mod options;
mod order;
mod plan;
mod print;
mod prove;
mod recurrence;
mod row_set;
mod scratch;
mod set_up;
mod sizes;
mod state;
mod statics;
mod table;
mod tuning;

pub use engine::Tree;
pub use options::{TreeOptions, Tuning};
pub use scratch::Scratch;
pub use state::State;

use gdlr_rules::gdl::Game;
use gdlr_text::budget::{Exhausted, Meter};
use gdlr_text::diagnostic::Diagnostic;
use std::sync::Arc;

impl Tree {
    /// Compiles a game.
    ///
    /// Set-up takes milliseconds for most games; it grows with the rules and with the work
    /// of a state, of which a fixed amount is sampled.
    ///
    /// # Errors
    ///
    /// A diagnostic when the rules are unsafe, not stratified or unbounded, so that there is
    /// nothing to play; see [`Normal::new`](gdlr_rules::normal::Normal::new).
    pub fn new(game: impl Into<Arc<Game>>, options: &TreeOptions) -> Result<Tree, Diagnostic> {
        let (needed, wanted) = (Meter::unlimited(), Meter::unlimited());
        Tree::within(game, options, &needed, &wanted).expect("there is no limit")
    }

    /// The same, within budgets: `needed` for what trees cannot do without, `wanted` for sample
    /// play, which is broken off when that is exhausted. The trees then work more than they
    /// might, and say the same.
    ///
    /// # Errors
    ///
    /// When `needed` is exhausted; within, as [`Tree::new`].
    pub fn within(
        game: impl Into<Arc<Game>>,
        options: &TreeOptions,
        needed: &Meter<'_>,
        wanted: &Meter<'_>,
    ) -> Result<Result<Tree, Diagnostic>, Exhausted> {
        set_up::set_up(game.into(), options, needed, wanted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gdlr_engine::play::perft;
    use gdlr_text::budget::{Budget, Limit};
    use gdlr_text::decisions::{Decisions, Part, Quantity};
    use std::sync::atomic::AtomicBool;
    use std::time::Duration;

    const NIM: &str = include_str!("../../../kif/nim.kif");

    #[test]
    fn sample_play_may_be_broken_off_anywhere() {
        let perft = |tree: &Tree| perft(tree, 4, &AtomicBool::new(false), |_| {});
        let game = Arc::new(Game::from_kif("nim", NIM).expect("rules"));
        let options = TreeOptions::default();
        let expected = perft(&Tree::new(game.clone(), &options).expect("a game"));
        assert!(expected.counts[4] > 100);
        // None of it, and more and more.
        for micros in (0..20).map(|step| step * step * 20) {
            let wanted = Budget { time: Duration::from_micros(micros), ..Budget::UNLIMITED };
            let tree = Tree::within(game.clone(), &options, &Meter::unlimited(), &wanted.start());
            let tree = tree.expect("there is no limit").expect("a game");
            assert_eq!(perft(&tree), expected, "after {micros} µs of sample play");
        }
    }

    #[test]
    fn results_are_the_same_by_any_bounds() {
        let perft = |tree: &Tree| perft(tree, 4, &AtomicBool::new(false), |_| {});
        let small = TreeOptions { tuning: Tuning::small(), ..TreeOptions::default() };
        let connect4 = include_str!("../../../kif/connect4.kif");
        for (name, rules) in [("nim", NIM), ("connect4", connect4)] {
            let game = Arc::new(Game::from_kif(name, rules).expect("rules"));
            let tree = |options| Tree::new(game.clone(), options).expect("a game");
            let [shipped, small] = [tree(&TreeOptions::default()), tree(&small)];
            assert_eq!(perft(&shipped), perft(&small), "{name}");
            // Less is computed beforehand, and less is tried.
            let whole = |tree: &Tree| tree.figures()[2];
            assert!(whole(&small).1 < whole(&shipped).1, "{name}: {:?}", whole(&small));
            let of = |tree: &Tree, subject| tree.decisions().of(Part::Tree, subject).cloned();
            let statics = of(&small, "statics").expect("it is decided");
            assert_eq!(statics.bound.map(|of| of.value), Some(Quantity::Count(5)), "{statics}");
            let trials = [&shipped, &small].map(|tree| of(tree, "filters").expect("it is decided"));
            let rows = trials.map(|trial| trial.measured[0].value);
            assert_ne!(rows[0], rows[1], "{name}");
        }
    }

    #[test]
    fn a_relation_is_given_up_in_the_middle_when_the_time_is_over() {
        let text = "(role a) (legal a go) (goal a 0) (terminal) (n 0) (n 1) (n 2) (n 3) (n 4)
            (<= (p ?a ?b ?c ?d ?e ?f) (n ?a) (n ?b) (n ?c) (n ?d) (n ?e) (n ?f))
            (<= (init (q ?a ?f)) (p ?a ?b ?c ?d ?e ?f))";
        let game = Game::from_kif("test", text).expect("rules");
        let needed = Budget { time: Duration::ZERO, ..Budget::UNLIMITED }.start();
        let normal = gdlr_rules::normal::Normal::new(game, &Default::default()).expect("rules");
        let mut compiler = compiler::Compiler::new(normal, TreeOptions::default());
        let why = compiler.compute_statics(&needed, &mut Decisions::default());
        let why = why.expect_err("there is no time");
        assert_eq!(why.limit, Limit::Time);
        // As soon as a rule is to be run.
        assert!(needed.work() < 100, "{}", needed.work());
    }
}
