//! Diagnostics for Python: `gdlr.check`, and what exceptions say.

use crate::results::{fields, make};
use crate::source::Source;
use crate::work;
use gdlr::diagnostic::{Diagnostic, LineIndex, Severity};
use gdlr::gdl::{Game, Reading};
use gdlr::notation;
use gdlr::play::well_formed::{self, Simulation};
use gdlr::tree::{Tree, TreeOptions};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// The most diagnostics that a message quotes.
const QUOTED: usize = 10;

/// How many situations are remembered to compare what roles see.
const SITUATIONS: usize = 100_000;

/// The joint moves within which a playout should end.
const MAX_STEPS: u32 = 10_000;

/// The diagnostics as a tuple of `gdlr.Diagnostic`.
pub fn listed<'py>(
    py: Python<'py>,
    text: &str,
    found: &[Diagnostic],
) -> PyResult<Bound<'py, PyTuple>> {
    let lines = LineIndex::new(text);
    let of = |found: &Diagnostic| {
        let place = |offset: u32| lines.locate(text, offset as usize);
        let (start, end) = (place(found.span.start), place(found.span.end));
        let related: Vec<(usize, usize, &str)> = (found.related.iter())
            .map(|(span, label)| {
                let place = place(span.start);
                (place.line, place.column, label.as_str())
            })
            .collect();
        let fields = fields!(
            py,
            code = found.code.as_str(),
            severity = severity(found),
            message = &found.message,
            line = start.line,
            column = start.column,
            end_line = end.line,
            end_column = end.column,
            label = &found.label,
            related = PyTuple::new(py, related)?,
            help = &found.help,
            forbids_play = found.code.forbids_play(),
        );
        make(py, "Diagnostic", &fields)
    };
    let all = found.iter().map(of).collect::<PyResult<Vec<_>>>()?;
    PyTuple::new(py, all)
}

fn severity(found: &Diagnostic) -> &'static str {
    match found.severity() {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

/// The diagnostics as text, each on a line; not more than a reader would read.
pub fn rendered(name: &str, text: &str, found: &[Diagnostic]) -> String {
    let lines = LineIndex::new(text);
    let line = |found: &Diagnostic| {
        let place = lines.locate(text, found.span.start as usize);
        let label = match found.label.as_str() {
            "" => String::new(),
            label => format!(" ({label})"),
        };
        let help = found.help.as_ref().map_or(String::new(), |help| format!("; help: {help}"));
        let (severity, code, message) = (severity(found), found.code, &found.message);
        format!("{name}:{place}: {severity}[{code}]: {message}{label}{help}")
    };
    let mut shown: Vec<String> = found.iter().take(QUOTED).map(line).collect();
    if found.len() > QUOTED {
        shown.push(format!("... and {} more", found.len() - QUOTED));
    }
    shown.join("\n")
}

/// What is wrong with a rulesheet, and what is odd about it, sorted by place.
///
/// ``rules`` is a rulesheet as text (KIF or infix), a path, or the name of a bundled game. With
/// ``simulate=N``, defects are also looked for in N random playouts. An empty list is the best
/// that can be said.
///
/// >>> [d.code for d in gdlr.check("(role a) (legal a wait) (goal a 0) (<= terminal (won a))")]
/// ['W004']
#[pyfunction]
#[pyo3(signature = (rules, *, simulate=0, seed=1, case_sensitive=false, progress=None))]
pub fn check<'py>(
    py: Python<'py>,
    rules: &Bound<'py, PyAny>,
    simulate: u64,
    seed: u64,
    case_sensitive: bool,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let source = Source::find(rules)?;
    let look = |watch: &work::Watch| {
        let mut found = Vec::new();
        if let Err(errors) = diagnose(&source, simulate, seed, case_sensitive, watch, &mut found) {
            found.extend(errors);
        }
        found
    };
    let found = work::run(py, "checking", progress, look)?;
    listed(py, &source.text(), &found).map(|found| found.iter().collect())
}

/// Makes the checks; the errors are what keeps further ones from being made.
fn diagnose(
    source: &Source,
    playouts: u64,
    seed: u64,
    case_sensitive: bool,
    watch: &work::Watch,
    found: &mut Vec<Diagnostic>,
) -> Result<(), Vec<Diagnostic>> {
    let document = notation::read_bytes(&source.bytes)?;
    let game = Game::from_document(&source.name, document, Reading { case_sensitive })?;
    *found = gdlr::check::check(&game);
    if playouts == 0 || Game::forbidding(found).next().is_some() {
        return Ok(());
    }
    watch.tell("simulating", 0, None);
    let engine = Tree::new(game, &TreeOptions::default()).map_err(|error| vec![error])?;
    let options = Simulation { playouts, max_steps: MAX_STEPS, seed, situations: SITUATIONS };
    let report = well_formed::simulate(&engine, engine.game(), &options, watch.stop());
    found.extend(report.diagnostics(engine.game()));
    Ok(())
}
