//! Turns that differ only in their player become one turn, by anti-unification (Plotkin, *A Note on
//! Inductive Generalization*, 1970).
//!
//! A variable of the state tells whose turn it is. If turns differ only in names, the variable
//! determines each name: the name is the value of the variable itself, or a constant map leads from
//! the value to the name. So the turns of all values become one turn, in which an expression stands
//! for the name.
//!
//! ```text
//! turn_0: player = red,    choose_red:    cell[s][red] = 1,    turn = yellow, turn_1
//! turn_1: player = yellow, choose_yellow: cell[s][yellow] = 1, turn = red,    turn_0
//!
//! turn:   player = turn,   choose:        cell[s][turn] = 1,   turn = opponent[turn], turn
//! ```
//!
//! If only some paths set the variable, another variable (`me`) keeps its old value.
//!
//! The statements of the turns are compared side by side, in *lanes*. There is one lane for each
//! value of the variable, in the order of the values. If the turns set the variable, each to
//! another value, the lanes change places.
//!
//! | file | what it is for |
//! |---|---|
//! | `mod` | blocks, checks and bodies side by side |
//! | `statements` | statements of all lanes |
//! | `names` | expressions and names of all lanes |

mod names;
mod statements;

use super::{BlockId, Body, CheckId, Program, Statement, Test, Turn, redirect};
use crate::export::naming::Naming;
use crate::export::program::Act;
use crate::export::slots::Slot;
use gdlr_rg::rg::{Constant, Name, SimpleType, Type};
use hashbrown::HashMap;
use names::in_common;

/// The most turns that may become one.
const MOST_LANES: usize = 8;
/// The most constant maps that may be written for one turn.
const MOST_MAPS: usize = 6;

/// The declarations beside a program.
#[derive(Clone, Debug)]
pub(in crate::export) struct Declared {
    /// The members of types.
    pub types: HashMap<Name, Vec<Name>>,
    /// The types of variables.
    pub variables: HashMap<Name, Type>,
    pub constants: Vec<Constant>,
    pub naming: Naming,
    /// A new variable that keeps whose turn it was, and its first value.
    pub held: Option<(Name, Name)>,
}

/// A program whose turns have become one.
#[derive(Debug)]
pub(in crate::export) struct United {
    pub program: Program,
    /// The declarations, with new constants and names.
    pub declared: Declared,
    /// By block in which a turn begins or a player chooses: the block that replaces it.
    pub became: HashMap<BlockId, BlockId>,
}

/// The program with all its turns as one. `None` if they are not alike. Players choose in `plies`.
/// `named` makes unique names of blocks.
pub(in crate::export) fn united(
    program: &Program,
    declared: &Declared,
    plies: &[BlockId],
    named: &mut dyn FnMut(&str) -> String,
) -> Option<United> {
    let (turn_slot, type_, values) = turn_slot(program, declared)?;
    let mut uniting = Uniting {
        turn_slot,
        type_,
        values,
        lane_slot: turn_slot,
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
    for ((lanes, lane_slot), one) in &blocks {
        let is_asked = |lane: &BlockId| program.turn_of(*lane).is_some() || plies.contains(lane);
        for &lane in lanes.iter().filter(|lane| *lane_slot == turn_slot && is_asked(lane)) {
            // One block cannot be replaced by two.
            if became.insert(lane, *one).is_some_and(|other| other != *one) {
                return None;
            }
        }
    }
    // All jumps to turns lead to the one turn.
    program.redirect(&became);
    program.turns = vec![Turn { block, judge, known: None }];
    program.forget(&plies.iter().map(|ply| *became.get(ply).unwrap_or(ply)).collect::<Vec<_>>());
    // If the turns had different checks, the remaining check takes the name of the first.
    for ((lanes, _), one) in &blocks {
        if !became.contains_key(&lanes[0]) {
            program.take_name(*one, lanes[0]);
        }
    }
    Some(United { program, declared, became })
}

/// The variable that tells whose turn it is, its type, and its value in each turn.
fn turn_slot(program: &Program, declared: &Declared) -> Option<(Slot, SimpleType, Vec<Name>)> {
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
    let fits = (2..=MOST_LANES).contains(&values.len());
    fits.then(|| (*slot, type_.value.clone(), values))
}

/// The places of the lanes behind some statements.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Places {
    /// No path leads behind the statements.
    Gone,
    /// By place: the former place of the lane that is there now.
    At(Vec<usize>),
    /// The variable does not determine the lane any more.
    Mixed,
}

struct Uniting<'n> {
    /// The variable that tells whose turn it is, its type and values.
    turn_slot: Slot,
    type_: SimpleType,
    values: Vec<Name>,
    /// The variable that tells the lane: `turn_slot`, or `me` while it holds the old value.
    lane_slot: Slot,
    me: Option<Slot>,
    program: Program,
    declared: Declared,
    /// By blocks of the lanes, and by the variable that tells the lane: the block that replaces
    /// them.
    blocks: HashMap<(Vec<BlockId>, Slot), BlockId>,
    /// By checks of the lanes, and by the variable that tells the lane: the check that replaces
    /// them.
    checks: HashMap<(Vec<CheckId>, Slot), CheckId>,
    /// The number of constant maps written so far.
    maps: usize,
    named: &'n mut dyn FnMut(&str) -> String,
}

/// A name that is the same in all lanes, or the slot that determines it.
enum Said {
    Name(Name),
    Slot(Slot),
}

/// The value of all lanes, if it is the same in all.
fn same<T: PartialEq>(lanes: &[T]) -> Option<&T> {
    let (first, rest) = lanes.split_first()?;
    rest.iter().all(|other| other == first).then_some(first)
}

/// One part of each lane. `None` if a lane lacks it.
fn each<'s, T, U>(lanes: &[&'s T], part: impl Fn(&'s T) -> Option<U>) -> Option<Vec<U>> {
    lanes.iter().map(|lane| part(lane)).collect()
}

impl Uniting<'_> {
    /// The block that replaces the blocks of the lanes.
    fn block(&mut self, lanes: &[BlockId]) -> Option<BlockId> {
        if let Some(&only) = same(lanes) {
            return Some(only);
        }
        let key = (lanes.to_vec(), self.lane_slot);
        if let Some(&known) = self.blocks.get(&key) {
            return Some(known);
        }
        if self.lane_slot != self.turn_slot
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
        let key = (lanes.to_vec(), self.lane_slot);
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

    /// Alternative bodies.
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

    /// A list of statements.
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
                // No path leads to the statements behind.
                Places::Gone => return Some((body, Places::Gone)),
                Places::Mixed => return self.held(lanes, &places, number, body),
            }
        }
        Some((body, Places::At(places)))
    }

    /// The statements from the one on behind which the variable does not determine the lane. First
    /// `me` gets the old value of the variable.
    fn held(
        &mut self,
        lanes: &[&[Statement]],
        places: &[usize],
        from: usize,
        mut body: Body,
    ) -> Option<(Body, Places)> {
        if self.lane_slot != self.turn_slot {
            return None;
        }
        // The statements of the failed attempt are removed.
        body.truncate(from);
        let me = self.me();
        body.push(Statement::Do(Act::Copy(me, self.turn_slot)));
        self.lane_slot = me;
        let left: Vec<&[Statement]> = places.iter().map(|&lane| &lanes[lane][from..]).collect();
        let rest = self.body(&left);
        self.lane_slot = self.turn_slot;
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

    /// The next turn. Several turns may come next in a lane, and all of them are the one turn.
    fn cases(&self, lanes: &[&Statement]) -> Option<Body> {
        let Statement::Cases(cases) = same(lanes)? else { return None };
        let (_, first) = cases.first()?;
        let mut one = first.clone();
        redirect(&mut one, &|block| self.of_first(block));
        let is_alike = |body: &Body| {
            let mut body = body.clone();
            redirect(&mut body, &|block| self.of_first(block));
            body == one
        };
        let are_alike = cases.iter().all(|(_, body)| is_alike(body));
        are_alike.then_some(one)
    }

    /// The first turn in place of any other one, and its test for the end of the play in place of
    /// theirs.
    fn of_first(&self, block: BlockId) -> BlockId {
        let turns = &self.program.turns;
        match turns.iter().find(|turn| turn.block == block || turn.judge == block) {
            Some(turn) if turn.block == block => turns[0].block,
            Some(_) => turns[0].judge,
            None => block,
        }
    }

    /// A list of statements that leaves the variable as it is.
    fn steady(&mut self, lanes: &[&[Statement]]) -> Option<Body> {
        let (body, places) = self.body(lanes)?;
        are_steady(&places).then_some(body)
    }
}

/// The places of the lanes behind two alternatives.
fn joined(one: Places, other: Places) -> Places {
    match (one, other) {
        (Places::Gone, places) | (places, Places::Gone) => places,
        (one, other) if one == other => one,
        _ => Places::Mixed,
    }
}

/// Whether all lanes have kept their places.
fn are_steady(places: &Places) -> bool {
    match places {
        Places::Gone => true,
        Places::At(places) => places.iter().enumerate().all(|(place, &lane)| place == lane),
        Places::Mixed => false,
    }
}
