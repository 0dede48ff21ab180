//! Trials of values, for conditions that known values do not answer. The trial that leaves the
//! fewest ways is made first.

use super::Planner;
use super::body::{Plan, UNKNOWN};
use super::scope::Context;
use crate::export::program::{Act, Statement};
use crate::export::rules::Stop;
use crate::export::rules::analysis::{SetId, variable as variable_of, variables};
use crate::export::rules::build::Operand;
use gdlr_rules::gdl::{Symbol, Variable};
use gdlr_rules::normal::{FlatAtom, FlatLiteral, FlatTerm, RelationId};

/// The result of a trial.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Tried {
    /// The values of a variable.
    Value,
    /// All answers of a condition, and the places of the conditions that were asked with it.
    Answered(Vec<usize>),
    /// A condition that nothing answers.
    Never,
    Nothing,
}

/// A trial that can be made.
#[derive(Clone, Copy, Debug)]
enum Way {
    /// The values of a variable, which is in this column of a relation.
    Value(Variable, RelationId, usize),
    /// The entries of the state that the condition at this place may be about.
    Fact(usize),
    /// The few rows that answer the condition at this place.
    Rows(usize),
    /// The rows that follow from the rules for the condition at this place.
    Through(usize),
}

/// The estimated share of values for which a condition about the state holds: one in so many.
const SELECTIVE: usize = 4;

/// The most values that are tried out for a derived condition. With more values, its rules are gone
/// through instead.
const MOST_TRIED: usize = 128;

/// The most values that are tried out for a recursive condition.
const MOST_TRIED_IN_LOOPS: usize = 16;

impl Planner<'_> {
    /// Makes the trial that leaves the fewest ways, by an estimate.
    pub(super) fn try_out(
        &mut self,
        pending: &[FlatLiteral],
        plan: &mut Plan,
        wanted: Option<&[Variable]>,
        context: &Context,
    ) -> Result<Tried, Stop> {
        let is_wanted = |v: Variable| wanted.is_none_or(|wanted| wanted.contains(&v));
        let atom_at = |place: usize| match &pending[place] {
            FlatLiteral::Positive(atom) => atom,
            _ => unreachable!("an atom"),
        };
        for (place, literal) in pending.iter().enumerate() {
            if matches!(literal, FlatLiteral::Positive(_))
                && let Some(variable) = self.apart(atom_at(place), pending, plan, wanted)
                && let Some(set) = self.covering(atom_at(place))?
            {
                plan.domains[usize::from(variable.0)] = Some(set);
            }
        }
        let way = self.best_way(pending, plan, is_wanted, context.scope.mode)?;
        let (variable, hint) = match way {
            Some(Way::Fact(place)) => {
                self.try_fact(atom_at(place), plan, is_wanted)?;
                return Ok(Tried::Value);
            }
            Some(Way::Value(variable, relation, column)) => {
                (variable, self.relations.hint(self.relations.origin(relation), column))
            }
            Some(Way::Rows(place)) => {
                let atom = atom_at(place);
                let rows = self.relations.rows_in(atom.relation, context.scope.mode);
                let rows = rows.ok_or(UNKNOWN)?;
                let open = |v: Variable| plan.env[usize::from(v.0)].is_none() && !is_wanted(v);
                plan.repeats |= atom.args.iter().copied().filter_map(variable_of).any(open);
                let done = self.try_rows(atom, &rows, pending, plan, context)?;
                return Ok(done.map_or(Tried::Never, |mut done| {
                    done.push(place);
                    Tried::Answered(done)
                }));
            }
            Some(Way::Through(place)) => {
                return Ok(match self.go_through(atom_at(place), plan, is_wanted, context)? {
                    true => Tried::Answered(vec![place]),
                    false => Tried::Never,
                });
            }
            None => {
                // A variable of the head that no condition binds.
                let open = |v: &Variable| plan.env[usize::from(v.0)].is_none();
                let open = wanted.into_iter().flatten().copied().find(open);
                let Some(open) = open else { return Ok(Tried::Nothing) };
                let Some(target) = plan.targets[usize::from(open.0)] else {
                    return Ok(Tried::Nothing);
                };
                plan.domains[usize::from(open.0)] = Some(self.out.registers.set_of(target));
                (open, "value".to_owned())
            }
        };
        plan.repeats |= !is_wanted(variable);
        let set = plan.domains[usize::from(variable.0)].ok_or(UNKNOWN)?;
        self.try_value(variable, set, &hint, plan);
        Ok(Tried::Value)
    }

    /// The trial that leaves the fewest ways.
    fn best_way(
        &self,
        pending: &[FlatLiteral],
        plan: &Plan,
        is_wanted: impl Fn(Variable) -> bool,
        mode: Option<usize>,
    ) -> Result<Option<Way>, Stop> {
        let mut best: Option<(usize, Way)> = None;
        for (place, literal) in pending.iter().enumerate() {
            let FlatLiteral::Positive(atom) = literal else { continue };
            let shape_value = self.analysis.shapes.get(&atom.relation).map(|shape| shape.value);
            let mut ways = 1usize;
            let mut first: Option<(usize, Variable, usize)> = None;
            let mut all_wanted = true;
            for (column, term) in atom.args.iter().enumerate() {
                let FlatTerm::Variable(v) = *term else { continue };
                if plan.env[usize::from(v.0)].is_some() || shape_value == Some(Some(column)) {
                    continue;
                }
                all_wanted &= is_wanted(v);
                let set = plan.domains[usize::from(v.0)].ok_or(UNKNOWN)?;
                let size = self.out.symbols.sets.members(set).len();
                ways = ways.saturating_mul(size);
                if first.is_none_or(|(least, ..)| size < least) {
                    first = Some((size, v, column));
                }
            }
            let Some((_, variable, column)) = first else { continue };
            let value = (ways, Way::Value(variable, atom.relation, column));
            let (mut ways, way) = self.way_of(value, (atom, place), pending, plan, mode);
            // Trials of values that are not wanted give several walks for the same values.
            if !all_wanted {
                ways = ways.saturating_mul(SELECTIVE);
            }
            if best.as_ref().is_none_or(|(least, _)| ways < *least) {
                best = Some((ways, way));
            }
        }
        Ok(best.map(|(_, way)| way))
    }

    /// The best trial for an atom at a place of `pending`, and the estimated number of its ways.
    /// The given trial of a variable is kept if it is best.
    fn way_of(
        &self,
        (mut ways, mut way): (usize, Way),
        (atom, place): (&FlatAtom, usize),
        pending: &[FlatLiteral],
        plan: &Plan,
        mode: Option<usize>,
    ) -> (usize, Way) {
        if let Some(rows) = self.relations.rows_in(atom.relation, mode) {
            if let Some(few) = self.few_rows(atom, &rows, plan) {
                (ways, way) = (few, Way::Rows(place));
                if let Some((v, column)) = self.telling(atom, &rows, few, plan) {
                    way = Way::Value(v, atom.relation, column);
                }
            }
            ways = ways.min(rows.len());
            // It excludes as many values as the condition about the state for which it finds the
            // keys.
            if !self.answers_state(atom, pending, plan) {
                ways = ways.saturating_mul(SELECTIVE);
            }
        } else if !self.analysis.shapes.contains_key(&atom.relation) {
            let most = match self.relations.info(atom.relation).group {
                Some(_) => MOST_TRIED_IN_LOOPS,
                None => MOST_TRIED,
            };
            let counts = self.counts(atom, plan);
            if ways > most && self.relations.can_go_through(atom.relation) {
                way = Way::Through(place);
            }
            ways = match counts && matches!(way, Way::Through(_)) {
                // The loop ends with one value.
                true => 1,
                false => ways.saturating_mul(2 * SELECTIVE),
            };
        } else if !self.is_linked(atom, pending, plan) {
            way = Way::Fact(place);
        }
        (ways, way)
    }

    /// Whether a recursive relation is asked for one value, with all other arguments known before
    /// play: a sum over all squares.
    fn counts(&self, atom: &FlatAtom, plan: &Plan) -> bool {
        let is_open = |term: &&FlatTerm| plan.value(**term).is_none();
        let is_register = |term: &FlatTerm| matches!(plan.value(*term), Some(Operand::Register(_)));
        self.relations.info(atom.relation).group.is_some()
            && atom.args.len() > 1
            && atom.args.iter().filter(is_open).count() == 1
            && !atom.args.iter().any(is_register)
    }

    /// Whether an atom has the open keys of a condition about the state.
    fn answers_state(&self, atom: &FlatAtom, pending: &[FlatLiteral], plan: &Plan) -> bool {
        let is_open = |term: &FlatTerm| match *term {
            FlatTerm::Variable(v) => plan.env[usize::from(v.0)].is_none(),
            FlatTerm::Constant(_) => false,
        };
        pending.iter().any(|literal| {
            let FlatLiteral::Positive(other) = literal else { return false };
            let Some(shape) = self.analysis.shapes.get(&other.relation) else { return false };
            let mut keys = shape.keys.iter().map(|&column| &other.args[column]);
            let open = keys.clone().any(is_open);
            open && keys.all(|term| !is_open(term) || atom.args.contains(term))
        })
    }

    /// Tries out the entries of the state that a condition may be about: all keys together, each
    /// with all its symbols in the state. So rules that begin with this condition begin with the
    /// same statements.
    fn try_fact(
        &mut self,
        atom: &FlatAtom,
        plan: &mut Plan,
        is_wanted: impl Fn(Variable) -> bool,
    ) -> Result<(), Stop> {
        let shape = self.analysis.shapes[&atom.relation].clone();
        for &column in &shape.keys {
            let FlatTerm::Variable(variable) = atom.args[column] else { continue };
            let place = usize::from(variable.0);
            if plan.env[place].is_some() {
                continue;
            }
            plan.repeats |= !is_wanted(variable);
            let (all, domain) = (shape.columns[column], plan.domains[place].ok_or(UNKNOWN)?);
            let fits =
                |target| self.out.symbols.sets.within(all, self.out.registers.set_of(target));
            let count = |set| self.out.symbols.sets.members(set).len();
            let set =
                match plan.targets[place].is_none_or(fits) && 4 * count(domain) >= 3 * count(all) {
                    true => all,
                    false => domain,
                };
            let hint = self.relations.hint(atom.relation, column);
            self.try_value(variable, set, &hint, plan);
        }
        Ok(())
    }

    /// The only variable of a condition, if it is open, no value of it is wanted, and no other condition has
    /// it.
    fn apart(
        &self,
        atom: &FlatAtom,
        pending: &[FlatLiteral],
        plan: &Plan,
        wanted: Option<&[Variable]>,
    ) -> Option<Variable> {
        let mut of_atom = atom.args.iter().copied().filter_map(variable_of);
        let (Some(only), None) = (of_atom.next(), of_atom.next()) else { return None };
        let mut asked = 0;
        for literal in pending {
            variables(literal, &mut |v| asked += usize::from(v == only));
        }
        let is_open = plan.env[usize::from(only.0)].is_none();
        let is_wanted = wanted.is_some_and(|wanted| wanted.contains(&only));
        (asked == 1 && is_open && !is_wanted).then_some(only)
    }

    /// Whether another condition links the open terms of a condition about the state.
    fn is_linked(&self, atom: &FlatAtom, pending: &[FlatLiteral], plan: &Plan) -> bool {
        let open = |term: &FlatTerm| match *term {
            FlatTerm::Variable(v) => plan.env[usize::from(v.0)].is_none(),
            FlatTerm::Constant(_) => false,
        };
        let of = |other: &FlatAtom| {
            let mut shared: Vec<FlatTerm> =
                other.args.iter().filter(|t| open(t) && atom.args.contains(t)).copied().collect();
            shared.sort_unstable();
            shared.dedup();
            shared.len()
        };
        if of(atom) < 2 {
            return true;
        }
        pending.iter().any(|literal| match literal {
            FlatLiteral::Positive(other) => {
                other != atom
                    && of(other) > 1
                    && !self.analysis.shapes.contains_key(&other.relation)
            }
            FlatLiteral::Same(pairs) => pairs.iter().any(|(a, b)| open(a) && open(b)),
            _ => false,
        })
    }

    /// Tries out the values of a variable.
    fn try_value(&mut self, variable: Variable, set: SetId, hint: &str, plan: &mut Plan) {
        let mut set = set;
        if let Some(target) = plan.targets[usize::from(variable.0)] {
            let to = self.out.registers.set_of(target);
            let both = self.out.symbols.sets.members(set).to_vec();
            let both: Vec<Symbol> =
                both.into_iter().filter(|&s| self.out.symbols.sets.has(to, s)).collect();
            set = self.out.symbols.set(both);
            if self.out.symbols.sets.members(set).is_empty() {
                // The move is never legal here.
                plan.ops.push(Statement::Never);
                let first = self.out.symbols.sets.members(to)[0];
                plan.targets[usize::from(variable.0)] = None;
                plan.env[usize::from(variable.0)] = Some(Operand::Symbol(first));
                return;
            }
        }
        let type_ = self.out.symbols.type_of(set, false, hint);
        let register = self.bind(plan, variable, set, hint);
        plan.ops.push(Statement::Do(Act::Any(self.out.registers.slot(register), type_)));
    }
}
