//! `gdlr rg optimise`: a smaller automaton that means the same.

use super::choice::Choice;
use super::file::FileArgument;
use crate::cli::engine::{self, GroundArguments};
use crate::cli::output::{self, counted};
use crate::cli::progress;
use crate::cli::rulesheet::Source;
use crate::cli::status::{Failure, Outcome, Status};
use clap::Args;
use gdlr::budget::Budget;
use gdlr::diagnostic::Severity;
use gdlr::rg::normalise::{NORMALISATIONS, Normalisation};
use gdlr::rg::optimise::{Size, Step, TRANSFORMATIONS, Transformation, optimise};
use gdlr::rg::{self, Description, Hint};
use std::fmt::Write;
use std::path::PathBuf;
use std::time::Instant;

/// Make an automaton smaller: the same game with fewer nodes, edges and variables
#[derive(Debug, Args)]
#[command(after_help = "\
Transformations are applied until none changes anything. Two of them change the
tags of moves, but not the number of moves: skip-redundant-tags and
skip-artificial-tags. Known pragmas about nodes are removed. Unknown pragmas
stay, as long as everything that they mention exists.

Examples:
  gdlr rg optimise mygame.rg -o small.rg
  gdlr rg optimise mygame.rg --explain >small.rg
  gdlr rg optimise mygame.rg --only compact-skip-edges,join-fork-prefixes
  gdlr rg optimise mygame.rg --with expand-any-assignments,normalise-types
  gdlr rg optimise --list")]
pub struct Arguments {
    #[command(flatten)]
    file: Option<FileArgument>,
    #[command(flatten)]
    choice: Choice,
    /// Write to this file, `-` for standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Say on standard error what each transformation did, and in which time
    #[arg(long)]
    explain: bool,
    /// List all transformations
    #[arg(long, exclusive = true)]
    list: bool,
    #[command(flatten)]
    budget: GroundArguments,
}

pub fn run(arguments: &Arguments) -> Outcome {
    if arguments.list {
        return list();
    }
    let Some(file) = &arguments.file else {
        return Err(Failure::Unusable("FILE is missing".to_owned()));
    };
    let (read, mut description) = file.description()?;
    refuse_errors(&read, &description)?;
    let before = Size::of(&description);
    let unknown = Unknown::of(&description);
    let start = Instant::now();
    let mut lines = String::new();
    let budget = arguments.budget.budget();
    let takes = |one: &Transformation| arguments.choice.takes(one);
    let done = apply(&mut description, takes, &budget, |step, now| {
        if arguments.explain {
            explain(&mut lines, &step, step.changed.then(|| Size::of(&now())));
        }
    });
    if done.is_ok() {
        for form in arguments.choice.forms() {
            form.apply(&mut description)
                .map_err(|large| Failure::Unusable(format!("{}: {large}", form.name)))?;
        }
    }
    if arguments.explain {
        let after = Size::of(&description);
        let _ = writeln!(lines, "before: {}", describe(before));
        let _ = writeln!(lines, "after:  {} ({:.2?})", describe(after), start.elapsed());
        lines.lines().for_each(output::note);
    }
    done?;
    unknown.tell_left_out(&description);
    let text = rg::print(&description)
        .map_err(|error| Failure::Unusable(format!("the automaton cannot be written: {error}")))?;
    output::deliver_automaton(&text, arguments.output.as_deref())?;
    Ok(Status::Done)
}

/// An automaton as it was read, if it has pragmas that nobody knows.
struct Unknown(Option<Description>);

impl Unknown {
    fn of(description: &Description) -> Unknown {
        let mut pragmas = description.pragmas.iter();
        let any = pragmas.any(|pragma| matches!(pragma.hint, Hint::Unknown(_)));
        Unknown(any.then(|| description.clone()))
    }

    /// Says on standard error which of them the result does not have.
    fn tell_left_out(&self, result: &Description) {
        for left_out in self.0.iter().flat_map(|source| rg::left_out(source, result)) {
            output::note(&left_out.to_string());
        }
    }
}

/// Refuses a description with errors, of which it prints all.
pub fn refuse_errors(source: &Source, description: &Description) -> Result<(), Failure> {
    let diagnostics = rg::validate(description);
    let errors: Vec<_> = diagnostics
        .into_iter()
        .filter(|diagnostics| diagnostics.code.severity() == Severity::Error)
        .collect();
    match errors.is_empty() {
        true => Ok(()),
        false => Err(source.refuse(&errors)),
    }
}

/// The transformations after which moves are called what they were.
pub fn keeps_moves(transformation: &Transformation) -> bool {
    !transformation.renames_moves
}

/// Optimises within a budget.
pub fn apply(
    description: &mut Description,
    takes: impl Fn(&Transformation) -> bool,
    budget: &Budget<'_>,
    tell: impl FnMut(Step, &dyn Fn() -> Description),
) -> Result<(), Failure> {
    let spinner = progress::spinner();
    spinner.set_message("optimising");
    let done = optimise(description, takes, &budget.start(), tell);
    spinner.finish_and_clear();
    let otherwise = "or leave transformations out with --without LIST";
    done.map_err(|exhausted| engine::refuse(&exhausted, otherwise))
}

fn list() -> Outcome {
    let mut text = String::new();
    for Transformation { name, about, .. } in &TRANSFORMATIONS {
        let _ = writeln!(text, "{name:24} {about}");
    }
    text.push_str("\nOther forms, for --with:\n");
    for Normalisation { name, about, .. } in &NORMALISATIONS {
        let _ = writeln!(text, "{name:24} {about}");
    }
    output::print(&text)?;
    Ok(Status::Done)
}

fn explain(lines: &mut String, step: &Step, size: Option<Size>) {
    let Step { transformation, round, time, .. } = step;
    let what = size.map_or_else(|| "nothing to do".to_owned(), describe);
    let _ = writeln!(lines, "{round:3} {:24} {what} ({time:.2?})", transformation.name);
}

fn describe(size: Size) -> String {
    let Size { nodes, edges, variables, state_bits, .. } = size;
    format!(
        "{}, {}, {}, {state_bits} bits",
        counted(nodes, "node"),
        counted(edges, "edge"),
        counted(variables, "variable")
    )
}
