//! Random nets for tests.

use crate::net::gates::{FluentBit, Goal, Net, Operation, Percept, Signal};
use gdlr_engine::engine::RoleId;
use gdlr_rules::gdl::{SymbolTable, Term};
use rand::seq::IndexedRandom;
use rand::{Rng, RngExt};
use std::sync::Arc;

/// Six latches have as many states as a word has bits.
pub(super) const LATCHES: usize = 6;
pub(super) const ROLES: u16 = 3;
const MOVES: usize = 5;

/// A random net: fluents, moves of three roles, legality, goals, feedback, exclusive groups.
pub fn net(random: &mut impl Rng) -> Net {
    let mut symbols = SymbolTable::new(false);
    let mut name = |text: String| Term::Constant(symbols.intern(&text).expect("few symbols"));
    let mut net = Net::new(LATCHES, usize::from(ROLES) * MOVES, ROLES);
    for place in 0..LATCHES {
        let signal = Signal::of(net.latches[place].gate);
        net.latches[place].initial = random.random();
        let args = [place % 2, place / 2].map(|arg| name(arg.to_string()));
        let Term::Constant(functor) = name("f".to_owned()) else { continue };
        net.fluents
            .push(FluentBit { fact: Arc::new(Term::Function(functor, args.into())), signal });
    }
    net.moves = Arc::new((0..MOVES).map(|place| name(format!("m{place}"))).collect());
    let mut signals: Vec<Signal> = net.latches.iter().map(|latch| Signal::of(latch.gate)).collect();
    signals.push(Signal::TRUE);
    if random.random_ratio(1, 4) {
        net.exclusive.push(signals[..3].to_vec());
    }
    if random.random_ratio(1, 4) {
        net.exclusive.push(vec![!signals[4], signals[2]]);
    }
    if random.random_ratio(1, 4) {
        net.covering.push(signals[..3].to_vec());
    }
    grow(&mut net, &mut signals, random);
    for place in 0..net.inputs.len() {
        net.inputs[place].role = RoleId((place / MOVES) as u16);
        net.inputs[place].term = (place % MOVES) as u32;
        net.inputs[place].legal = pick(&signals, random);
    }
    net.terminal = pick(&signals, random);
    net.goals = (0..ROLES)
        .map(|role| Goal {
            role: RoleId(role),
            value: name("100".to_owned()),
            signal: pick(&signals, random),
        })
        .collect();
    let inputs = net.inputs.iter().map(|input| Signal::of(input.gate));
    signals.extend(inputs.clone());
    signals.extend(inputs);
    grow(&mut net, &mut signals, random);
    grow(&mut net, &mut signals, random);
    for place in 0..LATCHES {
        net.latches[place].next = pick(&signals[signals.len() / 2..], random);
    }
    net.percepts = (0..ROLES)
        .map(|role| Percept {
            role: RoleId(role),
            term: name("seen".to_owned()),
            signal: pick(&signals[signals.len() / 2..], random),
        })
        .collect();
    net
}

fn pick(signals: &[Signal], random: &mut impl Rng) -> Signal {
    let signal = signals.choose(random).copied().unwrap_or(Signal::TRUE);
    signal.negated_if(random.random_ratio(1, 3))
}

/// Adds gates, and a part with feedback.
fn grow(net: &mut Net, signals: &mut Vec<Signal>, random: &mut impl Rng) {
    fn gate(net: &mut Net, random: &mut impl Rng, operands: &[Signal]) -> Signal {
        let operation = *[Operation::And, Operation::Or].choose(random).expect("one of two");
        net.add(operation, operands)
    }
    let plain = |net: &mut Net, signals: &mut Vec<Signal>, random: &mut _| {
        for _ in 0..12 {
            let count = Rng::next_u32(random) as usize % 5;
            let operands: Vec<Signal> = (0..count).map(|_| pick(signals, random)).collect();
            signals.push(gate(net, random, &operands));
        }
    };
    plain(net, signals, random);
    let mut cyclic: Vec<Signal> = (0..3).map(|_| net.knot()).collect();
    for _ in 0..5 {
        let mut operands: Vec<Signal> = (0..random.random_range(1..3))
            .map(|_| *cyclic.choose(random).expect("there are knots"))
            .collect();
        operands.push(pick(signals, random));
        cyclic.push(gate(net, random, &operands));
    }
    for knot in 0..3 {
        let mut operands = vec![*cyclic.choose(random).expect("there are knots")];
        if random.random() {
            operands.push(*cyclic.choose(random).expect("there are knots"));
            operands.push(pick(signals, random));
        }
        net.tie(cyclic[knot], &operands);
    }
    signals.extend(cyclic);
    plain(net, signals, random);
}
