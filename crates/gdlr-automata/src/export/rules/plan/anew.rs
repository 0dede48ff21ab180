//! What has just become true.
//!
//! Before a move the play was not over, so what ends it has become true with the move. A relation
//! is asked *anew*: by its rules, each with one condition that is about what the move has written.
//!
//! ```text
//! (<= (row ?m ?x) (true (cell ?m 1 ?x)) (true (cell ?m 2 ?x)))     after (mark ?a ?b) of x:
//!
//! m = a, b == 1, cell[m][2] == x          m = a, b == 2, cell[m][1] == x
//! ```

use super::Planner;
use super::update::Write;
use crate::export::rules::Stop;
use crate::export::rules::analysis::{SetId, atoms, unfold, variables};
use crate::export::rules::build::{Operand, Register};
use gdlr_rules::gdl::Variable;
use gdlr_rules::normal::{FlatAtom, FlatLiteral, FlatRule, FlatTerm, RelationId};
use hashbrown::{HashMap, HashSet};
use std::collections::BTreeSet;

/// How deep relations are asked anew for others: each level is one on the machine's stack.
const DEEPEST: usize = 32;
/// How many rules may be asked anew after a move.
const MOST_RULES: usize = 128;
/// How many there may be for them to be written for each value that moves write, rather than once
/// with it in a register.
const FEW_RULES: usize = 12;

/// A register that tells what has been written.
type Told = (Register, Operand);

/// A fact that a move may have made true.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct News {
    base: RelationId,
    /// By column: what it is, unless it can be anything.
    row: Vec<Option<Operand>>,
    /// Whether it always is true.
    certain: bool,
}

/// What a move may have changed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Changes {
    news: Vec<News>,
    /// Base relations of which facts may have become false.
    lost: BTreeSet<RelationId>,
    /// Those of which anything may have become true.
    anything: BTreeSet<RelationId>,
}

impl Changes {
    fn of(&self, base: RelationId) -> bool {
        self.lost.contains(&base)
            || self.anything.contains(&base)
            || self.news.iter().any(|news| news.base == base)
    }
}

/// What is asked anew, and which relations stand for it.
#[derive(Debug, Default)]
pub(super) struct Anew {
    changes: Vec<Changes>,
    /// By changes and relation: the one that is asked instead.
    relations: HashMap<(usize, RelationId), RelationId>,
    /// By changes and place of the news: the relation that is true of it alone.
    news: HashMap<(usize, usize), RelationId>,
    /// By relation that is true of news.
    rows: HashMap<RelationId, Vec<Option<Operand>>>,
    /// By relation: the changes about which it is asked.
    about: HashMap<RelationId, usize>,
    /// By changes: how many rules are asked.
    sizes: HashMap<usize, usize>,
    /// The changes about which it was asked whether the play is over.
    last: BTreeSet<usize>,
    registers: HashMap<(RelationId, usize, usize, SetId), Register>,
}

impl Anew {
    /// What a relation is true of that is true of news alone.
    pub fn of_news(&self, relation: RelationId) -> Option<&[Option<Operand>]> {
        self.rows.get(&relation).map(|row| &row[..])
    }

    /// The registers that hold what a relation that is asked anew is about.
    pub fn registers_of_news(&self, relation: RelationId) -> HashSet<Register> {
        let about = self.about.get(&relation);
        about.map_or(HashSet::new(), |&about| self.registers_of_changes(about))
    }

    /// The registers that hold what some changes are.
    pub fn registers_of_changes(&self, about: usize) -> HashSet<Register> {
        let operands = self.changes[about].news.iter().flat_map(|news| &news.row);
        operands.filter_map(|operand| operand.and_then(Operand::register)).collect()
    }

    /// What every move changes about which it is asked whether the play is over, if that is the
    /// same for all.
    pub fn only_changes(&self) -> Option<usize> {
        match self.last.iter().collect::<Vec<_>>()[..] {
            [&about] => Some(about),
            _ => None,
        }
    }
}

impl Planner<'_> {
    /// The relation that tells, after these writes, whether another one has become true. `None` if
    /// that is no less to ask. The writes tell what they have written where this is asked for.
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

    /// Whether rules from this place on go through several rows between pairs, such as lines.
    fn asks_lines(&self, before: usize) -> bool {
        self.relations.rules[before..].iter().flat_map(|rule| &rule.body).any(|literal| {
            let FlatLiteral::Positive(atom) = literal else { return false };
            if self.relations.lines.is_through(atom.relation) {
                return true;
            }
            let Some(rows) = self.relations.known.made_rows(atom.relation) else { return false };
            let firsts: BTreeSet<_> = rows.iter().filter_map(|row| row.first()).collect();
            rows.len() > firsts.len()
        })
    }

    /// The same, with values that moves write in registers or as they are; and how many rules it
    /// takes.
    fn asked_of(
        &mut self,
        relation: RelationId,
        (moves, in_registers): (&HashSet<Register>, bool),
        writes: &mut [Write],
    ) -> Result<Option<(RelationId, usize)>, Stop> {
        let reads = self.relations.info(relation).reads.clone();
        let mut changes = Changes::default();
        // By write, and which of those in its place, and place among the news.
        let mut tells: Vec<((usize, usize), usize, Vec<Told>)> = Vec::new();
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
                // There is nothing that the state itself does not say.
                changes.anything.insert(write.base);
                continue;
            }
            // Of several writes of which one happens at most, the same registers tell.
            let before = changes.news.iter().filter(|news| news.base == write.base).count();
            let number = before - usize::from(place.1 > 0);
            let asked = (moves, in_registers);
            let (row, told) = self.row_of_news(write, other, number, asked);
            let certain = write.loops.is_empty() && write.is_certain();
            let news = News { base: write.base, row, certain };
            let number = match changes.news.iter().position(|other| *other == news) {
                Some(known) if place.1 > 0 => known,
                _ => {
                    changes.news.push(news);
                    changes.news.len() - 1
                }
            };
            tells.push((place, number, told));
        }
        let known = self.anew.changes.iter().position(|other| *other == changes);
        let about = known.unwrap_or_else(|| {
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
        for ((place, at), number, told) in tells {
            // Where nothing asks about it there is nothing to tell.
            if self.anew.news.contains_key(&(about, number)) {
                match at.checked_sub(1) {
                    None => writes[place].tells = told,
                    Some(other) => writes[place].instead[other].tells = told,
                }
            }
        }
        Ok(Some((anew, rules)))
    }

    /// By column of a write: what it is, if it is told, and the registers that tell it. What differs from
    /// `other`, of which both one happens at most, is in a register. `moves` are the registers of moves.
    fn row_of_news(
        &mut self,
        write: &Write,
        other: Option<&Write>,
        number: usize,
        (moves, in_registers): (&HashSet<Register>, bool),
    ) -> (Vec<Option<Operand>>, Vec<Told>) {
        let shape = self.analysis.shapes[&write.base].clone();
        // Moves of one player write other values than those of another one.
        let told_by = shape.value.unwrap_or(shape.columns.len() - 1);
        let mut told = Vec::new();
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
                Operand::Symbol(_) if !differs && (!wide || !in_registers || column != told_by) => {
                    Some(operand)
                }
                _ => {
                    let own = self.own_register(write.base, number, column, set);
                    told.push((own, operand));
                    Some(Operand::Register(own))
                }
            });
        }
        (row, told)
    }

    /// A register for a column of what is written.
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

    /// The relation that is asked instead of another one if only what changes made true matters:
    /// itself, if that is no less.
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
        let rules = match self.relations.known.has_made() {
            true => {
                let is_new = |relation| self.anew.of_news(relation).is_some();
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

    /// A rule once for each of its conditions that may have become true, with that one about what
    /// has changed. `None` if the rule as it is has to be asked.
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
            // Any square of a line that has changed is taken for the one that the rule asks.
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
                true => self.rules_of_news(about, (rule, as_it_is, square), place, atom),
                false => self.rules_of_derived(about, rule, place, atom, (before, depth))?,
            };
            let Some(own) = own else { return Ok(None) };
            rules.extend(own);
        }
        Ok(Some(rules))
    }

    /// A rule once for each of the news of a condition about the state. Where the news do not tell
    /// which `square` they are about, the rule is asked as it is. `None` if they are too many, or may be
    /// anything.
    fn rules_of_news(
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
        let news: Vec<(usize, News)> = (changes.news.iter().cloned().enumerate())
            .filter(|(_, news)| news.base == atom.relation)
            .collect();
        if news.len() > MOST_RULES {
            return None;
        }
        let mut rules = Vec::new();
        for (number, news) in news {
            let own = self.relation_of(about, number, &news);
            let is_untold = (atom.args.iter().zip(&news.row)).any(|(term, told)| {
                told.is_none() && square.is_some_and(|v| *term == FlatTerm::Variable(v))
            });
            let rule = if is_untold { as_it_is } else { rule };
            let mut body = rule.body.clone();
            let about_it = FlatAtom { relation: own, args: atom.args.clone() };
            match news.certain {
                true => body[place] = FlatLiteral::Positive(about_it),
                false => body.insert(place, FlatLiteral::Positive(about_it)),
            }
            rules.push(FlatRule { body, ..rule.clone() });
        }
        Some(rules)
    }

    /// A rule with a condition about a derived relation asked anew. `None` if that is no less.
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
        // What it is asked of is known from what has changed.
        let with = self.relations.info(own).rules.iter().map(|&with| &self.relations.rules[with]);
        Ok(Some(with.filter_map(|with| unfold(&asks, place, with)).collect()))
    }

    /// The relation that is true of news alone.
    fn relation_of(&mut self, about: usize, number: usize, news: &News) -> RelationId {
        if let Some(&known) = self.anew.news.get(&(about, number)) {
            return known;
        }
        let own = self.relations.standing_for(news.base);
        self.anew.news.insert((about, number), own);
        self.anew.rows.insert(own, news.row.clone());
        own
    }
}

/// Whether a condition is about a variable.
fn mentions(literal: &FlatLiteral, variable: Variable) -> bool {
    let mut found = false;
    variables(literal, &mut |v| found |= v == variable);
    found
}
