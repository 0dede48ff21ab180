//! Facts that are equivalent to a condition with many answers, as the net proves.
//!
//! ```text
//! (<= (legal ?p (drop ?c)) (true (cell ?c ?h free)) (lies ?c ?h))      as long as the highest cell is free
//! (<= open (true (cell ?c ?h free)))                                   as long as a highest cell is free
//!
//! c = C(*), cell[cell_of[c]] == free, $$ c                             and then the cell is looked for
//! ```
//!
//! A fact is the witness of a move if the move is legal exactly in the states in which the fact holds. Then no
//! walk goes through all rows that may make the move legal. This is no gain where the effects of the move cannot
//! [look](super::search) for the row again, along the columns of the move.

use super::Planner;
use super::body::{How, Plan};
use super::moves::Kind;
use super::scope::{Context, Scope};
use super::unique::OnlyRows;
use crate::export::rules::Stop;
use crate::export::rules::analysis::{SetId, variable as variable_of};
use crate::export::rules::build::Operand;
use gdlr_net::net::{Signal, never_all};
use gdlr_rules::gdl::{Symbol, Variable};
use gdlr_rules::normal::{FlatAtom, FlatLiteral, FlatRule, FlatTerm, RelationId};
use hashbrown::HashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// How many pairs of a fact and a move, or of two facts, are compared.
const MOST_COMPARED: usize = 1 << 9;
/// How many rows there must be for each move.
const LEAST_ROWS: usize = 2;

/// Facts of a base relation that have the same symbols in some columns.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Family {
    base: RelationId,
    /// The columns that are no keys, with their symbols.
    fixed: Vec<(usize, Symbol)>,
}

/// The witnesses of the moves of a kind.
#[derive(Clone, Debug)]
pub(super) struct Witnesses {
    family: Family,
    /// By move, as an input of the net: the keys of its witness.
    by_input: BTreeMap<usize, Vec<Symbol>>,
    /// Whether a fact of the family holds in a state only if a witness does. `None` if it was not asked.
    cover: Option<bool>,
}

impl Planner<'_> {
    /// A rule for the moves of a kind that asks for the witness of each, in place of a rule that tries out
    /// several rows for each. `None` if the net does not prove that there are witnesses.
    pub(super) fn rule_of_witnesses(
        &mut self,
        inputs: &[usize],
        kind: &Kind,
        rule: &FlatRule,
        mode: usize,
    ) -> Result<Option<FlatRule>, Stop> {
        let of_role = rule.head.args.len() - kind.columns.len();
        let chosen: Vec<usize> = (0..kind.columns.len())
            .filter(|&column| matches!(kind.columns[column], Operand::Register(_)))
            .collect();
        let named: Vec<FlatTerm> = chosen.iter().map(|&c| rule.head.args[of_role + c]).collect();
        let variables: BTreeSet<Variable> = named.iter().copied().filter_map(variable_of).collect();
        let shapes = &self.analysis.shapes;
        let count = usize::from(rule.variables);
        let answers = self.relations.answers_of(&rule.body, count, shapes)?;
        let (Some(answers), true) = (answers, variables.len() == chosen.len()) else {
            return Ok(None);
        };
        if answers.len() < LEAST_ROWS * inputs.len() || answers.len() > MOST_COMPARED {
            return Ok(None);
        }
        let mut facts: HashMap<Signal, (RelationId, &Vec<Symbol>)> = HashMap::new();
        for (&base, shape) in shapes.iter().filter(|(_, shape)| !shape.keys.is_empty()) {
            facts.extend(shape.facts.iter().map(|(row, signal)| (*signal, (base, row))));
        }
        // By move and fact that one of its rows asks for: lists of which none is ever all true if the fact
        // is a witness.
        let net = self.input.net;
        let fixed: Vec<Signal> = (self.input.unrolled.phases.known(mode))
            .map(|(latch, value)| Signal::of(net.latches[latch.index()].gate).negated_if(!value))
            .collect();
        let mut compared: Vec<(usize, Signal)> = Vec::new();
        let mut lists: Vec<Vec<Signal>> = Vec::new();
        for &input in inputs {
            let row = self.analysis.moves.of_input(input);
            let is_own = |values: &[Option<Symbol>]| {
                let mut columns = named.iter().zip(&chosen);
                columns.all(|(term, &column)| {
                    let value = variable_of(*term).and_then(|v| values[usize::from(v.0)]);
                    value == Some(row[column])
                })
            };
            let legal = net.inputs[input].legal;
            let own = answers.iter().filter(|answer| is_own(&answer.values));
            let sure = own.flat_map(|answer| &answer.all).filter(|clause| clause.len() == 1);
            let sure: BTreeSet<Signal> = sure.map(|clause| clause[0]).collect();
            for fact in sure.into_iter().filter(|fact| facts.contains_key(fact)) {
                compared.push((input, fact));
                lists.push(vec![legal, !fact]);
                lists.push([&fixed[..], &[fact, !legal]].concat());
            }
        }
        let never = never_all(net, &lists, self.input.meter)?;
        let mut families: BTreeMap<Family, BTreeMap<usize, Vec<Symbol>>> = BTreeMap::new();
        for (&(input, fact), never) in compared.iter().zip(never.chunks(2)) {
            if never != [true, true] {
                continue;
            }
            let (base, row) = facts[&fact];
            let is_key = |column: &usize| shapes[&base].keys.contains(column);
            let fixed = (0..row.len()).filter(|c| !is_key(c)).map(|c| (c, row[c])).collect();
            let keys = shapes[&base].keys.iter().map(|&column| row[column]).collect();
            let family = Family { base, fixed };
            families.entry(family).or_default().entry(input).or_insert(keys);
        }
        let all = families.into_iter().find(|(_, by_input)| by_input.len() == inputs.len());
        let Some((family, by_input)) = all else { return Ok(None) };
        let witnesses = Witnesses { family, by_input, cover: None };
        let rule = self.rule_of(rule, (&named, &chosen), &witnesses);
        if self.witnesses.iter().all(|witness| witness.family != witnesses.family) {
            self.witnesses.push(witnesses);
        }
        Ok(Some(rule))
    }

    /// The rule that asks for the witness of a move by the columns of the move.
    fn rule_of(
        &mut self,
        rule: &FlatRule,
        (named, chosen): (&[FlatTerm], &[usize]),
        Witnesses { family: Family { base, fixed }, by_input, .. }: &Witnesses,
    ) -> FlatRule {
        let shape = &self.analysis.shapes[base];
        let keys = shape.keys.clone();
        let rows = by_input.iter().map(|(&input, keys)| {
            let row = self.analysis.moves.of_input(input);
            chosen.iter().map(|&column| row[column]).chain(keys.iter().copied()).collect()
        });
        let rows: Vec<Vec<Symbol>> = rows.collect();
        let hint = |column: &usize| self.relations.hint(*base, *column);
        let hints = chosen.iter().map(|_| "choice".to_owned()).chain(keys.iter().map(hint));
        let hints = hints.collect();
        let name = format!("{}_of", self.out.symbols.naming.names.text(shape.name));
        let leads = self.relations.known_relation(&name, rows, hints);
        let own = |place: usize| FlatTerm::Variable(Variable(rule.variables + place as u16));
        let to: Vec<FlatTerm> = (0..keys.len()).map(own).collect();
        let mut args = vec![FlatTerm::Constant(Symbol::TRUE); keys.len() + fixed.len()];
        keys.iter().zip(&to).for_each(|(&column, &term)| args[column] = term);
        fixed.iter().for_each(|&(column, symbol)| args[column] = FlatTerm::Constant(symbol));
        let leads = FlatAtom { relation: leads, args: [named, &to].concat() };
        let fact = FlatAtom { relation: *base, args };
        FlatRule {
            head: rule.head.clone(),
            body: vec![FlatLiteral::Positive(leads), FlatLiteral::Positive(fact)],
            variables: rule.variables + keys.len() as u16,
            source: rule.source,
        }
    }

    /// Whether the effects of the moves of a scope can look for the row that the walk has found, wherever
    /// they ask for it.
    pub(super) fn can_look_for(
        &mut self,
        rows: &OnlyRows,
        scope: &Rc<Scope>,
    ) -> Result<bool, Stop> {
        let without = Rc::new(Scope { only_rows: Rc::default(), ..Scope::clone(scope) });
        let mut is_asked = false;
        for fluent in self.input.normal.fluents.clone() {
            if !self.analysis.shapes.contains_key(&fluent.base) {
                continue;
            }
            let is_own = |rule: &&FlatRule| rule.head.relation == fluent.next;
            let rules: Vec<FlatRule> =
                self.relations.rules.iter().filter(is_own).cloned().collect();
            for rule in rules {
                let plan = Plan::new(usize::from(rule.variables));
                if !self.asks_for(&rule, &plan, rows, scope)? {
                    continue;
                }
                is_asked = true;
                let mut writes = Vec::new();
                self.write_rule(fluent.base, rule, &plan, false, &without, &mut writes)?;
                if !writes.iter().all(|write| write.finds) {
                    return Ok(false);
                }
            }
        }
        Ok(is_asked)
    }

    /// Whether a rule asks for the row that a walk has found.
    fn asks_for(
        &mut self,
        rule: &FlatRule,
        plan: &Plan,
        rows: &OnlyRows,
        scope: &Rc<Scope>,
    ) -> Result<bool, Stop> {
        let variants = self.variants(&rule.body, plan, scope)?;
        let mut all = variants.iter();
        Ok(all.any(|(plan, body)| self.answered(body, plan, rows).is_some()))
    }

    /// The walk by a rule that asks for witnesses. Each move has one witness, so no two walks are alike.
    pub(super) fn walked(
        &mut self,
        rule: &FlatRule,
        plan: &Plan,
        wanted: &[Variable],
        scope: &Rc<Scope>,
    ) -> Result<Option<Plan>, Stop> {
        let plans = self.plans(&rule.body, plan, How::Walk(wanted), &Context::of(scope))?;
        Ok(match &plans[..] {
            [(plan, _)] => Some(plan.clone()),
            _ => None,
        })
    }

    /// The keys that witnesses have, as the values of the only variable of a condition: some fact that
    /// answers the condition holds exactly if a witness with one of these keys does. `None` if that is not
    /// known.
    pub(super) fn covering(&mut self, atom: &FlatAtom) -> Result<Option<SetId>, Stop> {
        let Some(shape) = self.analysis.shapes.get(&atom.relation) else { return Ok(None) };
        let [key] = shape.keys[..] else { return Ok(None) };
        let is_own = |witnesses: &Witnesses| {
            let fixed = &witnesses.family.fixed;
            witnesses.family.base == atom.relation
                && fixed.iter().all(|&(c, symbol)| atom.args[c] == FlatTerm::Constant(symbol))
        };
        let Some(place) = self.witnesses.iter().position(is_own) else { return Ok(None) };
        let witnesses = self.witnesses[place].clone();
        let keys: BTreeSet<Symbol> = witnesses.by_input.values().map(|keys| keys[0]).collect();
        let is_covered = match witnesses.cover {
            Some(known) => known,
            None => {
                let fixed = &witnesses.family.fixed;
                let of_family =
                    shape.facts.iter().filter(|(row, _)| fixed.iter().all(|&(c, s)| row[c] == s));
                let facts: Vec<_> = of_family.map(|(row, signal)| (row[key], *signal)).collect();
                self.implies_witness(&facts, &keys)?
            }
        };
        self.witnesses[place].cover = Some(is_covered);
        Ok(is_covered.then(|| self.out.symbols.sets.of(keys.into_iter().collect())))
    }

    /// Whether each fact of a family, given with its key, holds only if one of those with certain keys does.
    fn implies_witness(
        &self,
        facts: &[(Symbol, Signal)],
        keys: &BTreeSet<Symbol>,
    ) -> Result<bool, Stop> {
        let (own, others): (Vec<_>, Vec<_>) = facts.iter().partition(|(key, _)| keys.contains(key));
        if own.len() * others.len() > MOST_COMPARED {
            return Ok(false);
        }
        let lists = others.iter().flat_map(|(_, fact)| own.iter().map(|(_, to)| vec![*fact, !*to]));
        let lists: Vec<Vec<Signal>> = lists.collect();
        let never = never_all(self.input.net, &lists, self.input.meter)?;
        Ok(never.chunks(own.len().max(1)).all(|of_fact| of_fact.contains(&true)))
    }
}
