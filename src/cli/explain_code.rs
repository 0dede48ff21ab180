//! `gdlr explain-code`: what a code means, with an input that shows it and how to mend it.

use super::output;
use super::status::{Failure, Outcome, Status};
use clap::Args;
use gdlr::diagnostic::{Code, Severity};
use gdlr::nearest::nearest_name;
use serde_json::{Value, json};

/// Say what the code of a diagnostic means, and how to mend it
#[derive(Debug, Args)]
#[command(after_help = "\
Without CODE, all codes are listed. With the letter of a family, its codes are
listed: K and G for reading rules, E and W for checking them, S for playing
them, P for positions, moves and questions, R, H and B for Regular Games,
High-level Regular Games and Regular Boardgames.

Examples:
  gdlr explain-code E020
  gdlr explain-code K")]
pub struct Arguments {
    /// The code, such as E020, or the letter of a family
    code: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Outcome {
    let name = arguments.code.as_deref().unwrap_or_default();
    if let Some(code) = Code::named(name) {
        match arguments.json {
            true => output::print_json(&explanation_json(code))?,
            false => output::print(&explanation_text(code))?,
        }
        return Ok(Status::Done);
    }
    let family = name.to_ascii_uppercase();
    let is_listed = |code: &Code| code.as_str().trim_end_matches(char::is_numeric) == family;
    let codes: Vec<Code> =
        Code::ALL.iter().copied().filter(|code| name.is_empty() || is_listed(code)).collect();
    if codes.is_empty() {
        return Err(no_such_code(name));
    }
    if arguments.json {
        let codes: Vec<Value> = codes.into_iter().map(code_json).collect();
        output::print_json(&json!({ "codes": codes }))?;
    } else {
        let row = |code: Code| {
            [code.as_str(), code.severity().as_str(), plain(code.summary())].map(str::to_owned)
        };
        let rows = codes.into_iter().map(|code| row(code).to_vec()).collect();
        output::print(&output::table_text(&output::table(&[], &[1, 2], rows)))?;
    }
    Ok(Status::Done)
}

fn no_such_code(name: &str) -> Failure {
    let near = match nearest_name(name, Code::ALL.iter().map(|code| code.as_str())) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "`gdlr explain-code` lists them".to_owned(),
    };
    Failure::Unusable(format!("there is no code `{name}`; {near}"))
}

fn explanation_text(code: Code) -> String {
    let explanation = code.explanation();
    let weight = match (code.severity(), code.forbids_play()) {
        (Severity::Warning, _) => "A warning.",
        (Severity::Error, true) => "An error that forbids play.",
        (Severity::Error, false) => "An error that does not forbid play.",
    };
    let texts = [
        format!("{code}: {}", code.summary()),
        weight.to_owned(),
        explanation.meaning.to_owned(),
        indented(explanation.example.text),
        without_fences(explanation.mend),
    ];
    texts.map(|text| text.trim_end().to_owned() + "\n").join("\n")
}

/// A text in which the lines between fences are indented, and the fences left out.
fn without_fences(text: &str) -> String {
    let mut shown = String::new();
    let mut fenced = false;
    for line in text.lines() {
        match line.starts_with("```") {
            true => fenced = !fenced,
            false if fenced => shown += &indented(line),
            false => shown.extend([line, "\n"]),
        }
    }
    shown
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("    {line}\n")).collect()
}

/// A summary as a table shows it: the name of the language, which the letter says, is left out.
fn plain(summary: &str) -> &str {
    let languages = ["High-level Regular Games: ", "Regular Games: ", "Regular Boardgames: "];
    let rest = languages.iter().find_map(|language| summary.strip_prefix(language));
    rest.unwrap_or(summary)
}

fn code_json(code: Code) -> Value {
    json!({
        "code": code.as_str(),
        "severity": code.severity().as_str(),
        "forbids_play": code.forbids_play(),
        "summary": code.summary(),
    })
}

fn explanation_json(code: Code) -> Value {
    let explanation = code.explanation();
    let mut value = code_json(code);
    value["meaning"] = json!(explanation.meaning);
    value["example"] =
        json!({ "language": explanation.example.language, "text": explanation.example.text });
    value["mend"] = json!(explanation.mend);
    value
}
