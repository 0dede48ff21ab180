//! Values of `gdlr._results`, made by name.

use pyo3::prelude::*;
use pyo3::types::PyDict;

/// A value of a class of `gdlr._results` with these fields.
pub fn make<'py>(
    py: Python<'py>,
    class: &str,
    fields: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyAny>> {
    py.import("gdlr._results")?.getattr(class)?.call((), Some(fields))
}

/// A dictionary of fields: `fields!(py, name = value, …)`.
macro_rules! fields {
    ($py:expr, $($name:ident = $value:expr),* $(,)?) => {{
        let fields = pyo3::types::PyDict::new($py);
        $(pyo3::types::PyDictMethods::set_item(&fields, stringify!($name), $value)?;)*
        fields
    }};
}
pub(crate) use fields;
