//! Turns that are alike but for whose they are, as one turn.
//!
//! A variable of the state tells whose turn it is. If turns differ in names alone, these follow from
//! that variable: it is the name itself, or a constant map leads from it to the name. So the turns of
//! all values become one, in which the variable stands for the name.
//!
//! ```text
//! turn_0: player = red,    choose_red:    cell[s][red] = 1,    turn = yellow, turn_1
//! turn_1: player = yellow, choose_yellow: cell[s][yellow] = 1, turn = red,    turn_0
//!
//! turn:   player = turn,   choose:        cell[s][turn] = 1,   turn = opponent[turn], turn
//! ```
//!
//! Where only some ways set the variable, another one holds what it was (`me`).
//!
//! What the turns do is gone through side by side, in *lanes*: one for each value that the variable
//! has, in the order of its values. Where the turns set the variable, each to another value, the
//! lanes change places.

use super::{
    Act, BlockId, Body, CheckId, Each, Follow, If, Program, Search, Statement, Target, Test, Turn,
};
use crate::export::naming::Naming;
use crate::export::slots::Slot;
use gdlr_rg::rg::{Base, Constant, Entry, Expr, Ident, Map, Name, Place, SimpleType, Type, Value};
use hashbrown::HashMap;

/// How many turns may become one.
const MOST_LANES: usize = 8;
/// How many constant maps may be written for it.
const MOST_MAPS: usize = 6;

/// What is declared beside a program.
#[derive(Clone, Debug)]
pub(in crate::export) struct Declared {
    /// The members of types.
    pub types: HashMap<Name, Vec<Name>>,
    /// The types of variables.
    pub variables: HashMap<Name, Type>,
    pub constants: Vec<Constant>,
    pub naming: Naming,
    /// A new variable of the type of the one that tells whose turn it is, and its first value.
    pub held: Option<(Name, Name)>,
}

/// A program whose turns are one.
#[derive(Debug)]
pub(in crate::export) struct United {
    pub program: Program,
    /// With the constants and names that it needs.
    pub declared: Declared,
    /// By block where a turn begins, or a player chooses: the one that stands for it.
    pub became: HashMap<BlockId, BlockId>,
}

/// The program with all turns as one, if they are alike. Players choose in `plies`; `named` makes names of blocks one of a kind.
pub(in crate::export) fn united(
    program: &Program,
    declared: &Declared,
    plies: &[BlockId],
    named: &mut dyn FnMut(&str) -> String,
) -> Option<United> {
    let (told, type_, values) = told(program, declared)?;
    let mut uniting = Uniting {
        told,
        type_,
        values,
        telling: told,
        me: None,
        program: program.clone(),
        declared: declared.clone(),
        blocks: HashMap::new(),
        checks: HashMap::new(),
        maps: 0,
        named,
    };
    let turns: Vec<BlockId> = program.turns.iter().map(|turn| turn.block).collect();
    let judges: Vec<BlockId> = program.turns.iter().map(|turn| turn.judge).collect();
    let block = uniting.block(&turns)?;
    let judge = uniting.block(&judges)?;
    let Uniting { mut program, declared, blocks, .. } = uniting;
    // In the order in which they were made.
    let mut blocks: Vec<((Vec<BlockId>, Slot), BlockId)> = blocks.into_iter().collect();
    blocks.sort_unstable_by_key(|(_, one)| *one);
    let mut became: HashMap<BlockId, BlockId> = HashMap::new();
    for ((lanes, telling), one) in &blocks {
        let is_asked = |lane: &BlockId| program.turn_of(*lane).is_some() || plies.contains(lane);
        for &lane in lanes.iter().filter(|lane| *telling == told && is_asked(lane)) {
            // Two blocks cannot stand for one.
            if became.insert(lane, *one).is_some_and(|other| other != *one) {
                return None;
            }
        }
    }
    // Whoever goes on to one of the turns goes on to all of them.
    program.redirect(&became);
    program.turns = vec![Turn { block, judge, known: None }];
    program.forget(&plies.iter().map(|ply| *became.get(ply).unwrap_or(ply)).collect::<Vec<_>>());
    // Where the turns had checks of their own, the only one that is left has the name of the first.
    for ((lanes, _), one) in &blocks {
        if !became.contains_key(&lanes[0]) {
            program.take_name(*one, lanes[0]);
        }
    }
    Some(United { program, declared, became })
}

/// The variable that tells whose turn it is, its type, and its value in each turn.
fn told(program: &Program, declared: &Declared) -> Option<(Slot, SimpleType, Vec<Name>)> {
    let [Test::Is(slot, ..), ..] = program.turns.first()?.known.as_deref()? else { return None };
    let name = program.slots.expr(*slot).as_name()?.name;
    let type_ = declared.variables.get(&name).filter(|type_| type_.keys.is_empty())?;
    let SimpleType::Named(of) = &type_.value else { return None };
    let members = declared.types.get(&of.name)?;
    let mut values: Vec<Name> = Vec::new();
    for turn in &program.turns {
        let mut left = members.clone();
        for test in turn.known.as_deref()? {
            let Test::Is(own, value, holds) = *test else { return None };
            (own == *slot).then_some(())?;
            left.retain(|&member| (member == value) == holds);
        }
        let [value] = left[..] else { return None };
        if values.contains(&value) {
            return None;
        }
        values.push(value);
    }
    let is_told = (2..=MOST_LANES).contains(&values.len());
    is_told.then(|| (*slot, type_.value.clone(), values))
}

/// Where lanes are at the end of what is gone through.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Places {
    /// They go on elsewhere.
    Gone,
    /// By place: where the lane was at first.
    At(Vec<usize>),
    /// The variable tells no longer which lane it is.
    Mixed,
}

struct Uniting<'n> {
    /// The variable that tells whose turn it is, its type and values.
    told: Slot,
    type_: SimpleType,
    values: Vec<Name>,
    /// The variable that tells which lane it is: that one, or what holds its value.
    telling: Slot,
    me: Option<Slot>,
    program: Program,
    declared: Declared,
    /// By blocks of the lanes, and by what tells which lane it is: what stands for them.
    blocks: HashMap<(Vec<BlockId>, Slot), BlockId>,
    /// By checks of the lanes, and by what tells which lane it is.
    checks: HashMap<(Vec<CheckId>, Slot), CheckId>,
    /// How many constant maps have been written.
    maps: usize,
    named: &'n mut dyn FnMut(&str) -> String,
}

/// A name that is the same in all lanes, or what it follows from.
enum Said {
    Name(Name),
    Slot(Slot),
}

/// What all lanes have, if it is one thing.
fn same<T: PartialEq>(lanes: &[T]) -> Option<&T> {
    let (first, rest) = lanes.split_first()?;
    rest.iter().all(|other| other == first).then_some(first)
}

/// One part of what stands in each lane; nothing if one has none.
fn each<'s, T, U>(lanes: &[&'s T], part: impl Fn(&'s T) -> Option<U>) -> Option<Vec<U>> {
    lanes.iter().map(|lane| part(lane)).collect()
}

impl Uniting<'_> {
    /// The block that does what these do.
    fn block(&mut self, lanes: &[BlockId]) -> Option<BlockId> {
        if let Some(&only) = same(lanes) {
            return Some(only);
        }
        let key = (lanes.to_vec(), self.telling);
        if let Some(&known) = self.blocks.get(&key) {
            return Some(known);
        }
        if self.telling != self.told
            && lanes.iter().any(|&lane| self.program.turn_of(lane).is_some())
        {
            return None;
        }
        let of = lanes.iter().map(|lane| self.program.blocks[lane.place()].clone());
        let of: Vec<super::Block> = of.collect();
        let parameters = of[0].parameters.clone();
        if of.iter().any(|block| block.parameters != parameters) {
            return None;
        }
        let names: Vec<&str> = of.iter().map(|block| &block.name[..]).collect();
        let name = (self.named)(in_common(&names).unwrap_or("turn"));
        let block = self.program.block(name, parameters);
        self.blocks.insert(key, block);
        let mut lines: Vec<&str> = Vec::new();
        for line in of.iter().filter_map(|block| block.comment.as_deref()).flat_map(str::lines) {
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
        lines.iter().for_each(|line| self.program.comment(block, line));
        let bodies: Vec<&[Statement]> = of.iter().map(|block| &block.body[..]).collect();
        let (body, _) = self.body(&bodies)?;
        self.program.fill(block, body);
        Some(block)
    }

    fn check(&mut self, lanes: &[CheckId]) -> Option<CheckId> {
        if let Some(&only) = same(lanes) {
            return Some(only);
        }
        let key = (lanes.to_vec(), self.telling);
        if let Some(&known) = self.checks.get(&key) {
            return Some(known);
        }
        let of: Vec<Vec<Body>> =
            lanes.iter().map(|lane| self.program.checks[lane.0 as usize].clone()).collect();
        let (ways, _) = self.bodies(&of.iter().map(|ways| &ways[..]).collect::<Vec<_>>())?;
        let check = self.program.check(ways);
        self.checks.insert(key, check);
        Some(check)
    }

    /// Bodies of which one is gone through.
    fn bodies(&mut self, lanes: &[&[Body]]) -> Option<(Vec<Body>, Places)> {
        let count = *same(&lanes.iter().map(|lane| lane.len()).collect::<Vec<_>>())?;
        let (mut bodies, mut places) = (Vec::new(), Places::Gone);
        for number in 0..count {
            let own: Vec<&[Statement]> = lanes.iter().map(|lane| &lane[number][..]).collect();
            let (body, after) = self.body(&own)?;
            places = joined(places, after);
            bodies.push(body);
        }
        Some((bodies, places))
    }

    /// What is done one thing after another.
    fn body(&mut self, lanes: &[&[Statement]]) -> Option<(Body, Places)> {
        let count = *same(&lanes.iter().map(|lane| lane.len()).collect::<Vec<_>>())?;
        let mut places: Vec<usize> = (0..lanes.len()).collect();
        let mut body = Vec::new();
        for number in 0..count {
            let own: Vec<&Statement> = places.iter().map(|&lane| &lanes[lane][number]).collect();
            let after = match own[0] {
                Statement::Cases(_) => {
                    body.extend(self.cases(&own)?);
                    Places::Gone
                }
                _ => {
                    let (statement, after) = self.statement(&own)?;
                    body.push(statement);
                    after
                }
            };
            match after {
                Places::At(after) => places = after.iter().map(|&at| places[at]).collect(),
                // What follows is never come to.
                Places::Gone => return Some((body, Places::Gone)),
                Places::Mixed => return self.held(lanes, &places, number, body),
            }
        }
        Some((body, Places::At(places)))
    }

    /// What is done from a statement on that lets the variable tell no longer which lane it is: another
    /// one holds what it was.
    fn held(
        &mut self,
        lanes: &[&[Statement]],
        places: &[usize],
        from: usize,
        mut body: Body,
    ) -> Option<(Body, Places)> {
        if self.telling != self.told {
            return None;
        }
        // What the statement was tried with is written over.
        body.truncate(from);
        let me = self.me();
        body.push(Statement::Do(Act::Copy(me, self.told)));
        self.telling = me;
        let left: Vec<&[Statement]> = places.iter().map(|&lane| &lanes[lane][from..]).collect();
        let rest = self.body(&left);
        self.telling = self.told;
        let (rest, after) = rest?;
        body.extend(rest);
        Some((body, if after == Places::Gone { Places::Gone } else { Places::Mixed }))
    }

    /// The variable that holds whose turn it was.
    fn me(&mut self) -> Slot {
        if let Some(me) = self.me {
            return me;
        }
        let Declared { variables, naming, .. } = &mut self.declared;
        let name = naming.define("me");
        variables.insert(name, Type::from(self.type_.clone()));
        self.declared.held = Some((name, self.values[0]));
        let me = self.program.slots.slot(name, &[]);
        self.me = Some(me);
        me
    }

    /// Several turns that may come next, of which there is one. It is the same for all lanes.
    fn cases(&self, lanes: &[&Statement]) -> Option<Body> {
        let Statement::Cases(cases) = same(lanes)? else { return None };
        let (_, first) = cases.first()?;
        let mut one = first.clone();
        self.redirect(&mut one);
        let is_alike = |body: &Body| {
            let mut body = body.clone();
            self.redirect(&mut body);
            body == one
        };
        cases.iter().all(|(_, body)| is_alike(body)).then(|| one)
    }

    /// Lets all turns be the first one, and so with what asks before them whether the play is over.
    fn redirect(&self, body: &mut Body) {
        let turns = &self.program.turns;
        for statement in body {
            if let Statement::Go(Target::Block(block)) = statement {
                match turns.iter().find(|turn| turn.block == *block || turn.judge == *block) {
                    Some(turn) if turn.block == *block => *block = turns[0].block,
                    Some(_) => *block = turns[0].judge,
                    None => {}
                }
            }
            statement.bodies_mut().into_iter().for_each(|body| self.redirect(body));
        }
    }

    /// The same, where the variable stays as it is.
    fn steady(&mut self, lanes: &[&[Statement]]) -> Option<Body> {
        let (body, places) = self.body(lanes)?;
        are_steady(&places).then_some(body)
    }

    fn statement(&mut self, lanes: &[&Statement]) -> Option<(Statement, Places)> {
        let stay = Places::At((0..lanes.len()).collect());
        Some(match lanes[0] {
            Statement::Test(_) => {
                let tests = each(lanes, |one| match one {
                    Statement::Test(test) => Some(*test),
                    _ => None,
                })?;
                (Statement::Test(self.test(&tests)?), stay)
            }
            Statement::Do(_) => {
                let acts = each(lanes, |one| match one {
                    Statement::Do(act) => Some(*act),
                    _ => None,
                })?;
                let (act, places) = self.act(&acts)?;
                (Statement::Do(act), Places::At(places))
            }
            Statement::Never => {
                same(lanes)?;
                (Statement::Never, Places::Gone)
            }
            Statement::Go(_) => {
                let targets = each(lanes, |one| match one {
                    Statement::Go(target) => Some(*target),
                    _ => None,
                })?;
                (Statement::Go(self.target(&targets)?), Places::Gone)
            }
            Statement::Choice(_) => {
                let ways = each(lanes, |one| match one {
                    Statement::Choice(ways) => Some(&ways[..]),
                    _ => None,
                })?;
                let (ways, places) = self.bodies(&ways)?;
                (Statement::Choice(ways), places)
            }
            Statement::If(_) => {
                let branches = each(lanes, |one| match one {
                    Statement::If(branch) => Some(branch),
                    _ => None,
                })?;
                let tests = self.steady(&each(&branches, |of| Some(&of.tests[..]))?)?;
                let (then, one) = self.body(&each(&branches, |of| Some(&of.then[..]))?)?;
                let (otherwise, other) =
                    self.body(&each(&branches, |of| Some(&of.otherwise[..]))?)?;
                (Statement::If(If { tests, then, otherwise }), joined(one, other))
            }
            Statement::Search(_) | Statement::Each(_) | Statement::Follow(_) => {
                (self.round(lanes)?, stay)
            }
            // They stand in a body.
            Statement::Cases(_) => return None,
        })
    }

    /// What is done again and again.
    fn round(&mut self, lanes: &[&Statement]) -> Option<Statement> {
        if let Some(all) = each(lanes, |one| match one {
            Statement::Search(search) => Some(search),
            _ => None,
        }) {
            let (first, before) = self.bodies(&each(&all, |of| Some(&of.first[..]))?)?;
            let (rounds, between) = self.bodies(&each(&all, |of| Some(&of.rounds[..]))?)?;
            (are_steady(&before) && are_steady(&between)).then_some(())?;
            let exit = self.steady(&each(&all, |of| Some(&of.exit[..]))?)?;
            return Some(Statement::Search(Search { first, rounds, exit }));
        }
        if let Some(all) = each(lanes, |one| match one {
            Statement::Each(each) => Some(each),
            _ => None,
        }) {
            let Each { slot, first, last, next, .. } = *all[0];
            let is_same = all
                .iter()
                .all(|of| (of.slot, of.first, of.last, of.next) == (slot, first, last, next));
            let body = self.steady(&each(&all, |of| Some(&of.body[..]))?)?;
            return is_same.then_some(Statement::Each(Each { slot, first, last, next, body }));
        }
        let all = each(lanes, |one| match one {
            Statement::Follow(follow) => Some(follow),
            _ => None,
        })?;
        let first = self.steady(&each(&all, |of| Some(&of.first[..]))?)?;
        let step = self.steady(&each(&all, |of| Some(&of.step[..]))?)?;
        let body = self.steady(&each(&all, |of| Some(&of.body[..]))?)?;
        Some(Statement::Follow(Follow { first, step, body }))
    }

    fn target(&mut self, lanes: &[Target]) -> Option<Target> {
        if let Some(&only) = same(lanes) {
            return Some(only);
        }
        let blocks: Option<Vec<BlockId>> = lanes
            .iter()
            .map(|target| match target {
                Target::Block(block) => Some(*block),
                Target::Over | Target::End => None,
            })
            .collect();
        Some(Target::Block(self.block(&blocks?)?))
    }

    fn test(&mut self, lanes: &[Test]) -> Option<Test> {
        if let Some(&only) = same(lanes) {
            return Some(only);
        }
        let all: Vec<&Test> = lanes.iter().collect();
        match lanes[0] {
            Test::Is(_, _, holds) => {
                let of = each(&all, |test| match *test {
                    Test::Is(slot, name, own) if own == holds => Some((slot, name)),
                    _ => None,
                })?;
                let (slots, names): (Vec<Slot>, Vec<Name>) = of.into_iter().unzip();
                let slot = self.slot(&slots)?;
                let type_ = self.type_of(slots[0]);
                Some(match self.name(&names, type_.as_ref())? {
                    Said::Name(name) => Test::Is(slot, name, holds),
                    Said::Slot(other) => Test::Same(slot, other, holds),
                })
            }
            Test::Same(_, _, holds) => {
                let of = each(&all, |test| match *test {
                    Test::Same(one, other, own) if own == holds => Some((one, other)),
                    _ => None,
                })?;
                let (ones, others): (Vec<Slot>, Vec<Slot>) = of.into_iter().unzip();
                Some(Test::Same(self.slot(&ones)?, self.slot(&others)?, holds))
            }
            Test::Check(_, holds) => {
                let checks = each(&all, |test| match *test {
                    Test::Check(check, own) if own == holds => Some(check),
                    _ => None,
                })?;
                Some(Test::Check(self.check(&checks)?, holds))
            }
        }
    }

    /// What is done, and where the lanes are then.
    fn act(&mut self, lanes: &[Act]) -> Option<(Act, Vec<usize>)> {
        let stay: Vec<usize> = (0..lanes.len()).collect();
        let all: Vec<&Act> = lanes.iter().collect();
        Some(match lanes[0] {
            Act::Set(..) | Act::Copy(..) => {
                let of: Vec<(Slot, Expr)> = each(&all, |act| match *act {
                    Act::Set(slot, name) => Some((slot, Expr::from(Ident::from(name)))),
                    Act::Copy(to, from) => Some((to, self.program.slots.expr(from).clone())),
                    _ => None,
                })?;
                let (slots, exprs): (Vec<Slot>, Vec<Expr>) = of.into_iter().unzip();
                let to = self.slot(&slots)?;
                let type_ = self.type_of(slots[0]);
                let from = self.expr(&exprs.iter().collect::<Vec<_>>(), type_.as_ref())?;
                let is_telling = to == self.told && self.telling == self.told;
                let places = if is_telling { self.changed(&exprs)? } else { stay };
                (self.assign(to, from), places)
            }
            Act::Any(_, type_) => {
                let slots = each(&all, |act| match act {
                    Act::Any(slot, own) if *own == type_ => Some(*slot),
                    _ => None,
                })?;
                let slot = self.slot(&slots).filter(|slot| *slot != self.told)?;
                (Act::Any(slot, type_), stay)
            }
            Act::Tag(_) => {
                let tags = each(&all, |act| match act {
                    Act::Tag(tag) => Some(*tag),
                    _ => None,
                })?;
                match self.name(&tags, None)? {
                    Said::Name(tag) => (Act::Tag(tag), stay),
                    Said::Slot(slot) if slot == self.telling => (Act::TagOf(slot), stay),
                    Said::Slot(_) => return None,
                }
            }
            Act::TagOf(_) => {
                let slots = each(&all, |act| match act {
                    Act::TagOf(slot) => Some(*slot),
                    _ => None,
                })?;
                (Act::TagOf(*same(&slots)?), stay)
            }
        })
    }

    fn assign(&mut self, to: Slot, from: Expr) -> Act {
        let is_symbol = from.as_name().filter(|name| !self.is_declared(name.name));
        match is_symbol {
            Some(symbol) => Act::Set(to, symbol.name),
            None => Act::Copy(to, self.program.slots.of(from)),
        }
    }

    /// Where the lanes are once the variable has been set to these.
    fn changed(&self, to: &[Expr]) -> Option<Vec<usize>> {
        let mut places = vec![usize::MAX; to.len()];
        for (lane, expr) in to.iter().enumerate() {
            let value = expr.as_name()?.name;
            let place = self.values.iter().position(|&other| other == value)?;
            places[place] = lane;
        }
        // Two lanes cannot become one.
        places.iter().all(|&lane| lane != usize::MAX).then_some(places)
    }

    fn slot(&mut self, lanes: &[Slot]) -> Option<Slot> {
        if let Some(&only) = same(lanes) {
            return Some(only);
        }
        let exprs: Vec<Expr> =
            lanes.iter().map(|&slot| self.program.slots.expr(slot).clone()).collect();
        let expr = self.expr(&exprs.iter().collect::<Vec<_>>(), None)?;
        Some(self.program.slots.of(expr))
    }

    /// An expression that is each of these in its lane.
    fn expr(&mut self, lanes: &[&Expr], type_: Option<&SimpleType>) -> Option<Expr> {
        if let Some(&only) = same(lanes) {
            return Some(only.clone());
        }
        let count = *same(&lanes.iter().map(|expr| expr.keys.len()).collect::<Vec<_>>())?;
        let mut expr = match &lanes[0].base {
            Base::Name(_) => {
                let names = each(lanes, |expr| match &expr.base {
                    Base::Name(name) => Some(name.name),
                    Base::Cast(..) => None,
                })?;
                self.base(&names, type_.filter(|_| count == 0))?
            }
            Base::Cast(type_, _) => {
                let inner = each(lanes, |expr| match &expr.base {
                    Base::Cast(own, inner) if own.name == type_.name => Some(&**inner),
                    _ => None,
                })?;
                let inner = Box::new(self.expr(&inner, None)?);
                Expr { base: Base::Cast(*type_, inner), keys: Vec::new(), place: Place::default() }
            }
        };
        let key_types = match &lanes[0].base {
            Base::Name(name) => self.type_of_name(name.name).map(|type_| type_.keys),
            Base::Cast(..) => None,
        };
        for number in 0..count {
            let keys: Vec<&Expr> = lanes.iter().map(|expr| &expr.keys[number]).collect();
            let type_ = key_types.as_ref().and_then(|types| types.get(number));
            let key = self.expr(&keys, type_)?;
            expr.keys.push(key);
        }
        Some(expr)
    }

    /// What names are that expressions begin with: symbols, or constant maps of one type.
    fn base(&mut self, names: &[Name], type_: Option<&SimpleType>) -> Option<Expr> {
        if let Some(&only) = same(names) {
            return Some(Ident::from(only).into());
        }
        if names.iter().any(|&name| self.is_declared(name)) {
            return self.one_of_maps(names);
        }
        Some(match self.name(names, type_)? {
            Said::Name(name) => Ident::from(name).into(),
            Said::Slot(slot) => self.program.slots.expr(slot).clone(),
        })
    }

    fn is_declared(&self, name: Name) -> bool {
        self.type_of_name(name).is_some()
    }

    fn type_of_name(&self, name: Name) -> Option<Type> {
        let Declared { variables, constants, .. } = &self.declared;
        let own = |constant: &&Constant| constant.name.name == name;
        let constant = || constants.iter().find(own).map(|constant| &constant.type_);
        variables.get(&name).or_else(constant).cloned()
    }

    /// The type of what is in a slot, if it is a variable or an entry of one.
    fn type_of(&self, slot: Slot) -> Option<SimpleType> {
        let Expr { base: Base::Name(name), keys, .. } = self.program.slots.expr(slot) else {
            return None;
        };
        let type_ = self.type_of_name(name.name)?;
        (type_.keys.len() == keys.len()).then_some(type_.value)
    }

    /// Symbols, one of each lane, of this type.
    fn name(&mut self, names: &[Name], type_: Option<&SimpleType>) -> Option<Said> {
        if let Some(&only) = same(names) {
            return Some(Said::Name(only));
        }
        if names == self.values {
            return Some(Said::Slot(self.telling));
        }
        let are_values = names.iter().all(|name| self.values.contains(name));
        let type_ = if are_values { self.type_.clone() } else { type_?.clone() };
        let wanted = match names.len() {
            2 if are_values => "opponent".to_owned(),
            _ if are_values => "next_player".to_owned(),
            _ => self.texts(names).join("_or_"),
        };
        let values = names.iter().map(|&name| Value::Name(name.into())).collect();
        let map = self.map(&wanted, Type { keys: Vec::new(), value: type_ }, values)?;
        Some(Said::Slot(self.program.slots.of(self.asked_of(map))))
    }

    /// Constant maps, one of each lane, as one.
    fn one_of_maps(&mut self, names: &[Name]) -> Option<Expr> {
        let constants = &self.declared.constants;
        let of = |name: &Name| constants.iter().find(|constant| constant.name.name == *name);
        let of: Vec<Constant> =
            names.iter().map(|name| of(name).cloned()).collect::<Option<_>>()?;
        let type_ = same(&of.iter().map(|one| &one.type_).collect::<Vec<_>>()).copied()?.clone();
        let texts = self.texts(names);
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let wanted = match in_common(&texts) {
            Some(common) => format!("{common}_of"),
            None => texts.join("_or_"),
        };
        let map = self.map(&wanted, type_, of.into_iter().map(|one| one.value).collect())?;
        Some(self.asked_of(map))
    }

    fn texts(&self, names: &[Name]) -> Vec<String> {
        names.iter().map(|&name| self.declared.naming.names.text(name).to_owned()).collect()
    }

    /// A map, asked for the variable.
    fn asked_of(&self, map: Name) -> Expr {
        let keys = vec![self.program.slots.expr(self.telling).clone()];
        Expr { base: Base::Name(map.into()), keys, place: Place::default() }
    }

    /// A constant map from the variable to these values of a type.
    fn map(&mut self, wanted: &str, of: Type, values: Vec<Value>) -> Option<Name> {
        let keys = [self.type_.clone()].into_iter().chain(of.keys).collect();
        let type_ = Type { keys, value: of.value };
        let constants = &mut self.declared.constants;
        let is_it = |one: &&Constant| {
            let own = self.values.iter().map(|&key| value_of(&one.value, key));
            one.type_ == type_ && own.eq(values.iter().map(Some))
        };
        if let Some(known) = constants.iter().find(is_it) {
            return Some(known.name.name);
        }
        let place = Place::default();
        let mut entries: Vec<Entry> = (self.values.iter().zip(values))
            .map(|(&key, value)| Entry { key: Some(key.into()), value, place })
            .collect();
        // Maps are written with a value for all other keys.
        if let Some(last) = entries.last_mut() {
            last.key = None;
        }
        let value = Value::Map(Map { entries, place });
        self.maps += 1;
        if self.maps > MOST_MAPS {
            return None;
        }
        let name = self.declared.naming.define(wanted);
        constants.push(Constant { name: name.into(), type_, value, place });
        Some(name)
    }
}

/// What a map has for a key.
fn value_of(map: &Value, key: Name) -> Option<&Value> {
    let Value::Map(Map { entries, .. }) = map else { return None };
    let own = entries.iter().find(|entry| entry.key.is_some_and(|own| own.name == key));
    own.or_else(|| entries.iter().find(|entry| entry.key.is_none())).map(|entry| &entry.value)
}

/// Where lanes are behind two ways.
fn joined(one: Places, other: Places) -> Places {
    match (one, other) {
        (Places::Gone, places) | (places, Places::Gone) => places,
        (one, other) if one == other => one,
        _ => Places::Mixed,
    }
}

/// Whether all lanes are where they were.
fn are_steady(places: &Places) -> bool {
    match places {
        Places::Gone => true,
        Places::At(places) => places.iter().enumerate().all(|(place, &lane)| place == lane),
        Places::Mixed => false,
    }
}

/// The words that texts begin with, if it is more than one letter.
fn in_common<'t>(texts: &[&'t str]) -> Option<&'t str> {
    let first = *texts.first()?;
    let is_common = |length: &usize| {
        let start = first.get(..*length);
        start.is_some_and(|start| {
            texts.iter().all(|text| {
                text.strip_prefix(start)
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
            })
        })
    };
    let length = (2..=first.len()).rev().find(is_common)?;
    Some(&first[..length])
}
