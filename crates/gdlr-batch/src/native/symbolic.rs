//! Translation validation: whether every value is where the allocation of registers says, told by names
//! of values.
//!
//! Functions are computed on names in place of values, and so are the instructions that were written for
//! them, before they are encoded. The name of a value is made of a function's table and the names of what it
//! reads, in one normal form; so values with the same name are the same whatever the lanes hold. What is
//! read afterwards must have the same name in both memories. This is how the checker of the allocator
//! regalloc2 works (C. Fallin, *Cranelift, Part 3: Correctness in Register Allocation*, 2021). The
//! checker of tests computes encoded instructions on some random bits; this one stands for all bits, and
//! runs wherever code is made by a build with debug assertions.
//!
//! ```text
//! function    instructions        register 0    slot 3
//! 3 = 1 ∧ 2   copy 0 ← slot 1     first 1       first 3
//!             and  0 ← 0, slot 2  1 ∧ 2
//!             store slot 3 ← 0                  1 ∧ 2
//! ```
//!
//! A part that may be passed over leaves a value of which both ways are known. One that is computed again and
//! again begins with names of its own for what is carried from one round to the next, and must end with
//! that in its place.

use super::lut3::{FeedbackLoop, Part};
use super::mapping::{A, B, Operation};
use super::target::{Location, Register, Target};
use crate::program::{Program, Slot, TRUE};
use hashbrown::{HashMap, HashSet};

/// An instruction as it was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Instruction {
    Clear(Register),
    Copy(Register, Location),
    Store(Slot, Register),
    Binary(Operation, Register, Register, Location),
    Lut3(Register, Register, Location, u8),
}

/// Writes what is written for another target, and keeps it.
pub(super) struct Log<'t, T> {
    target: &'t mut T,
    /// By procedure.
    pub procedures: Vec<Vec<Instruction>>,
}

impl<'t, T: Target> Log<'t, T> {
    /// Nothing was written yet.
    pub fn new(target: &'t mut T) -> Self {
        Log { target, procedures: Vec::new() }
    }

    fn keep(&mut self, instruction: Instruction) {
        self.procedures.last_mut().expect("a procedure has begun").push(instruction);
    }
}

impl<T: Target> Target for Log<'_, T> {
    fn registers(&self) -> usize {
        self.target.registers()
    }

    fn has_lut3(&self) -> bool {
        self.target.has_lut3()
    }

    fn begin(&mut self) -> usize {
        self.procedures.push(Vec::new());
        self.target.begin()
    }

    fn clear(&mut self, to: Register) {
        self.keep(Instruction::Clear(to));
        self.target.clear(to);
    }

    fn copy(&mut self, to: Register, from: Location) {
        self.keep(Instruction::Copy(to, from));
        self.target.copy(to, from);
    }

    fn store(&mut self, slot: Slot, from: Register) {
        self.keep(Instruction::Store(slot, from));
        self.target.store(slot, from);
    }

    fn binary(&mut self, operation: Operation, to: Register, first: Register, second: Location) {
        self.keep(Instruction::Binary(operation, to, first, second));
        self.target.binary(operation, to, first, second);
    }

    fn lut3(&mut self, first: Register, second: Register, third: Location, table: u8) {
        self.keep(Instruction::Lut3(first, second, third, table));
        self.target.lut3(first, second, third, table);
    }

    fn end(&mut self) {
        self.target.end();
    }
}

/// No target has more registers.
const REGISTERS: usize = 32;

/// The defect of the instructions of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wrong {
    /// A slot has not the value that is read of it; the part is the one before which it should be there.
    Slot { slot: Slot, part: usize },
    /// A slot is written that no function of the part writes.
    Written { slot: Slot, part: usize },
}

/// Checks the instructions of parts, after which `outputs` are read.
///
/// # Errors
///
/// The first defect.
pub(super) fn check(
    parts: &[Part],
    program: Option<&Program>,
    outputs: &[Slot],
    slots: usize,
    procedures: &[Vec<Instruction>],
) -> Result<(), Wrong> {
    let mut names = Names::default();
    let expected: Vec<Name> = (0..slots as Slot).map(|slot| names.first(slot)).collect();
    let mut memories = Memories { found: expected.clone(), expected, part: 0 };
    for (at, (part, procedure)) in parts.iter().zip(procedures).enumerate() {
        memories.part = at;
        match (&part.feedback, part.here) {
            (Some(feedback), _) => {
                memories.repeat(feedback, part, program, procedure, &mut names)?;
            }
            (None, None) => memories.run(part, procedure, &mut names)?,
            (None, Some(here)) => {
                memories.same(here)?;
                let written: HashSet<Slot> = part.functions.iter().map(|of| of.to).collect();
                let passed = written.iter().map(|&slot| (slot, memories.at(slot)));
                let passed: Vec<(Slot, [Name; 2])> = passed.collect();
                memories.run(part, procedure, &mut names)?;
                for (slot, passed) in passed {
                    let taken = memories.at(slot);
                    let both = [0, 1].map(|of| names.either(at, taken[of], passed[of]));
                    memories.put(slot, both);
                }
            }
        }
    }
    memories.part = parts.len();
    outputs.iter().try_for_each(|&slot| memories.same(slot))
}

/// A value, by its number among all that were named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Name(u32);

/// The value that is false in all lanes.
const NEVER: Name = Name(0);
/// The value that is true in all lanes.
const ALWAYS: Name = Name(1);

/// A symbolic value.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Value {
    /// That of a slot at first.
    First(Slot),
    /// A function of others, the lowest names first, on each of which it depends: its table is that of as
    /// many operands as there are.
    Of([Option<Name>; 3], u8),
    /// The first one if a part was not passed over, else the second one.
    Either(usize, [Name; 2]),
    /// That of a slot where a part begins that is computed again and again: before the first round.
    Begun(usize, Slot),
    /// The same, before any round.
    Carried(usize, Slot),
    /// The same, where nobody has seen to it that the value of the last round is there.
    Left(usize, Slot),
    /// That of a register to which a part has written nothing.
    Register(usize, u8),
}

/// All values that have a name.
#[derive(Default)]
struct Names {
    of: HashMap<Value, Name>,
}

impl Names {
    fn name(&mut self, value: Value) -> Name {
        let next = Name(2 + self.of.len() as u32);
        *self.of.entry(value).or_insert(next)
    }

    fn first(&mut self, slot: Slot) -> Name {
        if slot == TRUE { ALWAYS } else { self.name(Value::First(slot)) }
    }

    fn either(&mut self, part: usize, taken: Name, passed: Name) -> Name {
        if taken == passed { taken } else { self.name(Value::Either(part, [taken, passed])) }
    }

    /// The value of a function, by its table of three operands.
    fn function(&mut self, of: [Name; 3], table: u8) -> Name {
        let mut from: Vec<Name> = of.into_iter().filter(|&name| name > ALWAYS).collect();
        from.sort_unstable();
        from.dedup();
        // `given` has a bit for each of them.
        let value = |from: &[Name], given: usize| {
            let bit = |name: Name| match from.iter().position(|&other| other == name) {
                Some(place) => given >> place & 1,
                None => usize::from(name == ALWAYS),
            };
            table >> of.iter().fold(0, |at, &name| 2 * at + bit(name)) & 1 == 1
        };
        let depends = |place: &usize| {
            let all = 0..1usize << from.len();
            all.into_iter().any(|given| value(&from, given) != value(&from, given ^ 1 << place))
        };
        let places: Vec<usize> = (0..from.len()).filter(depends).collect();
        let given = |at: usize| {
            let bits = places.iter().enumerate();
            bits.fold(0, |given, (bit, place)| given | (at >> bit & 1) << place)
        };
        let all = 0..1usize << places.len();
        let table = all.filter(|&at| value(&from, given(at))).map(|at| 1u8 << at).sum();
        match (&places[..], table) {
            ([], 0) => NEVER,
            ([], _) => ALWAYS,
            (&[one], 0b10) => from[one],
            _ => {
                let mut read = [None; 3];
                read.iter_mut().zip(&places).for_each(|(read, &at)| *read = Some(from[at]));
                self.name(Value::Of(read, table))
            }
        }
    }
}

/// The contents of slots: as functions define them, and as instructions leave them.
struct Memories {
    expected: Vec<Name>,
    found: Vec<Name>,
    /// The part at hand.
    part: usize,
}

impl Memories {
    fn at(&self, slot: Slot) -> [Name; 2] {
        [&self.expected, &self.found].map(|memory| memory[slot as usize])
    }

    fn put(&mut self, slot: Slot, [expected, found]: [Name; 2]) {
        self.expected[slot as usize] = expected;
        self.found[slot as usize] = found;
    }

    /// Sees to it that a slot is as expected.
    fn same(&self, slot: Slot) -> Result<(), Wrong> {
        let [expected, found] = self.at(slot);
        let wrong = Wrong::Slot { slot, part: self.part };
        if expected == found { Ok(()) } else { Err(wrong) }
    }

    /// Computes the functions of a part, and its instructions.
    fn run(
        &mut self,
        part: &Part,
        procedure: &[Instruction],
        names: &mut Names,
    ) -> Result<(), Wrong> {
        let mut written = HashSet::new();
        for function in &part.functions {
            let mut of = [NEVER; 3];
            for (name, &slot) in of.iter_mut().zip(function.from()) {
                *name = self.expected[slot as usize];
            }
            self.expected[function.to as usize] = names.function(of, function.table);
            written.insert(function.to);
        }
        let (found, part) = (&mut self.found, self.part);
        let mut registers: [Name; REGISTERS] =
            std::array::from_fn(|at| names.name(Value::Register(part, at as u8)));
        for &instruction in procedure {
            let read = |place: Location| match place {
                Location::Register(register) => registers[usize::from(register.0)],
                Location::Slot(slot) => found[slot as usize],
            };
            let (to, value) = match instruction {
                Instruction::Clear(to) => (to, NEVER),
                Instruction::Copy(to, from) => (to, read(from)),
                Instruction::Store(slot, _) if !written.contains(&slot) => {
                    return Err(Wrong::Written { slot, part });
                }
                Instruction::Store(slot, from) => {
                    found[slot as usize] = read(Location::Register(from));
                    continue;
                }
                Instruction::Binary(operation, to, first, second) => {
                    let of = [read(Location::Register(first)), read(second), NEVER];
                    (to, names.function(of, operation.of(A, B)))
                }
                Instruction::Lut3(first, second, third, table) => {
                    let [a, b] = [first, second].map(Location::Register);
                    (first, names.function([read(a), read(b), read(third)], table))
                }
            };
            registers[usize::from(to.0)] = value;
        }
        Ok(())
    }

    /// Computes a part that is computed again and again: any round of it.
    fn repeat(
        &mut self,
        feedback: &FeedbackLoop,
        part: &Part,
        program: Option<&Program>,
        procedure: &[Instruction],
        names: &mut Names,
    ) -> Result<(), Wrong> {
        let at = self.part;
        let program = program.expect("what depends on itself is in a program");
        let fixpoint = program.blocks()[feedback.block].fixpoint();
        let own: &[Slot] = fixpoint.map_or(&[], |fixpoint| &fixpoint.own);
        own.iter().try_for_each(|&slot| self.same(slot))?;
        for read in fixpoint.iter().flat_map(|fixpoint| &fixpoint.read) {
            self.same(read.operand.slot)?;
            self.same(read.kept)?;
            self.put(read.kept, [names.name(Value::Begun(at, read.kept)); 2]);
        }
        for function in &part.functions {
            let carried = names.name(Value::Carried(at, function.to));
            let left = names.name(Value::Left(at, function.to));
            self.put(function.to, [carried, left]);
        }
        for &slot in own {
            self.put(slot, [names.name(Value::Carried(at, slot)); 2]);
        }
        self.run(part, procedure, names)?;
        own.iter().chain([&feedback.changed]).try_for_each(|&slot| self.same(slot))
    }
}

#[cfg(test)]
mod tests {
    use super::super::checker::of_table;
    use super::super::lut3::{Lut3, MORE_SLOTS, parts, table};
    use super::super::mapping::{BETWEEN, map};
    use super::super::registers;
    use super::super::tests::random_functions;
    use super::*;
    use crate::program::{Fixpoint, Operand, Remembered, Shape};
    use gdlr_engine::play::seeded;
    use gdlr_net::net;
    use rand::{Rng, RngExt};

    /// Writes nothing.
    struct Nothing {
        registers: usize,
        has_lut3: bool,
    }

    impl Target for Nothing {
        fn registers(&self) -> usize {
            self.registers
        }

        fn has_lut3(&self) -> bool {
            self.has_lut3
        }

        fn begin(&mut self) -> usize {
            0
        }

        fn clear(&mut self, _: Register) {}
        fn copy(&mut self, _: Register, _: Location) {}
        fn store(&mut self, _: Slot, _: Register) {}
        fn binary(&mut self, _: Operation, _: Register, _: Register, _: Location) {}
        fn lut3(&mut self, _: Register, _: Register, _: Location, _: u8) {}
        fn end(&mut self) {}
    }

    #[test]
    fn a_value_has_one_name() {
        let mut names = Names::default();
        let [a, b, c] = [1, 2, 3].map(|slot| names.first(slot));
        let of = |of: &dyn Fn(bool, bool, bool) -> bool| table(of);
        let both = names.function([a, b, NEVER], of(&|a, b, _| a && b));
        assert_eq!(names.function([b, a, a], of(&|b, a, _| a && b)), both);
        assert_eq!(names.function([a, ALWAYS, b], of(&|a, all, b| a && b && all)), both);
        assert_eq!(names.function([c, a, b], of(&|_, a, b| a && b)), both);
        assert_ne!(names.function([a, c, NEVER], of(&|a, c, _| a && c)), both);
        assert_ne!(names.function([a, b, NEVER], of(&|a, b, _| a || b)), both);
        assert_eq!(names.function([a, a, b], of(&|a, also, _| a && also)), a);
        assert_eq!(names.function([a, a, b], of(&|a, also, _| a != also)), NEVER);
        assert_eq!(names.function([a, a, b], of(&|a, also, _| a == also)), ALWAYS);
        let difference = names.function([a, b, NEVER], of(&|a, b, _| a && !b));
        assert_eq!(names.function([b, a, NEVER], of(&|b, a, _| a && !b)), difference);
        assert_ne!(names.function([b, a, NEVER], of(&|a, b, _| a && !b)), difference);
    }

    /// Parts, how many slots they have, and which of them are read afterwards.
    fn random_parts(random: &mut impl Rng, has_lut3: bool) -> (Vec<Part>, usize, Vec<Slot>) {
        let (functions, slots, outputs) = random_functions(random);
        let mut parts = Vec::new();
        let mut rest = &functions[..];
        while !rest.is_empty() {
            let (some, others) = rest.split_at(random.random_range(1..=rest.len()));
            let here = random.random_bool(0.5).then(|| random.random_range(1..slots) as Slot);
            parts.push(Part { functions: some.to_vec(), here, feedback: None });
            rest = others;
        }
        match has_lut3 {
            true => (parts, slots, outputs),
            false => (map(&parts, slots as Slot), slots + BETWEEN, outputs),
        }
    }

    /// Computes functions or instructions of parts on words, and passes over some of them.
    fn compute(
        parts: &[Part],
        memory: &mut [u64],
        random: &mut impl Rng,
        mut each: impl FnMut(usize, &mut [u64], &mut dyn FnMut() -> u64),
    ) {
        for (at, part) in parts.iter().enumerate() {
            let seed: u64 = random.random();
            if part.here.is_none() || seed.is_multiple_of(2) {
                let mut other = seeded(seed, 1);
                each(at, memory, &mut || other.random());
            }
        }
    }

    fn interpret(functions: &[Lut3], memory: &mut [u64]) {
        for function in functions {
            let mut from = [0; 3];
            for (value, &slot) in from.iter_mut().zip(function.from()) {
                *value = memory[slot as usize];
            }
            memory[function.to as usize] = of_table(function.table, from);
        }
    }

    /// Nothing is in a register where a procedure begins.
    fn execute(procedure: &[Instruction], memory: &mut [u64], anything: &mut dyn FnMut() -> u64) {
        let mut registers = [(); REGISTERS].map(|()| anything());
        for &instruction in procedure {
            let read = |place: Location| match place {
                Location::Register(register) => registers[usize::from(register.0)],
                Location::Slot(slot) => memory[slot as usize],
            };
            let (to, value) = match instruction {
                Instruction::Clear(to) => (to, 0),
                Instruction::Copy(to, from) => (to, read(from)),
                Instruction::Store(slot, from) => {
                    memory[slot as usize] = read(Location::Register(from));
                    continue;
                }
                Instruction::Binary(operation, to, first, second) => {
                    let of = [read(Location::Register(first)), read(second), 0];
                    (to, of_table(operation.of(A, B), of))
                }
                Instruction::Lut3(first, second, third, table) => {
                    let [a, b] = [first, second].map(|of| read(Location::Register(of)));
                    (first, of_table(table, [a, b, read(third)]))
                }
            };
            registers[usize::from(to.0)] = value;
        }
    }

    /// Changes an instruction: a register, a slot, a table, or that it is there.
    fn mutate(procedures: &mut [Vec<Instruction>], slots: usize, random: &mut impl Rng) {
        let with_some: Vec<usize> =
            (0..procedures.len()).filter(|&at| !procedures[at].is_empty()).collect();
        let Some(&at) = with_some.get(random.random_range(0..with_some.len().max(1))) else {
            return;
        };
        let procedure = &mut procedures[at];
        let place = random.random_range(0..procedure.len());
        if random.random_bool(0.2) {
            procedure.remove(place);
            return;
        }
        if random.random_bool(0.2) {
            let other = random.random_range(0..procedure.len());
            procedure.swap(place, other);
            return;
        }
        let slot = random.random_range(0..slots) as Slot;
        let mut any = || Register(random.random_range(0..4));
        let [one, other] = [any(), any()];
        let places = [Location::Register(other), Location::Slot(slot)];
        let second = places[random.random_range(0..2)];
        procedure[place] = match procedure[place] {
            Instruction::Clear(_) => Instruction::Clear(one),
            Instruction::Copy(to, _) if one.0 == 0 => Instruction::Copy(to, second),
            Instruction::Copy(_, from) => Instruction::Copy(one, from),
            Instruction::Store(_, from) if one.0 == 0 => Instruction::Store(slot, from),
            Instruction::Store(to, _) => Instruction::Store(to, other),
            Instruction::Binary(of, to, first, _) if one.0 == 0 => {
                Instruction::Binary(of, to, first, second)
            }
            Instruction::Binary(of, to, _, from) => Instruction::Binary(of, to, one, from),
            Instruction::Lut3(a, b, c, table) if one.0 == 0 => {
                Instruction::Lut3(a, b, c, table ^ 1 << (slot % 8))
            }
            Instruction::Lut3(a, b, _, table) if one.0 == 1 => {
                Instruction::Lut3(a, b, second, table)
            }
            Instruction::Lut3(a, _, c, table) => Instruction::Lut3(a, one, c, table),
        };
    }

    /// Instructions as they are written are right; of those that were changed all are refused that compute
    /// anything else.
    #[test]
    fn what_computes_something_else_is_refused() {
        let (mut refused, mut wrong) = (0, 0);
        for seed in 0..400 {
            let mut random = seeded(seed, 6);
            let has_lut3 = seed % 2 == 0;
            let (parts, slots, outputs) = random_parts(&mut random, has_lut3);
            let target = &mut Nothing { registers: [6, 16, 32][seed as usize % 3], has_lut3 };
            let mut log = Log::new(target);
            registers::write(&parts, None, &outputs, slots, &mut log);
            let mut procedures = log.procedures;
            let result = check(&parts, None, &outputs, slots, &procedures);
            assert_eq!(result, Ok(()), "seed {seed}");
            mutate(&mut procedures, slots, &mut random);
            let result = check(&parts, None, &outputs, slots, &procedures);
            refused += usize::from(result.is_err());
            let differs = (0..8).any(|time| {
                let mut expected: Vec<u64> = (0..slots).map(|_| random.random()).collect();
                expected[TRUE as usize] = !0;
                let mut actual = expected.clone();
                compute(&parts, &mut expected, &mut seeded(seed, time), |at, memory, _| {
                    interpret(&parts[at].functions, memory);
                });
                compute(&parts, &mut actual, &mut seeded(seed, time), |at, memory, anything| {
                    execute(&procedures[at], memory, anything);
                });
                outputs.iter().any(|&slot| actual[slot as usize] != expected[slot as usize])
            });
            wrong += usize::from(differs);
            assert!(!differs || result.is_err(), "seed {seed}: {parts:?}, {procedures:?}");
        }
        assert!(wrong > 100, "{wrong} of the changed ones compute something else");
        assert!(refused < 400, "some changes change nothing");
    }

    /// Of gates that depend on each other all is stored that the next round reads.
    #[test]
    fn what_the_next_round_reads_is_stored() {
        let or = Shape {
            operation: net::Operation::Or,
            plain: 2,
            negated: 0,
            inner: 0,
            inner_negated: 0,
        };
        let remembered =
            |slot, kept| Remembered { operand: Operand { slot, negated: false }, kept };
        let fixpoint = Fixpoint { own: vec![3, 4], read: vec![remembered(1, 5), remembered(2, 6)] };
        let mut program = Program::default();
        program.push_fixpoint(fixpoint, &[(or, vec![3, 1, 4]), (or, vec![4, 2, 3])]);
        let (free, slots, outputs) = (7, 7 + MORE_SLOTS, [3]);
        let parts = parts(&program, free, &outputs);
        let target = &mut Nothing { registers: 32, has_lut3: true };
        let mut log = Log::new(target);
        registers::write(&parts, Some(&program), &outputs, slots, &mut log);
        let [procedure] = &log.procedures[..] else { panic!("it is one part") };
        let checked = |procedure: &[Instruction]| {
            check(&parts, Some(&program), &outputs, slots, &[procedure.to_vec()])
        };
        assert_eq!(checked(procedure), Ok(()));
        let mut stored = Vec::new();
        for (at, &instruction) in procedure.iter().enumerate() {
            let Instruction::Store(slot, _) = instruction else { continue };
            stored.push(slot);
            let mut without = procedure.clone();
            without.remove(at);
            assert_eq!(checked(&without), Err(Wrong::Slot { slot, part: 0 }));
        }
        stored.sort_unstable();
        assert_eq!(stored, [3, 4, free]);
    }
}
