//! Facts that a move has just made true (semi-naive evaluation).
//!
//! Before a move the play was not over. So the end of the play can only follow from facts that the
//! move has written. A relation is asked *anew*: each of its rules is asked with one condition
//! about a fact that the move has written.
//!
//! ```text
//! (<= (row ?m ?x) (true (cell ?m 1 ?x)) (true (cell ?m 2 ?x)))     after (mark ?a ?b) of x:
//!
//! m = a, b == 1, cell[m][2] == x          m = a, b == 2, cell[m][1] == x
//! ```

use super::Planner;
use super::write::Write;
use crate::export::rules::Stop;
use crate::export::rules::analysis::{SetId, atoms, unfold, variables};
use crate::export::rules::build::{Operand, Register};
use gdlr_rules::gdl::Variable;
use gdlr_rules::normal::{FlatAtom, FlatLiteral, FlatRule, FlatTerm, RelationId};
use hashbrown::{HashMap, HashSet};
use std::collections::BTreeSet;

/// The most levels of relations that are asked anew, one for the other. Each level is a frame on
/// the stack.
const DEEPEST: usize = 32;
/// The most rules that may be asked anew after a move.
const MOST_RULES: usize = 128;
/// Up to this number, the rules are written for each value that moves write. If there are more, the
/// value is in a register, and they are written once.
const FEW_RULES: usize = 12;

/// A register, and the operand that it gets when a fact is written.
type ColumnCopy = (Register, Operand);

/// A fact that a move may have made true.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct NewFact {
    base: RelationId,
    /// By column: the operand that was written. `None` if it may be any symbol.
    row: Vec<Option<Operand>>,
    /// Whether the move makes it true in every state.
    certain: bool,
}

/// The changes that a move may make to the state.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Changes {
    new_facts: Vec<NewFact>,
    /// Base relations that may have lost facts.
    lost: BTreeSet<RelationId>,
    /// Base relations in which any fact may have become true.
    anything: BTreeSet<RelationId>,
}

impl Changes {
    fn of(&self, base: RelationId) -> bool {
        self.lost.contains(&base)
            || self.anything.contains(&base)
            || self.new_facts.iter().any(|fact| fact.base == base)
    }
}

/// The changes, and the relations that are asked anew instead of others.
#[derive(Debug, Default)]
pub(super) struct Anew {
    changes: Vec<Changes>,
    /// By changes and relation: the relation that is asked instead.
    relations: HashMap<(usize, RelationId), RelationId>,
    /// By changes and place of the news: the relation whose only row is this news.
    new_facts: HashMap<(usize, usize), RelationId>,
    /// By relation with one row, a news: its columns.
    rows: HashMap<RelationId, Vec<Option<Operand>>>,
    /// By relation: the changes about which it is asked.
    about: HashMap<RelationId, usize>,
    /// By changes: the number of rules that are asked.
    sizes: HashMap<usize, usize>,
    /// The changes after which the end of the play has been asked for.
    last: BTreeSet<usize>,
    registers: HashMap<(RelationId, usize, usize, SetId), Register>,
}

impl Anew {
    /// The row of a relation whose only row is a news.
    pub fn row_of_new_fact(&self, relation: RelationId) -> Option<&[Option<Operand>]> {
        self.rows.get(&relation).map(|row| &row[..])
    }

    /// The registers of the news about which a relation is asked anew.
    pub fn registers_of_new_facts(&self, relation: RelationId) -> HashSet<Register> {
        let about = self.about.get(&relation);
        about.map_or(HashSet::new(), |&about| self.registers_of_changes(about))
    }

    /// The registers of the news of some changes.
    pub fn registers_of_changes(&self, about: usize) -> HashSet<Register> {
        let operands = self.changes[about].new_facts.iter().flat_map(|fact| &fact.row);
        operands.filter_map(|operand| operand.and_then(Operand::register)).collect()
    }

    /// The changes after which the end of the play is asked for, if they are the same for all
    /// moves.
    pub fn only_changes(&self) -> Option<usize> {
        match self.last.iter().collect::<Vec<_>>()[..] {
            [&about] => Some(about),
            _ => None,
        }
    }
}

impl Planner<'_> {
    /// The relation that tells, after these writes, whether `relation` has become true. `None` if
    /// it would be no cheaper to ask. The writes get the registers that tell their facts, if they
    /// are asked for.
    pub(super) fn asked_anew(
        &mut self,
        relation: RelationId,
        moves: &HashSet<Register>,
        writes: &mut [Write],
    ) -> Result<Option<RelationId>, Stop> {
        let before = self.relations.rules.len();
        let asked = match self.asked_of(relation, (moves, false), writes)? {
            Some((_, rules)) if rules > FEW_RULES || self.asks_lines(before) => {
                self.asked_of(relation, (moves, true), writes)?.map(|(anew, _)| anew)
            }
            asked => asked.map(|(anew, _)| anew),
        };
        self.anew.last.extend(asked.and_then(|anew| self.anew.about.get(&anew)));
        Ok(asked)
    }

    /// Whether rules from place `before` on go through several rows, such as the lines through a
    /// square.
    fn asks_lines(&self, before: usize) -> bool {
        self.relations.rules[before..].iter().flat_map(|rule| &rule.body).any(|literal| {
            let FlatLiteral::Positive(atom) = literal else { return false };
            if self.relations.lines.is_through(atom.relation) {
                return true;
            }
            let Some(rows) = self.relations.known.computed_rows(atom.relation) else {
                return false;
            };
            let firsts: BTreeSet<_> = rows.iter().filter_map(|row| row.first()).collect();
            rows.len() > firsts.len()
        })
    }

    /// The relation to ask, and its number of rules. `in_registers` says whether values that moves
    /// write are in registers, or in rules of their own.
    fn asked_of(
        &mut self,
        relation: RelationId,
        (moves, in_registers): (&HashSet<Register>, bool),
        writes: &mut [Write],
    ) -> Result<Option<(RelationId, usize)>, Stop> {
        let reads = self.relations.info(relation).reads.clone();
        let mut changes = Changes::default();
        // By write: its place, with its place among the writes that exclude each other; the place
        // of its news; and the registers that tell its facts.
        let mut tells: Vec<((usize, usize), usize, Vec<ColumnCopy>)> = Vec::new();
        let all = writes.iter().enumerate().flat_map(|(place, write)| {
            let instead = write.instead.iter().map(move |other| (other, Some(write)));
            let own = std::iter::once((write, write.instead.first()));
            own.chain(instead).enumerate().map(move |(at, write)| ((place, at), write))
        });
        for (place, (write, other)) in all {
            if !reads.contains(&write.base) {
                continue;
            }
            let shape = self.analysis.shapes[&write.base].clone();
            if write.clears || write.otherwise.is_some() || shape.value.is_some() {
                changes.lost.insert(write.base);
            }
            if write.clears {
                continue;
            }
            if shape.keys.is_empty() {
                // The variable itself tells all that there is.
                changes.anything.insert(write.base);
                continue;
            }
            // Writes that exclude each other share their registers.
            let before = changes.new_facts.iter().filter(|fact| fact.base == write.base).count();
            let number = before - usize::from(place.1 > 0);
            let of_moves = (moves, in_registers);
            let (row, copies) = self.row_of_write(write, other, number, of_moves);
            let certain = write.loops.is_empty() && write.is_certain();
            let fact = NewFact { base: write.base, row, certain };
            let number = match changes.new_facts.iter().position(|other| *other == fact) {
                Some(known) if place.1 > 0 => known,
                _ => {
                    changes.new_facts.push(fact);
                    changes.new_facts.len() - 1
                }
            };
            tells.push((place, number, copies));
        }
        let same = self.anew.changes.iter().position(|other| *other == changes);
        let about = same.unwrap_or_else(|| {
            self.anew.changes.push(changes);
            self.anew.changes.len() - 1
        });
        let before = self.relations.rules.len();
        let anew = self.anew(about, relation, before, 0)?;
        let rules = self.relations.rules.len() - before;
        let rules = *self.anew.sizes.entry(about).or_insert(rules);
        for write in writes.iter_mut() {
            write.tells.clear();
            write.instead.iter_mut().for_each(|other| other.tells.clear());
        }
        if anew == relation {
            return Ok(None);
        }
        for ((place, at), number, copies) in tells {
            // If no rule asks about the news, no register tells it.
            if self.anew.new_facts.contains_key(&(about, number)) {
                match at.checked_sub(1) {
                    None => writes[place].tells = copies,
                    Some(other) => writes[place].instead[other].tells = copies,
                }
            }
        }
        Ok(Some((anew, rules)))
    }

    /// By column of a write: the operand that tells its value, if there is one; and the registers
    /// to set for that. `other` is a write that excludes this one: a column in which both differ
    /// gets a register. `moves` are the registers of the chosen moves.
    fn row_of_write(
        &mut self,
        write: &Write,
        other: Option<&Write>,
        number: usize,
        (moves, in_registers): (&HashSet<Register>, bool),
    ) -> (Vec<Option<Operand>>, Vec<ColumnCopy>) {
        let shape = self.analysis.shapes[&write.base].clone();
        // Moves of two players write different values.
        let value_column = shape.value.unwrap_or(shape.columns.len() - 1);
        let mut copies = Vec::new();
        let mut row = Vec::new();
        for (column, &operand) in write.row.iter().enumerate() {
            let wide = self.out.symbols.sets.members(shape.columns[column]).len() > 1;
            let differs = other.is_some_and(|other| other.row[column] != operand);
            let set = match operand {
                Operand::Register(register) if !differs => self.out.registers.set_of(register),
                _ => shape.columns[column],
            };
            row.push(match operand {
                Operand::Register(register) if !differs && moves.contains(&register) => {
                    Some(operand)
                }
                Operand::Register(_) if !differs && !write.loops.is_empty() && !write.finds => None,
                Operand::Symbol(_)
                    if !differs && (!wide || !in_registers || column != value_column) =>
                {
                    Some(operand)
                }
                _ => {
                    let own = self.own_register(write.base, number, column, set);
                    copies.push((own, operand));
                    Some(Operand::Register(own))
                }
            });
        }
        (row, copies)
    }

    /// A register for a column of a write.
    fn own_register(
        &mut self,
        base: RelationId,
        number: usize,
        column: usize,
        set: SetId,
    ) -> Register {
        if let Some(&register) = self.anew.registers.get(&(base, number, column, set)) {
            return register;
        }
        let wanted = format!("new_{}", self.relations.hint(base, column));
        let register = self.out.new_register(&wanted, set);
        let slot = self.out.registers.slot(register);
        self.turns.loose.insert(self.out.program.slots.expr(slot).root());
        self.anew.registers.insert((base, number, column, set), register);
        register
    }

    /// The relation that is asked instead of `relation` if only facts made true by the changes
    /// matter. It is `relation` itself if nothing is saved.
    pub(super) fn anew(
        &mut self,
        about: usize,
        relation: RelationId,
        before: usize,
        depth: usize,
    ) -> Result<RelationId, Stop> {
        if let Some(&known) = self.anew.relations.get(&(about, relation)) {
            return Ok(known);
        }
        let info = self.relations.info(relation).clone();
        if info.group.is_some() || info.asks_moves || depth == DEEPEST {
            return Ok(relation);
        }
        let mut rules = Vec::new();
        let mut all_whole = true;
        for rule in &info.rules {
            let rule = self.relations.rules[*rule].clone();
            self.input.meter.spend(rule.body.len() + 1)?;
            match self.rules_anew(about, &rule, before, depth)? {
                Some(own) => {
                    rules.extend(own);
                    all_whole = false;
                }
                None => rules.push(rule),
            }
        }
        let rules = match self.relations.known.has_computed() {
            true => {
                let is_new = |relation| self.anew.row_of_new_fact(relation).is_some();
                self.relations.merged(rules, &self.out.symbols.pairs, is_new)?
            }
            false => rules,
        };
        let anew = match all_whole || self.relations.rules.len() - before + rules.len() > MOST_RULES
        {
            true => relation,
            false => {
                let anew = self.relations.standing_for(relation);
                let first = self.relations.rules.len();
                self.relations.rules.extend(rules.into_iter().map(|rule| FlatRule {
                    head: FlatAtom { relation: anew, args: rule.head.args },
                    ..rule
                }));
                self.relations.infos[anew.index()].rules =
                    (first..self.relations.rules.len()).collect();
                self.relations.infos[anew.index()].reads = info.reads;
                self.anew.about.insert(anew, about);
                anew
            }
        };
        self.anew.relations.insert((about, relation), anew);
        Ok(anew)
    }

    /// Copies of a rule, one for each condition that may have become true. In each copy this
    /// condition is about the changes. `None` if the rule itself has to be asked.
    fn rules_anew(
        &mut self,
        about: usize,
        rule: &FlatRule,
        before: usize,
        depth: usize,
    ) -> Result<Option<Vec<FlatRule>>, Stop> {
        let through = self.relations.lines.through_square(rule);
        let mut rules = Vec::new();
        for (place, literal) in rule.body.iter().enumerate() {
            // Any changed square of a line can stand for the square that the rule asks about.
            let (as_it_is, square) = (rule, through.as_ref().map(|(_, square)| *square));
            let rule = match (&through, literal) {
                (Some(_), FlatLiteral::Positive(atom))
                    if self.relations.lines.is_line(atom.relation) =>
                {
                    continue;
                }
                (Some((through, square)), _) if mentions(literal, *square) => through,
                _ => rule,
            };
            let changes = &self.anew.changes[about];
            let mut is_changed = false;
            atoms(literal, &mut |atom| {
                let info = &self.relations.info(atom.relation);
                is_changed |= match self.analysis.shapes.contains_key(&atom.relation) {
                    true => changes.of(atom.relation),
                    false => info.is_derived() && info.reads.iter().any(|&base| changes.of(base)),
                };
            });
            if !is_changed {
                continue;
            }
            self.input.meter.spend(rules.len() + 1)?;
            if rules.len() > MOST_RULES {
                return Ok(None);
            }
            let FlatLiteral::Positive(atom) = literal else {
                let lost = match literal {
                    FlatLiteral::Negative(atom)
                        if self.analysis.shapes.contains_key(&atom.relation) =>
                    {
                        changes.lost.contains(&atom.relation)
                    }
                    _ => true,
                };
                match lost {
                    true => return Ok(None),
                    false => continue,
                }
            };
            let own = match self.analysis.shapes.contains_key(&atom.relation) {
                true => self.rules_of_new_facts(about, (rule, as_it_is, square), place, atom),
                false => self.rules_of_derived(about, rule, place, atom, (before, depth))?,
            };
            let Some(own) = own else { return Ok(None) };
            rules.extend(own);
        }
        Ok(Some(rules))
    }

    /// Copies of a rule, one for each news of a condition about the state. If the news do not tell
    /// the `square`, the rule is asked as it is. `None` if there are too many news, or any fact may
    /// be one.
    fn rules_of_new_facts(
        &mut self,
        about: usize,
        (rule, as_it_is, square): (&FlatRule, &FlatRule, Option<Variable>),
        place: usize,
        atom: &FlatAtom,
    ) -> Option<Vec<FlatRule>> {
        let changes = &self.anew.changes[about];
        if changes.anything.contains(&atom.relation) {
            return None;
        }
        let new_facts: Vec<(usize, NewFact)> = (changes.new_facts.iter().cloned().enumerate())
            .filter(|(_, new_facts)| new_facts.base == atom.relation)
            .collect();
        if new_facts.len() > MOST_RULES {
            return None;
        }
        let mut rules = Vec::new();
        for (number, fact) in new_facts {
            let own = self.relation_of(about, number, &fact);
            let is_open = (atom.args.iter().zip(&fact.row)).any(|(term, operand)| {
                operand.is_none() && square.is_some_and(|v| *term == FlatTerm::Variable(v))
            });
            let rule = if is_open { as_it_is } else { rule };
            let mut body = rule.body.clone();
            let about_it = FlatAtom { relation: own, args: atom.args.clone() };
            match fact.certain {
                true => body[place] = FlatLiteral::Positive(about_it),
                false => body.insert(place, FlatLiteral::Positive(about_it)),
            }
            rules.push(FlatRule { body, ..rule.clone() });
        }
        Some(rules)
    }

    /// Copies of a rule in which a condition about a derived relation is asked anew. `None` if
    /// nothing is saved.
    fn rules_of_derived(
        &mut self,
        about: usize,
        rule: &FlatRule,
        place: usize,
        atom: &FlatAtom,
        (before, depth): (usize, usize),
    ) -> Result<Option<Vec<FlatRule>>, Stop> {
        let own = self.anew(about, atom.relation, before, depth + 1)?;
        if own == atom.relation {
            return Ok(None);
        }
        if self.relations.info(own).rules.is_empty() {
            return Ok(Some(Vec::new()));
        }
        let mut body = rule.body.clone();
        let args = atom.args.clone();
        let is_told = args.iter().all(|term| match term {
            FlatTerm::Constant(_) => true,
            FlatTerm::Variable(_) => rule.head.args.contains(term),
        });
        body[place] = FlatLiteral::Positive(FlatAtom { relation: own, args });
        let asks = FlatRule { body, ..rule.clone() };
        if is_told {
            return Ok(Some(vec![asks]));
        }
        // The changes tell the arguments of the relation.
        let with = self.relations.info(own).rules.iter().map(|&with| &self.relations.rules[with]);
        Ok(Some(with.filter_map(|with| unfold(&asks, place, with)).collect()))
    }

    /// The relation whose only row is a news.
    fn relation_of(&mut self, about: usize, number: usize, fact: &NewFact) -> RelationId {
        if let Some(&known) = self.anew.new_facts.get(&(about, number)) {
            return known;
        }
        let own = self.relations.standing_for(fact.base);
        self.anew.new_facts.insert((about, number), own);
        self.anew.rows.insert(own, fact.row.clone());
        own
    }
}

/// Whether a variable occurs in a condition.
fn mentions(literal: &FlatLiteral, variable: Variable) -> bool {
    let mut occurs = false;
    variables(literal, &mut |v| occurs |= v == variable);
    occurs
}
