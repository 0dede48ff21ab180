//! Code beside the loops that it stands for.

use super::choice::{Choice, MoveGroup};
use super::code::{Code, Source};
use super::lut3::{Lut3, MORE_SLOTS, Part, Slots, parts};
use super::push::Pushed;
use super::*;
#[cfg(feature = "cranelift")]
use super::{aarch64, checker::check, compiler::Compiler};
use crate::cycles::kept_slots;
use crate::layout::Moves;
use crate::plane::{Plane, memory};
use crate::program::{Program, Slot};
use crate::schedule::{Order, Schedule};
use crate::tests::PUT_AND_TAKE;
use crate::token::Token;
use crate::width::{AnyToken, with_width};
use crate::{Backend, Batch, Tuning, Width, WithoutCode};
use gdlr_engine::engine::{Engine, MoveId, RoleId};
use gdlr_engine::play::seeded;
use gdlr_net::net::{Net, Signal, random_net};
use gdlr_net::propnet::{Propnet, State};
use gdlr_rules::gdl::Game;
use gdlr_text::budget::{Budget, Meter};
use gdlr_text::decisions;
use rand::{Rng, RngExt};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::Arc;

/// Runs a test with planes of each width that has code here.
macro_rules! with_code {
    ($test:ident) => {
        for width in Width::ALL.into_iter().filter(|width| width.has_code()) {
            let token = width.token().expect("its code can be run");
            with_width!(AnyToken, token, token => $test(token, width));
        }
    };
}

/// The code of parts that use no slot from `free` on.
fn code_of(width: Width, parts: &[Part], free: usize, outputs: &[Slot]) -> Code {
    let source = Source { parts, free: free as Slot, program: None, outputs };
    Code::of_source(width, source).expect("it is available")
}

fn any_plane<P: Plane>(token: Token<P>, random: &mut impl Rng) -> P {
    let mut plane = token.none();
    plane.words_mut().iter_mut().for_each(|word| *word = random.random());
    plane
}

fn words<P: Plane>(memory: &[P], slot: Slot) -> Vec<u64> {
    memory[slot as usize].words().to_vec()
}

/// Computes a function as its table has it.
fn interpret<P: Plane>(function: &Lut3, memory: &mut [P]) {
    let mut value = memory[0].token().none();
    for lane in 0..P::LANES {
        let mut at = 0;
        for place in 0..3 {
            let slot = function.from().get(place);
            at = 2 * at + usize::from(slot.is_some_and(|&slot| memory[slot as usize].has(lane)));
        }
        value.put(lane, function.table >> at & 1 == 1);
    }
    memory[function.to as usize] = value;
}

fn run<P: Plane>(token: Token<P>, code: &Code, memory: &mut [P]) {
    code.run(token, &Program::default(), memory);
}

/// Some functions, how many slots they have, and which of them are read afterwards: few slots and many,
/// more than there are registers and than have short distances.
pub(super) fn random_functions(random: &mut impl Rng) -> (Vec<Lut3>, usize, Vec<Slot>) {
    let slots = [4, 20, 40, 100, 400, 5000][random.random_range(0..6)];
    let mut functions = Vec::new();
    for _ in 0..random.random_range(1..400) {
        let [to, a, b, c] = [(); 4].map(|()| random.random_range(1..slots) as Slot);
        let values: u8 = random.random();
        let table =
            move |a, b, c| values >> (4 * u8::from(a) + 2 * u8::from(b) + u8::from(c)) & 1 == 1;
        functions.push(match random.random_range(0..6) {
            0 => Lut3::of_one(to, a, |a| a),
            1 => Lut3::of_one(to, a, |a| table(a, false, false)),
            2 | 3 => Lut3::of_two(to, [a, b], |a, b| table(a, b, false)),
            _ => Lut3::of_three(to, [a, b, c], table),
        });
    }
    let outputs = (0..slots as Slot).filter(|_| random.random_bool(0.5)).collect();
    (functions, slots, outputs)
}

#[test]
fn functions_give_the_same_in_registers() {
    with_code!(functions_in_registers);
}

fn functions_in_registers<P: Plane>(token: Token<P>, width: Width) {
    for seed in 0..200 {
        let mut random = seeded(seed, 0);
        let (functions, slots, outputs) = random_functions(&mut random);
        let mut actual: Vec<P> =
            (0..slots + MORE_SLOTS).map(|_| any_plane(token, &mut random)).collect();
        actual[0] = token.all();
        let mut expected = actual.clone();
        functions.iter().for_each(|function| interpret(function, &mut expected));
        let parts = [Part::straight(functions)];
        run(token, &code_of(width, &parts, slots, &outputs), &mut actual);
        for &slot in &outputs {
            assert_eq!(words(&actual, slot), words(&expected, slot), "seed {seed}, slot {slot}");
        }
    }
}

/// Code that cannot be run here is read all the same.
#[test]
fn code_is_written_for_every_processor() {
    for seed in 0..100 {
        let mut random = seeded(seed, 4);
        let (functions, slots, outputs) = random_functions(&mut random);
        let straight = &[Part::straight(functions)];
        let free = slots as Slot;
        write_for_all(Source { parts: straight, free, program: None, outputs: &outputs });

        let net = random_net(&mut random);
        let next: Vec<Signal> = net.latches.iter().map(|latch| latch.next).collect();
        let sources = 1 + net.latches.len() + net.inputs.len();
        let fixed = sources + kept_slots(&net);
        let latch = |place: usize| 1 + place as Slot;
        let input = |place: usize| (1 + net.latches.len() + place) as Slot;
        let mut schedule = Schedule::new(&net, Order::Depth, latch, input, fixed, sources);
        let gates = schedule.plan(std::slice::from_ref(&next));
        let program = schedule.program(&gates[0]);
        let outputs: Vec<Slot> = next.iter().map(|&signal| schedule.read(signal).slot).collect();
        let free = schedule.size() as Slot;
        let parts = &parts(&program, free, &outputs);
        write_for_all(Source { parts, free, program: Some(&program), outputs: &outputs });
    }
}

/// Writes code for each kind of processor, whatever this one is, and checks it.
fn write_for_all(source: Source<'_>) {
    #[cfg(all(feature = "native", target_arch = "x86_64"))]
    for width in [Width::Avx2, Width::Avx512] {
        assert!(source.assemble(width).is_some());
    }
    #[cfg(feature = "cranelift")]
    {
        // Without the instructions that not all processors of this kind have.
        let compiler = compiler_for(std::env::consts::ARCH).expect("it is this processor");
        assert!(source.compile(compiler).is_some());
        if let Some(mut compiler) = compiler_for("aarch64") {
            let procedures = source.write(&mut compiler).expect("slots are few");
            check(source, procedures.size, |part, memory| {
                aarch64::run(&compiler.written[procedures.begins[part]], memory);
            });
        }
    }
}

/// A compiler for a kind of processors, if it is built for that: the feature `arm64` of `cranelift-codegen` adds
/// AArch64.
#[cfg(feature = "cranelift")]
fn compiler_for(kind: &str) -> Option<Compiler> {
    Compiler::with_instructions(cranelift_codegen::isa::lookup_by_name(kind).ok()?)
}

/// Parts that are passed over leave in their slots what was there.
#[test]
fn parts_are_passed_over_where_nothing_is_here() {
    with_code!(parts_passed_over);
}

fn parts_passed_over<P: Plane>(token: Token<P>, width: Width) {
    for seed in 0..200 {
        let mut random = seeded(seed, 3);
        let slots = [6, 50][random.random_range(0..2)];
        let slot = |random: &mut Xoshiro256PlusPlus| random.random_range(1..slots) as Slot;
        let mut parts = Vec::new();
        for _ in 0..random.random_range(1..8) {
            let mut functions = Vec::new();
            for _ in 0..random.random_range(0..20) {
                let [to, a, b] = [(); 3].map(|()| slot(&mut random));
                functions.push(match random.random_range(0..3) {
                    0 => Lut3::never(to),
                    1 => Lut3::of_two(to, [a, b], |a, b| a && !b),
                    _ => Lut3::of_two(to, [a, b], |a, b| a != b),
                });
            }
            let here = [None, Some(slot(&mut random))][random.random_range(0..2)];
            parts.push(Part { functions, here, feedback: None });
        }
        let outputs: Vec<Slot> = (0..3).map(|_| slot(&mut random)).collect();
        let mut actual: Vec<P> = memory(token, slots + MORE_SLOTS);
        actual[1..].fill_with(|| match random.random_bool(0.5) {
            true => any_plane(token, &mut random),
            false => token.none(),
        });
        let mut expected = actual.clone();
        for Part { functions, here, .. } in &parts {
            if here.is_none_or(|here| !expected[here as usize].is_zero()) {
                functions.iter().for_each(|function| interpret(function, &mut expected));
            }
        }
        run(token, &code_of(width, &parts, slots, &outputs), &mut actual);
        for &slot in &outputs {
            assert_eq!(words(&actual, slot), words(&expected, slot), "seed {seed}, slot {slot}");
        }
    }
}

/// A latch may become what a move is, without a gate between.
#[test]
fn a_move_that_is_passed_over_is_not_made() {
    with_code!(move_passed_over);
}

fn move_passed_over<P: Plane>(token: Token<P>, width: Width) {
    let (here, does) = (1, 2);
    let functions = vec![Lut3::of_one(does, here, |here| here)];
    let actual = vec![MoveGroup { here: Some(here), functions, does: vec![does] }];
    let pushed = Pushed::new(&Program::default(), actual, &[does, here], &mut Slots::from(3));
    let pushed = pushed.expect("it is a sum of one");
    let next = pushed.place(does);
    assert_eq!(pushed.place(here), here);
    let free = next as usize + 1;
    let code = code_of(width, &pushed.parts, free, &[next]);
    let mut memory: Vec<P> = memory(token, free + MORE_SLOTS);
    for is_here in [true, false, true, false].map(|is_here| token.all_if(is_here)) {
        memory[here as usize] = is_here;
        run(token, &code, &mut memory);
        assert_eq!(words(&memory, next), is_here.words());
    }
}

/// Nets with gates that depend on each other, whose values stay from one time to the next.
#[test]
fn programs_give_the_same_as_code() {
    with_code!(programs_as_code);
}

fn programs_as_code<P: Plane>(token: Token<P>, width: Width) {
    for seed in 0..600 {
        let mut random = seeded(seed, 1);
        let net = random_net(&mut random);
        let legal = net.inputs.iter().map(|input| input.legal);
        let state: Vec<Signal> = [net.terminal].into_iter().chain(legal).collect();
        let next: Vec<Signal> = net.latches.iter().map(|latch| latch.next).collect();
        let latches = net.latches.len();
        let sources = 1 + latches + net.inputs.len();
        let fixed = sources + kept_slots(&net);
        let latch = |place: usize| 1 + place as Slot;
        let input = |place: usize| (1 + latches + place) as Slot;
        let mut schedule = Schedule::new(&net, Order::Depth, latch, input, fixed, sources);
        let gates = schedule.plan(&[state.clone(), next.clone()]);
        let slots_of = |schedule: &Schedule<'_>, signals: &[Signal]| -> Vec<Slot> {
            signals.iter().map(|&signal| schedule.read(signal).slot).collect()
        };
        let first = schedule.program(&gates[0]);
        let of_state = slots_of(&schedule, &state);
        state.iter().for_each(|&signal| schedule.release(signal));
        let second = schedule.program(&gates[1]);
        let of_next = slots_of(&schedule, &next);

        let mut read = of_state.clone();
        read.extend(&of_next);
        second.visit(|slot, is_written| {
            if !is_written {
                read.push(slot);
            }
        });
        let (mut first_code, mut second_code) = (first.clone(), second.clone());
        let free = schedule.size() as Slot;
        compile(width, &mut first_code, free, &read);
        let size = compile(width, &mut second_code, free, &of_next);
        assert!(first_code.code.is_some() && second_code.code.is_some());
        let mut actual: Vec<P> = memory(token, size);
        let mut expected = actual.clone();
        for round in 0..10 {
            for slot in 1..sources {
                // Some fall, some rise, most stay as they are.
                let other = any_plane(token, &mut random).and(any_plane(token, &mut random));
                actual[slot] = actual[slot].xor(other);
                expected[slot] = actual[slot];
            }
            first_code.execute(token, &mut actual);
            first.execute(token, &mut expected);
            for &slot in &of_state {
                let at = format!("net {seed}, round {round}, slot {slot}");
                assert_eq!(words(&actual, slot), words(&expected, slot), "{at}");
            }
            second_code.execute(token, &mut actual);
            second.execute(token, &mut expected);
            for &slot in &of_next {
                let at = format!("net {seed}, round {round}, slot {slot} of the next state");
                assert_eq!(words(&actual, slot), words(&expected, slot), "{at}");
            }
        }
    }
}

/// The move with the number that was drawn is found, among all legal ones or few of them.
#[test]
fn a_choice_finds_the_move_with_a_number() {
    with_code!(choice_of_a_number);
}

fn choice_of_a_number<P: Plane>(token: Token<P>, width: Width) {
    for moves in (2..70).chain([127, 128, 129, 300, 1000]) {
        let mut random = seeded(moves as u64, 2);
        // The same slot may say of several moves whether they are legal.
        let legal: Vec<Slot> = (0..moves).map(|_| random.random_range(1..=moves) as Slot).collect();
        let does = 1 + moves as Slot;
        let mut slots = Slots::from(does + moves as Slot);
        let moves_of_role = Moves { legal: legal.clone().into(), does, rows: 0, columns: 0 };
        let choice = Choice::new(&moves_of_role, &mut slots);
        let parts = choice.find(&moves_of_role, &mut slots);
        let find =
            parts.iter().flat_map(|MoveGroup { functions, .. }| functions).copied().collect();
        let Choice { count, total, kept, number, any, .. } = choice;
        let size = slots.end as usize;
        let counted: Vec<Slot> = kept.iter().chain(&total).copied().collect();
        let actual: Vec<Slot> = (does..).take(moves).collect();
        let code = |functions, outputs: &[Slot]| {
            code_of(width, &[Part::straight(functions)], size, outputs)
        };
        let (count, find) = (code(count, &counted), code(find, &actual));
        let mut memory: Vec<P> = memory(token, size + MORE_SLOTS);
        for density in [0, 1, 3] {
            for plane in &mut memory[1..does as usize] {
                *plane = any_plane(token, &mut random);
                for _ in 0..density {
                    *plane = plane.and(any_plane(token, &mut random));
                }
            }
            run(token, &count, &mut memory);
            let mut expected = Vec::new();
            let value = |memory: &[P], lane: usize| {
                let bits = total.iter().rev();
                bits.fold(0, |value, &bit| 2 * value + usize::from(memory[bit as usize].has(lane)))
            };
            for lane in 0..P::LANES {
                let here: Vec<usize> =
                    (0..moves).filter(|&place| memory[legal[place] as usize].has(lane)).collect();
                assert_eq!(value(&memory, lane), here.len(), "{moves} moves, lane {lane}");
                let drawn = if here.is_empty() { 0 } else { random.random_range(0..here.len()) };
                for (bit, &slot) in number.iter().enumerate() {
                    memory[slot as usize].put(lane, drawn >> bit & 1 == 1);
                }
                memory[any as usize].put(lane, !here.is_empty());
                expected.push(here.get(drawn).copied());
            }
            run(token, &find, &mut memory);
            for (lane, &expected) in expected.iter().enumerate() {
                let actual: Vec<usize> =
                    (0..moves).filter(|&place| memory[does as usize + place].has(lane)).collect();
                assert_eq!(actual, Vec::from_iter(expected), "{moves} moves, lane {lane}");
            }
        }
    }
}

/// The same seed gives the same playouts, whatever makes them.
#[test]
fn games_are_played_the_same_as_code() {
    // More rows and columns than are found one by one.
    let more = (9..=16).map(|place| format!("(place {place})")).collect::<String>();
    let put_and_take = PUT_AND_TAKE.replace("(place 9)", &more);
    let games = [
        ("tictactoe", include_str!("../../../../kif/tictactoe.kif")),
        ("connect4", include_str!("../../../../kif/connect4.kif")),
        ("hex", include_str!("../../../../kif/hex.kif")),
        ("draughts", include_str!("../../../../kif/draughts.kif")),
        ("light_cycles", include_str!("../../../../kif/light_cycles.kif")),
        ("rock_paper_scissors", include_str!("../../../../kif/rock_paper_scissors.kif")),
        ("dice_race", include_str!("../../../../kif/dice_race.kif")),
        ("put_and_take", PUT_AND_TAKE),
        ("put_and_take_more", &put_and_take),
    ];
    let widths = Width::ALL.into_iter().filter(|width| width.has_code());
    let mut passed_over = 0;
    let each = widths.flat_map(|width| games.map(|game| (width, game)));
    let tunings = [Tuning::default(), Tuning::small()];
    for (tuning, (width, (name, rules))) in
        each.flat_map(|each| tunings.map(|tuning| (tuning, each)))
    {
        let game = Arc::new(Game::from_kif(name, rules).expect("a rulesheet"));
        let net = Net::of_game(game.clone(), &Budget::default()).expect("it is small");
        let engine = Propnet::of_net(game.clone(), net.clone());
        let code = Batch::tuned(width, &tuning, game, net, &Meter::unlimited()).expect("no limit");
        let finds = code.played.phases.iter().flat_map(|phase| &phase.code).any(StepCode::finds);
        let decision =
            code.decisions().of(decisions::Part::Batch, "passing over").expect("it is made");
        assert_eq!(decision.chosen != "never", finds, "{name}: {decision}");
        assert!(!finds || tuning != Tuning::default(), "{name} has few moves");
        passed_over += usize::from(finds);
        let has_code = |batch: &Batch| {
            let phases = &batch.played.phases;
            phases.iter().all(|phase| phase.code.is_some())
                && batch.played.goals.whole.program.code.is_some()
        };
        let loops = code.clone().by_loops();
        assert_eq!(loops.backend(), Backend::Loops(WithoutCode::Wish));
        assert!(has_code(&code) && !has_code(&loops), "{name}, {width:?}");
        // Of the initial state code knows the latches, of others it does not.
        let states = [engine.initial().clone(), after_a_move(&engine)];
        let mut scratches = [&code, &loops].map(Batch::scratch);
        for (seed, state) in (0..4).zip(states.iter().cycle()) {
            let [one, other] = &mut scratches;
            let actual = code.rollouts(one, state, 3000, seed);
            let expected = loops.rollouts(other, state, 3000, seed);
            assert_eq!(actual, expected, "{name}, {width:?}, seed {seed}");
        }
    }
    let has_code = Width::ALL.into_iter().any(|width| width.has_code());
    assert_eq!(passed_over > 0, has_code, "moves are passed over where code is made");
}

/// The state after the first legal moves.
fn after_a_move(engine: &Propnet) -> State {
    let mut scratch = engine.scratch();
    engine.enter(&mut scratch, engine.initial());
    let mut random = seeded(0, 5);
    let roles = 0..engine.net().roles;
    let legal =
        |role| engine.random_legal(&mut scratch, RoleId(role), &mut Vec::new(), &mut random);
    let joint: Vec<MoveId> = roles.map(legal).map(|chosen| chosen.unwrap().unwrap()).collect();
    engine.step(&mut scratch, &joint).expect("legal moves");
    engine.state(&scratch)
}
