//! An evaluator of rulesheets that is slow and obvious: the oracle of the tests.
//!
//! It follows SPEC, definition 13, over plain terms. The rules of a relation are applied
//! until nothing new follows, relations that do not depend on each other one after the
//! other, conditions first: a refinement of the strata in which every negated relation is
//! complete before it is asked. What does not depend on the state is computed once, which
//! is the only thing that is kept from state to state. Of a body, any condition may come
//! first in the text: tests wait until their variables are bound.
//!
//! How the corners of the language are read:
//! * `not` is moved inwards over `not` and `or` (de Morgan) before anything else.
//! * `or` stands for several rules, one an alternative (SPEC, definition 18).
//! * A variable that is still free when everything that could bind it has been used reads,
//!   inside a `not`, as "for no value"; anywhere else it is an error.
//! * A rule whose head has a variable that no sentence of its body binds holds for every
//!   term there; it is tried where its relation is asked with all variables bound.
//! * `goal` counts as one relation for each value where all its values are constants, so
//!   that `(<= (goal ?r 0) (role ?r) (not (goal ?r 100)))` is no cycle.
//! * `terminal`, `legal` and `goal` should not depend on `does`; where they do, nobody does
//!   anything.
//! * `true` and `does` hold for the state and the joint move only, whatever rules or facts
//!   a rulesheet gives for them. What serves `base` of one argument and `input` of two, and
//!   nothing else, is left out.
//!
//! Terms that grow without bound, and work beyond [`STEPS`], are errors, in play the error of
//! the work limit.
// Each test that includes this module uses a part of it.
#![allow(dead_code, reason = "a test uses a part of it")]

use gdlr::diagnostic::{Code, Diagnostic, Span};
use gdlr::engine::{Engine, FactError, GoalError, MoveId, RoleId, Roles, StepError, WorkLimit};
use gdlr::gdl::{
    Dependencies, Game, Literal, LiteralKind, Sentence, Symbol, SymbolTable, Term, Variable,
};
use hashbrown::{HashMap, HashSet};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard};

/// The most conditions that are looked at for one state, if nothing else is said.
pub const STEPS: u64 = 300_000_000;
/// The most facts of one relation.
pub const FACTS: usize = 2_000_000;
/// The deepest term.
pub const DEPTH: usize = 40;
/// Of how many states what was computed is kept.
const KEPT: usize = 100;

/// A rulesheet made ready for evaluation.
pub struct Naive {
    game: Game,
    /// The relations that stand for `goal` with one value each; none if it is not split.
    goals: Vec<(Symbol, Term)>,
    dependencies: Dependencies,
    /// By relation: its rules.
    rules: Vec<Vec<Rule>>,
    /// By relation: its rules whose heads have variables that nothing binds.
    open_rules: Vec<Vec<Rule>>,
    /// By phase and relation: whether it is computed then.
    phases: [Vec<bool>; 4],
    /// The facts that do not depend on the state.
    unchanging: Model,
    initial: BTreeSet<Term>,
    /// The most conditions that are looked at for one state.
    limit: u64,
    roles: Roles,
    moves: Mutex<Numbered>,
    /// The results for some states.
    known: Mutex<HashMap<State, StateResults>>,
}

/// A state: its facts.
type State = BTreeSet<Term>;

/// The results for a state.
#[derive(Clone)]
struct StateResults {
    model: Model,
    /// Whether the relations that only goals need are there.
    goals: bool,
}

/// Moves in the order in which they were met.
#[derive(Default)]
struct Numbered {
    moves: Vec<(RoleId, Term)>,
    numbers: HashMap<(RoleId, Term), MoveId>,
}

/// When a relation is computed; some are computed both in a state and after a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Once: it depends neither on `true` nor on `does`.
    Once,
    /// In every state, where no move has been made: `terminal`, `legal` or `next` needs it.
    State,
    /// In a state whose goals are asked.
    Goal,
    /// After a joint move: it depends on `does`, and `next` needs it.
    Step,
}

/// A rule over numbered relations.
struct Rule {
    head: Atom,
    body: Vec<Condition>,
    variables: usize,
}

impl Rule {
    /// Whether a variable of the head occurs in no sentence of the body.
    fn is_open(&self) -> bool {
        fn sentences(condition: &Condition, found: &mut Vec<Variable>) {
            match condition {
                Condition::Holds(atom) => {
                    atom.args.iter().for_each(|arg| arg.for_each_variable(&mut |v| found.push(v)));
                }
                Condition::Or(ways) => ways.iter().flatten().for_each(|c| sentences(c, found)),
                _ => {}
            }
        }
        let mut bound = Vec::new();
        self.body.iter().for_each(|condition| sentences(condition, &mut bound));
        let mut open = false;
        self.head.args.iter().for_each(|arg| {
            arg.for_each_variable(&mut |v| open |= !bound.contains(&v));
        });
        open
    }
}

/// A relation applied to terms.
struct Atom {
    relation: usize,
    args: Vec<Term>,
}

/// A condition with negation moved inwards.
enum Condition {
    Holds(Atom),
    Fails(Atom),
    Distinct(Term, Term),
    Same(Term, Term),
    /// One of these conjunctions holds.
    Or(Vec<Vec<Condition>>),
}

/// By relation: its facts.
type Model = Vec<Arc<Table>>;

/// By variable: its value.
type Bindings<'a> = Vec<Option<&'a Term>>;

/// A name and where it stands in a row: argument, and argument of the argument counted from
/// 1, or 0 for the argument itself.
type Name = (usize, usize, Symbol);

/// The facts of a relation.
#[derive(Clone, Default)]
struct Table {
    rows: Vec<Vec<Term>>,
    set: HashSet<Vec<Term>>,
    /// The rows with these two names, which may be the same one.
    index: HashMap<[Name; 2], Vec<usize>>,
}

impl Table {
    /// Adds a fact; false if it is there already.
    fn insert(&mut self, row: Vec<Term>) -> bool {
        if !self.set.insert(row.clone()) {
            return false;
        }
        let number = self.rows.len();
        for pair in pairs(&names(&row, &Vec::new())) {
            self.index.entry(pair).or_default().push(number);
        }
        self.rows.push(row);
        true
    }

    /// A superset of the rows that match, as narrow as two places allow; `None` for all.
    fn candidates(&self, args: &[Term], bound: &Bindings) -> Option<&[usize]> {
        let rows = |pair: [Name; 2]| self.index.get(&pair).map_or(&[][..], |rows| rows);
        pairs(&names(args, bound)).map(rows).min_by_key(|rows| rows.len())
    }
}

/// The names of constants and functions, one level into functions; a few are enough.
fn names(args: &[Term], bound: &Bindings) -> Vec<Name> {
    let mut names = Vec::new();
    for (place, arg) in args.iter().enumerate().take(8) {
        match value(arg, bound) {
            Term::Variable(_) => {}
            Term::Constant(name) => names.push((place, 0, *name)),
            Term::Function(name, inner) => {
                names.push((place, 0, *name));
                for (index, term) in inner.iter().enumerate().take(4) {
                    if let Term::Constant(name) | Term::Function(name, _) = value(term, bound) {
                        names.push((place, index + 1, *name));
                    }
                }
            }
        }
    }
    names
}

fn pairs(names: &[Name]) -> impl Iterator<Item = [Name; 2]> {
    (0..names.len()).flat_map(move |a| (a..names.len()).map(move |b| [names[a], names[b]]))
}

/// The value of a variable that is bound, and the term itself otherwise.
fn value<'t>(term: &'t Term, bound: &Bindings<'t>) -> &'t Term {
    match term {
        Term::Variable(v) => bound.get(usize::from(v.0)).copied().flatten().unwrap_or(term),
        _ => term,
    }
}

/// The term with its variables replaced, or `None` if one is free.
fn instance(term: &Term, bound: &Bindings) -> Option<Term> {
    match term {
        Term::Variable(v) => bound[usize::from(v.0)].cloned(),
        Term::Constant(_) => Some(term.clone()),
        Term::Function(name, args) => Some(Term::Function(*name, instances(args, bound)?)),
    }
}

fn instances(args: &[Term], bound: &Bindings) -> Option<Vec<Term>> {
    args.iter().map(|arg| instance(arg, bound)).collect()
}

fn is_bound(term: &Term, bound: &Bindings) -> bool {
    match term {
        Term::Variable(v) => bound[usize::from(v.0)].is_some(),
        Term::Constant(_) => true,
        Term::Function(_, args) => are_bound(args, bound),
    }
}

fn are_bound(args: &[Term], bound: &Bindings) -> bool {
    args.iter().all(|arg| is_bound(arg, bound))
}

fn depth(term: &Term) -> usize {
    match term {
        Term::Function(_, args) => 1 + args.iter().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

/// Extends the bindings so that the pattern equals the ground fact; false if there is no
/// way, and then some variables may have been bound. `trail` notes what was bound.
fn unify<'a>(
    pattern: &Term,
    fact: &'a Term,
    bound: &mut Bindings<'a>,
    trail: &mut Vec<usize>,
) -> bool {
    match (pattern, fact) {
        (Term::Variable(v), _) => {
            let v = usize::from(v.0);
            if bound[v].is_none() {
                bound[v] = Some(fact);
                trail.push(v);
            }
            bound[v] == Some(fact)
        }
        (Term::Constant(a), Term::Constant(b)) => a == b,
        (Term::Function(f, left), Term::Function(g, right)) => {
            f == g && unify_all(left, right, bound, trail)
        }
        _ => false,
    }
}

fn unify_all<'a>(
    patterns: &[Term],
    facts: &'a [Term],
    bound: &mut Bindings<'a>,
    trail: &mut Vec<usize>,
) -> bool {
    patterns.len() == facts.len()
        && patterns.iter().zip(facts).all(|(pattern, fact)| unify(pattern, fact, bound, trail))
}

impl Condition {
    fn is_bound(&self, bound: &Bindings) -> bool {
        match self {
            Condition::Holds(atom) | Condition::Fails(atom) => are_bound(&atom.args, bound),
            Condition::Distinct(left, right) | Condition::Same(left, right) => {
                is_bound(left, bound) && is_bound(right, bound)
            }
            Condition::Or(ways) => ways.iter().flatten().all(|inner| inner.is_bound(bound)),
        }
    }
}

/// Finds the substitutions under which a body is satisfied.
struct Solver<'a> {
    model: &'a Model,
    steps: &'a mut u64,
    limit: u64,
    open_rules: &'a [Vec<Rule>],
}

impl<'a> Solver<'a> {
    /// Calls `found` with every substitution that satisfies all of `todo`, until `found`
    /// says false; the result is false then, too.
    fn solve(
        &mut self,
        todo: &[&Condition],
        bound: &mut Bindings<'a>,
        found: &mut dyn FnMut(&Bindings<'a>) -> Result<bool, String>,
    ) -> Result<bool, String> {
        *self.steps += 1;
        if *self.steps > self.limit {
            return Err(format!("more than {} steps in one state", self.limit));
        }
        let Some(place) = self.choose(todo, bound) else { return found(bound) };
        let mut rest = todo.to_vec();
        match rest.remove(place) {
            Condition::Holds(atom) => {
                let model = self.model;
                let table: &'a Table = &model[atom.relation];
                if let Some(row) = instances(&atom.args, bound) {
                    return if self.holds(atom.relation, &row)? {
                        self.solve(&rest, bound, found)
                    } else {
                        Ok(true)
                    };
                }
                if !self.open_rules[atom.relation].is_empty() {
                    return Err("a variable of an open rule that nothing binds".to_owned());
                }
                let mut trail = Vec::new();
                let mut one = |row: &'a Vec<Term>, bound: &mut Bindings<'a>| {
                    let matched = unify_all(&atom.args, row, bound, &mut trail);
                    let more = if matched { self.solve(&rest, bound, found) } else { Ok(true) };
                    trail.drain(..).for_each(|v| bound[v] = None);
                    more
                };
                match table.candidates(&atom.args, bound) {
                    Some(numbers) => {
                        for &number in numbers {
                            if !one(&table.rows[number], bound)? {
                                return Ok(false);
                            }
                        }
                    }
                    None => {
                        for row in &table.rows {
                            if !one(row, bound)? {
                                return Ok(false);
                            }
                        }
                    }
                }
                Ok(true)
            }
            Condition::Fails(atom) => {
                // Variables that are free here can no longer be bound: for no value.
                let table = &self.model[atom.relation];
                let any = match instances(&atom.args, bound) {
                    Some(row) => self.holds(atom.relation, &row)?,
                    None => table
                        .rows
                        .iter()
                        .any(|row| unify_all(&atom.args, row, &mut bound.clone(), &mut Vec::new())),
                };
                if any { Ok(true) } else { self.solve(&rest, bound, found) }
            }
            Condition::Distinct(left, right) => {
                match (instance(left, bound), instance(right, bound)) {
                    (Some(left), Some(right)) if left != right => self.solve(&rest, bound, found),
                    (Some(_), Some(_)) => Ok(true),
                    _ => Err("a variable of `distinct` that nothing binds".to_owned()),
                }
            }
            Condition::Same(left, right) => match (instance(left, bound), instance(right, bound)) {
                (Some(left), Some(right)) if left == right => self.solve(&rest, bound, found),
                (Some(_), Some(_)) => Ok(true),
                _ => Err("a variable of `not distinct` that nothing binds".to_owned()),
            },
            or @ Condition::Or(ways) => {
                let is_test = or.is_bound(bound);
                for way in ways {
                    if is_test {
                        // One way is as good as two: nothing is bound by any.
                        let way: Vec<&Condition> = way.iter().collect();
                        if !self.solve(&way, bound, &mut |_| Ok(false))? {
                            return self.solve(&rest, bound, found);
                        }
                    } else {
                        let todo: Vec<&Condition> = rest.iter().copied().chain(way).collect();
                        if !self.solve(&todo, bound, found)? {
                            return Ok(false);
                        }
                    }
                }
                Ok(true)
            }
        }
    }

    /// Whether a ground sentence holds.
    fn holds(&mut self, relation: usize, row: &[Term]) -> Result<bool, String> {
        if self.model[relation].set.contains(row) {
            return Ok(true);
        }
        for rule in &self.open_rules[relation] {
            let mut bound: Bindings = vec![None; rule.variables];
            if unify_all(&rule.head.args, row, &mut bound, &mut Vec::new()) {
                let todo: Vec<&Condition> = rule.body.iter().collect();
                let mut inner = Solver {
                    model: self.model,
                    steps: &mut *self.steps,
                    limit: self.limit,
                    open_rules: self.open_rules,
                };
                if !inner.solve(&todo, &mut bound, &mut |_| Ok(false))? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// The condition to look at next: one without free variables; else the sentence with
    /// the fewest facts to try; else an `or`; else what has to do with free variables.
    fn choose(&self, todo: &[&Condition], bound: &Bindings) -> Option<usize> {
        if let Some(ready) = todo.iter().position(|condition| condition.is_bound(bound)) {
            return Some(ready);
        }
        let effort = |condition: &Condition| match condition {
            Condition::Holds(atom) if !self.open_rules[atom.relation].is_empty() => usize::MAX,
            Condition::Holds(atom) => {
                let table = &self.model[atom.relation];
                table.candidates(&atom.args, bound).map_or(table.rows.len(), <[usize]>::len)
            }
            Condition::Or(_) => usize::MAX - 2,
            Condition::Fails(_) => usize::MAX - 1,
            Condition::Distinct(..) | Condition::Same(..) => usize::MAX,
        };
        (0..todo.len()).min_by_key(|&place| effort(todo[place]))
    }
}

fn atom(sentence: &Sentence, dependencies: &Dependencies) -> Atom {
    let relation = dependencies.number(sentence.relation, sentence.args.len());
    Atom {
        relation: relation.expect("the graph knows every sentence") as usize,
        args: sentence.args.clone(),
    }
}

/// The conjunction that a literal, or its negation, says.
fn conditions(literal: &Literal, negated: bool, graph: &Dependencies) -> Vec<Condition> {
    match &literal.kind {
        LiteralKind::Sentence(sentence) if negated => vec![Condition::Fails(atom(sentence, graph))],
        LiteralKind::Sentence(sentence) => vec![Condition::Holds(atom(sentence, graph))],
        LiteralKind::Not(inner) => conditions(inner, !negated, graph),
        LiteralKind::Distinct(left, right) if negated => {
            vec![Condition::Same(left.clone(), right.clone())]
        }
        LiteralKind::Distinct(left, right) => {
            vec![Condition::Distinct(left.clone(), right.clone())]
        }
        LiteralKind::Or(items) if negated => {
            items.iter().flat_map(|item| conditions(item, true, graph)).collect()
        }
        LiteralKind::Or(items) => {
            vec![Condition::Or(items.iter().map(|item| conditions(item, false, graph)).collect())]
        }
    }
}

impl Naive {
    /// Makes a game ready and computes what does not depend on the state.
    ///
    /// # Errors
    ///
    /// When the rules are not stratified, are unsafe, or their terms grow without bound.
    pub fn new(game: Game) -> Result<Naive, String> {
        Naive::with_limit(game, STEPS)
    }

    /// As [`Naive::new`], with another limit of work for one state.
    ///
    /// # Errors
    ///
    /// As [`Naive::new`], and when the limit is too small for what is computed once.
    pub fn with_limit(game: Game, limit: u64) -> Result<Naive, String> {
        let (mut split, goals) = split_goals(&game)?;
        let needed = needed(&split.rules, &goals);
        let mut place = 0..;
        split.rules.retain(|_| place.next().is_some_and(|place| needed[place]));
        let dependencies = Dependencies::new(&split.rules);
        if dependencies.strata().is_none() {
            return Err("the rules are not stratified".to_owned());
        }
        let given = [Symbol::TRUE, Symbol::DOES];
        let none = || dependencies.relations.iter().map(|_| Vec::new()).collect();
        let (mut rules, mut open_rules): (Vec<Vec<Rule>>, Vec<Vec<Rule>>) = (none(), none());
        for rule in split.rules.iter().filter(|rule| !given.contains(&rule.head.relation)) {
            let head = atom(&rule.head, &dependencies);
            let body = rule.body.iter().flat_map(|l| conditions(l, false, &dependencies)).collect();
            let rule = Rule { head, body, variables: rule.variables.len() };
            let name = dependencies.relations[rule.head.relation].symbol;
            let listed = name.is_keyword() || goals.iter().any(|&(goal, _)| goal == name);
            if rule.is_open() && listed {
                return Err("a variable of a head that nothing binds".to_owned());
            }
            let list = if rule.is_open() { &mut open_rules } else { &mut rules };
            list[rule.head.relation].push(rule);
        }
        let phases = phases(&dependencies, &goals);
        let empty = Arc::new(Table::default());
        let unchanging = vec![empty; dependencies.relations.len()];
        let initial = BTreeSet::new();
        let mut naive = Naive {
            roles: Roles::of(&game),
            moves: Mutex::default(),
            known: Mutex::default(),
            game,
            goals,
            dependencies,
            rules,
            open_rules,
            phases,
            unchanging,
            initial,
            limit,
        };
        let mut model = naive.unchanging.clone();
        let mut steps = 0;
        naive.extend(&mut model, Phase::Once, &mut steps)?;
        naive.unchanging = model;
        let empty = naive.model(&BTreeSet::new())?;
        naive.initial =
            naive.rows(&empty, Symbol::INIT, 1).iter().map(|row| row[0].clone()).collect();
        Ok(naive)
    }

    fn number(&self, relation: Symbol, arity: usize) -> Option<usize> {
        self.dependencies.number(relation, arity).map(|number| number as usize)
    }

    fn rows<'m>(&self, model: &'m Model, relation: Symbol, arity: usize) -> &'m [Vec<Term>] {
        self.number(relation, arity).map_or(&[], |number| &model[number].rows)
    }

    /// Computes the relations of a phase, each after those it depends on.
    fn extend(&self, model: &mut Model, phase: Phase, steps: &mut u64) -> Result<(), String> {
        for component in &self.dependencies.components {
            if self.phases[phase as usize][component[0] as usize] {
                while self.apply(model, component, steps)? {}
            }
        }
        Ok(())
    }

    /// Applies every rule for the relations of a component once; whether to do it again.
    fn apply(&self, model: &mut Model, component: &[u32], steps: &mut u64) -> Result<bool, String> {
        let mut grown = false;
        for rule in component.iter().flat_map(|&relation| &self.rules[relation as usize]) {
            let mut heads: HashSet<Vec<Term>> = HashSet::new();
            let todo: Vec<&Condition> = rule.body.iter().collect();
            Solver { model, steps, limit: self.limit, open_rules: &self.open_rules }.solve(
                &todo,
                &mut vec![None; rule.variables],
                &mut |bound| {
                    let head = instances(&rule.head.args, bound)
                        .ok_or("a variable of a head that nothing binds")?;
                    if head.iter().any(|term| depth(term) > DEPTH) {
                        return Err(format!("a term more than {DEPTH} deep"));
                    }
                    heads.insert(head);
                    Ok(true)
                },
            )?;
            let table = Arc::make_mut(&mut model[rule.head.relation]);
            for head in heads {
                grown |= table.insert(head);
            }
            if table.rows.len() > FACTS {
                return Err(format!("more than {FACTS} facts of one relation"));
            }
        }
        // A relation that does not depend on itself is complete.
        Ok(grown && self.dependencies.in_cycle(component[0], component[0]))
    }

    fn put(&self, model: &mut Model, relation: Symbol, rows: Vec<Vec<Term>>) {
        let Some(arity) = rows.first().map(Vec::len) else { return };
        if let Some(number) = self.number(relation, arity) {
            let mut table = Table::default();
            rows.into_iter().for_each(|row| {
                table.insert(row);
            });
            model[number] = Arc::new(table);
        }
    }

    /// All that holds in a state but what only goals need.
    fn model(&self, state: &BTreeSet<Term>) -> Result<Model, String> {
        let mut model = self.unchanging.clone();
        self.put(&mut model, Symbol::TRUE, state.iter().map(|fact| vec![fact.clone()]).collect());
        self.extend(&mut model, Phase::State, &mut 0)?;
        Ok(model)
    }

    /// All that holds when a joint move is made, which must be legal in the state of the model.
    fn after(&self, model: &Model, joint: &[Term]) -> Result<Model, String> {
        let mut model = model.clone();
        let roles = self.game.roles.iter().cloned();
        let does = roles.zip(joint.iter().cloned()).map(|(role, term)| vec![role, term]).collect();
        self.put(&mut model, Symbol::DOES, does);
        for (table, &again) in model.iter_mut().zip(&self.phases[Phase::Step as usize]) {
            if again {
                *table = Arc::default();
            }
        }
        self.extend(&mut model, Phase::Step, &mut 0)?;
        Ok(model)
    }
}

/// By rule: whether play needs it, or at least no hint does.
fn needed(rules: &[gdlr::gdl::Rule], goals: &[(Symbol, Term)]) -> Vec<bool> {
    let graph = Dependencies::new(rules);
    let numbers = 0..graph.relations.len() as u32;
    let is_hint = |&number: &u32| {
        let name = graph.relations[number as usize];
        [(Symbol::BASE, 1), (Symbol::INPUT, 2)].contains(&(name.symbol, name.arity))
    };
    let of_play = |number: &u32| {
        let name = graph.relations[*number as usize].symbol;
        (name.is_keyword() || goals.iter().any(|&(goal, _)| goal == name)) && !is_hint(number)
    };
    let by_hints = graph.reached(numbers.clone().filter(is_hint));
    let by_play = graph.reached(numbers.filter(of_play));
    let number = |rule: &gdlr::gdl::Rule| {
        graph.number(rule.head.relation, rule.head.args.len()).expect("the head of a rule") as usize
    };
    rules.iter().map(|rule| by_play[number(rule)] || !by_hints[number(rule)]).collect()
}

/// The game with a relation for each value of `goal`, where all values are constants, and
/// these relations.
fn split_goals(game: &Game) -> Result<(Game, Vec<(Symbol, Term)>), String> {
    let mut split = game.clone();
    let mut goals: Vec<(Symbol, Term)> = Vec::new();
    let mut constant = true;
    for rule in &mut split.rules {
        let mut visit = |sentence: &mut Sentence| {
            if sentence.relation != Symbol::GOAL {
                return Ok(());
            }
            let Term::Constant(value) = sentence.args[1] else {
                constant = false;
                return Ok(());
            };
            // No name that can be read has a space.
            let name = format!("goal {}", value.canonical(&game.symbols));
            sentence.relation = split.symbols.intern(&name).map_err(|full| full.to_string())?;
            sentence.args.truncate(1);
            let goal = (sentence.relation, Term::Constant(value));
            if !goals.contains(&goal) {
                goals.push(goal);
            }
            Ok(())
        };
        visit(&mut rule.head)?;
        rule.body.iter_mut().try_for_each(|literal| each_sentence(literal, &mut visit))?;
    }
    if constant { Ok((split, goals)) } else { Ok((game.clone(), Vec::new())) }
}

fn each_sentence(
    literal: &mut Literal,
    visit: &mut impl FnMut(&mut Sentence) -> Result<(), String>,
) -> Result<(), String> {
    match &mut literal.kind {
        LiteralKind::Sentence(sentence) => visit(sentence),
        LiteralKind::Not(inner) => each_sentence(inner, visit),
        LiteralKind::Or(items) => items.iter_mut().try_for_each(|l| each_sentence(l, visit)),
        LiteralKind::Distinct(..) => Ok(()),
    }
}

/// By phase and relation: whether it is computed then.
fn phases(graph: &Dependencies, goals: &[(Symbol, Term)]) -> [Vec<bool>; 4] {
    let find = |names: &[(Symbol, usize)]| -> Vec<u32> {
        names.iter().filter_map(|&(name, arity)| graph.number(name, arity)).collect()
    };
    let needed = |roots: &[(Symbol, usize)]| {
        let mut needed = vec![false; graph.relations.len()];
        let mut open = find(roots);
        while let Some(relation) = open.pop() {
            if !std::mem::replace(&mut needed[relation as usize], true) {
                open.extend(graph.conditions[relation as usize].iter().map(|&(to, _)| to));
            }
        }
        needed
    };
    let by_state = needed(&[(Symbol::INIT, 1), (Symbol::LEGAL, 2), (Symbol::TERMINAL, 0)]);
    let goals: Vec<_> = goals.iter().map(|&(name, _)| (name, 1)).collect();
    let by_goal = needed(if goals.is_empty() { &[(Symbol::GOAL, 2)] } else { &goals });
    let by_next = needed(&[(Symbol::NEXT, 1), (Symbol::SEES, 2)]);
    let on_true = graph.reaching(&find(&[(Symbol::TRUE, 1)]));
    let on_does = graph.reaching(&find(&[(Symbol::DOES, 2)]));
    let given = find(&[(Symbol::TRUE, 1), (Symbol::DOES, 2)]);
    let all = |holds: &dyn Fn(usize) -> bool| -> Vec<bool> {
        (0..graph.relations.len()).map(|r| holds(r) && !given.contains(&(r as u32))).collect()
    };
    let once = all(&|r| !on_true[r] && !on_does[r] && (by_state[r] || by_goal[r] || by_next[r]));
    let state = all(&|r| !once[r] && (by_state[r] || by_next[r] && !on_does[r]));
    let goal = all(&|r| !once[r] && !state[r] && by_goal[r]);
    let step = all(&|r| by_next[r] && on_does[r]);
    [once, state, goal, step]
}

/// The error of the work limit, with this reason.
fn limit(reason: String) -> WorkLimit {
    WorkLimit::new(Diagnostic::new(Code::TooMuchWork, Span::default(), reason))
}

/// The value that a lock guards is whole whenever a test fails.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

impl Naive {
    /// The rules.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The facts that hold in a state, and the goals if they are wanted.
    fn known(&self, state: &State, goals: bool) -> Result<Model, WorkLimit> {
        let kept = lock(&self.known).get(state).cloned();
        let mut results = match kept {
            Some(results) => results,
            None => StateResults { model: self.model(state).map_err(limit)?, goals: false },
        };
        if goals && !results.goals {
            self.extend(&mut results.model, Phase::Goal, &mut 0).map_err(limit)?;
            results.goals = true;
        }
        let mut all = lock(&self.known);
        if all.len() == KEPT && !all.contains_key(state) {
            all.clear();
        }
        all.insert(state.clone(), results.clone());
        Ok(results.model)
    }

    fn ends(&self, model: &Model) -> bool {
        !self.rows(model, Symbol::TERMINAL, 0).is_empty()
    }

    /// The legal moves of a role, terminal state or not.
    fn moves_of(&self, model: &Model, role: RoleId) -> BTreeSet<Term> {
        let Some(role) = self.game.roles.get(role.index()) else { return BTreeSet::new() };
        let rows = self.rows(model, Symbol::LEGAL, 2).iter();
        rows.filter(|row| row[0] == *role).map(|row| row[1].clone()).collect()
    }
}

/// By relation, its name and arity: its rows.
pub type Everything = Vec<(Symbol, usize, BTreeSet<Vec<Term>>)>;

impl Naive {
    /// The rows of every relation that play needs, in a state; those that depend on the joint move
    /// as they are when it is made, and without one as they are before. Relations with rules whose
    /// heads have variables that nothing binds are left out.
    pub fn everything(&self, state: &State, joint: Option<&[Term]>) -> Result<Everything, String> {
        let before = self.known(state, true).map_err(|limit| limit.to_string())?;
        let after = joint.map(|joint| self.after(&before, joint)).transpose()?;
        let mut everything = Everything::new();
        for (number, name) in self.dependencies.relations.iter().enumerate() {
            let [once, in_state, goal, step] = [0, 1, 2, 3].map(|phase| self.phases[phase][number]);
            let given = matches!(name.symbol, Symbol::TRUE | Symbol::DOES);
            let model = match &after {
                Some(after) if step || given => after,
                _ if once || in_state || goal || given => &before,
                _ => continue,
            };
            if !self.open_rules[number].is_empty() {
                continue;
            }
            let rows = model[number].rows.iter().cloned();
            match self.goals.iter().find(|(goal, _)| *goal == name.symbol) {
                None => everything.push((name.symbol, name.arity, rows.collect())),
                Some((_, value)) => {
                    let rows = rows.map(|mut row| {
                        row.push(value.clone());
                        row
                    });
                    match everything.iter_mut().find(|(name, ..)| *name == Symbol::GOAL) {
                        Some((.., known)) => known.extend(rows),
                        None => everything.push((Symbol::GOAL, 2, rows.collect())),
                    }
                }
            }
        }
        Ok(everything)
    }
}

impl Naive {
    /// The state after a joint move, and all that holds when it is made.
    fn made(&self, scratch: &State, joint: &[MoveId]) -> Result<(State, Model), StepError> {
        let model = self.known(scratch, false)?;
        if self.ends(&model) {
            return Err(StepError::Terminal);
        }
        if joint.len() != self.roles.count() {
            return Err(StepError::WrongLength);
        }
        let mut terms = Vec::new();
        for (role, id) in self.roles.iter().zip(joint) {
            let chosen = lock(&self.moves).moves.get(id.index()).cloned();
            match chosen {
                Some((whose, term))
                    if whose == role && self.moves_of(&model, role).contains(&term) =>
                {
                    terms.push(term);
                }
                _ => return Err(StepError::Illegal(role)),
            }
        }
        let after = self.after(&model, &terms).map_err(limit)?;
        let next = self.rows(&after, Symbol::NEXT, 1).iter();
        Ok((next.map(|row| row[0].clone()).collect(), after))
    }
}

impl Engine for Naive {
    type State = State;
    /// The state.
    type Scratch = State;

    fn roles(&self) -> &Roles {
        &self.roles
    }

    fn symbols(&self) -> &SymbolTable {
        &self.game.symbols
    }

    fn moves(&self) -> Option<usize> {
        None
    }

    fn initial(&self) -> &State {
        &self.initial
    }

    fn scratch(&self) -> State {
        self.initial.clone()
    }

    fn enter(&self, scratch: &mut State, state: &State) {
        scratch.clone_from(state);
    }

    fn enter_facts(&self, scratch: &mut State, facts: &[Term]) -> Result<(), FactError> {
        match facts.iter().find(|fact| !fact.is_ground()) {
            Some(fact) => Err(FactError::Unknown(fact.clone())),
            None => {
                *scratch = facts.iter().cloned().collect();
                Ok(())
            }
        }
    }

    fn save(&self, scratch: &State, state: &mut State) {
        state.clone_from(scratch);
    }

    fn terminal(&self, scratch: &mut State) -> Result<bool, WorkLimit> {
        Ok(self.ends(&self.known(scratch, false)?))
    }

    fn legal(
        &self,
        scratch: &mut State,
        role: RoleId,
        moves: &mut Vec<MoveId>,
    ) -> Result<(), WorkLimit> {
        moves.clear();
        let model = self.known(scratch, false)?;
        if !self.ends(&model) {
            let terms = self.moves_of(&model, role);
            moves.extend(terms.iter().filter_map(|term| self.move_id(role, term)));
        }
        Ok(())
    }

    fn goal(&self, scratch: &mut State, role: RoleId) -> Result<u8, GoalError> {
        let model = self.known(scratch, true)?;
        let role = self.game.roles.get(role.index()).ok_or(GoalError::Missing)?;
        let rows = self.rows(&model, Symbol::GOAL, 2);
        let mut values: Vec<Term> =
            rows.iter().filter(|row| row[0] == *role).map(|row| row[1].clone()).collect();
        for (relation, value) in &self.goals {
            if self.rows(&model, *relation, 1).iter().any(|row| row[0] == *role) {
                values.push(value.clone());
            }
        }
        values.sort();
        match &values[..] {
            [] => Err(GoalError::Missing),
            [Term::Constant(name)] => match name.canonical(&self.game.symbols).parse::<u8>() {
                Ok(value) if value <= 100 => Ok(value),
                _ => Err(GoalError::Improper(values)),
            },
            _ => Err(GoalError::Improper(values)),
        }
    }

    fn step(&self, scratch: &mut State, joint: &[MoveId]) -> Result<(), StepError> {
        *scratch = self.made(scratch, joint)?.0;
        Ok(())
    }

    fn has_percepts(&self) -> bool {
        self.number(Symbol::SEES, 2).is_some()
    }

    fn percepts(&self, scratch: &mut State, joint: &[MoveId]) -> Result<Vec<Vec<Term>>, StepError> {
        let (_, after) = self.made(scratch, joint)?;
        let of = |role: RoleId| {
            if !self.has_percepts() || self.roles.random() == Some(role) {
                return Vec::new();
            }
            let name = &self.game.roles[role.index()];
            let rows = self.rows(&after, Symbol::SEES, 2).iter();
            let own = rows.filter(|row| row[0] == *name).map(|row| row[1].clone());
            let mut percepts: Vec<Term> = own.collect();
            percepts.sort_unstable();
            percepts
        };
        Ok(self.roles.iter().map(of).collect())
    }

    fn facts(&self, state: &State) -> Vec<Term> {
        state.iter().cloned().collect()
    }

    fn move_term(&self, id: MoveId) -> (RoleId, Term) {
        lock(&self.moves).moves[id.index()].clone()
    }

    fn move_id(&self, role: RoleId, term: &Term) -> Option<MoveId> {
        if role.index() >= self.roles.count() || !term.is_ground() {
            return None;
        }
        let Numbered { moves, numbers } = &mut *lock(&self.moves);
        let id = numbers.entry((role, term.clone())).or_insert_with(|| {
            moves.push((role, term.clone()));
            MoveId(moves.len() as u32 - 1)
        });
        Some(*id)
    }
}
