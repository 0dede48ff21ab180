//! The description as a whole, with its legend.

use super::moves::Kind;
use super::state::{NO_FACT, Shape};
use super::turn::Written;
use super::{Stop, Writer};
use crate::export::automaton::{Node, Order};
use crate::export::declare::{Scores, set_type};
use crate::export::legend::{EntryPoints, EntryVariable, Export, FactTest, role_turns};
use crate::export::program::alike::{Declared, United, united};
use crate::export::program::declared;
use crate::export::program::lower::{Lowered, lower};
use crate::export::program::{BlockId, Program, Target, Test, Turn};
use gdlr_net::net::Signal;
use gdlr_rg::rg::{Name, Place, SimpleType, Type, Value, Variable};
use gdlr_rules::gdl::Term;
use gdlr_rules::normal::RelationId;
use hashbrown::{HashMap, HashSet};
use std::sync::Arc;

impl Writer<'_> {
    /// Writes all of it.
    pub(super) fn write(mut self) -> Result<Export, Stop> {
        let modes = self.input.unrolled.copies.len();
        for mode in 0..modes {
            let number = match modes {
                1 => String::new(),
                _ => format!("_{mode}"),
            };
            for (text, judged) in [("turn", false), ("judge", true)] {
                let name = self.node_name(&format!("{text}{number}"));
                let block = self.program.block(name, Vec::new());
                if judged { &mut self.turns.judged } else { &mut self.turns.starts }.push(block);
            }
        }
        let unrolled = self.input.unrolled;
        let initial: Vec<bool> = self.input.net.latches.iter().map(|latch| latch.initial).collect();
        let first = unrolled.phase(|latch| initial[latch.index()]);
        self.program.begin = match self.input.net.is_over(&initial) {
            true => Target::Over,
            false => Target::Block(self.turns.starts[first]),
        };
        let kinds = self.kinds()?;
        let mut turns = Vec::new();
        for mode in 0..modes {
            turns.push(self.write_turn(mode, &kinds)?);
        }
        self.write_judged()?;
        let scores = self.write_goals()?;
        self.quote_all(self.program.over, |relation, writer| relation == writer.input.normal.goal);
        if !self.routines.contains_key(&(self.input.normal.terminal, None)) {
            for mode in self.turns.are_judged.clone() {
                let judged = self.turns.judged[mode];
                self.quote_all(judged, |relation, writer| relation == writer.input.normal.terminal);
            }
        }
        self.declare_state()?;
        if let Some(flaw) = self.flaw {
            return Err(Stop::Broken(flaw));
        }
        self.tell_turns();
        self.program.without_rereads();
        self.shorten();
        self.unite_turns(&mut turns);
        self.finish(turns, scores, &kinds)
    }

    /// Writes the program with fewer statements. Where a map of the state is asked for what lies beyond a
    /// border, `none` becomes a key.
    fn shorten(&mut self) {
        let declared = self.declared();
        self.program.without_guesses(&declared);
        let asked = self.program.with_fewer_statements(&declared);
        let mut shapes: Vec<(RelationId, Shape)> =
            self.shapes.iter().map(|(base, shape)| (*base, shape.clone())).collect();
        shapes.sort_unstable_by_key(|(base, _)| *base);
        for (base, shape) in shapes {
            let names: Vec<Name> = [Some(shape.name), shape.second].into_iter().flatten().collect();
            for (key, &column) in shape.keys.iter().enumerate() {
                if !names.iter().any(|name| asked.contains(&(*name, key))) {
                    continue;
                }
                let hint = self.hint(base, column);
                let type_ = self.type_of(shape.columns[column], true, &hint);
                let own = self.state.iter_mut().filter(|v| names.contains(&v.name.name));
                own.for_each(|v| v.type_.keys[key] = SimpleType::Named(type_.into()));
            }
        }
    }

    /// What is declared so far.
    fn declared(&mut self) -> declared::Declared {
        let mut types: HashMap<Name, HashSet<Name>> = HashMap::new();
        for alias in &self.description.types {
            if let SimpleType::Set(set) = &alias.type_.value {
                types.insert(alias.name.name, set.members.iter().map(|m| m.name).collect());
            }
        }
        types.insert(Name::PLAYER_TYPE, self.roles.player_names().into_iter().collect());
        types.insert(Name::BOOL_TYPE, [Name::ZERO, Name::ONE].into_iter().collect());
        let of = |type_: &SimpleType| match type_ {
            SimpleType::Named(name) => types.get(&name.name).cloned().unwrap_or_default(),
            SimpleType::Set(_) => HashSet::new(),
        };
        let none = self.none();
        let (mut others, mut keys, mut members) = (HashMap::new(), HashMap::new(), HashMap::new());
        let mut named = HashMap::new();
        for Variable { name, type_, initial, .. } in self.state.iter().chain(&self.registers) {
            others.extend(of_others(initial).map(|value| (name.name, value)));
            keys.insert(name.name, type_.keys.iter().map(of).collect());
            members.insert(name.name, of(&type_.value));
            if let (SimpleType::Named(own), []) = (&type_.value, &type_.keys[..]) {
                named.insert(name.name, own.name);
            }
        }
        for constant in &self.description.constants {
            let mut values = HashSet::new();
            values_in(&constant.value, &mut values);
            members.insert(constant.name.name, values);
        }
        declared::Declared { none, members, types: named, keys, others }
    }

    /// Writes turns that are alike as one.
    fn unite_turns(&mut self, turns: &mut [Written]) {
        let variables = self.state.iter().chain(&self.registers);
        let mut variables: HashMap<Name, Type> =
            variables.map(|variable| (variable.name.name, variable.type_.clone())).collect();
        let own = |name: Name| SimpleType::Named(name.into());
        let of_player =
            |value: Name| Type { keys: vec![own(Name::PLAYER_TYPE)], value: own(value) };
        variables.insert(Name::PLAYER, own(Name::PLAYER_OR_SYSTEM_TYPE).into());
        variables.insert(Name::GOALS, of_player(Name::SCORE_TYPE));
        variables.insert(Name::VISIBLE, of_player(Name::BOOL_TYPE));
        let constants = self.description.constants.clone();
        let mut types = HashMap::new();
        for alias in &self.description.types {
            if let SimpleType::Set(set) = &alias.type_.value {
                types.insert(alias.name.name, set.members.iter().map(|m| m.name).collect());
            }
        }
        types.insert(Name::PLAYER_TYPE, self.roles.player_names());
        let declared =
            Declared { types, variables, constants, naming: self.naming.clone(), held: None };
        let program = std::mem::replace(&mut self.program, Program::new());
        let mut named = |text: &str| self.node_name(text);
        let plies: Vec<BlockId> = turns.iter().flat_map(|turn| turn.plies.clone()).collect();
        match united(&program, &declared, &plies, &mut named) {
            None => self.program = program,
            Some(United { program, declared, became }) => {
                let own = |block: &mut BlockId| *block = *became.get(block).unwrap_or(block);
                self.turns.starts.iter_mut().chain(&mut self.turns.judged).for_each(own);
                turns.iter_mut().flat_map(|turn| &mut turn.plies).for_each(own);
                self.program = program;
                if let Some((name, first)) = declared.held {
                    let type_ = declared.variables[&name].clone();
                    let (initial, place) = (Value::Name(first.into()), Place::default());
                    self.registers.push(Variable { name: name.into(), type_, initial, place });
                }
                self.description.constants = declared.constants;
                self.naming = declared.naming;
            }
        }
    }

    fn finish(
        mut self,
        turns: Vec<Written>,
        scores: Scores,
        kinds: &[Kind],
    ) -> Result<Export, Stop> {
        let Lowered { mut automaton, nodes: blocks } = lower(&self.program, self.input.meter)?;
        automaton.join_skips();
        let used = automaton.names();
        let mut facts = Vec::new();
        let mut entries: Vec<EntryVariable> = Vec::new();
        let mut place_of = HashMap::new();
        for bit in &self.input.net.fluents.clone() {
            if bit.signal == Signal::FALSE {
                continue;
            }
            let (place, row) = self.input.normal.encode_fact(&bit.fact).ok_or(NO_FACT)?;
            let base = self.input.normal.fluents[place].base;
            let row = self.pairs.row(base, &row).ok_or(NO_FACT)?;
            let Some(shape) = self.shapes.get(&base) else {
                facts.push((Term::clone(&bit.fact), FactTest::Always));
                continue;
            };
            let name = shape.name;
            let has_default = !shape.covered;
            let (keys, value) = self.entry_of(base, &row);
            let latch = self.input.latch_of(bit.signal);
            let place = *place_of.entry((name, keys.clone())).or_insert_with(|| {
                let (values, otherwise) = (Vec::new(), None);
                entries.push(EntryVariable { name, keys: keys.clone(), values, otherwise });
                entries.len() - 1
            });
            entries[place].values.push((value, latch));
            if has_default && entries[place].otherwise.is_none() {
                entries[place].otherwise = Some(self.absent(base));
            }
            // What nothing asks or changes has no variable: it is as it was at the beginning.
            match used.contains(&name) {
                true => facts.push((Term::clone(&bit.fact), FactTest::Is(name, keys, value))),
                false if self.input.initially(bit.signal) => {
                    facts.push((Term::clone(&bit.fact), FactTest::Always));
                }
                false => {}
            }
        }
        let mut moves: Vec<(Vec<Name>, Term)> = Vec::new();
        for (term, row) in self.input.net.moves.iter().zip(self.moves.rows.clone()) {
            let kind = kinds.iter().find(|kind| self.is_of(kind, &row)).cloned();
            let kind = kind.ok_or(Stop::Broken("a move of no kind"))?;
            moves.push((kind.tags(&row, &mut self), term.clone()));
        }
        let mut types = std::mem::take(&mut self.description.types);
        set_type(&mut self.description, Name::PLAYER_TYPE, self.roles.player_names());
        let all = scores.values.iter().map(|(name, _)| *name);
        let other = [scores.none, scores.differ].into_iter().filter(|name| used.contains(name));
        let mut of_scores: Vec<Name> = all.chain(other).collect();
        if of_scores.is_empty() {
            // A type has a member at least.
            of_scores.push(scores.none);
        }
        set_type(&mut self.description, Name::SCORE_TYPE, of_scores);
        self.description.types.append(&mut types);
        self.state.retain(|variable| used.contains(&variable.name.name));
        self.registers.retain(|variable| used.contains(&variable.name.name));
        self.description.constants.retain(|constant| used.contains(&constant.name.name));
        self.description.variables = std::mem::take(&mut self.state);
        self.description.variables.append(&mut self.registers);
        self.drop_types(&used);
        self.input.meter.check()?;
        let (edges, nodes, comments) = automaton.finish(&mut self.naming, Order::Depth);
        self.description.edges = edges;
        self.description.names = self.naming.names;
        let name = |block: &BlockId| {
            let node: Node = blocks[block.place()];
            nodes[node.0 as usize]
        };
        let turns = turns.iter().filter_map(|Written { plies, parts }| {
            role_turns(
                self.input.net,
                &plies.iter().map(name).collect::<Option<Vec<Name>>>()?,
                parts,
            )
        });
        let turns = turns.collect();
        let over = name(&self.program.over).unwrap_or(Name::BEGIN);
        let entry = EntryPoints {
            variables: entries,
            turns: self.input.unrolled.phases.clone(),
            starts: self.turns.starts.iter().map(name).collect(),
            tells_all: false,
        };
        Ok(Export {
            description: self.description,
            roles: self.roles.names,
            facts,
            moves,
            percepts: Vec::new(),
            scores: scores.values,
            no_score: scores.none,
            scores_differ: scores.differ,
            over,
            turns,
            comments,
            notes: self.notes,
            entry,
            program: Some(Arc::new(self.program)),
        })
    }

    /// Says of each turn what the state tells then, where all of it can be said.
    fn tell_turns(&mut self) {
        for mode in 0..self.turns.starts.len() {
            let known: Vec<_> = self.input.unrolled.phases.known(mode).collect();
            let tests = known.into_iter().map(|(latch, value)| self.latch_is(latch, value));
            let known = tests.collect::<Result<Vec<Test>, Stop>>().ok();
            let (block, judge) = (self.turns.starts[mode], self.turns.judged[mode]);
            self.program.turns.push(Turn { block, judge, known });
        }
    }

    /// Drops types that nothing has.
    fn drop_types(&mut self, used: &HashSet<Name>) {
        let mut kept: HashSet<Name> = used.clone();
        kept.extend([Name::PLAYER_TYPE, Name::SCORE_TYPE]);
        let description = &self.description;
        let of = description.variables.iter().map(|v| &v.type_);
        for type_ in of.chain(description.constants.iter().map(|c| &c.type_)) {
            for part in type_.keys.iter().chain([&type_.value]) {
                if let SimpleType::Named(name) = part {
                    kept.insert(name.name);
                }
            }
        }
        self.description.types.retain(|type_| kept.contains(&type_.name.name));
    }
}

/// What a map holds under keys that it does not list.
fn of_others(value: &Value) -> Option<Name> {
    match value {
        Value::Name(name) => Some(name.name),
        Value::Map(map) => {
            let other = map.entries.iter().find(|entry| entry.key.is_none())?;
            of_others(&other.value)
        }
    }
}

/// Adds all that a map can be.
fn values_in(value: &Value, values: &mut HashSet<Name>) {
    match value {
        Value::Name(name) => drop(values.insert(name.name)),
        Value::Map(map) => map.entries.iter().for_each(|entry| values_in(&entry.value, values)),
    }
}
