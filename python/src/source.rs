//! What Python calls rules: text, a path, or the name of a bundled game.

use crate::errors::diagnosed;
use gdlr::bundled;
use gdlr::kif::Limits;
use gdlr::notation::{self, Notation};
use pyo3::exceptions::{PyOSError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::borrow::Cow;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// A string longer than this names no file.
const LONGEST_PATH: usize = 4096;

/// A text that should be a rulesheet.
pub struct Source {
    /// What to call the game.
    pub name: String,
    /// What was read.
    pub bytes: Vec<u8>,
}

impl Source {
    /// The text itself.
    pub fn of_text(text: String, name: &str) -> Source {
        Source { name: name.to_owned(), bytes: text.into_bytes() }
    }

    /// The file at a path.
    pub fn of_path(path: &Path) -> PyResult<Source> {
        let limit = Limits::default().max_bytes;
        let cannot =
            |error| PyOSError::new_err((format!("cannot read {}: {error}", path.display()),));
        let mut bytes = Vec::new();
        // One byte more is enough for the reader to say that it is too large.
        let mut file = File::open(path).map_err(PyErr::from)?.take(limit as u64 + 1);
        file.read_to_end(&mut bytes).map_err(cannot)?;
        let name = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy();
        Ok(Source { name: name.into_owned(), bytes })
    }

    /// The bundled game of a name.
    pub fn bundled(name: &str) -> PyResult<Source> {
        let game = bundled::find(name).ok_or_else(|| {
            PyValueError::new_err(format!("there is no bundled game `{name}`; {}", hint(name)))
        })?;
        Ok(Source { name: game.name.to_owned(), bytes: game.text.into() })
    }

    /// What `rules` means: a path if it is one or names a file, a bundled game if it names one,
    /// otherwise the text itself.
    pub fn find(rules: &Bound<'_, PyAny>) -> PyResult<Source> {
        let Ok(text) = rules.extract::<String>() else {
            let path: PathBuf = rules.extract().map_err(|_| {
                PyTypeError::new_err("rules are a rulesheet as text, a path, or a bundled game")
            })?;
            return Source::of_path(&path);
        };
        let one_line = text.len() < LONGEST_PATH && !text.contains(['\n', '\0']);
        if one_line && Path::new(&text).is_file() {
            return Source::of_path(Path::new(&text));
        }
        if bundled::find(&text).is_some() {
            return Source::bundled(&text);
        }
        // Every rulesheet has a bracket.
        if one_line && !text.contains('(') {
            let hint = hint(&text);
            return Err(PyValueError::new_err(format!(
                "there is neither a file nor a bundled game `{text}`; {hint}"
            )));
        }
        Ok(Source::of_text(text, "game"))
    }

    /// The text, with a mark for every byte that is not UTF-8.
    pub fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.bytes)
    }
}

fn hint(name: &str) -> String {
    match bundled::nearest(name) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "gdlr.games() lists them".to_owned(),
    }
}

/// Lays out a rulesheet in the canonical way, comments kept.
///
/// ``rules`` is as for :class:`Game`. ``to`` is the notation of the result, ``"kif"`` or
/// ``"infix"``; by default that of the rulesheet.
#[pyfunction]
#[pyo3(signature = (rules, to=None))]
pub fn fmt(py: Python<'_>, rules: &Bound<'_, PyAny>, to: Option<&str>) -> PyResult<String> {
    let source = Source::find(rules)?;
    let text = source.text();
    let to = match to {
        None => Notation::of(&text),
        Some("kif") => Notation::Kif,
        Some("infix") => Notation::Infix,
        Some(other) => {
            let message = format!("to=`{other}` is no notation; one of kif, infix");
            return Err(PyValueError::new_err(message));
        }
    };
    let laid_out = py.detach(|| {
        let document = notation::read_bytes(&source.bytes)?;
        notation::format(&text, &document, to)
    });
    laid_out.map_err(|found| diagnosed(py, "RulesError", &source.name, &text, &found))
}
