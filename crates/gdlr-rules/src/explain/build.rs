//! Explanations are put together here: from tables to steps, in the words of the game.
//!
//! Steps that are still to be explained stand in a queue, so that no derivation is too deep for the
//! machine's stack, and each sentence is explained once.

use super::closest;
use super::domains;
use super::error::ExplainError;
use super::explanation::{
    Attempt, Binding, Condition, ConditionKind, Explanation, Instance, QuotedRule, QuotedRuleId,
    Step, StepId, Stranger, Why,
};
use super::options::Options;
use super::program::{self, Code, Kind, Time, Timed};
use super::question::Question;
use super::tables::{Reason, Tables};
use super::terms::{Bindings, Pattern, TermId};
use crate::gdl::{Game, Rule, Symbol, Term, Variable, natural_order};
use gdlr_text::budget::Meter;
use gdlr_text::nearest::nearest_name;
use hashbrown::HashMap;
use std::collections::VecDeque;

/// The most heads that are named where no rule has the right one.
const SIMILAR: usize = 5;

/// The most constants that are named where another one stands.
const INSTEAD: usize = 20;

/// The subject of a step.
enum Pending {
    /// A row that holds.
    Row(Timed, Box<[TermId]>),
    /// A pattern that no row matches.
    None(Timed, Pattern),
}

/// An explanation in the making.
pub(super) struct Builder<'b, 'p> {
    game: &'b Game,
    tables: &'b mut Tables<'p>,
    options: &'b Options,
    meter: &'b Meter<'b>,
    steps: Vec<Step>,
    rules: Vec<QuotedRule>,
    /// By rule of the game.
    quoted: HashMap<u32, QuotedRuleId>,
    rows: HashMap<(Timed, Box<[TermId]>), StepId>,
    patterns: HashMap<(Timed, Pattern), StepId>,
    /// Steps to be explained, and how deep they are.
    queue: VecDeque<(StepId, usize, Pending)>,
}

impl<'b, 'p> Builder<'b, 'p> {
    pub(super) fn new(
        game: &'b Game,
        tables: &'b mut Tables<'p>,
        options: &'b Options,
        meter: &'b Meter<'b>,
    ) -> Self {
        Builder {
            game,
            tables,
            options,
            meter,
            steps: Vec::new(),
            rules: Vec::new(),
            quoted: HashMap::new(),
            rows: HashMap::new(),
            patterns: HashMap::new(),
            queue: VecDeque::new(),
        }
    }

    pub(super) fn explain(
        mut self,
        question: &Question,
        has_moved: bool,
    ) -> Result<Explanation, ExplainError> {
        let variable = |v: Variable| question.variables[usize::from(v.0)].to_string();
        let text = self.sentence(question.relation, &question.args, &variable);
        let number = self.tables.program.number(question.relation, question.args.len());
        let mut more = 0;
        let answers = match number {
            None => vec![self.unknown(question, &text)],
            Some(relation) => {
                let otherwise = if has_moved { Time::AfterMoves } else { Time::BeforeMoves };
                let timed = self.tables.program.asked(relation, otherwise);
                let pattern = self.tables.terms.pattern(&question.args, &[]);
                let mut rows = self.tables.matching(timed, &pattern, self.meter)?;
                rows.sort_by_cached_key(|row| natural_order(&self.row_text(timed, row)));
                more = rows.len().saturating_sub(self.options.answers);
                rows.truncate(self.options.answers);
                match rows.is_empty() {
                    true => vec![self.none(timed, pattern, text.clone(), 0)],
                    false => rows.iter().map(|row| self.row(timed, row, 0)).collect(),
                }
            }
        };
        while let Some((step, depth, pending)) = self.queue.pop_front() {
            if depth >= self.options.depth || self.steps.len() >= self.options.steps {
                continue;
            }
            self.meter.spend(1)?;
            self.steps[step.index()].why = match pending {
                Pending::Row(timed, row) => self.derivation(timed, &row, depth),
                Pending::None(timed, pattern) => self.refutation(timed, &pattern, depth)?,
            };
        }
        let holds = answers.iter().any(|&step| self.steps[step.index()].holds);
        let mut strangers = Vec::new();
        if !holds && number.is_some() {
            let mut path = Vec::new();
            self.strangers(
                domains::source(question.relation),
                &question.args,
                &mut path,
                &mut strangers,
            );
        }
        let Builder { steps, rules, .. } = self;
        Ok(Explanation { question: text, holds, answers, more, strangers, steps, rules })
    }

    /// The constants among the arguments of a name that no rule gives there.
    fn strangers(
        &self,
        name: Symbol,
        args: &[Term],
        path: &mut Vec<(Symbol, usize, usize)>,
        strangers: &mut Vec<Stranger>,
    ) {
        for (index, arg) in args.iter().enumerate() {
            path.push((name, args.len(), index));
            match arg {
                Term::Function(function, args) => self.strangers(*function, args, path, strangers),
                Term::Constant(constant) => strangers.extend(self.stranger(*constant, path)),
                Term::Variable(_) => {}
            }
            path.pop();
        }
    }

    fn stranger(&self, constant: Symbol, path: &[(Symbol, usize, usize)]) -> Option<Stranger> {
        let (known, variable) = domains::domain(self.game, path)?;
        if known.is_empty() || known.contains(&constant) {
            return None;
        }
        let spelled = |symbol: Symbol| symbol.spelled(&self.game.symbols).to_owned();
        let mut instead: Vec<String> = known.into_iter().map(spelled).collect();
        instead.sort_by_cached_key(|name| natural_order(name));
        let constant = spelled(constant);
        let nearest = nearest_name(&constant, instead.iter().map(String::as_str));
        let nearest = nearest.map(str::to_owned);
        let more = instead.len().saturating_sub(INSTEAD);
        instead.truncate(INSTEAD);
        let variable = variable.map(Into::into);
        Some(Stranger { constant, variable, instead, more, nearest })
    }

    fn sentence(
        &self,
        relation: Symbol,
        args: &[Term],
        variable: &impl Fn(Variable) -> String,
    ) -> String {
        let name = |name: Symbol| name.spelled(&self.game.symbols).to_owned();
        match args {
            [] => name(relation),
            _ => Term::Function(relation, args.to_vec()).print(&name, variable),
        }
    }

    fn row_text(&self, timed: Timed, row: &[TermId]) -> String {
        let args: Vec<Term> = row.iter().map(|&term| self.tables.terms.term(term)).collect();
        let name = self.tables.program.relations[timed.relation as usize].name;
        self.sentence(name.symbol, &args, &|_| "?".to_owned())
    }

    fn push(&mut self, sentence: String, holds: bool, why: Why) -> StepId {
        self.steps.push(Step { sentence, holds, why });
        StepId(self.steps.len() as u32 - 1)
    }

    /// The step of a row that holds.
    fn row(&mut self, timed: Timed, row: &[TermId], depth: usize) -> StepId {
        let key = (timed, Box::from(row));
        if let Some(&known) = self.rows.get(&key) {
            return known;
        }
        let sentence = self.row_text(timed, row);
        let why = match self.tables.reason(timed, row) {
            Some(Reason::State) => Why::State,
            Some(Reason::Move) => Why::Move,
            Some(Reason::Fact(rule)) => Why::Fact { rule: self.quote(rule) },
            Some(Reason::Instance(_)) | None => Why::Unexplored,
        };
        let is_open = matches!(why, Why::Unexplored);
        let step = self.push(sentence, true, why);
        self.rows.insert(key, step);
        if is_open {
            self.queue.push_back((step, depth, Pending::Row(timed, row.into())));
        }
        step
    }

    /// The step of a pattern that no row matches.
    fn none(&mut self, timed: Timed, pattern: Pattern, sentence: String, depth: usize) -> StepId {
        let key = (timed, pattern);
        if let Some(&known) = self.patterns.get(&key) {
            return known;
        }
        let why = match self.tables.given(timed) {
            Some(rows) => {
                let row = rows.nearest(&key.1, &self.tables.terms).map(Box::<[TermId]>::from);
                Why::Absent { nearest: row.map(|row| self.row_text(timed, &row)) }
            }
            None => Why::Unexplored,
        };
        // Without end: what fails for want of a deeper term might fail so again and again.
        let is_open =
            matches!(why, Why::Unexplored) && (depth == 0 || !self.tables.is_deep(&key.1));
        let step = self.push(sentence, false, why);
        if is_open {
            self.queue.push_back((step, depth, Pending::None(timed, key.1.clone())));
        }
        self.patterns.insert(key, step);
        step
    }

    /// The step of a relation that the rules do not have.
    fn unknown(&mut self, question: &Question, text: &str) -> StepId {
        let symbols = &self.game.symbols;
        let relations = &self.tables.program.relations;
        let names = relations.iter().map(|relation| relation.name.symbol);
        let names = names.filter(|name| !name.is_connective());
        // Of this name with other arguments, else of a name that is like it.
        let meant = match names.clone().any(|name| name == question.relation) {
            true => Some(question.relation.spelled(symbols)),
            false => {
                let name = question.relation.spelled(symbols);
                nearest_name(name, names.map(|name| name.spelled(symbols)))
            }
        };
        let meant = meant.and_then(|name| symbols.get(name));
        let similar = match meant {
            Some(name) => self.heads(|relation| relation == name),
            None => Vec::new(),
        };
        self.push(text.to_owned(), false, Why::Nothing { attempts: Vec::new(), similar })
    }

    /// The heads of rules for some relations, each once, a few of them.
    fn heads(&self, wanted: impl Fn(Symbol) -> bool) -> Vec<String> {
        let mut heads: Vec<String> = Vec::new();
        for rule in &self.game.rules {
            if wanted(rule.head.relation) {
                let head = self.head(rule);
                if !heads.contains(&head) {
                    heads.push(head);
                }
            }
            if heads.len() == SIMILAR {
                break;
            }
        }
        heads
    }

    fn head(&self, rule: &Rule) -> String {
        let variable = |v: Variable| rule.variables[usize::from(v.0)].to_string();
        self.sentence(rule.head.relation, &rule.head.args, &variable)
    }

    /// A rule of the game: its place among those quoted, where it comes last if it is new.
    fn quote(&mut self, number: u32) -> QuotedRuleId {
        if let Some(&known) = self.quoted.get(&number) {
            return known;
        }
        let id = self.rules.len() as QuotedRuleId;
        // Rules are made of the expressions of the document one by one.
        let text = self.game.document.items.get(number as usize).map(ToString::to_string);
        let rule = &self.game.rules[number as usize];
        let (head, span) = (self.head(rule), rule.span);
        self.rules.push(QuotedRule { number, span, head, text: text.unwrap_or_default() });
        self.quoted.insert(number, id);
        id
    }

    /// Why a row holds that a rule gives.
    fn derivation(&mut self, timed: Timed, row: &[TermId], depth: usize) -> Why {
        let Some(Reason::Instance(instance)) = self.tables.reason(timed, row) else {
            return Why::Unexplored;
        };
        let code = &self.tables.program.codes[instance.code as usize];
        self.quote(code.rule);
        let conditions = code.conditions_taken(&instance.chosen).into_iter();
        let conditions = conditions
            .map(|condition| self.held(code, condition, &instance.bound, timed.time, depth + 1))
            .collect();
        Why::Rule(self.instance(code, &instance.bound, conditions))
    }

    /// Why no row matches a pattern of a relation with rules.
    fn refutation(
        &mut self,
        timed: Timed,
        pattern: &Pattern,
        depth: usize,
    ) -> Result<Why, ExplainError> {
        let closest_instances = closest::attempts(self.tables, timed, pattern, self.meter)?;
        let name = self.tables.program.relations[timed.relation as usize].name.symbol;
        let similar = match closest_instances.is_empty() {
            true => self.heads(|relation| relation == name),
            false => Vec::new(),
        };
        let mut attempts = Vec::new();
        for closest in closest_instances {
            let code = &self.tables.program.codes[closest.code as usize];
            self.quote(code.rule);
            let held = closest.held.iter().map(|&at| &code.conditions[at as usize]);
            let held = held.filter(|condition| !matches!(condition.kind, Kind::Or(_)));
            let held = held.map(|condition| self.condition(code, condition, &closest.bound));
            let held: Vec<Condition> = held.collect();
            let mut failed = Vec::new();
            for (at, bound) in &closest.failed {
                let condition = &code.conditions[*at as usize];
                failed.push(self.failed(code, condition, bound, timed.time, depth + 1)?);
            }
            let instance = self.instance(code, &closest.bound, held);
            attempts.push(Attempt { instance, failed, complete: closest.is_complete });
        }
        Ok(Why::Nothing { attempts, similar })
    }

    fn instance(&mut self, code: &Code, bound: &Bindings, conditions: Vec<Condition>) -> Instance {
        let names = &self.game.rules[code.rule as usize].variables;
        let symbols = &self.game.symbols;
        let bindings = names.iter().zip(bound).filter(|(_, value)| value.is_some());
        let bindings = bindings.map(|(name, &value)| Binding {
            variable: name.to_string(),
            value: self.tables.terms.term(value).spelled(symbols),
        });
        let bindings = bindings.collect();
        Instance { rule: self.quote(code.rule), bindings, conditions }
    }

    /// A condition in words, without a step.
    fn condition(
        &self,
        code: &Code,
        condition: &program::Condition,
        bound: &Bindings,
    ) -> Condition {
        let names = &self.game.rules[code.rule as usize].variables;
        let variable = |v: Variable| names[usize::from(v.0)].to_string();
        let terms = &self.tables.terms;
        let sentence = |relation: Symbol, args: &[&Term]| {
            let args: Vec<Term> = args.iter().map(|arg| terms.partly(arg, bound)).collect();
            self.sentence(relation, &args, &variable)
        };
        let of_atom = |atom: &program::Atom| {
            let relation = self.tables.program.relations[atom.relation as usize].name.symbol;
            sentence(relation, &atom.args.iter().collect::<Vec<_>>())
        };
        let (kind, text) = match &condition.kind {
            Kind::Holds(atom) => (ConditionKind::Holds, of_atom(atom)),
            Kind::Fails(atom) => (ConditionKind::Not, format!("(not {})", of_atom(atom))),
            Kind::Distinct(left, right) => {
                (ConditionKind::Distinct, sentence(Symbol::DISTINCT, &[left, right]))
            }
            Kind::Same(left, right) => {
                let text = sentence(Symbol::DISTINCT, &[left, right]);
                (ConditionKind::Same, format!("(not {text})"))
            }
            // An `or` that fails has no alternatives.
            Kind::Or(_) => (ConditionKind::Holds, "(or)".to_owned()),
        };
        Condition { kind, text, span: condition.span, step: None }
    }

    /// A condition that holds.
    fn held(
        &mut self,
        code: &Code,
        condition: &program::Condition,
        bound: &Bindings,
        time: Time,
        depth: usize,
    ) -> Condition {
        let mut explained = self.condition(code, condition, bound);
        match &condition.kind {
            Kind::Holds(atom) => {
                let timed = self.tables.program.at(atom.relation, time);
                if let Some(row) = self.tables.terms.row(&atom.args, bound) {
                    explained.step = Some(self.row(timed, &row, depth));
                }
            }
            Kind::Fails(atom) if self.options.negations => {
                explained.step = Some(self.none_of(code, atom, bound, time, depth));
            }
            _ => {}
        }
        explained
    }

    /// A condition that fails.
    fn failed(
        &mut self,
        code: &Code,
        condition: &program::Condition,
        bound: &Bindings,
        time: Time,
        depth: usize,
    ) -> Result<Condition, ExplainError> {
        let mut explained = self.condition(code, condition, bound);
        match &condition.kind {
            Kind::Holds(atom) => {
                explained.step = Some(self.none_of(code, atom, bound, time, depth));
            }
            Kind::Fails(atom) => {
                let timed = self.tables.program.at(atom.relation, time);
                let pattern = self.tables.terms.pattern(&atom.args, bound);
                let rows = self.tables.matching(timed, &pattern, self.meter)?;
                explained.step = rows.first().map(|row| self.row(timed, row, depth));
            }
            _ => {}
        }
        Ok(explained)
    }

    /// The step of an atom of which no instance holds.
    fn none_of(
        &mut self,
        code: &Code,
        atom: &program::Atom,
        bound: &Bindings,
        time: Time,
        depth: usize,
    ) -> StepId {
        let names = &self.game.rules[code.rule as usize].variables;
        let timed = self.tables.program.at(atom.relation, time);
        let pattern = self.tables.terms.pattern(&atom.args, bound);
        let args: Vec<Term> =
            atom.args.iter().map(|arg| self.tables.terms.partly(arg, bound)).collect();
        let relation = self.tables.program.relations[atom.relation as usize].name.symbol;
        let variable = |v: Variable| names[usize::from(v.0)].to_string();
        let sentence = self.sentence(relation, &args, &variable);
        self.none(timed, pattern, sentence, depth)
    }
}
