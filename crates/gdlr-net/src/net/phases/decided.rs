//! Phases that moves decide about: who captures a piece may capture again.
//!
//! Where a latch says whose turn it is, the moves of all others are gone as soon as it is known,
//! and what these would do, whether or not phases go round. Games of a batch are then not all in
//! the same phase; those in another one wait.
//!
//! ```text
//! lane 1   white      white, who captures again   black
//! lane 2   white      (waits)                     black
//! ```

use super::activity::Activity;
use super::cycle::MOST_PHASES;
use super::movers::movers;
use super::{Indicator, Phases};
use crate::net::gates::{LatchId, Net, Operation, Signal};
use gdlr_text::budget::{Exhausted, Meter};

/// The phases of the roles that choose, if latches tell whose it is, and one for the states in which
/// it is nobody's unless there are none. Linear in the net, for every 32 latches.
///
/// # Errors
///
/// When the budget is exhausted.
pub(super) fn decided(net: &Net, meter: &Meter<'_>) -> Result<Option<Phases>, Exhausted> {
    let mut moves = vec![0; usize::from(net.roles)];
    net.inputs.iter().for_each(|input| moves[usize::from(input.role.0)] += 1);
    let choosing: Vec<u16> = (0..net.roles).filter(|&role| moves[usize::from(role)] > 1).collect();
    if !(2..MOST_PHASES).contains(&choosing.len()) {
        return Ok(None);
    }
    let Some(movers) = movers(net, &[], &choosing, meter)? else { return Ok(None) };
    let signals: Vec<Signal> = movers.iter().map(|mover| mover.turn).collect();
    Ok(of_signals(net, &signals))
}

/// The phases in which one of some signals is true, of which no two ever are together.
fn of_signals(net: &Net, signals: &[Signal]) -> Option<Phases> {
    let latch = |signal: Signal| match net.operation(signal.gate()) {
        Operation::Latch(latch) if !signal.is_negated() => Some(latch),
        _ => None,
    };
    if let &[one, other] = signals
        && one == !other
    {
        let turns = latch(one).or(latch(other))?;
        return Some(phases(net, &[turns], vec![vec![true], vec![false]]));
    }
    let turns: Vec<LatchId> = signals.iter().map(|&signal| latch(signal)).collect::<Option<_>>()?;
    let covers = |group: &Vec<Signal>| group.iter().all(|signal| signals.contains(signal));
    let count = turns.len() + usize::from(!net.covering.iter().any(covers));
    let values = (0..count).map(|phase| (0..turns.len()).map(|at| at == phase).collect());
    Some(phases(net, &turns, values.collect()))
}

/// The phases with these values of some latches; the initial one is the first.
fn phases(net: &Net, turns: &[LatchId], mut values: Vec<Vec<bool>>) -> Phases {
    let initial = turns.iter().map(|latch| net.latches[latch.index()].initial);
    let initial: Vec<bool> = initial.collect();
    if let Some(first) = values.iter().position(|values| *values == initial) {
        values.swap(0, first);
    }
    let indicators = turns.iter().map(|&latch| Indicator::of_latch(net, latch)).collect();
    let over = match net.operation(net.terminal.gate()) {
        Operation::Latch(end) if !turns.contains(&end) => Some((end, !net.terminal.is_negated())),
        _ => None,
    };
    Phases { latches: Vec::new(), indicators, values, over }
}

/// By phase: how often its net is computed for each step of a game, if phases that games are in
/// follow each other as they are numbered. Found out by a short random play; linear in the net for
/// each of its steps.
///
/// # Errors
///
/// When the budget is exhausted.
pub(super) fn frequencies(
    net: &Net,
    phases: &Phases,
    meter: &Meter<'_>,
) -> Result<Vec<f64>, Exhausted> {
    let steps: Vec<(usize, usize)> = Activity::of(net, meter)?.follow(phases).collect();
    let is_met = |phase| steps.iter().any(|&(from, _)| from == phase);
    let met: Vec<bool> = (0..phases.count()).map(is_met).collect();
    let passed = |&(from, to): &(usize, usize)| {
        let count = (to + phases.count() - from - 1) % phases.count() + 1;
        (1..=count).filter(|ahead| met[(from + ahead) % phases.count()]).count()
    };
    let passed: usize = steps.iter().map(passed).sum();
    let each = met.iter().filter(|&&met| met).count() * steps.len();
    let often = passed as f64 / each.max(1) as f64;
    Ok(met.into_iter().map(|met| if met { often } else { 0.0 }).collect())
}

/// A game for tests in which moves decide whose turn it is. Players put things until there is one at each
/// place; who puts one at the second goes on.
#[cfg(any(test, feature = "testing"))]
pub const GOES_ON: &str = "(role x) (role o) (init (turn x)) (after x o) (after o x)
    (place 1) (place 2) (place 3) (place 4)
    (<= (legal ?p (put ?i)) (true (turn ?p)) (place ?i) (not (true (thing ?i))))
    (<= (legal ?p wait) (role ?p) (not (true (turn ?p))))
    (<= (next (thing ?i)) (does ?p (put ?i)))
    (<= (next (thing ?i)) (true (thing ?i)))
    (<= (next (turn ?q)) (does ?p (put ?i)) (distinct ?i 2) (after ?p ?q))
    (<= (next (turn ?p)) (does ?p (put 2)))
    (<= terminal (true (thing 1)) (true (thing 2)) (true (thing 3)) (true (thing 4)))
    (<= (goal ?p 50) (role ?p))";

// Grounding takes long under Miri, and nothing here is unsafe.
#[cfg(all(test, not(miri)))]
mod tests {
    use super::*;
    use gdlr_rules::gdl::Game;
    use gdlr_text::budget::Budget;

    fn net(rules: &str) -> Net {
        let game = Game::from_kif("test", rules).expect("a rulesheet");
        Net::of_game(game, &Budget::default()).expect("it is small")
    }

    fn phases_of(net: &Net) -> Option<Phases> {
        decided(net, &Meter::unlimited()).expect("no limit")
    }

    #[test]
    fn a_latch_and_its_complement_are_two_phases() {
        let net = net(GOES_ON);
        assert_eq!(Phases::around(&net, &Meter::unlimited()).expect("no limit").count(), 1);
        let phases = phases_of(&net).expect("two phases");
        assert_eq!(phases.values.len(), 2);
        assert!(phases.latches.is_empty(), "its latch stays");
    }

    #[test]
    fn how_often_a_phase_is_computed() {
        let net = net(GOES_ON);
        let phases = phases_of(&net).expect("two phases");
        let often = frequencies(&net, &phases, &Meter::unlimited()).expect("no limit");
        // Of four moves the first three are followed by one, and one of them in four goes on; so
        // a step takes one round and a quarter, in which each of two phases is computed by half.
        let [one, other] = often[..] else { panic!("{often:?}") };
        assert!(one == other && (1.1..1.45).contains(&(one + other)), "{often:?}");
    }

    #[test]
    fn one_of_three_players() {
        let rules = GOES_ON.replace("(after o x)", "(after o z) (after z x) (role z)");
        let net = net(&rules);
        let decided = phases_of(&net).expect("phases");
        // That nobody has the turn is excluded by a group of all three, or is a phase by itself.
        let [phases, indicators] = [decided.count(), decided.indicators.len()];
        assert!(indicators == 3 && (3..=4).contains(&phases), "{decided:?}");
    }

    #[test]
    fn a_phase_that_is_nobodys() {
        let rules = GOES_ON.replace("(after o x)", "(after o nobody)")
            + "(<= (next (turn x)) (true (turn nobody)))";
        let net = net(&rules);
        let phases = phases_of(&net).expect("three phases");
        assert_eq!(phases.values, [vec![true, false], vec![false, true], vec![false, false]]);
        assert_eq!(phases.over, None);
    }

    #[test]
    fn moves_of_all_at_once_are_no_phases() {
        let net = net(&GOES_ON.replace("(true (turn ?p)) (place ?i)", "(place ?i)"));
        assert_eq!(phases_of(&net), None);
        // One role alone.
        let alone = self::net(&GOES_ON.replace("(role o)", "").replace("(after x o)", ""));
        assert_eq!(phases_of(&alone), None);
    }
}
