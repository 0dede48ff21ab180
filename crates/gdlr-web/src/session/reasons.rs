//! Reasons on request: why a sentence holds in a state of a match, and the instances of a rule.

use crate::loaded::Loaded;
use crate::refusal::Refusal;
use gdlr_rules::explain::{
    Binding, ExplainError, Explainer, Explanation, Mark, Options, Question, Why,
};
use gdlr_rules::gdl::{Game, LiteralKind, Rule, Sentence, Symbol, Term, Variable};
use gdlr_text::budget::{Budget, Limit};
use gdlr_text::kif;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

/// The time and memory of an explanation.
const BUDGET: Budget<'static> =
    Budget { time: Duration::from_secs(10), memory: 512 << 20, interrupted: None };

/// The most steps and answers of an explanation.
const STEPS: usize = 5_000;
const ANSWERS: usize = 200;

/// A state, and the joint move that is made there.
#[derive(Clone, Copy)]
pub struct Moment<'m> {
    pub step: usize,
    pub facts: &'m [Term],
    pub joint: Option<&'m [Term]>,
}

/// A question about a state.
#[derive(Clone, Copy)]
pub struct ExplainRequest<'a> {
    pub sentence: &'a str,
    /// The state that is looked at, and the joint move that is to be made there, if that was said.
    pub now: Moment<'a>,
    /// The state before, with the joint move that led from there.
    pub before: Option<Moment<'a>>,
    pub depth: usize,
    pub negations: bool,
}

/// Why a sentence holds, or why not.
pub fn explain(loaded: &Loaded, question: &ExplainRequest<'_>) -> Result<Value, Refusal> {
    let ExplainRequest { sentence, now, before, depth, negations } = *question;
    let refuse = |found: &[_]| Refusal::sentence(sentence, found);
    let document = kif::read(sentence).map_err(|found| refuse(&found))?;
    let [one] = &document.items[..] else {
        return Err(Refusal::request("`sentence` is one sentence, in brackets"));
    };
    let question = Question::read_any(one, &loaded.game);
    let (question, game) = question.map_err(|found| refuse(&[found]))?;
    // Names that only the sentence has are of a game of its own.
    let own = (!Arc::ptr_eq(&game, &loaded.game)).then(|| Explainer::new(game));
    let explainer = own.as_ref().unwrap_or_else(|| loaded.explainer());
    let is_fact = question.relation == Symbol::TRUE && question.args.len() == 1;
    // A fact is traced back to what made it.
    let (question, moment) = match (is_fact, before) {
        (true, Some(before)) => (Question { relation: Symbol::NEXT, ..question }, before),
        (true, None) => (Question { relation: Symbol::INIT, ..question }, now),
        (false, before) if now.joint.is_none() && explainer.follows_moves(&question) => {
            let help = "say which with `does`";
            let refusal = || Refusal::request("that depends on a joint move").with_help(help);
            (question, before.ok_or_else(refusal)?)
        }
        (false, _) => (question, now),
    };
    let options = Options { depth, negations, answers: ANSWERS, steps: STEPS };
    let mut state = explainer.moment(moment.facts, moment.joint);
    let explanation = state.explain(&question, &options, &BUDGET.start()).map_err(refusal)?;
    let mut value = to_json(loaded, &explanation)?;
    value["question"] = json!(sentence);
    value["moves"] = json!(moment.step);
    value["does"] = spelled(loaded, moment.joint);
    Ok(value)
}

/// Why a sentence without variables holds in a state, or why not, if that can be said.
pub fn explain_question(loaded: &Loaded, question: &Question, facts: &[Term]) -> Value {
    let options = Options { depth: 8, answers: ANSWERS, steps: STEPS, ..Options::default() };
    let mut state = loaded.explainer().moment(facts, None);
    let explanation = state.explain(question, &options, &BUDGET.start()).ok();
    explanation.and_then(|explanation| to_json(loaded, &explanation).ok()).unwrap_or(Value::Null)
}

fn spelled(loaded: &Loaded, joint: Option<&[Term]>) -> Value {
    let spelled =
        |joint: &[Term]| joint.iter().map(|term| loaded.spelled(term)).collect::<Vec<_>>();
    json!(joint.map(spelled))
}

fn refusal(error: ExplainError) -> Refusal {
    match error {
        ExplainError::Exhausted(exhausted) => {
            let limit = if exhausted.limit == Limit::Memory { "memory" } else { "time" };
            Refusal::budget(format!("the explanation takes more {limit} than a request may take"))
        }
        ExplainError::Refused(diagnostic) => Refusal::budget(diagnostic.message),
    }
}

/// An explanation as JSON, with its lines for people.
fn to_json(loaded: &Loaded, explanation: &Explanation) -> Result<Value, Refusal> {
    let mut value = serde_json::to_value(explanation).map_err(|_| Refusal::internal())?;
    value["explained"] = value["question"].take();
    let rules = value["rules"].as_array_mut().into_iter().flatten();
    for (value, rule) in rules.zip(&explanation.rules) {
        value["span"] = loaded.place(rule.span);
    }
    let lines = explanation.lines().into_iter().map(|line| {
        let mark = match line.mark {
            Mark::Holds => "holds",
            Mark::Fails => "fails",
            Mark::Rule => "rule",
        };
        json!({
            "depth": line.depth,
            "mark": mark,
            "text": line.text,
            "number": line.number,
            "note": line.note,
            "place": line.place.map(|span| loaded.place(span)),
        })
    });
    value["lines"] = lines.collect();
    Ok(value)
}

/// The rule at a place in the text, with its instances that hold; those of a rule that depends on a
/// joint move, when the one is made that led to the state.
pub fn rule(
    loaded: &Loaded,
    offset: usize,
    now: Moment<'_>,
    before: Option<Moment<'_>>,
) -> Result<Value, Refusal> {
    let game = &loaded.game;
    let mut rules = game.rules.iter().enumerate();
    let at_offset = rules.find(|(_, rule)| rule.span.range().contains(&offset));
    let Some((number, rule)) = at_offset else { return Ok(json!({ "rule": null })) };
    let about = json!({
        "number": number,
        "text": &loaded.text[rule.span.range()],
        "place": loaded.place(rule.span),
    });
    let (explainer, question) = instances_of(game, rule)?;
    let moment = match (explainer.follows_moves(&question), before) {
        (false, _) => now,
        (true, Some(before)) => before,
        (true, None) => {
            return Ok(json!({ "rule": about, "joint": null, "instances": [], "more": 0 }));
        }
    };
    let options = Options { depth: 1, negations: false, answers: ANSWERS, steps: STEPS };
    let mut state = explainer.moment(moment.facts, moment.joint);
    let explanation = state.explain(&question, &options, &BUDGET.start()).map_err(refusal)?;
    let answers = explanation.answers.iter().map(|&answer| explanation.step(answer));
    let bindings = answers.filter_map(|step| match &step.why {
        Why::Rule(instance) => Some(&instance.bindings[..]),
        Why::Fact { .. } => Some(&[][..]),
        _ => None,
    });
    let instances = bindings
        .filter(|_| explanation.holds)
        .map(|bindings| json!({ "head": head(game, rule, bindings), "bindings": bindings }));
    Ok(json!({
        "rule": about,
        "joint": spelled(loaded, moment.joint),
        "instances": instances.collect::<Vec<_>>(),
        "more": explanation.more,
    }))
}

/// A question that the instances of a rule answer, and who answers it: the rule once more, for a
/// relation of its own that holds of what the variables of the rule stand for.
fn instances_of(game: &Game, rule: &Rule) -> Result<(Explainer, Question), Refusal> {
    let mut game = game.clone();
    let full = |_| Refusal::budget("the rulesheet has as many names as there may be");
    let relation = game.symbols.intern(" instance of a rule").map_err(full)?;
    // Other variables stand for nothing in particular.
    let mut bound: Vec<Variable> = Vec::new();
    let mut see = |variable| {
        if !bound.contains(&variable) {
            bound.push(variable)
        }
    };
    rule.head.args.iter().for_each(|arg| arg.for_each_variable(&mut see));
    for literal in &rule.body {
        if let LiteralKind::Sentence(sentence) = &literal.kind {
            sentence.args.iter().for_each(|arg| arg.for_each_variable(&mut see));
        }
    }
    let args: Vec<Term> = bound.into_iter().map(Term::Variable).collect();
    let head = Sentence { relation, args: args.clone(), span: rule.head.span };
    game.rules.push(Rule { head, ..rule.clone() });
    Ok((Explainer::new(game), Question { relation, args, variables: rule.variables.clone() }))
}

/// The head of an instance of a rule.
fn head(game: &Game, rule: &Rule, bindings: &[Binding]) -> String {
    let Sentence { relation, args, .. } = &rule.head;
    let head = match &args[..] {
        [] => Term::Constant(*relation),
        args => Term::Function(*relation, args.to_vec()),
    };
    let value = |variable: &Variable| {
        let name = &*rule.variables[usize::from(variable.0)];
        let binding = bindings.iter().find(|binding| binding.variable == name);
        binding.map_or(name, |binding| &binding.value).to_owned()
    };
    head.print(&|symbol| symbol.spelled(&game.symbols).to_owned(), &|variable| value(&variable))
}
