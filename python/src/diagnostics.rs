//! Diagnostics for Python: as values, and as what exceptions say.

use crate::results::{fields, make};
use gdlr::diagnostic::{Diagnostic, LineIndex, Severity};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// The most diagnostics that a message quotes.
const QUOTED: usize = 10;

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
