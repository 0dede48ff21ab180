//! The care set of a phase: the states that play can reach in it. Play goes on only where nothing has ended it.
//!
//! A value that no state of the care set has is a *reachability don't-care*: a gate that would have it is a
//! constant. Here the gates are those under `terminal`, and the argument is the phase before:
//!
//! ```text
//! terminal = a row of black or a row of white
//! after a move of black: the row of white was not there before it, and black moves no white stone
//! ```
//!
//! A row of white that is there after a move of black was there before it, and play was over then. So the
//! net of a phase computes only those ends of play that the phase before can bring about. In games of rows
//! and of connections that is half of the net.

use gdlr_net::net::{GateId, LatchId, Net, Operation, Phases, Signal};

/// Gates whose value is known in the care set of a phase: each ends play, and no move of the phase before
/// changes it. Were it true, play would have ended in the phase before. `before` is the net of that phase,
/// with the latches `latches` of `net`, which are those that do not tell phases apart. Linear in the net.
///
/// The care set has all reachable states but the initial one. The caller checks that play is not over there.
pub(super) fn outside_care_set(
    net: &Net,
    phases: &Phases,
    latches: &[LatchId],
    before: &Net,
) -> Vec<(GateId, bool)> {
    let stays = |place: usize| {
        let latch = &before.latches[place];
        latch.next == Signal::of(latch.gate)
    };
    let moved = (0..latches.len()).filter(|&place| !stays(place)).map(|place| latches[place]);
    // An indicator changes only if a latch of it does.
    let changing = moved.chain(phases.latches.iter().copied());
    let moves = net.inputs.iter().map(|input| input.gate);
    let sources = changing.map(|latch| net.latches[latch.index()].gate).chain(moves);
    let changes = net.dependent(sources);
    let mut fixed = Vec::new();
    let mut seen = vec![false; net.len()];
    let mut open = vec![net.terminal];
    while let Some(signal) = open.pop() {
        let gate = signal.gate();
        if signal.is_constant() || std::mem::replace(&mut seen[gate.index()], true) {
            continue;
        }
        if !changes[gate.index()] {
            fixed.push((gate, signal.is_negated()));
            continue;
        }
        let parts = net.view(signal, Operation::Or);
        if parts[..] != [signal] {
            open.extend(parts);
        }
    }
    fixed
}

// Grounding takes long under Miri, and nothing here is unsafe.
#[cfg(all(test, not(miri)))]
mod tests {
    use super::*;
    use crate::phases::PhaseNets;
    use gdlr_rules::gdl::Game;
    use gdlr_text::budget::{Budget, Meter};

    /// Each of two players marks a square, in turn; two marks of a player end it.
    const ROWS: &str = "(role x) (role o) (init (turn x)) (other x o) (other o x)
        (square 1) (square 2) (square 3)
        (<= (legal ?p (mark ?i)) (true (turn ?p)) (square ?i))
        (<= (legal ?p wait) (role ?p) (not (true (turn ?p))))
        (<= (next (has ?p ?i)) (does ?p (mark ?i)))
        (<= (next (has ?p ?i)) (true (has ?p ?i)))
        (<= (next (turn ?q)) (true (turn ?p)) (other ?p ?q))
        (<= terminal (true (has ?p 1)) (true (has ?p 2)))
        (<= (goal ?p 50) (role ?p))";

    /// By phase: which facts its net asks for to say whether play is over.
    fn asked(rules: &str) -> Vec<Vec<String>> {
        asked_from(rules, &[])
    }

    /// The same, with these facts true at first, too.
    fn asked_from(rules: &str, first: &[&str]) -> Vec<Vec<String>> {
        let game = Game::from_kif("test", rules).expect("a rulesheet");
        let symbols = game.symbols.clone();
        let mut net = Net::of_game(game, &Budget::default()).expect("it is small");
        for fluent in &net.fluents {
            if first.contains(&fluent.fact.spelled(&symbols).to_string().as_str()) {
                let Operation::Latch(latch) = net.operation(fluent.signal.gate()) else { continue };
                net.latches[latch.index()].initial = true;
            }
        }
        let phase_nets = PhaseNets::around(&net, &Meter::unlimited()).expect("no limit");
        let facts = |phase_nets: &Net| {
            let reached = phase_nets.reached([phase_nets.terminal].into_iter());
            let is_asked = |signal: Signal| {
                matches!(phase_nets.operation(signal.gate()), Operation::Latch(_))
                    && reached[signal.gate().index()]
            };
            let read = phase_nets.fluents.iter().filter(|fluent| is_asked(fluent.signal));
            let mut names: Vec<String> =
                read.map(|fluent| fluent.fact.spelled(&symbols).to_string()).collect();
            names.sort_unstable();
            names
        };
        phase_nets.nets.iter().map(facts).collect()
    }

    #[test]
    fn a_phase_asks_for_what_the_last_move_may_have_ended() {
        let of = |player: &str| [1, 2].map(|place| format!("(has {player} {place})")).to_vec();
        assert_eq!(asked(ROWS), [of("o"), of("x")]);
    }

    #[test]
    fn what_a_move_may_bring_about_is_asked_for() {
        // A move of either player may give the other one a square.
        let gives = "(<= (next (has ?q 1)) (does ?p (mark 3)) (other ?p ?q))";
        let both = [["(has o 1)", "(has o 2)"], ["(has x 1)", "(has x 2)"]].concat();
        assert_eq!(asked(&format!("{ROWS} {gives}")), [both.clone(), both.clone()]);
        // That it is somebody's turn was not so before.
        let turn = ROWS.replace("(<= terminal", "(<= terminal (true (turn ?p))");
        assert_eq!(asked(&turn), [both[2..].to_vec(), both[..2].to_vec()]);
        // Play that is over when it begins excludes no state.
        let first = ["(has x 1)", "(has x 2)"];
        assert_eq!(asked_from(ROWS, &first), [both.clone(), both]);
    }
}
