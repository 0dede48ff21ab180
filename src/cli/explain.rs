//! `gdlr explain`: why a sentence holds, or why it does not.

use super::diagnostics::Printer;
use super::engine::{self, GroundArguments};
use super::interrupt;
use super::moment::{Moment, MomentArguments};
use super::output::{self, counted};
use super::rulesheet::{GameArguments, Rulesheet, Source};
use super::status::{Failure, Outcome, Status};
use super::time::seconds;
use clap::Args;
use gdlr::budget::{Budget, Limit};
use gdlr::engine::AnyEngine;
use gdlr::explain::{ExplainError, Explainer, Explanation, Line, Mark, Options, Question};
use gdlr::gdl::{Symbol, Term};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Say why a sentence holds in a state, or why it does not
#[derive(Debug, Args)]
#[command(after_help = "\
SENTENCE is a sentence of the rules: `(legal ROLE MOVE)`, `terminal`,
`(goal ROLE VALUE)`, `(true FACT)`, `(next FACT)`, `(sees ROLE PERCEPT)`, or of
any relation of the rulesheet. With variables, such as `(legal white ?move)`,
each instance that holds is explained.

A sentence that holds is shown with the conditions of a rule that gives it. For
a sentence that does not hold, each rule that could give it is shown: the
instance that gets furthest, and the condition at which it fails.

Some sentences depend on a joint move, such as `next`. The joint move is that of
--does. Without --does it is the last one of --after, in the state before it.
`(true FACT)` is explained by this move, too: by `(next FACT)`. In the initial
state it is explained by `(init FACT)`.

Exits with 1 if the sentence does not hold.

Examples:
  gdlr explain connect4 \"(legal red (drop 3))\"
  gdlr explain connect4 \"(legal yellow (drop 3))\" --after \"(drop 3) (drop 3)\"
  gdlr explain tictactoe \"(true (turn noughts))\" --after \"((sign 2 2) wait)\"")]
pub struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// The statement to explain
    #[arg(value_name = "SENTENCE")]
    sentence: String,
    #[command(flatten)]
    moment: MomentArguments,
    /// The joint move that is made then, `(MOVE …)`
    #[arg(long, value_name = "JOINT")]
    does: Option<String>,
    /// How many rules deep to go
    #[arg(long, value_name = "N", default_value_t = 8)]
    depth: usize,
    /// Say also why what stands under `not` does not hold
    #[arg(long)]
    negations: bool,
    /// Give up explaining after this time
    #[arg(long, value_name = "SECS", value_parser = seconds, default_value = "20")]
    time: Duration,
    #[command(flatten)]
    set_up: GroundArguments,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// A question, and the state that it is about.
struct Query {
    question: Question,
    state: Vec<Term>,
    joint: Option<Vec<Term>>,
    /// How many joint moves of `--after` led to the state.
    moves: usize,
    /// Whether the question was about a fact of the state, and is now where that comes from.
    is_traced: bool,
}

pub fn run(arguments: &Arguments) -> Outcome {
    let rulesheet = Rulesheet::playable(&arguments.game)?;
    let source = Source::argument("SENTENCE", &arguments.sentence);
    let document = source.document()?;
    let [sentence] = &document.items[..] else {
        return Err(Failure::Unusable("ask about one sentence, in brackets".to_owned()));
    };
    let question = Question::read_any(sentence, &rulesheet.game);
    let (question, game) = question.map_err(|error| source.refuse([&error]))?;
    let ready = engine::make_one_to_look(&rulesheet, arguments.set_up)
        .map_err(|error| engine::refused(&rulesheet.source, &error, ""))?;
    let mut moment = arguments.moment.find(&ready.engine)?;
    let explainer = Explainer::new(game);
    let asked = asked(arguments, &explainer, &ready.engine, &mut moment, question)?;

    let budget = Budget { time: arguments.time, ..arguments.set_up.budget() };
    let options =
        Options { depth: arguments.depth, negations: arguments.negations, ..Options::default() };
    let start = Instant::now();
    let mut there = explainer.moment(&asked.state, asked.joint.as_deref());
    let explanation = there
        .explain(&asked.question, &options, &budget.start())
        .map_err(|error| refuse(&rulesheet, error))?;
    let elapsed = start.elapsed();
    let printer = rulesheet.source.printer();
    if arguments.json {
        let mut value = to_json(&rulesheet, &asked, &explanation, &printer)?;
        value["question"] = json!(sentence.to_string());
        value["seconds"] = json!(output::seconds(elapsed.as_secs_f64()));
        output::print_json(&value)?;
    } else {
        let title = title(&rulesheet, &moment, &asked, &explanation, &sentence.to_string());
        show(&title, &explanation, &printer)?;
    }
    Ok(if explanation.holds { Status::Done } else { Status::No })
}

/// The question to ask: about the sentence itself, or about its origin.
fn asked(
    arguments: &Arguments,
    explainer: &Explainer,
    engine: &AnyEngine,
    moment: &mut Moment,
    question: Question,
) -> Result<Query, Failure> {
    let last = moment.states.len() - 1;
    let is_fact = question.relation == Symbol::TRUE && question.args.len() == 1;
    let given = arguments.does.as_ref().filter(|_| !is_fact);
    if let Some(text) = given {
        let joint = Some(moment.read_joint(engine, "--does", text)?);
        let state = moment.states[last].clone();
        return Ok(Query { question, state, joint, moves: last, is_traced: false });
    }
    if is_fact && (last > 0 || !moment.is_given) {
        let relation = if last == 0 { Symbol::INIT } else { Symbol::NEXT };
        let question = Question { relation, ..question };
        let moves = last.saturating_sub(1);
        let joint = moment.joints.last().cloned();
        let state = moment.states[moves].clone();
        return Ok(Query { question, state, joint, moves, is_traced: true });
    }
    if !is_fact && explainer.follows_moves(&question) {
        let Some(joint) = moment.joints.last().cloned() else {
            return Err(Failure::Unusable(
                "that depends on a joint move; say which with --does, or play it with --after"
                    .to_owned(),
            ));
        };
        let state = moment.states[last - 1].clone();
        return Ok(Query {
            question,
            state,
            joint: Some(joint),
            moves: last - 1,
            is_traced: false,
        });
    }
    let state = moment.states[last].clone();
    Ok(Query { question, state, joint: None, moves: last, is_traced: false })
}

/// Says why there is no explanation.
fn refuse(rulesheet: &Rulesheet, error: ExplainError) -> Failure {
    match error {
        ExplainError::Refused(diagnostic) => rulesheet.source.refuse([&*diagnostic]),
        ExplainError::Exhausted(exhausted) => {
            output::error(&error.to_string());
            if exhausted.limit == Limit::Interrupted || interrupt::raised() {
                return Failure::Reported(Status::Interrupted);
            }
            let more = match exhausted.limit {
                Limit::Memory => "--set-up-memory MIB",
                _ => "--time SECS",
            };
            output::note(&format!("allow more with {more}"));
            Failure::Reported(Status::Budget)
        }
    }
}

/// The question and its answer, in a line.
fn title(
    rulesheet: &Rulesheet,
    moment: &Moment,
    asked: &Query,
    explanation: &Explanation,
    sentence: &str,
) -> String {
    let symbols = &rulesheet.game.symbols;
    let verdict = match (explanation.holds, explanation.answers.len() + explanation.more) {
        (false, _) => format!("{sentence} does not hold"),
        (true, count) if !asked.question.variables.is_empty() => {
            format!("{sentence} holds of {}", counted(count, "instance"))
        }
        (true, _) => format!("{sentence} holds"),
    };
    let place = match (moment.is_given, asked.moves) {
        (_, moves @ 1..) => format!("after {}", counted(moves, "joint move")),
        (true, 0) => "in the state given".to_owned(),
        (false, 0) => "in the initial state".to_owned(),
    };
    let moves = asked.joint.as_ref().map(|joint| {
        let joint: Vec<String> = joint.iter().map(|term| term.spelled(symbols)).collect();
        format!("({})", joint.join(" "))
    });
    match (moves, asked.is_traced) {
        (Some(joint), true) => {
            let after = counted(asked.moves + 1, "joint move");
            format!("{verdict} after {after}; the last one is {joint}")
        }
        (Some(joint), false) => format!("{verdict} {place}, when {joint} is played"),
        (None, _) => format!("{verdict} {place}"),
    }
}

/// Prints an explanation for people.
fn show(title: &str, explanation: &Explanation, printer: &Printer) -> Result<(), Failure> {
    let mut page = output::Page::new();
    page.plain(title);
    page.plain("\n");
    for line in &explanation.lines() {
        if line.depth == 0 {
            page.plain("\n");
        }
        show_line(line, printer, &mut page);
    }
    if explanation.more > 0 {
        let are = if explanation.more == 1 { "is" } else { "are" };
        let more = output::grouped(explanation.more as u64);
        page.plain(&format!("\n{more} more {are} not shown\n"));
    }
    page.print()
}

/// Writes a line of an explanation.
pub fn show_line(line: &Line, printer: &Printer, page: &mut output::Page) {
    page.plain(&"  ".repeat(line.depth));
    match line.mark {
        Mark::Holds => page.good("✓ "),
        Mark::Fails => page.bad("✗ "),
        Mark::Rule => page.faint("rule "),
    }
    page.plain(&line.text);
    if let Some(number) = line.number {
        page.faint(&format!(" [{number}]"));
    }
    if let Some(span) = line.place {
        page.faint(&format!("  {}", printer.named_place(span)));
    }
    if !line.note.is_empty() {
        page.faint(&format!("  {}", line.note));
    }
    page.plain("\n");
}

fn to_json(
    rulesheet: &Rulesheet,
    asked: &Query,
    explanation: &Explanation,
    printer: &Printer,
) -> Result<Value, Failure> {
    let symbols = &rulesheet.game.symbols;
    let fail = |error| Failure::Unusable(format!("cannot write the explanation: {error}"));
    let mut answer = serde_json::to_value(explanation).map_err(fail)?;
    for (value, rule) in
        answer["rules"].as_array_mut().into_iter().flatten().zip(&explanation.rules)
    {
        value["span"] = printer.place(rule.span);
    }
    let joint = asked
        .joint
        .as_ref()
        .map(|joint| joint.iter().map(|term| term.spelled(symbols)).collect::<Vec<String>>());
    let state: Vec<String> = asked.state.iter().map(|fact| fact.spelled(symbols)).collect();
    let mut value = json!({
        "game": rulesheet.game.name,
        "file": rulesheet.source.file,
        "question": null,
        "explained": explanation.question,
        "moves": asked.moves,
        "does": joint,
        "state": state,
        "seconds": null,
    });
    for key in ["holds", "answers", "more", "strangers", "steps", "rules"] {
        value[key] = answer[key].take();
    }
    Ok(value)
}
