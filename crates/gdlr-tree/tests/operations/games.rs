//! Games that are written in this notation here, beside the classic ones.

use super::engine;
use gdlr_engine::play::perft;
use std::sync::atomic::AtomicBool;

fn counts(text: &str, depth: usize) -> Vec<u64> {
    perft(&engine(text), depth, &AtomicBool::new(false), |_| {}).counts
}

#[test]
fn perft_is_that_of_the_classic_games() {
    let tictactoe = include_str!("../../../../operations/tictactoe.epilog");
    assert_eq!(counts(tictactoe, 5), counts(include_str!("../../../../kif/tictactoe.kif"), 5));
    let nim = include_str!("../../../../operations/nim.epilog");
    assert_eq!(counts(nim, 4), counts(include_str!("../../../../kif/nim.kif"), 4));
}
