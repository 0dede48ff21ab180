//! Facts that a net shows at once about a state of a game for one role.
//!
//! * Which states differ in nothing but how much time has passed: latches that no move can
//!   ever influence are left out of [`Insight::key`].
//! * How near a state is to the best goal ([`Insight::closeness`]): the gates that say whether it
//!   is reached are computed with truth values between false and true, as in fuzzy logic (after
//!   Schiffel and Thielscher, *Fluxplayer*, 2007): And is the mean of its operands, Or the
//!   greatest, Not is taken inwards to the latches. Of a conjunction that is the share that is
//!   fulfilled.

use fixedbitset::FixedBitSet;
use gdlr_engine::engine::{RoleId, seeded};
use gdlr_net::net::{GateId, Net, Operation, Signal};
use gdlr_net::propnet::State;
use gdlr_rules::gdl::SymbolTable;
use gdlr_text::graph::reached;
use rand::RngExt;

/// A signal that a goal depends on; operands by their places in the cone.
enum Fuzzy {
    Constant(f32),
    /// A latch, and whether it is to be false.
    Latch(u32, bool),
    All(Vec<u32>),
    Any(Vec<u32>),
}

/// The properties of states that a net shows.
pub(super) struct Insight {
    /// By latch: what it changes in the key of a state; nothing, if it only tells the time.
    keys: Vec<u64>,
    /// The gates on which the best goal depends, each behind its operands, and the goal itself as the last.
    cone: Vec<Fuzzy>,
}

impl Insight {
    /// The properties that a net shows of the goals of a role. Linear in the net, for each of the latches
    /// that are found to depend on others in turn.
    pub fn new(net: &Net, role: RoleId, symbols: &SymbolTable) -> Insight {
        let timeless = influenced(net);
        let mut rng = seeded(0, 0);
        let mut key = |latch: usize| if timeless.contains(latch) { rng.random() } else { 0 };
        let keys = (0..net.latches.len()).map(&mut key).collect();
        let goals = net.goals.iter().filter(|goal| goal.role == role);
        let best = goals.max_by_key(|goal| goal.points(symbols)).map(|goal| goal.signal);
        Insight { keys, cone: best.map_or_else(Vec::new, |goal| fuzzy(net, goal)) }
    }

    /// Whether some latches only tell the time.
    pub fn tells_time(&self) -> bool {
        self.keys.contains(&0)
    }

    /// Almost certainly different for states that differ in more than the time.
    pub fn key(&self, state: &State) -> u64 {
        state.true_latches().fold(0, |key, latch| key ^ self.keys[latch])
    }

    /// How near the best goal is, from 0 to 1. `values` is memory to use. Linear in what the
    /// goal depends on.
    pub fn closeness(&self, state: &State, values: &mut Vec<f32>) -> f32 {
        values.clear();
        for fuzzy in &self.cone {
            let value = |&at: &u32| values[at as usize];
            let value = match fuzzy {
                Fuzzy::Constant(value) => *value,
                Fuzzy::Latch(latch, negated) => {
                    f32::from(u8::from(state.latch(*latch) != *negated))
                }
                Fuzzy::All(operands) => {
                    operands.iter().map(value).sum::<f32>() / operands.len().max(1) as f32
                }
                Fuzzy::Any(operands) => operands.iter().map(value).fold(0.0, f32::max),
            };
            values.push(value);
        }
        values.last().copied().unwrap_or_default()
    }
}

/// The gates on which a signal depends, itself as the last.
fn fuzzy(net: &Net, goal: Signal) -> Vec<Fuzzy> {
    let number = |signal: Signal| 2 * signal.gate().index() + usize::from(signal.is_negated());
    let reached_nodes = reached(2 * net.len(), [number(goal)], |at: usize| {
        let operands = net.operands(GateId((at / 2) as u32)).iter();
        operands.map(move |&operand| number(operand.negated_if(at % 2 == 1)))
    });
    let mut place = vec![u32::MAX; 2 * net.len()];
    let mut cone = Vec::new();
    for at in (0..reached_nodes.len()).filter(|&at| reached_nodes[at]) {
        let (gate, negated) = (GateId((at / 2) as u32), at % 2 == 1);
        let operand = |&operand: &Signal| {
            // A knot that is not computed yet is left out.
            Some(place[number(operand.negated_if(negated))]).filter(|&at| at != u32::MAX)
        };
        let operands = || net.operands(gate).iter().filter_map(operand).collect();
        let one = match (net.operation(gate), negated) {
            (Operation::True, negated) => Fuzzy::Constant(f32::from(u8::from(!negated))),
            (Operation::Input(_), _) => Fuzzy::Constant(0.0),
            (Operation::Latch(latch), negated) => Fuzzy::Latch(latch.0, negated),
            (Operation::And, false) | (Operation::Or, true) => Fuzzy::All(operands()),
            (Operation::Or, false) | (Operation::And, true) => Fuzzy::Any(operands()),
        };
        place[at] = cone.len() as u32;
        cone.push(one);
    }
    cone.truncate(place[number(goal)] as usize + 1);
    cone
}

/// The gates that a signal depends on, its own included.
fn cone(net: &Net, signal: Signal) -> FixedBitSet {
    let operands = |gate: GateId| net.operands(gate).iter().map(|operand| operand.gate());
    let reached_nodes = reached(net.len(), [signal.gate()], operands);
    (0..reached_nodes.len()).filter(|&gate| reached_nodes[gate]).collect()
}

/// The latches that a move can influence, at once or later.
fn influenced(net: &Net) -> FixedBitSet {
    let mut reached_nodes = FixedBitSet::with_capacity(net.latches.len());
    let cones: Vec<FixedBitSet> = net.latches.iter().map(|latch| cone(net, latch.next)).collect();
    loop {
        let before = reached_nodes.count_ones(..);
        for (latch, cone) in cones.iter().enumerate() {
            let depends = cone.ones().any(|gate| match net.operation(GateId(gate as u32)) {
                Operation::Input(_) => true,
                Operation::Latch(latch) => reached_nodes.contains(latch.index()),
                _ => false,
            });
            reached_nodes.set(latch, depends || reached_nodes.contains(latch));
        }
        if reached_nodes.count_ones(..) == before {
            return reached_nodes;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gdlr_engine::engine::Engine;
    use gdlr_net::ground::Budget;
    use gdlr_net::propnet::Propnet;
    use gdlr_rules::gdl::Game;

    /// Three lamps, one of which is switched each step, of four.
    const LAMPS: &str = "(role a) (lamp 1) (lamp 2) (lamp 3) (init (off 1)) (init (off 2))
        (init (off 3)) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
        (<= (legal a (switch ?l)) (lamp ?l))
        (<= (next (on ?l)) (does a (switch ?l)) (true (off ?l)))
        (<= (next (off ?l)) (does a (switch ?l)) (true (on ?l)))
        (<= (next (on ?l)) (true (on ?l)) (not (does a (switch ?l))))
        (<= (next (off ?l)) (true (off ?l)) (not (does a (switch ?l))))
        (<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))
        (<= terminal (true (step 4)))
        (<= won (true (on 1)) (true (on 2)) (true (on 3)))
        (<= (goal a 100) won) (<= (goal a 0) (not won))";

    #[test]
    fn closeness_is_the_share_that_is_fulfilled_and_keys_leave_out_the_time() {
        let game = Game::from_kif("lamps", LAMPS).expect("a rulesheet");
        let engine = Propnet::new(game, &Budget::default()).expect("a net");
        let insight = Insight::new(engine.net(), RoleId(0), engine.symbols());
        assert!(insight.tells_time());
        let (mut scratch, mut values, mut moves) = (engine.scratch(), Vec::new(), Vec::new());
        let mut seen = Vec::new();
        // On, on, off, on: the states after one and three steps differ in the time only.
        for lamp in [0, 1, 1, 2] {
            let state = engine.state(&scratch);
            seen.push((insight.closeness(&state, &mut values), insight.key(&state)));
            engine.legal(&mut scratch, RoleId(0), &mut moves).expect("moves");
            engine.step(&mut scratch, &moves[lamp..=lamp]).expect("a step");
        }
        let closeness: Vec<f32> = seen.iter().map(|(closeness, _)| 3.0 * closeness).collect();
        let near = |(a, b): (&f32, f32)| (a - b).abs() < 1e-5;
        assert!(closeness.iter().zip([0.0, 1.0, 2.0, 1.0]).all(near), "{closeness:?}");
        let keys: Vec<u64> = seen.iter().map(|(_, key)| *key).collect();
        assert_eq!(keys[1], keys[3]);
        assert!(keys[0] != keys[1] && keys[1] != keys[2] && keys[0] != keys[2]);
    }
}
