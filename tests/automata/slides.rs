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

/// Whether the walks of a move set registers back before they show the move.
#[track_caller]
fn forgets(text: &str) -> bool {
    small(text);
    let each = each_of_rules(text, false);
    let texts = each.iter().map(|export| export.text().expect("printable names"));
    let forgets: Vec<bool> = texts.map(|text| text.contains(": s = 1;")).collect();
    assert!(forgets.iter().all(|&one| one == forgets[0]), "{forgets:?}");
    forgets[0]
}

/// The squares of a board: enough that a slide goes through squares, and does not try them all.
const SQUARES: usize = 12;

/// A board of four columns and three rows, and how it goes on from there.
fn board(more: &[(&'static str, usize, usize)]) -> Vec<(&'static str, usize, usize)> {
    let squares = 1..=SQUARES;
    let east = squares.clone().filter(|square| square % 4 > 0).map(|s| ("east", s, s + 1));
    let north = squares.filter(|square| square + 4 <= SQUARES).map(|s| ("north", s, s + 4));
    east.chain(north).chain(more.iter().copied()).collect()
}

#[test]
fn one_direction_leads_to_a_square() {
    assert!(!forgets(&game("?t", &board(&[]), SQUARES)));
    assert!(!forgets(&game("?d ?t", &board(&[]), SQUARES)));
}

#[test]
fn two_directions_lead_to_a_square() {
    let steps = board(&[("north", 9, 4)]);
    assert!(forgets(&game("?t", &steps, SQUARES)));
    // A move that names its direction is another one.
    assert!(!forgets(&game("?d ?t", &steps, SQUARES)));
}

#[test]
fn one_direction_leads_to_a_square_in_two_ways() {
    let forks = board(&[("east", 1, 5), ("east", 8, 12), ("east", 4, 12)]);
    assert!(forgets(&game("?d ?t", &forks, SQUARES)));
    // A row that is a circle: the piece comes by where it has been.
    let circle = board(&[("east", 4, 1)]);
    assert!(forgets(&game("?d ?t", &circle, SQUARES)));
}

#[test]
fn two_rules_lead_to_a_square() {
    let text = game("?d ?t", &board(&[]), SQUARES);
    let hop = |from: usize, to: usize| {
        format!("{text} (<= (glide ?s ?d ?t) (hop ?d ?s ?t) (free ?t)) (hop east {from} {to})")
    };
    assert!(forgets(&hop(1, 3)));
}

/// A piece begins with a jump over either of two squares.
#[test]
fn one_rule_leads_to_a_square_in_two_ways() {
    let over = "(to ?d ?s ?m) (true (open ?m)) (to ?d ?m ?t) (free ?t)";
    let mut text = game("?d ?t", &board(&[("east", 1, 6), ("east", 6, 3)]), SQUARES);
    text = text.replacen("(to ?d ?s ?t) (free ?t)", over, 1);
    text += "(<= (next (open ?s)) (true (open ?s)) (not (does p wait)))";
    (1..=SQUARES).for_each(|square| text += &format!("(init (open {square})) "));
    assert!(forgets(&text));
}

/// Random steps between some squares.
#[test]
fn of_random_steps() {
    let mut state = 5u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % below
    };
    for case in 0..24 {
        let count = 6 + random(9);
        let mut one = || (["east", "north"][random(2)], 1 + random(9), 1 + random(9));
        let mut steps: Vec<_> = (0..count).map(|_| one()).collect();
        steps.sort_unstable();
        steps.dedup();
        small(&game(["?t", "?d ?t"][case % 2], &steps, 9));
    }
}
