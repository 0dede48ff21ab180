//! Pieces that slide over free squares: each move is one walk, or all walks of a move end alike.

use crate::export::{each_of_rules, small};

/// A piece that slides in directions as far as squares are free, and leaves a wall behind. `named` are the
/// arguments of its moves.
fn game(named: &str, steps: &[(&str, usize, usize)], squares: usize) -> String {
    let mut text = format!(
        "(role p) (init (at 1)) (init (fuel 1)) (more 1 2) (more 2 3) (more 3 4)
         (<= (legal p (slide {named})) (true (at ?s)) (glide ?s ?d ?t)) (legal p wait)
         (<= (glide ?s ?d ?t) (to ?d ?s ?t) (free ?t))
         (<= (glide ?s ?d ?t) (glide ?s ?d ?u) (to ?d ?u ?t) (free ?t))
         (<= (free ?s) (square ?s) (not (true (wall ?s))) (not (true (at ?s))))
         (<= (next (at ?t)) (does p (slide {named})))
         (<= (next (at ?s)) (true (at ?s)) (does p wait))
         (<= (next (wall ?s)) (true (at ?s)) (does p (slide {named})))
         (<= (next (wall ?s)) (true (wall ?s)))
         (<= (next (fuel ?n)) (true (fuel ?m)) (more ?m ?n))
         (<= terminal (true (fuel 4))) (<= (goal p 100) (true (at 2))) (<= (goal p 0) (not (true (at 2)))) "
    );
    (1..=squares).for_each(|square| text += &format!("(square {square}) "));
    steps.iter().for_each(|(way, from, to)| text += &format!("(to {way} {from} {to}) "));
    text
}

/// Whether some walk of a move ends with a direction that is not its own.
#[track_caller]
fn forgets_directions(text: &str) -> bool {
    small(text);
    let each = each_of_rules(text, false);
    let texts = each.iter().map(|export| export.text().expect("printable names"));
    let forgets: Vec<bool> = texts.map(|text| text.contains("d = east;")).collect();
    assert!(forgets.iter().all(|&one| one == forgets[0]), "{forgets:?}");
    forgets[0]
}

/// A board of three columns and two rows, and how it goes on from there.
fn board(more: &[(&'static str, usize, usize)]) -> Vec<(&'static str, usize, usize)> {
    let mut steps = vec![("east", 1, 2), ("east", 2, 3), ("east", 4, 5), ("east", 5, 6)];
    steps.extend([("north", 1, 4), ("north", 2, 5), ("north", 3, 6)]);
    steps.extend(more);
    steps
}

#[test]
fn one_direction_leads_to_a_square() {
    assert!(!forgets_directions(&game("?t", &board(&[]), 6)));
    assert!(!forgets_directions(&game("?d ?t", &board(&[]), 6)));
}

#[test]
fn two_directions_lead_to_a_square() {
    let steps = board(&[("north", 4, 3)]);
    assert!(forgets_directions(&game("?t", &steps, 6)));
    // A move that names its direction is another one.
    assert!(!forgets_directions(&game("?d ?t", &steps, 6)));
}

#[test]
fn one_direction_leads_to_a_square_in_two_ways() {
    let forks = board(&[("east", 1, 4), ("east", 4, 6), ("east", 3, 6)]);
    assert!(forgets_directions(&game("?d ?t", &forks, 6)));
    // Three squares in a circle: the piece comes by where it has been.
    let circle = [("east", 1, 2), ("east", 2, 3), ("east", 3, 1), ("west", 1, 4)];
    assert!(forgets_directions(&game("?d ?t", &circle, 4)));
}

/// Random steps between five squares.
#[test]
fn of_random_steps() {
    let mut state = 5u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % below
    };
    for case in 0..24 {
        let count = 4 + random(5);
        let mut one = || (["east", "north"][random(2)], 1 + random(5), 1 + random(5));
        let mut steps: Vec<_> = (0..count).map(|_| one()).collect();
        steps.sort_unstable();
        steps.dedup();
        small(&game(["?t", "?d ?t"][case % 2], &steps, 5));
    }
}
