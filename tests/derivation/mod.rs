//! A checker of explanations that shares nothing with who makes them: it reads the sentences of
//! the steps back, and compares each with the rule that is quoted and with what is known to hold.

use gdlr::explain::{
    Attempt, Condition, ConditionKind, Explanation, Instance, QuotedRuleId, StepId, Why,
};
use gdlr::gdl::{Game, Literal, LiteralKind, Rule, Symbol, Term, Variable};
use gdlr::kif::{self, Expr};
use std::collections::BTreeSet;

/// The facts that hold: by relation, its name and arity, the rows.
pub type Everything = [(Symbol, usize, BTreeSet<Vec<Term>>)];

/// Checks every step of an explanation. `everything` is what holds in the moment; relations that it
/// does not have are not compared.
pub fn check(
    explanation: &Explanation,
    game: &Game,
    everything: &Everything,
) -> Result<(), String> {
    let checker = Checker { explanation, game, everything };
    for step in &explanation.steps {
        checker.step(step.holds, &step.sentence, &step.why).map_err(|wrong| {
            format!("{wrong}\nin the step {step:#?}\nof {}", explanation.question)
        })?;
    }
    checker.no_circle()
}

struct Checker<'c> {
    explanation: &'c Explanation,
    game: &'c Game,
    everything: &'c Everything,
}

/// A sentence with variables by name.
type Sentence = (Symbol, Vec<Expr>);

fn wrong<T>(what: impl Into<String>) -> Result<T, String> {
    Err(what.into())
}

impl Checker<'_> {
    fn step(&self, holds: bool, sentence: &str, why: &Why) -> Result<(), String> {
        let (relation, args) = self.read(sentence)?;
        match self.known_to_hold(relation, &args)? {
            Some(known) if known != holds => return wrong("holds, or not, but is told otherwise"),
            _ => {}
        }
        match why {
            Why::State if holds && relation == Symbol::TRUE => Ok(()),
            Why::Move if holds && relation == Symbol::DOES => Ok(()),
            Why::Fact { rule } if holds => {
                let rule = self.rule(*rule)?;
                let none = Instance { rule: 0, bindings: Vec::new(), conditions: Vec::new() };
                let head = self.sentence(rule.head.relation, &rule.head.args, rule, &none);
                match rule.body.is_empty() && head == sentence {
                    true => Ok(()),
                    false => wrong("another fact"),
                }
            }
            Why::Rule(instance) if holds => self.instance(instance, sentence),
            Why::Absent { nearest } if !holds => match nearest {
                Some(nearest) => match self.read(nearest)? {
                    (other, _) if other == relation => Ok(()),
                    _ => wrong("the nearest fact is of another relation"),
                },
                None => Ok(()),
            },
            Why::Nothing { attempts, .. } if !holds => self.nothing(attempts, sentence),
            Why::Unexplored => Ok(()),
            _ => wrong("a reason for something else"),
        }
    }

    /// The rule of an id.
    fn rule(&self, id: QuotedRuleId) -> Result<&Rule, String> {
        let quoted = self.explanation.rule(id);
        let rule = &self.game.rules[quoted.number as usize];
        match rule.span == quoted.span {
            true => Ok(rule),
            false => wrong("a rule with the place of another"),
        }
    }

    /// A sentence as its relation and arguments.
    fn read(&self, text: &str) -> Result<Sentence, String> {
        let document = kif::read(text).map_err(|errors| format!("{text}: {}", errors[0]))?;
        let item = document.items.into_iter().next().ok_or("no sentence")?;
        let (name, args) = match item.list() {
            Some([name, args @ ..]) => (name.atom(), args.to_vec()),
            _ => (item.atom(), Vec::new()),
        };
        let name = name.and_then(|name| self.game.symbols.get(name));
        Ok((name.ok_or("an unknown relation")?, args))
    }

    /// Whether a row matches a sentence; nothing where that is not known.
    fn known_to_hold(&self, relation: Symbol, args: &[Expr]) -> Result<Option<bool>, String> {
        let rows_of_relation = self
            .everything
            .iter()
            .find(|(name, arity, _)| (*name, *arity) == (relation, args.len()));
        let Some((.., rows)) = rows_of_relation else { return Ok(None) };
        let row: Option<Vec<Term>> =
            args.iter().map(|arg| Term::from_expr(arg, &self.game.symbols)).collect();
        Ok(Some(match row {
            Some(row) => rows.contains(&row),
            None => rows.iter().any(|row| {
                let mut bound = Vec::new();
                row.iter().zip(args).all(|(value, arg)| self.matches(arg, value, &mut bound))
            }),
        }))
    }

    fn matches(&self, pattern: &Expr, value: &Term, bound: &mut Vec<(String, Term)>) -> bool {
        match (pattern.atom(), pattern.list(), value) {
            (Some(name), _, _) if name.starts_with('?') => {
                match bound.iter().find(|(other, _)| other == name) {
                    Some((_, known)) => known == value,
                    None => {
                        bound.push((name.to_owned(), value.clone()));
                        true
                    }
                }
            }
            (Some(name), _, Term::Constant(constant)) => {
                self.game.symbols.get(name) == Some(*constant)
            }
            (_, Some([name, args @ ..]), Term::Function(function, values)) => {
                name.atom().and_then(|name| self.game.symbols.get(name)) == Some(*function)
                    && args.len() == values.len()
                    && args.iter().zip(values).all(|(arg, value)| self.matches(arg, value, bound))
            }
            _ => false,
        }
    }

    /// A term of a rule with the bindings of an instance, as text.
    fn text(&self, term: &Term, rule: &Rule, instance: &Instance) -> String {
        let symbols = &self.game.symbols;
        let variable = |v: Variable| {
            let name = &*rule.variables[usize::from(v.0)];
            let bound = instance.bindings.iter().find(|binding| binding.variable == name);
            bound.map_or(name.to_owned(), |binding| binding.value.clone())
        };
        term.print(&|name| name.spelled(symbols).to_owned(), &variable)
    }

    fn sentence(&self, name: Symbol, args: &[Term], rule: &Rule, instance: &Instance) -> String {
        let name = name.spelled(&self.game.symbols).to_owned();
        let args: Vec<String> = args.iter().map(|arg| self.text(arg, rule, instance)).collect();
        match args.is_empty() {
            true => name,
            false => format!("({name} {})", args.join(" ")),
        }
    }

    /// The instance of a rule gives the sentence, and its conditions hold.
    fn instance(&self, instance: &Instance, sentence: &str) -> Result<(), String> {
        let rule = self.rule(instance.rule)?;
        if self.sentence(rule.head.relation, &rule.head.args, rule, instance) != sentence {
            return wrong("the rule gives another sentence");
        }
        for literal in &rule.body {
            if !self.satisfied(literal, false, rule, instance, true)? {
                return wrong(format!("the condition at {:?} does not hold", literal.span));
            }
        }
        Ok(())
    }

    /// Whether a literal, or its negation, is satisfied by the conditions that are told.
    fn satisfied(
        &self,
        literal: &Literal,
        negated: bool,
        rule: &Rule,
        instance: &Instance,
        derived: bool,
    ) -> Result<bool, String> {
        let told = instance.conditions.iter().find(|condition| condition.span == literal.span);
        Ok(match &literal.kind {
            LiteralKind::Not(inner) => self.satisfied(inner, !negated, rule, instance, derived)?,
            LiteralKind::Or(items) => {
                let mut satisfied = negated;
                for item in items {
                    let one = self.satisfied(item, negated, rule, instance, derived)?;
                    satisfied = if negated { satisfied && one } else { satisfied || one };
                }
                satisfied
            }
            LiteralKind::Distinct(left, right) => {
                let differ = self.text(left, rule, instance) != self.text(right, rule, instance);
                told.is_some() && differ != negated
            }
            LiteralKind::Sentence(sentence) => {
                let text = self.sentence(sentence.relation, &sentence.args, rule, instance);
                let Some(told) = told else { return Ok(false) };
                let (expected, kind) = match negated {
                    true => (format!("(not {text})"), ConditionKind::Not),
                    false => (text.clone(), ConditionKind::Holds),
                };
                if told.text != expected || told.kind != kind {
                    return wrong(format!("`{}` should be `{expected}`", told.text));
                }
                let holds = match (told.step, negated || !derived) {
                    (Some(step), _) => {
                        let step = self.explanation.step(step);
                        // Variables that are not bound may have other names.
                        if step.sentence != text && !text.contains('?') {
                            return wrong("a condition with the step of another");
                        }
                        step.holds
                    }
                    (None, false) => return wrong("a condition without a step"),
                    (None, true) => {
                        let (relation, args) = self.read(&text)?;
                        self.known_to_hold(relation, &args)?.unwrap_or(!negated)
                    }
                };
                holds != negated
            }
        })
    }

    /// Every rule that could give the sentence is there, and fails where it is said to.
    fn nothing(&self, attempts: &[Attempt], sentence: &str) -> Result<(), String> {
        let (relation, args) = self.read(sentence)?;
        let could = |rule: &Rule| {
            let head = &rule.head;
            (head.relation, head.args.len()) == (relation, args.len())
                && (!rule.body.is_empty() || !head.args.iter().all(Term::is_ground))
                && self.unify(&head.args, &args, &mut Vec::new())
        };
        let expected: Vec<usize> =
            (0..self.game.rules.len()).filter(|&number| could(&self.game.rules[number])).collect();
        let told: Vec<usize> = attempts
            .iter()
            .map(|attempt| self.explanation.rule(attempt.instance.rule).number as usize)
            .collect();
        if told != expected {
            return wrong(format!("the rules {told:?} are told, not {expected:?}"));
        }
        for attempt in attempts {
            let rule = self.rule(attempt.instance.rule)?;
            for condition in &attempt.instance.conditions {
                if self.is_so(condition)? == Some(false) {
                    return wrong(format!("`{}` should hold", condition.text));
                }
            }
            for condition in &attempt.failed {
                if self.is_so(condition)? == Some(true) {
                    return wrong(format!("`{}` should not hold", condition.text));
                }
                if let Some(step) = condition.step
                    && self.explanation.step(step).holds != (condition.kind == ConditionKind::Not)
                {
                    return wrong("a step that says the contrary");
                }
            }
            let satisfied = rule
                .body
                .iter()
                .map(|literal| self.satisfied(literal, false, rule, &attempt.instance, false));
            let satisfied: Vec<bool> = satisfied.collect::<Result<_, _>>()?;
            if satisfied.iter().all(|&one| one) != attempt.failed.is_empty() {
                return wrong("a rule holds, or nothing of it fails");
            }
        }
        Ok(())
    }

    /// Whether a condition in words is so; nothing where that is not known.
    fn is_so(&self, condition: &Condition) -> Result<Option<bool>, String> {
        let (relation, args) = self.read(&condition.text)?;
        Ok(match condition.kind {
            ConditionKind::Holds if relation == Symbol::OR => Some(false),
            ConditionKind::Holds => self.known_to_hold(relation, &args)?,
            ConditionKind::Not => {
                let (relation, args) = self.read(&args[0].to_string())?;
                self.known_to_hold(relation, &args)?.map(|holds| !holds)
            }
            ConditionKind::Distinct => Some(args[0].to_string() != args[1].to_string()),
            ConditionKind::Same => match args[0].list() {
                Some([_, left, right]) => Some(left.to_string() == right.to_string()),
                _ => return wrong("`not` of no `distinct`"),
            },
        })
    }

    /// Whether a head and a sentence have an instance in common, as far as a look at each variable
    /// of the head by itself can tell.
    fn unify(&self, head: &[Term], args: &[Expr], bound: &mut Vec<(Variable, Term)>) -> bool {
        head.len() == args.len()
            && head.iter().zip(args).all(|(term, arg)| match (term, arg.atom(), arg.list()) {
                (_, Some(name), _) if name.starts_with('?') => true,
                (Term::Variable(v), ..) => {
                    let value = bound.iter().find(|(other, _)| other == v);
                    match (value, Term::from_expr(arg, &self.game.symbols)) {
                        (Some((_, value)), _) => self.matches(arg, value, &mut Vec::new()),
                        (None, None) => true,
                        (None, Some(ground)) => {
                            bound.push((*v, ground));
                            true
                        }
                    }
                }
                (Term::Function(name, terms), _, Some([function, args @ ..])) => {
                    function.atom().and_then(|name| self.game.symbols.get(name)) == Some(*name)
                        && self.unify(terms, args, bound)
                }
                _ => self.matches(arg, term, &mut Vec::new()),
            })
    }

    /// No step that holds is needed for itself.
    fn no_circle(&self) -> Result<(), String> {
        let steps = &self.explanation.steps;
        let below = |step: StepId| -> Vec<StepId> {
            match &self.explanation.step(step).why {
                Why::Rule(instance) => {
                    let holding = instance
                        .conditions
                        .iter()
                        .filter(|condition| condition.kind == ConditionKind::Holds);
                    holding.filter_map(|condition| condition.step).collect()
                }
                _ => Vec::new(),
            }
        };
        let ids = || (0..steps.len() as u32).map(StepId);
        let mut uses: Vec<usize> = vec![0; steps.len()];
        ids().flat_map(below).for_each(|step| uses[step.index()] += 1);
        let mut open: Vec<StepId> = ids().filter(|step| uses[step.index()] == 0).collect();
        let mut done = 0;
        while let Some(step) = open.pop() {
            done += 1;
            for next in below(step) {
                uses[next.index()] -= 1;
                if uses[next.index()] == 0 {
                    open.push(next);
                }
            }
        }
        if done == steps.len() { Ok(()) } else { wrong("a derivation has a cycle") }
    }
}
