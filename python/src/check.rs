//! `gdlr.check`: what is wrong with a rulesheet.

use crate::diagnostics::listed;
use crate::source::Source;
use crate::work;
use gdlr::diagnostic::Diagnostic;
use gdlr::gdl::{Game, Reading};
use gdlr::notation;
use gdlr::play::well_formed::{self, Simulation};
use gdlr::tree::{Tree, TreeOptions};
use pyo3::prelude::*;

/// How many situations are remembered to compare what roles see.
const SITUATIONS: usize = 100_000;

/// The joint moves within which a playout should end.
const MAX_STEPS: u32 = 10_000;

/// What is wrong with a rulesheet, and what is odd about it, sorted by place.
///
/// ``rules`` is a rulesheet as text (KIF or infix), a path, or the name of a bundled game. With
/// ``simulate=N``, defects are also looked for in N random playouts. An empty list is the best
/// that can be said.
///
/// >>> [d.code for d in gdlr.check("(role a) (legal a wait) (goal a 0) (<= terminal (won a))")]
/// ['W004']
#[pyfunction]
#[pyo3(signature = (rules, *, simulate=0, seed=1, case_sensitive=false, built_ins=false,
                    progress=None))]
pub fn check<'py>(
    py: Python<'py>,
    rules: &Bound<'py, PyAny>,
    simulate: u64,
    seed: u64,
    case_sensitive: bool,
    built_ins: bool,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let source = Source::find(rules)?;
    let reading = Reading { case_sensitive, built_ins };
    let look = |watch: &work::Watch| {
        let mut diagnostics = Vec::new();
        if let Err(errors) = diagnose(&source, simulate, seed, reading, watch, &mut diagnostics) {
            diagnostics.extend(errors);
        }
        diagnostics
    };
    let diagnostics = work::run(py, "checking", progress, look)?;
    listed(py, &source.text(), &diagnostics).map(|diagnostics| diagnostics.iter().collect())
}

/// Makes the checks; the errors are what keeps further ones from being made.
fn diagnose(
    source: &Source,
    playouts: u64,
    seed: u64,
    reading: Reading,
    watch: &work::Watch,
    found: &mut Vec<Diagnostic>,
) -> Result<(), Vec<Diagnostic>> {
    let document = notation::read_bytes(&source.bytes)?;
    let game = Game::from_document(&source.name, document, reading)?;
    *found = gdlr::check::check_text(&game, &source.text());
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
