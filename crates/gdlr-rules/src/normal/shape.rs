//! Which terms can stand at which argument (the domains of FI, IV.C).
//!
//! The [`Shape`] of an argument says whether constants can stand there, and for which
//! functions terms can, with the shapes of those functions' arguments. The shapes of all
//! arguments are the least fixpoint over the clauses: a variable of a head has what all its
//! positive conditions allow. The fixpoint is finite unless terms grow through a recursion
//! (in the rules themselves or from state to state), which is refused (SPEC, definition 15,
//! asks for the same by a cruder, syntactic rule).

use super::clause::{Clause, Condition};
use super::error::NormalError;
use super::names::Names;
use crate::gdl::{RelationName, Sentence, Symbol, Term, Variable};
use gdlr_text::budget::Meter;
use gdlr_text::diagnostic::{Code, Diagnostic};
use gdlr_text::graph::Agenda;
use hashbrown::HashMap;
use std::collections::BTreeMap;

/// How much deeper than the rules write them terms may nest by what follows from the rules.
const MAX_DEPTH: usize = 64;
/// The largest shape of one relation, in functions and constants.
const MAX_SIZE: usize = 1 << 14;

/// The terms that can stand at an argument.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Shape {
    /// Whether constants can.
    pub(super) constants: bool,
    /// The functions whose terms can, with the shapes of their arguments.
    pub(super) functions: BTreeMap<(Symbol, u16), Vec<Shape>>,
}

impl Shape {
    /// Whether nothing can stand here.
    pub(super) fn is_empty(&self) -> bool {
        !self.constants && self.functions.is_empty()
    }

    /// Adds what `other` allows; says whether that was anything new.
    fn join(&mut self, other: &Shape) -> bool {
        let mut grown = other.constants && !self.constants;
        self.constants |= other.constants;
        for (function, args) in &other.functions {
            match self.functions.get_mut(function) {
                None => {
                    self.functions.insert(*function, args.clone());
                    grown = true;
                }
                Some(known) => {
                    for (known, arg) in known.iter_mut().zip(args) {
                        grown |= known.join(arg);
                    }
                }
            }
        }
        grown
    }

    /// The terms that both allow.
    fn meet(&self, other: &Shape) -> Shape {
        let mut functions = BTreeMap::new();
        for (function, args) in &self.functions {
            if let Some(others) = other.functions.get(function) {
                let args: Vec<Shape> = args.iter().zip(others).map(|(a, b)| a.meet(b)).collect();
                if args.iter().all(|arg| !arg.is_empty()) {
                    functions.insert(*function, args);
                }
            }
        }
        Shape { constants: self.constants && other.constants, functions }
    }

    fn depth_and_size(&self) -> (usize, usize) {
        let mut depth = 0;
        let mut size = 1;
        for arg in self.functions.values().flatten() {
            let (d, s) = arg.depth_and_size();
            depth = depth.max(d + 1);
            size += s;
        }
        (depth, size)
    }
}

/// The shapes of all relations' arguments.
#[derive(Debug, Default)]
pub(super) struct Shapes {
    relations: HashMap<RelationName, Vec<Shape>>,
}

impl Shapes {
    /// The shapes of a relation's arguments, or `None` if it never holds. `init`, `true` and
    /// `next` share theirs, as do `legal` and `does`.
    pub(super) fn of(&self, relation: Symbol, arity: usize) -> Option<&[Shape]> {
        self.relations.get(&joined(relation, arity)).map(|args| &args[..])
    }

    /// The relations that can hold.
    pub(super) fn relations(&self) -> impl Iterator<Item = RelationName> {
        self.relations.keys().copied()
    }

    /// The shape of each variable of a clause, or `None` if the clause can never hold.
    pub(super) fn variables(&self, clause: &Clause) -> Option<Vec<Shape>> {
        let mut shapes: Vec<Option<Shape>> = vec![None; usize::from(clause.variables)];
        self.restrict_body(&clause.body, &mut shapes)?;
        Some(shapes.into_iter().map(Option::unwrap_or_default).collect())
    }

    /// Restricts the variables of conditions that hold; `None` if they never do.
    fn restrict_body(&self, body: &[Condition], shapes: &mut Vec<Option<Shape>>) -> Option<()> {
        for condition in body {
            match condition {
                Condition::Positive(sentence) => self.restrict_all(sentence, shapes)?,
                Condition::Any(branches) => {
                    let ways = branches.iter().filter_map(|branch| {
                        let mut shapes = shapes.clone();
                        self.restrict_body(branch, &mut shapes).map(|()| shapes)
                    });
                    // The shape of a variable in some branch, unless one leaves it free.
                    *shapes = ways.reduce(|one, other| {
                        let joined = one.into_iter().zip(other).map(|(one, other)| {
                            let (mut one, other) = (one?, other?);
                            one.join(&other);
                            Some(one)
                        });
                        joined.collect()
                    })?;
                }
                Condition::Negative(_) | Condition::Distinct(..) | Condition::Same(..) => {}
            }
        }
        Some(())
    }

    /// The shape of one of a clause's variables where the sentence holds, or `None` if the
    /// sentence can never hold.
    pub(super) fn variable_of(
        &self,
        sentence: &Sentence,
        variable: Variable,
        variables: u16,
    ) -> Option<Shape> {
        let mut shapes = vec![None; usize::from(variables)];
        self.restrict_all(sentence, &mut shapes)?;
        shapes.swap_remove(usize::from(variable.0))
    }

    /// Restricts the variables of a sentence that holds; `None` if it never does.
    fn restrict_all(&self, sentence: &Sentence, shapes: &mut [Option<Shape>]) -> Option<()> {
        let args = self.of(sentence.relation, sentence.args.len())?;
        sentence.args.iter().zip(args).try_for_each(|(arg, shape)| restrict(arg, shape, shapes))
    }
}

/// The relation whose shapes a keyword shares.
fn joined(relation: Symbol, arity: usize) -> RelationName {
    let symbol = match relation {
        Symbol::INIT | Symbol::NEXT => Symbol::TRUE,
        Symbol::LEGAL => Symbol::DOES,
        other => other,
    };
    RelationName { symbol, arity }
}

/// Restricts the variables of a term that stands where `shape` is allowed; `None` if it
/// cannot stand there.
fn restrict(term: &Term, shape: &Shape, variables: &mut [Option<Shape>]) -> Option<()> {
    match term {
        Term::Constant(_) => shape.constants.then_some(()),
        Term::Variable(Variable(v)) => {
            let slot = &mut variables[usize::from(*v)];
            let met = match slot {
                None => shape.clone(),
                Some(known) => known.meet(shape),
            };
            if met.is_empty() {
                return None;
            }
            *slot = Some(met);
            Some(())
        }
        Term::Function(name, args) => {
            let shapes = shape.functions.get(&(*name, args.len() as u16))?;
            args.iter().zip(shapes).try_for_each(|(arg, shape)| restrict(arg, shape, variables))
        }
    }
}

/// The shape of a term of a head.
fn shape_of(term: &Term, variables: &[Shape]) -> Shape {
    match term {
        Term::Constant(_) => Shape { constants: true, functions: BTreeMap::new() },
        Term::Variable(Variable(v)) => variables[usize::from(*v)].clone(),
        Term::Function(name, args) => {
            let shapes = args.iter().map(|arg| shape_of(arg, variables)).collect();
            let functions = BTreeMap::from([((*name, args.len() as u16), shapes)]);
            Shape { constants: false, functions }
        }
    }
}

/// The least fixpoint over the clauses.
pub(super) fn infer(
    clauses: &[Clause],
    names: &Names,
    meter: &Meter<'_>,
) -> Result<Shapes, NormalError> {
    let mut users: HashMap<RelationName, Vec<usize>> = HashMap::new();
    for (place, clause) in clauses.iter().enumerate() {
        for condition in &clause.body {
            condition.for_each_sentence(&mut |s, positive| {
                if positive {
                    users.entry(joined(s.relation, s.args.len())).or_default().push(place);
                }
            });
        }
    }
    let written = clauses.iter().flat_map(|clause| &clause.head.args).map(Term::depth);
    let deepest = written.max().unwrap_or(0) + MAX_DEPTH;
    let mut shapes = Shapes::default();
    let mut agenda = Agenda::of_all(clauses.len());
    while let Some(place) = agenda.pop() {
        let clause = &clauses[place];
        meter.spend(1 + clause.body.len())?;
        let Some(variables) = shapes.variables(clause) else { continue };
        meter.spend(variables.iter().map(|shape| shape.depth_and_size().1).sum())?;
        let head: &Sentence = &clause.head;
        let name = joined(head.relation, head.args.len());
        let entry = shapes.relations.entry(name);
        let mut grown = matches!(entry, hashbrown::hash_map::Entry::Vacant(_));
        let of_relation = entry.or_insert_with(|| vec![Shape::default(); head.args.len()]);
        for (shape, arg) in of_relation.iter_mut().zip(&head.args) {
            grown |= shape.join(&shape_of(arg, &variables));
        }
        if !grown {
            continue;
        }
        for shape in of_relation.iter() {
            let (depth, size) = shape.depth_and_size();
            if depth > deepest || size > MAX_SIZE {
                return Err(unbounded(names, clause).into());
            }
        }
        users.get(&name).into_iter().flatten().for_each(|&user| agenda.push(user));
    }
    Ok(shapes)
}

/// The diagnostic of a clause by which terms grow.
pub(super) fn unbounded(names: &Names, clause: &Clause) -> Diagnostic {
    Diagnostic::new(
        Code::Unbounded,
        clause.source,
        format!(
            "this rule for `{}` lets terms grow without bound",
            names.spelling(clause.head.relation)
        ),
    )
    .with_help(
        "a recursive rule, or one from state to state, must not add functions around its variables",
    )
}

#[cfg(test)]
mod tests {
    use super::super::clause::clauses;
    use super::*;
    use crate::gdl::Game;
    use std::sync::Arc;

    fn shapes(text: &str) -> (Arc<Game>, Result<Shapes, Diagnostic>) {
        let game = Arc::new(Game::from_kif("t", text).unwrap());
        let mut names = Names::new(game.clone());
        let clauses = clauses(&game.rules, &mut names, &Meter::unlimited()).unwrap().clauses;
        (game, infer(&clauses, &names, &Meter::unlimited()).map_err(NormalError::refusal))
    }

    #[test]
    fn terms_that_grow_are_refused_with_their_rule() {
        let text = "(init (n 0)) (<= (next (n (s ?x))) (true (n ?x)))";
        let error = shapes(text).1.unwrap_err();
        assert_eq!(error.code, Code::Unbounded);
        assert!(text[error.span.range()].starts_with("(<= (next"));
    }

    #[test]
    fn what_is_written_down_is_not_too_deep() {
        let deep = "(s ".repeat(200) + "0" + &")".repeat(200);
        let text = format!("(p {deep}) (<= (q (f ?x)) (p ?x)) (<= (init (g ?x)) (q ?x))");
        assert!(shapes(&text).1.is_ok());
    }

    #[test]
    fn an_or_that_tests_keeps_terms_from_growing() {
        let (_, shapes) = shapes(
            "(r 1) (s 2) (<= (p ?x) (r ?x)) (<= (p (f ?x)) (p ?x) (or (r ?x) (s ?x) (t ?x)))",
        );
        assert!(shapes.is_ok());
    }

    #[test]
    fn domains_that_are_joined_but_not_fed_stay_apart() {
        let (game, shapes) =
            shapes("(q 1) (<= (p (f ?x)) (q ?x)) (<= (r ?x) (p ?x)) (<= (r ?x) (q ?x))");
        let shapes = shapes.unwrap();
        let of = |name: &str| &shapes.of(game.symbols.get(name).unwrap(), 1).unwrap()[0];
        assert!(of("q").functions.is_empty());
        assert!(of("r").constants && of("r").functions.len() == 1);
    }

    #[test]
    fn what_can_never_hold_has_no_shape() {
        let (game, shapes) =
            shapes("(q (f 1)) (<= (p ?x) (q (g ?x))) (<= (r ?x) (q ?x) (s ?x)) (s 1)");
        let shapes = shapes.unwrap();
        assert!(shapes.of(game.symbols.get("p").unwrap(), 1).is_none());
        assert!(shapes.of(game.symbols.get("r").unwrap(), 1).is_none());
    }
}
