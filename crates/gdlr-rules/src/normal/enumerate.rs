//! Static relations that only their facts bound, evaluated term by term.
//!
//! The shapes of arguments ([`super::shape`]) cannot tell that a recursion ends because its
//! facts do: `(<= (r ?x (f ?x)) (r ?y ?x) (q ?y))` nests one function more in each round, and
//! stops where `q` does (SPEC, definition 15, allows it). So where shapes grow without bound,
//! the static relations that nest terms through a recursion are computed here, over terms and
//! by definition, and their rules replaced by the facts that follow. What needs more than a
//! fixed amount of work, or nests deeper than the reader allows, is refused as before.
//!
//! The fixpoint is semi-naive: every new fact is matched once with each condition that could
//! use it. Relations are computed in the order of their components, so that what is negated
//! is complete.

use super::clause::{Clause, Condition, each_variable};
use super::error::NormalError;
use super::names::Names;
use super::shape::unbounded;
use crate::gdl::{RelationName, Sentence, Symbol, Term, Variable};
use gdlr_text::budget::Meter;
use gdlr_text::graph::strongly_connected;
use hashbrown::{HashMap, HashSet};

/// The most work for all relations: terms that are compared or built.
const MAX_WORK: u64 = 1 << 23;
/// The deepest term that a rule may build: as deep as the reader takes them.
const MAX_DEPTH: usize = 256;

/// Replaces the rules of static relations that nest terms through a recursion by the facts
/// that follow. Returns whether there were any.
pub(super) fn enumerate(
    clauses: &mut Vec<Clause>,
    names: &Names,
    meter: &Meter<'_>,
) -> Result<bool, NormalError> {
    let graph = Graph::new(clauses);
    let nesting: Vec<bool> = graph.components.iter().map(|c| graph.nests(clauses, c)).collect();
    if !nesting.contains(&true) {
        return Ok(false);
    }
    let mut needed = vec![false; graph.relations.len()];
    for (place, component) in graph.components.iter().enumerate().rev() {
        if nesting[place] || component.iter().any(|&r| needed[r as usize]) {
            for &relation in component {
                needed[relation as usize] = true;
                graph.conditions[relation as usize].iter().for_each(|&c| needed[c as usize] = true);
            }
        }
    }
    let mut computed = Computed { facts: HashMap::new(), work: Work { left: MAX_WORK, meter } };
    let mut facts_as_clauses: Vec<Clause> = Vec::new();
    let mut replaced = HashSet::new();
    for (place, component) in graph.components.iter().enumerate() {
        if !component.iter().any(|&relation| needed[relation as usize]) {
            continue;
        }
        let rules: Vec<&Clause> = (component.iter())
            .flat_map(|&relation| &graph.clauses_of[relation as usize])
            .map(|&clause| &clauses[clause as usize])
            .collect();
        let facts = match computed.component(&rules) {
            Ok(facts) => facts,
            Err(clause) => {
                // Not for lack of time?
                meter.check()?;
                return Err(unbounded(names, clause).into());
            }
        };
        if nesting[place] {
            replaced.extend(component.iter().map(|&relation| graph.relations[relation as usize]));
            facts_as_clauses.extend(facts.into_iter().map(|(clause, args)| Clause {
                head: Sentence { args, ..clause.head.clone() },
                body: Vec::new(),
                variables: 0,
                source: clause.source,
            }));
        }
    }
    clauses.retain(|clause| !replaced.contains(&name_of(&clause.head)));
    clauses.append(&mut facts_as_clauses);
    Ok(true)
}

fn name_of(sentence: &Sentence) -> RelationName {
    RelationName { symbol: sentence.relation, arity: sentence.args.len() }
}

/// Which relation's clauses mention which.
struct Graph {
    relations: Vec<RelationName>,
    clauses_of: Vec<Vec<u32>>,
    conditions: Vec<Vec<u32>>,
    /// Each after those it depends on.
    components: Vec<Vec<u32>>,
    /// By relation: whether it depends on neither state nor moves.
    is_static: Vec<bool>,
}

impl Graph {
    fn new(clauses: &[Clause]) -> Graph {
        let mut graph = Graph {
            relations: Vec::new(),
            clauses_of: Vec::new(),
            conditions: Vec::new(),
            components: Vec::new(),
            is_static: Vec::new(),
        };
        let mut numbers: HashMap<RelationName, u32> = HashMap::new();
        for (place, clause) in clauses.iter().enumerate() {
            let head = graph.number(&mut numbers, &clause.head);
            graph.clauses_of[head as usize].push(place as u32);
            for condition in &clause.body {
                condition.for_each_sentence(&mut |sentence, _| {
                    let condition = graph.number(&mut numbers, sentence);
                    graph.conditions[head as usize].push(condition);
                });
            }
        }
        graph.components = strongly_connected(&graph.conditions);
        let given = |name: &RelationName| matches!(name.symbol, Symbol::TRUE | Symbol::DOES);
        graph.is_static = graph.relations.iter().map(|name| !given(name)).collect();
        for component in &graph.components {
            let all = component.iter().all(|&relation| {
                let mut conditions = graph.conditions[relation as usize].iter();
                graph.is_static[relation as usize]
                    && conditions.all(|&condition| graph.is_static[condition as usize])
            });
            component.iter().for_each(|&relation| graph.is_static[relation as usize] = all);
        }
        graph
    }

    fn number(&mut self, numbers: &mut HashMap<RelationName, u32>, sentence: &Sentence) -> u32 {
        let name = name_of(sentence);
        *numbers.entry(name).or_insert_with(|| {
            self.relations.push(name);
            self.clauses_of.push(Vec::new());
            self.conditions.push(Vec::new());
            self.relations.len() as u32 - 1
        })
    }

    /// Whether a static component depends on itself, and puts functions around variables.
    fn nests(&self, clauses: &[Clause], component: &[u32]) -> bool {
        let nests = |term: &Term| matches!(term, Term::Function(..)) && !term.is_ground();
        let recursive =
            component.len() > 1 || self.conditions[component[0] as usize].contains(&component[0]);
        recursive
            && self.is_static[component[0] as usize]
            && (component.iter())
                .flat_map(|&relation| &self.clauses_of[relation as usize])
                .any(|&clause| clauses[clause as usize].head.args.iter().any(nests))
    }
}

type Row = Vec<Term>;

/// The values of a clause's variables, as far as they are known.
type Binding = Vec<Option<Term>>;

/// The work that is left; `None` of a function here means that it is spent, or that a term
/// is too deep.
struct Work<'m> {
    left: u64,
    meter: &'m Meter<'m>,
}

impl Work<'_> {
    fn spend(&mut self, work: usize) -> Option<()> {
        self.left = self.left.checked_sub(work as u64)?;
        self.meter.has(work).then_some(())
    }
}

#[derive(Default)]
struct Facts {
    rows: Vec<Row>,
    set: HashSet<Row>,
}

/// The facts of the relations computed so far.
struct Computed<'m> {
    facts: HashMap<RelationName, Facts>,
    work: Work<'m>,
}

impl Computed<'_> {
    /// Computes the relations of a component; gives each fact with the clause that it follows
    /// from. The error is the clause at which the work became too much.
    fn component<'c>(
        &mut self,
        rules: &[&'c Clause],
    ) -> Result<Vec<(&'c Clause, Row)>, &'c Clause> {
        let mut users: HashMap<RelationName, Vec<(&'c Clause, usize)>> = HashMap::new();
        for &rule in rules {
            users.entry(name_of(&rule.head)).or_default();
        }
        let mut rows_of_component: Vec<(&'c Clause, Row)> = Vec::new();
        for &rule in rules {
            let mut recursive = false;
            for (place, condition) in rule.body.iter().enumerate() {
                if let Condition::Positive(sentence) = condition
                    && let Some(users) = users.get_mut(&name_of(sentence))
                {
                    users.push((rule, place));
                    recursive = true;
                }
            }
            if !recursive {
                let binding = vec![None; usize::from(rule.variables)];
                let rows = self.derive(rule, None, binding).ok_or(rule)?;
                self.keep(rule, rows, &mut rows_of_component);
            }
        }
        let mut next = 0;
        while let Some((source, row)) = rows_of_component.get(next).cloned() {
            next += 1;
            for &(rule, place) in &users[&name_of(&source.head)] {
                let Condition::Positive(sentence) = &rule.body[place] else { continue };
                let mut binding = vec![None; usize::from(rule.variables)];
                let work = &mut self.work;
                if matches(&sentence.args, &row, &mut binding, &mut Vec::new(), work).ok_or(rule)? {
                    let rows = self.derive(rule, Some(place), binding).ok_or(rule)?;
                    self.keep(rule, rows, &mut rows_of_component);
                }
            }
        }
        Ok(rows_of_component)
    }

    fn keep<'c>(&mut self, rule: &'c Clause, rows: Vec<Row>, found: &mut Vec<(&'c Clause, Row)>) {
        let facts = self.facts.entry(name_of(&rule.head)).or_default();
        for row in rows {
            if facts.set.insert(row.clone()) {
                facts.rows.push(row.clone());
                found.push((rule, row));
            }
        }
    }

    /// The heads of a clause by a binding, of which the condition at `done` is known to hold.
    fn derive(&mut self, rule: &Clause, done: Option<usize>, binding: Binding) -> Option<Vec<Row>> {
        let mut bindings = vec![binding];
        for (place, condition) in rule.body.iter().enumerate() {
            if let Condition::Positive(sentence) = condition
                && Some(place) != done
            {
                let mut extended = Vec::new();
                for binding in bindings {
                    self.join(sentence, binding, &mut extended)?;
                }
                bindings = extended;
            }
        }
        let mut rows = Vec::new();
        for binding in &bindings {
            if self.all_hold(&rule.body, binding)? {
                let args = rule.head.args.iter();
                let row: Option<Row> =
                    args.map(|arg| build(arg, binding, MAX_DEPTH, &mut self.work)).collect();
                rows.push(row?);
            }
        }
        Some(rows)
    }

    /// Adds the bindings that also satisfy a sentence.
    fn join(
        &mut self,
        sentence: &Sentence,
        mut binding: Binding,
        extended: &mut Vec<Binding>,
    ) -> Option<()> {
        if is_bound(sentence, &binding) {
            if self.holds(sentence, &binding)? {
                extended.push(binding);
            }
            return Some(());
        }
        let Some(facts) = self.facts.get(&name_of(sentence)) else { return Some(()) };
        let mut bound = Vec::new();
        for row in &facts.rows {
            if matches(&sentence.args, row, &mut binding, &mut bound, &mut self.work)? {
                self.work.spend(binding.len())?;
                extended.push(binding.clone());
            }
            bound.drain(..).for_each(|v: Variable| binding[usize::from(v.0)] = None);
        }
        Some(())
    }

    /// Whether a sentence holds for some value of its free variables.
    fn holds(&mut self, sentence: &Sentence, binding: &Binding) -> Option<bool> {
        let Some(facts) = self.facts.get(&name_of(sentence)) else { return Some(false) };
        if is_bound(sentence, binding) {
            let args = sentence.args.iter();
            let row: Option<Row> =
                args.map(|arg| build(arg, binding, usize::MAX, &mut self.work)).collect();
            return Some(facts.set.contains(&row?));
        }
        let mut binding = binding.clone();
        let mut bound = Vec::new();
        for row in &facts.rows {
            if matches(&sentence.args, row, &mut binding, &mut bound, &mut self.work)? {
                return Some(true);
            }
            bound.drain(..).for_each(|v: Variable| binding[usize::from(v.0)] = None);
        }
        Some(false)
    }

    /// Whether conditions hold whose binding is complete, but for variables that only one
    /// condition mentions: those stand for any value, or under `not` for none.
    fn all_hold(&mut self, conditions: &[Condition], binding: &Binding) -> Option<bool> {
        for condition in conditions {
            let holds = match condition {
                Condition::Positive(sentence) => self.holds(sentence, binding)?,
                Condition::Negative(sentence) => !self.holds(sentence, binding)?,
                Condition::Distinct(a, b) | Condition::Same(a, b) => {
                    let a = build(a, binding, usize::MAX, &mut self.work)?;
                    let b = build(b, binding, usize::MAX, &mut self.work)?;
                    (a == b) == matches!(condition, Condition::Same(..))
                }
                Condition::Any(branches) => {
                    let mut any = false;
                    for branch in branches {
                        any = any || self.all_hold(branch, binding)?;
                    }
                    any
                }
            };
            if !holds {
                return Some(false);
            }
        }
        Some(true)
    }
}

fn is_bound(sentence: &Sentence, binding: &Binding) -> bool {
    let mut all = true;
    each_variable(sentence, &mut |v| all &= binding[usize::from(v.0)].is_some());
    all
}

/// Matches terms with those of a fact, and binds what is free; says whether they agree.
/// `bound` gets the variables that were free before.
fn matches(
    terms: &[Term],
    row: &[Term],
    binding: &mut Binding,
    bound: &mut Vec<Variable>,
    work: &mut Work<'_>,
) -> Option<bool> {
    for (term, value) in terms.iter().zip(row) {
        work.spend(1)?;
        let agrees = match (term, value) {
            (Term::Variable(v), _) => {
                work.spend(size(value))?;
                match &binding[usize::from(v.0)] {
                    Some(known) => known == value,
                    None => {
                        binding[usize::from(v.0)] = Some(value.clone());
                        bound.push(*v);
                        true
                    }
                }
            }
            (Term::Function(f, a), Term::Function(g, b)) if f == g && a.len() == b.len() => {
                matches(a, b, binding, bound, work)?
            }
            (term, value) => term == value,
        };
        if !agrees {
            return Some(false);
        }
    }
    Some(true)
}

/// A term with the values of its variables, no deeper than this.
fn build(term: &Term, binding: &Binding, deepest: usize, work: &mut Work<'_>) -> Option<Term> {
    work.spend(1)?;
    match term {
        Term::Variable(v) => {
            let value = binding[usize::from(v.0)].as_ref()?;
            work.spend(size(value))?;
            (value.depth() <= deepest).then(|| value.clone())
        }
        Term::Constant(_) => Some(term.clone()),
        Term::Function(name, args) => {
            let deepest = deepest.checked_sub(1)?;
            let args = args.iter().map(|arg| build(arg, binding, deepest, work));
            Some(Term::Function(*name, args.collect::<Option<_>>()?))
        }
    }
}

/// The number of names in a term.
fn size(term: &Term) -> usize {
    match term {
        Term::Variable(_) | Term::Constant(_) => 1,
        Term::Function(_, args) => 1 + args.iter().map(size).sum::<usize>(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::clause::clauses;
    use super::*;
    use crate::gdl::Game;
    use gdlr_text::diagnostic::Code;
    use std::sync::Arc;

    /// The facts that replace rules, sorted.
    fn enumerated(text: &str) -> Result<Vec<String>, NormalError> {
        let meter = Meter::unlimited();
        let game = Arc::new(Game::from_kif("t", text).unwrap());
        let mut names = Names::new(game.clone());
        let mut clauses = clauses(&game.rules, &mut names, &meter)?.clauses;
        let written = |clause: &Clause| {
            Term::Function(clause.head.relation, clause.head.args.clone()).spelled(&game.symbols)
        };
        let before: Vec<String> = clauses.iter().map(written).collect();
        enumerate(&mut clauses, &names, &meter)?;
        let mut facts: Vec<String> = clauses.iter().map(written).collect();
        facts.retain(|fact| !before.contains(fact));
        facts.sort();
        Ok(facts)
    }

    #[test]
    fn a_recursion_ends_with_its_facts() {
        let text = "(r 0 0) (q 0) (<= (r ?x (f ?x)) (r ?y ?x) (q ?y))";
        assert_eq!(enumerated(text).unwrap(), ["(r (f 0) (f (f 0)))", "(r 0 (f 0))"]);
    }

    #[test]
    fn all_kinds_of_conditions() {
        let text = "(n 0) (m 1) (stop (s (s (s 0)))) (<= (n (s ?x)) (n ?x) (not (stop ?x))
                (or (m 1) (stop ?x)) (distinct ?x (s (s (s (s 0))))) (not (distinct ?y 1)) (m ?y)
                (not (none ?z)))";
        assert_eq!(enumerated(text).unwrap(), ["(n (s (s (s 0))))", "(n (s (s 0)))", "(n (s 0))"]);
        let text = "(p 0 1) (q 1 2) (q 2 3) (<= (p (f ?x) ?z) (p ?x ?y) (q ?y ?z))";
        assert_eq!(enumerated(text).unwrap(), ["(p (f (f 0)) 3)", "(p (f 0) 2)"]);
    }

    #[test]
    fn what_does_not_nest_or_depends_on_the_state_stays() {
        assert_eq!(enumerated("(q 1) (<= (p ?x) (q ?x)) (<= (p ?x) (p ?x))").unwrap(), [""; 0]);
        let text = "(n 0) (<= (n (s ?x)) (n ?x) (true (m ?x)))";
        assert_eq!(enumerated(text).unwrap(), [""; 0]);
    }

    #[test]
    fn what_does_not_end_is_refused_with_its_rule() {
        for text in [
            "(n 0) (<= (n (s ?x)) (n ?x))",
            "(n 0) (<= (n (s ?x ?y)) (n ?x) (n ?y))",
            "(n 0 0) (<= (n (s ?x) ?z) (n ?x ?y) (n ?z ?w)) (<= (n ?x (s ?z)) (n ?x ?y) (n ?z ?w))",
        ] {
            let error = enumerated(text).unwrap_err().refusal();
            assert_eq!(error.code, Code::Unbounded);
            assert!(text[error.span.range()].starts_with("(<= (n "), "{error}");
        }
    }
}
