//! Working memory of the engine: counts, and how a change runs through them.

use super::circuit::{Circuit, Edge, LatchEffect, NO_COMPONENT, NO_NODE, Source, WORD};
use super::count::Count;
use super::queue::Queue;
use crate::engine::MoveId;
use fixedbitset::FixedBitSet;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

/// What is no input.
const NO_INPUT: u32 = u32::MAX;

/// Working memory of the engine `propnet`; speaks of one state.
#[derive(Clone, Debug)]
pub struct Scratch {
    counts: Vec<Count>,
    /// The words of the set of latches that are true. As a `FixedBitSet`, with its length to be
    /// asked for at every access, breakthrough takes 5 % more instructions a state and
    /// tic-tac-toe 3 %.
    pub(crate) bits: Vec<usize>,
    /// Those of the next state, while a step is made.
    next: Vec<usize>,
    /// Those of the outputs that are true, by mode.
    outputs: Vec<usize>,
    mode: usize,
    /// Whether the state is terminal: asked for several times a state.
    pub(crate) terminal: bool,
    /// By mode and role: the input that is chosen.
    chosen: Vec<u32>,
    /// By role: the input to be chosen.
    pub(crate) joint: Vec<u32>,
    /// Nodes that have changed, if they have not changed again: their readers are to be told.
    open: Queue,
    /// Likewise for each stage.
    later: Vec<Queue>,
    /// By component: what it has heard.
    news: Vec<News>,
    any_news: bool,
    goal_values: Vec<bool>,
    goals_known: bool,
}

/// What the members of a component have heard since they were computed.
#[derive(Clone, Debug, Default)]
struct News {
    /// Those that something outside made true.
    risen: Vec<u32>,
    /// Whether one that was true has lost an operand, so that it may be true for no reason but
    /// itself.
    fallen: bool,
}

impl Scratch {
    /// Memory in which every latch and input is false.
    pub(crate) fn new(circuit: &Circuit) -> Scratch {
        let mut scratch = Scratch {
            counts: circuit.resting.clone(),
            bits: vec![0; circuit.words],
            next: vec![0; circuit.words],
            outputs: vec![0; circuit.outputs / WORD],
            mode: 0,
            terminal: false,
            chosen: vec![NO_INPUT; circuit.modes * circuit.roles],
            joint: vec![NO_INPUT; circuit.roles],
            open: Queue::default(),
            later: vec![Queue::default(); circuit.last_stage as usize + 1],
            news: vec![News { risen: Vec::new(), fallen: true }; circuit.components.len()],
            any_news: !circuit.components.is_empty(),
            goal_values: vec![false; circuit.goal_gates.len()],
            goals_known: false,
        };
        // No latch or input is among them: these rest at -1.
        for node in (0..circuit.resting.len()).filter(|&node| circuit.resting[node].value()) {
            if node < circuit.outputs {
                scratch.output(node);
            } else if circuit.stages.is_empty() {
                scratch.open.push(node as u32);
            } else if circuit.component_of[node] == NO_COMPONENT {
                scratch.later[circuit.stages[node] as usize].push(node as u32);
            }
        }
        scratch.settle(circuit);
        scratch
    }

    /// The value of a signal that does not belong to goals.
    pub(crate) fn read(&self, source: Source) -> bool {
        match source {
            Source::Constant(value) => value,
            Source::Node(node, negated) => self.counts[node as usize].value() != negated,
            Source::Goal(place, negated) => self.goal_values[place as usize] != negated,
        }
    }

    /// The words of outputs of the present mode.
    fn mode_outputs(&self, circuit: &Circuit) -> &[usize] {
        let words = circuit.mode_words();
        &self.outputs[self.mode * words..(self.mode + 1) * words]
    }

    /// Adds the legal moves of a role to a list.
    pub(crate) fn legal(&self, circuit: &Circuit, role: usize, moves: &mut Vec<MoveId>) {
        let range = circuit.move_words[role] as usize..circuit.move_words[role + 1] as usize;
        let numbers = &circuit.moves[WORD * range.start..];
        let (numbers, _) = numbers.as_chunks::<WORD>();
        for (&word, numbers) in self.mode_outputs(circuit)[range].iter().zip(numbers) {
            let mut rest = word;
            let start = moves.len();
            moves.resize(start + word.count_ones() as usize, MoveId(0));
            for id in &mut moves[start..] {
                // There is a bit; that the last one is set saves a test.
                *id = numbers[(rest | 1 << (WORD - 1)).trailing_zeros() as usize];
                rest &= rest.wrapping_sub(1);
            }
        }
    }

    /// One of the legal moves of a role, each with the same chance.
    pub(crate) fn random_legal(
        &self,
        circuit: &Circuit,
        role: usize,
        rng: &mut Xoshiro256PlusPlus,
    ) -> Option<MoveId> {
        let range = circuit.move_words[role] as usize..circuit.move_words[role + 1] as usize;
        let words = &self.mode_outputs(circuit)[range.clone()];
        let mut left = match words.iter().map(|word| word.count_ones()).sum() {
            0 => return None,
            1 => 0,
            count => rng.random_range(0..count as usize) as u32,
        };
        for (place, &word) in range.zip(words) {
            if left < word.count_ones() {
                let rest = (0..left).fold(word, |rest, _| rest & (rest - 1));
                return Some(circuit.moves[WORD * place + rest.trailing_zeros() as usize]);
            }
            left -= word.count_ones();
        }
        None
    }

    /// Whether an input is legal.
    pub(crate) fn is_legal(&self, circuit: &Circuit, input: u32) -> bool {
        let bit = circuit.move_bits[input as usize];
        self.mode_outputs(circuit)[bit as usize / WORD] >> (bit as usize % WORD) & 1 == 1
    }

    /// Makes the scratch speak of the state with these bits.
    pub(crate) fn enter(&mut self, circuit: &Circuit, bits: &FixedBitSet) {
        self.next.copy_from_slice(bits.as_slice());
        self.advance(circuit);
    }

    /// Makes the next state the present one.
    fn advance(&mut self, circuit: &Circuit) {
        for word in 0..self.bits.len() {
            let bits = self.next[word];
            let mut changed = std::mem::replace(&mut self.bits[word], bits) ^ bits;
            while changed != 0 {
                let bit = changed.trailing_zeros() as usize;
                changed &= changed - 1;
                let node = circuit.first_latch + word * WORD + bit;
                self.set(circuit, node as u32, bits >> bit & 1 == 1);
            }
        }
        self.settle(circuit);
        self.mode = circuit.mode(&self.bits);
        self.terminal = self.read(circuit.terminal[self.mode]);
    }

    /// Sets a latch or an input.
    fn set(&mut self, circuit: &Circuit, node: u32, value: bool) {
        self.counts[node as usize].set(value);
        match circuit.stages.is_empty() {
            true => self.open.push(node),
            false => self.later[0].push(node),
        }
    }

    /// Plays the joint move, one input a role, all of them legal.
    pub(crate) fn step(&mut self, circuit: &Circuit) {
        let first = self.mode * circuit.inputs;
        for role in 0..circuit.roles {
            let input = self.joint[role];
            let chosen = &mut self.chosen[self.mode * circuit.roles + role];
            let before = std::mem::replace(chosen, input);
            if before != input {
                if before != NO_INPUT {
                    self.choose(circuit, first + before as usize, false);
                }
                self.choose(circuit, first + input as usize, true);
            }
        }
        self.settle(circuit);
        self.know_effects(circuit);
        self.find_next(circuit);
        self.advance(circuit);
    }

    /// Computes what only the effects of the moves depend on that are made.
    fn know_effects(&mut self, circuit: &Circuit) {
        let first = self.mode * circuit.inputs;
        for &input in &self.joint {
            for &place in circuit.effect_gates_of.of(first + input as usize) {
                let gate = circuit.effect_gates[place as usize];
                let is_true = |edge: &Edge| self.counts[edge.node()].value() != edge.is_negated();
                let mut operands = circuit.effect_operands.of(place as usize).iter();
                let value = if gate.any { operands.any(is_true) } else { operands.all(is_true) };
                self.counts[gate.node as usize].set(value);
            }
        }
    }

    fn choose(&mut self, circuit: &Circuit, input: usize, value: bool) {
        let node = circuit.input_nodes[input];
        if node != NO_NODE {
            self.set(circuit, node, value);
        }
    }

    /// Computes the bits of the next state.
    fn find_next(&mut self, circuit: &Circuit) {
        let Scratch { counts, bits, next, outputs, .. } = self;
        let frames = &outputs[(self.mode + 1) * circuit.mode_words() - 2 * circuit.words..];
        let (set, keep) = frames.split_at(circuit.words);
        for (next, (bits, keep)) in next.iter_mut().zip(bits.iter().zip(keep)) {
            *next = bits & keep;
        }
        let first = self.mode * circuit.inputs;
        let happens = |effect: &LatchEffect| {
            let is_true = counts[effect.condition.node()].value();
            usize::from(is_true != effect.condition.is_negated()) << (effect.latch as usize % WORD)
        };
        for &input in &self.joint {
            for effect in circuit.clears.of(first + input as usize) {
                next[effect.latch as usize / WORD] &= !happens(effect);
            }
        }
        for (next, set) in next.iter_mut().zip(set) {
            *next |= set;
        }
        for &input in &self.joint {
            for effect in circuit.sets.of(first + input as usize) {
                next[effect.latch as usize / WORD] |= happens(effect);
            }
        }
    }

    /// Tells all readers of all changes, until nothing changes any more. What changed first is
    /// told first: all latches, then gates that read latches. So most gates are told of by when
    /// all that they read is settled, and what changed back by then is news to nobody.
    fn settle(&mut self, circuit: &Circuit) {
        self.goals_known = false;
        if circuit.stages.is_empty() {
            return self.settle_acyclic(circuit);
        }
        for stage in 0..=circuit.last_stage as usize {
            if self.any_news {
                self.components(circuit, stage);
            }
            let mut told = 0;
            while let Some(node) = self.later[stage].get(told) {
                told += 1;
                if self.counts[node as usize].tell() {
                    let rising = self.counts[node as usize].told();
                    for &edge in circuit.readers(node) {
                        self.tell(circuit, edge, rising);
                    }
                }
            }
            self.later[stage].clear();
        }
        self.any_news = false;
    }

    /// The same where there are no components. Gates seldom change; whether an output does is
    /// hard to predict, so nothing branches on it.
    fn settle_acyclic(&mut self, circuit: &Circuit) {
        let (counts, outputs) = (&mut self.counts[..], &mut self.outputs[..]);
        let open = &mut self.open;
        let mut told = 0;
        while let Some(node) = open.get(told) {
            told += 1;
            let own = &mut counts[node as usize];
            if !own.tell() {
                continue;
            }
            let rising = own.told();
            for &edge in circuit.output_readers(node) {
                let changed = counts[edge.node()].add(rising != edge.is_negated());
                outputs[edge.node() / WORD] ^= usize::from(changed) << (edge.node() % WORD);
            }
            open.add_changed(circuit.gate_readers(node).iter().map(|edge| {
                let changed = counts[edge.node()].add(rising != edge.is_negated());
                (edge.node() as u32, changed)
            }));
        }
        open.clear();
    }

    /// Tells a reader of a change, where there are stages.
    fn tell(&mut self, circuit: &Circuit, edge: Edge, rising: bool) {
        let node = edge.node();
        let more = rising != edge.is_negated();
        let count = &mut self.counts[node];
        let changed = count.add(more);
        if node < circuit.outputs {
            if changed {
                self.output(node);
            }
        } else if circuit.component_of[node] != NO_COMPONENT {
            let news = &mut self.news[circuit.component_of[node] as usize];
            if more && changed {
                news.risen.push(node as u32);
                self.any_news = true;
            } else if !more && count.told() {
                news.fallen = true;
                self.any_news = true;
            }
        } else if changed {
            self.later[circuit.stages[node] as usize].push(node as u32);
        }
    }

    /// Computes the components of a stage, where something they read has changed.
    fn components(&mut self, circuit: &Circuit, stage: usize) {
        for &number in &circuit.components_of_stage[stage] {
            let news = &mut self.news[number as usize];
            if std::mem::take(&mut news.fallen) {
                news.risen.clear();
                self.begin_again(circuit, number);
            } else if !news.risen.is_empty() {
                let mut open = std::mem::take(&mut news.risen);
                self.go_on(circuit, number, &mut open);
                self.news[number as usize].risen = open;
            }
        }
    }

    /// Finds what else is true in a component, now that these members are: nothing has become
    /// less, so what was true still is.
    fn go_on(&mut self, circuit: &Circuit, number: u32, open: &mut Vec<u32>) {
        while let Some(node) = open.pop() {
            if !self.counts[node as usize].tell() {
                continue;
            }
            for &edge in circuit.readers(node) {
                if circuit.component_of[edge.node()] != number {
                    self.tell(circuit, edge, true);
                } else if self.counts[edge.node()].add(true) {
                    open.push(edge.node() as u32);
                }
            }
        }
    }

    /// Computes the least fixpoint of a component from nothing.
    fn begin_again(&mut self, circuit: &Circuit, number: u32) {
        let members = &circuit.components[number as usize];
        let inside = |edge: &&Edge| circuit.component_of[edge.node()] == number;
        for &node in members {
            if self.counts[node as usize].told() {
                for &edge in circuit.readers(node).iter().filter(inside) {
                    self.counts[edge.node()].add(false);
                }
            }
        }
        // All members are false now; what follows from outside comes in, then more.
        let mut open = std::mem::take(&mut self.news[number as usize].risen);
        open.extend(members.iter().filter(|&&node| self.counts[node as usize].value()));
        while let Some(node) = open.pop() {
            for &edge in circuit.readers(node).iter().filter(inside) {
                if self.counts[edge.node()].add(true) {
                    open.push(edge.node() as u32);
                }
            }
        }
        self.news[number as usize].risen = open;
        for &node in members {
            if self.counts[node as usize].tell() {
                let value = self.counts[node as usize].value();
                for &edge in circuit.readers(node).iter().filter(|edge| !inside(edge)) {
                    self.tell(circuit, edge, value);
                }
            }
        }
    }

    /// An output has changed.
    #[inline]
    fn output(&mut self, node: usize) {
        self.outputs[node / WORD] ^= 1 << (node % WORD);
    }

    /// Computes what only goals depend on.
    pub(crate) fn know_goals(&mut self, circuit: &Circuit) {
        if std::mem::replace(&mut self.goals_known, true) {
            return;
        }
        for (place, gate) in circuit.goal_gates.iter().enumerate() {
            let mut operands = gate.operands.iter();
            self.goal_values[place] = match gate.any {
                true => operands.any(|&source| self.read(source)),
                false => operands.all(|&source| self.read(source)),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use crate::engine::RoleId;
    use crate::gdl::{Game, SymbolTable, Term};
    use crate::net::evaluate;
    use crate::net::{Goal, Net, Operation, Signal, Unrolled};
    use rand::seq::{IndexedRandom, IteratorRandom};
    use rand::{Rng, RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    const LATCHES: usize = 9;
    const MOVES: usize = 5;
    const ROLES: u16 = 2;

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
        let no_limit = crate::budget::Meter::unlimited();
        let mut with_modes = 0;
        for _ in 0..1500 {
            let net = net(&mut random);
            let circuit = Circuit::new(&net, &no_limit).expect("no limit");
            with_modes += usize::from(circuit.modes > 1);
            play(&net, &circuit, &mut random);
        }
        assert!(with_modes > 100, "{with_modes} nets with modes");
    }

    /// What moves do, taken apart move by move and computed as they are made, as far as can be.
    #[test]
    fn effects_on_demand_are_as_defined() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(2);
        let no_limit = crate::budget::Meter::unlimited();
        let (mut apart, mut on_demand) = (0, 0);
        let outputs = |unrolled: &Unrolled| {
            let frames = unrolled.modes.iter().flat_map(|mode| &mode.frames);
            frames.filter(|f| !f.set.is_constant() || !f.keep.is_constant()).count()
        };
        for number in 0..3000 {
            let net = net(&mut random);
            let unrolled = match number % 2 {
                0 => Unrolled::single(&net, &no_limit),
                _ => Unrolled::for_play(&net, &no_limit),
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

    /// In amazons a sign tells a move from a shot.
    #[test]
    #[cfg_attr(miri, ignore = "takes long")]
    fn modes_that_a_sign_tells_apart_are_played_as_defined() {
        let game = Game::from_kif("amazons", include_str!("../../kif/amazons.kif"));
        let net = Net::of_game(game.expect("it is bundled"), &Budget::default());
        let net = net.expect("it is small");
        let circuit = Circuit::new(&net, &crate::budget::Meter::unlimited()).expect("no limit");
        assert_eq!(circuit.modes, 4);
        play(&net, &circuit, &mut Xoshiro256PlusPlus::seed_from_u64(2));
    }
}
