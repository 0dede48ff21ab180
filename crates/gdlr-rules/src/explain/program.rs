//! The rules of a game, ready to be evaluated one sentence at a time.
//!
//! They stay the rules of the rulesheet, each with its conditions in their places. Only `not`
//! is moved inwards (de Morgan), and an `or` becomes a condition with alternatives.

use super::rows::Rows;
use super::terms::{TermId, Terms};
use crate::gdl::{
    Dependencies, Game, Literal, LiteralKind, RelationName, Rule, Sentence, Symbol, Term, Variable,
    hints,
};
use crate::normal::Question;
use gdlr_text::diagnostic::Span;
use hashbrown::HashSet;
use smallvec::SmallVec;

/// When a sentence is asked (SPEC, definition 20). What is not there yet does not hold: no facts
/// while the initial state is made, no moves until the roles have moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Time {
    Initially,
    BeforeMoves,
    AfterMoves,
}

/// A relation at the time at which it is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Timed {
    pub(super) relation: u32,
    pub(super) time: Time,
}

/// Where the rows of a relation come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// The state.
    State,
    /// The joint move.
    Move,
    /// Facts of the rulesheet alone.
    Facts,
    /// Rules, and facts of the rulesheet.
    Rules,
}

/// The place of a condition among those of its rule.
pub(super) type ConditionId = u32;

/// A relation applied to terms.
#[derive(Clone, Debug)]
pub(super) struct Atom {
    pub(super) relation: u32,
    pub(super) args: Vec<Term>,
}

/// The kinds of condition.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    Holds(Atom),
    Fails(Atom),
    Distinct(Term, Term),
    Same(Term, Term),
    /// One of these conjunctions holds.
    Or(Vec<Vec<ConditionId>>),
}

/// A condition of a rule, or one within an `or`.
#[derive(Clone, Debug)]
pub(super) struct Condition {
    pub(super) span: Span,
    /// Where the conditions within it begin: they stand right before it.
    first: ConditionId,
    pub(super) kind: Kind,
    /// Its variables, each once.
    pub(super) variables: Vec<u16>,
    /// Those that occur elsewhere in the rule, too, outside of the condition.
    pub(super) shared: Vec<u16>,
}

/// A rule over numbered conditions.
#[derive(Clone, Debug)]
pub(super) struct Code {
    /// The place of the rule among those of the game.
    pub(super) rule: u32,
    pub(super) head: Vec<Term>,
    /// Those within an `or` included.
    pub(super) conditions: Vec<Condition>,
    /// The conditions of the body, in their order.
    pub(super) body: Vec<ConditionId>,
    pub(super) variables: usize,
    /// The variables of the head that need not be bound by the body. They stand for every
    /// constant of the rulesheet.
    pub(super) open: Vec<u16>,
}

/// Conditions that are an `or`, with the alternative taken.
pub(super) type Chosen = SmallVec<[(ConditionId, u32); 2]>;

/// The rules and facts of a relation.
#[derive(Clone, Debug)]
pub(super) struct Relation {
    pub(super) name: RelationName,
    pub(super) source: Source,
    /// Its rules, as places in [`Program::codes`].
    pub(super) codes: Vec<u32>,
    /// Its facts in the rulesheet.
    pub(super) facts: Rows,
    /// By fact: the place of its rule among those of the game.
    pub(super) fact_rules: Vec<u32>,
    /// Whether it depends on the state.
    on_state: bool,
    /// Whether it depends on the joint move.
    on_moves: bool,
}

/// The rules of a game.
#[derive(Clone, Debug)]
pub(super) struct Program {
    pub(super) relations: Vec<Relation>,
    pub(super) codes: Vec<Code>,
    /// The constants that a variable which nothing binds may stand for.
    pub(super) constants: Vec<TermId>,
    /// How deep the terms of the rules are.
    pub(super) deepest: u16,
    graph: Dependencies,
}

impl Code {
    /// The conditions of a rule that are no `or`, in their order, with those of the alternatives taken.
    pub(super) fn conditions_taken(&self, chosen: &Chosen) -> Vec<&Condition> {
        let mut conditions = Vec::new();
        let mut open: Vec<ConditionId> = self.body.iter().rev().copied().collect();
        while let Some(at) = open.pop() {
            let condition = &self.conditions[at as usize];
            match &condition.kind {
                Kind::Or(ways) => {
                    let taken = chosen.iter().find(|(or, _)| *or == at);
                    if let Some(way) = taken.and_then(|(_, way)| ways.get(*way as usize)) {
                        open.extend(way.iter().rev());
                    }
                }
                _ => conditions.push(condition),
            }
        }
        conditions
    }

    /// The variables that the conditions of a rule bind if these alternatives are taken.
    pub(super) fn bound_by(&self, chosen: &Chosen) -> Vec<u16> {
        let mut bound = Vec::new();
        for condition in self.conditions_taken(chosen) {
            if let Kind::Holds(_) | Kind::Same(..) = condition.kind {
                bound.extend(&condition.variables);
            }
        }
        bound
    }
}

impl Program {
    /// Makes a game ready; enters its ground terms into `terms`. Linear in the rulesheet, but for
    /// rules with many conditions that are an `or`.
    pub(super) fn new(game: &Game, terms: &mut Terms) -> Program {
        // The state and the joint move are what they are, whatever rules say (see `normal`).
        let given = |rule: &Rule| matches!(rule.head.relation, Symbol::TRUE | Symbol::DOES);
        let mut rules: Vec<Rule> = game.rules.iter().filter(|rule| !given(rule)).cloned().collect();
        rules.push(mention());
        let graph = Dependencies::new(&rules);
        let reaching = |keyword, arity| {
            let number = graph.number(keyword, arity);
            graph.reaching(number.as_slice())
        };
        let (on_state, on_moves) = (reaching(Symbol::TRUE, 1), reaching(Symbol::DOES, 2));
        let relation = |(number, &name): (usize, &RelationName)| Relation {
            name,
            source: match (name.symbol, name.arity) {
                (Symbol::TRUE, 1) => Source::State,
                (Symbol::DOES, 2) => Source::Move,
                _ => Source::Facts,
            },
            codes: Vec::new(),
            facts: Rows::default(),
            fact_rules: Vec::new(),
            on_state: on_state[number],
            on_moves: on_moves[number],
        };
        let relations = graph.relations.iter().enumerate().map(relation).collect();
        let (codes, constants) = (Vec::new(), Vec::new());
        let mut program = Program { relations, codes, constants, deepest: 0, graph };
        let mut constants = HashSet::new();
        let hints = hints(&game.rules);
        for (place, rule) in game.rules.iter().enumerate().filter(|(_, rule)| !given(rule)) {
            program.add(place as u32, rule, terms);
            let mut visit = |sentence: &Sentence| {
                let deepest = sentence.args.iter().map(Term::depth).max().unwrap_or(0);
                program.deepest = program.deepest.max(deepest.min(usize::from(u16::MAX)) as u16);
            };
            visit(&rule.head);
            rule.body.iter().for_each(|l| l.for_each_sentence(&mut |s, _| visit(s)));
            if !hints[place] {
                let mut visit = |sentence: &Sentence| {
                    sentence.args.iter().for_each(|arg| each_constant(arg, &mut constants));
                };
                visit(&rule.head);
                rule.body.iter().for_each(|l| l.for_each_sentence(&mut |s, _| visit(s)));
            }
        }
        let mut constants: Vec<Symbol> = constants.into_iter().collect();
        constants.sort_unstable();
        program.constants = constants.into_iter().map(|name| terms.constant(name)).collect();
        program
    }

    fn add(&mut self, place: u32, rule: &Rule, terms: &mut Terms) {
        let number = self.number(rule.head.relation, rule.head.args.len());
        let number = number.expect("the graph has every relation of its rules");
        let relation = &mut self.relations[number as usize];
        if rule.body.is_empty()
            && let Some(row) = terms.row(&rule.head.args, &[])
        {
            let before = relation.facts.rows().len();
            relation.facts.insert(row, terms);
            if relation.facts.rows().len() > before {
                relation.fact_rules.push(place);
            }
            return;
        }
        relation.source = Source::Rules;
        relation.codes.push(self.codes.len() as u32);
        let code = self.code(place, rule);
        self.codes.push(code);
    }

    fn code(&self, place: u32, rule: &Rule) -> Code {
        let mut code = Code {
            rule: place,
            head: rule.head.args.clone(),
            conditions: Vec::new(),
            body: Vec::new(),
            variables: rule.variables.len(),
            open: Vec::new(),
        };
        for literal in &rule.body {
            let parts = self.conditions(literal, false, &mut code.conditions);
            code.body.extend(parts);
        }
        share(&mut code);
        let mut bound = Vec::new();
        code.body.iter().for_each(|&at| surely_bound(&code.conditions, at, &mut bound));
        let mut open = Vec::new();
        code.head.iter().for_each(|term| {
            term.for_each_variable(&mut |v| {
                if !bound.contains(&v.0) && !open.contains(&v.0) {
                    open.push(v.0);
                }
            });
        });
        code.open = open;
        code
    }

    /// Adds the conditions that a literal, or its negation, amounts to; those that are a
    /// conjunction of their own are given back.
    fn conditions(
        &self,
        literal: &Literal,
        negated: bool,
        all: &mut Vec<Condition>,
    ) -> Vec<ConditionId> {
        let first = all.len() as ConditionId;
        let atom = |sentence: &Sentence| Atom {
            relation: self
                .number(sentence.relation, sentence.args.len())
                .expect("the graph has every relation of its rules"),
            args: sentence.args.clone(),
        };
        let kind = match &literal.kind {
            LiteralKind::Sentence(sentence) if negated => Kind::Fails(atom(sentence)),
            LiteralKind::Sentence(sentence) => Kind::Holds(atom(sentence)),
            LiteralKind::Distinct(left, right) if negated => {
                Kind::Same(left.clone(), right.clone())
            }
            LiteralKind::Distinct(left, right) => Kind::Distinct(left.clone(), right.clone()),
            LiteralKind::Not(inner) => return self.conditions(inner, !negated, all),
            LiteralKind::Or(items) if negated => {
                return items.iter().flat_map(|item| self.conditions(item, true, all)).collect();
            }
            LiteralKind::Or(items) => {
                Kind::Or(items.iter().map(|item| self.conditions(item, false, all)).collect())
            }
        };
        let mut variables = Vec::new();
        let mut visit = |v: Variable| {
            if !variables.contains(&v.0) {
                variables.push(v.0);
            }
        };
        match &kind {
            Kind::Holds(atom) | Kind::Fails(atom) => {
                atom.args.iter().for_each(|arg| arg.for_each_variable(&mut visit));
            }
            Kind::Distinct(left, right) | Kind::Same(left, right) => {
                left.for_each_variable(&mut visit);
                right.for_each_variable(&mut visit);
            }
            Kind::Or(ways) => ways.iter().flatten().for_each(|&at| {
                let inner = &all[at as usize].variables;
                inner.iter().for_each(|&v| visit(Variable(v)));
            }),
        }
        all.push(Condition { span: literal.span, first, kind, variables, shared: Vec::new() });
        vec![(all.len() - 1) as ConditionId]
    }

    /// The number of a relation, if the rules have it.
    pub(super) fn number(&self, name: Symbol, arity: usize) -> Option<u32> {
        self.graph.number(name, arity)
    }

    /// Whether a relation depends on the joint move.
    pub(super) fn follows_moves(&self, relation: u32) -> bool {
        self.relations[relation as usize].on_moves
    }

    /// When play asks for a relation; other relations are asked at the time given.
    pub(super) fn asked(&self, relation: u32, otherwise: Time) -> Timed {
        let name = self.relations[relation as usize].name.symbol;
        let time = match Question::of_keyword(name) {
            Some(question) if question.follows_moves() => Time::AfterMoves,
            Some(_) => Time::BeforeMoves,
            None => otherwise,
        };
        self.at(relation, time)
    }

    /// A relation that is asked at a time: the earliest time at which it is the same.
    pub(super) fn at(&self, relation: u32, time: Time) -> Timed {
        let Relation { name, on_state, on_moves, .. } = &self.relations[relation as usize];
        let latest = match (on_state, on_moves) {
            (_, true) => Time::AfterMoves,
            (true, false) => Time::BeforeMoves,
            (false, false) => Time::Initially,
        };
        let time = if name.symbol == Symbol::INIT { Time::Initially } else { time.min(latest) };
        Timed { relation, time }
    }
}

/// A rule for no relation, so that the graph has `true` and `does` whatever the rulesheet says.
fn mention() -> Rule {
    let sentence = |relation, arity| {
        let args = (0..arity).map(|number| Term::Variable(Variable(number))).collect();
        Sentence { relation, args, span: Span::default() }
    };
    let condition = |relation, arity| Literal {
        span: Span::default(),
        kind: LiteralKind::Sentence(sentence(relation, arity)),
    };
    Rule {
        head: sentence(Symbol::IMPLIED_BY, 0),
        body: vec![condition(Symbol::TRUE, 1), condition(Symbol::DOES, 2)],
        span: Span::default(),
        variables: Vec::new(),
    }
}

fn each_constant(term: &Term, found: &mut HashSet<Symbol>) {
    match term {
        Term::Variable(_) => {}
        Term::Constant(name) => _ = found.insert(*name),
        Term::Function(_, args) => args.iter().for_each(|arg| each_constant(arg, found)),
    }
}

/// Says of every condition which of its variables occur outside of it, too.
fn share(code: &mut Code) {
    // By variable: in how many places it occurs, the head being one.
    let mut count = vec![0u32; code.variables];
    let mut head = Vec::new();
    code.head.iter().for_each(|term| term.for_each_variable(&mut |v| head.push(v.0)));
    head.iter().for_each(|&v| count[usize::from(v)] = 1);
    let is_simple = |condition: &Condition| !matches!(condition.kind, Kind::Or(_));
    for condition in code.conditions.iter().filter(|condition| is_simple(condition)) {
        condition.variables.iter().for_each(|&v| count[usize::from(v)] += 1);
    }
    for at in 0..code.conditions.len() {
        let (before, rest) = code.conditions.split_at_mut(at);
        let condition = &mut rest[0];
        if is_simple(condition) {
            condition.variables.iter().for_each(|&v| count[usize::from(v)] -= 1);
        }
        let within = &before[condition.first as usize..];
        for inner in within.iter().filter(|condition| is_simple(condition)) {
            inner.variables.iter().for_each(|&v| count[usize::from(v)] -= 1);
        }
        let elsewhere = condition.variables.iter().copied().filter(|&v| count[usize::from(v)] > 0);
        condition.shared = elsewhere.collect();
        if is_simple(condition) {
            condition.variables.iter().for_each(|&v| count[usize::from(v)] += 1);
        }
        for inner in within.iter().filter(|condition| is_simple(condition)) {
            inner.variables.iter().for_each(|&v| count[usize::from(v)] += 1);
        }
    }
}

/// Adds the variables that a condition binds whichever alternative holds.
fn surely_bound(conditions: &[Condition], at: ConditionId, bound: &mut Vec<u16>) {
    let condition = &conditions[at as usize];
    match &condition.kind {
        Kind::Holds(_) => bound.extend(&condition.variables),
        // One side may be bound by the other; whichever it is, nothing else need bind it.
        Kind::Same(..) => bound.extend(&condition.variables),
        Kind::Fails(_) | Kind::Distinct(..) => {}
        Kind::Or(ways) => {
            let mut ways = ways.iter().map(|way| {
                let mut bound = Vec::new();
                way.iter().for_each(|&at| surely_bound(conditions, at, &mut bound));
                bound
            });
            let Some(mut all) = ways.next() else { return };
            ways.for_each(|way| all.retain(|v| way.contains(v)));
            bound.append(&mut all);
        }
    }
}
