//! Negation normal form and the multiplying out of `or` (FI, IV.B).
//!
//! A [`Clause`] is a rule whose conditions are positive or negative sentences, `distinct`,
//! its opposite, and tests made of those. An `or` stays a test when all its variables are
//! bound elsewhere, so that it can be decided row by row (the OR merge of FI, VI.B);
//! otherwise the rule is multiplied out, one clause a branch.

use super::error::NormalError;
use super::names::Names;
use crate::gdl::{Dependencies, Literal, LiteralKind, Rule, Sentence, Symbol, Term, Variable};
use gdlr_text::budget::{Exhausted, Meter};
use gdlr_text::diagnostic::{Code, Diagnostic, Span};
use hashbrown::HashSet;
use std::collections::BTreeSet;

/// The most clauses that a rulesheet may grow into.
const MAX_CLAUSES: usize = 1 << 19;
/// The most clauses that one rule may grow into, and the most conditions of all of them.
const MAX_CLAUSES_OF_RULE: usize = 1 << 14;
const MAX_CONDITIONS_OF_RULE: usize = 1 << 19;

/// A rule in negation normal form.
#[derive(Clone, Debug)]
pub(super) struct Clause {
    pub(super) head: Sentence,
    pub(super) body: Vec<Condition>,
    /// How many variables there are; the first ones are those of the rule.
    pub(super) variables: u16,
    pub(super) source: Span,
}

/// A condition in negation normal form.
#[derive(Clone, Debug)]
pub(super) enum Condition {
    Positive(Sentence),
    Negative(Sentence),
    Distinct(Term, Term),
    Same(Term, Term),
    Any(Vec<Vec<Condition>>),
}

/// All rules in negation normal form.
#[derive(Clone, Debug)]
pub(super) struct Clauses {
    pub(super) clauses: Vec<Clause>,
    /// The relation of all constants, if unsafe rules need one.
    pub(super) anything: Option<Symbol>,
}

/// Brings all rules into negation normal form.
pub(super) fn clauses(
    rules: &[Rule],
    names: &mut Names,
    meter: &Meter<'_>,
) -> Result<Clauses, NormalError> {
    let mut clauses = Vec::new();
    for mut clause in normal_clauses(rules, names, meter)? {
        if !never_holds(&clause) && resolve_equalities(&mut clause, meter)? {
            clauses.push(clause);
        }
    }
    let anything = bind_heads(rules, names, &mut clauses)?;
    for clause in &clauses {
        meter.spend(1 + clause.body.len())?;
        check_safety(rules, clause)?;
    }
    Ok(Clauses { clauses, anything })
}

/// Lets the unbound variables of heads range over all constants of the rulesheet, of which
/// there is a relation then.
fn bind_heads(
    rules: &[Rule],
    names: &mut Names,
    clauses: &mut Vec<Clause>,
) -> Result<Option<Symbol>, Diagnostic> {
    let mut unbound = Vec::new();
    for (place, clause) in clauses.iter().enumerate() {
        let bound = bound_variables(&clause.body);
        let mut free = Vec::new();
        each_variable(&clause.head, &mut |v| {
            if !bound.contains(&v) && !free.contains(&v) {
                free.push(v);
            }
        });
        if !free.is_empty() {
            unbound.push((place, free));
        }
    }
    if unbound.is_empty() {
        return Ok(None);
    }
    if let Some((place, found)) = unbound.iter().find(|(place, _)| clauses[*place].body.is_empty())
    {
        return Err(unsafe_variable(rules, &clauses[*place], found[0]));
    }
    let anything = names.make_up("any constant".to_owned())?;
    let mut constants = BTreeSet::new();
    for clause in clauses.iter() {
        clause.head.args.iter().for_each(|term| each_constant(term, &mut constants));
        for condition in &clause.body {
            condition.for_each_sentence(&mut |sentence, _| {
                sentence.args.iter().for_each(|term| each_constant(term, &mut constants));
            });
        }
    }
    for (place, variables) in unbound {
        let clause = &mut clauses[place];
        let span = clause.source;
        for variable in variables {
            let args = vec![Term::Variable(variable)];
            clause.body.push(Condition::Positive(Sentence { relation: anything, args, span }));
        }
    }
    for constant in constants {
        let args = vec![Term::Constant(constant)];
        let head = Sentence { relation: anything, args, span: Span::default() };
        clauses.push(Clause { head, body: Vec::new(), variables: 0, source: Span::default() });
    }
    Ok(Some(anything))
}

fn each_constant(term: &Term, found: &mut BTreeSet<Symbol>) {
    match term {
        Term::Variable(_) => {}
        Term::Constant(symbol) => {
            found.insert(*symbol);
        }
        Term::Function(_, args) => args.iter().for_each(|arg| each_constant(arg, found)),
    }
}

/// The variables that positive conditions bind.
pub(super) fn bound_variables(body: &[Condition]) -> HashSet<Variable> {
    let mut bound = HashSet::new();
    for condition in body {
        if let Condition::Positive(sentence) = condition {
            each_variable(sentence, &mut |v| _ = bound.insert(v));
        }
    }
    bound
}

fn normal_clauses(
    rules: &[Rule],
    names: &Names,
    meter: &Meter<'_>,
) -> Result<Vec<Clause>, NormalError> {
    let dependencies = Dependencies::new(rules);
    if dependencies.strata().is_none() {
        return Err(not_stratified(rules, names, &dependencies).into());
    }
    let mut clauses = Vec::new();
    for rule in rules {
        let head = number(&dependencies, &rule.head);
        let in_cycle = |sentence: &Sentence| {
            let condition = number(&dependencies, sentence);
            matches!((head, condition), (Some(a), Some(b)) if dependencies.in_cycle(a, b))
        };
        let mut body = Vec::new();
        for literal in &rule.body {
            normalise(literal, false, &mut body);
        }
        let before = clauses.len();
        let mut conditions = 0;
        let mut open = vec![body];
        while let Some(body) = open.pop() {
            conditions += body.len();
            meter.spend(1 + body.len())?;
            match body.iter().position(|c| needs_expansion(c, &rule.head, &body, &in_cycle)) {
                None => clauses.push(Clause {
                    head: rule.head.clone(),
                    body,
                    variables: rule.variables.len() as u16,
                    source: rule.span,
                }),
                Some(place) => {
                    let mut rest = body;
                    let Condition::Any(branches) = rest.remove(place) else {
                        unreachable!("only an `or` is expanded");
                    };
                    for branch in branches.into_iter().rev() {
                        let mut body = rest.clone();
                        body.splice(place..place, branch);
                        open.push(body);
                    }
                }
            }
            let of_rule = clauses.len() - before + open.len();
            if of_rule > MAX_CLAUSES_OF_RULE
                || of_rule > 1 && conditions > MAX_CONDITIONS_OF_RULE
                || clauses.len() + open.len() > MAX_CLAUSES
            {
                return Err(Diagnostic::new(
                    Code::TooLarge,
                    rule.span,
                    "the alternatives of `or` multiply out to too many rules",
                )
                .with_help("give the `or` a relation of its own")
                .into());
            }
        }
    }
    Ok(clauses)
}

/// Whether a clause has an empty `or` among its conditions.
fn never_holds(clause: &Clause) -> bool {
    clause.body.iter().any(|c| matches!(c, Condition::Any(branches) if branches.is_empty()))
}

fn number(dependencies: &Dependencies, sentence: &Sentence) -> Option<u32> {
    dependencies.number(sentence.relation, sentence.args.len())
}

/// Appends the conjunction that a literal, or its negation, amounts to.
fn normalise(literal: &Literal, negated: bool, out: &mut Vec<Condition>) {
    match &literal.kind {
        LiteralKind::Sentence(sentence) => out.push(match negated {
            false => Condition::Positive(sentence.clone()),
            true => Condition::Negative(sentence.clone()),
        }),
        LiteralKind::Distinct(a, b) => out.push(match negated {
            false => Condition::Distinct(a.clone(), b.clone()),
            true => Condition::Same(a.clone(), b.clone()),
        }),
        LiteralKind::Not(inner) => normalise(inner, !negated, out),
        LiteralKind::Or(items) if negated => {
            items.iter().for_each(|item| normalise(item, true, out));
        }
        LiteralKind::Or(items) => {
            let mut branches: Vec<Vec<Condition>> = Vec::new();
            for item in items {
                let mut branch = Vec::new();
                normalise(item, false, &mut branch);
                // An `or` that is all of a branch joins the outer one.
                match &mut branch[..] {
                    [Condition::Any(inner)] => branches.append(inner),
                    _ => branches.push(branch),
                }
            }
            match branches.len() {
                1 => out.append(&mut branches[0]),
                _ => out.push(Condition::Any(branches)),
            }
        }
    }
}

/// Whether a condition is an `or` that binds variables or takes part in a recursion, and so
/// cannot be a test.
fn needs_expansion(
    condition: &Condition,
    head: &Sentence,
    body: &[Condition],
    in_cycle: &impl Fn(&Sentence) -> bool,
) -> bool {
    let Condition::Any(_) = condition else { return false };
    let bound = bound_variables(body);
    let mut recursive = false;
    let mut seen = Vec::new();
    condition.for_each_sentence(&mut |sentence, positive| {
        recursive |= positive && in_cycle(sentence);
    });
    condition.for_each_variable(&mut |v| seen.push(v));
    let free = |v: &Variable| !bound.contains(v);
    let mut everywhere = Vec::new();
    each_variable(head, &mut |v| everywhere.push(v));
    body.iter().for_each(|c| c.for_each_variable(&mut |v| everywhere.push(v)));
    let count = |v: &Variable| everywhere.iter().filter(|w| *w == v).count();
    // A variable of one positive sentence alone asks for any value: that is still a test.
    recursive
        || seen.iter().any(|v| free(v) && (count(v) > 1 || !binds_in_some_branch(condition, *v)))
        || (seen.iter().any(free) && has_free_in_distinct(condition, &bound))
}

fn binds_in_some_branch(condition: &Condition, variable: Variable) -> bool {
    let mut binds = false;
    condition.for_each_sentence(&mut |sentence, _| {
        each_variable(sentence, &mut |v| binds |= v == variable);
    });
    binds
}

fn has_free_in_distinct(condition: &Condition, bound: &HashSet<Variable>) -> bool {
    match condition {
        Condition::Distinct(a, b) | Condition::Same(a, b) => {
            let mut free = false;
            a.for_each_variable(&mut |v| free |= !bound.contains(&v));
            b.for_each_variable(&mut |v| free |= !bound.contains(&v));
            free
        }
        Condition::Any(branches) => {
            branches.iter().flatten().any(|c| has_free_in_distinct(c, bound))
        }
        Condition::Positive(_) | Condition::Negative(_) => false,
    }
}

/// Calls `visit` with every variable of a sentence, repeats included.
pub(super) fn each_variable(sentence: &Sentence, visit: &mut impl FnMut(Variable)) {
    sentence.args.iter().for_each(|arg| arg.for_each_variable(visit));
}

impl Condition {
    /// Calls `visit` with every sentence and whether it is positive.
    pub(super) fn for_each_sentence<'a>(&'a self, visit: &mut impl FnMut(&'a Sentence, bool)) {
        match self {
            Condition::Positive(sentence) => visit(sentence, true),
            Condition::Negative(sentence) => visit(sentence, false),
            Condition::Distinct(..) | Condition::Same(..) => {}
            Condition::Any(branches) => {
                branches.iter().flatten().for_each(|c| c.for_each_sentence(visit));
            }
        }
    }

    /// Calls `visit` with every variable, repeats included.
    pub(super) fn for_each_variable(&self, visit: &mut impl FnMut(Variable)) {
        match self {
            Condition::Positive(s) | Condition::Negative(s) => each_variable(s, visit),
            Condition::Distinct(a, b) | Condition::Same(a, b) => {
                a.for_each_variable(visit);
                b.for_each_variable(visit);
            }
            Condition::Any(branches) => {
                branches.iter().flatten().for_each(|c| c.for_each_variable(visit));
            }
        }
    }

    /// Replaces a variable everywhere.
    pub(super) fn substitute(&mut self, variable: Variable, by: &Term) {
        match self {
            Condition::Positive(s) | Condition::Negative(s) => {
                s.args.iter_mut().for_each(|arg| substitute(arg, variable, by));
            }
            Condition::Distinct(a, b) | Condition::Same(a, b) => {
                substitute(a, variable, by);
                substitute(b, variable, by);
            }
            Condition::Any(branches) => {
                branches.iter_mut().flatten().for_each(|c| c.substitute(variable, by));
            }
        }
    }
}

/// Replaces a variable everywhere in a term.
pub(super) fn substitute(term: &mut Term, variable: Variable, by: &Term) {
    match term {
        Term::Variable(v) if *v == variable => *term = by.clone(),
        Term::Variable(_) | Term::Constant(_) => {}
        Term::Function(_, args) => args.iter_mut().for_each(|arg| substitute(arg, variable, by)),
    }
}

impl Clause {
    /// Replaces a variable everywhere.
    pub(super) fn substitute(&mut self, variable: Variable, by: &Term) {
        self.head.args.iter_mut().for_each(|arg| substitute(arg, variable, by));
        self.body.iter_mut().for_each(|condition| condition.substitute(variable, by));
    }
}

/// Carries out the equations that `(not (distinct a b))` states on the clause's top level.
/// Returns whether the clause can hold at all.
fn resolve_equalities(clause: &mut Clause, meter: &Meter<'_>) -> Result<bool, Exhausted> {
    while let Some(place) = clause.body.iter().position(|c| matches!(c, Condition::Same(..))) {
        let Condition::Same(a, b) = clause.body.remove(place) else { unreachable!("just found") };
        let mut pairs = vec![(a, b)];
        while let Some((a, b)) = pairs.pop() {
            meter.spend(1 + clause.body.len())?;
            match (a, b) {
                (a, b) if a == b => {}
                (Term::Variable(v), t) | (t, Term::Variable(v)) => {
                    let mut occurs = false;
                    t.for_each_variable(&mut |w| occurs |= v == w);
                    if occurs {
                        return Ok(false);
                    }
                    clause.substitute(v, &t);
                    for (a, b) in &mut pairs {
                        substitute(a, v, &t);
                        substitute(b, v, &t);
                    }
                }
                (Term::Function(f, a), Term::Function(g, b)) if f == g && a.len() == b.len() => {
                    pairs.extend(a.into_iter().zip(b));
                }
                _ => return Ok(false),
            }
        }
    }
    Ok(true)
}

/// Refuses a variable of the head, of `distinct` or of a test that no positive condition
/// binds (SPEC, definition 18).
fn check_safety(rules: &[Rule], clause: &Clause) -> Result<(), Diagnostic> {
    let bound = bound_variables(&clause.body);
    let mut unsafe_one = None;
    let mut need = |v: Variable| {
        if !bound.contains(&v) {
            unsafe_one.get_or_insert(v);
        }
    };
    each_variable(&clause.head, &mut need);
    for condition in &clause.body {
        if let Condition::Distinct(a, b) | Condition::Same(a, b) = condition {
            a.for_each_variable(&mut need);
            b.for_each_variable(&mut need);
        }
    }
    match unsafe_one {
        None => Ok(()),
        Some(variable) => Err(unsafe_variable(rules, clause, variable)),
    }
}

fn unsafe_variable(rules: &[Rule], clause: &Clause, variable: Variable) -> Diagnostic {
    let name = rule_of(rules, clause.source)
        .and_then(|rule| rule.variables.get(usize::from(variable.0)))
        .map_or("?", |name| &**name);
    Diagnostic::new(
        Code::UnsafeVariable,
        clause.source,
        format!("no positive condition binds the variable `{name}`"),
    )
    .with_help("add a condition that says what values the variable can have")
}

fn rule_of(rules: &[Rule], source: Span) -> Option<&Rule> {
    rules.iter().find(|rule| rule.span == source)
}

fn not_stratified(rules: &[Rule], names: &Names, dependencies: &Dependencies) -> Diagnostic {
    for rule in rules {
        let head = number(dependencies, &rule.head);
        let mut negated_sentence = None;
        for literal in &rule.body {
            literal.for_each_sentence(&mut |sentence, negated| {
                let condition = number(dependencies, sentence);
                if let (Some(a), Some(b), true) = (head, condition, negated)
                    && dependencies.component_of[a as usize]
                        == dependencies.component_of[b as usize]
                {
                    negated_sentence.get_or_insert(sentence);
                }
            });
        }
        if let Some(sentence) = negated_sentence {
            return Diagnostic::new(
                Code::NotStratified,
                sentence.span,
                format!("`{}` depends on its own negation", names.spelling(rule.head.relation)),
            )
            .with_help("no relation may depend on the negation of itself");
        }
    }
    Diagnostic::new(Code::NotStratified, Span::default(), "the rules are not stratified")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gdl::Game;
    use gdlr_text::budget::Budget;
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    fn normal(text: &str) -> Result<Vec<Clause>, Diagnostic> {
        let game = Arc::new(Game::from_kif("t", text).unwrap());
        let clauses_of_rules =
            clauses(&game.rules, &mut Names::new(game.clone()), &Meter::unlimited());
        Ok(clauses_of_rules.map_err(NormalError::refusal)?.clauses)
    }

    fn args(count: usize) -> String {
        (0..count).map(|place| format!(" ?{place}")).collect()
    }

    fn code(text: &str) -> Code {
        normal(text).unwrap_err().code
    }

    #[test]
    fn not_moves_inwards() {
        let clauses_of_rules =
            normal("(<= (p ?x) (q ?x) (not (or (r ?x) (not (s ?x)) (distinct ?x a))))").unwrap();
        assert_eq!(clauses_of_rules.len(), 1);
        let kinds: Vec<_> = clauses_of_rules[0].body.iter().map(std::mem::discriminant).collect();
        let q = Condition::Positive(clauses_of_rules[0].head.clone());
        let r = Condition::Negative(clauses_of_rules[0].head.clone());
        let [q, r] = [&q, &r].map(std::mem::discriminant);
        // The negated `distinct` became an equation, and that was carried out.
        assert_eq!(kinds, [q, r, q]);
        assert!(clauses_of_rules[0].head.args[0].is_ground());
    }

    #[test]
    fn an_or_that_tests_stays_and_one_that_binds_is_multiplied_out() {
        assert_eq!(normal("(<= (p ?x) (q ?x) (or (r ?x ?y) (distinct ?x a)))").unwrap().len(), 1);
        assert_eq!(normal("(<= (p ?x) (or (r ?x) (s ?x)) (or (t ?x) (u ?x)))").unwrap().len(), 2);
        assert_eq!(
            normal("(<= (p ?x ?y) (or (r ?x) (s ?x)) (or (t ?y) (u ?y)))").unwrap().len(),
            4
        );
        assert_eq!(normal("(<= (p ?x) (q ?x) (or (p ?x) (r ?x)))").unwrap().len(), 2);
    }

    #[test]
    fn an_or_is_multiplied_out_within_the_budget() {
        let branches = |place: usize| format!(" (or (a ?{place}) (b ?{place}))");
        let text = format!("(<= (p{}){})", args(13), (0..13).map(branches).collect::<String>());
        let game = Arc::new(Game::from_kif("t", &text).unwrap());
        let stop = AtomicBool::new(true);
        let meter = Budget { interrupted: Some(&stop), ..Budget::UNLIMITED }.start();
        let clauses_of_rules = normal_clauses(&game.rules, &Names::new(game.clone()), &meter);
        assert!(matches!(clauses_of_rules, Err(NormalError::Exhausted(_))));
    }

    #[test]
    fn equations_are_carried_out_within_the_budget() {
        let equations = |place: usize| format!(" (not (distinct ?{place} ?{}))", place + 1);
        let text = format!("(<= (p ?0) (q ?0){})", (0..200).map(equations).collect::<String>());
        let game = Arc::new(Game::from_kif("t", &text).unwrap());
        let names = Names::new(game.clone());
        let clauses = normal_clauses(&game.rules, &names, &Meter::unlimited()).unwrap();
        let stop = AtomicBool::new(true);
        let meter = Budget { interrupted: Some(&stop), ..Budget::UNLIMITED }.start();
        assert!(resolve_equalities(&mut clauses[0].clone(), &meter).is_err());
        assert_eq!(resolve_equalities(&mut clauses[0].clone(), &Meter::unlimited()), Ok(true));
    }

    #[test]
    fn an_empty_or_never_holds() {
        assert_eq!(normal("(<= (p ?x) (q ?x) (or))").unwrap().len(), 0);
        assert_eq!(normal("(<= (p ?x) (or))").unwrap().len(), 0);
    }

    #[test]
    fn unsafe_rules_are_refused() {
        assert_eq!(code("(p ?x)"), Code::UnsafeVariable);
        assert_eq!(code("(<= p (q ?y) (distinct ?x ?y))"), Code::UnsafeVariable);
        assert!(normal("(<= p (not (q ?x)))").is_ok());
    }

    #[test]
    fn an_unbound_variable_of_a_head_is_any_constant() {
        let clauses_of_rules = normal("(<= (p ?x ?y) (q ?x) (not (r ?y a)))").unwrap();
        // The rule, and a fact for the only constant.
        assert_eq!(clauses_of_rules.len(), 2);
        assert_eq!(clauses_of_rules[0].body.len(), 3);
    }

    #[test]
    fn cycles_through_negation_are_refused() {
        assert_eq!(code("(<= p (not q)) (<= q p)"), Code::NotStratified);
    }
}
