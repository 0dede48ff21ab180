//! A planned program, which is shortened and written as a description with its legend.

use crate::export::automaton::{Node, Order};
use crate::export::declare::{Scores, nothing_visible, set_type};
use crate::export::legend::{EntryPoints, EntryVariable, Export, FactTest, role_turns};
use crate::export::program::alike::{Declared, United, united};
use crate::export::program::declared;
use crate::export::program::lower::{Lowered, lower};
use crate::export::program::sound::flaw;
use crate::export::program::{BlockId, Program};
use crate::export::rules::Stop;
use crate::export::rules::analysis::{Analysis, Input, NO_FACT, Notes, Relations, Shape};
use crate::export::rules::build::Builder;
use crate::export::rules::plan::{Said, Turns, Written};
use gdlr_net::net::Signal;
use gdlr_rg::rg::{Description, Name, Place, SimpleType, Type, Value, Variable};
use gdlr_rules::gdl::Term;
use gdlr_rules::normal::RelationId;
use hashbrown::{HashMap, HashSet};
use std::sync::Arc;

/// A planned game: its program, and the data for its legend.
pub struct Draft<'a> {
    pub input: Input<'a>,
    pub analysis: &'a Analysis,
    pub relations: Relations<'a>,
    /// By base relation: the variable for its next state, if it has one.
    pub seconds: HashMap<RelationId, Name>,
    pub out: Builder<'a>,
    /// The variables of the state.
    pub state: Vec<Variable>,
    pub turns: Turns,
    /// By turn: the blocks of its choices.
    pub written: Vec<Written>,
    pub notes: Notes,
    pub scores: Scores,
    pub said: Said,
}

/// The part of the legend about facts: the test for each fact, and the variables whose entries hold
/// facts.
struct Legend {
    facts: Vec<(Term, FactTest)>,
    entries: Vec<EntryVariable>,
}

impl Draft<'_> {
    /// Shortens the program and writes it as an automaton.
    pub fn emit(mut self) -> Result<Export, Stop> {
        self.out.program.without_rereads();
        self.shorten();
        self.unite_turns();
        self.finish()
    }

    /// Shortens the program. If a map of the state is read beyond a border, `none` becomes a key of
    /// the map.
    fn shorten(&mut self) {
        let declared = self.declared();
        self.out.program.without_guesses(&declared);
        let asked = self.out.program.with_fewer_statements(&declared);
        let mut shapes: Vec<(RelationId, &Shape)> =
            self.analysis.shapes.iter().map(|(base, shape)| (*base, shape)).collect();
        shapes.sort_unstable_by_key(|(base, _)| *base);
        for (base, shape) in shapes {
            let names: Vec<Name> = [Some(shape.name), self.seconds.get(&base).copied()]
                .into_iter()
                .flatten()
                .collect();
            for (key, &column) in shape.keys.iter().enumerate() {
                if !names.iter().any(|name| asked.contains(&(*name, key))) {
                    continue;
                }
                let hint = self.relations.hint(base, column);
                let type_ = self.out.symbols.type_of(shape.columns[column], true, &hint);
                let own = self.state.iter_mut().filter(|v| names.contains(&v.name.name));
                own.for_each(|v| v.type_.keys[key] = SimpleType::Named(type_.into()));
            }
        }
    }

    /// The declarations so far.
    fn declared(&mut self) -> declared::Declared {
        let mut types: HashMap<Name, HashSet<Name>> = HashMap::new();
        for alias in &self.out.symbols.declared {
            if let SimpleType::Set(set) = &alias.type_.value {
                types.insert(alias.name.name, set.members.iter().map(|m| m.name).collect());
            }
        }
        types.insert(Name::PLAYER_TYPE, self.analysis.roles.player_names().into_iter().collect());
        types.insert(Name::BOOL_TYPE, [Name::ZERO, Name::ONE].into_iter().collect());
        let of = |type_: &SimpleType| match type_ {
            SimpleType::Named(name) => types.get(&name.name).cloned().unwrap_or_default(),
            SimpleType::Set(_) => HashSet::new(),
        };
        let none = self.out.symbols.none();
        let (mut others, mut keys, mut members) = (HashMap::new(), HashMap::new(), HashMap::new());
        let mut named = HashMap::new();
        for Variable { name, type_, initial, .. } in
            self.state.iter().chain(&self.out.registers.declared)
        {
            others.extend(of_others(initial).map(|value| (name.name, value)));
            keys.insert(name.name, type_.keys.iter().map(of).collect());
            members.insert(name.name, of(&type_.value));
            if let (SimpleType::Named(own), []) = (&type_.value, &type_.keys[..]) {
                named.insert(name.name, own.name);
            }
        }
        for constant in &self.out.constants.declared {
            let mut values = HashSet::new();
            values_in(&constant.value, &mut values);
            members.insert(constant.name.name, values);
        }
        declared::Declared { none, members, types: named, keys, others }
    }

    /// Makes alike turns one turn.
    fn unite_turns(&mut self) {
        let variables = self.state.iter().chain(&self.out.registers.declared);
        let mut variables: HashMap<Name, Type> =
            variables.map(|variable| (variable.name.name, variable.type_.clone())).collect();
        let own = |name: Name| SimpleType::Named(name.into());
        let of_player =
            |value: Name| Type { keys: vec![own(Name::PLAYER_TYPE)], value: own(value) };
        variables.insert(Name::PLAYER, own(Name::PLAYER_OR_SYSTEM_TYPE).into());
        variables.insert(Name::GOALS, of_player(Name::SCORE_TYPE));
        variables.insert(Name::VISIBLE, of_player(Name::BOOL_TYPE));
        let constants = self.out.constants.declared.clone();
        let mut types = HashMap::new();
        for alias in &self.out.symbols.declared {
            if let SimpleType::Set(set) = &alias.type_.value {
                types.insert(alias.name.name, set.members.iter().map(|m| m.name).collect());
            }
        }
        types.insert(Name::PLAYER_TYPE, self.analysis.roles.player_names());
        let declared = Declared {
            types,
            variables,
            constants,
            naming: self.out.symbols.naming.clone(),
            held: None,
        };
        let program = std::mem::replace(&mut self.out.program, Program::new());
        let mut named = |text: &str| self.out.node_name(text);
        let plies: Vec<BlockId> = self.written.iter().flat_map(|turn| turn.plies.clone()).collect();
        match united(&program, &declared, &plies, &mut named) {
            None => self.out.program = program,
            Some(United { program, declared, became }) => {
                let own = |block: &mut BlockId| *block = *became.get(block).unwrap_or(block);
                self.turns.starts.iter_mut().chain(&mut self.turns.judged).for_each(own);
                self.written.iter_mut().flat_map(|turn| &mut turn.plies).for_each(own);
                self.out.program = program;
                if let Some((name, first)) = declared.held {
                    let type_ = declared.variables[&name].clone();
                    let (initial, place) = (Value::Name(first.into()), Place::default());
                    self.out.registers.declared.push(Variable {
                        name: name.into(),
                        type_,
                        initial,
                        place,
                    });
                }
                self.out.constants.declared = declared.constants;
                self.out.symbols.naming = declared.naming;
            }
        }
    }

    fn finish(mut self) -> Result<Export, Stop> {
        let Lowered { mut automaton, nodes: blocks } = lower(&self.out.program, self.input.meter)?;
        automaton.join_skips();
        let used = automaton.names();
        let Legend { facts, entries } = self.legend(&used)?;
        let moves = self.moves()?;
        let percepts = self.percepts();
        let registers = self.out.registers.declared.iter().map(|variable| variable.name.name);
        let registers = registers.collect();
        let mut description = self.describe(&used);
        self.input.meter.check()?;
        let naming = &mut self.out.symbols.naming;
        let (edges, nodes, comments) = automaton.finish(naming, Order::Depth);
        if cfg!(debug_assertions)
            && let Some(flaw) = flaw(&self.out.program, &description, &registers, &self.turns.loose)
        {
            return Err(Stop::Broken(flaw));
        }
        description.edges = edges;
        description.names = self.out.symbols.naming.names;
        let name = |block: &BlockId| {
            let node: Node = blocks[block.place()];
            nodes[node.0 as usize]
        };
        let turns = self.written.iter().filter_map(|Written { plies, parts }| {
            let plies = plies.iter().map(name).collect::<Option<Vec<Name>>>()?;
            role_turns(self.input.net, &plies, parts)
        });
        let turns = turns.collect();
        let over = name(&self.out.program.over).unwrap_or(Name::BEGIN);
        let entry = EntryPoints {
            variables: entries,
            turns: self.input.unrolled.phases.clone(),
            starts: self.turns.starts.iter().map(name).collect(),
            tells_all: false,
        };
        Ok(Export {
            description,
            roles: self.analysis.roles.names.clone(),
            facts,
            moves,
            percepts,
            scores: self.scores.values,
            no_score: self.scores.none,
            scores_differ: self.scores.differ,
            over,
            turns,
            comments,
            notes: self.notes.0,
            entry,
            program: Some(Arc::new(self.out.program)),
        })
    }

    /// The tests for facts, by variables that are used.
    fn legend(&mut self, used: &HashSet<Name>) -> Result<Legend, Stop> {
        let normal = self.input.normal;
        let mut facts = Vec::new();
        let mut entries: Vec<EntryVariable> = Vec::new();
        let mut place_of = HashMap::new();
        for bit in &self.input.net.fluents {
            if bit.signal == Signal::FALSE {
                continue;
            }
            let (place, row) = normal.encode_fact(&bit.fact).ok_or(NO_FACT)?;
            let base = normal.fluents[place].base;
            let symbols = &mut self.out.symbols;
            let row = self.relations.columns.row(&symbols.pairs, base, &row).ok_or(NO_FACT)?;
            let Some(shape) = self.analysis.shapes.get(&base) else {
                facts.push((Term::clone(&bit.fact), FactTest::Always));
                continue;
            };
            let name = shape.name;
            let (keys, value) = shape.entry(&row, symbols);
            let latch = self.input.latch_of(bit.signal);
            let place = *place_of.entry((name, keys.clone())).or_insert_with(|| {
                let (values, otherwise) = (Vec::new(), None);
                entries.push(EntryVariable { name, keys: keys.clone(), values, otherwise });
                entries.len() - 1
            });
            entries[place].values.push((value, latch));
            if !shape.covered && entries[place].otherwise.is_none() {
                entries[place].otherwise = Some(shape.absent(symbols));
            }
            // A variable that is never read or written is left out. Its facts stay as they are at
            // the beginning.
            match used.contains(&name) {
                true => facts.push((Term::clone(&bit.fact), FactTest::Is(name, keys, value))),
                false if self.input.initially(bit.signal) => {
                    facts.push((Term::clone(&bit.fact), FactTest::Always));
                }
                false => {}
            }
        }
        Ok(Legend { facts, entries })
    }

    /// The tags of each move.
    fn moves(&mut self) -> Result<Vec<(Vec<Name>, Term)>, Stop> {
        let mut moves: Vec<(Vec<Name>, Term)> = Vec::new();
        for (term, row) in self.input.net.moves.iter().zip(&self.analysis.moves.rows) {
            let kind = self.said.moves.iter().find(|kind| kind.has(row, &self.out));
            let kind = kind.ok_or(Stop::Broken("a move of no kind"))?;
            moves.push((kind.tags(row, &mut self.out.symbols), term.clone()));
        }
        Ok(moves)
    }

    /// The tags of each percept.
    fn percepts(&mut self) -> Vec<(Vec<Name>, Term)> {
        let mut all: Vec<(usize, Vec<Name>)> = Vec::new();
        for kind in &self.said.percepts {
            all.extend(kind.tags(&mut self.out.symbols));
        }
        all.sort_unstable();
        let term = |place: usize| self.input.net.percepts[place].term.clone();
        all.into_iter().map(|(place, tags)| (tags, term(place))).collect()
    }

    /// The types, constants and variables that are used.
    fn describe(&mut self, used: &HashSet<Name>) -> Description {
        let mut description = Description::default();
        set_type(&mut description, Name::PLAYER_TYPE, self.analysis.roles.player_names());
        let scores = &self.scores;
        let all = scores.values.iter().map(|(name, _)| *name);
        let other = [scores.none, scores.differ].into_iter().filter(|name| used.contains(name));
        let mut of_scores: Vec<Name> = all.chain(other).collect();
        if of_scores.is_empty() {
            // A type needs a member.
            of_scores.push(scores.none);
        }
        set_type(&mut description, Name::SCORE_TYPE, of_scores);
        description.types.append(&mut self.out.symbols.declared);
        description.constants = std::mem::take(&mut self.out.constants.declared);
        description.constants.retain(|constant| used.contains(&constant.name.name));
        description.variables = std::mem::take(&mut self.state);
        description.variables.append(&mut self.out.registers.declared);
        description.variables.retain(|variable| used.contains(&variable.name.name));
        if self.input.game.has_percepts() {
            description.variables.push(nothing_visible());
        }
        drop_types(&mut description, used);
        description
    }
}

/// Drops types without a variable or a constant.
fn drop_types(description: &mut Description, used: &HashSet<Name>) {
    let mut kept: HashSet<Name> = used.clone();
    kept.extend([Name::PLAYER_TYPE, Name::SCORE_TYPE]);
    let of = description.variables.iter().map(|v| &v.type_);
    for type_ in of.chain(description.constants.iter().map(|c| &c.type_)) {
        for part in type_.keys.iter().chain([&type_.value]) {
            if let SimpleType::Named(name) = part {
                kept.insert(name.name);
            }
        }
    }
    description.types.retain(|type_| kept.contains(&type_.name.name));
}

/// The value of a map for keys that it does not list.
fn of_others(value: &Value) -> Option<Name> {
    match value {
        Value::Name(name) => Some(name.name),
        Value::Map(map) => {
            let other = map.entries.iter().find(|entry| entry.key.is_none())?;
            of_others(&other.value)
        }
    }
}

/// Adds all values of a map.
fn values_in(value: &Value, values: &mut HashSet<Name>) {
    match value {
        Value::Name(name) => drop(values.insert(name.name)),
        Value::Map(map) => map.entries.iter().for_each(|entry| values_in(&entry.value, values)),
    }
}
