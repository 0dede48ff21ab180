//! Splitting a clause by cases until every variable has one layout.
//!
//! Where two occurrences of a variable differ, the clause is split: one clause in which the
//! variable is a constant, and one for each function that it can be a term of, until all
//! occurrences agree. `(true ?f)` is split in any case, because each function has its own
//! base relation. A variable that only tests mention is split test by test:
//! `(not (true ?f))` becomes one negative condition for each function.

use super::clause::{Clause, Condition, substitute};
use super::encoding::Encoding;
use super::layout::{Conflict, RelationLayouts};
use super::shape::{Shape, Shapes};
use crate::gdl::{Sentence, Term, Variable};
use gdlr_text::diagnostic::{Code, Diagnostic, Span};

/// The refusal of a rule whose cases are too many.
pub(super) fn too_large(source: Span) -> Diagnostic {
    Diagnostic::new(
        Code::TooLarge,
        source,
        "the cases of this rule's variables amount to too many rules",
    )
    .with_help("use fewer functions at one argument")
}

/// A clause in which some variables are known to be constants.
pub(super) struct Case {
    pub(super) clause: Clause,
    pub(super) plain: Vec<bool>,
}

impl Case {
    pub(super) fn fresh(&mut self, plain: bool) -> Result<Variable, Diagnostic> {
        let variable = Variable(self.clause.variables);
        self.clause.variables =
            variable.0.checked_add(1).ok_or_else(|| too_large(self.clause.source))?;
        self.plain.push(plain);
        Ok(variable)
    }

    /// The cases of a variable of this shape: a term of each function, or a constant.
    pub(super) fn cases(&mut self, shape: &Shape) -> Result<Vec<Term>, Diagnostic> {
        let mut cases = Vec::new();
        for &(name, arity) in shape.functions.keys() {
            let args = (0..arity).map(|_| self.fresh(false).map(Term::Variable));
            cases.push(Term::Function(name, args.collect::<Result<_, _>>()?));
        }
        if shape.constants {
            cases.push(Term::Variable(self.fresh(true)?));
        }
        Ok(cases)
    }

    /// Pushes a clause for each case of a variable.
    pub(super) fn split(
        mut self,
        variable: Variable,
        shape: &Shape,
        open: &mut Vec<Case>,
    ) -> Result<(), Diagnostic> {
        for term in self.cases(shape)? {
            let mut case = Case { clause: self.clause.clone(), plain: self.plain.clone() };
            case.clause.substitute(variable, &term);
            open.push(case);
        }
        Ok(())
    }

    /// Replaces each test of a variable that only tests mention by tests of its cases: a
    /// negative condition holds if it does in every case, a positive one if in some.
    pub(super) fn split_tests(
        &mut self,
        conditions: Vec<Condition>,
        variable: Variable,
        shapes: &Shapes,
    ) -> Result<Vec<Condition>, Diagnostic> {
        let mut split = Vec::new();
        for condition in conditions {
            let mut mentioned = false;
            condition.for_each_variable(&mut |v| mentioned |= v == variable);
            match condition {
                Condition::Negative(sentence) if mentioned => {
                    let cases = self.instances(&sentence, variable, shapes)?;
                    split.extend(cases.into_iter().map(Condition::Negative));
                }
                Condition::Positive(sentence) if mentioned => {
                    let cases = self.instances(&sentence, variable, shapes)?;
                    let branches = cases.into_iter().map(|s| vec![Condition::Positive(s)]);
                    split.push(Condition::Any(branches.collect()));
                }
                Condition::Any(branches) if mentioned => {
                    let branches =
                        branches.into_iter().map(|b| self.split_tests(b, variable, shapes));
                    split.push(Condition::Any(branches.collect::<Result<_, _>>()?));
                }
                other => split.push(other),
            }
        }
        Ok(split)
    }

    /// A sentence for each case of a variable that nothing else restricts.
    pub(super) fn instances(
        &mut self,
        sentence: &Sentence,
        variable: Variable,
        shapes: &Shapes,
    ) -> Result<Vec<Sentence>, Diagnostic> {
        let shape = shapes.variable_of(sentence, variable, self.clause.variables);
        let cases = self.cases(&shape.unwrap_or_default())?;
        let instance = |term: Term| {
            let mut instance = sentence.clone();
            instance.args.iter_mut().for_each(|arg| substitute(arg, variable, &term));
            instance
        };
        Ok(cases.into_iter().map(instance).collect())
    }

    /// Removes conditions that always hold; returns whether the clause can hold.
    pub(super) fn simplify(&mut self, layout: &RelationLayouts) -> bool {
        let mut body = std::mem::take(&mut self.clause.body);
        let holds = self.simplify_all(layout, &mut body);
        self.clause.body = body;
        holds
    }

    pub(super) fn simplify_all(
        &mut self,
        layout: &RelationLayouts,
        body: &mut Vec<Condition>,
    ) -> bool {
        let mut kept = Vec::new();
        for mut condition in std::mem::take(body) {
            let value = match &mut condition {
                Condition::Positive(s) => (!self.possible(layout, s)).then_some(false),
                Condition::Negative(s) => (!self.possible(layout, s)).then_some(true),
                Condition::Distinct(a, b) => match compare(a, b) {
                    Comparison::Equal => Some(false),
                    Comparison::Different => Some(true),
                    Comparison::Open => None,
                },
                Condition::Same(a, b) => match compare(a, b) {
                    Comparison::Equal => Some(true),
                    Comparison::Different => Some(false),
                    Comparison::Open => None,
                },
                Condition::Any(branches) => {
                    let mut certain = false;
                    branches.retain_mut(|branch| {
                        let possible = self.simplify_all(layout, branch);
                        certain |= possible && branch.is_empty();
                        possible
                    });
                    match (certain, branches.len()) {
                        (true, _) => Some(true),
                        (false, 0) => Some(false),
                        (false, 1) => {
                            kept.append(&mut branches[0]);
                            continue;
                        }
                        _ => None,
                    }
                }
            };
            match value {
                Some(true) => {}
                Some(false) => return false,
                None => kept.push(condition),
            }
        }
        *body = kept;
        true
    }

    pub(super) fn possible(&self, layout: &RelationLayouts, sentence: &Sentence) -> bool {
        match layout.resolve(sentence, &self.plain) {
            Err(Conflict { .. }) => true,
            Ok(None) => false,
            Ok(Some((relation, args))) => {
                args.iter().zip(layout.args(relation)).all(|(arg, e)| self.fits(arg, e))
            }
        }
    }

    /// Whether a term can stand where there is this layout.
    pub(super) fn fits(&self, term: &Term, encoding: &Encoding) -> bool {
        match term {
            Term::Constant(_) => encoding.is_tagged(),
            Term::Variable(v) => encoding.is_tagged() || !self.plain[usize::from(v.0)],
            Term::Function(name, args) => match encoding.function(*name, args.len()) {
                None => false,
                Some(f) => args.iter().zip(&f.args).all(|(arg, e)| self.fits(arg, e)),
            },
        }
    }

    /// The layout of every variable, or one whose occurrences have different layouts.
    pub(super) fn layouts(
        &self,
        layout: &RelationLayouts,
    ) -> Result<Vec<Option<Encoding>>, Conflict> {
        let mut layouts = Layouts { case: self, encodings: vec![None; self.plain.len()] };
        let mut sentences: Vec<&Sentence> = Vec::new();
        let mut others: Vec<&Sentence> = vec![&self.clause.head];
        for condition in &self.clause.body {
            match condition {
                Condition::Positive(sentence) => sentences.push(sentence),
                other => other.for_each_sentence(&mut |s, _| others.push(s)),
            }
        }
        // Conditions that bind come first, so that they decide where layouts differ.
        for sentence in sentences.into_iter().chain(others) {
            if let Some((relation, args)) = layout.resolve(sentence, &self.plain)? {
                for (arg, encoding) in args.iter().zip(layout.args(relation)) {
                    layouts.stands(arg, encoding)?;
                }
            }
        }
        for condition in &self.clause.body {
            layouts.comparisons(condition)?;
        }
        Ok(layouts.encodings)
    }
}

pub(super) struct Layouts<'a> {
    pub(super) case: &'a Case,
    pub(super) encodings: Vec<Option<Encoding>>,
}

impl Layouts<'_> {
    pub(super) fn stands(&mut self, term: &Term, encoding: &Encoding) -> Result<(), Conflict> {
        match term {
            Term::Constant(_) => Ok(()),
            Term::Variable(v) if self.case.plain[usize::from(v.0)] => Ok(()),
            Term::Variable(v) => {
                let first =
                    self.encodings[usize::from(v.0)].get_or_insert_with(|| encoding.clone());
                if first == encoding { Ok(()) } else { Err(Conflict { variable: *v }) }
            }
            Term::Function(name, args) => match encoding.function(*name, args.len()) {
                None => Ok(()),
                Some(f) => args.iter().zip(&f.args).try_for_each(|(a, e)| self.stands(a, e)),
            },
        }
    }

    pub(super) fn comparisons(&mut self, condition: &Condition) -> Result<(), Conflict> {
        match condition {
            Condition::Distinct(a, b) | Condition::Same(a, b) => self.compared(a, b),
            Condition::Any(branches) => {
                branches.iter().flatten().try_for_each(|c| self.comparisons(c))
            }
            Condition::Positive(_) | Condition::Negative(_) => Ok(()),
        }
    }

    pub(super) fn compared(&mut self, a: &Term, b: &Term) -> Result<(), Conflict> {
        match (a, b) {
            (Term::Variable(v), other) | (other, Term::Variable(v)) => {
                match self.encodings[usize::from(v.0)].clone() {
                    Some(encoding) => self.stands(other, &encoding),
                    None => match other {
                        // A variable that is a constant takes the other's layout.
                        Term::Variable(w) => match self.encodings[usize::from(w.0)].clone() {
                            Some(encoding) => self.stands(&Term::Variable(*v), &encoding),
                            None => Ok(()),
                        },
                        _ => Ok(()),
                    },
                }
            }
            (Term::Function(_, a), Term::Function(_, b)) => {
                a.iter().zip(b).try_for_each(|(a, b)| self.compared(a, b))
            }
            _ => Ok(()),
        }
    }
}

pub(super) enum Comparison {
    Equal,
    Different,
    Open,
}

/// Whether two terms are equal whatever their variables are.
pub(super) fn compare(a: &Term, b: &Term) -> Comparison {
    match (a, b) {
        _ if a == b => Comparison::Equal,
        (Term::Variable(_), _) | (_, Term::Variable(_)) => Comparison::Open,
        (Term::Function(f, a), Term::Function(g, b)) if f == g && a.len() == b.len() => {
            let mut result = Comparison::Equal;
            for (a, b) in a.iter().zip(b) {
                match compare(a, b) {
                    Comparison::Equal => {}
                    Comparison::Different => return Comparison::Different,
                    Comparison::Open => result = Comparison::Open,
                }
            }
            result
        }
        _ => Comparison::Different,
    }
}
