//! Exceptions of `gdlr._errors`, and what makes them.

use crate::diagnostics::{listed, rendered};
use gdlr::budget::{Exhausted, Limit};
use gdlr::diagnostic::Diagnostic;
use gdlr::set_up::SetUpError;
use pyo3::call::PyCallArgs;
use pyo3::exceptions::{PyKeyboardInterrupt, PyValueError};
use pyo3::prelude::*;

/// An exception of a class of `gdlr._errors`.
fn exception<'py>(py: Python<'py>, class: &str, arguments: impl PyCallArgs<'py>) -> PyErr {
    let exception =
        py.import("gdlr._errors").and_then(|errors| errors.getattr(class)?.call1(arguments));
    match exception {
        Ok(value) => PyErr::from_value(value),
        Err(error) => error,
    }
}

/// An exception with a diagnosis of a text, of the class `RulesError`, `PositionError` or
/// `WorkError`.
pub fn diagnosed(
    py: Python<'_>,
    class: &str,
    name: &str,
    text: &str,
    found: &[Diagnostic],
) -> PyErr {
    match listed(py, text, found) {
        Ok(diagnostics) => exception(py, class, (rendered(name, text, found), diagnostics)),
        Err(error) => error,
    }
}

/// There is no engine.
pub fn no_engine(py: Python<'_>, name: &str, text: &str, error: &SetUpError) -> PyErr {
    match error {
        SetUpError::Refused(diagnostic) => {
            diagnosed(py, "RulesError", name, text, std::slice::from_ref(diagnostic))
        }
        SetUpError::Exhausted(exhausted) => out_of_budget(py, exhausted),
        SetUpError::NoStates(_) | SetUpError::NoCode(_) => PyValueError::new_err(error.to_string()),
    }
}

/// Set-up of a rulesheet ran out of its budget.
pub fn out_of_budget(py: Python<'_>, exhausted: &Exhausted) -> PyErr {
    over_budget(py, exhausted, ", or use engine=\"tree\", which does not ground")
}

/// The net of an automaton took more than the budget.
pub fn no_rules_in_budget(py: Python<'_>, exhausted: &Exhausted) -> PyErr {
    over_budget(py, exhausted, ": an automaton is played here by the rules that its net gives")
}

/// The budget was too small, which is said with another way out.
fn over_budget(py: Python<'_>, exhausted: &Exhausted, otherwise: &str) -> PyErr {
    let more = match exhausted.limit {
        Limit::Memory => "set_up_memory",
        Limit::Time => "set_up_time",
        // Whoever interrupts it has raised something already.
        Limit::Interrupted => return PyKeyboardInterrupt::new_err(exhausted.to_string()),
    };
    let message = format!("{exhausted}; allow more with {more}{otherwise}");
    exception(py, "SetUpError", (message, exhausted.limit.to_string()))
}

/// A role has no such move, or not in this state.
pub fn illegal_move(
    py: Python<'_>,
    message: String,
    role: &str,
    word: &str,
    legal: Vec<String>,
) -> PyErr {
    match pyo3::types::PyTuple::new(py, legal) {
        Ok(legal) => exception(py, "IllegalMove", (message, role, word, legal)),
        Err(error) => error,
    }
}

/// Actions of some lanes are not legal.
pub fn illegal_actions(py: Python<'_>, message: String, lanes: Vec<usize>) -> PyErr {
    match pyo3::types::PyTuple::new(py, lanes) {
        Ok(lanes) => exception(py, "IllegalAction", (message, lanes)),
        Err(error) => error,
    }
}

/// The game has a defect.
pub fn defect(py: Python<'_>, message: String) -> PyErr {
    exception(py, "DefectError", (message,))
}
