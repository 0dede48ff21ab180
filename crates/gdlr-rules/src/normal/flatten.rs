//! From clauses over terms to rules over columns (FI, IV.C).
//!
//! A variable whose occurrences all have one layout becomes as many columns as the layout
//! has; `super::cases` sees to it that there is one, `super::layout` says what it is.

use super::cases::{Case, Comparison, compare, too_large};
use super::clause::{Clauses, Condition, bound_variables};
use super::encoding::{EMPTY, Encoding};
use super::error::NormalError;
use super::flat::{FlatAtom, FlatLiteral, FlatRule, FlatTerm};
use super::form::Normal;
use super::layout::{Conflict, RelationLayouts};
use super::names::Names;
use super::shape::Shapes;
use crate::gdl::{RelationName, Rule, Sentence, Symbol, Term, Variable};
use gdlr_text::budget::Meter;
use gdlr_text::diagnostic::Diagnostic;
use hashbrown::HashSet;

/// The most flat rules that a rulesheet may grow into.
const MAX_RULES: usize = 1 << 19;
/// The most that the cases of one clause may amount to, in conditions.
const MAX_CASES: usize = 1 << 19;

/// Flattens all clauses.
pub(super) fn flatten(
    source_rules: &[Rule],
    Clauses { clauses, anything }: Clauses,
    shapes: &Shapes,
    names: Names,
    meter: &Meter<'_>,
) -> Result<Normal, NormalError> {
    let mut layout = RelationLayouts::new(&names, shapes)?;
    layout.check_widths(source_rules, &names)?;
    let mut rules = Vec::new();
    let mut distinct = HashSet::new();
    for clause in clauses {
        let source = clause.source;
        let mut work = 0;
        let mut open = vec![Case { plain: vec![false; usize::from(clause.variables)], clause }];
        while let Some(mut case) = open.pop() {
            let size = case.clause.body.len() + usize::from(case.clause.variables);
            work += size;
            meter.spend(1 + size)?;
            if work > MAX_CASES && !open.is_empty() {
                return Err(too_large(source).into());
            }
            if !case.simplify(&layout) {
                continue;
            }
            let Some(variables) = shapes.variables(&case.clause) else { continue };
            match case.layouts(&layout) {
                Ok(encodings) => {
                    if let Some(rule) = Flattening::new(&layout, &case, &encodings).rule()?
                        && distinct.insert((rule.head.clone(), rule.body.clone()))
                    {
                        rules.push(rule);
                    }
                }
                Err(Conflict { variable })
                    if bound_variables(&case.clause.body).contains(&variable) =>
                {
                    case.split(variable, &variables[usize::from(variable.0)], &mut open)?;
                }
                Err(Conflict { variable }) => {
                    let body = std::mem::take(&mut case.clause.body);
                    case.clause.body = case.split_tests(body, variable, shapes)?;
                    open.push(case);
                }
            }
            if rules.len() + open.len() > MAX_RULES {
                return Err(too_large(source).into());
            }
        }
    }
    let view = |symbol, arity| layout.views[&RelationName { symbol, arity }];
    let (legal, goal, terminal) =
        (view(Symbol::LEGAL, 2), view(Symbol::GOAL, 2), view(Symbol::TERMINAL, 0));
    let sees = RelationName { symbol: Symbol::SEES, arity: 2 };
    let sees = layout.views.get(&sees).copied();
    let does = layout.does;
    let fluents = std::mem::take(&mut layout.fluents);
    let anything =
        anything.and_then(|symbol| layout.views.get(&RelationName { symbol, arity: 1 }).copied());
    let RelationLayouts { relations, tags, .. } = layout;
    Ok(Normal {
        anything,
        tags: tags.numbers,
        names,
        relations,
        rules,
        fluents,
        does,
        legal,
        goal,
        terminal,
        sees,
    })
}

/// The last step: a clause whose variables all have one layout becomes a flat rule.
struct Flattening<'a> {
    layout: &'a RelationLayouts,
    case: &'a Case,
    /// By variable: its layout.
    encodings: &'a [Option<Encoding>],
    /// By variable: its columns.
    columns: Vec<Vec<FlatTerm>>,
    variables: u16,
}

impl<'a> Flattening<'a> {
    fn new(layout: &'a RelationLayouts, case: &'a Case, encodings: &'a [Option<Encoding>]) -> Self {
        let mut variables = 0u16;
        let mut columns = Vec::new();
        for (encoding, &plain) in encodings.iter().zip(&case.plain) {
            let width = match encoding {
                _ if plain => 1,
                Some(encoding) => encoding.width(),
                None => 0,
            };
            columns.push(
                (0..width)
                    .map(|_| {
                        variables = variables.saturating_add(1);
                        FlatTerm::Variable(Variable(variables - 1))
                    })
                    .collect(),
            );
        }
        Flattening { layout, case, encodings, columns, variables }
    }

    fn rule(&self) -> Result<Option<FlatRule>, Diagnostic> {
        if self.variables == u16::MAX {
            return Err(too_large(self.case.clause.source));
        }
        let mut body = Vec::new();
        let Some(head) = self.atom(&self.case.clause.head, &mut Vec::new()) else {
            return Ok(None);
        };
        if !self.literals(&self.case.clause.body, &mut body) {
            return Ok(None);
        }
        let mut seen = HashSet::new();
        body.retain(|literal| seen.insert(literal.clone()));
        Ok(Some(FlatRule {
            head,
            body,
            variables: self.variables,
            source: self.case.clause.source,
        }))
    }

    /// Appends the flat conditions; returns false if they can never hold.
    fn literals(&self, conditions: &[Condition], out: &mut Vec<FlatLiteral>) -> bool {
        for condition in conditions {
            match condition {
                Condition::Positive(sentence) => match self.atom(sentence, out) {
                    Some(atom) => out.push(FlatLiteral::Positive(atom)),
                    None => return false,
                },
                Condition::Negative(sentence) => {
                    if let Some(atom) = self.atom(sentence, &mut Vec::new()) {
                        out.push(FlatLiteral::Negative(atom));
                    }
                }
                Condition::Distinct(a, b) => {
                    let mut pairs = Vec::new();
                    match self.pairs(a, b, &mut pairs) {
                        None => {}
                        Some(()) if pairs.is_empty() => return false,
                        Some(()) => out.push(FlatLiteral::Distinct(pairs)),
                    }
                }
                Condition::Same(a, b) => {
                    let mut pairs = Vec::new();
                    match self.pairs(a, b, &mut pairs) {
                        None => return false,
                        Some(()) if pairs.is_empty() => {}
                        Some(()) => out.push(FlatLiteral::Same(pairs)),
                    }
                }
                Condition::Any(branches) => {
                    let mut flat = Vec::new();
                    let mut certain = false;
                    for branch in branches {
                        let mut literals = Vec::new();
                        if self.literals(branch, &mut literals) {
                            certain |= literals.is_empty();
                            flat.push(literals);
                        }
                    }
                    match (certain, flat.len()) {
                        (true, _) => {}
                        (false, 0) => return false,
                        (false, 1) => out.append(&mut flat[0]),
                        _ => out.push(FlatLiteral::Any(flat)),
                    }
                }
            }
        }
        true
    }

    /// The flat atom of a sentence. A column that a variable which is a constant takes may
    /// hold the tag of a function without columns: `guards` exclude that. They are needed
    /// where the variable is bound, and so in no head and no negative condition.
    fn atom(&self, sentence: &Sentence, guards: &mut Vec<FlatLiteral>) -> Option<FlatAtom> {
        let (relation, terms) = self.layout.resolve(sentence, &self.case.plain).ok()??;
        let mut args = Vec::new();
        for (term, encoding) in terms.iter().zip(self.layout.args(relation)) {
            self.columns(term, encoding, &mut args, guards)?;
        }
        Some(FlatAtom { relation, args })
    }

    fn columns(
        &self,
        term: &Term,
        encoding: &Encoding,
        out: &mut Vec<FlatTerm>,
        guards: &mut Vec<FlatLiteral>,
    ) -> Option<()> {
        let end = out.len() + encoding.width();
        match term {
            Term::Constant(symbol) => {
                if !encoding.is_tagged() {
                    return None;
                }
                out.push(FlatTerm::Constant(*symbol));
            }
            Term::Variable(v) => {
                let columns = &self.columns[usize::from(v.0)];
                if self.case.plain[usize::from(v.0)] {
                    if !encoding.is_tagged() {
                        return None;
                    }
                    for tag in encoding.bare_tags() {
                        guards.push(FlatLiteral::Distinct(vec![(
                            columns[0],
                            FlatTerm::Constant(tag),
                        )]));
                    }
                }
                out.extend(columns);
            }
            Term::Function(name, args) => {
                let function = encoding.function(*name, args.len())?;
                if encoding.is_tagged() {
                    out.push(FlatTerm::Constant(function.tag));
                }
                for (arg, encoding) in args.iter().zip(&function.args) {
                    self.columns(arg, encoding, out, guards)?;
                }
            }
        }
        out.resize(end, FlatTerm::Constant(EMPTY));
        Some(())
    }

    /// Appends the pairs of columns that are equal just if the terms are; `None` if the
    /// terms always differ.
    fn pairs(&self, a: &Term, b: &Term, out: &mut Vec<(FlatTerm, FlatTerm)>) -> Option<()> {
        let (left, right) = match (a, b) {
            (Term::Variable(v), other) | (other, Term::Variable(v)) => {
                let mine = &self.columns[usize::from(v.0)];
                let plain = self.case.plain[usize::from(v.0)];
                let theirs = match other {
                    Term::Constant(_) if self.is_compound(*v) => return None,
                    Term::Constant(symbol) => vec![FlatTerm::Constant(*symbol)],
                    Term::Variable(w) if self.is_compound(*v) != self.is_compound(*w) => {
                        return None;
                    }
                    Term::Variable(w) => self.columns[usize::from(w.0)].clone(),
                    Term::Function(..) if plain => return None,
                    Term::Function(..) => {
                        let encoding = self.encodings[usize::from(v.0)].as_ref()?;
                        let mut columns = Vec::new();
                        self.columns(other, encoding, &mut columns, &mut Vec::new())?;
                        columns
                    }
                };
                (mine.clone(), theirs)
            }
            (Term::Function(f, a), Term::Function(g, b)) if f == g && a.len() == b.len() => {
                return a.iter().zip(b).try_for_each(|(a, b)| self.pairs(a, b, out));
            }
            _ => match compare(a, b) {
                Comparison::Equal => return Some(()),
                _ => return None,
            },
        };
        let width = left.len().max(right.len());
        let column =
            |side: &[FlatTerm], i: usize| side.get(i).copied().unwrap_or(FlatTerm::Constant(EMPTY));
        for i in 0..width {
            match (column(&left, i), column(&right, i)) {
                (a, b) if a == b => {}
                (FlatTerm::Constant(_), FlatTerm::Constant(_)) => return None,
                (a, b) => out.push((a, b)),
            }
        }
        Some(())
    }

    /// Whether a variable's columns are those of the only function that it can be a term of.
    /// Any other variable of the same comparison is a constant, or has the same layout.
    fn is_compound(&self, variable: Variable) -> bool {
        let variable = usize::from(variable.0);
        !self.case.plain[variable]
            && self.encodings[variable].as_ref().is_some_and(|encoding| !encoding.is_tagged())
    }
}
