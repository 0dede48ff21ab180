//! Random nets, played by changes and by definition.

use super::circuit::Circuit;
use super::propagate::Scratch;
use super::unrolled::Unrolled;
use crate::net::evaluate;
use crate::net::{Goal, Net, Operation, Signal, Tuning};
use fixedbitset::FixedBitSet;
use gdlr_engine::engine::{MoveId, RoleId};
use gdlr_rules::gdl::{Game, SymbolTable, Term};
use gdlr_text::budget::Budget;
use gdlr_text::decisions::{Decisions, Part, Quantity};
use rand::seq::{IndexedRandom, IteratorRandom};
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

const LATCHES: usize = 9;
const MOVES: usize = 5;
const ROLES: u16 = 2;

/// The bounds that ship, and small ones, in turn.
fn tuning(number: usize) -> Tuning {
    if number.is_multiple_of(2) { Tuning::default() } else { Tuning::small() }
}

fn latch(net: &Net, place: usize) -> Signal {
    Signal::of(net.latches[place].gate)
}

fn input(net: &Net, role: usize, place: usize) -> Signal {
    Signal::of(net.inputs[role * MOVES + place].gate)
}

fn pick(signals: &[Signal], random: &mut impl Rng) -> Signal {
    signals.choose(random).expect("there are signals").negated_if(random.random_ratio(1, 3))
}

fn grow(net: &mut Net, signals: &mut Vec<Signal>, gates: usize, random: &mut impl Rng) {
    for _ in 0..gates {
        let operands: Vec<Signal> =
            (0..random.random_range(1..4)).map(|_| pick(signals, random)).collect();
        let operation = if random.random() { Operation::And } else { Operation::Or };
        signals.push(net.add(operation, &operands));
    }
}

fn feedback(net: &mut Net, signals: &mut Vec<Signal>, random: &mut impl Rng) {
    let knot = net.knot();
    let way = net.add(Operation::And, &[knot, pick(signals, random)]);
    let other = net.add(Operation::Or, &[way, pick(signals, random)]);
    let back = net.add(Operation::And, &[other, pick(signals, random)]);
    net.tie(knot, &[back, pick(signals, random)]);
    signals.extend([knot, way, other]);
}

/// A random net of a game in which two roles take turns, or play at the same time; the
/// third latch is one more phase. Each role can always do its first move, or when it is
/// not its turn.
fn net(random: &mut impl Rng) -> Net {
    let mut net = Net::new(LATCHES, usize::from(ROLES) * MOVES, ROLES);
    let takes_turns = random.random();
    let may_pass = random.random_ratio(1, 4);
    let mut signals: Vec<Signal> = (0..LATCHES).map(|place| latch(&net, place)).collect();
    grow(&mut net, &mut signals, 10, random);
    if random.random_ratio(1, 3) {
        feedback(&mut net, &mut signals, random);
        grow(&mut net, &mut signals, 5, random);
    }
    for role in 0..usize::from(ROLES) {
        for place in 0..MOVES {
            let mut operands = vec![pick(&signals, random)];
            if takes_turns {
                operands.push(latch(&net, role));
            }
            let legal = match (place, takes_turns) {
                (0, _) if may_pass => Signal::TRUE,
                (0, false) => Signal::TRUE,
                (0, true) => !latch(&net, role),
                (1, true) => latch(&net, role),
                _ => net.add(Operation::And, &operands),
            };
            let input = &mut net.inputs[role * MOVES + place];
            (input.role, input.term, input.legal) = (RoleId(role as u16), place as u32, legal);
        }
    }
    net.terminal = pick(&signals, random);
    let mut symbols = SymbolTable::new(false);
    let value = Term::Constant(symbols.intern("100").expect("few symbols"));
    grow(&mut net, &mut signals, 5, random);
    net.goals = (0..ROLES)
        .map(|role| (RoleId(role), pick(&signals, random)))
        .map(|(role, signal)| Goal { role, value: value.clone(), signal })
        .collect();
    for role in 0..usize::from(ROLES) {
        signals.extend((0..MOVES).map(|place| input(&net, role, place)));
    }
    grow(&mut net, &mut signals, 15, random);
    if random.random_ratio(1, 8) {
        net.terminal = pick(&signals, random);
    }
    if random.random_ratio(1, 3) {
        feedback(&mut net, &mut signals, random);
    }
    for place in 0..LATCHES {
        let own = latch(&net, place);
        let change = pick(&signals, random);
        let stay = net.add(Operation::And, &[own, !pick(&signals, random)]);
        let next = match random.random_range(0..4) {
            0 => change,
            1 => stay,
            _ => net.add(Operation::Or, &[change, stay]),
        };
        net.latches[place].next = next;
        net.latches[place].initial = random.random();
    }
    if takes_turns {
        net.latches[0].next = latch(&net, 1);
        net.latches[1].next = latch(&net, 0);
        (net.latches[0].initial, net.latches[1].initial) = (true, false);
        net.exclusive = vec![vec![latch(&net, 0), latch(&net, 1)]];
    }
    net
}

fn is_true(values: &[bool], signal: Signal) -> bool {
    values[signal.gate().index()] != signal.is_negated()
}

fn bits(latches: &[bool]) -> FixedBitSet {
    let mut bits = FixedBitSet::with_capacity(latches.len());
    latches.iter().enumerate().for_each(|(place, &value)| bits.set(place, value));
    bits
}

/// The legal inputs of a state, having compared all that is asked about it.
fn check(net: &Net, circuit: &Circuit, scratch: &mut Scratch, latches: &[bool]) -> Vec<usize> {
    let values = evaluate(net, latches, &vec![false; net.inputs.len()]);
    assert_eq!(scratch.bits, bits(latches).as_slice());
    assert_eq!(scratch.terminal, is_true(&values, net.terminal));
    scratch.know_goals(circuit);
    for (goal, source) in net.goals.iter().zip(&circuit.goals) {
        assert_eq!(scratch.read(*source), is_true(&values, goal.signal));
    }
    let legal = |&place: &usize| is_true(&values, net.inputs[place].legal);
    let legal: Vec<usize> = (0..net.inputs.len()).filter(legal).collect();
    for role in 0..usize::from(ROLES) {
        let mut moves = Vec::new();
        scratch.legal(circuit, role, &mut moves);
        let of_role = legal.iter().filter(|&&place| net.inputs[place].role.index() == role);
        let expected: Vec<MoveId> = of_role.map(|&place| MoveId(place as u32)).collect();
        assert_eq!(moves, expected);
    }
    for place in 0..net.inputs.len() {
        assert_eq!(scratch.is_legal(circuit, place as u32), legal.contains(&place));
    }
    legal
}

/// Plays at random, by definition and by changes, and goes back to states that were seen.
fn play(net: &Net, circuit: &Circuit, random: &mut Xoshiro256PlusPlus) {
    let mut scratch = Scratch::new(circuit);
    let mut latches: Vec<bool> = net.latches.iter().map(|latch| latch.initial).collect();
    let mut seen = vec![latches.clone()];
    scratch.enter(circuit, &bits(&latches));
    for _ in 0..30 {
        if random.random_ratio(1, 6) {
            latches.clone_from(seen.choose(random).expect("the initial state"));
            scratch.enter(circuit, &bits(&latches));
        }
        let legal = check(net, circuit, &mut scratch, &latches);
        let mut inputs = vec![false; net.inputs.len()];
        for role in 0..usize::from(ROLES) {
            let of_role = legal.iter().filter(|&&place| net.inputs[place].role.index() == role);
            let chosen = *of_role.choose(random).expect("a legal move");
            inputs[chosen] = true;
            scratch.joint[role] = chosen as u32;
        }
        let values = evaluate(net, &latches, &inputs);
        latches = net.latches.iter().map(|latch| is_true(&values, latch.next)).collect();
        seen.push(latches.clone());
        scratch.step(circuit);
    }
    check(net, circuit, &mut scratch, &latches);
}

#[test]
fn random_nets_are_played_as_defined() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let no_limit = gdlr_text::budget::Meter::unlimited();
    let mut with_phases = 0;
    for number in 0..1500 {
        let net = net(&mut random);
        let circuit = Circuit::new(&net, &tuning(number), &no_limit, &mut Decisions::default());
        let circuit = circuit.expect("no limit");
        with_phases += usize::from(circuit.phases > 1);
        play(&net, &circuit, &mut random);
    }
    assert!(with_phases > 100, "{with_phases} nets with phases");
}

/// The effects of moves, taken apart move by move and computed as they are made, as far as can be.
#[test]
fn effects_on_demand_are_as_defined() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(2);
    let no_limit = gdlr_text::budget::Meter::unlimited();
    let (mut apart, mut on_demand) = (0, 0);
    let outputs = |unrolled: &Unrolled| {
        let frames = unrolled.copies.iter().flat_map(|copy| &copy.frames);
        frames.filter(|f| !f.set.is_constant() || !f.keep.is_constant()).count()
    };
    for number in 0..3000 {
        let net = net(&mut random);
        let unrolled = match number % 2 {
            0 => Unrolled::single(&net, &no_limit),
            _ => {
                let decisions = &mut Decisions::default();
                Unrolled::for_play(&net, &tuning(number / 2), &no_limit, decisions)
            }
        };
        let unrolled = unrolled.expect("no limit");
        let by_move = unrolled.clone().by_move(&net, &no_limit).expect("no limit");
        apart += usize::from(outputs(&by_move) < outputs(&unrolled));
        for unrolled in [unrolled, by_move] {
            let unrolled = unrolled.all_on_demand();
            let circuit = Circuit::of(&net, &unrolled, &no_limit).expect("no limit");
            on_demand += usize::from(!circuit.effect_gates.is_empty());
            play(&net, &circuit, &mut random);
        }
    }
    assert!(apart > 300, "{apart} nets taken apart");
    assert!(on_demand > 500, "{on_demand} circuits with gates on demand");
}

/// In amazons an indicator tells a move from a shot.
#[test]
#[cfg_attr(miri, ignore = "takes long")]
fn modes_that_a_sign_tells_apart_are_played_as_defined() {
    let game = Game::from_kif("amazons", include_str!("../../../../kif/amazons.kif"));
    let net = Net::of_game(game.expect("it is bundled"), &Budget::default());
    let net = net.expect("it is small");
    let no_limit = gdlr_text::budget::Meter::unlimited();
    let mut decisions = Decisions::default();
    let circuit = Circuit::new(&net, &Tuning::default(), &no_limit, &mut decisions);
    let circuit = circuit.expect("no limit");
    assert_eq!(circuit.phases, 4);
    // The decisions say so.
    let phases = decisions.of(Part::Net, "phases").expect("it is decided");
    assert_eq!(phases.chosen, "4");
    let [Quantity::Count(one), Quantity::Count(four)] = [0, 1].map(|at| phases.measured[at].value)
    else {
        panic!("{phases}")
    };
    assert!(10 * four <= 9 * one, "{phases}");
    play(&net, &circuit, &mut Xoshiro256PlusPlus::seed_from_u64(2));
}
